"""A fight's history as a recap: rounds, acts, damage, turning points.

Undone entries don't count. What happens before the first round and after the last is listed, but
not counted. Which tracks count, and how, is the column `recap` of a game's `tracks.toml`; which
outcomes are criticals is a column of its `outcomes.toml`. Start with `recap_of` and
`Recap`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from datetime import UTC, datetime
from itertools import chain
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from affray.core.engine import events as e
from affray.core.engine.decide import command_name
from affray.core.engine.effects import effect_name
from affray.core.engine.history import Entry, History
from affray.core.engine.state import Combatant, Encounter, Life, Phase, Side
from affray.core.formatting.log_lines import tell_pieces
from affray.core.formatting.pieces import Piece, names_of, pieces_of
from affray.core.formatting.visibility import is_known_to_players
from affray.core.rules.ruleset import Ruleset
from affray.core.rules.tables import Tables, TrackRow

# -------------------------------------------------------------------------------------------------
# The recap as plain values. Combatants go by their ids.

Kind = Literal["roll", "damage", "healing", "effect", "life", "clock"]


class RecapOutcome(Struct, frozen=True, gc=False):
    """One outcome of an entry for one combatant, in figures and in words.

    kind    a roll against them, damage or healing of an `amount`, an effect, their new `life`, or a
            clock that has run out
    words   the words after their name: `−6 HP, 12 left`, `is dying`
    by      id of the one who caused it; empty where unknown
    amount  None where the players don't know it
    """

    kind: Kind
    who: str
    words: str
    by: str = ""
    amount: int | None = 0
    life: Life = "up"


class RecapAction(Struct, frozen=True, gc=False):
    """One entry: the act, and its outcomes.

    by      id of the actor; empty for nobody
    what    the name of a technique, or the command's word
    line    the log's line, without reasons and dice; empty for players
    unseen  ids of those whom the players didn't see then
    """

    seq: int
    by: str
    what: str
    line: str
    outcomes: tuple[RecapOutcome, ...] = ()
    unseen: tuple[str, ...] = ()


class RecapRound(Struct, frozen=True):
    """A round, or the time before the first or after the last.

    heading  "Round 2", "Afterwards"
    round    its number; 0 for the time outside of rounds
    party    the party's health at its end in percent; None if nobody has any
    foes     the same for the foes; None as well in a recap for players
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

    is_named   True if their numbers may be shown; not a foe's to players
    life       None for one who has left
    dealt, taken, largest   damage to others, damage to them, and the largest hit
    gave, regained          healing to others, and to them
    criticals, fumbles      the number of such rolls
    did        their acts with their counts, the most frequent first
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
    """The GM's spending."""
    for_players: bool = False
    """True if everything that the players don't know was taken out."""

    def name(self, combatant_id: str) -> str:
        """Return somebody's name; the id itself for an unknown one."""
        return next(
            (person.name for person in self.people if person.id == combatant_id), combatant_id
        )


# -------------------------------------------------------------------------------------------------
# Outcomes of one entry: rolls, damage, healing, conditions, and who fell.


def deed_of(
    entry: Entry, before: Encounter, after: Encounter, ruleset: Ruleset, tells_all: bool = False
) -> RecapAction:
    """Make the act of an entry from the pieces that a recap shows, with its line for the GM
    alone."""
    command, tables = command_name(entry, ruleset), ruleset.tables
    pieces = [*_pieces_to_tell(entry, command, before, tables)]
    outcomes = (
        *_rolls(entry, tables),
        *(_outcome(piece, entry, before, tables) for piece in pieces),
    )
    ids = dict.fromkeys((entry.by, *(who for o in outcomes for who in (o.who, o.by))))
    unseen = tuple(who for who in filter(None, ids) if _is_hidden(who, before, after))
    what, line = _called(entry, command, tables), ""
    if tells_all:
        left = [piece for piece in pieces if not _is_titled(piece, entry.by)]
        line = " · ".join(tell_pieces(entry, before, left).lines())
    return RecapAction(entry.seq, entry.by, what, line, outcomes, unseen)


