"""Parse traits and actions from their names and texts, as stat blocks of 5e and Level Up have them.

`parse_feature` makes one `ImportedFeature` of a name and a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from msgspec.structs import replace

from affray.core.dice import WRITTEN, to_notation
from affray.core.rules.imported_creature import (
    ImportedAttack,
    ImportedCondition,
    ImportedDamage,
    ImportedFeature,
    ImportedSave,
    Sort,
)
from affray.rulesets import load_ruleset
from affray.store.importers import values
from affray.store.importers.act_names import (
    bare_name,
    parse_usage,
    without_what_it_takes,
)
from affray.store.importers.auras import aura_of

# -------------------------------------------------------------------------------------------------
# Attacks, saves and conditions from sentences, which are right where tables beside them are not:
# `Melee Weapon Attack: +9 to hit, reach 15 ft., one target. Hit: 19 (4d6 + 5) cold damage.`

DAMAGE_TYPES = load_ruleset("level-up").tables.damage_types
"""Types that are known as such wherever they stand: those of the game whose stat blocks are written
so. Of any other, such as a campaign's own, the word `damage` behind it tells."""
CONDITIONS = (
    "blinded", "charmed", "confused", "dazed", "deafened", "doomed", "frightened", "grappled",
    "incapacitated", "invisible", "paralyzed", "petrified", "poisoned", "prone", "rattled",
    "restrained", "slowed", "stunned", "unconscious",
)  # fmt: skip
"""The conditions of the games whose stat blocks are written so."""

