"""What can be done now: every technique and power with its price, and why not; paying for one.

Seed 003: Actions in Combat, Your Turn, Powers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.heart.state import Combatant, Encounter
from affray.core.rules.ruleset import Option
from affray.core.rules.tables import Tables
from affray.rulekit import acts
from affray.rulekit.acts import Cost, Economy, Now
from affray.rulesets.orcus import actions, creatures, powers
from affray.rulesets.orcus.actions import why_no_action
from affray.rulesets.orcus.creatures import Power
from affray.rulesets.orcus.hindrances import hindrance
from affray.rulesets.orcus.telling import DEFENSES, attack_in_words

if TYPE_CHECKING:
    from affray.core.heart.decide import Context


_OFTEN = {"encounter": "enc", "daily": "day"}
"""How often a power can be used, where there is little room."""


def _price(now: Now, name: str) -> Cost:
    """What a technique costs now: its action, or the greater one that has to stand in for it."""
    return {_paid_now(now, track): by for track, by in now.tables.techniques[name].cost.items()}


def _paid_now(now: Now, track: str) -> str:
    """The track that stands in for another now, as a standard action does for a move."""
    if track not in actions.PAID_WITH or now.state.phase != "combat":
        return track
    return now.asked(actions.pays_with, track) or track


def _why_not(now: Now, name: str, cost: Cost) -> str:
    """Why a technique of the tables can't be used now, in a few words; empty when it can."""
    unpaid = (now.asked(why_no_action, action) for action, amount in cost.items() if amount > 0)
    return (
        _why_not_at_all(now, name)
        or acts.why_not_again(now, name)
        or next(filter(None, unpaid), "")
    )


def _why_not_at_all(now: Now, name: str) -> str:
    """What stands against it whatever it costs; one that costs nothing is a free action."""
    row = now.tables.techniques[name]
    if row.reaction and not row.cost:
        return acts.why_barred(now, row)
    barred = "" if row.cost else now.asked(why_no_action, "free")
    return barred or hindrance(now, name)


def _spend(ctx: Context, who: str, name: str, cost: Cost) -> None:
    """Take the actions of a price; what costs nothing and is no reaction is a free action."""
    row = ctx.tables.techniques[name]
    for action, amount in cost.items():
        if amount > 0:
            actions.take(ctx, who, action, name)
    if not row.cost and not row.reaction:
        actions.take(ctx, who, "free", name)


ECONOMY = Economy(_why_not, _price, spend=_spend)


def options(tables: Tables, state: Encounter, who: Combatant) -> list[Option]:
    """Every technique, then every power of its own: cost now, and why it can't be used."""
    if "standard" not in who.tracks:
        return []
    now = Now(tables, state, who)
    return [
        *(acts.option(ECONOMY, now, name) for name in tables.techniques),
        *(_power_option(now, power) for power in creatures.powers_of(who)),
    ]


def _power_option(now: Now, power: Power) -> Option:
    action = powers.action_of(power)
    cost = {} if action == "free" else {_paid_now(now, action): 1}
    often = f"refresh {power.refresh}" if power.frequency == "refresh" else power.frequency
    against = [f"vs {DEFENSES[power.attack.defense]}"] if power.attack else []
    return Option(
        f"power {power.name}",
        cost,
        reason=powers.why_not(now.tables, now.state, now.who, power),
        name=power.name,
        text=", ".join([f"{often}, {power.action} action", *_sheet_of(power)]),
        brief=" ".join([_OFTEN.get(power.frequency, often), *against]),
    )


def _sheet_of(power: Power) -> list[str]:
    """What its sheet says of it further: its attack, its tags, its trigger."""
    attack = [attack_in_words(power.attack)] if power.attack is not None else []
    return [*attack, *power.tags, *([f"when: {power.trigger}"] if power.trigger else [])]
