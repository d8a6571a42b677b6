"""What people carry, in games without rules for it: things with a number and a use.

On a sheet `item "Potion of Healing" x2 does "2d4+2 HP"`; `item mira potion -1` uses one, `item mira
rope` gives her one. A game whose sheets are `CarryingSheet` takes `COMMANDS` among its own and
`ITEMS` among its `carried_stats`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from affray.core.engine.events import StatChanged
from affray.core.engine.state import MOST_KEPT, Combatant, Encounter
from affray.core.formatting.media import IN_WRITING, Notation
from affray.core.formatting.safe_text import hyphenate
from affray.core.parser import arguments
from affray.core.parser.clauses import names_with_verb
from affray.core.parser.declarations import Argument, ParseState, declare_command
from affray.core.parser.errors import Refused, suggest_or_list
from affray.core.parser.prompt_fields import ANY_MORE, Field
from affray.core.parser.spelling import begun_so
from affray.core.rules.ruleset import Context
from affray.core.rules.tables import Tables
from affray.mechanics.sheet import FieldSheet, SheetFieldGroup, stat_rows, struct_fields

ITEMS = "items"
MOST, LONGEST = 999, 40
"""The most of a thing that can be carried, and the most letters of its name."""


def _is_count(word: str) -> bool:
    return word[:1] == "x" and word[1:].isdecimal() and len(word) <= 4


COUNT = Argument(
    lambda r: int(r.words.next("a number")[1:]),
    "xN",
    lambda r: _is_count(r.words.peek()),
    field=ANY_MORE,
)
"""How many of a thing: `x3`."""
_DOES = arguments.keyword_arg("does", arguments.text_arg("what it does"), field=ANY_MORE)


class Item(Struct, frozen=True, omit_defaults=True):
    """Something carried.

    count  the number of them
    does   its use, in the table's words: `2d4+2 HP`
    """

    name: Annotated[str, arguments.name_arg("the item's name", LONGEST)]
    count: Annotated[int, COUNT] = 1
    does: Annotated[str, _DOES] = ""

    def in_words(self, how: Notation) -> str:
        """`Potion of Healing ×2 (2d4+2 HP)`"""
        return f"{how.counted(self.name, self.count)}{f' ({self.does})' if self.does else ''}"


@lru_cache(maxsize=MOST_KEPT)
def items_of(combatant: Combatant) -> tuple[Item, ...]:
    """The things that somebody carries."""
    return tuple(stat_rows(combatant, ITEMS, Item, lambda item: item.count > 0))


class CarryingSheet(FieldSheet):
    """A sheet that may say what somebody carries."""

    def all_groups(self, tables: Tables) -> Sequence[SheetFieldGroup]:
        """The game's fields, the campaign's counters, and `item`."""
        return (*super().all_groups(tables), _ITEM)

    def carried(self, combatant: Combatant, how: Notation = IN_WRITING) -> list[str]:
        """List what somebody carries, with the number and use of each."""
        return [item.in_words(how) for item in items_of(combatant)]

    def labels(
        self, state: Encounter, combatant: Combatant, how: Notation = IN_WRITING
    ) -> dict[str, str]:
        """Give the things that somebody carries, in a line."""
        if ITEMS not in combatant.stats:
            return {}
        things = self.carried(combatant, how)
        return {ITEMS: f"Carries {', '.join(things)}" if things else ""}


_ITEM = struct_fields("item", Item, usage=None, stat=ITEMS)

# -- what changes hands ----------------------------------------------------------------------------


def item_named(combatant: Combatant, name: str) -> Item | None:
    """The thing that somebody carries by that name or its unambiguous beginning; None for none."""
    named = {hyphenate(item.name): item for item in items_of(combatant)}
    begun = begun_so(hyphenate(name), named) if name else []
    return named.get(hyphenate(name)) or (named[begun[0]] if len(begun) == 1 else None)


def add_item(ctx: Context, combatant_id: str, item: Item) -> Item:
    """Give somebody more of a thing, or fewer if `count` is below 0; returns the thing as it is
    then. Its use stays, unless the item has another."""
    owner = ctx.state[combatant_id]
    rows = {hyphenate(each.name): each for each in items_of(owner)}
    old = rows.get(hyphenate(item.name), replace(item, count=0))
    new = replace(old, count=old.count + item.count, does=item.does or old.does)
    rows[hyphenate(item.name)] = new
    left = [to_builtins(each) for each in rows.values() if each.count > 0]
    ctx.emit(StatChanged(combatant_id, ITEMS, left))
    return new


def use_up(ctx: Context, combatant_id: str, item: Item) -> str:
    """Take one of a thing that somebody uses; returns the words for its use, and the number
    left."""
    new = add_item(ctx, combatant_id, replace(item, count=-1))
    return f"{f' ({item.does})' if item.does else ''}, {new.count or 'none'} left"


# -- the command -----------------------------------------------------------------------------------


def carried_names(reading: ParseState) -> list[str]:
    """List the names of things carried by those named before, or by the actor."""
    people: Sequence[Combatant] = reading.values.get("people", ())
    up = reading.ctx.state.up
    whose = people or ([reading.ctx.actor()] if reading.ctx.by or up is not None else [])
    return [*dict.fromkeys(item.name for each in whose for item in items_of(each))]


CARRIED = Field("item", ("carried",))
"""Things that somebody carries, by letters; or any words."""


class ItemArgs(Struct, frozen=True):
    """The arguments of `item`: `item mira,odo torch +2`, `item mira potion -1 to odo`."""

    people: Annotated[
        list[Combatant],
        arguments.combatants_arg("the combatants who carry it", field=Field("self")),
    ]
    name: Annotated[str, arguments.text_arg("the item", carried_names, "ITEM", CARRIED)]
    by: Annotated[
        int,
        arguments.number_arg(
            "how many more, or fewer", -MOST, MOST, "+N|-N", Field("number", optional=True)
        ),
    ] = 1
    does: Annotated[str, _DOES] = ""
    to: Annotated[
        Combatant | None,
        arguments.keyword_arg(
            "to", arguments.combatant_arg("the combatant who gets it"), field=ANY_MORE
        ),
    ] = None


def _item(ctx: Context, args: ItemArgs) -> None:
    """Give things, use them, or hand them over."""
    args = replace(args, name=args.name.strip(" '"))  # quotes in a name that is in quotes
    if not 0 < len(args.name) <= LONGEST:
        raise Refused(f"the name of an item must have 1 to {LONGEST} characters")
    if not args.by:
        raise Refused("expected how many more, such as +2, or fewer, such as -1; not 0")
    is_less = args.by < 0 or args.to is not None
    items = [_changed(each, args, is_less) for each in args.people]
    for each, item in zip(args.people, items, strict=True):
        new = add_item(ctx, each.id, item)
    named = items[0].name
    many = f"{abs(args.by)} {named}" if abs(args.by) > 1 else named
    if args.to is not None:
        for item in items:
            add_item(ctx, args.to.id, replace(item, count=-item.count))
        ctx.text = f"{names_with_verb(args.people, 'hands', 'hand')} {many} to {args.to.name}"
        return
    verb = ("uses", "use") if is_less else ("gets", "get")
    alone = len(args.people) == 1
    does = f" ({new.does})" if new.does else ""
    rest = f", {new.count or 'none'} left" if is_less else f", {new.count} in all"
    rest = rest if alone and (is_less or new.count > args.by) else ""
    ctx.text = f"{names_with_verb(args.people, *verb)} {many}{does}{rest}"


def _changed(owner: Combatant, args: ItemArgs, is_less: bool) -> Item:
    """By how much somebody's things change. Raises Refused for more than they have, or can."""
    exact = next((i for i in items_of(owner) if hyphenate(i.name) == hyphenate(args.name)), None)
    item = item_named(owner, args.name) if is_less else exact
    if args.to is not None and args.to.id == owner.id:
        raise Refused(f"{owner.name} has it: hand it to somebody else")
    have = item.count if item is not None else 0
    name = item.name if item is not None else args.name
    if is_less and item is None:
        near = suggest_or_list(name, [each.name for each in items_of(owner)])
        raise Refused(f"{owner.name} carries no {name}{near}")
    if is_less and have < abs(args.by):
        raise Refused(f"{owner.name} has {have} {name}, not {abs(args.by)}")
    if not is_less and have + args.by > MOST:
        raise Refused(f"{owner.name} can't carry more than {MOST} {name}")
    does = args.does or (item.does if item is not None else "")
    return Item(name, -abs(args.by) if is_less else args.by, does)


COMMANDS = (
    declare_command(
        "item", "gives somebody a thing, uses one with -1, or hands it over", ItemArgs, _item
    ),
)
