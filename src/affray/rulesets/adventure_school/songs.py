"""Songs: begun by a test, kept by one in each turn, swapped for others.

Seed 001: Bardic Magic; rules file, 17.1. A song ends as its performer's next turn does unless it is
kept in it; so it ends in time whatever becomes of the performer. What it gives hangs on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart import timing
from affray.core.heart.decide import Context
from affray.core.heart.effects import end
from affray.core.heart.events import Altered, Used
from affray.core.heart.state import Combatant, Duration, Effect, Encounter
from affray.core.language import arguments
from affray.core.language.clauses import they
from affray.core.language.declared import Reading
from affray.core.language.refusal import Refused, signed
from affray.core.rules.ruleset import Choice, Pending
from affray.rulekit.acts import Pay
from affray.rulekit.doing import Declared
from affray.rulekit.placing import Placing, begin
from affray.rulekit.rolls import Die
from affray.rulesets.adventure_school import checks, conditions, rolls
from affray.rulesets.adventure_school.resources import SONG

PERFORMANCE, SWAP = "performance", "swap"


def _sung(reading: Reading) -> dict[str, Effect]:
    return {song.note: song for song in reading.ctx.actor().all_named(SONG)}


_SUNG = arguments.called("a song that one performs", _sung, asks="text:song")


def _sings(ctx: Context, who: Combatant, skill: str, die: Die) -> bool:
    """The test that begins a song or keeps it."""
    trial = checks.Trial(who.id, skill, die, int(ctx.tables.economy["song"]))
    return checks.attempt(ctx, trial).outcome in rolls.PASSES


def _until(state: Encounter, who: str) -> Duration:
    """As long as it lasts unless it is kept: the end of the next turn, in which it can be."""
    in_a_fight = state.phase == "combat"
    return timing.at_turn(state, who, "end") if in_a_fight else Duration(says="it stops")


# -- sing ------------------------------------------------------------------------------------------


class Gives(Struct, frozen=True):
    """What a song gives: `+1 attack,check`."""

    by: Annotated[int, arguments.number("the bonus", -99, 99, "+N")]
    what: Annotated[list[str], arguments.several("what it is to", conditions.WHAT, "WHAT[,WHAT]")]


_TO = arguments.clause("to", arguments.people("who hears it"))


class Song(Struct, frozen=True):
    """`song NAME [SKILL] OUTCOME [+N WHAT[,WHAT]] [to NAME[,NAME]] [instead of NAME]`."""

    name: Annotated[str, arguments.text("the song", usage="NAME", asks="text:song")]
    skill: Annotated[str, checks.SKILL] = PERFORMANCE
    die: Annotated[Die | None, rolls.outcome()] = None
    gives: Annotated[Gives | None, arguments.form(Gives)] = None
    to: Annotated[list[Combatant] | None, _TO] = None
    instead: Annotated[Effect | None, arguments.clause("instead-of", _SUNG)] = None


def sing(ctx: Context, said: Song, who: Combatant, pay: Pay) -> None:
    """The action and a test, or in place of another song, which takes neither (17.1)."""
    if said.instead is not None:
        _swap(ctx, said, said.instead, who, pay)
        return
    if said.die is None:
        raise Refused("say how the test came out: pass, fail, natural N or roll")
    most = max(1, who.number("songs", 1))
    playing = who.all_named(SONG)
    if len(playing) >= most:
        row = ", ".join(song.note for song in playing)
        raise Refused(f"{who.name} performs {row} already: `instead of` swaps, `drop` ends it")
    _refuse_again(who, said.name)
    pay()
    ctx.text = f"{who.name} performs {said.name}"
    if _sings(ctx, who, said.skill, said.die):
        _begin(ctx, who, said, _until(ctx.state, who.id), said.skill)
    else:
        ctx.text += " in vain"


def _refuse_again(who: Combatant, name: str) -> None:
    if any(song.note.casefold() == name.casefold() for song in who.all_named(SONG)):
        raise Refused(f"{who.name} performs {name} already; `maintain` keeps it")


def _begin(ctx: Context, who: Combatant, said: Song, until: Duration, skill: str) -> None:
    """Begin a song, with what it gives those who are named, or its performer."""
    gives = said.gives
    listeners = said.to or [who]
    song = begin(ctx, who.id, SONG, until, note=said.name, type=skill)
    if gives is None:
        return
    placing = Placing(source=who.id, hangs=f"{who.id}/{song.id}")
    what = dict.fromkeys((one.replace("-", "_") for one in gives.what), gives.by)
    given = {"modifiers": what, "note": said.name, "type": said.name.casefold()}
    for one in listeners:
        begin(ctx, one.id, conditions.MODIFIER, Duration(says="the song ends"), placing, **given)
    ctx.text += f": {they(listeners, 'has', 'have')} {signed(gives.by)} {', '.join(gives.what)}"


def _swap(ctx: Context, said: Song, old: Effect, who: Combatant, pay: Pay) -> None:
    """As a fast action, without a test; what was swapped in this turn stays (17.1)."""
    _refuse_again(who, said.name)
    pay({}, f"{SWAP} {old.note.casefold()}")
    if ctx.state.phase == "combat":
        ctx.emit(Used(who.id, f"song {SWAP} {said.name.casefold()}"))
    ctx.text = f"{who.name} performs {said.name} in place of {old.note}"
    _begin(ctx, who, said, old.until, old.type)
    end(ctx, who.id, old.id, f"{said.name} in its place")


# -- keep ------------------------------------------------------------------------------------------


def asks_to_be_kept(state: Encounter, who: Combatant) -> list[Effect]:
    """The songs that end with the turn that somebody is taking, unless they are kept."""
    slot = state.slot(who.id)
    if slot is None or not slot.open or slot.held:
        return []
    songs = who.all_named(SONG)
    return [s for s in songs if s.until.ends == "turn" and s.until.count <= slot.turns]


class Maintain(Struct, frozen=True):
    """`maintain NAME OUTCOME`."""

    song: Annotated[Effect, _SUNG]
    die: Annotated[Die, rolls.outcome()]


def maintain(ctx: Context, said: Maintain, who: Combatant, pay: Pay) -> None:
    """As a fast action, once for each song: the same test; a failure ends it (17.1)."""
    song = said.song
    if song not in asks_to_be_kept(ctx.state, who):
        raise Refused(f"{song.note} needn't be kept before {who.name}'s next turn")
    pay()
    if _sings(ctx, who, song.type or PERFORMANCE, said.die):
        ctx.emit(Altered(who.id, replace(song, until=_until(ctx.state, who.id)), "kept"))
        ctx.text = f"{who.name} keeps {song.note} up"
    else:
        end(ctx, who.id, song.id, "the test failed")
        ctx.text = f"{who.name} loses {song.note}"


def pending(state: Encounter) -> Iterator[Pending]:
    """The songs that ask to be kept, of those whose turn it is."""
    for who in state.all_up():
        for song in asks_to_be_kept(state, who):
            does = f'maintain "{song.note}"'
            by = f"by {who.id}"
            answers = (("k", "kept", "pass"), ("l", "lost", "fail"), ("r", "roll", "roll"))
            choices = tuple(
                Choice(key, label, f"{does} {word} {by}") for key, label, word in answers
            )
            says = f"{who.name} may keep {song.note} up"
            missed = f"{song.note} was not kept"
            yield Pending(who.id, says, choices, missed, holds=True, die=f"{does} {by}")


ACTS = {"song": Declared(Song, sing), "maintain": Declared(Maintain, maintain)}
