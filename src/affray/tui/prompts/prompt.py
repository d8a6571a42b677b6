"""The prompt: slots in a row, fed key by key, and the command line that comes of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from typing import Literal

from affray.tui.prompts.effects import (
    AgainSlot,
    DamageTypeSlot,
    EffectKindSlot,
    OwnEffectSlot,
    TechniqueSlot,
    TrackSlot,
    VerbSlot,
)
from affray.tui.prompts.people import PeopleSlot, PersonSlot
from affray.tui.prompts.plain import (
    ChoiceSlot,
    DiceSlot,
    LineSlot,
    NumberSlot,
    SureSlot,
    TextSlot,
    WordSlot,
)
from affray.tui.prompts.rolls import D20Slot, DamageSlot, OutcomeSlot
from affray.tui.prompts.slot import Fed, Offer, Slot
from affray.tui.prompts.spec import Ask, PromptSpec
from affray.tui.prompts.view import View

_SLOTS: dict[str, type[Slot]] = {
    "word": WordSlot,
    "target": PersonSlot,
    "ally": PersonSlot,
    "self": PersonSlot,
    "anyone": PersonSlot,
    "dying": PersonSlot,
    "targets": PeopleSlot,
    "outcome": OutcomeSlot,
    "save": OutcomeSlot,
    "d20": D20Slot,
    "damage": DamageSlot,
    "damage-type": DamageTypeSlot,
    "number": NumberSlot,
    "dice": DiceSlot,
    "text": TextSlot,
    "spell": TextSlot,
    "item": TextSlot,
    "trigger": TextSlot,
    "line": LineSlot,
    "choice": ChoiceSlot,
    "sure": SureSlot,
    "again": AgainSlot,
    "verb": VerbSlot,
    "effect": OwnEffectSlot,
    "track": TrackSlot,
    "technique": TechniqueSlot,
}


class Step(Enum):
    """Where a prompt stands after a key."""

    OPEN = auto()
    FINISHED = auto()
    LEFT = auto()


@dataclass(frozen=True)
class Piece:
    """A piece of the prompt's row, and what it is, so that it can be drawn."""

    text: str
    role: Literal["label", "done", "now", "blank", "key", "offer", "picked", "hint", "later"]


