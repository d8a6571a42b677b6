"""A marsh crab of our own in every format, small, with the fields that files of the kind have.

Large beast, AC 14, 19 HP (3d10+3), 30 feet and swims 20; a claw for 1d8+2 bludgeoning with +4 that
grapples, and a spray that recharges.
"""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

CLAW = (
    "Melee Weapon Attack: +4 to hit, reach 5 ft., one target. Hit: 6 (1d8 + 2) bludgeoning damage, "
    "and the target is grappled (escape DC 12)."
)
SPRAY = (
    "Each creature in a 15-foot cone makes a DC 12 Dexterity saving throw, taking 9 (2d8) cold "
    "damage on a failed save, or half as much damage on a successful one."
)
_SCORES = {"strength": 15, "dexterity": 12, "constitution": 13}
_OTHERS = {"intelligence": 1, "wisdom": 9, "charisma": 3}
_V1: dict[str, Any] = {
    "name": "Marsh Crab",
    "size": "Large",
    "type": "Beast",
    "armor_class": 14,
    "hit_points": 19,
    "hit_dice": "3d10+3",
    "challenge_rating": "0.500",
    "damage_resistances": "cold",
    "senses": "blindsight 30 ft., passive Perception 9",
    "languages": "",
    **_SCORES,
    **_OTHERS,
}
_ACTIONS = [{"name": "Claw", "desc": CLAW}, {"name": "Brine Spray (Recharge 5-6)", "desc": SPRAY}]


def open5e_v1() -> str:
    lists = {"actions_json": json.dumps(_ACTIONS), "reactions_json": "null"}
    fields = {**_V1, "speed_json": '{"walk": 30, "swim": 20}', **lists}
    return json.dumps([{"model": "api.monster", "pk": "marsh-crab-a5e", "fields": fields}])


def open5e_v1_answer() -> str:
    row = {**_V1, "slug": "marsh-crab", "speed": {"walk": 30, "swim": 20}, "actions": _ACTIONS}
    return json.dumps({"count": 1, "next": None, "results": [{**row, "reactions": None}]})


def open5e_v2_tables() -> dict[str, str]:
    """Its attack's table has the wrong damage on purpose, as the real ones do."""
    creature = {
        "name": "Marsh Crab", "document": "a5e-own", "size": "large", "type": "beast",
        "armor_class": 14, "hit_points": 19, "hit_dice": "3d10+3", "challenge_rating": "0.500",
        "walk": 30.0, "swim": 20.0, "damage_resistances": ["cold"], "blindsight_range": 30.0,
        "passive_perception": 9,
        **{f"ability_score_{name}": n for name, n in {**_SCORES, **_OTHERS}.items()},
    }  # fmt: skip
    claw = {"name": "Claw", "desc": CLAW, "parent": "crab", "action_type": "ACTION"}
    spray = {
        "name": "Brine Spray", "desc": SPRAY, "parent": "crab", "action_type": "ACTION",
        "uses_type": "RECHARGE_ON_ROLL", "uses_param": 5, "order_in_statblock": 1,
    }  # fmt: skip
    attack = {
        "parent": "claw", "to_hit_mod": 4, "reach": 5.0, "damage_die_count": 9,
        "damage_die_type": "D12", "damage_type": "thunder",
    }  # fmt: skip

    def table(model: str, *found: tuple[str, dict[str, Any]]) -> str:
        return json.dumps([{"model": f"api_v2.{model}", "pk": pk, "fields": f} for pk, f in found])

    return {
        "a.json": table("creature", ("crab", creature)),
        "b.json": table("creatureaction", ("claw", claw), ("spray", spray)),
        "c.json": table("creatureactionattack", ("x", attack)),
        "d.json": table("creaturetrait", ("t", {"name": "Mud Walker", "parent": "crab"})),
    }


