"""Level Up on the screen: a key for every action, a text for every rule, the world by keys."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.tui.conftest import play as played_into

from affray.core.rules.campaign_tables import lookup_entries
from affray.core.rules.reference import rule_texts
from affray.rulesets import load_ruleset
from affray.store.open_encounter import OpenEncounter
from affray.tui.theme import DARK, styles_of
from affray.tui.widgets.combatant_card import card_lines
from affray.tui.widgets.header_footer import Header

RULESET = load_ruleset("level-up")
GALE = """\
add pc Mira hp 24 ac 14 init 3 level 3 pb 2 dex 3 saves dex spell 4 attack rapier +5 1d8+3 piercing
add pc Brannoc hp 40 ac 17 init 1 level 5 pb 3 str 4 con 2 shield 2 attacks 2 attack sword +7 1d8+4
add monster Ghoul x2 hp 22 ac 12 hit-dice 5 dex 2 attack claws +4 2d4+2 slashing
init mira 20
init brannoc 15
init ghoul-1 10
init ghoul-2 5
start
"""
SIZES = [(80, 24), (120, 40)]
Play = Callable[..., Any]


@pytest.fixture
def play(tmp_path: Path, game_of: Play) -> Play:
    """Opens that fight on the screen, with more commands given before."""

    def begin(more: str = "", size: tuple[int, int] = (120, 40)) -> Any:
        fight: OpenEncounter = played_into(
            tmp_path / "gale.toml", GALE + more, "The Gale", "level-up"
        )
        return game_of(fight, size)

    return begin


def test_every_action_condition_and_feature_is_found_with_a_text() -> None:
    tables = RULESET.tables
    texts = {rule.name: rule.text for rule in rule_texts(RULESET)}
    rows = (*tables.techniques.values(), *tables.effects.values())
    assert [row.name for row in rows if not texts.get(row.name)] == []
    assert [name for name, _, _, text in lookup_entries(tables.environments) if not text] == []
    assert {"Stalactites", "Cold Chill", "Frigid", "Block", "grappled"} <= {*texts}


@pytest.mark.parametrize("size", SIZES)
async def test_a_round_with_keys_alone(play: Play, size: tuple[int, int]) -> None:
    async with play(size=size) as game:
        await game.type("s3h8↵")
        assert game.last.startswith("attack ghoul-1 hit 8")
        assert game.who("ghoul-1").track("hp") == 14
        await game.type(" r")
        assert game.who("brannoc").named("pressing") is not None
        await game.type("s3h9↵s4m")
        assert game.who("brannoc").track("attacks") == 0
        await game.type(" d ")
        assert game.who("ghoul-1").named("dodging") is not None


@pytest.mark.parametrize("size", SIZES)
async def test_the_world_is_played_with_keys(play: Play, size: tuple[int, int]) -> None:
    async with play(size=size) as game:
        await game.type(";enstormy↵↵")
        assert game.last == "environment stormy"
        await game.type("    ")
        assert "WORLD" in game.row(Header)
        await game.type("Tlightning↵1↵r")
        assert game.last.startswith('world "Lightning Strike"')


def card_of_the_world(played: Callable[..., OpenEncounter], environments: str) -> str:
    state = played(f"{GALE}environment {environments}\n", "The gale", "level-up").state
    lines = card_lines(RULESET, state, state["world"], False, 120, styles_of(DARK))
    return "\n".join(line.text for line in lines)


def test_the_worlds_card_has_the_recharges_of_the_surroundings_that_are_named(
    played: Callable[..., OpenEncounter],
) -> None:
    both = card_of_the_world(played, "stormy,fiery")
    assert "Lightning Strike" in both and "Flame Burst" in both
    assert "Leeches" not in both and "Cold Chill" not in both
    assert "Flame Burst" not in card_of_the_world(played, "stormy")


async def test_a_digit_is_no_skill_but_the_die(play: Play) -> None:
    async with play() as game:
        await game.type("Kd15↵")
        assert game.last == "check mira dex natural 15"
        await game.type("Kdstealth⇥9↵")
        assert game.last == 'check mira dex "stealth" natural 9'


async def test_what_ends_ongoing_damage_is_said_in_words(play: Play) -> None:
    async with play() as game:
        await game.type(";on3⇥4⇥f⇥smothered↵")
        assert game.last == 'inflict ghoul-1 ongoing 4 fire "smothered"'


async def test_words_that_may_be_left_out_begin_with_a_digit_where_nothing_else_is_asked(
    play: Play,
) -> None:
    async with play() as game:
        await game.type("!d2 of them come near↵")
        assert game.last == 'ready dash "2 of them come near"'


async def test_a_feature_is_named_by_its_beginning(play: Play) -> None:
    async with play("environment cavernous\n") as game:
        await game.type(";fstalac↵3f7↵")
        assert game.last == "feature stalactites ghoul-1 failure 7"
        assert game.who("ghoul-1").track("hp") == 15


async def test_rocks_are_thrown_and_each_of_several_has_an_outcome(play: Play) -> None:
    """Level Up, Example Environments: a throw is an attack, else each one saves."""
    async with play("environment cavernous\n") as game:
        await game.type(";floose-r↵3h7↵")
        assert game.last == "feature loose-rocks ghoul-1 hit 7"
        await game.type(";fstalac↵3,4fs7↵")
        assert game.last == "feature stalactites ghoul-1,ghoul-2 failure,success 7"
