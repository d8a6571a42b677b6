"""What somebody wears, wields and carries, as their sheet has it, and what comes of it.

    armor      what is worn, the last that is no shield; and shields, which count while in hand
    loadouts   the weapon loadouts, each a primary and perhaps a secondary; one may be drawn
    items      everything else: how many, and of what is small how many are at hand
    held       what was retrieved and is in none of these: a weapon, a thing of some weight
    proficient the kinds of weapons and armour that one is proficient with

Whoever has none of these on the sheet is not asked about them. Seed 004: Armor Class, Equipment
Proficiencies, Weight & Carrying Capacity, Loadout.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Annotated

from msgspec import Struct

from affray.core.heart.state import MOST_KEPT, Combatant
from affray.core.language import arguments
from affray.core.language.declared import Argument, Reading
from affray.core.language.ids import hyphened
from affray.core.language.words import Words
from affray.core.rules.gear import Weight
from affray.core.rules.tables import Tables
from affray.rulekit import recorded
from affray.rulekit.numbers import Part, Situation

if TYPE_CHECKING:
    from affray.rulesets.monsters_and_magic.creatures import Attack

ARMOR, ATTACKS, ITEMS, LOADOUTS = "armor", "attacks", "items", "loadouts"
HELD, PROFICIENT, GOLD = "held", "proficient", "gold"
LIGHT, SHIELD, NO_ARMOR = "light", "shield", "none"
TWO_HANDED, FOCUS, NATURAL = "two-handed", "focus", "natural"
"""What an attack's tags say of the hands: both, a focus for spells, none but one's own body."""
SIMPLE = "simple"
"""The kind of weapons with which all characters are proficient."""
MOST_LOADOUTS = 2


def ability(who: Combatant, name: str) -> int:
    """An ability; a monster has its challenge rating in place of each (Abilities)."""
    return who.number(name if who.kind == "pc" else "cr")


# -- as a sheet says it ----------------------------------------------------------------------------


def _weight(reading: Reading) -> Weight:
    words = reading.words
    return "light" if words.take(LIGHT) else words.number("its weight, or light", -99, 999)


WEIGHT = arguments.clause("weight", Argument(_weight, "N|light"))


def _is_count(word: str) -> bool:
    return word[:1] == "x" and word[1:].isdecimal() and len(word) <= 4


def read_count(words: Words, usual: int = 1) -> int:
    """Read how many, `x3`; the usual where none stands."""
    return int(words.next("how many")[1:]) if _is_count(words.peek()) else usual


COUNT = Argument(lambda r: read_count(r.words), "xN", lambda r: _is_count(r.words.peek()))


def several(name: str, count: int) -> str:
    """`rope`, `potion ×2`."""
    return name if count == 1 else f"{name} ×{count}"


class Armor(Struct, frozen=True, omit_defaults=True):
    """Armour or a shield, of one of the kinds of `economy.armor`."""

    name: Annotated[str, arguments.name("the armour's name, or `none`")]
    kind: Annotated[
        str, arguments.choice("its kind", lambda r: r.ctx.tables.economy[ARMOR], "KIND")
    ] = NO_ARMOR
    ac: Annotated[int, arguments.clause("ac", arguments.number("its AC", 0, 99))] = 0
    weight: Annotated[Weight, WEIGHT] = 0


class Item(Struct, frozen=True, omit_defaults=True):
    """Something carried.

    hand  how many of it are at hand
    ap    what using it costs in all; 0 for the usual price
    kept  whether it is still there when it has been used
    """

    name: Annotated[str, arguments.name("the item's name")]
    count: Annotated[int, COUNT] = 1
    weight: Annotated[Weight, WEIGHT] = 0
    hand: Annotated[int, arguments.clause("hand", arguments.number("how many at hand"))] = 0
    ap: Annotated[int, arguments.clause("ap", arguments.number("its AP in all", 1, 9))] = 0
    kept: Annotated[bool, arguments.flag()] = False
    text: Annotated[str, arguments.clause("text", arguments.text("what it does"))] = ""


class Loadout(Struct, frozen=True, omit_defaults=True):
    """What both hands hold: a weapon or focus, and beside a one-handed one another, or a shield;
    whether that is in hand. The primary is empty where it was laid down, and the shield was not."""

    primary: Annotated[str, arguments.text("a weapon or focus", usage="PRIMARY")]
    secondary: Annotated[
        str, arguments.text("what the other hand holds", usage="SECONDARY", asks="text:what")
    ] = ""
    drawn: Annotated[bool, arguments.flag()] = False

    def __str__(self) -> str:
        """In words: `axe + round shield`."""
        return " + ".join(filter(None, (self.primary, self.secondary)))

    @property
    def ids(self) -> tuple[str, ...]:
        """What it holds."""
        return tuple(hyphened(name) for name in (self.primary, self.secondary) if name)


class Thing(Struct, frozen=True, omit_defaults=True):
    """What anything on a sheet is, for its weight."""

    name: str
    weight: Weight = 0
    count: int = 1


class Wielded(Struct, frozen=True):
    """What an attack on a sheet is for the hand that holds it: a weapon, a focus or both."""

    name: str
    tags: tuple[str, ...] = ()
    kind: str = ""


def keeps_gear(who: Combatant, total: str = "") -> bool:
    """Whether a sheet says anything of what is worn, wielded or carried."""
    stats = who.stats
    return ITEMS in stats or LOADOUTS in stats or ARMOR in stats or GOLD in stats


@lru_cache(maxsize=MOST_KEPT)
def items_of(who: Combatant) -> tuple[Item, ...]:
    """What somebody carries beside what is worn and wielded."""
    return tuple(item for item in recorded.rows_of(who, ITEMS, Item) if item.count > 0)


@lru_cache(maxsize=MOST_KEPT)
def loadouts_of(who: Combatant) -> tuple[Loadout, ...]:
    """Somebody's weapon loadouts."""
    return tuple(recorded.rows_of(who, LOADOUTS, Loadout))


