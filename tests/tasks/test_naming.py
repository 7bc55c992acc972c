"""Names of a visitor's models: valid ones, the name after renaming, what a deleted model leaves behind."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from app.engine.runtime.visitor_models import visitor_models
from app.errors import PlaygroundError
from app.tasks.attribution.attribute import attribute
from app.tasks.classification.classify import classify
from app.tasks.classification.page import own_models
from app.tasks.fine_tune import runs as visit_runs
from app.tasks.fine_tune.naming import LONGEST_NAME, check_name, delete, kind_of, rename
from app.tasks.fine_tune.rows import Options
from app.tasks.fine_tune.take_home import take_home
from app.tasks.fine_tune.tune import fine_tune
from app.visits import visits
from tests.tasks.test_fine_tune import ROWS

pytestmark = pytest.mark.usefixtures("fresh_trainings")


@pytest.fixture(autouse=True)
def visitors_leave():
    yield
    for visitor in ("anna", "ben"):
        visits().end(visitor)


def train(visitor: str = "anna") -> str:
    """A model of the visitor's, and a run in the table."""
    rows = [{**row, "label": str(row["label"])} for row in ROWS]
    *_, run = visit_runs.start_tuning(rows, "bag-of-words", Options(method="regression"), visitor)
    return run.result.name


def names_of_runs(visitor: str = "anna") -> list[str]:
    return [run.result.name for run in visit_runs.runs_of(visitor)]


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("mood", "mood"),
        ("  my   first\tmodel ", "my first model"),
        ("心情 1", "心情 1"),
        ("v2.1_b-c", "v2.1_b-c"),
        (unicodedata.normalize("NFD", "gefühl"), "gefühl"),
        ("हिन्दी", "हिन्दी"),
        ("a" * LONGEST_NAME, "a" * LONGEST_NAME),
    ],
)
def test_what_may_be_a_name(given: str, name: str) -> None:
    assert check_name(given) == name


@pytest.mark.parametrize(
    "given",
    ["", "  ", None, 7, "a" * (LONGEST_NAME + 1), "..", ".hidden", "-x", "a/b", "a\\b", "a.", "<b>x</b>", "a,b", "x\0",
     "=1+1", "a\u202eb", "🙂", "a:b"],
)  # fmt: skip
def test_what_may_not(given: object) -> None:
    with pytest.raises(PlaygroundError) as caught:
        check_name(given)
    assert caught.value.key == "bad_value.model_name"


def test_a_new_name_is_the_name_everywhere() -> None:
    old, other = train(), train()
    before = classify(["the dog"], old, visitor="anna").results
    assert rename(old, " mood  1 ", "anna") == "mood 1" and names_of_runs() == ["mood 1", other]
    assert {*own_models("anna")} == {"mood 1", other}
    answer = classify(["the dog"], "mood 1", visitor="anna")
    assert (answer.model, answer.results) == ("mood 1", before)
    with pytest.raises(PlaygroundError, match="unknown_model"):
        classify(["the dog"], old, visitor="anna")
    assert rename("mood 1", "mood 1", "anna") == "mood 1"


def test_an_answer_kept_under_the_old_name_is_not_given_under_the_new_one() -> None:
    old = fine_tune(ROWS, "bert-mini", 1, visitor="anna").name
    assert attribute("the dog", old, visitor="anna").model == old
    rename(old, "mood", "anna")
    assert attribute("the dog", "mood", visitor="anna").model == "mood"


@pytest.mark.parametrize("taken", ["bert-mini", "bag-of-words", "mine"])
def test_a_name_that_is_taken_is_refused(taken: str) -> None:
    rename(train(), "mine", "anna")
    second = train()
    with pytest.raises(PlaygroundError) as caught:
        rename(second, taken, "anna")
    assert caught.value.key == "bad_value.name_taken" and names_of_runs() == ["mine", second]


def test_the_name_of_a_run_whose_model_made_room_is_taken(set_setting) -> None:
    set_setting(tuned_models="1")
    visitor_models.cache_clear()
    rename(train(), "first", "anna")
    second = train()
    assert [*own_models("anna")] == [second] and names_of_runs() == ["first", second]
    with pytest.raises(PlaygroundError, match="name_taken"):
        rename(second, "first", "anna")


def test_two_visitors_may_choose_the_same_name_and_touch_only_their_own() -> None:
    mine, theirs = train(), train("ben")
    for act in (lambda: rename(theirs, "x", "anna"), lambda: delete(theirs, "anna"), lambda: rename("no", "x", "anna")):
        with pytest.raises(PlaygroundError, match="unknown_model"):
            act()
    assert rename(mine, "mood", "anna") == rename(theirs, "mood", "ben") == "mood"
    delete("mood", "anna")
    assert [*own_models("ben")] == ["mood"] and names_of_runs("ben") == ["mood"]


def test_a_deleted_model_leaves_nothing() -> None:
    rows = [{**row, "label": str(row["label"])} for row in ROWS]
    *_, run = visit_runs.start_tuning(rows, "bert-mini", Options(epochs=1), "anna")
    zipped = Path(take_home(run.result.name, "anna", ""))
    assert zipped.exists()
    delete(run.result.name, "anna")
    assert not zipped.exists() and own_models("anna", head="") == {} and names_of_runs() == []
    with pytest.raises(PlaygroundError, match="unknown_model"):
        classify(["the dog"], run.result.name, visitor="anna")
    for nobody in (None, ""):
        with pytest.raises(PlaygroundError, match="no_training"):
            delete(nobody, "anna")


def test_a_zip_has_the_new_name_and_the_old_one_is_gone() -> None:
    name = fine_tune(ROWS, "bert-mini", 1, visitor="anna").name
    old = Path(take_home(name, "anna", ""))
    rename(name, "labels.csv", "anna")
    assert not old.exists() and Path(take_home("labels.csv", "anna", "")).name == "labels.csv.zip"


def test_what_a_model_was_trained_on() -> None:
    tags = [{"text": f"[Lima](place) is {word}"} for word in ("art", "soup", "dog", "bank")]
    pairs = [{**row, "text_pair": "the cat"} for row in ROWS]
    tagger, judge = (fine_tune(rows, "bert-mini", 1, visitor="anna").name for rows in (tags, pairs))
    assert kind_of(train(), "anna") == "text" and kind_of(tagger, "anna") == "tags"
    assert kind_of(judge, "anna") == "text", "asked by a program, it has no run in the table"
    assert kind_of("", "anna") == kind_of(None, "anna") == kind_of(tagger, "ben") == ""
