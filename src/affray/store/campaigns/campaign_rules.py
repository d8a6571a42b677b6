"""A campaign's rule system with its house rules, bestiary and party; and their faults."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from affray.core.commands.newcomers import PICTURE
from affray.core.commands.queries import preview_row
from affray.core.parser.errors import Refused
from affray.core.rules.ruleset import Ruleset
from affray.core.rules.tables import read_tables
from affray.data_text import Table
from affray.rulesets import load_ruleset, without_rules
from affray.store.campaigns import files
from affray.store.campaigns.toml_edit import line_at, toml_line_number


def ruleset_with_campaign(ruleset: Ruleset, path: Path) -> Ruleset:
    """Add to a ruleset the rows of the campaign that a fight's file at `path` lies in.

    They come from `rules.toml`, `bestiary.toml` and `party.toml`. Raises Refused, naming the file,
    for a faulty one.
    """
    return with_rows_of(ruleset, files.campaign_of(path))


def with_rows_of(ruleset: Ruleset, folder: Path | None) -> Ruleset:
    """Add to a ruleset the rows of the campaign in a folder, if given. Raises Refused."""
    if folder is None:
        return ruleset
    for name in (files.RULES, files.BESTIARY, files.PARTY):
        if files.exists(folder / name):
            ruleset = with_file(ruleset, folder / name)
    return ruleset


def campaign_rules(folder: Path) -> Ruleset:
    """Load the rules of a campaign, with its rows as they are now. Raises Refused."""
    return with_rows_of(load_ruleset(files.campaign_ruleset_id(folder)), folder)


def read_only_ruleset(ruleset_id: str, path: Path) -> tuple[Ruleset, str]:
    """Load a ruleset for a viewed fight with as many of the campaign's rows as possible.

    Returns also why some rules are missing; empty if none are.
    """
    try:
        own = load_ruleset(ruleset_id)
    except Refused as refusal:
        return without_rules(ruleset_id), f"{refusal}; shown without its rules"
    try:
        return ruleset_with_campaign(own, path), ""
    except Refused as refusal:
        return own, f"{refusal}; shown with only the tables of {own.name}"


def with_its_line(refusal: Refused, folder: Path | None) -> Refused:
    """Add to a refusal about a campaign's row the file and line of that row, if it has one."""
    paths = (
        [folder / files.PARTY, folder / files.BESTIARY]
        if folder is not None and refusal.row
        else []
    )
    for file in paths:
        if refusal.row in files.row_keys(file):
            own = [(refusal.row, refusal.field)] if refusal.field else []
            line = line_at(files.load_text(file), [*own, (refusal.row,)])
            return Refused(
                f"{file.name}, line {line}: {refusal.bare}", row=refusal.row, field=refusal.field
            )
    return refusal


def with_file(ruleset: Ruleset, file: Path) -> Ruleset:
    """Add to a ruleset the rows of one campaign file. Raises Refused, naming the file."""
    # Imported here: only a campaign with files of its own needs it.
    from affray.core.rules.house_rules import with_house_rules

    rows = files.load_toml(file)
    if file.name == files.PARTY:
        rows = {"bestiary": {key: {"kind": "pc", **row} for key, row in _people(rows, file)}}
    elif file.name == files.BESTIARY:
        rows = {"bestiary": dict(_people(rows, file))}
    try:
        return with_house_rules(ruleset, read_tables(rows))
    except Refused as refusal:
        line = toml_line_number(files.load_text(file), str(refusal))
        where = f"{file}, line {line}" if line else str(file)
        raise Refused(f"{where}: {refusal}") from None


def _people(rows: Table, file: Path) -> list[tuple[str, Table]]:
    for key, row in rows.items():
        if not isinstance(row, dict):
            raise Refused(f"{file}: expected a table [{key}] with the numbers of a creature")
    return [(key.casefold(), row) for key, row in rows.items()]


# -------------------------------------------------------------------------------------------------
# Faults of all files of a campaign except its logs, for `affray check`.


class Finding(NamedTuple):
    """A line on one of the files, and True if it reports a fault."""

    line: str
    is_fault: bool = True


def findings(folder: Path) -> Iterator[Finding]:
    """List the faults of a campaign: its rules, then its people, row by row."""
    try:
        ruleset = _ruleset(folder)
    except Refused as refusal:
        yield Finding(str(refusal))
        return
    for name in (files.RULES, files.BESTIARY, files.PARTY):
        file = folder / name
        try:
            if not files.exists(file):
                continue
            ruleset = with_file(ruleset, file)
        except Refused as refusal:
            yield Finding(str(refusal))
        else:
            if name == files.RULES:
                yield Finding(f"{name}: read", is_fault=False)
    for name in (files.BESTIARY, files.PARTY):
        yield from _check_rows(folder, name, ruleset)


def _ruleset(folder: Path) -> Ruleset:
    ruleset_id = files.campaign_ruleset_id(folder)
    try:
        return load_ruleset(ruleset_id)
    except Refused as refusal:
        line = line_at(files.load_text(folder / files.ABOUT), [("ruleset",)])
        raise Refused(f"{files.ABOUT}, line {line}: {refusal}") from None


def _check_rows(folder: Path, name: str, ruleset: Ruleset) -> Iterator[Finding]:
    """Yield each row that can't be added to a fight; if all can, the number of rows."""
    try:
        keys = files.row_keys(folder / name) & ruleset.tables.bestiary.keys()
    except Refused:  # already reported
        return
    broken = 0
    for key in sorted(keys):
        try:
            preview_row(ruleset, key)
            _check_picture(folder, key, ruleset.tables.bestiary[key].get(PICTURE))
        except Refused as refusal:
            broken += 1
            yield Finding(str(with_its_line(refusal, folder)))
    if keys and not broken:
        what = "character" if name == files.PARTY else "creature"
        several = "" if len(keys) == 1 else "s"
        yield Finding(f"{name}: {len(keys)} {what}{several}", is_fault=False)


def _check_picture(folder: Path, key: str, name: str | None) -> None:
    """Raise Refused for a row whose picture can't be shown."""
    from affray.store.campaigns.pictures import load_picture  # here, since no fight checks them

    try:
        if name:
            load_picture(folder, name)
    except Refused as refusal:
        raise Refused(f"{key}, {PICTURE}: {refusal}", row=key, field=PICTURE) from None
