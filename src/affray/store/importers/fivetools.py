"""A bestiary in the shape that 5etools uses: lists of monsters, and text with tags in braces."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from affray.core.rules.imported_creature import (
    SKILL_ABILITIES,
    ImportedCreature,
    ImportedFeature,
    Sort,
    ability_modifier,
)
from affray.store.importers import ImportContents, import_each, leftovers, name_value, stat_block
from affray.store.importers.feature_text import legendary_actions, parse_features
from affray.store.importers.stat_block import types_of
from affray.store.importers.typed_fields import Count, Misfits, Number, Text, read_fields
from affray.store.importers.values import (
    ABILITIES,
    ABILITY_LONG,
    Table,
    first_value,
    rows_of,
    to_clean_text,
    to_int,
    to_list,
    to_one_line,
    to_proficiency,
    to_table,
    to_tables,
    to_words,
)

# -------------------------------------------------------------------------------------------------
# A monster may be a copy of another, with changes to lists and texts: `"_copy": {"name": "Marsh
# Crab", "source": "OWN", "_mod": {"action": {"mode": "removeArr", "names": "Claw"}}}`.

Key = tuple[str, str]
DEEPEST = 8
"""How many copies may lead from one to another."""
MOST_LETTERS, MOST_CHOICES = 200, 12
"""The most letters of a change's pattern, and the most `|` in it."""
TEXTS = ("trait", "action", "bonus", "reaction", "legendary", "mythic", "spellcasting")
"""The fields in which a change of all texts is made."""


def expand_copies(rows: list[Table]) -> tuple[list[Table], list[str]]:
    """Complete rows that are copies by their originals.

    Returns the rows, and a line for each missing original and each change that is not understood.
    """
    originals = {_key(row): row for row in rows}
    complete: list[Table] = []
    left: list[str] = []
    for row in rows:
        whole = _copied(row, originals, left)
        complete += [whole] if whole is not None else []
    return complete, left


def _key(row: Mapping[str, Any]) -> Key:
    return to_one_line(row.get("name")).casefold(), to_one_line(row.get("source")).casefold()


def _copied(
    row: Table, originals: dict[Key, Table], left: list[str], depth: int = 0
) -> Table | None:
    """The row completed by its original; None if that is missing."""
    if "_copy" not in row:
        return row
    of, name = to_table(row["_copy"]), to_one_line(row.get("name"))
    original = originals.get(_key(of))
    if original is None or original is row or depth > DEEPEST:
        whose = f"{to_one_line(of.get('name'))} ({to_one_line(of.get('source'))})"
        why = "which is not in the file" if original is None else "which is itself a copy of it"
        left.append(f"{name}: a copy of {whose}, {why}")
        return None
    base = _copied(original, originals, left, depth + 1)
    if base is None:
        return None
    merged = base | {key: value for key, value in row.items() if key != "_copy"}
    for template in to_tables(of.get("_templates")):
        left.append(
            f"{name}: the template {to_one_line(template.get('name'))}, which affray does not apply"
        )
    for field, changes in to_table(of.get("_mod")).items():
        for change in changes if isinstance(changes, list) else [changes]:
            if not _change(merged, field, change):
                left.append(
                    f"{name}: a change to the copy that affray does not understand: "
                    f"{_change_text(change)}"
                )
    return merged


def _change_text(change: Any) -> str:
    return to_one_line(to_table(change).get("mode") or change) or "without a name"


def _change(row: Table, field: str, change: Any) -> bool:
    """Make one change of a copy; False if it is not understood."""
    if change == "remove":
        row.pop(field, None)
        return True
    edit = to_table(change)
    number = _NUMBERS.get(str(edit.get("mode")))
    if number is not None:
        return number(row, edit)
    if edit.get("mode") == "replaceTxt":
        if not _can_be_replaced(edit):
            return False
        fields = [name for name in TEXTS if name in row] if field in ("*", "_") else [field]
        row |= {name: _replaced(row.get(name), edit) for name in fields}
        return True
    listing = _LISTS.get(str(edit.get("mode")))
    if listing is None:
        return False
    items = edit.get("items")
    new = items if isinstance(items, list) else [items] if items is not None else []
    old = row.get(field)
    row[field] = listing(old if isinstance(old, list) else [], new, edit)
    return True


