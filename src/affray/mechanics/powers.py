"""Attacks and powers on a combatant's sheet: effects of a hit, and how often a power is usable.

    attack bite +7 2d6+4 piercing plus 1d8 fire inflicts grappled,prone user-end
    power "Fire Breath" recharge 5 save dex dc 14 8d6 fire half inflicts blinded for 2 turns

A game declares in the structs of its sheet which of these it has:

    plus: Annotated[tuple[ExtraDamage, ...], powers.PLUS] = ()
    inflicts: Annotated[powers.Inflicts, powers.inflicts_arg(("ongoing",))] = ()
    uses: Annotated[int, powers.USES] = 0
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import groupby
from operator import add
from typing import Any, TypeVar

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from affray.core.dice import parse_dice, roll
from affray.core.engine import custom_effects
from affray.core.engine.durations import Until, Whose
from affray.core.engine.effects import EffectSpec, row_end
from affray.core.engine.events import NoteAdded, Rolled, UseCounted, UsesReset
from affray.core.engine.state import Combatant, Duration
from affray.core.formatting.media import Notation
from affray.core.parser import arguments
from affray.core.parser.arguments import Choices
from affray.core.parser.clauses import parse_dice_clause
from affray.core.parser.declarations import Argument, ParseState
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import ANY_MORE
from affray.core.parser.tokens import Token, quote_token, tokenize, words_of_row
from affray.core.rules.ruleset import AvailableAction, Context
from affray.mechanics import sheet
from affray.mechanics.actions import Cost
from affray.mechanics.conditions import DurationRules, parse_end, resolve_end

_Attack = TypeVar("_Attack", bound=Struct)

# -- what a hit brings beside its damage -----------------------------------------------------------


class ExtraDamage(Struct, frozen=True, array_like=True):
    """Damage of another type on top: `plus 1d8 fire`."""

    dice: str
    type: str = ""

    def in_words(self, how: Notation) -> str:
        """The words of sheets."""
        return f"{how.dice(self.dice)} {self.type}".rstrip()


def own_damage(row: Any) -> tuple[tuple[str, str], ...]:
    """The damage that a row of the sheet deals: its dice, and those of other types on top."""
    plus = ((part.dice, part.type) for part in getattr(row, "plus", ()))
    return (*(((row.dice, row.type),) if row.dice else ()), *plus)


def parse_damage_part(reading: ParseState) -> list[str]:
    """Read dice of damage, with their type if there is one: `1d8 fire`."""
    dice = parse_dice_clause(reading.words, "the damage dice")
    kind = arguments.damage_type_arg().read(reading)
    return [dice, kind] if kind else [dice]


PLUS = arguments.keyword_arg(
    "plus", Argument(lambda r: [parse_damage_part(r)], "DICE [TYPE]", field=ANY_MORE), add
)
"""Damage of other types on top, any number of times."""
ALSO = arguments.keyword_arg(
    "also", Argument(lambda r: [parse_damage_part(r)], "DICE [TYPE]", field=ANY_MORE), add
)
"""Damage of other types that a save is about as well."""


class SheetCondition(Struct, frozen=True, omit_defaults=True):
    """A condition that a sheet's attack or power inflicts, as the log has it.

    A turn in `until` is the `count`th next one of the bearer; with `of_source`, of the attacker.
    With `own` it is a custom effect.
    """

    name: str
    amount: int = 0
    type: str = ""
    dice: str = ""
    until: Duration | None = None
    of_source: bool = False
    own: bool = False

    def spec(self, source: str = "") -> EffectSpec:
        """The effect that it leaves on somebody, as from `source`."""
        end = self.until
        of: Whose = "source" if self.of_source else "bearer"
        until = None
        if end:
            until = Until(end.ends, of, end.who, end.edge, end.count or 1, end.says, end.most)
        return EffectSpec(self.name, self.amount, self.type, self.dice, until, source)

    def __str__(self) -> str:
        """The words of sheets: `slowed save-ends`."""
        spec = self.spec()
        name = f'"{self.name}"' if self.own else str(spec)
        return f"{name} {spec.until}" if spec.until else name


def _until_fields(until: Until | None) -> dict[str, Any]:
    if until is None:
        return {}
    whose = {"of_source": True} if until.of == "source" else {}
    return {"until": to_builtins(until.unresolved()), **whose}


Inflicts = tuple[str | SheetCondition, ...]
"""The conditions that an attack or power inflicts; the log holds a bare name as a word."""


def _applicable_effects(reading: ParseState) -> Iterable[str]:
    return reading.ctx.ruleset.actions.row_effects(reading.ctx.tables)


_USUAL = DurationRules()


def inflicts_arg(
    amounts: Collection[str] = (),
    may_say: Collection[str] = (),
    list_conditions: Choices = _applicable_effects,
    lasting: DurationRules = _USUAL,
    word: str = "inflicts",
) -> Argument:
    """Declare `inflicts CONDITION[,CONDITION] [END]`, which may be repeated.

    A name in quotes is a custom effect.

    Args:
        amounts: The conditions with an amount and a type: `ongoing 1d6 fire`.
        may_say: The conditions that may have a number.
        lasting: The game's words for ends.
        word: The word that begins it.
    """
    row = arguments.choices_arg("a condition", list_conditions, "CONDITION")

    def reads(reading: ParseState) -> list[Any]:
        tokens = reading.words
        if custom_effects.stands_next(reading.ctx.tables, tokens):
            names, amounts_read = (
                [custom_effects.CustomEffect(reading.ctx, tokens).name],
                {"own": True},
            )
        elif kind := tokens.take(*amounts, *may_say):
            names, amounts_read = [kind], _read_amount(reading, kind, kind in amounts)
        else:
            names, amounts_read = row.read(reading), {}
        more = amounts_read | _until_fields(parse_end(lasting, reading.ctx, tokens))
        return [{"name": name, **more} if more else name for name in names]

    usage = "|".join(("CONDITION[,CONDITION]", '"NAME"', *(f"{name} AMOUNT" for name in amounts)))
    return arguments.keyword_arg(word, Argument(reads, f"{usage} [END]", field=ANY_MORE), add)


def _read_amount(reading: ParseState, name: str, must: bool) -> dict[str, Any]:
    tokens, what = reading.words, f"the amount of {name}"
    if tokens.has_number():
        amounts: dict[str, Any] = {"amount": tokens.number(what, 1, 9_999)}
    elif must or tokens.has_dice():
        amounts = {"dice": parse_dice_clause(tokens, what)}
    else:
        return {}
    kind = tokens.take(*reading.ctx.tables.damage_types) if must else ""
    return amounts | ({"type": kind} if kind else {})


def apply_inflicted(
    ctx: Context,
    by: str,
    target: str,
    inflicted: Inflicts,
    apply: Callable[[Context, str, Sequence[EffectSpec]], object],
) -> None:
    """Inflict conditions on a target that isn't dead; those of one end are applied together.

    A condition with an end in words, such as prone, isn't applied again while it lasts.
    """
    each = [SheetCondition(row) if isinstance(row, str) else row for row in inflicted]
    for _, alike in groupby(each, lambda one: (one.until, one.of_source)):
        combatant = ctx.state[target]
        rows = list(alike) if combatant.life != "dead" else []
        for spec in (one.spec(by) for one in rows if one.own):
            until = resolve_end(_USUAL, ctx, target, spec)
            custom_effects.apply_bane(ctx, combatant, spec.name, until, by)
        specs = [one.spec(by) for one in rows if not one.own]
        new = [spec for spec in specs if spec.until or not _has_until_text(ctx, combatant, spec)]
        if new:
            apply(ctx, target, new)


def apply_each(
    apply: Callable[[Context, str, EffectSpec], object],
) -> Callable[[Context, str, Sequence[EffectSpec]], None]:
    """Make the function that applies several conditions one by one, for `apply_inflicted`."""

    def apply_all(ctx: Context, combatant_id: str, specs: Sequence[EffectSpec]) -> None:
        for spec in specs:
            apply(ctx, combatant_id, spec)

    return apply_all


def _has_until_text(ctx: Context, combatant: Combatant, spec: EffectSpec) -> bool:
    end = row_end(ctx.tables, spec.name)
    return combatant.named(spec.name) is not None and end is not None and bool(end.text)


# -- a power that a sheet names --------------------------------------------------------------------


def parse_power_rows(reads: Callable[[ParseState, str], Any]) -> Callable[[ParseState, str], Any]:
    """Make the reader of a sheet's powers: one row of the tables, or several by their ids, with
    additions; any other power in full."""

    def read(reading: ParseState, name: str) -> Any:
        tokens, rows = reading.words, reading.ctx.tables.powers
        tokens.offered += rows if tokens.done else ()
        first, *more = tokens.peek().split(",")
        if all(key in rows for key in (first, *more)):
            tokens.next("a power")
            others = [Token(word) for key in more for word in (name, key)]
            tokens.insert([*_power_tokens(first, rows[first]), *others])
        return reads(reading, name)

    return read


def _power_tokens(key: str, row: Mapping[str, Any]) -> list[Token]:
    """Return the words by which a sheet would declare a row's power."""
    name = quote_token(row.get("name", key.replace("-", " ").title()))
    attack = tokenize(str(row.get("attack", "")))
    text = [Token("text"), quote_token(row["text"])] if "text" in row else []
    return [name, *attack, *words_of_row(row, ("name", "attack", "text")), *text]


