"""Powers on a sheet of a game on the SRD, such as a monster's actions, reactions and traits.

    power "Fire Breath" mira,odo

pays for it and counts its use, rolls its attack, deals its damage, asks for its saves, applies its
conditions, and tells its text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Protocol

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import DieInput
from affray.core.engine.state import Combatant, Duration, EffectRef, Encounter
from affray.core.formatting.media import Notation
from affray.core.parser import arguments
from affray.core.parser.clauses import join_names, require_alive
from affray.core.parser.declarations import Argument, ParseState
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import Field
from affray.core.parser.tokens import TokenStream
from affray.core.rules.ruleset import AvailableAction, Context
from affray.core.rules.tables import Tables
from affray.mechanics import checks as shared_checks, powers, saves, sheet
from affray.mechanics.actions import ActorSituation, PayFunction
from affray.mechanics.conditions import begin_effect
from affray.rulesets.srd import attacks, checks, conditions, damage
from affray.rulesets.srd.attacks import AttackArgs, AttackModifiers, AttackRequest
from affray.rulesets.srd.rules import AnyRules, rules_of
from affray.rulesets.srd.sheet import Power, Save

POWER = "power"
"""The technique that uses a power."""


def _recharging(power: Power) -> str:
    return f"recharge {power.counted}"


def why_not(combatant: Combatant, power: Power) -> str:
    """The reason why somebody can't use a power now, its cost aside."""
    back = powers.why_not_recharged(combatant, power.counted, _recharging(power), power.recharge)
    return back or powers.why_expended(combatant, power.counted, power.uses, power.per)


def roll_recharges(ctx: Context, combatant_id: str) -> None:
    """Roll the dice that may bring back powers with recharge, at a turn's start."""
    own = rules_of(ctx).powers_of(ctx.state[combatant_id])
    once = {_recharging(power): power for power in reversed(own)}
    for span, power in reversed(once.items()):
        powers.roll_recharge(ctx, combatant_id, power.counted, span, power.recharge)


# -- what is said ----------------------------------------------------------------------------------


def _powers_by_name(reading: ParseState) -> dict[str, Power]:
    return {power.name: power for power in rules_of(reading.ctx).powers_of(reading.ctx.actor())}


def _outcomes(reading: ParseState) -> shared_checks.OutcomeWords:
    return checks.OUTCOMES if reading.values["power"].bonus is None else checks.ATTACK_OUTCOMES


def with_later(outcomes: shared_checks.OutcomeWords) -> shared_checks.OutcomeWords:
    """The words of an attack roll, or those of saves, with `later` for one to come."""
    return saves.with_later(outcomes) if outcomes == checks.OUTCOMES else outcomes


def read_outcomes(
    tokens: TokenStream, outcomes: shared_checks.OutcomeWords, count: int
) -> list[DieInput | None]:
    """Read the dice of a number of attack rolls, or of saves."""
    if outcomes == checks.OUTCOMES:
        return saves.read_dice(tokens, outcomes, count)
    return [*shared_checks.parse_dice_inputs(tokens, outcomes, count)]


PEOPLE = arguments.combatants_arg(
    "the combatants it is for",
    usage="TARGET[,TARGET]",
    field=Field("targets", optional=True, asked=True),
)
OUTCOME_FIELD = Field(
    "outcome", ("success", "failure", "miss", "hit", "crit"), optional=True, asked=True
)
_DICE = Argument(
    lambda r: read_outcomes(r.words, _outcomes(r), len(r.values["people"])),
    "OUTCOME",
    lambda r: shared_checks.is_die_input(r.words, with_later(_outcomes(r))),
    requires="people",
    field=OUTCOME_FIELD,
)
"""How its attack rolls came out, or the targets' saves."""


class Harmful(Protocol):
    """The harmful part of a power or a spell."""

    @property
    def bonus(self) -> int | None:
        """The attack bonus; None without an attack."""

    @property
    def dice(self) -> str:
        """The dice of its damage."""

    @property
    def save(self) -> Save | None:
        """The save that it asks for."""


