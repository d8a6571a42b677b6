"""Rolls of a d20 against a number: attacks, skill checks against a defence or DC, saves.

Seed 003: The Core Mechanic, Attack Rolls, Rolling 1 or 20, Saving Throws.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from affray.core.heart.events import Rolled
from affray.core.heart.state import Combatant, Encounter
from affray.core.language.clauses import read_faces, refuse_two_dice
from affray.core.language.refusal import signed
from affray.core.language.words import Words
from affray.core.rules.tables import Tables
from affray.rulekit import numbers
from affray.rulekit.numbers import Part
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
DIE_WORDS = (*SAID, "natural", "roll")


class Die(Struct, frozen=True):
    """How one d20 is known: its outcome in a word, its face as it lies, or to be rolled."""

    said: Outcome | None = None
    face: int | None = None


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


def is_die(words: Words) -> bool:
    """Whether the next word begins an outcome, `natural` or `roll`."""
    row = words.peek().split(",")
    return row[0] in DIE_WORDS and all(word in SAID for word in row[1:])


def read_die(words: Words, what: str = "an outcome") -> Die:
    """Read `miss|hit|crit` or its other words, `natural N`, or `roll`."""
    word = words.choice(f"{what}: miss, hit, crit, natural N or roll", DIE_WORDS)
    if word == "natural":
        return _as_it_lies(read_faces(words)[0])
    return Die(SAID.get(word))


def read_dice(words: Words, count: int, what: str = "an outcome") -> list[Die]:
    """Read as many: `hit,miss`, `natural 15,7` or `natural 15 natural 7`; `roll` stands for all.

    One outcome stands for all as well, but one face doesn't: each has a roll of its own.
    """
    if "," in words.peek() and is_die(words):
        dice = [Die(SAID[word]) for word in words.next(what).casefold().split(",")]
        return _as_many(words, dice, count, "outcomes")
    if count > 1 and words.take("natural"):
        return [_as_it_lies(faces) for faces in read_faces(words, count)]
    return [read_die(words, what)] * count


def _as_it_lies(faces: tuple[int, ...]) -> Die:
    """The one die of a roll: nothing here is rolled with advantage or disadvantage."""
    refuse_two_dice(faces)
    return Die(face=faces[0])


def _as_many(words: Words, dice: list[Die], count: int, what: str) -> list[Die]:
    if len(dice) != count:
        words.back()
        raise words.refuse(f"expected {count} {what}, one for each target, found {len(dice)}")
    return dice


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
    if check.die.said is not None:
        outcome = _as_it_counts(check, check.die.said)
        ctx.emit(_event(check, "1d20", outcome, by_hand=True))
        return outcome
    natural = check.die.face or ctx.dice.die(20)
    bonus = totals.added_up(check.parts)
    outcome = _as_it_counts(check, _outcome(check, natural, natural + bonus))
    ctx.emit(
        _event(
            check,
            f"1d20{bonus:+d}" if bonus else "1d20",
            outcome,
            by_hand=check.die.face is not None,
            natural=natural,
            total=natural + bonus,
        )
    )
    return outcome


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


def _event(
    check: Check,
    dice: str,
    outcome: Outcome,
    by_hand: bool,
    natural: int | None = None,
    total: int | None = None,
) -> Rolled:
    return Rolled(
        check.who,
        dice,
        () if natural is None else (natural,),
        total,
        natural,
        check.what,
        check.against,
        check.dc,
        outcome,
        "" if natural is None else in_words(check.parts, check.note),
        by_hand,
    )


def in_words(parts: Sequence[Part], note: str = "") -> str:
    """The parts that count, with their types: "+7 Sword, +2 power bless"."""
    told = [
        f"{signed(p.amount)} {p.type} {p.source}" if p.type else f"{signed(p.amount)} {p.source}"
        for p in totals.counted(parts)
        if p.amount
    ]
    return ", ".join([*told, *([note] if note else [])])


def save_parts(tables: Tables, state: Encounter, who: Combatant) -> tuple[Part, ...]:
    """All parts of a saving throw: its own bonus, and the situation's."""
    own = who.number("save")
    bonus = (Part(own, "own bonus"),) if own else ()
    return (*bonus, *numbers.parts(totals.situation(tables, state, who), "save"))
