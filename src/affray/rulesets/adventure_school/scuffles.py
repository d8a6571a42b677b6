"""Tripping, pushing, pulling, disarming and distracting. Seed 001; rules file, 6.5 to 6.8."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from msgspec import Struct

from affray.core.heart import timing
from affray.core.heart.decide import Context
from affray.core.heart.state import Combatant, Duration
from affray.core.language import arguments
from affray.core.language.declared import Reading
from affray.core.language.refusal import Refused
from affray.rulekit import rolls
from affray.rulekit.acts import Pay, needs_another
from affray.rulekit.doing import Declared
from affray.rulekit.placing import Placing, begin, renew
from affray.rulekit.rolls import Die
from affray.rulesets.adventure_school import conditions, creatures, hiding
from affray.rulesets.adventure_school.checks import SKILL, TestWords, Trial, attempt
from affray.rulesets.adventure_school.contests import (
    STRENGTH,
    THEIRS,
    Skills,
    Struggle,
    Theirs,
    contest,
    struggle,
)
from affray.rulesets.adventure_school.holds import larger_by
from affray.rulesets.adventure_school.rolls import PASSES, outcome

DISARMED, DISTRACTED, PRONE = "disarmed", "distracted", "prone"
ROGUERY, AGILITY = "roguery", "agility"


# -- trip, push and pull ---------------------------------------------------------------------------


def _lay_hands(
    ctx: Context,
    name: str,
    said: Struggle,
    who: Combatant,
    pay: Pay,
    own: Skills = (STRENGTH,),
    other: Skills = (STRENGTH,),
) -> bool:
    """Pay for a contest hand to hand, and make it; whether it was won."""
    target = said.target
    needs_another(who, target, name)
    pay()
    hiding.touches(ctx, who.id, target.id)
    won = struggle(ctx, name, who, said, own, other)
    if won:
        hiding.reveal(ctx, target.id, f"{who.name} touches it")
    return won


def trip(ctx: Context, said: Struggle, who: Combatant, pay: Pay) -> None:
    """Strength or roguery against strength or agility: won, the other is prone (6.6)."""
    won = _lay_hands(ctx, "trip", said, who, pay, (STRENGTH, ROGUERY), (STRENGTH, AGILITY))
    if won:
        conditions.lay(ctx, said.target.id, PRONE)
    ctx.text = f"{who.name} {'trips' if won else 'fails to trip'} {said.target.name}"


def _shove(name: str, does: str) -> Callable[[Context, Struggle, Combatant, Pay], None]:
    """A push or a pull: 5 ft., 5 more for each size that one is bigger, 5 less if smaller (6.7)."""

    def act(ctx: Context, said: Struggle, who: Combatant, pay: Pay) -> None:
        won = _lay_hands(ctx, name, said, who, pay)
        feet = int(ctx.tables.economy["push"]) * max(0, 1 + larger_by(who, said.target))
        told = f"{does} {said.target.name} {feet} ft." if won else f"fails to {name}"
        ctx.text = f"{who.name} {told}{'' if won else f' {said.target.name}'}"

    return act


# -- disarm ----------------------------------------------------------------------------------------


def _weapons(reading: Reading) -> list[str]:
    return [name.casefold() for name in creatures.weapons_of(reading.said["target"])]


class Disarm(Struct, frozen=True, kw_only=True):
    """`disarm TARGET [WEAPON] [SKILL] OUTCOME [THEIRS] [held]`."""

    target: Annotated[Combatant, arguments.person("at whom", usage="TARGET")]
    weapon: Annotated[str, arguments.choice("the weapon", _weapons, "WEAPON")] = ""
    skill: Annotated[str, SKILL] = ""
    die: Annotated[Die, outcome()]
    theirs: Annotated[Theirs, THEIRS] = Theirs()
    held: Annotated[bool, arguments.flag(heard="held")] = False
    terms: Annotated[TestWords, arguments.words_of(TestWords)]


def disarm(ctx: Context, said: Disarm, who: Combatant, pay: Pay) -> None:
    """Strength against strength: the weapon is out of the hand until it is picked up. One that
    can't be let go is `held`: the larger attack with it at a disadvantage, others not (6.8)."""
    target = said.target
    weapon = _weapon(target, said.weapon)
    won = _lay_hands(
        ctx,
        "disarm",
        Struggle(
            target=target, skill=said.skill, die=said.die, theirs=said.theirs, terms=said.terms
        ),
        who,
        pay,
    )
    if won and not conditions.why_not(ctx, target, DISARMED):
        hampers = said.held and larger_by(target, who) > 0
        begin(
            ctx,
            target.id,
            DISARMED,
            Duration(says=f"{who.name} lets go of it") if said.held else None,
            Placing(source=who.id),
            note=weapon,
            disadvantage=("weapon",) if hampers else (),
            only_with=(weapon,),
        )
    ctx.text = f"{who.name} {'disarms' if won else 'fails to disarm'} {target.name} of {weapon}"


def _weapon(who: Combatant, said: str) -> str:
    """The weapon as the sheet has it; where none is said, the first that is in hand."""
    lost = [effect.note for effect in who.effects if effect.name == DISARMED]
    there = [name for name in creatures.weapons_of(who) if name not in lost]
    found = next((name for name in there if said in ("", name.casefold())), None)
    if found is None:
        raise Refused(f"{who.name} has no {said or 'weapon'} in hand")
    return found


# -- distract --------------------------------------------------------------------------------------


class Distract(Struct, frozen=True, kw_only=True):
    """`distract TARGET [SKILL] OUTCOME [dc N | THEIRS]`."""

    target: Annotated[Combatant, arguments.person("who is distracted", usage="TARGET")]
    skill: Annotated[str, SKILL] = ""
    die: Annotated[Die, outcome()]
    dc: Annotated[int | None, rolls.DC] = None
    theirs: Annotated[Theirs | None, THEIRS] = None
    terms: Annotated[TestWords, arguments.words_of(TestWords)]


def distract(ctx: Context, said: Distract, who: Combatant, pay: Pay) -> None:
    """A test: until the start of one's next turn everybody else hits the other easily (6.5)."""
    target, terms = said.target, said.terms
    needs_another(who, target, "distract")
    if said.dc is None and said.theirs is None and not said.die.said:
        raise Refused("the text has no DC to distract: say `dc N`, `vs ...` or how it came out")
    pay()
    hiding.acts_against(ctx, who.id, target.id)
    mine = Trial(
        who.id,
        "check",
        said.skill or STRENGTH,
        said.die,
        said.dc,
        target.id,
        terms,
        kinds=terms.kinds,
        diminish=terms.diminish,
    )
    if said.theirs is None:
        won = attempt(ctx, mine).outcome in PASSES
    else:
        rival = Trial(target.id, "check", STRENGTH, Die(), against=who.id, kinds=terms.kinds)
        won = contest(ctx, mine, [rival], said.theirs).won
    if won:
        until = timing.at_turn(ctx.state, who.id, "start")
        renew(ctx, target.id, DISTRACTED, until, by_source=True, source=who.id)
    ctx.text = f"{who.name} {'distracts' if won else 'fails to distract'} {target.name}"


ACTS = {
    "trip": Declared(Struggle, trip),
    "push": Declared(Struggle, _shove("push", "pushes")),
    "pull": Declared(Struggle, _shove("pull", "pulls")),
    "disarm": Declared(Disarm, disarm),
    "distract": Declared(Distract, distract),
}
