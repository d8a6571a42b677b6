"""What `add` understands comes of a game's rows: parser, usage, completion, and what is told."""

from __future__ import annotations

from typing import Annotated

import pytest
from msgspec import Struct
from msgspec.structs import replace
from tests.core.conftest import BARE, Play

from affray.core.engine.decide import complete
from affray.core.engine.state import Combatant, Track
from affray.core.parser import arguments
from affray.core.parser.errors import Refused
from affray.core.rules.tables import read_tables
from affray.mechanics import sheet, sheet as sheets


class Bite(Struct, frozen=True):
    """An attack of the smallest kind."""

    name: Annotated[str, arguments.name_arg("the attack's name")]
    bonus: Annotated[int, arguments.number_arg("the attack bonus", -99, 99)]
    dice: Annotated[str, arguments.dice_arg("its damage")] = ""
    type: Annotated[str, arguments.damage_type_arg(lambda ctx: ("cold", "fire"))] = ""
    tags: Annotated[tuple[str, ...], arguments.any_of("quick", "long")] = ()
    dual_wielding: Annotated[bool, arguments.flag_arg()] = False


ROWS = (
    sheets.hp_field(),
    sheets.track_fields("wear", usage=""),
    sheets.number_fields("armour", low=0),
    sheets.flag_fields("huge"),
    sheets.kind_fields("immune", list_kinds=lambda ctx: ("fire", "cold")),
    sheets.amount_fields({"resist": "the amount resisted"}),
    sheets.text_fields("role"),
    sheets.argument_field("size", arguments.choice_arg("a size", ("small", "large"))),
    sheets.argument_field(
        "pet",
        arguments.combatant_arg("whose pet it is"),
        keeps=lambda sheet, name, owner: sheet.stats.update(owner=owner.id),
        before="of",
    ),
    sheets.struct_fields("attack", Bite, "[attack NAME +N ...]", "bites"),
)


ALIKE = {"arm": "armour"}


class _Sheets(sheets.FieldSheet):
    aliases = ALIKE

    def groups(self, tables):
        return ROWS

    def complete(self, ctx, kind, sheet):
        given = sheet.tracks
        tracks = {"hp": given["hp"].left} if "hp" in given else {}
        return sheet.stats, tracks | ({"wear": given["wear"].marked} if "wear" in given else {})


@pytest.fixture
def play() -> Play:
    play = Play()
    tables = read_tables({"damage_types": ["cold", "fire"]})
    play.ruleset = replace(BARE, tables=tables, commands={}, sheet=_Sheets())
    return play


def stats(play, words: str) -> dict:
    play(f"add monster Imp hp 9 {words}")
    return dict(play.who("imp").stats)


def refusal(play, line: str) -> str:
    with pytest.raises(Refused) as refused:
        play(line)
    return refused.value.message.partition(" (usage")[0]


def test_numbers_flags_and_words_are_kept_by_their_names(play):
    said = stats(play, 'arm 3 huge role "night hunter" size large')
    assert said == {"armour": 3, "huge": True, "role": "night hunter", "size": "large"}


def test_lists_and_amounts_add_up(play):
    said = stats(play, 'immune fire,cold resist fire 5 immune "dirt" resist cold 2 resist 3 "ice"')
    assert said["immune"] == ["fire", "cold", "dirt"]
    assert said["resist"] == ["fire 5", "cold 2", "ice 3"]


@pytest.mark.parametrize(
    ("said", "left", "marked"),
    [("9", Track(9, 9), Track(0, 9)), ("4/9", Track(4, 9), Track(4, 9))],
)
def test_a_track_is_its_maximum_or_what_is_left_of_it(said, left, marked):
    play = Play()
    play.ruleset = replace(BARE, sheet=_Sheets())
    play(f"add monster Imp hp {said} wear {said}")
    assert play.who("imp").tracks == {"hp": left, "wear": marked}


def test_attacks_are_kept_as_they_were_said(play):
    said = stats(play, "attack Long Claw +3 1d6 cold quick attack bite -1 dual-wielding armour 2")
    assert said["bites"] == [
        {"name": "Long Claw", "bonus": 3, "dice": "1d6", "type": "cold", "tags": ["quick"]},
        {"name": "bite", "bonus": -1, "dual_wielding": True},
    ]
    claw, bite = sheet.stat_rows(play.who("imp"), "bites", Bite)
    assert claw == Bite("Long Claw", 3, "1d6", "cold", ("quick",))
    assert sheet.format_row(claw) == "Long Claw +3 1d6 cold quick"
    assert sheet.format_row(bite, but=("name",)) == "−1 dual-wielding"


