"""What phones propose, told to the ear and answered."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.play.table import PHONE, STRIKE, answers, quick_fight, send

from affray.play.reader import Reader
from affray.store.inbox import Inbox, Proposal
from affray.store.open_encounter import OpenEncounter
from affray.store.phones import Phones


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFFRAY_DATA", str(tmp_path / "data"))


@pytest.fixture
def asked(tmp_path: Path) -> Path:
    """A fight whose phones may propose, with a strike of Mira's that waits."""
    path = quick_fight(tmp_path)
    answers(path, "setting players-act ask")
    Phones(path).grant(PHONE, "mira")
    send(path, 1, *STRIKE)
    return path


def test_what_a_phone_proposes_is_told_once_previewed_and_accepted(asked: Path) -> None:
    begun, ahead, other, done, none = answers(asked, "accept ?", "note x", "accept", "accept")
    offer = "Mira proposes: Strike Ghoul 1, strong, 5 slashing. Accept, or decline."
    assert begun[-1] == offer
    assert ahead[0] == "Ghoul 1 minus 4, 5 left (5 slashing, minus 1 AC)."
    assert other == ["Noted."]
    assert done == ["Ghoul 1 minus 4, 5 left.", "2 A.P."]
    assert none == ["Not done: no phone has proposed anything."]
    assert [each.state for each in Inbox(asked).answers(PHONE)] == ["accepted"]
    with OpenEncounter.view(asked) as fight:
        assert (fight.entries[-1].proposal, fight.entries[-1].by) == ("0001", "mira")


def test_a_players_die_that_is_left_out_is_rolled_where_that_is_said(asked: Path) -> None:
    answers(asked, "decline")
    fall = "fall mira 30"
    send(asked, 2, fall, "Fall 30")
    _, refused, done = answers(asked, "accept", "accept roll")
    missing = "Mira's 3d6 is missing: accept roll rolls it, or accept COMMAND."
    assert refused == [f"Not done: {missing}"]
    assert re.match(r"Mira minus \d+, ", done[0])


def test_another_command_is_played_in_its_place(asked: Path) -> None:
    _, done = answers(asked, "accept strike ghoul-1 weak 5 slashing by mira")
    assert done[0] == "Ghoul 1 minus 1, 8 left."
    with OpenEncounter.view(asked) as fight:
        assert fight.entries[-1].proposal == "0001"


def test_it_is_declined_with_words_and_the_next_one_is_told(asked: Path) -> None:
    send(asked, 2, "next")
    _, declined = answers(asked, "decline it is behind a wall")
    assert declined == ["Declined: Mira.", "Mira proposes: next. Accept, or decline."]
    (answer,) = Inbox(asked).answers(PHONE)
    assert (answer.state, answer.words) == ("declined", "it is behind a wall")


def test_a_name_that_is_misspelt_is_asked_for_and_words_in_quotes_are_none(asked: Path) -> None:
    _, accept, decline, quoted = answers(
        asked, "accept mria", "decline mria it is far", 'decline "Mina is in the way"'
    )
    nobody = "Not done: nobody called 'mria' has proposed anything; did you mean mira"
    assert accept == [f"{nobody}?"]
    assert decline == [f"{nobody}, or the words in quotes?"]
    assert quoted == ["Declined: Mira."]
    (answer,) = Inbox(asked).answers(PHONE)
    assert (answer.state, answer.words) == ("declined", "Mina is in the way")


def test_a_question_is_answered_by_name_or_as_the_only_one(asked: Path) -> None:
    row = Proposal("0a5c", PHONE, "mira", "", "2026-11-20T19:31:00Z", "Is it dark?", asks=True)
    Inbox(asked).write(row)
    begun, refused, wordless, done, none = answers(
        asked, "accept 2", "answer 2", "answer No, there is a moon", "answer no"
    )
    assert begun[-3:-1] == [
        "Mira proposes: Strike Ghoul 1, strong, 5 slashing.",
        "Mira asks: Is it dark?",
    ]
    assert begun[-1] == "Answer, accept or decline, by name or number; 2 wait."
    assert refused[0] == "Not done: that is a question: answer WORDS answers it."
    assert wordless[0] == "Not done: expected the answer after answer."
    assert done == ["Answered: Mira."]
    assert none[0] == "Not done: no phone has asked anything."
    (answer,) = Inbox(asked).answers(PHONE)
    assert (answer.state, answer.words) == ("answered", "No, there is a moon")


