"""What a round costs the GM in keys when the players play along: at most half."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from tests.tui.hands import Table
from tests.tui.test_keys_whole_fight import gather

from affray.core.dice import SeededDice
from affray.core.engine.state import Combatant
from affray.serve.table import Table as Phones
from affray.store.inbox import Inbox
from affray.store.open_encounter import OpenEncounter
from affray.store.phones import Phones as Rights

ACCEPT = "<ctrl+a>"
BLOW = {"die": "18", "amount": "8"}
"""A strong hit."""


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFFRAY_DATA", str(tmp_path / "data"))


class AtPhones:
    """The players' phones, one for each character, as the server takes their answers in."""

    def __init__(self, table: Table) -> None:
        self.table, log = table, table.game.encounter.path
        self.inbox, self.rights, self.number = Inbox(log), Rights(log), count()
        self.phones = Phones(table.game.encounter, self.inbox, self.rights)

    async def propose(self, who: str, form: str, **answers: str) -> None:
        """Send one; unless it goes by itself, the GM accepts it with one key."""
        game, phone = self.table.game, who.encode().hex()
        self.rights.grant(phone, who)
        reply = self.phones.propose(
            phone, {"id": str(next(self.number)), "form": form, "answers": answers}
        )
        assert reply.ok, reply.words
        head = game.encounter.history.head
        game.pilot.app.screen.proposals.look()  # type: ignore[attr-defined]
        if self.inbox.waiting():
            await game.type(ACCEPT)
            self.table.pressed += 1
        assert game.encounter.history.head > head and not self.inbox.waiting()


async def keys_of_a_round(
    encounter: OpenEncounter, game_of: Callable[..., Any], acts: str
) -> tuple[int, list[int]]:
    """The keys of a round in which each character strikes twice, and everybody's HP behind it."""
    encounter.dice = SeededDice(5)
    async with game_of(encounter, (120, 40)) as game:
        table = Table(game)
        await gather(table)
        if acts:
            await game.type(f":setting players-act {acts}↵")
        phones, state = AtPhones(table), encounter.state
        table.pressed = 0

        def foe() -> Combatant:
            order = encounter.state.in_order()
            return next(c for c in order if c.side == "foes" and c.life == "up")

        while encounter.state.round == 1:
            who = encounter.state[encounter.state.turn]
            if who.kind != "pc":
                await table.keys("s↵ ")  # the app rolls
            elif acts:
                for _ in range(2):
                    await phones.propose(who.id, "do:strike", target=foe().name, **BLOW)
                await phones.propose(who.id, "turn-end")
            else:
                for _ in range(2):
                    await table.keys(f"s{table.number(foe().id)}s8↵")
                await table.keys(" ")
        hp = [combatant.track("hp") for combatant in encounter.state.combatants]
        assert hp != [combatant.track("hp") for combatant in state.combatants]
        return table.pressed, hp


@pytest.mark.parametrize(("acts", "most"), [("ask", 0.5), ("trusted", 0.45)])
async def test_a_round_of_four_against_six_costs_the_gm_at_most_half_the_keys(
    played: Callable[..., OpenEncounter], game_of: Callable[..., Any], acts: str, most: float
) -> None:
    alone, by_keys = await keys_of_a_round(played(""), game_of, "")
    along, by_phones = await keys_of_a_round(played(""), game_of, acts)
    assert by_keys == by_phones, "it is the same round"
    assert along <= most * alone, f"{along} keys in the place of {alone}"
