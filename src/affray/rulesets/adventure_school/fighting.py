"""What is done to an enemy: stunts, opportunity attacks, grabbing, tripping, pushing, pulling,
disarming, distracting.

A grab is an effect on the one held, from the holder; all that it does by their sizes hangs on it.
Seed 001: Stunt, Opportunity Attack, Grab, Size, Trip, Push, Pull, Disarm, Distract; rules file,
4.4, 6.4 to 6.8 and 7.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart import timing
from affray.core.heart.decide import Context
from affray.core.heart.effects import end, in_force
from affray.core.heart.events import Noted
from affray.core.heart.state import Combatant, Duration
from affray.core.language import arguments
from affray.core.language.clauses import names
from affray.core.language.declared import Reading
from affray.core.language.refusal import Refused
from affray.rulekit.acts import Pay, needs_another
from affray.rulekit.doing import Declared
from affray.rulekit.numbers import forbidding
from affray.rulekit.placing import Placing, begin, placing_said, renew, until_for
from affray.rulekit.rolls import Die, die_said
from affray.rulesets.adventure_school import attacks, conditions, hands, hiding, rolls, sheet
from affray.rulesets.adventure_school.attacks import DISTRACTED, Swing, WeaponWords
from affray.rulesets.adventure_school.checks import SKILL, Trial, attempt
from affray.rulesets.adventure_school.contests import (
    STRENGTH,
    ContestWords,
    Struggle,
    contest,
    struggle,
)
from affray.rulesets.adventure_school.damage import DAMAGE
from affray.rulesets.adventure_school.economy import pay_by_move
from affray.rulesets.adventure_school.hands import DISARMED
from affray.rulesets.adventure_school.resources import gain_diminish
from affray.rulesets.adventure_school.rolls import PASS, PASSES
from affray.rulesets.adventure_school.totals import GRABBED, GRABBING, grabs_on, held_by, larger_by

_CONDITION = arguments.choice(
    "a condition", lambda r: conditions.conditions_of(r.ctx.tables), "CONDITION", "condition"
)


class Stunt(Struct, frozen=True):
    """`stunt TARGET CONDITION OUTCOME [DURATION] [dc N] [with NAME]`."""

    target: Annotated[Combatant, arguments.person("on whom", usage="TARGET")]
    condition: Annotated[str, _CONDITION]
    die: Annotated[Die, rolls.outcome(asks="outcome:target")]
    words: Annotated[WeaponWords, arguments.words_of(WeaponWords, "WORDS")]
    placing: Annotated[Placing, placing_said(conditions.LASTING, "DURATION")] = Placing()


def stunt(ctx: Context, said: Stunt, who: Combatant, pay: Pay) -> None:
    """In place of one attack: the target saves, or has a condition for a short while (4.4). The DC
    is the bonus to hit itself (R8), with all that is added to it now; what would speak for the
    attack speaks against the save, and the reverse."""
    target, words = said.target, said.words
    weapon = words.weapon or hands.usual_weapon(who)
    swing = Swing(who.id, target.id, weapon, said.die, words, what="stunt", one_of=True)
    attacks.pay_one(ctx, swing, pay)
    bonus = sum(part.amount for part in attacks.bonus_to_hit(ctx, swing))
    dc = bonus if words.dc is None else words.dc
    save = Trial(target.id, "health", said.die, dc, who.id, kind="save")
    pro, con = attacks.reasons(ctx, swing)
    if not (pro and con):
        save = replace(save, pro=tuple(con), con=tuple(pro))
    came = attempt(ctx, save).outcome
    attacks.has_attacked(ctx, swing)
    if came not in PASSES:
        ends = timing.at_turn(ctx.state, target.id, "end")
        until = until_for(conditions.LASTING, ctx, target.id, said.placing, otherwise=ends)
        conditions.lay(ctx, target.id, said.condition, until, who.id)
        gain_diminish(ctx, who.id, words.diminish, weapon.name)
    ctx.text = f"{who.name} tries a stunt on {target.name}, {said.condition}: save {came}"


_REASONS = {"disengaged": "has disengaged", "hidden": "is hidden"}
"""The effects of those who provoke no opportunity attacks, and how that is told."""


class Opportunity(Struct, frozen=True):
    """`react opportunity-attack TARGET OUTCOME [DAMAGE] ...`."""

    target: Annotated[Combatant, arguments.person("who leaves the reach", usage="TARGET")]
    die: Annotated[Die, rolls.attack_outcome()]
    words: Annotated[WeaponWords, arguments.words_of(WeaponWords, "WORDS")]
    fallen: Annotated[attacks.Fallen, DAMAGE] = ()


def opportunity(ctx: Context, said: Opportunity, who: Combatant, pay: Pay) -> None:
    """One melee attack on somebody who leaves one's reach (rules file, 6.4)."""
    target = said.target
    why = next((_REASONS[e.name] for e in target.effects if e.name in _REASONS), "")
    if why:
        raise Refused(f"{target.name} {why}, and provokes no opportunity attacks")
    distracting = [effect.source for effect in who.all_named(DISTRACTED)]
    if distracting and target.id not in distracting:
        raise Refused(f"{who.name} is distracted, by somebody else than {target.name}")
    weapon = said.words.weapon or hands.usual_weapon(who)
    if weapon.ranged and said.words.weapon is None:
        weapon = next((a for a in sheet.attacks_of(who) if not a.ranged), weapon)
    what = "opportunity attack"
    swing = Swing(who.id, target.id, weapon, said.die, said.words, said.fallen, what)
    if swing.ranged:
        raise Refused("an opportunity attack is a melee attack")
    attacks.refuse(ctx, swing)
    pay()
    told = attacks.in_words([attacks.attack(ctx, swing)], said.fallen)
    ctx.text = f"{who.name} attacks {target.name} as it leaves{told}"


