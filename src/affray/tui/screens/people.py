"""A campaign's people: the party and the bestiary, made, edited, benched and taken out.

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

from affray.core.commands.adding import BENCHED
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Ruleset
from affray.store.campaigns import keeping
from affray.store.campaigns.keeping import Change, ChangedMeanwhile
from affray.store.campaigns.rules import rules_of
from affray.store.errors import LogError
from affray.tui.panes.asked_line import AskedLine
from affray.tui.panes.keys_line import KeysLine
from affray.tui.panes.sheet import SheetPane
from affray.tui.pasting import clean
from affray.tui.shared import close_once, pressed_key
from affray.tui.sheets.creatures import BESTIARY, PARTY, Creature
from affray.tui.sheets.form import Field, Form, with_value, with_words
from affray.tui.sheets.people import New, People
from affray.tui.sheets.sheet import SheetStep

KEYS = (
    ("↵", "edit", "opens the sheet of somebody, or asks for a line of it"),
    ("ctrl+n", "make", "makes somebody of the name that is typed"),
    ("tab", "party / bestiary", "has the one or the other stand first"),
    ("ctrl+x", "bench", "leaves a character out of the party that joins, or not any more"),
    ("ctrl+u", "undo", "takes back the last change"),
    ("del", "take out", "takes somebody out of the file"),
    ("esc", "back", "leaves the line, the sheet, the list"),
)
OF_A_FORM = tuple(key for key in KEYS if key[0] not in ("ctrl+n", "tab"))
"""Those that do something in a form."""
ASKED = (("↵", "keep", "keeps what the line says"), ("esc", "leave", "leaves all as it was"))
"""The keys while a line is asked for."""
MOST_SAID = 1000
"""So many characters may a line have."""
Said = Callable[[str], Change]
"""What is done with the line that was asked for."""


class PeopleScreen(Screen[None]):
    """The list of a campaign's people, or the form of one of them."""

    AUTO_FOCUS = ""

    def __init__(self, folder: Path, where: str = PARTY) -> None:
        super().__init__()
        self._folder, self._where = folder, where
        self._rules: Ruleset | None = None  # None where the campaign's files can't be read
        self._changes: list[Change] = []
        self._asked: Said | None = None
        self._left: dict[str, str] = {}  # numbers that were left by esc, by whose they are

    def compose(self) -> ComposeResult:
        """The list or form, the line that is asked for, and the keys."""
        yield SheetPane(id="people")
        yield AskedLine()
        yield KeysLine(KEYS)

    def on_mount(self) -> None:
        """Show whom the campaign has."""
        self._read()
        self._list("")

    @property
    def _pane(self) -> SheetPane:
        return self.query_one("#people", SheetPane)

    @property
    def _contents(self) -> People | Form | None:
        """What is shown; nothing where the campaign's files can't be read."""
        contents = self._pane.sheet.contents if self._pane.sheet is not None else None
        return contents if isinstance(contents, People | Form) else None

    @property
    def _line(self) -> AskedLine:
        return self.query_one(AskedLine)

    def say(self, message: str, done: bool = False) -> None:
        """One line in place of the keys; an empty one brings them back."""
        self.query_one(KeysLine).show(message, done)

    # -- what is shown -----------------------------------------------------------------------------

    def _read(self) -> None:
        """Read the campaign's files; what can't be read leaves its line."""
        try:
            self._rules = rules_of(self._folder)
        except (Refused, LogError) as error:
            self.say(str(error))

    def _list(self, key: str, query: str = "", at: int = 0) -> None:
        """Show the list, with the cursor on the row of that key, or there; a letter seeks anew."""
        if self._rules is None:
            close_once(self)
            return
        people = People(self._rules, self._where)
        self._pane.open(people)
        sheet = self._pane.sheet
        if sheet is not None:
            sheet.query, sheet.kept = query, bool(query)
            sheet.rows = people.rows(query)
            sheet.choose(people.at_key(key, sheet.rows, at))
        self._pane.repaint()
        self._offer()

    def _form(self, creature: Creature, field: Field | None = None) -> None:
        """Show somebody's form, with the cursor on a field."""
        row = self._row(creature.id)
        if self._rules is None or row is None:
            return
        form = Form(self._rules, creature, row)
        self._pane.open(form)
        sheet = self._pane.sheet
        if sheet is not None and field is not None:
            at = [f.name == field.name for f in sheet.rows if isinstance(f, Field)]
            sheet.choose(at.index(True) if True in at else 0)
        self._pane.repaint()
        self._offer()

    def _offer(self) -> None:
        """The keys of what is open: the line that is asked for, the form, or the list."""
        keys = OF_A_FORM if isinstance(self._contents, Form) else KEYS
        keys = ASKED if self._line.asks else keys
        self.query_one(KeysLine).offer(keys)

    def _row(self, key: str) -> dict[str, object] | None:
        """A row as its file has it."""
        return keeping.row_of(self._folder, key)

    # -- keys --------------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Keys are for the line while one is asked for, else for the list or the form."""
        if self._line.asks:
            if event.key == "escape":
                row = self._pane.sheet.row if self._pane.sheet is not None else None
                if isinstance(row, New):
                    self._left[row.name] = self._line.value
                self._close_line()
                event.stop()
            return
        event.stop()
        event.prevent_default()
        pressed = pressed_key(event)
        sheet = self._pane.sheet
        if sheet is None:
            return
        self.say("")
        step = self._pane.feed(pressed)
        if step is SheetStep.TAKEN:
            self._take(sheet.row)
        elif step is SheetStep.LEFT:
            self._leave()
        elif step is SheetStep.PASSED and pressed in _KEYS:
            _KEYS[pressed](self)

    def on_pressed(self) -> None:
        """A click on the chosen row."""
        if self._pane.sheet is not None:
            self._take(self._pane.sheet.row)

    def on_paste(self, event: events.Paste) -> None:
        """What is pasted is typed."""
        if not self._line.asks:
            event.stop()
            self._pane.paste(clean(event.text))

    def _leave(self) -> None:
        """From a form to the list, from there back."""
        contents = self._contents
        if isinstance(contents, Form):
            self._list(contents.creature.id)
        else:
            close_once(self)

    def _take(self, row: object) -> None:
        contents = self._contents
        if isinstance(row, Creature):
            self._form(row)
        elif isinstance(row, New):
            before = self._left.pop(row.name, "")
            asked = f"numbers of {row.name}"
            self._ask(asked, before, lambda said: self._make(row, said), anew=False)
        elif isinstance(row, Field) and isinstance(contents, Form):
            self._edit(contents, row)

    def _edit(self, form: Form, field: Field) -> None:
        """Ask for what a field is to say; a yes or no is turned round."""
        if field.name == BENCHED:
            self._do(lambda: self._bench(form.creature))
        else:
            said = f"{field.name}: {field.expects}"
            self._ask(said, field.value, lambda value: self._set(form, field, value))

    # -- changes -----------------------------------------------------------------------------------

    def _make(self, new: New, said: str) -> Change:
        assert self._rules is not None
        row = {"name": new.name, **with_words(self._rules, said)}
        key = keeping.new_key(self._folder, new.name)
        return keeping.keep_new(self._folder, new.where, key, row)

    def _set(self, form: Form, field: Field, said: str) -> Change:
        now = with_value(form.ruleset, form.row, field, said)
        return keeping.edit(self._folder, form.creature.sort, form.creature.id, form.row, now)

    def _bench(self, creature: Creature) -> Change:
        was = self._row(creature.id) or {}
        left = {field: value for field, value in was.items() if field != BENCHED}
        now = left if was.get(BENCHED) else {**was, BENCHED: True}
        return keeping.edit(self._folder, creature.sort, creature.id, was, now)

    def make(self) -> None:
        """Make somebody of the name that is typed, whoever else that finds."""
        sheet = self._pane.sheet
        if sheet is None or not isinstance(sheet.contents, People):
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
            self._do(lambda: keeping.take_out(self._folder, row.sort, row.id, row.name))

    def take_back(self) -> None:
        """Take back the last change that was made here."""
        if not self._changes:
            self.say("nothing was changed since this screen was opened")
            return
        change = self._changes.pop()
        try:
            keeping.take_back(change)
        except (Refused, LogError) as error:
            self.say(str(error))
        else:
            self._show_anew(f"taken back: {change.told}")

    def turn(self) -> None:
        """Have the party stand first, or the bestiary."""
        sheet = self._pane.sheet
        if sheet is not None and isinstance(sheet.contents, People):
            self._where = BESTIARY if self._where == PARTY else PARTY
            self._list("", sheet.query)

    def _chosen(self) -> Creature | None:
        """Who is under the cursor, or whose form is open."""
        sheet = self._pane.sheet
        if sheet is not None and isinstance(sheet.contents, Form):
            return sheet.contents.creature
        row = sheet.row if sheet is not None else None
        return row if isinstance(row, Creature) else None

    def _do(self, change: Callable[[], Change]) -> bool:
        """Change something, and show what came of it; a refusal is a line, and nothing changes."""
        try:
            done = change()
        except ChangedMeanwhile as refusal:
            self._close_line()
            self._show_anew(str(refusal), done=False)
            return False
        except (Refused, LogError) as error:
            self.say(str(error))
            return False
        self._changes.append(done)
        self._show_anew(done.told)
        return True

    def _show_anew(self, told: str, done: bool = True) -> None:
        """Read the files again, and show what was shown, as it is now."""
        sheet = self._pane.sheet
        self._read()
        contents = sheet.contents if sheet is not None else None
        is_there = isinstance(contents, Form) and self._row(contents.creature.id) is not None
        if sheet is not None and isinstance(contents, Form) and is_there:
            self._form(contents.creature, sheet.row)
        elif sheet is not None:
            chosen = self._chosen()
            self._list(chosen.id if chosen is not None else "", sheet.query, sheet.at)
        self.say(told, done)

    # -- the line that is asked for ----------------------------------------------------------------

    def _ask(self, what: str, value: str, said: Said, anew: bool = True) -> None:
        self._asked = said
        self._line.ask(what, value, MOST_SAID, anew)
        self._offer()

    def _close_line(self) -> None:
        self._line.close()
        self._offer()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Do what was asked for; a line that is refused stays, with what is wrong below it."""
        event.stop()
        said = self._asked
        if said is not None and self._do(lambda: said(event.value)):
            self._close_line()


_KEYS: dict[str, Callable[[PeopleScreen], None]] = {
    "ctrl+n": PeopleScreen.make,
    "tab": PeopleScreen.turn,
    "ctrl+x": PeopleScreen.bench,
    "delete": PeopleScreen.take_out,
    "ctrl+u": PeopleScreen.take_back,
}
