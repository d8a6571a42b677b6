"""What the sentences of stat blocks say, in all the ways in which they say it."""

from __future__ import annotations

import pytest

from affray.core.rules.imported_creature import (
    ImportedAttack,
    ImportedCondition,
    ImportedDamage,
    ImportedSave,
)
from affray.mechanics.import_creature import list_missed
from affray.store.importers.feature_text import (
    attack_of,
    borrow_attacks,
    hit_of,
    parse_conditions,
    parse_damage,
    parse_feature,
    parse_features,
    parse_usage,
    save_of,
    sharing,
)
from affray.store.importers.orcus_monsters import damage_of, inflictions_of, parse_powers
from affray.store.importers.stat_block import types_of

HIT = "Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: "


@pytest.mark.parametrize(
    ("said", "types", "prose"),
    [
        ("cold; bludgeoning, piercing, and slashing from nonmagical attacks", "cold mundane", ""),
        ("cold, bludgeoning, piercing and slashing damage from nonmagical weapons",
         "cold mundane", ""),
        ("acid, damage from nonmagical weapons", "acid mundane", ""),
        ("Nonmagical Weapons", "mundane", ""),
        ("bludgeoning, piercing, slashing, but for mgc", "mundane", ""),
        ("damage from nonmagical, non-silvered weapons", "mundane",
         "damage from nonmagical, non-silvered weapons"),
        ("bludgeoning, slashing, or piercing from nonmagical attacks", "mundane", ""),
        ("piercing from nonmagical attacks", "mundane-piercing", ""),
        ("piercing and slashing damage from nonmagical weapons",
         "mundane-piercing mundane-slashing", ""),
        ("piercing, slashing from nonmagical attacks", "mundane-piercing mundane-slashing", ""),
        ("bludgeoning from nonmagical attacks that aren't adamantine", "mundane-bludgeoning",
         "bludgeoning from nonmagical attacks that aren't adamantine"),
        ("bludgeoning, piercing, slashing that is nonmagical", "mundane", ""),
        ("bludgeoning, piercing, and slashing damage from nonmagical weapons, cold and fire",
         "mundane cold fire", ""),
        ("acid (water only); lightning and thunder (air only); piercing and slashing (earth only)",
         "", "acid (water only); lightning and thunder (air only); "
         "piercing and slashing (earth only)"),
        ("piercing from magic weapons of the good", "", "piercing from magic weapons of the good"),
        ("sonic, cold", "sonic cold", ""),
        ("poison; nonmagic B/P/S attacks", "poison mundane", ""),
        ("fire; nonmagic bludgeoning, piercing, and slashing attacks", "fire mundane", ""),
        ("acid (by day), poison, cold (in rain)", "poison", "acid (by day), cold (in rain)"),
        ("piercing, bludgeoning, and slashing from nonmagical attacks, prone",
         "mundane prone", ""),
        ("acid, fire, thunder (only when in ethereal form); cold", "cold",
         "acid, fire, thunder (only when in ethereal form)"),
        ("one of fire, cold, or poison", "", "one of fire, cold, or poison"),
        ("While wearing it: acid, cold; poison", "poison", "While wearing it: acid, cold"),
        ("The heart of straw is vulnerable to fire damage.", "fire", ""),
    ],
)  # fmt: skip
def test_weapons_that_are_not_magical_are_one_type(said: str, types: str, prose: str) -> None:
    assert types_of(said) == (types.split(), prose)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("1 piercing damage plus 2 (1d4) poison damage.", ["1 piercing", "1d4 poison"]),
        ("6 (1d8 + 2) sonic damage.", ["1d8+2 sonic"]),
        ("1 (1d1) cold damage.", ["1 cold"]),
        ("5 (1d6 + 2) slashing damage, plus 2 (1d4) slashing damage if it is prone.",
         ["1d6+2 slashing"]),
        ("5 (1d6 + 2) piercing damage plus 7 (2d6) poison damage plus an additional 3 (1d6) "
         "piercing damage if the target is surprised.", ["1d6+2 piercing", "2d6 poison"]),
        ("8 (1d8 + 4) Piercing damage—or 6 (1d4 + 4) if Bloodied—plus 10 (3d6) Poison damage.",
         ["1d8+4 piercing", "3d6 poison"]),
        ("3 (1d6) fire damage for every 10 feet.", []),
    ],
)  # fmt: skip
def test_all_that_always_falls_is_dealt_and_no_more(text: str, parts: list[str]) -> None:
    dealt = parse_feature("Beak", HIT + text, "action").damage
    assert [f"{part.dice} {part.type}" for part in dealt] == parts


def test_damage_without_dice_counts_where_no_word_stands_before_a_hit() -> None:
    made = parse_feature("Beak", "Melee Attack Roll: +4, reach 5 ft. 1 Piercing damage.", "action")
    assert made.damage == (ImportedDamage("1", "piercing"),)


def test_half_is_half_of_a_type_too() -> None:
    said = "DC 13 Strength saving throw or take 9 (2d8) bludgeoning damage. "
    assert parse_feature(
        "Gale", f"{said}On a success, half the bludgeoning damage.", "action"
    ).save == (ImportedSave("str", 13, half=True))


