"""Attacks: who has advantage, what is rolled, what a hit deals.

Seed 004: Attacking & Dealing Damage.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from affray.core.clauses import read_amount, read_type
from affray.core.dice import parse_dice, roll
from affray.core.effects import end, in_force, rule_of
from affray.core.events import Rolled
from affray.core.refusal import Refused
from affray.core.ruleset import Share
from affray.core.state import Combatant
from affray.core.words import Words
from affray.rulesets.monsters_and_magic import checks, damage, fatigue, totals
from affray.rulesets.monsters_and_magic.checks import Die, Outcome, Terms
from affray.rulesets.monsters_and_magic.creatures import Attack, attacks_of

if TYPE_CHECKING:
    from affray.core.decide import Context

FATIGUE_COST = 1
FATIGUE_DEALT = 2


class Assault(Struct, frozen=True):
    """One attack as the command describes it.

    fatigue   whether it inflicts fatigue in place of damage
    amount    the damage as rolled; None for the attack's own dice
    ability   what is rolled with; empty for the weapon's own
    """

    target: str
    die: Die
    terms: Terms = Terms()
    fatigue: bool = False
    amount: int | None = None
    type: str = ""
    weapon: str = ""
    ability: str = ""
    proficient: bool = True
    far: bool = False
    cover: bool = False
    concealed: bool = False


_EITHER = "it is either damage or fatigue, not both"
_ASSAULT_WORDS = (
    "far",
    "cover",
    "concealed",
    "unproficient",
    "with",
    "power",
    "cunning",
    "focus",
    "spell",
    "agile",
    "precise",
)


def read_assault(ctx: Context, words: Words, target: Combatant, attacker: Combatant) -> Assault:
    """Read `OUTCOME [DAMAGE [TYPE] | fatigue]` and what else is said of it, in any order."""
    assault = Assault(target.id, _die(ctx, words, attacker))
    while True:
        terms = checks.read_term(words, assault.terms)
        word = "" if terms else words.take("fatigue", *_ASSAULT_WORDS)
        if terms is not None:
            assault = replace(assault, terms=terms)
        elif word:
            assault = _with_word(words, assault, word)
        elif words.done or words.peek() in ("ap", "by") or assault.amount is not None:
            return assault
        else:
            assault = _with_damage(ctx, words, assault, attacker)


def _die(ctx: Context, words: Words, attacker: Combatant) -> Die:
    """A monster's attack may leave its outcome out: the program rolls for monsters."""
    unsaid = words.done or words.peek() in ("fatigue", *checks.TERM_WORDS, *_ASSAULT_WORDS)
    if attacker.kind != "pc" and unsaid:
        words.offered.extend(("roll", *checks.SAID) if words.done else ())
        return checks.known_die(ctx) or Die()
    return checks.read_die(ctx, words)


def _with_damage(ctx: Context, words: Words, assault: Assault, attacker: Combatant) -> Assault:
    if assault.fatigue:
        raise words.refuse(_EITHER)
    amount = read_amount(ctx, words, "the damage rolled", attacker.id)
    stop = (*checks.TERM_WORDS, *_ASSAULT_WORDS, "fatigue", "ap")
    kind = read_type(words, damage.known_types(ctx), stop)
    return replace(assault, amount=amount, type=kind)


def _with_word(words: Words, assault: Assault, word: str) -> Assault:
    if word == "fatigue" and assault.amount is not None:
        raise words.refuse(_EITHER)
    if word in ("far", "cover", "concealed", "fatigue"):
        return replace(assault, **{word: True})
    if word == "unproficient":
        return replace(assault, proficient=False)
    if word == "with":
        return replace(assault, weapon=words.next("the attack's name").casefold())
    return replace(assault, ability={"agile": "cunning", "precise": "focus"}.get(word, word))


def attack(ctx: Context, attacker: Combatant, assault: Assault, what: str) -> Outcome:
    """Make an attack and let it land; gives its outcome.

    Raises Refused for a dead or missing target, an unknown weapon, or a hit without damage.
    """
    target = ctx.state[assault.target]
    if target.life == "dead":
        raise Refused(f"{target.name} is dead")
    if target.id == attacker.id:
        raise Refused(f"{attacker.name} can't attack themself")
    weapon = weapon_of(attacker, assault)
    _can_land(target, attacker, assault, weapon)
    if assault.fatigue:
        fatigue.mark(ctx, attacker.id, FATIGUE_COST, f"for the {what}")
    pro, con = advantage(ctx, ctx.state[attacker.id], target, assault)
    check = checks.Check(
        attacker.id,
        what,
        [*attack_shares(attacker, assault, weapon), *_hindrances(ctx, assault)],
        assault.die,
        assault.terms,
        ("check", "attack", _ability(assault, weapon)),
        pro,
        con,
        target.id,
    )
    outcome = checks.make(ctx, check)
    use_openings(ctx, attacker.id, target.id)
    if checks.is_hit(outcome):
        _land(ctx, attacker, assault, weapon, outcome)
    return outcome


def _can_land(
    target: Combatant, attacker: Combatant, assault: Assault, weapon: Attack | None
) -> None:
    """Raises Refused for an attack of which a hit could do nothing."""
    if assault.fatigue:
        fatigue.require(target)
        fatigue.require(attacker)
    elif "hp" not in target.tracks:
        raise Refused(f"{target.name} has no HP that could be damaged")
    elif assault.die.rolled_here and assault.amount is None and weapon is None:
        raise Refused(_no_dice(attacker))


