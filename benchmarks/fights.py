"""Long fights to measure with: many combatants, many entries, made by real commands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count, islice
from pathlib import Path

from affray.core.dice import SeededDice
from affray.core.engine.decide import decide
from affray.core.engine.state import Encounter
from affray.rulesets import load_ruleset
from affray.store.entries import to_body
from affray.store.entry_toml import format_entry, format_header
from benchmarks.rows import Size

BEGAN = datetime(2026, 1, 1, 19, 0, tzinfo=UTC)

GAMES = ("monsters-and-magic", "orcus", "level-up", "5e", "adventure-school")

HERO = {
    "monsters-and-magic": "hp 90 ac 1 power 2 cunning 1 luck 1 pb 2 attack sword 1d8",
    "orcus": "hp 90 ac 18 fort 15 ref 14 will 13 init 3 recoveries 8 attack Sword +7 vs ac 1d8+4",
    "level-up": "hp 90 ac 18 init 1 pb 3 str 4 saves str,con attack sword +7 1d8+4 slashing",
    "5e": "hp 90 ac 18 init 1 pb 3 str 4 saves str,con attack sword +7 1d8+4 slashing sap",
    "adventure-school": "hp 90 ac 13 strength 5 stamina 4 attack sword +7 vs ac 1d8+4 slashing",
}
GHOUL = {
    "monsters-and-magic": "cr 2 hp 90 ac 1 fatigue 9 exhaustion 9 attack claws 1d6",
    "orcus": "hp 90 ac 16 fort 13 ref 14 will 12 init 1 attack Claws +6 vs ac 1d6+2",
    "level-up": "hp 90 ac 13 hit-dice 5 attack claws +4 2d4+2 slashing",
    "5e": "hp 90 ac 13 con 1 attack claws +4 2d4+2 slashing",
    "adventure-school": "hp 90 ac 13 strength 5 attack bite +6 vs ac 1d8+2 piercing",
}
WIGHT = {
    "monsters-and-magic": "cr 1 hp 90 ac 0 attack touch 1d6",
    "orcus": "hp 90 ac 14 fort 11 ref 11 will 11 attack Touch +5 vs ac 1d6",
    "level-up": "hp 90 ac 12 attack touch +3 1d6 cold",
    "5e": "hp 90 ac 12 attack touch +3 1d6 cold",
    "adventure-school": "hp 90 ac 12 strength 3 attack touch +5 vs ac 1d6 cold",
}
_OF_THEIR_OWN = tuple(
    f'inflict {{all}} "{word} {number}" ac {by} until fight'
    for word, by in (("hexed", "-1"), ("blessed", "+1"))
    for number in range(10)
)
"""Conditions that the table makes up, which every game takes."""
LASTING = {
    "monsters-and-magic": (
        *(
            f"inflict {{all}} {name} for 60 turns"
            for name in ("weakened", "sundered", "impaired", "slowed", "prone", "blinded")
        ),
        "inflict {foes} frightened for 60 turns from hero0",
        "inflict {party} frightened for 60 turns from ghoul-1",
        *(
            f"bestow {{all}} {name} for 60 turns"
            for name in ("quickened", "empowered", "hastened", "prepared", "protected", "inspired")
        ),
        *(f"bestow {{all}} {name} until rest" for name in ("invisible", "invigorated")),
        *('forward {each} +1 "next save" until rest',) * 5,
    ),
    "orcus": (
        *(
            f"inflict {{all}} {name} until fight"
            for name in ("blinded", "deafened", "rattled", "slowed", "weakened", "immobile")
        ),
        *(f"inflict {{all}} {name} for 60 turns" for name in ("cover", "concealed", "prone")),
        "inflict {foes} marked until fight from hero0",
        "inflict {party} marked until fight from ghoul-1",
        "inflict {all} resistance fire 5 until rest",
        "inflict {all} vulnerability cold 5 until rest",
        *(
            f"modifier {{all}} {change} until fight"
            for change in (
                "+1 attack power",
                "+2 damage feat",
                "+1 ac shield",
                "+1 defenses power",
                "+1 save",
                "+2 check feat",
                "+1 speed power",
                "+1 attack,damage enhancement",
            )
        ),
    ),
    "level-up": _OF_THEIR_OWN,
    "5e": _OF_THEIR_OWN,
    "adventure-school": _OF_THEIR_OWN,
}
"""What lays as much on everybody as lasts all the time: `EFFECTS` on each."""
EFFECTS = 20

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
    "level-up": (
        "damage {target} 9 fire",
        "heal {target} 9",
        "mark {hero} strife 1",
        "clear {hero} strife 1",
        "next",
    ),
    "5e": (
        "damage {target} 9 fire",
        "heal {target} 9",
        "mark {hero} exhaustion 1",
        "clear {hero} exhaustion 1",
        "next",
    ),
    "adventure-school": (
        "damage {target} 9 fire",
        "heal {target} 9",
        "set {hero} stamina 3",
        "set {hero} stamina 4",
        "next",
    ),
}
"""What every turn brings; a fight of these never ends, since everybody heals what was dealt."""


def write_fights(folder: Path, sizes: Sequence[Size], game: str) -> None:
    """Write one fight as it was at each of these sizes, which differ in the entries alone."""
    blocks, by_length = [_header(game)], {size.entries: size for size in sizes}
    made = _blocks(sizes[0].combatants, sizes[0].effects, game)
    for seq, block in enumerate(islice(made, max(by_length)), 1):
        blocks.append(block)
        if seq in by_length:
            path_of(folder, game, by_length[seq]).write_bytes(b"".join(blocks))


def path_of(folder: Path, game: str, size: Size) -> Path:
    """Where a fight of that size is written."""
    return folder / f"{game}-{size.combatants}-{size.effects}-{size.entries}.toml"


def _header(game: str) -> bytes:
    title = "A long fight"
    return format_header({"format": 1, "title": title, "ruleset": game, "created": BEGAN})


def _blocks(combatants: int, effects: int, game: str) -> Iterator[bytes]:
    ruleset, dice = load_ruleset(game), SeededDice(7)
    state = Encounter(title="A long fight", ruleset=game)
    for seq, line in enumerate(_commands(combatants, effects, game), 1):
        made = decide(state, line, ruleset, dice)
        state = made.state
        yield format_entry(to_body(made.entry(seq, BEGAN + timedelta(seconds=seq))), seq)
        if made.verb == "next" and any(len(c.effects) < effects for c in state.combatants):
            raise RuntimeError(f"{game}: not {effects} effects on everybody after {line!r}")


def _commands(combatants: int, effects: int, game: str) -> Iterator[str]:
    party = min(5, combatants - 2)  # two ghouls at least, so that each bears a number
    for number in range(party):
        yield f"add pc Hero{number} {HERO[game]}"
    yield f"add monster Ghoul x{min(50, combatants - party)} {GHOUL[game]}"
    for extra in range(50, combatants - party, 50):
        yield f"add monster Wight x{min(50, combatants - party - extra)} {WIGHT[game]}"
    yield "start"
    if effects:
        yield from _lasting(combatants, party, game)
    for turn in count():
        target, hero = ("hero0" if turn % 2 else "ghoul-1"), f"hero{turn % party}"
        yield from (line.format(target=target, hero=hero) for line in TURN[game])


def _lasting(combatants: int, party: int, game: str) -> Iterator[str]:
    """What lays `EFFECTS` on everybody; one command for all of them where the game has that."""
    heroes = [f"hero{number}" for number in range(party)]
    ghouls, wights = min(50, combatants - party), combatants - party - 50
    foes = [f"ghoul-{n}" for n in range(1, ghouls + 1)]
    foes += [f"wight-{n}" for n in range(1, wights + 1)]
    people = {
        "party": ",".join(heroes),
        "foes": ",".join(foes),
        "all": ",".join((*heroes, *foes)),
    }
    for line in LASTING[game]:
        if "{each}" in line:
            yield from (line.format(each=who) for who in (*heroes, *foes))
        else:
            yield line.format(**people)
