"""0 HP and back, the turn's edge, falls, rests. Adventure School."""

from affray.core.formatting.effects import effect_with_amounts

DOWN = {"bloodied", "disabled", "immobilized", "incapacitated", "off-guard", "prone"}


# -- 0 HP ------------------------------------------------------------------------------------------


def test_at_half_the_maximum_somebody_is_bloodied(fight):
    """Adventure School, Bloodied."""
    fight.do("damage ghoul-1 11")
    assert fight.effects("ghoul-1") == set()
    fight.do("damage ghoul-1 1")
    assert fight.effects("ghoul-1") == {"bloodied"}
    fight.do("heal ghoul-1 1")
    assert fight.effects("ghoul-1") == set()


def test_bloodied_ignores_a_lower_maximum_which_cuts_hp_for_good(fight):
    """Adventure School, Bloodied; ruling 28."""
    fight.do('modifier brannoc -16 max-hp "Drain"', 'modifier brannoc -10 max-hp "Drain"')
    shown = fight.who("brannoc")["tracks"]["hp"]
    assert shown == {"value": 24, "max": 24, "full": 40}
    assert "bloodied" not in fight.effects("brannoc")
    fight.do("damage brannoc 4")
    assert "bloodied" in fight.effects("brannoc")
    fight.do("remove brannoc modifier", "remove brannoc modifier", "heal brannoc 99")
    assert fight.who("brannoc")["tracks"]["hp"] == {"value": 40, "max": 40}


def test_a_lower_maximum_is_called_by_its_name(fight):
    fight.do('modifier brannoc -16 max-hp "Drain"')
    assert effect_with_amounts(fight["brannoc"].effects[0]) == "Drain −16 max hp"


def test_a_maximum_of_nothing_defeats(fight):
    """Adventure School, Defeat; ruling 28."""
    fight.do("modifier mira -99 max-hp")
    assert (fight.hp("mira"), fight["mira"].life) == (0, "defeated")


def test_whom_nothing_is_left_of_nothing_revives(fight):
    """Adventure School, Defeat; ruling 28."""
    fight.do("modifier mira -99 max-hp until rest")
    fight.refuses("revive mira 5", "no HP left to come back to")
    fight.do("end", "rest long")
    assert (fight.hp("mira"), fight["mira"].life) == (30, "up")


def test_at_0_hp_somebody_is_defeated_incapacitated_and_prone(fight):
    """Adventure School, Defeat; ruling 19."""
    fight.do("damage mira,ghoul-1 99")
    assert fight.effects("mira") == fight.effects("ghoul-1") == DOWN
    assert fight["mira"].life == fight["ghoul-1"].life == "defeated"


def test_who_is_prone_already_or_cannot_be_falls_no_further(fight):
    """Adventure School, Defeat; ruling 19."""
    fight.do("inflict mira prone", "inflict ghoul-1 immune prone", "damage mira,ghoul-1 99")
    assert [e.name for e in fight["mira"].effects].count("prone") == 1
    assert "prone" not in fight.effects("ghoul-1")


def test_damage_does_nothing_more_to_the_defeated_but_reminds_of_death(fight):
    """Adventure School, Defeat, Death."""
    fight.do("damage mira 99", "damage mira 12 fire")
    assert fight.hp("mira") == 0
    assert "`kill mira`" in fight.notes


def test_healing_does_nothing_for_the_defeated(fight):
    """Adventure School, Defeat."""
    fight.do("damage mira 99")
    fight.refuses("heal mira 5", "Mira is defeated: `revive` brings back")
    fight.do("damage brannoc 5", "heal mira,brannoc 5")
    assert (fight.hp("mira"), fight.hp("brannoc")) == (0, 40)


def test_revival_gives_hp_and_prone_stays(fight):
    """Adventure School, Defeat."""
    fight.do("damage mira 99", "revive mira,brannoc 8")
    assert (fight.hp("mira"), fight["mira"].life) == (8, "up")
    assert fight.effects("mira") == {"bloodied", "prone"}
    fight.refuses("revive mira 8", "Mira is not defeated")
    fight.refuses("revive mira 0", "at least 1 HP")


def test_only_revival_that_says_so_works_on_the_dead_and_is_counted(fight):
    """Adventure School, Death."""
    fight.do("kill mira")
    assert (fight.hp("mira"), fight["mira"].life) == (0, "dead")
    fight.refuses("revive mira 8", "say `dead`")
    fight.refuses("kill mira", "dead")
    fight.do("revive mira 8 dead")
    assert (fight["mira"].life, fight.track("mira", "returns")) == ("up", 1)
    fight.do("set mira returns 108", "kill mira")
    fight.refuses("revive mira 8 dead", "108 times")


def test_no_usual_revival_brings_back_the_beheaded_and_the_heartless_but_the_gm_can(fight):
    """Adventure School, Death."""
    fight.do("kill mira beheaded", "kill ghoul-1", "kill ghoul-1 heart")
    fight.refuses("revive mira 8 dead", "is beheaded")
    fight.refuses("revive ghoul-1 8 dead", "has no heart")
    fight.do("set mira hp 8")
    assert fight["mira"].life == "up"
    fight.do("kill mira", "revive mira 3 dead")
    assert fight["mira"].life == "up"