def test_who_succeeds_takes_nothing_of_what_a_failure_brings() -> None:
    said = "Each foe makes a DC 12 Wisdom saving throw. Each creature that succeeds on the saving "
    made = parse_feature("Word", f"{said}throw takes 10 (3d6) thunder damage.", "action")
    assert (made.save, made.failed) == (ImportedSave("wis", 12), ())


def test_who_is_small_enough_is_grappled_and_restrained() -> None:
    said = "5 (1d10) bludgeoning damage. If the target is Medium or smaller, it is grappled "
    made = parse_feature("Coil", f"{HIT}{said}(escape DC 13) and restrained.", "action")
    assert [row.condition for row in made.inflicts] == ["grappled", "restrained"]


def test_who_is_pulled_and_grappled_can_escape() -> None:
    said = "5 (1d10) damage and the target is pulled 5 feet and grappled (escape DC 12). It can "
    made = parse_feature("Noose", f"{HIT}{said}choose one creature to let go.", "action")
    assert made.inflicts == (ImportedCondition("grappled", "escape", 12),)


def test_an_attack_that_has_a_range_alone_is_ranged() -> None:
    made = attack_of("Melee Weapon Attack: +6 to hit, range 20/60 ft., one target.")
    assert made == ImportedAttack(6, "ac", "ranged", 20, long=60)


def test_breaths_behind_their_heading_share_its_recharge() -> None:
    rows = [
        parse_feature(
            "Breath Weapons (Recharge 5-6)", "It uses one of the following breaths:", "action"
        ),
        parse_feature(
            "Acid Breath", "DC 14 Dexterity saving throw or take 9 (2d8) acid damage.", "action"
        ),
        parse_feature(
            "Slowing Breath (Recharge 5-6)",
            "DC 14 Constitution saving throw or be slowed.",
            "action",
        ),
        parse_feature("Bite", "Melee Weapon Attack: +5 to hit. Hit: 5 (1d10) piercing.", "action"),
    ]
    made = [(row.name, row.recharge, row.pool) for row in sharing(rows)]
    assert made == [
        ("Breath Weapons", 0, ""),
        ("Acid Breath", 5, "Breath Weapons"),
        ("Slowing Breath", 5, "Breath Weapons"),
        ("Bite", 0, ""),
    ]


@pytest.mark.parametrize(
    ("text", "attack"),
    [
        ("Melee Weapon Attack: +9 to hit, reach 15 ft., one target.", ImportedAttack(9, feet=15)),
        (
            "Ranged Spell Attack: +4 to hit, range 120 ft.",
            ImportedAttack(4, "ac", "ranged", 120, spell=True),
        ),
        (
            "Melee or Ranged Weapon Attack: +5 to hit, reach 5 ft. or range 20/60 ft.",
            ImportedAttack(5, "ac", "both", 5, 20, 60),
        ),
        ("Melee Attack Roll: +4, reach 5 ft. Hit: 5 (1d6 + 2) Piercing damage.",
         ImportedAttack(4, feet=5)),
        ("Melee Weapon Attack: −1 to hit, reach 5 ft.", ImportedAttack(-1, feet=5)),
        ("Melee Weapon Attack. +8 to hit, reach 5 ft., one target.",
         ImportedAttack(8, feet=5)),
        ("Melee Weapon Attack (Wolf Form Only): +6 to hit, reach 5. ft.",
         ImportedAttack(6, feet=5)),
        ("Melee Weapon Attack: +5 to hit, 10 ft., one target, 10 (2d6+3) slashing damage.",
         ImportedAttack(5, feet=10)),
        ("Ranged Spell Attack: +6 to hit, 60 ft., one target, 18 (4d6+4) thunder.",
         ImportedAttack(6, "ac", "ranged", 60, spell=True)),
        ("Ranged Weapon Attack: +9 to hit 80/320' one target 9 (1d8+5) piercing damage.",
         ImportedAttack(9, "ac", "ranged", 80, long=320)),
        ("Melee or Ranged Weapon Attack: +6 to hit 5 ft. or range 20/60' one target.",
         ImportedAttack(6, "ac", "both", 5, 20, 60)),
        ("Ranged Weapon Attack: +3 to hit, range 80 ft./320 ft., one target.",
         ImportedAttack(3, "ac", "ranged", 80, long=320)),
        ("+4 to hit, reach 5 ft. or range 20/60 ft.", ImportedAttack(4, "ac", "both", 5, 20, 60)),
        ("It attacks the nearest creature.", None),
        ("It casts spells (save DC 13, +5 to hit with spell attacks).", None),
    ],
)  # fmt: skip
def test_an_attack_roll(text: str, attack: ImportedAttack | None) -> None:
    assert attack_of(text) == attack


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("12 (2d6 + 5) piercing damage plus 4 (1d8) fire damage", ["2d6+5 piercing", "1d8 fire"]),
        (
            "5 (1d6+2) slashing damage, plus an additional 3 (1d6) cold damage",
            ["1d6+2 slashing", "1d6 cold"],
        ),
        (
            "7 (1d8 + 3) slashing damage, or 8 (1d10 + 3) slashing damage if used with two hands, "
            "plus 9 (2d8) fire damage",
            ["1d8+3 slashing", "2d8 fire"],
        ),
        (
            "7 (1d8 + 3) piercing damage, or 8 (1d10 + 3) piercing damage if used with two hands "
            "to make a melee attack, and 4 (1d8) cold damage.",
            ["1d8+3 piercing", "1d8 cold"],
        ),
        (
            "10 (4d4) piercing damage, or 5 (2d4) piercing damage if the swarm has half of its hit "
            "points or fewer, plus 7 (2d6) poison damage",
            ["4d4 piercing", "2d6 poison"],
        ),
        (
            "6 (1d8 + 2) slashing damage, or 7 (1d10 + 2) slashing damage with two hands",
            ["1d8+2 slashing"],
        ),
        ("1 piercing damage", ["1 piercing"]),
        ("3 (1d8 – 1) bludgeoning damage", ["1d8-1 bludgeoning"]),
        ("9 (3d4 + 1) bludgeoning or piercing damage", ["3d4+1 bludgeoning"]),
        ("31 (5d8 + 9) bludgeoning, piercing, or slashing damage", ["5d8+9 bludgeoning"]),
        ("6 (1d8 + 2) magical bludgeoning damage", ["1d8+2 bludgeoning"]),
        ("15 (3d6+5) slashing damage + 9 (2d8) fire.", ["3d6+5 slashing", "2d8 fire"]),
        ("18 (2d12 + 5).", ["2d12+5 "]),
        ("The target falls asleep.", []),
        ("It moves 30 feet, past 2 (1d4) goblins.", []),
    ],
)
def test_damage_in_parts_and_not_in_its_other_ways(text: str, parts: list[str]) -> None:
    assert [f"{part.dice} {part.type}" for part in parse_damage(text)] == parts


