"""What is played of the tables' rows, and how a technique is done that is all in its row.

What stands in `READS` is read by the modules beside this one, and what does not is refused in a
campaign's rules.toml: whoever teaches the game another field or word adds it there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.heart.effects import rule_of
from affray.core.heart.state import Combatant, Effect
from affray.core.language.words import Words
from affray.core.rules.doing import do_row
from affray.core.rules.ruleset import Doing, Laying, Reads
from affray.core.rules.tables import Tables
from affray.rulesets.monsters_and_magic import action_points, conditions, tracks
from affray.rulesets.monsters_and_magic.conditions import Again, Placing
from affray.rulesets.monsters_and_magic.techniques import Act, renew

if TYPE_CHECKING:
    from affray.core.heart.decide import Context

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


def act_of(name: str) -> Act:
    """What a technique does that is all in its row."""

    def act(ctx: Context, words: Words, who: Combatant, pay: action_points.Pay) -> None:
        do_row(ctx, words, who, name, lambda: pay(None))

    return act


def _mark(ctx: Context, who: str, track: str, amount: int, what: str) -> None:
    tracks.require(ctx, who, track, amount)
    tracks.mark_track(ctx, who, track, amount, f"for {what}")


def _lay(ctx: Context, words: Words, laying: Laying) -> str:
    again = conditions.read_again(ctx, words)
    return ", ".join(_lay_on(ctx, who, laying, again) for who in laying.people)


def _lay_on(ctx: Context, who: str, laying: Laying, again: Again | None) -> str:
    kind = rule_of(ctx.tables, laying.name).kind
    placing = Placing(laying.until, laying.turns, laying.source)
    if kind in ("condition", "status"):
        return conditions.lay(ctx, who, laying.name, placing, again)
    until = conditions.end_of(ctx, who, laying.name, placing)
    renew(ctx, who, Effect(laying.name, laying.name, kind, until, laying.source))
    return f"{ctx.state.name(who)} is {laying.name}"


def _lays(tables: Tables) -> list[str]:
    """All effects but those that are traces of a command of their own."""
    traces = ("concentration", "readied")
    return [name for name, rule in tables.effects.items() if rule.kind not in traces]


DOING = Doing(
    pay=action_points.pay,
    lay=_lay,
    lays=_lays,
    again=("extend", "detonate AMOUNT [TYPE]", "detonate fatigue", "forward"),
    mark=_mark,
    ends=("rest", "fight"),
)
