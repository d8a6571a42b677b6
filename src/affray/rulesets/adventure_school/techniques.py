"""All techniques of the tables: those with a function of their own, and those all in their rows.

Each module has what its techniques do in a table of its own, `ACTS`. Rules file, 3 and Commands.
"""

from __future__ import annotations

from affray.core.heart.decide import Context
from affray.core.heart.effects import rule_of
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.core.rules.tables import Tables
from affray.rulekit import doing
from affray.rulekit.doing import Declared, Laying, Techniques
from affray.rulekit.placing import renew, until_for
from affray.rulesets.adventure_school import (
    checks,
    conditions,
    economy,
    grabbing,
    hiding,
    lingering,
    movement,
    quick,
    scuffles,
)

ACTIONS: dict[str, Declared] = {
    **quick.ACTS,
    **lingering.ACTS,
    **checks.ACTS,
    **grabbing.ACTS,
    **hiding.ACTS,
    **movement.ACTS,
    **scuffles.ACTS,
}
REACTIONS: dict[str, Declared] = {}


def _lay(ctx: Context, words: Words, laying: Laying) -> str:
    """Lay what a row leaves: a trace of an action anew, all else as conditions are laid."""
    name, placing = laying.name, laying.placing
    for who in laying.people:
        until = until_for(conditions.LASTING, ctx, who, placing, name)
        if rule_of(ctx.tables, name).kind == "trace":
            renew(ctx, who, name, until, source=placing.source)
        else:
            conditions.lay(ctx, who, name, until, placing.source)
    return ", ".join(f"{ctx.state.name(who)} is {name}" for who in laying.people)


TECHNIQUES = Techniques(economy.ECONOMY, _lay, ACTIONS, REACTIONS)


def technique_verbs(tables: Tables) -> tuple[Verb, ...]:
    """A command for each technique of the tables."""
    return tuple(doing.verb(TECHNIQUES, tables, name) for name in doing.actions(tables))
