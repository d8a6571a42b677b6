"""A timer, a clock and the GM's tracks in words: a bearer, what is on it, and its end, whole."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from msgspec import Struct
from rich.cells import cell_len
from rich.style import Style

from affray.core.heart.countdowns import lasts
from affray.core.heart.state import Clock, Combatant, Effect, Track
from affray.core.rules.tables import Tables, TrackRule
from affray.core.telling.effect_words import note_beside, with_amounts
from affray.core.telling.event_words import clock_in_words
from affray.tui.drawing import (
    MOST_PIPS,
    Line,
    amount,
    cut_name,
    fitting,
    flow,
    plain,
    short_track,
    tally,
    wrapped,
)
from affray.tui.panes.lasting import called_in_a_row
from affray.tui.themes import Inks

GAP = INDENT = 2
LEAST_OF_A_NAME = 8
COUNT = re.compile(r"\bx(\d+)\b")
"""How many a row of a wave brings."""
MOST_SEEN = 512
"""So many timers are kept in words, in one form or another: more than can be seen at once."""

Notes = Literal["whole", "which", "mark"]
"""How much is told of what is noted: all of it, which one it is, or only that there is more."""


class When(NamedTuple):
    """A stretch of time by which timers stand together: its heading, and in the fewest letters."""

    heading: str
    short: str


NOW, NEXT = When("ends this turn", "now"), When("ends next turn", "next")
LATER = When("ends later", "later")
OPEN = When("until …", "")
"""Until something happens, not at a time."""


class Timer(Struct, frozen=True, eq=False):
    """What ends on somebody at one time. It is the same one for as long as the bearer is.

    others  more on whom the same lasts, from the same source and as long
    """

    bearer: Combatant
    effects: tuple[Effect, ...]
    others: tuple[Combatant, ...] = ()


class TimerLook(NamedTuple):
    """What the words for a timer depend on, beside the timer.

    name    the cells of the column of names
    margin  the cells of the column of times, where these are no headings
    """

    tables: Tables
    inks: Inks
    name: int
    margin: int


class Form(NamedTuple):
    """How a timer is set out.

    headed  whether the times are headings, else they stand in the first column
    whole   whether its end is told even where that takes a row more than the heading, which tells
            it as well
    names   whether its bearer's name is whole, else it gives way so that one row is enough
    apart   whether a name that gives way has a row of its own
    """

    headed: bool
    whole: bool = False
    names: bool = False
    apart: bool = False


@lru_cache(maxsize=MOST_SEEN)  # it is asked for again and again, to see how much has room
def timer_lines(
    look: TimerLook, timer: Timer, when: When, end: str, is_first: bool, width: int, form: Form
) -> list[Line]:
    """`Tithe Taker 1  slowed  until round 4 ends`, on as many rows as that takes.

    The end is told whole, on a row of its own if it must, or not at all where the heading tells it.
    """
    told = Line().add(when.heading if form.headed else when.short, _ink(when, look.inks))
    heading = [told] if form.headed and is_first else []
    margin = told if is_first and not form.headed else Line()
    margin.column(INDENT if form.headed else look.margin)
    rows = _timer_rows(look, timer, when, end, width - margin.width, form)
    margins = [margin, *(Line().column(margin.width) for _ in rows[1:])]
    return heading + [before.join(row) for before, row in zip(margins, rows, strict=True)]


def _timer_rows(
    look: TimerLook, timer: Timer, when: When, end: str, room: int, form: Form
) -> list[Line]:
    """The bearer, what is on it, and its end, each in its ink."""
    what = _effects_line(look.tables, look.inks, timer)
    if timer.others:
        return _of_several(look, timer, what, end, room)
    name = plain(timer.bearer.name)
    left = room - what.width - 1 - (cell_len(end) + 1 if end else 0)
    if cell_len(name) > left and end and when is not OPEN and not form.whole:
        left, end = left + cell_len(end) + 1, ""
    least = min(cell_len(name), LEAST_OF_A_NAME)
    if not form.names and left < least and any(note_beside(effect) for effect in timer.effects):
        room_for_what = left + what.width - least
        brief = _effects_line(look.tables, look.inks, timer, "which")
        if brief.width > room_for_what:
            brief = _effects_line(look.tables, look.inks, timer, "mark")
        left, what = left + what.width - brief.width, brief
    if not form.names and left < cell_len(name):
        apart = form.apart or left < LEAST_OF_A_NAME
        name = cut_name(name, room - INDENT if apart else left)
    head, last = Line().add(name, look.inks.side(timer.bearer.side)), Line().add(end, look.inks.dim)
    if look.name < left:
        head.column(look.name)
    rows, beside = _side_by_side([head, what, last], room), look.name + GAP
    has_room = beside >= head.width + GAP and beside + max(what.width, last.width) <= room
    if len(rows) == 2 and end and has_room:  # in two rows they keep their columns
        return [head.column(beside).join(what), Line().column(beside).join(last)]
    return rows


def _of_several(look: TimerLook, timer: Timer, what: Line, end: str, room: int) -> list[Line]:
    """`Hymn +1 attack: Pim, Runa, Ione, Cato  until the song ends`"""
    people = (timer.bearer, *timer.others)
    names = ", ".join(plain(who.name) for who in people)
    head = Line().add(f"{what.text}: ", what.segments[0].style or look.inks.plain)
    head.add(names, look.inks.side(people[0].side))
    return _side_by_side([head, Line().add(end, look.inks.dim)], room)


def _side_by_side(pieces: Iterable[Line], room: int) -> list[Line]:
    """Pieces with a gap between them, or a blank where that saves a row.

    What comes after the first row is indented; what has no room in a row is broken between words.
    """
    broken = list(fitting(pieces, room - INDENT))
    roomy = flow(broken, room, GAP, INDENT)
    close = flow(broken, room, 1, INDENT) if len(roomy) > 1 else roomy
    return close if len(close) < len(roomy) else roomy


def _ink(when: When, inks: Inks) -> Style:
    if when is OPEN:
        return inks.dim
    return inks.accent if when is NOW else inks.strong if when is NEXT else inks.plain


@lru_cache(maxsize=MOST_SEEN)
def _effects_line(tables: Tables, inks: Inks, timer: Timer, notes: Notes = "whole") -> Line:
    """`dazed ×2, prone`: what is there more than once is named once."""
    names = [_name(effect, notes) for effect in timer.effects]
    inked = {
        name: inks.effect(tables.look(effect.name, effect.kind))
        for name, effect in zip(names, timer.effects, strict=True)
    }
    line, counted = Line(), Counter(names)
    for number, (name, times) in enumerate(counted.items(), 1):
        words = f"{name} ×{times}" if times > 1 else name
        comma = "," if number < len(counted) else ""  # it stays with its word where that is wrapped
        line.add(" " if line.width else "").add(words + comma, inked[name])
    return line


def _name(effect: Effect, notes: Notes) -> str:
    """Its name, with what is noted of it, or only which one it is; and a mark that more is."""
    name, note = plain(with_amounts(effect)), plain(note_beside(effect))
    if note and notes != "whole":
        brief = plain(called_in_a_row(effect)) if notes == "which" else name
        return brief if brief.endswith(note) else f"{brief} (…)"
    if note.startswith(name):  # `prepared in a rest` says that it is prepared
        return note
    return f"{name} ({note})" if note else name


def clock_lines(inks: Inks, clock: Clock, width: int, form: Form) -> list[Line]:
    """`◷ The bridge falls  ■■■□□  3 rounds left`, the dice left in a pool and how many rolls they
    last on average, or how a race is. Where there is no room what is drawn gives way.
    """
    if clock.limit and clock.max and clock.max > MOST_PIPS and not clock.verdict:
        return _long_race(inks, clock, width)
    left = clock_in_words(clock)
    if clock.drops and clock.value:
        rolls = lasts(clock)
        left += f", {clock.drops}+ drops, about {rolls} roll{'s' if rolls != 1 else ''}"
    spent = clock.has_run_out
    name = Line().add(f"◷ {plain(clock.name)}", inks.bad if spent else inks.plain)
    end = Line().add(left.upper() if spent else left, inks.bad if spent else inks.strong)
    told = [name, *_drawn(clock, inks), end]
    has_room = sum(piece.width + GAP for piece in told) - GAP <= width
    return _side_by_side(told if has_room else [name, end], width)


def _long_race(inks: Inks, clock: Clock, width: int) -> list[Line]:
    """`◷ Past the dragon  ▇▇▇░░░░░░░ 12/40  ▇▇░░░░░░░░ 8/40 failed`; in shorter bars where that
    saves a row."""
    done, failed = Track(clock.value, clock.max), Track(clock.failures, clock.limit)
    name = Line().add(f"◷ {plain(clock.name)}", inks.plain)

    def told(cells: int) -> list[Line]:
        toward = tally(done, inks.accent, inks, cells).add(f" {amount(done)}", inks.strong)
        against = tally(failed, inks.bad, inks, cells).add(f" {amount(failed)} failed", inks.strong)
        return _side_by_side([name, toward, against], width)

    return min(told(MOST_PIPS), told(MOST_PIPS // 2), key=len)


def _drawn(clock: Clock, inks: Inks) -> Iterator[Line]:
    """How far a clock is, in squares or as a bar; in a race that can be lost, that one as well."""
    if clock.max is not None and not clock.sides:
        yield tally(Track(clock.value, clock.max), inks.accent, inks)
    if clock.limit:
        yield tally(Track(clock.failures, clock.limit), inks.bad, inks)


def wave_lines(
    inks: Inks, wave: int, rows: tuple[str, ...], key: str, width: int, form: Form
) -> list[Line]:
    """`wave 2: 3 wait (ctrl+n)`"""
    many = sum(int(found[1]) if (found := COUNT.search(row)) else 1 for row in rows)
    told = [Line().add(f"wave {wave}: {many} wait", inks.plain)]
    return _side_by_side([*told, Line().add(f"({key})", inks.accent)] if key else told, width)


def gm_lines(
    inks: Inks, rules: dict[str, TrackRule], tracks: dict[str, Track], width: int, form: Form
) -> list[Line]:
    """The GM's own tracks, then the party's; those that nothing has changed yet as they began."""
    owned: dict[str, list[Line]] = {}
    for track, value in tracks.items():
        rule = rules.get(track)
        label = rule.label if rule else plain(track).replace("_", " ").capitalize()
        drawn = short_track(rule, value, inks) if rule else Line().add(amount(value))
        whose = (rule or TrackRule(label)).whose
        line = Line() if whose in owned else Line().add(plain(whose), inks.dim).add(" " * GAP)
        line.add(f"{label} ", inks.plain)
        line.join(drawn if drawn.width else Line().add("0", inks.dim))
        owned.setdefault(whose, []).append(line)
    return _side_by_side([line for lines in owned.values() for line in lines], width)


def nothing_lines(inks: Inks, width: int, form: Form) -> list[Line]:
    return [Line().add(text, inks.dim) for text in wrapped("Nothing lasts on anybody.", width)]
