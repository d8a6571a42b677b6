"""The two rows in which the GM speaks with the program: prompt, command bar, messages, previews."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from affray.tui.drawing import Line, cut, plain
from affray.tui.keymap import Keymap, shown
from affray.tui.prompts import Piece, Prompt
from affray.tui.prompts.command_line import CommandLine
from affray.tui.prompts.outlook import Outlook

if TYPE_CHECKING:
    from affray.tui.app import AffrayApp
    from affray.tui.fight_view import FightView
    from affray.tui.themes import Inks

MessageKind = Literal["info", "hint", "refused", "warning"]

GAP = "  "
MARKS: dict[str, str] = {"info": "→ ", "hint": "  ", "refused": "✗ ", "warning": "! "}
_REVERSE = Style(reverse=True)


class PromptLine(Widget):
    """Upper row: what is asked, typed or was last said. Lower row: what it would come to.

    It never has the focus; the fight's screen gives it every key while `prompt` or `bar` is there.

    keymap       the table of keys of this fight
    last_target  id of the target chosen last
    """

    ALLOW_SELECT = False

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.prompt: Prompt | None = None
        self.bar: CommandLine | None = None
        self.outlook: Outlook | None = None
        self.message: tuple[str, MessageKind] = ("", "info")
        self.keymap: Keymap | None = None
        self.last_target = ""
        self.asked: list[str] = []  # questions put in the bar, which are in no log
        self._undo = ""

    def on_mount(self) -> None:
        """Follow the fight, for what undo would take back, and the theme."""
        self.watch(self.app, "fight", self._follow)
        self.watch(self.app, "inks", self._repaint, init=False)

    def _repaint(self) -> None:
        self.refresh()

    def _follow(self, view: FightView | None) -> None:
        undo = (view.history.undo_title or "") if view is not None else ""
        if undo != self._undo:
            self._undo = undo
            self.refresh()

    @property
    def is_open(self) -> bool:
        """Whether keys go here."""
        return self.prompt is not None or self.bar is not None

    def show(
        self,
        prompt: Prompt | None = None,
        bar: CommandLine | None = None,
        outlook: Outlook | None = None,
    ) -> None:
        """Show a prompt or the command bar with what it would come to; nothing closes both."""
        if prompt is not None or bar is not None:
            self.message = ("", "info")
        self.prompt, self.bar, self.outlook = prompt, bar, outlook
        self.refresh()

    def show_message(self, text: str, kind: MessageKind = "info") -> None:
        """One line; while a prompt is open it stands below it. An empty text takes it away."""
        self.message = (text, kind)
        self.refresh()

    # -- drawing -----------------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        """One of the two rows."""
        width = self.size.width
        app: AffrayApp = self.app  # type: ignore[assignment]
        inks = app.inks
        line = (
            self._upper(inks, width) if y == 0 else self._lower(inks, width) if y == 1 else Line()
        )
        return line.strip(width).apply_style(self.rich_style)

    def _upper(self, inks: Inks, width: int) -> Line:
        if self.bar is not None:
            return bar_line(self.bar, inks, width)
        if self.prompt is not None:
            return prompt_line(self.prompt.pieces(), inks, width)
        return message_line(*self.message, inks=inks, width=width)

    def _lower(self, inks: Inks, width: int) -> Line:
        if self.is_open and self.message[0]:
            return message_line(*self.message, inks=inks, width=width)
        if self.prompt is not None and self.prompt.trouble:
            return message_line(self.prompt.trouble, "warning", inks, width)
        if self.bar is not None and self.bar.offered >= 0:
            return offers_line(self.bar.offers(), self.bar.offered, inks, width)
        if self.outlook is not None:
            return message_line(self.outlook.text, self.outlook.kind, inks, width)
        if self._undo and not self.is_open:
            undo = cut(plain(self._undo), max(width - 14, 0))
            return Line().add(f" {shown('u')}", inks.dim).add(f" takes back: {undo}", inks.faint)
        return Line()


def message_line(text: str, kind: MessageKind, inks: Inks, width: int) -> Line:
    """A line that was said, marked by what kind it is."""
    if not text:
        return Line()
    ink = {"info": inks.plain, "hint": inks.dim, "refused": inks.bad, "warning": inks.warn}[kind]
    return Line().add(" ").add(MARKS[kind], ink).add(cut(plain(text), max(width - 4, 0)), ink)


def prompt_line(pieces: list[Piece], inks: Inks, width: int) -> Line:
    """`Strike › Ghoul 1 › outcome…  m miss  w weak`, with what is asked for standing out."""
    look: dict[str, Style] = {
        "label": inks.accent,
        "done": inks.plain,
        "now": inks.strong + inks.cursor,
        "blank": inks.strong + inks.cursor,
        "key": inks.accent,
        "offer": inks.dim,
        "picked": inks.strong,
        "hint": inks.dim,
        "later": inks.faint,
    }
    line = Line().add(" ")
    before = ""
    for piece in _that_fit(pieces, width):
        line.add(_gap(before, piece.role), inks.faint)
        text = plain(piece.text)
        line.add(f" {text}… " if piece.role == "blank" else text, look[piece.role])
        if piece.role == "now":
            line.add("▏", inks.accent)
        before = piece.role
    return line


def _gap(before: str, role: str) -> str:
    if not before:
        return ""
    if role in ("done", "now", "blank"):
        return " › "
    if role == "later":
        return "  · "
    return " " if before == "key" else GAP


def _that_fit(pieces: list[Piece], width: int) -> list[Piece]:
    """Leave out offers before the picked one when the row would be too long to show it."""
    offers = [i for i, p in enumerate(pieces) if p.role in ("key", "offer", "picked")]
    picked = next((i for i in offers if pieces[i].role == "picked"), None)
    cells = sum(len(p.text) + 3 for p in pieces)
    if picked is None or cells <= width:
        return pieces
    before = sum(len(pieces[i].text) + 3 for i in range(picked + 1))
    dropped = []
    for index in offers:
        if before <= width * 2 // 3 or index >= picked - 1:
            break
        before -= len(pieces[index].text) + 3
        dropped.append(index)
    return [p for i, p in enumerate(pieces) if i not in dropped]


def bar_line(bar: CommandLine, inks: Inks, width: int) -> Line:
    """`: strike gho▏ul-1` – the caret, and what could follow at once."""
    text = plain(bar.text)
    start = max(0, bar.caret - max(width - 8, 1))
    line = Line().add(" : ", inks.accent).add(text[start : bar.caret], inks.plain)
    suggestion = plain(bar.suggestion)
    under = text[bar.caret : bar.caret + 1] or suggestion[:1] or " "
    line.add(under, (inks.plain if bar.caret < len(text) else inks.dim) + _REVERSE)
    line.add(text[bar.caret + 1 :], inks.plain)
    return line.add(suggestion[1:], inks.dim)


def offers_line(offers: list[str], at: int, inks: Inks, width: int) -> Line:
    """The words that tab goes round, from a little before the one that stands in the line."""
    line = Line().add("   ")
    for index, word in enumerate(offers[max(0, at - 2) :], max(0, at - 2)):
        if line.width + len(word) > width:
            break
        line.add(plain(word), inks.strong if index == at else inks.dim).add(GAP)
    return line
