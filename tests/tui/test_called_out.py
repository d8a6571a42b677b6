"""What players call out, typed as they say it: several targets, dice as they lie, who reacts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Any

import pytest
from tests.tui.ghouls import prompt_after

from affray.store.open_encounter import OpenEncounter
from affray.tui.prompts.prompt import Prompt
from affray.tui.widgets.prompt import PromptWidget

Played = Callable[..., OpenEncounter]
Play = Callable[..., Any]

COMPANION = """\
add monster Wolf side party hp 20 ac 14 attack Bite +5 vs ac 1d6+2
init wolf 19
"""


@pytest.fixture
def play(stair: Played, game_of: Play) -> Play:
    """Opens the fight: Brannoc (1), Mira (2), Goblin 1 (3), Goblin 2 (4), Goblin Hexer (5)."""

    def open_(more: str = "") -> Any:
        return game_of(stair(more))

    return open_


# -- several targets -------------------------------------------------------------------------------

THIRTEEN = """
add pc Mira hp 32 ac 16 power "Fire Burst" encounter standard +6 vs reflex 3d6+4
add monster Rat x12 hp 20 ac 12
init mira 20
start
"""


@pytest.fixture
def crowd(played: Played) -> Iterator[OpenEncounter]:
    """Thirteen people, Mira first."""
    yield played(THIRTEEN, "Too Many", "orcus")


def prompt_of(encounter: OpenEncounter, keys: str) -> Prompt:
    """Mira's prompt after these keys, the first of which begins it."""
    return prompt_after(encounter, " ".join(keys), "mira")


@pytest.mark.parametrize("keys", ["-", "p"])
def test_any_two_of_thirteen_are_taken(crowd: OpenEncounter, keys: str) -> None:
    row = [c.id for c in crowd.state.in_order()]
    assert len(row) == 13
    for one, two in permutations(range(2 if keys == "p" else 1, 14), 2):
        made = prompt_of(crowd, keys)
        if keys == "p":
            made.feed("space")
        for key in f"{one},{two}":
            made.feed(key)
        assert made.field is not None
        assert made.field.answer == f"{row[one - 1]},{row[two - 1]}", (one, two)


def test_numbers_that_begin_alike(crowd: OpenEncounter) -> None:
    row = [c.id for c in crowd.state.in_order()]
    made = prompt_of(crowd, "-1,11,12,1,2")
    slot = made.field
    assert slot is not None
    assert slot.answer == ",".join(row[i - 1] for i in (1, 11, 12, 2))
    made = prompt_of(crowd, "-1h,11h,2,1h")
    assert made.line.endswith(f"half {row[10]}")  # Mira's half was taken back


def test_backspace_after_a_number_that_was_there(crowd: OpenEncounter) -> None:
    made = prompt_of(crowd, "-1,2,1")
    made.feed("backspace")
    assert made.field is not None and made.field.answer.count(",") == 1
    for _ in ",2":
        made.feed("backspace")
    assert made.field.answer.count(",") == 0


# -- dice as they lie ------------------------------------------------------------------------------


async def test_digits_at_an_outcome_are_the_die(play: Play) -> None:
    async with play() as game:
        await game.type("s3 14 9↵")
        assert game.last == "attack goblin-1 natural 14 9"


async def test_a_digit_that_no_die_has_is_told(play: Play) -> None:
    async with play() as game:
        await game.type("s3 157")
        assert "157 is not on a d20: enter or tab continues" in game.row(PromptWidget, 1)
        await game.type("↵9↵")
        assert game.last == "attack goblin-1 natural 15 9"


async def test_a_number_that_nobody_has_is_told(play: Play) -> None:
    async with play() as game:
        await game.type("s6")
        assert "6 is not a number in the order: use 1 to 5" in game.row(PromptWidget, 1)


async def test_too_much_is_told(play: Play) -> None:
    async with play() as game:
        await game.type("s3h99999")
        assert "99999 is too much damage" in game.row(PromptWidget, 1)
        await game.type("⎋-3 1234567")
        assert "1234567 is too long a number" in game.row(PromptWidget, 1)


@pytest.mark.parametrize(("said", "word"), [("3 18", "natural 18"), ("3h", "hit")])
async def test_damage_is_asked_for_whoever_has_a_player(play: Play, said: str, word: str) -> None:
    async with play(COMPANION) as game:
        await game.type(" ")
        assert game.encounter.state.turn == "wolf"
        await game.type("s" + said)  # Goblin 1 keeps its number, though the wolf acts before it
        await game.type("↵" if said.endswith("8") else "")
        assert game.line.is_open and "damage" in game.row(PromptWidget)
        await game.type("7↵")
        assert game.last == f"attack goblin-1 {word} 7"


async def test_of_several_targets_damage_is_asked_after_an_enter(play: Play) -> None:
    sweep = COMPANION.replace("1d6+2\n", "1d6+2 power Howl at-will standard +5 vs will 1d6\n")
    async with play(sweep) as game:
        await game.type(" p 3,4h↵")
        assert "damage" in game.row(PromptWidget)
        await game.type("6↵")
        assert game.last == 'power "Howl" goblin-1,goblin-2 hit 6'


async def test_a_foes_attack_is_done_with_an_enter(play: Play) -> None:
    async with play() as game:
        await game.type("  ")
        assert game.encounter.state.turn == "goblin-1"
        await game.type("s1 18↵")
        assert not game.line.is_open
        assert game.last == "attack brannoc natural 18"


# -- ones own --------------------------------------------------------------------------------------


