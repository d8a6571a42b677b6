"""What the combatant under the cursor can do: key, name, cost now and next, and why not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from rich.cells import cell_len
from textual import events

from affray.core.events import AnyEvent, Spent
from affray.core.ruleset import Option
from affray.core.tables import Tables, Technique, TrackRule
from affray.tui.drawing import Line, cut, plain, widest
from affray.tui.fight_view import FightView
from affray.tui.keymap import Keymap
from affray.tui.messages import Chosen
from affray.tui.panes.pane import LinesPane
from affray.tui.prompts.own import own_of
from affray.tui.themes import Inks

WIDE_ENOUGH_FOR_THE_RULE = 70
LEAST_OF_A_NAME = 12


class TechniquesPane(LinesPane):
    """Each technique in a place of its own that never changes, so that the eye learns it."""

    NAME: ClassVar[str] = "Techniques"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._choices: list[Chosen | None] = []

    def slice(self, view: FightView) -> tuple[object, ...]:
        """Costs and reasons may hang on anything in the fight."""
        return (view.state, view.actor(), view.keymap)

    def make_lines(self, view: FightView, width: int) -> list[Line]:
        """What is its own first, as that is used most; then techniques, then reactions."""
        tables, options = view.ruleset.tables, view.options(view.actor())
        self._choices = choices_of(tables, options)
        reason = shared_reason(tables, options)
        self.entitle(self.NAME, f" ✗ {reason} " if reason else "")
        return technique_lines(tables, options, view.keymap, width, self.inks)

    def on_click(self, event: events.Click) -> None:
        """Begin what was clicked."""
        spot = event.get_content_offset(self)
        row = self.top + spot.y if spot is not None else -1
        chosen = self._choices[row] if 0 <= row < len(self._choices) else None
        if chosen is not None:
            self.post_message(chosen)


def choices_of(tables: Tables, options: list[Option]) -> list[Chosen | None]:
    """What a click on each line chooses; nothing in the lines above and below one's own."""
    known = tables.techniques
    techniques = [o.technique for o in options if o.technique in known]
    actions = [Chosen(f"technique.{name}") for name in techniques if not known[name].reaction]
    reactions = [Chosen(f"technique.{name}") for name in techniques if known[name].reaction]
    own = [Chosen(own=o.name) for o in own_of(tables, options)]
    below = [*actions, *([None, *reactions] if reactions else [])]
    return [None, *own, None, *below] if own else below


@dataclass(frozen=True)
class Columns:
    """The cells that keys, names and costs take, and the width of it all."""

    key: int
    name: int
    cost: int
    width: int


class Row(NamedTuple):
    """What is told of an option: the key that begins it, its name, its cost now, its rule."""

    option: Option
    key: str
    name: str
    cost: str
    text: str


