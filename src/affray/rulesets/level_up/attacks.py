"""Level Up: attacks, with their modifiers, reasons for advantage, rolls, and what a hit deals.

Start reading with `take_attack`, the action, and `attack`, one roll. Things of the surroundings are
thrown here as well (`throw`).

Seed 002: Making an Attack, Unseen Attackers and Targets, Ranged Attacks, Cover, Example
Environments (Loose Rocks, Tables); rules file, 4 and 13.4.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import Dice, DieInput, parse_dice
from affray.core.engine.effects import active_effects, end_effects_named
from affray.core.engine.events import UseCounted
from affray.core.engine.state import Combatant
from affray.core.parser import arguments
from affray.core.parser.declarations import ParseState
from affray.core.parser.errors import Refused, join_or
from affray.core.parser.prompt_fields import Field
from affray.core.rules.campaign_tables import environment_name, features_of
from affray.core.rules.ruleset import Context
from affray.mechanics import (
    actions,
    checks as shared_checks,
    damage as shared_damage,
    powers,
    stats,
)
from affray.mechanics.actions import ActorSituation, PayFunction, require_other_target
from affray.mechanics.stats import CombatantSituation
from affray.rulesets.level_up import action_economy, checks, conditions, damage, dying, scene, sheet
from affray.rulesets.level_up.sheet import REACHES, Attack, attacks_of

HIDDEN = "hidden"
HITS = ("hit", "crit")


# -- what is said ----------------------------------------------------------------------------------


def _weapons(reading: ParseState) -> dict[str, Attack]:
    return {attack.name: attack for attack in attacks_of(reading.ctx.actor())}


_WEAPON = arguments.keyword_arg(
    "with", arguments.custom_name_arg("the attack", _weapons), field=Field("weapon")
)
_DIE = shared_checks.die_arg(
    checks.ATTACK_OUTCOMES,
    may_lack=shared_checks.is_rolled_for,
)
MORE = replace(
    shared_damage.MORE, read=shared_damage.format_damage_parts(arguments.damage_arg().read).read
)
"""What an attack deals of other types, rolled when it hits: `4 fire 1d6 thunder`."""


class AttackModifiers(checks.RollModifiers, frozen=True):
    """The options of an attack, in any order behind its target."""

    cover: Annotated[str, checks.cover_said(*checks.COVER, checks.TOTAL_COVER)] = ""
    unseen: Annotated[bool, arguments.flag_arg(heard="unseen")] = False
    target_unseen: Annotated[bool, arguments.flag_arg(heard="target-unseen")] = False
    long: Annotated[bool, arguments.flag_arg()] = False
    close: Annotated[bool, arguments.flag_arg()] = False
    reach: Annotated[str, arguments.anywhere_choice_arg(*REACHES)] = ""
    unproficient: Annotated[bool, arguments.flag_arg()] = False
    weapon: Annotated[Attack | None, _WEAPON] = None
    knockout: Annotated[bool, arguments.flag_arg("nonlethal")] = False
    choice: Annotated[str, dying.CHOICE] = ""


class AttackArgs(Struct, frozen=True):
    """One attack as the command describes it: its target, its die, its damage."""

    target: Annotated[Combatant, arguments.combatant_arg("who is attacked", usage="TARGET")]
    die: Annotated[DieInput, _DIE]
    words: Annotated[AttackModifiers, arguments.keyword_args(AttackModifiers, "WORDS")]
    amount_rolled: Annotated[int | str, arguments.damage_arg(usage="AMOUNT")] = ""
    type: Annotated[str, arguments.damage_type_arg(requires="amount_rolled")] = ""
    more: Annotated[tuple[tuple[int | str, str], ...], MORE] = ()


class AttackRequest(Struct, frozen=True):
    """The weapon and kind of an attack, beside its arguments.

    what     how the log calls it: "attack", "opportunity attack"
    weapon   with what, or which spell
    pressed  whether it is one of an Attack action that may be pressed
    spell    whether it is no weapon's; power: whether it is a power of the sheet's
    amounts_rolled     the damage that fell for the targets before, where it falls once for all
    """

    what: str
    weapon: Attack
    pressed: bool = False
    spell: bool = False
    power: bool = False
    amounts_rolled: Sequence[shared_damage.Part] = ()


def weapon_of(attacker: Combatant, words: AttackModifiers) -> Attack:
    """Return the attack that the command names, else the first of the sheet.

    Without any, the command has to say bonus and damage.
    """
    return words.weapon or next(iter(attacks_of(attacker)), Attack("attack", 0))


def is_ranged(words: AttackModifiers, weapon: Attack) -> bool:
    """Whether it is a ranged attack: as said, thrown from afar, or as the weapon has it."""
    from_afar = weapon.thrown and (words.long or words.close)
    return (words.reach or ("ranged" if from_afar else weapon.reach)) == "ranged"


# -- the attack ------------------------------------------------------------------------------------


def attack(
    ctx: Context, attacker: Combatant, args: AttackArgs, request: AttackRequest, pay: PayFunction
) -> Sequence[shared_damage.Part]:
    """Make an attack, and let it land when it hits; gives the damage that has fallen by then."""
    words = args.words
    _refuse(attacker, args, request)
    if args.die.rolled_here:  # said afterwards, the dice would have to be rolled again
        dying.require_choice(args.target, words.choice)
    pay()
    attacker, target = ctx.state[attacker.id], ctx.state[args.target.id]
    weapon = request.weapon
    check = AttackCheck(
        attacker.id,
        weapon.name,
        args.die,
        against=target.id,
        modifiers=words,
        name=request.what,
        request=request,
    )
    bonus = check.damage_bonus(ctx)
    outcome = check.make(ctx).outcome
    end_effects_named(ctx, attacker.id, HIDDEN, "it attacks")
    amounts_rolled = request.amounts_rolled
    if outcome in HITS:
        amounts_rolled = _land(ctx, attacker, args, request, outcome == "crit", bonus)
        apply_hit_effects(ctx, attacker.id, target.id, weapon)
    does = f"casts {weapon.name} at" if request.spell else "attacks"
    does = f"uses {weapon.name} on" if request.power else does
    ctx.text = f"{attacker.name} {does} {target.name}{_log_text(args, outcome)}"
    return amounts_rolled


def attack_outcome(natural: int, total: int, armor_class: int) -> str:
    """A natural 20 always hits and is critical, a natural 1 never does (rules file, 2.2)."""
    if natural in (1, 20):
        return "fumble" if natural == 1 else "crit"
    return "hit" if total >= armor_class else "miss"


class AttackCheck(shared_checks.Check, frozen=True, kw_only=True):
    """The attack roll; a hit uses up effects on damage as well."""

    modifiers: AttackModifiers
    request: AttackRequest

    numbers = checks.NUMBERS
    one_die_if_cancelled = True  # (2.4)
    exposes = ("ac",)

    def parts(self, ctx: Context, roller: CombatantSituation) -> list[stats.StatPart]:
        """List the weapon's bonus, the effects in force, and the bonus that the command says."""
        lacking = roller.who.number("pb") if self.modifiers.unproficient else 0
        return [
            stats.StatPart(self.request.weapon.bonus, self.stat),
            *([stats.StatPart(-lacking, "not proficient")] if lacking else []),
            *stats.stat_parts(roller, "attack", against=self.against),
            *checks.said_parts(ctx, self.who, self.die, self.modifiers),
        ]

    def reasons(self, ctx: Context, roller: CombatantSituation) -> tuple[list[str], list[str]]:
        """List the reasons for and against it (rules file, 2.3, 4.2 to 4.6)."""
        attacker, target = roller.who, ctx.state[self.against]
        words, weapon, pro, con = self.modifiers, self.request.weapon, [], []
        ranged = is_ranged(words, weapon)
        unseen = is_unseen(ctx, attacker, target, words.unseen)
        if is_unseen(ctx, target, attacker, words.target_unseen):
            con.append("neither sees the other" if unseen else f"{target.name} is unseen")
        elif unseen:
            pro.append(f"unseen by {target.name}")
        if self.request.pressed and _presses(ctx, attacker, target):
            pro.append("pressing")
        con += ["long range"] if words.long else []
        con += ["an enemy is close"] if words.close else []
        if not self.request.spell:
            con += scene.hinders_attack(ctx.state, attacker, weapon, ranged)
        conditions_met = ["far" if ranged else "near", *([] if unseen else ["seen"])]
        suffering = checks.situation_of(ctx, target)
        more = stats.advantage_reasons(roller, ("attack",), suffering, conditions_met)
        return [*words.pro, *pro, *more[0]], [*words.con, *con, *more[1]]

    def target_number(self, ctx: Context) -> int:
        """The target's AC, with its cover."""
        cover = checks.cover_bonus(ctx, self.modifiers.cover)
        return stats.stat_value(checks.situation_of(ctx, ctx.state[self.against]), "ac", more=cover)

    def outcome(self, roller: CombatantSituation, natural: int, total: int, dc: int | None) -> str:
        """The outcome against an AC."""
        return attack_outcome(natural, total, dc or 0)

    def bend(self, ctx: Context, roller: CombatantSituation, outcome: str) -> str:
        """Turn any outcome into a miss at long range under water (R27)."""
        at_long_range = self.modifiers.long and not self.request.spell
        return "miss" if at_long_range and scene.is_on(ctx.state, scene.UNDERWATER) else outcome

    def uses_up(self, outcome: str) -> tuple[str, ...]:
        """The kinds of rolls and numbers whose used effects end."""
        return ("attack", "damage") if outcome in HITS else ("attack",)


