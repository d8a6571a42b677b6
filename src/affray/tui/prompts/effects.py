"""Slots that ask for an effect, and for what is done about one that is there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from affray.core.heart.own_effects import is_own
from affray.core.heart.state import Combatant, Effect
from affray.core.language.words import Word
from affray.core.telling.effect_words import with_amounts
from affray.tui.ends import end_words
from affray.tui.prompts.choice import ChoiceSlot
from affray.tui.prompts.picking import PickSlot
from affray.tui.prompts.slot import Fed, Offer

QUOTE = '"'
"""The key that begins and ends a name that no table has."""
MOST_IN_A_NAME = 40
"""So long may such a name be."""


class EffectKindSlot(PickSlot):
    """An effect of one kind from the ruleset's tables: a condition, a status, ...

    A quote begins one of any name, which the tables don't have, or makes one of letters that none
    of theirs has.
    """

    BESIDES: ClassVar[str] = f"{QUOTE} makes it your own"

    own: str | None = None
    """What was typed of such a name; None where none was begun."""

    def feed(self, key: str) -> Fed:
        """Letters narrow; behind a quote they are a name, up to the next quote."""
        if self.own is None:
            if key != QUOTE or (self.letters and not self._fits_nothing):
                return super().feed(key)
            self.own, self.letters = self.letters, ""
            return Fed.KEPT
        if key == QUOTE and self.own.strip():
            return Fed.NEXT
        character = " " if key == "space" else key
        if key == QUOTE or len(character) != 1 or len(self.own) >= MOST_IN_A_NAME:
            return Fed.REFUSED
        self.own += character
        return Fed.KEPT

    def erase(self) -> bool:
        """Take back a letter, then the quote."""
        if self.own is None:
            return super().erase()
        self.own = self.own[:-1] or None
        return True

    def read(self, words: Sequence[Word]) -> int:
        """One of the list, or in quotes an effect of any name."""
        if not words[0].quoted:
            return super().read(words)
        self.own = str(words[0])
        return 1

    @property
    def takes_space(self) -> bool:
        """A name may have several words."""
        return self.own is not None

    @property
    def answer(self) -> str:
        """The word of what is highlighted, or a name of one's own in quotes."""
        if self.own is None:
            return super().answer
        return f'"{self.own.strip()}"' if self.own.strip() else ""

    @property
    def shown(self) -> str:
        """What is highlighted, or the name of one's own."""
        return super().shown if self.own is None else f'"{self.own}'

    @property
    def touched(self) -> bool:
        """Whether anything was typed or chosen."""
        return super().touched or self.own is not None

    def offers(self) -> list[Offer]:
        """What the letters leave."""
        return super().offers() if self.own is None else []

    @property
    def hint(self) -> str:
        """How to name one of your own, until something is typed."""
        if self.own is not None:
            return 'its name, then "'
        return "" if self.letters else '" your own'

    def rows(self) -> list[tuple[str, str]]:
        """All effects of that kind."""
        rules = self.view.ruleset.tables.effects.items()
        return [(key, rule.name or key) for key, rule in rules if rule.kind == self.ask.kind]


class OwnEffectSlot(PickSlot):
    """One of the effects that the combatant named before has.

    The options of the ask are what ends it: `save` leaves those that a save ends, without what
    hangs on another of them and ends with it. The only one needs no asking.
    """

    def _effects(self) -> list[Effect]:
        who = self.person_before()
        if who is None or not self.ask.options:
            return list(who.effects) if who is not None else []
        found = [e for e in who.effects if e.until.ends in self.ask.options]
        listed = {f"{who.id}/{e.id}" for e in found}
        return [e for e in found if e.hangs not in listed]

    def rows(self) -> list[tuple[str, str]]:
        """The effects that are there; those that are called the same, with their ends."""
        who = self.person_before()
        if who is None:
            return []
        found = self._effects()
        told = [_told(e) for e in found]
        return [
            (_called(who, e), t if told.count(t) == 1 else f"{t}, {self._end(who, e)}")
            for e, t in zip(found, told, strict=True)
        ]

    def _end(self, who: Combatant, effect: Effect) -> str:
        words = end_words(self.view.state, who, effect.until)
        return f"{words}, from {self.view.state.name(effect.source)}" if effect.source else words

    @property
    def preset(self) -> bool:
        """The only one needs no asking."""
        return len(self._effects()) == 1

    @property
    def wants(self) -> str:
        """Somebody without effects has none to name."""
        who = self.person_before()
        if who is not None and not self._effects():
            ends = f" that a {' or '.join(self.ask.options)} ends" if self.ask.options else ""
            return f"{who.name} has no effect{ends}; backspace chooses somebody else"
        return super().wants

    @property
    def missing(self) -> str:
        """One of them."""
        return super().missing if self._effects() else self.wants


def _called(who: Combatant, effect: Effect) -> str:
    """The name, as long as it means this one and is one word."""
    is_plain = who.named(effect.name) is effect and not is_own(effect)
    return effect.name if is_plain else effect.id


def _told(effect: Effect) -> str:
    name = with_amounts(effect) if effect.amount else effect.name
    return f"{name} ({effect.note})" if effect.note else name


class AgainSlot(ChoiceSlot):
    """What to do with an effect that is there already; asked only then."""

    label = "already there"

    def applies(self) -> bool:
        """Whether one of those named before has the effect named before."""
        effect = next((s.answer for s in self.earlier if isinstance(s, EffectKindSlot)), "")
        has = any(who.named(effect) is not None for who in self.people_before())
        return super().applies() and has

    def feed(self, key: str) -> Fed:
        """A letter chooses, unless that can't be done with this one."""
        fed = super().feed(key)
        why_not = self.barred_by(self.word) if fed is Fed.NEXT else ""
        if not why_not:
            return fed
        self.erase()
        self.trouble = why_not
        return Fed.REFUSED


class VerbSlot(ChoiceSlot):
    """Which of several commands it is. The first stands where one can get out by oneself; of those
    who are hidden, that they are shown."""

    label = "how"

    @property
    def stands_in(self) -> str:
        """The command, in place of the prompt's own."""
        return self.word or self._likely()

    def _likely(self) -> str:
        people = self.people_before()
        if "reveal" in self.ask.options:
            return "reveal" if people and all(who.hidden for who in people) else "conceal"
        who = self.person_before()
        picked = next((s.answer for s in self.earlier if isinstance(s, OwnEffectSlot)), "")
        effect = (who.named(picked) or who.effect(picked)) if who and picked else None
        rule = self.view.ruleset.tables.effects.get(effect.name) if effect else None
        escapes = rule is not None and rule.escape is not None
        return self.ask.options[0 if escapes else -1]

    @property
    def answer(self) -> str:
        """It adds no word of its own."""
        return ""

    @property
    def shown(self) -> str:
        """The command."""
        return self.stands_in

    @property
    def missing(self) -> str:
        """There is always a likely one."""
        return ""

    @property
    def leads(self) -> bool:
        """An enter before it takes the likely one."""
        return True

    def feed(self, key: str) -> Fed:
        """A letter chooses."""
        fed = super().feed(key)
        return Fed.REFUSED if fed is Fed.PASS else fed
