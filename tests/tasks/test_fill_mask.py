"""The fill-mask task: equal to transformers' pipeline, exact for words of several pieces, and ready for any text."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import torch

from app.engine.runtime.loader import load_head
from app.errors import PlaygroundError
from app.registry.checkpoint import MASKED_LM
from app.registry.lookup import find
from app.results.text import as_json
from app.tasks.fill_mask.fill import fill_mask
from app.tasks.fill_mask.joint import Beam, _answer
from app.tasks.fill_mask.question import Question

ENCODERS = ["bert-base-uncased", "roberta-base", "albert-base-v2"]
TEXTS = [
    "The [MASK] barked at the cat.",
    "[MASK] is the capital of Peru.",
    "I ate [MASK]",
    "Sie fährt nach [MASK], 北京!",
]


def code_of(*arguments: object) -> str:
    """The code of the error that the arguments cause."""
    with pytest.raises(PlaygroundError) as caught:
        fill_mask(*arguments)
    return caught.value.code


@pytest.mark.slow
@pytest.mark.parametrize("name", ENCODERS)
@pytest.mark.parametrize("text", TEXTS)
def test_equals_the_pipeline_of_transformers(published: Path, name: str, text: str) -> None:
    from transformers import pipeline

    peer = pipeline("fill-mask", model=str(published / name), top_k=20)
    expected = peer(text.replace("[MASK]", peer.tokenizer.mask_token))
    answered = fill_mask(text, name, 20).masks[0].candidates
    assert [candidate.token_id for candidate in answered] == [entry["token"] for entry in expected]
    for candidate, entry in zip(answered, expected, strict=True):
        assert candidate.probability == pytest.approx(entry["score"], abs=1e-5)


@pytest.mark.parametrize("name", ENCODERS)
def test_two_masks_each_on_its_own_equal_the_pipeline(tiny: Path, name: str) -> None:
    from transformers import pipeline

    peer = pipeline("fill-mask", model=str(tiny / name), top_k=5)
    expected = peer("I [MASK] you because you are [MASK].".replace("[MASK]", peer.tokenizer.mask_token))
    answered = fill_mask("I [MASK] you because you are ___.", name, 5)
    for mask, entries in zip(answered.masks, expected, strict=True):
        assert [c.token_id for c in mask.candidates] == [entry["token"] for entry in entries]
        assert [c.probability for c in mask.candidates] == pytest.approx([e["score"] for e in entries], abs=1e-5)


@pytest.mark.parametrize("name", ENCODERS)
@pytest.mark.parametrize(
    "blank", ["[MASK]", "<mask>", "___", "_______", "[mask]", "<MASK>", "【MASK】", "［mask］", "＜mask＞", "＿＿＿"]
)
def test_every_spelling_of_a_blank_means_the_same_to_every_model(tiny: Path, name: str, blank: str) -> None:
    assert fill_mask(f"The soup is {blank}.", name).masks == fill_mask("The soup is [MASK].", name).masks


def test_two_underscores_are_no_blank(tiny: Path) -> None:
    assert code_of("The soup is __.", "bert-mini") == "no_mask"


@pytest.mark.parametrize("name", ENCODERS)
def test_a_word_of_several_pieces_is_scored_exactly(tiny: Path, name: str) -> None:
    model = load_head(find(name, "fill_mask"), MASKED_LM)
    target = fill_mask("I ate [MASK] and ran.", name, 5, ["doorbarked"]).targets[0]
    assert len(target.pieces) > 1
    ids = [model.text.tokenizer.convert_tokens_to_ids(piece) for piece in target.pieces]
    encoded = model.text.encode("I ate [MASK] and ran.")
    at, expected = encoded.mask_indices[0], 0.0
    for known in range(len(ids)):
        written = ids[:known] + [model.text.mask_id] * (len(ids) - known)
        input_ids = torch.tensor([encoded.input_ids[:at] + written + encoded.input_ids[at + 1 :]])
        with torch.inference_mode():
            output = model.loaded.model(input_ids=input_ids)
        logits = getattr(output, "prediction_logits", None)
        logits = output.logits if logits is None else logits
        expected += logits[0, at + known].log_softmax(-1)[ids[known]].item()
    assert target.log_probability == pytest.approx(expected, abs=1e-4)
    assert target.probability == pytest.approx(math.exp(expected), rel=1e-3)
    assert target.rank is None


@pytest.mark.parametrize("name", ENCODERS)
def test_a_word_of_one_piece_has_its_rank_among_the_candidates(tiny: Path, name: str) -> None:
    candidates = fill_mask("The [MASK] ran away.", name, 50).masks[0].candidates
    begins = {"roberta-base": "Ġ", "albert-base-v2": "▁"}.get(name, "")  # a word's first piece
    pieces = [one.piece for one in candidates if one.piece.startswith(begins)]
    words = [word for piece in pieces if (word := piece.removeprefix(begins)).isascii() and word.isalpha()][:3]
    assert words
    for target in fill_mask("The [MASK] ran away.", name, 1, words).targets:
        assert target.rank is not None
        assert candidates[target.rank - 1].probability == pytest.approx(target.probability)
        assert target.probability == pytest.approx(math.exp(target.log_probability))


def test_ranks_count_from_one(tiny: Path) -> None:
    best = fill_mask("The [MASK] ran away.", "bert-mini", 1).masks[0].candidates[0]
    assert fill_mask("The [MASK] ran away.", "bert-mini", 1, [best.token]).targets[0].rank == 1


def test_candidates_that_are_one_to_the_model_are_reported(published: Path) -> None:
    pizza, capital, burger = fill_mask(
        "I ate [MASK].", "bert-base-uncased", 5, ["pizza", "Pizza", "quokkaburger"]
    ).targets
    assert pizza.pieces == capital.pieces == ["pizza"]
    assert (pizza.same_as, capital.same_as, burger.same_as) == (None, "pizza", None)
    assert burger.pieces[0] != "quokkaburger" and all(piece.startswith("##") for piece in burger.pieces[1:])


@pytest.mark.slow
def test_roberta_scores_a_word_with_the_space_before_it(published: Path) -> None:
    assert fill_mask("I <mask> you.", "roberta-base", 5, ["love"]).targets[0].pieces == ["Ġlove"]
    assert fill_mask("<mask> you.", "roberta-base", 5, ["Love"]).targets[0].pieces == ["Love"]


def test_a_raw_piece_can_be_scored(published: Path) -> None:
    assert fill_mask("He play[MASK].", "bert-base-uncased", 5, ["##ing"]).targets[0].pieces == ["##ing"]


def test_a_word_that_the_model_cannot_write_is_said_to_be(published: Path) -> None:
    assert code_of("I ate [MASK].", "bert-base-uncased", 5, ["👍🏽"]) == "word_not_found"


@pytest.mark.parametrize("name", ENCODERS)
def test_the_joint_answer_is_a_sum_of_conditional_log_probabilities(tiny: Path, name: str) -> None:
    """Refill the first joint answer mask by mask in the order of certainty, with single runs of the model."""
    model = load_head(find(name, "fill_mask"), MASKED_LM)
    answer = fill_mask("I [MASK] you because you are [MASK].", name, 5)
    alone = {tuple(joint.words): joint.log_probability for joint in answer.joint}
    assert len(alone) == 5 and sorted(alone.values(), reverse=True) == list(alone.values())
    from app.engine.base import MaskedRow

    encoded = model.text.encode("I [MASK] you because you are [MASK].")
    special = list(model.text.special_ids)
    first = next(
        model.masked_log_probabilities([MaskedRow(encoded.input_ids, encoded.token_type_ids, encoded.mask_indices)])
    )
    first = first.copy()
    first[:, special] = -np.inf
    row = int(first.max(axis=-1).argmax())
    totals = []
    for token_id in np.argsort(-first[row])[:5].tolist():
        ids = list(encoded.input_ids)
        ids[encoded.mask_indices[row]] = token_id
        other = encoded.mask_indices[1 - row]
        second = next(model.masked_log_probabilities([MaskedRow(ids, encoded.token_type_ids, [other])]))[0].copy()
        second[special] = -np.inf
        totals.append(float(first[row, token_id] + second.max()))
    assert answer.joint[0].log_probability == pytest.approx(max(totals), abs=1e-4)


def test_the_joint_answer_is_written_into_the_sentence(tiny: Path) -> None:
    joint = fill_mask("😀 [MASK] you, <mask>!", "roberta-base", 3).joint[0]
    first, second = joint.words
    assert joint.text == f"😀 {first} you, {second}!"


@pytest.mark.parametrize(
    ("name", "pieces", "written"),
    [
        ("bert-mini", ["new", "york"], "It is new york."),
        ("bert-mini", ["new", "##s"], "It is news."),
        ("bert-mini", ["new", ","], "It is new,."),
        ("roberta-mini", ["ĠNew", "ĠYork"], "It is New York."),
        ("roberta-mini", ["ĠNew", "s"], "It is News."),
        ("albert-mini", ["▁new", "▁york"], "It is new york."),
        ("bert-mini-zh", ["北", "京"], "It is 北京."),
    ],
)
def test_between_two_blanks_stands_the_space_that_the_second_piece_brings(
    name: str, pieces: list[str], written: str
) -> None:
    model = load_head(find(name, "fill_mask"), MASKED_LM)
    text = "It is [MASK][MASK]."
    question, ids = Question(model, text, model.text.encode(text)), list(model.text.encode(text).input_ids)
    for index, piece in zip(question.encoded.mask_indices, pieces, strict=True):
        ids[index] = model.text.tokenizer.get_vocab()[piece]
    assert _answer(question, Beam(tuple(ids), (), 0.0)).text == written


def test_one_mask_has_no_joint_answer(tiny: Path) -> None:
    assert fill_mask("The [MASK] ran.", "bert-mini").joint == []


@pytest.mark.parametrize("name", ENCODERS)
def test_a_long_text_is_read_through_a_window_that_holds_the_mask(tiny: Path, name: str) -> None:
    text = "words " * 700 + "[MASK] and pieces " + "words " * 700
    answered = fill_mask(text, name)
    assert answered.window is not None
    assert answered.window.start <= text.index("[MASK]") < answered.window.end
    assert len(answered.tokens) <= 512
    assert as_json(answered)["window"] == {"start": answered.window.start, "end": answered.window.end}
    mask = answered.tokens[answered.masks[0].token_index]
    assert (mask.start, mask.end) == (text.index("[MASK]"), text.index("[MASK]") + 6)


def test_a_text_with_three_hundred_words_before_the_mask_is_answered(tiny: Path) -> None:
    assert fill_mask("word " * 300 + "[MASK]", "bert-base-uncased").masks


def test_a_short_text_has_no_window(tiny: Path) -> None:
    assert "window" not in as_json(fill_mask("The [MASK] ran.", "bert-mini"))


def test_masks_further_apart_than_the_window_are_refused(tiny: Path) -> None:
    assert code_of("[MASK] " + "words " * 700 + "[MASK]", "bert-mini") == "too_long"


@pytest.mark.slow
def test_typed_special_tokens_are_ordinary_text(published: Path) -> None:
    for name, typed in [
        ("bert-base-uncased", "[SEP]"),
        ("roberta-base", "</s>"),
        ("albert-base-v2", "[SEP]"),
        ("albert-base-v2", "<pad>"),
    ]:
        tokens = fill_mask(f"A {typed} B [MASK].", name).tokens
        inner = [token for token in tokens if token.start is not None]
        assert all(token.piece != typed for token in inner)
        assert [token.piece for token in inner if token.special] in (["[MASK]"], ["<mask>"])


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("", "bert-mini"), "empty_text"),
        ((" \n\t ", "bert-mini"), "empty_text"),
        (("\x00", "bert-mini"), "empty_text"),
        (("no blank here", "bert-mini"), "no_mask"),
        (("[CLS] [SEP]", "bert-mini"), "no_mask"),
        (("a [MASK] " * 15_000, "bert-mini"), "too_long"),
        (("a" * 100_000, "bert-mini"), "too_long"),
        (("[MASK] " * 21, "bert-mini"), "too_long"),
        (("a [MASK]", "no-such-model"), "unknown_model"),
        (("a [MASK]", "../etc"), "unknown_model"),
        (("a [MASK]", 7), "unknown_model"),
        (("a [MASK]", "gpt2"), "wrong_model"),
        (("a [MASK]", "bert-mini", 0), "bad_value"),
        (("a [MASK]", "bert-mini", -1), "bad_value"),
        (("a [MASK]", "bert-mini", 10**9), "bad_value"),
        (("a [MASK]", "bert-mini", float("nan")), "bad_value"),
        (("a [MASK]", "bert-mini", 2.5), "bad_value"),
        (("a [MASK]", "bert-mini", "five"), "bad_value"),
        (("a [MASK]", "bert-mini", True), "bad_value"),
        (("a [MASK]", "bert-mini", None), "bad_value"),
        ((None, "bert-mini"), "bad_value"),
        ((7, "bert-mini"), "bad_value"),
        (("a [MASK]", None), "unknown_model"),
        (("a [MASK]", "bert-mini", 5, "dog"), "bad_value"),
        (("a [MASK]", "bert-mini", 5, [""]), "bad_value"),
        (("a [MASK]", "bert-mini", 5, [7]), "bad_value"),
        (("a [MASK]", "bert-mini", 5, ["x"] * 21), "bad_value"),
        (("a [MASK]", "bert-mini", 5, ["x" * 101]), "bad_value"),
    ],
)
def test_bad_input_gets_its_code(tiny: Path, arguments: tuple, code: str) -> None:
    assert code_of(*arguments) == code


@pytest.mark.parametrize("name", ENCODERS)
@pytest.mark.parametrize(
    "text",
    [
        "\ud800 [MASK] \udfff",
        "a\x00b [MASK]",
        "👨‍👩‍👧 [MASK] 👍🏽",
        "שלום [MASK] עולם",
        "<script>alert(1)</script> [MASK]",
        "[MASK]",
    ],
)
def test_strange_text_is_answered(tiny: Path, name: str, text: str) -> None:
    import json

    answered = fill_mask(text, name)
    assert len(answered.masks) == 1
    json.dumps(as_json(answered)).encode("utf-8")


def test_a_whole_number_as_json_clients_send_it_is_taken(tiny: Path) -> None:
    assert len(fill_mask("a [MASK]", "bert-mini", 5.0).masks[0].candidates) == 5


def test_probabilities_sum_to_one(tiny: Path) -> None:
    vocabulary = load_head(find("bert-mini", "fill_mask"), MASKED_LM).loaded.model.config.vocab_size
    candidates = fill_mask("a [MASK]", "bert-mini", min(vocabulary, 1000)).masks[0].candidates
    assert sum(candidate.probability for candidate in candidates) == pytest.approx(1.0, abs=1e-4)
