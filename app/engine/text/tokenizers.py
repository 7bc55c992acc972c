"""Loads the tokenizer that a folder holds: its own pipeline, not the architecture's usual tokenizer.

`tokenizer.json` is taken as it is. A tokenizer is built from older files only where they define it: `vocab.txt`
(BERT), `vocab.json` with `merges.txt` (GPT, GPT-2, RoBERTa), `spiece.model` (ALBERT), `tokenizer.model` (Llama).
"""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizers import Tokenizer

from app.late_imports import importing

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

    from app.engine.family import Family

WHOLE = "tokenizer.json"
ROLES = ("unk_token", "bos_token", "eos_token", "sep_token", "cls_token", "pad_token", "mask_token")
# A decoder with BERT's vocabulary was trained with BERT's marks around each text.
BERT_MARKS = {"bos_token": "[CLS]", "eos_token": "[SEP]"}
# Classes, by the name in a folder's configuration, that cut as their older files say and as nothing else does.
BY_FILES = frozenset({"Roberta", "GPT2", "OpenAIGPT", "Albert"})
REBUILT = BY_FILES | {"Bert", "Electra", "DistilBert", "Llama", ""}


class TokenizerUnreadable(Exception):
    """A folder's tokenizer cannot be used here.

    Args:
        reason: which sentence of `model_unavailable` says why.
        values: what is put into it.
    """

    def __init__(self, reason: str, **values: object) -> None:
        super().__init__(reason, values)
        self.reason, self.values = reason, values


def load_tokenizer(family: Family, folder: Path) -> PreTrainedTokenizerFast:
    """The tokenizer in a folder.

    Raises:
        TokenizerUnreadable: there is none that can be used here, with the reason.
    """
    return _whole(family, folder) if (folder / WHOLE).is_file() else _rebuilt(family, folder)


def check_tokenizer(folder: Path) -> None:
    """Is there a tokenizer that could be used here, as far as the files tell? Needs no torch.

    Raises:
        TokenizerUnreadable: there is none, with the reason.
    """
    if (folder / WHOLE).is_file():
        _pipeline(folder)
        return
    _named_class(folder)
    here = {path.name for path in folder.iterdir()}
    known = ({"vocab.json", "merges.txt"}, {"spiece.model"}, {"tokenizer.model"})
    if not is_wordpiece(folder) and not any(files <= here for files in known):
        raise _not_read(here)


def _whole(family: Family, folder: Path) -> PreTrainedTokenizerFast:
    with importing():
        from transformers import PreTrainedTokenizerFast

    backend = _pipeline(folder)
    named = special_tokens(family, folder, backend)
    return PreTrainedTokenizerFast(tokenizer_object=backend, model_input_names=input_names(family), **named)


def input_names(family: Family) -> list[str]:
    """What the family's models are given: segments where pairs have them, in ALBERT too, whose own class omits them."""
    name = family.tokenizer_class.__name__
    segments = ["token_type_ids"] if name.startswith(("Bert", "Albert")) else []
    return ["input_ids", *segments, "attention_mask"]


def _pipeline(folder: Path) -> Tokenizer:
    try:
        return Tokenizer.from_file(str(folder / WHOLE))
    except Exception as error:  # the library raises nothing narrower
        raise TokenizerUnreadable(_reason(folder / WHOLE)) from error


def _reason(path: Path) -> str:
    """Why a `tokenizer.json` is not understood: it is damaged, or made by a later version of the library."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return "tokenizer_damaged"
    return "tokenizer_later" if isinstance(content, dict) and "model" in content else "tokenizer_damaged"


def special_tokens(family: Family, folder: Path, backend: Tokenizer) -> dict[str, str]:
    """Which token has which role: as the folder says, else as the architecture's own tokenizer has it."""
    said = read_settings(folder / "special_tokens_map.json") | read_settings(folder / "tokenizer_config.json")
    named = {role: _content(said[role]) for role in ROLES if role in said}
    parameters = inspect.signature(family.tokenizer_class.__init__).parameters
    usual = {role: parameters[role].default for role in ROLES if role in parameters}
    model = json.loads(backend.to_str())["model"]
    if model.get("unk_token"):
        usual["unk_token"] = model["unk_token"]
    if "causal_lm" in family.heads and model["type"] == "WordPiece":
        usual |= BERT_MARKS
    usual = {role: token for role, token in usual.items() if token and backend.token_to_id(str(token)) is not None}
    return {role: token for role, token in (usual | named).items() if token}


