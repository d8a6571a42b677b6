"""The acts possible now: attacks, powers and techniques, with their keys and costs."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import ClassVar, NamedTuple

from rich.cells import cell_len
from textual import events

from affray.core.engine.events import AnyEvent, CostPaid
from affray.core.engine.state import Combatant, Encounter, Track
from affray.core.formatting.effects import words_of_part
from affray.core.formatting.safe_text import strip_control_chars
from affray.core.parser.spelling import fold
from affray.core.rules.ruleset import AvailableAction, Ruleset, all_options
from affray.core.rules.tables import Tables, TechniqueRow, TrackRow
from affray.tui.drawing import (
    StyledLine,
    count_of_hidden,
    first_words,
    flow_items,
    items_that_fit,
    max_width,
    truncate,
    wrap,
    wrapped_within,
)
from affray.tui.fight_view import FightView, KeyBindingClicked
from affray.tui.keymap import OTHER, KeyBinding, Keymap
from affray.tui.prompts.context import PromptContext
from affray.tui.prompts.opening import attacks_by_letter
from affray.tui.theme import Styles
from affray.tui.widgets.base import LinesPane

# -------------------------------------------------------------------------------------------------
# Costs: now and next, in words and in letters

REACTION = "◆"


def common_track(tables: Tables) -> str:
    """The one track that everything costs, so that a number is enough; empty for several."""
    costs = {t for row in tables.techniques.values() if not row.reaction for t in row.cost}
    counted = {t for t in costs if tables.tracks[t].shown not in ("badge", "box")}
    return counted.pop() if len(counted) == len(costs) == 1 else ""


def format_cost(
    rules: Mapping[str, TrackRow],
    technique: TechniqueRow,
    option: AvailableAction,
    common: str = "",
    letters: bool = False,
    then: str = "→",
) -> str:
    """`1→2`; with marks as well, `2 AP +1 Fat`, and in brief `2+Fat`; `A, then 1 attack` where the
    next is paid with something else, in brief `A`. `then` stands between this price and the next.
    """
    also = {t: by for t, by in technique.marks.items() if t not in option.cost}
    prices = [*option.cost.items(), *also.items()]
    bare = letters or len(prices) == 1
    words = [
        str(by) if bare and track == common else _price(rules, track, by, letters)
        for track, by in prices
    ]
    later = [
        f"{then}{by}" if track in option.cost else f", then {_price(rules, track, by)}"
        for track, by in option.after.items()
        if by != option.cost.get(track) and (track in option.cost or not letters)
    ]
    if technique.reaction and words == [REACTION]:
        return ""  # its name is marked so
    paid = ("+" if letters else " ").join(words)
    return paid + "".join(later[:1]) or "free"


def cost_in_words(rules: Mapping[str, TrackRow], cost: Mapping[str, int]) -> str:
    """`S` or `A 2 Fortune`: what something costs, each track with its name."""
    return " ".join(_price(rules, track, by) for track, by in cost.items())


def price_of(events: Iterable[AnyEvent], rules: Mapping[str, TrackRow]) -> list[str]:
    """The amounts that events paid, such as `3 AP`; the action itself goes without saying."""
    paid: dict[str, int] = {}
    for event in events:
        if isinstance(event, CostPaid):
            paid[event.track] = paid.get(event.track, 0) + event.by
    amounts = ((track, by) for track, by in paid.items() if track in rules)
    return [
        _price(rules, track, by)
        for track, by in amounts
        if rules[track].shown in ("pips", "boxes", "number") and not rules[track].passing
    ]


def _price(rules: Mapping[str, TrackRow], track: str, by: int, letters: bool = False) -> str:
    rule = rules.get(track)
    label = (rule.short or rule.label) if rule else track
    if rule is not None and rule.shown == "badge":
        return "◆" * by
    if rule is not None and rule.shown == "box":
        return label * by
    if rule is not None and rule.passing and not letters:
        return f"{by} {rule.label_of(by).removesuffix(' left').lower()}"
    if letters and not (rule is not None and rule.passing):
        return f"{'' if by == 1 else by}{label}"
    return f"+{by} {label}" if rule is not None and rule.counts == "marked" else f"{by} {label}"


GAP = 2
WIDE_ENOUGH_FOR_THE_TEXT = 70
LEAST_OF_A_NAME = 6
WHOLE = 40
FLOWS = (
    *((most, True) for most in (WHOLE, 20, 16, 14, 12)),
    *((most, False) for most in (WHOLE, 16, 12, 10, 8)),
)
"""Where there are no columns: the cells of a name, and whether costs of what everybody can do are
told."""
AROUND_A_KEY = 2
"""The blank cells behind a key."""
DENSITIES = (WHOLE, 24, 20, 16, 14, 12, 10, 8, LEAST_OF_A_NAME)
"""The cells of a name at most: the first by which everything has room is had."""


class Attack(NamedTuple):
    """An attack of the actor: its keys, its name, its numbers and words.

    option  the technique with which it is made
    """

    option: AvailableAction
    key: str
    name: str
    numbers: str
    text: str


BEHIND_A_TARGET = "·"
"""It stands in a key for the target, which is chosen before the letter of an attack."""


@lru_cache(maxsize=8)  # for the layout, and to be drawn
def attacks_of(
    ruleset: Ruleset, state: Encounter, keymap: Keymap, actor: str, cursor: str
) -> list[Attack]:
    """The attacks that the actor can make now: the first of the sheet by the key alone, the others
    by their letters after the target."""
    found, combatant = _attack_key(ruleset, keymap), state.find(actor)
    if found is None or found.prompt is None or combatant is None:
        return []
    options = all_options(ruleset, state, combatant)
    option = next((o for o in options if o.technique == found.prompt.technique), None)
    if option is None or not option.available:
        return []
    context = PromptContext(state, ruleset, actor, cursor)
    names = [*ruleset.actions.weapons(combatant)]
    letters = attacks_by_letter(found.prompt, context) if names[1:] else None
    keys = {name: f"{found.shown}{BEHIND_A_TARGET}{key}" for key, name in (letters or {}).items()}
    named = [(n, found.shown) for n in names[:1]] + [(n, keys[n]) for n in names[1:] if n in keys]
    return [Attack(option, key, name, *_numbers_of(combatant, name)) for name, key in named]


@lru_cache(maxsize=8)
def _attack_key(ruleset: Ruleset, keymap: Keymap) -> KeyBinding | None:
    """The first key that begins an act done with one of the actor's attacks."""
    nobody = PromptContext(Encounter(), ruleset)
    for key in keymap.keys:
        spec = key.prompt
        if spec is not None and spec.technique and attacks_by_letter(spec, nobody) is not None:
            return key
    return None


