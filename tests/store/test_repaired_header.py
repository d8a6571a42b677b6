"""A header whose format lost a bit gets it back."""

from __future__ import annotations

import pytest

from affray.store.recovery import judge
from affray.store.repair import repaired
from affray.store.survey import survey
from affray.store.toml_block import sealed_header

HEADER = {"format": 1, "title": "The Ford", "ruleset": "monsters-and-magic"}


@pytest.mark.parametrize("format_now", [b"format = 0", b"format = -1", b'format = "1"', b"formav"])
def test_a_format_that_is_none_is_made_good(entry_bytes, format_now):
    header = sealed_header(HEADER)
    raw = header.replace(b"format = 1", format_now) + entry_bytes(1) + entry_bytes(2)
    text = judge(repaired(survey(raw, "ford.toml")), "ford.toml")
    assert {key: text.header[key] for key in HEADER} == HEADER
    assert text.last_seq == 2
    assert text.notes == ()
