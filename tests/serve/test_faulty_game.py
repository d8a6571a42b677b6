"""A fault in the code of somebody's own game costs a phone no more than what it is in: the page and
the fight go on, and the GM is told the file and the line once."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.serve.phone import phone_at
from tests.test_broken_game import OWN, install

from affray import beside
from affray.beside import BesideServer
from affray.core.formatting.players_view import players_view
from affray.core.parser.errors import GameFault
from affray.core.rules.ruleset import Part
from affray.play.reader import Reader
from affray.rulesets import load_ruleset
from affray.serve import Address
from affray.serve.server import Board, begin, follow
from affray.serve.table import FAULT, Reply, Table
from affray.store.inbox import Inbox, Proposal, trusted
from affray.store.open_encounter import OpenEncounter
from affray.store.phones import Phones
from affray.tui.app import AffrayApp
from affray.tui.fight_view import get_app
from affray.tui.screens.fight import FightScreen

WHY = "the code of Hedge has a fault here: ZeroDivisionError: division by zero (__init__.py, line "
PHONE = "f00d"
NOTE = {"form": "note", "answers": {"text": "I hide"}}


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fight of a game each of whose parts has a class of its own."""
    monkeypatch.setenv("AFFRAY_DATA", str(tmp_path / "data"))
    source = OWN.replace('"totals": {"risk": {"label": "Risk"}}', '"totals": {}')
    source = source.replace("args: None", "args: falls()")
    source = source.replace('"tracks":', '"techniques": {"dodge": {"name": "Dodge"}}, "tracks":')
    install(tmp_path / "site", monkeypatch, source)
    path = tmp_path / "ford.toml"
    with OpenEncounter.create(path, "hedge", "The Ford") as fight:
        fight.do("add pc Mira", "add monster Ghoul", "init all 3", "start")
        fight.do("setting players-act ask", "setting players-log shown", "note Rain")
    Phones(path).grant(PHONE, "mira")
    return path


def methods(rules: Any) -> Iterator[tuple[type, str]]:
    """What a game may answer in its own way, by its part."""
    for part in msgspec.structs.asdict(rules).values():
        if isinstance(part, Part):
            for name in dir(part):
                if callable(getattr(part, name)) and not name.startswith("_"):
                    yield type(part), name


def falls(monkeypatch: pytest.MonkeyPatch, part: type, method: str) -> None:
    monkeypatch.setattr(part, method, __import__("hedge_game").falls)


