"""`why`: where a number comes from, told from the log and the rules."""

from __future__ import annotations

from collections.abc import Iterator

from affray.core.heart.events import Added, AnyEvent, Changed, Spent
from affray.core.heart.history import START, History
from affray.core.heart.state import Combatant, Encounter
from affray.core.language.refusal import signed
from affray.core.rules.ruleset import Ruleset

MOST = 12
"""How many changes of a track are told; the log has them all."""


def explain(
    history: History,
    ruleset: Ruleset,
    who: str,
    what: str,
    at: int | None = None,
    most: int = MOST,
) -> list[str]:
    """Lines that say how a track or a total of a combatant came to be what it is.

    A total is told by its parts; a track by its last changes, newest first, `most` of them.
    `at` asks about the fight as it was after that entry.
    """
    seq = history.head if at is None else history.goto_target(at)
    state = history.states[seq]
    combatant = state[who]
    track = combatant.tracks.get(what)
    if track is None:
        return _total(ruleset, state, combatant, what)
    rule = ruleset.tables.tracks.get(what)
    label = rule.label if rule else what
    top = f"/{track.max}" if track.max is not None else ""
    lines = [f"{combatant.name}: {label} {track.value}{top}"]
    for index, line in enumerate(_changes(history, seq, who, what)):
        if index == most:
            lines.append("...")
            break
        lines.append(line)
    return lines


def _total(ruleset: Ruleset, state: Encounter, combatant: Combatant, what: str) -> list[str]:
    total = ruleset.totals(ruleset.tables, state, combatant).get(what, 0)
    lines = [f"{combatant.name}: {what} {ruleset.tables.total(what).told(total)}"]
    for share in ruleset.shares(ruleset.tables, state, combatant, what):
        amount = signed(share.amount) if isinstance(share.amount, int) else share.amount
        lines.append(f"{amount} {share.source}")
    return lines if len(lines) > 1 else [*lines, "nothing changes it now"]


def _changes(history: History, seq: int, who: str, track: str) -> Iterator[str]:
    """The changes on the way to an entry, newest first. Where nobody changed, nothing is read."""
    here = history.states[seq].find(who)
    while seq != START and here is not None:
        before = history.before(seq).find(who)
        entry = history.entries[seq]
        for event in reversed(entry.events) if before is not here else ():
            told = _told(event, who, track)
            if told:
                yield f"{seq}  {told}  ({entry.title})"
        seq, here = history.parents[seq], before


def _told(event: AnyEvent, who: str, track: str) -> str:
    if isinstance(event, Added) and event.who == who and track in event.tracks:
        return f"began at {event.tracks[track].value}"
    if isinstance(event, Changed) and event.who == who and event.track == track:
        return f"{signed(event.by)}{f' {event.why}' if event.why else ''}"
    if isinstance(event, Spent) and event.who == who and event.track == track:
        return f"{signed(-event.by)}{f' for {event.for_}' if event.for_ else ''}"
    return ""
