"""Fights for the screen's tests, built by commands; dice and clock are always the same."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.tui.ghouls import FIGHT as GHOULS, Made, prompt_after
from tests.tui.typing_keys import press_at_once
from textual.pilot import Pilot
from textual.widgets import OptionList

from affray.core.dice import SeededDice
from affray.core.engine.state import Combatant
from affray.core.rules.ruleset import Ruleset
from affray.store.open_encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.fight_view import FightView
from affray.tui.keymap import keymap_for
from affray.tui.lookup.model import LookupList
from affray.tui.screens.fight import FightScreen
from affray.tui.screens.fight_prompts import PAUSE
from affray.tui.widgets.prompt import PromptWidget

RULESET = "monsters-and-magic"
SAMPLES = Path(__file__).parents[2] / "campaigns"
Sample = Callable[[str], OpenEncounter]
"""Opens a copy of a sample campaign's fight."""
MOST_LOOKS = 1000
"""So often it is looked whether something has come, a moment between each two."""
TYPED = {" ": "space", "↵": "enter", "⎋": "escape", "⇥": "tab"}

STAIR = """
add pc Brannoc hp 44 ac 18 fort 16 ref 14 will 13 init 3 speed 6 recoveries 8 \
attack Sword +7 vs ac 1d8+4 power "Fire Burst" encounter standard +6 vs reflex 3d6+4 fire near \
power "Second Skin" daily swift
add pc Mira hp 32 ac 16 fort 12 ref 16 will 15 init 5 speed 6 recoveries 7 \
attack Bow +8 vs ac 1d10+4 ranged power "Twin Arrow" at-will standard +8 vs ac 1d10
add monster Goblin x2 hp 20 ac 14 fort 12 ref 13 will 11 init 2 attack Spear +5 vs ac 1d8+2
add monster "Goblin Hexer" hp 46 ac 15 fort 13 ref 14 will 15 init 2 important \
attack Hex +6 vs will 2d6+3 psychic
init brannoc 20
init mira 17
init goblin-1 12
init goblin-2 11
init goblin-hexer 4
start
"""

AMBUSH = """
add pc Mira hp 24 ac 3 power 0 cunning 3 focus 2 luck 1 pb 2
add pc Brannoc hp 30 ac 4 power 2 cunning 1 focus 0 luck 1 pb 2
add pc "Sister Ash" hp 20 ac 2 power 1 cunning 0 focus 3 luck 2 pb 2
add pc Tobin hp 16 ac 1 power 0 cunning 2 focus 1 luck 0 pb 2
add monster Ghoul x2 cr 2 hp 18 ac 2 fatigue 3 exhaustion 2
add monster "Ash-maned Warg" cr 3 hp 34 ac 3
add monster "Reed Lurker" hidden cr 1 hp 22 ac 1
add monster "Old Ferryman" side others cr 0 hp 8 ac 0
add hazard "The rising water" hp 1
init mira 18
init brannoc 17
init ghoul-1 15
init ghoul-2 15
init ash-maned-warg 13
init sister-ash 11
init tobin 9
init reed-lurker 8
init old-ferryman 4
init the-rising-water 0
start
strike ghoul-1 strong 8 slashing
next
strike ghoul-2 strong 9 slashing
strike ghoul-2 strong 14 slashing
next
strike brannoc strong 12 slashing
inflict brannoc weakened
next
bestow sister-ash protected
inflict ash-maned-warg restrained from mira
damage tobin 30 piercing
inflict ghoul-1 prone
mark brannoc fatigue 8
clock "The bridge falls" 4d6
note "The ferry line is cut."
next
next
"""

SHORT = """
add pc Mira hp 24 ac 3 power 0 cunning 3 focus 2 luck 1 pb 2
add monster Ghoul cr 2 hp 18 ac 2
"""


def _now() -> datetime:
    return datetime(2026, 11, 20, 19, 42, 7, tzinfo=UTC)


def play(
    path: Path, commands: str, title: str = "Ambush at the Ford", ruleset: str = RULESET
) -> OpenEncounter:
    """An encounter in a new file, with these commands given."""
    encounter = OpenEncounter.create(path, ruleset, title, SeededDice(7), _now)
    for line in commands.strip().splitlines():
        encounter.do(line)
    return encounter


