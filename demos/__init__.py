"""One file per tab; each runs alone with `python -m demos.<slug>`."""

from app.proxies import prepare
from app.tasks import answer_registry

prepare()  # before any tab imports Gradio
answer_registry()
