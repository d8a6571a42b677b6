"""The prompt: fields in a row, answered key by key, and the command that they make."""

from __future__ import annotations

from collections.abc import Sequence

from affray.core.engine.dice_owners import PlayersDie, asks_for
from affray.core.parser.declarations import (
    PromptSpec,
)
from affray.core.parser.prompt_fields import WHAT_IT_DOES
from affray.core.parser.spelling import fold
from affray.tui.prompts import choice_fields
from affray.tui.prompts.asked_fields import AskedFields, is_more
from affray.tui.prompts.choice_fields import LEANS, PickField, WeaponField
from affray.tui.prompts.combatant_fields import (
    CombatantField,
    CombatantFieldBase,
)
from affray.tui.prompts.command_bar import InputState
from affray.tui.prompts.context import PromptContext
from affray.tui.prompts.dice_fields import OutcomeField
from affray.tui.prompts.die_field import DieField
from affray.tui.prompts.field import (
    ANY_ROOM,
    MORE,
    ROLL,
    KeyResult,
    PromptField,
    PromptPart,
    prompt_parts,
)
from affray.tui.prompts.more_field import MoreField
from affray.tui.prompts.preview import added_in_words, how_many_dice, leaning_in_words
from affray.tui.prompts.several_combatants import CombatantsField, NamedCombatants
from affray.tui.prompts.value_fields import (
    CommandTailField,
    TextField,
)


