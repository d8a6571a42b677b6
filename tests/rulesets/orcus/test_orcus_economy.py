"""The actions of a turn: how many, trading down, what takes them away, action points."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from tests.fallen_dice import FallenDice

from affray.core.engine.state import Effect
from affray.core.parser.errors import Refused
from affray.core.rules.ruleset import Context
from affray.mechanics import actions
from affray.rulesets.orcus import action_economy

if TYPE_CHECKING:
    from tests.rulesets.orcus.conftest import Fight

NewFight = Callable[..., "Fight"]


def pay(fight: Fight, who: str, *kinds: str) -> Context:
    """Pay actions, and let the fight stand as it is then."""
    ctx = Context(fight.state, fight.ruleset, FallenDice([]))
    for kind in kinds:
        action_economy.pay_action(ctx, who, kind, "something")
    after = ctx.state[who]
    fight.edited(who, tracks=after.tracks, uses=after.uses)
    return ctx


def unpayable(fight: Fight, who: str, kind: str) -> str:
    """Why an action can't be taken now; empty when it can. Paying says the same."""
    reason = action_economy.why_no_action(fight.ruleset.tables, fight.state, fight[who], kind)
    ctx = Context(fight.state, fight.ruleset, FallenDice([]))
    if reason:
        with pytest.raises(Refused, match="can't use something"):
            action_economy.pay_action(ctx, who, kind, "something")
        assert ctx.events == []
    return reason


def with_condition(fight: Fight, who: str, name: str) -> Fight:
    """Somebody has a condition, and what follows from that has followed."""
    fight.edited(who, effects=(Effect(name, name, "condition"),))
    return fight.do('note "on"')


# -- how many --------------------------------------------------------------------------------------


def test_a_turn_has_a_standard_a_move_and_a_swift_action(fight: Fight) -> None:
    """Orcus, Your Turn."""
    assert fight.actions("brannoc") == (1, 1, 1)


def test_actions_are_of_ones_own_turn_alone(fight: Fight) -> None:
    """Orcus, Your Turn. What is left of a turn that is over is shown, and can't be used."""
    pay(fight, "brannoc", "move")
    fight.do("next")
    assert (fight.actions("brannoc"), fight.actions("mira")) == ((1, 0, 1), (1, 1, 1))
    fight.refuses("attack goblin-1 hit 5 by brannoc", "it is Mira's turn")
    fight.refuses("walk by goblin-1", "it is Mira's turn")


def test_actions_that_were_used_are_back_in_the_next_turn(fight: Fight) -> None:
    """Orcus, Your Turn."""
    pay(fight, "brannoc", "standard", "move", "swift")
    assert fight.actions("brannoc") == (0, 0, 0)
    fight.do(*["next"] * 4)
    assert fight.actions("brannoc") == (1, 1, 1)


@pytest.mark.parametrize(
    ("paid", "left"),
    [
        (("move",), (1, 0, 1)),
        (("move", "move"), (0, 0, 1)),  # a standard action is used to move
        (("swift", "swift"), (1, 0, 0)),  # a move action is used as a swift one
        (("swift", "swift", "swift"), (0, 0, 0)),  # and then the standard action
        (("standard", "swift"), (0, 1, 0)),
    ],
)
def test_greater_actions_are_traded_for_lesser_ones(
    fight: Fight, paid: tuple[str, ...], left: tuple[int, int, int]
) -> None:
    """Orcus, Your Turn (Standard Action, Move Action)."""
    pay(fight, "brannoc", *paid)
    assert fight.do('note "on"').actions("brannoc") == left


def test_lesser_actions_are_not_traded_up(fight: Fight) -> None:
    """Orcus, Your Turn."""
    pay(fight, "brannoc", "standard")
    assert unpayable(fight, "brannoc", "standard") == "standard action used"
    pay(fight, "brannoc", "swift")
    assert unpayable(fight, "brannoc", "move") == ""
    pay(fight, "brannoc", "move")
    assert unpayable(fight, "brannoc", "move") == "move action used"
    assert unpayable(fight, "brannoc", "swift") == "swift action used"


