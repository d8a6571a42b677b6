"""The home screen's questions, what is done with their answers, and the progress of an import."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from rich.text import Text
from textual import events, work
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Static

from affray.core.formatting.recap_output import Section
from affray.core.formatting.safe_text import strip_control_chars
from affray.core.parser.errors import Refused
from affray.store import LogError
from affray.store.campaigns import find, manage
from affray.store.campaigns.find import Campaign
from affray.store.filesystem import ON_WINDOWS, one_spelling
from affray.store.importers.report import import_report
from affray.store.importers.run_import import ImportSummary, bring_in
from affray.tui.drawing import truncate
from affray.tui.fight_view import dismiss_once, get_app, key_name
from affray.tui.prompts.command_bar import common_prefix
from affray.tui.widgets.header_footer import InputLine, Keys
from affray.tui.widgets.home import CampaignListRow
from affray.tui.widgets.reports import RecapPane

# -------------------------------------------------------------------------------------------------
# Changes of campaigns and encounters, each with its way back. Nothing is deleted, only archived.

LEDGER_STAYS = "the ledger stays with its campaign"
ONE_AT_A_TIME = "t copies one encounter to play it again: move the cursor to it; d copies all"


class UndoableChange(NamedTuple):
    """A change of the folders: its summary, the path it has now, and how to take it back."""

    summary: str
    path: Path
    back: Callable[[], object]


def is_encounter(row: CampaignListRow) -> bool:
    """True if the row is an encounter's; it may be a campaign's instead."""
    return row.encounter is not None


def title_of(row: CampaignListRow) -> str:
    """An encounter's title, or a campaign's name."""
    if row.encounter is not None:
        return row.encounter.title
    return row.campaign.name if row.campaign is not None else ""


def whole_of(row: CampaignListRow) -> str:
    """Describe what a copy of a campaign includes; empty for an encounter, which is copied
    alone."""
    if is_encounter(row) or row.campaign is None:
        return ""
    count = len(row.campaign.encounters)
    return f" of the whole campaign, with {count} encounter{'s' if count != 1 else ''}"


def begin_encounter(campaign: Campaign | None, title: str, ruleset_id: str) -> Path:
    """Begin an encounter in a campaign; without one, in the first campaign, which goes by those
    rules. Raises Refused for a campaign that is put away."""
    if campaign is not None and campaign.is_away:
        raise Refused("the campaign is archived: x brings it back")
    if campaign is not None and campaign.loose:
        return manage.create_loose_encounter(campaign.path, title, campaign.ruleset_id)
    folder = (
        campaign.path if campaign is not None else manage.create_campaign(ruleset_id=ruleset_id)
    )
    return manage.create_encounter(folder, title)


def why_unavailable(
    change: Callable[[CampaignListRow, str], UndoableChange], row: CampaignListRow
) -> str:
    """The reason why a row can't be changed, before any name is asked; empty if it can."""
    if row.ledger:
        return LEDGER_STAYS
    return ONE_AT_A_TIME if change is copy_to_play and not is_encounter(row) else ""


def copy(row: CampaignListRow, name: str) -> UndoableChange:
    """Copy an encounter in its present state, or a campaign."""
    path = _there(row)
    make = manage.copy_encounter if is_encounter(row) else manage.copy_campaign
    built_path = make(path, name)
    text = "copied" if is_encounter(row) else "the whole campaign is copied"
    return UndoableChange(f"{text} as {name!r}", built_path, lambda: manage.archive(built_path))


def copy_to_play(row: CampaignListRow, name: str) -> UndoableChange:
    """Copy an encounter as it was before its first round."""
    path = manage.copy_unbegun(_there(row), name)
    return UndoableChange(f"copied as {name!r}, not yet begun", path, lambda: manage.archive(path))


