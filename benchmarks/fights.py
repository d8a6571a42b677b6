"""Long fights to measure with: many combatants, many entries, made by real commands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count, islice
from pathlib import Path

from affray.core.decide import decide
from affray.core.dice_sources import SeededDice
from affray.core.history import History
from affray.core.state import Encounter
from affray.rulesets import load_ruleset
from affray.store.entries import to_body
from affray.store.toml_block import emit_block, emit_header

BEGAN = datetime(2026, 1, 1, 19, 0, tzinfo=UTC)

GAMES = ("monsters-and-magic", "orcus")

HERO = {
    "monsters-and-magic": "hp 90 ac 1 power 2 cunning 1 luck 1 pb 2 attack sword 1d8",
    "orcus": "hp 90 ac 18 fort 15 ref 14 will 13 init 3 recoveries 8 attack Sword +7 vs ac 1d8+4",
}
GHOUL = {
    "monsters-and-magic": "cr 2 hp 90 ac 1 fatigue 9 exhaustion 9 attack claws 1d6",
    "orcus": "hp 90 ac 16 fort 13 ref 14 will 12 init 1 attack Claws +6 vs ac 1d6+2",
}
WIGHT = {
    "monsters-and-magic": "cr 1 hp 90 ac 0 attack touch 1d6",
    "orcus": "hp 90 ac 14 fort 11 ref 11 will 11 attack Touch +5 vs ac 1d6",
}
TURN = {
    "monsters-and-magic": (
        "damage {target} 9 slashing",
        "heal {target} 9",
        "mark {hero} fatigue 1",
        "clear {hero} fatigue 1",
        "next",
    ),
    "orcus": (
        "damage {target} 9 fire",
        "heal {target} 9",
        "inflict {hero} slowed target-end",
        "temp {hero} 1",
        "next",
    ),
}
"""What every turn brings; a fight of these never ends, since everybody heals what was dealt."""


def write_fights(folder: Path, combatants: int, lengths: Sequence[int], game: str) -> None:
    """Write one fight as it was after so many entries, for each of these lengths."""
    blocks = [_header(game)]
    for seq, block in enumerate(islice(_blocks(combatants, game), max(lengths)), 1):
        blocks.append(block)
        if seq in lengths:
            path_of(folder, combatants, seq, game).write_bytes(b"".join(blocks))


def path_of(folder: Path, combatants: int, entries: int, game: str) -> Path:
    """Where a fight of that size is written."""
    return folder / f"{game}-{combatants}-{entries}.toml"


def _header(game: str) -> bytes:
    title = "A long fight"
    return emit_header({"format": 1, "title": title, "ruleset": game, "created": BEGAN})


def _blocks(combatants: int, game: str) -> Iterator[bytes]:
    ruleset, dice = load_ruleset(game), SeededDice(7)
    history = History(Encounter(title="A long fight", ruleset=game))
    for seq, line in enumerate(_commands(combatants, game), 1):
        made = decide(history.state, line, ruleset, dice)
        entry = made.entry(seq, BEGAN + timedelta(seconds=seq))
        history.apply(entry, made.state)
        yield emit_block(to_body(entry), seq)


def _commands(combatants: int, game: str) -> Iterator[str]:
    party = min(5, combatants - 2)  # two ghouls at least, so that each bears a number
    for number in range(party):
        yield f"add pc Hero{number} {HERO[game]}"
    yield f"add monster Ghoul x{min(50, combatants - party)} {GHOUL[game]}"
    for extra in range(50, combatants - party, 50):
        yield f"add monster Wight x{min(50, combatants - party - extra)} {WIGHT[game]}"
    yield "start"
    for turn in count():
        target, hero = ("hero0" if turn % 2 else "ghoul-1"), f"hero{turn % party}"
        yield from (line.format(target=target, hero=hero) for line in TURN[game])
