"""Make rows of the bestiary from creatures of games on the SRD, whose numbers agree."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import WRITTEN, to_notation
from affray.core.rules.imported_creature import (
    SKILL_ABILITIES,
    ImportedCreature,
    ImportedDamage,
    ImportedFeature,
    ImportResult,
    ability_modifier,
    proficiency,
    unused_fields,
)
from affray.core.rules.tables import Tables
from affray.mechanics import import_creature
from affray.mechanics.import_creature import (
    RowDraft,
    attacks_at_once,
    is_multiattack,
    phrase,
    quoted,
)
from affray.rulesets.srd.sheet import ABILITIES, TAKES as ALL_TAKES, conditions_of, known_to

GAMES = import_creature.FOOT_BY_FOOT
_LENGTHS = (
    "fly", "swim", "climb", "burrow", "darkvision", "blindsight", "tremorsense", "truesight",
)  # fmt: skip
MOST_FEET = 10_000
"""What a length on a sheet is below; a file that says more has a slip, and its text stands."""
ABILITY_OF = SKILL_ABILITIES | {"culture": "int", "engineering": "int"}
"""The ability that stat blocks mean with a skill."""
TAKES = {sort: sort for sort in ALL_TAKES} | dict.fromkeys(("move", "mythic", "lair"), "free")
"""The sort of a feature -> what the power takes of a turn; legendary ones are paid otherwise."""
PER = {"encounter": "fight", "rest": "rest", "day": "day", "turn": "turn", "round": "turn"}
"""For what the uses of a feature are -> the word of the row."""


class RowWords(Struct, frozen=True):
    """The further words of a game's rows for a creature.

    note     the note on a creature of the other game; empty for none
    ends     what may end a condition
    lengths  True if ways of moving and senses have their feet
    hit_dice True if a monster's Hit Dice are counted
    repeated the end of an effect with a new save each turn; empty where rows have none
    stops    True if rows have what stops regeneration
    levels   the tracks of levels that texts may bring, and rows can't
    lair     True if rows have a word for lair actions
    ratings  the challenge ratings that rows may have
    turns    True if uses may be for a turn
    magic    True if powers may be magic with concentration
    auras    True if powers may be auras with reminders
    alike    the game's names for conditions of other books
    more     the words that only the game has
    """

    note: str = ""
    ends: tuple[str, ...] = ("turn", "fight")
    lengths: bool = False
    hit_dice: bool = False
    repeated: str = ""
    stops: bool = False
    levels: tuple[str, ...] = ()
    lair: bool = False
    ratings: Collection[str] = ()
    turns: bool = False
    magic: bool = False
    auras: bool = False
    alike: dict[str, str] = {}
    more: Callable[[ImportedCreature], dict[str, Any]] = lambda creature: {}


def row_of(tables: Tables, creature: ImportedCreature, words: RowWords) -> ImportResult:
    """The row of a creature. Orcus' monsters are proposed (`scales.in_5e`); of a game whose
    numbers can't be read as these there is only HP, size, and what does it less or more."""
    row = import_creature.start_row(creature)
    read = import_creature.in_5e(creature)
    is_own = import_creature.is_same_system(creature, *GAMES)
    if not import_creature.is_same_system(read, *GAMES):
        _body(tables, creature, row, words)
        return ImportResult(row.words, unused_fields(creature, row.taken, ()))
    sure, taken = {*row.words}, [*row.taken]
    _numbers(read, row, words)
    _body(tables, read, row, words)
    row.words |= words.more(read)
    row.taken += ["hover"] if "hover" in row.words else []
    named = import_creature.unique_names(read.features)
    left = _features(tables, named, row.words, words)
    if not is_own:
        row.taken = taken  # what a reading was made of stays in the text
        row.proposed = [word for word in row.words if word not in sure]
    if creature.game == "5e" and words.note:
        left = [words.note, *left]
    return import_creature.build_result(
        creature, named, row, named, [f for f in named if _is_power(f)], left
    )


# -- numbers ---------------------------------------------------------------------------------------


