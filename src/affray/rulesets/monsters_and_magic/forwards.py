"""Forwards, which the next fitting roll uses up, and charges that are held, and spent.

Seed 004: Ongoing, Forward, and Hold.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from affray.core.heart import timing
from affray.core.heart.decide import Context
from affray.core.heart.effects import end
from affray.core.heart.events import Altered, Changed
from affray.core.heart.state import Combatant, Effect
from affray.core.language.refusal import Refused
from affray.rulekit.numbers import Part

ROLLS = ("attack", "save", "initiative", "death")
ABILITIES = ("power", "cunning", "focus", "luck")
NUMBERS = ("check", "attack", "ac", "speed")
"""What is a number of its own; the rest are checks of a kind."""
EVERY = "check"
"""The scope of what is for every check."""
SCOPES = (EVERY, *ROLLS, *ABILITIES, "ac", "speed")
PREPARED, PREPARED_BONUS = "prepared", 2


def scope_of(words: str) -> str:
    """The rolls that words speak of: `saving throws with cunning` is "cunning save".

    That is a kind of roll, an ability, or both; empty where the words name neither.
    """
    said = [word.strip("s,.") for word in words.casefold().replace("saving", "save").split()]
    rolls = [kind for word in said for kind in (*ROLLS, "ac", "speed") if word == kind.strip("s")]
    abilities = [name for word in said for name in ABILITIES if word == name]
    every = [EVERY] if EVERY in said and not (rolls or abilities) else []
    return " ".join([*abilities[:1], *rolls[:1], *every])


def scopes_of(tags: Sequence[str]) -> set[str]:
    """The scopes that a roll with these tags falls under: `save`, `cunning`, "cunning save"."""
    abilities = [tag for tag in tags if tag in ABILITIES]
    return {*tags, *(f"{ability} {tag}" for ability in abilities for tag in tags)}


def fitting(roller: Combatant, tags: Sequence[str], prepared: bool = False) -> list[Effect]:
    """The forwards that a roll with these tags uses up; `prepared` too, when it was called on."""
    scopes = scopes_of(tags)
    found = [e for e in roller.effects if e.kind == "forward" and scopes & e.modifiers.keys()]
    status = roller.named(PREPARED) if prepared else None
    return [*found, *([status] if status else [])]


def parts(used: list[Effect]) -> list[Part]:
    """What the forwards add to the roll."""
    return [
        Part(PREPARED_BONUS if e.name == PREPARED else sum(e.modifiers.values()), _source(e))
        for e in used
    ]


def _source(effect: Effect) -> str:
    return (
        PREPARED
        if effect.name == PREPARED
        else f"forward{f' ({effect.note})' if effect.note else ''}"
    )


# -- charges ---------------------------------------------------------------------------------------


def spend_charges(ctx: Context, who: Combatant, name: str, amount: int) -> None:
    """Spend charges, those that end first before the others."""
    have = who.track(name)
    if have < amount:
        raise Refused(f"{who.name} holds {have} {name}, not {amount}")
    ctx.emit(Changed(who.id, name, -amount))
    timed = [e for e in who.effects if e.kind == "hold" and e.type == name]
    for held in sorted(timed, key=lambda e: timing.place(ctx.state, e.until)):
        spent = min(amount, held.amount)
        amount -= spent
        if spent:
            left = replace(held, amount=held.amount - spent)
            ctx.emit(Altered(who.id, left, "spent"))
            if not left.amount:
                end(ctx, who.id, held.id, "spent")
