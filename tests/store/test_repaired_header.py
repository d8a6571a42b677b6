"""A header whose format lost a bit gets it back."""

from __future__ import annotations

import pytest

from affray.store.entry_toml import sealed_header
from affray.store.log_recovery import parse_log
from affray.store.log_repair import repaired, survey

HEADER = {"format": 1, "title": "The Ford", "ruleset": "monsters-and-magic"}


@pytest.mark.parametrize("format_now", [b"format = 0", b"format = -1", b'format = "1"', b"formav"])
def test_a_format_that_is_none_is_made_good(entry_bytes, format_now):
    header = sealed_header(HEADER)
    raw = header.replace(b"format = 1", format_now) + entry_bytes(1) + entry_bytes(2)
    text = parse_log(repaired(survey(raw, "ford.toml")), "ford.toml")
    assert {key: text.header[key] for key in HEADER} == HEADER
    assert text.last_seq == 2
    assert text.notes == ()
