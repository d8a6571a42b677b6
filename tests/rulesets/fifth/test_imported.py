"""Creatures of other programs as rows of 5e."""

from __future__ import annotations

from typing import Any

import pytest

from affray import Fight
from affray.core.parser.errors import Refused
from affray.core.rules.imported_creature import (
    ImportedAttack,
    ImportedCondition,
    ImportedCreature,
    ImportedDamage,
    ImportedFeature,
    ImportedSave,
    ImportedSpell,
    ImportedSpells,
)
from affray.rulesets import load_ruleset
from affray.store.importers.run_import import made_of


def row_of(*features: ImportedFeature, **more: Any) -> dict[str, Any]:
    ruleset = load_ruleset("5e")
    creature = ImportedCreature(
        "Troll", "5e", hp=84, ac=15, abilities={"str": 18, "con": 20}, features=features, **more
    )
    return ruleset.sheet.import_creature(ruleset.tables, creature).row


def test_what_stops_regeneration_is_a_part_of_the_row() -> None:
    text = (
        "The troll regains 10 hit points at the start of its turn. If the troll takes acid or fire "
        "damage, this trait doesn't function. The troll dies only if it starts its turn with 0 hit "
        "points and doesn't regenerate."
    )
    row = row_of(ImportedFeature("Regeneration", "trait", text))
    assert row["regeneration"] == "10 unless acid,fire from-zero"


def test_regeneration_that_nothing_stops_is_a_number() -> None:
    row = row_of(ImportedFeature("Regeneration", "trait", "It regains 10 hit points."))
    assert row["regeneration"] == 10


def test_a_save_that_is_repeated_ends_a_condition() -> None:
    breath = ImportedFeature(
        "Glare",
        text="Wisdom save; repeats the save at the end of each of its turns.",
        save=ImportedSave("wis", 13),
        binds=(ImportedCondition("frightened", "repeat"),),
    )
    assert "save wis dc 13 inflicts frightened save-ends" in row_of(breath)["power"][0]


def test_what_a_repeated_save_ends_is_over_after_its_time_anyway() -> None:
    """SRD 5.2.1, Frightful Presence: `frightened for 1 minute`, and a save at each turn's end."""
    stare = ImportedFeature(
        "Glare",
        save=ImportedSave("wis", 30),
        binds=(ImportedCondition("frightened", "repeat", most=2),),
    )
    power = row_of(stare)["power"][0]
    assert power == '"Glare" action save wis dc 30 inflicts frightened save-ends for 2 turns'
    fight = Fight("5e", seed=1)
    fight.do(
        f"add monster Troll hp 90 init 20 power {power}",
        "add monster Ox hp 100",
        "add monster Elk hp 100",
        "init elk 40",
        "init troll 20",
        "init ox 10",
        "start",
        "next",
        "power Glare ox,elk failure",
    )
    last = {"ox": 0, "elk": 0}
    for _ in range(9):
        fight.do("next")
        for who in last:
            if fight.state[who].all_named("frightened"):
                last[who] = fight.state.round
    assert last == {"ox": 2, "elk": 3}  # the ox has turns in rounds 1 and 2, the elk in 2 and 3


def test_an_end_in_words_stands_beside_the_condition() -> None:
    song = ImportedFeature(
        "Song",
        save=ImportedSave("wis", 13),
        binds=(ImportedCondition("charmed", "the song ends"),),
    )
    power = row_of(song)["power"][0]
    assert power == '"Song" action save wis dc 13 inflicts charmed until "the song ends"'
    fight = Fight("5e", seed=1)
    fight.do(f"add monster Siren hp 90 power {power}", "add monster Ox hp 100", "init siren 20")
    fight.do("init ox 10", "start", "power Song ox failure", "next", "next")
    [charmed] = fight.state["ox"].all_named("charmed")
    assert charmed.until.says == "the song ends"


def test_speeds_and_senses_have_their_feet() -> None:
    senses = {"darkvision": 120, "blindsight": 0, "truesight": 30_120}  # a slip of its file
    row = row_of(speeds={"walk": 30, "fly": 60}, senses=senses)
    assert (row["speed"], row["fly"], row["darkvision"], row["blindsight"]) == (30, 60, 120, True)
    assert row["truesight"] is True


def test_legendary_actions_and_resistance_are_played() -> None:
    row = row_of(
        ImportedFeature("Legendary Resistance (3/Day)", "trait", "It can succeed.", uses=3),
        ImportedFeature(
            "Tail",
            "legendary",
            attack=ImportedAttack(9),
            damage=(ImportedDamage("2d8+5", "bludgeoning"),),
            cost=1,
        ),
    )
    assert (row["legendary"], row["legendary-resistance"]) == (3, 3)
    assert row["power"][0].startswith('"Legendary Resistance (3/Day)" trait text')


