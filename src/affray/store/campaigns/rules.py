"""The rules by which a campaign is played: with its house rules, its bestiary and its party."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from affray.core.language.refusal import Refused
from affray.core.rules.read_tables import read_tables
from affray.core.rules.ruleset import Ruleset
from affray.rulesets import load_ruleset
from affray.rulesets.missing import without_rules
from affray.store.campaigns.files import (
    BESTIARY,
    PARTY,
    READ_AS,
    RULES,
    campaign_of,
    is_there,
    keys_in,
    ruleset_of,
    toml_of,
)
from affray.store.campaigns.lines import line_at, line_of


def ruleset_with_campaign(ruleset: Ruleset, path: Path) -> Ruleset:
    """The ruleset with the campaign's own rows: `rules.toml`, `bestiary.toml` and `party.toml`.

    Raises Refused, naming the file, for one that is wrong.
    """
    return with_rows_of(ruleset, campaign_of(path))


def with_rows_of(ruleset: Ruleset, folder: Path | None) -> Ruleset:
    """The ruleset with the rows of the campaign in that folder, if there is one. Raises Refused."""
    if folder is None:
        return ruleset
    for name in (RULES, BESTIARY, PARTY):
        if is_there(folder / name):
            ruleset = with_file(ruleset, folder / name)
    return ruleset


def rules_of(folder: Path) -> Ruleset:
    """The rules of a campaign's fights, with its rows as they are now. Raises Refused."""
    return with_rows_of(load_ruleset(ruleset_of(folder)), folder)


def ruleset_to_look_by(ruleset_id: str, path: Path) -> tuple[Ruleset, str]:
    """The ruleset with as much of the campaign's rows as can be had, for who only looks on, and
    why it is less than all; empty where it is all."""
    try:
        own = load_ruleset(ruleset_id)
    except Refused as refusal:
        return without_rules(ruleset_id), f"{refusal}; shown without its rules"
    try:
        return ruleset_with_campaign(own, path), ""
    except Refused as refusal:
        return own, f"{refusal}; shown by the tables of {own.name} alone"


def with_its_line(refusal: Refused, folder: Path | None) -> Refused:
    """A refusal of somebody of the campaign's, with the file and the line where their row stands:
    as it is where none does."""
    files = [folder / PARTY, folder / BESTIARY] if folder is not None and refusal.row else []
    for file in files:
        if refusal.row in keys_in(file):
            own = [(refusal.row, refusal.field)] if refusal.field else []
            line = line_at(file.read_text(READ_AS), [*own, (refusal.row,)])
            return Refused(
                f"{file.name}, line {line}: {refusal.bare}", row=refusal.row, field=refusal.field
            )
    return refusal


def with_file(ruleset: Ruleset, file: Path) -> Ruleset:
    """The ruleset with the rows of one of a campaign's files. Raises Refused, naming that."""
    # Imported here: a fight without a campaign is shown without what checks its rules.
    from affray.core.rules.house_rules import with_house_rules

    rows = toml_of(file)
    if file.name == PARTY:
        rows = {"bestiary": {key: {"kind": "pc", **row} for key, row in _people(rows, file)}}
    elif file.name == BESTIARY:
        rows = {"bestiary": dict(_people(rows, file))}
    try:
        return with_house_rules(ruleset, read_tables(rows))
    except Refused as refusal:
        line = line_of(file.read_text(READ_AS), str(refusal))
        where = f"{file}, line {line}" if line else str(file)
        raise Refused(f"{where}: {refusal}") from None


def _people(rows: dict[str, Any], file: Path) -> list[tuple[str, dict[str, Any]]]:
    for key, row in rows.items():
        if not isinstance(row, dict):
            raise Refused(f"{file}: expected a table [{key}] with the numbers of a creature")
    return [(key.casefold(), row) for key, row in rows.items()]
