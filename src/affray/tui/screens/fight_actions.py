"""What keys do on the fight's screen: one function for each, and the way from a key to it.

A key goes to what is open (prompt or command bar); else to the table of keys. It either begins a
prompt, which ends in a command, or moves something on the screen.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from affray.core.decide import Decision
from affray.core.dice import DiceSource
from affray.core.narrate import consequences
from affray.core.refusal import Refused
from affray.tui.keymap import Key, Keymap, keymap_for
from affray.tui.own_keys import own_keys
from affray.tui.panes.footer import FooterLine
from affray.tui.panes.log import LogPane
from affray.tui.panes.prompt import PromptLine
from affray.tui.prompts import Answer, Prompt, PromptSpec, Step, View
from affray.tui.prompts.command_line import BarStep, CommandLine
from affray.tui.prompts.outlook import Outlook, outlook

if TYPE_CHECKING:
    from affray.tui.screens.fight import FightScreen

NOT_PREVIEWED = ("undo", "redo", "goto", "why", "help")
"""First words whose lines are not decided by the rules, so there is nothing to look ahead to."""


def dispatch(screen: FightScreen, key: str, character: str | None) -> bool:
    """Do what a key does. Tells whether it did anything."""
    pressed = name_of(key, character)
    line = prompt_line(screen)
    if line.bar is not None:
        _feed_bar(screen, line.bar, pressed)
        return True
    if line.prompt is not None:
        _feed_prompt(screen, line.prompt, pressed)
        return True
    found = keymap_of(screen).find(pressed)
    if found is None:
        return False
    return press(screen, found)


def name_of(key: str, character: str | None) -> str:
    """The name of a key in the table: its character, where it has one that can be seen."""
    if character is not None and len(character) == 1 and character.isprintable():
        return "space" if character == " " else character
    return key


def press(screen: FightScreen, key: Key) -> bool:
    """Do what an entry of the table says."""
    if key.prompt is not None:
        begin(screen, key.prompt)
        return True
    action = ACTIONS.get(key.id)
    return action is not None and action(screen) is not False


def keymap_of(screen: FightScreen) -> Keymap:
    """The keys of this fight, with the user's own; made once."""
    line = prompt_line(screen)
    if line.keymap is None:
        own, complaints = own_keys()
        line.keymap = keymap_for(screen.encounter.ruleset, own)
        complaints += line.keymap.complaints
        if complaints:
            screen.show_message("keys: " + "; ".join(complaints), "warning")
    return line.keymap


def prompt_line(screen: FightScreen) -> PromptLine:
    """The rows in which prompts are shown."""
    return screen.query_one(PromptLine)


# -- prompts ---------------------------------------------------------------------------------------


def begin(screen: FightScreen, spec: PromptSpec) -> None:
    """Begin a prompt; a command that asks for nothing is given at once."""
    if screen.view_at is not None:
        screen.show_message(_the_past(screen.view_at), "refused")
        return
    view = view_for(screen, spec)
    prompt = Prompt(spec, view)
    if prompt.instant:
        _give(screen, prompt.line)
    else:
        _show_prompt(screen, prompt)


def begin_by_id(screen: FightScreen, key_id: str) -> None:
    """Begin what the entry of that id does, as when its row is clicked."""
    found = keymap_of(screen).by_id.get(key_id)
    if found is not None:
        close(screen)
        press(screen, found)


def view_for(screen: FightScreen, spec: PromptSpec) -> View:
    """The fight as that prompt sees it."""
    encounter = screen.encounter
    turn = encounter.state.turn
    return View(
        encounter.state,
        encounter.ruleset,
        actor=screen.actor() if spec.acts or not turn else turn,
        cursor=screen.cursor,
        last_target=prompt_line(screen).last_target,
        complete=encounter.complete,
    )


def point_at(screen: FightScreen, who: str) -> bool:
    """Somebody was clicked: tells whether an open prompt took them for an answer."""
    prompt = prompt_line(screen).prompt
    if prompt is None or not prompt.wants_people:
        return False
    prompt.choose(who)
    _show_prompt(screen, prompt)
    return True


def _outlook_of(screen: FightScreen, prompt: Prompt) -> Outlook | None:
    """What it would come to; before it is whole, why it can't be, if that is known already.

    A technique that can't be used opens its prompt all the same, so that keys typed blindly stay
    there and do nothing else.
    """
    reason = _why_not(prompt.view, prompt.spec)
    if reason:
        return Outlook(f"{prompt.spec.label}: {reason}", "refused")
    return look_ahead(screen, prompt.line) if prompt.complete else None


