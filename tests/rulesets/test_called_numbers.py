"""A number that is called out is the dice and the sheet's own bonuses, as the players see them:
what the situation adds affray adds, and uses up, in every game. DESIGN 1."""

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
