"""The commands of the palette (ctrl+p) on the fight's screen: everything in the keymap."""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.command import CommandList, CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.css.query import NoMatches
from textual.events import Click
from textual.widgets import OptionList

from affray.core.formatting.safe_text import strip_control_chars
from affray.tui.fight_view import is_there
from affray.tui.keymap import NUMBER, KeyBinding
from affray.tui.screens.fight import FightScreen

NOT_LISTED = ("palette", "leave", NUMBER)
"""The entries of the table that are nothing to be found here."""


class PaletteEntry(NamedTuple):
    """One line of the palette."""

    title: str
    what: str
    does: Callable[[], object]


def once(does: Callable[[], object]) -> Callable[[], object]:
    """Wrap a function so that a second call does nothing: two presses of enter in a burst choose
    twice."""
    left = [does]
    return lambda: left.pop()() if left else None


class FoundList(CommandList, can_focus=False):
    """The toolkit's list of what was found."""

    def on_click(self, event: Click) -> None:
        """A click on a row that is on the screen, but no more in the list, does nothing."""
        row = event.style.meta.get("option")
        if row is not None and row >= self.option_count:
            event.prevent_default()


class Palette(CommandPalette):
    """The toolkit's palette, that closes once, and turns no page before there is one.

    `providers` say what it offers, and `asks` stands where one types; else it is all commands.
    It has no id, since one may open while another is still being taken away.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pagedown", "turn_page('page_down')", show=False),
        Binding("pageup", "turn_page('page_up')", show=False),
    ]

    def __init__(self, providers: Sequence[type[Provider]] = (), asks: str = "") -> None:
        more = {"placeholder": asks} if asks else {}
        super().__init__(providers=providers or None, **more)

    def compose(self) -> ComposeResult:
        """The toolkit's, with a list of our own."""
        for widget in super().compose():
            yield FoundList() if isinstance(widget, CommandList) else widget

    def query_one(self, *what: Any, **how: Any) -> Any:
        """Query as everywhere; once the palette is closing, a search that still runs in the
        background is ended without an error."""
        try:
            return super().query_one(*what, **how)
        except NoMatches:
            if is_there(self):
                raise
            raise CancelledError from None

    def dismiss(self, result: Any = None) -> AwaitComplete:
        """Close it, if it is there yet."""
        return super().dismiss(result) if self.is_current else AwaitComplete()

    def action_turn_page(self, way: str) -> None:
        """Turn a page of what was found, once that is laid out in lines."""
        for found in self.query(OptionList):
            with suppress(KeyError):  # it is not, in the toolkit's own table of them
                getattr(found, f"action_{way}")()


class FightCommandProvider(Provider):
    """Every action, every technique and what is the actor's own, by its label and what it does."""

    def _rows(self) -> list[PaletteEntry]:
        """The entries of the table, then what is the actor's own; none but for a fight."""
        screen = self.screen
        if not isinstance(screen, FightScreen):
            return []
        keys = [key for key in screen.keymap.keys if key.id not in NOT_LISTED]
        rows = [
            PaletteEntry(_title(key), key.what, once(partial(screen.run_binding, key)))
            for key in keys
        ]
        for option in screen.own_options() if screen.keymap.for_own else ():
            begins = once(partial(screen.begin_own, option.name))
            rows.append(PaletteEntry(_unmarked(option.name), option.text or option.reason, begins))
        return rows

    async def discover(self) -> Hits:
        """List all commands, before anything is typed."""
        for row in self._rows():
            yield DiscoveryHit(row.title, row.does, help=_unmarked(row.what))

    async def search(self, query: str) -> Hits:
        """List the commands that match the typed letters."""
        for row in self._rows():
            score = how_well(query, row.title, row.what)
            if score > 0:
                yield Hit(score, row.title, row.does, help=_unmarked(row.what))


def how_well(query: str, title: str, what: str) -> float:
    """Score how well a row matches the query; 0 for not at all. Each text is gone through once.

    Best is the beginning of a word of the title, then any part of it, then letters that stand in it
    in that order, then words of what it does. (The toolkit's own matcher tries every way in which
    letters can be found in a text, of which a sentence has millions; its scores are of this size.)
    """
    typed, title = query.casefold().strip(), title.casefold()
    if not typed:
        return 0.0
    letters = len(typed)
    if f" {title}".find(f" {typed}") >= 0:
        return 3.0 * (letters + 1)
    if typed in title:
        return 3.0 * letters
    words = typed.split()
    if all(word in title for word in words):
        return 2.0 * letters
    left = iter(title)
    if all(letter in left for letter in typed if letter != " "):
        return 1.0 * letters
    return 0.5 * letters if all(word in f"{title} {what.casefold()}" for word in words) else 0.0


def _title(key: KeyBinding) -> str:
    return _unmarked(f"{key.label}  ({key.shown})" if key.pressed else key.label)


def _unmarked(text: str) -> str:
    """The text with nothing in it that would be taken for markup."""
    return strip_control_chars(text).replace("[", r"\[")
