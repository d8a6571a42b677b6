"""What a prompt knows of the fight: the state, the rules, and for whom the keys act."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from affray.core.ruleset import Ruleset
from affray.core.state import OUT_OF_THE_FIGHT, Combatant, Encounter


@dataclass(frozen=True)
class View:
    """The fight as a prompt sees it.

    actor        id of the combatant who does it
    cursor       id of the combatant on whom the cursor stands
    last_target  id of the target chosen last, which is likely the next one as well
    complete     the words that could stand at the end of a line
    """

    state: Encounter
    ruleset: Ruleset
    actor: str = ""
    cursor: str = ""
    last_target: str = ""
    complete: Callable[[str], list[str]] = lambda line: []

    @cached_property
    def people(self) -> tuple[Combatant, ...]:
        """Those in the fight in the order of initiative: number 1 is the first."""
        return tuple(self.state.in_order())

    def number(self, who: str) -> int:
        """The number on the list; 0 for somebody who is not there."""
        ids = [c.id for c in self.people]
        return ids.index(who) + 1 if who in ids else 0

    def by_the_app(self, roller: Combatant | None = None) -> bool:
        """Whether the app rolls for somebody (the actor) unless the GM says what fell."""
        found = roller or self.state.find(self.actor)
        return found is not None and found.kind != "pc"

    def likely(self, whom: str) -> str:
        """The id that is offered first for `target`, `ally`, `self`, `dying` or `anyone`."""
        if whom == "target":
            return self._likely_foe() or self.cursor
        if whom == "ally":
            return self._first(lambda c: self._is_friend(c) and c.id != self.actor) or self.actor
        if whom == "dying":
            here = self.state.find(self.cursor)
            if here is not None and here.life == "dying":
                return here.id
            return self._first(lambda c: c.life == "dying") or self.cursor
        return self.cursor or self.actor

    def _likely_foe(self) -> str:
        for who in (self.cursor, self.last_target):
            found = self.state.find(who)
            if found is not None and self._is_foe(found):
                return found.id
        return self._first(self._is_foe)

    def _first(self, fits: Callable[[Combatant], bool]) -> str:
        return next((c.id for c in self.people if fits(c)), "")

    def _is_friend(self, other: Combatant) -> bool:
        me = self.state.find(self.actor)
        return me is not None and other.side == me.side

    def _is_foe(self, other: Combatant) -> bool:
        standing = other.life not in OUT_OF_THE_FIGHT and other.side != "world"
        return standing and other.id != self.actor and not self._is_friend(other)
