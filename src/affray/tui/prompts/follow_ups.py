"""Prompts that follow others: a command repeated, damage after saves, decisions that wait.

The fields are in the order of the command's words, so each reads its own words back. affray's dice
fall as before; anything can be changed before the command replaces the old one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from affray.core.dice import dice_sides, name_of_dice, parse_dice
from affray.core.engine.amend import Amendment
from affray.core.engine.decide import Decision
from affray.core.engine.dice_owners import PlayersDie, asks_for
from affray.core.engine.events import AnyEvent, Rolled
from affray.core.engine.foresight import Decide, Foresight
from affray.core.engine.history import Entry, recorded_dice
from affray.core.engine.state import Encounter
from affray.core.parser.declarations import PromptSpec
from affray.core.parser.errors import Refused
from affray.core.parser.tokens import Token, tokenize
from affray.core.rules.ruleset import DecisionOption, PendingDecision
from affray.tui.prompts.choice_fields import ConstantField, ToggleField
from affray.tui.prompts.combatant_fields import CombatantField
from affray.tui.prompts.command_bar import InputState
from affray.tui.prompts.context import AnswerMemory, PromptContext
from affray.tui.prompts.die_field import DieField, no_face
from affray.tui.prompts.field import ACTOR, ANY_ROOM, ROLL, PromptField, PromptPart
from affray.tui.prompts.preview import how_many_dice, leaning_in_words
from affray.tui.prompts.prompt import Prompt
from affray.tui.prompts.several_combatants import CombatantsField, NamedCombatants
from affray.tui.prompts.value_fields import NameField, NumberField


class GivenCommand(NamedTuple):
    """An earlier command, to ask again.

    entry     as it was given
    before    the fight before it
    preview   the result of a line in its place
    amending  the amendment of which it is a step; None for a real entry
    """

    entry: Entry
    before: Encounter
    preview: Decide
    amending: Amendment | None = None


class RefilledPrompt(Prompt):
    """The prompt of an earlier command, with its answers."""

    def refill(self, words: Sequence[Token], actor: str) -> bool:
        """Read all answers from the words after the command; False if they don't fit. It then asks
        for the first roll; without one, for the last answer.
        """
        left = list(words)
        for field in self.fields:
            left = field.read_tail(left)
        read = 0
        while read < len(self.fields):  # an answer may bring more fields
            field = self.fields[read]
            read += 1
            if field.applies():
                left = [Token(actor), *left] if field.spec.before == ACTOR else left
                taken = _read(field, left)
                if not taken and not _can_be_left(field):
                    return False
                left = left[taken:]
                field.repeated = True
                self.take_noted()
        rolls = (i for i, s in enumerate(self.fields) if is_roll(s))
        asked = ((i, s) for i, s in enumerate(self.fields) if s.applies() and not s.preset)
        self.at = next(rolls, max((i for i, s in asked if s.answer), default=-1))
        return not left


class AgainPrompt(RefilledPrompt):
    """Somebody's last act once more, with its answers but new dice."""

    @property
    def label(self) -> str:
        """The row's label: the repeated act."""
        return f"{super().label} again"

    def refill(self, words: Sequence[Token], actor: str) -> bool:
        """Read all answers except those of dice."""
        if not super().refill(words, actor):
            return False
        for field in filter(is_roll, self.fields):
            field.clear()
            field.repeated = False
        return True


Refilled = TypeVar("Refilled", bound=RefilledPrompt)


class RepeatPrompt(RefilledPrompt):
    """The prompt of an earlier command, whose entry it replaces. `fell` are the dice that affray
    rolled for it.
    """

    def __init__(self, spec: PromptSpec, view: PromptContext, given: GivenCommand) -> None:
        super().__init__(spec, view)
        self.given = given
        self.dice = recorded_dice(given.entry.events)

    @property
    def label(self) -> str:
        """The row's label: the actor, unless it is their turn, the command with `again`, and the
        dice, those of one size together: `d8 6 · d6 5 2`.
        """
        by, state = self.given.entry.by, self.view.state
        whose = f"{state.name(by)}'s " if by and not state.takes_turn(by) else ""
        rows = groupby(self.dice, key=lambda dice: dice.sides)
        dice = (f" · d{sides} {' '.join(str(f.face) for f in row)}" for sides, row in rows)
        return f"{whose}{self.spec.label} again{''.join(dice)}"

    @property
    def is_roll(self) -> bool:
        """True if dice are among its answers."""
        return any(map(is_roll, self.fields))


def is_roll(field: PromptField) -> bool:
    """True if dice answer it."""
    return field.is_rolled and field.applies()


def _read(field: PromptField, words: list[Token]) -> int:
    """The number of words of the answer, fixed words included."""
    before = field.spec.before.split() if field.spec.before != ACTOR else []
    after = field.spec.after.split()
    if words[: len(before)] != before or len(words) == len(before):
        return 0
    taken = field.read(words[len(before) :])
    end = len(before) + taken
    if not taken:
        return 0
    return end + (len(after) if after and words[end : end + len(after)] == after else 0)