def test_a_save_is_told_from_a_check() -> None:
    found = save_of(
        "must make a DC 12 Strength check or a DC 14 Dexterity saving throw, taking half"
    )
    assert found is not None and found[0] == ImportedSave("dex", 14)
    assert save_of("succeeds on a DC 12 Strength check") is None
    modern = save_of("Constitution Saving Throw: DC 13. Failure: 7 (2d6) damage. Half damage.")
    assert modern is not None and modern[0] == ImportedSave("con", 13, half=True)


@pytest.mark.parametrize(
    ("text", "inflicted"),
    [
        ("and the target is grappled (escape DC 14) and restrained.",
         [ImportedCondition("grappled", "escape", 14), ImportedCondition("restrained")]),
        ("The target is knocked prone.", [ImportedCondition("prone")]),
        ("It is blinded until the end of its next turn.",
         [ImportedCondition("blinded", "end of bearer")]),
        ("It is stunned until the start of the crab's next turn.",
         [ImportedCondition("stunned", "start of source")]),
        ("It is charmed. The target repeats the saving throw each turn.",
         [ImportedCondition("charmed", "repeat")]),
        ("A creature that fails the save is also blinded.", [ImportedCondition("blinded")]),
        ("It takes 5 (1d10) ongoing fire damage.",
         [ImportedCondition("ongoing", damage=ImportedDamage("1d10", "fire"))]),
        ("If the target is already grappled, it is restrained.", []),
        ("On a success, it is immune to being charmed.", []),
        ("It suffers one of the following: it is blinded, or it is deafened.", []),
        ("It has advantage against a grappled creature.", []),
        ("The target has the Prone condition.", [ImportedCondition("prone")]),
        ("The target has the Blinded and Deafened conditions until the end of its next turn.",
         [ImportedCondition("blinded", "end of bearer"),
          ImportedCondition("deafened", "end of bearer")]),
        ("It has the Grappled condition (escape DC 13).",
         [ImportedCondition("grappled", "escape", 13)]),
        ("It must succeed on the save or be knocked prone.", [ImportedCondition("prone")]),
        ("If the target is a creature it is grappled (escape DC 17).",
         [ImportedCondition("grappled", "escape", 17)]),
        ("The target takes 3 (1d6) damage, or 7 (2d6) if it is frightened.", []),
        ("It bites one target that is grappled, restrained, or willing.", []),
        ("The creature is blinded or deafened for 1 minute, as the crab likes.", []),
        ("Instead of dealing damage, the crab has the target restrained or is prone.", []),
        ("It is poisoned and can re-save at end of each of its turns.",
         [ImportedCondition("poisoned", "repeat")]),
    ],
)  # fmt: skip
def test_what_is_inflicted_and_for_how_long(text: str, inflicted: list[ImportedCondition]) -> None:
    assert [*parse_conditions(text)] == inflicted


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("must make a DC 17 Con save or be poisoned.", ImportedSave("con", 17)),
        (
            "takes half damage with a successful DC 14 Dexterity saving throw.",
            ImportedSave("dex", 14),
        ),
        ("9 (2d8) fire damage (DC 12 Dex half).", ImportedSave("dex", 12, half=True)),
        ("DC 12 Str negates.", ImportedSave("str", 12)),
        ("a DC 15 STR check frees it", None),
    ],
)
def test_a_save_in_short(text: str, asked: ImportedSave | None) -> None:
    found = save_of(text)
    assert (found.save if found else None) == asked


def test_what_a_save_keeps_off_may_stand_before_it() -> None:
    fire = parse_feature(
        "Fire", "Each creature nearby takes 9 (2d8) fire damage (DC 12 Dex half).", "action"
    )
    assert (fire.save, fire.failed) == (
        ImportedSave("dex", 12, half=True),
        (ImportedDamage("2d8", "fire"),),
    )
    shove = parse_feature(
        "Shove", "The target is knocked prone (DC 12 Str negates prone).", "action"
    )
    assert (shove.save, shove.binds) == (ImportedSave("str", 12), (ImportedCondition("prone"),))


