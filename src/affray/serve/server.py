"""The server of the players' view: it answers GET alone, at addresses that only the told know.

It sends every viewer the same page, made of the public view and of nothing else. Who reads too
slowly is dropped (`connections.py`): nothing is kept for anybody but the newest view, which is one
for all.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress

from aiohttp import web

from affray.core.telling.public.view import Public
from affray.serve.connections import SILENT, Connection
from affray.serve.page import POLICY, inside, page

BEAT, PATIENCE = 5.0, 10.0
"""Seconds: after so many without news a viewer hears that all is well, and for so long one may take
to read what was sent."""
MOST_VIEWERS = 500
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Server": "affray",
}
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Board:
    """The newest view, which all viewers wait for."""

    def __init__(self, shown: Public) -> None:
        self.inside = inside(shown)
        self.number = 0
        self.viewers = 0
        self._changed = asyncio.Event()

    def show(self, shown: Public) -> None:
        """Put up a newer view; every viewer is told, if it differs."""
        self.put(inside(shown))

    def put(self, made: str) -> None:
        """Put up a view as HTML."""
        if made != self.inside:
            self.inside, self.number = made, self.number + 1
            changed, self._changed = self._changed, asyncio.Event()
            changed.set()

    async def newer_than(self, number: int) -> bool:
        """Wait for a view newer than that; False when there is none within a beat."""
        if self.number <= number:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), BEAT)
        return self.number > number


def application(board: Board, token: str) -> web.Application:
    """What answers: the page and its news, below a token; nothing else is there."""

    async def show_page(request: web.Request) -> web.StreamResponse:
        return web.Response(text=page(board.inside), content_type="text/html")

    async def send_news(request: web.Request) -> web.StreamResponse:
        if board.viewers >= MOST_VIEWERS:
            raise web.HTTPServiceUnavailable
        board.viewers += 1
        try:
            return await _send_news(request, board)
        finally:
            board.viewers -= 1

    async def strictly(request: web.Request, handler: Handler) -> web.StreamResponse:
        """Turn away whoever wants anything but to read, or doesn't know the token."""
        if request.method != "GET":
            raise web.HTTPMethodNotAllowed(request.method, ["GET"], headers=HEADERS)
        given = request.path.removeprefix("/").partition("/")[0].encode("utf-8", "replace")
        if not secrets.compare_digest(given, token.encode()):
            raise web.HTTPNotFound(headers=HEADERS)
        try:
            return await handler(request)
        except web.HTTPException as error:
            error.headers.update(HEADERS)
            raise

    async def sign(request: web.Request, response: web.StreamResponse) -> None:
        response.headers.update(HEADERS)
        response.force_close()

    made = web.Application(middlewares=[web.middleware(strictly)], client_max_size=0, logger=SILENT)
    made.on_response_prepare.append(sign)
    made.router.add_get(f"/{token}/", show_page, allow_head=False)
    made.router.add_get(f"/{token}/events", send_news, allow_head=False)
    return made


async def _send_news(request: web.Request, board: Board) -> web.StreamResponse:
    """Send every newer view until the viewer goes, or is too slow."""
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    if isinstance(request.protocol, Connection):
        request.protocol.stay()
    transport = request.transport
    if transport is not None:
        transport.set_write_buffer_limits(high=0)  # so that a write waits until it is read
    await response.write(b"retry: 1000\n\n")  # after so many ms a browser that lost it asks anew
    sent = -1
    while transport is not None and not transport.is_closing():
        has_news = await board.newer_than(sent)
        sent = board.number
        told = f"data: {json.dumps(board.inside)}\n\n" if has_news else "event: beat\ndata:\n\n"
        try:
            await asyncio.wait_for(response.write(told.encode()), PATIENCE)
        except TimeoutError:
            transport.abort()
        except ConnectionError:
            break
    return response
