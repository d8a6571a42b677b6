"""What `add` understands of a combatant, and the tracks that come of it. Rules file, 18."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from affray.core.heart.state import Track
from affray.core.language.clauses import BEHIND_NUMBERS, read_dice, read_type
from affray.core.language.words import Words
from affray.rulesets.level_up.creatures import (
    ABILITIES,
    REACHES,
    SIZES,
    SKILLS,
    Attack,
)

if TYPE_CHECKING:
    from affray.core.heart.decide import Context

LOWEST = {
    "ac": 0, "init": -99, "speed": 0, "level": 1, "hit-dice": 1, "pb": 0,
    **dict.fromkeys(ABILITIES, -99),
    "passive-perception": 0, "passive-investigation": 0, "maneuver-dc": 0, "spell": -99,
    "attacks": 1,
}  # fmt: skip
"""The numbers, and the lowest that each may be."""
TRACKS = ("hp", "shield", "exertion")
LISTS = ("saves", "skills", "specialty", "resist", "vulnerable", "immune")
FLAGS = ("swim", "fly", "blindsight", "important", "dramatic")
KEYS = (*TRACKS, *LOWEST, *LISTS, *FLAGS, "size", "attack", "summon")
_STOP = (*KEYS, *BEHIND_NUMBERS)
_OF_AN_ATTACK = (*REACHES, "thrown", "heavy", "dual-wielding", "magical")
USAGE = (
    "hp N ac N [init N] [speed N] [level N | hit-dice N] [pb N] [str N ... cha N] [saves A,B]"
    " [skills A,B] [passive-perception N] [maneuver-dc N] [attacks N] [shield N] [resist TYPE,TYPE]"
    " [attack NAME +N DICE [TYPE] [melee|ranged] ...] [summon of NAME]"
)


def create(ctx: Context, words: Words, kind: str) -> tuple[dict[str, Any], dict[str, Track]]:
    """Stats and tracks from the words behind a name. Raises Refused for what is wrong."""
    stats: dict[str, Any] = {}
    given: dict[str, tuple[int, int]] = {}
    while not words.done and words.peek() not in BEHIND_NUMBERS:
        _read_key(ctx, words, words.choice("one of its numbers", KEYS), stats, given)
    if "hp" not in given and kind != "hazard":
        raise words.refuse("expected `hp` and a number")
    return stats, _tracks(ctx, kind, stats, given)


def _read_key(
    ctx: Context, words: Words, key: str, stats: dict[str, Any], given: dict[str, tuple[int, int]]
) -> None:
    if (key in stats or key in given) and key not in LISTS:
        raise words.refuse(f"{key} is given twice")
    if key in FLAGS:
        stats[key] = True
    elif key == "attack":
        stats.setdefault("weapons", []).append(_read_attack(ctx, words))
    elif key in LISTS:
        stats.setdefault(key, []).extend(_read_list(words, key))
    elif key == "size":
        stats[key] = words.choice("a size", SIZES)
    elif key == "summon":
        words.take("of")
        stats["owner"] = words.combatant("whose summon it is").id
    elif key in TRACKS:
        given[key] = _read_track(words, key)
    else:
        stats[key] = words.number(key, LOWEST[key], 999)


def _read_list(words: Words, key: str) -> list[str]:
    known = ABILITIES if key == "saves" else SKILLS if key == "skills" else ()
    word = words.next(f"{key}, joined by commas", known).casefold()
    found = [part for part in word.split(",") if part]
    fits = set(found) <= set(ABILITIES) if key == "saves" else not {*found} & {*_STOP}
    if not found or not fits:
        words.back()
        raise words.refuse(f"expected {key}, joined by commas, found {word!r}", known)
    return found


def _read_attack(ctx: Context, words: Words) -> dict[str, Any]:
    """`NAME +N DICE [TYPE] [melee|ranged] [thrown] [heavy] [dual-wielding] [magical]`."""
    row: dict[str, Any] = {"name": str(words.next("the attack's name"))}
    row["bonus"] = words.number("the attack bonus", -99, 99)
    if words.has_dice():
        row["dice"] = read_dice(words, "its damage")
    if kind := read_type(words, ctx.tables.damage_types, (*_OF_AN_ATTACK, *_STOP), others=False):
        row["type"] = kind
    while word := words.take(*_OF_AN_ATTACK):
        if word in REACHES:
            row["reach"] = word
        else:
            row[word.replace("-", "_")] = True
    assert set(row) <= set(Attack.__struct_fields__)
    return row


def _read_track(words: Words, key: str) -> tuple[int, int]:
    """`44`, or `12/44` for 12 left of 44; gives (value, maximum)."""
    word = words.next(key)
    now, slash, top = word.partition("/")
    if not now.isdecimal() or (slash and not top.isdecimal()):
        words.back()
        raise words.refuse(f"expected {key} (a whole number, or LEFT/MAX), found {word!r}")
    value, limit = int(now[:6]), int((top or now)[:6])
    if value > limit or not 1 <= limit <= 99_999:
        words.back()
        raise words.refuse(f"{key} {word} is out of range")
    return value, limit


def _tracks(
    ctx: Context, kind: str, stats: dict[str, Any], given: dict[str, tuple[int, int]]
) -> dict[str, Track]:
    if "hp" not in given:
        return {}
    economy = ctx.tables.economy
    speed = int(stats.get("speed", economy["speed"]))
    tracks = {"hp": Track(*given["hp"]), "temp_hp": Track(0)}
    for name in ("action", "bonus_action", "reaction", "interaction"):
        tracks[name] = Track(int(economy[name]), int(economy[name]))
    attacks = int(stats.get("attacks", 1))
    tracks["attacks"] = Track(0, attacks)
    tracks["off_hand"] = Track(0, 2 if kind == "pc" and attacks > 1 else 1)
    tracks["movement"] = Track(speed, speed)
    tracks |= {"fatigue": Track(0), "strife": Track(0)}
    for name in ("death_failures", "death_successes"):
        tracks[name] = Track(0, int(economy["death_saves"]))
    tracks["sprints"] = Track(0)
    return tracks | {name: Track(*given[name]) for name in ("shield", "exertion") if name in given}
