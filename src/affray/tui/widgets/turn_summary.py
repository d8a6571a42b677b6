"""The present turn: what was spent and is left, and the news at the start and end of a turn."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import zip_longest
from typing import NamedTuple

from msgspec.structs import replace
from rich.cells import cell_len

from affray.core.engine.effects import why_forbidden
from affray.core.engine.events import (
    AnyEvent,
    Began,
    ClockChanged,
    CostPaid,
    EffectLost,
    LifeChanged,
    Rolled,
    RoundStarted,
    TrackChanged,
    TurnEnded,
    TurnStarted,
    UseCounted,
)
from affray.core.engine.history import Entry
from affray.core.engine.reminders import is_reminder
from affray.core.engine.state import Combatant, Encounter, Track
from affray.core.engine.turn_order import current_turn_label, row_label
from affray.core.engine.turns import upcoming_turns
from affray.core.formatting.effects import effect_with_amounts
from affray.core.formatting.pieces import names_of, pieces_of
from affray.core.formatting.safe_text import strip_control_chars
from affray.core.parser.errors import join_or
from affray.core.parser.tokens import tokenize
from affray.core.rules.ruleset import PendingDecision
from affray.core.rules.tables import TrackRow
from affray.tui.drawing import (
    StyledLine,
    count_of_hidden,
    flow_items,
    hanging_indent,
    items_that_fit,
    max_width,
    short_track_text,
    wrapped_pieces,
)
from affray.tui.fight_view import FightView
from affray.tui.theme import Styles
from affray.tui.widgets.base import LinesPane
from affray.tui.widgets.technique_cells import common_track, format_cost
from affray.tui.widgets.turn_order_columns import is_barred

LEFT, GONE = "●", "○"
NAMES_BELOW = 3
"""Where names begin that have no room behind the track, and stand in rows of their own."""
MOST_ROWS = 6
"""So many rows hold most turns in which single points are spent."""


class TurnSummaryPane(LinesPane):
    """The turn's spending: `○○ Strike`, `● 1 left`, the reaction, and what costs more next."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._had = 0  # the most rows that a turn has had

    @property
    def most_rows(self) -> int:
        """The rows that a turn takes: of single actions one each, and one or, where some of it is
        measured, two for what is beside, or as many as a turn has had. Outside of a fight it says
        no more than that."""
        view = self.shown
        if view is not None and not view.state.in_combat:
            return 1
        rules = view.ruleset.tables.tracks.values() if view else ()
        spent = [rule for rule in rules if rule.spent]
        beside = 1 + any(rule.unit for rule in rules)
        if not spent or any(rule.shown != "box" for rule in spent):
            return MOST_ROWS
        return max(len(spent) + beside, self._had)

    def slice(self, view: FightView) -> tuple[object, ...]:
        """The state, the way to it, and who of a group is looked at."""
        return (view.state, view.head, view.view_at, view.up())

    def make_lines(self, view: FightView, width: int) -> list[StyledLine]:
        """Draw what was spent this turn, what is left, and what the same would cost again."""
        rules, up, inks = view.ruleset.tables.tracks, view.up(), self.inks
        out = why_forbidden(view.ruleset.tables, view.state, up, "act") if up else ""
        with_what = [rule for rule in rules.values() if rule.spent]
        name = f"{with_what[0].label if len(with_what) == 1 else 'Action'} spend"
        self.entitle(f"{name} · {up.name}" if up else name)
        if up is None:
            return list(items_that_fit([StyledLine().add(_nobody(view), inks.dim)], width))
        if out:
            barred = StyledLine().add(f"✗ {out}: can't act", inks.warn)
            beside = flow_items(_beside(view, up, inks), width, 2)
            return [*items_that_fit([barred], width), *beside]
        went = spent_by(view, up.id)
        label = max_width([rule.label for rule in with_what])
        lines: list[StyledLine] = []
        for track, rule in rules.items():
            if rule.spent and track in up.tracks:
                names = [(p.by, _called(view, p)) for p in went if p.track == track]
                drawn = partial(_boxes, label=label) if rule.shown == "box" else _pips
                lines += drawn(rule, up.tracks[track], names, width, inks)
        beside = flow_items(_beside(view, up, inks), width, 2)
        costs = _next_costs(view, up, width, inks)
        self._had = max(self._had, len(lines) + len(beside))
        if len(lines) + len(beside) + len(costs) > self.room.height:
            beside = flow_items(_beside(view, up, inks, is_brief=True), width, 2)
        return [*lines, *beside, *costs]


class Payment(NamedTuple):
    """A payment in a turn: how much of which track, for which technique, and `which` power or
    spell that was."""

    track: str
    by: int
    technique: str
    which: str = ""


