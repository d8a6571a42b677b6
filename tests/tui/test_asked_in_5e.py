"""5e by keys: prompts ask what a spell takes, whose roll a grapple is, and what ends by a save."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.tui.test_areas import FIFTH
from tests.tui.test_more import offered

from affray.tui.widgets.prompt import PromptWidget

Play = Callable[..., Any]

TABLE = """\
add pc Odo hp 30 ac 14 str 3 pb 2 slots 4,3 spells Bless 1 concentration \
spells Smoke 2 save con dc 13 inflicts poisoned spells Chill 1
add monster Ghoul x3 hp 22 ac 12 str 1 dex 2
init odo 18
init ghoul-1,ghoul-2,ghoul-3 8
start
"""


@pytest.fixture
def table(played: Callable[..., Any], game_of: Callable[..., Any]) -> Callable[..., Any]:
    def open_(before: str = "", size: tuple[int, int] = (120, 40)) -> Any:
        return game_of(played(before + TABLE, "The Barrow", "5e"), size)

    return open_


async def test_a_spell_without_a_roll_asks_for_no_outcome_and_no_damage(
    table: Callable[..., Any],
) -> None:
    async with table() as game:
        await game.type("Cbless⇥1,2⇥")
        assert not {"miss", "hit", "crit"} & {*offered(game)}
        await game.type("slot⇥2↵")
        assert game.last == 'cast "Bless" at odo,ghoul-1 slot 2'


async def test_an_outcome_can_be_said_of_any_spell(table: Callable[..., Any]) -> None:
    async with table() as game:
        await game.type("Cchill⇥2⇥h4↵")
        assert game.last == 'cast "Chill" at ghoul-1 hit 4'


async def test_a_spell_with_a_save_asks_for_its_outcome(table: Callable[..., Any]) -> None:
    async with table() as game:
        await game.type("Csmoke⇥2⇥")
        assert offered(game)[:2] == ["success", "fail"]


@pytest.mark.parametrize(
    ("keys", "line"), [("g", "grapple ghoul-2"), ("b3p", "shove ghoul-2 prone")]
)
async def test_the_roll_of_a_grapple_and_a_shove_is_called_the_targets_save(
    table: Callable[..., Any], keys: str, line: str
) -> None:
    async with table() as game:
        await game.type(keys if keys != "g" else "g3")
        assert "its save" in game.row(PromptWidget)
        await game.type("f")
        assert game.last == f"{line} failure"


@pytest.mark.parametrize(
    ("keys", "command"),
    [
        ("g3s↵", "grapple ghoul-2 success"),
        ("b3pf", "shove ghoul-2 prone failure"),
        ("g3n15⇥vs⇥n14↵", "grapple ghoul-2 natural 15 vs natural 14"),
        ("b3pn15⇥vs⇥a⇥s↵", "shove ghoul-2 prone natural 15 vs athletics success"),
    ],
)
async def test_by_the_rules_of_2014_it_is_the_outcome_of_a_contest(
    table: Callable[..., Any], keys: str, command: str
) -> None:
    async with table("setting edition 2014\n") as game:
        await game.type(keys)
        assert game.last == command, game.row(PromptWidget)


async def test_by_the_rules_of_2014_whoever_leaves_a_falling_mount_is_asked_no_save(
    played: Play, game_of: Play
) -> None:
    """SRD 5.1, Mounted Combat: by the reaction on one's feet."""
    fight = played(
        "setting edition 2014\nadd pc Brannoc hp 20 ac 14\n"
        "add monster Horse side party size large hp 19\ninit brannoc 20\nstart\n"
        "mount horse\ndamage horse 19",
        ruleset="5e",
    )
    async with game_of(fight) as game:
        await game.type(";sa")
        assert game.row(PromptWidget).startswith(" Save to stay mounted › Brannoc")
        await game.type("s↵")
        assert game.last == "mount-save brannoc success", game.row(PromptWidget)


@pytest.mark.parametrize("keys", ["sw⇥13", "sw13", "swis⇥13"])
async def test_behind_save_ends_the_ability_and_the_dc_are_asked(
    table: Callable[..., Any], keys: str
) -> None:
    async with table() as game:
        await game.type(f"c2frig⇥{keys}↵")
        assert game.last == "inflict ghoul-1 frightened save-ends wis 13"


async def test_the_save_behind_a_hit_is_called_in_the_same_prompt(
    played: Callable[..., Any], game_of: Callable[..., Any]
) -> None:
    """SRD 5.2.1, Mastery Properties: Topple."""
    maul = TABLE.replace("str 3", "str 3 attack maul +6 2d6+3 bludgeoning topple")
    async with game_of(played(maul, "The Barrow", "5e"), (120, 40)) as game:
        await game.type("s2h4⇥")
        assert "withstand" in offered(game)
        await game.type("withst⇥n12↵")
        assert game.last.startswith("attack ghoul-1 hit 4 withstand natural")
        assert game.who("ghoul-1").named("prone") is not None


async def test_a_hit_that_asks_no_save_lists_none(table: Callable[..., Any]) -> None:
    async with table() as game:
        await game.type("s2h4⇥")
        assert "withstand" not in offered(game)


async def test_whoever_is_dying_is_asked_for_no_spell(played: Play, game_of: Play) -> None:
    fight = played(f"{FIFTH}damage sefa 24\n", ruleset="5e")
    async with game_of(fight) as game:
        await game.type("C")
        assert "Cast a Spell: dying" in game.row(PromptWidget)


async def test_a_characters_save_against_a_grapple_waits_for_its_player(
    played: Play, game_of: Play
) -> None:
    fight = played(f"{FIFTH}next\n", ruleset="5e")
    async with game_of(fight) as game:
        await game.type("g2↵")
        assert game.last == "grapple odo" and game.who("odo").named("threatened")
        await game.type("↵f")
        assert game.last == "withstand odo failure" and game.who("odo").named("grappled")


async def test_no_name_of_ones_own_stands_behind_a_comma(table: Callable[..., Any]) -> None:
    async with table() as game:
        await game.type('c2blinded,"Hex')
        assert "blinded" in game.line.prompt.line
        assert '"' not in game.line.prompt.line
