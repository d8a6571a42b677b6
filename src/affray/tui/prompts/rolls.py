"""Slots for what dice show: the outcome of a roll, a die as it lies, and damage."""

from __future__ import annotations

from collections.abc import Sequence

from affray.core.asks import PERSON_KINDS, Ask
from affray.core.events import Rolled
from affray.core.state import Combatant
from affray.tui.prompts.slot import Fed, Offer, Slot, person_before
from affray.tui.prompts.view import View

USUAL_DIE = 20
"""The sides of the die that outcomes are rolled with, where the ask says nothing else."""

_LEANS = {"a": "adv", "d": "dis"}
_EACH = "one for all, or one for each"


def no_face(fell: str, sides: int, on: str = "enter or tab goes on") -> str:
    """That a die can't show this, and what takes it as it was typed before."""
    return f"{fell} is no face of a d{sides}{f': {on}' if len(fell) > 1 else ''}"


class DieSlot(Slot):
    """A die as it lies; `r` has the app roll.

    By rules in which rolls lean it may be two of them (`4,15`), with `a` or `d` behind. The options
    of the ask are its sides, or how a person was asked for who rolls it.
    """

    def __init__(self, ask: Ask, view: View, earlier: Sequence[Slot]) -> None:
        super().__init__(ask, view, earlier)
        self.sides = next((int(word) for word in ask.options if word.isdecimal()), USUAL_DIE)
        self.label = self.die = f"d{self.sides}"
        self.leans = _LEANS if view.ruleset.tables.leans else {}
        self.digits = ""
        self.rolls = False
        self.lean = ""

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
            self.lean = "" if self.lean == self.leans[key] else self.leans[key]
            return Fed.KEPT
        if key == "r":
            self.rolls, self.digits = True, ""
            return Fed.NEXT
        return Fed.PASS if self.answer else Fed.REFUSED

    def _digit(self, key: str) -> Fed:
        last = self.digits.rpartition(",")[2] + key
        if not 1 <= int(last) <= self.sides:
            self.trouble = no_face(last, self.sides)
            return Fed.REFUSED
        self.rolls = False
        self.digits += key
        return Fed.KEPT

    def erase(self) -> bool:
        """Take back a digit, the lean or the `r`."""
        if not (self.digits or self.rolls or self.lean):
            return False
        if self.lean:
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
        return person_before(self, named or ("self", "person"))

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


class OutcomeSlot(DieSlot):
    """How a roll came out, as it was called: one letter; `n15` for the die; `r` the app rolls.

    At several targets one outcome is for all of them, or each has its own: `hmh`, `n15,7,20`.
    The options of the ask may also name the only outcomes that there are.
    """

    def __init__(self, ask: Ask, view: View, earlier: Sequence[Slot]) -> None:
        super().__init__(ask, view, earlier)
        rolls = next((kind for kind in PERSON_KINDS if kind in ask.options), "")
        self.label = f"the {rolls}'s roll" if rolls in ("target", "ally") else ask.kind
        self.outcomes: list[str] = []
        self.natural = False
        rules = view.ruleset.tables.outcomes
        said = [word for word in rules if word in ask.options] or rules
        self.words_by_key = {rules[word].key: word for word in said}

    def feed(self, key: str) -> Fed:
        """A letter is the outcome; a digit, or `n`, begins a die as it lies."""
        if key.isdecimal() and not (self.outcomes or self.rolls):
            self.natural = True
        if self.natural and (key.isdecimal() or key == "," or key in self.leans):
            return super().feed(key)
        if self.natural and self.digits:
            return Fed.PASS
        if key == "n":
            self._clear()
            self.natural = True
            return Fed.KEPT
        if key in self.words_by_key:
            if not 0 < len(self.outcomes) < self.count:
                self._clear()
            self.outcomes = [*self.outcomes, self.words_by_key[key]]
            return Fed.NEXT if len(self.outcomes) == self.count else Fed.KEPT
        if key == "r":
            self._clear()
            self.rolls = True
            return Fed.NEXT
        if self.rolls and key in self.leans:
            return super().feed(key)
        if self.outcomes and self.missing:
            self.trouble = self.missing
            return Fed.REFUSED
        return Fed.PASS if self.outcomes or self.rolls else Fed.REFUSED

    @property
    def count(self) -> int:
        """How many it is rolled against, each with an outcome."""
        aimed = [s for s in self.earlier if s.ask.kind == "targets" and s.ask.others]
        return max([1, *(len(s.answer.split(",")) for s in aimed)])

    @property
    def most_commas(self) -> int:
        """As many dice as there are targets."""
        return max(super().most_commas, self.count - 1)

    def _clear(self) -> None:
        self.outcomes, self.natural, self.digits, self.rolls, self.lean = [], False, "", False, ""

    def erase(self) -> bool:
        """Take back what was said last."""
        if super().erase():
            return True
        if not (self.outcomes or self.natural):
            return False
        left = self.outcomes[:-1]
        self._clear()
        self.outcomes = left
        return True

    def accept(self) -> None:
        """Nothing said: the app rolls, for whom it rolls."""
        if not self.outcomes and not self.digits and self.by_default:
            self.rolls = True

    @property
    def by_default(self) -> bool:
        """Whether the app rolls when nothing is said: it does for those whom the GM plays."""
        return self.view.by_the_app(self._roller())

    @property
    def leads(self) -> bool:
        """An enter at an earlier slot has the app roll, where that is the default."""
        return self.ask.optional or self.by_default

    @property
    def said(self) -> bool:
        """Whether the GM said how it came out, or what fell."""
        return bool(self.outcomes or self.digits)

    @property
    def answer(self) -> str:
        """The outcome's word, `hit,miss`, `natural 15`, or `roll`."""
        return ",".join(self.outcomes) or super().answer

    @property
    def missing(self) -> str:
        """An outcome for all, or as many as there are targets."""
        given = len(self.outcomes)
        if 1 < given < self.count:
            return f"{given} outcomes for {self.count}: {_EACH}"
        return super().missing

    @property
    def hits(self) -> bool:
        """Whether what follows a hit is asked for."""
        rules = self.view.ruleset.tables.outcomes
        return not self.outcomes or any(rules[word].hits for word in self.outcomes)

    @property
    def shown(self) -> str:
        """The outcome as it was called."""
        if self.natural and not self.digits:
            return f"{self.die} …"
        return ", ".join(self.outcomes) or super().shown

    def offers(self) -> list[Offer]:
        """The letters."""
        rules = self.view.ruleset.tables.outcomes
        made = [
            Offer(key, rules[word].label or word, word in self.outcomes)
            for key, word in self.words_by_key.items()
        ]
        natural = Offer("n", f"{self.die} as it lies", self.natural)
        return [*made, natural, Offer("r", "roll", self.rolls)]

    @property
    def hint(self) -> str:
        """What it is rolled against, if anything; the leans are only there with a die."""
        leans = "a advantage · d disadvantage" if self.natural and self.leans else ""
        each = _EACH if self.count > 1 else ""
        return " · ".join(part for part in (self._against(), leans or each) if part)

    def _against(self) -> str:
        """`against 12`, where the rules have a number for it."""
        if self.view.decide is None or not self.applies():
            return ""
        word = next(iter(self.words_by_key.values()), "")
        looked = self.look(word)
        rolls = [e for e in looked.events if isinstance(e, Rolled)] if looked else []
        found = next((e for e in rolls if e.dc is not None), None)
        return f"against {found.dc}" if found else ""

    @property
    def wants(self) -> str:
        """The letters, the die, or a roll."""
        return f"{' '.join(self.words_by_key)}, n and the {self.die}, or r"


