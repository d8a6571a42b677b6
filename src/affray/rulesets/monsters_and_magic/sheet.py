"""What a sheet says, as structs: attacks, armour, items, loadouts, powers, talents, spells.

    armor      what is worn, the last that is no shield; and shields, which count while in hand
    loadouts   the weapon loadouts, each a primary and perhaps a secondary; one may be drawn
    items      everything else: how many, and of what is small how many are at hand
    held       what was retrieved and is in none of these: a weapon, a thing of some weight
    proficient the kinds of weapons and armour that one is proficient with

What a sheet leaves out is not checked. Monsters & Magic, Abilities, Talents,
Equipment Proficiencies, Weight & Carrying Capacity, Loadout, Basic Techniques (Cast a Spell).
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from operator import add
from typing import Annotated

from msgspec import Struct, field
from msgspec.structs import replace

from affray.core.engine.state import MOST_KEPT, Combatant
from affray.core.formatting.media import Notation
from affray.core.formatting.safe_text import hyphenate
from affray.core.parser import arguments
from affray.core.parser.declarations import Argument, ParseState
from affray.core.parser.prompt_fields import ANY_MORE, Field
from affray.core.rules.tables import Tables, Weight
from affray.mechanics import powers, sheet
from affray.mechanics.actions import Cost
from affray.mechanics.checks import SAID_DC
from affray.mechanics.items import COUNT
from affray.rulesets.monsters_and_magic.environment import FEET

ARMOR, ATTACKS, ITEMS, LOADOUTS, HELD = "armor", "attacks", "items", "loadouts", "held"
PROFICIENT, GOLD, SPELLS, TALENTS = "proficient", "gold", "spells", "talents"
KEPT = (ARMOR, ATTACKS, ITEMS, LOADOUTS, HELD, PROFICIENT, GOLD, SPELLS, TALENTS)
"""The parts of a sheet that commands change."""
LIGHT, SHIELD, NO_ARMOR = "light", "shield", "none"
TWO_HANDED, FOCUS, NATURAL = "two-handed", "focus", "natural"
"""What an attack's tags say of the hands: both, a focus for spells, none but one's own body."""
TAGS = ("agile", "precise", "ranged", "spell", TWO_HANDED, FOCUS, NATURAL)
MOST_AP = 9
ABILITIES = ("power", "cunning", "focus", "luck")
POWER, POWERS = "power", "powers"
"""The command; and the word of a sheet, on which `power 2` is the ability, and the list there."""


def ability(combatant: Combatant, name: str) -> int:
    """An ability; a monster has its challenge rating in place of each (Abilities)."""
    return combatant.number(name if combatant.kind == "pc" else "cr")


# -- gear ------------------------------------------------------------------------------------------


def _weight(reading: ParseState) -> Weight:
    tokens = reading.words
    return "light" if tokens.take(LIGHT) else tokens.number("its weight, or light", -99, 999)


_WEIGHT = arguments.keyword_arg("weight", Argument(_weight, "N|light", field=ANY_MORE))


_KIND = arguments.choice_arg("its kind", lambda r: r.ctx.tables.economy[ARMOR], "KIND")


class Armor(Struct, frozen=True, omit_defaults=True):
    """Armour or a shield, of one of the kinds of `economy.armor`."""

    name: Annotated[str, arguments.name_arg("the armour's name, or `none`")]
    kind: Annotated[str, _KIND] = NO_ARMOR
    ac: Annotated[int, arguments.keyword_arg("ac", arguments.number_arg("its AC", 0, 99))] = 0
    weight: Annotated[Weight, _WEIGHT] = 0


class Item(Struct, frozen=True, omit_defaults=True):
    """A carried thing.

    hand  the number at hand
    ap    the whole cost of using it; 0 for the usual price
    is_reusable  True if it is still there when it has been used; typed and saved as `kept`
    """

    name: Annotated[str, arguments.name_arg("the item's name")]
    count: Annotated[int, COUNT] = 1
    weight: Annotated[Weight, _WEIGHT] = 0
    hand: Annotated[
        int, arguments.keyword_arg("hand", arguments.number_arg("the number at hand"))
    ] = 0
    ap: Annotated[
        int, arguments.keyword_arg("ap", arguments.number_arg("its AP in all", 1, MOST_AP))
    ] = 0
    is_reusable: Annotated[bool, replace(arguments.flag_arg(), keywords=("kept",))] = field(
        default=False, name="kept"
    )
    text: Annotated[str, arguments.keyword_arg("text", arguments.text_arg("a description"))] = ""


_SECONDARY = arguments.text_arg(
    "what the other hand holds", usage="SECONDARY", field=Field("text", ("what",))
)


class Loadout(Struct, frozen=True, omit_defaults=True):
    """A loadout of both hands: a weapon or focus, and beside a one-handed one another, or a shield;
    and whether it is in hand. The primary is empty where it was laid down, and the shield was not.
    """

    primary: Annotated[str, arguments.text_arg("a weapon or focus", usage="PRIMARY")]
    secondary: Annotated[str, _SECONDARY] = ""
    drawn: arguments.Flag = False

    def __str__(self) -> str:
        """The loadout in words: `axe and round shield`."""
        return " and ".join(filter(None, (self.primary, self.secondary)))

    @property
    def ids(self) -> tuple[str, ...]:
        """The things in the loadout, as single words."""
        return tuple(hyphenate(name) for name in (self.primary, self.secondary) if name)


class Carried(Struct, frozen=True, omit_defaults=True):
    """Anything on a sheet that has a weight."""

    name: str
    weight: Weight = 0
    count: int = 1


@lru_cache(maxsize=MOST_KEPT)
def items_of(combatant: Combatant) -> tuple[Item, ...]:
    """The things carried, besides those worn and wielded."""
    return tuple(item for item in sheet.stat_rows(combatant, ITEMS, Item) if item.count > 0)


@lru_cache(maxsize=MOST_KEPT)
def loadouts_of(combatant: Combatant) -> tuple[Loadout, ...]:
    """Somebody's weapon loadouts."""
    return tuple(sheet.stat_rows(combatant, LOADOUTS, Loadout))


