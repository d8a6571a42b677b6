"""Bonds between two, and reputation with a group: numbers that rolls and techniques go by.

Monsters & Magic, Bonds, Reputation, Threads of Fate (Bonds of Fate), Aid, Help.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from affray.core.engine.events import StatChanged, UseCounted
from affray.core.engine.state import Combatant
from affray.core.formatting.media import Notation, number_aloud
from affray.core.parser import arguments
from affray.core.parser.clauses import join_names
from affray.core.parser.declarations import Argument, NoArgs, ParseState, declare_command
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import Field
from affray.core.parser.spelling import fold
from affray.core.rules.ruleset import Context
from affray.mechanics import rests, sheet

BONDS, REPUTATION = "bonds", "reputation"
RESOLVED, SESSION = "resolved", "session"
"""The use counted until the session is over, for a resolved bond."""
_AMOUNT = arguments.number_arg("the bond", -20, 20)
_SENTENCE = arguments.text_arg("the sentence", usage='"SENTENCE"', field=Field("text", ("what",)))


class Bond(Struct, frozen=True):
    """A bond with another: the other's name or id, its value, and a sentence."""

    other: Annotated[str, arguments.name_arg("the other combatant")]
    amount: Annotated[int, _AMOUNT]
    text: Annotated[str, _SENTENCE] = ""

    def in_words(self, how: Notation) -> str:
        """The bond in words: `Odo +2: owes me a boat`."""
        return f"{self.other} {how.signed(self.amount)}{f': {self.text}' if self.text else ''}"


class ReputationRow(Struct, frozen=True):
    """A reputation with a group, and its value."""

    group: Annotated[str, arguments.name_arg("the name of the group", usage="GROUP")]
    amount: Annotated[int, _AMOUNT]

    def in_words(self, how: Notation) -> str:
        """The reputation in words: `Guild −1`."""
        return f"{self.group} {how.signed(self.amount)}"


def bonds_of(combatant: Combatant) -> list[Bond]:
    """The bonds on somebody's sheet."""
    return sheet.stat_rows(combatant, BONDS, Bond)


def standings_of(combatant: Combatant) -> list[ReputationRow]:
    """The groups that think something of somebody."""
    return sheet.stat_rows(combatant, REPUTATION, ReputationRow)


def _is_with(bond: Bond, other: Combatant) -> bool:
    return fold(bond.other) in (fold(other.id), fold(other.name))


def _is_of(standing: ReputationRow, group: str) -> bool:
    return fold(standing.group) == fold(group)


def bond_with(combatant: Combatant, other: Combatant) -> int | None:
    """The value of somebody's bond with another; None for no bond."""
    found = [bond.amount for bond in bonds_of(combatant) if _is_with(bond, other)]
    return found[-1] if found else None


def reputation_with(combatant: Combatant, group: str) -> int:
    """The value of somebody's reputation with a group: 0 until it changes."""
    return next((each.amount for each in standings_of(combatant) if _is_of(each, group)), 0)


def _read_bond(reading: ParseState) -> int:
    reading.words.take("bond")
    return reading.words.number("the bond", -20, 20)


def _is_bond(reading: ParseState) -> bool:
    tokens = reading.words
    tokens.offered += ["bond"] if tokens.done else []
    return tokens.peek() == "bond" or tokens.has_number()


def bond_in_words(combatant: Combatant, other: Combatant) -> str:
    """Name the owner of a bond: each of two has their own with the other."""
    return f"{combatant.name}'s bond with {other.name}"


BOND = Argument(_read_bond, "bond N", _is_bond, field=Field("bond", optional=False))
"""The argument for a bond's value, if it differs from the saved one: `bond 2`, or just `2`."""


def bond_worth(combatant: Combatant, other: Combatant, amount: int | None) -> int:
    """The bonus of `combatant`'s bond with another: the given `amount`, else the saved one, with
    each companion 0 until one is set. Raises Refused if it is not known with others."""
    worth = bond_with(combatant, other) if amount is None else amount
    if worth is None and combatant.side != other.side:
        ask = f"`bond {combatant.id} {other.id} N` keeps it"
        raise Refused(f"expected the bond, {combatant.name}'s with {other.name}; {ask}")
    return worth or 0


