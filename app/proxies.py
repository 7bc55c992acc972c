"""Makes proxy variables usable before Gradio is imported.

Gradio builds an HTTP client on import and requests a page from its own server at the start. Behind a school's proxy,
the first fails on a kind of proxy that httpx does not know, and the second is sent to the proxy, which refuses it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, MutableMapping
from urllib.parse import urlsplit

OWN_ADDRESSES = ("127.0.0.1", "localhost", "::1")
# Kinds of proxy that httpx supports (SOCKS with the package socksio).
SCHEMES = ("http", "https", "socks5", "socks5h")
NAMES = ("http_proxy", "https_proxy", "all_proxy")


def proxies(environment: MutableMapping[str, str] = os.environ) -> dict[str, str]:
    """The proxy variables that are set, by their names as written."""
    return {name: value for name, value in environment.items() if name.lower() in NAMES and value}


def prepare_proxies(environment: MutableMapping[str, str] = os.environ) -> list[str]:
    """Keep this machine's own addresses from any proxy, and drop proxies of a kind that cannot be used.

    Returns:
        One sentence per dropped variable.
    """
    dropped = [_dropped(name, value) for name, value in unusable(environment)]
    for name, value in list(proxies(environment).items()):
        if value.startswith("socks://"):  # GNOME's spelling
            environment[name] = "socks5" + value.removeprefix("socks")
    for name, _ in list(unusable(environment)):
        del environment[name]
    if proxies(environment):
        _spare_own_addresses(environment)
    return dropped


def unusable(environment: MutableMapping[str, str] = os.environ) -> Iterator[tuple[str, str]]:
    """Variables whose proxy cannot be used, with its kind."""
    for name, value in proxies(environment).items():
        scheme = urlsplit(value).scheme if "://" in value else "http"
        if scheme not in (*SCHEMES, "socks"):
            yield name, scheme


def without_password(value: str) -> str:
    """A proxy's address without scheme, user and password, for display."""
    return value.rsplit("@", 1)[-1].removeprefix(f"{urlsplit(value).scheme}://")


def _dropped(name: str, scheme: str) -> str:
    return f"{name} names a proxy of the kind {scheme}://, which is not supported; it is ignored."


def _spare_own_addresses(environment: MutableMapping[str, str]) -> None:
    """Set both spellings of NO_PROXY, because libraries differ in which one they read."""
    own = [*OWN_ADDRESSES, environment.get("GRADIO_SERVER_NAME", "")]
    given = ",".join(environment.get(name, "") for name in ("no_proxy", "NO_PROXY")).split(",")
    spared = ",".join(dict.fromkeys(host.strip() for host in (*given, *own) if host.strip()))
    environment["no_proxy"] = environment["NO_PROXY"] = spared


def prepare() -> None:
    """For a program's first line: run `prepare_proxies` and print what was dropped to stderr."""
    for sentence in prepare_proxies():
        sys.stderr.write(f"{sentence}\n")
