"""Attacks: the roll, what speaks for and against it, criticals, both hands, loading, stunts.

Adventure School, Attack, Critical Hit, Critical Threat Range, Attack Action, Dual Wielding, Reload,
Stunt, Opportunity Attack.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from affray.core.engine.events import Rolled, TrackChanged
from affray.core.formatting.pieces import why_in_words

Fight = Any


def damage_rolls(fight: Fight) -> list[tuple[str, str, int]]:
    """The dice of damage of the last command: what for, which, and what they showed."""
    rolls = (e for e in fight.events if isinstance(e, Rolled) and not e.outcome)
    return [(e.for_, e.dice, e.total) for e in rolls]


# -- the roll --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("face", "outcome"), [(7, "hit"), (6, "miss"), (20, "crit"), (1, "crit-miss")]
)
def test_an_attack_is_d20_and_the_bonus_against_ac_and_equal_is_enough(
    fight: Fight, face: int, outcome: str
) -> None:
    """Adventure School, Attack: +6 against AC 13."""
    fight.do(f"attack ghoul-1 natural {face} 5")
    assert (fight.outcome, fight.rolled.dc, fight.rolled.total) == (outcome, 13, face + 6)


def test_a_20_hits_and_a_1_misses_whatever_the_total(fight: Fight) -> None:
    """Adventure School, Attack, Critical Hit."""
    fight.do("attack ghoul-1 natural 20 5 dc 90")
    assert fight.outcome == "crit" and fight.hp("ghoul-1") == 19
    fight.do("attack ghoul-1 natural 1 5 plus 50")
    assert fight.outcome == "crit-miss" and "complication" in fight.notes


def test_a_threat_is_critical_only_where_the_total_confirms_it(fight: Fight) -> None:
    """Adventure School, Critical Threat Range, Confirmation: the rapier threatens from 18 on."""
    fight.do("attack ghoul-1 natural 18 with rapier", faces=(4, 5))
    assert fight.outcome == "crit"
    fight.do("undo", "attack ghoul-1 natural 17 with rapier", faces=(4,))
    assert fight.outcome == "hit"
    fight.do("undo", "attack ghoul-1 natural 18 with rapier dc 22")
    assert fight.outcome == "miss"


def test_threat_ranges_of_effects_and_weapons_add_up(fight: Fight) -> None:
    """Adventure School, Critical Threat Range, Critical Confirmation: `threat`."""
    fight.do("modifier brannoc +1 threat", "attack ghoul-1 natural 17 9 with rapier")
    assert fight.outcome == "crit"


def test_advantage_takes_the_better_die_disadvantage_the_worse_and_both_neither(
    fight: Fight,
) -> None:
    """Adventure School, Advantage, Disadvantage; ruling 2."""
    fight.do("attack ghoul-1 natural 3,15 4 adv")
    assert fight.rolled.natural == 15
    fight.do("undo", "attack ghoul-1 natural 3,15 4 dis")
    assert fight.rolled.natural == 3
    fight.do("undo").refuses(
        "attack ghoul-1 natural 3,15 4 adv dis", "cancel out: give the one die"
    )
    fight.do("attack ghoul-1 natural 15 4 adv")
    assert fight.outcome == "hit"
    fight.do("undo").refuses("attack ghoul-1 natural 3,15 4", "there is neither")


@pytest.mark.parametrize(
    ("words", "lean"),
    [
        ("engaged with crossbow", -1),
        ("engaged with dagger", 0),
        ("engaged ranged with dagger", -1),
        ("concealed", -1),
        ("unseen", 1),
        ("climbing", -1),
    ],
)
def test_words_say_what_speaks_for_and_against_an_attack(
    fight: Fight, words: str, lean: int
) -> None:
    """Adventure School, Engage, Climb, Concealment."""
    fight.do("next", f"attack ghoul-1 roll 3 {words}", faces=(10, 10) if lean else (10,))
    assert fight.rolled.lean == lean


@pytest.mark.parametrize(
    ("inflicted", "words", "lean"),
    [
        ("inflict ghoul-1 off-guard", "", 1),
        ("inflict ghoul-1 prone", "", 1),
        ("inflict ghoul-1 prone", "ranged", -1),
        ("inflict mira prone", "", -1),
        ("inflict mira prone", "ranged", 0),
        ("inflict mira afraid", "", -1),
        ("inflict mira blinded", "", -1),
        ("inflict mira restrained", "", -1),
        ("inflict mira concealed", "", 1),
        ("inflict ghoul-1 concealed", "", -1),
        ("inflict ghoul-1 hidden", "", -1),
        ("inflict ghoul-1 stunned", "", 0),
        ("inflict ghoul-1 petrified", "", 1),
        ("inflict ghoul-1 distracted from brannoc", "", 1),
        ("inflict ghoul-1 distracted from mira", "", 0),
        ("modifier ghoul-1 adv attacked", "", 1),
        ("modifier mira dis attack", "", -1),
        ("setting underwater on", "", -1),
    ],
)
def test_what_is_in_force_speaks_for_and_against_an_attack(
    fight: Fight, inflicted: str, words: str, lean: int
) -> None:
    """Adventure School, Off Guard, Prone, Fear, Blind, Restrain, Distract, Underwater."""
    faces = (10, 10) if lean else (10,)
    fight.do("next", inflicted, f"attack ghoul-1 roll 3 with dagger {words}", faces=faces)
    assert fight.rolled.lean == lean


def test_the_dice_are_told_by_what_does_not_depend_on_the_opponent(fight: Fight) -> None:
    """`show --json`: totals; what somebody distracts speaks only for the others."""
    fight.do("inflict ghoul-1 distracted from brannoc", "inflict mira prone")
    assert fight.dice("ghoul-1", "attacked_melee") == "normal"
    assert (fight.dice("mira", "melee"), fight.dice("mira", "ranged")) == ("disadvantage", "normal")
    assert fight.why("mira", "melee_dice") == [("disadvantage", "prone")]
    fight.do("setting underwater on", "inflict mira concealed")
    assert (fight.dice("mira", "melee"), fight.dice("mira", "ranged")) == ("normal", "normal")
    assert fight.dice("mira", "attacked_ranged") == "disadvantage"


def test_a_taunt_weighs_on_rolls_against_anybody_but_its_source(fight: Fight) -> None:
    """Adventure School, Taunt."""
    fight.do("inflict brannoc taunted 2 from ghoul-1", "attack ghoul-2 natural 8 5")
    assert fight.outcome == "miss"
    fight.do("attack ghoul-1 natural 7 5")
    assert fight.outcome == "hit"


def test_bonuses_and_penalties_count_once_for_each_ability(fight: Fight) -> None:
    """Adventure School, Buff, Debuff: of one name the best and the worst; unnamed ones all."""
    fight.do('modifier brannoc +1 attack "Bless"', 'modifier brannoc +3 attack "Bless"')
    fight.do('modifier brannoc -2 attack "Bless"', "modifier brannoc +1 attack")
    fight.do("modifier brannoc +1 attack", 'modifier brannoc +1 attack "Hymn"')
    assert fight.total("brannoc", "attack") == 3 - 2 + 1 + 1 + 1
    fight.do("attack ghoul-1 natural 3 4")
    assert fight.rolled.total == 3 + 6 + 4


def test_a_modifier_until_used_is_used_up_by_the_roll(fight: Fight) -> None:
    """Commands, DURATION: `until used`."""
    fight.do("modifier brannoc +5 attack until used", "modifier ghoul-1 adv attacked until used")
    fight.do("attack ghoul-1 natural 2,3 5")
    assert fight.outcome == "hit" and fight.rolled.total == 14
    assert fight["brannoc"].effects == () == fight["ghoul-1"].effects


def test_a_bonus_to_damage_is_added_to_what_was_called(fight: Fight) -> None:
    """`damage`."""
    fight.do("modifier brannoc +2 damage", "attack ghoul-1 hit 5")
    assert fight.hp("ghoul-1") == 17


def test_a_bonus_to_damage_until_used_is_for_one_hit(fight: Fight) -> None:
    """Commands, DURATION: `until used`."""
    fight.do("modifier brannoc +2 damage until used", "attack ghoul-1 natural 1")
    assert len(fight["brannoc"].effects) == 1  # a miss deals nothing
    fight.do("set brannoc action 1", "attack ghoul-1 hit 5")
    assert fight.hp("ghoul-1") == 17 and fight["brannoc"].effects == ()
    assert "raised by 2" in str(fight.events)
    fight.do("set brannoc action 1", "attack ghoul-1 hit 5")
    assert fight.hp("ghoul-1") == 12


def test_a_diminish_ability_is_harder_for_each_level_and_adds_its_own_where_it_works(
    fight: Fight,
) -> None:
    """Adventure School, Diminish."""
    fight.do("set brannoc diminish 2", "attack ghoul-1 natural 8 5 diminish 1")
    assert fight.outcome == "miss" and fight.track("brannoc", "diminish") == 2
    fight.do("attack ghoul-1 natural 9 5 diminish 1")
    assert fight.outcome == "hit" and fight.track("brannoc", "diminish") == 3
    fight.do("react opportunity-attack ghoul-1 natural 10 5 diminish 1 by brannoc")
    assert fight.outcome == "hit" and fight.track("brannoc", "diminish") == 4
    fight.do("next", "next", "next", "next", "stunt ghoul-1 prone natural 1 diminish 1")
    assert fight.rolled.dc == 6 - 4 and fight.track("brannoc", "diminish") == 5


def test_a_monsters_attack_is_rolled_where_nothing_is_said(fight: Fight) -> None:
    """Commands, OUTCOME."""
    fight.refuses("attack ghoul-1", "expected an outcome")
    fight.do("next", "next", "attack mira", faces=(12, 4))
    assert fight.outcome == "hit" and fight.hp("mira") == 24


def test_nobody_attacks_themself_or_with_what_they_have_not(fight: Fight) -> None:
    fight.refuses("attack brannoc hit 4", "can't attack themself")
    fight.refuses("attack ghoul-1 hit 4 with lance", "found 'lance': one of axe or rapier")


# -- what a hit deals ------------------------------------------------------------------------------


def test_a_critical_rolls_all_dice_twice_and_the_flat_part_once(fight: Fight) -> None:
    """Adventure School, Critical Hit: 1d12+1d4+3 becomes 2d12+2d4+3; a number stays as it was
    called."""
    fight.do("attack ghoul-1 crit 1d12+1d4+3 slashing", faces=(5, 4, 2, 1))
    assert damage_rolls(fight) == [("damage", "2d12+2d4+3", 15)]
    assert fight.hp("ghoul-1") == 9
    fight.do("attack ghoul-2 crit 9")
    assert fight.hp("ghoul-2") == 15


def test_critical_damage_is_a_roll_of_its_own_that_is_not_doubled(
    new_fight: Callable[..., Fight],
) -> None:
    """Adventure School, Critical Damage; ruling 3: of the attack's type unless it names one."""
    knight = "add pc Knight hp 20 attack lance +5 vs ac 1d8 piercing extra 1d6"
    foe = "add monster Husk hp 60 ac 5 resist piercing"
    fight = new_fight(knight, foe, "init knight 9", "init husk 3", "start")
    fight.do("attack husk crit extra 1d4 fire", faces=(3, 4, 5, 2))
    assert damage_rolls(fight) == [
        ("damage", "2d8", 7),
        ("critical damage", "1d6", 5),
        ("critical damage", "1d4", 2),
    ]
    assert fight.hp("husk") == 60 - 6 - 2
    fight.do("next", "next", "attack husk hit extra 1d4 fire", faces=(3,))
    assert fight.hp("husk") == 52 - 2


