"""The history folded into a recap. What was undone is not in it.

All numbers are of the rounds: what is added, set or rested before and after is told, not counted.
Which tracks count, and how, is the column `recap` of a game's `tracks.toml`; which outcomes are
criticals is a column of its `outcomes.toml`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Set
from datetime import UTC, datetime

from msgspec.structs import replace

from affray.core.heart import events as e
from affray.core.heart.decide import verb_of
from affray.core.heart.history import Entry, History
from affray.core.heart.state import Encounter
from affray.core.rules.ruleset import Ruleset
from affray.core.telling.public.known import is_known
from affray.core.telling.recap.balance import Balance, swing
from affray.core.telling.recap.facts import Blow, Chapter, Deed, Outcome, Recap
from affray.core.telling.recap.outcomes import outcomes_of
from affray.core.telling.recap.tallies import Tally, amounts, count_deed, count_events

BREAK = 15 * 60
"""Seconds between two entries beyond which nobody was playing: they count for no turn."""


def recap_of(history: History, ruleset: Ruleset, only_known: bool = False) -> Recap:
    """What is told of a fight, be it over or not; with `only_known` as if there had been nobody of
    whom the players didn't know just then."""
    fold = _Fold(ruleset, only_known)
    before = history.states[0]
    for seq in history.path:
        after = history.states[seq]
        fold.take(history.entries[seq], before, after)
        before = after
    return fold.told(before)


class _Fold:
    """The recap as far as the log has been read."""

    def __init__(self, ruleset: Ruleset, only_known: bool) -> None:
        self.ruleset, self.only_known = ruleset, only_known
        self.health = ruleset.tables.health
        self.balance = Balance(self.health, only_known)
        self.people: dict[str, Tally] = {}
        self.gm_spent: Counter[str] = Counter()
        self.chapters: list[Chapter] = []
        self.deeds: list[Deed] = []  # of the chapter that is not closed yet
        self.seconds = self.turn_seconds = self.fights = 0
        self.began: datetime | None = None
        self.at: datetime | None = None  # when the entry before was given

    def take(self, entry: Entry, before: Encounter, after: Encounter) -> None:
        """Take in the next entry: the fight before it, and behind it."""
        for who in after.combatants if after.combatants is not before.combatants else ():
            if who.id in self.people:
                self.people[who.id].now = who
            else:
                self.people[who.id] = Tally(who)
        passed = self._passed(entry)
        if before.phase == "combat":
            self._time(entry, before, passed)
        if "combat" in (before.phase, after.phase):
            count_events(self.people, self.gm_spent, entry, self.ruleset.tables)
        outcomes = outcomes_of(entry, before, self.ruleset.tables)
        turns_page = any(isinstance(event, _EDGES) for event in entry.events)
        is_behind = turns_page and _comes_behind(entry.events)
        if is_behind:
            self._close(before, before)
        if outcomes or not _is_turn_only(entry):  # whose turn it is, the story tells anyway
            self.deeds.append(deed_of(entry, outcomes, before, after, self.ruleset))
        if turns_page and not is_behind:
            self._close(before, after)
        if any(isinstance(event, e.Began) for event in entry.events):
            self.fights += 1
            self.began = self.began or entry.at
            self.balance = Balance(self.health, self.only_known)
            self.balance.see(after)

    def _close(self, before: Encounter, end: Encounter) -> None:
        """End a chapter, a round or what was outside of them, with the fight as it stands then."""
        if before.phase == "combat":
            fight = f", fight {self.fights}" if self.fights > 1 else ""
            self.chapters.append(
                Chapter(
                    f"Round {before.round}{fight}",
                    before.round,
                    tuple(self.deeds),
                    self.balance.share(end, "party"),
                    self.balance.share(end, "foes"),
                    self.seconds,
                )
            )
        elif self.deeds:
            heading = "Afterwards" if before.phase == "ended" else "Before the fight"
            self.chapters.append(Chapter(heading, 0, tuple(self.deeds)))
        self.deeds, self.seconds = [], 0

    def _passed(self, entry: Entry) -> int:
        """The seconds since the entry before; none where that is unknown, or was a break."""
        at, last = _utc(entry.at), self.at
        self.at = at or last
        passed = int((at - last).total_seconds()) if at and last else 0
        return passed if 0 <= passed <= BREAK else 0

    def _time(self, entry: Entry, before: Encounter, passed: int) -> None:
        """Time that passed is of whoever was up."""
        self.seconds += passed
        self.turn_seconds += passed
        if before.turn in self.people:
            tally = self.people[before.turn]
            tally.counts["seconds"] += passed
            tally.keep_greatest("longest", self.turn_seconds)
        if any(isinstance(event, e.TurnStarted | e.TurnEnded) for event in entry.events):
            self.turn_seconds = 0

    def told(self, end: Encounter) -> Recap:
        """All of it, as the fight stands at the end."""
        self._close(end, end)
        people = self.people
        if self.only_known:
            people = {who: tally for who, tally in people.items() if is_known(tally.now)}
            self.chapters = [
                replace(chapter, deeds=tuple(seen_deeds(chapter.deeds, people.keys())))
                for chapter in self.chapters
            ]
        rounds = [chapter for chapter in self.chapters if chapter.round]
        for deed in (deed for chapter in rounds for deed in chapter.deeds):
            count_deed(self.people, deed)
        health = self.ruleset.tables.tracks.get(self.health)
        return Recap(
            title=end.title,
            game=self.ruleset.name,
            phase=end.phase,
            rounds=len(rounds),
            began=self.began,
            seconds=sum(chapter.seconds for chapter in rounds),
            health=health.label if health is not None else "",
            people=tuple(t.person(end.find(who) is not None) for who, t in people.items()),
            chapters=tuple(self.chapters),
            blow=largest_blow(rounds),
            swing=swing(self.chapters),
            gm_spent=amounts(self.gm_spent),
        )


