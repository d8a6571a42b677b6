"""The field for the number on a die."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from affray.core.dice import USUAL_DICE, dice_sides, name_of_dice
from affray.core.engine.decide import Decision
from affray.core.engine.dice_owners import PlayersDie
from affray.core.engine.state import Combatant
from affray.core.formatting.log_lines import outcomes_called
from affray.core.parser.prompt_fields import PERSON_KINDS
from affray.core.parser.tokens import Token
from affray.tui.prompts.choice_fields import ToggleField
from affray.tui.prompts.field import ROLL, KeyResult, PromptField, command_of_fields
from affray.tui.prompts.preview import rolls_ahead, thrown_in
from affray.tui.prompts.value_fields import AS_ROLLED

_LEANS = {"a": "adv", "d": "dis"}


def no_face(text: str, dice: str, on: str = "enter or tab continues") -> str:
    """Say that a die has no such face, and which key accepts the digits before the last."""
    return f"{text} is not on a {dice}{f': {on}' if len(text) > 1 else ''}"


class DieField(PromptField):
    """The number on a die, or several; `r` has affray roll. In games with advantage there may be
    one more die (`4,15`), and `a` or `d` says which counts. The field's options are the number of
    sides, and the kind of the field that names the roller.
    """

    is_rolled = True
    digits = ""
    """The typed dice: `9`, or `4,15`; for several rolls with a blank between."""
    left = False
    """True if the GM went on without an answer, so that affray rolls if it does so by default."""
    lean = ""
    """The command's word for advantage or disadvantage: `adv`, `dis`, or empty."""

    @property
    def dice(self) -> str:
        """The dice of the roll: the field's own, or the command's."""
        if self._own_sides:
            return f"1d{self._own_sides}"
        return next((thrown_in(roll) for roll in rolls_ahead(self.look(ROLL))), USUAL_DICE)

    @property
    def _own_sides(self) -> str:
        return next((word for word in self.spec.options if word.isdecimal()), "")

    @property
    def sides(self) -> int:
        """The highest number on one of the dice."""
        return max(dice_sides(self.dice))

    @property
    def most(self) -> int:
        """The highest result of the dice."""
        return sum(dice_sides(self.dice))

    @property
    def die(self) -> str:
        """The name of the dice: `d8`, `2d6`."""
        return name_of_dice(self.dice)

    @property
    def label(self) -> str:
        """The name of the dice."""
        return self.die

    @property
    def leans(self) -> Mapping[str, str]:
        """The letters for advantage and disadvantage; none in games without them."""
        return _LEANS if self.view.ruleset.tables.leans else {}

    @property
    def first_letters(self) -> Collection[str]:
        """The letters of advantage and disadvantage, and of a roll by affray."""
        return [*self.leans, "r"]

    @property
    def count(self) -> int:
        """The number of rolls, each with a die of its own."""
        return 1

    @property
    def foreseen(self) -> Decision | None:
        """A preview of the roll as if each die showed a 1, which shows the number to beat, bonuses
        and advantage before a die falls."""
        if self._own_sides or not self.applies():
            return None
        return self._with_dice(",".join([str(len(dice_sides(self.dice)))] * self.count))

    def _with_dice(self, faces: str, more: str = "") -> Decision | None:
        """A preview of the roll with these numbers on the dice, and words after them."""
        text = " ".join(filter(None, (f"natural {faces}", more, self.tail)))
        besides = [field for field in self.row if isinstance(field, ToggleField)]
        return self.view.decide(
            command_of_fields(self.command, [*self.earlier, *besides], text) + self.by
        )

    @property
    def called(self) -> str:
        """The outcome of the typed dice: `16 weak`, whatever later fields still ask, such as
        damage; empty before it is known."""
        if not self.digits or self.digits.endswith(",") or not self.applies():
            return ""
        found = self._with_dice(self.digits) or self._with_dice(self.digits, "1")
        if found is None:
            return ""
        return " · ".join(outcomes_called(found.events, found.state, found.by))

    @property
    def most_commas(self) -> int:
        """The most commas to type: between the dice, and one more for advantage."""
        return len(dice_sides(self.dice)) - (not self.leans)

    def feed(self, key: str) -> KeyResult:
        """Take digits of the die; `a` and `d` for advantage and disadvantage; `r` to have affray
        roll."""
        if key.isdecimal():
            return self._digit(key)
        if key == "," and self._last and self._last.count(",") < self.most_commas:
            self.digits += ","
            return KeyResult.KEPT
        if key in self.leans:
            self._lean_to(self.leans[key])
            return KeyResult.KEPT
        if key == "r":
            self.rolls, self.left, self.digits = True, False, ""
            return KeyResult.NEXT
        return KeyResult.PASS if self.answer else KeyResult.REFUSED

    def _lean_to(self, lean: str) -> None:
        """Choose advantage or disadvantage, or neither; a lone typed die then lacks its second."""
        self.lean = "" if self.lean == lean else lean
        if not self.lean:
            self.digits = self.digits.rstrip(",")
        elif self.repeated and self.digits and "," not in self.digits:
            self.digits += ","
        self.repeated = False

    @property
    def _last(self) -> str:
        """The last typed dice."""
        return self.digits.rpartition(" ")[2]

    def _digit(self, key: str) -> KeyResult:
        _, comma, last = self._last.rpartition(",")
        last, several = last + key, len(dice_sides(self.dice)) > 1
        if not 1 - several <= int(last) <= (self.sides if comma else self.most):
            self.trouble = no_face(last, self.die)
            return KeyResult.REFUSED
        self.rolls = self.left = False
        self.digits += key
        return KeyResult.KEPT

    def read(self, words: Sequence[Token]) -> int:
        """Read `roll`, or `natural` and the dice; returns the number of words read."""
        if words[0] == "roll":
            self.rolls = True
            return 1
        if words[0] == "natural" and len(words) > 1:
            self.digits = str(words[1])
            return 2
        return 0

    def read_tail(self, words: Sequence[Token]) -> list[Token]:
        """Read `adv` or `dis` from anywhere among the words, and return the others."""
        self.lean = next((str(w) for w in words if w in self.leans.values()), "")
        return [word for word in words if word not in self.leans.values()]

    def erase(self) -> bool:
        """Delete the advantage, a digit or the `r`."""
        if not (self.digits or self.rolls or self.left or self.lean):
            return False
        if self.digits.endswith(","):
            self.digits = self.digits[:-1]
        elif self.lean:
            self.lean = ""
        elif self.digits:
            self.digits = self.digits[:-1]
        else:
            self.rolls = self.left = False
        return True

    def accept(self) -> None:
        """Have affray roll if nothing was typed, for those it rolls for."""
        self.left = not (self.is_answered or self.rolls) and self.by_default

    @property
    def is_answered(self) -> bool:
        """True if the GM typed a die."""
        return bool(self.digits)

    @property
    def answer(self) -> str:
        """`natural 9`, `natural 4,15 adv` or `roll`."""
        if self.digits.strip(", "):
            return " ".join(f"natural {dice.strip(',')}" for dice in self.digits.split())
        return "roll" if self.rolls or self.by_default else ""

    @property
    def missing(self) -> str:
        """A message that the die, or the second of two, isn't typed yet; empty if nothing is
        missing."""
        if self.digits.endswith(","):
            first = self.digits.rstrip(",")
            return f"{self.label}: two dice, {first} and the other number; bksp for just one"
        return super().missing

    def asks_to_roll(self, die: PlayersDie) -> bool:
        """True if the die is this field's, and `r` was pressed."""
        return self.rolls and self.is_asked_for(die)

    def is_asked_for(self, die: PlayersDie) -> bool:
        """True if the die is this field's."""
        return die.sides in dice_sides(self.dice) and die.who in self.who_rolls

    @property
    def who_rolls(self) -> list[str]:
        """The ids of those who roll: the one named for it, or else those whose dice the command
        rolls, such as saves against a world action."""
        roller = self._roller()
        who = roller.id if roller is not None else self.view.actor
        found = [roll.who for roll in rolls_ahead(self.look(ROLL)) if not roll.by_hand]
        is_by_targets = who not in found or who in [each.id for each in self.people_before()]
        return found if found and is_by_targets else [who]

    @property
    def tail(self) -> str:
        """The word for advantage or disadvantage, for the end of the command."""
        return self.lean

    @property
    def by_default(self) -> bool:
        """True if affray rolls when nothing is typed: only for the GM's combatants."""
        return not self.spec.optional and self._is_rolled_by_app

    @property
    def _is_rolled_by_app(self) -> bool:
        rollers = list(filter(None, map(self.view.state.find, self.who_rolls)))
        return bool(rollers) and all(map(self.view.by_the_app, rollers))

    def is_needed(self) -> bool:
        """True once the target of the roll is named."""
        targets = [s for s in self.earlier if s.spec.kind in ("target", "targets")]
        return super().is_needed() and all(s.answer for s in targets)

    @property
    def enter_may_finish(self) -> bool:
        """True if enter at an earlier field has affray roll, for those it rolls for."""
        return self.spec.optional or self._is_rolled_by_app

    @property
    def rolled_by(self) -> str:
        """The kind of the field that names the roller; empty for none."""
        return next((kind for kind in PERSON_KINDS if kind in self.spec.options), "")

    def _roller(self) -> Combatant | None:
        """The combatant who rolls; None for the actor."""
        return self.person_before([self.rolled_by] if self.rolled_by else ("self", "person"))

    @property
    def shown(self) -> str:
        """The answer in the prompt's row: `d8 5 adv`, or `roll`."""
        rolls = self.rolls or (self.left and self.by_default)
        text = f"{self.die} {self.digits}" if self.digits else "roll" if rolls else ""
        return f"{text} {self.lean}".rstrip() if text else ""

    @property
    def hint(self) -> str:
        """The keys that can be typed, for the prompt's row."""
        return f"{AS_ROLLED} · a/d advantage, disadvantage" if self.leans else AS_ROLLED

    @property
    def tip(self) -> str:
        """The key that rolls."""
        return "r rolls"

    @property
    def wants(self) -> str:
        """The forms of an answer, for a refusal."""
        return f"the number on the {self.die}, or r"
