"""Three rats in a group, and what is read of it."""

from __future__ import annotations

from msgspec.structs import replace

from affray.core.heart import groups
from affray.core.heart.events import Became
from affray.core.rules.ruleset import Verb

RATS = ("rat-1", "rat-2", "rat-3")


def groups_of(play) -> dict[str, tuple[str, ...]]:
    """The bare name of each group, and the ids of its members in the fight."""
    return {
        row.group: tuple(c.id for c in row.members) for row in groups.rows(play.state) if row.group
    }


def order_of(play) -> list[str]:
    return [s.who for s in play.state.slots]


def turns_of(play, *people) -> list[int]:
    return [play.state.slot(who).turns for who in people]


def kill(play, *people):
    """The rules' `dead`, as the smallest rule system has no damage."""
    verb = Verb("kill", "kill NAME", "kills", _kill)
    play.ruleset = replace(play.ruleset, verbs={**play.ruleset.verbs, "kill": verb})
    for who in people:
        play(f"kill {who}")


def _kill(ctx, words):
    ctx.emit(Became(words.combatant().id, "dead"))
