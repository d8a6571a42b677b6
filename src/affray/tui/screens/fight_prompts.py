"""Prompts on the fight's screen: how one begins, is fed and shown, and ends in a command."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from affray.core.dice.sources import DiceSource, RepeatedDice
from affray.core.heart.decide import Decision
from affray.core.heart.events import Rolled
from affray.core.heart.history import History
from affray.core.heart.state import Encounter
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Pending
from affray.core.telling.narrate import entry_line
from affray.tui.keymap import shown
from affray.tui.panes.edge import is_edge
from affray.tui.panes.footer import FooterLine
from affray.tui.panes.prompt import PromptLine
from affray.tui.pasting import clean
from affray.tui.prompts import Answer, Prompt, PromptSpec, Step, View
from affray.tui.prompts.following import takers
from affray.tui.prompts.outlook import Decide, Outlook, foresight
from affray.tui.prompts.own import own_of
from affray.tui.prompts.reacting import asked_of_others
from affray.tui.prompts.repeating import Repeat, asked_again, faces_of
from affray.tui.prompts.text import LineSlot
from affray.tui.screens.fight_previews import look_ahead
from affray.tui.shared import app_of

if TYPE_CHECKING:
    from affray.tui.screens.fight import FightScreen

NEXT = "next"
"""The entry of the table of keys that ends turns."""
MOST_LOOKED_BACK = 30
"""Among so many of the last entries the last roll is looked for."""


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
    others = None if screen.encounter.read_only else asked_of_others(spec, view)
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


# -- the last roll again ---------------------------------------------------------------------------


def ask_last_roll(screen: FightScreen) -> None:
    """Ask the last roll again, as its dice lie, to be given in its place with something changed.

    What was just taken back is the last as well.
    """
    if screen.view_at is not None or screen.encounter.read_only:
        past = _the_past(screen.view_at) if screen.view_at is not None else ""
        screen.show_message(past or screen.encounter.read_only, "refused")
        return
    history = screen.encounter.history
    specs = [key.prompt for key in screen.keymap.keys if key.prompt is not None]
    for seq in (*_taken_back(history), *history.path[: -MOST_LOOKED_BACK - 1 : -1]):
        entry = history.entries[seq]
        prompt = asked_again(entry, specs, partial(_view_before, screen, seq))
        if prompt is not None:
            show_prompt(screen, prompt)
            back, _ = history.way_to(history.parents[seq])
            if back > 1:
                later = f"enter takes back {back - 1} that came after it, too"
                screen.show_message(later, "warning")
            return
        if entry.by and any(isinstance(event, Rolled) for event in entry.events):
            told = f"{entry.title}: no prompt asks for it as it was typed; `:` and ↑ have it again"
            screen.show_message(told, "refused")
            return
    screen.show_message("no roll among the last commands that could be asked again", "refused")


def _taken_back(history: History) -> list[int]:
    """The entry that was just taken back, if the last command was to take back."""
    last = history.entries.get(history.last)
    if last is None or last.to is None:
        return []
    try:
        return [history.redo_target()]
    except Refused:
        return []


def _view_before(screen: FightScreen, seq: int, spec: PromptSpec, actor: str) -> View:
    """The fight as the prompt of an entry saw it."""
    encounter = screen.encounter
    state = encounter.history.before(seq)
    fell = faces_of(encounter.history.entries[seq].events)

    def preview(line: str, dice: DiceSource) -> Decision:
        return encounter.preview_instead(seq, line, RepeatedDice(fell, dice))

    decide, refusal = foresight(preview)
    view = replace(view_for(screen, spec), state=state, decide=decide, refusal=refusal)
    return replace(view, actor=actor or state.turn)


def preview_of(screen: FightScreen, prompt: Repeat) -> Decide:
    """What a line would have come to in place of the entry, with its dice."""

    def preview(line: str, dice: DiceSource) -> Decision:
        again = RepeatedDice(prompt.fell, dice)
        return screen.encounter.preview_instead(prompt.entry.seq, line, again)

    return preview


def give_instead(screen: FightScreen, prompt: Repeat) -> None:
    """Give the command in place of the one that was asked again."""
    seq, line, fell = prompt.entry.seq, prompt.line, prompt.fell
    _given(screen, screen.carry_out(lambda: screen.encounter.do_instead(seq, line, fell), line))


# -- what prompts see ------------------------------------------------------------------------------


def view_for(screen: FightScreen, spec: PromptSpec) -> View:
    """The fight as that prompt sees it."""
    encounter = screen.encounter
    turn = encounter.state.turn

    decide, refusal = foresight(encounter.preview)
    memory = prompt_line(screen).memory
    return View(
        encounter.state,
        encounter.ruleset,
        actor=screen.actor() if spec.acts or not turn else turn,
        cursor=screen.cursor,
        last_target=memory.target,
        complete=encounter.complete,
        decide=decide,
        refusal=refusal,
        amounts=memory.amounts,
        names=memory.names,
        last_people=memory.people,
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
        return Outlook(slot.missing, "hint") if slot.missing else None
    preview = preview_of(screen, prompt) if isinstance(prompt, Repeat) else None
    seen = look_ahead(screen, prompt.line, typing, preview)
    if seen is not None and seen.kind == "refused" and not slot.touched:
        return Outlook(seen.text, "hint")
    return seen


def _answers_ahead(screen: FightScreen, prompt: Answer) -> Outlook | None:
    """What each answer to what waits would come to; of a roll only what a die that is typed would.

    It is a hint, as those go on in place of the keys: there are several.
    """
    asked = prompt.pending[prompt.asked]
    if asked.die:
        return look_ahead(screen, prompt.line) if prompt.line else None
    seen = [(choice.key, look_ahead(screen, choice.command)) for choice in asked.choices]
    return Outlook("  ".join(f"{key}: {ahead.text}" for key, ahead in seen if ahead), "hint")


def _way_to_whoever_is_up(screen: FightScreen, prompt: Prompt) -> Outlook | None:
    """Which key puts the cursor on whoever is up, where somebody else can't do what was asked."""
    up, view = screen.encounter.state.up, app_of(screen).fight
    key = view.key_for("cursor.turn") if view is not None else ""
    if up is None or not key or not prompt.spec.acts or up.id == prompt.view.actor:
        return None
    again = screen.keymap.by_id.get(prompt.spec.id)
    if again is None or _is_reaction(prompt):
        return Outlook(f"{key} puts the cursor on {up.name}, who is up", "hint")
    return Outlook(f"{key} {again.shown} does it for {up.name}, who is up", "hint")


