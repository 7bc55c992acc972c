"""What visitors own outlives page processes, is seen from all of them, and by nobody else."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from app.engine.runtime.visitor_models import visitor_models
from app.engine.visitors.shared import shared
from app.errors import PlaygroundError
from app.lessons.class_answers import NoRoom, Question, Refused, rooms
from app.lessons.own import own_lessons
from app.tasks.classification import classify
from app.tasks.fine_tune.ended import ended
from app.tasks.fine_tune.rows import Options
from app.tasks.fine_tune.runs import runs_of
from app.tasks.fine_tune.tune import Tuning, run_tuning
from app.visits import visits
from tests.conftest import ROOT
from tests.engine.ray.alike import differences

pytestmark = pytest.mark.usefixtures("on_cluster")

ROWS = [
    {"text": f"the {word} {index}", "label": label} for index in range(6) for word, label in (("dog", 1), ("soup", 0))
]
ELSEWHERE = """
import sys
from app.errors import PlaygroundError
from app.tasks.classification import classify
for visitor in ("anna", "ben", ""):
    try:
        print(visitor, classify(["the dog"], sys.argv[1], visitor=visitor).results[0].labels[0].probability)
    except PlaygroundError as error:
        print(visitor, error.code)
"""


def restarted() -> None:
    """As if this were another page process: nothing of a visit lies here."""
    visits().end_all()
    for kept in (visitor_models, shared):
        kept.cache_clear()


def test_a_model_outlives_the_page_process_that_trained_it() -> None:
    run = run_tuning(ROWS, "bert-mini", Options(epochs=1, method="lora"), "anna", Tuning())
    ended().remember(run, "anna")
    name = run.result.name
    before = classify(["the dog", "soup"], name, visitor="anna")
    restarted()
    assert visitor_models().names("anna") == [name] and [one.result.name for one in runs_of("anna")] == [name]
    assert differences(classify(["the dog", "soup"], name, visitor="anna"), before) == []
    assert visitor_models().names("ben") == [] and runs_of("ben") == []
    for stranger in ("ben", ""):
        with pytest.raises(PlaygroundError, match="unknown_model"):
            classify(["the dog"], name, visitor=stranger)
    visitor_models().forget("anna")
    restarted()
    assert visitor_models().names("anna") == []


def test_another_process_finds_it_too(cluster: str, models: Path) -> None:
    name = run_tuning(ROWS, "bert-mini", Options(epochs=1, method="frozen"), "anna", Tuning()).result.name
    expected = classify(["the dog"], name, visitor="anna").results[0].labels[0].probability
    environment = {**os.environ, "PLAYGROUND_RAY_ADDRESS": cluster, "PLAYGROUND_MODELS": str(models)}
    command = [sys.executable, "-c", ELSEWHERE, name]
    printed = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout
    anna, *others = (line.split(" ") for line in printed.splitlines())
    assert float(anna[1]) == pytest.approx(expected, abs=1e-5)
    assert others == [["ben", "unknown_model"], ["", "unknown_model"]]


def test_a_class_is_one_whichever_page_process_its_phones_are_at() -> None:
    asked = Question("the_blank", 1, "en", "Which?", ("Yes", "No"))
    room = rooms().teach({}, asked)
    restarted()
    rooms().answer(room.code, "a", "No", room.number)
    restarted()
    told = {"code": room.code, "key": room.key}
    assert rooms().teach(told, asked).counted() == [("Yes", 0), ("No", 1)]
    known = rooms().asked(room.code)
    assert (known.key, known.answers) == ("", {}), "phones learn neither"
    with pytest.raises(Refused):
        rooms().answer(room.code, "b", "Perhaps", room.number)
    with pytest.raises(NoRoom):
        rooms().teach({**told, "key": "another"}, asked)
    assert rooms().teach({**told, "close": True}, None) is None
    with pytest.raises(NoRoom):
        rooms().asked(room.code)


def test_an_own_lesson_is_its_visits_at_every_page_process() -> None:
    fields = {"text": "The [MASK] ran.", "model": "bert-mini"}
    assert own_lessons().wish("anna", "en", {"add": "fill_mask", "fields": fields}) == []
    restarted()
    assert own_lessons().get("anna")["en"]["steps"][0]["fields"] == fields and own_lessons().get("ben") is None
    with pytest.raises(PlaygroundError, match="cookies"):
        own_lessons().wish("", "en", {"add": "fill_mask", "fields": fields})


def test_where_it_ends_it_begins_again_empty() -> None:
    import ray

    from app.engine.ray.visitors import process

    room = rooms().open(Question("the_blank", 1, "en"))
    os.kill(ray.get(process().__ray_call__.remote(lambda _: os.getpid())), signal.SIGKILL)
    with pytest.raises(NoRoom):
        rooms().asked(room.code)
    assert rooms().open(Question("the_blank", 1, "en")).number == 1
