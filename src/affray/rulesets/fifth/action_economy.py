"""5e: how a turn is paid for: prices, refusals, the start of a turn.

SRD 5.2.1, Your Turn, Actions, Properties: Light, Legendary Actions.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from affray.core.engine.state import Combatant, Encounter
from affray.core.rules.ruleset import Context
from affray.mechanics import actions
from affray.mechanics.actions import ActionEconomy, ActorSituation, Cost
from affray.rulesets.fifth import checks, lairs, sheet
from affray.rulesets.fifth.sheet import Attack, is_2014, mastery_of
from affray.rulesets.srd import action_economy as economy
from affray.rulesets.srd.action_economy import OFF_HAND, STAND
from affray.rulesets.srd.sheet import LEGENDARY

CLEAVE, DASH, DISENGAGE, DODGE, MOVE = "cleave", "dash", "disengage", "dodge", "move"
MOUNT, DISMOUNT = "mount", "dismount"
CONTROLLED = "controlled"
"""The note of a mount that acts as its rider wants."""
_AS_CONTROLLED = (MOVE, DASH, DISENGAGE, DODGE, STAND, "release")
_ANY_TIME = ("release", "drop-prone", "drop", CLEAVE)
_MOVEMENT = (MOVE, STAND, "drop-prone", MOUNT, DISMOUNT)
"""The techniques that are movement: possible for the incapacitated, unless their Speed is 0."""
ONE_LEGENDARY = "legendary action"
"""Counted for the turn in which somebody legendary acted."""


def with_weapon(name: str) -> str:
    """The key by which attacks of the Attack action with a weapon are counted in a turn."""
    return f"attack with {name}"


# -- off-hand attacks ------------------------------------------------------------------------------


def weapons_used(combatant: Combatant) -> list[Attack]:
    """The light weapons with which it took the Attack action in this turn."""
    own = sheet.attacks_of(combatant)
    return [a for a in own if a.light and combatant.used(with_weapon(a.name))]


def off_hand_weapons(combatant: Combatant, melee_only: bool) -> list[Attack]:
    """The light weapons for an off-hand attack, by the rules of 2014 `melee_only`; a second one of
    the kind that was used comes last."""
    held = (a for a in sheet.attacks_of(combatant) if a.light)
    fit = [a for a in held if a.reach == "melee" or not melee_only]
    return sorted(fit, key=lambda a: is_second(combatant, a))


def is_second(combatant: Combatant, weapon: Attack) -> bool:
    """True if a weapon is a second one of the only kind that was used."""
    return [a.name for a in weapons_used(combatant)] == [weapon.name]


def off_hand_cost(combatant: Combatant, weapon: Attack, is_old: bool) -> Cost:
    """The bonus action, or nothing if either weapon has nick (ruling 13)."""
    nick = any("nick" in mastery_of(a) for a in (weapon, *weapons_used(combatant)))
    return {} if nick and not is_old else {"bonus_action": 1}


def hit_with(state: Encounter, weapon: str) -> str:
    """The key by which melee hits with a weapon are counted in this turn."""
    return in_this_turn(state, f"melee hit with {weapon}")


def cleaving(state: Encounter, combatant: Combatant) -> list[Attack]:
    """The cleaving weapons that hit in melee this turn, whoever's turn it is."""
    own = (a for a in sheet.attacks_of(combatant) if "cleave" in a.mastery)
    return [a for a in own if combatant.used(hit_with(state, a.name))]


def _why_no_cleave(now: ActorSituation) -> str:
    if now.who.used(in_this_turn(now.state, CLEAVE)):
        return "once a turn"
    return "" if cleaving(now.state, now.who) else "no melee hit to cleave on"


# -- prices ----------------------------------------------------------------------------------------


def half_speed(now: ActorSituation) -> int:
    """Half of the Speed, rounded down."""
    return checks.speed(now.tables, now.state, now.who) // 2


def _price(now: ActorSituation, name: str) -> Cost:
    if name == OFF_HAND:
        is_old = is_2014(now.state)
        weapon = next(iter(off_hand_weapons(now.who, is_old)), None)
        return off_hand_cost(now.who, weapon, is_old) if weapon else {"bonus_action": 1}
    if name in (STAND, MOUNT, DISMOUNT):
        return {"movement": half_speed(now)}
    return economy.price(now, name)


def _spend(ctx: Context, combatant_id: str, name: str, cost: Cost) -> None:
    if name == OFF_HAND:
        actions.pay_tracks(ctx, combatant_id, name, cost)
        actions.reset_turn_track(ctx, combatant_id, "off_hand", 0)
    else:
        economy.spend(ctx, combatant_id, name, cost)


def _after(now: ActorSituation, name: str, cost: Cost) -> Cost:
    return {} if name == OFF_HAND else economy.price_after(now, name, cost)


# -- why not ---------------------------------------------------------------------------------------


