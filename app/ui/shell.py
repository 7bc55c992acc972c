"""The frame around the tabs: finds them, gives each a page of its own or shows one alone, and launches the server."""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import gradio as gr
from gradio.blocks import BlockFunction
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from app.errors import PlaygroundError
from app.garbage import leave_out, no_search
from app.metrics import RUNNING, value_of
from app.registry.lookup import fetches
from app.settings import settings
from app.ui.address import AddressError, free_address
from app.ui.events import KINDS, PRIVATE, QUICK, add_endpoints, added_later, sentence
from app.ui.filled_page import filling
from app.ui.gradio_internals.building import unfinished
from app.ui.gradio_internals.components import take_choices_that_come_later, take_numbers_as_shown
from app.ui.gradio_internals.queueing import NO_SUCH_CALL, NO_SUCH_FILE, keep_no_statistics, use_fair_queue
from app.ui.gradio_internals.sessions import delete_files, forget_session, use_light_sessions
from app.ui.lessons.keep_step import keep_step
from app.ui.links import language_buttons, links_of, openings_of, tell_of_link
from app.ui.report import page as report
from app.ui.report.buttons import report_buttons
from app.ui.serving import (
    ROUTES,
    PageLanguage,
    RefuseWhenClosing,
    SecurityHeaders,
    TabAddresses,
    VisitCookie,
    admit,
    disk_full,
    no_such_call,
    refused,
    wait_until_stopped,
)
from app.ui.serving.health import WARM
from app.ui.serving.trim import share_pools
from app.ui.tab import Tab
from app.ui.texts import DEFAULT, LANGUAGES, NAME, mark
from app.ui.theme import FILES, theme
from app.ui.ways.code import code_panel
from app.ui.ways.navigation import contents, skip_link, ways_on
from app.visits import visits

# What visitors sent and took home is looked for every ten minutes and deleted after an hour, in seconds.
FILES_KEPT = (600, 3_600)
# Requests of one kind worked on at once: those in Gradio's queue cannot share a pass of the model. Then all kinds
# together. Those that take long have limits of their own (`app/ui/events.py`), together less than the threads.
CONCURRENCY = 32
THREADS = 128
SECONDS_FOR_LATE = 10.0
# So long the preparation of a tab's first answer waits for questions that are being answered.
SECONDS_FOR_VISITORS = 5.0
# Visits that Gradio remembers, 56 kB each (measured) and what their states hold; the oldest are forgotten.
VISITS = 1_000
REFUSED = {"exception_handlers": {NO_SUCH_CALL: no_such_call, OSError: disk_full, PlaygroundError: refused}}
GUARDS = [
    Middleware(GZipMiddleware, compresslevel=5),
    Middleware(SecurityHeaders),
    Middleware(RefuseWhenClosing),
    Middleware(VisitCookie),
]


def discover(package: ModuleType) -> list[Tab]:
    """Every tab of a package, in order. One that cannot be imported becomes a tab that shows its error."""
    tabs = []
    for module in pkgutil.iter_modules(package.__path__):
        try:
            tabs.append(importlib.import_module(f"{package.__name__}.{module.name}").TAB)
        except Exception:
            if os.environ.get("PLAYGROUND_STRICT"):
                raise
            tabs.append(_broken(module.name, traceback.format_exc(limit=0)))
    return sorted(tabs, key=lambda tab: tab.order)


def _broken(slug: str, report: str) -> Tab:
    def build(page: gr.Blocks) -> None:
        gr.Markdown(mark("playground", "broken"))
        gr.Code(report, language=None)

    return Tab(slug=slug, order=1_000, build=build)


def playground(tabs: Sequence[Tab]) -> gr.Blocks:
    """All tabs, each a page of its own with its address: only what is shown is built in the browser."""
    with no_search(), unfinished():
        page = _begin([tab.slug for tab in tabs])
        for tab in tabs:
            with page if tab is tabs[0] else page.route(tab.slug, tab.slug, show_in_navbar=False):
                skip_link()
                languages = _header()
                with gr.Row(elem_id="book"):
                    contents(tabs, tab)
                    with gr.Column(elem_id="tabs"):
                        tab.build(page)
                        code_panel(page, tab.slug)
                        if tab.group:
                            _collect(page, tab.slug)
                        ways_on(tabs, tab)
                _finish(page, tab.slug, languages)
    return _with_more(page, tabs)


def _collect(page: gr.Blocks, slug: str) -> None:
    """What a visitor can take of a tab: as a link, into a lesson, into a report."""
    link = links_of(page).get(slug)
    with gr.Row(elem_classes="collect"):
        if link is not None and link.button is not None:
            link.button.unrender()
            link.button.render()
        if "lessons" in page.slugs:
            keep_step(page, slug)
        report_buttons(page, slug)


def standalone(tab: Tab) -> gr.Blocks:
    """One tab as a program of its own."""
    page = _begin([tab.slug])
    with page:
        languages = _header()
        tab.build(page)
        _finish(page, tab.slug, languages)
    return _with_more(page, [tab])


