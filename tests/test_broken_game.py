"""A game that is installed and can't be loaded is told of, and takes nothing else down with it.

It is as one that isn't installed: its fights open, read-only, with the reason.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.tui.conftest import Game

import affray
from affray import rulesets
from affray.cli import main
from affray.core.parser.errors import Refused
from affray.core.rules.ruleset import Part
from affray.mechanics.stats import StatRules
from affray.play.reader import Reader
from affray.rulesets import known_rulesets, load_ruleset
from affray.store.campaigns.summaries import summary
from affray.store.open_encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.screens.fight import FightScreen
from affray.tui.screens.home import HomeScreen
from affray.tui.widgets.home import CampaignList

Run = Callable[..., tuple[int, str, str]]
BROKEN = "hedge is installed but can't be loaded: "
GAMES = {
    "a name that went": (
        "from affray.core.rules.ruleset import GoneName\n",
        "ImportError: cannot import name 'GoneName' from 'affray.core.rules.ruleset'",
    ),
    "a package it needs": ("import hedge_needs_this\n", "ModuleNotFoundError: No module named"),
    "a slip of its author": ("1 / 0\n", "ZeroDivisionError: division by zero"),
    "text that is no Python": ("def (\n", "SyntaxError: "),
    "an exit": ("raise SystemExit('no licence')\n", "SystemExit: no licence"),
    "an error without words": ("raise GeneratorExit\n", "GeneratorExit"),
    "lines of words": ("raise ValueError('a\\n\\x1b[31mb' * 99)\n", "ValueError: a"),
    "no end": ("def f(): f()\nf()\n", "RecursionError: maximum recursion depth exceeded"),
    "no such attribute": ("", "AttributeError: "),
    "no ruleset": ("RULESET = 7\n", "its package offers no ruleset"),
    "a slip in its tables": (
        "from affray.core.rules.tables import read_tables\n"
        "read_tables({'tracks': {'hp': {'lable': 'HP'}}})\n",
        "[tracks.hp] has no field 'lable'; did you mean label?",
    ),
    "tables that nest": (
        "from affray.rulesets import tables_of\ntables_of(__name__)\n",
        "the tables of hedge_game can't be read: tables or lists are nested more than",
    ),
}


@pytest.fixture(params=GAMES)
def broken(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The reason why the game can't be loaded that is installed as `hedge`."""
    source, why = GAMES[request.param]
    install(tmp_path / "site", monkeypatch, source)
    return why


def install(site: Path, monkeypatch: pytest.MonkeyPatch, source: str) -> None:
    gc.collect()  # the checks of a game that an earlier test has loaded, and a screen has kept
    info = site / "hedge_game-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: hedge-game\nVersion: 1\n", "utf-8")
    (info / "entry_points.txt").write_text(
        "[affray.rulesets]\nhedge = hedge_game:RULESET\n", "utf-8"
    )
    (site / "hedge_game" / "tables").mkdir(parents=True)
    (site / "hedge_game" / "__init__.py").write_text(source, "utf-8")
    (site / "hedge_game" / "tables" / "economy.toml").write_text(f"a = {'[' * 2000}", "utf-8")
    monkeypatch.delitem(__import__("sys").modules, "hedge_game", raising=False)
    monkeypatch.syspath_prepend(site)


