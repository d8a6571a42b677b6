"""Rows of the real program in a terminal: from the key to the painted bytes, and its memory."""

from __future__ import annotations

import shutil
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple

from affray.store.open_encounter import OpenEncounter
from affray.tui.screens.fight_layout import PANES, LayoutInput
from benchmarks.fights import path_of
from benchmarks.rows import Round, Row, Size, p95
from benchmarks.terminal import Terminal
from benchmarks.yardsticks import bare_app

ESC, ENTER, TAB, REDO = "\x1b", "\r", "\t", "\x12"
DOWN, UP, PAGE_UP, PAGE_DOWN = "\x1b[B", "\x1b[A", "\x1b[5~", "\x1b[6~"


class Bars(NamedTuple):
    """The most that keys may be, those that give a command, and memory, as ratios; and the slowest
    kind of those in ms. None for no bar."""

    keys: float | None = None
    commits: float | None = None
    memory: float | None = None
    most: float | None = None


_NO_BARS = Bars()
Script = list[tuple[str, str]]
"""Keys in their order, each with what its paint is counted for; empty for nothing."""

TO_THE_LOG = (PANES.index("log") - PANES.index(LayoutInput().chosen)) * (TAB,)
"""From the pane that is chosen first to the one that scrolls."""

BARE = "the bare app's cursor"
COMMITTING = ("strike: given", "undo", "redo", "damage: given", "next turn")
"""The keys that give a command."""
AT_ONCE = "strike: its end without a pause"
"""Two keys, the second before anything could be worked out after the first: it has no bar."""
COMMITS = 4  # two strikes, a damage and a turn in each going through of the keys
MOVES = 9  # and so many undo and redo


def _counted(what: str, *keys: str) -> Script:
    return [(key, what) for key in keys]


# The letter of the outcome stands for the likely target too.
_STRIKE = {"monsters-and-magic": ("s", "s", "7")}
_OTHER_STRIKE = ("s", "h", "7")

_LOOKING: Script = [
    *_counted("choose in the log", "[", "["),
    (ESC, ""),  # the program waits a moment after it, in case it begins a longer code
    *_counted("scroll the log", PAGE_UP, PAGE_DOWN, PAGE_UP, PAGE_DOWN),
]


def scripts_for(game: str, near_end: bool) -> list[Script]:
    """What is played again and again; it ends with the turn, so that each begins a fresh one.

    The cursor stands on whose turn it is: near the end of the order it goes up first.
    """
    there, back_again = (UP, DOWN) if near_end else (DOWN, UP)
    cursor = _counted("cursor", there, there, back_again, back_again)
    strike = [
        *_counted("strike: a key of it", *_STRIKE.get(game, _OTHER_STRIKE)),
        *_counted("strike: given", ENTER),
    ]
    *begins, last = _STRIKE.get(game, _OTHER_STRIKE)
    at_once = [*((key, "") for key in begins), (last + ENTER, AT_ONCE)]
    damage = [
        *_counted("damage: a key of it", "-", DOWN, ENTER, "1", "7"),
        *_counted("damage: given", ENTER),
    ]
    back = [*_counted("undo", "u"), *_counted("redo", REDO), *_counted("undo", "u")]
    turn = _counted("next turn", " ")
    return [cursor, _LOOKING, strike, back, at_once, back, damage, back, turn]


def key_rows(
    folder: Path, game: str, size: Size, rounds: int, times: int, bars: Bars = _NO_BARS
) -> list[Row]:
    """A row for each kind of key, and one for memory, in a fight of that size."""
    fight = path_of(folder, game, size).with_suffix(".played")
    shutil.copy(path_of(folder, game, size), fight)
    with bare_app() as bare, Terminal("-m", "affray", str(fight)) as app:
        bare.painted(quiet=0.5)
        app.painted(quiet=1.0)
        memory = (app.memory() / 2**20, bare.memory() / 2**20)
        for key in (*TO_THE_LOG, " "):  # and to a fresh turn
            app.press(key)
        before, ends = last_entry(fight), near_ends(fight)
        found = [_round(app, bare, game, islice(ends, times)) for _ in range(rounds)]
    _check_played(fight, last_entry(fight) - before, rounds * times)
    rows = [
        Row(
            f"key: {what} (p95)",
            game,
            size,
            "ms",
            _bar_of(what, bars),
            _rounds_of(what, found),
        )
        for what in found[0]
        if what != BARE
    ]
    if bars.most is not None:
        slowest = tuple((max(p95(took[what]) for what in COMMITTING), bars.most) for took in found)
        what = "key: the slowest that gives a command (p95)"
        rows.append(Row(what, game, size, "ms", 1.0, slowest))
    return [*rows, Row("memory", game, size, "MiB", bars.memory, (memory,))]


def _bar_of(what: str, bars: Bars) -> float | None:
    if what == AT_ONCE:
        return None
    return bars.commits if what in COMMITTING else bars.keys


def near_ends(fight: Path) -> Iterator[bool]:
    """For each turn from now on: whether it is that of one of the last two in the order."""
    state = OpenEncounter.view(fight).state
    row = [combatant.id for combatant in state.in_order()]
    places = deque(place >= len(row) - 2 for place in range(len(row)))
    places.rotate(-row.index(state.turn))
    return cycle(places)


def _round(
    app: Terminal, bare: Terminal, game: str, turns: Iterable[bool]
) -> dict[str, list[float]]:
    """The keys gone through once a turn, with the bare app's arrows in between."""
    took: dict[str, list[float]] = defaultdict(list)
    for near_end in turns:
        for script in scripts_for(game, near_end):
            took[BARE] += [bare.press(DOWN), bare.press(UP)]
            for key, what in script:
                seconds = app.press(key)
                if what:
                    took[what].append(seconds * 1e3)
    took[BARE] = [seconds * 1e3 for seconds in took[BARE]]
    return took


def _rounds_of(what: str, found: Iterable[dict[str, list[float]]]) -> tuple[Round, ...]:
    return tuple((p95(took[what]), p95(took[BARE])) for took in found)


def last_entry(fight: Path) -> int:
    """The number on the last line of a log."""
    return int(fight.read_bytes()[-40:].rsplit(b"seq = ", 1)[1])


def _check_played(fight: Path, entries: int, times: int) -> None:
    """Keys that did something else than they say would be measured for nothing."""
    expected = (COMMITS + MOVES) * times
    if entries != expected:
        raise RuntimeError(f"{fight.name}: the keys made {entries} entries, not {expected}")
