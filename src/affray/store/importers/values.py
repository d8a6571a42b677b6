"""Read values of files that others wrote, where any field may hold anything, or be missing."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any

from affray.core.dice import to_notation
from affray.core.rules.imported_creature import proficiency
from affray.data_text import Table as Table, read_json

ABILITIES = ("str", "dex", "con", "int", "wis", "cha")
ABILITY_NAMES = dict(
    zip(
        ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"),
        ABILITIES,
        strict=True,
    )
)
ABILITY_LONG = {short: name.capitalize() for name, short in ABILITY_NAMES.items()}
SIZES = ("tiny", "small", "medium", "large", "huge", "gargantuan")
_SIZE_LETTERS = {
    "t": "tiny", "s": "small", "m": "medium", "l": "large", "h": "huge", "g": "gargantuan",
    "sm": "small", "med": "medium", "lg": "large", "grg": "gargantuan",
}  # fmt: skip
SENSES = ("blindsight", "darkvision", "tremorsense", "truesight")
WAYS = ("walk", "fly", "swim", "climb", "burrow")
MOST = 99_999
LONGEST = 20_000
"""The characters of a text that are kept."""

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
_MARKED = re.compile(r"[<&\[{*_#`]")
_ROLL = re.compile(
    r"\[\[(?:/[a-z]+\s*|(?=[\d({]))((?:[^\[\]]|\[[^\[\]]{0,80}\]){0,300})\]\]"
    r"(?:\{([^{}]{0,300})\})?"
)
"""A roll of Foundry's with its label: `[[/r {2d8}[fire]]]{2d8 fire damage}`, `[[1d6]]`."""
_ROLL_MARKS = re.compile(r"[{}\[\]]+")
_REFERENCE = re.compile(r"(?:@\w{1,40}|\bJournalEntry)\[([^\[\]]{0,300})\](?:\{([^{}]{0,300})\})?")
"""A reference of Foundry's with its label: `@UUID[Item.x]{net}`, `@condition[prone]`."""
_BRACES = re.compile(r"(?<!\{)\{([a-z]{3,20})\}(?!\})")
"""A word in braces, as some modules mark conditions: `or fall {prone}`."""
_OWN_BONUS = "{@hitYourSpellAttack}"
_BREAK = re.compile(r"<\s*(?:br|/p|/li|/h\d|/tr|hr)\b[^>]*>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,2000}>")
_MARKS = re.compile(r"\*{1,3}(?=\S)(.+?)(?<=\S)\*{1,3}|\b_(?=\S)(.+?)(?<=\S)_\b")
_CODE = re.compile(r"`(?:dice: ?)?([^`|\n]{1,300})(?:\|(?:[^`\n]*?text\(([^()`]*)\))?[^`\n]*)?`")
"""Code in a line, as notes have their dice: ``(`2d6 + 4`)``, ```dice: 1d20+4|text(+4)` ``."""
_TWICE = re.compile(r"(\d*d\d+(?: ?[+\-−] ?\d+)?) \(\1\)")
"""Dice that two pieces of code say: ``dice: 2d6 + 8|avg` (`2d6 + 8`)``."""
_HEADING = re.compile(r"^ *#{1,6} +", re.MULTILINE)
_LINK = re.compile(r"!?\[\[(?:[^\[\]|]{0,300}\|)?([^\[\]|]{0,300})\]\]")
_MARKDOWN_LINK = re.compile(r"!?\[([^\[\]]{0,300})\]\((?:[^()\s]|\([^()\s]*\)| )[^()]{0,500}\)")


def has_any(text: str, words: Iterable[str]) -> bool:
    """True if one of some words is in a text; a loop, since it is asked of each text many times."""
    for word in words:  # noqa: SIM110
        if word in text:
            return True
    return False


