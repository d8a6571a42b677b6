"""Typed methods for scripts: each makes the entry of its text command, and no value breaks out."""

from __future__ import annotations

import inspect
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

import affray
from affray.core.commands import CORE_COMMANDS
from affray.core.engine.history import Entry
from affray.core.parser.tokens import tokenize
from affray.fight_commands import FightCommands
from affray.rulesets import load_ruleset
from affray.store.open_encounter import OpenEncounter

Given = Callable[[affray.Fight], Entry]


def played(*lines: str, ruleset: str = "5e") -> affray.Fight:
    fight = affray.Fight(ruleset, seed=1)
    fight.do("add pc Mira hp 30 ac 15", "add monster Ghoul x2 hp 20", 'add monster "Fire Imp" hp 9')
    fight.do("init mira 20", *lines)
    return fight


CALLS: list[tuple[Given, str, list[str]]] = [
    (lambda f: f.add("pc", "Odo", hp="18/24", ac=13), "add pc Odo hp 18/24 ac 13", []),
    (
        lambda f: f.add("monster", "Old Tom's Cat", count=2, text="Purrs.", hp=9, hidden=True),
        """add monster "Old Tom's Cat" x2 text "Purrs." hidden hp 9""",
        [],
    ),
    (
        lambda f: f.add("monster", "Rat", count=3, group=True, side="others", hp=2, size="small"),
        "add monster Rat x3 side others group hp 2 size small",
        [],
    ),
    (
        lambda f: f.add(
            "monster", "Rat", count=3, group="The Pack", wave=2, hp=2, saves="dex,con+8"
        ),
        'add monster Rat x3 group "The Pack" hp 2 saves dex,con+8 wave 2',
        [],
    ),
    (
        lambda f: f.add(
            "monster", "Wight", hp=30, attack=["axe 5 1d8+3 slashing", "bow 4 1d8 piercing"]
        ),
        "add monster Wight hp 30 attack axe 5 1d8+3 slashing attack bow 4 1d8 piercing",
        [],
    ),
    (
        lambda f: f.add("monster", "Wight", hp=30, resist=["fire", "cold"], passive_perception=13),
        "add monster Wight hp 30 resist fire,cold passive-perception 13",
        [],
    ),
    (lambda f: f.wave(), "wave", ["add monster Rat hp 2 wave 3"]),
    (lambda f: f.wave(3), "wave 3", ["add monster Rat hp 2 wave 3"]),
    (lambda f: f.leave(f["Fire Imp"]), "leave fire-imp", []),
    (lambda f: f.leave(["ghoul-1", "Fire Imp"]), 'leave ghoul-1,"Fire Imp"', []),
    (lambda f: f.rename("mira", "Mira 'the Quick'"), """rename mira "Mira 'the Quick'" """, []),
    (lambda f: f.conceal("foes"), "conceal foes", []),
    (lambda f: f.reveal("Fire Imp"), 'reveal "Fire Imp"', ["conceal foes"]),
    (lambda f: f.set("mira", "hp", 18, 32), "set mira hp 18 of 32", []),
    (lambda f: f.set("mira,ghoul-1", "side", "others"), "set mira,ghoul-1 side others", []),
    (lambda f: f.group(["ghoul-1", "ghoul-2"]), "group ghoul-1,ghoul-2", []),
    (lambda f: f.group("foes", "The Pack"), 'group foes "The Pack"', []),
    (lambda f: f.ungroup("The Pack"), 'ungroup "The Pack"', ['group foes "The Pack"']),
    (lambda f: f.init(), "init roll", []),
    (lambda f: f.init("foes"), "init foes roll", []),
    (lambda f: f.init("mira", -2), "init mira -2", []),
    (lambda f: f.init("mira", natural=12), "init mira natural 12", []),
    (lambda f: f.init("foes", natural=[3, 9, 1]), "init foes natural 3,9,1", []),
    (lambda f: f.init("ghoul-1", before="mira"), "init ghoul-1 before mira", []),
    (lambda f: f.init("ghoul-1", after=f["mira"]), "init ghoul-1 after mira", []),
    (lambda f: f.start(), "start", []),
    (lambda f: f.next(), "next", ["start"]),
    (lambda f: f.end(), "end", ["start"]),
    (lambda f: f.delay(), "delay", ["init foes 3", "start"]),
    (lambda f: f.delay(2, by="mira"), "delay 2 by mira", ["init foes 3", "start"]),
    (lambda f: f.return_(), "return", ["start", "delay"]),
    (lambda f: f.return_("mira"), "return mira", ["start", "delay"]),
    (lambda f: f.swap("odo"), "swap odo", ["add pc Odo hp 9", "init odo 20", "start"]),
    (lambda f: f.next("ghoul-2"), "next ghoul-2", ["setting order popcorn", "start"]),
    (lambda f: f.finish("mira"), "finish mira", ["setting order sides", "start"]),
    (lambda f: f.turns_a_round("mira", 2), "turns-a-round mira 2", []),
    (lambda f: f.damage("mira", 12, "fire"), "damage mira 12 fire", []),
    (lambda f: f.damage(f["Fire Imp"], "2d6+3"), "damage fire-imp 2d6+3", []),
    (lambda f: f.damage("foes", 9, half=True), "damage foes 9 half", []),
    (
        lambda f: f.damage(["mira", f["ghoul-1"]], 9, "cold", half=[f["mira"]]),
        "damage mira,ghoul-1 9 cold half mira",
        [],
    ),
    (lambda f: f.heal("mira,Fire Imp", 3), 'heal "mira,Fire Imp" 3', ["damage all 5"]),
    (lambda f: f.temp(("mira", "ghoul-1"), 5), "temp mira,ghoul-1 5", []),
    (lambda f: f.inflict("ghoul-1", "prone"), "inflict ghoul-1 prone", []),
    (
        lambda f: f.inflict("foes", ["prone", "poisoned"], until="end of mira", source="mira"),
        "inflict foes prone,poisoned until end of mira from mira",
        [],
    ),
    (
        lambda f: f.inflict("mira", "ongoing 5 fire", turns=2, by="ghoul-1"),
        "inflict mira ongoing 5 fire for 2 turns by ghoul-1",
        [],
    ),
    (
        lambda f: f.inflict_custom("foes", "hexed", note='says "no"', turns=2, attack=-2, ac=1),
        """inflict foes "hexed" note "says 'no'" attack -2 ac +1 for 2 turns""",
        [],
    ),
    (lambda f: f.remove("ghoul-1"), "remove ghoul-1", []),
    (lambda f: f.remove("foes", "Evil Eye"), 'remove foes "Evil Eye"', ['inflict foes "Evil Eye"']),
    (lambda f: f.note("on the bridge"), 'note "on the bridge"', []),
    (lambda f: f.note("on", about=["mira", "ghoul-1"]), 'note on mira,ghoul-1 "on"', []),
    (lambda f: f.read_aloud("It's dark; “hush”."), 'read-aloud "It\'s dark; “hush”."', []),
    (lambda f: f.setting("turn-timer", 90), "setting turn-timer 90", []),
    (lambda f: f.setting("players-health", "bars"), "setting players-health bars", []),
    (lambda f: f.clock("fall", "4d6", "slow", hidden=True), 'clock "fall" 4d6 slow hidden', []),
    (lambda f: f.clock("climb", 5, "before", 3), 'clock "climb" 5 before 3', []),
    (
        lambda f: f.clock("fall", "roll", "natural", [6, 2]),
        'clock "fall" roll natural 6,2',
        ['clock "fall" 2d6'],
    ),
    (lambda f: f.effort("bog", "2d4"), 'effort "bog" 2d4', ['clock "bog" effort 20']),
    (
        lambda f: f.effort("bog", 6, fail=True),
        'effort "bog" 6 fail',
        ['clock "bog" effort 20 group'],
    ),
    (
        lambda f: f.give("check", "mira", "str", "natural", 15, dc=12),
        "check mira str natural 15 dc 12",
        [],
    ),
    (
        lambda f: f.give("check", ["mira", "ghoul-1"], "dex", "roll", adv=True, dis=False, plus=-2),
        "check mira,ghoul-1 dex roll adv plus -2",
        [],
    ),
    (
        lambda f: f.give("modifier", "mira", 2, "attack", '"Bless"', from_="mira"),
        'modifier mira 2 attack "Bless" from mira',
        [],
    ),
    (lambda f: f.give("dodge", by=f["Fire Imp"]), "dodge by fire-imp", []),
]


