"""Powers of somebody's own, as monsters have: their price, how often, and the GM's thread.

    add monster "Weir Ogre" hp 46 powers Undertow ap 2 uses 1 text "All in touch are pulled under."

What a power does beside its price is said by other commands; its text stands in the log and on the
card. Seed 004: Threads of Fate (a monster's thread powered ability), Action Points.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.events import Spent
from affray.core.heart.state import Combatant, Encounter
from affray.core.language import arguments
from affray.core.language.declared import Reading
from affray.core.rules.ruleset import Option
from affray.core.rules.tables import Tables
from affray.rulekit import powers
from affray.rulekit.acts import Now, Pay
from affray.rulesets.monsters_and_magic.action_points import ECONOMY
from affray.rulesets.monsters_and_magic.sheet import POWER, Power, powers_of


def why_not(state: Encounter, who: Combatant, power: Power) -> str:
    """Why somebody can't use it at all now, whatever it costs of a turn."""
    used_up = powers.why_used_up(who, power.name, power.uses, power.per)
    return used_up or ("the GM has no thread" if power.thread and state.gm("threads") < 1 else "")


def options(tables: Tables, state: Encounter, who: Combatant) -> list[Option]:
    """Each power as it stands now."""
    now = Now(tables, state, who)
    return [_option(now, power) for power in powers_of(who)]


def _option(now: Now, power: Power) -> Option:
    reason = why_not(now.state, now.who, power) or ECONOMY.why_not(now, POWER, power.cost)
    brief = " ".join([*([f"×{power.uses}"] if power.uses else []), *(["thread"] * power.thread)])
    name, text = power.name, power.text
    return Option(f"{POWER} {name}", power.cost, reason=reason, name=name, text=text, brief=brief)


def _known(reading: Reading) -> dict[str, Power]:
    return {power.name: power for power in powers_of(reading.ctx.actor())}


class Using(Struct, frozen=True):
    """`power NAME`."""

    power: Annotated[Power, arguments.called("a power of theirs", _known, asks="text:power")]


def use(ctx: Context, said: Using, who: Combatant, pay: Pay) -> None:
    """Use a power: its price is paid, its use counted, and its text told."""
    power = said.power
    powers.refuse(who, power.name, why_not(ctx.state, who, power))
    pay(power.cost)
    if power.thread:
        ctx.emit(Spent("", "threads", 1, power.name))
    powers.use(ctx, who, power.name, power.text, power.per if power.uses else "")
