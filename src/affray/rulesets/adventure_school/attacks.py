"""Attacks: what is said of one, what speaks for and against it, the roll, and what a hit deals.

Seed 001: Attack, Attack Action, Critical Hit, Critical Damage, Engage, Underwater; rules file, 1, 4
and Commands, 2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.events import Noted, Used
from affray.core.heart.state import Combatant
from affray.core.language import arguments
from affray.core.language.clauses import names
from affray.core.language.refusal import Refused, listed
from affray.rulekit import leaning, numbers, powers
from affray.rulekit import rolls as dice
from affray.rulekit.acts import Pay, needs_another
from affray.rulekit.doing import Declared
from affray.rulekit.numbers import Part
from affray.rulekit.placing import begin
from affray.rulekit.rolls import Die, Roll
from affray.rulesets.adventure_school import damage, hands, hiding, movement, rolls, sheet, totals
from affray.rulesets.adventure_school.conditions import end_charms, lay_all, mind_the_charmer
from affray.rulesets.adventure_school.economy import attacks_at_once
from affray.rulesets.adventure_school.hands import DISARMED, DUAL_WIELDING, UNLOADED, WEAPON
from affray.rulesets.adventure_school.resources import gain_diminish
from affray.rulesets.adventure_school.rolls import CRIT, HIT, HITS
from affray.rulesets.adventure_school.sheet import Ability, Attack, Save

Fallen = tuple[tuple[int | str, str], ...]
"""The damage of a hit as it is said: each an amount or dice, and its type."""
DISTRACTED = "distracted"
FROM_HIDING = "from-hiding"
"""What is counted of somebody whose attack action has begun from hiding (rules file, 8.3)."""
ATTACKED = ("attacked",)
"""As what modifiers know rolls to hit their bearer."""


# -- what is said of an attack ---------------------------------------------------------------------


class AttackWords(dice.Terms, frozen=True):
    """What may be said of an attack, in any order behind its target."""

    dc: Annotated[int | None, rolls.DC] = None
    reach: Annotated[str, arguments.one_of("melee", "ranged")] = ""
    engaged: Annotated[bool, arguments.flag(heard="engaged")] = False
    concealed: Annotated[bool, arguments.flag(heard="concealed")] = False
    unseen: Annotated[bool, arguments.flag(heard="unseen")] = False
    climbing: Annotated[bool, arguments.flag(heard="climbing")] = False
    falling: Annotated[int, arguments.clause("falling", movement.FEET)] = 0
    extra: Annotated[tuple[str, ...], sheet.EXTRA] = ()
    diminish: Annotated[int, rolls.DIMINISH] = 0


class WeaponWords(AttackWords, frozen=True):
    """The same of an attack with a weapon."""

    weapon: Annotated[Attack | None, arguments.clause("with", WEAPON, asks="weapon")] = None


TARGETS = arguments.people("who is attacked", arguments.others, usage="TARGET[,TARGET]")


class Assault(Struct, frozen=True):
    """`attack TARGET[,TARGET] OUTCOME [DAMAGE] ...`."""

    targets: Annotated[list[Combatant], TARGETS]
    dice: Annotated[list[Die], rolls.attack_outcome("targets")]
    words: Annotated[WeaponWords, arguments.words_of(WeaponWords, "WORDS")]
    fallen: Annotated[Fallen, damage.DAMAGE] = ()


class Swing(Struct, frozen=True):
    """One attack: whose and on whom, with what, how its die is known, and what else is said.

    what     how the log calls it: "attack", "opportunity attack"
    weapon   with what, or which ability; `by_hand` tells that it is a weapon
    one_of   whether it is one of an attack action: if that began from hiding, all of it did
    from_hiding  whether it is behind the first of an ability that began from hiding
    """

    by: str
    on: str
    weapon: Attack
    die: Die
    words: AttackWords
    fallen: Fallen = ()
    what: str = "attack"
    by_hand: bool = True
    one_of: bool = False
    from_hiding: bool = False

    @property
    def ranged(self) -> bool:
        """Whether it is a ranged attack: as said, else as the weapon is."""
        return self.words.reach == "ranged" if self.words.reach else self.weapon.ranged

    @property
    def kinds(self) -> tuple[str, ...]:
        """As what rows know it."""
        kinds = totals.RANGED if self.ranged else totals.MELEE
        return (*kinds, "weapon") if self.by_hand else kinds

    @property
    def tags(self) -> tuple[str, ...]:
        """What an effect can be for alone."""
        return (self.weapon.name,)


# -- the attack action -----------------------------------------------------------------------------


def take_attack(ctx: Context, said: Assault, who: Combatant, pay: Pay) -> None:
    """One attack of the attack action on each target (rules file, 4.1)."""
    words = said.words
    came: list[str] = []
    for target, die in zip(said.targets, said.dice, strict=True):
        weapon = words.weapon or hands.usual_weapon(ctx.state[who.id])
        swing = Swing(who.id, target.id, weapon, die, words, said.fallen, one_of=True)
        swing = behind(came, swing)
        pay_one(ctx, swing, pay)
        if swing.ranged and totals.under_water(totals.here(ctx, who)):
            ctx.emit(Noted("under water ranged weapons reach only as far as their short range"))
        came.append(attack(ctx, swing))
    means = f" with {words.weapon.name}" if words.weapon else ""
    ctx.text = f"{who.name} attacks {names(said.targets)}{means}{in_words(came, said.fallen)}"


def pay_one(ctx: Context, swing: Swing, pay: Pay) -> None:
    """Pay for one of an attack action; with a weapon in each hand that is one with each (4.2).
    Raises Refused for what can't be made, and for a weapon whose attack would be one too many."""
    refuse(ctx, swing)
    who, name = ctx.state[swing.by], swing.weapon.name.casefold()
    waiting = hands.waiting(who) if ctx.state.phase == "combat" else Counter()
    left = who.track("attacks") or attacks_at_once(who)
    if waiting and name not in waiting and left <= waiting.total():
        raise Refused(f"{who.name} attacks with {listed(list(waiting), 'and')} now: one with each")
    pay()
    if waiting:
        ctx.emit(Used(swing.by, f"attack with {name}"))


