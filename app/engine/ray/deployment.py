"""Families on a cluster: deployed, updated one replica at a time, removed."""

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

# How long a leaving replica may continue with its work.
FINISHING_SECONDS = 120
# A replica's own loop never computes (`Replica` has threads for that), so one loop is enough, and quicker.
QUICKER = {"RAY_SERVE_RUN_USER_CODE_IN_SEPARATE_THREAD": "0", "RAY_SERVE_LOG_TO_STDERR": "0"}


def deploy(names: Sequence[str]) -> None:
    """Serve these families. If one is already served, its replicas are replaced one after the other.

    A new replica answers before an old one leaves, and the old one finishes its work, so no question fails.
    """
    connect()
    visitors.process()  # starts beside the replicas
    serve.start(proxy_location="Disabled")
    version = time.time_ns()
    served = {application(name): _deployment(name, version) for name in names}
    serve.run_many([serve.RunTarget(one, name, route_prefix=None) for name, one in served.items()])


def of_config(given: dict[str, Any]) -> serve.Application:
    """A family from an entry of Serve's configuration file: `args: {family: bert, version: 1}`."""
    return _deployment(str(given["family"]), int(given["version"]))


def reachable() -> bool:
    """Whether there is a cluster at the address in the settings."""
    try:
        connect()
    except ConnectionError:
        return False
    return True


def remove() -> None:
    """Remove all families, and what belongs to visitors, from a cluster that goes on running."""
    for name in replicas():
        serve.delete(application(name))
    visitors.end()


def replicas() -> dict[str, dict[str, int]]:
    """For each served family, the number of replicas in each state."""
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
    """One call per replica is enough to grow: a page process sends no more of a kind at once (`Groups`)."""
    return AutoscalingConfig(min_replicas=least, max_replicas=most, target_ongoing_requests=1, upscale_delay_s=5)
