"""The pictures show what is on the screen, and the moving one plays what it says."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from screenshots.a_round import FIGHT, ROUND, SIZE
from screenshots.drawing import CELL, ROW, Frame, Screen, moving, still
from screenshots.stage import stage
from tests.tui.typing_keys import press_at_once

SVG = "{http://www.w3.org/2000/svg}"
PAPER, INK = Style.parse("#d8dbe0 on #14171c"), Style.parse("bold #e6b450 on #14171c")
SCREEN: Screen = [
    [Segment("╭─ Order ──╮", PAPER), Segment("╭─ <&> ──╮", PAPER)],
    [Segment("│ ", PAPER), Segment("水門 ", INK), Segment("  0/24", PAPER), Segment("│ ", PAPER)],
    [Segment("│  ", PAPER), Segment("Pell", INK), Segment("     │", PAPER)],
]


def rows_of(svg: str) -> list[str]:
    """What the first frame shows, put together from its pieces by where they stand."""
    root = ElementTree.fromstring(svg)
    pieces = {g.attrib["id"]: g for g in root.iter(f"{SVG}g") if "id" in g.attrib}
    frame = next(g for g in root.iter(f"{SVG}g") if g.attrib.get("transform") == "translate(0)")
    rows: dict[int, str] = {}
    for use in frame.iter(f"{SVG}use"):
        y, left = int(use.attrib["y"]) // ROW, int(use.attrib["x"]) // CELL
        for text in pieces[use.attrib["href"].removeprefix("#")].iter(f"{SVG}text"):
            row, column = rows.get(y, ""), left + int(text.attrib["x"]) // CELL
            rows[y] = row + " " * (column - cell_len(row)) + (text.text or "")
    return [rows[y] for y in sorted(rows)]


def test_a_picture_has_every_cell_at_its_place() -> None:
    assert rows_of(still(SCREEN)) == [
        "".join(segment.text for segment in row).rstrip() for row in SCREEN
    ]


async def test_a_picture_is_what_the_app_shows() -> None:
    async with stage(FIGHT, SIZE) as shown:
        screen = shown.screen()
    seen = ["".join(segment.text for segment in row).rstrip() for row in screen]
    assert rows_of(still(screen)) == [row for row in seen if row]


def test_what_comes_again_is_written_once() -> None:
    one, two = moving([Frame(SCREEN)]), moving([Frame(SCREEN)] * 2)
    assert one.count("<text") == two.count("<text")


def test_each_frame_of_a_moving_picture_has_its_time() -> None:
    frames = [Frame(SCREEN, ("s",), "A strike", 1), Frame(SCREEN, (), "Next", 3)]
    svg = moving(frames)
    assert "film 4s step-end infinite" in svg
    width = cell_len("".join(segment.text for segment in SCREEN[0])) * CELL
    steps = re.findall(r"([\d.]+)%{transform:translate\((-?\d+)px\)}", svg)
    assert steps == [("0.0000", "0"), ("25.0000", f"-{width}")]


async def test_the_round_that_is_shown_saves_what_it_says() -> None:
    async with stage(FIGHT, SIZE) as shown:
        assert shown.encounter is not None
        log, saved = shown.encounter.history, []
        for step in ROUND:
            before = log.last
            await press_at_once(shown.pilot, step.keys.split())
            saved.append([log.entries[seq].command for seq in range(before + 1, log.last + 1)])
    assert saved == [[step.saves] if step.saves else [] for step in ROUND]