def test_hp_set_by_hand_defeat_and_bring_back(fight):
    fight.do("set mira hp 0")
    assert fight.effects("mira") == DOWN
    fight.do("set mira hp 20")
    assert fight.effects("mira") == {"prone"}


# -- the turn's edge -------------------------------------------------------------------------------


def test_harm_comes_before_regeneration_and_nobody_regenerates_from_0(fight):
    """Adventure School, Regenerate; ruling 7."""
    fight.do("inflict mira regeneration 5", "inflict mira ongoing 7 acid", "next")
    assert fight.hp("mira") == 28
    fight.do(
        "inflict ghoul-1 regeneration 9", "inflict ghoul-1 ongoing 1d4 fire", "damage ghoul-1 22"
    )
    fight.do("next", faces=(2,))
    assert (fight.hp("ghoul-1"), fight["ghoul-1"].life) == (0, "defeated")


def test_what_regenerates_by_its_sheet_and_for_a_time_does_by_the_larger(fight):
    """Adventure School, Regenerate: the same twice is no better."""
    fight.do("add monster Troll hp 50 ac 10 regeneration 4", faces=(1,))
    fight.do("init troll 15", "damage troll 30")
    fight.do("inflict troll regeneration 6", "inflict troll regeneration 3", "next")
    assert fight.hp("troll") == 26


def test_of_ongoing_damage_each_type_harms_once_by_the_most(fight):
    """Adventure School, Regenerate."""
    fight.do("inflict mira ongoing 4 acid", "inflict mira ongoing 3 acid")
    fight.do("inflict mira ongoing 2 fire", "next")
    assert fight.hp("mira") == 24


def test_adventurers_against_each_other_suffer_at_the_end_of_their_turns(fight):
    """Adventure School, Player vs. Player Changes."""
    fight.do("setting pvp on", "inflict mira,ghoul-1 ongoing 4 acid", "next")
    assert fight.hp("mira") == 30
    fight.do("next")
    assert (fight.hp("mira"), fight.hp("ghoul-1")) == (26, 20)


def test_turns_of_the_defeated_are_passed_over_and_end_what_is_timed_by_them(fight):
    """Adventure School, Turn."""
    fight.do("inflict brannoc afraid until end of mira", "damage mira 99", "next")
    assert (fight.shown["turn"], fight.effects("brannoc")) == ("ghoul-1", set())


# -- falling and flying ----------------------------------------------------------------------------


def test_a_fall_comes_at_the_end_of_the_turn_a_point_for_each_foot_from_10_on(fight):
    """Adventure School, Falling."""
    fight.do("fall brannoc 10", "fall mira 9")
    assert (fight.hp("brannoc"), fight.effects("brannoc")) == (40, {"falling"})
    fight.do("next", "next")
    assert (fight.hp("brannoc"), fight.hp("mira")) == (30, 30)
    assert fight.effects("brannoc") == fight.effects("mira") == set()


def test_who_falls_moves_no_more_unless_it_flies(fight):
    """Adventure School, Falling: it normally can't move unless it can fly or glide."""
    fight.do("fall brannoc 40")
    for command in ("move 5", "jump natural 12", "tumble ghoul-1 pass"):
        fight.refuses(command, "falling")
    assert fight.reason("brannoc", "move") == "falling"
    fight.do("inflict brannoc flying 40", "move 5")


def test_a_fall_is_blunt_damage(fight):
    """Adventure School, Falling, Resist."""
    fight.do("inflict brannoc resist blunt", "fall brannoc 21", "next")
    assert fight.hp("brannoc") == 29


def test_500_feet_a_turn_and_500_damage_at_most(fight):
    """Adventure School, Falling."""
    fight.do("set brannoc hp 900 of 900", "fall brannoc 1100")
    for _ in range(2):
        fight.do("next", "next", "next", "next")
        assert fight.hp("brannoc") == 900
    assert fight.who("brannoc")["effects"][0]["amount"] == 100
    fight.do("next")
    assert fight.hp("brannoc") == 400


def test_of_100_damage_by_a_fall_the_gm_is_asked_whether_it_was_death(fight):
    """Adventure School, Falling."""
    fight.do("set brannoc hp 200 of 200", "fall brannoc 99", "next")
    assert "was that death" not in fight.notes
    fight.do("next", "next", "next", "fall brannoc 100", "next")
    assert "if that kills, `kill brannoc`" in fight.notes


def test_a_new_fall_is_counted_from_its_own_height(fight):
    fight.do("set brannoc hp 900 of 900", "fall brannoc 700", "next", "next", "next", "next")
    fight.do("fall brannoc 20", "next")
    assert fight.hp("brannoc") == 880


