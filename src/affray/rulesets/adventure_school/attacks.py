"""Attacks: what speaks for and against one, the roll, and what a hit deals.

Seed 001: Attack, Attack Action, Dual Wielding, Critical Hit, Critical Damage, Engage, Underwater;
rules file, 1 and 4.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.effects import end_named
from affray.core.heart.events import Noted, Used
from affray.core.heart.state import Combatant
from affray.core.language.clauses import names
from affray.core.language.refusal import Refused, listed
from affray.core.rules.tables import Tables
from affray.rulekit import leaning, numbers
from affray.rulekit import rolls as dice
from affray.rulekit.acts import Pay, needs_another
from affray.rulekit.doing import Declared
from affray.rulekit.numbers import Part
from affray.rulekit.placing import begin
from affray.rulekit.rolls import Die, Roll
from affray.rulesets.adventure_school import (
    conditions,
    damage,
    economy,
    hiding,
    resources,
    rolls,
    totals,
)
from affray.rulesets.adventure_school.assaults import (
    Assault,
    AttackWords,
    Fallen,
    Made,
    is_dual_wielding,
    is_ranged,
    is_trained,
    weapon_said,
    wielded,
)
from affray.rulesets.adventure_school.creatures import Attack
from affray.rulesets.adventure_school.damage import Blow
from affray.rulesets.adventure_school.rolls import CRIT, HIT, HITS

FROM_HIDING = "from-hiding"
"""What is counted of somebody whose attack action has begun from hiding (rules file, 8.3)."""
ATTACKED = ("attacked",)
"""As what modifiers know rolls to hit their bearer."""
UNLOADED, DISARMED, HIDDEN = "unloaded", "disarmed", "hidden"


# -- the attack ------------------------------------------------------------------------------------


def attack(
    ctx: Context,
    attacker: str,
    target: str,
    die: Die,
    words: AttackWords,
    fallen: Fallen,
    made: Made,
) -> str:
    """Make an attack that is paid, and let it land; gives how it came out."""
    by, on, weapon = ctx.state[attacker], ctx.state[target], made.weapon
    ranged = is_ranged(words, weapon)
    kinds = kinds_of(ranged, made)
    pro, con = reasons(ctx, by, on, words, made, ranged)
    rolling, suffering = totals.here(ctx, by), totals.here(ctx, on)
    parts = totals.NUMBERS.counted(list(_parts(ctx, by, on, words, made)))
    dc = words.dc or numbers.value(suffering, "ac")
    threat = weapon.threat + abs(numbers.value(rolling, "threat", (weapon.name,), target))
    is_critical = bool(leaning.suffered(suffering, "critical", attacker))
    if die.said == HIT and is_critical:
        die = replace(die, said=CRIT)

    def judge(natural: int, total: int) -> str:
        came = rolls.hits(natural, total, dc, threat)
        return CRIT if came == HIT and is_critical else came

    rolled = rolls.throw(ctx, Roll(attacker, made.what, die, parts, dc, target, pro, con), judge)
    bonus = numbers.value(rolling, "damage", (weapon.name,), target)
    leaning.use_up(ctx, totals.NUMBERS, attacker, kinds, (weapon.name,), target)
    leaning.use_up(ctx, totals.NUMBERS, target, ATTACKED, against=attacker)
    has_attacked(ctx, attacker, target, made)
    if rolled.outcome in HITS:
        _land(ctx, attacker, target, words, fallen, made, rolled.outcome, bonus)
        if not ranged:
            end_named(ctx, target, HIDDEN, "it was hit")
    return rolled.outcome


def refuse(who: Combatant, target: Combatant, die: Die, words: AttackWords, made: Made) -> None:
    """Raises Refused for an attack that can't be made, before it is paid: for whom and for what it
    is, and with what."""
    weapon = made.weapon
    needs_another(who, target, "attack")
    for effect in who.effects if made.by_hand else ():
        if effect.name in (UNLOADED, DISARMED) and effect.note == weapon.name:
            gone = "must be reloaded" if effect.name == UNLOADED else "is out of its hand"
            if not effect.disadvantage:  # as the larger have that hold on to a weapon
                raise Refused(f"{who.name}'s {weapon.name} {gone}")
    if words.climbing and weapon.two_handed:
        raise Refused(f"{weapon.name} takes two hands, and one is needed to climb")
    if words.falling and is_ranged(words, weapon):
        raise Refused("only a melee attack falls on somebody")
    known = weapon.dice or weapon.bonus
    if not die.said and not known and not words.plus:
        raise Refused(
            f"{who.name} has no attack of their own to roll with: say the outcome, or what is "
            "added: `plus 5`"
        )


def has_attacked(ctx: Context, attacker: str, target: str, made: Made) -> None:
    """What an attack brings, hit or miss: out of hiding, no charm any more, a weapon to load."""
    hiding.acts_against(ctx, attacker, target)
    who = ctx.state[attacker]
    if who.named(HIDDEN) is not None:
        end_named(ctx, attacker, HIDDEN, "it attacks")
        if made.one_of and who.track("attacks"):
            ctx.emit(Used(attacker, FROM_HIDING))
    conditions.end_charms(ctx, target, attacker)
    if made.weapon.loading:
        begin(ctx, attacker, UNLOADED, note=made.weapon.name)


# -- what speaks for it, and against it ------------------------------------------------------------


def kinds_of(ranged: bool, made: Made) -> tuple[str, ...]:
    """As what rows know such an attack."""
    kinds = totals.RANGED if ranged else totals.MELEE
    return (*kinds, "weapon") if made.by_hand else kinds


def reasons(
    ctx: Context, by: Combatant, on: Combatant, words: AttackWords, made: Made, ranged: bool
) -> tuple[list[str], list[str]]:
    """Why an attack has advantage, and why disadvantage (rules file, 1.3, 4.2, 4.6, 4.7, 8)."""
    rolling, suffering = totals.here(ctx, by), totals.here(ctx, on)
    pro, con = leaning.leaning(
        rolling,
        kinds_of(ranged, made),
        suffering,
        ("far" if ranged else "near",),
        (made.weapon.name,),
    )
    pro += [*words.pro, *leaning.own_reasons(suffering, "advantage", ATTACKED, by.id)]
    con += [*words.con, *leaning.own_reasons(suffering, "disadvantage", ATTACKED, by.id)]
    pro += [f"unseen by {on.name}"] if words.unseen else []
    con += [f"{on.name} is concealed"] if words.concealed else []
    con += ["engaged"] if words.engaged and ranged else []
    con += ["climbing"] if words.climbing else []
    con += totals.under_water(rolling)
    hid = made.one_of and by.named(HIDDEN) is None and by.used(FROM_HIDING)
    return [*pro, *(["from hiding"] if hid else [])], con


def _parts(
    ctx: Context, by: Combatant, on: Combatant, words: AttackWords, made: Made
) -> Iterator[Part]:
    """All that is added to the d20."""
    rolling, weapon = totals.here(ctx, by), made.weapon
    yield Part(weapon.bonus, weapon.name)
    yield from numbers.parts(rolling, "attack", (weapon.name,), on.id)
    yield from numbers.parts(totals.here(ctx, on), "attacked", against=by.id)
    yield from words.parts
    if words.diminish:
        yield from numbers.parts(rolling, "diminish")
    if made.by_hand and is_dual_wielding(by) and not (weapon.light or is_trained(by)):
        yield Part(-int(ctx.tables.economy["not_light"]), "not light, one in each hand")


# -- what a hit deals ------------------------------------------------------------------------------


def _land(
    ctx: Context,
    attacker: str,
    target: str,
    words: AttackWords,
    fallen: Fallen,
    made: Made,
    outcome: str,
    bonus: int,
) -> None:
    """Deal what a hit deals, if it deals anything."""
    weapon = made.weapon
    said = fallen or (((weapon.dice, weapon.type),) if weapon.dice else ())
    if not said:
        return
    named = [(much, kind or weapon.type) for much, kind in said]
    parts = [(_rolled(ctx, attacker, much, outcome == CRIT), kind) for much, kind in named]
    if outcome == CRIT:
        for extra in (weapon.extra, words.extra):
            parts += [_critical(ctx, attacker, extra, parts[0][1])] if extra else []
    parts[0] = (max(0, parts[0][0] + bonus), parts[0][1])
    parts += _of_the_fall(ctx.tables, words.falling)
    damage.deal(ctx, target, Blow(tuple(parts), attacker))


def _of_the_fall(tables: Tables, feet: int) -> list[tuple[int, str]]:
    """The damage of falling on somebody from so high (rules file, 4.5)."""
    hurt = min(feet, int(tables.economy["fall_damage"]))
    return [(hurt, "blunt")] if feet >= int(tables.economy["fall_harms"]) else []


def _rolled(ctx: Context, who: str, much: int | str, critical: bool) -> int:
    """An amount as it was called, or dice as they fall: twice on a critical (rules file, 1.7)."""
    if isinstance(much, int):
        return much
    return max(0, dice.throw_dice(ctx, who, rolls.twice(much) if critical else much, "damage"))


def _critical(ctx: Context, who: str, extra: tuple[str, ...], kind: str) -> tuple[int, str]:
    """Critical damage: dice that aren't doubled, of the attack's type unless they name one (R3)."""
    amount, *own = extra
    return max(0, dice.throw_dice(ctx, who, amount, "critical damage")), own[0] if own else kind


# -- the action ------------------------------------------------------------------------------------


def take_attack(ctx: Context, said: Assault, who: Combatant, pay: Pay) -> None:
    """One attack of the attack action on each target (rules file, 4.1)."""
    came = []
    for target, die in zip(said.targets, said.dice, strict=True):
        now = ctx.state[who.id]
        made = Made("attack", weapon_now(now, said.words.weapon), one_of=True)
        refuse(now, target, die, said.words, made)
        _refuse_other_hand(ctx, now, made.weapon)
        pay()
        _count(ctx, who.id, made.weapon)
        _tell_reach(ctx, said.words, made)
        came.append(attack(ctx, who.id, target.id, die, said.words, said.fallen, made))
        if came[-1] in HITS:
            resources.gain_diminish(ctx, who.id, said.words.diminish, made.weapon.name)
    means = f" with {said.words.weapon}" if said.words.weapon else ""
    ctx.text = f"{who.name} attacks {names(said.targets)}{means}, {', '.join(came)}"
    ctx.text += in_words(said.fallen) if any(each in HITS for each in came) else ""


def in_words(fallen: Fallen) -> str:
    """What was called out for a hit: " 8 slashing 4 fire"."""
    return "".join(f" {much} {kind}".rstrip() for much, kind in fallen)


def weapon_now(who: Combatant, name: str) -> Attack:
    """The weapon of the next attack: as said; with one in each hand, one that wasn't used yet."""
    if name or not is_dual_wielding(who):
        return weapon_said(who, name)
    used = Counter({each: who.used(with_weapon(each)) for each in wielded(who)})
    left = Counter(wielded(who)) - used
    return weapon_said(who, next(iter(left), ""))


