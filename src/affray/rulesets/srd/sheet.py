"""The sheet of games on the SRD: attacks, saves, powers, proficiencies, resistances."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Annotated, Any, Literal, Self, get_args

from msgspec import UNSET, Struct, UnsetType, convert, to_builtins
from msgspec.structs import replace

from affray.core.engine import durations
from affray.core.engine.state import Combatant, Duration, Edge, Encounter, Track
from affray.core.parser import arguments
from affray.core.parser.declarations import Argument, ParseState
from affray.core.parser.prompt_fields import ANY_MORE
from affray.core.rules.ruleset import Context
from affray.core.rules.tables import LEVEL, Tables
from affray.mechanics import powers, sheet
from affray.mechanics.actions import Cost
from affray.mechanics.checks import SAID_DC
from affray.mechanics.stats import ALL

Reach = Literal["melee", "ranged"]
REACHES: tuple[str, ...] = get_args(Reach)
ABILITY_NAMES = {
    "str": "strength",
    "dex": "dexterity",
    "con": "constitution",
    "int": "intelligence",
    "wis": "wisdom",
    "cha": "charisma",
}
ABILITIES = tuple(ABILITY_NAMES)
WEAPONS = "weapons"
"""The stat with the attacks; `attacks` is their number in an Attack action."""

Dice = Annotated[str, arguments.dice_arg("its damage")]
Type = Annotated[str, arguments.damage_type_arg(requires="dice")]
Range = Annotated[Reach, arguments.anywhere_choice_arg(*REACHES)]
More = Annotated[tuple[powers.ExtraDamage, ...], powers.PLUS]
_FEET = Argument(
    lambda r: f"{r.word} {r.words.next('a distance in feet')}", "reach N|range N/N", field=ANY_MORE
)
Feet = Annotated[str, replace(_FEET, keywords=("reach", "range"))]
Inflicts = Annotated[powers.Inflicts, powers.inflicts_arg(("ongoing",), ("grappled",))]
"""Further effects of a hit; the number of a grapple is the DC to escape it."""


class Save(Struct, frozen=True):
    """`con dc 13 2d8 poison half inflicts poisoned`: what those get who fail it, and whether those
    who don't get half of the damage.

    Attributes:
        also: Damage of other types; logs have no word of it if there is none.
        skill: The skill of a check in a contest, which is asked as a save is; none for a save.
    """

    ability: Annotated[str, arguments.choice_arg("an ability", ABILITIES, "ABILITY")]
    dice: Dice = ""
    type: Type = ""
    dc: Annotated[int, SAID_DC] = 10
    half: arguments.Flag = False
    also: Annotated[tuple[powers.ExtraDamage, ...] | UnsetType, powers.ALSO] = UNSET
    inflicts: Inflicts = ()
    skill: str | UnsetType = UNSET

    @property
    def damage(self) -> tuple[tuple[str, str], ...]:
        """The dice of its damage, with their types."""
        also = ((part.dice, part.type) for part in self.also or ())
        return ((self.dice, self.type), *also)

    def of_types(self, first: str, *others: str) -> Self:
        """Return the save with other types of damage; an empty one leaves its own."""
        also = self.also or ()
        pairs = zip(also, others, strict=False)
        changed = [replace(part, type=kind or part.type) for part, kind in pairs]
        more = (*changed, *also[len(changed) :]) or self.also
        return replace(self, type=first or self.type, also=more)


Saves = Annotated[Save | None, arguments.keyword_arg("save", arguments.struct_arg(Save))]


def said_save_arg(save_type: type[Save]) -> Argument:
    """Declare a save that a command says in the words of sheets, which is of use at once."""
    as_written = arguments.struct_arg(save_type)
    return replace(
        as_written, read=lambda r: convert(to_builtins(as_written.read(r)), type=save_type)
    )


class Attack(Struct, frozen=True):
    """An attack on a sheet.

    Attributes:
        bonus: The whole attack bonus.
        dice: The damage dice; empty for no damage.
        light: True if it can be the off hand's.
        feet: Its reach or range, in words: `reach 10`.
        plus: Damage of other types.
        inflicts: The conditions from a hit.
        save: The save after a hit, with the effects that it averts; None for none.
    """

    name: Annotated[str, arguments.name_arg("the attack's name")]
    bonus: Annotated[int, arguments.number_arg("the attack bonus", -99, 99)]
    dice: Dice = ""
    type: Type = ""
    reach: Range = "melee"
    thrown: arguments.Flag = False
    heavy: arguments.Flag = False
    two_handed: arguments.Flag = False
    light: arguments.Flag = False
    magical: arguments.Flag = False
    feet: Feet = ""
    plus: More = ()
    inflicts: Inflicts = ()
    save: Saves = None


def has_dice(row: Attack | Power) -> bool:
    """True if all dice of an attack or a power can be read."""
    saved = [row.save.dice] if row.save is not None else []
    return sheet.is_dice(row.dice, *(part.dice for part in row.plus), *saved)


# -- powers ----------------------------------------------------------------------------------------

Takes = Literal["action", "bonus", "reaction", "free", "trait"]
TAKES: tuple[str, ...] = get_args(Takes)
"""A power's cost in a turn; a trait costs nothing, at any time."""
PAID_WITH: dict[str, Cost] = {
    "action": {"action": 1},
    "bonus": {"bonus_action": 1},
    "reaction": {"reaction": 1},
    "none": {},
}
"""The words for costs in a turn, if there is a choice."""
POWERS, LEGENDARY, RESISTS = "powers", "legendary", "legendary_resistance"
"""The stat that holds the powers, and the tracks of legendary actions and resistance."""
REGENERATION = "regeneration"
"""The stat of who heals as its turn starts."""


