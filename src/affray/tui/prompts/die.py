"""A slot for a die as it lies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from affray.core.heart.decide import Decision
from affray.core.heart.state import Combatant
from affray.core.language.asks import PERSON_KINDS
from affray.core.language.words import Word
from affray.tui.prompts.before_roll import ahead_of, lone_die
from affray.tui.prompts.heard import HeardSlot
from affray.tui.prompts.slot import Fed, Slot, line_of

USUAL_DIE = 20
"""The sides of the die that outcomes are rolled with, where the ask says nothing else."""

_LEANS = {"a": "adv", "d": "dis"}


def no_face(fell: str, dice: str, on: str = "enter or tab goes on") -> str:
    """That dice can't show this, and what takes it as it was typed before."""
    return f"{fell} is no face of a {dice}{f': {on}' if len(fell) > 1 else ''}"


class DieSlot(Slot):
    """A die as it lies; `r` has the app roll.

    By rules in which rolls lean it may be two of them (`4,15`), with `a` or `d` behind. The options
    of the ask are its sides, or how a person was asked for who rolls it.
    """

    digits = ""
    """What fell, as it is typed: `9`, or `4,15`."""
    rolls = False
    """Whether the app rolls."""
    alone = False
    """Whether it was said that one die stands alone: what asked for the other was taken back."""
    lean = ""
    """To advantage or disadvantage, in the word of the command."""

    @property
    def sides(self) -> int:
        """The sides of the die."""
        return next((int(word) for word in self.ask.options if word.isdecimal()), USUAL_DIE)

    @property
    def die(self) -> str:
        """`d20`"""
        return f"d{self.sides}"

    @property
    def label(self) -> str:
        """The die."""
        return self.die

    @property
    def leans(self) -> Mapping[str, str]:
        """The letters that lean it, where rolls do."""
        return _LEANS if self.view.ruleset.tables.leans else {}

    @property
    def count(self) -> int:
        """How many rolls it is the die of."""
        return 1

    @property
    def foreseen(self) -> Decision | None:
        """What would come of it if each die showed a 1, with all that is said of the roll, so that
        it is known before it falls what it is made against, what is added, and what leans it."""
        if self.sides != USUAL_DIE or not self.applies():
            return None
        said = " ".join(filter(None, (f"natural {','.join(['1'] * self.count)}", self.tail)))
        besides = [slot for slot in self.row if isinstance(slot, HeardSlot)]
        return self.view.decide(line_of(self.command, [*self.earlier, *besides], said) + self.by)

    @property
    def lone_die(self) -> str:
        """Why what is typed can't stand yet, since it is one die for two; empty where it can."""
        made = self.foreseen if self.digits and not self.alone else None
        return lone_die(self.digits, ahead_of(made) if made is not None else None)

    @property
    def most_commas(self) -> int:
        """Between two dice of one roll, if it can lean."""
        return 1 if self.leans else 0

    def feed(self, key: str) -> Fed:
        """Digits are what fell; `a` and `d` lean it to advantage or disadvantage."""
        if key.isdecimal():
            return self._digit(key)
        if key == "," and self.digits and self.digits.count(",") < self.most_commas:
            self.digits += ","
            return Fed.KEPT
        if key in self.leans:
            self._lean_to(self.leans[key])
            return Fed.KEPT
        if key == "r":
            self.rolls, self.digits = True, ""
            return Fed.NEXT
        return Fed.PASS if self.answer else Fed.REFUSED

    def _lean_to(self, lean: str) -> None:
        """Lean it, or no more. What was read off the table as one die then lacks the other."""
        self.lean = "" if self.lean == lean else lean
        if not self.lean:
            self.digits = self.digits.rstrip(",")
        elif self.repeated and self.digits and "," not in self.digits:
            self.digits += ","
        self.repeated = False

    def _digit(self, key: str) -> Fed:
        last = self.digits.rpartition(",")[2] + key
        if not 1 <= int(last) <= self.sides:
            self.trouble = no_face(last, self.die)
            return Fed.REFUSED
        self.rolls, self.alone = False, False
        self.digits += key
        return Fed.KEPT

    def read(self, words: Sequence[Word]) -> int:
        """`roll`, or `natural` and what fell."""
        if words[0] == "roll":
            self.rolls = True
            return 1
        if words[0] == "natural" and len(words) > 1:
            self.digits = str(words[1])
            return 2
        return 0

    def read_tail(self, words: Sequence[Word]) -> list[Word]:
        """The lean stands somewhere behind."""
        self.lean = next((str(w) for w in words if w in self.leans.values()), "")
        return [word for word in words if word not in self.leans.values()]

    def erase(self) -> bool:
        """Take back a digit, the lean or the `r`."""
        if not (self.digits or self.rolls or self.lean):
            return False
        if self.digits.endswith(","):
            self.digits, self.alone = self.digits[:-1], True
        elif self.lean:
            self.lean = ""
        elif self.digits:
            self.digits = self.digits[:-1]
        else:
            self.rolls = False
        return True

    def accept(self) -> None:
        """Nothing typed: the app rolls."""
        if not self.digits and self.by_default:
            self.rolls = True

    @property
    def answer(self) -> str:
        """`natural 9`, `natural 4,15 adv` or `roll`."""
        fell = self.digits.strip(",")
        if fell:
            return f"natural {fell}"
        return "roll" if self.rolls or self.by_default else ""

    @property
    def missing(self) -> str:
        """The die, or the other one of two."""
        if self.digits.endswith(","):
            first = self.digits.rstrip(",")
            return f"{self.label}: two dice, {first} and what the other shows; bksp for one alone"
        return super().missing

    @property
    def tail(self) -> str:
        """The lean stands behind everything else."""
        return self.lean

    @property
    def by_default(self) -> bool:
        """Whether the app rolls when nothing is typed."""
        return not self.ask.optional

    def applies(self) -> bool:
        """A roll at a target is asked for when there is one."""
        targets = [s for s in self.earlier if s.ask.kind in ("target", "targets")]
        return super().applies() and all(s.answer for s in targets)

    @property
    def leads(self) -> bool:
        """The app rolls for whom it rolls anyway."""
        return self.ask.optional or self.view.by_the_app(self._roller())

    def _roller(self) -> Combatant | None:
        """Who makes the roll, where it is not the actor."""
        named = [kind for kind in PERSON_KINDS if kind in self.ask.options]
        return self.person_before(named or ("self", "person"))

    @property
    def shown(self) -> str:
        """The die, or that the app rolls."""
        if self.digits:
            return " ".join(part for part in (f"{self.die} {self.digits}", self.lean) if part)
        if self.rolls:
            return " ".join(part for part in ("roll", self.lean) if part)
        return ""

    @property
    def hint(self) -> str:
        """What can be typed."""
        leans = "a/d advantage, disadvantage" if self.leans else ""
        return " · ".join(filter(None, ("as it lies", leans, "r rolls")))

    @property
    def wants(self) -> str:
        """The die, or a roll."""
        return f"what the {self.die} shows, or r"
