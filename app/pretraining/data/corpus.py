"""Training text: the files that may be used, their documents and sentences in order, and the tokenised form.

Knows files and sentences, no model. A corpus file has one paragraph per line and an empty line between documents.
"""

from __future__ import annotations

import hashlib
import lzma
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

# Prefix of files whose licence forbids shipping anything made from them.
RESTRICTED = "r_"
# Definitions and examples, one per line: the model learns words from them, but neighbouring lines are unrelated.
NOT_RUNNING_TEXT = frozenset({"wordnet_glosses", "everyday_en", "everyday_zh"})
# Short everyday sentences written for this project: visitors type such sentences, and the other texts hardly have any.
EVERYDAY = Path(__file__).resolve().parents[3] / "assets" / "everyday"

LICENCES = {
    "everyday_en": "everyday sentences, written for this project: CC0",
    "everyday_zh": "everyday sentences, written for this project: CC0",
    "masc_written": "MASC (Open American National Corpus): free for education, research and development",
    "novels": "novels 1839-1927: public domain in the US",
    "onestop_news_for_learners": "OneStopEnglish: CC BY-SA 4.0",
    "openstax_textbooks": "OpenStax, Rice University (Psychology 2e, Sociology 3e, U.S. History): CC BY 4.0",
    "storybooks": "Pratham Books StoryWeaver and African Storybook: CC BY 4.0",
    "us_speeches": "US State of the Union and inaugural addresses: public domain",
    "wikinews": "Wikinews contributors: CC BY 2.5",
    "wikipedia_core": "English Wikipedia contributors: CC BY-SA 3.0",
    "wikipedia_zh": "Chinese Wikipedia contributors: CC BY-SA 3.0 and 4.0",
    "wordnet_glosses": "WordNet 3.0, Princeton University: WordNet licence",
    "world_factbook": "CIA World Factbook: public domain",
}

_SENTENCE_END = re.compile(r"""[.!?]["')\]]*\s+(?=["'(\[]*[A-Z0-9])|[。！？][”』」）]*""")
_ABBREVIATION = re.compile(
    r"""(?:^|[\s("'])(?:Mr|Mrs|Ms|Dr|St|Jr|Sr|Prof|Gen|Col|Rev|Hon|vs|etc|No|Vol|U\.S|U\.K|[A-Z])\.$"""
)


@dataclass(frozen=True)
class Corpus:
    """Token ids of many documents in one flat array; index arrays mark where sentences and documents start."""

    ids: np.ndarray  # uint16 or uint32 [tokens]
    sentence_starts: np.ndarray  # int64 [sentences + 1], indices into ids
    document_starts: np.ndarray  # int64 [documents + 1], indices into sentences
    running_text: np.ndarray  # bool [documents]: whether neighbouring sentences may form pairs

    def sentence(self, index: int) -> np.ndarray:
        """Token ids of one sentence."""
        return self.ids[self.sentence_starts[index] : self.sentence_starts[index + 1]]

    @property
    def documents(self) -> int:
        """Number of documents."""
        return len(self.document_starts) - 1


def stem(path: Path) -> str:
    """`wikinews_2.txt.xz` -> `wikinews`: the source a file belongs to."""
    return re.sub(r"(_\d+)?\.txt(\.xz)?$", "", path.name)


def corpus_files(folder: Path, language: str) -> list[Path]:
    """All files of a language that may be shipped in a model, in a fixed order."""
    files = sorted((folder / language).glob("*.txt.xz"))
    return [path for path in files if not path.name.startswith(RESTRICTED)]


def training_files(folder: Path, language: str, everyday_passes: int) -> list[Path]:
    """The files a recipe learns from; the few everyday sentences are repeated `everyday_passes` times."""
    return [*corpus_files(folder, language), *[EVERYDAY / f"everyday_{language}.txt"] * everyday_passes]


def sha256_of(path: Path) -> str:
    """The file's SHA-256, for `train.json`."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def corpus_record(files: list[Path]) -> list[dict[str, str]]:
    """The files with their hashes and licences, for `train.json`.

    Raises:
        KeyError: a source has no line in `LICENCES`.
    """
    return [
        {"file": path.name, "sha256": sha256_of(path), "licence": LICENCES[stem(path)]} for path in dict.fromkeys(files)
    ]


def split_sentences(paragraph: str) -> list[str]:
    """Cut a paragraph after full stops, question marks and exclamation marks, but not after common abbreviations."""
    sentences, start = [], 0
    for match in _SENTENCE_END.finditer(paragraph):
        if _ABBREVIATION.search(paragraph[start : match.start() + 1]):
            continue
        sentences.append(paragraph[start : match.end()].strip())
        start = match.end()
    sentences.append(paragraph[start:].strip())
    return [sentence for sentence in sentences if sentence]


def read_documents(path: Path) -> Iterator[list[str]]:
    """The documents of one file, each as a list of its sentences."""
    for paragraphs in read_paragraphs(path):
        yield [sentence for paragraph in paragraphs for sentence in split_sentences(paragraph)]


def read_paragraphs(path: Path) -> Iterator[list[str]]:
    """The documents of one file, each as a list of its paragraphs."""
    document: list[str] = []
    with (lzma.open if path.suffix == ".xz" else open)(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                document.append(line.strip())
            elif document:
                yield document
                document = []
    if document:
        yield document


def tokenise(files: list[Path], tokenizer: Tokenizer, before_every_other: str = "") -> Corpus:
    """Read and tokenise the files, without special tokens.

    Args:
        files: of the corpus.
        tokenizer: encodes each sentence by itself.
        before_every_other: put before every second sentence of a document. Where pieces include the space before them,
            a first word has two forms, at the start of a text and after another sentence; " " teaches both.
    """
    pieces: list[np.ndarray] = []
    sentence_starts, document_starts, running_text, total = [0], [0], [], 0
    dtype = np.uint16 if tokenizer.get_vocab_size() <= 2**16 else np.uint32
    for path in files:
        for document in read_documents(path):
            sentences = [before_every_other * (number % 2) + sentence for number, sentence in enumerate(document)]
            for encoding in tokenizer.encode_batch_fast(sentences, add_special_tokens=False):
                pieces.append(np.array(encoding.ids, dtype=dtype))
                total += len(encoding.ids)
                sentence_starts.append(total)
            document_starts.append(len(sentence_starts) - 1)
            running_text.append(stem(path) not in NOT_RUNNING_TEXT)
    return Corpus(np.concatenate(pieces), np.array(sentence_starts), np.array(document_starts), np.array(running_text))


def load_or_make(cache: Path, make: Callable[[], Corpus]) -> Corpus:
    """The corpus from `cache`, or from `make` when there is no cache."""
    fields = ("ids", "sentence_starts", "document_starts", "running_text")
    if not cache.exists():
        corpus = make()
        cache.parent.mkdir(parents=True, exist_ok=True)
        np.savez(cache, **{field: getattr(corpus, field) for field in fields})
    with np.load(cache) as arrays:
        return Corpus(**{field: arrays[field] for field in fields})
