"""Draws results as Plotly figures or HTML (`html.py`). Knows no model and no Gradio; all visitors' text is escaped.

Sentences come in as a mapping in the visitor's language; a view has none of its own.
"""
