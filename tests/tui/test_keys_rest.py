"""A rest with the keys alone: the whole party, one after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from affray.tui.widgets.prompt import PromptWidget

PARTY = """
add pc Ann hp 20 ac 2 power 2 luck 1 pb 2
add pc Bea hp 24 ac 1 cunning 2 luck 2 pb 2
add pc Cai hp 30 ac 1 focus 2 pb 2
add pc Dov hp 16 ac 3 power 1 pb 2
add monster Mule side party cr 0 hp 9
supplies 2
damage ann 20
mark ann,bea,cai,dov fatigue 7
clock "The old map" 4
"""
Play = Callable[..., Any]


async def test_four_go_through_a_long_rest_in_under_a_minute(opened: Play) -> None:
    """Monsters & Magic, Long Rest: two activities each, of every kind."""
    async with opened(PARTY, (120, 40)) as game:
        typed = 0

        async def keys(text: str) -> None:
            nonlocal typed
            typed += len(text)
            await game.type(text)

        await keys("Zl↵")
        assert game.last == "rest long"
        assert "In the rest: Ann" in game.row(PromptWidget)
        await keys("gs↵")
        assert game.last == "rest ann gather strong"
        await keys("t⇥3↵")
        assert game.last == "rest ann tend 3"
        assert "In the rest: Bea" in game.row(PromptWidget)
        await keys("c1↵")
        assert game.last == "rest bea clear 1"
        await keys("p3↵")
        assert game.last == "rest bea prepare with cai"
        assert "In the rest: Cai" in game.row(PromptWidget)
        await keys("ww12↵")
        assert game.last == "rest cai watch weak dc 12"
        await keys("rT↵")
        assert game.last == 'rest dov project "The old map"'
        await keys("c↵")
        assert game.last == "rest dov clear"
        assert not game.line.is_open
        assert typed == 26
        assert game.who("ann").track("hp") == 2 + 3 * 5
        assert game.encounter.state.gm("supplies") == 2 + 2 - 3 - 1
        assert [game.who(who).track("prepared") for who in ("bea", "cai")] == [2, 2]
        assert [game.who(who).track("fatigue") for who in ("bea", "dov")] == [0, 0]


async def test_it_goes_on_until_esc_and_a_key_takes_it_up_again(opened: Play) -> None:
    async with opened(PARTY, (120, 40)) as game:
        await game.type("Zssheltered 1 supplies 2↵")
        assert game.last == "rest short sheltered 1 supplies 2"
        assert "In the rest: Ann" in game.row(PromptWidget)
        await game.type("⇥⇥p↵")
        assert game.last == "rest cai prepare"
        assert "In the rest: Cai" in game.row(PromptWidget)
        await game.type("⎋")
        assert not game.line.is_open
        await game.type("2Yc↵p↵t1↵")
        assert game.last == "rest bea tend ann"
        assert "In the rest: Cai" in game.row(PromptWidget)


async def test_each_rest_offers_what_it_has_time_for(opened: Play) -> None:
    """Monsters & Magic, Extended Rest."""
    async with opened(PARTY, (120, 40)) as game:
        await game.type("Ze↵")
        assert "p project  r recuperate  l level-up  j job" in game.row(PromptWidget, 0)
        await game.type("r↵l↵")
        assert game.last == "rest bea level-up"
        await game.type("j12↵p")
        assert game.last == "rest cai job 12"


async def test_nobody_is_asked_who_can_do_nothing(opened: Play) -> None:
    """Monsters & Magic, Rest & Recovery; ruling 53: life forbids."""
    async with opened(f"{PARTY}damage ann 99\n", (120, 40)) as game:
        await game.type("Zl↵")
        assert "In the rest: Bea" in game.row(PromptWidget)


async def test_before_any_rest_it_says_so(opened: Play) -> None:
    async with opened(PARTY, (120, 40)) as game:
        await game.type("Y")
        assert "Ann has had no rest: `rest short`" in game.row(PromptWidget)


async def test_the_last_roll_of_a_rest_is_asked_again(opened: Play) -> None:
    async with opened(PARTY, (120, 40)) as game:
        await game.type("Zl↵g9↵")
        assert game.last == "rest ann gather natural 9"
        await game.type("⎋")
        await game.pilot.press("ctrl+e")
        await game.type("12↵")
        assert game.last == "rest ann gather natural 12"
        assert game.encounter.state.gm("supplies") == 3
