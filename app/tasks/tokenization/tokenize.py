"""A text as a model reads it, and the list of models."""

from __future__ import annotations

from app.engine.runtime.loader import engine
from app.engine.runtime.vocabulary import load_vocabulary
from app.engine.storage.locate import problem, status
from app.engine.text.text_tokenizer import Encoded, TextTokenizer
from app.registry.checkpoint import HOSTS_FOLDER
from app.registry.lookup import find, for_task, hosts_folder
from app.results.text import LostText, ModelEntry, TokenizeResult
from app.tasks.checks import check_text


def tokenize(text: str, model: str = "") -> TokenizeResult:
    """Split a text into a checkpoint's pieces; see `/tokenize`."""
    check_text(text)
    checkpoint = find(model, "tokenize", text)
    vocabulary = load_vocabulary(checkpoint)
    encoded = vocabulary.text.encode(text)
    tokens, lost = vocabulary.text.tokens(encoded), lost_text(vocabulary.text, text, encoded)
    return TokenizeResult(checkpoint.name, vocabulary.revision, tokens, lost)


def lost_text(tokenizer: TextTokenizer, text: str, encoded: Encoded) -> list[LostText]:
    """The parts of a text that the model does not see: its tokenizer has no piece for them and drops them."""
    return [LostText(start, end, text[start:end]) for start, end in tokenizer.lost(text, encoded)]


def list_models(task: str = "") -> list[ModelEntry]:
    """The catalog, or only the checkpoints that serve a task; see `/models`."""
    in_memory = engine().names()
    return [
        ModelEntry(
            name=checkpoint.name,
            family=checkpoint.family,
            language=checkpoint.language,
            source=checkpoint.source,
            repo_id=checkpoint.repo_id,
            revision=HOSTS_FOLDER if hosts_folder(checkpoint) else checkpoint.revision,
            tasks=checkpoint.tasks,
            parameters=checkpoint.parameters,
            download_bytes=checkpoint.download_bytes,
            licence=checkpoint.licence,
            status=status(checkpoint, in_memory),
            problem=problem(checkpoint),
        )
        for checkpoint in for_task(task)
    ]


def changes_letters(text: str, model: str) -> bool:
    """Whether the model reads other letters than were written (lower case, no accents)."""
    for token in tokenize(text, model).tokens:
        if not token.special and token.token.isalpha() and token.token not in text:
            return True
    return False
