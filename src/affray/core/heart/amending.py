"""The past amended: one entry's command changed, and everything behind it decided anew.

Dice that fell stay with their rolls; new ones fall only where a roll is new. What becomes of each
later command can be looked at first, and another command given in its place, or none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from affray.core.commands.session_verbs import SESSION_VERBS
from affray.core.dice.sources import DiceSource, KeptDice, kinds_and_faces
from affray.core.heart.carrying import NOWHERE, Elsewhere
from affray.core.heart.decide import Decision, decide
from affray.core.heart.events import Added, Carried, Rolled, TurnEnded
from affray.core.heart.evolve import evolve_all
from affray.core.heart.history import AMEND, LAST_SEQ, Entry, History, Previous
from affray.core.heart.state import Encounter
from affray.core.language.refusal import Refused
from affray.core.language.words import Words, as_said, split_words
from affray.core.rules.ruleset import Ruleset

OUT, BEFORE = "out", "before"
_EDIT = re.compile(r'(?:"[^"]*"|[^;"])+')


class Edit(NamedTuple):
    """A change of the past: the command that entry `seq` is to have, or, `before` it, one that is
    put in; empty to strike it out."""

    seq: int
    command: str
    before: bool = False

    def __str__(self) -> str:
        said = self.command or OUT
        if ";" in said and '"' not in said:
            said = f'"{said}"'
        return f"{f'{BEFORE} ' if self.before else ''}{self.seq} {said}"


class Step(Struct, frozen=True):
    """A command as it is decided in the amended past.

    old      the entry that it was; None for one that is put in
    command  the command as it is given now; empty for one that is struck out
    made     what comes of it; None when nothing does
    refused  why it can't be done any more
    new      so many dice had to be rolled for it
    left     sides and faces of the dice that no roll of it has taken
    """

    old: Entry | None
    command: str
    made: Decision | None = None
    refused: str = ""
    new: int = 0
    left: tuple[tuple[int, int], ...] = ()

    @property
    def is_other(self) -> bool:
        """Whether it doesn't come to what it came to before."""
        return self.old is None or self.made is None or self.made.events != self.old.events


class Amendment(Struct, frozen=True):
    """What amending comes to, nothing having been done yet.

    edits   the changes that were asked for
    parent  the entry behind which the past is another one
    steps   every command from there on
    state   the fight as it then stands
    """

    edits: tuple[Edit, ...]
    parent: int
    steps: tuple[Step, ...]
    state: Encounter

    @property
    def line(self) -> str:
        """The command that does it."""
        return f"{AMEND} {'; '.join(map(str, self.edits))}"

    @property
    def title(self) -> str:
        """How its entry is called: "amend: entry 12, Mira strikes Ghoul 1, strong 5"."""
        said = (f"entry {s.old.seq}, {_called(s)}" if s.old else _called(s) for s in self.steps[:1])
        return f"amend: {next(said, 'nothing')}"

    @property
    def others(self) -> list[Step]:
        """The steps that don't come to what they came to before."""
        return [step for step in self.steps if step.is_other]


def _called(step: Step) -> str:
    if step.made is not None:
        return step.made.text
    return f"{step.old.title if step.old else step.command} struck out"


def read_edits(history: History, line: str) -> list[Edit] | None:
    """The changes that a line asks for: `amend 12 strike ghoul-1 strong 5; 15 out`; None for any
    other line. Raises Refused for what is no entry of the fight as it stands."""
    verb, _, rest = line.strip().partition(" ")
    if verb.casefold() != AMEND:
        return None
    if rest.count('"') % 2:
        split_words(rest)  # which says what is wrong
    return [_edit(part, history) for part in _EDIT.findall(rest) or [""]]


def _edit(said: str, history: History) -> Edit:
    """One change: `12 strike ghoul-1 strong 5`, the command in quotes or not."""
    words = split_words(said)
    cursor = Words(words, history.state, SESSION_VERBS[AMEND].usage)
    before = cursor.take(BEFORE) == BEFORE
    seq = cursor.number("the number of an entry", 1, LAST_SEQ)
    if not history.is_effective(seq):
        raise Refused(f"entry {seq} is none of the fight as it stands: `goto {seq}` shows it")
    first = cursor.next("the command that it is to have, or `out`", [OUT])
    cursor.back()
    if len(words) == cursor.at + 1 and (first.quoted or first == OUT):
        return Edit(seq, str(first) if first.quoted or before else "", before)
    return Edit(seq, as_said(words[cursor.at :]), before)


