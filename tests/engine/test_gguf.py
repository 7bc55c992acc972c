"""GGUF: a file made here reads as in transformers; the packaged SmolLM2 loads and answers as it should."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from app.engine.storage.gguf import convert_gguf

HIDDEN, LAYERS, HEADS, KEY_HEADS, INNER = 64, 2, 4, 2, 96


def write_gguf(path: Path, *, without: str = "") -> None:
    """A tiny Llama with random weights and byte pieces as its vocabulary."""
    from gguf import GGUFWriter

    from app.engine.text.pieces import BYTE_OF

    pieces = ["<|endoftext|>", *sorted(BYTE_OF), "ab"]
    writer = GGUFWriter(str(path), "llama")
    writer.add_name("tiny")
    writer.add_block_count(LAYERS)
    writer.add_context_length(128)
    writer.add_embedding_length(HIDDEN)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KEY_HEADS)
    writer.add_rope_freq_base(10_000.0)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(len(pieces))
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list(pieces)
    writer.add_token_types([3, *[1] * (len(pieces) - 1)])
    writer.add_token_merges(["a b"])
    writer.add_bos_token_id(0)
    writer.add_eos_token_id(0)
    random = np.random.default_rng(3)
    half = HIDDEN * KEY_HEADS // HEADS
    shapes = {"token_embd.weight": (len(pieces), HIDDEN), "output_norm.weight": (HIDDEN,)}
    for layer in range(LAYERS):
        parts = {
            "attn_q": (HIDDEN, HIDDEN), "attn_k": (half, HIDDEN), "attn_v": (half, HIDDEN),
            "attn_output": (HIDDEN, HIDDEN), "ffn_gate": (INNER, HIDDEN), "ffn_up": (INNER, HIDDEN),
            "ffn_down": (HIDDEN, INNER), "attn_norm": (HIDDEN,), "ffn_norm": (HIDDEN,),
        }  # fmt: skip
        shapes |= {f"blk.{layer}.{name}.weight": shape for name, shape in parts.items()}
    for name, shape in shapes.items():
        if name != without:
            writer.add_tensor(name, random.normal(size=shape, scale=0.2).astype(np.float16).astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def test_a_converted_file_answers_as_transformers_reads_it(tmp_path: Path) -> None:
    pytest.importorskip("accelerate", reason="transformers reads GGUF into a model only with accelerate")
    from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaForCausalLM

    write_gguf(tmp_path / "tiny.gguf")
    (tmp_path / "made").mkdir()
    convert_gguf(tmp_path / "tiny.gguf", tmp_path / "made")
    expected = AutoModelForCausalLM.from_pretrained(tmp_path, gguf_file="tiny.gguf", dtype=torch.float32).eval()
    made = LlamaForCausalLM.from_pretrained(tmp_path / "made", dtype=torch.float32).eval()
    ids = AutoTokenizer.from_pretrained(tmp_path / "made")("abc ab", return_tensors="pt").input_ids
    with torch.inference_mode():
        assert torch.allclose(made(ids).logits, expected(ids).logits, atol=1e-4)
    reader = AutoTokenizer.from_pretrained(tmp_path, gguf_file="tiny.gguf")
    assert ids[0].tolist() == reader("abc ab").input_ids
