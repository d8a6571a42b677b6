"""Hands: the loadout that is drawn, what is at hand, and what moves between hand and pack.

Seed 004: Loadout, Basic Techniques (Retrieve Item, Use Item), Rest & Recovery.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.events import Adjusted, Noted, Used
from affray.core.heart.state import Combatant
from affray.core.language.refusal import Refused, listed
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.rulekit import sheets
from affray.rulekit.acts import Pay
from affray.rulekit.sheets import as_id
from affray.rulesets.monsters_and_magic import carrying, fatigue, gear
from affray.rulesets.monsters_and_magic.creatures import GEAR_ROWS, attacks_of
from affray.rulesets.monsters_and_magic.gear import Item

SWAP, HAND = "swap", "hand"
FOUGHT = "fought"
"""What is counted, until the next rest, of who has been in a fight: no loadout changes then."""


def _keep(ctx: Context, who: str, stat: str, rows: Sequence[Any]) -> None:
    """Write a list of the sheet anew."""
    ctx.emit(Adjusted(who, stat, [to_builtins(row) for row in rows]))


def _with(items: Sequence[Item], changed: Item) -> list[Item]:
    """The items with this one in place of the one of its name; gone when there is none of it."""
    rows = [changed if as_id(each.name) == as_id(changed.name) else each for each in items]
    return [each for each in rows if each.count > 0]


def _by_id(who: Combatant) -> dict[str, Item]:
    return {as_id(item.name): item for item in gear.items_of(who)}


# -- weapons ---------------------------------------------------------------------------------------


def draw(ctx: Context, who: str, loadout: int) -> None:
    """Take a weapon loadout into the hands, which then hold nothing else that was retrieved."""
    ctx.emit(Adjusted(who, gear.DRAWN, loadout))
    if gear.HELD in ctx.state[who].stats:
        ctx.emit(Adjusted(who, gear.HELD, []))
    drawn = gear.loadout_in_hand(ctx.state[who])
    if drawn is not None:
        ctx.emit(Noted(f"{ctx.state.name(who)} has {_both(drawn)} in hand"))


def draw_for(ctx: Context, who: Combatant, weapon: str) -> None:
    """With no weapon in hand, draw the loadout that holds this one, as part of a technique."""
    loadout = gear.loadout_with(who, weapon)
    if loadout and gear.loadout_in_hand(who) is None and as_id(weapon) not in gear.in_hand(who):
        draw(ctx, who.id, loadout)


def _draw(ctx: Context, words: Words) -> None:
    """`draw [1|2]`: the first unless it is said."""
    who = ctx.actor()
    loadout = words.maybe_number(1, "which loadout", 1)
    words.finish()
    if gear.loadout_in_hand(who) is not None:
        raise Refused(f"{who.name} has weapons in hand: `retrieve swap` changes them")
    _require_loadout(who, loadout)
    draw(ctx, who.id, loadout)
    ctx.text = f"{who.name} draws, as part of a technique"


def _require_loadout(who: Combatant, loadout: int) -> None:
    have = len(gear.loadouts_of(who))
    if not 1 <= loadout <= have:
        raise Refused(f"{who.name} has {have} weapon loadouts, and no {loadout}")


def _swap(ctx: Context, who: Combatant) -> None:
    """The other weapon loadout into the hands, where the sheet says which there are."""
    have = gear.loadouts_of(who)
    if gear.LOADOUTS not in who.stats:
        return
    if len(have) < gear.MOST_LOADOUTS:
        raise Refused(f"{who.name} has one weapon loadout, and none to swap it for")
    draw(ctx, who.id, 2 if who.number(gear.DRAWN, 1) == 1 else 1)


# -- retrieving ------------------------------------------------------------------------------------


def retrieve(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Retrieve Item: 1 fatigue for a thing, with small ones; swapping weapons marks none."""
    words.offered += [SWAP] if words.done and len(gear.loadouts_of(who)) > 1 else []
    if words.take(SWAP):
        pay()
        _swap(ctx, who)
        ctx.text = f"{who.name} swaps weapons"
        return
    things = _read_things(words, who) if gear.ITEMS in who.stats else []
    told = listed((_several(*thing) for thing in things), "and") if things else words.rest()
    pay()
    fatigue.mark(ctx, who.id, 1, "to retrieve an item")
    for name, count in things:
        _to_hand(ctx, who.id, name, count)
    carrying.refuse_impossible(ctx, ctx.state[who.id])
    ctx.text = f"{who.name} retrieves {told or 'an item'}"


