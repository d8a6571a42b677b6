"""The help: every key by its heading, and every command with its usage; and that of the list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from affray.core.decide import verbs_of
from affray.core.ruleset import Option, Ruleset
from affray.core.session_verbs import SESSION_VERBS
from affray.store.campaigns import campaign_folders
from affray.tui.drawing import plain
from affray.tui.keymap import Keymap, shown
from affray.tui.own_keys import config_folder
from affray.tui.panes.home_list import KEYS
from affray.tui.shared import app_of
from affray.tui.themes import Inks


class Sheet(ModalScreen[None]):
    """A long text in a frame. Scrollable; esc, `?` or q closes it."""

    NAMED: ClassVar[str]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,f1,q", "app.pop_screen", "Close", show=False),
        Binding("j,space", "scroll(1)", "Down", show=False),
        Binding("k", "scroll(-1)", "Up", show=False),
    ]

    def __init__(self) -> None:
        super().__init__(classes="overlay")

    def parts(self, inks: Inks) -> list[Table | Text]:
        """What stands in it, in the inks of the theme."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        """One long text in a scrolled frame."""
        with VerticalScroll(classes="sheet") as sheet:
            sheet.border_title = Text(self.NAMED)
            sheet.border_subtitle = Text("↑↓ scroll · esc closes")
            for part in self.parts(app_of(self).inks):
                yield Static(part)

    def on_mount(self) -> None:
        """The arrows scroll."""
        self.query_one(VerticalScroll).focus()

    def action_scroll(self, by: int) -> None:
        """Scroll by a few lines."""
        self.query_one(VerticalScroll).scroll_relative(y=by * 3, animate=False)


class HelpScreen(Sheet):
    """The keys and commands of a fight."""

    NAMED = "Keys and commands"

    def __init__(self, keymap: Keymap, ruleset: Ruleset, own: Sequence[Option] = ()) -> None:
        super().__init__()
        self.keymap = keymap
        self.ruleset = ruleset
        self.own = own

    def parts(self, inks: Inks) -> list[Table | Text]:
        """Every key by its heading, and every command with its usage."""
        keys = help_text(self.keymap, self.ruleset, self.own, inks)
        return [keys, commands_text(self.ruleset, inks)]


class HomeHelp(Sheet):
    """The keys of the list of fights."""

    NAMED = "Keys"

    def parts(self, inks: Inks) -> list[Table | Text]:
        """Each with what it does, then where campaigns are looked for."""
        table = _columns()
        _head(table, "The fights", inks)
        for pressed, _, does in KEYS:
            _row(table, f"  {pressed}", "", does, inks)
        _head(table, "Campaigns", inks)
        for folder in campaign_folders():
            _row(table, "", "", f"are looked for in {folder}", inks)
        _head(table, "Your own", inks)
        _row(table, "", "", f"keys.toml and settings.toml are in {config_folder()}", inks)
        return [table]


def help_text(keymap: Keymap, ruleset: Ruleset, own: Sequence[Option], inks: Inks) -> Table:
    """All of it in three columns, in the inks of the theme, with what is the actor's own."""
    table = _columns()
    for group, keys in keymap.groups().items():
        _head(table, group, inks)
        for key in keys:
            pressed = "  " + (" ".join(shown(k) for k in key.keys) or "–")
            _row(table, pressed, key.label, key.what, inks)
    begins = keymap.of_own
    if begins is not None and own:
        _head(table, f"{begins.label}: {begins.shown}, and letters of the name", inks)
        for option in own:
            _row(table, "", option.name, option.text or option.reason, inks)
    _head(table, "In a prompt", inks)
    for pressed, what in in_a_prompt(ruleset):
        _row(table, f"  {pressed}", "", what, inks)
    _head(table, "Keys of your own", inks)
    _row(table, "", "keys.toml", f'NAME = "KEY" in {config_folder()}, with these names:', inks)
    _row(table, "", "", ", ".join(key.id for key in keymap.keys), inks)
    return table


def commands_text(ruleset: Ruleset, inks: Inks) -> Text:
    """Every command with its usage and what it does."""
    text = Text("\nCommands, for the : bar\n", inks.strong)
    rows = [(name, verb.usage, verb.does) for name, verb in verbs_of(ruleset).items()]
    rows += [(name, verb.usage, verb.does) for name, verb in SESSION_VERBS.items()]
    for name, usage, does in sorted(rows):
        text.append(f"  {plain(usage or name)}\n", inks.plain)
        text.append(f"      {plain(does)}\n", inks.dim)
    return text


def _columns() -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    for ratio in (None, None, 1):
        table.add_column(ratio=ratio, overflow="fold")
    return table


def _head(table: Table, words: str, inks: Inks) -> None:
    if table.row_count:
        table.add_row()
    table.add_row(Text(words, inks.strong, no_wrap=True))


def _row(table: Table, pressed: str, label: str, what: str, inks: Inks) -> None:
    table.add_row(
        Text(pressed, inks.accent), Text(plain(label), inks.plain), Text(plain(what), inks.dim)
    )


def in_a_prompt(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """The keys of prompts, with what they answer."""
    yield "1 2 … 12", "somebody by their number on the list; j and k move what is offered"
    yield (
        "1,3-5 F P A",
        "several: numbers, foes, party, all; = as before, h half for those named last",
    )
    outcomes = ruleset.tables.outcomes
    if outcomes:
        words = ", ".join(rule.label or word for word, rule in outcomes.items())
        called = f"the outcome as it was called: {words}"
        yield " ".join(rule.key for rule in outcomes.values()), called
    yield "C B …", "capital letters: what else there is to say of it, as they are shown"
    yield "n15", "the die as it lies; a and d behind it for advantage and disadvantage"
    yield "r", "the app rolls; for those whom the GM plays an enter is enough"
    yield "↵", "takes what is offered, and gives the command as soon as nothing is missing"
    yield "space tab", "takes what is offered, and goes on to the next answer"
    yield "bksp", "takes back the last key, then goes back an answer"
    yield "esc", "leaves without a change"
