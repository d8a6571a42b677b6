"""A combatant's own numbers: what `add` understands, and the tracks that come of it.

Seed 004: Abilities, Proficiencies, Hit Points, Fatigue & Exhaustion, Threads of Fate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct, ValidationError, convert

from affray.core.dice.notation import DiceError, parse_dice
from affray.core.heart.state import Combatant, Track
from affray.core.language.clauses import BEHIND_NUMBERS, read_dice
from affray.core.language.words import Words

if TYPE_CHECKING:
    from affray.core.heart.decide import Context

NUMBERS = ("ac", "power", "cunning", "focus", "luck", "spell", "pb", "cr", "speed")
TRACKS = ("hp", "fatigue", "exhaustion", "threads", "xp")
LISTS = ("resist", "vulnerable", "immune")
FLAGS = ("important", "swim")
KEYS = (*TRACKS, *NUMBERS, *LISTS, *FLAGS, "attack")
ATTACK_TAGS = ("agile", "precise", "ranged", "spell")
LOWEST = {"hp": 1, "speed": 0, "cr": 0, "pb": 0}
USAGE = "hp N ac N power N cunning N focus N luck N pb N speed N attack NAME DICE TYPE ..."


def words_of(combatant: Combatant, name: str) -> tuple[str, ...]:
    """A list of words of a combatant's, such as what it resists; empty for anything else."""
    value = combatant.stats.get(name, ())
    return tuple(w for w in value if isinstance(w, str)) if isinstance(value, list | tuple) else ()


class Attack(Struct, frozen=True):
    """One way to attack: its name, damage dice, type, and tags such as agile or ranged."""

    name: str
    dice: str
    type: str = ""
    tags: tuple[str, ...] = ()

    @property
    def is_spell(self) -> bool:
        """Whether it is a spell, and no weapon."""
        return "spell" in self.tags

    @property
    def is_ranged(self) -> bool:
        """Whether it is made from farther away than one can touch."""
        return "ranged" in self.tags

    @property
    def ability(self) -> str:
        """The ability a character rolls with (seed 004: Abilities)."""
        if self.is_spell:
            return "spell"
        return "cunning" if "agile" in self.tags else "focus" if "precise" in self.tags else "power"


def attacks_of(combatant: Combatant) -> list[Attack]:
    """The attacks a combatant was added with, the first being its usual one."""
    rows = combatant.stats.get("attacks", ())
    known = (_attack_from(row) for row in rows) if isinstance(rows, list | tuple) else ()
    return [attack for attack in known if attack is not None]


def weapons_of(combatant: Combatant) -> list[str]:
    """The names of its attacks, its usual one first."""
    return [attack.name for attack in attacks_of(combatant)]


def spells_of(combatant: Combatant) -> list[str]:
    """The names of the spells that it attacks with."""
    return [attack.name for attack in attacks_of(combatant) if attack.is_spell]


def _attack_from(row: Any) -> Attack | None:
    """The attack of a row of the log; None for one that makes no sense."""
    try:
        attack = convert(row, Attack)
        parse_dice(attack.dice)
    except (ValidationError, DiceError):
        return None
    return attack


def create(ctx: Context, words: Words, kind: str) -> tuple[dict[str, Any], dict[str, Track]]:
    """Stats and tracks from the words behind a name. Raises Refused for what is wrong."""
    stats: dict[str, Any] = {}
    given: dict[str, tuple[int, int]] = {}
    while not words.done and words.peek() not in BEHIND_NUMBERS:
        key = words.choice("one of its numbers", KEYS)
        if (key in stats and key not in LISTS) or key in given:
            raise words.refuse(f"{key} is given twice")
        if key in FLAGS:
            stats[key] = True
        elif key == "attack":
            stats.setdefault("attacks", []).append(_read_attack(words))
        elif key in LISTS:
            stats.setdefault(key, []).extend(_read_list(words, key))
        elif key in TRACKS:
            given[key] = _read_track(words, key)
        else:
            stats[key] = words.number(key, LOWEST.get(key, -20), 999)
    if "hp" not in given and kind != "hazard":
        raise words.refuse("expected `hp` and a number")
    return _defaults(ctx, kind) | stats, _tracks(ctx, kind, stats, given)


def _defaults(ctx: Context, kind: str) -> dict[str, Any]:
    """The numbers of somebody of whom nothing is said. A character's PB starts at 1."""
    if kind == "hazard":  # it has a body only where something is said of one
        return {}
    own = dict.fromkeys(("power", "cunning", "focus", "luck", "spell"), 0) | {"pb": 1}
    return {"ac": 0, "speed": int(ctx.tables.economy["speed"])} | (
        own if kind == "pc" else {"cr": 0}
    )


def _read_list(words: Words, key: str) -> list[str]:
    found = [p.casefold() for p in words.next(f"what it is: {key}").split(",") if p]
    if not found or found[0] in KEYS:
        words.back()
        raise words.refuse(f"expected a damage type after {key}")
    return found


def _read_track(words: Words, key: str) -> tuple[int, int]:
    """`18`, or `12/18` for what is left or marked; gives (value, -1 when unsaid, and maximum)."""
    word = words.next(key)
    now, slash, top = word.partition("/")
    if not now.isdecimal() or (slash and not top.isdecimal()):
        words.back()
        raise words.refuse(f"expected {key} (a whole number, or LEFT/MAX), found {word!r}")
    value, limit = int(now) if slash else -1, int(top or now)
    if value > limit or limit < LOWEST.get(key, 0) or limit > 99_999:
        words.back()
        raise words.refuse(f"{key} {word} is out of range")
    return value, limit


def _read_attack(words: Words) -> dict[str, Any]:
    """Read `NAME DICE [TYPE] [TAG ...]`; gives it as the log has it."""
    name = str(words.next("the attack's name"))
    attack: dict[str, Any] = {"name": name, "dice": read_dice(words, "its damage dice")}
    while not words.done and not _is_next_number(words):
        word = str(words.next("a damage type")).casefold()
        if word in ATTACK_TAGS:
            attack.setdefault("tags", []).append(word)
        else:
            attack.setdefault("type", word)
    return attack


def _is_next_number(words: Words) -> bool:
    """Whether an attack's words are over. `spell` is one of them, unless a number follows it."""
    if words.peek() != "spell":
        return words.peek() in (*KEYS, *BEHIND_NUMBERS)
    return words.peek(1).lstrip("+-−").isdecimal()


def _tracks(
    ctx: Context, kind: str, stats: dict[str, Any], given: dict[str, tuple[int, int]]
) -> dict[str, Track]:
    if kind == "hazard" and "hp" not in given:
        return {}
    economy = ctx.tables.economy
    left, top = given["hp"]
    tracks = {"hp": Track(top if left < 0 else left, top), "temp_hp": Track(0)}
    for name in ("ap", "reaction"):
        tracks[name] = Track(economy[name], economy[name])
    for name in ("fatigue", "exhaustion"):
        marked, top = given.get(name, (0, economy[name]))
        tracks[name] = Track(max(0, marked), top)
    if kind == "pc":
        threads = max(0, int(stats.get("pb", 1)))
        tracks["threads"] = Track(min(given.get("threads", (0, threads))[1], threads), threads)
        tracks["xp"] = Track(given.get("xp", (0, 0))[1])
    if kind == "pc" or stats.get("important"):
        tracks["deathsaves"] = Track(0, economy["deathsaves"])
    return tracks
