"""Parse traits and actions from their names and texts, as stat blocks of 5e and Level Up have them.

`parse_feature` makes one `ImportedFeature` of a name and a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec.structs import replace

from affray.core.rules.imported_creature import (
    ImportedAttack,
    ImportedFeature,
    ImportedSave,
    Sort,
)
from affray.store.importers.act_names import (
    bare_name,
    parse_usage,
    usage_in,
    without_what_it_takes,
)
from affray.store.importers.attack_text import (
    SENTENCE,
    at_a_run,
    attack_of,
    hit_of,
    parse_damage,
)
from affray.store.importers.auras import aura_of
from affray.store.importers.condition_text import parse_conditions
from affray.store.importers.values import (
    ABILITIES,
    ABILITY_NAMES,
    has_any,
    to_ability,
    to_clean_text,
    to_int,
    to_list,
    to_one_line,
)

# -------------------------------------------------------------------------------------------------
# Saves from sentences.

_ABILITY = "|".join((*ABILITY_NAMES, *ABILITIES))
_SAVE = re.compile(
    rf"(?=[dsciw])(?:DC ?(?P<dc>\d{{1,2}})\*? (?P<first>{_ABILITY})\b(?: or (?:{_ABILITY})\b)?"
    rf"(?: saving throw| save)?"
    rf"|(?P<second>{_ABILITY}) (?:saving throw|save):? \(?(?:(?:against|with) an? )?"
    r"DC ?(?P<dc2>\d{1,2}))",
    re.IGNORECASE,
)
_DC = ("DC", "dc", "Dc", "dC")
_BEFORE_DC = 60
"""More characters than a save has before its DC: `Constitution saving throw (against a DC 12`."""
_IS_SAVE = re.compile(r"sav(?:e|ing)|half|negates", re.IGNORECASE)
_REGURGITATES = re.compile(r"[^.]{0,60}? or regurgitate", re.IGNORECASE)
"""Behind a save that who swallowed somebody makes, not the target."""
_SAVE_ALONE = re.compile(
    rf"\b(?:{_ABILITY})(?: saving throw| save)\b|\bsaving throw\b", re.IGNORECASE
)
"""A save whose DC is elsewhere."""
_KEPT_OFF = re.compile(r"^,? ?(?:half|negates)\b", re.IGNORECASE)
"""Behind a save that stands behind what it keeps off: `9 (2d8) fire damage (DC 12 Dex half)`."""
_JOINED = re.compile(r"(?<=[a-z]),? (?:plus|and|\+) ", re.IGNORECASE)
_JOINED_CLAUSE = re.compile(r",? and (?=(?:it|the (?:target|creature)) )(?!.*,? and it )", re.I)
_TURNED = re.compile(
    r"(?:[;.,] (?:and |but )?a [^.;,]{0,30}?successful|\b(?:with|on) a successful"
    r"|\bhalved by a successful|\bhalf damage to targets that make a successful"
    r"|(?<=[a-z,;] )(?:unless|if) (?:it|they|the (?:target|creature))"
    r"[^.;]{0,20} (?:succeeds?|makes?) (?:on )?an?(?: successful)?) $",
    re.IGNORECASE,
)
"""Before a save that stands behind what it keeps off: `takes 56 (16d6) damage; a successful DC 18
Constitution saving throw halves it`, `or takes half damage with a successful DC 18 ...`."""
_BEHIND = re.compile(r", (?:the |it |they )", re.IGNORECASE)
"""Behind a save that stands before what it keeps off: `unless it succeeds on ..., it falls`."""
_LONGEST_TURNED = 100
_HALF = re.compile(
    r"(?<!by )\bhalf (?:as much |of (?:this|that|the) )?(?:the |that |this )?(?:[a-z]+ )?damage\b"
    r"|\bhalf as much|\bhalved (?:(?:on|by|with) a|if it)"
    r"|\bhalf on (?:a )?success|^,? ?half\b|\bfor half\b"
    r"|\btaking half on (?:a )?save|\bdamage (?:by|to) half"
    r"|\bhalves (?:the |this |that )?(?:[a-z]+ )?damage",
    re.I,
)
_ELSE = re.compile(
    r"\b(?:Second Failure|Failure or Success|Success:)|\b(?:Each|A|Any) (?:creature|target) that "
    r"(?:succeeds|saves)\b[^.]*\."
)
"""The point where a text goes on from the effects of a failed save to something else."""
_END = re.compile(r"[.!?](?=\s*[A-Z])")
"""The end of a sentence, also if no blank stands behind it."""


class TextSave(NamedTuple):
    """A save that a text asks for, with the text of the hit before it and of a failure."""

    save: ImportedSave
    before: str
    failed: str


def save_of(text: str, is_hit: bool = False) -> TextSave | None:
    """The first saving throw that a text asks for; None for none. One in brackets, `9 (2d8) fire
    damage (DC 12 Dex half)`, is against the sentence before it, but, in a hit without another save,
    not against the first thing that the hit does."""
    if (found := first_save(text)) is not None:
        rest, before = text[found.end() :], text[: found.start()]
        save = ImportedSave(
            to_ability(found["first"] or found["second"]),
            int(found["dc"] or found["dc2"]),
            half=_is_halved(rest),
        )
        is_behind = _BEHIND.match(rest) is not None
        turned = _turned_in(before) if is_hit and not is_behind else None
        if turned or _KEPT_OFF.match(rest):
            *earlier, last = SENTENCE.split(before)
            if is_hit and not earlier:
                between = _JOINED_CLAUSE if turned and "ess " in turned[0] else _JOINED
                first, _, last = between.sub("\n", before, count=1).partition("\n")
                earlier = [first]
            if turned and not save.half:
                save = replace(save, half=_is_halved(last))
            return TextSave(save, " ".join(earlier), last)
        return TextSave(save, before, _ELSE.split(_up_to_the_next(rest))[0])
    return None


def _turned_in(before: str) -> re.Match[str] | None:
    """The words at the end of a text that turn what precedes a save into what it keeps off."""
    plain = before[-_LONGEST_TURNED:].casefold()
    may_be = "successful" in plain or "unless " in plain or "if " in plain
    return _TURNED.search(before, max(len(before) - _LONGEST_TURNED, 0)) if may_be else None


def _is_halved(text: str) -> bool:
    """True if a text says that who saves takes half."""
    return ("hal" in text or "Hal" in text) and _HALF.search(text) is not None


_IN_A_CASE = re.compile(
    r"(?:^|[,;] (?:and |but )?|\b(?:and|but) )(?:if|while|when|whenever) "
    r"(?!(?:the |a |an )?(?:target|creature|victim|it) "
    r"(?:is (?:an? |humanoid\b|living\b|alive\b|[\w, -]{3,40}? or (?:smaller|larger))|fails|is hit)"
    r"|(?:it|this attack) hits|hit\b|the [\w'’-]{2,20}(?: [\w'’-]{2,20})? hits?"
    r"(?:,| (?:the|it)\b|$| and (?:if )?(?:the target|it) is an? ))[^.;]*$"
    r"|\bat the (?:start|end|beginning) of (?:each|every|its|their)\b[^.;]*$",
    re.IGNORECASE,
)
"""Before a save in a hit that is asked for in some case alone: `If the claws are enhanced, ...`,
`At the end of each of its turns, ...`."""


_AT_ITS_TURNS = re.compile(
    r"(?:^|[.!?] )At the (?:start|end|beginning) of (?:each of )?(?:its|their) turns?,"
    r" (?:the|it|a) "
)
"""Before a save that whom an act reached makes later."""


def _without_cases(hit: str) -> str:
    """The text of a hit up to the sentence whose save only some case asks for."""
    found = first_save(hit)
    before = hit[: found.start()] if found else ""
    *earlier, last = SENTENCE.split(before)
    case = _IN_A_CASE.search(last) if found else None
    return " ".join((*earlier, last[: case.start()])).strip() if case else hit


_BY_MUCH = re.compile(
    r"if [^.]*\bby (?:\d+|five|ten)(?:\+| or more)"
    r"|if (?!it fails|the [a-z]+ fails)[^.]*\binstead\b",
    re.IGNORECASE,
)


def _of_any_failure(failed: str) -> str:
    """The text of a failed save without what one brings that fails by much, or in some case."""
    if " by " not in failed and "instead" not in failed:
        return failed
    return " ".join(each for each in SENTENCE.split(failed) if not _BY_MUCH.match(each))


def first_save(text: str) -> re.Match[str] | None:
    """Find the first saving throw that a text asks for; None for none."""
    starts = [at for word in _DC if (at := text.find(word)) >= 0]
    near = max(min(starts) - _BEFORE_DC, 0) if starts else 0
    return next(filter(_asks, _SAVE.finditer(text, near)), None) if starts else None


def _up_to_the_next(text: str) -> str:
    """The sentences of a text before one that asks for another save."""
    found = first_save(text)
    ends = [end.end() for end in _END.finditer(text, 0, found.start())] if found else []
    return text[: ends[-1]] if ends else text


def _asks(found: re.Match[str]) -> bool:
    """True if an apparent save isn't part of a check."""
    rest = found.string[found.end() : found.end() + 80]
    regurgitates = "regurgitate" in rest.casefold() and _REGURGITATES.match(rest)
    return bool(_IS_SAVE.search(found[0] + rest[:14])) and not regurgitates


