"""Styled lines of text, cell by cell: bars, pips, boxes, short names of effects.

Whatever is measured or drawn here is made safe first, and no markup is ever read, so a name is
shown as it is, whatever it holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import count

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.strip import Strip

from affray.core.engine.state import Track
from affray.core.formatting.pieces import format_die_size
from affray.core.formatting.safe_text import strip_control_chars, to_one_line
from affray.core.rules.tables import StatRow, Tables, TrackRow
from affray.tui.theme import Styles

MOST_PIPS, MOST_DOTS = 10, 5
"""Up to so many boxes, and so many dots, are drawn one by one; beyond, a number is quicker to
read."""

UNFELT = "▣"
"""A level that is marked and does nothing before the fight is over."""

LOWERED = "×"
"""One of the maximum that something lasting takes away."""

NO_INK = Style()


def truncate(text: str, width: int) -> str:
    """The text within so many cells; what is cut off leaves `…`."""
    text = strip_control_chars(text)
    if cell_len(text) <= width:
        return text
    if width <= 0:
        return ""
    return set_cell_size(text, width - 1).rstrip() + "…"


def first_words(text: str, width: int) -> str:
    """The text within so many cells; what is cut off after a word leaves `…`: `Hymn Against…`."""
    return text if cell_len(text) <= width else f"{wrap(text, width - 1)[0]}…"


def count_of_hidden(many: int, what: str = "more") -> str:
    """`…2 more`: so many have no room. A `+2` would be taken for a bonus, which stand beside it."""
    return f"…{many} {what}".rstrip()


def truncate_start(text: str, width: int) -> str:
    """The end of a text within so many cells; what is cut off leaves `…`."""
    text = strip_control_chars(text)
    if cell_len(text) <= width:
        return text
    start = 0
    while start < len(text) and cell_len(text[start:]) > width - 1:
        start += 1
    return f"…{text[start:]}"


def truncate_name(name: str, width: int) -> str:
    """A name within so many cells; the number that tells it from its fellows is never cut off."""
    name = strip_control_chars(name)
    head, _, number = name.rpartition(" ")
    room = width - len(number) - 1
    if cell_len(name) <= width or not (head and number.isdecimal()) or room < 3:
        return truncate(name, width)
    return f"{truncate(head, room)} {number}"


class StyledLine:
    """One line while it is drawn: pieces of text with their inks, and how many cells they take."""

    def __init__(self) -> None:
        self.segments: list[Segment] = []
        self.width = 0

    @property
    def text(self) -> str:
        """The text without its styles."""
        return "".join(segment.text for segment in self.segments)

    def add(self, text: str, ink: Style = NO_INK) -> StyledLine:
        """Put text at the end."""
        text = strip_control_chars(text)
        if text:
            self.segments.append(Segment(text, ink))
            self.width += len(text) if text.isascii() else cell_len(text)
        return self

    def join(self, other: StyledLine) -> StyledLine:
        """Put another line's pieces at the end."""
        self.segments.extend(other.segments)
        self.width += other.width
        return self

    def column(self, column: int) -> StyledLine:
        """Fill with blanks up to a column; nothing when the line is there already."""
        if column > self.width:
            self.segments.append(Segment(" " * (column - self.width), NO_INK))
            self.width = column
        return self

    def right(self, other: StyledLine, width: int) -> StyledLine:
        """Put another line at the right edge of so many cells, as far as there is room."""
        return self.column(width - other.width).join(other)

    def inked(self, ink: Style) -> StyledLine:
        """A copy with that style for the pieces without one of their own."""
        line = StyledLine()
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
        return isinstance(other, StyledLine) and self.segments == other.segments

    __hash__ = None  # type: ignore[assignment]


def text_of(lines: Iterable[StyledLine]) -> Text:
    """Lines as one text, for what shows a text and not strips."""
    text = Text(no_wrap=True)
    for number, line in enumerate(lines):
        text.append("\n" if number else "")
        for segment in line.segments:
            text.append(segment.text, segment.style)
    return text


