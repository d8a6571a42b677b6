"""Attacks, saves and what they bring, read from the sentences of a stat block.

All data of the kind have one way of saying them, which is right where their tables are not:

    Melee Weapon Attack: +9 to hit, reach 15 ft., one target. Hit: 19 (4d6 + 5) bludgeoning damage.
    Each creature makes a DC 16 Dexterity saving throw, taking 31 (7d8) fire damage on a failure.
"""

from __future__ import annotations

import re

from affray.core.rules.imported import Attack, Damage, Infliction, Save
from affray.store.importing.values import ABILITY_NAMES, MINUS

DAMAGE_TYPES = (
    "acid", "bludgeoning", "cold", "fire", "force", "lightning", "necrotic", "piercing", "poison",
    "psychic", "radiant", "slashing", "thunder",
)  # fmt: skip
CONDITIONS = (
    "blinded", "charmed", "confused", "dazed", "deafened", "doomed", "frightened", "grappled",
    "incapacitated", "invisible", "paralyzed", "petrified", "poisoned", "prone", "rattled",
    "restrained", "slowed", "stunned", "unconscious",
)  # fmt: skip
"""The conditions of the games whose stat blocks are written so."""

_DICE = r"\d{1,3}d\d{1,4}(?:\s*[+\-−–]\s*\d{1,4})?"
_TYPE = "|".join(DAMAGE_TYPES)
_ATTACK = re.compile(
    r"(?:(?P<how>melee or ranged|melee|ranged) )?(?:(?P<what>weapon|spell) )?attack(?: roll)?s?: ?"
    r"(?P<bonus>[+\-−–] ?\d{1,2})(?: to hit)?",
    re.IGNORECASE,
)
_REACH = re.compile(r"reach (\d{1,4}) ?(?:ft|feet|foot)", re.IGNORECASE)
_RANGE = re.compile(r"range (\d{1,4})(?:/(\d{1,4}))? ?(?:ft|feet|foot)", re.IGNORECASE)
_HIT = re.compile(r"\bhit(?: or miss)?: ?", re.IGNORECASE)
_DAMAGE = re.compile(
    rf"(?:\d{{1,4}} ?\((?P<dice>{_DICE})\)|(?P<only>{_DICE})|(?P<flat>\d{{1,4}}))"
    rf" (?:of )?(?:(?P<type>{_TYPE}) )?damage",
    re.IGNORECASE,
)
_ONGOING = re.compile(
    rf"(?:\d{{1,4}} ?\((?P<dice>{_DICE})\)|(?P<only>{_DICE})|(?P<flat>\d{{1,4}}))"
    rf" ongoing (?:(?P<type>{_TYPE}) )?damage",
    re.IGNORECASE,
)
_FURTHER = re.compile(r"^,? ?(?:plus|and)(?: an(?:other| additional| extra)?)? ?$", re.IGNORECASE)
_SAVE = re.compile(
    rf"DC (?P<dc>\d{{1,2}}) (?P<first>{'|'.join(ABILITY_NAMES)})(?: saving throw| save)?"
    rf"|(?P<second>{'|'.join(ABILITY_NAMES)}) (?:saving throw|save):? ?\(?DC (?P<dc2>\d{{1,2}})",
    re.IGNORECASE,
)
_IS_SAVE = re.compile(r"sav(?:e|ing throw)", re.IGNORECASE)
_HALF = re.compile(
    r"\bhalf (?:as much |of (?:this|that|the) )?(?:the )?damage\b|\bhalf as much", re.I
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_CONDITION = re.compile(
    r"\b(?:is|are|be|being|becom(?:e|es|ing)|fall(?:s|ing)|knock(?:s|ed)|gains? the|and|or|,)"
    r" (?:(?:also|magically|knocked|instead|it|the target|the creature|is|are|be|fall|becomes?) )*"
    rf"(?P<condition>{'|'.join(CONDITIONS)})\b",
    re.IGNORECASE,
)
_CHOSEN = re.compile(r"one of the following|chooses? one|your choice", re.IGNORECASE)
_ESCAPE = re.compile(r"escape DC (\d{1,2})", re.IGNORECASE)
_UNLESS = re.compile(
    r"^(?:while|when|whenever|as long as|unless|a creature that (?!fails)|if (?!the target is an? |"
    r"it is an? |the creature is an? |the target fails|it fails|the save))",
    re.IGNORECASE,
)
_TURN = re.compile(
    r"until the (?P<edge>start|end) of "
    r"(?:(?P<bearer>its|their|the (?:target|creature)\S*)|[^.,]{1,60}?) next turn",
    re.IGNORECASE,
)
_UNTIL = (
    (re.compile(r"save ends", re.IGNORECASE), "save"),
    (re.compile(r"until the end of the encounter", re.IGNORECASE), "fight"),
    (re.compile(r"until (?:it|they|the target) escapes?", re.IGNORECASE), "escape"),
)
_OTHERS = re.compile(
    r"\b(?:immune|advantage|disadvantage|already|not|no longer|can't|cannot)\b", re.I
)


def attack_of(text: str) -> Attack | None:
    """The attack roll that a text asks for; None for none."""
    found = _ATTACK.search(text)
    if found is None:
        return None
    head = text[found.end() : _end_of_head(text, found.end())]
    reach, far = _REACH.search(head), _RANGE.search(head)
    how = (found["how"] or ("ranged" if far and not reach else "melee")).casefold()
    near = int(reach[1]) if reach else 0
    return Attack(
        bonus=int(found["bonus"].translate(MINUS).replace(" ", "")),
        reach="both" if " or " in how or (reach and far) else how,
        feet=near or (int(far[1]) if far else 0),
        far=int(far[1]) if near and far else 0,
        long=int(far[2]) if far and far[2] else 0,
        spell=(found["what"] or "").casefold() == "spell",
    )


def _end_of_head(text: str, start: int) -> int:
    found = _HIT.search(text, start)
    return found.start() if found else min(len(text), start + 200)


def hit_of(text: str) -> str:
    """What a text says of a hit: all behind `Hit:`, up to what comes of a miss."""
    found = _HIT.search(text)
    if found is None:
        return ""
    return re.split(r"\bMiss: ", text[found.end() :])[0]


def damage_of(text: str) -> tuple[Damage, ...]:
    """The parts of the first damage that a text tells of: `7 (1d8 + 3) cold plus 4 (1d8) fire`.

    What comes behind `or` is another way of it, and no part.
    """
    parts: list[Damage] = []
    end = 0
    for found in _DAMAGE.finditer(text):
        if parts and not _FURTHER.match(text[end : found.start()]):
            break
        parts.append(_amount(found))
        end = found.end()
    return tuple(part for part in parts if part.dice != "0")


def _amount(found: re.Match[str]) -> Damage:
    said = (found["dice"] or found["only"] or found["flat"]).translate(MINUS)
    return Damage(re.sub(r"\s", "", said), (found["type"] or "").casefold())


def save_of(text: str) -> tuple[Save, str, str] | None:
    """The first saving throw that a text asks for, with the text before and behind it."""
    for found in _SAVE.finditer(text):
        if not _IS_SAVE.search(text[found.start() : found.end() + 14]):
            continue  # an ability check
        ability = ABILITY_NAMES[(found["first"] or found["second"]).casefold()]
        behind = text[found.end() :]
        save = Save(ability, int(found["dc"] or found["dc2"]), half=bool(_HALF.search(behind)))
        return save, text[: found.start()], behind
    return None


def inflictions_of(text: str) -> tuple[Infliction, ...]:
    """The conditions and the ongoing damage that a text lays on its target, each once.

    Sentences that tell of another case (`while`, `if it is already ...`) are for people to read,
    and so is a text that offers a choice.
    """
    if _CHOSEN.search(text):
        return ()
    found: dict[str, Infliction] = {}
    repeats = re.search(r"repeats? (?:the|this|its) sav", text, re.IGNORECASE) is not None
    for sentence in _SENTENCE.split(text):
        if _UNLESS.match(sentence) or re.match(r"on a success", sentence, re.IGNORECASE):
            continue
        if ongoing := _ONGOING.search(sentence):
            found.setdefault("ongoing", Infliction("ongoing", damage=_amount(ongoing)))
        for match in _CONDITION.finditer(sentence):
            condition = match["condition"].casefold()
            if condition in found or _OTHERS.search(
                sentence[max(0, match.start() - 25) : match.start()]
            ):
                continue
            escape = _ESCAPE.search(sentence)
            until = "repeat" if repeats else until_of(sentence[match.end() :])
            if condition == "grappled" and escape:
                until = "escape"
            dc = int(escape[1]) if escape and until == "escape" else 0
            found[condition] = Infliction(condition, until, dc)
    return tuple(found.values())


def until_of(text: str) -> str:
    """How long something lasts, as `Infliction.until` has it, from the words behind it."""
    turn = _TURN.search(text)
    if turn:
        whose = "" if turn["bearer"] else " of source"
        return f"{turn['edge'].casefold()}{whose}"
    return next((until for pattern, until in _UNTIL if pattern.search(text)), "")
