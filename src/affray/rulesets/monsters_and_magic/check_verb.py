"""The command check. Seed 004: Ability Checks, Talents, Concealment, Basic Techniques (Dodge)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from affray.core.heart.effects import in_force
from affray.core.heart.state import Combatant
from affray.core.language.clauses import they
from affray.core.language.refusal import Refused
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.rulekit import rolls
from affray.rulekit.numbers import Part
from affray.rulesets.monsters_and_magic import attacks, checks

if TYPE_CHECKING:
    from affray.core.heart.decide import Context

_CHECK_WORDS = ("save", "talent", "expertise", "sight", "concealed")


def _check(ctx: Context, words: Words) -> None:
    people = words.combatants("who makes the check")
    ability = words.choice("an ability", checks.ABILITIES)
    said = _read_said(words)
    dice = rolls.read_dice(ctx, words, checks.OUTCOMES, len(people))
    terms = checks.read_terms(words, checks.Terms())
    while more := _read_said(words):
        said |= more
        terms = checks.read_terms(words, terms)
    if "save" in said and said & {"talent", "expertise"}:
        raise Refused("a talent helps with skill checks, not with saving throws")
    outcomes = []
    for who, die in zip(people, dice, strict=True):
        check = replace(_check_of(ctx, who, ability, said), die=die, terms=terms)
        if "sight" in said and "blinded" in in_force(ctx.tables, ctx.state, who):
            check = replace(check, die=rolls.Die("miss", final=True))
        outcomes.append(checks.make(ctx, check))
    what = f"{ability} {'saving throw' if 'save' in said else 'check'}"
    make = they(people, f"makes a {what}", f"make {what}s")
    ctx.text = f"{make}, {', '.join(outcomes)}"


def _check_of(ctx: Context, who: Combatant, ability: str, said: set[str]) -> checks.Check:
    """The check of one of them, but for its die and terms."""
    save = "save" in said
    return checks.Check(
        who.id,
        "saving throw" if save else "check",
        _shares(ctx, who, ability, said),
        rolls.Die(),
        tags=("check", ability, *(["save"] if save else [])),
        pro=_dodge_saves(ctx, who, ability, said),
    )


def _read_said(words: Words) -> set[str]:
    """Read what is said of the check beside its die and terms."""
    said: set[str] = set()
    while word := words.take(*_CHECK_WORDS):
        said.add(word)
    return said


def _shares(ctx: Context, who: Combatant, ability: str, said: set[str]) -> list[Part]:
    """Ability, talent (PB; twice with expertise), and what hinders sight."""
    parts = [checks.ability(who, ability)]
    if who.kind == "pc" and said & {"talent", "expertise"}:
        times = 2 if "expertise" in said else 1
        parts.append(Part(times * who.number("pb"), "talent"))
    if "concealed" in said:
        parts.append(Part(-ctx.tables.economy["concealed"], "concealed"))
    return parts


def _dodge_saves(ctx: Context, who: Combatant, ability: str, said: set[str]) -> list[str]:
    dodging = ability == "cunning" and "save" in said and who.named("dodging") is not None
    return ["dodging"] if dodging and attacks.can_dodge(ctx, who) else []


CHECK_VERBS = (
    Verb(
        "check",
        "check NAME[,NAME] ABILITY [save] [talent|expertise] OUTCOME | natural N[,M] "
        "[adv|dis] [dc N]",
        "makes an ability check",
        _check,
    ),
)