def _several(name: str, count: int) -> str:
    return name if count == 1 else f"{name} ×{count}"


def _stowed(who: Combatant) -> dict[str, str]:
    """What could be retrieved, by its name as a single word: things, and weapons not in hand."""
    items = {as_id(item.name): item.name for item in gear.items_of(who) if item.count > item.hand}
    hands = gear.in_hand(who)
    weapons = (attack.name for attack in attacks_of(who) if not attack.is_spell)
    return items | {as_id(name): name for name in weapons if as_id(name) not in hands}


def _read_things(words: Words, who: Combatant) -> list[tuple[str, int]]:
    """Read what is retrieved: a thing, and small ones that come along, as many as CUNNING at most.

    `nearby` behind the first says that it lies close by, and is on nobody's sheet.
    """
    stowed, items = _stowed(who), _by_id(who)
    if words.peek(1) == "nearby":
        first = str(words.next("what lies there"))
        words.next("nearby")
    else:
        first = stowed[words.choice("something stowed", stowed)]
    small = []
    while not words.done:
        name, count = read_thing(words, stowed, "something small and stowed")
        if as_id(name) not in items or items[as_id(name)].weight:
            raise words.refuse(f"{name} is no small thing: those come along that weigh nothing")
        small.append((name, count))
    most = max(0, who.number("cunning"))
    if sum(count for _, count in small) > most:
        raise Refused(f"{who.name} brings {most} small things along, as many as CUNNING")
    return [(first, 1), *small]


def read_thing(words: Words, known: Mapping[str, str], what: str) -> tuple[str, int]:
    """Read one of some things and how many of it: `potion`, `"healing potion" x2`."""
    name = known[words.choice(what, known)]
    return name, int(words.next("how many")[1:]) if gear.is_count(words.peek()) else 1


def _to_hand(ctx: Context, who: str, name: str, count: int) -> None:
    """Bring something to hand: small things to a spot of the loadout, others are held."""
    owner = ctx.state[who]
    item = _by_id(owner).get(as_id(name))
    if item is None and all(as_id(attack.name) != as_id(name) for attack in attacks_of(owner)):
        _give(ctx, who, Item(name, hand=1))
    elif item is None or item.weight:
        ctx.emit(Adjusted(who, gear.HELD, [*sheets.words_of(owner, gear.HELD), as_id(name)]))
    else:
        changed = replace(item, hand=item.hand + count)
        _keep(ctx, who, gear.ITEMS, _with(gear.items_of(owner), changed))


# -- using -----------------------------------------------------------------------------------------


def item_at_hand(words: Words, who: Combatant) -> Item | None:
    """Read an item that is at hand; None where the sheet says nothing of items.

    Raises Refused for what is stowed.
    """
    if gear.ITEMS not in who.stats:
        return None
    have = _by_id(who)
    hands = gear.in_hand(who)
    ready = {name: item for name, item in have.items() if item.hand or name in hands}
    said = as_id(words.upcoming)
    if said in have and said not in ready:
        raise Refused(f"{have[said].name} is stowed: `retrieve {said}` brings it to hand")
    return ready[words.choice("an item at hand", ready)]


def use_up(ctx: Context, who: str, item: Item) -> None:
    """One of an item has been used: it is gone unless it is kept, and its text is told."""
    if not item.kept:
        _take(ctx, who, item, 1)
    if item.text:
        ctx.emit(Noted(item.text, who))


def hand_over(ctx: Context, who: str, item: Item, other: str) -> None:
    """Give one of an item to somebody, at hand where there is room, if their items are kept."""
    _take(ctx, who, item, 1)
    taker = ctx.state[other]
    if gear.ITEMS not in taker.stats:
        return
    at_hand = sum(each.hand for each in gear.items_of(taker))
    has_room = not item.weight and at_hand < gear.spots(ctx.tables, taker)
    _give(ctx, other, replace(item, count=1, hand=int(has_room)))
    carrying.refuse_impossible(ctx, ctx.state[other])


