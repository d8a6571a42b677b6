"""A row of the turn order, and the frame that names the worst hurt and most worn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from rich.cells import cell_len
from rich.style import Style

from affray.core.engine.state import MOST_KEPT, Combatant, Encounter, Side, Track
from affray.core.engine.turns import initiative_in_words
from affray.core.formatting.effects import by_whom, common_end_text
from affray.core.parser.errors import format_signed
from affray.core.rules.ruleset import Ruleset
from affray.core.rules.tables import Tables, TrackRow
from affray.tui import drawing
from affray.tui.drawing import StyledLine
from affray.tui.theme import Styles
from affray.tui.widgets.turn_order_columns import (
    FIRST_WORDS,
    GAP,
    LIFE_WORDS,
    ROOM_FOR_NAMES,
    ColumnLayout,
    EffectBadge,
    TurnOrderRowData,
    as_text,
    effect_badges,
    is_action_track,
    shown_tracks,
    shows_numbers,
    tracks_in_order,
)

# -------------------------------------------------------------------------------------------------
# The frame: how many are out of sight, who is worst hurt, who has most marks

Hurt = tuple[int, float]
"""2 for the dying, 1 for others who are down, 0; then the share of HP that is gone."""

Wear = tuple[int, int, float]
"""What one track tells of it: 2 for marks that are grave, such as exhaustion, 1 for others, 0 for
what is spent; how many marks; the share of the track that is marked, or spent."""

MARK = "◀"
"""It stands behind what is told of them, in their rows."""

UNHURT: Hurt = (0, 0)
UNWORN: Wear = (0, 0, 0)


class WorstOff(NamedTuple):
    """Somebody to look after: `worst`, `hurt`, the combatant, the track, and its value: `0/24`."""

    degree: str
    what: str
    who: Combatant
    track: str
    stands: str


def extremes(everybody: Iterable[Combatant], tables: Tables) -> list[WorstOff]:
    """Find the worst hurt and the most worn combatant, if there are any; the first of equals."""
    health = tables.health
    there = [combatant for combatant in everybody if not combatant.is_out]
    found = []
    worst = max(there, key=lambda combatant: hurt_of(combatant, health), default=None)
    if worst is not None and hurt_of(worst, health) > UNHURT:
        left = worst.tracks.get(health)
        found.append(
            WorstOff("worst", "hurt", worst, health, drawing.format_track(left) if left else "")
        )
    most = max(there, key=lambda combatant: wear_of(tables, combatant), default=None)
    if most is not None and wear_of(tables, most)[:1] > (UNWORN,):
        name, rule, track = max(_worn_on(tables, most), key=lambda each: _wear(*each[1:]))
        stands = f"{rule.short or rule.label} {drawing.format_track(track)}"
        found.append(WorstOff("most", "worn", most, name, stands))
    return found


def worst_off_text(found: Iterable[WorstOff], brief: bool = False) -> str:
    """`◀ worst hurt Pell 0/24, most worn Tamsin Exh 2/5`, `◀ hurt Pell 0/24` in brief; nothing of
    nobody."""
    lines = [
        f"{'' if brief else f'{each.degree} '}{each.what} {each.who.name} {each.stands}".rstrip()
        for each in found
    ]
    return f"{MARK} {', '.join(lines)}" if lines else ""


def out_of_sight(unseen: list[TurnOrderRowData], health: str) -> str:
    """`…31 out of sight, 5 hurt`: so many have half of their HP left or less. Nothing of none."""
    hurts = [hurt_of(combatant, health) >= (0, 0.5) for row in unseen for combatant in row.members]
    many = sum(hurts)
    return (
        drawing.count_of_hidden(len(unseen), "out of sight") + (f", {many} hurt" if many else "")
        if unseen
        else ""
    )


@lru_cache(maxsize=MOST_KEPT)
def hurt_of(combatant: Combatant, health: str) -> Hurt:
    """Rate how badly somebody in the fight is hurt; a higher value is worse."""
    if combatant.is_out:
        return UNHURT
    down = 2 if combatant.life == "dying" else int(combatant.life != "up")
    track = combatant.tracks.get(health)
    return down, 1 - track.value / track.max if track is not None and track.max else 0


@lru_cache(maxsize=MOST_KEPT)
def wear_of(tables: Tables, combatant: Combatant) -> tuple[Wear, ...]:
    """Rate how worn out somebody is, by each track that tells of it, the worst first."""
    return tuple(
        sorted((_wear(rule, track) for _, rule, track in _worn_on(tables, combatant)), reverse=True)
    )


def _wear(rule: TrackRow, track: Track) -> Wear:
    share = track.value / track.max if track.max else 0
    if rule.counts == "marked":
        return (1 + rule.grave, track.value, share) if track.value else UNWORN
    return (0, 0, 1 - share) if track.max else UNWORN


def _worn_on(tables: Tables, combatant: Combatant) -> list[tuple[str, TrackRow, Track]]:
    """The tracks of a combatant that everybody sees and that stay after the fight: no actions, HP
    or cushions."""
    rules = [
        (track, tables.tracks[track]) for track in shown_tracks(tables) if track in combatant.tracks
    ]
    return [
        (track, rule, combatant.tracks[track])
        for track, rule in rules
        if rule.carries and not is_action_track(rule) and rule.recap not in ("damage", "cushion")
    ]


SIDE_GLYPHS: dict[Side, str] = {"party": "▲", "foes": "▼", "others": "◈", "world": "≈"}
WAITS, UNKNOWN, SPENT, BARRED = "‖", "?", "·", "–"
FROM_PLAYERS = ("hidden from players", "hidden")
"""What the `?` says, as far as a row has room."""
BETWEEN = " · "
WIDE = 90
"""From so many cells of the order on ends are told beside its rows."""
SMALLER = str.maketrans("●○", "•◦")
"""What is left to act with, of whoever can't act with it now."""


