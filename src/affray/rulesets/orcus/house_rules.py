"""What is played of the tables' rows.

What stands in `READS` is read by the modules beside this one, and what does not is refused in a
campaign's rules.toml: whoever teaches the game another field or word adds it there.
"""

from __future__ import annotations

from functools import partial

from affray.core.rules.ruleset import Doing, Reads
from affray.core.rules.tables import Tables
from affray.rulekit.doing import verb
from affray.rulesets.orcus import totals
from affray.rulesets.orcus.actions import TURN_ACTIONS
from affray.rulesets.orcus.conditions import AMOUNTS, DYING
from affray.rulesets.orcus.technique_verbs import TECHNIQUES

_TRACES = (
    "state", "persistent", "modifier", "stance", "aura", "zone", "conjuration", "readied", "help",
)  # fmt: skip
"""The kinds of effects that commands of their own leave, or numbers."""
_DEGREES = ("cover", "three-quarters-cover", "concealed", "total-concealment")
READS = Reads(
    effects={
        "modifiers": (*totals.TOTALS, "defenses"),
        "at_most": ("speed", "actions"),
        "halves": ("damage", "speed"),
        "only_with": None,
        "resist": None,
        "suffers.advantage": ("always", "near", "source"),
        "suffers.disadvantage": ("far",),
        "suffers.hindered": _DEGREES,
        "suffers.hindered_near": _DEGREES,
        "forbids": (
            "act",
            "react",
            "move",
            "flank",
            "free",
            "spend",
            "see",
            "hear",
            "be-moved",
            "hustle",
            "ranged",
            "far",
        ),
    },
    cost=(*TURN_ACTIONS, "immediate"),
    one_action=True,
    repeat=("once", "any", "fight"),
)


def _lays(tables: Tables) -> list[str]:
    """The effects that need no amount, and are no traces; dying follows from HP."""
    not_laid, rows = (*AMOUNTS, DYING), tables.effects.items()
    return [name for name, rule in rows if rule.kind not in _TRACES and name not in not_laid]


DOING = Doing(verb=partial(verb, TECHNIQUES), lays=_lays, ends=("save", "rest", "fight"))