# -- attacks ---------------------------------------------------------------------------------------


def names_of(tables: Tables, kind: str) -> list[str]:
    """The names of all effects of a kind in the tables."""
    return [name for name, row in tables.effects.items() if row.kind == kind]


def are_ids(names: str, rows: Collection[str]) -> bool:
    """True if a name, or each of several with commas between, is a row's id."""
    return all(hyphenate(name) in rows for name in names.split(","))


def _lacks_dice(reading: ParseState) -> bool:
    """True if the dice may be left out: a row of the tables has them, or it is a focus."""
    is_known = are_ids(reading.values["name"], reading.ctx.tables.weapons)
    return is_known or FOCUS in reading.values.get("tags", ())


_DICE = replace(
    arguments.dice_arg("its damage dice"),
    stands=lambda reading: reading.words.has_dice() or not _lacks_dice(reading),
)
_TAGS = replace(
    arguments.any_of(*TAGS),
    begins=lambda reading: not reading.words.has_number(),  # `spell 3` is a number of its owner's
)


_INFLICTS = powers.inflicts_arg(
    list_conditions=lambda reading: names_of(reading.ctx.tables, "condition")
)


class Save(Struct, frozen=True, omit_defaults=True):
    """`cunning dc 13 half`: what a save is made with, its DC, 0 for none, and whether whoever saves
    weakly takes half of the damage."""

    ability: Annotated[str, arguments.choice_arg("the save's ability", ABILITIES)]
    dc: Annotated[int, SAID_DC] = 0
    half: arguments.Flag = False


class Attack(Struct, frozen=True):
    """One way to attack: its name, damage dice, type, tags such as agile or ranged, the conditions
    that a hit inflicts, how many feet it reaches, 0 if that is not said, as what one is
    proficient with it, and its weight. What is a focus and nothing else has no dice.

    Whatever asks for a `save` has no roll to hit: who misses the save is hit by it.
    """

    name: Annotated[str, arguments.name_arg("the attack's name")]
    dice: Annotated[str, _DICE] = ""
    type: Annotated[str, arguments.damage_type_arg()] = ""
    tags: Annotated[tuple[str, ...], _TAGS] = ()
    inflicts: Annotated[powers.Inflicts, _INFLICTS] = ()
    range: Annotated[int, arguments.keyword_arg("range", FEET)] = 0
    kind: Annotated[
        str, arguments.keyword_arg("kind", arguments.text_arg("its kind", usage="KIND"))
    ] = ""
    weight: Annotated[Weight, _WEIGHT] = 0
    save: Annotated[Save | None, arguments.keyword_arg("save", arguments.struct_arg(Save))] = None

    @property
    def is_spell(self) -> bool:
        """True if it is a spell, not a weapon."""
        return "spell" in self.tags

    @property
    def is_ranged(self) -> bool:
        """True if it is made from beyond touch."""
        return "ranged" in self.tags or self.range > 0

    @property
    def takes_hands(self) -> bool:
        """True if it is made with a weapon in hand, not a spell or a part of the body."""
        return not self.is_spell and NATURAL not in self.tags

    @property
    def ability(self) -> str:
        """The ability a character rolls with (Monsters & Magic, Abilities)."""
        if self.is_spell:
            return "spell"
        return "cunning" if "agile" in self.tags else "focus" if "precise" in self.tags else "power"


