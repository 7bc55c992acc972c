"""Where the page will be: what GRADIO_SERVER_NAME and GRADIO_SERVER_PORT ask for, and whether that can be had."""

from __future__ import annotations

import errno
import os
import socket
from urllib.parse import urlsplit

# Gradio's own range, where no port is asked for.
FIRST_PORT, PORTS = 7_860, 100
HERE = "127.0.0.1"


class AddressError(Exception):
    """The page cannot be there; the message says why and what to set."""


def free_address() -> tuple[str, int]:
    """Host and port of the page: the port that is asked for, else the first free one.

    Raises:
        AddressError: a port that is no port, is taken or not allowed; a name that is not this machine's.
    """
    host, asked = os.environ.get("GRADIO_SERVER_NAME") or HERE, os.environ.get("GRADIO_SERVER_PORT", "")
    if asked and not (asked.isdecimal() and 0 < int(asked) < 65_536):
        raise AddressError(f"GRADIO_SERVER_PORT must be a whole number from 1 to 65535, not {asked!r}.")
    for port in [int(asked)] if asked else range(FIRST_PORT, FIRST_PORT + PORTS):
        if _is_free(host, port):
            return host, port
    which = f"Port {asked} is" if asked else f"All ports from {FIRST_PORT} to {FIRST_PORT + PORTS - 1} are"
    raise AddressError(f"{which} taken on {host}; set GRADIO_SERVER_PORT to a free one.")


def _is_free(host: str, port: int) -> bool:
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind(address)
    except OSError as error:
        if error.errno == errno.EACCES:
            said = f"Port {port} is for administrators; set GRADIO_SERVER_PORT to one above 1023."
            raise AddressError(said) from error
        if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
            raise AddressError(
                f"GRADIO_SERVER_NAME says {host!r}, which is not this machine; 127.0.0.1 is for this machine only, "
                "0.0.0.0 for everyone in its network."
            ) from error
        return False
    return True


def address_in_network(port: int | None) -> str:
    """By what other machines in the network could reach this one, as an example; empty where there is no network.

    Nothing is sent: asking which way a datagram would go is enough.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))  # reserved for documentation (RFC 5737)
            host = asked.getsockname()[0]
        except OSError:
            return ""
    return f"http://{host}:{port or FIRST_PORT}"


def phones_address(at: str, way: str) -> tuple[str, str]:
    """The address that phones open, and one in the network where that is for this machine alone.

    Args:
        at: the page's own address, as it says itself.
        way: the path below it.

    Returns:
        Both empty where the page has no address.
    """
    try:
        page = urlsplit(at)
        port = page.port
    except ValueError:
        return "", ""
    if not page.netloc:
        return "", ""
    here_only = page.hostname in ("localhost", "127.0.0.1", "::1")
    address = f"{page.scheme}://{page.netloc}{page.path.rstrip('/')}/{way}"
    return address, address_in_network(port) if here_only else ""
