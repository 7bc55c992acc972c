"""A folder's own tokenizer pipeline splits its texts, whatever its architecture's usual tokenizer would do."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import PreTrainedTokenizerFast

from app.engine.runtime.vocabulary import load_vocabulary
from app.engine.text.tokenizers import TokenizerUnreadable, load_tokenizer
from app.errors import PlaygroundError
from app.registry.lookup import BY_NAME
from app.tasks.tokenization.alignment import cut
from app.tasks.tokenization.tokenize import tokenize
from tests.characters import whole_characters
from tests.checkpoints import build, save
from tests.conftest import SetSetting

KOREAN = ["오늘은 비가 온다", "the cat sat", "the cat ran", "오늘은 온다"] * 5


@pytest.fixture
def host(tmp_path: Path, set_setting: SetSetting) -> Iterator[Path]:
    """The host's own folder, empty."""
    set_setting(models=str(tmp_path))
    yield tmp_path


def put(host: Path, name: str, family: str, backend: Tokenizer, **roles: str) -> PreTrainedTokenizerFast:
    """A checkpoint under a name of the catalog with this tokenizer; the tokenizer as transformers loads it."""
    save(host / name, build(family, PreTrainedTokenizerFast(tokenizer_object=backend)), _Written(backend, roles))
    return PreTrainedTokenizerFast.from_pretrained(host / name)


class _Written:
    """Saves `tokenizer.json` exactly as the library writes it."""

    def __init__(self, backend: Tokenizer, roles: dict[str, str]) -> None:
        self.backend, self.roles = backend, roles

    def save_pretrained(self, folder: Path) -> None:
        self.backend.save(str(folder / "tokenizer.json"))
        (folder / "tokenizer_config.json").write_text(json.dumps(self.roles), encoding="utf-8")


def word_pairs() -> Tokenizer:
    """BPE over words with SentencePiece's space mark, as Korean and Japanese GPT-2s have."""
    made = Tokenizer(models.BPE(unk_token="<unk>"))
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    made.decoder = decoders.Metaspace()
    made.train_from_iterator(KOREAN, trainers.BpeTrainer(vocab_size=200, special_tokens=["<unk>", "</s>"]))
    return made


def word_list() -> Tokenizer:
    made = Tokenizer(models.WordLevel({"[UNK]": 0, "the": 1, "cat": 2, "sat": 3}, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.add_special_tokens(["[UNK]"])
    return made


def course_wordpiece() -> Tokenizer:
    """Small letters with their accents, digits one by one, cut at spaces alone: each differs from BERT's."""
    made = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    made.normalizer = normalizers.Sequence([normalizers.NFC(), normalizers.Lowercase()])
    digits = pre_tokenizers.Digits(individual_digits=True)
    made.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), digits])
    specials = ["[UNK]", "[PAD]", "[CLS]", "[SEP]", "[MASK]"]
    texts = ["café in room 1 2 3", "don't . stop"] * 9
    made.train_from_iterator(texts, trainers.WordPieceTrainer(vocab_size=200, special_tokens=specials))
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    made.decoder = decoders.WordPiece()
    return made


