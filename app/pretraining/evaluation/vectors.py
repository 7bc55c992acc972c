"""Measures static word vectors: do near vectors mean alike words, and is b - a + c the word that fits?

WordSim-353: Finkelstein et al. 2002. SimLex-999: Hill et al. 2015, arXiv 1408.3456. Questions: Mikolov et al. 2013,
arXiv 1301.3781. All three come with gensim.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from app.models.static_vectors import StaticVectors
from app.pretraining.evaluation.inputs import Places
from app.pretraining.recipes import Recipe
from app.pretraining.word_vectors import load

JUDGEMENTS = {"WordSim-353": "wordsim353.tsv", "SimLex-999": "simlex999.txt"}
QUESTIONS = "questions-words.txt"
GOLDEN_WORDS = ("king", "water", "happy", "france", "walked")
# Questions answered at a time: 512 x 35,000 cosines are 72 MB.
ROWS = 512


def measure(recipe: Recipe, key: str, places: Places) -> dict:
    """Scores of the bundle that a recipe makes."""
    from gensim.test.utils import datapath

    vectors, _ = load(places.models / recipe.name)
    similarity = {
        name: similarity_score(vectors, read_judgements(Path(datapath(file)))) for name, file in JUDGEMENTS.items()
    }
    return {"similarity": similarity, "analogies": analogy_scores(vectors, read_questions(Path(datapath(QUESTIONS))))}


def read_judgements(path: Path) -> list[tuple[str, str, float]]:
    """Pairs of words with people's mean judgement."""
    lines = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return [(first, second, float(score)) for first, second, score in lines]


def read_questions(path: Path) -> dict[str, list[list[str]]]:
    """Questions of four words, small, by kind: Athens is to Greece as Oslo is to Norway."""
    questions: dict[str, list[list[str]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith(":"):
            kind = questions.setdefault(line[1:].strip(), [])
        else:
            kind.append(line.lower().split())
    return questions


def similarity_score(vectors: StaticVectors, judgements: list[tuple[str, str, float]]) -> dict:
    """Spearman's rank correlation of the cosines with the judgements, over pairs whose words both have a vector."""
    from scipy.stats import spearmanr

    known = [row for row in judgements if None not in (vectors.row(row[0]), vectors.row(row[1]))]
    first, second = (vectors([row[side] for row in known]) for side in (0, 1))
    cosines = torch.nn.functional.cosine_similarity(first, second).numpy()
    return {
        "model": round(float(spearmanr(cosines, [row[2] for row in known]).statistic), 4),
        "pairs": len(known),
        "unknown": len(judgements) - len(known),
    }


def analogy_scores(vectors: StaticVectors, questions: dict[str, list[list[str]]]) -> dict:
    """Share of questions whose fourth word is the nearest to b - a + c, the three left out ("3CosAdd")."""
    right: dict[str, list[bool]] = {}
    for kind, asked in questions.items():
        rows = [row for words in asked if None not in (row := [vectors.row(word) for word in words])]
        if rows:
            right[kind] = _answered(vectors, np.array(rows)).tolist()
    every = [hit for hits in right.values() for hit in hits]
    return {
        "model": round(float(np.mean(every)), 4),
        "questions": len(every),
        "unknown": sum(map(len, questions.values())) - len(every),
        "by_kind": {kind: round(float(np.mean(hits)), 4) for kind, hits in right.items()},
    }


def _answered(vectors: StaticVectors, rows: np.ndarray) -> np.ndarray:
    unit = torch.nn.functional.normalize(vectors.vectors.detach(), dim=1)
    hits = []
    for a, b, c, d in (torch.from_numpy(part).T for part in np.array_split(rows, -(-len(rows) // ROWS))):
        cosines = (unit[b] - unit[a] + unit[c]) @ unit.T
        for given in (a, b, c):
            cosines.scatter_(1, given[:, None], -torch.inf)
        hits.append((cosines.argmax(dim=1) == d).numpy())
    return np.concatenate(hits)


def golden(recipe: Recipe, model: StaticVectors, tokenizer: None) -> list[dict]:
    """The five nearest words to fixed ones."""
    return [
        {"text": word, "top_5": [[near.word, round(near.cosine, 5)] for near in model.nearest(word, 5)]}
        for word in GOLDEN_WORDS
    ]
