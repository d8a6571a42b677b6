"""Where in `rules.toml` stands what a refusal is about."""

from __future__ import annotations

import pytest

from affray.store.campaigns.files import LARGE
from affray.store.campaigns.toml_edit import line_at, toml_line_number

RULES = """damage_types = ["sonic"]
effects.soggy = { colour = 1 }

[effects.mired]
modifiers = { attack = 1 }
speed = "half"

[techniques."war cry"]
cost = { ap = 2 }

[environments.kitchen.features.stove]
dc = 1
"""


TEXTS = '''
[effects.mired]
text = """
[effects.soggy]
speed = "half"
"""
speed = "none"

[effects.soggy]
speed = "half"
'''


def test_what_looks_like_toml_in_a_text_is_none() -> None:
    assert toml_line_number(TEXTS, "[effects.soggy] speed: must be") == 10
    assert toml_line_number(TEXTS, "[effects.soggy]: needs a source") == 9
    assert toml_line_number(TEXTS, "[effects.mired] speed: must be") == 7
    assert toml_line_number(TEXTS.replace("\n", "\r\n"), "[effects.soggy] speed: must be") == 10


def test_a_row_in_the_text_of_another_is_passed_over_in_a_large_file() -> None:
    story = '[ogre]\ntext = """\n[eel]\nspeed = 3\n"""\n'
    text = story + f"# {LARGE * '-'}\n[Eel]\nspeed = 4\n"
    assert line_at(text, [("eel", "speed"), ("eel",)]) == text.count("\n")


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("[effects.mired] speed: no such field; it reads modifiers", 6),
        ("[effects.mired] has no field 'speed'", 6),
        ("[effects.mired]: needs a source", 4),
        ("[effects.soggy] has no field 'colour'", 2),
        ("[effects] of none", 2),
        ("[techniques.war cry] cost: must be a track", 9),
        ("[environments.kitchen.features.stove] dc: must be more", 12),
        ("[environments.kitchen] text: must be a text", 11),
        ("`damage_types`: 'X' must be one word", 1),
        ("[economy] has no 'mana'", 0),
        ("rules: expected something", 0),
    ],
)
def test_the_line_of_a_field_else_of_its_row_else_of_its_table(said: str, line: int) -> None:
    assert toml_line_number(RULES, said) == line