def to_tables(value: Any) -> list[Table]:
    """Return the tables in a list; none for anything else."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def rows_of(data: Any, field: str = "") -> list[Table]:
    """The tables of a file: in a list, in such a field of its only table, or that table itself."""
    if isinstance(data, dict):
        return to_tables(data.get(field)) or [data]
    return to_tables(data)


def names_of(rows: Any) -> list[str]:
    """The names of the tables in a list."""
    return [to_one_line(row.get("name")) for row in to_tables(rows)]


def to_list(value: Any) -> list[Any]:
    """The non-empty values of a list; an empty list for anything else."""
    return [each for each in value if each] if isinstance(value, list) else []


def to_table(value: Any) -> Table:
    """Return a table unchanged; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def first_value(value: Any) -> Any:
    """Return the first of a list, None of an empty one; anything else itself."""
    return next(iter(value), None) if isinstance(value, list) else value


def get_path(value: Any, *path: str) -> Any:
    """The value at a path of keys; None if there is none."""
    for key in path:
        value = to_table(value).get(key)
    return value


def to_clean_text(value: Any) -> str:
    """Clean a text of HTML, control characters and other programs' marks, so that it can be shown.

    Line ends stay; several blanks become one.
    """
    if isinstance(value, str):
        return _clean(value)
    if value is None:
        return ""
    if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
        return _clean("\n".join(value))  # a text, line by line
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return str(value) if is_number else ""


@lru_cache(512)  # a text is cleaned by all who read something of it
def _clean(text: str) -> str:
    text = text[: LONGEST * 2]
    if text.isprintable() and not _MARKED.search(text):
        return " ".join(text.split())[:LONGEST]  # most texts are plain
    if "<" in text:
        text = _TAG.sub("", _BREAK.sub("\n", text))
    if "&" in text:
        text = html.unescape(text)
    if "[" in text:
        text = _LINK.sub(r"\1", _ROLL.sub(lambda m: m[2] or _rolled(m[1]), text))
        text = _REFERENCE.sub(lambda m: m[2] or _named_by(m[1]), text)
        text = _MARKDOWN_LINK.sub(r"\1", text)
    if "{" in text:
        text = _BRACES.sub(r"\1", text.replace(_OWN_BONUS, "your spell attack modifier"))
    if "*" in text or "_" in text:
        text = _MARKS.sub(lambda m: m[1] or m[2], text)
    if "`" in text:
        text = _TWICE.sub(r"\1", _CODE.sub(lambda m: m[2] or m[1], text))
    if "#" in text:
        text = _HEADING.sub("", text)
    text = _CONTROL.sub("", text.replace("\r", "\n").replace("\t", " "))
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(filter(None, lines))[:LONGEST]


def _rolled(formula: str) -> str:
    """The words of a roll without a label: `2d8 fire` for `{2d8}[fire]`."""
    return " ".join(_ROLL_MARKS.sub(" ", formula.partition("#")[0]).split())


def _named_by(reference: str) -> str:
    """The name in a reference without a label: `prone`, `flask` of `acid|phb|flask`; empty for an
    address, `Actor.x7Tf`."""
    first, *more = reference.split("|")
    return next(filter(None, more[1:2]), "" if re.search(r"\w\.\w", first) else first)


def to_one_line(value: Any) -> str:
    """A text on one line, such as a name."""
    return to_clean_text(value).replace("\n", " ")


def to_int(value: Any, low: int = -MOST, high: int = MOST) -> int | None:
    """Read a whole number, or the first in a text: `"17 (chain mail)"`. None for none.

    Thousands may stand apart: `1,000`, `1.000`, `1'000`; with a blank if it is all of the text.
    """
    if type(value) is int:
        return value if low <= value <= high else None  # most are
    if isinstance(value, bool):
        return None
    if isinstance(value, float) and value == value:
        value = int(value) if abs(value) <= MOST else None
    if isinstance(value, str):
        match = _APART.fullmatch(value[:200].strip()) or _SIGNED.search(value[:200])
        value = int(re.sub(r"[\s,.'’]", "", match[0]).translate(MINUS)) if match else None
    return value if isinstance(value, int) and low <= value <= high else None


