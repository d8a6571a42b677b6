"""Techniques used against others, and spells: distract, dodge, grapple, hide, reactions, cast."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from affray.core.formatting.pieces import why_in_words

if TYPE_CHECKING:
    from tests.rulesets.monsters_and_magic.conftest import Fight


@pytest.mark.parametrize(
    ("outcome", "effects"),
    [
        ("crit-miss", set()),
        ("miss", set()),
        ("weak", {"sundered"}),
        ("strong", {"distracted"}),
        ("crit", {"distracted"}),
    ],
)
def test_distract_by_outcome(fight: Fight, outcome: str, effects: set[str]) -> None:
    """Monsters & Magic, Basic Techniques (Distract); ruling 43: strong, the advantage alone."""
    fight.do(f"distract ghoul-1 {outcome}")
    assert fight.effects("ghoul-1") == effects


def test_distract_sunders_until_the_start_of_ones_next_turn(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Distract)."""
    fight.do("distract ghoul-1 weak")
    assert fight.total("ghoul-1", "ac") == 0
    assert fight.until("ghoul-1", "sundered") == "start of brannoc's next turn"
    fight.do("next", "next", "next")
    assert "sundered" in fight.effects("ghoul-1")
    fight.do("next")
    assert fight.effects("ghoul-1") == set()


def test_distract_gives_advantage_to_the_next_attack_alone(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Distract)."""
    fight.do("distract ghoul-1 strong", "strike ghoul-1 natural 3,14 6")
    assert fight.outcome == "strong"
    assert fight.effects("ghoul-1") == set()


def test_distract_rolls_cunning(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Distract): make a cunning roll."""
    fight.do("distract ghoul-1 natural 9")
    assert (fight.rolled.total, fight.outcome) == (10, "weak")


def test_distract_asks_how_to_sunder_again(fight: Fight) -> None:
    """Monsters & Magic, Conditions: extend or detonate, your choice."""
    fight.do("inflict ghoul-1 sundered")
    fight.refuses("distract ghoul-1 weak", "extend")
    fight.do("distract ghoul-1 weak detonate 7")
    assert fight.effects("ghoul-1") == set()
    assert fight.track("ghoul-1", "hp") == 13


@pytest.mark.parametrize(
    ("line", "reaches"), [("distract ghoul-1 weak at", 10), ("grapple ghoul-1 miss at", 5)]
)
def test_distract_and_grapple_reach_no_farther(fight: Fight, line: str, reaches: int) -> None:
    """Monsters & Magic, Basic Techniques (Distract, Grapple): within close range, within touch
    range."""
    fight.refuses(f"{line} {reaches + 1}", f"{reaches} feet, not")
    fight.refuses(f"{line} short range", f"{reaches} feet, not 30")
    assert fight.do(f"{line} {reaches}").effects("ghoul-1")


def test_dodge_gives_attackers_disadvantage_until_the_next_turn(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Dodge)."""
    fight.do("dodge")
    assert fight.until("brannoc", "dodging") == "start of brannoc's next turn"
    fight.do("next", "next", "strike brannoc natural 18,7 9")
    assert (fight.rolled.natural, fight.outcome) == (7, "miss")
    fight.do("next", "next")
    assert "dodging" not in fight.effects("brannoc")


def test_dodge_gives_cunning_saves_advantage(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Dodge): cunning saving throws with advantage."""
    fight.do("dodge", "check brannoc cunning save natural 3,12")
    assert fight.rolled.natural == 12
    fight.do("check brannoc power save natural 3")
    assert fight.rolled.natural == 3


@pytest.mark.parametrize(
    "spoiler",
    [
        "bestow ghoul-1 invisible",
        "inflict brannoc blinded",
        "inflict brannoc restrained",
        "inflict brannoc stunned",
    ],
)
def test_dodge_needs_sight_and_being_able_to_act_and_move(fight: Fight, spoiler: str) -> None:
    """Monsters & Magic, Basic Techniques (Dodge): if you can see the attacker ... speed above 0."""
    fight.do("dodge", spoiler, "next", "next", "strike brannoc natural 9 adv 9")
    assert "dodging" not in why_in_words(fight.rolled)


@pytest.mark.parametrize(
    ("outcome", "held"),
    [("crit-miss", True), ("miss", True), ("weak", True), ("strong", False), ("crit", False)],
)
def test_grapple_by_the_targets_saving_throw(fight: Fight, outcome: str, held: bool) -> None:
    """Monsters & Magic, Basic Techniques (Grapple)."""
    fight.do(f"grapple ghoul-1 {outcome}")
    assert ("restrained" in fight.effects("ghoul-1")) == held


