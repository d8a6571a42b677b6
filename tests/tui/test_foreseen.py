"""Between two keys it is worked out what the next one is likely to show, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.tui.conftest import play
from tests.tui.seen import panes_of
from tests.tui.typing_keys import press_at_once
from textual.pilot import Pilot

from affray import fight
from affray.core.dice import SeededDice, StubDice
from affray.core.engine.decide import decide
from affray.core.engine.history import NOWHERE
from affray.core.rules.ruleset import all_options
from affray.fight import Fight
from affray.store.open_encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.prompts.follow_ups import RepeatPrompt
from affray.tui.screens import idle_work
from affray.tui.screens.fight import FightScreen
from affray.tui.widgets import turn_order
from affray.tui.widgets.prompt import PromptWidget

Played = Callable[..., OpenEncounter]
TWO = """
add pc Mira hp 30 ac 1 power 2 attack sword 1d8
add monster Ghoul x2 cr 2 hp 20 fatigue 5 exhaustion 5 attack claws 1d6
init roll all
start
"""
OTHER_TRACKS = """
[tracks.exhaustion]
label = "Weary"
shown = "boxes"
counts = "marked"
everybody = true

[tracks.threads]
label = "Doom"
gm = true
"""


@pytest.fixture
def decided(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The lines that are decided, in turn."""
    found: list[str] = []
    monkeypatch.setattr(
        fight,
        "decide",
        lambda state, line, *rest, **more: found.append(line) or decide(state, line, *rest, **more),
    )
    return found


@pytest.fixture
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is worked out but when a test says so."""
    monkeypatch.setattr(idle_work, "PAUSE", 3600)


def ghouls() -> Fight:
    fight = Fight("monsters-and-magic", seed=1)
    fight.do(*TWO.strip().splitlines())
    return fight


def test_what_was_looked_at_is_not_decided_again_when_it_is_given(decided: list[str]) -> None:
    fight = ghouls()
    decided.clear()
    made = fight.preview("damage mira 4", StubDice(high=True))
    entry = fight.do("damage mira 4")
    assert decided == ["damage mira 4"]
    assert entry.events == made.events and fight.state is made.state


def test_what_dice_decide_is_decided_with_those_that_fall(decided: list[str]) -> None:
    fight, alike = ghouls(), ghouls()
    decided.clear()
    fight.preview("strike mira by ghoul-1", StubDice(high=True))
    entry = fight.do("strike mira by ghoul-1")
    assert decided == 2 * ["strike mira by ghoul-1"]
    assert entry.events == alike.do("strike mira by ghoul-1").events


def test_dice_that_fall_as_they_fell_are_not_thrown_again_and_are_told(decided: list[str]) -> None:
    fight, high, again = ghouls(), StubDice(high=True), StubDice(high=True)
    decided.clear()
    made = fight.preview("strike mira by ghoul-1", high)
    assert fight.preview("strike mira by ghoul-1", again) is made
    assert 20 in {sides for _, sides in high.thrown} and again.thrown == high.thrown
    low = fight.preview("strike mira by ghoul-1", StubDice(high=False))
    assert low.events != made.events
    assert decided == 2 * ["strike mira by ghoul-1"]


def test_what_hangs_on_other_logs_is_decided_when_it_is_given(decided: list[str]) -> None:
    fight, asked = ghouls(), []
    fight.other_logs = NOWHERE._replace(ledger=lambda: asked.append("ledger"))
    decided.clear()
    fight.preview("add pc Brannoc hp 20", StubDice(high=True))
    fight.do("add pc Brannoc hp 20")
    assert len(decided) == 2 and len(asked) == 2


@pytest.mark.parametrize("between", ["damage mira 1", "undo", "note The rain stops."])
def test_what_was_looked_at_is_decided_anew_when_something_has_come_between(
    between: str, decided: list[str]
) -> None:
    fight = ghouls()
    fight.do("damage ghoul-1 2")
    fight.preview("damage mira 4", StubDice(high=True))
    fight.do(between)
    decided.clear()
    fight.do("damage mira 4")
    assert decided == ["damage mira 4"]


def test_what_was_looked_at_is_decided_anew_by_other_rules(decided: list[str]) -> None:
    fight = ghouls()
    fight.preview("damage mira 4", StubDice(high=True))
    fight.ruleset = replace(fight.ruleset)
    decided.clear()
    fight.do("damage mira 4")
    assert decided == ["damage mira 4"]


async def test_the_next_turn_is_there_before_its_key(
    played: Played, no_pause: None, decided: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with AffrayApp(played(TWO)).run_test(size=(120, 40)) as pilot:
        screen = await fight_screen(pilot)
        screen.idle_work.run()
        assert decided[-1] == "next"
        decided.clear()
        found_out = all_options.cache_info().misses
        await pilot.press("space")
        assert screen.encounter.commands[-1] == "next"
        assert decided == [] and all_options.cache_info().misses == found_out


async def test_what_a_prompt_comes_to_is_there_before_its_enter(
    played: Played, no_pause: None, decided: list[str]
) -> None:
    async with AffrayApp(played(TWO)).run_test(size=(120, 40)) as pilot:
        screen = await fight_screen(pilot)
        await pilot.press("-", "1", "enter", "7")
        screen.idle_work.run()
        decided.clear()
        await pilot.press("enter")
        assert screen.encounter.history.undo_title == "Mira takes 7"
        assert decided == []


async def test_of_what_dice_decide_nothing_is_worked_out(
    played: Played, no_pause: None, decided: list[str]
) -> None:
    async with AffrayApp(played(TWO)).run_test(size=(120, 40)) as pilot:
        screen = await fight_screen(pilot)
        dice = screen.encounter.dice = SeededDice(3)
        await pilot.press(":", *"damage", "space", *"mira", "space")
        await pilot.press(*"2d6")
        decided.clear()
        screen.idle_work.run()
        assert decided == [], "that dice fall was seen when it was typed"
        assert screen.encounter.history.undo_title == "The fight begins"
        assert dice.die(20) == SeededDice(3).die(20), "no die of the fight's was thrown"


async def test_of_what_hangs_on_other_logs_nothing_is_worked_out(
    played: Played, no_pause: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As who joins may come as the ledger has them."""
    async with AffrayApp(played(TWO)).run_test(size=(120, 40)) as pilot:
        screen = await fight_screen(pilot)
        await press_at_once(pilot, [":", *"add", "space", *"pc", "space", *"os", "space", *"hp"])
        await press_at_once(pilot, ["space", "9"])
        monkeypatch.setattr(turn_order, "set_out", lambda *_: pytest.fail("it was set out"))
        screen.idle_work.run()


