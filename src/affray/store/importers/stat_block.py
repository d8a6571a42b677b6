"""A stat block of 5e with its fields under plain names, which nearly all formats are brought into.

Notes and lists have these names already. The reader of another format maps its fields to them,

    {"name": row.get("Name"), "hp": get_path(row, "HP", "Value"), ...}

and each value may be in any of the forms in which it is usually written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec.structs import replace

from affray.core.dice import parse_dice
from affray.core.rules.imported_creature import (
    ImportedCreature,
    ImportedFeature,
    Sort,
    ability_modifier,
)
from affray.store.importers import leftovers
from affray.store.importers.attack_text import DAMAGE_TYPES
from affray.store.importers.condition_text import CONDITIONS
from affray.store.importers.feature_text import features_of, parse_features
from affray.store.importers.values import (
    ABILITIES,
    ABILITY_NAMES,
    SIZES,
    Table,
    by_ability,
    first_value,
    hovers,
    passive_perception,
    to_bonuses,
    to_challenge,
    to_clean_text,
    to_dice,
    to_int,
    to_ints,
    to_one_line,
    to_positive,
    to_senses,
    to_size,
    to_speeds,
    to_table,
    to_words,
    without_forms,
)

__all__ = ["parse_stat_block"]

# -------------------------------------------------------------------------------------------------
# Resistances, vulnerabilities and immunities: lists of types, or sentences about them.

_BROKEN = re.compile(
    r"\b(?:from|damage|non-?magic(?:al)?|weapons?|attacks?|that|made|while|except|in |but for)",
    re.I,
)
_MUNDANE = re.compile(
    r"(?:\b(?:and )?(?P<kinds>(?:(?:bludgeoning|piercing|slashing),? (?:(?:and|or) )?){1,3})"
    r"(?:damage )?(?:dealt |caused |made )?(?:from|but for|of|by|with|that (?:is|are)) |^"
    r"|\bdamage (?:from|fron) )"
    r"(?:non-?\s?magical|mgc\b|non-?magic (?:b/p/s|bludgeoning, piercing,? and slashing)\b)",
    re.IGNORECASE,
)
"""What weapons deal which are not magical: all of it, or those of its types that are named."""
_NOT_MAGICAL = re.compile(r"(attacks|weapons) that (?:aren['’]t|are not) magical$", re.I)
_KINDS = re.compile(r"(?: (?:and |or )?(?:bludgeoning|piercing|slashing),?){1,3}", re.IGNORECASE)
_OF_A_KIND = re.compile(r"silver|adamant|cold iron|\bsil\b|\bada\b|\baren|not made|wield", re.I)
"""That some mundane weapons are no such."""
_SENTENCE = re.compile(
    r"^(?:the|a|an) [\w' -]+ is (?:vulnerable|resistant|immune) to (?=\w+ damage$)", re.I
)
_SOME_ONLY = re.compile(
    r"[^()]+\((?:[^()]* )?only\b[^()]*\)|[^(),:]{8,}: [^:]+|one of .*", re.IGNORECASE
)
"""A group of types that somebody has in some case alone: `acid, fire (only in its ethereal form)`,
`while wearing the mask: acid, cold`, `one of acid, cold, or fire`."""
MUNDANE = "mundane"
_OF_WEAPONS = ("bludgeoning", "piercing", "slashing")


def types_of(value: Any) -> tuple[list[str], str]:
    """Split a text on damage into plain types, and sentences that say more than a type.

    `fire, cold; bludgeoning, piercing, and slashing from nonmagical attacks` is fire, cold and
    `mundane`, for all weapons that are not magical. Other conditions, and exceptions from mundane
    weapons, stay sentences. The text may be a list that was split at commas.
    """
    groups = value if isinstance(value, list) else str(value or "").split(";")
    texts = [label for each in groups if (label := to_one_line(each))]
    if isinstance(value, list) and any(text.startswith("and ") for text in texts):
        texts = [", ".join(texts)]
    plain: list[str] = []
    prose: list[str] = []
    for text in texts:
        if _SOME_ONLY.fullmatch(text):
            prose.append(text)
            continue
        found, rest = _split(_SENTENCE.sub("", text.strip(" .")))
        plain += found
        prose += [rest] if rest else []
    return list(dict.fromkeys(plain)), "; ".join(prose)


def _split(text: str) -> tuple[list[str], str]:
    parts = [re.sub(r"^(?:and|or) ", "", part) for part in to_words(text.casefold())]
    parts = [each for part in parts for each in ([part] if "(" in part else part.split(" and "))]
    kinds = [part.removesuffix(" damage") for part in parts]
    if all(part in DAMAGE_TYPES for part in kinds):
        return kinds, ""
    if not _BROKEN.search(text):
        words_of_one = [part for part in kinds if part.removeprefix(f"{MUNDANE}-").isalpha()]
        return words_of_one, ", ".join(part for part in kinds if part not in words_of_one)
    text = re.sub(r"\bb/p/s\b", "bludgeoning, piercing, and slashing", text, flags=re.IGNORECASE)
    text = _NOT_MAGICAL.sub(r"nonmagical \1", text)
    plain, prose = _before_the_sentence(text)
    found = _MUNDANE.search(prose)
    if found is not None:
        listed = _KINDS.match(prose, found.end())
        named = (found["kinds"] or (listed[0] if listed else "")).casefold()
        end = listed.end() if listed else found.end()
        kinds = [kind for kind in _OF_WEAPONS if kind in named]
        every = len(kinds) in (0, len(_OF_WEAPONS))
        rest, further = _behind_weapons(prose[end:])
        plain += [MUNDANE] if every else [f"{MUNDANE}-{kind}" for kind in kinds]
        plain += [*_types_before(prose[: found.start()]), *further]
        prose = f"{prose[:end]}{rest}"
        prose = prose if _OF_A_KIND.search(prose) or _says_more(prose) else ""
    return plain, prose


def _types_before(text: str) -> list[str]:
    """Types of damage before a sentence on weapons, `slashing, cold, and `."""
    words = re.split(r",| and ", text.casefold())
    return [word for each in words if (word := each.strip()) in DAMAGE_TYPES]


def _behind_weapons(text: str) -> tuple[str, list[str]]:
    """Split what stands behind a sentence on weapons, ` weapons, cold and fire`, into what goes on
    with it, and types and conditions, which aren't of weapons."""
    head, *listed = re.split(r"(,| and )(?![^(]*\))", text)
    rest, further = head, []
    for mark, part in zip(listed[::2], listed[1::2], strict=True):
        word = part.strip().removeprefix("and ").casefold()
        if word in DAMAGE_TYPES or word in CONDITIONS:
            further.append(word)
        else:
            rest += f"{mark}{part}"
    return rest, further


