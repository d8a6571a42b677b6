"""What attacks and powers bring on somebody's sheet, and how often a power can be used.

    attack bite +7 2d6+4 piercing plus 1d8 fire inflicts grappled,prone user-end
    power "Fire Breath" recharge 5 save dex dc 14 8d6 fire half inflicts blinded for 2 turns

A game declares in the structs of its sheet which of it there is:

    plus: Annotated[tuple[Plus, ...], powers.PLUS] = ()
    inflicts: Annotated[powers.Inflicts, powers.inflicts(("ongoing",))] = ()
    uses: Annotated[int, powers.USES] = 0
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import groupby
from operator import add
from typing import Any, TypeVar

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from affray.core.dice.notation import parse_dice, roll
from affray.core.heart import own_effects
from affray.core.heart.decide import Context
from affray.core.heart.effects import rule_of
from affray.core.heart.events import Forgot, Noted, Rolled, Used
from affray.core.heart.state import Combatant, Duration
from affray.core.language import arguments
from affray.core.language.arguments import Choices
from affray.core.language.clauses import read_dice
from affray.core.language.declared import Argument, Reading
from affray.core.language.refusal import Refused
from affray.core.language.rows import quoted, words_of_row
from affray.core.language.words import Word, split_words
from affray.core.rules.ruleset import Option
from affray.rulekit import sheets
from affray.rulekit.acts import Cost
from affray.rulekit.placing import Affliction, Lasting, Placing, read_end, until_for

_Attack = TypeVar("_Attack", bound=Struct)

# -- what a hit brings beside its damage -----------------------------------------------------------


class Plus(Struct, frozen=True, array_like=True):
    """Damage of another type on top: `plus 1d8 fire`."""

    dice: str
    type: str = ""

    def __str__(self) -> str:
        """As sheets have it."""
        return " ".join(filter(None, (self.dice, self.type)))


def read_part(reading: Reading) -> list[str]:
    """Read dice of damage, and their type where one stands there: `1d8 fire`."""
    dice = read_dice(reading.words, "the dice of damage")
    kind = arguments.damage_type().read(reading)
    return [dice, kind] if kind else [dice]


PLUS = arguments.clause("plus", Argument(lambda r: [read_part(r)], "DICE [TYPE]"), add)
"""Damage of other types on top, as often as it is said."""


class Inflicted(Affliction, frozen=True, omit_defaults=True):
    """What is inflicted, and until when, as a sheet has it: turns are the bearer's next ones, or
    with `of_source` those of whoever inflicts it. `own` is of the GM's own, and no rule's."""

    until: Duration | None = None
    of_source: bool = False
    own: bool = False

    def __str__(self) -> str:
        """As sheets have it: `slowed save-ends`."""
        name = f'"{self.name}"' if self.own else super().__str__()
        until = self.until
        if until is None:
            return name
        if until.ends == "turn":
            edge = f"{'user' if self.of_source else 'target'}-{until.edge}"
            return f"{name} {edge if until.count <= 1 else f'for {until.count} turns'}"
        end = "save-ends" if until.ends == "save" else f"until {until.says or until.ends}"
        return f"{name} {end}"


Inflicts = tuple[str | Inflicted, ...]
"""All that is inflicted; what is no more than a name is a word in the log."""


def _laid(reading: Reading) -> Iterable[str]:
    doing = reading.ctx.ruleset.doing
    return doing.lays(reading.ctx.tables) if doing is not None else ()


_USUAL = Lasting()


def inflicts(
    amounts: Collection[str] = (),
    may_say: Collection[str] = (),
    known: Choices = _laid,
    lasting: Lasting = _USUAL,
    word: str = "inflicts",
) -> Argument:
    """`inflicts CONDITION[,CONDITION] [END]`, as often as it is said, behind that or another word;
    what is in quotes is an effect of the GM's own.

    amounts  what is inflicted as so much of something: `ongoing 1d6 fire`
    may_say  those of the `known` that may have a number
    lasting  has the ends that can be said
    """
    row = arguments.several("a condition", known, "CONDITION")

    def reads(reading: Reading) -> list[Any]:
        words = reading.words
        if own_effects.stands_next(reading.ctx.tables, words):
            names, so_much = [own_effects.OwnEffect(reading.ctx, words).name], {"own": True}
        elif much := words.take(*amounts, *may_say):
            names, so_much = [much], _read_much(reading, much, much in amounts)
        else:
            names, so_much = row.read(reading), {}
        end = read_end(lasting, reading.ctx, words)
        ends = to_builtins(Inflicted("", until=end.until, of_source=end.of_source))
        more = so_much | {key: value for key, value in ends.items() if key != "name"}
        return [{"name": name, **more} if more else name for name in names]

    said = "|".join(("CONDITION[,CONDITION]", '"NAME"', *(f"{name} AMOUNT" for name in amounts)))
    return arguments.clause(word, Argument(reads, f"{said} [END]"), add)


def _read_much(reading: Reading, name: str, must: bool) -> dict[str, Any]:
    """How much of it: a number or dice, and the type where it is damage."""
    words, what = reading.words, f"how much {name}"
    if words.has_number():
        much: dict[str, Any] = {"amount": words.number(what, 1, 9_999)}
    elif must or words.has_dice():
        much = {"dice": read_dice(words, what)}
    else:
        return {}
    kind = words.take(*reading.ctx.tables.damage_types) if must else ""
    return much | ({"type": kind} if kind else {})


def afflict(
    ctx: Context,
    by: str,
    target: str,
    inflicted: Inflicts,
    lay: Callable[[Context, str, Sequence[Affliction], Placing], object],
) -> None:
    """Let somebody inflict all of it on a target, as the game lays what ends together; nothing on
    the dead. Whoever is prone doesn't fall again: what ends as its row says is laid once."""
    each = (Inflicted(row) if isinstance(row, str) else row for row in inflicted)
    for (until, of_source), alike in groupby(each, lambda one: (one.until, one.of_source)):
        who, placing = ctx.state[target], Placing(until, of_source, by)
        rows = list(alike) if who.life != "dead" else []
        for one in (one for one in rows if one.own):
            own_effects.lay_bane(ctx, who, one.name, until_for(_USUAL, ctx, target, placing), by)
        new = [one for one in rows if not one.own and (until or not _stays(ctx, who, one))]
        if new:
            lay(ctx, target, new, placing)


