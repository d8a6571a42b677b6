"""Level Up: what is its own in attacks, and the actions that are attacks.

Things of the surroundings are thrown here as well (`throw`).

Level Up, Making an Attack, Unseen Attackers and Targets, Ranged Attacks, Cover, Example
Environments (Loose Rocks, Tables).
"""

from __future__ import annotations

from functools import partial
from typing import Annotated

from affray.core.engine.events import UseCounted
from affray.core.engine.state import Combatant
from affray.core.parser import arguments
from affray.core.parser.errors import Refused, join_or
from affray.core.rules.campaign_tables import environment_name, features_of
from affray.core.rules.ruleset import Context
from affray.mechanics import actions, stats
from affray.mechanics.actions import ActorSituation, PayFunction
from affray.mechanics.stats import CombatantSituation, Reasons
from affray.rulesets.level_up import action_economy, checks, dying, scene, settings, sheet
from affray.rulesets.level_up.sheet import Attack
from affray.rulesets.srd import attacks
from affray.rulesets.srd.action_economy import ATTACK
from affray.rulesets.srd.attacks import AttackRequest, attack, is_ranged, weapon_of, without_ability


class AttackModifiers(attacks.AttackModifiers, frozen=True):
    """The options of an attack: those of any roll, and the effect on somebody at 0 HP."""

    expertise: Annotated[tuple[int | str, ...], checks.EXPERTISE] = ()
    choice: Annotated[str, dying.CHOICE] = ""


class AttackArgs(attacks.AttackArgs, frozen=True):
    words: Annotated[AttackModifiers, arguments.keyword_args(AttackModifiers, "WORDS")]


class AttackCheck(attacks.AttackCheck, frozen=True, kw_only=True):
    """The attack roll, with the dice of expertise; pressing and the surroundings bear on it."""

    modifiers: AttackModifiers

    numbers = checks.NUMBERS

    def more_parts(self, ctx: Context) -> list[stats.StatPart]:
        """List the bonus and the expertise dice that the command says."""
        return checks.said_parts(ctx, self.who, self.die, self.modifiers)

    def own_reasons(self, ctx: Context, roller: CombatantSituation, ranged: bool) -> Reasons:
        """List the reasons of Level Up alone."""
        target, weapon = ctx.state[self.against], self.request.weapon
        pressing = self.request.pressed and _presses(ctx, roller.who, target)
        hinders = (
            []
            if self.request.spell
            else scene.hinders_attack(ctx.state, roller.who, weapon, ranged)
        )
        return ["pressing"] if pressing else [], hinders

    def bend(self, ctx: Context, roller: CombatantSituation, outcome: str) -> str:
        """Turn any outcome into a miss at long range under water (ruling 27)."""
        at_long_range = self.modifiers.long and not self.request.spell
        return "miss" if at_long_range and settings.UNDERWATER.is_on(ctx.state) else outcome


def _presses(ctx: Context, attacker: Combatant, target: Combatant) -> bool:
    """True if pressing gives advantage: in the attacker's turn, unless the target fell back."""
    if attacker.named(action_economy.PRESSING) is None or not ctx.state.takes_turn(attacker.id):
        return False
    return attacker.id not in (e.source for e in target.all_named(action_economy.FALLEN_BACK))


# -- the actions -----------------------------------------------------------------------------------


def take_attack(ctx: Context, args: AttackArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Attack: one of the Attack action's."""
    weapon = weapon_of(ctx, combatant, args.words)
    attack(ctx, combatant, args, AttackRequest("attack", weapon, pressed=True), pay)
    if ctx.state.in_combat and ctx.state.takes_turn(combatant.id):
        ctx.emit(UseCounted(combatant.id, action_economy.with_weapon(weapon.name)))


def take_off_hand(ctx: Context, args: AttackArgs, combatant: Combatant, pay: PayFunction) -> None:
    """An attack with another weapon that is dual-wielding, by the bonus action."""
    weapon = _other_weapon(combatant, args.words)
    if is_ranged(args.words, weapon) and not weapon.thrown:
        raise Refused(f"{weapon.name} can't be thrown: it is not a thrown weapon")
    is_second = action_economy.weapons_used(combatant) == [weapon.name]
    attack(ctx, combatant, args, AttackRequest("off-hand attack", without_ability(weapon)), pay)
    ctx.text += f", with a second {weapon.name}" if is_second else ""


def _other_weapon(combatant: Combatant, words: AttackModifiers) -> Attack:
    """The weapon of the off-hand attack: as said, else the first that wasn't used yet.

    Raises Refused for one that is not dual-wielding.
    """
    used, fit = action_economy.weapons_used(combatant), action_economy.off_hand_weapons(combatant)
    unused_first = sorted(fit, key=lambda a: a.name in used)
    weapon = words.weapon or next(iter(unused_first), None)
    if weapon is None or weapon not in fit:
        than = f" than {used[0]}" if len(used) == 1 else ""
        has = f"{combatant.name} has {join_or([a.name for a in fit], 'and') or 'none'}"
        raise Refused(
            f"the off-hand attack takes another weapon{than} that is dual-wielding; {has}"
        )
    return weapon


# -------------------------------------------------------------------------------------------------
# Features of the surroundings used as an attack or an action.


def throw(ctx: Context, combatant: Combatant, name: str, args: AttackArgs) -> None:
    """Throw something at somebody: one attack of the Attack action, with the thrower's ranged
    attack bonus unless the command names another (Loose Rocks)."""
    row = features_of(ctx.tables.environments)[name]
    afar = [a for a in sheet.attacks_of(combatant) if a.reach == "ranged" or a.thrown]
    if not (afar or args.die.outcome or args.words.plus):
        raise Refused(
            f"{combatant.name} has no ranged attack to throw with: say its bonus, `plus 4`"
        )
    bonus = 0 if args.words.plus or not afar else afar[0].bonus
    stone = sheet.Attack(name, bonus, row.amount, row.type, "ranged", thrown=True)
    pay = partial(actions.pay, action_economy.ECONOMY, ctx, combatant.id, ATTACK)
    attack(ctx, combatant, args, AttackRequest("attack", stone, pressed=True), pay)
    ctx.text = ctx.text.replace(" attacks ", f" throws {environment_name(name, row)} at ", 1)


def take_action(ctx: Context, name: str) -> None:
    """Pay for an act that takes the action, in one's own turn. Raises Refused with the reason."""
    combatant = ctx.actor()
    now = ActorSituation(ctx.tables, ctx.state, combatant)
    reason = action_economy.ECONOMY.why_not(now, "use", {"action": 1})
    if reason:
        raise Refused(f"{combatant.name} can't use {name}: {reason}")
    if ctx.state.in_combat:
        actions.pay_tracks(ctx, combatant.id, name, {"action": 1})