def _says_more(prose: str) -> bool:
    """True if the text says more than mundane weapons: `..., Demonic Resilience`."""
    found = _MUNDANE.search(prose)
    listed = _KINDS.match(prose, found.end()) if found else None
    rest = prose[listed.end() :] if listed else _MUNDANE.sub("", prose, count=1)
    return bool(re.search(r",|;|\bwhile\b|\bin \b|\(", rest))


def _before_the_sentence(text: str) -> tuple[list[str], str]:
    """`acid, cold, and bludgeoning from nonmagical attacks`: weapons' types belong to the rest."""
    parts = to_words(text)
    plain: list[str] = []
    prose: list[str] = []
    for at, part in enumerate(parts):
        if part.partition(" (")[0].casefold() in DAMAGE_TYPES and part.endswith(")"):
            prose.append(part)  # `radiant (in day form)`
        elif part.casefold() not in DAMAGE_TYPES or part.casefold() in _OF_WEAPONS:
            prose += parts[at:]
            break
        else:
            plain.append(part.casefold())
    return plain, ", ".join(prose)


def conditions_of(value: Any) -> tuple[str, ...]:
    """Return the conditions to which a creature is immune, by the file's names."""
    text = to_one_line(value)
    is_for_some = _SOME_ONLY.fullmatch(text) is not None
    words: Iterable[str] = (
        [text] if is_for_some else value if isinstance(value, list) else to_words(value)
    )
    found = (to_one_line(each).casefold() for each in words)
    return tuple(dict.fromkeys(part for word in found for part in _apart(word) if part))


def _apart(word: str) -> list[str]:
    """Conditions between which a comma lacks: `frightened paralyzed`."""
    parts = word.split()
    return parts if all(part in CONDITIONS for part in parts) else [word]