def _numbers_of(combatant: Combatant, name: str) -> tuple[str, str]:
    """The bonus and the dice of an attack, as far as the sheet says so; and the rest of its row."""
    for rows in combatant.stats.values():
        for row in rows if isinstance(rows, list) else ():
            if isinstance(row, dict) and row.get("name") == name:
                words = {key: value for key, value in row.items() if key != "name"}
                numbers = {key: words[key] for key in ("bonus", "dice") if key in words}
                rest = {key: value for key, value in words.items() if key not in numbers}
                return words_of_part(numbers), words_of_part(rest)
    return "", ""


class TechniqueCell(NamedTuple):
    """An option: the key that begins it, its name, what a click does, its text.

    costs   what it costs now, in words and in letters, each with what is said of it in brief
    price   what it costs now, for a row in which its text tells the rest
    usual   the cells of its usual price, and of its usual costs in letters: so its place hangs on
            no turn; of the letters no fewer than now, or its name would have to give way
    in_list True if it has no key of its own, so that it is in the list of other acts as well
    """

    option: AvailableAction
    key: str
    name: str
    chosen: KeyBindingClicked
    text: str
    costs: tuple[str, str]
    price: str
    usual: tuple[int, int]
    in_list: bool = False


class GridColumn(NamedTuple):
    """A column of the technique grid: its first cell, the width of its cells, and that of keys and
    names; `gap` has the blank cells behind a key."""

    start: int
    width: int
    key: int
    name: int
    gap: int

    @property
    def room(self) -> int:
        """The cells left for what follows the key."""
        return self.width - self.key


