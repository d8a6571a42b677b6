"""docs/write-a-ruleset.md: the two games that it writes, as packages of their own, played."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import tomli
from msgspec.structs import replace
from tests.tui.ghouls import finished, prompt_after

from affray import Fight, Refused, rulesets
from affray.core.dice import DieInput, SeededDice
from affray.core.engine.events import Rolled
from affray.core.engine.history import Entry
from affray.core.formatting.pieces import why_in_words
from affray.core.rules import ruleset
from affray.core.rules.house_rules import with_house_rules
from affray.core.rules.imported_creature import (
    ImportedAttack,
    ImportedCreature,
    ImportedDamage,
    ImportedFeature,
)
from affray.core.rules.ruleset import Context, Ruleset
from affray.core.rules.tables import read_tables
from affray.mechanics import stats
from affray.mechanics.techniques import TechniqueActions, technique_commands
from affray.store.importers.run_import import bring_in
from affray.store.open_encounter import OpenEncounter
from affray.testing import conforms

PAGE = (Path(__file__).parents[2] / "docs" / "write-a-ruleset.md").read_text("utf-8")
GAMES = ("duel", "lantern")
FILES = dict(re.findall(rf"^```\w+ ((?:{'|'.join(GAMES)})/\S+)\n(.*?)^```", PAGE, re.M | re.S))


def blocks(kind: str) -> list[str]:
    """The blocks of that kind, in the order of the page."""
    return re.findall(rf"^```{kind}\n(.*?)^```", PAGE, re.M | re.S)


@pytest.fixture(autouse=True, scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of the page's files, as packages that affray finds."""
    folder = tmp_path_factory.mktemp("games")
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        patch.syspath_prepend(folder / "duel")
        for game in GAMES:
            patch.setitem(rulesets.BUILT_IN, game, game)
        yield folder
    for module in [name for name in sys.modules if name.split(".")[0] in GAMES]:
        del sys.modules[module]


def played(game: str) -> Fight:
    """The fight of the page, each command answered as it says there."""
    fight = Fight(game, seed=1)
    lines = "".join(blocks(f"{game} fight")).splitlines()
    for asked, answer in zip(lines[::2], lines[1::2], strict=True):
        line = asked.removeprefix("> ")
        if answer.startswith("refused: "):
            with pytest.raises(Refused, match=answer.removeprefix("refused: ")):
                fight.do(line)
        else:
            assert fight.do(line).text == answer
    return fight


# -- part one: duel --------------------------------------------------------------------------------


def test_the_fight_of_the_page_is_played() -> None:
    fight = played("duel")
    assert (fight["mira"].energy, fight["mira"].ac) == (0, 16)
    assert {fight[name].life for name in ("ghoul-1", "ghoul-2")} == {"defeated"}


def test_the_tests_of_the_page_hold() -> None:
    (of_lantern,) = blocks("python lantern test")
    for text in (FILES["duel/test_duel.py"], of_lantern):
        names: dict[str, object] = {}
        exec(text, names)
        found = [value for name, value in names.items() if name.startswith("test_")]
        assert found
        for test in found:
            test()  # type: ignore[operator]


def test_numbers_say_where_they_come_from_and_energy_comes_back() -> None:
    fight = Fight("duel", seed=1)
    fight.do("add pc Mira hp 20 ac 14", "add pc Odo hp 20 ac 10", "init mira 9", "init odo 5")
    fight.do("start", "guard")
    assert any("guarded" in line for line in fight.why("mira", "ac"))
    assert [o.reason for o in fight.options("mira")] == ["once a turn", ""]
    fight.do("next", "next")
    assert (fight["mira"].energy, fight["mira"].ac) == (2, 14)


def test_the_screen_has_its_keys(tmp_path: Path) -> None:
    with OpenEncounter.create(tmp_path / "f.toml", "duel", "Duel", SeededDice(1)) as fight:
        for line in ("add pc Mira hp 9 ac 1", "add monster Ghoul hp 6 ac 12", "init all roll"):
            fight.do(line)
        fight.do("init mira 30")
        fight.do("start")
        prompt = prompt_after(fight, "s h enter r")
        assert (prompt.line, finished(prompt)) == ("strike ghoul hit", True)


