"""A fight's history folded into a recap: rounds, deeds, damage, turning points.

Undone entries don't count. What happens before the first round and after the last is told, but not
counted.
Which tracks count, and how, is the column `recap` of a game's `tracks.toml`; which outcomes are
criticals is a column of its `outcomes.toml`. Start reading with `recap_of` and `Recap`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from datetime import UTC, datetime
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from affray.core.engine import events as e
from affray.core.engine.decide import command_name
from affray.core.engine.effects import effect_name
from affray.core.engine.history import Entry, History
from affray.core.engine.state import Combatant, Encounter, Life, Phase, Side
from affray.core.formatting.visibility import is_known_to_players
from affray.core.rules.ruleset import Ruleset
from affray.core.rules.tables import Tables, TrackRow

# -------------------------------------------------------------------------------------------------
# The recap as plain values. Combatants go by their ids.

Kind = Literal["roll", "damage", "healing", "effect", "life", "clock"]


class RecapOutcome(Struct, frozen=True, gc=False):
    """One outcome of an entry for one combatant.

    kind    a roll against them with the outcome `word`, damage or healing of an `amount`, an effect
            or a clock called `word`, or their new `life`
    by      id of the one who caused it; empty where unknown
    amount  None where the players don't know it
    """

    kind: Kind
    who: str
    by: str = ""
    amount: int | None = 0
    life: Life = "up"
    word: str = ""


class RecapAction(Struct, frozen=True, gc=False):
    """One entry: what was done, and its outcomes.

    by      id of the actor; empty for nobody
    what    the name of a technique, or the command's word
    title   the log's text; empty in a recap for players
    unseen  ids of those whom the players didn't know of then
    """

    seq: int
    by: str
    what: str
    title: str
    outcomes: tuple[RecapOutcome, ...] = ()
    unseen: tuple[str, ...] = ()


class RecapRound(Struct, frozen=True):
    """A round, or the time before the first or after the last.

    heading  "Round 2", "Afterwards"
    round    its number; 0 for the time outside of rounds
    party    the party's health at its end in percent; None where nobody has any
    foes     likewise; None as well in a recap for players
    seconds  how long it took at the table
    """

    heading: str
    round: int
    deeds: tuple[RecapAction, ...] = ()
    party: int | None = None
    foes: int | None = None
    seconds: int = 0


class NamedCount(Struct, frozen=True, gc=False):
    """An amount of something, or how often it was done."""

    name: str
    amount: int


class RecapCombatant(Struct, frozen=True):
    """A participant at the end of the fight, with what they did in it.

    is_named   whether their numbers may be told; the players don't know those of foes
    life       None for one who has left
    dealt, taken, largest   damage to others, damage to them, and the largest of a single blow
    gave, regained          healing to others, and to them
    criticals, fumbles      the number of such rolls
    did        what they did, each with how often, the most frequent first
    spent, earned           amounts by the labels of tracks
    turns, seconds, longest the number of turns, their time, and the time of the longest
    """

    id: str
    name: str
    side: Side
    is_named: bool = True
    hidden: bool = False
    life: Life | None = None
    dealt: int = 0
    taken: int = 0
    largest: int = 0
    gave: int = 0
    regained: int = 0
    criticals: int = 0
    fumbles: int = 0
    did: tuple[NamedCount, ...] = ()
    spent: tuple[NamedCount, ...] = ()
    earned: tuple[NamedCount, ...] = ()
    turns: int = 0
    seconds: int = 0
    longest: int = 0


class BiggestHit(Struct, frozen=True, gc=False):
    """The largest damage of one entry to one combatant; `amount` is that of `RecapOutcome`."""

    heading: str
    seq: int
    who: str
    by: str
    amount: int | None


class TurningPoint(Struct, frozen=True, gc=False):
    """The round in which one side gained most on the other, in percent of their health.

    `before` and `after` are those of party and foes; None in a recap for players.
    """

    heading: str
    gained: Literal["party", "foes"]
    before: tuple[int, int] | None
    after: tuple[int, int] | None


class Recap(Struct, frozen=True):
    """The story and the figures of a fight."""

    title: str
    game: str
    """The rule system's name."""
    phase: Phase
    rounds: int
    """The number of rounds begun, in all fights of the log."""
    began: datetime | None
    """When the first round began."""
    seconds: int
    """How long the rounds took at the table, without breaks."""
    health: str
    """The label of the track that damage goes to."""
    people: tuple[RecapCombatant, ...]
    chapters: tuple[RecapRound, ...]
    blow: BiggestHit | None
    """The hardest hit, and the turning point."""
    swing: TurningPoint | None
    """The hardest hit, and the turning point."""
    gm_spent: tuple[NamedCount, ...] = ()
    """What the GM spent."""
    for_players: bool = False
    """True if everything that the players don't know was taken out."""

    def name(self, combatant_id: str) -> str:
        """Return somebody's name; the id itself for an unknown one."""
        return next(
            (person.name for person in self.people if person.id == combatant_id), combatant_id
        )