class DamageSlot(Slot):
    """Damage as it was rolled, then letters of its type; nothing: the app rolls the attack's dice.

    The options of the ask are words that may stand in its place (by their first letter).
    """

    def __init__(self, ask: Ask, view: View, earlier: Sequence[Slot]) -> None:
        super().__init__(ask, view, earlier)
        self.digits = ""
        self.letters = ""
        self.instead = ""

    def feed(self, key: str) -> Fed:
        """Digits first; letters after them narrow the type."""
        if key.isdecimal() and not self.letters:
            if len(self.digits) >= 4:
                self.trouble = f"{self.digits}{key} is too much damage"
                return Fed.REFUSED
            self.digits, self.instead = self.digits + key, ""
            return Fed.KEPT
        if not self.digits:
            word = next((w for w in self.ask.options if key and w.startswith(key)), "")
            if word:
                self.instead = word
                return Fed.NEXT
        if len(key) == 1 and key.isalpha() and self._types(self.letters + key):
            self.letters += key
            return Fed.KEPT
        return Fed.REFUSED

    def _types(self, begin: str) -> list[str]:
        return [t for t in self.view.ruleset.tables.damage_types if t.startswith(begin.casefold())]

    @property
    def type(self) -> str:
        """The damage type that the letters lead to."""
        return self._types(self.letters)[0] if self.letters else ""

    def erase(self) -> bool:
        """Take back a letter, a digit, or what stands in its place."""
        if self.instead:
            self.instead = ""
        elif self.letters:
            self.letters = self.letters[:-1]
        elif self.digits:
            self.digits = self.digits[:-1]
        else:
            return False
        return True

    def applies(self) -> bool:
        """Asked for when a roll before it hits."""
        rolls = [s for s in self.earlier if isinstance(s, OutcomeSlot)]
        return super().applies() and all(s.hits and s.applies() for s in rolls)

    @property
    def answer(self) -> str:
        """`8 slashing`, `8`, or what stands in its place."""
        return self.instead or " ".join(part for part in (self.digits, self.type) if part)

    @property
    def missing(self) -> str:
        """Nothing, where the app can roll it."""
        return "" if self.answer or self.can_roll else "type the damage"

    @property
    def can_roll(self) -> bool:
        """Whether the app has something to roll when nothing is typed."""
        return self.view.decide is None or self.look("") is not None

    @property
    def wants(self) -> str:
        """A number, or what may stand in its place."""
        words = [f"or {word[0]} {word}" for word in self.ask.options]
        return " ".join(["a number, then letters of its type", *words])

    @property
    def leads(self) -> bool:
        """The app rolls it unasked for whom it rolls anyway, unless a player called the roll."""
        if self.ask.optional:
            return True
        return self.view.by_the_app() and not self._called and self.can_roll

    @property
    def _called(self) -> bool:
        """Whether the roll before it was called out for one of the party: by whoever plays them."""
        rolls = [s for s in self.earlier if isinstance(s, OutcomeSlot) and s.applies()]
        who = self.view.state.find(self.view.actor)
        return who is not None and who.side == "party" and any(s.said for s in rolls)

    @property
    def shown(self) -> str:
        """The amount and the type."""
        return self.answer

    def offers(self) -> list[Offer]:
        """The types while letters narrow them; what may stand in its place before."""
        if self.letters:
            return [Offer("", t, t == self.type) for t in self._types(self.letters)]
        if self.digits:
            return []
        return [Offer(word[0], word, word == self.instead) for word in self.ask.options]

    @property
    def hint(self) -> str:
        """What can be typed."""
        if self.letters:
            return ""
        if self.digits:
            return "letters for its type"
        return "as rolled" + (" · nothing: the app rolls" if self.can_roll else "")
