"""The last row: the keys that matter now, drawn from the table of keys. A click does them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from rich.cells import cell_len
from textual import events
from textual.strip import Strip

from affray.tui.drawing import Line, plain
from affray.tui.fight_view import FightView
from affray.tui.keymap import BEHIND_INIT, INIT, RULES, TECHNIQUES, Key, Keymap, lowered, shown
from affray.tui.messages import Pressed
from affray.tui.panes.follower import Follower
from affray.tui.prompts.answer import Answer
from affray.tui.prompts.command_line import CommandLine
from affray.tui.prompts.picking import PickSlot
from affray.tui.prompts.prompt import Prompt
from affray.tui.themes import Inks

GAP, NARROW = 2, 100
"""In a narrower window the palette's key, which `?` names, leaves its place to others."""
_ALWAYS = ("undo", "command", "rules")
_PANES = "pane.next"
_LAST = ("help", "palette")
_BEFORE_THE_FIGHT = ("start", "init", "init-all", "add", "bring", "command", "help", "palette")
_AFTER_THE_FIGHT = ("recap", "prompt.rest", "home", "note", "keep", *_ALWAYS, *_LAST)
_CARRY = "carry"
"""What enter is for while there is something to be carried."""
_BETWEEN_FIGHTS = ("prompt.rest", "prompt.travel", "home", "set", "note", "why", *_ALWAYS, *_LAST)
_IN_THE_PAST = ("look.back", "look.forward", "answer", "leave", "help")
_READ_ONLY = ("look.back", "why", "rules", "home", "help", "palette")
_PAST_LABELS = {"answer": "go on from here", "leave": "back to now"}


class Item(NamedTuple):
    """One entry of the footer: the key as it is pressed, and what it is for.

    `more` of that stands behind it if all of it has room in half of the row; `brief` is said of it
    in a narrow window.
    """

    pressed: str
    label: str
    more: str = ""
    brief: str = ""


class FooterLine(Follower):
    """One row, drawn anew when what matters changes; nothing is ever laid out for it."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._view: FightView | None = None
        self._open: Prompt | CommandLine | list[Item] | None = None
        self._places: list[tuple[range, str]] = []
        self._last: tuple[Item, ...] = ()
        self._lent = Line()

    def follow(self, view: FightView) -> None:
        """Find what matters in the fight as it is now."""
        self._view = view
        self._find()

    def show(self, opened: Prompt | CommandLine | list[Item] | None) -> None:
        """The keys of an open prompt or bar, or of what is named, or again those of the fight."""
        if opened is not None or self._open is not None:
            self._open = opened
            self._find()

    def lend(self, line: Line) -> None:
        """Show that in place of the keys, until an empty line brings them back."""
        if line != self._lent:
            self._lent = line
            self.refresh()

    def _find(self) -> None:
        found = tuple(items(self._view, self._open)) if self._view is not None else ()
        if found != self._last:
            self._last = found
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """The keys, as many as there is room for."""
        line, self._places = footer_line(self._last, self.room.width, self.inks)
        if self._lent.width:
            line, self._places = self._lent, []
        return line.strip(self.room.width, self.paper)

    def on_click(self, event: events.Click) -> None:
        """Do what the key does."""
        for place, pressed in self._places:
            if event.x in place:
                self.post_message(Pressed(pressed))


def items(view: FightView, opened: Prompt | CommandLine | list[Item] | None) -> list[Item]:
    """What matters now, the most important first."""
    if isinstance(opened, list):
        return opened
    keymap = view.keymap
    if isinstance(opened, CommandLine):
        return [
            Item("enter", "do it"),
            Item("tab", "complete"),
            Item("up", "earlier"),
            Item("escape", "leave"),
        ]
    if opened is not None:
        return _in_a_prompt(opened, keymap)
    if view.view_at is not None:
        past = [name for name in _IN_THE_PAST if name != "answer" or not view.read_only]
        return [Item(k.keys[0], _PAST_LABELS.get(k.id, k.label)) for k in _keys(keymap, past)]
    if view.read_only:
        return [*_back(view), *(_item(key) for key in _keys(keymap, _READ_ONLY))]
    if view.state.phase == "setup" and view.elsewhere.is_ledger:
        return [_item(key) for key in _keys(keymap, _BETWEEN_FIGHTS)]
    if view.state.phase == "setup":
        known = ("bring",) if view.ruleset.tables.bestiary else ()
        first = () if view.state.combatants else (*known, "add")
        ids = dict.fromkeys((*first, *_BEFORE_THE_FIGHT))
        return [*_to_carry(view), *(_item(key) for key in _keys(keymap, tuple(ids)))]
    if view.state.phase == "ended":
        row = (_item(key) for key in _keys(keymap, _AFTER_THE_FIGHT))
        return [*_waiting(view), *_to_carry(view), *row]
    return [*_waiting(view), *_at_the_end(view), *_back(view), *_in_the_fight(view)]


def _in_a_prompt(prompt: Prompt, keymap: Keymap) -> list[Item]:
    slot = prompt.slot
    row = [Item("enter", "do it" if prompt.complete else "go on")] if slot is not None else []
    if isinstance(prompt, Answer):
        row += [Item(key, "end the turn") for key in prompt.ends[:1]]
        row += [Item("tab", "the next")] if len(prompt.pending) > 1 else []
    if slot is not None and prompt.tab:
        row.append(Item("tab", prompt.tab))
    if slot is not None and len(prompt.slots) > 1:
        row.append(Item("backspace", "back"))
    if prompt.candidates:
        row += [Item("down", "other")]
    if isinstance(slot, PickSlot) and not slot.letters:
        row += [Item("down", "other, or type its beginning")]
    row += [_item(key) for key in _keys(keymap, BEHIND_INIT if prompt.spec.id == INIT else ())]
    return [*row, Item("escape", "leave")]


def _waiting(view: FightView) -> list[Item]:
    """What the rules wait for comes first: what it is, and how much more."""
    waiting = view.pending
    if not waiting:
        return []
    others = f" +{len(waiting) - 1}" if waiting[1:] else ""
    asked = f": {plain(waiting[0].what)}{others}"
    return [_item(key)._replace(more=asked) for key in _keys(view.keymap, ("answer",))]


def _to_carry(view: FightView) -> list[Item]:
    """Enter, where it carries."""
    keys = _keys(view.keymap, ("answer",)) if view.to_carry and not view.pending else []
    return [Item(key.keys[0], _CARRY) for key in keys]


def _at_the_end(view: FightView) -> list[Item]:
    """The key that ends the fight, once no foe stands."""
    foes = [who for who in view.state.combatants if who.side == "foes" and who.kind != "hazard"]
    stands = any(not who.is_out for who in foes)
    return [] if stands or not foes else [_item(key) for key in _keys(view.keymap, ("end",))]


def _back(view: FightView) -> list[Item]:
    """The key to whoever is up, where the cursor is on somebody else."""
    is_away = view.state.turn and view.cursor != view.state.turn
    return [_item(key) for key in _keys(view.keymap, ("cursor.turn",))] if is_away else []


def _in_the_fight(view: FightView) -> list[Item]:
    keymap, groups = view.keymap, view.keymap.groups
    options = view.options(view.cursor)
    has_own = bool(keymap.for_own) and bool(view.own(view.cursor))
    in_vain = [] if has_own else keymap.for_own  # there is nothing to pick
    rules = [key for key in groups.get(RULES, []) if key.keys and key not in in_vain]
    techniques = [key for key in groups.get(TECHNIQUES, []) if key.keys and key not in in_vain]
    theirs = [(key, key.prompt) for key in (*techniques, *rules) if key.prompt]
    can = {"", *(option.technique for option in options)}
    first = [k for k, asks in theirs if asks.rule.first and asks.technique in can][:1]
    who = view.state.find(view.cursor)
    life = who.life if who is not None else None
    urgent = [k for k, asks in theirs if life and asks.rule.when == life]
    ruleset = [key for key in rules if key not in (*urgent, *first)]
    ruleset.sort(key=_is_for_some)
    turn = _keys(keymap, ("next",) if view.state.phase == "combat" else ())
    first = first or _own_now(view)
    always, last = _keys(keymap, _ALWAYS), _keys(keymap, _LAST)
    panes = [_item(key)._replace(label="panes") for key in _keys(keymap, (_PANES,))]
    next_turn = [_item(key)._replace(brief="next") for key in turn]
    before = [_item(key) for key in (*urgent, *turn, *first, *ruleset[:3], *always[:1])]
    behind = [_item(key) for key in (*ruleset[3:4], *always[1:], *ruleset[4:], *last)]
    before[len(urgent) : len(urgent) + len(turn)] = next_turn
    return [*before, *panes, *behind]


def _is_for_some(key: Key) -> bool:
    """Whether it can be done only to some, as to the dying: there is mostly nobody of them."""
    return key.prompt is not None and bool(key.prompt.rule.nobody)


def _own_now(view: FightView) -> list[Key]:
    """The key of what is somebody's own, while there is something of it to be done."""
    rows = view.own(view.cursor) if view.keymap.for_own else []
    can = (option for option in rows if option.available)
    return [key for key in map(view.keymap.of_own, can) if key is not None][:1]


