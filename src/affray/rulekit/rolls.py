"""A d20: how its die is known, what is added, which of two dice counts, and how it comes out; and
what an entry comes to when its roll comes out otherwise.

A game says by which words its rolls are called out, and hands in what a roll comes to:

    ATTACK = Outcomes({"miss": "miss", "hit": "hit", "crit": "crit", "critical": "crit"})
    die = read_die(ctx, words, ATTACK)                 # `hit`, `natural 15`, `natural 4,15`, `roll`
    roll = Roll("mira", "attack", die, (Part(5, "bow"),), 14, "ogre", pro=("hidden",))
    make(ctx, roll, lambda natural, total: "hit" if total >= 14 else "miss").outcome

    hit = decided(ctx, ctx.previous, "hit")            # the entry before, had its roll been a hit
    become(ctx, ctx.state, hit.state, "blocked")       # what comes out differently
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import add
from typing import Annotated

from msgspec import Struct

from affray.core.dice.notation import Dice, parse_dice
from affray.core.dice.notation import roll as roll_dice
from affray.core.dice.sources import KeptDice
from affray.core.heart.advantage import RollAdvantage
from affray.core.heart.decide import Context, Decision, decide
from affray.core.heart.difference import bounded, difference
from affray.core.heart.events import AnyEvent, Rolled
from affray.core.heart.fallen import fallen
from affray.core.heart.history import Previous
from affray.core.heart.state import Encounter
from affray.core.language import arguments
from affray.core.language.clauses import read_faces, read_one_roll, refuse_two_dice
from affray.core.language.declared import Argument, Reading
from affray.core.language.refusal import Refused, listed, signed
from affray.core.language.words import Words
from affray.rulekit.numbers import Part

# -- the die ---------------------------------------------------------------------------------------

_ANY_DIE = ("natural", "roll")
"""What can be said of every die, beside its outcome."""


class Outcomes(Struct, frozen=True):
    """The words by which rolls of one kind are called out: word -> the outcome that it stands for,
    as `critical` -> `crit`; and how refusals list them, where they don't have to name all."""

    means: Mapping[str, str]
    told: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """Whatever can say how a die is known begins with one of these."""
        return (*self.means, *_ANY_DIE)

    @property
    def listed(self) -> str:
        """How refusals list them, with what else could be said: "miss, hit, natural N or roll"."""
        means = self.told or ", ".join(self.means)
        return f"{means}, natural N or roll" if means else "natural N or roll"


class Die(Struct, frozen=True):
    """How one d20 is known: its outcome in a word, its faces as they lie, or to be rolled.

    said   the outcome; empty for none
    faces  one, or both of an advantage or disadvantage
    final  whether `said` is what the roll came to, whatever the rules would make of that word
    """

    said: str = ""
    faces: tuple[int, ...] = ()
    final: bool = False

    @property
    def rolled_here(self) -> bool:
        """Whether the program is to roll it."""
        return not self.said and not self.faces


def unsaid(ctx: Context) -> Die:
    """The die of which a command says nothing: to be rolled.

    A command that is decided anew has its outcome already, and that stands (`Context.said`); or the
    dice of its first roll (`Context.faces`).
    """
    faces, ctx.faces = ctx.faces, ()
    said, _, others = ctx.said.partition(",")
    ctx.said = others or said
    return Die(said, faces, final=bool(said))


def is_die(words: Words, outcomes: Outcomes) -> bool:
    """Whether an outcome stands next, or several with commas, `natural` or `roll`."""
    word = words.peek()
    if "," in word:
        return all(each in outcomes.means for each in word.split(","))
    return word in outcomes.means or word in _ANY_DIE


def read_die(ctx: Context, words: Words, outcomes: Outcomes, what: str = "an outcome") -> Die:
    """Read an outcome, `natural N[,M]` or `roll`; `what` is asked for, for the refusal."""
    known = outcomes.words
    word = words.take(*known)
    if not word:
        wanted, face = f"{what}: {outcomes.listed}", words.peek()
        if face.isdecimal():
            hint = f"a die that shows {face} is `natural {face}`"
            raise words.refuse(f"expected {wanted}; {hint}", known)
        word = words.choice(wanted, known)
    faces = read_faces(words)[0] if word == "natural" else ()
    return unsaid(ctx) if ctx.said or ctx.faces else Die(outcomes.means.get(word, ""), faces)


def read_dice(
    ctx: Context, words: Words, outcomes: Outcomes, count: int, what: str = "an outcome"
) -> list[Die]:
    """Read the dice of so many rolls: `hit,miss`, `natural 15,7`, or one word for all of them; or
    one behind the other: `hit natural 9 natural 4,15`. One face is not for all: each roll has a die
    of its own. Raises Refused for another number, and where a command is decided anew that makes
    more rolls than there are outcomes known."""
    if count > 1 and (ctx.said or ctx.faces):
        return _read_anew(ctx, words, outcomes, count, what)
    said = words.peek().split(",")
    if len(said) > 1 and is_die(words, outcomes):
        if len(said) != count:
            wanted = "one outcome" if count == 1 else f"{count} outcomes, one for each"
            raise words.refuse(f"expected {wanted}, found {len(said)}")
        words.next(what)
        return [Die(outcomes.means[word]) for word in said]
    if count > 1 and _stand_one_by_one(words, outcomes):
        return [_read_next(words, outcomes, what) for _ in range(count)]
    if count > 1 and words.take("natural"):
        return [Die(faces=faces) for faces in read_faces(words, count)]
    return [read_die(ctx, words, outcomes, what)] * count


