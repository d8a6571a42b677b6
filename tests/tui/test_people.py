"""The screen of a campaign's people: made, edited, benched, taken out, and each taken back."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import tomli
from msgspec.structs import replace
from tests.tui.conftest import MOST_LOOKS
from textual.app import App
from textual.pilot import Pilot

from affray.core.engine.state import Encounter
from affray.core.parser import search
from affray.core.parser.search import SearchKey
from affray.core.rules.ruleset import Ruleset
from affray.rulesets import known_rulesets, load_ruleset
from affray.tui.app import AffrayApp
from affray.tui.lookup import roster
from affray.tui.lookup.model import LookupList
from affray.tui.lookup.roster import KINDS, JoinList, RosterList
from affray.tui.screens.roster import RosterScreen
from affray.tui.theme import THEMES, styles_of
from affray.tui.widgets.header_footer import KeyHints

BESTIARY = '# Eels.\n[eel]\nname = "Giant Eel"\nhp = 9  # thin\nac = 1\nattack = "bite 1d6"\n'
PARTY = '[mira]\nname = "Mira"\nhp = 20\n\n[os]\nname = "Os"\nhp = 18\nbenched = true\n'
NAMED = {" ": "space", '"': "quotation_mark", "+": "plus", ".": "full_stop", ",": "comma"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A campaign, in a folder where no other test has one."""
    made = tmp_path / "vale"
    (made / "encounters").mkdir(parents=True)
    (made / "campaign.toml").write_text('ruleset = "monsters-and-magic"\n', "utf-8")
    (made / "bestiary.toml").write_text(BESTIARY, "utf-8")
    (made / "party.toml").write_text(PARTY, "utf-8")
    return made


def screen_text(app: App[Any]) -> str:
    """All rows of the screen that is seen."""
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)


class Typed:
    """The screen, by keys; words are typed letter by letter."""

    def __init__(self, pilot: Pilot[None], folder: Path) -> None:
        self._pilot, self._folder = pilot, folder

    async def __call__(self, *keys: str) -> None:
        for key in keys:
            typed = key.removeprefix("'")
            row = [NAMED.get(c, c) for c in typed] if key.startswith("'") else [key]
            await self._pilot.press(*row)
            await self._pilot.pause()

    @property
    def text(self) -> str:
        return screen_text(self._pilot.app)

    @property
    def said(self) -> str:
        return self._pilot.app.screen.query_one(KeyHints).message

    def file(self, name: str) -> str:
        return (self._folder / f"{name}.toml").read_text("utf-8")

    def rows(self, name: str) -> dict[str, dict[str, object]]:
        return tomli.loads(self.file(name))


@asynccontextmanager
async def opened(folder: Path, where: str = "party") -> AsyncIterator[Typed]:
    app = AffrayApp(None)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(RosterScreen(folder, where))
        await pilot.pause()
        yield Typed(pilot, folder)


async def test_somebody_new_is_a_name_and_a_line_of_numbers(folder: Path) -> None:
    async with opened(folder) as people:
        await people("'Brannoc", "enter", "'hp 30 ac 4 power 2 attack axe 1d8 slashing", "enter")
        assert people.said == "Brannoc is kept in the party as brannoc"
        assert people.rows("party")["brannoc"] == {
            "name": "Brannoc", "hp": 30, "ac": 4, "power": 2, "attack": "axe 1d8 slashing",
        }  # fmt: skip
        assert people.file("party").startswith(PARTY)
        await people("'Ilse", "enter", "'hp 22", "enter")  # the next, at once
        assert list(people.rows("party")) == ["mira", "os", "brannoc", "ilse"]


async def test_numbers_that_were_left_by_esc_are_there_again_for_the_same_name(
    folder: Path,
) -> None:
    async with opened(folder) as people:
        await people("'Pell", "enter", "'hp 18 ac", "escape", "escape", "'Odo", "enter")
        assert "hp 18" not in people.text
        await people("escape", "escape", "'Pell", "enter", "' 3", "enter")
        assert people.rows("party")["pell"] == {"name": "Pell", "hp": 18, "ac": 3}


