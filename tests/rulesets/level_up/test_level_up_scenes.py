"""Other scenes: under water, in the sky, adrift, rolling. Level Up, Suspended Movement;
ruling 27."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.rulesets.level_up.conftest import ORDER, PEOPLE, Fight

EEL = "add monster Eel swim hp 20 ac 10 dex 2 attack bite +4 1d6 piercing"


@pytest.fixture
def drowned(with_more: Callable[..., Fight]) -> Fight:
    """Under water, with an eel; Brannoc is up."""
    return with_more(EEL, then=["setting underwater on"])


# -- under water -----------------------------------------------------------------------------------


def test_under_water_everybody_resists_fire(drowned: Fight) -> None:
    drowned.do("damage ghoul-1,mira 9 fire")
    assert (drowned.hp("ghoul-1"), drowned.hp("mira")) == (18, 20)
    drowned.do("inflict mira resistance fire", "damage mira 8 fire", "damage mira 4 cold")
    assert drowned.hp("mira") == 12, "once, however many resistances"


def test_melee_attacks_with_weapons_have_disadvantage_without_a_swim_speed(drowned: Fight) -> None:
    drowned.do("attack ghoul-1 natural 18,4 5")
    assert (drowned.rolled.natural, drowned.outcome) == (4, "miss")
    drowned.do(*["next"] * 4)
    drowned.refuses("attack mira natural 18,4 5", "the two dice of advantage")
    drowned.do("attack mira natural 18 5")
    assert drowned.outcome == "hit"


def test_ranged_weapons_have_disadvantage_unless_thrown(drowned: Fight) -> None:
    drowned.do("next")
    drowned.do("attack ghoul-1 natural 18,4 5 with bow")
    assert drowned.outcome == "miss"
    drowned.do("undo", "attack ghoul-1 natural 18 5 with dagger ranged")
    assert drowned.outcome == "hit"


def test_nobody_presses_whom_the_water_hinders_with_every_weapon(drowned: Fight) -> None:
    """Level Up, Press the Attack: a thrown weapon is free of it, a ghoul's claws are not."""
    drowned.do("press-the-attack", "undo", "next", "press-the-attack", "next")
    drowned.refuses("press-the-attack", "underwater: disadvantage on attacks")
    drowned.do("setting underwater off", "press-the-attack")


def test_who_swims_presses_under_water(drowned: Fight) -> None:
    """Level Up, Press the Attack, Suspended Movement."""
    drowned.do(*["next"] * 4, "press-the-attack")
    assert "pressing" in drowned.effects("eel")


@pytest.mark.parametrize("die", ["natural 20,19", "hit", "crit"])
def test_beyond_normal_range_ranged_weapons_miss_whatever_the_die(drowned: Fight, die: str) -> None:
    """Level Up, ruling 27."""
    drowned.do("next", f"attack ghoul-1 {die} 5 with bow long")
    assert (drowned.outcome, drowned.hp("ghoul-1")) == ("miss", 22)


def test_spells_are_no_weapons(drowned: Fight) -> None:
    drowned.do("next", 'cast "Cold Ray" at ghoul-1 natural 12 6 cold')
    assert (drowned.outcome, drowned.hp("ghoul-1")) == ("hit", 16)


def test_dexterity_checks_have_disadvantage_without_a_swim_speed_and_saves_not(
    drowned: Fight,
) -> None:
    drowned.do("check mira dex stealth natural 15,3 dc 10")
    assert drowned.outcome == "failure"
    drowned.do("check eel dex natural 9 dc 11", "check mira dex save natural 6 dc 11")
    assert drowned.outcome == "success"
    drowned.do("check mira str natural 12 dc 11")
    assert drowned.outcome == "success"


# -- in the sky ------------------------------------------------------------------------------------


def test_in_the_sky_whoever_cannot_fly_is_falling(with_more: Callable[..., Fight]) -> None:
    fight = with_more("add monster Roc fly hp 30 ac 12")
    fight.do("setting aloft on")
    assert "falling" in fight.effects("mira") and "falling" not in fight.effects("roc")
    fight.do("inflict roc prone")
    assert "falling" in fight.effects("roc")
    fight.do("remove roc prone", "inflict roc restrained")
    assert "falling" in fight.effects("roc")
    fight.do("remove roc restrained")
    assert "falling" not in fight.effects("roc")
    fight.do("setting aloft off")
    assert "falling" not in fight.effects("mira")


def test_straight_down_costs_half(fight: Fight) -> None:
    fight.refuses("move 10 down", "aloft")
    fight.do("setting aloft on", "move 10 down")
    assert fight.track("brannoc", "movement") == 25


# -- adrift ----------------------------------------------------------------------------------------


def test_adrift_psychic_damage_is_doubled_but_for_the_steadfast(fight: Fight) -> None:
    fight.do("setting astral on", "damage brannoc,mira 4 psychic")
    assert fight.hp("brannoc") == 32
    assert fight.hp("mira") == 20, "proficient in Intelligence saves"
    fight.do("inflict brannoc vulnerability psychic", "damage brannoc 4 psychic")
    assert fight.hp("brannoc") == 24, "once, however many vulnerabilities"


def test_adrift_speed_is_that_of_thought(fight: Fight) -> None:
    fight.do("setting astral on")
    assert (fight.total("mira", "speed"), fight.total("ghoul-1", "speed")) == (35, 20)
    assert fight.total("brannoc", "speed") == 30
    fight.do("dash")
    assert fight.total("brannoc", "speed") == 60


# -- rolling ---------------------------------------------------------------------------------------


@pytest.fixture
def chase(fight: Fight) -> Fight:
    """A rolling scene in fire; Brannoc's turn of round 1 has begun before it."""
    return fight.do("environment fiery,stormy", "setting rolling on")


def test_in_a_rolling_scene_the_world_has_no_turn(chase: Fight) -> None:
    chase.do(*["next"] * 4)
    assert (chase.state.round, chase.state.turn) == (2, "brannoc")
    chase.do("setting rolling off", *["next"] * 4)
    assert chase.state.turn == "world"


def test_it_has_an_action_in_everybodys_turn_on_that_one_alone(chase: Fight) -> None:
    chase.do("next")
    assert chase.track("world", "world_action") == 1
    chase.refuses("world forceful-gale brannoc failure", "only on Mira")
    chase.do("world flame-burst mira failure 5")
    assert chase.hp("mira") == 19
    chase.refuses("world forceful-gale mira failure", "world action used")
    chase.do("next", faces=(1,))
    chase.do("world sweltering-heat failure")
    assert [chase.track(who, "fatigue") for who in ("mira", "ghoul-1", "ghoul-2")] == [0, 1, 0]


def test_in_the_turn_of_a_group_it_acts_on_any_of_them(chase: Fight) -> None:
    """Level Up, Rolling Movement: each of them is a participant, and it is the turn of all."""
    chase.do("group ghoul-1,ghoul-2", "next", "next")
    chase.refuses("world forceful-gale mira failure", "only on Ghoul 1 and Ghoul 2")
    chase.refuses("world forceful-gale failure", "say which")
    chase.do("world flame-burst ghoul-2 failure 5")
    assert (chase.hp("ghoul-1"), chase.hp("ghoul-2")) == (22, 17)


def test_scenes_are_settings_of_the_fight(new_fight: Callable[..., Fight]) -> None:
    settings = new_fight(*PEOPLE, *ORDER).ruleset.all_settings
    for scene in ("underwater", "aloft", "astral", "rolling"):
        assert settings[scene].values == ("off", "on")
    assert settings["world-turn"].values == ("last", "first")
