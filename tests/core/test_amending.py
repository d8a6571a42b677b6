"""The past amended: one command changed, the rest decided anew with the dice that fell."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from tests.fallen_dice import FallenDice

from affray import Fight
from affray.cli import main
from affray.core.dice import RecordedDice, RecordedDie, SeededDice
from affray.core.engine.amend import Edit, read_edits
from affray.core.formatting.log_lines import amendment_in_words, describe_difference
from affray.core.parser.errors import Refused
from affray.store import LogError
from affray.store.open_encounter import OpenEncounter

CAMPAIGNS = Path(__file__).parents[2] / "campaigns"
SAMPLES = sorted(CAMPAIGNS.glob("*/encounters/*.toml"))
SETUP = (
    "add pc Mira hp 30 ac 2 power 2 pb 2 attack axe 1d8 slashing",
    "add monster Ghoul x2 cr 2 hp 18 ac 2 fatigue 3 exhaustion 2 attack claws 1d6+2 slashing",
    *("init mira 20", "init ghoul-1 10", "init ghoul-2 8", "start"),
)
NOTHING = "nothing is different"
ROUND = ("strike ghoul-1 roll", "next", "strike mira strong 8", "next", "strike mira strong 8")


def played(folder: Path, *lines: str) -> OpenEncounter:
    """A fight of Monsters & Magic in its first round; the strikes are entries 7, 9 and 11."""
    fight = OpenEncounter.create(
        folder / "fight.toml", "monsters-and-magic", "Amended", SeededDice(3)
    )
    for line in (*SETUP, *(lines or ROUND)):
        fight.do(line)
    return fight


def hp(fight: OpenEncounter, who: str) -> int:
    found = fight.state.find(who)
    assert found is not None
    return found.tracks["hp"].value


def test_an_outcome_that_was_called_wrongly_two_turns_back(tmp_path: Path) -> None:
    with played(tmp_path) as fight:
        assert hp(fight, "mira") == 18
        fight.do("amend 9 strike mira weak 8")
        assert hp(fight, "mira") == 30 - 2 - 6  # half of 8 and AC 2, then 8 and AC 2
        assert fight.state.turn == "ghoul-2"


def test_it_is_one_entry_to_undo_and_the_old_way_stays_as_a_branch(tmp_path: Path) -> None:
    with played(tmp_path) as fight:
        old, before = list(fight.history.path), fight.state
        fight.do("amend 9 strike mira miss")
        assert hp(fight, "mira") == 24
        assert [b.entries for b in fight.history.branches()] == [old[8:]]
        fight.do("damage mira 1")
        fight.do("undo 2")
        assert fight.state is before and fight.history.path == old
        assert fight.history.redo_title == "amended: entry 9, Ghoul 1 strikes Mira, miss"
        fight.do("redo")
        assert hp(fight, "mira") == 24


def test_it_is_there_again_when_the_file_is_read(tmp_path: Path) -> None:
    with played(tmp_path) as fight:
        fight.do("amend 9 strike mira miss")
        path, state = fight.history.path, fight.state
    with OpenEncounter.open(tmp_path / "fight.toml") as again:
        assert again.history.path == path
        assert not describe_difference(state, again.ruleset.tables, again.state)
        again.do("undo")
        assert hp(again, "mira") == 18


def test_until_its_last_entry_is_written_the_fight_is_the_old_one(tmp_path: Path) -> None:
    """Whatever comes in between: what is written aside is a way that was left, and no more."""
    with played(tmp_path) as fight:
        old, state = list(fight.history.path), fight.state
        fight.do("amend 9 strike mira miss")
    path = tmp_path / "fight.toml"
    blocks = path.read_bytes().split(b"[[entry]]")
    for written in range(len(old), len(blocks) - 1):
        path.write_bytes(b"[[entry]]".join(blocks[: written + 1]))
        viewed = OpenEncounter.view(path)
        assert viewed.history.path == old
        assert not describe_difference(state, viewed.ruleset.tables, viewed.state)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_amended_to_itself_a_fight_is_what_it_was(path: Path) -> None:
    fight = OpenEncounter.view(path)
    for seq in fight.history.path[::11]:
        made = fight.amendment(f"amend {Edit(seq, fight.history.entries[seq].command)}")
        assert made is not None and not made.others
        assert not describe_difference(fight.state, fight.ruleset.tables, made.state)
        assert not any(step.new for step in made.steps)


@settings(max_examples=12)
@given(st.data())
def test_amended_and_amended_back_a_fight_is_what_it_was(data: st.DataObject) -> None:
    """In every rule system: a note put in and taken out again, or damage that never was."""
    fight = OpenEncounter.view(data.draw(st.sampled_from(SAMPLES)))
    state, path = fight.state, list(fight.history.path)
    seq = data.draw(st.sampled_from(path))
    fight.do_in_memory(f'amend before {seq} note "a word"')
    put_in = fight.history.path[path.index(seq)]
    assert not describe_difference(state, fight.ruleset.tables, fight.state)
    fight.do_in_memory(f"amend {put_in} out")
    assert not describe_difference(state, fight.ruleset.tables, fight.state)
    faces = [
        [
            event
            for event in fight.history.entries[each].events
            if event.__struct_config__.tag == "rolled"
        ]
        for each in fight.history.path
    ]
    was = [
        [
            event
            for event in fight.history.entries[each].events
            if event.__struct_config__.tag == "rolled"
        ]
        for each in path
    ]
    assert faces == was


def test_what_cant_matter_to_later_commands_changes_only_what_it_should(tmp_path: Path) -> None:
    with played(tmp_path, *ROUND, "next", "strike ghoul-2 roll") as fight:
        made = fight.amendment("amend 9 strike mira miss")
        assert made is not None
        assert [step.old.seq for step in made.others if step.old] == [9]
        told = describe_difference(fight.state, fight.ruleset.tables, made.state)
        assert told == ["Mira +6 HP, now 24 of 30"]


def test_what_cant_be_done_any_more_is_left_out_and_told(tmp_path: Path) -> None:
    with played(tmp_path) as fight:
        made = fight.amendment("amend 8 out")
        assert made is not None
        told = amendment_in_words(fight.state, fight.ruleset.tables, made)
        assert any(
            "9 Ghoul 1 strikes Mira" in line and "left out, Mira can't" in line for line in told
        )


def test_the_end_of_a_turn_stays_with_whose_turn_it_was(tmp_path: Path) -> None:
    """Who falls before their turn has none: what ended it ends nobody else's."""
    with played(tmp_path) as fight:
        fight.do("next")
        assert fight.state.turn == "mira"
        fight.do("amend before 8 damage ghoul-1 99")
        assert fight.state.turn == "mira" and fight.state.round == 2
        assert hp(fight, "mira") == 24  # the second ghoul struck her, the first one did not


