"""The home screen: campaigns and encounters, how far each is, and what can be done with them.

An encounter uses the rule system of its campaign, which is chosen with the campaign's name; or with
the title of the first encounter, which makes the first campaign.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from textual import events
from textual.app import ComposeResult
from textual.screen import ModalScreen, Screen
from textual.widgets import Input

from affray import debug_log
from affray.core.parser.errors import Refused
from affray.core.rules.reference import BESTIARY, PARTY
from affray.rulesets import known_rulesets
from affray.store import LogError
from affray.store.campaigns import find as finding, manage
from affray.store.campaigns.find import Campaign
from affray.store.campaigns.summaries import summary
from affray.store.open_encounter import OpenEncounter
from affray.tui.fight_view import dismiss_once, get_app, key_name
from affray.tui.lookup.model import LookupKeyResult
from affray.tui.lookup.reference import home_help
from affray.tui.screens import home_dialogs
from affray.tui.screens.home_dialogs import Question, QuestionLine, UndoableChange
from affray.tui.terminal import clean_paste
from affray.tui.widgets import home
from affray.tui.widgets.lookup import LookupPane

# -------------------------------------------------------------------------------------------------
# The help over the home screen


class HomeHelp(ModalScreen[None]):
    """The help over the list of campaigns: typed words narrow it, esc clears them and then
    leaves."""

    def __init__(self) -> None:
        super().__init__(classes="overlay")

    def compose(self) -> ComposeResult:
        """The sheet alone."""
        yield LookupPane()

    def on_mount(self) -> None:
        """Show the keys."""
        self.query_one(LookupPane).open(home_help(home.KEYS))

    def on_key(self, event: events.Key) -> None:
        """Every key is for the sheet."""
        event.stop()
        event.prevent_default()
        pane, pressed = self.query_one(LookupPane), key_name(event)
        opened = pressed == "f1" or (pressed == "?" and pane.sheet and not pane.sheet.query)
        if opened or pane.feed(pressed) is LookupKeyResult.LEFT:
            dismiss_once(self)

    def on_paste(self, event: events.Paste) -> None:
        """Type the pasted text."""
        event.stop()
        self.query_one(LookupPane).paste(clean_paste(event.text))


LEAVE = "leave affray? enter: yes · esc: no"
AT_ONCE = 256 * 1024
"""So many bytes of logs are read before the list is shown, and so many at a time after that."""
SOON = 0.01
"""Seconds until the next logs are read, in which keys are answered."""


class HomeScreen(Screen[None]):
    """Lists campaigns and their encounters, opens one, begins one, and keeps them in order."""

    AUTO_FOCUS = ""

    def __init__(self) -> None:
        super().__init__()
        self._changes: list[UndoableChange] = []  # what can be taken back, the last one last
        self._shows_away = False
        self._closed_lines = 0  # so many lines on fights that were closed
        self._left: tuple[Path, str] | None = None  # the fight that was left last

    def compose(self) -> ComposeResult:
        """Make the header, the list, the line for questions, and the footer."""
        yield home.HomeHeader()
        yield home.CampaignList(id="home")
        yield QuestionLine()
        yield home.HomeKeys()

    def on_mount(self) -> None:
        """Report user files that could not be read."""
        self._begins = get_app(self).campaign
        self.say(" · ".join(get_app(self).complaints))

    @property
    def fights(self) -> home.CampaignList:
        """The list."""
        return self.query_one(home.CampaignList)

    @property
    def _line(self) -> QuestionLine:
        return self.query_one(QuestionLine)

    # -- the list ----------------------------------------------------------------------------------

    def on_screen_resume(self) -> None:
        """The screen is there, for the first time or again after a fight: look for encounters."""
        self.look()
        left, parting = get_app(self).left, get_app(self).parting
        begins, self._begins = self._begins, None
        if begins is not None:
            self.fights.go_to(begins)
        if left is not None and left is not self._left:
            self._left = left
            self.fights.go_to(left[0])
        if news := parting[self._closed_lines :]:
            self._closed_lines = len(parting)
            self.say(" · ".join(news))

    def look(self) -> None:
        """Look for campaigns and their encounters, and for encounters beside the last fight."""
        found, left = finding.find_campaigns(self._shows_away), get_app(self).left
        found = finding.with_folder_of(*left, found) if left is not None else found
        begins = get_app(self).campaign
        found = finding.with_campaign(begins, found) if begins is not None else found
        if not self._shows_away:
            found = [finding.without_away(campaign) for campaign in found]
        self.fights.show(found)
        self._fill()

    def _fill(self) -> None:
        """Fill in the state of encounters, some at once and the others a little later, between
        keys."""
        room = AT_ONCE
        for seen in self.fights.glances():
            if room <= 0:
                self.set_timer(SOON, self._fill_later)
                return
            room -= seen.size + 1
            self.fights.tell(summary(seen.path))

    def _fill_later(self) -> None:
        if self.is_active:  # else it is gone on with when the fight is left
            self._fill()

    # -- keys --------------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Take a key of this screen, or of the open question."""
        question, pressed = self._line.question, key_name(event)
        if question is not None:
            taken = self._answering(question, pressed)
        elif self.query_one(home.HomeKeys).asks and pressed in ("enter", "escape"):
            self.say("")
            taken = True
            if pressed == "enter":
                self.app.exit()
        else:
            taken = self._act(pressed)
        if taken:
            event.stop()
            event.prevent_default()

    def _act(self, pressed: str) -> bool:
        """Move in the list, or carry out the key; returns True if it has a use."""
        if self.query_one(home.HomeKeys).asks:
            self.say("")
        if pressed in MOVES:
            self.fights.move(MOVES[pressed])
        elif pressed in ACTIONS:
            ACTIONS[pressed](self)
        return pressed in MOVES or pressed in ACTIONS

    def _answering(self, question: Question, key: str) -> bool:
        """Take a key of the open question; True if it was more than text."""
        if key == "escape":
            self._close()
            self.say("")
            if question.typed:
                self.fights.narrow("")
        elif key in ("tab", "shift+tab"):
            self._line.turn(back=key == "shift+tab")
        elif key in ("up", "down") and question.typed:
            self.fights.move(MOVES[key])
        else:
            return False
        return True

    def on_row_opened(self) -> None:
        """The row under the cursor was clicked."""
        self.open_here()

    def on_moved(self) -> None:
        """Name what enter does here."""
        self.query_one(home.HomeKeys).name_enter(_enter_does(self.fights.row))

    def open_here(self) -> None:
        """Open the encounter under the cursor, or the one of a campaign that was played last; in an
        empty campaign, begin one."""
        row = self.fights.row
        found = row.encounter or row.newest if row is not None else None
        if row is not None and row.away:
            self.say("it is archived: x brings it back")
        elif found is not None:
            self.say(get_app(self).open_encounter(found.path))
        elif row is not None and row.campaign is not None:
            self.ask_title()

    # Screens of their own are imported once they are asked for: the list is there sooner.

    def show_people(self, where: str) -> None:
        """The party or the bestiary of the campaign under the cursor."""
        from affray.tui.screens.roster import RosterScreen

        campaign = self._own_campaign()
        if campaign is not None:
            self.app.push_screen(RosterScreen(campaign.path, where))

    def _own_campaign(self) -> Campaign | None:
        """The campaign under the cursor; a message if there is none."""
        row = self.fights.row
        campaign = row.campaign if row is not None else None
        if campaign is not None and not campaign.loose:
            return campaign
        self.say(
            "put the cursor on a campaign, or begin one with c: it has the party and the bestiary"
        )
        return None

    def tell_story(self) -> None:
        """Tell the fight under the cursor: who did what, and how it turned."""
        row = self.fights.row
        if row is not None and row.encounter is not None:
            path = row.encounter.path
            self._carry_out(lambda: self._open_story(path))

    def _open_story(self, path: Path) -> None:
        from affray.tui.screens.reports import RecapScreen

        with OpenEncounter.view(path) as fight:
            self.app.push_screen(RecapScreen(fight, (STORY,)))

    def say(self, message: str, done: bool = False) -> None:
        """One line in place of the keys; an empty one brings them back."""
        if message:
            debug_log.log_line("message: %s", message)
        self.query_one(home.HomeKeys).show(message, done=done)

    def leave(self) -> None:
        """Esc takes back what narrows the list, then a message; else it leaves, once confirmed."""
        keys = self.query_one(home.HomeKeys)
        if self.fights.sought:
            self.fights.narrow("")
        else:
            keys.show("" if keys.message else LEAVE, asks=not keys.message)

    # -- what is asked for -------------------------------------------------------------------------

    def ask_title(self) -> None:
        """Ask for the title of a new encounter; without a campaign, also begin the first one."""
        row = self.fights.row
        campaign = row.campaign if row is not None else None
        rules = known_rulesets() if campaign is None else [campaign.ruleset_id]
        begin = partial(self._begin, campaign)
        where = f" in {campaign.name}" if campaign is not None else ""
        self._ask(Question(f"{home_dialogs.NEW_ENCOUNTER}{where}", begin, rules=tuple(rules)))

    def ask_campaign(self) -> None:
        """Ask for the name of a new campaign."""
        self._ask(
            Question(home_dialogs.NEW_CAMPAIGN, self._begin_campaign, rules=tuple(known_rulesets()))
        )

    def ask_path(self) -> None:
        """Ask for a file or folder to import into the campaign under the cursor."""
        campaign = self._own_campaign()
        if campaign is not None:
            self._ask_path(campaign)

    def _ask_path(self, campaign: Campaign, typed: str = "") -> None:
        then = partial(self._import, campaign=campaign)
        asked = f"{home_dialogs.IMPORT} into {campaign.name}"
        self._ask(Question(asked, then, typed, path=True, most=4096))

    def _import(self, path: str, campaign: Campaign) -> None:
        """Import it; if that is refused, ask again, with what was typed."""
        from affray.tui.screens.home_dialogs import ImportScreen, path_of

        def again(refused: str | None) -> None:
            if refused:
                self._ask_path(campaign, path)
                self.say(refused)

        self.app.push_screen(ImportScreen(path_of(path), campaign), again)

    def find(self) -> None:
        """Narrow the list by typed words."""
        self._ask(Question(home_dialogs.FIND, self.fights.narrow, self.fights.sought, typed=True))

    def ask_name(self, what: str, change: Callable[..., UndoableChange], again: str = "") -> None:
        """Ask for a name, to copy or rename the row under the cursor."""
        row = self.fights.row
        if row is None or row.path is None:
            return
        if barred := home_dialogs.why_unavailable(change, row):
            self.say(barred)
            return
        kind = "title" if home_dialogs.is_encounter(row) else "name"
        what += home_dialogs.whole_of(row) if change is home_dialogs.copy else ""
        name = f"{home_dialogs.title_of(row)}{again}"
        self._ask(Question(f"{kind} {what}", lambda n: self._change(lambda: change(row, n)), name))

    def _ask(self, question: Question) -> None:
        self.say("")
        self._line.put(question)
        self.query_one(home.HomeKeys).offer(question.keys)

    def _close(self) -> None:
        self._line.close()
        self.query_one(home.HomeKeys).offer()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Take each typed letter, with which the list narrows."""
        event.stop()
        question = self._line.question
        if question is not None and event.value != question.value:
            self.say("")  # what was wrong is being put right
        if question is not None and question.typed:
            self.fights.narrow(event.value)
            self._fill()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Carry out the answer; words that found something open it. A refused answer stays."""
        event.stop()
        question, name = self._line.question, event.value.strip()
        if question is None:
            return
        if name and not question.typed and not self._carry_out(lambda: question.then(name)):
            return
        self._close()
        if question.typed:
            self.open_here()

    # -- what is done ------------------------------------------------------------------------------

    def _carry_out(self, do: Callable[[], None]) -> bool:
        """Do it, or say why not; returns True if it is done."""
        try:
            do()
        except (Refused, LogError, OSError) as error:
            self.say(str(error))
            return False
        return True

    def _begin_campaign(self, name: str) -> None:
        folder = manage.create_campaign(name, self._line.rules[0])
        self.look()
        self.fights.go_to(folder)

    def _begin(self, campaign: Campaign | None, title: str) -> None:
        path = home_dialogs.begin_encounter(campaign, title, self._line.rules[0])
        self.say(get_app(self).open_encounter(path))

    def _change(self, do: Callable[[], UndoableChange]) -> None:
        change = do()
        self._changes.append(change)
        self.look()
        self.fights.go_to(change.path)
        self.say(f"{change.summary} · u undoes that", done=True)

    def put_away_or_back(self) -> None:
        """Archive what is under the cursor, or restore it."""
        row = self.fights.row
        if row is not None:
            self._carry_out(lambda: self._change(lambda: home_dialogs.put_away_or_back(row)))

    def show_away(self) -> None:
        """Show archived rows, or hide them again."""
        self._shows_away = not self._shows_away
        self.look()

    def undo(self) -> None:
        """Take back the last change."""
        if not self._changes:
            self.say("nothing to undo: fights have their own undo")
            return
        self._carry_out(self._take_back)

    def _take_back(self) -> None:
        change = self._changes.pop()
        change.back()
        self.look()
        self.say(f"undone: {change.summary}", done=True)


