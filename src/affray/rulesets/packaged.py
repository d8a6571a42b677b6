"""The tables that lie in a ruleset's folder."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import tomli

from affray.core.rules.read_tables import read_tables
from affray.core.rules.tables import Tables


def tables_of(package: str) -> Tables:
    """The tables of a ruleset's package: all TOML files of its folder `tables`, by their names."""
    # `importlib.resources` finds the folder in an archive, too; it takes longer than all else here.
    folder = Path(import_module(package).__path__[0], "tables")
    return read_tables(*(tomli.loads(p.read_text("utf-8")) for p in sorted(folder.glob("*.toml"))))