# -- hand to hand ----------------------------------------------------------------------------------


def _lay_hands(ctx: Context, name: str, said: Struggle, who: Combatant, pay: Pay) -> bool:
    """Pay for a contest hand to hand, make it, and tell of it; whether it was won. It is an act
    against the other, by which nobody stays hidden, and no friendly one (8.3, 8.4, 9)."""
    target = said.target
    needs_another(who, target, name)
    conditions.mind_the_charmer(ctx, who.id, target.id)
    pay()
    hiding.acts_against(ctx, who.id, target.id)
    conditions.end_charms(ctx, target.id, who.id)
    hiding.reveal(ctx, who.id, f"it touches {target.name}")
    won = struggle(ctx, name, who, said)
    if won:
        hiding.reveal(ctx, target.id, f"{who.name} touches it")
    ctx.text = f"{who.name} {_does(ctx, name, won)} {target.name}"
    return won


def _does(ctx: Context, name: str, won: bool) -> str:
    """What somebody does who has won or lost a contest: "trips", "fails to trip"."""
    return str(ctx.tables.economy["contests"][name]["won"]) if won else f"fails to {name}"


def trip(ctx: Context, said: Struggle, who: Combatant, pay: Pay) -> None:
    """Strength or roguery against strength or agility: won, the other is prone (6.6)."""
    if _lay_hands(ctx, "trip", said, who, pay):
        conditions.fall_prone(ctx, said.target.id)


def _shove(name: str, ctx: Context, said: Struggle, who: Combatant, pay: Pay) -> None:
    """A push or a pull: 5 ft., 5 more for each size that one is bigger, 5 less if smaller (6.7)."""
    if _lay_hands(ctx, name, said, who, pay):
        feet = int(ctx.tables.economy["push"]) * max(0, 1 + larger_by(who, said.target))
        ctx.text += f" {feet} ft."


# -- grab ------------------------------------------------------------------------------------------


def _is_helpless(ctx: Context, who: Combatant) -> bool:
    """Whether somebody is grabbed without fail, so that nobody has to say how it comes out."""
    return bool(forbidding(ctx.tables, in_force(ctx.tables, ctx.state, who), "withstand-grab"))


_GRABS = die_said(
    rolls.OUTCOMES,
    asks="outcome:pass|fail?",
    may_lack=lambda reading: _is_helpless(reading.ctx, reading.said["target"]),
)


class Grab(Struggle, frozen=True, kw_only=True):
    """`grab TARGET [SKILL] OUTCOME [THEIRS]`; the incapacitated need no outcome."""

    die: Annotated[Die, _GRABS]


def grab(ctx: Context, said: Grab, who: Combatant, pay: Pay) -> None:
    """A contest, the larger one at an advantage; the incapacitated are grabbed without fail."""
    target = said.target
    if target in held_by(ctx.state, who.id):
        raise Refused(f"{who.name} holds {target.name} already")
    if _is_helpless(ctx, target):
        said = replace(said, die=Die(PASS))
    if _lay_hands(ctx, "grab", said, who, pay):
        conditions.lay(ctx, target.id, GRABBED, source=who.id)


