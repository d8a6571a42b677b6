"""Where everything on the fight's screen stands: a plain function of the size and of what is asked.

It is worked out once for each change of the size, the tab or the maximised pane, never for a key.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from textual.geometry import NULL_OFFSET, NULL_SPACING, Region, Size, Spacing
from textual.layout import ArrangeResult, Layout, WidgetPlacement
from textual.widget import Widget

from affray.tui.panes.too_small import SMALLEST
from affray.tui.screens.beside import place_of_sheet

TABS = ("techniques", "timers", "log")
PANES = ("initiative", "card", *TABS)
PROMPT_ROWS = 2

COMPACT_BELOW = (100, 30)
ROOMY_FROM = (170, 40)
EDGE_ROWS = 8
COMPACT_LEFT, COMPACT_CARD = 36, 8
NOTHING = Region(0, 0, 0, 0)


@dataclass(frozen=True)
class Arrangement:
    """What the places depend on, besides the size.

    chosen      the pane that tab has gone to; in a small window its tab is the one that is seen
    maximised   whether that pane has all the room
    edge        rows that the turn's edge takes above the prompt where it has no place of its own,
                in a small window or beside a maximised pane; 0 when nothing is there
    """

    chosen: str = "techniques"
    maximised: bool = False
    edge: int = 0

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
        room = Region(0, 1, width, max(height - 2 - PROMPT_ROWS, 0))
        edge = 0 if self.has_place_for_edge(size) else min(self.edge, room.height // 2)
        if edge:
            places["edge"] = Region(0, room.bottom - edge, width, edge)
        if self.maximised:
            places[self.chosen] = room
        elif is_compact(size):
            places |= self._compact(room)
        else:
            places |= _roomy(room) if is_roomy(size) else _usual(room)
        for pane in (*PANES, "second"):  # only what reaches down to the edge gives way to it
            place = places.get(pane, NOTHING)
            if edge and place.bottom == room.bottom:
                places[pane] = place.shrink(Spacing(0, 0, min(edge, place.height), 0))
        return {name: seen for name, place in places.items() if (seen := place.intersection(whole))}

    def has_place_for_edge(self, size: Size) -> bool:
        """Whether the turn's edge stands under the order all the time, and moves nothing."""
        return not (self.maximised or is_compact(size))

    def _compact(self, room: Region) -> dict[str, Region]:
        """The order at the left; the card at the right with one of the tabs below it."""
        left, right = room.split_vertical(min(COMPACT_LEFT, room.width * 45 // 100))
        card, tab = right.split_horizontal(min(COMPACT_CARD, room.height // 2))
        front = self.chosen if self.chosen in TABS else TABS[0]
        return {"initiative": left, "card": card, front: tab}


def _usual(room: Region) -> dict[str, Region]:
    """Everything at once, with the log along the bottom."""
    upper, log = room.split_horizontal(-max(5, room.height * 22 // 100 + 1))
    left, right = upper.split_vertical(max(38, min(room.width * 33 // 100, 56)))
    initiative, edge = left.split_horizontal(-EDGE_ROWS)
    card, lower = right.split_horizontal(8)
    techniques, timers = lower.split_vertical(lower.width * 49 // 100)
    return {
        "initiative": initiative,
        "edge": edge,
        "card": card,
        "techniques": techniques,
        "timers": timers,
        "log": log,
    }


def _roomy(room: Region) -> dict[str, Region]:
    """Two cards side by side, and the rules of the techniques in words."""
    upper, log = room.split_horizontal(-(room.height * 3 // 10))
    left, right = upper.split_vertical(min(room.width * 33 // 100, 76))
    initiative, edge = left.split_horizontal(-EDGE_ROWS - 2)
    cards, lower = right.split_horizontal(12)
    card, second = cards.split_vertical((cards.width + 1) // 2)
    techniques, timers = lower.split_vertical(lower.width * 6 // 10)
    return {
        "initiative": initiative,
        "edge": edge,
        "card": card,
        "second": second,
        "techniques": techniques,
        "timers": timers,
        "log": log,
    }


def is_too_small(size: Size) -> bool:
    """Whether there is room for no more than a word about it."""
    return size.width < SMALLEST[0] or size.height < SMALLEST[1]


def is_compact(size: Size) -> bool:
    """Whether the lower panes have to share one place."""
    return size.width < COMPACT_BELOW[0] or size.height < COMPACT_BELOW[1]


def is_roomy(size: Size) -> bool:
    """Whether there is room for a second card."""
    return size.width >= ROOMY_FROM[0] and size.height >= ROOMY_FROM[1]


class FightLayout(Layout):
    """Puts the children of the fight's screen where the arrangement says."""

    name = "fight"

    def __init__(self) -> None:
        self.arrangement = Arrangement()

    def arrange(
        self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True
    ) -> ArrangeResult:
        """Place what has a place; the rest is not seen."""
        edge = next((w for w in children if w.id == "edge"), None)
        rows = getattr(edge, "rows_wanted", 0)
        regions = replace(self.arrangement, edge=rows).regions(size)
        sheet = next((w for w in children if w.id == "sheet"), None)
        if getattr(sheet, "is_open", False) and "header" in regions:
            room = Region.from_corners(0, regions["header"].bottom, size.width, regions["prompt"].y)
            regions["sheet"] = place_of_sheet(room, regions.get("initiative", NOTHING))
        placements = []
        for order, widget in enumerate(children):
            region = regions.get(widget.id or "", NOTHING)
            if region:
                placements.append(WidgetPlacement(region, NULL_OFFSET, NULL_SPACING, widget, order))
        return placements
