"""A combatant's own numbers: what `add` understands, the tracks that come of it, how it is told;
and rows of gear that a campaign adds.

The structs that a sheet is made of are in `sheet`.

Seed 004: Abilities, Proficiencies, Hit Points, Fatigue & Exhaustion, Threads of Fate, Senses.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.state import Combatant, Kind, Track
from affray.core.language import arguments
from affray.core.language.declared import Reading
from affray.core.language.ids import hyphened
from affray.core.language.refusal import Refused, signed
from affray.core.language.words import Words
from affray.core.rules.checking import check_all_known, check_bounds, check_dice
from affray.core.rules.gear import Weight
from affray.core.rules.tables import Tables
from affray.rulekit import moments, powers, recorded, sheets
from affray.rulekit.recorded import SIZES
from affray.rulekit.sheets import Given, Row, Sheet
from affray.rulesets.monsters_and_magic import bonds, gear, sheet, totals
from affray.rulesets.monsters_and_magic.sheet import are_ids, attacks_of, cantrips_of

SENSES = ("low-light", "darkvision", "tremorsense", "blindsight", "truesight")
"""What each of them does, the tables say (`economy.senses`, `economy.finds`)."""
LISTS = ("resist", "vulnerable", "immune")


def _gear(row: Row, table: str = "", several: bool = False) -> Row:
    """The row of a sheet, for what may go by the id of a row of a `table`, which says what isn't
    said here. Commas part the ids of several such rows; with `several`, any names."""

    def reads(reading: Reading, word: str) -> list[dict[str, Any]]:
        rows: Mapping[str, Struct] = getattr(reading.ctx.tables, table) if table else {}
        [said] = row.reads(reading, word)
        first, named = next(iter(said.items()))
        has_several = several or are_ids(named, rows)
        names = [name.strip() for name in named.split(",")] if has_several else [named]
        kept = []
        for name in names:
            usual = rows.get(hyphened(name))
            kept.append((to_builtins(usual) if usual else {}) | said | {first: name})
        return kept

    return replace(row, reads=reads)


GEAR_ROWS = (
    _gear(sheets.attacks("attack", sheet.Attack, "attack NAME DICE TYPE ..."), "weapons"),
    _gear(sheets.attacks("armor", sheet.Armor, stat=sheet.ARMOR), "armor"),
    _gear(sheets.attacks("item", sheet.Item, stat=sheet.ITEMS), "items", several=True),
    sheets.attacks("spells", sheet.Cantrip, stat=sheet.SPELLS),
    sheets.attacks("talent", sheet.Talent, stat=sheet.TALENTS),
    sheets.lists(sheet.PROFICIENT, what="a kind of weapon or armour after {}", usage=""),
)
"""What `gear` gives to somebody who is here, as `add` does."""
ROWS = (
    sheets.hit_points(),
    sheets.numbers("ac", low=-20),
    *sheets.only_of(
        "pc",
        sheets.numbers(*totals.ABILITIES, low=-20),
        sheets.numbers("pb", low=0),
        sheets.numbers("spell", low=-20, usage=""),
        sheets.tracks("threads", "xp", usage=""),
    ),
    *sheets.only_of("monster", sheets.numbers("cr", low=0), sheets.flags("important", usage="")),
    *sheets.only_of("hazard", sheets.numbers("init")),
    sheets.numbers("speed", low=0),
    sheets.tracks("fatigue", "exhaustion", usage="[fatigue N] [exhaustion N]"),
    sheets.numbers(sheet.GOLD, low=0, high=999_999, usage=""),
    _gear(sheets.attacks("loadout", sheet.Loadout, stat=sheet.LOADOUTS), several=True),
    sheets.kinds(*LISTS, usage=""),
    sheets.flags("trained", usage=""),
    sheets.lengths(*totals.WAYS, *SENSES, usage=""),
    sheets.argument("size", arguments.choice("a size", SIZES), usage=""),
    *GEAR_ROWS,
    powers.on_sheets(
        sheet.POWERS,
        sheet.Power,
        "[powers NAME [ap N] [reaction] [uses N [per fight|rest|day]] [thread] [text TEXT]]",
        sheet.POWERS,
    ),
    moments.ROW,
    sheets.attacks("bond", bonds.Bond, '[bond NAME N ["SENTENCE"]]', bonds.BONDS),
    sheets.attacks(bonds.REPUTATION, bonds.Standing, "[reputation GROUP N]", bonds.REPUTATION),
)
"""What `add` understands."""
ALIKE = {"tier": "pb"}
"""Other words for the same: PB is 1 in the first tier of play, and 1 more in each further."""


def create(ctx: Context, words: Words, kind: str) -> tuple[dict[str, Any], dict[str, Track]]:
    """Stats and tracks from the words behind a name. Raises Refused for what is wrong."""
    said = sheets.read(ctx, words, ROWS, ALIKE)
    if kind != "hazard":
        sheets.require_hp(words, said)
    stats = _defaults(ctx, kind) | said.stats
    loadouts = stats.get(sheet.LOADOUTS, [])
    if loadouts and not any(row.get("drawn") for row in loadouts):
        loadouts[0]["drawn"] = True
    gear.refuse_impossible(ctx, Combatant("", "the sheet", "party", cast(Kind, kind), stats))
    return stats, _tracks(ctx, kind, said)


def _defaults(ctx: Context, kind: str) -> dict[str, Any]:
    """The numbers of somebody of whom nothing is said. A character's PB starts at 1."""
    if kind == "hazard":  # it has a body only where something is said of one
        return {}
    own = dict.fromkeys((*totals.ABILITIES, "spell"), 0) | {"pb": 1} if kind == "pc" else {"cr": 0}
    return {"ac": 0, "speed": int(ctx.tables.economy["speed"])} | own