def _refuse(attacker: Combatant, args: AttackArgs, request: AttackRequest) -> None:
    """Raises Refused for options of ranged attacks on a melee attack, for a target that can't be
    attacked, for a roll without a bonus, and for a hit without damage.
    """
    weapon, words = request.weapon, args.words
    distance = "long" if words.long else "close" if words.close else ""
    if distance and not is_ranged(words, weapon):
        raise Refused(f"`{distance}` is said of a ranged attack, and {weapon.name} is a melee one")
    require_other_target(attacker, args.target, "attack")
    if words.cover == checks.TOTAL_COVER:
        raise Refused(f"{args.target.name} is behind total cover, and can't be targeted")
    has_dice = bool(attacks_of(attacker)) or request.spell or request.power
    has_bonus = "spell" in attacker.stats if request.spell else has_dice
    lacks = "spell attack bonus" if request.spell else shared_checks.OWN_ATTACK
    if not args.die.outcome and not has_bonus and not words.plus:
        raise shared_checks.no_bonus(attacker, "plus 5", lacks)
    if args.die.outcome not in ("miss", "fumble") and not has_dice and args.amount_rolled == "":
        raise shared_checks.no_damage(attacker, "hit 8", lacks)


# -- what speaks for it, and against it ------------------------------------------------------------


