"""Questions about passages: files, rows kept back, SQuAD's scores, and a training that learns where answers are."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from app.engine.heads import QUESTION_ANSWERING
from app.engine.runtime.loader import load
from app.registry.lookup import BY_NAME
from app.tasks.answering.answer import answer
from app.training.answers.learner import SpanLearner, SpanNetwork, best_answer
from app.training.answers.rows import Asked, beside, read_asked, split_asked
from app.training.answers.scores import exact, overlap, words_of
from app.training.answers.tuning import tune_answers
from app.training.bundled.answers import answers_of, likest_sentence, measure_answers
from app.training.plan import Plan

FILE = """Ada met Bob. Bob left.
? Who left? | Bob ## Bob left
? Who met Bob? | Ada
? When did Ada leave? |

小明在北京。
? 小明在哪里？ | 北京
"""


def test_a_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "rows.txt").write_text(FILE, encoding="utf-8")
    rows = read_asked(tmp_path / "rows.txt")
    assert [(row.question, row.answer_text) for row in rows] == [
        ("Who left?", "Bob"), ("Who met Bob?", "Ada"), ("When did Ada leave?", ""), ("小明在哪里？", "北京")
    ]  # fmt: skip
    assert rows[0].answer == (13, 16) and rows[2].answer is None
    assert rows[3].passage == "小明在北京。"


@pytest.mark.parametrize("line", ["? Who? | Bob", "? Who? | Eve", "? Who? | Ada ## Bob left"])
def test_an_answer_stands_once_in_its_passage(tmp_path: Path, line: str) -> None:
    (tmp_path / "rows.txt").write_text(f"Ada met Bob. Bob left.\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match="stands not once"):
        read_asked(tmp_path / "rows.txt")


def test_questions_about_a_passage_stay_together() -> None:
    rows = [Asked(f"passage {number // 3}", f"question {number}?", None) for number in range(30)]
    for seed in range(10):
        train, back = split_asked(rows, 0.2, seed)
        assert len(back) == 6 and len(train) == 24
        assert not {row.passage for row in train} & {row.passage for row in back}
    assert split_asked(rows, 0.0, 0) == (rows, [])


def test_another_passage_beside_it_moves_the_answer() -> None:
    row = Asked("Ada met Bob.", "Who met Bob?", (0, 3))
    for before in (False, True):
        longer = beside(row, "It rained.", before)
        assert longer.answer_text == "Ada" and longer.passage.count(" ") == 4
    assert beside(row, "It rained.", True).passage == "It rained. Ada met Bob."
    assert beside(Asked("他走了。", "谁？", (0, 1)), "下雨了。", True) == Asked("下雨了。他走了。", "谁？", (4, 5))
    assert beside(Asked("Ada.", "Why?", None), "It rained.", True).answer is None


# By hand, after the rules of SQuAD's evaluate-v2.0.py: small letters, no punctuation, no articles, words by spaces.
SCORES = [
    ("The Weavers' Bridge,", "weavers bridge", True, 1.0),
    ("an old bridge", "the bridge", False, 2 / 3),
    ("3,000", "3000", True, 1.0),
    ("in the north", "north of it", False, 2 * 1 / (2 + 3)),
    ("Bob Bob", "Bob", False, 2 / 3),
    ("", "", True, 1.0),
    ("", "Bob", False, 0.0),
    ("the", "", True, 1.0),
    ("北京市", "北京", False, 2 * 2 / 5),
    ("两千 人。", "两千人", True, 1.0),
]


@pytest.mark.parametrize(("found", "true", "same", "f1"), SCORES)
def test_scores_are_counted_as_by_squads_script(found: str, true: str, same: bool, f1: float) -> None:
    assert exact(found, true) is same and exact(true, found) is same
    assert overlap(found, true) == pytest.approx(f1) == overlap(true, found)


def test_chinese_is_counted_by_characters() -> None:
    assert words_of("2001年的ABC大学") == ["2001", "年", "的", "abc", "大", "学"]


def test_the_likest_sentence() -> None:
    row = Asked("Ada met Bob in Rome. It was cold. They ate pasta.", "Where did Ada meet Bob?", None)
    assert likest_sentence(row) == "Ada met Bob in Rome."
    assert likest_sentence(Asked("天很冷。小明在北京上学。", "小明在哪里上学？", None)) == "小明在北京上学。"


@pytest.mark.parametrize("name", ["bert-base-uncased", "roberta-base", "albert-base-v2"])
def test_no_answer_lies_outside_the_passage(tiny: Path, rows: list[Asked], name: str) -> None:
    base = load(BY_NAME[name])
    network = SpanNetwork(base, Plan())
    network.model.eval()
    windows = [network.window(row) for row in (rows[0], rows[3])]
    with torch.inference_mode():
        logits = network.logits(windows)
        alone = network.logits(windows[:1])[0]
    for number, window in enumerate(windows):
        inside = [place for place, word in enumerate(window.words) if word is not None]
        assert logits[number, 0].isfinite().nonzero().flatten().tolist() == [0, *inside]
    # Together or alone: padding changes nothing.
    assert torch.allclose(logits[0, :, : alone.shape[1]], alone, atol=1e-5)


def test_a_training_learns_where_answers_are(tiny: Path, rows: list[Asked]) -> None:
    base = load(BY_NAME["bert-base-uncased"])
    before = {name: weight.clone() for name, weight in base.model.state_dict().items()}
    plan = Plan(epochs=25, learning_rate=5e-3, batch_size=8, validation_share=0.2, augment=True)
    made = tune_answers(base, rows, plan)
    assert made.validation_history[-1].loss < made.validation_history[0].loss
    assert max(point.accuracy for point in made.validation_history) > 0.6
    assert made.rows + made.kept == len(rows) and made.made.heads >= {QUESTION_ANSWERING}
    after = base.model.state_dict()
    assert all(torch.equal(weight, after[name]) for name, weight in before.items()), "the base stays as it was"
    assert tune_answers(base, rows, plan, lambda report: True) is None


def test_what_is_measured_is_what_the_page_answers(tiny: Path, rows: list[Asked]) -> None:
    """The first answer of `/answer`, or none where "no answer" is likelier."""
    finder = load(BY_NAME["answers-minilm"]).head(QUESTION_ANSWERING)
    found = answers_of(finder, rows[:8])
    for row, text in zip(rows, found, strict=False):
        result = answer(row.question, row.passage, "answers-minilm")
        best = result.answers[0]
        assert text == (best.text if best.probability >= result.no_answer else "")
    scores = measure_answers(finder, [*rows[:8], Asked(rows[0].passage, "Why?", None)])
    assert scores["rows"] == 9 and scores["answerable"] == 8
    right = sum(exact(text, row.answer_text) for text, row in zip(found, rows, strict=False))
    assert scores["answerable_exact"] == pytest.approx(right / 8)


def test_no_answer_wins_where_it_is_likelier(tiny: Path, rows: list[Asked]) -> None:
    window = SpanNetwork(load(BY_NAME["bert-base-uncased"]), Plan()).window(rows[0])
    shares = torch.zeros(2, len(window.words))
    shares[:, 0] = 0.6
    inside = [place for place, word in enumerate(window.words) if word is not None]
    shares[:, inside[1]] = 0.4
    assert best_answer(rows[0].passage, window, shares.numpy()) == ""
    shares[:, 0], shares[:, inside[1]] = 0.4, 0.6
    assert best_answer(rows[0].passage, window, shares.numpy()) == "dog"


def test_the_learner_answers_as_its_finished_model_would(tiny: Path, rows: list[Asked]) -> None:
    learner = SpanLearner(SpanNetwork(load(BY_NAME["bert-base-uncased"]), Plan()), [], reads_once=False)
    found, loss = learner.answers(rows)
    assert len(found) == len(rows) and loss > 0
    assert all(text in row.passage for text, row in zip(found, rows, strict=True))
