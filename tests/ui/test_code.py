"""The programs shown by the page compute what the page shows, with the values of its fields."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Any

import pytest
from transformers import AutoTokenizer

from app.engine.runtime.visitor_models import visitor_models
from app.engine.storage.converted import made_folder
from app.registry.lookup import BY_NAME
from app.settings import BUNDLED, ROOT
from app.tasks.attention.attend import attention
from app.tasks.attribution.attribute import attribute
from app.tasks.classification.classify import classify
from app.tasks.fill_mask.fill import fill_mask
from app.tasks.fine_tune.page import gather_rows, read_sample
from app.tasks.fine_tune.tune import fine_tune
from app.tasks.prompting.write import generate
from app.tasks.sentence_pair.judge import sentence_pair
from app.tasks.surprise.score import score
from app.tasks.tokenization.tokenize import tokenize
from app.tasks.word_sense.occurrence_vectors import word_sense
from app.tasks.word_vectors import analogy, word_vectors
from app.tasks.zero_shot.predict import zero_shot
from app.ui.ways.code import FOLDER, STANDS_IN, code_of

TEXT = 'The "church" was built in the 12th [MASK].'


def run(slug: str, **values: Any) -> Any:
    """What the program's `answer` is, run in the checkout without the Hub."""
    before = Path.cwd()
    os.chdir(ROOT)
    try:
        made: dict[str, Any] = {}
        exec(compile(code_of(slug, values), slug, "exec"), made)  # our own program
        return made["answer"]
    finally:
        os.chdir(before)


@pytest.mark.parametrize("model", ["bert-mini", "roberta-mini", "albert-mini"])
def test_masked_words(model: str) -> None:
    (shown,) = fill_mask(TEXT, model, 5).masks
    (computed,) = run("fill_mask", text=TEXT, model=[model])
    assert [share for _, share in computed] == pytest.approx([one.probability for one in shown.candidates], abs=1e-4)
    assert [word.strip() for word, _ in computed] == [one.token.strip() for one in shown.candidates]


@pytest.mark.parametrize("model", ["bert-mini", "albert-mini"])
def test_pairs(model: str) -> None:
    first, second = "The dog barked.", "The cat ran up a tree."
    shown = [one.probability for one in sentence_pair(first, second, model).labels]
    assert run("sentence_pair", first=first, second=second, model=[model]) == pytest.approx(shown, abs=1e-4)


def test_written_text() -> None:
    prompt = "The old man went to the"
    shown = generate(prompt, "gpt2-mini", 20, 0.0).completion
    assert run("prompting", prompt=prompt, model="gpt2-mini") == shown


@pytest.mark.parametrize("model", ["gpt2-mini", "bert-mini"])
def test_surprise(model: str) -> None:
    shown = [-one.log_probability / math.log(2) for one in score("The dog barked.", model).tokens]
    computed = [bits for _, bits in run("surprise", first="The dog barked.", model=model)]
    assert computed == pytest.approx(shown, abs=1e-3)


def test_zero_shot() -> None:
    asked = {"text": "A warm film.", "labels": "good\nbad", "template": "{text} It was"}
    shown = zero_shot(asked["text"], ["good", "bad"], asked["template"], "gpt2-mini", "sum").scores
    computed = run("zero_shot", **asked, model=["gpt2-mini"])
    assert computed == pytest.approx({one.label: one.log_probability for one in shown}, abs=1e-3)


def test_zero_shot_in_chinese_has_no_space_before_a_label() -> None:
    asked = {"text": "法国", "labels": "巴黎\n北京", "template": "{text}的首都是"}
    shown = zero_shot(asked["text"], ["巴黎", "北京"], asked["template"], "gpt2-mini-zh", "sum").scores
    computed = run("zero_shot", **asked, model=["gpt2-mini-zh"])
    assert computed == pytest.approx({one.label: one.log_probability for one in shown}, abs=1e-3)


@pytest.mark.parametrize("model", ["bert-mini", "roberta-mini", "gpt2-mini"])
def test_tokens(model: str) -> None:
    shown = tokenize("Unbelievable! Play.", model).tokens
    assert [piece for piece, _ in run("tokenization", text="Unbelievable! Play.", model=[model])] == [
        one.piece for one in shown
    ]


def test_attention() -> None:
    shown = attention("The dog barked.", "", "bert-mini", 0).weights[0]
    computed = run("attention", text="The dog barked.", model="bert-mini").flatten().tolist()
    assert computed == pytest.approx([cell for row in shown for cell in row], abs=1e-4)


