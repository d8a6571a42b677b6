"""Rolls: totals, advantage, dice as they lie, expertise, checks and saves. Level Up, Attack
Rolls."""

from __future__ import annotations

from typing import Any

import pytest

from affray.core.engine.events import Rolled
from affray.core.engine.state import Duration, Effect

Fight = Any


def test_an_attack_hits_with_the_armor_class_or_more(fight: Fight) -> None:
    """Level Up, Attack Rolls: d20 + 7 against AC 12."""
    fight.do("attack ghoul-1 natural 5 6")
    assert (fight.rolled.total, fight.rolled.dc, fight.rolled.outcome) == (12, 12, "hit")
    fight.do("attack ghoul-1 natural 4 6")
    assert (fight.rolled.total, fight.rolled.outcome) == (11, "miss")
    assert fight.hp("ghoul-1") == 16


def test_a_check_and_a_save_succeed_with_the_dc_or_more(fight: Fight) -> None:
    """Level Up, Attack Rolls."""
    fight.do("check mira wis natural 10 dc 12")
    assert (fight.rolled.total, fight.rolled.outcome) == (12, "success")
    fight.do("check ghoul-1 con save natural 11 dc 12")
    assert fight.rolled.outcome == "failure"


def test_a_natural_20_hits_and_a_natural_1_misses_whatever_the_totals(fight: Fight) -> None:
    """Level Up, Attack Rolls; of attacks alone."""
    fight.do("set ghoul-1 ac 40", "attack ghoul-1 natural 20 3")
    assert fight.rolled.outcome == "crit"
    assert fight.hp("ghoul-1") == 16
    fight.do("set ghoul-1 ac 1", "attack ghoul-1 natural 1 3")
    assert fight.rolled.outcome == "fumble"
    assert fight.hp("ghoul-1") == 16
    fight.do("check mira str natural 20 dc 30")
    assert fight.rolled.outcome == "failure"


def test_of_two_dice_the_higher_or_the_lower_counts(fight: Fight) -> None:
    """Level Up, Unseen Attackers and Targets."""
    fight.do("check mira wis natural 4,15 adv dc 9")
    assert (fight.rolled.natural, fight.rolled.lean) == (15, 1)
    fight.do("check mira wis natural 4,15 dis dc 9")
    assert (fight.rolled.natural, fight.rolled.lean) == (4, -1)


def test_both_cancel_and_several_of_one_count_once(fight: Fight) -> None:
    """Level Up, Unseen Attackers and Targets; ruling 3."""
    fight.do("modifier brannoc adv attack", "attack ghoul-1 natural 3,14 5 adv")
    assert fight.rolled.natural == 14
    fight.refuses("attack ghoul-1 natural 3,14 5 dis", "there is neither")
    fight.do("attack ghoul-1 natural 9 5 dis close ranged")
    assert (fight.rolled.natural, fight.rolled.lean) == (9, 0)


def test_one_die_is_the_one_that_counts(fight: Fight) -> None:
    """With an advantage as well."""
    fight.do("attack ghoul-1 natural 6 5 adv")
    assert fight.rolled.natural == 6
    fight.refuses("attack ghoul-1 natural 6,9 5", "there is neither")
    fight.refuses("check mira wis natural 6,9 dc 3", "there is neither")
    fight.refuses("attack ghoul-1 natural 6,9,3 5 adv", "at most two")


def test_affray_rolls_two_dice_for_an_advantage(fight: Fight) -> None:
    """Level Up, Unseen Attackers and Targets."""
    fight.do("attack ghoul-1 roll 5 adv", faces=(3, 12))
    assert (fight.rolled.faces, fight.rolled.natural) == ((3, 12), 12)


def test_the_proficiency_bonus(fight: Fight) -> None:
    """Level Up, Modifiers to the Roll: in the attack's bonus already; to skills and saves that are
    among its own."""
    fight.do("attack ghoul-1 natural 9 5 unproficient")
    assert fight.rolled.total == 13
    fight.do("check brannoc str athletics natural 5 dc 12")
    assert (fight.rolled.total, fight.rolled.outcome) == (12, "success")
    fight.do("check brannoc str stealth natural 5", "check brannoc con save natural 5 dc 10")
    assert fight.rolled.total == 10
    fight.do("check brannoc dex save natural 5 dc 10")
    assert fight.rolled.total == 6


def test_a_save_or_a_skill_may_have_a_bonus_of_its_own_in_the_place_of_proficiency(
    fight: Fight,
) -> None:
    """Level Up, Modifiers to the Roll: stat blocks have saves and skills that proficiency alone
    doesn't explain."""
    wyrm = "add monster Wyrm hp 90 pb 4 con 6 dex 1 saves dex,con+8 skills stealth+7,arcana-1"
    fight.do(wyrm, faces=(9,))
    for check, total in (
        ("con save", 19),
        ("dex save", 10),
        ("dex stealth", 13),
        ("int arcana", 4),
    ):
        fight.do(f"check wyrm {check} natural 5 dc 10")
        assert fight.rolled.total == total
    fight.refuses("add monster Worm hp 9 saves cow+3", "abilities after saves")


