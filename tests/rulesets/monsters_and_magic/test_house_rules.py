"""A campaign's own effects: the tracks that they name are marked and cleared as those go."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from affray.core.rules.tables import read_tables

if TYPE_CHECKING:
    from tests.rulesets.monsters_and_magic.conftest import Fight


def with_effect(fight: Fight, **row: object) -> Fight:
    """The fight in a campaign that has a condition `cursed`."""
    tables = fight.ruleset.tables.merged(read_tables({"effects": {"cursed": row}}))
    fight.ruleset = replace(fight.ruleset, tables=tables)
    return fight


@pytest.mark.parametrize(
    ("at_start", "track", "before", "after"),
    [
        ({"hp": 2}, "hp", 24, 22),
        ({"hp": -2}, "hp", 20, 22),
        ({"hp": -9}, "hp", 20, 24),
        ({"fatigue": 2}, "fatigue", 0, 2),
        ({"fatigue": -1}, "fatigue", 3, 2),
        ({"exhaustion": 1}, "exhaustion", 1, 2),
        ({"exhaustion": -1}, "exhaustion", 1, 0),
        ({"threads": 1}, "threads", 1, 0),
        ({"threads": -1}, "threads", 0, 1),
        ({"ap": 1}, "ap", 3, 2),
        ({"xp": 1}, "xp", 0, 1),
        ({"luck": 1}, "fatigue", 0, 0),
    ],
)
def test_a_turns_start_moves_the_track_that_is_named(
    fight: Fight, at_start: dict[str, int], track: str, before: int, after: int
) -> None:
    """At a turn's start: mark, recover."""
    with_effect(fight, at_start=at_start)
    fight.do(f"set mira {track} {before}", "inflict mira cursed", "next")
    assert fight.track("mira", track) == after
    others = {"hp": 24, "fatigue": 0, "exhaustion": 0} | {track: after}
    assert {name: fight.track("mira", name) for name in others} == others


def test_hp_lost_at_a_turns_start_meet_no_armor_and_may_fell(fight: Fight) -> None:
    """Monsters & Magic, Death & Dying: HP come down to 0, whatever takes them."""
    with_effect(fight, at_start={"hp": 3, "fatigue": 1})
    fight.do("set mira hp 3", "temp mira 1", "inflict mira cursed", "next")
    assert (fight.track("mira", "hp"), fight.track("mira", "temp_hp")) == (1, 0)
    fight.do("set mira hp 3", "inflict mira cursed extend", *["next"] * 4)
    assert fight["mira"].life == "dying"


def test_what_a_dead_monster_had_does_nothing_more_to_it(fight: Fight) -> None:
    """Monsters & Magic, Death & Dying."""
    with_effect(fight, at_start={"hp": 30, "fatigue": 1})
    fight.do("inflict ghoul-1 cursed", "next", "next")
    assert (fight["ghoul-1"].life, fight.track("ghoul-1", "fatigue")) == ("dead", 0)


@pytest.mark.parametrize(
    ("escape", "track", "after"),
    [({"hp": 5}, "hp", 25), ({"ap": 2}, "ap", 1), ({"threads": 1}, "threads", 1)],
)
def test_getting_free_costs_the_track_that_is_named(
    fight: Fight, escape: dict[str, int], track: str, after: int
) -> None:
    """Monsters & Magic, Conditions (Restrained): the price of getting free."""
    with_effect(fight, escape=escape).do("inflict brannoc cursed", "free brannoc cursed")
    assert fight.track("brannoc", track) == after
    assert fight.effects("brannoc") == set()
    assert fight.fatigue("brannoc") == (0, 0)


def test_a_price_that_cant_be_paid_is_refused(fight: Fight) -> None:
    with_effect(fight, escape={"threads": 3}).do("inflict brannoc cursed from ghoul-1")
    fight.refuses("free brannoc cursed", "has 2 threads, not 3")


def test_the_holder_keeps_the_grip_at_the_same_price(fight: Fight) -> None:
    """Monsters & Magic, Conditions (Restrained): they can mark the same."""
    with_effect(fight, escape={"hp": 4}).do("inflict brannoc cursed from ghoul-1")
    fight.do("free brannoc cursed prevented")
    assert (fight.track("brannoc", "hp"), fight.track("ghoul-1", "hp")) == (26, 14)
    assert fight.effects("brannoc") == {"cursed"}


def test_mark_takes_from_what_counts_what_is_left(fight: Fight) -> None:
    """Mark and clear, by the track's own way of counting."""
    fight.do("mark brannoc ap 2", "mark brannoc threads", "clear brannoc threads")
    assert (fight.track("brannoc", "ap"), fight.track("brannoc", "threads")) == (1, 2)
    fight.do("mark brannoc xp 2", "clear brannoc xp", "clear brannoc ap 9")
    assert (fight.track("brannoc", "xp"), fight.track("brannoc", "ap")) == (1, 3)


def test_the_third_deathsave_that_is_marked_stabilises(fight: Fight) -> None:
    """Monsters & Magic, Death & Dying: accumulating 3-deathsave."""
    fight.do("damage brannoc 99", "mark brannoc deathsaves 2")
    assert (fight["brannoc"].life, fight.track("brannoc", "deathsaves")) == ("dying", 2)
    fight.do("mark brannoc deathsaves")
    assert (fight["brannoc"].life, fight.track("brannoc", "deathsaves")) == ("stable", 0)
