"""Monsters & Magic with a group: several who take one turn, each with a turn's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Make = Callable[..., Any]
GHOULS = ("ghoul-1", "ghoul-2", "ghoul-3")


@pytest.fixture
def pack(new_fight: Make) -> Any:
    """Brannoc 17, three ghouls in a group 10, Mira 5; the ghouls are up in round 1."""
    return new_fight(
        "add pc Brannoc hp 30 ac 4 power 2 cunning 1 focus 0 luck 1 pb 2",
        "add pc Mira hp 24 ac 2 power 0 cunning 3 focus 2 luck 2 pb 1",
        "add monster Ghoul x3 cr 2 hp 18 ac 2 fatigue 3 exhaustion 2 attack claws 1d6+2 group",
        "init brannoc 17",
        "init ghoul 10",
        "init mira 5",
        "start",
        "next",
    )


def ap(fight: Any) -> list[int]:
    return [fight.track(who, "ap") for who in GHOULS]


def test_each_member_strikes_in_the_one_turn_and_pays_its_own_ap(pack: Any) -> None:
    assert pack.shown["turn"] == "ghoul-1" and ap(pack) == [3, 3, 3]
    pack.do("strike brannoc weak 6 by ghoul-3", "strike brannoc miss", "strike mira strong 5")
    assert ap(pack) == [0, 3, 2], "the second Strike costs 2, counted for each on its own"
    pack.do("strike mira miss by ghoul-2", "strike mira miss by ghoul-2")
    assert ap(pack) == [0, 0, 2]
    pack.refuses("strike mira miss by ghoul-2", "0 AP left, needs 3")
    assert pack.track("brannoc", "reaction") == 1 and pack.track("ghoul-3", "reaction") == 1


def test_in_anothers_turn_no_member_acts_and_each_has_its_own_reaction(pack: Any) -> None:
    pack.do("next")
    pack.refuses("strike mira miss by ghoul-2", "it is Mira's turn")
    pack.do("react retaliate mira by ghoul-2", "react opportunity-attack mira miss by ghoul-3")
    assert [pack.track(who, "reaction") for who in GHOULS] == [1, 0, 0]
    pack.do("next", "next")
    assert pack.shown["turn"] == "ghoul-1"
    assert [pack.track(who, "reaction") for who in GHOULS] == [1, 1, 1], "back with the turn"


def test_who_is_not_of_the_group_is_told_whose_turn_it_is(pack: Any) -> None:
    pack.refuses("strike ghoul-1 miss by brannoc", "it is Ghoul ×3's turn")


def test_the_start_and_end_of_the_turn_come_for_each_living_member(pack: Any) -> None:
    """Monsters & Magic, Conditions (Doomed marks 1 fatigue as the turn starts), Statuses
    (Quickened)."""
    pack.do("inflict ghoul-1,ghoul-2 doomed", "bestow ghoul-3 quickened until fight")
    pack.do("inflict ghoul-3 weakened", "damage ghoul-2 40 cold")
    pack.do("next", "next")
    assert pack.who("ghoul-2")["life"] == "dead"
    at = pack.history.last
    pack.do("next")
    assert pack.history.last == at + 1, "one entry"
    assert [pack.fatigue(who)[0] for who in GHOULS] == [1, 0, 0]
    assert ap(pack)[0] == 3 and ap(pack)[2] == 4
    assert "weakened" in pack.effects("ghoul-3")
    pack.do("next")
    assert "weakened" not in pack.effects("ghoul-3")
    pack.do("undo")
    assert pack.shown["turn"] == "ghoul-1" and "weakened" in pack.effects("ghoul-3")


def test_a_member_that_doomed_kills_as_its_turn_starts_leaves_it_to_the_others(pack: Any) -> None:
    pack.do("inflict ghoul-1 doomed", "next")
    pack.do("mark ghoul-1 exhaustion 2", "mark ghoul-1 fatigue 3", "next", "next")
    assert pack.who("ghoul-1")["life"] == "unconscious"
    assert pack.shown["turn"] == "ghoul-2"
    pack.do("strike brannoc miss")
    assert ap(pack)[1] == 2


def test_what_a_member_lays_until_its_next_turn_ends_with_the_groups(pack: Any) -> None:
    pack.do("distract brannoc weak by ghoul-2")
    assert pack.until("brannoc", "sundered") == "start of ghoul-2's next turn"
    pack.do("damage ghoul-2 40 fire", "next", "next")
    assert "sundered" in pack.effects("brannoc")
    pack.do("next")
    assert "sundered" not in pack.effects("brannoc"), "even of one who has died meanwhile"


def test_disengage_lasts_for_the_members_own_turn(pack: Any) -> None:
    pack.do("disengage by ghoul-2")
    assert pack.until("ghoul-2", "disengaged") == "end of ghoul-2's turn"
    pack.do("next")
    assert "disengaged" not in pack.effects("ghoul-2")


def test_a_restrained_member_frees_itself_in_the_groups_turn(pack: Any) -> None:
    """Monsters & Magic, Conditions (Restrained)."""
    pack.do("inflict ghoul-2,ghoul-3 restrained from brannoc")
    assert [who for who, _ in pack.pending] == ["ghoul-2", "ghoul-3"]
    pack.do("free ghoul-3 restrained")
    assert pack.fatigue("ghoul-3")[0] == 3
    pack.refuses("delay", "Ghoul 3 has already acted")
    pack.do("next")
    pack.refuses("free ghoul-2 restrained", "only in their own turn")


def test_every_dying_member_rolls_and_one_who_wakes_has_the_turn(new_fight: Make) -> None:
    """Monsters & Magic, Death & Dying; a group may be of those who don't die at 0 HP."""
    fight = new_fight(
        "add pc Mira hp 24 luck 2 pb 1",
        "add monster Knight x2 important cr 1 hp 9 exhaustion 2 group",
        "init mira 9",
        "init knight 5",
        "start",
        "damage knight-1,knight-2 9",
        "next",
    )
    assert [who for who, _ in fight.pending] == ["knight-1", "knight-2"]
    fight.do("death knight-1 weak").do("next", faces=[20])
    assert fight.who("knight-2")["life"] == "up" and fight.shown["turn"] == "knight-2"
    fight.do("next")
    assert fight.shown["turn"] == "mira" and fight.track("knight-1", "deathsaves") == 1


