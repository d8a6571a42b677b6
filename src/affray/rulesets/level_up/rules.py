"""Level Up: its own answers to questions that games on the SRD share."""

from __future__ import annotations

from affray.core.engine.events import UseCounted
from affray.core.engine.state import Combatant, Encounter
from affray.core.rules.ruleset import Context
from affray.mechanics import damage as shared_damage, powers
from affray.rulesets.level_up import (
    action_economy,
    attacks,
    checks,
    conditions,
    dying,
    scene,
    settings,
    sheet,
)
from affray.rulesets.srd import conditions as srd_conditions, sheet as srd_sheet
from affray.rulesets.srd.attacks import AttackRequest
from affray.rulesets.srd.checks import is_proficient
from affray.rulesets.srd.damage import DamageInstance
from affray.rulesets.srd.rules import SrdRules


class LevelUpRules(SrdRules[attacks.AttackArgs, AttackRequest, DamageInstance]):
    """The decisions of Level Up, as the modules that it shares with 5e ask for them."""

    numbers = checks.NUMBERS
    lasting = conditions.LASTING
    economy = action_economy.ECONOMY
    modifiers = checks.RollModifiersWithCover
    check = checks.CheckRequest
    attack_check = attacks.AttackCheck
    doubles_criticals = True
    spans_down = (dying.OWED,)

    attacks_of = staticmethod(sheet.attacks_of)
    powers_of = staticmethod(sheet.powers_of)
    speed = staticmethod(checks.speed)
    pay_reaction = staticmethod(action_economy.pay_reaction)

    def require_attack(
        self, ctx: Context, attacker: Combatant, args: attacks.AttackArgs, request: AttackRequest
    ) -> None:
        """Raises Refused for damage at 0 HP without a choice: given later, it would need the dice
        again."""
        if args.die.rolled_here:
            dying.require_choice(args.target, args.words.choice)

    def choice_at_zero(self, args: attacks.AttackArgs) -> str:
        choice: str = args.words.choice
        return choice

    def after_hit(self, ctx: Context, target: Combatant, critical: bool) -> None:
        """A critical can be blocked."""
        if critical and target.life == "up" and target.track("hp") and target.track("reaction"):
            ctx.emit(UseCounted(target.id, *action_economy.CAN_BLOCK))

    def is_defended(self, state: Encounter, target: Combatant, what: str, *kinds: str) -> bool:
        """All resist fire under water; adrift the unproficient are vulnerable to psychic damage."""
        if what == "resistance" and "fire" in kinds and settings.UNDERWATER.is_on(state):
            return True
        adrift = what == "vulnerability" and "psychic" in kinds and settings.ASTRAL.is_on(state)
        if adrift and not any(is_proficient(target, save, True) for save in ("wis", "int")):
            return True
        return super().is_defended(state, target, what, *kinds)

    def roll_damage(self, ctx: Context, by: str, dice: str, kind: str, critical: bool) -> int:
        """The dice, with their echo."""
        since = len(ctx.events)
        rolled = super().roll_damage(ctx, by, dice, kind, critical)
        return rolled + self.scene_damage_bonus(ctx, kind, since)

    scene_damage_bonus = staticmethod(scene.scene_damage_bonus)

    def require_healable(self, state: Encounter, target: Combatant) -> None:
        """Raises Refused while massive damage may have killed."""
        dying.require_no_massive_save([target])

    def after_loss(
        self,
        ctx: Context,
        target: Combatant,
        blow: DamageInstance,
        amount: int,
        loss: shared_damage.HpLoss,
    ) -> None:
        """Hurt a target at 0 HP further, by the attacker's choice; let another one fall at 0 HP."""
        if target.life in ("dying", "stable") and amount > loss.temp:
            dying.hurt_at_zero(ctx, target.id, blow.choice, bool(blow.by), blow.critical)
        elif amount > loss.temp and loss.depth <= 0:
            dying.fall(ctx, target.id, amount, blow.knockout, from_afar=not blow.melee)

    def apply_inflicted(
        self,
        ctx: Context,
        by: str,
        target: str,
        of: str,
        inflicts: powers.Inflicts,
        save: srd_sheet.Save | None = None,
    ) -> None:
        powers.apply_inflicted(ctx, by, target, inflicts, srd_conditions.apply_all)

    settle_save = staticmethod(srd_conditions.settle_save)


RULES = LevelUpRules()
