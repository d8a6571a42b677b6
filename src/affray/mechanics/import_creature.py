"""What rule systems share that turn other programs' creatures into rows of a bestiary (`RowDraft`).

A row has the words of `add`; an attack or a power is one text:

    "Tail Sweep" +7 2d8+4 bludgeoning melee reach 10 inflicts prone
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import WRITTEN, parse_dice, to_notation
from affray.core.engine.durations import Until, parse_row_until
from affray.core.rules.imported_creature import (
    ImportedAttack,
    ImportedCondition,
    ImportedCreature,
    ImportedDamage,
    ImportedFeature,
    ImportedSave,
    ImportResult,
    ability_modifier,
    hp_of,
    proficiency,
    unused_fields,
)
from affray.core.rules.tables import USUAL_TABLES, Tables

LONGEST = 40
"""The characters that a name may have."""


class RowDraft(Struct):
    """A roster row while an importer fills it.

    Attributes:
        words: What the row says, in the words of `add`: {"ac": 12, "size": "large"}.
        taken: The parts of the creature that the row holds completely, named as in `unused_fields`.
        proposed: The words whose values are converted from another game's numbers.
    """

    words: dict[str, Any]
    taken: list[str]
    proposed: list[str] = []

    def put(self, word: str, part: str, value: object) -> None:
        """Put in a part of the creature, unless it is empty."""
        if value is not None and value != "":
            self.words[word] = value
            self.taken.append(part)

    def propose(self, word: str, value: object) -> None:
        """Put in a converted value, unless it is empty; its source stays in the text."""
        if value is not None and value != "" and value != []:
            self.words[word] = value
            self.proposed.append(word)

    def put_all(self, word: str, values: list[str], is_own: bool) -> None:
        """Put in the values of a repeatable word; numbers of another game are proposed."""
        if values and is_own:
            self.words[word] = values
        elif values:
            self.propose(word, values)

    def put_kinds(
        self, word: str, part: str, kinds: Collection[str], known_kinds: Collection[str]
    ) -> None:
        """Append the damage types or conditions that the game knows to a word's value.

        The part counts as taken if the game knows all of them."""
        fits = [kind for kind in kinds if kind in known_kinds]
        if fits:
            self.words[word] = ",".join([*filter(None, [self.words.get(word)]), *fits])
        if len(fits) == len(kinds):
            self.taken.append(part)


def start_row(creature: ImportedCreature, tables: Tables = USUAL_TABLES) -> RowDraft:
    """The row of a creature, with its HP, which mean much the same in all games, by their name in
    the game's `tables`. A game in which they mean nothing begins with `RowDraft({}, [])`."""
    return RowDraft({tables.health: hp_of(creature)}, ["HP"])


def resistances(creature: ImportedCreature) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """List the damage types that do less, more or nothing: the usual word, the part, and the
    types."""
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


def build_result(
    creature: ImportedCreature,
    features: list[ImportedFeature],
    row: RowDraft,
    used: Collection[ImportedFeature],
    in_row: Collection[ImportedFeature],
    left: list[str],
) -> ImportResult:
    """Return the finished row with the parts of the creature that it doesn't hold.

    Args:
        features: The creature's features as the game reads them, in the creature's order.
        used: Those of `features` that the row uses, in whole or in part.
        in_row: Those of `features` that the row holds.
        left: Parts of the used features that the row can't express.
    """
    pairs = [*zip(creature.features, features, strict=True)]
    rest = unused_fields(creature, row.taken, [own for own, read in pairs if read in used])
    left += (line for read in features if read in used for line in _list_later_saves(read))
    return ImportResult(
        row.words,
        (*rest, *dict.fromkeys(left)),
        tuple(own for own, read in pairs if read in in_row),
        tuple(row.proposed),
    )