@lru_cache(maxsize=MOST_KEPT)
def wielded_by(combatant: Combatant) -> tuple[Attack, ...]:
    """The attacks of a sheet, with the foci that are none."""
    rows = sheet.stat_rows(combatant, ATTACKS, Attack, lambda row: sheet.is_dice(row.dice))
    return tuple(rows)


def attacks_of(combatant: Combatant) -> tuple[Attack, ...]:
    """The attacks a combatant was added with, the first being its usual one."""
    return tuple(row for row in wielded_by(combatant) if row.dice)


# -- powers, talents and spells --------------------------------------------------------------------


class Power(Struct, frozen=True):
    """A power: its AP, or reaction; its uses; True for `thread` if it takes one."""

    name: Annotated[str, arguments.name_arg("the power's name")]
    ap: Annotated[int, arguments.keyword_arg("ap", arguments.number_arg("its AP", 0, MOST_AP))] = 1
    reaction: arguments.Heard = False
    uses: Annotated[int, powers.USES] = 0
    per: Annotated[str, powers.ITS_PER] = "fight"
    thread: arguments.Heard = False
    text: Annotated[str, powers.TEXT] = ""

    @property
    def cost(self) -> Cost:
        """The cost of the power in a turn."""
        return {"reaction": 1} if self.reaction else {"ap": self.ap} if self.ap else {}

    @property
    def subject(self) -> str:
        """The key for once a turn (Action Points); empty for a power without AP, which is no
        action."""
        return self.name if "ap" in self.cost else ""


@lru_cache(maxsize=MOST_KEPT)
def powers_of(combatant: Combatant) -> tuple[Power, ...]:
    """The powers on somebody's sheet."""
    return tuple(sheet.stat_rows(combatant, POWERS, Power))


class Talent(Struct, frozen=True):
    """A talent: it adds PB and its increases, twice with expertise."""

    name: Annotated[str, arguments.name_arg("the talent's name")]
    plus: Annotated[int, arguments.number_arg("its increases", 0, 20, "+N")] = 0
    expertise: arguments.Flag = False


def talent_bonus(combatant: Combatant, talent: Talent, twice: bool = False) -> int:
    """The bonus of a talent: PB and its increases, double with expertise (Talents)."""
    return (2 if twice or talent.expertise else 1) * (combatant.number("pb") + talent.plus)


def talents_of(combatant: Combatant) -> dict[str, Talent]:
    """The talents on somebody's sheet, by their names as single words."""
    return {hyphenate(each.name): each for each in sheet.stat_rows(combatant, TALENTS, Talent)}


class CantripUpgrade(Struct, frozen=True):
    """A charm that strengthens a cantrip, with its additional AP."""

    name: Annotated[str, arguments.name_arg("the charm's name", usage="CHARM")]
    ap: Annotated[int, arguments.number_arg("its AP", 0, MOST_AP)]


_CHARM = arguments.struct_arg(CantripUpgrade)
_CHARMS = replace(_CHARM, read=lambda reading: (_CHARM.read(reading),))


class Cantrip(Struct, frozen=True):
    """A spell that somebody knows: its AP without charms, and the charms."""

    name: Annotated[str, arguments.name_arg("the spell's name")]
    ap: Annotated[int, arguments.keyword_arg("ap", arguments.number_arg("its AP", 1, MOST_AP))] = 1
    charms: Annotated[tuple[CantripUpgrade, ...], arguments.keyword_arg("charm", _CHARMS, add)] = ()

    def in_words(self, how: Notation) -> str:
        """The cantrip in words: `spark 1 AP (far +1)`."""
        charms = ", ".join(f"{charm.name} {how.signed(charm.ap)}" for charm in self.charms)
        return f"{self.name} {self.ap} {how.word('AP')}{f' ({charms})' if charms else ''}"


@lru_cache(maxsize=MOST_KEPT)
def cantrips_of(combatant: Combatant) -> tuple[Cantrip, ...]:
    """The spells on somebody's sheet that are known with their price."""
    return tuple(sheet.stat_rows(combatant, SPELLS, Cantrip))
