"""Prompts on the fight's screen: how one begins, is fed and shown, and ends in a command."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from affray.core.decide import Decision
from affray.core.dice_sources import DiceSource
from affray.core.narrate import consequences, entry_line
from affray.core.refusal import Refused
from affray.core.ruleset import Pending
from affray.core.session_verbs import MOVES, SESSION_VERBS
from affray.core.state import Encounter
from affray.tui.keymap import shown
from affray.tui.panes.edge import is_edge
from affray.tui.panes.footer import FooterLine
from affray.tui.panes.prompt import PromptLine
from affray.tui.panes.techniques import price_of
from affray.tui.pasting import clean
from affray.tui.prompts import Answer, Prompt, PromptSpec, Step, View
from affray.tui.prompts.outlook import Outlook, foresight, outlook, unfinished
from affray.tui.prompts.own import own_of
from affray.tui.prompts.plain import LineSlot
from affray.tui.prompts.reacting import asked_of_others
from affray.tui.shared import app_of

if TYPE_CHECKING:
    from affray.tui.screens.fight import FightScreen

NEXT = "next"
"""The entry of the table of keys that ends turns."""


def prompt_line(screen: FightScreen) -> PromptLine:
    """The rows in which prompts are shown."""
    return screen.query_one(PromptLine)


def begin(screen: FightScreen, spec: PromptSpec) -> None:
    """Begin a prompt; a command that asks for nothing is given at once.

    The end of a turn waits for what holds it, once.
    """
    if screen.view_at is not None:
        screen.show_message(_the_past(screen.view_at), "refused")
        return
    held = _waiting(screen, _holds) if spec.id == NEXT and not screen.encounter.read_only else []
    if held:
        ask_what_waits(screen, held)
        return
    view = view_for(screen, spec)
    barred = screen.encounter.read_only or _why_not(screen, view.actor, spec)
    others = asked_of_others(spec, view) if barred and not screen.encounter.read_only else None
    if others is not None:
        spec, barred = others, ""
    prompt = Prompt(spec, view, barred if spec.asks and spec.id != "goto" else "")
    if prompt.instant:
        give(screen, prompt.line)
    else:
        show_prompt(screen, prompt)


def ask_what_waits(screen: FightScreen, waiting: list[Pending]) -> None:
    """Open the prompt for what waits; the key that ends turns leads out of what holds this one."""
    key = screen.keymap.by_id.get(NEXT)
    held = any(_holds(screen, each) for each in waiting)
    ends = key.keys if key is not None and held else ()
    ending = key.prompt.command if key is not None and key.prompt is not None else ""
    view = view_for(screen, PromptSpec("answer", "", ""))
    show_prompt(screen, Answer(waiting, view, ends, ending))
    if ends:
        screen.show_message(f"{shown(ends[0])} has the rest rolled, and ends the turn", "hint")


def _ask_on(screen: FightScreen) -> None:
    """After an answer, open the prompt for the next that has to be given, below what was said."""
    said = prompt_line(screen).message
    waiting = _waiting(screen, lambda screen, each: _holds(screen, each) or bool(each.missed))
    if waiting:
        ask_what_waits(screen, waiting)
        screen.say(said)


def _waiting(screen: FightScreen, wanted: Callable[[FightScreen, Pending], bool]) -> list[Pending]:
    ruleset, state = screen.encounter.ruleset, screen.encounter.state
    return [each for each in ruleset.pending(ruleset.tables, state) if wanted(screen, each)]


def _holds(screen: FightScreen, each: Pending) -> bool:
    """Whether it is asked for before the present turn ends."""
    return each.holds and screen.encounter.state.takes_turn(each.who)


def view_for(screen: FightScreen, spec: PromptSpec) -> View:
    """The fight as that prompt sees it."""
    encounter = screen.encounter
    turn = encounter.state.turn

    decide, lacks = foresight(encounter.preview)
    return View(
        encounter.state,
        encounter.ruleset,
        actor=screen.actor() if spec.acts or not turn else turn,
        cursor=screen.cursor,
        last_target=prompt_line(screen).last_target,
        complete=encounter.complete,
        decide=decide,
        lacks=lacks,
        amounts=prompt_line(screen).amounts,
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
    """What it would come to; before it is whole, what is wanted. Nothing typed is nothing wrong."""
    slot = prompt.slot
    if slot is None:
        return None
    typing = isinstance(slot, LineSlot)
    if slot.barred and slot.touched:
        return Outlook(slot.barred, "refused")
    if prompt.ahead:
        return Outlook(prompt.ahead, "hint")
    if not (prompt.complete or typing):
        return Outlook(slot.missing, "hint") if slot.missing else None
    seen = look_ahead(screen, prompt.line, typing)
    if seen is not None and seen.kind == "refused" and not slot.touched:
        return Outlook(seen.text, "hint")
    return seen


def _why_not(screen: FightScreen, who: str, spec: PromptSpec) -> str:
    """Why the technique, or what is the actor's own, can't be used now; empty when it can.

    Its prompt opens all the same and says so, so that an answer typed blindly does nothing else.
    """
    view = app_of(screen).fight
    if view is None or not (spec.technique or spec.own):
        return ""
    options = view.options(who)
    if spec.own:
        own = own_of(view.ruleset.tables, options)
        return next((o.reason for o in own if o.name == spec.own), "")
    return next((o.reason for o in options if o.technique == spec.technique), "")


def _the_past(entry: int) -> str:
    return f"this is entry {entry}, to be looked at: esc goes back to now, enter goes on from here"


def feed_prompt(screen: FightScreen, prompt: Prompt, pressed: str) -> bool:
    """Give a key to the open prompt, and the command when that finishes it.

    Tells whether the key was for the prompt.
    """
    step = prompt.feed(pressed)
    if step is Step.PASSED:
        close(screen)
    elif step is Step.LEFT:
        close(screen)
        if prompt.barred and pressed == "enter":  # whoever has typed blindly has not read it
            screen.show_message(f"{prompt.spec.label}: {prompt.barred}", "refused")
    elif step is Step.FINISHED:
        _finish(screen, prompt)
    else:
        show_prompt(screen, prompt)
    return step is not Step.PASSED


def _finish(screen: FightScreen, prompt: Prompt) -> None:
    line = prompt_line(screen)
    line.show(prompt)
    if prompt.spec.id == "goto":
        _look_first(screen, prompt.line)
        return
    if give(screen, prompt.line):
        if isinstance(prompt, Answer) and not prompt.over:
            _ask_on(screen)
        line.last_target = prompt.target or line.last_target
        line.amounts |= prompt.amounts()
        if prompt.spec.id == "init":
            _go_on_to_the_next_number(screen)


def _look_first(screen: FightScreen, line: str) -> None:
    """Show the entry that was asked for; an enter then goes on from there."""
    history = screen.encounter.history
    try:
        seq = history.goto_target(int(line.split()[-1]))
    except (Refused, ValueError) as error:
        screen.show_message(str(error), "refused")
        return
    close(screen)
    screen.look_at(seq)
    title = history.entries[seq].title if seq else "the beginning"
    if screen.view_at is None:
        screen.show_message(f"entry {seq} is now: {title}")
    else:
        screen.show_message(f"entry {seq}: {title} · enter goes on from here, esc back to now")


def _go_on_to_the_next_number(screen: FightScreen) -> None:
    """Put the cursor on the next character without initiative, in the order of their joining."""
    state = screen.encounter.state
    unknown = {s.who for s in state.slots if s.initiative is None and not s.gone}
    row = [c.id for c in state.combatants if c.kind == "pc"]
    here = row.index(screen.cursor) + 1 if screen.cursor in row else 0
    following = next((who for who in row[here:] + row[:here] if who in unknown), "")
    if following:
        screen.put_cursor(following)


def paste(screen: FightScreen, text: str) -> None:
    """Text was pasted: it goes where words are typed, and is never taken for keys."""
    line, words = prompt_line(screen), clean(text)
    if line.bar is not None:
        line.bar.paste(words)
        line.show(bar=line.bar, outlook=look_ahead(screen, line.bar.text, typing=True))
    elif line.prompt is not None:
        line.prompt.paste(words)
        show_prompt(screen, line.prompt)


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


def give(screen: FightScreen, line: str) -> bool:
    """Give a command. A prompt that is refused stays open, with the refusal below it."""
    done = screen.run_command(line)
    if done:
        said = prompt_line(screen).message
        close(screen)
        if not said.text:
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
        missed = _missed(screen, history.before(entry.seq))
        told = " · ".join([*missed, "u goes back", entry.title]) if missed else entry.title
        screen.show_message(told, "warning" if missed else "info")
        return
    tracks = screen.encounter.ruleset.tables.tracks
    screen.show_message(entry_line(entry, history.before(entry.seq), tracks))


def _missed(screen: FightScreen, before: Encounter) -> list[str]:
    """What had to be done in the turn that is over now, and was not."""
    ruleset, after = screen.encounter.ruleset, screen.encounter.state
    if after.turn == before.turn and after.round == before.round:
        return []
    waiting = ruleset.pending(ruleset.tables, before)
    return [each.missed for each in waiting if each.missed and before.takes_turn(each.who)]


def _moved(text: str) -> str:
    verb, _, what = text.partition(": ")
    return f"{ {'undo': 'undone', 'redo': 'redone'}.get(verb, 'now at') }: {what}"


def _point_at_people(screen: FightScreen, prompt: Prompt | None) -> None:
    """Let the order show the numbers that answer the prompt."""
    wants = prompt is not None and prompt.wants_people
    screen.targets = prompt.candidates if prompt is not None and wants else None


def look_ahead(screen: FightScreen, line: str, typing: bool = False) -> Outlook | None:
    """What a line would come to; None for lines of which that can't be said."""
    words = line.split()
    verb = words[0].casefold() if words else ""
    if verb in MOVES:
        return _foreseen(screen, line, typing)
    if not words or verb in SESSION_VERBS:  # a question changes nothing
        return None

    def decide(line: str, dice: DiceSource) -> Decision:
        return screen.encounter.preview(line, dice)

    def told(decision: Decision) -> list[str]:
        return told_of(decision, screen)

    tracks = screen.encounter.ruleset.tables.tracks
    return outlook(line, decide, told, typing, lambda decision: price_of(decision.events, tracks))


def _foreseen(screen: FightScreen, line: str, typing: bool) -> Outlook:
    """Where a move through the log would lead, and what goes or comes back on the way."""
    try:
        return Outlook(screen.encounter.foresee(line) or "", "info")
    except Refused as refusal:
        return unfinished(line, refusal, typing)


def told_of(decision: Decision, screen: FightScreen) -> list[str]:
    """What a decision comes to, in pieces."""
    tracks = screen.encounter.ruleset.tables.tracks
    return consequences(decision.events, decision.before, tracks, decision.by)
