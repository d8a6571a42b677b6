"""Conditions and ongoing damage from sentences: which, for how long, and what ends them."""

from __future__ import annotations

import re

from affray.core.rules.imported_creature import ImportedCondition
from affray.store.importers.attack_text import AMOUNT, ANY_TYPE, SENTENCE, TYPE, amount_of
from affray.store.importers.values import has_any

CONDITIONS = (
    "blinded", "charmed", "confused", "dazed", "deafened", "doomed", "frightened", "grappled",
    "incapacitated", "invisible", "paralyzed", "petrified", "poisoned", "prone", "rattled",
    "restrained", "slowed", "stunned", "unconscious",
)  # fmt: skip
"""The conditions of the games whose stat blocks are written so."""

_CONDITION = re.compile(
    r"(?:(?:\b(?P<verb>is|are|be|being|remains?|becom(?:e|es|ing)|fall(?:s|ing)?|knock(?:s|ed)?|"
    rf"(?:has|have|gains?|suffers?) the|(?:damage|{TYPE}) and)|\band|(?P<choice>\bor)|,)"
    r" (?:(?:also|instead|then|[a-z]+ly"
    r"|(?P<further>knocked|it|the target|the creature|is|are|be|falls?|becomes?)) )*"
    rf"|\b(?=(?:{'|'.join(CONDITIONS)}) 1 (?:min|hr)\b))(?P<condition>{'|'.join(CONDITIONS)})\b",
    re.IGNORECASE,
)
_ONGOING = re.compile(rf"{AMOUNT} ongoing (?:(?P<type>{ANY_TYPE}) )?damage", re.IGNORECASE)
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
_STATE_OF = re.compile(r"(?:an?|the) (\w+(?:ed|en)) (?:creature|target|humanoid)\b", re.I)
_STATE = re.compile(r"an? (\w+(?:ed|en)) (?:creature|target) (?:is|has)\b", re.IGNORECASE)
"""Before what comes with a state: `A swallowed creature is blinded`."""
_REPEATS = re.compile(
    r"(?:repeat(?:s|ing)? (?:the|this|its)|makes? another|an?(?:other)? new) sav[^.]*\bturns?\b"
    r"|\bturns?\b[^.]*(?:repeats? (?:the|this|its)|makes? another) sav|re-save",
    re.IGNORECASE,
)
_REPEAT_WORDS = ("repeat", "another", "new sav", "re-save")
_REPEATS_IN_A_CASE = re.compile(
    r"^(?:if|when|whenever) "
    r"(?!(?:the |a )?(?:target|creature|it|save|saving throw)\b[^,]{0,20}\bfail)",
    re.IGNORECASE,
)
_WHILE = re.compile(
    r"while (?P<state>\w+)(?: in this way| by it)?,? "
    r"(?=(?:(?:the|an?|each) (?:affected )?(?:target|creature)|it) (?:is|has)\b)",
    re.IGNORECASE,
)
"""Before what comes with a state that the text itself brings: `While poisoned, it is ...`."""
_AS_LONG = re.compile(
    r"(?: conditions?)? (?:while|(?:for )?as long as it is|until it is no longer) (?P<state>\w+)\b",
    re.IGNORECASE,
)
"""Behind a condition that lasts as long as another: `paralyzed while poisoned in this way`."""
_DELAY = (
    r"(?:half|that|this|another|one|an?|\d+(?: \(?\d*d\d+\)?)?|\d*d\d+)\b"
    r"[^.,;]{0,20}?\b(?:time|rounds?|minutes?|hours?|days?)\b"
)
_LATER = re.compile(
    rf"(?: conditions?)?,? (?:(?:after|in) {_DELAY}|{_DELAY} (?:later|after))", re.IGNORECASE
)
"""Behind a condition that comes after a time, which nobody has when the save fails."""
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
_CHOICE_WORDS = ("following", "choos", "choice", "random")
"""What must be in a text for `_CHOSEN`, which is slower to look for."""
_CHOSEN_ASIDE = re.compile(
    r"(?:^|\b(?:damage|saving throws?|saves?)) ?\([^().]{0,40}choice\)", re.IGNORECASE
)
"""A choice of the damage's type, or of a save's ability, which is none of conditions."""
_ESCAPE = re.compile(r"escape DC ?(?:is |of |= ?)?(\d{1,2})", re.IGNORECASE)
_UNLESS = re.compile(
    r"^(?:while|when|whenever|as long as|instead of|in lieu of|unless|a creature that (?!fails)|"
    rf"(?:after|in) {_DELAY}|at the end of (?:that|this) time|{_DELAY} (?:later|after)|"
    r"if (?!(?:(?:the )?(?:target|creature)|it) is (?:an? |[\w, -]{3,40}? or (?:smaller|larger))"
    r"(?![^,.]{0,20} and [^,.]*\b(?:advantage|prone|bloodied|surprised)\b)"
    r"|(?:the|a|that) (?:target|creature) fails|(?:it|they) (?:otherwise )?fails?\b|the sav))",
    re.IGNORECASE,
)
_ON_HIT = re.compile(
    r"^(?:on (?:a )?hit,?|when (?:(?:the )?target is )?hit,?|failure:) +", re.IGNORECASE
)
"""What a sentence may begin with that holds of each hit, or each failure."""
_TURN = re.compile(
    r"until the (?P<edge>start|beginning|end) (?:of )?"
    r"(?:(?P<bearer>its|their|the (?:target|creature)\S*)|[^.,]{1,60}?) next turn"
    r"|until (?:(?P<whose>its|their|the (?:target|creature)\S*)|[^.,]{1,60}?) next turn"
    r" (?P<does>starts|ends)"
    r"|until the (?P<first>start|beginning) of (?:(?P<own>its|their|the (?:target|creature)\S*)"
    r"|[^.,]{1,60}?) turn\b",
    re.IGNORECASE,
)
_BY = (
    rf"(?:,? and (?:is |are )?(?:also )?(?:{'|'.join(CONDITIONS)}))*"
    r"(?: conditions?)?(?: (?:by|of|in) [\w' ]{2,30}?)?"
)
_COUNTS = {"a": 1} | {
    word: at
    for at, word in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), 1
    )
}
_COUNT = rf"\d{{1,3}}|{'|'.join(_COUNTS)}"
_TIME = re.compile(
    rf"^{_BY},? for (?:up to )?(?P<count>{_COUNT}) (?P<unit>round|minute)s?\b", re.IGNORECASE
)
_IN_WORDS = re.compile(
    rf"^{_BY}(?: while|,? (?:for )?(?:as|so) long as) (?P<lasts>[^.,;()]{{3,}})"
    rf"|^{_BY},? (?:until (?P<until>[^.,;()]{{3,}})"
    rf"|for (?:up to |the next )?(?P<time>(?:{_COUNT}|\d*d\d+(?: ?\+ ?\d+)?|an?|a number of) "
    r"(?:round|minute|hour|day|week|month|year)s?)\b(?:,? or until (?P<or>[^.,;()]{3,}))?)",
    re.IGNORECASE,
)
"""Behind a condition an end that people judge: `until the light ends`, `while it is in the web`,
`for 1 hour or until it takes damage`."""
_SOONER = re.compile(rf"^{_BY},? for [^.,;()]{{3,30}}?,? or until\b", re.IGNORECASE)
"""Behind a condition a time that something else may cut short."""
_STILL = re.compile(r"\b(is|are|has|can)\b(?! no)|\b(?=(?:remains?|stays?)\b)", re.IGNORECASE)
_LASTS = re.compile(r"\b(?:last|persist|continue)s$", re.IGNORECASE)
_LONGEST_END = 60
"""The most characters of an end in words."""
_AT_LAST = re.compile(r"after (?:1|one) minute, it succeeds automatically", re.IGNORECASE)
_UNTIL = (
    (re.compile(r"save ends", re.IGNORECASE), "save"),
    (
        re.compile(r"until the end of (?:its|their|the|that|this) (?:current )?turn\b", re.I),
        "this turn",
    ),
    (re.compile(r"until the end of the encounter", re.IGNORECASE), "fight"),
    (re.compile(r"until (?:it|they|the target) escapes?", re.IGNORECASE), "escape"),
)
_OTHERS = re.compile(
    r"\b(?:immun\w+|advantage|disadvantage|already|not|no longer|can't|cannot)\b"
    r"|\b(?:against|avoid) $",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r",|\bbut\b", re.IGNORECASE)


