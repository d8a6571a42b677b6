"""Serve the players' view as a page for phones and a television: `affray watch --players --serve`.

`Address` needs Python alone; `server` needs the packages of the extra `affray[serve]`.
"""

from __future__ import annotations

import socket
from ipaddress import IPv6Address, ip_address
from typing import NamedTuple

from affray.core.parser.errors import Refused
from affray.extras import install_command

LOOPBACK, PORT = "127.0.0.1", 8000
_UNUSED_ADDRESS = ("192.0.2.1", 9)
"""An address reserved for examples: it shows which network the machine would use, and nothing is
sent there."""


class Address(NamedTuple):
    """A host, by name or IP address, and a port; port 0 is any free one."""

    host: str
    port: int

    def url(self, token: str) -> str:
        """The address for a browser."""
        host = self.host
        if host in ("0.0.0.0", "::"):
            host = own_host()
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/{token}/"


def library_missing(name: str) -> Refused:
    """Say that a library for the page is missing, and how to install it."""
    return Refused(f"the page needs {name}, which is not installed: {install_command('serve')}")


def read_address(text: str) -> Address:
    """Read `HOST:PORT`, `HOST`, `:PORT` or `PORT`; empty is the loopback. Raises Refused."""
    host, colon, port = text.rpartition(":")
    if (text.startswith("[") and text.endswith("]")) or _is_v6(text):
        host, port = text, ""
    elif not colon:
        host, port = ("", text) if text.isdecimal() else (text, "")
    host = host.removeprefix("[").removesuffix("]") or LOOPBACK
    number = int(port) if port.isdecimal() and port.isascii() else PORT if not port else -1
    if not 0 <= number <= 65535 or not _is_host(host):
        raise Refused(f"expected HOST:PORT, such as 0.0.0.0:8000, found {text!r}")
    return Address(host, number)


def _is_v6(text: str) -> bool:
    try:
        return isinstance(ip_address(text), IPv6Address)
    except ValueError:
        return False


def _is_host(text: str) -> bool:
    letters = text.replace(".", "").replace("-", "")
    return _is_v6(text) or (letters.isalnum() and letters.isascii() and len(text) < 254)


def own_host() -> str:
    """Return this machine's IP address in its network; the loopback if it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(_UNUSED_ADDRESS)
        except OSError:
            return LOOPBACK
        return str(asked.getsockname()[0])
