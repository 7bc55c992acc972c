"""The door of the queue: what cannot be taken in is refused in a sentence; a full one says when to ask again."""

from __future__ import annotations

from fastapi import HTTPException, Request
from fastapi.responses import JSONResponse
from gradio.data_classes import PredictBodyInternal

from app.errors import PlaygroundError
from app.ui.events import sentence, sentence_as_html
from app.ui.serving.shares import Load, Pace, check_share
from app.ui.texts import DEFAULT, language_from

# Of 503 the page would show Gradio's own words, in English.
TOO_MANY = 429


def admit(body: PredictBodyInternal, request: Request, load: Load, pace: Pace) -> None:
    """Let a question in.

    Raises:
        HTTPException: with a sentence for whoever asked, in English for a program.
    """
    try:
        check_share(load, pace)
    except PlaygroundError as error:
        language = language_from(request.query_params.get("lang"), request.headers.get("accept-language"))
        told = sentence(error, DEFAULT) if body.simple_format else sentence_as_html(error, language)
        raise HTTPException(TOO_MANY, told, {"Retry-After": str(error.values["seconds"])}) from error


def no_such_call(request: Request, error: Exception) -> JSONResponse:
    """What a call of a name or number that there is not ends with."""
    return JSONResponse({"detail": sentence(PlaygroundError("bad_value", "endpoint"), DEFAULT)}, 404)