def test_whatever_of_a_game_fails_a_phone_keeps_its_character_and_its_note(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = set[str]()
    for part, method in methods(load_ruleset("hedge")):
        with monkeypatch.context() as patched, OpenEncounter.view(log) as fight:
            falls(patched, part, method)
            table = Table(fight, Inbox(log), Phones(log))
            table.has_news()
            seen = msgspec.json.decode(table.view_of(PHONE))
            assert seen["sheet"]["name"] == "Mira", method
            assert {"note", "question"} <= {form["id"] for form in seen["forms"]}
            for form in seen["forms"]:
                body = {"form": form["id"], "answers": NOTE["answers"], "id": method}
                reply = table.take("propose", PHONE, body)
                assert reply.status in (200, 429), (method, form)
            faults = table.faults()
            assert all(fault.startswith(WHY) for fault in faults)
            assert table.faults() == []
            told.update(method for _ in faults)
        for row in Inbox(log).waiting():
            Inbox(log).withdraw(row.id, PHONE, "", "mira")
    assert told >= {"pending_decisions", "options", "totals", "labels"}


def test_a_proposal_that_meets_the_fault_is_told_so_without_file_and_line(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with OpenEncounter.view(log) as fight:
        table = Table(fight, Inbox(log), Phones(log))
        table.view_of(PHONE)
        monkeypatch.setattr("affray.serve.table.compose_command", __import__("hedge_game").falls)
        assert table.take("propose", PHONE, NOTE) == Reply(False, FAULT)
        assert [fault[: len(WHY)] for fault in table.faults()] == [WHY]


async def test_the_server_tells_it_in_one_line_and_goes_on(
    log: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with OpenEncounter.open(log) as fight:
        for part, method in methods(fight.ruleset):
            if method == "pending_decisions":
                falls(monkeypatch, part, method)
        seen = OpenEncounter.view(log)
        table = Table(seen, Inbox(log), Phones(log))
        board = Board(players_view(seen.history, seen.ruleset))
        served = await begin(board, "token", Address("127.0.0.1", 0), table)
        following = asyncio.create_task(follow(seen, board, table))
        async with phone_at(f"http://127.0.0.1:{served.port}") as phone:
            Phones(log).grant(phone.hash, "mira")
            [news] = await phone.news()
            assert news["name"] == "Mira"
            fight.do("rename mira Mirabel")
            while not (said := capsys.readouterr().err):
                await asyncio.sleep(0.02)
            assert said.startswith(f"affray: {WHY}") and said.count("\n") == 1
            [news] = await phone.news()
            assert news["name"] == "Mirabel"
        assert not following.done()
        following.cancel()
        await served.end()


async def test_a_fault_met_by_a_proposal_leaves_it_waiting_on_the_screen_and_for_the_ear(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = Proposal("aa00", PHONE, "mira", "finish mira", words="End my turn")
    with OpenEncounter.open(log) as fight:
        fight.do("setting players-act trusted")
        assert list(trusted([row], fight)) == [row]
        for part, method in methods(fight.ruleset):
            if method == "pending_decisions":
                falls(monkeypatch, part, method)
        fight.do("rename ghoul Rat")
        assert list(trusted([row], fight)) == []
        async with AffrayApp(fight).run_test(size=(120, 40)) as pilot:
            screen = pilot.app.screen
            assert isinstance(screen, FightScreen)
            Inbox(log).write(row)
            screen.proposals.look()
            assert screen.proposals.decisions[0].what.startswith("Mira: End my turn")
            assert WHY in screen.prompt_line.message.text
        reader = Reader(fight)
        assert any(WHY[1:] in said for said in reader.begin())
        assert reader.arrivals() == []


def test_a_proposal_whose_command_meets_the_fault_waits_on(log: Path) -> None:
    """It is not refused, since the fault is not its player's."""
    inbox = Inbox(log)
    row = Proposal("aa00", PHONE, "mira", "risk h", words="Risk")
    with OpenEncounter.open(log) as fight:
        inbox.write(row)
        with pytest.raises(GameFault):
            inbox.accept(row, lambda: fight.do(row.command, proposal=row.id), fight.history)
        assert not inbox.tell_refused(row, fight)
        with pytest.raises(ZeroDivisionError):
            inbox.accept(row, __import__("hedge_game").falls, fight.history)
    assert inbox.waiting() == (row,) and inbox.answers(PHONE) == ()


async def test_the_screen_and_the_ear_hear_what_the_server_says_once(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    says = "print('http://127.0.0.1:1/t/')\nprint('affray: a fault')\ninput()"
    monkeypatch.setattr(beside, "START", says)
    with OpenEncounter.open(log) as fight:
        served = BesideServer(log, "127.0.0.1:0")
        try:
            async with AffrayApp(fight).run_test(size=(120, 40)) as pilot:
                screen = pilot.app.screen
                assert isinstance(screen, FightScreen)
                get_app(screen).served = served
                for _ in range(200):
                    screen.look_for_server()
                    if screen.prompt_line.message.text == "a fault":
                        break
                    await pilot.pause(0.05)
                assert screen.prompt_line.message.text == "a fault"
                screen.show_message("")
                screen.look_for_server()
                assert screen.prompt_line.message.text == ""
            served = BesideServer(log, "127.0.0.1:0")
            reader = Reader(fight, served)
            heard: list[str] = []
            for _ in range(200):
                heard += reader.arrivals()
                if "A fault." in heard:
                    break
                await asyncio.sleep(0.05)
            assert heard.count("A fault.") == 1 and "A fault." not in reader.arrivals()
        finally:
            served.end()
