"""Runs side by side: the rows that all kept back, and those on which their models differ."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from app.errors import PlaygroundError
from app.results.tuning.comparison import RunAnswer
from app.results.tuning.fine_tune import Judged, JudgedTags, MarkedSpan
from app.tasks.fine_tune import runs as visit_runs
from app.tasks.fine_tune.comparing import compare, compare_rows, names_of
from app.tasks.fine_tune.rows import Options
from app.ui.texts import texts
from app.views.comparison import ROWS_SHOWN, draw_comparison
from app.visits import visits
from tests.tasks.test_fine_tune import ROWS


def run(*rows: tuple[str, str], tagged: list[JudgedTags] = []) -> object:
    """A run that was judged by rows of the label `A`: each a text and what was predicted."""
    judged = [Judged(text, "A", said, 0.75 if said == "A" else 0.25, 0.5) for text, said in rows]
    return SimpleNamespace(judged=judged, tagged=tagged)


def test_rows_are_disputed_where_all_kept_them_back_and_one_differs() -> None:
    one = run(("dog", "A"), ("soup", "A"), ("art", "B"), ("mine", "A"))
    other = run(("soup", "B"), ("dog", "A"), ("art", "B"), ("yours", "B"))
    rows = compare_rows([one, other])
    assert rows.shared == 3
    (disputed,) = rows.disputed
    assert (disputed.text, disputed.true) == ("soup", "A")
    assert disputed.answers == [RunAnswer("A", True, 0.75), RunAnswer("B", False, 0.25)]
    third = run(("art", "A"), ("soup", "A"))
    assert [row.text for row in compare_rows([one, other, third]).disputed] == ["soup", "art"]
    assert compare_rows([one, run(("other", "A"))]).shared == 0


def test_the_same_text_under_two_labels_is_two_rows() -> None:
    judged = [Judged("dog", label, "A", 0.5, 0.5) for label in "AB"]
    one, other = (SimpleNamespace(judged=judged[:count], tagged=[]) for count in (2, 1))
    assert compare_rows([one, other]).shared == 1


def test_entities_are_compared_as_wholes() -> None:
    place, person = MarkedSpan(0, 4, "place"), MarkedSpan(0, 4, "person")
    one, other = (run(tagged=[JudgedTags("Lima ran", [place], found)]) for found in ([place], [person]))
    (row,) = compare_rows([one, other]).disputed
    assert row.true == "Lima (place)" and [answer.said for answer in row.answers] == ["Lima (place)", "Lima (person)"]
    assert [answer.right for answer in row.answers] == [True, False] and row.answers[0].probability is None


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_two_runs_of_a_visit_side_by_side(fresh_trainings: None, language: str) -> None:
    rows = [{**row, "label": "<b>yes" if row["label"] else "no"} for row in ROWS]
    for epochs, seed in ((1, 0), (2, 0), (2, 1)):
        options = Options(epochs, seed=seed, validation_share=0.5)
        *_, _ = visit_runs.start_tuning(rows, "bert-mini", options, "vera")
    names, labels = names_of("vera"), texts("fine_tune")[language]
    runs, compared = compare(names[1::-1], "vera")
    assert [one.result.name for one in runs] == names[:2] and compared.shared == 6
    drawn = draw_comparison(runs, compared, labels)
    assert "<tr class='differ' data-key='epochs'>" in drawn and "<tr data-key='seed'>" in drawn
    assert "<b>yes" not in drawn and all(name in drawn for name in names[:2])
    assert "<tr class='differ' data-key='seed'>" in draw_comparison(*compare(names, "vera"), labels)
    for chosen, visitor in (([], "vera"), (names[:1], "vera"), (names, "ben"), (["x", "y"], "vera")):
        with pytest.raises(PlaygroundError, match="compared_runs"):
            compare(chosen, visitor)
    visits().end("vera")
    assert names_of("vera") == []


def test_many_disputed_rows_are_cut_and_none_is_said() -> None:
    from app.tasks.fine_tune.comparing import RowComparison
    from app.views.comparison import _rows

    labels, result = texts("fine_tune")["en"], SimpleNamespace(name="<i>x")
    named = [SimpleNamespace(result=result)] * 2
    texts_of = [f"text {index} <u>" for index in range(ROWS_SHOWN + 5)]
    many = compare_rows([run(*((text, said) for text in texts_of)) for said in "AB"])
    drawn = _rows(named, many, labels)
    assert drawn.count("<tr>") == ROWS_SHOWN + 1 and f"{ROWS_SHOWN} of {ROWS_SHOWN + 5} rows" in drawn
    assert "<u>" not in drawn and "<i>" not in drawn
    assert labels["compare.none_shared"] in _rows(named, RowComparison(0, []), labels)
    assert labels["compare.alike"].format(shared=4) in _rows(named, RowComparison(4, []), labels)
