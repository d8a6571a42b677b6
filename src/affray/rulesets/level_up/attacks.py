"""Attacks: what a command says of one, what speaks for and against it, the roll, what a hit deals.

Seed 002: Making an Attack, Unseen Attackers and Targets, Ranged Attacks, Cover; rules file, 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice.notation import Dice, parse_dice
from affray.core.heart.decide import Context
from affray.core.heart.effects import end_named, in_force
from affray.core.heart.events import Used
from affray.core.heart.state import Combatant
from affray.core.language import arguments
from affray.core.language.declared import Reading
from affray.core.language.refusal import Refused, listed
from affray.rulekit import harm, leaning, numbers, powers, rolls
from affray.rulekit.acts import Pay, needs_another
from affray.rulesets.level_up import checks, conditions, damage, dying, economy, totals, world
from affray.rulesets.level_up.sheet import REACHES, Attack, attacks_of

HIDDEN = "hidden"
HITS = ("hit", "crit")


# -- what is said ----------------------------------------------------------------------------------


def _weapons(reading: Reading) -> dict[str, Attack]:
    return {attack.name: attack for attack in attacks_of(reading.ctx.actor())}


_WEAPON = arguments.clause("with", arguments.called("the attack", _weapons), asks="weapon")
_DIE = rolls.die_said(
    checks.ATTACK_OUTCOMES,
    asks="outcome:miss|hit|crit|fumble",
    may_lack=lambda reading: reading.ctx.actor().kind != "pc",  # a monster's is rolled
)
MORE = replace(harm.MORE, read=harm.parts_said(arguments.amount_or_dice().read).read)
"""What an attack deals of other types, rolled when it hits: `4 fire 1d6 thunder`."""


class AttackWords(checks.Terms, frozen=True):
    """What may be said of an attack, in any order behind its target."""

    cover: Annotated[str, checks.cover_said(*checks.COVER, checks.TOTAL_COVER)] = ""
    unseen: Annotated[bool, arguments.flag(heard="unseen")] = False
    target_unseen: Annotated[bool, arguments.flag(heard="target-unseen")] = False
    long: Annotated[bool, arguments.flag(heard="long")] = False
    close: Annotated[bool, arguments.flag(heard="close")] = False
    reach: Annotated[str, arguments.one_of(*REACHES)] = ""
    unproficient: Annotated[bool, arguments.flag()] = False
    weapon: Annotated[Attack | None, _WEAPON] = None
    knockout: Annotated[bool, arguments.flag("nonlethal", heard="knockout")] = False
    choice: Annotated[str, arguments.one_of(*dying.CHOICES)] = ""


class Assault(Struct, frozen=True):
    """One attack as the command describes it: at whom, how the die fell, what it deals."""

    target: Annotated[Combatant, arguments.person("who is attacked", usage="TARGET")]
    die: Annotated[rolls.Die, _DIE]
    words: Annotated[AttackWords, arguments.words_of(AttackWords, "WORDS")]
    fallen: Annotated[int | str, arguments.amount_or_dice(usage="AMOUNT")] = ""
    type: Annotated[str, arguments.damage_type(behind="fallen")] = ""
    more: Annotated[tuple[tuple[int | str, str], ...], MORE] = ()


class Made(Struct, frozen=True):
    """How an attack is made, beside what is said of it.

    what     how the log calls it: "attack", "opportunity attack"
    weapon   with what, or which spell
    pressed  whether it is one of an Attack action that may be pressed
    spell    whether it is no weapon's; power: whether it is a power of the sheet's
    fell     the damage that fell for the targets before, where it falls once for all
    """

    what: str
    weapon: Attack
    pressed: bool = False
    spell: bool = False
    power: bool = False
    fell: Sequence[harm.Part] = ()


def weapon_of(attacker: Combatant, words: AttackWords) -> Attack:
    """The attack that is said, else its first; who has none attacks with whatever there is, and
    must be told its bonus and damage."""
    return words.weapon or next(iter(attacks_of(attacker)), Attack("attack", 0))


def is_ranged(words: AttackWords, weapon: Attack) -> bool:
    """Whether it is a ranged attack: as said, thrown from afar, or as the weapon has it."""
    from_afar = weapon.thrown and (words.long or words.close)
    return (words.reach or ("ranged" if from_afar else weapon.reach)) == "ranged"


# -- the attack ------------------------------------------------------------------------------------


def attack(
    ctx: Context, attacker: Combatant, said: Assault, made: Made, pay: Pay
) -> Sequence[harm.Part]:
    """Make an attack, and let it land when it hits; gives the damage that has fallen by then."""
    words = said.words
    _refuse(attacker, said, made)
    if said.die.rolled_here:  # said afterwards, the dice would have to be rolled again
        dying.require_choice(said.target, words.choice)
    pay()
    attacker, target = ctx.state[attacker.id], ctx.state[said.target.id]
    pro, con = _reasons(ctx, attacker, target, words, made)
    dc = numbers.value(totals.here(ctx, target), "ac", more=checks.cover_bonus(ctx, words.cover))
    parts = _parts(ctx, attacker, said, made)
    at_long_range = words.long and not made.spell
    misses = at_long_range and world.is_on(ctx.state, world.UNDERWATER)  # whatever it shows (R27)
    die = rolls.Die("miss") if misses and said.die.said else said.die
    outcome = checks.throw(
        ctx,
        rolls.Roll(attacker.id, made.what, die, parts, dc, target.id, pro, con),
        lambda natural, total: "miss" if misses else attack_outcome(natural, total, dc),
    ).outcome
    bonus = numbers.value(totals.here(ctx, attacker), "damage", against=target.id)
    used = ("attack", "damage") if outcome in HITS else ("attack",)
    leaning.use_up(ctx, totals.NUMBERS, attacker.id, used, against=target.id)
    leaning.use_up(ctx, totals.NUMBERS, target.id, ("ac",), against=attacker.id)
    end_named(ctx, attacker.id, HIDDEN, "it attacks")
    fell = made.fell
    if outcome in HITS:
        fell = _land(ctx, attacker, said, made, outcome == "crit", bonus)
        bring(ctx, attacker.id, target.id, made.weapon)
    does = f"casts {made.weapon.name} at" if made.spell else "attacks"
    does = f"uses {made.weapon.name} on" if made.power else does
    ctx.text = f"{attacker.name} {does} {target.name}{_told(said, outcome)}"
    return fell


def attack_outcome(natural: int, total: int, armor_class: int) -> str:
    """A natural 20 always hits and is critical, a natural 1 never does (rules file, 2.2)."""
    if natural in (1, 20):
        return "fumble" if natural == 1 else "crit"
    return "hit" if total >= armor_class else "miss"


def _refuse(attacker: Combatant, said: Assault, made: Made) -> None:
    """Raises Refused for what is said of ranged attacks alone, for whom nobody can attack, for a
    roll of which nobody knows the bonus, and for a hit that deals nobody knows what."""
    weapon, words = made.weapon, said.words
    afar = "long" if words.long else "close" if words.close else ""
    if afar and not is_ranged(words, weapon):
        raise Refused(f"`{afar}` is said of a ranged attack, and {weapon.name} is a melee one")
    needs_another(attacker, said.target, "attack")
    if words.cover == checks.TOTAL_COVER:
        raise Refused(f"{said.target.name} is behind total cover, and can't be targeted")
    known = bool(attacks_of(attacker)) or made.spell or made.power
    has_bonus = "spell" in attacker.stats if made.spell else known
    lacks = "spell attack bonus" if made.spell else "attack of their own"
    has_none = f"{attacker.name} has no {lacks}"
    if not said.die.said and not has_bonus and not words.plus:
        raise Refused(f"{has_none} to roll with: say the outcome, or what is added: `plus 5`")
    if said.die.said not in ("miss", "fumble") and not known and said.fallen == "":
        hint = "add it as a number, such as `hit 8`"
        raise Refused(f"how much damage was rolled? {has_none} to roll: {hint}")


def _parts(ctx: Context, attacker: Combatant, said: Assault, made: Made) -> list[numbers.Part]:
    lacking = attacker.number("pb") if said.words.unproficient else 0
    return [
        numbers.Part(made.weapon.bonus, made.weapon.name),
        *([numbers.Part(-lacking, "not proficient")] if lacking else []),
        *numbers.parts(totals.here(ctx, attacker), "attack", against=said.target.id),
        *checks.said_parts(ctx, attacker.id, said.die, said.words),
    ]


# -- what speaks for it, and against it ------------------------------------------------------------


def _reasons(
    ctx: Context, attacker: Combatant, target: Combatant, words: AttackWords, made: Made
) -> tuple[list[str], list[str]]:
    """Why an attack has advantage, and why disadvantage (rules file, 2.3, 4.2 to 4.6)."""
    pro, con = words.pro, words.con
    ranged = is_ranged(words, made.weapon)
    unseen = is_unseen(ctx, attacker, target, words.unseen)
    if is_unseen(ctx, target, attacker, words.target_unseen):
        con.append("neither sees the other" if unseen else f"{target.name} is unseen")
    elif unseen:
        pro.append(f"unseen by {target.name}")
    if made.pressed and _presses(ctx, attacker, target):
        pro.append("pressing")
    con += ["long range"] if words.long else []
    con += ["an enemy is close"] if words.close else []
    con += [] if made.spell else world.hinders_attack(ctx.state, attacker, made.weapon, ranged)
    here = ["far" if ranged else "near", *([] if unseen else ["seen"])]
    suffering = totals.here(ctx, target)
    more = leaning.leaning(totals.here(ctx, attacker), ("attack",), suffering, here)
    return pro + more[0], con + more[1]


def is_unseen(ctx: Context, who: Combatant, by: Combatant, said: bool) -> bool:
    """Whether somebody is unseen by another: as said, hidden or invisible, or that one is blinded.

    To blindsight nobody is, but whoever is said to be: it can't perceive them. Rules file, 4.5.
    """
    if by.stats.get("blindsight"):
        return said
    return said or any(
        numbers.forbidding(ctx.tables, in_force(ctx.tables, ctx.state, whom), what)
        for whom, what in ((who, "be-seen"), (by, "see"))
    )


def _presses(ctx: Context, attacker: Combatant, target: Combatant) -> bool:
    """Whether pressing gives advantage here: in its own turn, and not against who fell back."""
    if attacker.named(economy.PRESSING) is None or not ctx.state.takes_turn(attacker.id):
        return False
    return attacker.id not in (e.source for e in target.all_named(economy.FALLEN_BACK))


# -- what a hit deals ------------------------------------------------------------------------------


def _land(
    ctx: Context, attacker: Combatant, said: Assault, made: Made, critical: bool, bonus: int
) -> Sequence[harm.Part]:
    target = ctx.state[said.target.id]
    own = (made.weapon, said.fallen, said.type, said.more)
    parts = made.fell or parts_of(ctx, attacker.id, *own)
    if not parts:
        return parts
    blow = damage.Blow(
        parts,
        attacker.id,
        critical=critical,
        bonus=bonus,
        melee=not is_ranged(said.words, made.weapon),
        magical=made.weapon.magical,
        knockout=said.words.knockout,
        choice=said.words.choice,
    )
    damage.deal(ctx, target.id, blow)
    if critical and target.life == "up" and target.track("hp") and target.track("reaction"):
        ctx.emit(Used(target.id, *economy.CAN_BLOCK))  # rules file, 5.2, 5.3
    return parts


def bring(ctx: Context, by: str, target: str, weapon: Attack) -> None:
    """What a hit brings beside its damage: what it inflicts, and what a save keeps off."""
    powers.afflict(ctx, by, target, weapon.inflicts, conditions.lay_all)
    if weapon.save is not None:
        fell = damage.fell(ctx, by, weapon.save.dice, weapon.save.type)
        conditions.ask_save(ctx, by, target, weapon.name, weapon.save, fell, checks.Terms())


def parts_of(
    ctx: Context,
    by: str,
    weapon: Attack,
    said: int | str = "",
    kind: str = "",
    more: Iterable[tuple[int | str, str]] = (),
) -> list[harm.Part]:
    """The damage of each type: as it was called out, or the dice of the attack as they fall; none
    of one that deals none."""
    own = ((weapon.dice, weapon.type), *((part.dice, part.type) for part in weapon.plus))
    rows = own if said == "" else ((said, kind or weapon.type), *more)
    return [(damage.fell(ctx, by, much, its), its) for much, its in rows if much != ""]


def _lighter(weapon: Attack) -> Attack:
    """The weapon without the ability modifier in its dice (Two-Weapon Fighting)."""
    dice = parse_dice(weapon.dice) if weapon.dice else None
    return replace(weapon, dice=str(Dice(dice.pools))) if dice and dice.modifier > 0 else weapon


def _told(said: Assault, outcome: str) -> str:
    """What the log tells of it: " with dagger, hit 3 piercing"."""
    means = f" with {said.words.weapon.name}" if said.words.weapon else ""
    more = (f"{amount} {kind}" for amount, kind in said.more)
    dealt = (str(said.fallen), said.type, *more) if outcome in HITS else ()
    return " ".join(filter(None, (f"{means}, {outcome}", *dealt)))


# -- the actions -----------------------------------------------------------------------------------


def take_attack(ctx: Context, said: Assault, who: Combatant, pay: Pay) -> None:
    """Attack: one of the Attack action's (rules file, 3.1)."""
    weapon = weapon_of(who, said.words)
    attack(ctx, who, said, Made("attack", weapon, pressed=True), pay)
    if ctx.state.phase == "combat" and ctx.state.takes_turn(who.id):
        ctx.emit(Used(who.id, economy.with_weapon(weapon.name)))


