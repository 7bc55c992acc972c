"""Reads the sources' own file formats: each function turns one file into documents, each a list of paragraphs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

Document = list[str]
Reader = Callable[[str], Iterator[Document]]

_ARTICLE = re.compile(r"<doc [^>]*>\n(.*?)</doc>", re.DOTALL)
_PARTS_OF_SPEECH = {"n": "noun", "v": "verb", "a": "adjective", "s": "adjective", "r": "adverb"}
GLOSSES_A_DOCUMENT = 40


def wiki_extractor(text: str) -> Iterator[Document]:
    """WikiExtractor's output: articles between `<doc>` tags, the title first, one paragraph per line."""
    for match in _ARTICLE.finditer(text):
        _title, *lines = match.group(1).strip("\n").split("\n")
        yield [line.strip() for line in lines if line.strip()]


def story(text: str) -> Iterator[Document]:
    """A picture book in Markdown: a title, pages after `##`, its licence in a list at the end."""
    licence = re.search(r"^\* License: \[(.*?)\]", text, re.MULTILINE)
    if licence is None or "NC" in licence.group(1):
        return
    pages = text[: licence.start()].split("\n##")[1:]
    yield [
        " ".join(line.strip() for line in page.split("\n") if line.strip() and not line.startswith("*"))
        for page in pages
    ]


def plain(text: str) -> Iterator[Document]:
    """Running text in paragraphs, with or without empty lines between them."""
    yield [" ".join(block.split()) for block in re.split(r"\n\s*\n|\n(?=[A-Z])", text) if block.strip()]


def wordnet(text: str) -> Iterator[Document]:
    """A `data.*` file of WordNet, one synset per line. Words and gloss make a sentence, and the examples follow."""
    lines = [_gloss(line) for line in text.split("\n") if " | " in line and not line.startswith("  ")]
    for start in range(0, len(lines), GLOSSES_A_DOCUMENT):
        yield lines[start : start + GLOSSES_A_DOCUMENT]


def _gloss(line: str) -> str:
    fields, _, gloss = line.partition(" | ")
    _offset, _file, part, count, *rest = fields.split()
    words = [re.sub(r"\(.*\)$", "", word).replace("_", " ") for word in rest[: 2 * int(count, 16) : 2]]
    told, *examples = re.split(r'; (?=")', gloss.strip())
    also = f", also called {', '.join(words[1:3])}" if len(words) > 1 else ""
    sentences = [f"{words[0]} ({_PARTS_OF_SPEECH[part]}){also}: {told}."]
    for example in examples:
        said = example.strip('"; ')
        sentences.append(said if said.endswith((".", "!", "?")) else f"{said}.")
    return " ".join(
        sentence[:1].upper() + sentence[1:] if number else sentence for number, sentence in enumerate(sentences)
    )


READERS: dict[str, Reader] = {reader.__name__: reader for reader in (wiki_extractor, story, plain, wordnet)}
