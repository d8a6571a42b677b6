"""A combatant's own numbers: what `add` understands, and the tracks that come of it.

Seed 004: Abilities, Proficiencies, Hit Points, Fatigue & Exhaustion, Threads of Fate.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, cast

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.state import MOST_KEPT, Combatant, Kind, Track
from affray.core.language import arguments
from affray.core.language.declared import Reading
from affray.core.language.words import Words
from affray.core.rules.gear import Weight
from affray.rulekit import powers, recorded, sheets
from affray.rulekit.acts import Cost
from affray.rulekit.recorded import SIZES
from affray.rulekit.sheets import Given, Sheet, are_ids
from affray.rulesets.monsters_and_magic import carrying, gear, knowledge, totals
from affray.rulesets.monsters_and_magic.bonds import BONDS, REPUTATION, Bond, Standing
from affray.rulesets.monsters_and_magic.gear import Armor, Item, Loadout
from affray.rulesets.monsters_and_magic.knowledge import Cantrip, Talent
from affray.rulesets.monsters_and_magic.surroundings import FEET

SENSES = ("low-light", "darkvision", "tremorsense", "blindsight", "truesight")
"""Seed 004: Senses. What each of them does, the tables say (`economy.senses`, `economy.finds`)."""
LISTS = ("resist", "vulnerable", "immune")


def _conditions(reading: Reading) -> list[str]:
    return [name for name, row in reading.ctx.tables.effects.items() if row.kind == "condition"]


TAGS = ("agile", "precise", "ranged", "spell", gear.TWO_HANDED, gear.FOCUS, gear.NATURAL)


def _lacks_dice(reading: Reading) -> bool:
    """Whether an attack may go without its dice: its row has them, or it is a focus."""
    is_known = are_ids(reading.said["name"], reading.ctx.tables.weapons)
    return is_known or gear.FOCUS in reading.said.get("tags", ())


_DICE = replace(
    arguments.dice("its damage dice"),
    stands=lambda reading: reading.words.has_dice() or not _lacks_dice(reading),
)


class Attack(Struct, frozen=True):
    """One way to attack: its name, damage dice, type, tags such as agile or ranged, the conditions
    that a hit inflicts, how many feet it reaches, 0 where that is not said, as what one is
    proficient with it, and its weight. What is a focus and nothing else has no dice."""

    name: Annotated[str, arguments.name("the attack's name")]
    dice: Annotated[str, _DICE] = ""
    type: Annotated[str, arguments.damage_type(lambda ctx: ctx.tables.damage_types)] = ""
    tags: Annotated[
        tuple[str, ...],
        # `spell 3` is a number of whoever attacks.
        replace(
            arguments.any_of(*TAGS),
            begins=lambda reading: not reading.words.has_number(),
        ),
    ] = ()
    inflicts: Annotated[powers.Inflicts, powers.inflicts(known=_conditions)] = ()
    range: Annotated[int, arguments.clause("range", FEET)] = 0
    kind: Annotated[str, arguments.clause("kind", arguments.text("its kind", usage="KIND"))] = ""
    weight: Annotated[Weight, gear.WEIGHT] = 0

    @property
    def is_spell(self) -> bool:
        """Whether it is a spell, and no weapon."""
        return "spell" in self.tags

    @property
    def is_ranged(self) -> bool:
        """Whether it is made from farther away than one can touch."""
        return "ranged" in self.tags or self.range > 0

    @property
    def ability(self) -> str:
        """The ability a character rolls with (seed 004: Abilities)."""
        if self.is_spell:
            return "spell"
        return "cunning" if "agile" in self.tags else "focus" if "precise" in self.tags else "power"


POWER, POWERS = "power", "powers"
"""The command; and the word of a sheet, on which `power 2` is the ability, and the list there."""


class Power(Struct, frozen=True):
    """A power: its AP, or that it is a reaction; its uses; whether it takes a thread."""

    name: Annotated[str, arguments.name("the power's name")]
    ap: Annotated[int, arguments.clause("ap", arguments.number("its AP", 0, 9))] = 1
    reaction: Annotated[bool, arguments.flag(heard="reaction")] = False
    uses: Annotated[int, powers.USES] = 0
    per: Annotated[str, powers.ITS_PER] = "fight"
    thread: Annotated[bool, arguments.flag(heard="thread")] = False
    text: Annotated[str, powers.TEXT] = ""

    @property
    def cost(self) -> Cost:
        """What it costs of a turn."""
        return {"reaction": 1} if self.reaction else {"ap": self.ap} if self.ap else {}


@lru_cache(maxsize=MOST_KEPT)
def powers_of(who: Combatant) -> tuple[Power, ...]:
    """The powers on somebody's sheet."""
    return tuple(recorded.rows_of(who, POWERS, Power))