def _known_save(text: str, save: ImportedSave) -> TextSave | None:
    """The text before and after a save whose DC is in a field of its own; None without such a
    save."""
    found = _SAVE_ALONE.search(text)
    if found is None:
        return None
    rest = text[found.end() :]
    half = save.half or _is_halved(rest)
    return TextSave(replace(save, half=half), text[: found.start()], _ELSE.split(rest)[0])


# -------------------------------------------------------------------------------------------------
# Features.

ONE_OF = re.compile(r"one of the following", re.IGNORECASE)
_IN_THE_ATTACK = re.compile(r"\bincluded in (?:the|its|his|her|their|each) ", re.IGNORECASE)
"""In a trait whose damage the attacks have already."""
_ABOUT_LAIRS = re.compile(
    r"\bcreatures? (?:has|have|with) lair actions\b|\blair action options?\b", re.IGNORECASE
)
"""In a line about what lair actions are, which is none."""
_LAIR = re.compile(r"\binitiative count 20\b.*\blair action\b", re.IGNORECASE)
LEGENDARY = "Legendary Actions"
_LEGENDARY_ACTION = re.compile(r"^Legendary Action: +", re.IGNORECASE)
_CHOICE = re.compile(
    r"can take \d legendary actions?\b|^\W*(?:\w+ )?legendary action uses: \d", re.IGNORECASE
)
_NAMED = re.compile(
    r"^[•*\- ]*(?P<name>[A-Z][\w'’ -]{2,39}(?: \([^()]{1,40}\))?)[.:] (?P<text>.{12,})$"
)
_NUMBER = re.compile(
    r"(?:(?<=[.:)!?] )|(?<=\n)|^)[•*\- ]*(?P<from>\d{1,2})(?:[-–](?P<to>\d{1,2}))?"
    r"[.:)]\** (?=\**[A-Z])"
)
"""Before each of several that are counted: `1. Charm Ray. ... 2. Fear Ray. ...`."""
_FIRST_NUMBERS = ("1. ", "1: ", "1) ", "1.*", "1:*", "1)*", "1-", "1–")
"""The forms of the first number, which most texts lack."""
_SEVERAL = re.compile(
    r"\b(?:two|three|four|five|several|up to \w+) (?:\w+ )?(?:of the|of its|rays?\b|random)"
    r"|\b(?:two|three|four) (?:different |random )?(?:\w+ ){0,2}rays\b",
    re.IGNORECASE,
)
"""In an act that is several of those that it counts."""
_TEXTS = ("desc", "description", "text", "content")
"""The names of an entry's text."""


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
            name, usage = to_one_line(row.get("name")), to_one_line(row.get("usage"))
            text = next((row[key] for key in _TEXTS if key in row), "")
            nested = _entries(row["traits"], depth + 1) if "traits" in row and depth < 3 else ()
            more = (f"{n}. {t}" if n else t for n, t in nested)
            yield (
                f"{name} ({usage})" if usage else name,
                "\n".join((to_clean_text(text), *more)).strip(),
            )
        elif isinstance(each, list) and each:
            yield (
                to_one_line(each[0]),
                " ".join(to_clean_text(part) for part in each[1:]),
            )
        elif isinstance(each, str) and each.strip():
            yield "", each


