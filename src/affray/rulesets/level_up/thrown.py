"""What somebody does with a feature of the surroundings in a turn of their own: things that are
thrown, and what takes the action.

Seed 002: Example Environments (Loose Rocks, Tables), Making an Attack; rules file, 13.4.
"""

from __future__ import annotations

from functools import partial

from affray.core.heart.decide import Context
from affray.core.heart.state import Combatant
from affray.core.language.refusal import Refused
from affray.core.rules.environments import called, features_of
from affray.rulekit import acts
from affray.rulekit.acts import Now
from affray.rulesets.level_up import attacks, economy, sheet


def throw(ctx: Context, who: Combatant, name: str, said: attacks.Assault) -> None:
    """Throw something at somebody: one of the Attack action's, with the bonus of one's own ranged
    attack where none is said (Loose Rocks)."""
    row = features_of(ctx.tables.environments)[name]
    afar = [a for a in sheet.attacks_of(who) if a.reach == "ranged" or a.thrown]
    if not (afar or said.die.said or said.words.plus):
        raise Refused(f"{who.name} has no ranged attack to throw by: say its bonus, `plus 4`")
    bonus = 0 if said.words.plus or not afar else afar[0].bonus
    stone = sheet.Attack(name, bonus, row.amount, row.type, "ranged", thrown=True)
    pay = partial(acts.pay, economy.ECONOMY, ctx, who.id, economy.ATTACK)
    attacks.attack(ctx, who, said, attacks.Made("attack", stone, pressed=True), pay)
    ctx.text = ctx.text.replace(" attacks ", f" throws {called(name, row)} at ", 1)


def take_action(ctx: Context, name: str) -> None:
    """Pay for what takes the action, in a turn of one's own. Raises Refused with the reason."""
    who = ctx.actor()
    now = Now(ctx.tables, ctx.state, who)
    reason = economy.ECONOMY.why_not(now, "use", {"action": 1})
    if reason:
        raise Refused(f"{who.name} can't use {name}: {reason}")
    if ctx.state.phase == "combat":
        acts.spend(ctx, who.id, name, {"action": 1})
