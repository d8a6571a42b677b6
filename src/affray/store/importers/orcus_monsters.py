"""Orcus' published monsters: a row each with ten powers, in columns such as `Power 1 - Name`.

They come as a spreadsheet, as CSV, or as records with the headings for names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from affray.core.dice import WRITTEN, to_notation
from affray.core.rules.imported_creature import (
    ImportedAttack,
    ImportedCondition,
    ImportedCreature,
    ImportedDamage,
    ImportedFeature,
    Sort,
)
from affray.data_text import Table
from affray.rulesets import load_ruleset
from affray.store.importers import ImportContents, import_each
from affray.store.importers.condition_text import until_of
from affray.store.importers.values import (
    MINUS,
    to_bonuses,
    to_clean_text,
    to_int,
    to_ints,
    to_one_line,
    to_positive,
    to_senses,
    to_size,
    to_speeds,
    to_table,
    to_tables,
    to_words,
)

# -------------------------------------------------------------------------------------------------
# Powers: the attack, and sentences about its damage and conditions.

CONDITIONS = (
    "blinded", "controlled", "dazed", "deafened", "dominated", "grappled", "helpless", "immobile",
    "invisible", "marked", "petrified", "prone", "rattled", "restrained", "slowed", "stunned",
    "surprised", "unconscious", "weakened",
)  # fmt: skip
SORTS: dict[str, Sort] = {
    "standard": "action",
    "move": "move",
    "swift": "bonus",
    "free": "free",
    "reaction": "reaction",
    "counter": "counter",
    "react": "reaction",
}
REACHES = {"melee": "melee", "ranged": "ranged", "near": "near", "far": "far"}
_DAMAGE = re.compile(
    rf"(?:^|; )(?:the target takes )?(?P<dice>{WRITTEN}|\d{{1,3}})\s+"
    r"(?P<types>(?:[a-z]+ (?:and|or) )?[a-z]+ |\[\w+\] )?damage"
    rf"|^(?P<bare>{WRITTEN})\s*(?=,|\.|$)",
    re.IGNORECASE,
)
_PERSISTENT = re.compile(
    r"(?:persistent (?P<first>\d{1,3})(?: (?P<kind>[a-z]+)(?: and [a-z]+)?)?|"
    r"(?P<second>\d{1,3}) (?:persistent|ongoing)(?: (?P<kind2>[a-z]+)(?: and [a-z]+)?)?) damage"
    r"|(?P<third>\d{1,3}) (?P<kind3>[a-z]+)?\s*(?:persistent|ongoing) damage",
    re.IGNORECASE,
)
_NO_TYPES = ("and", "or", "extra", "additional", "more", "this", "that", "weapon", "half", "w")
_AGAINST_WHAT = {"ac": "ac", "for": "fortitude", "ref": "reflex", "wil": "will"}
_ROLL = re.compile(
    r"(?P<bonus>[+\-−–]\d{1,2}) vs\.? (?P<against>AC|Fort(?:itude)?|Ref(?:lex)?|Will)\b[;:,.]?\s*",
    re.IGNORECASE,
)
_PARTS = re.compile(
    r"\*?(Secondary Attack|Miss|Effect|Aftereffect|First Failed Save|Special|Hit)\*?:?\*? ", re.I
)
_UNLESS = re.compile(r"^(?:if|when|while|each|a creature|whenever|the .{1,30} can )", re.IGNORECASE)
_INSTEAD = re.compile(r"^(?!the target is \w+ instead).{0,40}instead", re.IGNORECASE)
_CONDITION = re.compile(
    r"(?:(?:\bis|\bare|\bknocked|\bfalls|\bplaced|\btarget|\band|,)\s+|^|(?P<choice>\bor)\s+)"
    r"(?:also |knocked )?"
    rf"(?P<name>{'|'.join(CONDITIONS)})\b",
    re.IGNORECASE,
)
_CHOSEN = re.compile(r"chooses one|one of the following", re.IGNORECASE)
_OPTION = re.compile(r"^\d{1,2}\\?\. (?P<name>[A-Z][\w' -]{2,24}): (?P<said>.+)$")
_AGAINST = re.compile(r"\bagainst an? [^.;]*", re.IGNORECASE)
DAMAGE_TYPES = load_ruleset("orcus").tables.damage_types


def parse_powers(fields: Mapping[str, Any]) -> Iterator[ImportedFeature]:
    """A power, and behind it the secondary attack that it may have, as a power of its own. Where a
    numbered list offers several effects, each is a power besides."""
    main = _power(fields)
    effect = to_clean_text(fields.get("Effect"))
    options = [found for line in effect.split("\n") if (found := _OPTION.match(line))]
    if _CHOSEN.search(effect) and len(options) > 1:
        yield replace(main, attack=None, damage=(), inflicts=(), miss="", sort="free")
        yield from (_option(main, found) for found in options)
        return
    yield main
    second = to_one_line(fields.get("Secondary Attack")) or effect.partition("Secondary Attack")[2]
    found = _ROLL.search(second)
    if found and main.attack is not None:
        hit = _hit(second[found.end() :])
        yield ImportedFeature(
            name=f"{main.name}, secondary",
            sort="free",
            text=f"After a hit with {main.name}.",
            attack=replace(_rolled(found), reach=main.attack.reach),
            damage=damage_of(hit),
            inflicts=inflictions_of(hit),
        )


def _option(main: ImportedFeature, found: re.Match[str]) -> ImportedFeature:
    """One of the effects that a power offers: `4. Enervate: +19 vs Fortitude; 2d10+7 damage.`"""
    rolled = _ROLL.search(found["said"])
    reach = next((reach for word, reach in REACHES.items() if word in main.text[:8].casefold()), "")
    hit = _hit(found["said"][rolled.end() :]) if rolled else ""
    return replace(
        main,
        name=f"{main.name}: {found['name']}",
        text=f"One of {main.name}. {found['said']}",
        attack=replace(_rolled(rolled), reach=reach or "melee") if rolled else None,
        damage=damage_of(hit),
        inflicts=inflictions_of(hit),
    )


def _power(fields: Mapping[str, Any]) -> ImportedFeature:
    """The power in the words of sheets; one without an action is a trait."""
    action = to_one_line(fields.get("Action")).casefold()
    effect = to_clean_text(fields.get("Effect"))
    often = to_one_line(fields.get("Frequency")).casefold()
    if action in ("at-will", "encounter", "daily"):  # the columns have been shifted
        action, often = "standard", action
    how = to_one_line(fields.get("Type")).casefold()
    attack, hit = _attack(fields, how), _hit(effect)
    in_words = _ROLL.search(hit) if attack is None else None
    if in_words:
        attack, hit = _rolled(in_words), hit[in_words.end() :]
    limits, is_choice = _limits(often), _CHOSEN.search(effect) is not None
    when = f"{often} {to_one_line(fields.get('Rider'))} {effect}".casefold()
    parts = _PARTS.split(effect)
    later = dict(zip(map(str.casefold, parts[1::2]), parts[2::2], strict=True))
    return ImportedFeature(
        name=to_one_line(fields.get("Name")) or "Power",
        sort=SORTS.get(action.split(" ")[0], "trait"),
        text=_power_text(fields, effect),
        attack=attack,
        damage=damage_of(hit) if attack is not None else (),
        inflicts=inflictions_of(hit) if attack is not None and not is_choice else (),
        worsens=inflictions_of(later.get("first failed save", "")),
        after=inflictions_of(later.get("aftereffect", "")),
        staggered=re.search(r"refresh(?:es)? when [^.]{0,30}first staggered", when) is not None,
        miss="half" if re.search(r"miss:\*?\*?\s*half damage", effect, re.IGNORECASE) else "",
        tags=tuple(tag.casefold() for tag in to_words(fields.get("Tags"))),
        trigger=_trigger(fields, action),
        basic=how.startswith("basic"),
        **limits,
    )


def _rolled(found: re.Match[str]) -> ImportedAttack:
    """An attack that a text tells of: `+16 vs AC; `."""
    bonus = int(found["bonus"].translate(MINUS))
    return ImportedAttack(bonus, _AGAINST_WHAT[found["against"].casefold()[:3].strip()])


def _attack(fields: Mapping[str, Any], how: str) -> ImportedAttack | None:
    bonus = to_int(fields.get("Attack Bonus"), -50, 99)
    against = to_one_line(fields.get("Defense")).casefold()
    if bonus is None or against[:3] not in _AGAINST_WHAT:
        return None
    where = to_one_line(fields.get("Range"))
    found = re.search(
        r"(?:reach|range|ranged|burst|arc|blast)\s+(\d{1,3})(?:/(\d{1,3}))?", where, re.I
    )
    reach = next((REACHES[word] for word in REACHES if word in how), "melee")
    return ImportedAttack(
        bonus,
        _AGAINST_WHAT[against[:3]],
        reach,
        feet=int(found[1]) if found else 0,
        long=int(found[2]) if found and found[2] else 0,
    )


def _hit(effect: str) -> str:
    """The effect of a hit alone: up to the words on a miss, on later effects, and so on."""
    return " ".join(_PARTS.split(effect)[0].split())


def damage_of(hit: str) -> tuple[ImportedDamage, ...]:
    """The damage with which an effect begins: `2d6+4 cold and necrotic damage`."""
    found = _DAMAGE.search(hit)
    if found is None:
        return ()
    falls = to_notation(found["dice"] or found["bare"])
    words = (found["types"] or "").casefold().split()
    kinds = (
        [word for word in words if word in DAMAGE_TYPES]
        or [  # else a type of its own
            word for word in words[-1:] if word.isalpha() and word not in _NO_TYPES
        ]
    )
    return (ImportedDamage(falls, kinds[0] if kinds else ""),)


def inflictions_of(hit: str) -> tuple[ImportedCondition, ...]:
    """Conditions and persistent damage of a hit, in any order."""
    found: dict[str, ImportedCondition] = {}
    for sentence in re.split(r"(?<=[.;])\s+", hit):
        if _UNLESS.match(sentence) or _INSTEAD.match(sentence):
            continue
        sentence = _AGAINST.sub("", sentence)
        end = until_of(sentence)
        for match in _CONDITION.finditer(sentence):
            name = match["name"].casefold()
            if match["choice"]:  # `weakened or slowed`: somebody has to choose
                found.clear()
                continue
            rest = until_of(sentence[match.end() : match.end() + 90].split(", and")[0])
            until = "" if name == "prone" else rest or end
            found.setdefault(name, ImportedCondition(name, until))
        for match in _PERSISTENT.finditer(sentence):
            amount = match["first"] or match["second"] or match["third"]
            kind = (match["kind"] or match["kind2"] or match["kind3"] or "").casefold()
            dealt = ImportedDamage(amount, kind if kind in DAMAGE_TYPES else "")
            found.setdefault("persistent", ImportedCondition("persistent", end, damage=dealt))
    return tuple(found.values())


def _limits(often: str) -> Table:
    """`refresh 5, 6`, `encounter`, `daily`, `once per round`."""
    face = re.match(r"(?:refresh|recharge)\D*([2-6])", often)
    if face:
        return {"recharge": int(face[1])}
    if often.startswith(("encounter", "refresh")):
        return {"uses": 1, "per": "encounter"}
    if often.startswith("daily"):
        return {"uses": 1, "per": "day"}
    return {"uses": 1, "per": "round"} if "once per round" in often else {}


def _trigger(fields: Mapping[str, Any], action: str) -> str:
    """The trigger of an action out of turn, from the field of its range."""
    where = to_one_line(fields.get("Range"))
    match = re.match(r"(?:when|if)\b([^:]*)", where, re.IGNORECASE)
    if match:
        return match[0].strip(" :")
    rider = to_one_line(fields.get("Rider"))
    is_trigger = action in ("counter", "reaction") and rider.casefold().startswith(("when", "if"))
    return rider if is_trigger else ""


_HEADS = ("Type", "Action", "Frequency", "Tags", "Range")


def _power_text(fields: Mapping[str, Any], effect: str) -> str:
    """The power in words, as stat blocks have it."""
    heads = [to_one_line(fields.get(name)) for name in _HEADS]
    rider, second = (
        to_one_line(fields.get("Rider")),
        to_one_line(fields.get("Secondary Attack")),
    )
    bonus = to_int(fields.get("Attack Bonus"), -50, 99)
    roll = (
        f"{bonus:+d} vs {to_one_line(fields.get('Defense'))}"
        if bonus is not None and fields.get("Defense")
        else ""
    )
    parts = [
        "; ".join(filter(None, heads)),
        roll,
        rider if rider != "0" else "",
        effect,
        f"Secondary attack: {second}" if second else "",
    ]
    return " ".join(part if part.endswith((".", ":")) else f"{part}." for part in parts if part)


Record = Mapping[str, Any]
_AMOUNT = re.compile(
    r"^(?:(?P<kind>[a-z]+(?: and [a-z]+)?) (?P<amount>\d{1,3})"
    r"|(?P<first>\d{1,3}) (?P<after>[a-z]+))$"
)
TYPES = (*DAMAGE_TYPES, "all")


def matches(found: Sequence[Sequence[Any]]) -> bool:
    """True if the first row has the sheet's headings."""
    return bool(found) and _are_headings({to_one_line(cell) for cell in found[0]})


