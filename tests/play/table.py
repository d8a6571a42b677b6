"""Fights for what is read aloud, what a GM types there, and what a phone sends."""

from __future__ import annotations

from pathlib import Path

from tests.fights import play as fights

from affray.play.reader import Reader
from affray.store.campaigns.files import ruleset_id_for
from affray.store.inbox import Inbox, Proposal
from affray.store.open_encounter import OpenEncounter

GAMES = {
    "lantern-street": "monsters-and-magic",
    "toll-at-the-clay-bridge": "orcus",
    "the-bell-in-the-gale": "level-up",
    "the-bed-of-the-drake": "5e",
    "midnight-in-the-refectory": "adventure-school",
}


def begin(name: str, folder: Path) -> tuple[Path, fights.Script]:
    """A new fight for a script, in its own campaign."""
    script = fights.read(fights.HERE / f"{name}.commands")
    path = fights.begin(script, folder)
    OpenEncounter.create(path, ruleset_id_for(path), script.title).close()
    return path, script


def scripted(name: str, folder: Path) -> tuple[list[str], list[str]]:
    """What a GM types for a script, and hears; `next` once more where something is asked first."""
    path, script = begin(name, folder)
    typed, said = [], []
    with OpenEncounter.open(path) as fight:
        fight.dice = fights.SeededDice(script.seed)
        reader = Reader(fight)
        said += reader.begin()
        for line in script.commands:
            answer = reader.answer(line)
            typed, said = [*typed, line], said + answer
            if answer[:1] and answer[0].startswith("Before the turn ends"):
                typed, said = [*typed, line], said + reader.answer(line)
    return typed, said


def quick_fight(folder: Path) -> Path:
    """A fight that has begun, of which Mira is up."""
    path = folder / "ford.toml"
    with OpenEncounter.create(path, "monsters-and-magic", "At the ford") as fight:
        fight.do("add pc Mira hp 22 ac 2 power 2", "add monster Ghoul x2 cr 1 hp 9 ac 1")
        fight.do("init mira 20", "init ghoul-1 10", "init ghoul-2 9", "start")
    return path


def answers(path: Path, *lines: str) -> list[list[str]]:
    """What each line is answered with."""
    with OpenEncounter.open_or_view(path) as fight:
        fight.dice = fights.SeededDice(3)
        reader = Reader(fight)
        return [reader.begin(), *(list(reader.answer(line)) for line in lines)]


PHONE = "f00dface"


def send(path: Path, number: int, command: str, words: str = "") -> None:
    """Let Mira's phone propose a command, or ask to play her."""
    at = f"2026-11-20T19:30:{number:02}Z"
    Inbox(path).write(Proposal(f"{number:04x}", PHONE, "mira", command, at, words))


STRIKE = ("strike ghoul-1 strong 5 slashing by mira", "Strike Ghoul 1, strong, 5 slashing")
