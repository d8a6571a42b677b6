"""Characters of D&D Beyond: the answer of its character service, as other tools save it.

Its file has no totals: scores, HP, AC and bonuses are sums of its modifiers, as the site adds them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from affray.core.rules.imported_creature import (
    SKILL_ABILITIES,
    ImportedCreature,
    ImportedSpell,
    ImportedSpells,
    ability_modifier,
    proficiency,
)
from affray.store.importers import ImportContents, import_each, name_value, stat_block
from affray.store.importers.arithmetic import computed
from affray.store.importers.feature_text import first_save
from affray.store.importers.values import (
    ABILITIES,
    ABILITY_NAMES,
    SENSES,
    SIZES,
    Table,
    get_path,
    to_clean_text,
    to_int,
    to_one_line,
    to_table,
    to_tables,
)

DAMAGE = (
    "", "bludgeoning", "piercing", "slashing", "necrotic", "acid", "cold", "fire", "lightning",
    "thunder", "poison", "psychic", "radiant", "force",
)  # fmt: skip
CONDITIONS = (
    "", "blinded", "charmed", "deafened", "exhaustion", "frightened", "grappled", "incapacitated",
    "invisible", "paralyzed", "petrified", "poisoned", "prone", "restrained", "stunned",
    "unconscious",
)  # fmt: skip
"""By the numbers that the file has for them."""
SIZES_BY_NUMBER = ("", "", *SIZES)
WAYS = {
    "walk": "walking",
    "fly": "flying",
    "swim": "swimming",
    "climb": "climbing",
    "burrow": "burrowing",
}
LISTS = {1: "actions", 3: "bonus_actions", 4: "reactions"}
"""The kinds of activation -> the lists of a stat block; any other is a trait."""
RESTS = {1: "Short Rest", 2: "Day"}
SLOTS = (
    "2", "3", "42", "43", "432", "433", "4331", "4332", "43331", "43332", "433321", "433321",
    "4333211", "4333211", "43332111", "43332111", "433321111", "433331111", "433332111",
    "433332211",
)  # fmt: skip
"""The slots of a caster, by its level: `42` is four of the first level and two of the second."""
LIGHT, MEDIUM, SHIELD = 1, 2, 4
"""The kinds of armour."""
WARLOCK = "Warlock"


def matches(data: Any) -> bool:
    """True if it is a character, by itself or as the service answers."""
    return bool(_rows(data))


def import_data(data: Any) -> ImportContents:
    return import_each(_rows(data), _character, name_value)


def _rows(data: Any) -> list[Table]:
    rows = data if isinstance(data, list) else [data]
    inner = (to_table(row).get("data") or row for row in rows)
    return [row for row in map(to_table, inner) if {"baseHitPoints", "classes"} <= row.keys()]


class _Sheet(Struct, frozen=True):
    """A character with the modifiers that count: its own, and those of what it wears."""

    row: Table
    modifiers: list[Table]
    items: list[Table]
    level: int
    scores: dict[str, int] = {}

    @property
    def classes(self) -> list[Table]:
        return to_tables(self.row.get("classes"))

    @property
    def features(self) -> Iterator[tuple[Table, Table]]:
        """Each feature of its classes, behind its class."""
        for each in self.classes:
            yield from ((each, feature) for feature in to_tables(each.get("classFeatures")))

    @property
    def pb(self) -> int:
        return proficiency(self.level)

    def bonus_of(self, ability: str) -> int:
        return ability_modifier(self.scores.get(ability, 10))

    def has(self, kind: str, what: str) -> bool:
        return any(True for _ in _of(self.modifiers, kind, what))

    def sum_of(self, *what: str) -> int:
        found = (m for name in what for m in _of(self.modifiers, "bonus", name))
        return sum(self.value_of(m) for m in found)

    def value_of(self, modifier: Mapping[str, Any]) -> int:
        """Its number, or the modifier of the ability that it names."""
        number = to_int(modifier.get("value", modifier.get("fixedValue")), -99, 99)
        ability = _ability(modifier.get("statId"))
        return number if number is not None else self.bonus_of(ability) if ability else 0

    def trained(self, *what: str) -> int:
        """The part of the proficiency bonus that a roll gets."""
        if any(self.has("expertise", name) for name in what):
            return self.pb * 2
        if any(self.has("proficiency", name) for name in what):
            return self.pb
        half = any(self.has("half-proficiency", name) for name in what)
        up = any(self.has("half-proficiency-round-up", name) for name in what)
        return (self.pb + 1) // 2 if up else self.pb // 2 if half else 0


def _of(modifiers: list[Table], kind: str, what: str) -> Iterator[Table]:
    """The modifiers of a kind for something, without those for some case alone."""
    for row in modifiers:
        if (row.get("type"), row.get("subType")) == (kind, what) and not row.get("restriction"):
            yield row


def _word(words: Sequence[str], number: Any) -> str:
    at = to_int(number, 0, len(words) - 1)
    return words[at] if at is not None else ""


def _ability(number: Any) -> str:
    return _word(("", *ABILITIES), number)


def _sheet(row: Table) -> _Sheet:
    inventory = to_tables(row.get("inventory"))
    worn = [each for each in inventory if each.get("equipped")]
    active = (
        to_table(i.get("definition"))
        for i in worn
        if i.get("isAttuned") or not get_path(i, "definition", "canAttune")
    )
    own = (rows for source, rows in to_table(row.get("modifiers")).items() if source != "item")
    modifiers = [m for rows in own for m in to_tables(rows)]
    modifiers += [m for each in active for m in to_tables(each.get("grantedModifiers"))]
    levels = (to_int(each.get("level"), 1, 20) or 0 for each in to_tables(row.get("classes")))
    sheet = _Sheet(row, modifiers, [to_table(i.get("definition")) for i in worn], sum(levels))
    return replace(sheet, scores=_scores(sheet))


def _scores(sheet: _Sheet) -> dict[str, int]:
    given = {
        field: {
            _ability(each.get("id")): each.get("value") for each in to_tables(sheet.row.get(field))
        }
        for field in ("stats", "bonusStats", "overrideStats")
    }
    found = {}
    for ability, name in zip(ABILITIES, ABILITY_NAMES, strict=True):
        score, more, fixed = (to_int(each.get(ability), 0, 30) for each in given.values())
        if score is None:
            continue
        set_to = (sheet.value_of(m) for m in _of(sheet.modifiers, "set", f"{name}-score"))
        total = max([score + (more or 0) + sheet.sum_of(f"{name}-score"), *set_to])
        found[ability] = total if fixed is None else fixed
    return found


def _character(row: Table) -> ImportedCreature:
    sheet = _sheet(row)
    most = _hit_points(sheet)
    body = next((i for i in sheet.items if to_int(i.get("armorTypeId"), 1, 3)), None)
    lists: dict[str, list[dict[str, str]]] = {}
    for field, name, text in (*_weapons(sheet), *_actions(sheet)):
        lists.setdefault(field, []).append({"name": name, "desc": text})
    harm = {kind: [*_kinds(sheet, kind)] for kind in ("resistance", "immunity", "vulnerability")}
    unhindered = stat_block.conditions_of(harm["immunity"])
    creature = stat_block.parse_stat_block(
        {
            "name": row.get("name"),
            "image": get_path(row, "decorations", "avatarUrl"),
            "size": _word(SIZES_BY_NUMBER, get_path(row, "race", "sizeId")),
            "type": ", ".join(filter(None, (_race(row), *_classes(sheet)))),
            "level": sheet.level or None,
            "pb": sheet.pb,
            "hp": most,
            "ac": _armour_class(sheet, body),
            "initiative": sheet.bonus_of("dex")
            + sheet.sum_of("initiative")
            + sheet.trained("initiative", "ability-checks"),
            "speed": _speeds(sheet, body),
            "stats": sheet.scores,
            "saves": dict(_saves(sheet)),
            "skillsaves": dict(_skills(sheet)),
            "senses": dict(_senses(sheet)),
            "passive_perception": _passive_perception(sheet),
            "languages": sorted(
                {
                    to_one_line(m.get("friendlySubtypeName"))
                    for m in sheet.modifiers
                    if m.get("type") == "language"
                }
                - {""}
            ),
            "damage_resistances": harm["resistance"],
            "damage_immunities": [k for k in harm["immunity"] if k not in unhindered],
            "damage_vulnerabilities": harm["vulnerability"],
            "condition_immunities": [*unhindered],
            **lists,
        },
        pc=True,
        game="5e",
    )
    left = None if most is None else max(most - (to_int(row.get("removedHitPoints"), 0) or 0), 0)
    words = {what: text for what, text in _in_words(sheet) if text}
    return replace(creature, hp_left=left, casts=_spells(sheet), in_words=creature.in_words | words)


def _race(row: Table) -> str:
    return to_one_line(get_path(row, "race", "fullName") or get_path(row, "race", "baseName"))


def _classes(sheet: _Sheet) -> Iterator[str]:
    for each in sheet.classes:
        subclass = to_one_line(get_path(each, "subclassDefinition", "name"))
        name = f"{to_one_line(get_path(each, 'definition', 'name'))} {each.get('level')}"
        yield f"{name} ({subclass})" if subclass else name


def _hit_points(sheet: _Sheet) -> int | None:
    base, bonus, fixed = (
        to_int(sheet.row.get(f"{name}HitPoints")) for name in ("base", "bonus", "override")
    )
    if fixed or base is None:
        return fixed
    each = sheet.bonus_of("con") + sheet.sum_of("hit-points-per-level")
    return base + (bonus or 0) + each * sheet.level + sheet.sum_of("hit-points")


def _armour_class(sheet: _Sheet, body: Table | None) -> int:
    set_by_hand = {
        v.get("typeId"): to_int(v.get("value"), -20, 50)
        for v in to_tables(sheet.row.get("characterValues"))
    }
    if (fixed := set_by_hand.get(1)) is not None:
        return fixed
    dexterity = sheet.bonus_of("dex")
    if body is None:
        own = (sheet.value_of(m) for m in _of(sheet.modifiers, "set", "unarmored-armor-class"))
        dexterity = 0 if sheet.has("ignore", "unarmored-dex-ac-bonus") else dexterity
        total = 10 + dexterity + max([0, *own])
    else:
        kind, most = (
            body.get("armorTypeId"),
            3 if sheet.has("set", "ac-max-dex-armored-modifier") else 2,
        )
        more = dexterity if kind == LIGHT else min(dexterity, most) if kind == MEDIUM else 0
        total = (to_int(body.get("armorClass"), 0, 40) or 10) + more
    total += sum(
        to_int(i.get("armorClass"), 0, 9) or 0
        for i in sheet.items
        if i.get("armorTypeId") == SHIELD
    )
    total += sum(set_by_hand.get(kind) or 0 for kind in (2, 3))
    how = "armored" if body is not None else "unarmored"
    return total + sheet.sum_of("armor-class", f"{how}-armor-class")


def _speeds(sheet: _Sheet, body: Table | None) -> dict[str, int]:
    usual = to_table(get_path(sheet.row, "race", "weightSpeeds", "normal"))
    found = {way: to_int(usual.get(way), 0, 999) or 0 for way in WAYS}
    for way, name in WAYS.items():
        for m in _of(sheet.modifiers, "set", f"innate-speed-{name}"):
            found[way] = max(found[way], sheet.value_of(m) or found["walk"])
    more = sheet.sum_of("speed", *(() if body else ("unarmored-movement",)))
    found["walk"] += more
    return {way: far for way, far in found.items() if far}


def _saves(sheet: _Sheet) -> Iterator[tuple[str, int]]:
    for ability, name in zip(ABILITIES, ABILITY_NAMES, strict=True):
        named = f"{name}-saving-throws"
        more = sheet.trained(named) + sheet.sum_of(named, "saving-throws")
        if more and ability in sheet.scores:
            yield ability, sheet.bonus_of(ability) + more


def _skills(sheet: _Sheet) -> Iterator[tuple[str, int]]:
    for skill, ability in SKILL_ABILITIES.items():
        name = skill.replace(" ", "-")
        more = sheet.trained(name, "ability-checks") + sheet.sum_of(name, "ability-checks")
        if more:
            yield skill, sheet.bonus_of(ability) + more


def _passive_perception(sheet: _Sheet) -> int:
    total = dict(_skills(sheet)).get("perception", sheet.bonus_of("wis"))
    advantage = 5 if sheet.has("advantage", "perception") else 0
    return 10 + total + advantage + sheet.sum_of("passive-perception")


def _senses(sheet: _Sheet) -> Iterator[tuple[str, int]]:
    for number, sense in enumerate(SENSES, 1):
        own = [
            sheet.value_of(m)
            for kind in ("set-base", "set", "sense")
            for m in _of(sheet.modifiers, kind, sense)
        ]
        own += [
            to_int(each.get("distance"), 0, 999) or 0
            for each in to_tables(sheet.row.get("customSenses"))
            if each.get("senseId") == number
        ]
        if far := max(own, default=0):
            yield sense, far


def _kinds(sheet: _Sheet, kind: str) -> Iterator[str]:
    for each in sheet.modifiers:
        if each.get("type") == kind and not each.get("restriction"):
            yield to_one_line(each.get("subType")).replace("-", " ")


# -- what it can do: a list of a stat block, a name, and a sentence as stat blocks have it ---------


def _monk_die(sheet: _Sheet) -> str:
    dice = (
        to_one_line(get_path(feature, "levelScale", "dice", "diceString"))
        for _, feature in sheet.features
        if get_path(feature, "definition", "name") == "Martial Arts"
    )
    return next(filter(None, dice), "")


def _weapons(sheet: _Sheet) -> Iterator[tuple[str, str, str]]:
    martial = _monk_die(sheet)
    for item in sheet.items:
        dice = to_one_line(get_path(item, "damage", "diceString"))
        if item.get("filterType") != "Weapon" or not dice:
            continue
        notes = {
            to_one_line(p.get("name")): to_one_line(p.get("notes"))
            for p in to_tables(item.get("properties"))
        }
        is_ranged, is_monks = item.get("attackType") == 2, martial and item.get("isMonkWeapon")
        both = (sheet.bonus_of("str"), sheet.bonus_of("dex"))
        own = max(both) if "Finesse" in notes or is_monks else both[is_ranged]
        granted = to_tables(item.get("grantedModifiers"))
        magic = sum(sheet.value_of(m) for m in _of(granted, "bonus", "magic"))
        how = "ranged" if is_ranged else "melee"
        category = _word(("", "simple-weapons", "martial-weapons"), item.get("categoryId"))
        named = re.sub(r"\W+", "-", to_one_line(item.get("type")).casefold())
        trained = sheet.trained(category, named)
        bonus = own + trained + magic + sheet.sum_of(f"{how}-weapon-attacks", "weapon-attacks")
        far = f"range {item.get('range')}/{item.get('longRange')} ft."
        reach = f"reach {10 if 'Reach' in notes else 5} ft."
        if not is_ranged and "Thrown" in notes:
            how, where = "melee or ranged", f"{reach} or {far}"
        else:
            where = far if is_ranged else reach
        kind = to_one_line(item.get("damageType")).casefold()
        dice = max(dice, martial if is_monks else "", key=_largest)
        hit = f"{_with(dice, own + magic)} {kind} damage"
        if two := notes.get("Versatile"):
            hit += f", or {_with(two, own + magic)} {kind} damage if used with two hands"
        for m in granted:
            more = get_path(m, "dice", "diceString")
            if m.get("type") == "damage" and more and not m.get("restriction"):
                hit += f", plus {more} {m.get('subType')} damage"
        head = f"{how.capitalize()} Weapon Attack: {bonus:+d} to hit, {where}, one target."
        yield "actions", to_one_line(item.get("name")), f"{head} Hit: {hit}."


def _largest(dice: str) -> int:
    found = re.fullmatch(r"(\d+)d(\d+)", dice)
    return int(found[1]) * int(found[2]) if found else 0


def _with(dice: str, more: int) -> str:
    return f"{dice}{more:+d}" if more else dice


def _actions(sheet: _Sheet) -> Iterator[tuple[str, str, str]]:
    more = max((sheet.value_of(m) for m in _of(sheet.modifiers, "set", "extra-attacks")), default=0)
    if more > 0:
        yield "traits", "Multiattack", f"The character makes {more + 1} attacks."
    groups = to_table(sheet.row.get("actions")).values()
    for row in (each for group in groups for each in to_tables(group)):
        field = LISTS.get(to_int(get_path(row, "activation", "activationType")) or 0, "traits")
        words = _filled(sheet, row, to_clean_text(row.get("snippet") or row.get("description")))
        parts = ["" if first_save(words) else _roll(sheet, row, words), words]
        name, times = to_one_line(row.get("name")), _times(sheet, row.get("limitedUse"))
        if times > 0:
            rest = to_int(get_path(row, "limitedUse", "resetType")) or 0
            name += f" ({times}/{RESTS.get(rest, 'Day')})"
            used = to_int(get_path(row, "limitedUse", "numberUsed"), 1)
            parts += [f"{used} used."] if used else []
        yield field, name, " ".join(filter(None, parts))


_PLACE = re.compile(r"\{\{([^{}]*)\}\}")
"""The place of a number in a text: `{{savedc:con}}`, `{{classlevel*5#unsigned}}`."""
_PART = re.compile(r"([a-z]+)(?::(\w+))?")
_LEAST = re.compile(r"\bmin:(\d+)")


def _filled(sheet: _Sheet, row: Table, text: str) -> str:
    """An action's text with its numbers; a place without one keeps its words."""
    return _PLACE.sub(lambda place: _sum(sheet, row, place[1]), text)


