"""Moving, standing up, dashing, jumping and tumbling. Adventure School, Move, Defend."""

from __future__ import annotations

from typing import Any

import pytest

from affray.core.engine.events import Rolled

Fight = Any


def text(fight: Fight) -> str:
    return str(fight.history.entries[fight.history.last].text)


# -- move ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("move 10", 20),
        ("move 10 difficult", 10),
        ("move 5 climb", 20),
        ("move 5 swim difficult", 15),
        ("move 5 climb swim difficult", 10),
        ("move", 0),
        ("move difficult", 0),
    ],
)
def test_each_thing_that_is_slow_adds_as_much_again(fight: Fight, line: str, left: int) -> None:
    """Adventure School, Difficult Terrain, Climb, Swim; ruling 9."""
    assert fight.do(line).track("brannoc", "movement") == left


def test_the_prone_crawl(fight: Fight) -> None:
    """Adventure School, Prone; ruling 9: prone on difficult ground 15 ft. for 5."""
    fight.do("inflict brannoc prone", "move 5 difficult")
    assert fight.track("brannoc", "movement") == 15
    assert text(fight) == "Brannoc moves 5 feet (difficult and prone)"


def test_no_more_is_moved_than_is_left(fight: Fight) -> None:
    """Adventure School, Move."""
    fight.do("move 20")
    fight.refuses("move 15", "10")
    fight.do("move")
    assert text(fight) == "Brannoc moves 10 feet"
    fight.refuses("move", "Movement left")


@pytest.mark.parametrize("line", ["move", "move 5", "jump natural 15", "tumble ghoul-1 pass"])
@pytest.mark.parametrize("condition", ["immobilized", "restrained"])
def test_the_immobilized_go_nowhere(fight: Fight, condition: str, line: str) -> None:
    """Adventure School, Immobilize, Restrain."""
    fight.do(f"inflict brannoc {condition}")
    fight.refuses(line, "immobilized")


# -- stand and dash --------------------------------------------------------------------------------


def test_the_merely_disabled_move_and_stand_up_but_do_not_act(fight: Fight) -> None:
    """Adventure School, Disable: neither act, react, nor fast actions; moving is none of them."""
    fight.do("inflict brannoc disabled,prone", "stand", "move 5", "jump natural 19")
    assert fight.effects("brannoc") == {"disabled"}
    assert fight.track("brannoc", "movement") == 5  # 19 + 7 + 10 - 30: 5 feet far
    fight.refuses("dash", "disabled")


def test_standing_up_takes_half_the_speed(fight: Fight) -> None:
    """Adventure School, Prone."""
    fight.refuses("stand", "not prone")
    fight.do("inflict brannoc prone")
    assert fight.option("brannoc", "stand")["cost"] == {"movement": 15}
    fight.do("move 5", "stand")
    assert (fight.effects("brannoc"), fight.track("brannoc", "movement")) == (set(), 5)


def test_half_of_25_ft_is_10(fight: Fight) -> None:
    """Adventure School, ruling 18."""
    fight.do("inflict brannoc chilled,prone", "stand")
    assert fight.track("brannoc", "movement") == 15


@pytest.mark.parametrize("condition", ["immobilized", "restrained"])
def test_who_is_held_down_stays_down(fight: Fight, condition: str) -> None:
    """Adventure School, Restrain."""
    fight.do("inflict brannoc prone", f"inflict brannoc {condition}")
    fight.refuses("stand", "immobilized")


def test_a_flyer_that_is_prone_stands_up_by_the_action(fight: Fight) -> None:
    """Adventure School, Prone, Flying."""
    fight.do("inflict brannoc flying 60", "inflict brannoc prone")
    assert "falling" in fight.effects("brannoc")
    assert fight.option("brannoc", "stand")["cost"] == {"action": 1}
    fight.do("stand")
    assert fight.effects("brannoc") == {"flying"}
    assert (fight.track("brannoc", "action"), fight.track("brannoc", "movement")) == (0, 30)


