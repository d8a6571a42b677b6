"""The last row: the keys that matter now, drawn from the table of keys. A click does them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len
from textual import events
from textual.strip import Strip
from textual.widget import Widget

from affray.core.state import Encounter
from affray.tui.drawing import Line
from affray.tui.keymap import RULES, TECHNIQUES, Key, Keymap, shown
from affray.tui.panes.prompt import PromptLine
from affray.tui.prompts import Prompt

if TYPE_CHECKING:
    from affray.tui.app import AffrayApp
    from affray.tui.fight_view import FightView
    from affray.tui.screens.fight import FightScreen
    from affray.tui.themes import Inks

GAP = 2
_ALWAYS = ("undo", "command", "rules")
_LAST = ("help", "palette")
_BEFORE_THE_FIGHT = ("start", "init", "init-all", "add", "command", "help", "palette")
_IN_THE_PAST = ("look.back", "look.forward", "answer", "leave", "help")
_PAST_LABELS = {"answer": "go on from here", "leave": "back to now"}


class Item(NamedTuple):
    """One entry of the footer: the key as it is pressed, and what it is for."""

    pressed: str
    label: str


class FooterLine(Widget):
    """One row, drawn anew when what matters changes; nothing is ever laid out for it."""

    ALLOW_SELECT = False

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._places: list[tuple[range, str]] = []
        self._last: list[Item] = []

    def on_mount(self) -> None:
        """Follow the fight and the theme."""
        self.watch(self.app, "fight", self._follow)
        self.watch(self.app, "inks", self._repaint, init=False)

    def _repaint(self) -> None:
        self.refresh()

    def _follow(self, view: FightView | None) -> None:
        if view is not None and self._items() != self._last:
            self.refresh()

    def _items(self) -> list[Item]:
        from affray.tui.screens.fight_prompts import keymap_of, prompt_line

        screen: FightScreen = self.screen  # type: ignore[assignment]
        app: AffrayApp = self.app  # type: ignore[assignment]
        if app.fight is None:
            return []
        return items(app.fight, keymap_of(screen), prompt_line(screen))

    def render_line(self, y: int) -> Strip:
        """The keys, as many as there is room for."""
        app: AffrayApp = self.app  # type: ignore[assignment]
        self._last = self._items()
        line, self._places = footer_line(self._last, self.size.width, app.inks)
        return line.strip(self.size.width).apply_style(self.rich_style)

    def on_click(self, event: events.Click) -> None:
        """Do what the key does."""
        from affray.tui.screens.fight_actions import dispatch

        screen: FightScreen = self.screen  # type: ignore[assignment]
        for place, pressed in self._places:
            if event.x in place:
                dispatch(screen, pressed, pressed if len(pressed) == 1 else None)


def items(view: FightView, keymap: Keymap, line: PromptLine) -> list[Item]:
    """What matters now, the most important first."""
    if line.bar is not None:
        return [
            Item("enter", "do it"),
            Item("tab", "complete"),
            Item("up", "earlier"),
            Item("escape", "leave"),
        ]
    if line.prompt is not None:
        return _in_a_prompt(line.prompt)
    if view.view_at is not None:
        found = _keys(keymap, _IN_THE_PAST)
        return [Item(k.keys[0], _PAST_LABELS.get(k.id, k.label)) for k in found]
    if view.state.phase == "setup":
        return [_item(key) for key in _keys(keymap, _BEFORE_THE_FIGHT)]
    return [*_waiting(view, keymap), *_in_the_fight(view, keymap)]


def _in_a_prompt(prompt: Prompt) -> list[Item]:
    slot = prompt.slot
    row = [Item("enter", "do it" if prompt.complete else "go on")] if slot is not None else []
    if slot is not None and len(prompt.slots) > 1:
        row += [Item("tab", "next"), Item("backspace", "back")]
    if prompt.wants_people:
        row += [Item("down", "other")]
    return [*row, Item("escape", "leave")]


def _waiting(view: FightView, keymap: Keymap) -> list[Item]:
    """What the rules wait for comes first."""
    waits = view.ruleset.pending(view.ruleset.tables, view.state)
    return [_item(key) for key in _keys(keymap, ("answer",))] if waits else []


def _in_the_fight(view: FightView, keymap: Keymap) -> list[Item]:
    groups = keymap.groups()
    first = [key for key in groups.get(TECHNIQUES, []) if key.keys and _asks_most(key)][:1]
    ruleset = [key for key in groups.get(RULES, []) if key.keys]
    urgent = [key for key in ruleset if _is_for_the_dying(view.state, view.cursor, key)]
    ruleset = [key for key in ruleset if key not in urgent]
    turn = _keys(keymap, ("next",) if view.state.phase == "combat" else ())
    always, last = _keys(keymap, _ALWAYS), _keys(keymap, _LAST)
    row = (*urgent, *turn, *first, *ruleset[:4], *always, *ruleset[4:], *last)
    return [_item(key) for key in row]


def _is_for_the_dying(state: Encounter, cursor: str, key: Key) -> bool:
    """Whether the one under the cursor is dying, and the key is for that."""
    who = state.find(cursor)
    asks = key.prompt.asks if key.prompt else ()
    return who is not None and who.life == "dying" and any(a.kind == "dying" for a in asks)


def _asks_most(key: Key) -> bool:
    """The technique that is worth a place in the footer is the one with a target and a roll."""
    asks = [ask.kind for ask in key.prompt.asks] if key.prompt else []
    return asks[:2] == ["target", "outcome"]


def _keys(keymap: Keymap, ids: tuple[str, ...]) -> list[Key]:
    found = [keymap.by_id[name] for name in ids if name in keymap.by_id]
    return [key for key in found if key.keys]


def _item(key: Key) -> Item:
    return Item(key.keys[0], key.label[:1].lower() + key.label[1:])


def footer_line(row: list[Item], width: int, inks: Inks) -> tuple[Line, list[tuple[range, str]]]:
    """The row, and which cells of it belong to which key. Help and palette stay."""
    line = Line().add(" ")
    places: list[tuple[range, str]] = []
    for item in _fitting(row, width - 1):
        line.add(" " * GAP if places else "")
        start = line.width
        line.add(shown(item.pressed), inks.accent).add(f" {item.label}", inks.dim)
        places.append((range(start, line.width), item.pressed))
    return line, places


def _fitting(row: list[Item], width: int) -> list[Item]:
    """All that fit, from the front, but always the last two: help and the palette."""
    last = row[-2:] if len(row) > 4 else []
    room = width - sum(_cells(item) for item in last)
    kept = []
    for item in row[: len(row) - len(last)]:
        room -= _cells(item)
        if room < -GAP:
            break
        kept.append(item)
    return [*kept, *last]


def _cells(item: Item) -> int:
    return cell_len(shown(item.pressed)) + 1 + cell_len(item.label) + GAP
