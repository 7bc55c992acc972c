"""The page's information on models that are here, missing, unknown, or unavailable."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.registry.lookup import BY_NAME, _stranger, may_be_named
from app.tasks.downloads import cancel_downloads, download_states, start_downloads
from app.ui.widgets import model_choices
from tests.conftest import SetSetting, SetVariables, serve
from tests.local_hub import LocalHub


def statuses(models: list[str]) -> list[str]:
    return [state.status for state in download_states(models)]


def test_states(hub: LocalHub, tiny_models: Path) -> None:
    _stranger.cache_clear()
    assert statuses(["bert-mini", "roberta-base", "my-own-model", "nobody/nope"]) == [
        "ready", "absent", "ready", "failed",
    ]  # fmt: skip
    assert download_states(["roberta-base"])[0].total_bytes == BY_NAME["roberta-base"].download_bytes


def test_start_and_cancel(hub: LocalHub, tiny_models: Path) -> None:
    serve(hub, "roberta-base", tiny_models / "roberta-base")
    hub.fault("/cdn/", rate=30_000)
    assert start_downloads(["roberta-base", "bert-mini"], "me")[0].status in ("waiting", "running")
    assert cancel_downloads(["roberta-base"], "somebody else")[0].status in ("waiting", "running")
    assert cancel_downloads(["roberta-base"], "me")[0].status == "absent"


def test_what_the_host_forbids_is_said(hub: LocalHub, set_setting: SetSetting) -> None:
    assert may_be_named("owner/name") and not may_be_named("../name")
    set_setting(any_checkpoint="0")
    _stranger.cache_clear()
    assert not may_be_named("owner/name")
    (state,) = download_states(["owner/name"])
    assert state.error.key == "model_unavailable.catalog_only"


@pytest.mark.parametrize(("variable", "reason"), [("HF_HUB_OFFLINE", "offline"), ("PLAYGROUND_DOWNLOADS", "closed")])
def test_a_server_that_fetches_nothing_offers_nothing(
    variable: str, reason: str, tiny: Path, set_variables: SetVariables
) -> None:
    set_variables(HF_HUB_OFFLINE=None)
    set_variables(**{variable: "1" if reason == "offline" else "0"})
    (state,) = download_states(["bert-large-cased"])
    assert (state.status, state.startable, state.error.reason) == ("failed", False, reason)
    choices = model_choices("en", [BY_NAME["bert-large-cased"], BY_NAME["bert-mini"]], {"bert-mini"})
    assert [name for _, name in choices] == ["bert-mini", "bert-large-cased"]
    assert "not on this server" in choices[1][0] and "download" not in choices[1][0]
