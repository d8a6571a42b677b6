"""Rows of the bestiary from Orcus' published monsters, and from other books' creatures, whose
numbers are proposed (`scales.in_orcus`)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from affray.core.rules.imported_creature import (
    ImportedAttack,
    ImportedCreature,
    ImportedFeature,
    ImportResult,
    unused_fields,
)
from affray.core.rules.tables import Tables
from affray.mechanics import import_creature
from affray.mechanics.import_creature import RowDraft, is_multiattack, phrase, quoted
from affray.mechanics.stats import ALL
from affray.rulesets.orcus import sheet
from affray.rulesets.orcus.sheet import GAITS, MODES, RANGED_SENSES, SKILLS, TAGS

ACTIONS = {
    "trait": "free",
    "action": "standard",
    "move": "move",
    "bonus": "swift",
    "free": "free",
    "reaction": "react",
    "counter": "counter",
}
LEGENDARY = "a legendary action, after another creature's turn"
FREQUENCIES = {"encounter": "encounter", "day": "daily"}
ENDS = ("turn", "fight", "save")
ALIKE = {"dominated": "controlled"}
"""A condition's name in monsters' powers -> its name in the rules."""


ALIKE_IN_ALL = (
    "speed", *MODES, "hover", "darkvision", *RANGED_SENSES, "reach", "type", "languages", "immune",
)  # fmt: skip
"""The words of the row that need no reading, or no more than squares for feet."""
UNTYPED = dict.fromkeys(("bludgeoning", "piercing", "slashing"), "")
"""The damage types of weapons in other games, which have no type here."""
REACHES = {"melee": "", "both": ""}


def row_of(tables: Tables, creature: ImportedCreature) -> ImportResult:
    """The row of a creature; of a game whose numbers can't be read as these its HP and size."""
    row = (
        RowDraft({"mook": True}, ["HP"])
        if creature.rank == "mook"
        else import_creature.start_row(creature)
    )
    row.put("size", "size", creature.size)
    is_own = import_creature.is_same_system(creature, "orcus")
    read = (
        import_creature.in_orcus(creature)
        if creature.game in import_creature.FOOT_BY_FOOT
        else creature
    )
    if not import_creature.is_same_system(read, "orcus"):
        return ImportResult(row.words, unused_fields(creature, row.taken, ()))
    if not is_own:
        choices = tuple(kind for kind in read.immune if kind in tables.damage_types)
        read = replace(read, immune=choices)
    sure, taken = {*row.words}, [*row.taken]
    _numbers(read, row)
    _body(tables, read, row)
    left: list[str] = []
    named = [
        import_creature.alike(f, {} if is_own else UNTYPED, ALIKE)
        for f in import_creature.unique_names(read.features)
    ]
    features = _basic_first(named)
    free = [f for f in features if _is_attack(f)]
    attacks = [phrase(quoted(f.name), _attack(tables, f, left)) for f in free]
    powers = [_power(tables, f, left, _made_by(f, free)) for f in features if not _is_attack(f)]
    row.words |= {"attack": attacks} if attacks else {}
    row.words |= {"power": powers} if powers else {}
    lines = {i.condition for f in read.features for i in f.inflicts if i.condition in ALIKE}
    left += (f"{word}, which is {ALIKE[word]} here" for word in sorted(lines))
    if not is_own:
        row.taken = taken  # what a reading was made of stays in the text
        row.proposed = [word for word in row.words if word not in sure and word not in ALIKE_IN_ALL]
    powers_of = [f for f in named if not _is_attack(f)]
    return import_creature.build_result(creature, named, row, named, powers_of, left)


