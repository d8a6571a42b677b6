"""The two rows in which the GM speaks with the program: prompt, command bar, messages, previews."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace

from rich.cells import cell_len
from rich.style import Style
from textual.strip import Strip

from affray.tui.drawing import Line, cut, plain, wrapped
from affray.tui.fight_view import FightView
from affray.tui.panes.follower import Follower
from affray.tui.prompts import Piece, Prompt
from affray.tui.prompts.command_line import CommandLine
from affray.tui.prompts.outlook import MessageKind, Outlook
from affray.tui.themes import Inks

GAP = "  "
MARKS: dict[str, str] = {"info": "→ ", "hint": "  ", "refused": "✗ ", "warning": "! "}
LOST_BY_WRAPPING = 12
"""So many cells of the first of two rows may stay empty, as words are kept whole."""
_REVERSE = Style(reverse=True)


class PromptLine(Follower):
    """Upper row: what is asked, typed or was last said. Lower row: what it would come to.

    It never has the focus; the fight's screen gives it every key while `prompt` or `bar` is there.

    last_target  id of the target chosen last
    asked        questions put in the bar, which are in no log
    amounts      amounts given in prompts, by what they are of and between whom
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.prompt: Prompt | None = None
        self.bar: CommandLine | None = None
        self.outlook: Outlook | None = None
        self.message = Outlook("")
        self.last_target = ""
        self.asked: list[str] = []
        self.amounts: dict[tuple[str, frozenset[str]], str] = {}
        self._undo = ("", "")  # the key, and what it would take back

    def follow(self, view: FightView) -> None:
        """Find what undo would take back."""
        title = "" if view.read_only else view.history.undo_title
        undo = (view.key_for("undo"), title or "")
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
            self.message = Outlook("")
        self.prompt, self.bar, self.outlook = prompt, bar, outlook
        self.refresh()

    def show_message(self, said: Outlook) -> None:
        """One line; while a prompt is open it stands below it. An empty text takes it away."""
        self.message = said
        self.refresh()

    # -- drawing -----------------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        """One of the two rows."""
        width = self.room.width
        inks = self.inks
        line = (
            self._upper(inks, width) if y == 0 else self._lower(inks, width) if y == 1 else Line()
        )
        return line.strip(width, self.paper)

    def _upper(self, inks: Inks, width: int) -> Line:
        if self.bar is not None:
            return bar_line(self.bar, inks, width)
        if self.prompt is not None:
            return prompt_line(self.prompt.pieces(), inks, width)
        return self._said(0, inks, width)

    def _said(self, row: int, inks: Inks, width: int) -> Line:
        """The message, which goes on in the lower row when the upper is too short for it."""
        kind, room = self.message.kind, max(width - 4, 1)
        first, *rest = wrapped(plain(self.message.within(2 * room - LOST_BY_WRAPPING)), room)
        if row == 0:
            return message_line(first, kind, inks, width)
        return message_line(" ".join(rest), kind, inks, width, MARKS["hint"])

    def _lower(self, inks: Inks, width: int) -> Line:
        if self.is_open and self.message.text:
            return said_line(self.message, inks, width)
        if self.prompt is not None and self.prompt.trouble:
            return message_line(self.prompt.trouble, "warning", inks, width)
        if self.bar is not None and self.bar.offered >= 0:
            return offers_line(self.bar.offers(), self.bar.offered, inks, width)
        if self.outlook is not None:
            return said_line(self.outlook, inks, width)
        if not self.is_open and cell_len(plain(self.message.text)) > width - 4:
            return self._said(1, inks, width)
        key, undo = self._undo
        if key and undo and not self.is_open:
            line = Line().add(f" {key}", inks.accent)
            return line.add(f" takes back: {cut(plain(undo), max(width - 14, 0))}", inks.dim)
        return Line()


def said_line(said: Outlook, inks: Inks, width: int) -> Line:
    """A message or an outlook in one row."""
    return message_line(said.within(max(width - 4, 0)), said.kind, inks, width)


def message_line(
    text: str, kind: MessageKind, inks: Inks, width: int, mark: str | None = None
) -> Line:
    """A line that was said, marked by what kind it is."""
    if not text:
        return Line()
    ink = {"info": inks.plain, "hint": inks.dim, "refused": inks.bad, "warning": inks.warn}[kind]
    begun = Line().add(" ").add(MARKS[kind] if mark is None else mark, ink)
    return begun.add(cut(plain(text), max(width - 4, 0)), ink)


