"""Hands: the drawn loadout, things at hand, and moves between hand and pack.

Monsters & Magic, Loadout, Basic Techniques (Retrieve Item, Use Item), Rest & Recovery.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Struct, convert, to_builtins
from msgspec.structs import replace

from affray.core.engine.events import NoteAdded, StatChanged, UseCounted
from affray.core.engine.state import Combatant
from affray.core.formatting.media import IN_WRITING
from affray.core.formatting.safe_text import hyphenate
from affray.core.parser import arguments
from affray.core.parser.declarations import Argument, ParseState, declare_command
from affray.core.parser.errors import Refused, join_or
from affray.core.parser.prompt_fields import ANY_MORE, Field
from affray.core.rules.ruleset import Context
from affray.mechanics import sheet as shared_sheet
from affray.mechanics.actions import PayFunction
from affray.rulesets.monsters_and_magic import damage, gear, sheet
from affray.rulesets.monsters_and_magic.sheet import Carried, Item, Loadout, attacks_of
from affray.rulesets.monsters_and_magic.stats import GEAR_ROWS

SWAP, HAND, NEARBY = "swap", "hand", "nearby"


def keep(ctx: Context, combatant_id: str, stat: str, rows: Sequence[Any]) -> None:
    """Write a list of the sheet again."""
    ctx.emit(StatChanged(combatant_id, stat, [to_builtins(row) for row in rows]))


def by_id(combatant: Combatant) -> dict[str, Item]:
    """The items of a sheet, by their names as single words."""
    return {hyphenate(item.name): item for item in sheet.items_of(combatant)}


def rewrite(ctx: Context, combatant_id: str, item: Item) -> None:
    """Save an item's new state; with none left it is gone, from the hand too."""
    rows = by_id(ctx.state[combatant_id]) | {hyphenate(item.name): item}
    keep(ctx, combatant_id, sheet.ITEMS, [each for each in rows.values() if each.count > 0])
    if item.count < 1:
        let_go(ctx, combatant_id, hyphenate(item.name))


def let_go(ctx: Context, combatant_id: str, name: str) -> None:
    """Put away a thing that was retrieved."""
    held = gear.held_items(ctx.state[combatant_id])
    if name in held:
        keep(ctx, combatant_id, sheet.HELD, [Carried(each) for each in held if each != name])


def lay_down(ctx: Context, combatant_id: str, name: str) -> None:
    """Take a weapon, focus or shield out of hand and out of its loadouts.

    A second weapon is the primary then; without either the loadout is gone.
    """
    let_go(ctx, combatant_id, name)
    owner = ctx.state[combatant_id]
    have = sheet.loadouts_of(owner)
    if any(name in each.ids for each in have):
        left = (_without(owner, each, name) for each in have)
        keep(ctx, combatant_id, sheet.LOADOUTS, [each for each in left if each.ids])


def _without(combatant: Combatant, loadout: Loadout, name: str) -> Loadout:
    hands = [each for each in (loadout.primary, loadout.secondary) if hyphenate(each) != name]
    if len(hands) > 1:
        return loadout
    other = hands[0] if hands else ""
    first, second = (other, "") if hyphenate(other) in gear.weapons_of(combatant) else ("", other)
    return replace(loadout, primary=first, secondary=second)


def give(ctx: Context, combatant_id: str, item: Item) -> None:
    """Give somebody an item, adding to those of its name."""
    row = by_id(ctx.state[combatant_id]).get(hyphenate(item.name))
    if row is not None:
        item = replace(row, count=row.count + item.count, hand=row.hand + item.hand)
    rewrite(ctx, combatant_id, item)


# -- weapons ---------------------------------------------------------------------------------------


def draw(ctx: Context, combatant_id: str, loadout: int) -> None:
    """Take a weapon loadout into the hands, which then hold nothing else that was retrieved; 0 for
    nothing at all."""
    have = sheet.loadouts_of(ctx.state[combatant_id])
    rows = [replace(each, drawn=number == loadout) for number, each in enumerate(have, 1)]
    keep(ctx, combatant_id, sheet.LOADOUTS, rows)
    if gear.held_items(ctx.state[combatant_id]):
        keep(ctx, combatant_id, sheet.HELD, [])
    drawn = gear.loadout_in_hand(ctx.state[combatant_id])
    ctx.note(f"has {drawn or 'no weapon'} in hand", combatant_id)