def open5e_v2_answer() -> str:
    row = {
        "key": "own_marsh-crab", "name": "Marsh Crab", "size": {"key": "large", "name": "Large"},
        "type": {"key": "beast"}, "armor_class": 14, "hit_points": 19, "hit_dice": "3d10+3",
        "challenge_rating": 0.5, "ability_scores": {**_SCORES, **_OTHERS},
        "speed": {"walk": 30, "swim": 20, "unit": "feet"}, "blindsight_range": 30,
        "resistances_and_immunities": {"damage_resistances": [{"key": "cold", "name": "Cold"}]},
        "passive_perception": 9,
        "actions": [
            {"name": "Claw", "desc": CLAW, "action_type": "ACTION"},
            {
                "name": "Brine Spray", "desc": SPRAY, "action_type": "ACTION",
                "usage_limits": {"type": "RECHARGE_ON_ROLL", "param": 5},
            },
        ],
    }  # fmt: skip
    return json.dumps(row)


def fight_club() -> str:
    scores = zip(("str", "dex", "con", "int", "wis", "cha"), (15, 12, 13, 1, 9, 3), strict=True)
    return (
        '<?xml version="1.0"?><compendium version="5"><monster><name>Marsh Crab</name>'
        "<size>L</size><type>beast</type><ac>14 (natural armor)</ac><hp>19 (3d10+3)</hp>"
        "<speed>30 ft., swim 20 ft.</speed><resist>cold</resist><passive>9</passive>"
        f"<senses>blindsight 30 ft.</senses><cr>1/2</cr>{''.join(_tag(*s) for s in scores)}"
        f"<action><name>Claw</name><text>{CLAW}</text></action>"
        f"<action><name>Brine Spray (Recharge 5-6)</name><text>{SPRAY}</text></action>"
        "</monster></compendium>"
    )


def _tag(name: str, value: int) -> str:
    return f"<{name}>{value}</{name}>"


def fivetools() -> str:
    claw = (
        "{@atk mw} {@hit 4} to hit, reach 5 ft., one target. {@h}6 ({@damage 1d8 + 2}) bludgeoning "
        "damage, and the target is {@condition grappled} (escape {@dc 12})."
    )
    spray = SPRAY.replace("DC 12", "{@dc 12}").replace("2d8", "{@damage 2d8}")
    row = {
        "name": "Marsh Crab", "source": "OWN", "size": ["L"], "type": "beast",
        "ac": [{"ac": 14, "from": ["natural armor"]}], "hp": {"average": 19, "formula": "3d10+3"},
        "speed": {"walk": 30, "swim": 20}, "str": 15, "dex": 12, "con": 13, "int": 1, "wis": 9,
        "cha": 3, "senses": ["blindsight 30 ft."], "passive": 9, "resist": ["cold"], "cr": "1/2",
        "action": [
            {"name": "Claw", "entries": [claw]},
            {"name": "Brine Spray {@recharge 5}", "entries": [spray]},
        ],
    }  # fmt: skip
    copied = {"name": "Giant Marsh Crab", "_copy": {"name": "Crab", "source": "ELSE"}}
    return json.dumps({"_meta": {}, "monster": [row, copied]})


def foundry_dnd5e() -> str:
    """What it hits with is computed: Strength 15 and proficiency 2."""
    scores = dict(
        zip(("str", "dex", "con", "int", "wis", "cha"), (15, 12, 13, 1, 9, 3), strict=True)
    )
    claw = {
        "activities": {
            "a": {
                "type": "attack", "activation": {"type": "action"}, "range": {"value": "5"},
                "attack": {"ability": "str", "type": {"value": "melee"}},
                "damage": {"includeBase": True, "parts": []},
            }
        },
        "damage": {"base": {"number": 1, "denomination": 8, "types": ["bludgeoning"]}},
        "description": {"value": "<p>[[/attack extended]]. The target is grappled.</p>"},
    }  # fmt: skip
    spray = {
        "activities": {
            "s": {
                "type": "save", "activation": {"type": "action"},
                "save": {"ability": ["dex"], "dc": {"calculation": "", "formula": "12"}},
                "damage": {
                    "onSave": "half",
                    "parts": [{"number": 2, "denomination": 8, "types": ["cold"]}],
                },
            }
        },
        "uses": {"max": "1", "recovery": [{"period": "recharge", "formula": "5"}]},
        "description": {"value": "<p>It sprays.</p>"},
    }  # fmt: skip
    system = {
        "abilities": {name: {"value": n, "proficient": 0} for name, n in scores.items()},
        "attributes": {
            "ac": {"flat": 14, "calc": "natural"},
            "hp": {"value": 19, "max": 19, "formula": "3d10+3"},
            "movement": {"walk": 30, "swim": 20}, "senses": {"ranges": {"blindsight": 30}},
        },
        "details": {"cr": 0.5, "type": {"value": "beast"}},
        "traits": {"size": "lg", "dr": {"value": ["cold"], "bypasses": [], "custom": ""}},
    }  # fmt: skip
    items = [
        {"name": "Claw", "type": "weapon", "system": claw},
        {"name": "Brine Spray", "type": "feat", "system": spray},
    ]
    actor = {"name": "Marsh Crab", "type": "npc", "system": system, "items": items}
    return json.dumps({**actor, "_stats": {"systemId": "dnd5e"}})


