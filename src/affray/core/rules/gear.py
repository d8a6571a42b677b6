"""What is worn, wielded and carried, as rows of tables: a sheet need only name it.

[weapons.glaive]
dice = "1d10"
type = "slashing"
tags = ["two-handed"]
kind = "martial"
weight = 2
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Weight = int | Literal["light"]
"""What one of it weighs: 0 for nothing, less for what makes carrying easier; of what is `light`,
only several weigh something."""


class ArmorRule(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Armour, or a shield: its kind in the game's own words, its AC and its weight."""

    kind: str = ""
    ac: int = 0
    weight: Weight = 0


class WeaponRule(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What one attacks with.

    dice      its damage, of a `type`
    tags      what the game's rules know of it: `agile`, `two-handed`
    kind      as what one is proficient with it
    range     how many feet it reaches; 0 where that is not said
    inflicts  effects that its hits bring
    """

    dice: str = ""
    type: str = ""
    tags: tuple[str, ...] = ()
    kind: str = ""
    range: int = 0
    inflicts: tuple[str, ...] = ()
    weight: Weight = 0


class ItemRule(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Whatever else is carried.

    ap    what using it costs in all, where that is not the usual price
    kept  whether it is still there when it has been used
    text  what it does, in our own words; told when it is used
    """

    weight: Weight = 0
    ap: int = 0
    kept: bool = False
    text: str = ""
