"""Attacks. Orcus, Making an Attack, Combat Advantage, Cover, Concealment, Critical Hits."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from affray.core.engine.decide import complete
from affray.core.engine.events import NoteAdded, Rolled
from affray.core.formatting.pieces import why_in_words

if TYPE_CHECKING:
    from tests.rulesets.orcus.conftest import Fight


def _dc(fight: Fight) -> int:
    return fight.rolled.dc


def _bonus(fight: Fight) -> int:
    return fight.rolled.total - fight.rolled.natural


def test_an_attack_called_out_deals_what_was_called_out(fight: Fight) -> None:
    """Orcus, Damage Rolls."""
    fight.do("attack goblin-1 hit 8 fire")
    assert fight.hp("goblin-1") == 18
    assert fight.history.entries[fight.history.head].text == "Brannoc attacks Goblin 1, hit 8 fire"


def test_a_miss_deals_nothing_unless_it_deals_half(fight: Fight) -> None:
    """Orcus, Power Effects (Miss); Rounding Fractions."""
    fight.do("attack goblin-1,goblin-2 hit,miss 9 half")
    assert (fight.hp("goblin-1"), fight.hp("goblin-2")) == (17, 22)
    fight.do("undo", "attack goblin-1,goblin-2 hit,miss 9")
    assert (fight.hp("goblin-1"), fight.hp("goblin-2")) == (17, 26)


def test_the_die_as_it_lies_is_added_up_and_compared(fight: Fight) -> None:
    """Orcus, Attack Rolls."""
    fight.do("attack goblin-1 natural 9 8")
    assert (fight.rolled.total, fight.outcome) == (16, "hit")
    fight.do("undo", "attack goblin-1 natural 8 8")
    assert fight.outcome == "miss"
    assert fight.hp("goblin-1") == 26


def test_another_defence_is_named(fight: Fight) -> None:
    """Orcus, Power Attack Rolls."""
    fight.do("attack goblin-1 vs fort natural 6 8")
    assert (_dc(fight), fight.outcome) == (13, "hit")


def test_damage_is_rolled_once_for_all_targets(fight: Fight) -> None:
    """Orcus, Damage Rolls; Areas of effect."""
    fight.do("attack goblin-1,goblin-2 roll", faces=(15, 12, 5))
    assert (fight.hp("goblin-1"), fight.hp("goblin-2")) == (17, 17)
    assert sum(e.for_ == "damage" for e in fight.events if isinstance(e, Rolled)) == 1


def test_a_critical_deals_the_maximum_and_extra_dice_are_rolled_for_each(fight: Fight) -> None:
    """Orcus, Critical Hits: "roll those extra dice"; Areas of effect: separately for each."""
    fight.do("attack goblin-1,goblin-2 natural 20,20 1d8+4 extra 1d6", faces=(2, 5))
    assert (fight.hp("goblin-1"), fight.hp("goblin-2")) == (26 - 14, 26 - 17)


def test_a_critical_beside_a_hit_leaves_the_rolled_damage_to_the_hit(fight: Fight) -> None:
    """Orcus, Critical Hits."""
    fight.do("attack goblin-1,goblin-2 crit,hit 1d8+4", faces=(3,))
    assert (fight.hp("goblin-1"), fight.hp("goblin-2")) == (14, 19)


def test_a_number_called_out_on_a_critical_stays_as_it_is(new_fight: Callable[..., Fight]) -> None:
    """Orcus, Critical Hits."""
    fight = new_fight(
        "add pc Ash hp 20 ac 15 attack Axe +5 vs ac 1d6+2 extra 2d6",
        "add monster Ogre hp 60 ac 14",
        "init ash 10",
        "init ogre 5",
        "start",
    ).do("attack ogre crit 13")
    assert fight.hp("ogre") == 47
    fight.do("undo", "attack ogre crit", faces=(3, 4))
    assert fight.hp("ogre") == 60 - 8 - 7


def test_a_monsters_attack_is_rolled_when_nothing_is_said_of_it(fight: Fight) -> None:
    """Orcus, Attack Rolls: a monster's stat block has its modifier."""
    fight.do("next", "next", "attack brannoc", faces=(12, 5))
    assert (fight.rolled.total, fight.outcome) == (18, "hit")
    assert fight.hp("brannoc") == 44 - 8


def test_a_player_characters_outcome_is_asked_for(fight: Fight) -> None:
    """Orcus, Attack Rolls."""
    fight.refuses("attack goblin-1", "expected an outcome")
    fight.refuses("attack goblin-1 hti 8", "did you mean hit")


