"""Level Up: how a turn is paid for: prices, refusals, the start of a turn.

Level Up, Actions in Combat.
"""

from __future__ import annotations

from msgspec.structs import replace

from affray.core.engine.state import Combatant, Encounter
from affray.core.rules.ruleset import Context
from affray.core.rules.tables import TechniqueRow
from affray.mechanics import actions
from affray.mechanics.actions import ActionEconomy, ActorSituation, Cost
from affray.mechanics.sheet import present_owner
from affray.mechanics.stats import own_roll_reasons
from affray.rulesets.level_up import checks as totals, scene as world, sheet
from affray.rulesets.level_up.sheet import Attack
from affray.rulesets.srd import action_economy as economy
from affray.rulesets.srd.action_economy import ATTACK, OFF_HAND, why_sightless
from affray.rulesets.srd.sheet import LEGENDARY, attacks_at_once, owned_by

SPRINT, PRESS, TUMBLE = "sprint", "press-the-attack", "tumble"
PRESSING, FALLEN_BACK, COMMANDED = "pressing", "fallen-back", "commanded"
CAN_BLOCK = CRITICAL, BLOW = "critical", "blow"
"""The use counted from a critical hit until the next command, in which it can still be blocked."""
_ANY_TIME = ("release",)
"""The techniques that may be done in other turns as well."""


# -- prices ----------------------------------------------------------------------------------------


def _price(now: ActorSituation, name: str) -> Cost:
    """The cost of a technique; tumbling takes the bonus action while there is one (ruling 37)."""
    if name == TUMBLE and now.who.room("bonus_action") and now.who.track("action"):
        return {"action": 1}
    return economy.price(now, name)


# -- why not ---------------------------------------------------------------------------------------


def _why_not(now: ActorSituation, name: str, cost: Cost) -> str:
    row = now.tables.techniques[name]
    if "reaction" in cost or LEGENDARY in cost:  # as a spell and a maneuver may
        row = replace(row, reaction=True)
    why = (
        actions.why_forbidden(now, row)
        or now.forbids(name)
        or ("" if name in _ANY_TIME else _why_not_up(now, name, row))
        or (_OF_ITS_OWN[name](now) if name in _OF_ITS_OWN else "")
    )
    if why or not now.state.in_combat:
        return why
    again = actions.why_used_up(now, name)
    return _why_sprinting(now, cost) or again or actions.why_unaffordable(now, cost)


def _why_not_up(now: ActorSituation, name: str, row: TechniqueRow) -> str:
    """The reason why it isn't somebody's turn; a controlled creature acts in its owner's turn, if
    commanded."""
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
    """Not once an action or a bonus action was used this turn."""
    if not now.state.in_combat:
        return ""
    used = (track for track in ("action", "bonus_action") if now.who.room(track))
    return next((f"{now.tables.tracks[track].label.lower()} used" for track in used), "")


def _why_no_press(now: ActorSituation) -> str:
    """The reason why somebody can't press the attack: only with the Attack action, before its first
    roll, without disadvantage (ruling 35)."""
    worse = _why_hindered(now)
    if worse:
        return f"{worse}: disadvantage on attacks"
    if not now.state.in_combat or now.who.track("action"):
        return ""
    if not now.who.track("attacks"):
        return "no Attack action to press"
    return "an attack was rolled already" if now.who.used(ATTACK) else ""


def _why_hindered(now: ActorSituation) -> str:
    """The reason why all its attacks have disadvantage; empty for none."""
    roller = totals.situation(now.tables, now.state, now.who)
    worse = own_roll_reasons(roller, "disadvantage", ("attack",))
    weapons = sheet.attacks_of(now.who)
    scene = world.hinders_all(now.state, now.who, weapons)
    return next(iter(worse), "") or why_sightless(now) or scene


def _why_no_off_hand(now: ActorSituation) -> str:
    """After the Attack action with a weapon in one hand that isn't heavy, with another."""
    if not now.state.in_combat:
        return ""
    if not now.who.used(ATTACK):
        return "no attack this turn"
    if not off_hand_weapons(now.who):
        return "no other weapon is dual-wielding"
    return "" if weapons_used(now.who) else "only with a weapon that is heavy or takes both hands"


def off_hand_weapons(combatant: Combatant) -> list[Attack]:
    """List the dual-wielding weapons for an off-hand attack; a used one counts if there is a second
    of its kind."""
    return [a for a in sheet.attacks_of(combatant) if a.light and not a.two_handed]


def weapons_used(combatant: Combatant) -> list[str]:
    """The names of the weapons used in this Attack action, if none is heavy and each is in one
    hand."""
    attacks = (a for a in sheet.attacks_of(combatant) if not (a.heavy or a.two_handed))
    return [a.name for a in attacks if combatant.used(with_weapon(a.name))]


def with_weapon(name: str) -> str:
    """The key by which attacks with a weapon are counted in a turn."""
    return f"attack with {name}"


def pressing_now(state: Encounter, but: str) -> list[Combatant]:
    """List those who have pressed in this turn and rolled no attack yet, without one combatant."""
    return [w for w in state.all_up() if w.id != but and w.used(PRESS) and not w.used(ATTACK)]


_OF_ITS_OWN: dict[str, economy.Reason] = {
    **economy.OWN_REASONS,
    "dodge": lambda now: "" if totals.speed(now.tables, now.state, now.who) else "speed 0",
    SPRINT: _why_no_sprint,
    PRESS: _why_no_press,
    "power": lambda now: "" if now.who.side == "world" or sheet.powers_of(now.who) else "has none",
    OFF_HAND: _why_no_off_hand,
    "command": lambda now: "" if owned_by(now.state, now.who.id) else "controls nobody",
    "fall-back": lambda now: (
        "" if pressing_now(now.state, now.who.id) else "nobody presses the attack now"
    ),
    "block": lambda now: "" if now.who.used(*CAN_BLOCK) else "no critical hit to block",
}
"""Technique -> the reasons against that one alone."""

ECONOMY = ActionEconomy(_why_not, _price, economy.price_after, economy.spend, needs="action")


def pay_reaction(
    ctx: Context, combatant: Combatant, what: str, as_of: Encounter | None = None
) -> None:
    """Pay a reaction outside of the tables, or one paid `as_of` an earlier moment.

    Raises Refused with the reason.
    """

    def why_not(now: ActorSituation, cost: Cost) -> str:
        return _why_sprinting(now, cost) or actions.why_unaffordable(now, cost)

    economy.pay_reaction(ctx, combatant, what, as_of, why_not)


# -- turns -----------------------------------------------------------------------------------------


def on_turn_start(ctx: Context, combatant_id: str) -> None:
    """Restore the actions of a turn."""
    combatant = ctx.state[combatant_id]
    speed = totals.speed(ctx.tables, ctx.state, combatant) if "attacks" in combatant.tracks else 0
    off_hand = sheet.off_hand_at_once(combatant.kind, attacks_at_once(combatant))
    economy.on_turn_start(ctx, combatant_id, speed, off_hand)
