"""Rows of spells for the sheets of creatures of other programs: `"Fireball" 3 save dex 8d6 fire`.

What a spell brings beside its name stands in `spell_rows.toml`, by the SRD.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import tomli

from affray.core.rules.imported_creature import (
    ImportedCreature,
    ImportedSpell,
    ImportedSpells,
    ability_modifier,
)
from affray.mechanics.import_creature import phrase, quoted, rating_of, shortened
from affray.rulesets.srd.import_creature import proficiency_of

_TIERS = (5, 11, 17)
"""The levels of a caster at which a cantrip has its dice once more."""
_DICE = re.compile(r"(\d+)d(\d+)(?:\+(\d+))?")
_SMALL = re.compile(r"(?<![\w’'])(?!(?:and|from|into|of|or|the|to|with|without)\b)[a-z]")
"""The first letters of words that a name has in capitals."""
_WHOSE = re.compile(r"^[\w’']+['’]s ")
"""Before a spell's name who made it, which the SRD leaves out: `Melf's acid arrow`."""


@cache
def _tables() -> dict[str, dict[str, str]]:
    return tomli.loads(Path(__file__).with_name("spell_rows.toml").read_text("utf-8"))


def spell_words(creature: ImportedCreature) -> dict[str, Any]:
    """The words of a row for what a creature casts; none where it casts nothing."""
    casts = creature.casts
    if casts is None:
        return {}
    score = creature.abilities.get(casts.ability)
    usual = None if score is None else ability_modifier(score) + (proficiency_of(creature) or 0)
    bonus = casts.bonus if casts.bonus is not None else casts.dc - 8 if casts.dc else usual
    dc = casts.dc if casts.dc else None if bonus is None else bonus + 8
    words: dict[str, Any] = {} if bonus is None else {"spell": bonus, "spell-dc": max(dc or 1, 1)}
    words |= {"slots": ",".join(map(str, casts.slots))} if casts.slots else {}
    words |= {"pact": f"{casts.pact[0]} level {casts.pact[1]}"} if casts.pact[0] else {}
    level = casts.level or rating_of(creature) or 0
    words["spells"] = [*_rows(casts, bonus, level)]
    return words


def _rows(casts: ImportedSpells, bonus: int | None, level: int) -> Iterator[str]:
    """A row for each spell, of two whose names are cut alike the first."""
    taken: set[str] = set()
    for spell in casts.spells:
        name = shortened(_SMALL.sub(lambda word: word[0].capitalize(), spell.name))
        if name.casefold() not in taken:
            taken.add(name.casefold())
            yield f"{quoted(name)} {_row(spell, bonus, level)}"


def _row(spell: ImportedSpell, bonus: int | None, caster: int) -> str:
    """A spell's words behind its name."""
    key = spell.name.casefold().replace("’", "'")
    key = _WHOSE.sub("", key) if key not in _tables()["spells"] else key
    key = _tables()["names"].get(key, key)
    usual, *words = _tables()["spells"].get(key, "").split() or [""]
    level = usual if spell.level is None else str(spell.level)
    dice = next((word for word in words if _DICE.fullmatch(word)), "")
    falls = spell.dice or _raised(dice, key, int(level or 0), spell.raised, caster)
    rolled = f"{bonus:+d}" if bonus is not None else ""
    words = [{"attack": rolled, dice: falls}.get(word, word) for word in words]
    if spell.takes:
        words = [word for word in words if word not in ("bonus", "reaction")]
        words.insert(0, "" if spell.takes == "action" else spell.takes)
    often = f"uses {spell.uses} per {spell.per}" if spell.uses else ""
    return phrase(
        str(max(int(level), spell.raised)) if level else "",
        often or ("" if spell.slot or level == "0" else "at-will"),
        *words,
        f"text {quoted(spell.note)}" if spell.note else "",
    )


def _raised(dice: str, key: str, level: int, at: int, caster: int) -> str:
    """The dice of a spell cast at a level above its own, or of a cantrip by its caster's level."""
    whole = _DICE.fullmatch(dice)
    more = _DICE.fullmatch(_tables()["higher"].get(key, ""))
    if whole is None:
        return dice
    count, plus = int(whole[1]), int(whole[3] or 0)
    if not level:
        count *= 1 + sum(caster >= tier for tier in _TIERS)
    elif more is not None and at > level:
        count += (at - level) * int(more[1])
        plus += (at - level) * int(more[3] or 0)
    return f"{count}d{whole[2]}" + (f"+{plus}" if plus else "")
