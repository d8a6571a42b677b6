"""What the log has of a sheet: read back as the game declared it, and told; size and owner.

    rows_of(mira, "attacks", Attack)    # what `rulekit.sheets.attacks` has read, as structs again
    words_of(mira, "resist")            # ("fire", "cold")

A log may have been edited by hand: what makes no sense in it is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from msgspec import Struct, ValidationError, convert

from affray.core.dice.notation import DiceError, parse_dice
from affray.core.heart.state import Combatant, Encounter
from affray.core.language.refusal import signed

Made = TypeVar("Made", bound=Struct)
SIZES = ("tiny", "small", "medium", "large", "huge", "gargantuan")
"""The sizes of most games, the smallest first."""


def rows_of(
    combatant: Combatant,
    stat: str,
    made: type[Made],
    fits: Callable[[Made], bool] = lambda row: True,
) -> list[Made]:
    """The structs that a list among the stats holds, but for those that make no sense or that
    `fits` turns down."""
    rows = combatant.stats.get(stat)
    if not isinstance(rows, list | tuple):
        return []
    found = []
    for row in rows:
        with suppress(ValidationError):
            found.append(convert(row, made))
    return list(filter(fits, found))


def is_dice(*texts: str) -> bool:
    """Whether each of these texts is dice, or nothing at all."""
    try:
        return all(parse_dice(text) for text in texts if text)
    except DiceError:
        return False


def words_of(combatant: Combatant, stat: str) -> tuple[str, ...]:
    """A list of words among the stats, in lower case; none for anything else."""
    rows = combatant.stats.get(stat)
    if not rows or not isinstance(rows, list | tuple):
        return ()
    return tuple(part.casefold() for part in rows if isinstance(part, str))


def size_of(who: Combatant, sizes: Sequence[str] = SIZES) -> str:
    """Its size, one of the game's `sizes`; medium for whom nothing is said."""
    size = who.stats.get("size")
    return size if isinstance(size, str) and size in sizes else "medium"


def larger_by(one: Combatant, other: Combatant, sizes: Sequence[str] = SIZES) -> int:
    """By how many sizes the one is larger than the other; below 0 when it is smaller."""
    return sizes.index(size_of(one, sizes)) - sizes.index(size_of(other, sizes))


def owner_of(who: Combatant) -> str:
    """Whose companion or summon it is; empty for nobody's."""
    owner = who.stats.get("owner", "")
    return owner if isinstance(owner, str) else ""


def owner_here(state: Encounter, who: Combatant) -> Combatant | None:
    """Its owner, when that is somebody else in the fight."""
    owner = owner_of(who)
    return state.find(owner) if owner and owner != who.id else None


# -- in words --------------------------------------------------------------------------------------


def in_words(row: Struct, but: Sequence[str] = ()) -> str:
    """What a row of a sheet says, but for some fields and for what goes without saying.

    >>> in_words(Attack("claw", 5, "1d8+3", "slashing", heavy=True))
    'claw +5 1d8+3 slashing heavy'
    """
    fields = row.__struct_fields__
    usual = dict(zip(reversed(fields), reversed(row.__struct_defaults__), strict=False))
    told = ((f, getattr(row, f)) for f in fields if f not in but)
    return " ".join(_told(name, value) for name, value in told if value != usual.get(name))


def attacks_told(stat: str, words: Iterable[str]) -> dict[str, str]:
    """What is told of the attacks that a stat holds, each in its words; nothing of none."""
    told = ", ".join(words)
    return {stat: f"Attacks {told}"} if told else {}


_NAMED = ("plus", "inflicts", "failed", "aftereffect", "per")
"""The texts that stand behind their names; numbers do, but for the bonus."""


def _told(name: str, value: Any) -> str:
    label = name.replace("_", "-")
    if value is True:
        return label
    if isinstance(value, Struct):
        return f"{label} {in_words(value)}"
    if isinstance(value, int):
        return signed(value) if name == "bonus" else f"{label} {value}"
    parts = value if isinstance(value, tuple) else (value,)
    return " ".join(f"{label} {part}" if name in _NAMED else str(part) for part in parts)
