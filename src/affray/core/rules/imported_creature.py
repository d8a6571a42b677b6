"""A creature of another program's file (`ImportedCreature`), before it becomes a row of a bestiary.

Readers of files (`store.importers`) fill it in, in the words of the game that the file is of. Each
rule system decides what these mean in its own terms (`Ruleset.imports`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Literal

from msgspec import Struct

from affray.core.rules.tables import PROPOSED as PROPOSED, Tables

__all__ = [
    "PROPOSED",
    "SKILL_ABILITIES",
    "ImportResult",
    "ImportedAttack",
    "ImportedAura",
    "ImportedCondition",
    "ImportedCreature",
    "ImportedDamage",
    "ImportedFeature",
    "ImportedSave",
    "ImportedSpell",
    "ImportedSpells",
    "Sort",
    "ability_modifier",
    "all_fields",
    "description_text",
    "format_feature",
    "generic_fields",
    "hp_of",
    "proficiency",
    "unused_fields",
]

Sort = Literal[
    "trait", "action", "bonus", "reaction", "counter", "free", "move", "legendary", "mythic", "lair"
]


SKILL_ABILITIES = {
    "athletics": "str", "acrobatics": "dex", "sleight of hand": "dex", "stealth": "dex",
    "arcana": "int", "history": "int", "investigation": "int", "nature": "int", "religion": "int",
    "animal handling": "wis", "insight": "wis", "medicine": "wis", "perception": "wis",
    "survival": "wis", "deception": "cha", "intimidation": "cha", "performance": "cha",
    "persuasion": "cha",
}  # fmt: skip
"""The skills of stat blocks -> their abilities."""


def ability_modifier(score: int) -> int:
    """The modifier of an ability score: +2 for 14."""
    return (score - 10) // 2


def proficiency(rating: int) -> int:
    """The proficiency bonus of a challenge rating or a level; below 1 that of 1."""
    return 2 + max(rating - 1, 0) // 4


class ImportedDamage(Struct, frozen=True):
    """A part of some damage: dice such as `2d6+3`, or a number; without a type if the file has
    none."""

    dice: str
    type: str = ""


class ImportedCondition(Struct, frozen=True):
    """A condition that a feature inflicts, and how it ends.

    condition  its name; of persistent damage the `damage` instead
    until      how long, as rows have it: `save`, `start of bearer`, `end of source`, `fight`; or
               `repeat` (a new save each turn), `escape`, or the file's words (`the song ends`);
               empty if the file doesn't say
    dc         of the escape
    most       after how many turns it is over without the repeated save; 0 for no limit
    """

    condition: str
    until: str = ""
    dc: int = 0
    most: int = 0
    damage: ImportedDamage | None = None


class ImportedAttack(Struct, frozen=True):
    """An attack roll: its whole bonus, its defence, its range.

    reach  `melee`, `ranged`, `both`, `near` or `far`
    feet   its reach, or its normal range, in the game's own unit; 0 if unknown
    far    the normal range of a melee weapon that can be thrown as well
    long   its long range
    """

    bonus: int
    against: str = "ac"
    reach: str = "melee"
    feet: int = 0
    far: int = 0
    long: int = 0
    spell: bool = False


class ImportedSave(Struct, frozen=True):
    """A saving throw that it asks for; `half` tells that success takes half of the damage."""

    ability: str
    dc: int
    half: bool = False


class ImportedAura(Struct, frozen=True):
    """The turns at which a trait affects those who are near: the `start` or `end` of theirs, or of
    its bearer's (`own-start`, `own-end`), within `feet`; 0 if the text doesn't say."""

    edge: str
    feet: int = 0


class ImportedFeature(Struct, frozen=True):
    """A trait, or an action.

    sort      one of `Sort`, such as `trait`, `action` or `bonus`
    attack    its attack roll, with the `damage` of a hit, and what it `inflicts`
    worsens   what replaces those after a first failed save
    after     what follows its end, or a save against it
    miss      `half` if a miss deals half
    save      its save: failing it means `failed`, and what it `binds`
    uses      how often, `per` day, rest or encounter; 0 for no limit
    recharge  the lowest face of a d6 that brings it back; 0 for none
    cost      how many actions of its kind it costs
    staggered True if it comes back when its owner first drops to half HP in a fight
    pool      the name under which several share uses and recharge
    trigger   its trigger
    aura      the turns at which it affects creatures nearby by itself; None for no aura
    """

    name: str
    sort: Sort = "action"
    text: str = ""
    attack: ImportedAttack | None = None
    damage: tuple[ImportedDamage, ...] = ()
    inflicts: tuple[ImportedCondition, ...] = ()
    worsens: tuple[ImportedCondition, ...] = ()
    after: tuple[ImportedCondition, ...] = ()
    miss: str = ""
    save: ImportedSave | None = None
    failed: tuple[ImportedDamage, ...] = ()
    binds: tuple[ImportedCondition, ...] = ()
    uses: int = 0
    per: str = ""
    recharge: int = 0
    staggered: bool = False
    cost: int = 1
    pool: str = ""
    tags: tuple[str, ...] = ()
    trigger: str = ""
    basic: bool = False
    aura: ImportedAura | None = None

    @property
    def is_limited(self) -> bool:
        """True if it has uses, or a recharge."""
        return bool(self.uses or self.recharge)

    @property
    def limits(self) -> dict[str, Any]:
        """The limits of its use, as fields for another feature."""
        return {"uses": self.uses, "per": self.per, "recharge": self.recharge}


class ImportedSpell(Struct, frozen=True):
    """A spell that a creature casts: at will, unless it has `uses` or takes a slot.

    level   0 for a cantrip; None if the file doesn't say
    slot    True if it costs a slot of its level or above
    uses    how often, `per` day or rest; 0 for no limit
    raised  the level at which it is cast; 0 for its own
    dice    the dice of damage in the file
    takes   `action`, `bonus` or `reaction`, if the file says so
    note    the file's other words on it
    """

    name: str
    level: int | None = None
    slot: bool = False
    uses: int = 0
    per: str = "day"
    raised: int = 0
    dice: str = ""
    takes: str = ""
    note: str = ""


class ImportedSpells(Struct, frozen=True):
    """All spells of a creature.

    slots    the slots of each level, from the first on; `pact` has those of one level
    ability  the ability of its spells; `dc` of their saves and `bonus` of their attacks if known
    level    its level as a caster; None without one
    """

    spells: tuple[ImportedSpell, ...]
    slots: tuple[int, ...] = ()
    pact: tuple[int, int] = (0, 0)
    ability: str = ""
    dc: int | None = None
    bonus: int | None = None
    level: int | None = None


class ImportedCreature(Struct, frozen=True):
    """A creature, or a character, of a file.

    game       the game of these numbers: the id of a rule system, or `5e`; empty for the game that
               is played
    rank       such as elite or minion; `role` such as archer
    cr         its challenge, `1/4`
    pb         its proficiency bonus
    hp         its maximum
    hp_dice    the dice for it
    hp_left    its present HP; None for all of them
    speeds     `walk`, `fly`, `swim`, `climb`, `burrow` -> how far, in the game's own unit
    abilities  `str` ... `cha` -> the score
    saves      ability -> the bonus, for those in the file
    skills     skill -> the bonus, for those in the file
    senses     sense -> how far; 0 if unknown
    defences   `fortitude`, `reflex`, `will`
    resist     types of damage that do less
    vulnerable types of damage that do more
    immune     types of damage that do nothing
    amounts    `resist fire` -> how much, where the game counts it
    unhindered conditions that it can't have
    save_bonus added to each of its saves
    points     its action points
    features   its traits, and what it can do
    casts      its spells; their lists are among the features, too
    in_words   the file's sentences: subject -> the words
    text       all else that the file tells of it
    picture    a `data:` URI, the name of a file beside the one that was read, or an address
    """

    name: str
    game: str = ""
    kind: Literal["pc", "monster"] = "monster"
    source: str = ""
    size: str = ""
    type: str = ""
    rank: str = ""
    role: str = ""
    level: int | None = None
    cr: str = ""
    pb: int | None = None
    hp: int | None = None
    hp_dice: str = ""
    hp_left: int | None = None
    ac: int | None = None
    defences: dict[str, int] = {}
    initiative: int | None = None
    speeds: dict[str, int] = {}
    hover: bool = False
    abilities: dict[str, int] = {}
    saves: dict[str, int] = {}
    skills: dict[str, int] = {}
    senses: dict[str, int] = {}
    passive_perception: int | None = None
    languages: tuple[str, ...] = ()
    resist: tuple[str, ...] = ()
    vulnerable: tuple[str, ...] = ()
    immune: tuple[str, ...] = ()
    amounts: dict[str, int] = {}
    unhindered: tuple[str, ...] = ()
    save_bonus: int = 0
    points: int = 0
    features: tuple[ImportedFeature, ...] = ()
    casts: ImportedSpells | None = None
    in_words: dict[str, str] = {}
    text: str = ""
    picture: str = ""


class ImportResult(Struct, frozen=True):
    """The bestiary row that a rule system makes of a creature.

    row   its row of the bestiary, without name and text
    left  the parts that have no place in the row, a few words each
    explained  the features whose text is in the row, with their effects
    proposed  the row's words that affray derived from another game's numbers
    """

    row: dict[str, Any]
    left: tuple[str, ...] = ()
    explained: tuple[ImportedFeature, ...] = ()
    proposed: tuple[str, ...] = ()


# -- what there is of a creature, so that nothing of it is lost without a word ---------------------


def all_fields(creature: ImportedCreature) -> dict[str, str]:
    """The known facts on a creature but name, text and features: the kind -> the words."""
    c = creature
    found: dict[str, str] = {
        "size": c.size,
        "type": c.type,
        "rank": c.rank,
        "role": c.role,
        "level": _number(c.level),
        "challenge": c.cr,
        "proficiency": _bonus(c.pb),
        "HP": _number(c.hp),
        "HP dice": c.hp_dice,
        "AC": _number(c.ac),
        "initiative": _bonus(c.initiative),
    }
    found |= {name.capitalize(): str(n) for name, n in c.defences.items()}
    found |= {"speed" if k == "walk" else f"{k} speed": str(n) for k, n in c.speeds.items()}
    found |= {
        "hover": "yes" if c.hover else "",
        "abilities": ", ".join(f"{a.upper()} {n}" for a, n in c.abilities.items()),
        "saves": _bonuses(c.saves),
        "skills": _bonuses(c.skills),
        "save bonus": _bonus(c.save_bonus or None),
        "action points": _number(c.points or None),
    }
    found |= {sense: str(far) if far else "yes" for sense, far in c.senses.items()}
    found |= {
        "passive perception": _number(c.passive_perception),
        "languages": ", ".join(c.languages),
        "resistance": _types(c.resist, c.amounts, "resist"),
        "vulnerability": _types(c.vulnerable, c.amounts, "vulnerable"),
        "immunity": ", ".join(c.immune),
        "condition immunity": ", ".join(c.unhindered),
    }
    found |= c.in_words
    return {name or "more": words for name, words in found.items() if words}


def unused_fields(
    creature: ImportedCreature, taken: Iterable[str], used: Collection[ImportedFeature]
) -> tuple[str, ...]:
    """List the parts of a creature that its row hasn't `taken`, and its features except the `used`
    ones."""
    gone = {*taken}
    rest = [name for name in all_fields(creature) if name not in gone]
    return (*rest, *dict.fromkeys(f.name for f in creature.features if f not in used))


def description_text(
    creature: ImportedCreature, left: Iterable[str], but: Collection[ImportedFeature] = ()
) -> str:
    """The text of a creature's row: facts outside the row, and its features except those in `but`.
    Actions come first, since a fight needs them; the book's description comes last."""
    fields = all_fields(creature)
    rest = dict.fromkeys(name for name in left if name in fields)
    numbers = "; ".join(f"{name} {fields[name]}" for name in rest)
    features = (row for row in creature.features if row not in but)
    lines = [*map(format_feature, features), numbers, creature.text]
    source = f"From {creature.source}." if creature.source else ""
    return "\n".join(filter(None, [*lines, source]))


