"""What `add` understands of a combatant, and the numbers and tracks that come of it.

Seed 003: Healing, Powers, Creature Size, Additional Movement Modes, Companions, Glossary
(Monsters).
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Struct

from affray.core.dice.notation import parse_dice
from affray.core.heart.decide import Context
from affray.core.heart.state import Combatant, Track
from affray.core.language import arguments
from affray.core.language.declared import Argument, Reading, heard, usage_of
from affray.core.language.refusal import Refused, did_you_mean
from affray.core.language.words import Words
from affray.rulekit import powers, sheets
from affray.rulekit.recorded import SIZES
from affray.rulekit.sheets import Given, Sheet
from affray.rulesets.orcus import creatures
from affray.rulesets.orcus.creatures import DEFENSES, FREQUENCIES, MODES, SKILLS, TAGS, Attack

_SQUARES = ("0.5 x 0.5", "1 x 1", "1 x 1", "2 x 2", "3 x 3", "4 x 4")
SPACES = dict(zip(SIZES, _SQUARES, strict=True))
"""The squares that a creature of each size takes up."""
REFRESH = "refresh"


# -- powers ----------------------------------------------------------------------------------------


def _read_frequency(reading: Reading) -> dict[str, Any]:
    """How often; behind `refresh` the lowest face that brings the power back."""
    if reading.word != REFRESH:
        return {"frequency": reading.word}
    die = parse_dice(reading.ctx.tables.economy[REFRESH])
    what = f"the lowest {str(die).removeprefix('1')} that brings it back"
    return {"frequency": REFRESH, REFRESH: reading.words.number(what, 2, die.maximum)}


_OFTEN = Argument(_read_frequency, "FREQUENCY", keywords=FREQUENCIES)
_TAGGED = Argument(
    lambda r: (r.word,) if r.word in TAGS else creatures.read_tags(r),
    "tags TAG,TAG",
    keywords=(*TAGS, "tags", "tag"),
    joins=lambda earlier, now: tuple(dict.fromkeys((*earlier, *now))),
)
_TRIGGER = arguments.clause("trigger", arguments.name("the trigger, in quotes", 80))


class _Power(Struct, frozen=True):
    """A power as it is said; behind its bonus it says what its attack is."""

    name: Annotated[str, arguments.name("the power's name")]
    often: Annotated[dict[str, Any], _OFTEN] = {}
    action: Annotated[str, arguments.one_of(*creatures.POWER_ACTIONS)] = ""
    consistent: Annotated[bool, arguments.flag()] = False
    tags: Annotated[tuple[str, ...], _TAGGED] = ()
    trigger: Annotated[str, _TRIGGER] = ""
    bonus: Annotated[int, arguments.number("its whole attack bonus", -99, 99)] = 0
    defense: creatures.Defense = ""
    dice: creatures.Dice = ""
    type: creatures.Type = ""
    reach: creatures.Range = "melee"
    half: creatures.Half = False
    extra: creatures.Extra = ""
    plus: creatures.More = ()
    inflicts: creatures.Inflicts = ()
    text: Annotated[str, powers.TEXT] = ""


def _read_power(reading: Reading, _: str) -> dict[str, Any]:
    """A power as the log has it. Raises Refused when it is not said how often it can be used."""
    said, words = heard(_Power, reading), reading.words
    name = said["name"]
    if "often" not in said:
        often = f"expected how often {name} can be used: at-will, encounter, daily or refresh N"
        raise words.refuse(f"{often}{did_you_mean(words.peek(), FREQUENCIES)}", FREQUENCIES)
    of_attack = [key for key in said if key in Attack.__struct_fields__ and key != "name"]
    attack = {key: said.pop(key) for key in of_attack}
    if attack and "bonus" not in attack:
        raise words.refuse("expected its whole attack bonus, before what else its attack is")
    power = {"name": name, **said.pop("often"), **said}
    return power | ({"attack": {"name": name, **attack}} if attack else {})


# -- the rows --------------------------------------------------------------------------------------


def _bind(sheet: Sheet, bond: str, owner: Combatant) -> None:
    if "owner" in sheet.stats:
        raise Refused("somebody can be the companion of one only")
    sheet.stats.update(owner=owner.id, companion=bond)


def _bond(name: str, usage: str = "") -> sheets.Row:
    whose = arguments.person(f"whose {name} it is")
    return sheets.argument(name, whose, usage, _bind, before="of")


_ATTACK = "[attack NAME +N vs AC DICE ...]"
_LANGUAGES = 'languages, such as common or "common,deep speech"'
ROWS = (
    sheets.hit_points(left=1),
    sheets.numbers(*DEFENSES, low=0, usage="ac N fort N ref N will N"),
    sheets.numbers("initiative", usage="init N"),
    sheets.numbers("speed", low=0),
    sheets.tracks("recoveries"),
    sheets.tracks("points", usage=""),
    sheets.numbers("value", low=1, usage=""),
    sheets.numbers("level", "regeneration", "reach", low=0, usage=""),
    sheets.numbers("passive-insight", "passive-perception", low=0, usage=""),
    sheets.numbers("save", *SKILLS, usage="[SKILL N]"),
    sheets.amounts(
        {"resist": "how much of it is resisted", "vulnerable": "how much more of it harms"},
        usage="[resist TYPE N]",
    ),
    sheets.lists("immune", usage=""),
    *sheets.only_of(
        "monster", sheets.flags("mook"), sheets.flags("boss", "important", usage="")
    ),
    sheets.flags(
        "incorporeal", "mindless", "psi-focus",
        "all-around-vision", "darkvision",
        "hover", "clumsy-in-air", "clumsy-on-ground", "phasing", "compress", "earth-glide",
        "wall-climber", "ice-stride", "swamp-stride", "stone-stride", "woodland-stride",
        "web-stride", "versatile-stride",
        usage="",
    ),
    sheets.argument("size", arguments.choice("a size", SIZES), "[size SIZE]"),
    sheets.texts("type", "source", "role"),
    sheets.lists("languages", what=_LANGUAGES, fits=lambda word: len(word) <= 40, usage=""),
    sheets.numbers(*MODES, "altitude", low=1, usage="[fly N]"),
    sheets.numbers("blindsight", "tremorsense", "truesight", low=1, usage=""),
    sheets.attacks("attack", Attack, _ATTACK),
    sheets.Row(
        ("power",),
        powers.from_rows(_read_power),
        lambda sheet, _, row: sheet.stats.setdefault("powers", []).append(sheets.plain(row)),
        "[power NAME FREQUENCY ...]",
        again=True,
        made=_Power,
        expects=usage_of(_Power),
    ),
    _bond("companion", "[companion of NAME]"),
    _bond("summon"),
    sheets.texts("instinct", longest=200),
)  # fmt: skip
"""What `add` understands."""


# -- what comes of it ------------------------------------------------------------------------------


def create(ctx: Context, words: Words, kind: str) -> tuple[dict[str, Any], dict[str, Track]]:
    """Stats and tracks from the words behind a name. Raises Refused for what is wrong."""
    sheet = sheets.read(ctx, words, ROWS, creatures.ALIASES)
    if sheet.stats.get("mook"):
        sheet.tracks.setdefault("hp", Given(1, 1))
    elif kind != "hazard":
        sheets.require_hp(words, sheet)
    return _defaults(ctx, kind, sheet.stats) | sheet.stats, _tracks(ctx, kind, sheet)


def _defaults(ctx: Context, kind: str, stats: dict[str, Any]) -> dict[str, Any]:
    """The numbers of somebody of whom nothing is said; a summon has its owner's defences.

    With a size go the squares that it takes up, and its reach: none of the tiny, 1 of others.
    """
    if kind == "hazard":  # neither a body nor a mind, unless something is said of them
        return {}
    own: dict[str, Any] = {"initiative": 0, "speed": int(ctx.tables.economy["speed"])}
    if size := stats.get("size"):
        own |= {"space": SPACES[size], "reach": 0 if size == "tiny" else 1}
    if stats.get("companion") == "summon":
        return own
    return dict.fromkeys(DEFENSES, creatures.UNSAID_DEFENSE) | own


def _tracks(ctx: Context, kind: str, sheet: Sheet) -> dict[str, Track]:
    given, stats, row = sheet.tracks, sheet.stats, ctx.tables.economy
    if "hp" not in given:
        return {}
    tracks = {"hp": given["hp"].left, "temp_hp": Track(0)}
    for name in ("standard", "move", "swift", "immediate"):  # a companion's are its owner's to give
        tracks[name] = Track(0 if "owner" in stats else row[name], row[name])
    if kind == "pc":
        tracks["action_points"] = Track(row["action_points"])
    if "points" in given:
        tracks["action_points"] = Track(given["points"].left.value)
    if "recoveries" in given:
        tracks["recoveries"] = given["recoveries"].left
    if kind == "pc" or stats.get("important"):
        tracks |= dict.fromkeys(("death_failures", "death_successes"), Track(0, row["death_saves"]))
    if stats.get("psi-focus"):
        tracks["psi_focus"] = Track(1, 1)
    if kind == "pc":
        tracks["streak"] = Track(0, row["streak"])
    return tracks
