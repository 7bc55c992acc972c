"""Loads checkpoints and runs them. Speaks in the protocols of `base.py`; knows no task, no view and no Gradio.

torch and transformers are imported on first use, so that the page is there before they are.
"""

# These let the registry ask what is on this machine, and for names outside the catalog.
from app.engine.storage import hub_models as hub_models
from app.engine.storage import locate as locate
