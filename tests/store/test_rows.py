"""Rows of a campaign's files are edited in place: nothing else in the text is touched."""

from __future__ import annotations

import pytest
import tomli

from affray.core.language.refusal import Refused
from affray.store.campaigns.rows import with_field, with_rows, without_rows

TEXT = """\
# What swims.

[eel]          # the usual one
name = "Eel"
hp = 9  # was 12
# a bite, and a twist
attack = [
    "bite 1d6 piercing",  # hurts
    "twist 1d4",
]
text = "Long."

# Lives in the weir.
[Weir-Ogre]
hp=40

[last]
hp = 1"""


@pytest.mark.parametrize(
    ("key", "field", "value", "old", "new"),
    [
        ("eel", "hp", 11, "hp = 9  # was 12", "hp = 11  # was 12"),
        ("eel", "hp", "3d8+4", "hp = 9  # was 12", 'hp = "3d8+4"  # was 12'),
        ("eel", "name", "Old # Eel", 'name = "Eel"', 'name = "Old # Eel"'),
        ("Weir-Ogre", "hp", 41, "hp=40", "hp = 41"),
        ("last", "hp", 2, "hp = 1", "hp = 2\n"),
        ("eel", "ac", 3, 'text = "Long."\n', 'text = "Long."\nac = 3\n'),
        ("last", "swim", True, "hp = 1", "hp = 1\nswim = true\n"),
        ("eel", "text", None, 'text = "Long."\n', ""),
        ("eel", "attack", None, TEXT[TEXT.index("attack") : TEXT.index("text =")], ""),
        (
            "eel",
            "attack",
            '"long bite" 1d6',
            TEXT[TEXT.index("attack") : TEXT.index("text =")],
            "attack = '\"long bite\" 1d6'\n",
        ),
        ("last", "resist", ["fire", "cold"], "hp = 1", 'hp = 1\nresist = ["fire", "cold"]\n'),
    ],
)
def test_a_field_is_edited_and_all_else_stays(key, field, value, old, new):
    head, tail = TEXT.rsplit(old, 1) if key == "last" else TEXT.split(old, 1)
    assert with_field(TEXT, key, field, value) == f"{head}{new}{tail}"


def test_a_long_list_stands_on_several_lines():
    attacks = [
        "bite 1d6 piercing inflicts weakened",
        "twist 1d4 bludgeoning",
        '"tail slap" 1d8 cold',
    ]
    text = with_field(TEXT, "last", "attack", attacks)
    assert text.count("\n") == TEXT.count("\n") + 6
    assert tomli.loads(text)["last"]["attack"] == attacks


def test_a_new_row_stands_behind_the_others():
    assert with_rows(TEXT, {"imp": {"name": "Imp", "hp": 3}}) == (
        f'{TEXT}\n\n[imp]\nname = "Imp"\nhp = 3\n'
    )
    assert with_rows("", {"imp": {"hp": 3}}) == "[imp]\nhp = 3\n"
    with pytest.raises(Refused, match="a 'eel' already"):
        with_rows(TEXT, {"eel": {"hp": 3}})


def test_a_row_is_taken_out_and_the_comment_of_the_next_stays():
    head, rest = TEXT.split("[eel]")
    assert without_rows(TEXT, ["eel"]) == head + rest[rest.index("# Lives") :]
    assert tomli.loads(without_rows(TEXT, ["last"])).keys() == {"eel", "Weir-Ogre"}


@pytest.mark.parametrize(
    "text",
    [
        "eel = { hp = 3 }\n",
        "eel.hp = 3\n",
        "[eel.more]\nx = 1\n",
        '[other]\ntext = """\n[eel]\nhp = 4\n"""\n[eel]\nhp = 3\n',
    ],
)
def test_what_is_laid_out_otherwise_is_refused_and_not_spoiled(text):
    with pytest.raises(Refused, match="in a way that can't be edited here"):
        with_field(text, "eel", "hp", 5)
    with pytest.raises(Refused):
        without_rows(text, ["eel"])


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        "é 🦀",
        'a "b" c',
        "it's",
        'it\'s "b"',
        "a\\b",
        "a\nb",
        'a\n"b"\\',
        "a\tb",
        "a\x01b",
        "",
    ],
)
def test_any_text_is_read_back_as_it_was(text: str) -> None:
    assert tomli.loads(with_rows("", {"crab": {"text": text}})) == {"crab": {"text": text}}
