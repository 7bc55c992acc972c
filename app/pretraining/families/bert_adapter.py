"""New pre-training heads for a published BERT encoder that came without them; the encoder is trained further.

The base is not ours, so only what changed is saved (see `app.models.delta`): the layers' matrices in 8 bits, the change
of the word embeddings at a low rank (LoRA: Hu et al. 2021, arXiv 2106.09685).
"""

from __future__ import annotations

from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from transformers import BertConfig, BertForPreTraining, PreTrainedModel, PreTrainedTokenizerFast

from app.models.delta import A_SUFFIX, B_SUFFIX, WORD_EMBEDDINGS, change_in_steps, merge_delta, read_delta, with_prefix
from app.models.low_rank import LowRankEmbedding
from app.pretraining.base_checkpoints import base_tokenizer, base_weights
from app.pretraining.families.bert import BertFamily, encode, loss_of_heads, to_tensors
from app.pretraining.objectives.masking import PairBatch

DELTA_FILE = "delta.safetensors"
WORD_MODULE = WORD_EMBEDDINGS.removesuffix(".weight")
# Pieces below this id are signs, letters and the commonest words, which may well occur twice in a sentence.
FIRST_RARER = 2_100
TIED_DECODER = "cls.predictions.decoder.weight"


class BertAdapterFamily(BertFamily):
    """BERT's batches and losses for a base checkpoint that is trained further; only the change is saved."""

    def make_tokenizer(self, files: list[Path]) -> PreTrainedTokenizerFast:
        """The base checkpoint's own tokenizer; the corpus is ignored."""
        return base_tokenizer(self.recipe.base)

    def build_model(self, tokenizer: PreTrainedTokenizerFast) -> PreTrainedModel:
        """The base with adapters and new heads; everything else is frozen."""
        weights = base_weights(self.recipe.base)
        torch.manual_seed(self.recipe.seed)
        model = BertForPreTraining._from_config(_config(weights.parent), attn_implementation="eager")
        model.load_state_dict(with_prefix(load_file(weights)), strict=False)
        _start_heads(model)
        return adapt(model, self.recipe.embedding_rank, tokenizer.mask_token_id)

    def take_over(self, model: BertForPreTraining, bundle: Path) -> None:
        """Load an exported bundle's weights; the embeddings' change continues from there."""
        trained, _ = self.load(bundle)
        delta, scale = read_delta(bundle / DELTA_FILE)
        embedding = model.bert.embeddings.word_embeddings
        weights = {name: weight for name, weight in trained.state_dict().items() if not _is_table(name)}
        model.load_state_dict(weights, strict=False)
        with torch.no_grad():
            embedding.vector.copy_(delta[f"{WORD_EMBEDDINGS}.row.{embedding.row}"])
            if (change := delta.get(WORD_MODULE + B_SUFFIX)) is not None:
                embedding.lora_A.copy_(delta[WORD_MODULE + A_SUFFIX])
                embedding.lora_B.copy_(scale * change)

    def parameter_groups(self, model: PreTrainedModel) -> list[dict]:
        """All trained weights, at one rate; matrices of layers and heads decay, the low-rank change does not."""
        free = [(name, parameter) for name, parameter in model.named_parameters() if parameter.requires_grad]
        decaying = [p for name, p in free if p.ndim >= 2 and "embeddings" not in name]
        kept = {id(parameter) for parameter in decaying}
        return [
            {"params": decaying, "weight_decay": self.recipe.weight_decay},
            {"params": [p for _, p in free if id(p) not in kept], "weight_decay": 0.0},
        ]

    def loss(self, model: BertForPreTraining, batch: PairBatch, device: torch.device, precision: torch.dtype) -> Tensor:
        """BERT's loss, with the word vectors' change added once."""
        arrays, weight = to_tensors(batch, device), self.recipe.pair_weight
        table = model.bert.embeddings.word_embeddings.merged_weight()  # computed once: input and output both use it
        embedded = nn.functional.embedding(arrays["input_ids"], table)
        hidden, relationship_logits = encode(model, arrays, precision, embedded)
        return loss_of_heads(model, arrays, hidden, relationship_logits, precision, weight, table, words_beside(arrays))

    def save(self, model: PreTrainedModel, tokenizer: PreTrainedTokenizerFast, target: Path) -> None:
        """Save the delta and the config; the base's weights and tokenizer stay in their package."""
        base = with_prefix(load_file(base_weights(self.recipe.base)))
        save_file(delta_of(model, base), target / DELTA_FILE, {"format": "pt", "scale": "1.0"})
        model.config.save_pretrained(target)

    def load(self, folder: Path) -> tuple[PreTrainedModel, PreTrainedTokenizerFast]:
        """The base merged with the delta, in float32."""
        model = BertForPreTraining(BertConfig.from_pretrained(folder))
        model.load_state_dict(merge_delta(load_file(base_weights(self.recipe.base)), folder / DELTA_FILE))
        return model.eval(), base_tokenizer(self.recipe.base)


