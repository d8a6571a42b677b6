"""The web server of the players' view, at an address that can't be guessed.

It answers GET to everybody, and POST to phones (`serve.table`).

Every viewer is sent the same page, made of the players' view alone. A viewer has nothing of its own
but the newest view, which all share; a viewer that reads too slowly is disconnected. Start reading
with `run`.
"""

from __future__ import annotations

import asyncio
import errno
import json
import logging
import os
import re
import secrets
import ssl
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import segno
from aiohttp import web

from affray import debug_log
from affray.beside import is_beside_a_screen, screen_watch
from affray.core.engine.decide import despite_faults, faults_by_their_place
from affray.core.formatting.players_view import PlayersView, players_view
from affray.core.formatting.safe_text import strip_control_chars
from affray.core.parser.errors import Refused
from affray.serve import Address
from affray.serve.page import POLICY, inside, page
from affray.serve.table import Table
from affray.store import LogError
from affray.store.campaigns.files import campaign_of
from affray.store.campaigns.pictures import Picture, load_picture, picture_versions
from affray.store.filesystem import os_error_text
from affray.store.inbox import Inbox
from affray.store.open_encounter import OpenEncounter
from affray.store.phones import Phones, hash_of, new_secret

# -------------------------------------------------------------------------------------------------
# Connections: a client may send anything, read nothing, or come a thousand times. So each must send
# one request and read the answer in time.

SILENCE = 10.0
"""Seconds for a connection to send its request and read the answer; the news have no limit."""
MOST_CONNECTIONS = 700
"""Open connections at most: one for each viewer, and some for new requests."""
SPARE_FILES = 64
"""Open files kept free for the fight, its log and its lock."""
MOST_WAITED_FOR = 512
"""Sockets for which Python can wait on Windows."""
_USED_UP = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
"""The system's errors when it has no room for another connection."""

SILENT = logging.getLogger("affray.serve")
"""The logger for aiohttp's complaints about bad requests, which nobody at the table needs to
see."""
SILENT.addHandler(logging.NullHandler())
SILENT.propagate = False


class Connection(web.RequestHandler):
    """A connection that ends after `SILENCE`, unless its request is for the news."""

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

    def stay(self, seconds: float | None = None) -> None:
        """Lift the time limit of this connection, or give it so many seconds from now on."""
        if self._end is not None:
            self._end.cancel()
        if seconds is not None and self.transport is not None:
            self._end = asyncio.get_running_loop().call_later(seconds, self.transport.abort)

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
        """Answer a bad request by its status alone, without echoing any of it.

        Raises ConnectionError if part of another answer has been sent already.
        """
        if request.writer.output_size > 0:
            raise ConnectionError("only part of an answer was sent")
        answer = web.Response(status=status, headers=self._headers)
        answer.text = answer.reason
        answer.force_close()
        return answer