def technique_lines(
    tables: Tables, options: list[Option], keymap: Keymap, width: int, inks: Inks
) -> list[Line]:
    """A line for each option, and one above the reactions, which says why none can be taken.

    What is the combatant's own has no keys: the line above names the one that begins any of it.
    """
    shared, why_no_reaction = (
        shared_reason(tables, options, reaction) for reaction in (False, True)
    )
    known = tables.techniques
    rows = [_told(tables, known[o.technique], o, keymap) for o in options if o.technique in known]
    own = [
        _told(tables, Technique(name=o.name, text=o.text), o, keymap)
        for o in own_of(tables, options)
    ]
    columns = Columns(
        widest([row.key for row in rows]) + 2,  # the mark of what can't be used, and a gap
        min(widest([row.name for row in (*rows, *own)]), max(width * 3 // 5, 8)),
        widest([row.cost for row in (*rows, *own)]),
        width,
    )
    lines = _own_lines(own, keymap, columns, inks, shared)
    reactions: list[Line] = []
    for row in rows:
        if known[row.option.technique].reaction:
            reactions.append(_line(row, columns, inks, why_no_reaction))
        else:
            lines.append(_line(row, columns, inks, shared))
    if reactions:
        head = Line().add("Reactions ", inks.dim)
        head.add(f"✗ {why_no_reaction} " if why_no_reaction else "", inks.dim)
        lines.append(head.add("─" * max(width - head.width - 1, 0), inks.faint))
    return lines + reactions


def _told(tables: Tables, technique: Technique, option: Option, keymap: Keymap) -> Row:
    found = keymap.of_technique(option.technique)  # the user's own key before the table's
    key = found.shown if found is not None else ""
    cost = cost_now(tables.tracks, technique, option)
    return Row(option, key, plain(technique.name), cost, technique.text)


def _own_lines(
    own: list[Row], keymap: Keymap, columns: Columns, inks: Inks, shared: str
) -> list[Line]:
    if not own:
        return []
    rows = [_line(row, columns, inks, shared) for row in own]
    rule = Line().add("─" * max(columns.width - 1, 0), inks.faint)
    return [_head_of_own(keymap, columns.width, inks), *rows, rule]


def _head_of_own(keymap: Keymap, width: int, inks: Inks) -> Line:
    key = keymap.of_own
    head = Line().add(f"{key.shown} " if key is not None and key.keys else "", inks.accent)
    head.add(f"{plain(key.label) if key is not None else 'Own'} ", inks.dim)
    return head.add("─" * max(width - head.width - 1, 0), inks.faint)


def shared_reason(tables: Tables, options: list[Option], reaction: bool = False) -> str:
    """The reason why nothing (no reaction) can be used, if it is the same one for all."""
    known = tables.techniques
    own = [o for o in options if o.technique in known]
    reasons = {o.reason for o in own if known[o.technique].reaction is reaction}
    return plain(reasons.pop()) if len(reasons) == 1 else ""


def _line(row: Row, columns: Columns, inks: Inks, shared: str) -> Line:
    can = row.option.available
    line = Line().add(row.key + ("" if can else "✗"), inks.accent if can else inks.dim)
    name = cut(row.name, columns.name)
    line.column(columns.key).add(name, inks.plain if can else inks.dim)
    at = columns.key + columns.name + 2
    if can:
        line.column(at).add(row.cost, inks.strong)
        if columns.width >= WIDE_ENOUGH_FOR_THE_RULE:
            line.column(at + columns.cost + 2).add(plain(row.text), inks.dim)
        return line
    reason = row.option.reason
    if reason == shared:
        return line.column(at).add(row.cost, inks.dim)
    room = columns.width - columns.key - cell_len(_shortest(reason)) - 1
    if cell_len(name) > room >= LEAST_OF_A_NAME:  # of the two, the reason is not cut off
        line = Line().add(f"{row.key}✗", inks.dim)
        line.column(columns.key).add(cut(name, room), inks.dim)
    return _why_not(line, plain(reason), row.cost, at, columns.width, inks)


def _shortest(reason: str) -> str:
    """What stands before its comma or colon."""
    return plain(reason).partition(",")[0].partition(":")[0]


def _why_not(line: Line, reason: str, cost: str, at: int, width: int, inks: Inks) -> Line:
    """The reason, behind the cost if both fit: the reason is what is looked for.

    Where the column is too narrow for it, it takes the free room behind the name as well, and says
    only what stands before its comma or colon; the prompt has all of it.
    """
    if at + cell_len(cost) + 2 + cell_len(reason) <= width:
        return line.column(at).add(f"{cost}  {reason}", inks.dim)
    short = _shortest(reason)
    for words in (reason, short):
        place = min(at, width - cell_len(words))
        if place >= line.width + 2:
            return line.column(place).add(words, inks.dim)
    return line.add(" ").add(short, inks.dim)


def cost_now(rules: Mapping[str, TrackRule], technique: Technique, option: Option) -> str:
    """`1 AP → 2`, with what is marked as well: `2 AP +1 Fat`."""
    words = [_price(rules, track, by) for track, by in option.cost.items()]
    also = {t: by for t, by in technique.marks.items() if t not in option.cost}
    words += [f"+{by} {_short(rules, track)}" for track, by in also.items()]
    later = [by for track, by in option.after.items() if by != option.cost.get(track)]
    if later:
        words.append(f"→ {later[0]}")
    return " ".join(words) or "free"


def price_of(events: Iterable[AnyEvent], rules: Mapping[str, TrackRule]) -> list[str]:
    """What was paid in amounts, such as `3 AP`; that one acts, or reacts, goes without saying."""
    paid: dict[str, int] = {}
    for event in events:
        if isinstance(event, Spent):
            paid[event.track] = paid.get(event.track, 0) + event.by
    amounts = ((track, by) for track, by in paid.items() if track in rules)
    return [
        _price(rules, track, by)
        for track, by in amounts
        if rules[track].shown in ("pips", "boxes", "number")
    ]


def _price(rules: Mapping[str, TrackRule], track: str, by: int) -> str:
    rule = rules.get(track)
    if rule is not None and rule.shown == "badge":
        return "◆" * by
    if rule is not None and rule.shown == "box":
        return _short(rules, track) * by
    if rule is not None and rule.counts == "marked":
        return f"+{by} {_short(rules, track)}"
    return f"{by} {_short(rules, track)}"


def _short(rules: Mapping[str, TrackRule], track: str) -> str:
    rule = rules.get(track)
    return (rule.short or rule.label) if rule else track
