"""A visitor's own models on the pages: renamed and deleted ones in every picker, one that labels a whole file."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import gradio as gr
import pytest

from app.tasks.fine_tune.naming import delete, rename
from app.visits import visits
from demos import attribution, classification, tagging
from demos import fine_tune as demo
from tests.demos.test_fine_tune import request, start

pytestmark = pytest.mark.usefixtures("fresh_trainings")
TAGS = "\n".join(f"[Lima](place) is the {word}" for word in ("art", "bank", "river", "house"))


@pytest.fixture(autouse=True)
def anna_leaves():
    visits().end("anna")  # tests of other files train for her, too
    yield
    visits().end("anna")


def offered(page: object) -> set[str]:
    """What a tab's picker offers to the visitor."""
    return {name for _, name in page.on_picker(request())}


def drawn(name: str) -> tuple:
    """The models of the visit as the page draws them anew, as they stand on the server."""
    return demo.on_redraw(name, request())


def test_a_new_name_is_in_all_pickers_and_on_the_page() -> None:
    *_, (*_, own, _) = start()
    *_, (*_, tagger, _) = start(TAGS)
    assert rename(own.value, "my mood", "anna") == "my mood"
    assert rename(tagger.value, "places", "anna") == "places"
    assert "my mood" in offered(classification) & offered(attribution) and "places" in offered(tagging)
    assert not {own.value, tagger.value} & (offered(classification) | offered(attribution) | offered(tagging))
    _, _, outcome, table, picker, runs = drawn("my mood")
    assert "data-model='my mood'" in outcome and "my mood" in table and own.value not in table
    assert picker.value == "my mood" and [run.result.name for run in runs] == ["my mood", "places"]
    again = demo.on_open(request())
    assert "my mood" in again[-3] and [run.result.name for run in again[-1]] == ["my mood", "places"]
    assert demo.on_try("the dog", "my mood", runs, request())


def test_a_deleted_model_is_in_no_picker() -> None:
    *_, (*_, first, _) = start()
    *_, (*_, second, _) = start(seed=1)
    delete(second.value, "anna")
    assert second.value not in offered(classification) | offered(attribution)
    _, _, outcome, table, picker, runs = drawn("")
    assert picker.value == first.value and first.value in outcome and second.value not in table and len(runs) == 1
    delete(first.value, "anna")
    curves, confusion, outcome, table, picker, runs = drawn("")
    assert (curves.value, confusion.value, outcome, table, picker.value, runs) == (None, None, "", "", None, [])
    with pytest.raises(gr.Error, match="unknown_model"):
        demo.on_try("the dog", second.value, [], request())


def test_a_whole_file_labelled_by_a_model_of_ones_own(tmp_path: Path) -> None:
    lines = "\n".join(
        f"the {word} {index} | {label}" for index in range(8) for word, label in (("dog", "=A"), ("soup", "B"))
    )
    *_, (*_, own, _) = start(lines)
    path = tmp_path / "rows.csv"
    path.write_text("text\nthe dog\n=1+1 the soup\n@dog\n", encoding="utf-8")
    *_, shown = classification.on_run("", False, str(path), "", True, "text", None, [own.value], request())
    written = Path(shown[2].value["path"]).read_bytes().decode("utf-8-sig")
    head, *rows = csv.reader(io.StringIO(written, newline=""))
    assert head == ["text", f"{own.value}: label", f"{own.value}: =A", f"{own.value}: B"]
    assert [row[0] for row in rows] == ["the dog", "'=1+1 the soup", "'@dog"]
    for _, label, *shares in rows:
        assert sum(map(float, shares)) == pytest.approx(1, abs=1e-5)
        assert label == ("'=A", "B")[float(shares[0]) < float(shares[1])]
