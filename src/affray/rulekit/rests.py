"""What a rest, or the end of a fight, resets: rows of a game's own, one for each kind.

>>> RESTS = {
...     "short": Rest(ends=("turn", "round"), forgets=("short",)),
...     "long": Rest(forgets=("long", "refresh*"), sets={"hp": FULL, "streak": 0}),
... }
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Final

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.effects import end, end_named
from affray.core.heart.events import Changed, Forgot, Noted
from affray.core.heart.state import Combatant, Effect, Ends
from affray.core.language import arguments
from affray.core.language.clauses import they
from affray.core.language.refusal import Refused

FULL: Final = "full"
"""What a track is set to that is at its maximum again."""
NAMED = 3
"""So many who don't rest are told by name."""
BESIDES = arguments.clause("with", arguments.people("who rests besides the party", asks=""))
"""Who of those who are not of the party takes a rest all the same."""


class Rest(Struct, frozen=True):
    """What a rest resets of everybody who takes it.

    ends     the ends of effects that come in its time: turn, round, fight, rest, save
    also     whether an effect is over by it, whatever else would end that
    forgets  the spans whose uses are counted anew; `refresh*` is each that begins so
    sets     track -> what it is set to, `full` for its maximum; where somebody has that track
    """

    ends: tuple[Ends, ...] = ()
    also: Callable[[Effect], bool] = lambda effect: False
    forgets: tuple[str, ...] = ()
    sets: Mapping[str, int | str] = {}


def fight_over(ctx: Context) -> None:
    """The fight is over: what turns and rounds would end has ended, on everybody, and what was
    counted for the fight is forgotten."""
    over = Rest(ends=("turn", "round"), forgets=("fight",))
    for combatant in ctx.state.combatants:
        reset(ctx, combatant.id, over, "the fight is over")


def refuse_in_a_fight(ctx: Context) -> None:
    """Raises Refused while a fight goes on."""
    if ctx.state.phase == "combat":
        raise Refused("no rest in the middle of a fight; `end` closes it")


def taking_part(ctx: Context, besides: Collection[Combatant] = ()) -> list[Combatant]:
    """Who takes a rest: the party, and whoever is named `besides`, but the dead. Who else is here
    is told of. Raises Refused for nobody."""
    living = [who for who in ctx.state.combatants if who.life != "dead"]
    named = {who.id for who in besides}
    found = [who for who in living if who.side == "party" or who.id in named]
    if not found:
        raise Refused("nobody of the party is here to rest; `with NAME` says who else does")
    standing = [who for who in living if who not in found and who.life != "defeated"]
    if standing:
        whom = they(standing, "has", "have") if len(standing) <= NAMED else f"{len(standing)} have"
        ctx.emit(Noted(f"{whom} no rest: it is for the party, and for others `with NAME`"))
    return found


def reset(ctx: Context, who: str, rest: Rest, why: str) -> None:
    """Let a rest do for somebody what its row says, in the order of its fields."""
    for effect in ctx.state[who].effects:
        if effect.until.ends in rest.ends or rest.also(effect):
            end(ctx, who, effect.id, why)
    forget(ctx, who, *rest.forgets)
    for track, value in rest.sets.items():
        set_track(ctx, who, track, value, why)


def stand_up(ctx: Context, who: str) -> None:
    """Whoever is up when a rest is over stands, as nobody stays on the ground through it."""
    if ctx.state[who].life == "up":
        end_named(ctx, who, "prone", "stands up")


def forget(ctx: Context, who: str, *spans: str) -> None:
    """Count anew in these spans, where something is counted in them; `refresh*` is each of them
    that begins so."""
    counted = sorted({key.partition("/")[0] for key in ctx.state[who].uses})
    begun = tuple(span[:-1] for span in spans if span.endswith("*"))
    ctx.emit(*(Forgot(who, s) for s in counted if s in spans or s.startswith(begun)))


def set_track(ctx: Context, who: str, track: str, value: int | str, why: str) -> None:
    """Set a track of somebody who has it, `full` to its maximum if there is one."""
    have = ctx.state[who].tracks.get(track)
    if have is None:
        return
    wanted = (have.value if have.max is None else have.max) if value == FULL else int(value)
    if wanted != have.value:
        ctx.emit(Changed(who, track, wanted - have.value, why=why))
