"""The log in memory: every entry, every state, and a head that undo, redo and goto move.

The entries form a tree. The parent of an ordinary entry is the head at that time; a move (undo,
redo, goto) only sets the head to another entry. So an abandoned branch is never lost, and nothing
is ever computed backwards. Start with `History`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from msgspec import Struct

from affray.core.dice import RecordedDie, sides_of
from affray.core.engine.events import AnyEvent, EffectLost, LedgerImported, Rolled, TurnEnded
from affray.core.engine.evolve import evolve_all
from affray.core.engine.state import Effect, Encounter
from affray.core.parser.errors import Refused

START = 0
"""The number for the state before the first entry."""

OWED = "owed"
"""The kind of an effect for a save that its bearer still has to make."""

AMEND = "amend"
"""The verb of an entry that leads to an amended past."""

LAST_SEQ = 10**15 - 1
"""The greatest number that an entry may have: well within the 64 bits of TOML's integers."""


class Entry(Struct, frozen=True, gc=False):
    """One command with everything it caused: the unit for saving, undoing, naming and
    explaining."""

    seq: int
    """Its number in the log."""
    command: str
    """The GM's command, as typed or as a key wrote it."""
    by: str = ""
    """Id of the combatant who acted, if one did."""
    text: str = ""
    """The command in words: "Brannoc strikes Ghoul 1, strong 8 slashing"."""
    events: tuple[AnyEvent, ...] = ()
    to: int | None = None
    """For a move: the entry at which the head is now."""
    at: datetime | None = None
    """When it was given, in UTC."""
    edited: bool = False
    """True if it was changed by hand in the file."""
    verb: str = ""
    """The command's name, where `command` doesn't begin with just that: `gm thread reroll` is a
    `gm-thread`; see `affray.core.engine.decide.command_name`."""
    parent: int | None = None
    """For an entry of an amended past: the entry before it there; the head doesn't move to it."""
    proposal: str = ""
    """The id of the player's proposal that it came of; empty for the GM's own."""

    @property
    def title(self) -> str:
        """The title of the entry on the screen."""
        return self.text or self.command

    def __repr__(self) -> str:
        return f"<Entry {self.seq}: {self.title}>"


class EarlierEntry(Struct, frozen=True):
    """An entry of the past with the state before it, for rules that look back.

    `earlier` finds the entry before this one; None at the beginning.
    """

    entry: Entry
    before: Encounter
    earlier: Callable[[], EarlierEntry | None] = lambda: None


def earlier_entries(previous: EarlierEntry | None) -> Iterator[EarlierEntry]:
    """Yield an entry, the one before it, and so on to the beginning."""
    while previous is not None:
        yield previous
        previous = previous.earlier()


class AbandonedBranch(NamedTuple):
    """A branch that was left when the fight went on another way.

    parted_at  the entry behind which it begins; 0 for the beginning
    entries    the numbers of those that are on it alone, the oldest first
    """

    parted_at: int
    entries: list[int]