def test_what_is_refused_waits_on_and_changes_nothing(asked: Path) -> None:
    _, refused, again = answers(asked, "accept strike nobody strong 5", "accept")
    assert refused[0].startswith("Not done: nobody here is called 'nobody'")
    assert again[0] == "Ghoul 1 minus 4, 5 left."


def test_what_the_fight_refuses_is_answered_so_to_its_player(asked: Path) -> None:
    answers(asked, "accept")
    send(asked, 2, "grapple mira strong by mira", "Grapple Mira")
    _, refused, none = answers(asked, "accept", "accept")
    assert none == ["Not done: no phone has proposed anything."]
    answer = Inbox(asked).answers(PHONE)[-1]
    assert (answer.state, answer.proposed) == ("refused", "Grapple Mira")
    assert answer.words and answer.words.casefold() in refused[0].casefold()


def test_what_is_taken_elsewhere_is_not_played_twice(asked: Path) -> None:
    with OpenEncounter.open(asked) as fight:
        reader = Reader(fight)
        reader.begin()
        assert Inbox(asked).take("0001")
        assert reader.answer("accept") == [
            "Not done: its player has withdrawn it, or another screen has answered it.",
            "Mira takes back: Strike Ghoul 1, strong, 5 slashing.",
        ]
        assert fight.entries[-1].command == "setting players-act ask"


def test_nothing_is_told_while_phones_may_not_propose(asked: Path) -> None:
    answers(asked, "setting players-act off")
    assert answers(asked, "accept")[1] == ["Not done: no phone has proposed anything."]


def test_of_trusted_players_the_end_of_a_turn_goes_by_itself(asked: Path) -> None:
    answers(asked, "accept", "setting players-act trusted")
    send(asked, 2, "next")
    assert answers(asked)[0][1:] == ["Round 1, Ghoul 1, 5 of 9, 3 A.P.; next Ghoul 2."]
    send(asked, 3, "note hm")
    assert answers(asked)[0][-1] == "Mira proposes: note hm. Accept, or decline."