def _with_lines(rows: Mapping[Any, Any]) -> list[Any]:
    """The entries of a map; lines under `traits` continue the entry before them."""
    found: list[Any] = []
    for key, each in rows.items():
        is_lines = key == "traits" and isinstance(each, list) and found
        if is_lines and isinstance(found[-1], dict) and all(isinstance(n, str) for n in each):
            found[-1] = {**found[-1], "traits": [*to_list(found[-1].get("traits")), *each]}
        else:
            is_named = isinstance(each, str) and not str(key).isdecimal()
            found.append({"name": key, "desc": each} if is_named else each)
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
    whole_text = to_clean_text(text)
    if attack is None and (counted := _counted(whole_text)):
        return _each_counted(name, *counted, sort)
    first, *rest = whole_text.split("\n")
    if not rest:
        return [parse_feature(name, text, sort, attack, save)]
    if _LAIR.search(first):
        marked = [line for line in rest if line.startswith(("•", "*", "-"))]
        effects = marked or rest  # what has no mark where others have is about all of them
        effects = [line for line in effects if not _ABOUT_LAIRS.search(line)]
        heading = " ".join((first, *(line for line in rest if line not in effects)))
        return [parse_feature(name, heading, "trait"), *map(_lair_action, effects)]
    offers = _CHOICE.search(first) or (ONE_OF.search(first) and attack_of(first) is None)
    lines: list[str] = []
    for line in rest if offers else ():  # what has no name goes on with the line before
        if lines and not _NAMED.match(line):
            lines[-1] += f" {line}"
        else:
            lines.append(line)
    named = [found for line in lines if (found := _NAMED.match(line))]
    if len(named) < max(len(lines), 2):
        return [parse_feature(name, text, sort, attack, save)]
    if _CHOICE.search(first):
        each = [parse_feature(match["name"], match["text"], "legendary") for match in named]
        return [ImportedFeature(LEGENDARY, "trait", first), *each]
    whole = parse_feature(name, first, sort)
    often = parse_usage(to_one_line(name))._asdict()
    each = [parse_feature(match["name"], match["text"], sort) for match in named]
    pool = whole.name if whole.is_limited else ""
    return [replace(row, trigger=f"one of {whole.name}", pool=pool, **often) for row in each]