# -- the attack ------------------------------------------------------------------------------------


def refuse(ctx: Context, swing: Swing) -> None:
    """Raises Refused, before it is paid, for an attack that can't be made: on whom, with what."""
    who, weapon = ctx.state[swing.by], swing.weapon
    needs_another(who, ctx.state[swing.on], "attack")
    for effect in who.effects if swing.by_hand else ():
        held = effect.disadvantage  # by somebody smaller: it can be used, if badly
        if effect.name in (UNLOADED, DISARMED) and effect.note == weapon.name and not held:
            why = "must be reloaded" if effect.name == UNLOADED else "is out of its hand"
            raise Refused(f"{who.name}'s {weapon.name} {why}")
    if swing.words.climbing and weapon.two_handed:
        raise Refused(f"{weapon.name} takes two hands, and one is needed to climb")
    if swing.words.falling and swing.ranged:
        raise Refused("only a melee attack falls on somebody")
    if not (swing.die.said or weapon.dice or weapon.bonus or swing.words.plus):
        own = f"{who.name} has no attack of their own to roll with"
        raise Refused(f"{own}: say the outcome, or what is added: `plus 5`")
    mind_the_charmer(ctx, swing.by, swing.on)


def attack(ctx: Context, swing: Swing) -> str:
    """Make an attack that is paid, and let it land; gives how it came out."""
    rolling, suffering = (totals.here(ctx, ctx.state[who]) for who in (swing.by, swing.on))
    pro, con = reasons(ctx, swing)
    parts = bonus_to_hit(ctx, swing)
    dc = swing.words.dc or numbers.value(suffering, "ac")
    threat = swing.weapon.threat + totals.threat(rolling, swing.tags, swing.on)
    all_critical = bool(leaning.suffered(suffering, "critical", swing.by))

    def judge(natural: int, total: int) -> str:
        came = rolls.hits(natural, total, dc, threat)
        return CRIT if came == HIT and all_critical else came

    die = swing.die
    if die.said == HIT and all_critical:
        die = replace(die, said=CRIT)
    roll = Roll(swing.by, swing.what, die, parts, dc, swing.on, pro, con)
    came = rolls.throw(ctx, roll, judge).outcome
    bonus = numbers.value(rolling, "damage", swing.tags, swing.on)
    leaning.use_up(ctx, totals.NUMBERS, swing.by, swing.kinds, swing.tags, swing.on)
    leaning.use_up(ctx, totals.NUMBERS, swing.on, ATTACKED, against=swing.by)
    has_attacked(ctx, swing)
    if swing.weapon.loading:
        begin(ctx, swing.by, UNLOADED, note=swing.weapon.name)
    if came in HITS:
        _land(ctx, swing, came, bonus)
        leaning.use_up(ctx, totals.NUMBERS, swing.by, ("damage",), swing.tags, swing.on)
        powers.afflict(ctx, swing.by, swing.on, swing.weapon.inflicts, lay_all)
        if not swing.ranged:
            hiding.reveal(ctx, swing.on, "it was hit")
        if swing.by_hand:  # an ability brings them once for all its attacks
            gain_diminish(ctx, swing.by, swing.words.diminish, swing.weapon.name)
    return came


def has_attacked(ctx: Context, swing: Swing) -> None:
    """What an attack brings, hit or miss: out of hiding, and no charm any more (8.3, 9)."""
    who = ctx.state[swing.by]
    hiding.acts_against(ctx, swing.by, swing.on, _is_from_hiding(who, swing))
    if hiding.is_hidden(ctx, who):
        hiding.reveal(ctx, swing.by, "it attacks")
        if swing.one_of and who.track("attacks"):
            ctx.emit(Used(swing.by, FROM_HIDING))
    end_charms(ctx, swing.on, swing.by)


def _is_from_hiding(who: Combatant, swing: Swing) -> bool:
    """Whether it is part of something that began from hiding, which its first attack ended."""
    return swing.from_hiding or (swing.one_of and who.used(FROM_HIDING) > 0)


