"""Three rats in a group, and what is read of it."""

from __future__ import annotations

from msgspec.structs import replace

from affray.core.engine import turn_order
from affray.core.engine.events import LifeChanged
from affray.core.rules.ruleset import Command

RATS = ("rat-1", "rat-2", "rat-3")


def groups_of(play) -> dict[str, tuple[str, ...]]:
    """The bare name of each group, and the ids of its members in the fight."""
    return {
        row.group: tuple(c.id for c in row.members)
        for row in turn_order.turn_order_rows(play.state)
        if row.group
    }


def order_of(play) -> list[str]:
    return [s.who for s in play.state.slots]


def turns_of(play, *people) -> list[int]:
    return [play.state.slot(who).turns for who in people]


def kill(play, *people):
    """The rules' `dead`, as the smallest rule system has no damage."""
    verb = Command("kill", "kill NAME", "kills", _kill)
    play.ruleset = replace(play.ruleset, commands={**play.ruleset.commands, "kill": verb})
    for who in people:
        play(f"kill {who}")


def _kill(ctx, words):
    ctx.emit(LifeChanged(words.combatant().id, "dead"))