def _numbers(creature: ImportedCreature, row: RowDraft, words: RowWords) -> None:
    """The numbers of checks, saves and initiative."""
    modifiers = {a: ability_modifier(n) for a, n in creature.abilities.items() if a in ABILITIES}
    trained = proficiency_of(creature)
    order = creature.initiative
    plain = {
        "ac": ("AC", creature.ac),
        "init": ("initiative", modifiers.get("dex") if order is None else order),
        "level": ("level", creature.level),
        "hit-dice": (
            "HP dice",
            hit_dice_of(creature) if words.hit_dice and not creature.level else None,
        ),
        "pb": ("proficiency", trained),
        "passive-perception": ("passive perception", creature.passive_perception),
    }
    for name, (part, value) in plain.items():
        if value is not None and value >= (-99 if name == "init" else 0):
            row.put(name, part, value)
    if creature.cr in words.ratings:
        row.put("cr", "challenge", creature.cr)
    if modifiers:
        row.words |= modifiers
        row.taken.append("abilities")
    own = {a: n - modifiers.get(a, 0) for a, n in creature.saves.items() if n != modifiers.get(a)}
    row.put("saves", "saves", _proficiencies(own, trained))
    row.taken.append("saves")  # where all are those of the abilities, too
    if skills := _proficiencies(_beyond_abilities(creature, modifiers), trained):
        row.words["skills"] = skills
    if ABILITY_OF.keys() >= creature.skills.keys():
        row.taken.append("skills")


def _proficiencies(beyond: Mapping[str, int | None], trained: int | None) -> str:
    """Saves or skills with what they have beyond their abilities, if that is known and not the
    proficiency bonus: `dex,con+7`."""
    return ",".join(
        name.replace(" ", "-") + ("" if n in (trained or 0, None) else f"{n:+d}")
        for name, n in beyond.items()
    )


def _beyond_abilities(
    creature: ImportedCreature, modifiers: Mapping[str, int]
) -> dict[str, int | None]:
    """The part of skills beyond the ability that stat blocks use for them; None for unknown
    skills."""
    return {
        skill: bonus - modifiers.get(ABILITY_OF[skill], 0) if skill in ABILITY_OF else None
        for skill, bonus in creature.skills.items()
    }


def proficiency_of(creature: ImportedCreature) -> int | None:
    """Its proficiency bonus: as it is said, else what most saves have beyond their abilities, else
    by its challenge, as stat blocks have it."""
    if creature.pb is not None:
        return creature.pb
    beyond = [
        bonus - ability_modifier(creature.abilities[a])
        for a, bonus in creature.saves.items()
        if a in creature.abilities
    ]
    rating = re.fullmatch(r"(\d{1,2})(?:/\d)?", creature.cr)
    usual = proficiency(int(rating[1])) if rating else None
    numbers = [n for n in beyond if 2 <= n <= 12]
    return max(numbers, key=lambda n: (numbers.count(n), n == usual, -n), default=usual)


def hit_dice_of(creature: ImportedCreature) -> int | None:
    """The number of dice for its HP; None if the file doesn't say."""
    found = re.match(r"(\d{1,3})d", creature.hp_dice)
    return int(found[1]) if found and int(found[1]) else None


def _body(tables: Tables, creature: ImportedCreature, row: RowDraft, words: RowWords) -> None:
    """Its size, how it moves, and which damage does less, more or nothing."""
    row.put("size", "size", creature.size)
    if import_creature.is_same_system(creature, *GAMES):
        row.put("speed", "speed", creature.speeds.get("walk"))
        far = {sense: (sense, feet) for sense, feet in creature.senses.items()}
        far |= {way: (f"{way} speed", feet) for way, feet in creature.speeds.items()}
        for word in _LENGTHS if words.lengths else ("swim", "fly", "blindsight"):
            part, feet = far.get(word, ("", 0))
            if words.lengths and 0 < feet < MOST_FEET:
                row.put(word, part, feet)
            elif part:  # how far is in the text
                row.words[word] = True
    resistances = import_creature.resistances(creature)
    conditions = ("immune", "condition immunity", creature.unhindered)
    for stat, part, kinds in (*resistances, conditions):
        own = tuple(dict.fromkeys(words.alike.get(kind, kind) for kind in kinds))
        row.put_kinds(stat, part, own, known_to(tables, "immunity" if stat == "immune" else part))


# -- what it can do --------------------------------------------------------------------------------


def _is_power(feature: ImportedFeature) -> bool:
    """True if it is a power: all but attacks that may be made with every Attack action."""
    limited = feature.is_limited or feature.sort != "action"
    return feature.attack is None or bool(limited)


