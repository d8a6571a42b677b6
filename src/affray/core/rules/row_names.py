"""The names in a game's rows that are those of other rows: a cost is of a track, a hit inflicts an
effect. One that is nowhere is refused when the tables are read, and when a campaign adds to them
(`require_rows_named`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from affray.core.parser.errors import Refused
from affray.core.rules.campaign_tables import require_known_words
from affray.core.rules.tables import Tables

TRACK, EFFECT, TYPE, OUTCOME, PROMPT = "track", "effect", "damage type", "outcome", "prompt"
STANDS = "effect and no surroundings"
_OF_EFFECTS = {
    **dict.fromkeys(("implies", "brings", "breaks", "keeps_off"), EFFECT),
    **dict.fromkeys(("at_start", "escape"), TRACK),
    **dict.fromkeys(("resist", "half_damage", "adds_damage", "ended_by"), TYPE),
}
_OF_SURROUNDINGS = {"inflict": EFFECT, "marks": TRACK, "type": TYPE, "echoes": TYPE}
_FIELDS: Mapping[str, Mapping[str, str]] = {
    "techniques": {
        **dict.fromkeys(("cost", "marks", "does.recovers"), TRACK),
        **dict.fromkeys(("does.inflict", "does.bestow", "does.lifts"), EFFECT),
    },
    "effects": _OF_EFFECTS,
    "levels": {"track": TRACK},
    "prompts": {"takes": OUTCOME, "then": PROMPT},
    "tracks": {"under": STANDS},
    "activities": {"clears": TRACK, "spends": TRACK},
    "weapons": {"type": TYPE, "inflicts": EFFECT},
}
"""Table -> field -> the kind of its words; for a field that is a table, of its keys."""


def require_rows_named(rows: Tables, tables: Tables) -> None:
    """Refuse the first row that names a track, an effect, a damage type, an outcome or a prompt
    that the tables don't have. The refusal has its `row`, `techniques.aim`, and its `field`."""
    names: dict[str, Iterable[str]] = {
        TRACK: tables.tracks,
        EFFECT: tables.effects,
        STANDS: (*tables.effects, *tables.environments),
        TYPE: (*tables.damage_types, "all"),
        OUTCOME: tables.outcomes,
        PROMPT: tables.prompts,
    }
    for where, row, fields in _rows(rows):
        for field, what in fields.items():
            try:
                at = f"[{where}] {field.replace('.', ' ')}"
                require_known_words(at, _words(row, field), names[what], f"is no {what}")
            except Refused as refusal:
                wrong = field.partition(".")[0]
                raise Refused(refusal.message, row=where, field=wrong) from None


def _rows(tables: Tables) -> Iterator[tuple[str, Any, Mapping[str, str]]]:
    """Yield each row's place, the row, and the names in its fields."""
    for table, fields in _FIELDS.items():
        for key, row in getattr(tables, table).items():
            of = "levels" if table == "effects" and key in tables.levels else table
            yield f"{of}.{key}", row, fields
    for key, place in tables.environments.items():
        for part, rows in (("features", place.features), ("actions", place.actions)):
            for name, row in rows.items():
                where = f"environments.{key}.{part}.{name}"
                yield where, row, _OF_SURROUNDINGS


def _words(row: Any, field: str) -> list[str]:
    """The words in a field, or in a field of a field; none if it is missing."""
    value = row
    for name in field.split("."):
        value = getattr(value, name, None)
    return [value] if isinstance(value, str) and value else [*(value or ())]