GEAR_ROWS = (
    sheets.attacks(
        "attack", Attack, "attack NAME DICE TYPE ...", known=lambda tables: tables.weapons
    ),
    sheets.attacks("armor", Armor, stat=gear.ARMOR, known=lambda tables: tables.armor),
    sheets.attacks("item", Item, "", gear.ITEMS, lambda tables: tables.items, several=True),
    sheets.attacks("spells", Cantrip, stat=knowledge.SPELLS),
    sheets.attacks("talent", Talent, stat=knowledge.TALENTS),
    sheets.lists(gear.PROFICIENT, what="a kind of weapon or armour after {}", usage=""),
)
"""What `gear` gives to somebody who is here, as `add` does."""
ROWS = (
    sheets.hit_points(),
    sheets.numbers("ac", low=-20),
    *sheets.only_of(
        "pc",
        sheets.numbers("power", "cunning", "focus", "luck", low=-20),
        sheets.numbers("pb", low=0),
        sheets.numbers("spell", low=-20, usage=""),
        sheets.tracks("threads", "xp", usage=""),
    ),
    *sheets.only_of("monster", sheets.numbers("cr", low=0), sheets.flags("important", usage="")),
    sheets.numbers("speed", low=0),
    sheets.tracks("fatigue", "exhaustion", usage="[fatigue N] [exhaustion N]"),
    sheets.numbers(gear.GOLD, low=0, high=999_999, usage=""),
    sheets.attacks("loadout", Loadout, stat=gear.LOADOUTS, several=True),
    sheets.lists(*LISTS, usage=""),
    sheets.flags("trained", usage=""),
    sheets.lengths(*totals.WAYS, *SENSES, usage=""),
    sheets.argument("size", arguments.choice("a size", SIZES), usage=""),
    *GEAR_ROWS,
    powers.on_sheets(
        POWERS,
        Power,
        "[powers NAME [ap N] [reaction] [uses N [per fight|rest|day]] [thread] [text TEXT]]",
        POWERS,
    ),
    sheets.attacks("bond", Bond, '[bond NAME N ["SENTENCE"]]', BONDS),
    sheets.attacks(REPUTATION, Standing, "[reputation GROUP N]", REPUTATION),
)
"""What `add` understands."""
ALIKE = {"tier": "pb"}
"""Other words for the same: PB is 1 in the first tier of play, and 1 more in each further."""


@lru_cache(maxsize=MOST_KEPT)
def attacks_of(combatant: Combatant) -> tuple[Attack, ...]:
    """The attacks a combatant was added with, the first being its usual one."""
    rows = recorded.rows_of(combatant, gear.ATTACKS, Attack, lambda row: recorded.is_dice(row.dice))
    return tuple(row for row in rows if row.dice)


def told(combatant: Combatant) -> dict[str, str]:
    """Its attacks as its sheet says them."""
    return recorded.attacks_told("attacks", map(recorded.in_words, attacks_of(combatant)))


def weapons_of(combatant: Combatant) -> list[str]:
    """The names of its attacks that can be made now, its usual one first."""
    return [attack.name for attack in attacks_of(combatant) if gear.is_ready(combatant, attack)]


def spells_of(combatant: Combatant) -> list[str]:
    """The names of its spells: those it attacks with, and those it knows the price of."""
    attacks = (attack.name for attack in attacks_of(combatant) if attack.is_spell)
    return list(dict.fromkeys((*attacks, *knowledge.spells_of(combatant))))


def create(ctx: Context, words: Words, kind: str) -> tuple[dict[str, Any], dict[str, Track]]:
    """Stats and tracks from the words behind a name. Raises Refused for what is wrong."""
    sheet = sheets.read(ctx, words, ROWS, ALIKE)
    if kind != "hazard":
        sheets.require_hp(words, sheet)
    stats = _defaults(ctx, kind) | sheet.stats
    loadouts = stats.get(gear.LOADOUTS, [])
    if loadouts and not any(row.get("drawn") for row in loadouts):
        loadouts[0]["drawn"] = True
    carrying.refuse_impossible(ctx, Combatant("", "the sheet", "party", cast(Kind, kind), stats))
    return stats, _tracks(ctx, kind, sheet)


def _defaults(ctx: Context, kind: str) -> dict[str, Any]:
    """The numbers of somebody of whom nothing is said. A character's PB starts at 1."""
    if kind == "hazard":  # it has a body only where something is said of one
        return {}
    own = dict.fromkeys(("power", "cunning", "focus", "luck", "spell"), 0) | {"pb": 1}
    return {"ac": 0, "speed": int(ctx.tables.economy["speed"])} | (
        own if kind == "pc" else {"cr": 0}
    )


def _tracks(ctx: Context, kind: str, sheet: Sheet) -> dict[str, Track]:
    given, economy = sheet.tracks, ctx.tables.economy
    if "hp" not in given:
        return {}
    tracks = {"hp": given["hp"].left, "temp_hp": Track(0)}
    for name in ("ap", "reaction"):
        tracks[name] = Track(economy[name], economy[name])
    for name in ("fatigue", "exhaustion"):
        tracks[name] = given.get(name, Given(None, economy[name])).marked
    if kind == "pc":
        threads = max(0, int(sheet.stats.get("pb", 1)))
        had = given["threads"].max if "threads" in given else threads
        tracks["threads"] = Track(min(had, threads), threads)
        tracks["xp"] = Track(given["xp"].max if "xp" in given else 0)
    if kind == "pc" or sheet.stats.get("important"):
        tracks["deathsaves"] = Track(0, economy["deathsaves"])
    return tracks
