"""The context of a prompt: the state, the rules, the actor, and remembered answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

from msgspec import Struct

from affray.core.engine import turn_order, turns
from affray.core.engine.decide import Continuation, Decision, follow
from affray.core.engine.dice_owners import is_rolled_by_player
from affray.core.engine.effects import active_effects
from affray.core.engine.foresight import Foresight
from affray.core.engine.history import EarlierEntry
from affray.core.engine.state import Combatant, Encounter
from affray.core.parser.declarations import is_true_of
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import DUE, NAMES_NEXT, PLACED, UNPLACED
from affray.core.rules.ruleset import Ruleset
from affray.tui.prompts.causes import cause_of
from affray.tui.prompts.preview import lacks_words, nothing_foreseen

Numbered = tuple[tuple[int, Combatant], ...]
"""People with their numbers on the list."""
PARTY = "party"
"""The option of a field that is for the party, whoever's turn it is."""


class AnswerMemory(Struct, frozen=True):
    """The answers given in earlier prompts, to offer again. No log has them.

    target   id of the target chosen last, likely the next one as well
    people   ids of the last targets
    amounts  the amounts given last, by kind and by the two they are between
    names    the names given before, newest first, by kind, such as `spell`, and owner (empty for
             none)
    """

    target: str = ""
    people: tuple[str, ...] = ()
    amounts: Mapping[tuple[str, frozenset[str]], str] = {}
    names: Mapping[tuple[str, str], tuple[str, ...]] = {}


