"""RoBERTa's sequences, maskings and pieces; and Chinese characters as pieces."""

from __future__ import annotations

import lzma
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from transformers import RobertaConfig, RobertaForMaskedLM

from app.pretraining.data.special_ids import special_ids
from app.pretraining.data.tokenizers import train_roberta_pairs
from app.pretraining.families import family_of
from app.pretraining.objectives.full_sentences import full_sentences
from app.pretraining.objectives.masking import NO_PAIR, masked_pairs
from app.pretraining.recipes import RECIPES
from tests.pretraining.toy import SPECIAL, toy_corpus

CPU = torch.device("cpu")


def test_sequences_are_whole_sentences_of_one_document_in_order() -> None:
    corpus = toy_corpus(documents=10, sentences=12)
    seen: list[int] = []
    for ids, second, label in full_sentences(corpus, np.arange(10), 60, np.random.default_rng(0)):
        assert len(ids) <= 60 and not len(second) and label == NO_PAIR
        sentences = list(dict.fromkeys(ids.tolist()))
        assert len({(piece - 5) // 12 for piece in sentences}) == 1, "one document"
        seen += sentences
    assert seen == list(range(5, 125)), "every sentence, once"


def test_every_pass_has_its_own_masking() -> None:
    recipe = RECIPES["roberta_mini"]
    first, eleventh = (
        next(masked_pairs(toy_corpus(), SPECIAL, masking=masking, seed=1, lengths=(32,), tokens_per_batch=256))
        for masking in (0 % recipe.maskings, 10 % recipe.maskings)
    )
    assert first.masked_positions.tolist() != eleventh.masked_positions.tolist()


def test_signs_around_a_mask_are_cut_as_published(text_folder: Path) -> None:
    tokenizer = train_roberta_pairs(sorted((text_folder / "en").glob("storybooks*")), 300)
    assert [tokenizer.cls_token_id, tokenizer.pad_token_id, tokenizer.sep_token_id] == [0, 1, 2]
    assert special_ids(tokenizer).mask == tokenizer.mask_token_id == 4

    def pieces(text: str) -> list[str]:
        return tokenizer.convert_ids_to_tokens(tokenizer(text, add_special_tokens=False)["input_ids"])

    assert pieces("A <mask>.")[-2:] == ["<mask>", "."]
    assert pieces("(<mask>)") == ["(", "<mask>", ")"]
    assert pieces("a <mask> <mask>")[1:] == ["<mask>", "<mask>"]
    assert not pieces("The dog.")[0].startswith("Ġ")


def test_first_words_are_learnt_in_both_forms(text_folder: Path) -> None:
    files = sorted((text_folder / "en").glob("storybooks*"))
    tokenizer = train_roberta_pairs(files, 300)
    corpus = family_of(RECIPES["roberta_mini"]).tokenise(files, tokenizer)
    firsts = tokenizer.convert_ids_to_tokens(corpus.ids[corpus.sentence_starts[:-1]].tolist())
    assert 0.2 < sum(piece.startswith("Ġ") for piece in firsts) / len(firsts) < 0.6


def test_the_loss_is_transformers_own() -> None:
    torch.manual_seed(0)
    config = RobertaConfig(
        vocab_size=600, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=66, type_vocab_size=1, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
    )  # fmt: skip
    model = RobertaForMaskedLM(config).eval()
    special = replace(SPECIAL, cls=0, sep=2, mask=4, pad=1, vocab_size=600)
    batch = next(
        masked_pairs(
            toy_corpus(), special, masking=0, seed=1, lengths=(32,), tokens_per_batch=256, pairs=full_sentences
        )
    )
    labels = np.full(batch.input_ids.size, -100)
    labels[batch.masked_positions] = batch.masked_labels
    expected = model(
        input_ids=torch.from_numpy(batch.input_ids),
        attention_mask=torch.from_numpy(batch.attention_mask),
        labels=torch.from_numpy(labels.reshape(batch.input_ids.shape)),
    ).loss
    torch.testing.assert_close(family_of(RECIPES["roberta_mini"]).loss(model, batch, CPU, torch.float32), expected)


def test_each_chinese_character_is_a_piece(tmp_path: Path) -> None:
    (tmp_path / "zh").mkdir()
    path = tmp_path / "zh" / "wikipedia_zh.txt.xz"
    with lzma.open(path, "wt", encoding="utf-8") as opened:
        opened.write("北京是中国的首都。上海是一座城市。\n" * 20)
    recipe = RECIPES["bert_mini_zh"]
    tokenizer = family_of(recipe).make_tokenizer([path])
    assert tokenizer.tokenize("北京是城市。") == list("北京是城市。")