def shortened(name: str, longest: int = LONGEST) -> str:
    """A name of at most as many characters, up to a colon or brackets, or between two words."""
    if len(name) <= longest:
        return name
    for head in (name.partition(":")[0].strip(), name.partition(" (")[0]):
        if 3 <= len(head) <= longest:
            return head
    cut = name[: longest - 1]
    return f"{cut.rpartition(' ')[0] or cut}…"


def unique_names(features: Iterable[ImportedFeature]) -> list[ImportedFeature]:
    """Features with short and unique names: of two `Dagger` the thrown one becomes `Dagger
    (ranged)`; other namesakes get numbers."""
    taken: set[str] = set()
    found = []
    for row in features:
        whole = " ".join(row.name.replace('"', "'").split())
        name = shortened(whole)
        if name != whole:
            row = replace(row, text=f"{whole}. {row.text}".strip())
        if (plain := name.casefold()) in taken and row.attack is not None:
            name = f"{name[: LONGEST - 9]} ({row.attack.reach})"
            plain = name.casefold()
        number = 2
        while plain in taken:
            name = f"{shortened(whole, LONGEST - 3)} {number}"
            plain = name.casefold()
            number += 1
        taken.add(plain)
        found.append(row if name == row.name else replace(row, name=name))
    return found


def inflicts(
    rows: Iterable[ImportedCondition],
    known_conditions: Collection[str],
    left: list[str],
    ends: Collection[str] = ("turn", "fight"),
    damage: str = "",
    word: str = "inflicts",
    repeated: str = "",
) -> str:
    """`inflicts grappled 14 inflicts slowed target-end`, for the conditions that a game knows.

    Parts that a sheet can't express go to `left`. `ends` are the possible ends, `damage` is the
    game's word for ongoing damage, `word` begins each of them, and `repeated` is the end of a
    condition with a new save each turn.
    """
    parts = []
    for row in rows:
        if row.damage is not None and damage:
            what = phrase(damage, row.damage.dice, row.damage.type)
        elif row.damage is None and row.condition in known_conditions:
            what = phrase(row.condition, str(row.dc) if row.dc else "")
        else:
            left.append(f"inflicts {row.condition}")
            continue
        until = parse_row_until(row.until)
        is_said = until is not None and (until.ends in ends or bool(until.text))
        end = str(until) if until and is_said and row.until not in _NO_WORDS else ""
        if row.until == "repeat" and repeated:
            end = phrase(repeated, f"for {row.most} turns" if row.most else "")
        elif row.until == "repeat":
            end = str(Until(text="a save at the end of its turn"))
        parts.append(phrase(word, what, end))
    return phrase(*parts)


_NO_WORDS = ("repeat", "escape")
"""The ends of a condition that no row says in words."""


def damage_with_type(part: ImportedDamage, types: Collection[str], left: list[str]) -> str:
    """Damage with its type: `2d6+3 cold`. A type that the game doesn't have goes to `left`."""
    if part.type and part.type not in types:
        left.append(f"{part.type} damage")
    return phrase(part.dice, part.type if part.type in types else "")


def list_missed(feature: ImportedFeature, has_saves: bool = True) -> Iterator[str]:
    """List the parts of an attack's text beyond a row's damage, conditions and save, and
    conditional damage."""
    hit = _BEFORE_HIT.split(feature.text)[-1]
    is_in_row = feature.inflicts or (has_saves and (feature.save or feature.binds))
    dealt = {part.dice for part in (*feature.damage, *feature.failed)}
    dealt |= {row.damage.dice for row in feature.inflicts if row.damage}
    others = {to_notation(dice) for dice in _DICE.findall(hit)} - dealt
    is_longer = not is_in_row and (len(_ENDS.findall(hit)) > 1 or _AND_THE.search(hit))
    if others or is_longer or _BEYOND.search(hit):
        yield f"{feature.name}: text beyond its attack"