def test_a_disabled_flyer_that_is_prone_has_no_action_to_stand_up_by(fight: Fight) -> None:
    """Adventure School, Prone, Disable."""
    fight.do("inflict brannoc flying 60", "inflict brannoc prone,disabled")
    fight.refuses("stand", "disabled")


def test_on_the_ground_standing_up_never_takes_the_action(fight: Fight) -> None:
    """Adventure School, Prone: of who can't, too."""
    fight.do("inflict brannoc prone,immobilized")
    assert "action" not in fight.option("brannoc", "stand")["cost"]


def test_a_flyer_immobilized_otherwise_falls_on(fight: Fight) -> None:
    """Adventure School, Flying: if it is not also immobilized for another reason."""
    fight.do("inflict brannoc flying 60", "inflict brannoc prone,restrained")
    fight.refuses("stand", "immobilized")


def test_a_dash_moves_again_and_half_as_far_after_standing_up(fight: Fight) -> None:
    """Adventure School, Dash."""
    fight.do("move 10", "dash")
    assert (fight.track("brannoc", "movement"), fight.track("brannoc", "action")) == (50, 0)
    assert fight.total("brannoc", "speed") == 30
    fight.do("next", "inflict mira prone", "stand", "dash")
    assert fight.track("mira", "movement") == 30
    fight.do("next", "next", "next")
    assert fight.track("brannoc", "movement") == 30


@pytest.mark.parametrize(
    ("die", "falls"), [("pass", False), ("fail", True), ("natural 8", False), ("natural 7", True)]
)
def test_a_blinded_one_who_dashes_may_fall(fight: Fight, die: str, falls: bool) -> None:
    """Adventure School, Blind: the text names no DC, 10 unless another is said."""
    fight.do("next", "inflict mira blinded")
    fight.refuses("dash", "blinded")
    fight.do(f"dash {die}")
    assert ("prone" in fight.effects("mira")) is falls
    assert fight.track("mira", "movement") == 60


def test_who_sees_makes_no_save_to_dash(fight: Fight) -> None:
    """Adventure School, Prone, Dash."""
    fight.refuses("dash pass", "can see")


# -- jump ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "feet", "left"),
    [
        ("jump natural 13", 20, 10),  # 13 + 7 + 30 - 30
        ("jump natural 12", 15, 15),
        ("jump agility natural 13", 15, 15),
        ("jump natural 1", 0, 30),
        ("jump 20 natural 13", 20, 10),
        ("jump 10 natural 13", 10, 20),
        ("jump 25 natural 14", 20, 10),
        ("jump 40 natural 20", 40, 0),
        ("jump 15 pass", 15, 15),
        ("jump 15 fail", 0, 30),
    ],
)
def test_a_long_jump_adds_the_movement_left_less_30(
    fight: Fight, line: str, feet: int, left: int
) -> None:
    """Adventure School, Long Jump: a distance that is named is the DC."""
    fight.do(line)
    assert fight.track("brannoc", "movement") == left
    assert text(fight).startswith(f"Brannoc jumps {feet} feet far")
    assert fight.track("brannoc", "action") == 1


def test_what_was_moved_before_shortens_the_jump_and_a_dash_does_not_lengthen_it(
    fight: Fight,
) -> None:
    """Adventure School, Long Jump: your remaining movement up to a maximum of your speed."""
    fight.do("move 10", "jump natural 13")
    assert fight.track("brannoc", "movement") == 10
    fight.do("undo", "dash", "jump natural 13")  # 50 left, 30 of them count
    assert fight.track("brannoc", "movement") == 30


def test_a_jump_with_a_word_for_its_outcome_needs_its_feet(fight: Fight) -> None:
    """Adventure School, Long Jump, High Jump."""
    fight.refuses("jump pass", "give the distance")


