"""The page of the players' view: what it answers, to whom, and that nobody can get in its way."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import re
import sys
from base64 import b64encode
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace

import aiohttp
import pytest

from affray import Fight
from affray.beside import BESIDE_A_SCREEN, screen_watch
from affray.cli import main
from affray.core.dice import SeededDice
from affray.core.formatting.players_view import players_view
from affray.core.parser.errors import Refused
from affray.extras import install_command
from affray.serve import Address, own_host, read_address, server
from affray.serve.page import page
from affray.serve.server import Board, Served, begin, follow
from affray.store.open_encounter import OpenEncounter

TOKEN = "a-token"
HERE = Address("127.0.0.1", 0)
SOON = 20
"""Seconds within which anything that comes must have come; mostly it does at once."""


def fight(title: str = "The Ford") -> Fight:
    made = Fight("orcus", title=title, seed=1)
    made.do("add pc Mira hp 30 ac 15", "add monster Ghoul x2 hp 20", "start")
    return made


def board_of(made: Fight) -> Board:
    return Board(players_view(made.history, made.ruleset))


class Place(SimpleNamespace):
    """A server that runs, its board, and a client."""

    board: Board
    served: Served
    client: aiohttp.ClientSession

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.served.port}/{path}"

    async def news(self, response: aiohttp.ClientResponse) -> str:
        """The next view that is sent, or `beat`."""
        event = ""
        while not event.startswith(("data: ", "event: ")):
            event = (await asyncio.wait_for(response.content.readuntil(b"\n\n"), SOON)).decode()
        return "beat" if event.startswith("event: beat") else json.loads(event[len("data: ") :])

    async def until(self, holds: Callable[[], bool]) -> None:
        async def look() -> None:
            while not holds():
                await asyncio.sleep(0)

        await asyncio.wait_for(look(), SOON)


@asynccontextmanager
async def served(made: Fight) -> AsyncIterator[Place]:
    board = board_of(made)
    place = await begin(board, TOKEN, HERE)
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector) as client:
        yield Place(board=board, served=place, client=client)
    await place.end()


async def test_the_page_has_the_view_and_is_kept_by_nobody() -> None:
    async with served(fight()) as place, place.client.get(place.url(f"{TOKEN}/")) as answer:
        text = await answer.text()
        assert answer.status == 200 and "Ghoul 2" in text and "The Ford" in text
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        policy = answer.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; ")
        for tag in ("script", "style"):
            (inline,) = re.findall(f"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
            digest = b64encode(sha256(inline.encode()).digest()).decode()
            assert f"{tag}-src 'sha256-{digest}'" in policy


def test_the_page_fetches_nothing_from_elsewhere_and_escapes_all_that_it_shows() -> None:
    made = fight("<script>alert(1)</script>")
    made.do("rename mira <img src=x onerror=alert(1)>", 'inflict mira "<b>&" until fight')
    made.do('clock "<i>bell" 3')
    shown = page(board_of(made).inside)
    assert "&lt;script&gt;alert(1)" in shown and "&lt;img" in shown and "&lt;b&gt;&amp;" in shown
    assert shown.count("<script") == 1 and "<img" not in shown and "<i>bell" not in shown
    assert not re.findall(r"https?:|//[a-z]|@import|url\(", page(""))


@pytest.mark.parametrize(
    "path", ["", "x/", "events", "a-toke/", "a-token", f"{TOKEN}/none", f"{TOKEN}/../", "%ff%00/"]
)
async def test_without_the_token_and_beside_the_page_there_is_nothing(path: str) -> None:
    async with served(fight()) as place, place.client.get(place.url(path)) as answer:
        assert answer.status == 404
        assert "Ghoul" not in await answer.text()
        assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE"])
@pytest.mark.parametrize("path", ["", "events"])
async def test_nothing_but_get_is_answered(method: str, path: str) -> None:
    async with served(fight()) as place:
        url = place.url(f"{TOKEN}/{path}")
        async with place.client.request(method, url, data=b"next") as answer:
            assert answer.status == 405
            assert answer.headers["Allow"] == "GET"


async def test_news_come_to_every_viewer_and_a_beat_when_there_are_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = fight()
    async with served(made) as place:
        viewers = [await place.client.get(place.url(f"{TOKEN}/events")) for _ in range(200)]
        first = await asyncio.gather(*(place.news(viewer) for viewer in viewers))
        assert set(first) == {place.board.inside}
        assert place.board.viewers == 200
        made.do("damage ghoul-1 11")
        place.board.show(players_view(made.history, made.ruleset))
        second = await asyncio.gather(*(place.news(viewer) for viewer in viewers))
        assert set(second) == {place.board.inside} != set(first)
        assert "badly hurt" in second[0]
        monkeypatch.setattr(server, "BEAT", 0.01)
        place.board.show(players_view(made.history, made.ruleset))  # the same: nobody is told
        made.do("next")
        place.board.show(players_view(made.history, made.ruleset))
        assert "▶ </span>Ghoul" in await place.news(viewers[0])
        assert await place.news(viewers[0]) == "beat"
        for viewer in viewers:
            viewer.close()
        await place.until(lambda: place.board.viewers == 0)


async def test_a_change_that_players_do_not_see_sends_nothing_at_all() -> None:
    """A beat before its time would tell that the GM has done something in secret."""
    async with (
        served(fight()) as place,
        place.client.get(place.url(f"{TOKEN}/events")) as viewer,
    ):
        await place.news(viewer)
        for _ in range(20):
            place.board.nudge()
            await asyncio.sleep(0.005)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await viewer.content.readany()


async def test_beyond_so_many_viewers_the_next_is_turned_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server, "MOST_VIEWERS", 1)
    async with served(fight()) as place:
        viewer = await place.client.get(place.url(f"{TOKEN}/events"))
        await place.news(viewer)
        async with place.client.get(place.url(f"{TOKEN}/events")) as answer:
            assert answer.status == 503


GARBAGE = [
    b"\x00\xff\x16\x03\x01" * 40,
    b"GET\r\n\r\n",
    b"GET / HTTP/9.9\r\n\r\n",
    b"BREW /a-token/ HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /a-token/ HTTP/1.1\r\nHost: x\r\nContent-Length: -4\r\n\r\n",
    b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET * HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /a-token/ HTTP/1.1\r\n" + b"x: y\r\n" * 5_000 + b"\r\n",
    b"POST /a-token/events HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\nnext",
]


@pytest.mark.parametrize("sent", GARBAGE, ids=range(len(GARBAGE)))
async def test_garbage_is_answered_by_what_is_wrong_with_it_and_the_page_goes_on(
    sent: bytes,
) -> None:
    async with served(fight()) as place:
        reader, writer = await asyncio.open_connection("127.0.0.1", place.served.port)
        with suppress(ConnectionError):
            writer.write(sent)
            await writer.drain()
        answered = await asyncio.wait_for(reader.read(), SOON)
        assert re.match(rb"HTTP/1\.[01] 4\d\d ", answered), answered
        assert b"\r\nServer: affray\r\n" in answered and b"aiohttp" not in answered
        assert b"Content-Security-Policy" in answered
        assert b"aaaa" not in answered and b"x: y" not in answered, "what was sent comes back"
        writer.close()
        async with place.client.get(place.url(f"{TOKEN}/")) as answer:
            assert answer.status == 200


async def test_who_connects_and_says_nothing_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "SILENCE", 0.01)
    async with served(fight()) as place:
        reader, writer = await asyncio.open_connection("127.0.0.1", place.served.port)
        writer.write(b"GET /a-tok")
        assert await asyncio.wait_for(reader.read(), SOON) == b""
        writer.close()


async def test_who_reads_too_slowly_is_dropped_and_keeps_nobody_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server, "PATIENCE", 0.05)
    made = fight()
    async with served(made) as place:
        _, writer = await asyncio.open_connection("127.0.0.1", place.served.port, limit=1)
        writer.write(b"GET /a-token/events HTTP/1.1\r\nHost: x\r\n\r\n")
        async with place.client.get(place.url(f"{TOKEN}/events")) as quick:
            await place.news(quick)
            await place.until(lambda: place.board.viewers == 2)
            big = "x" * 400_000
            for number in range(200):
                if place.board.viewers == 1:
                    break
                place.board.put(f"{number}{big}")
                await asyncio.wait_for(quick.content.readuntil(b"\n\n"), SOON)
            await place.until(lambda: place.board.viewers == 1)
        writer.close()


async def test_who_asks_again_and_again_and_never_reads_is_dropped_in_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server, "SILENCE", 0.3)
    async with served(fight()) as place:
        _, writer = await asyncio.open_connection("127.0.0.1", place.served.port, limit=1)
        with suppress(ConnectionError):
            writer.write(b"GET /x HTTP/1.1\r\nHost: x\r\n\r\n" * 3_000)
        await place.until(lambda: place.served.open == 0)
        writer.close()


async def test_news_go_on_when_other_connections_would_long_be_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server, "SILENCE", 0.05)
    monkeypatch.setattr(server, "BEAT", 0.1)
    async with (
        served(fight()) as place,
        place.client.get(place.url(f"{TOKEN}/events")) as viewer,
    ):
        await place.news(viewer)
        assert [await place.news(viewer) for _ in range(3)] == ["beat"] * 3


async def test_more_connections_than_there_are_files_for_are_cut_and_nothing_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(server, "MOST_CONNECTIONS", 3)
    async with served(fight()) as place:
        held = [await asyncio.open_connection("127.0.0.1", place.served.port) for _ in range(3)]
        await place.until(lambda: place.served.open == 3)
        reader, writer = await asyncio.open_connection("127.0.0.1", place.served.port)
        with suppress(ConnectionError):
            assert await asyncio.wait_for(reader.read(), SOON) == b""
        for _, each in (*held, (reader, writer)):
            each.close()
        await place.until(lambda: place.served.open == 0)
        async with place.client.get(place.url(f"{TOKEN}/")) as answer:
            assert answer.status == 200
    assert capsys.readouterr() == ("", "")


async def test_that_files_are_used_up_is_one_line_however_often(
    capsys: pytest.CaptureFixture[str],
) -> None:
    async with served(fight()):
        loop = asyncio.get_running_loop()
        for _ in range(5):
            loop.call_exception_handler(
                {"message": "socket.accept() out of system resource", "exception": OSError(24, "")}
            )
    assert capsys.readouterr().err.count("\n") == 1


async def test_a_viewer_that_hangs_up_too_early_is_nothing_to_tell(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """On Windows that is an error of the server's, and was told as too many connections."""
    async with served(fight()):
        lost = OSError(errno.EINVAL, "The specified network name is no longer available")
        asyncio.get_running_loop().call_exception_handler({"message": "", "exception": lost})
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("limits", "files"),
    [
        ((256, -1), 764),
        ((256, 4096), 764),
        ((256, 300), 300),
        ((-1, -1), 764),
        ((10_000, -1), 764),
        ((64, 64), 128),
    ],
)
def test_as_many_files_are_asked_for_as_viewers_need(
    limits: tuple[int, int], files: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Mac allows 256, though it has room for all of them."""
    asked: list[tuple[int, int]] = []
    system = SimpleNamespace(
        RLIMIT_NOFILE=7,
        RLIM_INFINITY=-1,
        getrlimit=lambda _: limits,
        setrlimit=lambda _, wanted: asked.append(wanted),
    )
    monkeypatch.setitem(sys.modules, "resource", system)
    assert server._most_files() == files
    assert [wanted[1] for wanted in asked] == [limits[1]] * len(asked)


def test_a_system_that_gives_no_more_files_is_taken_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuses(*_: object) -> None:
        raise ValueError("not allowed to raise maximum limit")

    system = SimpleNamespace(
        RLIMIT_NOFILE=7, RLIM_INFINITY=-1, getrlimit=lambda _: (256, 4096), setrlimit=refuses
    )
    monkeypatch.setitem(sys.modules, "resource", system)
    assert server._most_files() == 256
    monkeypatch.setitem(sys.modules, "resource", None)
    assert server._most_files() == 512, "on Windows, which has no limit but that of one call"


def test_a_server_waits_in_a_way_that_a_client_cannot_end_and_gives_way_to_the_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows has another by default, with which the first that hangs up early ends the server."""
    given_up: list[int] = []
    monkeypatch.setattr(os, "nice", given_up.append, raising=False)
    path = tmp_path / "fight.toml"
    OpenEncounter.create(path, "orcus", "The Ford").close()
    seen: list[object] = []

    async def run(*_: object) -> None:
        seen.append(asyncio.get_running_loop())
        raise KeyboardInterrupt

    monkeypatch.setattr(server, "_run", run)
    server.run(OpenEncounter.view(path), HERE)
    assert [isinstance(each, asyncio.SelectorEventLoop) for each in seen] == [True]
    assert given_up == [server.GIVES_WAY], "keys of the GM come before posts of phones"


async def test_it_ends_with_the_screen_however_that_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its standard input ends then, whoever is the parent of its process."""
    monkeypatch.setattr(server, "LOOK_EVERY", 0.001)
    path = tmp_path / "fight.toml"
    OpenEncounter.create(path, "orcus", "The Ford").close()
    seen = OpenEncounter.view(path)
    board = Board(players_view(seen.history, seen.ruleset))
    ours, theirs = os.pipe()
    monkeypatch.setattr(os, "read", lambda fd, size, read=os.read: read(ours, size))
    assert not screen_watch()(), "where no screen is beside it"
    monkeypatch.setenv(BESIDE_A_SCREEN, "1")
    monkeypatch.setattr(os, "getppid", lambda: 1)
    following = asyncio.create_task(follow(seen, board, None, screen_watch()))
    await asyncio.sleep(0.02)
    assert not following.done()
    os.close(theirs)
    await asyncio.wait_for(following, SOON)
    os.close(ours)


async def test_it_follows_what_is_saved_and_says_what_it_cant_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(server, "LOOK_EVERY", 0.001)
    path = tmp_path / "fight.toml"
    with OpenEncounter.create(path, "orcus", "The Ford", dice=SeededDice(3)) as played:
        played.do("add pc Mira hp 30")
        seen = OpenEncounter.view(path)
        board = Board(players_view(seen.history, seen.ruleset))
        following = asyncio.create_task(follow(seen, board))
        played.do("add monster Ghoul hp 20")
        assert await asyncio.wait_for(_newer(board, 0), SOON)
        assert "Ghoul" in board.inside
        path.rename(tmp_path / "away.toml")
        said = ""
        while not said:
            await asyncio.sleep(0.001)
            said = capsys.readouterr().err
        assert said.startswith("affray: ") and said.count("\n") == 1
        (tmp_path / "away.toml").rename(path)
        played.do("start")
        await asyncio.wait_for(_newer(board, 1), SOON)
        following.cancel()


async def _newer(board: Board, number: int) -> bool:
    while not await board.newer_than(number, 1.0):
        pass
    return True


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("", ("127.0.0.1", 8000)),
        ("0.0.0.0:9000", ("0.0.0.0", 9000)),
        ("9000", ("127.0.0.1", 9000)),
        (":9000", ("127.0.0.1", 9000)),
        ("table.local", ("table.local", 8000)),
        ("[::1]:9000", ("::1", 9000)),
        ("::1", ("::1", 8000)),
        ("[::1]", ("::1", 8000)),
    ],
)
def test_an_address_is_a_host_a_port_or_both_and_else_this_machine(
    said: str, meant: tuple[str, int]
) -> None:
    assert read_address(said) == meant


@pytest.mark.parametrize("said", ["a:b", "host:99999", "ford.toml:x", "a b", "http://x/", "-:²"])
def test_what_is_no_address_is_refused_in_one_line(said: str) -> None:
    with pytest.raises(Refused, match="expected HOST:PORT"):
        read_address(said)


def test_who_listens_everywhere_is_told_the_machines_own_number() -> None:
    assert Address("0.0.0.0", 9000).url("t") == f"http://{own_host()}:9000/t/"
    assert Address("::1", 9000).url("t") == "http://[::1]:9000/t/"


async def test_an_address_that_is_taken_is_refused() -> None:
    async with served(fight()) as place:
        with pytest.raises(Refused, match="is not available"):
            await begin(place.board, TOKEN, Address("127.0.0.1", place.served.port))


def test_the_page_is_for_players_alone_and_needs_its_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "fight.toml"
    OpenEncounter.create(path, "orcus", "The Ford").close()
    assert main(["watch", str(path), "--serve"]) == 2
    assert "affray watch FILE --players --serve" in capsys.readouterr().err
    for missing in ("aiohttp", "segno"):
        with monkeypatch.context() as without:
            without.delitem(sys.modules, "affray.serve.server")
            without.setitem(sys.modules, missing, None)
            assert main(["watch", str(path), "--players", "--serve"]) == 2
            how = install_command("serve")
        said = capsys.readouterr().err
        assert said == f"affray: the page needs {missing}, which is not installed: {how}\n"


async def test_the_address_is_printed_with_its_token_and_as_a_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "fight.toml"
    OpenEncounter.create(path, "orcus", "The Ford").close()
    read: list[str] = []

    async def look_once(seen: OpenEncounter, board: Board, *_: object) -> None:
        said = capsys.readouterr().out
        read.append(said)
        (url,) = re.findall(r"http://\S+", said)
        async with aiohttp.ClientSession() as client, client.get(url) as answer:
            read.append(await answer.text())

    monkeypatch.setattr(server, "follow", look_once)
    await asyncio.wait_for(server._run(OpenEncounter.view(path), HERE), SOON)
    said, text = read
    assert re.search(r"http://127\.0\.0\.1:\d+/[\w-]{16}/\n", said)
    assert "█" in said and "The Ford" in text