def _read_anew(ctx: Context, words: Words, outcomes: Outcomes, count: int, what: str) -> list[Die]:
    """The rolls of a command that is decided anew, as they stand, whatever its words say."""
    said, ctx.said = ctx.said, ""
    if said.count(",") + 1 < count:
        raise Refused("several rolls were made at once")
    read_dice(ctx, words, outcomes, count, what)
    ctx.said = said
    return [unsaid(ctx) for _ in range(count)]


def _stand_one_by_one(words: Words, outcomes: Outcomes) -> bool:
    """Whether several stand one behind the other, not all of them `natural`."""
    ahead, found = 0, []
    while words.peek(ahead) in outcomes.words:
        found.append(words.peek(ahead))
        ahead += 2 if found[-1] == "natural" else 1
    return len(found) > 1 and set(found) != {"natural"}


def _read_next(words: Words, outcomes: Outcomes, what: str) -> Die:
    """One of several dice: of two rolls `crit miss` is an outcome each, and no crit-miss."""
    stands = words.peek() in outcomes.words
    wanted = f"{what}: {outcomes.listed}"
    word = words.next(what).casefold() if stands else words.choice(wanted, outcomes.words)
    faces = read_one_roll(words) if word == "natural" else ()
    return Die(outcomes.means.get(word, ""), faces)


# -- what a command says of a roll -----------------------------------------------------------------


def die_said(
    outcomes: Outcomes,
    of: str = "",
    what: str = "an outcome",
    asks: str = "outcome",
    may_lack: Callable[[Reading], bool] = lambda reading: False,
) -> Argument:
    """How a die is known, as an argument of a declared command.

    `of` names the field of those who have a roll each: it is a list of dice then. `may_lack` tells
    whether who acts may leave it out, and have it rolled.
    """

    def read(reading: Reading) -> Die | list[Die]:
        if not of:
            return read_die(reading.ctx, reading.words, outcomes, what)
        return read_dice(reading.ctx, reading.words, outcomes, len(reading.said[of]), what)

    def stands(reading: Reading) -> bool:
        words = reading.words
        words.offered += outcomes.words if words.done else ()
        return is_die(words, outcomes) or not (reading.is_over or words.has_amount())

    def lacking(reading: Reading) -> Die | list[Die] | None:
        if not may_lack(reading):
            return None
        return [unsaid(reading.ctx) for _ in reading.said[of]] if of else unsaid(reading.ctx)

    return Argument(read, "OUTCOME", stands, lacking, asks=asks)


class Terms(Struct, frozen=True):
    """What may be said of a roll in a game that has advantage; a game's own adds its words."""

    adv: Annotated[bool, arguments.flag("advantage", heard="adv")] = False
    dis: Annotated[bool, arguments.flag("disadvantage", heard="dis")] = False
    plus: Annotated[int, arguments.clause("plus", arguments.number("the bonus", -99, 99), add)] = 0

    @property
    def parts(self) -> list[Part]:
        """The bonus that was said."""
        return [Part(self.plus, "said")] if self.plus else []

    @property
    def pro(self) -> list[str]:
        """The advantage that was said, as a reason."""
        return ["said"] if self.adv else []

    @property
    def con(self) -> list[str]:
        """The disadvantage that was said, as a reason."""
        return ["said"] if self.dis else []


DC = arguments.clause("dc", arguments.number("the DC", 1, 99), asks="dc number")
"""The argument that says what a roll is made against."""


# -- other dice ------------------------------------------------------------------------------------


def throw_dice(ctx: Context, who: str, dice: str | Dice, what: str, against: str = "") -> int:
    """Roll dice for something, as for damage: emit what fell, and give the total."""
    source = ctx.dice_of(who, what, against)
    fell = roll_dice(parse_dice(dice) if isinstance(dice, str) else dice, source)
    ctx.emit(Rolled(who, fell.dice, fell.faces, fell.total, for_=what, against=against))
    return fell.total


# -- the roll --------------------------------------------------------------------------------------


class Roll(Struct, frozen=True):
    """One roll that is to be made.

    who, what  who makes it, and what it is, in words
    die        how its die is known
    parts      all that is added; none that doesn't count
    dc         the number that it is made against; None where nobody knows one
    against    whom it is made against
    pro, con   the reasons for advantage and for disadvantage
    step       places by which its outcome is moved along, in games that have that
    note       what else is to be told of it
    """

    who: str
    what: str
    die: Die
    parts: Sequence[Part] = ()
    dc: int | None = None
    against: str = ""
    pro: Sequence[str] = ()
    con: Sequence[str] = ()
    step: int = 0
    note: str = ""


