"""An entry keeps the name of its command, however the words were written."""

from __future__ import annotations

from affray.core.dice import SeededDice
from affray.core.engine.decide import command_name, decide
from affray.core.engine.history import Entry
from affray.core.engine.state import Encounter
from affray.rulesets import load_ruleset

RULES = load_ruleset("orcus")


def _entry(line: str) -> Entry:
    state = Encounter(ruleset="orcus")
    return decide(state, line, RULES, SeededDice(0)).entry(1)


def test_a_name_that_is_written_apart_is_kept_in_one_piece() -> None:
    odo = decide(Encounter(ruleset="orcus"), "add pc Odo hp 9", RULES, SeededDice(0)).state
    entry = decide(odo, "Total  Defense by odo", RULES, SeededDice(0)).entry(2)
    assert (entry.command, entry.verb) == ("Total  Defense by odo", "total-defense")


def test_a_technique_goes_by_the_name_that_it_is_shown_under() -> None:
    odo = decide(Encounter(ruleset="orcus"), "add pc Odo hp 9", RULES, SeededDice(0)).state
    entry = decide(odo, "Basic Attack odo hit 3 near by odo", RULES, SeededDice(0)).entry(2)
    assert entry.verb == "attack"
    prone = decide(odo, "drop prone by odo", RULES, SeededDice(0))  # the longest name counts
    assert prone.verb == "drop-prone"
    risen = decide(prone.state, "stand-up-from-prone by odo", RULES, SeededDice(0))
    assert (risen.verb, risen.state["odo"].effects) == ("stand-up", ())


def test_a_name_that_begins_the_words_is_not_written_twice() -> None:
    entry = _entry('Note "knock out"')
    assert entry.verb == ""
    assert command_name(entry, RULES) == "note"


def test_an_old_entry_without_the_name_is_read_as_the_command_would_be_now() -> None:
    assert command_name(Entry(1, "knock out orc-1"), RULES) == "knock-out"
    assert command_name(Entry(1, ""), RULES) == ""
    assert command_name(Entry(1, 'note "left open'), RULES) == "note"
