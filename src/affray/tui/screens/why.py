"""`w`: where the numbers of a combatant come from: the parts of each total, the last changes."""

from __future__ import annotations

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.widgets import Static

from affray.core.heart.state import Combatant
from affray.core.language.refusal import signed
from affray.core.rules.ruleset import Share
from affray.core.telling.explain import explain
from affray.tui.drawing import Line, amount, cut, plain, wrapped
from affray.tui.fight_view import FightView
from affray.tui.shared import app_of, close_once
from affray.tui.themes import Inks

MOST_CHANGES = 3
"""So many changes of a track are told, fewer where the rows don't suffice; `why` tells more."""

MAIN = ("bar", "pips", "boxes", "die")
"""How the tracks are shown whose changes are told."""

NAME_CELLS = 14
FRAME = Size(6, 4)
WIDEST = 100
"""With `.why` in affray.tcss: it takes 92 of 100 cells, and no more than these."""


class WhyScreen(ModalScreen[None]):
    """Shown until the next key."""

    def __init__(self, view: FightView, who: Combatant) -> None:
        super().__init__(classes="overlay")
        self.view = view
        self.who = who

    def compose(self) -> ComposeResult:
        """One text in its frame."""
        sheet = Static(classes="why")
        at = "" if self.view.view_at is None else f" at entry {self.view.view_at}"
        sheet.border_title = Text(f"{plain(self.who.name)}{at}: where the numbers come from")
        sheet.border_subtitle = Text("any key closes")
        yield sheet

    def on_mount(self) -> None:
        """Say it, as it fits."""
        self._say()

    def on_resize(self) -> None:
        """Lines are made for a width."""
        self._say()

    def _say(self) -> None:
        width = min(self.size.width * 92 // 100, WIDEST) - FRAME.width
        room = self.size.height - FRAME.height
        lines = fitting_lines(self.view, self.who, Size(width, room), app_of(self).inks)
        text = Text(no_wrap=True)
        for number, line in enumerate(lines):
            text.append("\n" if number else "")
            for segment in line.segments:
                text.append(segment.text, segment.style)
        self.query_one(Static).update(text)

    def on_key(self, event: events.Key) -> None:
        """Every key closes it."""
        event.stop()
        event.prevent_default()
        close_once(self)

    def on_click(self) -> None:
        """So does a click."""
        close_once(self)


def fitting_lines(view: FightView, who: Combatant, size: Size, inks: Inks) -> list[Line]:
    """As much as there is room for; the totals before the changes."""
    lines: list[Line] = []
    for most in range(MOST_CHANGES, -1, -1):
        lines = why_lines(view, who, size.width, inks, most)
        if len(lines) <= size.height:
            break
    return lines[: size.height]


def why_lines(
    view: FightView, who: Combatant, width: int, inks: Inks, most: int = MOST_CHANGES
) -> list[Line]:
    """Each total with its parts, then the tracks with their last changes, newest first."""
    tables, lines = view.ruleset.tables, []
    for name, value in view.ruleset.totals(tables, view.state, who).items():
        rule = tables.total(name)
        head = f"{rule.label} {rule.told(value)}"
        shares = view.ruleset.shares(tables, view.state, who, name)
        said = ", ".join(_share(share) for share in shares) or "nothing changes it now"
        lines += _row(head, wrapped(plain(said), width - NAME_CELLS), inks)
    for track, found in who.tracks.items():
        known = tables.tracks.get(track)
        if known is None or known.shown not in MAIN:
            continue
        at, others = view.view_at, view.elsewhere
        told = explain(view.history, view.ruleset, who.id, track, at, most, others)[1:]
        if len(told) > 1 or not most:  # the only one is how it began
            changes = [cut(plain(line), width - NAME_CELLS) for line in told[:most]]
            lines += _row(f"{known.short or known.label} {amount(found)}", changes, inks)
    return lines


def _share(share: Share) -> str:
    number = signed(share.amount) if isinstance(share.amount, int) else share.amount
    return f"{number} {share.source}"


def _row(head: str, told: list[str], inks: Inks) -> list[Line]:
    rows = []
    for number, words in enumerate(told or [""]):
        line = Line().add(plain(head) if not number else "", inks.strong).column(NAME_CELLS)
        rows.append(line.add(words, inks.dim))
    return rows