def prompt_line(pieces: list[Piece], inks: Inks, width: int) -> Line:
    """`Strike › Ghoul 1 › outcome…  m miss  w weak`, with what is asked for standing out."""
    look: dict[str, Style] = {
        "label": inks.accent,
        "whom": inks.strong,
        "refused": inks.bad,
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
    for piece in _that_fit([replace(p, text=plain(p.text)) for p in pieces], width - 1):
        line.add(_gap(before, piece.role), inks.faint).add(_worded(piece), look[piece.role])
        if piece.role == "now":
            line.add("▏", inks.accent)
        before = piece.role
    return line


def _worded(piece: Piece) -> str:
    return f" {piece.text}… " if piece.role == "blank" else piece.text


def _gap(before: str, role: str) -> str:
    if not before:
        return ""
    if role == "whom":
        return ": " if before == "label" else " › "
    if role == "refused":
        return ": "
    if role in ("done", "now", "blank"):
        return " › "
    if role == "later":
        return "  · "
    return " " if before == "key" else GAP


_OFFERED = ("key", "offer", "picked")


def _that_fit(pieces: list[Piece], width: int) -> list[Piece]:
    """Leave out what is offered, never how to answer; then what comes later, then text's beginning.

    Of answers that have a letter, the letter stays. Of a list, the one that is picked stays, with
    those around it as far as there is room.
    """
    offers = _offers_of(pieces)
    lettered = [offer for offer in offers if offer[0].role == "key" and offer[0].text.isalpha()]
    for offer in reversed(lettered):
        if _cells(_with(pieces, offers, 0, len(offers))) > width and len(offer) > 1:
            del offer[1]
    spans = [(0, len(offers))] if lettered else _spans(offers)

    def fits(span: tuple[int, int]) -> bool:
        return _cells(_with(pieces, offers, *span)) <= width

    # Fewer offers are never wider, so that a search by halves finds the most that fit.
    most = min(bisect_left(spans, True, key=fits), len(spans) - 1)
    kept = _with(pieces, offers, *spans[most])
    for roles in (("later",), _OFFERED):
        if _cells(kept) > width:
            kept = [p for p in kept if p.role not in roles]
    over = _cells(kept) - width
    return [_shortened(p, over) if p.role == "now" and over > 0 else p for p in kept]


def _spans(offers: list[list[Piece]]) -> list[tuple[int, int]]:
    """From which offer to which is shown: all, then one fewer at a time, around the picked one."""
    picked = next((i for i, offer in enumerate(offers) if offer[-1].role == "picked"), 0)
    first, last = 0, len(offers)
    spans = [(first, last)]
    while last - first > 1:
        if last - 1 > picked and (last - picked > picked - first + 1 or first == picked):
            last -= 1
        else:
            first += 1
        spans.append((first, last))
    return spans


def _offers_of(pieces: list[Piece]) -> list[list[Piece]]:
    """What is offered, each with its key."""
    offers: list[list[Piece]] = []
    for piece in pieces:
        if piece.role == "key":
            offers.append([piece])
        elif piece.role in _OFFERED:
            if offers and offers[-1][-1].role == "key":
                offers[-1].append(piece)
            else:
                offers.append([piece])
    return offers


def _with(pieces: list[Piece], offers: list[list[Piece]], first: int, last: int) -> list[Piece]:
    """The pieces with some of the offers, and `…` for those that are left out."""
    at = next((i for i, p in enumerate(pieces) if p.role in _OFFERED), len(pieces))
    row = [piece for offer in offers[first:last] for piece in offer]
    row = [Piece("…", "offer")] * (first > 0) + row + [Piece("…", "offer")] * (last < len(offers))
    return [*pieces[:at], *row, *(p for p in pieces[at:] if p.role not in _OFFERED)]


def _cells(pieces: list[Piece]) -> int:
    befores = ["", *(p.role for p in pieces)]
    gaps = sum(len(_gap(b, p.role)) for b, p in zip(befores, pieces, strict=False))
    return gaps + sum(cell_len(_worded(p)) + (p.role == "now") for p in pieces)


def _shortened(piece: Piece, by: int) -> Piece:
    """Typed text without its beginning, so that the caret at its end is seen."""
    return replace(piece, text=tail(piece.text, max(cell_len(piece.text) - by, 8)))


def tail(text: str, width: int) -> str:
    """The end of a text within so many cells; what is cut off leaves `…`."""
    if cell_len(text) <= width:
        return text
    start = 0
    while start < len(text) and cell_len(text[start:]) > width - 1:
        start += 1
    return f"…{text[start:]}"


def bar_line(bar: CommandLine, inks: Inks, width: int) -> Line:
    """`: strike gho▏ul-1` – the caret, and what could follow at once."""
    text = plain(bar.text)
    seen = tail(text[: bar.caret], max(width - 8, 2))
    line = Line().add(" : ", inks.accent).add(seen, inks.plain)
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