# -- proficiency -----------------------------------------------------------------------------------


def is_proficient(who: Combatant, kind: str) -> bool:
    """Whether somebody is proficient with a kind of weapon or armour (Equipment Proficiencies).

    All characters are with simple weapons, and with everything unless the sheet says with what.
    """
    if who.kind != "pc" or PROFICIENT not in who.stats or kind in ("", SIMPLE, NO_ARMOR):
        return True
    return kind in recorded.words_of(who, PROFICIENT)


# -- AC --------------------------------------------------------------------------------------------


@lru_cache(maxsize=MOST_KEPT)
def protecting(who: Combatant) -> tuple[Armor, ...]:
    """The armour that is worn, and the shields in hand."""
    have = recorded.rows_of(who, ARMOR, Armor)
    worn = [each for each in have if each.kind != SHIELD][-1:]
    hands = in_hand(who)
    return (*worn, *(each for each in have if each.kind == SHIELD and hyphened(each.name) in hands))


def armor_parts(here: Situation, total: str) -> list[Part]:
    """The parts of an AC: the sheet's own, armour and shield, CUNNING (Armor Class).

    Half is what they are worth without proficiency, rounded down.
    """
    who, own = here.who, Part(here.who.number("ac"), "own AC")
    if ARMOR not in who.stats:
        return [own]
    kinds, worn = here.tables.economy[ARMOR], protecting(who)
    parts = [own] if own.amount else []
    parts += [_protection(who, each) for each in worn if each.ac]
    if all(kinds.get(each.kind, {}).get("cunning") for each in worn):
        parts.append(Part(who.number("cunning"), "CUNNING"))
    return parts