def test_whoever_has_no_attack_of_their_own_says_what_it_deals(
    new_fight: Callable[..., Fight],
) -> None:
    """Orcus, Damage Rolls."""
    fight = new_fight(
        "add pc Ash hp 20 ac 15", "add monster Ogre hp 60 ac 14", "init ash 10", "init ogre 5"
    ).do("start")
    fight.refuses("attack ogre hit", "how much damage?")
    fight.refuses("attack ogre natural 12 8", "no attack of their own")
    fight.do("attack ogre natural 12 8 plus 4")
    assert (fight.rolled.total, fight.hp("ogre")) == (16, 52)


def test_a_weapon_is_chosen_by_the_beginning_of_its_name(new_fight: Callable[..., Fight]) -> None:
    """Orcus, Two-Weapon Fighting: which one is used is chosen."""
    fight = new_fight(
        "add pc Ash hp 20 ac 15 attack Axe +5 vs ac 1d6+2 attack Net +3 vs ref 1d4 near",
        "add monster Ogre hp 60 ac 14 ref 11",
        "init ash 10",
        "init ogre 5",
        "start",
    ).do("attack ogre natural 9 with net", faces=(2,))
    assert (_bonus(fight), _dc(fight), fight.hp("ogre")) == (3, 11, 58)
    fight.do("undo").refuses("attack ogre hit with spear", "it has Axe and Net")


@pytest.mark.parametrize("condition", ["dazed", "helpless", "restrained", "stunned", "blinded"])
def test_conditions_give_combat_advantage_once(fight: Fight, condition: str) -> None:
    """Orcus, Combat Advantage: +2, however many reasons there are."""
    fight.do(f"inflict goblin-1 {condition}", "attack goblin-1 natural 9 8 advantage flanking mira")
    assert _bonus(fight) == 7 + 2
    assert "combat advantage" in why_in_words(fight.rolled)


def test_an_implied_condition_gives_combat_advantage_too(fight: Fight) -> None:
    """Orcus, Controlled: "You are dazed"."""
    fight.do("inflict goblin-1 controlled", "attack goblin-1 natural 9 8")
    assert _bonus(fight) == 9


def test_the_prone_suffer_in_melee_and_gain_from_afar(fight: Fight) -> None:
    """Orcus, Prone: melee attacks have combat advantage; +2 against ranged ones."""
    fight.do("inflict goblin-1 prone", "attack goblin-1 natural 9 8")
    assert (_bonus(fight), _dc(fight)) == (9, 16)
    fight.do("undo", "attack goblin-1 natural 9 8 ranged")
    assert (_bonus(fight), _dc(fight)) == (7, 18)
    assert "+2 prone, from afar" in why_in_words(fight.rolled)
    fight.do("undo", "attack goblin-1 natural 9 8 ranged adjacent")
    assert (_bonus(fight), _dc(fight)) == (7, 16)
    fight.do("undo", "attack goblin-1 natural 9 8 near")
    assert (_bonus(fight), _dc(fight)) == (7, 16)


def test_a_feint_is_good_for_whoever_feinted_alone(fight: Fight) -> None:
    """Orcus, Feint: "You gain combat advantage"."""
    fight.do("feint goblin-1 hit", "next", "attack goblin-1 natural 9 8")
    assert _bonus(fight) == 8
    fight.do("next", "next", "next", "attack goblin-1 natural 9 8")
    assert _bonus(fight) == 9


def test_a_flank_needs_somebody_who_can_flank(fight: Fight) -> None:
    """Orcus, Flanking; Dazed, Blinded, Stunned, Unconscious: can't flank."""
    fight.do("attack goblin-1 natural 9 8 flanking")
    assert _bonus(fight) == 9
    fight.do("undo", "inflict mira dazed")
    fight.refuses("attack goblin-1 natural 9 8 flanking mira", "Mira can't flank: dazed")
    fight.refuses("attack goblin-1 hit 8 flanking goblin-1", "an ally on the other side")
    fight.do("undo", "inflict brannoc blinded")
    fight.refuses("attack goblin-1 natural 9 8 flanking mira", "Brannoc can't flank: blinded")
    fight.do("undo", "damage mira 31")
    fight.refuses("attack goblin-1 natural 9 8 flanking mira", "Mira can't flank")


def test_all_around_vision_cannot_be_flanked(new_fight: Callable[..., Fight]) -> None:
    """Orcus, All-Around Vision."""
    fight = new_fight(
        "add pc Ash hp 20 ac 15 attack Axe +5 vs ac 1d6+2",
        "add monster Beholder hp 60 ac 14 all-around-vision",
        "init ash 10",
        "init beholder 5",
        "start",
    )
    fight.refuses("attack beholder hit 8 flanking", "can't be flanked")


