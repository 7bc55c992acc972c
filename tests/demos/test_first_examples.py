"""A newcomer's first clicks: the first four examples of each tab get an answer that a reader accepts.

The answers come from the bundled models and packs that the page begins with. Only what a reader would check is tested:
a word among the first answers, a label, which of two texts is likelier.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import gradio as gr
import pytest

from app.registry.lookup import for_task, readers
from app.tasks.answering.answer import answer
from app.tasks.attention.heads import open_attention
from app.tasks.attribution.attribute import explain
from app.tasks.classification.classify import classify
from app.tasks.fill_mask import fill_mask
from app.tasks.prompting.write import generate
from app.tasks.sentence_pair import sentence_pair
from app.tasks.surprise.score import score
from app.tasks.tagging.tag import tag
from app.tasks.word_sense.page import open_panel
from app.tasks.zero_shot.bench import ask_all_methods
from app.ui.texts import examples, texts
from demos import answering as answering_demo
from demos import attention as attention_demo
from demos import attribution as attribution_demo
from demos import classification as classification_demo
from demos import prompting as prompting_demo
from demos import sentence_pair as pair_demo
from demos import surprise as surprise_demo
from demos import tagging as tagging_demo
from demos import word_sense as sense_demo
from tests.demos.client import clicked

FIRST = range(4)
# Whoever comes first on a machine: with the packages, or with what is bundled alone.
HIDDEN = [
    *[("en", model, [{"village"}, {"century"}, {"minister"}, {"children", "sons", "daughters"}])
      for model in ("minilm-l6", "roberta-mini", "bert-mini")],
    ("zh-CN", "bert-mini-zh", [{"大"}, {"影"}, {"后", "时"}, {"学"}]),
]  # fmt: skip
GOOD, BAD = {"en": "positive", "zh-CN": "好评"}, {"en": "negative", "zh-CN": "差评"}
CLASSES = {
    "en": ["+", "-", "-", "+-+-+-"],
    "zh-CN": ["+", "-", "-", "+-+-"],
}
EXPLAINED = {"en": "----", "zh-CN": "+--+"}
WRITTEN = {"en": {2: "Paris", 3: "Shakespeare"}, "zh-CN": {0: "吉他", 1: "太极", 2: "公园", 3: "饭"}}
# p a person, l a place, o an organisation.
KINDS = {"person": "p", "place": "l", "organisation": "o", "人名": "p", "地名": "l", "机构名": "o"}
NAMED = {
    "en": [
        "p Marie Curie, l Warsaw, l Paris",
        "p Peter Brown, l Leeds, l London",
        "p Washington, l Washington, l Boston",
        "o Apple, l Berlin",
    ],
    "zh-CN": ["p 李明, l 北京, l 上海", "p 鲁迅, l 绍兴, o 厦门大学", "p 王小红, l 杭州", ""],
}
ANSWERED = {
    "en": ["Olaf Berg", "up to ninety metres", "", "for an hour", ""],
    "zh-CN": ["陈大海", "九十米", "1912年", "一小时", "", "Olaf Berg"],
}
ANSWERING = {"en": "minilm-l6-answers", "zh-CN": "bert-mini-zh-answers"}
LIKELIEST = {"en": ["good", "sports", "tool", "Paris"], "zh-CN": ["巴黎", "语言", "体育", "中国"]}
EACH = pytest.mark.parametrize(("language", "index"), [(language, at) for language in GOOD for at in FIRST])

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("packs_once")]


@pytest.fixture(scope="module")
def packs_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The packages, unpacked once."""
    from tests.conftest import use_packs

    yield from use_packs(tmp_path_factory.mktemp("unpacked"))


def visit(language: str) -> gr.Request:
    """A visitor's request in this language."""
    return gr.Request(query_params={"lang": language}, headers={})


def best(task: str) -> str:
    """The model that answers first where none is chosen."""
    return for_task(task)[0].name


@pytest.mark.parametrize("index", FIRST)
@pytest.mark.parametrize(("language", "model", "expected"), HIDDEN)
def test_a_hidden_word_is_among_the_first_three(
    language: str, model: str, expected: list[set[str]], index: int
) -> None:
    (mask,) = fill_mask(examples(language, "fill_mask")[index]["text"], model, 3).masks
    assert {one.token.strip().lower() for one in mask.candidates} & expected[index], mask.candidates


