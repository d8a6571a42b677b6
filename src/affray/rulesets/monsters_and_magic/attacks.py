"""Attacks: who has advantage, what is rolled, what a hit deals.

Seed 004: Attacking & Dealing Damage.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart.effects import end, in_force
from affray.core.heart.state import Combatant
from affray.core.language.clauses import read_amount, read_type
from affray.core.language.refusal import Refused, listed
from affray.core.language.words import Words
from affray.rulekit import leaning, rolls
from affray.rulekit.numbers import Part
from affray.rulekit.rolls import Die
from affray.rulesets.monsters_and_magic import checks, damage, fatigue, totals
from affray.rulesets.monsters_and_magic.checks import Outcome, Terms
from affray.rulesets.monsters_and_magic.creatures import Attack, attacks_of

if TYPE_CHECKING:
    from affray.core.heart.decide import Context

FATIGUE_COST = 1
FATIGUE_DEALT = 2


class Assault(Struct, frozen=True):
    """One attack as the command describes it.

    fatigue   whether it inflicts fatigue in place of damage
    amount    the damage as rolled; None for the attack's own dice
    weapon    which of the attacker's attacks it is made with; empty for the first that fits
    spell     the spell that is cast; empty for a Strike
    ability   what is rolled with; empty for the weapon's own
    far       whether it comes from out of touch range; None for what the weapon says
    in_reach  whether it takes a melee weapon or a spell
    """

    target: str
    die: Die
    terms: Terms = Terms()
    fatigue: bool = False
    amount: int | None = None
    type: str = ""
    weapon: str = ""
    spell: str = ""
    ability: str = ""
    proficient: bool = True
    far: bool | None = None
    in_reach: bool = False
    cover: bool = False
    concealed: bool = False


_EITHER = "it is either damage or fatigue, not both"
_ASSAULT_WORDS = (
    "far",
    "near",
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
    return read_assaults(ctx, words, [target], attacker)[0]


def read_assaults(
    ctx: Context, words: Words, targets: list[Combatant], attacker: Combatant
) -> list[Assault]:
    """Read the same for several targets, each with an outcome or a die of its own."""
    dice = _dice(ctx, words, attacker, len(targets))
    assault = Assault(targets[0].id, dice[0])
    while True:
        terms = checks.read_term(words, assault.terms)
        word = "" if terms else words.take("fatigue", *_ASSAULT_WORDS)
        if terms is not None:
            assault = replace(assault, terms=terms)
        elif word:
            assault = _with_word(words, assault, word)
        elif words.done or words.peek() in ("ap", "by") or assault.amount is not None:
            break
        else:
            assault = _with_damage(ctx, words, assault, attacker)
    return [
        replace(assault, target=target.id, die=die)
        for target, die in zip(targets, dice, strict=True)
    ]


def _dice(ctx: Context, words: Words, attacker: Combatant, targets: int) -> list[Die]:
    """A monster's attack may leave its outcome out: the program rolls for monsters."""
    unsaid = words.done or words.peek() in ("fatigue", "ap", *checks.TERM_WORDS, *_ASSAULT_WORDS)
    if attacker.kind != "pc" and unsaid:
        words.offered.extend(("roll", *checks.SAID) if words.done else ())
        return [rolls.unsaid(ctx)] * targets
    return rolls.read_dice(ctx, words, checks.OUTCOMES, targets)


def _with_damage(ctx: Context, words: Words, assault: Assault, attacker: Combatant) -> Assault:
    if assault.fatigue:
        raise words.refuse(_EITHER)
    amount = read_amount(ctx, words, "the damage rolled", attacker.id)
    stop = (*checks.TERM_WORDS, *_ASSAULT_WORDS, "fatigue", "ap")
    kind = read_type(words, lambda: damage.known_types(ctx), stop)
    return replace(assault, amount=amount, type=kind)


def _with_word(words: Words, assault: Assault, word: str) -> Assault:
    if word == "fatigue" and assault.amount is not None:
        raise words.refuse(_EITHER)
    if word in ("cover", "concealed", "fatigue"):
        return replace(assault, **{word: True})
    if word in ("far", "near"):
        return replace(assault, far=word == "far")
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
    far = is_far(assault, weapon)
    pro, con = advantage(ctx, ctx.state[attacker.id], target, far)
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
        raise Refused(_no_dice(attacker, assault))


