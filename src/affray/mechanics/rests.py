"""What a rest, or the end of a fight, resets: a game has one `RestRules` for each kind of rest.

RESTS = {
    "short": RestRules(ends=("turn", "round"), forgets=("short",)),
    "long": RestRules(forgets=("long", "refresh*"), sets={"grit": FULL, "streak": 0}),
}
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Annotated, Final

from msgspec import Struct

from affray.core.engine.effects import effect_name, end_effects_named, remove_effect
from affray.core.engine.events import NoteAdded, TrackChanged, UsesReset
from affray.core.engine.resets import reset_tracks
from affray.core.engine.state import Combatant, Duration, Effect, Ends
from affray.core.parser import arguments
from affray.core.parser.errors import Refused, join_or
from affray.core.parser.prompt_fields import ANY_MORE
from affray.core.rules.ruleset import Context

FULL: Final = "full"
"""The value for a track that goes back to its maximum."""
NAMED = 3
"""The most names of those who don't rest."""
BESIDES = arguments.keyword_arg(
    "with", arguments.combatants_arg("others who rest, besides the party", field=ANY_MORE)
)
"""The argument for others who rest, besides the party."""
Besides = Annotated[list[Combatant], BESIDES]


class RestRules(Struct, frozen=True):
    """The tracks, effects and counts that a rest resets for everybody who takes it.

    Attributes:
        ends: The ends of effects that come in its time: turn, round, fight, rest, save.
        also: True for further effects that it ends.
        forgets: The spans whose uses it resets; `refresh*` means every span that begins so.
        sets: Track -> value, `full` for the maximum; for combatants that have the track.
    """

    ends: tuple[Ends, ...] = ()
    also: Callable[[Effect], bool] = lambda effect: False
    forgets: tuple[str, ...] = ()
    sets: Mapping[str, int | str] = {}


def end_fight_effects(ctx: Context) -> None:
    """End effects that turns and rounds would end, on everybody, and reset uses per fight."""
    over = RestRules(ends=("turn", "round"), forgets=("fight", "ahead-*"))
    for combatant in ctx.state.combatants:
        apply_rest(ctx, combatant.id, over, "the fight is over")


def require_no_fight(ctx: Context) -> None:
    """Raises Refused while a fight goes on."""
    if ctx.state.in_combat:
        raise Refused("no rest in the middle of a fight; `end` closes it")


def taking_part(ctx: Context, besides: Collection[Combatant] = ()) -> list[Combatant]:
    """List who takes a rest: the party and those named `besides`, without the dead. The log names
    others who are here. Raises Refused for nobody."""
    living = [combatant for combatant in ctx.state.combatants if combatant.life != "dead"]
    named = {combatant.id for combatant in besides}
    resting = [
        combatant for combatant in living if combatant.side == "party" or combatant.id in named
    ]
    if not resting:
        raise Refused("nobody from the party is here to rest; `with NAME` adds others")
    standing = [
        combatant
        for combatant in living
        if combatant not in resting and combatant.life != "defeated"
    ]
    why = "a rest is for the party; add others `with NAME`"
    if len(standing) > NAMED:
        ctx.note(f"{len(standing)} have not rested: {why}")
    else:
        ctx.emit(*(NoteAdded(f"not rested ({why})", c.id, aside=True) for c in standing))
    return resting


def apply_rest(ctx: Context, combatant_id: str, rest: RestRules, why: str) -> None:
    """Apply a rest to somebody as its row says, in the order of its fields."""
    for effect in ctx.state[combatant_id].effects:
        if effect.until.ends in rest.ends or rest.also(effect):
            remove_effect(ctx, combatant_id, effect.id, why)
    reset_uses(ctx, combatant_id, *rest.forgets)
    for track, value in rest.sets.items():
        set_track(ctx, combatant_id, track, value, why)


def reset_counters(
    ctx: Context, resting: Collection[Combatant], why: str, is_long: bool = False
) -> None:
    """Let the campaign's own tracks come back that do so with a rest, of all who take it but the
    dying."""
    people = [each.id for each in resting if ctx.state[each.id].life != "dying"]
    reset_tracks(ctx, people, "rest", why)
    if is_long:
        reset_tracks(ctx, people, "long-rest", why)


def stand_up(ctx: Context, combatant_id: str) -> None:
    """Let a combatant who isn't down stand up from prone, at the end of a rest."""
    if ctx.state[combatant_id].life == "up":
        end_effects_named(ctx, combatant_id, "prone", "stands up")


def end_rest(ctx: Context, combatant_id: str) -> None:
    """End a rest: everybody stands up, and the log names effects that last until removed."""
    stand_up(ctx, combatant_id)
    combatant, tables = ctx.state[combatant_id], ctx.tables
    lasting = (e for e in combatant.effects if e.until == Duration() and not e.hangs)
    looks = {e.name: tables.look(e.name, e.kind) for e in lasting}
    stays = [name for name, look in looks.items() if look.harmful and look.timed]
    if stays:
        what = join_or([effect_name(tables, name) for name in stays], "and")
        ctx.note(f"stays {what}: a rest doesn't end that, `remove` does", combatant.id)


def reset_uses(ctx: Context, combatant_id: str, *spans: str) -> None:
    """Reset the counts of these spans; `refresh*` means every span that begins so."""
    counted = sorted({key.partition("/")[0] for key in ctx.state[combatant_id].uses})
    begun = tuple(span[:-1] for span in spans if span.endswith("*"))
    ctx.emit(*(UsesReset(combatant_id, s) for s in counted if s in spans or s.startswith(begun)))


def set_track(ctx: Context, combatant_id: str, track: str, value: int | str, why: str) -> None:
    """Set a track of somebody who has it, `full` to its maximum if there is one."""
    have = ctx.state[combatant_id].tracks.get(track)
    if have is None:
        return
    wanted = (have.value if have.max is None else have.max) if value == FULL else int(value)
    if wanted != have.value:
        ctx.emit(TrackChanged(combatant_id, track, wanted - have.value, why=why))