def draw_for(ctx: Context, combatant: Combatant, weapon: str) -> None:
    """Draw the loadout that holds this weapon, as part of a technique, if no weapon is in hand."""
    loadout = gear.loadout_with(combatant, weapon)
    if (
        loadout
        and not gear.is_armed(combatant)
        and hyphenate(weapon) not in gear.in_hand(combatant)
    ):
        draw(ctx, combatant.id, loadout)


class DrawArgs(Struct, frozen=True):
    """The arguments of `draw`: by default the first weapon; 0 stows things in hand, or drops
    them."""

    loadout: Annotated[int, arguments.number_arg("the number of a loadout", usage="1|2|0")] = 1


def _draw(ctx: Context, args: DrawArgs) -> None:
    combatant, loadout = ctx.actor(), args.loadout
    if loadout > len(sheet.loadouts_of(combatant)):
        raise Refused(f"{combatant.name} has no weapon loadout {loadout}")
    if loadout and gear.is_armed(combatant):
        raise Refused(f"{combatant.name} has weapons in hand: `retrieve swap` changes them")
    draw(ctx, combatant.id, loadout)
    ctx.text = (
        f"{combatant.name} {'draws, as part of a technique' if loadout else 'empties the hands'}"
    )


def _swap(ctx: Context, combatant: Combatant, pay: PayFunction) -> None:
    """Swap to the other weapon loadout, if the sheet lists them."""
    pay()
    if sheet.LOADOUTS in combatant.stats:
        other = _other_loadout(combatant)
        if not other:
            raise Refused(f"{combatant.name} has no other weapon loadout to swap for")
        draw(ctx, combatant.id, other)
    ctx.text = f"{combatant.name} swaps weapons"


def _other_loadout(combatant: Combatant) -> int:
    """The first loadout that is not in hand, from 1 on; 0 for none."""
    away = (number for number, each in enumerate(sheet.loadouts_of(combatant), 1) if not each.drawn)
    return next(away, 0)


# -- retrieving ------------------------------------------------------------------------------------


def _keeps_items(reading: ParseState) -> bool:
    return sheet.ITEMS in reading.ctx.actor().stats


def _is_item(reading: ParseState) -> bool:
    """True if an item is named, or must be since the sheet lists items."""
    tokens = reading.words
    tokens.offered += usable_items(reading.ctx.actor(), "stowed") if tokens.done else ()
    return not tokens.done or _keeps_items(reading)


def _read_item(reading: ParseState) -> str:
    """Read the thing to retrieve: something stowed, or anything `nearby`; `swap` for other weapons;
    any words if the sheet lists no items."""
    tokens = reading.words
    if tokens.peek() == SWAP:
        return tokens.next("the other weapons").casefold()
    if not _keeps_items(reading):
        return tokens.rest()
    if tokens.peek(1) == NEARBY:
        return str(tokens.next("something on the ground"))
    return tokens.choice("something stowed", _stowed(reading.ctx.actor()))


def _stowed_small(reading: ParseState) -> list[str]:
    """The stowed things without weight, which may come along with another."""
    combatant = reading.ctx.actor()
    items = by_id(combatant)
    return [name for name in _stowed(combatant) if name in items and not items[name].weight]


class SmallThingsArgs(Struct, frozen=True):
    """Small things that come along: `potion`, `"healing potion" x2`."""

    id: Annotated[str, arguments.choice_arg("something small and stowed", _stowed_small, "ITEM")]
    count: Annotated[int, sheet.COUNT] = 1


def _is_thing(reading: ParseState) -> bool:
    """True unless the command retrieves the other weapons: nothing follows `swap`."""
    item: str = reading.values.get("item", SWAP)
    return item != SWAP


_NEARBY = Argument(
    lambda reading: bool(reading.words.next(NEARBY)),
    NEARBY,
    lambda reading: _is_thing(reading) and reading.words.peek() == NEARBY,
    field=ANY_MORE,
)
_ALONG = arguments.repeated_arg(SmallThingsArgs, "ITEM [xN] ...")


class RetrieveArgs(Struct, frozen=True):
    """The arguments of `retrieve`.

    item    a thing by its name, or `swap` for the other weapons
    nearby  it is none of the sheet's, and lies close by
    along   small things that come along, as many as CUNNING at most
    """

    item: Annotated[
        str, Argument(_read_item, "swap|ITEM", _is_item, field=Field("item", ("stowed",)))
    ] = ""
    nearby: Annotated[bool, replace(_NEARBY, requires="item")] = False
    along: Annotated[
        list[SmallThingsArgs],
        replace(_ALONG, requires="item", stands=lambda r: _is_thing(r) and _ALONG.stands(r)),
    ] = []


