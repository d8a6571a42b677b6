"""Slots for combatants: one of them, or several with a half for some."""

from __future__ import annotations

from collections.abc import Sequence

from affray.core.asks import Ask
from affray.core.state import Combatant
from affray.tui.prompts.slot import Fed, Offer, Slot
from affray.tui.prompts.view import View

HALF = "half"
"""The option of an ask for several that lets each of them take half."""
FOE = "foe"
"""The option of an ask for several that offers a likely foe before the one under the cursor."""

_MOVES = {"j": 1, "down": 1, "k": -1, "up": -1}


def unfit_for(slot: Slot, who: Combatant) -> str:
    """Why somebody does not come into question for what is done to others; empty when they do."""
    if slot.ask.others and who.id == slot.view.actor:
        return f"{who.name} acts: choose somebody else"
    return f"{who.name} is dead" if slot.ask.others and who.life == "dead" else ""


def no_number(number: int, view: View) -> str:
    """That nobody has that number."""
    most = max(view.by_number, default=0)
    return f"{number} is no number of the order: there are 1 to {most}; enter or tab goes on"


class PersonSlot(Slot):
    """One combatant: digits are its number on the list, j and k move what is offered."""

    def __init__(self, ask: Ask, view: View, earlier: Sequence[Slot]) -> None:
        super().__init__(ask, view, earlier)
        self.label = {"self": "who", "anyone": "who", "person": "who"}.get(ask.kind, ask.kind)
        self.digits = ""
        self.what = next(iter(ask.options), "")
        self.pick = self._likely()
        only = ask.kind == "person" and (self.pick == view.cursor or len(self.candidates) == 1)
        self.given = ask.kind == "self" or only

    def feed(self, key: str) -> Fed:
        """Digits gather; anything else but a move goes to the next slot."""
        if key.isdecimal():
            return self._digit(key)
        if key in _MOVES:
            self._move(_MOVES[key])
            return Fed.KEPT
        if self.missing:
            self.trouble = self.missing
            return Fed.REFUSED
        self.accept()
        return Fed.PASS

    def _digit(self, key: str) -> Fed:
        """Who does not come into question is refused, unless more digits may follow."""
        number = int(self.digits + key)
        people = self.view.by_number
        if number not in people:
            self.trouble = no_number(number, self.view)
            return Fed.REFUSED
        unfit = self.unfit(people[number])
        if unfit and number * 10 > max(people):
            self.trouble = unfit
            return Fed.REFUSED
        self.digits += key
        self.pick = people[number].id
        return Fed.KEPT

    def unfit(self, who: Combatant) -> str:
        """Why somebody does not come into question; empty when they do."""
        if self.ask.kind == "person" and not self.view.true_of(who, self.what):
            return f"not {who.name}: only who is {self.what}"
        return unfit_for(self, who)

    @property
    def candidates(self) -> dict[str, int]:
        """Who comes into question, with their numbers."""
        return {c.id: n for n, c in self.view.by_number.items() if not self.unfit(c)}

    def _likely(self) -> str:
        if self.ask.optional:
            return ""
        likely, fit = self.view.likely(self.ask.kind, self.what), self.candidates
        return likely if likely in fit else next(iter(fit), "")

    def accept(self) -> None:
        """The number is whole: who comes back here begins a new one."""
        self.digits = ""

    def _move(self, by: int) -> None:
        self.digits = ""
        fit = list(self.candidates)
        if fit:
            at = fit.index(self.pick) + by if self.pick in fit else 0
            self.pick = fit[at % len(fit)]

    def go_on(self) -> None:
        """Offer the next who comes into question."""
        self._move(1)

    def choose(self, who: str) -> None:
        """Take that combatant, as when a row is clicked."""
        found = self.view.state.find(who)
        self.trouble = self.unfit(found) if found is not None else ""
        if not self.trouble:
            self.digits = ""
            self.pick = who

    def erase(self) -> bool:
        """Take back a digit; the offer comes back with the last one."""
        if not self.digits:
            return False
        self.digits = self.digits[:-1]
        number = int(self.digits) if self.digits else 0
        self.pick = self.view.by_number[number].id if number else self._likely()
        return True

    @property
    def missing(self) -> str:
        """Nobody chosen, or somebody who does not come into question."""
        found = self.view.state.find(self.pick)
        if found is not None:
            return self.unfit(found)
        return "" if self.ask.optional else f"{self.label}: {self.wants}"

    @property
    def wants(self) -> str:
        """A number of the order."""
        return "a number of the order, or ↑ ↓" if self.candidates else "nobody comes into question"

    @property
    def touched(self) -> bool:
        """Whether a number was typed."""
        return bool(self.digits)

    @property
    def answer(self) -> str:
        """The id of the one who is picked."""
        return self.pick

    @property
    def leads(self) -> bool:
        """A target that may be left out is asked for all the same: so much hangs on it."""
        return self.preset or (self.ask.optional and self.ask.kind != "target")

    @property
    def shown(self) -> str:
        """The name of the one who is picked."""
        return self.view.state.name(self.pick) if self.pick else ""

    @property
    def preset(self) -> bool:
        """The one under the cursor needs no asking, nor does the only one."""
        return self.given and bool(self.pick)

    def offers(self) -> list[Offer]:
        """All who come into question, by number."""
        name = self.view.state.name
        fit = self.candidates.items()
        return [Offer(str(number), name(who), who == self.pick) for who, number in fit]


