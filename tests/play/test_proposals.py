"""What phones propose, told to the ear and answered."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.play.table import PHONE, STRIKE, answers, quick_fight, send

from affray.play.reader import Reader
from affray.store.inbox import Inbox
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
    assert ahead[0] == "Ghoul 1 minus 4 HP, 5 left (5 slashing, minus 1 AC)."
    assert other == ["Note: x."]
    assert done[0] == "Mira strikes Ghoul 1, strong 5 slashing."
    assert none == ["No phone has proposed anything."]
    assert [each.state for each in Inbox(asked).answers(PHONE)] == ["accepted"]
    with OpenEncounter.view(asked) as fight:
        assert (fight.entries[-1].proposal, fight.entries[-1].by) == ("0001", "mira")


def test_a_players_die_that_is_left_out_is_rolled_where_that_is_said(asked: Path) -> None:
    answers(asked, "decline")
    fall = "fall mira 30"
    send(asked, 2, fall, "Fall 30")
    _, refused, done = answers(asked, "accept", "accept roll")
    assert refused == ["Mira's 3d6 is missing: accept roll rolls it, or accept COMMAND."]
    assert done[0].startswith("Mira falls 30 feet")


def test_another_command_is_played_in_its_place(asked: Path) -> None:
    _, done = answers(asked, "accept strike ghoul-1 weak 5 slashing by mira")
    assert done[0] == "Mira strikes Ghoul 1, weak 5 slashing."
    with OpenEncounter.view(asked) as fight:
        assert fight.entries[-1].proposal == "0001"


def test_it_is_declined_with_words_and_the_next_one_is_told(asked: Path) -> None:
    send(asked, 2, "next")
    _, declined = answers(asked, "decline it is behind a wall")
    assert declined == ["Declined.", "Mira proposes: next. Accept, or decline."]
    (answer,) = Inbox(asked).answers(PHONE)
    assert (answer.state, answer.words) == ("declined", "it is behind a wall")


def test_what_is_refused_waits_on_and_changes_nothing(asked: Path) -> None:
    _, refused, again = answers(asked, "accept strike nobody strong 5", "accept")
    assert refused[0].startswith("Nobody here is called 'nobody'")
    assert again[0] == "Mira strikes Ghoul 1, strong 5 slashing."


def test_what_the_fight_refuses_is_answered_so_to_its_player(asked: Path) -> None:
    answers(asked, "accept")
    send(asked, 2, "grapple mira strong by mira", "Grapple Mira")
    _, refused, none = answers(asked, "accept", "accept")
    assert none == ["No phone has proposed anything."]
    answer = Inbox(asked).answers(PHONE)[-1]
    assert (answer.state, answer.proposed) == ("refused", "Grapple Mira")
    assert answer.words and answer.words.casefold() in refused[0].casefold()


def test_what_is_taken_elsewhere_is_not_played_twice(asked: Path) -> None:
    with OpenEncounter.open(asked) as fight:
        reader = Reader(fight)
        reader.begin()
        assert Inbox(asked).take("0001")
        assert reader.answer("accept") == [
            "Its player has withdrawn it, or another screen has answered it."
        ]
        assert fight.entries[-1].command == "setting players-act ask"


def test_nothing_is_told_while_phones_may_not_propose(asked: Path) -> None:
    answers(asked, "setting players-act off")
    assert answers(asked, "accept")[1] == ["No phone has proposed anything."]


def test_of_trusted_players_the_end_of_a_turn_goes_by_itself(asked: Path) -> None:
    answers(asked, "accept", "setting players-act trusted")
    send(asked, 2, "next")
    assert answers(asked)[0][1:] == ["Round 1, Ghoul 1, 5 of 9, 3 AP; next Ghoul 2."]
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
    assert in_ == ["Mira's phone is in."]
    assert listed == ["Phones of Mira."]
    assert revoked == ["Mira no longer has a phone."]
    assert none == ["None."]
    assert Phones(path).rights() == ()


def test_a_monster_of_the_characters_id_has_no_phone(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    Phones(path).grant(PHONE, "ghoul-1")
    listed, revoked = answers(path, "phones", "revoke ghoul-1")[1:]
    assert listed == ["Phones of ghoul-1."]
    assert revoked == ["Ghoul 1 is not a player's character, so has no phone."]
    assert len(Phones(path).rights()) == 1


def test_what_is_no_proposal_is_told_of_once_and_left(asked: Path) -> None:
    nested = asked.with_suffix(".inbox") / "waiting" / "beef.toml"
    nested.write_text(f"a = {'[' * 2000}", "utf-8")
    begun, done, none = answers(asked, "accept", "note x")
    line = "Not proposals from phones, so left in ford.inbox: waiting/beef.toml."
    assert begun.count(line) == 1
    assert done[0] == "Mira strikes Ghoul 1, strong 5 slashing."
    assert none == ["Note: x."] and nested.exists()
