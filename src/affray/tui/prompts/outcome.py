"""A slot for how a roll came out, or for how several did."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from affray.core.heart.decide import Decision
from affray.core.language.asks import PERSON_KINDS
from affray.core.language.words import Word
from affray.tui.prompts.before_roll import numbers_of
from affray.tui.prompts.die import DieSlot
from affray.tui.prompts.slot import Fed, Offer

_EACH = "one for all, or one for each"
EACH = "each"
"""The option of an ask for an outcome that several have, each their own."""
TAKEN = "taken"
"""The option of an ask for those outcomes alone that what was picked takes: a roll's or save's."""


class OutcomeSlot(DieSlot):
    """How a roll came out, as it was called: one letter; `n15` for the die; `r` the app rolls.

    At several targets one outcome is for all of them, or each has its own: `hmh`, `n15,7,20`; so it
    is of several who roll themselves, where the ask has the option `each`. Other options name the
    only outcomes that there are.
    """

    outcomes: tuple[str, ...] = ()
    """How it came out, as it was called; of several, of as many as have been."""
    natural = False
    """Whether a die as it lies was begun."""

    @property
    def label(self) -> str:
        """Whose roll it is, where another makes it."""
        rolls = next((kind for kind in PERSON_KINDS if kind in self.ask.options), "")
        return f"the {rolls}'s roll" if rolls in ("target", "ally") else self.ask.kind

    @property
    def words_by_key(self) -> dict[str, str]:
        """The outcomes that there are, by their letters."""
        if TAKEN not in self.ask.options:
            return self._words_by_key
        row = self._words_by_key.items()
        return {key: word for key, word in row if not self.barred_by(word)}

    @cached_property
    def _words_by_key(self) -> dict[str, str]:
        rules, options = self.view.ruleset.tables.outcomes, self.ask.options
        said = [word for word in rules if word in options]
        said = said or [word for word, rule in rules.items() if not rule.named]
        return {rules[word].key: word for word in said}

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
            self.outcomes += (self.words_by_key[key],)
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
        return max(1, len(self._each))

    @property
    def _each(self) -> list[str]:
        """The ids of several of whom each has an outcome."""
        several = [s for s in self.earlier if s.ask.kind == "targets"]
        several = [s for s in several if s.ask.others or EACH in self.ask.options]
        return [who for s in several for who in s.answer.split(",")]

    @property
    def most_commas(self) -> int:
        """As many dice as there are targets."""
        return max(super().most_commas, self.count - 1)

    def _clear(self) -> None:
        self.outcomes, self.natural, self.digits, self.rolls, self.lean = (), False, "", False, ""

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

    def read(self, words: Sequence[Word]) -> int:
        """One outcome or several, `roll`, or `natural` and what fell."""
        said = words[0].split(",")
        if all(word in self.words_by_key.values() for word in said):
            self.outcomes = tuple(said)
            return 1
        taken = super().read(words)
        self.natural = bool(self.digits)
        return taken

    def accept(self) -> None:
        """Nothing said: the app rolls, for whom it rolls."""
        if not self.outcomes and not self.digits and self.by_default:
            self.rolls = True

    @property
    def by_default(self) -> bool:
        """Whether the app rolls when nothing is said: it does for those whom the GM plays."""
        if EACH in self.ask.options:
            rollers = [self.view.state.find(who) for who in self._each]
            return all(who is not None and self.view.by_the_app(who) for who in rollers)
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
        return not self.outcomes or self._is_save or any(rules[word].hits for word in self.outcomes)

    @property
    def withstood(self) -> bool:
        """Whether saves were called out, and none failed."""
        rules = self.view.ruleset.tables.outcomes
        return self._is_save and all(rules[word].hits for word in self.outcomes)

    @property
    def _is_save(self) -> bool:
        """Whether what was called out is how a save came out."""
        rules = self.view.ruleset.tables.outcomes
        return TAKEN in self.ask.options and any(rules[word].named for word in self.outcomes)

    @property
    def misses(self) -> bool:
        """Whether it was called out for all of them, and none is a hit."""
        return len(self.outcomes) == self.count and not self.hits

    @property
    def shown(self) -> str:
        """The outcome as it was called; of several, with who has it, and who is next."""
        if self.natural and not self.digits:
            return f"{self.die} …"
        if self.count == 1 or not self.outcomes:
            return ", ".join(self.outcomes) or super().shown
        name, known = self.view.state.name, len(self.outcomes)
        row = [f"{name(w)} {o}" for w, o in zip(self._each, self.outcomes, strict=False)] + [
            f"{name(who)} ?" for who in self._each[known : known + 1]
        ]
        return "  ".join(row)

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
        each = _EACH if self.count > 1 and not self.outcomes else ""
        return " · ".join(part for part in (self._against(), leans or each) if part)

    def _against(self) -> str:
        """`against 12`, where the rules have a number for it; `against 18, 14` of several that have
        each their own, and as they are gone through that of whose turn it is."""
        made = self.foreseen
        row = [str(number) for number in numbers_of(made)] if made is not None else []
        if 0 < len(self.outcomes) < len(row):
            row = row[len(self.outcomes) :][:1]
        return f"against {', '.join(row if len(set(row)) > 1 else row[:1])}" if row else ""

    @property
    def foreseen(self) -> Decision | None:
        """Where no die can be told of it, what would come of the first outcome that there is."""
        if not self.applies():
            return None
        return super().foreseen or self.look(next(iter(self.words_by_key.values()), ""))

    @property
    def wants(self) -> str:
        """The letters, the die, or a roll."""
        return f"{' '.join(self.words_by_key)}, n and the {self.die}, or r"
