"""The tab of answers from a passage: spans against a plain computation, windows, the verdict, links, the endpoint."""

from __future__ import annotations

import sys
from dataclasses import replace
from math import log
from pathlib import Path

import gradio as gr
import pytest
import torch

from app.engine.runtime.loader import loader
from app.engine.text.text_tokenizer import TextTokenizer
from app.errors import PlaygroundError
from app.registry.lookup import BY_NAME
from app.results.answering import AnswerResult, PassageAnswer
from app.tasks.answering.answer import answer
from app.ui.texts import about, examples, texts
from app.views.answering import draw_answer, margin
from demos import answering as demo
from tests.checkpoints import ANSWERER, TAGGER
from tests.conftest import SetSetting
from tests.demos.client import call, request

QUESTION = "What <b>barked?"
PASSAGE = "The dog barked at the cat, and the cat ran away from the dog. It's hot in Lima! " * 6


def plain_answers(question: str, passage: str, limit: int, stride: int) -> tuple[dict[tuple[int, int], float], float]:
    """Every span of at most 15 tokens with its probability, and "no answer", window by window as the pipeline does."""
    loaded = loader().get(BY_NAME[ANSWERER])
    given = loaded.tokenizer(TextTokenizer).tokenizer(
        question, passage, truncation="only_second", max_length=limit, stride=stride, return_overflowing_tokens=True,
        return_offsets_mapping=True,
    )  # fmt: skip
    found: dict[tuple[int, int], float] = {}
    none = []
    for number, ids in enumerate(given["input_ids"]):
        types = torch.tensor([given["token_type_ids"][number]])
        with torch.inference_mode():
            made = loaded.model(input_ids=torch.tensor([ids]), token_type_ids=types)
        sides = given.sequence_ids(number)
        possible = torch.tensor([place == 0 or side == 1 for place, side in enumerate(sides)])
        begins, ends = (
            one[0].double().masked_fill(~possible, -torch.inf).softmax(-1).tolist()
            for one in (made.start_logits, made.end_logits)
        )
        none.append(begins[0] * ends[0])
        inside = [place for place, side in enumerate(sides) if side == 1]
        for first in inside:
            for last in (place for place in inside if first <= place < first + 15):
                words = (given.token_to_word(number, place) for place in (first, last))
                begin, end = (given.word_to_chars(number, word, sequence_index=1) for word in words)
                span = begin.start, end.end
                found[span] = max(found.get(span, 0.0), begins[first] * ends[last])
    return found, min(none)


@pytest.mark.parametrize(("limit", "shared"), [(384, 128), (52, 12)])
def test_answers_are_those_of_a_plain_computation(
    tiny: Path, monkeypatch: pytest.MonkeyPatch, limit: int, shared: int
) -> None:
    task = sys.modules[answer.__module__]  # its package has the function under the same name
    monkeypatch.setattr(task, "WINDOW_TOKENS", limit)
    monkeypatch.setattr(task, "SHARED_TOKENS", shared)
    made, (found, none) = answer(QUESTION, PASSAGE, ANSWERER), plain_answers(QUESTION, PASSAGE, limit, shared)
    assert made.no_answer == pytest.approx(none, abs=1e-5) and (made.windows > 3) == (limit == 52)
    wanted = sorted(found.values(), reverse=True)[:5]
    assert [one.probability for one in made.answers] == pytest.approx(wanted, abs=1e-5)
    for one in made.answers:
        assert PASSAGE[one.start : one.end] == one.text
        assert one.probability == pytest.approx(found[one.start, one.end], abs=1e-5)
    assert len({(one.start, one.end) for one in made.answers}) == 5
    assert made.tokens[0].start == 0 and made.tokens[-1].end == len(PASSAGE.rstrip())


def test_a_passage_longer_than_the_model_is_read_whole(tiny: Path) -> None:
    made = answer("What barked?", PASSAGE * 4, ANSWERER)
    assert made.windows > 1 and made.tokens[-1].end == len(PASSAGE * 4) - 1
    assert "overlapping parts" in demo.on_run("What barked?", PASSAGE * 4, ANSWERER, 0.0, request())


