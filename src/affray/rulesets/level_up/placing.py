"""How an effect is laid on somebody: until when, and from whom. Rules file, 12.3, 18 (DURATION)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart import timing
from affray.core.heart.state import Combatant, Duration
from affray.core.language import arguments
from affray.core.language.clauses import read_until
from affray.core.language.declared import Argument, Reading
from affray.core.language.refusal import Refused

if TYPE_CHECKING:
    from affray.core.heart.decide import Context


def _read_turns(reading: Reading) -> int:
    turns = reading.words.number("how many turns", 1, 99)
    reading.words.take("turns", "turn", "rounds", "round")
    return turns


class Placing(Struct, frozen=True):
    """Until when and from whom: `for 2 turns`, which are its bearer's, `until end of mira`, `from
    mira`."""

    turns: Annotated[int, arguments.clause("for", Argument(_read_turns, "N turns"))] = 0
    until: Annotated[
        Duration | None,
        arguments.clause(
            "until",
            Argument(
                lambda r: read_until(r.ctx, r.words),
                "start|end of NAME | round N | rest | fight | used | removed",
            ),
        ),
    ] = None
    source: Annotated[
        Combatant | None, arguments.clause("from", arguments.person("whom it comes from"))
    ] = None

    @property
    def is_timed(self) -> bool:
        """Whether it is said until when."""
        return bool(self.turns) or self.until is not None

    def ended_by(self, says: str) -> Placing:
        """The same with words on what ends it: "until smothered". Raises Refused for two ends."""
        if not says:
            return self
        if self.is_timed:
            raise Refused("expected one duration, not two")
        return replace(self, until=Duration(says=says.removeprefix("until ")))


def until_for(ctx: Context, who: str, placing: Placing, says: str = "") -> Duration:
    """When an effect ends on somebody: as it is said, as its row `says`, or when it is removed.

    Raises Refused for two durations.
    """
    if placing.turns and placing.until is not None:
        raise Refused("expected one duration, not two")
    if placing.turns:
        return timing.at_turn(ctx.state, who, "end", placing.turns)
    return placing.until or Duration(says=says)


def quoted_text(what: str, usage: str) -> Argument:
    """Words in quotes."""
    return Argument(
        lambda r: str(r.words.next(what)),
        usage,
        lambda r: r.words.upcoming.quoted,
        asks="text:what",
    )
