"""How a word's occurrences are looked at: projection, space, colours, and the weights of ELMo's mix of layers."""

from __future__ import annotations

from dataclasses import dataclass

import gradio as gr

from app.ui.texts import mark

METHODS, COLOURS = ("pca", "tsne", "umap"), ("sense", "cluster")
# ELMo has its character CNN and two layers above it.
ELMO_LAYERS = 3


@dataclass(frozen=True)
class SenseControls:
    """The controls and their rows, which are hidden until there is an answer."""

    row: gr.Row
    look: list[gr.Radio]  # method, dimensions, colours
    mixer: gr.Row
    weights: list[gr.Slider]


def sense_controls(slug: str) -> SenseControls:
    """Draw them. Their texts are among those of the tab."""
    with gr.Row(visible=False) as row:
        look = [
            gr.Radio(
                [(mark(slug, f"method.{name}"), name) for name in METHODS], value="pca", label=mark(slug, "method"),
                info=mark(slug, "method_hint"), min_width=240, elem_id=f"{slug}-method",
            ),
            gr.Radio(
                [(mark(slug, f"space.{count}"), count) for count in (2, 3)], value=2, label=mark(slug, "space"),
                min_width=160, elem_id=f"{slug}-space",
            ),
            gr.Radio(
                [(mark(slug, f"colour.{name}"), name) for name in COLOURS], value="sense", label=mark(slug, "colour"),
                min_width=200, elem_id=f"{slug}-colour",
            ),
        ]  # fmt: skip
    with gr.Row(visible=False) as mixer:
        weights = [
            gr.Slider(
                -4, 4, 0, step=0.1, label=mark(slug, f"mix_layer_{layer}"), min_width=200,
                elem_id=f"{slug}-weight-{layer}",
            )
            for layer in range(ELMO_LAYERS)
        ]  # fmt: skip
    return SenseControls(row, look, mixer, weights)
