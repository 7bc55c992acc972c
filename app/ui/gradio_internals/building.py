"""What Gradio makes of a page each time that something was added to it, made once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import gradio as gr
from gradio import blocks


@contextmanager
def unfinished() -> Iterator[None]:
    """While this holds, leaving a page makes neither the page's description nor its web app.

    Gradio makes both at each end of a `with`, of everything there is by then: of a page with 17 routes that is most of
    the time until the server starts. The first `with` after this one makes them.
    """
    with (
        patch.object(gr.Blocks, "get_config_file", lambda page: {}),
        patch.object(blocks.App, "create_app", lambda page, **named: None),
    ):
        yield