# -------------------------------------------------------------------------------------------------
# Outcomes of one entry: rolls, damage, healing, conditions, and who fell.


def outcomes_of(entry: Entry, before: Encounter, tables: Tables) -> tuple[RecapOutcome, ...]:
    """List the outcomes of one entry: rolls, damage and healing, effects, lives, clocks.

    Damage and healing of one combatant are summed.
    """
    harm = sorted(_harm(entry, before, tables), key=lambda outcome: outcome.kind)
    return (
        *_rolls(entry, tables),
        *harm,
        *_effects(entry, tables),
        *_lives(entry, before, tables),
        *_clocks(entry),
    )


def _rolls(entry: Entry, tables: Tables) -> Iterator[RecapOutcome]:
    """The outcomes of the actor's rolls against others."""
    for event in entry.events:
        if isinstance(event, e.Rolled) and event.against and event.who == entry.by:
            row = tables.outcomes.get(event.outcome)
            if row is not None:
                yield RecapOutcome("roll", event.against, entry.by, word=row.label or event.outcome)


def _harm(entry: Entry, before: Encounter, tables: Tables) -> Iterator[RecapOutcome]:
    sums: dict[str, int] = {}
    by: dict[str, str] = {}
    rolled = _rolled_against(entry)
    at_edge = False  # what comes with a turn's edge comes from nobody's hand
    eased: set[str] = set()  # who has lost an effect, with which a cushion may go by itself
    is_correction = entry.command.split()[:1] == ["set"]
    for event in () if is_correction else entry.events:
        at_edge = at_edge or isinstance(event, e.TurnStarted | e.TurnEnded)
        if isinstance(event, e.EffectLost):
            eased.add(event.who)
        elif isinstance(event, e.TrackChanged) and _hurts_or_heals(
            event, tables, eased - set(rolled)
        ):
            sums[event.who] = sums.get(event.who, 0) - event.by
            by.setdefault(event.who, "" if at_edge else _whose(event.who, entry, before, tables))
    for combatant_id, lost in sums.items():
        # What an attack takes less of than was told before, as when it is rolled again, is no cure.
        if lost > 0 or (lost < 0 and combatant_id in rolled):
            yield RecapOutcome("damage", combatant_id, by[combatant_id], lost)
        elif lost < 0:
            yield RecapOutcome("healing", combatant_id, entry.by, -lost)


def _hurts_or_heals(event: e.TrackChanged, tables: Tables, eased: set[str]) -> bool:
    """True for damage or healing, but not for a cushion that is given or ends by itself."""
    row = tables.tracks.get(event.track)
    if row is None or not event.who or event.routine:
        return False
    if row.recap == "cushion":
        return event.by < 0 and event.who not in eased
    return row.recap == "damage" and event.by != 0


def _whose(target: str, entry: Entry, before: Encounter, tables: Tables) -> str:
    """The id of the one who did something to `target`: who rolled against them, else the actor.

    Empty where unknown, and for one's own doing. A game without techniques has `damage ghoul 8` for
    an attack: there it is the one who is up, if on another side.
    """
    by = _rolled_against(entry).get(target) or entry.by
    if not by and not tables.techniques:
        up, hit = before.up, before.find(target)
        by = up.id if up is not None and hit is not None and up.side != hit.side else ""
    return "" if by == target else by


def _rolled_against(entry: Entry) -> Mapping[str, str]:
    """The target of each roll -> who rolled against them last."""
    rolls = (event for event in entry.events if isinstance(event, e.Rolled) and event.against)
    return {roll.against: roll.who for roll in rolls if roll.who != roll.against}


def _lives(entry: Entry, before: Encounter, tables: Tables) -> Iterator[RecapOutcome]:
    """The combatants whose life the entry changed: they fell, rose or died."""
    lives = {event.who: event.life for event in entry.events if isinstance(event, e.LifeChanged)}
    for combatant_id, life in lives.items():
        old = before.find(combatant_id)
        if old is not None and old.life != life:
            yield RecapOutcome(
                "life", combatant_id, _whose(combatant_id, entry, before, tables), life=life
            )