def _sum(sheet: _Sheet, row: Table, formula: str) -> str:
    """The value of `modifier:cha+1@min:1#signed`, rounded down unless `@roundup`."""
    words, _, how = formula.partition("#")
    words, _, bounds = words.partition("@")
    text = _PART.sub(lambda part: str(_number(sheet, row, part[1], part[2] or "")), words)
    value = computed(text)
    if not isinstance(value, int | float):
        return text.strip("()")
    number = math.ceil(value) if "roundup" in bounds else math.floor(value)
    if (least := _LEAST.search(bounds)) is not None:
        number = max(number, int(least[1]))
    return f"{number:+d}" if how == "signed" else str(number)


def _number(sheet: _Sheet, row: Table, what: str, ability: str) -> int | str:
    if what == "savedc":
        return 8 + sheet.pb + sheet.bonus_of(ability)
    if what == "modifier":
        return sheet.bonus_of(ability)
    if what == "limiteduse":
        return _times(sheet, row.get("limitedUse"))
    if what in ("scalevalue", "classlevel"):
        return _of_its_class(sheet, row, what)
    return {"proficiency": sheet.pb, "characterlevel": sheet.level}.get(what, what)


def _of_its_class(sheet: _Sheet, row: Table, what: str) -> int | str:
    """The level of the class that an action is of, or the number that grows with it."""
    for each, feature in sheet.features:
        if get_path(feature, "definition", "id") == row.get("componentId"):
            scale = to_table(feature.get("levelScale"))
            grows = get_path(scale, "dice", "diceString") or scale.get("fixedValue") or what
            return to_one_line(each.get("level") if what == "classlevel" else grows)
    return sheet.level if what == "classlevel" else what


