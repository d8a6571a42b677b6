"""What the combatant under the cursor can do: key, name, cost now and next, and why not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from affray.core.ruleset import Option
from affray.core.tables import Tables, Technique, TrackRule
from affray.tui.drawing import Line, plain, widest
from affray.tui.panes.pane import LinesPane
from affray.tui.themes import Inks

if TYPE_CHECKING:
    from affray.tui.fight_view import FightView

WIDE_ENOUGH_FOR_THE_RULE = 84
KEY_CELLS = 3


class TechniquesPane(LinesPane):
    """Each technique in a place of its own that never changes, so that the eye learns it."""

    NAME: ClassVar[str] = "Techniques"

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
        return technique_lines(tables, options, width, self.inks)


def technique_lines(tables: Tables, options: list[Option], width: int, inks: Inks) -> list[Line]:
    """A line for each option, and one above the reactions."""
    known = tables.techniques
    rows = [(known[o.technique], o) for o in options if o.technique in known]
    name = widest([plain(t.name) for t, _ in rows])
    cost = widest([cost_now(tables.tracks, t, o) for t, o in rows])
    lines = [_row(tables, t, o, name, cost, width, inks) for t, o in rows if not t.reaction]
    reactions = [_row(tables, t, o, name, cost, width, inks) for t, o in rows if t.reaction]
    if reactions:
        lines.append(Line().add("Reactions ", inks.dim).add("─" * max(width - 11, 0), inks.faint))
    return lines + reactions


def _row(
    tables: Tables,
    technique: Technique,
    option: Option,
    name: int,
    cost: int,
    width: int,
    inks: Inks,
) -> Line:
    can = option.available
    line = Line().add(f"{technique.key:<{KEY_CELLS}}", inks.accent if can else inks.dim)
    line.add(plain(technique.name), inks.plain if can else inks.dim).column(KEY_CELLS + name + 2)
    line.add(cost_now(tables.tracks, technique, option), inks.strong if can else inks.dim)
    line.column(KEY_CELLS + name + cost + 4)
    if not can:
        line.add("✗ " + plain(option.reason), inks.dim)
    elif width >= WIDE_ENOUGH_FOR_THE_RULE:
        line.add(plain(technique.text), inks.dim)
    return line


def cost_now(rules: Mapping[str, TrackRule], technique: Technique, option: Option) -> str:
    """`1 AP → 2`, with what is marked as well: `2 AP +1 Fat`."""
    words = [_price(rules, track, by) for track, by in option.cost.items()]
    words += [f"+{by} {_short(rules, track)}" for track, by in technique.marks.items()]
    later = [by for track, by in option.after.items() if by != option.cost.get(track)]
    if later:
        words.append(f"→ {later[0]}")
    return " ".join(words) or "free"


def _price(rules: Mapping[str, TrackRule], track: str, by: int) -> str:
    rule = rules.get(track)
    if rule is not None and rule.shown == "badge":
        return "◆" * by
    return f"{by} {_short(rules, track)}"


def _short(rules: Mapping[str, TrackRule], track: str) -> str:
    rule = rules.get(track)
    return (rule.short or rule.label) if rule else track