def may_hurt(power: Harmful) -> bool:
    """True unless its effects are known, and none hurts, such as a save against conditions."""
    save = power.save
    if power.bonus is not None or power.dice or save is None:
        return True
    return bool(save.dice or save.half or save.also) or not save.inflicts


def amount_of(does: Callable[[ParseState], bool]) -> Argument:
    """Declare the damage of something harmful; commands may give it even if none is known."""
    damage = arguments.damage_arg("AMOUNT")
    return replace(damage, stands=lambda r: (not r.words.done or does(r)) and damage.stands(r))


class PowerArgs(Struct, frozen=True):
    """The arguments of `power`; a game declares the type of its `words`."""

    power: Annotated[
        Power, arguments.custom_name_arg("one of their powers", _powers_by_name, field=Field("own"))
    ]
    words: Annotated[
        AttackModifiers, arguments.keyword_args(AttackModifiers, "WORDS", is_asked=False)
    ]
    people: Annotated[list[Combatant], PEOPLE] = []
    dice: Annotated[list[DieInput | None], _DICE] = []
    amount_rolled: Annotated[int | str, amount_of(lambda r: may_hurt(r.values["power"]))] = ""
    type: Annotated[str, arguments.damage_type_arg(requires="amount_rolled")] = ""
    more: Annotated[tuple[tuple[int | str, str], ...], attacks.MORE] = ()


# -- using it --------------------------------------------------------------------------------------


