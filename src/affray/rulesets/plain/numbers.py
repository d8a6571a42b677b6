"""The numbers that conditions change: rolls, and AC and speed of those who have them."""

from __future__ import annotations

from affray.core.heart.state import Combatant
from affray.core.rules.tables import OWN_KINDS
from affray.rulekit.numbers import Number, Numbers, Part, Situation


def _own(here: Situation, name: str) -> list[Part]:
    return [Part(here.who.number(name), f"own {name}", of=name)]


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
"""What the situation adds to rolls; AC and speed whole."""