@EACH
def test_pairs_are_judged_as_a_reader_would(language: str, index: int) -> None:
    one = examples(language, "sentence_pair")[index]
    opening = pair_demo.on_open(visit(language))[2]
    first, second, models = pair_demo.on_example(opening.value, visit(language), clicked(index))
    for model in models:
        result = sentence_pair(first, second, model)
        if result.objective in one:
            assert max(result.labels, key=lambda label: label.probability).label == one[result.objective], model


@EACH
def test_sentences_get_the_label_of_a_reader(language: str, index: int) -> None:
    text, (model,) = classification_demo.on_example([best("classify")], visit(language), clicked(index))
    found = [one.labels[0].label for one in classify(text.splitlines(), model).results]
    assert found == [{"+": GOOD, "-": BAD}[sign][language] for sign in CLASSES[language][index]]


@EACH
def test_names_are_marked_as_a_reader_would(language: str, index: int) -> None:
    text, model = tagging_demo.on_example(best("tag"), visit(language), clicked(index))
    assert ", ".join(f"{KINDS[one.label]} {one.text}" for one in tag(text, model).entities) == NAMED[language][index]


@pytest.mark.parametrize(
    ("language", "index", "expected"),
    [(language, index, text) for language, some in ANSWERED.items() for index, text in enumerate(some)],
)
def test_questions_are_answered_as_a_reader_would(language: str, index: int, expected: str) -> None:
    question, passage, model = answering_demo.on_example(best("answer"), visit(language), clicked(index))
    found = answer(question, passage, model)
    likeliest = found.answers[0]
    assert model == ANSWERING["en" if passage.isascii() else language]
    assert (likeliest.text if likeliest.probability > found.no_answer else "") == expected


@EACH
def test_the_label_that_is_explained_is_right(language: str, index: int) -> None:
    text, model = attribution_demo.on_example(best("attribute"), visit(language), clicked(index))
    expected = {"+": GOOD, "-": BAD}[EXPLAINED[language][index]][language]
    assert explain(text, model).attributed.label == expected


@pytest.mark.slow
@EACH
def test_a_prompt_is_gone_on_with(language: str, index: int) -> None:
    prompt, model, length, temperature, _ = prompting_demo.on_example(best("generate"), visit(language), clicked(index))
    written = generate(prompt, model, length, temperature, seed=1).completion
    if index in WRITTEN[language]:
        assert WRITTEN[language][index] in written
    else:  # a tale or an advice may be any; it is no stammer
        words = written.lower().split()
        assert len(words) >= 15 and len({*words}) >= len(words) / 2, written


@EACH
def test_the_likelier_text_stands_first(language: str, index: int) -> None:
    first, second, model = surprise_demo.on_example(best("next_token"), visit(language), clicked(index))
    assert score(first, model).log_probability > score(second, model).log_probability


@EACH
def test_most_methods_choose_the_right_label_without_training(language: str, index: int) -> None:
    task = texts("zero_shot")[language]["templates"][index]
    (model,) = readers([best("zero_shot")], task["text"], "zero_shot")
    answers = ask_all_methods(task["text"], task["labels"], task["template"], model)
    chosen = [max(answer.scores, key=lambda one: one.probability).label for answer in answers]
    assert chosen.count(LIKELIEST[language][index]) > len(chosen) / 2, chosen


@EACH
def test_a_layer_parts_the_senses(language: str, index: int) -> None:
    """In the layer that does it best, more uses have their nearest neighbour in their own sense than by guessing."""
    lines, word, model, _ = sense_demo.on_example(best("word_sense"), "", visit(language), clicked(index))
    parted = [layer.senses for layer in open_panel(lines, word, model, False).layers if layer.senses]
    clearest = max(parted, key=lambda senses: senses.margin)
    assert clearest.one_nn_accuracy > clearest.most_frequent_accuracy + 0.2
    assert clearest.margin > 0.04


@EACH
def test_attention_opens_on_a_head_that_does_something(language: str, index: int) -> None:
    text, second, model = attention_demo.on_example(best("attention"), visit(language), clicked(index))
    opened = open_attention(text, second, model)
    assert opened.share > (0.5 if opened.role == "pronoun" else 0.7)
