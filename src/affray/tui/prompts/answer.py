"""The answer to what waits at a turn's edge: one key chooses, and it is given at once.

Where dice decide it, digits are what they show as they lie, and an enter gives it.

What holds the turn is asked for when the turn is to end; the key that ends turns has the rest
rolled then, and ends it.
"""

from __future__ import annotations

from collections.abc import Sequence

from affray.core.dice.notation import parse_dice
from affray.core.rules.ruleset import Choice, Pending
from affray.tui.prompts.before_roll import ahead_of, leaning_in_words, lone_die
from affray.tui.prompts.die import USUAL_DIE, no_face
from affray.tui.prompts.prompt import Prompt
from affray.tui.prompts.row import ANY_ROOM, Piece
from affray.tui.prompts.spec import PromptSpec
from affray.tui.prompts.step import Step
from affray.tui.prompts.view import PromptView

WHAT_WAITS = PromptSpec("answer", "Now", "")
"""What an `Answer` is the prompt of: it has no command of its own, each of its choices has one."""


def _dice_of(asked: Pending) -> str:
    """What decides it, as dice are written."""
    return asked.dice or f"d{USUAL_DIE}"


class Answer(Prompt):
    """A prompt for what is pending; up, down and tab go from one to the next.

    `ends` are the keys that end the turn with the prompt open, where they may: `ending` is the
    command for it.
    """

    def __init__(
        self,
        pending: Sequence[Pending],
        view: PromptView,
        ends: Sequence[str] = (),
        ending: str = "",
    ) -> None:
        super().__init__(WHAT_WAITS, view)
        self.pending = tuple(pending)
        self.ends = tuple(ends)
        self.ending = ending
        self.over = False
        self._which = 0  # of what is pending
        self.choice: Choice | None = None
        self.digits = ""

    @property
    def asked(self) -> Pending:
        """What is asked for now."""
        return self.pending[self._which]

    @property
    def asked_of_rules(self) -> tuple[str, ...]:
        """What is asked for, the command that answers it, or a word of either."""
        asked = self.asked
        lines = [asked.die, *(choice.command for choice in asked.choices)]
        commands = [line.split()[0] for line in lines if line]
        return (asked.what, *commands, *asked.what.split())

    @property
    def instant(self) -> bool:
        """There is something to choose."""
        return False

    def feed(self, key: str) -> Step:
        """A choice's key finishes; digits gather until an enter."""
        self.trouble = ""
        if key == "escape":
            return Step.LEFT
        asked, said = self.asked, self._asked_for_one
        self._asked_for_one = ""
        if asked.die and (key.isdecimal() or self.digits) and self._die(key):
            return self._give_die(said) if key == "enter" else Step.OPEN
        if key in ("tab", "down", "up"):
            self.digits = ""
            self._which = (self._which + (-1 if key == "up" else 1)) % len(self.pending)
            return Step.OPEN
        choices = asked.choices
        self.choice = next((choice for choice in choices if choice.key == key), None)
        if key == "enter" and len(choices) == 1 and not asked.die:
            self.choice = choices[0]
        self.over = self.choice is None and key in self.ends
        if self.choice is not None or self.over:
            return Step.FINISHED
        known = ", ".join(f"{choice.key} {choice.label}" for choice in choices)
        die = f", or what the {_dice_of(asked)} shows" if asked.die else ""
        self.trouble = f"{key} is no answer: {known}{die}; esc leaves"
        return Step.OPEN

    def _give_die(self, said: str) -> Step:
        """Give what the die shows; of two that are rolled one alone has to be said to count."""
        made = self.view.decide(self.line)
        self.trouble = lone_die(self.digits, ahead_of(made) if made is not None else None)
        if not self.trouble or said == self.line:
            self.trouble = ""
            return Step.FINISHED
        self._asked_for_one = self.line
        return Step.OPEN

    @property
    def before_roll(self) -> str:
        """What speaks for and against the die that is asked for."""
        made = self.view.decide(f"{self.asked.die} natural 1") if self._is_d20 else None
        return leaning_in_words(made, self.view.ruleset.tables) if made is not None else ""

    @property
    def added(self) -> str:
        """What waits says what it is."""
        return ""

    @property
    def _is_d20(self) -> bool:
        return bool(self.asked.die) and not self.asked.dice

    def _die(self, key: str) -> bool:
        """Take a key that belongs to the die: a digit, and what follows one. False for others."""
        if key.isdecimal():
            first, comma, last = self.digits.rpartition(",")
            fell, dice = last + key, _dice_of(self.asked)
            if 1 <= int(fell) <= parse_dice(dice).maximum:
                self.digits = f"{first}{comma}{fell}"
            else:
                self.trouble = no_face(fell, dice, f"enter gives the {self.digits}")
        elif key == "," and self._is_d20 and "," not in self.digits:
            self.digits += ","
        elif key == "backspace":
            self.digits = self.digits[:-1]
        elif key in self.ends:
            self.trouble = f"enter takes the {self.digits}, backspace takes it back"
        else:
            return key == "enter"
        return True

    @property
    def line(self) -> str:
        """The command of what was chosen, or the one that ends the turn."""
        if self.over:
            return self.ending
        if self.choice is not None:
            return self.choice.command
        natural, fell = "" if self.asked.dice else "natural ", self.digits.strip(",")
        return f"{self.asked.die} {natural}{fell}" if fell else ""

    @property
    def complete(self) -> bool:
        """What an enter does depends on what is chosen."""
        return False

    def pieces(self, room: int = ANY_ROOM) -> list[Piece]:
        """What waits, and its answers."""
        asked = self.asked
        row = [Piece(asked.what, "label")]
        if self.digits:
            row.append(Piece(f"{_dice_of(asked)} {self.digits}", "now"))
        for choice in asked.choices:
            row += [Piece(choice.key, "key"), Piece(choice.label, "offer")]
        if asked.die:
            how = "enter gives it" if self.digits else f"digits: the {_dice_of(asked)}"
            row += [Piece(how, "hint"), Piece(self.before_roll, "hint")]
        if len(self.pending) > 1:
            row.append(Piece(f"{self._which + 1} of {len(self.pending)}", "hint"))
        return [piece for piece in row if piece.text]
