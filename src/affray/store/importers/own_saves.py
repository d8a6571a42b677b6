"""Saves in the texts of creatures that they make themselves, and that nobody else is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from affray.core.rules.imported_creature import ImportedFeature
from affray.store.importers.attack_text import SENTENCE
from affray.store.importers.feature_text import first_save

_MAKES_SAVE = re.compile(
    r"(?:^|[,;:] )(?P<who>(?:the )?[\w' -]{1,40}?)(?<!\bto)"
    r" (?:must |then |also )*(?:succeeds?|makes?|rolls?) (?:on )?an? $",
    re.IGNORECASE,
)
_TAKES = re.compile(
    r"(?:^|[.:;] |, )(?P<who>it|they|the [\w' -]{2,40}?) takes? [^.]{0,30}?\d+d\d+[^.]* damage"
    r"[^.]*\b(?:ends?|starts?) (?:its|their) turns?\b",
    re.IGNORECASE,
)
_SOMEBODY_ELSE = re.compile(
    r"\b(?:creature|target|enem|foe|humanoid|victim|all(?:y|ies)|each|any|every|opponent|that|force"
    r"|within)",
    re.IGNORECASE,
)


_IN_ITS_CASE = re.compile(
    r"(?:if|when|whenever) (?:[\w ]{2,20} reduces )?the ([\w' -]{2,40}?)"
    r" (?:takes|starts|is|has|to 0|drops)\b",
    re.IGNORECASE,
)
"""Before `it makes a ... save`, the words that say who: `If damage reduces the zombie to 0 HP`."""


def without_own_saves(rows: Iterable[ImportedFeature], name: str) -> Iterator[ImportedFeature]:
    """The features of a creature of that name without the saves that it makes itself, which nobody
    else is asked for: `the golem must succeed on a DC 10 Dexterity saving throw`."""
    called = {word for word in re.findall(r"\w+", name.casefold()) if len(word) > 2}
    for row in rows:
        if row.save is not None and _is_own(" ".join(row.text.split()), called):
            row = replace(row, save=None, failed=(), binds=())
        if row.sort == "trait" and row.damage and row.aura is None and _takes(row.text, called):
            row = replace(row, damage=())
        yield row


def _takes(text: str, called: set[str]) -> bool:
    """True if the first damage of a trait's text falls on its owner: `It takes 5 (1d10) force
    damage if it ends its turn inside an object`."""
    found = _TAKES.search(" ".join(text.split()))
    who = found["who"].casefold().split() if found else []
    return bool(who) and (who in (["it"], ["they"]) or bool(called & {*who}))


def _is_own(text: str, called: set[str]) -> bool:
    """True if the first save of a text is made by whom these words call."""
    found = first_save(text)
    if found is None:
        return False
    sentence = SENTENCE.split(text[: found.start()])[-1]
    makes = _MAKES_SAVE.search(sentence)
    if makes is None:
        return False
    who = makes["who"].casefold().split()
    if who[-1:] in (["it"], ["he"], ["she"]):  # whom the words before name
        before = sentence[: makes.start("who") + len(makes["who"]) - len(who[-1])]
        named = _IN_ITS_CASE.match(before)
        is_alone = named is not None and not _SOMEBODY_ELSE.search(before)
        return bool(is_alone and named and called & {*named[1].casefold().split()})
    return "the" in who and bool(called & {*who}) and not _SOMEBODY_ELSE.search(makes["who"])


def is_own_save(text: str) -> bool:
    """True if the save that a text asks for is that of who swallowed somebody, not the target's."""
    return bool(re.search(r"\bsav(?:e|ing throw)\b[^.]{0,60}? or regurgitate", text, re.I))
