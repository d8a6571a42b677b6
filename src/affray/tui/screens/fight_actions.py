"""The actions of keys on the fight's screen: one function each, and the dispatch of a key.

A key goes to what is open (prompt or command bar); else to the table of keys. It either begins a
prompt, which ends in a command, or moves something on the screen.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import TYPE_CHECKING

from affray.core.commands.log_commands import query_kind
from affray.core.engine.history import AMEND, START
from affray.store.campaigns.ledger import CARRY
from affray.tui.fight_view import get_app
from affray.tui.keymap import LAST_ROLL, NUMBER, KeyBinding, key_label, lowered
from affray.tui.prompts.combatant_fields import append_digit, no_number
from affray.tui.prompts.command_bar import CommandBar, InputState
from affray.tui.prompts.effect_fields import spec_of_own
from affray.tui.screens.fight_layout import (
    begin_jump,
    jump_to,
    next_pane,
    page_chosen,
    scroll_chosen_end,
    toggle_maximised,
)
from affray.tui.screens.fight_lookups import (
    close_lookup,
    feed_amending,
    feed_sheet,
    feed_ways,
    show_aloud,
    show_amending,
    show_bring,
    show_help,
    show_rules,
    show_ways,
)
from affray.tui.screens.fight_prompts import ask_what_waits, feed_prompt, open_prompt, point_at
from affray.tui.screens.open_prompt import (
    ask_last_roll,
    close_input,
    open_command_bar,
    preview_command,
    prompt_line,
    show_prompt,
    submit_command,
)
from affray.tui.widgets.log import LogPane

if TYPE_CHECKING:
    from affray.tui.screens.fight import FightScreen


def type_key(screen: FightScreen, pressed: str) -> bool:
    """Take a key of the keyboard: what is typed on for a prompt that isn't there does nothing."""
    return screen.typed_on.swallows(pressed) or dispatch(screen, pressed)


def dispatch(screen: FightScreen, pressed: str) -> bool:
    """Do what a key does, by its name in the table. Tells whether it did anything."""
    if screen.letters:
        jump_to(screen, pressed)
        return True
    sheet = screen.sheet_pane.sheet
    if sheet is not None:
        own = feed_amending(screen, sheet, pressed) or feed_ways(screen, sheet, pressed)
        fed = own or feed_sheet(screen, sheet, pressed)
        return fed or _leads_on(screen, pressed)
    line = prompt_line(screen)
    if line.bar is not None:
        _feed_bar(screen, line.bar, pressed)
        return True
    if line.prompt is not None and feed_prompt(screen, line.prompt, pressed):
        return True
    found = screen.keymap.find(pressed)
    digits, screen.digits = screen.digits, ""
    if pressed.isdecimal() and (digits or (found is not None and found.id == NUMBER)):
        return put_cursor_on_number(screen, digits, pressed)
    if found is None:
        return name_moved(screen, pressed)
    done = run_binding(screen, found)
    name_moved(screen, pressed)
    return done


def name_moved(screen: FightScreen, pressed: str) -> bool:
    """Say once by which key is done now what a key did before; tells whether it was said.

    Where another act has the key now, its prompt is open, and what is said stands in that.
    """
    key, named = screen.keymap.moved.get(pressed), get_app(screen).named
    if key is None or pressed in named:
        return False
    named.add(pressed)
    found, prompt = screen.keymap.find(pressed), prompt_line(screen).prompt
    now = f"is {lowered(found.label)} now" if found is not None else "does nothing any more"
    text = f"{key_label(pressed)} {now}: {key.shown} is {lowered(key.label)}"
    if found is None:
        screen.show_message(text)
        screen.typed_on.begin()
    elif prompt is not None:
        prompt.trouble = prompt.trouble or text
        show_prompt(screen, prompt)
    return True


