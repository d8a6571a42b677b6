"""Attacks, saves and what they bring, read from the sentences of a stat block.

All data of the kind have one way of saying them, which is right where their tables are not:

    Melee Weapon Attack: +9 to hit, reach 15 ft., one target. Hit: 19 (4d6 + 5) bludgeoning damage.
    Each creature makes a DC 16 Dexterity saving throw, taking 31 (7d8) fire damage on a failure.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from affray.core.rules.imported import Attack, Damage, Infliction, Save
from affray.rulesets import load_ruleset
from affray.store.importing.values import ABILITIES, ABILITY_NAMES, MINUS, ability

DAMAGE_TYPES = load_ruleset("level-up").tables.damage_types
"""Types that are known as such wherever they stand: those of the game whose stat blocks are written
so. Of any other, such as a campaign's own, the word `damage` behind it tells."""
CONDITIONS = (
    "blinded", "charmed", "confused", "dazed", "deafened", "doomed", "frightened", "grappled",
    "incapacitated", "invisible", "paralyzed", "petrified", "poisoned", "prone", "rattled",
    "restrained", "slowed", "stunned", "unconscious",
)  # fmt: skip
"""The conditions of the games whose stat blocks are written so."""

_DICE = r"\d{1,3}d\d{1,4}(?:\s*[+\-−–]\s*\d{1,4})?"
_TYPE = "|".join(DAMAGE_TYPES)
_NO_TYPE = "of|extra|additional|magical|bonus|more|less|total|half|the|this|that|weapon|persistent"
_ANY_TYPE = rf"{_TYPE}|(?!(?:{_NO_TYPE})\b)[a-z]+(?= damage\b)"
_ABILITY = "|".join((*ABILITY_NAMES, *ABILITIES))
_FEET = r"\.? ?(?:ft|feet|foot|')"
_BONUS = r"(?P<bonus>[+\-−–] ?\d{1,2})"
_ATTACK = re.compile(
    r"(?:(?P<how>melee or ranged|melee|ranged) )?(?:(?P<what>weapon|spell) )?"
    rf"attack(?: roll)?s?(?: \([^()]{{1,40}}\))?[:.] ?{_BONUS}(?: to hit)?"
    rf"|{_BONUS.replace('bonus', 'only')} to hit,? (?=reach|range|\d)",
    re.IGNORECASE,
)
_MAY_ATTACK = re.compile("ttack|o hit", re.IGNORECASE)
"""What must be in a text that tells of an attack: most don't, and this is found sooner."""
_REACH = re.compile(rf"reach (\d{{1,4}}){_FEET}", re.IGNORECASE)
_RANGE = re.compile(
    rf"range (?P<near>\d{{1,4}})(?:/(?P<far>\d{{1,4}}))?{_FEET}"
    rf"|(?P<short>\d{{1,4}})/(?P<long>\d{{1,4}}){_FEET}",
    re.IGNORECASE,
)
_BARE_FEET = re.compile(rf"^[,. ]*(\d{{1,4}}){_FEET}", re.IGNORECASE)
_HIT = re.compile(r"\bhit(?: or miss)?: ?|\bHit (?=\d)", re.IGNORECASE)
_ROLLED = re.compile(
    rf"\d{{1,4}} ?\({_DICE}\)|(?<=\. )\d{{1,4}}(?= (?:{_TYPE}) damage)", re.IGNORECASE
)
_AMOUNT = rf"(?:\d{{1,4}} ?\((?P<dice>{_DICE})\)|(?P<only>{_DICE})|(?P<flat>\d{{1,4}}))"
_DAMAGE = re.compile(
    rf"{_AMOUNT}(?: of)?(?: (?:magical|extra|additional))?"
    rf"(?: (?P<type>{_ANY_TYPE})(?:,? (?:or )?(?:{_TYPE}))*\b)?(?P<told> damage\b)?",
    re.IGNORECASE,
)
_ONGOING = re.compile(rf"{_AMOUNT} ongoing (?:(?P<type>{_ANY_TYPE}) )?damage", re.IGNORECASE)
_OR_ELSE = re.compile(r"\s*[—–]\s*or\b[^—–.]{1,120}[—–]\s*")
"""Another amount in some case, between dashes."""
_FURTHER = re.compile(
    r"^,? ?(?:plus|and|\+)(?: an(?:other| additional| extra)?)? ?$", re.IGNORECASE
)
_AND_MORE = re.compile(r",? ?(?:plus|and|\+) (?:an? (?:extra |additional )?)?\d", re.IGNORECASE)
_IN_A_CASE = re.compile(
    r",? ?(?:if|when|while|unless|for (?:every|each)|per)\b"
    r"(?! the (?:target|creature) is a creature,)",
    re.IGNORECASE,
)
"""Behind an amount that falls in some case alone, or as often as something is so."""
_SAVE = re.compile(
    rf"DC ?(?P<dc>\d{{1,2}}) (?P<first>{_ABILITY})\b(?: saving throw| save)?"
    rf"|(?P<second>{_ABILITY}) (?:saving throw|save):? \(?DC ?(?P<dc2>\d{{1,2}})",
    re.IGNORECASE,
)
_IS_SAVE = re.compile(r"sav(?:e|ing)|half|negates", re.IGNORECASE)
_KEPT_OFF = re.compile(r"^,? ?(?:half|negates)\b", re.IGNORECASE)
"""Behind a save that stands behind what it keeps off: `9 (2d8) fire damage (DC 12 Dex half)`."""
_HALF = re.compile(
    r"\bhalf (?:as much |of (?:this|that|the) )?(?:the |that |this )?(?:[a-z]+ )?damage\b"
    r"|\bhalf as much|\bor half on a success|^,? ?half\b",
    re.I,
)
_ELSE = re.compile(
    r"\b(?:Second Failure|Failure or Success|Success:)|\b(?:Each|A|Any) (?:creature|target) that "
    r"(?:succeeds|saves)\b[^.]*\."
)
"""Where a text turns from what a failed save brings to something else."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_CONDITION = re.compile(
    r"(?:\b(?P<verb>is|are|be|being|becom(?:e|es|ing)|fall(?:s|ing)?|knock(?:s|ed)?|"
    r"(?:has|have|gains?|suffers?) the)|\band|(?P<choice>\bor)|,)"
    r" (?:(?:also|magically|instead"
    r"|(?P<further>knocked|it|the target|the creature|is|are|be|falls?|becomes?)) )*"
    rf"(?P<condition>{'|'.join(CONDITIONS)})\b",
    re.IGNORECASE,
)
_APART = 40
"""The most characters between two conditions of one verb: `blinded (DC 9) and restrained`."""
_GIVEN = re.compile(
    r"if (?:the target|it|the creature) is "
    r"(?:an? (?:[\w-]+ ){0,5}?(?:creature|humanoid)|[\w, -]{3,40}? or (?:smaller|larger)),? ",
    re.I,
)
_CASE = re.compile(r"\b(?:if|while|when|whenever|unless)\b[^,;]*$|\b(?:that|who) $", re.IGNORECASE)
"""A clause before a condition that tells of somebody who has it already."""
_CHOSEN = re.compile(
    r"one of the following|\bchooses one\b|\bchoose one of|your choice", re.IGNORECASE
)
_ESCAPE = re.compile(r"escape DC (\d{1,2})", re.IGNORECASE)
_UNLESS = re.compile(
    r"^(?:while|when|whenever|as long as|instead of|in lieu of|unless|a creature that (?!fails)|"
    r"if (?!(?:the target|it|the creature) is (?:an? |[\w, -]{3,40}? or (?:smaller|larger))"
    r"|the target fails|it fails|the save))",
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
    found = _ATTACK.search(text) if _MAY_ATTACK.search(text) else None
    if found is None:
        return None
    head = text[found.end() : _end_of_head(text, found.end())]
    far = _RANGE.search(head)
    how = (found["how"] or "").casefold()
    reach = _REACH.search(head) or (None if how == "ranged" else _BARE_FEET.search(head))
    how = "ranged" if far and not reach and how in ("", "melee") else how or "melee"
    near = int(reach[1]) if reach else 0
    ranges = (far["near"] or far["short"], far["far"] or far["long"]) if far else ("", "")
    if how == "ranged" and not far and (bare := _BARE_FEET.search(head)):
        ranges = (bare[1], "")
    return Attack(
        bonus=int((found["bonus"] or found["only"]).translate(MINUS).replace(" ", "")),
        reach="both" if " or " in how or (reach and far) else how,
        feet=near or int(ranges[0] or 0),
        far=int(ranges[0] or 0) if near else 0,
        long=int(ranges[1] or 0),
        spell=(found["what"] or "").casefold() == "spell",
    )


def _end_of_head(text: str, start: int) -> int:
    found = _HIT.search(text, start) or _ROLLED.search(text, start)
    return found.start() if found else min(len(text), start + 200)


def hit_of(text: str) -> str:
    """What a text says of a hit: all behind `Hit:`, or behind whom it is aimed at, up to what comes
    of a miss."""
    found = _HIT.search(text)
    attack = _ATTACK.search(text)
    if found is None and attack is None:
        return ""
    start = found.end() if found else _end_of_head(text, attack.end() if attack else 0)
    return re.split(r"\bMiss: ", text[start:])[0]


def damage_of(text: str) -> tuple[Damage, ...]:
    """The parts of the first damage that a text tells of: `7 (1d8 + 3) cold plus 4 (1d8) fire`.

    What comes behind `or` is another way of it, and no part. Dice with which a text begins are
    damage even where it isn't said; a plain number with a type and another part beside it, or with
    the word. A part that falls only in some case, `2 (1d4) fire damage if it is prone`, is none.
    """
    text = _OR_ELSE.sub(" ", text)
    parts: list[Damage] = []
    end = 0
    for found in _DAMAGE.finditer(text):
        is_further = bool(end and _FURTHER.match(text[end : found.start()]))
        is_first = found.start() == 0 and not found["flat"]
        is_part = found["type"] and (
            not found["flat"] or is_further or _AND_MORE.match(text, found.end())
        )
        if not (found["told"] or is_first or is_part):
            continue
        if end and not is_further:
            break
        end = found.end()
        if not (_IN_A_CASE.match(text, end) and (parts or "for e" in text[end : end + 7])):
            parts.append(_amount(found))
    return tuple(part for part in parts if part.dice != "0")


def _amount(found: re.Match[str]) -> Damage:
    said = (found["dice"] or found["only"] or found["flat"]).translate(MINUS)
    return Damage(re.sub(r"\s", "", said), (found["type"] or "").casefold())


class Asked(NamedTuple):
    """A save that a text asks for: what it says of a hit before it, and of a failure."""

    save: Save
    before: str
    failed: str


def save_of(text: str) -> Asked | None:
    """The first saving throw that a text asks for; None for none."""
    if "DC" not in text.upper():
        return None
    for found in _SAVE.finditer(text):
        if not _IS_SAVE.search(text[found.start() : found.end() + 14]):
            continue  # an ability check
        behind, before = text[found.end() :], text[: found.start()]
        save = Save(
            ability(found["first"] or found["second"]),
            int(found["dc"] or found["dc2"]),
            half=bool(_HALF.search(behind)),
        )
        if _KEPT_OFF.match(behind):
            return Asked(save, "", before)
        return Asked(save, before, _ELSE.split(behind)[0])
    return None


def inflictions_of(text: str) -> tuple[Infliction, ...]:
    """The conditions and the ongoing damage that a text lays on its target, each once.

    Sentences that tell of another case (`while`, `if it is already ...`) are for people to read,
    and so is a text that offers a choice.
    """
    if _CHOSEN.search(text):
        return ()
    found: dict[str, Infliction] = {}
    repeats = re.search(r"repeats? (?:the|this|its) sav|re-save", text, re.IGNORECASE) is not None
    for sentence in _SENTENCE.split(text):
        if _UNLESS.match(sentence) or re.match(r"on a success", sentence, re.IGNORECASE):
            continue
        if ongoing := _ONGOING.search(sentence):
            found.setdefault("ongoing", Infliction("ongoing", damage=_amount(ongoing)))
        for match in _laid(sentence):
            escape = _ESCAPE.search(sentence)
            condition = match["condition"].casefold()
            until = "repeat" if repeats else until_of(sentence[match.end() :])
            if condition == "grappled" and escape:
                until = "escape"
            dc = int(escape[1]) if escape and until == "escape" else 0
            found.setdefault(condition, Infliction(condition, until, dc))
    return tuple(found.values())


def _laid(sentence: str) -> list[re.Match[str]]:
    """The conditions that a sentence lays on somebody. One without a verb counts with the one
    before it, `is blinded and restrained`; of `is blinded or deafened` somebody has to choose."""
    given = _GIVEN.match(sentence)
    start = given.end() if given else 0
    laid: list[re.Match[str]] = []
    for match in _CONDITION.finditer(sentence, max(start - 1, 0)):
        before = sentence[start : match.start()]
        is_held = sentence.startswith(" (escape DC", match.end())
        if match["verb"] or match["further"] or (is_held and not match["choice"]):
            if not (_CASE.search(before) or _OTHERS.search(before[-25:])):
                laid.append(match)
        elif laid and match.start() - laid[-1].end() < _APART:
            laid = laid[:-1] if match["choice"] else [*laid, match]
    return laid


def until_of(text: str) -> str:
    """How long something lasts, as `Infliction.until` has it, from the words behind it."""
    turn = _TURN.search(text)
    if turn:
        whose = "" if turn["bearer"] else " of source"
        return f"{turn['edge'].casefold()}{whose}"
    return next((until for pattern, until in _UNTIL if pattern.search(text)), "")


_RUN = r"^(?:if|when) (?!(?:the target|it|the creature|they|that) )[^.]{3,80}? (?:moves?|moved)\b"
_AT_A_RUN = re.compile(_RUN, re.IGNORECASE)


def at_a_run(hit: str) -> tuple[str, str]:
    """What a text says of every hit, and what it says of one after a run: `If the boar moves at
    least 20 feet straight towards the target ...`."""
    said = _SENTENCE.split(hit)
    after = [each for each in said if _AT_A_RUN.match(each)]
    return " ".join(each for each in said if each not in after), " ".join(after)
