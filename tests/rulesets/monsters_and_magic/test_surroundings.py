"""Light, senses, concealment, cover, water, ranges. Monsters & Magic, Perception and Detection to
Reach."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from affray.core.formatting.pieces import why_in_words

if TYPE_CHECKING:
    from tests.rulesets.monsters_and_magic.conftest import Fight

TAM = (
    "add pc Tam hp 20 ac 2 power 3 cunning 2 focus 1 spell 4 pb 1 attack axe 1d8 slashing "
    "attack bow 1d8 piercing ranged range 60 attack sling 1d4 bludgeoning ranged "
    "attack ray 1d10 cold spell range 30"
)


@pytest.fixture
def tam(new_fight: type[Fight]) -> Fight:
    """Tam is up, a rat follows."""
    return new_fight(TAM, "add monster Rat hp 60 cr 1", "init tam 9", "init rat 3", "start")


def looker(new_fight: type[Fight], sense: str) -> Fight:
    """Owl, with a sense, is up; a rat follows."""
    owl = f"add pc Owl hp 20 pb 1 attack bow 1d8 piercing range 150 {sense}"
    return new_fight(owl, "add monster Rat hp 60 cr 1", "init owl 9", "init rat 3", "start")


def hindered(fight: Fight, more: str = "") -> str:
    """How hard the rat is to hit: "", "concealed" or "hidden"."""
    fight.do(f"strike rat natural 15 1 {more}")
    why = why_in_words(fight.rolled)
    fight.do("undo")
    if "target hidden" in why or "target undetected" in why:
        assert "disadvantage" in why
        return "hidden"
    return "concealed" if "-2 concealed" in why.replace("−", "-") else ""


@pytest.mark.parametrize(
    ("sense", "dim", "dark", "magical"),
    [
        ("", "concealed", "hidden", "hidden"),
        ("low-light", "", "hidden", "hidden"),
        ("darkvision 60", "", "concealed", "hidden"),
        ("truesight 60", "", "", ""),
        ("blindsight 60", "", "", ""),
        ("tremorsense 60", "", "", ""),
    ],
)
def test_what_each_sense_makes_of_the_light(
    new_fight: type[Fight], sense: str, dim: str, dark: str, magical: str
) -> None:
    """Monsters & Magic, Light, Senses: dim light conceals, darkness hides; who sees what in it."""
    fight = looker(new_fight, sense)
    assert hindered(fight) == ""
    for light, wanted in (("dim", dim), ("dark", dark), ("magical-dark", magical)):
        fight.do(f"setting light {light}")
        assert hindered(fight) == wanted, light


@pytest.mark.parametrize("sense", ["darkvision 60", "blindsight 60", "low-light 60"])
def test_beyond_its_range_a_sense_is_no_help(new_fight: type[Fight], sense: str) -> None:
    """Monsters & Magic, Senses: beyond that range normal vision applies."""
    fight = looker(new_fight, sense).do("setting light dim")
    assert (hindered(fight, "at 60"), hindered(fight, "at 61")) == ("", "concealed")


def test_a_combatants_own_light_goes_before_that_of_the_fight(tam: Fight) -> None:
    """Monsters & Magic, Light."""
    tam.do("setting light dark", "place rat bright")
    assert hindered(tam) == ""
    tam.do("setting light bright", "place rat dim")
    assert hindered(tam) == "concealed"
    tam.do("place rat darkness")
    assert tam.effects("rat") == {"dark"}
    assert hindered(tam) == "hidden"


@pytest.mark.parametrize(
    ("place", "wanted"),
    [("concealed", "concealed"), ("hidden", "hidden"), ("undetected", "hidden")],
)
def test_who_is_hard_to_see_is_hard_to_hit(tam: Fight, place: str, wanted: str) -> None:
    """Monsters & Magic, Concealment: −2; blinded; and undetected as if hidden."""
    tam.do(f"place rat {place}")
    assert hindered(tam) == wanted


def test_against_the_undetected_the_gm_rolls_in_secret(tam: Fight) -> None:
    """Monsters & Magic, Concealment (Undetected)."""
    tam.do("place rat undetected", "strike rat natural 4,15 5")
    assert "the GM rolls this in secret" in tam.notes
    assert tam.rolled.natural == 4
    tam.do("damage rat 7")  # what fills an area finds it
    tam.do("undo 2", "check tam focus natural 19 of rat")
    assert (tam.outcome, "in secret" in tam.notes) == ("miss", True)


def test_tremorsense_finds_what_is_on_the_same_ground(new_fight: type[Fight]) -> None:
    """Monsters & Magic, Senses (Tremorsense): on the same solid surface."""
    fight = looker(new_fight, "tremorsense 60").do("place rat hidden")
    assert hindered(fight) == ""
    fight.do("place rat flying")
    assert hindered(fight) == "hidden"
    assert hindered(fight.do("inflict rat restrained")) == "hidden"  # and so is it while it falls


@pytest.mark.parametrize(("sense", "natural"), [("", 4), ("truesight 60", 4), ("blindsight", 4)])
def test_truesight_sees_the_invisible(new_fight: type[Fight], sense: str, natural: int) -> None:
    """Monsters & Magic, Senses (Truesight), Statuses (Invisible)."""
    fight = looker(new_fight, sense).do("bestow rat invisible")
    if sense:
        fight.refuses("strike rat natural 4,15 5", "one")
        fight.do("next").refuses("strike owl natural 4,15 5", "one")
    else:
        fight.do("strike rat natural 4,15 5")
        assert fight.rolled.natural == natural
        fight.do("next", "strike owl natural 4,15 5")
        assert fight.rolled.natural == 15


def test_truesight_takes_away_invisibility_and_no_smoke(new_fight: type[Fight]) -> None:
    """Monsters & Magic, Senses (Truesight): the invisible, whatever the light; Hidden."""
    fight = looker(new_fight, "truesight 60").do("place rat hidden")
    assert hindered(fight) == "hidden"
    assert hindered(fight.do("bestow rat invisible until removed")) == "hidden"


def test_what_hides_a_target_counts_once_said_or_placed(tam: Fight) -> None:
    """Monsters & Magic, Light, Concealment: in the dark it is hidden, and concealed adds
    nothing."""
    tam.do("place rat concealed", "strike rat natural 14 5 concealed")
    assert tam.rolled.total == 14 + 3 + 1 - 2
    tam.do("setting light dark", "set tam ap 3", "strike rat natural 16,14 5 concealed")
    assert (tam.rolled.total, "concealed" in why_in_words(tam.rolled)) == (18, False)


def test_the_invisible_are_undetected(tam: Fight) -> None:
    """Monsters & Magic, Statuses (Invisible); Concealment: a check by sight fails, in secret."""
    tam.do("bestow rat invisible", "check tam focus natural 19 of rat")
    assert (tam.outcome, "in secret" in tam.notes) == ("miss", True)
    tam.do("strike rat natural 4,15 5")
    assert (why_in_words(tam.rolled).count("target"), "in secret" in tam.notes) == (1, True)


@pytest.mark.parametrize(
    ("light", "outcome"), [("bright", "strong"), ("dim", "weak"), ("dark", "miss")]
)
def test_checks_by_sight_go_by_the_light(tam: Fight, light: str, outcome: str) -> None:
    """Monsters & Magic, Light, Concealment, Conditions (Blinded): −2, and a failure against the
    hidden."""
    tam.do(f"setting light {light}", "check tam focus natural 18 sight")
    assert tam.outcome == outcome
    tam.do("setting light bright", f"place rat {light}", "check tam focus natural 18 of rat")
    assert tam.outcome == outcome
    tam.do("check tam focus natural 18")
    assert tam.outcome == "strong"


def test_a_dodge_is_no_help_against_who_is_not_seen(tam: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Dodge): if you can see the attacker."""
    tam.do("dodge", "next", "strike tam natural 4,15 3")
    assert tam.rolled.natural == 4
    tam.do("undo", "place rat hidden").refuses("strike tam natural 4,15 3", "one")


