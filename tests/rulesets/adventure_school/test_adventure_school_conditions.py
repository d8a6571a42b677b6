"""Conditions and modifiers, laid by hand. Adventure School."""

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
    """Adventure School, Blind to Petrification."""
    fight.do(f"inflict ghoul-1 {condition}")
    assert fight.effects("ghoul-1") == {condition, *implied}
    shown = {e["name"]: e.get("because") for e in fight.who("ghoul-1")["effects"]}
    assert all(shown[name] for name in implied)
    fight.do(f"remove ghoul-1 {condition}")
    assert fight.effects("ghoul-1") == set()


def test_the_same_condition_twice_is_no_worse_and_each_has_its_own_end(fight):
    fight.do("inflict ghoul-1 soaked until start of mira", "inflict ghoul-1 soaked")
    assert fight.total("ghoul-1", "speed") == 25
    fight.do("next")
    assert fight.total("ghoul-1", "speed") == 25
    fight.do("remove ghoul-1 soaked")
    assert fight.total("ghoul-1", "speed") == 30


def test_the_immune_cannot_have_it_for_a_time_or_by_the_sheet(fight):
    """Adventure School, Immune; Commands: refused if none of those named can have it."""
    fight.do("add monster Imp hp 40 ac 13 immune prone,stunned", faces=(1,))
    fight.do("inflict ghoul-1 immune afraid")
    fight.refuses("inflict imp prone,stunned", "Imp is immune to prone; Imp is immune to stunned")
    fight.refuses("inflict ghoul-1 afraid", "Ghoul 1 is immune to afraid")
    fight.do("inflict imp,ghoul-1 prone,afraid")
    assert (fight.effects("imp"), fight.effects("ghoul-1")) == ({"afraid"}, {"immune", "prone"})


def test_a_condition_that_is_none_is_refused_with_what_is_close(fight):
    fight.refuses("inflict ghoul-1 burnin", "did you mean burning or burnout")
    fight.refuses("inflict ghoul-1 prone,burning", "burning")
    fight.refuses("inflict ghoul-1 resist luck", "type of resist")
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


def test_a_taunt_takes_from_rolls_to_hit_anybody_else(fight):
    """Adventure School, Taunt."""
    fight.do("inflict brannoc taunted 3 from ghoul-1")
    fight.do("attack ghoul-1 natural 7 1", "attack ghoul-2 natural 9 1")
    assert (fight.hp("ghoul-1"), fight.hp("ghoul-2")) == (23, 24)
    assert fight.who("brannoc")["effects"][0]["amount"] == 3
    fight.do("inflict brannoc taunted")
    assert [e["modifiers"] for e in fight.who("brannoc")["effects"]] == [{"attack": -3}, {}]


def test_of_two_taunts_the_worse_counts_against_third_parties(fight):
    """The same condition twice is no worse."""
    fight.do("inflict ghoul-1 taunted 2 from mira", "inflict ghoul-1 taunted 3 from brannoc")
    fight.do("next", "next", "attack ghoul-2 natural 13 1")
    assert fight.rolled.total == 13 + 5 - 3
    fight.do("undo", "attack mira natural 13 1")
    assert fight.rolled.total == 13 + 5 - 3
    fight.do("undo", "attack brannoc natural 13 1")
    assert fight.rolled.total == 13 + 5 - 2


def test_a_charm_is_about_the_charmer_and_ends_by_what_the_charmer_does(fight):
    """Adventure School, Charm."""
    fight.do("inflict ghoul-1 charmed from mira", "damage ghoul-1 1")
    fight.do("check mira performance natural 4,13 dc 18 social vs ghoul-1")
    fight.refuses(
        "check brannoc performance natural 4,13 dc 18 social vs ghoul-1", "there is neither"
    )
    fight.do("save ghoul-1 social natural 13,4 dc 8 vs mira")
    fight.refuses("save ghoul-1 social natural 13,4 dc 8 vs brannoc", "there is neither")
    fight.do("attack ghoul-1 hit 1", "next")
    assert fight.effects("ghoul-1") == {"charmed"}
    fight.do("attack ghoul-1 miss")
    assert fight.effects("ghoul-1") == set()


