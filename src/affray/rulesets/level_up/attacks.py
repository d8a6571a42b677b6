"""Attacks: what speaks for and against one, the roll, and what a hit deals (assaults.py reads it).

Seed 002: Making an Attack, Unseen Attackers and Targets, Ranged Attacks, Cover; rules file, 4.
"""

from __future__ import annotations

from affray.core.dice.notation import Dice, Flat, parse_dice
from affray.core.heart.decide import Context
from affray.core.heart.effects import end_named, in_force
from affray.core.heart.events import Used
from affray.core.heart.state import Combatant
from affray.core.language.refusal import Refused, listed
from affray.rulekit import leaning, numbers, rolls
from affray.rulekit.acts import Pay
from affray.rulekit.numbers import Part
from affray.rulekit.rolls import Die, Roll
from affray.rulesets.level_up import checks, creatures, damage, dying, economy, scenes, totals
from affray.rulesets.level_up.assaults import (
    Assault,
    AttackWords,
    Made,
    is_ranged,
    weapon_said,
)
from affray.rulesets.level_up.creatures import Attack

HIDDEN = "hidden"
HITS = ("hit", "crit")


# -- the attack ------------------------------------------------------------------------------------


def attack(ctx: Context, attacker: Combatant, said: Assault, made: Made, pay: Pay) -> str:
    """Make an attack and let it land; gives its outcome: fumble, miss, hit or crit."""
    _refuse_target(attacker, said)
    ranged = is_ranged(said.words, made.weapon)
    _refuse_unknown(attacker, said, made)
    if said.die.rolled_here:  # said afterwards, the dice would have to be rolled again
        dying.require_choice(said.target, said.words.choice)
    pay()
    attacker, target = ctx.state[attacker.id], ctx.state[said.target.id]
    pro, con = reasons(ctx, attacker, target, said.words, made, ranged)
    cover = checks.cover_bonus(ctx, said.words.cover)
    dc = numbers.value(totals.here(ctx, target), "ac", more=cover)
    parts = _parts(ctx, attacker, target, said, made)
    misses = not made.spell and scenes.misses(ctx.state, ranged, said.words.long)
    die = Die("miss") if misses and said.die.said else said.die
    rolled = checks.throw(
        ctx,
        Roll(attacker.id, made.what, die, parts, dc, target.id, pro, con),
        lambda natural, total: "miss" if misses else attack_outcome(natural, total, dc),
    )
    bonus = numbers.value(totals.here(ctx, attacker), "damage", against=target.id)
    leaning.use_up(ctx, totals.NUMBERS, attacker.id, ("attack",), against=target.id)
    end_named(ctx, attacker.id, HIDDEN, "it attacks")
    if rolled.outcome in HITS:
        _land(ctx, attacker, said, made, rolled.outcome, bonus, ranged)
    does = f"casts {made.weapon.name} at" if made.spell else "attacks"
    ctx.text = f"{attacker.name} {does} {target.name}{_said(said, rolled.outcome)}"
    return rolled.outcome


def attack_outcome(natural: int, total: int, armor_class: int) -> str:
    """A natural 20 always hits and is critical, a natural 1 never does (rules file, 2.2)."""
    if natural in (1, 20):
        return "fumble" if natural == 1 else "crit"
    return "hit" if total >= armor_class else "miss"


def _refuse_target(attacker: Combatant, said: Assault) -> None:
    target = said.target
    if target.id == attacker.id:
        raise Refused(f"{attacker.name} can't attack themself")
    if target.life == "dead":
        raise Refused(f"{target.name} is dead")
    if said.words.cover == checks.TOTAL_COVER:
        raise Refused(f"{target.name} is behind total cover, and can't be targeted")


def _refuse_unknown(attacker: Combatant, said: Assault, made: Made) -> None:
    """Raises Refused for a roll of which nobody knows the bonus, or a hit that deals nobody knows
    what."""
    known = made.weapon in creatures.attacks_of(attacker) or made.spell
    has_bonus = known and not (made.spell and "spell" not in attacker.stats)
    if not said.die.said and not has_bonus and not said.words.plus:
        whose = "spell attack bonus" if made.spell else "attack of their own"
        raise Refused(
            f"{attacker.name} has no {whose} to roll with: say the outcome, or what is added: "
            "`plus 5`"
        )
    if said.die.said not in ("miss", "fumble") and not known and said.fallen == "":
        raise Refused(
            f"how much damage was rolled? {attacker.name} has no attack of their own to roll: "
            "add it as a number, such as `hit 8`"
        )