def test_a_challenge_rating_is_worth_xp() -> None:
    """SRD 5.2.1, Experience Points."""
    assert row_of(cr="1/4")["cr"] == "1/4"
    assert "cr" not in row_of(cr="unknown")


def test_lair_actions_are_the_lairs() -> None:
    """SRD 5.1, Lair Actions."""
    tremor = ImportedFeature(
        "Tremor", "lair", "The ground shakes.", save=ImportedSave("dex", 15),
        binds=(ImportedCondition("prone"),),
    )  # fmt: skip
    row = row_of(tremor)
    assert row["power"][0].startswith('"Tremor" free lair save dex dc 15 inflicts prone')
    fight = Fight("5e", seed=1)
    fight.do("setting edition 2014", f"add monster Troll hp 84 power {row['power'][0]}")
    assert fight.state["lair-of-troll"].track("lair_action") == 0


def test_a_row_is_added_and_fights() -> None:
    claw = ImportedFeature(
        "Claw", attack=ImportedAttack(7), damage=(ImportedDamage("2d6+4", "slashing"),)
    )
    row = row_of(claw, pb=3)
    fight = Fight("5e", seed=1)
    attack = row["attack"][0]
    fight.do(
        f"add monster Troll hp {row['hp']} ac {row['ac']} attack {attack}",
        "add pc Mira hp 30 ac 10",
        "attack mira natural 15 by troll",
    )
    assert fight.state["mira"].track("hp") < 30


PRIEST = ImportedSpells(
    (
        ImportedSpell("sacred flame", 0),
        ImportedSpell("hold person", 2, slot=True),
        ImportedSpell("fireball", raised=5),
        ImportedSpell("fly", uses=1),
        ImportedSpell("misty step", uses=2, takes="action"),
        ImportedSpell("mire's grasp", uses=1, per="rest", note="self only"),
        ImportedSpell("Melf's acid arrow", dice="6d4"),
    ),
    slots=(4, 2),
    ability="wis",
    dc=15,
    level=5,
)


def test_spells_are_rows_with_what_they_bring() -> None:
    row = row_of(casts=PRIEST)
    assert (row["spell"], row["spell-dc"], row["slots"]) == (7, 15, "4,2")
    assert row["spells"] == [
        '"Sacred Flame" 0 save dex 2d8 radiant',
        '"Hold Person" 2 concentration save wis inflicts paralyzed save-ends',
        '"Fireball" 5 at-will save dex 10d6 fire half',
        '"Fly" 3 uses 1 per day concentration',
        '"Misty Step" 2 uses 2 per day',
        '''"Mire's Grasp" uses 1 per rest text "self only"''',
        """"Melf's Acid Arrow" 2 at-will +7 6d4 acid""",
    ]


def test_a_dc_that_no_text_has_is_that_of_the_ability() -> None:
    giant = ImportedSpells((ImportedSpell("fog cloud"),), ability="con")
    row = row_of(casts=giant, pb=4)
    assert (row["spell"], row["spell-dc"]) == (9, 17)


def caster(*lines: str) -> Fight:
    row = row_of(casts=PRIEST)
    spells = " ".join(f"spells {spell}" for spell in row["spells"])
    sheet = f"hp 84 ac 15 init 9 spell 7 spell-dc 15 slots {row['slots']} {spells}"
    fight = Fight("5e", seed=2)
    fight.do(f"add monster Priest {sheet}", "add monster Ox hp 200 ac 10 init 1", "start", *lines)
    return fight


def test_an_imported_spell_is_cast_by_its_name() -> None:
    fight = caster("cast Fireball at ox failure 30")
    assert fight.state["ox"].track("hp") == 170
    assert fight.state["priest"].track("slots_1") == 4


def test_a_spell_with_uses_takes_no_slot_and_is_back_after_a_long_rest() -> None:
    fight = caster("cast Fly")
    again = "next", "next", "cast Fly"
    with pytest.raises(Refused, match="used 1 of 1 until a long rest"):
        fight.do(*again)
    fight.do("end", "rest long with priest", "start", "cast Fly by priest")
    assert fight.state["priest"].track("slots_2") == 2


def test_a_slot_holds_a_spell_with_uses_too() -> None:
    fight = caster('cast "Misty Step" slot 2')
    assert fight.state["priest"].track("slots_2") == 1
    assert not fight.state["priest"].used("Misty Step", "day")


