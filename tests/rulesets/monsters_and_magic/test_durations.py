"""When effects end: turns, rounds, rests, fights, and whoever leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.rulesets.monsters_and_magic.conftest import Fight


@pytest.mark.parametrize(
    ("clause", "words"),
    [
        ("", "end of ghoul-1's next turn"),
        ("for 1 turn", "end of ghoul-1's next turn"),
        ("for 2 turns", "end of ghoul-1's 2nd turn from now"),
        ("until start of mira", "start of mira's next turn"),
        ("until the start of mira's next turn", "start of mira's next turn"),
        ("until end of mira", "end of mira's next turn"),
        ("until end of brannoc", "end of brannoc's next turn"),
        ("until end of round 3", "end of round 3"),
        ("until the end of round 3", "end of round 3"),
        ("until start of round 3", None),
        ("until end of round", None),
        ("until round 3", "end of round 3"),
        ("until round 3 ends", "end of round 3"),
        ("until rest", "until a rest"),
        ("until a rest", "until a rest"),
        ("until fight", "until the fight ends"),
        ("until the fight ends", "until the fight ends"),
        ("until the end of combat", "until the fight ends"),
        ("until end of the fight", "until the fight ends"),
        ("until freed", "until freed"),
        ("until removed", "until removed"),
        ("from brannoc for 2 turns", "end of ghoul-1's 2nd turn from now"),
        ("for 2 turns from brannoc", "end of ghoul-1's 2nd turn from now"),
    ],
)
def test_how_an_end_is_said(fight: Fight, clause: str, words: str | None) -> None:
    line = f"inflict ghoul-1 weakened {clause}".strip()
    if words is None:
        fight.refuses(line, "nobody here is called 'round'")
        return
    fight.do(line)
    assert fight.until("ghoul-1", "weakened") == words
    if "from" in clause:
        assert fight["ghoul-1"].effects[0].source == "brannoc"


def test_for_two_turns_is_the_end_of_the_second_next_turn(fight: Fight) -> None:
    """Monsters & Magic, ruling 30."""
    fight.do("inflict mira weakened for 2 turns", *["next"] * 5)
    assert "weakened" in fight.effects("mira")
    fight.do("next")
    assert "weakened" not in fight.effects("mira")


def test_in_ones_own_turn_the_next_turn_is_a_round_away(fight: Fight) -> None:
    """Monsters & Magic, Conditions & Statuses: until the end of a creature's next turn."""
    fight.do("inflict brannoc weakened", "next")
    assert "weakened" in fight.effects("brannoc")
    fight.do(*["next"] * 4)
    assert "weakened" not in fight.effects("brannoc")


def test_until_the_start_of_a_turn(fight: Fight) -> None:
    fight.do("inflict ghoul-1 weakened until start of mira")
    assert "weakened" in fight.effects("ghoul-1")
    fight.do("next")
    assert "weakened" not in fight.effects("ghoul-1")


@pytest.mark.parametrize("gone", ["leave mira", "damage mira 99"])
def test_the_slot_of_who_has_gone_keeps_ticking(fight: Fight, gone: str) -> None:
    """A slot in the order keeps ticking after its owner has gone."""
    fight.do(
        "inflict ghoul-1 weakened until end of mira",
        "inflict ghoul-2 weakened until end of ghoul-1",
    )
    fight.do(gone, "damage ghoul-1 1", "next")
    while fight.shown["turn"] == "mira":
        fight.do("next", faces=[9] if gone.startswith("damage") else ())  # the dying roll luck
    assert "weakened" not in fight.effects("ghoul-1")


def test_the_turns_of_the_dead_are_counted(fight: Fight) -> None:
    """A slot in the order keeps ticking after its owner has gone."""
    fight.do("inflict brannoc weakened until end of ghoul-1", "damage ghoul-1 99", "next", "next")
    assert fight.shown["turn"] == "ghoul-2"
    assert "weakened" not in fight.effects("brannoc")


def test_a_round_ends_its_effects(fight: Fight) -> None:
    """Until the end of a round."""
    fight.do("inflict mira weakened until round 1", *["next"] * 3)
    assert "weakened" in fight.effects("mira")
    fight.do("next")
    assert "weakened" not in fight.effects("mira")


def test_the_end_of_the_fight_ends_what_turns_would_end(fight: Fight) -> None:
    """Monsters & Magic, Conditions & Statuses: or after 6 seconds."""
    fight.do(
        "inflict mira weakened", "inflict mira blinded until rest", "inflict mira prone", "end"
    )
    assert fight.effects("mira") == {"blinded", "prone", "slowed"}
    assert fight.shown["phase"] == "ended"


def test_one_undo_takes_back_a_whole_turns_end(fight: Fight) -> None:
    """Whatever a turn's end sets off belongs to the entry that caused it."""
    fight.do("inflict mira doomed", "inflict brannoc weakened until end of brannoc", "move")
    before = fight.shown["combatants"], fight.shown["turn"]
    fight.do("next")
    assert fight.fatigue("mira") == (1, 0)
    fight.do("undo")
    assert (fight.shown["combatants"], fight.shown["turn"]) == before


def test_effects_of_one_who_left_are_gone_with_them(fight: Fight) -> None:
    """What hangs on a source ends with it."""
    fight.do("inflict mira frightened from ghoul-1", "leave ghoul-1")
    assert fight.total("mira", "check") == 0


@pytest.mark.parametrize("pool", ["4d6 slow", "4d6", "3 rounds", "5"])
def test_clocks_stand_beside_the_fight(fight: Fight, pool: str) -> None:
    fight.do(f'clock "the bridge falls" {pool}')
    assert fight.shown["clocks"][0]["name"] == "the bridge falls"


def test_a_pool_is_rolled_each_round_and_a_six_leaves_it(fight: Fight) -> None:
    """Of `clock 4d6 slow`."""
    fight.do('clock "the bridge falls" 4d6 slow', *["next"] * 3)
    fight.do("next", faces=[6, 5, 6, 1])
    assert fight.shown["clocks"][0]["value"] == 2


def test_two_durations_at_once_are_refused(fight: Fight) -> None:
    """What is said is never dropped without a word."""
    fight.refuses("inflict ghoul-1 weakened for 2 turns until start of mira", "one duration")