def _roll(sheet: _Sheet, row: Table, text: str) -> str:
    """The attack or the save of an action, as a sentence."""
    by = _ability(row.get("abilityModifierStatId"))
    is_monks = row.get("isMartialArts") is True
    own = max(sheet.bonus_of("str"), sheet.bonus_of("dex")) if is_monks else sheet.bonus_of(by)
    kind = _word(DAMAGE, row.get("damageTypeId"))
    dice = to_one_line(get_path(row, "dice", "diceString"))
    dice = dice or (_monk_die(sheet) if is_monks else "") or to_one_line(row.get("value"))
    if saved := _ability(row.get("saveStatId")):
        dc = to_int(row.get("fixedSaveDc"), 1, 40) or 8 + sheet.pb + sheet.bonus_of(by)
        half = f"{to_one_line(row.get('saveSuccessDescription'))} {text}".casefold()
        asks = f"The target must make a DC {dc} {saved.capitalize()} saving throw"
        if not dice:
            return f"{asks}."
        less = ", or half as much damage on a successful one" if "half" in half else ""
        return f"{asks}, taking {dice} {kind} damage on a failed save{less}."
    if row.get("attackTypeRange") not in (1, 2) or not (row.get("displayAsAttack") and dice):
        return ""
    bonus = own + (sheet.pb if row.get("isProficient") else 0)
    reach, far = get_path(row, "range", "range"), get_path(row, "range", "longRange")
    if row["attackTypeRange"] == 2:
        how, where = "Ranged", f"range {reach or 30}{f'/{far}' if far else ''} ft."
    else:
        how, where = "Melee", f"reach {reach or 5} ft."
    return (
        f"{how} Weapon Attack: {bonus:+d} to hit, {where}, one target. "
        f"Hit: {_with(dice, own) if 'd' in dice else int(dice) + own} {kind} damage."
    )


