"""The roster screen: party and bestiary, added, edited, benched and taken out.

A list is searched by typing. Enter opens the form of somebody, in which enter asks for one field;
or asks for the numbers of somebody new. Each change is written at once, and can be taken back as
long as the screen is open.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Input

from affray.core.commands.newcomers import BENCHED, slug
from affray.core.parser.errors import Refused
from affray.core.rules.reference import BESTIARY, PARTY, CreatureEntry
from affray.core.rules.ruleset import Ruleset
from affray.store import LogError
from affray.store.campaigns import roster
from affray.store.campaigns.campaign_rules import campaign_rules
from affray.store.campaigns.roster import FileChangedError, RosterEdit
from affray.tui.fight_view import dismiss_once, key_name
from affray.tui.lookup.model import LookupKeyResult
from affray.tui.lookup.roster import (
    FormField,
    NewRosterEntry,
    RosterForm,
    RosterList,
    with_value,
    with_words,
)
from affray.tui.terminal import clean_paste
from affray.tui.widgets.header_footer import InputLine, KeyHints
from affray.tui.widgets.lookup import LookupPane

KEYS = (
    ("↵", "edit", "opens a sheet, or edits a line of it"),
    ("ctrl+n", "make", "makes somebody with the name you typed"),
    ("tab", "party / bestiary", "lists the party or the bestiary first"),
    ("ctrl+x", "bench", "benches a character: `add party` leaves them out; again takes them back"),
    ("ctrl+u", "undo", "undoes the last change"),
    ("del", "remove", "removes somebody from the file"),
    ("esc", "back", "closes the line, the sheet or the list"),
)
OF_A_FORM = tuple(key for key in KEYS if key[0] not in ("ctrl+n", "tab"))
"""Those that do something in a form."""
ASKED = (("↵", "keep", "saves the line"), ("esc", "leave", "leaves; nothing changes"))
"""The keys while a line is asked for."""
MOST_SAID = 1000
"""So many characters may a line have."""
Said = Callable[[str], RosterEdit]
"""What is done with the line that was asked for."""


class RosterScreen(Screen[None]):
    """The list of a campaign's people, or the form of one of them."""

    AUTO_FOCUS = ""

    def __init__(self, folder: Path, where: str = PARTY) -> None:
        super().__init__()
        self._folder, self._where = folder, where
        self._rules: Ruleset | None = None  # None where the campaign's files can't be read
        self._changes: list[RosterEdit] = []
        self._asked: Said | None = None
        self._left: dict[str, str] = {}  # numbers that were left by esc, by whose they are

    def compose(self) -> ComposeResult:
        """Make the list or form, the line for questions, and the keys."""
        yield LookupPane(id="people")
        yield InputLine()
        yield KeyHints(KEYS)

    def on_mount(self) -> None:
        """Show the campaign's people."""
        self._read()
        self._list("")

    @property
    def _pane(self) -> LookupPane:
        return self.query_one("#people", LookupPane)

    @property
    def _contents(self) -> RosterList | RosterForm | None:
        """The rows on the screen; none where the campaign's files can't be read."""
        contents = self._pane.sheet.contents if self._pane.sheet is not None else None
        return contents if isinstance(contents, RosterList | RosterForm) else None

    @property
    def _line(self) -> InputLine:
        return self.query_one(InputLine)

    def say(self, message: str, done: bool = False) -> None:
        """One line in place of the keys; an empty one brings them back."""
        self.query_one(KeyHints).show(message, done)

    # -- what is shown -----------------------------------------------------------------------------

    def _read(self) -> None:
        """Read the campaign's files; an unreadable one leaves its message."""
        try:
            self._rules = campaign_rules(self._folder)
        except (Refused, LogError) as error:
            self.say(str(error))

    def _list(self, key: str, query: str = "", at: int = 0) -> None:
        """Show the list, with the cursor on the row of that key or at that place; a letter starts a
        new search."""
        if self._rules is None:
            dismiss_once(self)
            return
        people = RosterList(self._rules, self._where)
        self._pane.open(people)
        sheet = self._pane.sheet
        if sheet is not None:
            sheet.query, sheet.is_query_kept = query, bool(query)
            sheet.rows = people.rows(query)
            sheet.choose(people.at_key(key, sheet.rows, at))
        self._pane.repaint()
        self._offer()

    def _form(self, creature: CreatureEntry, field: FormField | None = None) -> None:
        """Show somebody's form, with the cursor on a field."""
        row = self._row(creature.id)
        if self._rules is None or row is None:
            return
        form = RosterForm(self._rules, creature, row)
        self._pane.open(form)
        sheet = self._pane.sheet
        if sheet is not None and field is not None:
            at = [f.name == field.name for f in sheet.rows if isinstance(f, FormField)]
            sheet.choose(at.index(True) if True in at else 0)
        self._pane.repaint()
        self._offer()

    def _offer(self) -> None:
        """Show the keys of the open line, of the form, or of the list."""
        keys = OF_A_FORM if isinstance(self._contents, RosterForm) else KEYS
        keys = ASKED if self._line.asks else keys
        self.query_one(KeyHints).offer(keys)

    def _row(self, key: str) -> dict[str, object] | None:
        """A row as its file has it."""
        return roster.load_row(self._folder, key)

    # -- keys --------------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Take a key of the open line, else of the list or the form."""
        if self._line.asks:
            if event.key == "escape":
                row = self._pane.sheet.row if self._pane.sheet is not None else None
                if isinstance(row, NewRosterEntry):
                    self._left[row.name] = self._line.value
                self._close_line()
                event.stop()
            return
        event.stop()
        event.prevent_default()
        pressed = key_name(event)
        sheet = self._pane.sheet
        if sheet is None:
            return
        self.say("")
        step = self._pane.feed(pressed)
        if step is LookupKeyResult.TAKEN:
            self._take(sheet.row)
        elif step is LookupKeyResult.LEFT:
            self._leave()
        elif step is LookupKeyResult.PASSED and pressed in _KEYS:
            _KEYS[pressed](self)

    def on_key_clicked(self) -> None:
        """A click on the chosen row."""
        if self._pane.sheet is not None:
            self._take(self._pane.sheet.row)

    def on_paste(self, event: events.Paste) -> None:
        """Type the pasted text."""
        if not self._line.asks:
            event.stop()
            self._pane.paste(clean_paste(event.text))

    def _leave(self) -> None:
        """Go back from a form to the list, or from the list to the fights."""
        contents = self._contents
        if isinstance(contents, RosterForm):
            self._list(contents.creature.id)
        else:
            dismiss_once(self)

    def _take(self, row: object) -> None:
        contents = self._contents
        if isinstance(row, CreatureEntry):
            self._form(row)
        elif isinstance(row, NewRosterEntry):
            try:
                slug(row.name)
            except Refused as refusal:
                self.say(str(refusal))
                return
            before = self._left.pop(row.name, "")
            asked = f"numbers of {row.name}"
            self._ask(asked, before, lambda text: self._make(row, text), anew=False)
        elif isinstance(row, FormField) and isinstance(contents, RosterForm):
            self._edit(contents, row)

    def _edit(self, form: RosterForm, field: FormField) -> None:
        """Ask for a field's value; a yes or no is switched."""
        if field.name == BENCHED:
            self._do(lambda: self._bench(form.creature))
        else:
            text = f"{field.name}: {field.expects}"
            self._ask(text, field.value, lambda value: self._set(form, field, value))

    # -- changes -----------------------------------------------------------------------------------

    def _make(self, new: NewRosterEntry, text: str) -> RosterEdit:
        assert self._rules is not None
        row = {"name": new.name, **with_words(self._rules, text)}
        key = roster.new_key(self._folder, new.name)
        return roster.add_row(self._folder, new.where, key, row)

    def _set(self, form: RosterForm, field: FormField, text: str) -> RosterEdit:
        now = with_value(form.ruleset, form.row, field, text)
        return roster.update_row(self._folder, form.creature.sort, form.creature.id, form.row, now)

    def _bench(self, creature: CreatureEntry) -> RosterEdit:
        was = self._row(creature.id) or {}
        left = {field: value for field, value in was.items() if field != BENCHED}
        now = left if was.get(BENCHED) else {**was, BENCHED: True}
        return roster.update_row(self._folder, creature.sort, creature.id, was, now)

    def make(self) -> None:
        """Make somebody with the typed name, whatever else it finds."""
        sheet = self._pane.sheet
        if sheet is None or not isinstance(sheet.contents, RosterList):
            return
        new = sheet.contents.new(sheet.query)
        if new.name:
            self._take(new)
        else:
            self.say("type a name first")

    def bench(self) -> None:
        """Leave a character out of `add party`, or take them in again."""
        row = self._chosen()
        if row is not None and row.sort == PARTY:
            self._do(lambda: self._bench(row))

    def take_out(self) -> None:
        """Take somebody out of the campaign's files."""
        row = self._chosen()
        if row is not None:
            self._do(lambda: roster.delete_row(self._folder, row.sort, row.id, row.name))

    def take_back(self) -> None:
        """Take back the last change that was made here."""
        if not self._changes:
            self.say("nothing has changed since this screen was opened")
            return
        change = self._changes.pop()
        try:
            roster.undo_edit(change)
        except (Refused, LogError) as error:
            self.say(str(error))
        else:
            self._show_anew(f"undone: {change.summary}")

    def turn(self) -> None:
        """Put the party first, or the bestiary."""
        sheet = self._pane.sheet
        if sheet is not None and isinstance(sheet.contents, RosterList):
            self._where = BESTIARY if self._where == PARTY else PARTY
            self._list("", sheet.query)

    def _chosen(self) -> CreatureEntry | None:
        """The row under the cursor, or of the open form."""
        sheet = self._pane.sheet
        if sheet is not None and isinstance(sheet.contents, RosterForm):
            return sheet.contents.creature
        row = sheet.row if sheet is not None else None
        return row if isinstance(row, CreatureEntry) else None

    def _do(self, change: Callable[[], RosterEdit]) -> bool:
        """Make a change, and show the result; a refusal is a line, and nothing changes."""
        try:
            done = change()
        except FileChangedError as refusal:
            self._close_line()
            self._show_anew(str(refusal), done=False)
            return False
        except (Refused, LogError) as error:
            self.say(str(error))
            return False
        self._changes.append(done)
        self._show_anew(done.summary)
        return True

    def _show_anew(self, text: str, done: bool = True) -> None:
        """Read the files again, and show the same rows as they are now."""
        sheet = self._pane.sheet
        self._read()
        contents = sheet.contents if sheet is not None else None
        is_there = isinstance(contents, RosterForm) and self._row(contents.creature.id) is not None
        if sheet is not None and isinstance(contents, RosterForm) and is_there:
            self._form(contents.creature, sheet.row)
        elif sheet is not None:
            chosen = self._chosen()
            self._list(chosen.id if chosen is not None else "", sheet.query, sheet.at)
        self.say(text, done)

    # -- the line that is asked for ----------------------------------------------------------------

    def _ask(self, what: str, value: str, edit: Said, anew: bool = True) -> None:
        self._asked = edit
        self._line.ask(what, value, MOST_SAID, anew)
        self._offer()

    def _close_line(self) -> None:
        self._line.close()
        self._offer()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Carry out the answer; a refused line stays, with the mistake below it."""
        event.stop()
        edit = self._asked
        if edit is not None and self._do(lambda: edit(event.value)):
            self._close_line()


_KEYS: dict[str, Callable[[RosterScreen], None]] = {
    "ctrl+n": RosterScreen.make,
    "tab": RosterScreen.turn,
    "ctrl+x": RosterScreen.bench,
    "delete": RosterScreen.take_out,
    "ctrl+u": RosterScreen.take_back,
}
