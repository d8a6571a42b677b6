"""5e: its own rules of attacks: range, light weapons, masteries, criticals.

SRD 5.2.1, Making an Attack, Weapons, Condition.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

from msgspec.structs import replace

from affray.core.engine.effects import EffectSpec, end_effects_named, remove_effect
from affray.core.engine.events import UseCounted
from affray.core.engine.state import Combatant, Encounter
from affray.core.parser import arguments
from affray.core.parser.errors import Refused, join_or
from affray.core.rules.ruleset import Context
from affray.mechanics import stats
from affray.mechanics.actions import PayFunction, require_other_target, reset_turn_track
from affray.mechanics.conditions import replace_effect
from affray.mechanics.sheet import SIZES, size_difference, size_of
from affray.mechanics.stats import CombatantSituation, Reasons
from affray.rulesets.fifth import action_economy, checks
from affray.rulesets.fifth.settings import UNDERWATER
from affray.rulesets.fifth.sheet import MASTERIES, Attack, Save, is_2014, is_bloodied, mastery_of
from affray.rulesets.srd import attacks, conditions, damage, sheet as srd_sheet
from affray.rulesets.srd.action_economy import OFF_HAND
from affray.rulesets.srd.attacks import (
    AttackRequest,
    attack,
    is_ranged,
    is_unseen,
    weapon_of,
    without_ability,
)
from affray.rulesets.srd.checks import rolls_of
from affray.rulesets.srd.sheet import next_turn

_BREATHES = ("dagger", "javelin", "shortsword", "spear", "trident")
_SHOTS = ("crossbow", "net")

_MASTERY = arguments.keyword_arg("mastery", arguments.choice_arg("a mastery", ("none", *MASTERIES)))


class AttackModifiers(attacks.AttackModifiers, frozen=True):
    """The options of an attack.

    adjacent, reach  True if the target is within 5 feet, where the attack doesn't tell
    out_of_sight     True if what frightens the attacker is out of sight
    mastery          another mastery than the weapon's own; `none` for none
    inspired         True if inspiration is spent on it, by the rules of 2014
    """

    adjacent: arguments.Flag = False
    reach: arguments.Flag = False
    out_of_sight: arguments.Flag = False
    mastery: Annotated[str, _MASTERY] = ""
    inspired: arguments.Flag = False
    magical: arguments.Flag = False
    sight: bool = False
    hearing: bool = False


class AttackArgs(attacks.AttackArgs, frozen=True):
    words: Annotated[AttackModifiers, arguments.keyword_args(AttackModifiers, "WORDS")]


def is_near(words: AttackModifiers, weapon: srd_sheet.Attack) -> bool:
    """True if the target is within 5 feet: for a melee attack without `reach`, for a ranged one
    with `adjacent`."""
    return words.adjacent if is_ranged(words, weapon) else not words.reach


def ability_of(combatant: Combatant, weapon: srd_sheet.Attack) -> int:
    """The ability modifier of an attack with a weapon."""
    strength, dexterity = combatant.number("str"), combatant.number("dex")
    if isinstance(weapon, Attack) and weapon.finesse:
        return max(strength, dexterity)
    return dexterity if weapon.reach == "ranged" and not weapon.thrown else strength


# -- the roll --------------------------------------------------------------------------------------


class AttackCheck(attacks.AttackCheck, frozen=True, kw_only=True):
    """The attack roll."""

    modifiers: AttackModifiers

    numbers = checks.NUMBERS
    blind_cancels = True

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds by which rows name it: D20 tests include attacks."""
        return ("attack", "test")

    @property
    def is_with_weapon(self) -> bool:
        """True if it is made with a weapon, such as a monster's bite, and not by magic (ruling
        24)."""
        return not (self.request.power and self.modifiers.magical)

    def more_parts(self, ctx: Context) -> list[stats.StatPart]:
        """List the bonus in the command, and the dice of effects."""
        roller = checks.situation_of(ctx, ctx.state[self.who])
        return [*self.modifiers.parts, *checks.dice_parts(ctx, roller, self.die, self.kinds)]

    def met(self, ctx: Context, ranged: bool) -> list[str]:
        """List the situation between the two: near or far, and if an ally distracts the target."""
        target, attacker = ctx.state[self.against], ctx.state[self.who]
        helped = any(
            _may_use(ctx, e.source, e.note, attacker) for e in target.all_named(DISTRACTED)
        )
        near = is_near(self.modifiers, self.request.weapon)
        return ["near" if near else "far", *(["helped"] if helped else [])]

    def own_reasons(self, ctx: Context, roller: CombatantSituation, ranged: bool) -> Reasons:
        """List the reasons of 5e alone."""
        attacker, target, words = roller.who, ctx.state[self.against], self.modifiers
        weapon, con = self.request.weapon, list[str]()
        if ranged and words.adjacent and not words.close and _hampers(ctx, target, attacker, words):
            con.append("an enemy is close")
        if weapon.heavy and _is_too_heavy(ctx, attacker, weapon):
            con.append("heavy")
        if self.is_with_weapon and _is_hard_under_water(ctx, attacker, weapon, ranged):
            con.append(UNDERWATER.name)
        pro = ["inspired"] if words.inspired else []
        if is_2014(ctx.state) and checks.exhaustion_of(roller) >= 3:
            con.append(checks.EXHAUSTION)
        return pro, con

    def reasons(self, ctx: Context, roller: CombatantSituation) -> Reasons:
        """List the reasons; `out-of-sight` silences fear, and 2014 grapples hinder nothing."""
        pro, con = super().reasons(ctx, roller)
        silent = ["frightened"] if self.modifiers.out_of_sight else []
        silent += ["grappled"] if is_2014(ctx.state) else []
        return pro, [name for name in con if name not in silent]

    def outcome(self, roller: CombatantSituation, natural: int, total: int, dc: int | None) -> str:
        """The outcome of every attack; from `threat` on a hit is critical."""
        plain = super().outcome(roller, natural, total, dc)
        weapon = self.request.weapon
        threat = weapon.threat if isinstance(weapon, Attack) else 20
        return "crit" if plain == "hit" and natural >= threat else plain

    def bend(self, ctx: Context, roller: CombatantSituation, outcome: str) -> str:
        """Hits on the helpless nearby are critical; far shots under water miss."""
        under_water = UNDERWATER.is_on(ctx.state)
        if under_water and self.modifiers.long and self.is_with_weapon:
            return "miss"
        target = self.target_situation(ctx)
        if outcome != "hit" or not target.effects:
            return outcome
        helpless = stats.reasons_against(target, "critical", self.who, self.conditions_met(ctx))
        return "crit" if helpless else outcome


