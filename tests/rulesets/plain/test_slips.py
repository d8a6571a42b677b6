"""A slip of what the campaign knows is asked about, in `plain` too."""

from __future__ import annotations

import pytest

from affray import Fight
from affray.core.parser.errors import Refused
from affray.core.rules.house_rules import with_house_rules
from affray.core.rules.tables import read_tables
from affray.rulesets import plain


@pytest.fixture
def fight() -> Fight:
    rows = {
        "effects": {"frightened": {"kind": "condition", "modifiers": {"attack": -2}}},
        "damage_types": ["umbral"],
    }
    made = Fight("plain")
    made.ruleset = with_house_rules(plain.RULESET, read_tables(rows))
    made.do("add monster Rider hp 20 resist umbral")
    return made


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("inflict rider fri", "did you mean frightened"),
        ("inflict rider frigthened", "did you mean frightened"),
        ("damage rider 5 frie", "did you mean fire"),
        ("damage rider 5 goo", "umbral, or one of your own in quotes"),
        ("add monster Imp hp 5 resist frie", "did you mean fire"),
    ],
)
def test_a_slip_is_asked_about(fight: Fight, line: str, answer: str) -> None:
    with pytest.raises(Refused, match=answer):
        fight.do(line)


def test_ones_own_words_are_declared_or_in_quotes(fight: Fight) -> None:
    fight.do("damage rider 8 umbral", 'damage rider 5 "goo"', "inflict rider hexed")
    fight.do('inflict rider "fri"', "inflict rider frightened")
    assert fight["rider"].now.track("hp") == 20 - 4 - 5
    assert {effect.name for effect in fight["rider"].now.effects} == {"hexed", "fri", "frightened"}
