"""The words of a stat block's values from which no number, bonus or speed comes, so that nothing is
lost without a word; and the fields of an action beside its text, as sentences of that text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from affray.store.importers.attack_text import attack_of
from affray.store.importers.feature_text import parse_feature
from affray.store.importers.typed_fields import Misfits
from affray.store.importers.values import (
    ABILITIES,
    MOST,
    NUMBER,
    Table,
    by_ability,
    to_ability,
    to_bonuses,
    to_clean_text,
    to_dice,
    to_int,
    to_ints,
    to_one_line,
    to_speeds,
    to_words,
    without_forms,
)

NUMBERS = {
    "HP": "hp",
    "level": "level",
    "proficiency": "pb",
    "initiative": "initiative",
    "passive perception": "passive_perception",
}
"""Facts that are one number -> the field of each."""
_FIRST = re.compile(rf"[+\-−–]?\s*{NUMBER}(?:st|nd|rd|th)?\b")
_BESIDE = re.compile(
    r"\([\d\sd+\-−–]*\)|\b(?:hp|hit points|level|initiative|max(?:imum)?)\b", re.IGNORECASE
)
"""Words beside a number that say no more: its dice, what it is."""
_WAY = re.compile(
    r"\b(?:walk(?:ing)?|fly(?:ing)?|swim(?:ming)?|climb(?:ing)?|burrow(?:ing)?|speed|base|ft|feet"
    r"|foot|squares?|m|hover(?:s|ing)?|it|can|and|\d+)\b",
    re.IGNORECASE,
)


def in_words(row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what of a stat block's fields is more than their numbers: the fact -> its words."""
    for what, field in NUMBERS.items():
        text = row.get(field)
        if field == "hp" and not row.get("hit_dice") and to_dice(text):
            continue  # they are the dice
        if isinstance(text, str) and (found := _FIRST.search(text)):
            if field == "hp" and part_of(text):
                found = _PART_OF.match(text) or found
            rest = _BESIDE.sub("", f"{text[: found.start()]} {text[found.end() :]}")
            if re.search(r"\w", rest):
                yield f"{what}, in words", to_one_line(text)
    parts = {
        "abilities": _scores(row.get("stats")),
        "saves": _bonuses(row.get("saves"), are_saves=True),
        "skills": _bonuses(row.get("skillsaves")),
        "speed": _speeds(row.get("speed")),
        "senses": _numbers(row.get("senses"), 1),
    }
    for what, texts in parts.items():
        if words := ", ".join(texts):
            yield f"{what}, in words", words


_PART_OF = re.compile(rf"\s*({NUMBER})\s*(?:/|\bof\b)\s*({NUMBER})\b")


def part_of(text: str) -> tuple[int, int] | None:
    """Read the HP that are left, and the most: `28/38`. None for anything else."""
    found = _PART_OF.match(text)
    left, most = (to_int(found[1]), to_int(found[2])) if found else (None, None)
    return (left, most) if left is not None and most and left <= most else None


def _scores(value: Any) -> Iterator[str]:
    """The ability scores that are none."""
    if isinstance(value, list) and len(value) == len(ABILITIES):
        value = dict(zip(ABILITIES, value, strict=True))
    if not isinstance(value, Mapping):
        return
    scores = {name: score for name, score in value.items() if to_ability(name)}
    if to_ints(scores, 0, 99):  # else all of it is told as it stands
        yield from _numbers(scores, 0, 99)
        yield from _texts({name: n for name, n in value.items() if name not in scores})


def _numbers(value: Any, low: int, high: int = MOST) -> Iterator[str]:
    """The values of a table that are no numbers."""
    given = value if isinstance(value, Mapping) else {}
    yield from _texts({k: v for k, v in given.items() if to_int(v, low, high) is None})


def _bonuses(value: Any, are_saves: bool = False) -> Iterator[str]:
    """The saves or skills without a bonus, and the saves of no ability."""
    if isinstance(value, Mapping):
        parts: list[Any] = [{name: bonus} for name, bonus in value.items() if bonus is not None]
    else:
        parts = value if isinstance(value, list) else to_words(value)
    for part in parts:
        found = to_bonuses([part])
        if not (by_ability(found) if are_saves else found):
            named = [f"{name} {bonus:+d}" for name, bonus in found.items()]
            yield from named or (_texts(part) if isinstance(part, Mapping) else [_line(part)])


def _line(value: Any) -> str:
    return " ".join(texts_in(value))


def _speeds(value: Any) -> Iterator[str]:
    """The speeds that are none of the usual ways."""
    if isinstance(value, Mapping):
        usual = to_speeds(value)
        others = {way: far for way, far in value.items() if way not in usual}
        yield from _texts({w: f for w, f in others.items() if "hover" not in str(w).casefold()})
        return
    texts = value if isinstance(value, list) else [value] if isinstance(value, str) else []
    for text in texts:
        for part in to_words(without_forms(to_one_line(text))):
            if re.search(r"\w", _WAY.sub("", part)):
                yield part


def _texts(given: Mapping[Any, Any]) -> Iterator[str]:
    """A table's values with their names, but for those that are nothing."""
    for name, value in given.items():
        if text := _line(value):
            yield f"{to_one_line(str(name))} {text}"


def texts_in(value: Any, depth: int = 0) -> Iterator[str]:
    """Yield all texts in a value of any kind, with the names of fields."""
    if isinstance(value, Mapping) and depth < 6:
        for key, each in value.items():
            inner = " ".join(texts_in(each, depth + 1))
            yield inner if key in ("name", "desc") else f"{to_one_line(str(key))} {inner}"
    elif isinstance(value, list) and depth < 6:
        for each in value:
            yield from texts_in(each, depth + 1)
    elif value is not None and value is not False:
        yield to_one_line(value if not isinstance(value, bool) else "yes")


