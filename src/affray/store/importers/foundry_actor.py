"""The fields in files of Foundry's actors, in its systems dnd5e and a5e (Level Up).

The fields of all versions stand side by side; those that only old ones have, or a5e alone, say so.
"""

from __future__ import annotations

from msgspec import Struct

from affray.store.importers.typed_fields import Number
from affray.store.importers.values import Table

Words = list[str] | str


class Fields(Struct, frozen=True, rename="camel"):
    """A table of a file, of which any field may be missing."""


class Own(Fields, frozen=True):
    """A value, or the most of it."""

    value: Number = None
    max: Number = None


class Life(Fields, frozen=True):
    base_max: Number = None  # a5e
    max: Number = None
    value: Number = None
    formula: str = ""


class ArmourClass(Fields, frozen=True):
    calc: str | None = None
    flat: Number = None
    value: Number = None
    bonus: Number = None
    formula: Number = None
    base_formula: Number = None  # a5e


class Bonus(Fields, frozen=True):
    bonus: Number = None


class Distance(Fields, frozen=True):
    distance: Number = None


class CanHover(Fields, frozen=True):
    hover: bool = False


class Movement(Fields, frozen=True):
    walk: Number | Distance = None
    fly: Number | Distance = None
    swim: Number | Distance = None
    climb: Number | Distance = None
    burrow: Number | Distance = None
    hover: bool = False
    traits: CanHover = CanHover()  # a5e


class Speed(Fields, frozen=True):
    """Speeds in words, before dnd5e 1.2: `30 ft.` and `fly 60 ft., swim 30 ft.`"""

    value: Number = None
    special: str = ""


class Senses(Fields, frozen=True):
    blindsight: Number | Distance = None
    darkvision: Number | Distance = None
    tremorsense: Number | Distance = None
    truesight: Number | Distance = None
    ranges: dict[str, Number] = {}  # dnd5e from 5.3 on


class Attributes(Fields, frozen=True):
    hp: Life = Life()
    ac: ArmourClass = ArmourClass()
    init: Bonus = Bonus()
    movement: Movement = Movement()
    speed: Speed = Speed()
    senses: Senses | None = None  # the traits have them in dnd5e before 1.2
    spellcasting: str = ""


class CreatureType(Fields, frozen=True):
    value: str = ""
    subtype: str = ""


class Biography(Fields, frozen=True):
    value: str = ""


class Details(Fields, frozen=True):
    """cr  null for the summoned, who have the proficiency bonus of their summoner; else empty"""

    cr: Number = ""
    level: Number = None
    alignment: str = ""
    type: CreatureType | str = ""  # a text before dnd5e 1.4
    creature_types: list[str] | None = None  # a5e
    elite: bool = False  # a5e
    bio: str = ""  # a5e
    biography: Biography = Biography()


class Listed(Fields, frozen=True):
    """Types of damage, conditions or languages: those of a list, and others in words."""

    value: Words = []
    custom: str = ""
    bypasses: Words = []


class Traits(Fields, frozen=True):
    size: str = ""
    senses: Senses | str = ""  # before dnd5e 1.2
    languages: Listed = Listed()
    dr: Listed = Listed()
    di: Listed = Listed()
    dv: Listed = Listed()
    ci: Listed = Listed()
    damage_resistances: list[str] | None = None  # a5e, as the next three
    damage_immunities: list[str] | None = None
    damage_vulnerabilities: list[str] | None = None
    condition_immunities: list[str] | None = None


class Resources(Fields, frozen=True):
    legact: Own = Own()
    legres: Own = Own()


class SaveOf(Fields, frozen=True):
    proficient: bool | Number = None  # a5e
    bonus: Number = None


class Bonuses(Fields, frozen=True):
    save: Number = None


class Ability(Fields, frozen=True):
    value: Number = None
    proficient: bool | Number = None
    save: Number | SaveOf = None
    bonuses: Bonuses = Bonuses()


class Skill(Fields, frozen=True):
    value: Number = None
    proficient: bool | Number = None  # a5e
    ability: str = ""


class Slots(Own, frozen=True):
    override: Number = None


class SpellResources(Fields, frozen=True):
    slots: dict[str, Own] = {}


class Proficiencies(Fields, frozen=True):
    languages: Words = []


class Source(Fields, frozen=True):
    book: str = ""
    license: str = ""


class Actor(Fields, frozen=True):
    """The fields under `system` of an actor, or under `data` in older files.

    bonuses  of all rolls of a kind: `{"mwak": {"attack": "2"}}`, `{"spellDC": "1"}`
    """

    abilities: dict[str, Ability] = {}
    attributes: Attributes = Attributes()
    details: Details = Details()
    traits: Traits = Traits()
    skills: dict[str, Skill] = {}
    resources: Resources = Resources()
    spells: dict[str, Slots] = {}
    spell_resources: SpellResources = SpellResources()  # a5e
    proficiencies: Proficiencies = Proficiencies()  # a5e
    bonuses: dict[str, Table | Number] = {}
    source: Source | str = ""
