"""What holds of the keys and prompts of every rule system."""

from __future__ import annotations

import pytest

from affray.core.parser.prompt_fields import fault_of_ask
from affray.core.rules.ruleset import Ruleset
from affray.rulesets import BUILT_IN, load_ruleset
from affray.tui.keymap import keymap_for


@pytest.fixture(params=BUILT_IN)
def ruleset(request: pytest.FixtureRequest) -> Ruleset:
    """One rule system, then the other."""
    return load_ruleset(request.param)


def test_every_action_has_a_key_and_no_two_entries_want_the_same(ruleset: Ruleset) -> None:
    keys = keymap_for(ruleset)
    assert keys.complaints == []
    techniques = ruleset.tables.techniques
    assert [n for n in techniques if not getattr(keys.of_technique(n), "keys", ())] == []


def test_every_prompt_can_be_asked(ruleset: Ruleset) -> None:
    tables = ruleset.tables
    kinds = {rule.kind for rule in tables.effects.values()}
    amounts = (*ruleset.schema.amounts, *tables.tracks, *kinds)
    rows = (*tables.prompts.items(), *tables.techniques.items())
    wrong = [
        (name, ask, fault)
        for name, row in rows
        for ask in row.asks
        if (fault := fault_of_ask(ask, amounts, (*tables.effects, *kinds)))
    ]
    assert wrong == []
