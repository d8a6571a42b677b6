"""The effects of gear: AC, load, things in hand, and limits of wielding and carrying.

Monsters & Magic, Armor Class, Equipment Proficiencies, Weight & Carrying Capacity, Loadout.
"""

from __future__ import annotations

from functools import lru_cache

from affray.core.engine.effects import end_effects_named
from affray.core.engine.state import MOST_KEPT, Combatant
from affray.core.formatting.media import IN_WRITING
from affray.core.formatting.safe_text import hyphenate
from affray.core.parser.errors import Refused
from affray.core.rules.ruleset import Context
from affray.core.rules.tables import Tables
from affray.mechanics import sheet as shared_sheet
from affray.mechanics.conditions import begin_effect
from affray.mechanics.stats import CombatantSituation, StatPart
from affray.rulesets.monsters_and_magic import sheet
from affray.rulesets.monsters_and_magic.sheet import Armor, Attack, Carried, Loadout

MOST_LOADOUTS = 2
ENCUMBERED = "encumbered"


def keeps_gear(combatant: Combatant, total: str = "") -> bool:
    """True if a sheet has anything worn, wielded or carried."""
    return not combatant.stats.keys().isdisjoint(
        (sheet.ITEMS, sheet.LOADOUTS, sheet.ARMOR, sheet.GOLD)
    )


def is_proficient(combatant: Combatant, kind: str) -> bool:
    """True if somebody is proficient with a kind of weapon or armour (Equipment Proficiencies).

    All characters are with simple weapons, and with everything unless the sheet says with what.
    """
    is_limited = combatant.kind == "pc" and sheet.PROFICIENT in combatant.stats
    if not is_limited or kind in ("", "simple", sheet.NO_ARMOR):
        return True
    return kind in shared_sheet.stat_words(combatant, sheet.PROFICIENT)


# -- AC --------------------------------------------------------------------------------------------


@lru_cache(maxsize=MOST_KEPT)
def protecting(combatant: Combatant) -> tuple[Armor, ...]:
    """The armour that is worn, and the shields in hand."""
    have = shared_sheet.stat_rows(combatant, sheet.ARMOR, Armor)
    worn = [each for each in have if each.kind != sheet.SHIELD][-1:]
    hands = in_hand(combatant)
    shields = [s for s in have if s.kind == sheet.SHIELD and hyphenate(s.name) in hands]
    return (*worn, *shields)


def armor_parts(situation: CombatantSituation, total: str) -> list[StatPart]:
    """The parts of an AC: the sheet's own, armour and shield, CUNNING (Armor Class).

    Half is what they are worth without proficiency, rounded down.
    """
    combatant, own = situation.who, StatPart(situation.who.number("ac"), "own AC", of="ac")
    if sheet.ARMOR not in combatant.stats:
        return [own]
    kinds = situation.tables.economy[sheet.ARMOR]
    worn = protecting(combatant)
    parts = [own] if own.amount else []
    parts += [_protection(combatant, each) for each in worn if each.ac]
    if all(kinds.get(each.kind, {}).get("cunning") for each in worn):
        parts.append(StatPart(combatant.number("cunning"), "CUNNING", of="cunning"))
    return parts