@pytest.mark.parametrize(("call", "line", "before"), CALLS, ids=[line for _, line, _ in CALLS])
def test_a_typed_method_makes_the_entry_of_its_text_command(
    call: Given, line: str, before: list[str]
) -> None:
    typed, text = played(*before), played(*before)
    assert typed.entries[-1].at is not None
    entries = [replace(each, at=None) for each in (call(typed), text.do(line))]
    assert entries[0] == entries[1]


def method_of(command: str) -> str:
    return {"return": "return_"}.get(command, command.replace("-", "_"))


IN_EVERY_GAME = [*CORE_COMMANDS, "damage", "heal", "temp", "inflict"]
"""Plain, the smallest game, has these four of its own: what the others add is given by name."""


def test_every_command_of_all_games_has_its_method_and_an_example() -> None:
    tried = {line.split()[0] for _, line, _ in CALLS}
    for command in IN_EVERY_GAME:
        assert callable(getattr(affray.Fight, method_of(command))), command
    assert set(IN_EVERY_GAME) - tried == {"carry"}  # it needs a campaign, below


@pytest.mark.parametrize("command", IN_EVERY_GAME)
def test_a_method_has_the_arguments_that_its_command_declares(command: str) -> None:
    declared = {**CORE_COMMANDS, **load_ruleset("plain").commands}[command]
    method = inspect.signature(getattr(FightCommands, method_of(command)))
    if declared.args_type is None:
        return
    takes = set(method.parameters) - {"self", "by"}
    if "terms" in declared.args_type.__struct_fields__:
        takes = takes - {"until", "turns", "source"} | {"terms"}
    assert takes == set(declared.args_type.__struct_fields__)
    assert declared.acts == ("by" in method.parameters) or command == "return"


