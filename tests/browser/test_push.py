"""A Space with sign-in, in a browser: a model is trained and pushed to a local Hub with the visitor's token."""

from __future__ import annotations

import base64
import hashlib
import json
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.test_fine_tune import open_tab
from tests.conftest import hub_environment
from tests.local_hub import LocalHub
from tests.running_app import run_app
from tests.test_space import SPACE

TOKEN, SECRET = "hf_visitors_own_secret", "the-space-s-secret"
PROFILE = {"name": "Anna", "preferred_username": "anna", "profile": "https://hub/anna", "picture": ""}


@pytest.fixture(scope="module")
def hub() -> Iterator[LocalHub]:
    """A Hub on which the token may write to `anna`."""
    with LocalHub() as served:
        served.desk.owners[TOKEN] = {"anna"}
        yield served


@pytest.fixture(scope="module")
def space(hub: LocalHub, tiny_models: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The app as a Space with `hf_oauth: true`."""
    pytest.importorskip("authlib", reason="needs authlib (requirements.txt)")
    given = {
        **SPACE,
        "SPACE_HOST": "owner-plm-playground.hf.space",
        "OAUTH_CLIENT_ID": "client",
        "OAUTH_CLIENT_SECRET": SECRET,
        "OAUTH_SCOPES": "openid profile contribute-repos",
        "OPENID_PROVIDER_URL": hub.url,
        "HF_TOKEN": "hf_hosts_own_secret",
        "HF_HUB_DISABLE_XET": "1",
        **hub_environment(hub.url, tmp_path_factory.mktemp("home")),
    }
    yield from run_app(tiny_models, **given)


def signed_in() -> str:
    """The session cookie that Gradio sets after a sign-in."""
    from itsdangerous import TimestampSigner

    info = {"access_token": TOKEN, "scope": "contribute-repos", "expires_at": int(time.time()) + 600}
    content = base64.b64encode(json.dumps({"oauth_info": {**info, "userinfo": PROFILE}}).encode())
    return TimestampSigner(hashlib.sha256(f"{SECRET}-v4".encode()).hexdigest()).sign(content).decode()


@pytest.fixture
def visitor(browser: object, space: str) -> Iterator[object]:
    """A page on the Space. There Gradio itself asks other hosts, for the Space's header: the network is cut here."""
    context = browser.new_context(locale="en-US")
    opened = context.new_page()
    opened.set_default_timeout(60_000)
    opened.base = space
    yield opened
    context.close()


def test_pushed_with_the_visitors_token(
    visitor: object, hub: LocalHub, space: str, capfd: pytest.CaptureFixture
) -> None:
    open_tab(visitor)
    visitor.fill("#fine_tune-epochs input[type=number]", "2")
    visitor.click("#fine_tune-start")
    name = visitor.locator("#fine_tune-outcome article").get_attribute("data-model")
    visitor.click("#fine_tune-push")
    visitor.get_by_text("You are not signed in on the Hub").wait_for()
    assert hub.desk.repos == {} and hub.desk.tokens == []
    visitor.context.add_cookies([{"name": "session", "value": signed_in(), "url": space}])
    visitor.fill("#fine_tune-push-name textarea, #fine_tune-push-name input", "my-first")
    visitor.click("#fine_tune-push")
    link = visitor.locator("#fine_tune-push-status a")
    assert link.get_attribute("href") == f"{hub.url}/anna/my-first"
    made = hub.desk.repos["anna/my-first"]
    assert made.private and {"README.md", "config.json", "model.safetensors"} <= set(made.files)
    assert name in made.files["README.md"].decode() and set(hub.desk.tokens) == {TOKEN}
    assert TOKEN not in "".join(capfd.readouterr())


def test_signing_in_opens_beside_the_page(visitor: object) -> None:
    visitor.goto(f"{visitor.base}/?tab=fine_tune")
    button = visitor.locator("#fine_tune-sign-in")
    button.wait_for()
    visitor.evaluate("window.opened = []; window.open = (...given) => window.opened.push(given); null")
    button.click()
    visitor.wait_for_function("window.opened.length")
    address, target = visitor.evaluate("window.opened[0]")
    assert address.startswith("/login/huggingface?_target_url=") and target == "_blank"


def test_the_way_to_sign_in_and_nothing_more_in_the_api(space: str, server: str) -> None:
    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_: object) -> None:
            return None

    opener = urllib.request.build_opener(Stay)
    with pytest.raises(urllib.error.HTTPError) as answered:
        opener.open(f"{space}/login/huggingface?_target_url=/", timeout=30)
    assert answered.value.code == 302
    address = answered.value.headers["Location"]
    assert "/oauth/authorize?" in address and "contribute-repos" in address and "owner-plm-playground" in address
    names = [
        sorted(json.load(urllib.request.urlopen(f"{url}/gradio_api/info"))["named_endpoints"])
        for url in (space, server)
    ]
    assert names[0] == names[1]


def test_elsewhere_the_recipe_stands_there(page: object) -> None:
    page.goto(f"{page.base}/?tab=fine_tune")
    page.locator("#fine_tune-recipe").wait_for()
    assert "hf upload" in page.inner_text("#fine_tune-recipe")
    assert page.locator("#fine_tune-push").count() == 0
