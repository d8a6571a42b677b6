"""Level Up: how a turn is paid for: prices, refusals, what a turn's start gives.

Seed 002: Actions in Combat; rules file, 1.1 to 1.3 and 3.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from affray.core.engine.effects import effect_row
from affray.core.engine.state import Combatant, Effect, Encounter
from affray.core.parser.errors import Refused
from affray.core.rules.campaign_tables import find_action
from affray.core.rules.ruleset import Context
from affray.core.rules.tables import Tables, TechniqueRow
from affray.mechanics import actions
from affray.mechanics.actions import ActionEconomy, ActorSituation, Cost
from affray.mechanics.holds import Hold
from affray.mechanics.rests import reset_uses
from affray.mechanics.sheet import present_owner
from affray.mechanics.stats import own_roll_reasons
from affray.rulesets.level_up import checks as totals, scene as world, sheet
from affray.rulesets.level_up.sheet import Attack

TURN = ("action", "bonus_action", "interaction", "reaction")
"""The tracks that a turn's start refills."""
ATTACK, OFF_HAND, SPRINT, PRESS = "attack", "off-hand", "sprint", "press-the-attack"
READY, TUMBLE = "ready", "tumble"
PRESSING, FALLEN_BACK, COMMANDED = "pressing", "fallen-back", "commanded"
GRAPPLE = Hold("grappled")
CAN_BLOCK = CRITICAL, BLOW = "critical", "blow"
"""What is counted of somebody from a critical hit until the next command, in which it can still be
blocked (rules file, 5.3)."""
_ANY_TIME = ("release",)
"""The techniques that may be done in other turns as well (rules file, 18)."""


def close_openings(ctx: Context, use: str, span: str) -> None:
    """With the next command it is too late for what one has opened, such as to block a blow: of a
    use that is counted in a span of its own, only what this command brought counts on."""
    for combatant in ctx.state.combatants:
        count, was = combatant.used(use, span), ctx.before.find(combatant.id)
        if count and was is not None and was.used(use, span) == count:
            reset_uses(ctx, combatant.id, span)


# -- prices ----------------------------------------------------------------------------------------


def _begun(tables: Tables, name: str) -> str:
    """The track of further uses that such a technique's action opens; else empty."""
    if name in tables.economy["attack_action"]:
        return "attacks"
    return "off_hand" if name == OFF_HAND else ""


def _price(now: ActorSituation, name: str) -> Cost:
    """What a technique costs: the Attack action at first, and then its further attacks; tumbling
    the bonus action while there is one (rules file, R37)."""
    if name == TUMBLE and now.who.room("bonus_action") and now.who.track("action"):
        return {"action": 1}
    begun = _begun(now.tables, name)
    return {begun: 1} if begun and now.who.track(begun) else actions.cost_now(now, name)


def _price_after(now: ActorSituation, name: str, cost: Cost) -> Cost:
    """What the next one costs, where this one begins several."""
    begun = _begun(now.tables, name)
    holds = now.who.tracks[begun].max or 1 if begun in now.who.tracks else 1
    return {begun: 1} if begun and begun not in cost and holds > 1 else {}


def _spend(ctx: Context, combatant_id: str, name: str, cost: Cost) -> None:
    """Take a price; what begins several attacks holds the others from then on."""
    actions.pay_tracks(ctx, combatant_id, name, cost)
    begun = _begun(ctx.tables, name)
    if begun and begun not in cost:
        actions.reset_turn_track(
            ctx, combatant_id, begun, (ctx.state[combatant_id].tracks[begun].max or 1) - 1
        )


# -- why not ---------------------------------------------------------------------------------------


def _why_not(now: ActorSituation, name: str, cost: Cost) -> str:
    row = now.tables.techniques[name]
    if "reaction" in cost or sheet.LEGENDARY in cost:  # as a spell and a maneuver may
        row = replace(row, reaction=True)
    why = (
        actions.why_forbidden(now, row)
        or now.forbids(name)
        or ("" if name in _ANY_TIME else _why_not_up(now, name, row))
        or (_OF_ITS_OWN[name](now) if name in _OF_ITS_OWN else "")
    )
    if why or now.state.phase != "combat":
        return why
    again = actions.why_used_up(now, name)
    return _why_sprinting(now, cost) or again or actions.why_unaffordable(now, cost)