def rename(row: CampaignListRow, name: str) -> UndoableChange:
    """Give an encounter or a campaign another name."""
    path = _there(row)
    give = find.rename_encounter if is_encounter(row) else find.rename_campaign
    old = give(path, name)
    return UndoableChange(f"{old!r} is now called {name!r}", path, lambda: give(path, old))


def put_away_or_back(row: CampaignListRow) -> UndoableChange:
    """Put an encounter or a campaign away; what is away comes back."""
    path = _there(row)
    if row.campaign is not None and row.campaign.is_away and is_encounter(row):
        raise Refused("its campaign is archived: x on the campaign's name brings it back")
    if row.away:
        moved = manage.unarchive(path)
        return UndoableChange(f"{title_of(row)!r} is back", moved, lambda: manage.archive(moved))
    moved = manage.archive(path)
    return UndoableChange(f"{title_of(row)!r} is archived", moved, lambda: manage.unarchive(moved))


def _there(row: CampaignListRow) -> Path:
    """The file or folder of a row. Raises Refused for the ledger, and for a folder that is no
    campaign."""
    if row.path is None:
        raise Refused("there is nothing under the cursor")
    if row.ledger:
        raise Refused(LEDGER_STAYS)
    if not is_encounter(row) and row.campaign is not None and row.campaign.loose:
        raise Refused(f"{row.path} is your own folder, not a campaign")
    return row.path


# -------------------------------------------------------------------------------------------------
# Paths, completed while they are typed


def completed(typed: str) -> tuple[str, list[str]]:
    """`~/Down` as `~/Downloads/`: the part common to all matches; and their names.

    A folder ends with its slash. Hidden names match only after a typed dot. Case is ignored if no
    name matches exactly. Without any match, or if the folder can't be read, it stays as typed,
    without names.
    """
    folder, begun = os.path.split(typed)
    if typed == "~":
        return f"~{os.sep}", []
    try:
        found = sorted(Path(folder or ".").expanduser().iterdir())
        names = [
            f"{path.name}{os.sep}" if path.is_dir() else path.name
            for path in found
            if begun or not path.name.startswith(".")
        ]
    except (OSError, RuntimeError):  # no such folder, or nobody's home
        return typed, []
    meant = one_spelling(begun).casefold()
    exact = [name for name in names if name.startswith(begun)]
    near = exact or [name for name in names if one_spelling(name).casefold().startswith(meant)]
    shared = common_prefix(near) if near else ""
    is_longer = bool(exact) or len(shared) >= len(begun)
    return typed[: len(typed) - len(begun)] + shared if is_longer else typed, near


def path_of(typed: str) -> Path:
    """Return the path that was typed, or that a terminal wrote for a file dropped on it: in quotes,
    or on a Mac with a `\\` before each blank."""
    plain = typed.strip()
    if plain[:1] in ("'", '"') and plain[:1] == plain[1:][-1:]:
        plain = plain[1:-1]
    elif not ON_WINDOWS and not os.path.lexists(plain):
        plain = re.sub(r"\\(.)", r"\1", plain)
    path = Path(plain)
    with suppress(RuntimeError):  # of somebody who has no home: there is no such file
        path = path.expanduser()
    return path


NEW_ENCOUNTER = "title of the new encounter"
NEW_CAMPAIGN = "name of the new campaign"
IMPORT = "file or folder from another program, to import"
FIND = "words from a title or a campaign's name"
AROUND_NAMES = 8
"""The cells of the frame around the names that a path may go on with."""


class Question(NamedTuple):
    """A question in the home screen's line, and the function for its answer.

    rules  the rule systems for something new, the likely one first
    typed  True if it is used with every key, and not only at the end
    path   True if it is the path of a file, which tab completes
    most   how many characters it may have
    """

    what: str
    then: Callable[[str], None]
    value: str = ""
    rules: tuple[str, ...] = ()
    typed: bool = False
    path: bool = False
    most: int = 80

    @property
    def keys(self) -> Keys:
        """The keys while it is asked."""
        narrows = [("↑ ↓", "move", "moves the cursor through the results")] if self.typed else []
        turns = [("tab", "other rules", "chooses the next rule system")] if self.rules[1:] else []
        if self.path:
            turns = [("tab", "complete", "completes a name")]
        enter = ("↵", "open" if self.typed else "do it", "does it")
        return (enter, *narrows, *turns, ("esc", "leave", "leaves; nothing changes"))


