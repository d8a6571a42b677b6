"""A trait or an action from its name and its text, as stat blocks of 5e and Level Up have them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from msgspec.structs import replace

from affray.core.rules.imported import Attack, Feature, Sort
from affray.store.importing.attack_text import (
    at_a_run,
    attack_of,
    damage_of,
    hit_of,
    inflictions_of,
    save_of,
)
from affray.store.importing.values import clean, number, one_line

_RECHARGE = re.compile(r"recharge (\d)(?:\s?[-–−]?\s?6)?", re.IGNORECASE)
_USES = re.compile(
    r"(\d{1,2}) ?/ ?(day|rest|turn|round|short|long|encounter|battle)", re.IGNORECASE
)
_REST = re.compile(r"recharges?:?(?: after)?(?: an?)? (short|long)", re.IGNORECASE)
_COST = re.compile(r"costs? (\d)\b|^(\d) (?:legendary|mythic) actions?$", re.IGNORECASE)
_BRACKETS = re.compile(r"\s*\(([^()]*)(?:\)|$)")
_ONE_OF = re.compile(r"one of the following", re.IGNORECASE)
LEGENDARY = "Legendary Actions"
_CHOICE = re.compile(r"can take \d legendary actions?\b", re.IGNORECASE)
_NAMED = re.compile(
    r"^[•*\- ]*(?P<name>[A-Z][\w'’ -]{2,39}(?: \([^()]{1,40}\))?)[.:] (?P<text>.{12,})$"
)
_LIMITS = (_USES, _REST, _RECHARGE, _COST)
_TEXTS = ("desc", "description", "text", "content")
"""What the text of an entry is called."""
PER = {"short": "rest", "long": "day", "battle": "encounter"}


def features_of(row: Mapping[str, Any], lists: Mapping[str, Sort]) -> Iterator[Feature]:
    """The features in those fields of a row, each a list, or a map with numbers for keys, of
    tables, pairs or texts."""
    for field, sort in lists.items():
        for name, text in _entries(row.get(field)):
            yield from features(name, text, sort)


def _entries(value: Any, depth: int = 0) -> Iterator[tuple[str, str]]:
    """Names and texts."""
    if isinstance(value, str):
        value = [value]
    rows = value
    if isinstance(value, Mapping):
        rows = [value] if {"name", "Name"} & value.keys() else value.values()
    for each in rows if isinstance(rows, Iterable) else ():
        if isinstance(each, Mapping):
            row = {str(key).casefold(): said for key, said in each.items()}
            name, usage = one_line(row.get("name")), one_line(row.get("usage"))
            text = next((row[key] for key in _TEXTS if key in row), "")
            nested = _entries(row.get("traits"), depth + 1) if depth < 3 else ()
            more = (f"{n}. {t}" if n else t for n, t in nested)
            yield f"{name} ({usage})" if usage else name, "\n".join((clean(text), *more)).strip()
        elif isinstance(each, list) and each:
            yield one_line(each[0]), " ".join(clean(part) for part in each[1:])
        elif isinstance(each, str) and each.strip():
            yield "", each


def features(name: Any, text: Any, sort: Sort, known: Attack | None = None) -> list[Feature]:
    """What a name and a text say: mostly one feature.

    Where the text offers several, `uses one of the following:` with a line each, it is those, and
    each may be used as often as the whole says. Legendary actions that stand in one text are each
    one by itself.
    """
    first, *rest = clean(text).split("\n")
    named = [_NAMED.match(line) for line in rest]
    offers = _ONE_OF.search(first) or _CHOICE.search(first)
    if not offers or len(named) < 2 or not all(named):
        return [feature(name, text, sort, known)]
    if _CHOICE.search(first):
        each = [feature(match["name"], match["text"], "legendary") for match in named if match]
        return [Feature(LEGENDARY, "trait", first), *each]
    whole = feature(name, first, sort)
    often = limits(one_line(name))._asdict()
    each = [feature(match["name"], match["text"], sort) for match in named if match]
    pool = whole.name if whole.uses or whole.recharge else ""
    return [replace(row, trigger=f"one of {whole.name}", pool=pool, **often) for row in each]


def sharing(rows: Iterable[Feature]) -> tuple[Feature, ...]:
    """The features of a creature, where those breaths that stand behind `Breath Weapons (recharge
    5)`, one of which is used, share its recharge."""
    found: list[Feature] = []
    whole: Feature | None = None
    for row in rows:
        is_breath = "breath" in row.name.casefold()
        if is_breath and _ONE_OF.search(row.text[-60:]) and (row.recharge or row.uses):
            whole = row
            found.append(replace(row, sort="trait", uses=0, per="", recharge=0))
            continue
        whole = whole if whole and is_breath and row.sort == whole.sort else None
        if whole and not (row.pool or row.recharge or row.uses):
            often = {"uses": whole.uses, "per": whole.per, "recharge": whole.recharge}
            row = replace(row, pool=whole.name, **often)
        found.append(row)
    return tuple(found)


def feature(name: Any, text: Any, sort: Sort, known: Attack | None = None) -> Feature:
    """What a name and a text say. `known` is an attack roll that the file has apart from them."""
    told = one_line(name)
    words = clean(text)
    flat = " ".join(words.split())
    if _CHOICE.search(f"{told} {flat}"):  # it tells of others
        return Feature(LEGENDARY, "trait", f"{told}. {words}" if _CHOICE.search(told) else words)
    own = attack_of(flat)
    attack = own or known
    hit = hit_of(flat) if own is not None else flat if known is not None else ""
    told_of = at_a_run(hit or flat)[0] if attack is not None else flat
    save, before, failed = save_of(told_of) or (None, told_of, "")
    dealt, laid = damage_of(before), inflictions_of(before) if attack is not None else ()
    if attack is None:  # without a roll what has dice can be dealt, and a save may halve it
        dealt = tuple(part for part in dealt if "d" in part.dice and part.type)
    lost, binds = (damage_of(failed), inflictions_of(failed)) if save is not None else ((), ())
    if save is not None and save.half and not lost and attack is None:
        dealt, lost = (), dealt
    return Feature(
        name=_bare(told) or "Action",
        sort=sort,
        text=words,
        attack=attack,
        damage=dealt,
        inflicts=laid,
        save=save,
        failed=lost,
        binds=binds,
        **limits(told)._asdict(),
    )


def legendary_actions(count: Any, told: str = "") -> Iterator[Feature]:
    """The trait that says how many legendary actions there are, by its text or by a number."""
    many = number(count, 1, 9)
    if told or many:
        yield Feature(LEGENDARY, "trait", told or f"It can take {many} legendary actions.")


class Limits(NamedTuple):
    """How often something can be used, and at what cost: as a `Feature` has it."""

    uses: int
    per: str
    recharge: int
    cost: int


def limits(name: str) -> Limits:
    """How often by what stands in brackets in a name: `Fire Breath (recharge 5-6)`."""
    uses = _USES.search(name)
    rest = _REST.search(name)
    recharge = _RECHARGE.search(name)
    costs = [found for said in _BRACKETS.findall(name) if (found := _COST.search(said))]
    cost = int(costs[0][1] or costs[0][2]) if costs else 1
    per = uses[2].casefold() if uses else ("rest" if rest and rest[1].casefold() == "short" else "")
    per = per or ("day" if rest else "")
    times = int(uses[1]) if uses else (1 if rest else 0)
    face = int(recharge[1]) if recharge else 0
    return Limits(times, PER.get(per, per), face if 2 <= face <= 6 else 0, cost)


def _bare(name: str) -> str:
    """The name without what the brackets say of how often it can be used."""

    def kept(match: re.Match[str]) -> str:
        parts = [part.strip() for part in re.split(r"[;,]", match[1])]
        rest = [part for part in parts if not any(limit.search(part) for limit in _LIMITS)]
        return match[0] if rest == parts else f" ({', '.join(rest)})" if rest else ""

    return _BRACKETS.sub(kept, name).strip(" .:") or name