def make(ctx: Context, roll: Roll, comes_out: Callable[[int, int], str], hint: str = "") -> Rolled:
    """Make a roll: emit it, and give it as it fell, with its outcome.

    That is what was called out, or what `comes_out` gives for the die that counts and the total.
    Raises Refused for two dice where nothing gives advantage or disadvantage; `hint` is what else
    could be said then.
    """
    _record_advantage(ctx, roll)
    rolled = _called_out(roll) if roll.die.said else _fallen(ctx, roll, comes_out, hint)
    ctx.emit(rolled)
    return rolled


def total_of(ctx: Context, roll: Roll) -> int:
    """Make a roll of which the total alone matters, as for initiative: emit it, and give that."""
    _record_advantage(ctx, roll)
    rolled = _fallen(ctx, roll, lambda natural, total: "", "")
    ctx.emit(rolled)
    return rolled.total or 0


def _record_advantage(ctx: Context, roll: Roll) -> None:
    """Keep what speaks for and against the roll, for whoever asks before its die has fallen."""
    reasons = tuple(dict.fromkeys(roll.pro)), tuple(dict.fromkeys(roll.con))
    ctx.advantages.append(RollAdvantage(roll.who, roll.what, roll.against, *reasons))


def _called_out(roll: Roll) -> Rolled:
    return Rolled(
        roll.who,
        "1d20",
        for_=roll.what,
        against=roll.against,
        dc=roll.dc,
        outcome=roll.die.said,
        step=roll.step,
        by_hand=True,
    )


def _fallen(ctx: Context, roll: Roll, comes_out: Callable[[int, int], str], hint: str) -> Rolled:
    if not (roll.pro or roll.con):
        refuse_two_dice(roll.die.faces, hint)
    lean = bool(roll.pro) - bool(roll.con)
    dice = ctx.dice_of(roll.who, roll.what, roll.against)
    faces = roll.die.faces or tuple(dice.die(20) for _ in range(2 if lean else 1))
    natural = max(faces) if lean > 0 else min(faces) if lean < 0 else faces[0]
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
        in_words(roll.parts, roll.pro, roll.con, _note(roll, lean)),
        by_hand=bool(roll.die.faces),
        step=roll.step,
        lean=lean,
    )


def _note(roll: Roll, lean: int) -> str:
    """What else is told of a roll: where one die lies for two, that it was taken as it was."""
    taken = "one die, taken as the one that counts"
    return ", ".join(filter(None, (roll.note, taken if lean and len(roll.die.faces) == 1 else "")))


def _notation(dice: int, lean: int, bonus: int) -> str:
    """As dice are written: `2d20kh1+3` is the higher of two that lie there, and 3 more."""
    kept = "1d20" if dice == 1 or not lean else "2d20kh1" if lean > 0 else "2d20kl1"
    return f"{kept}{bonus:+d}" if bonus else kept


def in_words(
    parts: Sequence[Part], pro: Sequence[str] = (), con: Sequence[str] = (), note: str = ""
) -> str:
    """Where a total comes from: "+7 sword, +2 power bless, advantage: hidden and said"."""
    told = [
        " ".join(filter(None, (signed(part.amount), part.type_beside, part.source)))
        for part in parts
        if part.amount
    ]
    if pro and con:
        told.append("advantage and disadvantage cancel out")
    elif pro or con:
        told.append(f"{'advantage' if pro else 'disadvantage'}: {listed(pro or con, 'and')}")
    if note:
        told.append(note)
    return ", ".join(told)


# -- decided anew: what an entry comes to when a roll of it comes out otherwise --------------------


def rolled_beside(events: Iterable[AnyEvent]) -> tuple[Rolled, ...]:
    """The dice that the program rolled, those of checks and attacks apart: damage, for one."""
    return tuple(
        event
        for event in events
        if isinstance(event, Rolled) and not event.by_hand and event.natural is None and event.faces
    )


def decided(
    ctx: Context,
    origin: Previous,
    outcome: str = "",
    before: Encounter | None = None,
    rolled: Iterable[Rolled] | None = None,
    faces: tuple[int, ...] = (),
) -> Decision:
    """What an entry's command comes to when its roll comes out as `outcome`, or with these `faces`:
    a check is bent, a roll made again. Of several rolls it is `weak,miss`, an outcome for each. The
    dice that the program rolled for it fall as they did.

    before  the fight in which it is given, where that is not as it was
    rolled  the dice that fell for it, where not only those of the entry count

    Raises Refused where it can't be given any more.
    """
    known = rolled_beside(origin.entry.events) if rolled is None else rolled
    return decide(
        origin.before if before is None else before,
        origin.entry.command,
        ctx.ruleset,
        KeptDice(fallen(known), ctx.dice),
        origin.earlier(),
        said=outcome,
        faces=faces,
    )


def become(ctx: Context, was: Encounter, wanted: Encounter, why: str) -> None:
    """Let come true what is otherwise in `wanted`; tracks that moved since stay in their bounds."""
    for event in difference(was, wanted, why):
        ctx.emit(bounded(ctx.tables, ctx.state, event))
