"""Whether a game plays by what a campaign's effects say: field by field, and word by word."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from affray.core.language.refusal import Refused, listed
from affray.core.rules.checking import check_amounts, check_words
from affray.core.rules.ruleset import Ruleset
from affray.core.rules.tables import LEVEL, EffectRule, Tables

IN_EVERY_GAME = (
    "name", "kind", "implies", "needs_source", "brings", "breaks", "ends_with_source", "concerns",
    "until", "carries", "text",
)  # fmt: skip
"""The fields that mean the same in every game."""
_EFFECTS = ("implies", "brings", "breaks")
_TRACKS = ("at_start", "escape")
_DAMAGE = ("resist", "half_damage", "adds_damage", "ended_by")
_BLANK = EffectRule()


def check_effects(ruleset: Ruleset, more: Tables) -> None:
    """Raises Refused for the first effect of a campaign that the game wouldn't play as it says."""
    known = _names(ruleset.tables, more)
    for name, row in more.effects.items():
        where = f"[{'levels' if name in more.levels else 'effects'}.{name}]"
        if name != name.casefold() or not name.strip():
            raise Refused(f"{where}: no command could name it; write it in small letters")
        check_words(f"{where} kind", [row.kind], known["kind"])
        for field, words in _said(row):
            if field in _EFFECTS:
                check_words(f"{where} {field}", words, known[field])
            elif field not in IN_EVERY_GAME:
                _check_field(ruleset, known, where, field, words)
        become = [name for names in row.ended_by.values() for name in names]
        check_words(f"{where} ended_by", become, known["keeps_off"])
        check_words(f"{where} adds_damage", row.adds_damage.values(), known["adds_damage"])
        for field in _TRACKS:
            least = 1 if field == "escape" else -99
            check_amounts(f"{where} {field}", getattr(row, field) or {}, least)


def _check_field(
    ruleset: Ruleset, known: Mapping[str, list[str]], where: str, field: str, words: list[str]
) -> None:
    """Raises Refused for a field that the game doesn't read, or for a word in it."""
    reads = ruleset.reads.effects
    if field not in reads:
        row = listed((*reads, *IN_EVERY_GAME), "and")
        raise Refused(f"{where} {field}: {ruleset.name} plays by no such field; it reads {row}")
    understood = reads[field]
    if understood is None:
        understood = tuple(known.get(field, words))
    check_words(f"{where} {field}", words, understood)


def _names(own: Tables, more: Tables) -> dict[str, list[str]]:
    """The words of those fields for which the tables have them."""
    effects, tracks = [*own.effects, *more.effects], [*own.tracks]
    types = [*own.damage_types, *more.damage_types, "all"]
    levels = [LEVEL] if more.levels else []
    kinds = (*(r.kind for r in own.effects.values()), *own.kinds, *more.kinds, *levels)
    return {
        **dict.fromkeys((*_EFFECTS, "keeps_off"), effects),
        **dict.fromkeys(_TRACKS, tracks),
        **dict.fromkeys(_DAMAGE, types),
        "kind": list(dict.fromkeys(kinds)),
    }


def _said(row: EffectRule) -> Iterator[tuple[str, list[str]]]:
    """Each field that a row sets, with the words in it; the sides of `suffers` one by one."""
    for field in _BLANK.__struct_fields__:
        value = getattr(row, field)
        if value == getattr(_BLANK, field):
            continue
        if field == "suffers":
            yield from ((f"suffers.{side}", [when]) for side, when in row.suffers.items())
        elif isinstance(value, str):
            yield field, [value]
        else:
            yield field, [] if isinstance(value, bool) else [*value]