@pytest.fixture
def fight(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fight of the game, in a campaign with one of another game."""
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path / "campaigns"))
    folder = tmp_path / "campaigns" / "vale" / "encounters"
    folder.mkdir(parents=True)
    (folder.parent / "campaign.toml").write_text('name = "Vale"\nruleset = "hedge"\n', "utf-8")
    for name in ("ford", "mill"):
        with OpenEncounter.create(folder / f"{name}.toml", "plain", name.title()) as made:
            made.do("add pc Mira hp 9", "add monster Ghoul hp 7", "init mira 9", "init ghoul 5")
            made.do("start")
    path = folder / "ford.toml"
    lines = path.read_text("utf-8").replace('"plain"', '"hedge"').splitlines(keepends=True)
    path.write_text("".join(line for line in lines[:8] if "sum = " not in line), "utf-8")
    with path.open("a", encoding="utf-8") as file:
        file.writelines(lines[8:])
    return path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def ran(*arguments: object) -> tuple[int, str, str]:
        status = main([str(argument) for argument in arguments])
        said = capsys.readouterr()
        return status, said.out, said.err

    return ran


def test_scripts_get_the_reason_as_a_refusal(broken: str, fight: Path) -> None:
    for do in (lambda: load_ruleset("hedge"), lambda: affray.Fight("hedge")):
        with pytest.raises(Refused) as refused:
            do()
        assert str(refused.value).startswith(f"{BROKEN}{broken}")
        assert len(str(refused.value)) < 300 and str(refused.value).isprintable()
    assert "hedge" in known_rulesets() and "orcus" in known_rulesets()
    with affray.view(fight) as viewed:
        assert viewed.state["mira"].track("hp") == 9 and broken in viewed.rules_fault
    assert affray.Fight("plain").ruleset.id == "plain"


def test_its_fights_are_shown_without_rules_and_changed_by_nothing(
    broken: str, fight: Path, run: Run
) -> None:
    before = fight.read_bytes()
    for command in ("show", "log", "check", "recap"):
        status, out, err = run(command, fight)
        assert status == 0 and "Traceback" not in err
        assert f"{BROKEN}{broken}" in out + err and "; shown without its rules" in out + err
    for arguments in (("do", fight, "note x"), ("odds", fight)):
        status, _, err = run(*arguments)
        assert status == 2 and f"affray: {BROKEN}{broken}" in err and "Traceback" not in err
    assert fight.read_bytes() == before
    assert BROKEN in summary(fight).problem
    mill = fight.with_name("mill.toml")
    assert not summary(mill).problem


def test_new_check_and_import_name_it_in_one_line(
    broken: str, fight: Path, run: Run, tmp_path: Path
) -> None:
    vale = fight.parents[1]
    status, _, err = run("new", tmp_path / "x.toml", "--ruleset", "hedge")
    assert status == 2 and err.startswith(f"affray: {BROKEN}{broken}") and err.count("\n") == 1
    status, out, err = run("check", vale)
    assert BROKEN in out and "Traceback" not in out + err
    (tmp_path / "a.csv").write_text("name,hp\nImp,7\n", "utf-8")
    status, out, err = run("import", tmp_path / "a.csv", "--into", vale)
    assert status == 2 and BROKEN in err and "Traceback" not in err


def test_it_is_read_aloud_as_read_only(broken: str, fight: Path) -> None:
    with OpenEncounter.open_or_view(fight) as opened:
        reader = Reader(opened)
        begun = reader.begin()
        assert any(f"Read-only: {BROKEN}{broken}" in line for line in begun)
        for line in ("", "order", "log", "note x", "card mira", "actions", "next", "why mira hp"):
            assert all("Traceback" not in said for said in reader.answer(line))


def test_nothing_is_completed_for_it_and_nothing_falls(broken: str, fight: Path) -> None:
    with OpenEncounter.view(fight) as viewed:
        for line in ("", "att", "damage ", "damage m", "inflict mira "):
            viewed.complete(line)


KEYS = ("a", "d", "n", "c", "i", "enter", "escape", "t", "question_mark", "escape", "w", "escape")


@pytest.mark.parametrize("arguments", ["home", "file", "watch"])
async def test_the_screen_opens_its_fight_to_be_looked_at_with_the_reason(
    broken: str, fight: Path, arguments: str
) -> None:
    opened: Any = None
    if arguments != "home":
        opened = (OpenEncounter.open_or_view if arguments == "file" else OpenEncounter.view)(fight)
    app = AffrayApp(opened)
    before = fight.read_bytes()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        if opened is None:
            assert isinstance(app.screen, HomeScreen)
            rows = app.screen.query_one(CampaignList)
            for _ in range(6):
                seen = rows.row.encounter if rows.row is not None else None
                if seen is not None and seen.path == fight:
                    break
                await pilot.press("down")
            await pilot.press("enter")
            await pilot.pause()
        assert isinstance(app.screen, FightScreen)
        assert BROKEN in app.screen.encounter.rules_fault
        for key in KEYS:
            await pilot.press(key)
            await pilot.pause()
        await pilot.press("colon", *"note", "space", "x", "enter")
        await pilot.pause()
        assert isinstance(app.screen, FightScreen) and app.screen.encounter.read_only
    assert fight.read_bytes() == before


def test_a_package_whose_own_list_cannot_be_read_hides_no_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    install(site, monkeypatch, "raise ValueError('x')")
    odd = site / "odd-1.dist-info"
    odd.mkdir()
    (odd / "METADATA").write_text("Metadata-Version: 2.1\nName: odd\nVersion: 1\n", "utf-8")
    (odd / "entry_points.txt").write_bytes(b"\xff\xfe[affray.rulesets]\n\xffx")
    assert "hedge" in known_rulesets()
    with pytest.raises(Refused, match="hedge is installed but"):
        rulesets.load_ruleset("hedge")


def test_tables_on_a_disk_that_fails_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(folder: Path, pattern: str) -> list[Path]:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(Path, "glob", fails)
    with pytest.raises(
        Refused, match=r"the tables of affray.rulesets.plain can't be read: .*Input"
    ):
        rulesets.tables_of("affray.rulesets.plain")


SLIPS = {
    "techniques.toml": (
        '[techniques.aim]\ncost = { actoin = 1 }\n',
        r"techniques.toml, line 2: \[techniques.aim\] cost: 'actoin' is no track; did you mean",
    ),
    "effects.toml": (
        '[effects.held]\nimplies = ["proen"]\n',
        r"effects.toml, line 2: \[effects.held\] implies: 'proen' is no effect; did you mean",
    ),
    "levels.toml": (
        '[levels.worn]\ntrack = "actoin"\n',
        r"levels.toml, line 2: \[levels.worn\] track: 'actoin' is no track; did you mean",
    ),
    "does.toml": (
        '[techniques.trip]\ndoes = { inflict = "proen" }\n',
        r"does.toml, line 2: \[techniques.trip\] does inflict: 'proen' is no effect",
    ),
    "prompts.toml": (
        '[prompts.hit]\nkey = "h"\ncommand = "hit"\nthen = "hit"\ntakes = { pas = "all" }\n',
        r"prompts.toml, line 5: \[prompts.hit\] takes: 'pas' is no outcome; did you mean pass\?",
    ),
    "shown.toml": (
        '[tracks.heat]\nlabel = "Heat"\nunder = "proen"\n',
        r"shown.toml, line 3: \[tracks.heat\] under: 'proen' is no effect and no surrounding",
    ),
    "world.toml": (
        '[environments.cave.features.ice]\nname = "Ice"\ninflict = ["proen"]\n',
        r"world.toml, line 3: \[environments.cave.features.ice\] inflict: 'proen' is no effect",
    ),
    "fields.toml": (
        '[tracks.heat]\nlable = "Heat"\n',
        r"fields.toml, line 2: \[tracks.heat\] has no field 'lable'; did you mean label",
    ),
    "values.toml": (
        '[tracks."my heat"]\nlabel = "Heat"\nshown = "bars"\n',
        r"values.toml, line 3: \[tracks.my heat\] shown: must be 'bar'",
    ),
    "tables.toml": ("[trakcs.heat]\n", r"there is no table \[trakcs\]; did you mean tracks"),
}  # fmt: skip


@pytest.mark.parametrize("file", SLIPS)
def test_a_row_that_names_what_is_nowhere_is_told_by_file_and_row(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, told = SLIPS[file]
    tables = tmp_path / "slips" / "tables"
    tables.mkdir(parents=True)
    (tables / "rows.toml").write_text(
        '[tracks.action]\nlabel = "Action"\n[effects.prone]\n[outcomes]\npass = { key = "p" }\n',
        "utf-8",
    )
    (tables.parent / "__init__.py").touch()
    (tables / file).write_text(rows, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(__import__("sys").modules, "slips", raising=False)
    with pytest.raises(Refused, match=told):
        rulesets.tables_of("slips")


def test_a_word_that_sets_no_reaction_off_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = (
        "from affray.core.rules.ruleset import Ruleset\n"
        "from affray.core.rules.tables import read_tables\n"
        "row = {'cost': {}, 'reaction': True, 'answers': ['strok']}\n"
        "RULESET = Ruleset(id='hedge', name='Hedge', commands={},\n"
        "                  tables=read_tables({'techniques': {'parry': row}}))\n"
    )
    install(tmp_path / "site", monkeypatch, source)
    with pytest.raises(Refused, match=r"\[techniques.parry\] answers: there is no 'strok'"):
        load_ruleset("hedge")


SOURCE = """from typing import Annotated
from msgspec import Struct
from affray.core.dice import DieInput
from affray.core.engine.events import LifeChanged
from affray.core.parser import arguments
from affray.core.parser.declarations import declare_command
from affray.core.rules.ruleset import Ruleset, TableSchema
from affray.core.rules.tables import read_tables
from affray.mechanics import checks
from affray.mechanics.stats import StatNumbers, StatRules

class Args(Struct, frozen=True, kw_only=True):
    die: Annotated[DieInput, checks.die_arg(checks.OutcomeWords({"h": "hit"}))]
    plus: Annotated[int, arguments.keyword_arg("plus", arguments.number_arg("it"))] = 0

class Risk(checks.Check, frozen=True):
    def outcome(self, roller, natural, total, dc):
        return "hit" if total > 9 else "miss" if total else ""

ROWS = {
    "tracks": {"action": {"label": "A"}},
    "totals": {"risk": {"label": "Risk"}},
    "outcomes": {"hit": {"key": "h"}, "miss": {"key": "m"}},
}
RISK = declare_command("risk", "is a check", Args, lambda ctx, args: None)
RULESET = Ruleset(
    "hedge", "Hedge", read_tables(ROWS), {"risk": RISK},
    numbers=StatNumbers(StatRules({})),
    schema=TableSchema(cost=("action",)),
    gm_tracks=("action",),
    usual_settings={"order": "sides"},
)
"""
CODE = {
    ('Words({"h": "hit"', 'Words({"h": "hti"'): "13: the command risk: 'hti' is no outcome",
    ('cost=("action"', 'cost=("actoin"'): "29: the schema's cost: 'actoin' is no track",
    ('gm_tracks=("action"', 'gm_tracks=("actoin"'): "30: `gm_tracks`: 'actoin' is no track",
    ('"sides"', '"side"'): "31: `usual_settings`, order: 'side' is no value; did you mean sides?",
    (
        '"order": "s',
        '"odrer": "s',
    ): "31: `usual_settings`: 'odrer' is no setting; did you mean order",
    ('else "miss" if', 'else "mis" if'): "18: 'mis' is no outcome; did you mean miss?",
    ("def outcome(self, roller, natural", "def bend(self, roller, natural"): "",
    (
        '"it"))] = 0',
        '"it"))]',
    ): "14: Args.plus stands behind a keyword, so it may be left out: give",
    ("import LifeChanged", "import LifeChagned"): "4)",
    ("RULESET = Ruleset(", "1 / 0\nRULESET = Ruleset("): "26)",
}
"""Was -> is: the line, and what is told of it."""


@pytest.mark.parametrize("slip", CODE, ids=lambda slip: slip[1])
def test_what_code_misspells_is_told_by_file_and_line_as_the_game_is_loaded(
    slip: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert slip[0] in SOURCE
    install(tmp_path / "site", monkeypatch, SOURCE.replace(*slip))
    if not CODE[slip]:
        load_ruleset("hedge")
        return
    with pytest.raises(Refused) as refusal:
        load_ruleset("hedge")
    message = str(refusal.value)
    assert message.startswith(BROKEN) and f"__init__.py, line {CODE[slip]}" in message


def test_a_track_among_the_numbers_is_told_by_file_and_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = SOURCE.replace("read_tables(ROWS)", 'tables_of("hedge_game")')
    source = source.replace(
        "import read_tables", "import read_tables\nfrom affray.rulesets import tables_of"
    )
    install(tmp_path / "site", monkeypatch, source)
    rows = (
        '[tracks]\naction = { label = "A" }\nstr = { label = "STR" }\n'
        '[outcomes]\nhit = { key = "h" }\nmiss = { key = "m" }\n'
        '[totals]\nstr = { label = "STR" }\n'
    )
    (tmp_path / "site" / "hedge_game" / "tables" / "economy.toml").write_text(rows, "utf-8")
    with pytest.raises(Refused, match=r"economy.toml, line 8: \[totals.str\] is in vain"):
        load_ruleset("hedge")


async def test_an_error_of_a_command_is_a_refusal_with_its_place_and_takes_nothing_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    install(tmp_path / "site", monkeypatch, SOURCE.replace("args: None", "args: 1 / 0"))
    why = "the code of Hedge has a fault here: ZeroDivisionError: division by zero (__init__.py, "
    with pytest.raises(Refused) as refusal:
        affray.Fight("hedge").do("risk h")
    assert str(refusal.value) == f"{why}line 25)"
    assert isinstance(refusal.value.__cause__, ZeroDivisionError)
    path = tmp_path / "f.toml"
    with OpenEncounter.create(path, "hedge", "Fight") as opened:
        assert any(why in said for said in Reader(opened).answer("risk h"))
        async with AffrayApp(opened).run_test(size=(120, 40)) as pilot:
            screen = Game(opened, pilot)
            await screen.type(":risk h↵")
            assert isinstance(pilot.app.screen, FightScreen) and why in str(screen.line.message)
    status, _, err = run("do", path, "risk h")
    assert status == 2 and why in err and "Traceback" not in err


FAULTS = {
    "numbers": ("totals", "total", "explain", "penalty", "difficulty"),
    "actions": ("options", "own_options", "weapons", "reacts_despite"),
    "sheet": ("labels", "usage"),
    "turns": ("pending_decisions",),
    "state": ("describe_track",),
}
"""What screens ask of a game, besides its commands."""


@pytest.mark.parametrize("begins", [False, True], ids=["later", "at-once"])
@pytest.mark.parametrize("part", FAULTS)
async def test_an_error_in_an_answer_for_the_screen_is_told_and_the_fight_goes_on(
    part: str, begins: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = SOURCE.replace('"totals": {"risk": {"label": "Risk"}}', '"totals": {}')
    install(tmp_path / "site", monkeypatch, f"{source}\ndef falls(*args, **more):\n    1 / 0\n")
    with OpenEncounter.create(tmp_path / "f.toml", "hedge", "Fight") as opened:
        opened.do("add pc Mira", "add monster Ghoul", "init all 3", "start")
        rules = opened.ruleset
        kind = type(f"Own{part}", (type(getattr(rules, part)),), {})
        own = kind(StatRules({})) if part == "numbers" else kind()
        opened.ruleset = msgspec.structs.replace(rules, **{part: own})
        falls = __import__("hedge_game").falls
        for name in FAULTS[part] if begins else ():
            setattr(kind, name, falls)
        async with AffrayApp(opened).run_test(size=(120, 40)) as pilot:
            screen, heard = Game(opened, pilot), list[str]()
            await pilot.pause()
            for name in FAULTS[part]:
                setattr(kind, name, falls)
            for keys in (":note x↵", "n", "a", "/", "w", "?", "t", "⎋", "u"):
                await screen.type(keys)
                if isinstance(pilot.app.screen, FightScreen):
                    heard.append(str(screen.line.message))
                await pilot.press("escape", "escape")
            for name in FAULTS[part]:
                delattr(kind, name)
            await screen.type(":note y↵")
            is_told = any("the code of Hedge has a fault here" in line for line in heard)
            assert is_told or not begins or part in ("numbers", "state")  # little is asked of them
            assert isinstance(pilot.app.screen, FightScreen)
            assert opened.history.entries[opened.history.last].command == "note y"


OWN = (
    SOURCE.replace('"totals": {"risk": {"label": "Risk"}}', '"totals": {}')
    + """
import copy
from msgspec.structs import asdict, replace
from affray.core.rules.ruleset import Part

def own(part):
    made = copy.copy(part)
    made.__class__ = type("Own", (type(part),), {})
    return made

def falls(*args, **more):
    return 1 / 0

RULESET = replace(RULESET, **{n: own(p) for n, p in asdict(RULESET).items() if isinstance(p, Part)})
"""
)
"""A game each of whose parts has a class of its own."""
HEADLESS = (
    ("show",),
    ("show", "--json"),
    ("log",),
    ("recap",),
    ("recap", "--html", "--players"),
    ("odds", "--fights", "2"),
    ("check",),
)
READ = ("order", "card mira", "actions", "note x", "next", "why mira hp", "waiting", "undo", "log")


def test_an_error_in_any_part_of_a_game_is_one_line_without_a_screen_and_a_fight_read_aloud_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    install(tmp_path / "site", monkeypatch, OWN)
    rules, told = load_ruleset("hedge"), set[str]()
    for part in [part for part in msgspec.structs.asdict(rules).values() if isinstance(part, Part)]:
        for method in [name for name in dir(part) if callable(getattr(part, name))]:
            if method.startswith("_"):
                continue
            path = tmp_path / f"{type(part).__name__}-{method}.toml"
            with OpenEncounter.create(path, "hedge", "Fight") as opened:
                opened.do("add pc Mira", "add monster Ghoul", "init all 3", "start", "next")
            with monkeypatch.context() as patched:
                patched.setattr(type(part), method, __import__("hedge_game").falls)
                for command, *more in (*HEADLESS, ("do", "note x", "--json")):
                    before, after = (more[:1], more[1:]) if command == "do" else ([], more)
                    status, _, err = run(command, path, *before, *after)
                    assert not err or err.count("\n") == 1 or "Hedge" not in err
                    if "the code of Hedge has a fault here: ZeroDivisionError" in err:
                        assert status == 2 and "(__init__.py, line " in err
                        told.add(command)
                with OpenEncounter.open_or_view(path) as opened:
                    reader = Reader(opened)
                    said = [*reader.begin(), *(s for line in READ for s in reader.answer(line))]
                    told.update("play" for each in said if "the code of Hedge has a fault" in each)
            with OpenEncounter.open(path) as opened:
                assert Reader(opened).answer("note y")[0].startswith("Note")
    assert told >= {"show", "do", "play"}
