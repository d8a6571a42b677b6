"""Initiative. Seed 004: Order, Dynamic Initiative, Statuses (Invisible)."""

from __future__ import annotations

from collections.abc import Sequence

from affray.core.heart import order, turns
from affray.core.heart.decide import Context
from affray.core.heart.groups import leaders
from affray.core.heart.state import OUT_OF_THE_FIGHT, Combatant, Encounter, Slot
from affray.core.rules.ruleset import Choice, Pending
from affray.rulekit import leaning, numbers, rolls
from affray.rulesets.monsters_and_magic import checks, forwards, totals

KINDS = ("check", "cunning", "initiative")
"""The kinds of roll that it is: a cunning roll, but for the success steps."""


def roll(ctx: Context, ids: list[str], lying: tuple[int, ...] = ()) -> dict[str, int]:
    """Roll for each of them, in that order, or take the dice that lie there; gives their totals."""
    return {who: _roll_one(ctx, who, lying) for who in ids}


def _roll_one(ctx: Context, who: str, lying: tuple[int, ...]) -> int:
    """Roll cunning (CR for a monster) as a plain total, without success steps; gives the total."""
    roller = ctx.state[who]
    here = totals.here(ctx, roller)
    used = forwards.fitting(roller, KINDS)
    parts = [
        checks.ability(roller, "cunning"),
        *numbers.parts(here, "check", [*forwards.scopes_of(KINDS)]),
        *forwards.parts(used),
    ]
    lucky = leaning.own_reasons(here, "advantage", ("initiative",))
    die = rolls.Die(faces=lying)
    total = rolls.total_of(ctx, rolls.Roll(who, "initiative", die, parts, pro=lucky))
    totals.use_up(ctx, who, "check", used, KINDS)
    return total


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


def pending(state: Encounter) -> list[Pending]:
    """The initiative that players have to call, as it waits for the GM."""
    return [_pending(state, who) for who in awaited(state)]


def _pending(state: Encounter, who: str) -> Pending:
    name = state.name(who)
    return Pending(
        who,
        f"{name}'s initiative for round {state.round}",
        (Choice("r", "roll", f"init {who} roll"),),
        missed=f"{name} has no initiative yet",
        die=f"init {who}",
    )
