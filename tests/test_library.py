"""affray for scripts: what docs/library.md shows is so, and importing it costs nothing."""

from __future__ import annotations

import copy
import doctest
import pydoc
import re
import subprocess
import sys
from pathlib import Path
from shutil import copytree

import pytest
from tests.other_bones import BONES

import affray
from affray.core.parser import arguments
from affray.core.parser.prompt_fields import Field
from affray.mechanics.checks import RollModifiers
from affray.store.open_encounter import OpenEncounter

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "library.md"


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
    with pytest.raises(affray.Refused, match="found 'many'"):
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
        "<Amendment: amend 2 damage mira 5: 1 of 1 differ>",
        "<History: 2 entries, at entry 2>",
    ]
    assert repr(fight.preview("damage mira 4")) == "<Decision: Mira takes 4>"
    bones = affray.Fight(BONES)
    bones.do("add pc Mira grit 4")
    assert repr(bones["mira"]) == "<Mira: 4/4 grit, up>"


def test_what_an_author_meets_in_an_error_is_short() -> None:
    damage = affray.Fight("plain").ruleset.commands["damage"]
    number = arguments.keyword_arg("plus", arguments.number_arg("the bonus"))
    words = arguments.keyword_args(RollModifiers)
    shown = [repr(each) for each in (BONES, damage, number, words, Field("target", ("foe",)))]
    assert shown == [
        "<Ruleset bones>",
        "<Command damage>",
        "<Argument plus N>",
        "<Argument RollModifiers>",
        "Field(kind='target', options=('foe',))",
    ]


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


def test_the_pages_own_scripts_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a copy of the campaign, each as its own page has it."""
    copytree(ROOT / "campaigns" / "drowned-vale", tmp_path / "campaigns" / "drowned-vale")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S)
    assert len(blocks) == 2
    for block in blocks:
        exec(block, {"affray": affray})
    viewed = affray.view("campaigns/drowned-vale/encounters/the-sluice-gate.toml")
    assert viewed.entries[-1].title == "Note: the gate is shut"


def test_a_fight_that_is_viewed_is_never_written(tmp_path: Path) -> None:
    path = tmp_path / "fight.toml"
    OpenEncounter.create(path, "plain", "On paper").close()
    before = path.read_bytes()
    fight = affray.view(path)
    with pytest.raises(affray.LogError, match="read-only"):
        fight.note("not kept")
    assert path.read_bytes() == before
    with affray.open(path) as played:  # by another hand, while it is looked at
        played.note("kept")
    assert fight.follow() and fight.entries[-1].title == "Note: kept"


def test_a_campaigns_new_fight_has_its_rows_and_is_not_saved() -> None:
    folder = ROOT / "campaigns" / "kiln-road"
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    campaign = affray.load_campaign(folder)
    fight = campaign.new_fight("Trial", seed=1)
    fight.add("party")
    fight.add("crockling", count=2)
    assert (campaign.name, fight.title, fight.state.ruleset) == ("The Kiln Road", "Trial", "orcus")
    assert {who.side for who in fight} == {"party", "foes"}
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before


def test_no_campaign_of_that_name_is_told_with_what_is_close(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(ROOT / "campaigns"))
    assert affray.load_campaign("The Kiln Road").path.name == "kiln-road"
    with pytest.raises(affray.Refused, match="did you mean The Kiln Road"):
        affray.load_campaign("The Kiln Rood")


def test_the_players_recap_of_a_script_has_nothing_that_they_do_not_know() -> None:
    fight = affray.Fight("5e", "The Traitor", seed=1)
    fight.do(
        "add pc Mira hp 30 ac 15", "add monster Oskar hp 77 hidden", "start", "damage oskar 33"
    )
    mine, theirs = fight.recap(), fight.recap(for_players=True)
    assert [person.name for person in mine.people] == ["Mira", "Oskar"]
    assert [person.name for person in theirs.people] == ["Mira"]
    assert "Oskar" not in repr(fight.recap_sections(for_players=True))


def test_what_is_no_method_says_how_the_games_own_commands_are_given() -> None:
    fight = affray.Fight("5e")
    with pytest.raises(AttributeError, match=r"has no 'attack': fight.give\('attack', ...\) gives"):
        fight.attack("ghoul", "hit", 5)  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="has no 'damge'; did you mean damage"):
        fight.damge("mira", 5)  # type: ignore[attr-defined]
    assert not hasattr(copy.copy(fight), "strike")


def test_every_public_name_has_a_docstring_and_is_there() -> None:
    for name in affray.__all__:
        assert getattr(affray, name).__doc__, name
    with pytest.raises(AttributeError, match="no attribute 'Figth'"):
        _ = affray.Figth


def test_help_tells_of_all_that_is_public() -> None:
    text = pydoc.render_doc(affray, renderer=pydoc.plaintext)
    assert all(name in text for name in affray.__all__)
    assert "fight.damage(" in text and "def" not in text.split("DESCRIPTION")[0]


def test_an_event_is_shown_without_what_it_does_not_say() -> None:
    fight = affray.Fight("plain")
    fight.add("pc", "Mira", hp=30)
    (added,) = fight.entries[0].events
    assert "tracks={'hp': Track(value=30, max=30)" in repr(added)
    (moved,) = fight.damage("mira", 3).events
    assert repr(moved) == "TrackChanged(who='mira', track='hp', by=-3, parts=(Step(amount=3),))"


def test_a_move_is_described_by_its_title() -> None:
    fight = affray.Fight("plain")
    fight.add("pc", "Mira", hp=30)
    fight.note("x")
    assert fight.describe(fight.undo()) == ["undone: Note: x"]


def test_somebody_without_hp_has_none_to_ask_for() -> None:
    fight = affray.Fight("plain")
    fight.do("add pc Mira hp 18/30", 'add hazard "Falling Bridge"')
    assert (fight["mira"].hp, fight["mira"].max_hp, fight["mira"].side) == (18, 30, "party")
    assert fight["falling"].max_hp == 0
    with pytest.raises(AttributeError, match="has no 'hp'"):
        _ = fight["falling"].hp


def test_who_is_up_is_asked_of_the_fight() -> None:
    fight = affray.Fight("plain", seed=1)
    fight.do("add pc Mira hp 30", "add monster Ghoul x2 hp 9", "group foes", "init mira 5")
    assert fight.up is None
    fight.do("init ghoul-1 20", "start")
    assert fight.up == fight["ghoul-1"]
    fight.next()
    assert fight.up == fight["mira"]
    fight.end()
    assert fight.up is None
