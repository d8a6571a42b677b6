"""A slot for damage as it was rolled, or as dice that the app rolls, with its type."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

from affray.core.language.words import Word
from affray.tui.prompts.amount import MOST_IN_DICE, SIGNS
from affray.tui.prompts.outcome import TAKEN, OutcomeSlot
from affray.tui.prompts.picking import no_name_has
from affray.tui.prompts.slot import Fed, Offer, Slot

MOST_DIGITS = 4
"""So long may the number be."""
DIE = "d"
_AMOUNT = re.compile(r"\d{1,4}|\d{1,2}d\d{1,3}([+-]\d{1,3})?")
MORE = "+,"
"""The keys behind a type that go on to damage of another."""


class DamageSlot(Slot):
    """Damage as it was rolled, or dice such as `2d6+3`, then letters of its type; nothing: the app
    rolls the attack's dice. A `d` is a letter, until a digit makes a die of it.

    Behind a type `+` or `,` goes on to damage of another: `8s+4f` is `8 slashing 4 fire`. The
    options of the ask are words that may stand in its place (by their first letter).
    """

    digits = letters = ""
    """The amount, and letters of its type, as they are typed."""
    word = ""
    """The word that stands in its place."""
    parts: tuple[tuple[str, str], ...] = ()
    """The amounts before it, each with its type."""

    def feed(self, key: str) -> Fed:
        """Digits first; letters after them narrow the type."""
        if key.isdecimal() and (not self.letters or self._begins_a_die):
            return self._number(f"{self.digits}{self.letters}{key}")
        if key.isdecimal() and self.type:
            self.trouble = f"{key} stands behind {self.type}: + goes on to damage of another type"
            return Fed.REFUSED
        if key in SIGNS and self._is_dice and not self.letters and self._is_whole:
            return self._number(f"{self.digits}{key}")
        if key in MORE and self.type:
            return self._more()
        if not self.digits and not self.parts:
            word = next((w for w in self.ask.options if key and w.startswith(key)), "")
            if word:
                self.word = word
                return Fed.NEXT
        if len(key) == 1 and key.isalpha() and self.digits and self._types(""):
            self.letters += key
            if self._begins_a_die:
                return Fed.KEPT
            self.trouble = self._fits_nothing  # what was begun before is not the type then
            return Fed.REFUSED if self.trouble else Fed.KEPT
        return Fed.REFUSED

    def _number(self, said: str) -> Fed:
        """Take more of the amount, unless it gets too long."""
        most = MOST_IN_DICE if DIE in said else MOST_DIGITS
        if len(said) > most:
            self.trouble = f"{said} is too much damage"
            return Fed.REFUSED
        self.digits, self.letters, self.word = said, "", ""
        return Fed.KEPT

    @property
    def _is_dice(self) -> bool:
        return DIE in self.digits

    @property
    def _begins_a_die(self) -> bool:
        """Whether what was typed as a letter may yet be a die's."""
        return self.letters == DIE and not self._is_dice and len(self.digits) <= 2

    def _more(self) -> Fed:
        """Go on to damage of another type, if the command takes it."""
        if not self._takes_more:
            self.trouble = "no second type goes with this"
            return Fed.REFUSED
        self.parts += ((self.digits, self.type),)
        self.digits = self.letters = ""
        return Fed.KEPT

    @property
    def _takes_more(self) -> bool:
        return self._is_whole and not self.barred_by(f"{self.answer} 1 {self.type}")

    @property
    def _fits_nothing(self) -> str:
        """That letters were typed which no type has; empty when there are none such."""
        return no_name_has(self.letters) if self.letters and not self.type else ""

    def read(self, words: Sequence[Word]) -> int:
        """Numbers, each with its type, or what stands in their place."""
        if words[0] in self.ask.options:
            self.word = str(words[0])
            return 1
        taken = 0
        while words[taken:] and _AMOUNT.fullmatch(words[taken]):
            if taken:
                self.parts += ((self.digits, self.type),)
            self.digits = str(words[taken])
            has_type = words[taken + 1 :] and words[taken + 1] in self._types("")
            self.letters = str(words[taken + 1]) if has_type else ""
            taken += 2 if has_type else 1
            if not has_type:
                break
        return taken

    def _types(self, begin: str) -> list[str]:
        return [t for t in self.view.ruleset.tables.damage_types if t.startswith(begin.casefold())]

    @property
    def type(self) -> str:
        """The damage type that the letters lead to."""
        return next(iter(self._types(self.letters)), "") if self.letters else ""

    def erase(self) -> bool:
        """Take back a letter, a digit, the way to another type, or what stands in its place."""
        if self.word:
            self.word = ""
        elif self.letters:
            self.letters = self.letters[:-1]
        elif self.digits:
            self.digits = self.digits[:-1]
        elif self.parts:
            *before, (self.digits, self.letters) = self.parts
            self.parts = tuple(before)
        else:
            return False
        return True

    def applies(self) -> bool:
        """Asked for when a roll before it hits, and when what was picked deals any."""
        rolls = [s for s in self.earlier if isinstance(s, OutcomeSlot)]
        if not (super().applies() and all(s.hits and s.applies() for s in rolls)):
            return False
        if any(s.withstood for s in rolls) and not self._matters:
            return False
        asked = any(TAKEN in s.ask.options and s.said for s in rolls)
        return not asked or bool(self.answer) or not self.barred_by("1")

    @property
    def _matters(self) -> bool:
        """Whether it makes any difference how much it is."""
        little, much = self.look("9"), self.look("99")
        return little is None or much is None or little.events != much.events

    @property
    def answer(self) -> str:
        """`8 slashing`, `8`, `8 slashing 4 fire`, or what stands in its place."""
        return self.word or " ".join(filter(None, (*chain(*self.parts), self.digits, self.type)))

    @property
    def missing(self) -> str:
        """Nothing, where the app can roll it; of another type, how much and which."""
        if self.digits and not self._is_whole:
            return f"{self.digits} is neither a number nor dice such as 2d6+3"
        if self._fits_nothing or (self.parts and not (self.digits and self.type)):
            return self._fits_nothing or "how much more, then letters of its type"
        return "" if self.answer or self.can_roll else "type the damage"

    @property
    def _is_whole(self) -> bool:
        return _AMOUNT.fullmatch(self.digits) is not None

    @property
    def can_roll(self) -> bool:
        """Whether the app has something to roll when nothing is typed."""
        return self.look("") is not None

    @property
    def wants(self) -> str:
        """A number, or what may stand in its place."""
        words = [f"or {word[0]} {word}" for word in self.ask.options]
        return " ".join(["a number or dice, then letters of its type", *words])

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
        """The amounts and the types; a type as it was typed, if there is none such."""
        told = self.word or f"{self.digits} {self.type or self.letters}".strip()
        return " + ".join([*map(" ".join, self.parts), told])

    def offers(self) -> list[Offer]:
        """The types while letters narrow them; what may stand in its place before."""
        if self.letters:
            return [Offer("", t, t == self.type) for t in self._types(self.letters)]
        if self.digits:
            return []
        return [Offer(word[0], word, word == self.word) for word in self.ask.options]

    @property
    def hint(self) -> str:
        """What can be typed."""
        if self.letters:
            return "+ another type" if self._takes_more else ""
        if self.digits or self.parts:
            return "letters for its type" if self.digits else "how much more"
        return "as rolled" + (" · nothing: the app rolls" if self.can_roll else "")