def foundry_a5e() -> str:
    scores = dict(
        zip(("str", "dex", "con", "int", "wis", "cha"), (15, 12, 13, 1, 9, 3), strict=True)
    )
    claw = {
        "actions": {
            "a": {
                "activation": {"type": "action"}, "ranges": {"r": {"range": "fiveFeet"}},
                "rolls": {
                    "x": {"type": "attack", "attackType": "meleeWeaponAttack", "ability": "str"},
                    "y": {
                        "type": "damage", "formula": "1d8 + @str.mod",
                        "damageType": "bludgeoning",
                    },
                },
            }
        },
        "featureType": "naturalWeapon",
        "description": "<p>The target is grappled.</p>",
    }  # fmt: skip
    spray = {
        "actions": {
            "s": {
                "activation": {"type": "action"},
                "rolls": {"x": {"type": "damage", "formula": "2d8", "damageType": "cold"}},
                "prompts": {
                    "p": {
                        "type": "savingThrow", "ability": "dex", "onSave": "Half damage.",
                        "saveDC": {"type": "custom", "bonus": "12"},
                    }
                },
            }
        },
        "uses": {"recharge": {"formula": "1d6", "threshold": 5}},
        "description": "<p>It sprays.</p>",
    }  # fmt: skip
    system = {
        "abilities": {a: {"value": n, "save": {"proficient": False}} for a, n in scores.items()},
        "attributes": {
            "ac": {"baseFormula": "13 + @dex.mod"}, "hp": {"value": 19, "baseMax": 19},
            "movement": {"walk": {"distance": 30}, "swim": {"distance": 20}},
            "senses": {"blindsight": {"distance": 30}},
        },
        "details": {"cr": 0.5, "creatureTypes": ["beast"]},
        "traits": {"size": "lg", "damageResistances": ["cold"], "conditionImmunities": []},
    }  # fmt: skip
    items = [
        {"name": "Claw", "type": "feature", "system": claw},
        {"name": "Brine Spray", "type": "feature", "system": spray},
        {"name": "Shove", "type": "maneuver", "system": {}},
    ]
    actor = {"name": "Marsh Crab", "type": "npc", "system": system, "items": items}
    return json.dumps({**actor, "_stats": {"systemId": "a5e"}})


_NOTE = f"""name: Marsh Crab
source: Our own
size: Large
type: beast
cr: 1/2
ac: 14 (natural armor)
hp: 19
hit_dice: 3d10 + 3
speed: 30 ft., swim 20 ft.
stats: [15, 12, 13, 1, 9, 3]
damage_resistances: cold
senses: blindsight 30 ft., passive Perception 9
actions:
  - {{name: Claw, desc: '{CLAW}'}}
  - [Brine Spray (Recharge 56), '{SPRAY}']
"""


def obsidian_frontmatter() -> str:
    """With a control character in it, as some sets of notes have."""
    return f"---\nstatblock: true\n{_NOTE}combat: Lurks\x80 in mud.\n---\n# Marsh Crab\n"


def obsidian_block() -> str:
    return f"# Crabs\n\n```statblock\nimage: [[crab.png]]\n{_NOTE}```\n"


