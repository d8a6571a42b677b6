"""The program on the screen: it opens encounters, and holds what the panes watch."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.reactive import var

from affray.core.refusal import Refused
from affray.store.log_file import LogError
from affray.tui.fight_view import FightView
from affray.tui.palette import FightCommands
from affray.tui.screens.fight import FightScreen
from affray.tui.screens.home import HomeScreen
from affray.tui.themes import DARK, THEMES, Inks, inks_of, theme_variables

if TYPE_CHECKING:
    from textual.theme import Theme

    from affray.store.encounter import OpenEncounter


class AffrayApp(App[None]):
    """affray, full-screen.

    fight   what the panes of the fight draw; a new value for every change
    inks    what everything is drawn with; a new value for every theme
    """

    TITLE = "affray"
    CSS_PATH = "affray.tcss"
    COMMANDS = App.COMMANDS | {FightCommands}
    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "Quit", priority=True, show=False)
    ]

    fight: var[FightView | None] = var(None)
    inks: var[Inks] = var(inks_of(DARK))

    def __init__(self, encounter: OpenEncounter | None, campaigns: list[Path]) -> None:
        super().__init__()
        self.animation_level = "none"
        self.campaigns = campaigns
        self.encounter = encounter
        self._came_from_home = encounter is None
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = DARK.name

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Our own variables, for themes that don't have them."""
        return theme_variables(self.current_theme)

    def _show_fight(self, encounter: OpenEncounter) -> None:
        self.encounter = encounter
        # A long fight is a hundred thousand objects that live until the end. Out of the collector's
        # sight they cost no key a pause.
        gc.collect()
        gc.freeze()
        self.push_screen(FightScreen(encounter))

    def on_mount(self) -> None:
        """Open the fight, or the home screen when none was named."""
        self.theme_changed_signal.subscribe(self, self._change_inks)
        self._change_inks(self.current_theme)
        if self.encounter is None:
            self.push_screen(HomeScreen(self.campaigns))
        else:
            self._show_fight(self.encounter)

    def _change_inks(self, theme: Theme) -> None:
        self.inks = inks_of(theme)

    def open_encounter(self, path: Path) -> str:
        """Open a saved encounter. Gives one line on why not, or nothing when it is open."""
        from affray.store.encounter import OpenEncounter

        try:
            encounter = OpenEncounter.open_or_view(path)
        except (Refused, LogError, OSError) as error:
            return str(error)
        self._show_fight(encounter)
        return ""

    def go_home(self) -> None:
        """Close the encounter; go to the home screen, or leave when there is none."""
        if self.encounter is not None:
            self.encounter.close()
            self.encounter = None
        if not self._came_from_home:
            self.exit()
            return
        self.pop_screen()
        self.fight = None

    async def action_quit(self) -> None:
        """Leave; everything is saved already."""
        if self.encounter is not None:
            self.encounter.close()
        self.exit()


def run_app(encounter: OpenEncounter | None, campaigns: list[Path]) -> int:
    """Run until the GM leaves. Gives the exit status."""
    app = AffrayApp(encounter, campaigns)
    app.run()
    return app.return_code or 0
