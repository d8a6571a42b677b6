"""The last roll asked again: a prompt that is filled with a command that was given.

The slots are in the order of the command's words, so each reads its own words back. What the app
rolled falls as it fell; anything can be changed before it is given in place of the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from msgspec.structs import replace

from affray.core.heart.amending import Amendment
from affray.core.heart.fallen import fallen
from affray.core.heart.history import Entry
from affray.core.heart.state import Encounter
from affray.core.language.refusal import Refused
from affray.core.language.words import Word, split_words
from affray.tui.prompts.amount import DiceSlot
from affray.tui.prompts.choice import WordSlot
from affray.tui.prompts.damage import DamageSlot
from affray.tui.prompts.die import DieSlot
from affray.tui.prompts.heard import HeardSlot
from affray.tui.prompts.outlook import Decide, foresight
from affray.tui.prompts.people import PeopleSlot
from affray.tui.prompts.person import PersonSlot
from affray.tui.prompts.prompt import Prompt
from affray.tui.prompts.slot import ACTOR, Slot
from affray.tui.prompts.spec import PromptSpec
from affray.tui.prompts.view import PromptView


class Given(NamedTuple):
    """A command that was given, to be asked again.

    entry     as it was given
    before    the fight in which it was
    preview   what a line would come to in its place
    amending  the amendment that it is a step of; None for one that came true
    """

    entry: Entry
    before: Encounter
    preview: Decide
    amending: Amendment | None = None


class Repeat(Prompt):
    """The prompt of a command that was given: its entry is replaced by what comes of it.

    `fell` are the dice that the app rolled for it.
    """

    def __init__(self, spec: PromptSpec, view: PromptView, given: Given) -> None:
        super().__init__(spec, view)
        self.given = given
        self.fell = fallen(given.entry.events)

    @property
    def label(self) -> str:
        """Who gave the command, unless they are up, that it is given again, and what fell.

        Faces of dice that are alike stand behind one another: `d20 16 · d6 5 2`.
        """
        by, state = self.given.entry.by, self.view.state
        whose = f"{state.name(by)}'s " if by and not state.takes_turn(by) else ""
        rows = groupby(self.fell, key=lambda fell: fell.sides)
        dice = (f" · d{sides} {' '.join(str(f.face) for f in row)}" for sides, row in rows)
        return f"{whose}{self.spec.label} again{''.join(dice)}"

    def refill(self, words: Sequence[Word], actor: str) -> bool:
        """Take all answers from the words behind the command's; False where they are no answers.

        It then asks for the roll.
        """
        left = list(words)
        for slot in self.slots:
            left = slot.read_tail(left)
        read = 0
        while read < len(self.slots):  # an answer may bring more slots
            slot = self.slots[read]
            read += 1
            if slot.applies():
                left = [Word(actor), *left] if slot.ask.before == ACTOR else left
                taken = _read(slot, left)
                if not taken and not _can_be_left(slot):
                    return False
                left = left[taken:]
                slot.repeated = True
                self.take_noted()
        rolls = [i for i, s in enumerate(self.slots) if is_roll(s)]
        self.at = rolls[0] if rolls else -1
        return bool(rolls) and not left


def is_roll(slot: Slot) -> bool:
    """Whether dice answer it."""
    return slot.applies() and isinstance(slot, DieSlot | DamageSlot | DiceSlot)


def _read(slot: Slot, words: list[Word]) -> int:
    """How many of the words were the answer, with those that stand around it."""
    before = slot.ask.before.split() if slot.ask.before != ACTOR else []
    after = slot.ask.after.split()
    if words[: len(before)] != before or len(words) == len(before):
        return 0
    taken = slot.read(words[len(before) :])
    end = len(before) + taken
    if not taken:
        return 0
    return end + (len(after) if after and words[end : end + len(after)] == after else 0)


def _can_be_left(slot: Slot) -> bool:
    """Whether the command does without the answer: the app rolls then, for whom it rolls."""
    if slot.ask.optional or isinstance(slot, HeardSlot):
        return True
    slot.accept()
    return not slot.missing and not isinstance(slot, WordSlot | PersonSlot | PeopleSlot)


def asked_again(
    given: Given, specs: Iterable[PromptSpec], view_of: Callable[[PromptSpec], PromptView]
) -> Repeat | None:
    """The prompt of a command that was given, when it was a roll and can be asked; else None."""
    entry, before = given.entry, given.before
    try:
        words = split_words(entry.command)
    except Refused:
        return None
    rest = _without_actor(words)
    for spec in specs:
        verb = spec.command.split()
        if verb and [word.casefold() for word in rest[: len(verb)]] == verb:
            actor, foresee = entry.by or before.turn, foresight(given.preview)
            view = replace(view_of(spec), state=before, actor=actor, foresee=foresee)
            prompt = Repeat(spec, view, given)
            if prompt.refill(rest[len(verb) :], entry.by):
                return prompt
    return None


def _without_actor(words: list[Word]) -> list[Word]:
    """The words without `by NAME`."""
    at = next((i for i, w in enumerate(words) if w == ACTOR and not w.quoted), len(words))
    return words[:at] + words[at + 2 :]
