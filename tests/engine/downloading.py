"""The checkpoint that the download tests fetch, and its refusal."""

from __future__ import annotations

import pytest

from app.engine.storage.downloads import downloads
from app.errors import PlaygroundError
from app.registry.lookup import BY_NAME

ROBERTA = BY_NAME["roberta-base"]


def refused() -> PlaygroundError:
    """Why it cannot be fetched."""
    with pytest.raises(PlaygroundError) as caught:
        downloads().fetch(ROBERTA)
    assert caught.value.code == "model_unavailable" and "bert-mini" in str(caught.value.values["names"])
    return caught.value