def _is_titled(piece: Piece, actor: str) -> bool:
    """True for an effect that every title says in its own words: one's own, and one without a name,
    such as a modifier."""
    event = piece.event
    if not isinstance(event, e.EffectGained):
        return False
    return event.who == actor or event.effect.name == event.effect.kind


def _pieces_to_tell(
    entry: Entry, command: str, before: Encounter, tables: Tables
) -> Iterator[Piece]:
    """The pieces of damage and healing, of everybody's last life, of effects with a row that last
    long enough for the timers, and of clocks that have run out.

    What follows from a new life is left out, as the dying are prone.
    """
    doer = entry.by or ("" if tables.techniques else before.turn)
    pieces = pieces_of(entry.events, before, tables.tracks, doer)
    last = {piece.who: piece for piece in pieces if isinstance(piece.event, e.LifeChanged)}
    for piece in pieces:
        match piece.event:
            case e.TrackChanged():
                is_told = bool(piece.lost or piece.healed) and command != "set"
            case e.LifeChanged(who=who, life=life):
                was = before.find(who)
                is_told = last[piece.who] is piece and was is not None and was.life != life
            case e.EffectGained(effect=effect):
                look = tables.look(effect.name, effect.kind)
                follows = effect.because and piece.who in last
                is_told = effect.name in tables.effects and look.timed and not follows
            case e.ClockChanged(clock=clock):
                is_told = clock is not None and bool(clock.has_run_out or clock.verdict)
            case _:
                is_told = False
        if is_told:
            yield piece._replace(notes=(), end="")


def _outcome(piece: Piece, entry: Entry, before: Encounter, tables: Tables) -> RecapOutcome:
    """The outcome of a piece, in words without its name.

    In a game without techniques `damage ghoul 8` is an attack: the damage belongs to the combatant
    whose turn it is, if they are on another side than the target. Damage to oneself is nobody's.
    """
    who, by = "".join(piece.who), piece.by
    words = piece._replace(who=()).text(names_of((), before))
    if not entry.by and by == before.turn and not tables.techniques:
        up, target = before.find(by), before.find(who)
        by = by if up is not None and target is not None and up.side != target.side else ""
    by = "" if by == who else by
    match piece.event:
        case e.TrackChanged() if piece.healed:
            return RecapOutcome("healing", who, words, entry.by, piece.healed)
        case e.TrackChanged():
            return RecapOutcome("damage", who, words, by, piece.lost)
        case e.LifeChanged(life=life):
            return RecapOutcome("life", who, words, by, life=life)
        case e.EffectGained(effect=effect):
            return RecapOutcome("effect", who, effect_name(tables, effect.name), effect.source)
    return RecapOutcome("clock", who, words)


def _rolls(entry: Entry, tables: Tables) -> Iterator[RecapOutcome]:
    """The outcomes of the actor's rolls against others."""
    for event in entry.events:
        if isinstance(event, e.Rolled) and event.against and event.who == entry.by:
            row = tables.outcomes.get(event.outcome)
            if row is not None:
                yield RecapOutcome("roll", event.against, row.label or event.outcome, entry.by)


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
    """Count an act for its actor, and its damage and healing for those who dealt or gave it and for
    those who got it."""
    if deed.by in people:
        people[deed.by].did[deed.what] += 1
    for outcome in deed.outcomes:
        if outcome.kind in ("damage", "healing"):
            is_damage, amount = outcome.kind == "damage", outcome.amount or 0
            if outcome.who in people:
                people[outcome.who].counts["taken" if is_damage else "regained"] += amount
            if outcome.by in people:
                people[outcome.by].counts["dealt" if is_damage else "gave"] += amount
    for blow in blows(deed):
        if blow.by in people:
            people[blow.by].keep_greatest("largest", blow.amount or 0)


