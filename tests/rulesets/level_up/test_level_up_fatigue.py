"""Fatigue, strife, doom, rests. Level Up, Fatigue, Doomed, Recovering."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.house.playing import HouseFight, ruleset_with
from tests.rulesets.level_up.conftest import ORDER

if TYPE_CHECKING:
    from tests.rulesets.level_up.conftest import Fight


def test_everybody_counts_both_in_levels_without_a_maximum(fight: Fight) -> None:
    """Level Up, Fatigue; ruling 30."""
    fight.do("mark ghoul-1 fatigue 7", "mark ghoul-1 strife 12")
    tracks = fight.who("ghoul-1")["tracks"]
    assert tracks["fatigue"]["value"] == 7 and "max" not in tracks["fatigue"]
    assert tracks["strife"]["value"] == 12 and "max" not in tracks["strife"]


def test_marking_and_clearing_by_hand(fight: Fight) -> None:
    """Level Up, Fatigue."""
    fight.do("mark brannoc,mira fatigue 3", "clear brannoc fatigue")
    assert (fight.tired("brannoc"), fight.tired("mira")) == ((2, 0), (3, 0))
    fight.do("clear mira fatigue 9", "mark mira strife")
    assert fight.tired("mira") == (0, 1)
    fight.refuses("clear mira fatigue", "Mira has no Fatigue to clear")
    fight.do("clear brannoc,mira fatigue")
    assert "Mira had no Fatigue to clear" in fight.notes
    fight.refuses("mark mira fatige", "did you mean fatigue?")
    fight.refuses("mark mira hp", "expected a track, found 'hp'")


def test_what_is_gained_in_a_fight_shows_at_once_and_is_felt_after_it(fight: Fight) -> None:
    """Level Up, Fatigue; ruling 5."""
    fight.do("mark mira fatigue 2")
    assert (fight.tired("mira"), fight.felt("mira")) == ((2, 0), 0)
    fight.do("end")
    assert fight.felt("mira") == 2


def test_what_is_gained_outside_of_a_fight_is_felt_at_once(gathered: Fight) -> None:
    """Level Up, Fatigue."""
    gathered.do("mark mira fatigue")
    assert gathered.felt("mira") == 1


def test_levels_are_felt_at_once_where_the_table_wants_it(fight: Fight) -> None:
    """Level Up, ruling 5: the setting `fatigue at-once`; ruling 6: doom with it."""
    fight.do("setting fatigue at-once", "mark mira fatigue 5")
    assert fight.felt("mira") == 5 and "doomed" in fight.effects("mira")


def test_levels_that_wait_are_felt_when_the_table_comes_to_want_it(fight: Fight) -> None:
    """Level Up, ruling 5."""
    fight.do("mark mira fatigue 5", "setting fatigue at-once")
    assert fight.felt("mira") == 5 and "doomed" in fight.effects("mira")


def test_one_felt_level_bars_sprint_and_one_of_this_fight_does_not(fight: Fight) -> None:
    """Level Up, Sprint; ruling 5."""
    fight.do("mark brannoc fatigue")
    assert fight.reason("brannoc", "sprint") == ""
    fight.do("end", "init roll all", faces=(9, 9, 9, 9)).do("init brannoc 30", "start")
    assert fight.option("brannoc", "sprint")["available"] is False
    fight.refuses("sprint", "can't use Sprint: fatigue")


def test_strife_bars_nothing(fight: Fight) -> None:
    """Level Up, Fatigue: the shipped rows hold nothing of strife."""
    fight.do("setting fatigue at-once", "mark brannoc strife 9")
    assert fight.reason("brannoc", "sprint") == "" and not fight.effects("brannoc")


def tired_by_sprinting(fight: Fight) -> Fight:
    """Brannoc is up in round 3, and his third sprint in a row has tired him."""
    turn = ("sprint", "next", "next", "next", "next")
    return fight.do(*turn, *turn, "sprint failure")


def test_fatigue_of_sprinting_is_felt_after_the_fight_and_goes_with_a_rest(fight: Fight) -> None:
    """Level Up, Fatigue, Recovering From Fatigue; ruling 17: with either; the fight's end is no
    minute."""
    tired_by_sprinting(fight).do("mark brannoc fatigue", "end")
    assert (fight.tired("brannoc"), fight.felt("brannoc")) == ((2, 0), 2)
    fight.do("rest short")
    assert (fight.tired("brannoc"), fight.track("brannoc", "sprints")) == ((1, 0), 0)


def test_sprints_of_one_fight_make_no_check_of_another_harder(fight: Fight) -> None:
    """Level Up, Sprint; ruling 17."""
    tired_by_sprinting(fight).do("clear brannoc fatigue", "end", *ORDER)
    turn = ("sprint", "next", "next", "next", "next")
    fight.do(*turn, *turn, "sprint natural 5")
    assert (fight.rolled.dc, fight.outcome) == (10, "success")


def test_five_levels_doom_when_the_fight_is_over(fight: Fight) -> None:
    """Level Up, Doomed; ruling 6: the card warns before."""
    fight.do("mark mira fatigue 5")
    assert "doomed" not in fight.effects("mira")
    tables = fight.ruleset.tables
    said = fight.ruleset.state.describe_track(tables, fight["mira"], "fatigue")
    assert said == "doomed when the fight is over"
    fight.do("end")
    assert "doomed" in fight.effects("mira")


def test_five_levels_doom_at_once_outside_of_a_fight(gathered: Fight) -> None:
    """Level Up, Fatigue, Doomed."""
    gathered.do("mark mira fatigue 5")
    assert "doomed" in gathered.effects("mira")


def test_four_levels_do_not_doom(fight: Fight) -> None:
    """Level Up, Doomed."""
    fight.do("mark mira fatigue 4", "end")
    assert "doomed" not in fight.effects("mira")


def test_the_doomed_stay_so_until_it_is_removed(fight: Fight) -> None:
    """Level Up, Doomed: neither rests nor fewer levels end it."""
    fight.do("mark mira fatigue 5", "end", "rest long haven", "clear mira fatigue 9", "rest long")
    assert "doomed" in fight.effects("mira")
    fight.do("remove mira doomed")
    assert "doomed" not in fight.effects("mira")


def test_doom_that_was_removed_does_not_come_back_by_itself(fight: Fight) -> None:
    """Level Up, Doomed: but by a fifth level anew."""
    fight.do("mark mira fatigue 5", "end", "remove mira doomed", "note a miracle")
    assert "doomed" not in fight.effects("mira")
    fight.do("clear mira fatigue", "mark mira fatigue")
    assert "doomed" in fight.effects("mira")


def test_the_gm_may_doom(fight: Fight) -> None:
    """Level Up, Doomed: for other reasons."""
    fight.do("inflict mira doomed")
    assert "doomed" in fight.effects("mira")


def test_a_long_rest_anywhere_takes_the_last_level_only(fight: Fight) -> None:
    """Level Up, Recovering From Fatigue."""
    fight.do("mark mira fatigue 1", "mark brannoc fatigue 2", "end", "rest long")
    assert (fight.tired("mira"), fight.tired("brannoc")) == ((0, 0), (2, 0))


def test_a_long_rest_at_a_haven_takes_one_each_time(fight: Fight) -> None:
    """Level Up, Recovering From Fatigue."""
    fight.do("mark brannoc fatigue 3", "end", "rest long haven")
    assert fight.tired("brannoc") == (2, 0)
    fight.do("rest long haven", "rest long haven", "rest long haven")
    assert fight.tired("brannoc") == (0, 0)


def test_no_rest_takes_strife(fight: Fight) -> None:
    """Level Up, Fatigue: how strife goes is not in the text."""
    fight.do("mark mira strife", "end", "rest long haven", "rest short")
    assert fight.tired("mira") == (0, 1)


def test_a_short_rest_takes_no_fatigue_and_heals_nobody(fight: Fight) -> None:
    """Level Up, Recovering From Fatigue."""
    fight.do("mark mira fatigue", "damage mira 5", "temp mira 3", "end", "rest short")
    assert (fight.tired("mira"), fight.hp("mira")) == ((1, 0), 19)
    assert fight.track("mira", "temp_hp") == 3


def test_a_long_rest_ends_temporary_hp_and_gives_all_hp(fight: Fight) -> None:
    """Level Up, Recovering From Fatigue, Temporary Hit Points; ruling 38."""
    fight.do("damage mira 5", "temp mira 3", "end", "rest long")
    assert (fight.hp("mira"), fight.track("mira", "temp_hp")) == (24, 0)


def test_the_stable_are_up_after_a_long_rest_and_the_dead_stay_dead(fight: Fight) -> None:
    """Level Up, Recovering From Fatigue."""
    fight.do("damage mira 24 knockout", "damage ghoul-1 22", "end", "rest long")
    assert (fight["mira"].life, fight.hp("mira")) == ("up", 24)
    assert fight["ghoul-1"].life == "dead"


def test_a_rest_outlasts_what_turns_rounds_and_rests_end(gathered: Fight) -> None:
    """11."""
    gathered.do("inflict mira poisoned until rest", "inflict mira blinded", "rest short")
    assert gathered.effects("mira") == {"blinded"}


def test_no_rest_in_a_fight(fight: Fight) -> None:
    fight.refuses("rest long", "in the middle of a fight")
    fight.do("end").refuses("rest night", "short")


ROWS = """
[levels.strife-1]
track = "strife"
modifiers = { check = -1 }
goes = "short"