# -- the commands ----------------------------------------------------------------------------------


class BondArgs(Struct, frozen=True):
    """The arguments of `bond`."""

    who: Annotated[
        Combatant, arguments.combatant_arg("the combatant with the bond", field=Field("self"))
    ]
    other: Annotated[
        Combatant, arguments.combatant_arg("the other combatant", field=Field("anyone"))
    ]
    amount: Annotated[int | None, _AMOUNT] = None
    text: Annotated[str, _SENTENCE] = ""
    resolved: arguments.Flag = False


def _bond(ctx: Context, args: BondArgs) -> None:
    """Begin a bond at 0, rewrite it, or resolve it, which ends its sentence."""
    combatant, other = args.who, args.other
    if combatant.id == other.id:
        raise Refused(f"{combatant.name} can have bonds only with others")
    have = next(
        (bond for bond in bonds_of(combatant) if _is_with(bond, other)), Bond(other.name, 0)
    )
    if args.resolved:
        _resolve(ctx, combatant, other, have)
    amount = have.amount if args.amount is None else args.amount
    text = args.text or ("" if args.resolved else have.text)
    remaining = [bond for bond in bonds_of(combatant) if not _is_with(bond, other)]
    ctx.emit(
        StatChanged(combatant.id, BONDS, to_builtins([*remaining, Bond(other.name, amount, text)]))
    )
    does = "resolves the bond" if args.resolved else "has a bond"
    ctx.text = f"{combatant.name} {does} of {number_aloud(amount)} with {other.name}"


def _resolve(ctx: Context, combatant: Combatant, other: Combatant, bond: Bond) -> None:
    """Raises Refused for somebody who has resolved a bond in this session already, and for none."""
    if not bond.text:
        raise Refused(f"{combatant.name} has no bond with {other.name} that could be resolved")
    if combatant.used(RESOLVED, SESSION):
        once = "only one each session; `session` begins another"
        raise Refused(f"{combatant.name} has resolved a bond: {once}")
    ctx.emit(UseCounted(combatant.id, RESOLVED, SESSION))


def _session(ctx: Context, args: NoArgs) -> None:
    """Another session at the table: each may resolve a bond in it."""
    for combatant in ctx.state.combatants:
        rests.reset_uses(ctx, combatant.id, SESSION)
    ctx.text = "A session begins"


class ReputationArgs(Struct, frozen=True):
    """The arguments of `reputation`."""

    people: Annotated[
        list[Combatant], arguments.combatants_arg("the combatants with the reputation")
    ]
    group: Annotated[
        str,
        arguments.text_arg(
            "the name of the group, in quotes if it has several words", usage="GROUP"
        ),
    ]
    change: Annotated[int, arguments.number_arg("the change", -20, 20, "+N|-N")] = 1


def _reputation(ctx: Context, args: ReputationArgs) -> None:
    """Change a group's opinion of somebody by a point, after a great act."""
    for combatant in args.people:
        have = standings_of(combatant)
        at = next((i for i, each in enumerate(have) if _is_of(each, args.group)), len(have))
        before = have[at] if at < len(have) else ReputationRow(args.group, 0)
        have[at : at + 1] = [replace(before, amount=before.amount + args.change)]
        ctx.emit(StatChanged(combatant.id, REPUTATION, to_builtins(have)))
    how = "better" if args.change > 0 else "worse"
    ctx.text = f"{args.group} think {how} of {join_names(args.people)} by {abs(args.change)}"


COMMANDS = (
    declare_command("bond", "sets a bond between two characters, and its value", BondArgs, _bond),
    declare_command(
        "session", "begins a session, in which each may resolve a bond", NoArgs, _session
    ),
    declare_command(
        "reputation", "changes somebody's reputation with a group", ReputationArgs, _reputation
    ),
)