def parse_conditions(text: str) -> tuple[ImportedCondition, ...]:
    """Parse the conditions and the ongoing damage that a text imposes on its target, each once.

    Sentences about special cases (`while`, `if it is already ...`) are left to the reader, and so
    is a text that offers a choice.
    """
    plain = text.casefold()
    if not has_any(plain, _LAID_WORDS):
        return ()
    if has_any(plain, _CHOICE_WORDS) and _CHOSEN.search(_CHOSEN_ASIDE.sub("", text)):
        return ()
    found: dict[str, ImportedCondition] = {}
    so_far, is_again = "", False
    sentences = SENTENCE.split(text)
    may_repeat = "sav" in plain and has_any(plain, _REPEAT_WORDS)
    again = [s for s in sentences if may_repeat and _REPEATS.search(s)]
    repeats = {_who_repeats(s) for s in again if not _REPEATS_IN_A_CASE.match(s)}
    for whole in sentences:
        sentence = _ON_HIT.sub("", whole)
        held = _WHILE.match(sentence)
        comes_with = found.get(held["state"].casefold()) if held else None
        if held and comes_with:
            sentence = sentence[held.end() :]
        if _UNLESS.match(sentence) or re.match(r"on a success", sentence, re.IGNORECASE):
            continue
        state = None if comes_with else _STATE.match(sentence)
        is_later = is_again and _FAILS.match(sentence) is not None
        is_again = is_again or _AGAIN.search(sentence) is not None
        if is_later or _OTHERWISE.search(sentence) or (state and _word_of(state) not in so_far):
            continue
        so_far += sentence.casefold()
        if "ongoing" in plain and (ongoing := _ONGOING.search(sentence)):
            found.setdefault("ongoing", ImportedCondition("ongoing", damage=amount_of(ongoing)))
        laid = _laid(sentence)
        together = {"", *(match["condition"].casefold() for match in laid)}
        for match in laid:
            escape = _ESCAPE.search(sentence) or _ESCAPE.search(text)
            condition = match["condition"].casefold()
            until = lasts = until_of(sentence[match.end() :])
            if repeats & together:
                until = "repeat"
            if comes_with and not until and comes_with.until != "escape":
                until = comes_with.until
            held_by = _AS_LONG.match(sentence, match.end())
            longer = found.get(held_by["state"].casefold()) if held_by else None
            if longer and not until and longer.until != "escape":
                until = longer.until
            rest = sentence[match.end() :]
            if not (until or longer or "grapple" in plain) or (
                until.endswith("turns") and _SOONER.match(rest)
            ):
                until = end_in_words(rest) or until
            goes_on = sentence.startswith(" and ", match.end())
            is_others = match != laid[-1] or goes_on or " turn" not in until
            if condition == "prone" and is_others:
                until = ""  # the end after it is that of the others: who is prone stands up
            if condition == "grappled" and escape:
                until = "escape"
            dc = int(escape[1]) if escape and until == "escape" else 0
            most = 0
            if until == "repeat":
                turns = lasts.removesuffix(" turns") or ("10" if _AT_LAST.search(text) else "")
                first = longer or comes_with  # with which it ends
                most = int(turns) if turns.isdecimal() else first.most if first else 0
            found.setdefault(condition, ImportedCondition(condition, until, dc, most))
    return tuple(found.values())


