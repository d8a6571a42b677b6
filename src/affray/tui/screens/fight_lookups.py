"""Lookup lists on the fight's screen: opened, fed with keys, and left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from affray.core.engine.amend import INSERT, AmendedEntry, Amendment, Edit
from affray.core.engine.history import AMEND
from affray.core.parser.errors import Refused
from affray.tui.keymap import Keymap
from affray.tui.lookup.model import LookupKeyResult, LookupList, LookupSource
from affray.tui.lookup.reference import ReadAloudTexts, ReferenceList, fight_help
from affray.tui.lookup.roster import JoinList
from affray.tui.lookup.undo_list import (
    CHANGE,
    INSERTS,
    OUT,
    AmendPreview,
    UndoList,
    command_to,
    target_entry,
)
from affray.tui.prompts.follow_ups import RepeatPrompt
from affray.tui.prompts.preview import refusal_text
from affray.tui.prompts.prompt import Prompt
from affray.tui.screens.fight_layout import rearrange
from affray.tui.screens.open_prompt import (
    ask_step,
    close_if_done,
    close_input,
    open_command_bar,
    prompt_line,
    show_prompt,
    submit_command,
    why_not_repeatable,
)
from affray.tui.widgets.header_footer import Footer, FooterKey
from affray.tui.widgets.log import LogPane

if TYPE_CHECKING:
    from affray.tui.screens.fight import FightScreen


def show_help(screen: FightScreen) -> None:
    """All keys and commands."""
    own = screen.own_options()
    open_lookup(screen, fight_help(screen.keymap, screen.encounter.ruleset, own))


def show_rules(screen: FightScreen) -> None:
    """Rules, and creatures with their numbers."""
    open_lookup(screen, ReferenceList(screen.view.ruleset, screen.view.state))


def show_rules_of(screen: FightScreen, prompt: Prompt) -> None:
    """The rules with what an open prompt asks for; whoever leaves them is back in the prompt."""
    contents = ReferenceList(screen.view.ruleset, screen.view.state)
    typed = next((words for words in prompt.asked_of_rules if contents.rows(words)), "")
    open_lookup(screen, contents, typed)
    prompt_line(screen).set_aside = prompt


def show_bring(screen: FightScreen) -> None:
    """List those who can join, to add one after the other."""
    open_lookup(screen, JoinList(screen.view.ruleset, screen.view.state))


def show_aloud(screen: FightScreen) -> None:
    """List the texts to be read aloud, and the GM's notes."""
    open_lookup(screen, ReadAloudTexts(screen.view))


def show_ways(screen: FightScreen) -> None:
    """List the entries to undo and redo, and the abandoned branches."""
    open_lookup(screen, UndoList(screen.view))


def open_lookup(screen: FightScreen, contents: LookupSource[Any], typed: str | None = None) -> None:
    """Show a sheet in place of whatever is open, with words as if they had been typed before."""
    close_input(screen)
    screen.sheet_pane.open(contents, typed)
    prompt_line(screen).keep_quiet(True)
    screen.query_one(Footer).show(_items(contents))
    rearrange(screen)


def _items(contents: LookupSource[Any]) -> list[FooterKey]:
    takes = [FooterKey("enter", contents.TAKES)] if contents.TAKES else []
    others = [FooterKey(key, does) for key, does in contents.KEYS.items()]
    return [
        FooterKey("up", "before"),
        FooterKey("down", "after"),
        *takes,
        *others,
        FooterKey("escape", "leave"),
    ]


def close_lookup(screen: FightScreen) -> None:
    """Take the sheet away, if there is one. What it let look at is looked at no more."""
    sheet = screen.sheet_pane.sheet
    if sheet is None:
        return
    screen.sheet_pane.close()
    prompt_line(screen).keep_quiet(False)
    screen.query_one(Footer).show(None)
    rearrange(screen)
    if isinstance(sheet.contents, UndoList):
        screen.look_at(sheet.contents.began.view_at)
        screen.put_cursor(sheet.contents.began.cursor)
    prompt = prompt_line(screen).take_up()
    if prompt is not None:
        show_prompt(screen, prompt)


def feed_sheet(screen: FightScreen, sheet: LookupList, pressed: str) -> bool:
    """Give a key to the sheet that is open. Tells whether the key was for it."""
    if _closes(screen.keymap, sheet, pressed):
        close_lookup(screen)
        return True
    step = screen.sheet_pane.feed(pressed)
    if step is LookupKeyResult.LEFT:
        close_lookup(screen)
    elif step is LookupKeyResult.TAKEN:
        _take(screen, sheet)
    elif step is LookupKeyResult.DONE:
        show_chosen(screen)
    return step is not LookupKeyResult.PASSED