def take_off_hand(ctx: Context, said: Assault, who: Combatant, pay: Pay) -> None:
    """An attack with another weapon that is dual-wielding, by the bonus action (4.9)."""
    weapon = _other_weapon(who, said.words)
    if is_ranged(said.words, weapon) and not weapon.thrown:
        raise Refused(f"{weapon.name} can't be thrown: it is no thrown weapon")
    attack(ctx, who, said, Made("off-hand attack", _lighter(weapon)), pay)


def _other_weapon(who: Combatant, words: AttackWords) -> Attack:
    """The weapon of the off-hand attack: as said, else the first that wasn't used yet.

    Raises Refused for one that is not dual-wielding, and for the one of the Attack action.
    """
    used, fit = economy.weapons_used(who), economy.off_hand_weapons(who)
    unused_first = sorted(fit, key=lambda a: a.name in used)
    weapon = words.weapon or next(iter(unused_first), None)
    if weapon is None or weapon not in fit:
        than = f" than {used[0]}" if len(used) == 1 else ""
        has = f"{who.name} has {listed([a.name for a in fit], 'and') or 'none'}"
        raise Refused(
            f"the off-hand attack takes another weapon{than} that is dual-wielding; {has}"
        )
    return weapon


def with_spell(who: Combatant, said: Assault, spell: str) -> Made:
    """How a spell's attack is made: at range unless `melee` is said, with the spell bonus."""
    melee = said.words.reach == "melee"
    means = Attack(spell, who.number("spell"), reach="melee" if melee else "ranged", magical=True)
    return Made("spell attack", means, spell=True)


def opportunity(ctx: Context, said: Assault, who: Combatant, pay: Pay) -> None:
    """One melee attack, by the reaction, against an enemy that leaves one's reach (4.8)."""
    target, weapon = said.target, weapon_of(who, said.words)
    if target.side == who.side:
        raise Refused(f"{target.name} is not hostile to {who.name}")
    if target.named("disengaged") is not None:
        raise Refused(f"{target.name} has disengaged, and provokes no opportunity attacks")
    if is_unseen(ctx, target, who, said.words.target_unseen):
        raise Refused(f"{who.name} can't see {target.name}")
    if not said.words.weapon and weapon.reach == "ranged":
        weapon = next((a for a in attacks_of(who) if a.reach == "melee"), weapon)
    if is_ranged(said.words, weapon):
        raise Refused("an opportunity attack is a melee attack")
    attack(ctx, who, said, Made("opportunity attack", weapon), pay)