def test_who_is_alive_by_now_has_a_turn_and_all_that_came_behind_stays(tmp_path: Path) -> None:
    """A later command that can be done is done; nobody's turn is in its way."""
    lines = ("strike ghoul-1 strong 20", "next", "strike mira strong 8", "next", "move")
    with played(tmp_path, *lines) as fight:
        assert (fight.state.turn, fight.state.round) == ("mira", 2)
        made = fight.amendment("amend 7 strike ghoul-1 weak 20")
        assert made is not None
        told = amendment_in_words(fight.state, fight.ruleset.tables, made)
        assert "inserted: next → Ghoul 1's turn ends; Ghoul 2 is up" in told
        assert not any("left out" in line for line in told)
        fight.do("amend 7 strike ghoul-1 weak 20")
        assert (hp(fight, "ghoul-1"), hp(fight, "mira")) == (10, 24)
        assert (fight.state.turn, fight.state.round) == ("mira", 2)
        seq = fight.history.path[6]
        fight.do(f"amend {seq} strike ghoul-1 strong 20")  # the turn that it had goes again
        assert (hp(fight, "ghoul-1"), hp(fight, "mira")) == (0, 24)
        assert (fight.state.turn, fight.state.round) == ("mira", 2)


def test_what_they_did_in_the_turn_they_have_by_now_is_put_in(tmp_path: Path) -> None:
    lines = ("strike ghoul-1 strong 20", "next", "strike mira strong 8", "next", "move")
    with played(tmp_path, *lines) as fight:
        fight.do("amend 7 strike ghoul-1 weak 20; before 9 strike mira strong 4")
        assert (hp(fight, "ghoul-1"), hp(fight, "mira")) == (10, 30 - 2 - 6)
        assert (fight.state.turn, fight.state.round) == ("mira", 2)


