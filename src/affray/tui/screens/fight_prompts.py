"""Prompts on the fight's screen: begun by a key, fed with keys, and ended by a command."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from affray.core.dice import StubDice
from affray.core.engine.events import Rolled
from affray.core.parser.errors import Refused
from affray.core.rules.ruleset import PendingDecision
from affray.tui.fight_view import pending_in
from affray.tui.keymap import BEHIND_INIT, COMMAND, INIT, RULES, STAYS_OPEN, key_label
from affray.tui.prompts.combatant_fields import asked_of_others
from affray.tui.prompts.command_bar import InputState
from affray.tui.prompts.field import PromptSpec
from affray.tui.prompts.follow_ups import (
    WHAT_WAITS,
    DecisionPrompt,
    RepeatPrompt,
    damage_shares,
    remember_answers,
)
from affray.tui.prompts.prompt import Prompt
from affray.tui.screens.fight_lookups import give_instead, show_rules_of
from affray.tui.screens.open_prompt import (
    close_input,
    is_reaction,
    preview_command,
    prompt_context,
    prompt_line,
    show_prompt,
    submit_command,
    the_past,
)
from affray.tui.terminal import clean_paste

if TYPE_CHECKING:
    from affray.store.open_encounter import OpenEncounter
    from affray.tui.screens.fight import FightScreen


# -------------------------------------------------------------------------------------------------
# Decisions asked for before a turn ends


def asked_first(encounter: OpenEncounter) -> list[PendingDecision]:
    """The decisions to ask for before the turn ends: those that hold the turn, those that whoever
    is up would miss, and those that would otherwise be rolled for a player's character."""
    state = encounter.state
    waiting = pending_in(encounter.ruleset, state)
    rolled = rolled_for(encounter) if waiting else frozenset()
    return [
        each
        for each in waiting
        if each.who in rolled or (state.takes_turn(each.who) and (each.holds or each.missed))
    ]


def rolled_for(encounter: OpenEncounter) -> frozenset[str]:
    """The ids of the players' characters for whom the end of the turn would roll."""
    try:
        decision = encounter.preview("next", StubDice(high=False))
    except Refused:
        return frozenset()
    rolls = (event for event in decision.events if isinstance(event, Rolled) and not event.by_hand)
    return frozenset(roll.who for roll in rolls if decision.state[roll.who].kind == "pc")


NEXT = "next"
"""The entry of the table of keys that ends turns."""


def open_prompt(screen: FightScreen, spec: PromptSpec) -> None:
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
    view = prompt_context(screen, spec)
    barred = screen.encounter.read_only or _why_not(screen, view.actor, spec)
    others = None if screen.encounter.read_only else asked_of_others(spec, view)
    if others is not None:
        spec, barred = others, ""
    prompt = Prompt(spec, view, barred if spec.asks and spec.id != "goto" else "")
    if prompt.instant:
        if not submit_command(screen, prompt.line) or prompt.ended_early:
            screen.typed_on.begin()
        return
    show_prompt(screen, prompt)
    if prompt.barred:
        screen.typed_on.begin()


def ask_what_waits(screen: FightScreen, waiting: list[PendingDecision]) -> None:
    """Open the prompt for what waits; the key that ends turns leads out of what holds this one."""
    key = screen.keymap.by_id.get(NEXT)
    first = asked_first(screen.encounter)
    held = any(each in first for each in waiting)
    ends = key.keys if key is not None and held else ()
    ending = key.prompt.command if key is not None and key.prompt is not None else ""
    view = prompt_context(screen, WHAT_WAITS)
    show_prompt(screen, DecisionPrompt(waiting, view, ends, ending))
    if ends:
        screen.show_message(f"{key_label(ends[0])} has the rest rolled, and ends the turn", "hint")


def _ask_on(screen: FightScreen) -> None:
    """After an answer, open the prompt for the next that has to be given, below what was said."""
    outlook = prompt_line(screen).message
    encounter = screen.encounter
    first = asked_first(encounter)
    pending = pending_in(encounter.ruleset, encounter.state)
    waiting = [each for each in pending if each.missed or each in first]
    if waiting:
        ask_what_waits(screen, waiting)
        screen.say(outlook)


def point_at(screen: FightScreen, combatant_id: str) -> bool:
    """Somebody was clicked: tells whether an open prompt took them for an answer."""
    prompt = prompt_line(screen).prompt
    if prompt is None or not prompt.candidates:
        return False
    prompt.choose(combatant_id)
    show_prompt(screen, prompt)
    return True


def _why_not(screen: FightScreen, combatant_id: str, spec: PromptSpec) -> str:
    """Why the technique, or what is the actor's own, can't be used now; empty when it can.

    Its prompt opens all the same and says so.
    """
    if not (spec.technique or spec.own):
        return ""
    view = screen.view
    if spec.own:
        return next((o.reason for o in view.own(combatant_id) if o.name == spec.own), "")
    return next((o.reason for o in view.options(combatant_id) if o.technique == spec.technique), "")