class History:
    """All entries and the state after each. Appending and moving cost the same at any length."""

    def __init__(self, start: Encounter) -> None:
        self.entries: dict[int, Entry] = {}
        self.states: dict[int, Encounter] = {START: start}
        self.parents: dict[int, int] = {}
        self.proposals: set[str] = set()  # of all entries, on abandoned branches too
        self.answers: dict[int, int] = {}  # what makes a save that was owed -> what asked for it
        self.path: list[int] = []  # the effective entries, first to head: always ascending
        self._forward: dict[int, int] = {}  # the child walked last, for redo
        self._forks: dict[int, list[int]] = {}  # all children, of those that have more than one
        # Where amending led: the entry that tells of it, and where the head was before.
        self._amended: dict[int, tuple[int, int]] = {}

    def __repr__(self) -> str:
        return f"<History: {len(self.entries)} entries, at entry {self.head}>"

    @property
    def head(self) -> int:
        """The number of the entry that led to the present state."""
        return self.path[-1] if self.path else START

    @property
    def state(self) -> Encounter:
        """The fight as it stands."""
        return self.states[self.head]

    @property
    def last(self) -> int:
        """The number of the newest entry; 0 when there is none."""
        return next(reversed(self.entries), START)

    def apply(self, entry: Entry, state: Encounter | None = None) -> None:
        """Take in the next entry. `state` is the state after it, if that is known already.

        Raises ValueError for a move to an entry that is not there, or a parent that is not.
        """
        if entry.to is not None:
            self._moved(entry, entry.to)
        else:
            before = self.head if entry.parent is None else self._require(entry.parent)
            self.states[entry.seq] = state or evolve_all(self.states[before], entry.events)
            self.parents[entry.seq] = before
            self._note_answer(entry, before)
            self._fork(before, entry.seq)
            if entry.parent is None:
                self._forward[before] = entry.seq
                self.path.append(entry.seq)
        self.entries[entry.seq] = entry
        if entry.proposal:
            self.proposals.add(entry.proposal)

    def _note_answer(self, entry: Entry, before: int) -> None:
        """Note the entry that asked for an owed save, if this one makes it."""
        for event in entry.events:
            if isinstance(event, EffectLost) and _makes_save(entry, event.who):
                effect = (event.who, event.effect)
                owed = _effect(self.states[before], *effect)
                if owed is not None and owed.kind == OWED:
                    while _effect(self.states[self.parents.get(before, START)], *effect):
                        before = self.parents[before]
                    self.answers[entry.seq] = before
                    return

    def as_acts(self, seqs: Iterable[int]) -> list[list[int]]:
        """Group entries, the oldest first: an entry that asked for saves with those right after it
        that made them; others alone."""
        acts: list[list[int]] = []
        for seq in seqs:
            if acts and self.answers.get(seq) == acts[-1][0]:
                acts[-1].append(seq)
            else:
                acts.append([seq])
        return acts

    def require_new(self, proposal: str) -> None:
        """Raise Refused for a proposal that an entry already carried out, even if undone since."""
        if proposal in self.proposals:
            raise Refused("already played: the result of this proposal is in the log")

    def _fork(self, before: int, child: int) -> None:
        """Note another branch from an entry, if it has one already."""
        if before in self._forward:
            self._forks.setdefault(before, [self._forward[before]]).append(child)
        else:
            self._forward[before] = child

    def _require(self, seq: int) -> int:
        if seq not in self.states:
            raise ValueError(f"entry {seq} is not in the log")
        return self._node(seq)

    def _moved(self, entry: Entry, to: int) -> None:
        """Move the head; after amending, undo leads back to where it was."""
        left = self.head
        self._move(to)
        self.states[entry.seq] = self.state
        self.parents[entry.seq] = self.head
        if entry.verb == AMEND:
            self._amended[self.head] = (entry.seq, left)
            self._fork(left, entry.seq)
            self._forward[left] = entry.seq

    def _move(self, to: int) -> None:
        back, ahead = self.way_to(self._require(to))
        del self.path[len(self.path) - back :]
        self._forward.update(zip([self.head, *ahead], ahead, strict=False))
        self.path += ahead

    def way_to(self, to: int) -> tuple[int, list[int]]:
        """Return how many entries a move to `to` takes back, and which ones it then brings back.

        Takes time by the length of the way, not of the log.
        """
        ahead, head, parents = [], self.head, self.parents
        seq = self._node(to)
        while seq > head or not self.is_effective(seq):  # what is newer is not on the path
            ahead.append(seq)
            seq = parents[seq]
        ahead.reverse()
        return len(self.path) - bisect_right(self.path, seq), ahead

    def is_effective(self, seq: int) -> bool:
        """True if an entry is part of the current fight, and not on an abandoned branch."""
        place = bisect_left(self.path, seq)
        return seq == START or (place < len(self.path) and self.path[place] == seq)

    def since(self, seq: int) -> list[int]:
        """Return the effective entries after one of them; all for the beginning."""
        return self.path[bisect_right(self.path, seq) :]

    def _node(self, seq: int) -> int:
        """The entry that holds the state after `seq`: itself, or where a move went."""
        entry = self.entries.get(seq)
        return seq if entry is None or entry.to is None else self.parents[seq]

    def undo_target(self, steps: int = 1) -> int:
        """Return the entry to go to for undoing so many. Raises Refused when there are fewer."""
        if not self.path:
            raise Refused("nothing to undo: the log is at its beginning")
        seq = self.head
        for done in range(steps):
            if seq == START:
                meant = f"; goto {steps} goes to that entry" if steps in self.states else ""
                raise Refused(f"only {done} entries can be undone, not {steps}{meant}")
            _, seq = self._step_back(seq)
        return seq

    def _step_back(self, seq: int) -> tuple[int, int]:
        """The entry that undo takes back with the head at `seq`, and the one it leads to."""
        return self._amended.get(seq, (seq, self.parents[seq]))

    def redo_target(self, steps: int = 1) -> int:
        """Return the entry to go to for redoing so many. Raises Refused when there are fewer."""
        seq = self.head
        for done in range(steps):
            if seq not in self._forward:
                raise Refused(
                    f"only {done} can be redone, not {steps}" if done else "nothing to redo"
                )
            seq = self._node(self._forward[seq])
        return seq

    def goto_target(self, seq: int) -> int:
        """The entry that `goto seq` leads to. Raises Refused when there is no such entry."""
        if seq not in self.states:
            raise Refused(f"no entry {seq}: the log goes from 0 to {self.last}")
        return self._node(seq)

    @property
    def previous(self) -> EarlierEntry | None:
        """The entry at the head with those before it; None at the beginning."""
        return self.earlier_at(self.head)

    def previous_of(self, seq: int) -> EarlierEntry | None:
        """The entry before an ordinary one, with those before it; None at the beginning."""
        return self.earlier_at(self.parents[seq])

    def earlier_at(self, seq: int) -> EarlierEntry | None:
        """The entry of that number with those before it; None for the beginning."""
        if seq == START:
            return None
        before = self.parents[seq]
        return EarlierEntry(self.entries[seq], self.states[before], lambda: self.earlier_at(before))

    @property
    def undo_title(self) -> str | None:
        """The title of the entry that undo would undo; None for none."""
        if not self.path:
            return None
        taken_back, _ = self._step_back(self.head)
        return self.entries[taken_back].title

    @property
    def redo_title(self) -> str | None:
        """The title of the entry that redo would bring back; None for none."""
        child = self._forward.get(self.head)
        return self.entries[child].title if child is not None else None

    @property
    def ahead(self) -> list[int]:
        """The entries that redo would bring back, the next one first."""
        return self._way_from(self.head)[1:]

    def branches(self) -> list[AbandonedBranch]:
        """Return the abandoned branches, the newest first.

        Every ordinary entry is in `path`, in `ahead`, or in one of these. Takes time by the length
        of the branches, not of the log.
        """
        found = [
            AbandonedBranch(
                parts, [seq for seq in self._way_from(child) if self.entries[seq].to is None]
            )
            for parts, children in self._forks.items()
            for child in children
            if child != self._forward[parts] and self.entries[child].to is None
        ]
        return sorted(found, key=lambda branch: branch.entries[-1], reverse=True)

    def _way_from(self, seq: int) -> list[int]:
        """An entry and those after it, on the branch that was taken last."""
        way = [seq]
        while (seq := self._forward.get(seq, START)) != START:
            way.append(seq)
        return way

    def before(self, seq: int) -> Encounter:
        """The state in which an ordinary entry was given."""
        return self.states[self.parents[seq]]

    def off_path(self) -> list[int]:
        """Return the numbers of the ordinary entries that are not effective, oldest first."""
        on = set(self.path)
        return [s for s, entry in self.entries.items() if entry.to is None and s not in on]


