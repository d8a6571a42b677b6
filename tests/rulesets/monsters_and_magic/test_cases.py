"""The rule cases of tests/cases/*.toml, played in this process.

A file has `ruleset`, `setup` (commands common to all cases) and `[[case]]` tables: `name`, `source`
(where the rule stands: docs/sources.md), `commands`, `refused` and `expect`, one of the two at
least. `refused` is a table of commands that must then be turned down, each with words of the
reason, so that a command that is refused for another one doesn't pass. `expect` is dotted paths
into what `affray show --json` prints: `ID.effects` is the sorted names, `ID.effects.has` and
`.lacks` one of them, `ID.effects.NAME.FIELD` a field of one, `ID.options.NAME` whether it is
available, `ID.cost.NAME.TRACK` what it costs, `result.outcome` the outcome of the last command.
"""

from __future__ import annotations

import tomllib
from copy import deepcopy
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from affray import Fight
from affray.core.parser.errors import Refused

FILES = sorted((Path(__file__).parents[2] / "cases").glob("*.toml"))
SEED = 7


def _cases() -> list[Any]:
    return [
        pytest.param(
            document["ruleset"],
            tuple(document.get("setup", ())),
            case,
            id=f"{file.stem}: {case['name']}",
        )
        for file in FILES
        for document in [tomllib.loads(file.read_text("utf-8"))]
        for case in document["case"]
    ]


@lru_cache(maxsize=1)
def _set_up(ruleset: str, setup: tuple[str, ...]) -> Fight:
    """The fight in which the cases of a file begin."""
    fight = Fight(ruleset, "case", SEED)
    for line in setup:
        fight.do(line)
    return fight


def _begun(ruleset: str, setup: tuple[str, ...]) -> Fight:
    """The same, as if it had just been played: its own entries, and dice that go on alike."""
    known = _set_up(ruleset, setup)
    fight = Fight(ruleset, "case", SEED)
    fight.dice = deepcopy(known.dice)
    for seq, entry in known.history.entries.items():
        fight.history.apply(entry, known.history.states[seq])
    return fight


@pytest.mark.parametrize(("ruleset", "setup", "case"), _cases())
def test_case(ruleset: str, setup: tuple[str, ...], case: dict[str, Any]) -> None:
    fight = _begun(ruleset, () if case.get("bare") else setup)
    last: list[Any] = []
    for line in case.get("commands", []):
        last = list(fight.do(line).events)
    before, entries = fight.state, fight.history.last
    for line, words in _refused(case):
        with pytest.raises(Refused) as refusal:
            fight.do(line)
        assert words in refusal.value.bare, (line, words, refusal.value.bare)
        assert fight.state is before and fight.history.last == entries
    shown = fight.report()
    for path, wanted in case.get("expect", {}).items():
        if path.endswith((".effects.has", ".effects.lacks")):
            listed = _found(shown, path.rpartition(".")[0], last)
            assert (wanted in listed) == path.endswith(".has"), (path, wanted, listed)
        else:
            wanted = sorted(wanted) if path.endswith(".effects") else wanted
            assert _found(shown, path, last) == wanted, path


def _refused(case: dict[str, Any]) -> list[tuple[str, str]]:
    """The commands that a case has refused, each with words of the reason."""
    refused: dict[str, str] = case.get("refused", {})
    assert isinstance(refused, dict), "`refused` names words of each reason: { LINE = WORDS }"
    assert all(refused.values()), "words of the reason stand beside each command that is refused"
    assert refused or case.get("expect"), "a case expects something, or has something refused"
    return list(refused.items())


def _found(shown: dict[str, Any], path: str, last: list[Any]) -> Any:
    head, _, rest = path.partition(".")
    if head == "result":
        said = [e[rest] for e in map(msgspec.to_builtins, last) if rest in e]
        return said[-1] if said else None
    who = next((c for c in shown["combatants"] if c["id"] == head), None)
    return _part(shown, path) if who is None else _of_a_combatant(who, rest)


def _of_a_combatant(who: dict[str, Any], rest: str) -> Any:
    kind, *names = rest.split(".")
    if kind == "effects":
        return _of_effects(who["effects"], names)
    options = {o["technique"]: o for o in who["options"]}
    if kind == "options":
        return options[names[0]]["available"]
    if kind == "cost":
        return options[names[0]]["cost"].get(names[1], 0)
    return _part(who, rest)


def _of_effects(effects: list[Any], names: list[str]) -> Any:
    if not names:
        return sorted(e["name"] for e in effects)
    return next(e for e in effects if e["name"] == names[0]).get(names[1])


def _part(node: Any, path: str) -> Any:
    for key in path.split("."):
        node = node.get(key) if isinstance(node, dict) else None
    return node