def csv_list() -> str:
    return (
        "Name;HP;HD;AC;Size;Type;CR;Speed;STR;DEX;CON;INT;WIS;CHA;Resistances;Senses;Actions;Mood\n"
        "Marsh Crab;19;3d10+3;14;Large;Beast;1/2;30 ft., swim 20 ft.;15;12;13;1;9;3;cold;"
        f'"blindsight 30 ft., passive Perception 9";"Claw: {CLAW}\n'
        f'Brine Spray (Recharge 5-6): {SPRAY}";cross\n'
    )


def srd_api() -> str:
    def action(name: str, desc: str, **more: Any) -> dict[str, Any]:
        return {"name": name, "desc": desc, **more}

    recharge = {"type": "recharge on roll", "dice": "1d6", "min_value": 5}
    row = {
        "index": "marsh-crab", "name": "Marsh Crab", "size": "Large", "type": "beast",
        "armor_class": [{"type": "natural", "value": 14}], "hit_points": 19, "hit_dice": "3d10",
        "hit_points_roll": "3d10+3", "challenge_rating": 0.5,
        "speed": {"walk": "30 ft.", "swim": "20 ft."}, **_SCORES, **_OTHERS,
        "damage_resistances": ["cold"], "proficiencies": [],
        "senses": {"blindsight": "30 ft.", "passive_perception": 9},
        "actions": [action("Claw", CLAW), action("Brine Spray", SPRAY, usage=recharge)],
    }  # fmt: skip
    return json.dumps([row])


def srd_flat() -> str:
    def entry(name: str, text: str) -> str:
        return f"<p><em><strong>{name}.</strong></em> {text}</p>"

    scores = {name[:3].upper(): str(n) for name, n in {**_SCORES, **_OTHERS}.items()}
    row = {
        "name": "Marsh Crab", "meta": "Large beast, unaligned", "Armor Class": "14 (Natural Armor)",
        "Hit Points": "19 (3d10 + 3)", "Speed": "30 ft., swim 20 ft. ", **scores, "STR_mod": "(+2)",
        "Damage Resistances": "Cold", "Senses": "Blindsight 30 ft.,  Passive Perception 9",
        "Challenge": "1/2 (100 XP)",
        "Actions": entry("Claw", CLAW) + entry("Brine Spray (Recharge 5-6)", SPRAY),
    }  # fmt: skip
    return json.dumps([row])


def critterdb() -> str:
    stats = {
        "size": "Large", "race": "Beast", "alignment": "", "armorClass": 14, "hitDieSize": 10,
        "numHitDie": 3, "speed": "30 ft., swim 20 ft.", "abilityScores": {**_SCORES, **_OTHERS},
        "proficiencyBonus": 2, "damageResistances": ["Cold"], "senses": ["Blindsight 30 ft."],
        "challengeRating": 0.5, "savingThrows": [], "skills": [],
        "actions": [
            {"name": "Claw", "description": CLAW},
            {"name": "Brine Spray (Recharge 5-6)", "description": SPRAY},
        ],
    }  # fmt: skip
    return json.dumps({"name": "Shore", "creatures": [{"name": "Marsh Crab", "stats": stats}]})


def tetracube() -> str:
    claw = CLAW.replace("+4 to hit", "[STR ATK] to hit").replace("6 (1d8 + 2)", "[STR 1D8]")
    spray = SPRAY.replace("DC 12", "DC [CON SAVE +1]").replace("9 (2d8)", "[2D8]")
    row = {
        "name": "Marsh Crab", "size": "large", "type": "beast", "tag": "", "alignment": "unaligned",
        "hitDice": "3", "armorName": "natural armor", "natArmorBonus": 3, "shieldBonus": 0,
        "otherArmorDesc": "10", "speed": "30", "swimSpeed": "20", "flySpeed": "0", "hpText": "4",
        "strPoints": 15, "dexPoints": 12, "conPoints": 13, "intPoints": 1, "wisPoints": 9,
        "chaPoints": 3, "blindsight": "30", "cr": "1/2", "customCr": "", "isLegendary": False,
        "actions": [
            {"name": "Claw", "desc": claw}, {"name": "Brine Spray (Recharge 5-6)", "desc": spray},
        ],
        "legendaries": [{"name": "Left Over", "desc": "Of a creature before this one."}],
        "damagetypes": [{"name": "cold", "note": " (Resistant)", "type": "r"}], "skills": [],
        "sthrows": [],
    }  # fmt: skip
    return json.dumps(row)


