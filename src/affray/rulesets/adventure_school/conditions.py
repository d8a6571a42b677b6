"""Adventure School: conditions, from commands, damage, or combatants' acts.

Adventure School, Fear to Petrification, Immune, Buff, Debuff.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from msgspec.structs import replace

from affray.core.engine import effects
from affray.core.engine.custom_effects import CustomEffect
from affray.core.engine.durations import Until
from affray.core.engine.state import Combatant, Effect
from affray.core.parser.clauses import parse_dice_clause
from affray.core.parser.declarations import ParseState, declare_command
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import Field
from affray.core.rules.ruleset import Context
from affray.core.rules.tables import Tables
from affray.mechanics import conditions, powers, sheet as shared_sheet
from affray.mechanics.conditions import DurationRules
from affray.mechanics.stats import Force
from affray.rulesets.adventure_school import sheet
from affray.rulesets.adventure_school.stats import GRABBED

BURNING, ONGOING, CHARMED, TAUNTED = "burning", "ongoing", "charmed", "taunted"
REGENERATION, FLYING, FALLING, MODIFIER = "regeneration", "flying", "falling", "modifier"
PRONE, IMMOBILIZED = "prone", "immobilized"
IMMUNE = "immune"
AGAINST = ("resist", "weak", IMMUNE, "absorb")
"""The effects against a type of damage; `immune` also against a condition."""
LASTING = DurationRules({"long-rest": Until("long-rest")})
"""How long effects last: as in all games, or until a long rest; by default until removed."""
PLACED = conditions.until_arg(LASTING)


# -- laying ----------------------------------------------------------------------------------------


def kinds_of(combatant: Combatant, stat: str) -> tuple[str, ...]:
    """The types that somebody absorbs, resists, is immune or weak to: by the sheet, and for a
    time."""
    return (
        *shared_sheet.stat_words(combatant, stat),
        *(effect.type for effect in combatant.all_named(stat)),
    )


def can_have(combatant: Combatant, condition: str) -> bool:
    """True if somebody can have an effect: not if immune to it."""
    return condition not in kinds_of(combatant, IMMUNE)


def why_not(ctx: Context, combatant: Combatant, name: str) -> str:
    """The reason why somebody can't get a condition, after their name: `is immune to prone`; empty
    if they can."""
    if not can_have(combatant, name):
        return f"is immune to {name}"
    by = kept_off_by(ctx.tables, effects.effects_in_force(ctx, combatant), name)
    return f"can't be {name}: {effects.effect_name(ctx.tables, by)}" if by else ""


def kept_off_by(tables: Tables, force: Force, name: str) -> str:
    """The active effect that keeps another off (`keeps_off`); empty for none."""
    return next((has for has in force if name in effects.effect_row(tables, has).keeps_off), "")


def apply_condition(ctx: Context, combatant_id: str, spec: effects.EffectSpec) -> Effect | None:
    """Lay one more instance of a condition, until its own end, else that of its row, else until it
    is removed. End effects that it keeps off, and a condition to which it makes immune. None for a
    bearer who can't have it."""
    name = spec.name
    reason = why_not(ctx, ctx.state[combatant_id], name)
    if reason:
        ctx.note(reason, combatant_id)
        return None
    if name == FLYING:
        effects.end_effects_named(ctx, combatant_id, FLYING, "at another height")
    more: dict[str, Any] = {"type": "fire"} if name == BURNING else {}
    if name == TAUNTED and spec.amount:  # of several the worst counts, as of one ability
        more = {"modifiers": {"attack": -spec.amount}, "type": TAUNTED}
    applied = conditions.apply_condition(LASTING, ctx, combatant_id, spec, id=name, **more)
    if name == IMMUNE:
        for effect in ctx.state[combatant_id].all_named(applied.type):
            if effect.because != ctx.state[combatant_id].life:  # what 0 HP do to anybody stays
                effects.remove_effect(ctx, combatant_id, effect.id, f"{IMMUNE} to it")
    return applied


def fall_prone(ctx: Context, combatant_id: str) -> None:
    """Make somebody prone until they stand up; does nothing to the prone."""
    lies = (
        e.until.ends for e in ctx.state[combatant_id].all_named(PRONE) if not (e.hangs or e.because)
    )
    if "removed" not in lies:
        apply_condition(ctx, combatant_id, effects.EffectSpec(PRONE))


def end_charms(ctx: Context, combatant_id: str, by: str) -> None:
    """End charms on somebody whose charmer has attacked or harmed them."""
    for effect in ctx.state[combatant_id].all_named(CHARMED) if by and by != combatant_id else ():
        if effect.source == by:
            effects.remove_effect(
                ctx, combatant_id, effect.id, f"{ctx.state.name(by)} does it harm"
            )


