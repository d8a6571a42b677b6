"""Attacks by weapon and spell: what makes one easier or harder, what is rolled, what a hit does.

Seed 004: Attacking & Dealing Damage, Cover, Concealment, Reach & Range, Underwater Combat, Basic
Techniques (Dodge).
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.effects import end
from affray.core.heart.events import Noted
from affray.core.heart.state import Combatant, Effect
from affray.core.language import arguments
from affray.core.language.declared import Reading
from affray.core.language.refusal import Refused, listed
from affray.rulekit import leaning, numbers, powers, rolls
from affray.rulekit.harm import require_hp
from affray.rulekit.numbers import Part, Situation
from affray.rulekit.placing import Affliction, Placing
from affray.rulekit.rolls import Die
from affray.rulesets.monsters_and_magic import (
    checks,
    conditions,
    gear,
    hands,
    harm,
    mounts,
    sheet,
    surroundings,
    totals,
)
from affray.rulesets.monsters_and_magic.checks import Outcome
from affray.rulesets.monsters_and_magic.creatures import weapons_of
from affray.rulesets.monsters_and_magic.sheet import Attack, attacks_of
from affray.rulesets.monsters_and_magic.surroundings import INVISIBLE


def _is_rolled_for(reading: Reading) -> bool:
    """A monster's attack may leave its outcome out: the program rolls for monsters."""
    return reading.ctx.actor().kind != "pc"


def _weapons(reading: Reading) -> list[str]:
    return [f'"{name}"' if " " in name else name for name in weapons_of(reading.ctx.actor())]


Amount = Annotated[int | None, arguments.amount(usage="DAMAGE")]
Type = Annotated[str, arguments.damage_type(harm.known_types, behind="amount")]
_WITH = arguments.clause("with", arguments.text("the attack's name", _weapons, "NAME"))
_ABILITY = arguments.one_of(
    "power", "cunning", "focus", "spell", alike={"agile": "cunning", "precise": "focus"}
)


class AttackWords(checks.Terms, frozen=True):
    """What may be said of an attack, in any order.

    cover     whether the target has partial cover; `concealed` likewise
    fatigue   whether it inflicts fatigue in place of damage
    weapon    which of the attacker's attacks it is made with; empty for the first that fits
    ability   what is rolled with; empty for the weapon's own
    range     whether it comes from out of touch range; empty for what the weapon says
    at        from how many feet away it comes; None where nobody says it
    """

    cover: Annotated[bool, arguments.flag()] = False
    concealed: Annotated[bool, arguments.flag()] = False
    fatigue: Annotated[bool, arguments.flag()] = False
    weapon: Annotated[str, _WITH] = ""
    ability: Annotated[str, _ABILITY] = ""
    unproficient: Annotated[bool, arguments.flag()] = False
    range: Annotated[str, arguments.one_of("far", "near")] = ""
    at: Annotated[int | None, arguments.clause("at", surroundings.FEET)] = None


class Assault(Struct, frozen=True):
    """One attack as the command describes it.

    amount    the damage as rolled; None for the attack's own dice
    spell     the spell that is cast; empty for a Strike
    in_reach  whether it takes a melee weapon or a spell
    """

    target: Annotated[Combatant, arguments.person("the target", usage="TARGET")]
    die: Annotated[Die, rolls.die_said(checks.OUTCOMES, may_lack=_is_rolled_for)]
    words: Annotated[AttackWords, arguments.words_of(AttackWords, "WORDS")] = AttackWords()
    amount: Amount = None
    type: Type = ""
    spell: str = ""
    in_reach: bool = False


class Volley(Struct, frozen=True):
    """One attack on several: each has an outcome or a die of its own."""

    targets: Annotated[
        list[Combatant],
        arguments.people("the target, or several", arguments.others, usage="TARGET[,TARGET]"),
    ]
    dice: Annotated[list[Die], rolls.die_said(checks.OUTCOMES, "targets", may_lack=_is_rolled_for)]
    words: Annotated[AttackWords, arguments.words_of(AttackWords, "WORDS")] = AttackWords()
    amount: Amount = None
    type: Type = ""


