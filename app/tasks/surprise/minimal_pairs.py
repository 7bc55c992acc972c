"""How surprised a model is: pairs of sentences that differ in one respect, decided by their probability.

Minimal pairs as in BLiMP (Warstadt et al. 2020, arXiv 1912.00582): a model that knows the rule gives the good sentence
the higher log-probability.
"""

from __future__ import annotations

from app.errors import PlaygroundError
from app.results.prompting import MinimalPair, MinimalPairsResult
from app.tasks.checks import check_text, check_whole_number
from app.tasks.surprise.score import score

MOST_PAIRS = 30


def minimal_pairs(lines: str, model: str = "") -> MinimalPairsResult:
    """Score lines of a good sentence, a bar and a bad one.

    Args:
        lines: 1 to 30 such lines.
        model: catalog name of a causal or a masked model; empty for the default of `/score`.

    Raises:
        PlaygroundError: `bad_value`, a line without a bar; the codes of `score`.
    """
    pairs = read_pairs(lines)
    check_whole_number(len(pairs), "pairs", 1, MOST_PAIRS)
    scored, name = [], model
    for good, bad in pairs:
        one, other = score(good, model), score(bad, model)
        scored.append(MinimalPair(good, bad, one.log_probability, other.log_probability))
        name = one.model
    right = [pair.good_log_probability > pair.bad_log_probability for pair in scored]
    return MinimalPairsResult(name, scored, sum(right) / len(right))


def read_pairs(lines: object) -> list[tuple[str, str]]:
    """Each line's two sentences.

    Raises:
        PlaygroundError: `bad_value`, a line without a bar or with nothing on one side of it.
    """
    pairs = []
    for line in check_text(lines, "pairs").splitlines():
        if not line.strip():
            continue
        good, _, bad = (part.strip() for part in line.partition("|"))
        if not good or not bad:
            raise PlaygroundError("bad_value", "pairs", line=line.strip()[:80])
        pairs.append((good, bad))
    return pairs
