"""What holds of the keys and prompts of every rule system."""

from __future__ import annotations

import pytest

from affray.core.engine.decide import commands_of
from affray.core.engine.durations import UNTIL_WORDS, WITHOUT_UNTIL
from affray.core.parser.declarations import declared_fields, fields_of_command, names_of_amounts
from affray.core.parser.prompt_fields import LINE, fault_of_row
from affray.core.rules.ruleset import Ruleset
from affray.rulesets import BUILT_IN, load_ruleset
from affray.tui.keymap import keymap_for


@pytest.fixture(params=BUILT_IN)
def ruleset(request: pytest.FixtureRequest) -> Ruleset:
    """One rule system, then the other."""
    return load_ruleset(request.param)


def test_every_action_is_begun_by_keys_and_no_two_entries_want_the_same(ruleset: Ruleset) -> None:
    keys = keymap_for(ruleset)
    assert keys.complaints == []
    techniques = ruleset.tables.techniques
    assert [n for n in techniques if not getattr(keys.of_technique(n), "pressed", ())] == []


def test_every_prompt_can_be_asked(ruleset: Ruleset) -> None:
    tables, commands = ruleset.tables, commands_of(ruleset)
    effects = (*tables.effects, *(rule.kind for rule in tables.effects.values()))
    ends = (*UNTIL_WORDS, *WITHOUT_UNTIL)
    amounts = names_of_amounts(ruleset, tables)
    wrong = []
    for name, row in (*tables.prompts.items(), *tables.techniques.items()):
        technique = tables.techniques.get(name.removeprefix("trigger "))
        command = row.command if technique is None else technique.command or name
        declared = fields_of_command(command.removeprefix("trigger "), commands)
        if fault := fault_of_row(row, declared, amounts, effects, ends):
            wrong.append((name, fault))
    assert wrong == []


def test_a_command_with_arguments_asks_for_more_than_the_rest_of_its_line(
    ruleset: Ruleset,
) -> None:
    """What is declared brings its field; a word that chooses among several brings theirs."""
    typed_alone = [
        name
        for name, command in commands_of(ruleset).items()
        if command.args_type is not None and not command.subcommands
        if [*declared_fields(command.args_type)] == [LINE]
    ]
    assert typed_alone == []