def _is_bonus(reading: ParseState) -> bool:
    """True if an attack bonus stands next, which has a sign; a plain number is all of its damage,
    or how many legendary actions it takes."""
    return reading.words.has_number() and not reading.words.peek()[:1].isdecimal()


_LEGENDARY = replace(
    arguments.number_arg("the number of legendary actions", 1, 9),
    stands=lambda r: r.words.has_number() and not _is_bonus(r),
)
Bonus = Annotated[
    int | None,
    replace(arguments.number_arg("the attack bonus", -99, 99, "+N"), stands=_is_bonus),
]
"""The attack bonus of a power or a spell; None for one without an attack roll."""

_SHARES = arguments.keyword_arg(
    "shares", arguments.name_arg("the name of the shared uses, in quotes")
)


class Power(Struct, frozen=True):
    """A power, as the sheet has it: an attack with a bonus, a save, or neither.

    Attributes:
        takes: Its cost in a turn.
        legendary: The legendary actions that it costs in others' turns; 0 for none.
        uses: How often it can be used in the span `per`; 0 for any number.
        per: The span of its uses: a fight, a rest or a day.
        recharge: The lowest face of a d6 that brings it back as a turn starts; 0 for none.
        shares: A name for the powers that share uses and recharge; empty for its own.
        bonus: The attack bonus; None for a power without an attack roll.
    """

    name: Annotated[str, arguments.name_arg("the power's name")]
    takes: Annotated[Takes, arguments.anywhere_choice_arg(*TAKES)] = "action"
    legendary: Annotated[int, arguments.keyword_arg(LEGENDARY, _LEGENDARY, may_be_empty=1)] = 0
    uses: Annotated[int, powers.USES] = 0
    per: Annotated[str, powers.ITS_PER] = "day"
    recharge: Annotated[int, powers.RECHARGE] = 0
    shares: Annotated[str, _SHARES] = ""
    bonus: Bonus = None
    dice: Dice = ""
    type: Type = ""
    reach: Range = "melee"
    feet: Feet = ""
    plus: More = ()
    inflicts: Inflicts = ()
    save: Saves = None
    text: Annotated[str, powers.TEXT] = ""

    @property
    def cost(self) -> Cost:
        """The cost of the power in a turn."""
        if self.legendary:
            return {LEGENDARY: self.legendary}
        return PAID_WITH.get(self.takes, {})

    @property
    def counted(self) -> str:
        """The name under which its uses and its recharge are counted."""
        return self.shares or self.name

    @property
    def attack(self) -> Attack:
        """The power as an attack; automatic damage has no bonus."""
        return powers.power_attack(self, Attack)


