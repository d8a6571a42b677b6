"""Amend the past: give one entry another command, and decide every later entry again.

Dice that fell stay with their rolls; only new rolls take new dice. A combatant whom an amendment
brings back to life has its turns again; in them it does only what you insert. You see the result of
each later command before the amendment is made, and can replace or remove that command. Start with
`amend`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from affray.core.commands.log_commands import SESSION_COMMANDS
from affray.core.dice import DiceSource, RecordedDice, RecordedDie
from affray.core.engine.decide import Decision, command_name, commands_of, decide
from affray.core.engine.events import (
    Added,
    AnyEvent,
    LedgerImported,
    Rolled,
    TrackChanged,
    TurnEnded,
)
from affray.core.engine.evolve import evolve_all
from affray.core.engine.history import (
    AMEND,
    LAST_SEQ,
    NOWHERE,
    EarlierEntry,
    Entry,
    History,
    OtherLogs,
    recorded_dice,
)
from affray.core.engine.state import Encounter
from affray.core.engine.turn_order import turn_unit
from affray.core.late_pattern import late_pattern
from affray.core.parser.errors import Refused
from affray.core.parser.tokens import QUOTED, TokenStream, join_tokens, refuse_lone_quote, tokenize
from affray.core.rules.ruleset import Ruleset

OUT, BEFORE, INSERT = "out", "before", "insert"

Whose = int | tuple[str, int, str]
"""The key of a step: the number of its entry, or its command, round and turn."""

_EDIT = late_pattern(rf'(?:{QUOTED}|[^;"])+')


class Edit(NamedTuple):
    """A change of the past: the new command of entry `seq`, or with `before` one put in before it.

    An empty command strikes the entry out.
    """

    seq: int
    command: str
    before: bool = False

    def __str__(self) -> str:
        text = self.command or OUT
        if ";" in text and '"' not in text:
            text = f'"{text}"'
        return f"{f'{BEFORE} ' if self.before else ''}{self.seq} {text}"


class AmendedEntry(Struct, frozen=True):
    """A command, decided again in the amended past.

    old      the old entry; None for an inserted command
    command  the command now; empty for a removed one
    before   the fight before it now
    previous the entry before it in that fight
    decision the result of the command; None if removed or refused
    refused  why it is refused now
    new      the new dice rolled for it
    left     dice of the old entry that no roll used
    """

    old: Entry | None
    command: str
    before: Encounter
    previous: EarlierEntry | None
    decision: Decision | None = None
    refused: str = ""
    new: tuple[RecordedDie, ...] = ()
    left: tuple[RecordedDie, ...] = ()

    @property
    def is_other(self) -> bool:
        """True if deciding the command again gave other events than the log has; always for one put
        in or refused. Other words for why a number is so, as in an older log, are no difference."""
        if self.old is None or self.decision is None:
            return True
        now, was = self.decision.events, self.old.events
        return now != was and [*map(_without_why, now)] != [*map(_without_why, was)]

    @property
    def whose(self) -> Whose:
        """The key of the step from one amendment to the next: its entry, or command and turn."""
        if self.old is not None:
            return self.old.seq
        return (self.command, self.before.round, self.before.turn)


def _without_why(event: AnyEvent) -> AnyEvent:
    if isinstance(event, Rolled | TrackChanged):
        return replace(event, why="", parts=())
    return event


class Amendment(Struct, frozen=True):
    """The result of an amendment before it is carried out.

    edits   the changes asked for
    head    the entry at which the fight stood when this was made
    parent  the last entry that is unchanged
    steps   every command behind that one
    state   the fight after all steps
    """

    edits: tuple[Edit, ...]
    head: int
    parent: int
    steps: tuple[AmendedEntry, ...]
    state: Encounter

    def __repr__(self) -> str:
        return f"<Amendment: {self.line}: {len(self.others)} of {len(self.steps)} differ>"

    @property
    def line(self) -> str:
        """The command that does it."""
        return amend_line(self.edits)

    @property
    def title(self) -> str:
        """The title of its entry: "amended: entry 12, Mira strikes Ghoul 1, strong 5"."""
        titles = (
            f"entry {s.old.seq}, {_called(s)}" if s.old else _called(s) for s in self.steps[:1]
        )
        return f"amended: {next(titles, 'nothing')}"

    @property
    def others(self) -> list[AmendedEntry]:
        """The steps whose result differs from before."""
        return [step for step in self.steps if step.is_other]

    def line_with(self, edit: Edit) -> str:
        """Return the command with one more edit, which replaces an earlier edit of that entry."""
        others = (each for each in self.edits if each.before or each.seq != edit.seq)
        return amend_line(sorted([*others, edit], key=lambda each: each.seq))


def _called(step: AmendedEntry) -> str:
    if step.decision is not None:
        return step.decision.text
    return f"{step.old.title if step.old else step.command} struck out"


def amend_line(edits: Iterable[Edit]) -> str:
    """Write the command for some edits: `amend 12 strike ghoul-1 strong 5; 15 out`."""
    return f"{AMEND} {'; '.join(map(str, edits))}"


def read_edits(history: History, line: str) -> list[Edit] | None:
    """Parse a line such as `amend 12 strike ghoul-1 strong 5; 15 out`; None for other commands.

    Raises Refused for an entry that is not part of the current fight.
    """
    name, _, rest = line.strip().partition(" ")
    if name.casefold() != AMEND:
        return None
    refuse_lone_quote(rest)
    return [_edit(part[0], history) for part in _EDIT.finditer(rest)] or [_edit("", history)]


def _edit(text: str, history: History) -> Edit:
    """One change: `12 strike ghoul-1 strong 5`, the command in quotes or not."""
    words = tokenize(text)
    cursor = TokenStream(words, history.state, SESSION_COMMANDS[AMEND].usage)
    before = cursor.take(BEFORE) == BEFORE
    seq = cursor.number("an entry number", 0, LAST_SEQ)
    if not before and cursor.take(INSERT):
        seq, before = _entry_behind(history, seq), True
    if not seq or not history.is_effective(seq):
        raise Refused(f"entry {seq} is not part of the current fight: `goto {seq}` shows it")
    first = cursor.next("the new command, or `out`", [OUT])
    cursor.back()
    if len(words) == cursor.at + 1 and (first.quoted or first == OUT):
        return Edit(seq, str(first) if first.quoted or before else "", before)
    return Edit(seq, join_tokens(words[cursor.at :]), before)


def _entry_behind(history: History, seq: int) -> int:
    """The entry after `seq`, the first for 0: a command is inserted before it. Raises Refused if
    there is none.
    """
    if seq and not history.is_effective(seq):
        return seq
    following = next((each for each in history.path if each > seq), None)
    if following is None:
        raise Refused("that is the last entry: just give the command")
    return following


def amend(
    history: History,
    ruleset: Ruleset,
    edits: Sequence[Edit],
    dice: DiceSource,
    other_logs: OtherLogs = NOWHERE,
    seen: Amendment | None = None,
) -> Amendment:
    """Decide all entries after a change of the past again, without carrying it out.

    New dice fall as they did in `seen`, an earlier preview of the amendment. Raises Refused when
    the command of an edit can't be done; a later command that can't be done becomes a step with the
    reason.
    """
    first = min(edit.seq for edit in edits)
    parent = history.parents[first]
    recorded = {step.whose: step.new for step in seen.steps} if seen is not None else {}
    anew = _AmendedPast(
        ruleset, dice, other_logs, recorded, history.states[parent], history.previous_of(first)
    )
    for old, command, is_said in _commands(history, first, edits):
        if old is not None:
            anew.pass_turns_like(history.states[history.parents[old.seq]])
        anew.give(old, command, is_said)
    return Amendment(tuple(edits), history.head, parent, tuple(anew.steps), anew.state)


class _AmendedPast(Struct):
    """The amended past decided so far: the steps, the fight after them, the last entry.

    `recorded` are the new dice of an earlier preview, by the key of their step.
    """

    ruleset: Ruleset
    dice: DiceSource
    other_logs: OtherLogs
    recorded: Mapping[Whose, tuple[RecordedDie, ...]]
    state: Encounter
    previous: EarlierEntry | None
    steps: list[AmendedEntry] = []

    def give(self, old: Entry | None, command: str, is_said: bool) -> None:
        """Decide the next command. Raises Refused for one of the edits' own that can't be done."""
        step = AmendedEntry(old, command, self.state, self.previous)
        step = step if is_said else _naming_actor(step, self.ruleset)
        unchanged = None if is_said else _kept_as_logged(step)
        new = RecordedDice(self.recorded.get(step.whose, ()), self.dice)
        step = unchanged or _decided(step, self.ruleset, new, self.other_logs)
        if step.refused and is_said:
            raise Refused(step.refused)
        if not is_said:
            step = _dropped_if_another_is_up(step)
        self.steps.append(step)
        if step.decision is not None:
            entry = build_entry(step, len(self.steps))
            self.previous = _earlier_entry(entry, self.state, self.previous)
            self.state = step.decision.state

    def pass_turns_like(self, there: Encounter) -> None:
        """End turns of those who had none in the old past, such as the dead: nobody knows what they
        would have done. `there` is the fight of the old past at that point.
        """
        for _ in there.slots:
            before = self.state
            if not _is_extra_turn(before, there):
                return
            self.give(None, "next", is_said=False)
            if self.state is before:  # it can't be ended, and what follows says why
                return


def _is_extra_turn(state: Encounter, there: Encounter) -> bool:
    """True if the combatant whose turn it is was out of the fight or absent in the old past,
    `there`.

    And only while the combatant whose turn it was then still waits for theirs.
    """
    waits, up = state.find(there.turn), there.find(state.turn)
    if not state.in_combat or not state.turn or state.takes_turn(there.turn):
        return False
    return waits is not None and not waits.is_out and (up is None or up.is_out)


def _commands(
    history: History, first: int, edits: Sequence[Edit]
) -> Iterator[tuple[Entry | None, str, bool]]:
    """Yield every entry from `first` on, its new command, and True if an edit gave it."""
    instead = {edit.seq: edit.command for edit in edits if not edit.before}
    for seq in history.path[history.path.index(first) :]:
        entry = history.entries[seq]
        for edit in edits:
            if edit.before and edit.seq == seq:
                yield None, edit.command, True
        yield entry, instead.get(seq, entry.command), seq in instead


def _naming_actor(step: AmendedEntry, ruleset: Ruleset) -> AmendedEntry:
    """Add `by NAME` to a later command of a group's turn that named no actor.

    Otherwise a member whom the amendment keeps alive could act in place of the one who did.
    """
    old, state = step.old, step.before
    if old is None or old.by == state.turn or not state.takes_turn(old.by):
        return step
    command = commands_of(ruleset).get(command_name(old, ruleset))
    if command is None or not command.acts or "by" in tokenize(step.command):
        return step
    return replace(step, command=f"{step.command} by {old.by}")


def _decided(
    step: AmendedEntry, ruleset: Ruleset, new: DiceSource, other_logs: OtherLogs
) -> AmendedEntry:
    """Decide a step with the dice that fell for it, and `new` ones."""
    if not step.command:
        return step
    recorded = kept_dice(step, new)
    try:
        decision = decide_step(step, step.command, ruleset, recorded, other_logs)
    except Refused as refusal:
        return replace(step, refused=str(refusal))
    return replace(step, decision=decision, new=tuple(recorded.new), left=tuple(recorded.left))


def kept_dice(step: AmendedEntry, new: DiceSource) -> RecordedDice:
    """Return the dice of a step's old entry, and `new` ones for rolls that it didn't have."""
    return RecordedDice(recorded_dice(step.old.events) if step.old is not None else (), new)


def decide_step(
    step: AmendedEntry, command: str, ruleset: Ruleset, dice: DiceSource, other_logs: OtherLogs
) -> Decision:
    """Decide a command at a step of the amended past. Raises Refused."""
    return decide(step.before, command, ruleset, dice, step.previous, other_logs=other_logs)


def _kept_as_logged(step: AmendedEntry) -> AmendedEntry | None:
    """Keep the events of a later entry that added somebody or imported another log.

    The bestiary or ledger that it read may have changed since. None for any other entry, and where
    somebody has that id by now.
    """
    old, state = step.old, step.before
    if old is None or not any(isinstance(event, Added | LedgerImported) for event in old.events):
        return None
    joined = [event.who for event in old.events if isinstance(event, Added)]
    if any(state.find(combatant_id) is not None for combatant_id in joined):
        return None
    there = evolve_all(state, old.events)
    decision = Decision(old.command, old.verb, old.by, old.text, old.events, state, there)
    return replace(step, decision=decision)


def _dropped_if_another_is_up(step: AmendedEntry) -> AmendedEntry:
    """Leave a later command out where another combatant than in the log would do it now."""
    old, decision = step.old, step.decision
    if old is None or decision is None:
        return step
    combatant_id, was = _actor_of(decision), _actor_of(old)
    if combatant_id == was or (
        not decision.by and was in [slot.who for slot in turn_unit(step.before, combatant_id)]
    ):
        return step
    text = f"it is {step.before.name(combatant_id)}'s turn, not {step.before.name(was)}'s"
    return replace(step, decision=None, refused=text)


def _actor_of(given: Entry | Decision) -> str:
    """The id of the actor, or of the first whose turn the entry ended; empty for nobody."""
    ended = (e.who for e in given.events if isinstance(e, TurnEnded) and not e.passed)
    return given.by or next(ended, "")


def _earlier_entry(entry: Entry, before: Encounter, earlier: EarlierEntry | None) -> EarlierEntry:
    return EarlierEntry(entry, before, lambda: earlier)


def build_entry(step: AmendedEntry, seq: int) -> Entry:
    """Return the entry to be written for a step, with the time of the old entry."""
    assert step.decision is not None
    return step.decision.entry(seq, step.old.at if step.old is not None else None)
