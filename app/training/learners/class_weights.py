"""Weights of labels that make the rows of a rare label count as much together as those of a frequent one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import torch
from torch import Tensor

from app.training.labelled import Example


def balanced_weights(labels: Sequence[str], rows: Sequence[Example]) -> Tensor:
    """n / (k n_c) for each label c: of n rows with k labels, n_c have this one.

    scikit-learn computes the same for `class_weight="balanced"`, after King and Zeng 2001 ("Logistic Regression in Rare
    Events Data"). The weights' mean over the rows is 1, so a learning rate that was suitable without them still is.

    Args:
        labels: their names in order.
        rows: the training rows.
    """
    counts = Counter(row.label for row in rows)
    return torch.tensor([len(rows) / (len(labels) * max(counts[label], 1)) for label in labels])
