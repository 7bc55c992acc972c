"""Downloads from a local Hub through the real client: whole, verified, resumed, cancelled."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from app.engine.runtime.loader import load
from app.engine.runtime.vocabulary import load_vocabulary
from app.engine.storage import transfer
from app.engine.storage.downloads import downloads
from app.engine.storage.hub_cache import caches, snapshot
from app.engine.storage.locate import local_folder, status
from app.registry.lookup import BY_NAME
from app.tasks.fill_mask.fill import fill_mask
from tests.conftest import serve
from tests.engine.downloading import ROBERTA, refused
from tests.local_hub import LocalHub, sha256


def wait_for(what, seconds: float = 10.0) -> None:
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_it_comes_whole_and_answers(roberta: LocalHub, tiny_models: Path) -> None:
    assert status(ROBERTA, []) == "not downloaded"
    answer = fill_mask("The <mask> ran.", "roberta-base")
    assert (answer.model, answer.revision) == ("roberta-base", ROBERTA.revision)
    folder = local_folder(ROBERTA)
    assert folder == snapshot(ROBERTA.repo_id, ROBERTA.revision) and status(ROBERTA, []) == "ready"
    assert sha256(folder / "model.safetensors") == sha256(tiny_models / "roberta-base" / "model.safetensors")
    assert not list(caches()[0].rglob("*.part")) and roberta.asked("/cdn/")


def test_nothing_is_asked_once_it_is_here(roberta: LocalHub) -> None:
    downloads().fetch(ROBERTA)
    roberta.requests.clear()
    assert load(ROBERTA).heads and load_vocabulary(ROBERTA).size
    assert roberta.requests == []


def test_the_library_reads_what_we_fetched(roberta: LocalHub) -> None:
    from huggingface_hub import scan_cache_dir, snapshot_download

    downloads().fetch(ROBERTA)
    (found,) = scan_cache_dir(caches()[0]).repos
    assert found.repo_id == ROBERTA.repo_id and {one.commit_hash for one in found.revisions} == {ROBERTA.revision}
    folder = snapshot_download(ROBERTA.repo_id, revision=ROBERTA.revision, local_files_only=True)
    assert Path(folder) == local_folder(ROBERTA)


def test_a_tokenizer_does_not_fetch_the_weights(roberta: LocalHub) -> None:
    assert load_vocabulary(ROBERTA).kind == "byte_bpe"
    assert not roberta.asked("/cdn/") and not roberta.asked("safetensors")
    assert status(ROBERTA, []) == "not downloaded"


def test_cut_connections_are_taken_up_where_they_broke(roberta: LocalHub) -> None:
    roberta.fault("/cdn/", times=3, cut_after=10_000)
    downloads().fetch(ROBERTA)
    starts = [int(asked[2].removeprefix("bytes=").rstrip("-") or 0) for asked in roberta.asked("/cdn/")]
    assert starts == [0, 10_000, 20_000, 30_000]
    assert load(ROBERTA).heads


def test_a_connection_that_brings_nothing_is_given_up(roberta: LocalHub) -> None:
    roberta.fault("/cdn/", cut_after=0)
    assert refused().key == "model_unavailable.broke_off"
    assert len(roberta.asked("/cdn/")) == transfer.ATTEMPTS


def test_a_wrong_hash_is_noticed_and_thrown_away(roberta: LocalHub) -> None:
    fault = roberta.fault("/cdn/", flip=True)
    assert refused().key == "model_unavailable.came_damaged"
    assert status(ROBERTA, []) == "not downloaded" and not list(caches()[0].rglob("*.part"))
    fault.times = 0
    downloads().fetch(ROBERTA)
    assert load(ROBERTA).heads


def test_a_small_file_that_is_not_what_was_announced_is_noticed(roberta: LocalHub) -> None:
    roberta.fault("config.json", flip=True)
    assert refused().key == "model_unavailable.came_damaged"


def test_a_server_without_ranges_begins_again(roberta: LocalHub) -> None:
    roberta.fault("/cdn/", times=1, cut_after=10_000)
    roberta.fault("/cdn/", times=1, no_ranges=True)
    downloads().fetch(ROBERTA)
    assert load(ROBERTA).heads


def test_progress_cancel_and_resume(roberta: LocalHub, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = roberta.fault("/cdn/", rate=200_000)
    download = downloads().start(ROBERTA, "teacher")
    wait_for(lambda: download.state().bytes_per_second > 0 and download.state().received_bytes > 30_000)
    state = downloads().state(ROBERTA)
    assert state.status == "running" and 0 < state.received_bytes < state.total_bytes
    assert 20_000 < state.bytes_per_second < 2_000_000
    left = (state.total_bytes - state.received_bytes) / state.bytes_per_second
    assert state.seconds_left == pytest.approx(left)
    downloads().cancel("roberta-base", "teacher")
    assert download.state().status == "absent"
    assert download.finished.wait(5) and download.error is None
    (part,) = caches()[0].rglob("*.part")
    have = part.stat().st_size
    assert have > 0 and status(ROBERTA, []) == "not downloaded"
    slow.times = 0
    roberta.requests.clear()
    downloads().fetch(ROBERTA)
    assert roberta.asked("/cdn/")[0][2] == f"bytes={have}-"
    assert load(ROBERTA).heads


def test_a_cancel_withdraws_only_ones_own_wish(roberta: LocalHub, monkeypatch: pytest.MonkeyPatch) -> None:
    roberta.fault("/cdn/", rate=400_000)
    first, second = (downloads().start(ROBERTA, who) for who in ("one", "two"))
    assert first is second
    downloads().cancel("roberta-base", "one")
    assert first.finished.wait(20) and first.error is None
    assert status(ROBERTA, []) == "ready"


def test_cancelled_and_wanted_again_in_the_same_moment(roberta: LocalHub, monkeypatch: pytest.MonkeyPatch) -> None:
    roberta.fault("/cdn/", times=1, rate=200_000)
    for _ in range(20):
        downloads().start(ROBERTA, "one")
        downloads().cancel("roberta-base", "one")
    downloads().fetch(ROBERTA)
    assert status(ROBERTA, []) == "ready"


def test_ten_callers_fetch_once(roberta: LocalHub) -> None:
    callers = [threading.Thread(target=downloads().fetch, args=[ROBERTA]) for _ in range(10)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert len(roberta.asked("/cdn/")) == 1


def test_a_download_holds_up_nobody_else(roberta: LocalHub, tiny_models: Path) -> None:
    serve(roberta, "gpt2", tiny_models / "gpt2")
    on = threading.Event()
    roberta.fault(sha256(tiny_models / "roberta-base" / "model.safetensors"), until=on)
    slow = threading.Thread(target=fill_mask, args=("The <mask> ran.", "roberta-base"))
    slow.start()
    wait_for(lambda: roberta.asked("/cdn/"))
    load(BY_NAME["bert-mini"]), load(BY_NAME["gpt2"])
    assert slow.is_alive()
    on.set()
    slow.join()


def test_a_failure_is_remembered_until_the_next_try(roberta: LocalHub) -> None:
    fault = roberta.fault("/api/", status=429)
    refused()
    assert downloads().state(ROBERTA).status == "failed"
    fault.times = 0
    downloads().fetch(ROBERTA)
    assert downloads().state(ROBERTA) is None