def test_any_ability_goes_with_any_skill(fight: Fight) -> None:
    """Level Up, Modifiers to the Roll: Constitution with Athletics."""
    fight.do("check brannoc con athletics natural 5 dc 10")
    assert fight.rolled.total == 10


def test_the_best_expertise_die_counts(fight: Fight) -> None:
    """Level Up, Modifiers to the Roll; ruling 4."""
    fight.do("check mira wis natural 8 dc 13 expertise 3")
    assert fight.rolled.total == 13
    fight.do("check mira wis natural 8 dc 13 expertise 3 expertise 1 expertise 2")
    assert fight.rolled.total == 13
    fight.do("check mira wis natural 8 dc 13 expertise d4", faces=(4,))
    assert fight.rolled.total == 14
    fight.do("attack ghoul-1 natural 2 5 expertise 3")
    assert (fight.rolled.total, fight.rolled.outcome) == (12, "hit")


def test_what_is_said_of_a_check(fight: Fight) -> None:
    """Level Up, Cover: a bonus, and cover for saves and for hiding alone."""
    fight.do("check mira dex save natural 5 dc 15 plus 2 three-quarters-cover")
    assert fight.rolled.total == 5 + 3 + 2 + 2 + 5
    fight.do("check mira dex stealth natural 5 dc 12 cover")
    assert fight.rolled.total == 12
    fight.refuses("check mira wis perception natural 5 cover", "not to other checks")


def test_a_check_without_a_dc_comes_to_a_total(fight: Fight) -> None:
    """Level Up, Attack Rolls."""
    fight.do("check mira wis natural 8")
    assert [(e.total, e.outcome) for e in fight.events if isinstance(e, Rolled)] == [(10, "")]
    fight.do("check mira,brannoc wis success,failure")
    assert [r.outcome for r in fight.rolls] == ["success", "failure"]


def test_several_make_a_check_with_a_die_each(fight: Fight) -> None:
    """18: `natural 3,14` is one die each for two."""
    fight.do("check ghoul-1,ghoul-2 dex save natural 3,14 dc 12")
    assert [r.outcome for r in fight.rolls] == ["failure", "success"]


def test_modifiers_count_in_what_they_are_to(fight: Fight) -> None:
    """18: `attack`, `check`, `save`; what lasts until it is used is used up."""
    fight.do("modifier mira +2 check", "modifier mira -1 save until used")
    fight.do("check mira wis natural 8 dc 12")
    assert fight.rolled.total == 12
    fight.do("check mira wis save natural 8 dc 9")
    assert fight.rolled.total == 9
    fight.do("check mira wis save natural 8 dc 10")
    assert fight.rolled.total == 10


def test_what_is_for_checks_against_one_creature_counts_and_is_used_in_those_alone(
    fight: Fight,
) -> None:
    """As with attacks."""
    grudge = Effect(
        *("grudge", "modifier", "modifier"),
        until=Duration("use"),
        modifiers={"check": 3},
        against="mira",
    )
    fight.do("damage mira 24").edited("brannoc", effects=(grudge,))
    fight.do("check brannoc wis natural 8 dc 12")
    assert fight["brannoc"].effects == (grudge,)
    usual = fight.rolled.total
    fight.do("first-aid mira natural 8")
    assert fight.rolled.total == usual + 3
    assert fight["brannoc"].effects == ()


def test_words_that_make_no_sense_are_refused(fight: Fight) -> None:
    """18."""
    fight.refuses("check mira luck natural 8", "expected an ability")
    fight.refuses("check mira wis natural 8 dc 0", "from 1 to 99")
    fight.refuses("check mira wis natural 21", "1 to 20")
    fight.refuses("check mira wis hit", "failure, success")
    fight.refuses("attack ghoul-1 success 5", "miss, hit, crit")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            "check mira,brannoc int save success,failure",
            "Mira makes an intelligence save, success; Brannoc makes an intelligence save, failure",
        ),
        ("check mira dex stealth success", "Mira makes a dexterity (stealth) check, success"),
        ("knockdown ghoul-1 success", "Brannoc tries to knock down Ghoul 1: success"),
    ],
)
def test_what_is_rolled_is_told_in_plain_words(fight: Fight, line: str, told: str) -> None:
    fight.do(line)
    assert fight.history.entries[fight.history.last].text == told


def test_felt_fatigue_is_called_by_its_name(fight: Fight) -> None:
    """Level Up, Sprint; ruling 5."""
    fight.do("setting fatigue at-once", "mark brannoc fatigue")
    fight.refuses("sprint", "Brannoc can't use Sprint: fatigue")


def test_a_die_without_the_word_before_it_is_answered_with_that(fight: Fight) -> None:
    """OUTCOME. A bare number is the commonest slip."""
    for line in ("attack ghoul-1 15 8", "check mira dex 15", "check mira,brannoc dex save 15"):
        fight.refuses(line, "a die that shows 15 is `natural 15`")
    fight.refuses("grapple ghoul-1", "expected success or failure")
