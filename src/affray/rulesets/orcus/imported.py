"""Rows of the bestiary from Orcus' published monsters, and from other books' creatures, whose
numbers are proposed (`scales.in_orcus`)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from affray.core.rules.imported import Attack, Creature, Feature, Imported, left_of
from affray.core.rules.tables import Tables
from affray.rulekit import imports, scales
from affray.rulekit.imports import Draft, phrase, quoted
from affray.rulekit.multiattack import is_multiattack
from affray.rulekit.numbers import ALL
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
ENDS = imports.ENDS | {"save": "save-ends"}
ALIKE = {"dominated": "controlled"}
"""What the monsters' powers call a condition -> what the rules call it."""


ALIKE_IN_ALL = (
    "speed", *MODES, "hover", "darkvision", *RANGED_SENSES, "reach", "type", "languages", "immune",
)  # fmt: skip
"""The words of the row that need no reading, or no more than squares for feet."""
UNTYPED = dict.fromkeys(("bludgeoning", "piercing", "slashing"), "")
"""What weapons deal elsewhere has no type here."""
REACHES = {"melee": "", "both": ""}


def imported(tables: Tables, creature: Creature) -> Imported:
    """The row of a creature; of a game whose numbers can't be read as these its HP and size."""
    row = Draft({"mook": True}, ["HP"]) if creature.rank == "mook" else imports.begun(creature)
    row.put("size", "size", creature.size)
    is_own = imports.is_own(creature, "orcus")
    read = scales.in_orcus(creature) if creature.game in scales.FOOT_BY_FOOT else creature
    if not imports.is_own(read, "orcus"):
        return Imported(row.words, left_of(creature, row.taken, ()))
    if not is_own:
        known = tuple(kind for kind in read.immune if kind in tables.damage_types)
        read = replace(read, immune=known)
    sure, taken = {*row.words}, [*row.taken]
    _numbers(read, row)
    _body(tables, read, row)
    left: list[str] = []
    named = [
        imports.alike(f, {} if is_own else UNTYPED, ALIKE)
        for f in imports.named_apart(read.features)
    ]
    features = _basic_first(named)
    attacks = [phrase(quoted(f.name), _attack(tables, f, left)) for f in features if _is_attack(f)]
    free = [f for f in features if _is_attack(f)]
    powers = [_power(tables, f, left, _made_by(f, free)) for f in features if not _is_attack(f)]
    row.words |= {"attack": attacks} if attacks else {}
    row.words |= {"power": powers} if powers else {}
    told = {i.condition for f in read.features for i in f.inflicts if i.condition in ALIKE}
    left += (f"{word}, which is {ALIKE[word]} here" for word in sorted(told))
    if not is_own:
        row.taken = taken  # what a reading was made of stays in the text
        row.proposed = [word for word in row.words if word not in sure and word not in ALIKE_IN_ALL]
    powers_of = [f for f in named if not _is_attack(f)]
    return imports.made(creature, named, row, named, powers_of, left)


def _numbers(creature: Creature, row: Draft) -> None:
    """Level, rank, defences, initiative, skills."""
    row.put("level", "level", creature.level)
    row.put("ac", "AC", creature.ac)
    row.put("fort", "Fortitude", creature.defences.get("fortitude"))
    row.put("ref", "Reflex", creature.defences.get("reflex"))
    row.put("will", "Will", creature.defences.get("will"))
    row.put("init", "initiative", creature.initiative)
    for skill in ("perception", "insight"):  # as the rules' full game has it: 10 and the bonus
        bonus = creature.skills.get(skill)
        said = creature.passive_perception if skill == "perception" else None
        if bonus is not None or said is not None:
            passive = said if said is not None else 10 + (bonus or 0)
            row.put(f"passive-{skill}", f"passive {skill}", max(passive, 0))
    row.put("save", "save bonus", creature.save_bonus or None)
    row.put("points", "action points", creature.points or None)
    if creature.rank in ("mook", "boss"):
        row.words |= {"boss": True} if creature.rank == "boss" else {}
        row.taken.append("rank")
    known = {name.replace(" ", "-"): bonus for name, bonus in creature.skills.items()}
    row.words |= {name: bonus for name, bonus in known.items() if name in SKILLS}
    if all(name in SKILLS for name in known):
        row.taken.append("skills")