class Page(gr.Blocks):
    """Gradio's page, save for calls that it would answer with words of its own, and what was sent in the log."""

    def validate_inputs(self, block_fn: BlockFunction, inputs: list[Any]) -> None:
        """Refuse a call with too few arguments with a sentence; what an endpoint got later is put in its place."""
        wanted, later = len(block_fn.inputs), added_later(self).get(str(block_fn.api_name), [])
        if 0 < wanted - len(inputs) <= len(later):
            inputs.extend(later[len(inputs) - wanted :])
        if len(inputs) < wanted:
            error = PlaygroundError("bad_value", "arguments", name=block_fn.api_name, count=wanted)
            raise gr.Error(sentence(error, DEFAULT), print_exception=False)

    async def preprocess_data(self, *arguments: Any, **named: Any) -> list[Any]:
        """Refuse, with a sentence, a file that was never uploaded."""
        try:
            return await super().preprocess_data(*arguments, **named)
        except NO_SUCH_FILE:
            raise gr.Error(sentence(PlaygroundError("bad_value", "file"), DEFAULT), print_exception=False) from None


def _begin(slugs: list[str]) -> gr.Blocks:
    page = Page(title=NAME, analytics_enabled=False, delete_cache=FILES_KEPT)
    page.slugs = slugs
    with page:
        page.unload(_leave(page))
    return page


def _header() -> dict[str, gr.Button]:
    with gr.Row(elem_id="header"):
        gr.Markdown(mark("playground", "header"), elem_id="masthead")
        with gr.Row(elem_id="languages"):
            return {
                code: gr.Button(name, size="sm", variant="secondary", elem_id=f"lang-{code}", min_width=72)
                for code, name in LANGUAGES.items()
            }


def _finish(page: gr.Blocks, slug: str, languages: dict[str, gr.Button]) -> None:
    language_buttons(page, slug, languages)
    tell_of_link(page, slug)
    if not any(opening.slug == slug and opening.first for opening in openings_of(page)):  # else when those are filled
        opened = page.load(lambda: None, None, None, **QUICK)
        opened.then(None, None, None, js="() => playground.begin()", **PRIVATE)


def _leave(page: gr.Blocks) -> Callable[[gr.Request], None]:
    def on_leave(request: gr.Request) -> None:
        """The page was closed: what belongs to its session goes; what belongs to a browser waits for its next page."""
        session = request.session_hash or ""
        visits().end(session)
        # What the page has asked just before is still answered, which needs what its session knows.
        late = threading.Timer(SECONDS_FOR_LATE, forget_session, (page, session))
        late.daemon = True
        late.start()

    return on_leave


def _with_more(page: gr.Blocks, tabs: Sequence[Tab]) -> gr.Blocks:
    add_endpoints(page)
    take_choices_that_come_later(page)
    page.warmers = [tab.warm for tab in tabs if tab.warm is not None]
    page.routes = [route for tab in tabs for route in tab.routes]
    return page


def _port() -> int:
    try:
        return free_address()[1]
    except AddressError as error:
        sys.exit(str(error))


def launch(page: gr.Blocks, **options: object) -> gr.Blocks:
    """Start the server; the address follows GRADIO_SERVER_NAME and GRADIO_SERVER_PORT: a taken port ends the program,
    as the page would not be found on another one.

    Nothing leaves this machine: no analytics, no share link, no web fonts, no history in the browser.
    """
    port = _port()
    fetches()  # asks the Hub in the background, so that the first visitor is offered no download that can only fail
    use_light_sessions()
    take_numbers_as_shown()
    use_fair_queue(KINDS, admit)
    with unfinished():  # the launch makes them
        page.queue(default_concurrency_limit=CONCURRENCY, max_size=settings().waiting or sys.maxsize)
    keep_no_statistics(page)
    filled = filling(page, openings_of(page))
    shown = [Middleware(TabAddresses, slugs=page.slugs), Middleware(PageLanguage, slugs=page.slugs, filling=filled)]
    page.launch(
        theme=theme(),
        **FILES,
        app_kwargs={"middleware": [*GUARDS, *shown], "routes": [*ROUTES, *report.ROUTES, *page.routes], **REFUSED},
        auth=[tuple(settings().auth.split(":", 1))] if settings().auth else None,
        footer_links=["api", "settings"],
        run_history=False,
        share=False,
        ssr_mode=False,
        show_error=True,
        max_file_size="2mb",
        max_threads=THREADS,
        state_session_capacity=VISITS,
        # Otherwise Gradio requests its own first page and, on a busy machine or behind a proxy, gives up.
        _frontend=False,
        prevent_thread_lock=True,
        server_port=port if os.environ.get("GRADIO_SERVER_PORT") else None,
        **options,
    )
    leave_out()
    if settings().warm:
        threading.Thread(target=_warm, args=(page,), name="warm-up", daemon=True).start()
    else:
        WARM.set()
    return page


def serve(page: gr.Blocks) -> None:
    """Launch the server, and be there until it is stopped."""
    share_pools()
    launch(page)
    wait_until_stopped(lambda: delete_files(page), visits().end_all)


def answer_examples(page: gr.Blocks) -> None:
    """Answer what the tabs open with, unless that was done. The default language first, all tabs of it."""
    for language in LANGUAGES:
        for opening in openings_of(page):
            _let_visitors_go_first()
            opening.make(language)


def _let_visitors_go_first() -> None:
    """Wait for what is being answered, but not for ever."""
    until = time.monotonic() + SECONDS_FOR_VISITORS
    while value_of(RUNNING) > 0 and time.monotonic() < until:
        time.sleep(0.05)


def _warm(page: gr.Blocks) -> None:
    try:
        answer_examples(page)
        for warm in page.warmers:
            warm()
    finally:
        leave_out()
        WARM.set()