def test_what_a_second_failure_or_a_success_brings_is_for_people_to_read() -> None:
    text = (
        "Constitution Saving Throw: DC 13. First Failure: The target has the Restrained condition. "
        " Second Failure: The target has the Petrified condition. Success: It is prone."
    )
    assert parse_feature("Gaze", text, "action").binds == (ImportedCondition("restrained"),)


def test_a_trait_is_used_by_its_save_and_by_its_dice() -> None:
    burst = parse_feature(
        "Burst", "Each creature makes a DC 12 Dexterity saving throw or is prone.", "trait"
    )
    assert (burst.save, burst.binds) == (ImportedSave("dex", 12), (ImportedCondition("prone"),))
    heat = parse_feature("Heat", "Whoever touches it takes 7 (2d6) fire damage.", "trait")
    assert heat.damage == (ImportedDamage("2d6", "fire"),)
    assert parse_feature("Regeneration", "It regains 10 hit points.", "trait").damage == ()


def test_a_text_that_only_tells_of_legendary_actions_is_none() -> None:
    text = "The crab can take 3 legendary actions, choosing from the options below."
    assert parse_feature("Legendary Actions", text, "legendary").sort == "trait"
    named = parse_feature("The crab can take 2 legendary actions", "One at a time.", "legendary")
    assert (named.name, named.sort) == ("Legendary Actions", "trait")
    assert named.text == "The crab can take 2 legendary actions. One at a time."


def test_legendary_actions_in_one_text_are_each_one() -> None:
    text = (
        "The crab can take 3 legendary actions, choosing from the options below.\n"
        "Roar. Each creature makes a DC 13 Wisdom saving throw or is frightened.\n"
        "Tail Attack (Costs 2 Actions). Melee Weapon Attack: +5 to hit. Hit: 7 (1d8+3) damage."
    )
    all_of_them, roar, tail = parse_features("Legendary Actions", text, "trait")
    assert (all_of_them.sort, all_of_them.save) == ("trait", None)
    assert (roar.name, roar.sort, roar.save) == ("Roar", "legendary", ImportedSave("wis", 13))
    assert (tail.name, tail.cost, tail.attack) == ("Tail Attack", 2, ImportedAttack(5))


def test_where_no_hit_is_named_it_begins_behind_the_target() -> None:
    text = "Melee Weapon Attack: +5 to hit, 5 ft., 10 (2d6+3) slashing damage and it is prone."
    claw = parse_feature("Claw", text, "action")
    assert (claw.damage, claw.inflicts) == (
        (ImportedDamage("2d6+3", "slashing"),),
        (ImportedCondition("prone"),),
    )


@pytest.mark.parametrize(
    ("name", "bare"),
    [
        ("Breath (Recharge 5-6)", "Breath"),
        ("Breath (Recharge 5-6; Dragon Form Only)", "Breath (Dragon Form Only)"),
        ("Claw (Wolf Form Only)", "Claw (Wolf Form Only)"),
    ],
)
def test_a_name_is_told_without_how_often(name: str, bare: str) -> None:
    assert parse_feature(name, "", "action").name == bare


def test_what_comes_of_a_miss_is_no_part_of_a_hit() -> None:
    assert hit_of("Attack: +4. Hit: 5 damage. Miss: 2 damage.") == "5 damage. "


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Legendary Resistance (3/Day)", (3, "day", 0, 1)),
        ("Breath (Recharge 5-6)", (0, "", 5, 1)),
        ("Breath (Recharge 5–6)", (0, "", 5, 1)),
        ("Breath (Recharge 56)", (0, "", 5, 1)),
        ("Breath (Recharge 6)", (0, "", 6, 1)),
        ("Shield (Recharges after a Short or Long Rest)", (1, "rest", 0, 1)),
        ("Puff Up (Recharge: Short/Long Rest)", (1, "rest", 0, 1)),
        ("Shriek (Recharge after Short or Long Rest)", (1, "rest", 0, 1)),
        ("Sweep (Costs 2 Actions)", (0, "", 0, 2)),
        ("Quake (Costs 3)", (0, "", 0, 3)),
        ("Slip (1 Legendary Action)", (0, "", 0, 1)),
        ("Wallow (2 actions)", (0, "", 0, 2)),
        ("Claw", (0, "", 0, 1)),
    ],
)
def test_how_often_stands_in_the_name(name: str, said: tuple[int, str, int, int]) -> None:
    assert parse_usage(name) == said


def test_one_of_several_are_those() -> None:
    text = (
        "It uses one of the following:\nFire Breath. It exhales fire, and so on.\n"
        "Sleep Breath. It exhales gas, and so on."
    )
    found = parse_features("Breath Weapons (Recharge 5-6)", text, "action")
    assert [(f.name, f.recharge, f.trigger) for f in found] == [
        ("Fire Breath", 5, "one of Breath Weapons"),
        ("Sleep Breath", 5, "one of Breath Weapons"),
    ]