DISTRACTED, HELPED = "distracted", "helped"


def _may_use(ctx: Context, helper_id: str, ally_id: str, attacker: Combatant) -> bool:
    """True if somebody has the help of the one distracting a target: an ally, or the one named."""
    helper = ctx.state.find(helper_id)
    if helper is None or helper.id == attacker.id or helper.side != attacker.side:
        return False
    return ally_id in ("", attacker.id)


def _hampers(ctx: Context, enemy: Combatant, attacker: Combatant, words: AttackModifiers) -> bool:
    """True if an enemy beside a shooter hampers the shot (ruling 9)."""
    if stats.forbidding_effects(ctx.tables, checks.situation_of(ctx, enemy).force, "act"):
        return False
    return enemy.life == "up" and not is_unseen(ctx, attacker, enemy, words.unseen)


def _is_too_heavy(ctx: Context, attacker: Combatant, weapon: srd_sheet.Attack) -> bool:
    """True if a heavy weapon is too much for somebody (ruling 11)."""
    if is_2014(ctx.state):
        return SIZES.index(size_of(attacker)) <= SIZES.index("small")
    ability = "dex" if weapon.reach == "ranged" and not weapon.thrown else "str"
    return ability in attacker.stats and attacker.number(ability) <= 0


def _is_hard_under_water(
    ctx: Context, attacker: Combatant, weapon: srd_sheet.Attack, ranged: bool
) -> bool:
    """True if an attack with a weapon is hard under water."""
    if not UNDERWATER.is_on(ctx.state) or weapon.name == "unarmed":
        return False
    name, old = weapon.name.casefold(), is_2014(ctx.state)
    if ranged:
        return not (old and (weapon.thrown or any(word in name for word in _SHOTS)))
    if attacker.stats.get("swim"):
        return False
    return not any(w in name for w in _BREATHES) if old else weapon.type != "piercing"


# -- refusals --------------------------------------------------------------------------------------


def require_attack(
    ctx: Context, attacker: Combatant, args: AttackArgs, request: AttackRequest
) -> None:
    """Raises Refused for an attack on the attacker's charmer, and for a second shot with a loading
    weapon."""
    require_uncharmed(attacker, [args.target], "attack")
    weapon = request.weapon
    loads = isinstance(weapon, Attack) and weapon.loading and request.pressed
    if loads and ctx.state.in_combat and attacker.used(f"shot with {weapon.name}"):
        raise Refused(f"{weapon.name} has to be loaded: one shot per action")
    if args.words.inspired:
        checks.spend_inspiration(ctx, attacker.id)


# -- behind the roll -------------------------------------------------------------------------------


