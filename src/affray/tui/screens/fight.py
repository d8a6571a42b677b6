"""The fight's screen: it holds the encounter and the cursor, and tells the panes what to show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.geometry import Size
from textual.screen import Screen

from affray import debug
from affray.core.heart.state import Encounter
from affray.core.language.refusal import Refused
from affray.store.errors import LogError
from affray.tui.drawing import plain
from affray.tui.fight_view import FightView, acts_next
from affray.tui.keymap import LAST_ROLL, Keymap, keymap_for
from affray.tui.messages import Chosen, LookedAt, Pointed, Pressed, Turned
from affray.tui.own_keys import own_keys
from affray.tui.panes.card import CardPane
from affray.tui.panes.follower import Follower
from affray.tui.panes.footer import FooterLine
from affray.tui.panes.header import HeaderLine
from affray.tui.panes.initiative import InitiativePane
from affray.tui.panes.log import LogPane
from affray.tui.panes.order_columns import rows_of
from affray.tui.panes.prompt import PromptLine
from affray.tui.panes.sheet import SheetPane
from affray.tui.panes.spend import SpendPane
from affray.tui.panes.techniques import TechniquesPane
from affray.tui.panes.timers import TimersPane
from affray.tui.panes.too_small import TooSmall
from affray.tui.panes.tracks import TracksPane
from affray.tui.pasting import clean
from affray.tui.prompts.outlook import MessageKind, Outlook, refused
from affray.tui.screens.arrangement import (
    Arrangement,
    FightLayout,
    is_too_small,
)
from affray.tui.screens.fight_actions import begin_by_id, begin_own, dispatch, point, type_key
from affray.tui.screens.fight_panes import (
    choose_pane,
    fit_anew,
    fit_panes,
    frame_panes,
    toggle_maximised,
    without,
)
from affray.tui.screens.fight_previews import prepare
from affray.tui.screens.fight_prompts import paste
from affray.tui.screens.fight_sheets import show_chosen
from affray.tui.screens.jumping import leave_jump
from affray.tui.screens.typed_on import TypedOn
from affray.tui.shared import app_of, is_there, pressed_key
from affray.tui.tidying import Tidying, put_away

if TYPE_CHECKING:
    from affray.core.heart.history import Entry
    from affray.core.rules.ruleset import Option, Ruleset
    from affray.store.encounter import OpenEncounter


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
        self.typed_on = TypedOn(lambda: app_of(self).clock())
        self._rules: Ruleset = encounter.ruleset
        self.keymap, self._complaints = _keys_for(self._rules)
        self._noted: tuple[str, ...] = ()
        self._places = FightLayout(Arrangement(without=without(encounter.ruleset.tables)))
        self._fitted = Size(0, 0)
        self._turn = ""
        self._stale = ""
        self.sheet_pane = SheetPane(id="sheet")

    @property
    def layout(self) -> FightLayout:
        """Where the panes stand."""
        return self._places

    @property
    def chosen(self) -> str:
        """The id of the pane that tab has gone to, which scrolls and can be maximised."""
        return self._places.arrangement.chosen

    def compose(self) -> ComposeResult:
        """All panes; the layout decides which of them are seen."""
        yield HeaderLine(id="header")
        order, tracks = InitiativePane(id="initiative"), TracksPane(id="tracks")
        order.tracks, tracks.beside = tracks, order.scroll_top
        yield order
        yield tracks
        yield SpendPane(id="spend")
        yield CardPane(id="card")
        yield CardPane("beside", id="second")
        yield TechniquesPane(id="techniques")
        yield TimersPane(id="timers")
        yield LogPane(id="log")
        yield PromptLine(id="prompt")
        yield FooterLine(id="footer")
        yield self.sheet_pane
        yield TooSmall(id="small")

    def on_mount(self) -> None:
        """Show the fight, and what was found while it was opened."""
        frame_panes(self)
        self.look_for_what_differs()
        self.publish()
        self.tidying = Tidying(self, partial(prepare, self))
        # tabs have inks of their own
        self.watch(self.app, "inks", lambda: frame_panes(self), init=False)
        self.call_after_refresh(fit_panes, self)
        self.call_after_refresh(put_away)
        found = [*self._new_notes(), *self._complaints, *app_of(self).complaints]
        if self.encounter.is_viewed:
            self.set_interval(FOLLOW_EVERY, self.follow)
            found.insert(0, f"read-only: {self.encounter.read_only}")
        if found:
            self.show_message(" · ".join(found), "warning")

    def on_key(self, event: events.Key) -> None:
        """Every key goes to the one table of keys first."""
        self.tidying.after_key()
        if is_too_small(self.size):  # what can't be seen is not played
            return
        if type_key(self, pressed_key(event)):
            event.stop()
            event.prevent_default()

    def on_paste(self, event: events.Paste) -> None:
        """What is pasted is text, and never keys."""
        event.stop()
        if self.sheet_pane.is_open:
            self.sheet_pane.paste(clean(event.text))
        else:
            paste(self, event.text)

    def on_mouse_down(self) -> None:
        """Who has a mouse needs no letters."""
        leave_jump(self)

    def on_pressed(self, message: Pressed) -> None:
        """A click that stands for a key."""
        dispatch(self, message.key)

    def on_chosen(self, message: Chosen) -> None:
        """A click on what has an entry in the table of keys."""
        if message.own:
            begin_own(self, message.own)
        else:
            begin_by_id(self, message.key_id)

    def on_pointed(self, message: Pointed) -> None:
        """A click on somebody."""
        point(self, message.who)

    def on_looked_at(self, message: LookedAt) -> None:
        """A click on the entry that was opened already."""
        self.look_at(message.seq)

    def on_turned(self, message: Turned) -> None:
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
            elsewhere=self.encounter.elsewhere,
            to_carry=self.to_carry,
        )
        for pane in self.children:
            if isinstance(pane, Follower):
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

    def own_options(self) -> list[Option]:
        """What the one for whom the keys act can do that is in no table."""
        return self.view.own(self.view.actor())

    def put_cursor(self, who: str) -> None:
        """Put the cursor on somebody."""
        if who != self.cursor:
            self.cursor = who
            self.publish()

    def move_cursor(self, by: int) -> None:
        """Move the cursor up or down the order; it stops at the ends."""
        ids = [who.id for row in rows_of(self.view.state) for who in row.members]
        if ids:
            here = ids.index(self.cursor) if self.cursor in ids else 0
            self.put_cursor(ids[max(0, min(here + by, len(ids) - 1))])

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
            said = Outlook(str(error), "refused")
            if isinstance(error, Refused):
                said = refused(line, error)
            self.say(said._replace(text=" · ".join([said.text, *self._new_notes()])))
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
            from affray.store.campaigns.carrying import differs

            self.to_carry = differs(self.encounter)

    def _new_notes(self) -> list[str]:
        """What reading the file has found that the GM has not been told yet."""
        notes, noted = self.encounter.notes, self._noted
        self._noted = notes
        return [note for note in notes if note not in noted]

    def show_message(self, text: str, kind: MessageKind = "info") -> None:
        """One line in the row of the prompt; an empty text takes it away."""
        self.say(Outlook(plain(text), kind))

    def say(self, said: Outlook) -> None:
        """Show a message, or a refusal with its usage, in the row of the prompt."""
        if said.text:
            debug.note("said (%s): %s", said.kind, said.text)
        self.query_one(PromptLine).show_message(said)

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
