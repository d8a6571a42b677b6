"""The actions for oneself and for others. Orcus, Actions in Combat."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from tests.rulesets.orcus.conftest import ORDER

if TYPE_CHECKING:
    from tests.rulesets.orcus.conftest import Fight

NewFight = Callable[..., "Fight"]
FOX = "add monster Fox hp 10 companion of brannoc"


# -- Help ---------------------------------------------------------------------------------------


def test_help_attack_counts_for_the_next_attack_on_that_enemy(fight: Fight) -> None:
    """Orcus, Help Attack. 8 + 8 + 2 against one, 8 + 8 against the other."""
    fight.do("help-attack mira goblin-1", "next", "attack goblin-2 natural 2 5")
    assert fight.rolled.total == 10
    fight.do("undo", "attack goblin-1 natural 2 5")
    assert fight.rolled.total == 12
    assert "helped-attack" not in fight.effects("mira")


def test_help_defense_counts_against_the_next_attack_of_that_enemy(fight: Fight) -> None:
    """Orcus, Help Defense. AC 15 is 17 for one attack."""
    fight.do("help-defense mira goblin-1", "next", "next", "attack mira natural 10 5")
    assert (fight.rolled.dc, fight.outcome) == (17, "miss")
    assert "helped-defense" not in fight.effects("mira")
    fight.do("undo", "next", "attack mira natural 10 5")  # by another, that is
    assert fight.rolled.dc == 15
    assert "helped-defense" in fight.effects("mira")


@pytest.mark.parametrize("name", ["help-attack", "help-defense"])
def test_help_that_is_not_used_ends_with_the_helpers_next_turn(fight: Fight, name: str) -> None:
    """Orcus, Help Attack, Help Defense."""
    fight.do(f"{name} mira goblin-1", "next", "next", "next", "next")
    assert fight.state.turn == "brannoc" and len(fight["mira"].effects) == 1
    assert not fight.do("next")["mira"].effects


def test_nobody_helps_themself(fight: Fight) -> None:
    """Orcus, Help Attack (a friendly creature)."""
    fight.refuses("help-attack brannoc goblin-1", "another")
    fight.refuses("aid-another brannoc", "another")


# -- Rally, Total Defense -----------------------------------------------------------------------


def test_rally_spends_a_recovery_and_guards(fight: Fight) -> None:
    """Orcus, Rally. A quarter of 44 is 11."""
    fight.do("set brannoc hp 20", "rally")
    assert (fight.hp("brannoc"), fight.track("brannoc", "recoveries")) == (31, 7)
    assert [fight.total("brannoc", d) for d in ("ac", "fortitude", "reflex", "will")] == [
        20, 18, 16, 15,
    ]  # fmt: skip
    fight.do("next", "next", "next")
    assert fight.total("brannoc", "ac") == 20
    assert fight.do("next").total("brannoc", "ac") == 18


def test_rally_once_an_encounter(fight: Fight) -> None:
    """Orcus, Rally."""
    fight.do("set brannoc hp 20", "rally", "next", "next", "next", "next").refuses("rally", "once")
    fight.do("end", *ORDER)
    assert fight.do("rally by brannoc").hp("brannoc") == 42


def test_only_player_characters_rally(fight: Fight) -> None:
    """Orcus, Rally."""
    fight.do("next", "next").refuses("rally", "only player characters")


def test_rally_needs_a_recovery(fight: Fight) -> None:
    """Orcus, Rally, Recoveries."""
    fight.do("set brannoc recoveries 0").refuses("rally", "no recoveries")


def test_rally_may_heal_a_companion_as_well(usual: NewFight) -> None:
    """Orcus, Companions (a second recovery heals it by the owner's recovery value)."""
    fight = usual(more=(FOX, "init fox 17"))
    fight.do("set brannoc hp 20", "set fox hp 1").refuses("rally with mira", "no companion")
    fight.do("rally with fox")
    assert fight.track("brannoc", "recoveries") == 6
    assert (fight.hp("brannoc"), fight.hp("fox")) == (31, 10)


def test_total_defense_until_the_next_turn(fight: Fight) -> None:
    """Orcus, Total Defense."""
    fight.do("total-defense")
    assert (fight.total("brannoc", "ac"), fight.total("brannoc", "will")) == (20, 15)
    assert fight.do("next", "next", "next", "next").total("brannoc", "ac") == 18


def test_rally_and_total_defense_add_up(fight: Fight) -> None:
    """Orcus, Stacking (untyped modifiers)."""
    fight.do("set brannoc hp 20", "rally", "action-point", "total-defense")
    assert fight.total("brannoc", "ac") == 22


# -- Treat Ally ---------------------------------------------------------------------------------


def test_first_aid_stabilises_the_dying(fight: Fight) -> None:
    """Orcus, Treat Ally (First Aid, Heal DC 15). Mira's Heal is 7."""
    fight.do("next").refuses("treat-ally brannoc first-aid hit", "not dying")
    fight.do("damage brannoc 50", "treat-ally brannoc first-aid natural 7")
    assert (fight.outcome, fight["brannoc"].life) == ("failure", "dying")
    fight.do("undo", "treat-ally brannoc first-aid natural 8")
    assert (fight.rolled.dc, fight["brannoc"].life) == (15, "stable")


def test_treating_may_ease_one_save_later(fight: Fight) -> None:
    """Orcus, Treat Ally (Additional Saving Throw)."""
    fight.do("inflict mira dazed,blinded save ends", "inflict mira slowed save ends")
    fight.do("treat-ally mira save hit later")
    fight.do("next", "save mira slowed natural 8")
    assert (fight.rolled.total, fight.outcome) == (10, "success")
    fight.do("save mira dazed natural 8")
    assert (fight.rolled.total, fight.outcome) == (8, "failure")


def test_the_eased_save_is_one_at_the_end_of_the_next_turn(fight: Fight) -> None:
    """Orcus, Treat Ally (Additional Saving Throw). No save before it uses it up."""
    fight.do("inflict mira dazed save ends", "inflict mira slowed save ends")
    fight.do("treat-ally mira save hit later", "save mira dazed natural 8")
    assert (fight.rolled.total, fight.outcome) == (8, "failure")
    fight.do("next", "save mira slowed natural 8")
    assert (fight.rolled.total, fight.outcome) == (10, "success")


def test_a_death_save_at_the_start_of_the_turn_is_not_the_eased_one(fight: Fight) -> None:
    """Orcus, Treat Ally (a saving throw at the end of their next turn), Death Saving Throws."""
    fight.do("damage mira 32", "inflict mira slowed save ends", "treat-ally mira save hit later")
    fight.do("next", "death mira natural 9")
    assert (fight.rolled.total, fight.outcome) == (9, "failure")
    fight.do("save mira slowed natural 8")
    assert (fight.rolled.total, fight.outcome) == (10, "success")


def test_the_eased_save_is_lost_with_the_turn(fight: Fight) -> None:
    """Orcus, Treat Ally (at the end of its next turn)."""
    fight.do("treat-ally mira save hit later", "next")
    assert fight.effects("mira") == {"treated"}
    assert not fight.do("next").effects("mira")


def test_treating_may_give_a_save_right_away(fight: Fight) -> None:
    """Orcus, Treat Ally (Additional Saving Throw)."""
    fight.do("inflict mira slowed save ends", "treat-ally mira save hit", "save mira success")
    assert "slowed" not in fight.effects("mira")


def test_treating_a_wound_uses_the_allys_rally_without_its_defence(fight: Fight) -> None:
    """Orcus, Treat Ally (Treat Wound, DC 10), Rally."""
    fight.do("set mira hp 10", "treat-ally mira wound natural 10")
    assert fight.rolled.dc == 10
    assert (fight.hp("mira"), fight.track("mira", "recoveries")) == (17, 5)
    assert fight.total("mira", "ac") == 15
    fight.do("next").refuses("rally", "once")


def test_a_wound_is_not_treated_where_the_rally_is_gone(fight: Fight) -> None:
    """Orcus, Treat Ally (Treat Wound)."""
    fight.do("set brannoc hp 20", "rally", "next").refuses(
        "treat-ally brannoc wound hit", "rallied"
    )
