"""Powers of somebody's own, as monsters have: actions, legendary ones, reactions, traits.

    power "Fire Breath" mira,odo

What it costs of the turn and how often it can be used is seen to; its attack is rolled, its damage
dealt, its saves are asked for, what it inflicts is laid, and its text told.
Seed 002: Actions in Combat, Saving Throws; Recharge as of the world's actions.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.state import Combatant, Encounter
from affray.core.language import arguments
from affray.core.language.clauses import names, refuse_dead
from affray.core.language.declared import Argument, Reading
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Option
from affray.core.rules.tables import Tables
from affray.rulekit import powers, recorded, rolls
from affray.rulekit.acts import Now, Pay
from affray.rulesets.level_up import attacks, checks, conditions, damage, dying, economy, world
from affray.rulesets.level_up.attacks import Assault, AttackWords, Made
from affray.rulesets.level_up.sheet import Power, Save, powers_of

POWER = "power"
"""The technique that it is done by."""


def _recharging(power: Power) -> str:
    return f"recharge {power.counted}"


def why_not(who: Combatant, power: Power) -> str:
    """Why somebody can't use it at all now, whatever it costs of a turn."""
    back = powers.why_not_back(who, power.counted, _recharging(power), power.recharge)
    return back or powers.why_used_up(who, power.counted, power.uses, power.per)


def roll_recharges(ctx: Context, who: str) -> None:
    """At the start of a turn: the die that may bring back what recharges."""
    once = {_recharging(power): power for power in reversed(powers_of(ctx.state[who]))}
    for span, power in reversed(once.items()):
        powers.roll_back(ctx, who, power.counted, span, power.recharge)


# -- what is said ----------------------------------------------------------------------------------


def _known(reading: Reading) -> dict[str, Power]:
    return {power.name: power for power in powers_of(reading.ctx.actor())}


def _outcomes(reading: Reading) -> rolls.Outcomes:
    return checks.OUTCOMES if reading.said["power"].bonus is None else checks.ATTACK_OUTCOMES


_PEOPLE = arguments.people("whom it is for", usage="TARGET[,TARGET]", asks="targets?!")
_DICE = Argument(
    lambda r: rolls.read_dice(r.ctx, r.words, _outcomes(r), len(r.said["people"])),
    "OUTCOME",
    lambda r: rolls.is_die(r.words, _outcomes(r)),
    behind="people",
    asks="outcome:success|failure|miss|hit|crit?!",
)
"""How its attack rolls came out, or the targets' saves."""
_CHOICE = replace(
    arguments.one_of(*dying.CHOICES), begins=lambda r: r.said["power"].bonus is not None
)


class PowerWords(AttackWords, frozen=True):
    """What may be said of an attack; `failure` of a power that is none is how a save came out."""

    choice: Annotated[str, _CHOICE] = ""


class Using(Struct, frozen=True):
    power: Annotated[Power, arguments.called("a power of theirs", _known, asks="own")]
    words: Annotated[PowerWords, arguments.words_of(PowerWords, "WORDS")]
    people: Annotated[list[Combatant], _PEOPLE] = []
    dice: Annotated[list[rolls.Die], _DICE] = []
    fallen: Annotated[int | str, arguments.amount_or_dice(usage="AMOUNT")] = ""
    type: Annotated[str, arguments.damage_type(behind="fallen")] = ""
    more: Annotated[tuple[tuple[int | str, str], ...], attacks.MORE] = ()


# -- using it --------------------------------------------------------------------------------------


def use(ctx: Context, said: Using, who: Combatant, pay: Pay) -> None:
    """Use a power: its price is paid, its use counted, its text told; then it does what it does."""
    power = said.power
    powers.refuse(who, power.name, why_not(who, power))
    refuse_dead(said.people)
    if power.legendary or power.takes != "trait":
        pay(power.cost)
    if power.recharge:
        powers.use(ctx, who, power.counted, span=_recharging(power))
    if power.uses:
        powers.use(ctx, who, power.counted, span=power.per)
    powers.use(ctx, who, power.name, power.text)
    if not said.people:
        return
    if power.bonus is not None:
        _attack(ctx, said, who)
    else:
        _reach(ctx, said, who)
        ctx.text = f"{who.name} uses {power.name} on {names(said.people)}"


def _attack(ctx: Context, said: Using, who: Combatant) -> None:
    """Attack each of its targets; the damage falls once for all that are hit (rules file, 4.10)."""
    if not said.dice and who.kind == "pc":
        raise Refused(f"how did {said.power.name} come out: {checks.ATTACK_OUTCOMES.listed}")
    dice = said.dice or [rolls.unsaid(ctx) for _ in said.people]
    made, told = Made(said.power.name, said.power.attack, power=True), []
    for target, die in zip(said.people, dice, strict=True):
        assault = Assault(target, die, said.words, said.fallen, said.type, said.more)
        fell = attacks.attack(ctx, ctx.state[who.id], assault, made, lambda *_: None)
        made = replace(made, fell=fell)
        told.append(ctx.text)
    ctx.text = "; ".join(told)


def _reach(ctx: Context, said: Using, who: Combatant) -> None:
    """What needs no attack roll reaches all its targets; what a save keeps off, those who fail.

    What was called out is the damage that the save is about, where there is one.
    """
    power, save = said.power, said.power.save
    if save is None and said.dice:
        raise Refused(f"{power.name}: nothing is rolled against it")
    if save is not None and said.more:
        raise Refused(f"{power.name}: the save is about damage of one type")
    called = (said.fallen, said.type, said.more) if save is None else ()
    parts = attacks.parts_of(ctx, who.id, power.attack, *called)
    fell = 0
    if save is not None:
        _refuse_of_saves(said, save)
        much = save.dice if said.fallen == "" else said.fallen
        fell = damage.fell(ctx, who.id, much, save.type)
    for index, target in enumerate(said.people):
        if parts:
            damage.deal(ctx, target.id, damage.Blow(parts))
        powers.afflict(ctx, who.id, target.id, power.inflicts, conditions.lay_all)
        if save is not None:
            die = said.dice[index] if said.dice else None
            conditions.ask_save(ctx, who.id, target.id, power.name, save, fell, said.words, die)


def _refuse_of_saves(said: Using, save: Save) -> None:
    """Raises Refused for total cover, and for what is said of saves that wait for their dice."""
    if said.words.cover == checks.TOTAL_COVER:
        raise Refused("behind total cover nobody can be targeted; of an area's save it isn't said")
    wait = not said.dice and all(who.kind == "pc" for who in said.people)
    if wait and said.words != PowerWords():
        word = f"`withstand {said.people[0].id} ...`"
        raise Refused(f"the {save.ability} save waits for its die: say of it then, {word}")


# -- among all that can be done --------------------------------------------------------------------


def own(tables: Tables, state: Encounter, who: Combatant) -> list[Option]:
    """Every power of its own, or all that the world can do: its cost, and why it can't be used."""
    if who is world.here(state):
        return list(world.options(tables, state))
    now, row = Now(tables, state, who), powers_of(who)
    return [_option(now, power) for power in row] if "action" in who.tracks else []


def _option(now: Now, power: Power) -> Option:
    is_trait = power.takes == "trait" and not power.legendary
    paid = "" if is_trait else economy.ECONOMY.why_not(now, POWER, power.cost)
    often = f"recharge {power.recharge}" if power.recharge else ""
    brief = often or (f"×{power.uses}" if power.uses else "trait" if is_trait else "")
    told = recorded.in_words(power, ("name", "text"))
    reason = why_not(now.who, power) or paid
    return powers.option(POWER, power, power.cost, reason, told, brief)
