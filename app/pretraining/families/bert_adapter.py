"""Pre-training heads for a published BERT encoder that lost them, with the encoder trained on.

The base is not ours: only what changed is saved (`app.models.delta` says how), the layers' matrices in 8 bits, the word
embeddings' change at a low rank (LoRA: Hu et al. 2021, arXiv 2106.09685).
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
# The pieces below are signs, letters and the commonest words, which a sentence may well have twice.
FIRST_RARER = 2_100
TIED_DECODER = "cls.predictions.decoder.weight"


class BertAdapterFamily(BertFamily):
    """BERT's batches and losses for a base checkpoint that is trained on; only the change is saved."""

    def make_tokenizer(self, files: list[Path]) -> PreTrainedTokenizerFast:
        """The base checkpoint's own tokenizer; the corpus has no say."""
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
        """Put an exported bundle's weights in; the embeddings' change goes on from where it was."""
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
        """All weights that learn, at one rate; matrices of layers and heads decay, the low-rank change does not."""
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
        table = model.bert.embeddings.word_embeddings.merged_weight()  # once: it is read on both ends
        embedded = nn.functional.embedding(arrays["input_ids"], table)
        hidden, relationship_logits = encode(model, arrays, precision, embedded)
        return loss_of_heads(model, arrays, hidden, relationship_logits, precision, weight, table, words_beside(arrays))

    def save(self, model: PreTrainedModel, tokenizer: PreTrainedTokenizerFast, target: Path) -> None:
        """The delta and the config; the base's weights and tokenizer stay in their package."""
        base = with_prefix(load_file(base_weights(self.recipe.base)))
        save_file(delta_of(model, base), target / DELTA_FILE, {"format": "pt", "scale": "1.0"})
        model.config.save_pretrained(target)

    def load(self, folder: Path) -> tuple[PreTrainedModel, PreTrainedTokenizerFast]:
        """Base and delta merged, in float32."""
        model = BertForPreTraining(BertConfig.from_pretrained(folder))
        model.load_state_dict(merge_delta(load_file(base_weights(self.recipe.base)), folder / DELTA_FILE))
        return model.eval(), base_tokenizer(self.recipe.base)


def adapt(model: BertForPreTraining, rank: int, mask_id: int) -> BertForPreTraining:
    """Everything learns; the word embeddings, a third of the file if stored whole, by a low-rank change and [MASK]."""
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
    # It sees each text once or twice: dropout only slows it.
    config.hidden_dropout_prob = config.attention_probs_dropout_prob = 0.0
    return config


def _start_heads(model: BertForPreTraining) -> None:
    # The encoder's vectors lie near the word vectors already: a head that starts as "no change" starts ahead.
    nn.init.eye_(model.cls.predictions.transform.dense.weight)
    # The published pooler was never used by its makers (weights decayed to a deviation of 0.009): start anew.
    nn.init.normal_(model.bert.pooler.dense.weight, std=0.02)
    nn.init.zeros_(model.bert.pooler.dense.bias)


def words_beside(arrays: dict[str, Tensor]) -> Tensor:
    """For each hidden piece of a lone sentence the rarer pieces that can be seen there, -1 for none: [masked, piece].

    The base was tuned to say what a whole sentence is about, and would answer with a word of the sentence.
    """
    rows = arrays["masked_positions"] // arrays["input_ids"].shape[1]
    beside = arrays["input_ids"][rows]
    lone = (arrays["next_sentence_label"][rows] < 0)[:, None]
    meant = lone & (beside >= FIRST_RARER) & (beside != arrays["masked_labels"][:, None])
    most = int(meant.sum(dim=1).max().clamp(min=1))
    return torch.where(meant, beside, -1).sort(dim=1, descending=True).values[:, :most]


def delta_of(model: PreTrainedModel, base: dict[str, Tensor]) -> dict[str, Tensor]:
    """What was trained, under the names that `merge_delta` reads; `base` as `with_prefix` gives it."""
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
