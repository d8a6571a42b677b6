"""Panes on the fight's screen: which one is chosen, what room each has, and what frames say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from affray.core.heart.order import is_over
from affray.core.rules.tables import Tables
from affray.tui.panes.card import CardPane
from affray.tui.panes.frames import LEAST_AROUND_WORDS, tabs_line
from affray.tui.panes.header import HeaderLine
from affray.tui.panes.initiative import InitiativePane
from affray.tui.panes.order_columns import shown_tracks, stands_apart
from affray.tui.panes.pane import Pane
from affray.tui.panes.spend import SpendPane
from affray.tui.panes.techniques import TechniquesPane
from affray.tui.panes.timers import TimersPane
from affray.tui.panes.tracks import TracksPane
from affray.tui.screens.arrangement import (
    PANES,
    Arrangement,
    Wants,
    is_compact,
    is_roomy,
    is_usual,
    room_of,
)
from affray.tui.shared import app_of

if TYPE_CHECKING:
    from affray.tui.screens.fight import FightScreen

FRAME_ROWS, LEAST_ROWS = 2, 4


def fit_panes(screen: FightScreen) -> None:
    """Give panes the rows that they need, and take back what they have too many of.

    Only what is worth it is laid out anew, so that the panes don't move with every key.
    """
    old = screen.layout.arrangement
    wants = _wants(screen, old.wants)
    absent = _without_now(screen)
    if wants.is_worth_it(old.wants) or absent != old.without:
        new = replace(old, wants=wants, without=absent)
        if new.regions(screen.size) != old.regions(screen.size):
            _arrange(screen, new)
        else:
            screen.layout.arrangement = new


def without(tables: Tables) -> frozenset[str]:
    """The panes for which a game has nothing: no techniques, nothing that a turn is paid with."""
    nothing_paid = not any(rule.spent for rule in tables.tracks.values())
    nothing_worn = not any(stands_apart(tables.tracks[track]) for track in shown_tracks(tables))
    absent = {
        "techniques": not tables.techniques,
        "spend": nothing_paid,
        "tracks": nothing_worn,
    }
    return frozenset(pane for pane, is_absent in absent.items() if is_absent)


def _without_now(screen: FightScreen) -> frozenset[str]:
    """The same, and the techniques between fights and after one: nobody has a turn to use them."""
    view = screen.query_one(InitiativePane).shown
    if view is None:
        return screen.layout.arrangement.without
    idle = view.elsewhere.is_ledger or is_over(view.state)
    return without(view.ruleset.tables) | ({"techniques"} if idle else frozenset())


def fit_anew(screen: FightScreen) -> None:
    """In a window of another size, find out anew what panes need."""
    screen.layout.arrangement = replace(screen.layout.arrangement, wants=Wants())
    frame_panes(screen)
    screen.call_after_refresh(fit_panes, screen)


def _wants(screen: FightScreen, old: Wants) -> Wants:
    """The rows that panes need now.

    The techniques, the cards and a turn's edge keep what they needed at most, as they are others
    in each turn.
    """
    _catch_up(screen)
    order, grid = screen.query_one(InitiativePane).wants, screen.query_one(TechniquesPane)
    roomy, ends = is_roomy(screen.size), screen.query_one(TimersPane)
    most = screen.size.height // (2 if roomy else 1) - FRAME_ROWS
    edge = max(len(ends.head), old.edge)
    timers = ends.rows_wanted(most, edge if is_usual(screen.size) else None)
    spend = screen.query_one(SpendPane).most_rows + FRAME_ROWS
    below = room_of(screen.size).height - spend - FRAME_ROWS
    grid.leave_out(is_usual(screen.size) and ends.is_short_in(below))
    rows, listed = grid.rows_wanted(grid.size.width) if grid.size else (0, 0)
    cards = [screen.query_one(f"#{name}", CardPane).rows_wanted for name in ("card", "second")]
    return Wants(
        order=max(order.whole, LEAST_ROWS) + FRAME_ROWS,
        names=max(order.names, LEAST_ROWS) + FRAME_ROWS,
        people=max(order.people, LEAST_ROWS) + FRAME_ROWS,
        spend=spend,
        timers=timers + FRAME_ROWS if timers else old.timers,
        edge=edge,
        techniques=max(rows + FRAME_ROWS, old.techniques),
        listed=max(listed + FRAME_ROWS if listed else 0, old.listed),
        card=max(old.card, max(cards) + FRAME_ROWS),
        tracks=screen.query_one(TracksPane).cells_wanted,
    )


def _catch_up(screen: FightScreen) -> None:
    """Have panes that were given another size say what they need in that one."""
    for pane in screen.children:
        if isinstance(pane, Pane) and pane.is_behind:
            pane.repaint()


def _arrange(screen: FightScreen, arrangement: Arrangement) -> None:
    """Have the panes stand so, and their frames tell of it."""
    screen.layout.arrangement = arrangement
    frame_panes(screen)
    rearrange(screen)


def rearrange(screen: FightScreen) -> None:
    """Have the panes placed anew. It is a child that must ask, for the old places to go."""
    screen.query_one(HeaderLine).refresh(layout=True)


# -- which one is chosen ---------------------------------------------------------------------------


def reachable(screen: FightScreen) -> tuple[str, ...]:
    """The panes that can be gone to in a window of this size."""
    return screen.layout.arrangement.reachable(screen.size)


def next_pane(screen: FightScreen, by: int = 1) -> None:
    """Go on to the next pane; in a small window, to the next tab."""
    tabs = screen.layout.arrangement.tabs(screen.size)
    seen = screen.layout.arrangement.regions(screen.size)
    row = tabs if is_compact(screen.size) and tabs else [*reachable(screen)]
    row = [pane for pane in row if pane != "tracks" or pane in seen]
    here = row.index(screen.chosen) if screen.chosen in row else -1
    choose_pane(screen, row[(here + by) % len(row)])


def choose_pane(screen: FightScreen, pane: str) -> None:
    """Go to a pane. One that has no place takes all room."""
    there = replace(screen.layout.arrangement, chosen=pane)
    if pane not in there.regions(screen.size):
        there = replace(there, maximised=True)
    _arrange(screen, there)


def toggle_maximised(screen: FightScreen) -> None:
    """Give the chosen pane all the room, or take it back."""
    old = screen.layout.arrangement
    _arrange(screen, replace(old, maximised=not old.maximised))


def show_letters(screen: FightScreen, letters: Mapping[str, str]) -> None:
    """Have every pane of that table show its letter, and no other one."""
    screen.letters = letters
    frame_panes(screen)


def frame_panes(screen: FightScreen) -> None:
    """Have the frames tell which pane is chosen, and which tabs there are."""
    places, size, inks = screen.layout.arrangement, screen.size, app_of(screen).inks
    tabs, seen = places.tabs(size), places.regions(size)
    screen.query_one(TracksPane).fill("tracks" in seen and "initiative" not in seen)
    screen.query_one(InitiativePane).leave_tracks("tracks" in seen)
    screen.query_one("#card", CardPane).stands_alone("second" not in seen)
    names = {name: screen.query_one(f"#{name}", Pane).NAME for name in tabs}
    for name in PANES:
        pane = screen.query_one(f"#{name}", Pane)
        pane.choose(name == places.chosen)
        room = seen[name].width - LEAST_AROUND_WORDS if name in seen else 0
        row = tabs_line(names, name, screen.letters, room, inks)
        pane.mark(screen.letters.get(name, ""), row if name in tabs else None)


# -- how the chosen one is scrolled ----------------------------------------------------------------


def page_chosen(screen: FightScreen, pages: int) -> None:
    """Scroll the chosen pane by so many of its heights."""
    pane = _chosen(screen)
    pane.scroll_lines(pages * max(pane.size.height - 1, 1))


def scroll_chosen_end(screen: FightScreen, start: bool = False) -> None:
    """Scroll the chosen pane to its start or end."""
    pane = _chosen(screen)
    pane.scroll_top(0 if start else pane.line_count())


def _chosen(screen: FightScreen) -> Pane:
    return screen.query_one(f"#{screen.chosen}", Pane)
