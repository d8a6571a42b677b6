"""Grabbing by size, getting free, letting go and dragging. Adventure School, Grab."""

from __future__ import annotations

from typing import Any

import pytest

from affray.core.engine.state import Effect

Fight = Any
OGRE = "add monster Ogre size {} hp 50 ac 12 strength 8"


@pytest.mark.parametrize(
    ("size", "held", "speed", "holder", "own_speed"),
    [
        ("small", {"grabbed", "immobilized", "off-guard"}, 0, {"grabbing"}, 30),
        ("medium", {"grabbed", "immobilized", "off-guard"}, 0, {"grabbing"}, 15),
        ("large", {"grabbed", "off-guard"}, 15, {"grabbing", "immobilized"}, 0),
        ("huge", {"grabbed"}, 30, {"grabbing", "immobilized"}, 0),
        ("giant", {"grabbed"}, 30, {"grabbing", "immobilized"}, 0),
    ],
)
def test_what_a_grab_does_goes_by_the_sizes(
    fight: Fight, size: str, held: set[str], speed: int, holder: set[str], own_speed: int
) -> None:
    """Adventure School, Grab, Size: the table."""
    fight.do(OGRE.format(size), "grab ogre pass", faces=(1,))
    assert fight.effects("ogre") == held
    assert fight.effects("brannoc") == holder
    assert (fight.total("ogre", "speed"), fight.total("brannoc", "speed")) == (speed, own_speed)
    effects = {e["name"]: e for e in fight.who("ogre")["effects"]}
    assert effects["grabbed"]["source"] == "brannoc"
    assert all(e["because"] == "grabbed" for name, e in effects.items() if name != "grabbed")
    fight.do("release")
    assert fight.effects("ogre") == fight.effects("brannoc") == set()
    assert fight.total("brannoc", "speed") == 30


def test_half_a_speed_is_rounded_down_to_5_ft(fight: Fight) -> None:
    """Adventure School, ruling 18: 25 is 10."""
    fight.do("modifier brannoc -5 speed until fight", "grab ghoul-1 pass")
    assert fight.total("brannoc", "speed") == 10
    assert ("halved", "grabbing") in fight.why("brannoc", "speed")


@pytest.mark.parametrize(
    ("size", "dice", "outcome"),
    [
        ("small", "natural 3,15 vs natural 14", "pass"),
        ("large", "natural 12 vs natural 3,14", "fail"),
        ("medium", "natural 12 vs natural 10", "pass"),
    ],
)
def test_the_bigger_one_has_the_advantage(fight: Fight, size: str, dice: str, outcome: str) -> None:
    """Adventure School, Grab."""
    fight.do(OGRE.format(size), "set ogre strength 6", f"grab ogre {dice}", faces=(1,))
    assert fight.outcome == outcome


def test_neither_of_the_same_size_has_advantage(fight: Fight) -> None:
    """Adventure School, Grab: if they are not the same size."""
    fight.refuses("grab ghoul-1 natural 3,15", "there is neither", faces=(4,))


@pytest.mark.parametrize("condition", ["incapacitated", "sleeping"])
def test_the_incapacitated_are_grabbed_without_fail(fight: Fight, condition: str) -> None:
    """Adventure School, Incapacity, Grab."""
    fight.refuses("grab ghoul-1", "expected an outcome")
    fight.do(f"inflict ghoul-1 {condition}", "grab ghoul-1")
    assert fight.outcome == "pass"
    assert "grabbed" in fight.effects("ghoul-1")


def test_who_is_held_already_is_not_grabbed_again(fight: Fight) -> None:
    """7."""
    fight.do("grab ghoul-1 pass")
    fight.refuses("grab ghoul-1 pass", "already")
    fight.refuses("grab brannoc pass", "themself")


