"""Dice as they lie, behind `natural`: read alike in every game."""

import pytest

from affray.core.engine.state import Encounter
from affray.core.parser.clauses import parse_faces, require_one_die
from affray.core.parser.errors import Refused
from affray.core.parser.tokens import TokenStream, tokenize


def faces(line, rolls=1):
    words = TokenStream(tokenize(line), Encounter())
    found = parse_faces(words, rolls)
    words.finish()
    return found


@pytest.mark.parametrize(
    ("line", "rolls", "found"),
    [
        ("15", 1, [(15,)]),
        ("4,15", 1, [(4, 15)]),
        ("4,15", 2, [(4,), (15,)]),
        ("4,15,20", 3, [(4,), (15,), (20,)]),
        ("4,15 natural 9", 2, [(4, 15), (9,)]),
        ("4 natural 9", 2, [(4,), (9,)]),
        ("4,15 natural 9,1 natural 3", 3, [(4, 15), (9, 1), (3,)]),
    ],
)
def test_two_dice_are_of_one_roll_and_several_rolls_have_one_each(line, rolls, found):
    assert faces(line, rolls) == found


@pytest.mark.parametrize(
    ("line", "rolls", "saying"),
    [
        ("4,15,9", 1, "at most two"),
        ("4 natural 15", 1, "one roll"),
        ("4", 2, "2 rolls: one die for each"),
        ("4,15,9", 2, "found 3"),
        ("4 natural 15", 3, "found 2"),
        ("4,15,9 natural 2", 2, "at most two"),
        ("21", 1, "1 to 20"),
        ("0,4", 2, "1 to 20"),
        ("4,", 1, "1 to 20"),
        ("", 1, "expected the number on the d20"),
    ],
)
def test_other_numbers_of_dice_are_refused_in_one_line(line, rolls, saying):
    with pytest.raises(Refused, match=saying):
        faces(line, rolls)


def test_of_two_dice_one_counts_only_where_something_says_which():
    require_one_die((4,))
    require_one_die(())
    with pytest.raises(Refused, match="`natural 4,15` gives the two dice of advantage"):
        require_one_die((4, 15))
