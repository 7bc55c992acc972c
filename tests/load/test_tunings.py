"""The short form of the trainings in a row: models that made room are gone, and no training leaves anything behind."""

from __future__ import annotations

import gc

import pytest

from app.visits import visits
from tests.conftest import SetSetting
from tests.load.tunings import MIXED, VISITOR, collect, left_over, train_in_a_row

# One of each kind, and of each way of learning.
WANTED = {
    *(("bert-mini", kind) for kind in ("text", "pair", "tags")),
    *((start, "text") for start in ("gpt2-mini", "elmo-mini", "word-vectors-mini", "bag-of-words")),
}


def alive() -> int:
    """Modules in memory."""
    from torch import nn

    collect()
    return sum(issubclass(type(one), nn.Module) for one in gc.get_objects())


@pytest.fixture(autouse=True)
def the_visitor_leaves(fresh_trainings: None):
    yield
    visits().end(VISITOR)


def test_models_of_mixed_kinds_make_room_for_each_other_and_go(set_setting: SetSetting) -> None:
    set_setting(tuned_models="2", tuned_parameters="1000000000")
    mixed = [one for one in MIXED if one in WANTED]
    counts = []
    for _ in range(2):  # the first round loads what is trained on
        trained = list(train_in_a_row(len(mixed), mixed))
        assert len({one.name for one in trained}) == len(mixed) == len(WANTED)
        assert left_over(trained) == [] and sum(one.model() is not None for one in trained) == 2
        visits().end(VISITOR)
        assert left_over(trained) == [], "nor is there any when the visit has ended"
        counts.append(alive())
    assert counts[0] == counts[1]


def test_a_model_that_somebody_holds_is_found() -> None:
    from app.engine.runtime.visitor_models import visitor_models

    (one,) = train_in_a_row(1)
    held = visitor_models().get(VISITOR, one.name).model
    assert left_over([one]) == []
    visitor_models().forget(VISITOR)
    assert left_over([one]) == [one.name] and held is not None
    del held
    assert left_over([one]) == []