def test_house_rules_say_what_the_schema_has_and_nothing_else() -> None:
    game = import_module("duel").RULESET
    assert isinstance(game, Ruleset)
    more = '[effects.blessed]\nkind = "stance"\nmodifiers = { attack = 1 }\n'
    assert "blessed" in with_house_rules(game, read_tables(tomli.loads(more))).tables.effects
    with pytest.raises(Refused, match="has no such field"):
        with_house_rules(
            game, read_tables(tomli.loads('[effects.slow]\nkind = "stance"\nspeed = "half"\n'))
        )


def test_a_technique_of_a_campaign_leaves_the_effects_of_the_games_kinds() -> None:
    game = import_module("duel").RULESET
    game = replace(game, schema=replace(game.schema, techniques=True, repeat=("any",)))
    brace = (
        '[techniques.brace]\nname = "Brace"\nrepeat = "any"\ncost = { energy = 1 }\n'
        'does = { bestow = "%s", says = "braces" }\n'
    )
    fight = Fight(with_house_rules(game, read_tables(tomli.loads(brace % "guarded"))), seed=1)
    fight.do("add pc Mira hp 20 ac 14", "init mira 9", "start", "brace")
    assert fight["mira"].ac == 16
    with pytest.raises(Refused, match=r"no effect 'guardd'.* guarded"):
        with_house_rules(game, read_tables(tomli.loads(brace % "guardd")))


def game_of(kind: str, names: Any, **parts: Any) -> Ruleset:
    """Duel with the rows and the techniques of a piece of Other bones, and more of its parts."""
    duel = import_module("duel").RULESET
    tables = duel.tables.merged(read_tables(tomli.loads(blocks(f"toml {kind}")[0])))
    commands = (*technique_commands(names["TECHNIQUES"], tables), *parts.pop("commands"))
    more = {command.name: command for command in commands}
    actions = TechniqueActions(names["TECHNIQUES"])
    return replace(
        duel, tables=tables, commands={**duel.commands, **more}, actions=actions, **parts
    )


def other_bones(kind: str, **names: object) -> dict[str, object]:
    """The names of a piece of code of Other bones, as a module behind that of the strike."""
    module = sys.modules[f"duel.{kind}"] = ModuleType(f"duel.{kind}")
    vars(module).update(vars(import_module("duel.fighting")), __name__=module.__name__, **names)
    (code,) = blocks(f"python {kind}")
    exec(code, vars(module))
    return vars(module)


