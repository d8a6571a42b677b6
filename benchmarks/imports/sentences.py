"""The sentences of stat blocks, read by plain patterns of this gauge's own."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field

TYPES = (
    "acid|bludgeoning|cold|fire|force|lightning|necrotic|piercing|poison|psychic|radiant|slashing"
    "|thunder"
)
ABILITIES = {
    "strength": "str", "dexterity": "dex", "constitution": "con", "intelligence": "int",
    "wisdom": "wis", "charisma": "cha",
}  # fmt: skip
_LONG = "|".join(ABILITIES)
_AMOUNT = re.compile(
    rf"^(?:an? (?:extra|additional) )?(?:\d+ ?\(([\dd+\- ]+)\)|(\d+d\d+(?: ?[+-] ?\d+)?)|(\d+))"
    rf"(?: (?:magical|extra))? ({TYPES})\b",
    re.I,
)


@dataclass
class Attack:
    """An attack roll: its bonus, how far, and the parts of a hit's damage, `2d6+3 fire`."""

    bonus: int
    reach: int = 0
    near: int = 0
    far: int = 0
    damage: tuple[str, ...] = ()


@dataclass
class Feature:
    """What somebody can do."""

    name: str
    text: str
    sort: str = "action"
    attack: Attack | None = None
    save: tuple[str, int] | None = None
    recharge: int = 0
    uses: int = 0


@dataclass
class Creature:
    """What the file says of a creature; of what it doesn't say nothing is compared."""

    name: str
    numbers: dict[str, int] = field(default_factory=dict)
    cr: str = ""
    saves: dict[str, int] = field(default_factory=dict)
    skills: dict[str, int] = field(default_factory=dict)
    kinds: dict[str, set[str]] = field(default_factory=dict)
    spells: set[str] = field(default_factory=set)
    features: list[Feature] = field(default_factory=list)


def plain(text: object) -> str:
    """A text without markup, links and tags in braces."""
    words = html.unescape(str(text or ""))
    words = re.sub(r"</(?:p|li|h\d)>|<br ?/?>", "\n", words)
    words = re.sub(r"<[^<>]*>", "", words)
    words = re.sub(
        r"\[\[/r(?:oll)? ([^\[\]#]*)[^\[\]]*\]\](?:\{([^{}]*)\})?",
        lambda roll: f"({roll[2] or roll[1].strip()})",
        words,
    )
    words = re.sub(r"!?\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]", r"\1", words)
    words = re.sub(r"!?\[([^\[\]]*)\]\((?:[^()]|\([^()]*\))*\)", r"\1", words)
    words = re.sub(r"[*_`]+", "", words)
    return words.replace("−", "-").replace("–", "-").replace("’", "'").replace("\xa0", " ")


def dice(text: str) -> str:
    """`2d6 + 3` as `2d6+3`; `1d4+0` as `1d4`."""
    return re.sub(r"[+-]0$", "", re.sub(r"\s", "", text).lower())


def feature(name: object, text: object, sort: str = "action") -> Feature:
    """A feature of a name and a text."""
    words, label = plain(text), " ".join(plain(name).split())
    label = re.sub(r"^Bonus Action: ", "", label)
    flat = " ".join(words.split())
    casts = re.search(r"casting\b", label.lower()) is not None
    made = Feature(label, words, sort, None if casts else attack_of(flat), None)
    found = re.search(r"recharge:? ?(\d)", label, re.I)
    made.recharge = int(found[1]) if found else 0
    often = re.search(r"(\d+) ?/ ?day", label, re.I)
    made.uses = int(often[1]) if often else 0
    save = re.search(
        rf"DC ?(\d+) ({_LONG}) sav(?!\w*[^.]{{0,70}}regurgitate)|({_LONG}) saving throw: DC ?(\d+)",
        flat,
        re.I,
    )
    counts = re.search(r"\b1[.:] [A-Z].*\b2[.:] [A-Z]", text, re.DOTALL)  # each has its own save
    if save and not made.attack and not counts:
        made.save = (ABILITIES[(save[2] or save[3]).lower()], int(save[1] or save[4]))
    return made


def attack_of(flat: str) -> Attack | None:
    """The attack roll that a text on one line asks for."""
    found = re.search(r"([+-] ?\d+)\)? to hit\b|attack(?: roll)?: ?([+-] ?\d+)", flat, re.I)
    if not found:
        return None
    made = Attack(int((found[1] or found[2]).replace(" ", "")))
    head, _, hit = flat[found.start() :].partition("Hit:")
    if reach := re.search(r"reach (\d+)", head, re.I):
        made.reach = int(reach[1])
    if far := re.search(r"(?:range )?(\d+) ?(?:ft\.?)?/(\d+) ?(?:ft|feet)", head, re.I):
        made.near, made.far = int(far[1]), int(far[2])
    elif far := re.search(r"range (\d+) ?(?:ft|feet)", head, re.I):
        made.near = int(far[1])
    made.damage = damage_of(hit)
    return made


