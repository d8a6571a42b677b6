"""Clocks: countdowns, dice pools, and races (successes before failures) beside the fight."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from affray.core.heart import turns
from affray.core.heart.events import Counted
from affray.core.heart.state import Clock
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Verb

if TYPE_CHECKING:
    from affray.core.heart.decide import Context
    from affray.core.language.words import Words

_POOL = re.compile(r"(\d{1,2})d(\d{1,3})$", re.IGNORECASE)
_PACE = {"slow": 0, "medium": 1, "fast": 2}
"""How many faces below the highest also leave the pool (Level Up, Countdowns: 6, 5-6 or 4-6)."""


def _clock(ctx: Context, words: Words) -> None:
    name = str(words.next("the clock's name", [c.name for c in ctx.state.clocks]))
    old = next((c for c in ctx.state.clocks if c.name == name), None)
    if old is None:
        clock = _new_clock(words, name)
        ctx.emit(Counted(name, clock))
        ctx.text = f"Clock {name}"
        return
    _move_clock(ctx, words, old)


def _new_clock(words: Words, name: str) -> Clock:
    if not name or len(name) > 60:
        raise words.refuse("a clock's name has 1 to 60 characters")
    pool = _POOL.match(words.peek())
    if pool:
        words.next("dice")
        count, sides = int(pool.group(1)), int(pool.group(2))
        if count < 1 or sides < 4:
            raise words.refuse("a pool has at least one die, of at least four sides")
        pace = words.take(*_PACE) or "slow"
        return Clock(name, count, count, sides, sides - _PACE[pace])
    steps = words.number("dice such as 4d6, or a number of steps or successes", 1, 99)
    if words.take("before"):
        return Clock(name, 0, steps, limit=words.number("how many failures lose it", 1, 99))
    every = "round" if words.take("rounds", "round") else ""
    return Clock(name, steps, steps, every="round" if every else "")


def _move_clock(ctx: Context, words: Words, old: Clock) -> None:
    row = RACE if old.limit else ("tick", "add", "roll")
    what = words.choice("what the clock does", (*row, "off"))
    if what == "off":
        ctx.emit(Counted(old.name))
        ctx.text = f"Clock {old.name} is put away"
        return
    if what in RACE:
        run(ctx, old, what == "success", words.maybe_number(1, "how many", 1))
    elif what == "roll":
        if not old.sides:
            raise Refused(f"{old.name!r} is no pool of dice; `tick` moves it")
        turns.tick(ctx, old)
    else:
        by = words.maybe_number(1, "how far", 1)
        value = max(0, old.value - by if what == "tick" else old.value + by)
        top = max(value, old.max or 0)
        ctx.emit(Counted(old.name, replace(old, value=value, max=top)))
    ctx.text = f"Clock {old.name}"


RACE = ("success", "failure")
"""How a race goes on."""


def run(ctx: Context, race: Clock, is_success: bool, count: int = 1) -> None:
    """Count successes or failures of a race. Raises Refused for one that is over."""
    if race.is_won or race.is_lost:
        raise Refused(f"{race.name!r} is {'won' if race.is_won else 'lost'}; `off` puts it away")
    if is_success:
        moved = replace(race, value=min(race.value + count, race.max or 0))
    else:
        moved = replace(race, failures=min(race.failures + count, race.limit))
    ctx.emit(Counted(race.name, moved))


def read_race(ctx: Context, words: Words) -> Clock:
    """Read the name of a race that is being kept. Raises Refused, naming those there are."""
    races = {c.name.casefold(): c for c in ctx.state.clocks if c.limit}
    if not races:
        raise words.refuse('no race is kept: `clock "NAME" SUCCESSES before FAILURES` begins one')
    return races[words.choice("the name of what it counts toward", races)]


CLOCK_VERBS = (
    Verb(
        "clock",
        'clock "NAME" DICE [slow|medium|fast] | clock "NAME" STEPS [rounds] | '
        'clock "NAME" SUCCESSES before FAILURES | clock "NAME" tick|add [N] | '
        'clock "NAME" success|failure [N] | clock "NAME" roll|off',
        "starts, moves or puts away a countdown, a pool of dice, or successes before failures",
        _clock,
    ),
)