def _closes(keymap: Keymap, sheet: LookupList, pressed: str) -> bool:
    """Whether it is the key that opened the sheet, as long as that can't be meant for a word."""
    found = keymap.find(pressed)
    if found is None or found.id != sheet.contents.KEY:
        return False
    return len(pressed) > 1 or (not pressed.isalnum() and (sheet.is_query_kept or not sheet.query))


def show_chosen(screen: FightScreen) -> None:
    """Show the fight as the chosen row has it, where it stands for another time."""
    sheet = screen.sheet_pane.sheet
    if sheet is not None and isinstance(sheet.contents, UndoList) and sheet.row is not None:
        screen.look_at(target_entry(sheet.row))


def _take(screen: FightScreen, sheet: LookupList) -> None:
    """Go where the chosen row leads, or bring in whom it names."""
    if isinstance(sheet.contents, JoinList):
        _bring(screen, sheet, sheet.contents)
        return
    line = command_to(screen.encounter.history, sheet.row) if sheet.row is not None else ""
    close_lookup(screen)
    screen.look_at(None)
    if line:
        submit_command(screen, line)


def _bring(screen: FightScreen, sheet: LookupList, contents: JoinList) -> None:
    """Bring in who is chosen; the list stays for the next, whose first letter begins anew."""
    row = sheet.row
    refused = contents.refusal(row)
    text = refused or contents.question(row)
    if row is None or text:
        screen.show_message(text, "refused" if refused else "warning")
    elif submit_command(screen, contents.command(row)):
        sheet.is_query_kept = bool(sheet.query)
        screen.sheet_pane.repaint()
        screen.query_one(Footer).show(_items(contents))


# -------------------------------------------------------------------------------------------------
# Amending: the differences are shown before it is done


def show_amending(screen: FightScreen, line: str, seen: Amendment | None = None) -> None:
    """Preview an amendment of the past; enter then does that very one.

    New dice fall as in `seen`, the one that was shown before it.
    """
    barred = why_not_repeatable(screen)
    if barred:
        screen.show_message(barred, "refused")
        return
    try:
        amendment = screen.encounter.amendment(line, seen)
    except Refused as refusal:
        screen.say(refusal_text(line, refusal))
        return
    if amendment is not None:
        open_lookup(screen, AmendPreview(amendment, screen.view))


def give_instead(screen: FightScreen, prompt: RepeatPrompt) -> None:
    """Give the command in place of the one that was asked again; what came after is decided anew,
    and shown before that is done."""
    entry, amending, line = prompt.given.entry, prompt.given.amending, prompt.line
    encounter, edit = screen.encounter, Edit(entry.seq, line)
    if amending is not None:
        show_amending(screen, amending.line_with(edit), amending)
    elif encounter.history.is_effective(entry.seq) and entry.seq != encounter.history.head:
        show_amending(screen, f"{AMEND} {edit}")
    else:
        done = screen.carry_out(lambda: encounter.do_instead(entry.seq, line, prompt.dice), line)
        close_if_done(screen, done)


def feed_amending(screen: FightScreen, sheet: LookupList, pressed: str) -> bool:
    """Give a key to the sheet, if it is a preview and the key is its own; tells whether it was."""
    contents, row = sheet.contents, sheet.row
    if not isinstance(contents, AmendPreview) or pressed not in ("enter", OUT, CHANGE):
        return False
    if pressed == "enter":
        _amend(screen, contents.amendment)
    elif row is not None and pressed == OUT:
        show_amending(screen, contents.without(row), contents.amendment)
    elif row is not None:
        _change(screen, contents, row)
    return True


def feed_ways(screen: FightScreen, sheet: LookupList, pressed: str) -> bool:
    """Give a key to the list of entries, if it is that which puts a command behind the chosen one;
    tells whether it was."""
    if (
        not isinstance(sheet.contents, UndoList)
        or pressed != INSERTS
        or not isinstance(sheet.row, int)
    ):
        return False
    seq = sheet.row
    close_lookup(screen)
    screen.look_at(None)
    barred = why_not_repeatable(screen)
    if barred:
        screen.show_message(barred, "refused")
    else:
        open_command_bar(screen, f"{AMEND} {seq} {INSERT} ")
    return True


def _amend(screen: FightScreen, amendment: Amendment) -> None:
    close_lookup(screen)
    screen.query_one(LogPane).select_entry(None)
    close_if_done(
        screen, screen.carry_out(lambda: screen.encounter.amend(amendment), amendment.line)
    )


def _change(screen: FightScreen, contents: AmendPreview, row: AmendedEntry) -> None:
    """Have the chosen command given another form: in its prompt, if one asks for it."""
    prompt = ask_step(screen, contents.amendment, row)
    close_lookup(screen)
    if prompt is not None:
        show_prompt(screen, prompt)
    else:
        open_command_bar(screen, contents.changing(row))