def to_ints(given: Mapping[str, Any], low: int = -MOST, high: int = MOST) -> dict[str, int]:
    """The whole numbers among some values, by their keys."""
    found = {key: to_int(value, low, high) for key, value in given.items()}
    return {key: value for key, value in found.items() if value is not None}


MINUS = str.maketrans({"−": "-", "–": "-"})
NUMBER = r"(?:[1-9]\d{0,2}(?:[,.'’]\d{3})+(?!\d)|\d{1,6})"
"""A number in a text, with or without marks between its thousands."""
_SIGNED = re.compile(rf"[+\-−–]?\s*{NUMBER}")
_APART = re.compile(r"[1-9]\d{0,2}(?:\s\d{3})+")


def to_positive(value: Any) -> int | None:
    """A number above 0, such as HP."""
    return to_int(value, 1)


def to_words(value: Any) -> list[str]:
    """A list of words, or a text with commas or semicolons between them; in brackets they stay."""
    if isinstance(value, list):
        return [label for each in value if (label := to_one_line(each))]
    text = to_one_line(value)
    return [part.strip() for part in _BETWEEN.split(text) if part.strip()]


_BETWEEN = re.compile(r"[,;](?![^(]*\))")


def to_dice(value: Any) -> str:
    """Dice as affray writes them, `2d6+3`; empty for what is none."""
    found = to_notation(to_one_line(value))
    return found if "d" in found else ""


def to_size(value: Any) -> str:
    """Read a size from a word or a letter; empty for anything else."""
    word = to_one_line(value).casefold().split(" ")[0] if value else ""
    return word if word in SIZES else _SIZE_LETTERS.get(word, "")


def to_ability(value: Any) -> str:
    """Return `con` for "Constitution", "Con" and the like; empty for no ability."""
    as_is = _ABILITY_OF.get(value) if isinstance(value, str) else None
    return as_is or _ABILITY_OF.get(to_one_line(value).casefold(), "")


_ABILITY_OF = ABILITY_NAMES | dict(zip(ABILITIES, ABILITIES, strict=True))


def by_ability(named: Mapping[str, Any]) -> Table:
    """The values under names of abilities, by their short names."""
    return {short: value for name, value in named.items() if (short := to_ability(name))}


def to_challenge(value: Any) -> str:
    """Write a challenge rating as stat blocks do, `1/4`, `11`, from any form in files."""
    if isinstance(value, dict):
        return to_challenge(value.get("cr"))
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = f"{value:.3f}"
    text = to_one_line(value).split(" ")[0]
    text = _FRACTIONS.get(text, text)
    head, _, tail = text.partition(".")
    if tail.strip("0") and not head.strip("0"):
        return {"5": "1/2", "25": "1/4", "125": "1/8"}.get(tail.rstrip("0"), text)
    return head if tail and not tail.strip("0") else text


def to_proficiency(challenge: Any) -> int:
    """Return the proficiency bonus of a challenge rating in any form of files."""
    return proficiency(to_int(to_challenge(challenge), 0, 40) or 0)


_FRACTIONS = {"½": "1/2", "¼": "1/4", "⅛": "1/8"}


def to_speeds(value: Any) -> dict[str, int]:
    """Speeds from a text, a list of texts, or a table: way -> how far."""
    if isinstance(value, Mapping):
        given = value.items()
        found = {
            str(way): to_int(get_path(v, "number") if isinstance(v, dict) else v)
            for way, v in given
        }
        return {way: far for way, far in found.items() if way in WAYS and far is not None}
    if isinstance(value, int | float):
        return {"walk": far} if (far := to_int(value, 0)) is not None else {}
    rows = value if isinstance(value, list) else [value]
    texts = (part for text in rows for part in to_words(without_forms(to_one_line(text))))
    values: dict[str, int] = {}
    for way, far in _speeds_of(text.casefold() for text in texts):
        values.setdefault(way, far)
    return values


