"""The actions of movement that take more than leaving or ending an effect.

Seed 003: Actions in Combat (Dash, Walk).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.heart.effects import end_named
from affray.core.heart.state import Combatant
from affray.core.language.words import Words
from affray.rulekit.acts import Act, Pay
from affray.rulekit.placing import renew
from affray.rulesets.orcus import companions, flight

if TYPE_CHECKING:
    from affray.core.heart.decide import Context


def _leave_narrow_space(ctx: Context, who: str) -> None:
    """Any other movement than squeezing on goes where there is room."""
    end_named(ctx, who, "squeezing", "out of the narrow space")


def walk(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Walk: up to the speed; in the air, with that of the wings."""
    pay()
    _leave_narrow_space(ctx, who.id)
    flight.moved(ctx, who.id)
    ctx.text = f"{who.name} walks"


def dash(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Dash: speed + 2, exposed until the end of one's next turn."""
    pay()
    _leave_narrow_space(ctx, who.id)
    flight.moved(ctx, who.id)
    renew(ctx, who.id, "dashing", companions.next_turn(ctx.state, who.id, "end"))
    ctx.text = f"{who.name} dashes"


MOVING: dict[str, Act] = {
    "walk": walk,
    "dash": dash,
}
