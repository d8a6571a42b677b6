"""What effects of a campaign do to one another, and damage to them, where a game plays by it."""

from __future__ import annotations

import pytest
from tests.house.playing import HouseFight, ruleset_with

from affray.core.parser.errors import Refused

ROWS = """
[effects.oiled]
modifiers = { speed = -10 }
adds_damage = { fire = "fire" }
ended_by = { water = [], fire = ["burning-oil"] }
text = "Slippery, and fire takes to it."

[effects.burning-oil]
half_damage = ["cold"]
keeps_off = ["frozen", "oiled"]
"""


@pytest.fixture
def fight() -> HouseFight:
    fight = HouseFight(ruleset_with("adventure-school", ROWS))
    fight.do("add monster Ghoul hp 60 ac 13")
    return fight


def test_a_campaigns_effects_turn_into_one_another(fight: HouseFight) -> None:
    fight.do("inflict ghoul oiled", "damage ghoul 7 fire")
    assert (fight.track("ghoul", "hp"), fight.effects("ghoul")) == (46, {"burning-oil"})
    fight.do("damage ghoul 7 cold")
    assert fight.track("ghoul", "hp") == 42
    assert "can't be oiled: burning-oil" in fight.refused("inflict ghoul oiled")
    assert "can't be frozen: burning-oil" in fight.refused("inflict ghoul frozen")


def test_a_campaigns_effect_puts_out_what_it_keeps_off(fight: HouseFight) -> None:
    fight.do("inflict ghoul oiled,frozen", "inflict ghoul burning-oil")
    assert fight.effects("ghoul") == {"burning-oil"}


def test_water_ends_it_and_leaves_nothing(fight: HouseFight) -> None:
    fight.do("inflict ghoul oiled", "damage ghoul 7 water")
    assert (fight.track("ghoul", "hp"), fight.effects("ghoul")) == (53, set())


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"half_damage": ["fier"]}, "half_damage: 'fier' is no damage type; did you mean fire"),
        ({"ended_by": {"fier": []}}, "ended_by: 'fier' is no damage type; did you mean fire"),
        ({"ended_by": {"fire": ["soked"]}}, "ended_by: 'soked' is not used there"),
        ({"adds_damage": {"fire": "clod"}}, "adds_damage: 'clod' is not used there"),
        ({"keeps_off": ["burnin"]}, "keeps_off: 'burnin' is no effect"),
    ],
)
def test_a_word_that_means_nothing_is_refused(row: dict[str, object], told: str) -> None:
    with pytest.raises(Refused) as refusal:
        ruleset_with("adventure-school", {"effects": {"oiled": row}})
    assert refusal.value.message.startswith(f"[effects.oiled] {told}")


def test_a_game_without_elements_refuses_them() -> None:
    with pytest.raises(Refused, match="Orcus has no such field"):
        ruleset_with("orcus", {"effects": {"oiled": {"half_damage": ["fire"]}}})
