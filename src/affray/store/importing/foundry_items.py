"""What both of Foundry's systems have in common: formulas with an actor's numbers in them."""

from __future__ import annotations

import re
from typing import Any

from msgspec import Struct

from affray.store.importing.values import MINUS, one_line

_TERM = re.compile(r"([+-])\s*(\d{0,3}d\d{1,4}|\d{1,5})")

_TIMES = re.compile(r"(?<![d\d])(\d{1,3})\*(\d{1,3})(?![d\d])")


NO_ABILITY = "none"
OTHERS = ("finesse", "spellcasting", "spell", NO_ABILITY)
"""What may stand in the place of an ability."""


class Numbers(Struct, frozen=True):
    """An actor's modifiers, its proficiency bonus, the ability it casts spells by, its name, and
    its bonus to Athletics."""

    modifiers: dict[str, int]
    proficiency: int
    casting: str = ""
    name: str = ""
    athletics: int = 0

    def modifier(self, ability: str) -> int:
        """Of an ability, or of the better of Strength and Dexterity (`finesse`)."""
        if ability == "finesse":
            return max(self.modifiers["str"], self.modifiers["dex"])
        if ability in ("spellcasting", "spell"):
            return self.modifiers.get(self.casting, 0)
        return self.modifiers.get(ability, 0)


def dice_of(formula: Any, numbers: Numbers, ability: str = "") -> str:
    """A formula as dice: `1d6 + @dex.mod` is `1d6+2`. Empty for one that names something else."""
    text = one_line(formula).casefold().translate(MINUS)

    def named(match: re.Match[str]) -> str:
        name = match[1].removeprefix("abilities.").removeprefix("attributes.")
        if name == "prof":
            return str(numbers.proficiency)
        whose = name.removesuffix(".mod") if name != "mod" else ability
        known = whose in numbers.modifiers or whose in OTHERS
        return str(numbers.modifier(whose)) if known else "?"

    text = re.sub(r"\[[^\]]*\]", "", re.sub(r"@([a-z.]+)", named, text))
    text = re.sub(r"\s+", "", text).replace("+-", "-").replace("--", "+")
    text = re.sub(r"(\d+)d1(?!\d)", r"\1", text)  # dice with one side
    text = _TIMES.sub(lambda match: str(int(match[1]) * int(match[2])), text)
    if not text:
        return ""
    text = text if text[0] in "+-" else f"+{text}"
    terms = _TERM.findall(text)
    if "".join(sign + term for sign, term in terms) != text:
        return ""
    rolled = [f"{sign}{term}" for sign, term in terms if "d" in term]
    flat = sum(int(f"{sign}{term}") for sign, term in terms if "d" not in term)
    said = "".join(rolled).removeprefix("+")
    return f"{said}{flat:+d}" if said and flat else said or str(flat)


def value_of(formula: Any, numbers: Numbers) -> int | None:
    """A formula that is a plain number; None for one with dice, or for none."""
    text = dice_of(formula, numbers)
    return int(text) if re.fullmatch(r"[+-]?\d{1,5}", text) else None