class PromptContext(Struct, frozen=True, dict=True):
    """The fight as a prompt sees it.

    actor        id of the combatant who acts
    cursor       id of the combatant under the cursor
    complete     the words that could end a line
    preview_command      the result of a line with stub dice, or its refusal
    memory       the answers given before
    last_struck  id of the target of the last roll against somebody
    previous     the last entry, with those before it
    reaction     the reaction asked for; empty for none
    """

    state: Encounter
    ruleset: Ruleset
    actor: str = ""
    cursor: str = ""
    complete: Callable[[str], list[str]] = lambda line: []
    preview_command: Foresight = Foresight(nothing_foreseen)
    memory: AnswerMemory = AnswerMemory()
    last_struck: str = ""
    previous: EarlierEntry | None = None
    reaction: str = ""

    def decide(self, line: str) -> Decision | None:
        """Preview a line; None when it is refused."""
        found = self.preview_command(line)
        return found if isinstance(found, Decision) else None

    def follow(self, line: str) -> Continuation:
        """Ask the parser what may follow a line; each line is read once."""
        found = self._followed.get(line)
        if found is None:
            found = self._followed[line] = follow(self.state, line, self.ruleset)
        return found

    @cached_property
    def _followed(self) -> dict[str, Continuation]:
        return {}

    def lacks(self, line: str) -> bool:
        """True if a line is refused only for missing words at its end."""
        found = self.preview_command(line)
        return isinstance(found, Refused) and lacks_words(line, found)

    def barred(self, line: str) -> str:
        """The reason why a line is refused, whatever words follow; empty when it isn't."""
        found = self.preview_command(line)
        if not isinstance(found, Refused) or lacks_words(line, found):
            return ""
        return found.bare

    @cached_property
    def people(self) -> tuple[Combatant, ...]:
        """The combatants in the fight in the order of initiative."""
        return tuple(self.state.in_order())

    @cached_property
    def by_number(self) -> dict[int, Combatant]:
        """The combatants in the fight by their numbers, in the order of initiative."""
        return self.state.by_number()

    def by_the_app(self, roller: Combatant | None = None) -> bool:
        """True if affray rolls for somebody (by default the actor) unless the GM gives the die."""
        found = roller or self.state.find(self.actor)
        return found is not None and not is_rolled_by_player(self.state, found)

    def likely(self, whom: str, what: str = "") -> str:
        """The id offered first for `target`, `ally`, `self`, `person` or `anyone`.

        A `person` is somebody for whom `what` is true, the one under the cursor first.
        """
        if whom == "target" and self.reaction:
            return self.cause(self.actor)
        if whom == "target":
            return self.likely_foe() or self.cursor
        if whom == "ally":
            return self._first(lambda c: self._is_friend(c) and c.id != self.actor) or self.actor
        if whom == "person":
            combatant = self.state.find(self.cursor)
            if combatant is not None and self.true_of(combatant, what):
                return combatant.id
            return self._first(lambda c: self.true_of(c, what))
        if what == PARTY:
            standing = (each for _, each in self.first(PARTY) if not each.is_out)
            own = [each.id for each in standing if each.side == PARTY]
            return next(
                (
                    combatant_id
                    for combatant_id in (self.cursor, self.actor, *own)
                    if combatant_id in own
                ),
                "",
            )
        whose = self.cursor or self.actor
        waiting = self.unplaced_from(whose) if what == UNPLACED else []
        return waiting[0] if waiting else whose

    def cause(self, reactor: str) -> str:
        """The id of whoever caused this reaction; empty for nobody."""
        return cause_of(self.previous, self.state, self.ruleset, self.reaction, reactor)

    def unplaced_from(self, place: str) -> list[str]:
        """The characters without initiative, beginning with that one: players call out their
        own."""
        row = [c.id for c in self.state.combatants if c.kind == "pc"]
        at = row.index(place) if place in row else 0
        return [w for w in row[at:] + row[:at] if self.true_of(self.state[w], UNPLACED)]

    def first(self, who: str = "") -> Numbered:
        """People with their numbers: first those whom the field wants (for `target` the actor's
        foes, for `party` the party, for `ally` the actor's side, led by their own such as a
        companion), last those out of the fight."""
        if who not in self._first_of:
            of: dict[str, Callable[[Combatant], tuple[bool, ...]]] = {
                "": lambda c: (),
                "target": lambda c: (not self._is_foe(c), not self._is_opponent(c)),
                "party": lambda c: (c.side != PARTY,),
                "ally": lambda c: (not self._is_friend(c), c.stats.get("owner") != self.actor),
            }
            rank = of[who]
            row = sorted(self.by_number.items(), key=lambda each: (each[1].is_out, *rank(each[1])))
            self._first_of[who] = tuple(row)
        return self._first_of[who]

    @cached_property
    def _first_of(self) -> dict[str, Numbered]:
        return {}

    @cached_property
    def _due(self) -> list[str]:
        """The ids of those who may be named to act next."""
        return turns.choices(self.state)

    @cached_property
    def _me(self) -> Combatant | None:
        """The combatant that acts."""
        return self.state.find(self.actor)

    def true_of(self, combatant: Combatant, what: str) -> bool:
        """True if somebody is in the state that a field's option names; `unplaced` means without
        initiative in this fight, `placed` with it."""
        slot = self.state.slot(combatant.id)
        if what in (DUE, NAMES_NEXT):
            return combatant.id in self._due if what == DUE else len(self._due) > 1
        if slot is not None and what == PLACED:
            return not slot.gone and slot.initiative is not None
        if slot is not None and what == UNPLACED:
            is_over = slot.initiative is not None and turn_order.is_finished(self.state)
            return not slot.gone and (slot.initiative is None or is_over)
        return is_true_of(self.ruleset, self.state, self.actor, combatant, what)

    def likely_foe(self) -> str:
        """The foe offered first; empty if none stands: the one under the cursor; out of turn, the
        one whose turn it is; the last target, if still up; the first. In a newly opened fight the
        last target comes from the log.
        """
        up = "" if self.state.takes_turn(self.actor) else self.state.turn
        target = self.memory.target or self.last_struck
        last = self.state.find(target)
        lasts = last is not None and last.life == "up"
        for combatant_id in (self.cursor, up, target if lasts else ""):
            found = self.state.find(combatant_id)
            if found is not None and self._is_foe(found) and not self._is_unseen(found):
                return found.id
        foes = [c for c in self.people if self._is_foe(c)]
        likely = sorted(foes, key=lambda c: (not self._is_opponent(c), c.life != "up"))
        seen = next((c.id for c in likely if not self._is_unseen(c)), "")
        return seen or next((c.id for c in foes), "")

    def _is_opponent(self, other: Combatant) -> bool:
        """True if they are enemies, and neither is a bystander."""
        me = self._me
        return me is not None and {me.side, other.side} == {"party", "foes"}

    def _is_unseen(self, other: Combatant) -> bool:
        """True if attacks on it are hindered from anywhere."""
        tables = self.ruleset.tables
        rules = [tables.effects.get(name) for name in active_effects(tables, self.state, other)]
        return any(rule.suffers.get("disadvantage") == "always" for rule in rules if rule)

    def _first(self, fits: Callable[[Combatant], bool]) -> str:
        return next((c.id for c in self.people if fits(c)), "")

    def _is_friend(self, other: Combatant) -> bool:
        me = self._me
        return me is not None and other.side == me.side

    def _is_foe(self, other: Combatant) -> bool:
        standing = not other.is_out and other.side != "world"
        return standing and other.id != self.actor and not self._is_friend(other)
