import math
import re
import zlib
from datetime import UTC, datetime, timedelta, timezone

import pytest
import tomli
from hypothesis import given, settings, strategies as st

from affray.store.entry_toml import (
    MAX_DEPTH,
    format_entry,
    format_header,
    is_sealed,
    raw_blocks,
    sealed_header,
)


def checksum(block: str) -> str:
    """What docs/log-format.md says of `sum`: CRC-32 from `[[entry]]` through `seq`, without it."""
    unsealed = re.sub(r'^sum = ".*"\n', "", block.strip("\n"), flags=re.MULTILINE)
    return f"{zlib.crc32(unsealed.encode()):08x}"


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
    lines = format_entry(body, 12).decode().split("\n")
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


def test_what_is_written_today_is_written_for_ever():
    header = {"format": 1, "title": "Ambush 40"}
    assert sealed_header(header) == b'format = 1\ntitle = "Ambush 40"\nsum = "063b3a70"\n'
    block = b'\n[[entry]]\ncommand = "note 38"\nsum = "05f9a7c1"\nseq = 1\n'
    assert format_entry({"command": "note 38"}, 1) == block


@given(BODIES, st.lists(st.dictionaries(TEXT, VALUES, max_size=3), min_size=1, max_size=3))
def test_any_body_comes_back_as_it_was_written(body, events):
    body = {"at": AT, **body, "events": events}
    block = format_entry(body, 7)
    entry = read_back(block)
    assert entry.pop("seq") == 7
    assert entry.pop("sum") == checksum(block.decode().lstrip("\n"))
    assert entry == body
    assert list(entry) == list(body)


@given(BODIES)
def test_what_is_emitted_is_sealed_and_no_text_holds_a_line_of_the_block(body):
    block = format_entry({**body, "at": AT}, 3)
    ((raw, line),) = raw_blocks(block, tomli.loads(block.decode())["entry"])
    assert line == 2
    assert is_sealed(raw)
    assert (
        sum(row.startswith(b"seq") and b"=" in row for row in block.split(b"\n"))
        - sum(key.startswith("seq") for key in body if key.isascii() and key.isidentifier())
        == 1
    )


@settings(max_examples=30)  # its values are written as an entry's are
@given(BODIES)
def test_a_header_comes_back_as_it_was_written(body):
    body.pop("entry", None)
    assert tomli.loads(format_header(body).decode()) == body


def test_an_entry_without_events_has_no_such_key():
    assert b"events" not in format_entry({"command": "undo", "to": 11, "events": []}, 1)


def test_a_time_is_written_in_utc_and_at_in_whole_seconds():
    east = timezone(timedelta(hours=2))
    moment = datetime(2026, 1, 2, 1, 30, 5, 999, tzinfo=east)
    entry = read_back(format_entry({"at": moment, "until": moment}, 1))
    assert entry["at"] == moment.replace(microsecond=0)
    assert entry["until"] == moment
    assert b"at = 2026-01-01T23:30:05Z\n" in format_entry({"at": moment}, 1)


def test_infinity_and_no_number_are_toml():
    entry = read_back(format_entry({"a": math.inf, "b": -math.inf, "c": math.nan}, 1))
    assert (entry["a"], entry["b"]) == (math.inf, -math.inf)
    assert math.isnan(entry["c"])


def nested(depth: int, table: bool = False) -> list | dict:
    value: list | dict = {} if table else []
    for _ in range(depth - 1):
        value = {"x": value} if table else [value]
    return value


@pytest.mark.parametrize("table", [False, True])
def test_what_is_as_deep_as_is_allowed_is_read_back(table):
    deep = nested(MAX_DEPTH, table)
    assert read_back(format_entry({"deep": deep}, 1))["deep"] == deep
    assert tomli.loads(format_header({"deep": deep}).decode()) == {"deep": deep}
    event = nested(MAX_DEPTH - 1, table=True)
    assert read_back(format_entry({"events": [event]}, 1))["events"] == [event]


