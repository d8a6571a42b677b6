"""The header has a seal, too: what changed in it is noted, and a log without one is whole."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
import tomli

from affray.store import LogError
from affray.store.entry_toml import format_header, header_sum, sealed_header
from affray.store.log_recovery import ParsedLog, parse_log
from affray.store.open_encounter import OpenEncounter

AT = datetime(2026, 11, 20, 19, 42, 7, tzinfo=UTC)
HEADER = {"format": 1, "title": "Ambush é", "ruleset": "monsters-and-magic", "created": AT}
SEALED = sealed_header(HEADER)
EDITED = "edited by hand since saved: the header (remove its `sum` line to accept the edit)"


def read(raw: bytes) -> ParsedLog:
    return parse_log(raw, "x")


def test_a_header_ends_with_its_sum(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    OpenEncounter.create(path, "monsters-and-magic", "X", now=lambda: AT).close()
    header = tomli.loads(path.read_text("utf-8"))
    assert list(header) == ["format", "title", "ruleset", "created", "sum"]
    assert header["sum"] == header_sum(header)
    assert read(path.read_bytes()).notes == ()


def test_a_header_without_a_sum_is_whole() -> None:
    assert read(format_header(HEADER)).notes == ()


def test_an_edited_header_is_read_and_noted() -> None:
    raw = SEALED.replace(b"Ambush", b"Feast")
    assert read(raw).notes == (EDITED,)
    assert read(raw).header["title"] == "Feast é"


@pytest.mark.parametrize("more", [b"party = 2026-11-20\n", b"x = [[1]]\n", b"moon = 1\n"])
def test_a_key_more_is_an_edit_whatever_its_kind(more: bytes) -> None:
    assert EDITED in read(SEALED + more).notes


@pytest.mark.parametrize(
    "edit",
    [
        lambda raw: raw.replace(b"\n", b"\r\n"),
        lambda raw: b"\xef\xbb\xbf" + raw,
        lambda raw: b"# ours\n\n" + raw.replace(b" = ", b"  =  ", 1),
    ],
)
def test_what_changes_no_value_breaks_no_seal(edit: Callable[[bytes], bytes]) -> None:
    assert read(edit(SEALED)).notes == ()


def test_no_flipped_bit_of_a_header_is_read_in_silence() -> None:
    whole = read(SEALED).header
    silent = []
    for bit in range(len(SEALED) * 8):
        raw = bytearray(SEALED)
        raw[bit // 8] ^= 1 << bit % 8
        try:
            text = read(bytes(raw))
        except LogError:
            continue
        if not text.notes and text.torn is None and text.header != whole:
            silent.append(bytes(raw))
    assert silent == []
