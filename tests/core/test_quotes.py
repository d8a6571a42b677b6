"""Quotes hold words together, whichever they are; within others a quote is a letter."""

from __future__ import annotations

import pytest

from affray.core.engine.amend import read_edits
from affray.core.parser.errors import Refused
from affray.core.parser.tokens import Token, join_tokens, tokenize
from affray.fight import Fight


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("note 'he said \"hi\"'", ["note", "he said 'hi'"]),
        ("add monster 'Say \"no\"' hp 5", ["add", "monster", "Say 'no'", "hp", "5"]),
        ("add monster “Fancy Pants” hp 5", ["add", "monster", "Fancy Pants", "hp", "5"]),
        ("damage „Fancy Pants“ 2", ["damage", "Fancy Pants", "2"]),
        ("damage ‘Fancy Pants’ 2", ["damage", "Fancy Pants", "2"]),
        ("damage mira,“Fancy Pants” 2", ["damage", "mira,Fancy Pants", "2"]),
        ("damage ‘O’Brien the king’s’,odo 2", ["damage", "O’Brien the king’s,odo", "2"]),
        ("note \"he said “hi”\"", ["note", "he said “hi”"]),
        ("note “he said \"hi\"”", ["note", "he said 'hi'"]),
        ("note it's O’Brien", ["note", "it's", "O’Brien"]),
        ("rename guard-1 ''", ["rename", "guard-1", ""]),
        ("note “half", ["note", "“half"]),
    ],
)  # fmt: skip
def test_all_kinds_of_quotes_hold_words_together(line: str, words: list[str]) -> None:
    found = tokenize(line)
    assert found == words
    assert tokenize(join_tokens(found)) == words


@pytest.mark.parametrize("line", ['note "half', "note 'a' \"half", "note 'half \"it", 'x "a" b" c'])
def test_a_lone_double_quote_is_refused_from_where_it_opens(line: str) -> None:
    with pytest.raises(Refused, match="the quote is never closed"):
        tokenize(line)


@pytest.mark.parametrize("empty", ["''", '""', "“”", "‘’"])
def test_an_empty_name_says_what_is_expected(empty: str) -> None:
    fight = Fight("plain")
    fight.add("pc", "Mira", hp=5)
    with pytest.raises(Refused, match="1 to 40 characters"):
        fight.do(f"rename mira {empty}")


def test_what_was_added_in_typographic_quotes_is_named_in_them() -> None:
    fight = Fight("plain")
    fight.do("add monster “Fancy Pants” hp 5")
    fight.do("damage “Fancy Pants” 2")
    assert fight["fancy-pants"].name == "Fancy Pants" and fight["fancy-pants"].hp == 3
    assert isinstance(tokenize("“a”")[0], Token)


def test_a_semicolon_within_quotes_ends_no_change_of_the_past() -> None:
    fight = Fight("plain")
    fight.add("pc", "Mira", hp=5)
    edits = read_edits(fight.history, "amend 1 note 'one; \"two\"'; 1 out")
    assert edits is not None and len(edits) == 2
