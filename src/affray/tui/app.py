"""The Textual app: it opens encounters, and holds the theme and keys that its screens share."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar

from textual import constants, events, on
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.events import DeliveryFailed, Event
from textual.screen import Screen
from textual.theme import ThemeProvider

from affray import debug_log
from affray.core.formatting.safe_text import strip_control_chars
from affray.core.parser.errors import Refused
from affray.store import LogError
from affray.store.filesystem import os_error_text
from affray.store.open_encounter import OpenEncounter
from affray.tui import terminal
from affray.tui.fight_view import FOR_PLAYERS, AppFacade
from affray.tui.keymap import keep_theme, own_theme, unknown_theme
from affray.tui.palette import FightCommandProvider, Palette, once
from affray.tui.screens.fight import FightScreen
from affray.tui.theme import DARK, THEMES, styles_of, theme_variables

if TYPE_CHECKING:
    from textual.driver import Driver
    from textual.theme import Theme

    from affray.beside import BesideServer
    from affray.tui.screens.home import HomeScreen


class AffrayApp(AppFacade):
    """affray, full-screen."""

    TITLE = "affray"
    CSS_PATH = "affray.tcss"
    ALLOW_SELECT = False  # no text of the toolkit's is there to be selected
    COMMANDS = App.COMMANDS | {FightCommandProvider}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "Quit", priority=True, show=False)
    ]

    def __init__(
        self, encounter: OpenEncounter | None, theme: str = "", for_players: bool = False
    ) -> None:
        super().__init__()
        self.for_players = for_players
        self.one_by_one = terminal.OneByOne(self)
        self.animation_level = "none"
        self.encounter = encounter
        for each in THEMES:
            self.register_theme(each)
        self.theme = self._first_theme(theme)
        self._kept_theme = self.theme

    async def on_event(self, event: Event) -> None:
        """Input goes to the screen one by one, and nowhere once affray is about to end."""
        comes = terminal.is_input(event)
        if comes and (self._ends or self.one_by_one.keeps(event)):
            return
        await super().on_event(event)
        if comes and not self._ends:
            self.one_by_one.follow(event)

    @property
    def _ends(self) -> bool:
        """True if affray was told to end, or has no screen any more."""
        return self.return_code is not None or not self.screen_stack

    def _first_theme(self, asked: str) -> str:
        """The theme that was asked for, by an option or else the environment, else the last chosen.

        Raises Refused for one that is not there.
        """
        by_name = self.available_themes
        named = asked or os.environ.get("TEXTUAL_THEME", "")
        if named and named not in by_name:
            raise Refused(f"{'' if asked else 'TEXTUAL_THEME: '}{unknown_theme(named, by_name)}")
        text, complaint = own_theme(by_name)
        self.complaints += [complaint] if complaint and not named else []
        return named or text or DARK.name

    def get_driver_class(self) -> type[Driver]:
        """The class that reads and writes the terminal. Raises Refused for one that can't be
        had."""
        if constants.DRIVER is None and sys.platform != "win32":
            from affray.tui.terminal import TerminalDriver

            return TerminalDriver
        try:
            driver = super().get_driver_class()
        except Exception as error:  # whatever a foreign module raises while it is imported
            if constants.DRIVER is None:
                raise
            raise terminal.driver_refused(error) from None
        terminal.filter_keys_of(driver)
        return driver

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Our own variables, for themes that don't have them."""
        return theme_variables(self.current_theme)

    def _show_fight(self, encounter: OpenEncounter) -> None:
        self.encounter = encounter
        if not self.for_players:
            self.push_screen(FightScreen(encounter))
            return
        from affray.tui.screens.reports import PlayersScreen  # here: the GM's screen needs none

        self.push_screen(PlayersScreen(encounter, alone=True))

    def on_mount(self) -> None:
        """Open the fight, or the home screen when none was named."""
        terminal.go_on_after_stops(self)
        self.theme_changed_signal.subscribe(self, self._change_theme)
        self._change_inks(self.current_theme)
        if self.encounter is None:
            self.push_screen(_home_class()())
        else:
            self._show_fight(self.encounter)

    def _change_theme(self, theme: Theme) -> None:
        self._change_inks(theme)
        if theme.name == self._kept_theme:
            return
        self._kept_theme = theme.name
        complaint = keep_theme(theme.name)
        if complaint:
            self._tell(complaint)

    def _tell(self, line: str) -> None:
        """A line on the fight, or on the list of fights."""
        for screen in reversed(self.screen_stack):
            if isinstance(screen, FightScreen):
                return screen.show_message(line, "warning")
            if isinstance(screen, _home_class()):
                return screen.say(line)

    def _change_inks(self, theme: Theme) -> None:
        self.inks = styles_of(theme)

    def open_encounter(self, path: Path) -> str:
        """Open a saved encounter. Gives one line on why not, or nothing when it is open."""
        try:
            encounter = OpenEncounter.open_or_view(path)
        except (Refused, LogError, OSError) as error:
            return str(error)
        self._show_fight(encounter)
        return ""

    def go_home(self) -> None:
        """Close the encounter, which is saved already, and go to the list of fights; not twice."""
        if self.encounter is None:
            return
        self.left = (self.encounter.path, self.encounter.ruleset.id)
        self.close_fight()
        if any(isinstance(screen, _home_class()) for screen in self.screen_stack):
            self.pop_screen()
        else:  # the program was started with a file
            self.switch_screen(_home_class()())

    def deliver_screenshot(
        self, filename: str | None = None, path: str | None = None, time_format: str | None = None
    ) -> str | None:
        """Save a picture of the screen among the downloads, or if there is no such folder in
        the one in which affray runs. The toolkit tells where it went."""
        from platformdirs import user_downloads_path  # here, since it is seldom needed

        if path is None and not user_downloads_path().is_dir():
            path = str(Path.cwd())
        return super().deliver_screenshot(filename, path, time_format)

    @on(DeliveryFailed)
    def tell_why(self, event: DeliveryFailed) -> None:
        """Say why a picture wasn't saved, in the place of the toolkit, which doesn't."""
        event.prevent_default()
        why = os_error_text(event.exception) if isinstance(event.exception, OSError) else ""
        self.notify(f"not saved: {why or event.exception}", title="Screenshot", severity="error")

    def action_command_palette(self) -> None:
        """Every action; none where the players look on, who have nothing to press."""
        if not self.screen.has_class(FOR_PLAYERS) and not isinstance(self.screen, Palette):
            self.push_screen(Palette())

    def search_themes(self) -> None:
        """The themes, to be found by typing."""
        self.push_screen(Palette([ThemeProvider], "Find a theme…"))

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """The palette's commands of every screen; each is done once, however often it is chosen."""
        for command in super().get_system_commands(screen):
            yield command._replace(callback=once(command.callback))

    async def action_quit(self) -> None:
        """Leave; everything is saved already."""
        self.close_fight()
        self.exit()

    def close_fight(self) -> None:
        """Let go of the encounter, if one is open, and keep what is to be said of its file."""
        if self.encounter is not None:
            self.encounter.close()
            self.parting += self.encounter.foreign_edit_notes
            self.encounter = None


