"""Families on a cluster: put there, updated in rolling fashion, taken away."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from ray import serve
from ray.serve.config import AutoscalingConfig
from ray.serve.schema import LoggingConfig

from app.engine.ray import visitors
from app.engine.ray.families import PREFIX, application, connect, environment
from app.engine.ray.replica import Replica
from app.settings import settings

# So long a replica that has to go may go on with what it began.
FINISHING_SECONDS = 120
# A replica's own loop never computes (`Replica` has threads for that): one loop is enough, and quicker.
QUICKER = {"RAY_SERVE_RUN_USER_CODE_IN_SEPARATE_THREAD": "0", "RAY_SERVE_LOG_TO_STDERR": "0"}


def deploy(names: Sequence[str]) -> None:
    """Serve these families. Of one that is served already, every replica is replaced, one after the other.

    A new one answers before an old one goes, and an old one finishes what it began: no question fails.
    """
    connect()
    visitors.process()  # starts beside the replicas
    serve.start(proxy_location="Disabled")
    version = time.time_ns()
    served = {application(name): _deployment(name, version) for name in names}
    serve.run_many([serve.RunTarget(one, name, route_prefix=None) for name, one in served.items()])


def of_config(given: dict[str, Any]) -> serve.Application:
    """A family as a file of Serve's configuration has it: `args: {family: bert, version: 1}`."""
    return _deployment(str(given["family"]), int(given["version"]))


def reachable() -> bool:
    """Is there a cluster where the settings say?"""
    try:
        connect()
    except ConnectionError:
        return False
    return True


def remove() -> None:
    """Take all families away from a cluster that goes on, and what belongs to visitors."""
    for name in replicas():
        serve.delete(application(name))
    visitors.end()


def replicas() -> dict[str, dict[str, int]]:
    """Per family that is served, how many of its replicas are in which state."""
    connect()
    found = {}
    for name, app in serve.status().applications.items():
        if name.startswith(PREFIX):
            states = next(iter(app.deployments.values())).replica_states if app.deployments else {}
            found[name.removeprefix(PREFIX)] = {str(getattr(state, "value", state)): n for state, n in states.items()}
    return found


def _deployment(family: str, version: int) -> serve.Application:
    host = settings()
    least, most = host.ray_least_replicas, host.ray_most_replicas
    scaling = {"num_replicas": most} if least == most else {"autoscaling_config": _scaling(least, most)}
    options = serve.deployment(Replica).options(
        name=family,
        max_ongoing_requests=host.ray_ongoing,
        max_queued_requests=host.ray_waiting,
        max_surge_percent=25,
        graceful_shutdown_timeout_s=FINISHING_SECONDS,
        logging_config=LoggingConfig(enable_access_log=False),
        ray_actor_options={
            "num_cpus": host.ray_cpus,
            "num_gpus": host.ray_gpus,
            "runtime_env": {"env_vars": {**environment(), **QUICKER}},
        },
        **scaling,
    )
    return options.bind(family, version)


def _scaling(least: int, most: int) -> AutoscalingConfig:
    """As many calls as replicas are enough to grow: a page process has no more of a kind on their way (`Groups`)."""
    return AutoscalingConfig(min_replicas=least, max_replicas=most, target_ongoing_requests=1, upscale_delay_s=5)
