"""The prompt that is open: what it sees, what it would come to, and what is said after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.commands.session_verbs import MOVES, question_of
from affray.core.heart.events import Rolled
from affray.core.heart.history import AMEND, Entry, History
from affray.core.heart.state import Encounter
from affray.core.language.refusal import Refused
from affray.core.telling.amended import what_is_different
from affray.core.telling.narrate import entry_line
from affray.store.errors import LogError
from affray.tui.fight_view import pending_in
from affray.tui.panes.edge import is_edge, not_to_be_missed
from affray.tui.panes.footer import FooterLine
from affray.tui.panes.initiative import InitiativePane
from affray.tui.panes.prompt import PromptLine
from affray.tui.prompts.answer import Answer
from affray.tui.prompts.command_line import CommandLine
from affray.tui.prompts.outlook import Outlook, foresight, refused
from affray.tui.prompts.prompt import Prompt
from affray.tui.prompts.repeating import Repeat
from affray.tui.prompts.spec import PromptSpec
from affray.tui.prompts.text import LineSlot
from affray.tui.prompts.view import PromptView
from affray.tui.screens.fight_previews import look_ahead

if TYPE_CHECKING:
    from affray.store.encounter import OpenEncounter
    from affray.tui.screens.fight import FightScreen

MOST_LOOKED_BACK = 30
"""Among so many of the last entries the last roll is looked for."""


def prompt_line(screen: FightScreen) -> PromptLine:
    """The rows in which prompts are shown."""
    return screen.query_one(PromptLine)


def view_for(screen: FightScreen, spec: PromptSpec) -> PromptView:
    """The fight as that prompt sees it."""
    encounter = screen.encounter
    turn = encounter.state.turn
    return PromptView(
        encounter.state,
        encounter.ruleset,
        actor=screen.view.actor() if spec.acts or not turn else turn,
        cursor=screen.cursor,
        complete=encounter.complete,
        foresee=foresight(encounter.preview),
        memory=prompt_line(screen).memory,
        last_struck=_last_struck(encounter.history),
    )


def _last_struck(history: History) -> str:
    """At whom the last roll was that was made at somebody, among the last entries."""
    for seq in history.path[: -MOST_LOOKED_BACK - 1 : -1]:
        rolls = (e for e in reversed(history.entries[seq].events) if isinstance(e, Rolled))
        struck = next((roll.against for roll in rolls if roll.against), "")
        if struck:
            return struck
    return ""


def _outlook_of(screen: FightScreen, prompt: Prompt) -> Outlook | None:
    """What it would come to, behind what is to be known before a die falls."""
    seen, before = _comes_to(screen, prompt), prompt.before_roll
    if not before and prompt.added and (seen is None or seen.kind == "wanted"):
        wanted = seen.text if seen is not None else ""
        return Outlook(" · ".join(filter(None, (wanted, prompt.added))), "wanted")
    is_told = seen is not None and (seen.kind == "refused" or "advantage: " in seen.text)
    if not before or is_told:  # of two dice that lie there, what comes of them says why
        return seen
    if seen is None or seen.kind == "wanted":
        return Outlook(before, "info")
    return seen._replace(text=f"{before} · {seen.text}")


def _comes_to(screen: FightScreen, prompt: Prompt) -> Outlook | None:
    """What it would come to; before it is whole, what is wanted. Nothing typed is nothing wrong."""
    if isinstance(prompt, Answer):
        return _answers_ahead(screen, prompt)
    slot = prompt.slot
    if slot is None:
        return _way_to_whoever_is_up(screen, prompt)
    typing = isinstance(slot, LineSlot)
    if slot.barred and slot.touched:
        return Outlook(slot.barred, "refused")
    if prompt.ahead:
        return Outlook(prompt.ahead, "hint")
    if not (prompt.complete or typing):
        plainly = slot.touched or slot.barred
        return Outlook(slot.missing, "hint" if plainly else "wanted") if slot.missing else None
    preview = prompt.given.preview if isinstance(prompt, Repeat) else None
    seen = _in_words(look_ahead(screen, prompt.line, typing, preview), prompt)
    if seen is not None and seen.kind == "refused" and not slot.touched:
        return Outlook(seen.text, "hint")
    return seen


def _in_words(seen: Outlook | None, prompt: Prompt) -> Outlook | None:
    """What is wanted without the grammar of the whole command, which is for who types all of it;
    with an example, where there is one."""
    if seen is None or not seen.usage:
        return seen
    text, example = seen.without_usage, prompt.spec.rule.example
    if example and isinstance(prompt.slot, LineSlot) and seen.kind == "hint":
        text += f" · example: {example.format(foe=prompt.view.ruleset.stranger)}"
    return Outlook(text, seen.kind)


def _answers_ahead(screen: FightScreen, prompt: Answer) -> Outlook | None:
    """What each answer to what waits would come to; of a roll only what a die that is typed would.

    It is a hint, as those go on in place of the keys: there are several.
    """
    asked = prompt.asked
    if asked.die:
        return look_ahead(screen, prompt.line) if prompt.line else None
    seen = [(choice.key, look_ahead(screen, choice.command)) for choice in asked.choices]
    return Outlook("  ".join(f"{key}: {ahead.text}" for key, ahead in seen if ahead), "hint")


def _way_to_whoever_is_up(screen: FightScreen, prompt: Prompt) -> Outlook | None:
    """Which key puts the cursor on whoever is up, where somebody else can't do what was asked."""
    up, key = screen.encounter.state.up, screen.view.key_for("cursor.turn")
    if up is None or not key or not prompt.spec.acts or up.id == prompt.view.actor:
        return None
    again = screen.keymap.by_id.get(prompt.spec.id)
    if again is None or is_reaction(prompt):
        return Outlook(f"{key} puts the cursor on {up.name}, who is up", "hint")
    return Outlook(f"{key} {again.shown} does it for {up.name}, who is up", "hint")