def retrieve(ctx: Context, args: RetrieveArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Retrieve Item: 1 fatigue for a thing, with small ones; swapping weapons marks none."""
    if args.item == SWAP:
        _swap(ctx, combatant, pay)
        return
    text, brought = args.item, []
    if sheet.ITEMS in combatant.stats:
        brought = _things_retrieved(combatant, args)
        text = join_or((IN_WRITING.counted(*thing) for thing in brought), "and")
    pay()
    damage.mark_fatigue(ctx, combatant.id, 1, "to retrieve an item")
    if args.nearby and hyphenate(args.item) not in gear.weapons_of(combatant):
        give(ctx, combatant.id, Item(args.item))
        gear.refuse_impossible(ctx, ctx.state[combatant.id])
    for name, count in brought:
        _to_hand(ctx, combatant.id, name, count)
    gear.refuse_in_hand(ctx, ctx.state[combatant.id])
    ctx.text = f"{combatant.name} retrieves {text or 'an item'}"


def _things_retrieved(combatant: Combatant, args: RetrieveArgs) -> list[tuple[str, int]]:
    """The things retrieved, by name, with their counts. Raises Refused for too many."""
    most = max(0, sheet.ability(combatant, "cunning"))
    if sum(small.count for small in args.along) > most:
        raise Refused(f"{combatant.name} brings {most} small things along at most, by CUNNING")
    stowed = _stowed(combatant)
    small = [(stowed[small.id], small.count) for small in args.along]
    return [(args.item if args.nearby else stowed[args.item], 1), *small]


def _stowed(combatant: Combatant) -> dict[str, str]:
    """The things to retrieve, by their names as single words; weapons not in hand among them."""
    held, hands = gear.held_items(combatant), gear.in_hand(combatant)
    items = {
        name: item.name
        for name, item in by_id(combatant).items()
        if item.count > item.hand and name not in held
    }
    weapons = (attack.name for attack in attacks_of(combatant) if attack.takes_hands)
    return items | {hyphenate(name): name for name in weapons if hyphenate(name) not in hands}


def usable_items(combatant: Combatant, where: str) -> list[str]:
    """List things to use at `hand`; or `stowed` ones to retrieve, the other weapons first."""
    if where == HAND:
        return [*_ready(combatant)]
    swap = [SWAP] if _other_loadout(combatant) else []
    return [*swap, *(_stowed(combatant) if sheet.ITEMS in combatant.stats else ())]


def _to_hand(ctx: Context, combatant_id: str, name: str, count: int) -> None:
    """Bring something to hand: small things to a spot of the loadout, others are held."""
    owner = ctx.state[combatant_id]
    item = by_id(owner).get(hyphenate(name))
    if item is None or item.weight:
        keep(
            ctx,
            combatant_id,
            sheet.HELD,
            [Carried(each) for each in (*gear.held_items(owner), hyphenate(name))],
        )
    else:
        rewrite(ctx, combatant_id, replace(item, hand=item.hand + count))


# -- using -----------------------------------------------------------------------------------------


def _read_item_at_hand(reading: ParseState) -> Item:
    """Read an item at hand; one of any name if the sheet lists none. Raises Refused for a stowed
    one.
    """
    tokens, combatant = reading.words, reading.ctx.actor()
    if sheet.ITEMS not in combatant.stats:
        return Item(str(tokens.next("the item")))
    ready = _ready(combatant)
    if hyphenate(tokens.upcoming) not in ready:
        _refuse_stowed(combatant, tokens.upcoming)
    return ready[tokens.choice("an item at hand", ready)]


def item_at_hand(combatant: Combatant, name: str) -> Item:
    """Return the item of that name, or of any name if the sheet lists none. Raises Refused for one
    stowed or no longer there.
    """
    if sheet.ITEMS not in combatant.stats:
        return Item(name)
    item = _ready(combatant).get(hyphenate(name))
    if item is None:
        _refuse_stowed(combatant, name)
        raise Refused(f"{combatant.name} no longer has {name} at hand")
    return item


def _refuse_stowed(combatant: Combatant, name: str) -> None:
    text = hyphenate(name)
    if item := by_id(combatant).get(text):
        raise Refused(f"{item.name} is stowed: `retrieve {text}` brings it to hand")


ITEM_AT_HAND = Argument(_read_item_at_hand, "ITEM", field=Field("item", ("hand",)))
"""A thing that can be used at once."""


def _ready(combatant: Combatant) -> dict[str, Item]:
    """The usable items: small things at hand, and held ones."""
    hands = gear.in_hand(combatant)
    return {name: item for name, item in by_id(combatant).items() if name in hands}


def use_up(ctx: Context, combatant_id: str, item: Item) -> None:
    """Take one of a used item, unless it is reusable, and tell its text."""
    if not item.is_reusable:
        _take_one(ctx, combatant_id, item)
    if item.text:
        ctx.emit(NoteAdded(item.text, combatant_id, aside=True))


def _take_one(ctx: Context, combatant_id: str, item: Item) -> None:
    let_go(ctx, combatant_id, hyphenate(item.name))
    rewrite(ctx, combatant_id, replace(item, count=item.count - 1, hand=max(0, item.hand - 1)))


def hand_over(ctx: Context, combatant_id: str, item: Item, other: str) -> None:
    """Give one of an item to somebody, at hand where there is room, if their items are kept."""
    _take_one(ctx, combatant_id, item)
    taker = ctx.state[other]
    if sheet.ITEMS not in taker.stats:
        return
    at_hand = sum(each.hand for each in sheet.items_of(taker))
    has_room = not item.weight and at_hand < gear.spots(ctx.tables, taker)
    give(ctx, other, replace(item, count=1, hand=int(has_room)))
    gear.refuse_impossible(ctx, ctx.state[other])


HANDS_COMMANDS = (
    declare_command(
        "draw", "draws a weapon loadout, with none in hand", DrawArgs, _draw, acts=True
    ),
)


# -------------------------------------------------------------------------------------------------
# Belongings: what a sheet says of gear, changed while the log goes on, and as the card tells it.
#
# Monsters & Magic, Loadout, Rest & Recovery, Weight & Carrying Capacity.

FOUGHT = "fought"
"""The use counted until the next rest for those who were in a fight: their loadouts can't
change."""


class GearArgs(Struct, frozen=True):
    """The arguments of `gear`."""

    who: Annotated[Combatant, arguments.combatant_arg("the combatant who gets the gear")]
    given: Annotated[shared_sheet.Sheet, shared_sheet.sheet_arg(GEAR_ROWS)]


def _gear(ctx: Context, args: GearArgs) -> None:
    combatant, given = args.who, args.given.stats
    for stat, rows in given.items():
        _add(ctx, combatant.id, stat, rows)
    gear.refuse_impossible(ctx, ctx.state[combatant.id])
    names = [
        row if isinstance(row, str) else row["name"] for rows in given.values() for row in rows
    ]
    ctx.text = f"{combatant.name} now has {join_or(names, 'and')}"


def _add(ctx: Context, combatant_id: str, stat: str, rows: list[Any]) -> None:
    """Items join those of their name; other rows take their place; words are added.

    Who puts on armour takes off what they wore; shields are as many as there are.
    """
    if stat == sheet.ITEMS:
        for row in rows:
            give(ctx, combatant_id, convert(row, Item))
        return
    new = [_row_id(row) for row in rows]
    puts_on = stat == sheet.ARMOR and any(map(_is_worn, rows))
    have = [row for row in _rows_of(ctx.state[combatant_id], stat) if _row_id(row) not in new]
    remaining = [row for row in have if not (puts_on and _is_worn(row))]
    ctx.emit(StatChanged(combatant_id, stat, [*remaining, *rows]))


def _rows_of(combatant: Combatant, stat: str) -> list[Any]:
    """A list of the sheet: words, and tables with a name. A log may be edited by hand."""
    rows = combatant.stats.get(stat)
    return [row for row in rows if _row_id(row)] if isinstance(rows, list) else []


def _row_id(row: Any) -> str:
    name = row.get("name") if isinstance(row, dict) else row
    return hyphenate(name) if isinstance(name, str) else ""


def _is_worn(armor: Any) -> bool:
    return isinstance(armor, dict) and armor.get("kind") != sheet.SHIELD


def _armor_in_use(combatant: Combatant) -> dict[str, str]:
    """The armour and weapons in use, each with the sheet's list that has it."""
    lists = (sheet.ARMOR, sheet.ATTACKS)
    return {_row_id(row): stat for stat in lists for row in _rows_of(combatant, stat)}


def _things_of(reading: ParseState) -> list[str]:
    combatant = reading.values["who"]
    return [*by_id(combatant), *_armor_in_use(combatant)]


class DropArgs(Struct, frozen=True):
    """The arguments of `drop`: an item (all of it by default), a weapon or armour."""

    who: Annotated[Combatant, arguments.combatant_arg("the combatant who drops something")]
    thing: Annotated[str, arguments.choice_arg("one of their things", _things_of, "THING")]
    count: Annotated[int | None, sheet.COUNT] = None


def _drop(ctx: Context, args: DropArgs) -> None:
    combatant, name = args.who, args.thing
    items, worn = by_id(combatant), _armor_in_use(combatant)
    if name in items:
        item = items[name]
        count = item.count if args.count is None else args.count
        if count > item.count:
            raise Refused(f"{combatant.name} has {item.count} of {item.name}, not {count}")
        left = item.count - count
        rewrite(ctx, combatant.id, replace(item, count=left, hand=min(item.hand, left)))
    elif args.count is not None:
        raise Refused(f"{name} is not counted: drop it without a number")
    else:
        rows = [row for row in _rows_of(combatant, worn[name]) if _row_id(row) != name]
        ctx.emit(StatChanged(combatant.id, worn[name], rows))
        lay_down(ctx, combatant.id, name)
    ctx.text = f"{combatant.name} no longer has {name}"


def _wielded(reading: ParseState) -> list[str]:
    combatant = reading.value_of("who")
    return [*gear.weapons_of(combatant), *gear.shields_of(combatant)]


_PRIMARY = arguments.text_arg("a weapon or focus", _wielded, usage="PRIMARY")
_SECONDARY = arguments.text_arg("the item in the other hand", _wielded, usage="SECONDARY")


class FirstLoadoutArgs(Struct, frozen=True):
    """The arguments of the first weapon loadout."""

    primary: Annotated[str, _PRIMARY]
    secondary: Annotated[str, _SECONDARY] = ""
    number: int = 1


class SecondLoadoutArgs(FirstLoadoutArgs, frozen=True):
    """The arguments of the second weapon loadout."""

    number: int = 2


_ITEM = arguments.choice_arg(
    "one of their items", lambda reading: by_id(reading.value_of("who")), "ITEM"
)


class ThingsArgs(Struct, frozen=True):
    """Things of somebody's: `potion`, `"healing potion" x2`."""

    id: Annotated[str, _ITEM]
    count: Annotated[int, sheet.COUNT] = 1


class AtHandArgs(Struct, frozen=True):
    """The things at hand from now on, and no others."""

    things: Annotated[
        list[ThingsArgs], arguments.repeated_arg(ThingsArgs, "ITEM [xN] [ITEM ...]")
    ] = []


_LOADOUTS = {"1": FirstLoadoutArgs, "2": SecondLoadoutArgs, HAND: AtHandArgs}


class LoadoutArgs(Struct, frozen=True):
    """The arguments of `loadout`."""

    who: Annotated[Combatant, arguments.combatant_arg("the combatant with the loadout")]
    what: Annotated[
        FirstLoadoutArgs | AtHandArgs,
        arguments.subcommand_arg("the number of a loadout, or `hand`", _LOADOUTS),
    ]


def _loadout(ctx: Context, args: LoadoutArgs) -> None:
    combatant, what = args.who, args.what
    if ctx.state.in_combat or combatant.used(FOUGHT, "rest"):
        raise Refused(
            f"{combatant.name}'s loadout can be changed only in a rest; `retrieve` brings things "
            "to hand"
        )
    if isinstance(what, AtHandArgs):
        items = {name: replace(item, hand=0) for name, item in by_id(combatant).items()}
        for thing in what.things:
            item = items[thing.id]
            items[thing.id] = replace(item, hand=item.hand + thing.count)
        keep(ctx, combatant.id, sheet.ITEMS, [*items.values()])
    else:
        have, index = list(sheet.loadouts_of(combatant)), what.number - 1
        is_drawn = have[index].drawn if index < len(have) else not have
        have[index : what.number] = [sheet.Loadout(what.primary, what.secondary, is_drawn)]
        keep(ctx, combatant.id, sheet.LOADOUTS, have)
    gear.refuse_in_hand(ctx, ctx.state[combatant.id])
    ctx.text = f"{combatant.name} changes their loadout"


def on_fight_end(ctx: Context) -> None:
    """Bar those who have fought from changing loadouts before the next rest."""
    for combatant in filter(gear.keeps_gear, ctx.state.combatants):
        ctx.emit(UseCounted(combatant.id, FOUGHT, "rest"))


BELONGINGS_COMMANDS = (
    declare_command(
        "loadout",
        "changes a weapon loadout or the things at hand, in a rest",
        LoadoutArgs,
        _loadout,
    ),
    declare_command(
        "gear", "gives somebody armour, a weapon, items or spells, as in `add`", GearArgs, _gear
    ),
    declare_command("drop", "takes a thing from somebody", DropArgs, _drop),
)

COMMANDS = (*HANDS_COMMANDS, *BELONGINGS_COMMANDS)
