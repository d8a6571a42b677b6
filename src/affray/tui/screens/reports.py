"""Full-screen reports: where numbers come from, the recap, the odds, the players' view."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from itertools import chain
from typing import Protocol

from rich.text import Text
from textual import events, work
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.geometry import Size
from textual.screen import ModalScreen, Screen
from textual.widgets import Sparkline, Static
from textual.worker import get_current_worker

from affray.core.engine.decide import faults_by_their_place
from affray.core.engine.history import History
from affray.core.engine.state import Combatant, Side
from affray.core.formatting.explain import SINCE, Total, explain, total_parts
from affray.core.formatting.players_view import players_view
from affray.core.formatting.recap import Recap, recap_of
from affray.core.formatting.recap_output import damage_by_round, players_recap, sections_of
from affray.core.formatting.safe_text import strip_control_chars
from affray.core.parser.errors import GameFault, Refused
from affray.odds.simulation import RulesRef, SimulationResult, result_lines, simulate
from affray.store import LogError
from affray.store.inbox import only_looks
from affray.store.open_encounter import OpenEncounter
from affray.store.phones import Phones
from affray.tui.drawing import (
    StyledLine,
    count_of_hidden,
    format_track,
    max_width,
    text_of,
    truncate,
    wrap,
)
from affray.tui.fight_view import FOR_PLAYERS, FightView, dismiss_once, get_app, key_name
from affray.tui.theme import Styles
from affray.tui.widgets.reports import RecapPane, players_lines

LEAVES = ("escape", "q", "enter")
"""The keys that leave a screen, beside the one that opened it."""

# -------------------------------------------------------------------------------------------------
# A text over the fight, in its frame, until the next key or click

FRAME = Size(6, 4)
SHARE, WIDEST = 92, 100
"""With `.why` in affray.tcss: it takes so many of 100 cells, and no more than these."""


class Overlay(ModalScreen[None]):
    """A text that is drawn as it fits."""

    def __init__(self, title: str) -> None:
        super().__init__(classes="overlay")
        self._title = title

    @abstractmethod
    def lines(self, size: Size, inks: Styles) -> list[StyledLine]:
        """The lines of the overlay, for so many cells and rows."""

    def compose(self) -> ComposeResult:
        """One text in its frame."""
        sheet = Static(classes="why")
        sheet.border_title = Text(strip_control_chars(self._title))
        sheet.border_subtitle = Text("any key closes")
        yield sheet

    def on_mount(self) -> None:
        """Say it."""
        self.say()

    def on_resize(self) -> None:
        """Lines are made for a size."""
        self.say()

    def say(self) -> None:
        """Show the lines as they are now."""
        width = min(self.size.width * SHARE // 100, WIDEST) - FRAME.width
        room = Size(width, max(self.size.height - FRAME.height, 1))
        self.query_one(Static).update(text_of(self.lines(room, get_app(self).inks)))

    def on_key(self, event: events.Key) -> None:
        """Every key closes it."""
        event.stop()
        event.prevent_default()
        dismiss_once(self)

    def on_click(self) -> None:
        """Close it with a click, too."""
        dismiss_once(self)


# -------------------------------------------------------------------------------------------------
# The parts of a combatant's numbers

MOST_CHANGES = 3
"""So many changes of a track are told, fewer where the rows don't suffice; `why` tells more."""

MAIN = ("bar", "pips", "boxes", "die")
"""How the tracks are shown whose changes are told."""

NAME_CELLS = 14
"""The column of what lines are about; a longer name moves it."""


class ExplainScreen(Overlay):
    """The parts of a combatant's numbers, as the fight is shown."""

    def __init__(self, view: FightView, combatant: Combatant) -> None:
        at = "" if view.view_at is None else f" at entry {view.view_at}"
        super().__init__(f"{combatant.name}{at}: where the numbers come from")
        self.view = view
        self.who = combatant

    def lines(self, size: Size, inks: Styles) -> list[StyledLine]:
        """The totals and the changes, as many as fit; or the fault in the game's code."""
        try:
            with faults_by_their_place(self.view.ruleset):
                return fitting_lines(self.view, self.who, size, inks)
        except GameFault as fault:
            return [StyledLine().add(line, inks.bad) for line in wrap(str(fault), size.width)]