def test_only_whose_turn_it_is_takes_actions(fight: Fight) -> None:
    """Orcus, Your Turn."""
    assert unpayable(fight, "mira", "swift") == "it is Brannoc's turn"


def test_outside_of_a_fight_nothing_is_paid(gathered: Fight) -> None:
    """Orcus, Combat (turns are taken in combat)."""
    assert pay(gathered, "brannoc", "standard", "standard", "immediate").events == []


def test_actions_written_by_hand_are_kept(fight: Fight) -> None:
    """What the GM writes stands, whatever was used."""
    fight.do("walk", "set brannoc move 1", "set brannoc swift 0", "set brannoc standard 2 of 2")
    assert fight.actions("brannoc") == (2, 1, 0)
    fight.do("walk", "walk", "walk").refuses("walk", "move action used")
    fight.do(*["next"] * 4)
    assert fight.actions("brannoc") == (1, 1, 1)


def test_reckoning_again_changes_nothing(fight: Fight) -> None:
    """The tracks follow from what was used."""
    pay(fight, "brannoc", "move", "move")
    ctx = Context(fight.state, fight.ruleset, FallenDice([]))
    action_economy.update_tracks(ctx, "brannoc")
    assert ctx.events == []


# -- what takes them away --------------------------------------------------------------------------


def test_the_dazed_have_one_action(fight: Fight) -> None:
    """Orcus, Dazed."""
    with_condition(fight, "brannoc", "dazed")
    assert fight.actions("brannoc") == (1, 0, 0)
    pay(fight, "brannoc", "move")
    assert fight.do('note "on"').actions("brannoc") == (0, 0, 0)
    assert unpayable(fight, "brannoc", "swift") == "dazed: one action a turn"
    assert unpayable(fight, "brannoc", "free") == ""


def test_what_was_used_before_counts_for_the_dazed(fight: Fight) -> None:
    """Orcus, Dazed."""
    pay(fight, "brannoc", "swift")
    with_condition(fight, "brannoc", "dazed")
    assert fight.actions("brannoc") == (0, 0, 0)


def test_actions_come_back_when_the_daze_ends(fight: Fight) -> None:
    """Orcus, Dazed."""
    pay(fight, "brannoc", "swift")
    with_condition(fight, "brannoc", "dazed")
    fight.do("remove brannoc dazed")
    assert fight.actions("brannoc") == (1, 1, 0)


@pytest.mark.parametrize("condition", ["stunned", "petrified", "unconscious", "dying"])
def test_who_can_do_nothing_has_no_actions(fight: Fight, condition: str) -> None:
    """Orcus, Stunned; Petrified; Unconscious; Dying."""
    with_condition(fight, "brannoc", condition)
    assert fight.actions("brannoc") == (0, 0, 0)
    said = "unconscious" if condition == "dying" else condition
    assert unpayable(fight, "brannoc", "standard") == f"{said}: no actions"
    assert unpayable(fight, "brannoc", "free") == f"{said}: no free actions"


def test_the_controlled_are_dazed(fight: Fight) -> None:
    """Orcus, Controlled."""
    with_condition(fight, "brannoc", "controlled")
    assert fight.actions("brannoc") == (1, 0, 0)


def test_the_dead_do_nothing(fight: Fight) -> None:
    """Orcus, Dropping to 0 Hit Points or Below."""
    fight.edited("brannoc", life="dead")
    assert unpayable(fight, "brannoc", "free") == "dead"


# -- immediate and free actions --------------------------------------------------------------------


def test_an_immediate_action_needs_somebody_elses_turn(fight: Fight) -> None:
    """Orcus, Immediate Actions."""
    assert unpayable(fight, "brannoc", "immediate") == "not on its own turn"
    assert unpayable(fight, "mira", "immediate") == ""