class CellPosition(NamedTuple):
    """A cell as it is drawn: where it begins in its row, how wide it is, and its line."""

    start: int
    width: int
    line: StyledLine
    chosen: KeyBindingClicked | None = None


class TechniqueGrid(NamedTuple):
    """The technique grid as it was drawn for some options.

    wanted  the rows that would hold all
    others  the key of the list of other acts, and how many stand only there
    barred  how many can't be used now
    why     the reason that most of them share; empty for none
    lost    one's own among them
    """

    places: list[list[CellPosition]]
    lines: list[StyledLine]
    wanted: int
    others: str
    barred: int
    why: str
    lost: tuple[str, ...]

    @property
    def not_now(self) -> str:
        """`9 not now: action used`, or `9 not now: Ash Breath …`; empty where all can be used."""
        text = f"{self.barred} not now" if self.barred else ""
        more = " …" if len(self.lost) < self.barred else ""
        why = self.why or (self.lost and f"{', '.join(self.lost)}{more}")
        return f"{text}: {why}" if why else text


def grid_for(
    tables: Tables,
    options: list[AvailableAction],
    keymap: Keymap,
    size: tuple[int, int],
    inks: Styles,
    attacks: Sequence[Attack] = (),
    tracks: Mapping[str, Track] = {},
) -> TechniqueGrid:
    """The grid of those options that are available, for so many cells in width and height.

    Where it has no room for all, what has no key of its own is left to the list of other acts, and
    an attack alone to the card. `tracks` are those that they are paid with.
    """
    width, height = size
    own, rest = cells_of(tables, [each for each in options if each.available], keymap, attacks)
    wanted, more = _rows_for(own, width) + _rows_for(rest, width), 0
    if wanted > height:
        keyed = [cell for cell in rest if not cell.in_list]
        more, rest = len(rest) - len(keyed), keyed
    alone = len(attacks) == 1  # the technique that makes it says as much, without the numbers
    if alone and _rows_for(own, width) + _rows_for(rest, width) > height:
        own = own[1:]
    places = _places(own, rest, bool(own or keymap.for_own), size, inks)
    lines = [_joined(row) for row in places]
    opens = keymap.by_id[OTHER].shown if more else ""
    acts = "act" if more == 1 else "acts"
    return TechniqueGrid(
        places,
        lines,
        wanted,
        opens and f"{opens} {more} other {acts}",
        *_barred(tables, options, tracks),
    )


def _places(
    own: list[TechniqueCell],
    rest: list[TechniqueCell],
    keeps_rows: bool,
    size: tuple[int, int],
    inks: Styles,
) -> list[list[CellPosition]]:
    """Everything in its place: most in rows with their texts if these have room, else a grid.

    `keeps_rows`: the techniques of everybody keep their rows at the bottom, however many powers
    of one's own stand above them, unless names are cut.
    """
    width, height = size
    if 0 < _rows_with_most_told(own, rest, width) <= height:
        lines, others = _split_by_room([*own, *rest], size)
        grid = _grid(others, columns_of(others, width), inks, height - len(lines))
        return [*_with_texts(lines, (width, height - len(grid)), inks), *grid]
    each = (own, rest)
    dense = ((m, gap) for gap in (AROUND_A_KEY, 1) for m in DENSITIES)
    fits = (d for d in dense if sum(_rows_for(cells, width, *d) for cells in each) <= height)
    most, gap = next(fits, (0, 1))
    if not most:
        return _flowing(own, rest, size, inks)
    if not keeps_rows:
        columns = _close_columns(rest, width, most, height, gap)
        return _within(_grid(rest, columns, inks, height), height, inks)
    rows = height - _rows_for(own, width, most, gap)
    columns = columns_of(rest, width, most, gap=gap)
    if any(cell_len(rest[n].name) > columns[n % len(columns)].name for n in range(len(rest))):
        columns = _close_columns(rest, width, most, rows, gap)
    below = _grid(rest, columns, inks, rows)
    room = height - len(below)
    if width >= WIDE_ENOUGH_FOR_THE_TEXT and len(own) <= room:
        above = _with_texts(own, (width, room), inks)
    else:
        above = _grid(own, columns_of(own, width, most, room, gap), inks, room)
    free: list[list[CellPosition]] = [[] for _ in range(room - len(above) if above else 0)]
    return _within([*above, *free, *below], height, inks)


