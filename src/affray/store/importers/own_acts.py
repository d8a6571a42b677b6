"""What the features of one creature say of it and of each other: what a trait takes of its turn,
whose attack an act makes, which breaths share a recharge."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from affray.core.rules.imported_creature import ImportedFeature, Sort
from affray.store.importers.act_names import BRACKETS
from affray.store.importers.attack_text import SENTENCE, at_a_run, hit_of
from affray.store.importers.feature_text import ONE_OF, parse_feature

_HINT = re.compile(
    r"\b(?:as|us(?:es?|ing)|tak(?:es?|ing)) (?:an?|its|his|her|their) "
    r"(?P<takes>bonus action|reaction|action)\b",
    re.IGNORECASE,
)
_WHO = re.compile(
    r"(?:^|, (?:and )?)(?P<who>(?:the|an?|each|any|one) [\w' -]{2,40}?|it|he|she|they)"
    r" (?:can(?!['’n])|may|[a-z]+s)\b",
    re.IGNORECASE,
)
"""Who does something in a sentence: `the goblin can`, `it adds`."""
_BEGINS_AS = re.compile(r"as a (bonus action|reaction)\b", re.IGNORECASE)
_SORTS: dict[str, Sort] = {"bonus action": "bonus", "reaction": "reaction", "action": "action"}


def with_what_is_taken(rows: Iterable[ImportedFeature], name: str) -> Iterator[ImportedFeature]:
    """The features of a creature of that name, where a trait that it uses as a bonus action, a
    reaction or an action is one: `The goblin can hide as a bonus action`."""
    words = (*re.findall(r"\w+", name.casefold()), *name.casefold().split())
    called = {word for word in words if len(word) > 2}  # of a yuan-ti `yuan` and `yuan-ti`
    for row in rows:
        plain = row.text.casefold()
        if not ("action" in plain or "response" in plain):
            yield row
            continue
        text = " ".join(row.text.split())
        begins = _BEGINS_AS.match(text) if row.sort == "action" else None
        sort = _SORTS[begins[1].casefold()] if begins else None
        if row.sort == "trait" and not row.aura and "spellcasting" not in row.name.casefold():
            sort = _taken(text, called)
        yield replace(row, sort=sort) if sort else row


def _taken(text: str, called: set[str]) -> Sort | None:
    if re.match(r"trigger: .*\bresponse\b", text, re.IGNORECASE):
        return "reaction"
    sentence = SENTENCE.split(text)[0]  # what follows is a part of the trait
    hint = _HINT.search(sentence) if "action" in sentence else None
    if hint is None:
        return None
    start = re.match(r"(?:if|when|whenever|while) ", sentence, re.IGNORECASE)
    whose = sentence[start.end() :] if start else sentence
    found = [match["who"].casefold().split() for match in _WHO.finditer(whose)]
    if not found:
        return None
    first, last = found[0], found[-1]
    is_owner = first[0] == "the" and bool(called & {*first})
    is_its = len(last) == 1 and (is_owner or (len(found) == 1 and not start))
    is_named = last[0] == "the" and bool(called & {*last})
    return _SORTS[hint["takes"].casefold()] if is_its or is_named else None


_ATTACK_AS_NAME = re.compile(r"(?:melee or ranged|melee|ranged) (?:weapon |spell )?attack", re.I)


def each_once(rows: Iterable[ImportedFeature]) -> Iterator[ImportedFeature]:
    """The features of a creature: of what a file has twice, the one with more in it; and an attack
    that stands below its name, as an entry called `Melee Weapon Attack`, under that name."""
    found: dict[tuple[str, str], ImportedFeature] = {}
    heading = ""
    for row in rows:
        if not row.text and row.attack is None and row.save is None:
            heading = row.name
        elif heading and _ATTACK_AS_NAME.fullmatch(row.name):
            found.pop((heading, ""), None)
            row, heading = replace(row, name=heading), ""
        else:
            heading = ""
        before = found.get((row.name, row.text))
        if before is None or (before.attack is None and row.attack is not None):
            found[row.name, row.text] = row
    yield from found.values()


_ON_A_HIT = re.compile(r"\b(?:on a hit|if (?:it|the attack) hits|if it is hit)\b", re.IGNORECASE)
_MAKES = re.compile(
    r"(?<!or )(?<!if it )\bmakes? (?:a|an|one|a single) (?P<a>[\w'’+ -]{2,40}?)"
    r"(?: attack\b|(?=[.,;]|$| (?:against|at|with)\b))"
    r"|\battacks? (?:once )?with (?:its|his|her|their) (?P<with>[\w'’ -]{2,30}?)(?=[.,]|$)"
    r"|(?<!or )(?<!if it )\buses? (?:its |his |her |their )?"
    r"(?P<use>[\w'’ -]{3,40}?)(?: action)?(?=[.,]|$)",
    re.IGNORECASE,
)


_BEGINS = re.compile(
    r"(?:the|an?) [\w' -]{2,40}? makes (?:a|one|a single) [\w' -]{2,30} attack (?=against|at)",
    re.IGNORECASE,
)
"""The beginning of an action that makes an attack and brings more: `The worm makes one bite attack
against a creature it is grappling.`"""


def borrow_attacks(features: Iterable[ImportedFeature]) -> Iterator[ImportedFeature]:
    """Yield the features, with the numbers of an action copied to what only says that it is done.

    So a legendary action has a roll and damage of its own: `The dragon makes a tail attack.`
    """
    rows = [*features]
    does = [f for f in rows if (f.attack or f.save) and f.sort == "action"]
    own = {_bare(f.name).casefold(): f for f in reversed(does)}
    own |= {f.name.casefold(): f for f in does}
    for row in rows:
        found: list[re.Match[str]] = []
        if row.sort in ("legendary", "reaction", "bonus"):
            found = [*_MAKES.finditer(row.text)] if _is_plain(row) else []
        elif row.sort == "action" and not row.name.casefold().startswith("multi"):
            first = _BEGINS.match(row.text)  # an action that begins with an attack
            if first and _is_plain(row) and (one := _MAKES.search(row.text, 0, first.end())):
                found = [one]
        named = [(one["a"] or one["with"] or one["use"]).casefold() for one in found]
        spelt = (own.get(n) for name in named for n in (name, f"{name}s", name.removesuffix("s")))
        if (lent := next(filter(None, spelt), None)) and (lent.attack or not row.save):
            parts = ["attack", "damage", "inflicts"]
            parts += [] if row.save is not None else ["save", "failed", "binds"]
            row = replace(row, **{part: getattr(lent, part) for part in parts})
            if "grapple ends" in row.text:
                row = replace(row, inflicts=())
        yield row


def _bare(name: str) -> str:
    return BRACKETS.sub("", name) if "(" in name else name


def _is_plain(row: ImportedFeature) -> bool:
    """True if a feature has no numbers of its own for an attack."""
    return (row.attack is None or not row.damage) and (
        row.save is None or _ON_A_HIT.search(row.text) is not None
    )


def runs(rows: Iterable[ImportedFeature]) -> Iterator[ImportedFeature]:
    """The features of a creature, and behind an attack what it brings after a run, if that is a
    save or damage: by itself, since not every hit has it."""
    for row in rows:
        yield row
        is_so = row.attack is not None and " move" in row.text
        after = at_a_run(hit_of(row.text) or row.text)[1] if is_so else ""
        if not after or row.save is not None:
            continue
        more = parse_feature(f"{row.name} after a run", after, "free")
        if more.save is not None or more.damage:
            yield more


def _each_once(rows: list[ImportedFeature]) -> Iterator[ImportedFeature]:
    """Features where one that a heading's text offers, and that has an entry of its own as well,
    is that entry alone, with the limits of the heading."""
    offered = {row.name: row for row in rows if row.pool and row.trigger == f"one of {row.pool}"}
    own = {row.name for row in rows if row.name in offered and not row.pool}
    for row in rows:
        heading = offered.get(row.name)
        if heading is None or row.name not in own:
            yield row
        elif not row.pool:
            often = {**heading.limits, "pool": heading.pool}
            yield row if row.is_limited else replace(row, trigger=heading.trigger, **often)


def sharing(rows: Iterable[ImportedFeature]) -> tuple[ImportedFeature, ...]:
    """The features of a creature, in which the breaths after `Breath Weapons (recharge 5)`, one of
    which is used at a time, share its recharge."""
    found: list[ImportedFeature] = []
    whole: ImportedFeature | None = None
    for row in _each_once([*rows]):
        is_breath = "breath" in row.name.casefold()
        if is_breath and ONE_OF.search(row.text[-60:]) and row.is_limited:
            whole = row
            found.append(replace(row, sort="trait", uses=0, per="", recharge=0))
            continue
        whole = whole if whole and is_breath and row.sort == whole.sort else None
        if whole and not (row.pool or row.is_limited):
            row = replace(row, pool=whole.name, **whole.limits)
        elif whole and row.recharge == whole.recharge and not row.pool:
            row = replace(row, pool=whole.name)
        found.append(row)
    return tuple(found)