def test_every_hit_on_the_incapacitated_is_critical_and_a_miss_stays_one(fight: Fight) -> None:
    """Adventure School, Incapacity."""
    fight.do("inflict ghoul-1 sleeping", "attack ghoul-1 natural 8 1d8+4", faces=(3, 4))
    assert fight.outcome == "crit" and fight.hp("ghoul-1") == 24 - 11
    fight.do("attack ghoul-1 hit 5")
    assert fight.outcome == "crit"
    fight.do("undo", "attack ghoul-1 natural 2,3 5")
    assert fight.outcome == "miss"


def test_damage_of_several_types_falls_at_once(fight: Fight) -> None:
    """10; what is called without a type is of the weapon's."""
    fight.do("attack ghoul-1 hit 5 4 fire with axe")
    assert fight.hp("ghoul-1") == 15
    (lost,) = (e for e in fight.events if isinstance(e, TrackChanged) and e.track == "hp")
    assert why_in_words(lost) == "5 slashing and 4 fire"


def test_who_falls_on_somebody_adds_the_damage_of_the_fall(fight: Fight) -> None:
    """Adventure School, Falling: of a melee hit, from 10 ft. on."""
    fight.do("attack ghoul-1 hit 5 falling 15")
    assert fight.hp("ghoul-1") == 4
    fight.do("undo", "attack ghoul-1 hit 5 falling 9")
    assert fight.hp("ghoul-1") == 19
    fight.do("next").refuses("attack ghoul-1 hit 5 falling 15 with crossbow", "only a melee attack")


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("attack ghoul-1,ghoul-2 hit 4 falling 15", (5, 20)),
        ("attack ghoul-1,ghoul-2 miss hit 4 falling 15", (24, 5)),
        ("ability Hew ghoul-1,ghoul-2 hit 4 falling 15", (5, 20)),
    ],
)
def test_a_fall_is_added_to_the_first_hit_alone(fight: Fight, line: str, left: Any) -> None:
    """Adventure School, Falling: to your first hit against them during that fall."""
    fight.do(line)
    assert (fight.hp("ghoul-1"), fight.hp("ghoul-2")) == left