def put_cursor_on_number(screen: FightScreen, digits: str, pressed: str) -> bool:
    """Put the cursor on whoever has the number; the digits before it are of the same number."""
    numbers = screen.view.state.by_number()
    screen.digits = append_digit(digits, pressed, numbers)
    found = numbers.get(int(screen.digits)) if screen.digits else None
    if found is not None:
        screen.put_cursor(found.id)
    elif screen.digits:
        screen.show_message(f"{screen.digits} …", "hint")
    elif pressed == "0":
        return put_cursor_on_turn(screen)
    else:
        screen.show_message(no_number(pressed, numbers), "refused")
    return True


def put_cursor_on_turn(screen: FightScreen) -> bool:
    """Put the cursor back on whoever is up."""
    up = screen.view.state.up
    if up is None:
        screen.show_message("nobody is up", "hint")
    else:
        screen.put_cursor(up.id)
    return True


def _leads_on(screen: FightScreen, pressed: str) -> bool:
    """A key that a sheet has no use for: some lead on to elsewhere, the others do nothing."""
    found = screen.keymap.find(pressed)
    return found is not None and found.id in LEADS_ON and run_binding(screen, found)


def run_binding(screen: FightScreen, key: KeyBinding) -> bool:
    """Do what an entry of the table says."""
    close_lookup(screen)
    if key.prompt is not None:
        open_prompt(screen, key.prompt)
        return True
    action = ACTIONS.get(key.id)
    return action is not None and action(screen) is not False


def begin_by_id(screen: FightScreen, key_id: str) -> None:
    """Begin what the entry of that id does, as when its row is clicked."""
    found = screen.keymap.by_id.get(key_id)
    if found is not None:
        close_input(screen)
        run_binding(screen, found)


def begin_own(screen: FightScreen, name: str) -> None:
    """Begin an option of the actor's own, as when its row is clicked."""
    option = next((o for o in screen.own_options() if o.name == name), None)
    key = screen.keymap.of_own(option) if option is not None else None
    if key is not None and key.prompt is not None and option is not None:
        close_lookup(screen)
        close_input(screen)
        open_prompt(screen, spec_of_own(key.prompt, option))


def on_combatant_clicked(screen: FightScreen, combatant_id: str) -> None:
    """Somebody was clicked: they answer an open prompt, or get the cursor."""
    if not point_at(screen, combatant_id):
        screen.put_cursor(combatant_id)


# -- the command bar -------------------------------------------------------------------------------


def _feed_bar(screen: FightScreen, bar: CommandBar, pressed: str) -> None:
    line = prompt_line(screen)
    step = bar.feed(pressed)
    if step is InputState.LEFT or (step is InputState.FINISHED and not bar.text.strip()):
        close_input(screen)
    elif step is InputState.FINISHED:
        _carry_out(screen, bar.text.strip())
    else:
        line.show(bar=bar, outlook=preview_command(screen, bar.text, typing=True))


def _carry_out(screen: FightScreen, text: str) -> None:
    """Do what stands in the bar: a command, or a question that changes nothing. What amending
    comes to is shown first."""
    if text == "help":
        close_input(screen)
        show_help(screen)
        return
    if text.split()[0].casefold() == AMEND:
        show_amending(screen, text)
    elif submit_command(screen, text) and query_kind(text):
        prompt_line(screen).asked.append(text)


# -- what moves on the screen only -----------------------------------------------------------------
# Screens of their own are imported once they are asked for: a fight opens sooner without them.


def show_why(screen: FightScreen) -> None:
    """Show the parts of the numbers of the combatant under the cursor, at the entry that is
    shown."""
    from affray.tui.screens.reports import ExplainScreen

    combatant = screen.view.state.find(screen.view.actor())
    if combatant is None:
        screen.show_message("nobody is under the cursor")
    else:
        screen.app.push_screen(ExplainScreen(screen.view, combatant))


def show_recap(screen: FightScreen) -> None:
    """Show the recap of the fight."""
    from affray.tui.screens.reports import RecapScreen

    screen.app.push_screen(RecapScreen(screen.encounter))