class Prompt:
    """A command in the making. `trouble` says why the last key could not be taken."""

    def __init__(self, spec: PromptSpec, view: View) -> None:
        self.spec = spec
        self.view = view
        self.trouble = ""
        self.slots: list[Slot] = []
        for ask in spec.asks:
            slot = _slot(ask, spec, view, self.slots)
            if isinstance(slot, LineSlot):
                slot.so_far = partial(self._before, len(self.slots))
            self.slots.append(slot)
        self.at = self._next_from(-1)

    @property
    def instant(self) -> bool:
        """Whether nothing is asked for at all."""
        return self.at < 0

    @property
    def slot(self) -> Slot | None:
        """The slot that is asked for now."""
        return self.slots[self.at] if self.at >= 0 else None

    # -- keys --------------------------------------------------------------------------------------

    def feed(self, key: str) -> Step:
        """Take one key: a character, or a name such as `space`, `enter`, `backspace` or `up`."""
        self.trouble = ""
        slot = self.slot
        if key == "escape":
            return Step.LEFT
        if slot is None or key == "enter":
            return self._enter()
        if key == "backspace":
            self._back()
        elif key == "tab" and isinstance(slot, LineSlot):
            slot.finish_word()
        elif key in ("tab", "right") or (key == "space" and not slot.takes_space):
            self._go_on(slot)
        elif key in ("shift+tab", "left"):
            self._back_to_earlier()
        else:
            self._answer(slot, key)
        return Step.OPEN

    def choose(self, who: str) -> None:
        """A combatant was pointed at: the slot for one takes them."""
        slot = self.slot
        if isinstance(slot, PersonSlot | PeopleSlot):
            slot.choose(who)

    def _enter(self) -> Step:
        slot = self.slot
        if slot is not None:
            if slot.missing:
                self.trouble = slot.missing
                return Step.OPEN
            slot.accept()
        for later in self._after(self.at):
            if not later.leads:
                self.at = self.slots.index(later)
                return Step.OPEN
            later.accept()
        return Step.FINISHED

    def _go_on(self, slot: Slot) -> None:
        if slot.missing:
            self.trouble = slot.missing
            return
        slot.accept()
        following = self._next_from(self.at, asides=True)
        if following >= 0:
            self.at = following

    def _answer(self, slot: Slot, key: str) -> None:
        fed = slot.feed(key)
        if fed is Fed.NEXT:
            following = self._next_from(self.at)
            self.at = following if following >= 0 else self.at
        elif fed is Fed.PASS:
            self._pass_on(key)
        elif fed is Fed.REFUSED:
            self.trouble = self._no_answer(slot, key)

    def _pass_on(self, key: str) -> None:
        here = self.at
        following = self._next_from(here)
        if following < 0:
            self.trouble = self._no_answer(self.slots[here], key)
            return
        self.at = following
        self._answer(self.slots[following], key)
        if self.trouble:
            self.at = here

    def _no_answer(self, slot: Slot, key: str) -> str:
        offers = ", ".join(f"{o.key} {o.label}" for o in slot.offers()[:9] if o.key)
        return f"{key} is no answer to: {slot.label}" + (f" ({offers})" if offers else "")

    def _back(self) -> None:
        slot = self.slot
        if slot is not None and not slot.erase():
            self._back_to_earlier()

    def _back_to_earlier(self) -> None:
        for index in range(self.at - 1, -1, -1):
            slot = self.slots[index]
            if slot.applies() and type(slot) is not WordSlot:
                self.at = index
                return

    def _after(self, at: int) -> list[Slot]:
        return [slot for slot in self.slots[at + 1 :] if slot.applies()]

    def _next_from(self, at: int, asides: bool = False) -> int:
        """The next slot that is to be asked for; -1 when there is none."""
        for index in range(at + 1, len(self.slots)):
            slot = self.slots[index]
            if slot.applies() and not slot.preset and (asides or not slot.aside or at < 0):
                return index
        return -1

    # -- what comes of it --------------------------------------------------------------------------

    @property
    def line(self) -> str:
        """The command as it stands so far."""
        parts = [self._before(len(self.slots))]
        actor = self.view.actor
        if self.spec.acts and actor and actor != self.view.state.turn:
            parts.append(f"by {actor}")
        return " ".join(part for part in parts if part)

    def _before(self, end: int) -> str:
        """The line as far as the slots before that one make it."""
        asked = [slot for slot in self.slots[:end] if slot.applies()]
        verb = next((slot.stands_in for slot in asked if slot.stands_in), self.spec.command)
        parts = [verb, *(slot.words for slot in asked), *(slot.tail for slot in asked)]
        return " ".join(part for part in parts if part)

    @property
    def complete(self) -> bool:
        """Whether an enter would finish it."""
        slot = self.slot
        here = slot is None or not slot.missing
        return here and all(later.leads for later in self._after(self.at))

    @property
    def target(self) -> str:
        """The id of the target that was chosen; empty when there is none."""
        return next((s.answer for s in self.slots if s.ask.kind == "target"), "")

    @property
    def wants_people(self) -> bool:
        """Whether the slot asked for now is answered by a number on the list."""
        return isinstance(self.slot, PersonSlot | PeopleSlot)

    def pieces(self) -> list[Piece]:
        """The row to show: label, what is filled, what is asked for now with its answers."""
        row = [Piece(self.spec.label, "label")]
        for index, slot in enumerate(self.slots):
            if not slot.applies():
                continue
            if index == self.at:
                row += _asked_now(slot)
            elif index < self.at or slot.preset:
                row.append(Piece(_filled(slot), "done"))
            elif not slot.ask.optional:
                row.append(Piece(slot.label, "later"))
        return [piece for piece in row if piece.text]


def _slot(ask: Ask, spec: PromptSpec, view: View, earlier: list[Slot]) -> Slot:
    if ask.kind == "target" and spec.technique and spec.targets == "allies":
        ask = Ask("ally", ask.options, ask.optional, ask.before, ask.after, ask.only_if)
    made = _SLOTS.get(ask.kind)
    if made is None:
        kinds = {rule.kind for rule in view.ruleset.tables.effects.values()}
        # What is neither known nor a kind of effect is an amount of something: a track's, a bond's.
        made = EffectKindSlot if ask.kind in kinds else NumberSlot
    return made(ask, view, earlier)


def _filled(slot: Slot) -> str:
    if not slot.shown:
        return ""
    return " ".join(part for part in (slot.ask.before, slot.shown, slot.ask.after) if part)


def _asked_now(slot: Slot) -> list[Piece]:
    shown = slot.shown
    optional = " (if any)" if slot.ask.optional else ""
    row = [Piece(shown, "now") if shown else Piece(f"{slot.label}{optional}", "blank")]
    for offer in slot.offers():
        row += _offered(offer)
    return [*row, Piece(slot.hint, "hint")]


def _offered(offer: Offer) -> list[Piece]:
    return [Piece(offer.key, "key"), Piece(offer.label, "picked" if offer.picked else "offer")]