def run_app(
    encounter: OpenEncounter | None,
    theme: str = "",
    for_players: bool = False,
    served: BesideServer | None = None,
    campaign: Path | None = None,
) -> int:
    """Run until the GM leaves, in that theme or the GM's own; `for_players` shows only the players'
    view, with a server's address. Without an encounter the list of fights opens, at a `campaign` if
    one is given. Gives the exit status.

    Raises Refused for a theme that is not there, and where no screen can be.
    """
    try:
        terminal.check_environment()
        app = _app_class()(encounter, theme, for_players)
        app.served, app.campaign = served, campaign
    except Refused:
        if encounter is not None:
            encounter.close()
        raise
    terminal.leave_when_told(app)
    try:
        app.run()
    except OSError:  # nor could it hear what went wrong with the terminal
        if not terminal.is_terminal_gone():
            raise
    finally:
        app.close_fight()  # a signal has left that to us
    _say(app.parting)
    return terminal.HUNG_UP if terminal.is_terminal_gone() else app.return_code or 0


def _home_class() -> type[HomeScreen]:
    """The list of fights, with all that belongs to it: a fight opens sooner without."""
    from affray.tui.screens.home import HomeScreen

    return HomeScreen


def _app_class() -> type[AffrayApp]:
    """The program, or the one that tells what it does while anybody listens."""
    if not debug_log.is_enabled():
        return AffrayApp
    from affray.tui.app import DebuggedApp

    return DebuggedApp


def _say(lines: Sequence[str]) -> None:
    with suppress(OSError):  # the terminal may be gone, too
        for line in lines:
            print(strip_control_chars(f"affray: {line}"), file=sys.stderr, flush=True)


# -------------------------------------------------------------------------------------------------
# The app under `--debug`: it logs keys, redraws and errors


class DebuggedApp(AffrayApp):
    """affray, which tells what it is given, and how long it takes until that is painted."""

    async def on_event(self, event: events.Event) -> None:
        """Tell of what comes from outside, before it goes its way."""
        text = "" if event.is_forwarded else _describe_event(event)
        screens, begun = self.screen_stack, perf_counter()
        if text and screens:  # which there are none of as long as the program begins
            debug_log.log_line("%s on %s", text, type(screens[-1]).__name__)
        await super().on_event(event)
        if text and screens:  # it has the event now, and is asked after that
            screens[-1].call_after_refresh(_painted, text, begun)

    def _handle_exception(self, error: Exception) -> None:
        """Tell of what ends affray.

        The one private name of Textual's that is used here: no public one is told of an error with
        its traceback, and without it the log of `--debug` would lack just that.
        """
        debug_log.unexpected(error)
        super()._handle_exception(error)


def _describe_event(event: events.Event) -> str:
    """The log's words for an event; empty for events that nobody caused."""
    if isinstance(event, events.Key):
        return f"key {event.key}"
    if isinstance(event, events.Paste):
        return f"paste of {len(event.text)} characters"
    if isinstance(event, events.Resize):
        return f"size {event.size.width}x{event.size.height}"
    if isinstance(event, events.MouseDown):
        return f"mouse at {event.x},{event.y}"
    return ""


def _painted(what: str, begun: float) -> None:
    debug_log.log_line("painted %.1f ms after %s", (perf_counter() - begun) * 1000, what)