def test_a_phone_is_let_in_listed_and_taken_back(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    send(path, 1, "")
    begun, ahead, in_, listed, revoked, none = answers(
        path, "accept ?", "accept", "phones", "revoke mira", "phones"
    )
    assert begun[-1] == "Mira's phone asks to play. Accept, or decline."
    assert ahead == ["It lets the phone in."]
    ask = "Setting players-act ask lets phones propose acts."
    assert in_ == ["Mira's phone is in.", ask]
    assert listed == ["Phones of Mira.", ask]
    assert revoked == ["Mira no longer has a phone."]
    assert none == ["None."]
    assert Phones(path).rights() == ()


def test_a_monster_of_the_characters_id_has_no_phone(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    Phones(path).grant(PHONE, "ghoul-1")
    listed, revoked = answers(path, "phones", "revoke ghoul-1")[1:]
    assert listed[0] == "Phones of ghoul-1."
    assert revoked == ["Not done: Ghoul 1 is not a player's character, so has no phone."]
    assert len(Phones(path).rights()) == 1


def test_what_is_no_proposal_is_told_of_once_and_left(asked: Path) -> None:
    nested = asked.with_suffix(".inbox") / "waiting" / "beef.toml"
    nested.write_text(f"a = {'[' * 2000}", "utf-8")
    begun, done, none = answers(asked, "accept", "note x")
    line = "Not proposals from phones, so left in ford.inbox: waiting/beef.toml."
    assert begun.count(line) == 1
    assert done == ["Ghoul 1 minus 4, 5 left.", "2 A.P."]
    assert none == ["Noted."] and nested.exists()


# -- several, by name and in any order -------------------------------------------------------------

ODOS = "beef"


@pytest.fixture
def several(asked: Path) -> Path:
    """A strike of Mira's, two notes of Odo's, and a stranger who asks to play Mira."""
    answers(asked, "add pc Odo hp 9 ac 1", "init odo 5")
    Phones(asked).grant(ODOS, "odo")
    inbox = Inbox(asked)
    for number, text in ((2, "hello"), (3, "again")):
        at = f"2026-11-20T19:30:{number:02}Z"
        inbox.write(Proposal(f"{number:04x}", ODOS, "odo", f"note {text}", at, f"Note {text}"))
    inbox.write(Proposal("0004", "cafe", "mira", "", "2026-11-20T19:30:04Z"))
    return asked


def test_all_that_is_proposed_is_told_by_name_and_in_what_waits(several: Path) -> None:
    begun, waits = answers(several, "what waits")
    told = [
        "Mira proposes: Strike Ghoul 1, strong, 5 slashing.",
        "Another phone asks to play Mira.",
        "Odo proposes: Note hello.",
        "Odo proposes: Note again.",
    ]
    assert begun[-5:] == [*told, "Accept or decline, by name or number; 4 wait."]
    assert [line.partition(", ")[2].casefold() for line in waits] == [t.casefold() for t in told]


def test_it_is_accepted_and_declined_by_name_and_by_number_in_any_order(several: Path) -> None:
    _, second, first, struck, let_in = answers(
        several, "accept 4", "decline odo not now", "accept mira", "accept"
    )
    assert second == ["Noted."]
    assert first == ["Declined: Odo."]
    assert struck[0] == "Ghoul 1 minus 4, 5 left."
    assert struck[-1] == "Another phone asks to play Mira. Accept, or decline."
    assert let_in == ["Mira's phone is in."]
    (declined,) = (row for row in Inbox(several).answers(ODOS) if row.state == "declined")
    assert (declined.proposed, declined.words) == ("Note hello", "not now")


def test_more_than_four_at_once_are_told_by_the_names_of_who_sent_them(several: Path) -> None:
    inbox = Inbox(several)
    for number in (5, 6):
        inbox.write(Proposal(f"{number:04x}", ODOS, "odo", "note x", "2026-11-20T19:31:00Z"))
    begun, _, every = answers(several, "what waits", "all")
    assert begun[-1] == "6 proposals, by Mira and Odo; what waits tells each."
    assert len(every) == 6


def test_words_in_quotes_decline_the_first_though_they_begin_with_a_name(several: Path) -> None:
    answers(several, 'decline "Odo is in the way"')
    (answer,) = Inbox(several).answers(PHONE)
    assert answer.words == "Odo is in the way"


def test_what_a_player_takes_back_is_told(asked: Path) -> None:
    with OpenEncounter.open(asked) as fight:
        reader = Reader(fight)
        reader.begin()
        Inbox(asked).withdraw("0001", PHONE, STRIKE[1])
        assert reader.arrivals() == ["Mira takes back: Strike Ghoul 1, strong, 5 slashing."]


@pytest.mark.parametrize("line", ["accept 9", "accept 0", "decline 9 no"])
def test_a_number_that_nothing_has_is_refused(line: str, several: Path) -> None:
    before = several.read_bytes()
    refused = answers(several, line)[1]
    number = line.split()[1]
    assert refused == [f"Not done: expected a number from 1 to 4, found {number}."]
    assert several.read_bytes() == before


def test_a_misspelt_name_lets_no_phone_in(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    send(path, 1, "")
    _, refused, let_in = answers(path, "accept odoo", "accept mira")
    assert refused == ["Not done: nobody called 'odoo' has proposed anything."]
    assert let_in == ["Mira's phone is in.", "Setting players-act ask lets phones propose acts."]


def test_what_phones_want_is_a_question(asked: Path) -> None:
    _, who, what = answers(asked, "who proposes", "what does mira want")
    assert who == what == ["Mira proposes: Strike Ghoul 1, strong, 5 slashing."]
