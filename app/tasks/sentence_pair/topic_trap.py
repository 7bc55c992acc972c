"""The experiment behind ALBERT's change of task: does a pair head look at order, or is topic enough for it?

Three pairs: the true next sentence, the same two swapped, and a sentence on another topic. See ALBERT (Lan et al. 2019,
arXiv 1909.11942), table 5.
"""

from __future__ import annotations

from app.engine.storage.bundled_scores import pair_accuracies
from app.registry.lookup import for_task
from app.results.sentence_pair import PairAccuracy, TopicTrapResult
from app.tasks.checks import check_text
from app.tasks.sentence_pair.judge import load_judge, objective_of, pair_probabilities

# Table 5 of the paper: ALBERT trained with either task.
PUBLISHED = (PairAccuracy("ALBERT, table 5", "nsp", 0.905, 0.520), PairAccuracy("ALBERT, table 5", "sop", 0.789, 0.865))
# The rows of the experiment, as indices of (first, second, other).
ROWS = ((0, 1), (1, 0), (0, 2))


def topic_trap(first: str, second: str, other: str, model: str = "") -> TopicTrapResult:
    """Run the three pairs through one model.

    Args:
        first: a sentence.
        second: the true next one.
        other: one on another topic.
        model: catalog name; empty for the default.
    """
    sentences = [check_text(first, "first"), check_text(second, "second"), check_text(other, "other")]
    judge = load_judge(model, sentences)
    probability = pair_probabilities(judge, sentences, ROWS)[:, 0]
    return TopicTrapResult(judge.checkpoint.name, objective_of(judge.checkpoint), probability.tolist())


def measured_accuracies() -> list[PairAccuracy]:
    """Accuracy of the bundled checkpoints' pair heads on both kinds of pairs; empty before they are measured."""
    measured = []
    for checkpoint in for_task("sentence_pair"):
        accuracies = pair_accuracies(checkpoint)
        if accuracies is not None:
            measured.append(PairAccuracy(checkpoint.name, objective_of(checkpoint), *accuracies))
    return measured
