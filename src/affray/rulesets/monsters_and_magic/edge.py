"""The turn's edge: what a turn's start brings, and what then waits for the GM.

Seed 004: Action Points, Death & Dying, Conditions (Restrained), Ready an Action.
"""

from __future__ import annotations

from affray.core.heart.decide import Context
from affray.core.heart.effects import forbidden
from affray.core.heart.state import Combatant, Encounter
from affray.core.language.refusal import signed
from affray.core.rules.ruleset import Choice, Pending
from affray.core.rules.tables import Tables
from affray.rulekit import rests
from affray.rulesets.monsters_and_magic import action_points, death, fatigue, initiative


def fight_ended(ctx: Context) -> None:
    """The fight is over, and 6 seconds pass: what turns and rounds would end has ended."""
    action_points.restore_reactions(ctx)
    rests.fight_over(ctx)


def pending(tables: Tables, state: Encounter) -> list[Pending]:
    """What waits for the GM now: initiative that players call, the dying roll, the held who may
    break free, Death's bargain."""
    found = [_bargain(c) for c in state.combatants if _may_bargain(c)]
    found += initiative.pending(state)
    for up in state.all_up():
        if death.is_due(up):
            found.append(death.pending(up))
        elif up.named("restrained") is not None and not forbidden(tables, state, up, "escape"):
            found.append(_break_free(up))
    return found


def _break_free(who: Combatant) -> Pending:
    return Pending(
        who.id,
        f"{who.name} is restrained: 3 fatigue to break free",
        (
            Choice("f", "free", f"free {who.id} restrained"),
            Choice("p", "free, prevented by the holder", f"free {who.id} restrained prevented"),
        ),
    )


def _may_bargain(who: Combatant) -> bool:
    return who.kind == "pc" and who.life == "dead" and not who.used("bargain", "ever")


def _bargain(who: Combatant) -> Pending:
    return Pending(
        who.id,
        f"{who.name} is dead: Death offers a bargain",
        (
            Choice("a", "accept", f"bargain {who.id} accept"),
            Choice("x", "refuse", f"bargain {who.id} refuse"),
        ),
    )


def remark(tables: Tables, combatant: Combatant, track: str) -> str:
    """What a track's value means now, in a few words: the penalty that exhaustion brings."""
    penalty = fatigue.exhaustion_penalty(tables, combatant) if track == "exhaustion" else 0
    return f"{signed(penalty)} to all checks" if penalty else ""
