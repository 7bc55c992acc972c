"""If a checkpoint is unavailable, the sentence names those that are here, and only if there are any."""

import pytest

from app.engine.storage.hub import refusal
from app.registry.lookup import BY_NAME
from app.ui.events import sentence


@pytest.mark.parametrize("language", ["en", "zh-CN"])
@pytest.mark.parametrize("reason", ["offline", "closed", "unreachable"])
def test_no_sentence_offers_nothing(reason: str, language: str) -> None:
    alone = refusal(BY_NAME["answers-minilm"], reason)  # nothing that comes along answers from passages
    assert alone.reason == f"{reason}_alone"
    assert "—" not in sentence(alone, language)
    beside = refusal(BY_NAME["bert-base-uncased"], reason)
    assert beside.reason == reason
    assert "bert-mini" in sentence(beside, language)
