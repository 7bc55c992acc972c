"""`python -m app.cluster`: its messages and actions, without a cluster."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from app import cluster
from app.engine.ray.head_node import check_reachable


def test_without_ray_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    monkeypatch.setattr(cluster, "find_spec", lambda name: None)
    assert cluster.main(["status"]) == 1
    assert "requirements-ray.txt" in capsys.readouterr().out


def test_an_unknown_family_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    monkeypatch.setattr(cluster, "find_spec", lambda name: name)
    with pytest.raises(SystemExit):
        cluster.main(["up", "bart"])
    assert "bart" in capsys.readouterr().err


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was done with a cluster, in order; there is none before `start`."""
    pytest.importorskip("ray", reason="needs Ray (requirements-ray.txt)")
    from app.engine.ray import deployment, head_node

    steps: list[str] = []
    monkeypatch.setattr(head_node, "start", lambda: steps.append("start"))
    monkeypatch.setattr(head_node, "stop", lambda: bool(steps) and steps.append("stop") is None)
    monkeypatch.setattr(deployment, "reachable", lambda: bool(steps))
    monkeypatch.setattr(deployment, "deploy", lambda names: steps.append(" ".join(names)))
    monkeypatch.setattr(deployment, "replicas", lambda: {"bert": {"RUNNING": 2, "STARTING": 1}})
    return steps


def test_up_starts_a_cluster_once_and_status_counts_replicas(done: list[str], capsys: pytest.CaptureFixture) -> None:
    assert cluster.main(["status"]) == 1
    assert cluster.main(["up", "bert", "gpt2"]) == 0
    assert "2 running, 1 starting" in capsys.readouterr().out
    assert cluster.main(["up"]) == 0
    assert done == ["start", "bert gpt2", " ".join(cluster.FAMILIES)]
    assert cluster.main(["down"]) == 0
    assert done[-1] == "stop"


def test_a_cluster_that_has_ended_is_not_waited_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RAY_TMPDIR", str(tmp_path))
    check_reachable("auto")  # nothing is noted: Ray says that there is none
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        check_reachable(address)
        noted = tmp_path / "ray" / "ray_current_cluster"
        noted.parent.mkdir()
        noted.write_text(address, encoding="utf-8")
        check_reachable("auto")
    for named in ("auto", address):
        with pytest.raises(ConnectionError, match=address):
            check_reachable(named)