# -- Orcus -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "inflicted"),
    [
        ("2d6 damage, and the target is weakened and slowed (save ends both).",
         [ImportedCondition("weakened", "save"), ImportedCondition("slowed", "save")]),
        ("the target is knocked prone and stunned until the start of the crab’s next turn.",
         [ImportedCondition("prone"), ImportedCondition("stunned", "start of source")]),
        ("3d8 damage, and the target takes persistent 5 poison damage (save ends).",
         [ImportedCondition("persistent", "save", damage=ImportedDamage("5", "poison"))]),
        ("2d10 damage and 5 persistent damage (save ends).",
         [ImportedCondition("persistent", "save", damage=ImportedDamage("5"))]),
        ("The target is pushed 3 and rattled (save ends).", [ImportedCondition("rattled", "save")]),
        ("1d10 damage, or 2d8 damage against a slowed, grappled or immobile target.", []),
        ("If the target is already slowed, it is dazed.", []),
        ("dazed (save ends).", [ImportedCondition("dazed", "save")]),
        ("2d10+4 damage and target slowed (save ends).", [ImportedCondition("slowed", "save")]),
        ("3d6 damage, and the target is weakened or slowed (save ends).", []),
        ("the target takes persistent 5 cold and necrotic damage (save ends).",
         [ImportedCondition("persistent", "save", damage=ImportedDamage("5", "cold"))]),
        ("takes 5 persistent cold and necrotic damage and is blinded (save ends all).",
         [ImportedCondition("blinded", "save"),
          ImportedCondition("persistent", "save", damage=ImportedDamage("5", "cold"))]),
    ],
)  # fmt: skip
def test_what_a_power_inflicts(text: str, inflicted: list[ImportedCondition]) -> None:
    assert [*inflictions_of(text)] == inflicted


@pytest.mark.parametrize(
    ("text", "damage"),
    [
        ("2d6+4 cold and necrotic damage.", (ImportedDamage("2d6+4", "cold"),)),
        ("5 damage (+2 damage against beasts).", (ImportedDamage("5"),)),
        ("3d8+9, and the target is grappled.", (ImportedDamage("3d8+9"),)),
        ("The target takes 5 persistent fire damage.", ()),
        ("The target falls prone.", ()),
        ("3d10+7 [energy] damage and the target slides.", (ImportedDamage("3d10+7"),)),
        ("grapple ends; 3d10+7 psychic damage.", (ImportedDamage("3d10+7", "psychic"),)),
        ("It is pushed. If it can't be, it takes 2d8 damage.", ()),
    ],
)
def test_what_a_power_deals(text: str, damage: tuple[ImportedDamage, ...]) -> None:
    assert damage_of(text) == damage


def test_each_effect_that_a_power_of_orcus_offers_is_a_power_of_its_own() -> None:
    effect = (
        "The heron chooses one effect.\n1\\. Charm: +9 vs Will; the target is dazed (save ends).\n"
        "2\\. Burn: +9 vs Reflex; 2d6+3 fire damage."
    )
    given = {"Name": "Stare", "Type": "Near", "Action": "standard", "Frequency": "at-will"}
    stare, charm, burn = parse_powers({**given, "Range": "Near arc 6", "Effect": effect})
    assert (stare.attack, stare.damage) == (None, ())
    assert (charm.name, charm.attack) == ("Stare: Charm", ImportedAttack(9, "will", "near"))
    assert charm.inflicts == (ImportedCondition("dazed", "save"),)
    assert (burn.attack, burn.damage) == (
        ImportedAttack(9, "reflex", "near"),
        (ImportedDamage("2d6+3", "fire"),),
    )


def test_what_a_power_of_orcus_brings_later_is_told_apart() -> None:
    effect = (
        "The target is dazed (save ends). *First Failed Save:* The target is stunned instead "
        "(save ends). *Aftereffect:* The target is slowed (save ends)."
    )
    given = {"Name": "Song", "Type": "Near", "Action": "standard", "Attack Bonus": 9}
    often = {"Defense": "Will", "Frequency": "encounter, refreshes when first staggered"}
    [song] = parse_powers({**given, **often, "Effect": effect})
    assert song.inflicts == (ImportedCondition("dazed", "save"),)
    assert song.worsens == (ImportedCondition("stunned", "save"),)
    assert (song.after, song.staggered) == ((ImportedCondition("slowed", "save"),), True)


def test_what_a_hit_after_a_run_brings_is_not_in_every_hit() -> None:
    run = "If the boar moves at least 20 feet straight towards the target before the attack, the "
    said = (
        f"5 (1d10) piercing damage. {run}target makes a DC 11 Strength saving throw, falling prone."
    )
    made = parse_feature("Tusk", f"{HIT}{said}", "action")
    assert (made.damage, made.save, made.binds) == ((ImportedDamage("1d10", "piercing"),), None, ())


def test_half_on_a_success_is_half() -> None:
    said = "It makes a DC 25 Dexterity saving throw. It takes 27 (5d10) fire damage on a failure "
    made = parse_feature("Spit", f"{said}or half on a success.", "action")
    assert made.save == ImportedSave("dex", 25, half=True)