def _why_not(now: ActorSituation, name: str, cost: Cost) -> str:
    row = now.tables.techniques[name]
    is_legendary = LEGENDARY in cost
    if "reaction" in cost:  # as a spell and a power may
        row = replace(row, reaction=True)
    why = (
        actions.why_forbidden(now, row, *(("move", "move") if name in _MOVEMENT else ()))
        or now.forbids(name)
        or _why_surprised(now)
        or lairs.why_not(now, cost)
        or (_why_not_legendary(now, cost) if is_legendary else "")
        or ("" if name in _ANY_TIME or is_legendary else actions.why_not_their_turn(now, row))
        or _why_controlled(now, name)
        or (_OF_ITS_OWN[name](now) if name in _OF_ITS_OWN else "")
    )
    if why or not now.state.in_combat:
        return why
    return actions.why_used_up(now, name) or actions.why_unaffordable(now, cost)


def _why_surprised(now: ActorSituation) -> str:
    """The reason why the surprised do nothing before their first turn is over, by the rules of
    2014."""
    return "surprised" if is_2014(now.state) and now.who.named("surprised") else ""


def _why_not_legendary(now: ActorSituation, cost: Cost) -> str:
    """The reason why a legendary action can't be used: only in somebody else's turn, once in each
    (ruling 19)."""
    if not now.state.in_combat:
        return ""
    if now.state.takes_turn(now.who.id):
        return "only in somebody else's turn"
    return "once in each turn" if now.who.used(in_this_turn(now.state, ONE_LEGENDARY)) else ""


def in_this_turn(state: Encounter, what: str) -> str:
    """The key for counting uses in this turn, even somebody else's."""
    return f"{what} {state.round} {state.turn}"


def _why_controlled(now: ActorSituation, name: str) -> str:
    """A controlled mount only moves, dashes, disengages and dodges."""
    is_mount = any(
        effect.source == now.who.id and effect.note == CONTROLLED
        for each in now.state.bearers("mounted")
        for effect in each.all_named("mounted")
    )
    return "a controlled mount" if is_mount and name not in _AS_CONTROLLED else ""


def _why_no_off_hand(now: ActorSituation) -> str:
    if not now.state.in_combat:
        return ""
    if not weapons_used(now.who):
        return "no attack with a light weapon this turn"
    if not off_hand_weapons(now.who, is_2014(now.state)):
        return "no other weapon is light"
    return "" if now.who.track("off_hand") else "once a turn"


def _why_speedless(now: ActorSituation) -> str:
    return "" if checks.speed(now.tables, now.state, now.who) else "Speed 0"


def _why_not_mounted(now: ActorSituation) -> str:
    return "" if now.who.named("mounted") else "not mounted"


_OF_ITS_OWN: dict[str, Callable[[ActorSituation], str]] = {
    **economy.OWN_REASONS,
    "first-aid": lambda now: (
        ""
        if any(c.life in ("dying", "unconscious") for c in now.state.combatants)
        else "nobody is dying"
    ),
    OFF_HAND: _why_no_off_hand,
    CLEAVE: _why_no_cleave,
    STAND: lambda now: _why_speedless(now) if now.who.named("prone") else "not prone",
    "drop-prone": lambda now: "prone already" if now.who.named("prone") else _why_speedless(now),
    DODGE: _why_speedless,
    "drop": lambda now: "" if now.who.named("concentrating") else "not concentrating",
    DISMOUNT: _why_not_mounted,
    MOUNT: lambda now: "mounted already" if now.who.named("mounted") else _why_speedless(now),
    "power": lambda now: "" if now.who.side == "world" or sheet.powers_of(now.who) else "has none",
}
"""Technique -> the reason against that one alone."""

ECONOMY = ActionEconomy(_why_not, _price, _after, _spend, needs="action")


def pay_reaction(ctx: Context, combatant: Combatant, what: str) -> None:
    """Pay a reaction outside of the tables. Raises Refused with the reason."""

    def why_not(now: ActorSituation, cost: Cost) -> str:
        return _why_surprised(now) or actions.why_unaffordable(now, cost)

    economy.pay_reaction(ctx, combatant, what, why_not=why_not)


# -- turns -----------------------------------------------------------------------------------------


def on_turn_start(ctx: Context, combatant_id: str) -> None:
    """Restore the actions of a turn, and let everybody use a slot again."""
    combatant = ctx.state[combatant_id]
    feet = checks.movement(ctx.tables, ctx.state, combatant) if combatant.tracks else 0
    economy.on_turn_start(ctx, combatant_id, feet, 1)
    if lairs.LAIR_ACTION in combatant.tracks:
        actions.reset_turn_track(ctx, combatant_id, lairs.LAIR_ACTION, 1)
    for each in ctx.state.combatants:
        if "turn_slot" in each.tracks:
            actions.reset_turn_track(ctx, each.id, "turn_slot", 1)