class PeopleSlot(Slot):
    """Several combatants: numbers with commas or spaces between; `h` halves it for the last one."""

    def __init__(self, ask: Ask, view: View, earlier: Sequence[Slot]) -> None:
        super().__init__(ask, view, earlier)
        self.chosen: list[str] = []
        self.halved: set[str] = set()
        self.digits = ""
        self._before = 0  # so many were chosen before the number that is being typed
        self.offered = "" if ask.optional else self._likely()

    def _likely(self) -> str:
        """Whom an attack is likely to be at; of what happens to people, the one with the cursor."""
        if self.at_foes:
            return self.view.likely("target")
        return self.view.cursor or self.view.likely("target")

    @property
    def at_foes(self) -> bool:
        """Whether it is likely to be done to foes."""
        return self.ask.others or FOE in self.ask.options

    def need(self, needed: bool) -> None:
        """Somebody is offered, once nobody would do."""
        super().need(needed)
        self.offered = self._likely() if needed else ""

    def feed(self, key: str) -> Fed:
        """Digits gather until a comma, which wants another; a space after them ends the slot."""
        if key.isdecimal():
            return self._digit(key)
        if key == ",":
            self.digits = ""
            self._settle_offer()
            return Fed.KEPT
        if key in _MOVES and not self.chosen:
            self._move(_MOVES[key])
            return Fed.KEPT
        if key == "h" and HALF in self.ask.options:
            self._settle_offer()
            typed = [self.view.by_number[int(self.digits)].id] if self.digits else []
            self.halved ^= set(typed or self.chosen[-1:])
            return Fed.KEPT
        self.digits = ""
        return Fed.PASS

    def accept(self) -> None:
        """What is offered becomes the answer."""
        self.digits = ""
        self._settle_offer()

    def _digit(self, key: str) -> Fed:
        number, people = int(self.digits + key), self.view.by_number
        if number not in people:
            self.trouble = no_number(number, self.view)
            return Fed.REFUSED
        if not self.digits:
            self._before = len(self.chosen)
        elif len(self.chosen) > self._before:  # the shorter number was somebody else's
            self._drop_last()
        self.digits += key
        who = people[number].id
        if who not in self.chosen:
            self.chosen.append(who)
        return Fed.KEPT

    def _drop_last(self) -> None:
        if self.chosen:
            self.halved.discard(self.chosen.pop())

    def _settle_offer(self) -> None:
        if not self.chosen and self.offered:
            self.chosen = [self.offered]

    def _move(self, by: int) -> None:
        fit = list(self.candidates)
        if fit:
            at = fit.index(self.offered) + by if self.offered in fit else 0
            self.offered = fit[at % len(fit)]

    def choose(self, who: str) -> None:
        """Take that combatant too, or leave them out again, as when a row is clicked."""
        self.digits = ""
        if who in self.chosen:
            self.chosen.remove(who)
            self.halved.discard(who)
        else:
            self.chosen.append(who)

    def erase(self) -> bool:
        """Take back the last one, or a number that named nobody new."""
        if not self.chosen:
            return False
        named_nobody_new = self.digits and len(self.chosen) == self._before
        self.digits = ""
        if named_nobody_new:
            return True
        self._drop_last()
        return True

    @property
    def _who(self) -> list[str]:
        return self.chosen or ([self.offered] if self.offered else [])

    @property
    def answer(self) -> str:
        """The ids, with commas between."""
        return ",".join(self._who)

    @property
    def shown(self) -> str:
        """The names; a half is shown as ½."""
        name = self.view.state.name
        return ", ".join(name(who) + (" ½" if who in self.halved else "") for who in self._who)

    @property
    def tail(self) -> str:
        """The half, which stands at the end of the command."""
        halved = [who for who in self.chosen if who in self.halved]
        return f"half {','.join(halved)}" if halved else ""

    def offers(self) -> list[Offer]:
        """All who come into question, by number."""
        who, name = self._who, self.view.state.name
        return [Offer(str(i), name(each), each in who) for each, i in self.candidates.items()]

    @property
    def hint(self) -> str:
        """The keys beyond the numbers."""
        return "1,3 several" + (" · h half" if HALF in self.ask.options else "")

    @property
    def wants(self) -> str:
        """Numbers of the order."""
        half = "; h halves it for the last" if HALF in self.ask.options else ""
        return f"numbers of the order, with commas between{half}"

    @property
    def candidates(self) -> dict[str, int]:
        """Everybody, with their numbers; of an attack, not the actor and not the dead."""
        return {c.id: n for n, c in self.view.by_number.items() if not unfit_for(self, c)}
