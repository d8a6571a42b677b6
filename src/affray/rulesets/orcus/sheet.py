"""A combatant's sheet: the words of `add`, their form in the log, and in text.

Orcus, Abilities, Healing (Recoveries, Staggered), Powers, Creature Size, Additional Movement
Modes, Companions, Glossary (Monsters).
"""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Any, Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import parse_dice
from affray.core.engine.durations import WITHOUT_UNTIL
from affray.core.engine.state import Combatant, Encounter, Track
from affray.core.formatting.media import IN_WRITING, SPOKEN, Notation
from affray.core.parser import arguments
from affray.core.parser.declarations import Argument, ParseState, format_arguments
from affray.core.parser.errors import Refused, did_you_mean
from affray.core.parser.prompt_fields import ANY_MORE, Field
from affray.core.rules.ruleset import Context
from affray.core.rules.tables import Tables
from affray.mechanics import powers, sheet as shared_sheet
from affray.mechanics.conditions import DurationRules
from affray.mechanics.items import CarryingSheet
from affray.mechanics.powers import ExtraDamage
from affray.mechanics.sheet import SIZES, Sheet, SheetFieldGroup, TrackInput, owner_of
from affray.mechanics.stats import ALL

Reach = Literal["melee", "ranged", "near", "far"]
Frequency = Literal["at-will", "encounter", "daily", "refresh"]
PowerAction = Literal["standard", "move", "swift", "free", "counter", "react"]
DEFENSES = {"ac": "AC", "fortitude": "Fort", "reflex": "Ref", "will": "Will"}
REACHES: tuple[str, ...] = get_args(Reach)
FREQUENCIES: tuple[str, ...] = get_args(Frequency)
POWER_ACTIONS: tuple[str, ...] = get_args(PowerAction)
IMMEDIATE = ("counter", "react")
"""The kinds of immediate actions."""
SHORT = {"fort": "fortitude", "ref": "reflex"}
"""Short words for defences."""
ALIASES = SHORT | {"init": "initiative", "action-points": "points", "recovery-value": "value"}
SKILLS = (
    "acrobatics", "arcana", "athletics", "bluff", "diplomacy", "dungeoneering", "endure", "heal",
    "history", "insight", "intimidate", "perception", "religion", "sleight-of-hand", "stealth",
    "streetsmarts", "strength",
)  # fmt: skip
"""The skills that the text names, and Strength, which some actions roll with."""
TAGS = (
    "augmentable", "focus", "form", "maneuver", "psyche", "tactical", "weapon", "wild-shape",
)  # fmt: skip
"""The tags in the rules; they need no `tags` before them."""
SPACES = dict(zip(SIZES, ("0.5 x 0.5", "1 x 1", "1 x 1", "2 x 2", "3 x 3", "4 x 4"), strict=True))
"""The squares that a creature of each size takes up."""
UNSAID_DEFENSE = 10
LONGEST_TRIGGER = 80
MODES = ("fly", "swim", "climb", "burrow")
"""The ways to move besides walking, each with its own speed."""
GAITS = (
    "clumsy-in-air", "clumsy-on-ground", "phasing", "compress", "earth-glide", "wall-climber",
    "ice-stride", "swamp-stride", "stone-stride", "woodland-stride", "web-stride",
    "versatile-stride",
)  # fmt: skip
"""The ways of moving that a sheet may name."""
RANGED_SENSES = ("blindsight", "tremorsense", "truesight")
_DEFENSE = arguments.choice_arg("a defence", tuple(DEFENSES), alike=SHORT)
Defense = Annotated[str, arguments.keyword_arg("vs", _DEFENSE, alike=("versus",))]
Dice = Annotated[str, arguments.dice_arg("its damage dice")]
Type = Annotated[str, arguments.damage_type_arg(requires="bonus")]
Range = Annotated[Reach, arguments.anywhere_choice_arg(*REACHES)]
ENDS = WITHOUT_UNTIL
"""The durations of the text: a save; an edge of the next turn of the target, or of the user."""
SAVED = ENDS["save-ends"]
PERSISTENT = "persistent"
AMOUNTS = (PERSISTENT, "vulnerability", "resistance", "regeneration")
"""The conditions that have an amount."""
_LASTING = DurationRules(alone=ENDS)
Inflicts = Annotated[powers.Inflicts, powers.inflicts_arg(AMOUNTS, lasting=_LASTING)]
Failed = Annotated[powers.Inflicts, powers.inflicts_arg(AMOUNTS, lasting=_LASTING, word="failed")]
After = Annotated[
    powers.Inflicts, powers.inflicts_arg(AMOUNTS, lasting=_LASTING, word="aftereffect")
]
More = Annotated[tuple[ExtraDamage, ...], powers.PLUS]
Extra = Annotated[
    str, arguments.keyword_arg("extra", arguments.dice_arg("the extra dice of a critical hit"))
]
"""The arguments of an attack, or of a power that is one, after its bonus."""