def _list_later_saves(feature: ImportedFeature) -> Iterator[str]:
    """List the saves of a text beyond the one that a row can have, extra harm for failing by much,
    and an attack whose bonus is nowhere."""
    text, plain = feature.text, feature.text.casefold()
    is_twice = plain.count("dc") > 1 and len(_SAVE.findall(text)) > 1
    if is_twice or (("second " in plain or "repeat" in plain) and _SAVED_AGAIN.search(text)):
        yield f"{feature.name}: a second save"
    if feature.attack is None and "Attack" in text and _ROLL.search(text):
        yield f"{feature.name}: an attack without a bonus"
    if "fail" in plain and " by " in plain and (by_much := _BY_MUCH.search(text)):
        yield f"{feature.name}: the result of failing by {by_much[1]} or more"


_BEFORE_HIT = re.compile(r"\bhit: |\bft\. (?=\d)", re.IGNORECASE)
_ENDS = re.compile(r"[.!?](?:\s|$)")
_AND_THE = re.compile(r"\bdamage,? and (?:the|its|each|it)\b", re.IGNORECASE)
_BEYOND = re.compile(
    r"\bdamage\b[^.]{0,60}\bat the (?:start|end) of (?:each|every)\b|\bor die\b|\bdies\b"
    r"|\bhit point maximum\b|\b(?:can['’]t|cannot|can not) regain\b"
    r"|\bregains? (?:\d|hit points|a number)",
    re.IGNORECASE,
)
"""What no row has of a hit, whatever else it has: death, drained HP, harm turn by turn."""
_SAVE = re.compile(r"\bDC ?\d{1,2} [a-z]+ (?:saving throw|save)\b", re.IGNORECASE)
_SAVED_AGAIN = re.compile(
    r"\bsecond (?:failed (?:save|saving throw)|failure|save|saving throw)\b"
    r"|\brepeats? (?:the|this|that|its) (?:saving throw|save)\b[^.]*"
    r"(?:\.(?: [^.]*\bsuccess[^.]*\.)? (?:on|if) [^.]{0,30}?)?\bfail",
    re.IGNORECASE,
)
_BY_MUCH = re.compile(r"\bfail\w*\b[^.]{0,40}? by (\d+|five|ten)(?:\+| or more)", re.IGNORECASE)
_ROLL = re.compile(r"\b(?:Melee|Ranged|Melee or Ranged) (?:Weapon |Spell )?Attack(?: Roll)?: ?\S")
_DICE = re.compile(WRITTEN, re.IGNORECASE)


def alike(
    feature: ImportedFeature, types: Mapping[str, str], conditions: Mapping[str, str]
) -> ImportedFeature:
    """A feature with a game's own words for types of damage and conditions; a type that is empty
    there is left out."""

    def dealt(parts: tuple[ImportedDamage, ...]) -> tuple[ImportedDamage, ...]:
        return tuple(replace(part, type=types.get(part.type, part.type)) for part in parts)

    def laid(rows: tuple[ImportedCondition, ...]) -> tuple[ImportedCondition, ...]:
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


def known_numbers(creature: ImportedCreature, *parts: str) -> dict[str, int]:
    """Numbers that a list has under names that the game itself uses: `fatigue`, `cr`."""
    found = {part: creature.in_words.get(part, "") for part in parts}
    return {part: int(text) for part, text in found.items() if text.isdecimal() and len(text) < 4}


def is_same_system(creature: ImportedCreature, *games: str) -> bool:
    """True if its numbers are those of a game; a list's numbers are those of the game played."""
    return creature.game in ("", *games)


def generic_row(tables: Tables, creature: ImportedCreature) -> ImportResult:
    """Return the row of a creature for a game that only counts, whatever its own game.

    It has HP, AC, initiative, speed, types of damage, and the campaign's tracks; all else is text.
    """
    row = start_row(creature)
    for name, part, value in (
        ("ac", "AC", creature.ac),
        ("init", "initiative", creature.initiative),
        ("speed", "speed", creature.speeds.get("walk")),
    ):
        if value is not None and (value >= 0 or name == "init"):
            row.put(name, part, value)
    for stat, part, types in resistances(creature):
        if types and not any(f"{stat} {kind}" in creature.amounts for kind in types):
            row.put_kinds(stat, part, types, tables.damage_types or types)
    own = known_numbers(creature, *tables.tracks)
    return ImportResult(row.words | own, unused_fields(creature, (*row.taken, *own), ()))


