"""Proxy variables, made fit before Gradio is imported.

Gradio builds an HTTP client while it is imported and asks its own server for a page at start. Behind a school's proxy
the first fails on a kind of proxy that httpx does not know, and the second is sent to the proxy, which refuses it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, MutableMapping
from urllib.parse import urlsplit

OWN_ADDRESSES = ("127.0.0.1", "localhost", "::1")
# Kinds of proxy that httpx can talk to (SOCKS through the package socksio).
SCHEMES = ("http", "https", "socks5", "socks5h")
NAMES = ("http_proxy", "https_proxy", "all_proxy")


def proxies(environment: MutableMapping[str, str] = os.environ) -> dict[str, str]:
    """The proxy variables that are set, by their names as they are written."""
    return {name: value for name, value in environment.items() if name.lower() in NAMES and value}


def prepare_proxies(environment: MutableMapping[str, str] = os.environ) -> list[str]:
    """Keep this machine's own addresses from any proxy, and drop proxies of a kind that cannot be used.

    Returns:
        One sentence for each variable that was dropped.
    """
    dropped = [_dropped(name, value) for name, value in unusable(environment)]
    for name, value in list(proxies(environment).items()):
        if value.startswith("socks://"):  # as GNOME writes it
            environment[name] = "socks5" + value.removeprefix("socks")
    for name, _ in list(unusable(environment)):
        del environment[name]
    if proxies(environment):
        _spare_own_addresses(environment)
    return dropped


def unusable(environment: MutableMapping[str, str] = os.environ) -> Iterator[tuple[str, str]]:
    """Variables with a proxy that cannot be used, with its kind."""
    for name, value in proxies(environment).items():
        scheme = urlsplit(value).scheme if "://" in value else "http"
        if scheme not in (*SCHEMES, "socks"):
            yield name, scheme


def without_password(value: str) -> str:
    """A proxy's address as it may be shown."""
    return value.rsplit("@", 1)[-1].removeprefix(f"{urlsplit(value).scheme}://")


def _dropped(name: str, scheme: str) -> str:
    return f"{name} names a proxy of the kind {scheme}://, which is not supported; it is ignored."


def _spare_own_addresses(environment: MutableMapping[str, str]) -> None:
    """Both spellings of NO_PROXY, as libraries differ in which they read."""
    own = [*OWN_ADDRESSES, environment.get("GRADIO_SERVER_NAME", "")]
    given = ",".join(environment.get(name, "") for name in ("no_proxy", "NO_PROXY")).split(",")
    spared = ",".join(dict.fromkeys(host.strip() for host in (*given, *own) if host.strip()))
    environment["no_proxy"] = environment["NO_PROXY"] = spared


def prepare() -> None:
    """For a program's first line: `prepare_proxies`, with what was dropped on the error stream."""
    for sentence in prepare_proxies():
        sys.stderr.write(f"{sentence}\n")
