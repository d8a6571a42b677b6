"""What `add` understands of a combatant, and the tracks that come of it.

Seed 003: Abilities, Languages, Healing (Recoveries), Powers, Augmentable, Creature Size, Speed,
Additional Movement Modes, Vision and Light, Companions, Glossary (Monsters).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from affray.core.heart.state import Track
from affray.core.language.clauses import BEHIND_NUMBERS
from affray.core.language.words import Words
from affray.rulesets.orcus import attack_words
from affray.rulesets.orcus.creatures import (
    ALIASES,
    DEFENSES,
    MODES,
    SIZES,
    SKILLS,
    SPACES,
    UNSAID_DEFENSE,
)

if TYPE_CHECKING:
    from affray.core.heart.decide import Context

NUMBERS = (
    *DEFENSES,
    "initiative",
    "speed",
    "value",
    "level",
    "regeneration",
    "save",
    "passive-insight",
    "passive-perception",
    "reach",
    *MODES,
    "altitude",
    "blindsight",
    "tremorsense",
    "truesight",
    *SKILLS,
)
TRACKS = ("hp", "recoveries", "points")
AMOUNTS = ("resist", "vulnerable")
_HOW_MUCH = {"resist": "how much of it is resisted", "vulnerable": "how much more of it harms"}
FLAGS = (
    "mook", "boss", "important", "incorporeal", "mindless", "psi-focus",
    "all-around-vision", "darkvision",
    "hover", "clumsy-in-air", "clumsy-on-ground", "phasing", "compress", "earth-glide",
    "wall-climber", "ice-stride", "swamp-stride", "stone-stride", "woodland-stride", "web-stride",
    "versatile-stride",
)  # fmt: skip
KINDS = ("type", "source", "role")
"""What a monster is, in a word or a few in quotes: automaton, cosmic, archer."""
BONDS = ("companion", "summon")
KEYS = (
    *TRACKS,
    *NUMBERS,
    *ALIASES,
    *AMOUNTS,
    "immune",
    *FLAGS,
    "size",
    *KINDS,
    "languages",
    "attack",
    "power",
    *BONDS,
    "instinct",
)
LOWEST = dict.fromkeys((*DEFENSES, "speed", "regeneration", "passive-insight"), 0)
LOWEST |= dict.fromkeys(("passive-perception", "reach", "level"), 0) | {"hp": 1, "value": 1}
LOWEST |= dict.fromkeys((*MODES, "altitude", "blindsight", "tremorsense", "truesight"), 1)
ONCE = (*NUMBERS, *TRACKS, *FLAGS, "size", *KINDS, "instinct")
"""What is said once at most."""
LONGEST = 40
USAGE = (
    "hp N ac N fort N ref N will N init N speed N recoveries N [SKILL N] [resist TYPE N]"
    " [size SIZE] [fly N]"
    " [attack NAME +N vs AC DICE ...] [power NAME FREQUENCY ...] [companion of NAME]"
)


def create(ctx: Context, words: Words, kind: str) -> tuple[dict[str, Any], dict[str, Track]]:
    """Stats and tracks from the words behind a name. Raises Refused for what is wrong."""
    stats: dict[str, Any] = {}
    given: dict[str, tuple[int, int]] = {}
    while not words.done and words.peek() not in BEHIND_NUMBERS:
        said = words.choice("one of its numbers", KEYS)
        _read_key(ctx, words, ALIASES.get(said, said), stats, given)
    if "hp" not in given and kind != "hazard" and not stats.get("mook"):
        raise words.refuse("expected `hp` and a number")
    return _defaults(ctx, kind, stats) | stats, _tracks(ctx, kind, stats, given)


def _read_key(
    ctx: Context, words: Words, key: str, stats: dict[str, Any], given: dict[str, tuple[int, int]]
) -> None:
    """Read what stands behind one word of `add`."""
    if key in ONCE and (key in stats or key in given):
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
    elif key == "size":
        stats[key] = words.choice("a size", SIZES)
    elif key in KINDS:
        stats[key] = _read_kind(words, key)
    elif key == "languages":
        stats.setdefault(key, []).extend(_read_languages(words))
    elif key in BONDS:
        stats |= _read_bond(words, key, stats)
    elif key == "instinct":
        stats[key] = str(words.next("what it does by itself, in quotes"))
    elif key in TRACKS:
        given[key] = _read_track(words, key)
    else:
        stats[key] = words.number(key, LOWEST.get(key, -99), 999)


_STOP = (*KEYS, *BEHIND_NUMBERS)


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


def _read_kind(words: Words, key: str) -> str:
    word = words.next(f"its {key}, in quotes where it is more than a word")
    if (not word.quoted and word.casefold() in _STOP) or not 0 < len(word.strip()) <= LONGEST:
        words.back()
        raise words.refuse(f"expected its {key}, of 1 to {LONGEST} characters")
    return word.strip()


def _read_languages(words: Words) -> list[str]:
    said = words.next("the languages that it understands, joined by commas").casefold()
    row = [part.strip() for part in said.split(",") if part.strip()]
    if not row or row[0] in _STOP or any(len(part) > LONGEST for part in row):
        words.back()
        raise words.refuse('expected languages, such as common or "common,deep speech"')
    return list(dict.fromkeys(row))


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
    for name in ("standard", "move", "swift", "immediate"):
        top = int(economy[name])  # a companion's are what its owner gives it
        tracks[name] = Track(0 if "owner" in stats else top, top)
    if kind == "pc" or "points" in given:
        points = int(economy["action_points"])
        tracks["action_points"] = Track(given.get("points", (points, points))[0])
    if "recoveries" in given:
        tracks["recoveries"] = Track(*given["recoveries"])
    if kind == "pc" or stats.get("important"):
        for name in ("death_failures", "death_successes"):
            tracks[name] = Track(0, int(economy["death_saves"]))
    if stats.get("psi-focus"):
        tracks["psi_focus"] = Track(1, 1)
    if kind == "pc":
        tracks["streak"] = Track(0, int(economy["streak"]))
    return tracks
