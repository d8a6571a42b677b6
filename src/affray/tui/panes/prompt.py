"""The two rows in which the GM speaks with the program: prompt, command bar, messages, previews."""

from __future__ import annotations

from functools import lru_cache

from rich.style import Style
from textual.strip import Strip

from affray.tui.drawing import Line, hung, plain, tail, wrapped, wrapped_within
from affray.tui.fight_view import FightView
from affray.tui.panes.follower import Follower
from affray.tui.panes.footer import FooterLine
from affray.tui.panes.prompt_rows import GAP, prompt_rows
from affray.tui.prompts.command_line import CommandLine
from affray.tui.prompts.outlook import Outlook
from affray.tui.prompts.prompt import Prompt
from affray.tui.prompts.view import Memory
from affray.tui.themes import Inks

MARKS = {"info": "→ ", "hint": "  ", "wanted": "  ", "refused": "✗ ", "warning": "! "}
_REVERSE = Style(reverse=True)


class PromptLine(Follower):
    """Upper row: what is asked, typed or was last said. Lower row: what it would come to.

    It never has the focus; the fight's screen gives it every key while `prompt` or `bar` is there.

    memory  what was answered in earlier prompts
    asked   questions put in the bar, which are in no log
    set_aside  the prompt that was open before something was looked up in it
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.prompt: Prompt | None = None
        self.bar: CommandLine | None = None
        self.outlook: Outlook | None = None
        self.message = Outlook("")
        self.memory = Memory()
        self.asked: list[str] = []
        self.set_aside: Prompt | None = None
        self._undo = ("", "")  # the key, and what it would take back
        self._quiet = False

    def follow(self, view: FightView) -> None:
        """Find what undo would take back."""
        can = not view.read_only and view.view_at is None
        title = view.history.undo_title if can else ""
        undo = (view.key_for("undo"), title or "")
        if undo != self._undo:
            self._undo = undo
            self.refresh()

    def keep_quiet(self, quiet: bool) -> None:
        """Whether to say nothing of undo: its key is no undo while a sheet is open."""
        if quiet != self._quiet:
            self._quiet = quiet
            self.refresh()

    def take_up(self) -> Prompt | None:
        """The prompt that was set aside, which no longer is."""
        prompt, self.set_aside = self.set_aside, None
        return prompt

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
        elif not self.is_open:
            return  # nothing was
        self.prompt, self.bar, self.outlook = prompt, bar, outlook
        self._change()

    def show_message(self, said: Outlook) -> None:
        """One line; while a prompt is open it stands below it. An empty text takes it away."""
        if said != self.message:
            self.message = said
            self._change()

    def on_resize(self) -> None:
        """What is said is wrapped to the width."""
        self._change()

    def _change(self) -> None:
        """Draw it anew. What has no room below an open prompt goes on in place of the keys."""
        said = self._below() if self.is_open else None
        more = said is not None and said.kind != "info"
        rows = said_rows(said, self.inks, self.size.width) if said is not None and more else []
        self.screen.query_one(FooterLine).lend(rows[1] if rows else Line())
        self.refresh()

    def _below(self) -> Outlook | None:
        """What is said below an open prompt: what was refused, or wrong, or would come of it."""
        if self.message.text:
            return self.message
        if self.prompt is not None and self.prompt.trouble:
            return Outlook(self.prompt.trouble, "warning")
        said = self.outlook if self._turned is None else None
        return None if said is not None and said.kind == "wanted" and self._goes_on_below else said

    @property
    def _goes_on_below(self) -> bool:
        """Whether the answers that a prompt offers have no room in its upper row."""
        if self.prompt is None:
            return False
        width = self.room.width
        return bool(prompt_rows(tuple(self.prompt.pieces(width)), self.inks, width, 2)[1].width)

    @property
    def _turned(self) -> CommandLine | None:
        """The command bar, while tab goes round the words that it offers."""
        return self.bar if self.bar is not None and self.bar.offering else None

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
            rows = 1 if self._below() is not None else 2
            return prompt_rows(tuple(self.prompt.pieces(width)), inks, width, rows)[0]
        return self._at_rest(inks, width)[0]

    def _lower(self, inks: Inks, width: int) -> Line:
        if self.is_open:
            said = self._below()
            if said is not None:
                return said_rows(said, inks, width, 1 if said.kind == "info" else 2)[0]
            if self.prompt is not None:
                return prompt_rows(tuple(self.prompt.pieces(width)), inks, width, 2)[1]
            return Line() if self._turned is None else offers_line(self._turned, inks, width)
        return self._at_rest(inks, width)[1]

    def _at_rest(self, inks: Inks, width: int) -> list[Line]:
        """What was last said, and below it, or in both rows, what undo would take back."""
        return rest_rows(self.message, self._undo if not self._quiet else ("", ""), inks, width)


@lru_cache(maxsize=1)  # each of the two rows asks for both
def rest_rows(message: Outlook, undo: tuple[str, str], inks: Inks, width: int) -> list[Line]:
    """What was last said, and below it, or in both rows, what undo would take back."""
    if not message.text:
        return undo_rows(*undo, inks, width, 2)
    said = said_rows(message, inks, width)
    return said if said[1].width else [said[0], *undo_rows(*undo, inks, width, 1)]


def said_rows(said: Outlook, inks: Inks, width: int, rows: int = 2) -> list[Line]:
    """What was said in so many rows, with a mark of what kind it is; what is over is cut off."""
    room = max(width - 4, 1)
    fitting = said.fitting(lambda text: len(wrapped(plain(text), room)) <= rows)
    words = wrapped_within(plain(fitting), room, rows)
    inks_of = {"info": inks.plain, "refused": inks.bad, "warning": inks.warn}
    ink = inks_of.get(said.kind, inks.dim)
    lines = [Line() for _ in range(rows)]
    for line, text, mark in zip(lines, words, (MARKS[said.kind], *[GAP] * rows), strict=False):
        if text:
            line.add(" ").add(mark, ink).add(text, ink)
    return lines


def undo_rows(key: str, title: str, inks: Inks, width: int, rows: int) -> list[Line]:
    """What undo would take back, in the last of so many rows, or in all; the rest is cut off."""
    if not (key and title):
        return [Line() for _ in range(rows)]
    mark = Line().add(f" {key} ", inks.accent)
    room = width - mark.width - 1
    words = wrapped_within(f"takes back: {plain(title)}", room, rows)
    lines = list(hung(mark, (Line().add(text, inks.dim) for text in words)))
    return [Line() for _ in range(rows - len(lines))] + lines


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


def offers_line(bar: CommandLine, inks: Inks, width: int) -> Line:
    """The words that tab goes round, from a little before the one that stands in the line."""
    line, offers, at = Line().add("   "), bar.offers(), bar.offered
    for index, word in enumerate(offers[max(0, at - 2) :], max(0, at - 2)):
        if line.width + len(word) > width:
            break
        line.add(plain(word), inks.strong if index == at else inks.dim).add(GAP)
    return line
