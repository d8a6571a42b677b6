"""A past entry asked again in its prompt: what would be different is shown before it is done."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.fallen_dice import FallenDice

from affray.core.dice import SeededDice
from affray.core.formatting.log_lines import step_in_words
from affray.store.open_encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.lookup.undo_list import AmendPreview
from affray.tui.prompts.follow_ups import RepeatPrompt
from affray.tui.screens.fight import FightScreen
from affray.tui.widgets.prompt import PromptWidget

LINES = (
    "add pc Mira hp 30 ac 2 power 2 pb 2 attack axe 1d8 slashing",
    "add monster Ghoul x2 cr 2 hp 18 ac 2 fatigue 3 exhaustion 2 attack claws 1d6+2 slashing",
    *("init mira 20", "init ghoul-1 10", "init ghoul-2 8", "start"),
    *("next", "strike mira natural 16 8", "next", "strike mira strong 8", "next"),
)
THE_STRIKE = 8


@pytest.fixture
def fight(tmp_path: Path) -> OpenEncounter:
    """Mira's second turn; Ghoul 1 struck her, with Ghoul 2 behind it."""
    opened = OpenEncounter.create(tmp_path / "f.toml", "monsters-and-magic", "F", SeededDice(3))
    for line in LINES:
        opened.do(line)
    return opened


def hp(fight: OpenEncounter) -> int:
    mira = fight.state.find("mira")
    assert mira is not None
    return mira.tracks["hp"].value


def sheet_of(app: AffrayApp) -> AmendPreview | None:
    """The preview, if it is open."""
    screen = app.screen
    assert isinstance(screen, FightScreen)
    contents = screen.sheet_pane.sheet.contents if screen.sheet_pane.sheet else None
    return contents if isinstance(contents, AmendPreview) else None


async def test_i_had_cover_two_turns_back_in_at_most_8_keys_with_its_preview(
    fight: OpenEncounter,
) -> None:
    """A total of 18 is a strong hit; one step less is a weak one, of which half goes through."""
    app = AffrayApp(fight)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        keys = ["[", "[", "[", "[", "ctrl+e", "C", "enter"]
        await pilot.press(*keys)
        await pilot.pause()
        preview = sheet_of(app)
        assert preview is not None and hp(fight) == 18
        assert [step.old.seq for step in preview.amendment.others if step.old] == [THE_STRIKE]
        await pilot.press("enter")
        await pilot.pause()
        assert len(keys) + 1 == 8
        assert hp(fight) > 18 and sheet_of(app) is None
        said = app.screen.query_one(PromptWidget).message.text
        assert said.startswith("amended: entry 8, Ghoul 1 strikes Mira, weak")
        assert f"now {hp(fight)}" in said or f"{hp(fight)} left" in said
        await pilot.press("u")
        await pilot.pause()
        assert hp(fight) == 18


async def test_a_later_command_is_left_out_by_one_key(fight: OpenEncounter) -> None:
    """Who is dying from the first blow meets the second one otherwise."""
    app = AffrayApp(fight)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, FightScreen)
        screen.lookups.show_amending("amend 8 damage mira 40")
        await pilot.press("down", "x")
        await pilot.pause()
        preview = sheet_of(app)
        assert preview is not None and preview.amendment.line == "amend 8 damage mira 40; 10 out"
        await pilot.press("enter")
        await pilot.pause()
        assert [fight.history.entries[seq].command for seq in fight.history.path[7:]] == [
            *("damage mira 40", "next", "next"),
        ]


async def test_esc_leaves_the_past_as_it_was(fight: OpenEncounter) -> None:
    app = AffrayApp(fight)
    before = fight.state
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("[", "[", "[", "[", "ctrl+e", "C", "enter", "escape")
        await pilot.pause()
        assert sheet_of(app) is None and fight.state is before


