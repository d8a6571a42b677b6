"""Initiative: groups, ties, companions; surprise."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from affray.core.engine.events import Rolled
from affray.core.formatting.pieces import why_in_words
from affray.rulesets.orcus import initiative

if TYPE_CHECKING:
    from tests.rulesets.orcus.conftest import Fight

NewFight = Callable[..., "Fight"]


def initiatives(fight: Fight) -> dict[str, int]:
    return {c["id"]: c["initiative"] for c in fight.shown["combatants"]}


def rolls(fight: Fight) -> list[Rolled]:
    return [event for event in fight.events if isinstance(event, Rolled)]


# -- rolls and groups ------------------------------------------------------------------------------


def test_initiative_is_a_d20_with_the_modifier(gathered: Fight) -> None:
    """Orcus, Initiative."""
    gathered.do("init brannoc roll", faces=[11])
    assert initiatives(gathered)["brannoc"] == 14
    assert why_in_words(rolls(gathered)[0]) == "+3 own initiative"


def test_modifiers_to_initiative_count(gathered: Fight) -> None:
    """Orcus, Initiative; Modifiers."""
    gathered.do("modifier brannoc +2 initiative feat", "init brannoc roll", faces=[11])
    assert initiatives(gathered)["brannoc"] == 16


def test_a_group_of_identical_creatures_rolls_once(gathered: Fight) -> None:
    """Orcus, Initiative."""
    gathered.do("init roll", faces=[10, 10, 6])  # Brannoc, Mira, the goblins
    assert initiatives(gathered) == {"brannoc": 13, "mira": 15, "goblin-1": 10, "goblin-2": 10}


def test_initiative_takes_the_die_as_it_lies(gathered: Fight) -> None:
    """Every game, ruling 2: a die of one's own, whatever one's group has."""
    gathered.do("init mira natural 12", "init goblin-1 natural 3", "init goblin-2 natural 9")
    order = {c["id"]: c["initiative"] for c in gathered.shown["combatants"]}
    assert (order["goblin-2"] - order["goblin-1"], order["mira"]) == (6, 17)
    gathered.refuses("init mira natural 4,15", "neither")


def test_creatures_with_other_numbers_are_another_group(new_fight: NewFight) -> None:
    """Orcus, Initiative (identical creatures)."""
    fight = new_fight("add monster Goblin x2 hp 9", "add monster Goblin hp 9 ac 12")
    fight.do("init roll", faces=[4, 8])
    assert initiatives(fight) == {"goblin-3": 8, "goblin-1": 4, "goblin-2": 4}


def test_two_sides_or_characters_are_no_group(new_fight: NewFight) -> None:
    """Orcus, Initiative (identical creatures)."""
    fight = new_fight("add monster Goblin x2 hp 9", "set goblin-2 side party")
    assert initiatives(fight.do("init roll", faces=[4, 8])) == {"goblin-1": 4, "goblin-2": 8}
    fight = new_fight("add pc Ash hp 9", "add pc Ash-2 hp 9").do("init roll", faces=[4, 8])
    assert initiatives(fight) == {"ash": 4, "ash-2": 8}


def test_a_newcomer_joins_its_group(fight: Fight) -> None:
    """Orcus, Initiative."""
    fight.do(
        "add monster Goblin hp 26 ac 16 fort 13 ref 14 will 12 init 4 attack Axe +6 vs ac 1d8+3"
    )
    assert initiatives(fight)["goblin-3"] == 10
    assert rolls(fight) == []
    assert fight.shown["order"] == ["brannoc", "mira", "goblin-1", "goblin-2", "goblin-3"]


def test_other_newcomers_roll(fight: Fight) -> None:
    """Orcus, Initiative."""
    fight.do("add monster Ogre hp 60 init 1", faces=[13])
    assert initiatives(fight)["ogre"] == 14
    assert fight.shown["order"][:3] == ["brannoc", "ogre", "mira"]


def test_a_newcomer_joins_nobody_who_is_dead(fight: Fight) -> None:
    """Orcus, Initiative."""
    fight.do("damage goblin-1,goblin-2 30").do(
        "add monster Goblin hp 26 ac 16 fort 13 ref 14 will 12 init 4 attack Axe +6 vs ac 1d8+3",
        faces=[9],
    )
    assert initiatives(fight)["goblin-3"] == 13


def test_rolling_anew_for_all_rolls_once_for_the_group(fight: Fight) -> None:
    """Orcus, Initiative."""
    fight.do("init roll all", faces=[2, 3, 20])
    assert initiatives(fight) == {"goblin-1": 24, "goblin-2": 24, "mira": 8, "brannoc": 5}


# -- ties ------------------------------------------------------------------------------------------


def test_on_a_tie_the_higher_modifier_goes_first(gathered: Fight) -> None:
    """Orcus, Initiative (ties)."""
    gathered.do("init brannoc 12", "init goblin-1 12", "init goblin-2 12", "init mira 12")
    assert gathered.shown["order"] == ["mira", "goblin-1", "goblin-2", "brannoc"]


def test_a_coin_decides_between_equals(new_fight: NewFight) -> None:
    """Orcus, Initiative (flip a coin)."""
    for face, order in ((1, ["ash", "bo"]), (2, ["bo", "ash"])):
        fight = new_fight("add pc Ash hp 9 init 2", "add pc Bo hp 9 init 2", "init ash 12")
        fight.do("init bo 12", faces=[face])
        assert fight.shown["order"] == order
        coin = rolls(fight)[0]
        first = "Ash" if face == 1 else "Bo"
        assert (coin.dice, coin.why) == ("1d2", f"a coin for a tie: {first} goes first")


@pytest.mark.parametrize(
    ("face", "order"), [(1, ["cy", "bo", "ash", "dan"]), (2, ["dan", "cy", "bo", "ash"])]
)
def test_the_coin_is_flipped_against_all_with_whom_a_newcomer_ties(
    new_fight: NewFight, face: int, order: list[str]
) -> None:
    """Orcus, Initiative (flip a coin)."""
    fight = new_fight(*(f"add pc {name} hp 9 init 2" for name in ("Ash", "Bo", "Cy", "Dan")))
    fight.do("init ash 12").do("init bo 12", faces=[2]).do("init cy 12", faces=[2])
    fight.do("init dan 12", faces=[face])
    assert fight.shown["order"] == order
    assert rolls(fight)[0].against in order


def test_the_coin_is_flipped_once_for_a_group(new_fight: NewFight) -> None:
    """Orcus, Initiative (a group acts at the same time)."""
    fight = new_fight("add pc Ash hp 9 init 2", "add monster Rat x3 mook init 2", "init ash 12")
    fight.do("init roll", faces=[10, 2])  # the rats' d20, then one coin
    assert fight.shown["order"] == ["rat-1", "rat-2", "rat-3", "ash"]


def test_no_coin_without_a_tie(gathered: Fight) -> None:
    """Orcus, Initiative."""
    assert rolls(gathered.do("init brannoc 12", "init goblin-1 11")) == []


def test_no_coin_against_who_is_gone_or_with_a_companion(fight: Fight) -> None:
    """Orcus, Initiative, Companions (its owner's initiative)."""
    fight.do("leave mira", "add pc Cy hp 9 init 5", "init cy 12")
    assert initiatives(fight)["cy"] == 12 and rolls(fight) == []
    fight.do("add pc Hound companion of brannoc hp 9 init 3", "init brannoc 8")
    assert initiatives(fight)["hound"] == 8 and rolls(fight) == []


# -- surprise --------------------------------------------------------------------------------------


def begun(gathered: Fight, *lines: str) -> Fight:
    return gathered.do(*lines, "init brannoc 17", "init mira 12", "init goblin-1 10", "start")


def test_the_surprised_take_no_actions_in_their_first_turn(gathered: Fight) -> None:
    """Orcus, Surprise."""
    fight = begun(gathered, "init goblin-2 9", "surprise brannoc,goblin-1")
    assert fight.actions("brannoc") == (0, 0, 0)
    assert fight.reason("brannoc", "attack") == "surprised: no actions"
    fight.do(*["next"] * 4)
    assert fight.actions("brannoc") == (1, 1, 1)


def test_surprise_ends_with_its_round_and_bars_reactions_in_the_first_turn_only(
    gathered: Fight,
) -> None:
    """Orcus, Surprise (no immediate actions until that turn ends); Surprised (lost when the
    surprise round ends)."""
    fight = begun(gathered, "init goblin-2 9", "surprise mira")
    assert "surprised" in fight.effects("mira")
    fight.do("next")
    assert "surprised" in fight.effects("mira")
    fight.refuses("react counter by mira", "surprised")
    fight.do("next")
    assert "surprised" in fight.effects("mira"), "attacks on her still have combat advantage"
    fight.do("react counter by mira", "next", "next")
    assert fight.state.round == 2 and "surprised" not in fight.effects("mira")


def test_one_standard_action_as_the_condition_has_it(gathered: Fight) -> None:
    """Orcus, Surprised (a single standard action; lost when the surprise round ends)."""
    gathered.do("setting surprise one-standard", "init goblin-2 9")
    fight = begun(gathered, "surprise brannoc")
    assert fight.actions("brannoc") == (1, 0, 0)
    fight.do("next")
    assert "surprised" in fight.effects("brannoc")
    fight.do(*["next"] * 3)
    assert "surprised" not in fight.effects("brannoc")


def test_surprise_may_be_noticed_in_the_first_round(fight: Fight) -> None:
    """Orcus, Surprise."""
    fight.do("next", "surprise goblin-1,goblin-2")
    assert initiative.is_surprise_round(fight.state)
    assert fight.until("goblin-1", "surprised") == "end of round 1"
    fight.refuses("surprise brannoc", "has had a turn")
    fight.refuses("surprise goblin-1", "surprised already")


def test_only_the_first_round_is_a_surprise_round(gathered: Fight) -> None:
    """Orcus, Surprise; Action Points."""
    fight = begun(gathered, "init goblin-2 9", "surprise mira")
    assert initiative.is_surprise_round(fight.state)
    fight.do(*["next"] * 4)
    assert not initiative.is_surprise_round(fight.state)
    fight.refuses("surprise mira", "beginning")


def test_a_new_encounter_begins_with_round_1_and_initiative_anew(fight: Fight) -> None:
    """Every game, ruling 1: `end` and a new `start` are a new encounter."""
    fight.do(*["next"] * 5, "end", "start", faces=[2, 3, 15])  # the goblins are one group
    assert (fight.shown["round"], fight.shown["turn"]) == (1, "goblin-1")
    assert [s.initiative for s in fight.state.slots] == [19, 19, 8, 5]
    fight.do(*["next"] * 4)
    assert (fight.shown["round"], fight.shown["turn"]) == (2, "goblin-1")


def test_surprise_belongs_to_its_encounter(gathered: Fight) -> None:
    """Orcus, Surprise; every game, ruling 1: a new encounter begins with round 1."""
    fight = begun(gathered, "init goblin-2 9", "surprise mira").do("end")
    fight.do("init brannoc 17", "init mira 12", "init goblin-1 10", "init goblin-2 9", "start")
    assert not initiative.is_surprise_round(fight.state)
    fight.do(*["next"] * 4, "end", "surprise goblin-1")
    assert fight.until("goblin-1", "surprised") == "end of round 1"
    begun(fight, "init goblin-2 9")
    assert initiative.is_surprise_round(fight.state)
    fight.do(*["next"] * 4)
    assert not initiative.is_surprise_round(fight.state)
    assert fight.effects("goblin-1") == set()


def test_a_round_without_the_surprised_is_none(fight: Fight) -> None:
    """Orcus, Surprise."""
    assert not initiative.is_surprise_round(fight.state)


def test_a_latecomer_who_waits_for_the_next_round_can_be_surprised(fight: Fight) -> None:
    """Orcus, Surprise: no actions in the first turn, and that is still to come."""
    fight.do("next", "add monster Rat hp 3", faces=[19]).do("surprise rat")
    assert "surprised" in fight.effects("rat")
    fight.do("next", "next", "next")  # the rest of round 1
    assert (fight.state.turn, fight.state.round) == ("rat", 2)
    assert fight.actions("rat") == (0, 0, 0)
    assert fight.do("next").until("rat", "surprised") == "end of round 2"


def test_one_of_a_group_that_is_renamed_is_of_the_group_still(new_fight):
    """Orcus, Initiative: one roll for identical creatures, whatever they are called."""
    fight = new_fight("add monster Goblin x2 hp 26 ac 16 init 4", "rename goblin-2 Grub")
    fight.do("init roll", faces=[11])
    assert [fight.who(w)["initiative"] for w in ("goblin-1", "goblin-2")] == [15, 15]
