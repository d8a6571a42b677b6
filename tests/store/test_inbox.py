"""The inbox beside a log, and whose phone plays whom."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace

from affray.core.engine.history import History
from affray.core.parser.errors import Refused
from affray.fight import Fight
from affray.store import LogError, own_folder
from affray.store.inbox import (
    MOST_ANSWERS_TO_ONE,
    MOST_ASKING,
    MOST_OF_ONE,
    MOST_WORDS,
    Answer,
    Inbox,
    InboxFull,
    Proposal,
    is_id,
)
from affray.store.phones import Phones, hash_of, new_secret


def proposal(number: int, sender: str = "aa11", at: str = "") -> Proposal:
    return Proposal(f"{number:04x}", sender, "mira", "dash", at or f"2026-11-20T19:{number:02}:00Z")


NOBODY = Fight("plain")


def played(*proposal_ids: str) -> History:
    """The log of a fight in which proposals were played."""
    fight = Fight("plain")
    for proposal_id in proposal_ids:
        fight.do("note x", proposal=proposal_id)
    return fight.history


@pytest.fixture
def inbox(tmp_path: Path) -> Inbox:
    return Inbox(tmp_path / "ford.toml")


def test_proposals_wait_oldest_first_in_a_folder_beside_the_log(
    inbox: Inbox, tmp_path: Path
) -> None:
    assert inbox.waiting() == ()
    assert inbox.write(proposal(2)) and inbox.write(proposal(1))
    assert [row.id for row in inbox.waiting()] == ["0001", "0002"]
    assert (
        (tmp_path / "ford.inbox" / "waiting" / "0001.toml")
        .read_text("utf-8")
        .startswith('id = "0001"\nfrom = "aa11"\n')
    )


def test_an_id_comes_once(inbox: Inbox) -> None:
    assert inbox.write(proposal(1))
    assert not inbox.write(proposal(1))
    assert inbox.take("0001")
    assert not inbox.write(proposal(1))
    assert inbox.waiting() == ()


def test_one_of_two_takes_it(inbox: Inbox, tmp_path: Path) -> None:
    inbox.write(proposal(1))
    other = Inbox(tmp_path / "ford.toml")
    assert other.waiting() == inbox.waiting()
    assert [inbox.take("0001"), other.take("0001")] == [True, False]
    assert other.waiting() == ()


def test_so_many_wait_of_one_phone(inbox: Inbox) -> None:
    for number in range(MOST_OF_ONE):
        inbox.write(proposal(number))
    with pytest.raises(InboxFull):
        inbox.write(proposal(99))
    assert inbox.write(proposal(98, sender="bb22"))


def test_strangers_who_ask_to_play_leave_room_for_those_who_do(inbox: Inbox) -> None:
    for number in range(MOST_ASKING):
        inbox.write(Proposal(f"{number:04x}", f"{number:04x}", "mira"))
    with pytest.raises(InboxFull):
        inbox.write(Proposal("ffff", "ffff", "mira"))
    assert inbox.write(proposal(98, sender="bb22"))


def test_what_was_taken_as_the_program_died_waits_again_or_is_done(
    inbox: Inbox, tmp_path: Path
) -> None:
    for number in (1, 2):
        inbox.write(proposal(number))
        inbox.take(f"{number:04x}")
    again = Inbox(tmp_path / "ford.toml")
    again.recover(played("0001"))
    assert [row.id for row in again.waiting()] == ["0002"]
    assert not again.take("0001")
    assert [(a.id, a.state) for a in again.answers("aa11")] == [("0001", "accepted")]


def test_what_was_taken_and_can_not_be_read_any_more_is_left_unanswered(inbox: Inbox) -> None:
    inbox.write(proposal(1))
    inbox.take("0001")
    taken = inbox.folder / "taken" / "0001.toml"
    taken.write_bytes(b"\xff")
    inbox.recover(played("0001"))
    assert taken.exists() and inbox.answers() == ()


def test_a_proposal_that_was_answered_keeps_its_first_answer(inbox: Inbox) -> None:
    inbox.answer(proposal(1), "accepted", 1)
    inbox.answer(proposal(1), "declined", 2)
    assert [answer.state for answer in inbox.answers("aa11")] == ["accepted"]


def test_an_answer_is_for_its_phone_alone_and_for_every_server(
    inbox: Inbox, tmp_path: Path
) -> None:
    inbox.answer(proposal(1), "declined", 3, "Not now.")
    answer = Answer("0001", "aa11", "declined", "Not now.", "", "dash", 3, character="mira")
    for server in (inbox, Inbox(tmp_path / "ford.toml"), Inbox(tmp_path / "ford.toml")):
        assert server.answers("bb22") == ()
        assert server.answers("aa11") == server.answers() == (answer,)


def test_the_last_few_answers_to_each_phone_are_kept(inbox: Inbox, tmp_path: Path) -> None:
    server = Inbox(tmp_path / "ford.toml")
    for number in range(MOST_ANSWERS_TO_ONE + 3):
        inbox.answer(proposal(number), "accepted", number)
        os.utime(inbox.folder / "answers" / f"{number:04x}.toml", (number, number))
        inbox = Inbox(tmp_path / "ford.toml")
        assert server.answers()[-1].id == f"{number:04x}"
    inbox.answer(proposal(99, "bb22"), "accepted", 99)
    assert [answer.entry for answer in server.answers()] == [3, 4, 5, 6, 7, 99]
    assert len(list((inbox.folder / "answers").iterdir())) == MOST_ANSWERS_TO_ONE + 1


def test_the_answers_to_all_phones_together_are_bounded(
    inbox: Inbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("affray.store.inbox.MOST_ANSWERS", 7)
    for number in range(20):
        inbox.answer(proposal(number, f"{number:04x}"), "declined", number)
    assert len(inbox.answers()) == 7


def test_what_is_no_answer_is_left_alone(inbox: Inbox) -> None:
    inbox.answer(proposal(1), "accepted", 1)
    odd = inbox.folder / "answers" / "README.md"
    odd.write_text("my own notes", "utf-8")
    odd.with_name("0002.toml").write_text('id = "0009"\nto = "aa11"\nstate = "accepted"\n', "utf-8")
    assert [answer.id for answer in inbox.answers()] == ["0001"]
    assert len(list(odd.parent.iterdir())) == 3


def test_what_is_answered_is_not_proposed_again(inbox: Inbox) -> None:
    inbox.write(proposal(1))
    assert inbox.decline(proposal(1), "no", NOBODY.history)
    assert not inbox.write(proposal(1))
    assert inbox.waiting() == ()


def test_what_was_declined_as_the_program_died_stays_so(inbox: Inbox) -> None:
    inbox.write(proposal(1))
    inbox.take("0001")
    inbox.answer(proposal(1), "declined", 1)
    inbox.recover(NOBODY.history)
    assert inbox.waiting() == () and inbox.answers()[0].state == "declined"


def test_the_longest_proposal_has_an_answer_and_a_longer_one_is_refused(inbox: Inbox) -> None:
    long = replace(proposal(1), words='"' * 4_000)
    assert inbox.write(long)
    inbox.decline(long, '"' * 9_000, NOBODY.history)
    assert inbox.answers()[0].proposed == long.words
    with pytest.raises(Refused, match="too long"):
        inbox.write(replace(proposal(2), words='"' * 5_000))


@settings(max_examples=60, deadline=None)
@given(content=st.binary(max_size=6000))
def test_what_is_no_proposal_stays_where_it_is(
    content: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    inbox = Inbox(tmp_path_factory.mktemp("box") / "ford.toml")
    inbox.write(proposal(1))
    broken = inbox.folder / "waiting" / "beef.toml"
    broken.write_bytes(content)
    assert [row.id for row in inbox.waiting()] == ["0001"]
    assert broken.read_bytes() == content


def test_a_link_is_no_proposal(inbox: Inbox, tmp_path: Path) -> None:
    inbox.write(proposal(1))
    secret = tmp_path / "secret.toml"
    secret.write_text('id = "beef"\nfrom = "aa11"\n', "utf-8")
    (inbox.folder / "waiting" / "beef.toml").symlink_to(secret)
    assert [row.id for row in inbox.waiting()] == ["0001"]
    assert secret.exists()


def test_a_file_that_is_nobodys_proposal_is_never_taken_nor_put_back(inbox: Inbox) -> None:
    inbox.write(proposal(1))
    (inbox.folder / "waiting" / "XY Z.toml").write_text('id = "XY Z"\nfrom = "aa11"\n', "utf-8")
    assert [row.id for row in inbox.waiting()] == ["0001"]
    inbox.take("0001")
    copy = inbox.folder / "taken" / "0001 (copy).toml"
    copy.write_text('id = "0001"\nfrom = "aa11"\n', "utf-8")
    inbox.recover(NOBODY.history)
    assert [row.id for row in inbox.waiting()] == ["0001"]
    assert copy.exists()


# -- what somebody else has put there --------------------------------------------------------------

NESTED = f"a = {'[' * 2000}".encode()


def all_below(folder: Path) -> dict[str, bytes | None]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


def used(log: Path) -> Inbox:
    """The inbox of a fight in which all is done that a server and a screen do."""
    inbox = Inbox(log)
    inbox.recover(played("0001", "beef"))
    inbox.waiting()
    inbox.answers()
    for row_id in ("beef", "feed"):
        inbox.take(row_id)
        inbox.put_back(row_id)
    for row in (proposal(0xBEEF), proposal(7)):
        with suppress(LogError):
            inbox.write(row)
        inbox.accept(row, lambda: "done", NOBODY.history) if row in inbox.waiting() else None
    inbox.answer(proposal(0xBEEF), "accepted", 1)
    inbox.answers()
    return inbox


@pytest.mark.parametrize("part", ["waiting", "taken", "answers"])
@pytest.mark.parametrize("leads_to", ["..", "../papers"])
def test_a_part_of_the_inbox_that_is_a_link_has_nothing_read_or_removed_behind_it(
    tmp_path: Path, part: str, leads_to: str
) -> None:
    log, papers = tmp_path / "ford.toml", tmp_path / "papers"
    log.write_text("the fight", "utf-8")
    papers.mkdir()
    for folder in (tmp_path, papers):
        (folder / "beef.toml").write_text(
            'id = "beef"\nfrom = "aa11"\nto = "aa11"\nstate = "accepted"\n', "utf-8"
        )
    (papers / "diary.txt").write_text("mine", "utf-8")
    (tmp_path / "ford.inbox").mkdir()
    (tmp_path / "ford.inbox" / part).symlink_to(leads_to, target_is_directory=True)
    before = (all_below(papers), (tmp_path / "beef.toml").read_bytes(), log.read_bytes())
    inbox = used(log)
    assert (all_below(papers), (tmp_path / "beef.toml").read_bytes(), log.read_bytes()) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "beef.toml", "ford.inbox", "ford.toml", "papers",
    ]  # fmt: skip
    told = f"{part}/(a link, and links are not followed)"
    assert told in inbox.left_alone() and not inbox.left_alone()


def test_an_inbox_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "papers"
    (elsewhere / "waiting").mkdir(parents=True)
    (elsewhere / "waiting" / "beef.toml").write_text('id = "beef"\nfrom = "aa11"\n', "utf-8")
    (tmp_path / "ford.inbox").symlink_to(elsewhere)
    before = all_below(elsewhere)
    inbox = used(tmp_path / "ford.toml")
    assert (inbox.waiting(), all_below(elsewhere)) == ((), before)
    assert "a link, and links are not followed" in inbox.left_alone()
    with pytest.raises(LogError, match="a link, and links are not followed"):
        inbox.write(proposal(1))


def put_odd_things(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "README").write_text("what this folder is for", "utf-8")
    (folder / "notes.toml").write_text('text = "the wolf is the druid"\n', "utf-8")
    (folder / "beef.toml").write_bytes(NESTED)
    (folder / "bee1.toml").write_text('id = "beef"\nfrom = "aa11"\n', "utf-8")  # another's id
    (folder / "bee2.toml").write_text('text = "mine"\n', "utf-8")
    (folder / "bee3.toml").mkdir()
    (folder / "bee4.toml").symlink_to(folder / "notes.toml")
    (folder / "bee5.toml").symlink_to(folder / "gone")
    (folder / "a\x1b[31m\nb.toml").write_text("x = 1\n", "utf-8")
    with (folder / "bee6.toml").open("wb") as file:
        file.truncate(20 * 2**20)
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "bee7.toml")


def names_and_kinds(folder: Path) -> list[tuple[str, int, int]]:
    """All below a folder, with what kind each is and its size."""
    found = ((path.relative_to(folder), path.lstat()) for path in sorted(folder.rglob("*")))
    return [(str(path), status.st_mode, status.st_size) for path, status in found]


@pytest.mark.parametrize("by_descriptor", [True, False])
@pytest.mark.skipif(os.name == "nt", reason="Windows takes no such name")
def test_whatever_a_person_puts_into_the_inbox_stays_and_is_told_of_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by_descriptor: bool
) -> None:
    monkeypatch.setattr(own_folder, "BY_DESCRIPTOR", by_descriptor and own_folder.BY_DESCRIPTOR)
    odd = tmp_path / "ford.inbox"
    for part in ("waiting", "taken", "answers"):
        put_odd_things(odd / part)
    before = names_and_kinds(odd)
    inbox = used(tmp_path / "ford.toml")
    assert set(before) <= set(names_and_kinds(odd))
    told = inbox.left_alone()
    assert told.startswith("not proposals from phones, so left in ford.inbox: ")
    assert "\n" not in told and "\x1b" not in told and "more" in told
    assert inbox.left_alone() == ""
    inbox.write(proposal(1))
    assert inbox.waiting() == (proposal(1),) and inbox.left_alone() == ""


def test_thousands_of_odd_files_keep_no_proposal_from_the_gm(tmp_path: Path) -> None:
    waiting = tmp_path / "ford.inbox" / "waiting"
    waiting.mkdir(parents=True)
    for number in range(3_000):
        name = f"{number:04x}.toml" if number % 2 else f"{number:04x}.txt"
        (waiting / name).write_text(f"note = {number}\n", "utf-8")
    inbox = Inbox(tmp_path / "ford.toml")
    assert inbox.write(proposal(0xFFFF))
    for _ in range(4):  # some hundreds at each look
        inbox.waiting()
    assert inbox.waiting() == (proposal(0xFFFF),)
    assert inbox.left_alone().endswith(" and 2,997 more")
    assert len(list(waiting.iterdir())) == 3_001


def test_no_more_of_a_file_is_read_than_a_proposal_has(
    inbox: Inbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    inbox.write(proposal(1))
    with (inbox.folder / "waiting" / "beef.toml").open("wb") as file:
        file.truncate(2**40)
    assert inbox.waiting() == (proposal(1),)


def test_the_longest_words_of_the_gm_reach_the_phone(inbox: Inbox) -> None:
    inbox.answer(proposal(1), "declined", 1, "\N{DRAGON}" * 9_000)
    (answer,) = inbox.answers("aa11")
    assert answer.words == "\N{DRAGON}" * MOST_WORDS


def test_what_lies_in_the_place_of_a_proposal_that_is_taken_stays(inbox: Inbox) -> None:
    inbox.write(proposal(1))
    (inbox.folder / "taken").mkdir()
    (inbox.folder / "taken" / "0001.toml").write_text("mine", "utf-8")
    assert not inbox.take("0001")
    assert (inbox.folder / "taken" / "0001.toml").read_text("utf-8") == "mine"


@pytest.mark.parametrize("text", ["", "../x", "ab/cd", "XYZ1", "a" * 65, "ab c"])
def test_no_path_is_an_id(text: str) -> None:
    assert not is_id(text)


# -- phones ----------------------------------------------------------------------------------------


@pytest.fixture
def fight(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AFFRAY_DATA", str(tmp_path / "data"))
    campaign = tmp_path / "vale"
    (campaign / "encounters").mkdir(parents=True)
    (campaign / "campaign.toml").write_text('name = "Vale"\n', "utf-8")
    return campaign / "encounters" / "ford.toml"


VALE = Fight("plain")
VALE.do("add pc Mira hp 9", "add pc Odo hp 9")


def plays(phones: Phones, phone: str) -> str:
    mine = phones.plays(phone, VALE.state)
    return mine.id if mine is not None else ""


def test_a_right_lasts_through_the_fights_of_a_campaign_and_is_kept_hashed(fight: Path) -> None:
    secret = new_secret()
    Phones(fight).grant(hash_of(secret), "mira")
    next_fight = Phones(fight.with_name("mill.toml"))
    assert plays(next_fight, hash_of(secret)) == "mira"
    assert secret not in next_fight.path.read_text("utf-8")
    assert not list(fight.parent.iterdir())


def test_rights_are_kept_among_the_users_own_files(
    fight: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AFFRAY_DATA")
    Phones(fight).grant("aa11", "mira")
    (kept,) = home.rglob("phones/*.toml")
    assert "affray" in kept.parts and plays(Phones(fight), "aa11") == "mira"


def test_a_phone_plays_one_character(fight: Path) -> None:
    phones = Phones(fight)
    phones.grant("aa11", "mira")
    phones.grant("aa11", "odo")
    assert plays(phones, "aa11") == "odo"
    assert len(phones.rights()) == 1


def test_a_right_that_is_taken_back_is_gone_at_once_for_others(fight: Path) -> None:
    phones, server = Phones(fight), Phones(fight)
    phones.grant("aa11", "mira")
    assert plays(server, "aa11") == "mira"
    phones.revoke("mira")
    assert plays(server, "aa11") == ""


def test_a_broken_file_gives_no_rights(fight: Path) -> None:
    phones = Phones(fight)
    phones.grant("aa11", "mira")
    phones.path.write_bytes(b"\xff\xfe right = [")
    assert plays(Phones(fight), "aa11") == ""


@pytest.mark.parametrize(
    "content", [b"\xff\xfe", NESTED, b"[[right]]\nnew_field = 1\n", b"x" * 90_000]
)
def test_a_file_in_the_place_of_the_rights_is_left_and_told_of_once(
    fight: Path, content: bytes
) -> None:
    phones = Phones(fight)
    phones.path.parent.mkdir(parents=True)
    phones.path.write_bytes(content)
    assert phones.rights() == ()
    assert "can't keep the phones' rights" in phones.left_alone() and not phones.left_alone()
    for change in (lambda: phones.grant("aa11", "mira"), lambda: phones.revoke("mira")):
        with pytest.raises(LogError, match="move it away"):
            change()
    assert phones.path.read_bytes() == content
    phones.path.unlink()
    phones.grant("aa11", "mira")
    assert plays(phones, "aa11") == "mira"


def test_no_link_among_the_phones_is_followed(fight: Path, tmp_path: Path) -> None:
    phones, papers = Phones(fight), tmp_path / "papers"
    papers.mkdir()
    other = papers / phones.path.name
    other.write_text('[[right]]\nphone = "aa11"\ncharacter = "mira"\n', "utf-8")
    phones.path.parent.mkdir(parents=True)
    phones.path.symlink_to(other)
    assert plays(phones, "aa11") == ""
    phones.path.unlink()
    phones.path.parent.rmdir()
    phones.path.parent.symlink_to(papers)
    assert plays(Phones(fight), "aa11") == ""
    with pytest.raises(LogError, match="a link, and links are not followed"):
        Phones(fight).grant("bb22", "odo")
    assert list(papers.iterdir()) == [other] and "bb22" not in other.read_text("utf-8")


@pytest.mark.parametrize(
    ("lines", "holds"),
    [
        (["add monster Wolf hp 5"], False),
        (["add monster Wolf hp 5 side party"], False),
        (["add monster Wolf hp 5 side others"], False),
        (["add pc Wolf hp 5"], True),
        (["add pc Wolf hp 5 side foes"], False),
        (["add pc Wolf hp 5", "rename wolf Greymane"], True),
        (["add pc Wolf hp 5", "set wolf side foes"], False),
        (["add pc Wolf hp 5", "set wolf side foes", "set wolf side party"], True),
        (["add pc Wolf hp 5", "remove wolf"], False),
        (["add pc Wolf hp 5", "undo"], False),
    ],
    ids=str,
)
def test_a_right_is_to_a_character_of_the_party_not_to_an_id(
    fight: Path, lines: list[str], holds: bool
) -> None:
    phones, at = Phones(fight), Fight("plain")
    phones.grant("aa11", "wolf")
    at.do(*lines)
    mine = phones.plays("aa11", at.state)
    assert (mine is not None) is holds
    assert not holds or mine is at.state["wolf"]


def test_another_campaign_at_the_same_path_asks_for_its_rights_anew(fight: Path) -> None:
    about = fight.parent.parent / "campaign.toml"
    Phones(fight).grant("aa11", "mira")
    about.write_text('name = "Another"\n', "utf-8")
    assert plays(Phones(fight), "aa11") == ""
    about.write_text('name = "Vale"\n', "utf-8")
    assert plays(Phones(fight), "aa11") == "mira"


def test_a_campaign_of_the_same_name_elsewhere_has_rights_of_its_own(
    fight: Path, tmp_path: Path
) -> None:
    Phones(fight).grant("aa11", "mira")
    moved = tmp_path / "elsewhere" / "vale"
    shutil.copytree(fight.parent.parent, moved)
    assert plays(Phones(moved / "encounters" / "ford.toml"), "aa11") == ""


def test_a_campaign_in_another_ones_folder_has_rights_of_its_own(fight: Path) -> None:
    Phones(fight).grant("aa11", "mira")
    inner = fight.parent.parent / "one-shot" / "encounters"
    inner.mkdir(parents=True)
    assert plays(Phones(inner / "ford.toml"), "aa11") == ""


def test_rights_of_earlier_versions_which_name_no_campaign_are_kept(fight: Path) -> None:
    phones = Phones(fight)
    phones.path.parent.mkdir(parents=True)
    phones.path.write_text('[[right]]\nphone = "aa11"\ncharacter = "mira"\n', "utf-8")
    assert plays(phones, "aa11") == "mira"
    phones.grant("bb22", "odo")
    assert plays(Phones(fight), "aa11") == "mira"
    assert 'campaign = "Vale"' in phones.path.read_text("utf-8")


def test_a_folder_whose_name_is_no_text_names_its_campaign_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFRAY_DATA", str(tmp_path / "data"))
    fight = Path(os.fsdecode(os.fsencode(tmp_path) + b"/v\xff/encounters/ford.toml"))
    try:
        fight.parent.mkdir(parents=True)
    except OSError:
        pytest.skip("this disk takes no such name")
    Phones(fight).grant("aa11", "mira")
    assert plays(Phones(fight), "aa11") == "mira"


def test_the_gm_is_asked_by_whoever_is_up_first_and_what_is_late_is_declined(
    fight: Path, inbox: Inbox
) -> None:
    phones, at = Phones(fight), Fight("plain")
    at.do("add pc Mira hp 9", "add pc Odo hp 9", "init mira 9", "init odo 5", "start", "next")
    phones.grant("aa11", "mira")
    phones.grant("bb22", "odo")
    rows = [
        Proposal("0001", "aa11", "mira", "note x", "2026-11-20T19:01:00Z"),
        Proposal("0002", "aa11", "mira", "next", "2026-11-20T19:02:00Z"),
        Proposal("0003", "bb22", "odo", "next", "2026-11-20T19:03:00Z"),
        Proposal("0004", "cc33", "mira", "note x", "2026-11-20T19:04:00Z"),
        Proposal("0005", "cc33", "mira", "", "2026-11-20T19:05:00Z"),
    ]
    for row in rows:
        inbox.write(row)
    assert inbox.for_gm(at.history, phones) == [rows[4]]
    assert [answer.words for answer in inbox.answers("aa11")] == ["that turn is over"]
    assert [answer.words for answer in inbox.answers("cc33")] == ["this phone no longer plays"]
    at.do("setting players-act ask")
    waits = inbox.for_gm(at.history, phones)
    assert waits == [rows[2], rows[0], rows[4]]


def test_whoever_has_a_characters_id_is_never_put_before_the_gm_for_a_phone(
    fight: Path, inbox: Inbox
) -> None:
    phones, at = Phones(fight), Fight("plain")
    phones.grant("aa11", "wolf")
    at.do("add monster Wolf hp 9", "setting players-act trusted", "init wolf 9", "start")
    inbox.write(Proposal("0001", "aa11", "wolf", "next"))
    inbox.write(Proposal("0002", "bb22", "wolf"))
    assert inbox.for_gm(at.history, phones) == []
    assert {answer.state for answer in inbox.answers()} == {"declined"}


def refuse() -> str:
    raise Refused("not now")


def test_what_is_accepted_is_done_answered_and_gone(inbox: Inbox) -> None:
    inbox.write(proposal(1))
    assert inbox.accept(proposal(1), lambda: "done", NOBODY.history) == "done"
    done = Answer("0001", "aa11", "accepted", command="dash", character="mira")
    assert inbox.answers("aa11") == (done,)
    assert inbox.waiting() == ()
    with pytest.raises(Refused, match="withdrawn it, or another screen has answered it"):
        inbox.accept(proposal(1), lambda: "twice", NOBODY.history)


def test_what_is_refused_waits_on_unless_the_log_has_it(inbox: Inbox) -> None:
    inbox.write(proposal(1))
    with pytest.raises(Refused, match="not now"):
        inbox.accept(proposal(1), refuse, NOBODY.history)
    assert inbox.waiting() == (proposal(1),)
    with pytest.raises(Refused, match="not now"):
        inbox.accept(proposal(1), refuse, played("0001"))
    assert (inbox.waiting(), inbox.answers("aa11")) == ((), ())


def test_an_answer_that_cannot_be_written_undoes_nothing(inbox: Inbox) -> None:
    inbox.write(proposal(1))
    inbox.write(proposal(2))
    (inbox.folder / "answers").write_text("a file where the folder should be", "utf-8")
    assert inbox.accept(proposal(1), lambda: "done", NOBODY.history) == "done"
    assert inbox.decline(proposal(2), "too far", NOBODY.history)
    Inbox(inbox.folder).recover(NOBODY.history)
    assert inbox.waiting() == ()


def test_what_is_declined_is_answered_with_the_words_once(inbox: Inbox) -> None:
    inbox.write(proposal(1))
    assert inbox.decline(proposal(1), "too far", NOBODY.history)
    assert not inbox.decline(proposal(1), "too far", NOBODY.history)
    assert [each.words for each in inbox.answers("aa11")] == ["too far"]
