"""Opens a fight on affray's screen where no terminal is, and prints the screen as a picture (SVG).

An environment into which only affray is installed runs it: `python paint.py FIGHT`.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from affray.store.open_encounter import OpenEncounter
from affray.tui.app import AffrayApp


async def painted(path: Path) -> str:
    """The screen of a fight, as soon as it stands."""
    app = AffrayApp(OpenEncounter.open(path))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        return app.export_screenshot()


if __name__ == "__main__":
    print(asyncio.run(painted(Path(sys.argv[1]))))
