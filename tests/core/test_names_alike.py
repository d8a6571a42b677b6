"""Names stay as they were typed, and one that two have hits neither without a question."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from affray.core.formatting.log_lines import entry_line
from affray.core.formatting.spoken_lines import log_lines
from affray.core.parser.errors import Refused
from affray.fight import Fight
from affray.serve.forms import compose_command, proposal_forms
from affray.store.importers.run_import import bring_in


def lines(fight: Fight) -> list[str]:
    """The log, an entry a line, as the screen has it."""
    history, tracks = fight.history, fight.ruleset.tables.tracks
    return [entry_line(history.entries[n], history.before(n), tracks) for n in history.path]


def plain(*given: str, game: str = "plain") -> Fight:
    fight = Fight(game)
    fight.do(*given)
    return fight


@pytest.mark.parametrize(
    "names",
    [
        ("Zoe", "ZOE", "zoE", "Zoë"),
        ("Fire Imp", "Fire-Imp", "Fire  Imp", "Fire, Imp"),
        ("O'Brien", "O’Brien", "O.Brien"),
    ],
)
def test_names_that_differ_keep_what_was_typed_and_are_hit_by_it(names: tuple[str, ...]) -> None:
    fight = plain(*(f'add monster "{name}" hp 9' for name in names))
    assert [c.name for c in fight.state.combatants] == [*names]
    for name in names:
        if "," not in name:
            fight.do(f'damage "{name}" 1')
            assert [c.track("hp") for c in fight.state.combatants if c.name == name] == [8]


def test_one_of_the_very_same_name_is_numbered() -> None:
    fight = plain(*(f"add monster {name} hp 9" for name in ("Zoe", "ZOE", "ZOE", "Zoe", "Zoe x2")))
    names = [c.name for c in fight.state.combatants]
    assert names[:2] == ["Zoe", "ZOE"] and len({*names}) == 6


def test_the_second_of_a_name_is_the_second() -> None:
    fight = plain(*["add monster Ghost hp 9"] * 3, "add monster Ghost x2 hp 9", "leave ghost")
    fight.do("add monster Ghost hp 9")
    assert [c.name for c in fight.state.combatants] == [f"Ghost {n}" for n in (2, 3, 4, 5, 6)]


def test_a_name_that_two_were_given_is_asked_about_and_their_numbers_pick() -> None:
    fight = plain("add monster Ghoul x2 hp 9", "rename ghoul-1 Boss", "rename ghoul-2 Boss")
    for typed in ("boss", "Boss", "BOSS", "bo"):
        with pytest.raises(Refused, match="could be ghoul-1 or ghoul-2"):
            fight.do(f"damage {typed} 3")
    fight.do("damage 2 3")
    assert [c.track("hp") for c in fight.state.combatants] == [9, 6]


def test_a_new_name_never_means_somebody_else() -> None:
    fight = plain("add monster Ghoul hp 9", "add pc Mira hp 9", "rename ghoul Boss")
    for name in ("Ghoul", "ghoul"):
        with pytest.raises(Refused, match="'ghoul' already means Boss: choose another name"):
            fight.do(f"rename mira {name}")
    with pytest.raises(Refused, match="'mira' already means Mira"):
        fight.do("rename ghoul Mira")
    fight.do("rename ghoul MIRA", "damage MIRA 2", "damage Mira 1")
    assert [c.track("hp") for c in fight.state.combatants] == [7, 8]
    fight.do("rename ghoul Ghoul")


def test_names_with_and_or_a_comma_are_one_in_every_line() -> None:
    fight = plain(
        'add pc "Salt and Pepper" hp 20',
        "add pc Mira hp 20",
        'add pc "Ghoul, the Third" hp 20',
        "inflict salt-and-pepper,mira slowed",
        "inflict salt-and-pepper,ghoul-the-third,mira dazed",
        "remove salt-and-pepper,mira slowed",
    )
    assert lines(fight)[3:] == [
        "Salt and Pepper and Mira: slowed",
        "Salt and Pepper, Ghoul, the Third and Mira: dazed",
        "Salt and Pepper and Mira are no longer slowed",
    ]
    assert log_lines(fight.history, fight.ruleset, 1) == [
        "6: Salt and Pepper and Mira are no longer slowed."
    ]


def test_a_name_that_another_begins_with_is_cut_off_no_other() -> None:
    given = ["add pc Salt hp 9", 'add pc "Salt and Pepper" hp 9', "add monster Ghoul hp 9"]
    fight = plain(*given, "init salt 9", "init salt-and-pepper 8", "start", game="5e")
    fight.do("add monster Ghoul hp 9")
    assert lines(fight)[-1].startswith("Ghoul 2 joins · initiative 1d20 [")
    fight.do("inflict salt,salt-and-pepper prone", "damage salt-and-pepper 2")
    assert lines(fight)[-2:] == [
        "Salt and Salt and Pepper are prone · until it stands",
        "Salt and Pepper takes 2 · −2 HP, 7 left",
    ]


# -- names that come from files and phones ---------------------------------------------------------


def test_names_of_party_and_bestiary_are_those_of_their_files() -> None:
    rows = {
        "ash": {"kind": "pc", "name": "ASH", "hp": 9},
        "ash-the-other": {"kind": "pc", "name": "Ash", "hp": 9},
        "fire-imp": {"name": "Fire, Imp", "hp": 9},
    }
    fight = Fight("plain")
    tables = replace(fight.ruleset.tables, bestiary=rows)
    fight.ruleset = replace(fight.ruleset, tables=tables)
    fight.do("add party", "add fire-imp", "damage ASH 1", "damage Ash 2")
    assert [(c.name, c.track("hp")) for c in fight.state.combatants] == [
        ("ASH", 8), ("Ash", 7), ("Fire, Imp", 9),
    ]  # fmt: skip


def test_an_import_keeps_names_as_typed_and_tells_those_it_has_no_place_for(
    tmp_path: Path,
) -> None:
    campaign = tmp_path / "vale"
    campaign.mkdir()
    (campaign / "campaign.toml").write_text('name = "Vale"\nruleset = "plain"\n', "utf-8")
    names = ["Zoe", "Zoë", "McKay ii", "Salt and Pepper", "Ghoul, the Third", "O’Brien"]
    lines = [f'"{name}",5' for name in (*names, "ZOE", "O'Brien")]
    (tmp_path / "a.csv").write_text("\n".join(["name,hp", *lines]), "utf-8")
    done = bring_in(tmp_path / "a.csv", campaign)
    assert [row.name for row in done.rows["bestiary.toml"]] == names
    assert [name for name, _ in done.again] == ["ZOE", "O'Brien"]


def test_a_phones_form_tells_two_of_one_name_apart_and_hits_the_one_that_is_meant() -> None:
    fight = plain("add pc Mira hp 9", "add monster Ghoul x2 hp 9", "rename ghoul-1 Boss")
    fight.do("rename ghoul-2 Boss", "init all roll", "start", "setting players-act ask")
    forms = proposal_forms(fight.history, fight.ruleset, "mira")
    (form,) = (form for form in forms if form.id == "say:damage")
    names = [name for name, _ in form.fields[0].options]
    assert sorted(names)[:2] == ["Boss", "Boss (2)"] and len({*names}) == len(names)
    lines = [
        compose_command(
            fight.history, fight.ruleset, "mira", form.id, {"targets": [name], "amount": "3"}
        )
        for name in ("Boss", "Boss (2)")
    ]
    assert sorted(lines) == ["damage ghoul-1 3", "damage ghoul-2 3"]
