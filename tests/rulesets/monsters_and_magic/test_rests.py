"""Rests, and what each gives back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.rulesets.monsters_and_magic.conftest import Fight


@pytest.fixture
def tired(gathered: Fight) -> Fight:
    """Brannoc is hurt and worn, before any fight."""
    return gathered.do("damage brannoc 24", "mark brannoc fatigue 15", "set brannoc threads 0")


def test_no_rest_in_a_fight(fight: Fight) -> None:
    """Seed 004, Rest & Recovery."""
    fight.refuses("rest short", "middle of a fight")


def test_a_short_rest_clears_two_fatigue_for_who_does(tired: Fight) -> None:
    """Seed 004, Short Rest (Clear Fatigue, Tend to Wounds)."""
    tired.do("rest short", "rest short brannoc clear tend 1")
    assert tired.fatigue("brannoc") == (1, 2)
    assert tired.track("brannoc", "hp") == 10 + 7


def test_two_activities_are_the_most(tired: Fight) -> None:
    """Seed 004, Short Rest: choose two."""
    tired.refuses("rest short brannoc clear tend 1 prepare", "time for 2")
    tired.refuses("rest short brannoc tend 3", "2 supplies")
    tired.refuses("rest extended brannoc clear", "expected a downtime activity")


def test_a_long_rest_clears_all_fatigue_and_exhaustion_for_supplies(tired: Fight) -> None:
    """Seed 004, Long Rest (Clear Fatigue)."""
    tired.do("rest long brannoc clear 1")
    assert tired.fatigue("brannoc") == (0, 1)


def test_an_extended_rest_recuperates(tired: Fight) -> None:
    """Seed 004, Extended Rest (Recuperate)."""
    tired.do("rest extended brannoc recuperate")
    assert tired.fatigue("brannoc") == (0, 0)
    assert tired.track("brannoc", "hp") == 30


def test_no_more_than_three_short_rests_in_a_row(tired: Fight) -> None:
    """Seed 004, Short Rest."""
    tired.do("rest short", "rest short", "rest short")
    tired.refuses("rest short", "take a long rest")
    tired.do("rest long", "rest short")


def test_a_long_rest_gives_a_thread_to_who_has_none_and_one_to_the_gm(tired: Fight) -> None:
    """Seed 004, Threads of Fate."""
    tired.do("rest long")
    assert tired.track("brannoc", "threads") == 1
    assert tired.gm_threads == 1
    tired.do("rest long")
    assert tired.track("brannoc", "threads") == 1


def test_holds_last_until_a_long_rest(tired: Fight) -> None:
    """Seed 004, Ongoing, Forward, and Hold."""
    tired.do("hold brannoc arrows 3", "rest short")
    assert tired.track("brannoc", "arrows") == 3
    tired.do("rest long")
    assert tired.track("brannoc", "arrows") == 0


def test_who_prepares_becomes_prepared(tired: Fight) -> None:
    """Seed 004, Short Rest (Prepare)."""
    tired.do("rest short brannoc prepare")
    assert tired.effects("brannoc") == {"prepared"}


@pytest.mark.parametrize(
    "line", ["rest", "rest nap", "rest short nobody", "rest short brannoc nap"]
)
def test_odd_rests_are_refused(tired: Fight, line: str) -> None:
    """DESIGN 3."""
    tired.refuses(line)


def test_two_activities_are_the_most_over_several_lines(tired: Fight) -> None:
    """Seed 004, Short Rest, Long Rest: choose two; Extended Rest: choose one."""
    for kind, most in (("short", 2), ("long", 2), ("extended", 1)):
        what = "recuperate" if kind == "extended" else "clear"
        tired.do(f"rest {kind}", *[f"rest {kind} brannoc {what}"] * most)
        tired.refuses(f"rest {kind} brannoc {what}", f"has had {most}; `rest {kind}` begins")
        tired.do(f"rest {kind}", f"rest {kind} brannoc {what}")


@pytest.mark.parametrize(
    ("lines", "life"),
    [
        (("damage mira 99",), "dying"),
        (("damage mira 99", "death mira strong"), "stable"),
        (("mark mira fatigue 36",), "unconscious"),
        (("inflict mira unconscious until removed",), "unconscious"),
    ],
)
def test_who_is_down_does_nothing_in_a_rest(
    tired: Fight, lines: tuple[str, ...], life: str
) -> None:
    """DESIGN 6: life forbids; seed 004, Rest & Recovery."""
    tired.do(*lines, "rest short")
    for what in ("tend", "clear", "prepare"):
        tired.refuses(f"rest short mira {what}", f"can do nothing in a rest: {life}")
    tired.do("rest short brannoc tend mira 1")
    assert tired.track("mira", "hp") == (24 if life == "unconscious" else 6)