def attack(ctx: Context, attacker: Combatant, assault: Assault, what: str) -> Outcome:
    """Make an attack and let it land; gives its outcome.

    Raises Refused for a dead or missing target, an unknown weapon, or a hit without damage.
    """
    target = ctx.state[assault.target.id]
    if assault.words.fatigue and assault.amount is not None:
        raise Refused("it is either damage or fatigue, not both")
    if target.life == "dead":
        raise Refused(f"{target.name} is dead")
    if target.id == attacker.id:
        raise Refused(f"{attacker.name} can't attack themself")
    words = assault.words
    weapon = weapon_of(attacker, assault)
    _can_land(target, attacker, assault, weapon)
    hindered = _out_of_range(ctx, attacker, assault, weapon)
    if weapon is not None:
        hands.draw_for(ctx, attacker, weapon.name)
    if words.fatigue:
        harm.mark_fatigue(ctx, attacker.id, 1, f"for the {what}")
    far = _is_far(ctx, assault, weapon)
    ability = _ability(attacker, assault, weapon)
    pro, con = _advantage(ctx, ctx.state[attacker.id], target, far, words.at)
    seen = surroundings.look_at(ctx, attacker, target, words.at)
    check = checks.plain(attacker, what, ability, assault.die, words, "attack", target.id)
    dim = surroundings.concealment(ctx, words.concealed, seen)
    shares = [*check.shares, _pb(attacker, assault, weapon), _cover(ctx, target, words), dim]
    check = replace(check, shares=shares, pro=pro, con=[*con, *hindered])
    outcome = checks.make(ctx, check)
    use_openings(ctx, attacker.id, target.id)
    if outcome in checks.HITS:
        _land(ctx, attacker, assault, weapon, outcome)
        inflicted = weapon.inflicts if weapon is not None else ()
        powers.afflict(ctx, attacker.id, target.id, inflicted, _inflict_all)
    return outcome


def _inflict(ctx: Context, target: str, what: Affliction, placing: Placing) -> None:
    """Lay what the attack inflicts; a condition that is there already is the GM's choice, to extend
    or to detonate."""
    bearer, name = ctx.state[target], what.name
    if bearer.named(name) is not None:
        again = f"`inflict {target} {name} extend` or `detonate`"
        ctx.emit(Noted(f"{bearer.name} is {name} already: {again}"))
    else:
        conditions.lay(ctx, target, name, placing)


_inflict_all = powers.one_by_one(_inflict)


def _can_land(
    target: Combatant, attacker: Combatant, assault: Assault, weapon: Attack | None
) -> None:
    """Raises Refused for who can't be aimed at, and for an attack whose hit could do nothing."""
    if target.named(surroundings.TOTAL_COVER) is not None:
        raise Refused(f"{target.name} has total cover: no attack or spell can be aimed at it")
    if assault.words.fatigue:
        harm.require_fatigue(target)
        harm.require_fatigue(attacker)
        return
    require_hp(target, "damaged")
    if assault.die.rolled_here and assault.amount is None and weapon is None:
        raise Refused(_no_dice(attacker, assault))


def _no_dice(attacker: Combatant, assault: Assault) -> str:
    kind = "spell" if assault.words.ability == "spell" else "attack"
    what = f"spell called {assault.spell!r}" if assault.spell else f"{kind} of their own"
    return (
        f"how much damage was rolled? {attacker.name} has no {what} to roll for: "
        "add it as a number, such as `strong 8`"
    )


def weapon_of(attacker: Combatant, assault: Assault) -> Attack | None:
    """The attack that is used: the one named, else the first that fits, else None.

    A spell that is cast is the spell attack of its name, and no weapon. Raises Refused for a name
    that the attacker has no fitting attack of, and where reach is needed and only bows are there.
    """
    known = attacks_of(attacker)
    fits = [a for a in known if _fits(a, assault)]
    wanted = (assault.words.weapon or assault.spell).casefold()
    ready = [a for a in fits if gear.is_ready(attacker, a)]
    for weapon in ready:
        if weapon.name.casefold().startswith(wanted):
            return weapon
    if ready != fits and not assault.spell:
        weapons = [attack.name for attack in ready if not attack.is_spell]
        held = listed(weapons, "and") if weapons else "no such weapon"
        raise Refused(f"{attacker.name} has {held} in hand: `retrieve swap` changes that")
    if assault.words.weapon or (assault.in_reach and known):
        kind = "melee attack" if assault.in_reach else "spell" if assault.spell else "attack"
        named = f" {assault.words.weapon!r}" if assault.words.weapon else ""
        have = f"; it has {listed((a.name for a in fits), 'and')}" if fits else ""
        raise Refused(f"{attacker.name} has no {kind}{named}{have}")
    return None


