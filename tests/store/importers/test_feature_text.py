"""What a name and a text are: one feature or several, how often, and whose attack it makes."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from affray.core.rules.imported_creature import (
    ImportedAttack,
    ImportedCondition,
    ImportedDamage,
    ImportedSave,
)
from affray.mechanics.import_creature import list_missed
from affray.store.importers.act_names import parse_usage
from affray.store.importers.feature_text import (
    parse_feature,
    parse_features,
)
from affray.store.importers.orcus_monsters import damage_of, inflictions_of, parse_powers
from affray.store.importers.own_acts import borrow_attacks, each_once, sharing, with_what_is_taken

HIT = "Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: "


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


def test_what_costs_several_actions_is_legendary_wherever_a_file_has_it() -> None:
    screech = parse_feature("Screech (Costs 2 Actions; Roc Form Only)", "", "bonus")
    roar = parse_feature("Legendary Action: Roar", "", "trait")
    assert (screech.sort, roar.name, roar.sort) == ("legendary", "Roar", "legendary")


def test_who_makes_an_attack_outside_of_the_action_makes_that_one() -> None:
    rows = [
        parse_feature("Claws", f"{HIT}7 (1d8 + 3) slashing damage.", "action"),
        parse_feature("Swat", "The cat makes one claw attack.", "legendary"),
        parse_feature("Snap Back", "The cat attacks with its claws.", "reaction"),
        parse_feature("Show Off", "The cat uses its Claws action.", "bonus"),
        parse_feature("Dance", "It ends if the cat rests, or makes a claw attack.", "bonus"),
        parse_feature("Ready", "The cat makes a claw attack.", "trait"),
        parse_feature("Look", "The cat makes a Wisdom check.", "legendary"),
    ]
    made = [*borrow_attacks(rows)]
    assert [row.damage for row in made] == [rows[0].damage] * 4 + [()] * 3
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


def test_brackets_in_brackets_leave_the_name_whole() -> None:
    web = parse_feature("Web (Spider Form Only; (Recharge 5-6))", "It spins.", "action")
    assert (web.name, web.recharge) == ("Web (Spider Form Only)", 5)


def test_an_attack_with_brackets_in_its_name_is_borrowed_without_them() -> None:
    bite = parse_feature("Bite (Bat Form Only)", f"{HIT}7 (1d6 + 4) piercing damage.", "action")
    text = "The vampire makes one bite attack."
    move = parse_feature("Bite (Costs 2 Actions)", text, "legendary")
    assert bite.attack is not None
    assert [row.attack for row in borrow_attacks([bite, move])] == [bite.attack, bite.attack]


@pytest.mark.parametrize(
    "text",
    [
        "The monk makes one unarmed strike.",
        "The monk moves up to its speed, then makes an unarmed strike against a creature.",
        "The monk makes a Dexterity check, and makes one unarmed strike; it has advantage.",
        "The monk makes one Unarmed Strike attack.",
    ],
)
def test_a_legendary_action_may_name_its_attack_without_the_word(text: str) -> None:
    """5e SRD 5.1, Legendary Actions: what is named is the action of that name."""
    strike = parse_feature("Unarmed Strike", f"{HIT}5 (1d6 + 2) bludgeoning damage.", "action")
    made = [*borrow_attacks([strike, parse_feature("Blow", text, "legendary")])]
    assert made[1].attack == strike.attack and made[1].damage == strike.damage


def test_who_swallows_bites_without_grappling_anew_and_a_multiattack_is_no_bite() -> None:
    """5e SRD 5.1, Remorhaz: the bite hits, and the grapple ends."""
    hit = f"{HIT}7 (1d6 + 4) piercing damage, and the target is grappled (escape DC 13)."
    swallows = "The worm makes one bite attack against a creature it is grappling. If it hits, the "
    rows = [
        parse_feature("Bite", hit, "action"),
        parse_feature("Swallow", f"{swallows}target is swallowed, and the grapple ends.", "action"),
        parse_feature("Multiattack", f"{swallows}target is eaten.", "action"),
    ]
    bite, swallow, both = borrow_attacks(rows)
    assert (swallow.attack, swallow.damage) == (bite.attack, bite.damage)
    assert (bite.inflicts != (), swallow.inflicts, both.attack) == (True, (), None)


def test_a_legendary_action_that_saves_behind_a_hit_has_the_attack_too() -> None:
    said = "The monk makes a claw attack. If it hits a creature, it must succeed on a DC 18 "
    claw = parse_feature("Claw", f"{HIT}7 (1d8 + 3) slashing damage.", "action")
    stun = parse_feature(
        "Stun", f"{said}Constitution saving throw or be stunned for 1 minute.", "legendary"
    )
    [_, made] = borrow_attacks([claw, stun])
    assert (made.attack, made.damage, made.save) == (claw.attack, claw.damage, stun.save)


def test_of_what_a_file_has_twice_the_one_with_an_attack_stays() -> None:
    bare = parse_feature("Claw", "It claws.", "action")
    rolled = replace(bare, attack=ImportedAttack(5))
    assert [*each_once([bare, rolled, bare])] == [rolled]


def test_an_attack_below_its_name_has_that_name() -> None:
    rows = [
        parse_feature("Chain", "", "action"),
        parse_feature(
            "Melee Weapon Attack", "+12 to hit, reach 15 ft. Hit: 9 (2d8) cold.", "action"
        ),
        parse_feature("Tail", "", "action"),
        parse_feature(
            "Melee Weapon Attack", "+11 to hit, reach 5 ft. Hit: 9 (2d8) cold.", "action"
        ),
    ]
    made = [(row.name, row.attack.bonus) for row in each_once(rows) if row.attack]
    assert made == [("Chain", 12), ("Tail", 11)]


@pytest.mark.parametrize("name", ["Yuan-ti Anathema", "Fen Hag"])
def test_the_name_in_a_text_may_have_a_hyphen(name: str) -> None:
    """A yuan-ti's Acid Slime: it coats itself as a bonus action."""
    called = name.split()[0].casefold()
    text = f"As a bonus action, the {called} can coat itself in slime."
    [row] = with_what_is_taken([parse_feature("Slime", text, "trait")], name)
    assert row.sort == "bonus"