def _times(sheet: _Sheet, limit: Any) -> int:
    """The uses that something has; 0 for no limit."""
    row = to_table(limit)
    times = to_int(row.get("maxUses"), 0, 99) or 0
    times += sheet.bonus_of(by) if (by := _ability(row.get("statModifierUsesId"))) else 0
    return times + (sheet.pb if row.get("useProficiencyBonus") else 0)


# -- spells ----------------------------------------------------------------------------------------


def _spells(sheet: _Sheet) -> ImportedSpells | None:
    casters = [*_casters(sheet)]
    found: dict[str, ImportedSpell] = {}
    for row, prepares in _spell_rows(sheet):
        name = to_one_line(get_path(row, "definition", "name"))
        level = to_int(get_path(row, "definition", "level"), 0, 9)
        times = _times(sheet, row.get("limitedUse"))
        is_ready = row.get("prepared") or row.get("alwaysPrepared") or not prepares or not level
        is_rest = get_path(row, "limitedUse", "resetType") == 1
        found.setdefault(
            name,
            ImportedSpell(
                name,
                level,
                slot=bool(level and row.get("usesSpellSlot") and not times),
                uses=max(times, 0),
                per="rest" if is_rest else "day",
                note="" if is_ready else "not prepared",
            ),
        )
    if not found:
        return None
    ability = next(filter(None, (_ability(c.get("spellCastingAbilityId")) for c in casters)), "")
    own = sheet.pb + sheet.bonus_of(ability) if ability else None
    return ImportedSpells(
        tuple(found.values()),
        _slots([each for each in casters if each.get("name") != WARLOCK]),
        pact=next(
            (_pact(each["level"]) for each in casters if each.get("name") == WARLOCK), (0, 0)
        ),
        ability=ability,
        dc=None if own is None else 8 + own + sheet.sum_of("spell-save-dc"),
        bonus=None if own is None else own + sheet.sum_of("spell-attacks"),
    )