def _why_not_up(now: ActorSituation, name: str, row: TechniqueRow) -> str:
    """That it isn't its turn; who is under control moves in its owner's, and acts if commanded."""
    not_up = actions.why_not_their_turn(now, row)
    owner = present_owner(now.state, now.who)
    if not_up and owner is not None and now.state.takes_turn(owner.id):
        commanded = now.who.named(COMMANDED) is not None
        return "" if commanded or name == "move" else "not commanded"
    return not_up


def _why_sprinting(now: ActorSituation, cost: Cost) -> str:
    """A sprint leaves nothing but movement in its turn, no reaction either (Sprint)."""
    pays = any(track in cost for track in ("action", "bonus_action", "reaction"))
    in_turn = now.state.takes_turn(now.who.id)
    return "it sprints this turn" if pays and in_turn and now.who.used(SPRINT) else ""


def _why_no_sprint(now: ActorSituation) -> str:
    """Not once an action or a bonus action was used this turn (rules file, 3.13)."""
    if now.state.phase != "combat":
        return ""
    used = (track for track in ("action", "bonus_action") if now.who.room(track))
    return next((f"{now.tables.tracks[track].label.lower()} used" for track in used), "")


def _why_no_press(now: ActorSituation) -> str:
    """Only with the Attack action, before its first roll, and with no disadvantage (3.9, R35)."""
    worse = _why_hindered(now)
    if worse:
        return f"{worse}: disadvantage on attacks"
    if now.state.phase != "combat" or now.who.track("action"):
        return ""
    if not now.who.track("attacks"):
        return "no Attack action to press"
    return "an attack was rolled already" if now.who.used(ATTACK) else ""


def _why_hindered(now: ActorSituation) -> str:
    """What gives its attacks disadvantage, whomever and with what they are; empty for nothing."""
    roller = totals.situation(now.tables, now.state, now.who)
    worse = own_roll_reasons(roller, "disadvantage", ("attack",))
    weapons = sheet.attacks_of(now.who)
    scene = world.hinders_all(now.state, now.who, weapons)
    return next(iter(worse), "") or _why_sightless(now) or scene


def _why_sightless(now: ActorSituation) -> str:
    """Name the reason that it can't see; empty if it can."""
    return "" if now.who.stats.get("blindsight") else now.forbids("see")


def _why_no_off_hand(now: ActorSituation) -> str:
    """After the Attack action with a weapon in one hand that isn't heavy, with another (4.9)."""
    if now.state.phase != "combat":
        return ""
    if not now.who.used(ATTACK):
        return "no attack this turn"
    if not off_hand_weapons(now.who):
        return "no other weapon is dual-wielding"
    return "" if weapons_used(now.who) else "only with a weapon that is heavy or takes both hands"


def off_hand_weapons(combatant: Combatant) -> list[Attack]:
    """List the dual-wielding weapons for an off-hand attack, without the one that was used, if that
    was one alone."""
    used = weapons_used(combatant)
    held = (a for a in sheet.attacks_of(combatant) if a.dual_wielding and not a.two_handed)
    return [a for a in held if used != [a.name]]


def weapons_used(combatant: Combatant) -> list[str]:
    """The names of the weapons with which it took the Attack action now, none of them heavy, each
    in one hand."""
    attacks = (a for a in sheet.attacks_of(combatant) if not (a.heavy or a.two_handed))
    return [a.name for a in attacks if combatant.used(with_weapon(a.name))]


def with_weapon(name: str) -> str:
    """The key by which attacks with a weapon are counted in a turn."""
    return f"attack with {name}"


