"""Slots for combatants: one of them, or several with a half for some."""

from __future__ import annotations

from collections.abc import Sequence

from affray.tui.prompts.slot import Fed, Offer, Slot
from affray.tui.prompts.spec import Ask
from affray.tui.prompts.view import View

_MOVES = {"j": 1, "down": 1, "k": -1, "up": -1}


class PersonSlot(Slot):
    """One combatant: digits are its number on the list, j and k move what is offered."""

    def __init__(self, ask: Ask, view: View, earlier: Sequence[Slot]) -> None:
        super().__init__(ask, view, earlier)
        self.label = {"self": "who", "anyone": "who", "dying": "who"}.get(ask.kind, ask.kind)
        self.digits = ""
        self.pick = "" if ask.optional else view.likely(ask.kind)

    def feed(self, key: str) -> Fed:
        """Digits gather; anything else but a move goes to the next slot."""
        if key.isdecimal():
            if not 1 <= int(self.digits + key) <= len(self.view.people):
                return Fed.REFUSED
            self.digits += key
            self.pick = self.view.people[int(self.digits) - 1].id
            return Fed.KEPT
        if key in _MOVES:
            self._move(_MOVES[key])
            return Fed.KEPT
        if not self.pick and not self.ask.optional:
            return Fed.REFUSED
        self.accept()
        return Fed.PASS

    def accept(self) -> None:
        """The number is whole: who comes back here begins a new one."""
        self.digits = ""

    def _move(self, by: int) -> None:
        self.digits = ""
        people = self.view.people
        if people:
            at = self.view.number(self.pick) - 1
            self.pick = people[(at + by) % len(people)].id if at >= 0 else people[0].id

    def choose(self, who: str) -> None:
        """Take that combatant, as when a row is clicked."""
        self.digits = ""
        self.pick = who

    def erase(self) -> bool:
        """Take back a digit; the offer comes back with the last one."""
        if not self.digits:
            return False
        self.digits = self.digits[:-1]
        number = int(self.digits) if self.digits else 0
        likely = "" if self.ask.optional else self.view.likely(self.ask.kind)
        self.pick = self.view.people[number - 1].id if number else likely
        return True

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
        """The one under the cursor needs no asking."""
        return self.ask.kind in ("self", "dying") and bool(self.pick)

    def offers(self) -> list[Offer]:
        """Everybody, by number."""
        return [Offer(str(i), c.name, c.id == self.pick) for i, c in enumerate(self.view.people, 1)]


class PeopleSlot(Slot):
    """Several combatants: numbers with commas or spaces between; `h` halves it for the last one."""

    def __init__(self, ask: Ask, view: View, earlier: Sequence[Slot]) -> None:
        super().__init__(ask, view, earlier)
        self.chosen: list[str] = []
        self.halved: set[str] = set()
        self.digits = ""
        self.offered = view.cursor or view.likely("target")

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
        if key == "h":
            self._settle_offer()
            self.halved ^= set(self.chosen[-1:])
            return Fed.KEPT
        self.digits = ""
        return Fed.PASS

    def accept(self) -> None:
        """What is offered becomes the answer."""
        self.digits = ""
        self._settle_offer()

    def _digit(self, key: str) -> Fed:
        number = int(self.digits + key)
        if not 1 <= number <= len(self.view.people):
            return Fed.REFUSED
        if self.digits:
            self._drop_last()
        self.digits += key
        who = self.view.people[number - 1].id
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
        people = self.view.people
        if people:
            at = self.view.number(self.offered) - 1
            self.offered = people[(at + by) % len(people)].id

    def choose(self, who: str) -> None:
        """Take that combatant too, or leave them out again, as when a row is clicked."""
        self.digits = ""
        if who in self.chosen:
            self.chosen.remove(who)
            self.halved.discard(who)
        else:
            self.chosen.append(who)

    def erase(self) -> bool:
        """Take back the last one."""
        if not self.chosen:
            return False
        self.digits = ""
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
        """Everybody, by number."""
        who = self._who
        return [Offer(str(i), c.name, c.id in who) for i, c in enumerate(self.view.people, 1)]

    @property
    def hint(self) -> str:
        """The keys beyond the numbers."""
        return "1,3 several · h half"
