"""Two games of outsiders, chosen for what affray's own are not: installed, held, and played.

Moor hits always, saves under its abilities and acts by sides; Fathom has pools of dice, stress and
clocks, and no hit points.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from screenshots.browser import browser
from tests.cli.test_new_ruleset import INSTALL, python
from tests.serve.evenings import evening
from tests.serve.phone import phone_at
from tests.tui.conftest import Game, press_at_once

from affray import Fight, Refused
from affray.core.dice import SeededDice
from affray.core.formatting.players_view import players_view
from affray.odds.simulation import odds_of
from affray.play.reader import Reader
from affray.rulesets import load_ruleset
from affray.serve import Address
from affray.serve.forms import ProposalForm
from affray.serve.server import Board, begin
from affray.serve.table import Table
from affray.store.importers.run_import import bring_in
from affray.store.inbox import Inbox
from affray.store.open_encounter import OpenEncounter
from affray.store.phones import Phones
from affray.testing import Typed, conforms, keys_for
from affray.testing.conformance import signs_heard
from affray.testing.phone_forms import WAYS, fill_in
from affray.tui.app import AffrayApp

HERE = Path(__file__).parent
MOST_LINES = 400
GAMES = ("moor", "fathom")
MOOR = (
    "add pc Mira hp 4 str 12 dex 13 wil 9 armour 1 attack sword 1d8 attack bow 1d6",
    "add pc Odo hp 3 str 10 dex 8 wil 14 attack bomb 1d12",
    "add monster Ghoul x2 hp 5 str 11 attack claw 1d6",
    "init mira pass",
    "init odo fail",
    "init ghoul-1,ghoul-2 foes",
    "start",
)
FATHOM = (
    "add pc Mira skirmish 2 prowl 1 study 1 sway 1",
    "add pc Odo wreck 1 hunt 2 command 1",
    "add monster Ghoul x2 clock 6",
    "init all roll",
    "start",
)
SETUP = {"moor": MOOR, "fathom": FATHOM}
FIGHTS = {
    "moor": (
        *("attack ghoul-1 8", "next", "attack mira 9 by ghoul-1", "withstand mira fail"),
        *("next", "next", "tend mira", "next", "damage ghoul-2 5", "save odo dex natural 9"),
        *("end", "rest breath"),
    ),
    "fathom": (
        *("act ghoul-1 full", "act ghoul-1 natural 6 with prowl"),
        "act ghoul-2 partial push help odo",
        *("next", "act ghoul-2 natural 5,2 with hunt from desperate for great by odo", "next"),
        *("harm mira severe", "resist mira prowess natural 4,2", "next", "harm odo lesser"),
        *("bear odo", "end", "indulge mira natural 3"),
    ),
}


@pytest.fixture(autouse=True, scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder into which both are installed."""
    folder = tmp_path_factory.mktemp("site")
    projects = [str(HERE / game) for game in GAMES]
    python(folder, "-m", *INSTALL, "--no-compile", "--target", str(folder), *projects)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        yield folder
    for module in [name for name in sys.modules if name.split(".")[0] in GAMES]:
        del sys.modules[module]


def begun(game: str) -> Fight:
    fight = Fight(game, seed=3)
    fight.do(*SETUP[game])
    return fight


# -- both ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_it_holds(game: str) -> None:
    conforms(load_ruleset(game), *SETUP[game], *FIGHTS[game])


@pytest.mark.parametrize("game", GAMES)
def test_it_is_small(game: str) -> None:
    files = [*(HERE / game / game).rglob("*.py"), *(HERE / game / game).rglob("*.toml")]
    assert sum(len(file.read_text("utf-8").splitlines()) for file in files) <= MOST_LINES


@pytest.mark.parametrize("game", GAMES)
def test_it_says_whose_facts_it_has(game: str) -> None:
    assert "CC BY" in (text := (HERE / game / "README.md").read_text("utf-8")) or "Commons" in text


