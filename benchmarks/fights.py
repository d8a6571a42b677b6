"""Long fights to measure with: many combatants, many entries, made by real commands."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

from affray.core.decide import decide
from affray.core.dice_sources import SeededDice
from affray.core.history import History
from affray.core.state import Encounter
from affray.rulesets import load_ruleset
from affray.store.entries import to_body
from affray.store.toml_block import emit_block, emit_header

BEGAN = datetime(2026, 1, 1, 19, 0, tzinfo=UTC)

HERO = {
    "monsters-and-magic": "hp 90 ac 1 power 2 cunning 1 luck 1 pb 2 attack sword 1d8",
    "orcus": "hp 90 ac 18 fort 15 ref 14 will 13 init 3 recoveries 8 attack Sword +7 vs ac 1d8+4",
}
GHOUL = {
    "monsters-and-magic": "cr 2 hp 90 ac 1 fatigue 9 exhaustion 9 attack claws 1d6",
    "orcus": "hp 90 ac 16 fort 13 ref 14 will 12 init 1 attack Claws +6 vs ac 1d6+2",
}
WIGHT = {"monsters-and-magic": "cr 1 hp 90 ac 0", "orcus": "hp 90 ac 14 fort 11 ref 11 will 11"}
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


def write_fight(path: Path, combatants: int, entries: int, game: str) -> None:
    """Write an encounter of so many combatants and entries, as it would be after real play."""
    ruleset, dice = load_ruleset(game), SeededDice(7)
    history = History(Encounter(title="A long fight", ruleset=game))
    header = {"format": 1, "title": "A long fight", "ruleset": game, "created": BEGAN}
    blocks = [emit_header(header)]
    for seq, line in zip(range(1, entries + 1), _commands(combatants, game), strict=False):
        made = decide(history.state, line, ruleset, dice)
        at = BEGAN + timedelta(seconds=seq)
        entry = made.entry(seq, at)
        history.apply(entry, made.state)
        blocks.append(emit_block(to_body(entry), seq))
    path.write_bytes(b"".join(blocks))


def _commands(combatants: int, game: str) -> Iterator[str]:
    party = min(5, combatants - 1)
    for number in range(party):
        yield f"add pc Hero{number} {HERO[game]}"
    yield f"add monster Ghoul x{min(50, combatants - party)} {GHOUL[game]}"
    for extra in range(50, combatants - party, 50):
        yield f"add monster Wight x{min(50, combatants - party - extra)} {WIGHT[game]}"
    yield "start"
    for turn in count():
        target, hero = ("hero0" if turn % 2 else "ghoul-1"), f"hero{turn % party}"
        yield from (line.format(target=target, hero=hero) for line in TURN[game])