@pytest.fixture(autouse=True)
def nothing_frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is there is not looked through for every fight that a test opens: hundreds are."""
    monkeypatch.setattr("affray.tui.screens.fight.freeze_gc", lambda: None)


def view_of(encounter: OpenEncounter, ruleset: Ruleset | None = None) -> FightView:
    """What panes draw of an encounter, without a screen."""
    rules, history = ruleset or encounter.ruleset, encounter.history
    return FightView(
        encounter.state, rules, keymap_for(rules), history, history.head, len(history.path)
    )


class Game:
    """A fight that is played with keys. Its clock stands still but for `pause`."""

    def __init__(self, encounter: OpenEncounter, pilot: Pilot[Any]) -> None:
        self.encounter = encounter
        self.pilot = pilot
        self._seconds = 0.0
        app = pilot.app
        assert isinstance(app, AffrayApp)
        app.clock = lambda: self._seconds

    def pause(self, seconds: float = PAUSE) -> None:
        """Let so much time go by, without a key."""
        self._seconds += seconds

    async def type(self, keys: str) -> None:
        """Press these keys after a pause, one right behind the other; words in angle brackets are
        names of keys."""
        self.pause()
        await self.type_on(keys)

    async def type_on(self, keys: str) -> None:
        """Press these keys right behind those before."""
        names: list[str] = []
        while keys:
            if keys[0] == "<":
                name, _, keys = keys[1:].partition(">")
                names.append(name)
            else:
                names.append(TYPED.get(keys[0], keys[0]))
                keys = keys[1:]
        await press_at_once(self.pilot, names)

    async def until(self, come: Callable[[], bool]) -> None:
        """Wait for what comes by itself in the end, such as what the palette finds."""
        for _ in range(MOST_LOOKS):
            if come():
                return
            await self.pilot.pause(0.02)
        raise AssertionError("it never came")

    async def find(self, words: str) -> None:
        """Type words into the palette, and wait until a command of that name stands first."""
        await self.type(f"<ctrl+p>{words}")
        await self.until(lambda: words.casefold() in self._offered().casefold())

    def _offered(self) -> str:
        found = self.pilot.app.screen.query(OptionList)
        row = found.first().highlighted_option if found else None
        return str(row.prompt) if row is not None else ""

    def who(self, name: str) -> Combatant:
        """Somebody, as they are now."""
        return self.encounter.state[name]

    @property
    def last(self) -> str:
        """The command of the last entry."""
        history = self.encounter.history
        return history.entries[history.last].command

    @property
    def screen(self) -> FightScreen:
        """The fight's screen."""
        screen = self.pilot.app.screen
        assert isinstance(screen, FightScreen)
        return screen

    @property
    def line(self) -> PromptWidget:
        """The rows of the prompt."""
        return self.screen.query_one(PromptWidget)

    @property
    def sheet(self) -> LookupList:
        """The sheet that is open."""
        sheet = self.screen.sheet_pane.sheet
        assert sheet is not None
        return sheet

    @property
    def said(self) -> str:
        """The message that stands there."""
        return self.line.message[0]

    def row(self, widget: type[Any], y: int = 0) -> str:
        """What a row of a widget shows."""
        return str(self.screen.query_one(widget).render_line(y).text)


@pytest.fixture
def game_of() -> Callable[..., Any]:
    """Opens a fight on the screen, to be played with keys."""

    @asynccontextmanager
    async def open_(
        encounter: OpenEncounter, size: tuple[int, int] = (120, 40)
    ) -> AsyncIterator[Game]:
        async with AffrayApp(encounter).run_test(size=size) as pilot:
            await pilot.pause()
            yield Game(encounter, pilot)

    return open_


@pytest.fixture
def opened(played: Callable[..., OpenEncounter], game_of: Callable[..., Any]) -> Callable[..., Any]:
    """Opens a fight made of commands on the screen; its dice always fall alike."""

    def open_(commands: str, size: tuple[int, int] = (120, 40)) -> Any:
        encounter = played(commands)
        encounter.dice = SeededDice(11)
        return game_of(encounter, size)

    return open_


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Callable[..., OpenEncounter]]:
    """Makes encounters out of commands, and closes them in the end."""
    opened: list[OpenEncounter] = []

    def make(
        commands: str, title: str = "Ambush at the Ford", ruleset: str = RULESET
    ) -> OpenEncounter:
        path = tmp_path / f"fight-{len(opened)}.toml"
        opened.append(play(path, commands, title, ruleset))
        return opened[-1]

    yield make
    for encounter in opened:
        encounter.close()


@pytest.fixture
def sample(tmp_path: Path) -> Iterator[Sample]:
    """Opens a copy of a fight, `drowned-vale/encounters/the-sluice-gate.toml`, until the end."""
    with ExitStack() as opened:

        def open_(fight: str) -> OpenEncounter:
            path = tmp_path / "fight.toml"
            path.write_bytes((SAMPLES / fight).read_bytes())
            return opened.enter_context(OpenEncounter.open(path))

        yield open_


@pytest.fixture
def stair(played: Callable[..., OpenEncounter]) -> Callable[..., OpenEncounter]:
    """Opens a fight of Orcus: Brannoc (1) is up.

    Behind him come Mira (2), Goblin 1 (3), Goblin 2 (4) and Goblin Hexer (5).
    """

    def make(more: str = "") -> OpenEncounter:
        encounter = played(STAIR + more, "Smoke on the Stair", "orcus")
        encounter.dice = SeededDice(11)
        return encounter

    return make


@pytest.fixture
def ambush(played: Callable[..., OpenEncounter]) -> OpenEncounter:
    """A fight in its first round, with the dead, the dying and the hidden."""
    return played(AMBUSH)


@pytest.fixture
def fight(played: Callable[..., OpenEncounter]) -> OpenEncounter:
    """Brannoc (1), Mira (2), Ghoul 1 (3), Ghoul 2 (4); Brannoc is up."""
    return played(GHOULS)


@pytest.fixture
def prompt(fight: OpenEncounter) -> Made:
    """The prompt of that fight after these keys."""
    return partial(prompt_after, fight)
