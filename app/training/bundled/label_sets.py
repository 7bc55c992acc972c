"""The labelled sets of the bundled classifiers: files, names of labels, and texts for the model cards."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.training.labelled import Example


@dataclass(frozen=True)
class LabelSet:
    """One set of labelled texts.

    Attributes:
        folder: in the evaluation sets, with `train.tsv` and `dev.tsv`; `dev.tsv` is only used for measuring.
        name: as in papers.
        language: of its texts.
        labels: from the number in the files to the name that visitors see.
        opinions: this project's files in `assets` with short everyday opinions in the same language.
        texts: description of its texts in the model card.
        about: the model card's paragraph on the set.
        licence: of the set.
        published: a large model's score for the model card; empty if there is none to compare with.
        golden: five texts whose answers are pinned.
    """

    folder: str
    name: str
    language: str
    labels: dict[str, str]
    opinions: tuple[str, ...]
    texts: str
    about: str
    licence: str
    published: str
    golden: tuple[str, ...]


SST2 = LabelSet(
    folder="sst2",
    name="SST-2",
    language="en",
    labels={"0": "negative", "1": "positive"},
    opinions=("samples/opinions.txt", "everyday/opinions_en.txt"),
    texts="sentences of film reviews, in English",
    about=(
        'sentences of SST-2 (Socher et al. 2013, "Recursive Deep Models for Semantic Compositionality Over a Sentiment'
        '\nTreebank"), lower-cased and cut into words. Released for research; none of its text is in this folder.'
    ),
    licence="SST-2 (Socher et al. 2013), released for research; the copy names no licence",
    published="BERT base, published (trained on ten times the rows) | 93.5%",
    golden=(
        "The movie is wonderful and the actors are brilliant.",
        "A dull and stupid waste of time.",
        "The story is told with great care, and the ending moved me.",
        "Nothing in this film works, and it goes on for three hours.",
        "I did not like the music, but the pictures are beautiful.",
    ),
)
HOTELS = LabelSet(
    folder="chnsenticorp",
    name="ChnSentiCorp (hotels)",
    language="zh",
    labels={"0": "差评", "1": "好评"},
    opinions=("samples/opinions_zh.txt", "everyday/opinions_zh.txt"),
    texts="Chinese reviews of hotels",
    about=(
        "Chinese hotel reviews of ChnSentiCorp (collected by Tan Songbo for research; a copy of `htl_all` without its\n"
        "repeated rows). Offered for research; none of its text is in this folder."
    ),
    licence="ChnSentiCorp hotel reviews (Tan Songbo), offered for research; the copy names no licence",
    published="",
    golden=(
        "房间很干净，服务员也很热情，下次还会再来。",
        "太吵了，一夜没睡好，早餐也很难吃。",
        "位置不错，离车站很近，价格也便宜。",
        "空调坏了，打电话到前台没有人理，再也不来了。",
        "房间有点小，不过总的来说还可以。",
    ),
)


# The opinions' own labels as numbers of the sets.
NUMBER_OF = {"negative": "0", "positive": "1", "负面": "0", "正面": "1"}


def read_rows(labels: LabelSet, path: Path) -> list[Example]:
    """A TSV file with a header line and two columns: the label's number and the text."""
    lines = path.read_text(encoding="utf-8").split("\n")[1:]
    pairs = (line.split("\t") for line in lines if line)
    return [Example(text, labels.labels[label]) for label, text in pairs]


def read_opinions(labels: LabelSet, path: Path) -> list[Example]:
    """Lines of `text | label`, as on the fine-tuning page, with the set's labels."""
    parts = [line.rsplit("|", 1) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [Example(text.strip(), labels.labels[NUMBER_OF[label.strip()]]) for text, label in parts]
