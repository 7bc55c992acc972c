"""Faults of files: damaged checkpoints, conversions and downloads, and a full disk."""

from __future__ import annotations

import os
import resource
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from app.settings import BUNDLED
from tests.conftest import hub_environment, serve
from tests.load.fault_bench import ASKED, Bench, converted, fault, must_answer
from tests.load.served import API, Answer, Served


def _answers_of(bench: Bench, app: Served, endpoint: str, arguments: list[object]) -> Answer:
    """A refusal in the contract's words; and others are answered."""
    with app.client() as client:
        answer = app.call(client, endpoint, arguments)
    assert answer.code == "model_unavailable", answer.told or "answered with a damaged file"
    with app.client() as client:
        other = app.call(client, "tokenize", ["The dog", "gpt2-mini"])
    assert not other.told, other.told
    assert "Traceback" not in app.said(), app.said()[-3_000:]
    return answer


def _cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


# What happens to which file of a checkpoint.
HARMS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "cut": ("model.safetensors", _cut),
    "zeros": ("model.safetensors", lambda path: path.write_bytes(bytes(path.stat().st_size))),
    "empty": ("model.safetensors", lambda path: path.write_bytes(b"")),
    "no-json": ("config.json", lambda path: path.write_text("{")),
    "tokenizer": ("tokenizer.json", _cut),
}


@fault
def corrupt_bundle(bench: Bench, harms: Sequence[str] = tuple(HARMS)) -> None:
    """A checkpoint's files are cut off, of zeros, empty, or not what they say."""
    for name in harms:
        folder = bench.folder / name
        shutil.copytree((bench.models or BUNDLED) / "bert-mini", folder / "bert-mini")
        file, harm = HARMS[name]
        harm(folder / "bert-mini" / file)
        with bench.app(folder) as app:
            _answers_of(bench, app, "fill_mask", ASKED)


@fault
def corrupt_converted(bench: Bench) -> None:
    """What was made of a package or a base, once, is damaged on the disk."""
    asked = [["A good film."], "bert-mini-sst2", []]
    with bench.app() as app, app.client() as client:
        assert not (answer := app.call(client, "classify", asked)).told, answer.told
    (folder,) = converted(bench.cache)
    weights = folder / "model.safetensors"
    os.truncate(weights, weights.stat().st_size // 2)
    with bench.app() as app:
        _answers_of(bench, app, "classify", asked)
    shutil.rmtree(folder)
    with bench.app() as app, app.client() as client:
        assert not (answer := app.call(client, "classify", asked)).told, answer.told


@fault
def corrupt_download(bench: Bench) -> None:
    """What comes from the Hub is not what it announced, or breaks off; then it comes whole."""
    from tests.local_hub import LocalHub

    source = (bench.models or BUNDLED) / "bert-mini"
    asked = [ASKED[0], "bert-base-uncased", 3, []]
    with LocalHub() as hub:
        serve(hub, "bert-base-uncased", source)
        given = {**hub_environment(hub.url, bench.folder / "hub"), "PLAYGROUND_CACHE": ""}
        for harm in ({"flip": True}, {"cut_after": 0}):
            hub.faults.clear()
            hub.fault("/cdn/", **harm)
            with bench.app(bench.folder / "tmp", **given) as app:
                _answers_of(bench, app, "fill_mask", asked)
        hub.faults.clear()
        with bench.app(bench.folder / "tmp", **given) as app:
            must_answer(app, asked)


@fault
def nothing_can_be_written(bench: Bench) -> None:
    """No file may get longer than 4 kB, as on a full disk: what needs no file is answered, the rest is refused."""
    with bench.app() as app:
        resource.prlimit(app.process.pid, resource.RLIMIT_FSIZE, (4_096, 4_096))
        must_answer(app)
        with app.client() as client:
            refused = app.call(client, "classify", [["A good film."], "bert-mini-sst2", []])
            assert refused.code == "model_unavailable", refused.told or "answered"
            sent = client.post(f"{API}/upload", files={"files": ("rows.csv", b"a,b\n" * 5_000)})
            assert sent.status_code == 507 and "disk" in sent.text, f"{sent.status_code} {sent.text}"
        must_answer(app)
        assert app.end() == 0
    bench.must_start_again()
