"""The home screen: the encounters that there are, how far each is, and a way to begin another.

An encounter goes by the rule system of its campaign, so that is chosen with a campaign's name; or
with the title of the first encounter, which makes the first campaign.
"""

from __future__ import annotations

from pathlib import Path

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Input

from affray import debug
from affray.core.language.refusal import Refused
from affray.rulesets import DEFAULT, known_rulesets
from affray.store.campaigns import finding, folders
from affray.store.campaigns.finding import Campaign
from affray.store.log_file import LogError
from affray.tui.panes.home_list import HomeHeader, HomeKeys, HomeList
from affray.tui.screens.help import HomeHelp
from affray.tui.screens.people import PeopleScreen
from affray.tui.shared import app_of
from affray.tui.sheets.creatures import BESTIARY, PARTY

NEW_ENCOUNTER = "title of the new encounter"
NEW_CAMPAIGN = "name of the new campaign"
PEOPLE_KEYS = {"p": PARTY, "b": BESTIARY}
LEAVE = "leave affray? enter: yes · esc: no"


class HomeScreen(Screen[None]):
    """Lists the encounters, opens one, or begins a new one, or a campaign."""

    AUTO_FOCUS = ""

    def __init__(self) -> None:
        super().__init__()
        self._campaign: Campaign | None = None  # where a new encounter is to be
        self._rules: list[str] = []  # the rule systems for something new, the chosen one first
        self._asked = NEW_ENCOUNTER
        self._told = 0  # so many lines on fights that were closed
        self._left: tuple[Path, str] | None = None  # the fight that was left last

    def compose(self) -> ComposeResult:
        """A line, the list, and a line; the name of something new is asked above the last."""
        yield HomeHeader()
        yield HomeList(id="home")
        title = Input(id="title", max_length=80)
        title.display = False
        title.cursor_blink = False
        yield title
        yield HomeKeys()

    def on_mount(self) -> None:
        """Tell what of the user's own could not be had."""
        self.say(" · ".join(app_of(self).complaints))

    def on_screen_resume(self) -> None:
        """The screen is there, for the first time or again after a fight: look for encounters."""
        self.look()
        left, parting = app_of(self).left, app_of(self).parting
        if left is not None and left is not self._left:
            self._left = left
            self.query_one(HomeList).go_to_fight(left[0])
        if news := parting[self._told :]:
            self._told = len(parting)
            self.say(" · ".join(news))

    def look(self) -> None:
        """Look for campaigns and their encounters, and for those beside a fight that was left."""
        found, left = finding.find_campaigns(), app_of(self).left
        found = finding.with_folder_of(*left, found) if left is not None else found
        self.query_one(HomeList).show(found)

    def on_key(self, event: events.Key) -> None:
        """The keys of this screen; while a title is asked for they are the title's."""
        title = self.query_one("#title", Input)
        if title.display:
            if event.key == "escape":
                self._close_title()
                event.stop()
            elif event.key == "tab":
                self._turn_rules()
                event.stop()
            return
        if self._is_asking():
            self.say("")
            if event.key == "enter":
                self.app.exit()
            if event.key in ("enter", "escape"):
                event.stop()
                return
        moves = {"down": 1, "j": 1, "up": -1, "k": -1, "home": -999, "end": 999}
        if event.key in moves:
            self.query_one(HomeList).move(moves[event.key])
        elif event.key == "enter":
            self.open_here()
        elif event.key == "n":
            self._ask_title()
        elif event.key == "c":
            self._ask_campaign()
        elif event.key in PEOPLE_KEYS:
            self._show_people(PEOPLE_KEYS[event.key])
        elif event.key == "r":
            self.look()
        elif event.key in ("question_mark", "f1"):
            self.app.push_screen(HomeHelp())
        elif event.key == "escape":
            self._ask_whether_to_leave()
        elif event.key == "q":
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
            self.say(app_of(self).open_encounter(row.encounter.path))
        elif row is not None and row.campaign is not None:
            self._ask_title()

    def _show_people(self, where: str) -> None:
        """The party or the bestiary of the campaign under the cursor."""
        row = self.query_one(HomeList).row
        campaign = row.campaign if row is not None else None
        if campaign is None or campaign.loose:
            self.say("a campaign has a party and a bestiary: c begins one")
        else:
            self.app.push_screen(PeopleScreen(campaign.path, where))

    def say(self, message: str) -> None:
        """One line in place of the keys; an empty one brings them back."""
        if message:
            debug.note("said: %s", message)
        self.query_one(HomeKeys).show(message)

    def _ask_whether_to_leave(self) -> None:
        """Esc takes a message away; where there is none, it leaves, once that is confirmed."""
        keys = self.query_one(HomeKeys)
        keys.show("" if keys.message else LEAVE, asks=not keys.message)

    def _is_asking(self) -> bool:
        return self.query_one(HomeKeys).asks

    def _ask_title(self) -> None:
        """For a new encounter; without a campaign to be in, it brings the first one along."""
        row = self.query_one(HomeList).row
        self._campaign = row.campaign if row is not None else None
        self._rules = [] if self._campaign is not None else known_rulesets()
        self._ask(NEW_ENCOUNTER)

    def _ask_campaign(self) -> None:
        self._campaign, self._rules = None, known_rulesets()
        self._ask(NEW_CAMPAIGN)

    def _ask(self, what: str) -> None:
        self.say("")
        self._asked = what
        title = self.query_one("#title", Input)
        title.value, title.placeholder = "", what
        title.display = True
        title.focus()
        self._name_rules()

    def _turn_rules(self) -> None:
        """Offer the next of the rule systems; the first in the row is the one that is chosen."""
        self._rules = self._rules[1:] + self._rules[:1]
        self._name_rules()

    def _name_rules(self) -> None:
        """Have the frame say by which rules it will be, and what tab would choose."""
        title = self.query_one("#title", Input)
        chosen = [self._campaign.ruleset_id] if self._campaign is not None else self._rules[:1]
        title.border_title = Text(f"rules: {''.join(chosen)}")
        others = Text(f"tab: {self._rules[1]}") if len(self._rules) > 1 else None
        title.border_subtitle = others

    def _close_title(self) -> None:
        self.query_one("#title", Input).display = False
        self.set_focus(None)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Begin what was named, and open it if it is an encounter."""
        event.stop()
        self._close_title()
        name = event.value.strip()
        if not name:
            return
        try:
            self._begin(name)
        except (Refused, LogError, OSError) as error:
            self.say(str(error))

    def _begin(self, name: str) -> None:
        chosen = self._rules[0] if self._rules else DEFAULT
        if self._asked == NEW_CAMPAIGN:
            folder = folders.begin_campaign(name, chosen)
            self.look()
            self.query_one(HomeList).go_to(folder)
            return
        here = self._campaign
        if here is not None and here.loose:
            path = folders.new_fight(here.path, name, here.ruleset_id)
        else:
            folder = here.path if here is not None else folders.begin_campaign(ruleset_id=chosen)
            path = folders.new_encounter(folder, name)
        self.say(app_of(self).open_encounter(path))
