"""Typed modifiers, and which of them stack. Seed 003: Modifiers (Stacking, Modifier Types)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from affray.core.language.refusal import signed
from affray.core.rules.ruleset import Share

if TYPE_CHECKING:
    from collections.abc import Sequence


class Part(Struct, frozen=True):
    """One bonus or penalty: how much, where it comes from, and its type; untyped is empty."""

    amount: int
    source: str
    type: str = ""


def counted(parts: Sequence[Part]) -> list[Part]:
    """Those that count: all untyped ones; of each type the best bonus and the worst penalty."""
    best: dict[tuple[str, bool], Part] = {}
    for part in parts:
        key = part.type, part.amount < 0
        if part.type and (key not in best or abs(part.amount) > abs(best[key].amount)):
            best[key] = part
    kept = {id(part) for part in best.values()}
    return [part for part in parts if not part.type or id(part) in kept]


def total(parts: Sequence[Part]) -> int:
    """What they come to (seed 003: Stacking)."""
    return sum(part.amount for part in counted(parts))


def shares(parts: Sequence[Part]) -> list[Share]:
    """For `why`: those that count as numbers, the others as text such as "(+1)", all with types."""
    count = {id(part) for part in counted(parts)}
    return [
        Share(part.amount, _label(part))
        if id(part) in count
        else Share(f"({signed(part.amount)})", f"{_label(part)}, doesn't stack")
        for part in parts
    ]


def _label(part: Part) -> str:
    return f"{part.source} ({part.type})" if part.type else part.source