def test_what_is_drawn_is_escaped(tiny: Path) -> None:
    drawn = demo.on_run(QUESTION, f"<script>{PASSAGE}", ANSWERER, 0.0, request())
    assert "<script>" not in drawn and "&lt;" in drawn and drawn.count("data-side=") == 2
    assert drawn.count("<li>") == 6 and "(no answer)" in drawn
    for given in (("", PASSAGE), ("Who?", " ")):
        with pytest.raises(gr.Error, match="empty_text"):
            demo.on_run(*given, ANSWERER, 0.0, request())


def test_no_answer_is_said_from_the_threshold_on() -> None:
    made = AnswerResult(ANSWERER, "", [PassageAnswer("dog", 4, 7, 0.2)], 0.4, [], 1)
    assert margin(made) == pytest.approx(log(2))
    labels = texts("answering")["en"]

    def said(result: AnswerResult, threshold: float) -> str:
        return draw_answer(result, about("en", ANSWERER), labels, "The dog.", threshold).split("headline'>")[1]

    assert said(made, 0.0).startswith("The passage does not say") and "best answer by 0.7" in said(made, 0.0)
    assert said(made, 1.0).startswith("dog<") and "ahead of it by 0.7" in said(made, 1.0)
    assert said(replace(made, no_answer=0.1), 0.0).startswith("dog<")
    assert "behind it by 0.7" in said(replace(made, no_answer=0.1), 0.0)
    assert said(replace(made, no_answer=0.0), -10.0).startswith("dog<")


def test_links(tiny: Path) -> None:
    question, passage, model, _ = demo.on_open(request(tab="answering", question="Who?", passage="Me.", model=ANSWERER))
    assert (question, passage, model.value) == ("Who?", "Me.", ANSWERER)


def test_a_chinese_page_begins_with_a_chinese_example_and_a_model_that_reads_it(tiny: Path) -> None:
    question, passage, model, _ = demo.on_open(request(lang="zh-CN"))
    assert {"question": question, "passage": passage} == examples("zh-CN", "answering")[0] and "谁" in question
    assert model.value == "bert-mini-zh-answers"
    assert demo.on_open(request(lang="zh-CN", question="Who?", passage="Me."))[2].value == ANSWERER
    assert demo.on_open(request(question="谁？", passage="小明在北京。"))[2].value == "bert-mini-zh-answers"


def test_unplugged_the_english_tab_says_what_it_needs(set_setting: SetSetting, tmp_path: Path) -> None:
    set_setting(models=str(tmp_path), offline="1", packs="0")
    loader.cache_clear()
    question, passage, model, _ = demo.on_open(request(lang="en"))
    assert question == examples("en", "answering")[0]["question"]
    with pytest.raises(gr.Error, match="minilm-l6-answers.*requirements-packs.*model_unavailable"):
        demo.on_run(question, passage, model.value, 0.0, request(lang="en"))


def test_unplugged_the_chinese_tab_answers(set_setting: SetSetting, tmp_path: Path) -> None:
    set_setting(models=str(tmp_path), offline="1", packs="0")
    loader.cache_clear()
    question, passage, model, _ = demo.on_open(request(lang="zh-CN"))
    assert "陈大海" in demo.on_run(question, passage, model.value, 0.0, request(lang="zh-CN"))


def test_only_a_span_head_answers(tiny: Path) -> None:
    with pytest.raises(PlaygroundError, match="wrong_model"):
        answer("Who?", "Me.", TAGGER)


def test_endpoint(server: str) -> None:
    made = call(server, "answer", "What barked?", "The dog barked.", ANSWERER)
    assert {"model", "revision", "answers", "no_answer", "tokens", "windows", "unknown"} == set(made)
    assert set(made["answers"][0]) == {"text", "start", "end", "probability"} and 0 < made["no_answer"] < 1
    assert call(server, "answer", "What barked?", "The dog barked.", "")["model"] == ANSWERER
    assert "empty_text" in str(call(server, "answer", "", "The dog barked.", ANSWERER))
