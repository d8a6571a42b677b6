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
from affray.core.rules.ruleset import Verb, declare
from affray.rulekit import recorded, rests

BONDS, REPUTATION = "bonds", "reputation"
RESOLVED, SESSION = "resolved", "session"
"""What is counted until the session is over: the bond that somebody has resolved."""
_AMOUNT = arguments.number("the bond", -20, 20)
_SENTENCE = arguments.text("the sentence", usage='"SENTENCE"', asks="text:what")


class Bond(Struct, frozen=True):
    """What ties somebody to another: the other's name or id, what it is worth, and a sentence."""

    other: Annotated[str, arguments.name("with whom")]
    amount: Annotated[int, _AMOUNT]
    text: Annotated[str, _SENTENCE] = ""

    def __str__(self) -> str:
        """In words: `Odo +2: owes me a boat`."""
        return f"{self.other} {signed(self.amount)}{f': {self.text}' if self.text else ''}"


class Standing(Struct, frozen=True):
    """What somebody's name is worth with a group."""

    group: Annotated[str, arguments.name("with which group")]
    amount: Annotated[int, _AMOUNT]

    def __str__(self) -> str:
        """In words: `Guild -1`."""
        return f"{self.group} {signed(self.amount)}"


def bonds_of(who: Combatant) -> list[Bond]:
    """The bonds on somebody's sheet."""
    return recorded.rows_of(who, BONDS, Bond)


def standings_of(who: Combatant) -> list[Standing]:
    """The groups that think something of somebody."""
    return recorded.rows_of(who, REPUTATION, Standing)


def _is_with(bond: Bond, other: Combatant) -> bool:
    return bond.other.casefold() in (other.id, other.name.casefold())


def _is_of(standing: Standing, group: str) -> bool:
    return standing.group.casefold() == group.casefold()


def bond_with(who: Combatant, other: Combatant) -> int | None:
    """What somebody's bond with another is worth; None where none is kept."""
    found = [bond.amount for bond in bonds_of(who) if _is_with(bond, other)]
    return found[-1] if found else None


def reputation_with(who: Combatant, group: str) -> int:
    """What somebody's name is worth with a group: 0 until something has changed it."""
    return next((each.amount for each in standings_of(who) if _is_of(each, group)), 0)


def read_bond(words: Words, who: Combatant, other: Combatant) -> int:
    """Read `bond N` or `N`, where it is said; else it is what `who`'s bond with the other is: with
    each companion 0 until one is kept. Raises Refused where it is not known with somebody else."""
    if words.take("bond") or words.has_number():
        return words.number("the bond", -20, 20)
    kept = bond_with(who, other)
    if kept is None and who.side != other.side:
        ask = f"`bond {who.id} {other.id} N` keeps it"
        raise words.refuse(f"expected the bond, {who.name}'s with {other.name}; {ask}")
    return kept or 0


# -- the commands ----------------------------------------------------------------------------------


class Bonding(Struct, frozen=True):
    """What `bond` says."""

    who: Annotated[Combatant, arguments.person("whose bond", asks="self")]
    other: Annotated[Combatant, arguments.person("with whom", asks="anyone")]
    amount: Annotated[int | None, _AMOUNT] = None
    text: Annotated[str, _SENTENCE] = ""
    resolved: Annotated[bool, arguments.flag()] = False


def _bond(ctx: Context, said: Bonding) -> None:
    """A bond begins at 0; it is written anew, or resolved: then its sentence is done."""
    who, other = said.who, said.other
    if who.id == other.id:
        raise Refused(f"{who.name} has bonds with others")
    have = next((bond for bond in bonds_of(who) if _is_with(bond, other)), Bond(other.name, 0))
    if said.resolved:
        _resolve(ctx, who, other, have)
    amount = have.amount if said.amount is None else said.amount
    text = said.text or ("" if said.resolved else have.text)
    kept = [bond for bond in bonds_of(who) if not _is_with(bond, other)]
    ctx.emit(Adjusted(who.id, BONDS, to_builtins([*kept, Bond(other.name, amount, text)])))
    does = "resolves the bond" if said.resolved else "has a bond"
    ctx.text = f"{who.name} {does} with {other.name}, {signed(amount)}"


def _resolve(ctx: Context, who: Combatant, other: Combatant, bond: Bond) -> None:
    """Raises Refused for who has resolved a bond in this session already, and for none."""
    if not bond.text:
        raise Refused(f"{who.name} has no bond with {other.name} that could be resolved")
    if who.used(RESOLVED, SESSION):
        once = "one is resolved in a session; `session` begins another"
        raise Refused(f"{who.name} has resolved a bond: {once}")
    ctx.emit(Used(who.id, RESOLVED, SESSION))


def _session(ctx: Context, words: Words) -> None:
    """Another session at the table: each may resolve a bond in it."""
    for who in ctx.state.combatants:
        rests.forget(ctx, who.id, SESSION)
    ctx.text = "A session begins"


class Repute(Struct, frozen=True):
    """What `reputation` says."""

    people: Annotated[list[Combatant], arguments.people("whose reputation")]
    group: Annotated[str, arguments.text("with whom, in quotes if of several words", usage="GROUP")]
    change: Annotated[int, arguments.number("how much more or less", -20, 20, "+N|-N")] = 1


def _reputation(ctx: Context, said: Repute) -> None:
    """A point more or less for what a group thinks of a great deed."""
    for who in said.people:
        have = standings_of(who)
        at = next((i for i, each in enumerate(have) if _is_of(each, said.group)), len(have))
        before = have[at] if at < len(have) else Standing(said.group, 0)
        have[at : at + 1] = [replace(before, amount=before.amount + said.change)]
        ctx.emit(Adjusted(who.id, REPUTATION, to_builtins(have)))
    how = "better" if said.change > 0 else "worse"
    ctx.text = f"{said.group} think {how} of {names(said.people)}, {signed(said.change)}"


VERBS = (
    declare("bond", "what ties somebody to another, and what it is worth", Bonding, _bond),
    Verb("session", "session", "a session begins, in which each may resolve a bond", _session),
    declare("reputation", "what a group thinks of somebody", Repute, _reputation),
)
