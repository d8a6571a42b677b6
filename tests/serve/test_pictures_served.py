"""Pictures on the page: of those whom the players know, and the same answer for all others."""

from __future__ import annotations

import asyncio
from hashlib import sha256
from pathlib import Path

import aiohttp
import pytest

from affray.core.formatting.players_view import players_view
from affray.serve import Address
from affray.serve.server import Board, begin
from affray.store.campaigns.manage import create_campaign, create_encounter
from affray.store.campaigns.pictures import LARGEST, picture_versions
from affray.store.open_encounter import OpenEncounter

MIRA, IMP = (b"\x89PNG\r\n\x1a\n" + who for who in (b"mira", b"imp"))
TOKEN = "a-token"


def version_of(content: bytes) -> str:
    return sha256(content).hexdigest()[:20]


class Table:
    """A fight of a campaign, with the board that its players look at."""

    def __init__(self, parent: Path) -> None:
        self.folder = folder = create_campaign("Vale", "orcus")
        assert folder.is_relative_to(parent)
        (folder / "party.toml").write_text(
            '[mira]\nhp = 30\nac = 15\npicture = "mira.png"\n', "utf-8"
        )
        (folder / "bestiary.toml").write_text(
            '[imp]\nhp = 9\nac = 12\npicture = "the-traitor.png"\n', "utf-8"
        )
        (folder / "mira.png").write_bytes(MIRA)
        (folder / "the-traitor.png").write_bytes(IMP)
        self.fight = OpenEncounter.open(create_encounter(folder, "Ford"))
        self.fight.do("add party")
        self.fight.do("add imp hidden")
        self.board = Board(*self.view()[:1], folder, self.view()[1])

    def view(self):
        names = picture_versions(self.folder, self.fight.state.combatants)
        return players_view(self.fight.history, self.fight.ruleset, names), names

    def do(self, line: str) -> None:
        self.fight.do(line)
        self.board.show(*self.view())

    async def get(
        self, *paths: str, method: str = "GET"
    ) -> list[tuple[int, bytes, dict[str, str]]]:
        served = await begin(self.board, TOKEN, Address("127.0.0.1", 0))
        answers = []
        async with aiohttp.ClientSession() as client:
            for path in paths:
                url = f"http://127.0.0.1:{served.port}/{path}"
                async with client.request(method, url) as answer:
                    headers = {k: v for k, v in answer.headers.items() if k != "Date"}
                    answers.append((answer.status, await answer.read(), headers))
        await served.end()
        return answers


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path))
    made = Table(tmp_path)
    yield made
    made.fight.close()


async def test_the_picture_of_somebody_known_is_served_by_its_content(table: Table) -> None:
    ((status, content, headers),) = await table.get(f"{TOKEN}/picture/{version_of(MIRA)}")
    assert (status, content, headers["Content-Type"]) == (200, MIRA, "image/png")
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cache-Control"] == "private, max-age=86400, immutable"
    assert "default-src 'none'" in headers["Content-Security-Policy"]


async def test_somebody_hidden_and_nobody_get_the_same_answer_byte_by_byte(table: Table) -> None:
    hidden, nobody, *odd = await table.get(
        *(f"{TOKEN}/picture/{last}" for last in (version_of(IMP), version_of(b""))),
        *(f"{TOKEN}/picture/{last}" for last in ("the-traitor.png", "..%2Fparty.toml", "", "%00")),
    )
    assert hidden == nobody and hidden[0] == 404
    assert {answer[:2] for answer in odd} == {hidden[:2]}


async def test_a_picture_comes_and_goes_with_what_the_players_know(table: Table) -> None:
    path = f"{TOKEN}/picture/{version_of(IMP)}"
    table.do("reveal imp")
    assert (await table.get(path))[0][:2] == (200, IMP)
    table.do("conceal imp")
    assert (await table.get(path))[0][0] == 404


async def test_a_changed_picture_has_another_address(table: Table) -> None:
    changed = MIRA + b"s hat"
    (table.folder / "mira.png").write_bytes(changed)
    assert (await table.get(f"{TOKEN}/picture/{version_of(MIRA)}"))[0][0] == 404
    table.do("damage mira 1")
    assert (await table.get(f"{TOKEN}/picture/{version_of(changed)}"))[0][:2] == (200, changed)


async def test_without_the_token_and_by_other_methods_there_is_no_picture(table: Table) -> None:
    assert (await table.get(f"other/picture/{version_of(MIRA)}"))[0][0] == 404
    for method in ("POST", "PUT", "HEAD"):
        answers = await table.get(f"{TOKEN}/picture/{version_of(MIRA)}", method=method)
        assert answers[0][0] == 405


async def test_a_large_picture_comes_whole_to_many_at_once(table: Table) -> None:
    large = MIRA.ljust(LARGEST, b".")
    (table.folder / "mira.png").write_bytes(large)
    table.do("damage mira 1")
    paths = [f"{TOKEN}/picture/{version_of(large)}"]
    answers = await asyncio.gather(*(table.get(*paths) for _ in range(10)))
    assert all(row[0][:2] == (200, large) for row in answers)


def test_the_view_names_versions_and_never_files(table: Table) -> None:
    table.do("reveal imp")
    shown, _ = table.view()
    assert {who.name: who.picture for who in shown.people} == {
        "Mira": version_of(MIRA),
        "Imp": version_of(IMP),
    }
    assert "traitor" not in repr(shown)