def feed_prompt(screen: FightScreen, prompt: Prompt, pressed: str) -> bool:
    """Give a key to the open prompt, and the command when that finishes it.

    Tells whether the key was for the prompt.
    """
    if _asks_for_rules(screen, prompt, pressed):
        show_rules_of(screen, prompt)
        return True
    step = InputState.PASSED if _is_for_the_fight(screen, prompt, pressed) else prompt.feed(pressed)
    if step is InputState.PASSED or step is InputState.LEFT:
        close_input(screen)
        if is_reaction(prompt) and not prompt.barred and screen.encounter.state.up is not None:
            screen.put_cursor(screen.encounter.state.turn)  # as when it is done
    elif step is InputState.FINISHED:
        _finish(screen, prompt)
    else:
        show_prompt(screen, prompt)
    return step is not InputState.PASSED


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
    if isinstance(prompt, RepeatPrompt):
        give_instead(screen, prompt)
    elif submit_command(screen, prompt.line):
        if isinstance(prompt, DecisionPrompt) and not prompt.over:
            _ask_on(screen)
        line.memory = remember_answers(line.memory, prompt)
        _go_on(screen, prompt)
        if prompt.ended_early and not line.is_open:
            screen.typed_on.begin()


def _go_on(screen: FightScreen, prompt: Prompt) -> None:
    """Ask what follows: the same for the next, or what those take whose rolls came out so."""
    outlook, spec, rule = prompt_line(screen).message, prompt.spec, prompt.spec.rule
    if spec.id == INIT and not _next_without_number(screen, spec):
        return
    if spec.id in STAYS_OPEN:
        open_prompt(screen, spec)
    key = screen.keymap.by_id.get(f"prompt.{rule.then}") if rule.then else None
    following = key.prompt if key is not None else None
    if following is not None and rule.takes:
        _ask_takers(screen, following, rule.takes)
    elif following is not None:
        _ask_the_next(screen, following, prompt.person)
    if prompt_line(screen).is_open:
        screen.say(outlook)


def _ask_takers(screen: FightScreen, spec: PromptSpec, takes: Mapping[str, str]) -> None:
    """Ask it for those who take something by the rolls of the last command, if there are any.

    `takes` says how much for each outcome, `all` or `half`.
    """
    history, line = screen.encounter.history, prompt_line(screen)
    found = damage_shares(history.entries[history.last].events, takes)
    line.memory = replace(line.memory, people=found.wholly)
    if found.people:
        asked = Prompt(spec, prompt_context(screen, spec))
        asked.name_people(found)
        show_prompt(screen, asked)


def _ask_the_next(screen: FightScreen, spec: PromptSpec, last: str) -> None:
    """Ask it for the last character again, or else the next, who isn't barred from it."""
    row = [c.id for c in screen.encounter.state.in_order() if c.kind == "pc"]
    at, view = row.index(last) if last in row else 0, prompt_context(screen, spec)
    following = (
        combatant_id
        for combatant_id in row[at:] + row[:at]
        if not view.barred(f"{spec.command} {combatant_id}")
    )
    combatant_id = next(following, "")
    if combatant_id:
        screen.put_cursor(combatant_id)
        open_prompt(screen, spec)


def _look_first(screen: FightScreen, line: str) -> None:
    """Show the entry that was asked for; an enter then goes on from there."""
    history = screen.encounter.history
    try:
        seq = history.goto_target(int(line.split()[-1]))
    except (Refused, ValueError) as error:
        screen.show_message(str(error), "refused")
        return
    close_input(screen)
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
    waiting = prompt_context(screen, spec).unplaced_from(screen.cursor)
    followers = [
        combatant_id for combatant_id in waiting if combatant_id != screen.cursor
    ] or waiting
    if followers:
        screen.put_cursor(followers[0])
    return bool(followers)


def paste(screen: FightScreen, text: str) -> None:
    """Text was pasted: it goes where words are typed, and is never taken for keys."""
    line, words = prompt_line(screen), clean_paste(text)
    if line.bar is not None:
        line.bar.paste(words)
        line.show(bar=line.bar, outlook=preview_command(screen, line.bar.text, typing=True))
    elif line.prompt is not None:
        line.prompt.paste(words)
        show_prompt(screen, line.prompt)


# -------------------------------------------------------------------------------------------------
# Stray keys: those typed for a prompt that did not open, or closed sooner than expected.
#
# `s 1 0 n 1 8 enter` is a strike, whether the `s` was refused or not: what comes behind a refused
# key belongs to it, and does nothing.

PAUSE = 1.0
"""Seconds without a key, after which the next one is meant as it stands."""
ENDS = ("enter", "escape")
"""The keys that end an answer, and so what is typed on."""


class TypedOn:
    """Whether a key belongs to an answer that nobody asks for any more.

    `clock` gives seconds; only differences of what it gives count.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._last: float | None = None  # when the last key came that belonged to it

    def begin(self) -> None:
        """Take the keys that follow for typed on."""
        self._last = self._clock()

    def end(self) -> None:
        """Take no more keys for typed on."""
        self._last = None

    def swallows(self, pressed: str) -> bool:
        """Whether a key does nothing, since it was typed on. Keys that no answer has, with ctrl or
        a number behind an F, always act, as escape does: it closes what stands there."""
        if self._last is None:
            return False
        now = self._clock()
        is_over = now - self._last >= PAUSE or _is_no_answer(pressed)
        self._last = None if is_over or pressed in ENDS else now
        return not is_over and pressed != "escape"


def _is_no_answer(pressed: str) -> bool:
    return "ctrl+" in pressed or (pressed[:1] == "f" and pressed[1:].isdecimal())
