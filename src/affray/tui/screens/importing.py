"""An import, beside the screen: how far it has come, then its report. `esc` stops it, and nothing
has changed then. Where it is refused there is no report: the screen is left with why."""

from __future__ import annotations

from pathlib import Path

from textual import events, work
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Static

from affray.core.language.refusal import Refused
from affray.core.telling.recap.sections import Section
from affray.store.campaigns.finding import Campaign
from affray.store.errors import LogError
from affray.store.importing.bringing import Brought, bring_in
from affray.store.importing.report import report
from affray.tui.drawing import plain
from affray.tui.panes.recap import RecapPane
from affray.tui.shared import app_of, close_once, pressed_key

GOES_ON, OVER = " esc stops it, and nothing is changed", " ↑ ↓ scroll   esc leaves"
STOPPED = "stopped: nothing was changed"
OFTEN = 25
"""After so many files or creatures it is told how far it has come."""


class _Stopped(Exception):  # noqa: N818
    """The user has had enough of it."""


class ImportScreen(Screen[str]):
    """Reads a file or a folder into a campaign as soon as it is there."""

    AUTO_FOCUS = ""

    def __init__(self, path: Path, campaign: Campaign) -> None:
        super().__init__()
        self._path, self._campaign = path, campaign
        self._is_over = self._stops = False

    def compose(self) -> ComposeResult:
        """The report, and the keys."""
        yield RecapPane(id="recap")
        yield Static(GOES_ON, id="recap-keys", classes="header", markup=False)

    def on_mount(self) -> None:
        """Begin, beside the screen."""
        self._tell("Import", f"reading {self._path}")
        self._bring()

    @work(thread=True, exit_on_error=False)
    def _bring(self) -> None:
        app = app_of(self)
        try:
            brought = bring_in(self._path, self._campaign.path, progress=self._progress)
        except _Stopped:
            app.call_from_thread(self._end, STOPPED)
        except (Refused, LogError, OSError) as error:
            app.call_from_thread(self._refuse, str(error))
        else:
            app.call_from_thread(self._report, brought)

    def _progress(self, done: int, of: int, what: str) -> None:
        if self._stops:
            raise _Stopped
        if done % OFTEN == 0:
            app_of(self).call_from_thread(self._tell, "Import", f"{done} of {of} {what}")

    def _refuse(self, why: str) -> None:
        """Leave it to whoever asked, or say it here while something else stands above."""
        self._end(why)
        if self.is_current:
            self.dismiss(why)

    def _report(self, brought: Brought) -> None:
        self._end(*(f"{line}" for line in report(brought)))

    def _end(self, *lines: str) -> None:
        self._is_over = True
        done = f"Imported into {plain(self._campaign.name)}"
        self._tell(done if len(lines) > 1 else "Import", *lines)
        self.query_one("#recap-keys", Static).update(OVER)

    def _tell(self, heading: str, *lines: str) -> None:
        told = tuple(plain(line).strip() for line in lines)
        self.query_one(RecapPane).tell([Section(heading, 1, told)], "Import")

    def on_key(self, event: events.Key) -> None:
        """Scroll; stop it, or leave when it is over."""
        pressed = pressed_key(event)
        if pressed in ("escape", "q", "enter"):
            if self._is_over:
                close_once(self)
            elif pressed == "escape":
                self._stops = True
        elif not self.query_one(RecapPane).scrolls(pressed):
            return
        event.stop()
        event.prevent_default()
