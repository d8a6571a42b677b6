"""Action points, costs and what can be done now.

Seed 004: Action Points, Reactions, Basic Techniques.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from affray.core.heart.effects import forbidden
from affray.core.heart.events import Changed, Spent, Used
from affray.core.heart.groups import not_their_turn
from affray.core.heart.state import Combatant, Encounter, Track
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Option
from affray.core.rules.tables import Tables, Technique
from affray.rulekit import leaning, numbers
from affray.rulekit.life import FELL
from affray.rulesets.monsters_and_magic import totals, tracks

if TYPE_CHECKING:
    from affray.core.heart.decide import Context


class Pay(Protocol):
    """Pays a technique's price, or the given one; raises Refused when it can't be paid.

    `subject` is as `pay` has it. Ready's trigger and a reaction pay in another way than a turn.
    """

    def __call__(self, cost: dict[str, int] | None = None, subject: str = "") -> None:
        """Pay now."""


def at_turn_start(tables: Tables, state: Encounter, combatant: Combatant) -> int:
    """AP for the turn: 3, one more when quickened, one less when impaired, never below 0."""
    bonus = numbers.value(totals.situation(tables, state, combatant), "ap")
    return max(0, int(tables.economy["ap"]) + bonus)


def start_turn(ctx: Context, who: str) -> None:
    """Turn start: AP and the reaction come back; statuses act before conditions."""
    combatant = ctx.state[who]
    if "ap" not in combatant.tracks:
        return
    ap = at_turn_start(ctx.tables, ctx.state, combatant)
    top = max(ap, int(ctx.tables.economy["ap"]))
    _set(ctx, who, "ap", ap, top)
    leaning.use_up(ctx, who, totals.spent_by(ctx, who, "ap"))
    _set(ctx, who, "reaction", int(ctx.tables.economy["reaction"]))
    rows = numbers.at_turn_start(totals.here(ctx, ctx.state[who]))
    for effect, track, amount in sorted(rows, key=lambda row: row[0].kind != "status"):
        _act_at_start(ctx, who, track, amount, effect.name)


def restore_reactions(ctx: Context) -> None:
    """The fight is over: in the next one all have their reaction, before their first turn too."""
    usual = int(ctx.tables.economy["reaction"])
    for combatant in ctx.state.combatants:
        missing = usual - combatant.track("reaction") if "reaction" in combatant.tracks else 0
        if missing > 0:
            why = "the fight is over"
            ctx.emit(Changed(combatant.id, "reaction", missing, why=why, routine=True))


def _act_at_start(ctx: Context, who: str, track: str, amount: int, why: str) -> None:
    if ctx.state[who].life == "dead":
        return
    if amount > 0:
        tracks.mark_track(ctx, who, track, amount, why)
    else:
        tracks.clear_track(ctx, who, track, -amount, why, by_somebody=False)


def _set(ctx: Context, who: str, track: str, value: int, top: int | None = None) -> None:
    old = ctx.state[who].tracks.get(track, Track(0))
    new_top = top if top is not None and top != old.max else None
    if value != old.value or new_top is not None:
        usual = value == int(ctx.tables.economy[track])
        by = value - old.value
        ctx.emit(Changed(who, track, by, new_top, why="turn start", routine=usual))


def acted(combatant: Combatant) -> bool:
    """Whether it has done anything in its turn."""
    return any(key.startswith("turn/") and key != f"turn/{FELL}" for key in combatant.uses)


def cost_now(
    name: str, technique: Technique, combatant: Combatant, more: int = 0
) -> dict[str, int]:
    """What a technique costs now: Move and Strike one more for each time they were used."""
    again = combatant.used(name) + more if technique.repeat == "rising" else 0
    return {track: amount + again for track, amount in technique.cost.items()}


def options(tables: Tables, state: Encounter, combatant: Combatant) -> list[Option]:
    """Every technique for a combatant: its cost now, the next one's, and why it can't be used."""
    if "ap" not in combatant.tracks:
        return []
    return [_option(tables, state, combatant, name, t) for name, t in tables.techniques.items()]


def _option(
    tables: Tables, state: Encounter, combatant: Combatant, name: str, technique: Technique
) -> Option:
    cost = cost_now(name, technique, combatant)
    after = cost_now(name, technique, combatant, 1) if technique.repeat == "rising" else {}
    marks = technique.marks
    if name == "disengage":
        cost, marks = _with_fatigue(cost, combatant)
    reason = why_not(tables, state, combatant, name, cost)
    return Option(name, cost | marks, after | (marks if after else {}), reason)


def _with_fatigue(
    cost: dict[str, int], combatant: Combatant
) -> tuple[dict[str, int], dict[str, int]]:
    """What Disengage costs, and the fatigue that stands for the AP that are not there."""
    lacking = max(0, cost["ap"] - combatant.track("ap"))
    return {"ap": cost["ap"] - lacking}, {"fatigue": lacking} if lacking else {}


def why_not(
    tables: Tables, state: Encounter, combatant: Combatant, name: str, cost: dict[str, int]
) -> str:
    """Why a technique can't be used now, in a few words; empty when it can."""
    technique = tables.techniques[name]
    barred = forbidden(tables, state, combatant, "react" if technique.reaction else "act")
    if barred == combatant.life:
        return barred
    if barred:
        return f"{barred}: can't {'react' if technique.reaction else 'spend AP'}"
    if state.phase != "combat":
        return "only in a fight" if name == "regroup" or technique.reaction else ""
    if not technique.reaction and not state.takes_turn(combatant.id):
        return not_their_turn(state)
    if technique.repeat == "once" and combatant.used(name):
        return "once a turn"
    held = forbidden(tables, state, combatant, "move") if name in ("move", "mount") else ""
    if held:
        return f"{held}: can't move"
    return _unpaid(tables, combatant, cost)


def _unpaid(tables: Tables, combatant: Combatant, cost: dict[str, int]) -> str:
    for track, amount in cost.items():
        left = combatant.track(track)
        if left < amount and track == "reaction":
            return "reaction used"
        if left < amount:
            return f"{left} {tables.tracks[track].label} left, needs {amount}"
    return ""


def pay(
    ctx: Context, who: str, name: str, cost: dict[str, int] | None = None, subject: str = ""
) -> None:
    """Pay for a technique and count its use; outside of a fight, which has no turns, pay nothing.

    `subject` is of what it is, where it is once a turn for each: the spell. Raises Refused, with
    the reason, when it can't be used.
    """
    combatant = ctx.state[who]
    technique = ctx.tables.techniques[name]
    if cost is None:
        cost = cost_now(name, technique, combatant)
    reason = why_not(ctx.tables, ctx.state, combatant, name, cost)
    counted = f"{name} {subject}" if subject else ""
    if not reason and counted and combatant.used(counted) and ctx.state.phase == "combat":
        reason = f"once a turn for {subject}"
    if reason:
        raise Refused(f"{combatant.name} can't use {technique.name}: {reason}")
    if ctx.state.phase != "combat":
        return
    for track, amount in cost.items():
        if amount > 0:
            ctx.emit(Spent(who, track, amount, name))
    if not technique.reaction or technique.does is not None:
        ctx.emit(*(Used(who, what) for what in (name, counted) if what))
