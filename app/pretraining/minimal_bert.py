"""BERT, pre-trained from scratch, in one file that uses nothing else of this package.

    python -m app.pretraining.minimal_bert [TEXT.txt] [--minutes 10]

TEXT has one or more sentences per line and an empty line between documents. Without it, the everyday sentences of this
repository are read, each as a document of its own, so nothing follows anything. The program builds a vocabulary, hides
words, trains an encoder to find them and to say whether a second sentence follows the first (Devlin et al. 2018, arXiv
1810.04805), and asks it a few questions at the end.

Read it from top to bottom: text -> vocabulary -> batches -> model -> loss -> training. READING.md explains what the
package does beyond this; a test checks that both give the same losses.
"""

from __future__ import annotations

import argparse
import math
import random
import re
import time
from dataclasses import dataclass
from pathlib import Path

import torch
from tokenizers import BertWordPieceTokenizer
from torch import Tensor, nn
from torch.nn import functional as F

EVERYDAY = Path(__file__).resolve().parents[2] / "assets" / "everyday" / "everyday_en.txt"
QUESTIONS = ("We eat soup with a [MASK].", "The opposite of hot is [MASK].", "In winter it is [MASK].")
NOT_MASKED = -100  # the label that the loss ignores


@dataclass(frozen=True)
class Size:
    """How large the model is. BERT base: 768 wide, 12 layers, 12 heads, 512 tokens."""

    vocabulary: int
    width: int = 192
    layers: int = 3
    heads: int = 3
    tokens: int = 64


# --- Text -----------------------------------------------------------------------------------------------------------


def read_documents(path: Path) -> list[list[str]]:
    """Documents, each a list of sentences."""
    blocks = re.split(r"\n\s*\n", path.read_text(encoding="utf-8"))
    return [[s for s in re.split(r"(?<=[.!?])\s+", block.strip()) if s] for block in blocks if block.strip()]


def make_vocabulary(documents: list[list[str]], size: int = 4_000) -> BertWordPieceTokenizer:
    """WordPiece: frequent words stay whole and rare ones are split, so a few thousand tokens are enough."""
    tokenizer = BertWordPieceTokenizer(lowercase=True)
    sentences = (sentence for document in documents for sentence in document)
    tokenizer.train_from_iterator(sentences, vocab_size=size, min_frequency=2, show_progress=False)
    return tokenizer


# --- Batches --------------------------------------------------------------------------------------------------------


def make_row(sentence: list[int], others: list[list[int]], after: list[int] | None, ids: dict[str, int], most: int):
    """One row, [CLS] a [SEP] b [SEP]: its input_ids, token_type_ids and next-sentence label.

    Half of the second sentences are the true next one (label 0), the others are random (label 1). A sentence that
    nothing follows stands alone, [CLS] a [SEP], and has no label.
    """
    first = [ids["[CLS]"], *sentence, ids["[SEP]"]][:most]
    if after is None:
        return first, [0] * len(first), NOT_MASKED
    follows = random.random() < 0.5
    second = [*(after if follows else random.choice(others)), ids["[SEP]"]][: most - len(first)]
    return first + second, [0] * len(first) + [1] * len(second), 0 if follows else 1


def hide(row: list[int], ids: dict[str, int], vocabulary: int) -> tuple[list[int], list[int]]:
    """Choose 15 % of the tokens as questions: 80 % of them become [MASK], 10 % another token, 10 % stay.

    The last two kinds keep the model from assuming that a visible token is always right and needs no vector of its own.

    Returns:
        The changed row, and the labels: the original token, or NOT_MASKED.
    """
    candidates = [at for at, token in enumerate(row) if token not in (ids["[CLS]"], ids["[SEP]"])]
    row, labels = list(row), [NOT_MASKED] * len(row)
    for at in random.sample(candidates, max(1, round(0.15 * len(candidates)))):
        labels[at], draw = row[at], random.random()
        if draw < 0.8:
            row[at] = ids["[MASK]"]
        elif draw < 0.9:
            row[at] = random.randrange(max(ids.values()) + 1, vocabulary)
    return row, labels


