"""What a card says of somebody: numbers as people say them, and none that nobody gave."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.tui.conftest import play as played_into

from affray.core.formatting.log_lines import entry_line
from affray.core.formatting.reports import json_report, text_report
from affray.rulesets import known_rulesets
from affray.store.open_encounter import OpenEncounter
from affray.tui.theme import DARK, styles_of
from affray.tui.widgets.combatant_card import CombatantCard, card_lines
from affray.tui.widgets.techniques import TechniquesPane
from affray.tui.widgets.timers import TimersPane
from affray.tui.widgets.turn_order import TurnOrderList
from affray.tui.widgets.turn_summary import TurnSummaryPane

Played = Callable[..., OpenEncounter]
Play = Callable[..., Any]


def shown(game: Any, pane: type[Any]) -> str:
    """All lines of a pane, with its title."""
    found = game.screen.query_one(pane)
    rows = (found.render_line(y).text.rstrip() for y in range(found.room.height))
    return "\n".join([found.title, *rows])


async def test_a_card_without_room_for_all_says_that_it_goes_on(
    sample: Callable[[str], OpenEncounter], game_of: Play
) -> None:
    """An attack whose end is below would else look as if it were whole."""
    fight = sample("kiln-road/encounters/toll-at-the-clay-bridge.toml")
    async with game_of(fight, (100, 30)) as game:
        card = game.screen.query_one(CombatantCard)
        assert card.line_count() > card.room.height
        last = card.room.height - 1
        assert card.render_line(last).text.rstrip().endswith("…")
        card.scroll_lines(99)
        assert not card.render_line(last).text.rstrip().endswith("…")


async def test_what_a_turn_has_left_is_beside_its_costs_also_where_it_is_none(
    sample: Callable[[str], OpenEncounter], game_of: Play
) -> None:
    fight = sample("ash-road/encounters/the-bed-of-the-drake.toml")
    while fight.state.turn != "cinder-drake":
        fight.do("next")
    async with game_of(fight) as game:
        await game.pilot.pause()
        told = shown(game, TurnSummaryPane)
        assert "Movement 30/30 ft." in told and "Legendary resistance ○" in told


# -- Orcus -----------------------------------------------------------------------------------------


async def test_attacks_are_said_as_a_stat_block_has_them(stair: Played, game_of: Play) -> None:
    """Orcus, Making an Attack."""
    async with game_of(stair("next")) as game:
        assert "Attacks Bow +8 vs AC 1d10+4 ranged" in shown(game, CombatantCard)
    more = "add monster Imp hp 9 ac 12 attack Claw +5 vs ref 1d6 fire half\ninit imp 19\nnext"
    async with game_of(stair(more)) as game:
        told = " ".join(shown(game, CombatantCard).split())
        assert "Attacks Claw +5 vs Ref 1d6 fire half on a miss" in told


def test_what_somebody_else_can_do_is_told_as_among_the_techniques(stair: Played) -> None:
    """Orcus, Powers. Not as its sheet has it: `encounter Ash Breath +6 reflex 2d6+3 fire`."""
    hound = 'add monster Hound hp 40 ac 17 power "Ash Breath" encounter +6 vs ref 2d6+3 fire'
    fight = stair(hound)
    inks = styles_of(DARK)
    lines = card_lines(fight.ruleset, fight.state, fight.state["hound"], False, 60, inks)
    told = "\n".join(line.text for line in lines)
    assert "Ash Breath S enc vs Ref" in told and "reflex" not in told


@pytest.mark.parametrize(
    ("bond", "words"), [("companion", "Companion of Brannoc"), ("summon", "Summoned by Brannoc")]
)
async def test_a_companion_is_called_one(
    stair: Played, game_of: Play, bond: str, words: str
) -> None:
    """Orcus, Companions, Summons."""
    pitch = f"add monster Pitch hp 26 ac 14 {bond} of brannoc\nnext"
    async with game_of(stair(pitch)) as game:
        assert game.encounter.state.turn == "pitch"
        card = shown(game, CombatantCard)
        assert card.startswith("Pitch · companion")
        assert words in card and "Owner" not in card


async def test_a_modifier_says_of_what_it_is(stair: Played, game_of: Play) -> None:
    """Orcus, Modifiers."""
    line = 'modifier mira +2 attack "every lamp at once" until end of brannoc\nnext'
    async with game_of(stair(line), (200, 60)) as game:
        assert "+2 attack" in shown(game, TimersPane)
        assert "every lamp at once +2 attack" in shown(game, CombatantCard)


def test_a_condition_is_told_once(stair: Played) -> None:
    encounter = stair("inflict mira dazed until removed")
    history = encounter.history
    entry = history.entries[history.last]
    line = entry_line(entry, history.before(entry.seq), encounter.ruleset.tables.tracks)
    assert line == "Mira is dazed"


# -- in every game ---------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", known_rulesets())
async def test_a_hazard_has_no_numbers_that_nobody_gave(
    played: Played, game_of: Play, ruleset: str
) -> None:
    async with game_of(played("add hazard Flood\nadd hazard Wall hp 20 ac 5", "", ruleset)) as game:
        assert game.screen.cursor == "flood"
        assert shown(game, CombatantCard).strip() == "Flood · hazard"
        await game.type("j")
        card = shown(game, CombatantCard)
        assert "AC 5" in card and "Speed" not in card and "Fort" not in card


# -- Monsters & Magic ------------------------------------------------------------------------------


async def test_the_gms_tracks_have_names(played: Played, game_of: Play) -> None:
    encounter = played("add pc Mira hp 24\nrest short")
    async with game_of(encounter) as game:
        assert "GM  Threads 0  Short rests 1" in shown(game, TimersPane)
    assert "GM: Short rests 1" in text_report(
        json_report(encounter.history, encounter.ruleset), encounter.ruleset
    )


async def test_what_was_on_the_dead_is_listed_no_more(played: Played, game_of: Play) -> None:
    fight = "add pc Mira hp 24\nadd monster Ghoul hp 18\ninflict ghoul doomed\n"
    async with game_of(played(fight)) as game:
        assert "doomed" in shown(game, TimersPane)
        assert "doomed" in shown(game, TurnOrderList)
    async with game_of(played(fight + "damage ghoul 40")) as game:
        assert game.who("ghoul").life == "dead"
        assert "doomed" not in shown(game, TimersPane)
        assert " do " not in shown(game, TurnOrderList)


@pytest.mark.parametrize(
    ("left", "price"), [(3, "2 "), (2, "2 "), (1, "1+Fat "), (0, "0 AP +2 Fat ")]
)
async def test_disengage_shows_the_fatigue_that_stands_for_ap(
    played: Played, game_of: Play, left: int, price: str
) -> None:
    """Monsters & Magic, Basic Techniques, Disengage."""
    fight = f"add pc Mira hp 24\ninit mira 9\nstart\nset mira ap {left}"
    async with game_of(played(fight)) as game:
        row = next(r for r in shown(game, TechniquesPane).splitlines() if "Disengage" in r)
        assert row.partition("Disengage")[2].lstrip().startswith(price)


@pytest.mark.parametrize("width", [30, 40])
def test_a_long_remark_on_a_track_goes_on_in_the_next_row(played: Played, width: int) -> None:
    """Level Up: a level that is not felt yet is told whole on a narrow card."""
    fight = played("add pc Mira hp 24\ninit mira 9\nstart\nmark mira fatigue 2", ruleset="level-up")
    lines = card_lines(
        fight.ruleset, fight.state, fight.state["mira"], False, width, styles_of(DARK)
    )
    assert all(line.width <= width for line in lines)
    told = " ".join(" ".join(line.text for line in lines).split())
    assert "2 not felt until the fight is over" in told


# -- what the bestiary tells -----------------------------------------------------------------------

OGRE = '[weir-ogre]\nname = "Weir Ogre"\nhp = 46\ntext = "Paid in cattle to turn the big wheels."\n'


@pytest.fixture
def weir(tmp_path: Path) -> OpenEncounter:
    """Two ogres, of a bestiary that tells of them."""
    (tmp_path / "encounters").mkdir()
    (tmp_path / "bestiary.toml").write_text(OGRE, "utf-8")
    return played_into(tmp_path / "encounters" / "weir.toml", "add weir-ogre x2")


async def test_what_the_bestiary_tells_stands_on_the_card(
    weir: OpenEncounter, game_of: Play
) -> None:
    with weir:
        assert weir.state["weir-ogre-2"].text.startswith("Paid in cattle")
        async with game_of(weir) as game:
            assert "Paid in cattle to turn the big wheels." in shown(game, CombatantCard)
            assert "Text" not in shown(game, CombatantCard)


@pytest.mark.parametrize("bestiary", [OGRE, ""])
async def test_a_creature_is_found_by_its_name_and_its_text(
    weir: OpenEncounter, game_of: Play, bestiary: str
) -> None:
    weir.close()
    (weir.path.parent.parent / "bestiary.toml").write_text(bestiary, "utf-8")
    with OpenEncounter.open(weir.path) as again:
        for typed in ("weir", "cattle"):
            async with game_of(again) as game:
                await game.type(f"/{typed}")
                first, inks = game.sheet.row, game.pilot.app.inks
                assert first.name.startswith("Weir Ogre")
                lines = game.sheet.contents.render_detail(first, 200, inks)
                assert any("cattle" in segment.text for line in lines for segment in line.segments)


async def test_an_effect_of_ones_own_stands_on_the_card_and_among_the_timers(
    played: Played, game_of: Play
) -> None:
    fight = "add pc Mira hp 24 ac 2\nadd monster Ghoul x2 hp 18 ac 2\ninit ghoul-1 9\nstart\n"
    hexed = 'inflict foes "evil eye" until end of ghoul-1 note "mute" attack -2\n'
    async with game_of(played(fight + hexed)) as game:
        assert "evil eye" in shown(game, TimersPane) and "−2" not in shown(game, TimersPane)
        assert "evil eye −2 attack (mute)" in shown(game, CombatantCard)
        assert "Attacks −2" in shown(game, CombatantCard)
        await game.type(":remove foes evil eye↵")
        assert "evil eye" not in shown(game, TimersPane) + shown(game, CombatantCard)
