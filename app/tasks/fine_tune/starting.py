"""Starting points of a training, the methods for each, and the size limits of this server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.engine.heads import TOKEN_VECTORS
from app.engine.runtime.loaded import Loaded
from app.engine.runtime.loader import loader
from app.engine.text.text_tokenizer import TextTokenizer
from app.errors import PlaygroundError
from app.late_imports import importing
from app.registry.checkpoint import Checkpoint
from app.registry.lookup import find, for_task
from app.settings import settings
from app.tasks.downloads import ready_models
from app.tasks.fine_tune.rows import Reading, check_reading, check_words
from app.training.labelled import Example

if TYPE_CHECKING:
    from app.training.plan import Method

ENCODERS = ("bert", "roberta", "albert")
# The methods of each family, that of its own paper first: BERT and GPT are trained as a whole (Devlin et al. 2018,
# Radford et al. 2018), ELMo trains only the mix of its layers (Peters et al. 2018), word vectors are averaged.
# GPT-2's layers are not linear ones as LoRA needs; a Llama is too large to be trained as a whole here.
METHODS_OF_FAMILY: dict[str, tuple[Method, ...]] = {
    "bert": ("full", "frozen", "lora"),
    "roberta": ("full", "frozen", "lora"),
    "albert": ("full", "frozen", "lora"),
    "gpt2": ("full", "frozen"),
    "llama": ("frozen", "lora"),
    "elmo": ("mix",),
    "static_vectors": ("regression",),
    "bag_of_words": ("regression",),
}
# A starting point outside the catalog: nothing was pre-trained.
BAG = Checkpoint("bag-of-words", "bag_of_words", "multi", "none", "", "scikit-learn", (), 0, 0, "")


def find_start(name: str) -> Checkpoint:
    """The starting point of that name; the default encoder if it is empty.

    Raises:
        PlaygroundError: as `find`.
    """
    if name == BAG.name:
        return BAG
    if name == "":
        return next(one for one in for_task("fine_tune") if one.family in ENCODERS)
    return find(name, "fine_tune")


def load_start(checkpoint: Checkpoint) -> Loaded:
    """Load what will be trained.

    Raises:
        PlaygroundError: `model_unavailable`, it cannot be loaded.
    """
    if checkpoint is not BAG:
        return loader().get(checkpoint)
    with importing():
        from app.training.learners.start import nothing_learned

    return nothing_learned(checkpoint)


def read_rows(base: Loaded, rows: list[Example], cut: bool) -> Reading:
    """How the starting point reads the rows; the bag of words accepts any.

    Raises:
        PlaygroundError: `too_long` or `empty_text`, naming the row.
    """
    with importing():
        from app.training.reading import longest

    if base.family.classifier_class is not None:
        return check_reading(base.tokenizer(TextTokenizer), longest(base), rows, cut)
    return check_words(base.head(TOKEN_VECTORS), rows, cut) if base.heads else Reading(0, 0.0)


def methods_of(checkpoint: Checkpoint) -> list[Method]:
    """The methods with which visitors of this server may train it."""
    return [method for method in METHODS_OF_FAMILY[checkpoint.family] if is_allowed(checkpoint, method)]


def methods_by_name(name: str) -> list[Method]:
    """The same, by the name of a starting point.

    Raises:
        PlaygroundError: as `find_start`.
    """
    return methods_of(find_start(name or ""))


def limit_of(checkpoint: Checkpoint, method: str) -> int:
    """The maximum weights of a model for this method; a model may be larger if only an added layer is trained."""
    beside = method in ("mix", "regression") or (method == "frozen" and checkpoint.family not in ENCODERS)
    return settings().tuned_frozen_parameters if beside else settings().tuned_parameters


def is_allowed(checkpoint: Checkpoint, method: str) -> bool:
    """Whether visitors of this server may train it with this method."""
    return checkpoint.parameters <= limit_of(checkpoint, method)


def method_for(
    checkpoint: Checkpoint, asked: str, pairs: bool = False, from_scratch: bool = False, tags: bool = False
) -> Method:
    """The requested method; if the family does not have it, the family's own.

    Raises:
        PlaygroundError: `bad_value`: it is too large for this server, cannot read pairs, cannot label words, or has
            nothing to forget.
    """
    having = METHODS_OF_FAMILY[checkpoint.family]
    method = next((one for one in having if one == asked), next(iter(methods_of(checkpoint)), having[0]))
    if not is_allowed(checkpoint, method):
        values = {"model": checkpoint.name, "count": checkpoint.parameters, "limit": limit_of(checkpoint, method)}
        raise PlaygroundError("bad_value", "parameters", **values)
    if pairs and checkpoint.family not in ENCODERS:
        raise PlaygroundError("bad_value", "no_pairs", model=checkpoint.name)
    if tags and checkpoint.family not in ENCODERS:
        raise PlaygroundError("bad_value", "no_tags", model=checkpoint.name)
    if from_scratch and (method in ("mix", "regression") or checkpoint.family == "llama"):
        raise PlaygroundError("bad_value", "no_scratch", model=checkpoint.name)
    return method


def starting_points() -> list[Checkpoint]:
    """What can be trained here: models on this machine within the host's limits, and the bag of words."""
    ready = ready_models("fine_tune")
    return [*(one for one in for_task("fine_tune") if one.name in ready and methods_of(one)), BAG]
