"""`/healthz` for monitoring the server, `/metrics` for Prometheus. Neither asks for a password."""

from __future__ import annotations

import threading

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from app.metrics import CACHE_BUDGET, CACHE_BYTES, CHECKPOINT_BYTES, CHECKPOINTS, RUNNING, WAITING, settle, value_of
from app.ui.serving.closing import CLOSING

# Set when the first answers of the page are there, or at once where nothing is prepared.
WARM = threading.Event()


def healthz(request: Request) -> JSONResponse:
    """Alive whenever it answers; `ready` (status 200, else 503) when visitors may be sent here."""
    ready = WARM.is_set() and not CLOSING.is_set()
    body = {
        "live": True,
        "ready": ready,
        "closing": CLOSING.is_set(),
        "running": int(value_of(RUNNING)),
        "waiting": int(value_of(WAITING)),
        "checkpoints": int(value_of(CHECKPOINTS)),
        "checkpoint_bytes": int(value_of(CHECKPOINT_BYTES)),
        "cache_bytes": int(value_of(CACHE_BYTES)),
        "cache_budget_bytes": int(value_of(CACHE_BUDGET)),
    }
    return JSONResponse(body, 200 if ready or request.url.path == "/healthz" else 503)


def metrics(request: Request) -> Response:
    """All counters, in Prometheus' text format."""
    settle()
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)


ROUTES = [Route("/healthz", healthz), Route("/healthz/ready", healthz), Route("/metrics", metrics)]
