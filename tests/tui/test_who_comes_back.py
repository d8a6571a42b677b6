"""Who comes late or back is the same one: number, HP, marks, effects, and the ledger's row."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.store.evenings import Evening

from affray.core.parser.errors import Refused
from affray.store.open_encounter import OpenEncounter
from affray.tui.widgets.lookup import LookupPane

GAMES = ("monsters-and-magic", "orcus", "level-up", "5e", "adventure-school", "plain")
PARTY = '[mira]\nname = "Mira"\nhp = 30\n[odo]\nname = "Odo"\nhp = 20\n'
BEGUN = (
    "add party",
    "add ghoul x2",
    "init mira 19",
    "init odo 15",
    "init ghoul-1 9",
    "init ghoul-2 8",
    "start",
)
EVERY_GAME = pytest.mark.parametrize("game", GAMES)
GameOf = Callable[..., Any]


def evening_of(tmp_path: Path, game: str = GAMES[0]) -> Evening:
    """A campaign with a ledger, Mira (1), Odo (2), and ghouls in its bestiary."""
    evening = Evening(tmp_path / "vale", game, PARTY)
    (evening.folder / "bestiary.toml").write_text('[ghoul]\nname = "Ghoul"\nhp = 9\n', "utf-8")
    return evening


def begun(evening: Evening, *lines: str) -> OpenEncounter:
    """The first round of a fight, in which Mira is up."""
    fight = evening.opened("ford")
    for line in (*BEGUN, *lines):
        fight.do(line)
    return fight


def listed(game: Any) -> list[str]:
    """What stands in the list that is open."""
    pane = game.screen.query_one(LookupPane)
    return [" ".join(pane.render_line(y).text.split()) for y in range(pane.size.height)]


@EVERY_GAME
async def test_who_leaves_and_returns_has_the_same_number_hp_and_place(
    tmp_path: Path, game_of: GameOf, game: str
) -> None:
    with begun(evening_of(tmp_path, game), "damage odo 7") as fight:
        async with game_of(fight, (80, 24)) as g:
            before, slot = g.who("odo"), fight.state.slot("odo")
            await g.type("Xodo↵<ctrl+l>")
            first = next(row for row in listed(g) if "Odo" in row or "party" in row)
            assert "Odo" in first and first.split("Odo")[1].startswith(" 13/20 HP")
            await g.type("↵⎋")
            assert g.said.endswith("Odo comes back with 13 of 20 HP")
            assert g.who("odo") == before and fight.state.slot("odo") == slot
            assert fight.state.by_number()[2] == before
            await g.type("u")
            assert fight.state.find("odo") is None and fight.state.gone[0] == before


@EVERY_GAME
async def test_who_was_absent_and_comes_late_is_the_ledgers(
    tmp_path: Path, game_of: GameOf, game: str
) -> None:
    """Evening 1 hurts Odo; in the second fight he comes in the first round, and is hurt more."""
    evening = evening_of(tmp_path, game)
    evening.play("weir", *BEGUN, "damage odo 4", "end")
    with evening.opened("ford") as fight:
        async with game_of(fight) as g:
            await g.type("<ctrl+l>↵⎋Xodo↵")
            fight.do("add ghoul", "init mira 19", "init ghoul 3", "start")
            await g.type("<ctrl+l>odo↵⎋")
            assert "Odo comes back with 16 of 20 HP; initiative not called yet" in g.said
            assert fight.state.numbers["odo"] == 2
            await g.type("-odo↵9↵E↵")
            assert fight.state.phase == "ended"
    with evening.opened("ledger") as ledger:
        assert ledger.state["odo"].track("hp") == 7
        assert [c.id for c in ledger.state.combatants] == ["mira", "odo"]
    assert evening.play("next", "add party")["odo"].track("hp") == 7


async def test_an_absent_one_is_as_the_ledger_has_them_by_now(
    tmp_path: Path, game_of: GameOf
) -> None:
    """A fight was built early; another one hurt him before he comes, or never comes, to it."""
    evening = evening_of(tmp_path)
    for name in ("ford", "bridge"):
        evening.play(name, "add party", "leave odo", "add ghoul", "init mira 19", "init ghoul 3")
    evening.play("weir", *BEGUN, "damage odo 9", "end")
    with evening.opened("ford") as fight:
        async with game_of(fight) as g:
            fight.do("start")
            await g.type("<ctrl+l>↵⎋")
            assert fight.state["odo"].track("hp") == 11
            assert "Odo comes back with 11 of 20 HP" in g.said
    evening.play("bridge", "start", "end")
    with evening.opened("ledger") as ledger:
        assert ledger.state["odo"].track("hp") == 11


async def test_what_ended_while_somebody_was_away_is_over_and_the_rest_goes_on(
    tmp_path: Path, game_of: GameOf
) -> None:
    more = (
        "mark odo fatigue 2",
        "inflict odo weakened until end of mira",
        "inflict odo frightened for 9 turns from ghoul-1",
        "inflict odo restrained from ghoul-2 until freed",
    )
    with begun(evening_of(tmp_path), *more) as fight:
        async with game_of(fight) as g:
            names = {effect.name for effect in g.who("odo").effects}
            assert {"weakened", "frightened", "restrained"} <= names
            await g.type("Xodo↵XGhoul 2↵   <ctrl+l>odo↵⎋")
            assert fight.state.round == 2
            odo = g.who("odo")
            assert odo.track("fatigue") == 2
            assert [effect.name for effect in odo.effects] == ["frightened", "restrained"]


async def test_of_monsters_a_whole_name_is_that_one_and_the_kinds_another(
    tmp_path: Path, game_of: GameOf
) -> None:
    with begun(evening_of(tmp_path), "damage ghoul-2 4", "leave ghoul-2") as fight:
        number = fight.state.numbers["ghoul-2"]
        async with game_of(fight) as g:
            await g.type("<ctrl+l>gho↵")
            assert fight.state["ghoul-3"].track("hp") == 9 and not fight.state.find("ghoul-2")
            await g.type("⎋⎋<ctrl+l>Ghoul 2↵")
            assert fight.state["ghoul-2"].track("hp") == 5
            assert fight.state.numbers["ghoul-2"] == number
            assert "Ghoul 4" not in [c.name for c in fight.state.combatants]


async def test_who_stays_behind_is_said_first_and_comes_along_as_it_suggests(
    tmp_path: Path, game_of: GameOf
) -> None:
    """A guest, and one who is called as somebody of the party is."""
    evening = evening_of(tmp_path)
    with begun(evening, "add pc Odo hp 9", "add pc Guest hp 8", "damage guest 3") as fight:
        async with game_of(fight, (80, 24)) as g:
            await g.type("E↵")
            shown = " ".join(g.line.render_line(y).text for y in range(g.line.size.height))
            assert "Odo 2 and Guest stay behind" in shown and "`keep guest`" in shown
            await g.type(":keep odo-2↵:keep guest↵:carry↵")
    with evening.opened("ledger") as ledger:
        assert ledger.state["guest"].track("hp") == 5 and ledger.state["odo-2"].track("hp") == 9
    assert evening.play("next", "add party")["guest"].track("hp") == 5


async def test_three_fights_with_one_who_is_late_and_leaves(
    tmp_path: Path, game_of: GameOf
) -> None:
    """Whole, then late to the second, then gone from the third in its middle and for good."""
    evening = evening_of(tmp_path)
    for name, keys, left in (
        ("weir", "<ctrl+l>↵gho↵⎋i19↵15↵S-odo↵3↵E↵", 17),
        ("ford", "<ctrl+l>↵gho↵⎋Xodo↵i19↵S<ctrl+l>↵⎋i15↵-odo↵4↵E↵", 13),
        ("gate", "<ctrl+l>↵gho↵⎋i19↵15↵S-odo↵5↵Xodo↵-mira↵2↵E↵", 8),
    ):
        with evening.opened(name) as fight:
            async with game_of(fight, (120, 40)) as g:
                await g.type(keys)
                assert fight.state.phase == "ended", g.said
                slot = fight.state.slot("odo")
                assert slot is not None and slot.initiative == 15
                assert fight.state.numbers["odo"] == 2
        with evening.opened("ledger") as ledger:
            assert ledger.state["odo"].track("hp") == left
            assert len(ledger.state.combatants) == 2


async def test_a_character_with_another_name_here_comes_no_second_time(
    tmp_path: Path, game_of: GameOf
) -> None:
    with begun(evening_of(tmp_path), "damage odo 3", "rename odo Grey Odo") as fight:
        async with game_of(fight) as g:
            await g.type("<ctrl+l>odo↵")
            assert g.said == "Odo is here already; `as NAME` brings in another"
            await g.type("⎋⎋<ctrl+l>↵")
            assert "the party is here already" in g.said
            await g.type("⎋Xgrey↵" if g.screen.sheet_pane.is_open else "Xgrey↵")
            await g.type("<ctrl+l>")
            assert next(row for row in listed(g) if "Odo" in row).startswith("› Grey Odo 17/20 HP")
            await g.type("↵")
            assert g.who("odo").name == "Grey Odo" and g.who("odo").track("hp") == 17


@EVERY_GAME
def test_numbers_typed_with_add_overrule_and_a_second_one_is_no_return(
    tmp_path: Path, game: str
) -> None:
    with begun(evening_of(tmp_path, game), "damage odo 7", "leave odo,ghoul-1") as fight:
        fight.do("add odo hp 11")
        assert fight.state["odo"].track("hp") == 11 and fight.state.numbers["odo"] == 2
        fight.do("leave odo", "add back odo hp 12")
        assert fight.state["odo"].track("hp") == 12
        fight.do("add monster 'Ghoul 1' hp 3 hidden text 'Bigger.'")
        assert fight.state["ghoul-1"].text == "Bigger."
        assert fight.state["ghoul-1"].track("hp") == 3 and fight.state["ghoul-1"].hidden
        with pytest.raises(Refused, match="nobody called 'ghoul-9' has left"):
            fight.do("add back ghoul-9")
        with pytest.raises(Refused, match="there is only one Odo"):
            fight.do("leave odo", "add back odo x2")
