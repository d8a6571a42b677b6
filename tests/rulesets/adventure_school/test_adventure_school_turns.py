"""What a turn has: one action, movement, fast and free actions, reactions, a held action.

Adventure School, Action, Move, Fast Action, Free Action, Reaction, Hold.
"""

from __future__ import annotations

from typing import Any

import pytest

Fight = Any


def test_the_action_is_one_and_comes_back_with_the_next_turn(fight: Fight) -> None:
    """Adventure School, Action."""
    fight.do('act "climbs the wall"')
    assert fight.track("brannoc", "action") == 0
    fight.refuses("act", "action used")
    fight.do("next", "next", "next", "next")
    assert fight.track("brannoc", "action") == 1


def test_who_is_not_up_acts_only_for_free(fight: Fight) -> None:
    """Adventure School, Fast Action, Free Action: on other people's turns as well."""
    fight.do('free "shouts" by mira', "free by mira")
    fight.refuses("act by mira", "it is Brannoc's turn")
    fight.refuses('fast "Shift" by mira', "it is Brannoc's turn")


def test_a_fast_action_is_once_a_turn_by_its_name_unless_it_is_spammable(fight: Fight) -> None:
    """Adventure School, Fast Action."""
    fight.do('fast "Shift"', 'fast "Feint" spammable', 'fast "Feint" spammable', "fast Duck")
    fight.refuses('fast "shift"', "once a turn for shift")
    fight.do("next", "next", "next", "next", 'fast "Shift"')
    assert fight.track("brannoc", "action") == 1


def test_reactions_are_without_number_and_in_anybodys_turn(fight: Fight) -> None:
    """Adventure School, Reaction."""
    fight.do('react "Snarl" by ghoul-1', "react by ghoul-1", 'react "Snarl" effortless by ghoul-1')
    assert fight.option("ghoul-1", "opportunity-attack")["cost"] == {}


@pytest.mark.parametrize(
    ("condition", "effortless"),
    [
        ("stunned", True),
        ("frozen", True),
        ("sleeping", False),
    ],
)
def test_the_disabled_react_only_without_effort_and_the_incapacitated_not_at_all(
    fight: Fight, condition: str, effortless: bool
) -> None:
    """Adventure School, Reaction, Disable, Incapacity."""
    fight.do(f"inflict ghoul-1 {condition}")
    fight.refuses('react "Duck" by ghoul-1', "can't react: disabled")
    fight.refuses("react opportunity-attack mira hit 3 by ghoul-1", "disabled")
    if effortless:
        fight.do('react "Instinct" effortless by ghoul-1')
    else:
        fight.refuses('react "Instinct" effortless by ghoul-1', "incapacitated")


def test_the_disabled_act_neither_by_the_action_nor_fast(fight: Fight) -> None:
    """Adventure School, Disable: an implied condition is told by what implies it."""
    fight.do("inflict brannoc stunned")
    for line in ("act", 'fast "Shift"', "attack ghoul-1 hit 3", "ready"):
        fight.refuses(line, "disabled")
    fight.do("free")


def test_the_terrified_use_the_action_to_get_away(fight: Fight) -> None:
    """Adventure School, Terror: a dash, or where they can't flee an attempt to get away."""
    fight.do("inflict brannoc terrified from ghoul-1")
    fight.refuses("attack ghoul-1 hit 3", "terrified")
    assert fight.reason("brannoc", "ready") == "terrified"
    fight.do('act "pushes the cart aside"')


def test_a_held_action_is_paid_now_and_said_later(fight: Fight) -> None:
    """Adventure School, Hold."""
    fight.do('ready "the door opens"')
    assert fight.track("brannoc", "action") == 0
    held = next(e for e in fight["brannoc"].effects if e.name == "readied")
    assert held.note == "the door opens"
    assert fight.until("brannoc", "readied") == "start of brannoc's next turn"
    fight.do("next", "trigger act by brannoc")
    assert "readied" not in fight.effects("brannoc")
    fight.refuses("trigger act by brannoc", "nothing readied")


def test_a_held_action_that_needs_no_word_more_is_done(fight: Fight) -> None:
    """Adventure School, Hold. Dousing could be said more of, and needs none of it."""
    fight.do("inflict brannoc burning 3", "ready", "next", "trigger douse by brannoc")
    assert "burning" not in fight.effects("brannoc")


def test_a_held_attack_action_has_all_its_attacks_until_that_turn_ends(fight: Fight) -> None:
    """Adventure School, Hold, Attack Action."""
    fight.do("ready", "next", "trigger attack ghoul-1 hit 6 by brannoc")
    assert fight.track("brannoc", "attacks") == 1 and fight.hp("ghoul-1") == 18
    fight.do("attack ghoul-1 hit 2 by brannoc")
    fight.refuses("attack ghoul-1 hit 2 by brannoc", "it is Mira's turn")
    fight.do("undo", "next")
    assert fight.track("brannoc", "attacks") == 0


def test_a_held_action_is_lost_with_the_next_turn_or_when_one_can_not_act(fight: Fight) -> None:
    """Adventure School, Hold."""
    fight.do("ready", "next", "inflict brannoc stunned")
    fight.refuses("trigger act by brannoc", "disabled")
    fight.do("remove brannoc stunned", "next", "next", "next")
    assert "readied" not in fight.effects("brannoc")


def test_outside_of_a_fight_the_turn_costs_nothing(gathered: Fight) -> None:
    """Adventure School, Action."""
    gathered.do("act by mira", "act by mira", "attack ghoul-1 hit 3 by mira")
    assert gathered.track("mira", "action") == 1 and gathered.track("mira", "attacks") == 0


def test_movement_goes_with_the_speed(fight: Fight) -> None:
    """Adventure School, Soak, Immobilize: what is left grows and shrinks, and is never below 0."""
    fight.do("inflict brannoc soaked,chilled")
    assert fight.who("brannoc")["tracks"]["movement"] == {"value": 20, "max": 20}
    fight.do("inflict brannoc immobilized")
    assert fight.who("brannoc")["tracks"]["movement"] == {"value": 0, "max": 0}
    fight.do("remove brannoc immobilized", "remove brannoc soaked")
    assert fight.who("brannoc")["tracks"]["movement"] == {"value": 25, "max": 25}


def test_half_a_speed_is_rounded_down_to_5_feet(fight: Fight) -> None:
    """Adventure School, ruling 18: 25 ft. halved are 10."""
    fight.do("set brannoc speed 25", "grab ghoul-1 pass")
    assert fight.total("brannoc", "speed") == 10