def test_a_wound_makes_a_roll_under_a_number_harder(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = stats.StatRules({"might": stats.StatRule(stats.own_number)}, once=("stance",))
    under: Any = other_bones("under", STATS=numbers)["Under"]
    monkeypatch.setattr(
        import_module("duel.fighting"),
        "Strike",
        lambda who, stat, die, against: under(who, "might", die, against=against),
    )
    game = import_module("duel").RULESET
    more = read_tables(
        tomli.loads('[effects.guarded]\nkind = "stance"\nmodifiers = { might = -20 }')
    )
    fight = Fight(replace(game, tables=game.tables.merged(more)), seed=1)
    fight.do("add pc Mira hp 20 ac 14 might 25", "add monster Ghoul hp 9 ac 12")
    assert rolled(fight.do("strike ghoul natural 18 by mira")) == ("hit", 18, 25)
    fight.do("guard by mira")
    assert rolled(fight.do("strike ghoul natural 18 by mira")) == ("miss", 18, 5)


def rolled(entry: Entry) -> tuple[str, int | None, int | None]:
    """The outcome, the total and the number of the first roll."""
    first = next(event for event in entry.events if isinstance(event, Rolled))
    return first.outcome, first.total, first.dc


def test_a_reaction_undoes_what_it_answers_and_is_paid_off_the_turn_to_come() -> None:
    names: Any = other_bones("reaction")
    game = game_of("reaction", names, commands=(names["REACT"],))
    setup = ("add pc Mira hp 20 ac 14", "add monster Ghoul hp 6 ac 12", "init mira 9")
    more = ("init ghoul 5", "start", "strike ghoul hit", "react block by ghoul")
    fight = Fight(game, seed=1)
    fight.do(*setup, *more)
    assert (fight["ghoul"].hp, fight["ghoul"].energy, fight["mira"].energy) == (6, 1, 1)
    with pytest.raises(Refused, match="nobody has just hit Ghoul"):
        fight.do("react block by ghoul")
    fight.do("next")
    assert fight["ghoul"].energy == 1
    fight.do("next", "next")
    assert fight["ghoul"].energy == 2
    conforms(game, *setup, *more)


def wrestling(*lines: str) -> Fight:
    """Mira and a ghoul who wrestle: the code of the page."""
    names: Any = other_bones("contest")
    commands = (names["WITHSTAND"],)
    game = game_of("contest", names, commands=commands, turns=names["ContestTurns"]())
    fight = Fight(game, seed=1)
    fight.do("add pc Mira hp 20 ac 14 might 3", "add monster Ghoul hp 6 ac 12 might 1")
    fight.do("init mira 15", "init ghoul 8", "start", *lines)
    return fight


def test_in_a_contest_both_roll_and_the_total_of_the_one_is_the_number_of_the_other() -> None:
    fight = wrestling()
    entry = fight.do("wrestle ghoul natural 7 vs natural 9")
    assert entry.text == "Mira wrestles Ghoul: won" and fight["mira"].hp == 18
    totals = [(e.dice, e.total, e.dc) for e in entry.events if isinstance(e, Rolled)]
    assert totals == [("2d6+3", 10, None), ("2d6+1", 10, 10)]


def test_a_players_roll_in_a_contest_waits_with_the_games_dice() -> None:
    fight = wrestling("next", "wrestle mira natural 7")
    (waits,) = fight.ruleset.turns.pending_decisions(fight.ruleset.tables, fight.state)
    assert (waits.what, waits.thrown) == ("Mira makes a roll, against a throw by Ghoul", "2d6")
    assert waits.line_with("3,1") == "withstand mira natural 3,1"
    assert fight.do("withstand mira natural 3,1").text == (
        "Mira's contest against a throw by Ghoul, lost"
    )
    with pytest.raises(Refused, match="Mira owes no roll"):
        fight.do("withstand mira natural 4")


def test_a_contest_that_nobody_made_is_rolled_at_the_turns_end() -> None:
    fight = wrestling("next", "wrestle mira natural 7", "next", "next")
    assert not fight["mira"].effects


def test_a_game_with_contests_holds() -> None:
    setup = ("add pc Mira hp 20 ac 14 might 3", "add monster Ghoul hp 6 ac 12 might 1")
    more = ("init mira 15", "init ghoul 8", "start", "wrestle ghoul natural 7 vs natural 9", "next")
    conforms(wrestling().ruleset, *setup, *more, "wrestle mira natural 7", "withstand mira won")


def test_a_pool_counts_its_successes() -> None:
    push: Any = other_bones("pool", Sequence=Sequence)["Push"]
    fight = Fight("duel", seed=1)
    fight.do("add pc Mira hp 20 ac 14 might 3")
    daring = replace(fight.state["mira"], stats={"daring": 3})
    ctx = Context(replace(fight.state, combatants=(daring,)), fight.ruleset, SeededDice(1))
    roll = push("mira", "push", DieInput(faces=(5, 2, 6))).make(ctx)
    assert (roll.dice, roll.natural, roll.outcome) == ("3d6", 2, "hit")


def test_what_a_test_asks_for_is_found_where_the_page_says() -> None:
    fight = Fight("duel", seed=1)
    fight.do("add pc Mira hp 20 ac 14 might 3", "add monster Ghoul hp 9 ac 12 might 1")
    fight.do("init mira 15", "init ghoul 8", "start")
    (code,) = blocks("python outcomes")
    exec(code, {"fight": fight, "Rolled": Rolled, "Refused": Refused, "pytest": pytest})


def test_all_code_of_the_page_is_run() -> None:
    named = set(re.findall(r"^```(?:python|toml) ?(.*)$", PAGE, re.M))
    assert named - {*FILES} == {"pool", "outcomes", "under", "contest", "reaction", "lantern test"}


# -- part two: lantern -----------------------------------------------------------------------------

ODO = (
    "add pc Odo hp 60 ac 12 dc 13 slots 2 attack bow +5 1d8 piercing ranged attack rod +3 1d4 "
    "spell flames save dex 3d6 fire spell snare save dex inflicts snared concentration"
)
GHOUL = "add monster Ghoul x2 hp 40 ac 12 dex 20 resist fire attack claw +4 2d4 slashing"
SETUP = (ODO, GHOUL, "init odo 15", "init ghoul-1 9", "init ghoul-2 5", "start")


@pytest.fixture
def fight() -> Fight:
    """Odo is up, then two ghouls, who never fail a save that is rolled."""
    fight = Fight("lantern", seed=1)
    fight.do(*SETUP)
    return fight


def leaned(fight: Fight, line: str) -> tuple[int, str]:
    """Which way the first d20 of a command leaned, and what counted in it."""
    entry = fight.do(line)
    first = next(event for event in entry.events if isinstance(event, Rolled))
    return first.lean, why_in_words(first)


def test_the_fight_of_the_second_part_is_played() -> None:
    fight = played("lantern")
    assert (fight["odo"].slots, fight["odo"].hp, fight["mira"].life) == (2, 18, "up")
    assert fight["ghoul-1"].hp < 22 and fight["ghoul-2"].hp < 22 - 2 * 9


def test_conditions_give_advantage_and_disadvantage_by_their_rows(fight: Fight) -> None:
    fight.do("inflict ghoul-1 prone")
    assert leaned(fight, "attack ghoul-1 roll with bow")[0] == -1
    fight.do("next", "next", "next")
    assert leaned(fight, "attack ghoul-1 roll with rod") == (1, "+3 rod, advantage: target prone")
    fight.do("next")
    assert leaned(fight, "attack odo roll") == (-1, "+4 claw, disadvantage: prone")
    fight.do("next", "inflict ghoul-2 prone", "stand")
    assert not fight.state["ghoul-2"].effects and fight["ghoul-2"].action == 0


@pytest.mark.parametrize(("words", "outcome"), [("", "hit"), ("cover", "miss"), ("dis", "miss")])
def test_cover_and_what_is_said_count_in_an_attack(fight: Fight, words: str, outcome: str) -> None:
    faces = "8,2" if words == "dis" else "8"
    assert fight.do(f"attack ghoul-1 natural {faces} {words}").text.endswith(outcome)


def test_damage_goes_through_its_steps(fight: Fight) -> None:
    fight.do("attack ghoul-1 crit 7")
    assert fight["ghoul-1"].hp == 40 - 14
    fight.do("damage ghoul-1,ghoul-2 13 fire half ghoul-2")
    assert (fight["ghoul-1"].hp, fight["ghoul-2"].hp) == (26 - 6, 40 - 3)


def effects(fight: Fight, name: str) -> list[str]:
    """The names of somebody's effects."""
    return [effect.name for effect in fight.state[name].effects]


def test_a_save_ends_what_a_spell_has_laid_and_each_saves_by_its_own_die(fight: Fight) -> None:
    fight.do("cast snare ghoul-1,ghoul-2 failure,success", "next")
    assert (effects(fight, "ghoul-1"), effects(fight, "ghoul-2")) == (["snared"], [])
    assert leaned(fight, "attack odo natural 20,1")[0] == -1
    fight.do("next")
    assert (effects(fight, "ghoul-1"), effects(fight, "odo")) == ([], ["concentrating"])


def test_a_players_save_waits_for_its_die_and_is_asked_once_a_turn() -> None:
    fight = Fight("lantern", seed=1)
    witch = "add monster Witch hp 9 dc 13 slots 1 spell snare save dex inflicts snared"
    fight.do(ODO, witch, "cast snare odo failure by witch", "init odo 15", "init witch 9", "start")
    (waits,) = fight.ruleset.turns.pending_decisions(fight.ruleset.tables, fight.state)
    assert (waits.what, waits.line_with("9")) == (
        "Odo saves against snared",
        "endure odo natural 9",
    )
    fight.do("endure odo failure")
    assert fight.ruleset.turns.pending_decisions(fight.ruleset.tables, fight.state) == []
    assert effects(fight, "odo") == ["snared"]


def test_a_list_has_the_words_of_the_sheet_and_its_dex_gives_no_initiative(tmp_path: Path) -> None:
    (tmp_path / "campaign.toml").write_text('name = "Fen"\nruleset = "lantern"\n', "utf-8")
    (tmp_path / "hounds.csv").write_text("name,hp,dex,dc\nBog Hound,11,3,13\n", "utf-8")
    brought = bring_in(tmp_path / "hounds.csv", tmp_path)
    (row,) = brought.rows["bestiary.toml"]
    assert row.row == {"name": "Bog Hound", "hp": 11, "dc": 13, "dex": 3}
    assert not row.left


def test_a_creature_of_another_program_has_the_words_of_the_sheet() -> None:
    bite = ImportedFeature(
        "Bite",
        attack=ImportedAttack(4, "ac"),
        damage=(ImportedDamage("1d6+2", "piercing"),),
    )
    creature = ImportedCreature(
        "Bog Hound", hp=11, ac=12, resist=("fire",), features=(bite,), in_words={"dc": "13"}
    )
    game = import_module("lantern").RULESET
    found = game.sheet.import_creature(game.tables, creature)
    assert found.row == {
        "hp": 11, "ac": 12, "dc": 13, "resist": "fire", "attack": ['"Bite" +4 1d6+2 piercing'],
    }  # fmt: skip
    fight = Fight("lantern", seed=1)
    fight.do('add monster Hound hp 11 ac 12 dc 13 resist fire attack "Bite" +4 1d6+2 piercing')
    assert fight["hound"].ac == 12


def test_a_save_halves_the_damage_of_a_spell(fight: Fight) -> None:
    fight.do("cast flames ghoul-1,ghoul-2 failure,success")
    failed, saved = (40 - fight[name].hp for name in ("ghoul-1", "ghoul-2"))
    assert failed // 2 == saved > 0


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("damage odo 50", []),  # DC 25
        ("damage odo 60", []),  # at 0 HP no save is asked for
        ("cast snare ghoul-2 success by odo", ["concentrating"]),
    ],
)
def test_concentration_ends_by_damage_by_a_fall_and_by_another_spell(
    fight: Fight, line: str, left: list[str]
) -> None:
    fight.do("cast snare ghoul-1 failure", "end")  # then nothing costs an action
    assert effects(fight, "ghoul-1") == ["snared"]
    fight.do(line)
    assert (effects(fight, "ghoul-1"), effects(fight, "odo")) == ([], left)


