"""Monsters of a Fight Club compendium, which is XML (DnDAppFile)."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

from affray.core.rules.imported_creature import ImportedCreature
from affray.store.importers import ImportContents, UnreadableError, import_each, stat_block
from affray.store.importers.values import ABILITIES, to_one_line

FIELDS = {
    "name": "name", "size": "size", "type": "type", "alignment": "alignment", "cr": "cr",
    "hp": "hp", "ac": "ac", "speed": "speed", "saves": "save", "skillsaves": "skill",
    "damage_resistances": "resist", "damage_immunities": "immune",
    "damage_vulnerabilities": "vulnerable", "condition_immunities": "conditionImmune",
    "senses": "senses", "passive_perception": "passive", "languages": "languages",
}  # fmt: skip
"""A stat block's fields -> the tags in which they stand."""
LISTS = {
    "traits": "trait", "actions": "action", "bonus_actions": "bonus", "reactions": "reaction",
    "legendary_actions": "legendary", "mythic_actions": "mythic",
}  # fmt: skip
"""A stat block's lists -> the tag of each of their rows, which has a name and texts."""


def may_hold(text: str) -> bool:
    """True if a text, which may be no XML at all, looks like a compendium."""
    return re.search(r"<(?:compendium|monster)[\s>]", text[:2000]) is not None


def parsed(text: str) -> ElementTree.Element:
    """Parse a text as XML, without its own entities. Raises UnreadableError."""
    if re.search(r"<!(?:DOCTYPE|ENTITY)", text, re.IGNORECASE):
        raise UnreadableError("XML with its own document type, which affray does not read")
    try:
        return ElementTree.fromstring(re.sub(r"^\s*<\?xml[^>]*\?>", "", text))
    except (ElementTree.ParseError, ValueError) as error:
        raise UnreadableError(f"not valid XML: {' '.join(str(error).split())}") from None


def matches(root: ElementTree.Element) -> bool:
    """True for a compendium with monsters."""
    return root.tag in ("compendium", "monster")


def import_data(root: ElementTree.Element) -> ImportContents:
    """Import all monsters of a compendium, and list what else is in it."""
    found = [root] if root.tag == "monster" else root.findall("monster")
    others = sorted({child.tag for child in root} - {"monster"}) if root.tag != "monster" else []
    left = tuple(f"{tag}: not part of a campaign" for tag in others)
    return import_each(found, _creature, lambda row: row.findtext("name")) + ImportContents(
        left=left
    )


def _creature(row: ElementTree.Element) -> ImportedCreature:
    def text(tag: str) -> str:
        """The text of a tag, or of all of its name: some write one for each skill."""
        return ", ".join(filter(None, (to_one_line(each.text) for each in row.findall(tag))))

    return stat_block.parse_stat_block(
        {
            **{field: text(tag) for field, tag in FIELDS.items()},
            **{field: [*map(_entry, row.findall(tag))] for field, tag in LISTS.items()},
            "hit_dice": text("hp").partition(" ")[2],
            "armour": text("ac").partition(" ")[2].strip("()"),
            "stats": {name: text(name) for name in ABILITIES},
            "description": "\n".join(each.text or "" for each in row.findall("description")),
        },
        game="5e",
    )


def _entry(row: ElementTree.Element) -> dict[str, Any]:
    texts = (part.text or "" for part in row.findall("text"))
    return {"name": row.findtext("name"), "text": "\n".join(texts)}