def _enter_does(row: home.CampaignListRow | None) -> str:
    """The name of the act of `enter` on a row."""
    if row is None or row.encounter is not None or row.away:
        return home.OPEN
    return home.OPEN_LAST if row.newest is not None else home.BEGIN


MOVES = {"down": 1, "j": 1, "up": -1, "k": -1, "home": -999, "end": 999}
MOVES |= {"pagedown": 10, "pageup": -10}
STORY = "s"
"""The key that tells a fight's story, and leaves it again."""

ACTIONS: dict[str, Callable[[HomeScreen], object]] = {
    "enter": HomeScreen.open_here,
    "n": HomeScreen.ask_title,
    "c": HomeScreen.ask_campaign,
    "/": HomeScreen.find,
    "d": lambda screen: screen.ask_name("of the copy", home_dialogs.copy, " (copy)"),
    "t": lambda screen: screen.ask_name(
        "of the copy, not yet begun", home_dialogs.copy_to_play, " again"
    ),
    "R": lambda screen: screen.ask_name("from now on", home_dialogs.rename),
    "x": HomeScreen.put_away_or_back,
    "X": HomeScreen.show_away,
    "u": HomeScreen.undo,
    "p": lambda screen: screen.show_people(PARTY),
    "b": lambda screen: screen.show_people(BESTIARY),
    "i": HomeScreen.ask_path,
    STORY: HomeScreen.tell_story,
    "r": HomeScreen.look,
    "?": lambda screen: screen.app.push_screen(HomeHelp()),
    "f1": lambda screen: screen.app.push_screen(HomeHelp()),
    "escape": HomeScreen.leave,
    "q": lambda screen: screen.app.exit(),
}
"""What keys do that move nothing."""
