"""What is played of the tables' rows: a campaign's rules.toml that says anything else is refused.

Whoever teaches the game another field or word adds it here.
"""

from __future__ import annotations

from affray.core.rules.ruleset import Reads
from affray.rulesets.adventure_school.conditions import ROLLS, WHAT

READS = Reads(
    effects={
        "modifiers": tuple(name.replace("-", "_") for name in WHAT),
        "advantage": ROLLS,
        "disadvantage": ROLLS,
        "half_damage": None,
        "adds_damage": None,
        "ended_by": None,
        "keeps_off": None,
    },
    repeat=("once", "any"),
)
