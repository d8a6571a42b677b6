"""What a line would come to, before it is given: of prompts, and of the command bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.commands.session_verbs import MOVES, question_of
from affray.core.heart.decide import Decision
from affray.core.heart.events import Rolled
from affray.core.heart.history import AMEND
from affray.core.language.refusal import Refused
from affray.core.telling.narrate import consequences
from affray.tui.panes.costs import price_of
from affray.tui.prompts.outlook import Decide, Outlook, outlook, unfinished

if TYPE_CHECKING:
    from affray.tui.screens.fight import FightScreen


def look_ahead(
    screen: FightScreen, line: str, typing: bool = False, preview: Decide | None = None
) -> Outlook | None:
    """What a line would come to, now or as `preview` has it; None where that can't be said."""
    words = line.split()
    verb = words[0].casefold() if words else ""
    if verb in (*MOVES, AMEND) or screen.encounter.is_carried_by(line):
        return _foreseen(screen, line, typing)
    if not words or question_of(line):  # a question changes nothing
        return None

    def told(decision: Decision) -> list[str]:
        return [*told_of(decision, screen), *_which_counts(decision)]

    tracks = screen.encounter.ruleset.tables.tracks
    decide = preview or screen.encounter.preview
    return outlook(line, decide, told, typing, lambda decision: price_of(decision.events, tracks))


def _which_counts(decision: Decision) -> list[str]:
    """Why, of two dice of one roll, the one counts that does: `+6 axe, advantage: target prone`."""
    rolls = (event for event in decision.events if isinstance(event, Rolled))
    return [e.why for e in rolls if e.by_hand and e.natural is not None and len(e.faces) > 1]


def _foreseen(screen: FightScreen, line: str, typing: bool) -> Outlook:
    """Where a move through the log would lead, and what goes or comes back on the way."""
    try:
        told = screen.encounter.foresee(line) or ""
        return Outlook(told.replace("\n", " · "), "info")
    except Refused as refusal:
        return unfinished(line, refusal, typing)


def told_of(decision: Decision, screen: FightScreen) -> list[str]:
    """What a decision comes to, in pieces."""
    tracks = screen.encounter.ruleset.tables.tracks
    return consequences(decision.events, decision.before, tracks, decision.by)