def format_feature(row: ImportedFeature) -> str:
    """A feature as a stat block has it: `Fire Breath (recharge 5). ...`."""
    words = [
        _SORTS.get(row.sort, ""),
        f"{row.uses}/{row.per or 'day'}" if row.uses else "",
        f"recharge {row.recharge}" if row.recharge else "",
        f"{row.cost} actions" if row.cost > 1 else "",
        row.trigger,
    ]
    limits = ", ".join(filter(None, words))
    head = f"{row.name} ({limits})" if limits else row.name
    return f"{head}. {' '.join(row.text.split())}" if row.text else f"{head}."


_SORTS = {
    "bonus": "bonus action",
    "reaction": "reaction",
    "counter": "counter",
    "legendary": "legendary action",
    "mythic": "mythic action",
    "lair": "lair action",
}


def generic_fields(tables: Tables, creature: ImportedCreature) -> ImportResult:
    """Make the row that every rule system can use: the creature's HP."""
    counts = not tables.tracks or tables.health in tables.tracks
    taken = {tables.health: hp_of(creature)} if counts else {}
    return ImportResult(taken, unused_fields(creature, ("HP",) if taken else (), ()))


def hp_of(creature: ImportedCreature) -> int | str:
    """Its HP for a row: `30`, or `12/30` if some are gone."""
    most = creature.hp or 0
    left = creature.hp_left
    return most if left is None or not 0 <= left < most else f"{left}/{most}"


def _number(value: int | None) -> str:
    return "" if value is None else str(value)


def _bonus(value: int | None) -> str:
    return "" if value is None else f"{value:+d}"


def _bonuses(row: dict[str, int]) -> str:
    return ", ".join(f"{name} {bonus:+d}" for name, bonus in row.items())


def _types(row: tuple[str, ...], amounts: dict[str, int], what: str) -> str:
    parts = (f"{kind} {amounts.get(f'{what} {kind}', '')}".strip() for kind in row)
    return ", ".join(parts)