def adapt(model: BertForPreTraining, rank: int, mask_id: int) -> BertForPreTraining:
    """Train everything, the word embeddings (a third of a full file) only by a low-rank change and [MASK]'s row."""
    embeddings = model.bert.embeddings
    embeddings.word_embeddings = LowRankEmbedding(embeddings.word_embeddings, rank, mask_id)
    for name, parameter in model.named_parameters():
        parameter.requires_grad_(not name.endswith("word_embeddings.base.weight"))
    return model


def _is_table(name: str) -> bool:
    return "word_embeddings" in name or name == TIED_DECODER


def _config(folder: Path) -> BertConfig:
    config = BertConfig.from_pretrained(folder)
    config.architectures = ["BertForPreTraining"]
    # Each text is seen only once or twice, so dropout would only slow training.
    config.hidden_dropout_prob = config.attention_probs_dropout_prob = 0.0
    return config


def _start_heads(model: BertForPreTraining) -> None:
    # The encoder's vectors are already close to the word vectors: a head that starts as "no change" starts ahead.
    nn.init.eye_(model.cls.predictions.transform.dense.weight)
    # The published pooler was never used by its makers (weights decayed to a deviation of 0.009), so it starts anew.
    nn.init.normal_(model.bert.pooler.dense.weight, std=0.02)
    nn.init.zeros_(model.bert.pooler.dense.bias)


def words_beside(arrays: dict[str, Tensor]) -> Tensor:
    """For each hidden piece of a lone sentence, the rarer pieces visible there, -1 for none: [masked, piece].

    The base was tuned to represent whole sentences, so it would answer with another word of the sentence.
    """
    rows = arrays["masked_positions"] // arrays["input_ids"].shape[1]
    beside = arrays["input_ids"][rows]
    lone = (arrays["next_sentence_label"][rows] < 0)[:, None]
    meant = lone & (beside >= FIRST_RARER) & (beside != arrays["masked_labels"][:, None])
    most = int(meant.sum(dim=1).max().clamp(min=1))
    return torch.where(meant, beside, -1).sort(dim=1, descending=True).values[:, :most]


def delta_of(model: PreTrainedModel, base: dict[str, Tensor]) -> dict[str, Tensor]:
    """The trained change, under the names that `merge_delta` reads; `base` comes from `with_prefix`."""
    embedding = model.bert.embeddings.word_embeddings
    delta = {
        f"{WORD_EMBEDDINGS}.row.{embedding.row}": embedding.vector,
        WORD_MODULE + A_SUFFIX: embedding.lora_A,
        WORD_MODULE + B_SUFFIX: embedding.lora_B,
    }
    delta = {name: tensor.detach().cpu().half().contiguous() for name, tensor in delta.items()}
    for name, parameter in model.named_parameters():
        if _is_table(name):
            continue
        if parameter.ndim == 2 and name in base:
            delta |= change_in_steps(name.removesuffix(".weight"), base[name], parameter)
        else:
            delta[name] = parameter.detach().cpu().half().contiguous()
    return delta
