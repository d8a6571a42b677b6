"""Sheets on the fight's screen: how one opens, is fed, shows where it leads, and is left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from affray.tui.keymap import Keymap
from affray.tui.panes.footer import FooterLine, Item
from affray.tui.prompts.prompt import Prompt
from affray.tui.screens.fight_panes import rearrange
from affray.tui.screens.open_prompt import close, give, prompt_line, show_prompt
from affray.tui.sheets.aloud import Aloud
from affray.tui.sheets.bring import Bring
from affray.tui.sheets.contents import Contents
from affray.tui.sheets.keys import fight_help
from affray.tui.sheets.rules import Rules
from affray.tui.sheets.sheet import Sheet, SheetStep
from affray.tui.sheets.ways import Ways, command_to, entry_of

if TYPE_CHECKING:
    from affray.tui.screens.fight import FightScreen


def show_help(screen: FightScreen) -> None:
    """All keys and commands."""
    own = screen.own_options()
    open_sheet(screen, fight_help(screen.keymap, screen.encounter.ruleset, own))


def show_rules(screen: FightScreen) -> None:
    """Rules, and creatures with their numbers."""
    open_sheet(screen, Rules(screen.view.ruleset, screen.view.state))


def show_rules_of(screen: FightScreen, prompt: Prompt) -> None:
    """The rules with what an open prompt asks for; whoever leaves them is back in the prompt."""
    contents = Rules(screen.view.ruleset, screen.view.state)
    typed = next((words for words in prompt.asked_of_rules if contents.rows(words)), "")
    open_sheet(screen, contents, typed)
    prompt_line(screen).set_aside = prompt


def show_bring(screen: FightScreen) -> None:
    """Who can join, to be brought in one after the other."""
    open_sheet(screen, Bring(screen.view.ruleset, screen.view.state))


def show_aloud(screen: FightScreen) -> None:
    """What is to be read aloud, and the GM's notes."""
    open_sheet(screen, Aloud(screen.view))


def show_ways(screen: FightScreen) -> None:
    """What can be taken back and brought back, and the ways that were left."""
    open_sheet(screen, Ways(screen.view))


def open_sheet(screen: FightScreen, contents: Contents[Any], typed: str | None = None) -> None:
    """Show a sheet in place of whatever is open, with words as if they had been typed before."""
    close(screen)
    screen.sheet_pane.open(contents, typed)
    prompt_line(screen).keep_quiet(True)
    screen.query_one(FooterLine).show(_items(contents))
    rearrange(screen)


def _items(contents: Contents[Any]) -> list[Item]:
    takes = [Item("enter", contents.TAKES)] if contents.TAKES else []
    others = [Item(key, does) for key, does in contents.KEYS.items()]
    return [Item("up", "before"), Item("down", "after"), *takes, *others, Item("escape", "leave")]


def leave_sheet(screen: FightScreen) -> None:
    """Take the sheet away, if there is one. What it let look at is looked at no more."""
    sheet = screen.sheet_pane.sheet
    if sheet is None:
        return
    screen.sheet_pane.close()
    prompt_line(screen).keep_quiet(False)
    screen.query_one(FooterLine).show(None)
    rearrange(screen)
    if isinstance(sheet.contents, Ways):
        screen.look_at(sheet.contents.began.view_at)
        screen.put_cursor(sheet.contents.began.cursor)
    prompt = prompt_line(screen).take_up()
    if prompt is not None:
        show_prompt(screen, prompt)


def feed_sheet(screen: FightScreen, sheet: Sheet, pressed: str) -> bool:
    """Give a key to the sheet that is open. Tells whether the key was for it."""
    if _closes(screen.keymap, sheet, pressed):
        leave_sheet(screen)
        return True
    step = screen.sheet_pane.feed(pressed)
    if step is SheetStep.LEFT:
        leave_sheet(screen)
    elif step is SheetStep.TAKEN:
        _take(screen, sheet)
    elif step is SheetStep.DONE:
        show_chosen(screen)
    return step is not SheetStep.PASSED


def _closes(keymap: Keymap, sheet: Sheet, pressed: str) -> bool:
    """Whether it is the key that opened the sheet, as long as that can't be meant for a word."""
    found = keymap.find(pressed)
    if found is None or found.id != sheet.contents.KEY:
        return False
    return len(pressed) > 1 or (not pressed.isalnum() and (sheet.kept or not sheet.query))


def show_chosen(screen: FightScreen) -> None:
    """Show the fight as the chosen row has it, where it stands for another time."""
    sheet = screen.sheet_pane.sheet
    if sheet is not None and isinstance(sheet.contents, Ways) and sheet.row is not None:
        screen.look_at(entry_of(sheet.row))


def _take(screen: FightScreen, sheet: Sheet) -> None:
    """Go where the chosen row leads, or bring in whom it names."""
    if isinstance(sheet.contents, Bring):
        _bring(screen, sheet, sheet.contents)
        return
    line = command_to(screen.encounter.history, sheet.row) if sheet.row is not None else ""
    leave_sheet(screen)
    screen.look_at(None)
    if line:
        give(screen, line)


def _bring(screen: FightScreen, sheet: Sheet, contents: Bring) -> None:
    """Bring in who is chosen; the list stays for the next, whose first letter begins anew."""
    row = sheet.row
    refused = contents.refusal(row)
    told = refused or contents.question(row)
    if row is None or told:
        screen.show_message(told, "refused" if refused else "warning")
    elif give(screen, contents.command(row)):
        sheet.kept = bool(sheet.query)
        screen.sheet_pane.repaint()
        screen.query_one(FooterLine).show(_items(contents))
