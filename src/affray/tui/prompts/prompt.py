"""The prompt: slots in a row, fed key by key, and the command line that comes of them."""

from __future__ import annotations

from msgspec.structs import replace

from affray.core.language.asks import NOTED, OWN, Ask
from affray.tui.prompts.before_roll import (
    added_in_words,
    leaning_in_words,
)
from affray.tui.prompts.die import DieSlot
from affray.tui.prompts.heard import HeardSlot
from affray.tui.prompts.kinds import slot_for
from affray.tui.prompts.noted import Noted, noted, spec_of_noted
from affray.tui.prompts.outcome import OutcomeSlot
from affray.tui.prompts.own import OwnSlot
from affray.tui.prompts.people import Named, PeopleSlot
from affray.tui.prompts.person import PersonSlot
from affray.tui.prompts.picking import PickSlot
from affray.tui.prompts.row import ANY_ROOM, Piece, row_of
from affray.tui.prompts.slot import ACTOR, Fed, Slot, line_of
from affray.tui.prompts.spec import PromptSpec
from affray.tui.prompts.step import Step
from affray.tui.prompts.text import LineSlot, TextSlot
from affray.tui.prompts.view import PromptView
from affray.tui.prompts.who import WhoSlot

WHAT_IT_DOES = (OWN, "spell")
"""The kinds of asks of whose answers it hangs what else a prompt wants to know."""