def _why_not(view: View, spec: PromptSpec) -> str:
    """Why the technique can't be used now; empty when it can."""
    who = view.state.find(view.actor)
    if not spec.technique or who is None:
        return ""
    options = view.ruleset.options(view.ruleset.tables, view.state, who)
    return next((o.reason for o in options if o.technique == spec.technique), "")


def _the_past(entry: int) -> str:
    return f"this is entry {entry}, to be looked at: esc goes back to now, enter goes on from here"


def _feed_prompt(screen: FightScreen, prompt: Prompt, pressed: str) -> None:
    step = prompt.feed(pressed)
    if step is Step.LEFT:
        close(screen)
    elif step is Step.FINISHED:
        line = prompt_line(screen)
        line.show(prompt)
        if _give(screen, prompt.line):
            line.last_target = prompt.target or line.last_target
    else:
        _show_prompt(screen, prompt)


def _show_prompt(screen: FightScreen, prompt: Prompt) -> None:
    line = prompt_line(screen)
    line.show(prompt, outlook=_outlook_of(screen, prompt))
    _point_at_people(screen, prompt)
    screen.query_one(FooterLine).refresh()


def close(screen: FightScreen) -> None:
    """Close the prompt and the command bar, without a change."""
    prompt_line(screen).show()
    _point_at_people(screen, None)
    screen.query_one(FooterLine).refresh()


def _give(screen: FightScreen, line: str) -> bool:
    """Give a command. A prompt that is refused stays open, with the refusal below it."""
    done = screen.run_command(line)
    if done:
        said = prompt_line(screen).message
        close(screen)
        if not said[0]:
            _say_what_was_done(screen)
    return done


def _say_what_was_done(screen: FightScreen) -> None:
    history = screen.encounter.history
    entry = history.entries.get(history.last)
    if entry is None:
        return
    if entry.to is not None:
        screen.show_message(_moved(entry.text))
        return
    told = told_of(
        Decision(
            entry.command,
            entry.by,
            entry.text,
            entry.events,
            history.before(entry.seq),
            history.states[entry.seq],
        ),
        screen,
    )
    told = [piece for piece in told if piece not in entry.title]
    screen.show_message(" · ".join([entry.title, *told]))


def _moved(text: str) -> str:
    verb, _, what = text.partition(": ")
    return f"{ {'undo': 'undone', 'redo': 'redone'}.get(verb, 'now at') }: {what}"


def _point_at_people(screen: FightScreen, prompt: Prompt | None) -> None:
    """Let the order show the numbers that answer the prompt."""
    wants = prompt is not None and prompt.wants_people
    people = screen.encounter.state.in_order()
    screen.targets = {c.id: i for i, c in enumerate(people, 1)} if wants else None


# -- looking ahead ---------------------------------------------------------------------------------


def look_ahead(screen: FightScreen, line: str) -> Outlook | None:
    """What a line would come to; None for lines of which that can't be said."""
    words = line.split()
    if not words or words[0] in NOT_PREVIEWED:
        return None

    def decide(line: str, dice: DiceSource) -> Decision:
        return screen.encounter.preview(line, dice)

    return outlook(line, decide, lambda decision: told_of(decision, screen))


def told_of(decision: Decision, screen: FightScreen) -> list[str]:
    """What a decision comes to, in pieces."""
    rules = screen.encounter.ruleset.tables.tracks.items()
    labels = {track: rule.label for track, rule in rules}
    return consequences(decision.events, decision.before, decision.state, labels, decision.by)


# -- the command bar -------------------------------------------------------------------------------


def open_bar(screen: FightScreen, text: str = "") -> None:
    """Open the command bar."""
    encounter = screen.encounter
    entries = encounter.history.entries.values()
    history = [entry.command for entry in entries if entry.to is None]
    line = prompt_line(screen)
    line.show(bar=CommandLine([*history, *line.asked], encounter.complete, text))
    screen.query_one(FooterLine).refresh()


def _feed_bar(screen: FightScreen, bar: CommandLine, pressed: str) -> None:
    line = prompt_line(screen)
    step = bar.feed(pressed)
    if step is BarStep.LEFT or (step is BarStep.FINISHED and not bar.text.strip()):
        close(screen)
    elif step is BarStep.FINISHED:
        _carry_out(screen, bar.text.strip())
    else:
        line.show(bar=bar, outlook=look_ahead(screen, bar.text))


