"""The layout of the fight's screen: a pure function of the size, focus and maximising, jump mode.

It is worked out once for each change of the size, the tab or the maximised pane, never for a key.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace
from textual.geometry import NULL_OFFSET, NULL_SPACING, Region, Size
from textual.layout import ArrangeResult, Layout, WidgetPlacement
from textual.screen import Screen
from textual.widget import Widget

from affray.core.engine.turn_order import is_finished
from affray.core.rules.tables import Tables
from affray.tui.fight_view import get_app
from affray.tui.widgets.base import LEAST_AROUND_WORDS, Pane, tabs_line
from affray.tui.widgets.combatant_card import CombatantCard
from affray.tui.widgets.header_footer import SMALLEST, Header
from affray.tui.widgets.lookup import LookupPane
from affray.tui.widgets.prompt import PROMPT_ROWS, PromptWidget, with_rows
from affray.tui.widgets.techniques import TechniquesPane
from affray.tui.widgets.timers import TimersPane
from affray.tui.widgets.tracks import TracksPane
from affray.tui.widgets.turn_order import TurnOrderList
from affray.tui.widgets.turn_order_columns import shown_tracks, stands_apart
from affray.tui.widgets.turn_summary import TurnSummaryPane

SMALL_TABS, LOW_TABS = ("timers", "techniques", "card", "log"), ("techniques", "log")
"""The panes that share a place in a small window, and in one that is wide enough, but low."""
PANES = ("initiative", "tracks", "spend", "timers", "card", "second", "techniques", "log")
FRAME_ROWS = 2

COMPACT_BELOW = (100, 30)
LOW_BELOW = 38
ROOMY_FROM = (170, 40)
SPEND_CELLS, SPEND_ROWS = 26, 8
LEAST_OF_TECHNIQUES, LEAST_OF_A_CARD, LEAST_OF_THE_LOG = 6, 5, 6
"""The rows of some panes: with fewer they say nothing. Without these the log shares a place."""
MOST_OF_A_CARD = 9
"""A card takes no more rows than these from the log."""
MOST_OF_TIMERS = 11
"""The rows of what ends, before it is known how many that are."""
MOST_OF_ORDER = 24
"""A longer order takes no more rows than these from the log."""
LEAST_RIGHT = 34
USUAL_OF_TRACKS = 28
"""The cells of what wears out, before it is known what they have to hold."""
WIDE_ENOUGH = 120
"""From so many cells on what wears out has a pane of its own."""
LEAST_BELOW_ROOMY = 24
"""The rows that a roomy window leaves below the order."""
LEAST_BELOW = 6
"""The rows that a small window leaves below the order."""
TALL = 34
"""A small window with so many rows shows the timers, and below them a tab, as soon as it can."""
MOST_ROWS_TOO_MANY = 3
"""So many empty rows a pane may have before others get them."""
LEAST_OF_SHEET = Size(56, 10)
"""What a sheet needs to be read. Where the order leaves less, it stands over the lower rows."""
NOTHING = Region(0, 0, 0, 0)


class RowsWanted(Struct, frozen=True):
    """The number of rows that would show all of a pane now, its frame included.

    people  the rows in which the order holds everybody, if nothing stands below them
    timers  the rows of the timers, with those that a turn's edge takes
    edge    the most rows that a turn's edge has taken
    card    the rows of the longer card
    tracks  the cells of the tracks pane; 0 without such tracks
    """

    order: int = 20
    people: int = 12
    spend: int = 6
    timers: int = MOST_OF_TIMERS
    techniques: int = 6
    edge: int = 0
    card: int = LEAST_OF_A_CARD
    tracks: int = USUAL_OF_TRACKS

    @property
    def beside(self) -> int:
        """The rows of the turn's costs and of the timers."""
        return self.spend + self.timers

    def is_worth_it(self, old: RowsWanted) -> bool:
        """True if enough has changed to place the panes anew."""
        exact = attrgetter("people", "spend", "edge", "techniques", "card", "tracks")
        if exact(self) != exact(old):
            return True
        loose = attrgetter("order", "timers")
        pairs = zip(loose(self), loose(old), strict=True)
        return any(not was - MOST_ROWS_TOO_MANY <= now <= was for now, was in pairs)


