"""What the catalog says of one checkpoint."""

from __future__ import annotations

from dataclasses import dataclass

from app.registry.packages import PackagedFile

MASKED_LM = "masked_lm"
NEXT_SENTENCE = "next_sentence"
SENTENCE_ORDER = "sentence_order"
CAUSAL_LM = "causal_lm"
CLASSIFICATION = "classification"
# A label for each word, and a span of a passage: figure 4 of BERT's paper (Devlin et al. 2018), d and c.
TOKEN_CLASSIFICATION = "token_classification"
QUESTION_ANSWERING = "question_answering"
# The Transformer below all heads: what can be asked of it needs no head.
ATTENTION = "attention"
TOKEN_VECTORS = "token_vectors"
# ELMo's softmax: the next word from the left, the previous one from the right.
TWO_WAY_LM = "two_way_lm"
# Static vectors: the nearest words of the vocabulary.
VOCABULARY_NEIGHBOURS = "vocabulary_neighbours"

HEADS = (
    *(MASKED_LM, NEXT_SENTENCE, SENTENCE_ORDER, CAUSAL_LM),
    *(CLASSIFICATION, TOKEN_CLASSIFICATION, QUESTION_ANSWERING),
    *(ATTENTION, TOKEN_VECTORS, TWO_WAY_LM, VOCABULARY_NEIGHBOURS),
)

# A revision whose commit has not been looked up yet; `python -m app.registry pin` fills it in.
UNPINNED = "main"
# The revision that an answer names where the host's own folder holds the checkpoint.
HOSTS_FOLDER = "folder"

# The pair head that an architecture family has; a family that is not here dropped it or never had one.
PAIR_HEAD_OF_FAMILY = {"bert": NEXT_SENTENCE, "albert": SENTENCE_ORDER}
# How the weights of a pair head begin in a checkpoint's file: tells without loading it whether the head is there.
KEYS_OF_PAIR_HEAD = {
    NEXT_SENTENCE: ("bert.pooler.", "cls.seq_relationship."),
    SENTENCE_ORDER: ("albert.pooler.", "sop_classifier."),
}

# The endpoints that each trained head serves.
TASKS_OF_HEAD = {
    MASKED_LM: ("fill_mask", "score", "layer_predictions"),
    CAUSAL_LM: ("score", "layer_predictions", "next_token", "generate", "zero_shot"),
    NEXT_SENTENCE: ("sentence_pair", "sentence_matrix"),
    SENTENCE_ORDER: ("sentence_pair", "sentence_matrix"),
    CLASSIFICATION: ("classify", "attribute"),
    TOKEN_CLASSIFICATION: ("tag",),
    QUESTION_ANSWERING: ("answer",),
}
# How the class is called that a checkpoint with one of these heads was saved with: the weights of a head for sentences
# and of one for words bear the same name.
SAVED_AS = {
    CLASSIFICATION: "ForSequenceClassification",
    TOKEN_CLASSIFICATION: "ForTokenClassification",
    QUESTION_ANSWERING: "ForQuestionAnswering",
}
# What an architecture serves with its layers alone. ELMo's layers are LSTMs and have no attention; neither ELMo nor
# static vectors cut a text into pieces.
TASKS_OF_FAMILY = {
    **dict.fromkeys(("bert", "roberta", "albert"), ("attention", "embed", "word_sense", "tokenize", "fine_tune")),
    "gpt2": ("attention", "embed", "word_sense", "tokenize", "fine_tune"),
    "llama": ("tokenize", "fine_tune"),
    "openai_gpt": ("tokenize",),
    "elmo": ("word_sense", "embed", "fine_tune"),
    "static_vectors": ("word_vectors", "analogy", "word_sense", "embed", "fine_tune"),
}
# Families whose checkpoints transformers itself reads; visitors may name any of them on the Hub.
READ_BY_TRANSFORMERS = ("albert", "bert", "gpt2", "llama", "openai_gpt", "roberta")


@dataclass(frozen=True)
class Checkpoint:
    """A catalog entry: a row of `checkpoints.toml`, or what a repository on the Hub was found to hold.

    Attributes:
        name: its short key, used everywhere.
        family: architecture family, the name of a file in `app/engine/families`.
        source: "bundled" (in `assets/models`), "package" (weights in an installed package) or "hub".
        repo_id: `owner/name` on the Hub; empty for bundled ones.
        revision: commit hash on the Hub, or UNPINNED; "bundled"; or "package NAME VERSION".
        heads: trained heads, by the checkpoint's own keys.
        parameters: number of weights.
        download_bytes: what has to be fetched before first use.
        package: the file with the weights, for source "package".
        base: catalog name of the bundled encoder that this one is stored as a small change of; empty for whole ones.
        weights_file: the weights on the Hub; safetensors, but for what ELMo's authors published.
        stands_for: the well-known model that a mini model must not be mistaken for.
    """

    name: str
    family: str
    language: str
    source: str
    repo_id: str
    revision: str
    heads: tuple[str, ...]
    parameters: int
    download_bytes: int
    licence: str
    stands_for: str = ""
    package: PackagedFile | None = None
    base: str = ""
    weights_file: str = "model.safetensors"

    @property
    def tasks(self) -> list[str]:
        """The endpoints that this checkpoint can answer."""
        of_heads = [task for head in self.heads for task in TASKS_OF_HEAD.get(head, ())]
        return list(dict.fromkeys([*of_heads, *TASKS_OF_FAMILY.get(self.family, ())]))
