"""Monsters & Magic at the table: an evening on the sample campaign, by keys from end to end.

A day's way, a fight in the dusk, a short rest in a barn, a fight on a bridge with a mount and
somebody falling into deep water, and the night. Monsters & Magic, Playing the Game.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.tui.conftest import RULESET
from tests.tui.hands import Table

from affray.core.dice import SeededDice
from affray.store.open_encounter import OpenEncounter

VALE = Path(__file__).parents[2] / "campaigns" / "drowned-vale"
Play = Callable[..., Any]
PARTY = ("tamsin", "oswin", "pell", "ilse")


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[OpenEncounter]:
    """A new encounter in a copy of the campaign, which is nobody's yet."""
    campaign = tmp_path / "drowned-vale"
    shutil.copytree(VALE, campaign)
    path = campaign / "encounters" / "evening.toml"
    with OpenEncounter.create(path, RULESET, "The Clay Bridge", SeededDice(3)) as encounter:
        yield encounter


class Evening(Table):
    """What is looked at of the party and of the GM's."""

    def of_party(self, track: str) -> list[int]:
        """What each of the party has of a track, in the order of their joining."""
        return [self.game.who(who).track(track) for who in PARTY]

    def effects(self, who: str) -> set[str]:
        return {effect.name for effect in self.game.who(who).effects}

    def gm(self, track: str) -> int:
        return self.game.encounter.state.gm(track)


async def test_an_evening_from_the_road_to_the_night(evening: OpenEncounter, game_of: Play) -> None:
    async with game_of(evening, (120, 40)) as game:
        table = Evening(game)
        await travel(table)
        await fight_in_the_dusk(table)
        await rest_in_the_barn(table)
        await fight_on_the_bridge(table)
        await leave_the_water(table)
        await spend_the_night(table)


async def travel(table: Evening) -> None:
    """A slow day's way, with a letter for each one's luck roll, and what they forage."""
    await table.keys("aparty↵⎋", ";tsPwsmw↵", ";foPsmww↵")
    assert table.game.last == "forage tamsin,oswin,pell,ilse strong,miss,weak,weak"
    assert (table.of_party("fatigue"), table.of_party("exhaustion")) == ([2] * 4, [0] * 4)
    assert table.gm("supplies") == 1
    assert table.of_party("xp") == [0, 1, 1, 0]