# -- what is known of somebody ---------------------------------------------------------------------


def attacks_at_once(combatant: Combatant) -> int:
    """The number of attacks in its Attack action."""
    track = combatant.tracks.get("attacks")
    return (track.max if track is not None else None) or 1


def owned_by(state: Encounter, owner: str) -> list[Combatant]:
    """The creatures under somebody's control."""
    return [c for c in state.combatants if sheet.owner_of(c) == owner and c.id != owner]


def next_turn(state: Encounter, combatant_id: str, edge: Edge, turns: int = 1) -> Duration:
    """The start or end of somebody's next turn, or of the n-th next; for a creature under control
    of its owner's, in which it acts."""
    owner = sheet.present_owner(state, state[combatant_id])
    return durations.turn_edge(state, owner.id if owner is not None else combatant_id, edge, turns)


# -- what damage and conditions do less or more to it ----------------------------------------------

AGAINST = {"resistance": "resist", "vulnerability": "vulnerable", "immunity": "immune"}
"""The effect against a type of damage -> the stat of the sheet for the same."""
LEVELS = ("exhaustion", "fatigue", "strife")
"""The conditions that come in levels, each on a track."""
MUNDANE = "mundane"
"""As a type: of weapons that are not magical."""
OF_WEAPONS = ("bludgeoning", "piercing", "slashing")
"""The types that `mundane-piercing` and the like may name."""
NEED_MORE = (LEVEL, "help", "modifier", "ongoing", "owed", "readied", "reason", "ward", "weakness")
"""The kinds of effects that can't be laid by their names alone; levels are marked."""


@lru_cache(8)  # asked for every attack of every creature
def conditions_of(tables: Tables) -> tuple[str, ...]:
    """The conditions that can be applied by name alone, a campaign's own among them."""
    return tuple(name for name, rule in tables.effects.items() if rule.kind not in NEED_MORE)


@lru_cache(32)
def known_to(tables: Tables, what: str) -> tuple[str, ...]:
    """The words for which there is resistance and the like: damage types, `all`, nonmagical
    weapons, or one type of theirs; immunity also takes conditions and their levels."""
    kinds = [kind for kind in OF_WEAPONS if kind in tables.damage_types]
    weapons = (MUNDANE, *map(mundane, kinds)) if what != "vulnerability" else ()
    levels = (name for name in LEVELS if name in tables.tracks)
    more = (*conditions_of(tables), *levels) if what == "immunity" else ()
    return (*tables.damage_types, ALL, *weapons, *more)


def mundane(kind: str) -> str:
    """A type of damage as that of weapons alone that are not magical: `mundane-piercing`."""
    return f"{MUNDANE}-{kind}"


def level_tracks(words: sheet.Sheet, *tracks: str, top: int | None = None) -> dict[str, Track]:
    """Begin those tracks of levels to which somebody is not immune."""
    return {name: Track(0, top) for name in tracks if name not in words.stats.get("immune", ())}


def has(combatant: Combatant, what: str, *kinds: str) -> bool:
    """True if somebody has resistance and the like to one of these, be it once or more often."""
    laid = (effect.type for effect in combatant.all_named(what))
    return not {*kinds}.isdisjoint((*sheet.stat_words(combatant, AGAINST[what]), *laid))


def _against(stat: str, what: str) -> sheet.SheetFieldGroup:
    return sheet.kind_fields(stat, what=what, list_kinds=lambda ctx: known_to(ctx.tables, what))


