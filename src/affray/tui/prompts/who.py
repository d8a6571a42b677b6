"""What slots that ask who it is have in common: of one (`person.py`) or several (`people.py`)."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from affray.core.heart.state import Combatant
from affray.core.language.refusal import listed
from affray.core.language.who import called_like
from affray.tui.prompts.numbers import no_number
from affray.tui.prompts.slot import Fed, Offer, Slot
from affray.tui.prompts.view import PARTY, Numbered, PromptView

MOVES = {"j": 1, "down": 1, "k": -1, "up": -1}
"""The keys that move what is offered."""
DOERS = ("self", "anyone")
"""The kinds of asks that name whoever does it, before an ally of theirs is asked for."""
NAMES = "'"
"""The key behind which letters are those of a name, whatever else they could answer."""


class WhoSlot(Slot):
    """Somebody of those in the fight, by the number on the list, by letters of a name, or by j
    and k.

    pick   the id of the one who is offered, and taken where nobody else is named
    typed  what was typed of a name; None where none is typed
    """

    pick = ""
    typed: str | None = None
    _fitting: tuple[str, dict[str, int]] | None = None
    """For whom it was found out who comes into question, and who does."""

    @property
    def at_foes(self) -> bool:
        """Whether it is likely to be done to foes."""
        return self.ask.kind == "target"

    def unfit(self, who: Combatant) -> str:
        """Why somebody does not come into question; empty when they do.

        Where others are asked for (`Ask.others`), neither whoever acts does, nor the dead.
        """
        if self.ask.others and who.id == self.view.actor:
            return f"{who.name} acts: choose somebody else"
        return f"{who.name} is dead" if self.ask.others and who.life == "dead" else ""

    @property
    def candidates(self) -> dict[str, int]:
        """Who comes into question, with their numbers, first those whom it is meant for: foes,
        the party, or those who are on the side of whoever was named before."""
        view = self._view_of_doer
        if self._fitting is None or self._fitting[0] != view.actor:
            row = self._row(view)
            fit = {who.id: number for number, who in row if not self.unfit(who)}
            self._fitting = view.actor, fit
        return self._fitting[1]

    def _row(self, view: PromptView) -> Numbered:
        if self.at_foes:
            return view.foes_first
        if PARTY in self.ask.options:
            return view.party_first
        return view.friends_first if self.ask.kind == "ally" else view.standing_first

    @property
    def _view_of_doer(self) -> PromptView:
        """The fight for whoever an ally is one of: the one who was named before, else the actor."""
        doer = self.person_before(DOERS) if self.ask.kind == "ally" else None
        return self.view if doer is None else replace(self.view, actor=doer.id)

    def offer_next(self, by: int = 1) -> None:
        """Offer somebody else of those who come into question, by so many steps."""
        fit = list(self.candidates)
        if fit:
            at = fit.index(self.pick) + by if self.pick in fit else 0
            self.pick = fit[at % len(fit)]

    # -- by name -----------------------------------------------------------------------------------

    def begins_name(self, key: str) -> bool:
        """Take a key that nobody else wanted as the first letter of a name; False for not taken."""
        if self.touched or not key.isalpha() or len(key) > 1 or not self._called(key):
            return False
        self.typed = ""
        return self.type_name(key) is not None

    def type_name(self, key: str) -> Fed | None:
        """Take a key that goes on with a name; None for one that doesn't belong to it.

        A number that can't grow ends it, as it ends one of the list.
        """
        longer = f"{self.typed or ''}{key}"
        if len(key) > 1 or not key.isalnum():
            return None
        found = self._called(longer)
        grows = any(self._called(longer + digit) for digit in "0123456789")
        if not found and not (grows and key.isdecimal()):
            return None
        self.typed = longer
        self.name(found[0].id if len(found) == 1 else "")
        return Fed.NEXT if found and key.isdecimal() and not grows else Fed.KEPT

    def untype(self, offered: str) -> bool:
        """Take back the last key of a name, and with the first the name; False for none there."""
        if self.typed is None:
            return False
        left, self.typed, self.pick = self.typed[:-1], None, offered
        for key in left:
            self.type_name(key)
        return True

    def name(self, who: str) -> None:
        """Take the one whose name was typed; empty while it could be several."""
        self.pick = who

    def _called(self, word: str) -> list[Combatant]:
        """Those who come into question whose names have that."""
        return called_like(word, filter(None, map(self.view.state.find, self.candidates)))

    @property
    def unnamed(self) -> str:
        """Whom letters could mean that name nobody alone; empty where there are none."""
        if self.typed is None or self.pick:
            return ""
        found = self._called(self.typed) if self.typed else []
        could = f"{self.typed} could be {listed(c.name for c in found)}"
        return could if found else "a name: letters of a word of it, and its number"

    # -- what is shown -----------------------------------------------------------------------------

    def by_number(self, picked: Collection[str]) -> list[Offer]:
        """All who come into question, each with the number."""
        people = self.view.by_number
        meant = {c.id for c in self._called(self.typed)} if self.typed else self.candidates
        fit = ((who, number) for who, number in self.candidates.items() if who in meant)
        return [Offer(str(number), people[number].name, who in picked) for who, number in fit]

    def nobody_has(self, digits: str) -> str:
        """Why digits name nobody, and what takes those before the last."""
        return f"{no_number(digits, self.view.by_number)}; enter or tab goes on"
