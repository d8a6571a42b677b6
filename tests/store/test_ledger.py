"""The ledger: what a fight leaves the party with goes into it, and into the next fight."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest
from tests.store.evenings import Evening, carried

from affray.core.dice import SeededDice
from affray.core.engine.events import NoteAdded
from affray.core.engine.state import Track
from affray.core.formatting.log_lines import outcome_lines
from affray.core.parser.errors import Refused
from affray.store import LogError
from affray.store.campaigns import ledger as ledger_files
from affray.store.campaigns.find import rename_encounter
from affray.store.campaigns.manage import archive, copy_encounter
from affray.store.log_file import read_log
from affray.store.open_encounter import OpenEncounter

FORD = (
    "add party",
    "add monster Ghoul hp 10 cr 1",
    "init mira 20",
    "init odo 15",
    "init ghoul 10",
    "start",
    "next",
    "next",
    "strike mira strong 14",
    "mark mira fatigue 2",
    "set gm threads 3",
)


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    return Evening(tmp_path / "vale")


def test_a_fights_end_is_carried_into_the_ledger_as_one_entry(evening: Evening) -> None:
    evening.play("ford", *FORD)
    assert evening.play("ledger").combatants == ()
    fight = evening.play("ford", "end")
    said = "Mira −12 HP, 18 left, +2 Fatigue, now 2 of 5 · GM +3 Threads, now 3"
    assert evening.told == (f"the ledger, entry 1: Mira and Odo come from Ford · {said}",)
    ledger = evening.play("ledger")
    assert ledger.phase == "setup" and ledger.gm("threads") == 3
    assert [c.id for c in ledger.combatants] == ["mira", "odo"]
    assert carried(ledger["mira"]) == carried(fight["mira"])
    (block,) = read_log(evening.ledger_path).blocks
    assert block.table["command"] == 'carry from "ford"'


def test_no_fight_begins_in_the_ledger(evening: Evening) -> None:
    evening.play("ford", *FORD, "end")
    with pytest.raises(Refused, match="the ledger has no fights"):
        evening.play("ledger", "start")


def test_the_party_comes_into_the_next_fight_as_the_ledger_has_it(evening: Evening) -> None:
    evening.play("ford", *FORD, "end")
    with evening.opened("bridge") as fight:
        entry = fight.do("add party")
        assert fight.state["mira"].track("hp") == 18
        assert fight.state["mira"].track("fatigue") == 2
        assert fight.state.gm("threads") == 3
        notes = [event for event in entry.events if isinstance(event, NoteAdded)]
        told = outcome_lines(notes, fight.state, {})
        assert told == ["Mira comes with 18 of 30 HP, 2 fatigue", "the GM has 3 threads"]
        fight.do("undo")
        fight.do("add mira")
        assert fight.state["mira"].track("hp") == 18
        fight.do("set mira hp 30")  # who is to be fresh
        assert fight.state["mira"].track("hp") == 30


def test_why_tells_the_way_back_to_the_blow_in_the_first_fight(evening: Evening) -> None:
    evening.play("ford", *FORD, "end")
    evening.play("ledger", "rest short", "rest mira tend 1")
    evening.play("bridge", "add party", "damage mira 5")
    assert evening.asked("bridge", "why mira hp") == [
        "Mira: HP 22/30",
        "2  −3 5, AC 2  (Mira takes 5)",
        "1  −5 as the ledger has it  (The party joins)",
        "comes from the ledger, entry 3: Mira in a short rest: tend: +7 tended in a rest",
        "comes from the ledger, entry 1: −12 from Ford",
        "comes from Ford, entry 9: Ghoul strikes Mira, strong 14: −12 14, AC 2",
        "comes from Ford, entry 1: The party joins: began at 30",
    ]
    assert evening.asked("bridge", "why gm threads") == [
        "GM: Threads 3",
        "1  +3 as the ledger has it  (The party joins)",
        "comes from the ledger, entry 1: +3 from Ford",
        "comes from Ford, entry 11: GM: threads is 3: +3 by hand",
    ]
    evening.path("ford").unlink()
    assert evening.asked("bridge", "why mira hp")[-1] == (
        "comes from Ford, entry 12, which is no longer there"
    )
    evening.path("ford").write_text("no log", "utf-8")
    assert "comes from Ford, entry 12: " in evening.asked("bridge", "why mira hp")[-1]


def test_why_of_a_total_names_the_entry_of_the_fight_in_which_its_parts_began(
    evening: Evening,
) -> None:
    weakened = "inflict mira weakened by ghoul until freed"
    evening.play("ford", *FORD, weakened, "mark mira exhaustion 2", "end")
    assert evening.asked("ledger", "why mira check")[1:] == [
        "−1 exhaustion · entry 13 of Ford",
        "−2 weakened · entry 12 of Ford, from Ghoul, until freed",
    ]
    evening.play("bridge", "add party", "start", "inflict mira restrained")
    told = evening.asked("bridge", "why mira check")
    assert told[2] == "−2 weakened · entry 12 of Ford, from Ghoul, until freed"
    evening.play("bridge", "mark mira exhaustion 1")
    told = evening.asked("bridge", "why mira check")
    assert told[1] == "−1 exhaustion · entry 4"
    evening.path("ford").unlink()
    told = evening.asked("bridge", "why mira check")
    gone = "−2 weakened · entry 14 of Ford, which is no longer there"
    assert told[2] == f"{gone}, until freed"


def test_a_carry_is_undone_like_any_entry(evening: Evening) -> None:
    evening.play("ford", *FORD, "end")
    assert evening.play("ledger", "undo").combatants == ()
    assert evening.play("bridge", "add party")["mira"].track("hp") == 30
    assert evening.play("ledger", "redo")["mira"].track("hp") == 18


def test_nothing_is_carried_twice(evening: Evening) -> None:
    evening.play("ford", *FORD, "end")
    assert evening.told != ()
    with evening.opened("ford") as fight, pytest.raises(Refused, match="nothing to carry"):
        fight.ask("carry")
    with evening.opened("ledger") as ledger:
        with pytest.raises(Refused, match="nothing to carry"):
            ledger.do('carry from "ford"')
        assert ledger.history.last == 1
    evening.play("ford", "undo", "redo")
    assert len(read_log(evening.ledger_path).blocks) == 1


def test_what_came_behind_the_end_of_a_fight_before_the_last_is_noticed(evening: Evening) -> None:
    evening.play("ford", *FORD, "end")
    evening.play("ledger", "rest short", "rest mira tend 1", "rest mira clear")
    evening.play("weir", *FORD[:6], "end")
    evening.play("ford", "heal mira 3", "mark odo fatigue 1")
    assert evening.told[-1] == "the ledger has changed since: `carry` adds the differences"
    news = 'Ford has changed since it was carried over: `carry from "ford"`'
    evening.play("ledger")
    assert evening.told == (f"{news} adds it",)
    evening.play("bridge")
    assert evening.told == (f"{news} in the ledger adds it",)
    with evening.opened("ford") as fight:
        assert fight.notes == ("the ledger does not have the end of Ford: `carry` adds it",)
        answer = fight.ask("carry")
        assert answer is not None
        assert answer.lines == [
            "the ledger, entry 6: Mira and Odo come again from Ford · Mira +3 HP, now 28 of 30 · "
            "Odo +1 Fatigue, now 1 of 5"
        ]
    ledger = evening.play("ledger")
    assert evening.told == ()
    assert ledger["mira"].track("hp") == 18 + 7 + 3  # the rest is not lost
    assert ledger["mira"].track("fatigue") == 0
    assert evening.asked("ledger", "why mira hp")[1:4] == [
        "6  +3 from Ford  (Mira and Odo come again from Ford)",
        "3  +7 tended in a rest  (Mira in a short rest: tend)",
        "1  −12 from Ford  (Mira and Odo come from Ford)",
    ]


def test_what_came_between_is_kept_however_often_a_fight_is_carried_anew(evening: Evening) -> None:
    """docs/campaigns.md, When something is otherwise: rests that came between are not lost."""
    evening.play("ford", *FORD, "end")
    evening.play("ledger", "rest short", "rest mira tend 1")
    evening.play("ford", "mark odo fatigue 1")
    assert evening.play("ledger")["mira"].track("hp") == 18 + 7
    with evening.opened("ledger") as ledger, pytest.raises(Refused, match="nothing to carry"):
        ledger.do('carry from "ford"')
    evening.play("ford", "heal mira 3")
    assert evening.play("ledger")["mira"].track("hp") == 18 + 7 + 3
    assert evening.play("ledger")["odo"].track("fatigue") == 1


def test_what_finds_no_room_is_not_carried_twice(evening: Evening) -> None:
    evening.play("ford", *FORD, "end")
    evening.play("ledger", "rest extended", "rest mira recuperate")
    evening.play("ford", "heal mira 3", "mark odo fatigue 1")
    assert evening.play("ledger")["mira"].track("hp") == 30
    with evening.opened("ledger") as ledger, pytest.raises(Refused, match="nothing to carry"):
        ledger.do('carry from "ford"')


def test_a_fight_that_is_taken_back_and_ends_otherwise_is_carried_anew(evening: Evening) -> None:
    evening.play("ford", *FORD, "end")
    evening.play("ford", "undo")
    assert evening.told[-1] == "Ford was carried over into the ledger, but is still going on"
    evening.play("ledger")
    assert evening.told == ("Ford was carried over into the ledger, but is still going on",)
    evening.play("ford", "damage mira 7", "end")
    assert evening.play("ledger")["mira"].track("hp") == 13
    evening.play("ledger", "rest short")
    evening.play("ford", "undo", "damage mira 7", "end")
    assert evening.play("ledger")["mira"].track("hp") == 8


def test_a_fight_that_was_edited_by_hand_is_noticed(evening: Evening) -> None:
    evening.play("ford", *FORD, "end")
    path = evening.path("ford")
    path.write_text(path.read_text("utf-8").replace("by = -12", "by = -10"), "utf-8")
    evening.play("ledger")
    assert evening.told == (
        'Ford has changed since it was carried over: `carry from "ford"` adds it',
    )
    assert evening.play("ledger", "carry from ford")["mira"].track("hp") == 20


def test_what_changes_nobody_is_no_news(evening: Evening) -> None:
    evening.play("ford", *FORD, "end")
    evening.play("ford", 'note "they fled"')
    assert not any("`carry`" in line for line in evening.told)
    evening.play("ledger")
    assert evening.told == ()


def test_a_fight_under_another_name_is_known_by_its_sum(evening: Evening) -> None:
    evening.play("ford", *FORD, "end")
    rename_encounter(evening.path("ford"), "The Ford at Dusk")
    copy_encounter(evening.path("ford"), "What if they had fled")
    evening.path("ford").rename(evening.path("the-ford"))
    evening.play("ledger")
    assert evening.told == ()


def test_why_goes_on_in_a_fight_that_was_put_away(evening: Evening) -> None:
    evening.play("ford", *FORD, "end")
    archive(evening.path("ford"))
    assert evening.asked("ledger", "why mira hp")[-1] == (
        "comes from Ford, entry 1: The party joins: began at 30"
    )
    evening.play("ledger")
    assert evening.told == ()


def test_the_end_is_saved_though_the_ledger_is_open_elsewhere(evening: Evening) -> None:
    evening.play("ford", *FORD)
    with evening.opened("ledger"):
        assert evening.play("ford", "end").phase == "ended"
    assert evening.told == (
        "the result of Ford was not carried over into the ledger: "
        f"{evening.ledger_path} is open for writing elsewhere; `carry` does it",
    )
    evening.play("ford", "carry")
    assert evening.play("ledger")["mira"].track("hp") == 18


def test_behind_a_fights_end_the_ledger_is_read_only_when_it_was_saved_anew(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.play("ford", *FORD, "end")
    read, view = [], OpenEncounter.view
    monkeypatch.setattr(OpenEncounter, "view", lambda path: read.append(path) or view(path))
    with evening.opened("ford") as fight:
        with OpenEncounter.open(evening.ledger_path):  # so that nothing is carried yet
            for line in ("mark mira fatigue 1", "mark odo fatigue 1", "note late"):
                fight.do(line)
                assert ledger_files.needs_sync(fight)
        assert len(read) == 1
        assert fight.ask("carry") is not None
        assert not ledger_files.needs_sync(fight) and not ledger_files.needs_sync(fight)
        assert len(read) == 2


def test_only_a_fight_that_is_over_or_not_begun_asks_to_be_carried(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "vale", ledger=False)
    with evening.opened("ford") as fight:
        assert not ledger_files.needs_sync(fight)
        fight.do(*FORD)
        assert not ledger_files.needs_sync(fight)
        fight.do("end")
        assert ledger_files.needs_sync(fight), "it would begin a ledger"
        with OpenEncounter.view(fight.path) as looking:
            assert not ledger_files.needs_sync(looking)
        assert fight.ask("carry") is not None
        assert not ledger_files.needs_sync(fight)
        with OpenEncounter.open(evening.ledger_path):  # so that nothing is carried yet
            fight.do("mark odo fatigue 1")
        assert ledger_files.needs_sync(fight)
        evening.ledger_path.write_text("no log", "utf-8")
        assert not ledger_files.needs_sync(fight), "it could not be done"
    with evening.opened("bridge") as fight:
        assert not ledger_files.needs_sync(fight)


def test_the_ledger_asks_to_be_carried_nowhere(evening: Evening) -> None:
    with evening.opened("ledger") as ledger:
        assert not ledger_files.needs_sync(ledger)


def test_a_ledger_that_can_not_be_read_is_told_to_who_only_looks_on(evening: Evening) -> None:
    evening.play("ford", *FORD, "end")
    evening.ledger_path.write_text("no log", "utf-8")
    with (
        OpenEncounter.view(evening.path("ford")) as looking,
        pytest.raises(Refused, match=r"ledger\.toml is not an affray log"),
    ):
        looking.ask("carry")


def test_a_fight_that_may_not_be_read_is_named(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.play("ford", *FORD, "end")
    denied = PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    with evening.opened("ledger") as ledger:
        monkeypatch.setattr(ledger_files, "read_bytes", Mock(side_effect=denied))
        with pytest.raises(Refused) as refusal:
            ledger.do("carry from ford")
    assert refusal.value.message == f"{evening.path('ford')}: Permission denied"


def test_an_end_that_was_not_carried_is_found_at_the_next_opening(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.play("ford", *FORD)
    with monkeypatch.context() as killed:
        killed.setattr(ledger_files, "sync_notice", lambda *_: ledger_files.LedgerNotice(""))
        evening.play("ford", "end")
    for name, where in (("ledger", ""), ("bridge", " in the ledger")):
        evening.play(name)
        assert evening.told == (f'Ford is not carried over: `carry from "ford"`{where} adds it',)
    evening.play("ford")
    assert evening.told == ("the ledger does not have the end of Ford: `carry` adds it",)
    assert evening.play("ledger", "carry from ford")["mira"].track("hp") == 18
    evening.play("bridge")
    assert evening.told == ()


def test_a_campaign_without_a_ledger_goes_on_as_it_is(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "vale", ledger=False)
    evening.play("ford", *FORD, "end")
    hint = "nothing is carried over yet: `carry` begins a ledger for the next fight"
    assert evening.told == (hint,)
    assert not evening.ledger_path.exists()
    assert evening.play("bridge", "add party")["mira"].track("hp") == 30
    with evening.opened("ford") as fight:
        told = fight.preview_command("carry")
        assert told == "begins the ledger with what the party has left"
        assert not evening.ledger_path.exists()
    evening.play("ford", "carry")
    assert evening.play("ledger")["mira"].track("hp") == 18


def test_a_fight_outside_of_a_campaign_knows_of_no_ledger(tmp_path: Path) -> None:
    path = tmp_path / "ford.toml"
    with OpenEncounter.create(path, "monsters-and-magic", "Ford", dice=SeededDice(3)) as fight:
        fight.do("add pc Mira hp 30")
        fight.do("start")
        fight.do("end")
        assert fight.notes == ()
        with pytest.raises(Refused, match="only the fights of a campaign"):
            fight.do("carry")
    assert [p.name for p in tmp_path.iterdir() if p.suffix == ".toml"] == ["ford.toml"]


def test_fights_from_before_the_ledger_are_not_asked_for(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "vale", ledger=False)
    evening.play("ford", *FORD, "end")
    OpenEncounter.create(evening.ledger_path, evening.rules, "Ledger", now=evening.now).close()
    evening.play("ledger")
    assert evening.told == ()
    assert evening.play("ledger", "carry from ford")["mira"].track("hp") == 18


def test_a_party_that_was_there_before_is_brought_to_where_the_ledger_has_it(
    evening: Evening,
) -> None:
    evening.play("bridge", "add party")
    evening.play("ford", *FORD, "end")
    evening.play("bridge")
    said = "the party no longer matches the ledger: `carry` updates it"
    assert evening.told == (said,)
    fight = evening.play("bridge", "carry")
    assert (fight["mira"].track("hp"), fight.gm("threads")) == (18, 3)
    evening.play("bridge", "rest short", "set mira hp 30")
    evening.play("bridge")
    assert evening.told == ()  # it is as the GM wants it, and nothing came since
    with evening.opened("bridge") as opened:
        opened.do("start")
        with pytest.raises(Refused, match="before `start` or after `end`"):
            opened.do("carry")


def test_what_somebody_has_from_a_foe_is_from_no_other_of_that_name(evening: Evening) -> None:
    lines = (
        "inflict mira slowed from ghoul until rest",
        "inflict odo frightened from mira until rest",
    )
    evening.play("ford", *FORD, *lines, "end")
    fight = evening.play("bridge", "add party", "add monster Ghoul hp 10 cr 1")
    slowed, frightened = fight["mira"].named("slowed"), fight["odo"].named("frightened")
    assert slowed is not None and slowed.source == "Ghoul of Ford"
    assert frightened is not None and frightened.source == "mira"


def test_what_belongs_to_a_place_stays_there_with_who_is_up(evening: Evening) -> None:
    lines = ("inflict mira prone", "inflict mira doomed")
    evening.play("ford", *FORD, *lines, "damage odo 30", "end")
    ledger = evening.play("ledger")
    assert [effect.name for effect in ledger["mira"].effects] == ["doomed"]
    assert ledger["odo"].life == "dying"
    assert {effect.name for effect in ledger["odo"].effects} == {"unconscious", "prone"}


def test_who_has_risen_a_level_comes_with_what_that_brings(evening: Evening) -> None:
    evening.play("ford", *FORD, "end")
    party = evening.folder / "party.toml"
    text = party.read_text("utf-8").replace("hp = 30", "hp = 36").replace("hp = 20", "hp = 24")
    party.write_text(text.replace("ac = 2", "ac = 3"), "utf-8")
    fight = evening.play("bridge", "add party")
    mira, odo = fight["mira"], fight["odo"]
    assert (mira.track("hp"), mira.tracks["hp"].max, mira.number("ac")) == (18, 36, 3)
    assert (odo.track("hp"), odo.tracks["hp"].max) == (24, 24)  # unhurt


def test_what_is_left_of_the_potions_goes_along_and_the_rest_is_as_the_sheet_has_it(
    evening: Evening,
) -> None:
    party = evening.folder / "party.toml"
    text = party.read_text("utf-8").replace("hp = 30", 'hp = 30\nitem = ["potion x3 hand 1"]')
    party.write_text(text, "utf-8")
    used = ("use potion by mira", 'bond odo mira 1 "The ford."')
    evening.play("ford", "add party", *used, *FORD[1:], "end")
    party.write_text(text.replace("x3", "x9").replace("ac = 2", "ac = 3"), "utf-8")
    fight = evening.play("bridge", "add party")
    assert fight["mira"].stats["items"] == [{"name": "potion", "count": 2}]
    assert fight["mira"].number("ac") == 3
    assert fight["odo"].stats["bonds"] == [{"other": "Mira", "amount": 1, "text": "The ford."}]
    evening.play("ledger", "rest long", "gear mira item potion")
    assert evening.play("gate", "add party")["mira"].stats["items"][0]["count"] == 3


def test_a_log_names_no_file_but_those_of_its_campaign(evening: Evening) -> None:
    evening.play("ford", *FORD, "end")
    evening.play("bridge", "add party")
    secret = evening.folder.parent / "secret.toml"
    secret.write_bytes(evening.ledger_path.read_bytes())
    path = evening.path("bridge")
    for elsewhere in ("../secret.toml", "encounters/../../secret.toml", str(secret)):
        text = path.read_text("utf-8")
        path.write_text(text.replace('log = "ledger.toml"', f'log = "{elsewhere}"'), "utf-8")
        told = evening.asked("bridge", "why mira hp")
        assert told[-1] == "comes from the ledger, entry 1, which is no longer there"
        path.write_text(text, "utf-8")


def test_a_ledger_that_can_not_be_read_is_named(evening: Evening) -> None:
    evening.play("ford", *FORD, "end")
    evening.ledger_path.write_text("no log", "utf-8")
    with OpenEncounter.create(
        evening.path("bridge"), evening.rules, "Bridge", dice=SeededDice(3)
    ) as fight:
        with pytest.raises(Refused, match=r"ledger\.toml"):
            fight.do("add party")
        assert fight.state.combatants == ()
    evening.play("bridge")
    assert len(evening.told) == 1 and "ledger.toml" in evening.told[0]
    evening.play("ford", "undo", "end")
    assert "was not carried over into the ledger: " in evening.told[-1]
    with pytest.raises(LogError):
        evening.play("ford", "carry")


@pytest.mark.parametrize(
    "line,said",
    [
        ("carry", "expected `from` and the encounter to carry over"),
        ("carry from brigde", "the campaign has no encounter 'brigde'; did you mean bridge?"),
        ("carry from bridge", "Bridge is not over: `end` closes it and carries its result over"),
        ("carry from inn", "nobody from the campaign's party.toml was in Inn"),
    ],
)
def test_what_can_not_be_carried_is_said(line: str, said: str, evening: Evening) -> None:
    evening.play("bridge", "add party", "start")
    evening.play("inn", "add pc Stranger hp 3", "start", "end")
    with evening.opened("ledger") as ledger, pytest.raises(Refused) as refusal:
        ledger.do(line)
    assert refusal.value.message.startswith(said)


def test_nothing_is_written_where_a_carry_is_only_tried(evening: Evening) -> None:
    evening.play("ford", *FORD, "end")
    with evening.opened("ledger"):
        evening.play("ford", "heal mira 3")
    before = evening.ledger_path.read_bytes()
    viewed = OpenEncounter.view(evening.path("ford"))
    answer = viewed.ask("carry")
    assert answer is not None and "Mira +3 HP" in answer.lines[0]
    assert evening.ledger_path.read_bytes() == before


def test_who_leaves_before_the_end_is_carried_as_they_left(evening: Evening) -> None:
    evening.play("ford", *FORD, "leave mira", "damage odo 2", "end")
    assert evening.told == (
        "the ledger, entry 1: Odo and Mira come from Ford · Odo −2 HP, 18 left · "
        "Mira −12 HP, 18 left, +2 Fatigue, now 2 of 5 · GM +3 Threads, now 3",
    )
    assert evening.asked("ledger", "why mira hp")[2].startswith("comes from Ford, entry 9: Ghoul")
    evening.play("weir", "add party", "start", "damage mira 4", "leave party", "end")
    assert evening.play("ledger")["mira"].track("hp") == 16


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right of their own there")
def test_a_fight_by_another_name_of_its_file_is_the_same(evening: Evening, tmp_path: Path) -> None:
    evening.play("ford", *FORD)
    link = tmp_path / "tonight.toml"
    link.symlink_to(evening.path("ford"))
    with OpenEncounter.open(link) as fight:
        fight.do("end")
    assert read_log(evening.ledger_path).blocks[0].table["command"] == 'carry from "ford"'
    evening.play("ledger")
    assert evening.told == ()


def test_of_several_that_wait_the_one_that_was_played_first_is_named_first(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as killed:
        killed.setattr(ledger_files, "sync_notice", lambda *_: ledger_files.LedgerNotice(""))
        for name in ("weir", "ford"):
            evening.play(name, *FORD, "end")
    evening.play("ledger")
    assert [line.partition(" ")[0] for line in evening.told] == ["Weir", "Ford"]


def test_a_maximum_that_was_lowered_and_is_back_is_lowered_by_as_much(tmp_path: Path) -> None:
    evening = Evening(tmp_path, "adventure-school", "[runa]\nhp = 40\nstamina = 5\n")
    lines = ("add party", "add monster Ghoul hp 9", "init 1 30", "init roll", "start")
    evening.play("ford", *lines, "exhaust 2 by runa", "end")
    assert evening.play("ledger")["runa"].tracks["stamina"] == Track(3, 3, lowered=2)
    assert evening.play("ledger", "rest short")["runa"].tracks["stamina"] == Track(3, 5)
    evening.play("ford", "exhaust 1 by runa")
    assert evening.play("ledger")["runa"].tracks["stamina"] == Track(2, 4, lowered=1)


GEARED = """[mira]
hp = 30
pb = 1
gold = 10
item = ["potion x2 hand 1"]
"""


def test_what_play_has_changed_of_a_sheet_goes_along_and_the_rest_is_as_it_is_written(
    tmp_path: Path,
) -> None:
    evening = Evening(tmp_path, party=GEARED)
    lines = ("add party", "init mira 9", "start", "use potion by mira", "end")
    evening.play("ford", *lines)
    evening.play("ledger", "rest extended sheltered 1", "rest mira job 5 level-up tier")
    party = evening.folder / "party.toml"
    party.write_text(GEARED.replace("hp = 30", "hp = 36").replace("gold = 10", "ac = 1"), "utf-8")
    fight = evening.play("bridge", "add party")["mira"]
    assert (fight.number("gold"), fight.number("pb"), fight.number("ac")) == (15, 2, 1)
    assert "count" not in fight.stats["items"][0]  # one of two is left
    assert (fight.tracks["hp"], fight.tracks["threads"].max) == (Track(36, 36), 2)
    evening.play("bridge", "init mira 9", "start", "set mira gold 3", "damage mira 4", "end")
    mira = evening.play("ledger")["mira"]
    assert (mira.number("gold"), mira.number("pb"), mira.number("ac")) == (3, 2, 1)
    assert mira.tracks["hp"] == Track(33, 36)
    party.write_text(party.read_text("utf-8").replace("hp = 36", "hp = 40"), "utf-8")
    fight = evening.play("mill", "add party")["mira"]
    assert (fight.number("gold"), fight.tracks["hp"]) == (3, Track(33, 40))


def test_logs_that_lead_to_each_other_are_told_of_up_to_an_end(evening: Evening) -> None:
    evening.play("ford", *FORD, "end")
    text = evening.ledger_path.read_text("utf-8")
    text = text.replace(
        'log = "encounters/ford.toml", entry = 12', 'log = "ledger.toml", entry = 1'
    )
    evening.ledger_path.write_text(text, "utf-8")
    for who in ("mira", "odo"):  # of whom something was carried, and nothing
        told = evening.asked("ledger", f"why {who} hp")
        assert 2 <= len(told) <= 14


def test_who_joined_at_the_table_is_told_to_stay_behind_and_comes_once_kept(
    evening: Evening,
) -> None:
    evening.play("ford", "add party", "add pc Dun hp 12", "init 1 9", "start", "damage dun 4")
    evening.play("ford", "end")
    said = (
        "Dun stays behind: `keep dun` in Ford, then `carry`, for the next fight; Mira and Odo come"
    )
    assert said in evening.told[-1]
    assert evening.play("ledger").find("dun") is None
    evening.play("ford", "keep dun", 'note "Dun stays."')
    assert evening.play("ledger")["dun"].track("hp") == 8


def test_things_used_up_in_one_fight_are_gone_in_the_next(tmp_path: Path) -> None:
    evening = Evening(tmp_path, "5e", '[mira]\nhp = 30\nac = 12\nitem = ["potion x2", "rope"]\n')
    evening.play("ford", "add party", "init mira 9", "start", "use potion by mira", "end")
    mira = evening.play("bridge", "add party", "item mira torch +3")["mira"]
    assert [(each["name"], each.get("count", 1)) for each in mira.stats["items"]] == [
        ("potion", 1),
        ("rope", 1),
        ("torch", 3),
    ]
