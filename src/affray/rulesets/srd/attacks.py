"""Attacks of games on the SRD: their options, reasons for advantage, the damage of a hit.

Start with `attack`, one roll.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import Dice, DieInput, parse_dice
from affray.core.engine.effects import effects_in_force, end_effects_named
from affray.core.engine.state import Combatant
from affray.core.parser import arguments
from affray.core.parser.declarations import Argument, ParseState
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import Field
from affray.core.rules.ruleset import Context
from affray.mechanics import checks as shared_checks, damage as shared_damage, powers, stats
from affray.mechanics.actions import PayFunction, require_other_target
from affray.mechanics.stats import CombatantSituation, Reasons
from affray.rulesets.srd import checks, conditions, damage
from affray.rulesets.srd.rules import rules_of
from affray.rulesets.srd.sheet import REACHES, Attack

HIDDEN = "hidden"
HITS = ("hit", "crit")
MISSES = ("miss", "fumble")


# -- what is said ----------------------------------------------------------------------------------


def _weapons(reading: ParseState) -> dict[str, Attack]:
    own = rules_of(reading.ctx).attacks_of(reading.ctx.actor())
    return {attack.name: attack for attack in own}


_WEAPON = arguments.keyword_arg(
    "with", arguments.custom_name_arg("the attack", _weapons), field=Field("weapon")
)
_DIE = shared_checks.die_arg(
    checks.ATTACK_OUTCOMES,
    may_lack=shared_checks.is_rolled_for,
)


def _targets(reading: ParseState) -> Sequence[Combatant | None]:
    return reading.value_of("people") or [reading.value_of("target")]


def _read_withstood(reading: ParseState) -> tuple[DieInput, ...]:
    """The dice of the saves that a hit asks for, one for each target."""
    count = len(_targets(reading))
    return tuple(shared_checks.parse_dice_inputs(reading.words, checks.OUTCOMES, count))


def may_be_withstood(reading: ParseState) -> bool:
    """True unless no hit is known to ask for a save at once."""
    if any(target is not None and target.kind == "pc" for target in _targets(reading)):
        return False
    rules, actor = rules_of(reading.ctx), reading.ctx.actor()
    power, weapon = reading.value_of("power"), reading.value_of("weapon")
    if power is not None:
        return power.bonus is not None and power.save is not None
    if reading.value_of("spell") is not None:
        return False
    return any(
        rules.asks_save(reading.ctx.state, attack)
        for attack in ((weapon,) if weapon else rules.attacks_of(actor))
    )


WITHSTOOD = replace(
    arguments.keyword_arg(
        "withstand", Argument(_read_withstood, "OUTCOME", field=checks.OUTCOME_FIELD)
    ),
    offered=may_be_withstood,
)
MORE = replace(
    shared_damage.MORE, read=shared_damage.damage_parts_arg(arguments.damage_arg().read).read
)
"""An attack's damage of other types, rolled when it hits: `4 fire 1d6 thunder`."""


class AttackModifiers(checks.RollModifiers, frozen=True):
    """The options of an attack, in any order behind its target; `withstand` is how the save came
    out that a hit asks of a monster, for each target."""

    cover: Annotated[str, checks.cover_said(*checks.COVER, checks.TOTAL_COVER)] = ""
    unseen: arguments.Heard = False
    target_unseen: arguments.Heard = False
    long: arguments.Flag = False
    close: arguments.Flag = False
    distance: Annotated[str, arguments.anywhere_choice_arg(*REACHES)] = ""
    unproficient: arguments.Flag = False
    weapon: Annotated[Attack | None, _WEAPON] = None
    knockout: Annotated[bool, arguments.flag_arg("nonlethal")] = False
    withstand: Annotated[tuple[DieInput, ...], WITHSTOOD] = ()


class AttackArgs(Struct, frozen=True):
    """One attack as the command describes it: its target, its die, its damage. A game declares the
    type of its `words`."""

    target: Annotated[
        Combatant, arguments.combatant_arg("the target of the attack", usage="TARGET")
    ]
    die: Annotated[DieInput, _DIE]
    words: Annotated[AttackModifiers, arguments.keyword_args(AttackModifiers, "WORDS")]
    amount_rolled: Annotated[int | str, arguments.damage_arg(usage="AMOUNT")] = ""
    type: Annotated[str, arguments.damage_type_arg(requires="amount_rolled")] = ""
    more: Annotated[tuple[tuple[int | str, str], ...], MORE] = ()


