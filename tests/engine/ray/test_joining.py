"""A machine that joins a cluster takes load; here it is another process of Ray's on this one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from app.engine.ray.head_node import address_file
from app.tasks.fill_mask import fill_mask
from tests.conftest import SetSetting
from tests.engine.ray.alike import differences

pytestmark = pytest.mark.usefixtures("on_cluster")

FAMILY, MODEL, WAIT = "albert", "albert-base-v2", 120


def replicas() -> dict[str, int]:
    """Per node that has a replica of the family, the process. One that waits for a place is not among them."""
    import ray

    names = [one["name"] for one in ray.util.list_named_actors(all_namespaces=True)]
    actors = [ray.get_actor(name, namespace="serve") for name in names if f"playground-{FAMILY}#" in name]
    asked = [
        one.__ray_call__.remote(lambda _: (ray.get_runtime_context().get_node_id(), os.getpid())) for one in actors
    ]
    answered, _ = ray.wait(asked, num_returns=len(asked), timeout=2) if asked else ([], [])
    return dict(ray.get(answered))


@contextmanager
def joined(address: str) -> Iterator[None]:
    """A second node, with as much room as the first one has. It notes the address, which others must not find."""
    noted = address_file().read_bytes() if address_file().exists() else None
    command = [sys.executable, "-m", "ray.scripts.scripts", "start", f"--address={address}", "--num-cpus=2", "--block"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "stdin": subprocess.DEVNULL}
    node = subprocess.Popen([*command, "--disable-usage-stats", "--object-store-memory=100000000"], **quiet)
    try:
        yield
    finally:
        node.terminate()
        node.wait(WAIT)
        address_file().unlink(missing_ok=True)
        if noted is not None:
            address_file().write_bytes(noted)


def replicas_once(count: int) -> dict[str, int]:
    """The same as soon as there are so many of them."""
    last = time.monotonic() + WAIT
    while len(found := replicas()) != count:
        assert time.monotonic() < last
    return found


def test_a_machine_that_joins_takes_load(cluster: str, set_setting: SetSetting) -> None:
    from ray import serve

    from app.engine.ray.deployment import deploy
    from app.engine.ray.families import application

    # The first machine has two processors: the second replica finds no place there.
    set_setting(ray_cpus="1.5", ray_least_replicas="2", ray_most_replicas="2")
    serving = threading.Thread(target=deploy, args=[[FAMILY]], daemon=True)
    serving.start()
    (first,) = replicas_once(1).values()
    expected = fill_mask("The [MASK] ran.", MODEL)
    with joined(cluster):
        assert first in replicas_once(2).values(), "on two nodes"
        serving.join(WAIT)
        os.kill(first, signal.SIGSTOP)
        try:
            answer = fill_mask("The [MASK] ran.", MODEL)
        finally:
            os.kill(first, signal.SIGCONT)
        assert differences(answer, expected) == []
        serve.delete(application(FAMILY))
