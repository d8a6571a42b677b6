"""The commands of the actions in combat, and of what is done out of turn.

Seed 003: Actions in Combat, Immediate Actions, Opportunity Attacks, Free Actions, Fly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.heart.effects import rule_of
from affray.core.heart.state import Combatant
from affray.core.language.refusal import Refused, listed
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.core.rules.tables import Tables
from affray.rulekit import acts, doing
from affray.rulekit.doing import Laying, Techniques
from affray.rulekit.placing import Affliction, renew, until_for
from affray.rulesets.orcus import actions, conditions, flight, offers, powers
from affray.rulesets.orcus.check_verb import CHECK_VERBS
from affray.rulesets.orcus.conditions import LASTING
from affray.rulesets.orcus.creatures import IMMEDIATE, Power
from affray.rulesets.orcus.techniques import ACTIONS, REACTIONS

if TYPE_CHECKING:
    from affray.core.heart.decide import Context

_ASSAULT = "TARGET[,TARGET] [vs DEFENSE] OUTCOME [DAMAGE [TYPE]] [half] [extra DICE] [advantage]"
USAGE = {
    "attack": f"attack {_ASSAULT} [plus N] [with NAME]",
    "charge": "charge TARGET OUTCOME [DAMAGE] | charge shove TARGET OUTCOME",
    "coup-de-grace": "coup-de-grace TARGET OUTCOME [DAMAGE]",
    "shove": "shove TARGET OUTCOME [plus N]",
    "grapple": "grapple TARGET [OUTCOME] [plus N]",
    "escape": "escape [athletics|acrobatics] [from NAME] OUTCOME [plus N]",
    "move-grappled": "move-grappled [TARGET] OUTCOME [plus N]",
    "release": "release [TARGET]",
    "rally": "rally [with COMPANION]",
    "treat-ally": "treat-ally NAME first-aid|save|wound OUTCOME [later] [plus N]",
    "help-attack": "help-attack ALLY TARGET",
    "help-defense": "help-defense ALLY TARGET",
    "create-diversion": "create-diversion TARGET[,TARGET] OUTCOME [plus N] [dc N]",
    "feint": "feint TARGET OUTCOME [plus N] [dc N]",
    "deter": "deter TARGET OUTCOME [ACTION] [unfriendly|hostile] [no-language] [plus N]",
    "unnerve": "unnerve TARGET[,TARGET] OUTCOME [no-language] [plus N]",
}
"""The words behind a name, for those that have any."""


def _lay(ctx: Context, words: Words, laying: Laying) -> str:
    for who in laying.people:
        if rule_of(ctx.tables, laying.name).kind == "opening":  # there is no second one of these
            renew(ctx, who, laying.name, until_for(LASTING, ctx, who, laying.placing, laying.name))
        else:
            conditions.lay(ctx, who, Affliction(laying.name), laying.placing)
    return ", ".join(f"{ctx.state.name(who)} is {laying.name}" for who in laying.people)


TECHNIQUES = Techniques(offers.ECONOMY, _lay, ACTIONS, REACTIONS, USAGE)


def _react(ctx: Context, words: Words) -> None:
    who = ctx.actor()
    if name := words.take(*doing.reactions(ctx.tables)):
        doing.do(TECHNIQUES, ctx, words, name)
    elif kind := words.take(*IMMEDIATE):
        _react_freely(ctx, words, who, kind)
    else:
        powers.use(ctx, words, who, _read_immediate_power(words, who))


def _react_freely(ctx: Context, words: Words, who: Combatant, kind: str) -> None:
    """A counter or a reaction that has no power of its own."""
    what = words.rest().strip()
    actions.pay_action(ctx, who.id, "immediate", kind)
    does = "counters" if kind == "counter" else "reacts"
    ctx.text = f"{who.name} {does}{f': {what}' if what else ''}"


def _read_immediate_power(words: Words, who: Combatant) -> Power:
    power = powers.power_named(who, words.peek())
    if power is None:
        row = (*REACTIONS, *IMMEDIATE, *powers.names(who, immediate=True))
        raise words.refuse(f"expected an immediate action: {listed(row)}", row)
    if power.action not in IMMEDIATE:
        raise Refused(f"{power.name} is no immediate action, but a {power.action} one")
    words.next("the power")
    return power


def _fly(ctx: Context, words: Words) -> None:
    """A walk through the air: what it costs and what bars it is a walk's (seed 003: Fly)."""
    who = ctx.actor()
    flight.fly(ctx, words, who, acts.payer(offers.ECONOMY, ctx, who.id, "walk"))


def technique_verbs(tables: Tables) -> tuple[Verb, ...]:
    """A command for each technique of the tables, and those beside them."""
    return (
        *doing.verbs(TECHNIQUES, tables),
        Verb(
            "fly",
            "fly [SQUARES] [altitude N] [by NAME]",
            "moves through the air, for the price of a walk",
            _fly,
            True,
        ),
        *flight.FLIGHT_VERBS,
        Verb(
            "react",
            "react opportunity-attack TARGET OUTCOME [DAMAGE [TYPE]] [by NAME] | "
            'react POWER ... [by NAME] | react counter|react ["WHAT"] [by NAME]',
            "takes an immediate action in somebody else's turn",
            _react,
            True,
        ),
        *CHECK_VERBS,
    )
