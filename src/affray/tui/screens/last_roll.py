"""The last roll asked again, as its dice lie: one thing of it changed, given in its place."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from affray.core.dice.sources import DiceSource, RepeatedDice
from affray.core.heart.amending import Edit
from affray.core.heart.decide import Decision
from affray.core.heart.events import Rolled
from affray.core.heart.history import AMEND, History
from affray.core.language.refusal import Refused
from affray.tui.panes.log import LogPane
from affray.tui.prompts import PromptSpec, PromptView
from affray.tui.prompts.outlook import foresight
from affray.tui.prompts.repeating import Repeat, asked_again, faces_of
from affray.tui.screens.fight_sheets import show_amending
from affray.tui.screens.open_prompt import (
    MOST_LOOKED_BACK,
    given,
    open_bar,
    show_prompt,
    the_past,
    view_for,
)

if TYPE_CHECKING:
    from affray.tui.screens.fight import FightScreen


def ask_last_roll(screen: FightScreen) -> None:
    """Ask the last roll again, as its dice lie, to be given in its place with something changed.

    What was just taken back is the last as well.
    """
    if screen.view_at is not None or screen.encounter.read_only:
        past = the_past(screen.view_at) if screen.view_at is not None else ""
        screen.show_message(past or screen.encounter.read_only, "refused")
        return
    history = screen.encounter.history
    specs = [key.prompt for key in screen.keymap.keys if key.prompt is not None]
    selected = screen.query_one(LogPane).selected
    if selected is not None:
        _ask_entry(screen, selected, specs)
        return
    for seq in (*_taken_back(history), *history.path[: -MOST_LOOKED_BACK - 1 : -1]):
        entry = history.entries[seq]
        prompt = asked_again(entry, specs, partial(_view_before, screen, seq))
        if prompt is not None:
            show_prompt(screen, prompt)
            return
        if entry.by and any(isinstance(event, Rolled) for event in entry.events):
            told = f"{entry.title}: no prompt asks for it as it was typed; `:` and ↑ have it again"
            screen.show_message(told, "refused")
            return
    screen.show_message("no roll among the last commands that could be asked again", "refused")


def _ask_entry(screen: FightScreen, seq: int, specs: list[PromptSpec]) -> None:
    """Ask an entry of the log again: by its prompt, or as it was typed."""
    entry = screen.encounter.history.entries[seq]
    prompt = asked_again(entry, specs, partial(_view_before, screen, seq))
    if prompt is not None:
        show_prompt(screen, prompt)
    else:
        open_bar(screen, f"{AMEND} {Edit(seq, entry.command)}")


def _taken_back(history: History) -> list[int]:
    """The entry that was just taken back, if the last command was to take back."""
    last = history.entries.get(history.last)
    if last is None or last.to is None:
        return []
    try:
        return [history.redo_target()]
    except Refused:
        return []


def _view_before(screen: FightScreen, seq: int, spec: PromptSpec, actor: str) -> PromptView:
    """The fight as the prompt of an entry saw it."""
    encounter = screen.encounter
    state = encounter.history.before(seq)
    fell = faces_of(encounter.history.entries[seq].events)

    def preview(line: str, dice: DiceSource) -> Decision:
        return encounter.preview_instead(seq, line, RepeatedDice(fell, dice))

    decide, refusal = foresight(preview)
    view = replace(view_for(screen, spec), state=state, decide=decide, refusal=refusal)
    return replace(view, actor=actor or state.turn)


def give_instead(screen: FightScreen, prompt: Repeat) -> None:
    """Give the command in place of the one that was asked again; what came after is decided anew,
    and shown before that is done."""
    seq, line, fell = prompt.entry.seq, prompt.line, prompt.fell
    history = screen.encounter.history
    if history.is_effective(seq) and seq != history.head:
        show_amending(screen, f"{AMEND} {Edit(seq, line)}")
        return
    given(screen, screen.carry_out(lambda: screen.encounter.do_instead(seq, line, fell), line))
