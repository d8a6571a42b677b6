"""Make all pictures of the README: the real app, on copies of the sample campaigns.

`make screenshots` runs it. Each screen is taken at three sizes, as SVG, and as PNG where
`rsvg-convert` is installed; a round of a fight is taken as one moving SVG, and the players' page
where Chromium is. Names as arguments take only the pictures of those screens. A picture that is no
longer made goes.
"""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from PIL import Image

from affray.tui.screens import fight_layout
from screenshots.a_round import play
from screenshots.drawing import moving, still
from screenshots.players import taken
from screenshots.stage import stage

HERE = Path(__file__).parent
SIZES = ((80, 24), (120, 40), (200, 60))
COLOURS = 64
"""A screen has some twenty; the rest smooths the letters."""
ROUND = HERE / "round.svg"
GATE, BELL = "drowned-vale/the-sluice-gate", "drowned-vale/the-drowned-bell"
KILN, STAIR = "kiln-road/the-ninth-kiln", "kiln-road/smoke-on-the-stair"
DRAKE = "ash-road/the-bed-of-the-drake"
TERM = "winter-term/the-frozen-conservatory"
GALE, RIVER = "salt-stair/the-bell-in-the-gale", "night-ferry/mid-river"


CROWD = (
    *("add bog-ghoul x12", "add silt-hound x12", "add leech-carpet x12", "add tithe-taker x4"),
    *("init roll all", "start", "damage bog-ghoul-1,bog-ghoul-2,pell 9", "inflict pell prone"),
    *("next", "mark tamsin fatigue 4", "inflict silt-hound-3 frightened from pell", "next"),
)
"""To the ten of the prepared fight, who make it fifty, and what happens to some of them."""


@dataclass(frozen=True)
class Scene:
    """A screen to be taken.

    name    what its pictures are called
    keys    the keys pressed before it
    fight   the campaign and the encounter; empty for the list of fights
    before  the commands given before the fight is opened
    sizes   those at which it is taken
    across  whether it stands as a small window has it, the order over the whole width: what was
            weighed for larger ones, and not taken (docs/measurements.md)
    """

    name: str
    keys: str = ""
    fight: str = GATE
    before: tuple[str, ...] = ()
    sizes: tuple[tuple[int, int], ...] = SIZES
    across: bool = False


SCENES = (
    Scene("fight"),
    Scene("orcus", fight=KILN),
    Scene("level-up", fight=GALE),
    Scene("adventure-school", fight=TERM),
    Scene("5e", fight=DRAKE),
    Scene("plain", fight=RIVER),
    Scene("prompt", "s 7 s 8"),
    Scene("command", "colon i n f l i c t space"),
    Scene("help", "question_mark"),
    Scene("rules", "slash r e s t r"),
    Scene("why", "w"),
    Scene("undo", "ctrl+u"),
    Scene("home", fight=""),
    Scene("palette", "ctrl+p"),
    Scene("group", fight=STAIR, before=("init roll all", "start")),
    Scene("crowd", fight=BELL, before=CROWD),
    Scene("across", sizes=((120, 40),), across=True),
)


async def take(scene: Scene, size: tuple[int, int]) -> str:
    """The picture of a scene as SVG."""
    below = (size[0] + 1, size[1]) if scene.across else fight_layout.COMPACT_BELOW
    with patch.object(fight_layout, "COMPACT_BELOW", below):
        return await _taken(scene, size)


async def _taken(scene: Scene, size: tuple[int, int]) -> str:
    async with stage(scene.fight, size, scene.before) as shown:
        await shown.pilot.press(*scene.keys.split())
        await shown.pilot.pause()
        return still(shown.screen())


def made(names: list[str]) -> Iterator[Path]:
    """Make the pictures of these scenes, or all of them, and the round; gives their files."""
    for scene in SCENES:
        for width, height in scene.sizes:
            if not names or scene.name in names:
                svg = HERE / f"{scene.name}-{width}x{height}.svg"
                svg.write_text(asyncio.run(take(scene, (width, height))), "utf-8")
                yield svg
                if shutil.which("rsvg-convert"):
                    yield _as_png(svg)
    if not names or ROUND.stem in names:
        ROUND.write_text(moving(asyncio.run(play())), "utf-8")
        yield ROUND
    if not names or "players" in names:
        yield from taken()


def _as_png(svg: Path) -> Path:
    """The same in points, with so few colours that it is a quarter as large."""
    png = svg.with_suffix(".png")
    subprocess.run(["rsvg-convert", "-o", png, svg], check=True)
    with Image.open(png) as image:
        image.convert("RGBA").quantize(COLOURS, Image.Quantize.FASTOCTREE).save(png, optimize=True)
    return png


def main() -> int:
    """Make what is asked for, and remove what is made no more."""
    names = sys.argv[1:]
    there = []
    for path in made(names):
        there.append(path)
        print(path.relative_to(HERE.parent))
    if not shutil.which("rsvg-convert"):
        print("no rsvg-convert here: the PNGs are as they were")
    elif not names:
        for path in {*HERE.glob("*.svg"), *HERE.glob("*.png")}.difference(there):
            path.unlink()
            print(f"{path.relative_to(HERE.parent)} is made no more")
    return 0


if __name__ == "__main__":
    sys.exit(main())
