"""Action points: one more action, once in an encounter. Seed 003: Action Points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.heart.effects import forbidden
from affray.core.heart.events import Spent, Used
from affray.core.heart.groups import not_their_turn
from affray.core.heart.state import Combatant, Encounter
from affray.core.language.refusal import Refused
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.core.rules.tables import Tables
from affray.rulesets.orcus import actions, initiative

if TYPE_CHECKING:
    from affray.core.heart.decide import Context

POINT = "action-point"


def why_not(tables: Tables, state: Encounter, who: Combatant) -> str:
    """Why no action point can be spent now, in a few words; empty when one can.

    Once per encounter, in one's own turn, not in a surprise round, and not at another's will.
    """
    if "action_points" not in who.tracks:
        return "only player characters have action points"
    barred = forbidden(tables, state, who, "spend")
    if barred:
        return barred
    if state.phase != "combat":
        return "only in a fight"
    if not state.takes_turn(who.id):
        return not_their_turn(state)
    if initiative.is_surprise_round(state):
        return "not in a surprise round"
    if who.used(POINT, "fight"):
        return "once an encounter"
    most, name = actions.cap(tables, state, who)
    if most == 0:
        return f"{name}: no actions"
    return "" if who.track("action_points") else "no action points left"


def _action_point(ctx: Context, words: Words) -> None:
    """`action-point [standard|move|swift]`: a free action that gives one more of those."""
    actor = ctx.actor()
    kind = words.take(*actions.TURN_ACTIONS) or "standard"
    reason = why_not(ctx.tables, ctx.state, actor)
    if reason:
        raise Refused(f"{actor.name} can't spend an action point: {reason}")
    actions.pay_action(ctx, actor.id, "free", "an action point")
    ctx.emit(Spent(actor.id, "action_points", 1, f"a {kind} action"))
    ctx.emit(Used(actor.id, POINT, "fight"), Used(actor.id, f"given-{kind}"))
    actions.reckon(ctx, actor.id)
    ctx.text = f"{actor.name} spends an action point on a {kind} action"


ACTION_VERBS: tuple[Verb, ...] = (
    Verb(
        POINT,
        "action-point [standard|move|swift] [by NAME]",
        "spends an action point on one more action this turn",
        _action_point,
        True,
    ),
)
