"""A word that a letter says is said somewhere: beside what is asked for, or as one of a list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from affray.core.engine.state import Encounter
from affray.core.parser.prompt_fields import HEARD
from affray.rulesets import BUILT_IN, load_ruleset
from affray.tui.keymap import keymap_for
from affray.tui.prompts.choice_fields import ConstantField, ToggleField, WeaponField
from affray.tui.prompts.context import PromptContext
from affray.tui.prompts.more_field import MoreField
from affray.tui.prompts.prompt import Prompt
from affray.tui.prompts.value_fields import TextField
from affray.tui.widgets.prompt import PromptWidget

Play = Callable[..., Any]
HALL = """
add pc Gunn hp 20 ac 12 attack arbalest +5 vs ac 1d12 piercing ranged two-handed loading \
attack sling +4 vs ac 1d4 blunt ranged loading attacks 2
add monster Wolf hp 40 ac 9
init gunn 20
init wolf 10
start
"""


@pytest.mark.parametrize("ruleset", BUILT_IN)
def test_every_letter_that_a_prompt_has_is_heard_in_it(ruleset: str) -> None:
    rules = load_ruleset(ruleset)
    for key in keymap_for(rules).keys:
        if key.prompt is None:
            continue
        fields = Prompt(key.prompt, PromptContext(Encounter("A test", ruleset), rules)).fields
        for at, field in enumerate(fields):
            if type(field) in (ToggleField, WeaponField) and field.spec.kind in HEARD:
                silent = (TextField, ConstantField, MoreField)
                hears = [f for f in fields[at:] if not isinstance(f, silent)]
                people = [f for f in fields if f.is_whom or f.spec.kind in ("targets",)]
                noted = any(each.kind == "noted" for each in key.prompt.fields)
                assert hears or people or noted, (ruleset, key.id, field.spec.options)


@pytest.fixture
def play(played: Play, game_of: Play) -> Play:
    """A fight in which Gunn (1) is up against a wolf (2)."""
    return lambda more="": game_of(played(HALL + more, ruleset="adventure-school"), (80, 24))


async def test_a_fire_is_put_out_by_the_action_or_on_the_ground(play: Play) -> None:
    burning = "inflict gunn burning 4\n"
    async with play(burning) as game:
        await game.type(";do")
        assert "p prone" in game.row(PromptWidget)
        await game.type("↵")
        assert game.last == "douse"
    async with play(burning) as game:
        await game.type(";dop↵")
        assert game.last == "douse prone"


async def test_a_fast_action_is_said_to_be_one_that_may_come_again(play: Play) -> None:
    async with play() as game:
        await game.type(";fasFeint↵")
        assert game.last == 'fast "Feint"'
        await game.type(";fasFeint⇥s↵")
        assert game.last == 'fast "Feint" spammable'


async def test_a_weapon_is_loaded_again_by_name_and_by_the_move(play: Play) -> None:
    fired = "attack wolf hit 5 with arbalest\nattack wolf hit 3 with sling\nnext\nnext\n"
    async with play(fired) as game:
        await game.type("rsling⇥m↵")
        assert game.last == 'reload "sling" move'
        await game.type("r↵")
        assert game.last == "reload"


# -- what a miss still does ------------------------------------------------------------------------

STAIR = """
add pc Oda hp 30 ac 14 fort 14 ref 14 will 14 attack axe +5 vs ac 1d8 \
attack flail +5 vs ac 2d6 half power Burst at-will standard +6 vs reflex 3d6 fire near half
add monster Ghoul hp 40 ac 12 fort 12 ref 12 will 12
init oda 15
init ghoul 10
start
"""
MISSES = {
    "half on a miss is said before it": ("s2Hm9↵", "attack ghoul miss 9 half", 36),
    "a weapon that does half on a miss": ("s2fm9↵", "attack ghoul miss 9 with flail", 36),
    "a power that does": ("p2m9↵", 'power "Burst" ghoul miss 9', 36),
    "a miss that does nothing is over": ("s2m", "attack ghoul miss", 40),
    "what no letter says, by the list": (
        "s2⇥⇥m⇥half⇥9↵", "attack ghoul miss half 9", 36,
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", MISSES)
async def test_a_miss_ends_the_prompt_only_where_nothing_is_left_to_say(
    played: Play, game_of: Play, what: str
) -> None:
    """Orcus, half damage on a miss."""
    keys, command, left = MISSES[what]
    async with game_of(played(STAIR, ruleset="orcus"), (80, 24)) as game:
        await game.type(keys)
        assert game.last == command, game.row(PromptWidget) + game.row(PromptWidget, 1)
        assert game.who("ghoul").track("hp") == left and not game.line.is_open


# -- Level Up: what happens in another's turn ------------------------------------------------------

MILL = """
add pc Mira hp 24 ac 14 level 3 pb 2 int 4 con 1 spell 6
add monster Ghoul hp 22 ac 12 pb 2 con 1 attack claws +4 2d4+2
init mira 15
init ghoul 10
start
"""


async def test_a_readied_spell_is_cast_by_whom_it_is_at_and_is_not_said_again(
    played: Play, game_of: Play
) -> None:
    fight = played(f'{MILL}ready cast Frost "it opens"\nnext\n', ruleset="level-up")
    async with game_of(fight, (80, 24)) as game:
        await game.type("@2n9⇥4↵")
        assert game.last == "trigger at ghoul natural 9 4 by mira"
        assert game.who("ghoul").track("hp") == 18


async def test_the_world_acts_in_anybodys_turn_where_the_scene_is_rolling(
    played: Play, game_of: Play
) -> None:
    """In a rolling scene the world has its action in everybody's turn."""
    scene = "environment stormy\nsetting rolling on\nnext\n"
    async with game_of(played(MILL + scene, ruleset="level-up"), (80, 24)) as game:
        await game.type("T")
        assert "Forceful Gale" in game.row(PromptWidget)
        await game.type("f↵2⇥s↵")
        assert game.last == 'world "Forceful Gale" ghoul success'


