"""A d20 and what is added, against a number. Seed 002: Attack Rolls; rules file, 2."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from affray.core.heart.events import Rolled
from affray.core.language.clauses import read_faces, refuse_two_dice
from affray.core.language.refusal import listed, signed
from affray.core.language.words import Words
from affray.rulekit.numbers import Part

if TYPE_CHECKING:
    from affray.core.heart.decide import Context


class Outcomes(Struct, frozen=True):
    """The words by which rolls of one kind are called out.

    means  word -> the outcome that it stands for: `critical` -> `crit`
    told   how refusals list them, where they don't have to name all
    """

    means: Mapping[str, str]
    told: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """Whatever can say how a die is known begins with one of these."""
        return (*self.means, "natural", "roll")

    @property
    def listed(self) -> str:
        """How refusals list them, with what else could be said: "miss, hit, natural N or roll"."""
        return f"{self.told or ', '.join(self.means)}, natural N or roll"


class Die(Struct, frozen=True):
    """How one d20 is known: its outcome in a word, its faces as they lie, or to be rolled."""

    said: str = ""
    faces: tuple[int, ...] = ()


def unsaid(ctx: Context) -> Die:
    """The die of which a command says nothing: to be rolled.

    A command that is decided anew has its outcome already, and that stands (`Context.said`).
    """
    return Die(ctx.said)


def is_die(words: Words, outcomes: Outcomes) -> bool:
    """Whether an outcome stands next, or several with commas, or `natural`, or `roll`."""
    first, *others = words.peek().split(",")
    return first in outcomes.words and all(word in outcomes.means for word in others)


def read_die(ctx: Context, words: Words, outcomes: Outcomes, what: str = "an outcome") -> Die:
    """Read an outcome, `natural N[,M]` or `roll`; `what` is asked for, for the refusal."""
    word = words.choice(f"{what}: {outcomes.listed}", outcomes.words)
    faces = read_faces(words)[0] if word == "natural" else ()
    return unsaid(ctx) if ctx.said else Die(outcomes.means.get(word, ""), faces)


def read_dice(
    ctx: Context, words: Words, outcomes: Outcomes, count: int, what: str = "an outcome"
) -> list[Die]:
    """Read the dice of so many rolls: `hit,miss`, `natural 15,7`, or one word for all of them."""
    said = words.peek().split(",")
    if len(said) > 1 and is_die(words, outcomes):
        if len(said) != count:
            raise words.refuse(f"expected {count} outcomes, one for each, found {len(said)}")
        words.next(what)
        return [Die(outcomes.means[word]) for word in said]
    if count > 1 and words.take("natural"):
        return [Die(faces=faces) for faces in read_faces(words, count)]
    return [read_die(ctx, words, outcomes, what)] * count


class Roll(Struct, frozen=True):
    """One roll that is to be made.

    who, what  who makes it, and what it is, in words
    die        how its die is known
    parts      all that is added
    dc         the number that it is made against; None where nobody knows one
    against    whom it is made against
    pro, con   the reasons for advantage and for disadvantage
    """

    who: str
    what: str
    die: Die
    parts: Sequence[Part] = ()
    dc: int | None = None
    against: str = ""
    pro: Sequence[str] = ()
    con: Sequence[str] = ()


def make(ctx: Context, roll: Roll, comes_out: Callable[[int, int], str]) -> Rolled:
    """Make a roll: emit it, and give it as it fell, with its outcome.

    `comes_out` gives the outcome for the die that counts and the total. Raises Refused for two dice
    where not exactly one of advantage and disadvantage is in force.
    """
    rolled = _called_out(roll) if roll.die.said else _fallen(ctx, roll, comes_out)
    ctx.emit(rolled)
    return rolled


def _called_out(roll: Roll) -> Rolled:
    return Rolled(
        roll.who,
        "1d20",
        for_=roll.what,
        against=roll.against,
        dc=roll.dc,
        outcome=roll.die.said,
        by_hand=True,
    )


def _fallen(ctx: Context, roll: Roll, comes_out: Callable[[int, int], str]) -> Rolled:
    lean = bool(roll.pro) - bool(roll.con)
    if not lean:
        refuse_two_dice(roll.die.faces)
    faces = roll.die.faces or tuple(ctx.dice.die(20) for _ in range(2 if lean else 1))
    natural = max(faces) if lean > 0 else min(faces)
    bonus = sum(part.amount for part in roll.parts)
    return Rolled(
        roll.who,
        _notation(len(faces), lean, bonus),
        faces,
        natural + bonus,
        natural,
        roll.what,
        roll.against,
        roll.dc,
        comes_out(natural, natural + bonus),
        _in_words(roll),
        by_hand=bool(roll.die.faces),
        lean=lean,
    )


def _notation(dice: int, lean: int, bonus: int) -> str:
    kept = "1d20" if dice == 1 or not lean else "2d20kh1" if lean > 0 else "2d20kl1"
    return f"{kept}{bonus:+d}" if bonus else kept


def _in_words(roll: Roll) -> str:
    told = [f"{signed(part.amount)} {part.source}" for part in roll.parts if part.amount]
    if roll.pro and roll.con:
        told.append("advantage and disadvantage cancel out")
    elif roll.pro or roll.con:
        reasons = listed(roll.pro or roll.con, "and")
        told.append(f"{'advantage' if roll.pro else 'disadvantage'}: {reasons}")
    return ", ".join(told)