def test_grapple_holds_until_freed_on_a_miss_and_for_a_turn_on_a_weak_hit(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Grapple)."""
    fight.do("grapple ghoul-1 weak")
    assert fight.until("ghoul-1", "restrained") == "end of ghoul-1's next turn"
    fight.do("undo", "grapple ghoul-1 miss", *["next"] * 5)
    assert fight.until("ghoul-1", "restrained") == "until freed"


@pytest.mark.parametrize(
    ("who", "target", "natural", "outcome"),
    [
        ("brannoc", "ghoul-1", 9, "miss"),
        ("brannoc", "ghoul-1", 10, "weak"),
        ("ghoul-1", "brannoc", 9, "miss"),
        ("ghoul-1", "brannoc", 10, "weak"),
        ("ghoul-1", "brannoc", 16, "strong"),
    ],
)
def test_grapple_is_saved_against_ten_and_the_grapplers_power(
    fight: Fight, who: str, target: str, natural: int, outcome: str
) -> None:
    """Monsters & Magic, Basic Techniques (Grapple); ruling 44: 10 + POWER, CR for a monster."""
    while fight.shown["turn"] != who:
        fight.do("next")
    fight.do(f"grapple {target} natural {natural}")
    assert (fight.rolled.who, fight.rolled.dc, fight.outcome) == (target, 12, outcome)


@pytest.mark.parametrize(
    "end",
    [
        "inflict brannoc impaired",
        "inflict brannoc stunned",
        "inflict brannoc unconscious",
        "damage brannoc 99",
        "leave brannoc",
        "mark brannoc fatigue 40",
    ],
)
def test_a_grapple_ends_when_the_grappler_is_impaired_or_stunned_or_gone(
    fight: Fight, end: str
) -> None:
    """Monsters & Magic, Basic Techniques (Grapple); ruling 38."""
    fight.do("grapple ghoul-1 miss", end)
    assert fight.effects("ghoul-1") == set()


def test_the_impaired_grapple_as_well(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Grapple): it ends when one becomes impaired or
    stunned."""
    fight.do("inflict brannoc impaired", "grapple ghoul-1 miss")
    assert "restrained" in fight.effects("ghoul-1")
    fight.do("inflict brannoc stunned")
    assert fight.effects("ghoul-1") == set()


def test_a_hold_that_is_no_grapple_outlasts_its_sources_impairment(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Grapple): only a grapple says so."""
    fight.do("inflict ghoul-1 restrained from brannoc", "inflict brannoc impaired")
    assert "restrained" in fight.effects("ghoul-1")


@pytest.mark.parametrize(
    ("outcome", "effects"),
    [
        ("miss", set()),
        ("weak", {"invisible"}),
        ("strong", {"invisible", "unseen"}),
        ("crit", {"invisible", "unseen"}),
    ],
)
def test_hide_by_outcome(fight: Fight, outcome: str, effects: set[str]) -> None:
    """Monsters & Magic, Basic Techniques (Hide)."""
    fight.do(f"hide {outcome}")
    assert fight.effects("brannoc") == effects


def test_an_attack_from_hiding_has_advantage_and_gives_one_away(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Hide): if you attack, the invisible status ends on
    you."""
    fight.do("hide strong", "strike ghoul-1 natural 2,15 6")
    assert fight.outcome == "strong"
    assert fight.effects("brannoc") == set()


def test_invisibility_that_was_bestowed_survives_an_attack(fight: Fight) -> None:
    """Monsters & Magic, Statuses (Invisible): only hiding ends so."""
    fight.do("bestow brannoc invisible", "strike ghoul-1 miss")
    assert "invisible" in fight.effects("brannoc")


def test_who_is_seen_has_lost_the_opening_as_well(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Hide): advantage against whom one is invisible from."""
    fight.do("hide strong", "remove brannoc invisible")
    assert fight.effects("brannoc") == set()
    fight.refuses("strike ghoul-1 natural 4,15 6", "neither")


def test_nobody_strikes_from_hiding_at_whom_one_is_not_invisible_to(
    new_fight: type[Fight],
) -> None:
    """Monsters & Magic, Basic Techniques (Hide), Senses (Blindsight): the advantage is against a
    creature you are invisible from."""
    owl = "add pc Owl hp 20 pb 1 attack bow 1d8 piercing range 150"
    fight = new_fight(owl, "add monster Bat hp 60 blindsight 60", "init owl 9", "init bat 3")
    fight.do("start", "hide strong")
    fight.refuses("strike bat natural 4,15 6 at 60", "neither")
    fight.do("strike bat natural 4,15 6 at 90")
    assert fight.rolled.lean == 1


def test_hiding_again_leaves_one_opening(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Hide): the first attack roll."""
    fight.do("hide strong", *["next"] * 4, "hide strong")
    assert len([e for e in fight["brannoc"].effects if e.name == "unseen"]) == 1