# -- the attack action -----------------------------------------------------------------------------


def test_the_attack_action_is_one_action_and_all_its_attacks(fight: Fight) -> None:
    """Adventure School, Attack Action."""
    fight.do("attack ghoul-1 hit 5")
    assert (fight.track("brannoc", "action"), fight.track("brannoc", "attacks")) == (0, 1)
    assert fight.option("brannoc", "attack") == {
        "technique": "attack",
        "cost": {},
        "available": True,
    }
    fight.refuses("act", "action used")
    fight.do("attack ghoul-2 hit 5")
    assert fight.track("brannoc", "attacks") == 0
    fight.refuses("attack ghoul-1 hit 5", "action used")


def test_attacks_that_are_left_are_lost_with_the_turn(fight: Fight) -> None:
    """Adventure School, Attack Action."""
    fight.do("attack ghoul-1 hit 5", "next")
    assert fight.track("brannoc", "attacks") == 0


def test_several_targets_are_an_attack_each(fight: Fight) -> None:
    """Commands, OUTCOME: one each, or one word for all."""
    fight.do("attack ghoul-1,ghoul-2 hit miss 5")
    assert (fight.hp("ghoul-1"), fight.hp("ghoul-2")) == (19, 24)
    assert fight.track("brannoc", "attacks") == 0
    fight.do("undo", "attack ghoul-1,ghoul-2 natural 9 natural 2,15 5 adv")
    assert (fight.hp("ghoul-1"), fight.hp("ghoul-2")) == (19, 19)
    fight.do("undo", "next").refuses("attack ghoul-1,ghoul-2 hit 5", "action used")


