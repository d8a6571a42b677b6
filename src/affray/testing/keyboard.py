"""A fight seen from the keys: the prompts that they open, for whom, and with what result."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from affray.core.engine import turns
from affray.core.engine.decide import Decision
from affray.core.engine.foresight import Foresight
from affray.core.engine.state import Encounter
from affray.core.parser.declarations import PromptSpec
from affray.core.parser.errors import GameFault, Refused
from affray.core.rules.ruleset import PendingDecision
from affray.fight import Fight
from affray.testing.wanted_line import WantedLine
from affray.tui.keymap import COMMAND, KeyBinding, keymap_for
from affray.tui.prompts import follow_ups
from affray.tui.prompts.command_bar import InputState
from affray.tui.prompts.context import PromptContext
from affray.tui.prompts.field import PromptField
from affray.tui.prompts.opening import begin_prompt, last_struck
from affray.tui.prompts.prompt import Prompt

NEXT, ANSWER = "next", "answer"
"""The entries of the table of keys that end a turn, and that answer what waits at its start or
end."""
VERB = "verb"
_keymap = lru_cache(maxsize=8)(keymap_for)
_Kept = TypeVar("_Kept", bound=Prompt | PromptField)


class Opening(NamedTuple):
    """A way to begin a prompt: the cursor on somebody, then its keys."""

    keys: tuple[str, ...]
    key: KeyBinding
    cursor: str


class Keyboard:
    """The keys of a fight as it stands. Pressing them here doesn't change the fight."""

    def __init__(self, fight: Fight) -> None:
        self.fight, self.state = fight, fight.state
        self.keymap = _keymap(fight.ruleset)
        self.numbers = {c.id: str(number) for number, c in self.state.by_number().items()}
        self.cursor = self.state.turn or next(iter(self.numbers), "")
        self._foresight = Foresight(fight.preview)
        self._last_struck = last_struck(fight.history)
        self._views: dict[tuple[str, str], PromptContext] = {}
        self._held: list[PendingDecision] | None = None

    # -- what opens --------------------------------------------------------------------------------

    def openings(self, verb: str, wanted: WantedLine) -> Iterator[Opening]:
        """The ways to begin a command's prompt, with the cursor on those it may be about."""
        world = [c.id for c in self.state.combatants if c.side == "world"]
        actor = wanted.actor or self.state.turn
        people = [*filter(None, (actor, self.cursor)), *wanted.people[:3], *world[:2]]
        begin = self.keys_of(verb)
        for key in begin:
            for who in dict.fromkeys(people or [""]):
                if who == self.cursor or who in self.numbers:
                    moves = () if who == self.cursor else tuple(self.numbers[who])
                    yield Opening((*moves, *key.pressed), key, who)
        if turns.pending(self.fight.ruleset, self.state):
            yield Opening(("enter",), self.keymap.by_id[ANSWER], self.cursor)
        if self.held and not any(key.id == NEXT for key in begin):
            yield Opening(self.keymap.by_id[NEXT].keys[:1], self.keymap.by_id[NEXT], self.cursor)

    def keys_of(self, verb: str) -> list[KeyBinding]:
        """The entries that give a command: their line begins with it, or it is one of their
        choices."""

        def gives(spec: PromptSpec) -> bool:
            chosen = [word for f in spec.fields if f.kind == VERB for word in f.options]
            return verb in (spec.command.partition(" ")[0], *chosen)

        return [key for key in self.keymap.keys if key.prompt is not None and gives(key.prompt)]

    @property
    def held(self) -> list[PendingDecision]:
        """The decisions to answer before the turn may end."""
        if self._held is None:
            self._held = self.fight.asked_before_end()
        return self._held

    def begin(self, opening: Opening) -> Prompt:
        """Begin a prompt, as the screen of a fight does."""
        key = opening.key
        if key.id == ANSWER or key.prompt is None:
            return self._waiting(turns.pending(self.fight.ruleset, self.state))
        if key.id == NEXT and self.held:
            return self._waiting(self.held)
        view = self._view(key.prompt, opening.cursor)
        return begin_prompt(key.prompt, view)

    def _waiting(self, pending: list[PendingDecision]) -> Prompt:
        key = self.keymap.by_id[NEXT]
        ends = key.keys if any(each in self.held for each in pending) else ()
        view = self._view(follow_ups.WHAT_WAITS, self.cursor)
        ending = key.prompt.command if key.prompt is not None else ""
        return follow_ups.DecisionPrompt(pending, view, ends, ending)

    def _view(self, spec: PromptSpec, cursor: str) -> PromptContext:
        turn = self.state.turn
        actor = cursor or turn if spec.acts or not turn else turn
        if (actor, cursor) not in self._views:
            self._views[actor, cursor] = PromptContext(
                self.state,
                self.fight.ruleset,
                actor=actor,
                cursor=cursor,
                complete=self.fight.complete,
                preview_command=self._foresight,
                last_struck=self._last_struck,
                previous=self.fight.history.previous,
            )
        return self._views[actor, cursor]

    # -- what is pressed ---------------------------------------------------------------------------

    def press(self, prompt: Prompt, keys: tuple[str, ...]) -> InputState:
        """Press keys in a prompt; returns its state: open, finished, or left on the way."""
        step = InputState.OPEN
        for key in keys:
            if step is not InputState.OPEN:
                return InputState.LEFT  # more keys than it took
            if self._goes_to_the_bar(prompt, key):
                return InputState.LEFT
            step = prompt.feed(key)
        return step

    def _goes_to_the_bar(self, prompt: Prompt, key: str) -> bool:
        found = self.keymap.find(key)
        return found is not None and found.id == COMMAND and not prompt.writes

    def decide(self, line: str) -> Decision | None:
        """Decide a line with the dice of the fight; None if it is refused."""
        try:
            return self.fight.preview(line, deepcopy(self.fight.dice))
        except GameFault:
            raise
        except Refused:
            return None


def after(fight: Fight, line: str) -> Fight:
    """A fight like this one, with one more line given."""
    later = Fight(fight.ruleset, fight.state.title)
    for seq, entry in fight.history.entries.items():
        later.history.apply(entry, fight.history.states[seq])
    later.dice = deepcopy(fight.dice)
    later.do(line)
    return later


def copied(prompt: Prompt) -> Prompt:
    """A copy of a prompt to go on with; the fields' context is shared."""
    return _copy(prompt, {})


def _copy(original: _Kept, copies: dict[int, Any]) -> _Kept:
    copy = object.__new__(type(original))
    copies[id(original)] = copy
    copy.__dict__.update((name, _within(value, copies)) for name, value in vars(original).items())
    return copy


def _within(value: Any, copies: dict[int, Any]) -> Any:
    if isinstance(value, str | int | PromptContext | Encounter):
        return value
    if id(value) in copies:
        return copies[id(value)]
    if isinstance(value, Prompt | PromptField):
        return _copy(value, copies)
    if isinstance(value, list) and value and isinstance(value[0], PromptField):
        row: list[PromptField] = type(value)()  # one that forgets as its fields are answered
        copies[id(value)] = row
        row += (_within(each, copies) for each in value)
        return row
    if type(value) is tuple and value and isinstance(value[0], PromptField):
        return tuple(_within(each, copies) for each in value)
    return value