@pytest.mark.parametrize(
    "text",
    [
        "Each creature near takes 9 (2d8) cold damage and is knocked prone; a successful DC 15 "
        "Dexterity saving throw halves the damage.",
        "Each creature near takes 9 (2d8) cold damage and is knocked prone, or takes half damage "
        "and isn't knocked prone with a successful DC 15 Dexterity saving throw.",
        "Each creature near takes 9 (2d8) cold damage, or half damage with a successful DC 15 "
        "Dexterity saving throw. A creature that fails its saving throw is knocked prone.",
    ],
)
def test_a_save_may_stand_behind_what_it_keeps_off(text: str) -> None:
    gust = parse_feature("Gust", text, "action")
    assert gust.save == ImportedSave("dex", 15, half=True)
    assert gust.failed == (ImportedDamage("2d8", "cold"),)
    assert gust.binds == (ImportedCondition("prone"),)


@pytest.mark.parametrize(
    ("text", "half"),
    [
        ("takes 9 (2d8) cold damage, taking half on a success.", True),
        ("takes 9 (2d8) cold damage, and half on success.", True),
        ("takes 9 (2d8) cold damage. A success reduces the damage by half.", True),
        ("takes 9 (2d8) cold damage. A success reduces damage to half.", True),
        ("takes 9 (2d8) cold damage. It is healed by half of the damage.", False),
    ],
)
def test_half_is_said_in_many_ways(text: str, half: bool) -> None:
    row = parse_feature("Gust", f"On a failed DC 15 Dexterity saving throw it {text}", "action")
    assert row.save == ImportedSave("dex", 15, half=half)


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("On a hit, if the target is a creature, it is grappled.", "grappled"),
        ("When hit the target is grappled.", "grappled"),
        ("If the creature fails, it is charmed for 1 minute.", "charmed"),
        ("It is thrown in a random direction and is knocked prone.", "prone"),
        ("The engulfed creature can't breathe, is restrained, and is in darkness.", "restrained"),
    ],
)
def test_a_sentence_may_begin_with_what_holds_anyway(text: str, condition: str) -> None:
    assert [row.condition for row in parse_conditions(text)] == [condition]


def test_of_two_abilities_to_save_with_the_first_is_taken() -> None:
    text = "It makes a DC 16 Strength or Dexterity saving throw or is knocked prone."
    row = parse_feature("Leap", text, "action")
    assert (row.save, row.binds) == (ImportedSave("str", 16), (ImportedCondition("prone"),))


def test_a_range_may_be_without_a_unit() -> None:
    text = "Ranged Weapon Attack: +4 to hit, range 80/320, one target. Hit: 5 (1d6 + 2) piercing."
    assert attack_of(text) == ImportedAttack(4, reach="ranged", feet=80, long=320)


@pytest.mark.parametrize(
    "text",
    [
        "If the save fails by 5 or more, the target is instead unconscious.",
        "A creature that fails the save by 5+ is also blinded.",
        "On a second failed save, the creature is blinded.",
        "It must make a successful DC 17 Strength check or be knocked prone.",
        "A swallowed creature is blinded and restrained.",
        "Failure: If the target has 20 Hit Points or fewer, it has the Unconscious condition.",
        "It has disadvantage on the next save it makes against being knocked prone.",
        "It keeps its immunity to being grappled, restrained, or blinded.",
        "The wall lasts until the devil is blinded or dies.",
        "The creature repeats the save at the end of its turn, becoming blinded on a failure.",
        "The target is knocked prone, or drops what it holds (the boggard's choice).",
    ],
)
def test_what_comes_in_some_case_alone_is_not_laid(text: str) -> None:
    assert parse_conditions(text) == ()


@pytest.mark.parametrize(
    ("text", "conditions"),
    [
        ("The target is swallowed. A swallowed creature is blinded and restrained.",
         "blinded restrained"),
        ("The target must succeed or be permanently blinded.", "blinded"),
        ("If the saving throw fails, the target is poisoned.", "poisoned"),
        ("If it otherwise fails the save, it is restrained.", "restrained"),
        ("Until this grapple ends the target is restrained and can't breathe.", "restrained"),
        ("Until this disease is cured the target is poisoned.", "poisoned"),
        ("31 (9d6) slashing damage and blinded until end of its next turn", "blinded"),
        ("If target is a Large or smaller creature it is grappled (escape DC 18).", "grappled"),
        ("All it picks within 120' and aware of it frightened 1 min", "frightened"),
        ("It must make a save against poison or be poisoned for 1 minute.", "poisoned"),
    ],
)  # fmt: skip
def test_what_always_comes_is_laid(text: str, conditions: str) -> None:
    assert [row.condition for row in parse_conditions(text)] == conditions.split()


def test_what_comes_of_another_save_is_none_of_the_first() -> None:
    asked = save_of(
        "Each creature must succeed on a DC 15 Dexterity saving throw or be knocked prone. If it "
        "is a beast, it must succeed on a DC 12 Wisdom saving throw or be blinded."
    )
    assert asked is not None
    assert [row.condition for row in parse_conditions(asked.failed)] == ["prone"]
    swallowed = parse_feature(
        "Maw",
        "It must succeed on a DC 19 Dexterity saving throw or be swallowed. A swallowed creature "
        "is blinded.If the worm is hurt, it must succeed on a DC 21 Constitution saving throw.",
        "action",
    )
    assert [row.condition for row in swallowed.binds] == ["blinded"]


