"""What is counted of everybody while the log is read."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct, field

from affray.core.heart import events as e
from affray.core.heart.history import Entry
from affray.core.heart.state import Combatant
from affray.core.rules.tables import Tables, TrackRule
from affray.core.telling.recap.facts import Amount, Deed, Outcome, Person


class Tally(Struct):
    """Somebody's counts so far; what they mean is said in `Person`."""

    now: Combatant
    dealt: int = 0
    taken: int = 0
    largest: int = 0
    gave: int = 0
    regained: int = 0
    criticals: int = 0
    fumbles: int = 0
    did: Counter[str] = field(default_factory=Counter)
    spent: Counter[str] = field(default_factory=Counter)
    earned: Counter[str] = field(default_factory=Counter)
    turns: int = 0
    seconds: int = 0
    longest: int = 0

    def person(self, is_there: bool) -> Person:
        """The counts as they are told."""
        who = self.now
        return Person(
            who.id,
            who.name,
            who.side,
            hidden=who.hidden,
            life=who.life if is_there else None,
            dealt=self.dealt,
            taken=self.taken,
            largest=self.largest,
            gave=self.gave,
            regained=self.regained,
            criticals=self.criticals,
            fumbles=self.fumbles,
            did=amounts(self.did),
            spent=amounts(self.spent),
            earned=amounts(self.earned),
            turns=self.turns,
            seconds=self.seconds,
            longest=self.longest,
        )


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
    if outcome.kind == "damage":
        if target is not None:
            target.taken += amount
        if by is not None:
            by.dealt += amount
            by.largest = max(by.largest, amount)
    elif outcome.kind == "healing":
        if target is not None:
            target.regained += amount
        if by is not None:
            by.gave += amount


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
            people[event.who].turns += 1


def _count_roll(people: dict[str, Tally], roll: e.Rolled, tables: Tables) -> None:
    outcome = tables.outcomes.get(roll.outcome)
    if outcome is not None and outcome.critical and roll.who in people:
        if outcome.hits:
            people[roll.who].criticals += 1
        else:
            people[roll.who].fumbles += 1


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