def test_a_party_is_carried_between_a_campaigns_fights(tmp_path: Path) -> None:
    (tmp_path / "encounters").mkdir()
    (tmp_path / "party.toml").write_text('[mira]\nname = "Mira"\nhp = 20\n', "utf-8")
    ford, mill = (tmp_path / "encounters" / f"{name}.toml" for name in ("ford", "mill"))
    for path in (ford, mill):
        OpenEncounter.create(path, "plain", path.stem).close()
    with affray.open(ford) as fight:
        fight.add("party")
        fight.add("monster", "Ghoul", hp=9)
        fight.start()
        fight.damage("mira", 7)
        fight.end()
        assert fight.ask("carry") is not None
    with affray.open(mill) as fight:
        fight.add("party")
        assert fight["mira"].hp == 13
    with affray.open(tmp_path / "ledger.toml") as ledger:
        ledger.heal("mira", 3)
        with pytest.raises(affray.Refused, match="the ledger already has the result of ford"):
            ledger.carry("ford")
    with affray.open(mill) as fight:
        assert fight.carry().command == "carry"
        assert fight["mira"].hp == 16


def test_a_creature_of_the_bestiary_and_the_party_join_as_by_text() -> None:
    plain = load_ruleset("plain")
    rows = {
        "bog-rat": {"name": "Bog Rat", "hp": 3},
        "mira": {"name": "Mira", "kind": "pc", "hp": 9},
    }
    fights = [affray.Fight("plain"), affray.Fight("plain")]
    for fight in fights:
        fight.ruleset = replace(plain, tables=replace(plain.tables, bestiary=rows))
    fights[0].add("bog-rat", "Old Tom", count=2, hidden=True)
    fights[0].add("party")
    fights[1].do('add bog-rat x2 as "Old Tom" hidden', "add party")
    joined = [[each.events for each in fight.entries] for fight in fights]
    assert joined[0] == joined[1] and len(fights[0]) == 3


# -- values ----------------------------------------------------------------------------------------

TEXTS = st.text(st.characters(exclude_characters='"', exclude_categories=("Cs",)), max_size=20)


class Lines(FightCommands):
    """Commands that are only written down."""

    def __init__(self) -> None:
        self.line = ""
        self.ruleset = load_ruleset("plain")

    def do(self, line: str, *more: str) -> Entry:
        self.line = line
        return Entry(1, line)


@given(TEXTS, TEXTS, st.integers(-999, 999))
def test_any_text_is_one_word_of_the_line(name: str, text: str, number: int) -> None:
    lines = Lines()
    lines.give("strike", name, number, f"x{text}", plus=number, note=f"y{text}")
    said = [name, str(number), f"x{text}", "plus", str(number), "note", f"y{text}"]
    assert tokenize(lines.line) == ["strike", *said]
    lines.note(text, about=[f"x{name}", "mira"])
    assert tokenize(lines.line) == ["note", "on", f"x{name},mira", text]


def test_every_command_of_every_game_can_be_given_word_by_word() -> None:
    """Those of all cases by which the rules are tested: with `give` they are the same words."""
    commands = set()
    for path in (Path(__file__).parent / "cases").glob("*.toml"):
        document = tomllib.loads(path.read_text("utf-8"))
        commands.update(*(case.get("commands", ()) for case in document["case"]))
    for line in commands:
        words = [(str(word), word.quoted) for word in tokenize(line)]
        lines, actor = Lines(), ""
        if ("by", False) in words:
            at = words.index(("by", False))
            (_, (actor, _)), words = words[at : at + 2], words[:at] + words[at + 2 :]
        (command, _), *rest = words
        lines.give(command, *(f'"{word}"' if quoted else word for word, quoted in rest), by=actor)
        given = [(str(word), word.quoted) for word in tokenize(lines.line)]
        assert given == words + [("by", False), (actor, False)] * bool(actor), line
    assert len(commands) > 3000