def llama_pairs() -> Tokenizer:
    """SentencePiece BPE with bytes to fall back on, in the layout of Llama's tokenizer.json."""
    pieces = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), *"▁thecas", "▁t", "he", "▁the"]
    vocab = {piece: index for index, piece in enumerate(dict.fromkeys(pieces))}
    merges = [("▁", "t"), ("h", "e"), ("▁t", "he")]
    made = Tokenizer(models.BPE(vocab, merges, unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    made.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    made.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    made.add_special_tokens(["<unk>", "<s>", "</s>"])
    return made


def pieces(text: str, name: str) -> list[str]:
    return [token.piece for token in tokenize(text, name).tokens if token.start is not None]


def test_pairs_over_words(host: Path) -> None:
    peer = put(host, "gpt2", "gpt2", word_pairs(), unk_token="<unk>", eos_token="</s>")
    for text in ("오늘은 비가 온다", "the cat sat"):
        assert pieces(text, "gpt2") == peer.tokenize(text) != []
    assert pieces("the cat sat", "gpt2")[0] == "▁the"
    assert load_vocabulary(BY_NAME["gpt2"]).kind == "sentencepiece_bpe"


def test_whole_words(host: Path) -> None:
    put(host, "gpt2", "gpt2", word_list())
    shown = tokenize("the cat sat", "gpt2").tokens
    assert [(token.token, token.start, token.end) for token in shown] == [("the", 0, 3), ("cat", 4, 7), ("sat", 8, 11)]
    vocabulary = load_vocabulary(BY_NAME["gpt2"])
    assert vocabulary.kind == "word_level" and vocabulary.text.unknown_id == 0
    written = "".join(made.text for made in whole_characters(vocabulary.text, [1, 2, 0]))
    assert written == " " + vocabulary.text.tokenizer.decode([1, 2, 0]) == " the cat [UNK]"
    assert pieces("the [UNK]", "gpt2") == pieces("the [ UNK ]", "gpt2"), "a typed mark is text"


def test_a_wordpiece_of_ones_own(host: Path) -> None:
    peer = put(host, "bert-base-uncased", "bert", course_wordpiece())
    for text in ("Café in room 123", "don't ."):
        assert pieces(text, "bert-base-uncased") == peer.tokenize(text)
    assert pieces("Café in room 123", "bert-base-uncased") == ["café", "in", "room", "1", "2", "3"]
    assert pieces("don't .", "bert-base-uncased") == ["don't", "."]
    masked = tokenize("café in [MASK]", "bert-base-uncased").tokens
    assert [token.piece for token in masked] == ["[CLS]", "café", "in", "[MASK]", "[SEP]"]
    assert pieces("café [SEP] in", "bert-base-uncased")[1] == "[UNK]", "a typed mark is text"


def test_sentencepiece_with_bytes(host: Path) -> None:
    put(host, "gpt2", "gpt2", llama_pairs(), bos_token="<s>", eos_token="</s>", unk_token="<unk>")
    text = "the cat\nsat 猫"
    shown = [token.token for token in tokenize(text, "gpt2").tokens]
    assert shown == [" the", " ", "c", "a", "t", "\n", "s", "a", "t", " ", "⟨E7⟩", "⟨8C⟩", "⟨AB⟩"]
    vocabulary = load_vocabulary(BY_NAME["gpt2"]).text
    ids = vocabulary.encode(text).input_ids
    whole = "".join(made.text for made in whole_characters(vocabulary, ids))
    assert whole == " " + vocabulary.tokenizer.decode(ids) == " " + text
    row = cut(text, "gpt2")
    assert row.kind == "sentencepiece_bpe" and row.lost == []
    assert [len(group.pieces) for group in row.groups if text[group.start : group.end] == "猫"] == [3]


def test_letters_that_no_token_stands_for_are_named(host: Path) -> None:
    made = Tokenizer(models.BPE())  # without an unknown piece, what it does not know vanishes
    made.normalizer = normalizers.Sequence([normalizers.NFC(), normalizers.Replace(Regex("~"), "")])
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    made.train_from_iterator(["the cat sat é"] * 5, trainers.BpeTrainer(vocab_size=60, special_tokens=["</s>"]))
    put(host, "gpt2", "gpt2", made)
    lost = tokenize("the 猫猫 cat ~ e\u0301 q", "gpt2").lost
    assert [(part.start, part.end, part.text) for part in lost] == [(4, 6, "猫猫"), (16, 17, "q")]
    assert [part.text for part in cut("the 猫", "gpt2").lost] == ["猫"]


@pytest.mark.slow
@pytest.mark.usefixtures("published")
@pytest.mark.parametrize("name", ["bert-base-uncased", "roberta-base", "albert-base-v2", "gpt2"])
def test_the_published_vocabularies_lose_nothing(name: str) -> None:
    for text in (
        "Re\u0301sume\u0301 naïve  ÜBER ﬁ ½ Ⅷ",
        "😀 👨‍👩‍👧 今天\u200b hi\n\n [MASK] ___",
        "\ud800a\x00 ᄒ\u1161ᆫ",
    ):
        assert tokenize(text, name).lost == []


def older(folder: Path, **files: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        (folder / name.replace("__", ".")).write_text(content, encoding="utf-8")
    return folder


MECAB = '{"tokenizer_class": "BertJapaneseTokenizer"}'
BERT_WORDS = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\ncat\n"


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"vocab__txt": "tôi 12\nlà 9\n", "bpe__codes": "a b 3\n"}, "tokenizer_files"),
        ({"vocab__txt": "tôi 12\nlà 9\n"}, "tokenizer_files"),
        ({"vocab__json": "{}"}, "tokenizer_files"),
        ({"tokenizer__model": "x"}, "tokenizer_files"),
        ({"vocab__txt": BERT_WORDS, "tokenizer_config__json": MECAB}, "tokenizer_class"),
        ({"vocab__txt": BERT_WORDS, "config__json": '{"tokenizer_class": "PhobertTokenizer"}'}, "tokenizer_class"),
        ({}, "no_tokenizer"),
        ({"tokenizer__json": "{"}, "tokenizer_damaged"),
        ({"tokenizer__json": "[]"}, "tokenizer_damaged"),
        ({"tokenizer__json": '{"model": {"type": "Newest"}}'}, "tokenizer_later"),
        ({"vocab__txt": BERT_WORDS, "tokenizer_config__json": "{"}, "tokenizer_damaged"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("family", ["roberta", "bert"])
def test_what_cannot_be_cut_here_is_refused_with_the_reason(
    tmp_path: Path, files: dict[str, str], reason: str, family: str
) -> None:
    from app.engine.runtime.loader import load_family

    with pytest.raises(TokenizerUnreadable) as refused:
        load_tokenizer(load_family(family), older(tmp_path / "older", **files))
    assert refused.value.reason == reason


def test_the_refusal_reaches_every_task_as_a_sentence(host: Path) -> None:
    put(host, "roberta-base", "roberta", word_list())
    (host / "roberta-base" / "tokenizer.json").unlink()
    older(host / "roberta-base", vocab__txt="tôi 12\n", bpe__codes="a b\n")
    from app.tasks.fill_mask.fill import fill_mask
    from app.ui.events import sentence

    for ask in (tokenize, fill_mask):
        with pytest.raises(PlaygroundError) as refused:
            ask("tôi là [MASK] .", "roberta-base")
        assert refused.value.key == "model_unavailable.tokenizer_files"
        for language in ("en", "zh-CN"):
            assert "bpe.codes" in sentence(refused.value, language)


def test_older_files_of_bert_are_cut_as_bert_does(tmp_path: Path) -> None:
    from app.engine.runtime.loader import load_family

    folder = older(tmp_path / "older", vocab__txt=BERT_WORDS, tokenizer_config__json='{"do_lower_case": true}')
    assert load_tokenizer(load_family("roberta"), folder).tokenize("The cat") == ["the", "cat"]


WITHOUT_MASKS = [
    "Hello world, it's 1999!", "  two  spaces ", "Résumé naïve ÜBER (b) “q”", "``x'' it's ''", "'' y",
    "😀 你好\u3000a\u00a0b",
    "a▁b ▁c foo ▁", "e.g. 3.5\n\nand\tmore", "``",
]  # fmt: skip


@pytest.mark.parametrize("text", WITHOUT_MASKS)
def test_albert_mini_cuts_texts_without_a_mask_as_albert_does(text: str) -> None:
    from transformers import AlbertTokenizerFast

    from app.pretraining.data.tokenizers import PLAIN
    from app.settings import BUNDLED

    albert = AlbertTokenizerFast.from_pretrained(BUNDLED / "albert-mini")  # the class builds its own pipeline
    plain = text.translate(str.maketrans(PLAIN))
    assert [token.token_id for token in tokenize(text, "albert-mini").tokens] == albert(plain).input_ids


@pytest.mark.parametrize(
    ("text", "cut_so"),
    [
        ("The [MASK].", ["▁the", "[MASK]", "."]),
        ("A dog [MASK], and ___?", ["▁a", "▁dog", "[MASK]", ",", "▁and", "[MASK]", "?"]),
        ("([MASK]) [MASK]ed [MASK]", ["▁(", "[MASK]", ")", "[MASK]", "ed", "[MASK]"]),
        ("[MASK] ran", ["[MASK]", "▁ran"]),
    ],
)
def test_no_stray_space_stands_after_a_mask_of_albert_mini(text: str, cut_so: list[str]) -> None:
    assert pieces(text, "albert-mini") == cut_so
    spans = [text[token.start : token.end] for token in tokenize(text, "albert-mini").tokens if token.start is not None]
    assert "".join(spans) == text.replace(" ", "")


@pytest.mark.usefixtures("published")
def test_albert_itself_has_none_before_a_full_stop() -> None:
    assert pieces("The [MASK].", "albert-base-v2") == ["▁the", "[MASK]", "."]