def _more_to_tag(tag: str) -> Callable[[Table, Table], bool]:
    """Add to all numbers of a tag: `{@hit 5}`; False if that is not understood."""

    def change(result: Table, edit: Table) -> bool:
        more = to_int(edit.get("scalar"))
        if more is None:
            return False
        pattern = re.compile(rf"(\{{@{tag} )(-?\d{{1,3}})\b")

        def added(text: str) -> str:
            return pattern.sub(lambda match: f"{match[1]}{int(match[2]) + more}", text)

        result |= {name: _changed(result[name], added) for name in TEXTS if name in result}
        return True

    return change


def _changed(value: Any, change: Callable[[str], str], depth: int = 0) -> Any:
    """The value with a change of all texts in it."""
    if isinstance(value, str):
        return change(value)
    if depth > DEEPEST:
        return value
    if isinstance(value, list):
        return [_changed(each, change, depth + 1) for each in value]
    if isinstance(value, dict):
        return {key: _changed(each, change, depth + 1) for key, each in value.items()}
    return value


def _added(field: str) -> Callable[[Table, Table], bool]:
    """Add saves or skills that the file gives in proficiency bonuses; False if not understood."""

    def change(result: Table, edit: Table) -> bool:
        own = {**to_table(result.get(field))}
        for name, times in to_table(edit.get(f"{field}s")).items():
            ability = name if field == "save" else SKILL_ABILITIES.get(name, "")
            score = to_int(result.get(ability), 0, 99)
            if score is None:
                return False
            bonus = (to_int(times, 0, 2) or 0) * to_proficiency(result.get("cr"))
            own[name] = f"{ability_modifier(score) + bonus:+d}"
        result[field] = own
        return True

    return change


def _added_senses(result: Table, edit: Table) -> bool:
    given = edit.get("senses")
    new = to_tables(given if isinstance(given, list) else [given])
    old = [to_one_line(each) for each in to_list(result.get("senses"))]
    for each in new:
        sense = to_one_line(each.get("type"))
        far = to_int(each.get("range"), 1)
        old = [text for text in old if not (sense and text.casefold().startswith(sense))]
        old += [f"{sense} {far} ft."] if sense and far else []
    result["senses"] = old
    return bool(new)


def _set(result: Table, edit: Table) -> bool:
    name = edit.get("prop")
    if not isinstance(name, str) or "." in name:
        return False
    result[name] = edit.get("value")
    return True


_NUMBERS: dict[str, Callable[[Table, Table], bool]] = {
    "scalarAddHit": _more_to_tag("hit"),
    "scalarAddDc": _more_to_tag("dc"),
    "addSaves": _added("save"),
    "addSkills": _added("skill"),
    "addSenses": _added_senses,
    "setProp": _set,
}


def _can_be_replaced(edit: Table) -> bool:
    """True for a replacement of texts whose pattern can't search for ever."""
    old, new = edit.get("replace"), edit.get("with")
    if not isinstance(old, str) or not isinstance(new, str) or set("*+?{") & set(old):
        return False
    return len(old) <= MOST_LETTERS and old.count("|") <= MOST_CHOICES and _is_pattern(old)


def _is_pattern(text: str) -> bool:
    try:
        re.compile(text)
    except re.error:
        return False
    return True


def _replaced(value: Any, edit: Table) -> Any:
    """The value with words replaced in all of its texts."""
    how = re.IGNORECASE if "i" in str(edit.get("flags")) else 0
    return _changed(value, lambda t: re.sub(edit["replace"], lambda _: edit["with"], t, flags=how))


# -- changes of lists ------------------------------------------------------------------------------


def _is_named(each: Any, names: Any) -> bool:
    """True if an entry has a name, or one of several."""
    wanted = names if isinstance(names, list) else [names]
    return (each.get("name") if isinstance(each, dict) else each) in wanted


def _inserted(old: list[Any], new: list[Any], edit: Table) -> list[Any]:
    at = edit.get("index")
    place = at if isinstance(at, int) else len(old)
    return [*old[:place], *new, *old[place:]]