def is_unseen(ctx: Context, combatant: Combatant, by: Combatant, is_given: bool) -> bool:
    """True if a combatant is hidden from or invisible to another, that one is blinded, or as said.

    Blindsight sees everybody who isn't said to be unseen. Rules file, 4.5.
    """
    if by.stats.get("blindsight"):
        return is_given
    return is_given or any(
        stats.forbidding_effects(ctx.tables, active_effects(ctx.tables, ctx.state, whom), what)
        for whom, what in ((combatant, "be-seen"), (by, "see"))
    )


def _presses(ctx: Context, attacker: Combatant, target: Combatant) -> bool:
    """True if pressing gives advantage: in the attacker's turn, unless the target fell back."""
    if attacker.named(action_economy.PRESSING) is None or not ctx.state.takes_turn(attacker.id):
        return False
    return attacker.id not in (e.source for e in target.all_named(action_economy.FALLEN_BACK))


# -- what a hit deals ------------------------------------------------------------------------------


def _land(
    ctx: Context,
    attacker: Combatant,
    args: AttackArgs,
    request: AttackRequest,
    critical: bool,
    bonus: int,
) -> Sequence[shared_damage.Part]:
    target = ctx.state[args.target.id]
    own = (request.weapon, args.amount_rolled, args.type, args.more)
    parts = request.amounts_rolled or parts_of(ctx, attacker.id, *own)
    if not parts:
        return parts
    blow = damage.DamageInstance(
        parts,
        attacker.id,
        critical=critical,
        bonus=bonus,
        melee=not is_ranged(args.words, request.weapon),
        magical=request.weapon.magical,
        knockout=args.words.knockout,
        choice=args.words.choice,
    )
    damage.deal(ctx, target.id, blow)
    if critical and target.life == "up" and target.track("hp") and target.track("reaction"):
        ctx.emit(UseCounted(target.id, *action_economy.CAN_BLOCK))  # rules file, 5.2, 5.3
    return parts


def apply_hit_effects(ctx: Context, by: str, target: str, weapon: Attack) -> None:
    """Apply the effects of a hit beside its damage: its conditions, and its saving throw."""
    powers.apply_inflicted(ctx, by, target, weapon.inflicts, conditions.apply_all)
    if weapon.save is not None:
        damage_rolled = damage.damage_as_rolled(ctx, by, weapon.save.dice, weapon.save.type)
        conditions.ask_save(
            ctx, by, target, weapon.name, weapon.save, damage_rolled, checks.RollModifiers()
        )


def parts_of(
    ctx: Context,
    by: str,
    weapon: Attack,
    called: int | str = "",
    kind: str = "",
    more: Iterable[tuple[int | str, str]] = (),
) -> list[shared_damage.Part]:
    """The damage of each type: as it was called out, or the dice of the attack as they fall; none
    of one that deals none."""
    rows = powers.own_damage(weapon) if called == "" else ((called, kind or weapon.type), *more)
    return [
        (damage.damage_as_rolled(ctx, by, amount, its), its) for amount, its in rows if amount != ""
    ]


def _lighter(weapon: Attack) -> Attack:
    """The weapon without the ability modifier in its dice (Two-Weapon Fighting)."""
    dice = parse_dice(weapon.dice) if weapon.dice else None
    return replace(weapon, dice=str(Dice(dice.pools))) if dice and dice.modifier > 0 else weapon


