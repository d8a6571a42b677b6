"""The fight's screen: it holds the encounter and the cursor, and hands each view to the panes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.geometry import Size
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

from affray import debug_log
from affray.core.engine.state import Encounter
from affray.core.formatting.safe_text import strip_control_chars
from affray.core.parser.errors import Refused
from affray.store.errors import LogError
from affray.tui.drawing import StyledLine, text_of
from affray.tui.fight_view import (
    CombatantClicked,
    FightView,
    KeyBindingClicked,
    KeyClicked,
    LogEntryClicked,
    LookupRowHighlighted,
    acts_next,
    dismiss_once,
    get_app,
    is_there,
    key_name,
)
from affray.tui.keymap import LAST_ROLL, Keymap, keymap_for, own_keys
from affray.tui.prompts.preview import MessageKind, PreviewLine, refusal_text
from affray.tui.screens.fight_actions import (
    begin_by_id,
    begin_own,
    dispatch,
    on_combatant_clicked,
    type_key,
)
from affray.tui.screens.fight_layout import (
    FightLayout,
    LayoutInput,
    choose_pane,
    fit_anew,
    fit_panes,
    frame_panes,
    is_too_small,
    leave_jump,
    panes_to_hide,
    toggle_maximised,
)
from affray.tui.screens.fight_lookups import show_chosen
from affray.tui.screens.fight_prompts import TypedOn, paste
from affray.tui.screens.open_prompt import prefetch
from affray.tui.terminal import IdleWork, clean_paste, freeze_gc
from affray.tui.theme import Styles
from affray.tui.widgets.base import FightWidget
from affray.tui.widgets.combatant_card import CombatantCard
from affray.tui.widgets.header_footer import Footer, Header, TooSmall
from affray.tui.widgets.log import LogPane
from affray.tui.widgets.lookup import LookupPane
from affray.tui.widgets.prompt import PromptWidget
from affray.tui.widgets.techniques import TechniquesPane
from affray.tui.widgets.timers import TimersPane
from affray.tui.widgets.tracks import TracksPane
from affray.tui.widgets.turn_order import TurnOrderList
from affray.tui.widgets.turn_order_columns import turn_order_rows
from affray.tui.widgets.turn_summary import TurnSummaryPane

if TYPE_CHECKING:
    from affray.core.engine.history import Entry
    from affray.core.rules.ruleset import AvailableAction, Ruleset
    from affray.store.open_encounter import OpenEncounter

FOLLOW_EVERY = 1.0
"""Seconds after which a fight that is only looked at is looked for news."""


class FightScreen(Screen[None]):
    """One encounter, played. What it shows is `view`; what changes it is `run_command`.

    view     what the panes draw: a new value for every change
    keymap   the keys of this fight, with the user's own
    cursor   id of the combatant that the cursor is on
    digits   those of the number that is being typed, to put the cursor there
    view_at  the entry that is looked at; None for now
    to_carry whether the ledger lacks something of this fight, or this of the ledger
    letters  the letter that each pane shows, by its id, while a key is to go to one of them
    typed_on whether keys are still those of a prompt that is not there
    sheet_pane  what is looked up beside the fight
    """

    AUTO_FOCUS = ""

    def __init__(self, encounter: OpenEncounter) -> None:
        super().__init__()
        self.encounter = encounter
        self.view: FightView
        self.cursor = ""
        self.digits = ""
        self.view_at: int | None = None
        self.to_carry = False
        self.letters: Mapping[str, str] = {}
        self.typed_on = TypedOn(lambda: get_app(self).clock())
        self._rules: Ruleset = encounter.ruleset
        self.keymap, self._complaints = _keys_for(self._rules)
        self._seen_notes: tuple[str, ...] = ()
        self._places = FightLayout(LayoutInput(without=panes_to_hide(encounter.ruleset.tables)))
        self._fitted = Size(0, 0)
        self._turn = ""
        self._stale = ""
        self.sheet_pane = LookupPane(id="sheet")

    @property
    def layout(self) -> FightLayout:
        """The places of the panes."""
        return self._places

    @property
    def chosen(self) -> str:
        """The id of the pane that tab has gone to, which scrolls and can be maximised."""
        return self._places.arrangement.chosen

    def compose(self) -> ComposeResult:
        """All panes; the layout decides which of them are seen."""
        yield Header(id="header")
        order, tracks = TurnOrderList(id="initiative"), TracksPane(id="tracks")
        order.tracks, tracks.beside = tracks, order.scroll_top
        yield order
        yield tracks
        yield TurnSummaryPane(id="spend")
        yield CombatantCard(id="card")
        yield CombatantCard("beside", id="second")
        yield TechniquesPane(id="techniques")
        yield TimersPane(id="timers")
        yield LogPane(id="log")
        yield PromptWidget(id="prompt")
        yield Footer(id="footer")
        yield self.sheet_pane
        yield TooSmall(id="small")

    def on_mount(self) -> None:
        """Show the fight, and what was found while it was opened."""
        frame_panes(self)
        self.look_for_what_differs()
        self.publish()
        self.idle_work = IdleWork(self, partial(prefetch, self))
        # tabs have inks of their own
        self.watch(self.app, "inks", lambda: frame_panes(self), init=False)
        self.call_after_refresh(fit_panes, self)
        self.call_after_refresh(freeze_gc)
        found = [*self._new_notes(), *self._complaints, *get_app(self).complaints]
        if self.encounter.is_viewed:
            self.set_interval(FOLLOW_EVERY, self.follow)
            found.insert(0, f"read-only: {self.encounter.read_only}")
        if found:
            self.show_message(" · ".join(found), "warning")

    def on_key(self, event: events.Key) -> None:
        """Every key goes to the one table of keys first."""
        self.idle_work.after_key()
        if is_too_small(self.size):  # what can't be seen is not played
            return
        if type_key(self, key_name(event)):
            event.stop()
            event.prevent_default()

    def on_paste(self, event: events.Paste) -> None:
        """Take pasted text as text, never as keys."""
        event.stop()
        if self.sheet_pane.is_open:
            self.sheet_pane.paste(clean_paste(event.text))
        else:
            paste(self, event.text)

    def on_mouse_down(self) -> None:
        """Leave jump mode: a click needs no letters."""
        leave_jump(self)

    def on_key_clicked(self, message: KeyClicked) -> None:
        """A click that stands for a key."""
        dispatch(self, message.key)

    def on_key_binding_clicked(self, message: KeyBindingClicked) -> None:
        """A click on what has an entry in the table of keys."""
        if message.own:
            begin_own(self, message.own)
        else:
            begin_by_id(self, message.key_id)

    def on_combatant_clicked(self, message: CombatantClicked) -> None:
        """A click on somebody."""
        on_combatant_clicked(self, message.who)

    def on_log_entry_clicked(self, message: LogEntryClicked) -> None:
        """A click on the entry that was opened already."""
        self.look_at(message.seq)

    def on_lookup_row_highlighted(self, message: LookupRowHighlighted) -> None:
        """Another row of the sheet was chosen."""
        show_chosen(self)

    def on_resize(self) -> None:
        """Panes share one place, or don't any more. The toolkit tells of one size several times."""
        if self.size != self._fitted and is_there(self):
            self._fitted = self.size
            fit_anew(self)

    # -- what is shown -----------------------------------------------------------------------------

    def publish(self) -> None:
        """Tell all panes how the fight stands now."""
        history = self.encounter.history
        state = self.encounter.state if self.view_at is None else history.states[self.view_at]
        if self.encounter.ruleset is not self._rules:  # the file was read anew
            self._rules = self.encounter.ruleset
            self.keymap, self._complaints = _keys_for(self._rules)
        self._follow_turn(state)
        self.view = FightView(
            state=state,
            ruleset=self._rules,
            keymap=self.keymap,
            history=history,
            head=history.head,
            entries=len(history.path),
            cursor=self.cursor,
            view_at=self.view_at,
            read_only=self.encounter.read_only,
            follows=self.encounter.is_viewed and self.encounter.is_whole,
            stale=self._stale,
            other_logs=self.encounter.other_logs,
            to_carry=self.to_carry,
        )
        for pane in self.children:
            if isinstance(pane, FightWidget):
                pane.follow(self.view)
        fit_panes(self)

    def follow(self) -> None:
        """Show what others have saved of a fight that is only looked at, or that it is stale."""
        try:
            news, stale = self.encounter.follow(), ""
        except (Refused, LogError) as error:
            news, stale = False, str(error)
        notes = self._new_notes()
        if stale and stale != self._stale:
            notes.append(f"stale since entry {self.encounter.history.head}: {stale}")
        if notes or (self._stale and not stale):
            self.show_message(" · ".join(notes), "warning")
        if news or stale != self._stale:
            self._stale = stale
            if self.view_at is not None and self.view_at not in self.encounter.history.states:
                self.view_at = None  # it is another log now
            self.publish()

    def _follow_turn(self, state: Encounter) -> None:
        """A new turn takes the cursor along; so does the leaving of whoever it was on."""
        if state.turn != self._turn or state.find(self.cursor) is None:
            self._turn = state.turn
            first = next((c.id for c in state.in_order()), "")
            self.cursor = state.turn if state.find(state.turn) else first

    def own_options(self) -> list[AvailableAction]:
        """The powers on the sheet of the combatant for whom the keys act."""
        return self.view.own(self.view.actor())

    def put_cursor(self, combatant_id: str) -> None:
        """Put the cursor on somebody."""
        if combatant_id != self.cursor:
            self.cursor = combatant_id
            self.publish()

    def move_cursor(self, by: int) -> None:
        """Move the cursor up or down the order; it stops at the ends."""
        ids = [
            combatant.id for row in turn_order_rows(self.view.state) for combatant in row.members
        ]
        if ids:
            position = ids.index(self.cursor) if self.cursor in ids else 0
            self.put_cursor(ids[max(0, min(position + by, len(ids) - 1))])

    # -- what is done ------------------------------------------------------------------------------

    def run_command(self, line: str) -> bool:
        """Give a command to the encounter. A refusal is one line, and changes nothing."""
        if self.view_at is not None:
            self.show_message(f"this is entry {self.view_at}: esc goes back to now", "refused")
            return False
        return self.carry_out(lambda: self.encounter.do(line), line)

    def carry_out(self, do: Callable[[], Entry], line: str) -> bool:
        """Have a command done, and show what came of it; False when it was refused."""
        try:
            entry = do()
        except (Refused, LogError) as error:
            outlook = PreviewLine(str(error), "refused")
            if isinstance(error, Refused):
                outlook = refusal_text(line, error)
            self.say(outlook._replace(text=" · ".join([outlook.text, *self._new_notes()])))
            self.publish()
            return False
        notes = self._new_notes()
        wrong = any(note not in self.encounter.done for note in notes)
        title = [entry.title] if notes and entry.to is None else []
        self.show_message(" · ".join([*title, *notes]), "warning" if wrong else "info")
        if entry.by == self.cursor and self.encounter.state.turn:
            self.cursor = acts_next(self.encounter.state, self._rules.tables, entry.by)
        self.look_for_what_differs()
        self.publish()
        return True

    def look_for_what_differs(self) -> None:
        """Between fights: whether the ledger lacks something of this, or this of the ledger."""
        if self.encounter.state.phase != "combat":
            from affray.store.campaigns.ledger_sync import needs_sync

            self.to_carry = needs_sync(self.encounter)

    def _new_notes(self) -> list[str]:
        """What reading the file has found that the GM has not been told yet."""
        notes, seen = self.encounter.notes, self._seen_notes
        self._seen_notes = notes
        return [note for note in notes if note not in seen]

    def show_message(self, text: str, kind: MessageKind = "info") -> None:
        """One line in the row of the prompt; an empty text takes it away."""
        self.say(PreviewLine(strip_control_chars(text), kind))

    def say(self, outlook: PreviewLine) -> None:
        """Show a message, or a refusal with its usage, in the row of the prompt."""
        if outlook.text:
            debug_log.log_line("said (%s): %s", outlook.kind, outlook.text)
        self.query_one(PromptWidget).show_message(outlook)

    # -- looking back ------------------------------------------------------------------------------

    def look_at(self, seq: int | None) -> None:
        """Show the fight as it was after an entry; as it is now for None, or an unknown entry."""
        self.show_message("")  # what was said was said of another entry
        history = self.encounter.history
        self.view_at = seq if seq in history.states and seq != history.head else None
        self.publish()

    def look_at_selected(self) -> None:
        """Look at the entry that is selected in the log."""
        selected = self.query_one(LogPane).selected
        if selected is not None:
            self.look_at(selected)

    def select_entry(self, by: int) -> None:
        """Move the selection in the log, which comes to the front if it is not seen, and name it.

        The log may have one row, in which all that a blow came to doesn't fit.
        """
        log, history = self.query_one(LogPane), self.encounter.history
        if not log.size:
            choose_pane(self, "log")
        log.select(by)
        if log.selected is None:
            self.show_message("")
            return
        does = (("answer", "looks at it"), (LAST_ROLL, "amends it"), ("leave", "lets it go"))
        keys = [f"{self.keymap.by_id[key].shown} {what}" for key, what in does]
        chosen = f"entry {log.selected} is chosen: {history.entries[log.selected].title}"
        self.show_message(" · ".join([chosen, *keys]))

    def back_to_now(self) -> bool:
        """Leave what is looked at in the log, then the maximised pane; False for neither."""
        log = self.query_one(LogPane)
        if self.view_at is not None or log.stays:
            self.view_at = None
            log.select_entry(None)
            self.look_at(None)
        elif self._places.arrangement.maximised:
            toggle_maximised(self)
        else:
            return False
        return True