class QuestionLine(InputLine):
    """The line in which a question is answered; `question` is None while none is asked."""

    question: Question | None = None
    rules: tuple[str, ...] = ()
    """The rule systems that tab goes round; the first is chosen."""

    def put(self, question: Question) -> None:
        """Ask a question."""
        self.question, self.rules = question, question.rules
        self.placeholder = strip_control_chars(question.what)
        self.ask(question.what, question.value, question.most, anew=not question.path)
        self._name_rules()

    def close(self) -> None:
        """Close the question."""
        self.question = None
        super().close()

    def turn(self, back: bool = False) -> None:
        """Tab: complete a path, or choose the next rule system, or the one before it."""
        if self.question is not None and self.question.path:
            self._complete_path()
        else:
            first = len(self.rules) - 1 if back else 1
            self.rules = (*self.rules[first:], *self.rules[:first])
            self._name_rules()

    def _name_rules(self) -> None:
        """Name the chosen rules in the frame, and the others in the order of `tab`."""
        if self.rules:
            self.border_title = Text(f"rules: {self.rules[0]}")
        others = ", ".join(self.rules[1:])
        self.border_subtitle = Text(f"tab: {others}") if others else None

    def _complete_path(self) -> None:
        """Complete a name, and list the matches if there are several."""
        self.value, names = completed(self.value)
        self.cursor_position = len(self.value)
        text = "  ".join(names) if len(names) > 1 else ""
        if not names:
            text = "nothing starts with that"
        self.border_subtitle = Text(truncate(text, max(self.size.width - AROUND_NAMES, 1)))


# -------------------------------------------------------------------------------------------------
# The progress of an import, then its report; `esc` stops it, and nothing has changed.

GOES_ON, OVER = " esc stops it without a change", " ↑ ↓ scroll   esc leaves"
STOPPED = "stopped: nothing was changed"
OFTEN = 25
"""After so many files or creatures it is told how far it has come."""


class _Stopped(Exception):  # noqa: N818
    """The user stopped the import."""


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
        """Begin in a thread beside the screen."""
        self._tell("Import", f"reading {self._path}")
        self._bring()

    @work(thread=True, exit_on_error=False)
    def _bring(self) -> None:
        app = get_app(self)
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
            get_app(self).call_from_thread(self._tell, "Import", f"{done} of {of} {what}")

    def _refuse(self, why: str) -> None:
        """Hand the refusal to the asker, or show it here while another screen is on top."""
        self._end(why)
        if self.is_current:
            self.dismiss(why)

    def _report(self, brought: ImportSummary) -> None:
        self._end(*(f"{line}" for line in import_report(brought)))

    def _end(self, *lines: str) -> None:
        self._is_over = True
        done = f"Imported into {strip_control_chars(self._campaign.name)}"
        self._tell(done if len(lines) > 1 else "Import", *lines)
        self.query_one("#recap-keys", Static).update(OVER)

    def _tell(self, heading: str, *lines: str) -> None:
        parts = tuple(strip_control_chars(line).strip() for line in lines)
        self.query_one(RecapPane).tell([Section(heading, 1, parts)], "Import")

    def on_key(self, event: events.Key) -> None:
        """Scroll; stop it, or leave when it is over."""
        pressed = key_name(event)
        if pressed in ("escape", "q", "enter"):
            if self._is_over:
                dismiss_once(self)
            elif pressed == "escape":
                self._stops = True
        elif not self.query_one(RecapPane).scrolls(pressed):
            return
        event.stop()
        event.prevent_default()