def test_a_weapon_in_each_hand_is_an_attack_with_each_at_a_disadvantage(fight: Fight) -> None:
    """Adventure School, Dual Wielding: and −5 with what isn't light."""
    fight.do("next", "wield dagger,hatchet")
    assert fight.dice("mira", "melee") == "disadvantage"
    fight.do("attack ghoul-1 natural 12,8 3 with dagger")
    assert fight.outcome == "hit"
    fight.refuses("attack ghoul-1 hit 3 with dagger", "attacks with hatchet now")
    fight.do("attack ghoul-1 natural 13,15 3")
    assert fight.outcome == "miss" and fight.rolled.total == 13 + 4 - 5
    fight.refuses("attack ghoul-1 hit 3", "action used")


def test_who_has_learned_it_pays_nothing_for_both_hands(new_fight: Callable[..., Fight]) -> None:
    """Adventure School, Dual Wielding: the course."""
    pair = "attack axe +4 vs ac 1d6 slashing attack pick +4 vs ac 1d6 piercing"
    fight = new_fight(f"add pc Ann hp 9 dual-wielding {pair}", "add monster Rat hp 9 ac 10")
    fight.do("init ann 9", "init rat 3", "start", "wield axe,pick", "attack rat natural 6 2")
    assert fight.outcome == "hit" and fight.track("ann", "attacks") == 1


