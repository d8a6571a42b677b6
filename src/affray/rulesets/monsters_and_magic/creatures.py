"""A combatant's own numbers: what `add` understands, and the tracks that come of it.

Seed 004: Abilities, Proficiencies, Hit Points, Fatigue & Exhaustion, Threads of Fate.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.state import MOST_KEPT, Combatant, Track
from affray.core.language import arguments
from affray.core.language.declared import Reading
from affray.core.language.words import Words
from affray.rulekit import powers, sheets
from affray.rulekit.acts import Cost
from affray.rulekit.creatures import SIZES
from affray.rulekit.sheets import Given, Sheet
from affray.rulesets.monsters_and_magic import totals
from affray.rulesets.monsters_and_magic.bonds import BONDS, REPUTATION, Bond, Standing
from affray.rulesets.monsters_and_magic.ranges import FEET

SENSES = ("low-light", "darkvision", "tremorsense", "blindsight", "truesight")
"""Seed 004: Senses. What each of them does, the tables say (`economy.senses`, `economy.finds`)."""
LISTS = ("resist", "vulnerable", "immune")


def _conditions(reading: Reading) -> list[str]:
    return [name for name, row in reading.ctx.tables.effects.items() if row.kind == "condition"]


class Attack(Struct, frozen=True):
    """One way to attack: its name, damage dice, type, tags such as agile or ranged, the conditions
    that a hit inflicts, and how many feet it reaches, 0 where that is not said."""

    name: Annotated[str, arguments.name("the attack's name")]
    dice: Annotated[str, arguments.dice("its damage dice")]
    type: Annotated[str, arguments.damage_type(lambda ctx: ctx.tables.damage_types)] = ""
    tags: Annotated[
        tuple[str, ...],
        # `spell 3` is a number of whoever attacks.
        replace(
            arguments.any_of("agile", "precise", "ranged", "spell"),
            begins=lambda reading: not reading.words.has_number(),
        ),
    ] = ()
    inflicts: Annotated[powers.Inflicts, powers.inflicts(known=_conditions)] = ()
    range: Annotated[int, arguments.clause("range", FEET)] = 0

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
    return tuple(sheets.rows_of(who, POWERS, Power))


ROWS = (
    sheets.hit_points(),
    sheets.numbers("ac", "power", "cunning", "focus", "luck", low=-20),
    sheets.numbers("pb", "speed", low=0),
    sheets.numbers("cr", low=0, usage=""),
    sheets.numbers("spell", low=-20, usage=""),
    sheets.tracks("fatigue", "exhaustion", "threads", "xp", usage=""),
    sheets.lists(*LISTS, usage=""),
    sheets.flags("important", "trained", usage=""),
    sheets.lengths(*totals.WAYS, *SENSES, usage=""),
    sheets.argument("size", arguments.choice("a size", SIZES), usage=""),
    sheets.attacks("attack", Attack, "attack NAME DICE TYPE ..."),
    sheets.attacks(
        POWERS,
        Power,
        "[powers NAME [ap N] [reaction] [uses N [per fight|rest|day]] [thread] [text TEXT]]",
        POWERS,
    ),
    sheets.attacks("bond", Bond, '[bond NAME N ["SENTENCE"]]', BONDS),
    sheets.attacks(REPUTATION, Standing, "[reputation GROUP N]", REPUTATION),
)
"""What `add` understands."""


@lru_cache(maxsize=MOST_KEPT)
def attacks_of(combatant: Combatant) -> tuple[Attack, ...]:
    """The attacks a combatant was added with, the first being its usual one."""
    return tuple(sheets.rows_of(combatant, "attacks", Attack, lambda row: sheets.is_dice(row.dice)))


def weapons_of(combatant: Combatant) -> list[str]:
    """The names of its attacks, its usual one first."""
    return [attack.name for attack in attacks_of(combatant)]


def spells_of(combatant: Combatant) -> list[str]:
    """The names of the spells that it attacks with."""
    return [attack.name for attack in attacks_of(combatant) if attack.is_spell]


def create(ctx: Context, words: Words, kind: str) -> tuple[dict[str, Any], dict[str, Track]]:
    """Stats and tracks from the words behind a name. Raises Refused for what is wrong."""
    sheet = sheets.read(ctx, words, ROWS)
    if kind != "hazard":
        sheets.require_hp(words, sheet)
    return _defaults(ctx, kind) | sheet.stats, _tracks(ctx, kind, sheet)


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
