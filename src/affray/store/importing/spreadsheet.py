"""Spreadsheets (xlsx): their tables, with what formulas come to where no value is kept."""

from __future__ import annotations

import io
import zipfile
from typing import Any

from affray.store.importing.contents import UnreadableError
from affray.store.importing.formulas import computed

Table = list[tuple[Any, ...]]
MOST_UNPACKED = 256 * 1024 * 1024


def tables_of(data: bytes) -> list[Table]:
    """The tables of a workbook, a row a tuple. Raises UnreadableError for what can't be read."""
    try:
        import openpyxl
        from openpyxl.utils import column_index_from_string
    except ImportError:
        needs = 'a spreadsheet needs one more package: pip install "affray[import]"'
        raise UnreadableError(needs) from None
    _check_size(data)
    try:
        kept = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        said = openpyxl.load_workbook(io.BytesIO(data), read_only=True)
        return [
            [
                _row(values, formulas, column_index_from_string)
                for values, formulas in zip(
                    one.iter_rows(values_only=True), other.iter_rows(values_only=True), strict=False
                )
            ]
            for one, other in zip(kept.worksheets, said.worksheets, strict=False)
        ]
    except Exception as error:  # whatever a broken workbook brings about in the library
        told = " ".join(str(error).split())[:120] or type(error).__name__
        raise UnreadableError(f"no spreadsheet that can be read: {told}") from None


def _check_size(data: bytes) -> None:
    """Raises UnreadableError for what is no archive, or would unpack to far more than it seems."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if "xl/workbook.xml" not in archive.namelist():
                raise UnreadableError("an archive, but no spreadsheet")
            if sum(each.file_size for each in archive.infolist()) > MOST_UNPACKED:
                raise UnreadableError("a spreadsheet that is too large unpacked")
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        raise UnreadableError(f"no archive that can be read: {error}") from None


def _row(values: tuple[Any, ...], formulas: tuple[Any, ...], column: Any) -> tuple[Any, ...]:
    """A row with its values; those that are missing are computed from the others."""
    known = list(values)

    def cell(letters: str, depth: int = 0) -> Any:
        at = column(letters) - 1
        if at >= len(known):
            return None
        if known[at] is None and _is_formula(formulas[at]) and depth < 20:
            known[at] = computed(formulas[at], lambda other: cell(other, depth + 1))
        return known[at]

    for at, formula in enumerate(formulas):
        if known[at] is None and _is_formula(formula):
            known[at] = computed(formula, cell)
    return tuple(known)


def _is_formula(value: Any) -> bool:
    return isinstance(value, str) and value.startswith("=")