def _protection(combatant: Combatant, armor: Armor) -> StatPart:
    if is_proficient(combatant, armor.kind):
        return StatPart(armor.ac, armor.name)
    return StatPart(armor.ac // 2, f"{armor.name}, half without proficiency")


def unproficient_parts(situation: CombatantSituation) -> list[StatPart]:
    """The penalty of armour and shield without proficiency to every check, once for both."""
    worn = protecting(situation.who) if sheet.ARMOR in situation.who.stats else ()
    names = [each.name for each in worn if not is_proficient(situation.who, each.kind)]
    penalty = -int(situation.tables.economy["unproficient"])
    return [StatPart(penalty, f"no proficiency with {' and '.join(names)}")] if names else []


# -- load ------------------------------------------------------------------------------------------


@lru_cache(maxsize=MOST_KEPT)
def _things(combatant: Combatant) -> tuple[Carried, ...]:
    """The things that weigh something, except gold."""
    lists = (
        shared_sheet.stat_rows(combatant, stat, Carried)
        for stat in (sheet.ARMOR, sheet.ATTACKS, sheet.ITEMS)
    )
    return tuple(thing for things in lists for thing in things if thing.weight)


def load_parts(tables: Tables, combatant: Combatant) -> list[StatPart]:
    """The weights of everything carried: each thing, light ones together, and gold (Weight &
    Carrying)."""
    economy, things = tables.economy, _things(combatant)
    found = [
        StatPart(int(t.weight) * t.count, IN_WRITING.counted(t.name, t.count))
        for t in things
        if t.weight != sheet.LIGHT
    ]
    light = sum(thing.count for thing in things if thing.weight == sheet.LIGHT)
    small = (light, economy["light_things"], "light things")
    gold = (combatant.number(sheet.GOLD), economy["gold"], "gold")
    return found + [
        StatPart(n // of_1, f"{n} {what}") for n, of_1, what in (small, gold) if n >= of_1
    ]


def capacity_parts(tables: Tables, combatant: Combatant) -> list[StatPart]:
    """The most that is no burden: 10 and twice the POWER."""
    economy = tables.economy
    power = economy["capacity_by_power"] * sheet.ability(combatant, "power")
    return [StatPart(economy["capacity"], "everybody's"), StatPart(power, "twice POWER")]


@lru_cache(maxsize=MOST_KEPT)
def _overload(tables: Tables, combatant: Combatant) -> int:
    """The amount by which a load exceeds the capacity; 0 or less for no burden."""
    load = sum(part.amount for part in load_parts(tables, combatant))
    return load - max(0, sum(part.amount for part in capacity_parts(tables, combatant)))


def settle(ctx: Context) -> None:
    """Encumber those who carry more than their capacity, for as long as they do."""
    for combatant in filter(keeps_gear, ctx.state.combatants):
        is_burdened = _overload(ctx.tables, combatant) > 0
        if is_burdened and combatant.named(ENCUMBERED) is None:
            begin_effect(ctx, combatant.id, ENCUMBERED)
        elif not is_burdened and combatant.effects:
            end_effects_named(ctx, combatant.id, ENCUMBERED, "carries less")


# -- in hand ---------------------------------------------------------------------------------------


def spots(tables: Tables, combatant: Combatant) -> int:
    """The number of small things that can be at hand: twice CUNNING, at least 1 (Loadout)."""
    return max(1, int(tables.economy["hand_by_cunning"]) * sheet.ability(combatant, "cunning"))


def loadout_in_hand(combatant: Combatant) -> Loadout | None:
    """The drawn weapon loadout; None for none."""
    return next((each for each in sheet.loadouts_of(combatant) if each.drawn), None)


def _drawn(combatant: Combatant) -> tuple[str, ...]:
    loadout = loadout_in_hand(combatant)
    return loadout.ids if loadout is not None else ()


def held_items(combatant: Combatant) -> list[str]:
    """The things that were retrieved and are in no loadout, as single words."""
    return _names(combatant, sheet.HELD)


def _names(combatant: Combatant, stat: str) -> list[str]:
    return [hyphenate(thing.name) for thing in shared_sheet.stat_rows(combatant, stat, Carried)]


def in_hand(combatant: Combatant) -> tuple[str, ...]:
    """The things held or at hand, as single words. Without loadouts all weapons and shields of the
    sheet are in hand."""
    if sheet.LOADOUTS in combatant.stats:
        wielded = _drawn(combatant)
    else:
        wielded = (*_names(combatant, sheet.ARMOR), *_names(combatant, sheet.ATTACKS))
    small = [hyphenate(item.name) for item in sheet.items_of(combatant) if item.hand]
    return (*wielded, *held_items(combatant), *small)


def weapons_of(combatant: Combatant) -> dict[str, Attack]:
    """The weapons and foci of a sheet, by their names as single words."""
    return {hyphenate(each.name): each for each in sheet.wielded_by(combatant)}


def shields_of(combatant: Combatant) -> list[str]:
    """The shields of a sheet, as single words."""
    have = shared_sheet.stat_rows(combatant, sheet.ARMOR, Armor)
    return [hyphenate(each.name) for each in have if each.kind == sheet.SHIELD]


def is_armed(combatant: Combatant) -> bool:
    """True if a weapon or focus is in hand, of a loadout or retrieved: no other is drawn then."""
    weapons = weapons_of(combatant)
    return any(name in weapons for name in (*_drawn(combatant), *held_items(combatant)))


def is_ready(combatant: Combatant, attack: Attack) -> bool:
    """True if an attack can be made with what is in hand: spells and one's own body always are.

    With no weapon in hand one of either loadout is drawn for it (Loadout).
    """
    if sheet.LOADOUTS not in combatant.stats or not attack.takes_hands:
        return True
    is_held = hyphenate(attack.name) in in_hand(combatant)
    return is_held or (not is_armed(combatant) and loadout_with(combatant, attack.name) > 0)


def focus_in_hand(combatant: Combatant) -> Attack | None:
    """The focus in hand, used by spell attacks; None for none."""
    hands = in_hand(combatant) if sheet.LOADOUTS in combatant.stats else ()
    foci = {name: each for name, each in weapons_of(combatant).items() if sheet.FOCUS in each.tags}
    return next((each for name, each in foci.items() if name in hands), None)


def loadout_with(combatant: Combatant, name: str) -> int:
    """The number of the loadout that holds something, from 1 on; 0 for neither."""
    found = (
        i for i, each in enumerate(sheet.loadouts_of(combatant), 1) if hyphenate(name) in each.ids
    )
    return next(found, 0)


# -- what a sheet can't say ------------------------------------------------------------------------


def refuse_impossible(ctx: Context, combatant: Combatant) -> None:
    """Raises Refused for gear that nobody could have so: in hand, or by its weight."""
    if not keeps_gear(combatant):
        return
    refuse_in_hand(ctx, combatant)
    most = ctx.tables.economy["most_beyond"]
    over = _overload(ctx.tables, combatant)
    if over > most:
        amount = f"{over} beyond the capacity, and {most} is the most"
        raise Refused(f"{combatant.name} would carry {amount}")


def refuse_in_hand(ctx: Context, combatant: Combatant) -> None:
    """Raises Refused for more than two hands, and the places at hand, have room for."""
    items = [item for item in sheet.items_of(combatant) if item.hand]
    for item in items:
        if item.weight:
            only = "only things that weigh nothing can be kept at hand"
            raise Refused(f"{item.name} is no small thing: {only}")
        if item.hand > item.count:
            raise Refused(f"there are {item.count} of {item.name}, not {item.hand}")
    have = sum(item.hand for item in items)
    room = spots(ctx.tables, combatant)
    if have > room:
        raise Refused(f"{combatant.name} has room for {room} at hand, not {have}")
    if len(sheet.loadouts_of(combatant)) > MOST_LOADOUTS:
        raise Refused(f"{combatant.name} has {MOST_LOADOUTS} weapon loadouts at most")
    for loadout in sheet.loadouts_of(combatant):
        _refuse_loadout(combatant, loadout)


def _refuse_loadout(combatant: Combatant, loadout: Loadout) -> None:
    """Raises Refused for a loadout that two hands can't hold, or of things not on the sheet."""
    weapons, shields = weapons_of(combatant), shields_of(combatant)
    for name in loadout.ids:
        if name not in weapons and name not in shields:
            raise Refused(f"there is no weapon, focus or shield called {name!r} on the sheet")
    if hyphenate(loadout.primary) in shields:
        raise Refused(f"{loadout.primary} is a shield: name a weapon or a focus first")
    both = [n for n in loadout.ids if n in weapons and sheet.TWO_HANDED in weapons[n].tags]
    if both and len(loadout.ids) > 1:
        raise Refused(f"{weapons[both[0]].name} takes both hands: it is alone in its loadout")
