"""Which attack is made: spells, weapons, bows, reach. Monsters & Magic, Attacking & Dealing
Damage."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from affray.core.formatting.pieces import why_in_words

if TYPE_CHECKING:
    from tests.rulesets.monsters_and_magic.conftest import Fight

TAM = (
    "add pc Tam hp 20 ac 2 power 3 cunning 2 spell 4 pb 1 attack axe 1d8 slashing "
    "attack bow 1d8 piercing ranged attack knife 1d4 piercing agile "
    "attack spark 1d6 lightning spell attack ray 1d10 cold ranged spell"
)
IMP = "add monster Imp cr 1 hp 40 attack bow 1d6 piercing ranged attack claw 1d4 slashing"
ORDER = ("init tam 9", "init imp 3", "start")


@pytest.fixture
def tam(new_fight: type[Fight]) -> Fight:
    """Tam is up, with an axe, a bow, a knife and two spells; an imp with bow and claws follows."""
    return new_fight(TAM, IMP, *ORDER)


def test_a_spell_is_no_blow_with_the_weapon(tam: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Cast a Spell): the weapon's dice and type are not the
    spell's."""
    tam.do("setting underwater on", 'cast "Cold Rain" at imp strong 8')
    assert tam.track("imp", "hp") == 32
    assert "slashing" not in str(tam.events)
    tam.refuses('cast "Fire Rain" at imp natural 15', "no spell called 'Fire Rain'")
    tam.refuses('cast "Fire Rain" at imp roll', "how much damage")
    tam.refuses('cast "Fire Rain" at imp strong 4 with axe', "no spell 'axe'")


def test_a_spell_of_the_sheet_rolls_its_dice_without_an_ability(tam: Fight) -> None:
    """Monsters & Magic, ruling 12: the ability is added to the damage of weapons, not of spells."""
    tam.do("cast Spark at imp roll", faces=[13, 5])
    assert (tam.rolled.total, tam.track("imp", "hp")) == (18, 35)
    tam.do("cast storm at imp strong with ray", faces=[7])
    assert tam.track("imp", "hp") == 28


def test_a_weapon_adds_the_ability_of_its_attack_roll(tam: Fight) -> None:
    """Monsters & Magic, What are Dice Used For: the ability used to make the attack roll."""
    tam.do("strike imp strong", faces=[5])
    assert tam.track("imp", "hp") == 32
    tam.do("strike imp strong cunning with knife", faces=[3])
    assert tam.track("imp", "hp") == 27


def test_an_agile_weapon_rolls_with_the_better_of_its_ability_and_power(tam: Fight) -> None:
    """Monsters & Magic, Abilities: one can roll with cunning in place of power."""
    tam.do("strike imp natural 10 3 with knife")
    assert tam.rolled.total == 10 + 3 + 1
    tam.do("strike imp natural 10 3 cunning with knife")
    assert tam.rolled.total == 10 + 2 + 1
    tam.do("set tam ap 3", "set tam cunning 5", "strike imp natural 10 3 with knife")
    assert tam.rolled.total == 10 + 5 + 1


@pytest.mark.parametrize("line", ["strike imp roll with spark", "strike imp roll spell"])
def test_an_uncharmed_cantrip_may_be_the_strike(tam: Fight, line: str) -> None:
    """Monsters & Magic, Basic Techniques (Strike): attack with an uncharmed cantrip, with SPELL."""
    tam.do(line, faces=[13, 5])
    assert (tam.rolled.total, tam.track("imp", "hp")) == (18, 35)
    assert tam.cost("tam", "strike") == {"ap": 2}


def test_a_spell_at_several_has_a_die_for_each(tam: Fight) -> None:
    """Every game, ruling 2: with several targets it is one die each."""
    tam.do("add monster Rat x2 hp 20", faces=[2, 3])
    tam.do("cast rain at rat-1,rat-2 natural 4,15 8 cold")
    assert [r.outcome for r in tam.rolls] == ["miss", "strong"]
    assert (tam.track("rat-1", "hp"), tam.track("rat-2", "hp")) == (20, 12)
    tam.do("inflict rat-2 prone", "cast frost at rat-1,rat-2 natural 13 natural 3,16 4 cold")
    assert [r.natural for r in tam.rolls] == [13, 16]
    tam.do("undo", "cast frost at rat-1,rat-2 weak,miss 6")
    assert (tam.track("rat-1", "hp"), tam.track("rat-2", "hp")) == (17, 12)
    tam.refuses("strike rat-1,rat-2 natural 4,15 8", "just one")
    tam.refuses("cast hail at rat-1,rat-2 natural 4 8", "expected 2 rolls")