def _effect(state: Encounter, who: str, effect_id: str) -> Effect | None:
    """The effect of that id on somebody; None if it isn't there."""
    bearer = state.find(who)
    effects = bearer.effects if bearer is not None else ()
    return next((effect for effect in effects if effect.id == effect_id), None)


def _makes_save(entry: Entry, who: str) -> bool:
    """True if somebody saves by an entry, which ends no turn: those saves are rolled together."""
    rolls = (isinstance(e, Rolled) and e.is_save and e.who == who for e in entry.events)
    return any(rolls) and not any(isinstance(e, TurnEnded) for e in entry.events)


# -------------------------------------------------------------------------------------------------
# The dice of an entry, read off its events, so that they can fall once more.


def recorded_dice(events: Iterable[AnyEvent]) -> list[RecordedDie]:
    """Return each die that affray rolled, in the order in which they fell.

    A roll of `1d6+1d4` for 5 and 2 is a d6 that shows 5 and a d4 that shows 2.
    """
    return [
        RecordedDie(sides, face, (event.who, event.for_, event.against))
        for event in events
        if isinstance(event, Rolled) and not event.by_hand
        for sides, face in zip(sides_of(event.dice, event.faces), event.faces, strict=False)
    ]


# -------------------------------------------------------------------------------------------------
# The other logs of a campaign.


class OtherLog(NamedTuple):
    """Another log of the campaign, in its current state.

    log    its file in the campaign's folder: `ledger.toml`, `encounters/ford.toml`
    title  its title
    sum    a checksum of the file, to notice a change
    fight  the id of the fight, which a renamed file keeps; empty for a ledger
    """

    log: str
    title: str
    sum: str
    history: History
    fight: str = ""

    @property
    def state(self) -> Encounter:
        """The fight as it stands now in the other log."""
        return self.history.state

    @property
    def carried(self) -> LedgerImported:
        """The event that marks an entry as taken from this log now."""
        return LedgerImported(self.log, self.history.head, self.title, self.sum, self.fight)


class OtherLogs(NamedTuple):
    """Access to the other logs of a campaign, for one of its logs.

    ledger  returns the campaign's ledger; None without one, and for the ledger itself
    fights  lists the encounters that the ledger can import; empty for a fight
    read    returns the log of a file or an encounter's name; None for a missing one. Raises Refused
            for one that can't be read
    is_ledger  True if this log is the ledger
    find    returns the log that an import came from, even if its file was renamed
    """

    ledger: Callable[[], OtherLog | None]
    fights: Callable[[], list[str]]
    read: Callable[[str], OtherLog | None]
    is_ledger: bool = False
    find: Callable[[LedgerImported], OtherLog | None] = lambda carried: None


NOWHERE = OtherLogs(lambda: None, list, lambda log: None)
"""For a fight that is in no campaign."""
