"""Fight Club's XML (DnDAppFile): a compendium of monsters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

from affray.core.rules.imported import Creature, Feature, Sort
from affray.store.importing.contents import Contents, UnreadableError, finished, read_each
from affray.store.importing.feature_text import features
from affray.store.importing.open5e import challenge
from affray.store.importing.resistances import conditions_of, types_of
from affray.store.importing.values import (
    ABILITIES,
    bonuses,
    by_ability,
    clean,
    dice,
    number,
    numbers,
    one_line,
    positive,
    senses,
    size,
    speeds,
    words,
)

LISTS: dict[str, Sort] = {
    "trait": "trait",
    "action": "action",
    "bonus": "bonus",
    "reaction": "reaction",
    "legendary": "legendary",
    "mythic": "mythic",
}
DAMAGE = ("resist", "immune", "vulnerable")


def may_hold(text: str) -> bool:
    """Whether a text, which may be no XML at all, looks as if it were a compendium."""
    return re.search(r"<(?:compendium|monster)[\s>]", text[:2000]) is not None


def parsed(text: str) -> ElementTree.Element:
    """The XML of a text. Raises UnreadableError; entities of its own are not looked at."""
    if re.search(r"<!(?:DOCTYPE|ENTITY)", text, re.IGNORECASE):
        raise UnreadableError("XML with a document type of its own, which is not read")
    try:
        return ElementTree.fromstring(re.sub(r"^\s*<\?xml[^>]*\?>", "", text))
    except (ElementTree.ParseError, ValueError) as error:
        raise UnreadableError(f"no XML: {' '.join(str(error).split())}") from None


def holds(root: ElementTree.Element) -> bool:
    """Whether it is a compendium with monsters."""
    return root.tag in ("compendium", "monster")


def read(root: ElementTree.Element) -> Contents:
    """All monsters of a compendium, and what else is in it."""
    found = [root] if root.tag == "monster" else root.findall("monster")
    others = sorted({child.tag for child in root} - {"monster"}) if root.tag != "monster" else []
    left = tuple(f"{tag}: no part of a campaign" for tag in others)
    return read_each(found, _creature, lambda row: row.findtext("name")) + Contents(left=left)


def _creature(row: ElementTree.Element) -> Creature:
    def text(tag: str) -> str:
        return one_line(row.findtext(tag))

    said = {"armour": text("ac").partition(" ")[2].strip("()")}
    made = Creature(
        name=text("name"),
        game="5e",
        size=size(text("size")),
        type=", ".join(filter(None, (text("type"), text("alignment")))),
        cr=challenge(text("cr")),
        hp=positive(text("hp")),
        hp_dice=dice(text("hp").partition(" ")[2]),
        ac=number(text("ac"), 0),
        speeds=speeds(text("speed")),
        abilities=numbers({name: text(name) for name in ABILITIES}, 1, 99),
        saves=by_ability(bonuses(text("save"))),
        skills=bonuses(text("skill")),
        senses=senses(text("senses")),
        passive_perception=number(text("passive"), 1, 99),
        languages=tuple(words(text("languages"))),
        unhindered=conditions_of(text("conditionImmune")),
        features=tuple(_features(row)),
        text=clean("\n".join(each.text or "" for each in row.findall("description"))),
    )
    return finished(made, [types_of(text(tag)) for tag in DAMAGE], said)


def _features(row: ElementTree.Element) -> Iterator[Feature]:
    for tag, sort in LISTS.items():
        for each in row.findall(tag):
            said = "\n".join(part.text or "" for part in each.findall("text"))
            yield from features(each.findtext("name"), said, sort)