class Attack(Struct, frozen=True):
    """One way to attack, as the sheet has it.

    Attributes:
        bonus: The whole attack bonus.
        defense: The defence it is rolled against.
        dice: The damage dice; empty for no damage.
        half: A miss deals half the damage.
        extra: The extra dice of a critical hit.
        plus: Damage of other types.
        inflicts: The conditions that a hit brings.
        failed: The conditions that replace `inflicts` when the first save fails.
        aftereffect: The conditions that follow when `inflicts` has run out or was saved against.
    """

    name: Annotated[str, arguments.name_arg("the attack's name")]
    bonus: Annotated[int, arguments.number_arg("its total attack bonus", -99, 99)]
    defense: Defense = "ac"
    dice: Dice = ""
    type: Type = ""
    reach: Range = "melee"
    half: arguments.Flag = False
    extra: Extra = ""
    plus: More = ()
    inflicts: Inflicts = ()
    failed: Failed = ()
    aftereffect: After = ()


class Power(Struct, frozen=True):
    """A power, as the sheet has it.

    Attributes:
        frequency: Its frequency.
        action: Its action.
        refresh: The lowest face of a d6 that brings it back; 0 for no refresh power.
        tags: Its keywords.
        trigger: The event that allows it, in words; empty for none.
        attack: Its attack; None for a power without an attack roll.
        text: Its other effects, in the sheet's words.
        staggered: True if it comes back when its owner is first staggered.
        makes: The name of the sheet's attack that it makes; empty for none.
        heals: The HP that its user gets.
        maintain: The action that maintains it; empty if it can't be maintained.
        brings: Its effect on targets without an attack roll.
    """

    name: str
    frequency: Frequency = "at-will"
    action: PowerAction = "standard"
    refresh: int = 0
    consistent: bool = False
    tags: tuple[str, ...] = ()
    trigger: str = ""
    attack: Attack | None = None
    text: str = ""
    staggered: bool = False
    makes: str = ""
    heals: int = 0
    maintain: str = ""
    brings: Attack | None = None


# -- powers, as they are said ----------------------------------------------------------------------


def read_tags(reading: ParseState) -> tuple[str, ...]:
    """Read tags joined by commas, such as `fire,weapon`."""
    word = reading.words.next("tags, such as fire,weapon")
    row = tuple(filter(None, word.casefold().split(",")))
    if not row or not all(part.replace("-", "").isalpha() for part in row):
        reading.words.back()
        raise reading.words.refuse(f"expected tags, such as fire,weapon, found {word!r}")
    return row


def _read_frequency(reading: ParseState) -> dict[str, Any]:
    """Read the frequency; after `refresh` the lowest face that brings the power back."""
    if reading.word != "refresh":
        return {"frequency": reading.word}
    die = parse_dice(reading.ctx.tables.economy["refresh"])
    what = f"the lowest {str(die).removeprefix('1')} that recharges it"
    return {"frequency": "refresh", "refresh": reading.words.number(what, 2, die.highest)}


_OFTEN = Argument(_read_frequency, "FREQUENCY", keywords=FREQUENCIES, field=ANY_MORE)
_TAGGED = Argument(
    lambda r: (r.word,) if r.word in TAGS else read_tags(r),
    "tags TAG,TAG",
    keywords=(*TAGS, "tags", "tag"),
    joins=lambda earlier, now: tuple(dict.fromkeys((*earlier, *now))),
    field=ANY_MORE,
)
_TRIGGER = arguments.keyword_arg(
    "trigger", arguments.name_arg("the trigger, in quotes", LONGEST_TRIGGER)
)