def one_by_one(
    lay: Callable[[Context, str, Affliction, Placing], object],
) -> Callable[[Context, str, Sequence[Affliction], Placing], None]:
    """How a game lays what ends together (`afflict`): each by itself."""

    def lay_all(ctx: Context, who: str, what: Sequence[Affliction], placing: Placing) -> None:
        for one in what:
            lay(ctx, who, one, placing)

    return lay_all


def _stays(ctx: Context, who: Combatant, one: Affliction) -> bool:
    """Whether somebody has it already, until what its row says."""
    return who.named(one.name) is not None and bool(rule_of(ctx.tables, one.name).until)


# -- a power that a sheet names --------------------------------------------------------------------


def from_rows(reads: Callable[[Reading, str], Any]) -> Callable[[Reading, str], Any]:
    """How a sheet reads a power: one of the tables' rows, or several, which it names by their ids,
    as these say it, with what else is said behind it; any other as it is said."""

    def read(reading: Reading, name: str) -> Any:
        words, rows = reading.words, reading.ctx.tables.powers
        words.offered += rows if words.done else ()
        first, *more = words.peek().split(",")
        if all(key in rows for key in (first, *more)):
            words.next("a power")
            others = [Word(word) for key in more for word in (name, key)]
            words.insert([*_as_said(first, rows[first]), *others])
        return reads(reading, name)

    return read


