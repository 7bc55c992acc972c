"""Pre-training heads for a published BERT encoder that lost them, with the encoder adapted by LoRA.

The base is not ours: only what was trained here is saved (`app.models.delta` says how). LoRA: Hu et al. 2021,
arXiv 2106.09685; a test holds it to what peft's merged model computes.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from transformers import BertConfig, BertForPreTraining, PreTrainedModel, PreTrainedTokenizerFast

from app.models.delta import WORD_EMBEDDINGS, merge_delta, with_prefix
from app.models.low_rank import add_low_rank
from app.pretraining.base_checkpoints import base_tokenizer, base_weights
from app.pretraining.families import bert
from app.pretraining.objectives.masking import PairBatch
from app.pretraining.recipes import RECIPES, Recipe

DELTA_FILE = "delta.safetensors"
_HEADS = ("cls.", "bert.pooler.")
# A piece that makes up more than this share of a batch is expected to stand twice in a sentence.
FREQUENT = 0.002


class FreeRowEmbedding(nn.Module):
    """A frozen embedding table with one row that learns: the gradient of the other 30,521 is never computed."""

    def __init__(self, table: nn.Embedding, row: int) -> None:
        super().__init__()
        self.table, self.row = table, row
        self.vector = nn.Parameter(table.weight[row].detach().clone())  # [hidden]

    @property
    def weight(self) -> Tensor:
        """The table, for the tied decoder."""
        return self.table.weight

    def forward(self, input_ids: Tensor) -> Tensor:
        """Embeddings [batch, token, hidden]."""
        with torch.no_grad():
            self.table.weight[self.row] = self.vector
        return torch.where((input_ids == self.row)[..., None], self.vector, self.table(input_ids))


def make_tokenizer(recipe: Recipe, files: list[Path]) -> PreTrainedTokenizerFast:
    """The base checkpoint's own tokenizer; the corpus has no say."""
    return base_tokenizer(recipe.base)


def build_model(recipe: Recipe, tokenizer: PreTrainedTokenizerFast) -> PreTrainedModel:
    """The base with adapters and new heads; everything else is frozen."""
    weights = base_weights(recipe.base)
    torch.manual_seed(recipe.seed)
    model = BertForPreTraining._from_config(_config(weights.parent), attn_implementation="eager")
    model.load_state_dict(with_prefix(load_file(weights)), strict=False)
    _start_heads(model)
    return add_adapters(model, recipe.adapter_rank, recipe.adapter_scale, tokenizer.mask_token_id)


def add_adapters(model: BertForPreTraining, rank: int, scale: float, mask_id: int) -> BertForPreTraining:
    """LoRA on every linear layer of the encoder; layer norms, biases, segments, [MASK] and the heads are free."""
    add_low_rank(model.bert.encoder, rank, scale)
    embeddings = model.bert.embeddings
    embeddings.word_embeddings = FreeRowEmbedding(embeddings.word_embeddings, mask_id)
    for name, parameter in model.named_parameters():
        parameter.requires_grad_(_is_free(name))
    return model


def _config(folder: Path) -> BertConfig:
    config = BertConfig.from_pretrained(folder)
    config.architectures = ["BertForPreTraining"]
    # The delta is small and sees each text once: dropout only slows it.
    config.hidden_dropout_prob = config.attention_probs_dropout_prob = 0.0
    return config


def _start_heads(model: BertForPreTraining) -> None:
    # The encoder's vectors lie near the word vectors already: a head that starts as "no change" starts ahead.
    nn.init.eye_(model.cls.predictions.transform.dense.weight)
    # The published pooler was never used by its makers (weights decayed to a deviation of 0.009): start anew.
    nn.init.normal_(model.bert.pooler.dense.weight, std=0.02)
    nn.init.zeros_(model.bert.pooler.dense.bias)


def _is_free(name: str) -> bool:
    return (
        name.startswith(_HEADS)
        or "lora_" in name
        or name.endswith((".bias", ".vector"))
        or "LayerNorm" in name
        or "token_type" in name
    )


