"""The recipes: one per bundled checkpoint, with all numbers of a training run in one place."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from app.pretraining.objectives.masking import BERT_MIX, PairMix


@dataclass(frozen=True)
class Recipe:
    """How a bundled checkpoint is made."""

    name: str  # the checkpoint's name in the catalog
    family: str  # a key of `families.FAMILIES`
    language: str
    vocab_size: int
    config: dict[str, Any] = field(default_factory=dict)  # of the transformers config class
    lengths: tuple[int, ...] = (64, 64, 64, 64, 128, 128, 256)  # longest sequence, drawn per group of documents
    tokens_per_batch: int = 4096
    learning_rate: float = 1e-3
    matrix_learning_rate: float = 0.0  # for the hidden matrices, with Muon; 0: AdamW for all
    weight_decay: float = 0.01
    maskings: int = 10
    seed: int = 1
    mix: PairMix = BERT_MIX
    pair_weight: float = 1.0  # weight of the pair head's loss; the masked-LM loss has 1
    start_vectors: bool = False  # start from word vectors and piece frequencies of the same text instead of noise
    base: str = ""  # key of `packages.BASES`: the checkpoint that is adapted
    embedding_rank: int = 0  # rank of the change of the base's word embeddings
    everyday_passes: int = 0  # how often each pass over the corpus repeats the everyday sentences


# With this many repetitions in each pass, about one token in fifteen comes from the everyday sentences.
EVERYDAY_PASSES = {"en": 33, "zh": 20}

# The layers of Google's BERT-Mini.
BERT_SHAPE = {
    "hidden_size": 256,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
    "intermediate_size": 1024,
    "max_position_embeddings": 256,
    # Fewer than two passes over the text: nothing is seen often enough to be memorised.
    "hidden_dropout_prob": 0.0,
    "attention_probs_dropout_prob": 0.0,
}

# A small GPT-2: the same layers, but the vocabulary is a third of the weights instead of two thirds.
GPT2_MINI = Recipe(
    name="gpt2-mini",
    everyday_passes=EVERYDAY_PASSES["en"],
    family="gpt2",
    language="en",
    vocab_size=8_192,
    start_vectors=True,
    config={
        "n_embd": 256,
        "n_layer": 4,
        "n_head": 4,
        "n_positions": 256,
        "resid_pdrop": 0.0,
        "embd_pdrop": 0.0,
        "attn_pdrop": 0.0,
    },
    lengths=(64, 128, 128, 256),
    tokens_per_batch=2048,
    learning_rate=3e-3,
    matrix_learning_rate=5e-3,
    weight_decay=0.05,
)

# Without the novels, whose heroes would become neighbours of common words ("doctor"), as would the prejudices of 1900.
WORD_VECTORS = Recipe(
    name="word-vectors-mini",
    everyday_passes=3,
    family="static_vectors",
    language="en",
    vocab_size=23_000,
    config={
        "left_out": ["novels"],
        "sources": 2,
        "window": 4,
        "smoothing": 0.75,
        "dimensions": 200,
        "power": 0.25,
    },
    lengths=(),
)

RECIPES = {
    # The shape of Google's BERT-Mini (4 layers, 256 wide), with a smaller vocabulary.
    "bert_mini": Recipe(
        name="bert-mini",
        everyday_passes=EVERYDAY_PASSES["en"],
        family="bert",
        language="en",
        vocab_size=12_000,
        start_vectors=True,
        tokens_per_batch=2048,
        # Visitors type one sentence, or two. All wrong second sentences come from the right one's source: if only half
        # of them did, "the same style" would mean "follows" two times in three.
        mix=PairMix(singles=0.4, two_sentences=0.8, nearby=1.0),
        pair_weight=2.0,
        config=BERT_SHAPE,
    ),
    # RoBERTa's changes: no pairs, a new masking in each pass, byte-level pieces with case.
    "roberta_mini": Recipe(
        name="roberta-mini",
        everyday_passes=EVERYDAY_PASSES["en"],
        family="roberta",
        language="en",
        vocab_size=12_000,
        start_vectors=True,
        tokens_per_batch=2048,
        maskings=1_000_000,  # never the same one twice
        config=BERT_SHAPE | {"max_position_embeddings": 258},  # the first two are never used
    ),
    # Characters as tokens, as in BERT base Chinese.
    "bert_mini_zh": Recipe(
        name="bert-mini-zh",
        everyday_passes=EVERYDAY_PASSES["zh"],
        family="bert",
        language="zh",
        vocab_size=7_000,
        start_vectors=True,
        tokens_per_batch=2048,
        # Four rows in ten are a single sentence, as visitors type.
        mix=PairMix(singles=0.4, two_sentences=0.8, nearby=0.5),
        config=BERT_SHAPE,
    ),
    # ALBERT's idea: four passes through one layer's weights.
    "albert_mini": Recipe(
        name="albert-mini",
        everyday_passes=EVERYDAY_PASSES["en"],
        family="albert",
        language="en",
        vocab_size=10_000,
        start_vectors=True,
        config={
            "embedding_size": 128,
            "hidden_size": 384,
            "num_hidden_layers": 4,
            "num_attention_heads": 6,
            "intermediate_size": 1536,
            "max_position_embeddings": 256,
            "hidden_dropout_prob": 0.0,
            "attention_probs_dropout_prob": 0.0,
            "classifier_dropout_prob": 0.0,
        },
        lengths=(64, 64, 64, 64, 128, 128),
        tokens_per_batch=2048,
        pair_weight=30.0,  # with less, Adam lets the masked pieces drown out the order
    ),
    "gpt2_mini": GPT2_MINI,
    # Each character a piece.
    "gpt2_mini_zh": replace(
        GPT2_MINI, name="gpt2-mini-zh", language="zh", vocab_size=7_000, everyday_passes=EVERYDAY_PASSES["zh"]
    ),
    # A quarter of the published small model: fewer filters, half the cell size, a softmax over 15,000 words.
    "elmo_mini": Recipe(
        name="elmo-mini",
        family="elmo",
        language="en",
        vocab_size=15_000,
        start_vectors=True,
        config={
            "filters": ((1, 32), (2, 32), (3, 64), (4, 128), (5, 256)),
            "num_highway_layers": 1,
            "cell_size": 512,
            "projection_size": 128,
            "dropout": 0.0,
            "num_sampled_words": 2048,
        },
        lengths=(60,),
        tokens_per_batch=2048,
        learning_rate=2e-3,
    ),
    # What word2vec learns, by counting (see `co_occurrence`): as good on so little text, and done in minutes.
    "word_vectors_mini": WORD_VECTORS,
    # Words come from jieba's dictionary; there is only one source besides the everyday sentences.
    "word_vectors_mini_zh": replace(
        WORD_VECTORS,
        name="word-vectors-mini-zh",
        language="zh",
        vocab_size=20_000,
        config={**WORD_VECTORS.config, "sources": 1, "window": 5, "power": 0.5},
    ),
    # Heads for the encoder of sentence-transformers/all-MiniLM-L6-v2, which is trained further.
    "minilm_l6": Recipe(
        name="minilm-l6",
        everyday_passes=EVERYDAY_PASSES["en"],
        family="bert_adapter",
        language="en",
        vocab_size=30_522,
        learning_rate=1.2e-4,
        lengths=(64, 64, 64, 128),
        # Visitors type single sentences. Pairs are as in bert_mini.
        mix=PairMix(singles=0.45, two_sentences=0.7, nearby=1.0),
        pair_weight=2.0,
        base="minilm-l6",
        embedding_rank=48,
    ),
}
