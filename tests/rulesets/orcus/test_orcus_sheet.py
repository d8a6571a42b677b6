"""What `add` understands, and the numbers that follow from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from affray.core.engine.state import Combatant
from affray.mechanics import sheet as recorded
from affray.mechanics.sheet import owner_of
from affray.rulesets.orcus import sheet
from affray.rulesets.orcus.sheet import Attack, Power

if TYPE_CHECKING:
    from tests.rulesets.orcus.conftest import Fight

NewFight = Callable[..., "Fight"]


def test_the_numbers_of_a_character(gathered: Fight) -> None:
    """Orcus, Defenses, Initiative, Recoveries, Action Points."""
    brannoc = gathered["brannoc"]
    numbers = {name: brannoc.stats[name] for name in (*sheet.DEFENSES, "initiative", "speed")}
    assert numbers == {
        "ac": 18,
        "fortitude": 16,
        "reflex": 14,
        "will": 13,
        "initiative": 3,
        "speed": 6,
    }
    tracks = {name: (t.value, t.max) for name, t in brannoc.tracks.items()}
    assert tracks["hp"] == (44, 44)
    assert tracks["recoveries"] == (8, 8)
    assert tracks["action_points"] == (1, None)
    assert tracks["death_failures"] == tracks["death_successes"] == (0, 3)


def test_a_fourth_and_half_of_the_maximum_rounded_down(new_fight: NewFight) -> None:
    """Orcus, Recoveries (Recovery Value), Staggered, Rounding Fractions."""
    fight = new_fight("add pc Ash hp 27", "add pc Bo hp 44 value 13")
    assert sheet.recovery_value(fight["ash"]) == 6
    assert sheet.staggered_value(fight["ash"]) == 13
    assert sheet.recovery_value(fight["bo"]) == 13


def test_monsters_have_no_recoveries_points_or_death_saves(gathered: Fight) -> None:
    """Orcus, Action Points, Recoveries, Monsters and Death."""
    assert set(gathered["goblin-1"].tracks) == {
        "hp",
        "temp_hp",
        "standard",
        "move",
        "swift",
        "immediate",
    }


def test_an_important_monster_has_death_saves(new_fight: NewFight) -> None:
    """Orcus, Monsters and Death."""
    fight = new_fight("add monster Villain hp 60 important recoveries 2")
    assert sheet.has_death_saves(fight["villain"])
    assert {"death_failures", "recoveries"} <= set(fight["villain"].tracks)


def test_a_mook_has_one_hit_point(new_fight: NewFight) -> None:
    """Orcus, Monsters (Mook)."""
    fight = new_fight("add monster Rat x3 mook ac 12")
    assert [fight.hp(f"rat-{n}") for n in (1, 2, 3)] == [1, 1, 1]


def test_attacks_with_all_that_can_be_said_of_them(new_fight: NewFight) -> None:
    """Orcus, Making an Attack, Critical Hits."""
    fight = new_fight(
        "add pc Ash hp 20 attack Long Sword +7 vs ac 1d8+4 attack"
        ' "Fire Touch" +5 vs ref 2d6+1 fire near half extra 1d6 save 2'
    )
    assert sheet.attacks_of(fight["ash"]) == [
        Attack("Long Sword", 7, "ac", "1d8+4"),
        Attack("Fire Touch", 5, "reflex", "2d6+1", "fire", "near", True, "1d6"),
    ]
    assert fight["ash"].stats["save"] == 2


def test_powers_with_frequency_action_and_attack(new_fight: NewFight) -> None:
    """Orcus, Power Category and Frequency, Action Required, Consistent; Refresh."""
    fight = new_fight(
        'add pc Ash hp 20 power "Fire Burst" daily consistent +6 vs reflex 3d6+4 fire near half'
        " power Breath refresh 5 move power Wind encounter swift power Duck at-will counter"
    )
    burst, breath, wind, duck = sheet.powers_of(fight["ash"])
    attack = Attack("Fire Burst", 6, "reflex", "3d6+4", "fire", "near", True)
    assert burst == Power("Fire Burst", "daily", consistent=True, attack=attack)
    assert breath == Power("Breath", "refresh", "move", 5)
    assert wind == Power("Wind", "encounter", "swift")
    assert duck == Power("Duck", "at-will", "counter")


def test_resistances_may_be_repeated(new_fight: NewFight) -> None:
    """Orcus, Damage Resistance and Vulnerability."""
    fight = new_fight(
        "add monster Imp hp 9 resist fire 5 resist cold,acid 3 vulnerable radiant 4 immune poison"
    )
    assert sheet.amounts_of(fight["imp"], "resist") == {"fire": 5, "cold": 3, "acid": 3}
    assert sheet.amounts_of(fight["imp"], "vulnerable") == {"radiant": 4}
    assert recorded.stat_words(fight["imp"], "immune") == ("poison",)


def test_numbers_go_by_the_names_of_the_text_as_well(new_fight: NewFight) -> None:
    """Orcus, Action Points; Recovery Value; Damage Resistance and Vulnerability."""
    fight = new_fight(
        "add pc Odo hp 40 recoveries 2 recovery-value 12 action-points 2 resist 5 fire",
        "damage odo 25 fire",
        "recovery odo",
    )
    assert (fight.hp("odo"), fight.track("odo", "action_points")) == (32, 2)


def test_a_resistance_can_be_written_by_hand(new_fight: NewFight) -> None:
    """Orcus, Damage Resistance and Vulnerability."""
    fight = new_fight("add monster Imp hp 9 resist fire 5", "set imp resist cold 3, all 2")
    assert sheet.amounts_of(fight["imp"], "resist") == {"cold": 3, "all": 2}


def test_skills_stand_beside_the_other_numbers(gathered: Fight) -> None:
    """Orcus, Abilities."""
    assert gathered["mira"].number("bluff") == 9
    assert gathered["brannoc"].number("bluff") == 0


def test_hit_points_may_be_fewer_than_the_maximum(new_fight: NewFight) -> None:
    """Orcus, Hit Points."""
    assert new_fight("add pc Ash hp 12/44")["ash"].tracks["hp"].value == 12


@pytest.mark.parametrize(
    ("words", "saying"),
    [
        ("ac 12", "expected `hp`"),
        ("hp 9 hp 8", "given twice"),
        ("hp 9 fort 3 fortitude 4", "given twice"),
        ("hp 12/9", "out of range"),
        ("hp 0", "out of range"),
        ("hp nine", "whole number"),
        ("hp 9 resist fire", "the amount resisted"),
        ("hp 9 immune 5", "damage type"),
        ("hp 9 attack Claw vs ac 1d4", "attack bonus"),
        ("hp 9 attack Claw +2 vs dex 1d4", "a defence"),
        ("hp 9 attack Claw +2 vs ac 1d4 meele", "did you mean melee"),
        ("hp 9 attack Claw +2 vs ac 1d4 fier", "did you mean fire"),
        ("hp 9 attack Claw +2 vs ac 1dx", "sides"),
        ("hp 9 power Burst standard", "expected the frequency"),
        ("hp 9 power Burst dayly", "did you mean daily"),
        ("hp 9 power Burst refresh 7", "from 2 to 6"),
        ("hp 9 armour 3", "expected one of its numbers"),
        ("hp 9 companion of nobody", "nobody here"),
    ],
)
def test_what_add_turns_down(new_fight: NewFight, words: str, saying: str) -> None:
    """What is wrong is named, and what is close."""
    new_fight().refuses(f"add monster Imp {words}", saying)


@pytest.mark.parametrize(
    "stats",
    [
        {"attacks": "claw", "powers": 3, "resist": {"fire": 5}, "immune": 4, "owner": 7},
        {"attacks": [{"name": "a", "dice": "1d"}, 5, {"name": ""}, {"name": "x", "bonus": "y"}]},
        {"attacks": [{"name": "a", "defense": "luck"}, {"name": "a", "bonus": 10**12}]},
        {"powers": [{"name": "p", "attack": {"name": "a", "dice": "no"}}, "p", {"action": "nap"}]},
        {"resist": ["fire", "5", 7, None], "vulnerable": ["fire 99999999999"], "value": "many"},
    ],
)
def test_a_log_edited_by_hand_is_read_as_far_as_it_makes_sense(stats: dict[str, Any]) -> None:
    """Nothing in stats is ever a reason to fail."""
    odd = Combatant("odd", "Odd", "foes", "monster", stats)
    assert sheet.attacks_of(odd) == []
    assert sheet.powers_of(odd) == []
    assert recorded.stat_words(odd, "immune") == ()
    assert sheet.amounts_of(odd, "vulnerable") == {}
    assert owner_of(odd) == ""
    assert sheet.recovery_value(odd) == sheet.staggered_value(odd) == 0


def test_rows_of_the_bestiary_give_the_words(new_fight: NewFight) -> None:
    """A list of phrases stands for the word repeated."""
    from tests.fallen_dice import FallenDice

    from affray.core.commands.newcomers import _from_bestiary
    from affray.core.parser.tokens import TokenStream
    from affray.core.rules.ruleset import Context
    from affray.core.rules.tables import Tables

    fight = new_fight()
    row = {
        "hp": 20,
        "resist": ["fire 5", "cold 3"],
        "immune": ["poison", "psychic"],
        "attack": ["Claw +5 vs ac 1d6", '"Big Bite" +3 vs fort 2d6'],
        "power": '"Fire Breath" refresh 5 +4 vs reflex 2d6 fire near',
        "important": True,
        "text": "Not a number.",
    }
    tables = Tables(bestiary={"drake": row})
    ruleset = replace(fight.ruleset, tables=fight.ruleset.tables.merged(tables))
    ctx = Context(fight.state, ruleset, FallenDice([]))
    name, kind, words = _from_bestiary(ctx, "drake")
    stats, _ = sheet.Sheets().create(ctx, TokenStream(words, fight.state), kind)
    drake = Combatant("drake", name, "foes", "monster", stats)
    assert [attack.name for attack in sheet.attacks_of(drake)] == ["Claw", "Big Bite"]
    assert [power.name for power in sheet.powers_of(drake)] == ["Fire Breath"]
    assert sheet.amounts_of(drake, "resist") == {"fire": 5, "cold": 3}
    assert recorded.stat_words(drake, "immune") == ("poison", "psychic")