async def test_what_the_preview_shows_is_what_enter_does_however_dice_fall(
    fight: OpenEncounter,
) -> None:
    """Also when a later command is left out in it: what has fallen once lies."""
    app = AffrayApp(fight)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await pilot.press(*":amend 8 strike mira roll; 10 damage mira 4", "enter")
        await pilot.pause()
        first = sheet_of(app)
        assert first is not None and first.amendment.steps[0].new
        await pilot.press("down", "x")
        await pilot.pause()
        preview = sheet_of(app)
        assert (
            preview is not None and preview.amendment.steps[0].new == first.amendment.steps[0].new
        )
        await pilot.press("enter")
        await pilot.pause()
        assert fight.state is preview.amendment.state


async def test_a_later_command_is_changed_in_the_prompt_that_made_it(fight: OpenEncounter) -> None:
    """`c`, one thing of it changed, and `enter` shows what becomes of it all."""
    app = AffrayApp(fight)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, FightScreen)
        screen.lookups.show_amending("amend 8 damage mira 40")
        await pilot.press("down", "c")
        await pilot.pause()
        prompt = screen.query_one(PromptWidget).prompt
        assert isinstance(prompt, RepeatPrompt) and prompt.given.entry.seq == 10
        assert prompt.view.state["mira"].track("hp") == 0, "as it stands where it is given"
        assert prompt.line == "strike mira strong 8"
        await pilot.press("tab", "3", "enter")
        await pilot.pause()
        preview = sheet_of(app)
        assert preview is not None
        assert preview.amendment.line == "amend 8 damage mira 40; 10 strike mira strong 3"
        await pilot.press("c")
        await pilot.pause()
        assert screen.query_one(PromptWidget).is_open, "of what was asked for first, as well"
        await pilot.press("escape")
        assert hp(fight) == 18


async def test_what_no_prompt_asks_for_is_changed_as_a_line(fight: OpenEncounter) -> None:
    app = AffrayApp(fight)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, FightScreen)
        await pilot.press(*":amend before 8 note psst", "enter")
        await pilot.pause()
        await pilot.press("c")
        await pilot.pause()
        bar = screen.query_one(PromptWidget).bar
        assert bar is not None and bar.text == "amend before 8 note psst"


async def test_while_it_is_typed_it_is_told_what_it_would_come_to_there(
    fight: OpenEncounter,
) -> None:
    """No die falls for that, and nothing behind it is decided."""
    app, dice = AffrayApp(fight), fight.dice
    fight.dice = FallenDice(())
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        line = app.screen.query_one(PromptWidget)
        told = []
        for command in ("8 damage mira 4", "8 strike mira roll", "8 out", "8 damage myra 4"):
            await pilot.press(":", *f"amend {command}")
            await pilot.pause()
            told.append(line.outlook.text if line.outlook else "")
            await pilot.press("escape")
        more = " · enter shows what changes"
        assert told[0] == f"Mira −2 HP, 28 left (4, AC 2){more}"
        assert told[1].startswith("rolls 1d20")
        assert told[2].startswith("without: Ghoul 1 strikes Mira")
        assert "nobody here is called 'myra'" in told[3]
    fight.dice = dice


@pytest.mark.parametrize(
    ("lines", "keys", "told"),
    [
        ((), ["[", "[", "[", "[", "ctrl+e", "ctrl+u", "enter"], "1 new die, Ghoul 1's d20 14"),
        (
            ("strike ghoul-1 natural 15 8", "next"),
            ["[", "[", "ctrl+e", "ctrl+u", "r", "enter"],
            "1 new die, Mira's d20 14",
        ),
    ],
)
async def test_a_new_die_is_told_with_whose_it_is_and_what_it_shows(
    fight: OpenEncounter, lines: tuple[str, ...], keys: list[str], told: str
) -> None:
    for line in lines:
        fight.do(line)
    app, fight.dice = AffrayApp(fight), FallenDice((14,))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await pilot.press(*keys)
        await pilot.pause()
        preview = sheet_of(app)
        assert preview is not None
        assert step_in_words(preview.amendment.others[0]).endswith(f"; {told}")