class RowStyle(NamedTuple):
    """The settings by which a row is drawn, beside the combatants in it."""

    state: Encounter
    ruleset: Ruleset
    inks: Styles


_INIT = 3
"""The room for an initiative; of a longer word there is the first letter."""


def draw_row(
    row: TurnOrderRowData, cursor: str, columns: ColumnLayout, look: RowStyle
) -> StyledLine:
    """`›▶ 2 ▲ 17 BRANNOC   ●●○ ◆  18/30 ██████░░  ■□□□□  □□□□□  −1`; a group's members beside."""
    if row.is_down:
        return _down_line(row, cursor, columns, look.inks)
    inks, combatant, out = look.inks, row.members[0], row.is_out
    line = StyledLine().add("›" if any(c.id == cursor for c in row.members) else " ", inks.strong)
    line.add("▶" if row.is_up else WAITS if row.slot.held else " ", inks.accent)
    line.add(f"{row.numbers[0]:>{columns.number}}", inks.dim)
    line.add(UNKNOWN if any(c.hidden for c in row.members) else " ", inks.warn)
    line.add(SIDE_GLYPHS[combatant.side], inks.dim if out else inks.side(combatant.side))
    initiative = initiative_in_words(look.ruleset, row.slot.initiative, none="–")
    line.add(f"{initiative if len(initiative) <= _INIT else initiative[0]:>{_INIT}}", inks.dim)
    name = drawing.truncate_name(row.called, columns.name)
    padded = StyledLine().add(f" {name}", _name_ink(row, inks))
    if row.is_up:
        padded = StyledLine().add(f" {name}").column(columns.name + 2).inked(inks.turn)
    line.join(padded)
    line.column(columns.before + columns.name + GAP)
    if columns.stat:
        line.add(f"{row.stat:>{columns.stat}}", inks.dim if out else inks.plain)
        line.column(columns.tracks_at)
    if len(row.members) > 1:
        return line.join(members_beside(row, cursor, columns, look))
    if out:
        return line.add(LIFE_WORDS[combatant.life], inks.dim)
    _standing(line, row, columns, inks)
    if row.taken and columns.penalty:
        line.column(columns.penalty).add(format_signed(row.taken), inks.bad)
    if not row.told_below:
        words = words_beside(look, combatant, columns)
        at = _words_at(combatant, columns)
        line.column(min(at, columns.width - words.width)).join(words)
    if combatant.hidden:
        at = line.width + GAP if line.width > columns.end else _words_at(combatant, columns)
        fits = [words for words in FROM_PLAYERS if at + len(words) <= columns.width]
        for shown in fits[:1]:
            line.column(at).add(shown, inks.warn)
    return line