@pytest.mark.parametrize("condition", ["stunned", "frozen", "incapacitated", "sleeping"])
def test_a_grab_ends_with_a_holder_who_can_not_act(fight: Fight, condition: str) -> None:
    """Adventure School, Grab: stunned, frozen or incapacitated."""
    fight.do("grab ghoul-1 pass", f"inflict brannoc {condition}")
    assert fight.effects("ghoul-1") == set()
    assert "grabbing" not in fight.effects("brannoc")


@pytest.mark.parametrize("line", ["damage brannoc 99", "leave brannoc", "remove ghoul-1 grabbed"])
def test_a_grab_ends_with_the_holder_and_all_of_it_at_once(fight: Fight, line: str) -> None:
    """Defeated, gone; `remove` for whoever is out of reach."""
    fight.do("grab ghoul-1 pass", line)
    assert fight.effects("ghoul-1") == set()
    assert fight.state.find("brannoc") is None or "grabbing" not in fight.effects("brannoc")


def test_who_no_longer_holds_by_hand_has_let_go(fight: Fight) -> None:
    """A `remove` of either end."""
    fight.do("grab ghoul-1 pass", "remove brannoc grabbing")
    assert fight.effects("ghoul-1") == fight.effects("brannoc") == set()


def test_a_grab_by_hand_does_the_same(fight: Fight) -> None:
    fight.do("inflict ghoul-1 grabbed from brannoc")
    assert fight.effects("ghoul-1") == {"grabbed", "immobilized", "off-guard"}
    assert fight.effects("brannoc") == {"grabbing"}


def test_a_condition_of_its_own_outlasts_the_grab(fight: Fight) -> None:
    """Each instance has its own end."""
    fight.do("inflict ghoul-1 off-guard", "grab ghoul-1 pass", "release ghoul-1")
    assert fight.effects("ghoul-1") == {"off-guard"}


def test_one_can_hold_two_and_let_go_of_one(fight: Fight) -> None:
    """7."""
    fight.do("grab ghoul-1 pass", "inflict ghoul-2 grabbed from brannoc", "release ghoul-1")
    assert (fight.effects("ghoul-1"), fight.total("brannoc", "speed")) == (set(), 15)
    assert fight.option("brannoc", "release")["available"]
    fight.do("release")
    assert fight.effects("ghoul-2") == set()
    fight.refuses("release", "holds nobody")


def test_letting_go_is_free_at_any_time(fight: Fight) -> None:
    """Adventure School, Grab."""
    fight.do("grab ghoul-1 pass", "next")
    fight.refuses("release ghoul-2 by brannoc", "doesn't hold")
    fight.do("release ghoul-1 by brannoc")
    assert fight.effects("ghoul-1") == set()


# -- escape ----------------------------------------------------------------------------------------


def held(fight: Fight) -> Fight:
    """Ghoul 1 is up, held by Brannoc."""
    return fight.do("grab ghoul-1 pass", "next", "next")


def test_escape_takes_the_action_and_a_contest(fight: Fight) -> None:
    """Adventure School, Grab."""
    held(fight).do("escape natural 10 vs natural 9")
    assert (fight.outcome, fight.track("ghoul-1", "action")) == ("fail", 0)
    assert "grabbed" in fight.effects("ghoul-1")
    fight.do("undo", "escape agility natural 15 vs agility natural 9")
    assert (fight.outcome, fight.effects("ghoul-1"), fight.track("ghoul-1", "movement")) == (
        "pass",
        set(),
        30,
    )
    assert fight.total("brannoc", "speed") == 30


def test_escape_may_take_the_whole_move_of_the_immobilized(fight: Fight) -> None:
    """Adventure School, Grab: as a move or action; none of that movement comes back."""
    held(fight).do("escape move pass")
    assert (fight.track("ghoul-1", "action"), fight.track("ghoul-1", "movement")) == (1, 0)
    fight.do("undo", "escape move fail")
    fight.refuses("escape move pass", "movement")
    fight.do("escape pass")


