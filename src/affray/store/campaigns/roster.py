"""Edit a campaign's roster: add, change and delete rows of party.toml and bestiary.toml.

A file is read right before it is written, so an editor's changes stay. A row is refused if `add`
would refuse it. Each change can be undone until another program changes the file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from affray.core.commands.newcomers import slug
from affray.core.commands.queries import preview_row
from affray.core.commands.save_to_roster import read_keep
from affray.core.engine.history import History
from affray.core.parser.errors import Refused
from affray.core.rules.ruleset import Ruleset
from affray.core.rules.tables import PROPOSED
from affray.data_text import DataError, read_toml
from affray.store.campaigns import files
from affray.store.campaigns.campaign_rules import campaign_rules
from affray.store.campaigns.toml_edit import MARK, Row, with_field, with_rows, without_rows
from affray.store.filesystem import log_error_from, read_bytes, remove, replace_file

FILES = {"party": files.PARTY, "bestiary": files.BESTIARY}


class FileChangedError(Refused):
    """Another program changed the row or file to be written: it must be read again first."""


class RosterEdit(NamedTuple):
    """A changed file: its content before (None if it is new) and after."""

    file: Path
    before: bytes | None
    after: bytes
    summary: str


def file_of_row(folder: Path, key: str) -> str:
    """Say which file's row of that key counts: the party's, else the bestiary's."""
    return "party" if key in files.row_keys(folder / files.PARTY) else "bestiary"


def save_row(fight: Path, history: History, line: str, ruleset: Ruleset, writes: bool) -> str:
    """Run `keep NAME [as ID] [party|bestiary]` in a fight; returns a line on the result.

    With `writes` false it is only checked. Raises Refused, and LogError if the file can't be
    written.
    """
    folder = files.campaign_of(fight)
    if folder is None:
        raise Refused(f"{fight} is not in a campaign's `encounters`, so it can't keep anybody")
    where, key, row = read_keep(line, history, ruleset)
    (add_row if writes else validate_new_row)(folder, where, key, row)
    return f"{row['name']} is kept in the {where}: `add {key}`"


def validate_new_row(folder: Path, which: str, key: str, row: Row) -> None:
    """Raise Refused for a new row that `add` would refuse, or whose id is taken."""
    for file in FILES.values():
        if key in files.row_keys(folder / file):
            raise Refused(f"there is a {key!r} in {file} already; `as ID` gives it another id")
    validate_row(campaign_rules(folder), which, key, row)


def load_row(folder: Path, key: str) -> Row | None:
    """Return the row of that key as it is in its file; None if it is gone."""
    file = folder / FILES[file_of_row(folder, key)]
    rows = files.load_toml(file) if files.exists(file) else {}
    return next((row for own, row in rows.items() if own.casefold() == key), None)


def add_row(folder: Path, which: str, key: str, row: Row) -> RosterEdit:
    """Add a row to the party or the bestiary. Raises as `validate_new_row`."""
    validate_new_row(folder, which, key, row)
    label = f"{row.get('name', key)} is kept in the {which} as {key}"
    return _change(folder / FILES[which], lambda text: with_rows(text, {key: row}), label)


def update_row(folder: Path, which: str, key: str, was: Row, now: Row) -> RosterEdit:
    """Write the fields that differ between the row as it `was` and as it is `now`.

    Raises Refused, also if another program changed one of these fields meanwhile.
    """
    fields = [name for name in (*was, *now) if was.get(name) != now.get(name)]
    label = f"{now.get('name', key)}: {', '.join(dict.fromkeys(fields))}"
    if PROPOSED in was and PROPOSED not in fields:
        now = _without_proposals(now, fields)
        fields.append(PROPOSED)
    file = folder / FILES[which]
    validate_row(campaign_rules(folder), which, key, now)
    return _change(file, partial(_edit_fields, key, was, {n: now.get(n) for n in fields}), label)


def _without_proposals(row: Row, fields: Collection[str]) -> Row:
    """Edited fields are no longer proposals."""
    value = row[PROPOSED]
    names = value.split(",") if isinstance(value, str) else value
    rest = [name for name in names if name not in fields]
    return {**row, PROPOSED: rest} if rest else {k: v for k, v in row.items() if k != PROPOSED}


def delete_row(folder: Path, which: str, key: str, name: str) -> RosterEdit:
    """Delete a row from its file. Raises Refused."""
    file = folder / FILES[which]
    label = f"{name} is removed"
    return _change(file, lambda text: without_rows(text, [_key_as_written(text, key)]), label)


def undo_edit(change: RosterEdit) -> None:
    """Restore a file as it was before an edit. Raises Refused if others changed it since."""
    file, changed = change.file, f"{change.file.name} was changed by another program meanwhile"
    with log_error_from(file):
        if read_bytes(file) != change.after:
            raise Refused(changed)
        if change.before is None:
            remove(file)
        else:
            replace_file(file, change.after, change.before)


def new_key(folder: Path, name: str) -> str:
    """Return a free id for a name: `fire-imp`, or `fire-imp-2` if that is taken."""
    taken = {key for file in FILES.values() for key in files.row_keys(folder / file)}
    base = key = slug(name)
    number = 2
    while key in taken:
        key, number = f"{base}-{number}", number + 1
    return key


def validate_row(ruleset: Ruleset, which: str, key: str, row: Row) -> None:
    """Raise Refused for a row that `add` would refuse."""
    kind = {"kind": "pc"} if which == "party" else {}
    rows = {**ruleset.tables.bestiary, key: {**kind, **row}}
    preview_row(replace(ruleset, tables=replace(ruleset.tables, bestiary=rows)), key)


def _edit_fields(key: str, was: Row, fields: Row, text: str) -> str:
    own = _key_as_written(text, key)
    there = _rows(text)[own]
    for field, value in fields.items():
        if there.get(field) != was.get(field):
            raise FileChangedError(f"another program has changed {field} of {key}: look again")
        text = with_field(text, own, field, value)
    return text


def _key_as_written(text: str, key: str) -> str:
    """Return the key in the file's own case. Raises FileChangedError if it is gone."""
    found = next((own for own in _rows(text) if own.casefold() == key), None)
    if found is None:
        raise FileChangedError(f"another program has removed {key}")
    return found


def _rows(text: str) -> dict[str, Any]:
    try:
        return read_toml(text.removeprefix(MARK))
    except DataError as error:
        raise Refused(f"not valid TOML: {error}") from None


def _change(file: Path, edit: Callable[[str], str], label: str) -> RosterEdit:
    file = Path(os.path.realpath(file))
    with log_error_from(file):
        before = read_bytes(file) if file.exists() else None
        text = before.decode("utf-8") if before is not None else ""
        try:
            after = edit(text).encode()
        except Refused as refusal:
            raise type(refusal)(f"{file.name}: {refusal.message}") from None
        try:
            replace_file(file, before, after)
        except FileExistsError:
            raise FileChangedError(
                f"{file.name}: another program is saving it: look again"
            ) from None
    return RosterEdit(file, before, after, label)
