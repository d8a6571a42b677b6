"""What the party gets together: XP, gold and supplies, in one act.

Monsters & Magic, Dice (a miss gains XP), Weight (gold), Rest & Recovery (supplies, going up a
level).
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from affray.core.engine.events import StatChanged, TrackChanged
from affray.core.parser import arguments
from affray.core.parser.clauses import join_names
from affray.core.parser.declarations import declare_command
from affray.core.parser.errors import Refused, join_or
from affray.core.parser.prompt_fields import Field
from affray.core.rules.ruleset import Context
from affray.rulesets.monsters_and_magic.sheet import GOLD
from affray.rulesets.monsters_and_magic.travel import SUPPLIES, spend, supplies_in_words

XP = "xp"
MOST_GOLD = 999_999
_XP = arguments.number_arg("the XP for each", 1, 9_999, "XP", Field("number"))

_GOLD = arguments.keyword_arg(
    GOLD,
    arguments.number_arg("the gold for each", 1, MOST_GOLD),
    field=Field("number", before=GOLD),
)
_SUPPLIES = arguments.keyword_arg(
    SUPPLIES,
    arguments.number_arg("a number of supplies", 1, 999),
    field=Field("number", before=SUPPLIES),
)


class AwardArgs(Struct, frozen=True):
    """The arguments of `award`: XP and gold for each character, supplies for all together."""

    xp: Annotated[int, _XP] = 0
    gold: Annotated[int, _GOLD] = 0
    supplies: Annotated[int, _SUPPLIES] = 0


def _award(ctx: Context, args: AwardArgs) -> None:
    """Give it to all of the party's characters who are here and not dead."""
    people = [c for c in ctx.state.combatants if c.kind == "pc" and c.side == "party"]
    people = [combatant for combatant in people if combatant.life != "dead"]
    if not (args.xp or args.gold or args.supplies):
        raise Refused("expected the XP for each, or `gold N` or `supplies N`")
    if not people:
        raise Refused("no character from the party is here")
    if args.xp:
        ctx.emit(*(TrackChanged(combatant.id, XP, args.xp) for combatant in people))
    for combatant in people if args.gold else ():
        purse = min(combatant.number(GOLD) + args.gold, MOST_GOLD)
        ctx.emit(StatChanged(combatant.id, GOLD, purse))
    spend(ctx, -args.supplies, "")
    each = [f"{args.xp} XP" if args.xp else "", f"{args.gold} gold" if args.gold else ""]
    shares = join_or(list(filter(None, each)), "and")
    shared = supplies_in_words(args.supplies) if args.supplies else ""
    gets = f"{shares}{' each' if people[1:] else ''}" if shares else ""
    does = "get" if people[1:] else "gets"
    ctx.text = f"{join_names(people)} {does} {' and '.join(filter(None, (gets, shared)))}"


COMMANDS = (
    declare_command("award", "gives XP, gold and supplies to the whole party", AwardArgs, _award),
)
