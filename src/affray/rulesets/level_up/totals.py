"""What the situation adds up to, and the parts of each number. Seed 002; rules file, 18."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.heart.effects import called, in_force, rule_of
from affray.core.heart.state import Combatant, Encounter
from affray.core.rules.ruleset import Share
from affray.core.rules.tables import Tables
from affray.rulesets.level_up import creatures

if TYPE_CHECKING:
    from collections.abc import Iterator

MODIFIERS = ("attack", "damage", "damage_taken", "check", "save", "hide", "initiative")
"""What the situation adds to a kind of roll or number."""
TOTALS = (*MODIFIERS, "ac", "speed", "massive")


def totals(tables: Tables, state: Encounter, who: Combatant) -> dict[str, int]:
    """What the situation adds to rolls; AC, speed and massive damage whole."""
    return {total: number_now(tables, state, who, total) for total in TOTALS}


def shares(tables: Tables, state: Encounter, who: Combatant, total: str) -> list[Share]:
    """The parts of one of the totals, for `why`."""
    if total not in TOTALS:
        return []
    doubled = _doublings(tables, state, who) if total == "speed" else ()
    return [*_parts(tables, state, who, total), *(Share("doubled", name) for name in doubled)]


def number_now(tables: Tables, state: Encounter, who: Combatant, total: str) -> int:
    """One of the totals."""
    value = sum(int(share.amount) for share in _parts(tables, state, who, total))
    if total != "speed":
        return value
    for _ in _doublings(tables, state, who):
        value *= 2
    return max(0, value)


def _doublings(tables: Tables, state: Encounter, who: Combatant) -> list[str]:
    return [n for n in in_force(tables, state, who) if rule_of(tables, n).speed == "double"]


def _parts(tables: Tables, state: Encounter, who: Combatant, total: str) -> Iterator[Share]:
    yield from _own(tables, who, total)
    seen: set[str] = set()
    for effect in (*who.effects, *in_force(tables, state, who).values()):
        amount = effect.modifiers.get(total, 0)
        once = effect.name if effect.kind == "condition" else effect.id
        if amount and once not in seen:
            yield Share(amount, effect.note or called(tables, effect.name))
        seen.add(once)


def _own(tables: Tables, who: Combatant, total: str) -> Iterator[Share]:
    economy = tables.economy
    if total == "ac":
        yield Share(who.number("ac", int(economy["armor_class"])), "own AC")
        if given_up := who.room("shield"):
            yield Share(-given_up, "the shield is given up")
    elif total == "speed":
        yield Share(who.number("speed", int(economy["speed"])), "own speed")
    elif total == "massive":
        yield Share(int(economy["massive"]), "to anybody")
        yield Share(int(economy["massive_level"]) * creatures.level_of(who), "by level")
