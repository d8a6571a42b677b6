"""Adventure School: songs, begun by a test, maintained by one in each turn, swapped for others.

A song ends with its performer's next turn unless it is maintained in it; so it ends on time
whatever happens to the performer. The effects that it gives depend on it.

Adventure School, Bardic Magic.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import DieInput
from affray.core.engine import durations
from affray.core.engine.effects import remove_effect
from affray.core.engine.events import EffectChanged, UseCounted
from affray.core.engine.state import Combatant, Duration, Effect, EffectRef, Encounter
from affray.core.parser import arguments
from affray.core.parser.clauses import join_names
from affray.core.parser.declarations import ParseState
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import Field, group
from affray.core.rules.ruleset import Context, DecisionOption, PendingDecision
from affray.mechanics.actions import DeclaredTechnique, PayFunction
from affray.mechanics.conditions import begin_effect
from affray.rulesets.adventure_school import checks, conditions
from affray.rulesets.adventure_school.resources import SONG

PERFORMANCE, SWAP = "performance", "swap"


def _sung(reading: ParseState) -> dict[str, Effect]:
    return {song.note: song for song in reading.ctx.actor().all_named(SONG)}


_SUNG = arguments.custom_name_arg("a song being performed", _sung, field=Field("kept", ("song",)))


def _test_song(ctx: Context, combatant: Combatant, skill: str, die: DieInput) -> bool:
    """Make the test that begins or maintains a song; True if it passes."""
    check = checks.CheckRequest(combatant.id, skill, die, int(ctx.tables.economy["song"]))
    return check.make(ctx).outcome in checks.PASSES


def _until(state: Encounter, combatant_id: str) -> Duration:
    """The end of a song that isn't maintained: the end of the performer's next turn."""
    in_a_fight = state.in_combat
    return (
        durations.turn_edge(state, combatant_id, "end") if in_a_fight else Duration(says="it stops")
    )


# -- sing ------------------------------------------------------------------------------------------


class SongBonus(Struct, frozen=True):
    """The bonus that a song gives: `+1 attack,check`."""

    by: Annotated[int, arguments.number_arg("the bonus", -99, 99, "+N")]
    what: Annotated[
        list[str],
        arguments.choices_arg("the roll or number it changes", conditions.WHAT, "WHAT[,WHAT]"),
    ]


_TO = arguments.keyword_arg(
    "to",
    arguments.combatants_arg("the combatants who hear it"),
    field=Field("targets", ("anyone",), before="to"),
)
_OUTCOME = checks.outcome(field=replace(checks.OUTCOME_FIELD, optional=False))
_GIVES = group(Field("number"), Field("choice", conditions.OFFERED))


class SongArgs(Struct, frozen=True):
    """`song NAME [SKILL] OUTCOME [+N WHAT[,WHAT]] [to NAME[,NAME]] [instead of NAME]`."""

    name: Annotated[
        str, arguments.text_arg("the song", usage="NAME", field=Field("text", ("song",)))
    ]
    skill: Annotated[str, checks.SKILL] = PERFORMANCE
    die: Annotated[DieInput | None, _OUTCOME] = None
    gives: Annotated[SongBonus | None, arguments.struct_arg(SongBonus, _GIVES)] = None
    to: Annotated[list[Combatant] | None, _TO] = None
    instead: Annotated[Effect | None, arguments.keyword_arg("instead-of", _SUNG)] = None


def sing(ctx: Context, args: SongArgs, combatant: Combatant, pay: PayFunction) -> None:
    """The action and a test, or in place of another song, which takes neither."""
    if args.instead is not None:
        _swap(ctx, args, args.instead, combatant, pay)
        return
    if args.die is None:
        raise Refused("say how the test came out: pass, fail, natural N or roll")
    most = max(1, combatant.number("songs", 1))
    playing = combatant.all_named(SONG)
    if len(playing) >= most:
        row = ", ".join(song.note for song in playing)
        raise Refused(
            f"{combatant.name} performs {row} already: `instead of` swaps, `drop` ends it"
        )
    _refuse_again(combatant, args.name)
    pay()
    ctx.text = f"{combatant.name} performs {args.name}"
    if _test_song(ctx, combatant, args.skill, args.die):
        _begin(ctx, combatant, args, _until(ctx.state, combatant.id), args.skill)
    else:
        ctx.text += " in vain"


def _refuse_again(combatant: Combatant, name: str) -> None:
    if any(song.note.casefold() == name.casefold() for song in combatant.all_named(SONG)):
        raise Refused(f"{combatant.name} performs {name} already; `maintain` keeps it")


def _begin(ctx: Context, combatant: Combatant, args: SongArgs, until: Duration, skill: str) -> None:
    """Begin a song, with its effects on those named, or on its performer."""
    gives = args.gives
    listeners = args.to or [combatant]
    song = begin_effect(ctx, combatant.id, SONG, until, note=args.name, type=skill)
    if gives is None:
        return
    its_song = EffectRef(combatant.id, song.id)
    what = dict.fromkeys((one.replace("-", "_") for one in gives.what), gives.by)
    given = {
        "source": combatant.id,
        "modifiers": what,
        "note": args.name,
        "type": args.name.casefold(),
    }
    for one in listeners:
        begin_effect(
            ctx, one.id, conditions.MODIFIER, Duration(says="the song ends"), its_song, **given
        )
    ctx.text += f" for {join_names(args.to)}" if args.to else ""


def _swap(
    ctx: Context, args: SongArgs, old: Effect, combatant: Combatant, pay: PayFunction
) -> None:
    """Swap songs as a fast action, without a test; the new one stays for this turn."""
    _refuse_again(combatant, args.name)
    pay({}, f"{SWAP} {old.note.casefold()}")
    if ctx.state.in_combat:
        ctx.emit(UseCounted(combatant.id, f"song {SWAP} {args.name.casefold()}"))
    ctx.text = f"{combatant.name} performs {args.name} instead of {old.note}"
    _begin(ctx, combatant, args, old.until, old.type)
    remove_effect(ctx, combatant.id, old.id, f"{args.name} in its place")


# -- keep ------------------------------------------------------------------------------------------


def songs_to_maintain(state: Encounter, combatant: Combatant) -> list[Effect]:
    """The songs that end with somebody's current turn, unless maintained."""
    slot = state.slot(combatant.id)
    if slot is None or not slot.open or slot.held:
        return []
    songs = combatant.all_named(SONG)
    return [s for s in songs if s.until.ends == "turn" and s.until.count <= slot.turns]


