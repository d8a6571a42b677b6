"""What phones send to the served page: who may send, how much, and what is written of it."""

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
from affray.serve.table import NO_CHARACTER, Table
from affray.store.inbox import MOST_ASKING, MOST_OF_ONE, Inbox
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


async def test_a_phone_that_may_proposes_for_its_own_character(place: Place) -> None:
    status, body = await place.post("propose", granted(place), place.note())
    assert (status, json.loads(body)["ok"]) == (200, True)
    (row,) = place.inbox.waiting()
    assert row.character == "mira" and "Hello 1" in row.command


async def test_a_phone_without_a_right_or_whose_right_is_taken_back_proposes_nothing(
    place: Place,
) -> None:
    assert (await place.post("propose", new_secret(), place.note()))[0] == 403
    secret = granted(place)
    place.phones.revoke("mira")
    assert (await place.post("propose", secret, place.note()))[0] == 403
    assert place.inbox.waiting() == ()


async def test_a_phone_acts_for_no_other_whatever_it_sends(place: Place) -> None:
    body = place.note() | {"character": "odo", "by": "odo", "from": "odo"}
    await place.post("propose", granted(place), body)
    assert [row.character for row in place.inbox.waiting()] == ["mira"]


async def test_foreign_pages_other_types_and_wrong_tokens_are_turned_away(place: Place) -> None:
    secret, note = granted(place), place.note()
    for more in (
        {"Origin": "http://elsewhere.example"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Content_Type": "text/plain"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Cookie": ""},
    ):
        assert (await place.post("propose", secret, note, **more))[0] == 403, more
    assert (await place.post("propose", secret, note | {"token": "other"}))[0] == 403
    assert place.inbox.waiting() == ()


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 2000, b'{"token": 1}', b'"\\ud800"'],
    ids=range(8),
)
async def test_broken_bodies_are_turned_away(place: Place, body: bytes) -> None:
    assert (await place.post("propose", granted(place), body))[0] in (400, 403)
    assert place.inbox.waiting() == ()


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


async def test_a_body_of_more_than_2_kb_is_not_read(place: Place) -> None:
    big = json.dumps(place.note() | {"more": "x" * 3000}).encode()
    assert (await place.post("propose", granted(place), big))[0] == 403
    assert place.inbox.waiting() == ()


async def test_the_same_post_many_times_is_one_proposal(place: Place) -> None:
    secret = granted(place)
    for _ in range(4):
        assert (await place.post("propose", secret, place.note()))[0] == 200
    assert len(place.inbox.waiting()) == 1


async def test_two_a_second_and_five_waiting(place: Place) -> None:
    secret = granted(place)
    statuses = []
    for number in range(4):
        place.clock -= 1  # all in the same second
        statuses.append((await place.post("propose", secret, place.note(number)))[0])
    assert statuses == [200, 200, 429, 429]
    for number in range(10, 20):
        await place.post("propose", secret, place.note(number))
    assert len(place.inbox.waiting()) == MOST_OF_ONE


async def test_500_phones_without_a_right_leave_room_for_those_that_have_one(place: Place) -> None:
    async def ask(number: int) -> int:
        return (await place.post("play", new_secret(), place.asks("Mira", number)))[0]

    statuses = [
        status
        for at in range(0, 500, 50)
        for status in await asyncio.gather(*(ask(number) for number in range(at, at + 50)))
    ]
    assert statuses.count(200) == MOST_ASKING and set(statuses) == {200, 429}
    assert (await place.post("propose", granted(place), place.note()))[0] == 200
    files = [path for path in (place.folder / "ford.inbox").rglob("*") if path.is_file()]
    assert len(files) == MOST_ASKING + 1


async def test_whoever_is_hidden_is_answered_like_nobody(place: Place) -> None:
    secret = new_secret()
    hidden = await place.post("play", secret, place.asks("Vesna"))
    assert hidden == await place.post("play", secret, place.asks("Nobody"))
    assert json.loads(hidden[1])["words"] == NO_CHARACTER


async def test_nothing_is_written_but_the_inbox_and_the_data_folder(place: Place) -> None:
    before = {path: path.read_bytes() for path in place.folder.iterdir() if path.is_file()}
    await place.post("play", new_secret(), place.asks("Mira"))
    await place.post("propose", granted(place), place.note())
    assert before == {path: path.read_bytes() for path in before}
    new = {path.name for path in place.folder.iterdir()} - {path.name for path in before}
    assert new == {"ford.inbox", "data"}


async def test_a_phones_secret_is_kept_nowhere(place: Place) -> None:
    secret = granted(place)
    await place.post("propose", secret, place.note())
    for path in place.folder.rglob("*.toml"):
        assert secret.encode() not in path.read_bytes()
