"""The actions of movement, and of hands and tongue.

Seed 003: Actions in Combat (Crawl, Dash, Five-Foot Step, Squeeze, Stand Up from Prone, Walk),
Swift Actions, Free Actions, Being Prone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.heart.effects import end_named
from affray.core.heart.state import Combatant, Duration
from affray.core.language.words import Words
from affray.rulekit.acts import Act, Pay
from affray.rulekit.placing import begin, renew
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


def crawl(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Crawl: half the speed; the prone stay prone."""
    pay()
    ctx.text = f"{who.name} crawls"


def squeeze(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Squeeze: exposed for as long as one is in the narrow space."""
    pay()
    narrow = Duration(says="it has room again")
    renew(ctx, who.id, "squeezing", narrow)
    ctx.text = f"{who.name} squeezes through"


def five_foot_step(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Five-Foot Step: a shift of 1 square."""
    pay()
    _leave_narrow_space(ctx, who.id)
    ctx.text = f"{who.name} takes a five-foot step"


def stand_up(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Stand Up from Prone: ends prone, every instance of it."""
    pay()
    end_named(ctx, who.id, "prone", "stands up")
    ctx.text = f"{who.name} stands up"


def drop_prone(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Drop Prone: a free action."""
    pay()
    begin(ctx, who.id, "prone")
    ctx.text = f"{who.name} drops prone"


def interact(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Interact with an object: a swift action."""
    what = words.rest().strip()
    pay()
    ctx.text = f"{who.name} {f'interacts: {what}' if what else 'interacts with an object'}"


def free(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """A free action that has no command of its own."""
    what = words.rest().strip()
    pay()
    ctx.text = f"{who.name} takes a free action{f': {what}' if what else ''}"


MOVING: dict[str, Act] = {
    "walk": walk,
    "dash": dash,
    "crawl": crawl,
    "squeeze": squeeze,
    "five-foot-step": five_foot_step,
    "stand-up": stand_up,
    "drop-prone": drop_prone,
    "interact": interact,
    "free": free,
}
