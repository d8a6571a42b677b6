"""5e: casting spells: slots, attacks, areas and saves; and descriptions of powers.

SRD 5.2.1, Concentration, Casting Spells, Monsters.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import DieInput
from affray.core.engine.events import CostPaid, UseCounted
from affray.core.engine.state import Combatant
from affray.core.parser import arguments
from affray.core.parser.declarations import (
    Argument,
    ParseState,
    arguments_usage,
    fields_behind,
    read_within,
)
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import ANY_MORE, ANYONE, Field
from affray.core.parser.spelling import called_so
from affray.core.rules.ruleset import Context
from affray.mechanics import actions, checks as shared_checks, powers as shared_powers
from affray.mechanics.actions import PayFunction
from affray.rulesets.fifth import action_economy, attacks, conditions, lairs, spell_rows
from affray.rulesets.fifth.action_economy import in_this_turn
from affray.rulesets.fifth.attacks import AttackModifiers
from affray.rulesets.fifth.sheet import PACT, Power, Save, Spell, is_2014, spells_of
from affray.rulesets.srd import attacks as srd_attacks, powers, sheet as srd_sheet
from affray.rulesets.srd.checks import ATTACK_OUTCOMES, OUTCOMES
from affray.rulesets.srd.sheet import PAID_WITH

CAST = "cast"
_CANTRIP_AFTER, _BONUS_AFTER = "cast a spell", "cast with a bonus action"
"""What is counted in a turn of 2014: any spell but cantrips of an action; one of a bonus action."""


def _may_be_withstood(reading: ParseState) -> bool:
    """True unless no hit is known to ask for a save: a spell may have both on a sheet."""
    if reading.value_of("spell") is None:
        return srd_attacks.may_be_withstood(reading)
    spell = _spell_on_sheet(reading)
    return spell is not None and spell.bonus is not None and spell.save is not None


class PowerModifiers(AttackModifiers, frozen=True):
    """The options of a power's attack, or of the saves that it asks for."""

    withstand: Annotated[
        tuple[DieInput, ...], replace(srd_attacks.WITHSTOOD, offered=_may_be_withstood)
    ] = ()


class PowerArgs(powers.PowerArgs, frozen=True):
    words: Annotated[
        PowerModifiers, arguments.keyword_args(PowerModifiers, "WORDS", is_asked=False)
    ]


