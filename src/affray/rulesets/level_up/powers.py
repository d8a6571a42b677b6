"""Level Up: spells; and powers on a sheet, such as a monster's actions, reactions and traits.

    power "Fire Breath" mira,odo

pays for it and counts its use, rolls its attack, deals its damage, asks for its saves, applies its
conditions, and tells its text.

Seed 002: Actions in Combat, Saving Throws; recharging as of the world's actions.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import DieInput
from affray.core.engine.state import Combatant, Duration, EffectRef, Encounter
from affray.core.parser import arguments
from affray.core.parser.clauses import join_names, require_alive
from affray.core.parser.declarations import Argument, ParseState, fields_behind
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import Field
from affray.core.rules.ruleset import AvailableAction, Context
from affray.core.rules.tables import Tables
from affray.mechanics import checks as shared_checks, powers, sheet
from affray.mechanics.actions import ActorSituation, PayFunction
from affray.mechanics.conditions import begin_effect
from affray.rulesets.level_up import (
    action_economy,
    attacks,
    checks,
    conditions,
    damage,
    dying,
    scene,
)
from affray.rulesets.level_up.attacks import AttackArgs, AttackModifiers, AttackRequest
from affray.rulesets.level_up.sheet import PAID_WITH, Power, Save, powers_of

POWER = "power"
"""The technique that uses a power."""


def _recharging(power: Power) -> str:
    return f"recharge {power.counted}"


def why_not(combatant: Combatant, power: Power) -> str:
    """Why somebody can't use it at all now, whatever it costs of a turn."""
    back = powers.why_not_recharged(combatant, power.counted, _recharging(power), power.recharge)
    return back or powers.why_expended(combatant, power.counted, power.uses, power.per)


def roll_recharges(ctx: Context, combatant_id: str) -> None:
    """At the start of a turn: the die that may bring back what recharges."""
    once = {_recharging(power): power for power in reversed(powers_of(ctx.state[combatant_id]))}
    for span, power in reversed(once.items()):
        powers.roll_recharge(ctx, combatant_id, power.counted, span, power.recharge)


# -- what is said ----------------------------------------------------------------------------------


def _powers_by_name(reading: ParseState) -> dict[str, Power]:
    return {power.name: power for power in powers_of(reading.ctx.actor())}


def _outcomes(reading: ParseState) -> shared_checks.OutcomeWords:
    return checks.OUTCOMES if reading.values["power"].bonus is None else checks.ATTACK_OUTCOMES


_PEOPLE = arguments.combatants_arg(
    "whom it is for", usage="TARGET[,TARGET]", field=Field("targets", optional=True, asked=True)
)
_DICE = Argument(
    lambda r: shared_checks.parse_dice_inputs(r.words, _outcomes(r), len(r.values["people"])),
    "OUTCOME",
    lambda r: shared_checks.is_die_input(r.words, _outcomes(r)),
    requires="people",
    field=Field(
        "outcome", ("success", "failure", "miss", "hit", "crit"), optional=True, asked=True
    ),
)
"""How its attack rolls came out, or the targets' saves."""
_CHOICE = replace(
    arguments.anywhere_choice_arg(*dying.CHOICES),
    begins=lambda r: r.values["power"].bonus is not None,
)


class PowerModifiers(AttackModifiers, frozen=True):
    """The options of an attack; for a power without one, `failure` is the outcome of a save."""

    choice: Annotated[str, _CHOICE] = ""


class PowerArgs(Struct, frozen=True):
    power: Annotated[
        Power, arguments.custom_name_arg("a power of theirs", _powers_by_name, field=Field("own"))
    ]
    words: Annotated[
        PowerModifiers, arguments.keyword_args(PowerModifiers, "WORDS", is_asked=False)
    ]
    people: Annotated[list[Combatant], _PEOPLE] = []
    dice: Annotated[list[DieInput], _DICE] = []
    amount_rolled: Annotated[int | str, arguments.damage_arg("AMOUNT", field=None)] = ""
    type: Annotated[str, arguments.damage_type_arg(requires="amount_rolled")] = ""
    more: Annotated[tuple[tuple[int | str, str], ...], attacks.MORE] = ()


# -- using it --------------------------------------------------------------------------------------


