"""What is played of the tables' rows: a campaign's rules.toml that says anything else is refused.

Whoever teaches the game another field or word adds it here.
"""

from __future__ import annotations

from functools import partial

from affray.core.rules.ruleset import Doing, Reads
from affray.rulekit import doing
from affray.rulesets.level_up import conditions, creatures, rests, totals
from affray.rulesets.level_up.techniques import ACTIONS, REACTIONS, TECHNIQUES

_OF_AN_ABILITY = tuple(f"{a}-{kind}" for a in creatures.ABILITIES for kind in ("check", "save"))
_ROLLS = ("attack", "check", "save", "hide", "initiative", *_OF_AN_ABILITY)
_WHEN = ("always", "near", "far", "seen", "source")
_IN_ROWS = ("dash", "disengage", "dodge", "press-the-attack", "interact", "stand", "ready")

READS = Reads(
    effects={
        "modifiers": tuple(name for name in totals.NUMBERS.rows if name != "massive"),
        "speed": ("half", "double", "none"),
        "at_most": ("speed",),
        "halves": ("speed",),
        "advantage": _ROLLS,
        "disadvantage": _ROLLS,
        "suffers.advantage": _WHEN,
        "suffers.disadvantage": _WHEN,
        "forbids": ("act", "react", "move", "see", "be-seen", *ACTIONS, *REACTIONS, *_IN_ROWS),
        "escape": None,
    },
    cost=("action", "bonus_action", "reaction", "interaction", "exertion"),
    marks=("fatigue", "strife"),
    repeat=("once", "any", "fight"),
    rests=rests.RESTS,
    saves=creatures.ABILITIES,
)
DOING = Doing(
    verb=partial(doing.verb, TECHNIQUES), lays=conditions.conditions_of, ends=("rest", "fight")
)
