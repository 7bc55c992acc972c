"""Labels of words: entities counted like CoNLL's script, rows kept back, and a training that learns them."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from app.engine.heads import TOKEN_CLASSIFICATION
from app.engine.runtime.loader import load
from app.engine.text.tags import entities_in, first_pieces, tags_of
from app.engine.text.text_tokenizer import TextTokenizer
from app.engine.text.words import split_words
from app.registry.lookup import BY_NAME
from app.results.tuning.fine_tune import TuningReport
from app.tasks.fine_tune.tag_rows import check_tagged
from app.training.plan import Plan
from app.training.tags.learner import IGNORED, TagLearner, TagNetwork
from app.training.tags.rows import TaggedText, score_entities, split_tagged, tag_names
from app.training.tags.tuning import tune_tags

# What `seqeval` 1.2.2, which follows conlleval, says of the sequences that `drawn` makes with these seeds: precision,
# recall and F1 over all kinds, then F1 of each kind with the number of true ones.
SEQEVAL = {
    1: (
        0.6329787234042553,
        0.6329787234042553,
        0.6329787234042553,
        {"a": (0.6428571428571429, 54), "b": (0.6142857142857143, 70), "c": (0.6451612903225806, 64)},
    ),
    2: (
        0.6363636363636364,
        0.6763285024154589,
        0.6557377049180327,
        {"a": (0.6666666666666666, 74), "b": (0.6285714285714286, 66), "c": (0.6714285714285715, 67)},
    ),
    3: (
        0.6280193236714976,
        0.6310679611650486,
        0.6295399515738499,
        {"a": (0.6074074074074075, 69), "b": (0.703448275862069, 72), "c": (0.5714285714285715, 65)},
    ),
}


def drawn(seed: int, rows: int = 40) -> tuple[list[list[str]], list[list[str]]]:
    """True labels and predicted ones that agree in about half the places, odd sequences among them."""
    dice = random.Random(seed)
    names = ["O", "B-a", "I-a", "B-b", "I-b", "B-c", "I-c"]
    true = [[dice.choice(names) for _ in range(dice.randint(1, 12))] for _ in range(rows)]
    return true, [[tag if dice.random() < 0.6 else dice.choice(names) for tag in row] for row in true]


@pytest.mark.parametrize("seed", sorted(SEQEVAL))
def test_scores_are_those_of_seqeval(seed: int) -> None:
    scores, (precision, recall, f1, kinds) = score_entities(*drawn(seed)), SEQEVAL[seed]
    assert (scores.precision, scores.recall, scores.f1) == pytest.approx((precision, recall, f1), abs=1e-9)
    assert {one.label: (one.f1, one.count) for one in scores.types} == {
        kind: (pytest.approx(share, abs=1e-9), count) for kind, (share, count) in kinds.items()
    }


def test_nothing_to_find_is_no_division_by_zero() -> None:
    assert score_entities([["O", "O"]], [["O", "O"]]).f1 == 0.0
    assert score_entities([["B-a"]], [["O"]]).types[0].recall == 0.0


def test_other_schemes_of_labels() -> None:
    def spans(*tags: str) -> list[tuple[int, int, str]]:
        return [(one.first, one.end, one.label) for one in entities_in(tags)]

    assert spans("B-a", "M-a", "E-a", "S-a", "S-b", "O") == [(0, 3, "a"), (3, 4, "a"), (4, 5, "b")]
    assert spans("I-a", "I-a", "I-b", "O", "I-b") == [(0, 2, "a"), (2, 3, "b"), (4, 5, "b")]
    assert spans("NOUN", "NOUN", "VERB") == [(0, 2, "NOUN"), (2, 3, "VERB")]


def test_words_of_an_entity_get_begin_and_inside() -> None:
    words = [(0, 3), (4, 9), (9, 10)]
    assert tags_of(words, [(0, 9, "person")]) == ["B-person", "I-person", "O"]
    assert tags_of(words, [(5, 8, "person")]) == ["O", "B-person", "O"]  # a part of a word is the word


def test_rows_kept_back_leave_every_kind_something_to_learn_from() -> None:
    rows = [TaggedText(f"a {index}", ((0, 1),), ("B-common" if index else "B-rare",)) for index in range(10)]
    for seed in range(20):
        train, back = split_tagged([*rows, rows[3]], 0.3, seed)
        assert rows[0] in train and 1 <= len(back) <= 3
        assert not {row.text for row in train} & {row.text for row in back}
    assert split_tagged(rows, 0.0, 0) == (rows, [])
    assert split_tagged(rows[:1], 0.5, 0) == (rows[:1], [])


@pytest.fixture
def sentences() -> list[TaggedText]:
    """Dogs are animals, Lima is a place."""
    patterns = [
        "The [{}](animal) barked at the [cat](animal).",
        "[Lima](place) is the capital of [Peru](place), said the [{}](animal).",
        "I love you because you are {} and kind.",
        "She opened the door and went into [Lima](place) {}.",
    ]
    made = [
        pattern.format(word) for pattern in patterns for word in ("dog", "player", "artist", "art", "bank", "river")
    ]
    return check_tagged([{"text": text} for text in made])


@pytest.mark.parametrize("name", ["bert-base-uncased", "roberta-base", "albert-base-v2"])
def test_only_the_first_piece_of_a_word_is_learnt(tiny: Path, sentences: list[TaggedText], name: str) -> None:
    base = load(BY_NAME[name])
    labels = tag_names(sentences)
    network = TagNetwork(base, labels, Plan())
    learner = TagLearner(network, labels, reads_once=False)
    batch = [sentences[0], sentences[7]]
    wanted = learner._wanted(batch, network.logits(batch))
    for row, numbers in zip(batch, wanted.tolist(), strict=True):
        kept = [(place, labels[number]) for place, number in enumerate(numbers) if number != IGNORED]
        encoded = base.tokenizer(TextTokenizer).encode(row.text)
        assert [tag for _, tag in kept] == list(row.tags)
        assert [place for place, _ in kept] == first_pieces(encoded, row.words)
        assert len(kept) == len(split_words(row.text)) < len(encoded.input_ids)
    # Together or alone: padding changes nothing.
    with torch.inference_mode():
        network.model.eval()
        alone = network.logits(batch[:1])[0]
        assert (network.logits(batch)[0, : len(alone)] - alone).abs().max() < 1e-5


def test_a_share_of_the_pieces_is_hidden_in_training_alone(
    tiny: Path, sentences: list[TaggedText], monkeypatch: pytest.MonkeyPatch
) -> None:
    base, labels = load(BY_NAME["bert-base-uncased"]), tag_names(sentences)
    network = TagNetwork(base, labels, Plan())
    learner, seen = TagLearner(network, labels, reads_once=False), list[int]()
    monkeypatch.setattr(network.model, "forward", recording(network.model.forward, seen))
    for share, least, most in ((0.0, 0.0, 0.0), (0.5, 0.35, 0.65), (1.0, 1.0, 1.0)):
        seen.clear()
        batch = next(learner._batches(sentences, Plan(hidden=share, batch_size=len(sentences))))
        learner._loss(batch)
        added = {base.text.tokenizer.cls_token_id, base.text.tokenizer.sep_token_id, base.text.pad_id}
        pieces = [piece for piece in seen if piece not in added]
        assert len(seen) > len(pieces) > 20, "what the model adds is never hidden"
        assert least <= pieces.count(base.text.mask) / len(pieces) <= most
    seen.clear()
    learner.tags(sentences)
    assert seen and base.text.mask not in seen


def recording(forward: Callable[..., object], seen: list[int]) -> Callable[..., object]:
    """The same, and `seen` gets every piece that it was given."""

    def forwarded(**columns: torch.Tensor) -> object:
        seen.extend(columns["input_ids"].flatten().tolist())
        return forward(**columns)

    return forwarded


def test_a_training_learns_the_labels_and_keeps_the_best(tiny: Path, sentences: list[TaggedText]) -> None:
    base, reports = load(BY_NAME["bert-base-uncased"]), list[TuningReport]()
    before = {name: weight.clone() for name, weight in base.model.state_dict().items()}
    plan = Plan(epochs=20, learning_rate=5e-3, batch_size=8, validation_share=0.25)
    made = tune_tags(base, sentences, plan, reports.append)
    assert made.entities.f1 > 0.7 > 0.2 > 1 - made.validation.accuracy
    assert made.labels == ["O", "B-animal", "B-place"] and made.made.heads >= {TOKEN_CLASSIFICATION}
    assert (made.rows, made.kept, len(made.tagged)) == (18, 6, 6) and len(made.history) == 20 * 3
    assert made.before_accuracy < made.validation.accuracy
    assert sum(map(sum, made.validation.confusion)) == sum(len(split_words(row.text)) for row in made.tagged)
    assert made.model.config.id2label == {0: "O", 1: "B-animal", 2: "B-place"}
    after = base.model.state_dict()
    assert all(torch.equal(weight, after[name]) for name, weight in before.items()), "the base stays as it was"
    assert reports[-1].step == 60


def test_longer_rows_are_cut_and_a_stop_before_the_first_step_leaves_nothing(
    tiny: Path, sentences: list[TaggedText]
) -> None:
    base = load(BY_NAME["bert-base-uncased"])
    longer = check_tagged(
        [{"text": "the dog " * 400 + "[Lima](place)"}, *({"text": row.text} for row in sentences[:1])]
    )
    tagger = TagLearner(TagNetwork(base, tag_names(longer), Plan()), tag_names(longer), reads_once=False)
    (tags, _), _ = tagger.tags(longer)
    assert len(tags) == 801 and tags[-1] == "O", "what it does not read has no label"
    assert tune_tags(base, sentences, Plan(), lambda report: True) is None
