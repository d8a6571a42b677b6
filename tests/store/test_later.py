"""What a later affray wrote is read as far as that is safe, named, and never lost."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.store.ford import two_entries

from affray.core.engine.events import Added
from affray.core.engine.history import Entry
from affray.store import LogError
from affray.store.entries import to_body
from affray.store.entry_toml import format_entry
from affray.store.log_recovery import Damaged
from affray.store.log_repair import repaired, survey
from affray.store.open_encounter import OpenEncounter

NOTED = {"event": "noted", "text": "x"}
LATER: dict[str, tuple[dict[str, Any], str]] = {
    "a kind of event": (
        {"events": [NOTED, {"event": "transmuted", "who": "ghoul"}]},
        "an event 'transmuted'",
    ),
    "a version of one": ({"events": [{**NOTED, "v": 2}]}, "`noted` has version 2"),
    "a field of one": ({"events": [{**NOTED, "mood": "grim"}]}, "a field `mood`"),
    "a field of an effect": (
        {
            "events": [
                {
                    "event": "gained",
                    "who": "ghoul",
                    "effect": {"id": "x", "name": "x", "kind": "condition", "mood": "grim"},
                }
            ]
        },
        "a field `mood`",
    ),
    "a field of a duration": (
        {
            "events": [
                {
                    "event": "gained",
                    "who": "ghoul",
                    "effect": {
                        "id": "x",
                        "name": "x",
                        "kind": "condition",
                        "until": {"mood": "grim"},
                    },
                }
            ]
        },
        "a field `mood`",
    ),
    "a field of a slot": (
        {"events": [{"event": "ordered", "slots": [{"who": "ghoul", "mood": "grim"}]}]},
        "a field `mood`",
    ),
    "a field of a clock": (
        {
            "events": [
                {
                    "event": "counted",
                    "name": "x",
                    "clock": {"name": "x", "value": 1, "mood": "grim"},
                }
            ]
        },
        "a field `mood`",
    ),
    "a field of a track": (
        {
            "events": [
                {
                    "event": "added",
                    "who": "x",
                    "name": "X",
                    "side": "foes",
                    "kind": "pc",
                    "tracks": {"hp": {"value": 1, "mood": "grim"}},
                }
            ]
        },
        "a field `mood`",
    ),
    "a word": ({"events": [{"event": "became", "who": "ghoul", "life": "stone"}]}, "value 'stone'"),
    "a key of the entry": ({"mood": "grim", "events": [NOTED]}, "'mood' in an entry"),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A fight with a ghoul, and two entries."""
    return two_entries(tmp_path)


def appended(path: Path, body: dict[str, Any], seq: int = 3) -> bytes:
    block = format_entry({"command": "x", **body}, seq)
    path.write_bytes(path.read_bytes() + block)
    return block


@pytest.mark.parametrize("what", LATER)
def test_what_is_new_is_named_and_the_fight_before_it_is_shown(what: str, path: Path) -> None:
    body, named = LATER[what]
    appended(path, body)
    appended(path, {"events": [NOTED]}, 4)
    raw = path.read_bytes()
    with OpenEncounter.open(path) as fight:
        assert fight.read_only.startswith("entry 3 (line ")
        assert named in fight.read_only and "a later" in fight.read_only
        assert fight.history.last == 2
        assert fight.state["ghoul"].track("hp") == 15
        with pytest.raises(LogError, match="read-only: entry 3"):
            fight.do("damage ghoul 1")
    assert path.read_bytes() == raw


@pytest.mark.parametrize("what", LATER)
def test_what_is_new_is_kept_byte_for_byte_when_a_log_is_repaired(what: str, path: Path) -> None:
    block = appended(path, LATER[what][0])
    header, rest = path.read_bytes().split(b"\n[[entry]]", 1)
    header += b'mood = "grim"\n'
    raw = header + b"\n[[entry]]" + rest + b"?" + format_entry({"command": "x"}, 5)
    made = repaired(survey(raw, "x"))
    assert header in made and block in made
    path.write_bytes(made)
    with OpenEncounter.view(path) as fight:
        assert fight.read_only.startswith("entry 3 (line ")
        assert "unknown in the header, and left as it is: 'mood'" in fight.notes


def test_a_field_that_a_person_wrote_into_an_event_is_an_error_of_theirs(path: Path) -> None:
    block = appended(path, LATER["a field of one"][0])
    path.write_bytes(path.read_bytes().replace(block, block.replace(b"grim", b"glad")))
    with pytest.raises(Damaged, match=r"entry 3 is not an entry: .* unknown field `mood`"):
        OpenEncounter.open(path)


def test_a_key_that_a_person_wrote_into_an_entry_is_left_alone(path: Path) -> None:
    block = appended(path, LATER["a key of the entry"][0])
    path.write_bytes(path.read_bytes().replace(block, block.replace(b"grim", b"glad")))
    with OpenEncounter.open(path) as fight:
        assert (fight.read_only, fight.history.last) == ("", 3)
        assert fight.history.entries[3].edited
        assert fight.do("damage ghoul 1").seq == 4
    assert b'mood = "glad"' in path.read_bytes()