def _numbers(creature: ImportedCreature, row: RowDraft) -> None:
    """Level, rank, defences, initiative, skills."""
    row.put("level", "level", creature.level)
    row.put("ac", "AC", creature.ac)
    row.put("fort", "Fortitude", creature.defences.get("fortitude"))
    row.put("ref", "Reflex", creature.defences.get("reflex"))
    row.put("will", "Will", creature.defences.get("will"))
    row.put("init", "initiative", creature.initiative)
    for skill in ("perception", "insight"):  # as the rules' full game has it: 10 and the bonus
        bonus = creature.skills.get(skill)
        value = creature.passive_perception if skill == "perception" else None
        if bonus is not None or value is not None:
            passive = value if value is not None else 10 + (bonus or 0)
            row.put(f"passive-{skill}", f"passive {skill}", max(passive, 0))
    row.put("save", "save bonus", creature.save_bonus or None)
    row.put("points", "action points", creature.points or None)
    if creature.rank in ("mook", "boss"):
        row.words |= {"boss": True} if creature.rank == "boss" else {}
        row.taken.append("rank")
    by_name = {name.replace(" ", "-"): bonus for name, bonus in creature.skills.items()}
    row.words |= {name: bonus for name, bonus in by_name.items() if name in SKILLS}
    if all(name in SKILLS for name in by_name):
        row.taken.append("skills")


def _body(tables: Tables, creature: ImportedCreature, row: RowDraft) -> None:
    """The movement, senses, languages, resistances and weaknesses of a creature."""
    row.put("speed", "speed", creature.speeds.get("walk", 0 if creature.speeds else 6))
    row.put("reach", "reach", max((a.feet for a in _reaching_attacks(creature)), default=0) or None)
    for way in MODES:
        row.put(way, f"{way} speed", creature.speeds.get(way) or None)
    row.put("hover", "hover", creature.hover or None)
    moving = creature.in_words.get("ways of moving", "").casefold().replace("walk", "stride")
    row.words |= {way: True for way in GAITS if way in moving.replace(" ", "-")}
    for flag in ("darkvision", "all-around vision"):
        row.put(flag.replace(" ", "-"), flag, flag in creature.senses or None)
    for sense in RANGED_SENSES:
        row.put(sense, sense, creature.senses.get(sense) or None)
    for name, part, word in (
        ("type", "type", creature.type),
        ("role", "role", creature.role),
        ("source", "ancestry", creature.in_words.get("ancestry", "")),
    ):
        if word and len(word) <= import_creature.LONGEST:
            row.put(name, part, quoted(word))
    if creature.languages and all(
        len(each) <= import_creature.LONGEST for each in creature.languages
    ):
        row.put("languages", "languages", quoted(",".join(creature.languages).casefold()))
    _damage_taken(tables, creature, row)


def _damage_taken(tables: Tables, creature: ImportedCreature, row: RowDraft) -> None:
    for stat, part, types in import_creature.resistances(creature)[:2]:
        amounts = {kind: creature.amounts.get(f"{stat} {kind}") for kind in types}
        choices = (*tables.damage_types, ALL, *sheet.REACHES)
        words = [
            f"{kind} {amount}" for kind, amount in amounts.items() if amount and kind in choices
        ]
        if words:
            row.words[stat] = words
        if len(words) == len(types):
            row.taken.append(part)
    in_words = creature.in_words.get("resistance, in words", "").casefold()
    if "incorporeal" in in_words:
        row.words["incorporeal"] = True
    if "melee and ranged attacks (half" in in_words:
        row.put("swarm", "swarm", True)
    plain = [word for word in creature.immune if word.replace("-", "").isalpha()]
    row.put_kinds("immune", "immunity", creature.immune, plain)


def _reaching_attacks(creature: ImportedCreature) -> Iterator[ImportedAttack]:
    """Yield the melee attacks with a reach of more than 1."""
    rows = (f.attack for f in creature.features if f.sort == "action")
    yield from (a for a in rows if a is not None and a.reach in ("melee", "both") and a.feet > 1)


# -- what it can do --------------------------------------------------------------------------------


def _basic_first(features: list[ImportedFeature]) -> list[ImportedFeature]:
    """Put a melee attack first, as the first attack is the basic one."""
    first = [f for f in features if f.basic and f.attack and f.attack.reach == "melee"][:1]
    return [*first, *(f for f in features if f not in first)]