@pytest.mark.parametrize(
    ("said", "bonus"),
    [
        ("cover", -2),
        ("half cover", -2),
        ("three-quarters-cover", -5),
        ("cover three-quarters-cover", -5),  # only the most protective counts
        ("concealed", -2),
        ("total-concealment", -5),
        ("cover concealed", -4),
        ("concealed near", 0),
        ("total-concealment far", 0),
        ("cover far", -2),
        ("long", -2),
        ("plus 3", 3),
    ],
)
def test_cover_concealment_and_range(fight: Fight, said: str, bonus: int) -> None:
    """Orcus, Cover, Concealment (not for Near or Far attacks), Ranged (long range)."""
    fight.do(f"attack goblin-1 natural 10 8 {said}")
    assert _bonus(fight) == 7 + bonus


def test_the_marked_attack_worse_whoever_did_not_mark_them(fight: Fight) -> None:
    """Orcus, Marked."""
    fight.do("inflict goblin-1 marked from brannoc", "next", "next")
    fight.do("attack mira natural 10 5")
    assert _bonus(fight) == 4
    assert "−2 marked by Brannoc" in why_in_words(fight.rolled)
    fight.do("undo", "attack brannoc natural 10 5")
    assert _bonus(fight) == 6
    fight.do("undo", "attack brannoc,mira natural 10,10 5")
    assert [e.total for e in fight.events if getattr(e, "natural", None)] == [16, 16]


def test_conditions_of_the_attacker_count(fight: Fight) -> None:
    """Orcus, Rattled, Restrained, Prone: −2; the same condition twice counts once."""
    fight.do("inflict brannoc rattled", "inflict brannoc rattled", "attack goblin-1 natural 10 5")
    assert _bonus(fight) == 5


def test_unconscious_and_total_defense_change_what_is_to_be_reached(fight: Fight) -> None:
    """Orcus, Unconscious: −5 to all defences; Total Defense: +2."""
    fight.do("inflict goblin-1 unconscious", "attack goblin-1 natural 10 5 ranged adjacent")
    assert _dc(fight) == 11
    fight.do("undo 2", "total-defense", "next", "next", "attack brannoc natural 10 5")
    assert _dc(fight) == 20


def test_a_bonus_to_damage_is_added_to_dice_and_to_a_number_that_was_called(fight: Fight) -> None:
    """Orcus, Damage Rolls; Stacking."""
    fight.do(
        "modifier brannoc +2 damage power",
        "modifier brannoc +1 damage power",
        "modifier mira +9 damage",
    )
    fight.do("attack goblin-1 hit", faces=(3,))
    assert fight.hp("goblin-1") == 26 - 9
    fight.do("undo", "attack goblin-1 crit")
    assert fight.hp("goblin-1") == 26 - 14
    fight.do("undo", "attack goblin-1 hit 5")
    assert fight.hp("goblin-1") == 26 - 5 - 2
    fight.do("undo", "attack goblin-1 crit 11")
    assert fight.hp("goblin-1") == 26 - 11 - 2


def test_a_penalty_to_damage_leaves_nothing_but_never_less(fight: Fight) -> None:
    """Orcus, Damage Rolls: possible to deal 0 damage, but never negative damage."""
    fight.do("modifier brannoc -9 damage", "attack goblin-1 hit", faces=(1,))
    assert fight.hp("goblin-1") == 26


def test_a_coup_de_grace_is_critical_and_kills_by_the_staggered_value(fight: Fight) -> None:
    """Orcus, Coup de Grace."""
    fight.refuses("coup-de-grace goblin-1 hit 12", "not helpless")
    fight.do("inflict goblin-1 helpless", "coup-de-grace goblin-1 natural 12")
    assert fight.outcome == "crit"
    assert (fight["goblin-1"].life, fight.hp("goblin-1")) == ("up", 14)  # 12 of a staggered 13
    fight.do("undo", "coup-de-grace goblin-1 hit 13")
    assert (fight["goblin-1"].life, fight.hp("goblin-1")) == ("dead", 13)


def test_a_coup_de_grace_that_misses_does_nothing(fight: Fight) -> None:
    """Orcus, Coup de Grace: if you hit."""
    fight.do("inflict goblin-1 helpless", "coup-de-grace goblin-1 natural 1 30")
    assert (fight.outcome, fight.hp("goblin-1")) == ("miss", 26)


