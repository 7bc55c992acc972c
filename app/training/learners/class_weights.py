"""Weights of labels, so that the rows of a rare one count together as much as those of a frequent one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import torch
from torch import Tensor

from app.training.labelled import Example


def balanced_weights(labels: Sequence[str], rows: Sequence[Example]) -> Tensor:
    """n / (k n_c) for each label c: of n rows with k labels, n_c have this one.

    It is what scikit-learn computes for `class_weight="balanced"`, after King and Zeng 2001 ("Logistic Regression in
    Rare Events Data"). Over the rows the weights have the mean 1, so a learning rate that suited them before still
    does.

    Args:
        labels: their names in order.
        rows: that are trained on.
    """
    counts = Counter(row.label for row in rows)
    return torch.tensor([len(rows) / (len(labels) * max(counts[label], 1)) for label in labels])