def _content(token: object) -> str | None:
    """A token, which older files write out with all its properties."""
    return token.get("content") if isinstance(token, dict) else token if isinstance(token, str) else None


def _rebuilt(family: Family, folder: Path) -> PreTrainedTokenizerFast:
    with importing():
        import transformers

    named = _named_class(folder)
    usual = getattr(transformers, f"{named}TokenizerFast") if named in BY_FILES else family.tokenizer_class
    kind = _class_of_files(usual, folder)
    arguments: dict[str, Any] = {"local_files_only": True}
    if "causal_lm" in family.heads and is_wordpiece(folder):
        arguments |= BERT_MARKS
    try:
        tokenizer = kind.from_pretrained(folder, **arguments)
    except (OSError, ValueError, RuntimeError, KeyError, TypeError, AttributeError) as error:
        raise TokenizerUnreadable("tokenizer_damaged") from error
    return tokenizer


def _named_class(folder: Path) -> str:
    """The kind of tokenizer that a folder's configuration names; empty where it names none.

    Raises:
        TokenizerUnreadable: it cuts with a program that is not here (MeCab, fairseq's BPE).
    """
    said = read_settings(folder / "config.json") | read_settings(folder / "tokenizer_config.json")
    named = str(said.get("tokenizer_class") or "").removesuffix("Fast").removesuffix("Tokenizer")
    if named not in REBUILT:
        raise TokenizerUnreadable("tokenizer_class", kind=f"{named}Tokenizer")
    return named


def _class_of_files(usual: type[Any], folder: Path) -> type[PreTrainedTokenizerFast]:
    """The class that reads a folder's older files: WordPiece by its vocabulary, else the usual one.

    Raises:
        TokenizerUnreadable: they are none of those that are known, or not all of them are there.
    """
    with importing():
        from transformers import BertTokenizerFast

    here = {path.name for path in folder.iterdir()}
    if is_wordpiece(folder):
        return BertTokenizerFast
    needed = _files_of(usual)
    if needed and needed <= here:
        return usual
    raise _not_read(here)


def _not_read(names: set[str]) -> TokenizerUnreadable:
    files = ", ".join(sorted(names & UNREAD))
    return TokenizerUnreadable("tokenizer_files", files=files) if files else TokenizerUnreadable("no_tokenizer")


# What says that a vocabulary is cut by a program that is not here: PhoBERT and BERTweet, CTRL, XLM-R, T5, tiktoken.
UNREAD = frozenset({"bpe.codes", "dict.txt", "sentencepiece.bpe.model", "tokenizer.model", "tekken.json", "vocab.txt",
                    "vocab.json", "spiece.model", "merges.txt"})  # fmt: skip


def _files_of(kind: type[Any]) -> set[str]:
    name = kind.__name__
    if name.startswith("Albert"):
        return {"spiece.model"}
    if name.startswith("Auto"):  # Llama's checkpoints have one of two kinds; transformers converts this one
        return {"tokenizer.model"}
    return set() if name.startswith("Bert") else {"vocab.json", "merges.txt"}


def is_wordpiece(folder: Path) -> bool:
    """Does the folder hold a WordPiece vocabulary, by its own account or as BERT's `vocab.txt`?"""
    whole = folder / WHOLE
    if whole.is_file():
        return read_settings(whole).get("model", {}).get("type") == "WordPiece"
    vocabulary = folder / "vocab.txt"
    others = ("spiece.model", "merges.txt", "bpe.codes")
    if not vocabulary.is_file() or any((folder / name).is_file() for name in others):
        return False
    words = set(vocabulary.read_text(encoding="utf-8", errors="replace").split("\n"))
    return {"[UNK]", "[CLS]", "[SEP]"} <= {word.strip() for word in words}


def read_settings(path: Path) -> dict[str, Any]:
    """A JSON file's object; empty where the file is missing.

    Raises:
        TokenizerUnreadable: it is no JSON object.
    """
    if not path.is_file():
        return {}
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise TokenizerUnreadable("tokenizer_damaged") from error
    if not isinstance(content, dict):
        raise TokenizerUnreadable("tokenizer_damaged")
    return content