RATS = (
    "add monster Rat x3 hp 4 ac 0 group",
    *("init rat 15", "strike rat-1 strong 8", "next", "strike mira strong 5"),
    *("strike mira strong 6", "next", "strike mira strong 4"),
)


def test_what_a_member_of_a_group_did_unsaid_stays_with_it(tmp_path: Path) -> None:
    """docs/groups.md, Its turn: the first who can act does so unsaid, and any member may act."""
    with played(tmp_path, *RATS) as fight:
        fight.do("amend 9 strike rat-1 miss")
        assert (hp(fight, "rat-1"), hp(fight, "mira")) == (4, 30 - 3 - 4 - 2)
        assert fight.state.turn == "ghoul-1"


def test_the_end_of_a_groups_turn_stays_though_its_first_is_dead_by_now(tmp_path: Path) -> None:
    """docs/groups.md, Its turn: when the first falls, the turn is still the group's."""
    with played(tmp_path, *RATS) as fight:
        fight.do("amend 9 strike rat-2 strong 8; 11 strike mira strong 5 by rat-3; 12 out")
        assert fight.state.turn == "ghoul-1"
        assert (hp(fight, "rat-2"), hp(fight, "mira")) == (0, 30 - 3 - 2)


def test_what_a_member_did_who_is_dead_by_now_is_left_out(tmp_path: Path) -> None:
    with played(tmp_path, *RATS) as fight:
        fight.do("amend 9 strike rat-2 strong 8")
        assert (hp(fight, "rat-1"), hp(fight, "mira")) == (4, 30 - 2)
        assert fight.state.turn == "ghoul-1"


def test_later_commands_are_changed_or_struck_out_with_it(tmp_path: Path) -> None:
    with played(tmp_path) as fight:
        fight.do("amend 9 strike mira miss; 11 out; before 10 damage ghoul-1 2")
        assert (hp(fight, "mira"), hp(fight, "ghoul-1")) == (30, hp(fight, "ghoul-1"))
        assert [fight.history.entries[seq].text for seq in fight.history.path[8:]] == [
            "Ghoul 1 strikes Mira, miss",
            "Ghoul 1 takes 2",
            "Ghoul 1's turn ends; Ghoul 2 is up",
        ]


def test_who_joined_later_joins_as_they_did_whatever_the_bestiary_says_now(tmp_path: Path) -> None:
    (tmp_path / "encounters").mkdir()
    (tmp_path / "campaign.toml").write_text('ruleset = "orcus"\n', "utf-8")
    (tmp_path / "bestiary.toml").write_text("[rat]\nhp = 8\n", "utf-8")
    path = tmp_path / "encounters" / "f.toml"
    with OpenEncounter.create(path, "orcus", "F", SeededDice(3)) as fight:
        for line in ("add pc Mira hp 30", "add rat x2", "damage rat-1 3"):
            fight.do(line)
    (tmp_path / "bestiary.toml").write_text("", "utf-8")
    with OpenEncounter.open(path) as fight:
        fight.do("amend 1 add pc Mira hp 40")
        assert (hp(fight, "mira"), hp(fight, "rat-1"), hp(fight, "rat-2")) == (40, 5, 8)


def test_what_came_from_the_ledger_stays_though_the_ledger_has_gone_on(tmp_path: Path) -> None:
    (tmp_path / "encounters").mkdir()
    (tmp_path / "campaign.toml").write_text('ruleset = "monsters-and-magic"\n', "utf-8")
    (tmp_path / "party.toml").write_text("[mira]\nhp = 30\n", "utf-8")
    OpenEncounter.create(tmp_path / "ledger.toml", "monsters-and-magic", "Ledger").close()
    path = tmp_path / "encounters" / "f.toml"
    with OpenEncounter.create(path, "monsters-and-magic", "F", SeededDice(3)) as fight:
        for line in ("add monster Ghoul hp 20", "add party", "start", "damage mira 10", "end"):
            fight.do(line)
        assert hp(fight, "mira") == 20
        fight.do("amend 1 add monster Ghoul hp 25")
        assert (hp(fight, "mira"), hp(fight, "ghoul")) == (20, 25)