def _parts(
    ctx: Context, attacker: Combatant, target: Combatant, said: Assault, made: Made
) -> list[Part]:
    lacking = attacker.number("pb") if said.words.unproficient else 0
    return [
        Part(made.weapon.bonus, made.weapon.name),
        *([Part(-lacking, "not proficient")] if lacking else []),
        *numbers.parts(totals.here(ctx, attacker), "attack", against=target.id),
        *checks.said_parts(ctx, attacker.id, said.die, said.words),
    ]


# -- what speaks for it, and against it ------------------------------------------------------------


def reasons(
    ctx: Context,
    attacker: Combatant,
    target: Combatant,
    words: AttackWords,
    made: Made,
    ranged: bool,
) -> tuple[list[str], list[str]]:
    """Why an attack has advantage, and why disadvantage (rules file, 2.3, 4.2 to 4.6)."""
    pro, con = words.pro, words.con
    target_unseen = is_unseen(ctx, target, attacker, words.target_unseen)
    unseen = is_unseen(ctx, attacker, target, words.unseen)
    if target_unseen:
        con.append("neither sees the other" if unseen else f"{target.name} is unseen")
    elif unseen:
        pro.append(f"unseen by {target.name}")
    if made.pressed and _presses(ctx, attacker, target):
        pro.append("pressing")
    con += ["long range"] if words.long else []
    con += ["an enemy is close"] if words.close else []
    if not made.spell:
        con += scenes.hinders_attack(ctx.state, attacker, made.weapon, ranged)
    rolling, suffering = (totals.here(ctx, who) for who in (attacker, target))
    here = ["far" if ranged else "near", *([] if unseen else ["seen"])]
    more_pro, more_con = leaning.leaning(rolling, ("attack",), suffering, here)
    return [*pro, *more_pro], [*con, *more_con]


def is_unseen(ctx: Context, who: Combatant, by: Combatant, said: bool = False) -> bool:
    """Whether somebody is unseen by another: as said, hidden or invisible, or that one is blinded.

    Nobody is unseen to blindsight. Rules file, 4.5.
    """
    if by.stats.get("blindsight"):
        return False
    return said or any(
        numbers.forbidding(ctx.tables, in_force(ctx.tables, ctx.state, whom), what)
        for whom, what in ((who, "be-seen"), (by, "see"))
    )


def _presses(ctx: Context, attacker: Combatant, target: Combatant) -> bool:
    """Whether pressing gives advantage here: in its own turn, and not against who fell back."""
    fell_back = any(
        e.name == economy.FALLEN_BACK and e.source == attacker.id for e in target.effects
    )
    pressing = attacker.named(economy.PRESSING) is not None
    return pressing and not fell_back and ctx.state.takes_turn(attacker.id)


# -- what a hit deals ------------------------------------------------------------------------------


def _land(
    ctx: Context,
    attacker: Combatant,
    said: Assault,
    made: Made,
    outcome: str,
    bonus: int,
    ranged: bool,
) -> None:
    target = ctx.state[said.target.id]
    amount = _amount(ctx, attacker, said, made)
    if amount is None:
        return
    blow = damage.Blow(
        amount,
        said.type or made.weapon.type,
        attacker.id,
        critical=outcome == "crit",
        bonus=bonus,
        melee=not ranged,
        magical=made.spell or made.weapon.magical,
        knockout=said.words.knockout,
        choice=said.words.choice,
    )
    damage.deal(ctx, target.id, blow)
    if outcome == "crit" and _could_block(ctx, target):
        ctx.emit(Used(target.id, economy.CRITICAL, economy.BLOW))


def _could_block(ctx: Context, target: Combatant) -> bool:
    """Whether somebody who was hit could turn a critical hit into a plain one (5.2, 5.3)."""
    return target.life == "up" and bool(target.track("hp")) and bool(target.track("reaction"))


