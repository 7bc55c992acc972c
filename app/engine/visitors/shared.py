"""Objects that all page processes share."""

from __future__ import annotations

import importlib
from functools import cache
from typing import Any, TypeVar, cast

from app.late_imports import importing
from app.settings import LOCAL, settings

Kind = TypeVar("Kind")


@cache
def shared(kind: type[Kind]) -> Kind:
    """The one object of a class: in this process, or in the cluster's process for visitors' things.

    It is made without arguments. Arguments and answers of its methods cross between processes: they are copies there,
    and a change of one changes nothing elsewhere. A cluster's part is found by name, as its engine is.

    Raises:
        PlaygroundError: `busy`, from any method: that process does not answer.
    """
    if settings().engine == LOCAL:
        return kind()
    with importing():
        made: Any = importlib.import_module("app.engine.ray.visitors").Shared(kind)
    return cast(Kind, made)
