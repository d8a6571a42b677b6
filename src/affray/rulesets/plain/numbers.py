"""The numbers that conditions change: rolls, and AC and speed of those who have them."""

from __future__ import annotations

from affray.core.heart.state import Combatant, Encounter
from affray.core.rules.ruleset import Share
from affray.core.rules.tables import OWN_KINDS, Tables
from affray.rulekit import numbers
from affray.rulekit.numbers import Number, Numbers, Part, Situation


def _own(here: Situation, name: str) -> list[Part]:
    return [Part(here.who.number(name), f"own {name}")]


def _has(who: Combatant, name: str) -> bool:
    return name in who.stats


ROLLS = ("attack", "damage", "check", "save", "initiative")
NUMBERS = Numbers(
    {
        **dict.fromkeys(ROLLS, Number()),
        **dict.fromkeys(("ac", "speed"), Number(_own, least=0, whose=_has)),
    },
    once=("condition", *OWN_KINDS),
)


def totals(tables: Tables, state: Encounter, who: Combatant) -> dict[str, int]:
    """What the situation adds to rolls; AC and speed whole."""
    return numbers.totals(numbers.situation(NUMBERS, tables, state, who))


def shares(tables: Tables, state: Encounter, who: Combatant, total: str) -> list[Share]:
    """The parts of one of them, for `why`."""
    return numbers.shares(numbers.situation(NUMBERS, tables, state, who), total)