def loss(
    model: BertForPreTraining, batch: PairBatch, device: torch.device, precision: torch.dtype, pair_weight: float = 1.0
) -> Tensor:
    """BERT's loss, and in sentences that stand alone the pieces on view as rivals of the hidden one."""
    arrays = bert.to_tensors(batch, device)
    hidden, relationship_logits = bert.encode(model, arrays, precision)
    plain = bert.loss_of_heads(model, arrays, hidden, relationship_logits, precision, pair_weight)
    return plain + repetition_loss(model, arrays, hidden.float())


def repetition_loss(model: BertForPreTraining, arrays: dict[str, Tensor], hidden: Tensor) -> Tensor:
    """Cross entropy of the hidden piece against the visible pieces of its own sentence, for lone sentences.

    Tuned for whole sentences, the base sees the sentence's topic everywhere and answers with one of its words
    ("London is the capital of london"). Pieces that are frequent in the batch (the, of, commas) do repeat: they are
    no rivals. The sum is divided by all hidden pieces of the batch.
    """
    input_ids, decoder = arrays["input_ids"], model.cls.predictions.decoder
    rows = arrays["masked_positions"] // input_ids.shape[1]
    alone = arrays["next_sentence_label"][rows] < 0
    shown, labels, hidden = input_ids[rows[alone]], arrays["masked_labels"][alone], hidden[alone]  # shown [hole, token]
    frequent = torch.bincount(input_ids.flatten(), minlength=len(decoder.bias)) > FREQUENT * input_ids.numel()
    rival_logits = torch.einsum("hd,htd->ht", hidden, decoder.weight[shown]) + decoder.bias[shown]
    rival_logits = rival_logits.masked_fill(frequent[shown] | (shown == labels[:, None]), -torch.inf)
    own_logits = (hidden * decoder.weight[labels]).sum(dim=-1, keepdim=True) + decoder.bias[labels, None]
    losses = torch.cat([own_logits, rival_logits], dim=-1).logsumexp(dim=-1) - own_logits[:, 0]
    return losses.sum() / len(rows)


def groups(model: PreTrainedModel, recipe: Recipe) -> list[dict]:
    """Heads learn faster than the adapters inside the encoder; only matrices of the heads decay."""
    free = [(name, parameter) for name, parameter in model.named_parameters() if parameter.requires_grad]
    heads = [(name, parameter) for name, parameter in free if name.startswith(_HEADS)]
    head_names = {name for name, _ in heads}
    return [
        {"params": [p for _, p in heads if p.ndim >= 2], "lr": recipe.head_learning_rate, "weight_decay": 0.01},
        {"params": [p for _, p in heads if p.ndim < 2], "lr": recipe.head_learning_rate, "weight_decay": 0.0},
        {"params": [p for n, p in free if n not in head_names], "lr": recipe.learning_rate, "weight_decay": 0.0},
    ]


def delta_of(model: PreTrainedModel) -> dict[str, Tensor]:
    """What was trained, under the names that `merge_delta` reads."""
    row = model.bert.embeddings.word_embeddings.row
    rename = {
        ".base.bias": ".bias",
        "bert.embeddings.word_embeddings.vector": f"{WORD_EMBEDDINGS}.row.{row}",
    }
    delta = {}
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            for old, new in rename.items():
                name = name.replace(old, new)
            delta[name] = parameter.detach().cpu().half().contiguous()
    return delta


def scale_of(model: PreTrainedModel) -> float:
    """alpha / rank of the adapters."""
    return model.bert.encoder.layer[0].attention.self.query.scale


def save(model: PreTrainedModel, tokenizer: PreTrainedTokenizerFast, target: Path) -> None:
    """The delta and the config; the base's weights and tokenizer stay in their package."""
    save_file(delta_of(model), target / DELTA_FILE, {"format": "pt", "scale": str(scale_of(model))})
    model.config.save_pretrained(target)


def load(folder: Path) -> tuple[PreTrainedModel, PreTrainedTokenizerFast]:
    """Base and delta merged, in float32."""
    recipe = next(recipe for recipe in RECIPES.values() if recipe.name == folder.name)
    model = BertForPreTraining(BertConfig.from_pretrained(folder))
    model.load_state_dict(merge_delta(load_file(base_weights(recipe.base)), folder / DELTA_FILE))
    return model.eval(), base_tokenizer(recipe.base)


FAMILY = replace(
    bert.FAMILY,
    make_tokenizer=make_tokenizer,
    build_model=build_model,
    loss=loss,
    parameter_groups=groups,
    save=save,
    load=load,
)