# -------------------------------------------------------------------------------------------------
# The number of attacks with one action, from the words of a multiattack: "one bite attack and two
# claw attacks" is 3; "two sword attacks, or it makes four javelin attacks" is 4.

NAME = "multiattack"
MOST = 9
_COUNTS = {"a": 1, "an": 1, "another": 1, "once": 1, "twice": 2} | {
    word: at
    for at, word in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine"), 1
    )
}
_COUNT = rf"{'|'.join(sorted(_COUNTS, key=len, reverse=True))}|\d{{1,2}}d\d{{1,2}}|[1-9]"
_SENTENCE = re.compile(r"(?<=[.;])\s+|\bAlternatively,? ")
_EITHER = re.compile(
    r",? or (?=(?:it |they |he |she |the [\w’' -]{1,30} )?(?:can |instead )?"
    rf"(?:makes?|uses?|attacks?)\b|(?:{_COUNT}) )"
)
_ANY_OF = re.compile(r"attacks, or (?:\w+ )[^.,:]*attacks")
"""The end of a list of ways to attack: `two claw attacks, two axe attacks, or two bow attacks`."""
_DOES = re.compile(r"\b(?:makes?|takes|attacks?(?= (?:with|against|twice|once|\w+ times)))\b")
_USES = re.compile(
    r"\b(?:and|then) (?:can |it |may |if it can,? )*uses?\b|\bin place of\b|\breplac|\bby using\b"
)
_USED = re.compile(r"\buses? [A-Z][\w'’ ]{2,30}? (?P<count>twice|three times|four times)")
_ITEM = re.compile(
    rf"(?:^|,|:|\band|\bplus|\bthen|\balso|\bup to|\beither|\bany|\bof|\bmakes?) (?:up to |any )?"
    rf"(?P<count>{_COUNT})(?= (?!of |target|creature|additional target|time|foot|feet))",
    re.IGNORECASE,
)
_TIMES = re.compile(rf"\b(once|twice|(?:{_COUNT})(?= times))\b", re.IGNORECASE)
_WITH = re.compile(r"^ with (?P<list>(?:[^.:](?!\b(?:once|twice|times)\b))*)")
_ALL_OF_THEM = re.compile(
    rf"^ (?:either )?(?:up to )?(?:{_COUNT}) [^.:]*?attacks?[^.:]*?(?::| [-–—] )"
    rf"|^ (?:{_COUNT}) (?:melee |ranged |weapon |spell )*attacks, (?:{_COUNT}) (?:with|of)\b",
    re.IGNORECASE,
)
"""A count that says all, and its parts after it: `three attacks: one with its bite and two ...`"""
_MORE = re.compile(r"\b(?:also|then|can) makes?\b|\bcan (?:also|then) make\b")
_OTHERWISE = re.compile(r"\binstead\b|\breplac|\bin place of\b|\bform\b|\bits mount\b")
_HEADS = re.compile(r"\bas it has heads|\beach of its heads")
_HAS_HEADS = re.compile(rf"\b(?:has|with) ({_COUNT}) heads", re.IGNORECASE)
_DIFFERENT = re.compile(rf"\b({_COUNT}) different (?:targets|creatures)", re.IGNORECASE)
_ENTRY = re.compile(r"\b[A-Z][\w'’ ]{2,30}\. (?:Melee|Ranged)\b")
"""Where another entry has run into the text."""


def is_multiattack(feature: ImportedFeature) -> bool:
    """True if it allows several attacks, which are then made one by one."""
    return feature.attack is None and feature.name.casefold().startswith(NAME)