def _flowing(
    own: list[TechniqueCell], rest: list[TechniqueCell], size: tuple[int, int], inks: Styles
) -> list[list[CellPosition]]:
    """Everything one behind the other, where columns have no room for all: keys and short names,
    one's own with numbers, the others with what they cost as long as all have room so."""
    cells, names = [*own, *rest], [cell.name for cell in (*own, *rest)]
    lines: list[StyledLine] = []
    for most, costs in FLOWS:
        tells = [True] * len(own) + [costs] * len(rest)
        short = [first_words(name, most) for name in names]
        lines = []
        for cell, name, is_told in zip(cells, short, tells, strict=True):
            name = name if short.count(name) == 1 else truncate(cell.name, most)
            line = StyledLine().add(f"{cell.key} ", inks.accent).add(name, inks.plain)
            cost = (cell.costs[1].partition(" ")[0] or cell.costs[0]) if is_told else ""
            lines.append(line.add(f" {cost}" if cost else "", inks.strong))
        if len(flow_items(lines, size[0], GAP)) <= size[1]:
            break
    rows: list[list[CellPosition]] = []
    end = size[0]
    for cell, line in zip(cells, lines, strict=True):
        if end + GAP + line.width > size[0]:
            rows.append([])
        start = end + GAP if rows[-1] else 0
        end = start + line.width
        rows[-1].append(CellPosition(start, size[0] - start, line, cell.chosen))
    return _within(rows, size[1], inks)


def _split_by_room(
    cells: list[TechniqueCell], size: tuple[int, int]
) -> tuple[list[TechniqueCell], list[TechniqueCell]]:
    """Split the techniques: those with a row and text each, and those in a grid below."""
    width, height = size
    fits = (n for n in range(len(cells), 0, -1) if n + _rows_for(cells[n:], width) <= height)
    many = next(fits, 0)
    return cells[:many], cells[many:]


