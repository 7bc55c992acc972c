"""What a step promises, tried on the models the way its tab asks: one function per kind of promise.

Each returns what was found instead, or an empty string if the promise holds. A promise has its kind as a key with the
promised value, and perhaps more keys: `{"among": 5, "word": "bank"}`. It holds for every model named in the step's
link; with `of`, for that model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from app.engine.runtime.visitor_models import visitor_models
from app.registry.lookup import BY_NAME
from app.results.lessons import Step
from app.tasks.attention import attention
from app.tasks.classification import classify
from app.tasks.fill_mask import fill_mask
from app.tasks.fine_tune import fine_tune
from app.tasks.fine_tune.page import gather_rows, read_sample
from app.tasks.fine_tune.rows import RATE_OF
from app.tasks.models.take_apart import bert_or_albert, take_apart
from app.tasks.prompting import next_token
from app.tasks.sentence_pair import sentence_pair
from app.tasks.surprise.score import score
from app.tasks.tokenization import tokenize
from app.tasks.tokenization.masking import draw_masks
from app.tasks.word_sense import word_sense
from app.tasks.word_sense.page import nearest_static
from app.tasks.zero_shot import zero_shot

# The visit that owns models trained by a check.
CHECKER = "lesson-check"
# Cosines of the same vector differ only by rounding.
SAME = 0.999
# Occurrences with the same sense must be more similar than those with different senses by this much.
APART = 0.01
Promise = Mapping[str, Any]
Check = Callable[[Step, str, Promise], str]


def broken_promise(step: Step, texts: Mapping[str, str]) -> str:
    """What was found instead of what the step promises; empty if it holds.

    Args:
        step: of a lesson.
        texts: a tab's initial fields that the step does not set: `masking`.
    """
    filled = Step(**{**vars(step), "fields": {**texts, **step.fields}})
    check = KINDS[kind_of(step.promise)]
    named = [step.promise["of"]] if "of" in step.promise else step.fields.get("model", "").split(",")
    return "; ".join(filter(None, (check(filled, model, step.promise) for model in named)))


def kind_of(promise: Promise) -> str:
    """The kind of a promise; empty if it is unknown."""
    return next((kind for kind in promise if kind in KINDS), "")


def _guesses(step: Step, model: str, count: int) -> list[str]:
    if step.tab == "prompting":
        found = [one.token for one in next_token(step.fields["prompt"], model, count).candidates]
    else:
        found = [one.token for one in fill_mask(step.fields["text"], model, count).masks[0].candidates]
    return [token.strip().casefold() for token in found]


def check_first(step: Step, model: str, promise: Promise) -> str:
    """The most probable word."""
    (found,) = _guesses(step, model, 1)
    return "" if found == promise["first"] else f"{model} says {found!r} first"


def check_not_first(step: Step, model: str, promise: Promise) -> str:
    """A word that everybody expects and the model does not give."""
    (found,) = _guesses(step, model, 1)
    return "" if found != promise["not_first"] else f"{model} does say {found!r} first"


def check_among(step: Step, model: str, promise: Promise) -> str:
    """A word among the first few."""
    found = _guesses(step, model, promise["among"])
    return "" if promise["word"] in found else f"{model} says {', '.join(found)}"


def check_joint(step: Step, model: str, promise: Promise) -> str:
    """Several blanks filled jointly, with a different result than each alone."""
    answer = fill_mask(step.fields["text"], model, 1)
    alone = [mask.candidates[0].token.strip() for mask in answer.masks]
    together = answer.joint[0].words
    if together == alone:
        return f"{model} fills each blank with the same word: {alone}"
    return "" if together == promise["joint"] else f"{model} fills them with {together}"


def check_label(step: Step, model: str, promise: Promise) -> str:
    """The most probable label; of a pair, with `swapped`, also in reversed order."""
    fields, expected = step.fields, [promise["label"], *filter(None, [promise.get("swapped")])]
    if step.tab == "sentence_pair":
        answer = sentence_pair(fields["first"], fields["second"], model)
        asked = [answer.labels, answer.swapped][: len(expected)]
    elif step.tab == "zero_shot":
        asked = [zero_shot(fields["text"], fields["labels"].splitlines(), fields["template"], model).scores]
    else:
        asked = [classify([fields["text"]], model).results[0].labels]
    found = [max(labels, key=lambda one: one.probability).label for labels in asked]
    return "" if found == expected else f"{model} says {found}"


def check_unsure(step: Step, model: str, promise: Promise) -> str:
    """No label of a pair is more probable than this."""
    most = max(one.probability for one in sentence_pair(step.fields["first"], step.fields["second"], model).labels)
    return "" if most < promise["unsure"] else f"{model} is sure: {most:.2f}"


def check_lacks(step: Step, model: str, promise: Promise) -> str:
    """A checkpoint that cannot do what the tab is about."""
    return f"{promise['lacks']} does serve {step.tab}" if step.tab in BY_NAME[promise["lacks"]].tasks else ""


def check_senses(step: Step, model: str, promise: Promise) -> str:
    """Whether a word's vectors separate its labelled senses: `one_point`, `apart` or `mixed`, at a layer."""
    lines, word = step.fields["lines"].splitlines(), step.fields["word"]
    answer = word_sense(lines, word, model, promise.get("layer", -1))
    margin, least = answer.senses and answer.senses.margin, min(map(min, answer.similarity))
    if margin is None:
        return "the sentences have no two senses with two places each"
    holds = {"one_point": least > SAME, "apart": margin > APART, "mixed": margin < -APART}[promise["senses"]]
    return "" if holds else f"{model}: margin {margin:.3f}, smallest cosine {least:.3f}"