def test_the_whole_move_must_be_untouched(fight: Fight) -> None:
    """Adventure School, Move."""
    held(fight).do("release by brannoc", "move 5", "inflict ghoul-1 grabbed from mira")
    fight.refuses("escape move pass", "some of the movement is used")


def test_escape_is_from_each_who_holds_or_from_the_one_named(fight: Fight) -> None:
    """Adventure School, Grab: a contest against each."""
    held(fight).do("inflict ghoul-1 grabbed from mira")
    fight.do("escape natural 12 vs natural 11 natural 11")  # 17 against 18 and 11
    assert fight.outcome == "pass"
    sources = [e["source"] for e in fight.who("ghoul-1")["effects"] if e["name"] == "grabbed"]
    assert sources == ["brannoc"]
    fight.do("undo", "escape pass from brannoc")
    sources = [e["source"] for e in fight.who("ghoul-1")["effects"] if e["name"] == "grabbed"]
    assert sources == ["mira"]
    fight.refuses("escape pass from brannoc", "isn't grabbed by Brannoc")
    fight.refuses("escape pass", "action used")


def test_there_must_be_something_to_escape_from(fight: Fight) -> None:
    """7."""
    fight.refuses("escape pass", "isn't grabbed")
    fight.do("attack ghoul-1 miss")
    fight.refuses("escape pass", "isn't grabbed")  # before what it would cost
    fight.do("undo")
    assert fight.reason("brannoc", "escape") == "nobody holds it"


def test_who_is_held_by_a_defender_has_no_harder_time(fight: Fight) -> None:
    """Adventure School, Defend: defending helps against being grabbed, not to keep hold."""
    fight.do("defend", "next", "next")
    fight.do("grab brannoc natural 15 vs natural 3,14")
    assert fight.outcome == "fail"  # 20 against 21


# -- dragging --------------------------------------------------------------------------------------


def test_a_holder_drags_along_who_is_no_bigger(fight: Fight) -> None:
    """Adventure School, Drag, Size."""
    fight.do("grab ghoul-1 pass")
    fight.do("move 10 drag")
    assert fight.track("brannoc", "movement") == 5
    assert "dragging Ghoul 1" in fight.history.entries[fight.history.last].text
    fight.do("release")
    fight.refuses("move 5 drag", "holds nobody")


def test_a_larger_one_moves_with_its_holder(fight: Fight) -> None:
    """Adventure School, Grab: a grabbed creature which can move drags you with it."""
    fight.do(OGRE.format("huge"), "grab ogre pass", faces=(1,))
    fight.refuses("move 5 drag", "bigger")
    fight.refuses("move 5", "immobilized")
    fight.do("next", "next", "next", "next", "move 30")
    assert "dragging Brannoc" in fight.history.entries[fight.history.last].text


def test_what_was_moved_stays_moved_through_a_grab(fight: Fight) -> None:
    """Adventure School, Move: the movement that is left after getting free."""
    fight.do("move 20", "inflict brannoc grabbed from ghoul-1")
    assert fight.track("brannoc", "movement") == 0
    fight.do("escape pass")
    assert fight.track("brannoc", "movement") == 10


def test_a_grab_laid_by_hand_is_somebodys(fight: Fight) -> None:
    """What it does goes by the sizes of the two; and who holds is whom one escapes from."""
    for line in ("inflict ghoul-1 grabbed", "inflict ghoul-1 grabbed from ghoul-1"):
        fight.refuses(line, "from NAME")
    fight.do("inflict ghoul-1 grabbed from mira")
    assert "grabbing" in fight.effects("mira")


def test_out_of_a_grab_of_nobodys_one_comes_all_the_same(fight: Fight) -> None:
    """Logs of before have such grabs; to escape must not fail on them."""
    grip = Effect("grabbed", "grabbed", "condition")
    fight.edited("brannoc", effects=(grip,)).do("escape pass")
    assert fight.effects("brannoc") == set()
