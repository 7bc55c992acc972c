"""GGUF files, the format of llama.cpp, written once as a folder in Hub layout: reading one takes up to a minute.

Weights are stored there in blocks of few bits; their values are kept in float16, whose rounding is far
finer than that of the blocks.
"""

from __future__ import annotations

from pathlib import Path

from app.late_imports import importing


def convert_gguf(source: Path, target: Path) -> None:
    """Write weights, configuration and tokenizer of a causal model into an empty folder.

    Raises:
        ValueError: the file lacks weights of the architecture that it names.
        OSError: there is no room.
    """
    with importing():
        import torch
        from safetensors.torch import save_file
        from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer
        from transformers.modeling_gguf_pytorch_utils import load_gguf_checkpoint

    place = {"pretrained_model_name_or_path": source.parent, "gguf_file": source.name, "local_files_only": True}
    config = AutoConfig.from_pretrained(**place)
    with torch.device("meta"):  # its names and shapes alone
        model = AutoModelForCausalLM.from_config(config)
    tensors = load_gguf_checkpoint(str(source), return_tensors=True, model_to_load=model)["tensors"]
    missing = model.state_dict().keys() - tensors.keys() - model.all_tied_weights_keys.keys()
    if missing:
        raise ValueError(f"{source.name} lacks {sorted(missing)[0]}")
    save_file({name: weight.half().contiguous() for name, weight in tensors.items()}, target / "model.safetensors")
    config.save_pretrained(target)
    AutoTokenizer.from_pretrained(**place).save_pretrained(target)