def test_one_immediate_action_between_two_turns(fight: Fight) -> None:
    """Orcus, Immediate Actions."""
    pay(fight, "mira", "immediate")
    assert fight.track("mira", "immediate") == 0
    assert unpayable(fight, "mira", "immediate") == "immediate action used"
    fight.do("next")
    assert fight.track("mira", "immediate") == 1
    fight.do("next")
    assert unpayable(fight, "mira", "immediate") == ""


@pytest.mark.parametrize("condition", ["dazed", "stunned", "surprised"])
def test_who_cannot_react(fight: Fight, condition: str) -> None:
    """Orcus, Dazed; Stunned; Surprise."""
    with_condition(fight, "mira", condition)
    assert unpayable(fight, "mira", "immediate") == f"{condition}: no immediate actions"


def test_any_number_of_free_actions(fight: Fight) -> None:
    """Orcus, Free Actions."""
    pay(fight, "brannoc", "free", "free")
    pay(fight, "mira", "free")
    assert fight.actions("brannoc") == (1, 1, 1)


def test_one_free_action_in_each_turn_as_a_house_rule(fight: Fight) -> None:
    """Orcus, Variant Rule: One Free Action per Turn."""
    fight.do("setting free-actions one")
    pay(fight, "mira", "free")
    assert unpayable(fight, "mira", "free") == "one free action a turn"
    fight.do("next", "next")
    pay(fight, "mira", "free")  # in Goblin 1's turn
    fight.do("next")
    assert unpayable(fight, "mira", "free") == ""  # and again in Goblin 2's


def test_acting_is_having_used_an_action(fight: Fight) -> None:
    """Orcus, Delay (no delay after an action)."""
    assert not action_economy.has_acted(fight["brannoc"])
    pay(fight, "brannoc", "swift")
    assert action_economy.has_acted(fight["brannoc"])
    pay(fight, "mira", "free")
    assert action_economy.has_acted(fight["mira"])
    fight.do("next")
    assert not action_economy.has_acted(fight["mira"])


# -- what can be done now --------------------------------------------------------------------------


def test_options_cost_what_they_cost_now(fight: Fight) -> None:
    """Orcus, Your Turn."""
    assert fight.option("brannoc", "walk")["cost"] == {"move": 1}
    pay(fight, "brannoc", "move")
    assert fight.option("brannoc", "walk")["cost"] == {"standard": 1}
    pay(fight, "brannoc", "standard")
    assert fight.reason("brannoc", "walk") == "move action used"
    assert fight.reason("brannoc", "attack") == "standard action used"


@pytest.mark.parametrize(
    ("condition", "technique", "reason"),
    [
        ("immobile", "walk", "immobile"),
        ("grappled", "charge", "grappled"),
        ("restrained", "crawl", "restrained"),
        ("prone", "five-foot-step", "prone: crawl, or stand-up first"),
        ("prone", "crawl", ""),
        ("immobile", "attack", ""),
        ("slowed", "walk", ""),
    ],
)
def test_who_cannot_move(fight: Fight, condition: str, technique: str, reason: str) -> None:
    """Orcus, Immobile; Restrained; Prone; Grapple."""
    with_condition(fight, "brannoc", condition)
    assert fight.reason("brannoc", technique) == reason


def test_what_can_be_done_once_an_encounter(fight: Fight) -> None:
    """Orcus, Rally."""
    ctx = Context(fight.state, fight.ruleset, FallenDice([]))
    actions.pay(action_economy.ECONOMY, ctx, "brannoc", "rally")
    fight.edited("brannoc", uses=ctx.state["brannoc"].uses).do(*["next"] * 4)
    assert fight.reason("brannoc", "rally") == "once an encounter"