def settled(ctx: Context, who: str) -> None:
    """Each grab does what it does by the sizes, as long as it lasts (rules file, 7)."""
    before = ctx.before.find(who)
    held_before = before is not None and before.named(GRABBING) is not None
    held = held_by(ctx.state, who) if held_before else []
    for each in (who, *(one.id for one in held)):
        _settle_grabs_on(ctx, each)


def _settle_grabs_on(ctx: Context, who: str) -> None:
    """Begin what new grabs do. Whoever holds no more, as that was removed by hand, has let go."""
    before = ctx.before.find(who)
    for grip in grabs_on(ctx.state[who]):
        holder, hold = ctx.state.find(grip.source), f"{who}/{grip.id}"
        if holder is None or any(effect.hangs == hold for effect in holder.effects):
            continue
        if before is not None and before.effect(grip.id) == grip:
            end(ctx, who, grip.id, f"{holder.name} lets go")
        else:
            _take_hold(ctx, ctx.state[who], holder, hold)


def _take_hold(ctx: Context, held: Combatant, holder: Combatant, hold: str) -> None:
    """All that a grab does by the sizes, which hangs on it; `totals.slows` has the speeds."""
    rows = ctx.tables.economy["grabs"]
    row = rows[min(len(rows) - 1, max(0, larger_by(held, holder)))]
    placing = Placing(source=held.id, hangs=hold)
    begin(ctx, holder.id, GRABBING, None, placing, note=held.name)
    for who, because in ((holder, GRABBING), (held, GRABBED)):
        for name in row[because]:
            if not conditions.why_not(ctx, who, name):
                begin(ctx, who.id, name, None, Placing(hangs=hold), because=because)


# -- getting free, and letting go ------------------------------------------------------------------


_FROM = arguments.clause("from", arguments.person("who holds it"))


class Escape(Struct, frozen=True, kw_only=True):
    """`escape [move] [SKILL] OUTCOME [THEIRS] [from NAME]`."""

    takes: Annotated[str, arguments.choice("what it takes", ("move",))] = ""
    skill: Annotated[str, SKILL] = ""
    die: Annotated[Die, rolls.outcome()]
    words: Annotated[ContestWords, arguments.words_of(ContestWords)]
    holder: Annotated[Combatant | None, _FROM] = None


def escape(ctx: Context, said: Escape, who: Combatant, pay: Pay) -> None:
    """A contest against each who holds it, for the action or the whole movement."""
    grabs = [g for g in grabs_on(who) if said.holder is None or g.source == said.holder.id]
    if not grabs:
        by = f" by {said.holder.name}" if said.holder is not None else ""
        raise Refused(f"{who.name} isn't grabbed{by}")
    if said.takes:
        pay_by_move(ctx, who, pay, still=True)
    else:
        pay()
    mine = Trial(who.id, said.skill or STRENGTH, said.die, terms=said.words)
    holders = dict.fromkeys(grip.source for grip in grabs if grip.source)
    rivals = [Trial(holder, STRENGTH, against=who.id) for holder in holders]
    verdict = contest(ctx, mine, rivals, said.words.theirs)
    beaten = {*verdict.beaten, *([""] if verdict.won else [])}  # "": a grab of nobody's, by hand
    for grip in grabs:
        if grip.source in beaten:
            end(ctx, who.id, grip.id, "escaped")
    free_of = names(ctx.state[holder] for holder in verdict.beaten)
    does = f"escapes {free_of}".strip() if verdict.won else "tries in vain to escape"
    ctx.text = f"{who.name} {does}"


_HELD = arguments.person("who is let go", usage="TARGET", asks="person:grabbed")


class Release(Struct, frozen=True):
    """`release [TARGET]`."""

    target: Annotated[Combatant | None, _HELD] = None


def release(ctx: Context, said: Release, who: Combatant, pay: Pay) -> None:
    """Let go of somebody, or of all whom one holds; free, at any time."""
    held = held_by(ctx.state, who.id)
    if said.target is not None and said.target not in held:
        raise Refused(f"{who.name} doesn't hold {said.target.name}")
    pay()
    freed = held if said.target is None else [said.target]
    for one in freed:
        for grip in grabs_on(one):
            if grip.source == who.id:
                end(ctx, one.id, grip.id, "let go")
    ctx.text = f"{who.name} lets go of {names(freed)}"


