"""What amending the past would come to, in words: what is different now, and which commands are."""

from __future__ import annotations

from affray.core.heart.amending import Amendment, Step
from affray.core.heart.difference import difference
from affray.core.heart.state import Encounter
from affray.core.rules.tables import Tables
from affray.core.telling.narrate import consequences


def amendment_in_words(now: Encounter, tables: Tables, made: Amendment) -> list[str]:
    """First what becomes different now, then a line for each command that comes out otherwise."""
    changes = what_is_different(now, tables, made.state)
    return [
        f"now: {', '.join(changes) or 'nothing is different'}",
        *map(step_in_words, made.others),
    ]


def what_is_different(now: Encounter, tables: Tables, then: Encounter) -> list[str]:
    """Everything that the fight has otherwise: "Mira +6 HP, now 30", who is up, who isn't here."""
    told = consequences(difference(now, then), now, tables.tracks)
    told += [f"{each.name} is not here" for each in now.combatants if then.find(each.id) is None]
    told += [f"{each.name} is here" for each in then.combatants if now.find(each.id) is None]
    if (now.round, now.turn) != (then.round, then.turn):
        up = f"{then.name(then.turn)} is up" if then.turn else "nobody is up"
        told.append(f"{up} in round {then.round}")
    return told


def step_in_words(step: Step) -> str:
    """`11 Ghoul 2 strikes Mira, strong 8: as before, but …`, or why it can't be done any more."""
    old = step.old
    head = f"{old.seq} {old.title}" if old is not None else f"put in: {step.command}"
    if not step.command:
        return f"{head}: struck out"
    if step.made is None:
        return f"{head}: left out, {step.refused}"
    was = old.title if old is not None else ""
    said = step.made.text if step.made.text != was else "comes to something else"
    new = len(step.new)
    rolled = [f"{new} new {'die' if new == 1 else 'dice'}"] if new else []
    if step.left:
        rolled.append(f"left over: {' '.join(f'd{die.sides} {die.face}' for die in step.left)}")
    return f"{head} → {'; '.join([said, *rolled])}"
