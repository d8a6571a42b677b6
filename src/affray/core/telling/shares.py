"""The parts of a total in words: how much, where from, since which entry, by whom and how long."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from affray.core.heart.carrying import Elsewhere, carried_in
from affray.core.heart.events import Added
from affray.core.heart.history import START, Entry, History
from affray.core.heart.state import Combatant, Effect, Encounter
from affray.core.language.refusal import Refused, signed
from affray.core.rules.ruleset import Ruleset, Share
from affray.core.rules.tables import LEVEL
from affray.core.telling.effect_words import until_in_words

MOST_HOPS = 64
"""From so many logs at most it is gone on to another one."""

SINCE = " · "
"""What stands between a part and what is told of its beginning."""


class Total(NamedTuple):
    """A total of somebody's in a log, as it was after the entry `seq`."""

    history: History
    ruleset: Ruleset
    seq: int
    who: Combatant
    name: str

    @property
    def state(self) -> Encounter:
        """How the fight stood then."""
        return self.history.states[self.seq]


def told_parts(total: Total, elsewhere: Elsewhere) -> list[str]:
    """A line for each part of a total, such as "−2 weakened · entry 98 of The Toll Bridge, from
    Ghoul 1, until freed". What was carried here is followed to the log in which it began."""
    rules = total.ruleset
    parts = rules.shares(rules.tables, total.state, total.who, total.name)
    return [_line(total, part, elsewhere) for part in parts]


def _line(total: Total, part: Share, elsewhere: Elsewhere) -> str:
    amount = signed(part.amount) if isinstance(part.amount, int) else part.amount
    own = _on_bearer(total.who, part.effect)
    of = part.effect.because if part.effect is not None and part.effect.kind == LEVEL else part.of
    start = _Start(total.history, total.who.id)
    if own is not None:
        start = start.followed(total.seq, lambda who: _has(who, own), elsewhere)
    elif of:
        start = start.followed(total.seq, lambda who: _number(who, of), elsewhere)
    aside = [start.where(is_number=own is None)]
    if own is not None:
        aside += [_by_whom(start, total, part, own), _end(total, own)]
    told = ", ".join(filter(None, aside))
    return f"{amount} {part.source}{f'{SINCE}{told}' if told else ''}"


def _on_bearer(who: Combatant, effect: Effect | None) -> Effect | None:
    """The effect of somebody's that a part comes from; of an implied one that which implies it."""
    if effect is None:
        return None
    return who.effect(effect.id) or who.effect(effect.id.rpartition("@")[2])


def _has(who: Combatant, effect: Effect) -> object:
    found = who.effect(effect.id)
    return found is not None and found.name == effect.name


def _number(who: Combatant, name: str) -> object:
    track = who.tracks.get(name)
    return who.stats.get(name), track and (track.value, track.max)


class _Start(NamedTuple):
    """Where something began that is still so: the log, the entry there, and why no further."""

    history: History
    who: str
    entry: Entry | None = None
    title: str = ""
    lost: str = ""

    def followed(
        self, seq: int, look: Callable[[Combatant], object], elsewhere: Elsewhere
    ) -> _Start:
        """From the entry `seq` back to the one since which what `look` sees is the same."""
        here = self
        for _ in range(MOST_HOPS):
            entry = _since(here.history, seq, here.who, look)
            here = here._replace(entry=entry)
            carried = carried_in(entry) if entry is not None else None
            if carried is None:
                break
            lost = f"entry {carried.entry} of {carried.title}"
            try:
                other = elsewhere.find(carried)
            except Refused as refusal:
                return here._replace(lost=f"{lost}: {refusal}")
            if other is None or carried.entry not in other.history.states:
                return here._replace(lost=f"{lost}, which is not there any more")
            here = _Start(other.history, here.who, None, other.title)
            seq = other.history.goto_target(carried.entry)
        return here

    def where(self, is_number: bool) -> str:
        """`entry 98 of The Toll Bridge`; empty for a number that is as on the sheet."""
        if self.lost or self.entry is None:
            return self.lost
        added = (e for e in self.entry.events if isinstance(e, Added) and e.who == self.who)
        if is_number and any(added):
            return ""
        return f"entry {self.entry.seq}{f' of {self.title}' if self.title else ''}"


def _since(
    history: History, seq: int, who: str, look: Callable[[Combatant], object]
) -> Entry | None:
    """The entry since which what is seen of somebody is as after the entry `seq`."""
    here = history.states[seq].find(who)
    while seq != START and here is not None:
        before = history.states[history.parents[seq]].find(who)
        if before is not here and (before is None or look(before) != look(here)):
            return history.entries[seq]
        seq, here = history.parents[seq], before
    return None


def _by_whom(start: _Start, total: Total, part: Share, effect: Effect) -> str:
    """Whose doing it is, where the part's own words don't say so."""
    name = total.state.name(effect.source)
    if not effect.source and start.entry is not None and start.entry.by != start.who:
        name = start.history.states[start.entry.seq].name(start.entry.by)
    name = name.removesuffix(f" of {start.title}")
    return f"from {name}" if name and name not in part.source else ""


def _end(total: Total, effect: Effect) -> str:
    if effect.hangs and effect.until.ends == "removed" and not effect.until.says:
        return f"until {total.state.name(effect.hangs.partition('/')[0])} no longer keeps it up"
    return until_in_words(total.state, total.who, effect.until) or "until removed"
