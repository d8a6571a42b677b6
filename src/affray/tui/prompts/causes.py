"""The causes of reactions, as far as the log shows them: whom a reaction's prompt proposes."""

from __future__ import annotations

from collections.abc import Iterator

from affray.core.engine.decide import command_name
from affray.core.engine.events import Rolled
from affray.core.engine.history import EarlierEntry, earlier_entries
from affray.core.engine.state import Encounter
from affray.core.rules.ruleset import Ruleset
from affray.core.rules.tables import ANSWERED, Tables
from affray.mechanics.damage import has_lost_hp
from affray.mechanics.techniques import READY, TRIGGER_COMMAND

STRUCK, ACT, TURN = ANSWERED
ANYTHING = (STRUCK, ACT)
"""The causes of a reaction if its row names none."""
REACT = "react"
"""The command of reactions, and the id of somebody's own ones."""
TURNS_BACK = 2
"""The number of turns to search: the current one, and the one that may just have ended."""


def answers_of(ruleset: Ruleset, reaction: str) -> tuple[str, ...]:
    """Return the causes of a reaction, by the id of its technique."""
    row = ruleset.tables.techniques.get(reaction)
    return (row.answers if row is not None else ()) or ANYTHING


def cause_of(
    previous: EarlierEntry | None, now: Encounter, ruleset: Ruleset, reaction: str, reactor: str
) -> str:
    """Return the id of whoever caused a reaction last; empty if nobody did. Causes answered by the
    same reaction don't count, nor those before the reactor readied an action.
    """
    answers, up = answers_of(ruleset, reaction), now.up
    ends = {reaction, READY} if reaction == TRIGGER_COMMAND else {reaction}
    mine = now[reactor].side if now.find(reactor) is not None else ""
    foes = {c.id for c in now.combatants if c.id != reactor and c.side != mine}
    has_acted = False
    for each, is_present in _turns(previous, now):
        by = each.entry.by or each.before.turn
        if by == reactor and ends.intersection(each.entry.command.split()[:2]):
            return ""
        if has_acted and not is_present:
            break
        if struck := _struck_by(each, answers, reactor, ruleset.tables):
            return struck
        if by in foes and command_name(each.entry, ruleset) in answers:
            return by
        has_acted = has_acted or (up is not None and by == up.id and by in foes)
    is_about_it = TURN in answers or (ACT in answers and has_acted)
    return up.id if up is not None and up.id in foes and is_about_it else ""


def _turns(previous: EarlierEntry | None, now: Encounter) -> Iterator[tuple[EarlierEntry, bool]]:
    """The entries of the last turns, the latest first, with True for those of the current one."""
    turns = [(now.round, now.taking_turn())]
    for each in earlier_entries(previous):
        turn = each.before.round, each.before.taking_turn()
        if turn != turns[-1]:
            turns.append(turn)
        if len(turns) > TURNS_BACK or each.before.phase != now.phase:
            return
        yield each, len(turns) == 1


def _struck_by(each: EarlierEntry, answers: tuple[str, ...], reactor: str, tables: Tables) -> str:
    """The id of whoever made a roll against the reactor in the entry it reacts to; empty for
    nobody."""
    events = each.entry.events
    rolls = [e for e in events if isinstance(e, Rolled) and e.against == reactor != e.who]
    fit = [e for e in rolls if e.outcome in answers and has_lost_hp(events, reactor, tables)]
    found = fit or (rolls if STRUCK in answers else [])
    return found[-1].who if found else ""
