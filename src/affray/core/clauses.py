"""What commands of every game say alike: an amount or dice, a type of damage, until when."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from affray.core import timing
from affray.core.dice import parse_dice, roll
from affray.core.events import Rolled
from affray.core.refusal import listed
from affray.core.state import Combatant, Duration
from affray.core.words import Words

if TYPE_CHECKING:
    from affray.core.decide import Context

_ENDS = ("start", "end", "removed", "rest", "fight", "used", "round")


def read_amount(ctx: Context, words: Words, what: str = "the damage rolled", who: str = "") -> int:
    """Read an amount: a number as it fell, or dice for the program to roll."""
    if words.has_number():
        return words.number(what, 0)
    word = words.next(f"{what} (a number, or dice such as 2d6+1)")
    if not word[:1].isdigit() and word[:1].casefold() != "d":
        words.back()
        raise words.refuse(f"expected {what} (a number, or dice such as 2d6+1), found {word!r}")
    fell = roll(parse_dice(word), ctx.dice)
    ctx.emit(Rolled(who, fell.dice, fell.faces, fell.total, for_="damage"))
    return max(0, fell.total)


def read_type(
    words: Words, known: Iterable[str], stop: tuple[str, ...] = (), others: bool = True
) -> str:
    """Read a damage type, if one stands there. A near miss of a known one is refused.

    So is every other word, unless the rules let `others` be types too.
    """
    row = list(dict.fromkeys(known))
    if words.done:
        words.offered.extend(row)
        return ""
    word = words.peek()
    if word in row:
        return str(words.next("a damage type")).casefold()
    if word in stop or not word.isalpha():
        return ""
    near = difflib.get_close_matches(word, row, 1, 0.75)
    if near:
        raise words.refuse(f"{word!r} is no known damage type; did you mean {near[0]}?", row)
    if not others:
        raise words.refuse(f"{word!r} is no known damage type: one of {listed(row)}", row)
    return str(words.next("a damage type")).casefold()


def read_until(ctx: Context, words: Words, more: Mapping[str, Duration] | None = None) -> Duration:
    """Read what stands behind `until`; `more` are the ends that the rules have beside the usual.

    The usual: `start|end of NAME`, `removed`, `rest`, `fight`, `used`, `round N`.
    """
    words.take("the")
    what = words.choice("when it ends", (*_ENDS[:2], *(more or {}), *_ENDS[2:]))
    if more and what in more:
        return more[what]
    if what in ("start", "end"):
        words.take("of")
        whose = _whose_turn(words)
        return timing.at_turn(ctx.state, whose.id, "start" if what == "start" else "end")
    if what == "round":
        return Duration("round", count=words.number("the round", max(1, ctx.state.round)))
    if what == "used":
        return Duration("use")
    return Duration("rest" if what == "rest" else "fight" if what == "fight" else "removed")


def _whose_turn(words: Words) -> Combatant:
    """Read `mira`, or `mira's next turn`."""
    whose = words.owner("whose turn")
    words.take("next")
    words.take("turn")
    return whose