_DICE, _NUMBER = WRITTEN, values.NUMBER
_TYPE = "|".join(DAMAGE_TYPES)
_NO_TYPE = "of|extra|additional|magical|bonus|more|less|total|half|the|this|that|weapon|persistent"
_ANY_TYPE = rf"{_TYPE}|(?!(?:{_NO_TYPE})\b)[a-z]+(?= damage\b)"
_ABILITY = "|".join((*values.ABILITY_NAMES, *values.ABILITIES))
_FEET = r"[.\-]? ?(?:ft|feet|foot|')"
_FAR = r"\d{1,2},\d{3}|\d{1,4}"
_BONUS = r"(?P<bonus>[+\-−–] ?\d{1,2})"
_ATTACK = re.compile(
    r"(?:(?P<how>melee or ranged|melee|ranged) )?(?:(?P<what>weapon|spell) )?"
    rf"attack(?: roll)?s?(?: \((?![+\-−–])[^()]{{1,40}}\))?"
    rf"(?:(?:: ?|\.(?= ?[+\-−–]\d) ?){_BONUS}(?: to hit)?"
    rf"| \(?{_BONUS.replace('bonus', 'beside')} to hit\b)"
    rf"|{_BONUS.replace('bonus', 'only')}\)? to hit,? (?=reach|range|\d)",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
"""What must be in a text that tells of damage: most don't, and this is found sooner."""
_REACH = re.compile(r"reach(?: of|:)? (\d{1,4})(?!\d)", re.IGNORECASE)
_RANGE = re.compile(
    rf"ranged?(?: of|:)? (?P<near>{_FAR})"
    rf"(?:(?:{_FEET}\.?)? ?(?:/|-|–|to\b) ?(?P<far>{_FAR})(?:{_FEET})?|{_FEET})"
    rf"|(?P<short>{_FAR})/(?P<long>{_FAR}){_FEET}",
    re.IGNORECASE,
)
_WITHIN = re.compile(rf"\bwithin (\d{{1,4}}){_FEET}", re.IGNORECASE)
_BARE_FEET = re.compile(rf"^[,. ]*(\d{{1,4}}){_FEET}", re.IGNORECASE)
_HIT = re.compile(r"\bhit(?: or miss)?: ?|\bHit (?=\d)", re.IGNORECASE)
_ROLLED = re.compile(
    rf"{_NUMBER} ?\({_DICE}\)|(?<=\. )\d{{1,4}}(?= (?:{_TYPE}) damage)", re.IGNORECASE
)
_AMOUNT = (
    rf"(?:(?:{_NUMBER} ?)?\((?P<dice>{_DICE})\)|(?:{_NUMBER} )?(?P<only>{_DICE})"
    rf"|(?P<flat>{_NUMBER}))"
)
_STOP = re.compile(r"(?<=\.) (?=(?:The|If|A|An) )")
"""The end of a head that nothing else marks: `reach 60 ft. The target has ...`."""
_DAMAGE = re.compile(
    rf"{_AMOUNT}(?: of)?(?: (?:magical|extra|additional))?"
    rf"(?: (?P<type>{_ANY_TYPE})(?:,? (?:or )?(?:{_TYPE}))*\b)?(?P<told> damage\b)?",
    re.IGNORECASE,
)
_ONGOING = re.compile(rf"{_AMOUNT} ongoing (?:(?P<type>{_ANY_TYPE}) )?damage", re.IGNORECASE)
_OR_ELSE = re.compile(
    r"\s*[—–]\s*or\b[^—–.]{1,120}[—–]\s*"
    rf"|,? or {_AMOUNT}(?: (?:{_ANY_TYPE}))?(?: damage)?,? (?:if|when|while|with)\b[^.,;]{{3,80}}?"
    r"(?=,? (?:plus|and) \d|[.,;]|$)",
    re.IGNORECASE,
)
"""Another amount in some case: between dashes, or as of a weapon that two hands hold."""
_ASIDE = re.compile(
    rf"\b(damage|{_TYPE})(?: \((?![^()]*\d)[^()]{{3,60}}\)(?= damage| plus)"
    rf"| or (?:{_TYPE}) damage(?: \([^()]*\))?(?= plus ))",
    re.IGNORECASE,
)
"""What a type of damage is in some case or by choice, in front of what the hit deals besides:
`bludgeoning (piercing in spider form) damage plus 21 (6d6) poison damage`."""
_EQUAL_TO = re.compile(rf"\b({_TYPE}) damage equal to ({_AMOUNT})(?! damage)", re.IGNORECASE)
"""An amount that stands behind its type: `plus fire damage equal to 13 (2d12)`."""
_MAY_BE_ELSE, _MAY_BE_ASIDE = (" or", " Or", " OR", "—", "–"), (") damage", ") plus", " plus ")
"""What must be in a text for `_OR_ELSE` and `_ASIDE`, which are slower to look for."""
_FURTHER = re.compile(
    r"^ ?,? ?(?:plus|and|\+)(?: an(?:other| additional| extra)?)? ?$", re.IGNORECASE
)
_AND_MORE = re.compile(r",? ?(?:plus|and|\+) (?:an? (?:extra |additional )?)?\d", re.IGNORECASE)
_IN_A_CASE = re.compile(
    r",? ?(?:if|when|while|unless|for (?:every|each)|per)\b"
    r"(?! the (?:target|creature) is a creature,)",
    re.IGNORECASE,
)
"""Behind an amount that falls in some case alone, or as often as something is so."""
_NOT_AT_ONCE = re.compile(
    r" to the (?:net|web|webbing|rope|chains?|vines?)\b"
    r"|,? at the (?:start|end) of (?:each|every)\b|,? (?:every|each|per) (?:\d{1,2} )?"
    r"(?:turn|round|minute|hour|day)s?\b",
    re.IGNORECASE,
)
"""Behind an amount that breaks what holds the target, or that falls turn by turn."""
_SAVE = re.compile(
    rf"DC ?(?P<dc>\d{{1,2}}) (?P<first>{_ABILITY})\b(?: or (?:{_ABILITY})\b)?"
    rf"(?: saving throw| save)?"
    rf"|(?P<second>{_ABILITY}) (?:saving throw|save):? \(?DC ?(?P<dc2>\d{{1,2}})",
    re.IGNORECASE,
)
_IS_SAVE = re.compile(r"sav(?:e|ing)|half|negates", re.IGNORECASE)
_REGURGITATES = re.compile(r"[^.]{0,60}? or regurgitate", re.IGNORECASE)
"""Behind a save that who swallowed somebody makes, not the target."""
_SAVE_ALONE = re.compile(
    rf"\b(?:{_ABILITY})(?: saving throw| save)\b|\bsaving throw\b", re.IGNORECASE
)
"""A save whose DC stands somewhere else."""
_KEPT_OFF = re.compile(r"^,? ?(?:half|negates)\b", re.IGNORECASE)
"""Behind a save that stands behind what it keeps off: `9 (2d8) fire damage (DC 12 Dex half)`."""
_JOINED = re.compile(r"(?<=[a-z]),? (?:plus|and|\+) ", re.IGNORECASE)
_TURNED = re.compile(
    r"(?:[;.,] (?:and |but )?a [^.;,]{0,30}?successful|\b(?:with|on) a successful"
    r"|\bhalved by a successful|\bhalf damage to targets that make a successful"
    r"|\b(?:unless|if) (?:it|they|the (?:target|creature))"
    r"[^.;]{0,20} (?:succeeds?|makes?) (?:on )?an?(?: successful)?) $",
    re.IGNORECASE,
)
"""Before a save that stands behind what it keeps off: `takes 56 (16d6) damage; a successful DC 18
Constitution saving throw halves it`, `or takes half damage with a successful DC 18 ...`."""
_HALF = re.compile(
    r"(?<!by )\bhalf (?:as much |of (?:this|that|the) )?(?:the |that |this )?(?:[a-z]+ )?damage\b"
    r"|\bhalf as much|\bhalved (?:(?:on|by|with) a|if it)"
    r"|\bhalf on (?:a )?success|^,? ?half\b|\bfor half\b"
    r"|\btaking half on (?:a )?save|\bdamage (?:by|to) half|\bhalves (?:the |this )?damage",
    re.I,
)
_ELSE = re.compile(
    r"\b(?:Second Failure|Failure or Success|Success:)|\b(?:Each|A|Any) (?:creature|target) that "
    r"(?:succeeds|saves)\b[^.]*\."
)
"""Where a text turns from what a failed save brings to something else."""
_END = re.compile(r"[.!?](?=\s*[A-Z])")
"""The end of a sentence, also where no blank stands behind it."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_CONDITION = re.compile(
    r"(?:(?:\b(?P<verb>is|are|be|being|becom(?:e|es|ing)|fall(?:s|ing)?|knock(?:s|ed)?|"
    rf"(?:has|have|gains?|suffers?) the|(?:damage|{_TYPE}) and)|\band|(?P<choice>\bor)|,)"
    r" (?:(?:also|instead|[a-z]+ly"
    r"|(?P<further>knocked|it|the target|the creature|is|are|be|falls?|becomes?)) )*"
    rf"|\b(?=(?:{'|'.join(CONDITIONS)}) 1 (?:min|hr)\b))(?P<condition>{'|'.join(CONDITIONS)})\b",
    re.IGNORECASE,
)
_LAID_WORDS = (*CONDITIONS, "ongoing")
_APART = 40
"""The most characters between two conditions of one verb: `blinded (DC 9) and restrained`."""
_GIVEN = re.compile(
    r"if (?:(?:the )?(?:target|creature)|it) is "
    r"(?:an? (?:[\w-]+ ){0,5}?(?:creature|humanoid)|[\w, -]{3,40}? or (?:smaller|larger)),? ",
    re.I,
)
_CASE = re.compile(
    r"\b(?:if|while|when|whenever|unless)\b[^,;]*$"
    r"|\buntil (?!the (?:start|end)\b|(?:this|the) [a-z]+ (?:ends|is cured)\b)[^,;]*$"
    r"|\b(?:that|who) $|\b(?:repeat|re-save)",
    re.IGNORECASE,
)
"""Before a condition what tells of somebody who has it already, or of a later save."""
_MID_CASE = re.compile(
    r"\b(?:and|but|or),? (?:if|when|while) "
    r"(?!(?:the )?(?:target|creature|it|save)\b"
    r"[^,]{0,40}(?:\bfail|smaller|larger|creature|humanoid))"
    r"[^,;]{3,90}, [^,;]*$",
    re.IGNORECASE,
)
"""Before a condition of some case alone, in the middle of a sentence: `and if the thing has
advantage, the target is ...`."""
_OTHERWISE = re.compile(
    r"\bby (?:\d+|five|ten)(?:\+| or more)|\bsecond failed\b|\bcheck or\b|\bon an? \d\b",
    re.IGNORECASE,
)
"""In a sentence about a save that fails by much or once more, about a check, or about a die."""
_STATE = re.compile(r"an? (\w+(?:ed|en)) (?:creature|target) (?:is|has)\b", re.IGNORECASE)
"""Before what comes with a state: `A swallowed creature is blinded`."""
_REPEATS = re.compile(
    r"(?:repeat(?:s|ing)? (?:the|this|its)|makes? another|an?(?:other)? new) sav[^.]*\bturns?\b"
    r"|\bturns?\b[^.]*(?:repeats? (?:the|this|its)|makes? another) sav|re-save",
    re.IGNORECASE,
)
_REPEATS_IN_A_CASE = re.compile(
    r"^(?:if|when|whenever) "
    r"(?!(?:the |a )?(?:target|creature|it|save|saving throw)\b[^,]{0,20}\bfail)",
    re.IGNORECASE,
)
_WHILE = re.compile(
    r"while (?P<state>\w+)(?: in this way| by it)?,? "
    r"(?=(?:the (?:target|creature)|it) (?:is|has)\b)",
    re.IGNORECASE,
)
"""Before what comes with a state that the text itself brings: `While poisoned, it is ...`."""
_AGAIN = re.compile(r"\brepeats?\b|\bmakes? another\b", re.IGNORECASE)
_FAILS = re.compile(
    r"(?:on|with) (?:a|the) (?:failure|failed sav)|if (?:it|the (?:target|creature)) fails",
    re.IGNORECASE,
)
"""A sentence about a failed save, which behind one that repeats the save is about that."""
_CHOSEN = re.compile(
    r"one of the following|\bchooses one\b|\bchoose one(?: of\b|:)|your choice"
    r"|(?<!target's )(?<!target’s )\bchoice\)"
    r"|\brandom(?! direction)",
    re.I,
)
_ESCAPE = re.compile(r"escape DC ?(?:is |of |= ?)?(\d{1,2})", re.IGNORECASE)
_UNLESS = re.compile(
    r"^(?:while|when|whenever|as long as|instead of|in lieu of|unless|a creature that (?!fails)|"
    r"if (?!(?:(?:the )?(?:target|creature)|it) is (?:an? |[\w, -]{3,40}? or (?:smaller|larger))"
    r"|(?:the|a|that) (?:target|creature) fails|(?:it|they) (?:otherwise )?fails?\b|the sav))",
    re.IGNORECASE,
)
_ON_HIT = re.compile(
    r"^(?:on (?:a )?hit,?|when (?:(?:the )?target is )?hit,?|failure:) +", re.IGNORECASE
)
"""What a sentence may begin with that holds of each hit, or each failure."""
_TURN = re.compile(
    r"until the (?P<edge>start|end) of "
    r"(?:(?P<bearer>its|their|the (?:target|creature)\S*)|[^.,]{1,60}?) next turn"
    r"|until (?:(?P<whose>its|their|the (?:target|creature)\S*)|[^.,]{1,60}?) next turn"
    r" (?P<does>starts|ends)",
    re.IGNORECASE,
)
_BY = r"(?: conditions?)?(?: (?:by|of|in) [\w' ]{2,30}?)?"
_UNTIL = (
    (re.compile(r"save ends", re.IGNORECASE), "save"),
    (
        re.compile(r"until the end of (?:its|their|the|that|this) (?:current )?turn\b", re.I),
        "this turn",
    ),
    (re.compile(r"until the end of the encounter", re.IGNORECASE), "fight"),
    (re.compile(rf"^{_BY},? for (?:1|one) round\b", re.IGNORECASE), "1 turns"),
    (re.compile(rf"^{_BY},? for (?:1|one) minute\b", re.IGNORECASE), "10 turns"),
    (re.compile(r"until (?:it|they|the target) escapes?", re.IGNORECASE), "escape"),
)
_OTHERS = re.compile(
    r"\b(?:immun\w+|advantage|disadvantage|already|not|no longer|can't|cannot)\b"
    r"|\b(?:against|avoid) $",
    re.IGNORECASE,
)


def attack_of(text: str) -> ImportedAttack | None:
    """Parse the attack roll that a text asks for; None for none."""
    plain = text.casefold()
    found = _ATTACK.search(text) if "attack" in plain or "to hit" in plain else None
    if found is None:
        return None
    head = text[found.end() : _end_of_head(text, found.end())]
    far = _RANGE.search(head)
    how = (found["how"] or "").casefold()
    reach = _REACH.search(head) or (None if how == "ranged" else _BARE_FEET.search(head))
    how = "ranged" if far and not reach else how or "melee"
    near = int(reach[1]) if reach else 0
    ranges = (far["near"] or far["short"], far["far"] or far["long"]) if far else ("", "")
    if how == "ranged" and not far and (bare := _BARE_FEET.search(head) or _WITHIN.search(head)):
        ranges = (bare[1], "")
    ranges = (ranges[0].replace(",", ""), (ranges[1] or "").replace(",", ""))
    return ImportedAttack(
        bonus=int(
            (found["bonus"] or found["beside"] or found["only"])
            .translate(values.MINUS)
            .replace(" ", "")
        ),
        reach="both" if " or " in how or (reach and far) else how,
        feet=near or int(ranges[0] or 0),
        far=int(ranges[0] or 0) if near else 0,
        long=int(ranges[1] or 0),
        spell=(found["what"] or "").casefold() == "spell",
    )


def _end_of_head(text: str, start: int) -> int:
    found = _HIT.search(text, start) or _ROLLED.search(text, start) or _STOP.search(text, start)
    return found.start() if found else min(len(text), start + 200)


def hit_of(text: str) -> str:
    """Return the part of a text about a hit: from `Hit:` or the target up to a miss."""
    found = _HIT.search(text)
    attack = _ATTACK.search(text)
    if found is None and attack is None:
        return ""
    start = found.end() if found else _end_of_head(text, attack.end() if attack else 0)
    return re.split(r"\bMiss: ", text[start:])[0]


def parse_damage(text: str) -> tuple[ImportedDamage, ...]:
    """Parse the parts of the first damage in a text: `7 (1d8 + 3) cold plus 4 (1d8) fire`.

    An alternative behind `or` is no part, and neither is a conditional one, `2 (1d4) fire damage if
    it is prone`. Dice at the beginning count as damage without the word; a plain number does with a
    type and another part beside it.
    """
    if _DIGIT.search(text) is None:
        return ()
    if " equal to " in text:
        text = _EQUAL_TO.sub(r"\2 \1 damage", text)
    if any(mark in text for mark in _MAY_BE_ELSE):
        text = _OR_ELSE.sub(" ", text)
    if any(mark in text for mark in _MAY_BE_ASIDE):
        text = _ASIDE.sub(r"\1", text)
    parts: list[ImportedDamage] = []
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
        if _NOT_AT_ONCE.match(text, end):
            continue
        if not (_IN_A_CASE.match(text, end) and (parts or "for e" in text[end : end + 7])):
            parts.append(_amount(found))
    return tuple(part for part in parts if part.dice != "0")


def damage_apart(text: str) -> set[str]:
    """The dice of all damage in a text that not every hit deals: it falls turn by turn, in some
    case alone, or after a run."""
    flat = " ".join(text.split())
    after = at_a_run(hit_of(flat) or flat)[1]
    found = (each for each in _DAMAGE.finditer(flat) if _is_apart(each))
    return {_amount(each).dice for each in (*found, *_DAMAGE.finditer(after))}


def _is_apart(found: re.Match[str]) -> bool:
    text, end = found.string, found.end()
    return bool(_NOT_AT_ONCE.match(text, end) or _IN_A_CASE.match(text, end))


def _amount(found: re.Match[str]) -> ImportedDamage:
    number = str(values.to_int(found["flat"])) if found["flat"] else ""
    falls = number or to_notation(found["dice"] or found["only"])
    return ImportedDamage(falls, (found["type"] or "").casefold())


class TextSave(NamedTuple):
    """A save that a text asks for, with the text of the hit before it and of a failure."""

    save: ImportedSave
    before: str
    failed: str


def save_of(text: str, is_hit: bool = False) -> TextSave | None:
    """The first saving throw that a text asks for; None for none. One in brackets, `9 (2d8) fire
    damage (DC 12 Dex half)`, is against the sentence before it, but, in a hit without another save,
    not against the first thing that the hit does."""
    if "DC" not in text.upper():
        return None
    if (found := first_save(text)) is not None:
        rest, before = text[found.end() :], text[: found.start()]
        save = ImportedSave(
            values.to_ability(found["first"] or found["second"]),
            int(found["dc"] or found["dc2"]),
            half=bool(_HALF.search(rest)),
        )
        if _KEPT_OFF.match(rest):
            *earlier, last = _SENTENCE.split(before)
            if is_hit and not earlier:
                first, _, last = _JOINED.sub("\n", before, count=1).partition("\n")
                earlier = [first]
            return TextSave(save, " ".join(earlier), last)
        return TextSave(save, before, _ELSE.split(_up_to_the_next(rest))[0])
    return None


def first_save(text: str) -> re.Match[str] | None:
    """Find the first saving throw that a text asks for; None for none."""
    return next(filter(_asks, _SAVE.finditer(text)), None)


def _up_to_the_next(text: str) -> str:
    """The sentences of a text before one that asks for another save."""
    found = first_save(text)
    ends = [end.end() for end in _END.finditer(text, 0, found.start())] if found else []
    return text[: ends[-1]] if ends else text


def _asks(found: re.Match[str]) -> bool:
    """True if what looks like a save isn't part of a check."""
    rest = found.string[found.end() :]
    return bool(_IS_SAVE.search(found[0] + rest[:14])) and not _REGURGITATES.match(rest)


def _known_save(text: str, save: ImportedSave) -> TextSave | None:
    """The text before and after a save whose DC is in a field of its own; None without such a
    save."""
    found = _SAVE_ALONE.search(text)
    if found is None:
        return None
    rest = text[found.end() :]
    half = save.half or bool(_HALF.search(rest))
    return TextSave(replace(save, half=half), text[: found.start()], _ELSE.split(rest)[0])


def parse_conditions(text: str) -> tuple[ImportedCondition, ...]:
    """Parse the conditions and the ongoing damage that a text imposes on its target, each once.

    Sentences about special cases (`while`, `if it is already ...`) are left to the reader, and so
    is a text that offers a choice.
    """
    plain = text.casefold()
    if not any(word in plain for word in _LAID_WORDS) or _CHOSEN.search(text):
        return ()
    found: dict[str, ImportedCondition] = {}
    so_far, is_again = "", False
    sentences = _SENTENCE.split(text)
    repeats = "sav" in plain and any(
        _REPEATS.search(s) and not _REPEATS_IN_A_CASE.match(s) for s in sentences
    )
    for whole in sentences:
        sentence = _ON_HIT.sub("", whole)
        held = _WHILE.match(sentence)
        comes_with = found.get(held["state"].casefold()) if held else None
        if held and comes_with:
            sentence = sentence[held.end() :]
        if _UNLESS.match(sentence) or re.match(r"on a success", sentence, re.IGNORECASE):
            continue
        state = _STATE.match(sentence)
        is_later = is_again and _FAILS.match(sentence) is not None
        is_again = is_again or _AGAIN.search(sentence) is not None
        if is_later or _OTHERWISE.search(sentence) or (state and state[1].casefold() not in so_far):
            continue
        so_far += sentence.casefold()
        if ongoing := _ONGOING.search(sentence):
            found.setdefault("ongoing", ImportedCondition("ongoing", damage=_amount(ongoing)))
        for match in (laid := _laid(sentence)):
            escape = _ESCAPE.search(sentence) or _ESCAPE.search(text)
            condition = match["condition"].casefold()
            until = "repeat" if repeats else until_of(sentence[match.end() :])
            if comes_with and not until and comes_with.until != "escape":
                until = comes_with.until
            if condition == "prone" and match != laid[-1]:
                until = ""  # the end behind it is that of the others: who is prone stands up
            if condition == "grappled" and escape:
                until = "escape"
            dc = int(escape[1]) if escape and until == "escape" else 0
            found.setdefault(condition, ImportedCondition(condition, until, dc))
    return tuple(found.values())


def _laid(sentence: str) -> list[re.Match[str]]:
    """The conditions that a sentence lays on somebody. One without a verb counts with the one
    before it, `is blinded and restrained`; of `is blinded or deafened` somebody has to choose."""
    given = _GIVEN.match(sentence)
    start = given.end() if given else 0
    laid: list[re.Match[str]] = []
    for match in _CONDITION.finditer(sentence, max(start - 1, 0)):
        before = sentence[start : match.start() + match[0].startswith(",")]
        is_held = sentence.startswith(" (escape DC", match.end())
        is_short = match.start() == match.start("condition")  # `frightened 1 min`
        if match["verb"] or match["further"] or is_short or (is_held and not match["choice"]):
            is_instead = match["choice"] and "instead" in sentence[match.end() : match.end() + 40]
            if is_instead or _MID_CASE.search(sentence[start : match.start("condition")]):
                continue
            if not (_CASE.search(before) or _OTHERS.search(before[-25:].rpartition(",")[2])):
                laid.append(match)
        elif _MID_CASE.search(sentence[start : match.start("condition")]):
            continue
        elif laid and match.start() - laid[-1].end() < _APART:
            laid = laid[:-1] if match["choice"] else [*laid, match]
    return laid


def until_of(text: str) -> str:
    """Parse the duration after a condition, in the form of `ImportedCondition.until`."""
    turn = _TURN.search(text)
    if turn:
        edge = (turn["edge"] or turn["does"]).casefold().removesuffix("s")
        return f"{edge} of {'bearer' if turn['bearer'] or turn['whose'] else 'source'}"
    return next((until for pattern, until in _UNTIL if pattern.search(text)), "")


_RUN = (
    r"^(?:if|when) (?:(?:the )?target is [^.]{3,40} and )?"
    r"(?!(?:the target|it|the creature|they|that) )[^.]{3,80}? (?:moves?|moved)\b"
)
_AT_A_RUN = re.compile(_RUN, re.IGNORECASE)


def at_a_run(hit: str) -> tuple[str, str]:
    """Split the text of a hit into the part for every hit, and the part for one after a run: `If
    the boar moves at least 20 feet straight towards the target ...`."""
    words = _SENTENCE.split(hit)
    after = [each for each in words if _AT_A_RUN.match(each)]
    return " ".join(each for each in words if each not in after), " ".join(after)


ONE_OF = re.compile(r"one of the following", re.IGNORECASE)
_LAIR = re.compile(r"\binitiative count 20\b.*\blair action\b", re.IGNORECASE)
LEGENDARY = "Legendary Actions"
_LEGENDARY_ACTION = re.compile(r"^Legendary Action: +", re.IGNORECASE)
_CHOICE = re.compile(r"can take \d legendary actions?\b", re.IGNORECASE)
_NAMED = re.compile(
    r"^[•*\- ]*(?P<name>[A-Z][\w'’ -]{2,39}(?: \([^()]{1,40}\))?)[.:] (?P<text>.{12,})$"
)
_TEXTS = ("desc", "description", "text", "content")
"""What the text of an entry is called."""


def features_of(row: Mapping[str, Any], lists: Mapping[str, Sort]) -> Iterator[ImportedFeature]:
    """The features in those fields of a row, each a list, or a map with numbers for keys, of
    tables, pairs or texts."""
    for field, sort in lists.items():
        for name, text in _entries(row.get(field)):
            yield from parse_features(name, text, sort)


def _entries(value: Any, depth: int = 0) -> Iterator[tuple[str, str]]:
    """Names and texts."""
    if isinstance(value, str):
        value = [value]
    rows = value
    if isinstance(value, dict):
        rows = [value] if {"name", "Name"} & value.keys() else _with_lines(value)
    for each in rows if isinstance(rows, list | tuple) else ():
        if isinstance(each, dict):
            row = {str(key).casefold(): given for key, given in each.items()}
            name, usage = values.to_one_line(row.get("name")), values.to_one_line(row.get("usage"))
            text = next((row[key] for key in _TEXTS if key in row), "")
            nested = _entries(row["traits"], depth + 1) if "traits" in row and depth < 3 else ()
            more = (f"{n}. {t}" if n else t for n, t in nested)
            yield (
                f"{name} ({usage})" if usage else name,
                "\n".join((values.to_clean_text(text), *more)).strip(),
            )
        elif isinstance(each, list) and each:
            yield (
                values.to_one_line(each[0]),
                " ".join(values.to_clean_text(part) for part in each[1:]),
            )
        elif isinstance(each, str) and each.strip():
            yield "", each


def _with_lines(rows: Mapping[Any, Any]) -> list[Any]:
    """The entries of a map; lines under `traits` continue the entry before them."""
    found: list[Any] = []
    for key, each in rows.items():
        is_lines = key == "traits" and isinstance(each, list) and found
        if is_lines and isinstance(found[-1], dict) and all(isinstance(n, str) for n in each):
            found[-1] = {**found[-1], "traits": [*values.to_list(found[-1].get("traits")), *each]}
        else:
            found.append(each)
    return found


def parse_features(
    name: Any,
    text: Any,
    sort: Sort,
    attack: ImportedAttack | None = None,
    save: ImportedSave | None = None,
) -> list[ImportedFeature]:
    """Read features from a name and a text: mostly one.

    Where the text offers several, `uses one of the following:` with a line each, it is those, and
    each may be used as often as the whole says. Legendary actions that stand in one text are each
    one by itself.
    """
    first, *rest = values.to_clean_text(text).split("\n")
    if not rest:
        return [parse_feature(name, text, sort, attack, save)]
    if _LAIR.search(first):
        marked = [line for line in rest if line.startswith(("•", "*", "-"))]
        effects = marked or rest  # what has no mark where others have is about all of them
        heading = " ".join((first, *(line for line in rest if line not in effects)))
        return [parse_feature(name, heading, "trait"), *map(_lair_action, effects)]
    offers = _CHOICE.search(first) or (ONE_OF.search(first) and attack_of(first) is None)
    lines: list[str] = []
    for line in rest if offers else ():  # what has no name goes on with the line before
        if lines and not _NAMED.match(line):
            lines[-1] += f" {line}"
        else:
            lines.append(line)
    named = [_NAMED.match(line) for line in lines]
    if not offers or len(named) < 2 or not all(named):
        return [parse_feature(name, text, sort, attack, save)]
    if _CHOICE.search(first):
        each = [
            parse_feature(match["name"], match["text"], "legendary") for match in named if match
        ]
        return [ImportedFeature(LEGENDARY, "trait", first), *each]
    whole = parse_feature(name, first, sort)
    often = parse_usage(values.to_one_line(name))._asdict()
    each = [parse_feature(match["name"], match["text"], sort) for match in named if match]
    pool = whole.name if whole.uses or whole.recharge else ""
    return [replace(row, trigger=f"one of {whole.name}", pool=pool, **often) for row in each]


def _lair_action(line: str) -> ImportedFeature:
    """A lair's action, named by the start of its text where it has no name."""
    text = line.strip(" •*-")
    named = _NAMED.match(text)
    if named is not None:
        return parse_feature(named["name"], named["text"], "lair")
    return parse_feature(" ".join(text.split()[:5]).strip(",;:."), text, "lair")


def parse_feature(
    name: Any,
    text: Any,
    sort: Sort,
    given_attack: ImportedAttack | None = None,
    given_save: ImportedSave | None = None,
) -> ImportedFeature:
    """Read a feature from a name and a text. `given_attack` and `given_save` are an attack roll and
    a save that the file has apart from them."""
    label, taken = without_what_it_takes(values.to_one_line(name))
    sort = taken if taken and sort in ("trait", "action") else sort
    words = values.to_clean_text(text)
    flat = " ".join(words.split())
    if _CHOICE.search(f"{label} {flat}"):  # it tells of others
        return ImportedFeature(
            LEGENDARY, "trait", f"{label}. {words}" if _CHOICE.search(label) else words
        )
    own = attack_of(flat)
    attack = own or given_attack
    hit = hit_of(flat) if own is not None else flat if given_attack is not None else ""
    told_of = at_a_run(hit or flat)[0] if attack is not None else flat
    asked = save_of(told_of, attack is not None)
    if asked is None and given_save is not None:
        asked = _known_save(told_of, given_save)
    save, before, failed = asked or (None, told_of, "")
    if save is not None and attack is None and _TURNED.search(before):
        half = save.half or bool(_HALF.search(before)) or "halves" in failed
        more = failed.partition(". ")[2]
        save, before, failed = replace(save, half=half), "", f"{before}. {more}"
    dealt, laid = parse_damage(before), parse_conditions(before) if attack is not None else ()
    if attack is None:  # without a roll what has dice can be dealt, and a save may halve it
        dealt = tuple(part for part in dealt if "d" in part.dice and part.type)
    lost, binds = (parse_damage(failed), parse_conditions(failed)) if save is not None else ((), ())
    if save is not None and save.half and not lost and attack is None:
        dealt, lost = (), dealt
    limits, whole = parse_usage(label), bare_name(label)
    bare = _LEGENDARY_ACTION.sub("", whole)
    is_legendary = bare != whole or (limits.cost > 1 and "costs" in label.casefold())
    return ImportedFeature(
        name=bare or "Action",
        sort="legendary" if is_legendary else sort,
        text=words,
        attack=attack,
        damage=dealt,
        inflicts=laid,
        save=save,
        failed=lost,
        binds=binds,
        aura=aura_of(flat) if sort == "trait" else None,
        **limits._asdict(),
    )


def legendary_actions(count: Any, text: str = "") -> Iterator[ImportedFeature]:
    """The trait that says how many legendary actions there are, by its text or by a number."""
    many = values.to_int(count, 1, 9)
    if text or many:
        yield ImportedFeature(LEGENDARY, "trait", text or f"It can take {many} legendary actions.")
