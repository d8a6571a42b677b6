"""Rolls of a d20 against a number: attacks, skill checks against a defence or DC, saves.

Seed 003: The Core Mechanic, Attack Rolls, Rolling 1 or 20, Saving Throws.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart.state import Combatant, Encounter
from affray.core.language.words import Words
from affray.core.rules.tables import Tables
from affray.rulekit import numbers, rolls
from affray.rulekit.numbers import Part
from affray.rulekit.rolls import Die, Roll
from affray.rulesets.orcus import totals

if TYPE_CHECKING:
    from affray.core.heart.decide import Context


Outcome = Literal["miss", "hit", "crit"]
SAID: dict[str, Outcome] = {
    "miss": "miss",
    "failure": "miss",
    "fail": "miss",
    "failed": "miss",
    "hit": "hit",
    "success": "hit",
    "saved": "hit",
    "crit": "crit",
    "critical": "crit",
}
OUTCOMES = rolls.Outcomes(SAID, "miss, hit, crit")


class Check(Struct, frozen=True):
    """One roll: who makes it, what it is, its parts, the number to reach, and against whom.

    parts        all of them, the situation's as well; those of one type don't add up
    attack       20 always hits (a critical only where it would have hit anyway) and 1 never does
    always_crits each hit is a critical one
    high         from this total on, or with a natural 20, what is no attack is more than a success
    note         what else is to be told of the roll
    """

    who: str
    what: str
    parts: tuple[Part, ...] = ()
    dc: int = 10
    die: Die = Die()
    against: str = ""
    attack: bool = False
    always_crits: bool = False
    high: int | None = None
    note: str = ""


def read_plus_and_extra(words: Words) -> tuple[int, bool]:
    """Read what may be said of a save: `plus N`, and `extra` for one beside that of the turn."""
    plus, extra = 0, False
    while word := words.take("plus", "extra"):
        if word == "plus":
            plus += words.number("the bonus", -99, 99)
        else:
            extra = True
    return plus, extra


def attack_outcome(natural: int, total: int, defense: int) -> Outcome:
    """What an attack roll comes to (seed 003: Rolling 1 or 20)."""
    if natural == 1:
        return "miss"
    if natural == 20:
        return "crit" if total >= defense else "hit"
    return "hit" if total >= defense else "miss"


def make(ctx: Context, check: Check) -> Outcome:
    """Make the roll: emit it, and give its outcome. The face and the total are in the event."""
    die = check.die
    if die.said:
        die = replace(die, said=_as_it_counts(check, SAID[die.said]))
    parts = totals.counted(check.parts)
    rolled = rolls.make(
        ctx,
        Roll(check.who, check.what, die, parts, check.dc, check.against, note=check.note),
        lambda natural, total: _as_it_counts(check, _outcome(check, natural, total)),
    )
    return SAID[rolled.outcome]


def _outcome(check: Check, natural: int, total: int) -> Outcome:
    if check.attack:
        return attack_outcome(natural, total, check.dc)
    if check.high is not None and (natural == 20 or total >= check.high):
        return "crit"
    return "hit" if total >= check.dc else "miss"


def _as_it_counts(check: Check, outcome: Outcome) -> Outcome:
    """Only attacks can be critical, and what has a `high`; for a coup de grace each hit is."""
    if outcome == "hit" and check.always_crits:
        return "crit"
    if outcome == "crit" and not check.attack and check.high is None:
        return "hit"
    return outcome


def save_parts(tables: Tables, state: Encounter, who: Combatant) -> tuple[Part, ...]:
    """All parts of a saving throw: its own bonus, and the situation's."""
    own = who.number("save")
    bonus = (Part(own, "own bonus"),) if own else ()
    return (*bonus, *numbers.parts(totals.situation(tables, state, who), "save"))
