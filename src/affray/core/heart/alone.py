"""Somebody of the campaign's rows, seen before any fight: as `add` would bring them in."""

from __future__ import annotations

from typing import NamedTuple

from affray.core.dice.sources import SeededDice
from affray.core.heart.decide import decide
from affray.core.heart.events import Rolled
from affray.core.heart.state import Combatant, Encounter
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Ruleset


class Alone(NamedTuple):
    """Somebody, the fight of their own in which they stand, and the dice that fell for them."""

    state: Encounter
    who: Combatant
    fell: list[Rolled]


def seen_alone(ruleset: Ruleset, key: str) -> Alone:
    """Whom `add KEY` brings, in a fight of its own; a companion stands there beside the party.

    Raises Refused, as `add` does.
    """
    alone = Encounter(ruleset=ruleset.id)
    try:
        return _added(ruleset, alone, key)
    except Refused:  # a companion needs its owner
        party = with_party(ruleset)
        if not party.combatants or ruleset.tables.bestiary.get(key, {}).get("kind") == "pc":
            raise
        return _added(ruleset, party, key)


def with_party(ruleset: Ruleset) -> Encounter:
    """A fight of its own in which the campaign's party stands; nobody, if it can't be added."""
    alone = Encounter(ruleset=ruleset.id)
    try:
        return decide(alone, "add party", ruleset, SeededDice(0)).state
    except Refused:
        return alone


def _added(ruleset: Ruleset, state: Encounter, key: str) -> Alone:
    """The creature as `add` would bring it in, in the state to which that leads."""
    there = {c.id for c in state.combatants}
    made = decide(state, f"add {key}", ruleset, SeededDice(0))
    who = next(c for c in made.state.combatants if c.id not in there)
    return Alone(made.state, who, [e for e in made.events if isinstance(e, Rolled)])
