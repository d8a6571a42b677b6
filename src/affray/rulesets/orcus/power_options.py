"""Powers among all that somebody can do: what each costs now, and why it can't be used.

Seed 003: Powers (Power Category and Frequency, Action Required).
"""

from __future__ import annotations

from affray.core.heart.state import Combatant, Encounter
from affray.core.rules.ruleset import Option
from affray.core.rules.tables import Tables
from affray.rulekit.acts import Now
from affray.rulesets.orcus import economy, expending, powers, sheet
from affray.rulesets.orcus.sheet import DEFENSES, Power, attack_in_words

_OFTEN = {"encounter": "enc", "daily": "day"}
"""How often a power can be used, where there is little room."""


def own(tables: Tables, state: Encounter, who: Combatant) -> list[Option]:
    """Every power of its own: cost now, and why it can't be used."""
    now, row = Now(tables, state, who), sheet.powers_of(who)
    return [_power_option(now, power) for power in row] if "standard" in who.tracks else []


def _power_option(now: Now, power: Power) -> Option:
    action = powers.action_of(power)
    cost = {} if action == "free" else {economy.paid_now(now, action): 1}
    often = f"refresh {power.refresh}" if power.frequency == "refresh" else power.frequency
    brief = [_OFTEN.get(power.frequency, often)]
    told = [often, f"{power.action} action"]
    if power.attack is not None:
        brief.append(f"vs {DEFENSES[power.attack.defense]}")
        told.append(attack_in_words(power.attack))
    when = f"when: {power.trigger}" if power.trigger else ""
    told += filter(None, (*power.tags, when, power.text))
    unusable = expending.why_unusable(now.tables, now.state, now.who, power)
    return Option(
        f"power {power.name}",
        cost,
        reason=unusable or now.asked(economy.why_no_action, action),
        name=power.name,
        text=", ".join(told),
        brief=" ".join(brief),
    )