def attacks_at_once(features: Iterable[ImportedFeature]) -> int:
    """Count the attacks of one action; 0 for a single one, and where the text doesn't tell. Of
    several ways to attack the one with the most attacks counts."""
    row = [*features]
    text = next((f.text for f in row if is_multiattack(f)), "")
    count = count_of(text)
    if _HEADS.search(text):
        has = (_HAS_HEADS.search(f.text) for f in row)
        count = next((_value(found[1]) for found in has if found), count)
    return min(count, MOST) if count > 1 else 0


def count_of(text: str) -> int:
    """The most attacks that a multiattack's text gives."""
    whole = 0
    flat = " ".join(text.replace("--", "—").split())
    for sentence in _SENTENCE.split(_ENTRY.split(flat)[0]):
        either = sentence.replace(",", " or") if _ANY_OF.search(sentence) else sentence
        most = max(_of_clause(part) for part in _EITHER.split(either))
        if apart := _DIFFERENT.search(sentence):
            most = max(most, _value(apart[1]))
        if whole and _MORE.search(sentence) and not _OTHERWISE.search(sentence):
            whole += most
        elif "its mount" not in sentence:
            whole = max(whole, most)
    return whole


def _of_clause(clause: str) -> int:
    used = sum(_value(found["count"].split(" ")[0]) for found in _USED.finditer(clause))
    does = _DOES.search(clause)
    if does is None:
        return used or _items(f" {clause}")
    text = clause[does.end() :]
    if does[0].startswith("attack"):
        return used + _with(text)
    again = re.split(r"\b(?:then|and) attacks\b", text)  # `makes four slams, then attacks with ...`
    return used + _items(_USES.split(again[0])[0]) + sum(map(_with, again[1:]))


def _items(text: str) -> int:
    """`two claw attacks and a bite attack` is 3; `three attacks: one with ...` is 3 as well."""
    counts = [_value(found["count"]) for found in _ITEM.finditer(text)]
    return counts[0] if counts and _ALL_OF_THEM.match(text) else sum(counts)


def _with(text: str) -> int:
    """`with its bite and twice with its claws` is 3, `with its bite, horns, and tail` is 3."""
    times = sum(map(_value, _TIMES.findall(text.partition(":")[0])))
    listed = _WITH.match(_USES.split(text)[0])
    if listed is None:
        return times
    if times:
        return 1 + times
    return len(re.split(r",? and |, | & ", listed["list"].strip(" .")))


def _value(count: str) -> int:
    word = count.casefold()
    if "d" in word and word[0].isdecimal():
        return parse_dice(word).highest
    return _COUNTS.get(word) or int(word)


# -------------------------------------------------------------------------------------------------
# Numbers proposed for creatures of another game. Orcus adds half the level to all rolls and
# defences, 5e and Level Up don't; a save against a DC is an attack with a bonus of DC - 8 there.

FOOT_BY_FOOT = ("level-up", "5e")
"""Games that measure in feet, with the same numbers."""
SQUARE = 5
"""The feet of a square."""
DC_OVER_BONUS = 8
DEFENCES = {
    "str": "fortitude", "con": "fortitude", "dex": "reflex", "int": "will", "wis": "will",
    "cha": "will",
}  # fmt: skip
"""The ability of a save -> the defence that is attacked in its place."""
SAVED_BY = {"fortitude": "con", "reflex": "dex", "will": "wis"}
OF_DEFENCE = {"fortitude": ("str", "con"), "reflex": ("dex", "int"), "will": ("wis", "cha")}
"""The pair of abilities for each defence; the higher counts (Orcus, Abilities)."""


def rating_of(creature: ImportedCreature) -> int | None:
    """Its challenge as a whole number, halves up; for Orcus half the level. None if the file has
    neither."""
    if creature.game == "orcus" and creature.level is not None:
        return creature.level // 2
    found = re.fullmatch(r"(\d{1,2})(?:/(\d))?", creature.cr)
    if found is None:
        return None
    return int(int(found[1]) / int(found[2] or 1) + 0.5) if found[2] != "0" else None


