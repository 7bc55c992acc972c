"""If a checkpoint is unavailable, the message names available ones for the same task: bundled or from a package."""

from __future__ import annotations

import pytest

from app.engine.storage import hub as hub_module
from app.registry.lookup import BY_NAME


@pytest.mark.parametrize(
    ("name", "instead"),
    [("elmo-original", "elmo-mini"), ("bert-base-uncased", "bert-mini"), ("gpt2", "gpt2-mini")],
)
def test_a_refusal_names_the_bundled_one_that_does_the_same(name: str, instead: str) -> None:
    names = str(hub_module.refusal(BY_NAME[name], "unreachable").values["names"]).split(", ")
    assert instead in names and name not in names


def test_a_refusal_names_installed_packages_too(packs: object) -> None:
    names = str(hub_module.refusal(BY_NAME["bert-base-uncased"], "offline").values["names"]).split(", ")
    assert {"bert-mini", "minilm-l6"} <= set(names)