_TRAINED = re.compile(r"(.*?)([+-]\d{1,2})?")


def is_save(word: str) -> bool:
    """True if a word names a saving throw, with its own bonus behind it or not."""
    found = _TRAINED.fullmatch(word)
    return found is not None and found[1] in ABILITIES


def proficiencies_of(combatant: Combatant, stat: Literal["saves", "skills"]) -> dict[str, int]:
    """Give the saves or skills in which it is proficient, with the bonus of each: the proficiency
    bonus, or in its place the one behind the word, `stealth+8`."""
    found = (_TRAINED.fullmatch(word) for word in sheet.stat_words(combatant, stat))
    return {
        row[1]: int(row[2]) if row[2] else combatant.number("pb")
        for row in found
        if row is not None
    }


SAVES = sheet.list_fields(
    "saves",
    what="abilities after saves",
    fits=is_save,
    usual=ABILITIES,
    usage="[saves A,B]",
)
LEGENDARIES = (
    sheet.track_fields(LEGENDARY, low=1, usage="[legendary N]"),
    sheet.track_fields(RESISTS, low=1, usage="[legendary-resistance N]"),
)
"""The words of a monster's sheet for legendary actions and resistance."""
DEFENCES = tuple(_against(stat, what) for what, stat in AGAINST.items())
"""The words of a sheet for resistance, vulnerability and immunity."""
SIZE = sheet.argument_field(
    "size", arguments.choice_arg("a size", sheet.SIZES), usage="[size SIZE]"
)
SUMMON = sheet.argument_field(
    "summon",
    arguments.combatant_arg("the summoner"),
    "[summon of NAME]",
    lambda sheet, name, owner: sheet.stats.update(owner=owner.id),
    before="of",
)


def keep_damage_off(row: dict[str, Any]) -> None:
    """Let a save that halves have the damage that stands in front of it, if it has none of its
    own and nobody rolls to hit: `10d6 fire save dex dc 17 half`."""
    save = row.get("save") or {}
    if save.get("half") and not save["dice"] and row.get("dice") and row.get("bonus") is None:
        also = row.pop("plus", ())
        row["save"] = {**save, "dice": row.pop("dice"), "type": row.pop("type", "")}
        row["save"] |= {"also": also} if also else {}


def complete_rows(ctx: Context, words: sheet.Sheet) -> None:
    """Complete attacks and powers by what their words mean: what has a range is ranged, unless it
    is thrown or said to be melee; what a save halves is what it keeps off. Tell of legendary powers
    without legendary actions."""
    for row in words.stats.get(POWERS, ()):
        keep_damage_off(row)
    for row in (*words.stats.get(WEAPONS, ()), *words.stats.get(POWERS, ())):
        if str(row.get("feet", "")).startswith("range") and not row.get("thrown"):
            row.setdefault("reach", "ranged")
    taken = [row for row in words.stats.get(POWERS, ()) if row.get(LEGENDARY)]
    if taken and LEGENDARY not in words.tracks:
        last = taken[-1]
        price = f"{LEGENDARY} {last[LEGENDARY]}"
        hint = "give the number of legendary actions before the powers"
        ctx.note(f"`{price}` is the cost of {last['name']}: {hint}")


def begin_tracks(ctx: Context, words: sheet.Sheet, off_hand: int) -> dict[str, Track]:
    """Begin the tracks of who has HP with these, and with what a turn is paid with; there is room
    for so many attacks of the `off_hand`."""
    economy = ctx.tables.economy
    speed = int(words.stats.get("speed", economy["speed"]))
    tracks = {"hp": words.tracks["hp"].left, "temp_hp": Track(0)}
    for name in ("action", "bonus_action", "reaction", "interaction"):
        tracks[name] = Track(int(economy[name]), int(economy[name]))
    tracks["attacks"] = Track(0, int(words.stats.get("attacks", 1)))
    tracks["off_hand"] = Track(0, off_hand)
    tracks["movement"] = Track(speed, speed)
    return tracks