LISTS: dict[str, Sort] = {
    "traits": "trait",
    "actions": "action",
    "bonus_actions": "bonus",
    "reactions": "reaction",
    "legendary_actions": "legendary",
    "mythic_actions": "mythic",
    "lair_actions": "lair",
    "triggered_actions": "reaction",
    "nastier_traits": "trait",
}
OTHER_GAMES = {"pd", "md", "mook"}
"""Fields that another game's layouts have."""
KNOWN = {
    "name", "size", "type", "subtype", "alignment", "ac", "hp", "hit_dice", "speed", "stats",
    "saves", "skillsaves", "damage_vulnerabilities", "damage_resistances", "damage_immunities",
    "condition_immunities", "senses", "languages", "cr", "source", "level", "role", "initiative",
    "modifier", "pb", "pd", "md", "fort", "ref", "will", "description", "flavor_text", "player",
    "passive_perception", "max_hp",
    *LISTS,
}  # fmt: skip
SHOWN_ELSEWHERE = {
    "statblock", "layout", "image", "image_style", "monster", "creature", "note", "columns", "dice",
    "render", "tags", "aliases", "cssclass", "cssclasses", "extends", "path", "mtime", "bestiary",
    "columnwidth", "forcecolumns",
}  # fmt: skip
"""Fields that are about the note, not the creature."""
HARM = {
    "damage_resistances": "resistance, in words",
    "damage_immunities": "immunity, in words",
    "damage_vulnerabilities": "vulnerability, in words",
}
"""Damage that does less, nothing and more -> what is said of it beside its types."""


def parse_stat_block(
    given: Mapping[str, Any], pc: bool = False, game: str | None = None
) -> ImportedCreature:
    """Make the creature of a stat block, whose field names may be spelt in any way.

    Unknown fields are kept as text. A missing initiative is that of Dexterity. `game` is the game
    of the numbers, where the format says it; else the fields tell.
    """
    row = _plainly_named({_field_name(str(key).strip()): value for key, value in given.items()})
    scores, source = _scores(row.get("stats")), row.get("source")
    size, kind = _size_and_type(row)
    kinds = [kind, *(to_one_line(row.get(key)) for key in ("subtype", "alignment"))]
    armour = to_one_line(row.get("ac"))
    harm = {field: types_of(row.get(field)) for field in HARM}
    resist, immune, vulnerable = (tuple(types) for types, _ in harm.values())
    unparsed = {HARM[field]: prose for field, (_, prose) in harm.items()}
    if (worn := _ARMOUR.match(armour)) is not None:
        unparsed["armour"] = f"{worn[1]}{worn[2] or ''}{worn[3]}".strip(" ,;.")
    written = to_one_line(row.get("speed"))
    unparsed |= {} if without_forms(written) == written else {"speed, in words": written}
    unparsed |= {} if size else {"size": to_one_line(row.get("size"))}
    unparsed |= dict(_others(row)) | dict(leftovers.in_words(row))
    owner = _game(row) if game is None else game
    life, lists = _life(row), {name: leftovers.with_fields(row.get(name)) for name in LISTS}
    image = first_value(row.get("image"))
    creature = ImportedCreature(
        name=to_one_line(row.get("name")),
        game=owner,
        kind="pc" if pc or row.get("player") is True else "monster",
        source=", ".join(to_words(source)) if isinstance(source, list) else to_one_line(source),
        size=size,
        picture=image.strip().strip("![]") if isinstance(image, str) else "",
        type=", ".join(filter(None, kinds)),
        cr=to_challenge(row.get("cr")),
        level=to_int(row.get("level"), 0, 99),
        pb=to_int(row.get("pb"), 1, 20),
        role=", ".join(to_words(row.get("role"))),
        hp=life.most,
        hp_left=life.left,
        hp_dice=life.dice,
        ac=to_int(armour, 0),
        defences=to_ints({name: row.get(field) for field, name in DEFENCES.items()}, 0, 99),
        initiative=_initiative(row, scores, owner),
        speeds=to_speeds(row.get("speed")),
        hover=hovers(row.get("speed")),
        abilities=scores,
        saves=by_ability(to_bonuses(row.get("saves"))),
        skills=to_bonuses(row.get("skillsaves")),
        senses=to_senses(row.get("senses")),
        passive_perception=to_int(row.get("passive_perception"), 1, 99)
        or passive_perception(row.get("senses")),
        languages=tuple(to_words(row.get("languages"))),
        resist=resist,
        immune=immune,
        vulnerable=vulnerable,
        unhindered=conditions_of(row.get("condition_immunities")),
        features=(
            *features_of(lists, LISTS),
            *_spellcasting(row.get("spells")),
        ),
        in_words={what: text for what, text in unparsed.items() if text},
        text="\n".join(
            filter(None, (to_clean_text(row.get(k)) for k in ("flavor_text", "description")))
        ),
    )
    return replace(creature, in_words=creature.in_words | _unread(row, creature))


