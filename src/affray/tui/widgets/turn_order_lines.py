"""The lines of the turn order: a row for each combatant, and below it what doesn't fit beside."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from affray.core.engine.effects import why_forbidden
from affray.core.engine.state import MOST_KEPT, Combatant, Encounter, Track
from affray.core.parser.errors import format_signed, join_or
from affray.core.rules.ruleset import Ruleset
from affray.core.rules.tables import TrackRow
from affray.tui.drawing import StyledLine
from affray.tui.widgets.turn_order_columns import (
    ColumnLayout,
    ColumnNeeds,
    TurnOrderRowData,
    fallen_row,
    measure_rows,
    shown_tracks,
    stands_apart,
    turn_order_rows,
)
from affray.tui.widgets.turn_order_rows import (
    RowStyle,
    WorstOff,
    extremes,
    forms_in,
    has_room_beside,
    lines_below,
    members_below,
    members_further,
    words_within,
    wrapped_name,
)

# -------------------------------------------------------------------------------------------------
# Wear: what exhaustion and effects take from checks, and the next mark's consequence

CHECKS = "check"
"""How every game calls the number that is added to all checks."""
MOST_OF_ALL = 4096
"""So many are kept of what checks are made with: crowds are looked at whole, with every command."""
NEXT = "→"


class Worn(NamedTuple):
    """The sum of everything that wears a combatant out.

    taken   what it takes from each check, with exhaustion, 0 or less
    barred  what it bars of `act` and `react`
    stat    the number that has a column in the order, such as AC; empty for none
    """

    taken: int
    barred: tuple[str, ...]
    stat: str = ""


def worn(look: RowStyle, combatant: Combatant) -> Worn:
    """Sum up exhaustion and all lasting effects of a combatant."""
    state = look.state
    gone = tuple(each for each in _sources_on(combatant) if _is_gone(state, each))
    found = _penalties_of(look.ruleset, combatant, gone, (), _Unseen(state))
    if "react" not in found.barred:  # as of nearly all
        return found
    despite = look.ruleset.actions.reacts_despite(state, combatant)
    return _penalties_of(look.ruleset, combatant, gone, despite, _Unseen(state))


@lru_cache(maxsize=MOST_OF_ALL)
def _sources_on(combatant: Combatant) -> tuple[str, ...]:
    """The ids of those from whom something lasts on somebody."""
    return tuple(sorted({effect.source for effect in combatant.effects if effect.source}))


def _is_gone(state: Encounter, combatant_id: str) -> bool:
    found = state.find(combatant_id)
    return found is None or found.is_out


class _Unseen:
    """The state, passed on without being part of a cache's key."""

    def __init__(self, state: Encounter) -> None:
        self.state = state

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Unseen) and other.state.settings is self.state.settings

    def __hash__(self) -> int:
        return id(self.state.settings)


@lru_cache(maxsize=MOST_OF_ALL)
def _penalties_of(
    ruleset: Ruleset,
    combatant: Combatant,
    gone: tuple[str, ...],
    reacts_despite: tuple[str, ...],
    seen: _Unseen,
) -> Worn:
    """Cached by combatant, absent effect sources, effects that still allow reactions, and
    settings."""
    tables, state = ruleset.tables, seen.state
    shares = ruleset.numbers.explain(tables, state, combatant, CHECKS)
    taken = sum(share.amount for share in shares if isinstance(share.amount, int))
    but = {"act": (), "react": reacts_despite}
    barred = tuple(what for what in but if why_forbidden(tables, state, combatant, what, but[what]))
    return Worn(min(taken, 0), barred, _stat(ruleset, state, combatant))


def _stat(ruleset: Ruleset, state: Encounter, combatant: Combatant) -> str:
    """The number that has a column; nothing of a 0, or of a hazard's, that nobody has given."""
    tables, name = ruleset.tables, ruleset.tables.column_total
    value = ruleset.numbers.total(tables, state, combatant, name) if name else None
    given = name in combatant.stats
    if value is None or not (given or (value and combatant.kind != "hazard")):
        return ""
    return tables.total(name).format_value(value)


