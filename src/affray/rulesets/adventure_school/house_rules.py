"""What is played of the tables' rows: a campaign's rules.toml that says anything else is refused.

Whoever teaches the game another field or word adds it here.
"""

from __future__ import annotations

from affray.core.rules.ruleset import Reads
from affray.rulesets.adventure_school import totals

READS = Reads(
    effects={
        "modifiers": tuple(name for name in totals.NUMBERS.rows if name != "diminish"),
        "half_damage": None,
        "adds_damage": None,
        "ended_by": None,
        "keeps_off": None,
    },
    repeat=("once", "any"),
)
