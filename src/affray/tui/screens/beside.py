"""Where the sheet stands on the fight's screen: beside the order or below it, which is seen."""

from __future__ import annotations

from textual.geometry import Region

LEAST_WIDTH, LEAST_HEIGHT = 56, 10
"""What a sheet needs to be read. Where the order leaves less, it stands over the lower rows."""


def place_of_sheet(room: Region, order: Region) -> Region:
    """The larger of what the order leaves of the room, at its right or below it.

    `room` is all that panes have; `order` is empty where the order isn't seen.
    """
    beside = Region(order.right, room.y, room.right - order.right, room.height)
    below = Region(room.x, order.bottom, room.width, room.bottom - order.bottom)
    fit = [r for r in (beside, below) if r.width >= LEAST_WIDTH and r.height >= LEAST_HEIGHT]
    if order and fit:
        return max(fit, key=lambda region: region.area)
    if not order and room.width >= 2 * LEAST_WIDTH:
        return room.split_vertical(room.width // 2)[1]
    height = min(room.height, max(LEAST_HEIGHT, room.height // 2))
    return room.split_horizontal(room.height - height)[1]
