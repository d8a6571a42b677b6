"""Adventure School: weapons in hand, and attacks with them: modifiers, advantage, rolls, hits.

Start with `take_attack`, the action, and `attack`, one roll.

Adventure School, Attack, Attack Action, Critical Hit, Critical Damage, Engage, Underwater, Dual
Wielding, Disarm, Reload.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Annotated, Any

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import DieInput
from affray.core.engine.effects import end_effects_named, remove_effect
from affray.core.engine.events import StatChanged, UseCounted
from affray.core.engine.state import Combatant
from affray.core.parser import arguments
from affray.core.parser.clauses import join_names
from affray.core.parser.declarations import Argument, ParseState
from affray.core.parser.errors import Refused, join_or
from affray.core.parser.prompt_fields import ANY_MORE, Field
from affray.core.parser.tokens import Token
from affray.core.rules.ruleset import Context
from affray.mechanics import checks, powers, stats
from affray.mechanics.actions import DeclaredTechnique, PayFunction, require_other_target
from affray.mechanics.conditions import begin_effect
from affray.mechanics.sheet import stat_words
from affray.mechanics.stats import CombatantSituation, Reasons, StatPart
from affray.rulesets.adventure_school import (
    checks as rolls,
    contests,
    damage,
    movement,
    sheet,
    stats as totals,
)
from affray.rulesets.adventure_school.action_economy import attacks_at_once, pay_by_move
from affray.rulesets.adventure_school.checks import CRIT, HIT, HITS
from affray.rulesets.adventure_school.conditions import apply_all, end_charms, mind_the_charmer
from affray.rulesets.adventure_school.resources import gain_diminish
from affray.rulesets.adventure_school.sheet import Attack

# -------------------------------------------------------------------------------------------------
# Weapons in hand: wielded, lost, and loaded again.

DUAL_WIELDING, WIELDS = "dual-wielding", "wields"
"""The effect of a weapon in each hand; the stat with the weapons in hand, once given."""
UNLOADED, DISARMED = "unloaded", "disarmed"


def _weapons(reading: ParseState) -> dict[str, Attack]:
    return {attack.name: attack for attack in sheet.attacks_of(reading.ctx.actor())}


WEAPON = arguments.custom_name_arg(
    "an attack of its own", _weapons, field=Field("text", ("weapon",))
)


def _read_hands(reading: ParseState) -> list[Attack]:
    tokens, row = reading.words, sheet.weapons_of(reading.ctx.actor())
    names = [Token(name) for name in tokens.next("the weapons to wield", row).split(",")]
    if len(names) > 2:
        tokens.back()
        raise tokens.refuse("expected one weapon, or one for each hand: dagger,hatchet")
    tokens.insert(names)
    return [WEAPON.read(reading) for _ in names]


HANDS = Field("more", optional=False, asked=True)


class WieldArgs(Struct, frozen=True):
    """`wield WEAPON[,WEAPON]`."""

    weapons: Annotated[list[Attack], Argument(_read_hands, "WEAPON[,WEAPON]", field=HANDS)]


def wield(ctx: Context, args: WieldArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Have a weapon in hand, or one in each: two attacks, at a price. What was lost is picked
    up for 5 feet of movement."""
    hands, is_dual = [weapon.name for weapon in args.weapons], len(args.weapons) > 1
    for weapon in args.weapons:
        if is_dual and weapon.two_handed:
            raise Refused(f"{weapon.name} takes two hands")
    if combatant.track("attacks"):
        raise Refused(f"{combatant.name} is in the middle of an attack action")
    lying = [lost for lost in combatant.all_named(DISARMED) if lost.note in hands]
    if any(effect.type for effect in lying):
        raise Refused(f"{join_or([e.note for e in lying], 'and')} is held by somebody else")
    pay({"movement": int(ctx.tables.economy["pick_up"]) * len(lying)})
    for effect in lying:
        remove_effect(ctx, combatant.id, effect.id, "picked up")
    end_effects_named(ctx, combatant.id, DUAL_WIELDING, "something else is wielded")
    ctx.emit(StatChanged(combatant.id, WIELDS, hands))
    if is_dual:
        worse = () if is_trained(combatant) else ("weapon",)
        begin_effect(ctx, combatant.id, DUAL_WIELDING, note=", ".join(hands), disadvantage=worse)
    ctx.text = f"{combatant.name} wields {join_or(hands, 'and')}"


