"""Forwards: bonuses that are used up by the next fitting roll.

Seed 004: Ongoing, Forward, and Hold.
"""

from __future__ import annotations

from affray.core.heart.state import Combatant, Effect
from affray.rulekit.numbers import Part

KINDS = ("attack", "save", "ac", "power", "cunning", "focus", "luck", "initiative")
"""Kinds of roll that a forward's wording can single out; without one it fits every check."""
PREPARED_BONUS = 2


def kind_of(note: str) -> str:
    """The kind of roll that the words of a forward speak of: `next attack` -> attack."""
    words = note.casefold().replace("saving", "save").split()
    return next((k for k in KINDS for w in words if w.rstrip("s,.") == k), "check")


def fitting(roller: Combatant, tags: tuple[str, ...], prepared: bool = False) -> list[Effect]:
    """The forwards that a roll with these tags uses up; `prepared` too, when it was called on."""
    found = [e for e in roller.effects if e.kind == "forward" and set(e.modifiers) & set(tags)]
    status = roller.named("prepared") if prepared else None
    return [*found, *([status] if status else [])]


def parts(used: list[Effect]) -> list[Part]:
    """What the forwards add to the roll."""
    return [
        Part(PREPARED_BONUS if e.name == "prepared" else sum(e.modifiers.values()), _source(e))
        for e in used
    ]


def _source(effect: Effect) -> str:
    return (
        "prepared"
        if effect.name == "prepared"
        else f"forward{f' ({effect.note})' if effect.note else ''}"
    )