class MaintainArgs(Struct, frozen=True):
    """`maintain NAME OUTCOME`."""

    song: Annotated[Effect, _SUNG]
    die: checks.Outcome


def maintain(ctx: Context, args: MaintainArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Maintain a song as a fast action, once for each song: the same test; a failure ends it."""
    song = args.song
    if song not in songs_to_maintain(ctx.state, combatant):
        raise Refused(f"{song.note} needn't be kept before {combatant.name}'s next turn")
    pay()
    if _test_song(ctx, combatant, song.type or PERFORMANCE, args.die):
        ctx.emit(
            EffectChanged(
                combatant.id, replace(song, until=_until(ctx.state, combatant.id)), "kept"
            )
        )
        ctx.text = f"{combatant.name} maintains {song.note}"
    else:
        remove_effect(ctx, combatant.id, song.id, "the test failed")
        ctx.text = f"{combatant.name} loses {song.note}"


def pending_decisions(state: Encounter) -> Iterator[PendingDecision]:
    """The songs to maintain, of those whose turn it is."""
    for combatant in state.all_up():
        for song in songs_to_maintain(state, combatant):
            does = f'maintain "{song.note}"'
            by = f"by {combatant.id}"
            answers = (("k", "kept", "pass"), ("l", "lost", "fail"), ("r", "roll", "roll"))
            choices = tuple(
                DecisionOption(key, label, f"{does} {word} {by}") for key, label, word in answers
            )
            says = f"{combatant.name} may maintain {song.note}"
            missed = f"{song.note} was not maintained"
            yield PendingDecision(
                combatant.id, says, choices, missed, holds=True, die=f"{does} {by}"
            )


ACTS = {
    "song": DeclaredTechnique(SongArgs, sing),
    "maintain": DeclaredTechnique(MaintainArgs, maintain),
}
