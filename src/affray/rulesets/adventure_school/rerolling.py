"""The last roll made again; the better one stands. Seed 001: Reroll; rules file, 1.4."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart.decide import Context, verb_of
from affray.core.heart.events import AnyEvent, Rolled
from affray.core.heart.evolve import evolve_all
from affray.core.heart.history import Entry, Previous
from affray.core.heart.state import Encounter
from affray.core.language.declared import Argument
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import declare
from affray.rulekit import rolls
from affray.rulekit.anew import become, decided, rolled_beside
from affray.rulekit.rolls import Die, Outcomes
from affray.rulesets.adventure_school.rolls import (
    CRIT,
    CRIT_FAIL,
    CRIT_MISS,
    FAIL,
    HIT,
    MISS,
    PASS,
)

REROLL = "reroll"
_BETTER = {CRIT_MISS: 0, CRIT_FAIL: 0, MISS: 1, FAIL: 1, HIT: 2, PASS: 2, CRIT: 3}
"""The outcomes from the worst to the best, for whoever rolled."""


class Reroll(Struct, frozen=True):
    """`reroll natural N[,M]|roll`."""

    die: Annotated[
        Die, Argument(lambda r: rolls.read_die(r.ctx, r.words, Outcomes({})), "natural N[,M]|roll")
    ]


def _reroll(ctx: Context, said: Reroll) -> None:
    origin, first, old = _last_roll(ctx)
    faces = said.die.faces or tuple(ctx.dice.die(20) for _ in range(2 if old.lean else 1))
    fell = _repeated(origin.entry, first)
    made = decided(ctx, origin, rolled=fell, faces=faces)
    new = _roll_in(made.events)
    if new is None or new.faces != faces:
        raise Refused("the last roll can't be made again: it is none with an outcome of its own")
    new = replace(new, why=", ".join(filter(None, (new.why, "rerolled"))))
    if _worth(new) <= _worth(old):
        ctx.emit(new, replace(old, why="the first roll stands"))
        ctx.text = f"Rerolled: {new.outcome or new.total}; {old.outcome or old.total} stands"
        return
    ctx.emit(new, *rolled_beside(made.events)[len(fell) :])
    become(ctx, _as_it_stands(ctx, origin, first, old), made.state, "rerolled")
    ctx.text = f"Rerolled: {new.outcome or new.total}"


def _last_roll(ctx: Context) -> tuple[Previous, Rolled, Rolled]:
    """The last command but for rerolls, its roll as it first fell, and as it stands since then.

    Raises Refused where that command has made none.
    """
    here, stands = ctx.previous, None
    while here is not None:
        found = _roll_in(here.entry.events)
        stands = stands or found
        if verb_of(here.entry, ctx.ruleset) != REROLL:
            if found is None or stands is None:
                break
            return here, found, stands
        here = here.earlier()
    raise Refused("the last command has made no roll that could be made again")


def _roll_in(events: tuple[AnyEvent, ...]) -> Rolled | None:
    """The last roll of a d20 among some events."""
    d20s = (e for e in events if isinstance(e, Rolled) and (e.natural is not None or e.outcome))
    return next(reversed(list(d20s)), None)


def _repeated(entry: Entry, first: Rolled) -> list[Rolled]:
    """The dice that the program rolled for a command, but for the roll that is made again."""
    rolled = (event for event in entry.events if isinstance(event, Rolled) and event is not first)
    return [event for event in rolled if not event.by_hand and event.faces]


def _worth(roll: Rolled) -> tuple[int, int]:
    """How good a roll is for whoever made it: by its outcome, then by its total."""
    return _BETTER.get(roll.outcome, 1), roll.total or 0


def _as_it_stands(ctx: Context, origin: Previous, first: Rolled, old: Rolled) -> Encounter:
    """What the command has come to, by its first roll or by a reroll since."""
    if old.faces == first.faces:
        return evolve_all(origin.before, origin.entry.events)
    return decided(ctx, origin, rolled=_repeated(origin.entry, first), faces=old.faces).state


REROLL_VERBS = (
    declare(REROLL, "makes the last roll again; the better result stands", Reroll, _reroll),
)
