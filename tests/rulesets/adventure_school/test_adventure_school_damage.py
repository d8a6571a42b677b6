"""Damage of one type or several, and what elements do. Adventure School."""

import pytest


def imp(fight, words):
    """An imp with 40 HP and what is said of it."""
    return fight.do(f"add monster Imp hp 40 ac 13 {words}", faces=(1,))


# -- the way of a blow -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "blow", "left"),
    [
        ("resist fire", "9 fire", 35),  # 4.5, rounded up
        ("weak fire", "9 fire", 22),
        ("immune fire", "9 fire", 40),
        ("resist fire weak fire", "9 fire", 31),  # as it is
        ("resist fire", "9 cold", 31),
        ("resist fire", "9", 31),  # of no type
        ("dr 3", "9", 34),
        ("dr 3", "2 fire", 40),
        ("dr 3", "4 fire 4 cold", 35),  # once for the blow
        ("dr 3 resist fire", "9 fire", 38),  # resistance before it
        ("dr 3 weak fire", "9 fire", 25),
        ("resist fire weak cold immune acid", "5 fire 5 cold 5 acid", 27),
        ("resist fire", "3 fire 4 fire", 36),  # one amount of each type
    ],
)
def test_each_type_meets_what_somebody_has_against_it_then_reduction(fight, words, blow, left):
    """Adventure School, Resist, Weak, Immune."""
    imp(fight, words).do(f"damage imp {blow}")
    assert fight.hp("imp") == left


@pytest.mark.parametrize(
    ("scaled", "left"), [("half", 35), ("double", 24), ("half ghoul-1", 32), ("double ghoul-1", 32)]
)
def test_half_of_a_save_is_rounded_up_for_each_type_and_a_critical_failure_doubles(
    fight, scaled, left
):
    """Adventure School, Save."""
    imp(fight, "").do(f"damage imp,ghoul-1 5 fire 3 acid {scaled}")
    assert fight.hp("imp") == left


def test_nobody_takes_half_and_double(fight):
    """Adventure School, Save: one pass or failure."""
    fight.refuses("damage ghoul-1,ghoul-2 5 half double ghoul-2", "Ghoul 2 takes half or double")
    fight.refuses("damage ghoul-1 5 double mira", "Mira can't take double")


def test_what_is_absorbed_heals_before_the_rest_harms(fight):
    """Adventure School, Absorb."""
    imp(fight, "absorb fire dr 1").do("damage imp 30", "damage imp 4 fire 6 cold")
    assert fight.hp("imp") == 40 - 29 + 4 - 5
    fight.do("damage imp 3 fire")
    assert fight.hp("imp") == 13
    fight.do("damage imp 99", "damage imp 8 fire")
    assert (fight.hp("imp"), fight["imp"].life) == (0, "defeated")


def test_what_is_laid_for_a_time_counts_as_the_sheet_does(fight):
    """Adventure School, Resist, Weak, Absorb, Immune."""
    fight.do("inflict ghoul-1 resist fire until start of mira", "inflict ghoul-1 resist fire")
    fight.do("inflict ghoul-2 weak cold", "damage ghoul-1,ghoul-2 7 fire", "next")
    assert (fight.hp("ghoul-1"), fight.hp("ghoul-2")) == (20, 17)
    fight.do("damage ghoul-1 7 fire", "damage ghoul-2 3 cold")
    assert (fight.hp("ghoul-1"), fight.hp("ghoul-2")) == (16, 11)


def test_dice_fall_once_for_all_targets(fight):
    fight.do("damage ghoul-1,ghoul-2 2d6 fire 1d4 cold half ghoul-2", faces=(3, 4, 2))
    assert (fight.hp("ghoul-1"), fight.hp("ghoul-2")) == (24 - 7 - 2, 24 - 4 - 1)


def test_a_type_that_is_none_is_refused_with_what_is_close(fight):
    fight.refuses("damage ghoul-1 5 frie", "did you mean fire")
    fight.refuses("damage ghoul-1 5 necrotic", "no known damage type")


def test_petrified_resists_physical_damage_alone(fight):
    """Adventure School, Petrification; ruling 12."""
    fight.do("inflict ghoul-1 petrified", "damage ghoul-1 4 slashing 4 piercing 4 blunt 4 fire 4")
    assert fight.hp("ghoul-1") == 24 - 2 - 2 - 2 - 4 - 4


# -- elements --------------------------------------------------------------------------------------


def test_the_damage_that_ends_a_condition_still_meets_it(fight):
    """Adventure School, Soak: 7 fire deal 4, and then it is dry."""
    fight.do("inflict ghoul-1 soaked", "damage ghoul-1 7 fire")
    assert (fight.hp("ghoul-1"), fight.effects("ghoul-1")) == (20, set())
    fight.do("damage ghoul-1 7 fire")
    assert fight.hp("ghoul-1") == 13


def test_lightning_burns_the_soaked_as_well_and_undo_wets_them_again(fight):
    """Adventure School, Soak (electrolysis); ruling 14."""
    fight.do("inflict ghoul-1 soaked", "damage ghoul-1 6 lightning")
    assert (fight.hp("ghoul-1"), fight.effects("ghoul-1")) == (15, set())
    fight.do("undo")
    assert (fight.hp("ghoul-1"), fight.effects("ghoul-1")) == (24, {"soaked"})