def power_fields(
    name: str, row_type: type[Struct], usage: str | None, stat: str
) -> sheet.SheetFieldGroup:
    """The powers of a sheet, any number of them: by a struct's fields, or by a row's id."""
    row = sheet.struct_fields(name, row_type, usage, stat)
    return replace(row, reads=parse_power_rows(row.reads))


def power_attack(power: Any, row_type: type[_Attack]) -> _Attack:
    """The attack of a power: the fields that both have, without a bonus if the power has none."""
    alike = (name for name in row_type.__struct_fields__ if hasattr(power, name))
    return row_type(**{name: getattr(power, name) for name in alike} | {"bonus": power.bonus or 0})


# -- among all that can be done --------------------------------------------------------------------


def available_power(
    kind: str, power: Any, cost: Cost, reason: str, text: str, brief: str
) -> AvailableAction:
    """A power as an available action, by the technique of that `kind`; `text` is its row."""
    return AvailableAction(
        f"{kind} {power.name}",
        cost,
        reason=reason,
        name=power.name,
        text=". ".join(filter(None, (text, power.text))),
        brief=brief,
    )


# -- how often a power can be used -----------------------------------------------------------------

PER = {"fight": "in this fight", "rest": "until a rest", "day": "until a long rest"}
"""The period of its uses -> the span in which they are counted, and its words."""
USES = arguments.keyword_arg("uses", arguments.number_arg("its uses", 1, 99))
ITS_PER = arguments.keyword_arg("per", arguments.choice_arg("the period of its uses", tuple(PER)))
RECHARGE = arguments.keyword_arg(
    "recharge", arguments.number_arg("the lowest d6 that recharges it", 2, 6)
)
TEXT = arguments.keyword_arg("text", arguments.text_arg("a description", usage='"TEXT"'))
DIE = "1d6"
"""The die for recharging."""