def _spell_rows(sheet: _Sheet) -> Iterator[tuple[Table, bool]]:
    """Each spell, and whether its class prepares spells. Those of items are cast by charges."""
    classes = {each.get("id"): each for each in sheet.classes}
    for each in to_tables(sheet.row.get("classSpells")):
        by = classes.get(to_int(each.get("characterClassId")))
        prepares = get_path(by, "definition", "spellPrepareType") is not None
        yield from ((row, prepares) for row in to_tables(each.get("spells")))
    for source, rows in to_table(sheet.row.get("spells")).items():
        yield from ((row, False) for row in to_tables(rows) if source != "item")


def _casters(sheet: _Sheet) -> Iterator[Table]:
    for each in sheet.classes:
        for field in ("definition", "subclassDefinition"):
            if get_path(each, field, "canCastSpells"):
                yield {**to_table(each[field]), "level": to_int(each.get("level"), 1, 20) or 1}
                break


def _pact(level: int) -> tuple[int, int]:
    """The slots of a warlock of a level, and their own level."""
    count = 1 if level == 1 else 2 if level < 11 else 3 if level < 17 else 4
    return count, min((level + 1) // 2, 5)


def _slots(casters: list[Table]) -> tuple[int, ...]:
    """The slots of each level: of one class by its own table, of several by the sum of their
    levels, each divided as its rules say."""
    table = get_path(casters[0], "spellRules", "levelSpellSlots") if len(casters) == 1 else None
    if isinstance(table, list) and len(table) > casters[0]["level"]:
        own = [to_int(n, 0, 9) or 0 for n in table[casters[0]["level"]]]
        return tuple(own[: max((at for at, n in enumerate(own, 1) if n), default=0)])
    level = 0
    for each in casters:
        by = to_int(get_path(each, "spellRules", "multiClassSpellSlotDivisor"), 1, 9) or 1
        up = get_path(each, "spellRules", "multiClassSpellSlotRounding") == 2
        level += -(-each["level"] // by) if up else each["level"] // by
    return tuple(map(int, SLOTS[min(level, len(SLOTS)) - 1])) if level else ()


# -- the rest, in words ----------------------------------------------------------------------------


def _in_words(sheet: _Sheet) -> Iterator[tuple[str, str]]:
    row = sheet.row
    features = [
        feature
        for each, feature in sheet.features
        if (to_int(get_path(feature, "definition", "requiredLevel")) or 0)
        <= (to_int(each.get("level")) or 0)
    ]
    features += to_tables(get_path(row, "race", "racialTraits"))
    yield "features", _names([*features, *to_tables(row.get("feats"))])
    inventory = to_tables(row.get("inventory"))
    yield "carries", _names(each for each in inventory if not _is_at_hand(each))
    yield "spells of items", _names(to_tables(get_path(row, "spells", "item")))
    conditions = to_tables(row.get("conditions"))
    words = (f"{_word(CONDITIONS, c.get('id'))} {c.get('level') or ''}" for c in conditions)
    yield "conditions", ", ".join(filter(None, map(str.strip, words)))
    yield "temporary HP", to_one_line(row.get("temporaryHitPoints") or "")
    slots = [each for field in ("spellSlots", "pactMagic") for each in to_tables(row.get(field))]
    used = (f"{n} of level {s.get('level')}" for s in slots if (n := to_int(s.get("used"), 1)))
    yield "spell slots used", ", ".join(used)


def _is_at_hand(item: Table) -> bool:
    return bool(item.get("equipped")) and get_path(item, "definition", "filterType") == "Weapon"


def _names(rows: Iterable[Table]) -> str:
    """The names of things, each once, with their number."""
    found = {to_one_line(get_path(each, "definition", "name")): each for each in rows}
    counts = {name: to_int(each.get("quantity"), 2) for name, each in found.items() if name}
    return ", ".join(f"{name} x{n}" if n else name for name, n in counts.items())
