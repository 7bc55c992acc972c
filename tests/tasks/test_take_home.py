"""A model pushed to the Hub by the library's own client: what arrives, with whose token, and refusals."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import gradio as gr
import pytest

from app.engine.runtime.loader import loader
from app.engine.runtime.visitor_models import visitor_models
from app.engine.storage.publish import check_repo_id
from app.errors import PlaygroundError
from app.registry.lookup import BY_NAME
from app.results.tuning.fine_tune import PushState
from app.tasks.fine_tune import take_home
from app.tasks.fine_tune.keeping import keep
from app.tasks.fine_tune.take_home import push
from app.training.fine_tune import Plan, fine_tune
from app.ui.components.tuning import take_home as panel
from app.visits import visits
from tests.conftest import SetSetting, SetVariables
from tests.local_hub import LocalHub
from tests.training.test_fine_tune import rows

TOKEN, HOST = "hf_visitors_own_secret", "hf_hosts_own_secret"


@pytest.fixture
def name(hub: LocalHub, tiny_models: Path, monkeypatch: pytest.MonkeyPatch, set_setting: SetSetting) -> Iterator[str]:
    """A model of the visitor `anna`, who may write to her own account; the host is signed in as well."""
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True)
    monkeypatch.setenv("HF_TOKEN", HOST)
    set_setting(models=str(tiny_models))
    visitor_models.cache_clear()
    visits().end("anna")  # what other tests left
    hub.desk.owners[TOKEN], hub.desk.owners[HOST] = {"anna"}, {"host", "anna"}
    base = loader().get(BY_NAME["bert-base-uncased"])
    yield keep(base, fine_tune(base, rows(8), Plan(epochs=1)), visits().get("anna")).checkpoint.name
    visitor_models.cache_clear()


def refused(name: str, repo: str = "anna/dogs", token: str = TOKEN, visitor: str = "anna") -> str:
    """The error that a push ends with."""
    with pytest.raises(PlaygroundError) as caught:
        list(push(name, visitor, "# Card", repo, token))
    assert caught.value.__cause__ is None and TOKEN not in str(caught.value)
    return caught.value.key


def test_what_arrives(
    name: str, hub: LocalHub, tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    *_, last = push(name, "anna", "# Card\n", "anna/dogs", TOKEN)
    assert last.url == f"{hub.url}/anna/dogs" and last.bytes > 10_000
    made = hub.desk.repos["anna/dogs"]
    assert made.private and len(made.commits) == 1 and made.files["README.md"] == b"# Card\n"
    assert json.loads(made.files["config.json"])["id2label"] == {"0": "animal", "1": "food"}
    assert set(hub.desk.tokens) == {TOKEN}, "never the host's"
    for file, content in made.files.items():
        (tmp_path / file).write_bytes(content)
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    assert len(AutoTokenizer.from_pretrained(tmp_path)) > 100
    assert AutoModelForSequenceClassification.from_pretrained(tmp_path).config.num_labels == 2
    said = caplog.text + "".join(capfd.readouterr())
    assert TOKEN not in said and HOST not in said
    assert list(visits().get("anna").new_file("x").parent.iterdir()) == [], "nothing of it stays"


def test_again_and_in_public(name: str, hub: LocalHub) -> None:
    *_, last = push(name, "anna", "# One", "anna/dogs", TOKEN, private=False)
    assert last.url and not hub.desk.repos["anna/dogs"].private
    list(push(name, "anna", "# Two", "anna/dogs", TOKEN))
    made = hub.desk.repos["anna/dogs"]
    assert len(made.commits) == 2 and made.files["README.md"] == b"# Two" and not made.private


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ({"token": "hf_wrong"}, "not_sent.signed_out"),
        ({"token": ""}, "not_sent.signed_out"),
        ({"repo": "ben/dogs"}, "not_sent.forbidden"),
        ({"repo": "dogs"}, "bad_value.repo_id"),
        ({"visitor": "ben"}, "unknown_model"),
    ],
)
def test_what_is_refused(name: str, hub: LocalHub, given: dict, key: str) -> None:
    assert refused(name, **given) == key
    assert hub.desk.repos == {} and HOST not in hub.desk.tokens


@pytest.mark.parametrize(
    ("where", "status", "key"),
    [
        ("/api/repos/create", 403, "not_sent.forbidden"),
        ("/commit/", 409, "not_sent.conflict"),
        ("/commit/", 401, "not_sent.signed_out"),
        ("/lfs/", 400, "not_sent.failed"),
    ],
)
def test_what_goes_wrong_on_the_way(name: str, hub: LocalHub, where: str, status: int, key: str) -> None:
    hub.fault(where, status=status)
    assert refused(name) == key


def test_a_hub_that_does_not_answer(name: str, hub: LocalHub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(take_home, "LONGEST_SECONDS", 0.2)
    monkeypatch.setattr(take_home, "SECONDS_BETWEEN_LOOKS", 0.1)
    hub.fault("/api/repos/create", delay=20.0)
    assert refused(name) == "not_sent.slow"


def test_a_hub_that_is_not_there(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    assert refused(name) == "not_sent.unreachable"


@pytest.mark.parametrize("repo", ["a/b", "anna/my-model_2.0", "a" * 96 + "/b"])
def test_names_that_are_taken(repo: str) -> None:
    assert check_repo_id(repo) == repo


@pytest.mark.parametrize(
    "repo",
    ["", "a", "a/", "/a", "a/b/c", "a b/c", "a/b--c", "a/b..c", "a/.b", "a/b.git", "a/b-", "好/a", "../x", "a/b\n"],
)
def test_names_that_are_not(repo: str) -> None:
    with pytest.raises(PlaygroundError):
        check_repo_id(repo)


def test_the_button_asks_for_a_sign_in_first() -> None:
    class Tasks:
        def push(self, *given: object) -> Iterator[PushState]:
            self.given = given
            yield PushState("<i>", 2_000_000, 3.0, "")
            yield PushState("anna/m", 2_000_000, 3.0, "http://hub/anna/m")

    tasks = Tasks()
    on_push, request = panel.pushing(tasks), gr.Request(query_params={"lang": "en"}, headers={}, session_hash="anna")
    profile = {"name": "A", "preferred_username": "anna", "profile": "", "picture": ""}
    with pytest.raises(gr.Error, match="not signed in"):
        list(on_push("m", "", True, [], None, None, request))
    token = gr.OAuthToken(TOKEN, "", 0)
    first, last = on_push("m", "", True, [], gr.OAuthProfile(profile), token, request)
    assert tasks.given == ("m", "anna", "", "anna/m", TOKEN, True)
    assert "<i>" not in first and "2 MB" in first and "href='http://hub/anna/m'" in last
    list(on_push("m", "team/x", None, [], gr.OAuthProfile(profile), token, request))
    assert tasks.given[3:] == ("team/x", TOKEN, True), "private unless it is switched off"


def test_only_a_space_with_sign_in_has_the_button(monkeypatch: pytest.MonkeyPatch, set_variables: SetVariables) -> None:
    set_variables(HF_HUB_OFFLINE="0")
    assert not panel.can_sign_in()
    for given in panel.GIVEN:
        monkeypatch.setenv(given, "x")
    assert not panel.can_sign_in(), "no Space"
    monkeypatch.setenv("SYSTEM", "spaces")
    monkeypatch.setenv("SPACE_ID", "owner/name")
    assert panel.can_sign_in()
    monkeypatch.setenv("OAUTH_CLIENT_SECRET", "")
    assert not panel.can_sign_in()
