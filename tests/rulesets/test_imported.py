"""What each rule system takes of a creature can be added, and all else is told."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from affray.core.commands.queries import preview_row
from affray.core.dice import SeededDice
from affray.core.engine.decide import decide
from affray.core.engine.state import Encounter
from affray.core.rules.imported_creature import (
    ImportedAttack,
    ImportedCondition,
    ImportedCreature,
    ImportedDamage,
    ImportedFeature,
    ImportedSave,
    all_fields,
    description_text,
    unused_fields,
)
from affray.rulesets import known_rulesets, load_ruleset
from affray.store.importers.run_import import made_of

GAMES = ("", "5e", "level-up", "orcus")
CRAB = ImportedCreature(
    "Marsh Crab",
    size="gargantuan",
    cr="3",
    hp=60,
    hp_left=12,
    hp_dice="8d10+16",
    ac=15,
    defences={"fortitude": 17, "reflex": 14, "will": 13},
    initiative=-1,
    speeds={"walk": 30, "swim": 40},
    abilities={"str": 17},
    saves={"str": 5},
    skills={"stealth": 3},
    senses={"darkvision": 60},
    resist=("cold", "bludgeoning"),
    immune=("poison",),
    features=(
        ImportedFeature(
            "Claw",
            attack=ImportedAttack(5),
            damage=(ImportedDamage("1d8+3", "slashing"),),
            text="Hit.",
        ),
        ImportedFeature("Mud Walker", "trait", "Soft ground doesn't slow it."),
    ),
    in_words={"mood": "cross", "fatigue": "4"},
)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("ruleset_id", known_rulesets())
def test_a_creature_of_any_game_can_be_added_in_any(ruleset_id: str, game: str) -> None:
    ruleset = load_ruleset(ruleset_id)
    row = ruleset.sheet.import_creature(ruleset.tables, replace(CRAB, game=game)).row
    alone = replace(ruleset, tables=replace(ruleset.tables, bestiary={"c": row}))
    crab = preview_row(alone, "c").who
    assert (crab.tracks["hp"].value, crab.tracks["hp"].max) == (12, 60)


@pytest.mark.parametrize("ruleset_id", known_rulesets())
def test_what_no_row_has_is_told(ruleset_id: str) -> None:
    ruleset = load_ruleset(ruleset_id)
    left = ruleset.sheet.import_creature(ruleset.tables, replace(CRAB, game="5e")).left
    assert "mood" in left
    assert "HP" not in left


def test_everything_that_is_known_of_a_creature_is_left_or_taken() -> None:
    everything = (*all_fields(CRAB), "Claw", "Mud Walker")
    assert unused_fields(CRAB, (), ()) == everything
    assert unused_fields(CRAB, all_fields(CRAB), CRAB.features) == ()


def test_a_text_is_told_whatever_else_has_its_name() -> None:
    """A legendary action is often named for the attack that it makes."""
    claw, walker = CRAB.features
    again = replace(claw, sort="legendary", attack=None, damage=(), text="It claws.")
    crab = replace(CRAB, features=(claw, walker, again))
    assert "Claw. Hit." in description_text(crab, (), (again,))
    assert unused_fields(crab, all_fields(crab), (again,)) == ("Claw", "Mud Walker")


def test_monsters_and_magic_takes_its_own_numbers_of_a_list() -> None:
    ruleset = load_ruleset("monsters-and-magic")
    own = ruleset.sheet.import_creature(ruleset.tables, replace(CRAB, pb=2)).row
    assert (own["ac"], own["cr"], own["fatigue"], own["pb"]) == (15, 3, 4, 2)
    assert own["attack"] == ['"Claw" 1d8+3 slashing']
    assert ruleset.sheet.import_creature(ruleset.tables, CRAB).proposed == ()
    other = ruleset.sheet.import_creature(ruleset.tables, replace(CRAB, game="5e")).row
    assert (other["speed"], other["swim"], other["darkvision"]) == (30, 40, 60)


def test_adventure_school_has_another_word_for_the_same_damage() -> None:
    ruleset = load_ruleset("adventure-school")
    assert ruleset.sheet.import_creature(ruleset.tables, CRAB).row["resist"] == "cold,blunt"


def test_adventure_school_takes_attacks_of_a_list_of_its_own() -> None:
    ruleset = load_ruleset("adventure-school")
    claw = ImportedFeature(
        "Claw", attack=ImportedAttack(5), damage=(ImportedDamage("1d8+3", "bludgeoning"),)
    )
    crab = replace(CRAB, features=(claw,))
    assert ruleset.sheet.import_creature(ruleset.tables, crab).row["attack"] == [
        '"Claw" +5 vs ac 1d8+3 blunt'
    ]
    assert ruleset.sheet.import_creature(ruleset.tables, crab).proposed == ()


SPRAY = ImportedFeature(
    "Brine Spray", save=ImportedSave("dex", 13, half=True),
    failed=(ImportedDamage("4d8", "cold"),), recharge=5, text="It sprays brine.",
)  # fmt: skip
BOTH = ImportedFeature("Multiattack", text="The crab makes two claw attacks.")
FOREIGN = replace(
    CRAB,
    game="5e",
    ac=17,
    initiative=1,
    abilities={"str": 17, "dex": 12, "con": 14, "int": 1, "wis": 9, "cha": 3},
    saves={"con": 5},
    features=(BOTH, *CRAB.features, SPRAY),
)
"""A creature of 5e: challenge 3."""


def fought(ruleset_id: str, *lines: str, creature: ImportedCreature = FOREIGN) -> Encounter:
    """It against Pell, with whom nothing is wrong, after some commands."""
    rules = load_ruleset(ruleset_id)
    row = rules.sheet.import_creature(rules.tables, creature).row
    rules = replace(rules, tables=replace(rules.tables, bestiary={"crab": row}))
    state = Encounter(ruleset=ruleset_id)
    for line in ("add pc Pell hp 99", 'add crab as "Crab"', *lines):
        state = decide(state, line, rules, SeededDice(1)).state
    return state


@pytest.mark.parametrize(
    ("ruleset_id", "line"),
    [
        ("monsters-and-magic", "strike pell strong by crab"),
        ("adventure-school", "attack pell hit by crab"),
        ("level-up", "attack pell hit by crab"),
        ("orcus", "attack pell hit by crab"),
    ],
)
def test_a_creature_of_another_book_can_fight(ruleset_id: str, line: str) -> None:
    assert fought(ruleset_id, line)["pell"].track("hp") < 99


@pytest.mark.parametrize(
    ("ruleset_id", "row"),
    [
        # the CR is the challenge; half of what AC is above 10 comes off damage
        ("monsters-and-magic", {"cr": 3, "ac": 3, "attack": ['"Claw" 1d8+3 slashing']}),
        (
            "adventure-school",
            {
                "ac": 17, "init": 1, "health": 5, "social": -1, "reflex": 1, "attacks": 2,
                "attack": ['"Claw" +5 vs ac 1d8+3 slashing'],
                "ability": [
                    '"Brine Spray" action save health reflex dc 13 4d8 cold half '
                    'text "It sprays brine."'
                ],
            },
        ),
        # half of the level on everything; a DC is 8 more than the bonus of an attack
        (
            "orcus",
            {"level": 3, "ac": 18, "fort": 16, "ref": 12, "will": 10, "speed": 6, "init": 2},
        ),
    ],
)  # fmt: skip
def test_what_a_game_needs_besides_is_proposed(ruleset_id: str, row: dict[str, object]) -> None:
    rules = load_ruleset(ruleset_id)
    made = rules.sheet.import_creature(rules.tables, FOREIGN)
    assert {word: made.row[word] for word in row} == row
    assert {*row} - {"speed"} <= {*made.proposed}
    assert {"challenge", "AC", "abilities"} <= {*made.left}  # what it was read from stays told


def test_orcus_attacks_a_defence_where_others_roll_a_save() -> None:
    rules = load_ruleset("orcus")
    powers = rules.sheet.import_creature(rules.tables, FOREIGN).row["power"]
    spray = next(power for power in powers if power.startswith('"Brine Spray"'))
    assert spray.startswith('"Brine Spray" refresh 5 standard +6 vs reflex 4d8 cold near half')


def test_orcus_has_no_type_for_what_weapons_deal_again_and_again() -> None:
    bleeds = (ImportedCondition("ongoing", "repeat", damage=ImportedDamage("1d6", "slashing")),)
    claw = replace(CRAB.features[0], inflicts=bleeds)
    rules = load_ruleset("orcus")
    row = rules.sheet.import_creature(rules.tables, replace(FOREIGN, features=(claw,))).row
    assert row["attack"] == ['"Claw" +6 vs ac 1d8+3 inflicts persistent 1d6 save-ends']


def test_a_sense_that_no_sheet_holds_stays_in_the_text() -> None:
    rules = load_ruleset("monsters-and-magic")
    made = rules.sheet.import_creature(
        rules.tables, replace(FOREIGN, senses={"darkvision": 14_120})
    )
    assert ("darkvision" in made.row, "darkvision" in made.left) == (False, True)


def test_orcus_is_immune_to_nothing_that_it_does_not_know() -> None:
    proof = replace(FOREIGN, immune=("poison", "slashing", "poisoned"))
    assert fought("orcus", creature=proof)["crab"].stats["immune"] == ["poison"]


def test_orcus_has_no_dc_to_escape_by() -> None:
    held = (ImportedCondition("grappled", "escape", 14),)
    claw = replace(CRAB.features[0], inflicts=held)
    rules = load_ruleset("orcus")
    row = rules.sheet.import_creature(rules.tables, replace(FOREIGN, features=(claw,))).row
    assert row["attack"] == ['"Claw" +6 vs ac 1d8+3 inflicts grappled']
    crab = replace(FOREIGN, features=(claw,))
    hit = fought("orcus", "attack pell hit by crab", creature=crab)["pell"]
    assert [effect.name for effect in hit.effects] == ["grappled"]


def test_a_monster_of_orcus_is_read_in_the_numbers_of_5e() -> None:
    bite = ImportedFeature(
        "Bite", attack=ImportedAttack(10, feet=1), damage=(ImportedDamage("2d6+4"),)
    )
    glare = ImportedFeature(
        "Glare",
        attack=ImportedAttack(9, "will", "near"),
        inflicts=(ImportedCondition("blinded", "save"),),
    )
    adder = ImportedCreature("Adder", "orcus", level=4, hp=46, ac=18, features=(bite, glare))
    rules = load_ruleset("level-up")
    made = rules.sheet.import_creature(rules.tables, adder)
    assert made.row["attack"] == ['"Bite" +8 2d6+4 melee reach 5']
    assert made.row["power"] == ['"Glare" action save wis dc 15 inflicts blinded']
    assert (made.row["ac"], made.row["pb"]) == (16, 2)
    assert {"ac", "attack", "power"} <= {*made.proposed}
    magic = load_ruleset("monsters-and-magic")
    assert magic.sheet.import_creature(magic.tables, adder).row["cr"] == 2


def test_what_is_proposed_stands_on_the_row_and_on_the_card() -> None:
    rules = load_ruleset("monsters-and-magic")
    row = made_of(rules, FOREIGN).row
    assert row["proposed"] == ["cr", "ac", "attack", "powers"]
    alone = replace(rules, tables=replace(rules.tables, bestiary={"c": row}))
    crab = preview_row(alone, "c").who
    assert crab.stats["proposed"] == row["proposed"]


def test_plain_takes_what_it_counts() -> None:
    ruleset = load_ruleset("plain")
    row = ruleset.sheet.import_creature(ruleset.tables, CRAB).row
    assert row == {
        "hp": "12/60", "ac": 15, "init": -1, "speed": 30, "resist": "cold,bludgeoning",
        "immune": "poison",
    }  # fmt: skip


def test_what_it_can_do_stands_before_what_its_book_tells_of_it() -> None:
    bite = ImportedFeature("Bite", text="Hit: 4 (1d8) piercing damage.")
    wolf = ImportedCreature("Wolf", game="5e", hp=9, text="It howls at night.", features=(bite,))
    text = made_of(load_ruleset("plain"), wolf).row["text"]
    assert text.startswith("Bite. Hit: 4 (1d8) piercing damage.")
    assert text.endswith("It howls at night.")
