"""Initiative anew each round, as a setting of every game: `setting dynamic-initiative on`.

When a round is over affray rolls for all but the players' characters, and nobody is up until the
players have called theirs: `init mira 14`, or `init roll` for those who have not. What lasts until
somebody's turn ends with that turn, wherever it has gone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from affray.core.heart import order
from affray.core.heart.groups import leaders
from affray.core.heart.state import Combatant, Encounter
from affray.core.rules.ruleset import Choice, Pending, Ruleset

if TYPE_CHECKING:
    from affray.core.heart.decide import Context

SETTINGS: Mapping[str, tuple[str, ...]] = {"dynamic-initiative": ("off", "on")}


def is_on(state: Encounter) -> bool:
    """Whether initiative is anew each round."""
    return state.settings.get("dynamic-initiative") == "on"


def roll_anew(ctx: Context) -> None:
    """A round is over: the others' initiative is rolled, the characters' is to be called."""
    alive = _alive(ctx.state)
    order.forget_initiative(ctx, [c.id for c in alive if c.kind == "pc"])
    others = [c.id for c in alive if c.kind != "pc"]
    order.give_initiative(ctx, order.initiatives(ctx, others))


def _alive(state: Encounter) -> list[Combatant]:
    """Those who have an initiative of their own; a group has that of its first, and who follows
    somebody has theirs."""
    follow = {slot.who for slot in state.slots if slot.follows}
    alive = (c.id for c in state.in_order() if not c.is_out and c.id not in follow)
    return [state[who] for who in leaders(state, alive)]


def awaited(state: Encounter) -> list[str]:
    """The characters whose players have yet to call their initiative for the round that begins."""
    if not is_on(state) or state.phase != "combat" or state.turn:
        return []
    if any(slot.round >= state.round for slot in state.slots if not slot.gone):
        return []  # the round has begun
    unknown = {slot.who for slot in state.slots if slot.initiative is None}
    return [c.id for c in _alive(state) if c.kind == "pc" and c.id in unknown]


def pending(ruleset: Ruleset, state: Encounter) -> list[Pending]:
    """All that waits for the GM: what the rules ask, and initiative that players have to call."""
    waits = ruleset.pending(ruleset.tables, state)
    return [*waits, *(_call(state, who) for who in awaited(state))]


def _call(state: Encounter, who: str) -> Pending:
    name = state.name(who)
    return Pending(
        who,
        f"{name}'s initiative for round {state.round}",
        (Choice("r", "roll", f"init {who} roll"),),
        missed=f"{name} has no initiative yet",
        die=f"init {who}",
    )
