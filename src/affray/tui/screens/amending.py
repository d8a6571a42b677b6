"""The past amended on the fight's screen: what would be different is shown before it is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.heart.amending import INSERT, Amendment, Edit, Step
from affray.core.heart.history import AMEND
from affray.core.language.refusal import Refused
from affray.tui.panes.log import LogPane
from affray.tui.prompts.outlook import refused
from affray.tui.prompts.repeating import Repeat
from affray.tui.screens.fight_sheets import leave_sheet, open_sheet
from affray.tui.screens.last_roll import ask_step, why_not
from affray.tui.screens.open_prompt import close_if_done, open_bar, show_prompt
from affray.tui.sheets.amending import CHANGE, OUT, Amending
from affray.tui.sheets.sheet import Sheet
from affray.tui.sheets.ways import INSERTS, Ways

if TYPE_CHECKING:
    from affray.tui.screens.fight import FightScreen


def show_amending(screen: FightScreen, line: str, seen: Amendment | None = None) -> None:
    """What an amendment of the past would come to; enter then does that very one.

    New dice fall as in `seen`, the one that was shown before it.
    """
    barred = why_not(screen)
    if barred:
        screen.show_message(barred, "refused")
        return
    try:
        made = screen.encounter.amendment(line, seen)
    except Refused as refusal:
        screen.say(refused(line, refusal))
        return
    if made is not None:
        open_sheet(screen, Amending(made, screen.view))


def give_instead(screen: FightScreen, prompt: Repeat) -> None:
    """Give the command in place of the one that was asked again; what came after is decided anew,
    and shown before that is done."""
    entry, amending, line = prompt.given.entry, prompt.given.amending, prompt.line
    encounter, edit = screen.encounter, Edit(entry.seq, line)
    if amending is not None:
        show_amending(screen, amending.line_with(edit), amending)
    elif encounter.history.is_effective(entry.seq) and entry.seq != encounter.history.head:
        show_amending(screen, f"{AMEND} {edit}")
    else:
        done = screen.carry_out(lambda: encounter.do_instead(entry.seq, line, prompt.fell), line)
        close_if_done(screen, done)


def feed_amending(screen: FightScreen, sheet: Sheet, pressed: str) -> bool:
    """Give a key to the sheet, if it is a preview and the key is its own; tells whether it was."""
    contents, row = sheet.contents, sheet.row
    if not isinstance(contents, Amending) or pressed not in ("enter", OUT, CHANGE):
        return False
    if pressed == "enter":
        _amend(screen, contents.made)
    elif row is not None and pressed == OUT:
        show_amending(screen, contents.without(row), contents.made)
    elif row is not None:
        _change(screen, contents, row)
    return True


def feed_ways(screen: FightScreen, sheet: Sheet, pressed: str) -> bool:
    """Give a key to the list of entries, if it is that which puts a command behind the chosen one;
    tells whether it was."""
    if not isinstance(sheet.contents, Ways) or pressed != INSERTS or not isinstance(sheet.row, int):
        return False
    seq = sheet.row
    leave_sheet(screen)
    screen.look_at(None)
    barred = why_not(screen)
    if barred:
        screen.show_message(barred, "refused")
    else:
        open_bar(screen, f"{AMEND} {seq} {INSERT} ")
    return True


def _amend(screen: FightScreen, made: Amendment) -> None:
    leave_sheet(screen)
    screen.query_one(LogPane).select_entry(None)
    close_if_done(screen, screen.carry_out(lambda: screen.encounter.amend(made), made.line))


def _change(screen: FightScreen, contents: Amending, row: Step) -> None:
    """Have the chosen command given another form: in its prompt, if one asks for it."""
    prompt = ask_step(screen, contents.made, row)
    leave_sheet(screen)
    if prompt is not None:
        show_prompt(screen, prompt)
    else:
        open_bar(screen, contents.changing(row))
