"""What an import says: what decides a fight first, each kind of loss in a line, nothing twice."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.store.importers.files import MARSH_CRAB, PELL
from tests.store.importers.formats import FORMATS

from affray.core.parser.errors import Refused
from affray.core.rules.imported_creature import all_fields
from affray.store.importers.report import LOSERS, REASONS, as_object, import_report, report_of
from affray.store.importers.run_import import ImportSummary, bring_in


def said(tmp_path: Path, rules: str, *rows: dict[str, Any]) -> list[str]:
    campaign = tmp_path / "vale"
    campaign.mkdir()
    (campaign / "campaign.toml").write_text(f'name = "Vale"\nruleset = "{rules}"\n', "utf-8")
    file = tmp_path / "crabs.json"
    file.write_text(json.dumps(rows), "utf-8")
    return import_report(bring_in(file, campaign))


def test_what_decides_a_fight_is_whybefore_what_only_describes(tmp_path: Path) -> None:
    silvered = ["damage from nonmagical, non-silvered weapons"]
    lines = said(tmp_path, "level-up", MARSH_CRAB | {"DamageResistances": silvered})
    at = lines.index("what decides a fight and is kept only as text:")
    assert lines[at + 1] == "  resistance, in words: Marsh Crab"
    assert lines[-1].startswith("  other properties: type, challenge")
    assert sum("challenge" in line for line in lines) == 1


def test_a_loss_of_many_attacks_is_one_line(tmp_path: Path) -> None:
    more = "Melee Weapon Attack: +4 to hit. Hit: 6 (1d8 + 2) piercing damage. It spins. It sings."
    both = [{"Name": name, "Content": more} for name in ("Peck", "Kick")]
    lines = said(tmp_path, "level-up", MARSH_CRAB | {"Actions": both})
    assert "  text beyond its attack: Peck (Marsh Crab) and Kick (Marsh Crab)" in lines


def test_what_is_proposed_is_whyand_how_it_is_changed(tmp_path: Path) -> None:
    lines = said(tmp_path, "monsters-and-magic", MARSH_CRAB)
    [line] = [line for line in lines if line.startswith("suggested, because the games")]
    assert line.endswith("cr, ac, attack and powers of 1 creature")
    assert "in the creature's form" in lines[lines.index(line) + 1]


TWO_SAVES = (
    "Melee Weapon Attack: +4 to hit, reach 5 ft., one target. Hit: 6 (1d8 + 2) piercing damage "
    "and the target must succeed on a DC 13 Constitution saving throw or be poisoned for 1 minute. "
    "If the saving throw fails by 5 or more, it is also unconscious. It then makes a DC 11 Wisdom "
    "saving throw, or is frightened."
)


@pytest.mark.parametrize(
    "rules", ["level-up", "monsters-and-magic", "orcus", "adventure-school", "5e"]
)
def test_a_second_save_and_failing_by_much_have_lines(tmp_path: Path, rules: str) -> None:
    sting = [{"Name": "Sting", "Content": TWO_SAVES}]
    lines = said(tmp_path, rules, MARSH_CRAB | {"Actions": sting})
    assert "  a second save: Sting (Marsh Crab)" in lines
    assert "  the result of failing by 5 or more: Sting (Marsh Crab)" in lines


def test_one_save_is_no_second(tmp_path: Path) -> None:
    one = TWO_SAVES.partition(" If the")[0]
    lines = said(tmp_path, "level-up", MARSH_CRAB | {"Actions": [{"Name": "A", "Content": one}]})
    assert not any("second save" in line or "failing" in line for line in lines)


GAMES = ("plain", "level-up", "monsters-and-magic", "orcus", "adventure-school", "5e")


def brought(tmp_path: Path, rules: str, text: str | bytes, name: str = "eel.csv") -> ImportSummary:
    campaign = tmp_path / "vale"
    campaign.mkdir()
    (campaign / "campaign.toml").write_text(f'name = "Vale"\nruleset = "{rules}"\n', "utf-8")
    file = tmp_path / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return bring_in(file, campaign)


@pytest.mark.parametrize("rules", GAMES)
@pytest.mark.parametrize("name", FORMATS)
def test_nothing_is_empty_and_nothing_that_has_a_word_is_whyagain(
    name: str, rules: str, tmp_path: Path
) -> None:
    summary = brought(tmp_path, rules, FORMATS[name]())
    for line in import_report(summary):
        assert line.strip()
        assert not re.search(r", ,|, $|: ,|: *$", line.removesuffix("as text:")), line
    [row] = [row for rows in summary.rows.values() for row in rows]
    fields = all_fields(row.creature)
    assert all(name.strip() and words.strip() for name, words in fields.items())
    assert all(part.strip() for part in row.left)
    assert all(feature.name.strip() for feature in row.creature.features)
    again = [
        part
        for part in row.left
        if str(row.row.get(part.removesuffix(" speed"))) == fields.get(part, "no field")
    ]
    assert again == []
    assert not re.search(r"(^|; )\s*(;|large\b)|;\s*$", str(row.row.get("text", "")), re.I | re.M)


@pytest.mark.parametrize("rules", GAMES)
def test_ways_of_moving_beside_a_speed_are_not_lost(rules: str, tmp_path: Path) -> None:
    text = "name,hp,ac,size,speed,swim,fly,foo\nSky Eel,12,11,large,5,30,40,bar\n"
    summary = brought(tmp_path, rules, text)
    [row] = summary.rows["bestiary.toml"]
    assert row.creature.speeds == {"walk": 5, "swim": 30, "fly": 40}
    told = f"{row.row.get('text', '')} " + " ".join(f"{k} {v}" for k, v in row.row.items())
    assert re.search(r"swim( speed)? 30", told) and re.search(r"fly( speed)? 40", told)
    assert "foo bar" in told


@pytest.mark.parametrize("rules", GAMES)
@pytest.mark.parametrize(
    ("column", "cell"),
    [
        ("ac", "by armour"), ("hit dice", "as many"), ("init", "first"), ("level", "boss"),
        ("pb", "high"), ("swim", "well"), ("size", "Titanic"), ("player", "Anna"),
        ("hit points", "99"), ("notes", "It hums."), ("skills", ""), ("cr", "unknown"),
    ],
)  # fmt: skip
def test_a_cell_that_is_no_number_is_kept_in_words(
    column: str, cell: str, rules: str, tmp_path: Path
) -> None:
    text = f"name,hp,description,{column}\nSky Eel,12,It sings.,{cell}\n"
    summary = brought(tmp_path, rules, text)
    [row] = [row for rows in summary.rows.values() for row in rows]
    assert cell in " ".join(map(str, row.row.values())) and "It sings." in row.row["text"]


def test_two_columns_of_actions_are_one_list(tmp_path: Path) -> None:
    text = "name,hp,attack,actions\nEel,9,Bite +4 1d8+2 cold,Tail +4 1d4+(-1) cold\n"
    [row] = brought(tmp_path, "5e", text).rows["bestiary.toml"]
    assert [entry.split(" +")[0] for entry in row.row["attack"]] == ['"Bite"', '"Tail"']
    assert "1d4-1" in row.row["attack"][1]


def test_the_dice_of_hit_points_stand_behind_them_as_well(tmp_path: Path) -> None:
    [row] = brought(tmp_path, "5e", "name,hp\nEel,18 (4d8)\n").rows["bestiary.toml"]
    assert row.creature.hp_dice == "4d8"


def test_every_creature_that_lost_something_in_a_fight_is_named(tmp_path: Path) -> None:
    names = ("Eel", "Heron", "Otter", "Pike", "Rook")
    silvered = {"DamageResistances": ["damage from nonmagical, non-silvered weapons"]}
    rows = [MARSH_CRAB | {"Name": name} | silvered for name in names]
    lines = said(tmp_path, "level-up", *rows, MARSH_CRAB)
    assert "  resistance, in words: Eel, Heron, Otter, Pike and Rook" in lines


def test_what_is_so_of_every_creature_names_nobody(tmp_path: Path) -> None:
    rows = [MARSH_CRAB | {"Name": f"Crab {n}"} for n in "abcd"]
    lines = said(tmp_path, "monsters-and-magic", *rows)
    assert "  resistance: all 4 creatures" in lines


SILVERED = {"DamageResistances": ["damage from nonmagical, non-silvered weapons"]}


def test_of_many_that_lost_something_some_are_named_and_all_are_counted(tmp_path: Path) -> None:
    """Who lost something that decides a fight stands before all else; scripts get every name."""
    rows = [MARSH_CRAB | {"Name": f"Crab {n}"} | SILVERED for n in range(30)]
    summary = brought(tmp_path, "level-up", json.dumps([*rows, MARSH_CRAB]), "crabs.json")
    lines = import_report(summary)
    assert lines[2] == "what decides a fight and is kept only as text:"
    [line] = [line for line in lines if line.startswith("  resistance, in words: ")]
    assert line.endswith(f"Crab {LOSERS - 1} and {30 - LOSERS} more")
    lost = report_of(summary).lost["resistance, in words"]
    assert [loss.creature for loss in lost] == [f"Crab {n}" for n in range(30)]


def test_an_attack_that_a_game_keeps_as_text_decides_a_fight(tmp_path: Path) -> None:
    lines = said(tmp_path, "plain", MARSH_CRAB)
    at = lines.index("what decides a fight and is kept only as text:")
    assert (
        "  attacks, saves and damage: Claw (Marsh Crab) and Brine Spray (Marsh Crab)" in lines[at:]
    )
    assert "  other abilities: Mud Walker (1 creature)" in lines


def test_a_report_is_no_longer_than_its_kinds(tmp_path: Path) -> None:
    rows = [{"name": f"Eel {n}", "extends": f"Form {n}", "hp": 3, "ac": 12} for n in range(300)]
    for number, row in enumerate(rows):
        folder = tmp_path / f"f{number}"
        folder.mkdir()
        block = "\n".join(f"{key}: {value}" for key, value in row.items())
        (folder / "a.md").write_text(f"```statblock\n{block}\n```\n", "utf-8")
        (folder / "b.json").write_text(f'{{"a": 1,\n{" " * number}!', "utf-8")
        (folder / "c.csv").write_text(f"name,hp\nEel {number},many\n", "utf-8")
    campaign = tmp_path / "vale"
    campaign.mkdir()
    (campaign / "campaign.toml").write_text('name = "Vale"\nruleset = "5e"\n', "utf-8")
    lines = import_report(bring_in(tmp_path, campaign))
    assert len(lines) < 5 * (REASONS + 2)
    assert len(max(lines, key=len)) < 1500
    assert len({*lines}) == len(lines)


def n_of(number: int) -> str:
    return f"{number} of many"


def test_who_plays_another_game_learns_how_to_keep_the_numbers(tmp_path: Path) -> None:
    lines = said(tmp_path, "monsters-and-magic", MARSH_CRAB)
    hint = "  a campaign of 5e takes their own numbers: affray new campaign NAME --ruleset 5e"
    assert hint in lines
    (tmp_path / "other").mkdir()
    assert not any("--ruleset" in line for line in said(tmp_path / "other", "5e", MARSH_CRAB))


def test_the_whole_report_is_one_object_for_scripts(tmp_path: Path) -> None:
    bad = {"Name": "Mist", "Type": "ooze"}
    summary = brought(
        tmp_path, "level-up", json.dumps([MARSH_CRAB | SILVERED, PELL, bad]), "crabs.json"
    )
    found = as_object(report_of(summary), tmp_path / "vale")
    assert json.loads(json.dumps(found)) == found
    assert (found["format"], found["campaign"]) == (1, str(tmp_path / "vale"))
    assert (found["creatures"], found["characters"]) == (["Marsh Crab"], ["Pell"])
    whose = found["lost"]["resistance, in words"]
    assert whose == [{"creature": "Marsh Crab", "ability": ""}]
    assert found["left_out"] == [{"reason": "it has no HP", "names": ["Mist"]}]
    [read] = found["read"]
    assert (read["format"], read["files"], read["creatures"]) == ("Improved Initiative", 1, 3)


def test_each_kind_of_file_of_which_nothing_was_read_has_its_reason(tmp_path: Path) -> None:
    """However many reasons files of another kind have."""
    folder = tmp_path / "files"
    folder.mkdir()
    for number in range(40):
        (folder / f"{number}.json").write_text(f'{{"a": 1,\n{" " * number}!', "utf-8")
    for suffix in ("md", "txt", "png"):
        (folder / f"one.{suffix}").write_bytes(b"It rains.")
    campaign = tmp_path / "vale"
    campaign.mkdir()
    (campaign / "campaign.toml").write_text('name = "Vale"\nruleset = "5e"\n', "utf-8")
    with pytest.raises(Refused) as refusal:
        bring_in(folder, campaign)
    why = str(refusal.value)
    assert all(
        f"1 .{suffix} file, such as one.{suffix}: " in why for suffix in ("md", "txt", "png")
    )
    assert ".json file" in why and "more for other reasons" in why and len(why) < 2500


def test_files_of_one_name_are_each_counted(tmp_path: Path) -> None:
    for folder in "abcde":
        (tmp_path / "files" / folder).mkdir(parents=True)
        (tmp_path / "files" / folder / "notes.md").write_text("It rains.", "utf-8")
    (tmp_path / "files" / "crab.json").write_text(json.dumps(MARSH_CRAB), "utf-8")
    campaign = tmp_path / "vale"
    campaign.mkdir()
    (campaign / "campaign.toml").write_text('name = "Vale"\nruleset = "5e"\n', "utf-8")
    lines = import_report(bring_in(tmp_path / "files", campaign))
    assert "not read: 5 files: not in a known format: notes.md and 4 more" in lines


def test_the_same_line_of_many_files_is_whyonce(tmp_path: Path) -> None:
    for name in "ab":
        block = "# Post\n**Armor Class** 15\n**Hit Points** 8\n".replace("Post", f"Post {name}")
        (tmp_path / f"{name}.md").write_text(block, "utf-8")
        (tmp_path / f"{name}.xml").write_text(
            f"<compendium><monster><name>Eel {name}</name><hp>3</hp></monster>"
            "<spell/></compendium>",
            "utf-8",
        )
    campaign = tmp_path / "vale"
    campaign.mkdir()
    (campaign / "campaign.toml").write_text('name = "Vale"\nruleset = "5e"\n', "utf-8")
    lines = import_report(
        bring_in([tmp_path / f"{n}.{e}" for n in "ab" for e in ("md", "xml")], campaign)
    )
    assert "not used: a.xml and b.xml: spell: not part of a campaign" in lines
    [line] = [line for line in lines if line.startswith("read, but a stat block without abilities")]
    assert line.endswith("so check whether it is a creature: Post a and Post b")


BITE = "Melee Weapon Attack: +4 to hit, reach 5 ft., one target. Hit: 3 (1d6) piercing damage"
BLAST = (
    "Each creature within 20 feet must succeed on a DC 13 Dexterity saving throw or take 7 (2d6) "
    "fire damage"
)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (f"{BITE}, and the target's speed is halved until the end of its next turn.",
         "a lower speed"),
        (f"{BITE}, and the target is grappled (escape DC 12). Until then it takes 3 (1d6) piercing "
         "damage at the start of each of its turns.", "damage turn by turn"),
        (f"{BITE}. The target is grappled (escape DC 12). At the start of each of the old crab's "
         "turns, it takes 3 (1d6) piercing damage.", "damage turn by turn"),
        ("The crab swims over the target. Whenever the target starts its turn, it takes 3 (1d6) "
         "acid damage.", "damage turn by turn"),
        (f"{BITE}, and the target must succeed on a DC 15 Constitution saving throw or be "
         "restrained. It must repeat the saving throw at the end of its next turn. On a success, "
         "the effect ends. On a failure, it is petrified for 24 hours.", "a second save"),
        ("The target must succeed on a DC 15 Constitution saving throw or be restrained. It "
         "repeats the save at the end of its next turn, becoming petrified on a failure.",
         "a second save"),
        (f"{BITE}, and the target must succeed on a DC 15 Constitution saving throw or die.",
         "death"),
        (f"{BITE}, and the target dies if its blood is gone.", "death"),
        (f"{BITE}, and the target must succeed on a DC 15 Constitution saving throw or be "
         "poisoned. While poisoned in this way, it can't regain hit points.", "no healing"),
        (f"{BITE}, and its hit point maximum is reduced. The target is knocked prone.",
         "a lower maximum of HP"),
        (f"{BITE}. If the mandibles are heated, the target must succeed on a DC 12 Constitution "
         "saving throw or be stunned.", "a save that only some case asks for"),
        (f"{BITE}, and if the crab is below ground, the target must succeed on a DC 12 Strength "
         "saving throw or be knocked prone.", "a save that only some case asks for"),
        (f"{BITE}, and the target is swallowed.", "swallowing"),
        (f"{BLAST} and be pushed 10 feet away.", "a push or a pull"),
        (f"{BLAST} and is pulled up to 15 feet towards the crab.", "a push or a pull"),
        (f"{BLAST}. Who fails has disadvantage on attack rolls for 1 minute.",
         "advantage or disadvantage"),
        (f"{BLAST}. Who fails can't take reactions.", "what it can't do"),
        (f"{BLAST}. Who fails subtracts 1d4 from saving throws.", "a penalty"),
        (f"{BLAST}. A creature that is reduced to 0 hit points turns to ash.",
         "what follows at 0 HP"),
        (f"{BLAST}, and the crab regains 7 hit points.", "its own healing"),
        ("The target must succeed on a DC 13 Wisdom saving throw or attack its nearest ally.",
         "what failing its save means"),
        ("The target must succeed on a DC 13 Wisdom saving throw or be charmed for 1 hour. If no "
         "ally is near, it instead takes 7 (2d6) psychic damage.", "damage in some case"),
        ("The target must succeed on a DC 13 Wisdom saving throw or be unconscious for 1 hour. The "
         "effect ends if it takes damage.", "another end of unconscious"),
        ("The target must succeed on a DC 13 Wisdom saving throw or be stunned until the song "
         "ends. When the stun ends, it is dazed.", "what follows its end"),
        (f"{BITE}. At the end of each of its turns, the target must make a DC 10 Constitution "
         "saving throw, taking 2 (1d4) acid damage on a failure.", "damage turn by turn"),
        (f"{BITE}, and the target makes attack rolls with disadvantage for 1 minute.",
         "advantage or disadvantage"),
        ("The target must succeed on a DC 13 Wisdom saving throw or be charmed. The curse ends "
         "once the crab is dead.", "the end of charmed"),
    ],
)  # fmt: skip
def test_harm_that_no_row_has_is_named_by_its_kind(tmp_path: Path, text: str, kind: str) -> None:
    lines = said(tmp_path, "5e", MARSH_CRAB | {"Actions": [{"Name": "A", "Content": text}]})
    assert f"  {kind}: A (Marsh Crab)" in lines
    assert not any("text beyond" in line for line in lines)


@pytest.mark.parametrize(
    "text",
    [
        f"{BITE}.",
        f"{BITE}, and the target is grappled (escape DC 12). Until it is free, it is restrained.",
        f"{BLAST}, or half as much on a success.",
        "The target must succeed on a DC 13 Wisdom saving throw or be charmed until the song ends.",
        "The target must succeed on a DC 13 Wisdom saving throw or be charmed until the crab dies.",
        "The target must succeed on a DC 13 Wisdom saving throw or be frightened for 1 minute. It "
        "can repeat the save at the end of each of its turns, ending the effect on a success.",
    ],
)
def test_what_a_row_has_whole_is_not_named(tmp_path: Path, text: str) -> None:
    lines = said(tmp_path, "5e", MARSH_CRAB | {"Actions": [{"Name": "A", "Content": text}]})
    assert not any("A (Marsh Crab)" in line for line in lines)


def test_who_can_not_heal_is_not_healed(tmp_path: Path) -> None:
    text = f"{BITE}, and the target can't regain hit points until its next turn."
    lines = said(tmp_path, "5e", MARSH_CRAB | {"Actions": [{"Name": "A", "Content": text}]})
    assert "  no healing: A (Marsh Crab)" in lines
    assert not any("its own healing" in line for line in lines)


def test_an_aura_is_no_damage_that_is_lost(tmp_path: Path) -> None:
    text = (
        "At the start of each of the crab's turns, each creature within 5 feet of it takes 7 "
        "(2d6) fire damage."
    )
    lines = said(tmp_path, "5e", MARSH_CRAB | {"Traits": [{"Name": "A", "Content": text}]})
    assert not any("A (Marsh Crab)" in line for line in lines)


def test_an_attack_whose_bonus_is_its_owners_is_named(tmp_path: Path) -> None:
    ray = (
        "Ranged Spell Attack: your spell attack modifier to hit, range 150 ft. Hit: psychic damage."
    )
    lines = said(tmp_path, "5e", MARSH_CRAB | {"Actions": [{"Name": "Eye Ray", "Content": ray}]})
    assert "  an attack without a bonus: Eye Ray (Marsh Crab)" in lines