def _down_line(
    row: TurnOrderRowData, cursor: str, columns: ColumnLayout, inks: Styles
) -> StyledLine:
    """`  ✗ #3 Ghoul 1  #5 Ghoul 3 …4`"""
    line = StyledLine().add("›" if row.has(cursor) else " ", inks.strong).add(" ✗ ", inks.dim)
    pieces = []
    for number, combatant in zip(row.numbers, row.members, strict=True):
        piece = StyledLine().add(f"#{number} ", inks.strong if combatant.id == cursor else inks.dim)
        pieces.append(piece.add(combatant.name, inks.dim))
    remaining = _that_fit([piece.width for piece in pieces], columns.width - line.width)
    for place in remaining:
        line.column(line.width + GAP * bool(place)).join(pieces[place])
    return _and_more(line, len(pieces) - len(remaining), columns.width, inks)


def wrapped_name(row: TurnOrderRowData, cells: int, inks: Styles) -> tuple[str, list[StyledLine]]:
    """Split a name: the part that fits into so many cells, and the lines below it for the rest."""
    head, *rest = drawing.wrap(row.called, cells)
    return head, [StyledLine().add(text, _name_ink(row, inks)) for text in rest]


def _name_ink(row: TurnOrderRowData, inks: Styles) -> Style:
    return inks.dim if row.is_out else inks.side(row.members[0].side)


def _standing(line: StyledLine, row: TurnOrderRowData, columns: ColumnLayout, inks: Styles) -> None:
    """The columns of a combatant. One who can't act has a word in place of the rest of the turn."""
    combatant = row.members[0]
    if combatant.life != "up":
        line.add(LIFE_WORDS[combatant.life], inks.bad if combatant.life == "dying" else inks.warn)
    in_boxes = False  # which stand close together, also where somebody has two of one
    for column in columns.columns:
        rule, track = column.rule, combatant.tracks.get(column.track)
        cannot = is_action_track(rule) and not _can_use(rule, row)
        if track is None or (cannot and combatant.life != "up"):
            continue
        if not (in_boxes and rule.shown == "box"):
            line.column(column.at)
        in_boxes = rule.shown == "box"
        if cannot:
            line.add(BARRED, inks.dim)
            continue
        if rule.shown == "bar":
            text = drawing.format_track(track)
            line.column(
                column.at + column.cells - cell_len(text) - (columns.bar + 1) * bool(columns.bar)
            )
            line.add(text, drawing.health_style(track, inks))
            if columns.bar:
                line.add(" ").join(drawing.track_bar(track, columns.bar, inks))
        else:
            piece = counted(rule, track, column.drawn, inks)
            acts_now = row.is_up or row.slot.held or not row.slot.turns  # else it comes back first
            if rule.spent and not acts_now:  # faint and smaller, as is seen without colours
                piece = StyledLine().add(piece.text.translate(SMALLER), inks.faint)
            line.join(piece)
        if (combatant.id, column.track) in row.marked:
            line.add(MARK, inks.strong)


def _can_use(rule: TrackRow, row: TurnOrderRowData) -> bool:
    """True if somebody can act, or react, with it now."""
    combatant = row.members[0]
    return combatant.life == "up" and ("act" if rule.spent else "react") not in row.barred


def counted(rule: TrackRow, track: Track, drawn: bool, inks: Styles) -> StyledLine:
    """A track in its column: its marks, as far as they are drawn, or its number."""
    if not shows_numbers(rule, track, drawn):
        return _glyphs(rule, track, inks)
    if rule.counts == "marked":
        ink = drawing.marked_ink(rule, inks) if track.value else inks.faint
        return StyledLine().add(as_text(rule, track), ink)
    few = track.max and 2 * track.value <= track.max
    return StyledLine().add(
        as_text(rule, track), drawing.health_style(track, inks) if few else inks.dim
    )


def _glyphs(rule: TrackRow, track: Track, inks: Styles) -> StyledLine:
    """The glyphs of a track; of a box its letter, `S2` for more of them, a dot when it is spent."""
    if rule.shown != "box":
        return drawing.short_track_text(rule, track, inks)
    letter = (rule.short or rule.label)[:1]
    many = str(track.value) if track.value > 1 else ""
    return StyledLine().add(
        letter + many if track.value > 0 else SPENT, inks.accent if track.value > 0 else inks.dim
    )


