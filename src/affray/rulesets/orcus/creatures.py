"""A combatant's own numbers: what `add` understands, and the tracks that come of it.

Seed 003: Abilities, Healing (Recoveries, Staggered), Powers, Companions, Glossary (Monsters).
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct, ValidationError, convert

from affray.core.dice import DiceError, parse_dice
from affray.core.state import Combatant, Encounter, Track
from affray.core.words import Words
from affray.rulesets.orcus import attack_words

if TYPE_CHECKING:
    from affray.core.decide import Context

DEFENSES = ("ac", "fortitude", "reflex", "will")
ALIASES = {"fort": "fortitude", "ref": "reflex", "init": "initiative"}
SKILLS = (
    "acrobatics", "arcana", "athletics", "bluff", "diplomacy", "dungeoneering", "endure", "heal",
    "history", "insight", "intimidate", "perception", "religion", "sleight-of-hand", "stealth",
    "streetsmarts", "strength",
)  # fmt: skip
"""The skills that the seed names, and Strength, which some actions roll with."""
NUMBERS = (
    *DEFENSES,
    "initiative",
    "speed",
    "value",
    "level",
    "regeneration",
    "save",
    "passive-insight",
    *SKILLS,
)
TRACKS = ("hp", "recoveries", "points")
AMOUNTS = ("resist", "vulnerable")
_HOW_MUCH = {"resist": "how much of it is resisted", "vulnerable": "how much more of it harms"}
FLAGS = ("mook", "boss", "important", "incorporeal", "all-around-vision")
BONDS = ("companion", "summon")
KEYS = (
    *TRACKS,
    *NUMBERS,
    *ALIASES,
    *AMOUNTS,
    "immune",
    *FLAGS,
    "attack",
    "power",
    *BONDS,
    "instinct",
)
LOWEST = dict.fromkeys((*DEFENSES, "speed", "regeneration", "passive-insight"), 0)
LOWEST |= {"hp": 1, "value": 1, "level": 0}
UNSAID_DEFENSE = 10
USAGE = (
    "hp N ac N fort N ref N will N init N speed N recoveries N [SKILL N] [resist TYPE N]"
    " [attack NAME +N vs AC DICE ...] [power NAME FREQUENCY ...] [companion of NAME]"
)


class Attack(Struct, frozen=True):
    """One way to attack: name, whole attack bonus, defence, damage dice, type, and reach.

    `half` tells that a miss deals half.
    """

    name: str
    bonus: int = 0
    defense: str = "ac"
    dice: str = ""
    type: str = ""
    reach: Literal["melee", "ranged", "near", "far"] = "melee"
    half: bool = False
    extra: str = ""


class Power(Struct, frozen=True):
    """A power: how often, which action it takes, and its attack if it is one.

    `refresh` is the lowest face of a d6 that brings it back, 0 when it is not of that kind.
    """

    name: str
    frequency: Literal["at-will", "encounter", "daily", "refresh"] = "at-will"
    action: Literal["standard", "move", "swift", "free", "counter", "react"] = "standard"
    refresh: int = 0
    consistent: bool = False
    attack: Attack | None = None


# -- what a log says of somebody, however it came to say it ----------------------------------------


def number(combatant: Combatant, name: str, default: int = 0) -> int:
    """One of a combatant's own numbers; the default for one that is missing or no number."""
    value = combatant.stats.get(name, default)
    return int(value) if isinstance(value, int | float) and abs(value) < 1e9 else default


def attacks_of(combatant: Combatant) -> list[Attack]:
    """The attacks a combatant was added with, the first being its basic attack."""
    found = (_attack_from(row) for row in _rows(combatant, "attacks"))
    return [attack for attack in found if attack is not None]


def powers_of(combatant: Combatant) -> list[Power]:
    """The powers a combatant was added with."""
    found = (_power_from(row) for row in _rows(combatant, "powers"))
    return [power for power in found if power is not None]


def _rows(combatant: Combatant, stat: str) -> list[Any]:
    rows = combatant.stats.get(stat, ())
    return list(rows) if isinstance(rows, list | tuple) else []