@pytest.mark.parametrize("game", GAMES)
def test_it_is_played_by_command(game: str, site: Path, tmp_path: Path) -> None:
    fight = str(tmp_path / "fight.toml")
    python(site, "-m", "affray", "new", fight, "--ruleset", game)
    python(site, "-m", "affray", "do", fight, "--seed", "3", *SETUP[game], *FIGHTS[game])
    assert "Mira" in python(site, "-m", "affray", "show", fight)
    assert python(site, "-m", "affray", "recap", fight)


@pytest.mark.parametrize("game", GAMES)
def test_its_odds_are_reckoned(game: str) -> None:
    assert odds_of(begun(game), 20).wins("party").value > 0


# -- Moor (Cairn: Combat) --------------------------------------------------------------------------


def test_an_attack_hits_and_armour_takes_from_it() -> None:
    fight = begun("moor")
    fight.do("next", "attack mira 4 by ghoul-1")
    assert fight["mira"].hp == 1


def test_what_goes_below_0_is_lost_of_strength_and_asks_for_a_save() -> None:
    fight = begun("moor")
    fight.do("next", "attack mira 9 by ghoul-1")
    assert (fight["mira"].hp, fight["mira"].str) == (0, 8)
    fight.do("withstand mira natural 9")
    assert fight["mira"].life == "dying"


def test_of_several_attackers_the_highest_die_counts_and_each_pays() -> None:
    fight = begun("moor")
    fight.do("attack ghoul-1 1 beside odo")
    assert fight["ghoul-1"].hp < 4 and fight["odo"].action == 0
    fight.do("next", "next", "next")
    with pytest.raises(Refused, match="action used"):
        fight.do("attack ghoul-2 5 by odo")


def test_a_save_is_rolled_under_the_ability() -> None:
    fight = begun("moor")
    assert fight.do("save mira dex natural 13").text.endswith("pass")
    assert fight.do("save mira dex natural 14").text.endswith("fail")


def test_who_passes_the_save_acts_before_the_foes_and_the_others_behind_them() -> None:
    order = [slot.who for slot in begun("moor").state.slots]
    assert order == ["mira", "ghoul-1", "ghoul-2", "odo"]


def test_sides_act_at_once_where_the_table_sets_it() -> None:
    fight = Fight("moor", seed=3)
    fight.do("setting order sides", *MOOR[:-1], "start")
    assert {*fight.state.taking_turn()} == {"mira", "odo"}
    fight.do("attack ghoul-1 5 by odo", "attack ghoul-2 5", "next")
    assert {*fight.state.taking_turn()} == {"ghoul-1", "ghoul-2"}


def test_a_list_has_the_games_own_words_before_those_of_5e(tmp_path: Path) -> None:
    """Its armour is no AC and its DEX no score of which an initiative comes (docs/import.md)."""
    (tmp_path / "campaign.toml").write_text('name = "Fen"\nruleset = "moor"\n', "utf-8")
    hounds = tmp_path / "hounds.csv"
    hounds.write_text("Name,HP,STR,Dex,Armour,AC\nBog Hound,4,12,3,1,15\n", "utf-8")
    (row,) = bring_in(hounds, tmp_path).rows["bestiary.toml"]
    assert row.row["text"] == "AC 15"
    assert {**row.row, "text": "", "name": ""} == {
        "name": "", "hp": 4, "str": 12, "dex": 3, "armour": 1, "text": "",
    }  # fmt: skip


# -- Fathom (Blades in the Dark SRD: Action Roll, Stress & Trauma, Resistance) ---------------------


@pytest.mark.parametrize(
    ("dice", "outcome", "ticks"),
    [("6,6", "crit", 3), ("6,1", "full", 2), ("5,2", "partial", 2), ("3,2", "bad", 0)],
)
def test_the_highest_die_says_how_it_comes_out(dice: str, outcome: str, ticks: int) -> None:
    fight = begun("fathom")
    assert outcome in fight.do(f"act ghoul-1 natural {dice} by mira").text
    assert fight["ghoul-1"].clock == ticks


def test_without_a_dot_the_lower_of_two_dice_counts() -> None:
    fight = begun("fathom")
    assert ": bad" in fight.do("next", "act ghoul-1 natural 6,3 with sway").text


