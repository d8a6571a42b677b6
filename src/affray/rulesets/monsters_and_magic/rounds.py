"""Rounds and turns: initiative, what a turn's start brings, and what then waits for the GM.

Seed 004: Order, Dynamic Initiative, Statuses (Invisible), Action Points, Death & Dying, Conditions
(Restrained), Ready an Action.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from affray.core.heart import order, turns
from affray.core.heart.decide import Context
from affray.core.heart.effects import forbidden
from affray.core.heart.groups import leaders
from affray.core.heart.state import OUT_OF_THE_FIGHT, Combatant, Encounter, Slot
from affray.core.language.refusal import signed
from affray.core.rules.ruleset import Choice, Pending
from affray.core.rules.tables import Tables
from affray.rulekit import leaning, rests, rolls
from affray.rulesets.monsters_and_magic import (
    action_points,
    belongings,
    checks,
    dying,
    gear,
    mounts,
    movement,
    totals,
)


def roll(ctx: Context, ids: list[str], lying: tuple[int, ...] = ()) -> dict[str, int]:
    """Roll for each of them, in that order, or take the dice that lie there; gives their totals.

    A controlled mount has its rider's (seed 004: Mounted Combat).
    """
    riders = {who: mounts.master(ctx.state[who]) for who in ids}
    found = {who: _roll_one(ctx, who, lying) for who in ids if not riders[who]}
    known: dict[str, int | None] = {s.who: s.initiative for s in ctx.state.slots} | {**found}
    led = {who: known.get(rider) for who, rider in riders.items() if rider}
    return found | {who: total for who, total in led.items() if total is not None}


def _roll_one(ctx: Context, who: str, lying: tuple[int, ...]) -> int:
    """Roll cunning (CR for a monster), of which no more than the total matters."""
    roller, die = ctx.state[who], rolls.Die(faces=lying)
    lucky = leaning.own_reasons(totals.here(ctx, roller), "advantage", ("initiative",))
    check = checks.plain(roller, "initiative", "cunning", die, checks.Terms(), "initiative")
    return checks.total_of(ctx, replace(check, pro=lucky))


def tie_rank(ctx: Context, who: str, total: int, placed: Sequence[Slot]) -> tuple[int, ...]:
    """On a tie player characters go first, then monsters."""
    return () if ctx.state[who].kind == "pc" else (1,)


def round_ended(ctx: Context) -> None:
    """With dynamic initiative everyone rolls anew: monsters now, characters as players call it.

    A delayed turn that was not taken in the round is over.
    """
    if not _is_dynamic(ctx.state):
        return
    for slot in ctx.state.slots:
        if slot.held and not slot.gone:
            turns.end_turn(ctx, slot.who)
    alive = _alive(ctx.state)
    order.forget_initiative(ctx, [c.id for c in alive if c.kind == "pc"])
    order.give_initiative(ctx, roll(ctx, [c.id for c in alive if c.kind != "pc"]))


def _is_dynamic(state: Encounter) -> bool:
    return state.settings.get("dynamic-initiative") == "on"


def _alive(state: Encounter) -> list[Combatant]:
    """Those who have an initiative of their own; a group has that of its first."""
    alive = (c.id for c in state.in_order() if c.life not in OUT_OF_THE_FIGHT)
    return [state[who] for who in leaders(state, alive)]


def awaited(state: Encounter) -> list[str]:
    """The characters whose players have yet to call their initiative for the round that begins."""
    if not _is_dynamic(state) or state.phase != "combat" or state.turn:
        return []
    if any(slot.round >= state.round for slot in state.slots if not slot.gone):
        return []  # the round has begun
    unknown = {slot.who for slot in state.slots if slot.initiative is None}
    return [c.id for c in _alive(state) if c.kind == "pc" and c.id in unknown]


def _call(state: Encounter, who: str) -> Pending:
    """The initiative that a player has to call, as it waits for the GM."""
    name = state.name(who)
    return Pending(
        who,
        f"{name}'s initiative for round {state.round}",
        (Choice("r", "roll", f"init {who} roll"),),
        missed=f"{name} has no initiative yet",
        die=f"init {who}",
    )


# -- the edges -------------------------------------------------------------------------------------


def fight_ended(ctx: Context) -> None:
    """The fight is over, and 6 seconds pass: what turns and rounds would end has ended."""
    action_points.restore_reactions(ctx)
    rests.fight_over(ctx)
    belongings.fight_ended(ctx)


def pending(tables: Tables, state: Encounter) -> list[Pending]:
    """What waits for the GM now: initiative that players call, the dying roll, the held who may
    break free, Death's bargain."""
    found = [_bargain(c) for c in state.combatants if c.life == "dead" and _may_bargain(c)]
    found += [_call(state, who) for who in awaited(state)]
    found += [*mounts.pending(state), *movement.pending(state)]
    for up in state.all_up():
        if dying.is_due(up):
            found.append(dying.pending(up))
        elif up.named("restrained") is not None and not forbidden(tables, state, up, "escape"):
            found.append(_break_free(up))
    return found


def _break_free(who: Combatant) -> Pending:
    command, held = f"free {who.id} restrained", "free, prevented by the holder"
    says = f"{who.name} is restrained: 3 fatigue to break free"
    answers = (Choice("f", "free", command), Choice("p", held, f"{command} prevented"))
    return Pending(who.id, says, answers)


def _may_bargain(who: Combatant) -> bool:
    return who.kind == "pc" and not who.used("bargain", "ever")


def _bargain(who: Combatant) -> Pending:
    answers = (("a", "accept"), ("x", "refuse"))
    choices = tuple(Choice(key, word, f"bargain {who.id} {word}") for key, word in answers)
    return Pending(who.id, f"{who.name} is dead: Death offers a bargain", choices)


def owed(ctx: Context, who: str) -> None:
    """Roll what nobody rolled before the turn may end."""
    mounts.roll_missing(ctx)
    movement.fall_missing(ctx)
    dying.roll_missing(ctx, who)


def settled(ctx: Context) -> None:
    """What always follows: who loses their seat or what held them up, who is encumbered."""
    mounts.settle(ctx)
    movement.settle(ctx)
    gear.settle(ctx)


def remark(tables: Tables, combatant: Combatant, track: str) -> str:
    """What a track's value means now, in a few words: the penalty that exhaustion brings."""
    penalty = totals.exhaustion_penalty(tables, combatant) if track == "exhaustion" else 0
    return f"{signed(penalty)} to all checks" if penalty else ""
