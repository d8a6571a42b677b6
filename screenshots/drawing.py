"""Pictures of a terminal as SVG: one of a screen, or a moving one of a row of frames.

Text stays text, in the fonts that the reader has. A piece of a row that comes again, in the same
frame or in a later one, is written once and used again; so a moving picture grows with what
changes. Its frames stand side by side, and one CSS animation, in steps, moves the row of them past
the window: it needs no script, and a viewer without animations shows the first frame.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import groupby

from rich.cells import cell_len
from rich.color import Color
from rich.segment import Segment
from rich.style import Style

CELL, ROW, LETTER, BASELINE = 12, 23, 20, 18
"""Cell width, row height, letter size and the letters' foot below a row's top, in pixels."""
MARGIN = 12
CAPTION = 58
KEY_HEIGHT, KEY_PADDING, KEY_GAP, KEY_FOOT = 34, 18, 8, 7
KEY_PAPER, KEY_EDGE, KEY_INK, SAID_INK = "#39424f", "#8a93a0", "#ffffff", "#d8dbe0"
BORDERS = "│╭╮╰╯"
FONTS = "'Fira Code','DejaVu Sans Mono',Menlo,Consolas,monospace"

Row = list[Segment]
Screen = list[Row]


@dataclass(frozen=True)
class Frame:
    """A moment of a moving picture.

    screen   its rows
    keys     what was pressed since the last rest, as it is shown below
    says     what that is, in words
    seconds  how long it stands
    """

    screen: Screen
    keys: tuple[str, ...] = ()
    says: str = ""
    seconds: float = 1.0


@dataclass
class Sheet:
    """What frames share: inks by their CSS, and pieces of rows by their markup."""

    paper: str
    inks: dict[str, str] = field(default_factory=dict)
    pieces: dict[str, str] = field(default_factory=dict)

    def ink(self, css: str) -> str:
        """The name of a class of that CSS."""
        return self.inks.setdefault(css, f"i{len(self.inks)}")

    def use(self, markup: str, x: int, y: int) -> str:
        """A piece at its place."""
        name = self.pieces.setdefault(markup, f"p{len(self.pieces)}")
        return f'<use href="#{name}" x="{x}" y="{y}"/>'

    def style(self) -> str:
        """All inks."""
        return "".join(f".{name}{{{css}}}" for css, name in self.inks.items())

    def defs(self) -> str:
        """All pieces."""
        return "".join(f'<g id="{name}">{markup}</g>' for markup, name in self.pieces.items())


def still(screen: Screen) -> str:
    """The picture of one screen."""
    return _drawn([Frame(screen)], caption=0)


def moving(frames: Sequence[Frame]) -> str:
    """The picture that shows the frames one after the other, over and over, captions below."""
    return _drawn(frames, caption=CAPTION)


def _drawn(frames: Sequence[Frame], caption: int) -> str:
    columns, rows = _width(frames[0].screen[0]), len(frames[0].screen)
    width, height = columns * CELL, rows * ROW + caption
    sheet = Sheet(_usual_paper(frames[0].screen))
    shown = "".join(
        f'<g transform="translate({number * width})">{_screen(frame.screen, sheet)}'
        f"{_caption(frame, rows * ROW, sheet) if caption else ''}</g>"
        for number, frame in enumerate(frames)
    )
    full_width, full_height = width + 2 * MARGIN, height + 2 * MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {full_width} {full_height}" '
        f'width="{full_width}" height="{full_height}" xml:space="preserve">'
        f"<style>text{{font:{LETTER}px {FONTS};font-variant-ligatures:none;white-space:pre}}"
        f"{sheet.style()}{_motion([frame.seconds for frame in frames], width)}</style>"
        f"<defs>{sheet.defs()}</defs>"
        f'<rect width="100%" height="100%" rx="{MARGIN}" fill="{sheet.paper}"/>'
        f'<svg x="{MARGIN}" y="{MARGIN}" width="{width}" height="{height}">'
        f'<g class="film">{shown}</g></svg></svg>\n'
    )


def _motion(seconds: Sequence[float], width: int) -> str:
    """One step for each frame; nothing for a single one, or for a reader who wants none."""
    if len(seconds) == 1:
        return ""
    whole, passed, steps = sum(seconds), 0.0, ""
    for number, each in enumerate(seconds):
        steps += f"{passed / whole:.4%}{{transform:translate({-number * width}px)}}"
        passed += each
    return (
        f"@keyframes film{{{steps}}}"
        "@media(prefers-reduced-motion:no-preference)"
        f"{{.film{{animation:film {whole:g}s step-end infinite}}}}"
    )


# -- a screen --------------------------------------------------------------------------------------


def _screen(screen: Screen, sheet: Sheet) -> str:
    return "".join(
        sheet.use(markup, start * CELL, y * ROW)
        for y, row in enumerate(screen)
        for start, piece in _pieces(row)
        if (markup := _piece(piece, sheet))
    )


def _pieces(row: Row) -> Iterator[tuple[int, Row]]:
    """The row, parted where frames of panes stand, each piece with its first column."""
    start, width, piece = 0, 0, Row()
    for segment in row:
        if segment.text[:1] in BORDERS and piece:
            yield start, piece
            start, width, piece = start + width, 0, Row()
        piece.append(segment)
        width += cell_len(segment.text)
    yield start, piece


def _piece(row: Row, sheet: Sheet) -> str:
    """Papers, then the text on them."""
    papers = texts = ""
    for start, text, paper in _runs(row, _paper_of):
        if paper not in ("", sheet.paper):
            x, width = start * CELL, cell_len(text) * CELL
            papers += f'<rect x="{x}" width="{width}" height="{ROW}" fill="{paper}"/>'
    for start, text, css in _runs(row, _ink_of):
        bare = text.strip(" ")
        if bare:
            start += len(text) - len(text.lstrip(" "))
            texts += _text(bare, start * CELL, BASELINE, sheet.ink(css))
    return papers + texts


def _text(text: str, x: int, y: int, ink: str) -> str:
    length = f' textLength="{cell_len(text) * CELL}"' if cell_len(text) > 1 else ""
    return f'<text class="{ink}" x="{x}" y="{y}"{length}>{escape(text, quote=False)}</text>'


def _runs(row: Row, look: Callable[[Style], str]) -> Iterator[tuple[int, str, str]]:
    """Neighbours of one look together: the first column, the text, the look."""
    column = 0
    for found, segments in groupby(row, lambda segment: look(segment.style or Style())):
        text = "".join(segment.text for segment in segments)
        yield column, text, found
        column += cell_len(text)


def _paper_of(style: Style) -> str:
    return _hex(style.color if style.reverse else style.bgcolor)


def _ink_of(style: Style) -> str:
    css = f"fill:{_hex(style.bgcolor if style.reverse else style.color)}"
    css += ";font-weight:bold" if style.bold else ""
    css += ";font-style:italic" if style.italic else ""
    return css + (";text-decoration:underline" if style.underline else "")


def _hex(color: Color | None) -> str:
    """`#14171c`; empty for the terminal's own, which our themes leave nowhere."""
    return "" if color is None or color.triplet is None else color.triplet.hex