_ARMOUR = re.compile(r"(?:AC\b)?(\D*?)[+]?\d+\s*(?:\(([^()]*)\)\s*$)?(.*)", re.IGNORECASE)
"""An AC, and what stands behind it: `15 (natural armor)`, `12, 15 with mage armor`."""


class _Life(NamedTuple):
    """HP at most and those that are left, if they are known, and dice for HP."""

    most: int | None
    left: int | None
    dice: str


def _life(row: Mapping[str, Any]) -> _Life:
    """Read HP from a number, `22 (4d8 + 4)`, `28/38`, or dice alone, which have their average."""
    text = to_one_line(row.get("hp"))
    dice = to_dice(row.get("hit_dice"))
    inside = to_dice(text.partition("(")[2].partition(")")[0])
    alone, part = to_dice(text), leftovers.part_of(text)
    if most := to_positive(row.get("max_hp")):
        return _Life(most, to_int(row.get("hp"), 0), dice or inside)
    if part is not None:
        return _Life(part[1], part[0], dice or inside)
    if alone:
        return _Life(int(parse_dice(alone).average) or None, None, dice or alone)
    return _Life(to_positive(row.get("hp")), None, dice or inside)


ALIASES = {
    "armor_class": "ac", "armour_class": "ac", "hit_points": "hp", "challenge_rating": "cr",
    "proficiency_bonus": "pb", "skills": "skillsaves", "saving_throws": "saves",
    "resistances": "damage_resistances", "immunities": "damage_immunities",
    "vulnerabilities": "damage_vulnerabilities", "special_abilities": "traits",
    "hit_points_roll": "hit_dice",
}  # fmt: skip
"""What other tools call fields of a stat block."""
_AVERAGE, _FORMULA = ("average", "value", "max"), ("formula", "dice", "roll")


@lru_cache(512)  # each creature of a file has the same fields
def _field_name(key: str) -> str:
    """A field's name in small letters: `armor_class` for `Armor Class` and `armorClass`."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key).casefold()
    name = key.casefold().replace(" ", "_")
    return apart if apart in ALIASES or apart in KNOWN else name


def _plainly_named(row: Table) -> Table:
    """The row with the names of a stat block for fields that other tools call otherwise: abilities
    and their saves in fields of their own, HP as a table of a number and dice."""
    found = {k if (name := ALIASES.get(k, k)) in row else name: v for k, v in row.items()}
    hp, ac = found.get("hp"), first_value(found.get("ac"))
    if isinstance(hp, dict):
        found["hp"] = next((hp[key] for key in _AVERAGE if key in hp), None)
        found.setdefault("hit_dice", next((hp[key] for key in _FORMULA if key in hp), None))
    if isinstance(ac, dict):
        found["ac"] = ac.get("value", ac.get("ac"))
    if "stats" not in found and isinstance(found.get("abilities"), dict):
        found["stats"] = found.pop("abilities")
    for names in (ABILITIES, ABILITY_NAMES):
        if "stats" not in found and all(name in found for name in names):
            own = {name: found.pop(name) for name in names}
            found["stats"] = {
                name: n.get("score", n.get("value")) if isinstance(n, dict) else n
                for name, n in own.items()
            }
            saves = {name: found.pop(f"{name}_save", None) for name in names}
            found.setdefault("saves", saves)
            for name in names:  # which follow from the scores
                found.pop(f"{name}_mod", None)
    return found


def _size_and_type(row: Table) -> tuple[str, str]:
    """Its size, in a field of its own or before its type, and the type without it."""
    kind = to_one_line(row.get("type"))
    first, _, rest = kind.partition(" ")
    size = to_size(row.get("size"))
    if first.casefold() in SIZES and size in ("", first.casefold()):
        return first.casefold(), rest
    return size, kind


def _unread(row: Table, creature: ImportedCreature) -> dict[str, str]:
    """The words of fields in which a number was expected and none could be read."""
    found = {
        "HP": (creature.hp, row.get("hp")),
        "HP dice": (creature.hp_dice or None, row.get("hit_dice")),
        "AC": (creature.ac, row.get("ac")),
        "initiative": (creature.initiative, row.get("initiative", row.get("modifier"))),
        "abilities": (creature.abilities or None, row.get("stats")),
        "level": (creature.level, row.get("level")),
        "proficiency": (creature.pb, row.get("pb")),
        "passive perception": (creature.passive_perception, row.get("passive_perception")),
    }
    unread = {what: given for what, (number, given) in found.items() if number is None}
    if "abilities" in unread:
        unread["abilities"] = " ".join(leftovers.texts_in(unread["abilities"]))
    return {what: text for what, given in unread.items() if (text := to_one_line(given))}


def harm_fields(found: Iterable[tuple[list[str], str]]) -> Table:
    """Make the fields of `HARM` from a pair for each, in its order: (types, other words)."""
    fields: Table = {}
    for (field, beside), (types, prose) in zip(HARM.items(), found, strict=True):
        fields |= {field: types, beside: prose}
    return fields


def _game(row: Table) -> str:
    """The game of the numbers: another game's by its fields or layout, Level Up's by the source,
    else 5e's."""
    layout = to_one_line(row.get("layout"))
    if OTHER_GAMES & row.keys() or (layout and "5e" not in layout and "cr" not in row):
        return "another"
    return "level-up" if "level up" in str(row.get("source")).casefold() else "5e"