def reasons(ctx: Context, swing: Swing) -> tuple[list[str], list[str]]:
    """Why an attack has advantage, and why disadvantage (rules file, 1.3, 4.2, 4.6, 4.7, 8)."""
    by, on, words = ctx.state[swing.by], ctx.state[swing.on], swing.words
    rolling, suffering = totals.here(ctx, by), totals.here(ctx, _as_attacked_by(by, on))
    where = ("far" if swing.ranged else "near",)
    pro, con = leaning.leaning(rolling, swing.kinds, suffering, where, swing.tags)
    pro += [*words.pro, *leaning.own_reasons(suffering, "advantage", ATTACKED, by.id)]
    con += [*words.con, *leaning.own_reasons(suffering, "disadvantage", ATTACKED, by.id)]
    pro += [f"unseen by {on.name}"] if words.unseen else []
    con += [f"{on.name} is concealed"] if words.concealed else []
    con += ["engaged"] if words.engaged and swing.ranged else []
    con += ["climbing"] if words.climbing else []
    con += totals.under_water(rolling)
    pro += ["from hiding"] if _is_from_hiding(by, swing) else []
    return pro, con


def _as_attacked_by(by: Combatant, on: Combatant) -> Combatant:
    """The target of an attack without what doesn't count for that attacker: the distracted are hit
    easily by everybody but those who distract them, however many these are (6.5)."""
    if not any(effect.source == by.id for effect in on.all_named(DISTRACTED)):
        return on
    return replace(on, effects=tuple(e for e in on.effects if e.name != DISTRACTED))


def bonus_to_hit(ctx: Context, swing: Swing) -> Sequence[Part]:
    """All that is added to the d20 of an attack."""
    by, weapon = ctx.state[swing.by], swing.weapon
    rolling, suffering = totals.here(ctx, by), totals.here(ctx, ctx.state[swing.on])
    found = [Part(weapon.bonus, weapon.name)]
    found += numbers.parts(rolling, "attack", swing.tags, swing.on)
    found += numbers.parts(suffering, "attacked", against=by.id)
    found += swing.words.parts
    found += numbers.parts(rolling, "diminish") if swing.words.diminish else []
    hindered = swing.by_hand and by.named(DUAL_WIELDING) is not None and not hands.is_trained(by)
    if hindered and not weapon.light:
        found += [Part(-int(ctx.tables.economy["not_light"]), "not light, one in each hand")]
    return totals.NUMBERS.counted(found)


# -- what a hit deals ------------------------------------------------------------------------------


def _land(ctx: Context, swing: Swing, outcome: str, bonus: int) -> None:
    """Deal what a hit deals, if it deals anything: twice the dice on a critical, and then what is
    critical damage, of the attack's type unless it names one (rules file, 1.7, R3). Numbers that
    were called out are all that the sheet deals; what is said of this attack, `extra`, and the
    situation's bonus come to them."""
    weapon, is_critical = swing.weapon, outcome == CRIT
    said = swing.fallen or own_damage(weapon)
    if not said:
        return
    parts = [(fell(ctx, swing.by, much, is_critical), kind or weapon.type) for much, kind in said]
    own = weapon.extra if any(isinstance(much, str) for much, _ in said) else ()
    extras = (own, swing.words.extra) if is_critical else ()
    for amount, *kind in filter(None, extras):
        shown = max(0, dice.throw_dice(ctx, swing.by, amount, "critical damage"))
        parts.append((shown, kind[0] if kind else parts[0][1]))
    landed = movement.damage_of(ctx.tables, swing.words.falling)
    parts += [(landed, movement.BLUNT)] if landed else []
    damage.deal(ctx, swing.on, damage.Blow(tuple(parts), swing.by, bonus=max(bonus, -parts[0][0])))


def behind(came: list[str], swing: Swing) -> Swing:
    """An attack behind others of the same command: a fall is added to the first hit alone (4.5)."""
    has_hit = any(each in HITS for each in came)
    return replace(swing, words=replace(swing.words, falling=0)) if has_hit else swing


def own_damage(row: Attack | Ability | Save) -> Fallen:
    """The damage that a row of the sheet deals: its dice, and those of other types on top."""
    plus = () if isinstance(row, Save) else ((part.dice, part.type) for part in row.plus)
    return (*(((row.dice, row.type),) if row.dice else ()), *plus)


def fell(ctx: Context, who: str, much: int | str, critical: bool = False) -> int:
    """An amount as it was called, or dice as they fall."""
    if isinstance(much, int):
        return much
    return max(0, dice.throw_dice(ctx, who, rolls.twice(much) if critical else much, "damage"))


def in_words(came: list[str], fallen: Fallen, works: Collection[str] = HITS) -> str:
    """How rolls came out, and what was called out where one works: ", hit 8 slashing 4 fire"."""
    dealt = fallen if any(each in works for each in came) else ()
    return f", {', '.join(came)}" + "".join(f" {much} {kind}".rstrip() for much, kind in dealt)


ACTS = {"attack": Declared(Assault, take_attack)}