def _width(row: Row) -> int:
    return sum(cell_len(segment.text) for segment in row)


def _usual_paper(screen: Screen) -> str:
    """What most of the cells are painted on."""
    cells: Counter[str] = Counter()
    for row in screen:
        for segment in row:
            cells[_paper_of(segment.style or Style())] += cell_len(segment.text)
    return cells.most_common(1)[0][0]


# -- what stands below a frame ---------------------------------------------------------------------


def _caption(frame: Frame, y: int, sheet: Sheet) -> str:
    """The keys as caps, then the words."""
    x, middle, drawn = CELL, y + CAPTION // 2 + MARGIN // 2, ""
    for key in frame.keys:
        width = max(len(key) * CELL + KEY_PADDING, KEY_HEIGHT)
        drawn += (
            f'<rect x="{x}" y="{middle - KEY_HEIGHT // 2}" width="{width}" height="{KEY_HEIGHT}" '
            f'rx="6" fill="{KEY_PAPER}" stroke="{KEY_EDGE}"/>'
        )
        left = x + (width - len(key) * CELL) // 2
        drawn += _text(key, left, middle + KEY_FOOT, sheet.ink(f"fill:{KEY_INK};font-weight:bold"))
        x += width + KEY_GAP
    if frame.says:
        ink = sheet.ink(f"fill:{SAID_INK}")
        drawn += _text(frame.says, x + KEY_GAP, middle + KEY_FOOT, ink)
    return drawn