class AttackRequest(Struct, frozen=True):
    """The weapon and kind of an attack, besides its arguments.

    what     its name in the log: "attack", "opportunity attack"
    weapon   the weapon, or the spell
    pressed  True if it is one of the Attack action's
    spell    True unless it is a weapon's; `power` is True for a power of the sheet, or a spell
    amounts_rolled     the damage rolled for earlier targets, if it is rolled once for all
    """

    what: str
    weapon: Attack
    pressed: bool = False
    spell: bool = False
    power: bool = False
    cast: bool = False
    amounts_rolled: Sequence[shared_damage.Part] = ()


def weapon_of(ctx: Context, attacker: Combatant, words: AttackModifiers) -> Attack:
    """Return the attack that the command names, else the first of the sheet.

    Without any, the command has to say bonus and damage.
    """
    own = rules_of(ctx).attacks_of(attacker)
    return words.weapon or next(iter(own), Attack("attack", 0))


def is_ranged(words: AttackModifiers, weapon: Attack) -> bool:
    """True for a ranged attack: by the command, thrown from afar, or by the weapon."""
    from_afar = weapon.thrown and (words.long or words.close)
    return (words.distance or ("ranged" if from_afar else weapon.reach)) == "ranged"


# -- the attack ------------------------------------------------------------------------------------


class AttackCheck(shared_checks.Check, frozen=True, kw_only=True):
    """The attack roll; a hit uses up effects on damage as well. A game subclasses it with its
    numbers and its own reasons."""

    modifiers: AttackModifiers
    request: AttackRequest

    exposes = ("ac",)
    blind_cancels: ClassVar[bool] = False
    """True if advantage and disadvantage cancel if neither sees the other."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds by which rows of the tables name it."""
        return ("attack",)

    def more_parts(self, ctx: Context) -> list[stats.StatPart]:
        """List the bonuses in the command, and all others."""
        return self.modifiers.parts

    def parts(self, ctx: Context, roller: CombatantSituation) -> list[stats.StatPart]:
        """List the weapon's bonus, the effects in force, and the bonus that the command says."""
        lacking = roller.who.number("pb") if self.modifiers.unproficient else 0
        return [
            stats.StatPart(self.request.weapon.bonus, self.stat),
            *([stats.StatPart(-lacking, "not proficient")] if lacking else []),
            *stats.stat_parts(roller, "attack", against=self.against),
            *self.more_parts(ctx),
        ]

    def own_reasons(self, ctx: Context, roller: CombatantSituation, ranged: bool) -> Reasons:
        """List the reasons for advantage and disadvantage of this game alone."""
        return [], []

    def met(self, ctx: Context, ranged: bool) -> list[str]:
        """List the words of `suffers` that hold between the two: `near`, `far`."""
        return ["far" if ranged else "near"]

    def conditions_met(self, ctx: Context) -> list[str]:
        """List all words of `suffers` that hold between the two."""
        words, attacker, target = self.modifiers, ctx.state[self.who], ctx.state[self.against]
        unseen = is_unseen(ctx, attacker, target, words.unseen)
        met = self.met(ctx, is_ranged(words, self.request.weapon))
        return met if unseen else [*met, "seen"]

    def reasons(self, ctx: Context, roller: CombatantSituation) -> Reasons:
        """List the reasons for and against it."""
        attacker, target = roller.who, ctx.state[self.against]
        words, pro, con = self.modifiers, list[str](), list[str]()
        ranged = is_ranged(words, self.request.weapon)
        unseen = is_unseen(ctx, attacker, target, words.unseen)
        blind = is_unseen(ctx, target, attacker, words.target_unseen)
        if blind:
            both = unseen and not self.blind_cancels
            con.append("neither sees the other" if both else f"{target.name} is unseen")
        if unseen and (self.blind_cancels or not blind):
            pro.append(f"unseen by {target.name}")
        own = self.own_reasons(ctx, roller, ranged)
        pro += own[0]
        con += ["long range"] if words.long else []
        con += ["an enemy is close"] if words.close else []
        con += own[1]
        suffering = self.target_situation(ctx)
        met = self.conditions_met(ctx) if suffering.effects else ()
        more = stats.advantage_reasons(roller, self.kinds, suffering, met)
        return [*words.pro, *pro, *more[0]], [*words.con, *con, *more[1]]

    def target_number(self, ctx: Context) -> int:
        """The target's AC, with its cover."""
        cover = checks.cover_bonus(ctx, self.modifiers.cover)
        return stats.stat_value(self.target_situation(ctx), "ac", more=cover)

    def outcome(self, roller: CombatantSituation, natural: int, total: int, dc: int | None) -> str:
        """A natural 20 always hits and is critical, a natural 1 never does."""
        if natural in (1, 20):
            return "fumble" if natural == 1 else "crit"
        return "hit" if total >= (dc or 0) else "miss"

    def uses_up(self, outcome: str) -> tuple[str, ...]:
        """The kinds of rolls and numbers whose used effects end."""
        return (*self.kinds, "damage") if outcome in HITS else self.kinds


