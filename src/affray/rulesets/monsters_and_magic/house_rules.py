"""What is played of the tables' rows.

What stands in `READS` is read by the modules beside this one, and what does not is refused in a
campaign's rules.toml: whoever teaches the game another field or word adds it there.
"""

from __future__ import annotations

from functools import partial

from affray.core.rules.ruleset import Doing, Reads
from affray.core.rules.tables import Tables
from affray.rulekit.doing import verb
from affray.rulesets.monsters_and_magic.techniques import TECHNIQUES

_WHEN = ("always", "near", "far")
READS = Reads(
    effects={
        "modifiers": ("check", "attack", "ac", "speed", "ap"),
        "speed": ("half", "double", "none"),
        "advantage": ("attack", "initiative"),
        "disadvantage": ("attack",),
        "suffers.advantage": _WHEN,
        "suffers.disadvantage": _WHEN,
        "forbids": ("act", "react", "move", "escape", "rest"),
        "at_start": None,
        "escape": None,
    },
    cost=("ap", "reaction"),
    marks=("fatigue", "exhaustion", "hp"),
    repeat=("once", "rising", "any"),
    amounts=("bond",),
)


def _lays(tables: Tables) -> list[str]:
    """All effects but those that are traces of a command of their own."""
    traces = ("concentration", "readied")
    return [name for name, rule in tables.effects.items() if rule.kind not in traces]


DOING = Doing(verb=partial(verb, TECHNIQUES), lays=_lays, ends=("rest", "fight"))
