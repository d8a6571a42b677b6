"""What a turn is paid with: prices now, why not, paying, and what a turn's start gives back.

Seed 002: Actions in Combat; rules file, 1.1 to 1.3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.heart.effects import forbidden
from affray.core.heart.events import Changed, Spent, Used
from affray.core.heart.groups import not_their_turn
from affray.core.heart.state import Combatant, Encounter
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Option
from affray.core.rules.tables import Tables
from affray.rulesets.level_up import creatures, totals

if TYPE_CHECKING:
    from affray.core.heart.decide import Context

TURN = ("action", "bonus_action", "interaction", "reaction")
"""What comes back at the start of one's turn."""
BEGUN = {"attacks": "action", "off_hand": "bonus_action"}
"""What is left of something that was begun: track -> with what it was paid."""
_PARTS_OF = {"attack": "attacks", "off-hand": "off_hand"}
"""Technique -> the track that pays for it once its action was begun."""


def price(tables: Tables, who: Combatant, technique: str) -> dict[str, int]:
    """What a technique costs now: the Attack action once, and then its further attacks."""
    begun = _PARTS_OF.get(technique, "")
    if begun and who.track(begun):
        return {begun: 1}
    return dict(tables.techniques[technique].cost)


def why_not(tables: Tables, state: Encounter, who: Combatant, technique: str) -> str:
    """Why a technique can't be used now, in a few words; empty when it can."""
    row = tables.techniques[technique]
    barred = forbidden(tables, state, who, "react" if row.reaction else "act")
    if barred:
        return barred if barred == who.life else f"{barred}: can't act"
    if state.phase != "combat":
        return ""
    if not row.reaction and not state.takes_turn(who.id):
        return not_their_turn(state)
    for track, amount in price(tables, who, technique).items():
        if who.track(track) < amount:
            return f"{tables.tracks[track].label.lower()} used"
    return ""


def pay(ctx: Context, who: str, technique: str) -> None:
    """Pay for a technique and count its use; outside of a fight nothing is paid.

    Raises Refused with the reason when it can't be used.
    """
    combatant = ctx.state[who]
    reason = why_not(ctx.tables, ctx.state, combatant, technique)
    if reason:
        name = ctx.tables.techniques[technique].name
        raise Refused(f"{combatant.name} can't use {name}: {reason}")
    if ctx.state.phase != "combat":
        return
    for track, amount in price(ctx.tables, combatant, technique).items():
        ctx.emit(Spent(who, track, amount, technique))
        begun = _PARTS_OF.get(technique, "")
        if begun and track != begun:
            more = (combatant.tracks[begun].max or 1) - 1
            if more:
                ctx.emit(Changed(who, begun, more, routine=True))
    ctx.emit(Used(who, technique))


def options(tables: Tables, state: Encounter, who: Combatant) -> list[Option]:
    """Every technique: its cost now, and why it can't be used."""
    if "action" not in who.tracks:
        return []
    return [
        Option(name, price(tables, who, name), reason=why_not(tables, state, who, name))
        for name in tables.techniques
    ]


def turn_started(ctx: Context, who: str) -> None:
    """Everything that a turn is paid with is back, and nothing of it is begun (rules file, 1.3)."""
    combatant = ctx.state[who]
    for track in TURN:
        if track in combatant.tracks:
            _set(ctx, who, track, int(ctx.tables.economy[track]))
    if "attacks" in combatant.tracks:
        _set(ctx, who, "attacks", 0, creatures.attacks_at_once(combatant))
        _set(ctx, who, "off_hand", 0, creatures.off_hand_at_once(combatant))
        speed = totals.number_now(ctx.tables, ctx.state, combatant, "speed")
        _set(ctx, who, "movement", speed, speed)


def settle_movement(ctx: Context, who: Combatant) -> None:
    """Movement that is left grows and shrinks with the speed (rules file, 3.3)."""
    track = who.tracks.get("movement")
    if track is None:
        return
    speed = totals.number_now(ctx.tables, ctx.state, who, "speed")
    if speed != track.max:
        _set(ctx, who.id, "movement", max(0, track.value + speed - (track.max or 0)), speed)


def _set(ctx: Context, who: str, track: str, value: int, top: int | None = None) -> None:
    old = ctx.state[who].tracks[track]
    new_top = top if top is not None and top != old.max else None
    if value != old.value or new_top is not None:
        ctx.emit(Changed(who, track, value - old.value, new_top, routine=True))


def acted(who: Combatant) -> bool:
    """Whether it has done anything in its open turn."""
    return any(key.startswith("turn/") for key in who.uses)
