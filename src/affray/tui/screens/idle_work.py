"""Work between two keys: affray works out what the next key is likely to show.

Without it a command or the next turn takes half again as long to paint; other keys take the same
time. It leaves out commands that depend on dice, since nobody knows how they will fall, and on
other logs, which may change before the command is given.
"""

from __future__ import annotations

import gc
from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec.structs import replace
from textual.screen import Screen

from affray.core.dice import StubDice
from affray.core.engine.decide import Decision, faults_by_their_place
from affray.core.parser.errors import GameFault, Refused
from affray.tui.prompts.follow_ups import RepeatPrompt
from affray.tui.screens.fight_prompts import FightHost
from affray.tui.widgets.base import Pane
from affray.tui.widgets.prompt import PromptWidget

if TYPE_CHECKING:
    from textual.timer import Timer

PAUSE = 0.02
"""Seconds after a key. Nobody types the next one so soon, and one that comes waits a moment."""


class IdleWork:
    """Work out the next likely screen in the panes, a moment after the last key."""

    def __init__(self, screen: Screen[None], fight: FightHost, line: PromptWidget) -> None:
        self._timer: Timer = screen.set_interval(PAUSE, self.run, pause=True)
        self._screen, self._fight, self._line = screen, fight, line

    def after_key(self) -> None:
        """Do it when no other key has come for a moment."""
        self._timer.reset()
        self._timer.resume()

    def run(self) -> None:
        """Do it now: for the command that is being asked for or typed, or else the next turn."""
        self._timer.pause()
        collect_garbage()
        decision = self._likely()
        if decision is None:
            return
        view, state = self._fight.view, decision.state
        cursor = self._fight.cursor if state.turn == view.state.turn else state.turn
        ahead = replace(view, state=state, cursor=cursor)
        with suppress(GameFault), faults_by_their_place(view.ruleset):
            for pane in self._screen.children:
                if isinstance(pane, Pane):
                    pane.prefetch(ahead)

    def _likely(self) -> Decision | None:
        """The decision that the next key is likely to make; None if that can't be known."""
        fight, line = self._fight, self._likely_line()
        dice = StubDice(high=False)  # the last that a preview throws
        if not line or fight.view_at is not None or fight.encounter.read_only:
            return None
        try:
            decision = fight.encounter.preview(line, dice)
        except Refused:
            return None
        return None if dice.thrown or decision.looked_elsewhere else decision

    def _likely_line(self) -> str:
        """The command that the next key may give; empty for none that is whole."""
        prompt, bar, view = self._line.prompt, self._line.bar, self._fight.view
        if isinstance(prompt, RepeatPrompt):  # it gives it in place of another, and not now
            return ""
        if prompt is not None:
            return prompt.line if prompt.complete else ""
        if bar is not None:
            return bar.text
        return "next" if view.state.in_combat and not view.pending else ""


GC_THRESHOLD = (50_000, 20, 50)
"""The thresholds of garbage collection, so high that it seldom runs during a key press."""


def collect_garbage() -> None:
    """Collect the garbage of the last keys, which takes half a millisecond; left to itself it would
    take a key tens of them.

    As seldom as the thresholds say, it is that of many keys; what is left of all is then hidden.
    """
    _, middle, old = gc.get_count()
    generation = 2 if old > GC_THRESHOLD[2] else 1 if middle > GC_THRESHOLD[1] else 0
    gc.collect(generation)
    if generation == 2:
        gc.freeze()


def freeze_gc() -> None:
    """Hide all present objects from the garbage collector.

    An open fight and its screen are some hundred thousand objects that live until they are left:
    looking through them would take a key tens of milliseconds. Those of a fight that was left are
    given back first.
    """
    if gc.get_freeze_count():
        gc.unfreeze()
        gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLD)
