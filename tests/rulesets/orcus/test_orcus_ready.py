"""Ready. Orcus, Ready, Initiative Consequences of Readying."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

if TYPE_CHECKING:
    from tests.rulesets.orcus.conftest import Fight

NewFight = Callable[..., "Fight"]
BURST = 'power "Fire Burst" encounter +6 vs reflex 3d6+4 fire near'


def order(fight: Fight) -> list[str]:
    """Who acts in which order."""
    return [slot.who for slot in fight.state.slots]


def test_readying_is_a_standard_action_whatever_is_readied(fight: Fight) -> None:
    """Orcus, Ready."""
    fight.do('ready walk "the door opens"')
    assert fight.actions("brannoc") == (0, 1, 1)
    assert fight["brannoc"].effects[0].note == "Walk: the door opens"


@pytest.mark.parametrize("what", ["drop-prone", "free", "release"])
def test_only_standard_move_and_swift_actions_are_readied(fight: Fight, what: str) -> None:
    """Orcus, Ready."""
    fight.refuses(f"ready {what}", "free action")
    fight.refuses("ready opportunity-attack", "expected an action")


def test_a_power_that_is_an_immediate_action_is_not_readied(usual: NewFight) -> None:
    """Orcus, Ready, Immediate Actions."""
    fight = usual('power "Not So Fast" encounter react +8 vs ac 1d10+3')
    fight.refuses('ready power "Not So Fast"', "immediate actions can't be readied")


def test_one_readies_one_action(fight: Fight) -> None:
    """Orcus, Ready."""
    fight.do("ready attack", "action-point").refuses("ready walk", "already")


def test_of_several_who_are_ready_it_must_be_said_who_goes(fight: Fight) -> None:
    """Orcus, Ready."""
    fight.refuses("trigger", "nobody has an action readied")
    fight.do("ready attack", "next", "ready attack", "next")
    fight.refuses(
        "trigger goblin-1 hit 5", "several have readied: say which with `by` brannoc or mira"
    )
    fight.do("trigger goblin-1 hit 5 by mira").do("trigger goblin-1 hit 5")
    assert fight.hp("goblin-1") == 16


def test_it_waits_until_the_turn_is_over(fight: Fight) -> None:
    """Orcus, Ready (after your turn is over)."""
    fight.do("ready attack").refuses("trigger goblin-1 hit 5", "own turn")


def test_triggered_in_the_same_round_it_comes_just_before_that_turn(fight: Fight) -> None:
    """Orcus, Ready, Initiative Consequences of Readying."""
    fight.do("ready attack", "next", "next", "trigger goblin-1 hit 5")
    assert fight.hp("goblin-1") == 21
    assert fight.state.turn == "goblin-1"
    assert order(fight) == ["mira", "brannoc", "goblin-1", "goblin-2"]
    assert fight.actions("goblin-1") == (1, 1, 1)
    fight.do("next")
    assert fight.state.turn == "goblin-2"
    fight.do("next")
    assert (fight.state.turn, fight.state.round) == ("mira", 2)
    assert fight.do("next").state.turn == "brannoc"
    assert fight.do("next").state.turn == "goblin-1"


def test_triggered_in_the_next_round_the_turn_of_that_round_is_given_up(fight: Fight) -> None:
    """Orcus, Ready, Initiative Consequences of Readying."""
    fight.do("next", "next", "ready attack", "next", "next")
    assert (fight.state.turn, fight.state.round) == ("brannoc", 2)
    fight.do("trigger brannoc hit 5 by goblin-1")
    assert (fight.hp("brannoc"), fight.state.turn) == (39, "brannoc")
    assert order(fight) == ["goblin-1", "brannoc", "mira", "goblin-2"]
    turns = [fight.do("next").state.turn for _ in range(3)]
    assert turns == ["mira", "goblin-2", "goblin-1"]
    assert fight.state.round == 3
    assert fight.actions("goblin-1") == (1, 1, 1)


def test_what_a_readied_action_begins_lasts_to_the_turn_that_is_really_next(fight: Fight) -> None:
    """Orcus, Ready, Total Defense. The turn that was given up is no end of it."""
    fight.do("next", "next", "ready total-defense", "next", "next", "trigger by goblin-1")
    assert fight.total("goblin-1", "ac") == 18
    fight.do("next", "next")
    assert fight.total("goblin-1", "ac") == 18
    assert fight.do("next").state.turn == "goblin-1"
    assert fight.total("goblin-1", "ac") == 16


def test_the_turn_given_up_ends_what_would_have_ended_with_it(fight: Fight) -> None:
    """Orcus, Ready, Duration."""
    fight.do("next", "next", "inflict goblin-1 rattled for 1 turns by goblin-1", "ready attack")
    fight.do("inflict mira slowed until start of goblin-1", "next", "next")
    fight.do("trigger brannoc miss by goblin-1")
    assert "rattled" not in fight.effects("goblin-1")
    assert "slowed" not in fight.effects("mira")


def test_it_is_lost_at_the_start_of_the_next_turn(fight: Fight) -> None:
    """Orcus, Initiative Consequences of Readying."""
    fight.do("ready attack", "next", "next", "next")
    assert "readied" in fight.effects("brannoc")
    fight.do("next")
    assert "readied" not in fight.effects("brannoc")
    fight.refuses("trigger goblin-1 hit 5 by brannoc", "nothing readied")


@pytest.mark.parametrize("condition", ["stunned", "unconscious", "petrified"])
def test_nobody_acts_who_can_not(fight: Fight, condition: str) -> None:
    """Orcus, Ready, Conditions."""
    fight.do("ready attack", "next", f"inflict brannoc {condition}")
    fight.refuses("trigger goblin-1 hit 5", condition)


def test_a_readied_move_is_barred_like_any_other(fight: Fight) -> None:
    """Orcus, Ready, Conditions (Immobile)."""
    fight.do("ready walk", "next", "inflict brannoc immobile").refuses("trigger", "immobile")


def test_what_is_done_once_an_encounter_is_so_when_readied(fight: Fight) -> None:
    """Orcus, Ready, Rally."""
    fight.do("set brannoc hp 20", "ready rally", "next", "trigger")
    assert fight.hp("brannoc") == 31
    fight.do("next", "next", "next").refuses("rally", "once")
    fight.refuses("ready rally", "once")


def test_a_trigger_may_be_given_without_what_follows(fight: Fight) -> None:
    """Orcus, Ready. The place in the order changes; the GM plays the rest by hand."""
    fight.do("ready attack", "next", "next", "trigger")
    assert order(fight)[:2] == ["mira", "brannoc"]
    assert "readied" not in fight.effects("brannoc")


def test_several_who_have_readied_must_be_told_apart(fight: Fight) -> None:
    """Orcus, Ready."""
    fight.refuses("trigger", "nobody")
    fight.do("ready walk", "next", "ready walk", "next").refuses("trigger", "brannoc")
    fight.do("trigger by mira")
    assert order(fight) == ["brannoc", "mira", "goblin-1", "goblin-2"]


def test_a_power_is_readied_too(usual: NewFight) -> None:
    """Orcus, Ready, Powers."""
    fight = usual(BURST)
    fight.do('ready power "Fire Burst" "they cluster"', "next")
    assert fight.option("brannoc", "power Fire Burst")["available"] is False
    fight.do("trigger goblin-1,goblin-2 hit,miss 14")
    assert (fight.hp("goblin-1"), fight.hp("goblin-2")) == (12, 26)
    fight.do("next", "next", "next")
    fight.refuses('power "Fire Burst" goblin-1 hit 5', "short rest")
    fight.refuses('ready power "Fire Burst"', "short rest")


def test_a_readied_attack_power_may_go_off_and_be_played_by_hand(usual: NewFight) -> None:
    """Orcus, Ready, Power Category and Frequency. It is expended all the same."""
    fight = usual(BURST, 'ready power "Fire Burst"', "next", "trigger")
    assert fight.shown["undo"] == "Brannoc's readied Fire Burst goes off"
    assert "expended" in fight.reason("brannoc", "power Fire Burst")


def test_a_companion_moves_in_the_order_with_its_owner(usual: NewFight) -> None:
    """Orcus, Companions, Initiative Consequences of Readying."""
    fox = "add monster Fox hp 10 companion of brannoc"
    fight = usual(more=(fox, "init fox 17"))
    fight.do("ready walk", "next", "next", "next", "trigger")
    assert order(fight) == ["mira", "brannoc", "fox", "goblin-1", "goblin-2"]


def test_what_a_log_edited_by_hand_has_readied_is_not_trusted(fight: Fight) -> None:
    """A log may say anything."""
    fight.do("ready walk", "next")
    readied = replace(fight["brannoc"].effects[0], because="flying")
    fight.edited("brannoc", effects=(readied,)).refuses("trigger", "is not a technique")
    power = replace(readied, because="power Nothing")
    fight.edited("brannoc", effects=(power,)).refuses("trigger", "not one of their powers")


def test_what_ends_with_the_turn_given_up_still_counts_for_the_readied_action(fight: Fight) -> None:
    """Orcus, Ready, Duration. The readied action stands in for that turn's."""
    fight.do("next", "next", "inflict goblin-1 rattled for 1 turns from mira", "ready attack")
    fight.do("next", "next", "trigger brannoc natural 13 5 by goblin-1")
    assert (fight.rolled.total, fight.outcome) == (17, "miss")  # 13 + 6 - 2
    assert "rattled" not in fight.effects("goblin-1")


def test_a_turn_given_up_maintains_nothing(fight: Fight) -> None:
    """Orcus, Ready (no regular action that round), Maintain."""
    fight.do("next", "zone Fog maintain swift", "ready attack", "next", "next", "next")
    assert "zone" in fight.effects("mira")
    fight.do("trigger brannoc miss by mira")
    assert "zone" not in fight.effects("mira")


def test_in_the_same_round_nothing_is_given_up(fight: Fight) -> None:
    """Orcus, Ready, Maintain."""
    fight.do("zone Fog maintain swift", "ready attack", "next", "trigger goblin-1 miss")
    assert "zone" in fight.effects("brannoc")
