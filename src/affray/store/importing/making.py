"""Rows of a bestiary from creatures: their keys, names and text, and what of them is left out."""

from __future__ import annotations

import re
from typing import Any

from msgspec import Struct

from affray.core.commands.adding import slug
from affray.core.language.refusal import Refused
from affray.core.rules.imported import PROPOSED, Creature, told
from affray.core.rules.ruleset import Ruleset

LONGEST_NAME = 40
KINDS = ("pc", "monster", "hazard", "party")
"""Words behind `add` that mean something else."""


class Made(Struct, frozen=True):
    """A row of a bestiary or a party: its key, what it is made of, and what it has no place for."""

    key: str
    name: str
    row: dict[str, Any]
    creature: Creature
    left: tuple[str, ...]
    proposed: tuple[str, ...] = ()


def fault_of(creature: Creature) -> str:
    """Why a creature can't be in a fight; empty when it can."""
    if not creature.name:
        return "it has no name"
    if creature.hp is None:
        return "it has no HP"
    try:
        key_of(creature.name)
    except Refused as refusal:
        return str(refusal)
    return ""


def key_of(name: str) -> str:
    """The word by which `add` knows a creature of that name: in small letters, with hyphens.

    Raises Refused where it can have none.
    """
    key = slug(shortened(name))
    return f"the-{key}" if key in KINDS else key


def shortened(name: str) -> str:
    """A name of at most as many characters as affray's have, without quotes, with a letter first:
    a number would be a place in the list."""
    name = " ".join(name.replace('"', "'").split())
    name = f"The {name}" if re.match(r"\W*\d", name) else name
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1].rstrip() + "…"


def made_of(ruleset: Ruleset, creature: Creature) -> Made:
    """The row that a rule system makes of a creature."""
    imported = ruleset.imports(ruleset.tables, creature)
    name = shortened(creature.name)
    left = imported.left
    if name != creature.name:
        left = (f"its whole name, {creature.name!r}", *left)
    text = told(creature, imported.left, imported.told)
    row = {"name": name, **imported.row}
    row |= {PROPOSED: list(imported.proposed)} if imported.proposed else {}
    row |= {"text": text} if text else {}
    return Made(key_of(creature.name), name, row, creature, left, imported.proposed)