def in_5e(creature: ImportedCreature) -> ImportedCreature:
    """A monster of Orcus in the numbers of 5e and Level Up; any other as it is."""
    if creature.game != "orcus" or creature.level is None:
        return creature
    half = creature.level // 2
    return replace(
        creature,
        game="5e",
        cr=str(half),
        pb=proficiency(half),
        ac=_plus(creature.ac, -half),
        initiative=_plus(creature.initiative, -half),
        speeds={way: far * SQUARE for way, far in creature.speeds.items()},
        senses={sense: far * SQUARE for sense, far in creature.senses.items()},
        skills={skill: bonus - half for skill, bonus in creature.skills.items()},
        amounts={},
        features=tuple(_saved(row, half) for row in creature.features),
    )


def _saved(row: ImportedFeature, half: int) -> ImportedFeature:
    """An attack against a defence other than AC as a save."""
    attack = row.attack
    if attack is None:
        return row
    if attack.against == "ac":
        feet = replace(attack, bonus=attack.bonus - half, **_times(attack, SQUARE))
        return replace(row, attack=feet)
    dc = max(attack.bonus - half + DC_OVER_BONUS, 1)
    save = ImportedSave(SAVED_BY.get(attack.against, "con"), dc, half=row.miss == "half")
    return replace(
        row, attack=None, damage=(), inflicts=(), save=save, failed=row.damage, binds=row.inflicts
    )


def in_orcus(creature: ImportedCreature) -> ImportedCreature:
    """A creature of 5e or Level Up in the numbers of Orcus; one without a challenge as it is."""
    level = rating_of(creature)
    if level is None:
        return creature
    half, tier = level // 2, SQUARE * (1 + max(level - 1, 0) // 10)
    scores = {a: ability_modifier(n) for a, n in creature.abilities.items()}
    found = {
        name: 10 + half + max(creature.saves.get(a, scores.get(a, 0)) for a in pair)
        for name, pair in OF_DEFENCE.items()
    }
    return replace(
        creature,
        game="orcus",
        level=level,
        ac=_plus(creature.ac, half),
        defences=found,
        initiative=_plus(creature.initiative, half),
        speeds={way: far // SQUARE for way, far in creature.speeds.items()},
        senses={sense: far // SQUARE for sense, far in creature.senses.items()},
        skills={skill: bonus + half for skill, bonus in creature.skills.items()},
        passive_perception=_plus(creature.passive_perception, half),
        amounts={f"resist {kind}": tier for kind in creature.resist}
        | {f"vulnerable {kind}": tier for kind in creature.vulnerable},
        features=tuple(_attacking(row, half) for row in creature.features),
    )


def _attacking(row: ImportedFeature, half: int) -> ImportedFeature:
    """A save as an attack against a defence; a save behind a hit stays with the text."""
    attack = row.attack
    if attack is not None:
        squares = replace(attack, bonus=attack.bonus + half, **_times(attack, 1 / SQUARE))
        return replace(row, attack=squares, inflicts=_in_turns(row.inflicts))
    save = row.save
    if save is None or not (row.failed or row.binds):
        return row
    bonus = save.dc - DC_OVER_BONUS + half
    against = DEFENCES.get(save.ability, "fortitude")
    imported_attack = ImportedAttack(bonus, against, reach="near")
    return replace(
        row,
        attack=imported_attack,
        damage=row.failed,
        inflicts=_in_turns(row.binds),
        miss="half" if save.half else "",
        save=None,
        failed=(),
        binds=(),
    )


def _in_turns(rows: tuple[ImportedCondition, ...]) -> tuple[ImportedCondition, ...]:
    ends = {"repeat": "save"}
    return tuple(replace(row, until=ends.get(row.until, row.until), dc=0) for row in rows)


def _times(attack: ImportedAttack, by: float) -> dict[str, int]:
    return {name: int(getattr(attack, name) * by) for name in ("feet", "far", "long")}


def _plus(number: int | None, more: int) -> int | None:
    return None if number is None else number + more
