"""What else is done with weapons: wielding them, loading them, stunts, opportunity attacks.

Seed 001: Dual Wielding, Reload, Stunt, Opportunity Attack; rules file, 4.2 to 4.4 and 6.4.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from affray.core.heart import timing
from affray.core.heart.decide import Context
from affray.core.heart.effects import end, end_named
from affray.core.heart.events import Adjusted
from affray.core.heart.state import Combatant
from affray.core.language import arguments
from affray.core.language.declared import Argument, Reading
from affray.core.language.refusal import Refused, listed
from affray.core.language.words import Word
from affray.rulekit.acts import Pay
from affray.rulekit.doing import Declared
from affray.rulekit.placing import Placing, begin, placing_said, until_for
from affray.rulekit.rolls import Die
from affray.rulesets.adventure_school import attacks, checks, conditions, damage, economy, sheet
from affray.rulesets.adventure_school.attacks import (
    DISARMED,
    UNLOADED,
    WEAPON,
    Fallen,
    Swing,
    WeaponWords,
)
from affray.rulesets.adventure_school.checks import Trial
from affray.rulesets.adventure_school.rolls import HITS, PASSES, attack_outcome, outcome
from affray.rulesets.adventure_school.sheet import Attack

# -- wield -----------------------------------------------------------------------------------------


def _read_weapons(reading: Reading) -> list[Attack]:
    words, row = reading.words, sheet.weapons_of(reading.ctx.actor())
    said = [Word(name) for name in words.next("what is wielded", row).split(",")]
    if len(said) > 2:
        words.back()
        raise words.refuse("expected one weapon, or one for each hand: dagger,hatchet")
    words.insert(said)
    return [WEAPON.read(reading) for _ in said]


class Wield(Struct, frozen=True):
    """`wield WEAPON[,WEAPON]`."""

    weapons: Annotated[list[Attack], Argument(_read_weapons, "WEAPON[,WEAPON]", asks="text:weapon")]


def wield(ctx: Context, said: Wield, who: Combatant, pay: Pay) -> None:
    """Have a weapon in hand, or one in each: two attacks, at a price (4.2). What was lost is picked
    up for 5 ft. of movement (5.6, 6.8)."""
    hands, is_dual = [weapon.name for weapon in said.weapons], len(said.weapons) > 1
    for weapon in said.weapons:
        if is_dual and weapon.two_handed:
            raise Refused(f"{weapon.name} takes two hands")
    if who.track("attacks"):
        raise Refused(f"{who.name} is in the middle of an attack action")
    lying = [e for e in who.effects if e.name == DISARMED and e.note in hands]
    if any(effect.type for effect in lying):
        raise Refused(f"{listed([e.note for e in lying], 'and')} is held by somebody else")
    pay({"movement": int(ctx.tables.economy["pick_up"]) * len(lying)})
    for effect in lying:
        end(ctx, who.id, effect.id, "picked up")
    end_named(ctx, who.id, attacks.DUAL_WIELDING, "something else is wielded")
    ctx.emit(Adjusted(who.id, attacks.WIELDS, hands))
    if is_dual:
        worse = () if attacks.is_trained(who) else ("weapon",)
        begin(ctx, who.id, attacks.DUAL_WIELDING, note=", ".join(hands), disadvantage=worse)
    ctx.text = f"{who.name} wields {listed(hands, 'and')}"


def settled(ctx: Context, who: str) -> None:
    """Whoever has lost a weapon has none in that hand any more."""
    hands = attacks.wielded(ctx.state[who])
    if any(e.name == DISARMED and e.note.casefold() in hands for e in ctx.state[who].effects):
        end_named(ctx, who, attacks.DUAL_WIELDING, "disarmed")


# -- reload ----------------------------------------------------------------------------------------


class Reload(Struct, frozen=True):
    """`reload [move] [WEAPON]`."""

    weapon: Annotated[Attack | None, WEAPON] = None
    move: Annotated[bool, arguments.flag(heard="move")] = False


def reload(ctx: Context, said: Reload, who: Combatant, pay: Pay) -> None:
    """Load a weapon again, with the action or the whole move (rules file, 4.3)."""
    asked = said.weapon.name if said.weapon else ""
    unloaded = [e for e in who.effects if e.name == UNLOADED and asked in ("", e.note)]
    if not unloaded:
        raise Refused(f"{who.name} has nothing to reload")
    economy.pay_by_move(ctx, who, pay) if said.move else pay()
    end(ctx, who.id, unloaded[0].id, "reloaded")
    ctx.text = f"{who.name} reloads {unloaded[0].note}"


# -- stunt -----------------------------------------------------------------------------------------

_CONDITION = arguments.choice(
    "a condition", lambda r: conditions.conditions_of(r.ctx.tables), "CONDITION", "condition"
)


class Stunt(Struct, frozen=True):
    """`stunt TARGET CONDITION OUTCOME [DURATION] [dc N] [with NAME]`."""

    target: Annotated[Combatant, arguments.person("on whom", usage="TARGET")]
    condition: Annotated[str, _CONDITION]
    die: Annotated[Die, outcome(asks="outcome:target")]
    words: Annotated[WeaponWords, arguments.words_of(WeaponWords, "WORDS")]
    placing: Annotated[Placing, placing_said(conditions.LASTING, "DURATION")] = Placing()


def stunt(ctx: Context, said: Stunt, who: Combatant, pay: Pay) -> None:
    """In place of one attack: the target saves, or has a condition for a short while (4.4).

    The DC is the weapon's bonus itself (R8); what would speak for the attack speaks against the
    save, and the reverse.
    """
    target, words = said.target, said.words
    weapon = words.weapon or attacks.usual_weapon(who)
    swing = Swing(who.id, target.id, weapon, said.die, words, what="stunt", one_of=True)
    attacks.pay_one(ctx, swing, pay)
    pro, con = attacks.reasons(ctx, swing)
    if pro and con:
        pro, con = [], []
    dc = weapon.bonus if words.dc is None else words.dc
    trial = Trial(target.id, "save", "health", said.die, dc, who.id, pro=tuple(con), con=tuple(pro))
    came = checks.attempt(ctx, trial).outcome
    attacks.has_attacked(ctx, swing)
    if came not in PASSES:
        ends = timing.at_turn(ctx.state, target.id, "end")
        until = until_for(conditions.LASTING, ctx, target.id, said.placing, otherwise=ends)
        conditions.lay(ctx, target.id, said.condition, until, who.id)
    ctx.text = f"{who.name} tries a stunt on {target.name}, {said.condition}: save {came}"


# -- opportunity attacks ---------------------------------------------------------------------------


_REASONS = {"disengaged": "has disengaged", "hidden": "is hidden"}
"""The effects of those who provoke no opportunity attacks, and how that is told."""


class Opportunity(Struct, frozen=True):
    """`react opportunity-attack TARGET OUTCOME [DAMAGE] ...`."""

    target: Annotated[Combatant, arguments.person("who leaves the reach", usage="TARGET")]
    die: Annotated[Die, attack_outcome()]
    words: Annotated[WeaponWords, arguments.words_of(WeaponWords, "WORDS")]
    fallen: Annotated[Fallen, damage.DAMAGE] = ()


def opportunity(ctx: Context, said: Opportunity, who: Combatant, pay: Pay) -> None:
    """One melee attack on somebody who leaves one's reach (rules file, 6.4)."""
    target = said.target
    why = next((_REASONS[e.name] for e in target.effects if e.name in _REASONS), "")
    if why:
        raise Refused(f"{target.name} {why}, and provokes no opportunity attacks")
    distracting = [effect.source for effect in who.effects if effect.name == "distracted"]
    if distracting and target.id not in distracting:
        raise Refused(f"{who.name} is distracted, by somebody else than {target.name}")
    weapon = said.words.weapon or attacks.usual_weapon(who)
    if weapon.ranged and said.words.weapon is None:
        weapon = next((a for a in sheet.attacks_of(who) if not a.ranged), weapon)
    what = "opportunity attack"
    swing = Swing(who.id, target.id, weapon, said.die, said.words, said.fallen, what)
    if swing.ranged:
        raise Refused("an opportunity attack is a melee attack")
    attacks.refuse(ctx, swing)
    pay()
    came = attacks.attack(ctx, swing)
    dealt = attacks.in_words([came], said.fallen, came in HITS)
    ctx.text = f"{who.name} attacks {target.name} as it leaves{dealt}"


ACTS: dict[str, Declared] = {
    "wield": Declared(Wield, wield),
    "reload": Declared(Reload, reload),
    "stunt": Declared(Stunt, stunt),
}
REACTIONS: dict[str, Declared] = {"opportunity-attack": Declared(Opportunity, opportunity)}