def test_electrolysis_is_as_much_as_the_lightning_before_resistance_and_weakness(fight):
    """Adventure School, Soak (electrolysis); ruling 14."""
    imp(fight, "resist lightning").do("inflict imp,ghoul-1 soaked", "inflict ghoul-1 weak fire")
    fight.do("damage imp,ghoul-1 6 lightning")
    assert (fight.hp("imp"), fight.hp("ghoul-1")) == (40 - 3 - 3, 24 - 6 - 6)


@pytest.mark.parametrize(
    ("has", "damage", "then"),
    [
        ("soaked", "fire", []),
        ("soaked", "cold", []),
        ("soaked", "water", ["soaked"]),
        ("chilled", "fire", []),
        ("chilled", "cold", ["chilled"]),
        ("frozen", "fire", ["soaked", "chilled"]),
        ("frozen", "cold", ["frozen"]),
        ("burning 3", "cold", []),
        ("burning 3", "water", []),
        ("burning 3", "fire", ["burning"]),
    ],
)
def test_what_damage_of_a_type_ends(fight, has, damage, then):
    """Adventure School, Burning, Soak, Chill, Freeze."""
    fight.do(f"inflict ghoul-1 {has}", f"damage ghoul-1 4 {damage}")
    assert [effect.name for effect in fight["ghoul-1"].effects] == then


def test_thawing_ends_what_was_there_before_and_leaves_both_anew(fight):
    """Adventure School, Freeze; ruling 15."""
    fight.do("inflict ghoul-1 soaked,chilled for 1 turn", "inflict ghoul-1 frozen")
    fight.do("damage ghoul-1 4 fire")
    assert [e.until.ends for e in fight["ghoul-1"].effects] == ["removed", "removed"]
    assert fight.total("ghoul-1", "speed") == 20


@pytest.mark.parametrize("has", ["immune fire", "absorb fire", "dr 9"])
def test_what_was_not_taken_ends_nothing(fight, has):
    """Adventure School, ruling 16."""
    imp(fight, has).do("inflict imp soaked", "damage imp 8 fire")
    assert fight.effects("imp") == {"soaked"}


@pytest.mark.parametrize("wet", ["soaked", "chilled", "frozen"])
def test_who_is_soaked_chilled_or_frozen_resists_fire_and_cannot_burn(fight, wet):
    """Adventure School, Soak, Chill, Freeze."""
    fight.do(f"inflict ghoul-1 {wet}")
    fight.refuses("inflict ghoul-1 burning 4", f"Ghoul 1 can't be burning: {wet}")
    fight.do("damage ghoul-1 9 fire")
    assert fight.hp("ghoul-1") == 19


def test_the_burning_resist_cold_and_must_be_put_out_before_they_freeze(fight):
    """Adventure School, Burning; ruling 17."""
    fight.do("inflict ghoul-1,ghoul-2 burning 4")
    fight.refuses("inflict ghoul-1 frozen", "can't be frozen: burning")
    fight.do("damage ghoul-1 5 cold", "inflict ghoul-1 frozen", "inflict ghoul-2 soaked")
    assert fight.hp("ghoul-1") == 21
    assert "frozen" in fight.effects("ghoul-1") and fight.effects("ghoul-2") == {"soaked"}


def test_saves_against_the_element_are_harder(fight):
    """Adventure School, Burning, Soak, Chill."""
    fight.do("inflict ghoul-1 chilled", "inflict ghoul-2 burning 1")
    fight.do("save ghoul-1 health natural 15,4 dc 8 vs cold")
    assert "fail" in str(fight.events)
    fight.do("save ghoul-2 health natural 15,4 dc 8 vs fire")
    assert "fail" in str(fight.events)
    fight.refuses("save ghoul-1 health natural 15,4 dc 8 vs fire", "there is neither")


# -- burning, and putting it out -------------------------------------------------------------------


def test_fire_harms_at_the_end_of_each_turn_and_of_several_fires_the_worst(fight):
    """Adventure School, Burning; ruling 13."""
    fight.refuses("inflict brannoc burning", "the fire damage")
    fight.do("inflict brannoc burning 2d4", "inflict brannoc burning 3")
    fight.do("next", faces=(1, 4))
    assert fight.hp("brannoc") == 35
    fight.do("next", "next", "next").do("next", faces=(1, 1))
    assert fight.hp("brannoc") == 32


def test_a_fire_is_put_out_by_the_action(fight):
    """Adventure School, Burning."""
    fight.refuses("douse", "isn't burning")
    fight.do("inflict brannoc burning 4", "douse")
    assert (fight.effects("brannoc"), fight.track("brannoc", "action")) == (set(), 0)


def test_or_by_going_prone_and_giving_the_whole_movement(fight):
    """Adventure School, Burning."""
    fight.do("inflict brannoc burning 4", "douse prone")
    assert fight.effects("brannoc") == {"prone"}
    assert (fight.track("brannoc", "action"), fight.track("brannoc", "movement")) == (1, 0)
    fight.do("next", "inflict mira burning 4", "move 5")
    fight.refuses("douse prone", "some of the movement is used")


def test_who_cannot_move_has_no_movement_to_give(fight):
    """Adventure School, Burning, Immobilize."""
    fight.do("inflict brannoc burning 4", "inflict brannoc immobilized")
    fight.refuses("douse prone", "can't give up all its movement: speed 0")
