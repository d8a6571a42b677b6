"""Every command of our data is decided to the line and the events that it had before.

Where one is otherwise on purpose, `make golden` writes the files anew; what `git diff` then shows
of tests/golden belongs to the change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, get_args

import pytest
from msgspec import Struct
from msgspec.structs import fields, replace
from tests.golden.decisions import GAMES, LOGS, Outcome, outcomes
from tests.golden.events import MOST, difference, written_events
from tests.golden.transcripts import differences, path_of, read, written

from affray.core.engine.events import AnyEvent, EffectGained, TrackChanged
from affray.core.engine.state import Effect
from affray.play.reader import NOT_DONE
from affray.rulesets import load_ruleset
from affray.store.open_encounter import OpenEncounter
from affray.testing.conformance import TYPED, signs_heard

SHOWN = 20
DAMAGE = TrackChanged("mira", "hp", by=-5, why="5 slashing")


@cache
def every_outcome(game: str) -> list[Outcome]:
    return [*outcomes(game)]


@pytest.mark.parametrize("game", GAMES)
def test_every_command_is_decided_as_before(game: str) -> None:
    now = written(every_outcome(game))
    old = path_of(game).read_text("utf-8")
    if now != old:
        different = differences(read(old), read(now))
        more = [f"and {len(different) - SHOWN} more"] if len(different) > SHOWN else []
        pytest.fail("\n\n".join([*different[:SHOWN], *more]), pytrace=False)


ENGLISH = {"fortitude", "reflex"}
"""Ids of tracks and numbers that are words: only their labels are short."""


@pytest.mark.parametrize("game", GAMES)
def test_no_sign_is_heard_but_in_what_somebody_typed(game: str) -> None:
    heard = {
        line
        for outcome in every_outcome(game)
        for line in outcome.heard
        for word in signs_heard(line, outcome.command)
        if not (line.startswith(NOT_DONE) and word.strip(".,'") in outcome.command)
    }
    assert not heard


@pytest.mark.parametrize("game", GAMES)
def test_no_short_word_of_the_tables_is_heard(game: str) -> None:
    """Notes, words in quotes, commands, and what `set` names are heard as they were typed. A
    refusal names the words that a command expects: only those in capitals are no words."""
    short = {*load_ruleset(game).tables.spoken} - ENGLISH
    heard = {
        line
        for outcome in every_outcome(game)
        if not outcome.command.startswith("set ")
        for line in outcome.heard
        for word in re.split(r"[^\w.]+", re.sub("temporary-hp|`[^`]*`", "", line))
        if word in short and word not in " ".join(TYPED.findall(outcome.command))
        if word.isupper() or not line.startswith(NOT_DONE)
    }
    assert not heard


def test_what_is_otherwise_is_told_by_the_lines_that_are() -> None:
    six = [*written_events([DAMAGE, replace(DAMAGE, by=-6)])]
    before = golden(Outcome("a case", "mira", "damage mira 5", ["Mira takes 5", six[0]]))
    now = golden(Outcome("a case", "mira", "damage mira 5", ["Mira takes 5", six[1]]))
    assert differences(before, now) == [
        "a case\n> damage mira 5\n"
        '  was changed mira hp by=-5 why="5 slashing"\n'
        '  is  changed mira hp by=-6 why="5 slashing"'
    ]
    assert differences({}, now) == ["a case\n> damage mira 5\n  is new"]
    assert differences(before, {}) == ["a case\n> damage mira 5\n  is gone"]


def test_of_commands_that_are_alike_each_has_its_own_lines() -> None:
    fives = [Outcome("a case", "", "heal mira 5", [f"now {hp}"]) for hp in (10, 15)]
    assert list(golden(*fives).values()) == [
        ["> heal mira 5", "  now 10"],
        ["> heal mira 5", "  now 15"],
    ]


def test_a_line_has_no_end_of_a_line_within() -> None:
    assert list(golden(Outcome("a case", "", "note\nx", ["Note: x"]))) == [("a case", "note⏎x", 0)]


def golden(*decided: Outcome) -> dict[tuple[str, str, int], list[str]]:
    return read(written(decided))


def test_an_event_stands_on_a_line_with_what_is_not_as_usual() -> None:
    slowed = Effect("slowed", "slowed", "condition", note="in the mud")
    assert list(written_events([DAMAGE, EffectGained("mira", slowed)])) == [
        '  changed mira hp by=-5 why="5 slashing"',
        '  gained mira (slowed slowed condition note="in the mud")',
    ]


def test_an_amendment_has_the_events_that_are_gone_and_those_that_are_new() -> None:
    more = replace(DAMAGE, by=-6)
    assert list(difference([DAMAGE, DAMAGE], [DAMAGE, more])) == [
        '  − changed mira hp by=-5 why="5 slashing"',
        '  + changed mira hp by=-6 why="5 slashing"',
    ]


def test_every_field_of_every_kind_of_event_matters() -> None:
    kinds: dict[type, AnyEvent] = {}
    for path in LOGS:
        with OpenEncounter.view(path) as fight:
            for entry in fight.history.entries.values():
                kinds |= {type(event): event for event in entry.events}
    assert kinds.keys() == set(get_args(AnyEvent))
    for event in kinds.values():
        lines = [tuple(written_events([each])) for each in (event, *changed(event))]
        assert len(set(lines)) == len(lines) > len(fields(event)), lines


def changed(value: Struct) -> Iterator[Any]:
    """The value once for each of its fields, and theirs, with another value of it."""
    for field in fields(value):
        found = getattr(value, field.name)
        if isinstance(found, Struct):
            others = list(changed(found))
        elif isinstance(found, str):
            others = [f"{found}x", found + "y" * MOST]
        elif isinstance(found, dict):
            others = [{**found, "x": 1}]
        elif isinstance(found, tuple):
            others = [(*found, "x")]
        else:
            others = [(found or 0) + 1]
        for other in others:
            yield replace(value, **{field.name: other})