def _take(ctx: Context, who: str, item: Item, count: int) -> None:
    left = replace(item, count=item.count - count, hand=max(0, item.hand - count))
    _keep(ctx, who, gear.ITEMS, _with(gear.items_of(ctx.state[who]), left))


def _give(ctx: Context, who: str, item: Item) -> None:
    """Add an item to what somebody has, to others of its name if there are some."""
    have = gear.items_of(ctx.state[who])
    known = _by_id(ctx.state[who]).get(as_id(item.name))
    if known is None:
        _keep(ctx, who, gear.ITEMS, [*have, item])
        return
    more = replace(known, count=known.count + item.count, hand=known.hand + item.hand)
    _keep(ctx, who, gear.ITEMS, _with(have, more))


# -- what the sheet has ----------------------------------------------------------------------------


def _gear(ctx: Context, words: Words) -> None:
    """`gear NAME armor|attack|item|spells|talent|proficient ...`, as `add` has them."""
    who = words.combatant("whose gear")
    given = sheets.read(ctx, words, GEAR_ROWS).stats
    if not given:
        raise words.refuse(f"expected {listed(name for row in GEAR_ROWS for name in row.names)}")
    for stat, rows in given.items():
        _ADDS.get(stat, _add_rows)(ctx, who.id, stat, rows)
    carrying.refuse_impossible(ctx, ctx.state[who.id])
    names = [
        row if isinstance(row, str) else row["name"] for rows in given.values() for row in rows
    ]
    ctx.text = f"{who.name} now has {listed(names, 'and')}"


def _add_rows(ctx: Context, who: str, stat: str, rows: list[Any]) -> None:
    """Rows take the place of those of their name; words are added."""
    have = list(ctx.state[who].stats.get(stat, ()))
    ctx.emit(
        Adjusted(who, stat, [each for each in have if _named(each) not in map(_named, rows)] + rows)
    )


def _named(row: Any) -> str:
    return as_id(str(row.get("name", "")) if isinstance(row, dict) else str(row))


def _add_items(ctx: Context, who: str, stat: str, rows: list[Any]) -> None:
    for row in rows:
        _give(ctx, who, Item(**row))


def _add_armor(ctx: Context, who: str, stat: str, rows: list[Any]) -> None:
    """Who puts on armour takes off what they wore; shields are as many as there are."""
    if any(row.get("kind", gear.NO_ARMOR) != gear.SHIELD for row in rows):
        worn = sheets.rows_of(ctx.state[who], gear.ARMOR, gear.Armor)
        _keep(ctx, who, gear.ARMOR, [each for each in worn if each.kind == gear.SHIELD])
    _add_rows(ctx, who, stat, rows)


_ADDS: dict[str, Callable[[Context, str, str, list[Any]], None]] = {
    gear.ITEMS: _add_items,
    gear.ARMOR: _add_armor,
}
"""How that is added which is more than a row."""


def _drop(ctx: Context, words: Words) -> None:
    """`drop NAME THING [xN]`: an item, all of it unless it is said, a weapon or armour."""
    who = words.combatant("who lays something down")
    items = _by_id(who)
    others = [(stat, row) for stat in (gear.ARMOR, gear.ATTACKS) for row in who.stats.get(stat, ())]
    known = {name: item.name for name, item in items.items()} | {
        _named(row): row["name"] for _, row in others
    }
    name = known[words.choice("something of theirs", known)]
    if as_id(name) in items:
        item = items[as_id(name)]
        count = int(words.next("how many")[1:]) if gear.is_count(words.peek()) else item.count
        if count > item.count:
            raise Refused(f"{who.name} has {item.count} of {name}, not {count}")
        _take(ctx, who.id, item, count)
    else:
        for stat in {stat for stat, row in others if _named(row) == as_id(name)}:
            left = [row for each, row in others if each == stat and _named(row) != as_id(name)]
            ctx.emit(Adjusted(who.id, stat, left))
    words.finish()
    ctx.text = f"{who.name} no longer has {name}"