def _fits(weapon: Attack, assault: Assault) -> bool:
    """Whether an attack can be what is made: a spell where one is cast, no bow within reach."""
    if assault.spell or (assault.words.ability == "spell" and not assault.words.weapon):
        return weapon.is_spell
    return weapon.is_spell or not (assault.in_reach and weapon.is_ranged)


def _out_of_range(
    ctx: Context, attacker: Combatant, assault: Assault, weapon: Attack | None
) -> list[str]:
    """Why an attack from so far away has disadvantage; nothing where it hasn't.

    Raises Refused beyond touch range for melee weapons, beyond their range for spells, beyond twice
    their range for ranged weapons; under water the range of weapons is half of it.
    """
    feet = assault.words.at
    if weapon is None or feet is None:
        return []
    if not (weapon.is_spell or weapon.is_ranged):
        reach = most = int(ctx.tables.economy["ranges"]["touch"])
    elif not weapon.range:
        return []
    elif weapon.is_spell:
        reach = most = weapon.range
    else:
        wet = surroundings.is_under_water(ctx, attacker)
        reach = weapon.range // 2 if wet else weapon.range
        most = 2 * reach
    if feet > most:
        raise Refused(f"{weapon.name} reaches {most} feet at most, and that is {feet} feet away")
    return ["beyond its range"] if feet > reach else []


def _is_far(ctx: Context, assault: Assault, weapon: Attack | None) -> bool:
    """Whether an attack comes from out of touch range: as it is said, else as ranged ones do."""
    if assault.words.range:
        return assault.words.range == "far"
    if assault.words.at is not None:
        return assault.words.at > int(ctx.tables.economy["ranges"]["touch"])
    return weapon is not None and weapon.is_ranged and not assault.in_reach


def _ability(attacker: Combatant, assault: Assault, weapon: Attack | None) -> str:
    """What is rolled with: as it is said; else the weapon's own, or POWER where that is better,
    since agile and precise weapons leave the choice (Ability Checks)."""
    own = weapon.ability if weapon else "power"
    if assault.words.ability or own == "spell":
        return assault.words.ability or own
    return max((own, "power"), key=lambda name: sheet.ability(attacker, name))


def _pb(attacker: Combatant, assault: Assault, weapon: Attack | None) -> Part:
    """A character's PB, where they are proficient with the weapon, or for a spell with the focus in
    hand."""
    held = gear.focus_in_hand(attacker) if weapon is None or weapon.is_spell else weapon
    is_able = held is None or gear.is_proficient(attacker, held.kind)
    counts = is_able and attacker.kind == "pc" and not assault.words.unproficient
    return Part(attacker.number("pb") if counts else 0, "PB")


OPENING = "unseen"
"""The first attack from hiding on somebody one is invisible to has advantage by it (Hide)."""
HIDING = "hiding"
"""Because of what somebody is invisible who has hidden."""


def is_hiding(effect: Effect) -> bool:
    """Whether somebody is invisible by hiding, which ends when they are noticed (Hide)."""
    return effect.name == "invisible" and effect.because == HIDING


def use_openings(ctx: Context, attacker: str, target: str) -> None:
    """An attack uses up what was good for one attack, and gives a hidden attacker away."""
    leaning.use_up_on(ctx, totals.NUMBERS, target, attacker)
    for effect in ctx.state[attacker].effects:
        if is_hiding(effect):
            end(ctx, attacker, effect.id, "attacked")