def _who_repeats(sentence: str) -> str:
    """The condition of those who repeat a save, `A frightened target can ...`; empty for all."""
    state = _STATE_OF.match(sentence)
    word = state[1].casefold() if state else ""
    return word if word in CONDITIONS else ""


def _word_of(state: re.Match[str]) -> str:
    """The word by which a text brings a state: a condition itself, `swallow` of `swallowed`."""
    word = state[1].casefold()
    return word if word in CONDITIONS else word[:-2]


def _laid(sentence: str) -> list[re.Match[str]]:
    """The conditions that a sentence lays on somebody. One without a verb counts with the one
    before it, `is blinded and restrained`; of `is blinded or deafened` somebody has to choose."""
    plain = sentence.casefold()
    if not has_any(plain, CONDITIONS):
        return []
    given = _GIVEN.match(sentence)
    start = given.end() if given else 0
    laid: list[re.Match[str]] = []
    for match in _CONDITION.finditer(sentence, max(start - 1, 0)):
        before = sentence[start : match.start() + match[0].startswith(",")]
        is_held = sentence.startswith(" (escape DC", match.end())
        is_short = match.start() == match.start("condition")  # `frightened 1 min`
        if match["verb"] or match["further"] or is_short or (is_held and not match["choice"]):
            is_instead = match["choice"] and "instead" in sentence[match.end() : match.end() + 40]
            is_instead = is_instead or sentence.startswith(" instead", match.end())
            if is_instead or _MID_CASE.search(sentence[start : match.start("condition")]):
                continue
            is_later = _LATER.match(sentence, match.end()) is not None
            is_new = match["further"] and match[0].startswith("and ")  # `can't speak and is ...`
            is_others = not is_new and _OTHERS.search(_CLAUSE.split(before[-25:])[-1]) is not None
            if not (is_later or is_others or _CASE.search(before)):
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
        word = (turn["edge"] or turn["does"] or turn["first"]).casefold()
        is_own = turn["bearer"] or turn["whose"] or turn["own"]
        edge = "end" if word.startswith("end") else "start"
        return f"{edge} of {'bearer' if is_own else 'source'}"
    if (time := _TIME.search(text)) and (turns := _turns_of(time)) < _MOST_TURNS:
        return f"{turns} turns"
    return next((until for pattern, until in _UNTIL if pattern.search(text)), "")


_MOST_TURNS = 100
"""More turns than a row can count."""


def _turns_of(time: re.Match[str]) -> int:
    count = _COUNTS.get(time["count"].casefold()) or int(time["count"])
    return count * (10 if time["unit"].casefold() == "minute" else 1)


def end_in_words(text: str) -> str:
    """Parse an end that people judge after a condition: `the light ends` of `until the light ends`,
    `1 hour is over` of `for 1 hour`; empty for none."""
    found = _IN_WORDS.match(text)
    if found is None:
        return ""
    words = found["until"] or ""
    if time := found["time"]:
        words = f"{time} {'are' if time.endswith('s') else 'is'} over"
        words += f", or {found['or']}" if found["or"] else ""
    elif lasts := (found["lasts"] or "").strip():
        words = _LASTS.sub("ends", lasts)
        if words == lasts:
            words = _STILL.sub(lambda m: f"{m[1]} no longer" if m[1] else "no longer ", lasts, 1)
        words = f"no longer {lasts}" if words == lasts else words
    if re.search(r"\bfreed$", words):
        return "freed"
    words = " ".join(words.replace('"', "'").split())
    cut = words[:_LONGEST_END].rpartition(" ")[0]
    return words if len(words) <= _LONGEST_END else f"{cut} …"
