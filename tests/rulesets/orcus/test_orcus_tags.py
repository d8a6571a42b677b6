"""Powers by their tags: what a critical hit gives, whom a psyche power reaches, psi focus, forms.

Orcus, Tags, Keywords, Action Required (Trigger).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from affray.core.engine.events import Rolled

if TYPE_CHECKING:
    from tests.rulesets.orcus.conftest import Fight

NewFight = Callable[..., "Fight"]
POWERS = (
    "psi-focus languages common"
    " power Outwit encounter tactical +7 vs will"
    " power Sidestep at-will maneuver +7 vs reflex"
    " power Jest encounter psyche +7 vs will"
    " power Taunt at-will psyche swift +7 vs will"
    ' power "Heavy Blow" at-will weapon +7 vs ac 2d8+4'
    ' power "Fire Bolt" at-will tags fire,arcane +7 vs reflex 1d10 fire ranged'
    " power Prayer at-will move +7 vs will 1d6 radiant"
    ' power "Mind Thrust" daily augmentable +7 vs will 1d10 psychic'
    ' power "Bear Shape" daily swift form power Maul encounter wild-shape +7 vs ac 2d6'
    ' power Riposte encounter counter trigger "an enemy misses you" +7 vs ac 1d8'
)


@pytest.fixture
def armed(usual: NewFight) -> Fight:
    """The usual fight; Brannoc has powers with tags."""
    return usual(POWERS)


def attack_total(fight: Fight) -> int | None:
    """What the last attack roll came to."""
    return next(e.total for e in fight.events if isinstance(e, Rolled) and e.dc is not None)


# -- criticals without damage ----------------------------------------------------------------------


@pytest.mark.parametrize("power", ["Outwit", "Sidestep"])
@pytest.mark.parametrize(
    ("line", "total"),
    [
        ("attack goblin-1 natural 5 3", 14),  # a basic attack is made with a weapon
        ('power "Heavy Blow" goblin-1 natural 5 3', 14),
        ('power "Fire Bolt" goblin-1 natural 5 3', 12),
        ("power Taunt goblin-1 natural 5", 12),
        ("shove goblin-1 natural 5", 5),
    ],
)
def test_a_critical_maneuver_or_tactical_power_helps_the_next_one_or_a_weapon(
    armed: Fight, power: str, line: str, total: int
) -> None:
    """Orcus, Maneuver, Tactical (+2 power bonus)."""
    armed.do(f"power {power} goblin-1 natural 20", "action-point", line)
    assert attack_total(armed) == total


def test_the_edge_of_a_tactical_power_goes_with_tactical_powers(armed: Fight) -> None:
    """Orcus, Tactical, Maneuver: each with its own tag."""
    armed.do("power Outwit goblin-1 crit", "action-point", "power Sidestep goblin-1 natural 5")
    assert attack_total(armed) == 12
    assert "tactical-edge" in armed.effects("brannoc")


def test_a_critical_psyche_power_helps_the_next_psyche_power_by_4(armed: Fight) -> None:
    """Orcus, Psyche."""
    armed.do("power Jest goblin-1 crit", "action-point", "attack goblin-1 natural 5 3")
    assert attack_total(armed) == 12
    armed.do("power Taunt goblin-1 natural 5")
    assert attack_total(armed) == 16
    assert "psyche-edge" not in armed.effects("brannoc")


def test_the_edge_is_used_up_by_one_roll_hit_or_miss(armed: Fight) -> None:
    """Orcus, Tactical (your next attack roll)."""
    armed.do("power Outwit goblin-1 crit", "action-point", "attack goblin-1,goblin-2 natural 2,2 3")
    totals = [e.total for e in armed.events if isinstance(e, Rolled) and e.dc is not None]
    assert totals == [11, 9]
    assert armed.effects("brannoc") == set()


def test_it_is_a_power_bonus(armed: Fight) -> None:
    """Orcus, Stacking."""
    armed.do("modifier brannoc +1 attack power until fight", "power Outwit goblin-1 crit")
    armed.do("action-point", "attack goblin-1 natural 5 3")
    assert attack_total(armed) == 14


def test_the_edge_ends_with_the_encounter(armed: Fight) -> None:
    """Orcus, Tactical (in that same encounter)."""
    armed.do("power Outwit goblin-1 crit", "end")
    assert armed.effects("brannoc") == set()


@pytest.mark.parametrize(
    "line", ["power Outwit goblin-1 hit", 'power "Heavy Blow" goblin-1 crit 20']
)
def test_only_criticals_of_powers_without_damage_give_it(armed: Fight, line: str) -> None:
    """Orcus, Tactical, Critical Hits."""
    assert armed.do(line).effects("brannoc") == set()


# -- psyche ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("trouble", "words", "why"),
    [
        (["inflict goblin-1 deafened"], "", "is deafened"),
        ([], "no-language", "doesn't understand"),
        (["set goblin-1 languages goblin"], "", "doesn't understand"),
        (["set goblin-1 mindless 1"], "", "has no mind of its own"),
    ],
)
def test_a_psyche_power_that_can_not_work_is_not_expended(
    new_fight: NewFight, trouble: list[str], words: str, why: str
) -> None:
    """Orcus, Psyche. The action is gone: it was attempted."""
    fight = new_fight(
        f"add pc Brannoc hp 44 {POWERS}",
        f"add monster Goblin hp 26 {'mindless' if 'mindless' in str(trouble) else ''}"
        f" {'languages dwarvish' if 'languages' in str(trouble) else ''}",
        "init brannoc 17",
        "init goblin 5",
        "start",
        *(line.replace("goblin-1", "goblin") for line in trouble),
        f"power Jest goblin hit {words}",
    )
    assert fight.shown["undo"] == f"Brannoc uses Jest without success; Goblin {why}"
    assert "expended" not in fight.reason("brannoc", "power Jest")
    assert fight.actions("brannoc") == (0, 1, 1)
    assert not any(isinstance(event, Rolled) for event in fight.events)


def test_whom_it_reaches_it_reaches_and_then_it_is_expended(armed: Fight) -> None:
    """Orcus, Psyche."""
    armed.do("inflict goblin-1 deafened", "power Jest goblin-1,goblin-2 natural 9,10")
    rolls = [e for e in armed.events if isinstance(e, Rolled)]
    assert [(e.against, e.natural) for e in rolls] == [("goblin-2", 10)]
    assert "expended" in armed.reason("brannoc", "power Jest")


def test_other_powers_do_not_ask_for_ears(armed: Fight) -> None:
    """Orcus, Psyche, Deafened."""
    armed.do("inflict goblin-1 deafened", "power Outwit goblin-1 hit")
    assert "expended" in armed.reason("brannoc", "power Outwit")
    armed.refuses("power Prayer goblin-1 hit 3 no-language", "no-language")


# -- bonuses for some attacks ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limit", "line", "total"),
    [
        ("fire", 'power "Fire Bolt" goblin-1 natural 5 3', 14),
        ("arcane", 'power "Fire Bolt" goblin-1 natural 5 3', 14),
        ("ranged", 'power "Fire Bolt" goblin-1 natural 5 3', 14),
        ("radiant", "power Prayer goblin-1 natural 5 3", 14),  # by its type of damage
        ("cold", "power Prayer goblin-1 natural 5 3", 12),
        ("cold,radiant", "power Prayer goblin-1 natural 5 3", 14),
        ("fire", "attack goblin-1 natural 5 3 fire", 14),  # as it is called out
        ("weapon", "attack goblin-1 natural 5 3", 14),
        ("weapon", "power Prayer goblin-1 natural 5 3", 12),
    ],
)
def test_a_bonus_may_be_for_attacks_of_a_tag_or_type(
    armed: Fight, limit: str, line: str, total: int
) -> None:
    """Orcus, Tags (a +2 bonus on attack rolls with fire powers)."""
    armed.do(f"modifier brannoc +2 attack with {limit} until fight", line)
    assert attack_total(armed) == total
    assert armed.total("brannoc", "attack") == 0  # for attacks in general it is none


def test_damage_may_be_so_limited_and_is_added_to_dice(armed: Fight) -> None:
    """Orcus, Tags, Damage Rolls."""
    armed.do("modifier brannoc +3 damage with fire feat until fight")
    armed.do('power "Fire Bolt" goblin-1 hit', faces=[4])
    assert armed.hp("goblin-1") == 26 - 7
    armed.do("power Prayer goblin-1 hit", faces=[4])
    assert armed.hp("goblin-1") == 26 - 7 - 4


def test_until_used_it_waits_for_such_an_attack(armed: Fight) -> None:
    """Orcus, Tags."""
    armed.do("modifier brannoc +2 attack with fire until used", "power Prayer goblin-1 natural 5 3")
    assert "modifier" in armed.effects("brannoc")
    armed.do('power "Fire Bolt" goblin-1 natural 5 3')
    assert "modifier" not in armed.effects("brannoc")


def test_why_tells_with_what_it_counts(armed: Fight) -> None:
    """Orcus, Tags, Modifiers."""
    armed.do('modifier brannoc +2 attack with fire,cold power until fight "the brand"')
    assert ("(+2)", "the brand, with fire or cold") in armed.why("brannoc", "attack")
    assert armed.shown["undo"] == "Brannoc: +2 attack with fire or cold (power)"
    (effect,) = armed.who("brannoc")["effects"]
    assert (effect["only_with"], effect["type"]) == (["fire", "cold"], "power")


@pytest.mark.parametrize("what", ["ac", "save", "attack,ac", "defenses"])
def test_defences_go_with_no_tag(armed: Fight, what: str) -> None:
    """Orcus, Tags."""
    armed.refuses(f"modifier brannoc +2 {what} with fire until fight", "only attack and damage")


def test_a_stance_may_be_limited_too(armed: Fight) -> None:
    """Orcus, Stance, Tags."""
    armed.do('stance "Cinder Dance" +1 attack with fire', 'power "Fire Bolt" goblin-1 natural 5 3')
    assert attack_total(armed) == 13


# -- psi focus -------------------------------------------------------------------------------------


def test_augmenting_expends_the_psi_focus(armed: Fight) -> None:
    """Orcus, Augmentable."""
    armed.do('power "Mind Thrust" augmented goblin-1 hit 8')
    assert armed.track("brannoc", "psi_focus") == 0
    assert armed.shown["undo"].endswith("hit 8, augmented")
    armed.do("undo", 'power "Mind Thrust" goblin-1 hit 8')
    assert armed.track("brannoc", "psi_focus") == 1


def test_nothing_is_augmented_without_focus_or_without_the_tag(armed: Fight) -> None:
    """Orcus, Augmentable."""
    armed.refuses('power "Heavy Blow" augmented goblin-1 hit 8', "can't be augmented")
    armed.do("set brannoc psi_focus 0")
    armed.refuses('power "Mind Thrust" augmented goblin-1 hit 8', "no psi focus")
    assert "psi_focus" not in armed.who("mira")["tracks"]


def test_a_use_that_is_refused_costs_no_focus(armed: Fight) -> None:
    """Orcus, Augmentable, Power Category and Frequency."""
    armed.do("attack goblin-1 miss")
    armed.refuses('power "Mind Thrust" augmented goblin-1 hit 8', "standard action used")
    assert armed.track("brannoc", "psi_focus") == 1


# -- forms -----------------------------------------------------------------------------------------


def test_a_form_power_changes_the_shape(armed: Fight) -> None:
    """Orcus, Form."""
    armed.do('power "Bear Shape"')
    (form,) = armed.who("brannoc")["effects"]
    assert (form["name"], form["note"]) == ("form", "Bear Shape")
    assert armed.actions("brannoc") == (1, 1, 0)


def test_wild_shape_needs_a_form(armed: Fight) -> None:
    """Orcus, Wild Shape."""
    armed.refuses("power Maul goblin-1 hit 5", "only in its form")
    assert armed.reason("brannoc", "power Maul") == "only in its form"
    armed.do('power "Bear Shape"', "power Maul goblin-1 hit 5")
    assert armed.hp("goblin-1") == 21


def test_what_hangs_on_a_form_ends_with_it(armed: Fight) -> None:
    """Orcus, Wild Shape (all of them end as well)."""
    armed.do('power "Bear Shape"', 'modifier brannoc +2 ac while "Bear Shape"')
    assert armed.total("brannoc", "ac") == 20
    armed.do('drop "Bear Shape"')
    assert (armed.total("brannoc", "ac"), armed.effects("brannoc")) == (18, set())


def test_another_form_takes_the_place_of_the_one_before(armed: Fight) -> None:
    """Orcus, Form, as we read it: one body has one shape."""
    armed.do('form "Grey Wolf" +1 ac,reflex', "form Hawk +2 reflex power until fight")
    assert [e["note"] for e in armed.who("brannoc")["effects"]] == ["Hawk"]
    assert (armed.total("brannoc", "ac"), armed.total("brannoc", "reflex")) == (18, 16)


def test_a_form_may_rule_out_ranged_attacks(armed: Fight) -> None:
    """Orcus, Form (a brown bear can't make ranged attacks)."""
    armed.do('form "Brown Bear" no-ranged')
    message = 'power "Fire Bolt" goblin-1 hit 5'
    armed.refuses(message, "can't make ranged attacks")
    armed.refuses("attack goblin-1 hit 5 ranged", "can't make ranged attacks")
    armed.do("attack goblin-1 hit 5", 'drop "Brown Bear"', "action-point", message)
    assert armed.hp("goblin-1") == 16


# -- triggers --------------------------------------------------------------------------------------


def test_a_power_tells_its_attack_its_tags_and_its_trigger(armed: Fight) -> None:
    """Orcus, Action Required (Trigger), Tags."""
    own = armed.ruleset.actions.own_options(armed.ruleset.tables, armed.state, armed["brannoc"])
    texts = {option.name: option.text for option in own}
    assert texts["Riposte"] == (
        "encounter, counter action, +7 vs AC 1d8, when: an enemy misses you"
    )
    assert texts["Fire Bolt"] == (
        "at-will, standard action, +7 vs Ref 1d10 fire ranged, fire, arcane"
    )


@pytest.mark.parametrize(
    ("words", "saying"),
    [
        ("tags", "expected tags"),
        ("tags 5", "expected tags, such as fire,weapon, found '5'"),
        ("trigger", "expected the trigger"),
        ('trigger ""', "must have 1 to 80 characters"),
        ("psyche", "expected the frequency of Zap"),
        ("encounter tags fire 5 trigger", "expected the trigger"),
    ],
)
def test_a_power_said_badly_is_refused(new_fight: NewFight, words: str, saying: str) -> None:
    """Orcus, Power Description."""
    new_fight().refuses(f"add pc Odo hp 30 power Zap {words}", saying)


def test_tags_may_stand_behind_the_attack(new_fight: NewFight) -> None:
    """Orcus, Power Description."""
    lines = (
        "add pc Odo hp 30 power Zap encounter psyche tags charm +7 vs will 1d6 near half swift",
        "add pc Odo hp 30 power Zap encounter +7 vs will 1d6 near half swift psyche tags charm",
        "add pc Odo hp 30 power Zap psyche encounter +7 vs will 1d6 tags charm near swift half",
    )
    first, second, third = (new_fight(line)["odo"].stats["powers"] for line in lines)
    assert first == second == third