def make_batches(documents: list[list[list[int]]], ids: dict[str, int], vocabulary: int, rows: int, most: int):
    """Endless batches, as dictionaries of tensors [row, token]; every pass hides other words."""
    sentences = [sentence for document in documents for sentence in document]
    followed = [(s, d[at + 1] if at + 1 < len(d) else None) for d in documents for at, s in enumerate(d)]
    while True:
        random.shuffle(followed)
        for start in range(0, len(followed) - rows + 1, rows):
            made = [make_row(s, sentences, after, ids, most) for s, after in followed[start : start + rows]]
            width = max(len(row) for row, _, _ in made)
            batch = {
                "input_ids": torch.full((rows, width), ids["[PAD]"]),
                "token_type_ids": torch.zeros(rows, width, dtype=torch.long),
                "labels": torch.full((rows, width), NOT_MASKED),
                "next_sentence_label": torch.tensor([follows for _, _, follows in made]),
            }
            for at, (row, segments, _) in enumerate(made):
                hidden, labels = hide(row, ids, vocabulary)
                batch["input_ids"][at, : len(row)] = torch.tensor(hidden)
                batch["token_type_ids"][at, : len(row)] = torch.tensor(segments)
                batch["labels"][at, : len(row)] = torch.tensor(labels)
            yield batch


# --- Model ----------------------------------------------------------------------------------------------------------


class Layer(nn.Module):
    """One block: every token looks at all tokens (attention), then each is processed alone (feed-forward)."""

    def __init__(self, size: Size) -> None:
        super().__init__()
        self.heads = size.heads
        self.query, self.key, self.value, self.output = (nn.Linear(size.width, size.width) for _ in range(4))
        self.up, self.down = nn.Linear(size.width, 4 * size.width), nn.Linear(4 * size.width, size.width)
        self.after_attention = nn.LayerNorm(size.width, eps=1e-12)
        self.after_feed_forward = nn.LayerNorm(size.width, eps=1e-12)

    def forward(self, x: Tensor, real: Tensor) -> Tensor:
        """x: [row, token, width]; real: bool [row, token], False where a row is padded."""

        def split(y: Tensor) -> Tensor:  # [row, token, width] -> [row, head, token, width / heads]
            return y.unflatten(-1, (self.heads, -1)).transpose(1, 2)

        query, key, value = split(self.query(x)), split(self.key(x)), split(self.value(x))
        scores = query @ key.transpose(-1, -2) / math.sqrt(query.shape[-1])
        weights = scores.masked_fill(~real[:, None, None, :], -torch.inf).softmax(dim=-1)
        seen = (weights @ value).transpose(1, 2).flatten(-2)
        x = self.after_attention(x + self.output(seen))
        return self.after_feed_forward(x + self.down(F.gelu(self.up(x))))


class Bert(nn.Module):
    """The encoder with its two pre-training heads."""

    def __init__(self, size: Size) -> None:
        super().__init__()
        self.words = nn.Embedding(size.vocabulary, size.width)
        self.positions = nn.Embedding(size.tokens, size.width)
        self.segments = nn.Embedding(2, size.width)
        self.norm = nn.LayerNorm(size.width, eps=1e-12)
        self.layers = nn.ModuleList(Layer(size) for _ in range(size.layers))
        # Which token is hidden: a small layer, then the word embeddings again ("tied"), and a bias per word.
        self.transform, self.transform_norm = nn.Linear(size.width, size.width), nn.LayerNorm(size.width, eps=1e-12)
        self.word_bias = nn.Parameter(torch.zeros(size.vocabulary))
        # Whether b follows a: a layer on [CLS], then two numbers.
        self.pooler, self.follows = nn.Linear(size.width, size.width), nn.Linear(size.width, 2)
        for module in self.modules():
            if isinstance(module, nn.Linear | nn.Embedding):
                nn.init.normal_(module.weight, std=0.02)
            if isinstance(module, nn.Linear):
                nn.init.zeros_(module.bias)

    def forward(self, input_ids: Tensor, token_type_ids: Tensor, pad: int) -> tuple[Tensor, Tensor]:
        """Logits over the vocabulary [row, token, vocabulary], and over "follows" and "does not" [row, 2]."""
        at = torch.arange(input_ids.shape[1])
        x = self.norm(self.words(input_ids) + self.positions(at) + self.segments(token_type_ids))
        for layer in self.layers:
            x = layer(x, input_ids != pad)
        words = self.transform_norm(F.gelu(self.transform(x))) @ self.words.weight.T + self.word_bias
        return words, self.follows(torch.tanh(self.pooler(x[:, 0])))