def test_when_nothing_is_left_it_can_be_undone_all_the_same(tmp_path: Path) -> None:
    with played(tmp_path) as fight:
        fight.do("amend 11 out")
        assert hp(fight, "mira") == 24
        fight.do("undo")
        assert hp(fight, "mira") == 18


def test_dice_stay_with_their_rolls_and_what_is_left_over_is_told(tmp_path: Path) -> None:
    with played(tmp_path, "strike ghoul-1 roll", "next", "strike mira roll") as fight:
        rolled = fight.history.entries[9].events
        made = fight.amendment("amend 9 strike ghoul-2 roll")
        assert made is not None and made.steps[0].decision is not None
        assert made.steps[0].decision.events[0].__class__ is rolled[0].__class__
        assert not made.steps[0].new
        called = fight.amendment("amend 9 strike mira miss")
        assert called is not None and called.steps[0].left[0][0] == 20


NEW_DICE = ("amend 9 strike ghoul-2 roll", "amend 9 strike mira roll; before 8 strike ghoul-2 roll")


@pytest.mark.parametrize("line", NEW_DICE)
@pytest.mark.parametrize("saved", [True, False])
def test_what_was_looked_at_is_what_is_done_however_dice_fall(
    tmp_path: Path, line: str, saved: bool
) -> None:
    """It is decided once: dice that are new in it have fallen by the time that it is shown."""
    with played(tmp_path) as kept:
        fight: Fight = kept
        if not saved:
            fight = Fight("monsters-and-magic", "Amended", seed=3)
            fight.do(*SETUP, *ROUND)
        made = fight.amendment(line)
        assert made is not None and any(step.new for step in made.steps)
        fight.dice = FallenDice(())
        assert fight.amend(made).text == made.title
        assert fight.state is made.state
        there = [
            fight.history.entries[seq].events for seq in fight.history.path[-len(made.steps) :]
        ]
        assert there == [step.decision.events for step in made.steps if step.decision is not None]
    if saved:
        seen = OpenEncounter.view(tmp_path / "fight.toml")
        assert not describe_difference(made.state, seen.ruleset.tables, seen.state)


def test_an_amendment_of_a_fight_that_has_gone_on_is_refused(tmp_path: Path) -> None:
    with played(tmp_path) as fight:
        made = fight.amendment("amend 9 strike mira miss")
        assert made is not None
        fight.do("damage mira 1")
        before, state = fight.path.read_bytes(), fight.state
        with pytest.raises(Refused, match="the fight has changed since"):
            fight.amend(made)
        assert fight.path.read_bytes() == before and fight.state is state
        fight.do("undo")
        fight.amend(made)
        assert hp(fight, "mira") == 24


def test_new_dice_lie_as_they_were_seen_when_more_is_amended(tmp_path: Path) -> None:
    with played(tmp_path) as fight:
        first = fight.amendment("amend 9 strike ghoul-2 roll")
        assert first is not None
        fight.dice = SeededDice(99)
        second = fight.amendment(first.line_with(Edit(11, "")), first)
        assert second is not None and second.line == "amend 9 strike ghoul-2 roll; 11 out"
        assert second.steps[0].new == first.steps[0].new != ()
        assert second.steps[0].decision is not None and first.steps[0].decision is not None
        assert second.steps[0].decision.events == first.steps[0].decision.events


@pytest.mark.parametrize("as_command", [True, False])
def test_what_the_command_line_prints_is_what_is_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], as_command: bool
) -> None:
    with played(tmp_path) as fight:
        path = str(fight.path)
    amend = ["amend", path, "9", "strike mira roll"]
    assert main(["do", path, "amend 9 strike mira roll"] if as_command else amend) == 0
    told = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("now: "))
    seen = OpenEncounter.view(Path(path))
    seen.do_in_memory("undo")
    before, tables = seen.state, seen.ruleset.tables
    after = OpenEncounter.view(Path(path)).state
    assert told == f"now: {', '.join(describe_difference(before, tables, after)) or NOTHING}"