_MARKDOWN = f"""## Marsh Crab
*Large beast, unaligned*
___
- **Armor Class** 14 (natural armor)
- **Hit Points** 19 (3d10 + 3)
- **Speed** 30 ft., swim 20 ft.
___
|STR|DEX|CON|INT|WIS|CHA|
|:---:|:---:|:---:|:---:|:---:|:---:|
|15 (+2)|12 (+1)|13 (+1)|1 (-5)|9 (-1)|3 (-4)|
___
- **Damage Resistances** cold
- **Senses** blindsight 30 ft., passive Perception 9
- **Challenge** 1/2 (100 XP)
___
***Acid Sense.*** It smells acid.

### Actions
***Claw.*** *Melee Weapon Attack:* {CLAW.partition(": ")[2]}

***Brine Spray (Recharge 5-6).*** {SPRAY}
"""


def markdown_page() -> str:
    """As the SRD's pages have it; behind it another heading, which is no part of it."""
    marked = _MARKDOWN.replace("- **", "**").replace("### Actions", "###### Actions")
    return f"# Shores\n\nThey are wet.\n\n{marked}\n## Tides\n\n**Low.** Twice a day.\n"


def markdown_quoted() -> str:
    """As GM Binder and the older Homebrewery have it."""
    return "Text.\n\n" + "".join(f"> {line}\n" for line in _MARKDOWN.splitlines())


def markdown_homebrewery() -> str:
    """As the newer Homebrewery has it."""
    labelled = _MARKDOWN.replace("- **", "**").replace("** ", "** :: ", 8)
    return f"{{{{monster,frame\n{labelled}}}}}\n"


def markdown_of_2024() -> str:
    """In the layout of 2024."""
    rows = {"Str": 15, "Dex": 12, "Con": 13, "Int": 1, "Wis": 9, "Cha": 3}
    scores = "\n".join(f"| {name} | {n} | +1 | +1 |" for name, n in rows.items())
    return (
        "### Marsh Crab\n*Large Beast, Unaligned*\n\n**AC** 14 **Initiative** +1 (11)\n\n"
        "**HP** 19 (3d10 + 3)\n\n**Speed** 30 ft., Swim 20 ft.\n\n"
        f"| | | MOD | SAVE |\n|--|--|--|--|\n{scores}\n\n"
        "**Resistances** Cold\n\n**Senses** Blindsight 30 ft.; Passive Perception 9\n\n"
        "**CR** 1/2 (XP 100; PB +2)\n\n**Actions**\n\n"
        f"**_Claw._** {CLAW}\n\n**_Brine Spray (Recharge 5–6)._** {SPRAY}\n"
    )


FORMATS = {
    "5e SRD API": srd_api,
    "5e SRD, flat": srd_flat,
    "CritterDB": critterdb,
    "TetraCube": tetracube,
    "Markdown, a page": markdown_page,
    "Markdown, quoted": markdown_quoted,
    "Markdown, Homebrewery": markdown_homebrewery,
    "Markdown of 2024": markdown_of_2024,
    "Open5e, a table": open5e_v1,
    "Open5e, an answer": open5e_v1_answer,
    "Open5e v2, an answer": open5e_v2_answer,
    "Fight Club": fight_club,
    "5etools": fivetools,
    "Foundry, dnd5e": foundry_dnd5e,
    "Foundry, a5e": foundry_a5e,
    "Obsidian, frontmatter": obsidian_frontmatter,
    "Obsidian, a block": obsidian_block,
    "a list": csv_list,
}


# -- Orcus' sheet ----------------------------------------------------------------------------------