def test_nobody_hides_through_a_rest(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Hide): over when one makes oneself known."""
    fight.do("hide strong", "bestow mira invisible until removed", "end")
    assert fight.effects("brannoc") == {"invisible", "unseen"}
    fight.do("rest short")
    assert (fight.effects("brannoc"), fight.effects("mira")) == (set(), {"invisible"})


def test_an_opportunity_attack_is_a_strike_with_the_reaction(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Opportunity Attack)."""
    fight.do("next", "next", "react opportunity-attack ghoul-1 strong 6 slashing by brannoc")
    assert fight.track("ghoul-1", "hp") == 14
    assert fight.track("brannoc", "reaction") == 0
    assert fight.shown["turn"] == "ghoul-1"


def test_retaliate_inflicts_one_fatigue(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Retaliate)."""
    fight.do("react retaliate ghoul-2 by brannoc")
    assert fight.fatigue("ghoul-2") == (1, 0)
    assert fight.track("brannoc", "reaction") == 0


@pytest.mark.parametrize("attacks", [["strong 12"], ["miss"], ["weak 8"], ["weak fatigue"]])
def test_no_retaliation_for_an_attack_that_was_no_weak_hit_with_damage(
    fight: Fight, attacks: list[str]
) -> None:
    """Monsters & Magic, Basic Techniques (Retaliate): somebody's weak hit, which deals damage. AC
    4."""
    fight.do("next", "next", *(f"strike brannoc {how}" for how in attacks))
    fight.refuses("react retaliate ghoul-1 by brannoc", "answers a weak hit that does damage")
    assert fight.track("brannoc", "reaction") == 1


def test_retaliation_may_come_after_the_next_attack_of_the_turn(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Retaliate): the weak hit came before, in the same
    turn."""
    fight.do("next", "next", "strike brannoc weak 12", "strike brannoc strong 12")
    fight.do("react retaliate ghoul-1 by brannoc")
    assert fight.fatigue("ghoul-1") == (1, 0)


def test_retaliation_for_a_hit_that_a_thread_has_made_weak(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Retaliate), Threads of Fate."""
    fight.do("next", "next", "strike brannoc natural 16 12", "thread brannoc bend-luck")
    fight.do("react retaliate ghoul-1 by brannoc")
    assert fight.fatigue("ghoul-1") == (1, 0)


@pytest.mark.parametrize(
    ("said", "command"),
    [
        (
            "opportunity-attack ghoul-1 strong 6 by mira",
            "react opportunity-attack ghoul-1 strong 6 by mira",
        ),
        (
            "Opportunity Attack ghoul-1 strong 6 by mira",
            "react opportunity-attack ghoul-1 strong 6 by mira",
        ),
        ("retaliate ghoul-1 by mira", "react retaliate ghoul-1 by mira"),
        ("use-item potion", "use potion"),
        ("retrieve-item rope", "retrieve rope"),
        ("cast-a-spell frost", "cast frost"),
    ],
)
def test_a_technique_may_be_called_what_the_rules_call_it(
    fight: Fight, said: str, command: str
) -> None:
    """Monsters & Magic, Basic Techniques: the names of the table."""
    before = fight.shown["combatants"]
    called = fight.do(said).shown["combatants"]
    assert called != before
    assert fight.do("undo", command).shown["combatants"] == called


def test_a_spell_attack_adds_spell(new_fight: type[Fight]) -> None:
    """Monsters & Magic, Attacking & Dealing Damage: +SPELL for spell attacks."""
    fight = new_fight(
        "add pc Ash hp 20 spell 3 pb 1", "add monster Rat hp 9", "init 1 9", "init rat 3", "start"
    )
    fight.do('cast "fire bolt" ap 2 at rat natural 14 6 fire')
    assert (fight.rolled.total, fight.outcome) == (18, "strong")
    assert (fight.track("rat", "hp"), fight.track("ash", "ap")) == (3, 1)


def test_what_hangs_on_concentration_ends_with_it(fight: Fight) -> None:
    """When concentration breaks, the effects that hang on it end."""
    fight.do("concentrate fog", "inflict ghoul-1 blinded concentrating fog")
    assert fight.effects("ghoul-1") == {"blinded"}
    fight.do(*["next"] * 5)
    assert fight.effects("ghoul-1") == set()


def test_concentration_is_kept_up_turn_by_turn(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Concentrate on a Spell)."""
    fight.do("concentrate fog", "inflict ghoul-1 blinded concentrating fog", *["next"] * 4)
    fight.do("concentrate fog", *["next"] * 4)
    assert fight.effects("ghoul-1") == {"blinded"}
    fight.do("damage brannoc 99")
    assert fight.effects("ghoul-1") == set()
    assert "concentrating" not in fight.effects("brannoc")