def _can_be_left(field: PromptField) -> bool:
    """True if the command needs no answer: then affray rolls, for those it rolls for."""
    if field.spec.optional or isinstance(field, ToggleField):
        return True
    if type(field) is DieField:
        field.rolls = True  # as it was given, the command had it rolled
        return True
    field.accept()
    return not field.missing and not isinstance(
        field, ConstantField | CombatantField | CombatantsField
    )


def asked_again(
    given: GivenCommand, specs: Iterable[PromptSpec], view_of: Callable[[PromptSpec], PromptContext]
) -> RepeatPrompt | None:
    """The prompt of an earlier command; None if no prompt asks for it."""
    entry, before = given.entry, given.before

    def make(spec: PromptSpec) -> RepeatPrompt:
        actor, preview_command = entry.by or before.turn, Foresight(given.preview)
        view = replace(view_of(spec), state=before, actor=actor, preview_command=preview_command)
        return RepeatPrompt(spec, view, given)

    return refilled(entry, specs, make)


def refilled(
    entry: Entry, specs: Iterable[PromptSpec], make: Callable[[PromptSpec], Refilled]
) -> Refilled | None:
    """The prompt of an entry's command, with its answers, or one that says why the command can't be
    given now; None if no prompt asks for it."""
    try:
        rest = _without_actor(tokenize(entry.command))
    except Refused:
        return None
    for spec in specs:
        verb = spec.command.split()
        if verb and [word.casefold() for word in rest[: len(verb)]] == verb:
            prompt = make(spec)
            if prompt.barred or prompt.refill(rest[len(verb) :], entry.by):
                return prompt
    return None


def _without_actor(words: list[Token]) -> list[Token]:
    """The words without `by NAME`."""
    at = next((i for i, w in enumerate(words) if w == ACTOR and not w.quoted), len(words))
    return words[:at] + words[at + 2 :]


# -------------------------------------------------------------------------------------------------
# Remembered answers


def remember_answers(before: AnswerMemory, prompt: Prompt) -> AnswerMemory:
    """Add a prompt's answers to the remembered ones."""
    return AnswerMemory(
        prompt.target or before.target,
        _people(prompt) or before.people,
        {**before.amounts, **_amounts(prompt)},
        {**before.names, **_names(prompt, before.names)},
    )


def _people(prompt: Prompt) -> tuple[str, ...]:
    several = (s for s in prompt.fields if isinstance(s, CombatantsField) and s.applies())
    return next((tuple(s.answer.split(",")) for s in several if s.answer), ())


def _amounts(prompt: Prompt) -> dict[tuple[str, frozenset[str]], str]:
    numbers = [s for s in prompt.fields if isinstance(s, NumberField) and s.applies()]
    found = ((s.between, s.answer) for s in numbers)
    return {between: amount for between, amount in found if between and amount}


def _names(
    prompt: Prompt, before: Mapping[tuple[str, str], tuple[str, ...]]
) -> dict[tuple[str, str], tuple[str, ...]]:
    given = (s for s in prompt.fields if isinstance(s, NameField) and s.applies() and s.name)
    return {
        s.remembered_as: tuple(dict.fromkeys((s.name, *before.get(s.remembered_as, ()))))
        for s in given
    }


# -------------------------------------------------------------------------------------------------
# Follow-ups: the damage of an area after the saves against it


def damage_shares(events: Iterable[AnyEvent], takes: Mapping[str, str]) -> NamedCombatants:
    """Split combatants by the outcomes of their rolls: outcome -> `all` or `half` of the damage."""
    rolled = {
        e.who: takes[e.outcome] for e in events if isinstance(e, Rolled) and e.outcome in takes
    }
    return NamedCombatants(
        tuple(rolled),
        tuple(combatant_id for combatant_id, amount in rolled.items() if amount == "half"),
    )


# -------------------------------------------------------------------------------------------------
# Decisions that wait at the start or end of a turn: one key chooses, and gives the command at once.
#
# Where dice decide it, digits are what they show as they lie, and an enter gives it.
#
# A decision that holds up the turn comes when the turn is about to end. The key that ends turns
# then rolls the rest and ends it; it asks for each die of a player.

WHAT_WAITS = PromptSpec("answer", "Now", "")
"""The row of a `DecisionPrompt`, which has no command of its own; its choices have."""


def _dice_of(asked: PendingDecision) -> str:
    """The dice of the decision, in notation."""
    return name_of_dice(asked.thrown)