class LayoutInput(Struct, frozen=True):
    """The values on which the layout depends, besides the size.

    chosen      the pane chosen by tab; in a small window the visible tab
    maximised   True if that pane fills the screen
    wants       the rows that the panes need
    without     panes that the game has no use for: without techniques, or without costs
    """

    chosen: str = "timers"
    maximised: bool = False
    wants: RowsWanted = RowsWanted()
    without: frozenset[str] = frozenset()

    def regions(self, size: Size) -> dict[str, Region]:
        """The place of each pane that can be seen, by its id."""
        width, height = size
        whole = size.region
        if is_too_small(size):
            return {"small": whole} if whole else {}
        places = {
            "header": Region(0, 0, width, 1),
            "prompt": Region(0, height - 1 - PROMPT_ROWS, width, PROMPT_ROWS),
            "footer": Region(0, height - 1, width, 1),
        }
        room = room_of(size)
        if self.maximised:
            places |= {self.chosen: room}
        elif is_compact(size):
            places |= self._compact(room)
        elif height < LOW_BELOW:
            places |= self._low(room)
        elif is_roomy(size):
            places |= self._roomy(room)
        else:
            places |= self._usual(room)
        return {name: seen for name, place in places.items() if (seen := place.intersection(whole))}

    def tabs(self, size: Size) -> tuple[str, ...]:
        """The panes that share one place; none where each has its own."""
        if self.maximised:
            return ()
        if is_compact(size):
            seen, row = self.regions(size).keys() & {*SMALL_TABS}, self._there(SMALL_TABS)
            return row if len(seen) == 1 else row[1:]  # the timers have a place
        crowded = not is_roomy(size) and self._is_crowded(room_of(size))
        return self._there(LOW_TABS) if size.height < LOW_BELOW or crowded else ()

    def reachable(self, size: Size) -> tuple[str, ...]:
        """The panes that tab can choose: those with a place at that size, or a tab in one, and the
        tracks, which otherwise fill the screen."""
        usual = replace(self, maximised=False)
        there = {*usual.regions(size), *usual.tabs(size), *self._there(("tracks",))}
        return tuple(pane for pane in PANES if pane in there)

    def _there(self, tabs: Sequence[str]) -> tuple[str, ...]:
        """The tabs that the game has contents for."""
        return tuple(tab for tab in tabs if self._has(tab))

    def _has(self, pane: str) -> bool:
        """True if the game has something for that pane."""
        return pane not in self.without

    def _front(self, tabs: Sequence[str]) -> str:
        row = self._there(tabs)
        return self.chosen if self.chosen in row else row[0]

    def _low(self, room: Region) -> dict[str, Region]:
        """The order has the rows that it needs, and below it are a card and a tab."""
        most = room.height - LEAST_OF_A_CARD
        upper = max(min(self.wants.order, most), min(self.wants.beside, most))
        top, below = room.split_horizontal(upper)
        left, right = _beside(top)
        card, tab = below.split_vertical(below.width * 45 // 100)
        return {
            "initiative": left,
            **self._right(right),
            "card": card,
            self._front(LOW_TABS): tab,
        }

    def _compact(self, room: Region) -> dict[str, Region]:
        """The order over the whole width or height; beside the turn's costs one of the tabs."""
        front, wants = self._front(SMALL_TABS), self.wants
        if room.width >= COMPACT_BELOW[0]:  # wide, and too low for anything below the order
            left, right = room.split_vertical(room.width * 62 // 100)
            return {"initiative": left, **self._right(right, front)}
        enough = SPEND_ROWS if room.height < TALL else 2 * SPEND_ROWS
        people = min(wants.people, room.height - LEAST_BELOW)
        order, rest = room.split_horizontal(max(min(wants.order, room.height - enough), people))
        tab = NOTHING
        if rest.height >= 2 * SPEND_ROWS:
            rest, tab = rest.split_horizontal(min(SPEND_ROWS + 2, rest.height // 2))
        spend, timers = rest.split_vertical(SPEND_CELLS if self._has("spend") else 0)
        places = {"initiative": order, "spend": spend}
        if not tab:
            return {**places, front: timers}
        other = self._front(SMALL_TABS[1:])
        return {**places, "timers": timers, other: tab}

    def _usual(self, room: Region) -> dict[str, Region]:
        """The order with cards, techniques and the log below. Beside as many of them as needed are
        the turn's costs and the timers, so that most effects have a row.

        Rows that the order doesn't need go to the techniques, then to some rows of the log, then to
        the cards, and the rest to the log. Where they are too few, techniques and log share a
        place.
        """
        wants, crowded = self.wants, self._is_crowded(room)
        few = LEAST_OF_TECHNIQUES if self._has("techniques") else 0
        least = LEAST_OF_A_CARD + few + (0 if crowded else LEAST_OF_THE_LOG)
        more = wants.techniques - few if few else 0
        wanted = min(more, room.height - least - wants.order)
        upper = min(wants.order, room.height - least - max(wanted, 0))
        spare = max(room.height - upper - least, 0)
        to_techniques = min(more, spare)
        spare -= to_techniques
        to_cards = min(min(wants.card, MOST_OF_A_CARD) - LEAST_OF_A_CARD, spare)
        grid = few + to_techniques
        heights = [upper, LEAST_OF_A_CARD + to_cards, *([] if crowded else [grid])]
        ends = [*accumulate(heights), room.height]
        beside = next((end for end in ends if self.wants.beside <= end), room.height)
        left, right = _beside(room.split_horizontal(beside)[0])
        order, cards, *lower = _stacked(room, left, ends)
        return {
            **self._order(order, room.width),
            **self._right(right),
            **_cards(cards),
            **dict(zip([self._front(LOW_TABS)] if crowded else LOW_TABS, lower, strict=True)),
        }

    def _is_crowded(self, room: Region) -> bool:
        """True if there is no room for the techniques and the log, each in a place of its own."""
        if not self._has("techniques"):
            return False
        below = LEAST_OF_A_CARD + LEAST_OF_TECHNIQUES + LEAST_OF_THE_LOG
        return min(self.wants.people, MOST_OF_ORDER) + below > room.height

    def _roomy(self, room: Region) -> dict[str, Region]:
        """Techniques with their rules under the order and the cards; the log under what ends."""
        left, right = room.split_vertical(room.width * 62 // 100)
        most = room.height - LEAST_BELOW_ROOMY
        order, below = left.split_horizontal(min(max(self.wants.order, 12), most))
        cards, lower = below.split_horizontal(min(self.wants.card, below.height // 2))
        if not self._has("techniques"):
            places = {**self._right(right), "log": lower}
        else:
            upper = min(self.wants.beside + self.wants.edge, room.height - room.height // 3)
            beside, log = right.split_horizontal(upper)
            places = {**self._right(beside), "techniques": lower, "log": log}
        return {**self._order(order, room.width), **_cards(cards), **places}

    def most_of_order(self, size: Size) -> int:
        """The lines that the order can have at most in a window of that size."""
        height = room_of(size).height - FRAME_ROWS
        if self.maximised:
            return height
        if is_compact(size):
            return height - (0 if size.width >= COMPACT_BELOW[0] else SPEND_ROWS)
        if size.height < LOW_BELOW:
            return height - LEAST_OF_A_CARD
        techniques = LEAST_OF_TECHNIQUES if self._has("techniques") else 0
        below = LEAST_OF_A_CARD + techniques + LEAST_OF_THE_LOG
        return height - (LEAST_BELOW_ROOMY if is_roomy(size) else below)

    def _order(self, place: Region, width: int) -> dict[str, Region]:
        """The order, and beside it the tracks pane, row by row."""
        if width < WIDE_ENOUGH or not (self._has("tracks") and self.wants.tracks):
            return {"initiative": place}
        order, tracks = place.split_vertical(place.width - self.wants.tracks)
        return {"initiative": order, "tracks": tracks}

    def _right(self, place: Region, below: str = "timers") -> dict[str, Region]:
        """The cell of costs and ends, or of another pane in its place."""
        most = max(place.height // 2, place.height - self.wants.timers)
        rows = min(self.wants.spend, most) if self._has("spend") else 0
        spend, rest = place.split_horizontal(rows)
        return {"spend": spend, below: rest}


def _beside(place: Region) -> tuple[Region, Region]:
    """The order, and the panes at its right."""
    return place.split_vertical(place.width - max(LEAST_RIGHT, place.width * 28 // 100))


def _stacked(room: Region, left: Region, ends: Sequence[int]) -> list[Region]:
    """One below the other, each to its end: first as wide as the left, below that full width."""
    starts = [0, *ends[:-1]]
    return [
        Region(room.x, room.y + start, (left if start < left.height else room).width, end - start)
        for start, end in zip(starts, ends, strict=True)
    ]


def _cards(place: Region) -> dict[str, Region]:
    """The two cards, side by side."""
    card, second = place.split_vertical((place.width + 1) // 2)
    return {"card": card, "second": second}


def room_of(size: Size) -> Region:
    """The region left to the panes by header, prompt and footer."""
    return Region(0, 1, size.width, max(size.height - 2 - PROMPT_ROWS, 0))


def place_of_sheet(room: Region, order: Region) -> Region:
    """The place beside a visible order or below it: the larger part of the remaining room.

    `room` is all the room for panes; `order` is empty where the order is hidden.
    """
    beside = Region(order.right, room.y, room.right - order.right, room.height)
    below = Region(room.x, order.bottom, room.width, room.bottom - order.bottom)
    least = LEAST_OF_SHEET
    fit = [r for r in (beside, below) if r.width >= least.width and r.height >= least.height]
    if order and fit:
        return max(fit, key=lambda region: region.area)
    if not order and room.width >= 2 * least.width:
        return room.split_vertical(room.width // 2)[1]
    height = min(room.height, max(least.height, room.height // 2))
    return room.split_horizontal(room.height - height)[1]


def is_too_small(size: Size) -> bool:
    """True if there is room for a short message only."""
    return size.width < SMALLEST[0] or size.height < SMALLEST[1]


def is_compact(size: Size) -> bool:
    """True if the lower panes have to share one place."""
    return size.width < COMPACT_BELOW[0] or size.height < COMPACT_BELOW[1]


def is_usual(size: Size) -> bool:
    """True if all panes are below and beside each other, and none has room to spare."""
    return not (is_compact(size) or is_roomy(size)) and size.height >= LOW_BELOW


def is_roomy(size: Size) -> bool:
    """True if there is room for the rules of the techniques."""
    return size.width >= ROOMY_FROM[0] and size.height >= ROOMY_FROM[1]


class FightLayout(Layout):
    """Places the children of the fight's screen as arranged."""

    name = "fight"

    def __init__(self, arrangement: LayoutInput) -> None:
        self.arrangement = arrangement

    def arrange(
        self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True
    ) -> ArrangeResult:
        """Place the panes; those without a place are hidden."""
        prompt = next(each for each in children if isinstance(each, PromptWidget))
        regions = self.arrangement.regions(size)
        if "prompt" in regions:
            regions["prompt"] = with_rows(regions["prompt"], prompt.rows_wanted)
        sheets = (each for each in children if isinstance(each, LookupPane) and each.is_open)
        sheet = next(sheets, None)
        if sheet is not None and "header" in regions:
            room = Region.from_corners(0, regions["header"].bottom, size.width, regions["prompt"].y)
            alone = is_compact(size) and sheet.has_all
            beside = regions.get("initiative", NOTHING)
            regions["sheet"] = room if alone else place_of_sheet(room, beside)
        placements = []
        for order, widget in enumerate(children):
            region = regions.get(widget.id or "", NOTHING)
            if isinstance(widget, Pane) and "prompt" in regions:
                widget.cover(region, regions["prompt"].y)
            if region:
                placements.append(WidgetPlacement(region, NULL_OFFSET, NULL_SPACING, widget, order))
        return placements


# -------------------------------------------------------------------------------------------------
# Focus, room and titles of the panes

LEAST_ROWS = 4


def panes_to_hide(tables: Tables) -> frozenset[str]:
    """The panes that a game has no use for: without techniques, or without costs of a turn."""
    nothing_paid = not any(rule.spent for rule in tables.tracks.values())
    nothing_worn = not any(stands_apart(tables.tracks[track]) for track in shown_tracks(tables))
    absent = {
        "techniques": not tables.techniques,
        "spend": nothing_paid,
        "tracks": nothing_worn,
    }
    return frozenset(pane for pane, is_absent in absent.items() if is_absent)


def jump_letters(panes: Iterable[str]) -> dict[str, str]:
    """A letter for each pane, by its id: the first letter of the id that is still free.

    They are the same at every size, whichever panes are seen, so that they can be learnt.
    """
    given: dict[str, str] = {}
    for pane in panes:
        given[pane] = next(letter for letter in pane if letter not in given.values())
    return given


LETTERS = jump_letters([*(pane for pane in PANES if pane != "tracks"), "tracks"])
"""The tracks come last, so that the other panes keep the letters that people have learnt."""


class FightPanes:
    """The panes of a screen: it chooses one, places each, and marks the frames.

    layout   the places of the panes
    letters  the letter that each pane shows, by its id, while a key is to go to one of them
    """

    def __init__(self, screen: Screen[None], tables: Tables) -> None:
        self._screen = screen
        self.layout = FightLayout(LayoutInput(without=panes_to_hide(tables)))
        self.letters: Mapping[str, str] = {}

    @property
    def chosen(self) -> str:
        """The id of the pane that tab has gone to, which scrolls and can be maximised."""
        return self.layout.arrangement.chosen

    @property
    def _size(self) -> Size:
        return self._screen.size

    def fit(self) -> None:
        """Give panes the rows that they need, and take back the others.

        Small changes move nothing, so that the panes don't move with every key.
        """
        old = self.layout.arrangement
        wants = self._rows_wanted(old.wants)
        absent = self._without_now()
        if wants.is_worth_it(old.wants) or absent != old.without:
            new = replace(old, wants=wants, without=absent)
            if new.regions(self._size) != old.regions(self._size):
                self._arrange(new)
            else:
                self.layout.arrangement = new

    def _without_now(self) -> frozenset[str]:
        """A layout with the techniques if nobody has a turn to use them."""
        view = self._screen.query_one(TurnOrderList).shown
        if view is None:
            return self.layout.arrangement.without
        idle = view.other_logs.is_ledger or is_finished(view.state)
        return panes_to_hide(view.ruleset.tables) | ({"techniques"} if idle else frozenset())

    def fit_anew(self) -> None:
        """Measure the panes again, in a window of another size."""
        self.layout.arrangement = replace(self.layout.arrangement, wants=RowsWanted())
        self.frame()
        self._screen.call_after_refresh(self.fit)

    def _rows_wanted(self, old: RowsWanted) -> RowsWanted:
        """The rows that panes need now.

        The techniques, the cards and a turn's edge keep the most rows that they have needed, as
        they change in each turn.
        """
        screen, roomy = self._screen, is_roomy(self._size)
        for pane in screen.children:  # those that were given another size say what they need in it
            if isinstance(pane, Pane) and pane.is_behind:
                pane.repaint()
        order, grid = screen.query_one(TurnOrderList).wants, screen.query_one(TechniquesPane)
        ends = screen.query_one(TimersPane)
        most = self._size.height // (2 if roomy else 1) - FRAME_ROWS
        edge = max(len(ends.head), old.edge)
        timers = ends.rows_wanted(most, edge if is_usual(self._size) else None)
        spend = screen.query_one(TurnSummaryPane).most_rows + FRAME_ROWS
        rows = grid.rows_wanted(grid.size.width) if grid.size else 0
        cards = [
            screen.query_one(f"#{name}", CombatantCard).rows_wanted for name in ("card", "second")
        ]
        return RowsWanted(
            order=max(order.whole, LEAST_ROWS) + FRAME_ROWS,
            people=max(order.people, LEAST_ROWS) + FRAME_ROWS,
            spend=spend,
            timers=timers + FRAME_ROWS if timers else old.timers,
            edge=edge,
            techniques=max(rows + FRAME_ROWS, old.techniques),
            card=max(old.card, max(cards) + FRAME_ROWS),
            tracks=screen.query_one(TracksPane).cells_wanted,
        )

    def _arrange(self, arrangement: LayoutInput) -> None:
        """Place the panes so, and show it in their frames."""
        self.layout.arrangement = arrangement
        self.frame()
        self.rearrange()

    def rearrange(self) -> None:
        """Give the panes new places. A child has to ask, or the old places stay."""
        self._screen.query_one(Header).refresh(layout=True)

    def reachable(self) -> tuple[str, ...]:
        """The panes that tab can choose in a window of this size."""
        return self.layout.arrangement.reachable(self._size)

    def choose_next(self, by: int = 1) -> None:
        """Go on to the next pane; in a small window, to the next tab."""
        tabs = self.layout.arrangement.tabs(self._size)
        seen = self.layout.arrangement.regions(self._size)
        row = tabs if is_compact(self._size) and tabs else [*self.reachable()]
        row = [pane for pane in row if pane != "tracks" or pane in seen]
        position = row.index(self.chosen) if self.chosen in row else -1
        self.choose(row[(position + by) % len(row)])

    def choose(self, pane: str) -> None:
        """Choose a pane. One without a place fills the screen."""
        there = replace(self.layout.arrangement, chosen=pane)
        if pane not in there.regions(self._size):
            there = replace(there, maximised=True)
        self._arrange(there)

    def toggle_maximised(self) -> None:
        """Maximise the chosen pane, or restore it."""
        old = self.layout.arrangement
        self._arrange(replace(old, maximised=not old.maximised))

    def frame(self) -> None:
        """Mark the chosen pane and the tabs in the frames."""
        screen = self._screen
        places, size, inks = self.layout.arrangement, self._size, get_app(screen).inks
        tabs, seen = places.tabs(size), places.regions(size)
        screen.query_one(TracksPane).fill("tracks" in seen and "initiative" not in seen)
        screen.query_one(TurnOrderList).stand_in(places.most_of_order(size), "tracks" in seen)
        screen.query_one("#card", CombatantCard).stands_alone("second" not in seen)
        names = {name: screen.query_one(f"#{name}", Pane).NAME for name in tabs}
        for name in PANES:
            pane = screen.query_one(f"#{name}", Pane)
            pane.choose(name == places.chosen)
            room = seen[name].width - LEAST_AROUND_WORDS if name in seen else 0
            row = tabs_line(names, name, self.letters, room, inks)
            pane.mark(self.letters.get(name, ""), row if name in tabs else None)

    def page(self, pages: int) -> None:
        """Scroll the chosen pane by so many of its heights."""
        pane = self._chosen()
        pane.scroll_lines(pages * max(pane.size.height - 1, 1))

    def scroll_end(self, start: bool = False) -> None:
        """Scroll the chosen pane to its start or end."""
        pane = self._chosen()
        pane.scroll_top(0 if start else pane.line_count())

    def _chosen(self) -> Pane:
        return self._screen.query_one(f"#{self.chosen}", Pane)

    # -- jump mode: every pane shows a letter, and the next key goes to the pane of that letter ----

    def show_letters(self) -> None:
        """Show the letter of every pane that can be chosen."""
        self.letters = {pane: LETTERS[pane] for pane in self.reachable()}
        self.frame()

    def hide_letters(self) -> None:
        """Hide the letters."""
        self.letters = {}
        self.frame()

    def jump_to(self, letter: str) -> None:
        """Choose the pane of that letter, if there is one, and hide the letters."""
        pane = next((pane for pane, own in self.letters.items() if own == letter), None)
        self.hide_letters()
        if pane is not None:
            self.choose(pane)