# -- a group ---------------------------------------------------------------------------------------


def members_beside(
    row: TurnOrderRowData, cursor: str, columns: ColumnLayout, look: RowStyle
) -> StyledLine:
    """Draw the members of a group side by side; those without room go below, or are `…2`."""
    pieces, remaining = _members(row, cursor, columns, look)
    line = StyledLine()
    for place in remaining:
        line.column(line.width and line.width + GAP).join(pieces[place])
    more = 0 if row.told_below else len(pieces) - len(remaining)
    return _and_more(line, more, columns.width - columns.tracks_at, look.inks)


def members_further(
    row: TurnOrderRowData, columns: ColumnLayout, look: RowStyle
) -> list[StyledLine]:
    """The members that have no room in their row, in lines below it."""
    pieces, remaining = _members(row, "", columns, look)
    rest = [piece for place, piece in enumerate(pieces) if place not in remaining]
    return drawing.flow_items(rest, columns.width - columns.before, GAP)


def _members(
    row: TurnOrderRowData, cursor: str, columns: ColumnLayout, look: RowStyle
) -> tuple[list[StyledLine], list[int]]:
    """The values of each member, and those that have room side by side.

    In their turn it is told what each has left to act with; where that leaves no room for some of
    them, only of those who have spent any of it: the others have all.
    """
    up = row.members if row.is_up else ()
    begun = [combatant for combatant in up if _has_begun(combatant, columns)]
    beside = not row.told_below
    width = columns.width - columns.tracks_at
    for acting in ({combatant.id for combatant in up}, {combatant.id for combatant in begun}):
        members = zip(row.numbers, row.members, strict=True)
        pieces = [
            _member(
                n, c, c.id == cursor, c.id in acting, beside, row.marked, look.ruleset, look.inks
            )
            for n, c in members
        ]
        remaining = _that_fit([piece.width for piece in pieces], width)
        if len(remaining) == len(pieces):
            break
    return pieces, remaining


def _has_begun(combatant: Combatant, columns: ColumnLayout) -> bool:
    """True if somebody has less left to act with than a turn gives."""
    names = [name for name, rule in columns.tracks.items() if rule.spent and rule.everybody]
    tracks = [combatant.tracks[name] for name in names if name in combatant.tracks]
    return any(track.value < (track.max or 0) for track in tracks)


def has_room_beside(
    row: TurnOrderRowData, columns: ColumnLayout, look: RowStyle, whole: bool = False
) -> bool:
    """True if all that lasts on a row's has room in it; the `whole` of it is by whom it is, and in
    a wide order its end. Of a group's members it is only counted.

    So is what has no room of the members themselves.
    """
    cells = [_cells_beside(look.ruleset.tables, combatant) for combatant in row.members]
    if len(row.members) > 1:
        return not any(cells) and not members_further(row, columns, look)
    found = _whole_of(look, row.members[0], columns.width >= WIDE) if whole else ()
    room = columns.width - _words_at(row.members[0], columns) + GAP
    return cells[0] + sum(map(cell_len, found)) <= room


def _whole_of(look: RowStyle, combatant: Combatant, ends: bool) -> Iterator[str]:
    """By whom each effect is, and its end if that is asked for."""
    for each in effect_badges(look.ruleset.tables, combatant):
        yield _by_whom(look, combatant, each)
        yield _end_of(look, combatant, each) if ends else ""


@lru_cache(maxsize=MOST_KEPT)
def _cells_beside(tables: Tables, combatant: Combatant) -> int:
    """The cells of all that lasts on somebody, each with a gap behind it."""
    return sum(cell_len(each.beside) + GAP for each in effect_badges(tables, combatant))


def _words_at(combatant: Combatant, columns: ColumnLayout) -> int:
    """The cell from which what lasts is told: behind the name of who has nothing in the columns."""
    has = any(column.track in combatant.tracks for column in columns.columns)
    return columns.end if has or combatant.life != "up" else columns.tracks_at