def spent_by(view: FightView, combatant_id: str) -> list[Payment]:
    """List what somebody has paid since their turn began, in order."""
    history, found = view.history, []
    last = len(history.path)
    if view.view_at is not None:
        last = bisect_right(history.path, view.view_at)
    for place in reversed(range(last)):  # a slice would be a copy of the whole way
        entry = history.entries[history.path[place]]
        events = entry.events
        began = [
            index
            for index, event in enumerate(events)
            if isinstance(event, TurnStarted) and event.who == combatant_id and not event.resumed
        ]
        since = events[began[-1] :] if began else events
        paid = [e for e in since if isinstance(e, CostPaid) and e.who == combatant_id]
        counted = (e.what.partition(" ") for e in since if isinstance(e, UseCounted))
        own = {technique: which for technique, _, which in counted}
        spells = {e.for_: _spell_of(view, entry.command, e.for_) for e in paid}
        found += [
            Payment(e.track, e.by, e.for_, spells[e.for_] or own.get(e.for_, ""))
            for e in reversed(paid)
        ]
        if began:
            break
    return found[::-1]


def _spell_of(view: FightView, command: str, technique: str) -> str:
    """The spell that a command names behind the technique; empty for no spell."""
    words, up = tokenize(command), view.up()
    at = next((i for i, word in enumerate(words) if word.casefold() == technique), len(words))
    if up is None or at + 1 >= len(words) or not _is_spell(view, technique):
        return ""
    rest = f"{' '.join(words[at + 1 :])} ".casefold()
    names = (*view.ruleset.actions.spells(up), *(option.name for option in view.own(up.id)))
    choices = [name for name in names if name and rest.startswith(f"{name} ".casefold())]
    return max(choices, key=len, default=words[at + 1])


def _is_spell(view: FightView, technique: str) -> bool:
    """True if it asks which spell it is, and more: to keep one up is no spell of its own."""
    key = view.keymap.of_technique(technique)
    fields = key.prompt.fields if key is not None and key.prompt is not None else ()
    return len(fields) > 1 and fields[0].kind == "spell"


def _nobody(view: FightView) -> str:
    if view.other_logs.is_ledger:
        return "Between fights it is nobody's turn."
    if view.state.phase == "setup":
        return "The fight has not begun."
    if view.state.phase == "ended":
        return "The fight is over."
    first = upcoming_turns(view.state, 2)
    following = f" Next: {row_label(view.state, first[0])}" if first else ""
    return f"It is nobody's turn.{following}"


def _called(view: FightView, paid: Payment) -> str:
    """The name of what was paid for: one of the actor's own options, a spell, or a technique."""
    up, what = view.up(), f"{paid.technique} {paid.which}".rstrip().casefold()
    for option in view.own(up.id) if up is not None else ():
        if option.name and option.technique.casefold() == what:
            return strip_control_chars(option.name)
    if paid.which and _is_spell(view, paid.technique):
        return strip_control_chars(paid.which)
    technique = view.ruleset.tables.techniques.get(paid.technique)
    return strip_control_chars(technique.name if technique else paid.technique)


def _pips(
    rule: TrackRow, track: Track, went: list[tuple[int, str]], width: int, inks: Styles
) -> list[StyledLine]:
    """A line for each payment, with as many empty dots as it took; then the full ones."""
    lines: list[StyledLine] = []
    for by, name in went:
        mark = StyledLine().add(GONE * by, inks.dim).column(4)
        lines += hanging_indent(mark, wrapped_pieces([(name, inks.plain)], width - mark.width))
    left = StyledLine().add(LEFT * track.value, inks.accent).column(4 if track.value < 4 else 0)
    return [*lines, left.add(f"{track.value} {rule.short or rule.label} left", inks.strong)]


def _boxes(
    rule: TrackRow,
    track: Track,
    went: list[tuple[int, str]],
    width: int,
    inks: Styles,
    *,
    label: int,
) -> list[StyledLine]:
    """The track's label, then what was bought with it."""
    there = track.value > 0
    line = StyledLine().add(
        LEFT * track.value if there else GONE, inks.accent if there else inks.dim
    )
    line.column(3).add(rule.label, inks.strong if there else inks.dim).column(3 + label + 1)
    names = ", ".join(name for _, name in went)
    if there:  # what went before it is no reason to take it for spent
        names = f"left, after {names}" if names else "left"
    if any(cell_len(word) > width - line.width for word in names.split()):
        below = wrapped_pieces([(names, inks.plain)], width - NAMES_BELOW)
        return [line, *(StyledLine().column(NAMES_BELOW).join(each) for each in below)]
    return list(hanging_indent(line, wrapped_pieces([(names, inks.plain)], width - line.width)))


