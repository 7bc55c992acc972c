"""Who cannot have a checkpoint is told which bundled one does the same."""

from __future__ import annotations

import pytest

from app.engine import hub as hub_module
from app.registry.lookup import BY_NAME


@pytest.mark.parametrize(
    ("name", "instead"),
    [("elmo-original", "elmo-mini"), ("bert-base-uncased", "bert-mini"), ("gpt2", "gpt2-mini")],
)
def test_a_refusal_names_the_bundled_one_that_does_the_same(name: str, instead: str) -> None:
    names = str(hub_module.refusal(BY_NAME[name], "unreachable").values["names"]).split(", ")
    assert instead in names and name not in names