def track_bar(track: Track, width: int, inks: Styles) -> StyledLine:
    """Draw how much of a track is left, as a bar of so many cells; an empty bar warns."""
    full = _cells_of(track, width)
    return (
        StyledLine()
        .add("▇" * full, health_style(track, inks))
        .add("░" * (width - full), inks.bad if track.value <= 0 else inks.faint)
    )


def _cells_of(track: Track, width: int) -> int:
    """The number of full cells. A value between empty and full never looks empty or full."""
    share = min(max(track.value / track.max, 0), 1) if track.max else 0
    full = round(share * width)
    return min(max(full, 1), width - 1) if 0 < share < 1 else full


def health_style(track: Track, inks: Styles) -> Style:
    """Good above two thirds, warning down to one, bad below."""
    top = track.max or 0
    if not top:
        return inks.plain
    if 3 * track.value > 2 * top:
        return inks.good
    return inks.warn if 3 * track.value > top else inks.bad


def marked_ink(rule: TrackRow, inks: Styles) -> Style:
    """The ink of what is marked on a track."""
    return inks.bad if rule.grave else inks.warn


def most_drawn(rule: TrackRow) -> int:
    """The most of a track that are drawn one by one."""
    return MOST_DOTS if rule.shown == "pips" else MOST_PIPS


def pips(
    track: Track,
    full: str,
    empty: str,
    ink: Style,
    inks: Styles,
    least: int = 0,
    most: int = MOST_PIPS,
) -> StyledLine:
    """A row of full and empty glyphs, `least` at least; `7/12` if it is long, `0` for none.

    Levels that are not felt yet have a glyph of their own, and so has by what the maximum is
    lowered.
    """
    top = max(track.max or 0, track.value, least)
    if not top:
        return StyledLine().add("0", inks.dim)
    if top > most or track.value < 0:
        return StyledLine().add(format_track(track), ink)
    marked = full * track.felt + UNFELT * track.unfelt
    return (
        StyledLine()
        .add(marked, ink)
        .add(empty * (top - track.value), inks.dim)
        .add(LOWERED * track.lowered, inks.bad)
    )


def progress_text(track: Track, ink: Style, inks: Styles, most: int = MOST_PIPS) -> StyledLine:
    """Draw progress towards a total: squares, or a bar of so many cells if there are more."""
    top = track.max or 0
    full = track.value if top <= most else _cells_of(track, most)
    glyphs = "■□" if top <= most else "▇░"
    cells = min(top, most)
    return StyledLine().add(glyphs[0] * full, ink).add(glyphs[1] * (cells - full), inks.dim)


def format_track(track: Track) -> str:
    """`18/30`, or `6` if nothing limits it; `−5/44` below 0; `2/3 of 4` of a lowered maximum."""
    value = str(track.value).replace("-", "−")
    of = f" of {track.full}" if track.lowered else ""
    return value if track.max is None else f"{value}/{track.max}{of}"


def short_track_text(rule: TrackRow, track: Track, inks: Styles) -> StyledLine:
    """A track without its name, as its rule wants it shown: dots, squares, a badge or a number.

    A single square is there even for who has none to fill now.
    """
    if rule.shown == "pips":
        return pips(track, "●", "○", inks.accent, inks, most=most_drawn(rule))
    if rule.shown == "badge":
        return pips(track, "◆", "◇", inks.accent, inks)
    if rule.shown == "box":
        return pips(track, "■", "□", inks.accent, inks, least=1)
    if rule.shown == "boxes":
        ink = marked_ink(rule, inks) if track.value else inks.dim
        return pips(track, "■", "□", ink, inks, rule.least)
    if rule.shown == "die":
        return StyledLine().add(format_die_size(track), inks.strong if track.value else inks.bad)
    unit = f" {rule.unit}" if rule.unit else ""
    return StyledLine().add(format_track(track) + unit, inks.strong if track.value else inks.dim)


def total_line(rule: StatRow, value: int | str, label: Style, ink: Style) -> StyledLine:
    """A total behind its label, in `ink`: `AC 14`, `Attacks −2`; a truth is its label alone."""
    if rule.truth:
        return StyledLine().add(rule.label, ink)
    return StyledLine().add(f"{rule.label} ", label).add(rule.format_value(value), ink)