def _keys(keymap: Keymap, ids: Iterable[str]) -> list[Key]:
    found = [keymap.by_id[name] for name in ids if name in keymap.by_id]
    return [key for key in found if key.keys]


def _item(key: Key) -> Item:
    return Item(key.keys[0], lowered(key.label))


@lru_cache(maxsize=16)  # prompts come and go, and behind each the same keys are there again
def footer_line(
    row: tuple[Item, ...], width: int, inks: Inks
) -> tuple[Line, list[tuple[range, str]]]:
    """The row, and which cells of it belong to which key. Help and palette stay."""
    line = Line().add(" ")
    places: list[tuple[range, str]] = []
    for item in _that_fit(row, width - 1):
        line.add(" " * GAP if places else "")
        start = line.width
        line.add(shown(item.pressed), inks.accent).add(f" {item.label}", inks.dim)
        places.append((range(start, line.width), item.pressed))
    return line, places


def _that_fit(items: Sequence[Item], width: int) -> list[Item]:
    """All that fit, from the front, but always help, and the palette where it is wide enough."""
    if width < NARROW:
        items = [item._replace(label=item.brief or item.label) for item in items]
    row = [_whole(item, width // 2) for item in items]
    last = row[-2:] if len(row) > 4 else []
    if width < NARROW:
        last = last[:1]
    room = width - sum(_cells(item) for item in last)
    kept = []
    for item in row[: len(row) - 2 * bool(last)]:
        room -= _cells(item)
        if room < -GAP:
            break
        kept.append(item)
    return [*kept, *last]


def _whole(item: Item, width: int) -> Item:
    """The entry with all that is said of it, if that has room in so many cells."""
    whole = Item(item.pressed, f"{item.label}{item.more}")
    return whole if _cells(whole) <= width else Item(item.pressed, item.label)


def _cells(item: Item) -> int:
    return cell_len(shown(item.pressed)) + 1 + cell_len(item.label) + GAP