async def test_a_line_that_add_would_refuse_stays_with_what_is_wrong(folder: Path) -> None:
    async with opened(folder, "bestiary") as people:
        await people("'Imp", "enter", "'ac 3", "enter")
        assert "expected `hp` and a number" in people.said
        await people("'  hp 4", "enter")
        assert people.rows("bestiary")["imp"] == {"name": "Imp", "ac": 3, "hp": 4}


async def test_a_field_is_edited_where_it_stands_and_told_what_it_expects(folder: Path) -> None:
    async with opened(folder) as people:
        await people("'eel", "enter", "'hp", "enter")
        assert "hp: a whole number, LEFT/MAX" in people.text
        await people("'3d8+4", "enter")
        assert people.file("bestiary") == BESTIARY.replace("hp = 9  #", 'hp = "3d8+4"  #')
        await people("'attack", "down", "enter")
        assert "attack: NAME [DICE]" in people.text.splitlines()[-4]
        await people("'tail 1d4 cold", "enter", "ctrl+u")
        assert people.said == "undone: Giant Eel: attack"
        await people("ctrl+u", "ctrl+u")
        assert people.file("bestiary") == BESTIARY
        assert people.said == "nothing has changed since this screen was opened"


async def test_the_keys_that_are_offered_are_those_of_what_is_open(folder: Path) -> None:
    async with opened(folder) as people:
        assert "ctrl+n make" in people.text.splitlines()[-1]
        await people("enter")
        assert people.text.splitlines()[-1].split("  ")[:2] == [" ↵ edit", "ctrl+x bench"]
        await people("enter")
        assert people.text.splitlines()[-1].strip() == "↵ keep  esc leave"
        await people("escape", "escape")
        assert "ctrl+n make" in people.text.splitlines()[-1]


async def test_a_refusal_that_is_long_is_told_to_its_end(folder: Path) -> None:
    async with opened(folder) as people:
        await people("'Imp", "enter", "'hp 9 attack claw 1d6 teeth", "enter")
        assert people.said in " ".join(people.text.split())


async def test_an_empty_line_takes_a_field_out_and_another_attack_stands_beside(
    folder: Path,
) -> None:
    async with opened(folder, "bestiary") as people:
        await people("enter", "'ac", "enter", "delete", "enter")
        await people("'attack", "down", "enter", "'tail 1d4 cold", "enter")
        assert people.rows("bestiary")["eel"] == {
            "name": "Giant Eel", "hp": 9, "attack": ["bite 1d6", "tail 1d4 cold"],
        }  # fmt: skip


async def test_who_is_benched_is_told_and_comes_back_by_the_same_key(folder: Path) -> None:
    async with opened(folder) as people:
        assert "benched" in people.text
        await people("ctrl+x", "down", "ctrl+x")
        rows = people.rows("party")
        assert (rows["mira"], rows["os"]) == (
            {"name": "Mira", "hp": 20, "benched": True},
            {"name": "Os", "hp": 18},
        )
        await people("ctrl+u", "ctrl+u")
        assert people.file("party") == PARTY


async def test_who_is_taken_out_can_be_brought_back(folder: Path) -> None:
    async with opened(folder, "bestiary") as people:
        await people("delete")
        assert people.rows("bestiary") == {}
        await people("ctrl+u")
        assert people.file("bestiary") == BESTIARY


async def test_what_an_editor_changed_meanwhile_is_read_and_never_written_over(
    folder: Path,
) -> None:
    async with opened(folder, "bestiary") as people:
        await people("enter", "'hp", "enter")
        theirs = BESTIARY.replace("hp = 9", "hp = 11")
        (folder / "bestiary.toml").write_text(theirs, "utf-8")
        await people("'15", "enter")
        assert "another program has changed hp of eel" in people.said
        assert people.file("bestiary") == theirs
        assert "hp                   11" in people.text  # it is read again, and can be changed
        await people("enter", "'15", "enter")
        assert people.file("bestiary") == BESTIARY.replace("hp = 9", "hp = 15")


async def test_esc_goes_from_a_form_to_the_list_and_from_there_back(folder: Path) -> None:
    async with opened(folder) as people:
        await people("enter", "escape")
        assert "Party and bestiary" in people.text
        await people("escape")
        assert "Party and bestiary" not in people.text


