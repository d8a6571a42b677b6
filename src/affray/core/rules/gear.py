"""What is worn, wielded and carried, as rows of tables: a sheet need only name it.

[weapons.glaive]
dice = "1d10"
type = "slashing"
tags = ["two-handed"]
kind = "martial"
weight = 2
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from affray.core.language.refusal import Refused
from affray.core.rules.checking import check_name

if TYPE_CHECKING:
    from affray.core.rules.ruleset import Ruleset
    from affray.core.rules.tables import Tables

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


def check_gear(ruleset: Ruleset, more: Tables) -> None:
    """Raises Refused, in one line, for the first row of gear that the game couldn't play by."""
    named = {table: list(getattr(more, table)) for table in ("armor", "weapons", "items")}
    for table, names in named.items():
        if names and ruleset.reads.gear is None:
            raise Refused(f"[{table}]: in {ruleset.name} no sheet is made of them")
        for name in names:
            check_name(f"[{table}.{name}]", name, by="sheet")
    if ruleset.reads.gear is not None:
        ruleset.reads.gear(ruleset.tables.merged(more), more)
