"""Takes the players' page where there is a Chromium: of a phone, a tablet and a television, and a
phone beside the screen of the GM who is about to accept what it proposes."""

from __future__ import annotations

import asyncio
import io
import re
import tempfile
from pathlib import Path

from PIL import Image

from affray.core.formatting.players_view import players_view
from affray.serve import Address
from affray.serve.server import Board, begin
from affray.serve.table import Table
from affray.store.inbox import Inbox
from affray.store.open_encounter import OpenEncounter
from affray.store.phones import Phones, hash_of
from screenshots.at_table import at_table
from screenshots.browser import CHROMIUM, SIZES, Page, browser
from screenshots.drawing import still
from screenshots.stage import clean_surroundings

HERE = Path(__file__).parent
FIGHT = Path("drowned-vale") / "encounters" / "the-sluice-gate.toml"
PLAYED = "tamsin"
BEFORE = (
    "setting players-log shown",
    "setting players-act ask",
    "setting players-health bars",
    "next",
    "damage weir-ogre 9",
)
BESIDE = "beside-the-gm"
GAP = 24
"""Points between the phone and the GM's screen."""
COLOURS = 128
VIEW_BOX = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')


async def take() -> None:
    """All pictures, of the sample fight: a phone and a tablet play Tamsin."""
    with clean_surroundings() as campaigns, OpenEncounter.open(campaigns / FIGHT) as fight:
        fight.do(*BEFORE)
        while fight.state.turn != PLAYED:
            fight.do("next")
        board = Board(players_view(fight.history, fight.ruleset))
        phones = Phones(fight.path)
        table = Table(fight, Inbox(fight.path), phones)
        served = await begin(board, "table", Address("127.0.0.1", 0), table)
        url = f"http://127.0.0.1:{served.port}/table/"
        async with browser() as page:
            await _picture(page, url, "television")
            cookies = await page.do("Network.getCookies", urls=[url])
            phones.grant(hash_of(cookies["cookies"][0]["value"]), PLAYED)
            for name in ("phone", "tablet"):
                await _picture(page, url, name, "me !== null")
        await served.end()


async def _picture(page: Page, url: str, name: str, so_far: str = "true") -> None:
    await _is_dark(page)
    await page.open(url, *SIZES[name])
    await page.until(f"{so_far} && told.childElementCount === 0")
    picture = Image.open(io.BytesIO(await page.picture())).convert("RGB")
    picture.quantize(COLOURS).save(_file(name), optimize=True)


async def _is_dark(page: Page) -> None:
    """Show the page as on a phone that is dark, as the screens of the other pictures are."""
    dark = {"name": "prefers-color-scheme", "value": "dark"}
    await page.do("Emulation.setEmulatedMedia", features=[dark])


async def take_beside() -> None:
    """The GM's screen with a strike that waits, and the phone of the player who proposes it."""
    async with at_table(str(FIGHT.with_suffix("")).replace("/encounters/", "/"), BEFORE) as at:
        await _is_dark(at.phone)
        await at.unfold("play")
        await at.tap("play:Tamsin")
        await at.waits()
        await at.press("ctrl+a")
        await at.phone.until("me !== null")
        while at.fight.state.turn != PLAYED:
            await at.press(":", *"next", "enter")
        await at.seen()
        await at.phone.until("me.call === 'up'")
        strike = await at.phone.ask("me.forms.find(form => form.id === 'do:strike')")
        await at.tap("form:do:strike")
        target = strike["fields"][0]
        await at.tap(f"do:strike/{target['name']}={target['options'][0][0]}")
        await at.type("do:strike/die", "15")
        await at.tap("send:do:strike")
        await at.waits()
        await at.gm.pilot.pause()
        svg = still(at.gm.screen())
        await at.phone.until("me.proposals.length > 0 && told.childElementCount === 0")
        await at.phone.ask("scrollTo(0, 0)")
        phone = Image.open(io.BytesIO(await at.phone.picture())).convert("RGB")
        screen = await _drawn(at.phone, svg)
    phone = phone.resize((phone.width * screen.height // phone.height, screen.height))
    both = Image.new("RGB", (phone.width + GAP + screen.width, screen.height), "white")
    both.paste(phone, (0, 0))
    both.paste(screen, (phone.width + GAP, 0))
    both.quantize(COLOURS).save(_file(BESIDE), optimize=True)


async def _drawn(page: Page, svg: str) -> Image.Image:
    """An SVG as the browser draws it."""
    wide, high = map(float, VIEW_BOX.search(svg).groups())  # type: ignore[union-attr]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "screen.svg"
        file.write_text(svg, "utf-8")
        await page.open(file.as_uri(), round(wide), round(high))
        return Image.open(io.BytesIO(await page.picture())).convert("RGB")


def taken() -> list[Path]:
    """The files of the pictures, taken anew where there is a Chromium; else as they were."""
    if CHROMIUM:
        asyncio.run(take())
        asyncio.run(take_beside())
    else:
        print("no Chromium here: the players' page is as it was")
    return [_file(name) for name in (*SIZES, BESIDE)]


def _file(name: str) -> Path:
    return HERE / f"players-{name}.png"