def unread(misfits: Misfits) -> dict[str, str]:
    """The words of fields that are of another shape than their format says, by what they are."""
    return {f"{path}: unread field": " ".join(texts_in(row)) for path, row in misfits.items()}


# -- the fields of an action, a trait or a reaction ------------------------------------------------

_TEXTS = ("desc", "description", "text", "content")
_NAME_AND_TEXT = {"name", "desc"}
_PLAIN = {"name", "usage", "traits", *_TEXTS}
_BONUS = ("attackbonus", "tohit", "hitbonus")
_DICE = ("damagedice", "damage", "dice")
_MORE = "damagebonus"
_TYPE = ("damagetype", "type")
_ABOUT = {
    "id", "index", "slug", "url", "image", "img", "icon", "key", "source", "page", "order", "sort",
}  # fmt: skip
"""Fields of a row that are about the file, not the creature."""


def with_fields(value: Any) -> Any:
    """Return the rows of a list of actions, in whose texts stands what other fields say: a bonus to
    hit and damage as a stat block has them, unless the text has them."""
    if isinstance(value, list):
        return [with_fields(each) if isinstance(each, dict) else each for each in value]
    if isinstance(value, dict) and {"name", "Name"} & value.keys():
        return _with_fields(value)
    if isinstance(value, dict):  # by numbers, as some exporters write lists
        return {
            k: _with_fields(each) if isinstance(each, dict) else each for k, each in value.items()
        }
    return value


def _with_fields(entry: Table) -> Table:
    if entry.keys() <= _NAME_AND_TEXT and isinstance(entry.get("desc"), str):
        return entry  # as most are
    more = {
        _plain(key): (key, given)
        for key, given in entry.items()
        if given and not _is_plain(key, given) and _plain(key).strip("_") not in _ABOUT
    }
    if not more:
        return entry
    key = next((k for k in entry if str(k).casefold() in _TEXTS), "desc")
    text = to_clean_text(entry.get(key))
    bonus = next((n for k in _BONUS if k in more and (n := _int(more[k][1])) is not None), None)
    name = next((k for k in entry if str(k).casefold() == "name"), "name")
    called = to_one_line(entry.get(name))
    if "recharge" in more and called and "recharge" not in called.casefold():
        entry = {**entry, name: f"{called} (Recharge {_line(more.pop('recharge')[1])})"}
    rolls: list[str] = []
    taken: set[str] = set()
    if bonus is not None and attack_of(" ".join(text.split())) is None:
        rolls.append(f"Attack: {bonus:+d} to hit.")
        taken |= {*_BONUS}
    dealt = _damage({name: given for name, (_, given) in more.items()})
    if dealt and not (_squeezed(dealt.split(" ")[0]) in _squeezed(text) or _deals(text)):
        rolls.append(f"Hit: {dealt}.")
        taken |= {*_DICE, _MORE, *_TYPE}
    words_of_text = _words(text)
    rest = [
        f"{to_one_line(str(name)).replace('_', ' ')}: {words}"
        for plain, (name, given) in more.items()
        if plain not in taken and (words := _line(given))
        if not _is_in(words_of_text, given)
    ]
    lines = (" ".join([*rolls, text]), "; ".join(rest))
    return {**entry, key: " ".join(filter(None, lines)).strip()}


def _is_plain(key: Any, given: Any) -> bool:
    """True if a value is read as what it is: a name, a text."""
    name = str(key).casefold()
    is_text = isinstance(given, str) or name not in _TEXTS or to_clean_text(given) != ""
    return name in _PLAIN and is_text


def _deals(text: str) -> bool:
    """True if a text has some damage, of a hit or a failed save."""
    read = parse_feature("", text, "action")
    return bool(read.damage or read.failed)


def _squeezed(text: str) -> str:
    return text.casefold().replace(" ", "")


@lru_cache(512, typed=True)  # True and 1 are other keys
def _plain(key: Any) -> str:
    return re.sub(r"[\W_]", "", str(key).casefold())


def _int(value: Any) -> int | None:
    return None if isinstance(value, Mapping | list) else to_int(value, -99, 99)


def _damage(fields: Mapping[str, Any]) -> str:
    """`1d6+2 slashing damage`, from fields with plain names."""
    dice = next((fields[name] for name in _DICE if fields.get(name)), None)
    if isinstance(dice, Mapping):
        dice = [dice]
    if isinstance(dice, list):
        rows = ({_plain(k): v for k, v in each.items()} for each in dice if isinstance(each, dict))
        return " plus ".join(filter(None, map(_damage, rows)))
    text, more = to_one_line(dice), _int(fields.get(_MORE))
    if not re.match(r"\d|d\d", text):
        return ""
    if more and not re.search(r"[+\-−–]", text):
        text += f"{more:+d}"
    kind = next((fields[name] for name in _TYPE if fields.get(name)), "")
    kind = to_one_line(kind.get("name") if isinstance(kind, Mapping) else kind)
    words = text if kind.casefold() in text.casefold() else f"{text} {kind.casefold()}"
    return words if "damage" in words else f"{words} damage"


def _is_in(words: set[str], given: Any) -> bool:
    """True if every number and word of a value is among the words of a text."""
    return _words(_line([*given.values()] if isinstance(given, Mapping) else given)) <= words


def _words(text: str) -> set[str]:
    return {*re.findall(r"\w+", text.casefold().replace("−", "-"))}
