"""One folder a rule system: its tables as TOML, its judgement as small modules.

Rulesets that come with affray are found by name, at no cost; those of other packages through the
entry-point group `affray.rulesets`.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from affray.core.parser.errors import Refused, did_you_mean, join_or
from affray.core.rules.ruleset import Ruleset
from affray.core.rules.tables import Tables, read_tables
from affray.data_text import read_toml

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

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


def _installed() -> EntryPoints:
    # Imported here: it costs 15 ms, and affray's own rulesets are found without it.
    from importlib.metadata import entry_points

    return entry_points(group=GROUP)


def known_rulesets() -> list[str]:
    """The ids of all rulesets that can be loaded, affray's own first."""
    return list(dict.fromkeys([*BUILT_IN, *sorted(entry.name for entry in _installed())]))


def load_ruleset(ruleset_id: str) -> Ruleset:
    """The ruleset of that id. Raises Refused, naming what is close, when there is none."""
    module = BUILT_IN.get(ruleset_id)
    if module is not None:
        found = import_module(module).RULESET
        assert isinstance(found, Ruleset)
        return found
    for entry in _installed():
        if entry.name == ruleset_id:
            loaded = entry.load()
            if isinstance(loaded, Ruleset):
                return loaded
            raise Refused(f"the package behind ruleset {ruleset_id!r} offers no ruleset")
    raise _unknown(ruleset_id)


def check_installed(ruleset_id: str) -> None:
    """Raises Refused as `load_ruleset` does when there is no ruleset of that id; loads none."""
    if ruleset_id not in BUILT_IN and all(entry.name != ruleset_id for entry in _installed()):
        raise _unknown(ruleset_id)


def _unknown(ruleset_id: str) -> Refused:
    choices = known_rulesets()
    near = did_you_mean(ruleset_id, choices) or f"; there are {join_or(choices, 'and')}"
    return Refused(f"no ruleset {ruleset_id!r}{near}", choices)


# -------------------------------------------------------------------------------------------------
# The tables that lie in a ruleset's folder.


def tables_of(package: str) -> Tables:
    """The tables of a ruleset's package: all TOML files of its folder `tables`, by their names.

    Raises Refused for a package that came without them.
    """
    # `importlib.resources` finds the folder in an archive, too; it takes longer than all else here.
    folder = Path(import_module(package).__path__[0], "tables")
    files = sorted(folder.glob("*.toml"))
    if not files:
        raise Refused(f"the package {package} came without its tables: {folder} has no *.toml")
    return read_tables(*(read_toml(file.read_text("utf-8")) for file in files))


# -------------------------------------------------------------------------------------------------
# A stand-in for a rule system that is not installed, so that its fights can be looked at.
#
# Replay needs no rules. What only rules can tell, totals and techniques and what waits, is left
# out; that nothing is played by it, `store.open_encounter` sees to.


def without_rules(ruleset_id: str) -> Ruleset:
    """The rule system of that id with no tables and no judgement."""

    return Ruleset(id=ruleset_id, name=ruleset_id, tables=Tables(), commands={})
