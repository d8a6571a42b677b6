"""The parts of the home screen: the list of encounters, the line above it and the one below."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from rich.style import Style
from textual import events

from affray.tui.drawing import NO_INK, Line, plain, widest
from affray.tui.messages import Opened
from affray.tui.panes.pane import Pane
from affray.tui.themes import Inks

if TYPE_CHECKING:
    from affray.store.campaigns.finding import Campaign, EncounterSummary

KEYS = (
    ("↵", "open", "opens the encounter under the cursor; in an empty campaign, begins one"),
    ("n", "new encounter", "asks for the title of a new encounter, in the campaign of the cursor"),
    ("c", "new campaign", "asks for the name of a new campaign; tab chooses its rules"),
    ("p", "party", "makes and edits the characters of the campaign under the cursor"),
    ("b", "bestiary", "makes and edits its creatures"),
    ("r", "", "looks again for campaigns and encounters"),
    ("?", "help", "shows these keys"),
    ("q", "quit", "leaves affray; so does ctrl+q"),
    ("ctrl+p", "palette", "lists every action, themes among them, to be found by typing"),
    (
        "esc",
        "",
        "leaves what is asked, or takes a message away; else asks, and leaves affray",
    ),
    ("↑ ↓", "", "move the cursor; so do k and j, home and end"),
)
"""The keys of the list of fights: what the last line calls them, if it names them, and the help."""
NO_CAMPAIGN = (
    "No campaign was found.",
    "",
    "A campaign is a folder with a party, a bestiary and encounters.",
    "affray looks for campaigns in",
    "    ./campaigns, your data folder, and $AFFRAY_CAMPAIGNS.",
    "",
    "n begins an encounter in a first campaign, in your data folder.",
    "c begins a campaign of another name; tab chooses its rules.",
)
NO_ENCOUNTER = "no encounter yet: n begins one"


@dataclass(frozen=True)
class HomeRow:
    """A line of the home screen: a campaign's heading, one of its encounters, or a blank.

    file   the name of the encounter's file, where its title alone would not tell it from another
    """

    campaign: Campaign | None = None
    encounter: EncounterSummary | None = None
    words: str = ""
    file: str = ""


class HomeList(Pane):
    """Campaigns with their encounters. The cursor stands on encounters and on empty campaigns."""

    NAME: ClassVar[str] = "Encounters"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.rows: list[HomeRow] = []
        self.cursor = -1

    def show(self, found: list[Campaign]) -> None:
        """Show these campaigns, with the cursor where it was if that is still there."""
        path = self.row.encounter.path if self.row and self.row.encounter else None
        self.rows = home_rows(found)
        stops = [i for i, row in enumerate(self.rows) if _is_stop(row)]
        same = [i for i in stops if _path(self.rows[i]) == path]
        self.cursor = (same or stops or [-1])[0]
        self.refresh()

    def go_to(self, campaign: Path) -> None:
        """Put the cursor on a campaign, by its folder."""
        self._put(lambda row: row.campaign is not None and row.campaign.path == campaign)

    def go_to_fight(self, fight: Path) -> None:
        """Put the cursor on an encounter, by its file, whichever way that is named."""
        file = os.path.realpath(fight)
        self._put(lambda row: (path := _path(row)) is not None and os.path.realpath(path) == file)

    def _put(self, wanted: Callable[[HomeRow], bool]) -> None:
        """Put the cursor on the first row of that kind on which it can stand."""
        at = next((i for i, row in enumerate(self.rows) if _is_stop(row) and wanted(row)), None)
        if at is not None:
            self.cursor = at
            self._show_cursor()

    def on_resize(self) -> None:
        """The cursor stays where it can be seen."""
        super().on_resize()
        self._show_cursor()

    def _show_cursor(self) -> None:
        if self.size and self.cursor >= 0:  # before there is any room it would be scrolled off
            self.keep_seen(self.cursor)
        self.refresh()

    @property
    def row(self) -> HomeRow | None:
        """The row under the cursor."""
        return self.rows[self.cursor] if 0 <= self.cursor < len(self.rows) else None

    def move(self, by: int) -> None:
        """Move the cursor over the encounters; it stops at the ends."""
        stops = [i for i, row in enumerate(self.rows) if _is_stop(row)]
        if stops:
            here = stops.index(self.cursor) if self.cursor in stops else 0
            self.cursor = stops[max(0, min(here + by, len(stops) - 1))]
            self._show_cursor()

    def line_count(self) -> int:
        """The rows."""
        return len(self.rows)

    def over(self, number: int) -> Style:
        """The row that the cursor is on stands out."""
        return self.inks.cursor if number == self.cursor else NO_INK

    def line(self, number: int, width: int) -> Line:
        """A row."""
        names = [plain(r.encounter.title) for r in self.rows if r.encounter]
        name = min(widest(names), max(width // 2, 12))
        return home_line(self.rows[number], number == self.cursor, name, self.inks)

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on an encounter; a second click opens it."""
        spot = event.get_content_offset(self)
        number = self.top + spot.y if spot is not None else -1
        if 0 <= number < len(self.rows) and _is_stop(self.rows[number]):
            if number == self.cursor:
                self.post_message(Opened())
            self.cursor = number
            self.refresh()


