"""Clocks: countdowns, dice pools, and races beside the fight.

A race counts successes before failures, or effort toward a total; in one of effort for a group,
what those do who fail adds up against it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.commands.session_verbs import EXPECT
from affray.core.heart.countdowns import MOST_DICE, PACES, roll_pool, rolls_expected
from affray.core.heart.events import Counted
from affray.core.heart.state import Clock, Encounter
from affray.core.language import arguments
from affray.core.language.clauses import read_lying
from affray.core.language.declared import Argument
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Verb, declare

if TYPE_CHECKING:
    from affray.core.heart.decide import Context
    from affray.core.language.words import Words

_POOL = re.compile(r"(\d{1,2})d(\d{1,3})$", re.IGNORECASE)


def _clock(ctx: Context, words: Words) -> None:
    said = words.upcoming
    if said.casefold() == "expect" and not said.quoted:
        raise Refused(f"`{EXPECT} DICE` is a question, and nothing that rules decide")
    known = [c.name for c in ctx.state.clocks]
    is_only = len(known) == 1 and said not in known and _moves(ctx.state.clocks[0], words)
    name = known[0] if is_only else str(words.next("the clock's name", known))
    old = next((c for c in ctx.state.clocks if c.name == name), None)
    if old is None:
        clock = replace(_new_clock(words, name), hidden=bool(words.take("hidden")))
        ctx.emit(Counted(name, clock))
        ctx.text = f"Clock {name}"
        return
    _move_clock(ctx, words, old)


def _moves(only: Clock, words: Words) -> bool:
    """Whether the only clock there is moves by these words, which then need no name of it."""
    may_follow = len(words.words) == 1 or words.has_number(1) or words.peek(1) == "natural"
    return not words.upcoming.quoted and may_follow and bool(_begun(_ways(only), words.peek()))


def _ways(clock: Clock) -> tuple[str, ...]:
    """What can be done with a clock."""
    row = RACE if clock.is_race else ("tick", "add", "roll", "go" if clock.stopped else "stop")
    return (*row, "reveal" if clock.hidden else "conceal", "off")


def _begun(row: tuple[str, ...], word: str) -> str:
    """The one of a row that a word is, or is the beginning of; empty for none, and for several."""
    found = [each for each in row if word and each.startswith(word)]
    return word if word in row else found[0] if len(found) == 1 else ""


def _new_clock(words: Words, name: str) -> Clock:
    if not name or len(name) > 60:
        raise words.refuse("a clock's name has 1 to 60 characters")
    if words.take("effort"):
        return _race_of_effort(words, name)
    if _POOL.match(words.peek()):
        count, sides = _read_pool(words)
        pace = words.take(*PACES) or "slow"
        return Clock(name, count, count, sides, sides - PACES[pace])
    steps = words.number("dice such as 4d6, `effort`, or a number of steps or successes", 1, 99)
    if words.take("before"):
        return Clock(name, 0, steps, limit=words.number("how many failures lose it", 1, 99))
    return Clock(name, steps, steps, every="round" if words.take("rounds", "round") else "")


def _race_of_effort(words: Words, name: str) -> Clock:
    """`effort TOTAL [group] [difficult]`: difficult ground doubles the total. A group's race has it
    half as often as the party has characters, rounded up, and so much against it as well.
    """
    total = words.number("how much effort it takes", 1, 9_999)
    said: set[str] = set()
    while word := words.take("group", "difficult"):
        said.add(word)
    total *= 2 if "difficult" in said else 1
    if "group" not in said:
        return Clock(name, 0, total, effort=True)
    total = -(-total * _party(words.state) // 2)
    return Clock(name, 0, total, limit=total, effort=True)


def _party(state: Encounter) -> int:
    """How many characters the party has, whether or not they stand. Raises Refused for none."""
    party = [who for who in state.combatants if who.side == "party" and who.kind == "pc"]
    if not party:
        raise Refused("a group's race goes by the party, and nobody is in it: `add pc NAME ...`")
    return len(party)


def _read_pool(words: Words) -> tuple[int, int]:
    """Read `4d6`, and give how many dice of how many sides. Raises Refused for anything else."""
    word = words.next("dice such as 4d6")
    pool = _POOL.match(word)
    if pool is None:
        words.back()
        raise words.refuse(f"expected dice such as 4d6, 1 to {MOST_DICE} of a kind, found {word!r}")
    count, sides = int(pool.group(1)), int(pool.group(2))
    if count < 1 or sides < 4:
        words.back()
        raise words.refuse("a pool has at least one die, of at least four sides")
    return count, sides


def _move_clock(ctx: Context, words: Words, old: Clock) -> None:
    seen, row = "reveal" if old.hidden else "conceal", _ways(old)
    what = _begun(row, words.peek())
    if what:
        words.next("what the clock does")
    else:
        what = words.choice("what the clock does", row)
    if what == "off":
        ctx.emit(Counted(old.name))
        ctx.text = f"Clock {old.name} is put away"
        return
    ctx.text = f"Clock {old.name}"
    if what in RACE:
        run(ctx, old, what == "success", words.maybe_number(1, "how many", 1))
    elif what == seen:
        ctx.emit(Counted(old.name, replace(old, hidden=not old.hidden)))
        ctx.text += f" is {'known' if old.hidden else 'unknown'} to the players"
    elif what == "roll":
        _roll(ctx, words, old)
    elif what in ("stop", "go"):
        ctx.emit(Counted(old.name, replace(old, stopped=what == "stop")))
        ctx.text += " stops" if what == "stop" else " goes on"
    else:
        by = words.maybe_number(1, "how far", 1)
        value = max(0, old.value - by if what == "tick" else old.value + by)
        if old.sides and value > MOST_DICE:
            raise words.refuse(f"a pool has no more than {MOST_DICE} dice")
        top = max(value, old.max or 0)
        ctx.emit(Counted(old.name, replace(old, value=value, max=top)))


def _roll(ctx: Context, words: Words, pool: Clock) -> None:
    """Roll a pool's dice, or read them as they lie behind `natural`."""
    if not pool.sides:
        raise Refused(f"{pool.name!r} is no pool of dice; `tick` moves it")
    if not pool.value:
        raise Refused(f"{pool.name!r} has run out; `add` puts dice back, `off` puts it away")
    what = f"the {pool.value} dice as they lie, 1 to {pool.sides} each, with commas between"
    lies = words.take("natural")
    roll_pool(ctx, pool, read_lying(words, what, pool.sides, pool.value) if lies else ())