def apply_invariants(ctx: Context, combatant_id: str) -> None:
    """Remove weapons that a combatant has lost from its hands."""
    hands = stat_words(ctx.state[combatant_id], WIELDS)
    if any(lost.note.casefold() in hands for lost in ctx.state[combatant_id].all_named(DISARMED)):
        end_effects_named(ctx, combatant_id, DUAL_WIELDING, "disarmed")


def is_trained(combatant: Combatant) -> bool:
    """True if a weapon in each hand is no hindrance to it: it has learned that."""
    return bool(combatant.stats.get(DUAL_WIELDING))


def usual_weapon(combatant: Combatant) -> Attack:
    """The weapon for an attack without a named one: the one in hand, of two the one not yet used;
    else the first attack."""
    weapons = sheet.attacks_of(combatant)
    hands = list(unused_hands(combatant)) or stat_words(combatant, WIELDS)
    in_hand = (attack for attack in weapons if attack.name.casefold() in hands)
    return next(in_hand, weapons[0] if weapons else Attack("attack", 0))


def unused_hands(combatant: Combatant) -> Counter[str]:
    """The weapons, one in each hand, that this attack action still has to use."""
    hands = stat_words(combatant, WIELDS) if combatant.named(DUAL_WIELDING) is not None else ()
    return Counter(hands) - Counter({name: combatant.used(f"attack with {name}") for name in hands})


class ReloadArgs(Struct, frozen=True):
    """`reload [move] [WEAPON]`."""

    weapon: Annotated[Attack | None, WEAPON] = None
    move: arguments.Heard = False


