"""The turn's edge: what waits, what went down, and what a turn's end or start set off."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import NamedTuple

from affray.core.heart.events import (
    AnyEvent,
    Became,
    Began,
    Changed,
    Counted,
    Lost,
    Rolled,
    RoundStarted,
    TurnEnded,
    TurnStarted,
)
from affray.core.heart.groups import whose_turn
from affray.core.heart.history import Entry
from affray.core.heart.moments import is_reminder
from affray.core.heart.state import Encounter
from affray.core.language.refusal import listed
from affray.core.rules.ruleset import Pending
from affray.core.rules.tables import TrackRule
from affray.core.telling.effect_words import with_amounts
from affray.core.telling.narrate import each_told
from affray.tui.drawing import Line, fitting, flow, hung, plain, wrapped_pieces
from affray.tui.fight_view import FightView
from affray.tui.themes import Inks

EXPIRED = "its time is up"
"""Why an effect ends that a time ends, as the log says it."""
LEFT_TO_OTHERS = 3
"""The rows of a pane that what waits and has happened leaves to the rest."""
FRAMED = 2
"""The rows of a heading and of the line below."""


class News(NamedTuple):
    """What an entry came to: what nobody may miss, the dice of a turn's edge, and the rest."""

    grave: list[str]
    rolled: list[str]
    rest: list[str]


def head_lines(
    view: FightView, waiting: list[Pending], news: News, size: tuple[int, int], inks: Inks
) -> list[Line]:
    """Whose turn it is, what waits, and what has happened, in as many rows as there are.

    What waits comes before what has happened; of that, what nobody may miss. The heading and the
    line below go where there is too little room for all; nothing to say takes no row.
    """
    width, height = size
    lines = edge_lines(waiting, news, width, inks)
    if not lines:
        return []
    turn = f"{plain(whose_turn(view.state))}'s turn" if view.state.turn else "Between turns"
    if height < len(lines) + FRAMED:
        return first_rows(lines, (width, max(height, 1)), inks)
    return [Line().add(turn, inks.title), *lines, Line().add("─" * width, inks.faint)]


def news_of(view: FightView) -> News:
    """What the last entry came to: at a turn's edge everything, else what nobody may miss.

    The dice with which a fight begins are no news: the order tells what they gave.
    """
    entry, news = view.history.entries.get(view.head), News([], [], [])
    if entry is None:
        return news
    before, edge = view.history.before(entry.seq), is_edge(entry)
    begins = any(isinstance(event, Began) for event in entry.events)
    expired: dict[str, list[str]] = {}
    for event, text in each_told(entry.events, before, view.ruleset.tables.tracks):
        if isinstance(event, Lost) and event.why == EXPIRED:
            if edge:
                effect = next(e for e in before[event.who].effects if e.id == event.effect)
                expired.setdefault(with_amounts(effect), []).append(before.name(event.who))
        elif is_grave(event):
            news.grave.append(plain(text))
        elif _stands_elsewhere(event):
            continue
        elif (edge or is_reminder(event)) and not (begins and isinstance(event, Rolled)):
            (news.rolled if isinstance(event, Rolled) else news.rest).append(plain(text))
    ended = (f"{effect} of {listed(names, 'and')}" for effect, names in expired.items())
    news.rest.extend([f"over: {plain(', '.join(ended))}"] if expired else [])
    return news


def _stands_elsewhere(event: AnyEvent) -> bool:
    """Whether the header tells it, as it does the round, or the clock that stands below."""
    counted = isinstance(event, Counted) and event.clock is not None and not event.clock.sides
    return counted or isinstance(event, RoundStarted)


def not_to_be_missed(entry: Entry, before: Encounter, tracks: Mapping[str, TrackRule]) -> list[str]:
    """What an entry did to somebody's tracks, and whom it brought down, in words."""
    told = each_told(entry.events, before, tracks)
    return [text for event, text in told if isinstance(event, Changed) or is_grave(event)]


def is_edge(entry: Entry) -> bool:
    """Whether a turn ended or began with the entry."""
    return any(isinstance(event, TurnStarted | TurnEnded) for event in entry.events)


def is_grave(event: AnyEvent) -> bool:
    """Whether somebody goes down or dies by it, or a clock runs out."""
    if isinstance(event, Became):
        return event.life not in ("up", "stable")
    if isinstance(event, Counted) and event.clock is not None:
        return event.clock.has_run_out
    return False


def edge_lines(waiting: list[Pending], news: News, width: int, inks: Inks) -> list[Line]:
    """Everything, wrapped; a save that was rolled comes before what it came to."""
    lines = waiting_lines(waiting, width, inks)
    for texts, mark, ink in (
        (news.grave, Line().add("✗ ", inks.bad), inks.bad),
        (news.rolled, Line().add("· ", inks.dim), inks.strong),
        (news.rest, Line().add("· ", inks.dim), inks.plain),
    ):
        for text in texts:
            lines += hung(mark, wrapped_pieces([(text, ink)], width - mark.width))
    return lines


def first_rows(lines: list[Line], size: tuple[int, int], inks: Inks) -> list[Line]:
    """As many lines as there are rows; behind the last, how many have no room."""
    width, height = size
    if len(lines) <= height or not height:
        return lines
    more = Line().add(f" +{len(lines) - height} more", inks.warn)
    last = next(fitting(lines[height - 1 : height], width - more.width))
    return [*lines[: height - 1], last.right(more, width)]


def waiting_lines(waiting: list[Pending], width: int, inks: Inks) -> list[Line]:
    """What waits, wrapped."""
    return [
        line
        for row, following in zip_longest(waiting, waiting[1:])
        for line in _asked(row, following, width, inks)
    ]


def _asked(row: Pending, following: Pending | None, width: int, inks: Inks) -> Iterator[Line]:
    """What waits, with its answers; not with these where the row below has the same ones."""
    choices = []
    if following is None or _labels(following) != _labels(row):
        choices = [
            Line().add(choice.key, inks.accent).add(f" {plain(choice.label)}", inks.dim)
            for choice in row.choices
        ]
    asked = fitting([Line().add(plain(row.what), inks.strong), *choices], width - 2)
    yield from hung(Line().add("↵ ", inks.accent), flow(asked, width - 2, 2))


def _labels(row: Pending) -> list[tuple[str, str]]:
    return [(choice.key, choice.label) for choice in row.choices]