def _keys_for(ruleset: Ruleset) -> tuple[Keymap, list[str]]:
    """The keys of a fight by those rules, and a line for each that could not be had."""
    own, complaints = own_keys()
    keymap = keymap_for(ruleset, own)
    return keymap, [f"keys: {line}" for line in (*complaints, *keymap.complaints)]


# -------------------------------------------------------------------------------------------------
# A text over the fight, in its frame, until the next key or click

FRAME = Size(6, 4)
SHARE, WIDEST = 92, 100
"""With `.why` in affray.tcss: it takes so many of 100 cells, and no more than these."""


class Overlay(ModalScreen[None]):
    """A text that is drawn as it fits."""

    def __init__(self, title: str) -> None:
        super().__init__(classes="overlay")
        self._title = title

    @abstractmethod
    def lines(self, size: Size, inks: Styles) -> list[StyledLine]:
        """The lines of the overlay, for so many cells and rows."""

    def compose(self) -> ComposeResult:
        """One text in its frame."""
        sheet = Static(classes="why")
        sheet.border_title = Text(strip_control_chars(self._title))
        sheet.border_subtitle = Text("any key closes")
        yield sheet

    def on_mount(self) -> None:
        """Say it."""
        self.say()

    def on_resize(self) -> None:
        """Lines are made for a size."""
        self.say()

    def say(self) -> None:
        """Show the lines as they are now."""
        width = min(self.size.width * SHARE // 100, WIDEST) - FRAME.width
        room = Size(width, max(self.size.height - FRAME.height, 1))
        self.query_one(Static).update(text_of(self.lines(room, get_app(self).inks)))

    def on_key(self, event: events.Key) -> None:
        """Every key closes it."""
        event.stop()
        event.prevent_default()
        dismiss_once(self)

    def on_click(self) -> None:
        """So does a click."""
        dismiss_once(self)
