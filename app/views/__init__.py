"""A result -> a Plotly figure or HTML (`html.py`). Knows no model and no Gradio; every word of a visitor is escaped.

Sentences come in as a mapping, in the visitor's language: a view has none of its own.
"""