def _is_attack(feature: ImportedFeature) -> bool:
    """True for an attack possible with every standard action."""
    limited = feature.is_limited or feature.trigger
    return feature.attack is not None and feature.sort == "action" and not limited


def _attack(tables: Tables, feature: ImportedFeature, left: list[str]) -> str:
    """Word it as `+11 vs ac 3d4+5 acid inflicts slowed save-ends`; the rest goes to `left`."""
    attack = feature.attack
    if attack is None:
        return ""
    laid = [replace(row, dc=0) for row in feature.inflicts]  # a hold has no DC of its own here
    inflicts = import_creature.inflicts(laid, tables.effects, left, ENDS, "persistent")
    parts = [
        import_creature.damage_with_type(part, tables.damage_types, left) for part in feature.damage
    ]
    return phrase(
        f"{attack.bonus:+d} vs {attack.against}",
        *parts[:1],
        REACHES.get(attack.reach, attack.reach),
        "half" if feature.miss == "half" else "",
        *(f"plus {part}" for part in parts[1:]),
        inflicts,
        *(
            import_creature.inflicts(rows, tables.effects, left, ENDS, "persistent", word)
            for word, rows in (("failed", feature.worsens), ("aftereffect", feature.after))
        ),
    )


def _made_by(feature: ImportedFeature, attacks: list[ImportedFeature]) -> str:
    """`makes "Claw"`, where a power without an attack of its own makes one of those of the sheet:
    the first that its text names, or the basic one."""
    if feature.attack is not None or feature.sort == "trait":
        return ""
    match = _MAKES.search(feature.text)
    if match is None or not attacks or _OTHERS.search(feature.text[: match.start()]):
        return ""
    named = [(match[0].casefold().find(f.name.casefold()), f) for f in attacks]
    found = min((row for row in named if row[0] >= 0), key=lambda row: row[0], default=None)
    if found is None and "basic" not in match[0]:
        return ""
    ranged = [f for f in attacks if f.attack and f.attack.reach == "ranged"]
    basic = ranged[0] if "basic ranged" in match[0] and ranged else attacks[0]
    return f"makes {quoted((found[1] if found else basic).name)}"


_MAKES = re.compile(
    r"(?<!can )\b[Mm]akes? (?:up to )?(?:an?|one|two|three|four|\d) [^.]{3,60}?attacks?\b"
)
_OTHERS = re.compile(r"\ball(?:y|ies)\b|\bWhile in\b|\bOne \w+ within|.{200}", re.DOTALL)
"""Before an attack that somebody else makes, or that is made some other time."""


def _power(tables: Tables, feature: ImportedFeature, left: list[str], makes: str) -> str:
    """`"Acid Spit" refresh 5 swift tags acid +9 vs reflex 1d8+2 acid ranged text "..."`."""
    tags = [re.sub(r"[^a-z]+", "-", tag).strip("-") for tag in feature.tags]
    own = [tag for tag in tags if tag in TAGS]
    others = ",".join(tag for tag in tags if tag and tag not in TAGS)
    action = "free" if is_multiattack(feature) and not makes else ACTIONS.get(feature.sort, "free")
    often = f"refresh {feature.recharge}" if feature.recharge else "at-will"
    if feature.uses:
        often = FREQUENCIES.get(feature.per, "at-will")
        left += [] if feature.per in FREQUENCIES else [f"{feature.name}: once a {feature.per}"]
    trigger = feature.trigger or (LEGENDARY if feature.sort == "legendary" else "")
    trigger = trigger[: sheet.LONGEST_TRIGGER]
    return phrase(
        quoted(feature.name),
        often,
        action,
        "staggered" if feature.staggered else "",
        *own,
        f"tags {others}" if others else "",
        f"trigger {quoted(trigger)}" if trigger else "",
        _attack(tables, feature, left),
        makes,
        f"text {quoted(feature.text)}" if feature.text else "",
    )
