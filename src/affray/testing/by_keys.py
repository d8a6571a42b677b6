"""Give a typed command by keys: search for keys that give the same events with the same dice.

The search goes on from the prompt whose line is nearest to the wanted one; if that leads nowhere,
from the one with the most of its words in order. It never types words into the rest of a line:
whoever types these could type the command. If no keys give it, `:` goes on from a prompt, with the
fewest characters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

from affray.core.engine.decide import Decision
from affray.core.parser.errors import Refused
from affray.fight import Fight
from affray.testing.keyboard import Keyboard, Opening, after, copied
from affray.testing.strokes import Keys, strokes
from affray.testing.wanted_line import WantedLine, plain
from affray.tui.prompts.command_bar import InputState
from affray.tui.prompts.prompt import Prompt

MOST_PRESSED = 800
"""The most tries for one line."""
MOST_ASKED_ON, MOST_IN_ORDER = 5, 12
"""The most fields to ask after those with which a prompt began; more while the words are in
order."""
A_KEY, A_STROKE, LESS_BEGUN = 0.02, 0.3, 2.0
"""The costs of a key beside a missing word, of an answer or a step, and of each word that another
opening would have saved."""
ENTER = ("enter",)


class Typed(NamedTuple):
    """Keys that give the same as a typed command, and the line that they make."""

    opening: Opening
    keys: Keys
    line: str

    @property
    def pressed(self) -> int:
        """The number of keys, including those that put the cursor on somebody."""
        return len(self.opening.keys) + len(self.keys)

    @property
    def shown(self) -> str:
        """The keys, with blanks between."""
        return " ".join((*self.opening.keys, *self.keys))


class TypedOn(NamedTuple):
    """A prompt continued in the command bar: its keys, the line so far, and the typed rest."""

    opening: Opening
    keys: Keys
    begun: str
    words: str

    @property
    def shown(self) -> str:
        """The keys with blanks between, then the typed rest."""
        return " ".join((*self.opening.keys, *self.keys, ":", self.words))


class NoKeys(NamedTuple):
    """The result if no keys are found: the reason, the nearest line, and the prompt that `:`
    continues with the fewest characters, if any."""

    why: str
    nearest: str = ""
    typed_on: TypedOn | None = None


def keys_for(fight: Fight, line: str, most: int = MOST_PRESSED) -> Typed | NoKeys:
    """Find keys for a typed command, in the fight as it stands. Raises Refused for a command that
    the fight refuses. `most` is the number of tries.
    """
    return _Search(fight, line).run(most)


def fewest_keys(fight: Fight, typed: Typed, line: str) -> Typed:
    """Leave out keys that make no difference to the result."""
    search = _Search(fight, line)
    for at in range(len(typed.keys) - 1, -1, -1):
        fewer = (*typed.keys[:at], *typed.keys[at + 1 :])
        prompt = search.keyboard.begin(typed.opening)
        step = search.keyboard.press(prompt, fewer)
        if fewer and step is InputState.FINISHED and search.is_the_same(prompt.line):
            typed = typed._replace(keys=fewer, line=prompt.line)
    return typed


class _Begun(NamedTuple):
    """An open prompt, the keys so far with their answers and steps, its distance from the wanted
    line, and the keys still to try."""

    opening: Opening
    keys: Keys
    prompt: Prompt
    fields: int
    steps: int = 0
    far: float = 0.0
    untried: Iterator[Keys] | None = None


class _Search:
    def __init__(self, fight: Fight, line: str) -> None:
        self.keyboard = Keyboard(fight)
        self.wanted = WantedLine(line, fight.state)
        decision = self.keyboard.decide(line)
        if decision is None:
            raise Refused(f"{line!r} is refused in this fight, so no keys give it")
        self.decision: Decision = decision
        self._open: list[tuple[float, int, _Begun]] = []
        self._number = count()
        self._seen: set[object] = set()
        self._decided: dict[str, bool] = {}
        self._gone_on: set[str] = set()
        self._pressed = 0
        self._barred, self._begun = "", 0
        self._in_order = False
        self._nearest: tuple[float, str] = (1e9, "")
        self._answered: dict[str, _Begun] = {}

    def run(self, most: int) -> Typed | NoKeys:
        """Press keys until the line is there, or after `most` tries."""
        openings = list(self.keyboard.openings(self.decision.verb, self.wanted))
        if not openings:
            return NoKeys("no key begins it")
        found = self._look(openings, most)
        if found is None and self._open:  # what is nearest led astray: in the order of the words
            self._in_order, most = True, 2 * most
            found = self._look(openings, most)
        return found or NoKeys(self._why(most), self._nearest[1], self._typed_on())

    @property
    def _most_asked_on(self) -> int:
        return MOST_IN_ORDER if self._in_order else MOST_ASKED_ON

    def _look(self, openings: list[Opening], most: int) -> Typed | None:
        self._open, self._seen = [], set()
        found = self._begin(openings)
        while found is None and self._open and self._pressed < most:
            _, _, begun = heappop(self._open)
            found = self._go_on(begun, most)
        return found

    def _typed_on(self) -> TypedOn | None:
        """Go on with `:` from one of the prompts with an answer."""
        found = ((self.wanted.words_after(line), line) for line in self._answered)
        for words, line in sorted(found, key=lambda each: len(each[0])):
            if self.is_the_same(f"{line} {words}"):
                begun = self._answered[line]
                return TypedOn(begun.opening, begun.keys, line, words)
        return None

    def _why(self, most: int) -> str:
        if not self._pressed:
            return f"barred: {self._barred}"
        return f"none among {self._pressed}" + ("" if self._pressed < most else " and more")

    def _begin(self, openings: Iterable[Opening]) -> Typed | None:
        openings = list(openings)
        self._begun = max(map(self._words_begun, openings))
        for opening in openings:
            prompt = self.keyboard.begin(opening)
            if prompt.barred:
                self._barred = self._barred or prompt.barred
                self._answered.setdefault(prompt.answered, _Begun(opening, (), prompt, 0))
            elif prompt.instant:
                self._pressed += 1
                if self.is_the_same(prompt.line):
                    return Typed(opening, (), prompt.line)
            else:
                self._keep(_Begun(opening, (), prompt, len(prompt.fields)))
        return None

    def _go_on(self, begun: _Begun, most: int) -> Typed | None:
        untried = begun.untried or strokes(begun.prompt, self.wanted)
        for keys in untried:
            if self._pressed >= most:
                break
            self._pressed += 1
            prompt = copied(begun.prompt)
            step = self.keyboard.press(prompt, keys)
            if step is InputState.FINISHED:
                typed = Typed(begun.opening, (*begun.keys, *keys), prompt.line)
                if self.is_the_same(prompt.line):
                    return typed
                found = self._asked_first(typed, most)
                if found is not None:
                    return found
            asked_on = len(prompt.fields) - begun.fields
            if step is not InputState.OPEN or asked_on > self._most_asked_on:
                continue
            if not prompt.trouble or keys == ENTER:
                pressed = (*begun.keys, *keys)
                steps = begun.steps + 1
                far = self._keep(begun._replace(keys=pressed, prompt=prompt, steps=steps))
                if self._in_order and far < begun.far:
                    self._push(begun._replace(untried=untried))
                    return None
        return None

    def _asked_first(self, typed: Typed, most: int) -> Typed | None:
        """Answer the questions before the line, such as a player's die at the end of a turn, and
        those that the line itself asks. Together they give its events."""
        done = self.keyboard.decide(typed.line)
        if done is None or not done.events or typed.line in self._gone_on:
            return None
        left = [event for event in self.decision.events if event not in done.events]
        if len(left) != len(self.decision.events) - len(done.events):
            return None
        self._gone_on.add(typed.line)
        fight = after(self.keyboard.fight, typed.line)
        decision = Keyboard(fight).decide(self.wanted.line)
        if decision is None or [*decision.events] != left:
            return None
        later = _Search(fight, self.wanted.line)
        found = later.run(most)
        keys = (*found.opening.keys, *found.keys) if isinstance(found, Typed) else ()
        return typed._replace(keys=(*typed.keys, *keys), line=self.wanted.line) if keys else None

    def _keep(self, begun: _Begun) -> float:
        """Keep a prompt to go on with, unless an equal one was kept before; returns its
        distance."""
        if not begun.prompt.writes:
            self._answered.setdefault(begun.prompt.answered, begun)
        stands = _as_it_stands(begun.prompt)
        if stands in self._seen:
            return begun.far
        self._seen.add(stands)
        distance = self.wanted.left_in_order if self._in_order else self.wanted.distance
        far = distance(begun.prompt.line, begun.prompt.answered)
        far += LESS_BEGUN * (self._begun - self._words_begun(begun.opening))
        far += A_KEY * (len(begun.opening.keys) + len(begun.keys)) + A_STROKE * begun.steps
        self._push(begun._replace(far=far, untried=None))
        return far

    def _push(self, begun: _Begun) -> None:
        heappush(self._open, (begun.far, next(self._number), begun))

    def _words_begun(self, opening: Opening) -> int:
        """The number of wanted words that a key starts; the key of a technique counts for more."""
        spec = opening.key.prompt
        words = list(map(plain, spec.command.split())) if spec is not None else []
        return len(words) if words == list(self.wanted.words[: len(words)]) else 1

    def is_the_same(self, line: str) -> bool:
        """True if a line gives the events of the wanted one, with the same dice."""
        if line not in self._decided:
            decision = self.keyboard.decide(line)
            same = decision is not None and decision.events == self.decision.events
            self._decided[line] = same
            self._nearest = min(self._nearest, (self.wanted.distance(line, line), line))
        return self._decided[line]


def _as_it_stands(prompt: Prompt) -> object:
    """The identity of a prompt: its line, its question, and its answers so far."""

    def plain(holder: object) -> tuple[object, ...]:
        held = vars(holder).items() if holder is not None else ()
        return tuple(v for k, v in held if isinstance(v, str | int) and k != "trouble")

    added = tuple(plain(field) for field in prompt.fields if field.toggle_options())
    present = (type(prompt.field), plain(prompt.field))
    return prompt.view.actor, prompt.line, plain(prompt), *present, added