def _counted(text: str) -> tuple[str, list[re.Match[str]]] | None:
    """The text before `1. Charm Ray. ... 2. Fear Ray. ...`, and each of these by name; None for
    a text that counts none, and for lines of something else, such as of spells."""
    if not has_any(text, _FIRST_NUMBERS):
        return None
    found: list[re.Match[str]] = []
    last = 0
    for match in _NUMBER.finditer(text):
        if int(match["from"]) == last + 1:
            found.append(match)
            last = int(match["to"] or match["from"])
    ends = [*(match.start() for match in found[1:]), len(text)]
    parts = [text[match.end() : end] for match, end in zip(found, ends, strict=False)]
    named = [row for part in parts if (row := _NAMED.match(" ".join(part.split())))]
    does = [match for match in named if first_save(match["text"]) or parse_damage(match["text"])]
    is_list = len(named) == len(found) > 1 and len(does) * 2 >= len(named)
    return (text[: found[0].start()].strip(), named) if is_list else None


def _each_counted(
    name: Any, first: str, named: list[re.Match[str]], sort: Sort
) -> list[ImportedFeature]:
    """An act that counts others, and these. One that is several of them takes the action, and they
    take none; else each takes it."""
    is_several = _SEVERAL.search(first) is not None
    whole = parse_feature(name, first, sort if is_several or sort == "trait" else "trait")
    shared = whole.name if whole.is_limited and not is_several else ""
    often = {} if is_several else parse_usage(to_one_line(name))._asdict()
    takes: Sort = "free" if is_several and sort != "trait" else sort
    each = (parse_feature(match["name"], match["text"], takes) for match in named)
    rows = [replace(row, trigger=f"one of {whole.name}", pool=shared, **often) for row in each]
    return [replace(whole, uses=0, recharge=0) if shared else whole, *rows]