def test_partial_cover_stays_with_who_has_it(tam: Fight) -> None:
    """Monsters & Magic, Cover: −2 on attacks, +2 AC; said as well it counts once."""
    tam.do("place rat partial-cover", "strike rat natural 15 8")
    assert (tam.rolled.total, tam.track("rat", "hp")) == (17, 58)
    tam.do("undo", "strike rat natural 15 8 cover")
    assert (tam.rolled.total, tam.track("rat", "hp")) == (17, 58)


def test_nobody_aims_at_total_cover(tam: Fight) -> None:
    """Monsters & Magic, Cover: no attack or spell can target it directly."""
    tam.do("place rat partial-cover", "place rat total-cover")
    assert tam.effects("rat") == {"total-cover"}
    tam.refuses("strike rat strong 5", "Rat has total cover")
    tam.refuses("cast ray at rat strong 5", "no attack or spell can be aimed at it")
    tam.do("damage rat 5")


def test_one_alone_may_be_under_water(tam: Fight) -> None:
    """Monsters & Magic, Underwater Combat: fire is resisted, attacks are hard."""
    tam.do("place rat underwater", "damage rat 8 fire", "damage tam 8 fire")
    assert (tam.track("rat", "hp"), tam.track("tam", "hp")) == (56, 14)
    tam.do("next", "strike tam natural 4,15 3")
    assert "under water" in why_in_words(tam.rolled)


