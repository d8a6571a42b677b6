"""The command check. Seed 004: Ability Checks, Talents, Concealment, Basic Techniques (Dodge)."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.effects import in_force
from affray.core.heart.state import Combatant
from affray.core.language import arguments
from affray.core.language.clauses import they
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import declare
from affray.rulekit import rolls
from affray.rulekit.numbers import Part
from affray.rulekit.rolls import Die
from affray.rulesets.monsters_and_magic import attacks, checks, forwards


class CheckSaid(Struct, frozen=True):
    """What `check` says; a talent adds PB, with expertise twice."""

    people: Annotated[list[Combatant], arguments.people("who makes the check")]
    ability: Annotated[str, arguments.choice("an ability", forwards.ABILITIES, "ABILITY")]
    dice: Annotated[list[Die], rolls.die_said(checks.OUTCOMES, "people")]
    save: Annotated[bool, arguments.flag()] = False
    talent: Annotated[bool, arguments.flag()] = False
    expertise: Annotated[bool, arguments.flag()] = False
    sight: Annotated[bool, arguments.flag()] = False
    concealed: Annotated[bool, arguments.flag()] = False
    terms: Annotated[checks.Terms, arguments.words_of(checks.Terms)] = checks.Terms()


def _check(ctx: Context, said: CheckSaid) -> None:
    outcomes = made(ctx, said)
    what = f"{said.ability} {'saving throw' if said.save else 'check'}"
    make = they(said.people, f"makes a {what}", f"make {what}s")
    ctx.text = f"{make}, {', '.join(outcomes)}"


def made(ctx: Context, said: CheckSaid) -> list[checks.Outcome]:
    """Make the check of each of them, and give how they come out."""
    if said.save and (said.talent or said.expertise):
        raise Refused("a talent helps with skill checks, not with saving throws")
    outcomes = []
    for who, die in zip(said.people, said.dice, strict=True):
        if said.sight and "blinded" in in_force(ctx.tables, ctx.state, who):
            die = Die("miss", final=True)
        outcomes.append(checks.make(ctx, _check_of(ctx, who, said, die)))
    return outcomes


def _check_of(ctx: Context, who: Combatant, said: CheckSaid, die: Die) -> checks.Check:
    """The check of one of them."""
    return checks.Check(
        who.id,
        "saving throw" if said.save else "check",
        _shares(ctx, who, said),
        die,
        said.terms,
        ("check", said.ability, *(["save"] if said.save else [])),
        _dodge_saves(ctx, who, said),
    )


def _shares(ctx: Context, who: Combatant, said: CheckSaid) -> list[Part]:
    """Ability, talent (PB; twice with expertise), and what hinders sight."""
    parts = [checks.ability(who, said.ability)]
    if who.kind == "pc" and (said.talent or said.expertise):
        parts.append(Part((2 if said.expertise else 1) * who.number("pb"), "talent"))
    if said.concealed:
        parts.append(Part(-ctx.tables.economy["concealed"], "concealed"))
    return parts


def _dodge_saves(ctx: Context, who: Combatant, said: CheckSaid) -> list[str]:
    dodging = said.ability == "cunning" and said.save and who.named("dodging") is not None
    return ["dodging"] if dodging and attacks.can_dodge(ctx, who) else []


CHECK_VERBS = (declare("check", "makes an ability check", CheckSaid, _check),)