def _attack_from(row: Any) -> Attack | None:
    """The attack of a row of the log; None for one that makes no sense."""
    try:
        attack = convert(row, Attack)
        for dice in filter(None, (attack.dice, attack.extra)):
            parse_dice(dice)
    except (ValidationError, DiceError):
        return None
    fits = attack.name and attack.defense in DEFENSES and abs(attack.bonus) < 1000
    return attack if fits else None


def _power_from(row: Any) -> Power | None:
    """The power of a row of the log; None for one that makes no sense."""
    try:
        power = convert(row, Power)
    except ValidationError:
        return None
    if power.attack is not None and _attack_from(row.get("attack")) is None:
        return None
    return power if power.name else None


def amounts_of(combatant: Combatant, stat: str) -> dict[str, int]:
    """`resist` or `vulnerable` of a combatant's own: type, or `all` -> how much.

    The log has them as words, such as `fire 5`. Of one type the highest counts.
    """
    value = combatant.stats.get(stat, ())
    said = value if isinstance(value, list | tuple) else (value,)
    words = " ".join(part for part in said if isinstance(part, str)).replace(",", " ").split()
    found: dict[str, int] = {}
    for kind, amount in pairwise(words):
        if amount.isdecimal() and len(amount) < 6 and not kind.isdecimal():
            found[kind.casefold()] = max(int(amount), found.get(kind.casefold(), 0))
    return found


def immunities_of(combatant: Combatant) -> tuple[str, ...]:
    """The types of damage that don't harm it."""
    said = _rows(combatant, "immune")
    return tuple(part.casefold() for part in said if isinstance(part, str))


def staggered_value(combatant: Combatant) -> int:
    """Half the maximum HP, rounded down (seed 003: Staggered)."""
    return _max_hp(combatant) // 2


