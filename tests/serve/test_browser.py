"""The players' page in a real browser, as a phone and a television have it.

`make browser` runs it; other runs skip it where there is no Chromium.
"""

from __future__ import annotations

import pytest
from screenshots.browser import SIZES, Page, browser

from affray import Fight
from affray.core.formatting.players_view import players_view
from affray.serve import Address
from affray.serve.server import Board, begin

pytestmark = pytest.mark.browser
LONG = "Hieronymus-the-Undefeated-of-the-Far-Lands"


def fight() -> Fight:
    made = Fight("orcus", title="The Ford", seed=1)
    made.do("add pc Mira hp 30 ac 15", f"add pc {LONG[:40]} hp 30", "add monster Ghoul x6 hp 20")
    made.do("add monster Lurker hp 7 hidden", "start", "setting players-health bars")
    return made


def crowd() -> Fight:
    """So many that a television has no room for all; the last of them is up."""
    made = fight()
    made.do("add monster Rat x50 hp 4", "init mira -5")
    while made.state.turn != "mira":
        made.do("next")
    return made


async def seen(page: Page) -> str:
    text = await page.ask("document.body.innerText")
    assert isinstance(text, str)
    return text


async def test_it_fits_follows_and_comes_back_by_itself() -> None:
    made = fight()
    board = Board(players_view(made.history, made.ruleset))
    served = await begin(board, "token", Address("127.0.0.1", 0))
    url = f"http://127.0.0.1:{served.port}/token/"
    async with browser() as page:
        for width, height, scale in SIZES.values():
            await page.open(url, width, height, scale)
            text = await seen(page)
            assert "Ghoul 6" in text and "Lurker" not in text
            assert await page.ask("document.documentElement.scrollWidth") <= width
            await page.until("source.readyState === EventSource.OPEN")
        up = players_view(made.history, made.ruleset).up[0]
        assert await page.ask("document.title") == f"{up} · Round 1 · The Ford"
        assert await page.ask(
            "[...document.querySelectorAll('ol, ul')].every(r => r.role === 'list')"
        )
        made.do("damage ghoul-1 20", 'clock "<b>the bell" 3')
        board.show(players_view(made.history, made.ruleset))
        await page.until("document.body.innerText.includes('<b>the bell')")
        assert "dead" in await seen(page)
        assert page.said == []

        await served.end()
        await page.until("away.textContent === 'Not connected: trying again'")
        made.do("next")
        again = Board(players_view(made.history, made.ruleset))
        back = await begin(again, "token", Address("127.0.0.1", served.port))
        await page.until("away.textContent === '' && told.textContent === 'Connected again'")
        now = players_view(made.history, made.ruleset).up[0]
        await page.until(f"document.querySelector('header strong').innerText.includes('{now}')")
        await back.end()


async def test_whoever_is_up_is_in_sight_on_a_television_that_nobody_scrolls() -> None:
    made = crowd()
    board = Board(players_view(made.history, made.ruleset))
    served = await begin(board, "token", Address("127.0.0.1", 0))
    async with browser() as page:
        await page.open(f"http://127.0.0.1:{served.port}/token/", *SIZES["television"])
        await page.until("scrollY > 0")
        box = "document.querySelector('li.up').getBoundingClientRect()"
        assert await page.ask(f"0 <= {box}.top && {box}.bottom <= innerHeight")
    await served.end()
