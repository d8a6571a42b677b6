"""Readers of collections, one for each format, in the plainest way; none of affray's code."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import yaml

from benchmarks.imports.sentences import (
    ABILITIES,
    Attack,
    Creature,
    Feature,
    bonuses,
    dice,
    distances,
    feature,
    kinds_of,
    plain,
    spells_of,
)

SHORT = tuple(ABILITIES.values())
WAYS = ("walk", "fly", "swim", "climb", "burrow")
SENSES = ("darkvision", "blindsight", "tremorsense", "truesight")
CONDITIONS = (
    "blinded|charmed|deafened|exhaustion|frightened|grappled|incapacitated|invisible|paralyzed"
    "|petrified|poisoned|prone|restrained|stunned|unconscious"
)


def read(path: Path) -> Iterator[tuple[str, Creature]]:
    """All creatures of a file, each with its format."""
    text = path.read_bytes().decode("utf-8-sig", errors="replace")
    try:
        if path.suffix == ".xml":
            yield from (("Fight Club", made) for made in fight_club(text))
        elif path.suffix == ".md":
            yield from markdown(text)
        elif path.suffix in (".json", ".db"):
            yield from from_json(text)
    except (ValueError, ElementTree.ParseError, yaml.YAMLError):
        return


def number(value: Any) -> int | None:
    found = re.search(r"[+-]?\d[\d,]*", str(value)) if value is not None else None
    return int(found[0].replace(",", "")) if found else None


def rating(value: Any) -> str:
    """`1/4` for 0.25, `11` for 11.000 and `11 (7,200 XP)`."""
    text = str(value).split(" ")[0]
    thirds = {0.125: "1/8", 0.25: "1/4", 0.5: "1/2"}
    try:
        return thirds.get(float(text), str(int(float(text))))
    except ValueError:
        return text


def creature(
    name: Any,
    hp: Any,
    ac: Any,
    scores: Iterable[Any] = (),
    *,
    cr: Any = None,
    speed: Any = None,
    senses: Any = None,
    saves: dict[str, int] | None = None,
    skills: dict[str, int] | None = None,
    resist: Any = "",
    immune: Any = "",
    vulnerable: Any = "",
    unhindered: Any = "",
    features: Iterable[Feature] = (),
) -> Creature:
    """A creature of what its file has."""
    made = Creature(" ".join(plain(name).split()), cr=rating(cr) if cr not in (None, "") else "")
    given = {"hp": number(hp), "ac": number(ac)}
    given |= {a: None if number(n) is None else (int(number(n) or 0) - 10) // 2
              for a, n in zip(SHORT, scores, strict=False)}  # fmt: skip
    far = speed if isinstance(speed, dict) else distances(speed)
    given |= {("speed" if w == "walk" else w): number(far[w]) for w in WAYS if far.get(w)}
    seen = senses if isinstance(senses, dict) else distances(senses)
    given |= {s: number(seen[s]) for s in SENSES if seen.get(s)}
    made.numbers = {name: n for name, n in given.items() if n is not None}
    made.saves = {s: n for a, n in (saves or {}).items() if (s := a[:3].lower()) in SHORT}
    made.skills = {s: n for a, n in (skills or {}).items() if (s := a.replace("_", " ").lower())}
    made.kinds = {
        "resist": kinds_of(resist),
        "vulnerable": kinds_of(vulnerable),
        "immune": kinds_of(immune)
        | set(re.findall(CONDITIONS, plain(unhindered).lower().replace("fatigue", "exhaustion"))),
    }
    made.features = [row for row in features if row.name]
    for row in made.features:
        if "spellcasting" in row.name.lower():
            made.spells |= spells_of(row.text)
    return made


# -- Fight Club ------------------------------------------------------------------------------------

XML_LISTS = {"trait": "trait", "action": "action", "bonus": "bonus", "reaction": "reaction",
             "legendary": "legendary"}  # fmt: skip


def fight_club(text: str) -> Iterator[Creature]:
    root = ElementTree.fromstring(re.sub(r"^\s*<\?xml[^>]*\?>", "", text))
    for row in root.iter("monster"):

        def all_of(tag: str, row: ElementTree.Element = row) -> str:
            return ", ".join(each.text or "" for each in row.findall(tag))

        rows = [
            feature(each.findtext("name"), "\n".join(t.text or "" for t in each.findall("text")), s)
            for tag, s in XML_LISTS.items()
            for each in row.findall(tag)
        ]
        yield creature(
            all_of("name"), all_of("hp"), all_of("ac"), [all_of(a) for a in SHORT],
            cr=all_of("cr"), speed=all_of("speed"), senses=all_of("senses"),
            saves=bonuses(all_of("save")), skills=bonuses(all_of("skill")),
            resist=all_of("resist"), immune=all_of("immune"), vulnerable=all_of("vulnerable"),
            unhindered=all_of("conditionImmune"), features=rows,
        )  # fmt: skip


# -- JSON ------------------------------------------------------------------------------------------


def from_json(text: str) -> Iterator[tuple[str, Creature]]:
    try:
        data = json.loads(text)
    except ValueError:
        data = [json.loads(line) for line in text.splitlines() if line.strip()]
    rows = data if isinstance(data, list) else [data]
    for row in [each for each in rows if isinstance(each, dict)]:
        if isinstance(row.get("monster"), list):
            yield from (("5etools", fivetools(m)) for m in row["monster"] if "_copy" not in m)
        elif "hit_points" in row.get("fields", {}) and "strength" in row["fields"]:
            yield "Open5e", open5e(row["fields"])
        elif "items" in row and ("system" in row or "data" in row):
            if row.get("type") == "npc":
                yield "Foundry", foundry(row)
        elif "hit_points" in row and "strength" in row and "index" in row:
            yield "5e SRD API", srd_api(row)
        elif "Hit Points" in row and "STR" in row:
            yield "5e SRD, flat", srd_flat(row)
        elif "hitPoints" in row.get("stats", {}) and "abilityScores" in row["stats"]:
            yield "CritterDB", critterdb(row)
        elif "Abilities" in row and "HP" in row:
            yield "Improved Initiative", improved(row)
        else:
            for inner in row.values():
                found = json.loads(inner) if isinstance(inner, str) and inner[:2] == '{"' else inner
                found = found.get("StatBlock", found) if isinstance(found, dict) else {}
                if "Abilities" in found and "HP" in found:
                    yield "Improved Initiative", improved(found)


def improved(row: dict[str, Any]) -> Creature:
    lists = {"Traits": "trait", "Actions": "action", "BonusActions": "bonus",
             "Reactions": "reaction", "LegendaryActions": "legendary"}  # fmt: skip
    rows = [
        feature(
            f"{each['Name']} ({each['Usage']})" if each.get("Usage") else each["Name"],
            each.get("Content"),
            sort,
        )
        for name, sort in lists.items()
        for each in row.get(name) or []
    ]
    scores = row["Abilities"]
    return creature(
        row["Name"], row["HP"].get("Value"), row.get("AC", {}).get("Value"),
        [scores.get(a.capitalize()) for a in SHORT],
        cr=row.get("Challenge") if not row.get("Player") else None,
        speed=", ".join(row.get("Speed") or []), senses=", ".join(row.get("Senses") or []),
        saves={s["Name"]: s["Modifier"] for s in row.get("Saves") or []},
        skills={s["Name"]: s["Modifier"] for s in row.get("Skills") or []},
        resist=", ".join(row.get("DamageResistances") or []),
        immune=", ".join(row.get("DamageImmunities") or []),
        vulnerable=", ".join(row.get("DamageVulnerabilities") or []),
        unhindered=", ".join(row.get("ConditionImmunities") or []), features=rows,
    )  # fmt: skip


def open5e(row: dict[str, Any]) -> Creature:
    lists = {"special_abilities": "trait", "actions": "action", "bonus_actions": "bonus",
             "reactions": "reaction", "legendary_actions": "legendary"}  # fmt: skip

    def of(name: str) -> Any:
        return json.loads(row.get(f"{name}_json") or "null") or {}

    rows = [feature(e["name"], e["desc"], s) for name, s in lists.items() for e in of(name) or []]
    return creature(
        row["name"], row["hit_points"], row["armor_class"], [row[a] for a in ABILITIES],
        cr=row["challenge_rating"], speed={w: n for w, n in of("speed").items() if n is not True},
        senses=row["senses"],
        saves={a: n for a in ABILITIES if (n := row.get(f"{a}_save")) is not None},
        skills=of("skills"), resist=row["damage_resistances"], immune=row["damage_immunities"],
        vulnerable=row["damage_vulnerabilities"], unhindered=row["condition_immunities"],
        features=rows,
    )  # fmt: skip


def srd_api(row: dict[str, Any]) -> Creature:
    def usage(each: dict[str, Any]) -> str:
        how = each.get("usage") or {}
        if how.get("type") == "per day":
            return f"{each['name']} ({how['times']}/day)"
        return (
            f"{each['name']} (recharge {how['min_value']})" if "min_value" in how else each["name"]
        )

    lists = {"special_abilities": "trait", "actions": "action", "reactions": "reaction",
             "legendary_actions": "legendary"}  # fmt: skip
    rows = [feature(usage(e), e.get("desc"), s) for n, s in lists.items() for e in row.get(n) or []]
    trained = [(p["proficiency"]["name"], p["value"]) for p in row.get("proficiencies", [])]
    armour = row["armor_class"]
    ac = armour[0]["value"] if isinstance(armour, list) else armour  # a number before 2023
    return creature(
        row["name"], row["hit_points"], ac, [row[a] for a in ABILITIES],
        cr=row["challenge_rating"],
        speed=_distances(row["speed"]),
        senses=_distances(row["senses"]),
        saves={n.split(": ")[1]: v for n, v in trained if n.startswith("Saving")},
        skills={n.split(": ")[1]: v for n, v in trained if n.startswith("Skill")},
        resist="; ".join(row["damage_resistances"]), immune="; ".join(row["damage_immunities"]),
        vulnerable="; ".join(row["damage_vulnerabilities"]),
        unhindered=", ".join(
            c["name"] if isinstance(c, dict) else c for c in row["condition_immunities"]
        ),
        features=rows,
    )  # fmt: skip


def _distances(value: Any) -> Any:
    """Speeds or senses: a table of them, or as text."""
    if not isinstance(value, dict):
        return value
    return {way: number(n) for way, n in value.items() if n is not True}


def _paragraphs(text: str, sort: str) -> Iterator[Feature]:
    """`***Bite.*** Melee ...` or `<strong>Bite.</strong> ...`, each up to the next bold name."""
    parts = re.split(r"(?:<strong>|\*\*\*?)([^<*]{2,80}?)\.?(?:</strong>|\*\*\*?\.?)", text)
    for name, body in zip(parts[1::2], parts[2::2], strict=True):
        yield feature(name.strip(" ."), body, sort)


def srd_flat(row: dict[str, Any]) -> Creature:
    lists = {"Traits": "trait", "Actions": "action", "Reactions": "reaction",
             "Legendary Actions": "legendary"}  # fmt: skip
    rows = [f for name, s in lists.items() for f in _paragraphs(row.get(name) or "", s)]
    return creature(
        row["name"], row["Hit Points"], row["Armor Class"], [row[a.upper()] for a in SHORT],
        cr=row["Challenge"], speed=row["Speed"], senses=row.get("Senses"),
        saves=bonuses(row.get("Saving Throws")), skills=bonuses(row.get("Skills")),
        resist=row.get("Damage Resistances"), immune=row.get("Damage Immunities"),
        vulnerable=row.get("Damage Vulnerabilities"), unhindered=row.get("Condition Immunities"),
        features=rows,
    )  # fmt: skip


def critterdb(row: dict[str, Any]) -> Creature:
    stats = row["stats"]
    lists = {"additionalAbilities": "trait", "actions": "action", "reactions": "reaction",
             "legendaryActions": "legendary"}  # fmt: skip
    rows = [feature(e["name"], e["description"], s) for n, s in lists.items() for e in stats[n]]
    return creature(
        row["name"], stats["hitPoints"], stats["armorClass"],
        [stats["abilityScores"][a] for a in ABILITIES],
        cr=stats["challengeRating"], speed=stats["speed"], senses=", ".join(stats["senses"]),
        saves={s["ability"]: s["modifier"] for s in stats["savingThrows"]},
        skills={s["name"]: s["modifier"] for s in stats["skills"]},
        resist=", ".join(stats["damageResistances"]), immune=", ".join(stats["damageImmunities"]),
        vulnerable=", ".join(stats["damageVulnerabilities"]),
        unhindered=", ".join(stats["conditionImmunities"]), features=rows,
    )  # fmt: skip


# -- 5etools ---------------------------------------------------------------------------------------


def _untagged(value: Any) -> str:
    """Entries as text; tags as what a reader sees."""
    if isinstance(value, list):
        return "\n".join(map(_untagged, value))
    if isinstance(value, dict):
        name = f"{value['name']} " if value.get("name") else ""
        return name + _untagged([value[k] for k in ("entries", "items", "entry") if k in value])
    text = str(value)
    fixed = {"h": "Hit: ", "m": "Miss: ", "hom": "Hit or Miss: "}

    def shown(match: re.Match[str]) -> str:
        tag, parts = match[1], match[2].split("|")
        if tag in fixed:
            return fixed[tag]
        if tag == "hit":
            return parts[0] if parts[0][:1] in "+-" else f"+{parts[0]}"
        if tag == "dc":
            return f"DC {parts[0]}"
        if tag == "recharge":
            return f"(Recharge {parts[0] or 6})"
        if tag == "actSave":
            long = next((a for a, s in ABILITIES.items() if s == parts[0]), parts[0])
            return f"{long} saving throw:"
        if tag in ("atk", "atkr"):
            return "Attack:"
        return parts[2] if len(parts) > 2 and parts[2] else parts[0]

    for _ in range(3):
        text = re.sub(r"\{@(\w+) ?([^{}]*)\}", shown, text)
    return text


def _harm(value: Any, field: str) -> str:
    """Types with their notes, groups with a semicolon between them."""
    parts = []
    for each in value or []:
        if isinstance(each, str):
            parts.append(each)
        elif field in each and "preNote" not in each and "cond" not in each:
            inner = _harm(each[field], field).replace(";", ",")
            parts.append(f"{inner} {each.get('note', '')}")
        elif field in each:
            inner = _harm(each[field], field).replace(";", ",")
            parts.append(f"{inner} {each.get('note', '')} {each.get('preNote', '')}")
    return "; ".join(map(_untagged, parts))


def fivetools(row: dict[str, Any]) -> Creature:
    lists = ("trait", "action", "bonus", "reaction", "legendary")
    rows = [
        feature(_untagged(e.get("name") or ""), _untagged(e.get("entries") or []), s)
        for s in lists
        for e in row.get(s) or []
        if isinstance(e, dict)
    ]
    for heading, each in pairwise(rows):
        if not heading.text and re.fullmatch(
            r"(?:Melee|Ranged) (?:Weapon|Spell) Attack", each.name
        ):
            each.name, heading.name = heading.name, ""  # which stands above its attack
    rows = [each for each in rows if each.name]
    armour = (row.get("ac") or [None])[0]
    given = row["speed"] if isinstance(row.get("speed"), dict) else {"walk": row.get("speed")}
    walks = {w: n.get("number") if isinstance(n, dict) else n
             for w, n in given.items()}  # fmt: skip
    rating_ = row.get("cr")
    hp = row.get("hp")
    return creature(
        row.get("name"), hp.get("average") if isinstance(hp, dict) else hp,
        armour.get("ac") if isinstance(armour, dict) else armour, [row.get(a) for a in SHORT],
        cr=rating_.get("cr") if isinstance(rating_, dict) else rating_, speed=walks,
        senses=", ".join(row.get("senses") or []) if isinstance(row.get("senses"), list) else "",
        saves={a: number(n) or 0 for a, n in (row.get("save") or {}).items() if number(n)},
        skills={a: number(n) or 0 for a, n in (row.get("skill") or {}).items()
                if isinstance(n, str | int)},
        resist=_harm(row.get("resist"), "resist"), immune=_harm(row.get("immune"), "immune"),
        vulnerable=_harm(row.get("vulnerable"), "vulnerable"),
        unhindered=", ".join(c for c in row.get("conditionImmune") or [] if isinstance(c, str)),
        features=rows,
    )  # fmt: skip


# -- Foundry ---------------------------------------------------------------------------------------


def foundry(row: dict[str, Any]) -> Creature:
    data = row.get("system") or row.get("data") or {}
    attributes, traits = data.get("attributes") or {}, data.get("traits") or {}
    scores = {a: (data["abilities"][a] or {}).get("value") for a in SHORT}
    rating_ = (data.get("details") or {}).get("cr")
    counted = max(int(rating_ or 0), 1)
    pb = 2 + (counted - 1) // 4
    modifier = {a: ((n if isinstance(n, int) else 10) - 10) // 2 for a, n in scores.items()}
    armour = attributes.get("ac") or {}
    ac = armour.get("flat") if armour.get("calc") in ("flat", "natural") else armour.get("value")
    moves = attributes.get("movement") or {}
    speed: Any = {w: moves.get(w) for w in WAYS}
    if not moves:
        told = attributes.get("speed") or {}
        speed = f"{told.get('value') or ''}, {told.get('special') or ''}"
    senses: Any = attributes.get("senses", traits.get("senses"))

    def types(field: str) -> str:
        own = traits.get(field) or {}
        listed = (
            [str(v) for v in own.get("value") or []] if isinstance(own.get("value"), list) else []
        )
        if "physical" in listed or own.get("bypasses"):
            listed = [
                v for v in listed if v not in ("physical", "bludgeoning", "piercing", "slashing")
            ]
            listed.append("bludgeoning, piercing, slashing from nonmagical")
        return "; ".join([*listed, str(own.get("custom") or "")])

    rows = []
    for item in row.get("items") or []:
        if item.get("type") not in ("weapon", "feat"):
            continue
        own = item.get("system") or item.get("data") or {}
        description = own.get("description") or {}
        text = re.sub(
            r"\(?\[\[/?\w* ?([^\[\]#]*)[^\[\]]*\]\](?:\{([^{}]*)\})?\)?",
            lambda roll: f"({roll[2] or roll[1].strip()})",
            str(description.get("value") or ""),
        )
        made = feature(item.get("name"), text, "action")
        is_saved = item.get("type") == "feat" and "saving throw" in text and "ttack" not in text
        takes = (own.get("activation") or {}).get("type") or item.get("type") == "weapon"
        is_rolled = takes and not is_saved
        if (
            is_rolled
            and made.attack is None
            and own.get("actionType") in ("mwak", "rwak", "msak", "rsak")
        ):
            made.attack = _rolled(own, modifier, pb, attributes.get("spellcasting") or "int")
        rows.append(made)
    return creature(
        row.get("name"), (attributes.get("hp") or {}).get("max"), ac, [scores[a] for a in SHORT],
        cr=rating_, speed=speed, senses=senses, resist=types("dr"), immune=types("di"),
        vulnerable=types("dv"), features=rows,
        saves={a: modifier[a] + pb for a in SHORT if data["abilities"][a].get("proficient") == 1},
        unhindered=", ".join(map(str, (traits.get("ci") or {}).get("value") or [])),
    )  # fmt: skip


def _rolled(own: dict[str, Any], modifier: dict[str, int], pb: int, casts: str) -> Attack | None:
    """An attack of an older item, which is a sum."""
    ability = own.get("ability")
    if not ability:
        spell, far = own["actionType"].endswith("sak"), own["actionType"].startswith("r")
        quick = (
            (own.get("properties") or {}).get("fin")
            if isinstance(own.get("properties"), dict)
            else 0
        )
        ability = casts if spell else "dex" if far else "str"
        if quick and not spell:
            ability = max("str", "dex", key=lambda a: modifier[a])
    if ability not in modifier or number(own.get("attackBonus") or 0) is None:
        return None
    bonus = modifier[ability] + (number(own.get("attackBonus")) or 0)
    bonus += pb if own.get("proficient", True) not in (False, 0) else 0
    parts = []
    for formula, kind in [p for p in (own.get("damage") or {}).get("parts") or [] if len(p) == 2]:
        filled = str(formula).replace("@mod", str(modifier[ability])).replace("+ -", "- ")
        if re.fullmatch(r"\s*\d+d\d+(\s*[+-]\s*\d+)?\s*", filled) and kind:
            parts.append(f"{dice(filled)} {kind}")
    return Attack(bonus, damage=tuple(parts))


# -- Markdown --------------------------------------------------------------------------------------

_LINK = re.compile(
    r"!?\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]|!?\[([^\[\]\n]*)\]\((?:[^()\n]|\([^()]*\))*\)"
)


def markdown(text: str) -> Iterator[tuple[str, Creature]]:
    blocks = re.findall(r"^```statblock[^\n]*\n(.*?)^```", text, re.S | re.M)
    front = re.match(r"---\n(.*?)\n---", text, re.S)
    if front and re.search(r"^statblock: *[\"']?true", front[1], re.M):
        blocks.append(front[1])
    for block in blocks:
        data = yaml.safe_load(_LINK.sub(lambda m: (m[1] or m[2]).replace(":", ""), block))
        if isinstance(data, dict) and number(data.get("hp")) and data.get("stats"):
            yield "Obsidian", statblock(data)
    if not blocks and re.search(r"^\W*Armor Class", text, re.M) and "Hit Points" in text:
        found = [*plain_blocks(text)]
        yield from (("Markdown", made) for made in found)


def statblock(row: dict[str, Any]) -> Creature:
    def pairs(value: Any) -> dict[str, int]:
        rows = value if isinstance(value, list) else [value] if isinstance(value, dict) else []
        found: dict[str, int] = {}
        for each in rows:
            if isinstance(each, dict) and "name" in each:
                found[str(each["name"])] = number(each.get("desc")) or 0
            elif isinstance(each, dict):
                found |= {str(k): number(v) or 0 for k, v in each.items() if number(v) is not None}
        return found

    lists = {"traits": "trait", "actions": "action", "bonus_actions": "bonus",
             "reactions": "reaction", "legendary_actions": "legendary"}  # fmt: skip
    rows = []
    for name, sort in lists.items():
        given = row.get(name) or []
        for each in given.values() if isinstance(given, dict) else given:
            if isinstance(each, dict) and each.get("name"):
                rows.append(feature(each["name"], each.get("desc"), sort))
            elif isinstance(each, list) and len(each) > 1:
                rows.append(feature(each[0], each[1], sort))
    return creature(
        row.get("name"), row["hp"], row.get("ac"), row["stats"], cr=row.get("cr"),
        speed=row.get("speed"), senses=row.get("senses"), saves=pairs(row.get("saves")),
        skills=pairs(row.get("skillsaves")), resist=row.get("damage_resistances"),
        immune=row.get("damage_immunities"), vulnerable=row.get("damage_vulnerabilities"),
        unhindered=row.get("condition_immunities"), features=rows,
    )  # fmt: skip


_SECTIONS = {"action": "action", "bonus action": "bonus", "reaction": "reaction",
             "legendary action": "legendary"}  # fmt: skip


def plain_blocks(text: str) -> Iterator[Creature]:
    """Stat blocks in plain Markdown: from a heading with an Armor Class below it to the next."""
    lines = [re.sub(r"^>+ ?", "", line).rstrip() for line in text.split("\n")]
    starts = [
        at
        for at, line in enumerate(lines)
        if re.match(r"#{1,6} \S", line)
        and any(re.match(r"\W*Armor Class", each) for each in lines[at + 1 : at + 8])
        and not any(re.match(r"#{1,6} \S", e) for e in _before_armour(lines[at + 1 : at + 8]))
    ]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        body = "\n".join(lines[start + 1 : end])

        def of(label: str, body: str = body) -> str:
            found = re.search(rf"^[\s*\-_]*{label}[*:\s]+(.*)$", body, re.M)
            return found[1] if found else ""

        scores = re.findall(r"\|? *(\d+) *\([+−–-]?\d+\)", body)[:6]
        rows: list[Feature] = []
        sections = re.split(r"^#{2,6} *(.+?) *$", body, flags=re.M)
        for name, part in zip(["", *sections[1::2]], sections[::2], strict=True):
            sort = _SECTIONS.get(
                name.strip("* ").lower().removesuffix("s"), "trait" if not name else ""
            )
            if sort:
                rows += _paragraphs_of(part, sort)
        yield creature(
            re.sub(r"^#+ ", "", lines[start]), of("Hit Points"), of("Armor Class"), scores,
            cr=of("Challenge(?: Rating)?"), speed=of("Speed"), senses=of("Senses"),
            saves=bonuses(of("Saving Throws")), skills=bonuses(of("Skills")),
            resist=of("Damage Resistances"), immune=of("Damage Immunities"),
            vulnerable=of("Damage Vulnerabilities"), unhindered=of("Condition Immunities"),
            features=rows,
        )  # fmt: skip


def _before_armour(lines: list[str]) -> Iterator[str]:
    for line in lines:
        if re.match(r"\W*Armor Class", line):
            return
        yield line


def _paragraphs_of(part: str, sort: str) -> list[Feature]:
    """Those whose name is bold and cursive, `***Bite***.`, as published stat blocks have them."""
    found = re.split(r"^\*\*\*([^*\n]+?)\.?\*\*\*\.?", part, flags=re.M)
    return [feature(n, b, sort) for n, b in zip(found[1::2], found[2::2], strict=True)]
