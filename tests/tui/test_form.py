"""The form of somebody's row, without a screen: its lines, and what a line that is edited makes."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from affray.core.parser.errors import Refused
from affray.core.rules.reference import BESTIARY, PARTY, CreatureEntry
from affray.core.rules.ruleset import Ruleset
from affray.rulesets import load_ruleset
from affray.tui.lookup.roster import FormField, form_fields, with_value, with_words

IMP: dict[str, Any] = {
    "name": "Imp", "hp": 9, "fort": 12, "mook": True, "resist": ["fire 5", "cold 2"],
    "languages": ["common", "old"],
}  # fmt: skip


@pytest.fixture
def orcus() -> Ruleset:
    rules = load_ruleset("orcus")
    return replace(rules, tables=replace(rules.tables, bestiary={"imp": IMP}))


def field(rules: Ruleset, name: str, at: int = 0) -> FormField:
    lines = form_fields(rules, CreatureEntry("Imp", BESTIARY, "imp"), IMP)
    return next(f for f in lines if (f.name, f.at) == (name, at))


def test_what_is_said_stands_on_top_each_value_on_a_line_of_its_own(orcus: Ruleset) -> None:
    lines = form_fields(orcus, CreatureEntry("Imp", BESTIARY, "imp"), IMP)
    assert [(f.name, f.value) for f in lines[:8]] == [
        ("name", "Imp"), ("hp", "9"), ("fort", "12"), ("resist", "fire 5"), ("resist", "cold 2"),
        ("mook", "yes"), ("languages", "common,old"), ("text", ""),
    ]  # fmt: skip
    assert field(orcus, "resist", 2).value == ""  # one more
    assert "benched" not in {f.name for f in lines}
    assert "benched" in {
        f.name for f in form_fields(orcus, CreatureEntry("Imp", PARTY, "imp"), IMP)
    }


@pytest.mark.parametrize(
    ("name", "at", "said", "value"),
    [
        ("hp", 0, "12", 12),
        ("hp", 0, "2d6+3", "2d6+3"),
        ("fort", 0, "15", 15),
        ("mook", 0, "", None),
        ("phasing", 0, "yes", True),
        ("resist", 1, "acid 3", ["fire 5", "acid 3"]),
        ("resist", 2, "acid 3", ["fire 5", "cold 2", "acid 3"]),
        ("resist", 0, "", "cold 2"),
        ("languages", 0, "common", "common"),
        ("name", 0, "Old Imp", "Old Imp"),
        ("kind", 0, "hazard", "hazard"),
        ("text", 0, "It bites, hp 3.", "It bites, hp 3."),
        ("type", 0, '"frost undead"', '"frost undead"'),
    ],
)
def test_a_line_that_is_edited_changes_its_own_value(
    orcus: Ruleset, name: str, at: int, said: str, value: object
) -> None:
    row = with_value(orcus, IMP, field(orcus, name, at), said)
    assert row.get(name) == value
    assert {k: v for k, v in row.items() if k != name} == {
        k: v for k, v in IMP.items() if k != name
    }


@pytest.mark.parametrize(
    ("name", "said", "answer"),
    [
        ("hp", "much", "expected hp"),
        ("hp", "9 ac 3", "says more than hp"),
        ("speed", "6 hidden", "did not expect 'hidden'"),
        ("size", "vast", "expected a size"),
    ],
)
def test_what_a_line_cannot_say_is_refused(
    orcus: Ruleset, name: str, said: str, answer: str
) -> None:
    with pytest.raises(Refused, match=answer):
        with_value(orcus, IMP, field(orcus, name), said)


def test_a_companion_names_somebody_of_the_party(orcus: Ruleset) -> None:
    rows = {"odo": {"name": "Odo", "kind": "pc", "hp": 20}}
    rules = replace(orcus, tables=replace(orcus.tables, bestiary=rows))
    assert with_words(rules, "hp 4 companion of odo") == {"hp": 4, "companion": "of odo"}
