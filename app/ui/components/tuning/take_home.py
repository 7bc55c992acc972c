"""Below a visitor's models: a zip to take home, and, on a Space where one can sign in, a push to the Hub.

The tab hands over its tasks (`app.tasks.fine_tune.take_home`): this package knows no engine.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import gradio as gr
from gradio.utils import get_space

from app.errors import PlaygroundError
from app.results.tuning.fine_tune import FineTuneResult, PushState
from app.settings import settings
from app.ui.events import PRIVATE, friendly, friendly_stream, visitor_of
from app.ui.texts import language_of, mark, say
from app.views.html import Markup, tag
from app.views.notes import draw_note

SLUG = "fine_tune"
# What a Space with `hf_oauth: true` is given, and what Gradio needs to make use of it.
GIVEN = ("OAUTH_CLIENT_ID", "OAUTH_CLIENT_SECRET", "OAUTH_SCOPES", "OPENID_PROVIDER_URL")
NEEDED = ("authlib", "itsdangerous")
# In a tab of its own: this page, and the models that belong to it, would be gone.
SIGN_IN = "() => { window.open('/login/huggingface?_target_url=' + encodeURIComponent('/?tab=fine_tune'), '_blank'); }"


class TakeHomeTasks(Protocol):
    """What the panel asks for."""

    def take_home(self, name: str, visitor: str, card: str) -> str:
        """The model as a zip; its path."""

    def push(self, name: str, visitor: str, card: str, repo_id: str, token: str, private: bool) -> Iterator[PushState]:
        """Send the model to the Hub."""


class Run(Protocol):
    """One run of this visit."""

    result: FineTuneResult


def can_sign_in() -> bool:
    """Is this a Space where visitors can sign in?"""
    here = get_space() is not None and all(os.environ.get(name) for name in GIVEN) and not settings().offline
    return here and all(importlib.util.find_spec(name) is not None for name in NEEDED)


def take_home_panel(own: gr.Dropdown, runs: gr.State, tasks: TakeHomeTasks) -> gr.Button:
    """Draw the panel and wire its events; the button that packs a model waits until there is one.

    Args:
        own: the picker of the visitor's models.
        runs: of this visit, each with its `result`.
        tasks: what packs and sends a model.
    """

    @friendly
    def on_pack(name: str, done: list[Run], request: gr.Request) -> gr.DownloadButton:
        card = model_card(name, done, language_of(request))
        return gr.DownloadButton(value=tasks.take_home(name or "", visitor_of(request), card), visible=True)

    pack = gr.Button(mark(SLUG, "take_home"), interactive=False, elem_id="fine_tune-pack")
    file = gr.DownloadButton(mark(SLUG, "download"), visible=False, elem_id="fine_tune-zip")
    pack.click(on_pack, [own, runs], file, **PRIVATE)
    if can_sign_in():
        _push_panel(own, runs, tasks)
    else:
        gr.Markdown(mark(SLUG, "push_elsewhere"), elem_id="fine_tune-recipe")
    return pack


def _push_panel(own: gr.Dropdown, runs: gr.State, tasks: TakeHomeTasks) -> None:
    gr.Markdown(mark(SLUG, "push_intro"), elem_id="fine_tune-push-intro")
    with gr.Row(equal_height=True):
        repo = gr.Textbox(label=mark(SLUG, "push_name"), placeholder="name", max_lines=1, elem_id="fine_tune-push-name")
        private = gr.Checkbox(True, label=mark(SLUG, "push_private"), elem_id="fine_tune-push-private")
    with gr.Row():
        sign_in = gr.Button(mark(SLUG, "push_sign_in"), elem_id="fine_tune-sign-in")
        send = gr.Button(mark(SLUG, "push"), elem_id="fine_tune-push")
    status = gr.HTML(elem_id="fine_tune-push-status")
    # Makes Gradio serve the sign-in. The visible button opens it in another window instead of replacing this page.
    login = gr.LoginButton(visible=False)
    login.load_event_to_attach = None
    sign_in.click(None, None, None, js=SIGN_IN, **PRIVATE)
    send.click(pushing(tasks), [own, repo, private, runs], status, show_progress="hidden", **PRIVATE)


def pushing(tasks: TakeHomeTasks) -> Callable[..., Iterator[str]]:
    """The handler of the button that sends."""

    # Gradio hands the token over for this call; it goes to the task and nowhere else.
    @friendly_stream
    def on_push(
        name: str, repo: str, private: bool, done: list[Run], profile: gr.OAuthProfile | None,
        token: gr.OAuthToken | None, request: gr.Request,
    ) -> Iterator[str]:  # fmt: skip
        language = language_of(request)
        if token is None or profile is None:
            raise PlaygroundError("not_sent", "signed_out")
        repo = (repo or "").strip() or name or ""
        repo_id = repo if "/" in repo else f"{profile.username}/{repo}"
        card = model_card(name, done, language)
        for state in tasks.push(name or "", visitor_of(request), card, repo_id, token.token, private is not False):
            yield draw_push(state, language)

    return on_push


def model_card(name: str, runs: list[Run], language: str) -> str:
    """The card of a model trained on this page; empty for one that was not."""
    made = next((run.result for run in runs if run.result.name == name), None)
    if made is None:
        return ""
    values: dict[str, Any] = {"base": made.model, "rows": made.rows, "labels": ", ".join(made.labels)}
    return say(language, SLUG, "card_tags" if made.kind == "tags" else "card", name=name, **values)


def draw_push(state: PushState, language: str) -> Markup:
    """The progress of a push, and the address at its end."""
    values = {"repo": state.repo_id, "megabytes": f"{state.bytes / 1e6:.0f}", "seconds": f"{state.seconds:.0f}"}
    if not state.url:
        return draw_note(say(language, SLUG, "push_running", **values))
    link = tag("a", state.url, href=state.url, target="_blank", rel="noopener")
    return tag("p", say(language, SLUG, "push_done", **values), " ", link, class_="note")
