"""The prompting tab: streams, choices, branches, stops, window, links, endpoints; escaped text; whole characters."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import gradio as gr
import httpx
import pytest
from gradio_client import Client

from app.engine.families.decoding.streams import Streams
from app.registry.lookup import BY_NAME
from app.results.prompting import GeneratedToken, NextToken, PromptSize, Sampling, TokenChoice, Writing, WrittenPiece
from app.tasks.prompting.interleave import together
from app.ui.shell import launch, standalone
from app.ui.texts import texts
from app.views.token_choice import draw_choice
from app.views.writing import draw_size, draw_writing
from demos import prompting as demo
from tests.about import ABOUT
from tests.demos.client import call, clicked, request

LANGUAGES = ("en", "zh-CN")
SETTINGS = ["gpt2", 0.8, 0, 1.0, 1.0, 1]


def token(shown: str, token_id: int, probability: float) -> GeneratedToken:
    return GeneratedToken(shown, token_id, probability, probability, 1)


def writing_of(*pieces: WrittenPiece, stopped: str = "") -> Writing:
    return Writing("m", "<b>Say", Sampling(), list(pieces), stopped, "float32")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_writing_is_drawn_escaped_with_whole_characters(language: str) -> None:
    pieces = [
        WrittenPiece(" <i>", "20 3C 69 3E", 0, [token(" <i>", 5, 0.5)]),
        WrittenPiece("😀", "F0 9F 98 80", 1, [token("⟨F0 9F⟩", 6, 0.25), token("⟨98 80⟩", 7, 0.5)]),
    ]
    drawn = draw_writing(writing_of(*pieces), ABOUT, texts("prompting")[language])
    assert "<i>" not in drawn and "<b>" not in drawn and "&lt;i&gt;" in drawn
    assert "data-index='0'" in drawn and "data-index='1'" in drawn and "data-index='2'" not in drawn
    assert "F0 9F 98 80" in drawn and "12.5%" in drawn and "3.0" in drawn and "class='cursor'" in drawn
    done = draw_writing(writing_of(*pieces, stopped="end"), ABOUT, texts("prompting")[language])
    assert "data-stopped='end'" in done and "class='cursor'" not in done


def test_spaces_have_no_colour_and_little_surprise_has_two_decimals() -> None:
    pieces = [
        WrittenPiece(" dog", "", 0, [token(" dog", 5, 0.95)]),
        WrittenPiece("\n", "", 1, [token("\n", 6, 0.95)]),
        WrittenPiece(" ", "", 2, [token(" ", 7, 0.95)]),
    ]
    drawn = draw_writing(writing_of(*pieces), ABOUT, texts("prompting")["en"])
    assert re.search(r" <span [^>]*--strength[^>]*>dog</span>", drawn) and drawn.count("--strength") == 1
    assert drawn.count("role='button'") == 3 and "0.07 bits" in drawn
    coin = writing_of(WrittenPiece("a", "", 0, [token("a", 5, 0.5)]))
    assert "1.0 bits" in draw_writing(coin, ABOUT, texts("prompting")["en"])


def test_the_room_is_said_before_running() -> None:
    labels = texts("prompting")["en"]
    assert "room for 24 more" in draw_size(PromptSize(1_000, 1_024, False), 20, labels)
    assert "There is room for 24 new tokens" in draw_size(PromptSize(1_000, 1_024, False), 60, labels)
    full = draw_size(PromptSize(1_026, 1_024, False), 20, labels)
    assert "by at least 3 tokens" in full and "room for 0 new" not in full
    assert "ends with a space" in draw_size(PromptSize(3, 1_024, True), 60, labels)


def test_a_choice_shows_both_distributions_and_what_was_cut_off() -> None:
    kept, cut = NextToken(" <a>", "Ġa", 4, 0.6, 1.0), NextToken("\n", "Ċ", 9, 0.4, 0.0)
    choice = TokenChoice("m", "p", 0, "p", Sampling(0.7, 40, 0.9, 1.2), kept, 1, 1, 50_257, [kept, cut])
    drawn = draw_choice(choice, texts("prompting")["en"])
    for part in (
        "60.0%",
        "100.0%",
        "40.0%",
        "cut off",
        "in place 1 of 50,257",
        "Temperature 0.7, top-k 40, top-p 0.9",
    ):
        assert part in drawn
    assert "<a>" not in drawn and "data-token='9'" in drawn and "⏎" in drawn


def test_write_choose_branch_and_stop(tiny: Path) -> None:
    states = list(demo.on_write("The dog", 12, False, request(), *SETTINGS, *SETTINGS))
    left, right, written, _, _ = states[-1]
    assert right == "" and len(written[0].tokens) == 12 and "data-index='11'" in left
    shown, chosen = demo.on_token(written, 0, request(), SimpleNamespace(index=4))
    assert "Why this token?" in shown and chosen[1].written.token_id == written[0].tokens[4].token_id
    other = next(c.token_id for c in chosen[1].candidates if c.token_id != written[0].tokens[4].token_id)
    branched = list(demo.on_branch(6, written, chosen, request(), SimpleNamespace(token_id=other)))[-1][2][0]
    ids = [t.token_id for t in branched.tokens]
    assert ids[:4] == [t.token_id for t in written[0].tokens[:4]] and ids[4] == other and len(ids) == 11
    again, _ = demo.on_stop([branched], request())
    assert "data-stopped='length'" in again
    begun = next(demo.on_write("The dog", 300, False, request(), *SETTINGS, *SETTINGS))[2]
    assert "data-stopped='visitor'" in demo.on_stop(begun, request())[0]


def test_the_chosen_token_was_drawn_with_what_is_shown(tiny: Path) -> None:
    settings = ["gpt2", 0.9, 40, 0.95, 1.3, 7]
    written = list(demo.on_write("The dog", 10, False, request(), *settings, *settings))[-1][2]
    for index in (0, 3, 9):
        _, (_, choice) = demo.on_token(written, 0, request(), SimpleNamespace(index=index))
        drawn = written[0].tokens[index]
        assert choice.written.probability == pytest.approx(drawn.probability, abs=1e-5)
        assert choice.written.adjusted_probability == pytest.approx(drawn.adjusted_probability, abs=1e-5)
        assert choice.rank == drawn.rank and choice.kept <= 40


def test_two_settings_side_by_side(tiny: Path) -> None:
    greedy = ["gpt2", 0, 0, 1.0, 1.0, 1]
    left, right, written, _, _ = list(demo.on_write("The dog", 8, True, request(), *SETTINGS, *greedy))[-1]
    assert "data-model='gpt2'" in left and "data-model='gpt2'" in right and len(written) == 2
    assert [t.rank for t in written[1].tokens] == [1] * len(written[1].tokens)


@pytest.mark.parametrize("event", [{"index": -1}, {"index": 99}, {"index": "x"}, {}])
def test_nonsense_from_a_page_is_refused(tiny: Path, event: dict) -> None:
    written = list(demo.on_write("The dog", 3, False, request(), *SETTINGS, *SETTINGS))[-1][2]
    with pytest.raises(gr.Error, match="bad_value"):
        demo.on_token(written, 0, request(), SimpleNamespace(**event))
    _, chosen = demo.on_token(written, 0, request(), SimpleNamespace(index=1))
    with pytest.raises(gr.Error, match="bad_value"):
        next(demo.on_branch(6, written, chosen, request(), SimpleNamespace(token_id=-5)))


def test_errors_are_sentences_in_the_visitors_language(tiny: Path) -> None:
    with pytest.raises(gr.Error, match=r"什么都没有.*\(empty_text\)"):
        next(demo.on_write("  ", 8, False, request(lang="zh-CN"), *SETTINGS, *SETTINGS))
    with pytest.raises(gr.Error, match=r"from 0 to 10.*\(bad_value\)"):
        next(demo.on_write("a", 8, False, request(), "gpt2", -1, *SETTINGS[2:], *SETTINGS))


def test_closing_stops_all_writers() -> None:
    ended = []

    def writer(name: str):
        try:
            while True:
                yield writing_of()
        finally:
            ended.append(name)

    grown = together([writer("a"), writer("b")], seconds=0)
    next(grown)
    next(grown)
    grown.close()
    assert sorted(ended) == ["a", "b"]


def test_trim_and_room_on_the_page(tiny: Path) -> None:
    drawn, button = demo.on_prompt("The dog ", 60, "gpt2", request())
    assert "ends with a space" in drawn and button.visible
    assert demo.trimmed("The dog \n ") == "The dog \n"
    assert not demo.on_prompt("The dog", 60, "gpt2", request())[1].visible
    assert demo.on_prompt("The dog", 60, "distilgpt2", request())[0] == ""  # not here: not fetched for this


def test_a_link_fills_the_page(tiny: Path) -> None:
    query = {"tab": "prompting", "prompt": "<i>One", "model": "gpt2", "temperature": "0.25", "seed": "9"}
    prompt, model, _, _, temperature, seed, _ = demo.on_open(request(**query))
    assert (prompt, model.value, temperature, seed) == ("<i>One", "gpt2", 0.25, 9)
    assert demo.on_open(request(**query | {"temperature": "x", "model": "nope"}))[4] == 0.8


@pytest.mark.parametrize("language", LANGUAGES)
def test_examples(language: str) -> None:
    labels = texts("prompting")[language]
    assert len(labels["examples"]) >= 6
    for index, example in enumerate(labels["examples"]):
        prompt, model, count, temperature, note = demo.on_example(
            "smollm2-135m", request(lang=language), clicked(index)
        )
        chinese = re.search("[一-鿿]", prompt) and "model" not in example
        assert model == example.get("model", "gpt2-mini-zh" if chinese else "smollm2-135m")
        assert prompt == example["prompt"] and 1 <= count <= 400 and 0 <= temperature <= 2 and "class='note'" in note
        assert not prompt.endswith(" ")


def test_a_page_in_chinese_begins_with_a_model_that_reads_it(tiny: Path) -> None:
    prompt, model, other, *_ = demo.on_open(request(lang="zh-CN"))
    assert (prompt, model.value) == ("我想学", "gpt2-mini-zh") and BY_NAME[other.value].language == "zh"
    _, model, other, *_ = demo.on_open(request(lang="en"))
    assert BY_NAME[model.value].language == BY_NAME[other.value].language == "en"
    prompts = [one["prompt"] for one in texts("prompting")["zh-CN"]["examples"]]
    english = prompts.index("The old man opened the door and")
    prompt, other, *_ = demo.on_example(model.value, request(lang="zh-CN"), clicked(english))
    assert (prompt, other) == ("The old man opened the door and", "gpt2")  # the folder has it


def written(server: str, prompt: str, *given: object) -> dict:
    """`/generate` by raw HTTP, which needs every argument."""
    defaults = ["gpt2", 40, 1.0, 0, 1.0, 1.0, 0]
    return call(server, "generate", prompt, *given, *defaults[len(given) :])


def test_endpoints(server: str) -> None:
    found = call(server, "next_token", "The dog", "gpt2", 3, 1.0, 1.0)
    assert set(found) == {"model", "revision", "candidates"} and len(found["candidates"]) == 3
    assert set(found["candidates"][0]) == {"token", "piece", "token_id", "probability", "adjusted_probability"}
    answer = written(server, "The dog", "gpt2", 5, 0)
    assert {"model", "revision", "completion", "tokens", "stopped"} <= set(answer)
    assert {"token", "token_id", "probability", "rank"} <= set(answer["tokens"][0])
    assert answer["stopped"] in ("length", "end") and answer["precision"] == "float32"
    assert "(bad_value)" in str(written(server, "The dog", "gpt2", 10**6))
    assert "(bad_value)" in str(written(server, "The dog", "gpt2", 5, -1))
    assert "(empty_text)" in str(written(server, ""))
    assert "2000 tokens" in str(written(server, "a" * 2_000))


@pytest.mark.slow
def test_generate_stops_when_its_call_is_cancelled_or_its_client_goes(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Gradio cannot end the thread that writes; the passes over the model stop all the same."""
    passes, advance = [], Streams._advance

    def slow(streams: Streams, running: list) -> None:
        passes.append(1)
        time.sleep(0.02)
        advance(streams, running)

    monkeypatch.setattr(Streams, "_advance", slow)
    page = launch(standalone(demo.TAB))
    arguments = ["The dog", "gpt2", 60, 1.0, 0, 1.0, 1.0, 0]
    try:
        job = Client(page.local_url, verbose=False).submit(*arguments, api_name="/generate")
        wait_for(lambda: len(passes) >= 3)
        job.cancel()
        assert stopped(passes)
        passes.clear()
        place = next(index for index, block in page.fns.items() if block.api_name == "generate")
        sent = {"data": arguments, "fn_index": place, "session_hash": "mine"}
        httpx.post(f"{page.local_url}gradio_api/queue/join", json=sent)
        with httpx.stream("GET", f"{page.local_url}gradio_api/queue/data?session_hash=mine", timeout=30) as answer:
            lines = answer.iter_lines()  # httpx hangs up when nobody holds them
            next(lines)
            wait_for(lambda: len(passes) >= 3)
        assert stopped(passes)
    finally:
        page.close()


def wait_for(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not done():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def stopped(passes: list[int]) -> bool:
    """Whether no more come, well before the text's end."""
    before = -1
    while len(passes) > before:
        before = len(passes)
        time.sleep(0.5)
    return before < 60
