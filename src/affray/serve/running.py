"""Following a fight, and serving what the players see of it, until the GM ends that."""

from __future__ import annotations

import asyncio
import secrets
import sys
from contextlib import suppress

import segno
from aiohttp import web

from affray import debug
from affray.core.language.refusal import Refused
from affray.core.telling.plain import plain
from affray.core.telling.public.view import public
from affray.serve.address import Address
from affray.serve.connections import Connections
from affray.serve.server import HEADERS, Board, application
from affray.store.disk import reason
from affray.store.encounter import OpenEncounter
from affray.store.errors import LogError

LOOK_EVERY = 0.25
"""Seconds after which it is looked for news."""


def run(fight: OpenEncounter, where: Address) -> None:
    """Serve until ctrl+c. Raises Refused for an address that can't be had."""
    with suppress(KeyboardInterrupt):
        asyncio.run(_run(fight, where))


async def _run(fight: OpenEncounter, where: Address) -> None:
    board, token = Board(public(fight.history, fight.ruleset)), secrets.token_urlsafe(12)
    served = await begin(board, token, where)
    try:
        _tell(where._replace(port=served.port).url(token))
        await follow(fight, board)
    finally:
        await served.end()


class Served:
    """A server that answers."""

    def __init__(self, runner: web.AppRunner, server: asyncio.Server) -> None:
        self._runner, self._server = runner, server
        self.port: int = server.sockets[0].getsockname()[1]

    @property
    def open(self) -> int:
        """How many connections there are now."""
        return len(self._runner.server.connections) if self._runner.server is not None else 0

    async def end(self) -> None:
        """Answer nobody any more."""
        self._server.close()
        await self._runner.cleanup()


async def begin(board: Board, token: str, where: Address) -> Served:
    """Answer at that address from now on. Raises Refused for one that can't be had."""
    runner = web.AppRunner(application(board, token), access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    assert runner.server is not None
    connections = Connections(runner.server, HEADERS)
    try:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(connections, where.host, where.port)
    except OSError as error:
        await runner.cleanup()
        raise Refused(f"{where.host}:{where.port} can't be had ({reason(error)})") from None
    return Served(runner, server)


async def follow(fight: OpenEncounter, board: Board) -> None:
    """Put up whatever is saved, for ever; what can't be read now is read later."""
    told = ""
    while True:
        await asyncio.sleep(LOOK_EVERY)
        try:
            news, complaint = await asyncio.to_thread(fight.follow), ""
        except (Refused, LogError) as error:
            news, complaint = False, str(error)
        if complaint not in (told, ""):
            print(plain(f"affray: {complaint}"), file=sys.stderr, flush=True)
        told = complaint
        if news:
            board.show(await asyncio.to_thread(public, fight.history, fight.ruleset))
            debug.note("shown to %d viewers: entry %d", board.viewers, fight.history.head)


def _tell(url: str) -> None:
    """Where the page is, as a text and as a picture to be taken with a phone."""
    print(f"\n  {url}\n", flush=True)
    segno.make(url, error="m").terminal(out=sys.stdout, compact=True)
    print("  ctrl+c ends it", flush=True)