@pytest.mark.parametrize(
    ("line", "saying"),
    [
        ("wield dagger,crossbow", "crossbow takes two hands"),
        ("wield dagger,hatchet,dagger", "one for each hand"),
        ("wield lance", "expected an attack of its own, found 'lance'"),
    ],
)
def test_two_hands_hold_two_weapons_of_one_hand(fight: Fight, line: str, saying: str) -> None:
    """Adventure School, Dual Wielding."""
    fight.do("next").refuses(line, saying)


def test_wielding_one_weapon_ends_both_hands_and_is_what_one_attacks_with(fight: Fight) -> None:
    """Adventure School, Dual Wielding."""
    fight.do("next", "wield dagger,hatchet")
    fight.refuses(
        "attack ghoul-1 hit 3 with crossbow",
        "attacks with dagger and hatchet now: one attack with each",
    )
    fight.do("wield hatchet", "attack ghoul-1 natural 9 3")
    assert fight.effects("mira") == set() and fight.outcome == "hit"
    assert fight.track("mira", "attacks") == 0


def test_a_weapon_that_loads_is_reloaded_by_the_action_or_the_whole_move(fight: Fight) -> None:
    """Adventure School, Reload."""
    fight.do("next", "attack ghoul-1 miss with crossbow")
    assert "unloaded" in fight.effects("mira")
    fight.refuses("reload", "action used")
    fight.do("next", "next", "next", "next")
    fight.refuses("attack ghoul-1 hit 3 with crossbow", "must be reloaded")
    fight.refuses("reload dagger", "nothing to reload")
    fight.do("reload move crossbow", "attack ghoul-1 hit 3 with crossbow")
    assert (fight.track("mira", "movement"), fight.track("mira", "action")) == (0, 0)
    fight.do("next", "next", "next", "next", "reload")
    assert (fight.track("mira", "movement"), fight.track("mira", "action")) == (30, 0)


def test_who_is_disarmed_of_one_has_no_weapon_in_each_hand(fight: Fight) -> None:
    """Adventure School, Disarm: no attack with it either."""
    fight.do("next", "wield dagger,hatchet", "next", "disarm mira hatchet pass")
    assert fight.effects("mira") == {"disarmed"}
    fight.do("next", "next", "next").refuses(
        "attack ghoul-1 hit 3 with hatchet", "hatchet is out of its hand"
    )


def test_the_whole_move_is_given_only_while_none_of_it_is_used(fight: Fight) -> None:
    """Adventure School, Move."""
    fight.do("next", "attack ghoul-1 miss with crossbow", "next", "next", "next", "next")
    fight.do("move 5").refuses("reload move", "some of the movement is used")
    fight.do("undo", "inflict mira immobilized").refuses("reload move", "speed 0")


def test_a_stunt_leaves_a_condition_where_the_target_does_not_save(fight: Fight) -> None:
    """Adventure School, Stunt; ruling 8: DC 6 by the axe's +6, until the end of its next turn."""
    fight.do("stunt ghoul-1 blinded natural 3")
    assert (fight.outcome, fight.rolled.dc) == ("pass", 6)
    fight.do("stunt ghoul-1 blinded natural 2")
    assert fight.effects("ghoul-1") == {"blinded", "off-guard"}
    assert fight.until("ghoul-1", "blinded") == "end of ghoul-1's next turn"
    assert fight.track("brannoc", "attacks") == 0


def test_a_stunts_dc_is_the_bonus_to_hit_with_all_that_is_added_to_it(fight: Fight) -> None:
    """Adventure School, Stunt; ruling 8: "your bonus to hit with the weapon", so that a blessing
    counts."""
    fight.do('modifier brannoc +2 attack "Bless"', "stunt ghoul-1 blinded natural 5 plus 1")
    assert (fight.outcome, fight.rolled.dc) == ("fail", 9)
    fight.do("undo", "stunt ghoul-1 blinded natural 5 plus 1 dc 8")
    assert (fight.outcome, fight.rolled.dc) == ("pass", 8)