def test_each_die_is_kept_for_the_roll_that_it_belonged_to() -> None:
    fell = [
        RecordedDie(20, 7, ("ghoul-1", "save", "")),
        RecordedDie(20, 15, ("ghoul-2", "save", "")),
    ]
    kept = RecordedDice(fell, FallenDice([3]))
    assert kept.of(("ghoul-2", "save", "")).die(20) == 15
    roll = ("ghoul-3", "save", "")
    assert kept.of(roll).die(20) == 3 and kept.new == [RecordedDie(20, 3, roll)]
    assert kept.left == fell[:1]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("amend", "expected an entry number"),
        ("amend 9", "or `out`"),
        ("amend 99 out", "entry 99 is not part of the current fight"),
        ("amend 9 frobnicate", "no command"),
        ("amend 9 damage myra 3", "nobody here is called 'myra'"),
        ("amend 9 undo", "can't be used here"),
        ('amend 9 note "lone', "never closed"),
    ],
)
def test_what_cant_be_amended_is_said_in_a_line(tmp_path: Path, line: str, said: str) -> None:
    with played(tmp_path) as fight:
        before = fight.path.read_bytes()
        with pytest.raises(Refused, match=said):
            fight.do(line)
        assert fight.path.read_bytes() == before


def test_the_command_may_stand_in_quotes_or_not(tmp_path: Path) -> None:
    with played(tmp_path) as fight:
        history = fight.history
        (bare,), (quoted,) = (
            read_edits(history, line) or []
            for line in ("amend 9 damage mira 3", 'amend 9 "damage mira 3"')
        )
        assert bare == quoted == Edit(9, "damage mira 3")
        assert read_edits(history, 'amend 9 note "the gate; it opens"; 11 out') == [
            Edit(9, 'note "the gate; it opens"'),
            Edit(11, ""),
        ]
        assert read_edits(history, "damage mira 3") is None


def test_what_was_forgotten_is_put_in_behind_an_entry(tmp_path: Path) -> None:
    """`amend 8 insert ...`: Mira was protected before the ghouls struck."""
    with played(tmp_path) as fight:
        was = hp(fight, "mira")
        made = fight.amendment("amend 8 insert temp mira 5")
        assert made is not None and made.line == "amend before 9 temp mira 5"
        assert hp(fight, "mira") == was  # nothing is done yet
        fight.do("amend 8 insert temp mira 5")
        assert hp(fight, "mira") == was + 5
        order = [fight.history.entries[seq].command for seq in fight.history.path]
        at = order.index("temp mira 5")
        assert order[at - 1 : at + 2] == ["next", "temp mira 5", "strike mira strong 8"]
        fight.undo()
        assert hp(fight, "mira") == was


def test_what_was_forgotten_can_stand_before_all_others(tmp_path: Path) -> None:
    with played(tmp_path) as fight:
        fight.do('amend 0 insert note "It rains."')
        first = fight.history.entries[fight.history.path[0]]
        assert first.command == 'note "It rains."'


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("amend 11 insert temp mira 5", "that is the last entry: just give the command"),
        ("amend 99 insert temp mira 5", "entry 99 is not part of the current fight"),
        ("amend 9 insert", "expected the new command"),
        ("amend 0 temp mira 5", "entry 0 is not part of the current fight"),
        ("amend 8 insert temp nobody 5", "nobody"),
    ],
)
def test_what_cant_be_put_in_is_refused(line: str, said: str, tmp_path: Path) -> None:
    with played(tmp_path) as fight:
        with pytest.raises(Refused, match=said):
            fight.do(line)
        assert fight.history.last == 11


@pytest.mark.parametrize("line", ["9 strike mira weak 8", "8 insert temp mira 5"])
def test_amend_tells_what_came_of_it_only_once_it_is_saved(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    played(tmp_path).close()

    def full(self: OpenEncounter, made: object) -> None:
        raise LogError("NOT saved: No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(OpenEncounter, "amend", full)
        assert main(["amend", str(tmp_path / "fight.toml"), *line.split()]) == 2
    told = capsys.readouterr()
    assert told.out == "" and "NOT saved" in told.err
    assert main(["amend", str(tmp_path / "fight.toml"), *line.split()]) == 0
    assert capsys.readouterr().out.startswith("amend")