def _no_dice(attacker: Combatant) -> str:
    return (
        f"how much damage was rolled? {attacker.name} has no attack of their own to roll: "
        "add it as a number, such as `strong 8`"
    )


def weapon_of(attacker: Combatant, assault: Assault) -> Attack | None:
    """The attack that is used: the one named, else the first it has, else None.

    Raises Refused for a name it does not have.
    """
    known = attacks_of(attacker)
    if not assault.weapon:
        return known[0] if known else None
    for weapon in known:
        if weapon.name.casefold().startswith(assault.weapon):
            return weapon
    names = ", ".join(w.name for w in known) or "none"
    raise Refused(f"{attacker.name} has no attack {assault.weapon!r}; it has {names}")


def _ability(assault: Assault, weapon: Attack | None) -> str:
    return assault.ability or (weapon.ability if weapon else "power")


def attack_shares(attacker: Combatant, assault: Assault, weapon: Attack | None) -> list[Share]:
    """The attacker's own bonuses: ability and PB; for a monster its CR, once."""
    shares = [checks.ability(attacker, _ability(assault, weapon))]
    if attacker.kind == "pc" and assault.proficient:
        shares.append(Share(attacker.number("pb"), "PB"))
    return shares


def _hindrances(ctx: Context, assault: Assault) -> list[Share]:
    economy = ctx.tables.economy
    return [
        *([Share(-economy["cover"], "cover")] if assault.cover else []),
        *([Share(-economy["concealed"], "concealed")] if assault.concealed else []),
    ]


def advantage(
    ctx: Context, attacker: Combatant, target: Combatant, assault: Assault
) -> tuple[list[str], list[str]]:
    """The reasons for advantage and for disadvantage on an attack, by what is in force on both."""
    pro: list[str] = []
    con: list[str] = []
    for name in in_force(ctx.tables, ctx.state, attacker):
        rule = rule_of(ctx.tables, name)
        pro += [name] if "attack" in rule.advantage else []
        con += [name] if "attack" in rule.disadvantage else []
    for name in in_force(ctx.tables, ctx.state, target):
        rule = rule_of(ctx.tables, name)
        for side, reasons in (("advantage", pro), ("disadvantage", con)):
            when = rule.suffers.get(side)
            if when and when in ("always", "far" if assault.far else "near"):
                reasons.append(f"target {name}")
    if dodges(ctx, target, attacker):
        con.append("target dodging")
    if ctx.state.settings.get("underwater") == "on" and not attacker.stats.get("swim"):
        con.append("under water")
    return pro, con


def dodges(ctx: Context, target: Combatant, attacker: Combatant) -> bool:
    """Whether a Dodge helps: its user sees the attacker, can act and can move."""
    have = in_force(ctx.tables, ctx.state, target)
    if "dodging" not in have or not can_dodge(ctx, target):
        return False
    unseen = "invisible" in in_force(ctx.tables, ctx.state, attacker)
    return "blinded" not in have and not unseen


def can_dodge(ctx: Context, who: Combatant) -> bool:
    """Whether somebody can act and has a speed above 0, which Dodge needs to work."""
    have = in_force(ctx.tables, ctx.state, who)
    return "stunned" not in have and totals.speed(ctx.tables, ctx.state, who) > 0


def use_openings(ctx: Context, attacker: str, target: str) -> None:
    """An attack uses up what was good for one attack, and gives a hidden attacker away."""
    for effect in ctx.state[target].effects:
        if effect.kind == "opening" and "advantage" in rule_of(ctx.tables, effect.name).suffers:
            end(ctx, target, effect.id, "used")
    for effect in ctx.state[attacker].effects:
        if effect.kind == "opening" and rule_of(ctx.tables, effect.name).advantage:
            end(ctx, attacker, effect.id, "used")
        elif effect.name == "invisible" and effect.because == "hiding":
            end(ctx, attacker, effect.id, "attacked")


def _land(
    ctx: Context, attacker: Combatant, assault: Assault, weapon: Attack | None, outcome: Outcome
) -> None:
    """What a hit does: fatigue, or damage."""
    if assault.fatigue:
        marks = damage.scaled(FATIGUE_DEALT, outcome)
        fatigue.mark(ctx, assault.target, marks, f"struck by {attacker.name}")
        return
    amount = assault.amount
    if amount is None:
        amount = _rolled_damage(ctx, attacker, assault, weapon)
    kind = assault.type or (weapon.type if weapon else "")
    cover = ctx.tables.economy["cover"] if assault.cover else 0
    damage.deal(ctx, assault.target, damage.Blow(amount, kind, outcome, cover))


def _rolled_damage(
    ctx: Context, attacker: Combatant, assault: Assault, weapon: Attack | None
) -> int:
    """The weapon's dice; a character adds the ability of the attack roll."""
    if weapon is None:
        raise Refused(_no_dice(attacker))
    fell = roll(parse_dice(weapon.dice), ctx.dice)
    ctx.emit(Rolled(attacker.id, fell.dice, fell.faces, fell.total, for_=f"{weapon.name} damage"))
    bonus = checks.ability(attacker, _ability(assault, weapon)) if attacker.kind == "pc" else None
    return max(0, fell.total + (int(bonus.amount) if bonus else 0))