def _is_stop(row: HomeRow) -> bool:
    return row.encounter is not None or row.words == NO_ENCOUNTER


def _path(row: HomeRow) -> Path | None:
    return row.encounter.path if row.encounter else None


def home_rows(found: list[Campaign]) -> list[HomeRow]:
    """The rows for these campaigns; without any, what to do."""
    if not found:
        return [HomeRow(words=words) for words in NO_CAMPAIGN]
    rows: list[HomeRow] = []
    for campaign in found:
        if rows:
            rows.append(HomeRow())
        rows.append(HomeRow(campaign))
        titles = Counter(plain(each.title) for each in campaign.encounters)
        for encounter in campaign.encounters:
            alike = titles[plain(encounter.title)] > 1
            file = plain(encounter.path.name) if alike else ""
            rows.append(HomeRow(campaign, encounter, file=file))
        if not campaign.encounters:
            rows.append(HomeRow(campaign, words=NO_ENCOUNTER))
    return rows


def home_line(row: HomeRow, cursor: bool, name: int, inks: Inks) -> Line:
    """`› Ambush at the Ford   round 3, Brannoc is up`"""
    line = Line()
    if row.encounter is not None:
        title = plain(row.encounter.title) or plain(row.encounter.path.stem)
        line.add("  › " if cursor else "    ", inks.accent)
        line.add(title, inks.strong if cursor else inks.plain).column(name + 7)
        line.add(f"{row.file}   " if row.file else "", inks.dim)
        if row.encounter.problem:
            problem = row.encounter.problem.replace(
                f"{row.encounter.path}", row.encounter.path.name
            )
            return line.add(f"✗ {plain(problem)}", inks.bad)
        return line.join(_how_far(row.encounter, inks))
    if row.words:
        return line.add("  › " if cursor else "    ", inks.accent).add(row.words, inks.dim)
    if row.campaign is not None:
        line.add(plain(row.campaign.name), inks.accent)
        return line.add(f"   {row.campaign.ruleset_id}", inks.dim)
    return line


def _how_far(encounter: EncounterSummary, inks: Inks) -> Line:
    if encounter.phase == "setup":
        return Line().add("○ not begun", inks.dim)
    if encounter.phase == "ended":
        return Line().add(f"✓ over after round {encounter.round}", inks.dim)
    line = Line().add(f"▶ round {encounter.round}", inks.good)
    if not encounter.turn:
        return line
    up = encounter.life == "up"
    whose = f"{plain(encounter.turn)} is up" if up else f"{plain(encounter.turn)}'s turn"
    return line.add(f"   {whose}", inks.plain).add("" if up else f"   {encounter.life}", inks.dim)


class HomeKeys(Pane):
    """The keys of the home screen, or what went wrong, in one line."""

    def __init__(self) -> None:
        super().__init__(id="home-keys", classes="header")
        self.message = ""
        self.asks = False

    def show(self, message: str, asks: bool = False) -> None:
        """Say something in place of the keys, or ask it."""
        self.message, self.asks = plain(message), asks
        self.refresh()

    def line_count(self) -> int:
        """One line."""
        return 1

    def line(self, number: int, width: int) -> Line:
        """The message, else the keys, as many as there is room for."""
        line = Line().add(" ")
        if self.asks:
            return line.add(self.message, self.inks.strong)
        if self.message:
            return line.add(f"✗ {self.message}", self.inks.bad)
        for key, label, _ in KEYS:
            if label and line.width + cell_len(f"{key} {label}") <= width:
                line.add(key, self.inks.accent).add(f" {label}  ", self.inks.dim)
        return line


class HomeHeader(Pane):
    """The first line of the home screen."""

    def __init__(self) -> None:
        super().__init__(id="home-header", classes="header")

    def line_count(self) -> int:
        """One line."""
        return 1

    def line(self, number: int, width: int) -> Line:
        """What this is."""
        name = Line().add(" affray", self.inks.accent)
        return name.add("   every fight, every blow, and the way back", self.inks.dim)