def use(ctx: Context, args: PowerArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Use a power: pay for it, count the use, log its text, and apply its effects."""
    power = args.power
    powers.require_usable(combatant, power.name, why_not(combatant, power))
    require_alive(args.people)
    if power.legendary or power.takes != "trait":
        pay(power.cost)
    if power.recharge:
        powers.count_use(ctx, combatant, power.counted, span=_recharging(power))
    if power.uses:
        powers.count_use(ctx, combatant, power.counted, span=power.per)
    powers.count_use(ctx, combatant, power.name, power.text)
    if not args.people:
        return
    if power.bonus is not None:
        _attack(ctx, args, combatant)
    else:
        _reach(ctx, args, combatant)
        ctx.text = f"{combatant.name} uses {power.name} on {join_names(args.people)}"


def _attack(ctx: Context, args: PowerArgs, combatant: Combatant) -> None:
    """Attack each of its targets; the damage falls once for all that are hit (rules file, 4.10)."""
    if not args.dice and combatant.kind == "pc":
        raise Refused(f"how did {args.power.name} come out: {checks.ATTACK_OUTCOMES.listed}")
    dice = args.dice or [
        shared_checks.left_to_program(ctx, combatant.id, target.id) for target in args.people
    ]
    request, sentences = AttackRequest(args.power.name, args.power.attack, power=True), []
    for target, die in zip(args.people, dice, strict=True):
        assault = AttackArgs(target, die, args.words, args.amount_rolled, args.type, args.more)
        amounts_rolled = attacks.attack(
            ctx, ctx.state[combatant.id], assault, request, lambda *_: None
        )
        request = replace(request, amounts_rolled=amounts_rolled)
        sentences.append(ctx.text)
    ctx.text = "; ".join(sentences)


def _reach(ctx: Context, args: PowerArgs, combatant: Combatant) -> None:
    """What needs no attack roll reaches all its targets; what a save keeps off, those who fail.

    What was called out is the damage that the save is about, where there is one.
    """
    power, save = args.power, args.power.save
    if save is None and args.dice:
        raise Refused(f"{power.name}: nothing is rolled against it")
    if save is not None and args.more:
        raise Refused(f"{power.name}: the save is about damage of one type")
    called = (args.amount_rolled, args.type, args.more) if save is None else ()
    parts = attacks.parts_of(ctx, combatant.id, power.attack, *called)
    amount_rolled = 0
    if save is not None:
        _refuse_of_saves(args, save)
        amount = save.dice if args.amount_rolled == "" else args.amount_rolled
        amount_rolled = damage.damage_as_rolled(ctx, combatant.id, amount, save.type)
    for index, target in enumerate(args.people):
        if parts:
            damage.deal(ctx, target.id, damage.DamageInstance(parts))
        powers.apply_inflicted(ctx, combatant.id, target.id, power.inflicts, conditions.apply_all)
        if save is not None:
            die = args.dice[index] if args.dice else None
            conditions.ask_save(
                ctx, combatant.id, target.id, power.name, save, amount_rolled, args.words, die
            )


def _refuse_of_saves(args: PowerArgs, save: Save) -> None:
    """Raises Refused for total cover, and for options of saves that wait for their dice."""
    if args.words.cover == checks.TOTAL_COVER:
        raise Refused("behind total cover nobody can be targeted; of an area's save it isn't said")
    wait = not args.dice and all(combatant.kind == "pc" for combatant in args.people)
    if wait and args.words != PowerModifiers():
        word = f"`withstand {args.people[0].id} ...`"
        raise Refused(f"the {save.ability} save waits for its die: say of it then, {word}")


# -- among all that can be done --------------------------------------------------------------------


def own_powers(tables: Tables, state: Encounter, combatant: Combatant) -> list[AvailableAction]:
    """Every power of its own, or all that the world can do: its cost, and why it can't be used."""
    if combatant is scene.world_combatant(state):
        return list(scene.options(tables, state))
    now, row = ActorSituation(tables, state, combatant), powers_of(combatant)
    return [_option(now, power) for power in row] if "action" in combatant.tracks else []


def _option(now: ActorSituation, power: Power) -> AvailableAction:
    is_trait = power.takes == "trait" and not power.legendary
    paid = "" if is_trait else action_economy.ECONOMY.why_not(now, POWER, power.cost)
    often = f"recharge {power.recharge}" if power.recharge else ""
    brief = often or (f"×{power.uses}" if power.uses else "trait" if is_trait else "")
    text = sheet.format_row(power, ("name", "text"))
    reason = why_not(now.who, power) or paid
    return powers.available_power(POWER, power, power.cost, reason, text, brief)


# -- spells ----------------------------------------------------------------------------------------

CONCENTRATING = "concentrating"
_TAKES = arguments.anywhere_choice_arg(
    *PAID_WITH, field=Field("choice", ("bonus", "reaction", "none"))
)
_CONCENTRATION = Field("choice", ("concentration",))
_AT = arguments.keyword_arg(
    "at", arguments.struct_arg(AttackArgs), field=fields_behind("at", AttackArgs)
)


class CastArgs(Struct, frozen=True):
    spell: Annotated[str, arguments.phrase_arg("the spell", "SPELL", Field("spell"))]
    takes: Annotated[str, _TAKES] = ""
    concentration: Annotated[bool, arguments.flag_arg(field=_CONCENTRATION)] = False
    at: Annotated[AttackArgs | None, _AT] = None


def cast(ctx: Context, args: CastArgs, combatant: Combatant, pay: PayFunction) -> None:
    """A spell, with an attack roll if it is one (rules file, 3.2)."""
    pay_for_it = partial(pay, PAID_WITH.get(args.takes))
    if args.at is None:
        pay_for_it()
        ctx.text = f"{combatant.name} casts {args.spell}"
    else:
        request = attacks.with_spell(combatant, args.at, args.spell)
        attacks.attack(ctx, combatant, args.at, request, pay_for_it)
    if args.concentration:
        concentrate(ctx, combatant.id, args.spell)


def concentrate(
    ctx: Context,
    combatant_id: str,
    spell: str,
    until: Duration | None = None,
    attached_to: EffectRef | None = None,
) -> None:
    """Begin to concentrate on a spell, until that end, or while the effect `attached_to` lasts."""
    until = until or Duration(says="it stops")
    begin_effect(ctx, combatant_id, CONCENTRATING, until, attached_to, note=spell)
