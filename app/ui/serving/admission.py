"""The door of the queue: what cannot be taken in is refused in a sentence; a full one says when to ask again."""

from __future__ import annotations

import errno

from fastapi import HTTPException, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response

from app.errors import PlaygroundError
from app.pace import Pace
from app.ui.events import sentence, sentence_as_html, words_of
from app.ui.serving.shares import Load, check_share
from app.ui.texts import DEFAULT, language_from

# Of 503 the page would show Gradio's own words, in English.
TOO_MANY = 429
# HTTP's "insufficient storage", and what the system calls it.
NO_ROOM, FULL = 507, (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)


def admit(request: Request, program: bool, load: Load, pace: Pace) -> None:
    """Let a question in, of a page or of a program.

    Raises:
        HTTPException: with a sentence, in English for a program.
    """
    try:
        check_share(load, pace)
    except PlaygroundError as error:
        told = sentence(error, DEFAULT) if program else sentence_as_html(error, _language(request))
        raise HTTPException(TOO_MANY, told, {"Retry-After": str(error.values["seconds"])}) from error


def no_such_call(request: Request, error: Exception) -> JSONResponse:
    """What a call of a name or number that there is not ends with."""
    return JSONResponse({"detail": sentence(PlaygroundError("bad_value", "endpoint"), DEFAULT)}, 404)


def disk_full(request: Request, error: Exception) -> Response:
    """What an upload ends with that cannot be kept; the page shows it as it is. Other errors are raised again."""
    if getattr(error, "errno", None) not in FULL:
        raise error
    return PlainTextResponse(words_of(PlaygroundError("busy", "disk"), _language(request)), NO_ROOM)


def refused(request: Request, error: Exception) -> Response:
    """What an address of a tab ends with that was refused, as by a cluster that does not answer."""
    assert isinstance(error, PlaygroundError)
    return PlainTextResponse(words_of(error, _language(request)), 503)


def _language(request: Request) -> str:
    return language_from(request.query_params.get("lang"), request.headers.get("accept-language"))