def worn_tracks(ruleset: Ruleset) -> dict[str, TrackRow]:
    """The tracks that have a pane of their own, in its order."""
    rules = ruleset.tables.tracks
    return {t: rules[t] for t in shown_tracks(ruleset.tables) if stands_apart(rules[t])}


@lru_cache(maxsize=MOST_KEPT)
def next_mark(ruleset: Ruleset, combatant: Combatant, taken: int) -> str:
    """The consequence of the next mark for somebody who has marks: `→−2`, `→doomed`, or that none
    is left."""
    marked = [
        (t, r, combatant.tracks[t])
        for t, r in worn_tracks(ruleset).items()
        if t in combatant.tracks
    ]
    marked = [row for row in marked if row[1].counts == "marked"]
    if not any(track.value for _, _, track in marked):
        return ""
    for name, rule, track in sorted(marked, key=lambda row: not row[1].grave):
        if track.max is not None and track.value >= track.max:
            if rule.grave:
                return "full"
            continue
        text = join_or(list(_mark_effects(ruleset, combatant, name, track, taken)))
        if text:
            return f"{NEXT}{text}"
    return ""


def _mark_effects(
    ruleset: Ruleset, combatant: Combatant, name: str, track: Track, taken: int
) -> Iterator[str]:
    """The effect of one more mark on a track, in a few words."""
    tables, more = ruleset.tables, replace(track, value=track.value + 1)
    then = replace(combatant, tracks={**combatant.tracks, name: more})
    by = ruleset.numbers.penalty(tables, then) - ruleset.numbers.penalty(tables, combatant)
    if by:
        yield format_signed(taken + by)
    for row in tables.levels.values():
        if row.track == name and row.at == more.value:
            yield from (f"no {what}" for what in row.forbids)
            yield from row.brings


ColumnsFor = Callable[[ColumnNeeds, Ruleset, bool], ColumnLayout]
"""The columns for what rows want, among a crowd or not."""


class RowCount(NamedTuple):
    """The numbers of lines that the order needs: `whole` with what lasts below the rows that have
    no room for it, and for all `people` with nothing below."""

    whole: int = 0
    people: int = 0


class TurnOrderLines(NamedTuple):
    """The rows of the order in their columns, the lines below each, and the settings to draw them.

    forms   the short forms of effects, if there is hardly any room
    places  for each line of the pane (which row it belongs to, 0 for the row itself or n for the
            n-th line below it)
    extremes  who is worst hurt and who has the most marks, both highlighted in their rows
    measured  the widths that the rows need
    """

    rows: list[TurnOrderRowData]
    below: list[list[StyledLine]]
    columns: ColumnLayout
    look: RowStyle
    wants: RowCount
    forms: Mapping[str, str]
    places: list[tuple[int, int]]
    extremes: list[WorstOff]
    measured: ColumnNeeds


CROWD = 3, 4
"""A crowd is more than so large a share of the lines that the order can have at most."""


def set_out(look: RowStyle, height: int, most: int, columns_for: ColumnsFor) -> TurnOrderLines:
    """The rows of everybody; what lasts has its names beside a row, or stands below it.

    Who is there decides on the columns, not what lasts on them, so that these stay as conditions
    come and go. Where lines are short, those have theirs whose turn it is or who can't act; what
    lasts on the others is counted.

    most  the lines that the order can have at most
    """
    everybody = turn_order_rows(look.state)
    rows = _in_fewer(list(everybody), height)
    found = extremes(look.state.in_order(), look.ruleset.tables)
    _mark(rows, found)
    _count_what_is_taken(rows, look)
    cells = measure_rows(rows, look.ruleset)
    share, of = CROWD
    columns = columns_for(cells, look.ruleset, of * len(rows) > share * max(most, height))
    below, wanted = _tell_below(rows, look, columns, height - len(rows))
    wants = RowCount(len(rows) + wanted, len(rows))
    _wrap_names(rows, below, look, columns, height - len(rows) - sum(map(len, below)))
    forms = forms_in(look) if columns.brief else {}
    places = [(row, part) for row, lines in enumerate(below) for part in range(len(lines) + 1)]
    more = len(everybody) - len(rows)  # with more rows each would have its own
    wants = RowCount(*(wanted + more for wanted in wants))
    return TurnOrderLines(rows, below, columns, look, wants, forms, places, found, cells)