def test_a_slot_is_spent_at_any_time_and_a_rest_brings_it_back(fight: Fight) -> None:
    fight.do("end", "cast flames ghoul-1 success by odo", "cast flames ghoul-1 success by odo")
    with pytest.raises(Refused, match="Odo has no slot left"):
        fight.do("cast flames ghoul-1 success by odo")
    fight.do("damage odo 9", "rest")
    assert (fight["odo"].slots, fight["odo"].hp) == (2, 60)


def test_the_screen_has_the_keys_of_the_second_part(tmp_path: Path) -> None:
    with OpenEncounter.create(tmp_path / "f.toml", "lantern", "Lantern", SeededDice(1)) as fight:
        for line in SETUP:
            fight.do(line)
        for keys, line in (
            ("a C h r enter", "attack ghoul-1 hit cover"),
            ("v f enter s enter r", 'cast "flames" ghoul-1 success'),
        ):
            prompt = prompt_after(fight, keys)
            assert (prompt.line, finished(prompt)) == (line, True)


# -- what the page says of the code ----------------------------------------------------------------

WHOLE = re.findall(r"`((?:(?:fifth|srd)[./]|mechanics\.)[\w./]+)`", PAGE)
STABLE = set(re.findall(r"`(affray[\w.]*)`", PAGE.split("## What may be imported")[1]))


