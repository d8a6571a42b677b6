"""The first and the last line of screens: title and state; keys, questions and messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.strip import Strip
from textual.timer import Timer
from textual.widgets import Input

from affray.core.engine import turn_order
from affray.core.engine.state import Encounter
from affray.core.engine.turns import can_take_turns, upcoming_turns
from affray.core.formatting.pieces import format_clock
from affray.core.formatting.safe_text import strip_control_chars
from affray.core.formatting.turn_timer import timer_of
from affray.tui.drawing import StyledLine, count_of_hidden, truncate, wrap
from affray.tui.fight_view import FightView, KeyClicked, get_app
from affray.tui.keymap import (
    BEHIND_INIT,
    INIT,
    LAST_ROLL,
    OTHER,
    TECHNIQUES,
    WHAT_HAPPENS,
    KeyBinding,
    Keymap,
    key_label,
    lowered,
)
from affray.tui.prompts.choice_fields import PickField
from affray.tui.prompts.command_bar import CommandBar
from affray.tui.prompts.follow_ups import DecisionPrompt
from affray.tui.prompts.prompt import Prompt
from affray.tui.prompts.value_fields import NameField
from affray.tui.theme import Styles
from affray.tui.widgets.base import FightWidget, LinesPane, Pane

MOST_FOR_WHY = 30
MOST_OF_A_CLOCK = 16
MOST_OF_A_TITLE, ENOUGH_OF_A_TITLE = 32, 14
_CHOICES = (
    (2, True, MOST_OF_A_TITLE),
    (2, False, MOST_OF_A_TITLE),
    (1, False, MOST_OF_A_TITLE),
    (1, False, ENOUGH_OF_A_TITLE),
    (0, False, ENOUGH_OF_A_TITLE),
)
"""How much is told, the most first: so many who are next, whether all else is told whole, and the
cells of a title that has to have room beside."""


class Header(LinesPane):
    """One line; in a narrow window the least important parts give way first.

    While a turn is timed, it is made anew each second; only its own line is drawn again.
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, classes="header")
        self._ticks: Timer | None = None

    def redo(self) -> None:
        """Make the line, and have the seconds counted while any are left of a turn."""
        super().redo()
        left = self._seconds_left(self.shown) if self.shown is not None else None
        if left and self._ticks is None:
            self._ticks = self.set_interval(1, self.redo)
        elif not left and self._ticks is not None:
            self._ticks.stop()
            self._ticks = None

    def _seconds_left(self, view: FightView) -> int | None:
        """The seconds left of the turn; None without a timer, and for a look back."""
        timer = timer_of(view.history) if view.view_at is None else None
        return timer.left(get_app(self).now()) if timer is not None else None

    def slice(self, view: FightView) -> tuple[object, ...]:
        """The state, the place in the log, and whether it can be written, and follows or not."""
        return (
            view.state,
            view.head,
            view.view_at,
            view.inserting,
            view.read_only,
            view.follows,
            view.stale,
        )

    def make_lines(self, view: FightView, width: int) -> list[StyledLine]:
        """` affray  The Ford   Round 3 · 4 of 7   ▶ MIRA   next Ghoul 1   saved ✓  entry 41 `

        What is saved is told in brief before the title is cut, and that is cut before the next
        combatant goes; the actor stays.
        """
        title = strip_control_chars(view.state.title) or "untitled"
        for most, whole, enough in _CHOICES:
            line = StyledLine().add(" ")
            line.add("READ-ONLY  " if view.read_only else "", self.inks.bad)
            line.add("affray  " if whole else "", self.inks.accent)
            left, right = self._where(view, most), self._saved(view, not whole)
            room = width - line.width - left.width - right.width - 2 * GAP
            if room >= min(cell_len(title), enough):
                break
        line.add(truncate(title, room), self.inks.plain)
        gap = max((width - line.width - left.width - right.width) // 2, GAP)
        return [line.column(line.width + gap).join(left).right(right, width)]

    def _where(self, view: FightView, most: int) -> StyledLine:
        """`Round 3 · 4 of 7   ▶ MIRA   ◷ FLOOD RUN OUT   next Ghoul 1, then Brannoc`"""
        state, inks = view.state, self.inks
        where = "between fights" if view.other_logs.is_ledger else progress(state)
        line = StyledLine().add(where, inks.strong)
        up = state.up
        if up is not None and up.is_out:
            line.add(
                f"   {turn_order.current_turn_label(state)} is {up.life}",
                inks.warn,
            )
        elif up is not None:
            line.add("  ").add(
                f" ▶ {turn_order.current_turn_label(state).upper()} ",
                inks.turn,
            )
        left = self._seconds_left(view)
        if left is not None:
            line.add(f" {left // 60}:{left % 60:02}", inks.dim if left else inks.bad)
        for clock in state.clocks:
            if clock.has_run_out:
                name = truncate(clock.name, MOST_OF_A_CLOCK).upper()
                line.add(f"  ◷ {name} {format_clock(clock).upper()}", inks.bad)
        following = [
            turn_order.row_label(state, combatant_id)
            for combatant_id in upcoming_turns(state, 2)[:most]
        ]
        if following and state.in_combat:
            line.add("  next ", inks.dim).add(", then ".join(following), inks.plain)
        return line

    def _saved(self, view: FightView, brief: bool) -> StyledLine:
        inks = self.inks
        if view.view_at is not None:
            does = "inserting after" if view.inserting else "viewing"
            return StyledLine().add(f"{does} entry {view.view_at} · esc: back to now ", inks.warn)
        if view.stale:
            return StyledLine().add(f"stale ✗ since entry {view.head} ", inks.bad)
        if view.follows:
            return StyledLine().add("follows ✓ ", inks.good).add(f" entry {view.head} ", inks.dim)
        if view.read_only:
            why = truncate(strip_control_chars(view.in_brief or view.read_only), MOST_FOR_WHY)
            return StyledLine().add(f"{why} ", inks.warn)
        line = StyledLine().add("✓ " if brief else "saved ✓ ", inks.good)
        return line.add(f"{view.head} " if brief else f" entry {view.head} ", inks.dim)


@lru_cache(maxsize=1)  # a longer reason may leave less room: try again
def progress(state: Encounter) -> str:
    """`Round 3 · 4 of 7`, of those who still take turns; or that the fight has not begun, or is
    over."""
    if state.phase == "setup":
        return "not begun"
    if state.phase == "ended":
        return f"over after round {state.round}"
    slots = [s for s in state.slots if can_take_turns(state, s) or state.takes_turn(s.who)]
    rows = turn_order.turn_units(slots)
    place = turn_order.unit_index(state.turn, rows)
    if place is None:
        return f"Round {state.round}"
    return f"Round {state.round} · {place + 1} of {len(rows)}"


# -------------------------------------------------------------------------------------------------
# A window that is too small

SMALLEST = (60, 16)
"""The fewest columns and rows in which a fight can be played."""


class TooSmall(FightWidget):
    """The message shown in a window that is too small: the size it has, and the size it needs."""

    def render_line(self, y: int) -> Strip:
        """Draw a row."""
        width, height = self.room
        lines = wrap(window_too_small(width, height), max(width - 2, 1))
        words = lines[y] if y < len(lines) else ""
        return StyledLine().add(f" {words}", self.inks.warn).strip(width, self.paper)


def window_too_small(width: int, height: int) -> str:
    """`affray needs at least 60x16; this window is 40x10`."""
    needed = "x".join(str(cells) for cells in SMALLEST)
    return f"affray needs at least {needed}; this window is {width}x{height}"


# -------------------------------------------------------------------------------------------------
# The footer: the most useful keys, which a click presses

GAP, NARROW = 2, 100
"""In a narrower window the palette's key, which `?` names, leaves its place to others."""
_ALWAYS = ("undo", "command", OTHER, "rules")
_PANES = "pane.next"
_LAST = ("help", "palette")
_BEFORE_THE_FIGHT = ("start", "init", "init-all", "add", "bring", "command", "help", "palette")
_AFTER_THE_FIGHT = ("recap", "prompt.rest", "home", "note", "keep", *_ALWAYS, *_LAST)
_CARRY = "carry"
"""What enter is for while there is something to be carried."""
_BETWEEN_FIGHTS = ("prompt.rest", "prompt.travel", "home", "set", "note", "why", *_ALWAYS, *_LAST)
_IN_THE_PAST = ("look.back", "look.forward", LAST_ROLL, "answer", "leave", "help")
_READ_ONLY = ("look.back", "why", "rules", "home", "help", "palette")
_PAST_LABELS = {LAST_ROLL: "amend it", "answer": "continue here", "leave": "back to now"}


class FooterKey(NamedTuple):
    """One entry of the footer: the key and its purpose.

    `more` of that follows if all of it fits in half of the row; `brief` is its text in a narrow
    window. `letters` follow the key, for acts without a key of their own.
    """

    pressed: str
    label: str
    more: str = ""
    brief: str = ""
    letters: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """The keys as they are written: `s`, or `;t`."""
        return "".join(map(key_label, (self.pressed, *self.letters)))


class Footer(FightWidget):
    """One row, drawn again when its contents change, without a new layout."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._view: FightView | None = None
        self._open: Prompt | CommandBar | list[FooterKey] | None = None
        self._places: list[tuple[range, FooterKey]] = []
        self._last: tuple[FooterKey, ...] = ()
        self._lent = StyledLine()

    def follow(self, view: FightView) -> None:
        """Choose the keys for the present state of the fight."""
        self._view = view
        self._find()

    def show(self, opened: Prompt | CommandBar | list[FooterKey] | None) -> None:
        """Show the keys of an open prompt or bar, other keys, or those of the fight again."""
        if opened is not None or self._open is not None:
            self._open = opened
            self._find()

    def lend(self, line: StyledLine) -> None:
        """Show that in place of the keys, until an empty line brings them back."""
        if line != self._lent:
            self._lent = line
            self.refresh()

    def _find(self) -> None:
        found = tuple(footer_keys(self._view, self._open)) if self._view is not None else ()
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
        for place, item in self._places:
            for pressed in (item.pressed, *item.letters) if event.x in place else ():
                self.post_message(KeyClicked(pressed))


def footer_keys(
    view: FightView, opened: Prompt | CommandBar | list[FooterKey] | None
) -> list[FooterKey]:
    """The keys for the footer, the most useful now first."""
    if isinstance(opened, list):
        return opened
    keymap = view.keymap
    if isinstance(opened, CommandBar):
        return [
            FooterKey("enter", "do it"),
            FooterKey("tab", "complete"),
            FooterKey("up", "earlier"),
            FooterKey("escape", "leave"),
        ]
    if opened is not None:
        return _in_a_prompt(opened, keymap)
    if view.inserting:
        ends, undoes = [_item(key) for key in _keys(keymap, ("leave",))], keymap.by_id["undo"].keys
        return [
            *_waiting(view),
            *ends,
            *(k for k in _in_the_fight(view) if k.pressed not in undoes),
        ]
    if view.view_at is not None:
        past = [name for name in _IN_THE_PAST if name != "answer" or not view.read_only]
        return [FooterKey(k.keys[0], _PAST_LABELS.get(k.id, k.label)) for k in _keys(keymap, past)]
    if view.read_only:
        return [*_back(view), *(_item(key) for key in _keys(keymap, _READ_ONLY))]
    if view.state.phase == "setup" and view.other_logs.is_ledger:
        return [_item(key) for key in _keys(keymap, _BETWEEN_FIGHTS)]
    if view.state.phase == "setup":
        choices = ("bring",) if view.ruleset.tables.bestiary else ()
        first = () if view.state.combatants else (*choices, "add")
        ids = dict.fromkeys((*first, *_BEFORE_THE_FIGHT))
        return [*_to_carry(view), *(_item(key) for key in _keys(keymap, tuple(ids)))]
    if view.state.phase == "ended":
        row = (_item(key) for key in _keys(keymap, _AFTER_THE_FIGHT))
        return [*_waiting(view), *_to_carry(view), *row]
    return [*_waiting(view), *_at_the_end(view), *_back(view), *_in_the_fight(view)]


def _in_a_prompt(prompt: Prompt, keymap: Keymap) -> list[FooterKey]:
    field = prompt.field
    does, goes_on = (prompt.enter, prompt.tab) if field is not None else ("", "")
    row = [FooterKey("enter", does)] if does else []
    if isinstance(prompt, DecisionPrompt):
        row += [FooterKey(key, "end the turn") for key in prompt.ends[:1]]
        row += [FooterKey("tab", "the next")] if len(prompt.pending) > 1 else []
    row += [FooterKey("tab", goes_on)] if goes_on else []
    if field is not None and len(prompt.fields) > 1:
        row.append(FooterKey("backspace", "back"))
    if prompt.candidates:
        row += [FooterKey("down", "other")]
    if isinstance(field, NameField):
        is_list = bool(field.choices) and not field.touched
    else:
        is_list = isinstance(field, PickField) and not field.letters
    row += [FooterKey("down", "other, or type its first letters")] if is_list else []
    ends_asking = prompt.spec.id == INIT and field is not None and not field.touched
    row += [_item(key) for key in _keys(keymap, BEHIND_INIT if ends_asking else ())]
    return [*row, FooterKey("escape", "leave")]


PROPOSED = ("proposal.accept", "proposal.change", "proposal.decline")
"""The keys for what a phone proposes."""


def _waiting(view: FightView) -> list[FooterKey]:
    """The key for the first pending question, with its words and the number of others."""
    waiting = view.pending
    if not waiting:
        proposed = _keys(view.keymap, PROPOSED) if view.proposed else []
        more = f": {strip_control_chars(view.proposed[0].what)}" if view.proposed else ""
        return [_item(key)._replace(more=more * (not i)) for i, key in enumerate(proposed)]
    others = f" {count_of_hidden(len(waiting) - 1)}" if waiting[1:] else ""
    asked = f": {strip_control_chars(waiting[0].what)}{others}"
    return [_item(key)._replace(more=asked) for key in _keys(view.keymap, ("answer",))]


def _to_carry(view: FightView) -> list[FooterKey]:
    """Enter, while it carries."""
    keys = _keys(view.keymap, ("answer",)) if view.to_carry and not view.pending else []
    return [FooterKey(key.keys[0], _CARRY) for key in keys]


def _at_the_end(view: FightView) -> list[FooterKey]:
    """The key that ends the fight, once no foe stands."""
    foes = [
        combatant
        for combatant in view.state.combatants
        if combatant.side == "foes" and combatant.kind != "hazard"
    ]
    stands = any(not combatant.is_out for combatant in foes)
    return [] if stands or not foes else [_item(key) for key in _keys(view.keymap, ("end",))]


def _back(view: FightView) -> list[FooterKey]:
    """The key to whoever's turn it is, while the cursor is on somebody else."""
    is_away = view.state.turn and view.cursor != view.state.turn
    return [_item(key) for key in _keys(view.keymap, ("cursor.turn",))] if is_away else []


def _in_the_fight(view: FightView) -> list[FooterKey]:
    keymap, groups = view.keymap, view.keymap.groups
    options = view.options(view.cursor)
    combatant = view.state.find(view.cursor)
    life = combatant.life if combatant is not None else None
    can_act = life in (None, "up")
    has_own = can_act and bool(keymap.for_own) and bool(view.own(view.cursor))
    in_vain = [] if has_own else keymap.for_own  # there is nothing to pick
    rules = [key for key in groups.get(WHAT_HAPPENS, []) if key.keys and key not in in_vain]
    techniques = [key for key in groups.get(TECHNIQUES, []) if key.keys and key not in in_vain]
    theirs = [(key, key.prompt) for key in (*techniques, *rules) if key.prompt]
    can = {"", *(option.technique for option in options)}
    usual = [k for k, asks in theirs if asks.rule.first and asks.technique in can][:1]
    urgent = [k for k, asks in theirs if life and asks.rule.when == life]
    ruleset = [key for key in rules if key not in (*urgent, *usual)]
    for_some = {k.id for k, asks in theirs if asks.rule.nobody or asks.rule.when}  # mostly nobody
    ruleset.sort(key=lambda key: key.id in for_some)
    turn = _keys(keymap, ("next",) if view.state.in_combat else ())
    first = (usual or _own_now(view)) if can_act else []
    always, last = _keys(keymap, _ALWAYS), _keys(keymap, _LAST)
    panes = [_item(key)._replace(label="panes") for key in _keys(keymap, (_PANES,))]
    next_turn = [_item(key)._replace(brief="next") for key in turn]
    before = [_item(key) for key in (*urgent, *turn, *first, *ruleset[:3], *always[:1])]
    followers = [_item(key) for key in (*ruleset[3:4], *always[1:], *ruleset[4:], *last)]
    before[len(urgent) : len(urgent) + len(turn)] = next_turn
    return [*before, *panes, *followers]


def _own_now(view: FightView) -> list[KeyBinding]:
    """The key for somebody's own options, while they can use one."""
    rows = view.own(view.cursor) if view.keymap.for_own else []
    can = (option for option in rows if option.available)
    return [key for key in map(view.keymap.of_own, can) if key is not None][:1]


def _keys(keymap: Keymap, ids: Iterable[str]) -> list[KeyBinding]:
    found = [keymap.by_id[name] for name in ids if name in keymap.by_id]
    return [key for key in found if key.pressed]


def _item(key: KeyBinding) -> FooterKey:
    first, *letters = key.pressed
    return FooterKey(first, lowered(key.label), letters=tuple(letters))


@lru_cache(maxsize=16)  # prompts come and go, and after each the same keys are back
def footer_line(
    row: tuple[FooterKey, ...], width: int, inks: Styles
) -> tuple[StyledLine, list[tuple[range, FooterKey]]]:
    """The row, and the cells of each key. Help and palette stay."""
    line = StyledLine().add(" ")
    places: list[tuple[range, FooterKey]] = []
    for item in _that_fit(row, width - 1):
        line.add(" " * GAP if places else "")
        start = line.width
        line.add(item.shown, inks.accent).add(f" {item.label}", inks.dim)
        places.append((range(start, line.width), item))
    return line, places


def _that_fit(items: Sequence[FooterKey], width: int) -> list[FooterKey]:
    """The keys that fit, from the front; always help, and the palette in a wide window."""
    if width < NARROW:
        items = [item._replace(label=item.brief or item.label) for item in items]
    row = [_whole(item, width // 2) for item in items]
    last = row[-2:] if len(row) > 4 else []
    if width < NARROW:
        last = last[:1]
    room = width - sum(_cells(item) for item in last)
    remaining = []
    for item in row[: len(row) - 2 * bool(last)]:
        room -= _cells(item)
        if room < -GAP:
            break
        remaining.append(item)
    return [*remaining, *last]


def _whole(item: FooterKey, width: int) -> FooterKey:
    """The entry with all its words, if that has room in so many cells."""
    whole = item._replace(label=f"{item.label}{item.more}", more="")
    return whole if _cells(whole) <= width else item._replace(more="")


def _cells(item: FooterKey) -> int:
    return cell_len(item.shown) + 1 + cell_len(item.label) + GAP


# -------------------------------------------------------------------------------------------------
# The line of a question on screens other than the fight's


class InputLine(Input):
    """A line to be typed, with its question in the frame; visible only while it asks."""

    def __init__(self) -> None:
        super().__init__(id="title")
        self.display = False
        self.cursor_blink = False

    @property
    def asks(self) -> bool:
        """True while a question is open."""
        return self.display

    def ask(self, what: str, value: str, most: int, anew: bool = True) -> None:
        """Ask for something, of so many characters at most.

        The value can be changed: typing replaces it, or, unless `anew`, adds to it.
        """
        self.max_length, self.select_on_focus = most, anew
        self.value, self.cursor_position = value, len(value)
        self.border_title = Text(
            strip_control_chars(what)
        )  # a name is in it as it is, brackets and all
        self.display = True
        self.focus()

    def close(self) -> None:
        """Ask for nothing any more."""
        self.display = False
        self.screen.set_focus(None)


# -------------------------------------------------------------------------------------------------
# The last line of screens other than the fight's

Keys = Sequence[tuple[str, str, str]]
MOST_ROWS = 4
"""A message takes so many rows at most."""


class KeyHints(Pane):
    """The keys of a screen, each with its label and act; or a message in their place, in as many
    rows as it needs, below an open input."""

    def __init__(self, keys: Keys, *, id: str | None = None) -> None:
        super().__init__(id=id, classes="header keys-line")
        self.keys = self._own = keys
        self.message = ""
        self.asks = self.done = False
        self._rows = [""]

    def offer(self, keys: Keys = ()) -> None:
        """Show the keys of an open question in place of the screen's; no keys bring these back."""
        self.keys = keys or self._own
        self.refresh()

    def take_own(self, keys: Keys) -> None:
        """Take other keys of the screen's own, shown while no question is open."""
        if self.keys is self._own:
            self.keys = keys
        self._own = keys
        self.refresh()

    def show(self, message: str, asks: bool = False, done: bool = False) -> None:
        """Show a message or a question in place of the keys; `done` marks success."""
        self.message, self.asks, self.done = strip_control_chars(message), asks, done
        self._fit()
        self.refresh()

    def on_resize(self) -> None:
        """Wrap a message again."""
        super().on_resize()
        self._fit()

    def _fit(self) -> None:
        rows = wrap(self.message, max(self.size.width - 4, 1)) or [""]
        self._rows = rows[:MOST_ROWS]
        if self.styles.height is None or self.styles.height.value != len(self._rows):
            self.styles.height = len(self._rows)
            for line in self.screen.query(InputLine):
                line.styles.margin = (0, 0, len(self._rows), 0)

    def line_count(self) -> int:
        """One line, or those of the message."""
        return len(self._rows)

    def line(self, number: int, width: int) -> StyledLine:
        """The message, else the keys, as many as there is room for."""
        line = StyledLine().add(" ")
        if self.asks:
            return line.add(self._rows[number], self.inks.strong)
        if self.message:
            mark, ink = ("✓", self.inks.good) if self.done else ("✗", self.inks.bad)
            return line.add("  " if number else f"{mark} ", ink).add(self._rows[number], ink)
        for key, label, _ in self.keys:
            if label and line.width + cell_len(f"{key} {label}") + 2 <= width:
                line.add(key, self.inks.accent).add(f" {label}  ", self.inks.dim)
        return line
