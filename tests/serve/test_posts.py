"""Odd and many posts to the served page: each has its one line, and little is written."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace

import aiohttp
import pytest

from affray.core.formatting.players_view import players_view
from affray.serve import Address
from affray.serve.server import COOKIE, Board, begin, follow
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


async def test_a_disk_that_takes_nothing_is_told_in_one_line(place: Place) -> None:
    (place.folder / "ford.inbox").write_text("a file where the folder should be", "utf-8")
    status, body = await place.post("propose", granted(place), place.note())
    assert (status, json.loads(body)["words"]) == (503, "it can't be kept now: tell the GM")