@pytest.mark.parametrize("name", ["Zoë", "Ötzi the Öld", "龍", "O'Brien", "'Tis", "x2", "by", "−3"])
def test_people_of_any_name_are_found_by_it(name: str) -> None:
    fight = affray.Fight("plain")
    fight.add("pc", "Mira", hp=20)
    fight.rename("mira", name)
    fight.damage(name, 5)
    fight.note("—", about=[name])
    assert fight["mira"].hp == 15


def test_double_quotes_become_single_ones() -> None:
    fight = played()
    assert fight.note('the "old" key').text == "Note: the 'old' key"


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda f: f.damage("mira", 2.5), TypeError, "amount: expected a whole number, or dice"),
        (lambda f: f.damage("mira", True), TypeError, "amount: expected a whole number, or dice"),
        (lambda f: f.damage(7, 5), TypeError, "targets: expected a combatant, found 7"),
        (lambda f: f.damage([], 5), ValueError, "targets: expected at least one combatant"),
        (lambda f: f.damage(["mira", None], 5), TypeError, "targets: expected a combatant"),
        (lambda f: f.damage("mira", 5, 3), TypeError, "type: expected a text, found 3"),
        (lambda f: f.note(5), TypeError, "text: expected a text, found 5"),
        (lambda f: f.rename("mira", None), TypeError, "name: expected a text, found None"),
        (lambda f: f.set("mira", "hp", 2.5), TypeError, "value: expected a whole number"),
        (lambda f: f.add("pc", "Odo", hp=2.5), TypeError, "hp: expected a number, a text"),
        (lambda f: f.add("pc", "Odo", count="2"), TypeError, "count: expected a whole number"),
        (lambda f: f.add("pc", hp=3), ValueError, "name: expected the name of the pc"),
        (lambda f: f.init("mira", 3, natural=4), ValueError, "init: give one of total, natural"),
        (lambda f: f.inflict("mira", 5), TypeError, "what: expected"),
        (lambda f: f.inflict("mira", "prone", until=3), TypeError, "until: expected words"),
        (
            lambda f: f.inflict("mira", "prone by odo"),
            ValueError,
            "what: say who acts with by=",
        ),
        (lambda f: f.give("check", object()), TypeError, "word 1: expected a number, a text or"),
        (lambda f: f.give("check", plus=1.5), TypeError, "plus: expected a number, a text or"),
    ],
)
def test_a_value_of_another_type_is_told_in_a_line(
    call: Callable[[affray.Fight], object], error: type[Exception], message: str
) -> None:
    fight = played()
    before = fight.state
    with pytest.raises(error, match=f"^{message}") as raised:
        call(fight)
    assert not isinstance(raised.value, affray.Refused) and "\n" not in str(raised.value)
    assert fight.state is before


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda f: f.inflict("mira", "pronee"), "did you mean prone"),
        (lambda f: f.damage("mira", 5, "frie"), "did you mean fire"),
        (lambda f: f.give("dogde", by="mira"), "did you mean dodge"),
        (lambda f: f.give("check", "mira", "str", "roll", avd=True), "did you mean adv"),
        (lambda f: f.setting("players-helth", "bars"), "did you mean players-health"),
        (lambda f: f.remove("mira", "prone"), "no effect to remove"),
        (lambda f: f.damage("mira", -5), "must be from 0"),
        (lambda f: f.amend(f.amendment("undo")), "expected an amendment"),
    ],
)
def test_what_the_game_does_not_know_is_refused_with_what_is_close(
    call: Callable[[affray.Fight], object], message: str
) -> None:
    with pytest.raises(affray.Refused, match=message):
        call(played())


@pytest.mark.parametrize(
    "call",
    [
        lambda f: f["myra"],
        lambda f: f.damage("myra", 5),
        lambda f: f.damage(["ghoul-1", "myra"], 5),
        lambda f: f.inflict("99", "prone"),
        lambda f: f.rename("myra", "Odo"),
        lambda f: f.do("swap myra"),
        lambda f: f.options("myra"),
        lambda f: f.why("myra", "hp"),
    ],
)
def test_nobody_of_that_name_is_a_lookup_error(call: Callable[[affray.Fight], object]) -> None:
    with pytest.raises(LookupError) as raised:
        call(played("start"))
    assert isinstance(raised.value, affray.NotInFight)


def test_what_a_fight_gives_out_is_taken_wherever_a_name_is() -> None:
    fight = played()
    mira = fight["mira"]
    assert fight[mira] == fight[fight.state["mira"]] == mira
    assert fight.options(mira) and fight.why(mira, "hp") == fight.why("mira", "hp")
    with pytest.raises(TypeError, match="expected the name of a combatant, found 0"):
        _ = fight[0]  # type: ignore[index]