@pytest.mark.parametrize(
    ("hit", "damage", "failed", "binds"),
    [
        ("7 (2d4 + 2) bludgeoning damage and target knocked prone (DC 12 Str negates).",
         "2d4+2", "", "prone"),
        ("16 (2d12 + 3) piercing damage + 7 (2d6) cold. It is poisoned (DC 16 Con negates).",
         "2d12+3 2d6", "", "poisoned"),
        ("5 (1d4 + 3) piercing damage. Also 5 (2d4) poison (DC 13 Con half).", "1d4+3", "2d4", ""),
    ],
)  # fmt: skip
def test_a_save_in_brackets_keeps_off_no_more_of_a_hit_than_stands_before_it(
    hit: str, damage: str, failed: str, binds: str
) -> None:
    row = parse_feature("Tail", HIT + hit, "action")
    assert [part.dice for part in row.damage] == damage.split()
    assert [part.dice for part in row.failed] == failed.split()
    assert [part.condition for part in row.binds] == binds.split()


def test_a_hit_after_a_run_towards_somebody_small_is_told_apart() -> None:
    row = parse_feature(
        "Gore",
        "Melee Attack Roll: +3, reach 5 ft. 4 (1d6 + 1) Piercing damage. If the target is a Medium "
        "or smaller creature and the boar moved 20+ feet straight toward it immediately before the "
        "hit, the target takes an extra 3 (1d6) Piercing damage and has the Prone condition.",
        "action",
    )
    assert row.inflicts == ()
    assert [part.dice for part in row.damage] == ["1d6+1"]


def test_without_hit_a_sentence_about_the_target_begins_behind_the_reach() -> None:
    text = "Melee Attack Roll: +7, reach 60 ft. The target has the Grappled condition."
    assert [row.condition for row in parse_feature("Tentacle", text, "action").inflicts] == [
        "grappled"
    ]


def test_melee_or_ranged_with_a_range_alone_goes_as_far() -> None:
    text = "Melee or Ranged Weapon Attack: +4 to hit, range 30/120 ft., one target. Hit: 5 (1d6)"
    assert attack_of(text) == ImportedAttack(4, reach="ranged", feet=30, long=120)


def test_what_costs_several_actions_is_legendary_wherever_a_file_has_it() -> None:
    screech = parse_feature("Screech (Costs 2 Actions; Roc Form Only)", "", "bonus")
    roar = parse_feature("Legendary Action: Roar", "", "trait")
    assert (screech.sort, roar.name, roar.sort) == ("legendary", "Roar", "legendary")


def test_how_long_a_minute_and_a_round_are() -> None:
    assert parse_conditions("It is stunned for 1 round.")[0].until == "1 turns"
    assert parse_conditions("It is frightened for 1 minute.")[0].until == "10 turns"
    repeated = "It is frightened for 1 minute. It repeats the save at the end of its turns."
    assert parse_conditions(repeated)[0].until == "repeat"


def test_what_a_repeated_save_brings_is_not_laid_at_once() -> None:
    text = (
        "It is restrained. It repeats the saving throw at the end of its next turn. On a success, "
        "the effect ends. On a failure, it is petrified."
    )
    assert [row.condition for row in parse_conditions(text)] == ["restrained"]


def test_who_makes_an_attack_outside_of_the_action_makes_that_one() -> None:
    rows = [
        parse_feature("Claws", f"{HIT}7 (1d8 + 3) slashing damage.", "action"),
        parse_feature("Swat", "The cat makes one claw attack.", "legendary"),
        parse_feature("Snap Back", "The cat attacks with its claws.", "reaction"),
        parse_feature("Show Off", "The cat uses its Claws action.", "bonus"),
        parse_feature("Dance", "It ends if the cat rests, or makes a claw attack.", "bonus"),
        parse_feature("Ready", "The cat makes a claw attack.", "trait"),
    ]
    made = [*borrow_attacks(rows)]
    assert [row.damage for row in made] == [rows[0].damage] * 4 + [()] * 2
    assert made[1].attack == rows[0].attack


def test_each_effect_of_a_lair_is_an_action_of_it() -> None:
    text = (
        "On initiative count 20, the cat takes a lair action to cause one of these:\n"
        "• Dust fills the room. Each creature makes a DC 12 Dexterity saving throw or is prone.\n"
        "- Echo. A sound of claws comes from all sides at once.\n"
        "The cat does neither twice in a row."
    )
    made = parse_features("Lair Actions", text, "action")
    assert [(row.name, row.sort) for row in made] == [
        ("Lair Actions", "trait"),
        ("Dust fills the room", "lair"),
        ("Echo", "lair"),
    ]
    assert made[0].text.endswith("cause one of these: The cat does neither twice in a row.")
    assert made[1].save == ImportedSave("dex", 12)


@pytest.mark.parametrize(
    ("written", "dice"),
    [
        ("1 (1d4 + -1)", "1d4-1"), ("1 (1d4+(-1))", "1d4-1"), ("3 (d6)", "1d6"), ("(d6)", "1d6"),
        ("1 (1d4 − 1)", "1d4-1"), ("d6", "1d6"), ("1d4 + -1", "1d4-1"), ("1,200 (300d8)", "300d8"),
        ("1,200", "1200"), ("5 (1D6 + 2)", "1d6+2"),
    ],
)  # fmt: skip
def test_an_attack_keeps_its_damage_however_its_dice_are_written(written: str, dice: str) -> None:
    sling = parse_feature("Sling", f"{HIT}{written} bludgeoning damage.", "action")
    assert sling.damage == (ImportedDamage(dice, "bludgeoning"),)
    assert [*list_missed(sling)] == []


