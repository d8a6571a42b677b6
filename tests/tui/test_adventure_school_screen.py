"""Adventure School on the screen: a key for every action, a text for every rule."""

from __future__ import annotations

from affray.core.rules.reference import rule_texts
from affray.rulesets import load_ruleset
from affray.tui.keymap import keymap_for

RULESET = load_ruleset("adventure-school")


def test_what_a_capital_letter_says_stands_before_something_that_hears_it() -> None:
    """While free words are asked for, a capital letter is one of them."""
    deaf = ("text", "line", "said", "weapon", "own", "spell")
    for key in keymap_for(RULESET).keys:
        kinds = [field.kind for field in key.prompt.fields] if key.prompt else []
        for at, kind in enumerate(kinds):
            assert kind != "said" or {*kinds[at:]} - {*deaf} or kinds[0] in deaf, key.id


def test_every_action_and_condition_is_found_with_a_text() -> None:
    tables = RULESET.tables
    texts = {rule.name: rule.text for rule in rule_texts(RULESET)}
    rows = (*tables.techniques.values(), *tables.effects.values(), *tables.texts.values())
    assert [row.name for row in rows if not texts.get(row.name)] == []
    assert {"Attack", "frozen", "Heatsense", "Undispellable", "Another element"} <= {*texts}
