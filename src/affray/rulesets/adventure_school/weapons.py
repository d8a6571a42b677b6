"""Weapons in hand: which ones are wielded, and loading them.

Seed 001: Dual Wielding, Reload; rules file, 4.2 and 4.3.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.effects import end, end_named
from affray.core.heart.events import Adjusted
from affray.core.heart.state import Combatant
from affray.core.language import arguments
from affray.core.language.declared import Argument, Reading
from affray.core.language.refusal import Refused, listed
from affray.rulekit.acts import Pay
from affray.rulekit.doing import Declared
from affray.rulekit.placing import begin
from affray.rulesets.adventure_school import creatures, economy
from affray.rulesets.adventure_school.assaults import (
    DUAL_WIELDING,
    WEAPON,
    WIELDS,
    is_trained,
    weapon_said,
    wielded,
)
from affray.rulesets.adventure_school.attacks import DISARMED, UNLOADED
from affray.rulesets.adventure_school.creatures import Attack

# -- wield -----------------------------------------------------------------------------------------


def _read_weapons(reading: Reading) -> list[Attack]:
    who = reading.ctx.actor()
    said = reading.words.next("what is wielded", creatures.weapons_of(who))
    found = [weapon_said(who, name) for name in said.split(",") if name]
    if not 1 <= len(found) <= 2:
        reading.words.back()
        raise reading.words.refuse("expected one weapon, or one for each hand: dagger,hatchet")
    return found


class Wield(Struct, frozen=True):
    """`wield WEAPON[,WEAPON]`."""

    weapons: Annotated[list[Attack], Argument(_read_weapons, "WEAPON[,WEAPON]", asks="text:weapon")]


def wield(ctx: Context, said: Wield, who: Combatant, pay: Pay) -> None:
    """Have a weapon in hand, or one in each: two attacks, at a price (4.2). What was lost is picked
    up for 5 ft. of movement (5.6, 6.8)."""
    wielded_now = [weapon.name for weapon in said.weapons]
    for weapon in said.weapons if len(said.weapons) > 1 else ():
        if weapon.two_handed:
            raise Refused(f"{weapon.name} takes two hands")
    if who.track("attacks"):
        raise Refused(f"{who.name} is in the middle of an attack action")
    lying = [e for e in who.effects if e.name == DISARMED and e.note in wielded_now]
    if any(effect.type for effect in lying):
        raise Refused(f"{listed([e.note for e in lying], 'and')} is held by somebody else")
    pay({"movement": int(ctx.tables.economy["pick_up"]) * len(lying)})
    for effect in lying:
        end(ctx, who.id, effect.id, "picked up")
    end_named(ctx, who.id, DUAL_WIELDING, "something else is wielded")
    ctx.emit(Adjusted(who.id, WIELDS, wielded_now))
    if len(said.weapons) > 1:
        worse = () if is_trained(who) else ("weapon",)
        begin(ctx, who.id, DUAL_WIELDING, note=", ".join(wielded_now), disadvantage=worse)
    ctx.text = f"{who.name} wields {listed(wielded_now, 'and')}"


def settled(ctx: Context, who: str) -> None:
    """Whoever has lost a weapon has none in that hand any more."""
    lost = [e.note.casefold() for e in ctx.state[who].effects if e.name == DISARMED]
    if any(name in wielded(ctx.state[who]) for name in lost):
        end_named(ctx, who, DUAL_WIELDING, "disarmed")


# -- reload ----------------------------------------------------------------------------------------


class Reload(Struct, frozen=True):
    """`reload [move] [WEAPON]`."""

    weapon: Annotated[str, WEAPON] = ""
    move: Annotated[bool, arguments.flag(heard="move")] = False


def reload(ctx: Context, said: Reload, who: Combatant, pay: Pay) -> None:
    """Load a weapon again, with the action or the whole move (rules file, 4.3)."""
    unloaded = [effect for effect in who.effects if effect.name == UNLOADED]
    if said.weapon:
        name = weapon_said(who, said.weapon).name
        unloaded = [effect for effect in unloaded if effect.note == name]
    if not unloaded:
        raise Refused(f"{who.name} has nothing to reload")
    economy.pay_by_move(ctx, who, pay) if said.move else pay()
    end(ctx, who.id, unloaded[0].id, "reloaded")
    ctx.text = f"{who.name} reloads {unloaded[0].note}"


ACTS: dict[str, Declared] = {"wield": Declared(Wield, wield), "reload": Declared(Reload, reload)}