def fitting_lines(
    view: FightView, combatant: Combatant, size: Size, inks: Styles
) -> list[StyledLine]:
    """The explanation cut to the rows there are; the totals come before the changes."""
    lines: list[StyledLine] = []
    for most in range(MOST_CHANGES, -1, -1):
        lines = why_lines(view, combatant, size.width, inks, most)
        if len(lines) <= size.height:
            break
    return lines[: size.height]


def why_lines(
    view: FightView, combatant: Combatant, width: int, inks: Styles, most: int
) -> list[StyledLine]:
    """Each total with its parts, then the tracks with their last changes, newest first."""
    tables, history = view.ruleset.tables, view.history
    found: list[tuple[str, list[str], bool]] = []
    seq = history.head if view.view_at is None else history.goto_target(view.view_at)
    for name, value in view.ruleset.numbers.totals(tables, view.state, combatant).items():
        rule = tables.total(name)
        head = rule.say(value)
        parts = total_parts(Total(history, view.ruleset, seq, combatant, name), view.other_logs)
        texts_of_parts = [SINCE.join(filter(None, part)) for part in parts]
        if not any(since for _, since in parts):
            texts_of_parts = [", ".join(texts_of_parts) or "no effect changes it now"]
        found.append((head, texts_of_parts, True))
    for track, state in combatant.tracks.items():
        track_row = tables.tracks.get(track)
        if track_row is None or track_row.shown not in MAIN:
            continue
        at, others = view.view_at, view.other_logs
        texts = explain(history, view.ruleset, combatant.id, track, at, most, others)[1:]
        if len(texts) > 1 or not most:  # the only one is how it began
            head = f"{track_row.short or track_row.label} {format_track(state)}"
            found.append((head, texts[:most], False))
    before = max(NAME_CELLS, max_width([head for head, _, _ in found]) + 1)
    lines: list[StyledLine] = []
    for head, texts, is_wrapped in found:
        room = width - before
        rows = [wrap(line, room) if is_wrapped else [truncate(line, room)] for line in texts]
        for number, words in enumerate(list(chain.from_iterable(rows)) or [""]):
            label = "" if number else head
            line = StyledLine().add(label, inks.strong).column(before)
            lines.append(line.add(words, inks.dim))
    return lines


# -------------------------------------------------------------------------------------------------
# The recap; `p` shows the version for players

KEYS = " p what players may see, and back   ↑ ↓ scroll   esc leaves"


CELLS_A_ROUND = 2
"""A bar is at most so wide in the charts: from the start, if none is, to the last round."""


class RecapScreen(Screen[None]):
    """A fight's story. It is read once, when the screen is opened; that for players, when `p` asks.

    `opened_by` has the keys that open the screen: they leave it, too.
    """

    AUTO_FOCUS = ""

    def __init__(self, fight: OpenEncounter, opened_by: tuple[str, ...]) -> None:
        super().__init__()
        self._leaves = (*LEAVES, *opened_by)
        self._fight = fight
        self._all = recap_of(fight.history, fight.ruleset)
        self._players = False

    @cached_property
    def _for_players(self) -> Recap:
        return players_recap(self._fight.history, self._fight.ruleset)

    def compose(self) -> ComposeResult:
        """The damage of each round as two small charts with a word at both ends, the story below,
        and the keys."""
        with Horizontal(id="recap-charts"):
            for side in ("party", "foes"):
                with Horizontal(id=f"recap-{side}"):
                    yield Static(id=f"recap-{side}-title", markup=False)
                    yield Sparkline(id=f"recap-{side}-damage", summary_function=max)
                    yield Static(id=f"recap-{side}-end", markup=False)
        yield RecapPane(id="recap")
        yield Static(KEYS, id="recap-keys", classes="header", markup=False)

    def on_mount(self) -> None:
        """Show the whole story."""
        self._tell()

    def _tell(self) -> None:
        recap = self._for_players if self._players else self._all
        whose = "for players" if self._players else "for the GM"
        self.query_one(RecapPane).tell(sections_of(recap), f"The story, {whose}")
        sides: tuple[tuple[Side, str], ...] = (
            ("party", "The party took"),
            ("foes", "The foes took"),
        )
        for side, name in sides:
            damage = damage_by_round(recap, side)
            self.query_one(f"#recap-{side}").display = any(damage)
            title = f"{name} {sum(damage)} {strip_control_chars(recap.health)}, start "
            self.query_one(f"#recap-{side}-title", Static).update(title)
            self.query_one(f"#recap-{side}-end", Static).update(f" R{len(damage)}")
            chart = self.query_one(f"#recap-{side}-damage", Sparkline)
            chart.data = (0, *damage)
            chart.styles.max_width = CELLS_A_ROUND * len(chart.data)

    def on_key(self, event: events.Key) -> None:
        """Scroll, turn to the other version, or leave."""
        pressed = key_name(event)
        if pressed == "p":
            self._players = not self._players
            self._tell()
        elif pressed in self._leaves:
            dismiss_once(self)
        elif not self.query_one(RecapPane).scrolls(pressed):
            return
        event.stop()
        event.prevent_default()