def test_pushing_and_assisting_cost_stress_and_give_a_die_each() -> None:
    fight = begun("fathom")
    fight.do("act ghoul-1 natural 1,2,3,6 push help odo by mira")
    assert (fight["mira"].stress, fight["odo"].stress) == (2, 1)


def test_full_stress_is_a_trauma() -> None:
    fight = begun("fathom")
    fight.do("harm mira lesser", "resist mira resolve natural 1")
    fight.do("harm mira lesser", "resist mira resolve natural 1")
    assert (fight["mira"].stress, fight["mira"].trauma, fight["mira"].life) == (0, 1, "unconscious")


def test_harm_waits_for_its_player_and_resisted_it_is_a_step_less() -> None:
    fight = begun("fathom")
    fight.do("harm mira severe")
    (waits,) = fight.ruleset.turns.pending_decisions(fight.ruleset.tables, fight.state)
    assert [each.label for each in waits.choices] == ["bears it", "insight", "prowess", "resolve"]
    fight.do("resist mira prowess natural 6,2")
    assert fight["mira"].effects == ["moderate"] and fight["mira"].stress == 0


def test_the_last_one_names_the_next_where_the_table_sets_it() -> None:
    fight = Fight("fathom", seed=3)
    fight.do("setting order popcorn", *FATHOM)
    with pytest.raises(Refused, match="who is next"):
        fight.do("next")
    fight.do("next ghoul-2")
    assert fight.state.turn == "ghoul-2"


def test_nobody_has_hit_points() -> None:
    ruleset = load_ruleset("fathom")
    assert "hp" not in ruleset.tables.tracks and ruleset.tables.health not in ruleset.tables.tracks


# -- by keys, on a phone, by ear -------------------------------------------------------------------


@pytest.fixture
def fight_of(tmp_path: Path) -> Iterator[Callable[[str], OpenEncounter]]:
    """Begins a fight of a game in a file."""
    opened: list[OpenEncounter] = []

    def begin_one(game: str) -> OpenEncounter:
        opened.append(OpenEncounter.create(tmp_path / "f.toml", game, "Fight", SeededDice(3)))
        for line in SETUP[game]:
            opened[-1].do(line)
        return opened[-1]

    yield begin_one
    for fight in opened:
        fight.close()


