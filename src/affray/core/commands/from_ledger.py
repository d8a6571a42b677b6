"""The party comes into a fight as the campaign's ledger has it: with its wounds, marks and uses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from affray.core.heart.carrying import THE_LEDGER, OtherLog, as_left, carried_in, changes
from affray.core.heart.events import AnyEvent, Carried, Changed, Noted
from affray.core.heart.history import Previous, back_from
from affray.core.heart.state import Encounter, Track
from affray.core.language.refusal import Refused
from affray.core.rules.tables import Tables, TrackRule

if TYPE_CHECKING:
    from affray.core.heart.decide import Context


def come_along(ctx: Context, joined: Iterable[str]) -> None:
    """Of those who have just joined by their sheets, let come whom the ledger has as it has them.

    The GM's own tracks come with the first of them, as far as nothing is counted on them here.
    """
    coming = {who: ctx.state[who] for who in joined if ctx.state[who].kind == "pc"}
    ledger = ctx.elsewhere.ledger() if coming else None
    if ledger is None or not any(ledger.state.find(who) for who in coming):
        return
    odd = other_rules(ctx.state, ledger)
    if odd:
        ctx.emit(Noted(f"{odd}: nothing comes from it"))
        return
    wanted = as_left(ctx.ruleset, ctx.state, coming, ledger, ledger.state, {})
    wanted = replace(wanted, tracks={**wanted.tracks, **ctx.state.tracks})
    bring(ctx, ledger, wanted)


def other_rules(state: Encounter, other: OtherLog) -> str:
    """That another log is played by other rules than this one, so that its numbers mean nothing
    here; empty where it is not."""
    theirs = other.state.ruleset
    if theirs == state.ruleset:
        return ""
    return f"{other.title} is played by {theirs}, and this by {state.ruleset}"


def refuse_other_rules(state: Encounter, other: OtherLog) -> None:
    """Raises Refused where `other_rules` has something to say."""
    odd = other_rules(state, other)
    if odd:
        raise Refused(f"{odd}: nothing goes from one to the other")


def bring(ctx: Context, ledger: OtherLog, wanted: Encounter) -> None:
    """Let the party here become what the ledger has; the line says who comes with what."""
    was = ctx.state
    ctx.emit(Carried(ledger.log, ledger.history.head, ledger.title))
    ctx.emit(*(_as_routine(event) for event in changes(was, wanted, f"as {THE_LEDGER} has it")))
    ctx.emit(*(Noted(line) for line in _told(ctx.tables, was, ctx.state)))


def _as_routine(event: AnyEvent) -> AnyEvent:
    """What comes to somebody's tracks is told all at once, and not one by one."""
    return replace(event, routine=True) if isinstance(event, Changed) else event


def _told(tables: Tables, was: Encounter, now: Encounter) -> Iterator[str]:
    """`Mira comes with 18 of 30 HP, 2 fatigue`, for each who is not as by the sheet."""
    for who in now.combatants:
        old = was.find(who.id)
        what = _moved(tables, old.tracks, who.tracks) if old is not None else []
        if what:
            yield f"{who.name} comes with {', '.join(what)}"
    gm = _moved(tables, was.tracks, now.tracks)
    if gm:
        yield f"the GM has {', '.join(gm)}"


def _moved(tables: Tables, old: Mapping[str, Track], now: Mapping[str, Track]) -> list[str]:
    """What the tracks that are not as they were come to, in words."""
    return [
        _in_words(tables.track(name), track)
        for name, track in now.items()
        if track != old.get(name)
    ]


def _in_words(rule: TrackRule, track: Track) -> str:
    """`18 of 30 HP`, `2 fatigue`, `spellburn die d6`."""
    label = rule.in_a_sentence
    if rule.shown == "die":
        return f"{label} d{track.value}" if track.value else f"no {label}"
    top = f" of {track.max}" if track.max is not None and rule.counts == "left" else ""
    return f"{track.value}{top} {label}"


def taken_from(previous: Previous | None) -> int:
    """The ledger's entry by which the party was brought up to date here last; 0 for never."""
    found = (carried_in(each.entry) for each in back_from(previous))
    return next((carried.entry for carried in found if carried is not None), 0)