def _are_headings(names: set[str]) -> bool:
    return {"Name", "HP", "AC", "Power 1 - Name"} <= names


def import_data(found: Sequence[Sequence[Any]]) -> ImportContents:
    """The monsters of the sheet; its other rows are prose of the book."""
    heads = [to_one_line(cell) for cell in found[0]]
    records = (
        {
            head: cell
            for head, cell in zip(heads, row, strict=False)
            if head and cell not in (None, "")
        }
        for row in found[1:]
    )
    return _read(records)


def holds_records(data: Any) -> bool:
    """True if JSON has the sheet as records."""
    return any(
        _are_headings({*row}) or {"Name", "HP", "AC", "Fort"} <= {*row}
        for row in _records(data)[:20]
    )


def read_records(data: Any) -> ImportContents:
    """The monsters of the records."""
    return _read(_records(data))


def _records(data: Any) -> list[Table]:
    return to_tables(data) or to_tables(to_table(data).get("monsters"))


def _read(records: Any) -> ImportContents:
    rows = [*records]
    theirs = [to_one_line(row.get("Name")) for row in rows if _is_in_words(row)]
    own = (row for row in rows if _is_monster(row) and not _is_in_words(row))
    refusal = f"companions and summons, which use their owner's numbers: {', '.join(theirs)}"
    left = ImportContents(left=(refusal,) if theirs else ())
    return import_each(own, _creature, lambda row: row.get("Name")) + left


