"""A row of the order: what somebody has left and has marked, in columns, and what lasts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from rich.cells import cell_len
from rich.style import Style

from affray.core.heart.state import MOST_KEPT, Combatant, Encounter, Side, Track
from affray.core.language.refusal import signed
from affray.core.rules.ruleset import Ruleset
from affray.core.rules.tables import TrackRule
from affray.tui.drawing import (
    Line,
    amount,
    bar,
    cut_name,
    fitting,
    flow,
    health_ink,
    marked_ink,
    plain,
    short_track,
    wrapped,
)
from affray.tui.ends import end_of
from affray.tui.panes.lasting import GAP, ROOM_FOR_NAMES, Lasting, cells_beside, lasting
from affray.tui.panes.order_columns import (
    LIFE_WORDS,
    Columns,
    OrderRow,
    as_text,
    in_numbers,
    is_to_act_with,
    tracks_in_order,
)
from affray.tui.panes.order_frame import MARK
from affray.tui.short_forms import short_forms
from affray.tui.themes import Inks

SIDE_GLYPHS: dict[Side, str] = {"party": "▲", "foes": "▼", "others": "◈", "world": "≈"}
WAITS, UNKNOWN, SPENT = "‖", "?", "·"
BETWEEN = " · "
SMALLER = str.maketrans("●○", "•◦")
"""What is left to act with, of whoever can't act with it now."""


class RowLook(NamedTuple):
    """What a row is drawn by, beside those who stand in it."""

    state: Encounter
    ruleset: Ruleset
    inks: Inks


def draw_row(row: OrderRow, cursor: str, lit: bool, columns: Columns, look: RowLook) -> Line:
    """`›▶ 2 ▲ 17 BRANNOC   ●●○ ◆  18/30 ██████░░  ■□□□□  □□□□□  −1`; a group's members beside.

    `lit`: its number stands out.
    """
    if row.fallen:
        return _fallen(row, cursor, columns, look.inks)
    inks, who, out = look.inks, row.members[0], row.is_out
    line = Line().add("›" if any(c.id == cursor for c in row.members) else " ", inks.strong)
    line.add("▶" if row.is_up else WAITS if row.slot.held else " ", inks.accent)
    line.add(f"{row.numbers[0]:>{columns.number}}", inks.accent if lit else inks.dim)
    line.add(UNKNOWN if any(c.hidden for c in row.members) else " ", inks.warn)
    line.add(SIDE_GLYPHS[who.side], inks.dim if out else inks.side(who.side))
    initiative = "–" if row.slot.initiative is None else str(row.slot.initiative)
    line.add(f"{initiative:>3}", inks.dim)
    name = cut_name(row.called, columns.name)
    padded = Line().add(f" {name}", _name_ink(row, inks))
    if row.is_up:
        padded = Line().add(f" {name}").column(columns.name + 2).inked(inks.turn)
    line.join(padded)
    line.column(columns.before + columns.name + GAP)
    if len(row.members) > 1:
        return line.join(members_beside(row, cursor, columns, look))
    if out:
        return line.add(LIFE_WORDS[who.life], inks.dim)
    _standing(line, row, columns, inks)
    if row.taken and columns.penalty:
        line.column(columns.penalty).add(signed(row.taken), inks.bad)
    if columns.beside and not row.told_below:
        line.column(columns.end)
        line.join(words_beside(look, who, columns.width - line.width))
    return line


def _fallen(row: OrderRow, cursor: str, columns: Columns, inks: Inks) -> Line:
    """`  ✗ 3 Ghoul 1  5 Ghoul 3 +4`"""
    line = Line().add("›" if row.has(cursor) else " ", inks.strong).add(" ✗ ", inks.dim)
    pieces = []
    for number, who in zip(row.numbers, row.members, strict=True):
        piece = Line().add(f"{number} ", inks.strong if who.id == cursor else inks.dim)
        pieces.append(piece.add(plain(who.name), inks.dim))
    kept = _that_fit([piece.width for piece in pieces], columns.width - line.width)
    for place in kept:
        line.column(line.width + GAP * bool(place)).join(pieces[place])
    return _and_more(line, len(pieces) - len(kept), inks)


def wrapped_name(row: OrderRow, cells: int, inks: Inks) -> tuple[str, list[Line]]:
    """What of the name has room in so many cells, and the lines below it that have the rest."""
    head, *rest = wrapped(row.called, cells)
    return head, [Line().add(text, _name_ink(row, inks)) for text in rest]


def _name_ink(row: OrderRow, inks: Inks) -> Style:
    return inks.dim if row.is_out else inks.side(row.members[0].side)


