"""What is played of the tables' rows, and how a technique is done that is all in its row.

What stands in `READS` is read by the modules beside this one, and what does not is refused in a
campaign's rules.toml: whoever teaches the game another field or word adds it there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.heart.state import Combatant
from affray.core.language.words import Words
from affray.core.rules.doing import do_row
from affray.core.rules.ruleset import Doing, Laying, Reads
from affray.core.rules.tables import Tables
from affray.rulesets.orcus import conditions, offers, totals
from affray.rulesets.orcus.actions import TURN_ACTIONS
from affray.rulesets.orcus.conditions import AMOUNTS, DYING, Placing
from affray.rulesets.orcus.contests import Act, Pay

if TYPE_CHECKING:
    from affray.core.heart.decide import Context

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


def act_of(name: str) -> Act:
    """What an action does that is all in its row."""

    def act(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
        do_row(ctx, words, who, name, pay)

    return act


def _lay(ctx: Context, words: Words, laying: Laying) -> str:
    placing = Placing(laying.until, laying.source, turns=laying.turns)
    for who in laying.people:
        conditions.lay(ctx, who, laying.name, placing)
    return ", ".join(f"{ctx.state.name(who)} is {laying.name}" for who in laying.people)


def _lays(tables: Tables) -> list[str]:
    """The effects that need no amount, and are no traces; dying follows from HP."""
    not_laid, rows = (*AMOUNTS, DYING), tables.effects.items()
    return [name for name, rule in rows if rule.kind not in _TRACES and name not in not_laid]


DOING = Doing(pay=offers.pay, lay=_lay, lays=_lays, ends=("save", "rest", "fight"))