@pytest.mark.parametrize(
    ("attack", "far", "outcome"),
    [
        ("bow", "60", "well"),
        ("bow", "61", "beyond"),
        ("bow", "medium", "beyond"),
        ("bow", "short", "well"),
        ("bow", "120", "beyond"),
        ("bow", "121", "refused"),
        ("bow", "long", "refused"),
        ("bow", "medium range", "beyond"),
        ("bow", "60 feet", "well"),
        ("axe", "touch", "well"),
        ("axe", "close", "refused"),
        ("axe", "6", "refused"),
        ("ray", "30", "well"),
        ("ray", "31", "refused"),
        ("sling", "900", "well"),  # nobody has said how far it reaches
    ],
)
def test_how_far_an_attack_reaches(tam: Fight, attack: str, far: str, outcome: str) -> None:
    """Monsters & Magic, Reach & Range, Ranges: up to twice a weapon's range, spells never
    beyond."""
    line = f"strike rat natural 15 5 with {attack} at {far}"
    if outcome == "refused":
        tam.refuses(line, "feet away")
        return
    tam.do(line)
    assert ("beyond its range" in why_in_words(tam.rolled)) == (outcome == "beyond")


@pytest.mark.parametrize(("far", "hard"), [("30", False), ("31", True), ("60", True)])
def test_under_water_ranged_weapons_reach_half_as_far(tam: Fight, far: str, hard: bool) -> None:
    """Monsters & Magic, Underwater Combat: the range of ranged weapons is halved."""
    tam.do("setting underwater on", f"strike rat natural 15 5 with bow at {far}")
    assert ("beyond its range" in why_in_words(tam.rolled)) == hard
    tam.do("undo").refuses("strike rat natural 15 5 with bow at 61", "reaches 60 feet at most")
    tam.do("strike rat natural 15 5 with ray at 30")


@pytest.mark.parametrize(("far", "natural"), [("touch", 15), ("close", 4)])
def test_how_far_away_tells_near_from_far(tam: Fight, far: str, natural: int) -> None:
    """Monsters & Magic, Conditions (Prone): within touch range or further away."""
    tam.do("inflict rat prone", f"strike rat natural 4,15 5 with bow at {far}")
    assert tam.rolled.natural == natural
