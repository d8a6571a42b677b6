"""Hiding, seeking and ambushes. Adventure School, Hide."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.rulesets.adventure_school.conftest import ORDER, PEOPLE

Fight = Any


@pytest.fixture
def hidden(fight: Fight) -> Fight:
    """Mira is up, and hidden."""
    made: Fight = fight.do("next", "hide pass")
    return made


def test_the_highest_seeker_must_be_beaten(fight: Fight) -> None:
    """Adventure School, Hide: roguery against the seeking of every enemy."""
    fight.do("set ghoul-2 seeking 9", "next", "hide natural 10", faces=(14, 8))
    assert fight.outcome == "fail"  # 16 against 15 and 17
    fight.do("undo", "hide natural 12", faces=(14, 8))
    assert (fight.outcome, fight.rolled.dc, fight.effects("mira")) == ("pass", 17, {"hidden"})
    assert fight.track("mira", "action") == 0


def test_the_defeated_seek_nobody(fight: Fight) -> None:
    """Adventure School, Hide."""
    fight.do("damage ghoul-2 30", "next", "hide natural 10", faces=(14,))
    assert fight.outcome == "pass"


def test_partial_concealment_hides_badly(fight: Fight) -> None:
    """Adventure School, Hide, Partial Concealment: said, or the effect."""
    fight.do("next", "hide natural 15,2 partial vs total 9")
    assert fight.outcome == "fail"
    fight.do("undo", "inflict mira partially-concealed", "hide natural 15,2 vs total 9")
    assert fight.outcome == "fail"
    fight.do("undo", "inflict mira concealed")
    fight.refuses("hide natural 15,2 vs total 9", "there is neither")


def test_the_hidden_hit_easily_and_are_hit_badly(hidden: Fight) -> None:
    """Adventure School, Hide."""
    assert hidden.dice("mira", "melee") == hidden.dice("mira", "initiative") == "advantage"
    assert hidden.dice("mira", "attacked_ranged") == "disadvantage"


@pytest.mark.parametrize(
    "line",
    [
        "dash",
        "grab ghoul-1 fail",
        "trip ghoul-1 fail",
        "push ghoul-1 pass",
        "disarm ghoul-1 fail",
        "remove mira hidden",
    ],
)
def test_hiding_ends_by_dashing_and_by_touching_somebody(hidden: Fight, line: str) -> None:
    """Adventure School, Hide."""
    hidden.do("set mira action 1", line)
    assert "hidden" not in hidden.effects("mira")


@pytest.mark.parametrize(
    "line", ["defend", "disengage", "move 30", "seek pass", "assist brannoc seeking pass"]
)
def test_what_is_quiet_does_not_end_it(hidden: Fight, line: str) -> None:
    """Adventure School, Hide."""
    hidden.do("set mira action 1", line)
    assert "hidden" in hidden.effects("mira")


@pytest.mark.parametrize("what", ["grab", "trip"])
def test_being_grabbed_or_tripped_ends_it_and_being_missed_does_not(
    hidden: Fight, what: str
) -> None:
    """Adventure School, Hide."""
    hidden.do("next", f"{what} mira fail", "next")
    assert "hidden" in hidden.effects("mira")
    hidden.do(f"{what} mira pass")
    assert "hidden" not in hidden.effects("mira")


def test_hiding_again_keeps_one_hidden_and_failing_does_not_show_one(hidden: Fight) -> None:
    """Adventure School, Hide."""
    hidden.do("set mira action 1", "hide pass", "set mira action 1")
    assert len(hidden.who("mira")["effects"]) == 1
    hidden.do("hide fail")
    assert hidden.effects("mira") == {"hidden"}


# -- seek ------------------------------------------------------------------------------------------


def test_a_seeker_finds_those_whose_roguery_it_beats(hidden: Fight) -> None:
    """Adventure School, Seek."""
    hidden.do("inflict brannoc hidden", "next")
    hidden.do("seek natural 10 vs natural 4 natural 12")  # 11 against 4 and 18
    assert (hidden.outcome, hidden.effects("brannoc")) == ("pass", set())
    assert hidden.effects("mira") == {"hidden"}
    assert hidden.track("ghoul-1", "action") == 0


def test_seeking_may_be_for_one_alone_or_for_nobody_that_is_there(hidden: Fight) -> None:
    """Adventure School, Seek."""
    hidden.do("inflict brannoc hidden", "next", "seek mira pass")
    assert (hidden.effects("mira"), hidden.effects("brannoc")) == (set(), {"hidden"})
    hidden.do("next")
    hidden.refuses("seek mira pass", "isn't hidden")
    hidden.do("remove brannoc hidden", "seek natural 9")
    assert "finds nobody" in hidden.history.entries[hidden.history.last].text


# -- ambush ----------------------------------------------------------------------------------------


@pytest.fixture
def ambush(new_fight: Callable[..., Fight]) -> Fight:
    """Mira has hidden before the fight, and is up; the ghouls had no turn yet."""
    return new_fight(*PEOPLE, "hide pass by mira", *ORDER, "next")


@pytest.mark.parametrize(
    "line", ["trip ghoul-1 fail", "distract ghoul-1 fail", "grab ghoul-1 fail"]
)
def test_an_act_from_hiding_before_its_first_turn_ambushes_an_enemy(
    ambush: Fight, line: str
) -> None:
    """Adventure School, Ambush; ruling 11: until the ambusher's turn ends."""
    ambush.do(line)
    assert ambush.effects("ghoul-1") == {"ambushed"}
    assert ambush.who("ghoul-1")["effects"][0]["source"] == "mira"
    ambush.do("next")
    assert ambush.effects("ghoul-1") == set()


