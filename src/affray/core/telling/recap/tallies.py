"""What is counted of everybody while the log is read."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct, field
from msgspec.structs import replace

from affray.core.heart import events as e
from affray.core.heart.history import Entry
from affray.core.heart.state import Combatant
from affray.core.rules.tables import Tables, TrackRule
from affray.core.telling.recap.facts import Amount, Deed, Outcome, Person


class Tally(Struct):
    """What has been counted of somebody so far; `counts` are the numbers of `Person`, by name."""

    now: Combatant
    counts: Counter[str] = field(default_factory=Counter)
    did: Counter[str] = field(default_factory=Counter)
    spent: Counter[str] = field(default_factory=Counter)
    earned: Counter[str] = field(default_factory=Counter)

    def person(self, is_there: bool) -> Person:
        """The counts as they are told."""
        who = self.now
        person = Person(
            who.id,
            who.name,
            who.side,
            hidden=who.hidden,
            life=who.life if is_there else None,
            did=amounts(self.did),
            spent=amounts(self.spent),
            earned=amounts(self.earned),
        )
        return replace(person, **self.counts)

    def keep_greatest(self, name: str, number: int) -> None:
        """Keep the greatest of some numbers."""
        self.counts[name] = max(self.counts[name], number)


def amounts(counts: Counter[str]) -> tuple[Amount, ...]:
    """What was counted, the most first; what came to nothing is left out."""
    return tuple(Amount(name, amount) for name, amount in counts.most_common() if amount > 0)


def count_deed(people: dict[str, Tally], deed: Deed) -> None:
    """Count what somebody did, and what came of it."""
    if deed.by in people:
        people[deed.by].did[deed.what] += 1
    for outcome in deed.outcomes:
        _count_outcome(people, outcome)


def _count_outcome(people: dict[str, Tally], outcome: Outcome) -> None:
    """Count damage and healing for whom it came to, and for who brought it about."""
    target, by, amount = people.get(outcome.who), people.get(outcome.by), outcome.amount or 0
    if outcome.kind not in ("damage", "healing"):
        return
    is_damage = outcome.kind == "damage"
    if target is not None:
        target.counts["taken" if is_damage else "regained"] += amount
    if by is not None:
        by.counts["dealt" if is_damage else "gave"] += amount
        if is_damage:
            by.keep_greatest("largest", amount)


def count_events(
    people: dict[str, Tally], gm_spent: Counter[str], entry: Entry, tables: Tables
) -> None:
    """Count what an entry spent and earned, and whose criticals fell in it."""
    for event in entry.events:
        if isinstance(event, e.Rolled):
            _count_roll(people, event, tables)
        elif isinstance(event, e.Spent | e.Changed):
            row = tables.tracks.get(event.track)
            if row is not None and row.recap in ("spent", "earned"):
                _count_track(people, gm_spent, event, row)
        elif isinstance(event, e.TurnStarted) and not event.resumed and event.who in people:
            people[event.who].counts["turns"] += 1


def _count_roll(people: dict[str, Tally], roll: e.Rolled, tables: Tables) -> None:
    outcome = tables.outcomes.get(roll.outcome)
    if outcome is not None and outcome.critical and roll.who in people:
        people[roll.who].counts["criticals" if outcome.hits else "fumbles"] += 1


def _count_track(
    people: dict[str, Tally], gm_spent: Counter[str], event: e.Spent | e.Changed, row: TrackRule
) -> None:
    """What was paid of what is left, and what was marked on what is marked."""
    if isinstance(event, e.Spent):
        by = event.by if row.counts == "left" else 0
    else:
        by = event.by if row.counts == "marked" and not event.routine else 0
    if by <= 0:
        return
    if not event.who:
        gm_spent[row.label] += by if row.recap == "spent" else 0
    elif event.who in people:
        tally = people[event.who]
        (tally.spent if row.recap == "spent" else tally.earned)[row.label] += by
