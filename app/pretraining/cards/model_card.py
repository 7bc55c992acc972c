"""Writes a bundle's model card in the Hub's layout from its `train.json`; `descriptions.py` has each model's texts."""

from __future__ import annotations

from pathlib import Path

from app.pretraining.cards.descriptions import ABOUT, About

WORD_FAMILIES = ("elmo", "static_vectors")


def write_card(folder: Path, record: dict) -> None:
    """Write the bundle's `README.md`; `record` is its `train.json`, with scores if it was measured."""
    about = ABOUT[record["recipe"]["name"]]
    parts = [_header(about, record), f"# {about.title}", about.what, _recipe(record), _corpus(record)]
    parts += [section(record["scores"][name]) for name, section in SECTIONS.items() if name in record.get("scores", {})]
    parts += ["## What it cannot do", about.limits]
    (folder / "README.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def _header(about: About, record: dict) -> str:
    lines = [f"license: {about.licence}", f"language: {record['recipe']['language']}", *_library(about)]
    lines += [f"base_model: {about.base_model}", "base_model_relation: adapter"] if about.base_model else []
    return "\n".join(["---", *lines, f"pipeline_tag: {about.pipeline}", "tags:", "- pretraining", "- education", "---"])


def _library(about: About) -> list[str]:
    return ["library_name: transformers"] if about.library == "transformers" else []


def _recipe(record: dict) -> str:
    recipe = record["recipe"]
    unit = "words" if recipe["family"] in WORD_FAMILIES else "pieces"
    lengths = "/".join(str(length) for length in sorted(set(recipe["lengths"])))
    shape = ", ".join(f"{name} {value}" for name, value in recipe["config"].items())
    rows = [
        ("weights trained", f"{record['trained_parameters']:,} of {record['parameters']:,}"),
        ("vocabulary", f"{recipe['vocab_size']:,} {unit}"),
        ("shape", shape or "the base's"),
    ]
    if "steps" in record:
        rates = f"{recipe['learning_rate']:g}, warm-up, then linearly to 0; AdamW"
        if recipe.get("matrix_learning_rate"):
            rates += f"; {recipe['matrix_learning_rate']:g} with Muon for the layers' matrices"
        rows += [
            ("steps, tokens", f"{record['steps']:,} steps, {record['tokens'] / 1e6:.1f} M tokens"),
            ("passes over the text", f"{record['passes']} whole ones and a part of the next"),
            ("sequences", f"up to {lengths} {unit}, {recipe['tokens_per_batch']:,} {unit} a batch"),
            ("peak learning rate", rates),
        ]
    if "words" in record:
        rows += [("text", f"{record['words']:,} words"), ("method", "co-occurrences, positive PMI, truncated SVD")]
    rows += [
        (
            "time",
            ", ".join([f"{record['hours']} hours on {record['hardware']}", *filter(None, [record.get("precision")])]),
        ),
        ("seed", str(recipe["seed"])),
    ]
    table = "\n".join(f"| {name} | {value} |" for name, value in rows)
    return f"## Recipe\n\n| | |\n|---|---|\n{table}\n\n`train.json` has every number."


def _corpus(record: dict) -> str:
    licences = dict.fromkeys(entry["licence"] for entry in record["corpus"])
    return "## Texts\n\n" + "\n".join(f"- {licence}" for licence in licences)


def _first_and_five(scores: dict, parts: dict[str, dict] = {}, count: str = "sentences") -> str:
    rows = {"**this model**": scores["model"], **scores["baselines"], **parts}
    lines = [
        f"| {name} | {score['top_1']:.1%} | {score['top_5']:.1%} | {score[count]:,} |" for name, score in rows.items()
    ]
    return "\n".join([f"| | first answer right | among the first five | {count} |", "|---|---|---|---|", *lines])


def _typed(scores: dict) -> str:
    table = _first_and_five(scores, {f"this model, {kind}": score for kind, score in scores["by_kind"].items()})
    return (
        "## Sentences as they are typed\n\nSingle held-out sentences (English: 6 to 16 words; Chinese: 8 to 30 "
        "characters), one whole word hidden, any word; asked as the page asks, words compared. The baselines count in "
        "the same training text.\n\n" + table
    )


def _typed_next(scores: dict) -> str:
    table = _first_and_five(scores)
    return (
        "## The next word of a sentence\n\nSingle held-out sentences cut before a word, at least three words in; "
        "whole words compared. The baseline counts in the same training text.\n\n" + table
    )


def _typed_pairs(scores: dict) -> str:
    names = {"nsp": "does the second follow, or is it another pair's?", "sop": "in order, or swapped?"}
    table = "\n".join(
        f"| {names[task]} | {score['model']:.1%} | {score['chance']:.0%} | {score['pairs']:,} |"
        for task, score in scores.items()
    )
    return (
        "## Pairs as they are typed\n\nSixty everyday pairs written for this measure, as many wrong ones; asked as the "
        f"page asks.\n\n| question | this model | chance | pairs |\n|---|---|---|---|\n{table}"
    )


def _masked(scores: dict) -> str:
    by_file = {f"this model on `{file}`": score for file, score in scores["by_file"].items()}
    table = _first_and_five(scores, by_file, "pieces")
    return (
        "## Hidden pieces\n\n15 % of all pieces (whole words, parts of words, punctuation) of held-out documents are "
        "hidden as in BERT's training (80 % `[MASK]`, 10 % another piece, 10 % left), in segments of up to 128 pieces; "
        "seed fixed. The baselines count in the same training text and see the same input. Files with `r_` are from "
        "sources that were not trained on.\n\n" + table
    )


def _pairs(scores: dict) -> str:
    names = {
        "nsp": "next sentence, or one from another document?",
        "sop": "order of two neighbours",
        "opening": "order of a document's first two sentences",
    }
    rows = [
        (names[task], *(f"{score[rival]:.1%}" for rival in ("model", "topic overlap", "chance")), f"{score['pairs']:,}")
        for task, score in scores.items()
    ]
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    return (
        "## Sentence pairs\n\nTwo single sentences from held-out documents. Topic overlap: shared pieces weighted by "
        "rarity, with a threshold fitted on the training text. A head trained on one question is asked the other one "
        "too (ALBERT's Table 5 in miniature: topic answers the first question, not the second).\n\n"
        f"| question | this model | topic overlap | larger class | pairs |\n|---|---|---|---|---|\n{table}"
    )


UNITS = {"word": "words (parted by spaces)", "character": "characters"}


def _perplexity(scores: dict) -> str:
    unit = scores["unit"]
    rows = [("**this model**", scores["model"]), *scores["baselines"].items()]
    rows += [(f"this model on `{file}`", score) for file, score in scores["by_file"].items()]
    table = "\n".join(
        f"| {name} | {score['word']:,.1f} | {score['piece']:,.1f} | {score['words']:,} |" for name, score in rows
    )
    return (
        f"## Perplexity\n\nHow many equally likely {UNITS[unit]} or pieces the model seems to choose from in "
        "held-out documents; lower is better. The Kneser-Ney model (modified, interpolated) counted the same training "
        "text in the same pieces. Files with `r_` are from sources that were not trained on.\n\n"
        f"| | per {unit} | per piece | {unit}s |\n|---|---|---|---|\n{table}"
    )


def _minimal_pairs(scores: dict) -> str:
    rows = [("**this model**", scores["model"]), *(scores["baselines"] | {"chance": 0.5}).items()]
    rows += [(f"this model on `{name}`", score) for name, score in scores["by_paradigm"].items()]
    table = "\n".join(f"| {name} | {score:.1%} |" for name, score in rows)
    return (
        "## Minimal pairs\n\nBLiMP (Warstadt et al. 2020): is the correct one of two nearly equal sentences the "
        f"likelier one? Mean over {len(scores['by_paradigm'])} of its 67 paradigms, "
        f"{scores.get('pairs_of_a_paradigm', 1000):,} pairs each.\n\n"
        f"| | right |\n|---|---|\n{table}"
    )


def _two_way(scores: dict) -> str:
    rows = [("**this model**", scores["model"]), *scores["baselines"].items()]
    rows += [(f"this model on `{file}`", score) for file, score in scores["by_file"].items()]
    table = "\n".join(
        f"| {name} | {score['forward']:,.1f} | {score['backward']:,.1f} | {score['words']:,} | {score['unknown']:.1%} |"
        for name, score in rows
    )
    return (
        "## Perplexity\n\nOf the next and of the previous word in single held-out sentences, lower is better. Words "
        "that the softmax does not list count as one unknown word. The Kneser-Ney models (modified, interpolated) "
        "counted the same training text with the same words, one of them read backward. Files with `r_` are from "
        "sources that were not trained on.\n\n"
        f"| | next word | previous word | words | unknown |\n|---|---|---|---|---|\n{table}"
    )


def _senses(scores: dict) -> str:
    names = [*scores["model"], *scores["baselines"]]
    rows = [("**mean**", scores["model"] | scores["baselines"]), *scores["by_word"].items()]
    table = "\n".join(f"| {word} | {' | '.join(f'{row[name]:.1%}' for name in names)} |" for word, row in rows)
    return (
        "## Senses of a word\n\nCoarseWSD-20 (Loureiro et al. 2021), ten of its words, up to 500 training and 300 test "
        "occurrences of each: has the training occurrence with the nearest vector the same sense?\n\n"
        f"| | {' | '.join(names)} |\n|---|{'---|' * len(names)}\n{table}"
    )


def _similarity(scores: dict) -> str:
    table = "\n".join(
        f"| {name} | {score['model']:.3f} | {score['pairs']:,} | {score['unknown']:,} |"
        for name, score in scores.items()
    )
    return (
        "## Likeness\n\nSpearman's rank correlation of the cosines with people's judgements; without any knowledge it "
        "would be 0.\n\n| | correlation | pairs | left out: a word without a vector |\n|---|---|---|---|\n" + table
    )


def _analogies(scores: dict) -> str:
    rows = [("**all**", scores["model"]), *scores["by_kind"].items()]
    table = "\n".join(f"| {kind} | {score:.1%} |" for kind, score in rows)
    return (
        "## Analogies\n\nAthens is to Greece as Oslo is to ...: is the right word the nearest of all to b - "
        f"a + c? {scores['questions']:,} questions of Mikolov et al. 2013; {scores['unknown']:,} hold a word without a "
        f"vector and are left out.\n\n| | right |\n|---|---|\n{table}"
    )


def _likeness(scores: dict) -> str:
    return (
        "## Alike, or only together?\n\nThree words written for this measure (`assets/evaluation`): one, one that can "
        "stand in its place, one that often stands beside it (*dog*, *cat*, *bone*). Is the second nearer than the "
        "third? Guessing has a half.\n\n"
        f"| right | triples | left out: a word without a vector |\n|---|---|---|\n"
        f"| {scores['model']:.1%} | {scores['triples']} | {scores['unknown']} |"
    )


def _own_analogies(scores: dict) -> str:
    rows = [("**all**", scores["model"]), *scores["by_kind"].items()]
    table = "\n".join(f"| {kind} | {score:.1%} |" for kind, score in rows)
    return (
        "## Analogies of common words\n\nEvery two pairs of a kind (`assets/evaluation`) make a question: is the right "
        "word the nearest of the whole list to b - a + c, the three given ones left out? "
        f"{scores['questions']:,} questions; {scores['unknown']:,} hold a word without a vector and are left out.\n\n"
        f"| | right |\n|---|---|\n{table}"
    )


SECTIONS = {
    "typed": _typed,
    "typed_next": _typed_next,
    "typed_pairs": _typed_pairs,
    "masked_pieces": _masked,
    "sentence_pairs": _pairs,
    "perplexity": _perplexity,
    "minimal_pairs": _minimal_pairs,
    "two_way_perplexity": _two_way,
    "senses": _senses,
    "likeness": _likeness,
    "own_analogies": _own_analogies,
    "similarity": _similarity,
    "analogies": _analogies,
}