def _log_text(args: AttackArgs, outcome: str) -> str:
    """Word it as " with dagger, hit 3 piercing"."""
    means = f" with {args.words.weapon.name}" if args.words.weapon else ""
    more = (f"{amount} {kind}" for amount, kind in args.more)
    dealt = (str(args.amount_rolled), args.type, *more) if outcome in HITS else ()
    return " ".join(filter(None, (f"{means}, {outcome}", *dealt)))


# -- the actions -----------------------------------------------------------------------------------


def take_attack(ctx: Context, args: AttackArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Attack: one of the Attack action's (rules file, 3.1)."""
    weapon = weapon_of(combatant, args.words)
    attack(ctx, combatant, args, AttackRequest("attack", weapon, pressed=True), pay)
    if ctx.state.phase == "combat" and ctx.state.takes_turn(combatant.id):
        ctx.emit(UseCounted(combatant.id, action_economy.with_weapon(weapon.name)))


def take_off_hand(ctx: Context, args: AttackArgs, combatant: Combatant, pay: PayFunction) -> None:
    """An attack with another weapon that is dual-wielding, by the bonus action (4.9)."""
    weapon = _other_weapon(combatant, args.words)
    if is_ranged(args.words, weapon) and not weapon.thrown:
        raise Refused(f"{weapon.name} can't be thrown: it is no thrown weapon")
    attack(ctx, combatant, args, AttackRequest("off-hand attack", _lighter(weapon)), pay)


def _other_weapon(combatant: Combatant, words: AttackModifiers) -> Attack:
    """The weapon of the off-hand attack: as said, else the first that wasn't used yet.

    Raises Refused for one that is not dual-wielding, and for the one of the Attack action.
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


def with_spell(combatant: Combatant, args: AttackArgs, spell: str) -> AttackRequest:
    """Make the request of a spell's attack: at range unless `melee` is given, with the spell
    bonus."""
    melee = args.words.reach == "melee"
    means = Attack(
        spell, combatant.number("spell"), reach="melee" if melee else "ranged", magical=True
    )
    return AttackRequest("spell attack", means, spell=True)


def opportunity(ctx: Context, args: AttackArgs, combatant: Combatant, pay: PayFunction) -> None:
    """One melee attack, by the reaction, against an enemy that leaves one's reach (4.8)."""
    target, weapon = args.target, weapon_of(combatant, args.words)
    if target.side == combatant.side:
        raise Refused(f"{target.name} is not hostile to {combatant.name}")
    if target.named("disengaged") is not None:
        raise Refused(f"{target.name} has disengaged, and provokes no opportunity attacks")
    if is_unseen(ctx, target, combatant, args.words.target_unseen):
        raise Refused(f"{combatant.name} can't see {target.name}")
    if not args.words.weapon and weapon.reach == "ranged":
        weapon = next((a for a in attacks_of(combatant) if a.reach == "melee"), weapon)
    if is_ranged(args.words, weapon):
        raise Refused("an opportunity attack is a melee attack")
    attack(ctx, combatant, args, AttackRequest("opportunity attack", weapon), pay)


# -------------------------------------------------------------------------------------------------
# Features of the surroundings used as an attack or an action.


def throw(ctx: Context, combatant: Combatant, name: str, args: AttackArgs) -> None:
    """Throw something at somebody: one of the Attack action's, with the bonus of one's own ranged
    attack where none is said (Loose Rocks)."""
    row = features_of(ctx.tables.environments)[name]
    afar = [a for a in sheet.attacks_of(combatant) if a.reach == "ranged" or a.thrown]
    if not (afar or args.die.outcome or args.words.plus):
        raise Refused(f"{combatant.name} has no ranged attack to throw by: say its bonus, `plus 4`")
    bonus = 0 if args.words.plus or not afar else afar[0].bonus
    stone = sheet.Attack(name, bonus, row.amount, row.type, "ranged", thrown=True)
    pay = partial(actions.pay, action_economy.ECONOMY, ctx, combatant.id, action_economy.ATTACK)
    attack(ctx, combatant, args, AttackRequest("attack", stone, pressed=True), pay)
    ctx.text = ctx.text.replace(" attacks ", f" throws {environment_name(name, row)} at ", 1)


def take_action(ctx: Context, name: str) -> None:
    """Pay for what takes the action, in a turn of one's own. Raises Refused with the reason."""
    combatant = ctx.actor()
    now = ActorSituation(ctx.tables, ctx.state, combatant)
    reason = action_economy.ECONOMY.why_not(now, "use", {"action": 1})
    if reason:
        raise Refused(f"{combatant.name} can't use {name}: {reason}")
    if ctx.state.phase == "combat":
        actions.pay_tracks(ctx, combatant.id, name, {"action": 1})