def blows(deed: RecapAction, heading: str = "") -> Iterator[BiggestHit]:
    """The total damage of an act to each."""
    hits = [outcome for outcome in deed.outcomes if outcome.kind == "damage"]
    for who in dict.fromkeys(hit.who for hit in hits):
        own = [hit for hit in hits if hit.who == who]
        yield BiggestHit(heading, deed.seq, who, own[0].by, sum(hit.amount or 0 for hit in own))


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
    """Count a payment from a track, or marks on a track that counts marks."""
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

    `tables` know the track that damage goes to; with `only_known` nobody hidden counts.
    """

    def __init__(self, tables: Tables, only_known: bool) -> None:
        self._tables, self._only_known = tables, only_known
        self._last: dict[str, tuple[Side, int]] = {}  # side and maximum of all who were ever there

    def see(self, state: Encounter) -> None:
        """Note who is in the fight, so that they still count after they leave."""
        for combatant in filter(self._counts, state.combatants):
            track = self._tables.health_of(combatant)
            if track is not None and track.full:
                self._last[combatant.id] = (combatant.side, track.full)

    def _counts(self, combatant: Combatant) -> bool:
        return is_known_to_players(combatant) or not self._only_known

    def share(self, state: Encounter, side: Side) -> int | None:
        """The percentage of health that a side has left; None if nobody has health."""
        self.see(state)
        counted = (
            combatant
            for combatant in state.combatants
            if combatant.side == side and self._counts(combatant)
        )
        tracks = map(self._tables.health_of, counted)
        left = sum(max(0, min(t.value, t.full or 0)) for t in tracks if t is not None)
        total = sum(most for of, most in self._last.values() if of == side)
        return round(100 * left / total) if total else None


def turning_point(chapters: Sequence[RecapRound]) -> TurningPoint | None:
    """The round in which one side gained most on the other; None if none gained much."""
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

    With `only_known` it leaves out combatants while the players don't know them.
    """
    fold = _Fold(ruleset, only_known)
    before = history.states[0]
    for seq in history.path:
        after = history.states[seq]
        fold.take(history.entries[seq], before, after)
        before = after
    return fold.build(before)


class _Fold:
    """The recap of the log read so far."""

    def __init__(self, ruleset: Ruleset, only_known: bool) -> None:
        self.ruleset, self.only_known = ruleset, only_known
        self.health = ruleset.tables.health
        self.balance = HealthBalance(self.ruleset.tables, only_known)
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
        if before.in_combat:
            self._time(entry, before, passed)
        if "combat" in (before.phase, after.phase):
            count_events(self.people, self.gm_spent, entry, self.ruleset.tables)
        deed = deed_of(entry, before, after, self.ruleset, not self.only_known)
        turns_page = any(isinstance(event, _EDGES) for event in entry.events)
        is_behind = turns_page and _is_of_next_chapter(entry.events)
        if is_behind:
            self._close(before, before)
        if deed.outcomes or not _is_turn_only(entry):  # the story says whose turn it is anyway
            self.deeds.append(deed)
        if turns_page and not is_behind:
            self._close(before, after)
        if any(isinstance(event, e.Began) for event in entry.events):
            self.fights += 1
            self.began = self.began or entry.at
            self.balance = HealthBalance(self.ruleset.tables, self.only_known)
            self.balance.see(after)

    def _close(self, before: Encounter, end: Encounter) -> None:
        """End a chapter, of a round or of the time outside, with the state `end`."""
        if before.in_combat:
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


def _called(entry: Entry, command: str, tables: Tables) -> str:
    """The name of an act: the power that was paid for, else the technique or command."""
    own = (event.for_ for event in entry.events if isinstance(event, e.CostPaid))
    name = next((name for name in own if name[:1].isupper()), "")
    technique = tables.techniques.get(command)
    return name or (technique.name if technique is not None else "") or command.replace("-", " ")


def seen_deeds(deeds: Iterable[RecapAction], seen: Set[str]) -> Iterator[RecapAction]:
    """Cut acts down to the combatants in `seen`, and leave out acts without any of them."""
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
    found = (blows(deed, chapter.heading) for chapter in rounds for deed in chapter.deeds)
    return max(chain(*found), key=lambda blow: blow.amount or 0, default=None)


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