def _is_monster(row: Record) -> bool:
    """True for a row with an AC; without one it is a chapter's prose, or the line below the
    headings."""
    return to_int(row.get("AC")) is not None and to_one_line(row.get("Name")) != "Sub-Chapter"


def _is_in_words(row: Record) -> bool:
    """A companion's or a summon's: `your defenses`, `10 + your level`."""
    return any("your" in to_one_line(row.get(key)).casefold() for key in ("AC", "HP"))


def _creature(row: Record) -> ImportedCreature:
    resist, resist_words = _amounts(row.get("Resistance to"))
    vulnerable, vulnerable_words = _amounts(row.get("Vulnerability to"))
    speed = to_one_line(row.get("Spd"))
    unparsed = {
        "resistance, in words": resist_words,
        "vulnerability, in words": vulnerable_words,
        **_in_words(row, speed),
    }
    return ImportedCreature(
        name=to_one_line(row.get("Name")),
        game="orcus",
        source=to_one_line(row.get("Source")),
        size=to_size(row.get("Size")),
        type=to_one_line(row.get("Type")).casefold(),
        rank=to_one_line(row.get("Rank")).casefold(),
        role=to_one_line(row.get("Role")).casefold(),
        level=to_int(row.get("Level"), 0, 99),
        hp=to_positive(row.get("HP")),
        ac=to_int(row.get("AC"), 0),
        defences=to_ints({ours: row.get(key) for ours, key in _DEFENCES.items()}, 0),
        initiative=to_int(row.get("Initiative"), -50, 99),
        speeds=to_speeds(speed),
        hover="hover" in speed,
        abilities=to_ints({a: row.get(a.capitalize()) for a in _ABILITIES}, 1, 99),
        skills=to_bonuses(row.get("Skills")) | _perception(row),
        senses=to_senses(row.get("Senses")),
        languages=tuple(to_words(row.get("Language"))),
        resist=tuple(resist),
        vulnerable=tuple(vulnerable),
        immune=tuple(word.casefold() for word in to_words(row.get("Immunity to"))),
        amounts={f"resist {kind}": n for kind, n in resist.items()}
        | {f"vulnerable {kind}": n for kind, n in vulnerable.items()},
        save_bonus=to_int(row.get("Saving Throws"), 0, 20) or 0,
        points=to_int(row.get("Action Points"), 0, 9) or 0,
        features=tuple(_features(row)),
        in_words={what: text for what, text in unparsed.items() if text},
        text=to_clean_text(row.get("Description")),
    )


