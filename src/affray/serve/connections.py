"""The connections of the players' page: each asks once and reads in time, or is cut.

Nobody needs the address for that: whoever reaches the port may send anything, read nothing, or
come a thousand times.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from typing import Any

from aiohttp import web

SILENCE = 10.0
"""Seconds that a connection has for asking and for reading its answer; news alone go on."""
MOST_CONNECTIONS = 700
"""So many are open at the most: every viewer has one, and some more are on their way."""
SPARE_FILES = 64
"""Files that stay free for the fight, its log and its lock."""

SILENT = logging.getLogger("affray.serve")
"""What is wrong with a request is nobody's business at the table."""
SILENT.addHandler(logging.NullHandler())
SILENT.propagate = False


class Connection(web.RequestHandler):
    """A connection that is over after `SILENCE`, unless its request is for the news."""

    def __init__(self, server: web.Server, headers: dict[str, str]) -> None:
        loop = asyncio.get_running_loop()
        super().__init__(
            server, loop=loop, logger=SILENT, access_log=SILENT, keepalive_timeout=SILENCE
        )
        self._headers = headers
        self._end: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the seconds from now on."""
        super().connection_made(transport)
        assert isinstance(transport, asyncio.Transport)
        self._end = asyncio.get_running_loop().call_later(SILENCE, transport.abort)

    def stay(self) -> None:
        """Let this connection go on for as long as whoever serves it wants."""
        if self._end is not None:
            self._end.cancel()

    def connection_lost(self, exc: BaseException | None) -> None:
        """Stop counting."""
        self.stay()
        super().connection_lost(exc)

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Answer what is no proper request by its status alone: nothing of it comes back.

        Raises ConnectionError when a part of another answer has been sent already.
        """
        if request.writer.output_size > 0:
            raise ConnectionError("an answer was sent in part")
        answer = web.Response(status=status, headers=self._headers)
        answer.text = answer.reason
        answer.force_close()
        return answer


class _TurnedAway(asyncio.Protocol):
    """A connection too many: it is cut as soon as it is there."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.abort()


class Connections:
    """Makes the protocol of each connection that comes in, up to as many as there is room for."""

    def __init__(self, server: web.Server, headers: dict[str, str]) -> None:
        self._server, self._headers = server, headers
        self._most = min(MOST_CONNECTIONS, _most_files() - SPARE_FILES)
        asyncio.get_running_loop().set_exception_handler(self._complain)
        self._has_complained = False

    def __call__(self) -> asyncio.Protocol:
        """The protocol of the next connection."""
        if len(self._server.connections) >= self._most:
            return _TurnedAway()
        return Connection(self._server, self._headers)

    def _complain(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Say once, in a line, that files are used up; the loop itself would print a traceback."""
        if not isinstance(context.get("exception"), OSError):
            loop.default_exception_handler(context)
        elif not self._has_complained:
            self._has_complained = True
            print("affray: too many connections at once; some must wait", file=sys.stderr)


def _most_files() -> int:
    """How many files this process may have open: where nobody says, as many as are needed."""
    try:
        import resource
    except ImportError:  # Windows
        return MOST_CONNECTIONS + SPARE_FILES
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    unlimited = most == resource.RLIM_INFINITY
    return MOST_CONNECTIONS + SPARE_FILES if unlimited else max(most, 2 * SPARE_FILES)