def attack(
    ctx: Context, attacker: Combatant, args: AttackArgs, request: AttackRequest, pay: PayFunction
) -> Sequence[shared_damage.Part]:
    """Make an attack, and let it land when it hits; returns the damage that has fallen by then."""
    rules = rules_of(ctx)
    require_attack(ctx, attacker, args, request)
    pay()
    attacker, target = ctx.state[attacker.id], ctx.state[args.target.id]
    check = rules.attack_check(
        attacker.id,
        request.weapon.name,
        args.die,
        against=target.id,
        modifiers=args.words,
        name=request.what,
        request=request,
    )
    bonus = check.damage_bonus(ctx)
    outcome = check.make(ctx).outcome
    end_effects_named(ctx, attacker.id, HIDDEN, "it attacks")
    amounts_rolled = request.amounts_rolled
    if outcome in HITS:
        amounts_rolled = _land(ctx, attacker, args, request, outcome == "crit", bonus)
        apply_hit_effects(ctx, attacker.id, target.id, request.weapon, args.words.withstand[:1])
    rules.after_attack(ctx, attacker, args, request, outcome)
    does = f"uses {request.weapon.name} on" if request.power else "attacks"
    does = f"casts {request.weapon.name} at" if request.spell or request.cast else does
    ctx.text = f"{attacker.name} {does} {target.name}{_log_text(args, outcome)}"
    return amounts_rolled


def require_attack(
    ctx: Context, attacker: Combatant, args: AttackArgs, request: AttackRequest
) -> None:
    """Raises Refused for options of ranged attacks on a melee attack, for a target that can't be
    attacked, for a roll without a bonus, and for a hit without damage.
    """
    weapon, words = request.weapon, args.words
    distance = "long" if words.long else "close" if words.close else ""
    if distance and not is_ranged(words, weapon):
        raise Refused(f"`{distance}` is only for a ranged attack, and {weapon.name} is a melee one")
    require_other_target(attacker, args.target, "attack")
    if words.cover == checks.TOTAL_COVER:
        raise Refused(f"{args.target.name} is behind total cover, and can't be targeted")
    has_dice = bool(rules_of(ctx).attacks_of(attacker)) or request.spell or request.power
    has_bonus = "spell" in attacker.stats if request.spell else has_dice
    has_bonus = has_bonus or (request.spell and bool(weapon.bonus))
    lacks = "spell attack bonus" if request.spell else shared_checks.OWN_ATTACK
    if not args.die.outcome and not has_bonus and not words.plus:
        raise shared_checks.no_bonus(attacker, "plus 5", lacks)
    if args.die.outcome not in MISSES and not has_dice and args.amount_rolled == "":
        raise shared_checks.no_damage(attacker, "hit 8", lacks)
    if words.withstand and not rules_of(ctx).asks_save(ctx.state, weapon, words):
        raise Refused(f"{weapon.name} asks no save to withstand")
    if words.withstand and args.die.outcome in MISSES:
        raise Refused("a miss asks no save to withstand")
    if words.withstand and args.target.kind == "pc":
        waits = f"the save of {args.target.name} waits for its die"
        raise Refused(f"{waits}: `withstand {args.target.id} OUTCOME` after the hit")
    rules_of(ctx).require_attack(ctx, attacker, args, request)


