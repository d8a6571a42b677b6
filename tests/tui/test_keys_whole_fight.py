"""Four characters against six monsters over five rounds, from an empty file, with keys alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.tui.hands import Table

from affray.core.dice import SeededDice
from affray.store.open_encounter import OpenEncounter

PARTY = (
    ("Ann", 17, "hp 60 ac 2 power 2 luck 1 pb 2"),
    ("Bea", 14, "hp 60 ac 1 cunning 2 luck 2 pb 2"),
    ("Cai", 11, "hp 60 ac 1 focus 2 pb 2"),
    ("Dov", 8, "hp 60 ac 3 power 1 pb 2"),
)
ROUNDS = 5


async def gather(table: Table) -> None:
    """Everybody joins, the players call their initiative, and the fight begins."""
    await table.keys("a")
    for name, _, numbers in PARTY:
        await table.keys(f"pc {name} {numbers}↵")
    await table.keys("monster Wolf x6 cr 1 hp 30 ac 1 attack bite 1d6 piercing↵")
    await table.keys("⎋i" + "".join(f"{initiative}↵" for _, initiative, _ in PARTY))
    for name, initiative, _ in PARTY:
        assert table.game.encounter.state.slot(name.lower()).initiative == initiative
    await table.keys("S")


async def test_five_rounds_of_four_against_six_with_keys_alone(
    played: Callable[..., OpenEncounter], game_of: Callable[..., Any]
) -> None:
    encounter = played("")
    encounter.dice = SeededDice(5)
    async with game_of(encounter, (120, 40)) as game:
        table = Table(game)
        await gather(table)
        before = table.pressed
        while encounter.state.round <= ROUNDS:
            who = encounter.state[encounter.state.turn]
            if who.life != "up":
                await table.keys(" ")
            elif who.kind == "pc":
                await table.keys(
                    f"s{table.first('foes')}s8↵m "
                )  # "strong hit, eight", and a step back
            else:
                await table.keys("s↵ ")  # the app rolls
        turns = sum(slot.turns for slot in encounter.state.slots)
        assert encounter.state.round == ROUNDS + 1 and turns >= 40
        assert (table.pressed - before) / turns < 6, "a turn costs few keys"
        assert any(c.life == "dead" for c in encounter.state.combatants)
        assert any(c.track("hp") < 60 for c in encounter.state.combatants if c.kind == "pc")
        state = encounter.state
        encounter.close()
        with OpenEncounter.open(encounter.path) as again:
            assert [c.tracks for c in again.state.combatants] == [
                c.tracks for c in state.combatants
            ]