@pytest.mark.parametrize(
    ("line", "feet"),
    [
        ("jump high natural 12", 0),  # 19
        ("jump high natural 13", 10),  # 5, and 5 for 30 ft. of movement
        ("jump high 10 natural 13", 10),
        ("jump high 15 natural 13", 0),
        ("jump high 20 natural 20", 20),
        ("jump high natural 1", 0),
        ("jump high 10 pass", 10),
    ],
)
def test_a_high_jump_goes_by_its_dcs(fight: Fight, line: str, feet: int) -> None:
    """Adventure School, High Jump."""
    expected = 10 if line == "jump high 15 natural 13" else feet
    fight.do(line)
    assert text(fight).startswith(f"Brannoc jumps {expected} feet high")
    assert fight.track("brannoc", "movement") == 30 - expected  # its height


@pytest.mark.parametrize(
    ("die", "outcome"), [("13", "pass"), ("12", "fail"), ("20", "crit"), ("1", "crit-fail")]
)
def test_a_high_jump_of_no_named_height_is_against_the_lowest_dc(
    fight: Fight, die: str, outcome: str
) -> None:
    """Adventure School, High Jump: DC 20 for the first 5 ft."""
    fight.do(f"jump high natural {die}")
    rolled = [e for e in fight.history.entries[fight.history.last].events if isinstance(e, Rolled)]
    assert [(roll.dc, roll.outcome) for roll in rolled] == [(20, outcome)]


def test_a_natural_20_clears_the_first_height_at_least(fight: Fight) -> None:
    """Adventure School, Critical Pass, High Jump: passed, whatever the total."""
    fight.do("modifier brannoc -9 check", "move 25", "jump high natural 20")
    assert text(fight) == "Brannoc jumps 5 feet high"
    fight.refuses("jump high natural 20", "5 feet of movement are needed")


def test_one_roll_may_be_both(fight: Fight) -> None:
    """Adventure School, High Jump: the same roll, with the movement less 30."""
    fight.refuses("jump high 25 natural 19", "higher than")
    fight.refuses("jump high natural 13 far 30", "35 feet of movement are needed")
    fight.refuses("jump natural 13 far 10", "`far` is only for a high jump")
    fight.do("jump high natural 13 far 15")
    assert text(fight) == "Brannoc jumps 10 feet high, 15 feet far"
    assert fight.track("brannoc", "movement") == 5
    fight.do("undo", "jump high natural 13")
    assert text(fight) == "Brannoc jumps 10 feet high, and could go 20 feet far (`far N`)"


# -- tumble, defend, disengage ---------------------------------------------------------------------


def test_who_tumbles_in_vain_falls(fight: Fight) -> None:
    """Adventure School, Tumble."""
    fight.do("next", "tumble ghoul-1 natural 8 vs natural 10")
    assert (fight.outcome, fight.effects("mira")) == ("pass", set())
    assert (fight.track("mira", "movement"), fight.track("mira", "action")) == (30, 1)
    fight.do("tumble ghoul-1 natural 3 vs natural 10")
    assert (fight.outcome, fight.effects("mira")) == ("fail", {"prone"})


def test_defending_lasts_until_the_next_turn(fight: Fight) -> None:
    """Adventure School, Defend."""
    fight.do("defend")
    assert fight.dice("brannoc", "attacked_melee") == "disadvantage"
    fight.do("next", "next", "next")
    assert fight.effects("brannoc") == {"defending"}
    fight.do("next")
    assert fight.effects("brannoc") == set()


def test_defending_ends_when_incapacitated(fight: Fight) -> None:
    """Adventure School, Defend."""
    fight.do("defend", "inflict brannoc incapacitated")
    assert "defending" not in fight.effects("brannoc")


def test_disengaging_lasts_until_the_turn_ends(fight: Fight) -> None:
    """Adventure School, Disengage."""
    fight.do("disengage")
    assert fight.effects("brannoc") == {"disengaged"}
    assert fight.do("next").effects("brannoc") == set()