_MAKES = arguments.keyword_arg("makes", arguments.name_arg("the attack on the sheet that it uses"))
_HEALS = arguments.keyword_arg("heals", arguments.number_arg("the HP its user regains", 1, 999))
TURN_ACTIONS = ("standard", "move", "swift")
"""The actions that each turn gives."""
MAINTAINS = arguments.keyword_arg(
    "maintain",
    arguments.choice_arg("the action that maintains it", TURN_ACTIONS),
    field=Field("choice", TURN_ACTIONS, before="maintain"),
)


class SheetPowerArgs(Struct, frozen=True):
    """The words of a power on a sheet; those of its attack follow the bonus."""

    name: Annotated[str, arguments.name_arg("the power's name")]
    often: Annotated[dict[str, Any], _OFTEN] = {}
    action: Annotated[str, arguments.anywhere_choice_arg(*POWER_ACTIONS)] = ""
    consistent: arguments.Flag = False
    tags: Annotated[tuple[str, ...], _TAGGED] = ()
    trigger: Annotated[str, _TRIGGER] = ""
    staggered: arguments.Flag = False
    makes: Annotated[str, _MAKES] = ""
    heals: Annotated[int, _HEALS] = 0
    maintain: Annotated[str, MAINTAINS] = ""
    bonus: Annotated[int, arguments.number_arg("its total attack bonus", -99, 99)] = 0
    defense: Defense = ""
    dice: Dice = ""
    type: Type = ""
    reach: Range = "melee"
    half: arguments.Flag = False
    extra: Extra = ""
    plus: More = ()
    inflicts: Inflicts = ()
    failed: Failed = ()
    aftereffect: After = ()
    text: Annotated[str, powers.TEXT] = ""


def _read_power(reading: ParseState, _: str) -> list[dict[str, Any]]:
    """Read a power into a log's row. Raises Refused for a power without a frequency."""
    values, tokens = format_arguments(SheetPowerArgs, reading), reading.words
    name = values["name"]
    if "often" not in values:
        often = f"expected the frequency of {name}: at-will, encounter, daily or refresh N"
        raise tokens.refuse(f"{often}{did_you_mean(tokens.peek(), FREQUENCIES)}", FREQUENCIES)
    of_attack = [key for key in values if key in Attack.__struct_fields__ and key != "name"]
    attack = {key: values.pop(key) for key in of_attack}
    rolls = "bonus" in attack
    if attack and not rolls and ("inflicts" not in attack or "defense" in attack):
        raise tokens.refuse("expected its total attack bonus, before the rest of its attack")
    power = {"name": name, **values.pop("often"), **values}
    row = {"attack" if rolls else "brings": {"name": name, "bonus": 0, **attack}}
    return [power | (row if attack else {})]


# -- the rows --------------------------------------------------------------------------------------


def _bind(sheet: Sheet, bond: str, owner: Combatant) -> None:
    if "owner" in sheet.stats:
        raise Refused("a companion can have only one owner")
    sheet.stats.update(owner=owner.id, companion=bond)


def _bond(name: str, usage: str = "") -> shared_sheet.SheetFieldGroup:
    whose = arguments.combatant_arg(f"the owner it is a {name} of")
    return shared_sheet.argument_field(name, whose, usage, _bind, before="of")


_ATTACK = "[attack NAME +N vs AC DICE ...]"
_LANGUAGES = 'languages, such as common or "common,deep speech"'


def _immunities(ctx: Context) -> list[str]:
    """The known damage types and conditions; sheets may say others."""
    return [*ctx.tables.damage_types, *ctx.tables.effects]


