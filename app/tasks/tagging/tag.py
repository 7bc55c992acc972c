"""Gives each word of a text a label. Knows words, labels and results; the model is only a `Tagger`."""

from __future__ import annotations

from app.analysis.probabilities import softmax
from app.engine.base import Tagger
from app.engine.heads import TOKEN_CLASSIFICATION
from app.engine.runtime.loader import load_head
from app.engine.runtime.visitor_models import visitor_models
from app.engine.text.tags import OUTSIDE, entities_in, first_pieces, parts_of
from app.engine.text.words import split_words
from app.errors import PlaygroundError
from app.registry.lookup import find, for_task
from app.results.tagging import TaggedEntity, TaggedWord, TagResult
from app.tasks.checks import check_text, check_texts, check_tokens
from app.tasks.unknown import unknown_of


def tag(text: str, model: str = "", visitor: str = "") -> TagResult:
    """Give each word of a text a label, such as the kind of name it is part of; see `/tag`.

    A word's label is that of its first token, as BERT was trained (Devlin et al. 2018, section 5.3); each Chinese
    character is a word. Words whose labels belong together (`B-place`, `I-place`) form an entity.

    Args:
        text: the text.
        model: catalog name of a checkpoint with a token classification head, or the name that `/fine_tune` gave to
            this client for rows with tags; empty for the default.
        visitor: key of the visit, for models that the visitor trained.

    Raises:
        PlaygroundError: `empty_text`, `too_long`, `bad_value`, `unknown_model`, `wrong_model`, `missing_head`,
            `model_unavailable`.
    """
    check_text(text)
    return tag_with(load_tagger(model, visitor, text), text)


def tag_lines(lines: str, model: str, visitor: str = "") -> list[tuple[str, TagResult]]:
    """Each line of a box with the labels of its words.

    Raises:
        PlaygroundError: as `tag`.
    """
    given = [check_text(line) for line in lines.splitlines() if line.strip()] or [check_text("")]
    check_texts(given)
    tagger = load_tagger(model, visitor, given)
    return [(text, tag_with(tagger, text)) for text in given]


def load_tagger(model: str, visitor: str = "", *texts: object) -> Tagger:
    """A checkpoint's trained token classification head, or a model that this visitor trained.

    Raises:
        PlaygroundError: `unknown_model`, `wrong_model`, `missing_head`, `model_unavailable`.
    """
    own = visitor_models().get(visitor, model) if isinstance(model, str) else None
    if own is None:
        return load_head(find(model, "tag", *texts), TOKEN_CLASSIFICATION)
    if TOKEN_CLASSIFICATION not in own.heads:
        raise PlaygroundError("wrong_model", model=model, names=", ".join(one.name for one in for_task("tag")))
    return own.head(TOKEN_CLASSIFICATION)


def tag_with(tagger: Tagger, text: str) -> TagResult:
    """The same with a loaded model.

    Raises:
        PlaygroundError: `empty_text`, `too_long`, `bad_value`.
    """
    encoded = tagger.text.encode(check_text(text))
    check_tokens(len(encoded.input_ids), tagger.max_tokens)
    words = split_words(text)
    pieces = first_pieces(encoded, [(start, end) for _, start, end in words])
    if all(piece is None for piece in pieces):
        raise PlaygroundError("empty_text", field="text")
    ((_, logits),) = tagger.tag_logits([encoded])
    shares = softmax(logits)  # [token, label]
    found = []
    for (word, start, end), piece in zip(words, pieces, strict=True):
        if piece is not None:
            best = int(shares[piece].argmax())
            found.append(TaggedWord(word, start, end, tagger.labels[best], float(shares[piece, best])))
    return TagResult(
        model=tagger.checkpoint.name,
        revision=tagger.checkpoint.revision,
        words=found,
        entities=_entities(found, text),
        kinds=list(dict.fromkeys(parts_of(label)[1] for label in tagger.labels if label != OUTSIDE)),
        unknown=unknown_of(tagger.text, encoded, text),
    )


def _entities(words: list[TaggedWord], text: str) -> list[TaggedEntity]:
    made = []
    for one in entities_in(word.label for word in words):
        inside = words[one.first : one.end]
        start, end = inside[0].start, inside[-1].end
        mean = sum(word.probability for word in inside) / len(inside)
        made.append(TaggedEntity(one.label, start, end, text[start:end], mean))
    return made