def _in_place(old: list[Any], new: list[Any], edit: Table) -> list[Any]:
    """Put new entries in place of the one that `replace` names or counts, or else at the end."""
    names = edit.get("replace")
    place = to_table(names).get("index")
    if isinstance(place, int) and 0 <= place < len(old):
        return [*old[:place], *new, *old[place + 1 :]]
    at = next((place for place, each in enumerate(old) if _is_named(each, names)), None)
    return [*old, *new] if at is None else [*old[:at], *new, *old[at + 1 :]]


def _with_name(each: Any, renames: Any) -> Any:
    """An entry with its new name, where it gets one."""
    for row in to_tables(renames if isinstance(renames, list) else [renames]):
        if isinstance(each, dict) and each.get("name") == row.get("rename"):
            return {**each, "name": row.get("with")}
    return each


_LISTS: dict[str, Callable[[list[Any], list[Any], Table], list[Any]]] = {
    "appendArr": lambda old, new, _: [*old, *new],
    "prependArr": lambda old, new, _: [*new, *old],
    "appendIfNotExistsArr": lambda old, new, _: [*old, *(each for each in new if each not in old)],
    "insertArr": _inserted,
    "replaceArr": _in_place,
    "replaceOrAppendArr": _in_place,
    "removeArr": lambda old, new, values: [
        e for e in old if e not in new and not _is_named(e, values.get("names"))
    ],
    "renameArr": lambda old, _, values: [_with_name(each, values.get("renames")) for each in old],
}

# -------------------------------------------------------------------------------------------------
# The fields of a monster.

Words = list[str] | str | None


class Rating(Struct, frozen=True):
    cr: Number


class HitPoints(Struct, frozen=True):
    average: Number = None
    special: Text = None
    formula: Text = None


class Armour(Struct, frozen=True, rename={"worn": "from"}):
    ac: Number = None
    special: Text = None
    worn: list[str] | None = None


class Initiative(Struct, frozen=True):
    """Initiative as a number, or the multiple of proficiency added to Dexterity."""

    initiative: Count = None
    proficiency: Count = None


class Choice(Struct, frozen=True):
    choose: list[str]


class Tag(Struct, frozen=True):
    tag: str


class Kind(Struct, frozen=True):
    """A type of creature: `{"type": "humanoid", "tags": ["goblinoid"]}`."""

    type: str | Choice
    tags: list[str | Tag] | None = None


class Alignments(Struct, frozen=True):
    """One of several alignments, or one in words: `{"special": "as its host"}`."""

    alignment: list[str] | None = None
    special: Text = None


class Item(Struct, frozen=True):
    item: str
    quantity: Count = None


class Harm(Struct, frozen=True, rename="camel"):
    """Types of damage, or conditions, that count sometimes, with what the file says of them."""

    special: Text = None
    pre_note: Text = None
    note: Text = None
    resist: list[str | Harm] | None = None
    immune: list[str | Harm] | None = None
    vulnerable: list[str | Harm] | None = None
    condition_immune: list[str | Harm] | None = None


class Entry(Struct, frozen=True):
    name: Text = None
    entries: list[Any] | str | None = None


class SpellLevel(Struct, frozen=True):
    slots: Count = None
    lower: Count = None
    spells: list[Any] | None = None


class Spellcasting(Struct, frozen=True, rename="camel"):
    """Lists of spells. Of those with uses the keys say how often: `{"1e": [...]}` is once each."""

    name: Text = None
    header_entries: list[Any] | str | None = None
    constant: list[Any] | None = None
    will: list[Any] | None = None
    daily: dict[str, list[Any]] | None = None
    rest: dict[str, list[Any]] | None = None
    rest_long: dict[str, list[Any]] | None = None
    spells: dict[str, SpellLevel] | None = None
    footer_entries: list[Any] | str | None = None


