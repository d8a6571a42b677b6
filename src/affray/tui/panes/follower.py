"""A widget that follows the fight and the theme: what all of ours have in common."""

from __future__ import annotations

from typing import Self

from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from affray.tui.fight_view import FightView
from affray.tui.shared import app_of
from affray.tui.themes import Inks


class Follower(Widget):
    """Told of every new view of the fight, and drawn anew in other inks.

    Its picture is kept until something in it has changed. The toolkit asks all widgets for all of
    their lines whenever a line of one of them is painted.
    """

    ALLOW_SELECT = False

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._kept: tuple[Region, list[Strip]] | None = None

    @property
    def inks(self) -> Inks:
        """The inks of the present theme."""
        return app_of(self).inks

    @property
    def paper(self) -> Style:
        """What is drawn on: the background, and the ink of what has none of its own."""
        return self.visual_style.rich_style

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

    # -- the picture -------------------------------------------------------------------------------

    def render_lines(self, crop: Region) -> list[Strip]:
        """The picture, or that part of it."""
        if self._kept is None or self._kept[0] != crop:
            self._kept = crop, self.paint(crop)
        return self._kept[1]

    def paint(self, crop: Region) -> list[Strip]:
        """Make the picture, or that part of it."""
        return super().render_lines(crop)

    def refresh(
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Self:
        """Have these regions painted anew, of what can be seen; without any, all of it."""
        self._kept = None
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def notify_style_update(self) -> None:
        """The picture is as old as its colours."""
        self._kept = None
        super().notify_style_update()
