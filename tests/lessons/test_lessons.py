"""Every step of every lesson in both languages holds with the bundled models, and the checker finds faults."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

import demos
from app.lessons.__main__ import main
from app.lessons.check import FIELDS, LANGUAGES, faults
from app.lessons.promises import KINDS, broken_promise, kind_of
from app.lessons.read import FOLDER, lessons, read_file
from app.lessons.shape import Fault
from app.results.lessons import Step, Teacher
from app.ui import texts
from app.ui.links import links_of
from app.ui.shell import discover, playground

FILES = sorted(FOLDER.glob("*.json"))
BLANK = read_file(FOLDER / "the_blank.json")


def sentences(found: Iterable[Fault]) -> list[str]:
    """Faults as they are read."""
    return [fault.sentence(texts.texts("lesson_faults")["en"]) for fault in found]


TRAINS = "then_fine_tune"


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=[pytest.mark.slow] if path.stem == TRAINS else []) for path in FILES],
    ids=lambda path: path.stem,
)
def test_every_step_shows_what_it_promises(path: Path) -> None:
    assert sentences(faults(path)) == []


def test_there_are_eight_in_an_order() -> None:
    orders = [read_file(path)["order"] for path in FILES]
    assert sorted(orders) == [*range(1, 9)] and len(lessons("en")) == 8
    assert [*lessons("en")] == [*lessons("zh-CN")] and next(iter(lessons("en"))) == "words_as_vectors"
    assert set(LANGUAGES) == set(texts.LANGUAGES)


@pytest.mark.slow
def test_fields_are_the_keys_of_the_tabs_links() -> None:
    links = links_of(playground(discover(demos)))
    told = {slug: set(links[slug].fields) if slug in links and links[slug].run else set() for slug in FIELDS}
    assert told == {slug: keys - {"layer"} for slug, keys in FIELDS.items()}
    assert set(links) <= set(FIELDS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_lesson_has_questions_to_choose_an_answer_for(language: str) -> None:
    for lesson in lessons(language).values():
        chosen = [step for step in lesson.steps if step.choices]
        assert chosen and all(step.right in step.choices for step in chosen), lesson.slug


def test_every_kind_of_promise_is_used() -> None:
    used = {kind_of(step.promise) for lesson in lessons("en").values() for step in lesson.steps}
    assert used == set(KINDS)


def _without_order(told: dict) -> None:
    del told["order"]


def _without_chinese(told: dict) -> None:
    del told["zh-CN"]


def _without_a_step(told: dict) -> None:
    told["zh-CN"]["steps"].append(told["zh-CN"]["steps"][0])


def _without_a_reveal(told: dict) -> None:
    del told["en"]["steps"][2]["reveal"]


def _with_a_stranger(told: dict) -> None:
    told["en"]["steps"][2]["teacher"]["colour"] = "red"


def _with_a_tab(told: dict) -> None:
    for language in LANGUAGES:
        told[language]["steps"][0]["tab"] = "cooking"


def _with_a_field(told: dict) -> None:
    told["en"]["steps"][0]["fields"]["prompt"] = "x"


def _with_a_model(told: dict) -> None:
    told["en"]["steps"][0]["fields"]["model"] = "bert-tiny-wrong"


def _with_a_kind(told: dict) -> None:
    told["en"]["steps"][0]["promise"] = {"wins": "century"}


def _too_long(told: dict) -> None:
    for language in LANGUAGES:
        told[language]["steps"][0]["teacher"]["minutes"] = 60


def _broken(told: dict) -> None:
    told["en"]["steps"][0]["promise"] = {"first": "banana"}


def _one_choice(told: dict) -> None:
    told["en"]["steps"][3]["choices"] = {"No": {"not_first": "paris"}}


def _choices_as_a_list(told: dict) -> None:
    told["en"]["steps"][3]["choices"] = ["Yes", "No"]


def _none_right(told: dict) -> None:
    told["en"]["steps"][3]["choices"] = {"Yes": {"first": "paris"}, "No": {}}


def _right_twice(told: dict) -> None:
    told["en"]["steps"][3]["choices"]["Not London"] = {"not_first": "london"}


WRONG = [
    (_without_order, "“order”, a whole number, is missing"),
    (_without_chinese, "not there in zh-CN"),
    (_without_a_step, "lacks a step: en has 5, zh-CN has 6"),
    (_without_a_reveal, "en, step 3: “reveal” is missing"),
    (_with_a_stranger, "en, step 3: “colour” means nothing here"),
    (_with_a_tab, "en, step 1: there is no tab “cooking”"),
    (_with_a_field, "the tab fill_mask has no field prompt"),
    (_with_a_model, "there is no model bert-tiny-wrong"),
    (_with_a_kind, "of no kind that can be checked"),
    (_too_long, "zh-CN: 93 minutes, the short form 68"),
    (_one_choice, "en, step 4: choices are two or more"),
    (_choices_as_a_list, "en, step 4: “choices” is an object"),
    (_none_right, "en, step 4: exactly one of the choices"),
    (_right_twice, "en, step 4: the choice “Not London” is right as well"),
    (_broken, "en, step 1: promised is {'first': 'banana'}, but bert-mini says 'century' first"),
]


@pytest.mark.parametrize(("spoil", "said"), WRONG, ids=lambda one: getattr(one, "__name__", ""))
def test_the_checker_names_what_is_wrong(tmp_path: Path, spoil: Callable[[dict], None], said: str) -> None:
    told = json.loads(json.dumps(BLANK))
    spoil(told)
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(told), encoding="utf-8")
    found = sentences(faults(path, promises=spoil in (_broken, _right_twice)))
    assert any(said in sentence for sentence in found), found


def test_the_program_prints_it_and_ends_with_one(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    path = tmp_path / "mine.json"
    path.write_text("{", encoding="utf-8")
    assert main(["check", str(path), "--no-models"]) == 1
    assert "mine.json" in (told := capsys.readouterr().out) and "This is no JSON" in told
    assert main(["check", "--no-models"]) == 0
    assert capsys.readouterr().out.count("nothing wrong") == 8


def step(tab: str, promise: dict[str, Any], **fields: str) -> Step:
    """A step with nothing to read in it."""
    return Step(tab, fields, "", "", Teacher(1, "", ""), promise)


LINES = "a | The play ended.\na | A play.\nb | Children play.\nb | Play!"
PLAY = {"lines": LINES, "word": "play", "model": "elmo-mini"}
PAIR = {"first": "He drank a cup of tea.", "second": "He drank a cup of stones."}
MASKING = "The dog barked at the cat, and the cat ran away from the dog to the top of the old tree."
FALSE = [
    step("fill_mask", {"not_first": "york"}, text="He was born in New [MASK] City.", model="bert-mini"),
    step("fill_mask", {"among": 2, "word": "banana"}, text="He was born in New [MASK] City.", model="bert-mini"),
    step("fill_mask", {"joint": ["old", "york"]}, text="He was born in [MASK] [MASK] City.", model="bert-mini"),
    step("prompting", {"first": "banana"}, prompt="The prime", model="gpt2-mini"),
    step("sentence_pair", {"label": "not_next"}, first="I see.", second="I see it.", model="bert-mini"),
    step("sentence_pair", {"unsure": 0.5}, first="I see.", second="I see it.", model="bert-mini"),
    step("fill_mask", {"lacks": "bert-mini"}, text="A [MASK].", model="bert-mini"),
    step("word_sense", {"senses": "one_point", "layer": 2}, **PLAY),
    step("word_sense", {"senses": "apart", "layer": 0}, **PLAY),
    step("word_sense", {"neighbours": 0.9}, **PLAY),
    step("word_sense", {"near": ["banana"]}, lines="Monday.", word="Monday", model="word-vectors-mini"),
    step("tokenization", {"pieces": ["unhappiness"]}, text="unhappiness", model="roberta-mini"),
    step("tokenization", {"masked": 0.5}),
    step("models", {"fewer": ["bert-mini", "albert-mini"]}),
    step("models", {"weights": ["base", True, True, 1]}),
    step("models", {"passes": "bert-mini"}),
    step("attention", {"looks_ahead": True}, text="The cat sat.", model="gpt2-mini"),
    step("surprise", {"stranger": "first"}, **PAIR, model="gpt2-mini"),
]  # fmt: skip


@pytest.mark.parametrize("one", FALSE, ids=lambda one: f"{one.tab}-{kind_of(one.promise)}")
def test_a_promise_that_does_not_hold_is_told(one: Step) -> None:
    assert broken_promise(one, {"masking": MASKING})