async def fight_in_the_dusk(table: Evening) -> None:
    """Two ghouls in dim light, in which all is concealed: −2 on every attack."""
    await table.keys("<f2>light dim↵", "abog-ghoul x2↵⎋", "{tamsin}i17↵13↵21↵9↵⎋")
    await table.keys("{bog-ghoul-1}i15↵⎋", "{bog-ghoul-2}i12↵⎋", "S")
    await table.keys("h16↵ ")  # Pell, strong: unseen
    await table.keys("s{bog-ghoul-1}15⇥9↵")  # Tamsin: 15 + 2 + 2 − 2 is weak
    assert table.game.who("bog-ghoul-1").track("hp") == 18 - (9 // 2 - 2)
    await table.keys("s{bog-ghoul-1}s12↵ ")
    await table.keys("s{oswin}w16↵", "{oswin}l↵")  # hurt by a weak hit, Oswin retaliates
    assert table.game.last == "react retaliate bog-ghoul-1 by oswin"
    await table.keys(" ", "s{bog-ghoul-1}s11↵ ", "s{ilse}s8↵ ")
    await table.keys("s{bog-ghoul-2}18⇥12↵ ")  # Ilse, with her storm-word
    await table.keys("s{bog-ghoul-2}9,15⇥10↵")  # Pell out of hiding: the higher die
    assert [table.game.who(f"bog-ghoul-{n}").life for n in (1, 2)] == ["dead", "dead"]
    await table.keys("E↵", "X{bog-ghoul-1}↵", "X{bog-ghoul-2}↵", "<f2>light bright↵")
    assert table.of_party("hp") == [28, 34 - 3, 24, 22 - 7]
    assert table.game.encounter.state.phase == "ended"


async def rest_in_the_barn(table: Evening) -> None:
    """A short rest under a roof, with time for three things: supplies, preparing, tending."""
    await table.keys("Zssheltered 1↵", "gs↵", "p{oswin}↵", "c↵")  # Pell, who prepares with Oswin
    await table.keys("c↵", "t{ilse}⇥1↵", "⇥")  # Tamsin, who leaves it at two
    await table.keys("c↵", "⎋")  # Oswin
    assert table.of_party("fatigue") == [0, 0, 0, 2]
    assert table.of_party("prepared") == [0, 2, 2, 0]
    assert table.of_party("hp") == [28, 31, 24, 15 + 22 // 4]
    assert table.gm("supplies") == 1 + 2 - 1


BRAMBLE = "monster Bramble side party hp 16 ac 1 speed 50 size large trained"


async def fight_on_the_bridge(table: Evening) -> None:
    """Pell rides at an ogre, is thrown off the bridge, and has a hound upon him in the water."""
    await table.keys(f"a{BRAMBLE}↵weir-ogre↵silt-hound↵⎋", "{tamsin}i15↵12↵19↵8↵⎋")
    await table.keys("{weir-ogre}i17↵⎋", "{silt-hound}i10↵⎋", "{bramble}i3↵⎋", "S")
    await table.keys(";mo{bramble}↵", "s{weir-ogre}15⇥9↵ ")
    assert table.game.encounter.state.turn == "bramble"
    assert table.effects("pell") == {"mounted"}
    await table.keys("m ", "s{pell}s12↵", "c{pell}pro↵", ";sam↵")
    assert table.effects("pell") == {"prone"}
    await table.keys(";fa{pell}30⇥9↵", ";p{pell}u↵ ")
    assert table.effects("pell") == {"prone", "underwater"}
    assert table.game.who("pell").track("hp") == 24 - (12 - 3) - (9 - 3)
    await table.keys("s{weir-ogre}s9↵ ", "s{weir-ogre}12⇥9⇥prepared↵ ")  # 12 + 4 + 2 is strong
    assert table.game.who("weir-ogre").track("hp") == 46 - 3 * (9 - 3)
    assert table.of_party("prepared") == [0, 1, 2, 0]
    await table.keys(";p{silt-hound}u↵", "s{pell}17,4⇥7↵ ")  # prone: of two dice
    assert table.game.who("pell").track("hp") == 9 - (7 - 3)
    await table.keys("CStorm⇥⇥{weir-ogre}s9↵ ")


async def leave_the_water(table: Evening) -> None:
    """No swimmer, Pell strikes with disadvantage under water, and climbs out."""
    await table.keys("s{silt-hound}15,12⇥8↵")  # the lower die, 12 + 3 + 2, is weak
    assert table.game.who("silt-hound").track("hp") == 12 - (8 // 2 - 1)
    await table.keys(";flc⇥10↵", "x{pell}u⇥r↵")
    assert table.effects("pell") == {"climbing"}
    await table.keys("-{weir-ogre}99↵", "-{silt-hound}99↵", "E↵")


async def spend_the_night(table: Evening) -> None:
    """A long rest of all, with watch, wounds and fatigue."""
    assert table.of_party("hp") == [28, 31, 5, 20]
    await table.keys("Zl↵")
    assert table.of_party("prepared") == [0, 0, 0, 0]
    await table.keys("t⇥2↵", "c↵")  # Pell
    await table.keys("ww12↵", "gs↵")  # Tamsin, by the fire, until the others wake
    await table.keys("t⇥1↵", "c↵")  # Oswin
    await table.keys("t⇥1↵", "c↵")  # Ilse
    assert not table.game.line.is_open
    assert table.of_party("hp") == [28, 34, 5 + 2 * (24 // 4), 22]
    assert table.of_party("fatigue") == [0, 0, 0, 0]
    assert (table.gm("supplies"), table.gm("threads")) == (2 - 2 + 2 - 1 - 1, 1)
