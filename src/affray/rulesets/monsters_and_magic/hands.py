"""Hands: the loadout that is drawn, what is at hand, and what moves between hand and pack.

Seed 004: Loadout, Basic Techniques (Retrieve Item, Use Item), Rest & Recovery.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.events import Adjusted, Noted
from affray.core.heart.state import Combatant
from affray.core.language.ids import hyphened
from affray.core.language.refusal import Refused, listed
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.rulekit.acts import Pay
from affray.rulesets.monsters_and_magic import gear, harm, sheet
from affray.rulesets.monsters_and_magic.sheet import Item, Loadout, Thing, attacks_of

SWAP, HAND = "swap", "hand"


def keep(ctx: Context, who: str, stat: str, rows: Sequence[Any]) -> None:
    """Write a list of the sheet anew."""
    ctx.emit(Adjusted(who, stat, [to_builtins(row) for row in rows]))


def by_id(who: Combatant) -> dict[str, Item]:
    """The items of a sheet, by their names as single words."""
    return {hyphened(item.name): item for item in sheet.items_of(who)}


def rewrite(ctx: Context, who: str, item: Item) -> None:
    """Write an item as it is from now on; it is gone, from the hand too, when there is none."""
    rows = by_id(ctx.state[who]) | {hyphened(item.name): item}
    keep(ctx, who, sheet.ITEMS, [each for each in rows.values() if each.count > 0])
    if item.count < 1:
        let_go(ctx, who, hyphened(item.name))


def let_go(ctx: Context, who: str, name: str) -> None:
    """What was retrieved is held no longer."""
    held = gear.held_by(ctx.state[who])
    if name in held:
        keep(ctx, who, sheet.HELD, [Thing(each) for each in held if each != name])


def lay_down(ctx: Context, who: str, name: str) -> None:
    """A weapon, focus or shield is in no loadout and no hand any more; what lies beside it stays.

    A second weapon is the primary then; without either the loadout is gone.
    """
    let_go(ctx, who, name)
    owner = ctx.state[who]
    have = sheet.loadouts_of(owner)
    if any(name in each.ids for each in have):
        left = (_without(owner, each, name) for each in have)
        keep(ctx, who, sheet.LOADOUTS, [each for each in left if each.ids])


def _without(who: Combatant, loadout: Loadout, name: str) -> Loadout:
    hands = [each for each in (loadout.primary, loadout.secondary) if hyphened(each) != name]
    if len(hands) > 1:
        return loadout
    other = hands[0] if hands else ""
    first, second = (other, "") if hyphened(other) in gear.weapons_of(who) else ("", other)
    return replace(loadout, primary=first, secondary=second)


def give(ctx: Context, who: str, item: Item) -> None:
    """Add an item to what somebody has, to others of its name if there are some."""
    known = by_id(ctx.state[who]).get(hyphened(item.name))
    if known is not None:
        item = replace(known, count=known.count + item.count, hand=known.hand + item.hand)
    rewrite(ctx, who, item)


# -- weapons ---------------------------------------------------------------------------------------


def draw(ctx: Context, who: str, loadout: int) -> None:
    """Take a weapon loadout into the hands, which then hold nothing else that was retrieved; 0 for
    nothing at all."""
    have = sheet.loadouts_of(ctx.state[who])
    rows = [replace(each, drawn=number == loadout) for number, each in enumerate(have, 1)]
    keep(ctx, who, sheet.LOADOUTS, rows)
    if gear.held_by(ctx.state[who]):
        keep(ctx, who, sheet.HELD, [])
    drawn = gear.loadout_in_hand(ctx.state[who])
    ctx.emit(Noted(f"{ctx.state.name(who)} has {drawn or 'no weapon'} in hand"))


def draw_for(ctx: Context, who: Combatant, weapon: str) -> None:
    """With no weapon in hand, draw the loadout that holds this one, as part of a technique."""
    loadout = gear.loadout_with(who, weapon)
    if loadout and not gear.is_armed(who) and hyphened(weapon) not in gear.in_hand(who):
        draw(ctx, who.id, loadout)


def _draw(ctx: Context, words: Words) -> None:
    """`draw [1|2|0]`: the first unless it is said; 0 puts away what is in hand, or drops it."""
    who = ctx.actor()
    loadout = words.maybe_number(1, "which loadout")
    if loadout > len(sheet.loadouts_of(who)):
        raise Refused(f"{who.name} has no weapon loadout {loadout}")
    if loadout and gear.is_armed(who):
        raise Refused(f"{who.name} has weapons in hand: `retrieve swap` changes them")
    draw(ctx, who.id, loadout)
    ctx.text = f"{who.name} {'draws, as part of a technique' if loadout else 'empties the hands'}"


def _swap(ctx: Context, who: Combatant, pay: Pay) -> None:
    """The other weapon loadout into the hands, where the sheet says which there are."""
    pay()
    if sheet.LOADOUTS in who.stats:
        other = _other_loadout(who)
        if not other:
            raise Refused(f"{who.name} has no other weapon loadout to swap for")
        draw(ctx, who.id, other)
    ctx.text = f"{who.name} swaps weapons"


def _other_loadout(who: Combatant) -> int:
    """The first loadout that is not in hand, from 1 on; 0 for none."""
    away = (number for number, each in enumerate(sheet.loadouts_of(who), 1) if not each.drawn)
    return next(away, 0)


# -- retrieving ------------------------------------------------------------------------------------


def retrieve(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Retrieve Item: 1 fatigue for a thing, with small ones; swapping weapons marks none."""
    if words.done:
        words.offered += things(who, "stowed")
    if words.peek() == SWAP:
        words.next("the other weapons")
        words.finish()
        _swap(ctx, who, pay)
        return
    lies, brought = _read_things(words, who) if sheet.ITEMS in who.stats else ("", [])
    told = listed((gear.several(*thing) for thing in brought), "and") if brought else words.rest()
    pay()
    harm.mark_fatigue(ctx, who.id, 1, "to retrieve an item")
    if lies and hyphened(lies) not in gear.weapons_of(who):
        give(ctx, who.id, Item(lies))
        gear.refuse_impossible(ctx, ctx.state[who.id])
    for name, count in brought:
        _to_hand(ctx, who.id, name, count)
    gear.refuse_in_hand(ctx, ctx.state[who.id])
    ctx.text = f"{who.name} retrieves {told or 'an item'}"