def loss_of(model: Bert, batch: dict[str, Tensor], pad: int) -> Tensor:
    """Cross entropy at the hidden tokens plus cross entropy of the pairs."""
    words, follows = model(batch["input_ids"], batch["token_type_ids"], pad)
    hidden = F.cross_entropy(words.flatten(0, 1), batch["labels"].flatten(), ignore_index=NOT_MASKED)
    asked = batch["next_sentence_label"] != NOT_MASKED
    return hidden + F.cross_entropy(follows[asked], batch["next_sentence_label"][asked]) if asked.any() else hidden


# --- Training -------------------------------------------------------------------------------------------------------


def train(model: Bert, batches, pad: int, minutes: float, rate: float = 1e-3) -> None:
    """AdamW; the rate rises over the first 6 % of the time and then falls to zero."""
    optimizer, started, step, mean = (
        torch.optim.AdamW(model.parameters(), rate, weight_decay=0.01),
        time.time(),
        0,
        None,
    )
    while (part := (time.time() - started) / (60 * minutes)) < 1:
        optimizer.param_groups[0]["lr"] = rate * min(part / 0.06, (1 - part) / 0.94)
        loss = loss_of(model, next(batches), pad)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        step, mean = step + 1, loss.item() if mean is None else 0.98 * mean + 0.02 * loss.item()
        if step % 100 == 0:
            print(f"step {step:5d}, {part:4.0%} of the time, loss {mean:.3f}", flush=True)


@torch.no_grad()
def answer(model: Bert, tokenizer: BertWordPieceTokenizer, text: str, count: int = 5) -> list[tuple[str, float]]:
    """The most probable tokens at the first [MASK] of a text, with their probabilities."""
    encoded = tokenizer.encode(text)
    words, _ = model(torch.tensor([encoded.ids]), torch.tensor([encoded.type_ids]), tokenizer.token_to_id("[PAD]"))
    best = words[0, encoded.tokens.index("[MASK]")].softmax(dim=-1).topk(count)
    return [(tokenizer.id_to_token(int(token)), float(p)) for p, token in zip(*best, strict=True)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("text", nargs="?", type=Path, default=EVERYDAY)
    parser.add_argument("--minutes", type=float, default=10.0)
    options = parser.parse_args()
    random.seed(0)
    torch.manual_seed(0)
    documents = read_documents(options.text)
    tokenizer = make_vocabulary(documents)
    ids = {token: tokenizer.token_to_id(token) for token in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")}
    size = Size(tokenizer.get_vocab_size())
    tokens = [[tokenizer.encode(s, add_special_tokens=False).ids for s in document] for document in documents]
    model = Bert(size)
    print(f"{sum(map(len, documents)):,} sentences, {size.vocabulary:,} tokens in the vocabulary, ", end="")
    print(f"{sum(weight.numel() for weight in model.parameters()):,} weights")
    train(model, make_batches(tokens, ids, size.vocabulary, 32, size.tokens), ids["[PAD]"], options.minutes)
    for question in QUESTIONS:
        print(question, *(f"{token} {probability:.0%}" for token, probability in answer(model, tokenizer, question)))


if __name__ == "__main__":
    main()
