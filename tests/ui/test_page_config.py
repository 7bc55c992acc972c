"""What of Gradio's description of a page reaches the browser."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.ui.serving.page_config import INFO, START, in_script, only_shown

COMPONENTS = [{"id": 1, "type": "html"}, {"id": 2, "type": "api"}, {"id": 3, "type": "textbox"}]
DEPENDENCIES = [{"id": 7, "api_visibility": "private"}, {"id": 8, "api_visibility": "public"}]
PAGE = {"components": [1, 2], "dependencies": [7, 8], "layout": {"id": 0, "children": [{"id": 1}, {"id": 2}]}}
CONFIG = {
    "components": COMPONENTS, "dependencies": DEPENDENCIES, "page": {"": {}, "fill_mask": PAGE},
    "current_page": "fill_mask", "pages": [["", "start"]], "css": "</script>é",
}  # fmt: skip
DOCUMENTED = {"named_endpoints": {"/tokenize": {}}, "unnamed_endpoints": {}}


def written(config: dict[str, Any]) -> bytes:
    """As Gradio writes its page."""
    scripts = (
        START
        + in_script(config).encode()
        + b";</script><script>"
        + INFO
        + in_script(DOCUMENTED).encode()
        + b";</script>"
    )
    return b"<head><script>" + scripts + b"</head>"


def read(body: bytes, name: bytes) -> dict[str, Any]:
    """An object in a page, as the browser reads it."""
    return json.JSONDecoder().raw_decode(body.partition(name)[2].decode())[0]


def test_a_page_is_described_alone_and_without_endpoints() -> None:
    body = only_shown(written(CONFIG), False)
    config = read(body, START)
    assert (config["current_page"], config["pages"], config["css"]) == ("", [], CONFIG["css"])
    page = {"components": [1], "dependencies": [7], "layout": {"id": 0, "children": [{"id": 1}]}}
    assert config["page"] == {"": page}
    assert [one["id"] for one in config["components"]] == [1, 3] and config["dependencies"] == DEPENDENCIES[:1]
    assert read(body, INFO)["named_endpoints"] == {} and body.count(b"</script>") == 2 and body.endswith(b"</head>")


def test_a_page_about_the_endpoints_has_them() -> None:
    body = only_shown(written(CONFIG), True)
    config = read(body, START)
    assert config["components"] == COMPONENTS and config["page"] == {"": PAGE}
    assert read(body, INFO) == DOCUMENTED


@pytest.mark.parametrize("body", [b"<head></head>", written(CONFIG | {"auth_required": True}), b'{"page": 1}'])
def test_what_describes_no_page_stays(body: bytes) -> None:
    assert only_shown(body, False) == body
