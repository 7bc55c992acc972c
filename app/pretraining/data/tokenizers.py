"""Trains the vocabularies of the bundled checkpoints."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from tokenizers import AddedToken, BertWordPieceTokenizer, ByteLevelBPETokenizer, Regex, Tokenizer, normalizers
from tokenizers.normalizers import Normalizer, Replace
from tokenizers.pre_tokenizers import ByteLevel, Sequence, Split
from tokenizers.trainers import UnigramTrainer
from transformers import (
    AlbertTokenizerFast,
    AutoTokenizer,
    BertTokenizerFast,
    GPT2TokenizerFast,
    PreTrainedTokenizerFast,
    RobertaTokenizerFast,
)

from app.pretraining.data.corpus import read_documents, read_paragraphs

# Signs that phones and word processors write where the training texts have plain ones. The long dash is not replaced:
# the texts contain it, so it gets a piece of its own.
PLAIN = {"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "…": "..."}


def with_plain_signs(normalizer: Normalizer) -> Normalizer:
    """The same normaliser after one that makes curly quotes, short dashes and ellipses plain; offsets are kept."""
    return normalizers.Sequence([*(Replace(sign, plain) for sign, plain in PLAIN.items()), normalizer])


def read_tokenizer(folder: Path) -> PreTrainedTokenizerFast:
    """The tokenizer in a folder with its own normaliser, which transformers would replace by the usual one."""
    tokenizer = AutoTokenizer.from_pretrained(folder)
    whole = folder / "tokenizer.json"
    if whole.is_file():
        tokenizer.backend_tokenizer.normalizer = Tokenizer.from_file(str(whole)).normalizer
    return tokenizer


def _sentences(files: list[Path]) -> Iterator[str]:
    for path in files:
        for document in read_documents(path):
            yield from document


def train_wordpiece(files: list[Path], vocab_size: int, letters: int = 400) -> PreTrainedTokenizerFast:
    """An uncased WordPiece vocabulary, accents stripped, as in BERT's uncased checkpoints.

    Args:
        files: the text.
        vocab_size: number of pieces, including special ones.
        letters: how many of the most frequent characters get a piece; Chinese needs thousands, as each is a word.
    """
    trained = BertWordPieceTokenizer(lowercase=True)
    trained.normalizer = with_plain_signs(trained.normalizer)
    trained.train_from_iterator(_sentences(files), vocab_size=vocab_size, min_frequency=5, limit_alphabet=letters)
    made = BertTokenizerFast(vocab=trained.get_vocab(), do_lower_case=True)
    made.backend_tokenizer.normalizer = with_plain_signs(made.backend_tokenizer.normalizer)
    return made


def train_unigram(files: list[Path], vocab_size: int) -> PreTrainedTokenizerFast:
    """An uncased unigram vocabulary (SentencePiece's model); text is split into words as in ALBERT."""
    empty = AlbertTokenizerFast()
    empty.backend_tokenizer.normalizer = with_plain_signs(empty.backend_tokenizer.normalizer)
    special = [empty.pad_token, empty.unk_token, empty.cls_token, empty.sep_token, empty.mask_token]
    trainer = UnigramTrainer(
        vocab_size=vocab_size, special_tokens=special, unk_token=empty.unk_token, show_progress=False
    )
    empty.backend_tokenizer.train_from_iterator(_sentences(files), trainer)
    scores = json.loads(empty.backend_tokenizer.to_str())["model"]["vocab"]
    made = whole_around_masks(AlbertTokenizerFast(vocab=[(piece, score) for piece, score in scores]))
    made.backend_tokenizer.normalizer = with_plain_signs(made.backend_tokenizer.normalizer)
    return made


# A sign that occurs in no text: it stands for a pair of quotation marks at the start until spaces are marked.
PLACE_HOLDER = "\ue000"


def whole_around_masks(albert: PreTrainedTokenizerFast) -> PreTrainedTokenizerFast:
    """The same tokenizer, except that a mask takes the space before it, and text right after a mask gets no `▁`.

    ALBERT's tokenizer starts anew after a mask, as if a space stood there; in its training, a mask stands for a piece
    inside a text. Texts without a mask are encoded as before.
    """
    content = json.loads(albert.backend_tokenizer.to_str())
    first_pair = [
        _replace({"Regex": r"\A(`(?=`)|'(?='))"}, PLACE_HOLDER),
        _replace({"Regex": f"(?<={PLACE_HOLDER})[`']"}, ""),
        _replace({"String": PLACE_HOLDER}, '"'),
    ]
    spaces = [_replace({"Regex": r"\s+(?=▁)"}, ""), _replace({"Regex": r"\s+"}, " ")]
    content["normalizer"]["normalizers"] = [
        *first_pair,
        *content["normalizer"]["normalizers"],
        *spaces,
        {"type": "Strip", "strip_left": False, "strip_right": True},
    ]
    content["pre_tokenizer"] = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": True}
    for token in content["added_tokens"]:
        token["lstrip"] = token["content"] == albert.mask_token
    roles = {name: str(token) for name, token in albert.special_tokens_map.items()}
    # Unless told otherwise, this class leaves out the segments, and the pair head would take two texts for one.
    named = {"model_input_names": ["input_ids", "token_type_ids", "attention_mask"], **roles}
    return PreTrainedTokenizerFast(tokenizer_object=Tokenizer.from_str(json.dumps(content)), **named)


def _replace(pattern: dict[str, str], content: str) -> dict[str, object]:
    return {"type": "Replace", "pattern": pattern, "content": content}


def train_byte_pairs(files: list[Path], vocab_size: int, *, by_character: bool = False) -> PreTrainedTokenizerFast:
    """A cased byte-level BPE vocabulary like GPT-2's: it can write any text, and nothing is unknown.

    Args:
        files: the text.
        vocab_size: number of pieces, including the special one.
        by_character: no piece is longer than one Chinese character, and a rare character takes two or three pieces. No
            merge then joins two characters, so the tokenizer needs no rule against it.
    """
    model = _train_bytes(files, vocab_size, [GPT2TokenizerFast().eos_token], by_character)
    return GPT2TokenizerFast(vocab=model["vocab"], merges=[tuple(pair) for pair in model["merges"]])


def train_roberta_pairs(files: list[Path], vocab_size: int) -> PreTrainedTokenizerFast:
    """The same with RoBERTa's special pieces and its two rules: no space is put before a text (a full stop after a mask
    would otherwise be encoded as if a space stood before it), and the mask takes the space before it. A word's piece
    contains that space, so a mask hides the whole piece.
    """
    model = _train_bytes(files, vocab_size, ["<s>", "<pad>", "</s>", "<unk>", "<mask>"])
    merges = [tuple(pair) for pair in model["merges"]]
    mask = AddedToken("<mask>", lstrip=True, special=True)
    return RobertaTokenizerFast(vocab=model["vocab"], merges=merges, mask_token=mask)


def _train_bytes(files: list[Path], vocab_size: int, special: list[str], by_character: bool = False) -> dict:
    trained = ByteLevelBPETokenizer()
    if by_character:
        alone = Split(Regex(r"[^\x00-\x7F]"), behavior="isolated")
        trained.pre_tokenizer = Sequence([alone, ByteLevel(add_prefix_space=False)])
    paragraphs = (paragraph for path in files for document in read_paragraphs(path) for paragraph in document)
    trained.train_from_iterator(
        paragraphs, vocab_size=vocab_size, min_frequency=5, special_tokens=special, show_progress=False
    )
    return json.loads(trained.to_str())["model"]
