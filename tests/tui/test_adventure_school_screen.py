"""Adventure School on the screen: a key for every action, a text for every rule."""

from __future__ import annotations

from affray.core.parser.prompt_fields import parse_field_spec
from affray.rulesets import load_ruleset
from affray.tui.lookup.reference import rule_texts

RULESET = load_ruleset("adventure-school")


def test_what_a_capital_letter_says_stands_before_something_that_hears_it() -> None:
    """While free words are asked for, a capital letter is one of them."""
    tables = RULESET.tables
    deaf = ("text", "line", "said", "weapon", "own", "spell")
    for name, row in (*tables.prompts.items(), *tables.techniques.items()):
        kinds = [parse_field_spec(ask).kind for ask in row.asks]
        for at, kind in enumerate(kinds):
            assert kind != "said" or {*kinds[at:]} - {*deaf}, name


def test_every_action_and_condition_is_found_with_a_text() -> None:
    tables = RULESET.tables
    texts = {rule.name: rule.text for rule in rule_texts(RULESET)}
    rows = (*tables.techniques.values(), *tables.effects.values(), *tables.texts.values())
    assert [row.name for row in rows if not texts.get(row.name)] == []
    assert {"Attack", "frozen", "Heatsense", "Undispellable", "Another element"} <= {*texts}
