"""Belongings: what a sheet says of gear, changed while the log goes on, and as the card tells it.

Seed 004: Loadout, Rest & Recovery, Weight & Carrying Capacity.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.events import Adjusted, Used
from affray.core.heart.state import Combatant
from affray.core.language.ids import hyphened
from affray.core.language.refusal import Refused, listed
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.rulekit import sheets
from affray.rulesets.monsters_and_magic import gear, hands, sheet
from affray.rulesets.monsters_and_magic.creatures import GEAR_ROWS
from affray.rulesets.monsters_and_magic.sheet import Item

FOUGHT = "fought"
"""What is counted, until the next rest, of who has been in a fight: no loadout changes then."""


def _gear(ctx: Context, words: Words) -> None:
    who = words.combatant("whose gear")
    given = sheets.read(ctx, words, GEAR_ROWS).stats
    if not given:
        raise words.refuse(f"expected {listed(name for row in GEAR_ROWS for name in row.names)}")
    for stat, rows in given.items():
        _add(ctx, who.id, stat, rows)
    gear.refuse_impossible(ctx, ctx.state[who.id])
    names = [
        row if isinstance(row, str) else row["name"] for rows in given.values() for row in rows
    ]
    ctx.text = f"{who.name} now has {listed(names, 'and')}"


def _add(ctx: Context, who: str, stat: str, rows: list[Any]) -> None:
    """Items join those of their name; other rows take their place; words are added.

    Who puts on armour takes off what they wore; shields are as many as there are.
    """
    if stat == sheet.ITEMS:
        for row in rows:
            hands.give(ctx, who, Item(**row))
        return
    new = [_named(row) for row in rows]
    puts_on = stat == sheet.ARMOR and any(map(_is_worn, rows))
    have = [row for row in _rows_of(ctx.state[who], stat) if _named(row) not in new]
    kept = [row for row in have if not (puts_on and _is_worn(row))]
    ctx.emit(Adjusted(who, stat, [*kept, *rows]))


def _rows_of(who: Combatant, stat: str) -> list[Any]:
    """A list of the sheet: words, and tables with a name. A log may be edited by hand."""
    rows = who.stats.get(stat)
    return [row for row in rows if _named(row)] if isinstance(rows, list) else []


def _named(row: Any) -> str:
    name = row.get("name") if isinstance(row, dict) else row
    return hyphened(name) if isinstance(name, str) else ""


def _is_worn(armor: Any) -> bool:
    return isinstance(armor, dict) and armor.get("kind") != sheet.SHIELD


def _drop(ctx: Context, words: Words) -> None:
    """`drop NAME THING [xN]`: an item, all of it unless it is said, a weapon or armour."""
    who = words.combatant("who lays something down")
    items = hands.by_id(who)
    worn = (sheet.ARMOR, sheet.ATTACKS)
    others = {_named(row): stat for stat in worn for row in _rows_of(who, stat)}
    name = words.choice("something of theirs", (*items, *others))
    if name in items:
        item = items[name]
        count = sheet.read_count(words, item.count)
        if count > item.count:
            raise Refused(f"{who.name} has {item.count} of {item.name}, not {count}")
        left = item.count - count
        hands.rewrite(ctx, who.id, replace(item, count=left, hand=min(item.hand, left)))
    else:
        rows = [row for row in _rows_of(who, others[name]) if _named(row) != name]
        ctx.emit(Adjusted(who.id, others[name], rows))
        hands.lay_down(ctx, who.id, name)
    ctx.text = f"{who.name} no longer has {name}"


def _loadout(ctx: Context, words: Words) -> None:
    who = words.combatant("whose loadout")
    if ctx.state.phase == "combat" or who.used(FOUGHT, "rest"):
        raise Refused(
            f"{who.name}'s loadout is changed in a rest; `retrieve` brings things to hand"
        )
    words.offered += ("1", "2") if words.done else ()
    if words.take(hands.HAND):
        _choose_items(ctx, words, who)
    else:
        _choose_weapons(ctx, words, who)
    gear.refuse_in_hand(ctx, ctx.state[who.id])
    ctx.text = f"{who.name} changes their loadout"


def _choose_items(ctx: Context, words: Words, who: Combatant) -> None:
    """What is at hand from now on, and nothing else."""
    items = {name: replace(item, hand=0) for name, item in hands.by_id(who).items()}
    known = {name: item.name for name, item in items.items()}
    words.offered += known if words.done else ()
    while not words.done:
        name, count = hands.read_thing(words, known, "an item of theirs")
        item = items[hyphened(name)]
        items[hyphened(name)] = replace(item, hand=item.hand + count)
    hands.keep(ctx, who.id, sheet.ITEMS, [*items.values()])


def _choose_weapons(ctx: Context, words: Words, who: Combatant) -> None:
    have = list(sheet.loadouts_of(who))
    which = words.number("which loadout, or `hand`", 1, gear.MOST_LOADOUTS)
    known = [*gear.weapons_of(who), *gear.shields_of(who)]
    first = str(words.next("a weapon or focus", known))
    words.offered += known if words.done else ()
    second = "" if words.done else str(words.next("what the other hand holds"))
    is_drawn = have[which - 1].drawn if which <= len(have) else not have
    have[which - 1 : which] = [sheet.Loadout(first, second, is_drawn)]
    hands.keep(ctx, who.id, sheet.LOADOUTS, have)


def told(who: Combatant) -> dict[str, str]:
    """What somebody wears, holds and carries, in words, by stat; nothing of who has none."""
    have = sheet.loadouts_of(who)
    drawn = gear.loadout_in_hand(who)
    items = sheet.items_of(who)
    held = gear.held_by(who)
    hand = [gear.several(item.name, item.hand) for item in items if item.hand] + held
    left = [(i.name, i.count - i.hand - (hyphened(i.name) in held)) for i in items]
    stowed = [gear.several(name, count) for name, count in left if count > 0]
    away = [str(each) for each in have if each is not drawn]
    worn = [each.name for each in gear.protecting(who) if each.ac and each.kind != sheet.SHIELD]
    return {
        sheet.ARMOR: f"Wears {listed(worn, 'and')}" if worn else "",
        sheet.LOADOUTS: _rows(("In hand", [str(drawn)] if drawn else ["nothing"]), ("away", away)),
        sheet.ITEMS: _rows(("At hand", hand), ("stowed", stowed)),
        sheet.HELD: "",
    }


def _rows(*rows: tuple[str, Sequence[str]]) -> str:
    said = " · ".join(f"{label} {', '.join(names)}" for label, names in rows if names)
    return said[:1].upper() + said[1:]


def fight_ended(ctx: Context) -> None:
    """Who has fought changes no loadout before the next rest."""
    for who in filter(gear.keeps_gear, ctx.state.combatants):
        ctx.emit(Used(who.id, FOUGHT, "rest"))


VERBS = (
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
