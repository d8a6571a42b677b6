"""The last roll asked again, as its dice lie: one thing of it changed, given in its place."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from affray.core.dice.sources import DiceSource, KeptDice
from affray.core.heart.amending import Amendment, Edit, Step, decide_step, entry_of, kept_dice
from affray.core.heart.decide import Decision
from affray.core.heart.events import Rolled
from affray.core.heart.fallen import fallen
from affray.core.heart.history import AMEND, History
from affray.core.language.refusal import Refused
from affray.tui.panes.log import LogPane
from affray.tui.prompts.repeating import Given, Repeat, asked_again
from affray.tui.screens.open_prompt import (
    MOST_LOOKED_BACK,
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
    barred = why_not(screen)
    if barred:
        screen.show_message(barred, "refused")
        return
    history = screen.encounter.history
    selected = screen.query_one(LogPane).selected
    if selected is not None:
        _ask_entry(screen, selected)
        return
    for seq in (*_taken_back(history), *history.path[: -MOST_LOOKED_BACK - 1 : -1]):
        entry = history.entries[seq]
        prompt = _again(screen, _of_the_log(screen, seq))
        if prompt is not None:
            show_prompt(screen, prompt)
            return
        if entry.by and any(isinstance(event, Rolled) for event in entry.events):
            told = f"{entry.title}: no prompt asks for it as it was typed; `:` and ↑ have it again"
            screen.show_message(told, "refused")
            return
    screen.show_message("no roll among the last commands that could be asked again", "refused")


def why_not(screen: FightScreen) -> str:
    """Why nothing of the past can be changed now; empty where it can."""
    past = the_past(screen.view_at) if screen.view_at is not None else ""
    return past or screen.encounter.read_only


def _ask_entry(screen: FightScreen, seq: int) -> None:
    """Ask an entry of the log again: by its prompt, or as it was typed."""
    prompt = _again(screen, _of_the_log(screen, seq))
    if prompt is not None:
        show_prompt(screen, prompt)
    else:
        command = screen.encounter.history.entries[seq].command
        open_bar(screen, f"{AMEND} {Edit(seq, command)}")


def _taken_back(history: History) -> list[int]:
    """The entry that was just taken back, if the last command was to take back."""
    last = history.entries.get(history.last)
    if last is None or last.to is None:
        return []
    try:
        return [history.redo_target()]
    except Refused:
        return []


def _again(screen: FightScreen, given: Given) -> Repeat | None:
    specs = [key.prompt for key in screen.keymap.keys if key.prompt is not None]
    return asked_again(given, specs, partial(view_for, screen))


def _of_the_log(screen: FightScreen, seq: int) -> Given:
    """An entry, and what would have come of another line in its place, with its dice."""
    encounter = screen.encounter
    entry, before = encounter.history.entries[seq], encounter.history.before(seq)
    fell = fallen(entry.events)

    def preview(line: str, dice: DiceSource) -> Decision:
        return encounter.preview_instead(seq, line, KeptDice(fell, dice))

    return Given(entry, before, preview)


def ask_step(screen: FightScreen, amending: Amendment, step: Step) -> Repeat | None:
    """The prompt of a later command in an amended past; None where none asks for it."""
    encounter, old = screen.encounter, step.old
    if old is None:
        return None
    entry = replace(old, command=step.command or old.command)
    if step.made is not None:
        entry = entry_of(step, old.seq)

    def preview(line: str, dice: DiceSource) -> Decision:
        kept = kept_dice(step, KeptDice(step.new, dice))
        return decide_step(step, line, encounter.ruleset, kept, encounter.elsewhere)

    return _again(screen, Given(entry, step.before, preview, amending))
