"""The cookie of a visit: given once, only to browsers; the visit ends with its last page."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from app.ui.serving import VisitCookie
from app.visits import Visits, key_in


@pytest.fixture
def entered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the visits are told."""
    told: list[str] = []

    class Told(Visits):
        def enter(self, key: str) -> None:
            told.append(f"enter {key}")

        def leave(self, key: str) -> None:
            told.append(f"leave {key}")

    monkeypatch.setattr("app.ui.serving.visit_cookie.visits", lambda: Told(60.0))
    return told


@pytest.fixture
def client() -> TestClient:
    """A server with a page, and with what an open page asks for."""
    routes = [
        Route("/", lambda request: HTMLResponse("a page")),
        Route("/config", lambda request: PlainTextResponse("no page")),
        Route("/gradio_api/heartbeat/{session}", lambda request: PlainTextResponse("open")),
    ]
    return TestClient(Starlette(routes=routes, middleware=[Middleware(VisitCookie)]))


def test_a_browser_is_given_one_cookie(client: TestClient) -> None:
    given = client.get("/").headers["set-cookie"]
    assert given.startswith("visit=") and given.endswith("; Path=/; HttpOnly; SameSite=Lax")
    assert "set-cookie" not in client.get("/").headers, "it has one"
    client.cookies.clear()
    assert "set-cookie" not in client.get("/config").headers
    others = client.get("/").headers["set-cookie"]
    assert others.split(";")[0] != given.split(";")[0]


def test_in_a_frame_of_another_site_the_cookie_comes_back(client: TestClient) -> None:
    given = client.get("/", headers={"x-forwarded-proto": "https, http"}).headers["set-cookie"]
    assert given.endswith("HttpOnly; SameSite=None; Secure; Partitioned")


def test_open_pages_are_counted(client: TestClient, entered: list[str]) -> None:
    client.get("/gradio_api/heartbeat/anna")
    assert entered == [], "without a cookie each page is a visit of its own"
    client.cookies.set("visit", "word")
    client.get("/gradio_api/heartbeat/anna")
    assert entered == ["enter visit word", "leave visit word"]


@pytest.mark.parametrize("header", ["", "other=1", "visit", ";;", "visit=", "=; visit", "\x00"])
def test_what_names_no_visit(header: str) -> None:
    assert key_in(header) in ("", "visit ")


def test_a_visit_outlives_the_way_to_the_next_page_and_not_the_last() -> None:
    now, dropped = [0.0], []
    visits = Visits(3_600.0, clock=lambda: now[0])
    visits.enter("visit word")
    visits.enter("visit word")
    visits.get("visit word").own("models", lambda: dropped.append(1))
    visits.leave("visit word")
    now[0] = 1_000.0
    visits.sweep()
    assert dropped == [], "another page is open"
    visits.leave("visit word")
    now[0] += 50.0
    visits.enter("visit word")
    now[0] += 50.0
    visits.sweep()
    assert dropped == [], "the next page was opened in time"
    visits.leave("visit word")
    now[0] += 61.0
    visits.sweep()
    assert dropped == [1]
    visits.end_all()