def _beside(
    view: FightView, up: Combatant, inks: Styles, *, is_brief: bool = False
) -> list[StyledLine]:
    """The reaction, what few dots there are of the rest, and what is measured: `Reaction ◆
    Threads ●○  Movement 20/30 ft.`; in brief what is measured, or left of an act, has fewer
    words."""
    tables, state, tracks = view.ruleset.tables, view.state, up.tracks
    return [
        StyledLine().add(f"{row.label} ", inks.dim).join(short_track_text(row, value, inks))
        for track, rule in tables.tracks.items()
        if not is_barred(view.ruleset, state, up, rule)
        if (rule.shown in ("badge", "pips") or rule.unit) and not rule.spent
        if (value := tracks.get(track)) and (value.value or not rule.passing)
        for row in [_in_brief(rule) if is_brief else rule]
    ]


def _in_brief(rule: TrackRow) -> TrackRow:
    """The row of what is measured, or left of an act, with its short label and without its unit:
    `Mv 20/30`, `Att ●○`."""
    is_long = rule.unit or rule.passing
    return replace(rule, label=rule.short or rule.label, unit="") if is_long else rule


def _next_costs(view: FightView, up: Combatant, width: int, inks: Styles) -> list[StyledLine]:
    """The price of a technique that costs more each time, now and next: `Strike 1, again 2`."""
    tables = view.ruleset.tables
    common = common_track(tables)
    lines: list[StyledLine] = []
    for option in view.options(up.id):
        technique = tables.techniques.get(option.technique)
        if technique is None or option.after == option.cost:
            continue
        if not option.after.keys() & option.cost.keys():  # the next is paid with something else
            continue
        words = format_cost(tables.tracks, technique, option, common, then=", again ")
        lines += wrapped_pieces([(technique.name, inks.plain), (words, inks.strong)], width)
    return lines


# -------------------------------------------------------------------------------------------------
# News at the start and end of a turn: what waits, who went down, effects of the start or end

EXPIRED = "its time is up"
"""Why an effect ends that a time ends, as the log says it."""
LEFT_TO_OTHERS = 3
"""The rows of a pane that what waits and has happened leaves to the rest, down to one in a small
pane."""
LARGE = 9
"""The rows of a pane that is large enough for both."""
FRAMED = 2
"""The rows of a heading and of the line below."""


class TurnNews(NamedTuple):
    """The news of an entry: what nobody may miss, the dice at the start and end of a turn, and the
    rest."""

    grave: list[str]
    rolled: list[str]
    rest: list[str]


def head_lines(
    view: FightView,
    waiting: list[PendingDecision],
    news: TurnNews,
    size: tuple[int, int],
    inks: Styles,
) -> list[StyledLine]:
    """The lines on whose turn it is, what waits, and what has happened, as many as there is room
    for.

    What waits comes before what has happened; of that, what nobody may miss. The headings and the
    line below go if there is too little room for all; nothing to say takes no row.
    """
    width, height = size
    proposed = view.proposed if view.view_at is None else ()
    lines = edge_lines(waiting, proposed, news, width, inks)
    if not lines:
        return []
    if height < len(lines) + FRAMED:
        bare = edge_lines(waiting, proposed, news, width, inks, has_heading=False)
        brief = bare if len(bare) <= height else briefest(waiting, proposed, news, width, inks)
        return first_rows(brief, (width, max(height, 1)), inks)
    turn = f"{current_turn_label(view.state)}'s turn" if view.state.turn else "Between turns"
    return [StyledLine().add(turn, inks.title), *lines, StyledLine().add("─" * width, inks.faint)]


def news_of(view: FightView) -> TurnNews:
    """Collect the news of the last entry: at the start and end of a turn everything, else what
    nobody may miss.

    The dice with which a fight begins are no news: the order tells what they gave.
    """
    entry, news = view.history.entries.get(view.head), TurnNews([], [], [])
    if entry is None:
        return news
    before, edge = view.history.before(entry.seq), is_edge(entry)
    begins = any(isinstance(event, Began) for event in entry.events)
    expired: dict[str, list[str]] = {}
    names = names_of(entry.events, before)
    for piece in pieces_of(entry.events, before, view.ruleset.tables.tracks):
        event, text = piece.event, piece.text(names)
        if isinstance(event, EffectLost) and event.why == EXPIRED:
            if edge:
                effect = next(e for e in before[event.who].effects if e.id == event.effect)
                expired.setdefault(effect_with_amounts(effect), []).append(before.name(event.who))
        elif is_grave(event):
            news.grave.append(strip_control_chars(text))
        elif _stands_elsewhere(event):
            continue
        elif (edge or is_reminder(event)) and not (begins and isinstance(event, Rolled)):
            (news.rolled if isinstance(event, Rolled) else news.rest).append(
                strip_control_chars(text)
            )
    ended = (f"{effect} of {join_or(names, 'and')}" for effect, names in expired.items())
    news.rest.extend([f"over: {strip_control_chars(', '.join(ended))}"] if expired else [])
    return news