@pytest.mark.parametrize(
    ("said", "natural"),
    [
        ("with bow", 4),  # from afar by itself
        ("with bow near", 15),
        ("with axe", 15),
        ("with axe far", 4),  # a reach longer than one can touch
        ("with spark", 15),
        ("with ray", 4),
    ],
)
def test_a_bow_is_far_from_the_prone_by_itself(tam: Fight, said: str, natural: int) -> None:
    """Monsters & Magic, Conditions (Prone): advantage within touch range, disadvantage from
    farther."""
    tam.do("inflict imp prone", f"strike imp natural 4,15 5 {said}")
    assert tam.rolled.natural == natural


def test_an_opportunity_attack_passes_over_the_bow(tam: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Opportunity Attack): the melee weapon in hand, or a
    spell."""
    tam.do("react opportunity-attack tam by imp", faces=[18, 3])
    assert tam.track("tam", "hp") == 19
    assert "claw damage" in str(tam.events)
    tam.refuses("react opportunity-attack imp strong 6 with bow", "no melee attack 'bow'")
    tam.do("react opportunity-attack imp roll with ray", faces=[13, 7])
    assert tam.track("imp", "hp") == 33


def test_who_has_only_a_bow_makes_no_opportunity_attack(new_fight: type[Fight]) -> None:
    """Monsters & Magic, Basic Techniques (Opportunity Attack)."""
    fight = new_fight(
        "add pc Robin hp 9 attack bow 1d8 piercing ranged",
        IMP,
        "init robin 9",
        "init imp 3",
        "start",
    )
    fight.refuses("react opportunity-attack imp strong 6", "no melee attack")
    assert fight.track("robin", "reaction") == 1


def test_within_reach_the_prone_are_hit_more_easily(tam: Fight) -> None:
    """Monsters & Magic, Conditions (Prone); Opportunity Attack: within touch range."""
    tam.do("inflict imp prone", "react opportunity-attack imp natural 4,15 5 with ray")
    assert tam.rolled.natural == 15


@pytest.mark.parametrize(("mount", "hard"), [("swim", False), ("", True)])
def test_under_water_a_swimming_mount_carries_its_rider(
    new_fight: type[Fight], mount: str, hard: bool
) -> None:
    """Monsters & Magic, Underwater Combat: unless it swims, or rides a mount with a swim speed."""
    fight = new_fight(TAM, IMP, f"add monster Seal side party hp 9 {mount}", "init seal 1", *ORDER)
    fight.do("setting underwater on", "mount seal", "strike imp natural 15 5")
    assert ("under water" in why_in_words(fight.rolled)) == hard
    fight.do("undo 2", "strike imp natural 15 5")
    assert "under water" in why_in_words(fight.rolled)


@pytest.mark.parametrize(
    ("armor", "effect", "extra", "left"),
    [
        (1, "sundered", "cover", 10),  # 1 − 2 + 2 is 1
        (0, "sundered", "cover", 9),  # 0 − 2 + 2 is 0
        (1, "sundered", "", 9),
        (4, "sundered", "cover", 13),
    ],
)
def test_ac_is_cut_to_zero_after_everything_is_added(
    new_fight: type[Fight], armor: int, effect: str, extra: str, left: int
) -> None:
    """Monsters & Magic, Cover, Sundered; ruling 19: AC is cut to 0 after everything is added."""
    fight = new_fight(TAM, f"add monster Rat hp 20 ac {armor}", "init tam 9", "init rat 3", "start")
    fight.do(f"inflict rat {effect}", f"strike rat strong 11 {extra}")
    assert fight.track("rat", "hp") == left
    fight.do("undo", "forward rat +2 ac", "strike rat strong 11")
    assert fight.track("rat", "hp") == 9 + max(0, armor)


def test_cast_says_what_it_cost(tam: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Cast a Spell): the total AP depends on the charms."""
    tam.do('cast "Cold Rain" ap 2 at imp strong 8 cold')
    assert tam.history.entries[tam.history.last].text == (
        "Tam casts Cold Rain (2 action points) at Imp, strong 8 cold"
    )
    tam.refuses("cast hail ap 2", "1 AP left, needs 2")
    tam.refuses("cast hail ap 1 ap 2", "ap is given twice")