def escapable(tables: Tables, combatant: Combatant) -> list[Effect]:
    """List the effects that it can escape with an action, by their row or by their cause's."""
    rows = tables.environments
    return [
        e
        for e in combatant.effects
        if effect_row(tables, e.name).escape is not None
        or (e.because and find_action(rows, e.because).escape)
    ]


def pressing_now(state: Encounter, but: str) -> list[Combatant]:
    """List those who have pressed in this turn and rolled no attack yet, without one combatant."""
    return [w for w in state.all_up() if w.id != but and w.used(PRESS) and not w.used(ATTACK)]


_OF_ITS_OWN: dict[str, Callable[[ActorSituation], str]] = {
    "first-aid": lambda now: (
        "" if any(c.life == "dying" for c in now.state.combatants) else "nobody is dying"
    ),
    "dodge": lambda now: "" if totals.speed(now.tables, now.state, now.who) else "speed 0",
    SPRINT: _why_no_sprint,
    PRESS: _why_no_press,
    OFF_HAND: _why_no_off_hand,
    "stand": lambda now: "" if now.who.named("prone") else "not prone",
    "release": GRAPPLE.why_nobody,
    "command": lambda now: "" if sheet.owned_by(now.state, now.who.id) else "controls nobody",
    "escape": lambda now: "" if escapable(now.tables, now.who) else "nothing to escape from",
    "opportunity-attack": lambda now: _why_sightless(now) and f"{_why_sightless(now)}: sees nobody",
    "fall-back": lambda now: (
        "" if pressing_now(now.state, now.who.id) else "nobody presses the attack now"
    ),
    "block": lambda now: "" if now.who.used(*CAN_BLOCK) else "no critical hit to block",
}
"""Technique -> the reasons against that one alone."""

ECONOMY = ActionEconomy(_why_not, _price, _price_after, _spend, needs="action")


def pay_reaction(
    ctx: Context, combatant: Combatant, what: str, as_of: Encounter | None = None
) -> None:
    """Pay a reaction outside of the tables, or one paid `as_of` an earlier moment.

    Raises Refused with the reason.
    """
    state, cost = as_of or ctx.state, {"reaction": 1}
    now, fights = ActorSituation(ctx.tables, state, state[combatant.id]), state.phase == "combat"
    why_not = fights and (_why_sprinting(now, cost) or actions.why_unaffordable(now, cost))
    reason = now.forbids("react") or why_not
    if reason:
        raise Refused(f"{combatant.name} can't react: {reason}")
    if fights:
        actions.pay_tracks(ctx, combatant.id, what, cost)


# -- turns -----------------------------------------------------------------------------------------


def on_turn_start(ctx: Context, combatant_id: str) -> None:
    """All that a turn is paid with is back, and nothing of it is begun (rules file, 1.3)."""
    combatant = ctx.state[combatant_id]
    for track in TURN:
        if track in combatant.tracks:
            actions.reset_turn_track(ctx, combatant_id, track, int(ctx.tables.economy[track]))
    if "attacks" in combatant.tracks:
        actions.reset_turn_track(ctx, combatant_id, "attacks", 0)
        attacks = sheet.attacks_at_once(combatant)
        actions.reset_turn_track(
            ctx, combatant_id, "off_hand", 0, sheet.off_hand_at_once(combatant.kind, attacks)
        )
        speed = totals.speed(ctx.tables, ctx.state, combatant)
        actions.reset_turn_track(ctx, combatant_id, "movement", speed, speed)
    if sheet.LEGENDARY in combatant.tracks:
        top = combatant.tracks[sheet.LEGENDARY].max or 0
        actions.reset_turn_track(ctx, combatant_id, sheet.LEGENDARY, top)


def settle_movement(ctx: Context, combatant: Combatant) -> None:
    """Movement that is left grows and shrinks with the speed (rules file, 3.3)."""
    track = combatant.tracks.get("movement")
    if track is None:
        return
    speed = totals.speed(ctx.tables, ctx.state, combatant)
    if speed != track.max:
        actions.reset_turn_track(
            ctx, combatant.id, "movement", max(0, track.value + speed - (track.max or 0)), speed
        )
