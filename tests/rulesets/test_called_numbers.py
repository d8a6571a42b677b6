"""A number that is called out is the dice and the sheet's own bonuses, as the players see them:
what the situation adds affray adds, and uses up, in every game."""

from __future__ import annotations

import pytest

from affray import Fight

GAMES = {
    "monsters-and-magic": ("ongoing", 'attack "Sword" 1d8 slashing', "strike ghoul strong"),
    "orcus": ("modifier", 'attack "Sword" +5 vs ac 1d8', "attack ghoul hit"),
    "level-up": ("modifier", 'attack "Sword" +5 1d8 slashing', "attack ghoul hit"),
    "5e": ("modifier", 'attack "Sword" +5 1d8 slashing', "attack ghoul hit"),
    "adventure-school": ("modifier", 'attack "Sword" +5 1d8 slashing', "attack ghoul hit"),
}


@pytest.mark.parametrize("game", GAMES)
def test_a_bonus_to_damage_until_used_comes_to_the_number_called_and_is_gone(game: str) -> None:
    verb, weapon, attack = GAMES[game]
    fight = Fight(game, seed=1)
    fight.do(f"add pc Mira hp 30 ac 15 {weapon}", "add monster Ghoul hp 200 ac 0")
    fight.do(f"{attack} 5 by mira")
    usual = 200 - fight["ghoul"].hp
    fight.do(f"{verb} mira +2 damage until used")
    preview = fight.preview(f"{attack} 5 by mira")
    assert "raised by 2" in str(preview.events)
    fight.do(f"{attack} 5 by mira")
    assert 200 - fight["ghoul"].hp == 2 * usual + 2
    assert fight["mira"].effects == []
    fight.do(f"{attack} 5 by mira")
    assert 200 - fight["ghoul"].hp == 3 * usual + 2


@pytest.mark.parametrize("game", ["level-up", "5e", "adventure-school", "orcus"])
def test_a_hit_without_damage_on_the_sheet_says_so(game: str) -> None:
    fight = Fight(game, seed=1)
    fight.do(
        f"add monster Cub hp 9 ac 9 attack Sling +1{' vs ac' * (game == 'orcus')}",
        "add pc Mira hp 30 ac 15",
    )
    assert "no damage on the sheet" in str(fight.do("attack mira hit by cub").events)
    assert "no damage on the sheet" not in str(fight.do("attack mira hit 3 by cub").events)


def test_no_more_than_three_failures_are_counted() -> None:
    fight = Fight("5e", seed=1)
    fight.do(
        "add pc Mira hp 30 ac 15", "damage mira 30", "death mira failure", "death mira failure"
    )
    fight.do("death mira natural 1")
    mira = fight.state["mira"]
    assert (mira.life, mira.track("death_failures")) == ("dead", 3)
