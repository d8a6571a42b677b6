"""What rule systems share who make rows of a bestiary of other programs' creatures.

A row has the words of `add`; what an attack or a power says is one text:

    "Tail Sweep" +7 2d8+4 bludgeoning melee reach 10 inflicts prone
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from affray.core.rules.imported import (
    Creature,
    Damage,
    Feature,
    Imported,
    Infliction,
    hp_of,
    left_of,
)
from affray.core.rules.tables import Tables

LONGEST = 40
"""The characters that a name may have."""
ENDS = {
    "start": "target-start",
    "end": "target-end",
    "start of source": "user-start",
    "end of source": "user-end",
    "fight": "until fight",
}
"""How long something lasts -> how sheets say it."""


class Draft(Struct):
    """A row in the making: what it says, as `add` does, {"hp": 22, "size": "large"}; and the parts
    of the creature that are in it whole, as `left_of` calls them."""

    words: dict[str, Any]
    taken: list[str]

    def put(self, word: str, part: str, value: object) -> None:
        """Put in a part of the creature, where it has that."""
        if value is not None and value != "":
            self.words[word] = value
            self.taken.append(part)

    def put_kinds(
        self, word: str, part: str, kinds: Collection[str], known: Collection[str]
    ) -> None:
        """Put in the types of damage, or conditions, that the game knows, behind what the word says
        already; the part is taken if it knows them all."""
        fits = [kind for kind in kinds if kind in known]
        if fits:
            self.words[word] = ",".join([*filter(None, [self.words.get(word)]), *fits])
        if len(fits) == len(kinds):
            self.taken.append(part)


def begun(creature: Creature) -> Draft:
    """The row of a creature, with its HP, which mean much the same in all games."""
    return Draft({"hp": hp_of(creature)}, ["HP"])


def against(creature: Creature) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Which damage does less, more or nothing: the usual word for it, the part, and the types."""
    return (
        ("resist", "resistance", creature.resist),
        ("vulnerable", "vulnerability", creature.vulnerable),
        ("immune", "immunity", creature.immune),
    )


def quoted(text: str) -> str:
    """A text in quotes, on one line."""
    plain = " ".join(text.split()).replace('"', "'")
    return f'"{plain}"'


def phrase(*words: str) -> str:
    """Words with blanks between them, empty ones left out."""
    return " ".join(filter(None, words))


def named_apart(features: Iterable[Feature]) -> list[Feature]:
    """Features with names that are short enough and that no two of them have: of two `Dagger` the
    one that is thrown becomes `Dagger (ranged)`; else they are numbered."""
    taken: set[str] = set()
    found = []
    for row in features:
        name = " ".join(row.name.replace('"', "'").split())[:LONGEST].strip()
        if name.casefold() in taken and row.attack is not None:
            name = f"{name[: LONGEST - 9]} ({row.attack.reach})"
        number = 2
        while name.casefold() in taken:
            name = f"{row.name[: LONGEST - 4]} {number}"
            number += 1
        taken.add(name.casefold())
        found.append(replace(row, name=name))
    return found


def inflicts(
    rows: Iterable[Infliction],
    known: Collection[str],
    left: list[str],
    ends: Mapping[str, str] = ENDS,
    damage: str = "",
) -> str:
    """`inflicts grappled 14 inflicts slowed target-end`, of the conditions that a game knows.

    What a sheet can't say goes to `left`. `damage` is what damage that goes on is called.
    """
    said = []
    for row in rows:
        if row.damage is not None and damage:
            what = phrase(damage, row.damage.dice, row.damage.type)
        elif row.damage is None and row.condition in known:
            what = phrase(row.condition, str(row.dc) if row.dc else "")
        else:
            left.append(f"inflicts {row.condition}")
            continue
        said.append(phrase("inflicts", what, ends.get(row.until, "")))
    return phrase(*said)


def typed(part: Damage, types: Collection[str]) -> str:
    """Damage with its type where the game has it: `2d6+3 cold`."""
    return phrase(part.dice, part.type if part.type in types else "")


def some(creature: Creature, *parts: str) -> dict[str, int]:
    """Numbers that a list has under names that the game itself uses: `fatigue`, `cr`."""
    found = {part: creature.said.get(part, "") for part in parts}
    return {part: int(said) for part, said in found.items() if said.isdecimal() and len(said) < 4}


def is_own(creature: Creature, *games: str) -> bool:
    """Whether its numbers mean what they mean in a game: a list's are the game's that is played."""
    return creature.game in ("", *games)


def counted(tables: Tables, creature: Creature) -> Imported:
    """The row of a creature of any game for one that only counts: HP, AC, initiative, speed, types
    of damage, and the campaign's own tracks. What it can do stands in the text."""
    row = begun(creature)
    for name, part, value in (
        ("ac", "AC", creature.ac),
        ("init", "initiative", creature.initiative),
        ("speed", "speed", creature.speeds.get("walk")),
    ):
        if value is not None and (value >= 0 or name == "init"):
            row.put(name, part, value)
    for stat, part, types in against(creature):
        if types and not any(f"{stat} {kind}" in creature.amounts for kind in types):
            row.put(stat, part, ",".join(types))
    own = some(creature, *tables.tracks)
    return Imported(row.words | own, left_of(creature, (*row.taken, *own), ()))