def _initiative(row: Table, scores: Mapping[str, int], game: str) -> int | None:
    """Its initiative; without one that of Dexterity, but not in a list of the game that is played
    with fewer than the six abilities, such as STR, DEX and WIL, which have no modifiers."""
    given = row.get("initiative", row.get("modifier"))
    value = None if to_dice(given) else to_int(given, -50, 99)
    if value is None and "dex" in scores and (game or len(scores) == len(ABILITIES)):
        return ability_modifier(scores["dex"])
    return value


def _scores(value: Any) -> dict[str, int]:
    """The ability scores of a list, of a table, or of a text: `10, 14, ...`, `STR 10 (+0) ...`."""
    if isinstance(value, str):
        plain = re.sub(r"\([^()]*\)", "", value)
        named = dict(re.findall(r"([A-Za-z]{3,12})\W{0,3}(\d{1,2})\b", plain))
        value = named or re.findall(r"\d{1,2}", plain)
    if isinstance(value, list):
        if len(value) != len(ABILITIES):
            return {}  # nobody knows whose they are
        return to_ints(dict(zip(ABILITIES, value, strict=True)), 0, 99)
    return to_ints(by_ability(to_table(value)), 0, 99)


DEFENCES = {"fort": "fortitude", "ref": "reflex", "will": "will", "pd": "PD", "md": "MD"}
"""The names of fields -> the defences."""


def _spellcasting(value: Any) -> Iterator[ImportedFeature]:
    """A list of spells in a field of its own: lines, tables with a head each, or a table for one
    spell by its name, which is an action with its own text."""
    rows = value if isinstance(value, list) else []
    own = [each for each in rows if isinstance(each, dict) and {"name", "Name"} & each.keys()]
    yield from features_of({"spells": leftovers.with_fields(own)}, {"spells": "action"})
    lines = [each for each in rows if each not in own]
    text = "\n".join(line for each in lines for line in _spell_lines(each))
    yield from parse_features("Spellcasting", text, "trait") if text else ()


def _spell_lines(value: Any) -> Iterator[str]:
    pairs = value.items() if isinstance(value, Mapping) else [("", value)]
    for head, names in pairs:
        text = ", ".join(to_words(names)) if head else to_clean_text(names)
        yield f"{head}: {text}" if head else text


def _others(row: Table) -> Iterator[tuple[str, str]]:
    """Any other field, which a note may have as it likes."""
    for key, value in row.items():
        is_spells = key == "spells" and isinstance(value, list)
        if key not in KNOWN and key not in SHOWN_ELSEWHERE and not is_spells:
            text = " ".join(leftovers.texts_in(value))
            if text:
                yield key.replace("_", " ").strip()[:40] or "more", text