def with_weapon(name: str) -> str:
    """How an attack with a weapon is counted in its turn."""
    return f"attack with {name.casefold()}"


def _count(ctx: Context, who: str, weapon: Attack) -> None:
    if is_dual_wielding(ctx.state[who]) and ctx.state.phase == "combat":
        ctx.emit(Used(who, with_weapon(weapon.name)))


def _refuse_other_hand(ctx: Context, who: Combatant, weapon: Attack) -> None:
    """Raises Refused where a weapon in each hand would not make one attack each (4.2)."""
    if not is_dual_wielding(who) or ctx.state.phase != "combat":
        return
    hands = wielded(who)
    if weapon.name.casefold() not in hands:
        raise Refused(
            f"{who.name} wields {listed(hands, 'and')}: `wield {weapon.name}` comes before"
        )
    left = who.track("attacks") or economy.attacks_at_once(who)
    waiting = Counter(hands) - Counter({h: who.used(with_weapon(h)) for h in hands})
    if weapon.name.casefold() not in waiting and left <= sum(waiting.values()):
        raise Refused(f"{who.name} attacks with {listed(list(waiting), 'and')} now: one with each")


def _tell_reach(ctx: Context, words: AttackWords, made: Made) -> None:
    """Under water ranged weapons reach their short range: the table sees to that (4.6)."""
    is_wet = ctx.state.settings.get(totals.UNDERWATER) == "on"
    if is_wet and is_ranged(words, made.weapon):
        ctx.emit(Noted("under water ranged weapons reach only as far as their short range"))


ACTS: dict[str, Declared] = {"attack": Declared(Assault, take_attack)}