@pytest.mark.browser
@pytest.mark.parametrize("game", GAMES)
async def test_a_fight_of_two_rounds_is_played_by_phones(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFRAY_DATA", str(tmp_path / "data"))
    log, setup = tmp_path / "ford.toml", SETUP[game]
    async with evening(log, game, *setup) as at, browser() as mira, browser() as odo:
        pages = {"Mira": mira, "Odo": odo}
        for name, page in pages.items():
            await at.join(page, name)
        acts = await at.play(pages, 3)
        assert len(acts) >= 3, acts
        for page in pages.values():
            assert page.said == []


PRESSED = {
    "moor": (
        ("a3↵5↵", "attack ghoul-1 5"),
        ("s1↵dp↵", "save mira dex pass"),
        (" ", "next"),
        ("a1⇥9↵", "attack mira 9"),
        ("↵f", "withstand mira fail"),
    ),
    "fathom": (
        ("a3↵f↵", "act ghoul-1 full"),
        ("-1↵s↵", "harm mira severe"),
        ("↵b", "bear mira"),
        (" ", "next"),
    ),
}


@pytest.mark.parametrize("game", GAMES)
async def test_its_keys_are_these(game: str, fight_of: Callable[[str], OpenEncounter]) -> None:
    fight = fight_of(game)
    async with AffrayApp(fight).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        screen = Game(fight, pilot)
        for keys, line in PRESSED[game]:
            await screen.type(keys)
            assert screen.last == line, (keys, screen.line.message)


@pytest.mark.parametrize("game", GAMES)
async def test_a_whole_fight_is_played_by_keys(
    game: str, fight_of: Callable[[str], OpenEncounter]
) -> None:
    fight, typed = fight_of(game), begun(game)
    async with AffrayApp(fight).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        screen = Game(fight, pilot)
        for line in FIGHTS[game]:
            found = keys_for(typed, line)
            assert isinstance(found, Typed), (line, found)
            screen.pause()
            await press_at_once(pilot, [*found.opening.keys, *found.keys])
            typed.do(line)
            assert fight.history.last == typed.history.last, (line, found, screen.line.message)
            now, wanted = fight.state.combatants, typed.state.combatants
            assert msgspec.to_builtins(now) == msgspec.to_builtins(wanted), (line, found)


def test_who_is_tended_gets_up_and_bleeds_anew_by_another_wound(
    fight_of: Callable[[str], OpenEncounter],
) -> None:
    fight = fight_of("moor")
    fight.do("damage mira 9", "withstand mira fail")
    assert fight.state["mira"].life == "dying"
    fight.do("next", "next", "next", "tend mira")
    assert fight.state["mira"].life == "up" and not fight.state["mira"].all_named("bleeding")
    fight.do("damage mira 2", "withstand mira fail")
    assert fight.state["mira"].life == "dying" and not fight.state["mira"].all_named("tended")


@pytest.mark.parametrize(("game", "form"), [("moor", "do:attack"), ("fathom", "do:act")])
async def test_it_is_played_on_a_phone(
    game: str, form: str, fight_of: Callable[[str], OpenEncounter]
) -> None:
    fight = fight_of(game)
    fight.do("setting players-act ask")
    inbox, phones = Inbox(fight.path), Phones(fight.path)
    table = Table(fight, Inbox(fight.path), Phones(fight.path), lambda: 0.0)
    board = Board(players_view(fight.history, fight.ruleset))
    place = await begin(board, "token", Address("127.0.0.1", 0), table)
    async with phone_at(f"http://127.0.0.1:{place.port}") as phone:
        phones.grant(phone.hash, "mira")
        [me] = await phone.news()
        asked = next(each for each in me["forms"] if each["id"] == form)
        shown = msgspec.convert(asked, ProposalForm)
        answers = fill_in(shown, WAYS[5])
        table.has_news()
        status, _ = await phone.post("propose", form=form, answers=answers)
        (row,) = inbox.waiting()
        fight.do(row.command, proposal=row.id)
    await place.end()
    assert status == 200 and row.command.endswith("by mira")


HEARD = {
    "moor": (
        ("attack ghoul-1 8", "Ghoul 1"),
        ("next", "Ghoul 1"),
        ("attack mira 9", "Mira makes a STR save"),
    ),
    "fathom": (
        ("act ghoul-1 full", "Ghoul 1 clock 2"),
        ("harm mira severe", "about to take harm"),
        ("bear mira", "severe"),
    ),
}


@pytest.mark.parametrize("game", GAMES)
def test_it_is_played_by_ear(game: str, fight_of: Callable[[str], OpenEncounter]) -> None:
    reader = Reader(fight_of(game))
    assert reader.begin()
    for line, words in HEARD[game]:
        answer = " ".join(reader.answer(line))
        assert words in answer, (line, answer)


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_fight_is_heard(game: str, site: Path, tmp_path: Path) -> None:
    """`affray play`, as a process of its own; in between it is asked what a table asks."""
    file, asks = str(tmp_path / "fight.toml"), ("order", "what waits", "how is mira", "actions")
    python(site, "-m", "affray", "new", file, "--ruleset", game)
    python(site, "-m", "affray", "do", file, "--seed", "3", *SETUP[game])
    lines = [each for line in FIGHTS[game] for each in (line, *asks)]
    heard = python(
        site, "-m", "affray", "play", file, "--seed", "3", heard="\n".join((*lines, "quit", ""))
    )
    with OpenEncounter.view(file) as fight:
        assert [e.command for e in fight.history.entries.values()][-len(FIGHTS[game]) :] == [
            *FIGHTS[game]
        ]
    told = [line for line in heard.splitlines() if line]
    assert len(told) > len(lines) and not [
        word for line in told for word in signs_heard(line, heard) if not word.endswith(">")
    ]