def test_who_had_a_turn_is_on_guard(ambush: Fight) -> None:
    """Adventure School, Ambush: once an enemy gets its first turn."""
    ambush.do("next", "next", "next", "next", "trip ghoul-1 fail")
    assert ambush.effects("ghoul-1") == set()


def test_who_was_seen_once_in_the_fight_ambushes_nobody(hidden: Fight) -> None:
    """Adventure School, Ambush: never unhidden during that encounter."""
    hidden.do("set mira action 1", "trip ghoul-1 fail")
    assert hidden.effects("ghoul-1") == set()


def test_who_is_not_hidden_ambushes_nobody_and_no_friend_is_ambushed(ambush: Fight) -> None:
    """Adventure School, Ambush."""
    ambush.do("trip brannoc fail")
    assert ambush.effects("brannoc") == set()
    ambush.do("set mira action 1", "trip ghoul-1 fail")
    assert ambush.effects("ghoul-1") == set()


def test_each_fight_has_its_own_ambush(hidden: Fight) -> None:
    """Adventure School, Ambush: in this fight."""
    hidden.do("end", "remove mira hidden", "hide pass by mira", *ORDER, "next", "trip ghoul-1 fail")
    assert hidden.effects("ghoul-1") == {"ambushed"}


def test_an_attack_a_stunt_and_a_spell_from_hiding_ambush_as_well(ambush: Fight) -> None:
    """Adventure School, Ambush: an act against an enemy."""
    ambush.do("attack ghoul-1 miss")
    assert (ambush.effects("ghoul-1"), ambush.effects("mira")) == ({"ambushed"}, set())
    ambush.refuses('react "Duck" by ghoul-1', "mbush")
    ambush.do('react "Instinct" effortless by ghoul-1')
    ambush.do("undo", "undo", "cast Spark rolled 5 at ghoul-1 save health fail dc 10 3 fire")
    assert (ambush.effects("ghoul-1"), ambush.effects("mira")) == ({"ambushed"}, set())


def test_a_spell_of_the_sheet_shows_who_hides_by_either_command(hidden: Fight) -> None:
    """Adventure School, Hide: casting does, and what takes spellburn or control is a spell."""
    hidden.do("set mira action 1", "ability Ember", faces=(5,))
    assert hidden.effects("mira") == set()
    assert hidden.do("undo", "cast Ember rolled 5 subtle").effects("mira") == {"hidden"}


def test_a_held_ambush_ends_when_the_enemys_first_turn_starts(ambush: Fight) -> None:
    """Adventure School, ruling 11: whichever is sooner."""
    ambush.do("ready", "next", "trigger attack ghoul-2 miss by mira")
    assert ambush.effects("ghoul-2") == {"ambushed"}
    assert ambush.do("next").effects("ghoul-2") == set()