def damage_of(hit: str) -> tuple[str, ...]:
    """The parts of a hit's damage: what stands behind `or`, and what falls in some case, isn't."""
    sentence = re.split(r"[.;:](?:\s|$)|,? and, if |\bDC ?\d|\bmust\b", hit.strip())[0]
    parts: list[str] = []
    for piece in re.split(r",? (?=(?:plus|and|or|\+(?= \d+ ?\()) (?!if\b))", sentence):
        word, _, rest = piece.partition(" ") if re.match(r"(?:plus|and|or|\+) ", piece) else (
            "", "", piece,
        )  # fmt: skip
        amount = _AMOUNT.match(rest.strip())
        if word == "or" or amount is None:
            if word != "or" and parts:
                break
            continue
        case = re.search(r"(?<!and, )\b(?:if|when|while|unless|for each|per)\b", rest)
        if not parts or not case:
            parts.append(f"{dice(amount[1] or amount[2] or amount[3])} {amount[4].lower()}")
    return tuple(parts)


def spells_of(text: str) -> set[str]:
    """The names in lists of spells: `1/day each: fly, light`."""
    found: set[str] = set()
    for line in plain(text).split("\n"):
        head = re.match(
            r"\W*(?:cantrips?[^:]*|at[ -]will|\d\w\w[ -]level[^:]*|level \d[^:]*|\d/(?:day|rest)"
            r"[^:]*):(.*)",
            line.strip(),
            re.I,
        )
        if head:
            names = re.sub(r"\([^()]*\)", "", head[1])
            found |= {key(n) for n in re.split(r"[,;]", names) if 2 < len(n.strip()) < 36}
    return found


def key(name: str) -> str:
    """A name by its letters and digits alone, without what stands in brackets."""
    return letters(re.sub(r"\([^()]*(?:\)|$)", "", plain(name)))


def letters(name: str) -> str:
    """A name by its letters and digits alone."""
    return re.sub(r"[^a-z0-9]", "", plain(name).lower())


def kinds_of(value: object) -> set[str]:
    """Types of damage: those that hold always, and `mundane` ones of weapons not magical."""
    found: set[str] = set()
    every = "bludgeoning, piercing, and slashing"
    text = plain(value).lower().replace("non magical", "nonmagical")
    if re.match(r"one of |while |when ", text):
        return set()  # which hold in some case alone
    for given in text.split(";"):
        group = re.sub(
            rf"non-?magic(?:al)? (?:b/p/s|{every})", f"{every} from nonmagical", given.strip()
        )
        group = re.sub(
            r"(^|, |and )(?:non-?magical weapons|damage from non-?magical)",
            rf"\1{every} from nonmagical",
            group,
        )
        weapons = re.search(
            r"((?:(?:bludgeoning|piercing|slashing),? ?(?:and |or )?)+)(?:damage )?"
            r"(?:from|that is|by|dealt by) ?non-?magic",
            group,
        )
        rest = group
        if re.search(r"\(.*\)|non-?magical bludg", group) and not weapons:
            continue
        if weapons:
            names = re.findall("bludgeoning|piercing|slashing", weapons[1])
            found |= {"mundane"} if len(names) == 3 else {f"mundane-{name}" for name in names}
            rest = group[: weapons.start()] + re.sub(r"^[^,]*?(?:,|$)", ",", group[weapons.end() :])
        weapons_too = re.search(r"\b(?:from|by|while|made|magic|when|dealt|except)\b", rest)
        for part in re.split(r",|\band\b", rest):
            if weapons_too and re.search("bludgeoning|piercing|slashing", part):
                continue
            if re.fullmatch(rf"({TYPES})(?: damage)?", part.strip()):
                found.add(part.strip().removesuffix(" damage"))
    return found


def distances(text: object) -> dict[str, int]:
    """`30 ft., fly 60 ft.` as walk 30 and fly 60; senses likewise."""
    found: dict[str, int] = {}
    words = re.sub(r"\([^()]*\)", "", plain(text).lower())
    for name, far in re.findall(r"([a-z]*)\s*(?:speed )?(\d+) ?(?:ft|feet)", words):
        found.setdefault(name or "walk", int(far))
    return found


def bonuses(text: object) -> dict[str, int]:
    """`Dex +4, Con +2` as a table."""
    pairs = re.findall(r"([A-Za-z][A-Za-z ]*?):? *([+-]? ?\d+)", plain(text))
    return {name.strip().lower(): int(n.replace(" ", "")) for name, n in pairs}