def _amount(ctx: Context, attacker: Combatant, said: Assault, made: Made) -> int | None:
    """The damage as it was called out, or rolled; None for an attack that deals none."""
    if isinstance(said.fallen, int):
        return said.fallen
    dice = said.fallen or made.weapon.dice
    if not dice:
        return None
    parsed = parse_dice(dice)
    if made.lighter and not said.fallen:
        parsed = without_bonus(parsed)
    return max(0, rolls.throw_dice(ctx, attacker.id, parsed, "damage"))


def without_bonus(dice: Dice) -> Dice:
    """The dice without their fixed number, unless that is below 0 (rules file, 4.9)."""
    if dice.modifier <= 0:
        return dice
    return Dice(tuple(term for term in dice.terms if not isinstance(term, Flat)))


def _said(said: Assault, outcome: str) -> str:
    """What the log tells of it: " with dagger, hit 3 piercing"."""
    means = f" with {said.words.weapon}" if said.words.weapon else ""
    dealt = (str(said.fallen), said.type) if outcome in HITS else ()
    return " ".join(filter(None, (f"{means}, {outcome}", *dealt)))


# -- the actions -----------------------------------------------------------------------------------


def take_attack(ctx: Context, said: Assault, who: Combatant, pay: Pay) -> None:
    """Attack: one of the Attack action's (rules file, 3.1)."""
    weapon = weapon_said(who, said.words.weapon)
    attack(ctx, who, said, Made("attack", weapon, pressed=True), pay)
    if ctx.state.phase == "combat" and ctx.state.takes_turn(who.id):
        ctx.emit(Used(who.id, economy.with_weapon(weapon.name)))


def take_off_hand(ctx: Context, said: Assault, who: Combatant, pay: Pay) -> None:
    """An attack with another weapon that is dual-wielding, by the bonus action (4.9)."""
    weapon = _other_weapon(ctx, who, said.words)
    if is_ranged(said.words, weapon) and not weapon.thrown:
        raise Refused(f"{weapon.name} can't be thrown: it is no thrown weapon")
    attack(ctx, who, said, Made("off-hand attack", weapon, lighter=True), pay)


def _other_weapon(ctx: Context, who: Combatant, words: AttackWords) -> Attack:
    """The weapon of the off-hand attack: as said, else the first that wasn't used yet.

    Raises Refused for one that is not dual-wielding, and for the one of the Attack action.
    """
    used, fit = economy.weapons_used(who), economy.off_hand_weapons(who)
    unused = [a for a in fit if a.name not in used]
    weapon = weapon_said(who, words.weapon) if words.weapon else next(iter([*unused, *fit]), None)
    if weapon is None or weapon not in fit:
        than = f" than {used[0]}" if len(used) == 1 else ""
        there = listed([a.name for a in fit], "and") or "none"
        raise Refused(
            f"the off-hand attack takes another weapon{than} that is dual-wielding; "
            f"{who.name} has {there}"
        )
    return weapon


def with_spell(who: Combatant, said: Assault, spell: str) -> Made:
    """How a spell's attack is made: at range unless `melee` is said, with the spell bonus."""
    reach: creatures.Reach = "melee" if said.words.reach == "melee" else "ranged"
    means = Attack(spell, who.number("spell"), reach=reach, magical=True)
    return Made("spell attack", means, spell=True)


def opportunity(ctx: Context, said: Assault, who: Combatant, pay: Pay) -> None:
    """One melee attack, by the reaction, against somebody who leaves one's reach (4.8)."""
    _refuse_no_opportunity(ctx, who, said)
    weapon = weapon_said(who, said.words.weapon)
    if not said.words.weapon and weapon.reach == "ranged":
        weapon = next((a for a in creatures.attacks_of(who) if a.reach == "melee"), weapon)
    if is_ranged(said.words, weapon) and said.words.reach != "melee":
        raise Refused("an opportunity attack is a melee attack")
    attack(ctx, who, said, Made("opportunity attack", weapon), pay)


def _refuse_no_opportunity(ctx: Context, who: Combatant, said: Assault) -> None:
    target = said.target
    if target.side == who.side:
        raise Refused(f"{target.name} is not hostile to {who.name}")
    if target.named("disengaged") is not None:
        raise Refused(f"{target.name} has disengaged, and provokes no opportunity attacks")
    if is_unseen(ctx, target, who, said.words.target_unseen):
        raise Refused(f"{who.name} can't see {target.name}")
