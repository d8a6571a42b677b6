"""Conditions and modifiers, laid by hand. Seed 001; rules file, 9 and 17.2."""

import pytest


@pytest.mark.parametrize(
    ("condition", "implied"),
    [
        ("blinded", {"off-guard"}),
        ("restrained", {"immobilized", "off-guard"}),
        ("stunned", {"immobilized", "disabled"}),
        ("incapacitated", {"immobilized", "disabled", "off-guard"}),
        ("sleeping", {"incapacitated", "immobilized", "disabled", "off-guard"}),
        ("petrified", {"immobilized", "disabled", "off-guard"}),
        ("frozen", {"immobilized", "disabled", "off-guard"}),
        ("prone", set()),
        ("terrified", set()),
    ],
)
def test_what_a_condition_implies_comes_and_goes_with_it(fight, condition, implied):
    """001 Blind to Petrification; the table of section 9."""
    fight.do(f"inflict ghoul-1 {condition}")
    assert fight.effects("ghoul-1") == {condition, *implied}
    shown = {e["name"]: e.get("because") for e in fight.who("ghoul-1")["effects"]}
    assert all(shown[name] for name in implied)
    fight.do(f"remove ghoul-1 {condition}")
    assert fight.effects("ghoul-1") == set()


def test_the_same_condition_twice_is_no_worse_and_each_has_its_own_end(fight):
    """Rules file, 9."""
    fight.do("inflict ghoul-1 soaked until start of mira", "inflict ghoul-1 soaked")
    assert fight.total("ghoul-1", "speed") == 25
    fight.do("next")
    assert fight.total("ghoul-1", "speed") == 25
    fight.do("remove ghoul-1 soaked")
    assert fight.total("ghoul-1", "speed") == 30


def test_the_immune_cannot_have_it_for_a_time_or_by_the_sheet(fight):
    """001 Immune; Commands: refused if none of those named can have it."""
    fight.do("add monster Imp hp 40 ac 13 immune prone,stunned", faces=(1,))
    fight.do("inflict ghoul-1 immune afraid")
    fight.refuses("inflict imp prone,stunned", "Imp is immune to prone; Imp is immune to stunned")
    fight.refuses("inflict ghoul-1 afraid", "Ghoul 1 is immune to afraid")
    fight.do("inflict imp,ghoul-1 prone,afraid")
    assert (fight.effects("imp"), fight.effects("ghoul-1")) == ({"afraid"}, {"immune", "prone"})


def test_a_condition_that_is_none_is_refused_with_what_is_close(fight):
    fight.refuses("inflict ghoul-1 burned", "burning")
    fight.refuses("inflict ghoul-1 prone,burning", "burning")
    fight.refuses("inflict ghoul-1 resist luck", "resist to what")
    fight.refuses("inflict ghoul-1 ongoing 4", "a type of damage")


def test_until_a_long_rest_is_longer_than_until_a_rest(fight):
    """Commands: DURATION."""
    fight.do("inflict mira afraid until long rest", "inflict brannoc afraid until rest", "end")
    assert fight.until("mira", "afraid") == "until a long rest"
    fight.do("rest short")
    assert (fight.effects("mira"), fight.effects("brannoc")) == ({"afraid"}, set())
    fight.do("rest long")
    assert fight.effects("mira") == set()


# -- by whom it is ---------------------------------------------------------------------------------


def test_fear_is_of_rolls_to_hit_and_tests(fight):
    """001 Fear."""
    fight.do("inflict brannoc afraid from ghoul-1")
    rolls = ("melee", "ranged", "check", "save", "reflex")
    assert [fight.dice("brannoc", each) for each in rolls] == ["disadvantage"] * 3 + ["normal"] * 2


# -- modifiers -------------------------------------------------------------------------------------


def test_of_one_ability_the_best_bonus_and_the_worst_penalty_count(fight):
    """001 Buff, Debuff; rules file, 17.2."""
    fight.do('modifier mira +1 save "Bless"', 'modifier mira +2 save "bless" from brannoc')
    fight.do('modifier mira -1 save "Bless"', 'modifier mira -3 save "Bless"')
    assert fight.total("mira", "save") == -1
    fight.do('modifier mira +1 save "Song"', "modifier mira +1 save", "modifier mira +1 save")
    assert fight.total("mira", "save") == 2


def test_a_modifier_may_give_advantage_to_whom_it_is_on_or_to_rolls_to_hit_them(fight):
    """Commands, 27."""
    fight.do('modifier mira adv initiative,reflex "Wind"', "modifier mira dis attacked")
    assert fight.dice("mira", "initiative") == fight.dice("mira", "reflex") == "advantage"
    assert fight.dice("mira", "attacked_ranged") == "disadvantage"
    fight.refuses("modifier mira adv speed", "speed")
    fight.refuses("modifier mira 0 save", "changes nothing")


# -- not moving ------------------------------------------------------------------------------------


def test_who_cannot_move_for_whatever_reason_is_immobilized(fight):
    """001 Immobilize; rules file, 5.7."""
    fight.do("modifier ghoul-1 -45 speed")
    assert fight.total("ghoul-1", "speed") == 0
    assert "immobilized" in fight.effects("ghoul-1")
    fight.do("modifier ghoul-1 +20 speed")
    assert fight.total("ghoul-1", "speed") == 5
    assert "immobilized" not in fight.effects("ghoul-1")
