"""affray for scripts: what docs/library.md shows is so, and importing it costs nothing."""

from __future__ import annotations

import doctest
import subprocess
import sys
from pathlib import Path

import pytest

import affray
from affray.store.open_encounter import OpenEncounter

PAGE = Path(__file__).parents[1] / "docs" / "library.md"


def test_what_the_page_shows_is_so() -> None:
    flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    found = doctest.testfile(str(PAGE), module_relative=False, optionflags=flags)
    assert found.attempted > 10 and not found.failed


def test_importing_loads_nothing_until_it_is_used() -> None:
    code = "import affray, sys; print(*[m for m in sys.modules if m.startswith('affray.')])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not run.stdout.strip()


def test_a_fight_never_loads_the_screen() -> None:
    code = "import affray, sys; affray.Fight('plain'); print('textual' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


def test_the_same_seed_gives_the_same_fight() -> None:
    lines = ("add pc Mira hp 30", "add monster Ghoul x3 hp 20", "init roll all", "start")
    first, second = (affray.Fight("orcus", seed=7) for _ in range(2))
    for fight in (first, second):
        fight.do(*lines)
    assert first.report()["order"] == second.report()["order"]


def test_the_first_that_is_refused_ends_it_and_changes_nothing() -> None:
    fight = affray.Fight("plain")
    with pytest.raises(affray.Refused):
        fight.do("add pc Mira hp 30", "damage mira many", "damage mira 5")
    assert fight["mira"].hp == 30


def test_what_somebody_has_not_is_said_with_what_is_close() -> None:
    fight = affray.Fight("plain")
    fight.do("add pc Mira hp 30")
    with pytest.raises(AttributeError, match="has no 'temp_hpp'"):
        _ = fight["mira"].temp_hpp


def test_names_are_offered_for_completion_without_loading_anything() -> None:
    assert {*dir(affray)} == {*affray.__all__, "open", "__version__"}
    fight = affray.Fight("plain")
    fight.do("add pc Mira hp 30 ac 14")
    assert {"hp", "ac", "effects", "name"} <= {*dir(fight["mira"])}


def test_what_a_script_meets_is_told_in_a_short_line() -> None:
    fight = affray.Fight("plain", seed=1)
    fight.do("add pc Mira hp 30", "damage mira 3")
    made = fight.amendment("amend 2 damage mira 5")
    shown = [repr(each) for each in (fight, fight["mira"], made, fight.history)]
    assert shown == [
        "<Fight plain: setup, entry 2>",
        "<Mira: 27/30 HP, up>",
        "<Amendment: amend 2 damage mira 5: 1 of 1 are otherwise>",
        "<History: 2 entries, at entry 2>",
    ]
    assert repr(fight.preview("damage mira 4")) == "<Decision: Mira takes 4>"


def test_a_file_that_is_not_there_raises_what_can_be_caught_by_its_name_here(
    tmp_path: Path,
) -> None:
    with pytest.raises(affray.LogError, match="there is no file"):
        affray.open(tmp_path / "nothing.toml")


def test_a_saved_fight_is_opened_played_and_closed(tmp_path: Path) -> None:
    path = tmp_path / "fight.toml"
    OpenEncounter.create(path, "orcus", "On paper").close()
    with affray.open(path, seed=3) as fight:
        fight.do("add pc Mira hp 30")
    with affray.open(path) as again:
        assert again.state.combatants[0].name == "Mira"


def test_a_track_of_the_gms_is_explained_as_by_the_command() -> None:
    fight = affray.Fight("monsters-and-magic")
    fight.do("set gm threads 3")
    answer = fight.ask("why gm threads")
    assert answer is not None and fight.why("gm", "threads") == answer.lines
    assert answer.lines == ["GM: Threads 3", "1  +3 by hand  (GM: threads is 3)"]


def test_a_star_import_leaves_pythons_open_as_it_is() -> None:
    names: dict[str, object] = {}
    exec("from affray import *", names)
    assert "Fight" in names and "open" not in names


def test_a_fight_is_asked_for_people_as_a_dict_is() -> None:
    fight = affray.Fight("plain")
    assert fight and len(fight) == 0
    fight.do("add pc Mira hp 30", "add monster Ghoul hp 9")
    assert "mira" in fight and fight["ghoul"] in fight and "odo" not in fight and 7 not in fight
    assert (len(fight), [who.name for who in fight]) == (2, ["Mira", "Ghoul"])
    with pytest.raises(LookupError, match="nobody here is called 'odo'"):
        _ = fight["odo"]
    assert fight["mira"] == fight["mira"] != fight["ghoul"]
    assert len({fight["mira"], fight["mira"]}) == 1


def test_entries_are_those_that_count() -> None:
    fight = affray.Fight("plain")
    fight.do("add pc Mira hp 30", "damage mira 3", "undo", "heal mira 1")
    assert [entry.command for entry in fight.entries] == ["add pc Mira hp 30", "heal mira 1"]