@pytest.mark.parametrize("name", sorted(set(WHOLE)))
def test_where_the_whole_stands_is_there(name: str) -> None:
    if "/" in name:
        assert (Path(rulesets.__file__).parent / name).is_file()
        return
    first, *rest = name.split(".")
    at = import_module(f"affray.{'' if first == 'mechanics' else 'rulesets.'}{first}")
    for part in rest:
        is_module = hasattr(at, "__path__") and not part.isupper()
        at = import_module(f"{at.__name__}.{part}") if is_module else getattr(at, part)


def test_the_games_of_the_page_import_nothing_but_what_is_stable() -> None:
    assert all(map(import_module, STABLE))
    for file, text in FILES.items():
        for node in ast.walk(ast.parse(text)) if file.endswith(".py") else ():
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("affray"):
                names = {f"{node.module}.{each.name}" for each in node.names}
                assert node.module in STABLE or names <= STABLE, (file, node.module)


def test_all_of_the_mechanics_is_stable() -> None:
    folder = Path(str(import_module("affray.mechanics").__file__)).parent
    there = {f"affray.mechanics.{path.stem}" for path in folder.glob("[!_]*.py")}
    assert there == {name for name in STABLE if name.startswith("affray.mechanics.")}


def test_each_part_of_a_ruleset_is_on_the_page_and_says_what_it_is_for() -> None:
    classes = [each for each in vars(ruleset).values() if isinstance(each, type)]
    parts = {each for each in classes if ruleset.Part in each.__bases__} | {ruleset.TableSchema}
    assert len(parts) == 8
    for part in parts:
        assert part.__doc__ and f"| `{part.__name__}` |" in PAGE
