"""The buttons at a tab's foot that put what the tab shows into the visitor's report, and save it.

The browser keeps the report until its tab is closed. What was asked is read from the tab's fields, as far as they are
seen; the answer is drawn from the page.
"""

from __future__ import annotations

import json

import gradio as gr
from gradio.components import Component

from app.ui.events import PRIVATE
from app.ui.gradio_internals.components import number_of
from app.ui.texts import mark

SLUG = "report"
FIELDS = (gr.Textbox, gr.Dropdown, gr.Slider, gr.Checkbox, gr.CheckboxGroup, gr.Radio, gr.Number)


def report_buttons(page: gr.Blocks, slug: str) -> None:
    """Draw the buttons of a tab, when its fields are drawn."""
    fields = fields_of(page)
    for field in fields:  # so that the browser finds them
        field.elem_id = field.elem_id or f"{slug}-field-{number_of(field)}"
    told = [{"id": field.elem_id, "label": str(field.label)} for field in fields]
    given = f"{json.dumps(slug)}, {json.dumps(told)}, values"
    for what, inputs, js in (
        ("add", fields, f"(...values) => playground.report.add({given})"),
        ("save", fields, f"(...values) => playground.report.save({given})"),
        ("forget", [], f"() => playground.report.forget({json.dumps(slug)})"),
    ):
        button = gr.Button(mark(SLUG, what), size="sm", min_width=140, elem_id=f"{slug}-report-{what}")
        button.click(None, inputs, None, js=js, **PRIVATE)


def fields_of(page: gr.Blocks) -> list[Component]:
    """What a visitor can set on the page that is being drawn; a copy of a gallery or a table is no setting."""
    drawn = [block for block in page.blocks.values() if block.page == page.current_page]
    return [block for block in drawn if isinstance(block, FIELDS) and block.label and block.visible is not False]
