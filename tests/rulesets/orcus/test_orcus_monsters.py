"""Monsters with all that is on their sheet: what attacks bring besides damage, powers with a text.

Orcus, Damage, Critical Hits, Duration, Saving Throws, Glossary (Refresh).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.rulesets.orcus.conftest import Fight

OOZE = (
    "add monster Ooze hp 50 ac 15 attack slam +7 vs ac 1d8+3 acid plus 1d6 fire"
    " inflicts slowed,dazed save-ends inflicts marked user-end"
    ' power "Dark Spit" refresh 5 +9 vs reflex 1d8 acid ranged half inflicts persistent 5 acid'
    ' text "It never dries."'
    ' power Stench at-will free text "Whoever starts a turn beside it gags."'
)
MIRA = "add pc Mira hp 40 ac 15 ref 14 resist fire 3 vulnerable acid 2"


@pytest.fixture
def ooze(new_fight: Callable[..., Fight]) -> Fight:
    """The ooze is up, then Mira, then Odo."""
    odo = "add pc Odo hp 30 ac 13 ref 12"
    return new_fight(OOZE, MIRA, odo, "init ooze 20", "init mira 10", "init odo 5", "start")


def test_each_type_of_damage_meets_its_own_resistance(ooze: Fight) -> None:
    """Orcus, Damage Resistance and Vulnerability: 8 acid and 2 more, 6 fire less 3."""
    ooze.do("attack mira natural 15", faces=(5, 6))
    assert ooze.track("mira", "hp") == 40 - 10 - 3


def test_a_critical_hit_is_the_most_of_all_dice(ooze: Fight) -> None:
    """Orcus, Critical Hits: 11 acid and 6 fire."""
    ooze.do("attack odo natural 20")
    assert ooze.track("odo", "hp") == 30 - 17


def test_damage_is_rolled_once_for_all_targets(ooze: Fight) -> None:
    ooze.do("attack mira,odo hit,hit", faces=(5, 6))
    assert (ooze.track("mira", "hp"), ooze.track("odo", "hp")) == (27, 16)


def test_what_is_called_out_is_all_that_falls(ooze: Fight) -> None:
    ooze.do("attack odo hit 9")
    assert ooze.track("odo", "hp") == 21
    ooze.do("undo", "attack odo hit 9 acid 4 fire")
    assert ooze.track("odo", "hp") == 17


def test_what_one_attack_brings_shares_a_save(ooze: Fight) -> None:
    """Orcus, Saving Throws; a mark lasts until the end of the attacker's next turn."""
    ooze.do("attack odo hit 9")
    assert ooze.until("odo", "marked") == "end of ooze's next turn"
    ooze.do("next", "next", "save odo slowed success", "next")
    assert ooze.effects("odo") == {"marked"}


def test_a_miss_inflicts_nothing_even_where_it_deals_half(ooze: Fight) -> None:
    ooze.do('power "Dark Spit" odo miss 9')
    assert ooze.track("odo", "hp") == 30 - 4
    assert ooze.effects("odo") == set()


def test_a_powers_text_is_told_and_what_it_inflicts_lasts(ooze: Fight) -> None:
    """Orcus, Persistent damage: a save ends it, where nothing else is said."""
    ooze.do('power "Dark Spit" odo hit 9')
    assert "never dries" in str(ooze.events)
    assert ooze.until("odo", "persistent") == "until saved against"
    ooze.do("next", "next")
    assert ooze.track("odo", "hp") == 30 - 9 - 5


def test_the_dead_get_no_conditions(ooze: Fight) -> None:
    ooze.do("add monster Rat mook ac 9", "attack rat hit 3 acid", faces=(4,))
    assert ooze["rat"].life == "dead"
    assert "slowed" not in {effect.name for effect in ooze["rat"].effects}


def test_a_trait_is_a_power_that_is_told(ooze: Fight) -> None:
    ooze.do("power stench")
    assert "gags" in str(ooze.events)
    own = ooze.ruleset.actions.own_options(ooze.ruleset.tables, ooze.state, ooze["ooze"])
    told = next(option for option in own if option.name == "Stench")
    assert "gags" in told.text


def test_an_undo_takes_back_all_that_a_hit_brought(ooze: Fight) -> None:
    before = ooze.state
    ooze.do("attack odo hit 9", "undo")
    assert ooze.state == before