def test_what_speaks_for_the_attack_speaks_against_the_save_of_a_stunt(fight: Fight) -> None:
    """Adventure School, Stunt."""
    fight.do("inflict ghoul-1 off-guard", "stunt ghoul-1 prone natural 15,2 dc 9")
    assert fight.rolled.lean == -1 and "prone" in fight.effects("ghoul-1")
    fight.do("undo 2", "inflict brannoc afraid", "stunt ghoul-1 prone natural 15,2 dc 9")
    assert fight.rolled.lean == 1 and fight.outcome == "pass"


# -- out of hiding ---------------------------------------------------------------------------------


def test_all_attacks_of_an_action_from_hiding_are_from_hiding(fight: Fight) -> None:
    """Adventure School, Hide."""
    fight.do("inflict brannoc hidden", "attack ghoul-1 natural 2,9 5")
    assert "hidden" not in fight.effects("brannoc")
    fight.do("attack ghoul-1 natural 2,9 5")
    assert fight.outcome == "hit"
    fight.do("next", "next", "next", "next")
    fight.refuses("attack ghoul-1 natural 2,9 5", "there is neither")


def test_a_melee_hit_finds_the_hidden_and_an_attack_ends_a_charm(fight: Fight) -> None:
    """Adventure School, Hide, Charm."""
    fight.do("inflict ghoul-1 hidden", "attack ghoul-1 natural 15,2 5")
    assert "hidden" in fight.effects("ghoul-1")
    fight.do("attack ghoul-1 natural 15,14 5")
    assert fight.effects("ghoul-1") == set()
    fight.do("inflict ghoul-1 charmed from mira", "next", "attack ghoul-1 miss")
    assert fight.effects("ghoul-1") == set()


# -- opportunity attacks ---------------------------------------------------------------------------


def test_an_opportunity_attack_is_a_melee_attack_in_anothers_turn(fight: Fight) -> None:
    """Adventure School, Opportunity Attack: no action, and any number of them."""
    fight.do("react opportunity-attack ghoul-1 hit 3 by mira")
    fight.do("react opportunity-attack ghoul-2 hit 3 with hatchet by mira")
    assert (fight.hp("ghoul-1"), fight.hp("ghoul-2")) == (21, 21)
    assert (fight.track("mira", "action"), fight.track("mira", "attacks")) == (1, 0)
    fight.refuses("react opportunity-attack ghoul-1 hit 3 with crossbow by mira", "melee attack")


@pytest.mark.parametrize(
    ("inflicted", "saying"),
    [
        ("inflict mira disengaged", "disengaged"),
        ("inflict mira hidden", "hidden"),
        ("inflict ghoul-1 distracted from brannoc", "distracted"),
        ("inflict ghoul-1 disabled", "disabled"),
    ],
)
def test_who_gets_no_opportunity_attack(fight: Fight, inflicted: str, saying: str) -> None:
    """Adventure School, Opportunity Attack, Distract."""
    fight.do(inflicted)
    fight.refuses("react opportunity-attack mira hit 3 by ghoul-1", saying)


def test_the_distracted_attack_whoever_distracts_them(fight: Fight) -> None:
    """Adventure School, Opportunity Attack."""
    fight.do(
        "inflict ghoul-1 distracted from mira", "react opportunity-attack mira hit 3 by ghoul-1"
    )
    assert fight.hp("mira") == 27


@pytest.mark.parametrize(
    ("said", "left"),
    [("crit miss", (15, 24)), ("miss crit", (24, 15)), ("crit-miss hit", (24, 15))],
)
def test_two_words_are_an_outcome_for_each_of_two_targets(
    fight: Fight, said: str, left: Any
) -> None:
    """OUTCOME: for several targets one each; `crit miss` is no crit-miss for both."""
    fight.do(f"attack ghoul-1,ghoul-2 {said} 9")
    assert (fight.hp("ghoul-1"), fight.hp("ghoul-2")) == left


def test_an_outcome_may_be_written_apart_where_there_is_one_roll(fight: Fight) -> None:
    """OUTCOME: `crit-miss`."""
    fight.do("attack ghoul-1 crit miss 9")
    assert fight.hp("ghoul-1") == 24
