"""Lists of spells in the texts of creatures, `3/day each: fly, fireball (level 5 version)`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from affray.core.dice import WRITTEN, to_notation
from affray.core.rules.imported_creature import ImportedFeature, ImportedSpell, ImportedSpells
from affray.store.importers.values import MINUS, to_ability, to_int

_NTH = r"(?:st|nd|rd|th)?"
_HEAD = re.compile(
    r"(?:(?<![\w/])|(?<=[a-z])(?=\d/))(?:"
    r"(?P<cantrips>cantrips?)(?: ?\([^()]*\))? ?:"
    r"|(?P<free>at[ -]will|constant)(?: \([^()]*\))? ?:"
    rf"|(?:level (?P<of>\d)|(?P<level>\d){_NTH}(?: ?[-–] ?(?P<top>\d){_NTH})?"
    r"(?:[ -]?level|(?= ?\(\d slots?\b)))"
    rf"(?: spells?)? ?"
    rf"(?:\((?P<slots>\d)(?: (?:(?P<of_level>\d){_NTH}[ -]level|level-(?P<of2>\d)))? ?slots?"
    r"[^()]*\) ?:?|:)"
    r"|(?P<times>\d{1,2}) ?/ ?(?P<per>day|rest|short rest|long rest)(?: ea(?:ch)?)?"
    r"(?: \([^()]*\))? ?:"
    r")\s*",
    re.IGNORECASE,
)
"""What begins a list: `Cantrips (at will):`, `At will:`, `1st level (4 slots):`, `3/day each:`."""
_TELLS = re.compile(
    r"\bcasts?\b[^.]{0,60}\bspells?\b|\bspells? (?:prepared|innately)|\bspellcast", re.IGNORECASE
)
_AT_WILL = re.compile(
    r"\bcan (?:innately )?cast (?P<names>[^.:()]{3,120}?) at will\b", re.IGNORECASE
)
_ALONE = re.compile(
    r"\b(?:can (?:innately )?cast|casts) (?:the )?(?P<name>[\w’'/ -]{3,40}?)(?: spells?)?"
    r"(?P<note> \([^()]*\))?(?: twice)?(?: on (?:itself|one creature)[^.,]*)?"
    r"(?:, (?:requiring|using|with)|\. (?:Its|Their|The)\b)",
    re.IGNORECASE,
)
"""A text about one spell: `can innately cast sleep, requiring no material components`."""
_SHARED = re.compile(r"\bshare the spell slots\b|\bcoven\b", re.IGNORECASE)
"""Spells of several creatures together, which one alone hasn't got."""
_BETWEEN = re.compile(r"[,;\n•](?![^()]*\))")
_NOTES = re.compile(r"\(([^()]*)\)?")
_NAME = re.compile(r"[^\W\d_][\w'’/ -]{2,150}")
_AT_LEVEL = re.compile(
    rf"\blevel (\d)\b|\b(\d){_NTH}[ -]level\b|\bat (\d)(?:st|nd|rd|th)\b", re.IGNORECASE
)
_DICE = re.compile(WRITTEN, re.IGNORECASE)
_TAKES = re.compile(r"\b(?:as|by) (?:an? )?(bonus action|reaction|action)s?\b", re.IGNORECASE)
_DC = re.compile(r"\b(?:save|casting|spell) DC (\d{1,2})|\(DC (\d{1,2})", re.IGNORECASE)
_BONUS = re.compile(r"([+\-−–]\d{1,2}) to hit|spell attack (?:bonus )?([+]\d{1,2})", re.IGNORECASE)
_ABILITY = re.compile(
    r"\bability is (?P<is>\w+)|\busing (?:its |their )?(?P<using>\w+) as (?:the|its|their) "
    r"(?:\w+ )*?ability",
    re.IGNORECASE,
)
_CASTER = re.compile(rf"\b(\d{{1,2}}){_NTH}[ -]level (?:spell ?)?caster", re.IGNORECASE)


def join_spells(read: Iterable[ImportedSpells | None]) -> ImportedSpells | None:
    """The spells that the texts of a creature list, each once; None for none."""
    found = [spells for spells in read if spells is not None]
    if not found:
        return None
    each: dict[str, ImportedSpell] = {}
    for spell in (spell for one in found for spell in one.spells):
        each.setdefault(spell.name.casefold(), spell)
    return ImportedSpells(
        tuple(each.values()),
        next((one.slots for one in found if one.slots), ()),
        next((one.pact for one in found if one.pact[0]), (0, 0)),
        next((one.ability for one in found if one.ability), ""),
        next((one.dc for one in found if one.dc), None),
        next((one.bonus for one in found if one.bonus is not None), None),
        next((one.level for one in found if one.level), None),
    )