def test_a_flyer_that_is_prone_is_immobilized_and_falls_unless_it_floats(fight):
    """Adventure School, Flying, Prone."""
    fight.do("add monster Wisp hp 20 ac 10 float", faces=(1,))
    fight.do("inflict wisp,mira flying 25", "inflict wisp,mira prone")
    assert fight.effects("wisp") == {"flying", "prone"}
    assert fight.effects("mira") == {"flying", "prone", "immobilized", "falling"}
    fight.do("next", "next")
    assert (fight.hp("mira"), fight.effects("mira")) == (5, {"prone", "bloodied"})


def test_its_action_ends_prone_and_the_fall(fight):
    """Adventure School, Flying, Prone."""
    fight.do("inflict brannoc flying 25", "inflict brannoc prone", "stand")
    assert fight.effects("brannoc") == {"flying"}
    assert (fight.track("brannoc", "action"), fight.total("brannoc", "speed")) == (0, 30)


def test_but_not_while_something_else_holds_it(fight):
    """Adventure School, Flying: if it is not also immobilized for another reason."""
    fight.do("inflict brannoc flying 25", "inflict brannoc prone,restrained")
    fight.refuses("stand", "immobilized")
    fight.do("remove brannoc prone")
    assert "falling" in fight.effects("brannoc")
    fight.do("remove brannoc restrained")
    assert fight.effects("brannoc") == {"flying"}


def test_a_flyer_whose_speed_is_0_falls_from_its_height(fight):
    """Adventure School, Flying."""
    fight.do("inflict ghoul-1 flying 60", "modifier ghoul-1 -30 speed until start of mira")
    assert fight.who("ghoul-1")["effects"][-1]["amount"] == 60
    assert "falling" in fight.effects("ghoul-1")
    fight.do("next")
    assert fight.effects("ghoul-1") == {"flying"}


def test_who_flies_on_after_falling_far_is_so_much_lower(fight):
    """Adventure School, Falling: 500 ft. in a round."""
    fight.do("inflict brannoc flying 700", "inflict brannoc immobilized", "next")
    fight.do("remove brannoc immobilized")
    assert [e["amount"] for e in fight.who("brannoc")["effects"]] == [200]


def test_who_flies_at_another_height_flies_there_alone(fight):
    """Adventure School, Flying."""
    fight.do("inflict brannoc flying 10", "inflict brannoc flying 30")
    assert [e["amount"] for e in fight.who("brannoc")["effects"]] == [30]


def test_a_defeated_flyer_comes_down_when_its_turn_is_passed_over(fight):
    """Adventure School, Flying, Defeat."""
    fight.do("inflict mira flying 40", "damage mira 99")
    assert "falling" in fight.effects("mira")
    fight.do("next")
    assert fight.effects("mira") == DOWN


def test_without_turns_a_fall_comes_at_once_and_the_fights_end_brings_all_down(fight):
    """Adventure School, Falling."""
    fight.do("fall mira 12", "end")
    assert fight.hp("mira") == 18
    fight.do("fall mira 11")
    assert fight.hp("mira") == 7


# -- rests -----------------------------------------------------------------------------------------


def test_a_short_rest_heals_half_the_maximum_of_those_who_are_up(fight):
    """Adventure School, Short Rest."""
    fight.do("set brannoc hp 1 of 41", "damage mira 99")
    fight.refuses("rest short", "no rest in the middle of a fight")
    fight.do("end", "rest short")
    assert (fight.hp("brannoc"), fight.hp("mira")) == (22, 0)


def test_a_maximum_that_was_lower_until_the_rest_is_whole_when_it_heals(fight):
    """Adventure School, Short Rest."""
    fight.do('modifier brannoc -30 max-hp "Drain" until rest', "end", "rest short")
    assert fight.who("brannoc")["tracks"]["hp"] == {"value": 30, "max": 40}


def test_a_long_rest_is_full_and_revives_the_defeated_but_not_the_dead(fight):
    """Adventure School, Long Rest, Defeat."""
    fight.do("damage brannoc 30", "damage mira,ghoul-1 99", "kill ghoul-1", "end", "rest long")
    assert (fight.hp("brannoc"), fight.hp("mira")) == (40, 30)
    assert (fight["mira"].life, fight["ghoul-1"].life) == ("up", "dead")
    assert fight.track("mira", "returns") == 0


def test_resources_come_back_by_the_rest_that_is_theirs(fight):
    """Adventure School, Short Rest, Long Rest, Spirit Points, Spellburn Die, Control and Chaos."""
    fight.do("set mira spellburn 0", "set mira spirit 1", "set mira control 2", "end", "rest short")
    assert [fight.track("mira", t) for t in ("spellburn", "spirit", "control")] == [2, 1, 15]
    fight.do("rest short", "rest long")
    assert [fight.track("mira", t) for t in ("spellburn", "spirit")] == [10, 5]


def test_a_long_rest_that_is_broken_is_a_short_one(fight):
    """Adventure School, Long Rest."""
    fight.do("set mira spirit 1", "damage mira 29", "end", "rest long interrupted")
    assert (fight.hp("mira"), fight.track("mira", "spirit")) == (16, 1)
    fight.refuses("rest short interrupted", "only an interrupted long rest")
    fight.refuses("rest later", "expected the kind of rest")