class Monster(Harm, frozen=True, rename="camel"):
    """A monster; what is in `Harm` are fields of its own as well.

    stats  by the names of abilities, which are fields of their own
    """

    name: Text = None
    source: Text = None
    size: Words = None
    type: Kind | str | None = None
    alignment: list[str | Alignments] | None = None
    cr: Rating | Number = None
    level: Number = None
    hp: HitPoints | Number = None
    initiative: Initiative | Count = None
    ac: list[Armour | Number] | Number = None
    speed: Table | Number = None
    stats: dict[str, Number] = {}
    save: Table | str | None = None
    skill: Table | str | None = None
    senses: Words = None
    passive: Number = None
    languages: Words = None
    gear: list[str | Item] | str | None = None
    environment: Words = None
    treasure: Words = None
    group: Words = None
    fluff: Any = None
    trait: list[Entry] | None = None
    action: list[Entry] | None = None
    bonus: list[Entry] | None = None
    reaction: list[Entry] | None = None
    legendary: list[Entry] | None = None
    mythic: list[Entry] | None = None
    variant: list[Entry] | None = None
    legendary_actions: Count = None
    legendary_header: list[Any] | str | None = None
    spellcasting: list[Spellcasting] | None = None


LISTS: dict[str, Sort] = {
    "trait": "trait",
    "action": "action",
    "bonus": "bonus",
    "reaction": "reaction",
    "legendary": "legendary",
    "mythic": "mythic",
}
_TAG = re.compile(r"\{@(\w+) ?([^{}]*)\}")

DAMAGE = ("resist", "immune", "vulnerable")
TOLD = ("environment", "treasure", "group")
"""The fields of a monster in words."""


def matches(data: Any) -> bool:
    """True if it is such a file, a list of such monsters, or one."""
    return any(map(_is_monster, rows_of(data, "monster")[:20]))


def import_data(data: Any) -> ImportContents:
    """Its monsters; the report names those that are copies of another file's."""
    is_list = isinstance(data, dict) and "monster" in data
    living = {"name", "hp"}
    rows = [
        r for r in rows_of(data, "monster") if _is_monster(r) or (is_list and living <= r.keys())
    ]
    found, left = expand_copies([each for row in rows for each in (row, *_versions(row))])
    given = data.get("monster") if isinstance(data, dict) else data
    others = len(given) - len(rows) if isinstance(given, list) else 0
    if others:
        what = "is not a monster" if others == 1 else "are not monsters"
        left.append(f"{others} in the list {what}")
    return import_each(found, _creature, name_value) + ImportContents(left=tuple(left))


def _versions(row: Table) -> Iterator[Table]:
    """The versions of a monster in its entry, as copies of it: each by itself, or one filled in
    several times."""
    of = {"name": row.get("name"), "source": row.get("source")}
    words: Table = {}

    def filled(text: str) -> str:
        return re.sub(r"\{\{(\w+)\}\}", lambda m: to_one_line(words.get(m[1])) or m[0], text)

    for given in to_tables(row.get("_versions")):
        abstract = to_table(given.get("_abstract"))
        for each in to_tables(given.get("_implementations")) if abstract else [given]:
            words = to_table(each.get("_variables"))
            own = _changed(abstract, filled) | {k: v for k, v in each.items() if k != "_variables"}
            changes = own.pop("_mod", None)
            yield {**own, "_copy": {**of, "_mod": changes} if changes else of, "_versions": None}


def _is_monster(row: Table) -> bool:
    return (("_copy" in row and "name" in row) or {"hp", "ac", "str"} <= row.keys()) and not (
        {"stats", "statblock", "system"} & row.keys()
    )


def strip_tags(value: Any) -> str:
    """Entries as text, with tags as a reader sees them."""
    return to_clean_text(untagged("\n".join(_lines(value))))


def untagged(text: str) -> str:
    """The text without tags: `{@hit 6}` becomes +6, most others their displayed words."""
    for _ in range(4):  # a tag may hold another
        found = _TAG.sub(_shown, text)
        if found == text:
            return found
        text = found
    return text


_ATTACKS = {"m": "Melee", "r": "Ranged", "mw": "Melee Weapon", "rw": "Ranged Weapon",
            "ms": "Melee Spell", "rs": "Ranged Spell"}  # fmt: skip


_FIXED = {
    "h": "Hit: ", "m": "Miss: ", "hom": "Hit or Miss: ", "actSaveFail": "Failure:",
    "actSaveSuccess": "Success:", "actSaveSuccessOrFail": "Failure or Success:",
    "actTrigger": "Trigger:", "actResponse": "Response:",
}  # fmt: skip


