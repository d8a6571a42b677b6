"""5e: its own answers to questions that games on the SRD share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import json, to_builtins
from msgspec.structs import replace

from affray.core.dice import Dice, DicePool, DieInput, parse_dice
from affray.core.engine.effects import EffectSpec, remove_effect
from affray.core.engine.events import Step
from affray.core.engine.state import Combatant, Duration, Effect, EffectRef, Encounter
from affray.core.parser.errors import Refused
from affray.core.rules.ruleset import Context
from affray.mechanics import checks as shared_checks, damage as shared_damage, powers, saves
from affray.mechanics.actions import Cost
from affray.rulesets.fifth import (
    action_economy,
    attacks,
    checks,
    conditions,
    dying,
    lairs,
    settings,
    sheet,
)
from affray.rulesets.fifth.conditions import CONCENTRATION
from affray.rulesets.srd import conditions as srd_conditions, sheet as srd_sheet
from affray.rulesets.srd.attacks import AttackRequest
from affray.rulesets.srd.checks import FAILURE, RollModifiers
from affray.rulesets.srd.damage import DamageInstance
from affray.rulesets.srd.rules import SrdRules


class FifthRules(SrdRules[attacks.AttackArgs, AttackRequest, DamageInstance]):
    """The decisions of 5e, as the modules that it shares with Level Up ask for them."""

    numbers = checks.NUMBERS
    lasting = conditions.LASTING
    economy = action_economy.ECONOMY
    modifiers = checks.RollModifiersWithCover
    check = checks.CheckRequest
    save_type = sheet.Save
    attack_check = attacks.AttackCheck
    all_is_untyped_too = True
    acts_with = ("action", lairs.LAIR_ACTION)

    attacks_of = staticmethod(sheet.attacks_with_fists)
    powers_of = staticmethod(sheet.powers_of)

    def cost_of(self, state: Encounter, power: srd_sheet.Power) -> Cost:
        return lairs.cost_of(state, power) if isinstance(power, sheet.Power) else power.cost

    speed = staticmethod(checks.movement)
    pay_reaction = staticmethod(action_economy.pay_reaction)

    def sees_all(self, state: Encounter, by: Combatant, whom: Combatant) -> bool:
        """Blindsight sees everybody; truesight the invisible and the hidden (ruling 22)."""
        blind = any(effect.name in ("blinded", "unconscious") for effect in by.effects)
        return bool(by.stats.get("blindsight")) or (bool(by.stats.get("truesight")) and not blind)

    require_attack = staticmethod(attacks.require_attack)

    def asks_save(self, state: Encounter, attack: srd_sheet.Attack, words: Any = None) -> bool:
        """True if a hit asks for a save: its own, or that of a toppling weapon."""
        return super().asks_save(state, attack) or attacks.topples(state, attack, words)

    after_attack = staticmethod(attacks.after_attack)

    def is_defended(self, state: Encounter, target: Combatant, what: str, *kinds: str) -> bool:
        """Ask the sheet and the effects; then stone, water and things."""
        if what == "resistance":
            wet = "fire" in kinds and settings.UNDERWATER.is_on(state)
            if wet or target.named("petrified") is not None:
                return True
        if what == "immunity":
            if target.stats.get("object") and {"poison", "psychic"} & {*kinds}:
                return True
            old_stone = sheet.is_2014(state) and target.named("petrified") is not None
            if old_stone and "poison" in kinds:
                return True
        return super().is_defended(state, target, what, *kinds)

    def roll_damage(self, ctx: Context, by: str, dice: str, kind: str, critical: bool) -> int:
        """The dice, twice as many of a critical hit; or a monster's average (ruling 21)."""
        if not dice:
            return 0
        parsed = parse_dice(dice)
        attacker = ctx.state.find(by)
        average = settings.MONSTER_DAMAGE.value(ctx.state) == "average"
        if average and attacker is not None and attacker.kind != "pc":
            half_way = sum(pool.average for pool in parsed.pools)
            return max(0, int(half_way * (2 if critical else 1)) + parsed.modifier)
        if critical:
            doubled = (
                replace(term, count=2 * term.count) if isinstance(term, DicePool) else term
                for term in parsed.terms
            )
            parsed = Dice(tuple(doubled))
        return max(0, shared_checks.roll_extra_dice(ctx, by, parsed, "damage"))

    def require_healable(self, state: Encounter, target: Combatant) -> None:
        """Raises Refused for a swarm, and for somebody who can't be healed."""
        if target.stats.get("swarm"):
            raise Refused(f"{target.name} is a swarm, and regains no HP")
        if target.named("no-healing") is not None:
            raise Refused(f"{target.name} can't regain HP")
        if target.life != "up" and target.named("suffocating") and sheet.is_2014(state):
            raise Refused(f"{target.name} is suffocating, and can't regain HP")

    def do_friends_provoke(self, state: Encounter) -> bool:
        """True if friends provoke, as all who are seen to leave do; by the rules of 2014 only the
        hostile."""
        return not sheet.is_2014(state)

    def after_defences(
        self, ctx: Context, target: Combatant, amount: int, how: shared_damage.Steps
    ) -> tuple[int, shared_damage.Steps]:
        """Drop damage below the threshold."""
        threshold = target.number("threshold")
        if 0 < amount < threshold:
            return 0, (*how, Step(f"below the threshold of {threshold}"))
        return amount, how

    def after_loss(
        self,
        ctx: Context,
        target: Combatant,
        blow: DamageInstance,
        amount: int,
        loss: shared_damage.HpLoss,
    ) -> None:
        dying.after_loss(ctx, target, blow, amount, loss)
        conditions.try_concentration(ctx, target.id, amount)

    def save_dc(self, combatant: Combatant | None, save: srd_sheet.Save) -> int:
        """The save's own DC, else the caster's."""
        own = combatant.number("spell-dc", 10) if combatant is not None else 10
        return save.dc if save.dc or save.skill else own

    def save_of(self, combatant: Combatant, name: str) -> srd_sheet.Save | None:
        """The save of an attack, a power or a spell, or that of a toppling weapon."""
        if name.startswith(attacks.TOPPLE):
            toppling = name.removeprefix(attacks.TOPPLE)
            weapon = next((a for a in self.attacks_of(combatant) if a.name == toppling), None)
            return attacks.topple(combatant, weapon) if weapon is not None else None
        spell = next((s for s in sheet.spells_of(combatant) if s.name == name and s.save), None)
        return spell.save if spell is not None else super().save_of(combatant, name)

    def cause_of_save(self, by: Combatant | None, of: str, save: srd_sheet.Save) -> str:
        """Keep with a save that it is about what is concentrated on: what it inflicts would end
        with that."""
        held = conditions.concentration_of(by) if by is not None else None
        if held is None or held.note != of:
            return super().cause_of_save(by, of, save)
        whole = to_builtins(replace(save, dc=self.save_dc(by, save)))
        return json.encode(whole | {_CONCENTRATED: True}).decode()

    def pending_save(self, state: Encounter, owed: Effect) -> srd_sheet.Save | None:
        """Return a save that is owed, which inflicts nothing any more where the concentration on
        that has ended; None if nothing is left of it."""
        save = super().pending_save(state, owed)
        if save is None or not (owed.because and json.decode(owed.because).get(_CONCENTRATED)):
            return save
        caster = state.find(owed.source)
        held = conditions.concentration_of(caster) if caster is not None else None
        if held is not None and held.note == owed.note:
            return save
        return replace(save, inflicts=()) if any(saves.amounts_of(owed)) else None

    def name_of_save(self, state: Encounter, owed: Effect) -> str:
        if owed.note == CONCENTRATION:
            return f"con save, DC {owed.amount}"
        return super().name_of_save(state, owed)

    def share_of_save(self, target: Combatant, save: srd_sheet.Save, outcome: str) -> int:
        """The share of the damage after a save; with evasion a Dexterity save for half leaves none,
        a failed one half."""
        able = all(effect.name not in _HELPLESS for effect in target.effects)
        evades = save.half and save.ability == "dex" and bool(target.stats.get("evasion")) and able
        return super().share_of_save(target, save, outcome) - int(evades)

    def apply_inflicted(
        self,
        ctx: Context,
        by: str,
        target: str,
        of: str,
        inflicts: powers.Inflicts,
        save: srd_sheet.Save | None = None,
    ) -> None:
        """Tie effects of a spell that is concentrated on to that, and those that a save ends to
        the save that was failed."""
        source = ctx.state.find(by)
        held = conditions.concentration_of(source) if source is not None else None
        ref = EffectRef(by, held.id) if held is not None and held.note == of else None
        end = None
        if save is not None:
            dc = self.save_dc(ctx.state.find_ever(by), save)
            end = Duration("save", who=save.ability, count=dc)

        def apply(ctx: Context, combatant_id: str, specs: Sequence[EffectSpec]) -> None:
            tied = [replace(spec, attached_to=ref) for spec in specs]
            srd_conditions.apply_all(ctx, combatant_id, tied)

        rows = [powers.SheetCondition(row) if isinstance(row, str) else row for row in inflicts]
        repeated = tuple(
            replace(row, until=replace(end, most=row.until.most))
            if end is not None and row.until is not None and row.until.ends == "save"
            else row
            for row in rows
        )
        powers.apply_inflicted(ctx, by, target, repeated, apply)

    def settle_save(
        self, ctx: Context, combatant_id: str, owed: Effect, die: DieInput, terms: RollModifiers
    ) -> str:
        if owed.note == CONCENTRATION:
            remove_effect(ctx, combatant_id, owed.id, "the save is made")
            plain = terms if isinstance(terms, checks.RollModifiers) else checks.RollModifiers()
            return conditions.save_concentration(ctx, combatant_id, owed.amount, die, plain)
        if self._is_magical(ctx.state.find_ever(owed.source), owed) and isinstance(
            terms, checks.RollModifiers
        ):
            terms = replace(terms, magical=True)
        outcome = srd_conditions.settle_save(ctx, combatant_id, owed, die, terms)
        if outcome == FAILURE and owed.note == attacks.A_PUSH:
            attacks.push(ctx, combatant_id)
        elif outcome == FAILURE and owed.note == attacks.AN_ESCAPE:
            attacks.escape_from(ctx, owed.source, combatant_id)
        return outcome

    def _is_magical(self, source: Combatant | None, owed: Effect) -> bool:
        """True if a save that is owed is against a spell or a magical power."""
        if owed.note in attacks.SEIZURES:
            return False
        for power in sheet.powers_of(source) if source is not None else ():
            if power.name == owed.note:
                return power.magical
        spells = sheet.spells_of(source) if source is not None else ()
        return bool(owed.because) or any(spell.name == owed.note for spell in spells)

    def says_nothing(self, words: RollModifiers) -> bool:
        """True if no option was given, `magical` aside."""
        plain = (
            replace(words, magical=False) if isinstance(words, attacks.AttackModifiers) else words
        )
        return super().says_nothing(plain)


_CONCENTRATED = "concentrated"
_HELPLESS = ("incapacitated", "paralyzed", "petrified", "stunned", "unconscious")
RULES = FifthRules()
