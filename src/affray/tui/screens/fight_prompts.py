"""Prompts on the fight's screen: how one begins, is fed and shown, and ends in a command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.decide import Decision
from affray.core.dice import DiceSource
from affray.core.narrate import consequences
from affray.tui.keymap import Keymap, keymap_for
from affray.tui.own_keys import own_keys
from affray.tui.panes.edge import is_edge
from affray.tui.panes.footer import FooterLine
from affray.tui.panes.prompt import PromptLine
from affray.tui.prompts import Prompt, PromptSpec, Step, View
from affray.tui.prompts.outlook import Outlook, outlook
from affray.tui.prompts.plain import LineSlot

if TYPE_CHECKING:
    from affray.tui.screens.fight import FightScreen

NOT_PREVIEWED = ("undo", "redo", "goto", "why", "help")
"""First words whose lines are not decided by the rules, so there is nothing to look ahead to."""


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


def begin(screen: FightScreen, spec: PromptSpec) -> None:
    """Begin a prompt; a command that asks for nothing is given at once."""
    if screen.view_at is not None:
        screen.show_message(_the_past(screen.view_at), "refused")
        return
    view = view_for(screen, spec)
    prompt = Prompt(spec, view)
    if prompt.instant:
        give(screen, prompt.line)
    else:
        show_prompt(screen, prompt)


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
    show_prompt(screen, prompt)
    return True


def _outlook_of(screen: FightScreen, prompt: Prompt) -> Outlook | None:
    """What it would come to; before it is whole, why it can't be, if that is known already.

    A technique that can't be used opens its prompt all the same, so that keys typed blindly stay
    there and do nothing else.
    """
    reason = _why_not(prompt.view, prompt.spec)
    if reason:
        return Outlook(f"{prompt.spec.label}: {reason}", "refused")
    typing = isinstance(prompt.slot, LineSlot)
    wanted = prompt.complete or typing
    return look_ahead(screen, prompt.line, typing) if wanted else None


def _why_not(view: View, spec: PromptSpec) -> str:
    """Why the technique can't be used now; empty when it can."""
    who = view.state.find(view.actor)
    if not spec.technique or who is None:
        return ""
    options = view.ruleset.options(view.ruleset.tables, view.state, who)
    return next((o.reason for o in options if o.technique == spec.technique), "")


def _the_past(entry: int) -> str:
    return f"this is entry {entry}, to be looked at: esc goes back to now, enter goes on from here"


def feed_prompt(screen: FightScreen, prompt: Prompt, pressed: str) -> None:
    """Give a key to the open prompt, and the command when that finishes it."""
    step = prompt.feed(pressed)
    if step is Step.LEFT:
        close(screen)
    elif step is Step.FINISHED:
        line = prompt_line(screen)
        line.show(prompt)
        if give(screen, prompt.line):
            line.last_target = prompt.target or line.last_target
    else:
        show_prompt(screen, prompt)


def show_prompt(screen: FightScreen, prompt: Prompt) -> None:
    """Show a prompt with what it would come to."""
    line = prompt_line(screen)
    line.show(prompt, outlook=_outlook_of(screen, prompt))
    _point_at_people(screen, prompt)
    screen.query_one(FooterLine).refresh()


def close(screen: FightScreen) -> None:
    """Close the prompt and the command bar, without a change."""
    prompt_line(screen).show()
    _point_at_people(screen, None)
    screen.query_one(FooterLine).refresh()


def give(screen: FightScreen, line: str) -> bool:
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
    if is_edge(entry):  # the panel of the turn's edge tells what it set off
        screen.show_message(entry.title)
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


def look_ahead(screen: FightScreen, line: str, typing: bool = False) -> Outlook | None:
    """What a line would come to; None for lines of which that can't be said."""
    words = line.split()
    if not words or words[0] in NOT_PREVIEWED:
        return None

    def decide(line: str, dice: DiceSource) -> Decision:
        return screen.encounter.preview(line, dice)

    return outlook(line, decide, lambda decision: told_of(decision, screen), typing)


def told_of(decision: Decision, screen: FightScreen) -> list[str]:
    """What a decision comes to, in pieces."""
    tracks = screen.encounter.ruleset.tables.tracks
    return consequences(decision.events, decision.before, decision.state, tracks, decision.by)