def _carry_out(screen: FightScreen, text: str) -> None:
    """Do what stands in the bar: a command, or a question that changes nothing."""
    if text == "help":
        close(screen)
        show_help(screen)
        return
    try:
        told = screen.encounter.ask(text)
    except Refused as refusal:
        screen.show_message(refusal.message, "refused")
        return
    if told is None:
        _give(screen, text)
    else:
        prompt_line(screen).asked.append(text)
        close(screen)
        screen.show_message(" · ".join(told) or "nothing to say about it")


# -- what moves on the screen only -----------------------------------------------------------------


def show_help(screen: FightScreen) -> None:
    """All keys and commands."""
    from affray.tui.screens.help import HelpScreen

    screen.app.push_screen(HelpScreen(keymap_of(screen), screen.encounter.ruleset))


def show_rules(screen: FightScreen) -> None:
    """The rule of a technique, an effect or a track."""
    from affray.tui.screens.rules_text import RulesScreen

    screen.app.push_screen(RulesScreen(screen.encounter.ruleset))


def answer(screen: FightScreen) -> bool:
    """Enter: looks at the selected entry, goes on from a past one, or answers what waits."""
    if screen.view_at is not None:
        seq = screen.view_at
        screen.look_at(None)
        _give(screen, f"goto {seq}")
        return True
    if screen.query_one(LogPane).selected is not None:
        screen.look_at_selected()
        return True
    encounter = screen.encounter
    waiting = encounter.ruleset.pending(encounter.ruleset.tables, encounter.state)
    if not waiting:
        screen.show_message("nothing waits for an answer")
        return True
    view = view_for(screen, PromptSpec("answer", "", ""))
    _show_prompt(screen, Answer(waiting, view))
    return True


def undo(screen: FightScreen) -> None:
    """Take back the last command."""
    _give(screen, "undo")


def redo(screen: FightScreen) -> None:
    """Bring back what was taken back."""
    _give(screen, "redo")


def look(screen: FightScreen, by: int) -> None:
    """Look at the fight as it was an entry before or after the one that is shown."""
    history = screen.encounter.history
    path = [0, *history.path]
    here = path.index(screen.view_at) if screen.view_at in path else len(path) - 1
    there = here + by
    if 0 <= there < len(path):
        screen.look_at(path[there])
        seq = path[there]
        title = history.entries[seq].title if seq else "the beginning"
        now = "now" if there == len(path) - 1 else f"entry {seq}"
        screen.show_message(f"{now}: {title}")


def reveal(screen: FightScreen) -> None:
    """Keep the one under the cursor from the players, or show them."""
    who = screen.encounter.state.find(screen.cursor)
    if who is not None:
        _give(screen, f"{'reveal' if who.hidden else 'conceal'} {who.id}")


def leave(screen: FightScreen) -> None:
    """Esc: closes what is open, and takes a message away."""
    if not screen.back_to_now():
        screen.show_message("")


ACTIONS: dict[str, Callable[[FightScreen], object]] = {
    "cursor.down": lambda screen: screen.move_cursor(1),
    "cursor.up": lambda screen: screen.move_cursor(-1),
    "help": show_help,
    "command": open_bar,
    "rules": show_rules,
    "why": lambda screen: screen.ask_why(),
    "pane.next": lambda screen: screen.next_pane(1),
    "pane.back": lambda screen: screen.next_pane(-1),
    "maximise": lambda screen: screen.toggle_maximised(),
    "scroll.down": lambda screen: screen.page_chosen(1),
    "scroll.up": lambda screen: screen.page_chosen(-1),
    "scroll.start": lambda screen: screen.scroll_chosen_end(start=True),
    "scroll.end": lambda screen: screen.scroll_chosen_end(),
    "entry.back": lambda screen: screen.select_entry(-1),
    "entry.forward": lambda screen: screen.select_entry(1),
    "palette": lambda screen: screen.app.action_command_palette(),
    "home": lambda screen: screen.leave(),
    "quit": lambda screen: screen.app.call_later(screen.app.action_quit),
    "leave": leave,
    "answer": answer,
    "undo": undo,
    "redo": redo,
    "look.back": lambda screen: look(screen, -1),
    "look.forward": lambda screen: look(screen, 1),
    "reveal": reveal,
}
"""What the entries of the table that are no commands do, by their ids."""
