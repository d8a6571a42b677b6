"""The last roll made again. Adventure School, Reroll."""

from __future__ import annotations

from typing import Any

Fight = Any


def test_a_miss_becomes_a_hit_and_deals_what_was_called(fight: Fight) -> None:
    """Adventure School, Reroll: everything that came of it is put right."""
    fight.do("attack ghoul-1 natural 3 7", "reroll natural 8")
    assert (fight.outcome, fight.hp("ghoul-1")) == ("hit", 17)
    assert fight.track("brannoc", "attacks") == 1
    fight.do("undo")
    assert fight.hp("ghoul-1") == 24


def test_the_better_of_the_two_stands(fight: Fight) -> None:
    """Adventure School, Reroll: the preferable of old and new."""
    fight.do("attack ghoul-1 natural 15 7", "reroll natural 2")
    assert (fight.outcome, fight.hp("ghoul-1")) == ("hit", 17)
    assert [roll.outcome for roll in fight.rolls] == ["miss", "hit"]


def test_a_called_outcome_can_be_rerolled(fight: Fight) -> None:
    """Adventure School, Reroll."""
    fight.do("attack ghoul-1 miss 7", "reroll natural 15")
    assert fight.hp("ghoul-1") == 17


def test_damage_falls_as_it_fell_and_a_critical_rolls_the_rest(fight: Fight) -> None:
    """Adventure School, Reroll, Critical Damage: 1d8+4 shows 5, then 2d8+4 shows 5 and 3."""
    fight.do("attack ghoul-1 natural 15", faces=(5,))
    assert fight.hp("ghoul-1") == 15
    fight.do("reroll natural 20", faces=(3,))
    assert fight.hp("ghoul-1") == 12


def test_it_has_the_advantage_that_the_roll_had(fight: Fight) -> None:
    """Adventure School, Reroll."""
    fight.do("attack ghoul-1 natural 3,4 7 adv", "reroll roll", faces=(2, 9))
    assert fight.hp("ghoul-1") == 17
    fight.do("undo", "undo", "attack ghoul-1 natural 3 7")
    fight.refuses("reroll natural 2,9", "there is neither")


def test_a_reroll_can_be_made_again(fight: Fight) -> None:
    """Adventure School, Reroll: the last roll is the one that stands."""
    fight.do("attack ghoul-1 natural 2 7", "reroll natural 3", "reroll natural 9")
    assert fight.hp("ghoul-1") == 17
    fight.do("reroll natural 1")
    assert (fight.outcome, fight.hp("ghoul-1")) == ("hit", 17)
    fight.do("reroll natural 20 ")
    assert (fight.outcome, fight.hp("ghoul-1")) == ("crit", 17)


def test_in_a_contest_the_other_side_rolls_as_it_rolled(fight: Fight) -> None:
    """Adventure School, Reroll: for whoever began it."""
    fight.do("trip ghoul-1 natural 3", faces=(10,))
    assert fight.effects("ghoul-1") == set()
    fight.do("reroll natural 9")
    assert (fight.outcome, fight.effects("ghoul-1")) == ("pass", {"prone"})
    fight.do("contest brannoc strength natural 2 vs ghoul-1 strength natural 9", "reroll natural 8")
    assert fight.outcome == "pass"


def test_a_save_a_jump_and_a_race_are_put_right(fight: Fight) -> None:
    """Adventure School, Reroll."""
    fight.do("jump natural 8", "reroll natural 13")
    assert fight.track("brannoc", "movement") == 10
    fight.do('clock "bog" effort 20', 'check mira seeking natural 2 dc 10 effort "bog"')
    fight.do("reroll natural 12", faces=(2, 3))
    assert fight.shown["clocks"][0]["value"] == 5
    fight.do("save mira health natural 2 dc 10", "reroll natural 12")
    assert fight.outcome == "pass"


def test_there_must_be_one_last_roll(fight: Fight) -> None:
    """Adventure School, Reroll."""
    fight.refuses("reroll natural 9", "no roll")
    fight.do("save ghoul-1,ghoul-2 health natural 2 natural 3 dc 10")
    fight.refuses("reroll natural 9", "several rolls")
    fight.do("next")
    fight.refuses("reroll natural 9", "no roll")
    fight.refuses("reroll 9", "natural")
    fight.refuses("reroll", "expected the die: natural N or roll")


def test_neither_a_spellburn_die_nor_a_coin_is_made_again(fight: Fight) -> None:
    """Adventure School, Attack, Save, Test of Skill, Reroll: a roll is a d20."""
    fight.do("next", "cast Spark rolled 1")
    fight.refuses("reroll natural 5", "made no roll to make again")
    fight.do("backfire mira exceed heads")
    fight.refuses("reroll natural 5", "made no roll to make again")


def test_a_note_between_a_roll_and_its_reroll_changes_nothing(fight: Fight) -> None:
    """What the GM writes down is no roll: the last one is still the attack (Reroll)."""
    fight.do("attack ghoul-1 natural 3 7", 'note "Lucky again."', "reroll natural 8")
    assert (fight.outcome, fight.hp("ghoul-1")) == ("hit", 17)
