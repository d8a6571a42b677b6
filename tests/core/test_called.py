"""What goes by a name of one's own, a phrase up to a keyword, and a die, as arguments."""

from __future__ import annotations

from typing import Annotated

import pytest
from msgspec import Struct
from msgspec.structs import replace
from tests.core.conftest import BARE, Play

from affray.core.engine.decide import complete
from affray.core.parser import arguments
from affray.core.parser.declarations import declare_command
from affray.core.parser.errors import Refused

SONGS = {"Old Anthem": 1, "Anvil": 2, "Ode": 3}


SIDES = (4, 6, 8, 12)


class Sing(Struct, frozen=True):
    song: Annotated[int, arguments.custom_name_arg("a song", lambda reading: SONGS)]
    title: Annotated[str, arguments.keyword_arg("as", arguments.phrase_arg("a title", "TITLE"))] = (
        ""
    )
    die: Annotated[int, arguments.keyword_arg("die", arguments.die_size_arg("a die", SIDES))] = 0


def _sing(ctx, said: Sing) -> None:
    ctx.text = f"{said.song} {said.title} {said.die}"


RULES = replace(BARE, commands={"sing": declare_command("sing", "sings", Sing, _sing)})


@pytest.fixture
def sung():
    def sing(line):
        play = Play()
        play.ruleset = RULES
        play(f"sing {line}")
        return play.history.entries[1].text

    return sing


@pytest.mark.parametrize("said", ['"Old Anthem"', '"old anthem"', "ol"])
def test_a_name_or_its_one_beginning_gives_what_goes_by_it(sung, said):
    assert sung(said) == "1  0"


@pytest.mark.parametrize(
    ("said", "answer"), [("o", "one of"), ("Anvill", "did you mean Anvil"), ("x", "one of")]
)
def test_any_other_is_refused_with_what_is_close(sung, said, answer):
    with pytest.raises(Refused, match=answer):
        sung(said)


def test_a_phrase_goes_on_up_to_a_keyword_and_a_die_is_its_sides(sung):
    assert sung("anvil as A Long Title die d12") == "2 A Long Title 12"
    assert sung("anvil die 8") == "2  8"


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("anvil as Long dice d12", "did not expect 'dice'; did you mean die"),
        ("anvil as Long 12", "did not expect '12': put a name that contains it in quotes"),
        ("anvil die d7", "expected a die .d4, d6, d8 or d12., found 'd7'"),
        ("anvil die seven", "d4, d6, d8 or d12"),
    ],
)
def test_a_slip_or_a_number_is_no_part_of_a_phrase_and_a_die_is_one_of_the_known(
    sung, said, answer
):
    """What is swallowed by a name is lost: the die would not have fallen."""
    with pytest.raises(Refused, match=answer):
        sung(said)


def test_in_quotes_a_phrase_holds_any_words(sung):
    assert sung('anvil as "Title of 12 dice" die 4') == "2 Title of 12 dice 4"


def test_names_are_offered_as_a_command_has_them():
    assert complete(Play().state, "sing ", RULES) == ['"Old Anthem"', "Anvil", "Ode"]