def _land(
    ctx: Context, attacker: Combatant, assault: Assault, weapon: Attack | None, outcome: Outcome
) -> None:
    """What a hit does: fatigue, or damage."""
    if assault.words.fatigue:
        marks = harm.scaled(2, outcome)
        harm.mark_fatigue(ctx, assault.target.id, marks, f"struck by {attacker.name}")
        return
    used = totals.fitting(ctx.state[attacker.id], (totals.DAMAGE,))
    amount = assault.amount
    if amount is None:
        amount = _rolled_damage(ctx, attacker, assault, weapon)
    more = map(totals.forward_part, used)
    bonus = numbers.value(totals.here(ctx, ctx.state[attacker.id]), totals.DAMAGE, more=more)
    totals.use_up(ctx, attacker.id, totals.DAMAGE, used)
    kind = assault.type or (weapon.type if weapon else "")
    is_new = assault.words.cover and not _has_cover(ctx.state[assault.target.id])
    cover = ctx.tables.economy["cover"] if is_new else 0  # of a place of theirs its row tells
    harm.deal(ctx, assault.target.id, harm.Blow(amount, kind, outcome, cover, bonus=bonus))


def _rolled_damage(
    ctx: Context,
    attacker: Combatant,
    assault: Assault,
    weapon: Attack | None,
) -> int:
    """The attack's dice; to a weapon's a character adds the ability of the attack roll."""
    if weapon is None:
        raise Refused(_no_dice(attacker, assault))
    total = rolls.throw_dice(ctx, attacker.id, weapon.dice, f"{weapon.name} damage")
    ability = _ability(attacker, assault, weapon)
    adds = attacker.kind == "pc" and not weapon.is_spell and ability != "spell"
    return max(0, total + (sheet.ability(attacker, ability) if adds else 0))


def said(assault: Assault, outcome: str) -> str:
    """An attack's outcome and amount as the GM said them: `strong 8 slashing`."""
    parts = [outcome]
    if assault.words.fatigue:
        parts.append("fatigue")
    elif assault.amount is not None and outcome in checks.HITS:
        parts += [str(assault.amount), assault.type]
    return " ".join(filter(None, parts))


# -- what makes it easier or harder ----------------------------------------------------------------


def _advantage(
    ctx: Context, attacker: Combatant, target: Combatant, far: bool, feet: int | None
) -> tuple[list[str], list[str]]:
    """The reasons for advantage and for disadvantage on an attack, by what is in force on both.

    `far` tells that the attacker is out of touch range, `feet` how far away where that is known.
    What the senses of either make useless doesn't count.
    """
    found = surroundings.found_by(ctx, attacker, target, feet)
    noticed = surroundings.found_by(ctx, target, attacker, feet)
    seen_coming = {INVISIBLE, OPENING} if INVISIBLE in noticed else set()
    roller = surroundings.without(totals.here(ctx, attacker), seen_coming)
    suffering = surroundings.without(totals.here(ctx, target), found & {INVISIBLE})
    pro, con = leaning.leaning(roller, ("attack",), suffering, ("far" if far else "near",))
    seen = surroundings.how_seen(ctx, attacker, target, feet)
    says_so = any(effect.name == INVISIBLE for effect in suffering.effects)
    if seen in surroundings.UNSEEN and not says_so:
        con.append(f"target {seen}")
    if "dodging" in suffering.force and _dodges(ctx, suffering, attacker, feet):
        con.append("target dodging")
    if surroundings.is_under_water(ctx, attacker) and not _swims(ctx, attacker):
        con.append("under water")
    return pro, con


def _swims(ctx: Context, who: Combatant) -> bool:
    """Whether it has a swim speed, or rides what has one (seed 004: Underwater Combat)."""
    mount = mounts.steed_of(ctx.state, who)
    return bool(who.stats.get("swim") or (mount is not None and mount.stats.get("swim")))


def _dodges(ctx: Context, target: Situation, attacker: Combatant, feet: int | None) -> bool:
    """Whether a Dodge helps: its user sees the attacker, can act and can move."""
    seen = surroundings.how_seen(ctx, target.who, attacker, feet)
    is_blind = "blinded" in target.force or seen in surroundings.UNSEEN
    return not is_blind and totals.can_dodge(ctx, target.who)


def _cover(ctx: Context, target: Combatant, said: AttackWords) -> Part:
    """What partial cover takes from the roll, said of the attack or there with the target."""
    is_covered = said.cover or _has_cover(target)
    return Part(-ctx.tables.economy["cover"] if is_covered else 0, "cover")


def _has_cover(who: Combatant) -> bool:
    """Whether somebody is in a place with partial cover, whose row raises their AC."""
    return who.named(surroundings.PARTIAL_COVER) is not None