def test_powers_are_options_behind_the_techniques(new_fight: NewFight) -> None:
    """Orcus, Power Category and Frequency; Action Required."""
    fight = new_fight(
        "add pc Ash hp 20 init 1 power Burst daily power Breath refresh 5 swift"
        " power Duck encounter counter",
        "add pc Bo hp 20",
        "init ash 9",
        "init bo 4",
        "start",
    )
    assert fight.option("ash", "power Burst")["cost"] == {"standard": 1}
    assert fight.option("ash", "power Breath")["cost"] == {"swift": 1}
    assert fight.reason("ash", "power Duck") == "not on its own turn"
    own = fight.ruleset.actions.own_options(fight.ruleset.tables, fight.state, fight["ash"])[-2]
    assert (own.name, own.text) == ("Breath", "refresh 5, swift action")


def test_hazards_without_hit_points_have_no_options(new_fight: NewFight) -> None:
    """They have no turn's actions to count."""
    assert new_fight("add hazard Pit").who("pit")["options"] == []


# -- action points ---------------------------------------------------------------------------------


def test_an_action_point_buys_one_more_action(fight: Fight) -> None:
    """Orcus, Action Points."""
    pay(fight, "brannoc", "standard", "move")
    fight.do("action-point")
    assert fight.actions("brannoc") == (1, 0, 1)
    assert fight.track("brannoc", "action_points") == 0
    pay(fight, "brannoc", "standard")
    fight.do("next").refuses("attack goblin-1 hit 5 by brannoc", "it is Mira's turn")


@pytest.mark.parametrize(("kind", "left"), [("move", (1, 2, 1)), ("swift", (1, 1, 2))])
def test_an_action_point_buys_any_of_three(
    fight: Fight, kind: str, left: tuple[int, int, int]
) -> None:
    """Orcus, Action Points."""
    assert fight.do(f"action-point {kind}").actions("brannoc") == left


def test_what_an_action_point_bought_is_gone_with_the_turn(fight: Fight) -> None:
    """Orcus, Action Points (during the turn)."""
    fight.do("action-point", "next").refuses("attack goblin-1 hit 5 by brannoc", "Mira's turn")
    assert fight.do(*["next"] * 3).actions("brannoc") == (1, 1, 1)


def test_one_action_point_in_an_encounter(new_fight: NewFight) -> None:
    """Orcus, Action Points."""
    fight = new_fight("add pc Ash hp 20 points 2", "start", faces=[9])
    fight.do("action-point").refuses("action-point", "once an encounter")
    fight.do("next").refuses("action-point", "once an encounter")


def test_who_has_none_spends_none(fight: Fight) -> None:
    """Orcus, Action Points."""
    fight.do("set brannoc action_points 0").refuses("action-point", "no action points left")
    fight.refuses("action-point by mira", "it is Brannoc's turn")
    fight.do("next", "next").refuses("action-point", "only player characters")


def test_no_action_points_before_the_fight(gathered: Fight) -> None:
    """Orcus, Action Points (once per encounter, in one's turn)."""
    gathered.refuses("action-point by mira", "only in a fight")


def test_no_action_points_in_a_surprise_round(gathered: Fight) -> None:
    """Orcus, Action Points; Surprise."""
    gathered.do("surprise goblin-1", "init brannoc 17", "init mira 12", "init goblin-1 10")
    gathered.do("init goblin-2 10", "start")
    gathered.refuses("action-point", "surprise round")
    assert gathered.do(*["next"] * 4, "action-point").actions("brannoc") == (2, 1, 1)


def test_nobody_is_made_to_spend_an_action_point(fight: Fight) -> None:
    """Orcus, Controlled."""
    with_condition(fight, "brannoc", "controlled").refuses("action-point", "controlled")


def test_an_action_point_gives_the_dazed_a_second_action(fight: Fight) -> None:
    """Orcus, Dazed (free actions as normal); Action Points (a free action)."""
    with_condition(fight, "brannoc", "dazed")
    pay(fight, "brannoc", "standard")
    assert fight.do("action-point").actions("brannoc") == (1, 0, 0)


def test_an_action_point_is_of_no_use_to_the_stunned(fight: Fight) -> None:
    """Orcus, Stunned."""
    with_condition(fight, "brannoc", "stunned").refuses("action-point", "stunned: no actions")