def why_expended(combatant: Combatant, name: str, uses: int, per: str) -> str:
    """The reason why a power has no uses left: "used 1 of 1 in this fight"; else empty."""
    used = uses and combatant.used(name, per) >= uses
    return f"used {uses} of {uses} {PER.get(per, 'until its next turn')}" if used else ""


def why_not_recharged(
    combatant: Combatant, name: str, span: str, least: int, die: str = DIE
) -> str:
    """The reason why a power waits for its die: "expended until a d6 shows 5 or more"."""
    if not (least and combatant.used(name, span)):
        return ""
    above = " or more" if least < parse_dice(die).highest else ""
    return f"expended until a {die.removeprefix('1')} shows {least}{above}"


def roll_recharge(
    ctx: Context, combatant_id: str, name: str, span: str, least: int, die: str = DIE
) -> None:
    """Roll the recharge of an expended power, which is back at `least` or more; log the result."""
    if not (least and ctx.state[combatant_id].used(name, span)):
        return
    result = roll(parse_dice(die), ctx.dice_of(combatant_id, span))
    back = result.total >= least
    why = f"{name} is back" if back else f"{name} is not back yet"
    ctx.emit(
        Rolled(combatant_id, result.dice, result.faces, result.total, result.total, span, why=why)
    )
    if back:
        ctx.emit(UsesReset(combatant_id, span))
        note_power_use(ctx, ctx.state[combatant_id], why)


def count_use(
    ctx: Context, combatant: Combatant, name: str, text: str = "", span: str = ""
) -> None:
    """Count a use in its span, if uses are limited, and tell the power's text."""
    if span:
        ctx.emit(UseCounted(combatant.id, name, span))
    note_power_use(ctx, combatant, text)
    ctx.text = f"{combatant.name} uses {name}"


def note_power_use(ctx: Context, combatant: Combatant, text: str) -> None:
    """Add a text about a combatant's power to the log, if there is one."""
    if text:
        ctx.emit(NoteAdded(text, combatant.id, aside=True))


def require_usable(combatant: Combatant, name: str, reason: str) -> None:
    """Raises Refused if there is a reason: "Mira can't use Undertow: used 1 of 1 ..."."""
    if reason:
        raise Refused(f"{combatant.name} can't use {name}: {reason}")