def reload(ctx: Context, args: ReloadArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Load a weapon again, with the action or the whole move."""
    asked = args.weapon.name if args.weapon else ""
    unloaded = [each for each in combatant.all_named(UNLOADED) if asked in ("", each.note)]
    if not unloaded:
        raise Refused(f"{combatant.name} has nothing to reload")
    if args.move:
        pay_by_move(ctx, combatant, pay)
    else:
        pay()
    remove_effect(ctx, combatant.id, unloaded[0].id, "reloaded")
    ctx.text = f"{combatant.name} reloads {unloaded[0].note}"


HANDS_ACTS = {
    "wield": DeclaredTechnique(WieldArgs, wield),
    "reload": DeclaredTechnique(ReloadArgs, reload),
}

RolledDamage = tuple[tuple[int | str, str], ...]
"""The damage of a hit in a command: amounts or dice, each with its type."""
DISTRACTED = "distracted"
FROM_HIDING = "from-hiding"
"""Counted when an attack action begins from hiding."""
ATTACKED = ("attacked",)
"""The kind by which modifiers name rolls to hit their bearer."""


# -- what is said of an attack ---------------------------------------------------------------------


class AttackModifiers(checks.RollModifiers, frozen=True):
    """The options of an attack, in any order behind its target."""

    dc: Annotated[int | None, replace(rolls.DC, field=ANY_MORE)] = None
    reach: Annotated[str, arguments.anywhere_choice_arg("melee", "ranged")] = ""
    concealed: arguments.Heard = False
    unseen: arguments.Heard = False
    engaged: arguments.Heard = False
    climbing: arguments.Flag = False
    falling: Annotated[int, arguments.keyword_arg("falling", movement.FEET)] = 0
    extra: Annotated[tuple[str, ...], sheet.EXTRA] = ()
    diminish: Annotated[int, rolls.DIMINISH] = 0


class WeaponAttackModifiers(AttackModifiers, frozen=True):
    """The options of an attack with a weapon."""

    weapon: Annotated[
        Attack | None, arguments.keyword_arg("with", WEAPON, field=Field("weapon"))
    ] = None


TARGETS = arguments.combatants_arg(
    "the target of the attack", arguments.other_combatants_arg, usage="TARGET[,TARGET]"
)


class AttackArgs(Struct, frozen=True):
    """`attack TARGET[,TARGET] OUTCOME [DAMAGE] ...`."""

    targets: Annotated[list[Combatant], TARGETS]
    dice: Annotated[list[DieInput], rolls.attack_outcome("targets")]
    words: Annotated[WeaponAttackModifiers, arguments.keyword_args(WeaponAttackModifiers, "WORDS")]
    rolled_damage: Annotated[RolledDamage, damage.DAMAGE] = ()


class AttackRequest(rolls.D20Check, frozen=True, kw_only=True):
    """One attack: attacker, target, weapon, die and options.

    weapon         the weapon, or the ability; `by_hand` is True for a weapon
    rolled_damage  the called damage of a hit; empty for the weapon's own
    one_of         True if it is one of an attack action: if that began from hiding, all of it did
    from_hiding    True if it is behind the first of an ability that began from hiding
    """

    weapon: Attack
    modifiers: AttackModifiers
    name: str = "attack"
    rolled_damage: RolledDamage = ()
    by_hand: bool = True
    one_of: bool = False
    from_hiding: bool = False

    exposes = ATTACKED

    @property
    def ranged(self) -> bool:
        """True for a ranged attack: by the command, else by the weapon."""
        reach = self.modifiers.reach
        return reach == "ranged" if reach else self.weapon.ranged

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds by which rows of the tables name it."""
        kinds = totals.RANGED if self.ranged else totals.MELEE
        return (*kinds, "weapon") if self.by_hand else kinds

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags by which an effect can apply to this attack alone."""
        return (self.weapon.name,)

    def parts(self, ctx: Context, roller: CombatantSituation) -> list[StatPart]:
        """List the bonuses on the d20."""
        by, weapon, suffering = roller.who, self.weapon, self.target_situation(ctx)
        parts = [StatPart(weapon.bonus, weapon.name)]
        parts += stats.stat_parts(roller, "attack", self.tags, self.against)
        parts += stats.stat_parts(suffering, "attacked", against=self.who)
        parts += self.modifiers.parts
        parts += stats.stat_parts(roller, "diminish") if self.modifiers.diminish else []
        hindered = self.by_hand and by.named(DUAL_WIELDING) is not None and not is_trained(by)
        if hindered and not weapon.light:
            worse = -int(ctx.tables.economy["not_light"])
            parts += [StatPart(worse, "not light, one in each hand")]
        return parts

    def reasons(self, ctx: Context, roller: CombatantSituation) -> Reasons:
        """List the reasons for and against it."""
        by, on, words = roller.who, ctx.state[self.against], self.modifiers
        suffering = totals.situation_of(ctx, _as_attacked_by(by, on))
        where = ("far" if self.ranged else "near",)
        pro, con = stats.advantage_reasons(roller, self.kinds, suffering, where, self.tags)
        pro += [*words.pro, *stats.own_roll_reasons(suffering, "advantage", ATTACKED, by.id)]
        con += [*words.con, *stats.own_roll_reasons(suffering, "disadvantage", ATTACKED, by.id)]
        pro += [f"unseen by {on.name}"] if words.unseen else []
        con += [f"{on.name} is concealed"] if words.concealed else []
        con += ["engaged"] if words.engaged and self.ranged else []
        con += ["climbing"] if words.climbing else []
        con += totals.under_water(roller)
        pro += ["from hiding"] if _is_from_hiding(by, self) else []
        return pro, con

    def target_number(self, ctx: Context) -> int:
        """The given number, else the target's AC."""
        return self.modifiers.dc or stats.stat_value(self.target_situation(ctx), "ac")

    def outcome(self, roller: CombatantSituation, natural: int, total: int, dc: int | None) -> str:
        """The outcome against an AC, with the weapon's threat and active effects."""
        threat = self.weapon.threat + totals.threat(roller, self.tags, self.against)
        return rolls.hits(natural, total, dc or 0, threat)

    def bend(self, ctx: Context, roller: CombatantSituation, outcome: str) -> str:
        """Turn a hit into a critical one on who suffers that."""
        suffers = outcome == HIT and stats.reasons_against(
            self.target_situation(ctx), "critical", self.who
        )
        return CRIT if suffers else outcome


def weapon_attack(
    attacker: Combatant, target: Combatant, die: DieInput, words: WeaponAttackModifiers, **more: Any
) -> AttackRequest:
    """The request of an attack with the named weapon, else with the usual one; `more` are other
    fields of it."""
    weapon = words.weapon or usual_weapon(attacker)
    return AttackRequest(
        attacker.id, die=die, against=target.id, modifiers=words, weapon=weapon, **more
    )


# -- the attack action -----------------------------------------------------------------------------


def take_attack(ctx: Context, args: AttackArgs, combatant: Combatant, pay: PayFunction) -> None:
    """One attack of the attack action on each target."""
    words = args.words
    outcomes: list[str] = []
    for target, die in zip(args.targets, args.dice, strict=True):
        attacker, dealt = ctx.state[combatant.id], args.rolled_damage
        swing = weapon_attack(attacker, target, die, words, rolled_damage=dealt, one_of=True)
        swing = follow_up_attack(outcomes, swing)
        pay_one(ctx, swing, pay)
        if swing.ranged and totals.under_water(totals.situation_of(ctx, combatant)):
            ctx.note("under water ranged weapons reach only their short range")
        outcomes.append(attack(ctx, swing))
    means = f" with {words.weapon.name}" if words.weapon else ""
    outcome = in_words(outcomes, args.rolled_damage)
    ctx.text = f"{combatant.name} attacks {join_names(args.targets)}{means}{outcome}"


def pay_one(ctx: Context, swing: AttackRequest, pay: PayFunction) -> None:
    """Pay for one of an attack action; with a weapon in each hand that is one with each.
    Raises Refused for what can't be made, and for a weapon whose attack would be one too many."""
    refuse(ctx, swing)
    combatant, name = ctx.state[swing.who], swing.weapon.name.casefold()
    waiting = unused_hands(combatant) if ctx.state.in_combat else Counter()
    left = combatant.track("attacks") or attacks_at_once(combatant)
    if waiting and name not in waiting and left <= waiting.total():
        raise Refused(
            f"{combatant.name} attacks with {join_or(list(waiting), 'and')} now: one attack with "
            "each"
        )
    pay()
    if waiting:
        ctx.emit(UseCounted(swing.who, f"attack with {name}"))


# -- the attack ------------------------------------------------------------------------------------


def refuse(ctx: Context, swing: AttackRequest) -> None:
    """Raises Refused, before it is paid, for an attack that this target or weapon rules out."""
    combatant, weapon = ctx.state[swing.who], swing.weapon
    require_other_target(combatant, ctx.state[swing.against], "attack")
    for effect in combatant.effects if swing.by_hand else ():
        held = effect.disadvantage  # by somebody smaller: it can be used, if badly
        if effect.name in (UNLOADED, DISARMED) and effect.note == weapon.name and not held:
            why = "must be reloaded" if effect.name == UNLOADED else "is out of its hand"
            raise Refused(f"{combatant.name}'s {weapon.name} {why}")
    if swing.modifiers.climbing and weapon.two_handed:
        raise Refused(f"{weapon.name} takes two hands, and climbing needs one")
    if swing.modifiers.falling and swing.ranged:
        raise Refused("only a melee attack can fall on somebody")
    if not (swing.die.outcome or weapon.dice or weapon.bonus or swing.modifiers.plus):
        raise checks.no_bonus(combatant, "plus 5")
    mind_the_charmer(ctx, swing.who, swing.against)


def attack(ctx: Context, swing: AttackRequest) -> str:
    """Make an attack that is paid, and let it land; returns the outcome."""
    bonus = swing.damage_bonus(ctx)
    outcome = swing.make(ctx).outcome
    after_attack(ctx, swing)
    if swing.weapon.loading:
        begin_effect(ctx, swing.who, UNLOADED, note=swing.weapon.name)
    if outcome in HITS:
        _land(ctx, swing, outcome, bonus)
        stats.use_up(ctx, totals.NUMBERS, swing.who, ("damage",), swing.tags, swing.against)
        powers.apply_inflicted(ctx, swing.who, swing.against, swing.weapon.inflicts, apply_all)
        if not swing.ranged:
            contests.reveal(ctx, swing.against, "it was hit")
        if swing.by_hand:  # an ability brings them once for all its attacks
            gain_diminish(ctx, swing.who, swing.modifiers.diminish, swing.weapon.name)
    return outcome


def after_attack(ctx: Context, swing: AttackRequest) -> None:
    """Apply the consequences of an attack, hit or miss: it ends hiding and charms."""
    combatant = ctx.state[swing.who]
    contests.acts_against(ctx, swing.who, swing.against, _is_from_hiding(combatant, swing))
    if contests.is_hidden(ctx, combatant):
        contests.reveal(ctx, swing.who, "it attacks")
        if swing.one_of and combatant.track("attacks"):
            ctx.emit(UseCounted(swing.who, FROM_HIDING))
    end_charms(ctx, swing.against, swing.who)


def _is_from_hiding(combatant: Combatant, swing: AttackRequest) -> bool:
    """True if the attack action or ability began from hiding, which its first attack ended."""
    return swing.from_hiding or (swing.one_of and combatant.used(FROM_HIDING) > 0)


def _as_attacked_by(by: Combatant, on: Combatant) -> Combatant:
    """The target, not distracted if this attacker distracts it: only others hit it easily."""
    if not any(effect.source == by.id for effect in on.all_named(DISTRACTED)):
        return on
    return replace(on, effects=tuple(e for e in on.effects if e.name != DISTRACTED))


# -- what a hit deals ------------------------------------------------------------------------------


def _land(ctx: Context, swing: AttackRequest, outcome: str, bonus: int) -> None:
    """Deal the damage of a hit, if there is any: twice the dice on a critical, and then the
    critical damage, of the attack's type unless it names one (ruling 3). Called numbers replace the
    sheet's; this attack's options, `extra`, and the situation's bonus add to them."""
    weapon, is_critical = swing.weapon, outcome == CRIT
    rolled = swing.rolled_damage or powers.own_damage(weapon)
    if not rolled:
        if weapon in sheet.attacks_of(ctx.state[swing.who]) and not weapon.inflicts:
            ctx.note(checks.no_damage_note(weapon.name))
        return
    parts = [
        (amount_as_rolled(ctx, swing.who, value, is_critical), kind or weapon.type)
        for value, kind in rolled
    ]
    own = weapon.extra if any(isinstance(value, str) for value, _ in rolled) else ()
    extras = (own, swing.modifiers.extra) if is_critical else ()
    for amount, *kind in filter(None, extras):
        shown = max(0, checks.roll_extra_dice(ctx, swing.who, amount, "critical damage"))
        parts.append((shown, kind[0] if kind else parts[0][1]))
    landed = movement.damage_of(ctx.tables, swing.modifiers.falling)
    parts += [(landed, movement.BLUNT)] if landed else []
    damage.deal(
        ctx,
        swing.against,
        damage.DamageInstance(tuple(parts), swing.who, bonus=max(bonus, -parts[0][0])),
    )


def follow_up_attack(outcome: list[str], swing: AttackRequest) -> AttackRequest:
    """The request, without the fall if an earlier attack of the command has hit."""
    has_hit = any(each in HITS for each in outcome)
    return replace(swing, modifiers=replace(swing.modifiers, falling=0)) if has_hit else swing


def amount_as_rolled(
    ctx: Context, combatant_id: str, amount: int | str, critical: bool = False
) -> int:
    """A called amount, or rolled dice."""
    if isinstance(amount, int):
        return amount
    return max(
        0,
        checks.roll_extra_dice(
            ctx, combatant_id, rolls.twice(amount) if critical else amount, "damage"
        ),
    )


def in_words(
    outcomes: list[str], rolled_damage: RolledDamage, works: Collection[str] = HITS
) -> str:
    """Describe outcomes, with the called damage of those that hit: ", hit 8 slashing 4 fire"."""
    dealt = rolled_damage if any(each in works for each in outcomes) else ()
    return f", {', '.join(outcomes)}" + "".join(
        f" {amount} {kind}".rstrip() for amount, kind in dealt
    )


ATTACKS_ACTS = {"attack": DeclaredTechnique(AttackArgs, take_attack)}

ACTS = {**HANDS_ACTS, **ATTACKS_ACTS}