def test_fear_is_of_rolls_to_hit_and_tests(fight):
    """Adventure School, Fear."""
    fight.do("inflict brannoc afraid from ghoul-1")
    rolls = ("melee", "ranged", "check", "save", "reflex")
    assert [fight.dice("brannoc", each) for each in rolls] == ["disadvantage"] * 3 + ["normal"] * 2


def test_the_terrified_run(fight):
    """Adventure School, Terror: the action is a dash, or an attempt to get away."""
    fight.do("inflict brannoc burning 2", "inflict brannoc terrified from ghoul-1")
    fight.refuses("attack ghoul-1 hit 3", "terrified")
    fight.refuses("defend", "terrified")
    fight.refuses("douse", "terrified")
    fight.do("dash")
    assert fight.track("brannoc", "movement") == 60


# -- modifiers -------------------------------------------------------------------------------------


def test_of_one_ability_the_best_bonus_and_the_worst_penalty_count(fight):
    """Adventure School, Buff, Debuff."""
    fight.do('modifier mira +1 save "Bless"', 'modifier mira +2 save "bless" from brannoc')
    fight.do('modifier mira -1 save "Bless"', 'modifier mira -3 save "Bless"')
    assert fight.total("mira", "save") == -1
    fight.do('modifier mira +1 save "Song"', "modifier mira +1 save", "modifier mira +1 save")
    assert fight.total("mira", "save") == 2


def test_a_modifier_may_give_advantage_to_whom_it_is_on_or_to_rolls_to_hit_them(fight):
    fight.do('modifier mira adv initiative,reflex "Wind"', "modifier mira dis attacked")
    assert fight.dice("mira", "initiative") == fight.dice("mira", "reflex") == "advantage"
    assert fight.dice("mira", "attacked_ranged") == "disadvantage"
    fight.refuses("modifier mira adv speed", "speed")
    fight.refuses("modifier mira 0 save", "changes nothing")


def test_the_number_attacked_is_added_to_rolls_to_hit_somebody(fight):
    fight.do("modifier ghoul-1 +2 attacked", "attack ghoul-1 natural 5 3")
    assert fight.hp("ghoul-1") == 21


def test_a_modifier_until_used_is_used_up(fight):
    """Commands: DURATION."""
    fight.do('modifier brannoc +5 attack "Aim" until used', "attack ghoul-1 natural 2 3")
    assert (fight.hp("ghoul-1"), fight.effects("brannoc")) == (21, set())


# -- not moving ------------------------------------------------------------------------------------


def test_who_cannot_move_for_whatever_reason_is_immobilized(fight):
    """Adventure School, Immobilize."""
    fight.do("modifier ghoul-1 -45 speed")
    assert fight.total("ghoul-1", "speed") == 0
    assert "immobilized" in fight.effects("ghoul-1")
    fight.do("modifier ghoul-1 +20 speed")
    assert fight.total("ghoul-1", "speed") == 5
    assert "immobilized" not in fight.effects("ghoul-1")


@pytest.mark.parametrize("line", ["douse prone", "tumble ghoul-1 fail", "damage brannoc 40"])
def test_who_lies_on_the_ground_falls_no_second_time(fight, line):
    """No worse. Adventure School, Tumble, Burning, Soak, Chill, Freeze: prone until it stands."""
    fight.do("inflict brannoc burning 1", "inflict brannoc prone", line)
    assert len(fight["brannoc"].all_named("prone")) == 1


def test_who_is_prone_for_a_time_and_falls_stays_down_behind_it(fight):
    """Each instance has its own end."""
    fight.do("inflict ghoul-1 prone until end of mira", "trip ghoul-1 pass", "next", "next")
    assert fight.effects("ghoul-1") == {"prone"}
    fight.do("next", "next")
    fight.do("trip ghoul-1 pass")
    assert len(fight["ghoul-1"].all_named("prone")) == 1