def flow_items(
    items: Iterable[StyledLine], width: int, gap: int = 3, indent: int = 0
) -> list[StyledLine]:
    """Items side by side, on as many lines as they need; those after the first are indented.

    An item that is wider than a line is broken between words; one that says nothing is left out.
    """
    lines: list[StyledLine] = []
    for item in items_that_fit(items, width):
        if lines and lines[-1].width + gap + item.width <= width:
            lines[-1].add(" " * gap).join(item)
        else:
            lines.append(StyledLine().column(indent if lines else 0).join(item))
    return lines


def wrap(text: str, width: int) -> list[str]:
    """Text on lines of at most so many cells, broken between words if it can be."""
    lines, line, cells = [], "", 0
    for word in strip_control_chars(text).split():
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
    lines = wrap(text, width)
    if len(lines) <= rows:
        return lines
    return [*lines[: rows - 1], truncate(" ".join(lines[rows - 1 :]), width)]


def wrapped_text(text: str, width: int) -> list[str]:
    """The wrapped lines of a text of several lines, such as a creature's description."""
    return [row for line in text.splitlines() for row in wrap(line, width) if row]


def wrapped_pieces(pieces: Iterable[tuple[str, Style | None]], width: int) -> list[StyledLine]:
    """Pieces of text one behind another, a blank between them, wrapped; each keeps its ink."""
    parts = [(to_one_line(text), ink) for text, ink in pieces if text.strip()]
    whole = " ".join(text for text, _ in parts)
    lines, at = [], 0
    for text in wrap(whole, width):
        start = whole.index(text, at)
        at, line, begins = start + len(text), StyledLine(), 0
        for piece, ink in parts:
            line.add(whole[max(begins, start) : min(begins + len(piece) + 1, at)], ink or NO_INK)
            begins += len(piece) + 1
        lines.append(line)
    return lines


def items_that_fit(items: Iterable[StyledLine], width: int) -> Iterator[StyledLine]:
    """The items that have something to say; what has no room in a line is broken between words."""
    for item in items:
        if item.width > width:
            yield from wrapped_pieces(((text, ink) for text, ink, _ in item.segments), width)
        elif item.width:
            yield item


def hanging_indent(mark: StyledLine, lines: Iterable[StyledLine]) -> Iterator[StyledLine]:
    """The lines behind a mark, and those after the first under the first."""
    for number, line in enumerate(lines):
        yield (StyledLine().column(mark.width) if number else StyledLine().join(mark)).join(line)


def max_width(texts: Sequence[str]) -> int:
    """The cells of the widest text; 0 for none."""
    return max((cell_len(text) for text in texts), default=0)


# -------------------------------------------------------------------------------------------------
# Short forms: the two or three letters of an effect where its name has no room


def short_forms(tables: Tables, others: Iterable[str] = ()) -> dict[str, str]:
    """A short form for each effect of the tables, then of the `others`, by name; no two alike.

    Who comes first in the tables has the first choice, so a house rule's own effect changes no
    other's short form.
    """
    return _shared_out(tables, tuple(dict.fromkeys(n for n in others if n not in tables.effects)))


@lru_cache(maxsize=8)  # the same effects are there from key to key
def _shared_out(tables: Tables, others: tuple[str, ...]) -> dict[str, str]:
    marks = {name: tables.look(name, rule.kind).mark for name, rule in tables.effects.items()}
    forms: dict[str, str] = {}
    taken: set[str] = set()
    for name, mark in (marks | dict.fromkeys(others, "")).items():
        form = next(form for form in _choices(name, strip_control_chars(mark)) if form not in taken)
        taken.add(form)
        forms[name] = form
    return forms


def _choices(name: str, mark: str) -> Iterator[str]:
    """The glyph of its kind, if there is one; its first letter with a later one, or a number."""
    if mark:
        yield mark
    letters = [letter for letter in name.casefold() if letter.isalnum()]
    first = letters[0] if letters else "?"
    yield from (first + later for later in letters[1:])
    yield from (f"{first}{number}" for number in count(1))