def mind_the_charmer(ctx: Context, combatant_id: str, target: str) -> None:
    """Answer a hostile act against one's charmer with a reminder; the command repeated does it
    (Charm)."""
    charms = ctx.state[combatant_id].all_named(CHARMED)
    if any(effect.source == target for effect in charms):
        name, other = ctx.state.name(combatant_id), ctx.state.name(target)
        ctx.confirm(
            f"{name} is charmed by {other}, and avoids hostile acts: repeat the command to do it "
            "anyway"
        )


apply_all = powers.apply_each(apply_condition)


# -- inflict ---------------------------------------------------------------------------------------


_HOW_MUCH = {
    BURNING: "the fire damage at the end of each turn",
    ONGOING: "the damage at the start of each turn",
    REGENERATION: "the HP at the start of each turn",
    FLYING: "a height in feet",
    FALLING: "a depth in feet",
}
"""The effects that are inflicted with an amount, and how a prompt asks for it."""
_NEED_MORE = (*_HOW_MUCH, *AGAINST)


def conditions_of(tables: Tables) -> list[str]:
    """The conditions that can be inflicted by name alone."""
    return [name for name in sheet.conditions_of(tables) if name not in _NEED_MORE]


def _read_what(reading: ParseState) -> list[effects.EffectSpec]:
    tokens, tables = reading.words, reading.ctx.tables
    word = tokens.take(*_NEED_MORE)
    if word in AGAINST:
        more = sheet.conditions_of(tables) if word == IMMUNE else ()
        kind = tokens.choice(f"the type of {word}", (*tables.damage_types, *more))
        return [effects.EffectSpec(word, type=kind)]
    if word in (BURNING, ONGOING):
        return [_read_harm(reading, word)]
    if word:
        return [effects.EffectSpec(word, tokens.number(_HOW_MUCH[word], 1, 99_999))]
    found = conditions.parse_conditions(tokens, conditions_of(tables), beside=_NEED_MORE)
    if found == [TAUNTED] and tokens.has_number():
        return [effects.EffectSpec(TAUNTED, tokens.number("the penalty", 1, 99))]
    return [effects.EffectSpec(name) for name in found]


def _read_harm(reading: ParseState, name: str) -> effects.EffectSpec:
    """Read an amount of damage, or dice that are rolled each time: `burning 4`, `ongoing 1d6
    acid`."""
    tokens, what = reading.words, _HOW_MUCH[name]
    amount = tokens.number(what, 1) if tokens.has_number() else 0
    dice = "" if amount else parse_dice_clause(tokens, what)
    types = reading.ctx.tables.damage_types
    kind = "fire" if name == BURNING else tokens.choice("a type of damage", types)
    return effects.EffectSpec(name, amount, kind, dice)


_WHAT = conditions.condition_arg(
    _read_what,
    "CONDITION[,CONDITION] | burning AMOUNT | ongoing AMOUNT TYPE | regeneration N | "
    f"taunted [N] | flying FEET | {'|'.join(AGAINST)} TYPE",
    Field("condition"),
)


class InflictArgs(conditions.InflictArgs, frozen=True):
    """The arguments of `inflict`."""

    what: Annotated[conditions.What, _WHAT]
    terms: Annotated[effects.EffectSpec, PLACED] = effects.EffectSpec()


def _inflict(ctx: Context, args: InflictArgs) -> None:
    terms = replace(args.terms, source=args.terms.source or ctx.by)
    applied = [] if isinstance(args.what, CustomEffect) else [one.name for one in args.what]
    if GRABBED in applied and terms.source in ("", *(combatant.id for combatant in args.people)):
        raise Refused(f"a grab needs somebody else: `inflict NAME {GRABBED} from NAME`")
    conditions.inflict_on_all(LASTING, ctx, replace(args, terms=terms), apply_condition)


ROLLS = ("attack", "attacked", "check", "save", "reflex", "initiative")
"""The rolls that can have advantage or disadvantage; `attacked` are rolls to hit the bearer."""
WHAT = (*ROLLS, "damage", "ac", "speed", "threat", "max-hp")
"""The numbers and rolls that a modifier can change."""
OFFERED = (
    "attack", "ac", "save", "check", "damage", "reflex", "speed", "initiative", "attacked",
    "threat", "max-hp",
)  # fmt: skip
"""The same as a prompt offers it, most used first."""


class ModifierArgs(conditions.ModifierArgs, frozen=True):
    """The arguments of `modifier`. Modifiers of one ability don't add up, whoever gives them."""

    what: Annotated[list[str], replace(conditions.TO_WHAT, field=Field("choice", OFFERED))]
    terms: Annotated[effects.EffectSpec, conditions.until_arg(LASTING, "", "used")] = (
        effects.EffectSpec()
    )


_modify = partial(conditions.apply_modifier, LASTING, is_typed=True)
COMMANDS = (
    declare_command(
        "inflict", "inflicts conditions and other effects on somebody", InflictArgs, _inflict, True
    ),
    declare_command(
        "modifier", "gives a bonus or penalty, advantage or disadvantage", ModifierArgs, _modify
    ),
)
