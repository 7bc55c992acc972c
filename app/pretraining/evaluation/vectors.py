"""Measures static word vectors: do near vectors mean similar things, and is b - a + c the word that fits?

WordSim-353: Finkelstein et al. 2002. SimLex-999: Hill et al. 2015, arXiv 1408.3456. Questions: Mikolov et al. 2013,
arXiv 1301.3781. All three come with gensim. None of them covers Chinese, so this project adds analogies and likenesses
of its own for both languages (`assets/evaluation`).
"""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import numpy as np
import torch

from app.models.static_vectors import StaticVectors
from app.pretraining.evaluation.inputs import Places
from app.pretraining.recipes import Recipe
from app.pretraining.word_vectors import load

JUDGEMENTS = {"WordSim-353": "wordsim353.tsv", "SimLex-999": "simlex999.txt"}
QUESTIONS = "questions-words.txt"
OWN = Path(__file__).resolve().parents[3] / "assets" / "evaluation"
GOLDEN_WORDS = {
    "en": ("king", "water", "happy", "france", "walked"),
    "zh": ("国王", "水", "高兴", "法国", "医生"),
}
# Questions answered at a time: 512 x 35,000 cosines are 72 MB.
ROWS = 512


def measure(recipe: Recipe, key: str, places: Places) -> dict:
    """Scores of a recipe's bundle."""
    vectors, _ = load(places.models / recipe.name)
    own = {
        "likeness": likeness_score(vectors, OWN / f"likeness_{recipe.language}.tsv"),
        "own_analogies": analogy_scores(vectors, read_pairs(OWN / f"analogies_{recipe.language}.txt")),
    }
    if recipe.language != "en":
        return own
    from gensim.test.utils import datapath

    similarity = {
        name: similarity_score(vectors, read_judgements(Path(datapath(file)))) for name, file in JUDGEMENTS.items()
    }
    published = analogy_scores(vectors, read_questions(Path(datapath(QUESTIONS))))
    return {**own, "similarity": similarity, "analogies": published}


def read_judgements(path: Path) -> list[tuple[str, str, float]]:
    """Pairs of words with people's mean rating."""
    lines = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return [(first, second, float(score)) for first, second, score in lines]


def read_questions(path: Path) -> dict[str, list[list[str]]]:
    """Lower-case questions of four words, by kind: Athens is to Greece as Oslo is to Norway."""
    questions: dict[str, list[list[str]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith(":"):
            kind = questions.setdefault(line[1:].strip(), [])
        else:
            kind.append(line.lower().split())
    return questions


def read_pairs(path: Path) -> dict[str, list[list[str]]]:
    """Questions by kind, from pairs of words in the same relation: every two pairs of a kind, in both orders."""
    pairs: dict[str, list[list[str]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith(":"):
            kind = pairs.setdefault(line[1:].strip(), [])
        else:
            kind.append(line.split())
    return {kind: [[*one, *other] for one, other in permutations(of_kind, 2)] for kind, of_kind in pairs.items()}


def likeness_score(vectors: StaticVectors, path: Path) -> dict:
    """For lines of three words, how often the second is nearer to the first than the third is."""
    lines = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    known = [words for words in lines if None not in map(vectors.row, words)]
    word, alike, other = (vectors([words[at] for words in known]) for at in range(3))
    nearer = torch.cosine_similarity(word, alike) > torch.cosine_similarity(word, other)
    return {"model": round(nearer.float().mean().item(), 4), "triples": len(known), "unknown": len(lines) - len(known)}


def similarity_score(vectors: StaticVectors, judgements: list[tuple[str, str, float]]) -> dict:
    """Spearman's rank correlation of cosines and ratings, over pairs in which both words have a vector."""
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
    """Share of questions whose fourth word is nearest to b - a + c, excluding the three given words ("3CosAdd")."""
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
    """The five nearest words to fixed words."""
    return [
        {"text": word, "top_5": [[near.word, round(near.cosine, 5)] for near in model.nearest(word, 5)]}
        for word in GOLDEN_WORDS[recipe.language]
    ]