def _protection(who: Combatant, armor: Armor) -> Part:
    if is_proficient(who, armor.kind):
        return Part(armor.ac, armor.name)
    return Part(armor.ac // 2, f"{armor.name}, half without proficiency")


def unproficient_parts(here: Situation) -> list[Part]:
    """What armour and shield without proficiency take from every check, once for both."""
    worn = protecting(here.who) if ARMOR in here.who.stats else ()
    names = [each.name for each in worn if not is_proficient(here.who, each.kind)]
    penalty = -int(here.tables.economy["unproficient"])
    return [Part(penalty, f"no proficiency with {' and '.join(names)}")] if names else []


# -- load ------------------------------------------------------------------------------------------


@lru_cache(maxsize=MOST_KEPT)
def _things(who: Combatant) -> tuple[Thing, ...]:
    """All that weighs something, but for gold."""
    return tuple(
        thing
        for stat in (ARMOR, ATTACKS, ITEMS)
        for thing in recorded.rows_of(who, stat, Thing)
        if thing.weight
    )


def load_parts(tables: Tables, who: Combatant) -> list[Part]:
    """What is carried weighs: each thing, light ones together, and gold (Weight & Carrying)."""
    economy, things = tables.economy, _things(who)
    found = [
        Part(int(t.weight) * t.count, several(t.name, t.count)) for t in things if t.weight != LIGHT
    ]
    light = sum(thing.count for thing in things if thing.weight == LIGHT)
    gold = who.number(GOLD)
    for count, a_weight, what in (
        (light, economy["light_things"], "light things"),
        (gold, economy["gold"], "gold"),
    ):
        found += [Part(count // a_weight, f"{count} {what}")] if count >= a_weight else []
    return found


def capacity_parts(tables: Tables, who: Combatant) -> list[Part]:
    """The most that is no burden: 10 and twice the POWER."""
    economy = tables.economy
    power = economy["capacity_by_power"] * ability(who, "power")
    return [Part(economy["capacity"], "everybody's"), Part(power, "twice POWER")]


@lru_cache(maxsize=MOST_KEPT)
def beyond(tables: Tables, who: Combatant) -> int:
    """By how much somebody's load is more than the capacity; 0 or less for no burden."""
    parts = (load_parts(tables, who), capacity_parts(tables, who))
    load, capacity = (sum(part.amount for part in row) for row in parts)
    return load - max(0, capacity)


# -- at hand ---------------------------------------------------------------------------------------


def spots(tables: Tables, who: Combatant) -> int:
    """How many small things can be at hand: twice CUNNING, at least 1 (Loadout)."""
    return max(1, int(tables.economy["hand_by_cunning"]) * ability(who, "cunning"))


def loadout_in_hand(who: Combatant) -> Loadout | None:
    """The weapon loadout that is drawn; None for none."""
    return next((each for each in loadouts_of(who) if each.drawn), None)


def held_by(who: Combatant) -> list[str]:
    """What was retrieved and is in no loadout, as single words."""
    return [hyphened(thing.name) for thing in recorded.rows_of(who, HELD, Thing)]


def in_hand(who: Combatant) -> tuple[str, ...]:
    """What somebody holds or has at hand, by single words. Without loadouts all weapons and shields
    of the sheet are in hand."""
    drawn = loadout_in_hand(who)
    wielded = drawn.ids if drawn is not None else ()
    if LOADOUTS not in who.stats:
        lists = (recorded.rows_of(who, stat, Thing) for stat in (ARMOR, ATTACKS))
        wielded = tuple(hyphened(thing.name) for things in lists for thing in things)
    small = (hyphened(item.name) for item in items_of(who) if item.hand)
    return (*wielded, *held_by(who), *small)


def weapons_of(who: Combatant) -> dict[str, Wielded]:
    """The weapons and foci of a sheet, by their names as single words."""
    return {hyphened(each.name): each for each in recorded.rows_of(who, ATTACKS, Wielded)}


def shields_of(who: Combatant) -> list[str]:
    """The shields of a sheet, as single words."""
    return [
        hyphened(each.name) for each in recorded.rows_of(who, ARMOR, Armor) if each.kind == SHIELD
    ]


def is_armed(who: Combatant) -> bool:
    """Whether a weapon or focus is in hand, of a loadout or retrieved: no other is drawn then."""
    drawn, weapons = loadout_in_hand(who), weapons_of(who)
    wielded = drawn.ids if drawn is not None else ()
    return any(name in weapons for name in (*wielded, *held_by(who)))


def takes_hands(attack: Attack) -> bool:
    """Whether an attack is made with a weapon, and no spell or a part of the body."""
    return not attack.is_spell and NATURAL not in attack.tags


def is_ready(who: Combatant, attack: Attack) -> bool:
    """Whether an attack can be made with what is in hand: spells and one's own body always are.

    With no weapon in hand one of either loadout is drawn for it (Loadout).
    """
    if LOADOUTS not in who.stats or not takes_hands(attack):
        return True
    is_held = hyphened(attack.name) in in_hand(who)
    return is_held or (not is_armed(who) and loadout_with(who, attack.name) > 0)


def focus_in_hand(who: Combatant) -> Wielded | None:
    """The focus that is held, which spell attacks are made with; None for none."""
    hands = in_hand(who) if LOADOUTS in who.stats else ()
    have = weapons_of(who) if hands else {}
    return next((each for name, each in have.items() if FOCUS in each.tags and name in hands), None)


def loadout_with(who: Combatant, name: str) -> int:
    """Which loadout holds something, from 1 on; 0 for neither."""
    found = (i for i, each in enumerate(loadouts_of(who), 1) if hyphened(name) in each.ids)
    return next(found, 0)


# -- what a sheet can't say ------------------------------------------------------------------------


def fault_of(tables: Tables, who: Combatant) -> str:
    """What is wrong with somebody's hands and loadouts by the rules; empty for nothing."""
    return _fault_of_hand(tables, who) or _fault_of_loadouts(who)


def _fault_of_hand(tables: Tables, who: Combatant) -> str:
    """Too many things at hand, or such as weigh something."""
    items = [item for item in items_of(who) if item.hand]
    for item in items:
        if item.weight:
            return f"{item.name} is no small thing: only what weighs nothing is kept at hand"
        if item.hand > item.count:
            return f"there are {item.count} of {item.name}, not {item.hand}"
    have, room = sum(item.hand for item in items), spots(tables, who)
    return f"{who.name} has room for {room} at hand, not {have}" if have > room else ""


def _fault_of_loadouts(who: Combatant) -> str:
    """More loadouts than two, or one that two hands can't hold."""
    have = loadouts_of(who)
    if len(have) > MOST_LOADOUTS:
        return f"{who.name} has {MOST_LOADOUTS} weapon loadouts at most"
    weapons = weapons_of(who)
    shields = shields_of(who)
    for each in have:
        unknown = next((n for n in each.ids if n not in weapons and n not in shields), "")
        if unknown:
            return f"there is no weapon, focus or shield called {unknown!r} on the sheet"
        if hyphened(each.primary) in shields:
            return f"{each.primary} is a shield: a weapon or a focus comes first"
        both = next((n for n in each.ids if n in weapons and TWO_HANDED in weapons[n].tags), "")
        if both and len(each.ids) > 1:
            return f"{weapons[both].name} takes both hands: it is alone in its loadout"
    return ""
