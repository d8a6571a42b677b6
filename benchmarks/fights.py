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

RULESET = "monsters-and-magic"
BEGAN = datetime(2026, 1, 1, 19, 0, tzinfo=UTC)


def write_fight(path: Path, combatants: int, entries: int) -> None:
    """Write an encounter of so many combatants and entries, as it would be after real play."""
    ruleset, dice = load_ruleset(RULESET), SeededDice(7)
    history = History(Encounter(title="A long fight", ruleset=RULESET))
    blocks = [
        emit_header({"format": 1, "title": "A long fight", "ruleset": RULESET, "created": BEGAN})
    ]
    for seq, line in zip(range(1, entries + 1), _commands(combatants), strict=False):
        made = decide(history.state, line, ruleset, dice)
        at = BEGAN + timedelta(seconds=seq)
        entry = made.entry(seq, at)
        history.apply(entry, made.state)
        blocks.append(emit_block(to_body(entry), seq))
    path.write_bytes(b"".join(blocks))


def _commands(combatants: int) -> Iterator[str]:
    """A fight that never ends: everybody heals as much as is struck."""
    party = min(5, combatants - 1)
    for number in range(party):
        yield f"add pc Hero{number} hp 90 ac 1 power 2 cunning 1 luck 1 pb 2 attack sword 1d8"
    ghoul = "cr 2 hp 90 ac 1 fatigue 9 exhaustion 9 attack claws 1d6"
    yield f"add monster Ghoul x{min(50, combatants - party)} {ghoul}"
    for extra in range(50, combatants - party, 50):
        yield f"add monster Wight x{min(50, combatants - party - extra)} cr 1 hp 90 ac 0"
    yield "start"
    for turn in count():
        target = "hero0" if turn % 2 else "ghoul-1"
        yield f"damage {target} 9 slashing"
        yield f"heal {target} 9"
        yield f"mark hero{turn % party} fatigue 1"
        yield f"clear hero{turn % party} fatigue 1"
        yield "next"