def _features(
    tables: Tables, features: list[ImportedFeature], row: dict[str, Any], words: RowWords
) -> list[str]:
    """Attacks and powers into the row; returns what of them it can't say."""
    left: list[str] = []
    attacks = [f for f in features if not _is_power(f)]
    powers = [f for f in features if _is_power(f)]
    magical = any("magic weapons" in f.name.casefold() for f in features if f.sort == "trait")
    if attacks:
        row["attack"] = [_attack(tables, feature, magical, left, words) for feature in attacks]
    if count := attacks_at_once(features):
        row["attacks"] = count
    if legendary := legendary_of(features):
        row["legendary"] = legendary
    row |= played_traits(features)
    if RESISTS in row:  # which counts its uses
        powers = [replace(f, uses=0) if _is_resistance(f) else f for f in powers]
    if words.stops and "regeneration" in row:
        stops = what_stops_regeneration(features, tables)
        row["regeneration"] = (
            phrase(str(row["regeneration"]), stops) if stops else row["regeneration"]
        )
    for f in features:  # which neither attacks nor powers can say
        levels = (re.findall(rf"levels? of {what}\b", f.text.casefold()) for what in words.levels)
        left += [f"a level of {w}" for w, found in zip(words.levels, levels, strict=True) if found]
    if powers:
        row["power"] = [_power(tables, feature, left, words) for feature in powers]
    return left


def _attack(
    tables: Tables,
    feature: ImportedFeature,
    magical: bool,
    left: list[str],
    words: RowWords,
) -> str:
    """`"Claw" +5 1d8+3 slashing reach 10 plus 1d6 fire inflicts prone save con dc 12 poisoned`."""
    attack = feature.attack
    assert attack is not None
    left += import_creature.list_missed(feature)
    return phrase(
        quoted(feature.name),
        f"{attack.bonus:+d}",
        _damage(tables, feature.damage, left),
        "ranged" if attack.reach == "ranged" else "melee",
        "thrown" if attack.reach == "both" else "",
        "magical" if magical or attack.spell else "",
        _when_bloodied(feature.text) if words.magic else "",
        _brings(tables, feature, left, words),
    )


_BLOODIED = re.compile(
    rf"\bor \d+ \(({WRITTEN})\)[\w ]{{0,30}} if the swarm (?:has half|is bloodied)", re.IGNORECASE
)


def _when_bloodied(text: str) -> str:
    """`bloodied 2d6`: what a swarm with half of its HP deals."""
    found = _BLOODIED.search(text) if "swarm" in text.casefold() else None
    return f"bloodied {to_notation(found[1])}" if found else ""


_IS_SPELL = re.compile(r"\((?:cantrip|\d(?:st|nd|rd|th)[- ]level)\b([^()]*)\)", re.IGNORECASE)
"""Behind a power's name that it is a spell: `(3rd-Level; V, S, Concentration)`."""


def _magic(feature: ImportedFeature) -> str:
    spell = _IS_SPELL.search(f"{feature.name} {feature.text[:120]}")
    held = spell is not None and "concentration" in spell[1].casefold()
    held = held or "as if concentrating on a spell" in feature.text.casefold()
    return phrase("magical" if spell else "", "concentration" if held else "")


def _aura(feature: ImportedFeature) -> str:
    """Return an aura's words, `aura start radius 20`: the turns that it is due at, and how far it
    reaches."""
    aura = feature.aura
    if aura is None:
        return ""
    return phrase(f"aura {aura.edge}", f"radius {aura.feet}" if aura.feet else "")


def _power(tables: Tables, feature: ImportedFeature, left: list[str], words: RowWords) -> str:
    """`"Fire Breath" action recharge 5 save dex dc 17 10d6 fire half text "..."`."""
    attack = feature.attack
    takes = "trait" if is_multiattack(feature) else TAKES.get(feature.sort, "")
    per = PER.get(feature.per, "")
    per = "" if per == "turn" and not words.turns else per
    if feature.uses and not per:
        left.append(f"{feature.name}: {feature.uses} a {feature.per}")
    text = f"{feature.trigger[:1].upper()}{feature.trigger[1:]}. " if feature.trigger else ""
    return phrase(
        quoted(feature.name),
        takes or f"legendary {min(feature.cost, 9)}",
        "lair" if words.lair and feature.sort == "lair" else "",
        f"uses {feature.uses} per {per}" if feature.uses and per else "",
        f"recharge {feature.recharge}" if feature.recharge else "",
        f"shares {quoted(feature.pool)}" if feature.pool else "",
        _magic(feature) if words.magic else "",
        _aura(feature) if words.auras else "",
        f"{attack.bonus:+d}" if attack is not None else "",
        _damage(tables, feature.damage, left),
        "ranged" if attack is not None and attack.reach == "ranged" else "",
        _brings(tables, feature, left, words),
        f"text {quoted(text + feature.text)}" if text or feature.text else "",
    )


