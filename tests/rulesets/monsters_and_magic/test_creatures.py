"""What `add` makes of a creature's words, as the log keeps it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from affray.core.parser.errors import Refused
from affray.rulesets.monsters_and_magic.sheet import Attack, attacks_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.rulesets.monsters_and_magic.conftest import Fight


def test_attacks_are_kept_as_tables(new_fight: type[Fight]) -> None:
    """A GM can read the log, and edit it."""
    fight = new_fight(
        'add monster Ogre cr 4 hp 40 attack "tree | trunk" 2d8+3 bludgeoning attack rock 1d10 '
        "ranged bludgeoning attack gaze d6 spell psychic attack fist 1d4 speed 25 spell 3"
    )
    assert fight["ogre"].stats["attacks"] == [
        {"name": "tree | trunk", "dice": "2d8+3", "type": "bludgeoning"},
        {"name": "rock", "dice": "1d10", "tags": ["ranged"], "type": "bludgeoning"},
        {"name": "gaze", "dice": "1d6", "tags": ["spell"], "type": "psychic"},
        {"name": "fist", "dice": "1d4"},
    ]
    assert attacks_of(fight["ogre"])[1] == Attack("rock", "1d10", "bludgeoning", ("ranged",))
    assert (fight["ogre"].stats["speed"], fight["ogre"].stats["spell"]) == (25, 3)


@pytest.mark.parametrize(
    "attacks",
    [
        "claw|1d6",
        ["claw|1d6|slashing"],
        [{"name": "claw"}],
        [{"name": "claw", "dice": "many"}],
        [{"name": 3, "dice": "1d6"}],
        {"name": "claw", "dice": "1d6"},
    ],
)
def test_an_attack_that_makes_no_sense_is_none(fight: Fight, attacks: object) -> None:
    """What a GM edits is read; what is odd counts as nothing."""
    fight.edited("ghoul-1", stats={"cr": 2, "attacks": attacks})
    assert attacks_of(fight["ghoul-1"]) == ()


def test_attacks_are_no_number_that_set_could_write(fight: Fight) -> None:
    fight.do("add monster Rat hp 4 attack bite 1d4", faces=[3])
    fight.refuses("set rat attacks bite", "expected one of their tracks")
    fight.refuses("add monster Bat hp 4 attack bite many", "many")


def test_a_word_of_an_attack_that_stands_elsewhere_is_refused(
    new_fight: Callable[..., Fight],
) -> None:
    with pytest.raises(Refused, match="right after its name"):
        new_fight("add monster Imp hp 9 attack claw 1d6 fire ranged 12 ranged")