def _called(entry: Entry, ruleset: Ruleset) -> str:
    """What somebody did: a power of their own by its name, which was paid for; else the technique,
    or the word of the command."""
    own = (event.for_ for event in entry.events if isinstance(event, e.Spent))
    name = next((name for name in own if name[:1].isupper()), "")
    verb = verb_of(entry, ruleset)
    technique = ruleset.tables.techniques.get(verb)
    return name or (technique.name if technique is not None else "") or verb.replace("-", " ")


def deed_of(
    entry: Entry,
    outcomes: tuple[Outcome, ...],
    before: Encounter,
    after: Encounter,
    ruleset: Ruleset,
) -> Deed:
    """What an entry did that came to this."""
    ids = dict.fromkeys((entry.by, *(who for o in outcomes for who in (o.who, o.by))))
    unseen = tuple(who for who in ids if who and _is_hidden(who, before, after))
    return Deed(entry.seq, entry.by, _called(entry, ruleset), entry.title, outcomes, unseen)


def seen_deeds(deeds: Iterable[Deed], seen: Set[str]) -> Iterator[Deed]:
    """What somebody sees of deeds who sees these combatants alone: whoever else had a part in one
    is left out of it, and so is one of which nothing is left.
    """
    for deed in deeds:
        there = seen - set(deed.unseen)
        outcomes = tuple(
            replace(outcome, by=outcome.by if outcome.by in there else "")
            for outcome in deed.outcomes
            if outcome.who in there and (outcome.kind != "roll" or outcome.by in there)
        )
        by = deed.by if deed.by in there else ""
        if by or outcomes:
            yield replace(deed, by=by, outcomes=outcomes, unseen=())


def largest_blow(rounds: Iterable[Chapter]) -> Blow | None:
    """The largest damage that one entry did to one; of equals the first."""
    blows = (
        Blow(chapter.heading, deed.seq, outcome.who, outcome.by, outcome.amount)
        for chapter in rounds
        for deed in chapter.deeds
        for outcome in deed.outcomes
        if outcome.kind == "damage"
    )
    return max(blows, key=lambda blow: blow.amount or 0, default=None)


def _utc(at: datetime | None) -> datetime | None:
    """A time as it can be compared: a hand may have written one without its place on Earth."""
    return at if at is None or at.tzinfo is not None else at.replace(tzinfo=UTC)


_EDGES = e.Began | e.Ended | e.RoundStarted


def _comes_behind(events: Iterable[e.AnyEvent]) -> bool:
    """Whether all that an entry brings comes when the chapter has ended, as at a turn's start."""
    for event in events:
        if isinstance(event, e.RoundStarted):
            return True
        if isinstance(event, e.Began | e.Ended | e.Changed | e.Became | e.Gained):
            return False
    return False


def _is_turn_only(entry: Entry) -> bool:
    """Whether it tells no more than that a turn ended or began."""
    edges = any(isinstance(event, e.TurnStarted | e.TurnEnded) for event in entry.events)
    return edges and not any(isinstance(event, e.Rolled | e.Noted) for event in entry.events)


def _is_hidden(who: str, before: Encounter, after: Encounter) -> bool:
    found = after.find(who) or before.find(who)
    return found is not None and found.hidden