def test_word_senses() -> None:
    lines = ["money | The bank lent money.", "A bank of the river."]
    shown = word_sense(lines, "bank", "bert-mini").similarity
    computed = run("word_sense", lines="\n".join(lines), word="bank", model="bert-mini")
    assert computed[0][1] == pytest.approx(shown[0][1], abs=1e-4)


@pytest.mark.parametrize(
    ("model", "asked"),
    [("word-vectors-mini", ("man", "King", "woman")), ("word-vectors-mini-zh", ("法国", "巴黎", "日本"))],
)
def test_word_vectors(model: str, asked: tuple[str, str, str]) -> None:
    first, second, third = asked
    computed = run("word_vectors", word=second, first=first, second=second, third=third, model=model)
    shown = word_vectors(second, model).neighbours
    assert [word for word, _ in computed["neighbours"]] == [near.word for near in shown]
    assert [cosine for _, cosine in computed["neighbours"]] == pytest.approx([near.cosine for near in shown], abs=1e-4)
    fourth = analogy(first, second, third, model).answers
    assert [word for word, _ in computed["analogy"]] == [near.word for near in fourth]


def test_labels() -> None:
    text, folder = "A warm film.", made_folder(BY_NAME["bert-mini-sst2"])
    (shown,) = classify([text], "bert-mini-sst2").results
    computed = run("classification", text=text, model=[str(folder)])
    assert computed == pytest.approx({one.label: one.probability for one in shown.labels}, abs=1e-4)


def test_what_speaks_for_a_label() -> None:
    text, folder = "It is not a bad film.", made_folder(BY_NAME["bert-mini-sst2"])
    shown = attribute(text, "bert-mini-sst2")
    computed = run("attribution", text=text, model=str(folder))
    assert [token for token, _ in computed] == [one.token for one in shown.tokens]
    added = [one.attribution for one in shown.tokens]  # both are sums over points of a path, of so many each
    assert [value for _, value in computed] == pytest.approx(added, abs=0.03 * max(map(abs, added)))


@pytest.mark.slow
def test_training() -> None:
    """Other rows are kept back and the head begins with other weights, so both are asked whether they have learnt."""
    lines, asked = read_sample("opinions"), {"epochs": 6, "seed": 0, "validation_share": 0.25}
    rows = gather_rows(lines)
    shown = fine_tune(rows, "bert-mini", **asked, learning_rate=1e-3, visitor="reader").validation
    computed = run("fine_tune", lines=lines, model="bert-mini", **asked, learning_rate="1e-3", batch_size=16)
    visitor_models().forget("reader")
    assert abs(computed - shown.accuracy) < 0.2 and min(computed, shown.accuracy) > shown.guessing + 0.2


def test_a_published_checkpoint_of_the_same_language_stands_in() -> None:
    program = code_of("tagging", {"model": "bert-mini-zh-names", "text": "李明在北京。"})
    assert f'model = "{BY_NAME["names-roberta-chinese"].repo_id}"' in program


def test_numbers_stay_numbers() -> None:
    program = code_of("fine_tune", {"seed": 7, "validation_share": 0.0, "epochs": 2, "lines": ""})
    assert "\nseed = 7\n" in program and "\nvalidation_share = 0.0\n" in program and "\nepochs = 2\n" in program


def test_what_transformers_does_not_load_is_said() -> None:
    for name in ("minilm-l6", "elmo-mini", "minilm-l6-sst2"):
        program = code_of("fill_mask", {"model": [name], "text": TEXT})
        assert program.startswith(STANDS_IN.format(name=name)) and "google-bert/bert-base-uncased" in program
    assert code_of("fill_mask", {"model": ["owner/name"]}).count('model = "owner/name"') == 1
    assert f'model = "{BY_NAME["gpt2"].repo_id}"' in code_of("prompting", {"model": "gpt2"})


@pytest.mark.parametrize("text", ['"', "\\", "a\nb", "\x00", "'''", "\u2028", "😀", '"; import os; "'])
def test_texts_stay_texts(text: str) -> None:
    made: dict[str, Any] = {}
    exec(code_of("tokenization", {"text": text}).split("\n\n")[1], made)  # the assignments alone
    assert made["text"] == text


def test_programs_run_as_they_are() -> None:
    for path in FOLDER.glob("*.py"):
        compile(path.read_text(encoding="utf-8"), path.name, "exec")


@pytest.mark.parametrize("model", ["bert-mini", "bert-mini-zh", "albert-mini"])
def test_plain_transformers_tells_the_two_texts_of_a_bundle_apart(model: str) -> None:
    encoded = AutoTokenizer.from_pretrained(BUNDLED / model)("a b", "c")
    assert encoded["token_type_ids"][0] == 0 and encoded["token_type_ids"][-1] == 1
