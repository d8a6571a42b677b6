"""Initiative, what it gives back, and a turn that is skipped for another place.

Seed 001: Initiative, Delay, Stamina, Diminish; rules file, 2.1 to 2.3.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from affray.core.heart import groups, turns
from affray.core.heart.decide import Context
from affray.core.heart.order import Side
from affray.core.heart.state import Combatant
from affray.core.language import arguments
from affray.core.rules.ruleset import Verb, declare
from affray.rulekit import initiative, rests
from affray.rulesets.adventure_school import totals

GIVES_BACK = rests.Rest(sets={"stamina": rests.FULL, "diminish": 0})
"""What whoever gets an initiative gets along with it."""


def roll(ctx: Context, ids: list[str], lying: tuple[int, ...] = ()) -> dict[str, int]:
    """A d20 and `init` for each, with advantage while hidden (rules file, 2.1)."""
    return {who: initiative.roll(ctx, totals.here(ctx, ctx.state[who]), lying) for who in ids}


def given(ctx: Context, who: str) -> None:
    """Stamina up to its present maximum, and no diminish, each time (rules file, 2.2)."""
    rests.reset(ctx, who, GIVES_BACK, "initiative")


class Skip(Struct, frozen=True):
    """What `skip` says: on which side of whom one stands from the next round on."""

    side: Annotated[Side, arguments.choice("a side", ("before", "after"))]
    other: Annotated[Combatant, arguments.person("beside whom", asks="anyone")]


def _skip(ctx: Context, said: Skip) -> None:
    """This round's turn is given up for another place (rules file, 2.3)."""
    turns.skip(ctx, ctx.actor().id, said.other.id, said.side)
    skips, beside = groups.whose_turn(ctx.before), groups.name_of(ctx.state, said.other.id)
    ctx.text = f"{skips} skips the turn to stand {said.side} {beside}; {turns.who_is_up(ctx)}"


SKIP_VERBS: tuple[Verb, ...] = (
    declare("skip", "gives up this round's turn for another place", Skip, _skip, acts=True),
)