ROWS = (
    shared_sheet.hp_field(left=1),
    shared_sheet.number_fields(*DEFENSES, low=0, usage="ac N fort N ref N will N"),
    shared_sheet.number_fields("initiative", usage="init N"),
    shared_sheet.number_fields("speed", low=0),
    shared_sheet.track_fields("recoveries"),
    shared_sheet.track_fields("points", usage=""),
    shared_sheet.number_fields("value", low=1, usage=""),
    shared_sheet.number_fields("level", "regeneration", "reach", low=0, usage=""),
    shared_sheet.number_fields("passive-insight", "passive-perception", low=0, usage=""),
    shared_sheet.number_fields("save", *SKILLS, usage="[SKILL N]"),
    shared_sheet.amount_fields(
        {"resist": "the amount resisted", "vulnerable": "the amount of extra damage"},
        usage="[resist TYPE N]",
        more=(ALL, *REACHES),
    ),
    shared_sheet.kind_fields("immune", list_kinds=_immunities, others=True, usage=""),
    *shared_sheet.only_for_kind(
        "monster",
        shared_sheet.flag_fields("mook"),
        shared_sheet.flag_fields("boss", "important", usage=""),
    ),
    shared_sheet.flag_fields(
        "incorporeal", "swarm", "mindless", "psi-focus",
        "all-around-vision", "darkvision", "hover", *GAITS, usage="",
    ),
    shared_sheet.argument_field("size", arguments.choice_arg("a size", SIZES), "[size SIZE]"),
    shared_sheet.text_fields("type", "source", "role"),
    shared_sheet.list_fields(
        "languages", what=_LANGUAGES, fits=lambda word: len(word) <= 40, usage=""
    ),
    shared_sheet.number_fields(*MODES, "altitude", low=1, usage="[fly N]"),
    shared_sheet.number_fields(*RANGED_SENSES, low=1, usage=""),
    shared_sheet.struct_fields("attack", Attack, _ATTACK),
    replace(
        shared_sheet.struct_fields("power", SheetPowerArgs, "[power NAME FREQUENCY ...]", "powers"),
        reads=powers.parse_power_rows(_read_power),
    ),
    _bond("companion", "[companion of NAME]"),
    _bond("summon"),
    shared_sheet.text_fields("instinct", longest=200),
    shared_sheet.WHEN_FIELD,
)  # fmt: skip
"""The fields of a sheet, as `add` takes them."""


# -- what comes of it ------------------------------------------------------------------------------


class Sheets(CarryingSheet):
    """Sheets: the words of `add`, and how they are shown."""

    aliases = ALIASES

    def groups(self, tables: Tables) -> tuple[SheetFieldGroup, ...]:
        return ROWS

    def why_incomplete(self, kind: str, sheet: Sheet) -> str:
        if not sheet.stats.get("mook"):
            return super().why_incomplete(kind, sheet)
        hp = sheet.tracks.setdefault("hp", TrackInput(1, 1))
        return "" if hp.left.max == 1 else "a mook has 1 HP, so leave out the number"

    def complete(
        self, ctx: Context, kind: str, sheet: Sheet
    ) -> tuple[dict[str, Any], dict[str, Track]]:
        return _defaults(ctx, kind, sheet.stats) | sheet.stats, _tracks(ctx, kind, sheet)

    def labels(
        self, state: Encounter, combatant: Combatant, how: Notation = IN_WRITING
    ) -> dict[str, str]:
        """Its attacks, and its owner or summoner (Orcus, Companions, Summons)."""
        attacks = (f"{a.name}{how.gap}{attack_in_words(a, how)}" for a in attacks_of(combatant))
        found = shared_sheet.format_attacks("attacks", attacks, how)
        owner = owner_of(combatant)
        if owner:
            bond = "Summoned by" if is_summon(combatant) else "Companion of"
            found |= {"owner": f"{bond} {state.name(owner)}", "companion": ""}
        if "psi_focus" in combatant.tracks:
            found["psi-focus"] = ""  # the track tells it
        return found | super().labels(state, combatant, how)


def _defaults(ctx: Context, kind: str, stats: dict[str, Any]) -> dict[str, Any]:
    """The numbers that a sheet leaves unsaid; a summon has its owner's defences.

    A size brings its space and its reach in squares.
    """
    if kind == "hazard":  # neither a body nor a mind, unless the sheet has something of them
        return {}
    own: dict[str, Any] = {"initiative": 0, "speed": int(ctx.tables.economy["speed"])}
    if size := stats.get("size"):
        own |= {"space": SPACES[size], "reach": 0 if size == "tiny" else 1}
    if stats.get("companion") == "summon":
        return own
    return dict.fromkeys(DEFENSES, UNSAID_DEFENSE) | own


def _tracks(ctx: Context, kind: str, sheet: Sheet) -> dict[str, Track]:
    given, stats, row = sheet.tracks, sheet.stats, ctx.tables.economy
    if "hp" not in given:
        return {}
    tracks = {"hp": given["hp"].left, "temp_hp": Track(0)}
    for name in (*TURN_ACTIONS, "immediate"):  # a companion's are its owner's to give
        tracks[name] = Track(0 if "owner" in stats else row[name], row[name])
    is_character = kind == "pc" and "owner" not in stats
    if is_character:  # a companion has neither, though it comes with the party
        tracks["action_points"] = Track(row["action_points"])
    if "points" in given:
        tracks["action_points"] = Track(given["points"].left.value)
    if "recoveries" in given:
        tracks["recoveries"] = given["recoveries"].left
    if kind == "pc" or stats.get("important"):
        tracks |= dict.fromkeys(("death_failures", "death_successes"), Track(0, row["death_saves"]))
    if stats.get("psi-focus"):
        tracks["psi_focus"] = Track(1, 1)
    if is_character:
        tracks["streak"] = Track(0, row["streak"])
    return tracks


