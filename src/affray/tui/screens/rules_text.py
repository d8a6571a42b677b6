"""`/`: the rules' text on a technique, an effect or a track, found while it is typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.screen import ModalScreen
from textual.strip import Strip

from affray.core.ruleset import Option, Ruleset
from affray.tui.drawing import Line, cut, plain, wrapped
from affray.tui.keymap import name_of
from affray.tui.panes.follower import Follower
from affray.tui.shared import close_once
from affray.tui.themes import Inks

NAME_CELLS = 24


class RuleText(NamedTuple):
    """A rule to be found: its name, what sort of thing it is, and what it says."""

    name: str
    sort: str
    text: str


def rule_texts(ruleset: Ruleset, own: Sequence[Option] = ()) -> list[RuleText]:
    """All that has a text: techniques, effects, tracks, commands, other rules, and people's own."""
    tables = ruleset.tables
    rows = [RuleText(t.name, "technique", t.text) for t in tables.techniques.values()]
    rows += [RuleText(e.name, e.kind, e.text) for e in tables.effects.values()]
    rows += [RuleText(t.label, "track", t.text) for t in tables.tracks.values()]
    rows += [RuleText(p.label, "command", p.text) for p in tables.prompts.values() if p.label]
    rows += [RuleText(t.name, "rule", t.text) for t in tables.texts.values()]
    rows += dict.fromkeys(RuleText(o.name, "their own", o.text) for o in own)
    return [row for row in rows if row.text]


def found_rules(rows: list[RuleText], query: str) -> list[RuleText]:
    """Names that begin so, then names that contain it, then texts that do."""
    part = query.strip().casefold()
    begins = [r for r in rows if r.name.casefold().startswith(part)]
    within = [r for r in rows if part in r.name.casefold() and r not in begins]
    told = [r for r in rows if part in r.text.casefold() and r not in begins and r not in within]
    return begins + within + told


class RulesScreen(ModalScreen[None]):
    """Type to narrow, up and down to choose, esc to close."""

    def __init__(self, ruleset: Ruleset, own: Sequence[Option] = ()) -> None:
        super().__init__(classes="overlay")
        self.rows = rule_texts(ruleset, own)

    def compose(self) -> ComposeResult:
        """The list in its frame."""
        yield RulesList(self.rows)

    def on_key(self, event: events.Key) -> None:
        """Every key is for the list, but for those that close."""
        event.stop()
        event.prevent_default()
        pressed = name_of(event.key, event.character)
        if pressed in ("escape", "enter"):
            close_once(self)
        else:
            self.query_one(RulesList).feed(pressed)


class RulesList(Follower):
    """What was typed, the rules that fit, and the text of the chosen one."""

    def __init__(self, rows: list[RuleText]) -> None:
        super().__init__(classes="sheet")
        self.title, self.aside, self.chosen = "Rules", "type to find · ↑↓ choose · esc closes", True
        self.rows = rows
        self.found = rows
        self.query_text = ""
        self.at = 0

    def feed(self, pressed: str) -> None:
        """Letters narrow; up and down choose."""
        if pressed in ("up", "down"):
            self.at = max(0, min(len(self.found) - 1, self.at + (1 if pressed == "down" else -1)))
        elif pressed == "backspace":
            self._narrow(self.query_text[:-1])
        elif pressed == "space":
            self._narrow(self.query_text + " ")
        elif len(pressed) == 1:
            self._narrow(self.query_text + pressed)
        self.refresh()

    def _narrow(self, query: str) -> None:
        self.query_text, self.at = query, 0
        self.found = found_rules(self.rows, query)

    def render_line(self, y: int) -> Strip:
        """One row of it."""
        lines = self._lines(self.inks)
        line = lines[y] if y < len(lines) else Line()
        return line.strip(self.size.width, self.paper)

    def _lines(self, inks: Inks) -> list[Line]:
        width, height = self.size
        text = self._chosen_text(inks, width)
        lines = [Line().add("/ ", inks.accent).add(plain(self.query_text)).add("▏", inks.accent)]
        room = max(height - 2 - len(text), 1)
        first = max(0, min(self.at - room // 2, len(self.found) - room))
        for index, row in enumerate(self.found[first : first + room], first):
            lines.append(_row(row, index == self.at, width, inks))
        if not self.found:
            lines.append(Line().add("  nothing by that name", inks.dim))
        lines += [Line()] * (height - len(text) - len(lines))
        return lines + text

    def _chosen_text(self, inks: Inks, width: int) -> list[Line]:
        if not self.found:
            return []
        row = self.found[self.at]
        head = Line().add("─" * width, inks.faint)
        title = Line().add(plain(row.name), inks.strong).add(f"  {row.sort}", inks.dim)
        body = [Line().add(text, inks.plain) for text in wrapped(plain(row.text), width)]
        return [head, title, *body]


def _row(row: RuleText, chosen: bool, width: int, inks: Inks) -> Line:
    line = Line().add("› " if chosen else "  ", inks.accent)
    line.add(cut(plain(row.name), NAME_CELLS), inks.strong if chosen else inks.plain)
    line.column(NAME_CELLS + 4).add(row.sort, inks.dim)
    return line.column(NAME_CELLS + 18).add(cut(plain(row.text), width - NAME_CELLS - 18), inks.dim)
