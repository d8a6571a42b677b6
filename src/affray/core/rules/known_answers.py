"""The answers that are known to a field, on the screen and on a phone alike: names where any may be
written, and words to choose from."""

from __future__ import annotations

from affray.core.engine.state import Combatant, Encounter
from affray.core.parser.prompt_fields import Field
from affray.core.rules.ruleset import Ruleset
from affray.core.rules.tables import Tables


def known_names(
    field: Field, ruleset: Ruleset, state: Encounter, actor: Combatant | None
) -> list[str]:
    """List the names that are known where any may be written; none for a kind without any.

    What is there in the surroundings comes first.
    """
    rows = ruleset.tables.environments
    if field.kind == "clock":
        return [clock.name for clock in state.clocks]
    if field.kind == "named-effect":
        return list(ruleset.tables.effects)
    if field.kind == "environment":
        return list(rows)
    if field.kind == "feature":
        world = (each for each in state.combatants if each.side == "world")
        present = (effect.name for each in world for effect in each.effects if effect.name in rows)
        return [name for key in dict.fromkeys([*present, *rows]) for name in rows[key].features]
    if actor is None:
        return []
    if field.kind == "item":
        return [name for where in field.options for name in ruleset.actions.items(actor, where)]
    return list(ruleset.actions.spells(actor)) if field.kind == "spell" else []


def names_kept_up(field: Field, actor: Combatant | None) -> list[str]:
    """List what somebody keeps up, by the notes of effects: for a spell, of those that the field's
    options name."""
    named = field.options if field.kind == "spell" else ()
    effects = (e for e in actor.effects if field.kind == "kept" or e.name in named) if actor else ()
    return list(dict.fromkeys(effect.note for effect in effects if effect.note))


def techniques_paid_with(field: Field, tables: Tables) -> list[str]:
    """List the techniques that are done in one's own turn, by their ids; where a field names
    tracks, only those that are paid with one of these."""
    paid = {*field.options}
    rows = tables.techniques.items()
    return [key for key, row in rows if not row.reaction and (not paid or paid & {*row.cost})]


def effects_of_kind(kind: str, tables: Tables) -> dict[str, str]:
    """Return the effects of a kind, by id, with what they are called."""
    rows = tables.effects.items()
    return {key: row.name or key for key, row in rows if row.kind == kind}
