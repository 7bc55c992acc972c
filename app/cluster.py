"""`python -m app.cluster up | down | status`: the cluster that answers if `PLAYGROUND_ENGINE` is ray."""

from __future__ import annotations

import argparse
from importlib.util import find_spec

from app.registry.checkpoint import TASKS_OF_FAMILY
from app.settings import settings

FAMILIES = tuple(TASKS_OF_FAMILY)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns 1 if the command fails."""
    reader = argparse.ArgumentParser("python -m app.cluster", description="The cluster that runs the models.")
    commands = reader.add_subparsers(dest="command", required=True)
    up = commands.add_parser("up", help="serve families; a family that is served gets new replicas, one by one")
    up.add_argument("family", nargs="*", help=f"all of them without any: {', '.join(FAMILIES)}")
    commands.add_parser("down", help="take the families away, and end the cluster if it was started here")
    commands.add_parser("status", help="which replicas are in which state")
    asked = reader.parse_args(arguments)
    if find_spec("ray") is None:
        print("A cluster needs more packages: pip install -r requirements-ray.txt.")
        return 1
    if asked.command == "up":
        if unknown := [name for name in asked.family if name not in FAMILIES]:
            reader.error(f"no such family: {', '.join(unknown)}")
        return _up(asked.family or FAMILIES)
    return _down() if asked.command == "down" else _status()


def _up(families: list[str] | tuple[str, ...]) -> int:
    from app.engine.ray import deployment, head_node

    if settings().ray_address == "auto" and not deployment.reachable():
        try:
            head_node.start()
        except RuntimeError as error:
            print(error)
            return 1
    deployment.deploy(families)
    return _status()


def _down() -> int:
    from app.engine.ray import deployment, head_node

    if not head_node.stop() and deployment.reachable():
        deployment.remove()
    return 0


def _status() -> int:
    from app.engine.ray import deployment

    if not deployment.reachable():
        print(f"There is no cluster at {settings().ray_address}.")
        return 1
    for family, states in sorted(deployment.replicas().items()):
        print(f"{family:16} {', '.join(f'{count} {state.lower()}' for state, count in states.items()) or 'none'}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
