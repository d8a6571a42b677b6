"""Every format, told apart by what a file holds, gives the same creature."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.store.importers import formats

from affray.core.rules.imported_creature import (
    ImportedAttack,
    ImportedCondition,
    ImportedCreature,
    ImportedDamage,
    ImportedFeature,
    ImportedSave,
)
from affray.store.importers.detect import DetectedFile, join_tables, read_files
from affray.store.importers.foundry_formulas import ActorNumbers, dice_of
from affray.store.importers.spreadsheet import computed, workbook_tables


def read(folder: Path, text: str | bytes, name: str = "file.dat") -> DetectedFile:
    file = folder / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    [found] = read_files(file)
    return found


def only(source: DetectedFile) -> ImportedCreature:
    assert source.fault == ""
    (creature,) = source.contents.creatures
    return creature


def feature(creature: ImportedCreature, name: str) -> ImportedFeature:
    return next(each for each in creature.features if each.name == name)


@pytest.mark.parametrize("name", formats.FORMATS)
def test_every_format_has_the_same_creature(name: str, tmp_path: Path) -> None:
    crab = only(read(tmp_path, formats.FORMATS[name]()))
    assert (crab.name, crab.size, crab.ac, crab.hp, crab.cr) == (
        "Marsh Crab",
        "large",
        14,
        19,
        "1/2",
    )
    assert crab.speeds == {"walk": 30, "swim": 20}
    assert (crab.abilities["str"], crab.abilities["cha"], crab.initiative) == (15, 3, 1)
    assert (crab.resist, crab.senses) == (("cold",), {"blindsight": 30})


@pytest.mark.parametrize("name", formats.FORMATS)
def test_every_format_has_its_attack_and_its_save(name: str, tmp_path: Path) -> None:
    crab = only(read(tmp_path, formats.FORMATS[name]()))
    claw, spray = feature(crab, "Claw"), feature(crab, "Brine Spray")
    assert claw.attack == ImportedAttack(4, feet=5)
    assert claw.damage == (ImportedDamage("1d8+2", "bludgeoning"),)
    assert (spray.save, spray.failed) == (
        ImportedSave("dex", 12, half=True),
        (ImportedDamage("2d8", "cold"),),
    )
    assert spray.recharge == 5


@pytest.mark.parametrize("name", [n for n in formats.FORMATS if not n.startswith("Foundry")])
def test_what_a_hit_inflicts_is_read_from_its_sentence(name: str, tmp_path: Path) -> None:
    claw = feature(only(read(tmp_path, formats.FORMATS[name]())), "Claw")
    assert claw.inflicts == (ImportedCondition("grappled", "escape", 12),)


def test_four_tables_in_a_folder_are_one_and_the_sentence_counts(tmp_path: Path) -> None:
    tables = formats.open5e_v2_tables()
    sources = join_tables([read(tmp_path, text, name) for name, text in tables.items()])
    (crab,) = [c for source in sources for c in source.contents.creatures]
    claw = feature(crab, "Claw")
    assert (claw.attack, claw.damage) == (
        ImportedAttack(4, feet=5),
        (ImportedDamage("1d8+2", "bludgeoning"),),
    )
    assert (crab.game, feature(crab, "Brine Spray").recharge) == ("level-up", 5)
    assert feature(crab, "Mud Walker").sort == "trait"


def test_of_nonmagical_weapons_what_a_table_shows_counts_and_not_its_keys(tmp_path: Path) -> None:
    tables = formats.open5e_v2_tables()
    [row] = json.loads(tables["a.json"])
    row["fields"] |= {
        "damage_resistances": ["bludgeoning", "piercing", "slashing"],
        "damage_resistances_display": "bludgeoning, piercing, and slashing from nonmagical attacks",
        "nonmagical_attack_resistance": True,
    }
    (tmp_path / "a.json").write_text(json.dumps([row]), "utf-8")
    (tmp_path / "b.json").write_text(tables["b.json"], "utf-8")
    sources = join_tables(
        [each for name in ("a.json", "b.json") for each in read_files(tmp_path / name)]
    )
    [crab] = [each for source in sources for each in source.contents.creatures]
    assert crab.resist == ("mundane",)


def test_what_costs_several_actions_is_legendary_and_comes_once(tmp_path: Path) -> None:
    tables = formats.open5e_v2_tables()
    rows = json.loads(tables["b.json"])
    for key, name, more in (
        ("wave", "Wave (Costs 2 Actions)", {"action_type": "ACTION"}),
        ("wave-2", "Wave", {"action_type": "LEGENDARY_ACTION", "legendary_action_cost": 2}),
    ):
        fields = {"name": name, "desc": "It rises.", "parent": "crab", **more}
        rows.append({"model": "api_v2.creatureaction", "pk": key, "fields": fields})
    files = {**tables, "b.json": json.dumps(rows)}
    sources = join_tables([read(tmp_path, text, name) for name, text in files.items()])
    [crab] = [each for source in sources for each in source.contents.creatures]
    [wave] = [each for each in crab.features if each.name == "Wave"]
    assert (wave.sort, wave.cost) == ("legendary", 2)


def test_a_size_that_no_game_has_is_kept_in_words(tmp_path: Path) -> None:
    note = "---\nstatblock: true\nname: Crab\nhp: 40\nac: 18\nsize: Titanic\n---\n"
    crab = only(read(tmp_path, note, "crab.md"))
    assert (crab.size, crab.in_words["size"]) == ("", "Titanic")


def test_a_table_of_creatures_alone_tells_that_what_they_do_is_missing(tmp_path: Path) -> None:
    (source,) = join_tables([read(tmp_path, formats.open5e_v2_tables()["a.json"])])
    assert only(source).features == ()
    assert "import the whole folder" in source.contents.left[0]


def test_whose_numbers_they_are_is_known(tmp_path: Path) -> None:
    games = {name: only(read(tmp_path, made())).game for name, made in formats.FORMATS.items()}
    assert games["Open5e, a table"] == games["Foundry, a5e"] == "level-up"
    assert games["Open5e, an answer"] == games["Foundry, dnd5e"] == "5e"
    assert games["a list"] == ""  # whatever game is played


def test_a_stat_block_with_another_games_fields_is_another_games(tmp_path: Path) -> None:
    note = "```statblock\nname: Crab\nhp: 40\nac: 18\npd: 16\nmd: 12\nlevel: 3rd\n```\n"
    crab = only(read(tmp_path, note))
    assert (crab.game, crab.level, crab.defences) == ("another", 3, {"PD": 16, "MD": 12})


def test_a_copy_of_another_files_monster_is_told_by_its_name(tmp_path: Path) -> None:
    (line,) = read(tmp_path, formats.fivetools()).contents.left
    assert line == "Giant Marsh Crab: a copy of Crab (ELSE), which is not in the file"


def copies(**mod: Any) -> str:
    """A file with a Marsh Crab and a Bog Crab, which is a copy of it with changes."""
    crab = {
        "name": "Marsh Crab",
        "source": "OWN",
        "ac": [14],
        "hp": {"average": 19},
        "str": 15,
        "trait": [{"name": "Mud Walker", "entries": ["The crab walks on mud."]}],
        "action": [
            {"name": "Claw", "entries": ["{@atk mw} {@hit 4} to hit, reach 5 ft. {@h}6 damage."]},
            {"name": "Spray", "entries": ["The crab sprays."]},
        ],
    }
    of = {"name": "Marsh Crab", "source": "OWN", "_mod": mod}
    return json.dumps(
        {"monster": [crab, {"name": "Bog Crab", "source": "OWN", "str": 9, "_copy": of}]}
    )


def test_a_copy_in_one_file_is_whole(tmp_path: Path) -> None:
    _, bog = read(tmp_path, copies()).contents.creatures
    assert (bog.name, bog.ac, bog.abilities["str"]) == ("Bog Crab", 14, 9)
    assert feature(bog, "Claw").attack == ImportedAttack(4, feet=5)


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ({"mode": "appendArr", "items": {"name": "Bite"}}, ["Claw", "Spray", "Bite"]),
        ({"mode": "prependArr", "items": [{"name": "Bite"}]}, ["Bite", "Claw", "Spray"]),
        ({"mode": "insertArr", "index": 1, "items": {"name": "Bite"}}, ["Claw", "Bite", "Spray"]),
        ({"mode": "replaceArr", "replace": "Claw", "items": {"name": "Bite"}}, ["Bite", "Spray"]),
        ({"mode": "replaceOrAppendArr", "replace": "Tail", "items": {"name": "Bite"}},
         ["Claw", "Spray", "Bite"]),
        ({"mode": "removeArr", "names": ["Claw"]}, ["Spray"]),
        ([{"mode": "removeArr", "names": "Claw"}, {"mode": "removeArr", "names": "Spray"}], []),
        ("remove", []),
    ],
)  # fmt: skip
def test_a_copy_is_changed_as_it_says(change: Any, names: list[str], tmp_path: Path) -> None:
    _, bog = read(tmp_path, copies(action=change)).contents.creatures
    assert [each.name for each in bog.features if each.sort == "action"] == names


def test_texts_of_a_copy_are_changed_everywhere(tmp_path: Path) -> None:
    change = {"mode": "replaceTxt", "replace": "the crab", "with": "Nip", "flags": "i"}
    _, bog = read(tmp_path, copies(**{"*": change})).contents.creatures
    assert feature(bog, "Mud Walker").text == "Nip walks on mud."


def test_a_change_that_is_not_understood_is_told(tmp_path: Path) -> None:
    (line,) = read(tmp_path, copies(_={"mode": "addSenses"})).contents.left
    assert line == "Bog Crab: a change to the copy that affray does not understand: addSenses"


@pytest.mark.parametrize(
    "said",
    [
        {"replace": "the crab"},
        {"with": "Nip"},
        {"replace": "(the ?)+crab", "with": "Nip"},
        {"replace": "(a|a)" * 30, "with": "Nip"},
        {"replace": "(the crab", "with": "Nip"},
    ],
)
def test_a_text_is_left_where_its_change_says_too_little_or_could_take_for_ever(
    said: dict[str, str], tmp_path: Path
) -> None:
    contents = read(tmp_path, copies(**{"*": {"mode": "replaceTxt", **said}})).contents
    assert feature(contents.creatures[-1], "Mud Walker").text == "The crab walks on mud."
    assert contents.left == (
        "Bog Crab: a change to the copy that affray does not understand: replaceTxt",
    )


def test_what_else_a_monster_of_that_shape_has(tmp_path: Path) -> None:
    more = {
        "dex": 12,
        "cr": "9",
        "initiative": {"proficiency": 2},
        "legendaryActions": 2,
        "alignment": ["C", "E"],
        "gear": ["net|xphb"],
        "environment": ["coastal"],
        "variant": [{"name": "Old Crab", "entries": ["It is older."]}],
    }
    crab = only(
        read(tmp_path, json.dumps({"monster": [json.loads(copies())["monster"][0] | more]}))
    )
    assert (crab.initiative, crab.type) == (9, "chaotic evil")
    assert (crab.in_words["gear"], crab.in_words["environment"]) == ("net", "coastal")
    assert feature(crab, "Legendary Actions").text == "It can take 2 legendary actions."
    assert feature(crab, "Old Crab").text == "It is older."


@pytest.mark.parametrize(
    ("said", "initiative"), [(7, 7), ({"initiative": 5}, 5), ({"proficiency": 1}, 5), (None, 1)]
)
def test_initiative_is_said_in_several_ways(said: Any, initiative: int, tmp_path: Path) -> None:
    crab = json.loads(copies())["monster"][0] | {"dex": 12, "cr": "9", "initiative": said}
    assert only(read(tmp_path, json.dumps([crab]))).initiative == initiative


def test_a_bare_list_and_one_of_that_shape_are_known(tmp_path: Path) -> None:
    crab = json.loads(copies())["monster"][0] | {"cr": "1"}
    for data in (crab, [crab]):
        source = read(tmp_path, json.dumps(data))
        assert (source.format, only(source).hp) == ("5etools", 19)


def test_copies_in_a_circle_are_told(tmp_path: Path) -> None:
    ring = [
        {"name": "A", "source": "X", "_copy": {"name": "B", "source": "X"}},
        {"name": "B", "source": "X", "_copy": {"name": "A", "source": "X"}},
    ]
    found = read(tmp_path, json.dumps({"monster": ring})).contents
    assert found.creatures == () and len(found.left) == 2
    assert all(line.endswith("which is itself a copy of it") for line in found.left)


def test_fewer_than_six_abilities_make_no_initiative(tmp_path: Path) -> None:
    """A list of a game with STR, DEX and WIL, which has no modifiers."""
    own = only(read(tmp_path, "name,hp,armor,str,dex,wil\nBog Witch,6,1,9,14,12\n"))
    whole = only(read(tmp_path, "name,hp,str,dex,con,int,wis,cha\nElf,6,9,14,12,9,9,9\n"))
    assert (own.initiative, own.in_words["wil"], whole.initiative) == (None, "12", 2)


def test_columns_may_be_called_in_any_way(tmp_path: Path) -> None:
    crab = only(
        read(
            tmp_path,
            "#,Creature,hitPoints,hpDice,Armor_Class,initiativeBonus,proficiencyBonus,walk,"
            "Swim Speed,skills_json\n1,Marsh Crab,19,3d10+3,14,2,2,30 ft.,"
            '20,"{""Stealth"": ""+3""}"\n',
        )
    )
    assert (crab.name, crab.hp, crab.hp_dice, crab.ac) == ("Marsh Crab", 19, "3d10+3", 14)
    assert (crab.initiative, crab.pb, crab.skills) == (2, 2, {"stealth": 3})
    assert crab.speeds == {"walk": 30, "swim": 20}


def test_senses_may_be_in_any_language(tmp_path: Path) -> None:
    senses = "senses: percepción 30, visión 60 ft."
    note = f"---\nstatblock: true\nname: Crab\nhp: 9\n{senses}\n---\n"
    assert only(read(tmp_path, note)).senses == {"percepción": 30, "visión": 60}


def test_a_note_in_another_games_layout_is_another_games(tmp_path: Path) -> None:
    note = "---\nstatblock: true\nname: Marsh Crab\nlayout: %s\nhp: 9\nac: 5\n---\n"
    assert only(read(tmp_path, note % "Basic 5e Layout")).game == "5e"
    assert only(read(tmp_path, note % "BFRPG")).game == "another"


def test_a_field_that_nobody_knows_is_kept_by_its_name(tmp_path: Path) -> None:
    note = only(read(tmp_path, formats.obsidian_frontmatter()))
    assert note.in_words["combat"] == "Lurks in mud."
    assert only(read(tmp_path, formats.csv_list())).in_words["Mood".casefold()] == "cross"


def test_an_encounter_of_a_note_is_one(tmp_path: Path) -> None:
    note = (
        "```encounter\nname: Low Tide\nplayers: false\ncreatures:\n"
        "  - 2: Marsh Crab, 11, 14, hidden\n"
        "  - Tern, friend\n  - 1: [Marsh Crab, Old Nip]\n```\n"
    )
    (meeting,) = read(tmp_path, note).contents.meetings
    crabs, tern, nip = meeting.members
    assert (meeting.title, meeting.party) == ("Low Tide", False)
    assert (crabs.creature, crabs.count, crabs.hp, crabs.hidden) == ("Marsh Crab", 2, 11, True)
    assert (tern.creature, tern.friend) == ("Tern", True)
    assert (nip.creature, nip.called) == ("Marsh Crab", "Old Nip")


def test_initiative_trackers_file_has_players_and_encounters(tmp_path: Path) -> None:
    pell = {"name": "Pell", "hp": 24, "ac": 15, "level": 3, "modifier": 3}
    state = {
        "creatures": [
            {"name": "Pell", "player": True, "hp": 24, "currentHP": 20, "ac": 15},
            {"name": "Tern", "hp": 4, "currentHP": 1, "status": ["Prone"], "hidden": True},
        ]
    }
    data = {"players": [pell], "parties": [], "encounters": {"Low Tide": state}}
    found = read(tmp_path, json.dumps(data)).contents
    assert [(c.name, c.kind) for c in found.creatures[:1]] == [("Pell", "pc")]
    (meeting,) = found.meetings
    assert [(m.creature, m.hp, m.hidden, m.notes) for m in meeting.members] == [
        ("Pell", 20, False, ()),
        ("Tern", 1, True, ("Prone",)),
    ]


def test_a_list_with_a_count_is_an_encounter_named_after_its_file(tmp_path: Path) -> None:
    found = read(tmp_path, "name,hp,count\nTern,4,3\nCrab,19,\n", "low tide.csv").contents
    assert [(m.title, [(p.creature, p.count) for p in m.members]) for m in found.meetings] == [
        ("low tide", [("Tern", 3)])
    ]


# -- Orcus' sheet ----------------------------------------------------------------------------------


def _sheet() -> bytes:
    return formats.workbook(formats.sheet_rows())


def _records() -> bytes:
    bonuses = {"Power 1 - Attack Bonus": 8, "Power 2 - Attack Bonus": 6}
    return json.dumps([formats.crab_of_the_sheet() | bonuses]).encode()


@pytest.mark.parametrize("made", [_sheet, _records])
def test_the_sheet_has_its_monsters_and_no_prose(made: Any, tmp_path: Path) -> None:
    crab = only(read(tmp_path, made()))
    assert (crab.game, crab.level, crab.rank, crab.hp, crab.ac) == ("orcus", 3, "elite", 88, 19)
    assert crab.defences == {"fortitude": 17, "reflex": 14, "will": 13}
    assert (crab.immune, crab.amounts) == (("fear",), {"resist cold": 5, "vulnerable fire": 5})


@pytest.mark.parametrize("made", [_sheet, _records])
def test_powers_have_their_attack_by_formula_and_what_they_inflict(
    made: Any, tmp_path: Path
) -> None:
    crab = only(read(tmp_path, made()))
    claw, second, spray = (feature(crab, n) for n in ("Claw", "Claw, secondary", "Brine Spray"))
    assert claw.attack == ImportedAttack(8)
    assert (claw.damage, claw.inflicts) == (
        (ImportedDamage("2d6+3"),),
        (ImportedCondition("slowed", "save"),),
    )
    assert second.attack == ImportedAttack(6, "fortitude")
    assert second.inflicts == (ImportedCondition("prone"),)
    assert spray.attack == ImportedAttack(6, "reflex", "near", 3)
    cold = ImportedCondition("persistent", "save", damage=ImportedDamage("5", "cold"))
    assert (spray.inflicts, spray.miss, spray.recharge) == ((cold,), "half", 5)
    assert feature(crab, "Mud Walker").sort == "trait"


# -- what is wrong ---------------------------------------------------------------------------------

BAD = {
    "nothing": b"",
    "HTML": b"<!doctype html><html><body><monster>",
    "half a JSON": b'{"Name": "Crab", "HP": {"Va',
    "half an XML": b"<compendium><monster><name>Crab",
    "an XML with entities": b'<!DOCTYPE x [<!ENTITY a "b">]><compendium>&a;</compendium>',
    "half an archive": b"PK\x03\x04 and no more",
    "a picture": b"\x89PNG\r\n\x1a\n\x00\x00\x00",
    "deep JSON": b"[" * 100_000,
    "YAML that is none": b"---\nstatblock: true\nname: [a\n---\n",
    "YAML with references": b"---\nstatblock: true\na: &x [1]\nb: [*x, *x]\n---\n",
    "a list of something else": b"city,people\nOssel,900\n",
}


@pytest.mark.parametrize("what", BAD)
def test_what_is_wrong_is_told_in_one_line(what: str, tmp_path: Path) -> None:
    source = read(tmp_path, BAD[what])
    assert source.fault
    assert "\n" not in source.fault
    assert source.contents.creatures == ()


def test_one_creature_that_is_laid_out_otherwise_does_not_cost_the_others(tmp_path: Path) -> None:
    (crab,) = json.loads(formats.open5e_v1())
    odd = {**crab, "fields": {**crab["fields"], "name": "Odd Crab", "hit_points": [1], "size": {}}}
    found = read(tmp_path, json.dumps([odd, crab])).contents
    assert "Marsh Crab" in [c.name for c in found.creatures]


@pytest.mark.parametrize(
    "how", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig", "cp1252"]
)
def test_a_text_is_read_in_the_encoding_that_it_has(how: str, tmp_path: Path) -> None:
    crab = {"Name": "Crabe d'été", "HP": {"Value": 9}, "Abilities": {}}
    found = read(tmp_path, json.dumps([crab], ensure_ascii=False).encode(how))
    assert [creature.name for creature in found.contents.creatures] == ["Crabe d'été"]


def test_a_line_that_is_no_json_costs_that_line_alone(tmp_path: Path) -> None:
    lines = [json.dumps({"Name": name, "HP": {"Value": 9}, "Abilities": {}}) for name in "AB"]
    found = read(tmp_path, "\n".join([lines[0], "{spoilt", lines[1]])).contents
    assert ([c.name for c in found.creatures], found.left) == (
        ["A", "B"], ("line 2 is not valid JSON",),
    )  # fmt: skip


def test_a_comment_that_json_does_not_have_is_told(tmp_path: Path) -> None:
    fault = read(tmp_path, '// mine\n[{"Name": "Crab"}]').fault
    assert fault == "begins with a comment (//), which JSON doesn't have: take it out"


def test_names_of_fields_may_be_in_camel_case(tmp_path: Path) -> None:
    row: dict[str, Any] = {"name": "Crab", "ac": 12, "hp": 9, "cr": "1", "damageImmunities": "cold"}
    row |= {"abilities": {"str": 14, "dex": 10, "con": 10, "int": 1, "wis": 9, "cha": 3}}
    [crab] = read(tmp_path, json.dumps([row])).contents.creatures
    assert (crab.immune, crab.abilities["str"], crab.in_words) == (("cold",), 14, {})


def test_a_text_may_be_a_list_and_acts_a_table_by_their_names(tmp_path: Path) -> None:
    hit = ["Melee Weapon Attack: +4 to hit, reach 5 ft.", "Hit: 6 (1d8 + 2) cold damage."]
    for acts in ([{"Name": ["Claw"], "Content": hit}], {"Claw": " ".join(hit)}):
        crab = {"Name": "Crab", "HP": {"Value": 9}, "Abilities": {}, "Actions": acts}
        [made] = read(tmp_path, json.dumps([crab])).contents.creatures
        assert [(f.name, f.damage[0].dice) for f in made.features] == [("Claw", "1d8+2")]


OF_JSON = [n for n, made in formats.FORMATS.items() if made()[:2] != "{{" and made()[0] in "{["]


@pytest.mark.parametrize("name", OF_JSON)
@pytest.mark.parametrize("wrong", [None, 7, [[]], {"a": 1}])
def test_wrong_types_anywhere_bring_no_traceback(name: str, wrong: Any, tmp_path: Path) -> None:
    for change in _changes(json.loads(formats.FORMATS[name]()), wrong):
        read(tmp_path, json.dumps(change))


def _changes(data: Any, wrong: Any, depth: int = 0) -> list[Any]:
    """The data with something else in each place, one after the other."""
    if depth > 5:
        return []
    if isinstance(data, list):
        return (
            [[c, *data[1:]] for c in (wrong, *_changes(data[0], wrong, depth + 1))] if data else []
        )
    if not isinstance(data, dict):
        return []
    found = []
    for key, value in data.items():
        found += [{**data, key: c} for c in (wrong, *_changes(value, wrong, depth + 1))]
    return found


def test_a_tag_that_stands_several_times_is_all_of_it(tmp_path: Path) -> None:
    """Some compendiums have a tag for each skill."""
    text = formats.fight_club().replace(
        "</monster>", "<skill>Stealth +7</skill><skill>Perception +4</skill></monster>"
    )
    crab = only(read(tmp_path, text))
    assert (crab.skills["stealth"], crab.skills["perception"]) == (7, 4)


def test_a_formula_joins_a_whole_number_without_a_point() -> None:
    rows = [["hp", "dice"], [4, '=ROUNDDOWN(A2/3,0)&amp;"d6"']]
    assert workbook_tables(formats.workbook(rows)) == [[("hp", "dice"), (4, "1d6")]]


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ('=IF(B2="two ""A1"" pens",10+$A2*2,3)', 18),
        ('="AC "&A2+1&IF(A2<>4,"?","")', "AC 5"),  # `&` comes last
        ("=MAX(-A2,A2/8)", 0.5),
        ("=SUM(A2,Z9,B2)", None),  # B2 is no number
        ("=TRUE", None),
        ("=A2.real", None),
        ("=" + "(" * 900 + "A2" + ")" * 900, None),
    ],
)
def test_what_formulas_of_lists_come_to(formula: str, value: Any) -> None:
    cells = {"A": 4, "B": 'two "A1" pens'}
    assert computed(formula, cells.get) == value


@pytest.mark.parametrize(
    ("formula", "dice"),
    [
        ("max(1, @str.mod)d6 + @prof", "3d6+2"),
        ("floor(@prof / 4) + @str.mod * 2 + @prof * 3", "12"),
        ("(floor(@str.mod / 2) * 2 + @prof * 3)d4", "8d4"),
        ("1d8 + min(-1, @str.mod)", "1d8-1"),
        ("max(1, @str.mod / 0)d6", ""),
    ],
)
def test_what_formulas_of_foundry_come_to(formula: str, dice: str) -> None:
    assert dice_of(formula, ActorNumbers({"str": 3}, 2)) == dice


def test_a_stat_block_may_have_the_names_of_other_tools(tmp_path: Path) -> None:
    """Trackers that people write for themselves: HP as a table, abilities by their own names."""
    row: dict[str, Any] = {
        "name": "Marsh Crab", "armor_class": [{"type": "natural", "value": 14}],
        "hit_points": {"average": 19, "formula": "3d10 + 3"}, "challenge_rating": "1/2",
        "str": 15, "str_mod": "+2", "dex": 12, "con": 13, "con_save": "+3", "int": 1, "wis": 9,
        "cha": 3, "skills": "Stealth +3", "resistances": "cold", "immunities": None,
        "special_abilities": [{"name": "Mud Walker", "description": "Mud doesn't slow it."}],
    }  # fmt: skip
    file = tmp_path / "crabs.json"
    file.write_text(json.dumps({"monsters": [row]}), "utf-8")
    [crab] = read_files(file)[0].contents.creatures
    assert (crab.ac, crab.hp, crab.hp_dice, crab.cr) == (14, 19, "3d10+3", "1/2")
    assert (crab.abilities["str"], crab.saves, crab.skills) == (15, {"con": 3}, {"stealth": 3})
    assert (crab.resist, [each.name for each in crab.features]) == (("cold",), ["Mud Walker"])
    assert crab.in_words == {}