# -------------------------------------------------------------------------------------------------
# The odds, simulated while one looks on


class OddsScreen(Overlay):
    """Estimates how the fight on view ends; the next key closes the screen and stops the
    estimate."""

    def __init__(self, view: FightView, rules: RulesRef) -> None:
        super().__init__("How the fight is likely to end from here")
        self._view, self._rules = view, rules
        self._lines = ["…"]

    def on_mount(self) -> None:
        """Begin in a thread beside the screen."""
        super().on_mount()
        self._reckon()

    @work(thread=True)
    def _reckon(self) -> None:
        worker = get_current_worker()
        try:
            for odds in simulate(self._view.state, self._rules):
                if worker.is_cancelled:
                    return
                get_app(self).call_from_thread(self._tell, odds)
        except (Refused, OSError) as error:
            get_app(self).call_from_thread(self._show, [str(error)])

    def _tell(self, odds: SimulationResult) -> None:
        state, rules = self._view.state, self._view.ruleset
        hard = rules.numbers.difficulty(rules.tables, state)
        own = [hard.line, ""] if hard is not None else []
        self._show([*own, *result_lines(state, rules.tables, odds)])

    def _show(self, lines: list[str]) -> None:
        self._lines = lines
        self.say()

    def lines(self, size: Size, inks: Styles) -> list[StyledLine]:
        """The results of the simulation; those without room are counted."""
        lines = [truncate(line, size.width) for line in self._lines]
        if len(lines) > size.height:
            lines = [*lines[: size.height - 1], count_of_hidden(len(lines) - size.height + 1)]
        return [StyledLine().add(line, inks.plain) for line in lines]


# -------------------------------------------------------------------------------------------------
# The players' view, live

LOOK_EVERY = 0.5
"""Seconds after which it is looked for news."""
STALE = "not up to date: the file can't be read now"


def qr_lines(url: str) -> list[str]:
    """Return a QR code as lines of half blocks, light on dark, with the quiet zone around it."""
    import segno  # here: only who serves has it

    matrix = [
        [bool(cell) for cell in row] for row in segno.make(url, error="m").matrix_iter(border=2)
    ]
    if len(matrix) % 2:
        matrix.append([False] * len(matrix[0]))
    blocks = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
    return [
        "".join(blocks[upper, lower] for upper, lower in zip(above, below, strict=True))
        for above, below in zip(matrix[::2], matrix[1::2], strict=True)
    ]


class PhoneRights(Protocol):
    """The phones of a fight, as the list of them knows them."""

    phones: Phones

    def revoke(self, character: str) -> None:
        """Take the phones of a character back."""


