"""Whether a checkpoint could be downloaded: proxies in the way, and the Hub."""

from __future__ import annotations

from collections.abc import Iterator

from app.doctor.finding import Finding
from app.proxies import prepare_proxies, proxies, without_password
from app.registry.hub_reach import ask_hub
from app.settings import settings


def check_proxies() -> Iterator[Finding]:
    """Which proxies are in the way?"""
    for dropped in prepare_proxies():
        yield Finding("note", dropped)
    for name, value in proxies().items():
        where = without_password(value)
        yield Finding("ok", f"{name}: downloads go through the proxy {where}; this machine's own addresses do not.")


def check_hub() -> Iterator[Finding]:
    """Could a checkpoint be downloaded?"""
    from huggingface_hub import constants

    if settings().offline or not settings().downloads:
        yield Finding("ok", "Nothing is downloaded, as this machine is set up (offline, or downloads switched off).")
    elif not constants.ENDPOINT.startswith(("http://", "https://")):
        yield Finding("note", f"HF_ENDPOINT must begin with http:// or https://, and is {constants.ENDPOINT}.")
    elif ask_hub():
        yield Finding("ok", f"{constants.ENDPOINT} answers: checkpoints can be downloaded.")
    else:
        yield Finding(
            "note",
            f"{constants.ENDPOINT} does not answer: only what is on this machine can be used. A mirror is named in "
            "HF_ENDPOINT; PLAYGROUND_OFFLINE=1 spares visitors the wait.",
        )
