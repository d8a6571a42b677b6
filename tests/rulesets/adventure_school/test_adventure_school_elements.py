"""What effects do to one another, and damage of a type to them, as their rows say it."""

import pytest
from msgspec.structs import replace
from tests.core.conftest import BARE, Play

from affray.core.engine.effects import active_effects
from affray.core.engine.state import Combatant, Effect, Encounter
from affray.core.rules.ruleset import Command
from affray.core.rules.tables import read_tables
from affray.mechanics.conditions import begin_effect
from affray.rulesets.adventure_school.conditions import kept_off_by
from affray.rulesets.adventure_school.damage import halved_by, transform, with_added

ROWS = {
    "effects": {
        "alight": {"keeps_off": ["stiff"], "ended_by": {"cold": [], "water": []}},
        "wet": {
            "keeps_off": ["alight"],
            "ended_by": {"fire": [], "cold": ["stiff"]},
            "adds_damage": {"lightning": "fire"},
            "half_damage": ["fire"],
        },
        "stiff": {"keeps_off": ["alight"], "ended_by": {"fire": ["wet", "cool"]}},
        "cool": {"ended_by": {"fire": []}},
        "drenched": {"implies": ["wet"]},
        "stony": {"half_damage": ["all"]},
    }
}
TABLES = read_tables(ROWS)


def _lay(ctx, words):
    who, name = words.combatant().id, str(words.next("an effect"))
    begin_effect(ctx, who, name)


def _strike(ctx, words):
    who = words.combatant().id
    transform(ctx, who, words.rest().split())


COMMANDS = (
    Command("lay", "lay NAME EFFECT", "", _lay),
    Command("hit", "hit NAME TYPE ...", "", _strike),
)


GAME = replace(BARE, tables=TABLES, commands={command.name: command for command in COMMANDS})


@pytest.fixture
def play():
    fight = Play()
    fight.ruleset = GAME
    fight("add pc Odo")
    return fight


def has(play):
    return [effect.name for effect in play.who("odo").effects]


def force(*names):
    effects = tuple(Effect(name, name, "condition") for name in names)
    odo = Combatant("odo", "Odo", "party", "pc", effects=effects)
    return active_effects(TABLES, Encounter(combatants=(odo,)), odo)


def test_what_is_in_force_keeps_other_effects_off_be_it_implied():
    assert kept_off_by(TABLES, force("cool", "wet"), "alight") == "wet"
    assert kept_off_by(TABLES, force("drenched"), "alight") == "wet"
    assert kept_off_by(TABLES, force("alight"), "wet") == ""


def test_a_new_effect_puts_out_what_it_keeps_off(play):
    play("lay odo alight", "lay odo cool")
    assert has(play) == ["alight", "cool"]
    play("lay odo drenched")
    assert has(play) == ["cool", "drenched"]


def test_damage_of_a_type_ends_what_it_ends_and_every_instance_of_it(play):
    play("lay odo wet", "lay odo wet", "lay odo cool", "hit odo slashing water")
    assert has(play) == ["wet", "wet", "cool"]
    play("hit odo fire")
    assert has(play) == []


def test_what_comes_in_place_of_what_ended_begins_once_and_stays(play):
    play("lay odo wet", "lay odo stiff", "hit odo fire")
    assert has(play) == ["wet", "cool"]
    play("hit odo acid cold")
    assert has(play) == ["cool", "stiff"]


def test_damage_comes_on_top_of_damage_once_from_what_fell():
    wet = force("wet", "drenched")
    assert with_added(TABLES, wet, {"lightning": 6}) == {"lightning": 6, "fire": 6}
    assert with_added(TABLES, wet, {"lightning": 6, "fire": 3}) == {"lightning": 6, "fire": 9}
    assert with_added(TABLES, wet, {"lightning": 0, "acid": 2}) == {"lightning": 0, "acid": 2}
    assert with_added(TABLES, force("cool"), {"lightning": 6}) == {"lightning": 6}


def test_half_of_a_type_or_of_all_is_taken():
    assert halved_by(TABLES, force("cool", "wet"), "fire") == "wet"
    assert halved_by(TABLES, force("wet"), "cold") == ""
    assert (halved_by(TABLES, force("stony"), "cold"), halved_by(TABLES, force("stony"), "")) == (
        "stony",
        "stony",
    )
