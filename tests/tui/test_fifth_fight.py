"""5e at the table: a fight with a drake, by keys, and its pictures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.tui.conftest import play

from affray.store.open_encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.lookup.roster import JoinList
from affray.tui.theme import DARK, styles_of

SIZES = [(80, 24), (120, 40), (200, 60)]
Play = Callable[..., Any]
Played = Callable[..., OpenEncounter]
BED = """\
add pc Brannoc hp 38 ac 18 init 1 level 4 pb 2 str 3 con 2 attack axe +5 1d8+3 slashing
add pc Mira hp 31 ac 15 init 3 level 4 pb 2 dex 3 attack rapier +5 1d8+3 piercing
add pc Odo hp 24 ac 12 init 2 level 4 pb 2 int 4 spell 6 attack staff +4 1d6 bludgeoning
add monster "Cinder Drake" hp 75 ac 17 str 4 size large attack bite +6 2d6+4 piercing
add monster "Ash Ghoul" x2 hp 22 ac 12 attack claws +4 2d4+2 slashing
init brannoc 12
init mira 18
init odo 7
init cinder-drake 15
init ash-ghoul-1,ash-ghoul-2 9
start
"""
PRESSED = {
    "fight": (),
    "attack": ("s", "2"),
    "techniques": ("full_stop",),
    "cast": ("c",),
}


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize("what", PRESSED)
def test_pictures(snap_compare: Any, played: Played, size: tuple[int, int], what: str) -> None:
    fight = played(BED, "The Bed of the Drake", "5e")
    assert snap_compare(AffrayApp(fight), terminal_size=size, press=PRESSED[what])


def test_the_builder_tells_how_hard_the_fight_is_and_would_be(tmp_path: Path) -> None:
    """SRD 5.2.1, Combat Encounter Difficulty."""
    (tmp_path / "encounters").mkdir()
    (tmp_path / "campaign.toml").write_text('ruleset = "5e"\n', "utf-8")
    (tmp_path / "bestiary.toml").write_text('[wolf]\nname = "Wolf"\nhp = 11\ncr = "1/4"\n', "utf-8")
    den = tmp_path / "encounters" / "den.toml"
    with play(den, "add pc Mira hp 9 level 1", ruleset="5e") as fight:
        builder = JoinList(fight.ruleset, fight.state)
        (row,) = builder.rows("wolf 2")
        told = [line.text for line in builder.render_detail(row, 60, styles_of(DARK))]
        assert told[:2] == ["↵ add wolf x2", "Foes: high, 100 XP (low 50, moderate 75, high 100)"]
        fight.do("add wolf")
        builder.take(fight.ruleset, fight.state)
        told = [line.text for line in builder.render_detail(row, 60, styles_of(DARK))]
        assert told[1:3] == [
            "Foes: low, 50 XP (low 50, moderate 75, high 100)",
            "With these: beyond high, 150 XP",
        ]


async def test_a_turn_by_keys(played: Played, game_of: Play) -> None:
    """SRD 5.2.1, Playing the Game, Your Turn: an attack takes the action, and `u` gives it back."""
    fight = played(BED, "The Bed of the Drake", "5e")
    async with game_of(fight, (80, 24)) as game:
        await game.type("s5h8↵")
        assert game.who("ash-ghoul-1").track("hp") == 14
        assert not game.who("mira").track("action")
        await game.type(" ")
        assert fight.state.takes_turn("cinder-drake")
        await game.type("uu")
        assert game.who("ash-ghoul-1").track("hp") == 22
