"""Speeds of every kind, falling, sinking. Monsters & Magic, Movement and Falling."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.rulesets.monsters_and_magic.conftest import Fight

BAT = "add monster Bat cr 1 hp 40 ac 1 speed 10 fly 60 climb 20 swim burrow 15"


@pytest.fixture
def bat(fight: Fight) -> Fight:
    """A bat goes first, before Brannoc."""
    fight.do("end", BAT, "init bat 20", "init brannoc 17", "init mira 12")
    return fight.do("init ghoul-1 10", "init ghoul-2 9", "start")


def said(fight: Fight) -> str:
    return fight.history.entries[fight.history.last].text


@pytest.mark.parametrize(
    ("line", "speeds"),
    [
        ("note plain", (10, 60, 20, 15)),
        ("inflict bat slowed", (5, 30, 10, 7)),
        ("bestow bat hastened", (20, 120, 40, 30)),
        ("inflict bat restrained", (0, 0, 0, 0)),
        ("ongoing bat +10 speed", (20, 70, 30, 25)),
    ],
)
def test_speeds_of_every_kind_are_halved_and_doubled(
    bat: Fight, line: str, speeds: tuple[int, ...]
) -> None:
    """Monsters & Magic, Movement; Conditions & Statuses (Slowed, Hastened, Restrained)."""
    bat.do(line)
    assert tuple(bat.total("bat", name) for name in ("speed", "fly", "climb", "burrow")) == speeds
    assert "swim" not in bat.who("bat")["totals"]  # nobody has said how fast
    assert "fly" not in bat.who("mira")["totals"]


def test_one_moves_by_wing_only_with_wings(bat: Fight) -> None:
    """Monsters & Magic, Movement: flying and burrowing take a speed of that kind."""
    bat.do("move fly up 40")
    assert said(bat) == "Bat flies up to 60 feet, 40 feet above the ground"
    assert bat.effects("bat") == {"flying"}
    bat.do("move up 60", "next")
    assert bat["bat"].effects[0].amount == 60
    bat.refuses("move fly", "Brannoc has no fly speed")
    bat.refuses("move burrow", "Brannoc has no burrow speed")
    bat.refuses("move up 20", "`move fly up 40`")
    bat.do("move climb")
    assert (said(bat), bat.effects("brannoc")) == ("Brannoc climbs", {"climbing"})


def test_who_changes_the_way_is_no_longer_where_it_was(bat: Fight) -> None:
    """Monsters & Magic, Movement."""
    bat.do("move fly", "move climb")
    assert bat.effects("bat") == {"climbing"}
    bat.do("place bat burrowing", "undo", "place bat flying up 30")
    assert bat.effects("bat") == {"flying"}
    bat.do("next", "next", "next", "next", "next", "move walk")
    assert (said(bat), bat.effects("bat")) == ("Bat moves, on the ground again", set())
    bat.refuses("place bat flyin", "flying")


@pytest.mark.parametrize(
    ("feet", "dice", "left"), [(10, 1, 38), (39, 3, 32), (40, 4, 30), (9, 0, 40)]
)
def test_a_fall_deals_a_d6_for_each_ten_feet(bat: Fight, feet: int, dice: int, left: int) -> None:
    """Monsters & Magic, Falling: 1d6 for each 10 feet; less AC 1."""
    bat.do(f"fall bat {feet}", faces=[3, 3, 3, 2][:dice])
    assert bat.track("bat", "hp") == left


def test_the_players_dice_of_a_fall_are_taken(bat: Fight) -> None:
    """Monsters & Magic, Falling."""
    bat.do("fall mira,brannoc 40 15")
    assert (bat.track("mira", "hp"), bat.track("brannoc", "hp")) == (24 - 13, 30 - 11)


@pytest.mark.parametrize(("feet", "turns"), [(580, 0), (581, 2), (2315, 2), (2316, 3), (5280, 3)])
def test_a_long_fall_takes_two_turns_or_three(bat: Fight, feet: int, turns: int) -> None:
    """Monsters & Magic, Falling: 580 feet in a turn, 2,315 in two, 5,280 in three."""
    dice = [1] * (feet // 10)
    bat.do("add monster Rock hp 9999", faces=[1])
    bat.do("init rock 30", "end", "start", faces=[1] * 6)
    bat.do(f"fall rock {feet}", faces=() if turns else dice)
    for turn in range(1, turns + 1):
        while bat.state.turn != "rock":
            bat.do("next")
        assert bat.track("rock", "hp") == 9999
        bat.do("next", faces=dice if turn == turns else ())
    assert bat.track("rock", "hp") == 9999 - feet // 10
    assert bat.effects("rock") == set()


def test_the_players_dice_of_a_long_fall_wait_for_its_end(bat: Fight) -> None:
    """Monsters & Magic, Falling: what is in the air yet can be caught."""
    bat.do("fall bat 600 9", "fall mira 600 20")
    assert (bat.track("mira", "hp"), bat.effects("mira")) == (24, {"falling"})
    hp = bat.track("bat", "hp")
    bat.do("next", "next", "next", "next", "next", "move fly")
    assert (bat.effects("bat"), bat.track("bat", "hp")) == ({"flying"}, hp)
    while "falling" in bat.effects("mira"):
        bat.do("next")
    assert bat.track("mira", "hp") == 24 - 18


def test_no_rule_tells_of_a_deeper_fall(bat: Fight) -> None:
    """Monsters & Magic, Falling: up to a mile."""
    bat.refuses("fall bat 5281", "5280 feet at most")


def test_a_long_fall_is_broken_by_wings(bat: Fight) -> None:
    """Monsters & Magic, Falling, Movement."""
    bat.do("fall bat 2000")
    assert bat.effects("bat") == {"falling"}
    bat.do("next")
    assert bat.notes == "Bat has fallen 580 feet, with 1420 to go"
    bat.do("next", "next", "next", "next", "move fly")
    assert bat.effects("bat") == {"flying"}


def test_outside_of_a_fight_a_fall_is_over_at_once(gathered: Fight) -> None:
    """Monsters & Magic, Falling."""
    gathered.do("fall ghoul-1 600", faces=[1] * 60)
    assert gathered["ghoul-1"].life == "dead"


@pytest.mark.parametrize("way", ["flying", "climbing"])
@pytest.mark.parametrize("condition", ["restrained", "unconscious"])
def test_flyers_and_climbers_fall_when_they_are_held(bat: Fight, way: str, condition: str) -> None:
    """Monsters & Magic, Movement: if it becomes restrained or unconscious, it falls."""
    bat.do(f"place bat {way} up 30", f"inflict bat {condition}")
    assert way not in bat.effects("bat") and "falling" in bat.effects("bat")
    assert ("bat", "Bat falls 30 feet") in bat.pending
    bat.do("next", faces=[2, 2, 2])
    assert (bat.track("bat", "hp"), "falling" in bat.effects("bat")) == (35, False)


def test_how_far_may_be_said_when_it_falls(bat: Fight) -> None:
    """Monsters & Magic, Movement, Falling."""
    bat.do("move fly", "inflict bat restrained")
    assert ("bat", "Bat falls: how far? `fall NAME FEET`") in bat.pending
    bat.do("fall bat 20 7")
    assert (bat.track("bat", "hp"), bat.effects("bat")) == (34, {"restrained"})


def test_slowed_or_prone_flyers_stay_up(bat: Fight) -> None:
    """Monsters & Magic, Movement: restrained or unconscious, and nothing else."""
    bat.do("move fly", "inflict bat slowed", "inflict bat prone", "inflict bat stunned")
    assert "flying" in bat.effects("bat")


def test_swimmers_sink(bat: Fight) -> None:
    """Monsters & Magic, Movement: restrained or unconscious, a swimmer sinks."""
    bat.do("move swim", "inflict bat restrained")
    assert bat.effects("bat") == {"restrained", "sinking"}
    bat.do("remove bat restrained", "move swim")
    assert bat.effects("bat") == {"swimming"}


def test_burrowers_stay_where_they_are(bat: Fight) -> None:
    """Monsters & Magic, Movement."""
    bat.do("move burrow", "inflict bat restrained")
    assert bat.effects("bat") == {"burrowing", "restrained"}
