"""Lines of text in ink: pure drawing, a cell at a time, of bars, pips, boxes and words.

Everything that comes from a person or a file passes through `plain`, and no markup is ever read,
so a name is shown as it is, whatever it holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.strip import Strip

from affray.core.heart.state import Track
from affray.core.rules.tables import TrackRule
from affray.core.telling.event_words import die
from affray.core.telling.plain import plain as plain
from affray.tui.themes import Inks

MOST_PIPS = 10
"""Up to so many are drawn one by one; beyond, a number is quicker to read."""

UNFELT = "▣"
"""A level that is marked and does nothing before the fight is over."""

LOWERED = "×"
"""One of the maximum that something lasting takes away."""

NO_INK = Style()


def cut(text: str, width: int) -> str:
    """The text within so many cells; what is cut off leaves `…`."""
    if cell_len(text) <= width:
        return text
    if width <= 0:
        return ""
    return set_cell_size(text, width - 1).rstrip() + "…"


def tail(text: str, width: int) -> str:
    """The end of a text within so many cells; what is cut off leaves `…`."""
    if cell_len(text) <= width:
        return text
    start = 0
    while start < len(text) and cell_len(text[start:]) > width - 1:
        start += 1
    return f"…{text[start:]}"


def cut_name(name: str, width: int) -> str:
    """A name within so many cells; the number that tells it from its fellows is never cut off."""
    head, _, number = name.rpartition(" ")
    room = width - len(number) - 1
    if cell_len(name) <= width or not (head and number.isdecimal()) or room < 3:
        return cut(name, width)
    return f"{cut(head, room)} {number}"


class Line:
    """One line while it is drawn: pieces of text with their inks, and how many cells they take."""

    def __init__(self) -> None:
        self.segments: list[Segment] = []
        self.width = 0

    @property
    def text(self) -> str:
        """What it says, without its inks."""
        return "".join(segment.text for segment in self.segments)

    def add(self, text: str, ink: Style = NO_INK) -> Line:
        """Put text at the end."""
        if text:
            self.segments.append(Segment(text, ink))
            self.width += len(text) if text.isascii() else cell_len(text)
        return self

    def join(self, other: Line) -> Line:
        """Put another line's pieces at the end."""
        self.segments.extend(other.segments)
        self.width += other.width
        return self

    def column(self, column: int) -> Line:
        """Fill with blanks up to a column; nothing when the line is there already."""
        if column > self.width:
            self.segments.append(Segment(" " * (column - self.width), NO_INK))
            self.width = column
        return self

    def right(self, other: Line, width: int) -> Line:
        """Put another line at the right edge of so many cells, as far as there is room."""
        return self.column(width - other.width).join(other)

    def inked(self, ink: Style) -> Line:
        """The same on another ink, where a piece has none of its own."""
        line = Line()
        line.segments = [Segment(text, ink + (own or NO_INK)) for text, own, _ in self.segments]
        line.width = self.width
        return line

    def strip(self, width: int, paper: Style = NO_INK, over: Style = NO_INK) -> Strip:
        """Exactly so many cells of it on a paper. `over` is laid over the paper, under the ink."""
        paper += over
        segments = [
            Segment(text, paper if ink is NO_INK else paper + ink)  # a third has none of its own
            for text, ink, _ in self.segments
        ]
        if self.width < width:
            segments.append(Segment(" " * (width - self.width), paper))
        elif self.width > width:
            cropped = Strip(segments, self.width).crop(0, max(width - 1, 0))
            return Strip([*cropped, Segment("…", paper)]).adjust_cell_length(width, paper)
        return Strip(segments, width)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Line) and self.segments == other.segments

    __hash__ = None  # type: ignore[assignment]


def text_of(lines: Iterable[Line]) -> Text:
    """Lines as one text, for what shows a text and not strips."""
    text = Text(no_wrap=True)
    for number, line in enumerate(lines):
        text.append("\n" if number else "")
        for segment in line.segments:
            text.append(segment.text, segment.style)
    return text


def bar(track: Track, width: int, inks: Inks) -> Line:
    """How much is left of a track, as a bar of so many cells; of nothing the empty one warns."""
    full = _cells_of(track, width)
    return (
        Line()
        .add("▇" * full, health_ink(track, inks))
        .add("░" * (width - full), inks.bad if track.value <= 0 else inks.faint)
    )


def _cells_of(track: Track, width: int) -> int:
    """How many of so many cells are full. What is neither full nor empty isn't drawn so."""
    share = min(max(track.value / track.max, 0), 1) if track.max else 0
    full = round(share * width)
    return min(max(full, 1), width - 1) if 0 < share < 1 else full


def health_ink(track: Track, inks: Inks) -> Style:
    """Good above two thirds, warning down to one, bad below; who is unhurt draws no eye."""
    top = track.max or 0
    if not top:
        return inks.plain
    if track.value >= top:
        return inks.dim
    if 3 * track.value > 2 * top:
        return inks.good
    return inks.warn if 3 * track.value > top else inks.bad


def marked_ink(rule: TrackRule, inks: Inks) -> Style:
    """The ink of what is marked on a track."""
    return inks.bad if rule.grave else inks.warn