def is_reaction(prompt: Prompt) -> bool:
    """Whether a prompt asks for something that is done out of turn."""
    technique = prompt.view.ruleset.tables.techniques.get(prompt.spec.technique)
    return technique is not None and technique.reaction


def the_past(entry: int) -> str:
    """Why nothing can be done while an earlier entry is looked at."""
    return f"this is entry {entry}, to be looked at: esc goes back to now, enter goes on from here"


def show_prompt(screen: FightScreen, prompt: Prompt) -> None:
    """Show a prompt with what it would come to."""
    line = prompt_line(screen)
    line.show(prompt, outlook=_outlook_of(screen, prompt))
    _point_at_people(screen, prompt)
    screen.query_one(FooterLine).show(prompt)


def close(screen: FightScreen) -> None:
    """Close the prompt and the command bar, without a change."""
    prompt_line(screen).show()
    _point_at_people(screen, None)
    screen.query_one(FooterLine).show(None)


def _point_at_people(screen: FightScreen, prompt: Prompt | None) -> None:
    """Let the order show the numbers that answer the prompt."""
    wanted = prompt is not None and bool(prompt.candidates)
    screen.query_one(InitiativePane).light_numbers(wanted)


def close_if_done(screen: FightScreen, done: bool) -> bool:
    """Close the prompt of a command that was done, and say what came of it. Gives back `done`."""
    if done:
        said = prompt_line(screen).message
        close(screen)
        if not said.text:
            _say_what_was_done(screen)
    return done


def give(screen: FightScreen, line: str) -> bool:
    """Give a command, or a question. A prompt that is refused stays open, with why below it."""
    if question_of(line) or screen.encounter.is_carried_by(line):
        return _ask(screen, line)
    return close_if_done(screen, screen.run_command(line))


def _ask(screen: FightScreen, line: str) -> bool:
    """Show the answer to a question, or why it has none; tells whether it has one.

    To keep somebody gives the fight other rows, so all is shown anew.
    """
    try:
        told = screen.encounter.ask(line)
    except Refused as refusal:
        screen.say(refused(line, refusal))
        return False
    except LogError as error:
        screen.show_message(str(error), "refused")
        return False
    close(screen)
    screen.look_for_what_differs()
    screen.publish()
    screen.show_message(" · ".join(told.lines if told else ()) or "nothing to say about it")
    return True


def open_bar(screen: FightScreen, text: str = "") -> None:
    """Open the command bar."""
    encounter, line = screen.encounter, prompt_line(screen)
    given = [c for c in encounter.commands if not c.startswith(MOVES)]
    bar = CommandLine([*given, *line.asked], encounter.complete, text)
    line.show(bar=bar)
    screen.query_one(FooterLine).show(bar)


def _say_what_was_done(screen: FightScreen) -> None:
    history = screen.encounter.history
    entry = history.entries.get(history.last)
    if entry is None:
        return
    if entry.verb == AMEND:
        screen.show_message(_amended(screen.encounter, entry))
        return
    if entry.to is not None:
        screen.show_message(_moved(entry.text))
        return
    tracks = screen.encounter.ruleset.tables.tracks
    if is_edge(entry):  # the panel of the turn's edge tells all that it set off
        missed = _missed(screen, history.before(entry.seq))
        told = [*missed, "u goes back", entry.title] if missed else [entry.title]
        told += not_to_be_missed(entry, history.before(entry.seq), tracks)
        screen.show_message(" · ".join(told), "warning" if missed else "info")
        return
    screen.show_message(entry_line(entry, history.before(entry.seq), tracks))


def _missed(screen: FightScreen, before: Encounter) -> list[str]:
    """What had to be done in the turn that is over now, and was not."""
    ruleset, after = screen.encounter.ruleset, screen.encounter.state
    if after.turn == before.turn and after.round == before.round:
        return []
    waiting = pending_in(ruleset, before)
    return [each.missed for each in waiting if each.missed and before.takes_turn(each.who)]


def _amended(encounter: OpenEncounter, entry: Entry) -> str:
    """`amended: entry 12, Mira strikes Ghoul 1, strong 5 · Ghoul 1 −3 HP, 7 left`"""
    history = encounter.history
    before = history.states[history.undo_target()]
    changes = what_is_different(before, encounter.ruleset.tables, encounter.state)
    _, _, what = entry.text.partition(": ")
    return " · ".join([f"amended: {what}", *(changes or ["nothing else is different"])])


def _moved(text: str) -> str:
    verb, _, what = text.partition(": ")
    return f"{ {'undo': 'undone', 'redo': 'redone'}.get(verb, 'now at') }: {what}"
