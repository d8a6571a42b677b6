"""What the combatant under the cursor can do: key, name, cost now and next, and why not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from textual import events

from affray.core.ruleset import Option
from affray.core.tables import Tables, Technique, TrackRule
from affray.tui.drawing import Line, plain, widest
from affray.tui.panes.pane import LinesPane
from affray.tui.themes import Inks

if TYPE_CHECKING:
    from affray.tui.fight_view import FightView
    from affray.tui.screens.fight import FightScreen

WIDE_ENOUGH_FOR_THE_RULE = 70
KEY_CELLS = 3


class TechniquesPane(LinesPane):
    """Each technique in a place of its own that never changes, so that the eye learns it."""

    NAME: ClassVar[str] = "Techniques"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._ids: list[str] = []

    def slice(self, view: FightView) -> tuple[object, ...]:
        """Costs and reasons may hang on anything in the fight."""
        return (view.state, view.actor())

    def make_lines(self, view: FightView, width: int) -> list[Line]:
        """Techniques first, reactions below them."""
        who = view.state.find(view.actor())
        if who is None:
            return []
        tables = view.ruleset.tables
        options = view.ruleset.options(tables, view.state, who)
        self._ids = technique_rows(tables, options)
        reason = shared_reason(tables, options)
        self.entitle(self.NAME, f" ✗ {reason} " if reason else "")
        return technique_lines(tables, options, width, self.inks)

    def on_click(self, event: events.Click) -> None:
        """Begin the technique that was clicked."""
        from affray.tui.screens.fight_actions import begin_by_id

        spot = event.get_content_offset(self)
        row = self.top + spot.y if spot is not None else -1
        if 0 <= row < len(self._ids) and self._ids[row]:
            screen: FightScreen = self.screen  # type: ignore[assignment]
            begin_by_id(screen, f"technique.{self._ids[row]}")


def technique_rows(tables: Tables, options: list[Option]) -> list[str]:
    """The technique in each line; empty for the line above the reactions."""
    own = [o.technique for o in options if o.technique in tables.techniques]
    actions = [name for name in own if not tables.techniques[name].reaction]
    reactions = [name for name in own if tables.techniques[name].reaction]
    return [*actions, "", *reactions]


def technique_lines(tables: Tables, options: list[Option], width: int, inks: Inks) -> list[Line]:
    """A line for each option, and one above the reactions."""
    shared = shared_reason(tables, options)
    known = tables.techniques
    rows = [(known[o.technique], o) for o in options if o.technique in known]
    name = widest([plain(t.name) for t, _ in rows])
    cost = widest([cost_now(tables.tracks, t, o) for t, o in rows])
    lines = [_row(tables, t, o, name, cost, width, inks, shared) for t, o in rows if not t.reaction]
    reactions = [_row(tables, t, o, name, cost, width, inks) for t, o in rows if t.reaction]
    if reactions:
        lines.append(Line().add("Reactions ", inks.dim).add("─" * max(width - 11, 0), inks.faint))
    return lines + reactions


def shared_reason(tables: Tables, options: list[Option]) -> str:
    """The reason why nothing but a reaction can be used, if it is the same one for all."""
    own = [o for o in options if o.technique in tables.techniques]
    reasons = {o.reason for o in own if not tables.techniques[o.technique].reaction}
    return plain(reasons.pop()) if len(reasons) == 1 else ""


def _row(
    tables: Tables,
    technique: Technique,
    option: Option,
    name: int,
    cost: int,
    width: int,
    inks: Inks,
    shared: str = "",
) -> Line:
    can = option.available
    key = f"{technique.key}{'' if can else '✗'}"
    line = Line().add(f"{key:<{KEY_CELLS}}", inks.accent if can else inks.dim)
    line.add(plain(technique.name), inks.plain if can else inks.dim).column(KEY_CELLS + name + 2)
    if not can:
        if option.reason == shared:
            return line.add(cost_now(tables.tracks, technique, option), inks.dim)
        return _why_not(line, tables, technique, option, width, inks)
    line.add(cost_now(tables.tracks, technique, option), inks.strong)
    if width >= WIDE_ENOUGH_FOR_THE_RULE:
        line.column(KEY_CELLS + name + cost + 4).add(plain(technique.text), inks.dim)
    return line


def _why_not(
    line: Line, tables: Tables, technique: Technique, option: Option, width: int, inks: Inks
) -> Line:
    """The reason, behind the cost if both fit: the reason is what is looked for."""
    reason = plain(option.reason)
    cost = cost_now(tables.tracks, technique, option)
    if line.width + len(cost) + 2 + len(reason) <= width:
        line.add(f"{cost}  ", inks.dim)
    return line.add(reason, inks.dim)


def cost_now(rules: Mapping[str, TrackRule], technique: Technique, option: Option) -> str:
    """`1 AP → 2`, with what is marked as well: `2 AP +1 Fat`."""
    words = [_price(rules, track, by) for track, by in option.cost.items()]
    also = {t: by for t, by in technique.marks.items() if t not in option.cost}
    words += [f"+{by} {_short(rules, track)}" for track, by in also.items()]
    later = [by for track, by in option.after.items() if by != option.cost.get(track)]
    if later:
        words.append(f"→ {later[0]}")
    return " ".join(words) or "free"


def _price(rules: Mapping[str, TrackRule], track: str, by: int) -> str:
    rule = rules.get(track)
    if rule is not None and rule.shown == "badge":
        return "◆" * by
    if rule is not None and rule.counts == "marked":
        return f"+{by} {_short(rules, track)}"
    return f"{by} {_short(rules, track)}"


def _short(rules: Mapping[str, TrackRule], track: str) -> str:
    rule = rules.get(track)
    return (rule.short or rule.label) if rule else track
