"""A visitor's model as bytes, and page processes that share models; without a cluster."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from app.engine.heads import CLASSIFICATION, TOKEN_CLASSIFICATION
from app.engine.runtime.loaded import Loaded
from app.engine.runtime.visitor_models import SharedModels, VisitorModels, visitor_models
from app.engine.visitors.packed_model import PackedModels, pack, unpack
from app.settings import settings
from app.tasks.fine_tune.rows import Options
from app.tasks.fine_tune.tune import Tuning, run_tuning
from app.tasks.tagging.tag import tag_with
from tests.tasks.test_classification import build_loaded

ROWS = [
    {"text": f"the {word} {index}", "label": label} for index in range(6) for word, label in (("dog", 1), ("soup", 0))
]
TAGGED = [{"text": f"[Ada](person) ran to [London](place) {index}"} for index in range(8)]

pytestmark = pytest.mark.usefixtures("fresh_trainings")


def trained(model: str, rows: list[dict[str, object]], options: Options, patched: pytest.MonkeyPatch) -> tuple:
    """A model of a visitor, and what it was trained from."""
    bases: list[Loaded] = []

    def add(self: VisitorModels, owner: str, loaded: Loaded, base: Loaded | None = None) -> None:
        bases.append(base)
        self.put(owner, loaded.checkpoint.name, loaded)

    patched.setattr(VisitorModels, "add", add)
    run = run_tuning(rows, model, options, "anna", Tuning())
    return visitor_models().get("anna", run.result.name), bases[0]


def logits(loaded: Loaded) -> np.ndarray:
    """Of some texts, [row, label]."""
    classifier = loaded.head(CLASSIFICATION)
    rows = [classifier.encode(text) for text in ("the dog 7", "cold soup")]
    found = {place: row for done, some in classifier.label_logits(rows) for place, row in zip(done, some, strict=True)}
    return np.stack([found[place] for place in range(len(rows))])


@pytest.mark.parametrize(
    ("model", "method"),
    [
        ("bert-mini", "lora"), ("bert-mini", "frozen"), ("gpt2", "frozen"), ("gpt2-mini", "full"),
        ("elmo-mini", "mix"), ("word-vectors-mini", "regression"), ("bag-of-words", "regression"),
    ],
)  # fmt: skip
def test_a_packed_model_answers_as_before(model: str, method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded, base = trained(model, ROWS, Options(epochs=1, method=method), monkeypatch)
    packed = pickle.loads(pickle.dumps(pack(loaded, base)))
    again = unpack(packed)
    assert (again.checkpoint, again.heads, again.bytes) == (loaded.checkpoint, loaded.heads, loaded.bytes)
    np.testing.assert_allclose(logits(again), logits(loaded), atol=1e-5)
    assert again.head(CLASSIFICATION).labels == ["0", "1"]
    assert (packed.shares == base.checkpoint) == (model == "gpt2" and method == "frozen")
    if packed.shares is None:
        return
    assert len(packed.weights) < 10_000 < base.bytes, "the Transformer is not packed"


def test_a_packed_tagger_answers_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded, base = trained("bert-mini", TAGGED, Options(epochs=1), monkeypatch)
    again = unpack(pickle.loads(pickle.dumps(pack(loaded, base))))
    text = "Ada ran to the dog."
    assert tag_with(again.head(TOKEN_CLASSIFICATION), text) == tag_with(loaded.head(TOKEN_CLASSIFICATION), text)


def test_a_model_is_found_at_another_page_process_by_its_visitor_alone() -> None:
    packed = PackedModels()
    here, there = SharedModels(packed, settings()), SharedModels(packed, settings())
    here.add("anna", build_loaded("bert", "mine"))
    for process in (here, there):
        assert process.names("anna") == ["mine"] and process.get("anna", "mine").checkpoint.name == "mine"
        for stranger in ("ben", ""):
            assert process.names(stranger) == [] and process.get(stranger, "mine") is None
    assert there.get("anna", "mine") is there.get("anna", "mine"), "a copy is made once"


def test_what_one_process_changes_holds_at_the_other() -> None:
    packed = PackedModels()
    here, there = SharedModels(packed, settings()), SharedModels(packed, settings())
    here.add("anna", build_loaded("bert", "mine"))
    first = there.get("anna", "mine")
    assert here.rename("anna", "mine", "yours") and not here.rename("anna", "mine", "yours")
    assert there.get("anna", "mine") is None
    assert there.get("anna", "yours").checkpoint.name == "yours" and there.get("anna", "yours").model is first.model
    assert there.drop("anna", "yours") and here.get("anna", "yours") is None
    here.add("anna", build_loaded("bert", "mine"))
    assert there.get("anna", "mine").model is not first.model, "another model of an earlier one's name"
    here.leave("anna")  # its last page here was closed; it may have one elsewhere
    assert there.names("anna") == here.names("anna") == ["mine"]
    here.forget("anna")
    assert there.names("anna") == [] and there.get("anna", "mine") is None