def show_players(screen: FightScreen) -> None:
    """The fight as the players see it, as it stands."""
    from affray.tui.screens.reports import PlayersScreen

    screen.app.push_screen(PlayersScreen(screen.encounter))


def show_odds(screen: FightScreen) -> None:
    """Show the likely outcome of the fight, from the entry that is shown."""
    from affray.odds.simulation import RulesRef
    from affray.tui.screens.reports import OddsScreen

    rules = RulesRef(screen.view.ruleset.id, screen.encounter.path)
    screen.app.push_screen(OddsScreen(screen.view, rules))


def on_enter(screen: FightScreen) -> bool:
    """Enter: looks at the selected entry, goes on from a past one, or answers what waits; between
    fights, carries what the ledger lacks."""
    if screen.view_at is not None:
        seq = screen.view_at
        screen.look_at(None)
        submit_command(screen, f"goto {seq}")
        return True
    if screen.query_one(LogPane).selected is not None:
        screen.look_at_selected()
        return True
    if screen.view.pending:
        ask_what_waits(screen, screen.view.pending)
    elif screen.to_carry:
        submit_command(screen, CARRY)
    return True


def undo(screen: FightScreen) -> None:
    """Take back the last command."""
    submit_command(screen, "undo")


def redo(screen: FightScreen) -> None:
    """Bring back what was taken back."""
    submit_command(screen, "redo")


def view_earlier(screen: FightScreen, by: int) -> None:
    """Look at the fight as it was an entry before or after the one that is shown."""
    history = screen.encounter.history
    position = history.head if screen.view_at is None else screen.view_at
    there = bisect_left(history.path, position) + by  # -1 is the beginning, before the first
    if position == START:
        there = -1 + by
    if -1 <= there < len(history.path):
        seq = history.path[there] if there >= 0 else START
        screen.look_at(seq)
        title = history.entries[seq].title if seq else "the beginning"
        now = "now" if seq == history.head else f"entry {seq}"
        screen.show_message(f"{now}: {title}")


def on_escape(screen: FightScreen) -> None:
    """Esc: closes what is open, and takes a message away."""
    if not screen.back_to_now():
        screen.show_message("")


LEADS_ON = ("help", "rules", "ways", "bring", "aloud", "palette", "home")
"""What can be done while a sheet is open, which takes every other key."""

ACTIONS: dict[str, Callable[[FightScreen], object]] = {
    "cursor.down": lambda screen: screen.move_cursor(1),
    "cursor.up": lambda screen: screen.move_cursor(-1),
    "cursor.turn": put_cursor_on_turn,
    LAST_ROLL: ask_last_roll,
    "help": show_help,
    "command": open_command_bar,
    "rules": show_rules,
    "ways": show_ways,
    "bring": show_bring,
    "aloud": show_aloud,
    "why": show_why,
    "odds": show_odds,
    "players": show_players,
    "pane.next": lambda screen: next_pane(screen, 1),
    "pane.back": lambda screen: next_pane(screen, -1),
    "jump": begin_jump,
    "maximise": toggle_maximised,
    "scroll.down": lambda screen: page_chosen(screen, 1),
    "scroll.up": lambda screen: page_chosen(screen, -1),
    "scroll.start": lambda screen: scroll_chosen_end(screen, start=True),
    "scroll.end": scroll_chosen_end,
    "entry.back": lambda screen: screen.select_entry(-1),
    "entry.forward": lambda screen: screen.select_entry(1),
    "recap": show_recap,
    "palette": lambda screen: screen.app.action_command_palette(),
    "home": lambda screen: get_app(screen).go_home(),
    "quit": lambda screen: screen.app.call_later(screen.app.action_quit),
    "leave": on_escape,
    "answer": on_enter,
    "undo": undo,
    "redo": redo,
    "look.back": lambda screen: view_earlier(screen, -1),
    "look.forward": lambda screen: view_earlier(screen, 1),
}
"""What the entries of the table that are no commands do, by their ids."""