_ABILITIES = ("str", "con", "dex", "int", "wis", "cha")
"""In the order in which the book has them."""
_DEFENCES = {"fortitude": "Fort", "reflex": "Ref", "will": "Will"}


def _in_words(row: Record, speed: str) -> dict[str, str]:
    """The words about a monster, as the sheet has them."""
    return {
        "HP, in words": to_one_line(row.get("HP Extras")),
        "ways of moving": speed if re.search(r"\(|[a-z]{6,}", speed) else "",
        "aura": to_one_line(row.get("Aura")),
        "equipment": to_one_line(row.get("Equipment")),
        "XP": to_one_line(row.get("XP")),
        "alignment": to_one_line(row.get("Alignment")),
        "leader": "yes" if to_one_line(row.get("Leader?")) not in ("", "0", "no") else "",
        "tag": to_one_line(row.get("Tag")),
        "swarm": "yes" if "swarm" in to_one_line(row.get("Tag")).casefold() else "",
        "ancestry": to_one_line(row.get("Ancestry")).casefold(),
    }


def _perception(row: Record) -> dict[str, int]:
    bonus = to_int(row.get("Perception"), -50, 99)
    return {} if bonus is None else {"perception": bonus}


def _amounts(value: Any) -> tuple[dict[str, int], str]:
    """`necrotic 5, incorporeal`: the amount of each type, and the other words."""
    kinds: dict[str, int] = {}
    more, waiting = [], []
    for part in to_words(value):
        match = _AMOUNT.match(part.casefold())
        if part.casefold() in TYPES:
            waiting.append(part.casefold())  # `necrotic, poison 15`: both 15
        elif (
            match
            and (typed := (match["kind"] or match["after"]).split(" and "))
            and set(typed) <= set(TYPES)
        ):
            amount = int(match["amount"] or match["first"])
            kinds |= dict.fromkeys([*waiting, *typed], amount)
            waiting = []
        else:
            more.append(part)
    return kinds, ", ".join([*waiting, *more])


def _features(row: Record) -> Iterator[ImportedFeature]:
    found: dict[str, Table] = {}
    for key, value in row.items():
        number_, mark, field = key.partition(" - ")
        if mark and number_.startswith("Power "):
            found.setdefault(number_, {})[field] = value
    for fields in found.values():
        if fields.get("Name") or fields.get("Effect"):
            yield from parse_powers(fields)
