"""A model and the settings that its next token is drawn with."""

from __future__ import annotations

from typing import NamedTuple

import gradio as gr

from app.ui.texts import mark

SLUG = "prompting"


class SamplingSettings(NamedTuple):
    """The fields, in the order in which the handlers take them."""

    model: gr.Dropdown
    temperature: gr.Slider
    top_k: gr.Slider
    top_p: gr.Slider
    repetition_penalty: gr.Slider
    seed: gr.Number


def sampling_settings(name: str, temperature: float) -> SamplingSettings:
    """Draw them.

    Args:
        name: tells two groups on one page apart.
        temperature: to begin with.
    """

    def slider(key: str, low: float, high: float, value: float, step: float) -> gr.Slider:
        label, info = mark(SLUG, key), mark(SLUG, f"{key}_info")
        return gr.Slider(low, high, value, step=step, label=label, info=info, elem_id=f"prompting-{name}-{key}")

    model = gr.Dropdown(label=mark(SLUG, "model"), elem_id=f"prompting-{name}-model")
    heat = slider("temperature", 0, 2, temperature, 0.05)
    with gr.Accordion(mark(SLUG, "more"), open=False, elem_id=f"prompting-{name}-more"):
        return SamplingSettings(
            model,
            heat,
            top_k=slider("top_k", 0, 200, 0, 1),
            top_p=slider("top_p", 0.05, 1, 1, 0.05),
            repetition_penalty=slider("repetition_penalty", 0.5, 2, 1, 0.05),
            seed=gr.Number(1, label=mark(SLUG, "seed"), info=mark(SLUG, "seed_info"), precision=0, minimum=0),
        )