def _is_reaction(prompt: Prompt) -> bool:
    technique = prompt.view.ruleset.tables.techniques.get(prompt.spec.technique)
    return technique is not None and technique.reaction


def _why_not(screen: FightScreen, who: str, spec: PromptSpec) -> str:
    """Why the technique, or what is the actor's own, can't be used now; empty when it can.

    Its prompt opens all the same and says so.
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
    if step is Step.PASSED or step is Step.LEFT:
        close(screen)
        if _is_reaction(prompt) and not prompt.barred and screen.encounter.state.up is not None:
            screen.put_cursor(screen.encounter.state.turn)  # as when it is done
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
    if isinstance(prompt, Repeat):
        give_instead(screen, prompt)
    elif give(screen, prompt.line):
        if isinstance(prompt, Answer) and not prompt.over:
            _ask_on(screen)
        line.memory = line.memory.after(prompt)
        _go_on(screen, prompt.spec)


def _go_on(screen: FightScreen, spec: PromptSpec) -> None:
    """Ask what follows: the same for the next, or what those take whose rolls came out so."""
    said = prompt_line(screen).message
    if spec.id == "init" and not _next_without_number(screen):
        return
    if spec.stays:
        begin(screen, spec)
    following = screen.keymap.by_id.get(f"prompt.{spec.then}") if spec.then else None
    if following is not None and following.prompt is not None:
        history = screen.encounter.history
        found = takers(history.entries[history.last].events, spec.takes)
        line = prompt_line(screen)
        line.memory = replace(line.memory, people=found.wholly)
        if found.people:
            prompt = Prompt(following.prompt, view_for(screen, following.prompt))
            prompt.name_people(*found)
            show_prompt(screen, prompt)
    if prompt_line(screen).is_open:
        screen.say(said)


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


def _next_without_number(screen: FightScreen) -> bool:
    """Put the cursor on the next character without initiative, in the order of their joining.

    False for nobody.
    """
    state = screen.encounter.state
    unknown = {s.who for s in state.slots if s.initiative is None and not s.gone}
    row = [c.id for c in state.combatants if c.kind == "pc"]
    here = row.index(screen.cursor) + 1 if screen.cursor in row else 0
    following = next((who for who in row[here:] + row[:here] if who in unknown), "")
    if following:
        screen.put_cursor(following)
    return bool(following)


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
    return _given(screen, screen.run_command(line))


def _given(screen: FightScreen, done: bool) -> bool:
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
