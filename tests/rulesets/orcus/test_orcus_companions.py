"""Companions and summoned creatures."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from tests.fallen_dice import FallenDice

from affray.core.engine.state import Track
from affray.core.parser.errors import Refused
from affray.core.rules.ruleset import Context
from affray.rulesets.orcus import action_economy, companions

if TYPE_CHECKING:
    from tests.rulesets.orcus.conftest import Fight

NewFight = Callable[..., "Fight"]
OWNER = "add pc Mira hp 30 ac 15 recoveries 2 init 5"
WOLF = "add monster Wolf hp 18 companion of Mira attack Bite +5 vs ac 1d6"


@pytest.fixture
def hunt(new_fight: NewFight) -> Fight:
    """Mira is up, with Wolf behind her; then comes Ogre."""
    return new_fight(OWNER, WOLF, "add monster Ogre hp 50", "init mira 15", "init ogre 9", "start")


@pytest.fixture
def called(new_fight: NewFight) -> Fight:
    """Mira is up, with a summoned Imp behind her; then comes Ogre."""
    imp = "add monster Imp hp 8 summon of Mira"
    return new_fight(OWNER, imp, "add monster Ogre hp 50", "init mira 15", "init ogre 9", "start")


def test_a_companion_acts_on_its_owners_initiative(hunt: Fight) -> None:
    """Orcus, Companions (Actions)."""
    assert hunt.shown["order"] == ["mira", "wolf", "ogre"]
    assert hunt.who("wolf")["initiative"] == 15
    hunt.refuses("init wolf natural 12", "its owner's initiative")


def test_its_initiative_is_not_rolled(new_fight: NewFight) -> None:
    """Orcus, Companions (Actions)."""
    fight = new_fight(OWNER, WOLF, "init roll", faces=[10])
    assert (fight.who("mira")["initiative"], fight.who("wolf")["initiative"]) == (15, 15)


def test_a_companion_that_comes_later_has_its_owners_place(hunt: Fight) -> None:
    """Orcus, Companions (Actions)."""
    hunt.do("add monster Owl hp 4 companion of Mira")
    assert hunt.shown["order"] == ["mira", "wolf", "owl", "ogre"]


def test_a_companion_is_on_its_owners_side(hunt: Fight) -> None:
    """Orcus, Companions (Other)."""
    assert hunt["wolf"].side == "party"


def test_a_companion_has_no_actions_of_its_own(hunt: Fight) -> None:
    """Orcus, Companions (Actions)."""
    hunt.do("next")
    assert hunt.shown["turn"] == "wolf"
    assert hunt.actions("wolf") == (0, 0, 0)
    assert hunt.reason("wolf", "attack") == "Mira must command it"


@pytest.mark.parametrize(
    ("kind", "owner", "wolf"),
    [
        ("standard", (0, 1, 1), (1, 0, 0)),
        ("move", (1, 0, 1), (0, 1, 0)),
        ("swift", (1, 1, 0), (0, 0, 1)),
    ],
)
def test_an_owner_gives_up_an_action_to_command(
    hunt: Fight, kind: str, owner: tuple[int, int, int], wolf: tuple[int, int, int]
) -> None:
    """Orcus, Companions (Actions)."""
    hunt.do(f"command wolf {kind}")
    assert (hunt.actions("mira"), hunt.actions("wolf")) == (owner, wolf)
    assert hunt.history.undo_title == f"Mira commands Wolf: a {kind} action"


def test_a_commanded_companion_acts_at_once(hunt: Fight) -> None:
    """Orcus, Companions (Actions)."""
    hunt.do("command wolf standard")
    ctx = Context(hunt.state, hunt.ruleset, FallenDice([]))
    action_economy.pay_action(ctx, "wolf", "standard", "bite")
    assert ctx.state["wolf"].track("standard") == 0
    assert ctx.state["mira"].track("move") == 1


def test_a_commanded_companions_next_turn_is_not_the_one_that_follows_at_once(hunt: Fight) -> None:
    """Orcus, Companions (Actions): the two act on one initiative."""
    hunt.do("command wolf standard", "inflict ogre slowed user-end by wolf")
    assert hunt.state["ogre"].effects[0].until.count == 2


def test_a_command_needs_an_action(hunt: Fight) -> None:
    """Orcus, Companions (Actions)."""
    hunt.do("command wolf standard").refuses("command wolf standard", "standard action used")


def test_who_may_be_commanded_and_by_whom(hunt: Fight) -> None:
    """Orcus, Companions (Actions)."""
    hunt.refuses("command ogre move", "nobody's companion")
    hunt.refuses("command wolf move by ogre", "Mira's companion")
    hunt.refuses("command wolf free", "the action it gets")
    hunt.do("inflict wolf stunned").refuses(
        "command wolf move", "can't take a move action: stunned"
    )
    hunt.do("next", "next").refuses("command wolf move by mira", "stunned")


def test_no_commands_in_anothers_turn(hunt: Fight) -> None:
    """Orcus, Companions (Actions); Your Turn."""
    hunt.do("next", "next").refuses("command wolf standard", "it is Ogre's turn")


def test_a_companions_immediate_action_is_its_owners(hunt: Fight) -> None:
    """Orcus, Companions (Actions)."""
    hunt.do("next", "next")
    ctx = Context(hunt.state, hunt.ruleset, FallenDice([]))
    action_economy.pay_action(ctx, "wolf", "immediate", "opportunity attack")
    assert ctx.state["mira"].track("immediate") == 0
    with pytest.raises(Refused, match="Mira: immediate action used"):
        action_economy.pay_action(ctx, "wolf", "immediate", "opportunity attack")


def test_an_immediate_action_can_be_commanded(hunt: Fight) -> None:
    """Orcus, Companions (Actions)."""
    hunt.do("next", "next", "command wolf immediate")
    assert (hunt.track("mira", "immediate"), hunt.track("wolf", "immediate")) == (0, 1)
    hunt.refuses("command wolf immediate", "immediate action already")
    ctx = Context(hunt.state, hunt.ruleset, FallenDice([]))
    action_economy.pay_action(ctx, "wolf", "immediate", "opportunity attack")
    assert ctx.state["wolf"].track("immediate") == 0


def test_an_immediate_action_not_used_is_lost(hunt: Fight) -> None:
    """Orcus, Immediate Actions."""
    hunt.do("next", "next", "command wolf immediate", "next", "next")
    assert hunt.shown["turn"] == "wolf"
    assert hunt.track("wolf", "immediate") == 0


def test_instinct_gives_a_turn_of_its_own(new_fight: NewFight) -> None:
    """Orcus, Companions (Instinct)."""
    fight = new_fight(OWNER, f'{WOLF} instinct "attacks the nearest"', "init mira 15", "start")
    fight.do("next")
    assert fight.actions("wolf") == (1, 1, 1)
    fight.do("next", "command wolf move", "next")
    assert fight.actions("wolf") == (0, 0, 0)  # it was commanded since
    fight.do("next", "next")
    assert fight.actions("wolf") == (1, 1, 1)


def test_a_companion_whose_owner_has_left_acts_for_itself(hunt: Fight) -> None:
    """Orcus, Companions (there is nobody left to command it)."""
    hunt.do("leave mira")
    assert hunt.shown["turn"] == "wolf"
    assert hunt.actions("wolf") == (1, 1, 1)


def test_whose_recoveries_a_companion_uses(hunt: Fight) -> None:
    """Orcus, Companions (Stats and Combat)."""
    assert companions.recovers_for(hunt.state, hunt["wolf"]).id == "mira"
    assert companions.recovers_for(hunt.state, hunt["mira"]).id == "mira"


# -- summons ---------------------------------------------------------------------------------------


def test_a_summon_that_falls_costs_a_recovery(called: Fight) -> None:
    """Orcus, Summons."""
    called.do("damage imp 8")
    assert called.track("mira", "recoveries") == 1
    assert called.state.find("imp") is None


def test_without_recoveries_it_costs_hit_points(called: Fight) -> None:
    """Orcus, Summons."""
    called.edited("mira", tracks=called["mira"].tracks | {"recoveries": Track(0, 2)})
    called.do("damage imp 9")
    assert called.hp("mira") == 30 - 7


def test_dismissing_takes_a_swift_action(called: Fight) -> None:
    """Orcus, Summons."""
    called.do("dismiss imp")
    assert called.actions("mira") == (1, 1, 0)
    assert called.state.find("imp") is None
    assert called.history.undo_title == "Mira dismisses Imp"


def test_companions_are_not_dismissed(hunt: Fight) -> None:
    """Orcus, Companions; Summons."""
    hunt.refuses("dismiss wolf", "was not summoned")


def test_summons_go_with_the_encounter(called: Fight) -> None:
    """Orcus, Summons."""
    called.do("end")
    assert called.state.find("imp") is None


@pytest.mark.parametrize("owner", ["wolf", "nobody", "ogre", 7, ""])
def test_a_log_edited_by_hand_may_say_anything_of_owners(hunt: Fight, owner: object) -> None:
    """Nothing in stats is ever a reason to fail."""
    ogre = hunt["ogre"].stats | {"owner": "wolf", "companion": "summon"}
    hunt.edited("ogre", stats=ogre).edited("wolf", stats=hunt["wolf"].stats | {"owner": owner})
    lines = ("init roll all", "next", "command wolf move", "dismiss ogre", "next", "damage ogre 99")
    assert hunt.play_anything(*lines, "next", "init wolf 3", "end", "start", "next") >= 4


def test_what_a_command_begins_lasts_into_the_next_round(hunt: Fight) -> None:
    """Orcus, Companions, Total Defense. It acts on its owner's initiative: the turn right behind
    its owner's is the one in which it was commanded, not the next."""
    hunt.do("command wolf standard", "total-defense by wolf", "next", "next")
    assert (hunt.state.turn, "guarded" in hunt.effects("wolf")) == ("ogre", True)
    hunt.do("next", "next")
    assert (hunt.state.turn, "guarded" in hunt.effects("wolf")) == ("wolf", False)


def test_a_companion_can_be_commanded_to_ready(hunt: Fight) -> None:
    """Orcus, Companions, Ready."""
    hunt.do("command wolf standard", "ready attack by wolf", "next", "next")
    hunt.do("trigger ogre hit 5 by wolf")
    assert hunt.hp("ogre") == 45
    assert [slot.who for slot in hunt.state.slots] == ["mira", "wolf", "ogre"]
