"""Fast actions: each by its name once a turn. Seed 001: Fast Action; rules file, 3.3."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.state import Combatant
from affray.core.language import arguments
from affray.rulekit.acts import Pay
from affray.rulekit.doing import Declared


class Fast(Struct, frozen=True):
    """`fast "WHAT" [spammable]`."""

    what: Annotated[str, arguments.text("what it is")]
    spammable: Annotated[bool, arguments.flag(heard="spammable")] = False


def fast(ctx: Context, said: Fast, who: Combatant, pay: Pay) -> None:
    """What costs nothing, once a turn by its name unless it is spammable."""
    pay(subject="" if said.spammable else said.what.casefold())
    ctx.text = f"{who.name} does fast: {said.what}"


ACTS: dict[str, Declared] = {"fast": Declared(Fast, fast)}
