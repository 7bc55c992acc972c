"""Five full-size models in one plain file, Gradio over transformers' own pipelines, to measure its memory."""

from __future__ import annotations

import sys
from pathlib import Path

import gradio as gr
from transformers import pipeline

TASKS = {"gpt2": "text-generation"}
models = {folder: pipeline(TASKS.get(Path(folder).name, "fill-mask"), model=folder) for folder in sys.argv[1:]}


def predict(text: str, folder: str) -> str:
    """What the pipeline of one folder answers."""
    options = {"max_new_tokens": 1} if Path(folder).name in TASKS else {}
    return str(models[folder](text, **options))


if __name__ == "__main__":
    gr.Interface(predict, [gr.Textbox(), gr.Textbox()], gr.Textbox(), analytics_enabled=False).launch(
        ssr_mode=False, _frontend=False
    )
