"""A command in the place of another: one undo and the new one, with the dice as they fell."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.fallen_dice import FallenDice

from affray.core.dice import RecordedDie, SeededDice
from affray.core.parser.errors import Refused
from affray.store.open_encounter import OpenEncounter

FIGHT = """
add pc Mira hp 24
add monster Ghoul cr 2 hp 18 attack claws 1d6+2 slashing
init ghoul 9
init mira 3
start
"""


@pytest.fixture
def fight(tmp_path: Path) -> Iterator[OpenEncounter]:
    """Ghoul is up; a 16 and a 5 lie ready."""
    path = tmp_path / "fight.toml"
    with OpenEncounter.create(path, "monsters-and-magic", "Fight", SeededDice(1)) as encounter:
        for line in FIGHT.strip().splitlines():
            encounter.do(line)
        encounter.dice = FallenDice([16, 5])
        yield encounter


def test_the_first_is_taken_back_and_its_dice_fall_again(fight: OpenEncounter) -> None:
    struck = fight.do("strike mira roll")
    dice = fight.dice
    again = fight.do_instead(
        struck.seq, "strike mira roll cover", [RecordedDie(20, 16), RecordedDie(6, 5)]
    )
    assert [e.command for e in fight.history.entries.values()][-2:] == [
        "undo 1",
        "strike mira roll cover",
    ]
    assert fight.history.parents[again.seq] == fight.history.parents[struck.seq]
    assert fight.dice is dice
    with OpenEncounter.view(fight.path) as seen:
        assert [c.tracks for c in seen.state.combatants] == [
            c.tracks for c in fight.state.combatants
        ]


def test_what_is_refused_leaves_the_first_as_it_was(fight: OpenEncounter) -> None:
    struck = fight.do("strike mira roll")
    state, last = fight.state, fight.history.last
    with pytest.raises(Refused, match="nobody here is called"):
        fight.do_instead(struck.seq, "strike nobody roll", [])
    assert fight.state is state and fight.history.last == last


@pytest.mark.parametrize("steps", [1, 2])
def test_what_is_taken_back_already_has_no_place_to_take(fight: OpenEncounter, steps: int) -> None:
    """Neither right behind where it was given nor on another way: it would be decided elsewhere."""
    fight.do("note one")
    struck = fight.do("strike mira roll")
    fight.do(f"undo {steps}")
    fight.do("note another way")
    state, last = fight.state, fight.history.last
    with pytest.raises(Refused, match="already undone"):
        fight.do_instead(struck.seq, "strike mira miss", [])
    assert fight.state is state and fight.history.last == last


def test_all_behind_it_is_taken_back_too(fight: OpenEncounter) -> None:
    struck = fight.do("strike mira roll")
    fight.do("note one")
    fight.do("next")
    fight.do_instead(struck.seq, "strike mira miss", [])
    assert fight.history.entries[fight.history.last - 1].command == "undo 3"
    assert fight.state.turn == "ghoul" and fight.state["mira"].track("hp") == 24


def test_what_would_come_of_it_is_seen_from_where_the_first_was_given(fight: OpenEncounter) -> None:
    struck = fight.do("strike mira roll")
    fight.do("next")
    seen = fight.preview_instead(struck.seq, "strike mira natural 1", SeededDice(1))
    assert seen.before.turn == "ghoul" and seen.state["mira"].track("hp") == 24