def amend(
    history: History,
    ruleset: Ruleset,
    edits: Sequence[Edit],
    dice: DiceSource,
    elsewhere: Elsewhere = NOWHERE,
) -> Amendment:
    """What becomes of the fight when its past is changed so; nothing is done.

    Raises Refused when a command of the edits themselves can't be done. Later ones that can't be
    done any more are steps that say why.
    """
    first = min(edit.seq for edit in edits)
    parent = history.parents[first]
    state, previous = history.states[parent], history.previous_of(first)
    steps = []
    for old, command, is_said in _commands(history, first, edits):
        step = None if is_said else _as_it_was(old, state)
        step = step or _decided(old, command, state, previous, ruleset, dice, elsewhere)
        if step.refused and is_said:
            raise Refused(step.refused)
        if not is_said:
            step = _by_the_same(step, state)
        steps.append(step)
        if step.made is not None:
            entry = entry_of(step, len(steps))
            previous = _behind(entry, state, previous)
            state = step.made.state
    return Amendment(tuple(edits), parent, tuple(steps), state)


def _commands(
    history: History, first: int, edits: Sequence[Edit]
) -> Iterator[tuple[Entry | None, str, bool]]:
    """Every entry from the first that is changed on, its command, and whether that is an edit's."""
    instead = {edit.seq: edit.command for edit in edits if not edit.before}
    for seq in history.path[history.path.index(first) :]:
        entry = history.entries[seq]
        for edit in edits:
            if edit.before and edit.seq == seq:
                yield None, edit.command, True
        yield entry, instead.get(seq, entry.command), seq in instead


def _decided(
    old: Entry | None,
    command: str,
    state: Encounter,
    previous: Previous | None,
    ruleset: Ruleset,
    dice: DiceSource,
    elsewhere: Elsewhere,
) -> Step:
    """One command in the amended past."""
    if not command:
        return Step(old, "")
    kept = KeptDice(_fell(old), dice)
    try:
        made = decide(state, command, ruleset, kept, previous, elsewhere=elsewhere)
    except Refused as refusal:
        return Step(old, command, refused=str(refusal))
    return Step(old, command, made, new=kept.new, left=tuple(kept.left))


def _as_it_was(old: Entry | None, state: Encounter) -> Step | None:
    """A later entry that brought somebody in, or what another log had, stays as it was: what it
    went by, the bestiary or the ledger, is another one today. None for any other entry, and where
    somebody has that id by now."""
    if old is None or not any(isinstance(event, Added | Carried) for event in old.events):
        return None
    joined = [event.who for event in old.events if isinstance(event, Added)]
    if any(state.find(who) is not None for who in joined):
        return None
    there = evolve_all(state, old.events)
    made = Decision(old.command, old.verb, old.by, old.text, old.events, state, there)
    return Step(old, old.command, made)


def _by_the_same(step: Step, state: Encounter) -> Step:
    """A later command stays with whoever did it, or whose turn it ended: where somebody else is up
    now, it is left out."""
    old, made = step.old, step.made
    if old is None or made is None:
        return step
    who, was = _whose(made), _whose(old)
    if who == was:
        return step
    return replace(step, made=None, refused=f"{state.name(who)} is up, not {state.name(was)}")


def _whose(given: Entry | Decision) -> str:
    """The id of whoever did it, or whose turn it ended; empty for nobody's."""
    ended = (e.who for e in given.events if isinstance(e, TurnEnded) and not e.passed)
    return given.by or next(ended, "")


def _fell(entry: Entry | None) -> Iterator[tuple[tuple[str, ...], int, int]]:
    """The dice that the app rolled for an entry, each with its roll."""
    for event in entry.events if entry is not None else ():
        if isinstance(event, Rolled) and not event.by_hand:
            for sides, face in kinds_and_faces(event.dice, event.faces):
                yield (event.who, event.for_, event.against), sides, face


def _behind(entry: Entry, before: Encounter, earlier: Previous | None) -> Previous:
    return Previous(entry, before, lambda: earlier)


def entry_of(step: Step, seq: int) -> Entry:
    """The entry that a step is, once it is written: at the time of the one that it was."""
    assert step.made is not None
    return step.made.entry(seq, step.old.at if step.old is not None else None)
