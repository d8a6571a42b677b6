"""Logs of format 1 that were kept: each opens, and is the fight that it was."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from affray.core.engine.events import NoteAdded
from affray.core.engine.state import Effect, Slot
from affray.store.entries import KNOWN_KINDS
from affray.store.log_file import read_log
from affray.store.open_encounter import OpenEncounter

CORPUS = Path(__file__).parents[1] / "corpus"
LOGS = sorted((CORPUS / "format-1").glob("*.toml"))


@pytest.fixture(scope="module")
def make() -> ModuleType:
    spec = importlib.util.spec_from_file_location("corpus_make", CORPUS / "make.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def holds(kept: Any, now: Any) -> bool:
    """Whether all that was kept is still said; a later version may say more."""
    if isinstance(kept, dict):
        return isinstance(now, dict) and all(k in now and holds(v, now[k]) for k, v in kept.items())
    if isinstance(kept, list):
        return len(kept) == len(now) and all(map(holds, kept, now))
    return bool(kept == now)


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.stem)
def test_a_kept_log_is_the_fight_that_it_was(log: Path, make: ModuleType) -> None:
    assert holds(json.loads(log.with_suffix(".json").read_text("utf-8")), make.shown(log))


def test_who_was_down_before_reasons_had_ids_is_woken_by_healing(tmp_path: Path) -> None:
    copy = tmp_path / "down.toml"
    copy.write_bytes((CORPUS / "format-1" / "down-at-zero.toml").read_bytes())
    with OpenEncounter.open(copy) as fight:
        for who, because in (("odo", "at-zero"), ("crockling-1", "knocked-out")):
            effect = fight.state[who].named("unconscious")
            assert effect is not None and effect.because == because
            fight.do(f"heal {who} 3")
            assert fight.state[who].named("unconscious") is None
            assert fight.state[who].life == "up"


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.stem)
def test_a_kept_log_can_be_played_on(log: Path, tmp_path: Path) -> None:
    copy = tmp_path / log.name
    copy.write_bytes(log.read_bytes())
    with OpenEncounter.open(copy) as fight:
        assert fight.read_only == ""
        last = fight.history.last
        assert fight.do('note "played on"').seq == last + 1
    assert copy.read_bytes().startswith(log.read_bytes())


@pytest.mark.parametrize("ruleset", ["monsters-and-magic", "orcus"])
def test_every_kind_of_event_is_kept(ruleset: str) -> None:
    kinds = set()
    for log in map(read_log, LOGS):
        if log.header["ruleset"] == ruleset:
            kinds |= {row["event"] for block in log.blocks for row in block.table.get("events", [])}
    assert kinds == KNOWN_KINDS


def test_every_field_of_notes_and_effects_is_kept() -> None:
    found: dict[str, set[str]] = {"noted": set(), "gained": set()}
    for log in map(read_log, LOGS):
        for row in (row for block in log.blocks for row in block.table.get("events", [])):
            if row["event"] in found:
                found[row["event"]].update(row.get("effect", row))
    assert found["noted"] >= {*NoteAdded.__struct_encode_fields__}
    assert found["gained"] >= {*Effect.__struct_encode_fields__}


def test_every_field_of_the_order_is_kept() -> None:
    """Sides that act at once, and several turns a round."""
    rows = (
        row for log in map(read_log, LOGS) for b in log.blocks for row in b.table.get("events", [])
    )
    slots = (slot for row in rows if row["event"] == "ordered" for slot in row["slots"])
    assert {field for slot in slots for field in slot} >= {*Slot.__struct_encode_fields__}


def test_branches_edits_and_line_ends_are_kept() -> None:
    read = {log.stem: log.read_bytes() for log in LOGS}
    kept = {log.stem: json.loads(log.with_suffix(".json").read_text("utf-8")) for log in LOGS}
    assert kept["monsters-and-magic"]["left"] and kept["orcus"]["left"]
    assert len(kept["edited"]["edited"]) == 4
    assert read["crlf"].count(b"\r\n") == read["crlf"].count(b"\n") > 100
    assert read["byte-order-mark"].startswith(b"\xef\xbb\xbf")


def test_nothing_that_was_kept_is_replaced(
    make: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {file: file.read_bytes() for file in (CORPUS / "format-1").iterdir()}
    other = tmp_path / "orcus.toml"
    other.write_bytes((CORPUS / "format-1" / "crlf.toml").read_bytes())
    assert make.main([str(other)]) == 2
    assert "is there already, and is kept as it is" in capsys.readouterr().err
    assert {file: file.read_bytes() for file in (CORPUS / "format-1").iterdir()} == before
