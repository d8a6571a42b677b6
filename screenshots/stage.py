"""The real app, on copies of the sample campaigns, with dice and a clock that never change."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from affray.core.dice import SeededDice
from affray.store.open_encounter import OpenEncounter
from screenshots.drawing import Screen

if TYPE_CHECKING:
    from textual.pilot import Pilot

CAMPAIGNS = Path(__file__).parents[1] / "campaigns"
AT = datetime(2026, 1, 1, 20, 0, tzinfo=UTC)
STEERING = ("TEXTUAL", "AFFRAY", "XDG_")


@dataclass(frozen=True)
class Stage:
    """The app with a fight open in it, or with its list of fights."""

    pilot: Pilot[Any]
    encounter: OpenEncounter | None

    def screen(self) -> Screen:
        """What is seen now, with what lies beneath a window."""
        from textual.widgets import Input

        app = self.pilot.app
        for field in app.screen.query(Input):  # a cursor that blinks is there or not
            field.cursor_blink = False
        update = app.screen._compositor.render_update(
            full=True, screen_stack=app._background_screens
        )
        return [[segment for strip in row for segment in strip] for row in update.strips]


@contextmanager
def clean_surroundings() -> Iterator[Path]:
    """A folder of copies of the campaigns; nothing of whoever runs this steers what is seen."""
    before = dict(os.environ)
    for name in [n for n in os.environ if n == "NO_COLOR" or n.startswith(STEERING)]:
        del os.environ[name]
    with tempfile.TemporaryDirectory() as folder:
        campaigns = Path(folder) / "campaigns"
        shutil.copytree(CAMPAIGNS, campaigns)
        home = Path(folder) / "home"
        os.environ |= {"AFFRAY_CAMPAIGNS": str(campaigns), "AFFRAY_CONFIG": str(home)}
        os.environ["AFFRAY_DATA"] = str(home)
        try:
            yield campaigns
        finally:
            os.environ.clear()
            os.environ |= before


@asynccontextmanager
async def stage(
    fight: str, size: tuple[int, int], before: tuple[str, ...] = ()
) -> AsyncIterator[Stage]:
    """The app at that size on `campaign/encounter`, after these commands; "" for the list."""
    from affray.tui.app import AffrayApp  # after the surroundings have been cleaned

    with clean_surroundings() as campaigns:
        encounter = None
        if fight:
            campaign, _, name = fight.partition("/")
            path = campaigns / campaign / "encounters" / f"{name}.toml"
            encounter = OpenEncounter.open(path, SeededDice(7), lambda: AT)
            for command in before:
                encounter.do(command)
        async with AffrayApp(encounter).run_test(size=size) as pilot:
            await pilot.pause()
            yield Stage(pilot, encounter)
