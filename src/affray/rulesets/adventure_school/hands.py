"""What is in somebody's hands: weapons wielded, one in each, lost, and loaded again.

Seed 001: Dual Wielding, Disarm, Reload; rules file, 4.2, 4.3 and 6.8.
"""

from __future__ import annotations

from collections import Counter
from typing import Annotated

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.effects import end, end_named
from affray.core.heart.events import Adjusted
from affray.core.heart.state import Combatant
from affray.core.language import arguments
from affray.core.language.declared import Argument, Reading
from affray.core.language.refusal import Refused, listed
from affray.core.language.words import Word
from affray.rulekit.acts import Pay
from affray.rulekit.doing import Declared
from affray.rulekit.placing import begin
from affray.rulekit.recorded import words_of
from affray.rulesets.adventure_school import sheet
from affray.rulesets.adventure_school.economy import pay_by_move
from affray.rulesets.adventure_school.sheet import Attack

DUAL_WIELDING, WIELDS = "dual-wielding", "wields"
"""The effect of a weapon in each hand; the stat that names what is in hand, once that is said."""
UNLOADED, DISARMED = "unloaded", "disarmed"


def _weapons(reading: Reading) -> dict[str, Attack]:
    return {attack.name: attack for attack in sheet.attacks_of(reading.ctx.actor())}


WEAPON = arguments.called("an attack of its own", _weapons, asks="weapon")


def _read_hands(reading: Reading) -> list[Attack]:
    words, row = reading.words, sheet.weapons_of(reading.ctx.actor())
    said = [Word(name) for name in words.next("what is wielded", row).split(",")]
    if len(said) > 2:
        words.back()
        raise words.refuse("expected one weapon, or one for each hand: dagger,hatchet")
    words.insert(said)
    return [WEAPON.read(reading) for _ in said]


class Wield(Struct, frozen=True):
    """`wield WEAPON[,WEAPON]`."""

    weapons: Annotated[list[Attack], Argument(_read_hands, "WEAPON[,WEAPON]", asks="text:weapon")]


def wield(ctx: Context, said: Wield, who: Combatant, pay: Pay) -> None:
    """Have a weapon in hand, or one in each: two attacks, at a price (4.2). What was lost is picked
    up for 5 ft. of movement (5.6, 6.8)."""
    hands, is_dual = [weapon.name for weapon in said.weapons], len(said.weapons) > 1
    for weapon in said.weapons:
        if is_dual and weapon.two_handed:
            raise Refused(f"{weapon.name} takes two hands")
    if who.track("attacks"):
        raise Refused(f"{who.name} is in the middle of an attack action")
    lying = [lost for lost in who.all_named(DISARMED) if lost.note in hands]
    if any(effect.type for effect in lying):
        raise Refused(f"{listed([e.note for e in lying], 'and')} is held by somebody else")
    pay({"movement": int(ctx.tables.economy["pick_up"]) * len(lying)})
    for effect in lying:
        end(ctx, who.id, effect.id, "picked up")
    end_named(ctx, who.id, DUAL_WIELDING, "something else is wielded")
    ctx.emit(Adjusted(who.id, WIELDS, hands))
    if is_dual:
        worse = () if is_trained(who) else ("weapon",)
        begin(ctx, who.id, DUAL_WIELDING, note=", ".join(hands), disadvantage=worse)
    ctx.text = f"{who.name} wields {listed(hands, 'and')}"


def settled(ctx: Context, who: str) -> None:
    """Whoever has lost a weapon has none in that hand any more."""
    hands = words_of(ctx.state[who], WIELDS)
    if any(lost.note.casefold() in hands for lost in ctx.state[who].all_named(DISARMED)):
        end_named(ctx, who, DUAL_WIELDING, "disarmed")


def is_trained(who: Combatant) -> bool:
    """Whether a weapon in each hand is no hindrance to it: it has learned that (4.2)."""
    return bool(who.stats.get(DUAL_WIELDING))


def usual_weapon(who: Combatant) -> Attack:
    """What it attacks with unless something else is said: what is in hand, of two what has yet to
    be used; else its first attack. Of who has none all must be said."""
    known = sheet.attacks_of(who)
    hands = list(waiting(who)) or words_of(who, WIELDS)
    in_hand = (attack for attack in known if attack.name.casefold() in hands)
    return next(in_hand, known[0] if known else Attack("attack", 0))


def waiting(who: Combatant) -> Counter[str]:
    """The weapons, one in each hand, of which the attack of this attack action is still to come."""
    hands = words_of(who, WIELDS) if who.named(DUAL_WIELDING) is not None else ()
    return Counter(hands) - Counter({name: who.used(f"attack with {name}") for name in hands})


class Reload(Struct, frozen=True):
    """`reload [move] [WEAPON]`."""

    weapon: Annotated[Attack | None, WEAPON] = None
    move: Annotated[bool, arguments.flag(heard="move")] = False


def reload(ctx: Context, said: Reload, who: Combatant, pay: Pay) -> None:
    """Load a weapon again, with the action or the whole move (rules file, 4.3)."""
    asked = said.weapon.name if said.weapon else ""
    unloaded = [each for each in who.all_named(UNLOADED) if asked in ("", each.note)]
    if not unloaded:
        raise Refused(f"{who.name} has nothing to reload")
    if said.move:
        pay_by_move(ctx, who, pay)
    else:
        pay()
    end(ctx, who.id, unloaded[0].id, "reloaded")
    ctx.text = f"{who.name} reloads {unloaded[0].note}"


ACTS = {"wield": Declared(Wield, wield), "reload": Declared(Reload, reload)}
