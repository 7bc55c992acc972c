"""Turns a starting point into a learner: each family in the way of the paper that introduced it."""

from __future__ import annotations

from collections.abc import Callable

from app.engine.adapters.words_classifier import WORDS, MeansOfWords
from app.engine.runtime.device import RunLock
from app.engine.runtime.loaded import Loaded
from app.registry.checkpoint import Checkpoint
from app.training.learners.bag_of_words import BagOfWords
from app.training.learners.gradient import GradientLearner
from app.training.learners.learner import Learner, Vectors
from app.training.learners.network import MixNetwork, TransformerNetwork
from app.training.learners.regression import RegressionLearner
from app.training.plan import Plan

Start = Callable[[Loaded, list[str], Plan, Vectors], Learner]


def _transformer(base: Loaded, labels: list[str], plan: Plan, vectors: Vectors) -> Learner:
    return GradientLearner(TransformerNetwork(base, labels, plan, vectors), labels, plan.reads_once)


# Learners for methods that only one family has; everything else is a Transformer with a head.
STARTS: dict[tuple[str, str], Start] = {
    ("elmo", "mix"): lambda base, labels, plan, vectors: GradientLearner(
        MixNetwork(base, labels, plan, vectors), labels, reads_once=True
    ),
    ("static_vectors", "regression"): lambda base, labels, plan, vectors: RegressionLearner(
        MeansOfWords(base.checkpoint), labels, vectors, scaled=True
    ),
    ("bag_of_words", "regression"): lambda base, labels, plan, vectors: RegressionLearner(
        BagOfWords(), labels, {}, scaled=False
    ),
}


def learner_for(base: Loaded, labels: list[str], plan: Plan, vectors: Vectors | None = None) -> Learner:
    """The learner for a starting point.

    Args:
        base: the starting point.
        labels: their names in order.
        plan: how it will be trained.
        vectors: the starting point's output for rows of an earlier training, if nothing below the head changes.
    """
    start = STARTS.get((base.checkpoint.family, plan.method), _transformer)
    return start(base, labels, plan, {} if vectors is None else vectors)


def nothing_learned(checkpoint: Checkpoint) -> Loaded:
    """A starting point without any weights: the bag of words."""
    from torch import nn

    return Loaded(checkpoint, WORDS, nn.Module(), None, frozenset(), 0, RunLock())
