"""What rule systems share who make rows of a bestiary of other programs' creatures.

A row has the words of `add`; what an attack or a power says is one text:

    "Tail Sweep" +7 2d8+4 bludgeoning melee reach 10 inflicts prone
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
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
    """A row in the making: what it says, as `add` does, {"hp": 22, "size": "large"}; the parts of
    the creature that are in it whole, as `left_of` calls them; and the words that are a reading of
    another game's numbers."""

    words: dict[str, Any]
    taken: list[str]
    proposed: list[str] = []

    def put(self, word: str, part: str, value: object) -> None:
        """Put in a part of the creature, where it has that."""
        if value is not None and value != "":
            self.words[word] = value
            self.taken.append(part)

    def propose(self, word: str, value: object) -> None:
        """Put in a reading, where there is one; what it was read from stays in the text."""
        if value is not None and value != "" and value != []:
            self.words[word] = value
            self.proposed.append(word)

    def put_all(self, word: str, said: list[str], is_own: bool) -> None:
        """Put in what may be said several times, where it is said; unless the numbers are the
        game's own, it is proposed."""
        if said and is_own:
            self.words[word] = said
        elif said:
            self.propose(word, said)

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


def made(
    creature: Creature,
    features: list[Feature],
    row: Draft,
    used: Collection[Feature],
    told: Collection[Feature],
    left: list[str],
) -> Imported:
    """The row with what is left of the creature. Of its `features`, which are its own in their
    order as they were read, some are `used`, and of these some `told` in the row; `left` is what
    of them it can't say."""
    pairs = [*zip(creature.features, features, strict=True)]
    rest = left_of(creature, row.taken, [own for own, read in pairs if read in used])
    return Imported(
        row.words,
        (*rest, *dict.fromkeys(left)),
        tuple(own for own, read in pairs if read in told),
        tuple(row.proposed),
    )


def shortened(name: str, longest: int = LONGEST) -> str:
    """A name of at most as many characters, up to a colon or between two words."""
    if len(name) <= longest:
        return name
    head = name.partition(":")[0].strip()
    if 3 <= len(head) <= longest:
        return head
    cut = name[: longest - 1]
    return f"{cut.rpartition(' ')[0] or cut}…"


def named_apart(features: Iterable[Feature]) -> list[Feature]:
    """Features with names that are short enough and that no two of them have: of two `Dagger` the
    one that is thrown becomes `Dagger (ranged)`; else they are numbered."""
    taken: set[str] = set()
    found = []
    for row in features:
        whole = " ".join(row.name.replace('"', "'").split())
        name = shortened(whole)
        if name != whole:
            row = replace(row, text=f"{whole}. {row.text}".strip())
        if name.casefold() in taken and row.attack is not None:
            name = f"{name[: LONGEST - 9]} ({row.attack.reach})"
        number = 2
        while name.casefold() in taken:
            name = f"{shortened(whole, LONGEST - 3)} {number}"
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
    word: str = "inflicts",
) -> str:
    """`inflicts grappled 14 inflicts slowed target-end`, of the conditions that a game knows.

    What a sheet can't say goes to `left`. `damage` is what damage that goes on is called, and
    `word` what each begins with.
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
        said.append(phrase(word, what, ends.get(row.until, "")))
    return phrase(*said)


def typed(part: Damage, types: Collection[str], left: list[str]) -> str:
    """Damage with its type: `2d6+3 cold`. A type that the game doesn't have goes to `left`."""
    if part.type and part.type not in types:
        left.append(f"{part.type} damage")
    return phrase(part.dice, part.type if part.type in types else "")


def unsaid(feature: Feature, has_saves: bool = True) -> Iterator[str]:
    """That an attack's text says more than a row can: beside damage, conditions, and a save where
    rows have that; or damage that falls in some case alone."""
    hit = re.split(r"\bhit: |\bft\. (?=\d)", feature.text, flags=re.IGNORECASE)[-1]
    said = feature.inflicts or (has_saves and (feature.save or feature.binds))
    dealt = {part.dice for part in (*feature.damage, *feature.failed)}
    dealt |= {row.damage.dice for row in feature.inflicts if row.damage}
    others = {re.sub(r"\s", "", dice) for dice in _DICE.findall(hit)} - dealt
    if others or (len(re.findall(r"[.!?](?:\s|$)", hit)) > 1 and not said):
        yield f"{feature.name}: more than its attack"


_DICE = re.compile(r"\d+d\d+(?:\s*[+-]\s*\d+)?")


def alike(feature: Feature, types: Mapping[str, str], conditions: Mapping[str, str]) -> Feature:
    """A feature with a game's own words for types of damage and conditions; of a type that is
    empty there nothing is said."""

    def dealt(parts: tuple[Damage, ...]) -> tuple[Damage, ...]:
        return tuple(replace(part, type=types.get(part.type, part.type)) for part in parts)

    def laid(rows: tuple[Infliction, ...]) -> tuple[Infliction, ...]:
        return tuple(
            replace(
                row,
                condition=conditions.get(row.condition, row.condition),
                damage=next(iter(dealt((row.damage,))), None) if row.damage else None,
            )
            for row in rows
        )

    return replace(
        feature,
        damage=dealt(feature.damage),
        failed=dealt(feature.failed),
        inflicts=laid(feature.inflicts),
        binds=laid(feature.binds),
    )


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
            row.put_kinds(stat, part, types, tables.damage_types or types)
    own = some(creature, *tables.tracks)
    return Imported(row.words | own, left_of(creature, (*row.taken, *own), ()))