def without_forms(text: str) -> str:
    """A text on speeds without those in brackets, which are of another form: `30 ft. (40 ft., climb
    30 ft. in bear form)`."""
    return _FORM.sub("", text) if "(" in text else text


_FORM = re.compile(r"(?<=\S) ?\([^()]*\d[^()]*\)")


def hovers(value: Any) -> bool:
    """True if the speeds, in any form, say that the creature hovers."""
    if isinstance(value, Mapping):
        options = value.items()
        return any(
            given if "hover" in str(way).casefold() else hovers(given) for way, given in options
        )
    return "hover" in str(value).casefold()


_NEXT_SPEED = re.compile(
    rf"(?<=\d)( ?(?:ft\.?|feet)?)[ ;]+(?:and +)?(?=(?:{'|'.join(WAYS)})\b)", re.I
)
"""Where a further speed begins that no comma stands before: `Walk 10 ft. Fly 70 ft.`"""


def _speeds_of(texts: Iterator[str]) -> Iterator[tuple[str, int]]:
    for text in (each for given in texts for each in _NEXT_SPEED.sub(r"\1\n", given).split("\n")):
        far = to_int(text, 0)
        if far is not None and "overland" not in text:  # which is no speed of a fight
            yield next((way for way in WAYS if way in text), "walk"), far


def to_bonuses(value: Any) -> dict[str, int]:
    """Names with bonuses: a table, a list of tables, or a text such as `Dex +4, Con +2`."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        with suppress(ValueError):
            return to_bonuses(read_json(value))
    if isinstance(value, Mapping):
        found = [(to_one_line(name), to_int(bonus)) for name, bonus in value.items()]
    elif isinstance(value, list):
        rows = [_named_bonus(row) if isinstance(row, dict) else row for row in value]
        return {
            n: b for row in rows if isinstance(row, dict | str) for n, b in to_bonuses(row).items()
        }
    else:
        found = [
            (re.sub(r"[+\-−–]?\s*\d.*", "", text).strip(" :"), to_int(text))
            for text in to_words(value)
        ]
    return {name.casefold(): bonus for name, bonus in found if name and bonus is not None}


def _named_bonus(row: Table) -> Table:
    """`{"Name": "Con", "Modifier": 6}` and `{"name": "Con", "desc": "+6"}` as `{"Con": 6}`."""
    fields = {str(key).casefold(): value for key, value in row.items()}
    if "name" not in fields:
        return row
    bonus = next((fields[key] for key in _BONUS_FIELDS if key in fields), None)
    return {to_one_line(fields["name"]): bonus}


_BONUS_FIELDS = ("modifier", "desc", "bonus", "value", "mod")


_SENSE = re.compile(r"[^\W\d_](?:[^\W\d_]|[ \-])*[^\W\d_]")
_NEXT_SENSE = re.compile(rf"(\d (?:ft\.?|feet)) (?=(?:{'|'.join(SENSES)})\b)", re.I)


def to_senses(value: Any) -> dict[str, int]:
    """Read senses with their ranges, 0 where unknown; passive scores are left out."""
    if isinstance(value, Mapping):
        return to_ints(value, 1)
    found = {}
    if isinstance(value, str):
        value = _NEXT_SENSE.sub(r"\1, ", value)
    for text in to_words(value):
        match = _SENSE.match(text.casefold())
        if match and not match[0].startswith("passive") and match[0] not in ("or", "and"):
            found[match[0]] = to_int(text, 0) or 0
    return found


def passive_perception(value: Any) -> int | None:
    """The number after `passive Perception` among the senses; None for none."""
    text = " ".join(to_words(value)).casefold()
    match = re.search(r"passive perception\D{0,3}(\d{1,2})", text)
    return int(match[1]) if match else None