def test_a_line_about_lairs_is_no_lair_action() -> None:
    first = "On initiative count 20, it can use one of its lair action options."
    about = "If a legendary creature has lair actions, it can use them in its lair."
    does = "The floor shakes: DC 13 Dexterity saving throw or fall prone."
    rows = parse_features("Lair Actions", "\n".join((first, about, does)), "trait")
    assert [row.name for row in rows if row.sort == "lair"] == ["The floor shakes"]


@pytest.mark.parametrize(
    ("text", "uses", "recharge"),
    [
        ("Recharge 5-6. The drake spits.", 0, 5),
        ("(Recharge 6) The drake spits.", 0, 6),
        ("Recharge 6: the drake spits.", 0, 6),
        ("*Recharge 4–6.* The drake spits.", 0, 4),
        ("Recharges on a 5-6. The drake spits.", 0, 5),
        ("The drake spits (Recharge 5-6).", 0, 5),
        ("The drake spits. (Recharge 6)", 0, 6),
        ("The drake spits. (1/Day)", 1, 0),
        ("3/Day. The drake spits.", 3, 0),
        ("1 / long rest. The drake spits.", 1, 0),
        ("The drake's breath has a recharge of its own.", 0, 0),
        ("The drake regains 1/2 of its HP.", 0, 0),
        ("The drake bites, and uses its Fire Breath (Recharge 5-6) if it can.", 0, 0),
        ("The drake bites, and uses its Fire Breath (Recharge 5-6).", 0, 0),
    ],
)
def test_how_often_may_stand_at_the_edge_of_the_text(text: str, uses: int, recharge: int) -> None:
    feature = parse_feature("Spit", text, "action")
    assert (feature.uses, feature.recharge) == (uses, recharge)


def test_how_often_in_the_name_counts_before_the_text() -> None:
    feature = parse_feature("Spit (Recharge 6)", "Recharge 5-6. The drake spits.", "action")
    assert (feature.name, feature.recharge, feature.uses) == ("Spit", 6, 0)
