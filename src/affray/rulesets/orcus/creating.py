"""What `add` understands of a combatant, and the tracks that come of it.

Seed 003: Abilities, Healing (Recoveries), Powers, Companions, Glossary (Monsters).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from affray.core.state import Track
from affray.core.words import Words
from affray.rulesets.orcus import attack_words
from affray.rulesets.orcus.creatures import ALIASES, DEFENSES, SKILLS, UNSAID_DEFENSE

if TYPE_CHECKING:
    from affray.core.decide import Context

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
USAGE = (
    "hp N ac N fort N ref N will N init N speed N recoveries N [SKILL N] [resist TYPE N]"
    " [attack NAME +N vs AC DICE ...] [power NAME FREQUENCY ...] [companion of NAME]"
)


def create(ctx: Context, words: Words, kind: str) -> tuple[dict[str, Any], dict[str, Track]]:
    """Stats and tracks from the words behind a name. Raises Refused for what is wrong."""
    stats: dict[str, Any] = {}
    given: dict[str, tuple[int, int]] = {}
    while not words.done and words.peek() != "hidden":
        said = words.choice("one of its numbers", KEYS)
        _read_key(ctx, words, ALIASES.get(said, said), stats, given)
    if "hp" not in given and kind != "hazard" and not stats.get("mook"):
        raise words.refuse("expected `hp` and a number")
    return _defaults(ctx, kind, stats) | stats, _tracks(ctx, kind, stats, given)


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


def _defaults(ctx: Context, kind: str, stats: dict[str, Any]) -> dict[str, Any]:
    """The numbers of somebody of whom nothing is said; a summon has its owner's defences."""
    if kind == "hazard":  # neither a body nor a mind, unless something is said of them
        return {}
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
    if kind == "pc":
        tracks["streak"] = Track(0, int(economy["streak"]))
    return tracks
