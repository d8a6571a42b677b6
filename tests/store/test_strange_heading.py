"""A sealed entry under a heading that lost a letter is damage; a person's own table is not."""

from __future__ import annotations

import pytest

from affray.store.log_recovery import Damaged, parse_log
from affray.store.log_repair import survey

OWN = (
    b'[[session]]\nseq = 1\nwhere = "at Mira\'s"\n',
    b'[notes]\nsum = "twelve"\n[notes.more]\nseq = 3\n',
    b"[a.b.c.d]\nseq = 1\nsum = 2\n",
    b'[[music]]\nseq = 1\nsum = "3 min"\n',
    b"[tally]\nsum = 1\nseq = 2\n",
    b'[tally]\nsum = "0123abcd"\nseq = "2"\n',
)


@pytest.mark.parametrize("heading", [b"[[dntry]]", b"[[Entry]]", b"[[entr9]]", b"[[e.try]]"])
@pytest.mark.parametrize("number", [1, 2, 3])
def test_an_entry_under_another_heading_is_damage_by_its_line(log_bytes, number, heading):
    parts = log_bytes(3).split(b"[[entry]]")
    raw = b"[[entry]]".join(parts[:number]) + heading + b"[[entry]]".join(parts[number:])
    line = raw[: raw.index(heading)].count(b"\n") + 1
    said = f"this entry is under {heading.decode()} instead of"
    with pytest.raises(Damaged) as found:
        parse_log(raw, "ford.toml")
    assert f"ford.toml is damaged at line {line}: {said}" in str(found.value)
    assert found.value.line == line
    assert found.value.prefix.last_seq == number - 1


def test_its_heading_is_found_among_others(log_bytes):
    raw = b'x = "[[entrx]]"\n' + log_bytes(2) + OWN[0]
    raw = raw.replace(b"[[entry]]", b"[[entrx]]", 2).replace(b"[[entrx]]", b"[[entry]]", 1)
    with pytest.raises(Damaged, match=r"under \[\[entrx\]\] in"):
        parse_log(raw.replace(b'x = "[[entry]]"', b'x = "[[entrx]]"'), "ford.toml")


def test_a_heading_in_quotes_is_named_by_its_key(log_bytes):
    before, _, rest = log_bytes(3).rpartition(b"[[entry]]")
    with pytest.raises(Damaged, match="under 'an entry' instead of") as found:
        parse_log(before + b'[["an entry"]]' + rest, "ford.toml")
    assert found.value.prefix.last_seq == 2
    seal = before.count(b"\n") + 1 + rest[: rest.index(b"sum =")].count(b"\n")
    assert found.value.line == seal, "the line of its seal"


def test_a_check_says_which_letter_to_give_back(log_bytes):
    raw = log_bytes(3).replace(b"[[entry]]", b"[[entsy]]", 2).replace(b"[[entsy]]", b"[[entry]]", 1)
    _, damaged, missing, _ = survey(raw, "ford.toml").report()
    assert damaged.endswith("bytes: this entry is under [[entsy]] instead of [[entry]]")
    assert missing.startswith("entry 2 is missing")


@pytest.mark.parametrize("own", OWN)
def test_a_table_of_ones_own_is_left_alone(log_bytes, own):
    text = parse_log(log_bytes(1) + b"\n" + own, "ford.toml")
    assert text.last_seq == 1
    assert any("unknown in the header, and left as it is" in note for note in text.notes)