def recovery_value(combatant: Combatant) -> int:
    """A quarter of the maximum HP, rounded down, or what its sheet says (seed 003: Recoveries)."""
    return max(0, number(combatant, "value", _max_hp(combatant) // 4))


def _max_hp(combatant: Combatant) -> int:
    hp = combatant.tracks.get("hp")
    return hp.max if hp is not None and hp.max is not None else 0


def has_death_saves(combatant: Combatant) -> bool:
    """Whether it is dying at 0 HP: characters, and monsters that are marked as important."""
    return combatant.kind == "pc" or bool(combatant.stats.get("important"))


def owner_of(combatant: Combatant) -> str:
    """Whose companion it is; empty for nobody's (seed 003: Companions)."""
    owner = combatant.stats.get("owner", "")
    return owner if isinstance(owner, str) else ""


def owner_here(state: Encounter, combatant: Combatant) -> Combatant | None:
    """Its owner, when that is somebody else in the fight; None for nobody's, or one left alone."""
    owner = owner_of(combatant)
    return state.find(owner) if owner and owner != combatant.id else None


def is_summon(combatant: Combatant) -> bool:
    """Whether it was summoned by its owner (seed 003: Summons)."""
    return bool(owner_of(combatant)) and combatant.stats.get("companion") == "summon"


# -- the words of `add` ----------------------------------------------------------------------------


def create(ctx: Context, words: Words, kind: str) -> tuple[dict[str, Any], dict[str, Track]]:
    """Stats and tracks from the words behind a name. Raises Refused for what is wrong."""
    stats: dict[str, Any] = {}
    given: dict[str, tuple[int, int]] = {}
    while not words.done and words.peek() != "hidden":
        said = words.choice("one of its numbers", KEYS)
        _read_key(ctx, words, ALIASES.get(said, said), stats, given)
    if "hp" not in given and kind != "hazard" and not stats.get("mook"):
        raise words.refuse("expected `hp` and a number")
    return _defaults(ctx, stats) | stats, _tracks(ctx, kind, stats, given)


def _read_key(
    ctx: Context, words: Words, key: str, stats: dict[str, Any], given: dict[str, tuple[int, int]]
) -> None:
    """Read what stands behind one word of `add`."""
    if key in (*NUMBERS, *TRACKS, *FLAGS, "instinct") and (key in stats or key in given):
        raise words.refuse(f"{key} is given twice")
    if key in FLAGS:
        stats[key] = True
    elif key == "attack":
        stats.setdefault("attacks", []).append(attack_words.read_attack(ctx, words, _STOP))
    elif key == "power":
        stats.setdefault("powers", []).append(attack_words.read_power(ctx, words, _STOP))
    elif key in AMOUNTS:
        stats.setdefault(key, []).extend(_read_amounts(words, key))
    elif key == "immune":
        stats.setdefault(key, []).extend(_read_types(words, key))
    elif key in BONDS:
        stats |= _read_bond(words, key, stats)
    elif key == "instinct":
        stats[key] = str(words.next("what it does by itself, in quotes"))
    elif key in TRACKS:
        given[key] = _read_track(words, key)
    else:
        stats[key] = words.number(key, LOWEST.get(key, -99), 999)


_STOP = (*KEYS, "hidden")


def _read_types(words: Words, key: str) -> list[str]:
    found = [part.casefold() for part in words.next(f"what it is: {key}").split(",") if part]
    if not found or found[0] in KEYS or any(part.isdecimal() for part in found):
        words.back()
        raise words.refuse(f"expected a damage type after {key}")
    return found


def _read_amounts(words: Words, key: str) -> list[str]:
    """`fire 5`, or `fire,cold 5` for both; gives them as the log has them."""
    types = _read_types(words, key)
    amount = words.number(_HOW_MUCH[key], 1, 999)
    return [f"{kind} {amount}" for kind in types]


def _read_bond(words: Words, key: str, stats: dict[str, Any]) -> dict[str, Any]:
    if "owner" in stats:
        raise words.refuse("somebody can be the companion of one only")
    words.take("of")
    return {"owner": words.combatant(f"whose {key} it is").id, "companion": key}


def _read_track(words: Words, key: str) -> tuple[int, int]:
    """`44`, or `12/44` for 12 left of 44; gives (value, maximum)."""
    word = words.next(key)
    now, slash, top = word.partition("/")
    if not now.isdecimal() or (slash and not top.isdecimal()):
        words.back()
        raise words.refuse(f"expected {key} (a whole number, or LEFT/MAX), found {word!r}")
    value, limit = int(now[:6]), int((top or now)[:6])
    if value > limit or limit > 99_999 or value < LOWEST.get(key, 0):
        words.back()
        raise words.refuse(f"{key} {word} is out of range")
    return value, limit


def _defaults(ctx: Context, stats: dict[str, Any]) -> dict[str, Any]:
    """The numbers of somebody of whom nothing is said; a summon has its owner's defences."""
    own = {"initiative": 0, "speed": int(ctx.tables.economy["speed"])}
    if stats.get("companion") == "summon":
        return own
    return dict.fromkeys(DEFENSES, UNSAID_DEFENSE) | own


def _tracks(
    ctx: Context, kind: str, stats: dict[str, Any], given: dict[str, tuple[int, int]]
) -> dict[str, Track]:
    economy = ctx.tables.economy
    if stats.get("mook"):
        given = {"hp": (1, 1)} | given
    if kind == "hazard" and "hp" not in given:
        return {}
    tracks = {"hp": Track(*given["hp"]), "temp_hp": Track(0)}
    for name in ("standard", "move", "swift"):  # a companion's are what its owner gives it
        tracks[name] = Track(0 if "owner" in stats else int(economy[name]), int(economy[name]))
    top = int(economy["immediate"])
    tracks["immediate"] = Track(0 if "owner" in stats else top, top)  # a companion has its owner's
    if kind == "pc" or "points" in given:
        points = int(economy["action_points"])
        tracks["action_points"] = Track(given.get("points", (points, points))[0])
    if "recoveries" in given:
        tracks["recoveries"] = Track(*given["recoveries"])
    if kind == "pc" or stats.get("important"):
        for name in ("death_failures", "death_successes"):
            tracks[name] = Track(0, int(economy["death_saves"]))
    if kind == "pc":
        tracks["streak"] = Track(0, int(economy["streak"]))
    return tracks