def _no_dice(attacker: Combatant, assault: Assault) -> str:
    what = f"spell called {assault.spell!r}" if assault.spell else "attack of their own"
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
    wanted = assault.weapon or assault.spell.casefold()
    for weapon in fits:
        if weapon.name.casefold().startswith(wanted):
            return weapon
    if assault.weapon or (assault.in_reach and known):
        kind = "melee attack" if assault.in_reach else "spell" if assault.spell else "attack"
        named = f" {assault.weapon!r}" if assault.weapon else ""
        have = f"; it has {listed((a.name for a in fits), 'and')}" if fits else ""
        raise Refused(f"{attacker.name} has no {kind}{named}{have}")
    return None


def _fits(weapon: Attack, assault: Assault) -> bool:
    """Whether an attack can be what is made: a spell where one is cast, no bow within reach."""
    if assault.spell or (assault.ability == "spell" and not assault.weapon):
        return weapon.is_spell
    return weapon.is_spell or not (assault.in_reach and weapon.is_ranged)


def is_far(assault: Assault, weapon: Attack | None) -> bool:
    """Whether an attack comes from out of touch range: as it is said, else as ranged ones do."""
    if assault.far is not None:
        return assault.far
    return weapon is not None and weapon.is_ranged and not assault.in_reach


def _ability(assault: Assault, weapon: Attack | None) -> str:
    return assault.ability or (weapon.ability if weapon else "power")


def attack_shares(attacker: Combatant, assault: Assault, weapon: Attack | None) -> list[Part]:
    """The attacker's own bonuses: ability and PB; for a monster its CR, once."""
    shares = [checks.ability(attacker, _ability(assault, weapon))]
    if attacker.kind == "pc" and assault.proficient:
        shares.append(Part(attacker.number("pb"), "PB"))
    return shares


def _hindrances(ctx: Context, assault: Assault) -> list[Part]:
    economy = ctx.tables.economy
    return [
        *([Part(-economy["cover"], "cover")] if assault.cover else []),
        *([Part(-economy["concealed"], "concealed")] if assault.concealed else []),
    ]


def advantage(
    ctx: Context, attacker: Combatant, target: Combatant, far: bool
) -> tuple[list[str], list[str]]:
    """The reasons for advantage and for disadvantage on an attack, by what is in force on both.

    `far` tells that the attacker is out of touch range.
    """
    roller, suffering = (totals.here(ctx, who) for who in (attacker, target))
    here = "far" if far else "near"
    pro, con = leaning.leaning(roller, ("attack",), suffering, (here,))
    if dodges(ctx, target, attacker):
        con.append("target dodging")
    if ctx.state.settings.get("underwater") == "on" and not _swims(ctx, attacker):
        con.append("under water")
    return pro, con


def _swims(ctx: Context, who: Combatant) -> bool:
    """Whether it has a swim speed, or rides what has one (seed 004: Underwater Combat)."""
    riding = who.named("mounted")
    mount = ctx.state.find(riding.source) if riding is not None else None
    return bool(who.stats.get("swim") or (mount is not None and mount.stats.get("swim")))


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
    openings = leaning.spent_on(totals.NUMBERS, ctx.tables, ctx.state[target], attacker)
    leaning.use_up(ctx, target, openings)
    for effect in ctx.state[attacker].effects:
        if effect.name == "invisible" and effect.because == "hiding":
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
    """The attack's dice; to a weapon's a character adds the ability of the attack roll."""
    if weapon is None:
        raise Refused(_no_dice(attacker, assault))
    total = rolls.throw_dice(ctx, attacker.id, weapon.dice, f"{weapon.name} damage")
    ability = _ability(assault, weapon)
    adds = attacker.kind == "pc" and not weapon.is_spell and ability != "spell"
    return max(0, total + (int(checks.ability(attacker, ability).amount) if adds else 0))


def said(assault: Assault, outcome: str) -> str:
    """An attack's outcome and amount as the GM said them: `strong 8 slashing`."""
    parts = [outcome]
    if assault.fatigue:
        parts.append("fatigue")
    elif assault.amount is not None and outcome in checks.HITS:
        parts += [str(assault.amount), assault.type]
    return " ".join(p for p in parts if p)
