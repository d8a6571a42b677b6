"""What asks for saves and the entries that make them are one act, told from what the log has."""

from __future__ import annotations

from affray import Fight

SET_UP = (
    "add pc Ann hp 30 ac 14 con 2",
    "add pc Bea hp 30 ac 14 con 1",
    "add monster Drake hp 60 ac 15 power Breath save con dc 14 6d6 fire half",
    "init drake 20",
    "init ann,bea 5",
    "start",
    "power Breath ann,bea 20",
)
ASKED = len(SET_UP)


def acts(*lines: str) -> list[list[int]]:
    fight = Fight("5e", "A test", 7)
    for line in (*SET_UP, *lines):
        fight.do(line)
    return fight.history.as_acts(fight.history.path)[ASKED - 1 :]


def test_answers_right_behind_what_asked_for_them_belong_to_it() -> None:
    assert acts("withstand bea failure", "withstand ann success", "damage drake 1") == [
        [ASKED, ASKED + 1, ASKED + 2],
        [ASKED + 3],
    ]


def test_what_came_between_parts_them() -> None:
    between = acts("withstand bea failure", "damage drake 1", "withstand ann success")
    assert between == [[ASKED, ASKED + 1], [ASKED + 2], [ASKED + 3]]


def test_saves_that_are_rolled_as_the_turn_ends_belong_to_its_end() -> None:
    assert acts("next") == [[ASKED], [ASKED + 1]]


def test_an_answer_given_again_after_an_undo_belongs_to_the_same() -> None:
    again = acts("withstand bea failure", "undo", "withstand bea success")
    assert again == [[ASKED, ASKED + 3]]


def test_what_only_takes_away_that_somebody_owes_is_no_answer() -> None:
    assert acts("remove bea threatened") == [[ASKED], [ASKED + 1]]
