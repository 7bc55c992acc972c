"""Makes tiny random checkpoints in Hub layout, with small vocabularies of their own or with published ones."""

from __future__ import annotations

import json
from pathlib import Path

import torch
from tokenizers import AddedToken, ByteLevelBPETokenizer, SentencePieceUnigramTokenizer
from tokenizers.implementations import BertWordPieceTokenizer
from transformers import (
    AlbertConfig,
    AlbertForPreTraining,
    AlbertForQuestionAnswering,
    AlbertForSequenceClassification,
    AlbertForTokenClassification,
    AlbertTokenizerFast,
    BertConfig,
    BertForPreTraining,
    BertForQuestionAnswering,
    BertForSequenceClassification,
    BertForTokenClassification,
    BertTokenizerFast,
    GPT2Config,
    GPT2LMHeadModel,
    GPT2TokenizerFast,
    PreTrainedModel,
    PreTrainedTokenizerFast,
    RobertaConfig,
    RobertaForMaskedLM,
    RobertaForQuestionAnswering,
    RobertaForSequenceClassification,
    RobertaForTokenClassification,
    RobertaTokenizerFast,
)

from app.models.elmo import ElmoConfig, ElmoForLanguageModeling, ElmoTokenizer, split_words

SENTENCES = [
    "The dog barked at the cat, and the cat ran away from the dog.",
    "I love you because you are wonderful and kind.",
    "The soup is hot; the capital of Peru is Lima!",
    "She opened the door and went into the house. Résumé naïve über.",
    "words and pieces: playing, played, player, plays, art, start, bank, river.",
] * 4
SIZE = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
# Random weights of the usual size give nearly flat distributions; these are wide enough for differences to show.
SPREAD = {"initializer_range": 0.3}


def roberta_mask() -> AddedToken:
    """The mask token as in the published RoBERTa files: it takes the space before it."""
    return AddedToken("<mask>", lstrip=True, special=True)


def tiny_tokenizers() -> dict[str, PreTrainedTokenizerFast]:
    """One tokenizer of each kind, trained on a few sentences."""
    wordpiece = BertWordPieceTokenizer(lowercase=True)
    wordpiece.train_from_iterator(SENTENCES, vocab_size=300, min_frequency=1)
    byte_level = ByteLevelBPETokenizer()
    byte_level.train_from_iterator(SENTENCES, vocab_size=400, min_frequency=1)
    roberta_specials = ["<s>", "<pad>", "</s>", "<unk>"]
    vocab = {token: index for index, token in enumerate(roberta_specials)}
    vocab |= {piece: index + 4 for piece, index in byte_level.get_vocab().items()}
    vocab["<mask>"] = len(vocab)
    merges = [tuple(merge) for merge in _merges(byte_level)]
    unigram = SentencePieceUnigramTokenizer()
    unigram.train_from_iterator(SENTENCES, vocab_size=150, show_progress=False)
    return {
        "bert": BertTokenizerFast(vocab=wordpiece.get_vocab(), do_lower_case=True),
        "roberta": RobertaTokenizerFast(vocab=vocab, merges=merges, mask_token=roberta_mask()),
        "albert": AlbertTokenizerFast(vocab=_albert_vocab(unigram)),
        "gpt2": GPT2TokenizerFast(
            vocab=byte_level.get_vocab() | {"<|endoftext|>": len(byte_level.get_vocab())}, merges=merges
        ),
    }


def published_tokenizers(folder: Path) -> dict[str, PreTrainedTokenizerFast]:
    """The published vocabularies."""
    return {
        "bert": BertTokenizerFast.from_pretrained(folder / "bert-base-uncased"),
        "roberta": RobertaTokenizerFast.from_pretrained(folder / "roberta-base", mask_token=roberta_mask()),
        "albert": AlbertTokenizerFast.from_pretrained(folder / "albert-base-v2"),
        "gpt2": GPT2TokenizerFast.from_pretrained(folder / "gpt2"),
    }


def save_checkpoints(folder: Path, tokenizers: dict[str, PreTrainedTokenizerFast]) -> Path:
    """Save a tiny random checkpoint of each family under catalog names; `bert-mini` is one more BERT."""
    for name, family in (
        ("bert-mini", "bert"),
        ("bert-base-uncased", "bert"),
        ("roberta-base", "roberta"),
        ("albert-base-v2", "albert"),
        ("gpt2", "gpt2"),
    ):
        torch.manual_seed(len(name))
        save(folder / name, build(family, tokenizers[family]), tokenizers[family])
    save(folder / CLASSIFIER, build_classifier("bert", tokenizers["bert"]), tokenizers["bert"])
    save(folder / TAGGER, build_tagger("bert", tokenizers["bert"]), tokenizers["bert"])
    save(folder / ANSWERER, build_span_finder("bert", tokenizers["bert"]), tokenizers["bert"])
    save(folder / "elmo-original", *tiny_elmo())
    return folder


