import math
from datetime import UTC, datetime, timedelta, timezone

import pytest
import tomli
from hypothesis import given
from hypothesis import strategies as st

from affray.store.toml_block import (
    MAX_DEPTH,
    checksum,
    emit_block,
    emit_header,
    is_sealed,
    raw_blocks,
)

AT = datetime(2026, 11, 20, 19, 42, 7, tzinfo=UTC)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20) | st.sampled_from(
    [
        '"',
        "\\",
        '"""',
        "\n[[entry]]\nseq = 9\n",
        "\r\n",
        "\x00\x1f\x7f",
        "\u2028\x85",
        "\ufeff",
        "𝕬",
    ]
)
SCALARS = (
    TEXT
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False)
    | st.datetimes(timezones=st.just(UTC))
    | st.datetimes()
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)
RESERVED = {"sum", "seq", "at"}
BODIES = st.dictionaries(TEXT.filter(lambda key: key not in RESERVED), VALUES, max_size=5)


def read_back(block: bytes) -> dict:
    (entry,) = tomli.loads(block.decode())["entry"]
    return entry


def test_a_block_has_the_shape_of_the_design():
    body = {
        "at": AT,
        "command": "strike ghoul-1 strong 8 slashing",
        "by": "brannoc",
        "events": [
            {"event": "spent", "who": "brannoc", "track": "ap", "by": 1, "for": "strike"},
            {"event": "noted", "odd key": [True, 1.5], "none": {}},
        ],
    }
    lines = emit_block(body, 12).decode().split("\n")
    assert lines.pop(-3) == f'sum = "{checksum(chr(10).join(lines[1:]))}"'
    assert lines == [
        "",
        "[[entry]]",
        "at = 2026-11-20T19:42:07Z",
        'command = "strike ghoul-1 strong 8 slashing"',
        'by = "brannoc"',
        "events = [",
        '    { event = "spent", who = "brannoc", track = "ap", by = 1, for = "strike" },',
        '    { event = "noted", "odd key" = [true, 1.5], none = {} },',
        "]",
        "seq = 12",
        "",
    ]


@given(BODIES, st.lists(st.dictionaries(TEXT, VALUES, max_size=3), min_size=1, max_size=3))
def test_any_body_comes_back_as_it_was_written(body, events):
    body = {"at": AT, **body, "events": events}
    block = emit_block(body, 7)
    entry = read_back(block)
    assert entry.pop("seq") == 7
    assert entry.pop("sum") == checksum(block.decode().lstrip("\n"))
    assert entry == body
    assert list(entry) == list(body)


@given(BODIES)
def test_what_is_emitted_is_sealed_and_no_text_holds_a_line_of_the_block(body):
    block = emit_block({**body, "at": AT}, 3)
    ((raw, line),) = raw_blocks(block, tomli.loads(block.decode())["entry"])
    assert line == 2
    assert is_sealed(raw)
    assert (
        sum(row.startswith(b"seq") and b"=" in row for row in block.split(b"\n"))
        - sum(key.startswith("seq") for key in body if key.isascii() and key.isidentifier())
        == 1
    )


@given(BODIES)
def test_a_header_comes_back_as_it_was_written(body):
    body.pop("entry", None)
    assert tomli.loads(emit_header(body).decode()) == body


def test_a_checksum_ignores_line_ends_and_its_own_line():
    text = emit_block({"command": "note"}, 1).decode().strip("\n")
    without = "\n".join(row for row in text.split("\n") if not row.startswith("sum"))
    assert checksum(text) == checksum(without) == checksum(text.replace("\n", "\r\n"))
    assert checksum(text.replace("note", "nope")) != checksum(text)


def test_an_entry_without_events_has_no_such_key():
    assert b"events" not in emit_block({"command": "undo", "to": 11, "events": []}, 1)


def test_a_time_is_written_in_utc_and_at_in_whole_seconds():
    east = timezone(timedelta(hours=2))
    moment = datetime(2026, 1, 2, 1, 30, 5, 999, tzinfo=east)
    entry = read_back(emit_block({"at": moment, "until": moment}, 1))
    assert entry["at"] == moment.replace(microsecond=0)
    assert entry["until"] == moment
    assert b"at = 2026-01-01T23:30:05Z\n" in emit_block({"at": moment}, 1)


def test_infinity_and_no_number_are_toml():
    entry = read_back(emit_block({"a": math.inf, "b": -math.inf, "c": math.nan}, 1))
    assert (entry["a"], entry["b"]) == (math.inf, -math.inf)
    assert math.isnan(entry["c"])


def nested(depth: int) -> list:
    value: list = []
    for _ in range(depth - 1):
        value = [value]
    return value


def test_a_table_as_deep_as_is_allowed_is_read_back():
    assert read_back(emit_block({"deep": nested(MAX_DEPTH)}, 1))["deep"] == nested(MAX_DEPTH)


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({"a": None}, "NoneType"),
        ({"a": object()}, "object"),
        ({"a": {1: 2}}, "must be text"),
        ({"a": 2**63}, "64 bits"),
        ({"a": "half \ud83d"}, r"lone surrogate \(U\+D83D\)"),
        ({"\udc80": 1}, "lone surrogate"),
        ({"at": datetime(2026, 1, 1)}, "offset from UTC"),
        ({"a": datetime.max.replace(tzinfo=timezone(-timedelta(hours=5)))}, "years 1 to 9999"),
        ({"a": nested(MAX_DEPTH + 1)}, "nested more than"),
        ({"seq": 1}, "`seq`"),
        ({"sum": "x"}, "`sum`"),
    ],
)
def test_what_a_log_cannot_hold_is_refused_in_words(body, says):
    with pytest.raises(ValueError, match=says):
        emit_block(body, 1)


def test_a_header_takes_no_entries():
    with pytest.raises(ValueError, match="no `entry`"):
        emit_header({"entry": []})