def _in_fewer(rows: list[TurnOrderRowData], height: int) -> list[TurnOrderRowData]:
    """The rows with those who are out of the fight joined in the last one, where rows are short."""
    downed = [row for row in rows if row.is_out and not row.is_up]
    if len(rows) <= height or not downed[1:]:
        return rows
    return [*rows[: len(rows) - len(downed)], fallen_row(downed)]


def _tell_below(
    rows: list[TurnOrderRowData], look: RowStyle, columns: ColumnLayout, free: int
) -> tuple[list[list[StyledLine]], int]:
    """Put what has no room in its row into lines below it, as many as are free, and count how many
    are wanted.

    Whoever is up has all of them; another has one alone if others would have none. Behind them come
    those in whose rows it has no room only by whom it is or, in a wide order, when it ends. In
    `rows` such a row is replaced by one that is `told_below`. In a crowd whose rows alone fill the
    height, it is taken for granted that a line would do for each.
    """
    below: list[list[StyledLine]] = [[] for _ in rows]
    without = [n for n, row in enumerate(rows) if not has_room_beside(row, columns, look)]
    if free <= 0 and columns.crowded:
        return below, len(without)
    wanted, others = 0, len(without)
    without.sort(key=lambda n: (not rows[n].is_up, "act" not in rows[n].barred))
    if not columns.crowded:
        tells_all = (has_room_beside(row, columns, look, whole=True) for row in rows)
        without += [n for n, all_ in enumerate(tells_all) if not all_ and n not in without]
    for index in without:
        row = replace(rows[index], told_below=True)
        lines = _below(row, look, columns)
        wanted += len(lines)
        others -= 1
        is_alone = len(row.members) == 1
        if is_alone and lines[1:] and len(lines) > free - (0 if row.is_up else others):
            lines = [words_within(look, row.members[0], columns.width - columns.before)]
        if 0 < len(lines) <= free:
            free -= len(lines)
            rows[index], below[index] = row, lines
    return below, wanted


def _wrap_names(
    rows: list[TurnOrderRowData],
    below: list[list[StyledLine]],
    look: RowStyle,
    columns: ColumnLayout,
    free: int,
) -> None:
    """Have long names go on below their rows, as far as so many lines are free.

    What changes by it is replaced in `rows` and `below`.
    """
    is_cut = columns.name < columns.longest and free > 0
    for index, row in enumerate(rows if is_cut else ()):
        head, rest = wrapped_name(row, columns.name, look.inks)
        if rest and len(rest) <= free:
            free -= len(rest)
            rows[index], below[index] = replace(row, name=head), [*rest, *below[index]]


def _mark(rows: list[TurnOrderRowData], found: list[WorstOff]) -> None:
    """Have their rows, which are replaced in `rows`, say who they are."""
    for each in found:
        index = next(n for n, row in enumerate(rows) if row.has(each.who.id))
        row = rows[index]
        rows[index] = replace(row, marked=(*row.marked, (each.who.id, each.track)))


def _count_what_is_taken(rows: list[TurnOrderRowData], look: RowStyle) -> None:
    """Have their rows, which are replaced in `rows`, say what lasts comes to on those in them.

    Of a group nothing is said but the number that all of its members have.
    """
    for index, row in enumerate(rows):
        if row.is_out:
            continue
        found = [worn(look, each) for each in row.members]
        stats = {each.stat for each in found}
        stat = stats.pop() if len(stats) == 1 else ""
        taken, barred = found[0][:2] if len(found) == 1 else (0, ())
        if taken or barred or stat:
            rows[index] = replace(row, taken=taken, barred=barred, stat=stat)


def _below(row: TurnOrderRowData, look: RowStyle, columns: ColumnLayout) -> list[StyledLine]:
    """The effects of a row, in lines; in a group first those without room in the row."""
    width = columns.width - columns.before
    if row.is_down:
        return []
    if len(row.members) > 1:
        further = members_further(row, columns, look)
        return [*further, *members_below(row, look, width)]
    return lines_below(look, row.members[0], width)