RACE = ("success", "failure")
"""How a race goes on."""


def run(ctx: Context, race: Clock, is_success: bool, count: int = 1) -> None:
    """Count successes or failures of a race, or the effort of them. Raises Refused for one that is
    over, and for failures where none are counted."""
    if race.verdict:
        raise Refused(f"{race.name!r} is {race.verdict}; `off` puts it away")
    if not (is_success or race.limit):
        raise Refused(f"nothing counts against {race.name!r}: it is no group's race")
    if is_success:
        moved = replace(race, value=min(race.value + count, race.max or 0))
    else:
        moved = replace(race, failures=min(race.failures + count, race.limit))
    ctx.emit(Counted(race.name, moved))


def read_race(ctx: Context, words: Words, effort: bool = False) -> Clock:
    """Read the name of a race that is being kept, one of `effort` or of successes before failures.

    Raises Refused, naming those there are.
    """
    clocks = ctx.state.clocks
    races = {c.name.casefold(): c for c in clocks if c.is_race and c.effort == effort}
    if not races:
        begins = "effort TOTAL" if effort else "SUCCESSES before FAILURES"
        of_effort = " of effort" if effort else ""
        raise words.refuse(f'no race{of_effort} is kept: `clock "NAME" {begins}` begins one')
    return races[words.choice("the name of what it counts toward", races)]


EFFORT_RACE = Argument(lambda r: read_race(r.ctx, r.words, effort=True), '"NAME"', asks="clock")
"""A race of effort that is being kept, as an argument of a declared command."""


class Effort(Struct, frozen=True):
    """`effort "NAME" AMOUNT [fail]`."""

    race: Annotated[Clock, EFFORT_RACE]
    amount: Annotated[int, arguments.amount("effort", asks="dice")]
    fail: Annotated[bool, arguments.flag(heard="fail")] = False


def _effort(ctx: Context, said: Effort) -> None:
    run(ctx, said.race, not said.fail, said.amount)
    ctx.text = f"{said.amount} effort {'against' if said.fail else 'toward'} {said.race.name}"


def expected_by_pace(words: Words) -> tuple[str, dict[str, int]]:
    """Read `4d6`, and give its name and for each pace how many rolls such a pool will last."""
    count, sides = _read_pool(words)
    rolls = {pace: rolls_expected(count, sides, sides - less) for pace, less in PACES.items()}
    return f"{count}d{sides}", rolls


CLOCK_VERBS = (
    Verb(
        "clock",
        'clock "NAME" DICE [slow|medium|fast] [hidden] | clock "NAME" STEPS [rounds] [hidden] | '
        'clock "NAME" SUCCESSES before FAILURES [hidden] | '
        'clock "NAME" effort TOTAL [group] [difficult] [hidden] | clock "NAME" tick|add [N] | '
        'clock "NAME" success|failure [N] | clock "NAME" roll [natural N,N,...] | '
        'clock "NAME" stop|go|conceal|reveal|off | clock expect DICE',
        "starts, moves or puts away a countdown, a pool of dice, or a race",
        _clock,
    ),
    declare("effort", "adds effort toward the total of a race, or against it", Effort, _effort),
)