[levels.fatigue-2]
track = "fatigue"
at = 2
name = "fatigue, 2 levels"
speed = "half"
goes = "long"
"""


@pytest.fixture
def house() -> HouseFight:
    """A fight by a campaign's levels, before it begins."""
    fight = HouseFight(ruleset_with("level-up", ROWS))
    fight.do("add pc Ann hp 20 ac 12 wis 1", "add monster Cat hp 20 ac 12")
    return fight


def test_a_campaign_fills_in_what_levels_do(house: HouseFight) -> None:
    """Level Up, Fatigue: modifiers and Speed, of both tracks."""
    house.do("mark ann strife", "mark ann fatigue 2", "check ann wis natural 9 dc 9")
    assert house.who("ann")["totals"]["check"] == -1
    assert house.who("ann")["totals"]["speed"] == 15


def test_a_campaign_fills_in_how_levels_go(house: HouseFight) -> None:
    """Level Up, Fatigue."""
    house.do("mark ann strife", "mark ann fatigue 2", "rest short")
    assert (house.track("ann", "strife"), house.track("ann", "fatigue")) == (0, 2)
    house.do("rest long")
    assert house.track("ann", "fatigue") == 1


def test_levels_not_felt_change_nothing(house: HouseFight) -> None:
    """Level Up, Fatigue."""
    house.do("init ann 9", "init cat 5", "start", "mark ann strife", "mark ann fatigue 2")
    assert house.who("ann")["totals"]["check"] == 0
    assert house.who("ann")["totals"]["speed"] == 30
    assert house.who("ann")["tracks"]["fatigue"] == {"value": 2, "unfelt": 2}
    house.do("end")
    assert house.who("ann")["totals"]["speed"] == 15


def test_what_bars_the_sprint_is_told_by_its_name(gathered: Fight) -> None:
    gathered.do("mark brannoc fatigue")
    assert gathered.reason("brannoc", "sprint") == "fatigue"
