"""Make the pictures of the README: the real app, on copies of the sample campaigns.

`make screenshots` runs it. SVGs are written here; PNGs too, where `rsvg-convert` is installed.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from affray.core.dice_sources import SeededDice
from affray.store.encounter import OpenEncounter

HERE = Path(__file__).parent
CAMPAIGNS = HERE.parent / "campaigns"
FIGHT = Path("drowned-vale") / "encounters" / "the-sluice-gate.toml"
KILN = Path("kiln-road") / "encounters" / "the-ninth-kiln.toml"


@dataclass(frozen=True)
class Shot:
    """One picture: its name, the terminal's size, the keys pressed before it, and what is open."""

    name: str
    size: tuple[int, int]
    keys: tuple[str, ...] = ()
    fight: Path | None = FIGHT


SHOTS = (
    Shot("fight-120x40", (120, 40)),
    Shot("fight-80x24", (80, 24)),
    Shot("fight-200x60", (200, 60)),
    Shot("prompt-120x40", (120, 40), ("s", "9", "s", "8")),
    Shot("command-120x40", (120, 40), (*":inflict", "space")),
    Shot("help-120x40", (120, 40), ("?",)),
    Shot("rules-120x40", (120, 40), ("/", *"restr")),
    Shot("home-80x24", (80, 24), fight=None),
    Shot("orcus-120x40", (120, 40), fight=KILN),
    Shot("orcus-80x24", (80, 24), fight=KILN),
)


async def take(shot: Shot, campaigns: Path) -> str:
    """The picture as SVG."""
    from affray.tui.app import AffrayApp  # after the environment has been cleaned

    encounter = None
    if shot.fight is not None:
        at = datetime(2026, 1, 1, 20, 0, tzinfo=UTC)
        encounter = OpenEncounter.open(campaigns / shot.fight, SeededDice(7), lambda: at)
    app = AffrayApp(encounter)
    async with app.run_test(size=shot.size) as pilot:
        await pilot.pause()
        await pilot.press(*shot.keys)
        await pilot.pause()
        return app.export_screenshot(title="affray")


def without_web_fonts(svg: str) -> str:
    """The picture with the fonts that the reader has, in place of some that would be fetched."""
    svg = re.sub(r"@font-face\s*{.*?}", "", svg, flags=re.DOTALL)
    # Some programs drop a no-break space at the beginning of a text.
    svg = svg.replace("<text ", '<text xml:space="preserve" ').replace("&#160;", " ")
    return svg.replace("Fira Code", "Fira Code, DejaVu Sans Mono, Menlo, Consolas")


def main() -> int:
    """Take all pictures; names as arguments take only those."""
    for name in [n for n in os.environ if n == "NO_COLOR" or n.startswith(("TEXTUAL", "AFFRAY"))]:
        del os.environ[name]  # colours and keys must not come from whoever runs this
    converter = shutil.which("rsvg-convert")
    for shot in SHOTS:
        if sys.argv[1:] and shot.name not in sys.argv[1:]:
            continue
        with tempfile.TemporaryDirectory() as folder:
            campaigns = Path(folder) / "campaigns"
            shutil.copytree(CAMPAIGNS, campaigns)
            svg = HERE / f"{shot.name}.svg"
            svg.write_text(without_web_fonts(asyncio.run(take(shot, campaigns))), "utf-8")
        if converter:
            subprocess.run([converter, "-o", svg.with_suffix(".png"), svg], check=True)
        print(svg.relative_to(HERE.parent))
    if not converter:
        print("no rsvg-convert here: the PNGs are as they were")
    return 0


if __name__ == "__main__":
    sys.exit(main())
