"""Auras that a trait tells of: at which turns they are due, and how far they reach.

aura_of("Any enemy that starts its turn within 20 feet of the fiend ...")  # start, 20 feet
"""

from __future__ import annotations

import re

from affray.core.rules.imported_creature import ImportedAura

_TURN = r"(?:its|their|his|her|a|the) turns?\b"
_OTHERS = re.compile(
    r"\b(?:creature|enem(?:y|ies)|all(?:y|ies)|foe|humanoid|beast|opponent|anyone|being|those"
    r"|character|target|undead)s?\b"
    rf"[^.;]{{0,90}}?\b(?P<edge>start|begin|end)(?:s|ning|ing)? {_TURN}",
    re.IGNORECASE,
)
"""Others' turns: `any creature that starts its turn within 5 feet of the ooze`."""
_NEAR_AT = re.compile(
    r"\bwithin \d{1,3} (?:feet|ft\.?) of [\w' -]{2,40}? at the (?P<edge>start|end) of"
    r" (?:its|their) turns?\b",
    re.IGNORECASE,
)
"""The same: `any creature within 5 feet of the ooze at the start of its turn`."""
_OWN = re.compile(
    r"\bat the (?P<edge>start|beginning|end) of (?:each of )?"
    r"(?:its|his|her|their|(?:the |an? )?[\w' -]{2,40}?['’]s?) turns?\b(?!,? (?:if|unless))",
    re.IGNORECASE,
)
"""Its own turns: `at the start of each of the balor's turns, each creature within 5 feet of it`."""
_STARTS = re.compile(
    r"^(?:when|whenever|if) (?:the|an?) (?!(?:creature|enemy|target|ally|foe|humanoid)\b)"
    r"[\w' -]{2,40}? (?P<edge>start|begin|end)s its turn\b",
    re.IGNORECASE,
)
_EACH = re.compile(
    r"\b(?:each|every|any|all|other) (?:[\w-]+ ){0,3}?(?:creature|enem(?:y|ies)|all(?:y|ies)|foe"
    r"|humanoid|beast|target)s?\b|\bcreatures\b|\benemies\b",
    re.IGNORECASE,
)
_RADIUS = re.compile(
    r"\bwithin (?P<within>\d{1,3}) ?-?(?:feet|ft|foot|')\.? of (?!a (?:point|space)|that\b"
    r"|the (?:point|cloud|wall|area|fire|flames?|sphere|effect|object|rift|portal|fog|vortex|web"
    r"|tree|egg|corpse|target|creature)(?! (?:elemental|giant|snake|beetle|spirit|lord|king)\b)\b)"
    r"|(?P<around>\d{1,3})[ -](?:foot|feet|ft\.?)[ -](?:radius )?(?:aura|emanation|radius)"
    r"|\b(?:aura|radius)[^.]{0,30}? (?P<out>\d{1,3})[ -](?:feet|foot|ft)",
    re.IGNORECASE,
)
_IN_IT = re.compile(
    r"\b(?:in|within|inside|enters?|into) (?:its|the|that|this|his|her|their)"
    r" (?:[\w'-]+ ){0,2}(?:aura|emanation|area|radius)\b|\bturn there\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?:]) +(?=[A-Z])")


def aura_of(text: str) -> ImportedAura | None:
    """The aura of a trait, by a text on one line; None for a trait that has none."""
    if "turn" not in text or not _RADIUS.search(text):
        return None
    for sentence in _SENTENCE.split(text):
        edge = _edge_of(sentence)
        near = _RADIUS.search(sentence)
        if edge and (near or _IN_IT.search(sentence)):
            far = near or _RADIUS.search(text)
            feet = next(filter(None, far.groups()), "0") if far else "0"
            return ImportedAura(edge, int(feet))
    return None


def _edge_of(sentence: str) -> str:
    """The turns at which a sentence has something happen to those who are near."""
    own = _OWN.search(sentence) or _STARTS.search(sentence)
    if own is not None and _EACH.search(sentence, own.end()):
        return f"own-{_start_or_end(own['edge'])}"
    others = _OTHERS.search(sentence) or _NEAR_AT.search(sentence)
    return _start_or_end(others["edge"]) if others else ""


def _start_or_end(word: str) -> str:
    return "end" if word.casefold() == "end" else "start"