def _standing(line: Line, row: OrderRow, columns: Columns, inks: Inks) -> None:
    """What somebody has in each column. Who can't act has a word in place of what is left."""
    who = row.members[0]
    if who.life != "up":
        line.add(LIFE_WORDS[who.life], inks.bad if who.life == "dying" else inks.warn)
    in_boxes = False  # which stand close together, also where somebody has two of one
    for column in columns.columns:
        rule, track = column.rule, who.tracks.get(column.track)
        if track is None or (is_to_act_with(rule) and not _can_use(rule, row)):
            continue
        if not (in_boxes and rule.shown == "box"):
            line.column(column.at)
        in_boxes = rule.shown == "box"
        if rule.shown == "bar":
            text = amount(track)
            line.column(
                column.at + column.cells - cell_len(text) - (columns.bar + 1) * bool(columns.bar)
            )
            line.add(text, health_ink(track, inks))
            if columns.bar:
                line.add(" ").join(bar(track, columns.bar, inks))
        else:
            told = counted(rule, track, column.drawn, inks)
            line.join(_not_now(told, inks) if rule.spent and not _acts_now(row) else told)
        if (who.id, column.track) in row.marked:
            line.add(MARK, inks.strong)


def _can_use(rule: TrackRule, row: OrderRow) -> bool:
    """Whether somebody can act, or react, with it as things stand."""
    who = row.members[0]
    return who.life == "up" and ("act" if rule.spent else "react") not in row.barred


def _acts_now(row: OrderRow) -> bool:
    """Whether what is left can be spent now: others get it anew when their turn comes."""
    return row.is_up or row.slot.held or not row.slot.turns


def _not_now(line: Line, inks: Inks) -> Line:
    """The same, not to be looked at: faint, and its marks smaller, as is seen without colours."""
    return Line().add(line.text.translate(SMALLER), inks.faint)


def counted(rule: TrackRule, track: Track, drawn: bool, inks: Inks) -> Line:
    """A track in its column: its marks, as far as they are drawn, or its number."""
    if not in_numbers(rule, track, drawn):
        return _glyphs(rule, track, inks)
    if rule.counts == "marked":
        ink = marked_ink(rule, inks) if track.value else inks.faint
        return Line().add(as_text(rule, track), ink)
    few = track.max and 2 * track.value <= track.max
    return Line().add(as_text(rule, track), health_ink(track, inks) if few else inks.dim)


def _glyphs(rule: TrackRule, track: Track, inks: Inks) -> Line:
    """The glyphs of a track; of a box its letter, `S2` for more of them, a dot when it is spent."""
    if rule.shown != "box":
        return short_track(rule, track, inks)
    letter = (rule.short or rule.label)[:1]
    many = str(track.value) if track.value > 1 else ""
    return Line().add(
        letter + many if track.value > 0 else SPENT, inks.accent if track.value > 0 else inks.dim
    )


# -- a group ---------------------------------------------------------------------------------------


def members_beside(row: OrderRow, cursor: str, columns: Columns, look: RowLook) -> Line:
    """What each member has, side by side; those that have no room stand below, or are `+2`."""
    pieces, kept = _members(row, cursor, columns, look)
    line = Line()
    for place in kept:
        line.column(line.width and line.width + GAP).join(pieces[place])
    told_below = row.told_below or not columns.beside
    return _and_more(line, 0 if told_below else len(pieces) - len(kept), look.inks)


def members_further(row: OrderRow, columns: Columns, look: RowLook) -> list[Line]:
    """The members that have no room in their row, in lines below it."""
    pieces, kept = _members(row, "", columns, look)
    rest = [piece for place, piece in enumerate(pieces) if place not in kept]
    return flow(rest, columns.width - columns.before, GAP)


def _members(
    row: OrderRow, cursor: str, columns: Columns, look: RowLook
) -> tuple[list[Line], list[int]]:
    """What each member has, and which of them have room side by side.

    In their turn it is told what each has left to act with; where that leaves no room for some of
    them, only of those who have spent any of it: the others have all.
    """
    up = row.members if row.is_up else ()
    begun = [who for who in up if _has_begun(who, columns)]
    beside = columns.beside and not row.told_below
    width = columns.width - columns.before - columns.name - GAP
    for acting in ({who.id for who in up}, {who.id for who in begun}):
        members = zip(row.numbers, row.members, strict=True)
        pieces = [
            _member(
                n, c, c.id == cursor, c.id in acting, beside, row.marked, look.ruleset, look.inks
            )
            for n, c in members
        ]
        kept = _that_fit([piece.width for piece in pieces], width)
        if len(kept) == len(pieces):
            break
    return pieces, kept


def _has_begun(who: Combatant, columns: Columns) -> bool:
    """Whether somebody has less left to act with than a turn gives."""
    names = [name for name, rule in columns.tracks.items() if rule.spent and rule.everybody]
    tracks = [who.tracks[name] for name in names if name in who.tracks]
    return any(track.value < (track.max or 0) for track in tracks)