def after_attack(
    ctx: Context, attacker: Combatant, args: AttackArgs, request: AttackRequest, outcome: str
) -> None:
    """Use up help against the target, count the attack for the rest of the turn, and apply the
    weapon's masteries."""
    target_id = args.target.id
    _use_up_help(ctx, attacker, target_id)
    fights = ctx.state.in_combat
    weapon = request.weapon
    hit = outcome in attacks.HITS
    if fights and request.pressed and ctx.state.takes_turn(attacker.id):
        ctx.emit(UseCounted(attacker.id, action_economy.with_weapon(weapon.name)))
        if isinstance(weapon, Attack) and weapon.loading:
            ctx.emit(UseCounted(attacker.id, f"shot with {weapon.name}"))
        old_and_far = is_2014(ctx.state) and weapon.reach == "ranged"
        if weapon.light and not old_and_far and not attacker.used(OFF_HAND):
            reset_turn_track(ctx, attacker.id, "off_hand", 1)
    if fights and hit and not is_ranged(args.words, weapon):
        ctx.emit(UseCounted(attacker.id, action_economy.hit_with(ctx.state, weapon.name)))
    for mastery in () if request.power else _masteries(ctx.state, weapon, args.words):
        if mastery == "topple" and hit and not ctx.state[target_id].is_out:
            of, save = f"{TOPPLE}{weapon.name}", topple(ctx.state[attacker.id], weapon)
            die = None if weapon.save is not None else next(iter(args.words.withstand), None)
            conditions.ask_save(ctx, attacker.id, target_id, of, save, die=die)
        else:
            _use_mastery(ctx, attacker.id, target_id, weapon, mastery, hit)


def _use_up_help(ctx: Context, attacker: Combatant, target_id: str) -> None:
    """End one distraction of the target by an ally, and the attacker's vexing of it."""
    target = ctx.state[target_id]
    for effect in target.all_named(DISTRACTED):
        if _may_use(ctx, effect.source, effect.note, attacker):
            remove_effect(ctx, target_id, effect.id, "used")
    for effect in target.all_named("vexed"):
        if effect.source == attacker.id:
            remove_effect(ctx, target_id, effect.id, "used")


def _use_mastery(
    ctx: Context, by: str, target_id: str, weapon: srd_sheet.Attack, mastery: str, hit: bool
) -> None:
    """Apply a mastery."""
    attacker, target = ctx.state[by], ctx.state[target_id]
    if mastery == "graze" and not hit:
        amount = max(0, ability_of(attacker, weapon))
        if amount and not target.is_out:
            blow = damage.DamageInstance(
                [(amount, weapon.type)], by, magical=weapon.magical, label=" grazing"
            )
            damage.deal(ctx, target_id, blow)
        return
    if not hit or target.is_out:
        return
    start, end = (next_turn(ctx.state, by, edge) for edge in ("start", "end"))
    dealt = _was_hurt(ctx, target_id)
    if mastery == "sap":
        replace_effect(ctx, target_id, "sapped", start, by_source=True, source=by)
    elif mastery == "slow" and dealt:
        replace_effect(ctx, target_id, "slowed", start, source=by)
    elif mastery == "vex" and dealt:
        replace_effect(ctx, target_id, "vexed", end, by_source=True, source=by)
    elif mastery == "push" and SIZES.index(size_of(target)) <= SIZES.index("large"):
        ctx.note("may be pushed up to 10 feet", target.id)


def _masteries(
    state: Encounter, weapon: srd_sheet.Attack, words: AttackModifiers | None
) -> Sequence[str]:
    """The masteries of the attack: the named one, else the weapon's own; none in 2014."""
    named = words.mastery if words is not None else ""
    if is_2014(state) or named == "none":
        return ()
    return (named,) if named else mastery_of(weapon)


def topples(
    state: Encounter, weapon: srd_sheet.Attack, words: AttackModifiers | None = None
) -> bool:
    """True if a hit with a weapon topples who fails its save."""
    return "topple" in _masteries(state, weapon, words)


TOPPLE = "topple with "
"""How the save that a toppling weapon asks for is called, before the weapon's name."""


def topple(attacker: Combatant, weapon: srd_sheet.Attack) -> Save:
    """Make the save of somebody whom a weapon may topple."""
    dc = 8 + ability_of(attacker, weapon) + attacker.number("pb")
    return Save("con", dc=dc, inflicts=("prone",))


def _was_hurt(ctx: Context, combatant_id: str) -> bool:
    """True if this command took HP or temporary HP of somebody."""
    before, now = ctx.before.find(combatant_id), ctx.state[combatant_id]
    if before is None:
        return True
    return any(now.track(track) < before.track(track) for track in ("hp", "temp_hp"))


def weapon_now(attacker: Combatant, weapon: srd_sheet.Attack) -> srd_sheet.Attack:
    """A weapon with the dice that it has while its user is Bloodied."""
    if isinstance(weapon, Attack) and weapon.bloodied and is_bloodied(attacker):
        return replace(weapon, dice=weapon.bloodied)
    return weapon