def is_unseen(ctx: Context, combatant: Combatant, by: Combatant, is_given: bool) -> bool:
    """True if a combatant is hidden from or invisible to another, if that one is blinded, or if the
    command says so.

    The game says who sees everybody, unless the command says they don't.
    """
    if is_given or rules_of(ctx).sees_all(ctx.state, by, combatant):
        return is_given
    return any(
        stats.forbidding_effects(ctx.tables, effects_in_force(ctx, whom), what)
        for whom, what in ((combatant, "be-seen"), (by, "see"))
    )


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
    own = (request.weapon, args.amount_rolled, args.type, args.more, critical)
    parts = request.amounts_rolled or parts_of(ctx, attacker.id, *own)
    if not parts:
        if not (request.weapon.inflicts or request.weapon.save):
            ctx.note(shared_checks.no_damage_note(request.weapon.name))
        return parts
    blow = damage.DamageInstance(
        parts,
        attacker.id,
        critical=critical,
        bonus=bonus,
        melee=not is_ranged(args.words, request.weapon),
        magical=request.weapon.magical,
        knockout=args.words.knockout,
        choice=rules_of(ctx).choice_at_zero(args),
    )
    damage.deal(ctx, target.id, blow)
    rules_of(ctx).after_hit(ctx, target, critical)
    return parts


def apply_hit_effects(
    ctx: Context, by: str, target: str, weapon: Attack, dice: Sequence[DieInput] = ()
) -> None:
    """Apply the effects of a hit besides its damage: its conditions, and its saving throw, with its
    die of those that are known."""
    rules_of(ctx).apply_inflicted(ctx, by, target, weapon.name, weapon.inflicts)
    if weapon.save is not None:
        amounts = conditions.roll_amounts(ctx, by, weapon.save)
        die = next(iter(dice), None)
        conditions.ask_save(ctx, by, target, weapon.name, weapon.save, amounts, die=die)


def parts_of(
    ctx: Context,
    by: str,
    weapon: Attack,
    called: int | str = "",
    kind: str = "",
    more: Iterable[tuple[int | str, str]] = (),
    critical: bool = False,
) -> list[shared_damage.Part]:
    """The damage of each type: as called, or the dice of the attack as they fall; none
    of one that deals none."""
    rows = powers.own_damage(weapon) if called == "" else ((called, kind or weapon.type), *more)
    return [
        (damage.damage_as_rolled(ctx, by, amount, its, critical), its)
        for amount, its in rows
        if amount != ""
    ]


def _log_text(args: AttackArgs, outcome: str) -> str:
    """Word it as " with dagger, hit 3 piercing"."""
    means = f" with {args.words.weapon.name}" if args.words.weapon else ""
    more = (f"{amount} {kind}" for amount, kind in args.more)
    dealt = (str(args.amount_rolled), args.type, *more) if outcome in HITS else ()
    return " ".join(filter(None, (f"{means}, {outcome}", *dealt)))


def without_ability(weapon: Attack) -> Attack:
    """A weapon without the ability modifier in its dice, unless that is below 0."""
    dice = parse_dice(weapon.dice) if weapon.dice else None
    return replace(weapon, dice=str(Dice(dice.pools))) if dice and dice.modifier > 0 else weapon


def with_spell(combatant: Combatant, args: AttackArgs, spell: str) -> AttackRequest:
    """Make the request of a spell's attack: at range unless `melee` is given, with the spell
    bonus."""
    melee = args.words.distance == "melee"
    means = Attack(
        spell, combatant.number("spell"), reach="melee" if melee else "ranged", magical=True
    )
    return AttackRequest("spell attack", means, spell=True)


def require_provoked(ctx: Context, args: AttackArgs, combatant: Combatant) -> None:
    """Raises Refused for a target that provokes no opportunity attack."""
    target = args.target
    if target.side == combatant.side and not rules_of(ctx).do_friends_provoke(ctx.state):
        raise Refused(f"{target.name} is not hostile to {combatant.name}")
    if target.named("disengaged") is not None:
        raise Refused(f"{target.name} has disengaged, and provokes no opportunity attacks")
    if is_unseen(ctx, target, combatant, args.words.target_unseen):
        raise Refused(f"{combatant.name} can't see {target.name}")


def opportunity(ctx: Context, args: AttackArgs, combatant: Combatant, pay: PayFunction) -> None:
    """One melee attack, by the reaction, against somebody who leaves one's reach."""
    require_provoked(ctx, args, combatant)
    weapon = weapon_of(ctx, combatant, args.words)
    if not args.words.weapon and weapon.reach == "ranged":
        own = rules_of(ctx).attacks_of(combatant)
        weapon = next((a for a in own if a.reach == "melee"), weapon)
    if is_ranged(args.words, weapon):
        raise Refused("an opportunity attack is a melee attack")
    attack(ctx, combatant, args, AttackRequest("opportunity attack", weapon), pay)
