"""Prompts on the fight's screen: how one begins, is fed by keys, and ends in a command."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Pending
from affray.tui.fight_view import pending_in
from affray.tui.keymap import BEHIND_INIT, COMMAND, INIT, RULES, STAYS_OPEN, shown
from affray.tui.pasting import clean
from affray.tui.prompts.answer import WHAT_WAITS, Answer
from affray.tui.prompts.following import takers
from affray.tui.prompts.memory import remembered
from affray.tui.prompts.prompt import Prompt
from affray.tui.prompts.reacting import asked_of_others
from affray.tui.prompts.repeating import Repeat
from affray.tui.prompts.spec import PromptSpec
from affray.tui.prompts.step import Step
from affray.tui.screens.amending import give_instead
from affray.tui.screens.fight_previews import look_ahead
from affray.tui.screens.fight_sheets import show_rules_of
from affray.tui.screens.open_prompt import (
    close,
    give,
    is_reaction,
    prompt_line,
    show_prompt,
    the_past,
    view_for,
)
from affray.tui.screens.turn_end import asked_first

if TYPE_CHECKING:
    from affray.tui.screens.fight import FightScreen

NEXT = "next"
"""The entry of the table of keys that ends turns."""


def begin(screen: FightScreen, spec: PromptSpec) -> None:
    """Begin a prompt; a command that asks for nothing is given at once.

    The end of a turn waits for what holds it, once.
    """
    if screen.view_at is not None:
        screen.show_message(the_past(screen.view_at), "refused")
        screen.typed_on.begin()
        return
    ends_turn = spec.id == NEXT and not screen.encounter.read_only
    held = asked_first(screen.encounter) if ends_turn else []
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
        if not give(screen, prompt.line) or prompt.ended_early:
            screen.typed_on.begin()
        return
    show_prompt(screen, prompt)
    if prompt.barred:
        screen.typed_on.begin()


def ask_what_waits(screen: FightScreen, waiting: list[Pending]) -> None:
    """Open the prompt for what waits; the key that ends turns leads out of what holds this one."""
    key = screen.keymap.by_id.get(NEXT)
    first = asked_first(screen.encounter)
    held = any(each in first for each in waiting)
    ends = key.keys if key is not None and held else ()
    ending = key.prompt.command if key is not None and key.prompt is not None else ""
    view = view_for(screen, WHAT_WAITS)
    show_prompt(screen, Answer(waiting, view, ends, ending))
    if ends:
        screen.show_message(f"{shown(ends[0])} has the rest rolled, and ends the turn", "hint")


def _ask_on(screen: FightScreen) -> None:
    """After an answer, open the prompt for the next that has to be given, below what was said."""
    said = prompt_line(screen).message
    encounter = screen.encounter
    first = asked_first(encounter)
    pending = pending_in(encounter.ruleset, encounter.state)
    waiting = [each for each in pending if each.missed or each in first]
    if waiting:
        ask_what_waits(screen, waiting)
        screen.say(said)


def point_at(screen: FightScreen, who: str) -> bool:
    """Somebody was clicked: tells whether an open prompt took them for an answer."""
    prompt = prompt_line(screen).prompt
    if prompt is None or not prompt.candidates:
        return False
    prompt.choose(who)
    show_prompt(screen, prompt)
    return True


def _why_not(screen: FightScreen, who: str, spec: PromptSpec) -> str:
    """Why the technique, or what is the actor's own, can't be used now; empty when it can.

    Its prompt opens all the same and says so.
    """
    if not (spec.technique or spec.own):
        return ""
    view = screen.view
    if spec.own:
        return next((o.reason for o in view.own(who) if o.name == spec.own), "")
    return next((o.reason for o in view.options(who) if o.technique == spec.technique), "")


def feed_prompt(screen: FightScreen, prompt: Prompt, pressed: str) -> bool:
    """Give a key to the open prompt, and the command when that finishes it.

    Tells whether the key was for the prompt.
    """
    if _asks_for_rules(screen, prompt, pressed):
        show_rules_of(screen, prompt)
        return True
    step = Step.PASSED if _is_for_the_fight(screen, prompt, pressed) else prompt.feed(pressed)
    if step is Step.PASSED or step is Step.LEFT:
        close(screen)
        if is_reaction(prompt) and not prompt.barred and screen.encounter.state.up is not None:
            screen.put_cursor(screen.encounter.state.turn)  # as when it is done
    elif step is Step.FINISHED:
        _finish(screen, prompt)
    else:
        show_prompt(screen, prompt)
    return step is not Step.PASSED


def _is_for_the_fight(screen: FightScreen, prompt: Prompt, pressed: str) -> bool:
    """Whether a key is no answer: that of the command bar, except in a text; and, in a prompt that
    asks for one initiative after the other, those that begin the fight or have all roll."""
    key, slot = screen.keymap.find(pressed), prompt.slot
    if key is None or slot is None or slot.takes_space:
        return False
    return key.id == COMMAND or (
        prompt.spec.id == INIT and not slot.touched and key.id in BEHIND_INIT
    )


def _asks_for_rules(screen: FightScreen, prompt: Prompt, pressed: str) -> bool:
    """Whether a key is that of the rules, and none that a text is written with."""
    key, slot = screen.keymap.find(pressed), prompt.slot
    writes = slot is not None and slot.takes_space
    is_rules = key is not None and key.id == RULES and not pressed.isalnum()
    return is_rules and not (prompt.barred or writes)


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
        line.memory = remembered(line.memory, prompt)
        _go_on(screen, prompt)
        if prompt.ended_early and not line.is_open:
            screen.typed_on.begin()


def _go_on(screen: FightScreen, prompt: Prompt) -> None:
    """Ask what follows: the same for the next, or what those take whose rolls came out so."""
    said, spec, rule = prompt_line(screen).message, prompt.spec, prompt.spec.rule
    if spec.id == INIT and not _next_without_number(screen, spec):
        return
    if spec.id in STAYS_OPEN:
        begin(screen, spec)
    key = screen.keymap.by_id.get(f"prompt.{rule.then}") if rule.then else None
    following = key.prompt if key is not None else None
    if following is not None and rule.takes:
        _ask_takers(screen, following, rule.takes)
    elif following is not None:
        _ask_the_next(screen, following, prompt.person)
    if prompt_line(screen).is_open:
        screen.say(said)


def _ask_takers(screen: FightScreen, spec: PromptSpec, takes: Mapping[str, str]) -> None:
    """Ask it for those who take something by the rolls of the last command, if there are any.

    `takes` says how much for each outcome, `all` or `half`.
    """
    history, line = screen.encounter.history, prompt_line(screen)
    found = takers(history.entries[history.last].events, takes)
    line.memory = replace(line.memory, people=found.wholly)
    if found.people:
        asked = Prompt(spec, view_for(screen, spec))
        asked.name_people(found)
        show_prompt(screen, asked)


def _ask_the_next(screen: FightScreen, spec: PromptSpec, last: str) -> None:
    """Ask it for the last character again, or else the next, who isn't barred from it."""
    row = [c.id for c in screen.encounter.state.in_order() if c.kind == "pc"]
    at, view = row.index(last) if last in row else 0, view_for(screen, spec)
    following = (who for who in row[at:] + row[:at] if not view.barred(f"{spec.command} {who}"))
    who = next(following, "")
    if who:
        screen.put_cursor(who)
        begin(screen, spec)


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


def _next_without_number(screen: FightScreen, spec: PromptSpec) -> bool:
    """Put the cursor on the next character without initiative, in the order of their joining.

    False for nobody.
    """
    waiting = view_for(screen, spec).unplaced_from(screen.cursor)
    behind = [who for who in waiting if who != screen.cursor] or waiting
    if behind:
        screen.put_cursor(behind[0])
    return bool(behind)


def paste(screen: FightScreen, text: str) -> None:
    """Text was pasted: it goes where words are typed, and is never taken for keys."""
    line, words = prompt_line(screen), clean(text)
    if line.bar is not None:
        line.bar.paste(words)
        line.show(bar=line.bar, outlook=look_ahead(screen, line.bar.text, typing=True))
    elif line.prompt is not None:
        line.prompt.paste(words)
        show_prompt(screen, line.prompt)