async def test_enter_goes_on_to_the_targets_that_a_power_wants(play: Play) -> None:
    async with play() as game:
        await game.type("p")
        assert "✗" not in game.row(PromptWidget, 1) and "usage" not in game.row(PromptWidget, 1)
        await game.type("fi")
        assert "enter goes to the targets" in game.row(PromptWidget, 1)
        await game.type("↵")
        assert "Goblin 1" in game.row(PromptWidget)
        await game.type("3,4↵hm14↵")
        assert (game.who("goblin-1").track("hp"), game.who("goblin-2").track("hp")) == (6, 20)


async def test_with_two_enters_a_power_is_at_the_likely_foe(play: Play) -> None:
    async with play() as game:
        await game.type("pfi↵↵h14↵")
        assert game.last == 'power "Fire Burst" goblin-1 hit 14'


async def test_a_power_without_targets_is_used_with_an_enter(play: Play) -> None:
    async with play() as game:
        await game.type("pse↵")
        assert game.last == 'power "Second Skin"'


async def test_going_back_another_power_needs_no_targets(play: Play) -> None:
    async with play() as game:
        await game.type("pfi↵<shift+tab><backspace><backspace>se↵")
        assert game.last == 'power "Second Skin"'


@pytest.mark.parametrize("then", ["↵", " ", "3", "⇥"])
async def test_what_cant_be_used_is_refused_when_it_is_picked(play: Play, then: str) -> None:
    async with play('power "Fire Burst" goblin-1 hit 3') as game:
        await game.type("pfi")
        assert "✗ Fire Burst: expended until a short rest" in game.row(PromptWidget, 1)
        await game.type(then)
        assert "Fire Burst: expended until a short rest" in game.row(PromptWidget, 1)
        assert game.line.prompt.at == 0


# -- answers ---------------------------------------------------------------------------------------


async def test_a_save_is_the_die_as_it_lies(play: Play) -> None:
    async with play("inflict brannoc dazed save ends") as game:
        await game.type(" 8")
        assert "d20 8" in game.row(PromptWidget)
        await game.type(" ")
        assert "enter accepts the 8" in game.row(PromptWidget, 1)
        await game.type("↵")
        effect = game.who("brannoc").effects[0].id
        assert game.last == f"save brannoc {effect} natural 8"
        await game.type(" ")
        assert game.encounter.state.turn == "mira"


async def test_two_saves_are_two_numbers(play: Play) -> None:
    async with play("inflict brannoc dazed save ends\ninflict brannoc slowed save ends") as game:
        await game.type(" 14↵7↵ ")
        assert [e.name for e in game.who("brannoc").effects] == ["slowed"]
        assert game.encounter.state.turn == "mira"


async def test_what_is_typed_of_a_die_can_be_put_right(play: Play) -> None:
    async with play("inflict brannoc dazed save ends") as game:
        await game.type(" 21")
        assert "21 is not on a d20: enter accepts the 2" in game.row(PromptWidget, 1)
        await game.type("<backspace>")
        assert "d20 2" not in game.row(PromptWidget)
        await game.type("s ")
        assert game.who("brannoc").effects == ()


async def test_a_death_save_is_the_die_as_it_lies(play: Play) -> None:
    async with play("damage mira 35\nnext") as game:
        await game.type("↵9↵")
        assert game.last == "death mira natural 9"


async def test_a_death_roll_is_the_die_as_it_lies(ambush: OpenEncounter, game_of: Play) -> None:
    async with game_of(ambush) as game:
        while game.encounter.state.turn != "tobin":
            game.encounter.do("next")
        await game.pilot.pause()
        await game.type("↵15↵")
        assert game.last == "death tobin natural 15"


# -- conditions, rallying --------------------------------------------------------------------------


async def test_a_condition_for_several_and_a_likely_foe_offered(play: Play) -> None:
    async with play() as game:
        await game.type("c")
        assert "Goblin 1" in game.row(PromptWidget)
        await game.type("3,4 daz↵")
        assert game.who("goblin-1").named("dazed") and game.who("goblin-2").named("dazed")
        await game.type(";o4,5 5↵")
        assert game.last.startswith("inflict goblin-2,goblin-hexer persistent 5")


async def test_rallying_asks_for_nothing(play: Play) -> None:
    async with play("damage brannoc 20") as game:
        await game.type("r")
        assert not game.line.is_open
        assert game.last == "rally"


# -- who reacts ------------------------------------------------------------------------------------


async def test_an_opportunity_attack_in_a_goblins_turn(play: Play) -> None:
    async with play() as game:
        await game.type("  ")
        assert game.encounter.state.turn == "goblin-1"
        await game.type("o")
        assert "Brannoc" in game.row(PromptWidget)  # the likely one
        assert list(game.line.prompt.candidates.values()) == [1, 2, 4, 5]
        await game.type("2h9↵")
        assert game.last == "react opportunity-attack goblin-1 hit 9 by mira"
        assert game.who("mira").track("immediate") == 0
        await game.type("o2")
        assert "Mira: immediate action used" in game.row(PromptWidget, 1)
        await game.type(" 14 9↵")
        assert game.last == "react opportunity-attack goblin-1 natural 14 9 by brannoc"


async def test_a_foe_reacts_with_the_apps_dice(play: Play) -> None:
    async with play() as game:
        await game.type("o4↵")
        assert game.last == "react opportunity-attack brannoc roll by goblin-2"


async def test_another_target_can_be_gone_back_to(play: Play) -> None:
    async with play("next\nnext") as game:
        await game.type("o2 <shift+tab>4h9↵")
        assert game.last == "react opportunity-attack goblin-2 hit 9 by mira"


async def test_where_nobody_can_it_says_why(play: Play) -> None:
    all_ = "\n".join(f"set {who} immediate 0" for who in ("mira", "goblin-1", "goblin-2"))
    async with play(f"{all_}\nset goblin-hexer immediate 0") as game:
        await game.type("o")
        assert "not on its own turn" in game.row(PromptWidget)