def test_a_readied_action_and_a_held_turn_are_the_members_own(pack: Any) -> None:
    pack.do('ready strike "Mira moves" by ghoul-2', "next", "trigger mira miss")
    assert pack.track("ghoul-2", "reaction") == 0
    assert {pack.state.slot(who).group for who in GHOULS} == {"Ghoul"}
    assert pack.effects("ghoul-2") == set()


def test_what_a_dead_member_has_readied_is_asked_for_no_more(pack: Any) -> None:
    """Monsters & Magic, Ready: the dead take no reactions, so one living member has no need to be
    named."""
    pack.do("ready strike by ghoul-1", "ready strike by ghoul-2", "next")
    pack.refuses(
        "trigger brannoc strong 2", "several have readied: say which with `by` ghoul-1 or ghoul-2"
    )
    pack.do("damage ghoul-1 99", "trigger brannoc strong 2")
    assert pack["ghoul-2"].named("readied") is None


def test_a_bent_reaction_kills_the_first_member_in_the_groups_own_turn(pack: Any) -> None:
    """Monsters & Magic, Threads of Fate. It is the same group's turn, whoever of it acts unsaid."""
    pack.do("react opportunity-attack ghoul-1 natural 5 44 by brannoc")
    assert (pack.outcome, pack.shown["turn"]) == ("miss", "ghoul-1")
    pack.do("thread brannoc bend-luck")
    assert pack.who("ghoul-1")["life"] == "dead" and pack.shown["turn"] == "ghoul-2"
    assert pack.notes == ""


def test_dynamic_initiative_rolls_once_for_a_group(pack: Any) -> None:
    """Monsters & Magic, Dynamic Initiative."""
    pack.do("setting dynamic-initiative on", "next").do("next", faces=[14])
    assert {c["initiative"] for c in pack.shown["combatants"] if "group" in c} == {16}
    pack.do("init brannoc 3", "init mira 20", "next", "next")
    assert pack.state.taking_turn() == GHOULS


def test_dynamic_initiative_waits_for_a_character_who_leads_a_group(new_fight: Make) -> None:
    fight = new_fight(
        "add pc Mira hp 24", "add monster Hound side party hp 9", "group mira,hound", "init mira 9"
    )
    fight.do("start", "setting dynamic-initiative on", "next")
    assert fight.pending == [("mira", "Mira's initiative for round 2")]
    fight.do("init mira 12", "next")
    assert fight.state.taking_turn() == ("mira", "hound")


def test_tied_with_a_character_the_group_comes_behind(pack: Any) -> None:
    """Monsters & Magic, Order: on a tie player characters go first."""
    pack.do("init ghoul 5", "next")
    assert [s.who for s in pack.state.slots] == ["brannoc", "mira", *GHOULS]


def test_numbers_a_group_is_added_with_may_be_followed_by_group(new_fight: Make) -> None:
    fight = new_fight(
        'add monster Rat x6 hp 4 ac 1 resist fire attack teeth 1d4 group "Bilge Rats"'
    )
    assert {c["group"] for c in fight.shown["combatants"]} == {"Bilge Rats"}
    assert fight.who("rat-1")["stats"]["attacks"] == [{"name": "teeth", "dice": "1d4"}]


@pytest.mark.parametrize(
    "line, group",
    [
        ("group hp 4", "Rat"),
        ("group important hp 4 ac 1", "Rat"),
        ("group hidden hp 4", "Rat"),
        ("group Bilge hp 4", "Bilge"),
        ('group "hp" hp 4', "hp"),
        ('hp 4 group "hp"', "hp"),
    ],
)
def test_behind_group_numbers_are_numbers_and_no_name(
    new_fight: Make, line: str, group: str
) -> None:
    fight = new_fight(f"add monster Rat x6 {line}")
    assert {c["group"] for c in fight.shown["combatants"]} == {group}
    assert {fight.track(f"rat-{n}", "hp") for n in range(1, 7)} == {4}
