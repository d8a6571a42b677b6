"""How many attacks a creature makes with one action, by the words of its multiattack.

The ghoul makes one bite attack and two claw attacks.                 3
The devil makes three attacks: two with its fork, one with its tail.  3
The giant makes two sword attacks, or it makes four javelin attacks.  4, the most there may be
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from affray.core.dice.notation import parse_dice
from affray.core.rules.imported import Feature

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
"""A count that says all, and its parts behind it: `three attacks: one with its bite and two ...`"""
_MORE = re.compile(r"\b(?:also|then|can) makes?\b|\bcan (?:also|then) make\b")
_OTHERWISE = re.compile(r"\binstead\b|\breplac|\bin place of\b|\bform\b|\bits mount\b")
_HEADS = re.compile(r"\bas it has heads|\beach of its heads")
_HAS_HEADS = re.compile(rf"\b(?:has|with) ({_COUNT}) heads", re.IGNORECASE)
_DIFFERENT = re.compile(rf"\b({_COUNT}) different (?:targets|creatures)", re.IGNORECASE)
_ENTRY = re.compile(r"\b[A-Z][\w'’ ]{2,30}\. (?:Melee|Ranged)\b")
"""Where another entry has run into the text."""


def is_multiattack(feature: Feature) -> bool:
    """Whether it is what opens several attacks, which are then made one by one."""
    return feature.attack is None and feature.name.casefold().startswith(NAME)


def attacks_at_once(features: Iterable[Feature]) -> int:
    """How many attacks one action holds; 0 for one alone, and where the text doesn't tell. Of
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
    for sentence in _SENTENCE.split(_ENTRY.split(" ".join(text.split()))[0]):
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
    said = clause[does.end() :]
    if does[0].startswith("attack"):
        return used + _with(said)
    again = re.split(r"\b(?:then|and) attacks\b", said)  # `makes four slams, then attacks with ...`
    return used + _items(_USES.split(again[0])[0]) + sum(map(_with, again[1:]))


def _items(said: str) -> int:
    """`two claw attacks and a bite attack` is 3; `three attacks: one with ...` is what it says."""
    counts = [_value(found["count"]) for found in _ITEM.finditer(said)]
    return counts[0] if counts and _ALL_OF_THEM.match(said) else sum(counts)


def _with(said: str) -> int:
    """`with its bite and twice with its claws` is 3, `with its bite, horns, and tail` is 3."""
    times = sum(map(_value, _TIMES.findall(said.partition(":")[0])))
    listed = _WITH.match(_USES.split(said)[0])
    if listed is None:
        return times
    if times:
        return 1 + times
    return len(re.split(r",? and |, | & ", listed["list"].strip(" .")))


def _value(count: str) -> int:
    word = count.casefold()
    if "d" in word and word[0].isdecimal():
        return parse_dice(word).maximum
    return _COUNTS.get(word) or int(word)
