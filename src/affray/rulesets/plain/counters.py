"""Whatever else is counted: luck, stress, ammunition. A campaign's `rules.toml` names it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.events import Changed
from affray.core.heart.state import Combatant
from affray.core.language import arguments
from affray.core.language.clauses import names
from affray.core.language.declared import Reading
from affray.core.language.refusal import Refused, signed
from affray.core.rules.ruleset import declare
from affray.core.rules.tables import Tables, TrackRule

OWN = ("hp", "temp_hp")
"""The tracks that are no counters: what becomes of them, the rules say."""


def counters_of(tables: Tables) -> dict[str, TrackRule]:
    """The campaign's counters, by name."""
    return {name: row for name, row in tables.tracks.items() if name not in OWN}


def _known(reading: Reading) -> list[str]:
    return list(counters_of(reading.ctx.tables))


class Count(Struct, frozen=True):
    """What the command `count` says: `count mira,odo luck -1`."""

    people: Annotated[list[Combatant], arguments.people("whose counter it is")]
    counter: Annotated[str, arguments.choice("a counter", _known, "COUNTER", "counter")]
    by: Annotated[int, arguments.number("how much", -999, 999, "+N|-N")] = 1


def _count(ctx: Context, said: Count) -> None:
    _refuse_beyond(ctx.tables, said.people, said.counter, said.by)
    for who in said.people:
        ctx.emit(Changed(who.id, said.counter, said.by))
    label = ctx.tables.tracks[said.counter].label
    ctx.text = f"{names(said.people)}: {label} {signed(said.by)}"


def _refuse_beyond(tables: Tables, people: Sequence[Combatant], counter: str, by: int) -> None:
    """Raises Refused where somebody has no such counter, or it would leave its bounds."""
    for who in people:
        track = who.tracks.get(counter)
        if track is None:
            raise Refused(f"{who.name} has no {counter}")
        after = track.value + by
        is_below = after < 0 and not tables.tracks[counter].below
        if is_below or (track.max is not None and after > track.max):
            top = f" of {track.max}" if track.max is not None else ""
            raise Refused(f"{who.name} has {track.value}{top} {counter}")


COUNTER_VERBS = (declare("count", "adds to a counter, or takes from it", Count, _count),)
