"""Monsters of a Fight Club compendium, which is XML (DnDAppFile)."""

from __future__ import annotations

import re
from html import unescape
from xml.etree import ElementTree

from affray.core.rules.imported_creature import ImportedCreature
from affray.store.importers import ImportContents, UnreadableError, import_each, stat_block
from affray.store.importers.values import ABILITIES, Table, to_one_line

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
    text = re.sub(r"^\s*<\?xml[^>]*\?>|\sxmlns(?::\w+)?=(?:\"[^\"]*\"|'[^']*')", "", text)
    try:
        return ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError) as error:
        if len(whole := _whole_monsters(text)):
            return whole
        raise UnreadableError(f"not valid XML: {' '.join(str(error).split())}") from None


_MONSTER = re.compile(r"<monster[\s>].*?(?:</monster>|(?=<monster[\s>])|\Z)", re.DOTALL)
SPOILT = "spoilt"
"""The tag that stands for monsters that are no XML."""


def _whole_monsters(text: str) -> ElementTree.Element:
    """Return those monsters of a compendium that are XML, if the whole is none: it is cut off, or a
    sign such as `&` stands in it as it is. An element has the number of the others."""
    root = ElementTree.Element("compendium")
    spoilt = 0
    for found in _MONSTER.finditer(text):
        try:
            root.append(ElementTree.fromstring(_with_signs(found[0])))
        except (ElementTree.ParseError, ValueError):
            spoilt += 1
    if spoilt and len(root):
        ElementTree.SubElement(root, SPOILT).text = str(spoilt)
    return root


def _with_signs(text: str) -> str:
    """The text of some XML with `&`, `<` and the names of HTML as signs: `Salt & Pepper&nbsp;`."""
    text = re.sub(r"&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-fA-F]+);)(\w+;)?", _sign, text)
    return re.sub(r"<(?![A-Za-z/!?])", "&lt;", text)


def _sign(found: re.Match[str]) -> str:
    sign = unescape(found[0])
    return "&amp;" + (found[1] or "") if sign == found[0] else sign


def matches(root: ElementTree.Element) -> bool:
    """True for a compendium with monsters."""
    return root.tag in ("compendium", "monster")


def import_data(root: ElementTree.Element) -> ImportContents:
    """Import all monsters of a compendium, and list what else is in it."""
    found = [root] if root.tag == "monster" else root.findall("monster")
    spoilt = root.findtext(SPOILT)
    others = sorted({child.tag for child in root} - {"monster", SPOILT})
    left = () if root.tag == "monster" else tuple(f"{t}: not part of a campaign" for t in others)
    left += (f"monsters that are not valid XML: {spoilt}",) if spoilt else ()
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


def _entry(row: ElementTree.Element) -> Table:
    texts = (part.text or "" for part in row.findall("text"))
    return {"name": row.findtext("name"), "text": "\n".join(texts)}