def _weapons(reading: Reading) -> list[str]:
    return [name.casefold() for name in sheet.weapons_of(reading.said["target"])]


_NAMED = arguments.choice("the weapon", _weapons, "WEAPON")
WEAPON = replace(_NAMED, stands=lambda r: r.words.upcoming.quoted or _NAMED.stands(r))
"""One of the target's weapons; one of several words stands in quotes."""


class Disarm(Struct, frozen=True, kw_only=True):
    """`disarm TARGET [WEAPON] [SKILL] OUTCOME [THEIRS] [held]`."""

    target: Annotated[Combatant, arguments.person("at whom", usage="TARGET")]
    weapon: Annotated[str, WEAPON] = ""
    skill: Annotated[str, SKILL] = ""
    die: Annotated[Die, rolls.outcome()]
    words: Annotated[ContestWords, arguments.words_of(ContestWords)]
    held: Annotated[bool, arguments.flag(heard="held")] = False


def disarm(ctx: Context, said: Disarm, who: Combatant, pay: Pay) -> None:
    """Strength against strength: the weapon is out of the hand until it is picked up. One that
    can't be let go is `held`: the larger attack with it at a disadvantage, others not (6.8)."""
    target, weapon = said.target, _weapon(said.target, said.weapon)
    tries = Struggle(target, skill=said.skill, die=said.die, words=said.words)
    won = _lay_hands(ctx, "disarm", tries, who, pay)
    ctx.text += f" of {weapon}"
    if not won or conditions.why_not(ctx, target, DISARMED):
        return
    until = Duration(says=f"{who.name} lets go of it") if said.held else None
    worse = ("weapon",) if said.held and larger_by(target, who) > 0 else ()
    lost = {"note": weapon, "only_with": (weapon,), "type": "held" if said.held else ""}
    begin(ctx, target.id, DISARMED, until, Placing(source=who.id), disadvantage=worse, **lost)


def _weapon(who: Combatant, said: str) -> str:
    """The weapon as the sheet has it; where none is said, the first that is in hand."""
    lost = [effect.note for effect in who.all_named(DISARMED)]
    there = [name for name in sheet.weapons_of(who) if name not in lost]
    found = next((name for name in there if said in ("", name.casefold())), None)
    if found is None:
        raise Refused(f"{who.name} has no {said or 'weapon'} in hand")
    return found


class Distract(Struggle, frozen=True, kw_only=True):
    """`distract TARGET [SKILL] OUTCOME [dc N | THEIRS]`."""

    dc: Annotated[int | None, rolls.DC] = None


def distract(ctx: Context, said: Distract, who: Combatant, pay: Pay) -> None:
    """A test: until the start of one's next turn everybody else hits the other easily (6.5). It
    draws the other's eyes, from which nobody hides."""
    target, words = said.target, said.words
    needs_another(who, target, "distract")
    if said.dc is None and words.theirs is None and not said.die.said:
        raise Refused("the text has no DC to distract: say `dc N`, `vs ...` or how it came out")
    conditions.mind_the_charmer(ctx, who.id, target.id)
    pay()
    hiding.acts_against(ctx, who.id, target.id)
    hiding.reveal(ctx, who.id, "it draws attention")
    if words.theirs is None:
        skill = said.skill or STRENGTH
        trial = Trial(who.id, skill, said.die, said.dc, target.id, words)
        won = attempt(ctx, trial).outcome in PASSES
    else:
        won = struggle(ctx, "distract", who, said)
    kept_off = conditions.why_not(ctx, target, DISTRACTED) if won else ""
    if kept_off:
        ctx.emit(Noted(kept_off))
    elif won:
        until = timing.at_turn(ctx.state, who.id, "start")
        renew(ctx, target.id, DISTRACTED, until, by_source=True, source=who.id)
    ctx.text = f"{who.name} {_does(ctx, 'distract', won)} {target.name}"


ACTS = {
    "stunt": Declared(Stunt, stunt),
    "grab": Declared(Grab, grab),
    "escape": Declared(Escape, escape),
    "release": Declared(Release, release),
    "trip": Declared(Struggle, trip),
    "push": Declared(Struggle, partial(_shove, "push")),
    "pull": Declared(Struggle, partial(_shove, "pull")),
    "disarm": Declared(Disarm, disarm),
    "distract": Declared(Distract, distract),
}
REACTIONS = {"opportunity-attack": Declared(Opportunity, opportunity)}