def check_neighbours(step: Step, model: str, promise: Promise) -> str:
    """The share of a word's occurrences, at the top layer, whose nearest other occurrence has the same sense."""
    answer = word_sense(step.fields["lines"].splitlines(), step.fields["word"], model)
    share = answer.senses.one_nn_accuracy or 0.0 if answer.senses else 0.0
    return "" if share >= promise["neighbours"] else f"{model}: {share:.2f} of the places"


def check_near(step: Step, model: str, promise: Promise) -> str:
    """Words that the tab lists as the nearest static vectors."""
    found = {one.text.casefold() for one in nearest_static(step.fields["word"])[0]}
    return "" if found >= set(promise["near"]) else f"near lie {', '.join(sorted(found))}"


def check_pieces(step: Step, model: str, promise: Promise) -> str:
    """The pieces of a text."""
    found = [one.token.strip() for one in tokenize(step.fields["text"], model).tokens if not one.special]
    return "" if found == promise["pieces"] else f"{model} has {found}"


def check_masked(step: Step, model: str, promise: Promise) -> str:
    """The share of pieces that each draw of masks chooses, to the nearest piece, in the tab's text."""
    answer = draw_masks(step.fields["masking"], model)
    pieces = len(answer.special) - sum(answer.special)
    found = {sum(action != "" for action in draw.actions) for draw in answer.static}
    holds = all(abs(chosen - promise["masked"] * pieces) <= 0.5 for chosen in found)
    return "" if holds else f"the draws choose {sorted(found)} of {pieces} pieces"


def check_masks(step: Step, model: str, promise: Promise) -> str:
    """`renewed`: static masks repeat, dynamic ones do not within the epochs that the tab draws."""
    answer = draw_masks(step.fields["masking"], model)
    static, dynamic = ({(*draw.actions,) for draw in draws} for draws in (answer.static, answer.dynamic))
    told = len(static), len(dynamic)
    return "" if told == (answer.copies, len(answer.dynamic)) else f"{told[0]} static and {told[1]} dynamic draws"


def check_fewer(step: Step, model: str, promise: Promise) -> str:
    """The first of two checkpoints has fewer weights."""
    first, second = (sum(part.parameters for part in take_apart(name).parts) for name in promise["fewer"])
    return "" if first < second else f"{first:,} and {second:,} weights"


def check_weights(step: Step, model: str, promise: Promise) -> str:
    """The number of weights of BERT at a size with ALBERT's changes: size, factorised, shared, count."""
    *switches, count = promise["weights"]
    found = sum(part.parameters for part in bert_or_albert(*switches))
    return "" if found == count else f"{found:,} weights"


def check_passes(step: Step, model: str, promise: Promise) -> str:
    """A checkpoint's attention is stored once and used in every layer."""
    anatomy = take_apart(promise["passes"])
    (times,) = (part.times for part in anatomy.parts if part.component == "attention")
    return "" if times == anatomy.measures.layers > 1 else f"used {times} times in {anatomy.measures.layers} layers"


def check_looks_ahead(step: Step, model: str, promise: Promise) -> str:
    """Whether any weight of the first layer is above the diagonal."""
    weights = attention(step.fields["text"], "", model).weights
    ahead = any(weight > 0 for head in weights for at, row in enumerate(head) for weight in row[at + 1 :])
    return "" if ahead == promise["looks_ahead"] else f"{model} looks {'ahead' if ahead else 'back only'}"


def check_stranger(step: Step, model: str, promise: Promise) -> str:
    """Which of two texts is less probable, `first` or `second`."""
    first, second = (score(step.fields[key], model).log_probability for key in ("first", "second"))
    found = "second" if second < first else "first"
    return "" if found == promise["stranger"] else f"{model}: {first:.1f} and {second:.1f}"


def check_learns(step: Step, model: str, promise: Promise) -> str:
    """An encoder learns a set of labelled texts: sample, model. It must beat a constant answer by a tenth."""
    sample, encoder = promise["learns"]
    try:
        rows = gather_rows(read_sample(sample))
        scores = fine_tune(rows, encoder, 6, RATE_OF["full"], 0, 0.25, visitor=CHECKER).validation
    finally:
        visitor_models().forget(CHECKER)
    return "" if scores.accuracy >= scores.guessing + 0.1 else f"{scores.accuracy:.2f}, guessing {scores.guessing:.2f}"


KINDS: Mapping[str, Check] = {
    "first": check_first,
    "not_first": check_not_first,
    "among": check_among,
    "joint": check_joint,
    "label": check_label,
    "unsure": check_unsure,
    "lacks": check_lacks,
    "senses": check_senses,
    "neighbours": check_neighbours,
    "near": check_near,
    "pieces": check_pieces,
    "masked": check_masked,
    "masks": check_masks,
    "fewer": check_fewer,
    "weights": check_weights,
    "passes": check_passes,
    "looks_ahead": check_looks_ahead,
    "stranger": check_stranger,
    "learns": check_learns,
}