def test_whose_it_is_may_have_a_word_before_it(play):
    play("add pc Mira hp 5")
    assert stats(play, "pet of mira") == {"owner": "mira"}


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("", "expected `hp` and a number"),
        ("hp 0", "hp 0 is out of range"),
        ("hp 9/4", "hp 9/4 is out of range"),
        ("hp many", "expected hp (a whole number, LEFT/MAX, or dice), found 'many'"),
        ("hp 4 arm 2 armour 3", "armour is given twice"),
        ("hp 4 immune", "expected a damage type after immune"),
        ("hp 4 immune armour 3", "expected a damage type after immune"),
        ("hp 4 immune 5", "expected a damage type after immune, found '5'"),
        ("hp 4 resist fire", "expected the amount resisted"),
        ("hp 4 role huge", "expected its role, of 1 to 40 characters"),
        ("hp 4 size hug", "expected a size, found 'hug': one of small or large"),
        ("hp 4 attack claw 1d6", "expected the attack bonus (a whole number), found '1d6'"),
        ("hp 4 attack claw +1 1d6 fir", "'fir' is no known damage type; did you mean fire?"),
        ("hp 4 attack claw +1 fire qick", "expected one of its numbers in Bare, found 'qick': did"
         " you mean quick?"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_in_a_line(play, words, answer):
    assert refusal(play, f"add monster Imp {words}") == answer


def test_the_usage_has_what_does_not_go_without_saying():
    assert " ".join(sheets.sheet_tokens(ROWS, "pc")) == (
        "hp N armour N [huge] [immune A,B] [resist TYPE N] [size small|large] [pet NAME]"
        " [attack NAME +N ...]"
    )


def test_completion_offers_what_has_not_been_said(play):
    offers = complete(play.state, "add monster Imp hp 4 arm 3 ", play.ruleset)
    assert offers[:4] == ["wear", "huge", "immune", "resist"] and "armour" not in offers
    behind = complete(play.state, "add monster Imp hp 4 attack claw +1 ", play.ruleset)
    assert behind[:5] == ["cold", "fire", "quick", "long", "dual-wielding"]


@pytest.mark.parametrize(
    "rows",
    ["claw", {"name": "claw"}, [{"name": "claw"}], [3], [{"name": "c", "bonus": 1, "dice": "x"}]],
)
def test_what_a_log_has_that_makes_no_sense_is_none(rows):
    odd = Combatant("odd", "Odd", "foes", "monster", {"bites": rows, "words": ["A", 3]})
    assert sheet.stat_rows(odd, "bites", Bite, lambda row: sheet.is_dice(row.dice)) == []
    assert sheet.stat_words(odd, "words") == ("a",)
    assert sheet.stat_words(odd, "bites") in ((), ("claw",))


def test_hp_dice_are_rolled_for_each_and_told_with_it():
    play = Play((3, 1, 4, 8))
    play.ruleset = replace(BARE, sheet=_Sheets())
    play("add monster Imp x2 hp 2d8+1")
    assert [play.who(f"imp-{n}").tracks["hp"] for n in (1, 2)] == [Track(5, 5), Track(13, 13)]
    added, fell, *_ = play.history.entries[1].events
    assert (added.who, fell.who, fell.dice, fell.faces, fell.total, fell.for_) == (
        "imp-1", "imp-1", "2d8+1", (3, 1), 5, "hp",
    )  # fmt: skip


def test_hp_dice_come_to_at_least_one():
    play = Play((1,))
    play.ruleset = replace(BARE, sheet=_Sheets())
    play("add monster Imp hp 1d4-3")
    assert play.who("imp").tracks["hp"] == Track(1, 1)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("3d", "expected a number of sides"),
        ("2d6/9", "expected the end"),
        ("d", "expected hp"),
        ("3dx", "expected a number of sides"),
    ],
)
def test_what_is_no_hp_dice_is_refused(said, why):
    play = Play((1,) * 9)
    play.ruleset = replace(BARE, sheet=_Sheets())
    with pytest.raises(Refused, match=why):
        play(f"add monster Imp hp {said}")
    assert not play.state.combatants
