"""The fight's screen: it holds the encounter and the cursor, and hands each view to the panes."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.geometry import Size
from textual.screen import Screen

from affray import debug_log
from affray.core.engine.decide import despite_faults, faults_by_their_place
from affray.core.engine.history import START
from affray.core.engine.state import Encounter
from affray.core.formatting.safe_text import strip_control_chars
from affray.core.parser.declarations import spec_of_own
from affray.core.parser.errors import GameFault, Refused
from affray.core.rules.ruleset import Ruleset
from affray.store import LogError
from affray.store.campaigns.ledger import CARRY, needs_sync
from affray.store.inbox import only_looks
from affray.tui.fight_view import (
    CombatantClicked,
    FightView,
    KeyBindingClicked,
    KeyClicked,
    LogEntryClicked,
    LookupRowHighlighted,
    acts_next,
    get_app,
    is_there,
    key_name,
)
from affray.tui.keymap import (
    LAST_ROLL,
    NUMBER,
    OTHER,
    KeyBinding,
    Keymap,
    key_label,
    keymap_for,
    lowered,
    own_keys,
)
from affray.tui.prompts.combatant_fields import append_digit, no_number
from affray.tui.prompts.preview import MessageKind, PreviewLine, refusal_text
from affray.tui.screens.fight_layout import FightLayout, FightPanes, is_too_small
from affray.tui.screens.fight_lookups import FightLookups
from affray.tui.screens.fight_prompts import FightPrompts
from affray.tui.screens.fight_proposals import LOOK_EVERY, FightProposals
from affray.tui.screens.idle_work import IdleWork, freeze_gc
from affray.tui.terminal import clean_paste
from affray.tui.widgets.base import FightWidget, lettered
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
    from affray.core.rules.ruleset import AvailableAction
    from affray.store.open_encounter import OpenEncounter

SERVER_LOOK_EVERY = 1.0
"""Seconds after which it is looked whether the server beside the screen still runs."""
FOLLOW_EVERY = 1.0
"""Seconds after which a fight that is only looked at is looked for news."""


class FightScreen(Screen[None]):
    """One encounter, played. What it shows is `view`; what changes it is `run_command`.

    view     what the panes draw: a new value for every change
    keymap   the keys of this fight, with the user's own
    cursor   id of the combatant that the cursor is on
    digits   the digits typed so far of a number, which moves the cursor there
    view_at  the entry on view; None for now
    inserting  True if the next command is inserted after that entry
    to_carry True if the ledger and this fight differ
    panes    the places of the panes, and the chosen one
    prompts  the prompt or command bar that is open
    lookups  the lookup lists beside the fight, in `sheet_pane`
    """

    AUTO_FOCUS = ""

    def __init__(self, encounter: OpenEncounter) -> None:
        super().__init__()
        self.encounter = encounter
        self.view: FightView
        self.cursor = ""
        self.digits = ""
        self.view_at: int | None = None
        self.inserting = False
        self.to_carry = False
        self._rules: Ruleset = encounter.ruleset
        self.keymap, self._complaints = _keys_for(self._rules)
        self._seen_notes: tuple[str, ...] = ()
        self._fitted = Size(0, 0)
        self._turn = ""
        self._stale = ""
        self.prompt_line, footer = PromptWidget(id="prompt"), Footer(id="footer")
        self.order, self.log_pane = TurnOrderList(id="initiative"), LogPane(id="log")
        self.sheet_pane = LookupPane(id="sheet")
        self.panes = FightPanes(self, encounter.ruleset.tables)
        self.prompts: FightPrompts = FightPrompts(
            self, self.prompt_line, footer, self.order, self.log_pane, lambda: get_app(self).clock()
        )
        self.lookups: FightLookups = FightLookups(self, self.prompts, self.panes, self.sheet_pane)
        self.proposals: FightProposals = FightProposals(self)

    @property
    def layout(self) -> FightLayout:
        """The places of the panes."""
        return self.panes.layout

    @property
    def chosen(self) -> str:
        """The id of the pane chosen by tab, which scrolls and can be maximised."""
        return self.panes.chosen

    def compose(self) -> ComposeResult:
        """All panes; the layout decides which are visible."""
        yield Header(id="header")
        order, tracks = self.order, TracksPane(id="tracks")
        order.tracks, tracks.beside = tracks, order.scroll_top
        yield order
        yield tracks
        yield TurnSummaryPane(id="spend")
        yield CombatantCard(id="card")
        yield CombatantCard("beside", id="second")
        yield TechniquesPane(id="techniques")
        yield TimersPane(id="timers")
        yield self.log_pane
        yield self.prompt_line
        yield self.prompts.footer
        yield self.sheet_pane
        yield TooSmall(id="small")

    def on_mount(self) -> None:
        """Show the fight, and the notes from opening it."""
        self.panes.frame()
        self.look_for_what_differs()
        self.publish()
        self.idle_work = IdleWork(self, self, self.prompt_line)
        # tabs have inks of their own
        self.watch(self.app, "inks", self.panes.frame, init=False)
        self.call_after_refresh(self.publish)
        self.call_after_refresh(freeze_gc)
        found = [*self._new_notes(), *self._complaints, *get_app(self).complaints]
        if not self.encounter.is_viewed:
            self.proposals.recover()
            if get_app(self).served is not None and self.proposals.phones.rights():
                found += only_looks(self.encounter.state)
            self.set_interval(LOOK_EVERY, lambda: self.by_the_code(self.proposals.look))
        self._server_looks = self.set_interval(SERVER_LOOK_EVERY, self.look_for_server)
        if self.encounter.is_viewed:
            self.set_interval(FOLLOW_EVERY, self.follow)
            found.insert(0, f"read-only: {self.encounter.read_only}")
        if found:
            self.show_message(" · ".join(found), "warning")

    def look_for_server(self) -> None:
        """Show once what the server beside the screen says, and that it has ended, when nobody is
        typing."""
        served = get_app(self).served
        if served is None:
            self._server_looks.stop()
        elif self.prompt_line.is_open:
            return
        elif served.trouble:
            self._server_looks.stop()
            self.show_message(f"the players' page is gone: {served.trouble}", "warning")
        elif words := served.new_words():
            self.show_message(words, "warning")

    def on_key(self, event: events.Key) -> None:
        """Every key goes to the one table of keys first."""
        self.idle_work.after_key()
        if is_too_small(self.size):  # what can't be seen is not played
            return
        pressed = key_name(event)
        # A key typed ahead for a prompt that isn't there does nothing.
        if self.prompts.typed_on.swallows(pressed) or self.by_the_code(
            lambda: self.dispatch(pressed)
        ):
            event.stop()
            event.prevent_default()

    def by_the_code(self, act: Callable[[], object]) -> bool:
        """Do something with a game's code, and tell a fault in that in the line."""
        try:
            with faults_by_their_place(self._rules):
                return bool(act())
        except GameFault as fault:
            self.show_message(str(fault), "refused")
            return True

    def on_paste(self, event: events.Paste) -> None:
        """Take pasted text as text, never as keys."""
        event.stop()
        if self.sheet_pane.is_open:
            self.sheet_pane.paste(clean_paste(event.text))
        else:
            self.prompts.paste(event.text)

    def on_mouse_down(self) -> None:
        """Leave jump mode: a click needs no letters."""
        self.leave_jump()

    def on_key_clicked(self, message: KeyClicked) -> None:
        """A click that counts as a key."""
        self.by_the_code(lambda: self.dispatch(message.key))

    def on_key_binding_clicked(self, message: KeyBindingClicked) -> None:
        """A click on something with an entry in the table of keys."""
        if message.own:
            self.by_the_code(lambda: self.begin_own(message.own))
        else:
            self.by_the_code(lambda: self.begin_by_id(message.key_id))

    def on_combatant_clicked(self, message: CombatantClicked) -> None:
        """A click on somebody: they answer an open prompt, or get the cursor."""
        if not self.prompts.point_at(message.who):
            self.put_cursor(message.who)

    def on_log_entry_clicked(self, message: LogEntryClicked) -> None:
        """A click on the entry that is already selected."""
        self.look_at(message.seq)

    def on_lookup_row_highlighted(self, message: LookupRowHighlighted) -> None:
        """Another row of the sheet was chosen."""
        self.lookups.show_chosen()

    def on_resize(self) -> None:
        """Panes share one place, or no longer do. The toolkit reports the same size several
        times."""
        if self.size != self._fitted and is_there(self):
            self._fitted = self.size
            self.by_the_code(self.panes.fit_anew)

    # -- what is shown -----------------------------------------------------------------------------

    def publish(self) -> None:
        """Give all panes the present fight; only with the game's tables while its code fails."""
        rules = self.encounter.ruleset
        despite_faults(rules, self._publish, lambda fault: self.show_message(fault, "refused"))

    def _publish(self, rules: Ruleset) -> None:
        history = self.encounter.history
        state = self.encounter.state if self.view_at is None else history.states[self.view_at]
        if rules is not self._rules:  # the file was read again
            self._rules = rules
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
            inserting=self.inserting,
            read_only=self.encounter.read_only,
            in_brief=self.encounter.read_only_in_brief,
            follows=self.encounter.is_viewed and self.encounter.is_whole,
            stale=self._stale,
            other_logs=self.encounter.other_logs,
            to_carry=self.to_carry,
            proposed=self.proposals.decisions,
        )
        for pane in self.children:
            if isinstance(pane, FightWidget):
                pane.follow(self.view)
        self.panes.fit()

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
                self.view_at, self.inserting = None, False  # it is another log now
            self.publish()

    def _follow_turn(self, state: Encounter) -> None:
        """Move the cursor with a new turn, or when its combatant leaves."""
        if state.turn != self._turn or state.find(self.cursor) is None:
            self._turn = state.turn
            first = next((c.id for c in state.in_order()), "")
            self.cursor = state.turn if state.find(state.turn) else first

    def own_options(self) -> list[AvailableAction]:
        """The powers on the sheet of the combatant for whom the keys act."""
        return self.view.own(self.view.actor())

    def put_cursor(self, combatant_id: str) -> None:
        """Move the cursor to a combatant, by id."""
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
        if self.proposals.changing is not None:
            return self.proposals.play_changed(line)
        return self.carry_out(lambda: self.encounter.do(line), line)

    def carry_out(self, do: Callable[[], Entry], line: str) -> bool:
        """Carry out a command, and show the result; False if it is refused."""
        try:
            entry = do()
        except (Refused, LogError) as error:
            outlook = PreviewLine(str(error), "refused")
            if isinstance(error, Refused):
                outlook = refusal_text(line, error)
            if notes := self._new_notes():
                outlook = PreviewLine(" · ".join([outlook.text, *notes]), "refused")
            self.say(outlook)
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
        """Between fights: check if the ledger and this fight differ."""
        if not self.encounter.state.in_combat:
            self.to_carry = needs_sync(self.encounter)

    def _new_notes(self) -> list[str]:
        """The notes on the file that the GM hasn't seen yet."""
        notes, seen = self.encounter.notes, self._seen_notes
        self._seen_notes = notes
        return [note for note in notes if note not in seen]

    def show_message(self, text: str, kind: MessageKind = "info") -> None:
        """One line in the row of the prompt; an empty text takes it away."""
        self.say(PreviewLine(strip_control_chars(text), kind))

    def say(self, outlook: PreviewLine) -> None:
        """Show a message, or a refusal with its usage, in the row of the prompt."""
        if outlook.text:
            debug_log.log_line("message (%s): %s", outlook.kind, outlook.text)
        self.prompt_line.show_message(outlook)

    # -- looking back ------------------------------------------------------------------------------

    def look_at(self, seq: int | None, inserting: bool = False) -> None:
        """Show the fight as it was after an entry; as it is now for None, or an unknown entry.

        With `inserting` the next command is inserted after that entry.
        """
        self.show_message("")  # the message was about another entry
        history = self.encounter.history
        self.view_at = seq if seq in history.states and seq != history.head else None
        self.inserting = inserting and self.view_at is not None
        self.publish()

    def look_at_selected(self) -> None:
        """Look at the entry that is selected in the log."""
        selected = self.log_pane.selected
        if selected is not None:
            self.look_at(selected)

    def select_entry(self, by: int) -> None:
        """Move the selection in the log, bring the log to the front if it is hidden, and name the
        entry.

        The log may have a single row, too short for all the effects of a hit.
        """
        log, history = self.log_pane, self.encounter.history
        if not log.size:
            self.panes.choose("log")
        log.select(by)
        if log.selected is None:
            self.show_message("")
            return
        does = (
            ("answer", "shows the fight there"),
            (LAST_ROLL, "amends it"),
            ("leave", "deselects it"),
        )
        keys = [f"{self.keymap.by_id[key].shown} {what}" for key, what in does]
        chosen = f"entry {log.selected} is selected: {history.entries[log.selected].title}"
        self.show_message(" · ".join([chosen, *keys]))

    def back_to_now(self) -> bool:
        """Leave the past, then the maximised pane; False for neither."""
        log = self.log_pane
        if self.view_at is not None or log.stays:
            log.select_entry(None)
            self.look_at(None)
        elif self.layout.arrangement.maximised:
            self.panes.toggle_maximised()
        else:
            return False
        return True

    # -- keys --------------------------------------------------------------------------------------

    def dispatch(self, pressed: str) -> bool:
        """Carry out a key, by its name in the table; returns True if it did anything."""
        if self.panes.letters:
            self.leave_jump(pressed)
            return True
        sheet = self.sheet_pane.sheet
        if sheet is not None:
            return self.lookups.feed(sheet, pressed) or self._leads_on(pressed)
        line = self.prompt_line
        if line.bar is not None:
            self.prompts.feed_bar(line.bar, pressed)
            return True
        if line.prompt is not None and self.prompts.feed(line.prompt, pressed):
            return True
        found = self.keymap.find(pressed)
        digits, self.digits = self.digits, ""
        if pressed.isdecimal() and (digits or (found is not None and found.id == NUMBER)):
            return self._put_cursor_on_number(digits, pressed)
        if found is None:
            return self._name_moved(pressed)
        done = self.run_binding(found)
        self._name_moved(pressed)
        return done

    def _name_moved(self, pressed: str) -> bool:
        """Say once which key now has the act of an old key; returns True if it did.

        Where another act has the key now, its prompt is open and shows the message.
        """
        moved, named = self.keymap.moved.get(pressed, []), get_app(self).named
        if not moved or pressed in named:
            return False
        named.add(pressed)
        found, prompt = self.keymap.find(pressed), self.prompt_line.prompt
        now = f"is {lowered(found.label)} now" if found is not None else "no longer does anything"
        acts = ", ".join(f"{key.shown} is {lowered(key.label)}" for key in moved)
        text = f"{key_label(pressed)} {now}: {acts}"
        if prompt is not None:
            prompt.trouble = prompt.trouble or text
            self.prompts.show(prompt)
        elif found is None or self.sheet_pane.is_open:
            self.show_message(text)
        if found is None:
            self.prompts.typed_on.begin()
        return True

    def _put_cursor_on_number(self, digits: str, pressed: str) -> bool:
        """Put the cursor on the combatant with that number; earlier digits belong to it."""
        numbers = self.view.state.by_number()
        self.digits = append_digit(digits, pressed, numbers)
        found = numbers.get(int(self.digits)) if self.digits else None
        if found is not None:
            self.put_cursor(found.id)
        elif self.digits:
            self.show_message(f"{self.digits} …", "hint")
        elif pressed == "0":
            return self.put_cursor_on_turn()
        else:
            self.show_message(no_number(pressed, numbers), "refused")
        return True

    def put_cursor_on_turn(self) -> bool:
        """Put the cursor back on whoever's turn it is."""
        up = self.view.state.up
        if up is None:
            self.show_message("it is nobody's turn", "hint")
        else:
            self.put_cursor(up.id)
        return True

    def _leads_on(self, pressed: str) -> bool:
        """A key without use in a sheet: some open something else, the others do nothing."""
        found = self.keymap.find(pressed)
        return found is not None and found.id in LEADS_ON and self.run_binding(found)

    def run_binding(self, key: KeyBinding) -> bool:
        """Carry out an entry of the table."""
        self.lookups.close()
        if key.prompt is not None:
            self.prompts.open(key.prompt)
            return True
        action = ACTIONS.get(key.id)
        return action is not None and action(self) is not False

    def begin_by_id(self, key_id: str) -> None:
        """Begin the act of that entry, as a click on its row does."""
        found = self.keymap.by_id.get(key_id)
        if found is not None:
            self.prompts.close()
            self.run_binding(found)

    def begin_own(self, name: str) -> None:
        """Begin an option of the actor's own, as a click on its row does."""
        option = next((o for o in self.own_options() if o.name == name), None)
        key = self.keymap.of_own(option) if option is not None else None
        if key is not None and key.prompt is not None and option is not None:
            self.lookups.close()
            self.prompts.close()
            self.prompts.open(spec_of_own(key.prompt, option))

    # -- what keys do ------------------------------------------------------------------------------

    def begin_jump(self) -> None:
        """Show the panes' letters; those of hidden panes are in the prompt's row."""
        self.panes.show_letters()
        names = " ".join(f"{lettered(own)}{pane}" for pane, own in self.panes.letters.items())
        self.show_message(f"go to {names}; any other key stays here", "hint")

    def leave_jump(self, letter: str = "") -> None:
        """Hide the letters, and choose the pane with that one."""
        if self.panes.letters:
            self.show_message("")
            self.panes.jump_to(letter)

    def answer(self) -> bool:
        """Enter: look at the selected entry, go on from a past one, or answer a decision; between
        fights, carry the differences."""
        if self.inserting:
            if self.view.pending:
                self.prompts.ask_waiting(self.view.pending)
            return bool(self.view.pending)
        if self.view_at is not None:
            seq = self.view_at
            self.look_at(None)
            self.prompts.submit(f"goto {seq}")
            return True
        if self.log_pane.selected is not None:
            self.look_at_selected()
            return True
        if self.view.pending:
            self.prompts.ask_waiting(self.view.pending)
        elif not self.proposals.accept() and self.to_carry:
            self.prompts.submit(CARRY)
        return True

    def ring_for(self, waiting: list[str]) -> None:
        """Ring for proposals, and for other decisions that wait."""
        get_app(self).ring_for(self.encounter.state, waiting)

    def leave(self) -> None:
        """Esc: close the open prompt or list, and clear a message."""
        if not self.back_to_now():
            self.show_message("")

    def undo(self) -> None:
        """Take back the last command."""
        self.prompts.submit("undo")

    def redo(self) -> None:
        """Redo the last command undone."""
        self.prompts.submit("redo")

    def look_by(self, by: int) -> None:
        """Show the fight an entry earlier or later."""
        history = self.encounter.history
        position = history.head if self.view_at is None else self.view_at
        there = bisect_left(history.path, position) + by  # -1 is the beginning, before the first
        if position == START:
            there = -1 + by
        if -1 <= there < len(history.path):
            seq = history.path[there] if there >= 0 else START
            self.look_at(seq)
            title = history.entries[seq].title if seq else "the beginning"
            now = "now" if seq == history.head else f"entry {seq}"
            self.show_message(f"{now}: {title}")

    # -- screens of their own, imported when they are asked for: a fight opens sooner without them -

    def show_why(self) -> None:
        """Show the parts of the numbers of the combatant under the cursor, at the entry that is
        shown."""
        from affray.tui.screens.reports import ExplainScreen

        combatant = self.view.state.find(self.view.actor())
        if combatant is None:
            self.show_message("nobody is under the cursor")
        else:
            self.app.push_screen(ExplainScreen(self.view, combatant))

    def show_recap(self) -> None:
        """Open the story of the fight in place of the screen."""
        from affray.tui.screens.reports import RecapScreen

        self.app.push_screen(RecapScreen(self.encounter, self.keymap.by_id["recap"].keys))

    def show_players(self) -> None:
        """Show the present fight as the players see it."""
        from affray.tui.screens.reports import PlayersScreen

        opened_by = self.keymap.by_id["players"].keys
        self.app.push_screen(PlayersScreen(self.encounter, opened_by=opened_by))

    def show_phones(self) -> None:
        """List whose phone plays whom, to be taken back."""
        from affray.tui.screens.reports import PhonesScreen

        opened_by = self.keymap.by_id["phones"].keys
        self.app.push_screen(PhonesScreen(self.encounter, self.proposals, opened_by))

    def show_odds(self) -> None:
        """Show the likely outcome of the fight, from the entry that is shown."""
        from affray.odds.simulation import RulesRef
        from affray.tui.screens.reports import OddsScreen

        rules = RulesRef(self.view.ruleset.id, self.encounter.path)
        self.app.push_screen(OddsScreen(self.view, rules))


