"""Turns and what lies between them: initiative, surprise, the edges of turns and fights, rests.

Seed 002: Dying and Death Saving Throws, Ongoing Damage, Healing and Recovery, Recovering From
Fatigue, Temporary Hit Points; rules file, 1 and 11. The seed has neither initiative nor surprise.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from affray.core.heart import timing
from affray.core.heart.decide import Context
from affray.core.heart.events import Noted
from affray.core.heart.state import Combatant, Encounter
from affray.core.language import arguments
from affray.core.language.clauses import they
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Choice, Pending, declare
from affray.core.rules.tables import Tables
from affray.rulekit import cushion, initiative, rests
from affray.rulekit.placing import renew
from affray.rulekit.recorded import owner_here
from affray.rulesets.level_up import (
    checks,
    companions,
    conditions,
    damage,
    dying,
    economy,
    fatigue,
    powers,
    resisting,
    sheet,
    techniques,
    totals,
    world,
)

# -- initiative and surprise -----------------------------------------------------------------------


def roll_initiative(ctx: Context, ids: list[str], lying: tuple[int, ...] = ()) -> dict[str, int]:
    """A d20 and `init` for each (1.6); who is under somebody's control has their owner's total."""
    if world.WORLD in ids and world.here(ctx.state) is not None:
        others = roll_initiative(ctx, [who for who in ids if who != world.WORLD], lying)
        return others | world.initiative(ctx, others.values())
    owned = [who for who in ids if owner_here(ctx.state, ctx.state[who])]
    people = (ctx.state[who] for who in ids if who not in owned)
    found = {who.id: initiative.roll(ctx, totals.here(ctx, who), lying) for who in people}
    return found | initiative.owners_totals(ctx.state, owned, found)


class Surprise(Struct, frozen=True):
    people: Annotated[list[Combatant], arguments.people("who is surprised")]


def _surprise(ctx: Context, said: Surprise) -> None:
    """Nothing to do in the first turn, and no reaction until it is over (R2)."""
    for who in said.people:
        slot = ctx.state.slot(who.id)
        if ctx.state.phase == "combat" and slot is not None and slot.turns and slot.round:
            raise Refused(f"{who.name} has had a turn already, and is no longer surprised")
    for who in said.people:
        renew(ctx, who.id, "surprised", timing.at_turn(ctx.state, who.id, "end"))
    ctx.text = f"{they(said.people, 'is', 'are')} surprised"


# -- the edges of turns and of the fight -----------------------------------------------------------


def turn_started(ctx: Context, who: str) -> None:
    """What a turn is paid with is back; a death save may be owed (rules file, 1.3)."""
    economy.turn_started(ctx, who)
    fatigue.turn_started(ctx, who)
    companions.turn_started(ctx, who)
    world.turn_started(ctx, who)
    powers.roll_recharges(ctx, who)
    _regenerate(ctx, who)


def _regenerate(ctx: Context, who: str) -> None:
    """So many HP as its turn starts, for who has any; its text says what may keep that off."""
    target = ctx.state[who]
    if not (target.number(sheet.REGENERATION) and target.track("hp")):
        return
    damage.heal(ctx, who, target.number(sheet.REGENERATION), sheet.REGENERATION)
    for power in sheet.powers_of(target):
        if power.text and power.name.casefold().startswith("regenerat"):
            ctx.emit(Noted(f"{target.name} regenerates: {power.text}"))


def turn_ending(ctx: Context, who: str) -> None:
    """Saves that nobody made are rolled; ongoing damage; who was dramatic meets the end (1.4)."""
    conditions.roll_owed(ctx)
    dying.roll_owed(ctx, who)
    conditions.take_ongoing_damage(ctx, who)
    dying.meet_the_end(ctx, who)
    world.turn_ending(ctx, who)


def fight_ended(ctx: Context) -> None:
    """What turns and rounds would end has ended, and what was gained is felt from now on. The next
    fight begins with all that a turn is paid with, and tires anew (rules file, 10.3)."""
    conditions.roll_owed(ctx)
    for combatant in ctx.state.combatants:
        fatigue.fight_ended(ctx, combatant)
        economy.turn_started(ctx, combatant.id)
        dying.meet_the_end(ctx, combatant.id, now=True)
        rests.forget(ctx, combatant.id, "fight", "round *")
    rests.fight_over(ctx)
    fatigue.feel(ctx, "the fight is over")
    world.turn_ending(ctx, world.WORLD)


def settled(ctx: Context) -> None:
    """What always follows: movement goes with the speed, and deep fatigue brings doom."""
    fatigue.settled(ctx)
    economy.close_openings(ctx, *economy.CAN_BLOCK)
    techniques.settled(ctx)
    economy.close_openings(ctx, *checks.CAN_RESIST)
    world.settle_falling(ctx)
    world.settled(ctx)
    changed = frozenset(ctx.changed())
    for combatant in ctx.state.combatants:
        if combatant in changed:
            cushion.settle(ctx, combatant.id)
        runs = combatant.named(totals.SPRINTING) is not None  # which is for its own turn alone
        if runs or combatant in changed:
            economy.settle_movement(ctx, combatant)


def pending(tables: Tables, state: Encounter) -> list[Pending]:
    """What waits for the GM now: saves that are owed, and after the fight those who lie stable."""
    found = [
        *techniques.pending(state),
        *resisting.pending(state),
        *conditions.pending(state),
        *dying.pending(state),
    ]
    for who in state.combatants if state.phase == "ended" else ():
        if who.life == "stable":  # and not healed: 1 HP after some hours (rules file, 9.9)
            wakes = Choice("h", "1 HP now", f"heal {who.id} 1")
            found.append(Pending(who.id, f"{who.name} is stable: 1 HP after 1d4 hours", (wakes,)))
    return found


# -- rests -----------------------------------------------------------------------------------------

HOURS = rests.Rest(
    ends=("turn", "round", "fight", "rest"), forgets=("rest", "recharge*"), sets={"sprints": 0}
)
NIGHT = rests.Rest(forgets=("day",), sets={"temp_hp": 0, sheet.RESISTS: rests.FULL})
"""What every rest resets, and what a long one does besides."""


class Rest(Struct, frozen=True):
    kind: Annotated[str, arguments.choice("the kind of rest", ("short", "long"))]
    haven: Annotated[bool, arguments.flag()] = False
    besides: Annotated[list[Combatant], rests.BESIDES] = []


def _rest(ctx: Context, said: Rest) -> None:
    """Hours pass for all but the dead; a long rest ends temporary HP, takes a level and restores
    all HP, but of the dying (rules file, 11.1, R38)."""
    rests.refuse_in_a_fight(ctx)
    where = " at a haven" if said.haven else ""
    why = f"a {said.kind} rest{where}"
    is_long = said.kind == "long"
    kinds = fatigue.RESTS[: 1 + is_long + (is_long and said.haven)]
    resting = rests.taking_part(ctx, said.besides)
    dying_yet = [who for who in resting if who.life == "dying"]
    if dying_yet:
        each = "no rest gives them HP, and a death save each turn comes before it"
        ctx.emit(Noted(f"{they(dying_yet, 'is', 'are')} dying: {each}"))
    for who in resting:
        rests.reset(ctx, who.id, HOURS, why)
        if is_long:
            rests.reset(ctx, who.id, NIGHT, why)
        if who.life == "dying":  # no rest does any good to who has death saves to make
            continue
        fatigue.rested(ctx, who.id, kinds, why)
        if is_long and "hp" in who.tracks:
            damage.heal(ctx, who.id, ctx.state[who.id].room("hp"), why)
        rests.stand_up(ctx, who.id)
    ctx.text = f"A {said.kind} rest{where}"


VERBS = (
    declare(
        "surprise",
        "surprises somebody as the fight begins: nothing to do in the first turn",
        Surprise,
        _surprise,
    ),
    declare("rest", "lets a rest pass; a haven takes deeper fatigue", Rest, _rest),
)
