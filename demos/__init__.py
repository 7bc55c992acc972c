"""One file per tab; each runs alone with `python -m demos.<slug>`."""

from app.proxies import prepare

prepare()  # before any tab imports Gradio
