"""A recap as Markdown, to be put into notes or a chat."""

from __future__ import annotations

import re
from collections.abc import Iterator

from affray.core.telling.recap.facts import Recap
from affray.core.telling.recap.sections import Bars, Curves, Section, Table, sections_of

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~&])")
_AT_START = re.compile(r"^(\s*)([-+=>]|\d+[.)])(?=\s|$)")
_LEVELS = "▁▂▃▄▅▆▇█"
_WIDEST = 30


def markdown(recap: Recap) -> str:
    """The whole recap, ending in a line end."""
    return "\n\n".join(part for section in sections_of(recap) for part in _parts(section)) + "\n"


def _parts(section: Section) -> Iterator[str]:
    yield f"{'#' * section.level} {escaped(section.heading)}"
    if section.level == 1:
        yield from map(escaped, section.lines)
    elif section.lines:
        yield "\n".join(f"- {escaped(line)}" for line in section.lines)
    if section.table is not None:
        yield _table(section.table)
    charts = [*_curves(section.curves), *(_bars(bars) for bars in section.bars)]
    if charts:
        yield "```text\n" + "\n\n".join(charts) + "\n```"


def escaped(text: str) -> str:
    """Text in which nothing is markup."""
    return _AT_START.sub(r"\1\\\2", _SPECIAL.sub(r"\\\1", text))


def _table(table: Table) -> str:
    rows = [table.headers, ("---", *("---:" for _ in table.headers[1:]))]
    lines = [f"| {' | '.join(rows[0])} |", f"| {' | '.join(rows[1])} |"]
    return "\n".join([*lines, *(f"| {' | '.join(map(escaped, row))} |" for row in table.rows)])


def spark(values: tuple[int, ...]) -> str:
    """Values from 0 to 100 as a row of blocks."""
    return "".join(_LEVELS[min(max(value, 0), 99) * len(_LEVELS) // 100] for value in values)


def _curves(curves: Curves | None) -> Iterator[str]:
    if curves is not None:
        wide = max(len(name) for name, _ in curves.rows)
        told = (f"{name:<{wide}}  {spark(values)}  {values[-1]}%" for name, values in curves.rows)
        yield "\n".join([curves.title, *told])


def _bars(bars: Bars) -> str:
    wide = max(len(bar.name) for bar in bars.rows)
    most = max(bar.amount for bar in bars.rows)
    told = (
        f"{_fenced(bar.name):<{wide}}  {'▇' * max(1, _WIDEST * bar.amount // most)} {bar.said}"
        for bar in bars.rows
    )
    return "\n".join([bars.title, *told])


def _fenced(name: str) -> str:
    """A name that can't end the block of code it stands in."""
    return name.replace("`", "'")
