"""What can be done now: every technique and power with its price, and why not; paying for one.

Seed 003: Actions in Combat, Your Turn, Powers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING

from affray.core.heart.effects import forbidden
from affray.core.heart.events import Spent, Used
from affray.core.heart.state import Combatant, Encounter
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Option
from affray.core.rules.tables import Tables, Technique
from affray.rulesets.orcus import actions, creatures, powers
from affray.rulesets.orcus.actions import TURN_ACTIONS, why_no_action
from affray.rulesets.orcus.creatures import Power
from affray.rulesets.orcus.hindrances import hindrance
from affray.rulesets.orcus.telling import DEFENSES, attack_in_words

if TYPE_CHECKING:
    from affray.core.heart.decide import Context


_OFTEN = {"encounter": "enc", "daily": "day"}
"""How often a power can be used, where there is little room."""

Ask = Callable[[str], str]
"""Asks something of a kind of action: why there is none, or what pays for it."""


def why_not(
    tables: Tables, state: Encounter, who: Combatant, technique: str, why_none: Ask | None = None
) -> str:
    """Why a technique of the tables can't be used now, in a few words; empty when it can.

    `why_none` says why no action of a kind can be taken, where that has been found out already.
    """
    row = tables.techniques[technique]
    why_none = why_none or partial(why_no_action, tables, state, who)
    return (
        _why_not_at_all(tables, state, who, technique, row, why_none)
        or _why_not_again(state, who, technique, row)
        or next(filter(None, (_why_unpaid(tables, who, t, n, why_none) for t, n in _cost(row))), "")
    )


def _why_not_at_all(
    tables: Tables, state: Encounter, who: Combatant, name: str, row: Technique, why_none: Ask
) -> str:
    """What stands against it whatever it costs; one that costs nothing is a free action."""
    if row.reaction and not row.cost:
        held = forbidden(tables, state, who, "react")
        return str(who.life) if who.life != "up" else f"{held}: can't react" if held else ""
    barred = "" if row.cost else why_none("free")
    return barred or hindrance(tables, state, who, name)


def _why_not_again(state: Encounter, who: Combatant, name: str, row: Technique) -> str:
    if state.phase != "combat":
        return ""
    if row.repeat == "once" and who.used(name):
        return "once a turn"
    return "once an encounter" if row.repeat == "fight" and who.used(name, "fight") else ""


def _cost(row: Technique) -> list[tuple[str, int]]:
    return [(track, amount) for track, amount in row.cost.items() if amount > 0]


def _why_unpaid(tables: Tables, who: Combatant, track: str, amount: int, why_none: Ask) -> str:
    if track in (*TURN_ACTIONS, "immediate"):
        return why_none(track)
    label = tables.tracks[track].label.lower() if track in tables.tracks else track
    return "" if who.track(track) >= amount else f"no {label} left"


def pay(ctx: Context, who: str, technique: str) -> None:
    """Pay for a technique of the tables and count its use. Raises Refused with the reason."""
    combatant, row = ctx.state[who], ctx.tables.techniques[technique]
    reason = why_not(ctx.tables, ctx.state, combatant, technique)
    if reason:
        raise Refused(f"{combatant.name} can't use {row.name}: {reason}")
    if ctx.state.phase != "combat":
        return
    for track, amount in _cost(row):
        if track in (*TURN_ACTIONS, "immediate"):
            actions.pay_action(ctx, who, track, technique)
        else:
            ctx.emit(Spent(who, track, amount, technique))
    if not row.cost and not row.reaction:
        actions.pay_action(ctx, who, "free", technique)
    ctx.emit(Used(who, technique, "fight" if row.repeat == "fight" else "turn"))


def options(tables: Tables, state: Encounter, who: Combatant) -> list[Option]:
    """Every technique, then every power of its own: cost now, and why it can't be used."""
    if "standard" not in who.tracks:
        return []
    # Few kinds of action pay for many techniques: what is so of one is found out once.
    why_none = cache(partial(why_no_action, tables, state, who))
    pays = cache(partial(_paid_now, tables, state, who))
    return [
        *(
            Option(
                name,
                {pays(track): amount for track, amount in row.cost.items()},
                reason=why_not(tables, state, who, name, why_none),
            )
            for name, row in tables.techniques.items()
        ),
        *(_power_option(tables, state, who, power) for power in creatures.powers_of(who)),
    ]


def _paid_now(tables: Tables, state: Encounter, who: Combatant, track: str) -> str:
    """The track that stands in for another now, as a standard action does for a move."""
    if track not in actions.PAID_WITH or state.phase != "combat":
        return track
    return actions.pays_with(tables, state, who, track) or track


def _power_option(tables: Tables, state: Encounter, who: Combatant, power: Power) -> Option:
    action = powers.action_of(power)
    cost = {} if action == "free" else {_paid_now(tables, state, who, action): 1}
    often = f"refresh {power.refresh}" if power.frequency == "refresh" else power.frequency
    against = [f"vs {DEFENSES[power.attack.defense]}"] if power.attack else []
    return Option(
        f"power {power.name}",
        cost,
        reason=powers.why_not(tables, state, who, power),
        name=power.name,
        text=", ".join([f"{often}, {power.action} action", *_sheet_of(power)]),
        brief=" ".join([_OFTEN.get(power.frequency, often), *against]),
    )


def _sheet_of(power: Power) -> list[str]:
    """What its sheet says of it further: its attack, its tags, its trigger."""
    attack = [attack_in_words(power.attack)] if power.attack is not None else []
    return [*attack, *power.tags, *([f"when: {power.trigger}"] if power.trigger else [])]