def _lair_action(line: str) -> ImportedFeature:
    """A lair's action, named by the start of its text if it has no name."""
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
    label, words = to_one_line(name), to_clean_text(text)
    return _feature_of(label, words, sort, given_attack, given_save)


@lru_cache(2048)  # as in `Amphibious` and `Keen Smell`, one in eight of a book stands there before
def _feature_of(
    label: str,
    words: str,
    sort: Sort,
    given_attack: ImportedAttack | None,
    given_save: ImportedSave | None,
) -> ImportedFeature:
    label, taken = without_what_it_takes(label)
    sort = taken if taken and sort in ("trait", "action") else sort
    flat = " ".join(words.split())
    named = f"{label} {flat}"
    if "legendary action" in named.casefold() and _CHOICE.search(named):  # it tells of others
        return ImportedFeature(
            LEGENDARY, "trait", f"{label}. {words}" if _CHOICE.search(label) else words
        )
    own = attack_of(flat)
    attack = own or given_attack
    hit = hit_of(flat) if own is not None else flat if given_attack is not None else ""
    told_of = at_a_run(hit or flat)[0] if attack is not None else flat
    is_later = sort != "trait" and "At the " in told_of and _AT_ITS_TURNS.search(told_of)
    if attack is not None or is_later:
        told_of = _without_cases(told_of)
    asked = save_of(told_of, attack is not None)
    if asked is None and given_save is not None:
        asked = _known_save(told_of, given_save)
    save, before, failed = asked or (None, told_of, "")
    if save is not None and attack is None and _turned_in(before):
        half = save.half or _is_halved(before) or "halves" in failed
        more = failed.partition(". ")[2]
        save, before, failed = replace(save, half=half), "", f"{before}. {more}"
    dealt, laid = parse_damage(before), parse_conditions(before) if attack is not None else ()
    if attack is None:  # without a roll what has dice can be dealt, and a save may halve it
        is_dealt = "included in " not in before.casefold() or not _IN_THE_ATTACK.search(before)
        dealt = tuple(part for part in dealt if is_dealt and "d" in part.dice and part.type)
    lost, binds = (
        (parse_damage(_of_any_failure(failed)), parse_conditions(failed))
        if save is not None
        else ((), ())
    )
    if save is not None and save.half and not lost and attack is None:
        dealt, lost = (), dealt
    limits, whole = parse_usage(label), bare_name(label)
    has_limit = limits.uses or limits.recharge or sort == "trait"
    if not has_limit and (often := usage_in(flat)):
        limits = parse_usage(f"({often})")._replace(cost=limits.cost)
    bare = _LEGENDARY_ACTION.sub("", whole) if ":" in whole else whole
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
    many = to_int(count, 1, 9)
    if text or many:
        yield ImportedFeature(LEGENDARY, "trait", text or f"It can take {many} legendary actions.")
