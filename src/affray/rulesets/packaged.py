"""The tables that lie in a ruleset's folder."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import tomli

from affray.core.language.refusal import Refused
from affray.core.rules.read_tables import read_tables
from affray.core.rules.tables import Tables


def tables_of(package: str) -> Tables:
    """The tables of a ruleset's package: all TOML files of its folder `tables`, by their names.

    Raises Refused for a package that came without them.
    """
    # `importlib.resources` finds the folder in an archive, too; it takes longer than all else here.
    folder = Path(import_module(package).__path__[0], "tables")
    files = sorted(folder.glob("*.toml"))
    if not files:
        raise Refused(f"the package {package} came without its tables: {folder} has no *.toml")
    return read_tables(*(tomli.loads(file.read_text("utf-8")) for file in files))
