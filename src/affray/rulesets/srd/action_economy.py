"""How a turn is paid for in games on the SRD: the Attack action's further attacks, reactions, the
start of a turn."""

from __future__ import annotations

from collections.abc import Callable

from affray.core.engine.effects import effect_row
from affray.core.engine.state import Combatant, Effect, Encounter
from affray.core.parser.declarations import Argument, ParseState
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import ANY_MORE
from affray.core.rules.campaign_tables import find_action
from affray.core.rules.ruleset import Context
from affray.core.rules.tables import Tables
from affray.mechanics import actions, checks
from affray.mechanics.actions import ActorSituation, Cost
from affray.mechanics.holds import Hold
from affray.mechanics.rests import reset_uses
from affray.rulesets.srd import sheet
from affray.rulesets.srd.checks import OUTCOMES
from affray.rulesets.srd.rules import rules_of

TURN = ("action", "bonus_action", "interaction", "reaction")
"""The tracks that a turn's start refills."""
ATTACK, OFF_HAND, READY, STAND = "attack", "off-hand", "ready", "stand"
GRAPPLE = Hold("grappled")


def close_openings(ctx: Context, use: str, span: str) -> None:
    """Close the openings of the last command, such as the chance to block a hit. Of a use counted
    in its own span, only those of this command still count."""
    for combatant in [each for each in ctx.state.combatants if each.uses]:
        count = combatant.used(use, span)
        was = ctx.before.find(combatant.id) if count else None
        if was is not None and was.used(use, span) == count:
            reset_uses(ctx, combatant.id, span)


# -- prices ----------------------------------------------------------------------------------------


def begun_by(tables: Tables, name: str) -> str:
    """The track of further uses that such a technique's action opens; else empty."""
    if name in tables.economy["attack_action"]:
        return "attacks"
    return OFF_HAND.replace("-", "_") if name == OFF_HAND else ""


def price(now: ActorSituation, name: str) -> Cost:
    """Return the cost of a technique: the Attack action at first, and then its further attacks."""
    begun = begun_by(now.tables, name)
    return {begun: 1} if begun and now.who.track(begun) else actions.cost_now(now, name)


def price_after(now: ActorSituation, name: str, cost: Cost) -> Cost:
    """Return the cost of the next use, where this one begins several."""
    begun = begun_by(now.tables, name)
    holds = now.who.tracks[begun].max or 1 if begun in now.who.tracks else 1
    return {begun: 1} if begun and begun not in cost and holds > 1 else {}


def spend(ctx: Context, combatant_id: str, name: str, cost: Cost) -> None:
    """Take a price; the first of several attacks stores the others."""
    actions.pay_tracks(ctx, combatant_id, name, cost)
    begun = begun_by(ctx.tables, name)
    if begun and begun not in cost:
        actions.reset_turn_track(
            ctx, combatant_id, begun, (ctx.state[combatant_id].tracks[begun].max or 1) - 1
        )


# -- why not ---------------------------------------------------------------------------------------


def escapable(tables: Tables, combatant: Combatant) -> list[Effect]:
    """List the effects that it can escape with an action, by their row or by their cause's."""
    rows = tables.environments
    return [
        e
        for e in combatant.effects
        if effect_row(tables, e.name).escape is not None
        or (e.because and find_action(rows, e.because).escape)
    ]


def _names_condition(reading: ParseState) -> bool:
    tokens = reading.words
    if tokens.done:
        tokens.offered += [e.name for e in escapable(reading.ctx.tables, reading.ctx.actor())]
    return not (reading.is_over or checks.is_die_input(tokens, OUTCOMES))


ESCAPED = Argument(
    lambda reading: str(reading.words.next("the condition")).casefold(),
    "CONDITION",
    _names_condition,
    field=ANY_MORE,
)
"""The condition to escape; without one, a die may come there."""


def why_sightless(now: ActorSituation) -> str:
    """Name the reason that it can't see; empty if it can."""
    return "" if now.who.stats.get("blindsight") else now.forbids("see")


Reason = Callable[[ActorSituation], str]
OWN_REASONS: dict[str, Reason] = {
    "first-aid": lambda now: (
        "" if any(c.life == "dying" for c in now.state.combatants) else "nobody is dying"
    ),
    STAND: lambda now: "" if now.who.named("prone") else "not prone",
    "release": GRAPPLE.why_nobody,
    "escape": lambda now: "" if escapable(now.tables, now.who) else "nothing to escape from",
    "opportunity-attack": lambda now: why_sightless(now) and f"{why_sightless(now)}: sees nobody",
}
"""Technique -> the reason against that one alone, in every game."""


def pay_reaction(
    ctx: Context,
    combatant: Combatant,
    what: str,
    as_of: Encounter | None = None,
    why_not: Callable[[ActorSituation, Cost], str] = actions.why_unaffordable,
) -> None:
    """Pay a reaction outside of the tables, or one paid `as_of` an earlier moment.

    Raises Refused with the reason.
    """
    state, cost = as_of or ctx.state, {"reaction": 1}
    now, fights = ActorSituation(ctx.tables, state, state[combatant.id]), state.in_combat
    reason = now.forbids("react") or (why_not(now, cost) if fights else "")
    if reason:
        raise Refused(f"{combatant.name} can't react: {reason}")
    if fights:
        actions.pay_tracks(ctx, combatant.id, what, cost)


# -- turns -----------------------------------------------------------------------------------------


def on_turn_start(ctx: Context, combatant_id: str, speed: int, off_hand: int) -> None:
    """Restore the actions of a turn, none of them begun, with so many attacks of the `off_hand`."""
    combatant = ctx.state[combatant_id]
    for track in TURN:
        if track in combatant.tracks:
            actions.reset_turn_track(ctx, combatant_id, track, int(ctx.tables.economy[track]))
    if "attacks" in combatant.tracks:
        actions.reset_turn_track(ctx, combatant_id, "attacks", 0)
        actions.reset_turn_track(ctx, combatant_id, "off_hand", 0, off_hand)
        actions.reset_turn_track(ctx, combatant_id, "movement", speed, speed)
    if sheet.LEGENDARY in combatant.tracks:
        top = combatant.tracks[sheet.LEGENDARY].max or 0
        actions.reset_turn_track(ctx, combatant_id, sheet.LEGENDARY, top)


def settle_movement(ctx: Context, combatant: Combatant) -> None:
    """Let the remaining movement grow and shrink with the speed. Movement used stays used: where it
    is more than the speed, the maximum shows it for the rest of the turn."""
    track = combatant.tracks.get("movement")
    if track is None:
        return
    speed = rules_of(ctx).speed(ctx.tables, ctx.state, combatant)
    moved = (track.max or 0) - track.value
    top = max(speed, moved) if ctx.state.takes_turn(combatant.id) else speed
    actions.reset_turn_track(ctx, combatant.id, "movement", max(0, speed - moved), top)
