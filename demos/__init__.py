"""One file per tab; each runs alone with `python -m demos.<slug>`."""

from app.proxies import prepare
from app.tasks import answer_registry
from app.ui.gradio_internals.quick_import import import_gradio

prepare()  # before any tab imports Gradio
import_gradio()
answer_registry()
