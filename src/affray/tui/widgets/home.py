"""The list of campaigns and encounters, with the home screen's first and last line."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from msgspec import Struct
from msgspec.structs import replace
from rich.style import Style
from textual import events

from affray.core.formatting.safe_text import local_day, strip_control_chars
from affray.core.parser.errors import join_or
from affray.core.parser.spelling import fold
from affray.tui.drawing import NO_INK, StyledLine, max_width, truncate
from affray.tui.fight_view import Moved, RowOpened
from affray.tui.theme import Styles
from affray.tui.widgets.base import Pane
from affray.tui.widgets.header_footer import KeyHints

if TYPE_CHECKING:
    from affray.store.campaigns.find import Campaign
    from affray.store.campaigns.summaries import EncounterSummary

NO_CAMPAIGN = (
    "No campaign was found.",
    "",
    "A campaign is a folder with a party, a bestiary and encounters.",
    "",
    "c begins one: you name it, and tab chooses its rules.",
    "  Then p makes the characters, b creatures, and n a fight with them.",
    "n begins an encounter at once, in a campaign of your own.",
    "",
    "From a shell:",
    "  affray demo                       plays a sample fight, on a copy",
    '  affray quick "4 pcs" "ghoul x3"   begins a fight with plain numbers',
    "  affray import FILE                brings another program's creatures",
    "  affray FILE                       opens a fight outside a campaign",
    "",
    "affray looks in ./campaigns, your data folder, and $AFFRAY_CAMPAIGNS.",
)
NO_ENCOUNTER = "no encounter yet: n begins one"
NOTHING_FOUND = "nothing here contains these words; esc shows everything again"
_DATE_FROM = 90
"""From so many cells on, a row tells the day on which it was played last."""


class CampaignListRow(Struct, frozen=True):
    """A line of the home screen: a campaign's heading, one of its encounters, or a blank.

    file   the name of the encounter's file, or a campaign's folder, where the title or name alone
           would not tell it from another
    away   True if it was put away
    ledger True if it is the campaign's ledger, and no encounter
    """

    campaign: Campaign | None = None
    encounter: EncounterSummary | None = None
    words: str = ""
    file: str = ""
    away: bool = False
    ledger: bool = False

    @property
    def newest(self) -> EncounterSummary | None:
        """The encounter of a heading's campaign that was played last, or its ledger; None in an
        empty campaign."""
        if self.campaign is None or not self.is_heading:
            return None
        played = max(self.campaign.encounters, key=lambda each: each.played, default=None)
        return played or self.campaign.ledger

    @property
    def is_heading(self) -> bool:
        """True if it names a campaign."""
        return self.campaign is not None and self.encounter is None and not self.words

    @property
    def path(self) -> Path | None:
        """The encounter's file, or the campaign's folder."""
        if self.encounter is not None:
            return self.encounter.path
        return self.campaign.path if self.campaign is not None else None


class CampaignList(Pane):
    """Campaigns with their encounters. The cursor stops at both, and passes over blanks and words.

    `sought` are words that narrow the list.
    """

    NAME: ClassVar[str] = "Encounters"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.rows: list[CampaignListRow] = []
        self.cursor = -1
        self.sought = ""
        self._found: list[Campaign] = []
        self._summaries: dict[Path, EncounterSummary] = {}
        self._name_width = 0

    def show(self, found: list[Campaign]) -> None:
        """Show these campaigns, with the cursor where it was if that is still there."""
        self._found = found
        self._list()

    def narrow(self, words: str) -> None:
        """Show only rows with these words in the title or the campaign's name."""
        self.sought = words
        self._list()

    def _list(self) -> None:
        row = self.row
        was = (row.path, row.is_heading) if row is not None else None
        self.rows = [self._as_told(row) for row in home_rows(self._found, self.sought)]
        names = [_title(row.encounter) for row in self.rows if row.encounter]
        self._name_width = max_width(names)
        stops = [i for i, row in enumerate(self.rows) if _is_stop(row)]
        same = [i for i in stops if (self.rows[i].path, self.rows[i].is_heading) == was]
        first = [i for i in stops if not self.rows[i].is_heading]
        self.cursor = (same or first or stops or [-1])[0]
        self.entitle(self.NAME)
        self._show_cursor()

    def glances(self) -> Iterator[EncounterSummary]:
        """The encounters with more to show, the visible ones first."""
        seen = range(self.top, self.top + max(self.size.height, 1))
        order = sorted(range(len(self.rows)), key=lambda number: number not in seen)
        for number in order:
            encounter = self.rows[number].encounter
            if encounter is not None and encounter.is_glance:
                yield encounter

    def _as_told(self, row: CampaignListRow) -> CampaignListRow:
        """The row with the known state of its encounter, if the file hasn't changed since."""
        seen = row.encounter
        encounter_summary = self._summaries.get(seen.path) if seen is not None else None
        if seen is None or encounter_summary is None or not encounter_summary.is_of(seen):
            return row
        return replace(row, encounter=encounter_summary)

    def tell(self, encounter_summary: EncounterSummary) -> None:
        """Show an encounter's summary, at any place in the list, now and later."""
        self._summaries[encounter_summary.path] = encounter_summary
        for number, row in enumerate(self.rows):
            if row.encounter is not None and row.encounter.path == encounter_summary.path:
                self.rows[number] = replace(row, encounter=encounter_summary)
                self.redraw_lines(number)

    def go_to(self, path: Path) -> None:
        """Put the cursor on an encounter by its file, or on a campaign's first by its folder."""
        place = os.path.realpath(path)
        self._put(lambda row: not row.is_heading and row.path is not None and _is(row.path, place))
        self._put(lambda row: row.is_heading and row.path is not None and _is(row.path, place))
        if self.row is not None and self.row.is_heading:
            self.move(1, within=self.row.path)

    def _put(self, wanted: Callable[[CampaignListRow], bool]) -> None:
        """Put the cursor on the first row of that kind that takes it."""
        at = next((i for i, row in enumerate(self.rows) if _is_stop(row) and wanted(row)), None)
        if at is not None:
            self.cursor = at
            self._show_cursor()

    def on_resize(self) -> None:
        """The cursor stays where it can be seen."""
        super().on_resize()
        self._show_cursor()

    def _show_cursor(self) -> None:
        self.post_message(Moved())
        if self.size and self.cursor >= 0:  # before there is any room it would be scrolled off
            over = self.cursor > 0 and self.rows[self.cursor - 1].is_heading
            self.keep_seen(self.cursor - over, self.cursor)
        self.refresh()

    @property
    def row(self) -> CampaignListRow | None:
        """The row under the cursor."""
        return self.rows[self.cursor] if 0 <= self.cursor < len(self.rows) else None

    def move(self, by: int, within: Path | None = None) -> None:
        """Move the cursor over campaigns and encounters, up to the ends; or within one campaign."""
        stops = [i for i, row in enumerate(self.rows) if _is_stop(row)]
        if stops:
            position = stops.index(self.cursor) if self.cursor in stops else 0
            there = stops[max(0, min(position + by, len(stops) - 1))]
            campaign = self.rows[there].campaign
            if within is None or (campaign is not None and campaign.path == within):
                self.cursor = there
                self._show_cursor()

    def line_count(self) -> int:
        """The rows."""
        return len(self.rows)

    def over(self, number: int) -> Style:
        """Highlight the row under the cursor."""
        return self.inks.cursor if number == self.cursor else NO_INK

    def line(self, number: int, width: int) -> StyledLine:
        """A row."""
        name = min(self._name_width, max(width // 2, 12))
        row = self.rows[number]
        line = home_line(row, number == self.cursor, name, self.inks)
        if line.width > width:
            line = home_line(row, number == self.cursor, name, self.inks, brief=True)
        seen = row.encounter
        if seen is not None and width >= _DATE_FROM and seen.played.year > 1:
            date = StyledLine().add(f"{local_day(seen.played)} ", self.inks.dim)
            if line.width + date.width + 2 <= width:
                line.right(date, width)
        return line

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on an encounter; a second click opens it."""
        spot = event.get_content_offset(self)
        number = self.top + spot.y if spot is not None else -1
        if 0 <= number < len(self.rows) and _is_stop(self.rows[number]):
            if number == self.cursor:
                self.post_message(RowOpened())
            self.cursor = number
            self.post_message(Moved())
            self.refresh()


def _title(encounter: EncounterSummary) -> str:
    return strip_control_chars(encounter.title) or strip_control_chars(encounter.path.stem)


def _is_stop(row: CampaignListRow) -> bool:
    return row.encounter is not None or row.is_heading or row.words == NO_ENCOUNTER


def _is(path: Path, place: str) -> bool:
    return os.path.realpath(path) == place


def home_rows(found: list[Campaign], query: str = "") -> list[CampaignListRow]:
    """The rows for these campaigns that have those words; without any, advice."""
    if not found:
        return [CampaignListRow(words=words) for words in NO_CAMPAIGN]
    words = fold(query).split()
    names = Counter(strip_control_chars(each.name) for each in found)
    rows: list[CampaignListRow] = []
    for campaign in found:
        alike = names[strip_control_chars(campaign.name)] > 1
        folder = strip_control_chars(str(campaign.path)) if alike else ""
        own = [row for row in _encounter_rows(campaign) if _has(row, words)]
        if words and not own and not _matches(campaign.name, words):
            continue
        rows += [CampaignListRow()] if rows else []
        rows.append(CampaignListRow(campaign, file=folder, away=campaign.is_away))
        rows += own
        if not campaign.encounters and not campaign.is_away:
            rows.append(CampaignListRow(campaign, words=NO_ENCOUNTER))
        ledger = CampaignListRow(campaign, campaign.ledger, away=campaign.is_away, ledger=True)
        rows += [ledger] if campaign.ledger is not None and (own or not words) else []
    return rows or [CampaignListRow(words=NOTHING_FOUND)]


def _encounter_rows(campaign: Campaign) -> Iterator[CampaignListRow]:
    everything = (*campaign.encounters, *campaign.away)
    titles = Counter(strip_control_chars(each.title) for each in everything)
    for number, encounter in enumerate(everything):
        file = (
            strip_control_chars(encounter.path.name)
            if titles[strip_control_chars(encounter.title)] > 1
            else ""
        )
        away = campaign.is_away or number >= len(campaign.encounters)
        yield CampaignListRow(campaign, encounter, file=file, away=away)


def _has(row: CampaignListRow, words: list[str]) -> bool:
    encounter, campaign = row.encounter, row.campaign
    if encounter is None or campaign is None:
        return False
    return _matches(f"{encounter.title} {row.file} {campaign.name}", words)


def _matches(text: str, words: list[str]) -> bool:
    return all(word in fold(text) for word in words)


def home_line(
    row: CampaignListRow, cursor: bool, name: int, inks: Styles, brief: bool = False
) -> StyledLine:
    """`› Ambush at the Ford round 3, Brannoc is up`; in brief with counts in place of names."""
    line = StyledLine()
    if row.encounter is not None:
        title = _title(row.encounter)
        line.add("  › " if cursor else "    ", inks.accent)
        line.add(truncate(title, name), inks.strong if cursor else inks.plain)
        line.column(name + 7)
        line.add(f"{row.file}   " if row.file else "", inks.dim)
        if row.encounter.problem:
            problem = row.encounter.problem.replace(
                f"{row.encounter.path}", row.encounter.path.name
            )
            return line.add(f"✗ {problem}", inks.bad)
        line.add("archived   " if row.away else "", inks.warn)
        if row.ledger:
            return line.join(_between(row.encounter, inks))
        return line.join(_how_far(row.encounter, inks, brief))
    if row.words:
        return line.add("  › " if cursor else "    ", inks.accent).add(row.words, inks.dim)
    if row.campaign is not None:
        line.add("› " if cursor else "", inks.accent).add(row.campaign.name, inks.accent)
        line.add(f"   {row.campaign.ruleset_id}", inks.dim)
        line.add(f"   {row.file}" if row.file else "", inks.dim)
        return line.add("   archived" if row.away else "", inks.warn)
    return line


def _how_far(encounter: EncounterSummary, inks: Styles, brief: bool) -> StyledLine:
    if encounter.is_glance:
        return StyledLine().add("…", inks.dim)
    if encounter.phase == "setup":
        return StyledLine().add(f"○ {_prepared(encounter)}", inks.dim)
    if encounter.phase == "ended":
        rounds = f"{encounter.round} round{'s' if encounter.round != 1 else ''}"
        over = StyledLine().add(f"✓ over after {rounds}   ", inks.dim)
        return over.add(_who_stands(encounter, brief), inks.dim)
    line = StyledLine().add(f"▶ round {encounter.round}", inks.good)
    if not encounter.turn:
        return line
    up = encounter.life == "up"
    whose = f"{encounter.turn} is up" if up else f"{encounter.turn}'s turn"
    return line.add(f"   {whose}", inks.plain).add("" if up else f"   {encounter.life}", inks.dim)


def _between(ledger: EncounterSummary, inks: Styles) -> StyledLine:
    """The row of a ledger: `◆ between fights   4 of the party`."""
    party = f"   {ledger.party} of the party" if ledger.party else ""
    return StyledLine().add(f"◆ between fights{party}", inks.dim)


def _prepared(encounter: EncounterSummary) -> str:
    """`prepared   4 of the party, 6 foes`"""
    party = f"{encounter.party} of the party" if encounter.party else ""
    foes = f"{encounter.foes} foe{'s' if encounter.foes != 1 else ''}" if encounter.foes else ""
    combatant_id = ", ".join(filter(None, (party, foes)))
    return f"prepared   {combatant_id}" if combatant_id else "nobody in it yet"


def _who_stands(encounter: EncounterSummary, brief: bool) -> str:
    """`party stands`, or `Tamsin and Ilse of 4, 2 foes stand`; in brief `2 of 4, 2 foes stand`."""
    names, foes = encounter.standing, encounter.foes_standing
    all_stand = len(names) == encounter.party
    some = f"{len(names)}" if brief else join_or(names, "and")
    party = "party" if all_stand else f"{some} of {encounter.party}"
    lines = [party] if names else []
    lines += [f"{foes} foe{'s' if foes != 1 else ''}"] if foes else []
    if not lines:
        return "nobody is standing"
    one = len(lines) == 1 and (foes == 1 or (bool(names) and (all_stand or len(names) == 1)))
    return f"{', '.join(lines)} {'stands' if one else 'stand'}"


# -------------------------------------------------------------------------------------------------
# The home screen's first and last line

OPEN, OPEN_LAST, BEGIN = "open", "open the last played", "begin an encounter"
"""What enter is called: on an encounter, on a campaign, and on one that is empty."""
KEYS = (
    (
        "↵",
        OPEN,
        "opens the encounter under the cursor, or the campaign's last; begins one if it has none",
    ),
    (
        "n",
        "new encounter",
        "asks for the title of a new encounter, in the campaign under the cursor",
    ),
    ("c", "new campaign", "asks for the name of a new campaign; tab chooses its rules"),
    ("?", "help", "shows these keys"),
    ("q", "quit", "leaves affray; so does ctrl+q"),
    ("p", "party", "makes and edits the characters of the campaign under the cursor"),
    ("b", "bestiary", "makes and edits its creatures"),
    (
        "i",
        "import",
        "asks for a file or folder from another program, and imports it into the campaign",
    ),
    ("/", "find", "narrows the list to the words you type; esc shows everything again"),
    ("d", "copy", "copies the encounter or campaign under the cursor, as it is now"),
    (
        "t",
        "copy to play",
        "copies the encounter as it was before its first round, to play it again",
    ),
    ("R", "rename", "renames the encounter or campaign under the cursor"),
    ("x", "archive", "archives it, or brings back what was archived"),
    ("X", "", "shows or hides what was archived"),
    ("u", "undo", "undoes the last copy, rename or archiving"),
    (
        "s",
        "story",
        "tells the story of the encounter: who did what, and what turned it",
    ),
    ("r", "", "looks again for campaigns and encounters"),
    ("ctrl+p", "palette", "lists every action, themes too, searched by typing"),
    (
        "esc",
        "",
        "cancels a question or clears a message; otherwise asks whether to leave affray",
    ),
    ("↑ ↓", "", "move the cursor; so do k and j, home and end"),
)
"""The keys of the list of fights: what the last line calls them, if it names them, and the help."""


class HomeKeys(KeyHints):
    """The keys of the home screen, or a result or mistake, in one line."""

    def __init__(self) -> None:
        super().__init__(KEYS, id="home-keys")

    def name_enter(self, does: str) -> None:
        """Show what enter does on the row under the cursor."""
        (enter, _, what), *others = KEYS
        self.take_own(((enter, does, what), *others))


class HomeHeader(Pane):
    """The first line of the home screen."""

    def __init__(self) -> None:
        super().__init__(id="home-header", classes="header")

    def line_count(self) -> int:
        """The header's height: 1."""
        return 1

    def line(self, number: int, width: int) -> StyledLine:
        """The program's name and its motto."""
        name = StyledLine().add(" affray", self.inks.accent)
        return name.add("   every fight, every hit, and undo", self.inks.dim)
