"""What comes of gear: AC, load, what is in hand, and what nobody could wield or carry.

Seed 004: Armor Class, Equipment Proficiencies, Weight & Carrying Capacity, Loadout.
"""

from __future__ import annotations

from functools import lru_cache

from affray.core.heart.decide import Context
from affray.core.heart.effects import end_named
from affray.core.heart.state import MOST_KEPT, Combatant
from affray.core.language.ids import hyphened
from affray.core.language.refusal import Refused
from affray.core.rules.tables import Tables
from affray.rulekit import recorded
from affray.rulekit.numbers import Part, Situation
from affray.rulekit.placing import begin
from affray.rulesets.monsters_and_magic import sheet
from affray.rulesets.monsters_and_magic.sheet import Armor, Attack, Loadout, Thing

MOST_LOADOUTS = 2
ENCUMBERED = "encumbered"


def keeps_gear(who: Combatant, total: str = "") -> bool:
    """Whether a sheet says anything of what is worn, wielded or carried."""
    return not who.stats.keys().isdisjoint((sheet.ITEMS, sheet.LOADOUTS, sheet.ARMOR, sheet.GOLD))


def is_proficient(who: Combatant, kind: str) -> bool:
    """Whether somebody is proficient with a kind of weapon or armour (Equipment Proficiencies).

    All characters are with simple weapons, and with everything unless the sheet says with what.
    """
    is_limited = who.kind == "pc" and sheet.PROFICIENT in who.stats
    if not is_limited or kind in ("", "simple", sheet.NO_ARMOR):
        return True
    return kind in recorded.words_of(who, sheet.PROFICIENT)


# -- AC --------------------------------------------------------------------------------------------


@lru_cache(maxsize=MOST_KEPT)
def protecting(who: Combatant) -> tuple[Armor, ...]:
    """The armour that is worn, and the shields in hand."""
    have = recorded.rows_of(who, sheet.ARMOR, Armor)
    worn = [each for each in have if each.kind != sheet.SHIELD][-1:]
    hands = in_hand(who)
    shields = [s for s in have if s.kind == sheet.SHIELD and hyphened(s.name) in hands]
    return (*worn, *shields)


def armor_parts(here: Situation, total: str) -> list[Part]:
    """The parts of an AC: the sheet's own, armour and shield, CUNNING (Armor Class).

    Half is what they are worth without proficiency, rounded down.
    """
    who, own = here.who, Part(here.who.number("ac"), "own AC", of="ac")
    if sheet.ARMOR not in who.stats:
        return [own]
    kinds = here.tables.economy[sheet.ARMOR]
    worn = protecting(who)
    parts = [own] if own.amount else []
    parts += [_protection(who, each) for each in worn if each.ac]
    if all(kinds.get(each.kind, {}).get("cunning") for each in worn):
        parts.append(Part(who.number("cunning"), "CUNNING", of="cunning"))
    return parts