def _stands_elsewhere(event: AnyEvent) -> bool:
    """True if another place shows it: the header the round, the row below a clock."""
    is_clock = isinstance(event, ClockChanged) and event.clock is not None
    return is_clock or isinstance(event, RoundStarted)


def not_to_be_missed(entry: Entry, before: Encounter, tracks: Mapping[str, TrackRow]) -> list[str]:
    """Describe an entry's changes of tracks, and whom it brought down."""
    pieces, names = pieces_of(entry.events, before, tracks), names_of(entry.events, before)
    return [p.text(names) for p in pieces if isinstance(p.event, TrackChanged) or is_grave(p.event)]


def is_edge(entry: Entry) -> bool:
    """True if a turn ended or began with the entry."""
    return any(isinstance(event, TurnStarted | TurnEnded) for event in entry.events)


def is_grave(event: AnyEvent) -> bool:
    """True if somebody goes down or dies by it, or a clock runs out."""
    if isinstance(event, LifeChanged):
        return event.life not in ("up", "stable")
    if isinstance(event, ClockChanged) and event.clock is not None:
        return event.clock.has_run_out
    return False


PHONES = "From the phones"
"""The heading of what players propose."""


def edge_lines(
    waiting: Sequence[PendingDecision],
    proposed: Sequence[PendingDecision],
    news: TurnNews,
    width: int,
    inks: Styles,
    *,
    has_heading: bool = True,
    has_keys: bool = True,
) -> list[StyledLine]:
    """Everything, wrapped: what waits, below a heading what players propose, and the news; a save
    that was rolled comes before what it came to.

    Without the heading what players propose has no keys: its row names a player as well, and the
    footer has the keys.
    """
    lines = waiting_lines(waiting, width, inks, has_keys=has_keys)
    if proposed and has_heading:
        lines.append(StyledLine().add(PHONES, inks.title))
    lines += waiting_lines(proposed, width, inks, mark="▸ ", has_keys=has_heading)
    for texts, mark, ink in (
        (news.grave, StyledLine().add("✗ ", inks.bad), inks.bad),
        (news.rolled, StyledLine().add("· ", inks.dim), inks.strong),
        (news.rest, StyledLine().add("· ", inks.dim), inks.plain),
    ):
        for text in texts:
            lines += hanging_indent(mark, wrapped_pieces([(text, ink)], width - mark.width))
    return lines


def briefest(
    waiting: Sequence[PendingDecision],
    proposed: Sequence[PendingDecision],
    news: TurnNews,
    width: int,
    inks: Styles,
) -> list[StyledLine]:
    """Everything without keys, which the prompt that answers it has."""
    return edge_lines(waiting, proposed, news, width, inks, has_heading=False, has_keys=False)


def first_rows(lines: list[StyledLine], size: tuple[int, int], inks: Styles) -> list[StyledLine]:
    """Cut lines to the rows there are; the last one then ends with how many have no room."""
    width, height = size
    if len(lines) <= height or not height:
        return lines
    more = StyledLine().add(f" {count_of_hidden(len(lines) - height)}", inks.warn)
    cut = lines[height - 1]
    indent = len(cut.text) - len(cut.text.lstrip())
    last = next(items_that_fit([cut], width - more.width - indent))
    return [*lines[: height - 1], StyledLine().column(indent).join(last).right(more, width)]


def waiting_lines(
    waiting: Sequence[PendingDecision],
    width: int,
    inks: Styles,
    *,
    mark: str = "↵ ",
    has_keys: bool = True,
) -> list[StyledLine]:
    """Describe the decisions that wait, wrapped to the width, each behind a mark: the key that
    answers the first of them, if there is just one. Each has its answers with their keys, unless
    the row below has the same ones."""
    lines: list[StyledLine] = []
    for row, following in zip_longest(waiting, waiting[1:]):
        asked = [StyledLine().add(row.what, inks.strong)]
        if has_keys and (following is None or _labels(following) != _labels(row)):
            asked += [
                StyledLine().add(choice.key, inks.accent).add(f" {choice.label}", inks.dim)
                for choice in row.choices
            ]
        before = StyledLine().add(mark, inks.accent)
        lines += hanging_indent(before, flow_items(asked, width - before.width, 2))
    return lines


def _labels(row: PendingDecision) -> list[tuple[str, str]]:
    return [(choice.key, choice.label) for choice in row.choices]