def _rows_with_most_told(own: list[TechniqueCell], rest: list[TechniqueCell], width: int) -> int:
    """The rows for more than half of all, one's own among them, with texts; 0 for no room."""
    if width < WIDE_ENOUGH_FOR_THE_TEXT:
        return 0
    cells, most = [*own, *rest], max(len(own), (len(own) + len(rest)) // 2 + 1)
    return most + _rows_for(cells[most:], width)


def _within(rows: list[list[CellPosition]], height: int, inks: Styles) -> list[list[CellPosition]]:
    """The rows that fit; the last cell counts those that don't."""
    remaining = rows[:height]
    if len(rows) > height and remaining:
        *before, last = remaining[-1]
        missing = 1 + sum(len(row) for row in rows[height:])
        whole, brief = count_of_hidden(missing), count_of_hidden(missing, "")
        words = whole if cell_len(whole) <= last.width else brief
        line = StyledLine().right(StyledLine().add(words, inks.warn), last.width)
        remaining[-1] = [*before, CellPosition(last.start, last.width, line)]
    return remaining


def _joined(row: list[CellPosition]) -> StyledLine:
    line = StyledLine()
    for place in row:
        line.column(place.start).join(place.line)
    return line


# -- what there is ---------------------------------------------------------------------------------


def cells_of(
    tables: Tables,
    options: list[AvailableAction],
    keymap: Keymap,
    attacks: Sequence[Attack] = (),
) -> tuple[list[TechniqueCell], list[TechniqueCell]]:
    """One's own: attacks, and powers, which go by one key and letters; then the techniques: what
    has no key of its own behind the others, and reactions at the end."""
    by_name, common = tables.techniques, common_track(tables)
    own, rest = [_attack_cell(attack) for attack in attacks], []
    letters = _letters([option.name for option in options if option.technique not in by_name])
    for option in options:
        name = option.technique
        if name in by_name:
            found = keymap.of_technique(name)  # the user's own key before the table's
            key, chosen = (
                found.shown if found is not None else "",
                KeyBindingClicked(f"technique.{name}"),
            )
            cell = _cell(tables, by_name[name], option, key, chosen, common)
            rest.append(cell._replace(in_list=found is not None and not found.keys))
        else:
            row, begins = TechniqueRow(name=option.name, text=option.text), keymap.of_own(option)
            key = f"{begins.shown}{letters[option.name]}" if begins is not None else ""
            chosen = KeyBindingClicked(own=option.name)
            own.append(_cell(tables, row, option, key, chosen, common))
    rest.sort(key=lambda cell: (by_name[cell.option.technique].reaction, len(cell.key) > 1))
    return own, rest


def _attack_cell(attack: Attack) -> TechniqueCell:
    return TechniqueCell(
        attack.option,
        attack.key,
        strip_control_chars(attack.name),
        KeyBindingClicked(f"technique.{attack.option.technique}"),
        attack.text,
        (attack.numbers, ""),
        attack.numbers,
        (cell_len(attack.numbers), 0),
    )


def _letters(names: Sequence[str]) -> dict[str, str]:
    """The shortest start of each name that no earlier name has; none for a single name."""
    found: dict[str, str] = {}
    folded = [fold(name) for name in names]
    for number, (name, plain) in enumerate(zip(names, folded, strict=True)):
        starts = (plain[:n] for n in range(1, len(plain) + 1))
        enough = (s for s in starts if not any(f.startswith(s) for f in folded[:number]))
        found[name] = next(enough, plain) if names[1:] else ""
    return found


def _cell(
    tables: Tables,
    row: TechniqueRow,
    option: AvailableAction,
    key: str,
    chosen: KeyBindingClicked,
    common: str,
) -> TechniqueCell:
    name = (
        f"{REACTION}{strip_control_chars(row.name)}"
        if row.reaction
        else strip_control_chars(row.name)
    )
    rises = {track: by + 1 for track, by in row.cost.items()} if row.repeat == "rising" else {}
    usual = AvailableAction(option.technique, row.cost or option.cost, rises)
    price = format_cost(tables.tracks, row, option, common)
    usual_price = format_cost(tables.tracks, row, usual, common)
    letters = _in_brief(format_cost(tables.tracks, row, option, common, letters=True), option)
    usual_letters = _in_brief(format_cost(tables.tracks, row, usual, common, letters=True), option)
    costs = (_in_brief(price, option), letters)
    widths = (cell_len(usual_price), max(cell_len(usual_letters), cell_len(letters)))
    return TechniqueCell(option, key, name, chosen, row.text, costs, price, widths)


def _in_brief(price: str, option: AvailableAction) -> str:
    """A price, with the short words on the option."""
    return f"{price} {option.brief}".rstrip()


def _barred(
    tables: Tables, options: list[AvailableAction], tracks: Mapping[str, Track]
) -> tuple[int, str, tuple[str, ...]]:
    """Return the number of those that can't be used now, the reason that most of them share, or
    the track that is too low for most, reactions apart, and one's own among them."""
    many = sum(not each.available for each in options)
    reactions = {name for name, row in tables.techniques.items() if row.reaction}
    barred = [o for o in options if not o.available and o.technique not in reactions]
    short = Counter(
        f"{tracks[track].value} {tables.track(track).label} left"
        for each in barred
        for track, by in each.cost.items()
        if track in tracks and tracks[track].value < by
    )
    reasons = Counter(each.reason for each in barred)
    found = (*reasons.most_common(1), *short.most_common(1))
    lost = tuple(
        o.name for o in options if not o.available and o.technique not in tables.techniques
    )
    return many, next((why for why, times in found if times * 2 > many), ""), lost


# -- the grid --------------------------------------------------------------------------------------


def columns_of(
    cells: list[TechniqueCell],
    width: int,
    most: int = WHOLE,
    rows: int = 1,
    gap: int = AROUND_A_KEY,
) -> list[GridColumn]:
    """Columns side by side: as few as so many rows need, as far as they have room.

    What room is left over goes to names that are cut, then to all of them.
    """
    key = max(min((cell_len(cell.key) for cell in cells), default=0), 1) + gap
    around = key + 1 + max((cell.usual[1] for cell in cells), default=0)
    needs = tuple((cell_len(cell.name), _longer_key(cell, key, gap)) for cell in cells)
    names = _names(needs, width, around, most, rows)
    more = max(width + GAP - sum(around + name + GAP for name in names), 0) // len(names)
    widths = [around + name + more for name in names]
    spare = width + GAP - sum(widths) - GAP * len(widths)
    for n, had in enumerate(widths):
        wanted = (_width_of(cell, key, gap) for cell in cells[n :: len(widths)])
        widths[n] = max([had, *(wide for wide in wanted if wide <= had + spare)])
        spare -= widths[n] - had
    start, columns = 0, []
    for name, wide in zip(names, widths, strict=True):
        columns.append(GridColumn(start, wide, key, name, gap))
        start += wide + GAP
    return columns


def _close_columns(
    cells: list[TechniqueCell], width: int, most: int, rows: int, gap: int
) -> list[GridColumn]:
    """The columns for so many rows; with keys close to the names, if that makes more of them whole
    where too few rows are free for the rest of them."""

    def cut(columns: list[GridColumn]) -> list[int]:
        """The places of the names that are cut."""
        placed = [_beside_key(cell, columns[n % len(columns)]) for n, cell in enumerate(cells)]
        return [n for n, at in enumerate(placed) if cell_len(at[0].name) > _name_room(*at)]

    columns = columns_of(cells, width, most, rows, gap)
    many, long = len(columns), cut(columns)
    if not long or -(-len(cells) // many) + len({n // many for n in long}) <= rows:
        return columns
    close = columns_of(cells, width, most, rows, gap=1)
    return close if len(cut(close)) < len(long) else columns


def _rows_for(
    cells: list[TechniqueCell], width: int, most: int = WHOLE, gap: int = AROUND_A_KEY
) -> int:
    """The rows of these cells, as many side by side as have room."""
    return -(-len(cells) // len(columns_of(cells, width, most, gap=gap)))


@lru_cache(maxsize=64)
def _names(
    cells: tuple[tuple[int, int], ...], width: int, around: int, most: int, rows: int
) -> list[int]:
    """The cells for the names in each column, of names of so many cells, each with what its key is
    too long; `around` is what else a column takes.

    The same creatures do the same things from key to key.
    """
    found = [max(width - around, 1)]
    uncut = min(max((name for name, _ in cells), default=0), WHOLE)
    for count in range(1, min(len(cells), (width + GAP) // (around + GAP)) + 1):
        room = width + GAP - count * (around + GAP)
        for longest in range(min(most, uncut), uncut + 1):
            each = [
                max(min(name, longest) + longer for name, longer in cells[n::count])
                for n in range(count)
            ]
            if sum(each) > room:
                break
            found = each
        if len(found) * rows >= len(cells):
            break
    return found


def _width_of(cell: TechniqueCell, key: int, gap: int) -> int:
    """The cells that it takes whole, with its usual price in brief."""
    return key + _longer_key(cell, key, gap) + cell_len(cell.name) + 1 + cell.usual[1]


def _longer_key(cell: TechniqueCell, key: int, gap: int) -> int:
    """The number of cells by which its key exceeds the column of keys: `;st` among letters."""
    return max(cell_len(cell.key) + gap - key, 0)


def _beside_key(cell: TechniqueCell, column: GridColumn) -> tuple[TechniqueCell, GridColumn]:
    """The cell, and the column as the cell's key leaves it."""
    longer = _longer_key(cell, column.key, column.gap)
    return cell, column._replace(key=column.key + longer, name=max(column.name - longer, 1))


def _grid(
    cells: list[TechniqueCell], columns: list[GridColumn], inks: Styles, height: int
) -> list[list[CellPosition]]:
    """The cells in rows. Long names go on in a second row, as far as the height has rows for it.

    That depends on the names alone, so that nothing moves from turn to turn.
    """
    many = len(columns)
    chunks = [
        list(map(_beside_key, cells[n : n + many], columns)) for n in range(0, len(cells), many)
    ]
    if len(cells) % many:  # nothing stands beside the very last one
        last, column = chunks[-1][-1]
        chunks[-1][-1] = last, _up_to_the_end(column, columns[-1], cell_len(last.name))
    free, rows = height - len(chunks), []
    words = all(_has_room_for_words(*pair) for chunk in chunks for pair in chunk)
    for chunk in chunks:
        wraps = free > 0 and any(cell_len(cell.name) > _name_room(cell, c) for cell, c in chunk)
        free -= wraps
        rows.append([_place(cell, c, _drawn(cell, c, inks, words, wraps)) for cell, c in chunk])
        if wraps:
            rows.append([_place(cell, c, _rest_of_name(cell, c, inks)) for cell, c in chunk])
    return rows


def _up_to_the_end(column: GridColumn, end: GridColumn, name: int) -> GridColumn:
    """The column, as wide as to where the last one ends; a name of so many cells has room in it."""
    width = end.start + end.width - column.start
    return column._replace(width=width, name=max(column.name, min(name, width - column.key)))


def _place(cell: TechniqueCell, column: GridColumn, line: StyledLine) -> CellPosition:
    return CellPosition(column.start, column.width, line, cell.chosen)


def _name_room(cell: TechniqueCell, column: GridColumn) -> int:
    """The cells that a name may have: those of its column, or more if its cost is short."""
    return max(column.name, column.room - cell.usual[1] - 1)


def _has_room_for_words(cell: TechniqueCell, column: GridColumn) -> bool:
    """True if its cost fits in words."""
    least = min(cell_len(cell.name), column.name) + 1
    return least + cell_len(cell.costs[0]) <= column.room


def _drawn(
    cell: TechniqueCell, column: GridColumn, inks: Styles, words: bool = True, wraps: bool = False
) -> StyledLine:
    """`s  Strike  1→2`

    `words`: the cost is in words and not in letters; `wraps`: the name continues.
    """
    name = wrap(cell.name, _name_room(cell, column))[0] if wraps else cell.name
    line = StyledLine().add(cell.key, inks.accent).column(column.key)
    cost = cell.costs[0 if words else 1]
    line.add(_shorter(name, column.room - cell_len(cost) - 1 if cost else column.room), inks.plain)
    if not cost:
        return line
    at = min(column.key + column.name + 1, column.width - cell_len(cost))
    return line.column(max(at, line.width + 1)).add(cost, inks.strong)


def _shorter(name: str, room: int) -> str:
    """A name cut at the end of a word, if its first has room: `Opportunity…`, `Retrieve`."""
    whole = wrap(name, room)[:1] if cell_len(name) > room else []
    if not whole or not name.startswith(f"{whole[0]} "):
        return truncate(name, room)
    return truncate(f"{whole[0]}…", room) if cell_len(whole[0]) < room else whole[0]


def _rest_of_name(cell: TechniqueCell, column: GridColumn, inks: Styles) -> StyledLine:
    """The second row of a name."""
    rest = wrap(cell.name, _name_room(cell, column))[1:]
    return StyledLine().column(column.key).add(truncate(" ".join(rest), column.room), inks.plain)


# -- with their texts ------------------------------------------------------------------------------


def _with_texts(
    cells: list[TechniqueCell], size: tuple[int, int], inks: Styles
) -> list[list[CellPosition]]:
    """The techniques in a row each, with the text beside it; texts wrap into spare rows.

    The shortest texts get them first, so that most are whole.
    """
    width, free = size[0], size[1] - len(cells)
    key = max_width([cell.key for cell in cells]) + AROUND_A_KEY
    name = max_width([cell.name for cell in cells])
    cost = max((cell.usual[0] for cell in cells), default=0)
    column = GridColumn(0, key + name + 1 + cost, key, name, AROUND_A_KEY)
    start = column.width + GAP
    room = width - start
    lines = [strip_control_chars(cell.text) for cell in cells]
    wraps = [wrap(text, room) for text in lines]
    had = dict.fromkeys(range(len(cells)), 1)
    for n in sorted(had, key=lambda n: len(wraps[n])):
        had[n] = min(len(wraps[n]), 1 + free)
        free -= had[n] - 1
    rows = []
    for n, cell in enumerate(cells):
        texts = wrapped_within(lines[n], room, had[n]) if had[n] < len(wraps[n]) else wraps[n]
        first = _drawn(cell._replace(costs=(cell.price, "")), column, inks)
        for text in texts + [""] * (had[n] - len(texts)):
            rows.append(
                [CellPosition(0, width, first.column(start).add(text, inks.dim), cell.chosen)]
            )
            first = StyledLine()
    return rows


# -------------------------------------------------------------------------------------------------
# The pane

MOST_KEPT = 8
"""So many grids are kept: those up one after the other can often do the same."""

Asked = tuple[
    list[AvailableAction], Keymap, tuple[int, int], Styles, list[Attack], Mapping[str, Track]
]
"""What a grid is drawn for: what can be done, by which keys, in a size and with inks, which attacks
can be made, and the tracks of whoever acts."""


class TechniquesPane(LinesPane):
    """The acts that the actor can do now; the frame has the number of all others, and the
    reason."""

    NAME: ClassVar[str] = "Techniques"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._grids: deque[tuple[Asked, TechniqueGrid]] = deque(maxlen=MOST_KEPT)
        self._places: list[list[CellPosition]] = []

    def slice(self, view: FightView) -> tuple[object, ...]:
        """Take the whole state, as costs and reasons may depend on anything in the fight."""
        return (view.state, view.actor(), view.keymap)

    def make_lines(self, view: FightView, width: int) -> list[StyledLine]:
        """Draw the grid: the combatant's own attacks and powers first, then techniques, then
        reactions. If nothing can be done, show the reason and the remedy."""
        grid = self._grid_of(view, width)
        aside = " · ".join(filter(None, (grid.others, grid.not_now)))
        self.entitle(self.NAME, aside and f" {aside} ")
        self._places = grid.places
        if any(grid.places):
            return grid.lines
        return list(items_that_fit(self._of_nothing(view, grid), width))

    def _of_nothing(self, view: FightView, grid: TechniqueGrid) -> Iterator[StyledLine]:
        """`Odo can do nothing now: dying`, and the acts still possible, with their keys."""
        actor = view.state.find(view.actor())
        if actor is None:
            return
        words = f"{actor.name} can do nothing now{f': {grid.why}' if grid.why else ''}"
        yield StyledLine().add(words, self.inks.warn)
        for row in view.pending if view.view_at is None else ():
            line = StyledLine().add(f"{view.key_for('answer')}  ", self.inks.accent)
            yield line.add(row.what, self.inks.strong)
        if view.state.takes_turn(actor.id) and view.key_for("next"):
            line = StyledLine().add(f"{view.key_for('next')}  ", self.inks.accent)
            yield line.add("ends the turn", self.inks.plain)

    def prefetch(self, view: FightView) -> None:
        """Find the possible acts of that view."""
        view.options(view.actor())

    def rows_wanted(self, width: int) -> int:
        """The rows of the grid in so many cells."""
        return self._grid_of(self.shown, width).wanted if self.shown is not None else 0

    def _grid_of(self, view: FightView, width: int) -> TechniqueGrid:
        """The grid of possible acts, mostly the same as a moment ago."""
        size = (width, self.room.height)
        actor = view.actor()
        attacks = attacks_of(view.ruleset, view.state, view.keymap, actor, view.cursor)
        who = view.state.find(actor)
        tracks = who.tracks if who is not None else {}
        asked = (view.options(actor), view.keymap, size, self.inks, attacks, tracks)
        for before, grid in self._grids:
            if before == asked:
                return grid
        grid = grid_for(view.ruleset.tables, *asked)
        self._grids.appendleft((asked, grid))
        return grid

    def on_click(self, event: events.Click) -> None:
        """Begin the clicked act."""
        spot = event.get_content_offset(self)
        row = self._places[spot.y] if spot is not None and spot.y < len(self._places) else []
        for place in row:
            if spot is not None and place.chosen and 0 <= spot.x - place.start < place.width:
                self.post_message(place.chosen)