def _body(tables: Tables, creature: Creature, row: Draft) -> None:
    """How it moves and perceives, what it speaks, and which damage does less or more."""
    row.put("speed", "speed", creature.speeds.get("walk", 0 if creature.speeds else 6))
    row.put("reach", "reach", max((a.feet for a in _melee(creature)), default=0) or None)
    for way in MODES:
        row.put(way, f"{way} speed", creature.speeds.get(way) or None)
    row.put("hover", "hover", creature.hover or None)
    moving = creature.said.get("ways of moving", "").casefold().replace("walk", "stride")
    row.words |= {way: True for way in GAITS if way in moving.replace(" ", "-")}
    for flag in ("darkvision", "all-around vision"):
        row.put(flag.replace(" ", "-"), flag, flag in creature.senses or None)
    for sense in RANGED_SENSES:
        row.put(sense, sense, creature.senses.get(sense) or None)
    for name, part, word in (
        ("type", "type", creature.type),
        ("role", "role", creature.role),
        ("source", "ancestry", creature.said.get("ancestry", "")),
    ):
        if word and len(word) <= imports.LONGEST:
            row.put(name, part, quoted(word))
    if creature.languages and all(len(each) <= imports.LONGEST for each in creature.languages):
        row.put("languages", "languages", quoted(",".join(creature.languages).casefold()))
    _damage_taken(tables, creature, row)


def _damage_taken(tables: Tables, creature: Creature, row: Draft) -> None:
    for stat, part, types in imports.against(creature)[:2]:
        amounts = {kind: creature.amounts.get(f"{stat} {kind}") for kind in types}
        known = (*tables.damage_types, ALL, *sheet.REACHES)
        said = [f"{kind} {amount}" for kind, amount in amounts.items() if amount and kind in known]
        if said:
            row.words[stat] = said
        if len(said) == len(types):
            row.taken.append(part)
    in_words = creature.said.get("resistance, in words", "").casefold()
    if "incorporeal" in in_words:
        row.words["incorporeal"] = True
    if "melee and ranged attacks (half" in in_words:
        row.put("swarm", "swarm", True)
    plain = [word for word in creature.immune if word.replace("-", "").isalpha()]
    row.put_kinds("immune", "immunity", creature.immune, plain)


def _melee(creature: Creature) -> Iterator[Attack]:
    """The attack rolls that reach as far as they say, with weapons or the body."""
    rows = (f.attack for f in creature.features if f.sort == "action")
    yield from (a for a in rows if a is not None and a.reach in ("melee", "both") and a.feet > 1)


# -- what it can do --------------------------------------------------------------------------------


def _basic_first(features: list[Feature]) -> list[Feature]:
    """The first attack is the basic one, so one that is melee stands before all others."""
    first = [f for f in features if f.basic and f.attack and f.attack.reach == "melee"][:1]
    return [*first, *(f for f in features if f not in first)]


def _is_attack(feature: Feature) -> bool:
    """Whether it is an attack that may be made with every standard action."""
    limited = feature.uses or feature.recharge or feature.trigger
    return feature.attack is not None and feature.sort == "action" and not limited


def _attack(tables: Tables, feature: Feature, left: list[str]) -> str:
    """`+11 vs ac 3d4+5 acid ranged inflicts slowed save-ends`; into `left` what it can't say."""
    attack = feature.attack
    if attack is None:
        return ""
    inflicts = imports.inflicts(feature.inflicts, tables.effects, left, ENDS, "persistent")
    parts = [imports.typed(part, tables.damage_types, left) for part in feature.damage]
    return phrase(
        f"{attack.bonus:+d} vs {attack.against}",
        *parts[:1],
        REACHES.get(attack.reach, attack.reach),
        "half" if feature.miss == "half" else "",
        *(f"plus {part}" for part in parts[1:]),
        inflicts,
        *(
            imports.inflicts(rows, tables.effects, left, ENDS, "persistent", word)
            for word, rows in (("failed", feature.worsens), ("aftereffect", feature.after))
        ),
    )


def _made_by(feature: Feature, attacks: list[Feature]) -> str:
    """`makes "Claw"`, where a power without an attack of its own makes one of those of the sheet:
    the first that its text names, or the basic one."""
    if feature.attack is not None or feature.sort == "trait":
        return ""
    said = _MAKES.search(feature.text)
    if said is None or not attacks or _OTHERS.search(feature.text[: said.start()]):
        return ""
    named = [(said[0].casefold().find(f.name.casefold()), f) for f in attacks]
    found = min((row for row in named if row[0] >= 0), key=lambda row: row[0], default=None)
    if found is None and "basic" not in said[0]:
        return ""
    ranged = [f for f in attacks if f.attack and f.attack.reach == "ranged"]
    basic = ranged[0] if "basic ranged" in said[0] and ranged else attacks[0]
    return f"makes {quoted((found[1] if found else basic).name)}"


_MAKES = re.compile(
    r"(?<!can )\b[Mm]akes? (?:up to )?(?:an?|one|two|three|four|\d) [^.]{3,60}?attacks?\b"
)
_OTHERS = re.compile(r"\ball(?:y|ies)\b|\bWhile in\b|\bOne \w+ within|.{200}", re.DOTALL)
"""Before an attack that somebody else makes, or that is made some other time."""


def _power(tables: Tables, feature: Feature, left: list[str], makes: str) -> str:
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
