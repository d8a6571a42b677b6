"""The rows as tables: on the screen, as JSON to keep, and in the documentation."""

from __future__ import annotations

import json
import os
import platform
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks.rows import Row, Size

RESULTS = Path(".benchmarks") / "last.json"
PAGE = Path("docs") / "measurements.md"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
Cells = list[str]


def keep(rows: list[Row], quick: bool, seconds: float) -> None:
    """Keep the rows as JSON, with what they were taken on."""
    RESULTS.parent.mkdir(exist_ok=True)
    kept = {
        "taken": {**taken_on(), "quick": quick, "seconds": round(seconds)},
        "rows": [row.to_json() for row in rows],
    }
    RESULTS.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", "utf-8")


def kept() -> tuple[dict[str, Any], list[Row]]:
    """What was kept last."""
    found = json.loads(RESULTS.read_text("utf-8"))
    rows = []
    for row in found["rows"]:
        fields = {name: value for name, value in row.items() if name not in ("ratio", "holds")}
        size, rounds = Size(*row["size"]), tuple(map(tuple, row["rounds"]))
        rows.append(Row(**{**fields, "size": size, "rounds": rounds}))
    return found["taken"], rows


def taken_on() -> dict[str, Any]:
    """The machine and the programs, as far as they bear on the figures."""
    return {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.release().partition('-')[0]}",
        "python": platform.python_version(),
        "textual": version("textual"),
        "tomli": version("tomli"),
    }


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text("utf-8")
    except OSError:
        return platform.machine()
    names = [line.partition(":")[2].strip() for line in text.splitlines() if "model name" in line]
    return names[0] if names else platform.machine()


def bars(rows: list[Row]) -> list[Cells]:
    """The rows that have bars: a heading, then a line each."""
    size = ("entries", "comb.", "effects")
    lines = [["", "what", *size, "affray", "yardstick", "ratio", "rounds", "bar"]]
    for row in rows:
        if row.bar is not None:
            lines.append(
                [
                    _verdict(row),
                    row.what,
                    f"{row.size.entries:,}",
                    str(row.size.combatants),
                    str(row.size.effects),
                    f"{_number(row.ours)} {row.unit}",
                    f"{_number(row.yardstick)} {row.unit}",
                    f"{row.ratio:.2f}",
                    f"{row.ratios[0]:.2f}–{row.ratios[-1]:.2f}",
                    f"{row.bar:g}",
                ]
            )
    return lines


def _verdict(row: Row) -> str:
    """Whether it holds; `~` when another run may say otherwise."""
    return ("ok" if row.holds else "OUT") + ("~" if row.doubtful else "")


def growth(rows: list[Row]) -> list[Cells]:
    """What each thing costs by the length of the log, by how many fight in it, and by how much
    lasts on them."""
    sizes = list(dict.fromkeys(row.size for row in rows))
    usual = _most_common([size.combatants for size in sizes])
    longs = sorted(s for s in sizes if s.combatants == usual and not s.effects)
    others = (s for s in sizes if s not in longs)
    crowds = sorted(others, key=lambda size: (size.effects, size.combatants))
    head = [f"{size.entries:,} entries" for size in longs]
    head += [f"{size.combatants} comb.{_of_effects(size)} ({size.entries:,})" for size in crowds]
    lines = [["what", *head]]
    for what in dict.fromkeys(row.what for row in rows):
        found = {row.size: row for row in rows if row.what == what}
        if len(found) < 2:
            continue
        columns = [found.get(size) for size in (*longs, *crowds)]
        lines.append([_unit(what, found), *(_cell(row) for row in columns)])
        if what == "opening":
            lines.append(["opening, µs an entry", *(_each(row) for row in columns)])
    return lines


def _of_effects(size: Size) -> str:
    return f" of {size.effects} effects" if size.effects else ""


def _most_common(numbers: list[int]) -> int:
    return max(numbers, key=numbers.count)


def _unit(what: str, found: dict[Size, Row]) -> str:
    return f"{what}, {next(iter(found.values())).unit}"


def _cell(row: Row | None) -> str:
    if row is None:
        return ""
    by_itself = "decided" in row.what or row.what.startswith("undo, redo")  # against a time
    return _number(row.ours) if by_itself else f"{_number(row.ours)} ({row.ratio:.2f}×)"


def _each(row: Row | None) -> str:
    return f"{_number(row.ours * 1e3 / row.size.entries)}" if row is not None else ""


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def as_text(lines: list[Cells]) -> str:
    """A table for the terminal."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    pads = [_padded(line, widths) for line in lines]
    return "\n".join(pads)


def _padded(line: Cells, widths: list[int]) -> str:
    words = [
        cell.rjust(width) if cell[:1].isdigit() or "×" in cell else cell.ljust(width)
        for cell, width in zip(line, widths, strict=True)
    ]
    return "  ".join(words).rstrip()


def as_markdown(lines: list[Cells]) -> str:
    """The same table for the documentation."""
    head, *rest = [f"| {' | '.join(line)} |" for line in lines]
    return "\n".join([head, "|" + " --- |" * len(lines[0]), *rest])


def write_page() -> None:
    """Put what was kept last into the documentation, between its two marks."""
    taken, rows = kept()
    page = PAGE.read_text("utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n{_measured(taken, rows)}\n{END}{after}", "utf-8")


def _measured(taken: dict[str, Any], rows: list[Row]) -> str:
    kind = "the quick form of `make bench`" if taken["quick"] else "`make bench`"
    parts = [
        f"\nTaken on {taken['date']} by {kind} in {taken['seconds']} s: {taken['processor']}, "
        f"{taken['cores']} cores, {taken['system']}, Python {taken['python']}, "
        f"Textual {taken['textual']}, tomli {taken['tomli']}.\n"
    ]
    for game in dict.fromkeys(row.game for row in rows):
        own = [row for row in rows if row.game == game]
        parts += [f"### {game}\n", as_markdown(bars(own)), "\nHow it grows:\n"]
        parts += [as_markdown(growth(own)), ""]
    return "\n".join(parts)