async def until(pilot: Pilot[None], seen: str) -> None:
    """Wait until a screen shows that; only what never comes is waited for in vain."""
    for _ in range(MOST_LOOKS):
        await pilot.pause()
        if seen in screen_text(pilot.app):
            return
        await pilot.pause(1 / 60)
    raise AssertionError(screen_text(pilot.app))


async def test_p_and_b_open_it_from_the_list_of_fights(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(folder.parent))
    app = AffrayApp(None)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, "Encounters")
        for key, first in (("p", "› Mira"), ("b", "› Giant Eel")):
            await pilot.press(key)
            await until(pilot, first)
            await pilot.press("escape")
            await until(pilot, "Encounters")


@pytest.mark.parametrize(
    ("made", "room", "looks"),
    [
        (lambda r: RosterList(r, "bestiary"), search, "_rank"),
        (lambda r: JoinList(r, Encounter()), roster, "_strange"),
    ],
    ids=["people", "bring"],
)
def test_a_key_among_many_creatures_looks_at_each_once(
    made: Callable[[Ruleset], RosterList | JoinList],
    room: ModuleType,
    looks: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain = load_ruleset("plain")
    rows = {f"eel-{n}": {"name": f"Eel of the {n}th Weir", "hp": n} for n in range(1, 301)}
    sheet = LookupList(made(replace(plain, tables=replace(plain.tables, bestiary=rows))))
    looked: list[str] = []
    look = getattr(room, looks)

    def counted(by: SearchKey, *typed: Any) -> Any:
        looked.append(by.name)
        return look(by, *typed)

    monkeypatch.setattr(room, looks, counted)
    for letter in "weir 77th":
        looked.clear()
        sheet.feed("space" if letter == " " else letter, 10)
        assert len(looked) == 300
    assert sheet.row.name == "Eel of the 77th Weir"


def hint(rules: Ruleset, where: str) -> str:
    """What is told of somebody who is to be made."""
    people = RosterList(rules, where)
    lines = people.render_detail(people.new("Imp"), 60, styles_of(THEMES[0]))
    return " ".join(" ".join(line.text for line in lines).split())


@pytest.mark.parametrize("rules", known_rulesets())
@pytest.mark.parametrize(("where", "kind"), KINDS.items())
def test_the_hint_has_the_words_of_that_kind_and_no_others(
    rules: str, where: str, kind: str
) -> None:
    ruleset = load_ruleset(rules)
    told = hint(ruleset, where)
    assert [p for p in ruleset.sheet.usage(ruleset.tables, kind) if p not in told] == []
    for word in ruleset.sheet.fields(ruleset.tables):
        if word.of not in ("", kind):
            assert not re.search(rf"[ \[]{word.name}\b", told)
        elif not word.usual:
            assert re.search(rf" {word.name}\b", told)


@pytest.mark.parametrize(
    ("where", "there", "missing"),
    [
        ("bestiary", {"cr", "fatigue", "exhaustion", "important"}, {"power", "pb", "threads"}),
        ("party", {"power", "luck", "pb", "threads", "fatigue"}, {"cr", "important"}),
    ],
)
def test_a_creature_of_monsters_and_magic_has_a_rating_and_a_character_abilities(
    where: str, there: set[str], missing: set[str]
) -> None:
    told = {*re.findall(r"[\w-]+", hint(load_ruleset("monsters-and-magic"), where))}
    assert there <= told
    assert not missing & told


async def test_what_is_told_of_somebody_stands_in_their_line_and_in_their_form(
    folder: Path,
) -> None:
    async with opened(folder) as people:
        await people("'Ilse", "enter", '\'text "Never late." hp 22', "enter")
        assert people.rows("party")["ilse"] == {"name": "Ilse", "hp": 22, "text": "Never late."}
        await people("'Ash", "enter", '\'hp 9 text "Behind, too."', "enter")
        assert people.rows("party")["ash"]["text"] == "Behind, too."
        await people("'Ilse")
        await people("enter", "'text", "enter", "end", "'  Mostly.", "enter")
        assert people.rows("party")["ilse"]["text"] == "Never late.  Mostly."


async def test_a_name_that_can_be_nobodys_is_refused_before_its_numbers_are_asked(
    folder: Path,
) -> None:
    async with opened(folder) as people:
        await people("'4 ghouls", "enter")
        assert people.said == "a name must begin with a letter, not '4 ghouls'"
        assert "─ numbers of" not in people.text
