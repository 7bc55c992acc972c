"""A family's application on the cluster: its name, and how to find it."""

from __future__ import annotations

import os
import threading
from typing import Any

import ray
from ray import serve

from app.engine.ray.head_node import check_reachable
from app.settings import LOCAL, ROOT, settings

PREFIX = "playground-"
# Variables that other processes read as the page does. Which card is theirs, Ray says.
HANDED_ON = ("PLAYGROUND_", "HF_", "OMP_")
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


def environment() -> dict[str, str]:
    """What processes of this program are given on the cluster."""
    given = {name: value for name, value in os.environ.items() if name.startswith(HANDED_ON)}
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**given, "PLAYGROUND_ENGINE": LOCAL, "PYTHONPATH": os.pathsep.join(paths)}
