"""A monster's save that a hit asks for is rolled at once, or has the table's die in the command.

SRD 5.2.1: Mastery Properties (Topple), Legendary Resistance; Level Up, Saving Throws.
"""

from __future__ import annotations

import pytest

from affray import Fight, Refused

PEOPLE = (
    "add pc Sefa hp 40 ac 16 str 4 dex 2 con 2 pb 3 attack maul +7 2d6+4 bludgeoning {topple}"
    " attack sling +5 1d4+2",
    "add monster Giant hp 90 ac 13 con 3 legendary-resistance 1 attack claw +5 1d6 slashing"
    " save con dc 12 2d6 poison half power Tail action +6 2d6 save str dc 14 inflicts prone",
    "add monster Ghoul x2 hp 22 ac 12",
    "init sefa 20",
    "init giant 3",
    "init ghoul-1,ghoul-2 2",
    "start",
)
ASKS = ("save con dc 15 inflicts prone", "topple")
GAMES = [("level-up", ASKS[0]), ("5e", ASKS[0]), ("5e", ASKS[1])]


def _fight(game: str, asks: str = ASKS[0]) -> Fight:
    fight = Fight(game, seed=1)
    fight.do(*(line.replace("{topple}", asks) for line in PEOPLE))
    return fight


def _is_prone(fight: Fight, who: str) -> bool:
    return fight.state[who].named("prone") is not None


@pytest.mark.parametrize(("game", "asks"), GAMES)
def test_the_die_of_a_monsters_save_is_called_with_the_hit(game: str, asks: str) -> None:
    fight = _fight(game, asks)
    fight.do("attack giant hit 5 withstand natural 11")
    assert _is_prone(fight, "giant")
    fight.do("undo", "attack giant hit 5 withstand natural 12")
    assert not _is_prone(fight, "giant")
    fight.do("undo", "attack giant natural 3 5 withstand failure")
    assert not _is_prone(fight, "giant")


@pytest.mark.parametrize(("game", "asks"), GAMES)
def test_a_hit_that_asks_no_save_of_a_monster_takes_no_die_of_one(game: str, asks: str) -> None:
    fight = _fight(game, asks)
    for line, why in (
        ("attack giant hit 5 with sling withstand failure", "sling asks no save"),
        ("attack giant miss withstand failure", "a miss asks no save"),
    ):
        with pytest.raises(Refused, match=why):
            fight.do(line)
    fight.do("next")
    for line in ("attack sefa hit 5 withstand failure", "power Tail sefa hit 5 withstand success"):
        with pytest.raises(Refused, match="the save of Sefa waits for its die"):
            fight.do(line)


@pytest.mark.parametrize(("game", "asks"), GAMES)
def test_legendary_resistance_turns_a_save_that_was_called(game: str, asks: str) -> None:
    fight = _fight(game, asks)
    fight.do("attack giant natural 15 5 withstand natural 2", "legendary-resistance giant")
    assert not _is_prone(fight, "giant")


@pytest.mark.parametrize("game", ["5e", "level-up"])
def test_each_target_of_a_power_has_its_die(game: str) -> None:
    fight = _fight(game)
    fight.do("next", "power Tail ghoul-1,ghoul-2 hit 5 withstand failure,success")
    assert (_is_prone(fight, "ghoul-1"), _is_prone(fight, "ghoul-2")) == (True, False)


@pytest.mark.parametrize("game", ["5e", "level-up"])
def test_of_several_targets_those_who_are_missed_need_no_die(game: str) -> None:
    fight = _fight(game)
    fight.do("next", "power Tail ghoul-1,ghoul-2 hit,miss 5 withstand failure")
    assert (_is_prone(fight, "ghoul-1"), _is_prone(fight, "ghoul-2")) == (True, False)
    fight.do("undo", "power Tail ghoul-1,ghoul-2 miss,hit 5 withstand success,failure")
    assert (_is_prone(fight, "ghoul-1"), _is_prone(fight, "ghoul-2")) == (False, True)
    fight.do("undo")
    with pytest.raises(Refused, match="a miss asks no save"):
        fight.do("power Tail ghoul-1,ghoul-2 miss 5 withstand failure")
