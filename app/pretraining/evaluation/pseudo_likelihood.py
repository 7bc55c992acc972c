"""How likely a masked LM finds a sentence: each piece is hidden in turn, and the log-probabilities are summed.

Pseudo-log-likelihood, Salazar et al. 2020 (arXiv 1910.14659), equation 1.
"""

from __future__ import annotations

import numpy as np
import torch

from app.pretraining.evaluation.masked_answers import Judge

# Rows per pass: one for each piece of a few dozen sentences.
ROWS = 256


def pseudo_log_probabilities(judge: Judge, rows: list[np.ndarray]) -> list[np.ndarray]:
    """The natural log of P(id | all others in its row) for every id but each row's first, which begins the text."""
    holes = [(number, place) for number, row in enumerate(rows) for place in range(1, len(row))]
    holes.sort(key=lambda hole: len(rows[hole[0]]))  # rows of equal length share a pass
    scores = [np.zeros(len(row) - 1) for row in rows]
    for at in range(0, len(holes), ROWS):
        part = holes[at : at + ROWS]
        for (number, place), score in zip(part, _at_holes(judge, rows, part), strict=True):
            scores[number][place - 1] = score
    return scores


@torch.inference_mode()
def _at_holes(judge: Judge, rows: list[np.ndarray], holes: list[tuple[int, int]]) -> list[float]:
    tokenizer = judge.tokenizer
    masked = [[*rows[number].tolist(), tokenizer.sep_token_id] for number, _ in holes]
    for ids, (_, place) in zip(masked, holes, strict=True):
        ids[place] = tokenizer.mask_token_id
    batch = tokenizer.pad({"input_ids": masked}, return_tensors="pt").to(judge.model.device)
    hidden = judge.model.base_model(**batch).last_hidden_state  # [hole, token, hidden]
    places = torch.tensor([place for _, place in holes], device=hidden.device)
    logits = judge.prediction_logits(hidden[torch.arange(len(holes), device=hidden.device), places])
    hidden_ids = torch.tensor([int(rows[number][place]) for number, place in holes], device=hidden.device)
    return logits.float().log_softmax(-1).gather(-1, hidden_ids[:, None])[:, 0].tolist()