HEADINGS = (
    "Name", "Chapter", "Size", "Ancestry", "Type", "Role", "Rank", "Level", "Initiative",
    "Perception", "HP", "AC", "Fort", "Ref", "Will", "Immunity to", "Resistance to",
    "Vulnerability to", "Saving Throws", "Spd", "Action Points",
    *(
        f"Power {n} - {field}"
        for n in (1, 2, 3)
        for field in (
            "Type", "Name", "Action", "Frequency", "Tags", "Range", "Attack Bonus", "Defense",
            "Effect",
        )
    ),
)  # fmt: skip
BONUS = '=IF({defense}7="","",IF({defense}7="AC",5+$H7,3+$H7))'
"""A formula of the sheet, with a number of a row that isn't its own any more."""


def crab_of_the_sheet() -> dict[str, Any]:
    """One monster of the sheet, level 3."""
    return {
        "Name": "Marsh Crab", "Chapter": "Beasts", "Size": "Large", "Ancestry": "Natural",
        "Type": "Beast", "Role": "Blocker", "Rank": "Elite", "Level": 3, "Initiative": 4,
        "Perception": 2, "HP": 88, "AC": 19, "Fort": 17, "Ref": 14, "Will": 13,
        "Immunity to": "fear", "Resistance to": "cold 5, incorporeal", "Vulnerability to": "fire 5",
        "Saving Throws": 2, "Spd": "6, swim 4 (phasing)", "Action Points": 1,
        "Power 1 - Type": "Basic Melee", "Power 1 - Name": "Claw", "Power 1 - Action": "standard",
        "Power 1 - Frequency": "at-will", "Power 1 - Defense": "AC",
        "Power 1 - Effect": "2d6+3 damage, and the target is slowed (save ends). "
        "*Secondary Attack:* +6 vs Fortitude; the target falls prone.",
        "Power 2 - Type": "Near", "Power 2 - Name": "Brine Spray", "Power 2 - Action": "standard",
        "Power 2 - Frequency": "refresh 5, 6", "Power 2 - Tags": "Cold",
        "Power 2 - Range": "Near arc 3", "Power 2 - Defense": "Reflex",
        "Power 2 - Effect": "1d10+4 cold damage, and the target takes 5 persistent cold damage "
        "(save ends). *Miss:* Half damage.",
        "Power 3 - Name": "Mud Walker", "Power 3 - Effect": "Soft ground doesn't slow it.",
    }  # fmt: skip


def sheet_rows() -> list[list[Any]]:
    """The rows of the sheet: headings, a line of letters, prose, the crab. Bonuses are formulas."""
    crab = crab_of_the_sheet()
    for n in (1, 2):
        column = _letters(HEADINGS.index(f"Power {n} - Defense"))
        crab[f"Power {n} - Attack Bonus"] = BONUS.format(defense=column)
    prose = {"Name": "Chapter", "Chapter": "Of beasts and their ways."}
    found = [dict.fromkeys(HEADINGS, "a"), prose, crab]
    return [[*HEADINGS], *([row.get(head) for head in HEADINGS] for row in found)]


def _letters(place: int) -> str:
    first, second = divmod(place, 26)
    return (chr(64 + first) if first else "") + chr(65 + second)


def workbook(found: list[list[Any]]) -> bytes:
    """A spreadsheet with one table, as small as one can be."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    body = "".join(
        f"<row>{''.join(_cell(at, number, value) for at, value in enumerate(row))}</row>"
        for number, row in enumerate(found, 1)
    )
    files = {
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets>'
        '<sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": "<Relationships xmlns="
        '"http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" '
        'Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{body}</sheetData>'
        "</worksheet>",
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return packed.getvalue()


def _cell(at: int, row: int, value: Any) -> str:
    place = f"{_letters(at)}{row}"
    if value is None:
        return ""
    if isinstance(value, str) and value.startswith("="):
        said = value[1:].replace('"', "&quot;")
        return f'<c r="{place}"><f>{said}</f></c>'
    if isinstance(value, str):
        told = value.replace("&", "&amp;").replace("<", "&lt;")
        return f'<c r="{place}" t="inlineStr"><is><t>{told}</t></is></c>'
    return f'<c r="{place}"><v>{value}</v></c>'
