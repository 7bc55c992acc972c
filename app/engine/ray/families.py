"""A family's application on the cluster: its name, and how to find it."""

from __future__ import annotations

import threading
from typing import Any

import ray
from ray import serve

from app.engine.ray.head_node import check_reachable
from app.settings import settings

PREFIX = "playground-"
_joining = threading.Lock()


def application(family: str) -> str:
    """The name of the application that serves a family."""
    return PREFIX + family


def connect() -> None:
    """Join the cluster named in the settings, unless this process has already joined one.

    Raises:
        ConnectionError: there is none.
    """
    with _joining:
        if not ray.is_initialized():
            check_reachable(settings().ray_address)
            ray.init(address=settings().ray_address, log_to_driver=False, logging_level="warning")


def handle(family: str) -> Any:
    """The handle for asking a family's replicas.

    Raises:
        ray.serve.exceptions.RayServeException: it is not on the cluster.
    """
    return serve.get_app_handle(application(family))