def _effects(entry: Entry, tables: Tables) -> Iterator[RecapOutcome]:
    """Effects that have a row and last long enough to be seen among the timers."""
    for event in entry.events:
        if isinstance(event, e.EffectGained) and event.effect.name in tables.effects:
            effect = event.effect
            if tables.look(effect.name, effect.kind).timed:
                word = effect_name(tables, effect.name)
                yield RecapOutcome("effect", event.who, effect.source, word=word)


def _clocks(entry: Entry) -> Iterator[RecapOutcome]:
    """Clocks that have run out, and races that are over."""
    for event in entry.events:
        clock = event.clock if isinstance(event, e.ClockChanged) else None
        if clock is not None and (clock.has_run_out or clock.verdict):
            yield RecapOutcome("clock", "", word=clock.name)


# -------------------------------------------------------------------------------------------------
# Counts of each combatant, made while the log is read.


class CombatantCounts(Struct):
    """The counts of a combatant so far; `counts` are the numbers of `RecapCombatant`, by name."""

    now: Combatant
    counts: Counter[str] = field(default_factory=Counter)
    did: Counter[str] = field(default_factory=Counter)
    spent: Counter[str] = field(default_factory=Counter)
    earned: Counter[str] = field(default_factory=Counter)

    def person(self, is_there: bool) -> RecapCombatant:
        """Return the counts as a part of the recap."""
        combatant = self.now
        person = RecapCombatant(
            combatant.id,
            combatant.name,
            combatant.side,
            hidden=combatant.hidden,
            life=combatant.life if is_there else None,
            did=sorted_counts(self.did),
            spent=sorted_counts(self.spent),
            earned=sorted_counts(self.earned),
        )
        return replace(person, **self.counts)

    def keep_greatest(self, name: str, number: int) -> None:
        """Raise a count to a number, if that is greater."""
        self.counts[name] = max(self.counts[name], number)


def sorted_counts(counts: Counter[str]) -> tuple[NamedCount, ...]:
    """The counts above 0, the highest first."""
    return tuple(NamedCount(name, amount) for name, amount in counts.most_common() if amount > 0)


def count_deed(people: dict[str, CombatantCounts], deed: RecapAction) -> None:
    """Count a deed for its actor, and its outcomes for all."""
    if deed.by in people:
        people[deed.by].did[deed.what] += 1
    for outcome in deed.outcomes:
        _count_outcome(people, outcome)


def _count_outcome(people: dict[str, CombatantCounts], outcome: RecapOutcome) -> None:
    """Count damage and healing for those who got it, and for those who gave it."""
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
    people: dict[str, CombatantCounts], gm_spent: Counter[str], entry: Entry, tables: Tables
) -> None:
    """Count an entry's turns, criticals, and amounts spent and earned."""
    for event in entry.events:
        if isinstance(event, e.Rolled):
            _count_roll(people, event, tables)
        elif isinstance(event, e.CostPaid | e.TrackChanged):
            row = tables.tracks.get(event.track)
            if row is not None and row.recap in ("spent", "earned"):
                _count_track(people, gm_spent, event, row)
        elif isinstance(event, e.TurnStarted) and not event.resumed and event.who in people:
            people[event.who].counts["turns"] += 1


def _count_roll(people: dict[str, CombatantCounts], roll: e.Rolled, tables: Tables) -> None:
    outcome = tables.outcomes.get(roll.outcome)
    if outcome is not None and outcome.critical and roll.who in people:
        people[roll.who].counts["criticals" if outcome.hits else "fumbles"] += 1


def _count_track(
    people: dict[str, CombatantCounts],
    gm_spent: Counter[str],
    event: e.CostPaid | e.TrackChanged,
    row: TrackRow,
) -> None:
    """Count a payment from a track that counts what is left, or marks on one that counts these."""
    if isinstance(event, e.CostPaid):
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


# -------------------------------------------------------------------------------------------------
# The health of both sides in percent by rounds, and where its balance turned most.

SLIGHT = 10
"""A gain of fewer percent on the other side is no turning point."""


