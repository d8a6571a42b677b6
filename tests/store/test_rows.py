"""Rows of a campaign's files are edited in place: nothing else in the text is touched."""

from __future__ import annotations

import pytest
import tomli

from affray.core.parser.errors import Refused
from affray.store.campaigns.files import LARGE
from affray.store.campaigns.toml_edit import with_field, with_rows, without_rows

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
        ("Weir-Ogre", "hp", 41, "hp=40", "hp=41"),
        ("last", "hp", 2, "hp = 1", "hp = 2"),
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
    with pytest.raises(Refused, match="there is already a 'eel'"):
        with_rows(TEXT, {"eel": {"hp": 3}})


def test_a_row_is_taken_out_and_the_comment_of_the_next_stays():
    head, rest = TEXT.split("[eel]")
    assert without_rows(TEXT, ["eel"]) == head + rest[rest.index("# Lives") :]
    assert tomli.loads(without_rows(TEXT, ["last"])).keys() == {"eel", "Weir-Ogre"}


ODD = {
    "inline": "eel = { hp = 3 } # quick\n",
    "dotted": "# of old\neel.hp = 3 # quick\neel.ac = 1\n",
    "indented": "  [eel]\n    hp = 3 # quick\n",
    "quoted": "[ 'eel' ] # slim\n\"hp\" = 3\n",
    "text before": '[other]\ntext = """\n[eel]\nhp = 4 # no\n"""\n[eel]\nhp = 3 # quick\n',
    "table in it": "[eel]\nhp = 3 # quick\n[eel.more] # of it\nhp = 3\n[other]\nhp = 3\n",
    "spaces": "[eel]\nhp\t=   3   # quick\n\n\n#end\n",
}


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_whatever_the_layout_only_the_value_is_another(text: str, mark: str, ends: str) -> None:
    text = mark + text.replace("\n", ends)
    at = text.rindex("3 #") if "3 #" in text else text.index("3")
    if "of it" in text or "   3" in text:
        at = text.index("3 ")
    assert with_field(text, "eel", "hp", 5) == f"{text[:at]}5{text[at + 1 :]}"


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_whatever_the_layout_a_row_is_taken_out_whole(text: str, ends: str) -> None:
    text = text.replace("\n", ends)
    was = tomli.loads(text)
    now = without_rows(text, ["eel"])
    assert tomli.loads(now) == {key: row for key, row in was.items() if key != "eel"}
    assert "quick" not in now
    assert ("#end" in now) == ("#end" in text)


LIST = """[eel]
attack = [ "bite 1d6",  # from the book
    # "tail 1d8" only when angry
    "twist 1d4", # new
    'spit "acid" 1d4'
]  # all of them
text = '''
Long
''' # and told
"""


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("attacks", "old", "new"),
    [
        (["bite 2d6", "twist 1d4", 'spit "acid" 1d4'], '"bite 1d6"', '"bite 2d6"'),
        (["bite 1d6", "twist 1d4", 'spit "salt" 1d4'], '"acid"', '"salt"'),
        (["bite 1d6", 'spit "acid" 1d4'], '    "twist 1d4", # new\n', ""),
    ],
)
def test_one_of_a_list_is_edited_and_the_comments_in_it_stay(attacks, old, new, ends):
    text = LIST.replace("\n", ends)
    old, new = old.replace("\n", ends), new.replace("\n", ends)
    assert with_field(text, "eel", "attack", attacks) == text.replace(old, new)


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_one_more_in_a_list_leaves_all_others_as_they_are(ends: str) -> None:
    text = LIST.replace("\n", ends)
    was = tomli.loads(text)["eel"]["attack"]
    for at in range(4):
        now = with_field(text, "eel", "attack", [*was[:at], "claw 1d3", *was[at:]])
        for line in ("# from the book", '# "tail 1d8" only when angry', "# new", "# all of them"):
            assert now.count(line) == 1
        assert now.count("\n") - text.count("\n") in (0, 1)
        assert now.count("\r") == (now.count("\n") if ends == "\r\n" else 0)


def test_the_comment_behind_a_long_text_stays() -> None:
    now = with_field(LIST, "eel", "text", "Short.")
    assert now == LIST[: LIST.index("text")] + 'text = "Short." # and told\n'


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_new_lines_end_as_those_of_the_file_do(ends: str) -> None:
    text = TEXT.replace("\n", ends)
    attacks = ["bite 1d6 piercing inflicts weakened", "twist 1d4 bludgeoning", "tail 1d8 cold slow"]
    for now in (
        with_field(text, "eel", "armor", attacks),
        with_field(text, "eel", "swim", 30),
        with_field(f"{text}{ends}", "last", "swim", 30),
        with_rows(text, {"imp": {"hp": 3, "attack": attacks, "text": "a\nb"}}),
    ):
        assert now.count("\r") == (now.count("\n") if ends == "\r\n" else 0)


def test_a_row_of_a_large_file_is_edited_as_in_a_small_one() -> None:
    long = f"{LARGE // 600 * '-'}\n"
    many = {f"eel-{n}": {"hp": n, "text": f"{long}[eel-{n + 1}]\nhp = 1"} for n in range(600)}
    text = with_rows("", many)
    assert len(text) > LARGE
    now = with_field(text, "eel-400", "hp", 1)
    assert now == text.replace("hp = 400\n", "hp = 1\n")
    assert tomli.loads(without_rows(text, ["eel-400"])).keys() == many.keys() - {"eel-400"}


def test_what_looks_like_a_heading_in_a_large_file_is_passed_over() -> None:
    story = '[other]\ntext = """\n[see below\n[eel]\nhp = 1\n"""\n'
    text = story + f"# {LARGE * '-'}\n[eel]\nhp = 3\n"
    assert len(text) > LARGE
    assert with_field(text, "eel", "hp", 4) == text.replace("hp = 3", "hp = 4")


def test_a_file_that_would_be_laid_out_anew_is_refused_and_not_spoiled() -> None:
    with pytest.raises(Refused, match="a layout that can't be edited here"):  # spaces would go
        with_field("[ eel ]\n[[eel.list]]\n[other]\nhp = 3\n", "other", "hp", 4)


def test_a_file_that_can_not_be_compared_is_refused_and_not_spoiled() -> None:
    with pytest.raises(Refused, match="a layout that can't be edited here"):
        with_rows("[other]\nhp = nan\n", {"imp": {"hp": 3}})


def test_the_comments_of_a_row_without_fields_stay() -> None:
    assert without_rows("[eel]\n# of the weir\n[imp]\nhp = 2\n", ["eel"]) == (
        "# of the weir\n[imp]\nhp = 2\n"
    )


def test_a_row_of_one_dotted_field_is_not_taken_out_with_that() -> None:
    with pytest.raises(Refused, match="a layout that can't be edited here"):
        with_field("eel.hp = 3\n", "eel", "hp", None)


def test_what_can_not_be_told_apart_is_refused_and_not_spoiled() -> None:
    with pytest.raises(Refused, match="a layout that can't be edited here"):
        with_field("[eel]\nhp = 3\n[other]\n[eel.more]\nx = 1\n", "eel", "hp", {"x": object})


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
