"""What a chat shows of a link: our own title and picture, not Gradio's."""

from __future__ import annotations

import pytest
from PIL import Image

from app.ui.serving.link_preview import PICTURE, link_preview, without_previews


def scope(**headers: str) -> dict:
    encoded = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {"type": "http", "scheme": "http", "path": "/", "headers": encoded, "root_path": ""}


@pytest.mark.parametrize(
    ("asked", "address"),
    [
        (scope(host="localhost:7860"), "http://localhost:7860/preview.png"),
        (
            scope(host="inside:80", x_forwarded_host="a.org", x_forwarded_proto="https,http"),
            "https://a.org/preview.png",
        ),
        (scope(host="a.org") | {"root_path": "/plm"}, "http://a.org/plm/preview.png"),
    ],
)
def test_the_picture_has_the_address_that_the_visitor_sees(asked: dict, address: str) -> None:
    assert f'property="og:image" content="{address}"' in link_preview("en", "start", asked)


def test_what_a_browser_sends_as_its_host_is_escaped() -> None:
    assert "<script>" not in link_preview("en", "start", scope(host='"><script>'))


def test_gradios_preview_of_itself_is_left_out_and_nothing_else() -> None:
    theirs = b'<meta\n property="og:title" content="Gradio" />\n<meta name="twitter:creator" content="@Gradio" />'
    kept = b'<meta name="viewport" content="x" />'
    said = b'</head><p>&lt;<meta property="og:title" content="a visitor\'s"></p>'
    assert without_previews(b"<head>" + theirs + kept + said) == b"<head>" + kept + said


def test_the_picture_has_the_size_that_it_is_said_to_have() -> None:
    assert Image.open(PICTURE).size == (1200, 630)