def test_what_falls_of_another_type_stands_behind_untyped_damage(fight: Fight) -> None:
    """Orcus, Damage Types (weapons typically have none), Damage Resistance and Vulnerability."""
    fight.do("inflict goblin-1 resistance fire 3", "attack goblin-1 hit 8 5 fire cover")
    assert fight.hp("goblin-1") == 26 - 8 - 2
    fight.do("action-point")
    fight.refuses("attack goblin-1 hit 8 5", "did not expect '5'")
    fight.refuses("attack goblin-1 hit 8 5 cover", "did not expect '5'")


def test_who_makes_an_area_may_stand_in_it_alone(usual: Callable[..., Fight]) -> None:
    """Orcus, Targeting Yourself: if you are in the area of effect of a power you use."""
    fight = usual('power "Fire Burst" daily +6 vs reflex 3d6+4 fire near')
    fight.do('power "Fire Burst" brannoc natural 8 9')
    assert (fight.outcome, fight.hp("brannoc")) == ("hit", 35)
    fight.do("action-point").refuses("attack brannoc hit 5", "can't attack themself")


def test_the_dead_are_not_attacked(fight: Fight) -> None:
    """Orcus, Monsters and Death."""
    fight.do("damage goblin-1 26")
    fight.refuses("attack goblin-1 hit 5", "Goblin 1 is dead")


def test_a_refused_attack_changes_nothing(fight: Fight) -> None:
    """Orcus, Making an Attack."""
    fight.refuses("attack goblin-1 hit 8 fier", "did you mean fire")
    fight.refuses("attack goblin-1 natural 9 8 advantge", "did you mean advantage")
    fight.refuses("attack goblin-1,goblin-2 hit,miss,hit 8", "expected 2 outcomes")
    fight.refuses("attack goblin-1 vs armour hit 8", "expected a defence")
    fight.refuses("attack goblin-1 hit 8 extra lots", "expected dice such as 2d6")
    fight.refuses("attack nobody hit 8", "nobody here is called")


def test_a_weapon_is_offered_as_it_is_written(new_fight: Callable[..., Fight]) -> None:
    """Orcus, Two-Weapon Fighting."""
    fight = new_fight(
        'add pc Ash hp 20 ac 15 attack "Long Sword" +5 vs ac 1d8+2',
        "add monster Ogre hp 60 ac 14",
        "init ash 10",
        "init ogre 5",
        "start",
    )
    offers = complete(fight.state, "attack ogre hit with ", fight.ruleset)
    assert offers == ['"Long Sword"']


def test_a_modifier_to_the_next_attack_counts_for_its_damage_as_well(fight: Fight) -> None:
    """Orcus, Modifiers; Damage Rolls: the roll uses it up, and its damage still has it."""
    fight.do("modifier brannoc +3 attack,damage until used")
    fight.do("attack goblin-1 natural 15 1d8+4", faces=(2,))
    assert (_bonus(fight), fight.hp("goblin-1")) == (10, 26 - 9)
    assert "modifier" not in fight.effects("brannoc")


def test_damage_called_out_for_others_as_well_is_no_maximum(fight: Fight) -> None:
    """Orcus, Critical Hits: maximum damage for the critical, the roll for the other."""
    fight.do("attack goblin-1,goblin-2 natural 20,15 7")
    assert (fight.hp("goblin-1"), fight.hp("goblin-2")) == (26 - 12, 26 - 7)
    fight.do("undo", "attack goblin-1,goblin-2 miss,crit 7 half")
    assert (fight.hp("goblin-1"), fight.hp("goblin-2")) == (26 - 3, 26 - 12)
    fight.do("undo", "attack goblin-1,goblin-2 miss,crit 11")
    assert (fight.hp("goblin-1"), fight.hp("goblin-2")) == (26, 26 - 11)


def provokes(fight):
    """What the last command says of provoking."""
    return [e.text for e in fight.events if isinstance(e, NoteAdded) and "provokes" in e.text]


@pytest.mark.parametrize("reach", ["ranged", "far"])
def test_ranged_and_far_attacks_provoke(fight, reach):
    """Orcus, Ranged and Far Attacks in Close Combat."""
    fight.do(f"attack goblin-1 miss {reach}")
    assert provokes(fight) == [f"a {reach} attack provokes"]


@pytest.mark.parametrize("reach", ["melee", "near"])
def test_melee_and_near_attacks_provoke_nothing(fight, reach):
    """Orcus, Origin of effect."""
    assert provokes(fight.do(f"attack goblin-1 miss {reach}")) == []


def test_nothing_is_said_where_nobody_could_strike(fight):
    """Orcus, Opportunity Attacks: with the immediate action."""
    fight.do("inflict goblin-1 stunned", "react counter by goblin-2")
    assert provokes(fight.do("attack goblin-1 miss ranged")) == []