class DecisionPrompt(Prompt):
    """A prompt for pending decisions; up, down and tab go from one to the next. `ends` are the keys
    that may end the turn with the prompt open, `ending` the command for it.
    """

    instant = complete = False
    """False: there is a choice, and enter acts on it."""
    added = ""
    """Empty: the decision itself says what is added."""

    def __init__(
        self,
        pending: Sequence[PendingDecision],
        view: PromptContext,
        ends: Sequence[str] = (),
        ending: str = "",
    ) -> None:
        super().__init__(WHAT_WAITS, view)
        self.pending = tuple(pending)
        self.ends = tuple(ends)
        self.ending = ending
        self.over = False
        self._which = 0  # of what is pending
        self.choice: DecisionOption | None = None
        self.digits = ""

    @property
    def asked(self) -> PendingDecision:
        """The current decision."""
        return self.pending[self._which]

    @property
    def asked_of_rules(self) -> tuple[str, ...]:
        """The words to look up: the decision, the command that answers it, and the words of
        either."""
        asked = self.asked
        lines = [asked.die, *(choice.command for choice in asked.choices)]
        commands = [line.split()[0] for line in lines if line]
        return (asked.what, *commands, *asked.what.split())

    def feed(self, key: str) -> InputState:
        """A choice's key finishes; digits are collected until enter."""
        self.trouble = ""
        if key == "escape":
            return InputState.LEFT
        asked = self.asked
        asks, self._asks_to_roll = self._asks_to_roll, False
        if asks and key == "r":
            self._rolls_rest = True
            return InputState.FINISHED
        self.choice, self.over = None, False
        if asked.die and (key.isdecimal() or self.digits) and self._die(key):
            is_given = key == "enter" and not self._ask_for_players_dice()
            return InputState.FINISHED if is_given else InputState.OPEN
        if key in ("tab", "down", "up"):
            self.digits = ""
            self._which = (self._which + (-1 if key == "up" else 1)) % len(self.pending)
            return InputState.OPEN
        choices = asked.choices
        self.choice = next((choice for choice in choices if choice.key == key), None)
        if key == "enter" and len(choices) == 1 and not asked.die:
            self.choice = choices[0]
        self.over = self.choice is None and key in self.ends
        if self.choice is not None or self.over:
            return InputState.OPEN if self._ask_for_players_dice() else InputState.FINISHED
        name = ", ".join(f"{choice.key} {choice.label}" for choice in choices)
        die = f", or the number on the {_dice_of(asked)}" if asked.die else ""
        self.trouble = f"{key} is no answer: {name}{die}; esc leaves"
        return InputState.OPEN

    @property
    def unasked(self) -> list[PlayersDie]:
        """The players' dice that the answer would roll unasked."""
        is_roll = self.choice is not None and ROLL in self.choice.label.split()
        return [] if is_roll else super().unasked

    def _ask_for_players_dice(self) -> bool:
        """Name the players' dice that an answer would roll; at the end of the turn, go to the
        decision that asks for them."""
        dice = self.unasked
        whose = [each.who for each in self.pending]
        waits = [die.who for die in dice if self.over and die.who in whose]
        self.trouble = asks_for(self.view.state, dice[:1] if waits else dice, bool(waits))
        if waits:
            self._which, self.over = whose.index(waits[0]), False
        self._asks_to_roll = bool(dice) and not waits
        return bool(dice)

    @property
    def before_roll(self) -> str:
        """The reasons for and against the roll of the current decision."""
        decision = self._foreseen
        return leaning_in_words(decision, self.view.ruleset.tables) if decision is not None else ""

    @property
    def _foreseen(self) -> Decision | None:
        """The preview of the current check; None for other dice."""
        if not self.asked.is_check:
            return None
        return self.view.decide(self.asked.line_with(str(len(dice_sides(self.asked.thrown)))))

    def _die(self, key: str) -> bool:
        """Take a key that belongs to the die: a digit, or a key after one. False for others."""
        if key.isdecimal():
            first, comma, last = self.digits.rpartition(",")
            text, dice = last + key, _dice_of(self.asked)
            if 1 <= int(text) <= parse_dice(dice).highest:
                self.digits = f"{first}{comma}{text}"
            else:
                self.trouble = no_face(text, dice, f"enter accepts the {self.digits}")
        elif key == "," and self.digits.count(",") < self.asked.most_commas:
            self.digits += ","
        elif key == "backspace":
            self.digits = self.digits[:-1]
        elif key in self.ends:
            self.trouble = f"enter accepts the {self.digits}, backspace deletes it"
        else:
            return key == "enter"
        return True

    @property
    def line(self) -> str:
        """The command of the choice, or the one that ends the turn."""
        if self.over:
            return self.ending
        if self.choice is not None:
            return self.choice.command
        text = self.digits.strip(",")
        return self.asked.line_with(text) if text else ""

    @property
    def answered(self) -> str:
        """The whole line, since nothing is only proposed."""
        return self.line

    def pieces(self, room: int = ANY_ROOM) -> list[PromptPart]:
        """The pieces of the row: the decision and its answers."""
        asked = self.asked
        row = [PromptPart(asked.what, "label")]
        if self.digits:
            row.append(PromptPart(f"{_dice_of(asked)} {self.digits}", "now"))
        for choice in asked.choices:
            row += [PromptPart(choice.key, "key"), PromptPart(choice.label, "offer")]
        if asked.die:
            decision = self._foreseen
            both = how_many_dice(decision) if decision is not None else ""
            how = (
                "enter accepts it" if self.digits else f"digits: {both or f'the {_dice_of(asked)}'}"
            )
            row += [PromptPart(how, "hint"), PromptPart(self.before_roll, "hint")]
        if len(self.pending) > 1:
            row.append(PromptPart(f"{self._which + 1} of {len(self.pending)}", "hint"))
        return [piece for piece in row if piece.text]