def _as_said(key: str, row: Mapping[str, Any]) -> list[Word]:
    """A row as a sheet says it: its name, its roll and its dice, and whatever else it has."""
    name = quoted(row.get("name", key.replace("-", " ").title()))
    attack = split_words(str(row.get("attack", "")))
    text = [Word("text"), quoted(row["text"])] if "text" in row else []
    return [name, *attack, *words_of_row(row, ("name", "attack", "text")), *text]


def on_sheets(name: str, made: type[Struct], usage: str, stat: str) -> sheets.Row:
    """The powers of a sheet, as often as there are some: what a struct declares, or a row's id."""
    row = sheets.attacks(name, made, usage, stat)
    return replace(row, reads=from_rows(row.reads))


def attack_of(power: Any, made: type[_Attack]) -> _Attack:
    """The attack that a power is: what both have alike, with no bonus where none is said."""
    alike = (name for name in made.__struct_fields__ if hasattr(power, name))
    return made(**{name: getattr(power, name) for name in alike} | {"bonus": power.bonus or 0})


# -- among all that can be done --------------------------------------------------------------------


def option(kind: str, power: Any, cost: Cost, reason: str, told: str, brief: str) -> Option:
    """A power among all that can be done, by the technique of that `kind`; `told` is its row."""
    return Option(
        f"{kind} {power.name}",
        cost,
        reason=reason,
        name=power.name,
        text=". ".join(filter(None, (told, power.text))),
        brief=brief,
    )


# -- how often a power can be used -----------------------------------------------------------------

PER = {"fight": "in this fight", "rest": "until a rest", "day": "until a long rest"}
"""For what its uses are, which is the span in which they are counted, and how that is told."""
USES = arguments.clause("uses", arguments.number("its uses", 1, 99))
ITS_PER = arguments.clause("per", arguments.choice("what its uses are for", tuple(PER)))
RECHARGE = arguments.clause("recharge", arguments.number("the lowest d6 that brings it back", 2, 6))
TEXT = arguments.clause("text", arguments.text("what it does", usage='"TEXT"'))
DIE = "1d6"
"""What is rolled for what recharges."""


def why_used_up(who: Combatant, name: str, uses: int, per: str) -> str:
    """Why a power of so many uses can't be used again: "used 1 of 1 in this fight"; else empty."""
    used = uses and who.used(name, per) >= uses
    return f"used {uses} of {uses} {PER[per]}" if used else ""


def why_not_back(who: Combatant, name: str, span: str, least: int, die: str = DIE) -> str:
    """That it is expended until a die brings it back: "expended until a d6 shows 5+"."""
    if not (least and who.used(name, span)):
        return ""
    above = "+" if least < parse_dice(die).maximum else ""
    return f"expended until a {die.removeprefix('1')} shows {least}{above}"


def roll_back(ctx: Context, who: str, name: str, span: str, least: int, die: str = DIE) -> None:
    """Roll for what was used in a span and comes back by a die, `least` or more; it is told."""
    if not (least and ctx.state[who].used(name, span)):
        return
    fell = roll(parse_dice(die), ctx.dice)
    back = fell.total >= least
    why = f"{name} is back" if back else f"{name} is not back yet"
    ctx.emit(Rolled(who, fell.dice, fell.faces, fell.total, fell.total, span, why=why))
    if back:
        ctx.emit(Forgot(who, span))
        tell(ctx, ctx.state[who], why)


def use(ctx: Context, who: Combatant, name: str, text: str = "", span: str = "") -> None:
    """Count a use in its span, where it is counted, and tell the power's text."""
    if span:
        ctx.emit(Used(who.id, name, span))
    tell(ctx, who, text)
    ctx.text = f"{who.name} uses {name}"


def tell(ctx: Context, who: Combatant, text: str) -> None:
    """Say in the log what a power of somebody's does, or that it is back, if there is a text."""
    if text:
        ctx.emit(Noted(f"{who.name}: {text}"))


def refuse(who: Combatant, name: str, reason: str) -> None:
    """Raises Refused where there is a reason: "Mira can't use Undertow: used 1 of 1 ..."."""
    if reason:
        raise Refused(f"{who.name} can't use {name}: {reason}")
