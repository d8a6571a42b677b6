"""A power of Orcus' sheet: its attack, and in sentences what it deals and inflicts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from affray.core.rules.imported import Attack, Damage, Feature, Infliction, Sort
from affray.rulesets import load_ruleset
from affray.store.importing.attack_text import until_of
from affray.store.importing.values import MINUS, clean, number, one_line, words

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
_DICE = r"\d{1,3}(?:d\d{1,4}(?:\s*[+\-−–]\s*\d{1,4})?)?"
_DAMAGE = re.compile(
    rf"(?:^|; )(?:the target takes )?(?P<dice>{_DICE})\s+"
    r"(?P<types>(?:[a-z]+ (?:and|or) )?[a-z]+ |\[\w+\] )?damage"
    rf"|^(?P<bare>\d{{1,3}}d\d{{1,4}}(?:\s*[+\-−–]\s*\d{{1,4}})?)\s*(?=,|\.|$)",
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


def powers(fields: Mapping[str, Any]) -> Iterator[Feature]:
    """A power, and behind it the secondary attack that it may have, as a power of its own. Where a
    numbered list offers several effects, each is a power besides."""
    main = _power(fields)
    effect = clean(fields.get("Effect"))
    options = [found for line in effect.split("\n") if (found := _OPTION.match(line))]
    if _CHOSEN.search(effect) and len(options) > 1:
        yield replace(main, attack=None, damage=(), inflicts=(), miss="", sort="free")
        yield from (_option(main, found) for found in options)
        return
    yield main
    second = one_line(fields.get("Secondary Attack")) or effect.partition("Secondary Attack")[2]
    found = _ROLL.search(second)
    if found and main.attack is not None:
        hit = _hit(second[found.end() :])
        yield Feature(
            name=f"{main.name}, secondary",
            sort="free",
            text=f"After a hit with {main.name}.",
            attack=replace(_rolled(found), reach=main.attack.reach),
            damage=damage_of(hit),
            inflicts=inflictions_of(hit),
        )


def _option(main: Feature, found: re.Match[str]) -> Feature:
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


def _power(fields: Mapping[str, Any]) -> Feature:
    """What the sheet says of a power; one without an action is a trait."""
    action = one_line(fields.get("Action")).casefold()
    effect = clean(fields.get("Effect"))
    often = one_line(fields.get("Frequency")).casefold()
    if action in ("at-will", "encounter", "daily"):  # the columns have been shifted
        action, often = "standard", action
    how = one_line(fields.get("Type")).casefold()
    attack, hit = _attack(fields, how), _hit(effect)
    in_words = _ROLL.search(hit) if attack is None else None
    if in_words:
        attack, hit = _rolled(in_words), hit[in_words.end() :]
    limits, is_choice = _limits(often), _CHOSEN.search(effect) is not None
    when = f"{often} {one_line(fields.get('Rider'))} {effect}".casefold()
    parts = _PARTS.split(effect)
    later = dict(zip(map(str.casefold, parts[1::2]), parts[2::2], strict=True))
    return Feature(
        name=one_line(fields.get("Name")) or "Power",
        sort=SORTS.get(action.split(" ")[0], "trait"),
        text=_told(fields, effect),
        attack=attack,
        damage=damage_of(hit) if attack is not None else (),
        inflicts=inflictions_of(hit) if attack is not None and not is_choice else (),
        worsens=inflictions_of(later.get("first failed save", "")),
        after=inflictions_of(later.get("aftereffect", "")),
        staggered=re.search(r"refresh(?:es)? when [^.]{0,30}first staggered", when) is not None,
        miss="half" if re.search(r"miss:\*?\*?\s*half damage", effect, re.IGNORECASE) else "",
        tags=tuple(tag.casefold() for tag in words(fields.get("Tags"))),
        trigger=_trigger(fields, action),
        basic=how.startswith("basic"),
        **limits,
    )


def _rolled(found: re.Match[str]) -> Attack:
    """An attack that a text tells of: `+16 vs AC; `."""
    bonus = int(found["bonus"].translate(MINUS))
    return Attack(bonus, _AGAINST_WHAT[found["against"].casefold()[:3].strip()])


def _attack(fields: Mapping[str, Any], how: str) -> Attack | None:
    bonus = number(fields.get("Attack Bonus"), -50, 99)
    against = one_line(fields.get("Defense")).casefold()
    if bonus is None or against[:3] not in _AGAINST_WHAT:
        return None
    where = one_line(fields.get("Range"))
    found = re.search(
        r"(?:reach|range|ranged|burst|arc|blast)\s+(\d{1,3})(?:/(\d{1,3}))?", where, re.I
    )
    reach = next((REACHES[word] for word in REACHES if word in how), "melee")
    return Attack(
        bonus,
        _AGAINST_WHAT[against[:3]],
        reach,
        feet=int(found[1]) if found else 0,
        long=int(found[2]) if found and found[2] else 0,
    )


def _hit(effect: str) -> str:
    """What comes of a hit alone: up to what is said of a miss, of what comes later, and so on."""
    return " ".join(_PARTS.split(effect)[0].split())


def damage_of(hit: str) -> tuple[Damage, ...]:
    """The damage with which an effect begins: `2d6+4 cold and necrotic damage`."""
    found = _DAMAGE.search(hit)
    if found is None:
        return ()
    dice = re.sub(r"\s", "", (found["dice"] or found["bare"]).translate(MINUS))
    said = (found["types"] or "").casefold().split()
    kinds = [word for word in said if word in DAMAGE_TYPES] or _own_type(said)
    return (Damage(dice, kinds[0] if kinds else ""),)


def _own_type(said: list[str]) -> list[str]:
    """A campaign's own type of damage: the one word that stands before `damage`."""
    return [word for word in said[-1:] if word.isalpha() and word not in _NO_TYPES]


def inflictions_of(hit: str) -> tuple[Infliction, ...]:
    """Conditions and persistent damage that a hit brings, in whatever order they are said."""
    found: dict[str, Infliction] = {}
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
            behind = until_of(sentence[match.end() : match.end() + 90].split(", and")[0])
            until = "" if name == "prone" else behind or end
            found.setdefault(name, Infliction(name, until))
        for match in _PERSISTENT.finditer(sentence):
            amount = match["first"] or match["second"] or match["third"]
            kind = (match["kind"] or match["kind2"] or match["kind3"] or "").casefold()
            dealt = Damage(amount, kind if kind in DAMAGE_TYPES else "")
            found.setdefault("persistent", Infliction("persistent", end, damage=dealt))
    return tuple(found.values())


def _limits(often: str) -> dict[str, Any]:
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
    """What must happen first: of what is done out of turn, what stands with its range."""
    where = one_line(fields.get("Range"))
    said = re.match(r"(?:when|if)\b([^:]*)", where, re.IGNORECASE)
    if said:
        return said[0].strip(" :")
    rider = one_line(fields.get("Rider"))
    is_trigger = action in ("counter", "reaction") and rider.casefold().startswith(("when", "if"))
    return rider if is_trigger else ""


_HEADS = ("Type", "Action", "Frequency", "Tags", "Range")


def _told(fields: Mapping[str, Any], effect: str) -> str:
    """All of a power in words, as a stat block has it."""
    heads = [one_line(fields.get(name)) for name in _HEADS]
    rider, second = one_line(fields.get("Rider")), one_line(fields.get("Secondary Attack"))
    bonus = number(fields.get("Attack Bonus"), -50, 99)
    roll = (
        f"{bonus:+d} vs {one_line(fields.get('Defense'))}"
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