def _protection(who: Combatant, armor: Armor) -> Part:
    if is_proficient(who, armor.kind):
        return Part(armor.ac, armor.name)
    return Part(armor.ac // 2, f"{armor.name}, half without proficiency")


def unproficient_parts(here: Situation) -> list[Part]:
    """What armour and shield without proficiency take from every check, once for both."""
    worn = protecting(here.who) if sheet.ARMOR in here.who.stats else ()
    names = [each.name for each in worn if not is_proficient(here.who, each.kind)]
    penalty = -int(here.tables.economy["unproficient"])
    return [Part(penalty, f"no proficiency with {' and '.join(names)}")] if names else []


# -- load ------------------------------------------------------------------------------------------


def several(name: str, count: int) -> str:
    """`rope`, `potion ×2`."""
    return name if count == 1 else f"{name} ×{count}"


@lru_cache(maxsize=MOST_KEPT)
def _things(who: Combatant) -> tuple[Thing, ...]:
    """All that weighs something, but for gold."""
    lists = (
        recorded.rows_of(who, stat, Thing) for stat in (sheet.ARMOR, sheet.ATTACKS, sheet.ITEMS)
    )
    return tuple(thing for things in lists for thing in things if thing.weight)


def load_parts(tables: Tables, who: Combatant) -> list[Part]:
    """What is carried weighs: each thing, light ones together, and gold (Weight & Carrying)."""
    economy, things = tables.economy, _things(who)
    found = [
        Part(int(t.weight) * t.count, several(t.name, t.count))
        for t in things
        if t.weight != sheet.LIGHT
    ]
    light = sum(thing.count for thing in things if thing.weight == sheet.LIGHT)
    small = (light, economy["light_things"], "light things")
    gold = (who.number(sheet.GOLD), economy["gold"], "gold")
    return found + [Part(n // of_1, f"{n} {what}") for n, of_1, what in (small, gold) if n >= of_1]


def capacity_parts(tables: Tables, who: Combatant) -> list[Part]:
    """The most that is no burden: 10 and twice the POWER."""
    economy = tables.economy
    power = economy["capacity_by_power"] * sheet.ability(who, "power")
    return [Part(economy["capacity"], "everybody's"), Part(power, "twice POWER")]


@lru_cache(maxsize=MOST_KEPT)
def _beyond(tables: Tables, who: Combatant) -> int:
    """By how much somebody's load is more than the capacity; 0 or less for no burden."""
    load = sum(part.amount for part in load_parts(tables, who))
    return load - max(0, sum(part.amount for part in capacity_parts(tables, who)))


def settle(ctx: Context) -> None:
    """Whoever carries more than their capacity is encumbered, for as long as they do."""
    for who in filter(keeps_gear, ctx.state.combatants):
        is_burdened = _beyond(ctx.tables, who) > 0
        if is_burdened and who.named(ENCUMBERED) is None:
            begin(ctx, who.id, ENCUMBERED)
        elif not is_burdened and who.effects:
            end_named(ctx, who.id, ENCUMBERED, "carries less")


# -- in hand ---------------------------------------------------------------------------------------


def spots(tables: Tables, who: Combatant) -> int:
    """How many small things can be at hand: twice CUNNING, at least 1 (Loadout)."""
    return max(1, int(tables.economy["hand_by_cunning"]) * sheet.ability(who, "cunning"))


def loadout_in_hand(who: Combatant) -> Loadout | None:
    """The weapon loadout that is drawn; None for none."""
    return next((each for each in sheet.loadouts_of(who) if each.drawn), None)


def _drawn(who: Combatant) -> tuple[str, ...]:
    loadout = loadout_in_hand(who)
    return loadout.ids if loadout is not None else ()


def held_by(who: Combatant) -> list[str]:
    """What was retrieved and is in no loadout, as single words."""
    return _names(who, sheet.HELD)


def _names(who: Combatant, stat: str) -> list[str]:
    return [hyphened(thing.name) for thing in recorded.rows_of(who, stat, Thing)]


def in_hand(who: Combatant) -> tuple[str, ...]:
    """What somebody holds or has at hand, by single words. Without loadouts all weapons and shields
    of the sheet are in hand."""
    if sheet.LOADOUTS in who.stats:
        wielded = _drawn(who)
    else:
        wielded = (*_names(who, sheet.ARMOR), *_names(who, sheet.ATTACKS))
    small = [hyphened(item.name) for item in sheet.items_of(who) if item.hand]
    return (*wielded, *held_by(who), *small)


def weapons_of(who: Combatant) -> dict[str, Attack]:
    """The weapons and foci of a sheet, by their names as single words."""
    return {hyphened(each.name): each for each in sheet.wielded_by(who)}


def shields_of(who: Combatant) -> list[str]:
    """The shields of a sheet, as single words."""
    have = recorded.rows_of(who, sheet.ARMOR, Armor)
    return [hyphened(each.name) for each in have if each.kind == sheet.SHIELD]


def is_armed(who: Combatant) -> bool:
    """Whether a weapon or focus is in hand, of a loadout or retrieved: no other is drawn then."""
    weapons = weapons_of(who)
    return any(name in weapons for name in (*_drawn(who), *held_by(who)))


def is_ready(who: Combatant, attack: Attack) -> bool:
    """Whether an attack can be made with what is in hand: spells and one's own body always are.

    With no weapon in hand one of either loadout is drawn for it (Loadout).
    """
    if sheet.LOADOUTS not in who.stats or not attack.takes_hands:
        return True
    is_held = hyphened(attack.name) in in_hand(who)
    return is_held or (not is_armed(who) and loadout_with(who, attack.name) > 0)


def focus_in_hand(who: Combatant) -> Attack | None:
    """The focus that is held, which spell attacks are made with; None for none."""
    hands = in_hand(who) if sheet.LOADOUTS in who.stats else ()
    foci = {name: each for name, each in weapons_of(who).items() if sheet.FOCUS in each.tags}
    return next((each for name, each in foci.items() if name in hands), None)


def loadout_with(who: Combatant, name: str) -> int:
    """Which loadout holds something, from 1 on; 0 for neither."""
    found = (i for i, each in enumerate(sheet.loadouts_of(who), 1) if hyphened(name) in each.ids)
    return next(found, 0)


# -- what a sheet can't say ------------------------------------------------------------------------


def refuse_impossible(ctx: Context, who: Combatant) -> None:
    """Raises Refused for gear that nobody could have so: in hand, or by its weight."""
    if not keeps_gear(who):
        return
    refuse_in_hand(ctx, who)
    most = ctx.tables.economy["most_beyond"]
    over = _beyond(ctx.tables, who)
    if over > most:
        much = f"{over} beyond the capacity, and {most} is the most"
        raise Refused(f"{who.name} would carry {much}")


def refuse_in_hand(ctx: Context, who: Combatant) -> None:
    """Raises Refused for what two hands, and the spots beside them, have no room for."""
    items = [item for item in sheet.items_of(who) if item.hand]
    for item in items:
        if item.weight:
            only = "only what weighs nothing is kept at hand"
            raise Refused(f"{item.name} is no small thing: {only}")
        if item.hand > item.count:
            raise Refused(f"there are {item.count} of {item.name}, not {item.hand}")
    have = sum(item.hand for item in items)
    room = spots(ctx.tables, who)
    if have > room:
        raise Refused(f"{who.name} has room for {room} at hand, not {have}")
    if len(sheet.loadouts_of(who)) > MOST_LOADOUTS:
        raise Refused(f"{who.name} has {MOST_LOADOUTS} weapon loadouts at most")
    for loadout in sheet.loadouts_of(who):
        _refuse_loadout(who, loadout)


def _refuse_loadout(who: Combatant, loadout: Loadout) -> None:
    """Raises Refused for a loadout that two hands can't hold, or of what is not on the sheet."""
    weapons, shields = weapons_of(who), shields_of(who)
    for name in loadout.ids:
        if name not in weapons and name not in shields:
            raise Refused(f"there is no weapon, focus or shield called {name!r} on the sheet")
    if hyphened(loadout.primary) in shields:
        raise Refused(f"{loadout.primary} is a shield: a weapon or a focus comes first")
    both = [n for n in loadout.ids if n in weapons and sheet.TWO_HANDED in weapons[n].tags]
    if both and len(loadout.ids) > 1:
        raise Refused(f"{weapons[both[0]].name} takes both hands: it is alone in its loadout")