def _shown(match: re.Match[str]) -> str:
    tag, inner = match[1], match[2]
    parts = inner.split("|")
    if tag in _FIXED:
        return _FIXED[tag]
    if tag == "hitYourSpellAttack":
        return parts[0] or "your spell attack modifier"
    if tag in ("atk", "atkr"):
        kinds = [_ATTACKS.get(kind.strip(), "") for kind in inner.split(",")]
        if len(kinds) == 2:
            return f"Melee or {kinds[1]} Attack:"
        return f"{kinds[0]} Attack{' Roll' if tag == 'atkr' else ''}:".strip()
    if tag == "hit":
        return f"+{parts[0].lstrip('+')}" if not parts[0].startswith("-") else parts[0]
    if tag == "dc":
        return f"DC {parts[0]}"
    if tag == "recharge":
        return f"(Recharge {parts[0] or 6})"
    if tag == "actSave":
        return f"{ABILITY_LONG.get(parts[0], parts[0])} Saving Throw:"
    if len(parts) > 2 and parts[-1]:
        return parts[-1]
    return parts[0]


def _lines(value: Any, depth: int = 0) -> Iterator[str]:
    if isinstance(value, str | int | float):
        yield str(value)
    elif isinstance(value, list) and depth < 12:
        for each in value:
            yield from _lines(each, depth + 1)
    elif isinstance(value, dict) and depth < 12:
        name = to_one_line(value.get("name"))
        inner = [value.get(key) for key in ("entries", "items", "entry", "rows")]
        text = "\n".join(line for each in inner for line in _lines(each, depth + 1))
        yield f"{name.rstrip('.:')}. {text}" if name else text


def _creature(row: Table) -> ImportedCreature:
    misfits: Misfits = {}
    scores = {name: row.get(name) for name in ABILITIES}
    own = read_fields({**row, "stats": scores}, Monster, misfits)
    given = first_value(own.ac)
    armour = given if isinstance(given, Armour) else Armour(given)
    life = own.hp if isinstance(own.hp, HitPoints) else HitPoints(own.hp)
    worn = ", ".join(strip_tags(each) for each in armour.worn or () if each)
    gear = to_words(own.gear) if isinstance(own.gear, str) else map(_item, own.gear or ())
    rating = own.cr.cr if isinstance(own.cr, Rating) else own.cr
    creature = stat_block.parse_stat_block(
        {
            "name": own.name,
            "source": own.source,
            "size": first_value(own.size),
            "type": _type(own.type),
            "alignment": _alignment(own.alignment),
            "cr": rating,
            "level": own.level,
            "hp": life.special if life.average is None else life.average,
            "hit_dice": life.formula,
            "initiative": _initiative(own, rating),
            "ac": armour.special if armour.ac is None else armour.ac,
            "speed": own.speed,
            "stats": own.stats,
            "saves": own.save,
            "skillsaves": own.skill,
            "senses": own.senses,
            "passive_perception": own.passive,
            "languages": own.languages,
            "condition_immunities": [
                strip_tags(each) for each in _flat(own.condition_immune, "condition_immune")
            ],
            **stat_block.harm_fields(_types(getattr(own, key), key) for key in DAMAGE),
            "armour": worn or strip_tags(armour.special),
            "gear": ", ".join(filter(None, gear)),
            **{key: ", ".join(to_words(getattr(own, key) or [])) for key in TOLD},
            "description": strip_tags(own.fluff if isinstance(own.fluff, str) else ""),
        },
        game="5e",
    )
    return replace(
        creature,
        features=tuple(_features(own)),
        in_words=creature.in_words | leftovers.unread(misfits),
    )


def _item(given: str | Item) -> str:
    """A thing that it carries, `javelin (5)`."""
    named = given.item if isinstance(given, Item) else given
    count = to_int(given.quantity, 2) if isinstance(given, Item) else None
    name = to_one_line(named).partition("|")[0]
    return f"{name} ({count})" if count else name


def _type(value: Kind | str | None) -> str:
    if not isinstance(value, Kind):
        return to_one_line(value)
    tags = [to_one_line(tag.tag if isinstance(tag, Tag) else tag) for tag in value.tags or ()]
    kind = value.type.choose if isinstance(value.type, Choice) else value.type
    text = ", ".join(to_words(kind))
    return f"{text} ({', '.join(tags)})" if tags else text


