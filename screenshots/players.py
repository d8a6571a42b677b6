"""Take the players' page as a phone and a television have it; skipped where there is no Chromium.

`python -m screenshots.players` makes players-phone.png and players-television.png.
"""

from __future__ import annotations

import asyncio
import io
from pathlib import Path

from PIL import Image

from affray.core.telling.public.view import public
from affray.serve.address import Address
from affray.serve.running import begin
from affray.serve.server import Board
from affray.store.encounter import OpenEncounter
from screenshots.browser import CHROMIUM, browser
from screenshots.stage import clean_surroundings

HERE = Path(__file__).parent
FIGHT = Path("drowned-vale") / "encounters" / "the-sluice-gate.toml"
SIZES = {"phone": (390, 844, 2), "television": (1920, 1080, 1)}
BEFORE = ("setting players-log shown", "setting players-health bars", "next", "damage weir-ogre 9")
COLOURS = 128


async def take() -> None:
    """Both pictures, of the sample fight."""
    with clean_surroundings() as campaigns:
        with OpenEncounter.open(campaigns / FIGHT) as fight:
            fight.do(BEFORE[0])
            for line in BEFORE[1:]:
                fight.do(line)
            board = Board(public(fight.history, fight.ruleset))
        served = await begin(board, "table", Address("127.0.0.1", 0))
        async with browser() as page:
            for name, (width, height, scale) in SIZES.items():
                url = f"http://127.0.0.1:{served.port}/table/"
                await page.open(url, width, height, scale)
                picture = Image.open(io.BytesIO(await page.picture())).convert("RGB")
                path = HERE / f"players-{name}.png"
                picture.quantize(COLOURS).save(path, optimize=True)
                print(path.name)
        await served.end()


if __name__ == "__main__":
    if CHROMIUM:
        asyncio.run(take())
    else:
        print("there is no Chromium here: the players' page is not taken")
