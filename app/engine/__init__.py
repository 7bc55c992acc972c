"""Loads checkpoints and runs them. Speaks in the protocols of `base.py`; knows no task, no view and no Gradio.

torch and transformers are imported on first use, so that the page is there before they are.
"""