def _keys_for(ruleset: Ruleset) -> tuple[Keymap, list[str]]:
    """The keys of a fight by those rules, and a line for each that is not available."""
    own, complaints = own_keys()
    keymap = keymap_for(ruleset, own)
    return keymap, [f"keys: {line}" for line in (*complaints, *keymap.complaints)]


LEADS_ON = ("help", "rules", "ways", "bring", "aloud", "palette", "home")
"""What can be done while a list is open, which takes every other key."""

ACTIONS: dict[str, Callable[[FightScreen], object]] = {
    "cursor.down": lambda screen: screen.move_cursor(1),
    "cursor.up": lambda screen: screen.move_cursor(-1),
    "cursor.turn": FightScreen.put_cursor_on_turn,
    "again": lambda screen: screen.prompts.ask_again(),
    LAST_ROLL: lambda screen: screen.prompts.ask_last_roll(),
    "help": lambda screen: screen.lookups.show_help(),
    "command": lambda screen: screen.prompts.open_bar(),
    "rules": lambda screen: screen.lookups.show_rules(),
    "ways": lambda screen: screen.lookups.show_ways(),
    "bring": lambda screen: screen.lookups.show_bring(),
    OTHER: lambda screen: screen.lookups.show_acts(),
    "aloud": lambda screen: screen.lookups.show_aloud(),
    "why": FightScreen.show_why,
    "odds": FightScreen.show_odds,
    "players": FightScreen.show_players,
    "phones": FightScreen.show_phones,
    "proposal.accept": lambda screen: screen.proposals.accept(),
    "proposal.change": lambda screen: screen.proposals.change(),
    "proposal.decline": lambda screen: screen.proposals.begin_decline(),
    "pane.next": lambda screen: screen.panes.choose_next(1),
    "pane.back": lambda screen: screen.panes.choose_next(-1),
    "jump": FightScreen.begin_jump,
    "maximise": lambda screen: screen.panes.toggle_maximised(),
    "scroll.down": lambda screen: screen.panes.page(1),
    "scroll.up": lambda screen: screen.panes.page(-1),
    "scroll.start": lambda screen: screen.panes.scroll_end(start=True),
    "scroll.end": lambda screen: screen.panes.scroll_end(),
    "entry.back": lambda screen: screen.select_entry(-1),
    "entry.forward": lambda screen: screen.select_entry(1),
    "recap": FightScreen.show_recap,
    "palette": lambda screen: screen.app.action_command_palette(),
    "home": lambda screen: get_app(screen).go_home(),
    "quit": lambda screen: screen.app.call_later(screen.app.action_quit),
    "leave": FightScreen.leave,
    "answer": FightScreen.answer,
    "undo": FightScreen.undo,
    "redo": FightScreen.redo,
    "look.back": lambda screen: screen.look_by(-1),
    "look.forward": lambda screen: screen.look_by(1),
}
"""What the entries of the table that are no commands do, by their ids."""
