"""An area by keys: whom, each one's save, the damage once; one act with its price, in every game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from affray.tui.widgets.prompt import PromptWidget

Play = Callable[..., Any]

MONSTERS_AND_MAGIC = """
add pc Mira hp 24 ac 2 power 0 cunning 3 focus 2 luck 2 pb 1 \
attack burst 3d6 fire spell save cunning dc 13 half attack spark 1d6 fire spell
add pc Odo hp 24 ac 2 power 0 cunning 3 focus 2 luck 2 pb 1
add monster Ghoul x3 cr 2 hp 38 ac 2 fatigue 3 exhaustion 2 attack bite 1d8 \
attack "Rot Breath" 4d6 acid natural save power dc 12 half powers "Rot Breath" ap 2
init mira 18
init odo 15
init ghoul-1 10
init ghoul-2 9
init ghoul-3 8
start
"""
KEYS = [
    ("monsters-and-magic", MONSTERS_AND_MAGIC, "Cbu⇥⇥Fmws12↵", 'cast "burst" at ghoul-1,ghoul-2,ghoul-3 miss,weak,strong 12'),
    ("monsters-and-magic", MONSTERS_AND_MAGIC, "Cbu↵Fmws12↵", 'cast "burst" at ghoul-1,ghoul-2,ghoul-3 miss,weak,strong 12'),
    ("monsters-and-magic", MONSTERS_AND_MAGIC, "Cbu⇥2⇥F↵12↵", 'cast "burst" ap 2 at ghoul-1,ghoul-2,ghoul-3 roll 12'),
    ("monsters-and-magic", MONSTERS_AND_MAGIC, "Cice⇥2⇥FScHmws12c↵", ''),
    ("monsters-and-magic", MONSTERS_AND_MAGIC, "Cice⇥2⇥3,4,5ScHmws12c↵", ''),
    ("monsters-and-magic", MONSTERS_AND_MAGIC, "Cice⇥⇥FSc↵12↵", ''),
    ("monsters-and-magic", MONSTERS_AND_MAGIC, "Cbu⇥⇥Fm12↵", ''),
    ("monsters-and-magic", MONSTERS_AND_MAGIC, "Cbu⇥⇥Fs↵", ''),
    ("monsters-and-magic", MONSTERS_AND_MAGIC, "Cbu⇥⇥2,3↵12↵", ''),
    ("monsters-and-magic", MONSTERS_AND_MAGIC+"next\nnext\n", "p1,2↵", ''),
    ("monsters-and-magic", MONSTERS_AND_MAGIC+"next\nnext\n", "p1,2↵↵", ''),
    ("monsters-and-magic", MONSTERS_AND_MAGIC+"next\nnext\n", "p1,2ws20↵", ''),
    ("monsters-and-magic", MONSTERS_AND_MAGIC, "Csp⇥⇥3s4↵", ''),
    ("monsters-and-magic", MONSTERS_AND_MAGIC, "Csp⇥⇥3m", ''),
]


@pytest.mark.parametrize(("game", "fight", "keys", "command"), KEYS)
async def test_an_area_is_one_act(
    played: Play, game_of: Play, game: str, fight: str, keys: str, command: str
) -> None:
    async with game_of(played(fight, ruleset=game), (120, 40)) as screen:
        await screen.type(keys)
        print("\n", len(keys), keys, "|", screen.last, "|", screen.row(PromptWidget).strip(), "|", screen.row(PromptWidget, 1).strip())
