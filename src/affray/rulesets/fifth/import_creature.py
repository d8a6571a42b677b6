"""The part of 5e's rows for imported creatures that other games lack: spells, and effects of
traits.

`spell_rows.toml` has the data of the SRD's spells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from affray.core.rules.imported_creature import (
    ImportedCreature,
    ImportedSpell,
    ImportedSpells,
    ability_modifier,
)
from affray.mechanics.import_creature import phrase, quoted, rating_of, shortened
from affray.rulesets.fifth import spell_rows
from affray.rulesets.srd.import_creature import proficiency_of

_SMALL = re.compile(r"(?<![\w’'])(?!(?:and|from|into|of|or|the|to|with|without)\b)[a-z]")
"""The first letters of words that a name has in capitals."""

_TRAITS = {
    "magic-resistance": re.compile(r"magic resistance.*advantage on .*sav", re.DOTALL),
    "evasion": re.compile(r"evasion.*dexterity sav.*half", re.DOTALL),
    "swarm": re.compile(r"swarm\b.*\bcan[’']t regain (?:hit points|hp)", re.DOTALL),
}
"""The flag of a sheet -> how the trait begins and goes on that it stands for."""


def own_words(creature: ImportedCreature) -> dict[str, Any]:
    """The words of a row that other games haven't got."""
    traits = [f"{f.name}. {f.text}".casefold() for f in creature.features if f.sort == "trait"]
    flags = {word: True for word, pattern in _TRAITS.items() if any(map(pattern.match, traits))}
    return flags | ({"hover": True} if creature.hover else {}) | _spell_words(creature)


def _spell_words(creature: ImportedCreature) -> dict[str, Any]:
    """The words for what a creature casts; none where it casts nothing."""
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
    """Yield a row for each spell; of two whose names are the same when cut, the first one's."""
    taken: set[str] = set()
    counted = bool(casts.slots or casts.pact[0])
    for spell in (one for each in casts.spells for one in _apart(each)):
        spell = spell if counted else replace(spell, slot=False)
        name = shortened(_SMALL.sub(lambda word: word[0].capitalize(), spell.name))
        if name.casefold() not in taken:
            taken.add(name.casefold())
            yield f"{quoted(name)} {_row(spell, bonus, level)}"


def _apart(spell: ImportedSpell) -> Iterator[ImportedSpell]:
    """Split a name that is those of several spells, where a file lost the commas between them."""
    words, names = spell.name.casefold().split(), list[str]()
    while words and not spell_rows.is_name(spell.name):
        fits = [n for n in range(len(words), 0, -1) if spell_rows.is_name(" ".join(words[:n]))]
        if not fits:
            break
        names.append(" ".join(words[: fits[0]]))
        words = words[fits[0] :]
    whole = [replace(spell, name=name) for name in names]
    yield from whole if whole and not words else [spell]


def _row(spell: ImportedSpell, bonus: int | None, caster: int) -> str:
    """A spell's words behind its name."""
    usual, *words = spell_rows.words_of(spell.name) or [""]
    level = usual if spell.level is None else str(spell.level)
    dice = next(filter(spell_rows.is_dice, words), "")
    falls = spell.dice or spell_rows.raised(dice, spell.name, int(level or 0), spell.raised, caster)
    rolled = f"{bonus:+d}" if bonus is not None else ""
    words = [{spell_rows.ATTACK: rolled, dice: falls}.get(word, word) for word in words]
    if spell.takes:
        words = [word for word in words if word not in ("bonus", "reaction")]
        words.insert(0, "" if spell.takes == "action" else spell.takes)
    often = f"uses {spell.uses} per {spell.per}" if spell.uses else ""
    return phrase(
        str(max(int(level), spell.raised)) if level else "",
        often or ("" if level and (spell.slot or level == "0") else "at-will"),
        *words,
        f"text {quoted(spell.note)}" if spell.note else "",
    )