class _TurnedAway(asyncio.Protocol):
    """A connection beyond the limit, which is closed at once."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.abort()


class Connections:
    """Makes the protocol of each new connection, as long as there is room."""

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
        """Report once that no files are left; the loop itself would print a traceback each time."""
        error = context.get("exception")
        if not isinstance(error, OSError):
            loop.default_exception_handler(context)
        elif error.errno not in _USED_UP:  # a viewer that has gone
            debug_log.log_line("a connection was lost: %s", error)
        elif not self._has_complained:
            self._has_complained = True
            print("affray: too many connections at once; some must wait", file=sys.stderr)


def _most_files() -> int:
    """Raise the limit of open files as far as needed, since a Mac allows 256 at first; return the
    limit.
    """
    try:
        import resource
    except ImportError:  # Windows
        return MOST_WAITED_FOR
    most, limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed, unlimited = MOST_CONNECTIONS + SPARE_FILES, resource.RLIM_INFINITY
    if most == unlimited or most >= needed:
        return needed
    room = needed if limit == unlimited else min(needed, limit)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (room, limit))
        most = room
    return max(most, 2 * SPARE_FILES)


BEAT, PATIENCE = 5.0, 10.0
"""Seconds until a viewer without news gets a heartbeat; and seconds to read what was sent."""
MOST_VIEWERS = 500
PICTURE_TIME, PICTURE_PART = 60.0, 32 * 1024
"""Seconds to read a picture, and the bytes sent at once."""
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
    """The newest view, which all viewers wait for.

    `folder` is the campaign's, with the pictures of creatures that the players know.
    """

    def __init__(
        self, shown: PlayersView, folder: Path | None = None, names: Mapping[str, str] = {}
    ) -> None:
        self.folder = folder
        self._pictures = _known_pictures(shown, names)
        self.inside = inside(shown)
        self.number = 0
        self.nudges = 0
        self.viewers = 0
        self._changed = asyncio.Event()

    def show(self, shown: PlayersView, names: Mapping[str, str] = {}) -> None:
        """Publish a newer view to every viewer, if it differs; `names` as in `players_view`."""
        self._pictures = _known_pictures(shown, names)
        self.put(inside(shown))

    def picture(self, version: str) -> Picture | None:
        """Return a picture of somebody in the view; None for anybody else, or if it has changed."""
        name = self._pictures.get(version, "")
        if not name or self.folder is None:
            return None
        with suppress(Refused):
            found = load_picture(self.folder, name)
            return found if found.version == version else None
        return None

    def put(self, result: str) -> None:
        """Publish a view in HTML."""
        if result != self.inside:
            self.inside, self.number = result, self.number + 1
            self.nudge()

    def nudge(self) -> None:
        """Have every viewer look for news, for all or for its own phone."""
        self.nudges += 1
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def newer_than(self, nudges: int, seconds: float) -> bool:
        """Wait for news after that many nudges; False if none comes in time."""
        if self.nudges <= nudges:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), seconds)
        return self.nudges > nudges


def _known_pictures(shown: PlayersView, names: Mapping[str, str]) -> dict[str, str]:
    """The files of the pictures in a view, by their versions."""
    versions = {who.picture for who in shown.people}
    return {version: name for name, version in names.items() if version in versions}


COOKIE = "affray-phone"
"""The cookie with a phone's secret, made when it first opens the page."""
_SECRET = re.compile(r"[A-Za-z0-9_-]{20,64}")
YEAR = 365 * 24 * 3600
POSTS = ("/play", "/propose", "/withdraw")
"""A phone's posts, by the ends of paths: `serve.table` handles each."""
MOST_SENT = 2_048
"""Bytes of a post at most, which `page.js` knows as well."""
NOT_TAKEN = "reload this page, and let it keep its cookie"
"""The words for a phone without a secret, and for whatever our own page has not sent."""


def phone_of(request: web.Request) -> str:
    """Return the phone of a request, as the hash of its secret; empty for none."""
    secret = request.cookies.get(COOKIE, "")
    return hash_of(secret) if _SECRET.fullmatch(secret) else ""


