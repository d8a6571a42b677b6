"""The home screen: the encounters that there are, how far each is, and a way to begin another."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Input

from affray.core.refusal import Refused
from affray.store import campaigns
from affray.store.log_file import LogError
from affray.tui.panes.home_list import HomeHeader, HomeKeys, HomeList
from affray.tui.shared import app_of


class HomeScreen(Screen[None]):
    """Lists the encounters, opens one, or begins a new one."""

    AUTO_FOCUS = ""

    def compose(self) -> ComposeResult:
        """A line, the list, and a line; the title of a new encounter is asked above the last."""
        yield HomeHeader()
        yield HomeList(id="home")
        title = Input(id="title", placeholder="title of the new encounter", max_length=80)
        title.display = False
        title.cursor_blink = False
        yield title
        yield HomeKeys()

    def on_screen_resume(self) -> None:
        """The screen is there, for the first time or again after a fight: look for encounters."""
        self.look()

    def look(self) -> None:
        """Look for campaigns and their encounters."""
        self.query_one(HomeList).show(campaigns.find_campaigns())

    def on_key(self, event: events.Key) -> None:
        """The keys of this screen; while a title is asked for they are the title's."""
        title = self.query_one("#title", Input)
        if title.display:
            if event.key == "escape":
                self._close_title()
                event.stop()
            return
        moves = {"down": 1, "j": 1, "up": -1, "k": -1, "home": -999, "end": 999}
        if event.key in moves:
            self.query_one(HomeList).move(moves[event.key])
        elif event.key == "enter":
            self.open_here()
        elif event.key == "n":
            self._ask_title()
        elif event.key == "r":
            self.look()
        elif event.key in ("q", "escape"):
            self.app.exit()
        else:
            return
        event.stop()
        event.prevent_default()

    def on_opened(self) -> None:
        """The row under the cursor was clicked."""
        self.open_here()

    def open_here(self) -> None:
        """Open the encounter under the cursor; in an empty campaign, begin one."""
        row = self.query_one(HomeList).row
        if row is not None and row.encounter is not None:
            self._say(app_of(self).open_encounter(row.encounter.path))
        elif row is not None and row.campaign is not None:
            self._ask_title()

    def _say(self, message: str) -> None:
        self.query_one(HomeKeys).show(message)

    def _ask_title(self) -> None:
        self._say("")
        title = self.query_one("#title", Input)
        title.value = ""
        title.display = True
        title.focus()

    def _close_title(self) -> None:
        self.query_one("#title", Input).display = False
        self.set_focus(None)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Begin an encounter of that title, and open it."""
        event.stop()
        self._close_title()
        row = self.query_one(HomeList).row
        if not event.value.strip():
            return
        try:
            chosen = row.campaign.path if row is not None and row.campaign is not None else None
            path = campaigns.new_encounter(chosen or campaigns.begin_campaign(), event.value)
        except (Refused, LogError, OSError) as error:
            self._say(str(error))
            return
        self._say(app_of(self).open_encounter(path))