@pytest.mark.parametrize(
    ("name", "text", "word"),
    [
        (
            "Magic Resistance",
            "It has advantage on saving throws against spells.",
            "magic-resistance",
        ),
        ("Evasion", "Of a Dexterity saving throw for half damage it takes none.", "evasion"),
        ("Swarm", "The swarm can't regain hit points.", "swarm"),
    ],
)
def test_traits_that_the_rules_play_are_flags(name: str, text: str, word: str) -> None:
    assert row_of(ImportedFeature(name, "trait", text))[word] is True
    assert word not in row_of(ImportedFeature(name, "trait", "It smells of rain."))


def test_who_hovers_and_who_is_never_exhausted() -> None:
    row = row_of(hover=True, unhindered=("exhaustion", "fatigue", "prone"))
    assert (row["hover"], row["immune"]) == (True, "exhaustion,prone")
    fight = Fight("5e")
    fight.do("add monster Golem hp 9 immune exhaustion")
    with pytest.raises(Refused, match="expected a track, found 'exhaustion'"):
        fight.do("mark golem exhaustion")
    fight.do("inflict golem suffocating", "start", "next")
    assert fight.state["golem"].track("exhaustion") == 0


def test_a_row_that_hovers_does_not_say_so_in_its_text_too() -> None:
    """The report listed it among what is kept only as text."""
    creature = ImportedCreature("Wisp", "5e", hp=9, speeds={"fly": 50}, hover=True)
    made = made_of(load_ruleset("5e"), creature)
    assert made.row["hover"] is True and "hover" not in made.row.get("text", "")
    assert "hover" not in made.left


def test_a_power_that_is_a_spell_is_magic() -> None:
    name = "Rain of Frogs (3rd-Level; V, S, M, Concentration)"
    assert row_of(ImportedFeature(name))["power"] == [
        f'"Rain of Frogs" action magical concentration text "{name}."'
    ]


def test_a_swarm_deals_less_with_half_of_its_hp() -> None:
    text = (
        "Hit: 10 (4d4) piercing damage, or 5 (2d4) piercing damage if the swarm has half or less."
    )
    bites = ImportedFeature(
        "Bites", text=text, attack=ImportedAttack(4), damage=(ImportedDamage("4d4", "piercing"),)
    )
    assert row_of(bites)["attack"] == ['"Bites" +4 4d4 piercing melee bloodied 2d4']


def test_legendary_actions_are_those_without_the_case_that_changes_them() -> None:
    rage = ImportedFeature(
        "Rage", "trait", "Bloodied, it can take 3 legendary actions instead of 1."
    )
    usual = ImportedFeature("Legendary Actions", "trait", "It can take 1 legendary action.")
    assert row_of(rage, usual)["legendary"] == 1


def test_names_of_spells_that_ran_together_are_apart() -> None:
    casts = ImportedSpells((ImportedSpell("light mage hand"), ImportedSpell("light of the marsh")))
    assert row_of(casts=casts)["spells"] == [
        '"Light" 0',
        '"Mage Hand" 0',
        '"Light of the Marsh" at-will',
    ]


GEYSER = ImportedFeature(
    "Geyser",
    save=ImportedSave("dex", 16, half=True),
    failed=(ImportedDamage("6d6", "necrotic"), ImportedDamage("6d6", "cold")),
)


@pytest.mark.parametrize(
    ("outcome", "left"), [("failure", 100 - 20 - 15), ("success", 100 - 10 - 7)]
)
def test_a_save_may_be_about_damage_of_two_types(outcome: str, left: int) -> None:
    """SRD 5.2.1, Saving Throws: it falls once for all, and what resists one of them halves that
    (Order of Application)."""
    power = row_of(GEYSER)["power"][0]
    assert power == '"Geyser" action save dex dc 16 6d6 necrotic half also 6d6 cold'
    fight = Fight("5e", seed=1)
    fight.do(
        f"add monster Lord hp 90 init 20 power {power}",
        "add pc Mira hp 100 resist cold",
        "add monster Ox hp 100",
        "start",
        f"power Geyser ox {outcome} 20 necrotic 15 cold",
        "next",
    )
    assert fight.state["ox"].track("hp") == left


def test_a_save_that_is_owed_knows_all_of_its_damage() -> None:
    fight = Fight("5e", seed=1)
    power = row_of(GEYSER)["power"][0]
    fight.do(f"add monster Lord hp 90 init 20 power {power}", "add pc Mira hp 100 resist cold")
    fight.do("start", "power Geyser mira 20 necrotic 15 cold", "withstand mira failure")
    assert fight.state["mira"].track("hp") == 100 - 20 - 7
    with pytest.raises(Refused, match="damage of 2 types"):
        fight.do("next", "next", "power Geyser mira 1 fire 2 cold 3 acid by lord")