def _damage(tables: Tables, parts: tuple[ImportedDamage, ...], left: list[str]) -> str:
    return import_creature.damage_with_type(parts[0], tables.damage_types, left) if parts else ""


def _brings(tables: Tables, feature: ImportedFeature, left: list[str], words: RowWords) -> str:
    """The reach of an attack and the extras of a hit: `reach 10 plus 1d6 fire inflicts prone`."""
    inflicts = import_creature.inflicts(
        feature.inflicts, conditions_of(tables), left, words.ends, damage="ongoing"
    )
    plus = (
        f"plus {import_creature.damage_with_type(part, tables.damage_types, left)}"
        for part in feature.damage[1:]
    )
    return phrase(_feet(feature), *plus, inflicts, _save(tables, feature, left, words))


def _feet(feature: ImportedFeature) -> str:
    attack = feature.attack
    if attack is None or not (attack.feet or attack.far):
        return ""
    if attack.reach == "ranged" or attack.far:
        near = attack.far or attack.feet
        return f"range {near}/{attack.long}" if attack.long else f"range {near}"
    return f"reach {attack.feet}"


def _save(tables: Tables, feature: ImportedFeature, left: list[str], words: RowWords) -> str:
    save = feature.save
    if save is None:
        return ""
    inflicts = import_creature.inflicts(
        feature.binds,
        conditions_of(tables),
        left,
        words.ends,
        damage="ongoing",
        repeated=words.repeated,
    )
    return phrase(
        f"save {save.ability} dc {min(save.dc, 99)}",
        _damage(tables, feature.failed, left),
        "half" if save.half and feature.failed else "",
        *(
            f"also {import_creature.damage_with_type(part, tables.damage_types, left)}"
            for part in feature.failed[1:]
        ),
        inflicts,
    )


RESISTS = "legendary-resistance"


def _is_resistance(feature: ImportedFeature) -> bool:
    return feature.name.casefold().startswith("legendary resistance")


def played_traits(features: list[ImportedFeature]) -> dict[str, int]:
    """The traits that are played by a number: legendary resistance, and regeneration."""
    found: dict[str, int] = {}
    for each in features:
        name = each.name.casefold()
        if _is_resistance(each):
            often = each.uses or next(map(int, re.findall(r"\((\d)", name)), 0)
            found |= {RESISTS: often} if often else {}
        elif name.startswith("regenerat"):
            healed = re.search(r"regains (\d+) (?:hit points|hp)", each.text.casefold())
            found |= {"regeneration": int(healed[1])} if healed else {}
    return found


def what_stops_regeneration(features: list[ImportedFeature], tables: Tables) -> str:
    """`unless acid,fire from-zero`: what a trait says of the damage that stops it, and of 0 HP."""
    text = next(
        (f.text.casefold() for f in features if f.name.casefold().startswith("regenerat")), ""
    )
    taken = re.search(r"take(?:s|n) ([a-z ,]+?) damage", text)
    kinds = [kind for kind in tables.damage_types if taken and kind in taken[1].split()]
    kinds += [kind for kind in tables.damage_types if taken and f"{kind}," in taken[1]]
    unless = f"unless {','.join(dict.fromkeys(kinds))}" if kinds else ""
    lies = "from-zero" if re.search(r"dies only if|start(s)? its turn with 0", text) else ""
    return phrase(unless, lies)


def legendary_of(features: list[ImportedFeature]) -> int:
    """The number of legendary actions: as its text says, else three if it has some."""
    rows = [f for f in features if f.sort == "legendary"]
    matches = (
        re.search(r"can take ([1-9]) legendary actions?\b(?! instead)", f"{row.name} {row.text}")
        for row in features
    )
    return next((int(found[1]) for found in matches if found), 3 if rows else 0)
