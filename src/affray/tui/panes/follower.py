"""A widget that follows the fight and the theme: what all of ours have in common."""

from __future__ import annotations

from textual.widget import Widget

from affray.tui.fight_view import FightView
from affray.tui.shared import app_of
from affray.tui.themes import Inks


class Follower(Widget):
    """Told of every new view of the fight, and drawn anew in other inks."""

    ALLOW_SELECT = False

    @property
    def inks(self) -> Inks:
        """The inks of the present theme."""
        return app_of(self).inks

    def on_mount(self) -> None:
        """Watch the fight and the theme."""
        self.watch(self.app, "fight", self._follow)
        self.watch(self.app, "inks", self.repaint, init=False)

    def _follow(self, view: FightView | None) -> None:
        if view is not None:
            self.follow(view)

    def follow(self, view: FightView) -> None:
        """Take in how the fight is to be shown now."""

    def repaint(self) -> None:
        """Draw everything anew."""
        self.refresh()