def _stowed(who: Combatant) -> dict[str, str]:
    """What could be retrieved, by its name as a single word: things, and weapons not in hand."""
    held, hands = gear.held_by(who), gear.in_hand(who)
    items = {
        name: item.name
        for name, item in by_id(who).items()
        if item.count > item.hand and name not in held
    }
    weapons = (attack.name for attack in attacks_of(who) if attack.takes_hands)
    return items | {hyphened(name): name for name in weapons if hyphened(name) not in hands}


def things(who: Combatant, where: str) -> list[str]:
    """What can be used at `hand`; or what can be retrieved that is `stowed`, the other weapons
    before all."""
    if where == HAND:
        return [*_ready(who)]
    swap = [SWAP] if _other_loadout(who) else []
    return [*swap, *(_stowed(who) if sheet.ITEMS in who.stats else ())]


def _read_things(words: Words, who: Combatant) -> tuple[str, list[tuple[str, int]]]:
    """Read what is retrieved: a thing, and small ones that come along, as many as CUNNING at most.

    `nearby` behind the first says that it lies close by. Gives the name of what lies there, empty
    for nothing, and all that comes to hand.
    """
    stowed, items = _stowed(who), by_id(who)
    lies = ""
    if words.peek(1) == "nearby":
        first = lies = str(words.next("what lies there"))
        words.next("nearby")
    else:
        first = stowed[words.choice("something stowed", stowed)]
    small = []
    light = {name: item.name for name, item in items.items() if not item.weight}
    while not words.done:
        name, count = read_thing(words, stowed, "something small and stowed")
        if hyphened(name) not in light:
            raise words.refuse(f"{name} is no small thing: those come along that weigh nothing")
        small.append((name, count))
    words.offered += [name for name in stowed if name in light]
    most = max(0, sheet.ability(who, "cunning"))
    if sum(count for _, count in small) > most:
        raise Refused(f"{who.name} brings {most} small things along, as many as CUNNING")
    return lies, [(first, 1), *small]


def read_thing(words: Words, known: Mapping[str, str], what: str) -> tuple[str, int]:
    """Read one of some things and how many of it: `potion`, `"healing potion" x2`."""
    name = known[words.choice(what, known)]
    return name, sheet.read_count(words)


def _to_hand(ctx: Context, who: str, name: str, count: int) -> None:
    """Bring something to hand: small things to a spot of the loadout, others are held."""
    owner = ctx.state[who]
    item = by_id(owner).get(hyphened(name))
    if item is None or item.weight:
        keep(ctx, who, sheet.HELD, [Thing(each) for each in (*gear.held_by(owner), hyphened(name))])
    else:
        rewrite(ctx, who, replace(item, hand=item.hand + count))


# -- using -----------------------------------------------------------------------------------------


def item_at_hand(words: Words, who: Combatant) -> Item | None:
    """Read an item that is at hand; None where the sheet says nothing of items.

    Raises Refused for what is stowed.
    """
    if sheet.ITEMS not in who.stats:
        return None
    have, ready = by_id(who), _ready(who)
    said = hyphened(words.upcoming)
    if said in have and said not in ready:
        raise Refused(f"{have[said].name} is stowed: `retrieve {said}` brings it to hand")
    return ready[words.choice("an item at hand", ready)]


def _ready(who: Combatant) -> dict[str, Item]:
    """The items that can be used: small things at hand, and what is held."""
    hands = gear.in_hand(who)
    return {name: item for name, item in by_id(who).items() if name in hands}


def use_up(ctx: Context, who: str, item: Item) -> None:
    """One of an item has been used: it is gone unless it is kept, and its text is told."""
    if not item.kept:
        _take_one(ctx, who, item)
    if item.text:
        ctx.emit(Noted(item.text, who))


def _take_one(ctx: Context, who: str, item: Item) -> None:
    """One of an item less, of those at hand or held."""
    let_go(ctx, who, hyphened(item.name))
    rewrite(ctx, who, replace(item, count=item.count - 1, hand=max(0, item.hand - 1)))


def hand_over(ctx: Context, who: str, item: Item, other: str) -> None:
    """Give one of an item to somebody, at hand where there is room, if their items are kept."""
    _take_one(ctx, who, item)
    taker = ctx.state[other]
    if sheet.ITEMS not in taker.stats:
        return
    at_hand = sum(each.hand for each in sheet.items_of(taker))
    has_room = not item.weight and at_hand < gear.spots(ctx.tables, taker)
    give(ctx, other, replace(item, count=1, hand=int(has_room)))
    gear.refuse_impossible(ctx, ctx.state[other])


VERBS = (
    Verb(
        "draw", "draw [1|2|0] [by NAME]", "draws a weapon loadout, with none in hand", _draw, True
    ),
)
