"""One folder a rule system: its tables as TOML, its judgement as small modules.

Rulesets that come with affray are found by name, at no cost; those of other packages through the
entry-point group `affray.rulesets`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from affray.core.formatting.safe_text import to_one_line
from affray.core.parser.errors import Refused, did_you_mean, join_or, place_of_error
from affray.core.rules.row_names import require_rows_named
from affray.core.rules.ruleset import Ruleset
from affray.core.rules.tables import Tables, read_tables
from affray.data_text import read_toml

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "affray.rulesets"
BUILT_IN = {
    "monsters-and-magic": "affray.rulesets.monsters_and_magic",
    "orcus": "affray.rulesets.orcus",
    "level-up": "affray.rulesets.level_up",
    "5e": "affray.rulesets.fifth",
    "adventure-school": "affray.rulesets.adventure_school",
    "plain": "affray.rulesets.plain",
}
DEFAULT = "monsters-and-magic"
MOST_OF_REASON = 200
"""The characters of an error of an installed game that are told."""


def _installed() -> list[EntryPoint]:
    # Imported here: it costs 15 ms, and affray's own rulesets are found without it.
    from importlib.metadata import distributions

    found: dict[str, EntryPoint] = {}
    for package in distributions():
        with suppress(Exception):  # one whose own list can't be read hides no other
            for entry in package.entry_points.select(group=GROUP):
                found.setdefault(entry.name, entry)
    return list(found.values())


def known_rulesets() -> list[str]:
    """The ids of all rulesets that can be loaded, affray's own first."""
    return list(dict.fromkeys([*BUILT_IN, *sorted(entry.name for entry in _installed())]))


def load_ruleset(ruleset_id: str) -> Ruleset:
    """The ruleset of that id.

    Raises Refused, naming what is close, when there is none, and with the reason for one that is
    installed and can't be loaded, whatever its package does.
    """
    module = BUILT_IN.get(ruleset_id)
    if module is not None:
        found = import_module(module).RULESET
        assert isinstance(found, Ruleset)
        return found
    entry = next((each for each in _installed() if each.name == ruleset_id), None)
    if entry is None:
        raise _unknown(ruleset_id)
    # Imported here: affray's own rulesets are played without it.
    from affray.slips import check_game

    broken = f"{ruleset_id} is installed but can't be loaded"
    try:
        loaded = entry.load()
        if isinstance(loaded, Ruleset):
            check_game(loaded)
    except KeyboardInterrupt:
        raise
    except Refused as refusal:  # a slip in its tables
        home = getattr(sys.modules.get(entry.module), "__path__", ("",))[0]
        found = _with_its_line(refusal, _texts_of(Path(home, "tables")))
        raise Refused(f"{broken}: {found.message}") from refusal
    except BaseException as error:  # also a SystemExit: it is the game that ends, not affray
        why = to_one_line(f"{type(error).__name__}: {error}").removesuffix(": ")
        raise Refused(f"{broken}: {why[:MOST_OF_REASON]}{place_of_error(error)}") from error
    if not isinstance(loaded, Ruleset):
        raise Refused(f"{broken}: its package offers no ruleset")
    return loaded


def check_loads(ruleset_id: str) -> None:
    """Raises Refused as `load_ruleset` does; of affray's own rulesets it loads none."""
    if ruleset_id not in BUILT_IN:
        load_ruleset(ruleset_id)


def _initials(ruleset_id: str) -> tuple[str, str]:
    """The first letters of an id's words, with and without an `and` among them."""
    words = ruleset_id.split("-")
    return "".join(w[0] for w in words if w), "".join(w[0] for w in words if w and w != "and")


def _unknown(ruleset_id: str) -> Refused:
    choices = known_rulesets()
    letters = "".join(letter for letter in ruleset_id.casefold() if letter.isalnum())
    short = [each for each in choices if letters in _initials(each)]
    near = f"; did you mean {join_or(short)}?" if short else did_you_mean(ruleset_id, choices)
    near = near or f"; there are {join_or(choices, 'and')}"
    return Refused(f"no ruleset {ruleset_id!r}{near}", choices)


# -------------------------------------------------------------------------------------------------
# The tables that lie in a ruleset's folder.


def tables_of(package: str) -> Tables:
    """The tables of a ruleset's package: all TOML files of its folder `tables`, by their names.

    Raises Refused for a package that came without them, and for a row that names what no row is.
    """
    # `importlib.resources` finds the folder in an archive, too; it takes longer than all else here.
    folder = Path(import_module(package).__path__[0], "tables")
    texts: dict[str, str] = {}
    try:
        texts |= _texts_of(folder)
        tables = read_tables(*map(read_toml, texts.values())) if texts else None
    except Refused as refusal:
        raise _with_its_line(refusal, texts) from None
    except (OSError, ValueError) as error:
        raise Refused(f"the tables of {package} can't be read: {error}") from None
    if tables is None:
        raise Refused(f"the package {package} came without its tables: {folder} has no *.toml")
    try:
        require_rows_named(tables, tables)
    except Refused as refusal:
        raise _with_its_line(refusal, texts) from None
    return tables


def _texts_of(folder: Path) -> dict[str, str]:
    return {file.name: file.read_text("utf-8") for file in sorted(folder.glob("*.toml"))}


_QUOTES = str.maketrans("", "", "\"' ")
"""Signs that may stand around a name of a table."""


def _with_its_line(refusal: Refused, texts: Mapping[str, str]) -> Refused:
    """The refusal of a row with the file and line of that row, or of its field."""
    row, field = refusal.row.translate(_QUOTES), refusal.field
    for name, text in texts.items() if row else ():
        table, found = "", 0
        for at, line in enumerate(text.splitlines(), 1):
            head = line.strip()
            if head.startswith("["):
                table = head[1 : head.find("]")].translate(_QUOTES)
                found = at if table == row and not found else found
            else:
                key = re.split(r"[.=]", head, maxsplit=1)[0].translate(_QUOTES)
                found = at if f"{table}.{key}" in (row, f"{row}.{field}") else found
        if found:
            return Refused(f"{name}, line {found}: {refusal.message}")
    return refusal


# -------------------------------------------------------------------------------------------------
# A stand-in for a rule system that is not installed, so that its fights can be looked at.
#
# Replay needs no rules. What only rules can tell, totals and techniques and what waits, is left
# out; that nothing is played by it, `store.open_encounter` sees to.


def without_rules(ruleset_id: str) -> Ruleset:
    """The rule system of that id with no tables and no judgement."""

    return Ruleset(id=ruleset_id, name=ruleset_id, tables=Tables(), commands={})