async def test_without_an_environment_there_is_no_action_of_the_worlds(
    played: Play, game_of: Play
) -> None:
    async with game_of(played(MILL, ruleset="level-up"), (80, 24)) as game:
        await game.type("T")
        assert "World action: no environment is named" in game.row(PromptWidget)


MANY = {
    "orcus": (
        "add pc Oda hp 30 ac 14 fort 14 ref 14 will 14 attack axe +5 vs ac 1d8"
        " power Burst at-will standard +6 vs reflex 3d6 fire near",
        "add monster Rat x3 hp 9 ac 12 fort 12 ref 12 will 12", "p2-4⇥mhn7⇥4↵",
        'power "Burst" rat-1,rat-2,rat-3 miss hit natural 7 4',
    ),
    "adventure-school": (
        "add pc Oda hp 20 ac 12 attack axe +5 vs ac 1d12 attacks 3",
        "add monster Rat x3 hp 40 ac 9", "s2-4⇥hmn7⇥4↵",
        "attack rat-1,rat-2,rat-3 hit miss natural 7 4",
    ),
    "monsters-and-magic": (
        "add pc Oda hp 30 ac 1 power 2 cunning 1 focus 0 luck 1 pb 2 spells Gale",
        "add monster Rat x3 hp 40 ac 1 cr 1", "Cgale⇥⇥2-4⇥mwn7⇥4↵",
        'cast "Gale" at rat-1,rat-2,rat-3 miss weak natural 7 4',
    ),
}  # fmt: skip


@pytest.mark.parametrize("ruleset", MANY)
async def test_behind_outcomes_that_were_called_dice_are_said_as_they_lie(
    played: Play, game_of: Play, ruleset: str
) -> None:
    oda, rats, keys, command = MANY[ruleset]
    fight = f"{oda}\n{rats}\ninit oda 20\ninit rat-1 9\ninit rat-2 8\ninit rat-3 7\nstart"
    async with game_of(played(fight, ruleset=ruleset), (120, 40)) as game:
        await game.type(keys)
        assert game.last == command, game.row(PromptWidget) + game.row(PromptWidget, 1)


async def test_dice_behind_outcomes_are_taken_back_before_these(
    played: Play, game_of: Play
) -> None:
    oda, rats, _, _ = MANY["adventure-school"]
    fight = f"{oda}\n{rats}\ninit oda 20\ninit rat-1 9\ninit rat-2 8\ninit rat-3 7\nstart"
    async with game_of(played(fight, ruleset="adventure-school"), (120, 40)) as game:
        await game.type("s2-4⇥hmn7")
        assert "Rat 2 miss  Rat 3 d20 7" in game.row(PromptWidget)
        await game.type("<backspace><backspace>")
        assert "Rat 2 miss  Rat 3 ?" in game.row(PromptWidget)
        await game.type("h")
        assert game.line.prompt.line == "attack rat-1,rat-2,rat-3 hit,miss,hit"