@pytest.mark.parametrize(
    "written", ["1d4 + -1 cold damage", "1d4+(-1) cold damage", "d4-1 cold damage"]
)
def test_orcus_effects_have_their_dice_however_they_are_written(written: str) -> None:
    assert damage_of(f"{written}.") == (ImportedDamage("1d4-1", "cold"),)


def test_an_attack_whose_hit_offers_a_choice_is_one_attack() -> None:
    """What may be chosen is for people to read; what the hit deals is rolled."""
    cutlass = (
        "Melee Weapon Attack: +7 to hit, reach 5 ft., one target. Hit: 11 (2d6 + 4) slashing "
        "damage plus 7 (2d6) poison damage, and the target suffers one of the following:\n"
        "- Dazed. The target is charmed until the start of the reaver's next turn.\n"
        "- Venom. The target is poisoned until the start of the reaver's next turn."
    )
    [feature] = parse_features("Cutlass", cutlass, "action")
    assert feature.attack == ImportedAttack(7, feet=5)
    assert feature.damage == (ImportedDamage("2d6+4", "slashing"), ImportedDamage("2d6", "poison"))
    assert (feature.inflicts, "Venom" in feature.text) == ((), True)
    assert [*list_missed(feature)] == ["Cutlass: text beyond its attack"]


@pytest.mark.parametrize(
    ("text", "attack"),
    [
        ("Melee Weapon Attack: +5 to hit, reach 10 it, one target. Hit: 3 (1d6) fire damage.",
         ImportedAttack(5, feet=10)),
        ("Melee or Ranged Weapon Attack: +5 to hit, reach 5 ft. or ranged 20 ft./60 ft., one "
         "target. Hit: 5 (1d4 + 3) piercing damage.",
         ImportedAttack(5, reach="both", feet=5, far=20, long=60)),
        ("Melee or Ranged Weapon Attack: +8 to hit, reach 5 ft. or range 30/120, one target. "
         "Hit: 7 (1d6 + 4) piercing damage.",
         ImportedAttack(8, reach="both", feet=5, far=30, long=120)),
        ("It hurls honey at a target as a ranged weapon attack (+9 to hit). If it hits, all stick.",
         ImportedAttack(9, reach="ranged")),
        ("Its foes have disadvantage on attack rolls.\n- 2 Fear Ray. It is frightened.", None),
        ("It has +8 to hit with spell attacks.", None),
    ],
)  # fmt: skip
def test_slips_of_distances_and_other_words_for_an_attack_are_read(
    text: str, attack: ImportedAttack | None
) -> None:
    """As public files have them, some of them read by machine from print."""
    assert parse_feature("Honey", text, "action").attack == attack


def test_what_stands_in_brackets_or_is_chosen_hides_no_damage_behind_it() -> None:
    slam = "5 (1d6 + 2) bludgeoning (piercing in spider form) damage plus 21 (6d6) poison damage"
    assert parse_damage(slam)[1:] == (ImportedDamage("6d6", "poison"),)
    glaive = (
        "8 (1d10 + 3) piercing damage or slashing damage (its choice) plus 3 (1d6) force damage"
    )
    assert parse_damage(glaive)[1:] == (ImportedDamage("1d6", "force"),)


def test_brackets_in_brackets_leave_the_name_whole() -> None:
    web = parse_feature("Web (Spider Form Only; (Recharge 5-6))", "It spins.", "action")
    assert (web.name, web.recharge) == ("Web (Spider Form Only)", 5)


@pytest.mark.parametrize(
    "text",
    [
        f"{HIT}The target is restrained. Dealing 5 slashing damage to the net frees it.",
        f"{HIT}The target must make a DC 21 Constitution saving throw or be poisoned. While "
        "poisoned it takes 21 (6d6) poison damage at the start of each of its turns.",
    ],
)
def test_what_breaks_a_net_or_falls_turn_by_turn_is_no_damage_of_the_hit(text: str) -> None:
    assert parse_damage(text.removeprefix(HIT)) == ()


def test_who_swallowed_somebody_makes_the_save_against_spitting_them_out() -> None:
    text = (
        "If the worm takes 30 damage in a turn, it must succeed on a DC 21 Constitution saving "
        "throw or regurgitate all swallowed creatures, which fall prone."
    )
    assert save_of(text) is None


def test_a_save_that_is_not_repeated_each_turn_ends_nothing_at_a_turn() -> None:
    charmed = (
        "DC 17 Wisdom saving throw or be charmed. Each time it takes damage it repeats the save."
    )
    by_turn = (
        "DC 17 Wisdom saving throw or be charmed. It repeats the save at the end of each turn."
    )
    assert [*parse_conditions(charmed)] == [ImportedCondition("charmed")]
    assert [*parse_conditions(by_turn)] == [ImportedCondition("charmed", "repeat")]


def test_an_attack_with_brackets_in_its_name_is_borrowed_without_them() -> None:
    bite = parse_feature("Bite (Bat Form Only)", "action", f"{HIT}7 (1d6 + 4) piercing damage.")
    move = parse_feature(
        "Bite (Costs 2 Actions)", "legendary", "The vampire makes one bite attack."
    )
    assert [row.attack for row in borrow_attacks([bite, move])] == [bite.attack, bite.attack]
