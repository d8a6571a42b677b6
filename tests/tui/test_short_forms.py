"""Short forms of effects: what stands for them where there is no room for a name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from affray.core.rules.tables import read_tables
from affray.rulesets import known_rulesets, load_ruleset
from affray.store.open_encounter import OpenEncounter
from affray.tui.drawing import short_forms
from affray.tui.widgets.turn_order import TurnOrderList

HOUSE_RULES = {
    "effects": {
        "protean": {"kind": "status"},
        "prominent": {},
        "pr": {},
        "staggering": {"kind": "state"},
        "watchful": {"kind": "readied"},
    }
}


@pytest.mark.parametrize("ruleset", known_rulesets())
def test_no_two_effects_have_the_same_short_form(ruleset: str) -> None:
    forms = short_forms(load_ruleset(ruleset).tables)
    assert len(set(forms.values())) == len(forms)


@pytest.mark.parametrize("ruleset", known_rulesets())
def test_a_house_rule_takes_nobodys_short_form(ruleset: str) -> None:
    tables = load_ruleset(ruleset).tables
    own, both = short_forms(tables), short_forms(tables.merged(read_tables(HOUSE_RULES)))
    assert len(set(both.values())) == len(both) == len(own) + len(HOUSE_RULES["effects"])
    assert own.items() <= both.items()


def test_a_name_that_is_in_no_table_has_one_of_its_own() -> None:
    tables = load_ruleset("orcus").tables
    forms = short_forms(tables, ["prone", "proud-banner", "prow", "", "–", "一"])
    assert len(set(forms.values())) == len(forms)
    assert forms["prone"] == "pr"


async def test_prone_protected_and_prepared_are_told_apart(
    game_of: Callable[..., Any], played: Callable[..., OpenEncounter]
) -> None:
    encounter = played(
        "add pc Mira hp 24\nadd monster Rat x8 hp 4\ninit mira 99\nstart\ninflict mira prone\n"
        "bestow mira protected\nbestow mira prepared"
    )
    async with game_of(encounter, (60, 16)) as game:
        tags = game.row(TurnOrderList).rpartition("0/5")[2].split()
        assert len(set(tags)) == 3 and tags[0] == "pr"
