"""Slots that are never asked for: a capital letter says them while another slot is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from affray.core.language.words import Word
from affray.tui.prompts.choice import WordSlot, keys_for
from affray.tui.prompts.people import GROUPS, PeopleSlot
from affray.tui.prompts.slot import Offer

LEANS = {"adv": "a", "advantage": "a", "dis": "d", "disadvantage": "d"}
"""The letters of what speaks for a roll and against it: the same in every game, and no other's."""
IN_FULL = {"adv": "advantage", "dis": "disadvantage"}
"""Words of commands as they are shown."""


class HeardSlot(WordSlot):
    """Words that are added to the command by their capital letters, and taken away by them again.

    Several can be said; of those that stand for one another only the last.
    """

    one_alone = False
    said: tuple[str, ...] = ()

    @cached_property
    def keys(self) -> dict[str, str]:
        """What can be said, by capital letters that no slot before it has."""
        others = [slot for slot in self.earlier if isinstance(slot, HeardSlot)]
        taken = [*LEANS.values(), *(key.casefold() for slot in others for key in slot.keys)]
        if any(isinstance(slot, PeopleSlot) for slot in self.earlier):
            taken += GROUPS
        leans = {LEANS[word]: word for word in self.choices if word in LEANS}
        rest = keys_for([word for word in self.choices if word not in LEANS], taken)
        return {key.upper(): word for key, word in {**leans, **rest}.items()}

    @property
    def choices(self) -> tuple[str, ...]:
        """What can be said."""
        return self.ask.options

    def hears(self, key: str) -> bool:
        """Say it, or not after all."""
        word = self.keys.get(key) if key.isalpha() else None
        if word is None:
            return False
        others = () if self.one_alone else tuple(each for each in self.said if each != word)
        self.said = others if word in self.said else (*others, word)
        return True

    def overheard(self) -> list[Offer]:
        """What can be said, by its capital letter."""
        row = self.keys.items()
        return [
            Offer(key, IN_FULL.get(word, word), word in self.said)
            for key, word in row
            if key.isalpha()
        ]

    def read_tail(self, words: Sequence[Word]) -> list[Word]:
        """The words that it says, wherever they stand."""
        self.said = tuple(str(word) for word in words if word in self.keys.values())
        return [word for word in words if word not in self.said]

    def read(self, words: Sequence[Word]) -> int:
        """It stands at the end only."""
        return 0

    def erase(self) -> bool:
        """It is taken back by its letter."""
        return False

    @property
    def answer(self) -> str:
        """It adds nothing where it stands."""
        return ""

    @property
    def shown(self) -> str:
        """What was said."""
        return ", ".join(IN_FULL.get(word, word) for word in self.said)

    @property
    def tail(self) -> str:
        """What was said, at the end of the command."""
        return " ".join(self.said)


class WeaponSlot(HeardSlot):
    """The attack with which it is done, where that is not the first of the actor's."""

    one_alone = True

    @property
    def choices(self) -> tuple[str, ...]:
        """The actor's attacks by name, but the first: that needs no saying, where one is made in
        any case."""
        who = self.view.state.find(self.view.actor)
        row = self.view.ruleset.weapons(who) if who is not None else ()
        return tuple(row if self.ask.options else row[1:])

    def read_tail(self, words: Sequence[Word]) -> list[Word]:
        """`with` and the name, or its beginning."""
        left = list(words)
        for index in range(len(left) - 1):
            begun = left[index + 1].casefold()
            names = tuple(w for w in self.keys.values() if w.casefold().startswith(begun))
            if left[index] == "with" and not left[index].quoted and names:
                self.said = names[:1]
                del left[index : index + 2]
                break
        return left

    @property
    def shown(self) -> str:
        """What it is done with."""
        return f"with {self.said[0]}" if self.said else ""

    @property
    def tail(self) -> str:
        """`with bow`."""
        name = self.said[0] if self.said else ""
        return f'with "{name}"' if " " in name else f"with {name}" if name else ""
