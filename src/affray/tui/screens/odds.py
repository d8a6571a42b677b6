"""How the fight is likely to end, reckoned while one looks on: it gets narrower until a key."""

from __future__ import annotations

from textual import work
from textual.geometry import Size
from textual.worker import get_current_worker

from affray.core.language.refusal import Refused
from affray.odds import Odds, Rules, reckon
from affray.odds.words import words
from affray.tui.drawing import Line, cut, plain
from affray.tui.fight_view import FightView
from affray.tui.screens.overlay import Overlay
from affray.tui.shared import app_of
from affray.tui.themes import Inks

FIGHTS = 2000


class OddsScreen(Overlay):
    """Reckons from the fight as it is shown; the next key closes it, and ends the reckoning."""

    def __init__(self, view: FightView, rules: Rules) -> None:
        super().__init__("How it is likely to end, from here on")
        self._view, self._rules = view, rules
        self._told = ["…"]

    def on_mount(self) -> None:
        """Begin, beside the screen."""
        super().on_mount()
        self._reckon()

    @work(thread=True)
    def _reckon(self) -> None:
        worker = get_current_worker()
        try:
            for odds in reckon(self._view.state, self._rules, FIGHTS):
                if worker.is_cancelled:
                    return
                app_of(self).call_from_thread(self._tell, odds)
        except (Refused, OSError) as error:
            app_of(self).call_from_thread(self._show, [str(error)])

    def _tell(self, odds: Odds) -> None:
        self._show(words(self._view.state, self._view.ruleset.tables, odds))

    def _show(self, lines: list[str]) -> None:
        self._told = lines
        self.say()

    def lines(self, size: Size, inks: Inks) -> list[Line]:
        """What has been reckoned; what has no room is counted."""
        told = [cut(plain(line), size.width) for line in self._told]
        if len(told) > size.height:
            told = [*told[: size.height - 1], f"+{len(told) - size.height + 1} more"]
        return [Line().add(line, inks.plain) for line in told]
