"""A phone at the GM's table: the app, the server beside it, and a browser of a phone's size."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from affray.core.formatting.players_view import players_view
from affray.serve import Address
from affray.serve.server import Board, begin, follow
from affray.serve.table import Table
from affray.store.inbox import Inbox
from affray.store.open_encounter import OpenEncounter
from affray.store.phones import Phones
from screenshots.browser import PATIENCE, SIZES, Page, browser
from screenshots.stage import Stage, stage

CLICKED = """where => {
  window.clicked = null;
  addEventListener("click", ({ target }) => {
    clicked = { at: where.contains(target), html: target.outerHTML.slice(0, 200) };
  }, { capture: true, once: true });
  where.scrollIntoView({ block: "center" });
  const box = where.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""
"""Brings an element into sight, gives its middle, and keeps in `clicked` what a click hits then."""


@dataclass(frozen=True)
class AtTable:
    """The GM's screen and their fight, what the server has of it, and a phone with the page."""

    gm: Stage
    fight: OpenEncounter
    served: OpenEncounter
    phone: Page

    async def tap(self, at: str) -> None:
        """Touch what has this `data-at` on the phone, where it is seen, and wait for its click.

        The click comes some time after the touch, and hits what stands there by then.
        """
        found = f"document.querySelector('[data-at={json.dumps(at)}]')"
        where = f"({found}.closest('label') || {found})"
        await self.phone.until(f"{where}.checkVisibility()")
        x, y = await self.phone.ask(f"({CLICKED})({where})")
        points = [{"x": x, "y": y}]
        await self.phone.do("Input.dispatchTouchEvent", type="touchStart", touchPoints=points)
        await self.phone.do("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        await self.phone.until("clicked !== null")
        assert await self.phone.ask("clicked.at") is True, (
            at,
            await self.phone.ask("clicked.html"),
        )

    async def unfold(self, name: str) -> None:
        """Touch what is folded, unless it is open."""
        fold = f"document.querySelector('[data-at=\"open:{name}\"]')"
        if not await self.phone.ask(f"{fold}.parentElement.open"):
            await self.tap(f"open:{name}")
            await self.phone.until(f"{fold}.parentElement.open")

    async def type(self, at: str, text: str) -> None:
        """Touch a field of the phone, and type into it."""
        await self.tap(at)
        await self.phone.do("Input.insertText", text=text)

    async def press(self, *keys: str) -> None:
        """Press keys of the GM's."""
        await self.gm.pilot.press(*keys)
        await self.gm.pilot.pause()

    async def waits(self) -> None:
        """Wait until a proposal stands on the GM's screen."""
        await until(lambda: bool(self.gm.pilot.app.screen.proposals.decisions))  # type: ignore[attr-defined]

    async def seen(self) -> None:
        """Wait until the phone has what the GM's screen has."""
        await until(lambda: self.served.history.last == self.fight.history.last)
        view = players_view(self.fight.history, self.fight.ruleset)
        up = json.dumps(view.up[0] if view.up else "")
        await self.phone.until(f"document.querySelector('header').innerText.includes({up})")

    @property
    def by_phone(self) -> int:
        """The entries in the log that phones have proposed."""
        return sum(1 for entry in self.fight.history.entries.values() if entry.proposal)


async def until(holds: Callable[[], bool]) -> None:
    """Wait until that is so."""
    async with asyncio.timeout(PATIENCE):
        while not holds():
            await asyncio.sleep(0.02)


@asynccontextmanager
async def served_page(log: Path) -> AsyncIterator[tuple[OpenEncounter, str]]:
    """The page of a fight that others play: what the server has of the fight, and the address.

    No phone is too fast for it.
    """
    clock, seen = count(), OpenEncounter.view(log)
    board = Board(players_view(seen.history, seen.ruleset))
    table = Table(seen, Inbox(log), Phones(log), lambda: float(next(clock)))
    server = await begin(board, "table", Address("127.0.0.1", 0), table)
    following = asyncio.create_task(follow(seen, board, table))
    try:
        yield seen, f"http://127.0.0.1:{server.port}/table/"
    finally:
        following.cancel()
        await server.end()


@asynccontextmanager
async def at_table(
    fight: str, before: tuple[str, ...] = (), size: tuple[int, int] = (120, 40)
) -> AsyncIterator[AtTable]:
    """The table of a fight, `campaign/encounter`, after these commands."""
    async with stage(fight, size, before) as gm:
        assert gm.encounter is not None
        async with served_page(gm.encounter.path) as (seen, url), browser() as phone:
            await phone.do("Emulation.setTouchEmulationEnabled", enabled=True)
            await phone.open(url, *SIZES["phone"])
            yield AtTable(gm, gm.encounter, seen, phone)