@lru_cache(maxsize=MOST_KEPT)
def _member(
    number: int,
    combatant: Combatant,
    is_here: bool,
    acting: bool,
    beside: bool,
    marked: tuple[tuple[str, str], ...],
    ruleset: Ruleset,
    inks: Styles,
) -> StyledLine:
    """`#11 4/6`, with what is left to act with while they are `acting`; a cross for whoever is out.

    With effects `beside` it, these are counted.
    """
    line = StyledLine().add(f"#{number} ", inks.strong if is_here else inks.dim)
    if combatant.is_out:
        return line.add("✗", inks.dim)
    if combatant.life != "up":
        line.add(f"{LIFE_WORDS[combatant.life]} ", inks.bad)
    for track, rule in tracks_in_order(ruleset.tables).items():
        found = combatant.tracks.get(track)
        if found is None or not rule.everybody or rule.when not in (None, combatant.life):
            continue
        if rule.shown == "bar":
            line.add(" " * (not line.text.endswith(" ")))
            line.add(drawing.format_track(found), drawing.health_style(found, inks))
        elif rule.spent and acting and combatant.life == "up":
            line.join(_glyphs(rule, found, inks)).add(" " * (rule.shown != "box"))
        elif rule.counts == "marked" and found.value:
            line.add(f" {rule.short}{found.value}", drawing.marked_ink(rule, inks))
        if (combatant.id, track) in marked:
            line.add(MARK, inks.strong)
    count = len(effect_badges(ruleset.tables, combatant)) if beside else 0
    return line.add(f" {drawing.count_of_hidden(count, '')}" if count else "", inks.strong)


def members_below(row: TurnOrderRowData, look: RowStyle, width: int) -> list[StyledLine]:
    """List each member's effects by its number: `#12 prone until it stands`, `#14 shaken`."""
    lines: list[StyledLine] = []
    for number, combatant in zip(row.numbers, row.members, strict=True):
        head = StyledLine().add(f"#{number} ", look.inks.dim)
        parts = lines_below(look, combatant, width - head.width)
        lines += drawing.hanging_indent(head, parts)
    return lines


# -- what lasts ------------------------------------------------------------------------------------


def lines_below(look: RowStyle, combatant: Combatant, width: int) -> list[StyledLine]:
    """List a combatant's effects in as many lines as they take: `restrained until freed · prone`.

    Their ends are told, which stand among the timers as well, by whom they are, the names of what
    is counted, and amounts of what has a name of its own, which the card has, where these take no
    line more.
    """
    badges = effect_badges(look.ruleset.tables, combatant)
    by = [_by_whom(look, combatant, each) for each in badges]
    ends = [_end_of(look, combatant, each) for each in badges]
    called, nothing = [each.called for each in badges], [""] * len(badges)
    forms = [
        (called, by, ends),
        (called, by, nothing),
        ([each.signed for each in badges], by, nothing),
        *(([each.cut(cells) for each in badges], by, nothing) for cells in FIRST_WORDS),
        (called, nothing, ends),
        (called, nothing, nothing),
        ([each.beside for each in badges], nothing, nothing),
        ([each.signed if each.note else each.beside for each in badges], nothing, nothing),
    ]
    inks = [look.inks.effect(each.kind) for each in badges]
    wordings = (
        [
            StyledLine().add(f"{name}{source}", ink).add(end, look.inks.dim)
            for name, source, end, ink in zip(*form, inks, strict=True)
        ]
        for form in forms
        if any(by) or form[1] is nothing
    )
    return min((_flowing(look, pieces, width) for pieces in wordings), key=len)


def _flowing(look: RowStyle, pieces: list[StyledLine], width: int) -> list[StyledLine]:
    lines: list[StyledLine] = []
    for piece in drawing.items_that_fit(pieces, width):
        if lines and lines[-1].width + len(BETWEEN) + piece.width <= width:
            lines[-1].add(BETWEEN, look.inks.faint).join(piece)
        else:
            lines.append(piece)
    return lines


def _end_of(look: RowStyle, combatant: Combatant, badge: EffectBadge) -> str:
    """` until freed`"""
    if badge.first is None or not badge.kind.timed:
        return ""
    end = common_end_text(look.ruleset.tables, look.state, combatant, [badge.first])
    return f" {end}" if end else ""