class HealthBalance:
    """The health of both sides; combatants who have left count as having none.

    `health` is the id of the track that damage goes to; with `only_known` nobody hidden counts.
    """

    def __init__(self, health: str, only_known: bool) -> None:
        self._health, self._only_known = health, only_known
        self._last: dict[str, tuple[Side, int]] = {}  # side and maximum of all who were ever there

    def see(self, state: Encounter) -> None:
        """Take in who is in the fight, so that they still count when they have left it."""
        for combatant in filter(self._counts, state.combatants):
            track = combatant.tracks.get(self._health)
            if track is not None and track.full:
                self._last[combatant.id] = (combatant.side, track.full)

    def _counts(self, combatant: Combatant) -> bool:
        return is_known_to_players(combatant) or not self._only_known

    def share(self, state: Encounter, side: Side) -> int | None:
        """The percentage of its health that a side has; None where nobody has any."""
        self.see(state)
        counted = (
            combatant
            for combatant in state.combatants
            if combatant.side == side and self._counts(combatant)
        )
        tracks = (combatant.tracks.get(self._health) for combatant in counted)
        left = sum(max(0, min(t.value, t.full or 0)) for t in tracks if t is not None)
        total = sum(most for of, most in self._last.values() if of == side)
        return round(100 * left / total) if total else None


def turning_point(chapters: Sequence[RecapRound]) -> TurningPoint | None:
    """The round in which one side gained most on the other; None where none gained much."""
    found, most = None, SLIGHT - 1
    before = (100, 100)
    for chapter in chapters:
        if not chapter.round or chapter.party is None or chapter.foes is None:
            before = (100, 100)  # what comes next is another fight
            continue
        after = (chapter.party, chapter.foes)
        gain = (after[0] - before[0]) - (after[1] - before[1])
        if abs(gain) > most:
            most = abs(gain)
            found = TurningPoint(chapter.heading, "party" if gain > 0 else "foes", before, after)
        before = after
    return found


BREAK = 15 * 60
"""Seconds between two entries beyond which nobody was playing: they count for no turn."""


def recap_of(history: History, ruleset: Ruleset, only_known: bool = False) -> Recap:
    """Build the recap of a fight, whether it is over or not.

    With `only_known`, combatants are left out while the players don't know of them.
    """
    fold = _Fold(ruleset, only_known)
    before = history.states[0]
    for seq in history.path:
        after = history.states[seq]
        fold.take(history.entries[seq], before, after)
        before = after
    return fold.build(before)