def use_power(ctx: Context, args: PowerArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Use a power; a legendary one is counted for the turn, a magical one is magic to save from."""
    power, lair = args.power, lairs.lair_of(ctx.state, combatant)
    if isinstance(power, Power) and power.lair and lair and ctx.state.takes_turn(lair.id):
        economy = action_economy.ECONOMY
        combatant, pay = lair, partial(actions.pay, economy, ctx, lair.id, powers.POWER)
    if isinstance(power, Power) and power.magical:
        args = replace(args, words=replace(args.words, magical=True))
    attacks.require_uncharmed(combatant, args.people, "harm")
    concentrates = isinstance(power, Power) and power.concentration
    if concentrates:  # before it reaches anybody: what it lays ends with it
        concentrate(ctx, combatant.id, power.name)
    powers.use(ctx, args, combatant, pay)
    if concentrates and args.people:
        _tell_if_all_saved(ctx, combatant.id, power)
    if power.legendary and ctx.state.in_combat:
        turn = in_this_turn(ctx.state, action_economy.ONE_LEGENDARY)
        ctx.emit(UseCounted(combatant.id, turn))


def end_other_concentration(ctx: Context, combatant_id: str) -> None:
    """End the old concentration as another spell begins."""
    conditions.end_concentration(ctx, combatant_id, "another spell")


def concentrate(ctx: Context, combatant_id: str, spell: str) -> None:
    """Begin to concentrate, which ends the old concentration."""
    end_other_concentration(ctx, combatant_id)
    powers.concentrate(ctx, combatant_id, spell)


# -- what is said ----------------------------------------------------------------------------------


def spell_of(combatant: Combatant, name: str) -> Spell | None:
    """A spell on somebody's sheet by its name; None for any other."""
    own = {spell.name: spell for spell in reversed(spells_of(combatant))}
    found = called_so(name, own)
    return own[found[-1]] if found else None


def _is_saved(reading: ParseState) -> bool:
    """True if the targets of a spell save against it: as the command says, or the sheet."""
    if (reading.outer or reading).values.get("save") is not None:
        return True
    spell = _spell_on_sheet(reading)
    return spell is not None and spell.save is not None and spell.bonus is None


def _spell_on_sheet(reading: ParseState) -> Spell | None:
    """The spell that a command names, as the actor's sheet has it."""
    outer = reading.outer or reading
    return spell_of(outer.ctx.actor(), str(outer.values["spell"]))


def _outcomes(reading: ParseState) -> shared_checks.OutcomeWords:
    return OUTCOMES if _is_saved(reading) else ATTACK_OUTCOMES


def _is_rolled(reading: ParseState) -> bool:
    """True if prompts offer an outcome: not for a known spell without an attack or a save. A
    command may give it all the same."""
    spell = _spell_on_sheet(reading)
    return _is_saved(reading) or spell is None or spell.is_rolled


_DICE = Argument(
    lambda r: powers.read_outcomes(r.words, _outcomes(r), len(r.values["people"])),
    "OUTCOME",
    lambda r: (
        (not r.words.done or _is_rolled(r))
        and shared_checks.is_die_input(r.words, powers.with_later(_outcomes(r)))
    ),
    field=powers.OUTCOME_FIELD,
)


_WORDS = arguments.keyword_args(PowerModifiers, "WORDS", offered=_is_rolled)


def _may_hurt(reading: ParseState) -> bool:
    """True unless the sheet has the whole spell, and none of it is damage."""
    spell = _spell_on_sheet(reading)
    if (reading.outer or reading).values.get("save") is not None or spell is None:
        return True
    hurts = spell.bonus is not None or spell.dice or (spell.save and spell.save.dice)
    return bool(hurts) if spell_rows.is_name(spell.name) else powers.may_hurt(spell)


class AimArgs(Struct, frozen=True):
    """The words behind `at`: the targets, how it came out for each, and the damage."""

    people: Annotated[list[Combatant], powers.PEOPLE]
    words: Annotated[PowerModifiers, _WORDS]
    dice: Annotated[list[DieInput | None], _DICE] = []
    amount_rolled: Annotated[int | str, powers.amount_of(_may_hurt)] = ""
    type: Annotated[str, arguments.damage_type_arg(requires="amount_rolled")] = ""
    more: Annotated[tuple[tuple[int | str, str], ...], srd_attacks.MORE] = ()


_SLOT = arguments.keyword_arg(
    "slot",
    arguments.number_arg("the slot's level", 1, 9),
    field=Field("number", before="slot", optional=True, asked=True),
)
_TAKES = arguments.anywhere_choice_arg(
    *PAID_WITH, field=Field("choice", ("action", "bonus", "reaction", "none"))
)
_CONCENTRATION = arguments.flag_arg(field=Field("choice", ("concentration",)))
_AT = arguments.keyword_arg(
    "at", arguments.struct_arg(AimArgs), field=fields_behind("at", AimArgs, ("foe", ANYONE))
)

AIMED = Argument(
    lambda r: (r.words.take("at"), read_within(AimArgs, r))[1],
    f"[at] {arguments_usage(AimArgs)}",
    field=ANY_MORE,
)
"""The aim of a readied spell, where `at` may be left out."""


class CastArgs(Struct, frozen=True):
    """`cast SPELL [slot N|pact|ritual] [bonus|reaction|none] [save ...] [at TARGETS ...]`."""

    spell: Annotated[str, arguments.phrase_arg("the spell", "SPELL", Field("spell"))]
    slot: Annotated[int, _SLOT] = 0
    pact: arguments.Flag = False
    ritual: arguments.Flag = False
    takes: Annotated[str, _TAKES] = ""
    concentration: Annotated[bool, _CONCENTRATION] = False
    silent: arguments.Flag = False
    save: Annotated[Save | None, arguments.keyword_arg("save", srd_sheet.said_save_arg(Save))] = (
        None
    )
    at: Annotated[AimArgs | None, _AT] = None


# -- slots -----------------------------------------------------------------------------------------


def slot_for(combatant: Combatant, args: CastArgs, spell: Spell | None) -> str:
    """The track of the slot that a spell takes; empty for none.

    Raises Refused if there is none left, or it is too low.
    """
    level = spell.slot_level if spell is not None else 0
    if args.pact:
        if combatant.number("pact-level") < level:
            raise Refused(f"a pact slot has level {combatant.number('pact-level')}, below {level}")
        return PACT
    if args.slot:
        if spell is not None and args.slot < spell.level:
            raise Refused(
                f"{args.spell} is a level {spell.level} spell: a level {args.slot} slot is too low"
            )
        return f"slots_{args.slot}"
    if spell is None or not level or args.ritual or args.takes == "none":
        return ""
    open_slots = [n for n in range(level, 10) if combatant.track(f"slots_{n}")]
    if not open_slots and combatant.track(PACT) and combatant.number("pact-level") >= level:
        return PACT
    return f"slots_{open_slots[0] if open_slots else level}"


def _counts_slots(ctx: Context, combatant: Combatant) -> bool:
    """True if somebody has one slot in a turn: in a fight, by the rules of 2024."""
    fights = ctx.state.in_combat and not is_2014(ctx.state)
    return fights and "turn_slot" in combatant.tracks


def _require_slot(ctx: Context, combatant: Combatant, track: str) -> None:
    """Raises Refused for a slot that isn't there, or a second one in a turn (ruling 16)."""
    label = ctx.tables.track(track).label
    if not combatant.track(track):
        raise Refused(f"{combatant.name} has no {label} left")
    if _counts_slots(ctx, combatant) and not combatant.track("turn_slot"):
        raise Refused(f"{combatant.name} has used a slot in this turn already")


def _require_bonus_rule(ctx: Context, combatant: Combatant, takes: str, level: int) -> None:
    """Refuse a second spell beside one with a bonus action, unless it is a cantrip with an action
    (rules of 2014). Raises Refused."""
    if not (is_2014(ctx.state) and ctx.state.in_combat) or takes == "none":
        return
    is_plain = takes == "action" and not level
    if takes == "bonus" and combatant.used(in_this_turn(ctx.state, _CANTRIP_AFTER)):
        raise Refused(f"{combatant.name} has cast a spell in this turn that isn't a cantrip")
    if not is_plain and takes != "bonus" and combatant.used(in_this_turn(ctx.state, _BONUS_AFTER)):
        raise Refused(
            f"{combatant.name} has cast with a bonus action: now only cantrips with an action"
        )


# -- casting ---------------------------------------------------------------------------------------


def cast(ctx: Context, args: CastArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Cast a spell: pay for it, roll its attack or ask for its saves, and concentrate."""
    spell = spell_of(combatant, args.spell)
    begin_spell(ctx, args, combatant, spell, pay)
    release_spell(ctx, args, ctx.state[combatant.id], spell)


def begin_spell(
    ctx: Context, args: CastArgs, combatant: Combatant, spell: Spell | None, pay: PayFunction
) -> None:
    """Pay for a spell: its action and its slot. Raises Refused if it can't be cast."""
    takes = args.takes or (spell.takes if spell is not None else "action")
    level = args.slot or (spell.level if spell is not None else 0)
    track = slot_for(combatant, args, spell)
    if track:
        _require_slot(ctx, combatant, track)
    if args.at is not None:
        attacks.require_uncharmed(combatant, args.at.people, "harm")
    _require_bonus_rule(ctx, combatant, takes, level)
    uses = spell.uses if spell is not None and not track and takes != "none" else 0
    if spell is not None and uses:
        why_not = shared_powers.why_expended(combatant, spell.name, uses, spell.per)
        if why_not:
            raise Refused(f"{combatant.name} can't cast {spell.name}: {why_not}")
    pay(None if takes == "action" else PAID_WITH[takes])
    if spell is not None and uses:
        ctx.emit(UseCounted(combatant.id, spell.name, spell.per))
    if track:
        ctx.emit(CostPaid(combatant.id, track, 1, args.spell))
        if _counts_slots(ctx, combatant):
            ctx.emit(CostPaid(combatant.id, "turn_slot", 1, args.spell))
    if ctx.state.in_combat and takes != "none":
        if takes == "bonus":
            ctx.emit(UseCounted(combatant.id, in_this_turn(ctx.state, _BONUS_AFTER)))
        elif level or takes != "action":
            ctx.emit(UseCounted(combatant.id, in_this_turn(ctx.state, _CANTRIP_AFTER)))
    if not is_2014(ctx.state):
        _speak(ctx, args, combatant, spell)


def _speak(ctx: Context, args: CastArgs, combatant: Combatant, spell: Spell | None) -> None:
    """End hiding by a spell with words: as it is cast, or by the rules of 2014 after its effects,
    so that its attack comes from hiding."""
    if not (args.silent or (spell is not None and spell.silent)):
        attacks.leave_hiding(ctx, combatant.id, "it speaks a spell")


def release_spell(ctx: Context, args: CastArgs, combatant: Combatant, spell: Spell | None) -> None:
    """Apply a spell that is paid for."""
    _take_effect(ctx, args, combatant, spell)
    if is_2014(ctx.state):
        _speak(ctx, args, combatant, spell)


def _take_effect(ctx: Context, args: CastArgs, combatant: Combatant, spell: Spell | None) -> None:
    concentrates = args.concentration or (spell is not None and spell.concentration)
    if concentrates:
        concentrate(ctx, combatant.id, args.spell)
    ctx.text = f"{combatant.name} casts {args.spell}"
    if args.at is None:
        return
    power = _as_power(args, combatant, spell)
    aim = args.at
    if power.bonus is not None:
        melee = aim.words.distance == "melee"
        power = replace(power, reach="melee" if melee else "ranged")
    words = replace(aim.words, magical=True)
    sent = PowerArgs(power, words, aim.people, aim.dice, aim.amount_rolled, aim.type, aim.more)
    powers.reach_targets(ctx, sent, ctx.state[combatant.id], power, cast=True)
    if concentrates:
        _tell_if_all_saved(ctx, combatant.id, power)


def _tell_if_all_saved(ctx: Context, combatant_id: str, power: srd_sheet.Power) -> None:
    """Tell that nobody is under what is concentrated on, if it does nothing but that."""
    if power.save is not None and power.save.inflicts and not power.save.dice:
        conditions.tell_if_it_holds_nobody(ctx, combatant_id)


def _as_power(args: CastArgs, combatant: Combatant, spell: Spell | None) -> Power:
    """A spell as a power: an attack with the spell bonus unless its targets save."""
    if args.save is not None and spell is not None and spell.bonus is not None:
        spell = None  # the save that is said stands in place of its attack, and of what that brings
    save = args.save or (spell.save if spell is not None else None)
    bonus = spell.bonus if spell is not None else None
    is_attack = save is None and (spell is None or (bonus is None and not spell.inflicts))
    if bonus is None and is_attack and args.at is not None:
        is_attack = bool(args.at.dice) or spell is None
    if bonus is None and is_attack:
        if "spell" not in combatant.stats and not (args.at and args.at.words.plus):
            outcome = args.at is not None and any(
                die is not None and die.outcome for die in args.at.dice
            )
            if not outcome:
                raise shared_checks.no_bonus(combatant, "plus 5", "spell attack bonus")
        bonus = combatant.number("spell")
    return Power(
        args.spell,
        bonus=bonus,
        dice=spell.dice if spell is not None else "",
        type=spell.type if spell is not None else "",
        plus=spell.plus if spell is not None else (),
        inflicts=spell.inflicts if spell is not None else (),
        save=save,
        magical=True,
    )