def use(ctx: Context, args: PowerArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Use a power: pay for it, count the use, log its text, and apply its effects."""
    power = args.power
    powers.require_usable(combatant, power.name, why_not(combatant, power))
    require_alive(args.people)
    if power.legendary or power.takes != "trait":
        pay(rules_of(ctx).cost_of(ctx.state, power))
    if power.recharge:
        powers.count_use(ctx, combatant, power.counted, span=_recharging(power))
    if power.uses:
        powers.count_use(ctx, combatant, power.counted, span=power.per)
    powers.count_use(ctx, combatant, power.name, power.text)
    if args.people:
        reach_targets(ctx, args, combatant, power)


def reach_targets(
    ctx: Context, args: PowerArgs, combatant: Combatant, power: Power, cast: bool = False
) -> None:
    """Apply a power that is paid for to its targets; a spell is `cast`."""
    if power.bonus is not None:
        _attack(ctx, args, combatant, power, cast)
    else:
        _reach(ctx, args, combatant, power)
        does = "casts" if cast else "uses"
        ctx.text = f"{combatant.name} {does} {power.name} on {join_names(args.people)}"


def _attack(ctx: Context, args: PowerArgs, combatant: Combatant, power: Power, cast: bool) -> None:
    """Attack each of its targets; damage is rolled once for all that are hit."""
    if not args.dice and combatant.kind == "pc":
        raise Refused(f"give the outcome of {power.name}: {checks.ATTACK_OUTCOMES.listed}")
    dice: Sequence[DieInput | None] = args.dice or [
        shared_checks.left_to_program(ctx, combatant.id, target.id) for target in args.people
    ]
    request, sentences = AttackRequest(power.name, power.attack, power=True, cast=cast), []
    missed = [die is not None and die.outcome in attacks.MISSES for die in dice]
    for index, (target, die) in enumerate(zip(args.people, dice, strict=True)):
        asks = all(missed) or not missed[index]  # of several, whoever is missed needs no die
        own = args.words.withstand[index : index + 1] if asks else ()
        words = replace(args.words, withstand=own)
        die = die or DieInput()
        assault = AttackArgs(target, die, words, args.amount_rolled, args.type, args.more)
        amounts_rolled = attacks.attack(
            ctx, ctx.state[combatant.id], assault, request, lambda *_: None
        )
        request = replace(request, amounts_rolled=amounts_rolled)
        sentences.append(ctx.text)
    ctx.text = "; ".join(sentences)


def _reach(ctx: Context, args: PowerArgs, combatant: Combatant, power: Power) -> None:
    """The targets that a power affects: all without an attack roll, those who failed with a save.

    What was called is the damage that the save is about, if there is one.
    """
    save = power.save
    if args.words.withstand:
        raise Refused(
            f"{power.name} needs no attack roll: give the saves' outcomes after the names"
        )
    if save is None and args.dice:
        raise Refused(f"{power.name}: nothing is rolled against it")
    if save is not None and len(args.more) >= len(save.damage):
        types = "one type" if not save.also else f"{len(save.damage)} types"
        raise Refused(f"{power.name}: the save takes damage of {types}")
    if save is not None:
        save = save.of_types(args.type, *(kind for _, kind in args.more))
    called = (args.amount_rolled, args.type, args.more) if save is None else ()
    parts = attacks.parts_of(ctx, combatant.id, power.attack, *called)
    amounts: list[int] = []
    if save is not None:
        _refuse_of_saves(ctx, args, combatant.id)
        given = (args.amount_rolled, *(amount for amount, _ in args.more))
        is_called = given[0] != ""
        if is_called or not _is_kept_off(ctx, args, save):
            amounts = conditions.roll_amounts(ctx, combatant.id, save, given if is_called else ())
    for index, target in enumerate(args.people):
        if parts:
            damage.deal(ctx, target.id, damage.DamageInstance(parts))
        rules_of(ctx).apply_inflicted(ctx, combatant.id, target.id, power.name, power.inflicts)
        if save is not None:
            die = args.dice[index] if args.dice else None
            conditions.ask_save(
                ctx, combatant.id, target.id, power.name, save, amounts, args.words, die
            )


def _is_kept_off(ctx: Context, args: PowerArgs, save: Save) -> bool:
    """True if everybody's save is called, and none of these lets any damage through: nobody has
    to roll it then."""
    share, outcomes = rules_of(ctx).share_of_save, [die.outcome if die else "" for die in args.dice]
    return bool(outcomes) and all(
        outcome in checks.OUTCOMES.means and not share(ctx.state[target.id], save, outcome)
        for target, outcome in zip(args.people, outcomes, strict=True)
    )


def _refuse_of_saves(ctx: Context, args: PowerArgs, by: str) -> None:
    """Raises Refused for total cover, and for options of saves that wait for their dice."""
    if args.words.cover == checks.TOTAL_COVER:
        raise Refused("total cover prevents targeting; don't give it for an area's save")
    if not rules_of(ctx).says_nothing(args.words):
        saves.refuse_terms(ctx, args.people, args.dice, by)


# -- among all that can be done --------------------------------------------------------------------


def own_powers(
    rules: AnyRules, tables: Tables, state: Encounter, combatant: Combatant, how: Notation
) -> list[AvailableAction]:
    """Every power of its own: its cost, and why it can't be used."""
    now = ActorSituation(tables, state, combatant)
    if combatant.tracks.keys().isdisjoint(rules.acts_with):
        return []
    return [_option(rules, now, power, how) for power in rules.powers_of(combatant)]


def _option(rules: AnyRules, now: ActorSituation, power: Power, how: Notation) -> AvailableAction:
    is_trait = power.takes == "trait" and not power.legendary
    cost = rules.cost_of(now.state, power)
    paid = "" if is_trait else rules.economy.why_not(now, POWER, cost)
    often = f"recharge {power.recharge}" if power.recharge else ""
    brief = often or (f"×{power.uses}" if power.uses else "trait" if is_trait else "")
    text = sheet.format_row(power, ("name", "text"), how)
    reason = why_not(now.who, power) or paid
    return powers.available_power(POWER, power, cost, reason, text, brief)


# -- concentration ---------------------------------------------------------------------------------

CONCENTRATING = "concentrating"


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