def application(
    board: Board, token: str, table: Table | None = None, is_secure: bool = False
) -> web.Application:
    """Make the server's application: the page, its news and the phones' posts, below a token, and
    nothing else. Without a `table` nothing can be sent."""
    key = secrets.token_urlsafe(12)  # which only the page has, so that no other page can send

    async def show_page(request: web.Request) -> web.StreamResponse:
        response = web.Response(
            text=page(board.inside, key if table is not None else ""), content_type="text/html"
        )
        if table is not None and not phone_of(request):
            response.set_cookie(
                COOKIE,
                new_secret(),
                max_age=YEAR,
                httponly=True,
                samesite="Strict",
                secure=is_secure,
            )
        return response

    async def take_post(request: web.Request) -> web.StreamResponse:
        assert table is not None
        phone, body = phone_of(request), await _read_post(request, key)
        if not phone or body is None:
            return web.json_response({"ok": False, "words": NOT_TAKEN}, status=403)
        if table.is_too_fast(phone):
            return web.json_response({"ok": False, "words": "one request at a time"}, status=429)
        async with table.lock:
            post = request.path.rpartition("/")[2]
            reply = await asyncio.to_thread(table.take, post, phone, body)
        if reply.ok:
            board.nudge()
        answer = {"ok": reply.ok, "words": reply.words} | (
            {"field": reply.field} if reply.field else {}
        )
        return web.json_response(answer, status=reply.status)

    async def send_news(request: web.Request) -> web.StreamResponse:
        if board.viewers >= MOST_VIEWERS:
            raise web.HTTPServiceUnavailable
        board.viewers += 1
        try:
            return await _send_news(request, board, table)
        finally:
            board.viewers -= 1

    async def show_picture(request: web.Request) -> web.StreamResponse:
        picture = await asyncio.to_thread(board.picture, request.match_info["version"])
        if picture is None:
            raise web.HTTPNotFound
        return await _send_picture(request, picture)

    async def strictly(request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuse any method but GET and POST, and any path without the token."""
        posts = table is not None and request.path.endswith(POSTS)
        if request.method != "GET" and not (posts and request.method == "POST"):
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
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        response.headers["Server"] = HEADERS["Server"]  # in place of aiohttp's, with its version
        response.headers["Connection"] = "close"  # or a client sends its next post into nothing
        response.force_close()

    result = web.Application(
        middlewares=[web.middleware(strictly)], client_max_size=MOST_SENT, logger=SILENT
    )
    result.on_response_prepare.append(sign)
    result.router.add_get(f"/{token}/", show_page, allow_head=False)
    result.router.add_get(f"/{token}/events", send_news, allow_head=False)
    result.router.add_get(f"/{token}/picture/{{version}}", show_picture, allow_head=False)
    if table is not None:
        for post in POSTS:
            result.router.add_post(f"/{token}{post}", take_post)
    return result


async def _read_post(request: web.Request, key: str) -> dict[str, Any] | None:
    """Return what our own page has sent; None for all else: another page's, too much, no JSON."""
    host = request.headers.get("Origin", "").partition("://")[2]
    if not host or host != request.host or request.content_type != "application/json":
        return None
    if "Content-Encoding" in request.headers:  # our page packs nothing, and a bomb is small
        return None
    if request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
        return None
    try:
        body = msgspec.json.decode(await request.read())
    except (msgspec.DecodeError, web.HTTPException, RecursionError, ValueError):
        return None
    if not isinstance(body, dict) or not isinstance(body.get("token"), str):
        return None
    return body if secrets.compare_digest(body["token"].encode(), key.encode()) else None


async def _send_picture(request: web.Request, picture: Picture) -> web.StreamResponse:
    """Send a picture part by part, so that slow viewers don't each hold a whole one in memory."""
    response = web.StreamResponse(
        headers={"Content-Type": picture.mime, "Cache-Control": "private, max-age=86400, immutable"}
    )
    response.content_length = len(picture.content)
    if isinstance(request.protocol, Connection):
        request.protocol.stay(PICTURE_TIME)
    await response.prepare(request)
    if request.transport is not None:
        request.transport.set_write_buffer_limits(high=PICTURE_PART)
    with suppress(ConnectionError):
        for at in range(0, len(picture.content), PICTURE_PART):
            await response.write(picture.content[at : at + PICTURE_PART])
    return response


async def _send_news(request: web.Request, board: Board, table: Table | None) -> web.StreamResponse:
    """Send every newer view until the viewer goes, or is too slow."""
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    if isinstance(request.protocol, Connection):
        request.protocol.stay()
    transport = request.transport
    if transport is not None:
        transport.set_write_buffer_limits(high=0)  # so that a write waits until it is read
    await response.write(b"retry: 1000\n\n")  # after so many ms a browser that lost it asks anew
    phone, own, sent, seen, due = phone_of(request), "null", -1, -1, time.monotonic()
    while transport is not None and not transport.is_closing():
        has_news = await board.newer_than(seen, due - time.monotonic())
        text = f"data: {json.dumps(board.inside)}\n\n" if board.number > sent else ""
        sent, seen = board.number, board.nudges
        if table is not None and phone and has_news:
            async with table.lock:
                now = await asyncio.to_thread(table.view_of, phone)
            text += f"event: me\ndata: {now}\n\n" if now != own else ""
            own = now
        if not text and time.monotonic() < due:  # else a beat would announce something hidden
            continue
        text = text or f"event: beat\ndata: {time.time_ns() // 1_000_000}\n\n"
        due = time.monotonic() + BEAT
        try:
            await asyncio.wait_for(response.write(text.encode()), PATIENCE)
        except TimeoutError:
            transport.abort()
        except ConnectionError:
            break
    return response


# -------------------------------------------------------------------------------------------------
# Serving: follow a fight and publish what the players see, until the GM ends that.

LOOK_EVERY = 0.1
"""Seconds between two looks at the log."""
GIVES_WAY = 10
"""The amount by which the server's priority is lower, so that a crowd of phones can't slow the GM's
keys."""


def run(fight: OpenEncounter, where: Address, certificate: ssl.SSLContext | None = None) -> None:
    """Serve until ctrl+c, with TLS if there is a certificate. Raises Refused if the address isn't
    available."""
    if hasattr(os, "nice"):
        os.nice(GIVES_WAY)
    # The loop that Windows has by default ends the server when a client hangs up early.
    with (
        suppress(KeyboardInterrupt),
        asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner,
    ):
        runner.run(_run(fight, where, certificate))


def load_certificate(cert: Path, key: Path | None) -> ssl.SSLContext:
    """Load a certificate and its key. Raises Refused if they are invalid."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(cert, key)
    except (OSError, ssl.SSLError) as error:
        raise Refused(f"{cert}: can't be used as a certificate ({os_error_text(error)})") from None
    return context


async def _run(
    fight: OpenEncounter, where: Address, certificate: ssl.SSLContext | None = None
) -> None:
    table = Table(fight, Inbox(fight.path), Phones(fight.path))
    shown, names = _view(fight, table.note_fault)
    board, token = Board(shown, campaign_of(fight.path), names), secrets.token_urlsafe(12)
    served = await begin(board, token, where, table, certificate)
    try:
        url = where._replace(port=served.port).url(token)
        if certificate is not None:
            url = url.replace("http:", "https:", 1)
        print(f"\n  {url}\n", flush=True)
        segno.make(url, error="m").terminal(out=sys.stdout, compact=True)  # for a phone's camera
        print("  ctrl+c stops it", flush=True)
        await follow(fight, board, table, screen_watch())
    finally:
        await served.end()


def _view(fight: OpenEncounter, tell: Callable[[str], None]) -> tuple[PlayersView, dict[str, str]]:
    """The players' view, and the versions of its pictures by the names of their files. A fault in
    the game's code is told."""
    names = picture_versions(campaign_of(fight.path), fight.state.combatants)
    history = fight.history
    shown = despite_faults(fight.ruleset, lambda rules: players_view(history, rules, names), tell)
    return shown, names


class Served:
    """A running server."""

    def __init__(self, runner: web.AppRunner, server: asyncio.Server) -> None:
        self._runner, self._server = runner, server
        self.port: int = server.sockets[0].getsockname()[1]

    @property
    def open(self) -> int:
        """The number of connections now."""
        return len(self._runner.server.connections) if self._runner.server is not None else 0

    async def end(self) -> None:
        """Stop the server."""
        self._server.close()
        await self._runner.cleanup()


async def begin(
    board: Board,
    token: str,
    where: Address,
    table: Table | None = None,
    certificate: ssl.SSLContext | None = None,
) -> Served:
    """Start a server at an address. Raises Refused if that isn't available."""
    result = application(board, token, table, certificate is not None)
    runner = web.AppRunner(result, access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    assert runner.server is not None
    connections = Connections(runner.server, HEADERS)
    try:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(
            connections,
            where.host,
            where.port,
            ssl=certificate,
            ssl_handshake_timeout=SILENCE if certificate is not None else None,
        )
    except OSError as error:
        await runner.cleanup()
        raise Refused(
            f"{where.host}:{where.port} is not available ({os_error_text(error)})"
        ) from None
    return Served(runner, server)


async def follow(
    fight: OpenEncounter,
    board: Board,
    table: Table | None = None,
    is_over: Callable[[], bool] = lambda: False,
) -> None:
    """Publish each saved change until the end; a log that can't be read now is read later."""
    text = ""
    lock = table.lock if table is not None else asyncio.Lock()
    tell = table.note_fault if table is not None else debug_log.log_line
    while not is_over():
        await asyncio.sleep(LOOK_EVERY)
        async with lock:
            try:
                with faults_by_their_place(fight.ruleset):
                    news, complaint = await asyncio.to_thread(fight.follow), ""
            except (Refused, LogError) as error:
                news, complaint = False, str(error)
            shown = await asyncio.to_thread(_view, fight, tell) if news else None
            nudges = table is not None and await asyncio.to_thread(table.has_news)
        lines = table.faults() if table is not None else []
        if not is_beside_a_screen():  # which tells these itself
            lines += table.left_alone() if table is not None else []
            lines += [complaint] if complaint not in (text, "") else []
        for line in lines:
            print(strip_control_chars(f"affray: {line}"), file=sys.stderr, flush=True)
        text = complaint
        if shown is not None:
            board.show(*shown)
            debug_log.log_line("shown to %d viewers: entry %d", board.viewers, fight.history.head)
        if nudges or shown is not None:
            board.nudge()