def _loadout(ctx: Context, words: Words) -> None:
    """`loadout NAME 1|2 PRIMARY [SECONDARY]` or `loadout NAME hand ITEM [xN] ...`."""
    who = words.combatant("whose loadout")
    if ctx.state.phase == "combat" or who.used(FOUGHT, "rest"):
        raise Refused(
            f"{who.name}'s loadout is changed in a rest; `retrieve` brings things to hand"
        )
    if words.take(HAND):
        _choose_items(ctx, words, who)
    else:
        _choose_weapons(ctx, words, who)
    words.finish()
    carrying.refuse_impossible(ctx, ctx.state[who.id])
    ctx.text = f"{who.name} changes their loadout"


def _choose_items(ctx: Context, words: Words, who: Combatant) -> None:
    """What is at hand from now on, and nothing else."""
    items = {name: replace(item, hand=0) for name, item in _by_id(who).items()}
    known = {name: item.name for name, item in items.items()}
    while not words.done:
        name, count = read_thing(words, known, "an item of theirs")
        item = items[as_id(name)]
        items[as_id(name)] = replace(item, hand=item.hand + count)
    _keep(ctx, who.id, gear.ITEMS, [*items.values()])


def _choose_weapons(ctx: Context, words: Words, who: Combatant) -> None:
    have = list(gear.loadouts_of(who))
    which = words.number("which loadout, or `hand`", 1, gear.MOST_LOADOUTS)
    first = str(words.next("a weapon or focus"))
    second = "" if words.done else str(words.next("what the other hand holds"))
    have[which - 1 : which] = [gear.Loadout(first, second)]
    _keep(ctx, who.id, gear.LOADOUTS, have)
    if gear.DRAWN not in who.stats:
        ctx.emit(Adjusted(who.id, gear.DRAWN, 1))


def told(who: Combatant) -> dict[str, str]:
    """What somebody wears, holds and carries, in words, by stat; nothing of who has none."""
    have, drawn = gear.loadouts_of(who), gear.loadout_in_hand(who)
    items = gear.items_of(who)
    hand = [_several(item.name, item.hand) for item in items if item.hand]
    hand += sheets.words_of(who, gear.HELD)
    stowed = [_several(i.name, i.count - i.hand) for i in items if i.count > i.hand]
    away = [_both(each) for each in have if each is not drawn]
    worn = [each.name for each in gear.protecting(who) if each.kind != gear.SHIELD]
    return {
        gear.ARMOR: f"Wears {listed(worn, 'and')}" if worn else "",
        gear.LOADOUTS: _rows(("In hand", [_both(drawn)] if drawn else ["nothing"]), ("away", away)),
        gear.ITEMS: _rows(("At hand", hand), ("stowed", stowed)),
        gear.DRAWN: "",
        gear.HELD: "",
    }


def _both(loadout: gear.Loadout) -> str:
    return " + ".join(filter(None, (loadout.primary, loadout.secondary)))


def _rows(*rows: tuple[str, Sequence[str]]) -> str:
    return " · ".join(f"{label} {', '.join(names)}" for label, names in rows if names)


def fight_ended(ctx: Context) -> None:
    """Who has fought changes no loadout before the next rest."""
    for who in filter(gear.keeps_gear, ctx.state.combatants):
        ctx.emit(Used(who.id, FOUGHT, "rest"))


HAND_VERBS = (
    Verb("draw", "draw [1|2] [by NAME]", "draws a weapon loadout, with none in hand", _draw, True),
    Verb(
        "loadout",
        "loadout NAME 1|2 PRIMARY [SECONDARY] | loadout NAME hand ITEM [xN] [ITEM ...]",
        "changes, in a rest, a weapon loadout or what is at hand",
        _loadout,
    ),
    Verb(
        "gear",
        "gear NAME armor|attack|item|spells|talent|proficient ...",
        "gives somebody what `add` knows: armour, a weapon, items, spells",
        _gear,
    ),
    Verb("drop", "drop NAME THING [xN]", "somebody no longer has a thing", _drop),
)
