"""A tab's address is `/?tab=slug`, wherever the server is mounted; Gradio's own address leads there."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Mount, Route
from starlette.testclient import TestClient

from app.ui.serving import TabAddresses


@pytest.fixture
def client() -> TestClient:
    """A server that says which path it is asked for."""

    def said(request: Request) -> PlainTextResponse:
        return PlainTextResponse(f"{request.url.path} {request.url.query}")

    shown = [Middleware(TabAddresses, slugs=["start", "fill_mask"])]
    paths = Starlette(routes=[Route("/{path:path}", said, methods=["GET", "POST"])], middleware=shown)
    return TestClient(Starlette(routes=[Mount("/school", paths), Mount("/", paths)]), follow_redirects=False)


@pytest.mark.parametrize("base", ["", "/school"])
def test_the_query_names_the_page(client: TestClient, base: str) -> None:
    assert client.get(f"{base}/?tab=fill_mask&lang=en").text == f"{base}/fill_mask tab=fill_mask&lang=en"
    for query in ("", "tab=start", "tab=nothing", "tab=..%2Fetc", "tab="):
        assert client.get(f"{base}/?{query}").text.startswith(f"{base}/ ")
    assert client.post(f"{base}/?tab=fill_mask").text.startswith(f"{base}/ ")
    assert client.get(f"{base}/other?tab=fill_mask").text.startswith(f"{base}/other ")


@pytest.mark.parametrize("base", ["", "/school"])
def test_gradios_own_address_leads_there(client: TestClient, base: str) -> None:
    answered = client.get(f"{base}/fill_mask?lang=zh-CN&text=a%26b&tab=start")
    assert answered.headers["location"] == f"{base}/?lang=zh-CN&text=a%26b&tab=fill_mask"
