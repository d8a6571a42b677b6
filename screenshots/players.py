"""Takes the players' page as a phone and a television have it, where there is a Chromium."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path

from PIL import Image

from affray.core.formatting.players_view import players_view
from affray.serve import Address
from affray.serve.server import Board, begin
from affray.store.open_encounter import OpenEncounter
from screenshots.browser import CHROMIUM, SIZES, browser
from screenshots.stage import clean_surroundings

HERE = Path(__file__).parent
FIGHT = Path("drowned-vale") / "encounters" / "the-sluice-gate.toml"
BEFORE = ("setting players-log shown", "setting players-health bars", "next", "damage weir-ogre 9")
COLOURS = 128


async def take() -> None:
    """Both pictures, of the sample fight."""
    with clean_surroundings() as campaigns:
        with OpenEncounter.open(campaigns / FIGHT) as fight:
            fight.do(BEFORE[0])
            for line in BEFORE[1:]:
                fight.do(line)
            board = Board(players_view(fight.history, fight.ruleset))
        served = await begin(board, "table", Address("127.0.0.1", 0))
        async with browser() as page:
            for name, (width, height, scale) in SIZES.items():
                url = f"http://127.0.0.1:{served.port}/table/"
                await page.open(url, width, height, scale)
                picture = Image.open(io.BytesIO(await page.picture())).convert("RGB")
                picture.quantize(COLOURS).save(_file(name), optimize=True)
        await served.end()


def taken() -> list[Path]:
    """The files of both pictures, taken anew where there is a Chromium; else as they were."""
    if CHROMIUM:
        asyncio.run(take())
    else:
        print("no Chromium here: the players' page is as it was")
    return [_file(name) for name in SIZES]


def _file(name: str) -> Path:
    return HERE / f"players-{name}.png"
