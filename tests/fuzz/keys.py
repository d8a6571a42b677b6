"""Any keys on the screen, through the models that take them: table of keys, prompts, bar."""

from __future__ import annotations

from functools import cache
from random import Random
from zlib import crc32

from tests.fuzz import oddities
from tests.fuzz.commands import give
from tests.fuzz.fights import begun, ruleset_of, somewhere, vocabulary
from tests.fuzz.target import FIGHT, REFUSED, Target, assert_one_line

from affray.core.dice import DiceSource
from affray.core.engine.decide import Decision
from affray.core.engine.foresight import Foresight
from affray.core.formatting.log_lines import outcome_lines
from affray.store.open_encounter import OpenEncounter
from affray.tui.keymap import Keymap, keymap_for
from affray.tui.prompts.command_bar import CommandBar, InputState
from affray.tui.prompts.context import PromptContext
from affray.tui.prompts.preview import preview_line
from affray.tui.prompts.prompt import Prompt
from affray.tui.terminal import clean_paste

NAMED = (
    *("space", "enter", "enter", "tab", "shift+tab", "backspace", "up", "down", "left", "right"),
    *("escape", "home", "end", "delete", "ctrl+w", "ctrl+u", "ctrl+k", "pageup", "f1", "f12"),
    *(
        "ctrl+a",
        "ctrl+e",
        "ctrl+c",
        "ctrl+@",
        "insert",
        "ctrl+left",
        "",
        "shift+f3",
        "ctrl+shift+a",
    ),
)
COMMON = "123456789012mwscfnrhlj,+-d20 "
PASTE, BAR = "paste:", ":"


@cache
def keymap_of_fight(name: str) -> Keymap:
    return keymap_for(ruleset_of(name))


@cache
def _beginnings(name: str) -> list[str]:
    return [key for key, found in keymap_of_fight(name).by_key.items() if found.prompt is not None]


def make(rng: Random) -> bytes:
    """The name of a fight, whom the cursor is on, and keys, one a line."""
    name, seq = somewhere(rng)
    first = BAR if rng.random() < 0.15 else rng.choice(_beginnings(name))
    keys = [_key(rng, name) for _ in range(rng.randrange(1, 9))]
    keys += ["enter"] * rng.choice((0, 1, 2, 3))
    lines = [f"{name} {seq}", str(rng.randrange(12)), first, *keys]
    return "\n".join(lines).encode("utf-8", "surrogateescape")


def _key(rng: Random, name: str) -> str:
    what = rng.random()
    if what < 0.45:
        return rng.choice(COMMON)
    if what < 0.75:
        return rng.choice(NAMED)
    if what < 0.9:
        return chr(rng.randrange(33, 127))
    if what < 0.95:
        word = rng.choice(vocabulary(name)) if rng.random() < 0.5 else oddities.text(rng)
        return PASTE + word.replace("\n", " ")
    return rng.choice(oddities.text(rng)[:1].replace("\n", "") or "é")


def run(data: bytes, thorough: bool = True) -> str:
    """Press the keys, and look at what is shown after each as the screen does."""
    head, cursor, *keys = [*data.decode("utf-8", "surrogateescape").split("\n"), "", ""]
    fight = begun(head.encode("utf-8", "replace"))
    press = Pressing(fight, int(cursor) if cursor in {str(n) for n in range(12)} else 0)
    watched = thorough or crc32(data) % 8 == 0
    for key in keys[:60]:
        press(key)
        if watched:
            press.look()
    press.look()
    return FIGHT if press.given else REFUSED


class Pressing:
    """A keyboard for a fight. `given` counts the commands that were taken."""

    def __init__(self, fight: OpenEncounter, cursor: int) -> None:
        self.fight = fight
        self.prompt: Prompt | None = None
        self.bar: CommandBar | None = None
        self.given = 0
        self._cursor = cursor

    def __call__(self, key: str) -> None:
        """Press a key, or paste."""
        if key.startswith(PASTE):
            self._paste(clean_paste(key.removeprefix(PASTE)))
        elif self.bar is not None:
            self._to_bar(self.bar, key)
        elif self.prompt is not None:
            self._to_prompt(self.prompt, key)
        elif key == BAR:
            self.bar = CommandBar(self.fight.commands, self.fight.complete)
        else:
            self._begin(key)

    def _paste(self, words: str) -> None:
        if self.bar is not None:
            self.bar.paste(words)
        elif self.prompt is not None:
            self.prompt.paste(words)

    def _to_bar(self, bar: CommandBar, key: str) -> None:
        step = bar.feed(key)
        assert 0 <= bar.caret <= len(bar.text) or bar.caret == len(bar.text)
        if step is InputState.FINISHED and bar.text.strip():
            self.given += give(self.fight, bar.text)
        if step is not InputState.OPEN:
            self.bar = None

    def _begin(self, key: str) -> None:
        found = _keymap_of(self.fight).find(key)
        if found is None or found.prompt is None:
            return
        prompt = Prompt(found.prompt, self._view(found.prompt.acts))
        if prompt.instant:
            self.given += give(self.fight, prompt.line)
        else:
            self.prompt = prompt

    def _to_prompt(self, prompt: Prompt, key: str) -> None:
        step = prompt.feed(key)
        if step is InputState.FINISHED and give(self.fight, prompt.line):
            self.given += 1
            self.prompt = None
        elif step is InputState.LEFT:
            self.prompt = None

    def _view(self, acts: bool) -> PromptContext:
        state = self.fight.state
        row = [c.id for c in state.in_order()] or [""]
        cursor = row[self._cursor % len(row)]
        actor = cursor if acts and self._cursor % 3 == 0 else state.turn
        complete, foresee = self.fight.complete, Foresight(self.fight.preview)
        return PromptContext(state, self.fight.ruleset, actor, cursor, complete, foresee)

    def look(self) -> None:
        """Have everything made that the screen shows of what is open."""
        if self.prompt is not None:
            assert all(isinstance(piece.text, str) for piece in self.prompt.pieces())
            assert isinstance(self.prompt.tab, str) and isinstance(self.prompt.ahead, str)
            self._outlook(self.prompt.line)
        if self.bar is not None:
            assert isinstance(self.bar.suggestion, str)
            assert isinstance(self.bar.offers(), list)
            self._outlook(self.bar.text)

    def _outlook(self, line: str) -> None:
        fight = self.fight
        tracks = fight.ruleset.tables.tracks

        def told(decision: Decision) -> list[str]:
            return outcome_lines(decision.events, decision.before, tracks, decision.by)

        def decide(line: str, dice: DiceSource) -> Decision:
            return fight.preview(line, dice)

        seen = preview_line(line, Foresight(decide), told, typing=True)
        if seen.kind in ("hint", "refused"):
            assert_one_line(seen.text)


def _keymap_of(fight: OpenEncounter) -> Keymap:
    return keymap_of_fight(fight.path.stem)


TARGET = Target("keys", make, run)