# -- what a log says of somebody, however it came to say it ----------------------------------------


def weapons_of(combatant: Combatant) -> list[str]:
    """The names of its attacks, its basic attack first."""
    return [attack.name for attack in attacks_of(combatant)]


def attacks_of(combatant: Combatant) -> list[Attack]:
    """The attacks a combatant was added with, the first being its basic attack."""
    return shared_sheet.stat_rows(combatant, "attacks", Attack, _makes_sense)


def powers_of(combatant: Combatant) -> list[Power]:
    """The powers a combatant was added with."""

    def fits(power: Power) -> bool:
        each = filter(None, (power.attack, power.brings))
        return bool(power.name) and all(map(_makes_sense, each))

    return shared_sheet.stat_rows(combatant, "powers", Power, fits)


def _makes_sense(attack: Attack) -> bool:
    """True if an attack can be made; one in a log that was edited by hand may not be."""
    fits = attack.name and attack.defense in DEFENSES and abs(attack.bonus) < 1000
    return bool(fits) and shared_sheet.is_dice(
        attack.dice, attack.extra, *(p.dice for p in attack.plus)
    )


def amounts_of(combatant: Combatant, stat: str) -> dict[str, int]:
    """Return a combatant's own `resist` or `vulnerable`: type or `all` -> amount.

    The log has them as words, such as `fire 5`; of one type the highest counts.
    """
    value = combatant.stats.get(stat, ())
    parts = value if isinstance(value, list | tuple) else (value,)
    words = " ".join(part for part in parts if isinstance(part, str)).replace(",", " ").split()
    found: dict[str, int] = {}
    for kind, amount in pairwise(words):
        if amount.isdecimal() and len(amount) < 6 and not kind.isdecimal():
            found[kind.casefold()] = max(int(amount), found.get(kind.casefold(), 0))
    return found


def share_a_language(one: Combatant, other: Combatant) -> bool:
    """True if two can talk to each other; True if the languages of one are unknown."""
    rows = [set(shared_sheet.stat_words(c, "languages")) for c in (one, other)]
    return not all(rows) or bool(rows[0] & rows[1])


def staggered_value(combatant: Combatant) -> int:
    """Half the maximum HP, rounded down (Orcus, Staggered)."""
    return max_hp(combatant) // 2


def recovery_value(combatant: Combatant) -> int:
    """A quarter of the maximum HP, rounded down, or the sheet's own (Orcus, Recoveries)."""
    return max(0, combatant.number("value", max_hp(combatant) // 4))


def max_hp(combatant: Combatant) -> int:
    """Return its maximum HP; 0 for a creature without HP."""
    hp = combatant.tracks.get("hp")
    return hp.max if hp is not None and hp.max is not None else 0


def has_death_saves(combatant: Combatant) -> bool:
    """True if it is dying at 0 HP: characters, and monsters that are marked as important."""
    return combatant.kind == "pc" or bool(combatant.stats.get("important"))


def is_summon(combatant: Combatant) -> bool:
    """True if it was summoned by its owner (Orcus, Summons)."""
    return bool(owner_of(combatant)) and combatant.stats.get("companion") == "summon"


# -- in words --------------------------------------------------------------------------------------


_TOLD = ("name", "bonus", "defense", "dice", "type", "reach", "half", "extra")


def attack_in_words(attack: Attack, how: Notation = IN_WRITING) -> str:
    """Describe an attack: `+8 vs AC 1d8+3 cold ranged`."""
    against = "against" if how.medium == SPOKEN else "vs"
    words = [
        f"{how.signed(attack.bonus)} {against} {how.word(DEFENSES[attack.defense])}",
        f"{how.dice(attack.dice)} {attack.type}".strip(),
        attack.reach if attack.reach != "melee" else "",
        "half on a miss" if attack.half else "",
        f"extra {how.dice(attack.extra)}" if attack.extra else "",
        shared_sheet.format_row(attack, _TOLD, how),
    ]
    return how.gap.join(filter(None, words))