class Prompt(AskedFields):
    """A command in progress. `trouble` says why the last key was refused. `barred` says why the
    command is impossible: then it asks nothing, and any key leaves it and acts as always.
    """

    def __init__(self, spec: PromptSpec, view: PromptContext, barred: str = "") -> None:
        super().__init__(spec, view)
        self.trouble = ""
        self._spaced = False  # whether the last key was a space, behind which tab asks nothing else
        self._went_on = False  # whether the last key ended an answer, and it went on by itself
        self._own_letters = ""  # what was typed of the name of what was picked already
        self._asks_to_roll = False  # whether the last enter asked for dice of players
        self._asked_from = -1  # where it was, if that led back to an earlier field
        self._rolls_rest = False  # whether `r` said that the app rolls these
        self._named = False  # whether the last key was taken for a letter of a name
        self._went_by: list[PromptField] = []  # the fields that passed the last key on
        self._letters = ""  # what was typed while it was open whom it is done to, and went on
        self._open = -1  # the field which that was
        self._needed: list[
            PromptField
        ] = []  # what could be left out, but not after what was answered
        self.barred = ("" if self._may_be_picked else barred) or self._nobody()
        self.at = self._next_from(-1)
        self._went_on = self._own_field is not None and self._own_field.preset

    @property
    def _may_be_picked(self) -> bool:
        """True if the picked option itself decides if it can be used now. Out of turn nobody casts,
        but a power may be meant for that moment."""
        actor = self.view.state.find(self.view.actor)
        is_up = actor is None or actor.life == "up" or self.spec.asks_own
        return is_up and self.spec.is_by_what_is_picked

    def _nobody(self) -> str:
        """The complaint that nobody is there to choose."""
        asked = (s for s in self.fields if isinstance(s, CombatantFieldBase))
        needs_people = self.spec.acts or not all(each.spec.optional for each in asked)
        if needs_people and not self.view.people:
            return "nobody is in the fight yet"
        own = self._own_field
        if own is not None and own.none_at_all:
            return self.spec.rule.nobody or own.none_at_all
        people = (s for s in self.fields if isinstance(s, CombatantField))
        first = next((s for s in people if s.applies()), None)
        only_some = first is not None and (first.spec.kind == "person" or first.spec.legal)
        if first is None or not only_some or first.candidates or first.spec.optional:
            return ""
        return self.spec.rule.nobody or first.nobody

    @property
    def label(self) -> str:
        """The label at the beginning of the row."""
        return self.spec.label

    @property
    def asked_of_rules(self) -> tuple[str, ...]:
        """The words to look up while the prompt is open: the highlighted choice, then the
        command."""
        picked = self.field.shown if isinstance(self.field, PickField) else ""
        return tuple(filter(None, (picked, self.label)))

    @property
    def instant(self) -> bool:
        """True if it asks nothing at all, not even a player's die."""
        return self.at < 0 and not self.barred and not self.unasked

    @property
    def ended_early(self) -> bool:
        """True if the first pick, such as a power, finished it, although it could have asked
        more."""
        choices = (s for s in self.fields if s.spec.kind in WHAT_IT_DOES and s.applies())
        picked, field = next(choices, None), self.field
        if picked is None:
            return False
        followers = self._after(self.fields.index(picked))
        only_picked = field in (None, picked) or (
            field is not None and self.at == self._next_from(-1) and not field.touched
        )
        return only_picked and not all(
            isinstance(each, choice_fields.ToggleField) or each.only_by_tab for each in followers
        )

    def would_take(self, key: str) -> bool:
        """True if a key would have begun an answer, were it still open. This uses up the prompt."""
        return len(key) == 1 and self.feed(key) is InputState.OPEN and not self.trouble

    @property
    def field(self) -> PromptField | None:
        """The current field."""
        return self.fields[self.at] if self.at >= 0 and not self.barred else None

    @property
    def writes(self) -> bool:
        """True while a text is typed, which takes every sign."""
        return self.field is not None and self.field.takes_space

    # -- keys --------------------------------------------------------------------------------------

    def feed(self, key: str) -> InputState:
        """Take one key: a character, or a name such as `space`, `enter`, `backspace` or `up`."""
        self.trouble = ""
        field = self.field
        if key == "escape":
            return InputState.LEFT
        if self._asked_for_one:
            self._asked_for_one = "" if key == "backspace" else self._asked_for_one
            self.trouble = self._only_one
            return InputState.OPEN
        if self.barred:
            return InputState.LEFT if key in ("enter", "backspace") else InputState.PASSED
        went_on, self._went_on = self._went_on, False
        self._named, self._went_by = False, []
        if key == "enter" and went_on and self._is_taken_for_granted(field):
            return InputState.OPEN
        asks, self._asks_to_roll = self._asks_to_roll or field is None, False
        if asks and key == "r":
            return self._roll(field)
        if field is None and key not in ("enter", "r"):
            return InputState.LEFT if key == "backspace" else InputState.PASSED
        if field is None or key == "enter":
            return self._enter()
        if went_on and key in ("space", "tab") and not field.takes_space:
            if key == "tab" and self._passed_over >= 0:
                self.at = self._passed_over
            return InputState.OPEN  # it has gone on already
        if key.isupper() and went_on and self._goes_on_with_own_name(key):
            return InputState.OPEN
        if any(s.handle_toggle_key(key) for s in self._listening(field)):
            return InputState.OPEN
        answers = not self._goes_about(field, key)
        self._spaced = key == "space"
        if answers and not self._names_after_all(field, key):
            self._take(field, key)
            is_own = len(key) == 1 and went_on and self.trouble
            if is_own and self._goes_on_with_own_name(key):
                self.trouble = ""
        elif not answers:
            self._letters = ""
        self.take_noted()
        for each in self.fields[self.at + 1 :]:
            if isinstance(each, CombatantField) and each.spec.kind == "ally":
                each.offer_anew()
        field = self.field  # for a roll that misses: nothing else is needed
        is_over = answers and isinstance(field, OutcomeField) and field.misses and self.complete
        is_over = is_over and not self._ask_for_players_dice()
        return InputState.FINISHED if is_over else InputState.OPEN

    def _goes_on_with_own_name(self, key: str) -> bool:
        """Take a letter of the name of the actor's only option, which is picked already: it changes
        nothing, nor does an enter after it. False for any other key."""
        own, letters = self._own_field, self._own_letters + key
        if own is None or not own.preset or not fold(own.shown).startswith(fold(letters)):
            return False
        self._went_on, self._own_letters = True, letters
        return True

    def _is_taken_for_granted(self, field: PromptField | None) -> bool:
        """True if the first enter only confirms the actor's single option: the target is still
        asked, and enter uses up nothing."""
        own = self._own_field
        is_first = field is not None and field.spec.asked and self.at == self._next_from(-1)
        return is_first and own is not None and own.preset

    def _goes_about(self, field: PromptField, key: str) -> bool:
        """Take a key that deletes, completes, or goes to another answer; False for others."""
        field.trouble = ""
        if key == "backspace":
            self._back(field)
        elif key == "ctrl+u" and not isinstance(field, CommandTailField):
            field.clear()
        elif key == "tab" and isinstance(field, CommandTailField):
            field.finish_word()
            self.trouble = field.trouble
        elif key == "tab" and self.whom is not None:
            self.whom.go_on()
        elif key in ("tab", "right") or (key == "space" and not field.takes_space):
            self._go_on(field)
        elif key in ("shift+tab", "left"):
            self._back_to_earlier()
        else:
            return False
        return True

    def _listening(self, field: PromptField) -> list[PromptField]:
        """The fields that take a key besides the current one, once the target is known."""
        if field.takes_space or (isinstance(field, CombatantFieldBase) and field.wants_letters):
            return []
        row = self.fields if field.candidates else self.fields[: self.at]
        return [each for each in row if each.applies()]

    def choose(self, combatant_id: str) -> None:
        """Give a combatant that was clicked to the field that asks for one."""
        field = self.field
        if field is not None and field.candidates:
            field.trouble = self._asked_for_one = ""
            field.choose(combatant_id)
            self.trouble = field.trouble
            self.take_noted()

    def paste(self, text: str) -> None:
        """Give pasted text to a field for words; others refuse it."""
        if isinstance(self.field, TextField):
            self.field.paste(text)

    @property
    def whom(self) -> CombatantField | None:
        """The default combatant, until something is answered: tab goes to the next."""
        field = self.field
        if field is None or field.touched or self.at != self._next_from(-1):
            return None
        found = next((s for s in self.fields[: self.at] if isinstance(s, CombatantField)), None)
        return found if found is not None and found.preset and len(found.candidates) > 1 else None

    @property
    def tab(self) -> str:
        """The action of tab now, in two words; empty for none."""
        if isinstance(self.field, CommandTailField):
            return "complete"
        if self.whom is not None:
            return "somebody else"
        if self._went_on and self._passed_over >= 0:
            return self.fields[self._passed_over].label
        following = self._next_from(self.at, asides=True)
        if following < 0:
            return ""
        if not isinstance(self.fields[following], MoreField):
            return "next"
        return f"{MORE}, such as advantage" if self._leans_by_tab else MORE

    @property
    def _leans_by_tab(self) -> bool:
        """True if `more` offers advantage for the roll, and no letter adds it."""
        field = self.field
        if not isinstance(field, DieField):
            return False
        line = field.so_far(field.answer or ROLL) + self._by
        leans = LEANS.keys() & {*self.view.follow(line).words}
        return bool(leans) and not leans & self._by_letter

    @property
    def _by_letter(self) -> set[str]:
        """The words that capital letters add now."""
        row = (s for s in self.fields if isinstance(s, choice_fields.ToggleField) and s.applies())
        return {word for field in row for word in field.keys.values()}

    @property
    def attack_letters(self) -> dict[str, str]:
        """The letters that choose the attack while the target is open."""
        field = self.field
        if not (isinstance(field, CombatantFieldBase) and field.at_foes):
            return {}
        return next((attack.letters for attack in self._attacks), {})

    @property
    def _passed_over(self) -> int:
        """The index of the field before the current one that only tab reaches; -1 for none."""
        first = self._next_from(-1, asides=True)
        return first if self.at == self._next_from(-1) != first else -1

    def _enter(self) -> InputState:
        """Give the command, or go to the missing answer."""
        field = self.field
        if field is not None:
            if field.missing:
                self.trouble = field.missing
                return InputState.OPEN
            self._accept(field)
            self._follow_up(field)
        self.at, self._asked_from = max(self.at, self._asked_from), -1
        for later in self._after(self.at):
            if not _leads(later):
                self.at = self.fields.index(later)
                return InputState.OPEN
            later.accept()
        return (
            InputState.OPEN
            if self._ask_for_lacking() or self._ask_for_players_dice()
            else InputState.FINISHED
        )

    @property
    def unasked(self) -> list[PlayersDie]:
        """The players' dice that an enter would roll unasked."""
        if self._rolls_rest:
            return []
        fields = [field for field in self.fields if field.applies()]
        rolls = self.view.preview_command.players_dice(self.line)
        return [roll for roll in rolls if not any(field.asks_to_roll(roll) for field in fields)]

    @property
    def asks_for(self) -> str:
        """The question to players before enter acts: `Mira's d8, or r to roll it`."""
        dice = self.unasked
        return asks_for(self.view.state, dice, self._field_for(dice) is not None)

    def _field_for(self, dice: Sequence[PlayersDie]) -> PromptField | None:
        """The unanswered field for the first of these dice; None for none."""
        fields = (field for field in self.fields if field.applies() and not field.touched)
        return next((each for each in fields if any(map(each.is_asked_for, dice[:1]))), None)

    def _ask_for_players_dice(self) -> bool:
        """Go to the field for a player's die without an answer, or have `r` roll it."""
        dice = self.unasked
        field = self._field_for(dice)
        self.trouble = asks_for(self.view.state, dice, field is not None)
        self._asks_to_roll = bool(dice)
        if field is not None:
            self._asked_from, self.at = self.at, self.fields.index(field)
        return bool(dice)

    def _roll(self, field: PromptField | None) -> InputState:
        """Have affray roll the dice asked for, and go on as enter does."""
        is_here = field is not None and any(map(field.is_asked_for, self.unasked))
        if field is None or not is_here or field.feed("r") is KeyResult.REFUSED:
            self._rolls_rest = True
        return self._enter()

    @property
    def before_roll(self) -> str:
        """The reasons for and against the current or answered roll; while it is open also the
        number of dice, the bonuses, and a hint that one die is enough."""
        roll, tables = self._roll_field, self.view.ruleset.tables
        decision = roll.foreseen if roll is not None else None
        if roll is None or decision is None:
            return ""
        lines = [leaning_in_words(decision, tables)]
        if roll is self.field and not roll.answer:
            lines.append(how_many_dice(decision))
        elif roll.count == 1 and roll.digits.isdecimal() and how_many_dice(decision):
            lines.append(f"{roll.digits} is the one that counts")
        if roll is self.field and not roll.touched and (any(lines) or not tables.leans):
            lines.append(added_in_words(decision))
        return " · ".join(filter(None, lines))

    @property
    def added(self) -> str:
        """The bonuses on the current die."""
        roll = self._roll_field
        decision = roll.foreseen if roll is self.field and roll is not None else None
        return (
            added_in_words(decision)
            if decision is not None and not self.fields[self.at].touched
            else ""
        )

    @property
    def called(self) -> str:
        """The outcome of the last typed die; empty before."""
        return self._roll_field.called if self._roll_field is not None else ""

    @property
    def _roll_field(self) -> DieField | None:
        """The last roll before the current field, or at it."""
        rolls = [s for s in self.fields[: self.at + 1] if isinstance(s, DieField) and s.applies()]
        return rolls[-1] if rolls else None

    def _accept(self, field: PromptField) -> None:
        if isinstance(field, TextField):
            field.hand_on(self._after(self.at))
        field.accept()

    def _ask_for_lacking(self) -> bool:
        """Go to an optional answer that is missing, if the command needs it."""
        lacking = self._lacking or self._wanted()
        if lacking is None:
            return False
        if lacking is self.field:
            self.trouble = f"{lacking.label}: {lacking.wants}"
        self.at = self.fields.index(lacking)
        lacking.need(True)
        self._needed.append(lacking)
        return True

    def _wanted(self) -> PromptField | None:
        """A field for an answer that the parser wants at the end of the line, and no field asks
        for."""
        if not self.fields or not self.view.lacks(self.line):
            return None
        while self.fields[1:] and self.fields[-1].asks_on and not self.fields[-1].answer:
            self.fields.put(-1)
        self._ask_next(self.fields[-1])
        return None if self.fields[-1].spec.optional else self.fields[-1]

    @property
    def _lacking(self) -> PromptField | None:
        left = (s for s in self.fields[max(self.at, 0) :] if s.applies() and not s.only_by_tab)
        field = next((s for s in left if s.spec.optional and not s.answer), None)
        return field if field is not None and self.view.lacks(self.line) else None

    @property
    def ahead(self) -> str:
        """The warning that the command needs an optional answer; mostly empty."""
        lacking = self._lacking if self._whole else None
        if lacking is None:
            return ""
        return lacking.wants if lacking is self.field else f"enter goes to the {lacking.label}"

    def _go_on(self, field: PromptField) -> None:
        if field.missing:
            asks = not self._spaced and self._ask_otherwise(field)
            self.trouble = "" if asks else field.missing
            return
        self._accept(field)
        self._follow_up(field)
        following = self._next_from(self.at, asides=True)
        if following >= 0:
            self.at = following
        else:
            why_not = self.view.barred(self.line) or self.ahead or self.asks_for
            self.trouble = why_not or "nothing is missing: enter does it"

    def _take(self, field: PromptField, key: str) -> None:
        """Answer with a key; while the target is open, letters may still become a name."""
        at, following = self.at, self._next_from(self.at)
        is_letter = len(key) == 1 and key.isalpha() and following >= 0
        if not (is_letter and isinstance(field, CombatantFieldBase) and not field.touched):
            self._answer(field, key)
            return
        after = self.fields[following]
        is_fresh = not after.touched
        is_name = isinstance(after, PickField) and is_fresh and not after.begins(key)
        if is_name and self._begins_name(field, key):
            return
        self._answer(field, key)
        if is_fresh and self.at > at and not self._named:
            self._letters, self._open = key, at

    def _names_after_all(self, field: PromptField, key: str) -> bool:
        """Take letters that went on to other fields as a name after all: if a digit makes it
        somebody's, or if no field takes the next letter. False for other keys. Letters that are an
        answer, such as an outcome's, stay one before a digit.
        """
        letters, self._letters = self._letters, ""
        if not letters or len(key) > 1 or not key.isalnum():
            return False
        whom, word = self.fields[self._open], letters + key
        if not isinstance(whom, CombatantFieldBase):
            return False
        narrows = isinstance(field, PickField) or (
            key.isdecimal() and any(letters in each.letters for each in self._attacks)
        )
        goes_on = isinstance(field, PickField) and not key.isdecimal() and field.has(key)
        if goes_on or not narrows or not whom.could_name(word):
            self._take(field, key)
            if narrows or not self.trouble or not whom.could_name(word):
                self._letters = "" if key.isdecimal() else word
                return True
        for later in self.fields[self._open + 1 :]:
            later.clear()
        self.trouble, self.at = "", self._open
        whom.begin_name()
        for letter in word:
            self._answer(whom, letter)
        return True

    @property
    def _attacks(self) -> list[WeaponField]:
        return [each for each in self.fields if isinstance(each, WeaponField) and each.applies()]

    def _begins_name(self, field: PromptField, key: str) -> bool:
        """Take a key that answers nothing as a letter of a name, in the first field that allows it,
        among this one and those that passed it on."""
        for each in (*self._went_by, field):
            if each.begins_name(key):
                self.at, self.trouble, self._named = self.fields.index(each), each.trouble, True
                return True
        return False

    def _answer(self, field: PromptField, key: str) -> None:
        if key == ",":
            field = self._name_several(field)
        if self._asked_for_one:
            self.trouble = self._only_one
            return
        field.trouble = ""
        if any(each.choose_by(key, field) for each in self._attacks):
            return
        touched, shown = field.touched, field.shown
        if field.repeated and key.isdecimal() and not field.takes_space:
            field.clear()
        fed = field.feed(key)
        field.repeated = field.repeated and fed is KeyResult.PASS
        if fed is not KeyResult.REFUSED and fed is not KeyResult.KEPT:
            self._follow_up(field)
        if fed is KeyResult.NEXT:
            self.take_noted()
            following = self._next_from(self.at)
            names = isinstance(field, CombatantField) or key.isdecimal()
            self._went_on = names and following >= 0
            self.at = following if following >= 0 else self.at
        elif fed is KeyResult.PASS:
            self._pass_on(key, touched)
        elif fed is KeyResult.REFUSED and field.shown != shown:
            self.trouble = self._no_answer(field, key)  # the answer there goes back
        elif fed is KeyResult.REFUSED and not self._begins_name(field, key):
            self.trouble = self._no_answer(field, key)

    @property
    def _only_one(self) -> str:
        """The refusal of a comma if only one combatant is allowed, until the comma is deleted; else
        later keys would mean something else."""
        taken = f"this takes only one, {self._asked_for_one}"
        return f"{taken}: backspace deletes the comma; esc leaves" if self._asked_for_one else ""

    def _pass_on(self, key: str, touched: bool) -> None:
        """Offer the key to the next fields; if none takes it, the untouched one says why."""
        position = self.at
        following = self._next_from(position)
        if following < 0:
            field = self.fields[position]
            if not field.falls_back(key) and not self._begins_name(field, key):
                self.trouble = self._no_answer(field, key)
            return
        self.at = following
        self._went_by.append(self.fields[position])
        later = self.fields[following]
        shown = later.shown
        self._answer(later, key)
        self._went_by.pop()
        if not self.trouble or self._named:
            return
        stands_there = later.shown != shown  # letters that fit nothing, to delete
        if self.fields[position].falls_back(key):
            self.at, self.trouble = position, ""
            if stands_there:
                later.erase()
        elif not stands_there:
            self.at = position
            if not self._begins_name(self.fields[position], key) and not touched:
                self.trouble = self._no_answer(self.fields[position], key, later)

    def _no_answer(self, field: PromptField, key: str, following: PromptField | None = None) -> str:
        """The refusal of a key by a field and by the one it was passed on to."""
        reason = field.trouble or field.why_not(key)
        if reason:
            return reason
        wants = [field.wants, following.wants] if following is not None else [field.wants]
        return f"{key} is no answer: {'; or '.join(wants)}; esc leaves"

    def _back(self, field: PromptField) -> None:
        if field.erase():
            field.repeated = False  # what is left of it is gone on with
        elif not self._take_back_otherwise(field):
            self._back_to_earlier()

    def _back_to_earlier(self) -> None:
        for field in self._needed:
            field.need(False)
        self._needed = []
        for index in range(self.at - 1, -1, -1):
            field = self.fields[index]
            if field.applies() and field.can_be_gone_to:
                self.at = index
                return

    def _after(self, at: int) -> list[PromptField]:
        return [field for field in self.fields[at + 1 :] if field.applies()]

    def _next_from(self, at: int, asides: bool = False) -> int:
        """The index of the next field to ask; -1 if there is none."""
        rest = range(at + 1, len(self.fields))
        asked = [n for n in rest if self.fields[n].applies() and not self.fields[n].preset]
        by_itself = [n for n in asked if asides or not self.fields[n].only_by_tab]
        if not by_itself and at < 0:
            only_more = all(map(is_more, self.spec.fields))  # that opens the prompt then
            by_itself = [n for n in asked if only_more or not self.fields[n].asks_on]
        return next(iter(by_itself), -1)

    # -- what comes of it --------------------------------------------------------------------------

    @property
    def complete(self) -> bool:
        """True if an enter would finish it."""
        return self._whole and self._lacking is None

    @property
    def _whole(self) -> bool:
        field = self.field
        if self.barred:
            return False
        is_here = field is None or not field.missing
        return is_here and all(_leads(later) for later in self._after(self.at))

    @property
    def enter(self) -> str:
        """The action of enter now, in two words; empty if it would only name a missing answer."""
        is_taken = self._went_on and self._is_taken_for_granted(self.field)
        if is_taken or not self.complete or self.view.lacks(self.line):
            return "continue"
        if self.view.barred(self.line):
            return ""
        dice = self.unasked
        asked = self._field_for(dice)
        return "do it" if not dice else "" if asked in (None, self.field) else "continue"

    @property
    def target(self) -> str:
        """The id of the chosen target, the first of several; empty for none."""
        aimed = (s for s in self.fields if isinstance(s, CombatantFieldBase) and s.at_foes)
        return next((s.answer.partition(",")[0] for s in aimed), "")

    @property
    def person(self) -> str:
        """The id of the first combatant chosen alone; empty for none."""
        return next((s.answer for s in self.fields if isinstance(s, CombatantField)), "")

    @property
    def candidates(self) -> dict[str, int]:
        """The combatants to choose from now, id -> number; empty for another question."""
        return self.field.candidates if self.field is not None else {}

    def name_people(self, named: NamedCombatants) -> None:
        """Answer with these targets, and go on from there."""
        field = next((s for s in self.fields if isinstance(s, CombatantsField)), None)
        if field is not None:
            field.name_people(named)
            self.at = max(self._next_from(self.fields.index(field)), 0)

    def pieces(self, room: int = ANY_ROOM) -> list[PromptPart]:
        """The pieces of the row, at that width."""
        if self.barred:
            return [
                PromptPart(self.spec.label, "label"),
                PromptPart(self.barred, "refused"),
                PromptPart(": types it", "hint"),
                PromptPart("esc or a pause clears this", "tip"),
            ]
        return prompt_parts(self.label, self.fields, self.at, room)


def _leads(field: PromptField) -> bool:
    """True if enter may skip the field: one read from an earlier command counts as answered."""
    return field.enter_may_finish or (field.repeated and not field.missing)