DEEP = "tables and lists can't be nested more than 64 deep in a log"
WIDE = "a log's integers have at most 64 bits"


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({"a": None}, "a log can't hold a value of type NoneType"),
        ({"a": object()}, "a log can't hold a value of type object"),
        ({"a": {1: 2}}, "a key in a log must be text, not int"),
        ({"a": 2**63}, WIDE),
        ({"a": -(2**63) - 1}, WIDE),
        (
            {"a": "half \ud83d"},
            "the text holds a lone surrogate (U+D83D), which no UTF-8 file can hold",
        ),
        (
            {"\udc80": 1},
            "the text holds a lone surrogate (U+DC80), which no UTF-8 file can hold",
        ),
        ({"at": datetime(2026, 1, 1)}, "an entry's `at` must say its offset from UTC"),
        (
            {"a": datetime(9999, 12, 31, 20, tzinfo=timezone(-timedelta(hours=5)))},
            "9999-12-31 20:00:00-05:00 lies outside the years 1 to 9999 in UTC",
        ),
        ({"a": nested(MAX_DEPTH + 1)}, DEEP),
        ({"a": nested(MAX_DEPTH + 1, table=True)}, DEEP),
        ({"events": [nested(MAX_DEPTH, table=True)]}, DEEP),
        ({"seq": 1}, "an entry's `seq` is written by the log itself"),
        ({"sum": "x"}, "an entry's `sum` is written by the log itself"),
    ],
)
def test_what_a_log_cannot_hold_is_refused_in_words(body, says):
    with pytest.raises(ValueError) as refusal:
        format_entry(body, 1)
    assert str(refusal.value) == says


def test_a_header_takes_no_entries():
    with pytest.raises(ValueError) as refusal:
        format_header({"entry": []})
    assert str(refusal.value) == "a header has no `entry`"


def test_the_least_and_the_greatest_number_are_written():
    limits = {"least": -(2**63), "greatest": 2**63 - 1}
    entry = read_back(format_entry(limits, 1))
    assert {key: entry[key] for key in limits} == limits


def test_what_could_break_a_line_is_escaped_as_toml_does():
    block = format_entry(
        {"a": '"\\\b\t\n\f\r', "b": "\x00\x1f\x7f\x80\x9f\u2028\u2029", "c": " ~é"}, 1
    )
    assert block.split(b"\n")[2:5] == [
        rb'a = "\"\\\b\t\n\f\r"',
        rb'b = "\u0000\u001F\u007F\u0080\u009F\u2028\u2029"',
        'c = " ~é"'.encode(),
    ]


def test_a_sealed_entry_with_a_heading_within_a_string_is_one_entry():
    text = '[[entry]]\ntext = """\n[[entry]]\n[[entry]]\n"""\nseq = 1'
    sealed = text.replace("\nseq", f'\nsum = "{checksum(text)}"\nseq')
    raw = f"\n{sealed}\n{sealed}\n".encode()
    first, second = raw_blocks(raw, [{}, {}])
    assert (first[1], second[1]) == (2, 9)
    assert is_sealed(first[0]) and is_sealed(second[0])


def test_an_entry_that_says_nothing_has_a_seal_too():
    assert is_sealed(format_entry({}, 1).removeprefix(b"\n[[entry]]"))


def test_entries_that_no_line_shows_are_read_all_the_same():
    raw = b'\n[[entry]]\nseq = 1\n\n[["\\u0065ntry"]]\nseq = 2\n'
    assert raw_blocks(raw, [{}, {}]) == [(b"", 1), (b"", 1)]


@pytest.mark.parametrize("entries", [5, {}, [1], [{}, "x"]])
def test_what_is_no_table_of_entries_has_no_blocks(entries):
    assert raw_blocks(b"\n[[entry]]\n", entries) == []


@pytest.mark.parametrize(
    "changed",
    [
        lambda block: block.replace(b"note", b"nope"),
        lambda block: block.replace(b'sum = "', b'sum = "0'),
        lambda block: block.replace(b'"\nseq', b'" \nseq'),
        lambda block: block.replace(b"\nsum", b"\n# sum"),
        lambda block: block.replace(b"\nsum", b"\n\nsum"),
        lambda block: block.upper(),
        lambda block: b"",
        lambda block: b'\nsum = "',
    ],
)
def test_whatever_changes_breaks_the_seal(changed):
    block = format_entry({"command": "note"}, 1).removeprefix(b"\n[[entry]]")
    assert is_sealed(block) and is_sealed(block + b"\n\n")
    assert not is_sealed(changed(block))
