"""The players' view in lines: large enough to be read from across a table."""

from __future__ import annotations

from collections.abc import Iterator

from textual.geometry import Size

from affray.core.heart.state import Track
from affray.core.language.refusal import listed
from affray.core.rules.tables import KindRule, TrackRule
from affray.core.telling.public.view import STEPS, Counted, Public, Shown
from affray.tui.drawing import Line, bar, cut, cut_name, fitting, flow, short_track
from affray.tui.panes.order_columns import LIFE_WORDS
from affray.tui.themes import Inks

MARGIN, BAR = 3, 16
PHASES = {"setup": "not begun", "ended": "over"}


def players_lines(shown: Public, size: Size, inks: Inks) -> list[Line]:
    """All of it, as far as there are rows: the order gives way, around whoever is up."""
    width = max(size.width - 2 * MARGIN, 10)
    head = [Line(), *_head(shown, width, inks), Line()]
    foot = [*_foot(shown, width, inks)]
    room = max(size.height - len(head) - len(foot), 1)
    blocks = [_person(who, width, inks) for who in shown.people]
    loose = sum(map(len, blocks)) + len(blocks) <= room
    order = [line for block in blocks for line in (*block, *([Line()] if loose else []))]
    up = next((place for place, who in enumerate(shown.people) if who.is_up), 0)
    before = sum(len(block) + loose for block in blocks[:up])
    start = max(min(before - room // 3, len(order) - room), 0)
    rows = [*head, *order[start : start + room]]
    rows += [Line()] * (size.height - len(rows) - len(foot))
    return [Line().column(MARGIN).join(line) for line in (*rows, *foot)]


def how_far(shown: Public) -> str:
    """`Round 2`, or that the fight has not begun, or is over."""
    return PHASES.get(shown.phase, f"Round {shown.round}")


def _head(shown: Public, width: int, inks: Inks) -> Iterator[Line]:
    yield Line().add(cut(shown.title, width), inks.strong)
    line = Line().add(how_far(shown), inks.plain)
    if shown.up:
        line.add("   ").add(f" ▶ {listed(shown.up, 'and').upper()} ", inks.turn)
    if shown.next:
        line.add("   next ", inks.dim).add(shown.next, inks.plain)
    yield from fitting([line], width)


def _foot(shown: Public, width: int, inks: Inks) -> Iterator[Line]:
    clocks = [Line().add(f"◷ {c.name} ", inks.plain).add(c.stands, inks.dim) for c in shown.clocks]
    yield from flow(fitting(clocks, width), width)
    for told in shown.lines:
        yield Line().add(cut(told, width), inks.dim)


def _person(who: Shown, width: int, inks: Inks) -> list[Line]:
    told = _health(who, inks)
    name = cut_name(who.name, max(width - told.width - 5, 8))
    ink = inks.turn if who.is_up else inks.dim if who.is_out else inks.side(who.side)
    line = Line().add("▶ " if who.is_up else "  ", inks.accent)
    lines = [line.add(f" {name} ", ink).right(told, width)]
    inner = width - 5
    lines += [Line().column(5).join(each) for each in _tracks(who, inner, inks)]
    for each in flow(fitting(_lasting(who, inks), inner), inner):
        lines.append(Line().column(5).join(each))
    return lines


def _health(who: Shown, inks: Inks) -> Line:
    """How hurt they look, or the life that they are in."""
    if who.life != "up":
        return Line().add(LIFE_WORDS[who.life], inks.dim if who.is_out else inks.bad)
    if who.bar is not None:
        return bar(Track(who.bar, STEPS), BAR, inks)
    return Line().add(who.health, inks.dim if who.health == "unhurt" else inks.warn)


def _tracks(who: Shown, width: int, inks: Inks) -> list[Line]:
    return [] if who.is_out else flow([_track(each, inks) for each in who.tracks], width)


def _track(counted: Counted, inks: Inks) -> Line:
    rule, track = TrackRule(counted.label, counted.shown), Track(counted.value, counted.max)
    line = Line().add(f"{counted.label} ", inks.dim).join(short_track(rule, track, inks))
    return line.add(" ").join(bar(track, BAR, inks)) if counted.shown == "bar" else line


def _lasting(who: Shown, inks: Inks) -> Iterator[Line]:
    for each in who.lasting:
        line = Line().add(each.name, inks.effect(KindRule(harmful=each.harmful)))
        yield line.add(f" {each.ends}" if each.ends else "", inks.dim)
