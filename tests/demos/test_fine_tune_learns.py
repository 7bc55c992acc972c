"""What a class sees: the page when it opens, its own settings and encoder, and a model that has learnt."""

from __future__ import annotations

from collections.abc import Iterator

import gradio as gr
import pytest

from app.engine.runtime.visitor_models import visitor_models
from app.results.tuning.fine_tune import FineTuneResult
from app.tasks.classification.classify import classify
from app.tasks.fine_tune.page import SETS, gather_rows
from app.tasks.fine_tune.starting import methods_by_name
from app.ui.components.tuning.tuning_form import tuning_form
from app.ui.texts import texts
from demos import fine_tune as demo

pytestmark = pytest.mark.slow

SURE = {
    "en": ("The food was delicious and the staff were friendly.", "The room was dirty and the waiter was rude."),
    "zh-CN": ("味道很好，服务员也热情，很满意。", "又脏又吵，态度还差，太失望了。"),
}


@pytest.fixture(params=["en", "zh-CN"])
def visitor(request: pytest.FixtureRequest) -> Iterator[gr.Request]:
    """A visitor of the page with the bundled models, in each language."""
    yield gr.Request(query_params={"lang": request.param}, headers={}, session_hash="anna")
    visitor_models().forget("anna")


def fields_of(opened: tuple, **changed: object) -> list:
    """What the form sends when a visitor presses start at once, or after changing this."""
    with gr.Blocks():
        form = tuning_form(demo.SLUG, SETS, demo.RATE_OF, methods_by_name, ["utf-8"])
    _, lines, picker, *_ = opened
    filled = {id(form.lines): lines, id(form.model): picker.value}
    filled |= {id(getattr(form, name)): value for name, value in changed.items()}
    return [filled.get(id(field), field.value) for field in form.fields]


def trained(visitor: gr.Request, **changed: object) -> tuple[FineTuneResult, str]:
    """The result, and what the page shows of it."""
    *_, (_, _, _, outcome, _, _, runs) = demo.on_start(*fields_of(demo.on_open(visitor), **changed), [], visitor)
    return runs[0].result, outcome


def test_the_first_click_teaches_something(visitor: gr.Request) -> None:
    result, outcome = trained(visitor)
    language = visitor.query_params["lang"]
    assert result.validation.guessing == 0.5 and abs(result.before_accuracy - 0.5) < 0.2
    assert result.validation.accuracy >= 0.7 and result.doubts == []
    # Not the step that was chosen on these rows, but the last one.
    assert result.validation_history[-1].accuracy >= 0.7
    shares = {"guessing": 0.5, "before": result.before_accuracy, "after": result.validation.accuracy}
    headline = texts("fine_tune")[language]["headline"].format(**{key: f"{share:.0%}" for key, share in shares.items()})
    assert headline in outcome
    answers = classify(list(SURE[language]), result.name, visitor="anna").results
    assert [answer.labels[0].label for answer in answers] == ["positive", "negative"] if language == "en" else [
        "正面", "负面"
    ]  # fmt: skip


def test_an_encoder_of_another_language_is_named_as_the_reason(visitor: gr.Request) -> None:
    language = visitor.query_params["lang"]
    given = [row["text"] for row in gather_rows(demo.on_open(visitor)[1])[:30]]
    # Each text under both labels: so nobody learns anything, on any machine.
    lines = "\n".join(f"{text} | {label}" for text in given for label in "AB")
    result, outcome = trained(visitor, lines=lines, model="bert-mini-zh" if language == "en" else "bert-mini")
    labels = texts("fine_tune")[language]
    assert result.doubts[0] == "language" and labels["doubt.language"].format(model=result.model) in outcome
    assert labels["doubt.below"] in outcome
