"""What docs/rules/monsters-and-magic.md says of each rule of the text is so."""

from __future__ import annotations

import re

from tests.rulesets.monsters_and_magic import rules_table
from tests.rulesets.monsters_and_magic.rules_table import chapter

SECTION = re.compile(r"Monsters & Magic, (?!ruling)")
"""How a section of the text is cited."""


def test_every_rule_is_shown_by_tests_told_or_left_for_a_reason() -> None:
    """A test, a case or a text that is named is there, and nothing that is left is played."""
    tests = {name for folder in rules_table.FOLDERS for name in rules_table.tests_of(folder)}
    cases, texts = rules_table.cases(), rules_table.texts()
    for rule in chapter().rules:
        assert set(rule.tests) <= tests, rule
        assert set(rule.cases) <= cases, rule
        assert set(rule.texts) <= texts.keys(), rule
        assert bool(rule.left) != bool(rule.tests or rule.cases or rule.texts), rule


def test_every_test_that_cites_the_text_stands_at_a_rule() -> None:
    """A test whose docstring cites the text shows a rule, and rules.toml names it there."""
    named = {test for rule in chapter().rules for test in rule.tests}
    cited = rules_table.tests_of(rules_table.HERE).items()
    lacking = [name for name, says in cited if SECTION.search(says) and name not in named]
    assert not lacking, "name them at a rule of rules.toml, and `make tables`"


def test_no_rule_and_no_section_stands_there_twice() -> None:
    titles = [section.title for section in chapter().sections]
    assert len(titles) == len(set(titles))
    for section in chapter().sections:
        rules = [rule.rule for rule in section.rules]
        assert len(rules) == len(set(rules)), section.title