def _alignment(found: Sequence[str | Alignments] | None) -> str:
    """`["L", "E"]` is lawful evil; if there are several, with their chances, each."""
    given = found or ()
    letters = [ALIGNMENTS[each] for each in given if isinstance(each, str) and each in ALIGNMENTS]
    others = [
        _alignment(each.alignment) or to_one_line(each.special)
        for each in given
        if isinstance(each, Alignments)
    ]
    return " ".join(letters) or " or ".join(filter(None, others))


ALIGNMENTS = {
    "L": "lawful", "N": "neutral", "NX": "neutral", "NY": "neutral", "C": "chaotic", "G": "good",
    "E": "evil", "U": "unaligned", "A": "any alignment",
}  # fmt: skip


def _initiative(own: Monster, rating: Number) -> int | None:
    """The initiative as a number; None without any."""
    given = own.initiative
    if not isinstance(given, Initiative):
        return to_int(given, -50, 99)
    if given.initiative is not None:
        return to_int(given.initiative, -50, 99)
    dexterity = ability_modifier(to_int(own.stats.get("dex"), 1, 99) or 10)
    return dexterity + (to_int(given.proficiency, 0, 2) or 0) * to_proficiency(rating)


def _types(given: list[str | Harm] | None, key: str) -> tuple[list[str], str]:
    """Types that count always; those that count sometimes stay with what the file says of them."""
    plainly, prose = types_of([each for each in given or () if isinstance(each, str)])
    more = [prose] if prose else []
    for each in given or ():
        if isinstance(each, str):
            continue
        note = to_one_line(each.pre_note)
        words = (note, ", ".join(_flat(getattr(each, key), key)), strip_tags(each.note))
        text = to_one_line(each.special) or " ".join(filter(None, words))
        found, rest = types_of(text) if each.pre_note is None else ([], text)
        plainly += found
        more += [rest] if rest else []
    return list(dict.fromkeys(plainly)), "; ".join(more)


def _flat(given: list[str | Harm] | None, key: str) -> list[str]:
    found: list[str] = []
    for each in given or ():
        found += [each] if isinstance(each, str) else _flat(getattr(each, key), key)
    return found


def _features(own: Monster) -> Iterator[ImportedFeature]:
    for key, sort in LISTS.items():
        for each in getattr(own, key) or ():
            yield from parse_features(
                untagged(to_one_line(each.name)), strip_tags(each.entries), sort
            )
    for each in own.variant or ():
        yield from parse_features(each.name or "Variant", strip_tags(each.entries), "trait")
    yield from legendary_actions(own.legendary_actions, strip_tags(own.legendary_header))
    for casts in own.spellcasting or ():
        lines = [
            strip_tags(casts.header_entries),
            *_spell_lines(casts),
            strip_tags(casts.footer_entries),
        ]
        yield from parse_features(
            casts.name or "Spellcasting", "\n".join(filter(None, lines)), "trait"
        )


_OFTEN = {"daily": "day", "rest": "rest", "rest_long": "long rest"}
"""The names of lists of spells with uses -> the period of the uses."""


def _spell_lines(row: Spellcasting) -> Iterator[str]:
    for names, head in ((row.constant, "Constant"), (row.will, "At will")):
        if names:
            yield f"{head}: {_spell_names(names)}"
    for key, per in _OFTEN.items():
        for often, names in (getattr(row, key) or {}).items():
            each = " each" if often.endswith("e") else ""
            yield f"{often.rstrip('e')}/{per}{each}: {_spell_names(names)}"
    for level, of in (row.spells or {}).items():
        slots, lower = to_int(of.slots, 1), to_int(of.lower, 1, 9)
        head = f"{lower}-{level} level ({slots} level-{level} slots)" if lower and slots else ""
        head = head or (f"Level {level} ({slots} slots)" if slots else f"Level {level}")
        head = "Cantrips (at will)" if level == "0" else head
        yield f"{head}: {_spell_names(of.spells)}"


def _spell_names(names: Any) -> str:
    """Spells with commas between them; one may be a table, with what it is called in `entry`."""
    return ", ".join(filter(None, (strip_tags(each) for each in to_list(names))))
