"""Somebody of the campaign's rows, seen before any fight: as `add` would bring them in."""

from __future__ import annotations

from affray.core.dice.sources import SeededDice
from affray.core.heart.decide import decide
from affray.core.heart.state import Combatant, Encounter
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Ruleset


def seen_alone(ruleset: Ruleset, key: str) -> tuple[Encounter, Combatant]:
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


def _added(ruleset: Ruleset, state: Encounter, key: str) -> tuple[Encounter, Combatant]:
    """The creature as `add` would bring it in, in the state to which that leads."""
    there = {c.id for c in state.combatants}
    after = decide(state, f"add {key}", ruleset, SeededDice(0)).state
    return after, next(c for c in after.combatants if c.id not in there)
