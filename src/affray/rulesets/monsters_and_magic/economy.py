"""What can be done now and what it costs: techniques, and the powers of a monster's own.
    add monster "Weir Ogre" hp 46 powers Undertow ap 2 uses 1 text "All in touch are pulled under."

What a power does beside its price is said by other commands; its text stands in the log and on the
card.

Seed 004: Action Points, Reactions, Basic Techniques, Mounted Combat, Threads of Fate (a monster's
thread powered ability).
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.events import Spent
from affray.core.heart.state import Combatant, Encounter
from affray.core.language import arguments
from affray.core.language.declared import Reading
from affray.core.rules.ruleset import Option
from affray.core.rules.tables import Tables
from affray.rulekit import acts, powers
from affray.rulekit.acts import Cost, Economy, Now, Pay
from affray.rulesets.monsters_and_magic.sheet import POWER, Power, powers_of


def options(tables: Tables, state: Encounter, combatant: Combatant) -> list[Option]:
    """Every technique for a combatant who has AP: its cost now, the next one's, and why it can't be
    used."""
    now = Now(tables, state, combatant)
    names = [name for name in tables.techniques if name != POWER]
    return [
        _disengage(now) if name == "disengage" else acts.option(ECONOMY, now, name)
        for name in (names if "ap" in combatant.tracks else ())
    ]


def own(tables: Tables, state: Encounter, combatant: Combatant) -> list[Option]:
    """Each power of their own: its cost now, and why it can't be used."""
    now = Now(tables, state, combatant)
    return [_power_option(now, power) for power in powers_of(combatant)]


def _disengage(now: Now) -> Option:
    """Disengage, with the fatigue that stands for the AP that are not there."""
    needed = acts.price(now, "disengage")["ap"]
    lacking = max(0, needed - now.who.track("ap"))
    cost = {"ap": needed - lacking}
    marks = {"fatigue": lacking} if lacking else {}
    after = acts.price_after(now, "disengage", cost)
    reason = _why_not(now, "disengage", cost)
    return Option("disengage", cost | marks, after | marks if after else {}, reason)


def _why_not(now: Now, name: str, cost: Cost) -> str:
    row = now.tables.techniques[name]
    if "reaction" in cost and not row.reaction:  # as a power may be
        row = replace(row, reaction=True)
    if barred := acts.why_barred(now, row, act="spend AP"):
        return barred
    if now.state.phase != "combat":
        return "only in a fight" if name == "regroup" or row.reaction else ""
    held = now.forbids("move") if name in ("move", "mount") else ""
    is_led = "controlled" in now.in_force and name not in now.tables.economy["controlled"]
    return (
        acts.why_not_up(now, row)
        or acts.why_not_again(now, name)
        or (held and f"{held}: can't move")
        or ("controlled: it can only move, dodge and disengage" if is_led else "")
        or acts.why_unpaid(now, cost)
    )


ECONOMY = Economy(_why_not)


# -- powers ----------------------------------------------------------------------------------------


def why_not_power(state: Encounter, who: Combatant, power: Power) -> str:
    """Why somebody can't use it at all now, whatever it costs of a turn."""
    used_up = powers.why_used_up(who, power.name, power.uses, power.per)
    return used_up or ("the GM has no thread" if power.thread and state.gm("threads") < 1 else "")


def _power_option(now: Now, power: Power) -> Option:
    reason = (
        why_not_power(now.state, now.who, power)
        or ECONOMY.why_not(now, POWER, power.cost)
        or acts.why_not_again(now, POWER, power.subject)
    )
    brief = " ".join([*([f"×{power.uses}"] if power.uses else []), *(["thread"] * power.thread)])
    return powers.option(POWER, power, power.cost, reason, "", brief)


def _known(reading: Reading) -> dict[str, Power]:
    return {power.name: power for power in powers_of(reading.ctx.actor())}


class Using(Struct, frozen=True):
    """`power NAME`."""

    power: Annotated[Power, arguments.called("a power of theirs", _known, asks="text:power")]


def use_power(ctx: Context, said: Using, who: Combatant, pay: Pay) -> None:
    """Use a power: its price is paid, its use counted, and its text told."""
    power = said.power
    powers.refuse(who, power.name, why_not_power(ctx.state, who, power))
    pay(power.cost, power.subject)
    if power.thread:
        ctx.emit(Spent("", "threads", 1, power.name))
    powers.use(ctx, who, power.name, power.text, power.per if power.uses else "")