class PhonesScreen(Screen[None]):
    """The list of which phone plays whom; a digit ends the right of a character's phones.

    `opened_by` has the keys that open the screen: they leave it, too.
    """

    AUTO_FOCUS = ""

    def __init__(
        self, encounter: OpenEncounter, rights: PhoneRights, opened_by: tuple[str, ...]
    ) -> None:
        super().__init__()
        self._encounter, self._rights = encounter, rights
        self._leaves = (*LEAVES, *opened_by)

    def compose(self) -> ComposeResult:
        """One text."""
        yield Static(id="phones")

    def on_mount(self) -> None:
        """List them."""
        self._draw()

    def _characters(self) -> list[str]:
        rights = self._rights.phones.rights()
        return list(dict.fromkeys(right.character for right in rights))[:9]

    def _draw(self) -> None:
        inks, state = get_app(self).inks, self._encounter.state
        rights = self._rights.phones.rights()
        lines = [StyledLine().add(" Phones ", inks.strong), StyledLine()]
        for number, character in enumerate(self._characters(), 1):
            count = sum(1 for right in rights if right.character == character)
            mine = state.character(character)
            name = character if mine is None else mine.name
            phones = "1 phone" if count == 1 else f"{count} phones"
            lines.append(
                StyledLine().column(3).add(str(number), inks.accent).add(f" {name}, {phones}")
            )
        if len(lines) == 2:
            lines.append(StyledLine().column(3).add("no phone plays anybody", inks.dim))
        else:
            lines += [
                StyledLine(),
                StyledLine().column(3).add("a digit takes the right back", inks.dim),
                *(StyledLine().column(3).add(line, inks.dim) for line in only_looks(state)),
            ]
        lines.append(StyledLine().column(3).add("esc leaves", inks.dim))
        self.query_one(Static).update(text_of(lines))

    def on_key(self, event: events.Key) -> None:
        """Take a character's phones back, or leave."""
        event.stop()
        event.prevent_default()
        characters = self._characters()
        if event.key.isdecimal() and 0 < int(event.key) <= len(characters):
            self._rights.revoke(characters[int(event.key) - 1])
            self._draw()
        elif key_name(event) in self._leaves:
            dismiss_once(self)


class PlayersScreen(Screen[None]):
    """The players' view of a fight.

    With `alone` it is the only screen, and follows the file itself; else the fight's own screen
    does. `opened_by` has the keys that open the screen: they leave it, too.
    """

    AUTO_FOCUS = ""

    def __init__(
        self, encounter: OpenEncounter, alone: bool = False, opened_by: tuple[str, ...] = ()
    ) -> None:
        super().__init__(classes=FOR_PLAYERS)
        self._encounter, self._alone = encounter, alone
        self._leaves = (*LEAVES, *opened_by)
        self._seen: tuple[History, int, bool] | None = None

    def compose(self) -> ComposeResult:
        """One text."""
        yield Static(id="players")
        yield Static(id="served")

    def on_mount(self) -> None:
        """Show it, and look for news."""
        self.watch(self.app, "inks", self._draw, init=False)
        self.set_interval(LOOK_EVERY, self.look)
        self.look()

    def look(self) -> None:
        """Draw it again, if there is anything new."""
        stale = self._alone and not self._follows()
        seen = (self._encounter.history, self._encounter.history.last, stale)
        if seen != self._seen:
            self._seen = seen
            self._draw()

    def _follows(self) -> bool:
        """Load the changes that others have saved; False if they can't be read."""
        try:
            self._encounter.follow()
        except (Refused, LogError):
            return False
        return True

    def on_resize(self) -> None:
        """Lines are made for a size."""
        self._draw()

    def _draw(self) -> None:
        inks = get_app(self).inks
        stale = self._seen is not None and self._seen[2]
        shown = players_view(self._encounter.history, self._encounter.ruleset)
        served = [] if self._alone else self._where_served()
        self.query_one("#served", Static).update(text_of(served))
        width = self.size.width - max((line.width + 1 for line in served), default=0)
        lines = players_lines(shown, Size(width, self.size.height - stale), inks)
        lines += [StyledLine().column(3).add(STALE, inks.bad)] * stale
        self.query_one("#players", Static).update(text_of(lines))

    def _where_served(self) -> list[StyledLine]:
        """The address for phones with its QR code, where a server runs beside the screen."""
        app = get_app(self)
        served, inks = app.served, app.inks
        if served is None:
            return []
        if served.trouble:
            return [StyledLine().add(f" the page is gone: {served.trouble} ", inks.bad)]
        if not served.url:
            return [StyledLine().add(" opening the page ", inks.dim)]
        rows = [StyledLine().add(f" {served.url} ", inks.accent)]
        if self.size.height <= 24 and self.size.width <= 100:
            return [*rows, StyledLine().add(" its QR code needs a larger window ", inks.dim)]
        return [*rows, *(StyledLine().add(line) for line in qr_lines(served.url))]

    async def on_key(self, event: events.Key) -> None:
        """Leave it; every other key does nothing."""
        event.stop()
        event.prevent_default()
        if key_name(event) not in self._leaves:
            return
        if self._alone:
            await self.app.action_quit()
        else:
            dismiss_once(self)
