"""A recap as one page of HTML: its style and its charts are in it, and nothing is fetched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from affray.core.telling.recap.facts import Recap
from affray.core.telling.recap.sections import Bars, Curves, Section, Table, sections_of

_STYLE = """
:root { color-scheme: light dark; --ink: #1d1f23; --pale: #6a6f78; --paper: #fbfaf7;
  --line: #d9d6ce; --party: #2f6db3; --foes: #b3402f; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7e5df; --pale: #9a9da3; --paper: #17181b;
  --line: #35373c; --party: #6ea8e8; --foes: #e8806e; } }
body { background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif;
  max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
h1 { margin-bottom: .2rem; } h2 { margin-top: 2rem; border-bottom: 1px solid var(--line); }
h3 { margin-bottom: .3rem; } ul { margin-top: .3rem; padding-left: 1.2rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .7rem; text-align: right; white-space: nowrap;
  border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
th { color: var(--pale); font-weight: normal; }
svg { width: 100%; height: auto; display: block; margin: .5rem 0 1.2rem; }
svg text { fill: var(--ink); font: 13px system-ui, sans-serif; } svg .pale { fill: var(--pale); }
"""
_WIDTH = 720
_NAMES, _SAID = 180, 90
"""Room for names at the left of bars, and for numbers behind them."""
_HEIGHT, _BOTTOM = 200, 228
_MARGIN, _ASIDE, _APART = 36, 60, 15
"""Room for percents at the left of curves and for names behind them, and between two names."""
_MOST_LETTERS = 24
"""So long may a name beside a bar be."""
_INKS = ("var(--party)", "var(--foes)")


def page(recap: Recap) -> str:
    """The whole page."""
    sections = sections_of(recap)
    title = escape(sections[0].heading)
    body = "\n".join(part for section in sections for part in _parts(section))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _parts(section: Section) -> Iterator[str]:
    yield f"<h{section.level}>{escape(section.heading)}</h{section.level}>"
    if section.level == 1:
        yield from (f"<p>{escape(line)}</p>" for line in section.lines)
    elif section.lines:
        yield "\n".join(["<ul>", *(f"<li>{escape(line)}</li>" for line in section.lines), "</ul>"])
    if section.table is not None:
        yield _table(section.table)
    if section.curves is not None:
        yield _curves(section.curves)
    yield from map(_bars, section.bars)


def _table(table: Table) -> str:
    head = "".join(f"<th>{escape(cell)}</th>" for cell in table.headers)
    rows = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in table.rows)
    lines = [f"<tr>{head}</tr>", *(f"<tr>{row}</tr>" for row in rows)]
    return "\n".join(['<div class="scroll"><table>', *lines, "</table></div>"])


def _bars(bars: Bars) -> str:
    """A bar for each, its name before it and its number behind it."""
    most = max(bar.amount for bar in bars.rows)
    room = _WIDTH - _NAMES - _SAID
    drawn = [_text(0, 16, bars.title, "pale")]
    for number, bar in enumerate(bars.rows):
        top, long = 28 + 24 * number, max(2, room * bar.amount // most)
        ink = _INKS[bar.side == "foes"]
        drawn.append(_text(0, top + 13, _short(bar.name)))
        drawn.append(
            f'<rect x="{_NAMES}" y="{top}" width="{long}" height="16" rx="2" fill="{ink}"/>'
        )
        drawn.append(_text(_NAMES + long + 6, top + 13, bar.said))
    return _svg(bars.title, 28 + 24 * len(bars.rows), drawn)


def _curves(curves: Curves) -> str:
    """A line for each side over the rounds, from 100 percent down to 0."""
    step = (_WIDTH - _MARGIN - _ASIDE) / max(len(curves.places) - 1, 1)
    drawn = [_text(0, 16, curves.title, "pale"), *_grid(), *_places(curves.places, step)]
    ends: list[tuple[float, float, str]] = []
    for ink, (name, values) in zip(_INKS, curves.rows, strict=False):
        dots = [(_MARGIN + step * n, _BOTTOM - _HEIGHT * v / 100) for n, v in enumerate(values)]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in dots)
        drawn.append(f'<polyline points="{line}" fill="none" stroke="{ink}" stroke-width="2.5"/>')
        ends.append((dots[-1][1] + 4, dots[-1][0] + 6, name))
    below = 0.0
    for high, x, name in sorted(ends):  # of two that end close together one is named below
        below = max(high, below + _APART)
        drawn.append(_text(x, below, name))
    return _svg(curves.title, _BOTTOM + 26, drawn)


def _grid() -> Iterator[str]:
    for percent in (0, 50, 100):
        y = _BOTTOM - _HEIGHT * percent // 100
        yield (
            f'<line x1="{_MARGIN}" x2="{_WIDTH - _ASIDE}" y1="{y}" y2="{y}" stroke="var(--line)"/>'
        )
        yield _text(0, y + 4, str(percent), "pale")


def _places(places: Sequence[str], step: float) -> Iterator[str]:
    """The rounds below the curves, as many as have room."""
    every = max(1, len(places) // 12)
    for number, place in enumerate(places):
        if number % every == 0:
            short = place.removeprefix("Round ").partition(",")[0]
            yield _text(_MARGIN + step * number, _BOTTOM + 18, short, "pale")


def _svg(title: str, height: int, drawn: list[str]) -> str:
    inside = "\n".join(drawn)
    return (
        f'<svg viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{escape(title)}">\n'
        f"{inside}\n</svg>"
    )


def _text(x: float, y: float, text: str, look: str = "") -> str:
    css = f' class="{look}"' if look else ""
    return f'<text x="{x:.0f}" y="{y:.0f}"{css}>{escape(text)}</text>'


def _short(name: str) -> str:
    return name if len(name) <= _MOST_LETTERS else f"{name[: _MOST_LETTERS - 1]}…"