def _by_whom(look: RowStyle, combatant: Combatant, badge: EffectBadge) -> str:
    """` by Reef Lurcher`"""
    first = badge.first
    is_one = first is not None and badge.times == 1
    return by_whom(look.ruleset.tables, look.state, combatant, first) if first and is_one else ""


def words_beside(look: RowStyle, combatant: Combatant, columns: ColumnLayout) -> StyledLine:
    """List a combatant's effects in their row. In a wide order as many have their ends as have room
    so, the first ones before the others, if all have room."""
    width = columns.width - _words_at(combatant, columns)
    badges = effect_badges(look.ruleset.tables, combatant)
    names = [f"{each.beside}{_by_whom(look, combatant, each)}" for each in badges]
    free = width - sum(map(cell_len, names)) - GAP * (len(names) - 1)
    if not badges or columns.width < WIDE or free < 0:
        return words_within(look, combatant, width)
    line = StyledLine()
    for name, badge in zip(names, badges, strict=True):
        end = _end_of(look, combatant, badge)
        end = end if cell_len(end) <= free else ""
        free -= cell_len(end)
        line.column(line.width and line.width + GAP).add(name, look.inks.effect(badge.kind))
        line.add(end, look.inks.dim)
    return line


def words_within(look: RowStyle, combatant: Combatant, width: int) -> StyledLine:
    """List a combatant's effects in one line as far as there is room, then `…2` for the others.

    What comes first is told before others. Where more have room so, it isn't told by whom they are,
    a mark stands for a name, as `◉ Fog Wall`, or a name alone, without amounts and notes; if there
    is hardly any room for names either, short forms. Of what has no room so, a mark stands alone
    behind the others, as that of concentration.
    """
    badges, inks = effect_badges(look.ruleset.tables, combatant), look.inks
    wordings = [
        [f"{each.beside}{_by_whom(look, combatant, each)}" for each in badges],
        [each.beside for each in badges],
        [each.signed for each in badges],
        [each.cut(FIRST_WORDS[-1]) for each in badges],
    ]
    if width < ROOM_FOR_NAMES:
        forms = forms_in(look)
        wordings.append([forms.get(each.brief, each.brief) for each in badges])
    fitting = ((words, _that_fit([*map(cell_len, words)], width)) for words in wordings)
    words, places = max(fitting, key=lambda found: (0 in found[1], len(found[1])))
    line = StyledLine()
    for place in places:
        line.column(line.width and line.width + GAP)
        line.add(words[place], inks.effect(badges[place].kind))
    marks = [each.kind for n, each in enumerate(badges) if n not in places and each.kind.mark]
    more = len(badges) - len(places) - len(marks)
    of_these = sum(cell_len(kind.mark) + GAP for kind in marks)
    if line.width + of_these + (more and len(f" …{more}")) > width:
        return _and_more(line, more + len(marks), width, inks)
    for kind in marks:
        line.column(line.width and line.width + GAP).add(kind.mark, inks.effect(kind))
    return _and_more(line, more, width, inks)


@lru_cache(maxsize=8)  # a state never changes, and many rows ask this of one
def forms_in(look: RowStyle) -> Mapping[str, str]:
    """The short forms of all effects on anybody."""
    names = (effect.name for c in look.state.combatants for effect in c.effects)
    return drawing.short_forms(look.ruleset.tables, names)


def _that_fit(cells: Sequence[int], width: int) -> list[int]:
    """The pieces that have room side by side, the first ones before the others.

    Where some have none, there is room as well to say how many.
    """
    if sum(cells) + GAP * (len(cells) - 1) <= width:
        return list(range(len(cells)))
    remaining: list[int] = []
    left = width - len(f" …{len(cells)}")
    for place, each in enumerate(cells):
        if each <= left:
            remaining.append(place)
            left -= each + GAP
    return remaining


def _and_more(line: StyledLine, more: int, width: int, inks: Styles) -> StyledLine:
    """The line, with how many pieces had no room in it: `…1 more`, or `…1` where it has to
    be short."""
    if not more:
        return line
    before = " " * bool(line.width)
    whole, brief = drawing.count_of_hidden(more), drawing.count_of_hidden(more, "")
    fits = line.width + len(before) + cell_len(whole) <= width
    return line.add(before + (whole if fits else brief), inks.strong)