# -- the actions -----------------------------------------------------------------------------------


def take_attack(ctx: Context, args: AttackArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Attack: one of the Attack action's."""
    weapon = weapon_now(combatant, weapon_of(ctx, combatant, args.words))
    if args.words.magical:
        weapon = replace(weapon, magical=True)
    attack(ctx, combatant, args, AttackRequest("attack", weapon, pressed=True), pay)


def take_off_hand(ctx: Context, args: AttackArgs, combatant: Combatant, pay: PayFunction) -> None:
    """An attack with another light weapon."""
    is_old = is_2014(ctx.state)
    fit = action_economy.off_hand_weapons(combatant, is_old)
    weapon = args.words.weapon or next(iter(fit), None)
    found = next((a for a in fit if weapon is not None and a.name == weapon.name), None)
    if found is None:
        has = join_or([a.name for a in fit], "and") or "none"
        raise Refused(
            f"the off-hand attack takes another weapon that is light; {combatant.name} has {has}"
        )
    lighter = found if combatant.stats.get("two-weapon-fighting") else without_ability(found)
    cost = action_economy.off_hand_cost(combatant, found, is_old)
    request = AttackRequest("off-hand attack", lighter)
    second = f", with a second {found.name}" if action_economy.is_second(combatant, found) else ""
    attack(ctx, combatant, args, request, lambda *_: pay(cost))
    ctx.text += second


def cleave(ctx: Context, args: AttackArgs, combatant: Combatant, pay: PayFunction) -> None:
    """An attack on another one with the weapon that has just hit."""
    fit = action_economy.cleaving(ctx.state, combatant)
    weapon = next((a for a in fit if args.words.weapon in (None, a)), None)
    if fit and weapon is None:
        raise Refused(f"only {join_or([a.name for a in fit])} has hit and cleaves")
    rolls = rolls_of(ctx.previous.entry.events) if ctx.previous is not None else []
    if any(roll.against == args.target.id for roll in rolls):
        raise Refused(f"cleave is on another one: choose a target other than {args.target.name}")
    means = without_ability(weapon) if weapon else Attack("cleave", 0)
    attack(ctx, combatant, args, AttackRequest("cleave", means), pay)
    if ctx.state.in_combat:
        turn = action_economy.in_this_turn(ctx.state, action_economy.CLEAVE)
        ctx.emit(UseCounted(combatant.id, turn))


# -- grapple and shove -----------------------------------------------------------------------------


def require_uncharmed(combatant: Combatant, people: Iterable[Combatant], done: str) -> None:
    """Raises Refused for harming one's charmer."""
    charmers = {effect.source for effect in combatant.all_named("charmed")}
    for target in people:
        if target.id in charmers:
            raise Refused(f"{combatant.name} is charmed by {target.name}, and can't {done} them")


def require_size(combatant: Combatant, target: Combatant, done: str) -> None:
    """Raises Refused for a creature two or more sizes larger, for a charmer, and for oneself."""
    require_other_target(combatant, target, done)
    require_uncharmed(combatant, [target], done)
    if size_difference(target, combatant) >= 2:
        raise Refused(f"{target.name} is too large for {combatant.name} to {done}")


def grapple_dc(combatant: Combatant) -> int:
    """The DC for being grappled or shoved."""
    return 8 + combatant.number("str") + combatant.number("pb")


PRONE = EffectSpec("prone")


SEIZURES = A_GRAPPLE, A_SHOVE, A_PUSH, AN_ESCAPE = "a grapple", "a shove", "a push", "an escape"
"""The purposes of the saves and checks of grapples, shoves and escapes."""


def push(ctx: Context, combatant_id: str) -> None:
    """Tell that somebody is pushed."""
    ctx.note("is pushed 5 feet", combatant_id)


def grappling(state: Encounter, combatant: Combatant) -> EffectSpec:
    """The condition from a grapple, with the DC to escape; by the rules of 2014 escaping is a
    contest."""
    dc = 0 if is_2014(state) else grapple_dc(combatant)
    return EffectSpec("grappled", dc, source=combatant.id)


def escape_from(ctx: Context, combatant_id: str, holder: str) -> None:
    """End the grapple in which a combatant has another."""
    held = ctx.state.find(combatant_id)
    for effect in held.all_named("grappled") if held is not None else ():
        if effect.source == holder:
            remove_effect(ctx, combatant_id, effect.id, "escaped")


def leave_hiding(ctx: Context, combatant_id: str, why: str) -> None:
    """End hiding."""
    end_effects_named(ctx, combatant_id, attacks.HIDDEN, why)