def cast_singly(
    features: Iterable[ImportedFeature], read: Iterable[ImportedSpells | None]
) -> tuple[ImportedFeature, ...]:
    """Return the features, with lists of spells, as they are `read`, as traits: a list costs
    nothing, casting does."""
    return tuple(
        ImportedFeature(row.name, "trait", row.text)
        if row.attack is None and spells is not None
        else row
        for row, spells in zip(features, read, strict=True)
    )


def read_spells(feature: ImportedFeature) -> ImportedSpells | None:
    """Read the spells that the text of a feature lists; None for none."""
    text = feature.text
    plain = text.casefold()
    named = "spellcasting" in feature.name.casefold()
    if not (named or "spell" in plain or "cast" in plain):
        return None
    if not (named or _TELLS.search(text)) or _SHARED.search(f"{feature.name} {text}"):
        return None
    heads = [*_HEAD.finditer(text)]
    intro = text[: heads[0].start()] if heads else text
    also = _AT_WILL.search(intro) if named or heads else None
    names = re.split(r",? and |, ", also["names"]) if also else ()
    spells = [ImportedSpell(name) for name in names]
    alone = _ALONE.search(text) if named and not (heads or also or feature.recharge) else None
    if alone is not None:
        note = (alone["note"] or "").strip(" ()")
        way = _Payment(uses=feature.uses, per="rest" if feature.per == "rest" else "day")
        spells.append(_spell(alone["name"], "" if "DC" in note else note, way, ""))
    slots, pact = [0] * 9, (0, 0)
    taking = _TAKES.search(intro)
    usual = taking[1] if taking else feature.sort if feature.sort in ("bonus", "reaction") else ""
    ends = [head.start() for head in heads[1:]]
    for head, end in zip(heads, (*ends, len(text)), strict=False):
        way = _payment_of(head)
        if way.level and head["slots"]:
            count = int(head["slots"])
            of = int(head["of_level"] or head["of2"] or head["top"] or 0)
            if of and (of != way.level or head["top"]):
                pact = (count, of)
            else:
                slots[way.level - 1] = count
        spells += _listed(text[head.end() : end], way, usual)
    if not spells:
        return None
    ability, caster = _ABILITY.search(intro), _CASTER.search(intro)
    dc, bonus = (each.search(intro) or each.search(feature.name) for each in (_DC, _BONUS))
    return ImportedSpells(
        tuple({spell.name.casefold(): spell for spell in spells}.values()),
        tuple(slots[: max((at for at, n in enumerate(slots, 1) if n), default=0)]),
        pact,
        to_ability(ability["is"] or ability["using"]) if ability else "",
        int(dc[1] or dc[2]) if dc else None,
        to_int((bonus[1] or bonus[2]).translate(MINUS)) if bonus else None,
        int(caster[1]) if caster else None,
    )


class _Payment(NamedTuple):
    """The payment for the spells of a list."""

    level: int | None = None
    slot: bool = False
    uses: int = 0
    per: str = "day"


def _payment_of(head: re.Match[str]) -> _Payment:
    if head["times"]:
        per = "day" if head["per"].casefold() in ("day", "long rest") else "rest"
        return _Payment(uses=int(head["times"]), per=per)
    if head["cantrips"]:
        return _Payment(0)
    level = head["of"] or head["level"]
    return _Payment(int(level), slot=True) if level else _Payment()


def _listed(text: str, way: _Payment, usual: str) -> Iterator[ImportedSpell]:
    """The spells of a list, up to the end of the sentence."""
    if "," in text:  # a line that goes on in the next one
        text = re.sub(r"(?<=[a-z])\n(?=[a-z])", " ", text)
    for part in _BETWEEN.split(text):
        name, stop, _ = _NOTES.sub("", part).strip(" *•–-_\t").partition(". ")
        name = " ".join(name.split()).removeprefix("and ").strip(" .*:†")
        if _NAME.fullmatch(name) and (len(name.split()) < 7 or not re.search("[,\n]", text)):
            yield _spell(name, "; ".join(_NOTES.findall(part)), way, usual)
        if stop or part.rstrip().endswith("."):
            break


def _spell(name: str, note: str, way: _Payment, usual: str) -> ImportedSpell:
    takes = _TAKES.search(note)
    taken = (takes[1] if takes else usual).casefold().removesuffix(" action")
    at = _AT_LEVEL.search(note)
    raised = next((int(n) for n in at.groups() if n), 0) if at else 0
    dice = _DICE.search(note)
    return ImportedSpell(
        name,
        way.level,
        way.slot,
        way.uses,
        way.per,
        raised,
        to_notation(dice[0]) if dice else "",
        taken,
        note,
    )