async def test_of_a_roll_that_is_asked_again_nothing_is_worked_out(
    played: Played, no_pause: None, decided: list[str]
) -> None:
    """It comes in place of what was given, so not as things stand."""
    async with AffrayApp(played(TWO)).run_test(size=(120, 40)) as pilot:
        screen = await fight_screen(pilot)
        await press_at_once(pilot, ["s", "2", "enter", "ctrl+e"])
        assert isinstance(screen.query_one(PromptWidget).prompt, RepeatPrompt)
        decided.clear()
        screen.idle_work.run()
        assert decided == []


@pytest.mark.parametrize("foreseen", [True, False])
async def test_what_was_worked_out_by_other_rules_is_not_shown(
    tmp_path: Path, no_pause: None, foreseen: bool
) -> None:
    (tmp_path / "encounters").mkdir()
    (tmp_path / "campaign.toml").write_text('ruleset = "monsters-and-magic"\n', "utf-8")
    with play(tmp_path / "encounters" / "ford.toml", "add pc Mira hp 30 ac 1") as encounter:
        async with AffrayApp(encounter).run_test(size=(120, 40)) as pilot:
            screen = await fight_screen(pilot)
            await press_at_once(pilot, [":", *"mark", "space", *"mira", "space", *"exhaustion"])
            await press_at_once(pilot, ["space", "1"])
            if foreseen:
                screen.idle_work.run()
            await press_at_once(pilot, ["enter"])
            (tmp_path / "rules.toml").write_text(OTHER_TRACKS, "utf-8")
            await press_at_once(pilot, [":", *"keep", "space", *"mira", "enter"])
            panes = panes_of(screen)
            assert "Weary" in panes["tracks"].edges[0]
            assert "Weary" in panes["card"].text
            assert "Doom" in panes["timers"].text
            assert "Weary" in panes["log"].text


async def fight_screen(pilot: Pilot[None]) -> FightScreen:
    await pilot.pause()
    assert isinstance(pilot.app.screen, FightScreen)
    return pilot.app.screen