class Prompt:
    """A command in the making. `trouble` says why the last key could not be taken.

    `barred` says why it can't come to anything: it asks for nothing then, and any key that it is
    given leaves it and does what it always does.
    """

    def __init__(self, spec: PromptSpec, view: PromptView, barred: str = "") -> None:
        self.spec = spec
        self.view = view
        self.trouble = ""
        names_actor = spec.acts and view.actor and view.actor != view.state.turn
        self._by = f" {ACTOR} {view.actor}" if names_actor else ""
        self.slots: list[Slot] = []
        self._own = 0  # so many slots are of its own asks, those behind them of what was noted
        self._noted = Noted()
        self._went_on = False  # whether the last key ended an answer, and it went on by itself
        self._asked_for_one = ""  # the line of which it was said last that it has one die for two
        self._needed: list[Slot] = []  # what could be left out, but not after what was answered
        for ask in spec.asks:
            if ask.kind != NOTED:
                self._add(ask, spec, view)
        self._own = len(self.slots)
        self.take_noted()
        self.barred = barred or self._nobody()
        self.at = self._next_from(-1)
        self._went_on = self._own_slot is not None and self._own_slot.preset

    def _add(self, ask: Ask, spec: PromptSpec, view: PromptView) -> None:
        slot = slot_for(ask, spec, view, self.slots)
        slot.command, slot.by, slot.row = self.spec.command, self._by, self.slots
        self.slots.append(slot)

    @property
    def _own_slot(self) -> OwnSlot | None:
        """The slot for the actor's own, where that is asked for."""
        return next((s for s in self.slots if isinstance(s, OwnSlot) and s.applies()), None)

    def _nobody(self) -> str:
        """What is said when the only ones who come into question are not there."""
        own = self._own_slot
        if own is not None and own.none_at_all:
            return self.spec.rule.nobody or own.none_at_all
        first = next((s for s in self.slots if isinstance(s, PersonSlot)), None)
        if first is None or first.ask.kind != "person" or first.candidates:
            return ""
        return self.spec.rule.nobody or f"nobody is {first.what}"

    def take_noted(self) -> None:
        """Ask what the technique asks that is noted on the one who was chosen, for them.

        What somebody does in another's turn is likely at whose turn it is, which needs no asking.
        """
        if all(ask.kind != NOTED for ask in self.spec.asks):
            return
        found = noted(self.slots, self.view)
        if found == self._noted:
            return
        self._noted = found
        del self.slots[self._own :]
        spec = spec_of_noted(found, self.spec, self.view)
        if spec is None:
            return
        for ask in spec.asks:
            self._add(ask, spec, replace(self.view, actor=found.who))
        for slot in self.slots[self._own :]:
            if found.reacts and isinstance(slot, PersonSlot) and slot.pick == self.view.state.turn:
                slot.given = True

    @property
    def label(self) -> str:
        """What the row begins with."""
        return self.spec.label

    @property
    def asked_of_rules(self) -> tuple[str, ...]:
        """What is looked up while it is open, the nearest first: what is picked, what it does."""
        picked = self.slot.shown if isinstance(self.slot, PickSlot) else ""
        return tuple(filter(None, (picked, self.label)))

    @property
    def instant(self) -> bool:
        """Whether nothing is asked for at all."""
        return self.at < 0 and not self.barred

    @property
    def ended_early(self) -> bool:
        """Whether it came to its end by what was picked first, such as a power, although more could
        have been asked behind that."""
        known = (s for s in self.slots if s.ask.kind in WHAT_IT_DOES and s.applies())
        picked, slot = next(known, None), self.slot
        if picked is None:
            return False
        behind = self._after(self.slots.index(picked))
        only_picked = slot in (None, picked) or (
            slot is not None and self.at == self._next_from(-1) and not slot.touched
        )
        return only_picked and not all(isinstance(each, HeardSlot) for each in behind)

    @property
    def slot(self) -> Slot | None:
        """The slot that is asked for now."""
        return self.slots[self.at] if self.at >= 0 and not self.barred else None

    # -- keys --------------------------------------------------------------------------------------

    def feed(self, key: str) -> Step:
        """Take one key: a character, or a name such as `space`, `enter`, `backspace` or `up`."""
        self.trouble = ""
        slot = self.slot
        if key == "escape":
            return Step.LEFT
        if self.barred:
            return Step.LEFT if key in ("enter", "backspace") else Step.PASSED
        went_on, self._went_on = self._went_on, False
        if key == "enter" and went_on and self._is_taken_for_granted(slot):
            return Step.OPEN
        asked, self._asked_for_one = self._asked_for_one, ""
        if slot is None or key == "enter":
            return self._enter(asked)
        if went_on and key in ("space", "tab") and not slot.takes_space:
            return Step.OPEN  # it has gone on already
        if any(s.hears(key) for s in self._listening(slot)):
            return Step.OPEN
        answers = not self._goes_about(slot, key)
        if answers:
            self._answer(slot, key)
        self.take_noted()
        for each in self.slots[self.at + 1 :]:
            if isinstance(each, PersonSlot) and each.ask.kind == "ally":
                each.offer_anew()
        return Step.FINISHED if answers and self._has_missed else Step.OPEN

    def _is_taken_for_granted(self, slot: Slot | None) -> bool:
        """Whether the first enter only says yes to the one thing of the actor's own that there is:
        whom it is at is still asked, and it is not used up without."""
        own = self._own_slot
        is_first = slot is not None and slot.ask.asked and self.at == self._next_from(-1)
        return is_first and own is not None and own.preset

    def _goes_about(self, slot: Slot, key: str) -> bool:
        """Take a key that takes back, completes, or goes to another answer; False for others."""
        slot.trouble = ""
        if key == "backspace":
            self._back(slot)
        elif key == "ctrl+u" and not isinstance(slot, LineSlot):
            slot.clear()
        elif key == "tab" and isinstance(slot, LineSlot):
            slot.finish_word()
            self.trouble = slot.trouble
        elif key == "tab" and self.whom is not None:
            self.whom.go_on()
        elif key in ("tab", "right") or (key == "space" and not slot.takes_space):
            self._go_on(slot)
        elif key in ("shift+tab", "left"):
            self._back_to_earlier()
        else:
            return False
        return True

    def _listening(self, slot: Slot) -> list[Slot]:
        """The slots that take a key while this one is asked for: once it is said whom it is at."""
        if slot.takes_space:
            return []
        row = self.slots if slot.candidates else self.slots[: self.at]
        return [each for each in row if each.applies()]

    def choose(self, who: str) -> None:
        """A combatant was pointed at: the slot that asks who it is takes them."""
        slot = self.slot
        if slot is not None and slot.candidates:
            slot.trouble = ""
            slot.choose(who)
            self.trouble = slot.trouble
            self.take_noted()

    def paste(self, text: str) -> None:
        """Text was pasted: only a slot for words takes it."""
        if isinstance(self.slot, TextSlot):
            self.slot.paste(text)

    @property
    def whom(self) -> PersonSlot | None:
        """Whom it is for unasked, as long as nothing is answered: tab goes on to somebody else."""
        slot = self.slot
        if slot is None or slot.touched or self.at != self._next_from(-1):
            return None
        found = next((s for s in self.slots[: self.at] if isinstance(s, PersonSlot)), None)
        return found if found is not None and found.preset and len(found.candidates) > 1 else None

    @property
    def tab(self) -> str:
        """What tab does now, in two words; empty for nothing."""
        if isinstance(self.slot, LineSlot):
            return "complete"
        if self.whom is not None:
            return "somebody else"
        return "next" if self._next_from(self.at, asides=True) >= 0 else ""

    def _enter(self, asked: str = "") -> Step:
        """Give the command, or go on to what is missing; `asked` is the line of which an enter has
        said already that one die stands for two."""
        slot = self.slot
        if slot is not None:
            if slot.missing:
                self.trouble = slot.missing
                return Step.OPEN
            self._accept(slot)
        for later in self._after(self.at):
            if not _leads(later):
                self.at = self.slots.index(later)
                return Step.OPEN
            later.accept()
        return Step.OPEN if self._ask_for_lacking() or self._ask_for_die(asked) else Step.FINISHED

    def _ask_for_die(self, asked: str) -> bool:
        """Say once that a roll with advantage or disadvantage has one die alone."""
        rolls = [s for s in self.slots if isinstance(s, DieSlot) and s.applies()]
        self.trouble = next(filter(None, (roll.lone_die for roll in rolls)), "")
        if not self.trouble or asked == self.line:
            self.trouble = ""
            return False
        self._asked_for_one = self.line
        return True

    @property
    def before_roll(self) -> str:
        """What speaks for and against the roll that is asked for, or was answered; and with it, or
        in a game without advantage, what is added, as long as nothing is answered."""
        roll, tables = self._roll_slot, self.view.ruleset.tables
        made = roll.foreseen if roll is not None else None
        if roll is None or made is None:
            return ""
        told = [leaning_in_words(made, tables)]
        if roll is self.slot and not roll.touched and (any(told) or not tables.leans):
            told.append(added_in_words(made))
        return " · ".join(filter(None, told))

    @property
    def added(self) -> str:
        """What is added to the die that is asked for."""
        roll = self._roll_slot
        made = roll.foreseen if roll is self.slot and roll is not None else None
        return added_in_words(made) if made is not None and not self.slots[self.at].touched else ""

    @property
    def _roll_slot(self) -> DieSlot | None:
        """The last roll as far as the prompt has come."""
        rolls = [s for s in self.slots[: self.at + 1] if isinstance(s, DieSlot) and s.applies()]
        return rolls[-1] if rolls else None

    def _accept(self, slot: Slot) -> None:
        if isinstance(slot, TextSlot):
            slot.hand_on(self._after(self.at))
        slot.accept()

    @property
    def _has_missed(self) -> bool:
        """Whether a roll was called out that misses, and with it all is said that must be."""
        slot = self.slot
        return isinstance(slot, OutcomeSlot) and slot.misses and self.complete

    def _ask_for_lacking(self) -> bool:
        """Go to what could be left out, and is not there, when the command can't do without it."""
        lacking = self._lacking
        if lacking is None:
            return False
        if lacking is self.slot:
            self.trouble = f"{lacking.label}: {lacking.wants}"
        self.at = self.slots.index(lacking)
        lacking.need(True)
        self._needed.append(lacking)
        return True

    @property
    def _lacking(self) -> Slot | None:
        left = (s for s in self.slots[max(self.at, 0) :] if s.applies() and not s.aside)
        slot = next((s for s in left if s.ask.optional and not s.answer), None)
        return slot if slot is not None and self.view.lacks(self.line) else None

    @property
    def ahead(self) -> str:
        """What is said when the command can't do without what could be left out; mostly nothing."""
        lacking = self._lacking if self._whole else None
        if lacking is None:
            return ""
        return lacking.wants if lacking is self.slot else f"enter goes on to the {lacking.label}"

    def _go_on(self, slot: Slot) -> None:
        if slot.missing:
            self.trouble = slot.missing
            return
        self._accept(slot)
        following = self._next_from(self.at, asides=True)
        if following >= 0:
            self.at = following
        else:
            self.trouble = "nothing more is asked: enter does it"

    def _answer(self, slot: Slot, key: str) -> None:
        slot.trouble = ""
        touched = slot.touched
        if slot.repeated and key.isdecimal() and not slot.takes_space:
            slot.clear()
        fed = slot.feed(key)
        slot.repeated = slot.repeated and fed is Fed.PASS
        if fed is Fed.NEXT:
            self.take_noted()
            following = self._next_from(self.at)
            self._went_on = isinstance(slot, PersonSlot) and following >= 0
            self.at = following if following >= 0 else self.at
        elif fed is Fed.PASS:
            self._pass_on(key, touched)
        elif fed is Fed.REFUSED and not slot.begins_name(key):
            self.trouble = self._no_answer(slot, key)

    def _pass_on(self, key: str, touched: bool) -> None:
        """Have the next slot take the key; where nothing takes it, the untouched one says why."""
        here = self.at
        following = self._next_from(here)
        if following < 0:
            slot = self.slots[here]
            if not slot.falls_back(key) and not slot.begins_name(key):
                self.trouble = self._no_answer(self.slots[here], key)
            return
        self.at = following
        later = self.slots[following]
        shown = later.shown
        self._answer(later, key)
        if not self.trouble:
            return
        stands_there = later.shown != shown  # letters that fit nothing, to be taken back
        if self.slots[here].falls_back(key):
            self.at, self.trouble = here, ""
            if stands_there:
                later.erase()
        elif not stands_there:
            self.at = here
            if self.slots[here].begins_name(key):
                self.trouble = ""
            elif not touched:
                self.trouble = self._no_answer(self.slots[here], key, later)

    def _no_answer(self, slot: Slot, key: str, following: Slot | None = None) -> str:
        """Why a key can't be taken by a slot, nor by the one that it was passed on to."""
        wants = [slot.wants, following.wants] if following is not None else [slot.wants]
        return slot.trouble or f"{key} is no answer: {'; or '.join(wants)}; esc leaves"

    def _back(self, slot: Slot) -> None:
        if slot.erase():
            slot.repeated = False  # what is left of it is gone on with
        else:
            self._back_to_earlier()

    def _back_to_earlier(self) -> None:
        for slot in self._needed:
            slot.need(False)
        self._needed = []
        for index in range(self.at - 1, -1, -1):
            slot = self.slots[index]
            if slot.applies() and slot.can_be_gone_to:
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
        return line_of(self.spec.command, self.slots) + self._by

    @property
    def complete(self) -> bool:
        """Whether an enter would finish it."""
        return self._whole and self._lacking is None

    @property
    def _whole(self) -> bool:
        slot = self.slot
        if self.barred:
            return False
        here = slot is None or not slot.missing
        return here and all(_leads(later) for later in self._after(self.at))

    @property
    def target(self) -> str:
        """The id of the target that was chosen, the first of several; empty when there is none."""
        aimed = (s for s in self.slots if isinstance(s, WhoSlot) and s.at_foes)
        return next((s.answer.partition(",")[0] for s in aimed), "")

    @property
    def person(self) -> str:
        """The id of the first who was chosen alone; empty when nobody is asked for so."""
        return next((s.answer for s in self.slots if isinstance(s, PersonSlot)), "")

    @property
    def candidates(self) -> dict[str, int]:
        """Who could be answered now, with their numbers; empty where nobody is asked for."""
        return self.slot.candidates if self.slot is not None else {}

    def name_people(self, named: Named) -> None:
        """Answer who it is done to, and go on from there."""
        slot = next((s for s in self.slots if isinstance(s, PeopleSlot)), None)
        if slot is not None:
            slot.name_people(named)
            self.at = max(self._next_from(self.slots.index(slot)), 0)

    def pieces(self, room: int = ANY_ROOM) -> list[Piece]:
        """The row to show, for so many cells."""
        if self.barred:
            hint = Piece("keys act again after esc or a pause", "hint")
            return [Piece(self.spec.label, "label"), Piece(self.barred, "refused"), hint]
        return row_of(self.label, self.slots, self.at, room)


def _leads(slot: Slot) -> bool:
    """Whether an enter before it leaves it as it is: what was read from a command is answered."""
    return slot.leads or (slot.repeated and not slot.missing)
