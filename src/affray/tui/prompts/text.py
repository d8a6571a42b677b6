"""Slots for words: free ones, names that are known, and the rest of a command."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from affray.core.language.words import Word
from affray.tui.prompts.amount import NumberSlot
from affray.tui.prompts.command_line import MOST_CHARACTERS, alike, split_last
from affray.tui.prompts.slot import Fed, Offer, Slot


class TextSlot(Slot):
    """Free words, which go into the command in quotes."""

    text = ""

    @property
    def label(self) -> str:
        """What the words are of."""
        return next(iter(self.ask.options), self.ask.kind).replace("-", " ")

    def feed(self, key: str) -> Fed:
        """Every character is part of it; but a digit begins none that may be left out: it answers
        what is asked next."""
        if key.isdecimal() and not self.text and self.ask.optional and self.ask.asked:
            return Fed.PASS
        return self._put(key)

    def falls_back(self, key: str) -> bool:
        """A digit begins it after all where it answers nothing else."""
        return self._put(key) is Fed.KEPT

    def _put(self, key: str) -> Fed:
        character = " " if key == "space" else key
        if len(character) != 1 or not character.isprintable():
            return Fed.REFUSED
        if len(self.text) >= MOST_CHARACTERS:
            self.trouble = f"no more than {MOST_CHARACTERS} characters"
            return Fed.REFUSED
        self.text += character
        return Fed.KEPT

    def read(self, words: Sequence[Word]) -> int:
        """One word, or several in quotes."""
        self.text = str(words[0])
        return 1

    def paste(self, text: str) -> None:
        """Put pasted words behind what is there, as many as there is room for."""
        self.text = (self.text + text)[:MOST_CHARACTERS]

    def hand_on(self, later: Sequence[Slot]) -> None:
        """Words at its end that answer a later ask, such as `ap 3`, go there."""
        for slot in later:
            if isinstance(slot, NumberSlot) and slot.ask.before:
                words, before, number = self.text.rpartition(f" {slot.ask.before} ")
                if before and number.isdecimal() and slot.takes(number):
                    self.text = words

    @property
    def wants(self) -> str:
        """Words."""
        return "words" + (", or nothing" if self.ask.optional else "")

    def erase(self) -> bool:
        """Take back a character."""
        if not self.text:
            return False
        self.text = self.text[:-1]
        return True

    @property
    def takes_space(self) -> bool:
        """A space is a character like others."""
        return True

    @property
    def answer(self) -> str:
        """The words in quotes."""
        text = self.text.strip().replace('"', "'")
        return f'"{text}"' if text else ""

    @property
    def shown(self) -> str:
        """The words as they are typed."""
        return self.text


class NameSlot(TextSlot):
    """A name, which may be one that is known: its beginning is enough then.

    A space behind it says that it is whole as it stands.
    """

    @property
    def label(self) -> str:
        """What it is the name of."""
        labels = {"clock": "name", "named-effect": "condition"}
        return labels.get(self.ask.kind, self.ask.kind)

    @cached_property
    def known(self) -> tuple[str, ...]:
        """Those that are known, each once."""
        return tuple(dict.fromkeys(self._known()))

    def _known(self) -> list[str]:
        state, who = self.view.state, self.view.state.find(self.view.actor)
        if self.ask.kind == "clock":
            return [clock.name for clock in state.clocks]
        if self.ask.kind == "named-effect":
            return list(self.view.ruleset.tables.effects)
        if self.ask.kind == "counter":
            return self.view.complete(f"{self.so_far()} ")
        if self.ask.kind in ("environment", "feature"):
            return self._surroundings()
        if self.ask.kind == "item" and who is not None:
            return [name for w in self.ask.options for name in self.view.ruleset.things(who, w)]
        own = self.view.ruleset.spells(who) if who is not None else []
        return [*self.view.memory.names.get(self.ask.kind, ()), *own]

    def _surroundings(self) -> list[str]:
        """The environments, or what is there in them: in those that are named here first."""
        rows = self.view.ruleset.tables.environments
        world = (who for who in self.view.state.combatants if who.side == "world")
        here = [effect.name for who in world for effect in who.effects if effect.name in rows]
        if self.ask.kind == "environment":
            return list(rows)
        return [name for key in (*here, *rows) for name in rows[key].features]

    def _fitting(self) -> list[str]:
        begun = self.text.casefold()
        return [name for name in self.known if name.casefold().startswith(begun)]

    @property
    def name(self) -> str:
        """The known one that was begun, or what was typed; the only clock, where nothing was."""
        is_only = self.ask.kind == "clock" and len(self.known) == 1
        fits = self._fitting() if self.text.strip() or is_only else []
        return fits[0] if fits else self.text.strip()

    @property
    def wants(self) -> str:
        """A known one, or any."""
        return "the beginning of one of these, or another" if self.known else super().wants

    def accept(self) -> None:
        """The one that was begun stands there whole."""
        self.text = self.name

    @property
    def answer(self) -> str:
        """The name in quotes."""
        name = self.name.replace('"', "'")
        bare = self.ask.kind in ("named-effect", "counter") and name in self.known
        return name if bare else f'"{name}"' if name else ""

    def offers(self) -> list[Offer]:
        """Those that begin so; the first is taken."""
        picked = self.name
        return [Offer("", name, name == picked) for name in self._fitting()]


class LineSlot(TextSlot):
    """The rest of the command as it stands; tab completes the last word, as far as only one fits.

    Tab writes nothing that was not begun.
    """

    @property
    def label(self) -> str:
        """What there is to be said, or what else there is."""
        return "more" if self.ask.optional else "words"

    def read(self, words: Sequence[Word]) -> int:
        """All that is left."""
        self.text = " ".join(f'"{word}"' if word.quoted else word for word in words)
        return len(words)

    @property
    def aside(self) -> bool:
        """More words are an extra, for who goes there."""
        return self.ask.optional and not self.ask.asked

    def offers(self) -> list[Offer]:
        """What the last word could be."""
        words = self.view.complete(f"{self.so_far()} {self.text}")
        return [Offer("", word) for word in words if word != "by"]

    def finish_word(self) -> None:
        """Complete the word that was begun: all of it, or as far as those that fit are alike."""
        stem, begun = split_last(self.text)
        fits = [offer.label for offer in self.offers()] if begun else []
        if fits:
            word = alike(fits) if fits[1:] else f"{fits[0]} "
            self.text = f"{stem}{max(word, begun, key=len)}"
        else:
            self.trouble = "nothing begins so" if begun else "begin a word: tab completes it"

    def accept(self) -> None:
        """The beginning of the last word is enough, where only one fits."""
        stem, begun = split_last(self.text)
        fits = [offer.label for offer in self.offers()] if begun else []
        if len(fits) == 1 and fits[0] != begun and self.barred_by(self.answer):
            self.text = f"{stem}{fits[0]}"

    @property
    def answer(self) -> str:
        """The words as they are."""
        return self.text.strip()

    @property
    def hint(self) -> str:
        """How to complete."""
        return "tab completes"