def _tracks(ctx: Context, kind: str, said: Sheet) -> dict[str, Track]:
    given, economy = said.tracks, ctx.tables.economy
    if "hp" not in given:
        return {}
    tracks = {"hp": given["hp"].left, "temp_hp": Track(0)}
    for name in ("ap", "reaction"):
        tracks[name] = Track(economy[name], economy[name])
    for name in ("fatigue", "exhaustion"):
        tracks[name] = given.get(name, Given(None, economy[name])).marked
    if kind == "pc":
        threads = said.stats.get("pb", 1)
        had = given["threads"].max if "threads" in given else threads
        tracks["threads"] = Track(min(had, threads), threads)
        tracks["xp"] = Track(given["xp"].max if "xp" in given else 0)
    if kind == "pc" or said.stats.get("important"):
        tracks["deathsaves"] = Track(0, economy["deathsaves"])
    return tracks


# -- what is told of them --------------------------------------------------------------------------


def told(who: Combatant) -> dict[str, str]:
    """The lists of a sheet in words, by stat; nothing of those that are empty."""
    known = sheet.talents_of(who).values()
    talents = [f"{each.name} {signed(sheet.talent_bonus(who, each))}" for each in known]
    lists = {
        bonds.BONDS: ("Bonds", [*map(str, bonds.bonds_of(who))]),
        bonds.REPUTATION: ("Reputation", [*map(str, bonds.standings_of(who))]),
        sheet.SPELLS: ("Knows", [*map(str, cantrips_of(who))]),
        sheet.TALENTS: ("Talents", talents),
    }
    attacks = recorded.attacks_told(sheet.ATTACKS, map(recorded.in_words, attacks_of(who)))
    said = {stat: f"{label} {'; '.join(rows)}" for stat, (label, rows) in lists.items() if rows}
    return attacks | said


def weapons_of(who: Combatant) -> list[str]:
    """The names of its attacks that can be made now, its usual one first."""
    return [attack.name for attack in attacks_of(who) if gear.is_ready(who, attack)]


def spells_of(who: Combatant) -> list[str]:
    """The names of its spells: those it attacks with, and those it knows the price of, plain and
    with each charm."""
    found = [attack.name for attack in attacks_of(who) if attack.is_spell]
    for known in cantrips_of(who):
        found += [known.name, *(f"{known.name}, {charm.name}" for charm in known.charms)]
    return list(dict.fromkeys(found))


# -- rows of gear that a campaign adds -------------------------------------------------------------

MOST, MOST_FEET = 99, 9_999


def check_gear(tables: Tables, more: Tables) -> None:
    """Raises Refused, in one line, for the first of a campaign's rows that says what can't be."""
    for name, armor in more.armor.items():
        where = f"[armor.{name}]"
        check_all_known(f"{where} kind", (armor.kind,), tables.economy[sheet.ARMOR])
        check_bounds(f"{where} ac", armor.ac, 0, MOST)
        _weighs(where, armor.weight)
    conditions = sheet.names_of(tables, "condition")
    for name, weapon in more.weapons.items():
        where = f"[weapons.{name}]"
        if weapon.dice or sheet.FOCUS not in weapon.tags:
            check_dice(f"{where} dice", weapon.dice)
        check_all_known(f"{where} tags", weapon.tags, sheet.TAGS)
        check_all_known(f"{where} inflicts", weapon.inflicts, conditions)
        check_bounds(f"{where} range", weapon.range, 0, MOST_FEET)
        _weighs(where, weapon.weight)
    for name, item in more.items.items():
        check_bounds(f"[items.{name}] ap", item.ap, 0, sheet.MOST_AP)
        _weighs(f"[items.{name}]", item.weight)


def _weighs(where: str, weight: Weight) -> None:
    if isinstance(weight, int) and abs(weight) > MOST:
        raise Refused(f"{where} weight: must be from {-MOST} to {MOST}, or light, not {weight}")
