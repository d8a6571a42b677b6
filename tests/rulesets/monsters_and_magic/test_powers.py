"""Monsters with what is on their sheet: powers, and attacks that inflict conditions.

Monsters & Magic, Threads of Fate (thread powered abilities), Action Points, Conditions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.rulesets.monsters_and_magic.conftest import Fight

OGRE = (
    "add monster Ogre cr 3 hp 46 ac 2 attack club 2d6 bludgeoning inflicts sundered "
    'powers Undertow ap 2 uses 1 text "All in touch are pulled under." '
    'powers "Cold Breath" thread powers Snap reaction uses 2'
)


@pytest.fixture
def ogre(new_fight: Callable[..., Fight]) -> Fight:
    """The ogre is up, then Mira."""
    people = (OGRE, "add pc Mira hp 24 ac 2 pb 1")
    return new_fight(*people, "init ogre 15", "init mira 9", "start")


def available(fight: Fight, power: str) -> bool:
    return bool(fight.option("ogre", f"power {power}")["available"])


def test_a_power_costs_its_action_points_and_tells_its_text(ogre: Fight) -> None:
    """Monsters & Magic, Action Points: actions from elsewhere have their AP."""
    assert ogre.option("ogre", "power Undertow")["cost"] == {"ap": 2}
    ogre.do("power undertow")
    assert ogre.track("ogre", "ap") == 1
    assert "pulled under" in str(ogre.events)


def test_a_limited_power_is_used_up_until_the_next_fight(ogre: Fight) -> None:
    ogre.do("power under")
    assert not available(ogre, "Undertow")
    ogre.do("next", "next")
    ogre.refuses("power undertow", "used 1 of 1")
    ogre.do("end", "init ogre 15", "init mira 9", "start", "power undertow")


def test_a_thread_powered_ability_takes_one_of_the_gms(ogre: Fight) -> None:
    """Monsters & Magic, Threads of Fate: use a monster's thread powered ability."""
    ogre.refuses('power "Cold Breath"', "the GM has no thread")
    ogre.do("check mira luck natural 20", 'power "cold breath"')
    assert ogre.gm_threads == 0


def test_a_power_that_is_a_reaction_goes_in_anothers_turn(ogre: Fight) -> None:
    """Monsters & Magic, Reactions: one until the start of the next turn."""
    ogre.do("next", "power snap by ogre")
    assert ogre.track("ogre", "reaction") == 0
    ogre.refuses("power snap by ogre", "reaction used")
    ogre.refuses("power undertow by ogre", "it is Mira's turn")


def test_a_power_is_used_once_a_turn(new_fight: Callable[..., Fight]) -> None:
    """Monsters & Magic, Action Points: the same action works once a turn, another one as well."""
    ogre = "add monster Ogre hp 46 powers Snap powers Kick powers Glare ap 0"
    fight = new_fight(ogre, "init ogre 9", "start")
    fight.do("power snap", "power kick", "power glare", "power glare")
    fight.refuses("power snap", "once a turn for Snap")
    assert not available(fight, "Snap")
    fight.do("next", "power snap")


def test_a_power_is_readied_at_its_price(ogre: Fight) -> None:
    """Monsters & Magic, Ready an Action: the AP of what is readied are spent then, and it is done
    with the reaction; what has only so many uses is used when it is done."""
    ogre.do('ready power undertow "they come"')
    assert ogre.track("ogre", "ap") == 1
    ogre.do("next", "trigger by ogre")
    assert ogre.track("ogre", "reaction") == 0
    assert "pulled under" in str(ogre.events)
    ogre.do("next")
    ogre.refuses("ready power undertow", "used 1 of 1")
    ogre.refuses("ready power snap", "is a reaction")
    ogre.refuses("ready power howl", "expected one of their powers")


def test_only_those_with_powers_are_offered_any(ogre: Fight) -> None:
    assert [o for o in ogre.who("mira")["options"] if o["technique"].startswith("power")] == []
    ogre.refuses("power undertow by mira", "there is none")


@pytest.mark.parametrize(("outcome", "effects"), [("weak", {"sundered"}), ("miss", set())])
def test_a_hit_inflicts_what_the_attack_says(ogre: Fight, outcome: str, effects: set[str]) -> None:
    """Monsters & Magic, Conditions: to the end of the bearer's next turn."""
    ogre.do(f"strike mira {outcome} 6")
    assert ogre.effects("mira") == effects


def test_a_condition_that_is_there_is_left_to_the_gm(ogre: Fight) -> None:
    """Monsters & Magic, Conditions: extend or detonate, your choice."""
    ogre.do("strike mira strong 3", "strike mira strong 3")
    assert "sundered is already" not in str(ogre.events)
    assert "Mira is sundered already" in ogre.notes
    ogre.do("inflict mira sundered extend")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("attack club 2d6 bludgeoning inflicts sunderd", "sundered"),
        ("powers", "the power's name"),
        ("powers Odd ap many", "its AP"),
        ("powers Odd uses 0", "its uses"),
    ],
)
def test_a_sheet_that_makes_no_sense_is_refused(ogre: Fight, words: str, why: str) -> None:
    ogre.refuses(f"add monster Troll hp 9 {words}", why)


@pytest.mark.parametrize(
    ("per", "back"), [("fight", "end"), ("rest", "rest short"), ("day", "rest long")]
)
def test_uses_are_for_a_fight_a_rest_or_a_day(
    new_fight: Callable[..., Fight], per: str, back: str
) -> None:
    """A power that can be used so often in its time, and no more before that is over."""
    fight = new_fight(f"add monster Ogre hp 46 powers Snarl uses 1 per {per}", "init ogre 9")
    fight.do("start", "power snarl", "next")
    assert not available(fight, "Snarl")
    spans = {"end": ("fight",), "rest short": ("fight", "rest"), "rest long": ("rest", "day")}
    fight.do("end")
    assert available(fight, "Snarl") == (per == "fight")
    if back != "end":
        fight.do("rest short with ogre")
        assert available(fight, "Snarl") == (per in spans["rest short"])
        fight.do("rest long with ogre")
        assert available(fight, "Snarl")


def test_what_a_hit_inflicts_may_have_an_end_of_its_own(new_fight: Callable[..., Fight]) -> None:
    """Monsters & Magic, Conditions: to the end of the bearer's next turn, unless it is said
    otherwise."""
    ogre = "add monster Ogre hp 46 attack club 2d6 inflicts slowed user-start inflicts weakened"
    fight = new_fight(ogre, "add pc Mira hp 24 ac 2 pb 1", "init ogre 15", "init mira 9", "start")
    fight.do("strike mira strong 3")
    assert fight.until("mira", "slowed") == "start of ogre's next turn"
    assert fight.until("mira", "weakened") == "end of mira's next turn"