def test_several_new_keys_are_all_named(path: Path) -> None:
    appended(path, {"mood": "grim", "moon": 1, "events": [NOTED]})
    with OpenEncounter.open(path) as fight:
        assert "'mood', 'moon' in an entry" in fight.read_only


@pytest.mark.parametrize(
    ("events", "said"),
    [
        (5, "Expected `array`, got `int` - at `$.events`"),
        ("x", "Expected `array`, got `str` - at `$.events`"),
        ({"event": "noted"}, "Expected `array`, got `object` - at `$.events`"),
        ([5], "Expected `object`, got `int` - at `$.events[0]`"),
        ([[NOTED]], "Expected `object`, got `array` - at `$.events[0]`"),
        (
            [{**NOTED, "v": "two"}],
            "an event `noted` has version 'two', which is not a version number",
        ),
    ],
)
def test_events_that_are_none_are_damage(events: Any, said: str, path: Path) -> None:
    appended(path, {"events": events})
    with pytest.raises(
        Damaged, match=re.escape(f"entry 3 is not an entry: {said}; everything before")
    ):
        OpenEncounter.open(path)


@pytest.mark.parametrize("kind", [5, [1]])
def test_a_kind_of_event_that_is_no_name_is_named_as_it_is(kind: Any, path: Path) -> None:
    appended(path, {"events": [{"event": kind, "v": 2}]})
    with OpenEncounter.open(path) as fight:
        assert f"an event '{kind}' that this affray doesn't know" in fight.read_only


def test_an_older_log_has_none_of_the_newer_fields(path: Path) -> None:
    effect = {"id": "wet", "name": "wet", "kind": "condition"}
    appended(path, {"events": [{"event": "gained", "who": "ghoul", "effect": effect}]})
    slots = [{"who": "ghoul", "initiative": 3}]
    appended(path, {"events": [{"event": "ordered", "slots": slots}]}, 4)
    with OpenEncounter.open(path) as fight:
        found = fight.state["ghoul"].effects[0]
        assert (found.amount, found.type, found.upkeep) == (0, "", "")
        slot = fight.state.slot("ghoul")
        assert slot is not None and (slot.rank, slot.follows) == ((), "")


def test_what_can_only_be_looked_at_says_where_and_why(path: Path) -> None:
    appended(path, {"events": [NOTED, {"event": "transmuted"}]})
    with OpenEncounter.open(path) as fight:
        line = path.read_text("utf-8").count("\n") - 7
        assert path.read_text("utf-8").split("\n")[line - 1] == "[[entry]]"
        assert fight.read_only == (
            f"entry 3 (line {line}): it holds an event 'transmuted' that this affray doesn't know: "
            "a later one wrote it"
        )


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (
            {"mood": "grim", "m" * 60: 1},
            f"'mood', '{'m' * 39} in an entry is unknown to this affray: a later one wrote it",
        ),
        (
            {"events": [{"event": "became", "who": "ghoul", "life": "stone"}]},
            "it holds an event with a value 'stone' that this affray doesn't know: "
            "a later one wrote it",
        ),
    ],
)
def test_what_a_later_affray_wrote_is_named_in_a_sentence(
    body: dict[str, Any], said: str, path: Path
) -> None:
    appended(path, body)
    with OpenEncounter.open(path) as fight:
        assert fight.read_only.partition("): ")[2] == said


def test_an_entry_that_is_none_says_where_why_and_what_is_kept(path: Path) -> None:
    before = path.read_text("utf-8").count("\n")
    appended(path, {"events": [{"event": "noted", "text": 5}]})
    with pytest.raises(Damaged) as damage:
        OpenEncounter.open(path)
    assert str(damage.value) == (
        f"line {before + 2}: entry 3 is not an entry: Expected `str`, got `int` - at "
        "`$.events[0].text`; everything before it can be read, up to entry 2"
    )


def test_what_is_written_holds_no_more_than_it_must(path: Path) -> None:
    with OpenEncounter.open(path) as fight:
        noted = fight.do("note x")
        assert to_body(noted) == {
            "at": noted.at,
            "command": "note x",
            "text": noted.text,
            "events": [{"event": "noted", "text": "x"}],
        }
        undo = fight.do("undo")
        assert set(to_body(undo)) == {"at", "command", "text", "to"}
        assert set(to_body(type(undo)(9, "x", by="ghoul"))) == {"command", "by"}


def test_what_is_nothing_is_left_out_at_any_depth_for_toml_has_no_word_for_it() -> None:
    stats = {"cr": None, "notes": ({"a": None, "b": 1}, [{"c": None}]), "size": 2}
    event = Added("eel", "Eel", "foes", "monster", stats=stats)
    (row,) = to_body(Entry(1, "add eel", events=(event,)))["events"]
    assert row["stats"] == {"notes": [{"b": 1}, [{}]], "size": 2}
