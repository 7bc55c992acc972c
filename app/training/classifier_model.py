"""The classifier at the start and end of fine-tuning: transformers' own class around a copy of an encoder."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import nn
from transformers import PreTrainedConfig, PreTrainedModel

from app.engine.runtime.loaded import Loaded
from app.engine.runtime.loader import ONE_AT_A_TIME
from app.models.low_rank import add_low_rank, merge_low_rank
from app.training.plan import Method

SCALE = 2.0  # alpha / rank of the low-rank changes
NO_DROPOUT = (
    *("hidden_dropout_prob", "attention_probs_dropout_prob", "classifier_dropout", "classifier_dropout_prob"),
    *("resid_pdrop", "embd_pdrop", "attn_pdrop", "summary_first_dropout", "attention_dropout"),
)
HEAD = ("classifier.", "pooler.", "score.", "qa_outputs.")
# A checkpoint with one of these heads was saved with a trained pooler.
POOLED_HEADS = frozenset({"next_sentence", "sentence_order", "classification"})


def build_classifier(
    base: Loaded,
    labels: Sequence[str],
    seed: int,
    *,
    from_scratch: bool,
    shares: bool = False,
    made: type[PreTrainedModel] | None = None,
) -> nn.Module:
    """A classifier with a copy of the base's encoder and a new head, in float32.

    Args:
        base: left as it is.
        labels: their names in order; they go into the config and so survive saving.
        seed: of the new weights.
        from_scratch: new weights everywhere.
        made: the class to build; by default the family's own class for sentences.
        shares: use the base's own Transformer instead of a copy; it must not be trained then.
    """
    settings = base.model.config.to_dict()
    settings |= {name: 0.0 for name in NO_DROPOUT if name in settings or name == "classifier_dropout_prob"}
    settings |= {"id2label": dict(enumerate(labels)), "label2id": {name: i for i, name in enumerate(labels)}}
    made = made or base.family.classifier_class
    settings["architectures"] = [made.__name__]
    config = type(base.model.config).from_dict(settings)
    if base.family.classifier_reads == "last":
        # transformers looks for the last token that differs from this one, so no text may contain it.
        config.pad_token_id = padding(base)
    if shares:
        return _around(base, config, seed)
    with ONE_AT_A_TIME, torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = made(config)
    if not from_scratch:
        _copy_encoder(base, model)
    return model.float().to(base.model.device)


def padding(base: Loaded) -> int:
    """A token that visitors' texts never contain: the padding token, else the token at the end of a text."""
    tokenizer = base.text.tokenizer
    return tokenizer.eos_token_id if tokenizer.pad_token_id is None else tokenizer.pad_token_id


def _around(base: Loaded, config: PreTrainedConfig, seed: int) -> nn.Module:
    """A new head, `score`, on the base's own Transformer."""
    with ONE_AT_A_TIME, torch.device("meta"):
        model = base.family.classifier_class(config)
    setattr(model, model.base_model_prefix, base.model.base_model)
    shape = (config.num_labels, config.hidden_size)
    first = torch.randn(shape, generator=torch.Generator().manual_seed(seed)) * config.initializer_range
    model.score = nn.Linear(config.hidden_size, config.num_labels, bias=False)
    model.score.weight = nn.Parameter(first)
    model.score.to(base.model.device)
    return model


def _copy_encoder(base: Loaded, model: nn.Module) -> None:
    source = base.model.base_model.state_dict()
    if not base.heads & POOLED_HEADS:
        source = {name: weight for name, weight in source.items() if not name.startswith("pooler.")}
    model.base_model.load_state_dict(source, strict=False)


def make_trainable(model: nn.Module, method: Method, seed: int, rank: int = 8) -> None:
    """Set which weights are trained; for "lora", add the low-rank changes to the encoder's layers."""
    for parameter in model.parameters():
        parameter.requires_grad_(method == "full")
    if method == "full":
        return
    if method == "lora":
        generator = torch.Generator(device=next(model.parameters()).device).manual_seed(seed)
        body = model.base_model
        add_low_rank(body.layers if hasattr(body, "layers") else body.encoder, rank, SCALE, generator)
    prefix = f"{model.base_model_prefix}."
    for name, parameter in model.named_parameters():
        if name.removeprefix(prefix).startswith(HEAD):
            parameter.requires_grad_(True)


def finish(model: nn.Module) -> None:
    """Merge low-rank changes and switch to evaluation mode: from here on the model only answers."""
    merge_low_rank(model)
    model.eval()
    for parameter in model.parameters():
        parameter.requires_grad_(True)