class _Fold:
    """The recap as far as the log has been read."""

    def __init__(self, ruleset: Ruleset, only_known: bool) -> None:
        self.ruleset, self.only_known = ruleset, only_known
        self.health = ruleset.tables.health
        self.balance = HealthBalance(self.health, only_known)
        self.people: dict[str, CombatantCounts] = {}
        self.gm_spent: Counter[str] = Counter()
        self.chapters: list[RecapRound] = []
        self.deeds: list[RecapAction] = []  # of the chapter that is not closed yet
        self.seconds = self.turn_seconds = self.fights = 0
        self.began: datetime | None = None
        self.at: datetime | None = None  # when the entry before was given

    def take(self, entry: Entry, before: Encounter, after: Encounter) -> None:
        """Take in the next entry, with the fight before and after it."""
        for combatant in after.combatants if after.combatants is not before.combatants else ():
            if combatant.id in self.people:
                self.people[combatant.id].now = combatant
            else:
                self.people[combatant.id] = CombatantCounts(combatant)
        passed = self._passed(entry)
        if before.phase == "combat":
            self._time(entry, before, passed)
        if "combat" in (before.phase, after.phase):
            count_events(self.people, self.gm_spent, entry, self.ruleset.tables)
        outcomes = outcomes_of(entry, before, self.ruleset.tables)
        turns_page = any(isinstance(event, _EDGES) for event in entry.events)
        is_behind = turns_page and _is_of_next_chapter(entry.events)
        if is_behind:
            self._close(before, before)
        if outcomes or not _is_turn_only(entry):  # the story says whose turn it is anyway
            self.deeds.append(deed_of(entry, outcomes, before, after, self.ruleset))
        if turns_page and not is_behind:
            self._close(before, after)
        if any(isinstance(event, e.Began) for event in entry.events):
            self.fights += 1
            self.began = self.began or entry.at
            self.balance = HealthBalance(self.health, self.only_known)
            self.balance.see(after)

    def _close(self, before: Encounter, end: Encounter) -> None:
        """End a chapter, of a round or of the time outside, with the state `end`."""
        if before.phase == "combat":
            fight = f", fight {self.fights}" if self.fights > 1 else ""
            self.chapters.append(
                RecapRound(
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
            self.chapters.append(RecapRound(heading, 0, tuple(self.deeds)))
        self.deeds, self.seconds = [], 0

    def _passed(self, entry: Entry) -> int:
        """The seconds since the entry before; 0 where unknown or a break."""
        at, last = _utc(entry.at), self.at
        self.at = at or last
        passed = int((at - last).total_seconds()) if at and last else 0
        return passed if 0 <= passed <= BREAK else 0

    def _time(self, entry: Entry, before: Encounter, passed: int) -> None:
        """Count the time that passed for the one who was up."""
        self.seconds += passed
        self.turn_seconds += passed
        if before.turn in self.people:
            tally = self.people[before.turn]
            tally.counts["seconds"] += passed
            tally.keep_greatest("longest", self.turn_seconds)
        if any(isinstance(event, e.TurnStarted | e.TurnEnded) for event in entry.events):
            self.turn_seconds = 0

    def build(self, end: Encounter) -> Recap:
        """Close the last chapter and return the recap; `end` is the state after the last entry."""
        self._close(end, end)
        people = self.people
        if self.only_known:
            people = {
                combatant_id: tally
                for combatant_id, tally in people.items()
                if is_known_to_players(tally.now)
            }
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
            people=tuple(
                t.person(end.find(combatant_id) is not None) for combatant_id, t in people.items()
            ),
            chapters=tuple(self.chapters),
            blow=largest_blow(rounds),
            swing=turning_point(self.chapters),
            gm_spent=sorted_counts(self.gm_spent),
        )


def _called(entry: Entry, ruleset: Ruleset) -> str:
    """The name of what was done: a power that was paid for, else the technique or command."""
    own = (event.for_ for event in entry.events if isinstance(event, e.CostPaid))
    name = next((name for name in own if name[:1].isupper()), "")
    command = command_name(entry, ruleset)
    technique = ruleset.tables.techniques.get(command)
    return name or (technique.name if technique is not None else "") or command.replace("-", " ")


def deed_of(
    entry: Entry,
    outcomes: tuple[RecapOutcome, ...],
    before: Encounter,
    after: Encounter,
    ruleset: Ruleset,
) -> RecapAction:
    """Make the deed of an entry with these outcomes."""
    ids = dict.fromkeys(
        (entry.by, *(combatant_id for o in outcomes for combatant_id in (o.who, o.by)))
    )
    unseen = tuple(
        combatant_id
        for combatant_id in ids
        if combatant_id and _is_hidden(combatant_id, before, after)
    )
    return RecapAction(entry.seq, entry.by, _called(entry, ruleset), entry.title, outcomes, unseen)


def seen_deeds(deeds: Iterable[RecapAction], seen: Set[str]) -> Iterator[RecapAction]:
    """Cut deeds down to the combatants in `seen`; a deed without any of them is left out."""
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


def largest_blow(rounds: Iterable[RecapRound]) -> BiggestHit | None:
    """Return the largest damage of one entry to one combatant; of equals the first."""
    blows = (
        BiggestHit(chapter.heading, deed.seq, outcome.who, outcome.by, outcome.amount)
        for chapter in rounds
        for deed in chapter.deeds
        for outcome in deed.outcomes
        if outcome.kind == "damage"
    )
    return max(blows, key=lambda blow: blow.amount or 0, default=None)


def _utc(at: datetime | None) -> datetime | None:
    """A time that can be compared: one without a time zone, written by hand, counts as UTC."""
    return at if at is None or at.tzinfo is not None else at.replace(tzinfo=UTC)


_EDGES = e.Began | e.Ended | e.RoundStarted


def _is_of_next_chapter(events: Iterable[e.AnyEvent]) -> bool:
    """True if all outcomes of an entry come after the end of the chapter, as at a turn's start."""
    for event in events:
        if isinstance(event, e.RoundStarted):
            return True
        if isinstance(event, e.Began | e.Ended | e.TrackChanged | e.LifeChanged | e.EffectGained):
            return False
    return False


def _is_turn_only(entry: Entry) -> bool:
    """True if an entry has only the end or start of a turn."""
    edges = any(isinstance(event, e.TurnStarted | e.TurnEnded) for event in entry.events)
    return edges and not any(isinstance(event, e.Rolled | e.NoteAdded) for event in entry.events)


def _is_hidden(combatant_id: str, before: Encounter, after: Encounter) -> bool:
    found = after.find(combatant_id) or before.find(combatant_id)
    return found is not None and found.hidden
