"""What a line would come to, before it is given: of prompts, and of the command bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from affray.core.commands.session_verbs import MOVES, question_of
from affray.core.dice.sources import DiceSource, ShamDice
from affray.core.heart.amending import read_edits
from affray.core.heart.decide import Decision
from affray.core.heart.events import Rolled
from affray.core.heart.history import AMEND
from affray.core.language.refusal import Refused
from affray.core.telling.narrate import consequences
from affray.tui.panes.costs import price_of
from affray.tui.panes.pane import Pane
from affray.tui.panes.prompt import PromptLine
from affray.tui.prompts.outlook import Decide, Outlook, outlook, unfinished
from affray.tui.prompts.repeating import Repeat

if TYPE_CHECKING:
    from affray.tui.screens.fight import FightScreen


def look_ahead(
    screen: FightScreen, line: str, typing: bool = False, preview: Decide | None = None
) -> Outlook | None:
    """What a line would come to, now or as `preview` has it; None where that can't be said."""
    words = line.split()
    verb = words[0].casefold() if words else ""
    if verb == AMEND:
        return _amendment_ahead(screen, line, typing)
    if verb in MOVES or screen.encounter.is_carried_by(line):
        return _foreseen(screen, line, typing)
    if not words or question_of(line):  # a question changes nothing
        return None

    return _decided_ahead(screen, line, typing, preview or screen.encounter.preview)


def _decided_ahead(screen: FightScreen, line: str, typing: bool, decide: Decide) -> Outlook:
    tracks = screen.encounter.ruleset.tables.tracks

    def told(decision: Decision) -> list[str]:
        comes = consequences(decision.events, decision.before, tracks, decision.by)
        return [*comes, *_which_counts(decision)]

    return outlook(line, decide, told, typing, lambda decision: price_of(decision.events, tracks))


def _amendment_ahead(screen: FightScreen, line: str, typing: bool) -> Outlook:
    """What the change that stands last in the line would have come to where it is made; what it
    changes behind that, enter shows."""
    encounter = screen.encounter
    try:
        edit = (read_edits(encounter.history, line) or [])[-1]
    except Refused as refusal:
        return unfinished(line, refusal, typing)
    if not edit.command:
        ahead = Outlook(f"without: {encounter.history.entries[edit.seq].title}")
    else:

        def decide(command: str, dice: DiceSource) -> Decision:
            return encounter.preview_instead(edit.seq, command, dice)

        ahead = _decided_ahead(screen, edit.command, typing, decide)
    if ahead.kind != "info":
        return ahead
    return ahead._replace(text=f"{ahead.text} · enter shows what is different then")


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


# -- before the next key ---------------------------------------------------------------------------


def prepare(screen: FightScreen) -> None:
    """Work out, while no key comes, what the next one is likely to show: what the command that is
    being asked for or typed comes to, or else the next turn.

    Nothing is worked out of what dice decide, since nobody knows how they will fall, nor of what
    hangs on other logs, which is decided anew when it is given.
    """
    panes = [pane for pane in screen.children if isinstance(pane, Pane)]
    for pane in panes:
        pane.prepare()
    made = _likely(screen)
    if made is None:
        return
    state, goes_on = made.state, made.state.turn == screen.view.state.turn
    ahead = replace(screen.view, state=state, cursor=screen.cursor if goes_on else state.turn)
    for pane in panes:
        pane.foresee(ahead)


def _likely(screen: FightScreen) -> Decision | None:
    """What the next key is likely to do; None where that can't be known."""
    line, dice = _likely_line(screen), ShamDice(high=False)  # the last that `outlook` throws
    if not line or screen.view_at is not None or screen.encounter.read_only:
        return None
    try:
        made = screen.encounter.preview(line, dice)
    except Refused:
        return None
    return None if dice.thrown or made.looked_elsewhere else made


def _likely_line(screen: FightScreen) -> str:
    """The command that the next key may give; empty for none that is whole."""
    line, view = screen.query_one(PromptLine), screen.view
    if isinstance(line.prompt, Repeat):  # what it gives comes in place of another, and not now
        return ""
    if line.prompt is not None:
        return line.prompt.line if line.prompt.complete else ""
    if line.bar is not None:
        return line.bar.text
    return "next" if view.state.phase == "combat" and not view.pending else ""