def has_room_beside(row: OrderRow, columns: Columns, look: RowLook) -> bool:
    """Whether all that lasts on a row's has room in it; of a group's members it is only counted.

    So is what has no room of the members themselves.
    """
    cells = sum(cells_beside(look.ruleset.tables, who) for who in row.members)
    if len(row.members) > 1:
        return not cells and not members_further(row, columns, look)
    return cells <= columns.width - columns.end + GAP


@lru_cache(maxsize=MOST_KEPT)
def _member(
    number: int,
    who: Combatant,
    here: bool,
    acting: bool,
    beside: bool,
    marked: tuple[tuple[str, str], ...],
    ruleset: Ruleset,
    inks: Inks,
) -> Line:
    """`11 4/6`, with what is left to act with while they are `acting`; who is out has a cross.

    Where what lasts is told `beside` it, it is counted.
    """
    line = Line().add(f"{number} ", inks.strong if here else inks.dim)
    if who.is_out:
        return line.add("✗", inks.dim)
    if who.life != "up":
        line.add(f"{LIFE_WORDS[who.life]} ", inks.bad)
    for track, rule in tracks_in_order(ruleset.tables).items():
        found = who.tracks.get(track)
        if found is None or not rule.everybody or rule.when not in (None, who.life):
            continue
        if rule.shown == "bar":
            line.add(amount(found), health_ink(found, inks))
        elif rule.spent and acting and who.life == "up":
            line.join(_glyphs(rule, found, inks)).add(" " * (rule.shown != "box"))
        elif rule.counts == "marked" and found.value:
            line.add(f" {rule.short}{found.value}", marked_ink(rule, inks))
        if (who.id, track) in marked:
            line.add(MARK, inks.strong)
    told = len(lasting(ruleset.tables, who)) if beside else 0
    return line.add(f" +{told}" if told else "", inks.strong)


def members_below(row: OrderRow, look: RowLook, ends: bool, width: int) -> list[Line]:
    """What lasts on each member, by its number: `12 prone until it stands · 14 shaken`."""
    lines: list[Line] = []
    for number, who in zip(row.numbers, row.members, strict=True):
        told = lines_below(look, who, ends, width - 4)
        lines += [Line().add(f"{number} ", look.inks.dim).join(line) for line in told[:1]]
        lines += [Line().column(3).join(line) for line in told[1:]]
    return lines


# -- what lasts ------------------------------------------------------------------------------------


def lines_below(look: RowLook, who: Combatant, ends: bool, width: int) -> list[Line]:
    """What lasts, in as many lines as it takes: `restrained until freed · prone`."""
    lines: list[Line] = []
    told = lasting(look.ruleset.tables, who)
    for piece in fitting((_with_end(look, who, each, ends) for each in told), width):
        if lines and lines[-1].width + len(BETWEEN) + piece.width <= width:
            lines[-1].add(BETWEEN, look.inks.faint).join(piece)
        else:
            lines.append(piece)
    return lines


def _with_end(look: RowLook, who: Combatant, told: Lasting, ends: bool) -> Line:
    line = Line().add(told.called, look.inks.effect(told.kind))
    tables, first = look.ruleset.tables, told.first
    if not ends or first is None or not told.kind.timed:
        return line
    end = end_of(tables, look.state, who, [first])
    return line.add(f" {end}" if end else "", look.inks.dim)


def words_beside(look: RowLook, who: Combatant, width: int) -> Line:
    """What lasts in one line: names as far as there is room, then `+2` for those that have none.

    Where there is hardly any room they are told by their short forms.
    """
    told, inks = lasting(look.ruleset.tables, who), look.inks
    brief = width < ROOM_FOR_NAMES
    forms = forms_in(look) if brief else {}
    words = [forms.get(each.brief, each.brief) if brief else each.beside for each in told]
    kept = _that_fit([cell_len(word) for word in words], width)
    line = Line()
    for place in kept:
        line.column(line.width and line.width + GAP)
        line.add(words[place], inks.effect(told[place].kind))
    return _and_more(line, len(told) - len(kept), inks)


@lru_cache(maxsize=8)  # a state never changes, and many rows ask this of one
def forms_in(look: RowLook) -> Mapping[str, str]:
    """The short forms of all that lasts on anybody."""
    names = (effect.name for c in look.state.combatants for effect in c.effects)
    return short_forms(look.ruleset.tables, names)


def _that_fit(cells: Sequence[int], width: int) -> list[int]:
    """Which pieces of so many cells have room side by side, the first ones before the others.

    Where some have none, there is room as well to say how many.
    """
    if sum(cells) + GAP * (len(cells) - 1) <= width:
        return list(range(len(cells)))
    kept: list[int] = []
    left = width - len(f" +{len(cells)}")
    for place, each in enumerate(cells):
        if each <= left:
            kept.append(place)
            left -= each + GAP
    return kept


def _and_more(line: Line, more: int, inks: Inks) -> Line:
    """The line, with how many pieces had no room in it."""
    return line.add(" " if more and line.width else "").add(f"+{more}" if more else "", inks.strong)
