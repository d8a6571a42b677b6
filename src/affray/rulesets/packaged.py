"""The tables that lie in a ruleset's folder."""

from __future__ import annotations

from importlib.resources import files

import tomli

from affray.core.tables import Tables, read_tables


def tables_of(package: str) -> Tables:
    """The tables of a ruleset's package: all TOML files of its folder `tables`, by their names."""
    folder = files(package) / "tables"
    found = sorted((p for p in folder.iterdir() if p.name.endswith(".toml")), key=lambda p: p.name)
    return read_tables(*(tomli.loads(p.read_text("utf-8")) for p in found))
