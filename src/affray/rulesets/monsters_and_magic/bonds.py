"""Bonds between two, and reputation with a group: numbers that rolls and techniques go by.

Seed 004: Bonds, Reputation, Threads of Fate (Bonds of Fate), Aid, Help.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.events import Adjusted, Used
from affray.core.heart.state import Combatant
from affray.core.language import arguments
from affray.core.language.clauses import names
from affray.core.language.refusal import Refused, signed
from affray.core.language.words import Words
from affray.core.rules.ruleset import declare
from affray.rulekit import recorded, rests

BONDS, REPUTATION = "bonds", "reputation"
RESOLVED, SESSION = "resolved", "session"
"""What is counted until the session is over: the bond that somebody has resolved."""
_AMOUNT = arguments.number("the bond", -20, 20)


class Bond(Struct, frozen=True):
    """What ties somebody to another: the other's name or id, what it is worth, and a sentence."""

    other: Annotated[str, arguments.name("with whom")]
    amount: Annotated[int, _AMOUNT]
    text: Annotated[str, arguments.text("the sentence", usage='"SENTENCE"')] = ""


def bond_with(who: Combatant, other: Combatant) -> int | None:
    """What somebody's bond with another is worth; None where none is kept."""
    found = [bond.amount for bond in _bonds(who) if _is_with(bond, other)]
    return found[-1] if found else None


def _bonds(who: Combatant) -> list[Bond]:
    return recorded.rows_of(who, BONDS, Bond)


def _is_with(bond: Bond, other: Combatant) -> bool:
    return bond.other.casefold() in (other.id, other.name.casefold())


def read_bond(words: Words, who: Combatant, other: Combatant, otherwise: int | None = None) -> int:
    """Read `bond N` or `N`, where it is said; else it is what `who`'s bond with the other is, else
    `otherwise`.

    Raises Refused where none of them is known.
    """
    if words.take("bond") or words.has_number():
        return words.number("the bond", -20, 20)
    kept = bond_with(who, other)
    if kept is None and otherwise is not None:
        return otherwise
    if kept is None:
        ask = f"`bond {who.id} {other.id} N` keeps it"
        raise words.refuse(f"expected the bond, {who.name}'s with {other.name}; {ask}")
    return kept


# -- reputation ------------------------------------------------------------------------------------


class Standing(Struct, frozen=True):
    """What somebody's name is worth with a group."""

    group: Annotated[str, arguments.name("with which group")]
    amount: Annotated[int, _AMOUNT]


def reputation_with(who: Combatant, group: str) -> int:
    """What somebody's name is worth with a group: 0 until something has changed it."""
    of_it = (each.amount for each in _standings(who) if _is_of(each, group))
    return next(of_it, 0)


def _standings(who: Combatant) -> list[Standing]:
    return recorded.rows_of(who, REPUTATION, Standing)


def _is_of(standing: Standing, group: str) -> bool:
    return standing.group.casefold() == group.casefold()


# -- what the card tells ---------------------------------------------------------------------------


def told(who: Combatant) -> dict[str, str]:
    """Bonds and reputation in words, by stat; nothing of who has none."""
    bonds = [f"{b.other} {signed(b.amount)}{f': {b.text}' if b.text else ''}" for b in _bonds(who)]
    groups = [f"{each.group} {signed(each.amount)}" for each in _standings(who)]
    said = {BONDS: ("Bonds", bonds), REPUTATION: ("Reputation", groups)}
    return {stat: f"{label} {'; '.join(rows)}" for stat, (label, rows) in said.items() if rows}


# -- the commands ----------------------------------------------------------------------------------


class Bonding(Struct, frozen=True):
    """`bond NAME NAME [N] ["SENTENCE"] [resolved]`."""

    who: Annotated[Combatant, arguments.person("whose bond", asks="self")]
    other: Annotated[Combatant, arguments.person("with whom", asks="anyone")]
    amount: Annotated[int | None, _AMOUNT] = None
    text: Annotated[str, arguments.text("the sentence", usage='"SENTENCE"', asks="text:what")] = ""
    resolved: Annotated[bool, arguments.flag()] = False


def _bond(ctx: Context, said: Bonding) -> None:
    """A bond begins at 0; it is written anew, or resolved: then its sentence is done."""
    who, other = said.who, said.other
    if who.id == other.id:
        raise Refused(f"{who.name} has bonds with others")
    have = next((bond for bond in _bonds(who) if _is_with(bond, other)), None)
    if said.resolved and (have is None or not have.text):
        raise Refused(f"{who.name} has no bond with {other.name} that could be resolved")
    if said.resolved:
        _resolve(ctx, who)
    before = have or Bond(other.name, 0)
    amount = before.amount if said.amount is None else said.amount
    text = said.text or ("" if said.resolved else before.text)
    kept = [bond for bond in _bonds(who) if not _is_with(bond, other)]
    rows = [to_builtins(bond) for bond in (*kept, Bond(other.name, amount, text))]
    ctx.emit(Adjusted(who.id, BONDS, rows))
    does = "resolves the bond" if said.resolved else "has a bond"
    ctx.text = f"{who.name} {does} with {other.name}, {signed(amount)}"


def _resolve(ctx: Context, who: Combatant) -> None:
    """Raises Refused for who has resolved a bond in this session already."""
    if who.used(RESOLVED, SESSION):
        once = "one is resolved in a session; `session` begins another"
        raise Refused(f"{who.name} has resolved a bond: {once}")
    ctx.emit(Used(who.id, RESOLVED, SESSION))


class Sitting(Struct, frozen=True):
    """`session`."""


def _session(ctx: Context, said: Sitting) -> None:
    """Another session at the table: each may resolve a bond in it."""
    for who in ctx.state.combatants:
        rests.forget(ctx, who.id, SESSION)
    ctx.text = "A session begins"


class Repute(Struct, frozen=True):
    """`reputation NAME[,NAME] GROUP +N|-N`."""

    people: Annotated[list[Combatant], arguments.people("whose reputation")]
    group: Annotated[str, arguments.text("with whom, in quotes if of several words", usage="GROUP")]
    change: Annotated[int, arguments.number("how much more or less", -20, 20, "+N|-N")] = 1


def _reputation(ctx: Context, said: Repute) -> None:
    """A point more or less for what a group thinks of a great deed."""
    for who in said.people:
        have = _standings(who)
        before = next((each for each in have if _is_of(each, said.group)), Standing(said.group, 0))
        now = replace(before, amount=before.amount + said.change)
        kept = [now if each is before else each for each in have]
        rows = kept if before in have else [*kept, now]
        ctx.emit(Adjusted(who.id, REPUTATION, [to_builtins(each) for each in rows]))
    how = "better" if said.change > 0 else "worse"
    ctx.text = f"{said.group} think {how} of {names(said.people)}, {signed(said.change)}"


BOND_VERBS = (
    declare("bond", "what ties somebody to another, and what it is worth", Bonding, _bond),
    declare("session", "a session begins, in which each may resolve a bond", Sitting, _session),
    declare("reputation", "what a group thinks of somebody", Repute, _reputation),
)