def tiny_elmo() -> tuple[ElmoForLanguageModeling, ElmoTokenizer]:
    """A tiny random ELMo that predicts words; its weights are wide enough for context to matter."""
    torch.manual_seed(3)
    words = sorted({word.text for sentence in SENTENCES for word in split_words(sentence)})
    tokenizer = ElmoTokenizer(["<S>", "</S>", "<UNK>", *words])
    model = ElmoForLanguageModeling(
        ElmoConfig(
            character_embedding_size=4,
            filters=[[1, 4], [2, 8], [3, 16]],
            cell_size=24,
            projection_size=8,
            vocab_size=len(words) + 3,
        )
    )
    with torch.no_grad():
        for layer in model.elmo.encoder.layers:
            layer.input_weight.mul_(4)
            layer.projection_weight.mul_(3)
    return model.eval(), tokenizer


# The catalog's name for a tiny classifier with the labels `negative` and `positive`.
CLASSIFIER = "topics-bert-ag-news"
# Label names of the tiny classifiers; LABEL_n is what transformers writes where an author gave none.
CLASSIFIERS = {"bert": ("negative", "positive"), "roberta": ("LABEL_0", "LABEL_1", "LABEL_2"), "albert": ("否", "是")}


def build_classifier(family: str, tokenizer: PreTrainedTokenizerFast) -> PreTrainedModel:
    """A tiny random sequence classifier of an encoder family, with its label names."""
    encoder = build(family, tokenizer)
    names = CLASSIFIERS[family]
    config = type(encoder.config).from_dict(
        encoder.config.to_dict()
        | {"id2label": dict(enumerate(names)), "label2id": {name: index for index, name in enumerate(names)}}
    )
    return {
        "bert": BertForSequenceClassification,
        "roberta": RobertaForSequenceClassification,
        "albert": AlbertForSequenceClassification,
    }[family](config)


# The catalog's names for a tiny tagger with the labels below, and for a tiny model with a span head.
TAGGER, ANSWERER = "names-bert-base", "answers-minilm"
TAGS = ("O", "B-person", "I-person", "B-place", "I-place")


def build_tagger(family: str, tokenizer: PreTrainedTokenizerFast) -> PreTrainedModel:
    """A tiny random token classifier of an encoder family, with the labels of `TAGS`."""
    torch.manual_seed(5)
    config = build(family, tokenizer).config
    names = {"id2label": dict(enumerate(TAGS)), "label2id": {name: index for index, name in enumerate(TAGS)}}
    classes = {
        "bert": BertForTokenClassification,
        "roberta": RobertaForTokenClassification,
        "albert": AlbertForTokenClassification,
    }
    return classes[family](type(config).from_dict(config.to_dict() | names))


def build_span_finder(family: str, tokenizer: PreTrainedTokenizerFast) -> PreTrainedModel:
    """A tiny random model of an encoder family with a span head."""
    torch.manual_seed(6)
    classes = {
        "bert": BertForQuestionAnswering,
        "roberta": RobertaForQuestionAnswering,
        "albert": AlbertForQuestionAnswering,
    }
    return classes[family](build(family, tokenizer).config)


def save(folder: Path, model: PreTrainedModel, tokenizer: PreTrainedTokenizerFast) -> None:
    """Write one checkpoint."""
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def build_full_size(layers: int) -> dict[str, PreTrainedModel]:
    """Random models of the published shapes under their catalog names, but for the number of layers."""
    torch.manual_seed(0)
    roberta = {"max_position_embeddings": 514, "type_vocab_size": 1, "pad_token_id": 1}
    albert = {"hidden_size": 768, "num_attention_heads": 12, "intermediate_size": 3072}
    return {
        "bert-base-uncased": BertForPreTraining(BertConfig(num_hidden_layers=layers)),
        "roberta-base": RobertaForMaskedLM(RobertaConfig(vocab_size=50_265, num_hidden_layers=layers, **roberta)),
        "albert-base-v2": AlbertForPreTraining(AlbertConfig(num_hidden_layers=layers, **albert)),
        "gpt2": GPT2LMHeadModel(GPT2Config(n_layer=layers)),
    }


def build(family: str, tokenizer: PreTrainedTokenizerFast) -> PreTrainedModel:
    """A tiny random model that fits a tokenizer."""
    size = {"vocab_size": len(tokenizer), **SPREAD}
    if family == "bert":
        return BertForPreTraining(BertConfig(**size, **SIZE))
    if family == "roberta":
        ids = {"pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2}
        return RobertaForMaskedLM(RobertaConfig(**size, **SIZE, **ids, max_position_embeddings=514, type_vocab_size=1))
    if family == "albert":
        ids = {"pad_token_id": 0, "bos_token_id": 2, "eos_token_id": 3}
        return AlbertForPreTraining(AlbertConfig(**size, **SIZE, **ids, embedding_size=16))
    return GPT2LMHeadModel(GPT2Config(**size, n_embd=32, n_layer=2, n_head=2))


def _merges(tokenizer: ByteLevelBPETokenizer) -> list[list[str]]:

    merges = json.loads(tokenizer._tokenizer.to_str())["model"]["merges"]
    return [merge.split(" ") if isinstance(merge, str) else merge for merge in merges]


def _albert_vocab(unigram: SentencePieceUnigramTokenizer) -> list[tuple[str, float]]:

    trained = json.loads(unigram._tokenizer.to_str())["model"]["vocab"]
    control = [(token, 0.0) for token in ("<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]")]
    return control + [(piece, score) for piece, score in trained if piece not in dict(control)]