def marks(track: Track, full: str, empty: str, ink: Style, inks: Inks, least: int = 0) -> Line:
    """A row of full and empty glyphs, `least` at least, or `7/12` when the row would be long.

    Levels that are not felt yet have a glyph of their own, and so has by what the maximum is
    lowered.
    """
    top = max(track.max or 0, track.value, least)
    if top > MOST_PIPS or track.value < 0:
        return Line().add(amount(track), ink)
    marked = full * track.felt + UNFELT * track.unfelt
    return (
        Line()
        .add(marked, ink)
        .add(empty * (top - track.value), inks.dim)
        .add(LOWERED * track.lowered, inks.bad)
    )


def tally(track: Track, ink: Style, inks: Inks, most: int = MOST_PIPS) -> Line:
    """What is counted up to a total: squares, or a bar of so many cells where there are more."""
    top = track.max or 0
    full = track.value if top <= most else _cells_of(track, most)
    glyphs = "■□" if top <= most else "▇░"
    cells = min(top, most)
    return Line().add(glyphs[0] * full, ink).add(glyphs[1] * (cells - full), inks.dim)


def amount(track: Track) -> str:
    """`18/30`, or `6` where nothing limits it; `−5/44` below 0; `2/3 of 4` of a lowered maximum."""
    value = str(track.value).replace("-", "−")
    of = f" of {track.full}" if track.lowered else ""
    return value if track.max is None else f"{value}/{track.max}{of}"


def short_track(rule: TrackRule, track: Track, inks: Inks) -> Line:
    """A track without its name, as its rule wants it shown: dots, squares, a badge or a number.

    A single square is there even for who has none to fill now.
    """
    if rule.shown == "pips":
        return marks(track, "●", "○", inks.accent, inks)
    if rule.shown == "badge":
        return marks(track, "◆", "◇", inks.accent, inks)
    if rule.shown == "box":
        return marks(track, "■", "□", inks.accent, inks, least=1)
    if rule.shown == "boxes":
        ink = marked_ink(rule, inks) if track.value else inks.dim
        return marks(track, "■", "□", ink, inks, rule.least)
    if rule.shown == "die":
        return Line().add(die(track), inks.strong if track.value else inks.bad)
    unit = f" {rule.unit}" if rule.unit else ""
    return Line().add(amount(track) + unit, inks.strong if track.value else inks.dim)


def flow(items: Iterable[Line], width: int, gap: int = 3, indent: int = 0) -> list[Line]:
    """Items side by side, on as many lines as they need; those after the first are indented."""
    lines: list[Line] = []
    for item in items:
        if lines and lines[-1].width + gap + item.width <= width:
            lines[-1].add(" " * gap).join(item)
        else:
            lines.append(Line().column(indent if lines else 0).join(item))
    return lines


def wrapped(text: str, width: int) -> list[str]:
    """Text on lines of at most so many cells, broken between words where it can be."""
    lines, line, cells = [], "", 0
    for word in text.split():
        more = cell_len(word)
        if line and cells + 1 + more <= width:
            line, cells = f"{line} {word}", cells + 1 + more
            continue
        if line:
            lines.append(line)
        line, cells = word, more
        while cells > width > 0:
            head = set_cell_size(line, width).rstrip() or line[0]  # a wide one in a single cell
            lines.append(head)
            line = line[len(head) :]
            cells = cell_len(line)
    return [*lines, line] if line or not lines else lines


def wrapped_within(text: str, width: int, rows: int) -> list[str]:
    """Text on so many lines at most; what has no room in the last of them is cut off."""
    lines = wrapped(text, width)
    if len(lines) <= rows:
        return lines
    return [*lines[: rows - 1], cut(" ".join(lines[rows - 1 :]), width)]


def wrapped_text(text: str, width: int) -> list[str]:
    """A text of several lines, such as what is told of a creature, each of them wrapped."""
    return [row for line in text.splitlines() for row in wrapped(plain(line), width) if row]


def wrapped_pieces(pieces: Iterable[tuple[str, Style | None]], width: int) -> list[Line]:
    """Pieces of text one behind another, a blank between them, wrapped; each keeps its ink."""
    told = [(" ".join(text.split()), ink) for text, ink in pieces if text.strip()]
    whole = " ".join(text for text, _ in told)
    lines, at = [], 0
    for text in wrapped(whole, width):
        start = whole.index(text, at)
        at, line, begins = start + len(text), Line(), 0
        for piece, ink in told:
            line.add(whole[max(begins, start) : min(begins + len(piece) + 1, at)], ink or NO_INK)
            begins += len(piece) + 1
        lines.append(line)
    return lines


def fitting(items: Iterable[Line], width: int) -> Iterator[Line]:
    """The items that have something to say; what has no room in a line is broken between words."""
    for item in items:
        if item.width > width:
            yield from wrapped_pieces(((text, ink) for text, ink, _ in item.segments), width)
        elif item.width:
            yield item


def hung(mark: Line, lines: Iterable[Line]) -> Iterator[Line]:
    """The lines behind a mark, and those after the first under the first."""
    for number, line in enumerate(lines):
        yield (Line().column(mark.width) if number else Line().join(mark)).join(line)


def widest(texts: Sequence[str]) -> int:
    """The cells of the widest text; 0 for none."""
    return max((cell_len(text) for text in texts), default=0)
