"""Odd and many posts to the served page: each has its one line, and little is written."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace

import aiohttp
import pytest

from affray.core.formatting.players_view import players_view
from affray.serve import Address
from affray.serve.server import COOKIE, HEADERS, NOT_TAKEN, Board, begin, follow
from affray.serve.table import Table
from affray.store.inbox import MOST_ASKING, Inbox
from affray.store.open_encounter import OpenEncounter
from affray.store.phones import Phones, hash_of, new_secret

TOKEN = "a-token"
SETUP = (
    "add pc Mira hp 30 ac 15",
    "add pc Odo hp 20 ac 12",
    "add pc Vesna hp 20 ac 12 hidden",
    "add monster Ghoul hp 20",
    "setting players-act ask",
    "start",
)


class Place(SimpleNamespace):
    """A served fight, its inbox and its rights, and a client that keeps no cookies."""

    inbox: Inbox
    phones: Phones
    client: aiohttp.ClientSession
    folder: Path
    port: int
    key: str
    clock: float

    def url(self, path: str = "") -> str:
        return f"http://127.0.0.1:{self.port}/{TOKEN}/{path}"

    async def post(self, path: str, secret: str, body: object, **more: str) -> tuple[int, bytes]:
        """Send as our own page does, but for `more` headers; a second after the last one."""
        self.clock += 1
        headers = {
            "Origin": f"http://127.0.0.1:{self.port}",
            "Content-Type": "application/json",
            "Cookie": f"{COOKIE}={secret}",
        } | {name.replace("_", "-"): value for name, value in more.items()}
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        async with self.client.post(self.url(path), data=data, headers=headers) as answer:
            return answer.status, await answer.read()

    def note(self, number: int = 1) -> dict[str, object]:
        """A body that proposes a note, each number another one."""
        answers = {"text": f"Hello {number}"}
        return {"token": self.key, "id": str(number), "form": "note", "answers": answers}

    def asks(self, name: str, number: int = 1) -> dict[str, object]:
        return {"token": self.key, "id": str(number), "character": name}


@pytest.fixture
async def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Place]:
    monkeypatch.setenv("AFFRAY_DATA", str(tmp_path / "data"))
    fight = OpenEncounter.create(tmp_path / "ford.toml", "orcus", "The Ford")
    for line in SETUP:
        fight.do(line)
    inbox, phones = Inbox(fight.path), Phones(fight.path)
    place = Place(inbox=inbox, phones=phones, folder=tmp_path, clock=0.0)
    table = Table(fight, Inbox(fight.path), Phones(fight.path), lambda: place.clock)
    board = Board(players_view(fight.history, fight.ruleset))
    served = await begin(board, TOKEN, Address("127.0.0.1", 0), table)
    following = asyncio.create_task(follow(fight, board, table))
    place.port = served.port
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as place.client:
        async with place.client.get(place.url()) as answer:
            (place.key,) = re.findall('name="key" content="([^"]+)"', await answer.text())
        yield place
    following.cancel()
    await served.end()
    fight.close()


def granted(place: Place, character: str = "mira") -> str:
    secret = new_secret()
    place.phones.grant(hash_of(secret), character)
    return secret


@pytest.mark.parametrize(
    "odd",
    [
        {"form": None, "answers": []},
        {"form": "x" * 500, "answers": {"a": [[["b"]]]}},
        {"form": "note", "answers": {"text": "a\nstart; end\x1b[2J"}},
        {"id": {"a": 1}},
        {"id": "../../../etc/passwd"},
    ],
    ids=range(5),
)
async def test_odd_bodies_have_one_line_and_no_traceback(
    place: Place, odd: dict[str, object]
) -> None:
    status, body = await place.post("propose", granted(place), place.note() | odd)
    assert status < 500 and "\n" not in json.loads(body)["words"]
    assert all(
        "\n" not in row.command and "\x1b" not in row.command for row in place.inbox.waiting()
    )


async def test_500_phones_without_a_right_leave_room_for_those_that_have_one(place: Place) -> None:
    async def ask(number: int) -> int:
        return (await place.post("play", new_secret(), place.asks("Mira", number)))[0]

    statuses = [
        status
        for at in range(0, 500, 50)
        for status in await asyncio.gather(*(ask(number) for number in range(at, at + 50)))
    ]
    assert 0 < statuses.count(200) <= MOST_ASKING and set(statuses) == {200, 429}
    assert (await place.post("propose", granted(place), place.note()))[0] == 200
    files = [path for path in (place.folder / "ford.inbox").rglob("*") if path.is_file()]
    assert len(files) == statuses.count(200) + 1


async def test_nothing_is_written_but_the_inbox_and_the_data_folder(place: Place) -> None:
    before = {path: path.read_bytes() for path in place.folder.iterdir() if path.is_file()}
    await place.post("play", new_secret(), place.asks("Mira"))
    await place.post("propose", granted(place), place.note())
    assert before == {path: path.read_bytes() for path in before}
    new = {path.name for path in place.folder.iterdir()} - {path.name for path in before}
    assert new == {"ford.inbox", "data"}


async def test_posts_come_one_after_the_other_since_each_connection_says_that_it_closes(
    place: Place,
) -> None:
    secret = granted(place)
    for number in range(4):
        assert (await place.post("propose", secret, place.note(number)))[0] == 200
    assert len(place.inbox.waiting()) == 4


# -- byte by byte ----------------------------------------------------------------------------------

VERSIONS = re.compile(rb"python|aiohttp|[0-9]\.[0-9]+\.[0-9]", re.IGNORECASE)
OWN = [f"\r\n{name}: ".encode() for name in HEADERS]


async def told(place: Place, request: bytes) -> tuple[int, bytes, bytes]:
    """The status, head and body of the answer to these bytes; every answer is ours, and short."""
    reader, writer = await asyncio.open_connection("127.0.0.1", place.port)
    writer.write(request)
    answer = await asyncio.wait_for(reader.read(), 5)
    writer.close()
    head, _, body = answer.partition(b"\r\n\r\n")
    assert re.match(rb"HTTP/\d\.\d [1-4]\d\d ", head), answer[:200]
    assert not VERSIONS.search(head.partition(b"\r\n")[2]), head
    assert b"\r\nServer: affray\r\n" in head and all(head.count(name) == 1 for name in OWN)
    status = int(head.split()[1])
    assert status == 200 or (len(body) < 100 and b"\n" not in body), body
    return status, head, body


def posted(place: Place, path: str = "propose", **more: bytes) -> bytes:
    """A post as our own page sends it, but for `more` headers and the `body`."""
    body = more.pop("body", json.dumps(place.note()).encode())
    here = f"127.0.0.1:{place.port}".encode()
    headers = {
        "Host": here,
        "Origin": b"http://" + here,
        "Content-Type": b"application/json",
        "Cookie": f"{COOKIE}={granted(place)}".encode(),
        "Content-Length": str(len(body)).encode(),
    } | {name.replace("_", "-"): value for name, value in more.items()}
    lines = [f"POST /{TOKEN}/{path} HTTP/1.1".encode()]
    lines += [name.encode() + b": " + value for name, value in headers.items()]
    return b"\r\n".join([*lines, b"", body])


ODD_COOKIES = [
    b"\xff" * 30,
    "é".encode() * 20,
    b"\xed\xa0\x80" * 10,
    b'"' * 30,
    b"=" * 30,
    b"a" * 900,
]
ODD_COOKIES += [b'"' + rb"\377" * 30 + b'"', b"; " * 30, b"a b" * 9, b"\t" * 30, b""]


@pytest.mark.parametrize("cookie", ODD_COOKIES, ids=str)
async def test_an_odd_cookie_is_that_of_no_phone(place: Place, cookie: bytes) -> None:
    line = f"{COOKIE}=".encode() + cookie
    for path in ("play", "propose"):
        status, _, body = await told(place, posted(place, path, Cookie=line))
        assert (status, json.loads(body)["words"]) == (403, NOT_TAKEN)
    page = f"GET /{TOKEN}/ HTTP/1.1\r\nHost: x\r\nCookie: ".encode() + line + b"\r\n\r\n"
    status, head, _ = await told(place, page)
    assert status == 200 and b"\r\nSet-Cookie: " in head, "it gets one of its own"


@pytest.mark.parametrize(
    "coding", [b"gzip", b"deflate", b"br", b"zstd", b"odd", b"gzip, gzip", b""]
)
@pytest.mark.parametrize("packed", ["as it is", "packed", "a bomb", "cut off"])
async def test_a_post_that_is_packed_is_not_from_our_page(
    place: Place, coding: bytes, packed: str
) -> None:
    content = json.dumps(place.note()).encode()
    packs = {
        "as it is": content,
        "packed": gzip.compress(content),
        "a bomb": gzip.compress(b" " * 3_000_000),
        "cut off": gzip.compress(content)[:20],
    }
    request = posted(place, Content_Encoding=coding, body=packs[packed])
    assert (await told(place, request))[0] in (400, 403)
    assert place.inbox.waiting() == ()


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        (b"", b""),
        (b"null", b"null"),
        (b"http://", b""),
        (b"http://elsewhere.example", b"127.0.0.1"),
        (b"http://127.0.0.1:1", b"127.0.0.1"),
        (b"\xff", b"\xff"),
    ],
)
async def test_whoever_comes_from_no_host_or_another_is_not_our_page(
    place: Place, origin: bytes, host: bytes
) -> None:
    assert (await told(place, posted(place, Origin=origin, Host=host)))[0] in (400, 403)
    assert place.inbox.waiting() == ()


ODD_REQUESTS = [
    *(
        f"{how} /{TOKEN}/ HTTP/1.1\r\nHost: x\r\n\r\n"
        for how in ("HEAD", "PUT", "TRACE", "get", "A" * 99)
    ),
    *(
        f"GET {where} HTTP/1.1\r\nHost: x\r\n\r\n"
        for where in ("/", "*", "/%ff/", "//", "/" + "a" * 9000)
    ),
    *(
        f"GET /{TOKEN}/{where} HTTP/1.1\r\nHost: x\r\n\r\n"
        for where in ("propose", "x", "picture/x")
    ),
    *(
        f"POST /{TOKEN}/{where} HTTP/1.1\r\nHost: x\r\n\r\n"
        for where in ("propose", "play", "", "x")
    ),
    *(f"GET /{TOKEN}/ {version}\r\nHost: x\r\n\r\n" for version in ("HTTPS", "HTTP/1.1 x", "")),
    *(
        f"GET {where} HTTP/1.1\r\nHost: x\r\n{header}\r\n\r\n"
        for where in ("/", f"/{TOKEN}/")
        for header in (
            "Expect: nonsense",
            "Upgrade: websocket\r\nConnection: Upgrade",
            "Content-Length: -1",
            "Content-Length: 99999999999999999999",
            "Transfer-Encoding: odd",
            "Transfer-Encoding: chunked, chunked",
            "Host: y",
            "Accept: \xff",
            "Accept-Encoding: gzip",
            "X: " + "y" * 20_000,
            ": y",
            "X",
            "\0: y",
        )
    ),
    "\x16\x03\x01\x02\0\r\n\r\n",
    "GET\r\n\r\n",
    "GET / HTTP/1.1\n\n",
    "x" * 70_000,
]


@pytest.mark.parametrize("request_text", ODD_REQUESTS, ids=lambda text: repr(text[:60]))
async def test_every_answer_is_short_names_no_version_and_has_our_headers(
    place: Place, request_text: str
) -> None:
    await told(place, request_text.encode("latin-1"))


@pytest.mark.parametrize(
    "chunks",
    [b"zz\r\nx\r\n0\r\n\r\n", b"-1\r\nx\r\n", b"1\r\n{\r\n0\r\n\r\n", b"0\r\nX: y\r\n\r\n"],
)
async def test_odd_chunks_have_such_an_answer_too(place: Place, chunks: bytes) -> None:
    request = posted(place, Transfer_Encoding=b"chunked", body=chunks)
    request = re.sub(rb"Content-Length: \d+\r\n", b"", request)
    assert (await told(place, request))[0] in (400, 403)


async def test_the_page_its_news_and_what_is_posted_name_no_version(place: Place) -> None:
    assert (await told(place, posted(place)))[0] == 200
    assert (await told(place, f"GET /{TOKEN}/ HTTP/1.1\r\nHost: x\r\n\r\n".encode()))[0] == 200
    async with place.client.get(place.url("events")) as news:
        assert news.headers["Server"] == "affray"


async def test_a_disk_that_takes_nothing_is_told_in_one_line(place: Place) -> None:
    (place.folder / "ford.inbox").write_text("a file where the folder should be", "utf-8")
    status, body = await place.post("propose", granted(place), place.note())
    assert (status, json.loads(body)["words"]) == (503, "it can't be saved now: tell the GM")
