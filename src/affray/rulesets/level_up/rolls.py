"""A d20 and what is added, against a number. Seed 002: Attack Rolls; rules file, 2."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from affray.core.heart.events import Rolled
from affray.core.language.clauses import read_faces, refuse_two_dice
from affray.core.language.refusal import signed
from affray.core.language.words import Words
from affray.core.rules.ruleset import Share

if TYPE_CHECKING:
    from affray.core.heart.decide import Context

ATTACK = ("miss", "hit", "crit", "fumble")
CHECK = ("failure", "success")


class Die(Struct, frozen=True):
    """How a d20 is known: its outcome in a word, its faces as they lie, or to be rolled."""

    said: str = ""
    faces: tuple[int, ...] = ()


class D20(Struct, frozen=True):
    """One roll: who makes it, for what, its parts, what speaks for and against it, the DC.

    `attack` has a natural 20 hit and a natural 1 miss. Without a DC it comes to a total alone.
    """

    who: str
    what: str
    die: Die
    parts: tuple[Share, ...] = ()
    better: tuple[str, ...] = ()
    worse: tuple[str, ...] = ()
    dc: int | None = None
    against: str = ""
    attack: bool = False


def is_die(words: Words, outcomes: tuple[str, ...]) -> bool:
    """Whether an outcome, `natural` or `roll` stands next."""
    return words.peek() in (*outcomes, "natural", "roll")


def read_die(words: Words, outcomes: tuple[str, ...]) -> Die:
    """Read one of the outcomes, `natural N`, `natural N,M` or `roll`."""
    word = words.choice("an outcome", (*outcomes, "natural", "roll"))
    if word == "natural":
        return Die(faces=read_faces(words)[0])
    return Die("" if word == "roll" else word)


def make(ctx: Context, roll: D20) -> str:
    """Make the roll: emit it and give its outcome, empty for one without a DC.

    Raises Refused for two dice where not exactly one of advantage and disadvantage is in force.
    """
    if roll.die.said:
        ctx.emit(_event(roll, "1d20", roll.die.said, by_hand=True))
        return roll.die.said
    lean = bool(roll.better) - bool(roll.worse)
    if not lean:
        refuse_two_dice(roll.die.faces)
    faces = roll.die.faces or tuple(ctx.dice.die(20) for _ in range(2 if lean else 1))
    natural = min(faces) if lean < 0 else max(faces)
    bonus = sum(int(part.amount) for part in roll.parts)
    outcome = ctx.said or _outcome(roll, natural, natural + bonus)
    dice = f"{len(faces)}d20{'kl' if lean < 0 else 'kh'}" if len(faces) > 1 else "1d20"
    ctx.emit(
        _event(
            roll,
            f"{dice}{bonus:+d}" if bonus else dice,
            outcome,
            bool(roll.die.faces),
            faces,
            natural,
            natural + bonus,
            lean,
        )
    )
    return outcome


def _outcome(roll: D20, natural: int, total: int) -> str:
    if roll.dc is None:
        return ""
    if roll.attack:
        if natural in (1, 20):
            return "fumble" if natural == 1 else "crit"
        return "hit" if total >= roll.dc else "miss"
    return "success" if total >= roll.dc else "failure"


def _event(
    roll: D20,
    dice: str,
    outcome: str,
    by_hand: bool,
    faces: tuple[int, ...] = (),
    natural: int | None = None,
    total: int | None = None,
    lean: int = 0,
) -> Rolled:
    told = [f"{signed(int(part.amount))} {part.source}" for part in roll.parts if part.amount]
    told += [f"advantage: {why}" for why in roll.better]
    told += [f"disadvantage: {why}" for why in roll.worse]
    return Rolled(
        roll.who,
        dice,
        faces,
        total,
        natural,
        roll.what,
        roll.against,
        roll.dc,
        outcome,
        ", ".join(told) if faces else "",
        by_hand,
        lean=lean,
    )
