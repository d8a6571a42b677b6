"""What dnd5e's actors have apart from their texts: distances, uses, prices, formulas."""

from __future__ import annotations

from typing import Any

import pytest

from affray.core.rules.imported_creature import (
    ImportedAttack,
    ImportedCreature,
    ImportedDamage,
    ImportedSave,
    ImportedSpell,
)
from affray.store.importers import foundry, with_acts_and_spells


def actor(*items: dict[str, Any], **more: Any) -> ImportedCreature:
    """A heron of challenge 5: PB 3, Strength +2, Dexterity +3, Intelligence +4."""
    scores = {"str": 14, "dex": 16, "con": 10, "int": 18, "wis": 10, "cha": 10}
    data = {
        "abilities": {name: {"value": score} for name, score in scores.items()},
        "attributes": {"hp": {"max": 30}, "init": {"bonus": "@prof * 2"}, "movement": {}},
        "details": {"cr": 5},
        **more,
    }
    system = {"systemId": "dnd5e"}
    row = {"name": "Heron", "type": "npc", "_stats": system, "system": data, "items": [*items]}
    [made] = with_acts_and_spells(foundry.import_data(row)).creatures
    return made


def item(name: str, text: str = "", **fields: Any) -> dict[str, Any]:
    kind = fields.pop("kind", "feat")
    return {"name": name, "type": kind, "system": {"description": {"value": text}, **fields}}


def weapon(properties: list[str], distances: dict[str, Any], **attack: Any) -> ImportedCreature:
    row = {"type": "attack", "attack": attack, "damage": {"includeBase": True}}
    base = {"number": 1, "denomination": 6, "types": ["piercing"]}
    return actor(
        item(
            "Beak", kind="weapon", range=distances, properties=properties,
            damage={"base": base}, activities={"a": row},
        )
    )  # fmt: skip


def test_a_bow_has_its_long_range() -> None:
    [beak] = weapon([], {"value": 80, "long": 320}, type={"value": "ranged"}).features
    assert beak.attack == ImportedAttack(6, reach="ranged", feet=80, long=320)


def test_what_is_thrown_reaches_as_well() -> None:
    [beak] = weapon(["thr"], {"value": 30, "long": 120}, type={"value": "melee"}).features
    assert beak.attack == ImportedAttack(5, reach="both", feet=5, far=30, long=120)


def test_a_bonus_may_have_no_ability_in_it() -> None:
    said = {"ability": "none", "bonus": "@abilities.int.mod", "type": {"value": "melee"}}
    [beak] = weapon([], {"reach": 5}, **said).features
    assert beak.attack == ImportedAttack(7, feet=5)  # 4 and PB
    assert beak.damage == (ImportedDamage("1d6", "piercing"),)


ODD: dict[str, Any] = {
    "traits": {"traits": {"size": "med", "dr": ["fire"]}},
    "skills": {"skills": {"ath": 5, "ste": {"value": 1, "ability": "dex"}}},
    "movement": {"attributes": {"hp": {"max": 30}, "movement": "fly 60 ft."}},
}


@pytest.mark.parametrize(
    ("which", "field", "words"),
    [
        ("traits", "traits.dr", "fire"),
        ("skills", "skills.ath", "5"),
        ("movement", "attributes.movement", "fly 60 ft."),
    ],
)
def test_a_field_of_another_shape_costs_that_field_alone(
    which: str, field: str, words: str
) -> None:
    made, whole = actor(**ODD[which]), actor()
    assert made.in_words == {f"{field}: unread field": words}
    assert (made.hp, made.abilities, made.level) == (30, whole.abilities, whole.level)
    assert made.size == ("medium" if which == "traits" else "")
    assert made.skills == ({"stealth": 6} if which == "skills" else {})


def test_a_null_is_no_other_shape() -> None:
    assert actor(traits=None, skills={"ath": None}).in_words == {}


def test_initiative_may_be_a_product() -> None:
    assert actor().initiative == 9  # 3 and twice PB


def test_a_legendary_action_has_its_price() -> None:
    row = {"type": "utility", "activation": {"type": "legendary", "value": 2}}
    [made] = actor(item("Stalk", "It stalks.", activities={"a": row})).features
    assert (made.sort, made.cost) == ("legendary", 2)


def test_legendary_resistance_has_the_uses_that_stand_apart() -> None:
    made = actor(item("Legendary Resistance", "It succeeds."), resources={"legres": {"max": 4}})
    assert [(row.uses, row.per) for row in made.features] == [(4, "day")]


def test_of_breaths_in_one_text_each_is_one_and_they_share_the_recharge() -> None:
    text = (
        "<p>It uses one of the following breaths.</p><p>Fog Breath. Each creature near makes a DC "
        "13 Dexterity saving throw.</p><p>Rime Breath. Each creature near makes a DC 13 "
        "Constitution saving throw.</p>"
    )
    uses = {"max": "1", "recovery": [{"period": "recharge", "formula": "5"}]}
    made = actor(item("Breaths", text, uses=uses)).features
    assert [(row.name, row.recharge, row.pool) for row in made] == [
        ("Fog Breath", 5, "Breaths"),
        ("Rime Breath", 5, "Breaths"),
    ]


def test_what_a_mark_says_is_not_said_again() -> None:
    row = {"type": "save", "save": {"ability": ["con"], "dc": {"formula": "14"}}}
    text = "It makes a [[/save]] saving throw. [[lookup @resources.legact.label]] It sings."
    [made] = actor(item("Song", text, activities={"a": row})).features
    assert made.text == "It makes a DC 14 Constitution saving throw. It sings."


def test_a_dc_that_is_computed_stands_before_a_formula_that_is_left_over() -> None:
    save = {"ability": ["con"], "dc": {"calculation": "dex", "formula": "2"}}
    [made] = actor(item("Gust", "", activities={"a": {"type": "save", "save": save}})).features
    assert made.save == ImportedSave("con", 14)  # 8, PB 3 and Dexterity 3


def test_a_range_that_is_not_overridden_is_the_weapons_own() -> None:
    row = {"type": "attack", "attack": {}, "range": {"value": "5", "override": False}}
    bow = item("Bow", kind="weapon", range={"value": 80, "long": 320}, activities={"a": row})
    [made] = actor(bow).features
    assert made.attack == ImportedAttack(6, reach="ranged", feet=80, long=320)


def test_what_is_healed_stands_in_the_text() -> None:
    healing = {"number": 3, "denomination": 6, "types": ["temphp"]}
    row = {"type": "heal", "healing": healing}
    [made] = actor(
        item("Ward", "It gains [[/healing average temp]].", activities={"a": row})
    ).features
    assert made.text == "It gains 10 (3d6) temporary hit points."


def test_a_spell_that_an_activity_casts_is_named() -> None:
    spell = item("Ice Knife", kind="spell", flags={})
    spell["flags"] = {"dnd5e": {"cachedFor": ".Item.i1.Activity.a1"}}
    casting = {**item("Spellcasting"), "_id": "i1"}
    made = actor(casting, spell, item("Chill", "It casts [[/item .i1.Activity.a1]].")).features
    assert made[-1].text == "It casts Ice Knife."


def cast_of(
    row: dict[str, Any], uses: dict[str, Any], *more: dict[str, Any]
) -> list[ImportedSpell]:
    """The spells that an item casts by its activities, of which `row` is the first."""
    activities = {"a1": {"type": "cast", **row}, **{f"b{n}": m for n, m in enumerate(more)}}
    casting = {**item("Mist Gift", "It casts.", uses=uses, activities=activities), "_id": "i1"}
    spell = item("Fog Cloud", kind="spell", level=1, preparation={"mode": "prepared"})
    spell["flags"] = {"dnd5e": {"cachedFor": ".Item.i1.Activity.a1"}}
    casts = actor(casting, spell, spells={"spell1": {"override": 3}}).casts
    assert casts is not None
    return [*casts.spells]


TWICE = {"max": "2", "recovery": [{"period": "lr"}]}
AGAIN = {"max": "1", "recovery": [{"period": "recharge", "formula": "5"}]}


@pytest.mark.parametrize(
    ("row", "uses", "spell"),
    [
        ({}, {}, ImportedSpell("Fog Cloud", 1)),
        ({"spell": {"level": 3}}, {}, ImportedSpell("Fog Cloud", 1, raised=3)),
        ({"uses": TWICE}, {}, ImportedSpell("Fog Cloud", 1, uses=2)),
        ({}, TWICE, ImportedSpell("Fog Cloud", 1, uses=2)),
        ({"activation": {"type": "bonus"}}, {}, ImportedSpell("Fog Cloud", 1, takes="bonus")),
        ({}, AGAIN, ImportedSpell("Fog Cloud", 1, note="recharge 5")),
        (
            {"spell": {"challenge": {"save": 15, "override": True}}},
            {},
            ImportedSpell("Fog Cloud", 1, note="DC 15"),
        ),
    ],
)
def test_a_spell_cast_by_an_item_has_its_level_recharge_and_uses(
    row: dict[str, Any], uses: dict[str, Any], spell: ImportedSpell
) -> None:
    """Foundry's dnd5e from version 4 on: `cachedFor` names the activity; no slot is spent."""
    assert cast_of(row, uses) == [spell]


def test_spells_that_share_an_items_uses_say_so() -> None:
    [spell] = cast_of({}, TWICE, {"type": "cast"})
    assert (spell.uses, spell.note) == (2, "Mist Gift shares the uses")


@pytest.mark.parametrize("passes", [["mgc"], ["ada", "mgc"]])
def test_what_only_magical_weapons_pass_is_all_mundane_damage(passes: list[str]) -> None:
    weapons = {"value": ["acid", "bludgeoning", "piercing", "slashing"], "bypasses": passes}
    assert actor(traits={"di": weapons}).immune == ("acid", "mundane")


def attacked(properties: list[str], kind: str, base: dict[str, Any], **more: Any) -> Any:
    """A heron's attack and its damage, with a weapon of a sort."""
    fields = {"type": {"value": kind}, **more}
    row = {"type": "attack", "attack": {"type": {"value": ""}}, "damage": {"includeBase": True}}
    things = {"properties": properties, "damage": {"base": base}, "activities": {"a": row}}
    [made] = actor(item("Beak", kind="weapon", **things, **fields)).features
    return made


D6 = {"number": 1, "denomination": 6, "types": ["piercing"]}


@pytest.mark.parametrize(
    ("kind", "fields", "bonus", "dice"),
    [
        ("natural", {}, 6, "1d6+3"),  # the better of Strength 2 and Dexterity 3
        ("simpleM", {}, 5, "1d6+2"),
        ("martialR", {}, 6, "1d6+3"),
        ("simpleM", {"proficient": 0}, 2, "1d6+2"),
        ("simpleM", {"magicalBonus": 1}, 6, "1d6+3"),
    ],
)
def test_what_a_weapon_is_rolled_with(
    kind: str, fields: dict[str, Any], bonus: int, dice: str
) -> None:
    beak = attacked([], kind, D6, **fields)
    assert (beak.attack.bonus, beak.damage) == (bonus, (ImportedDamage(dice, "piercing"),))


@pytest.mark.parametrize(
    ("base", "dice"),
    [
        ({"custom": {"enabled": True, "formula": "1"}}, "1"),
        ({"denomination": 0, "bonus": "1"}, "1"),
        ({"number": 1, "denomination": 4, "custom": {"enabled": True, "formula": ""}}, "1d4+2"),
        ({"number": 1, "denomination": 4, "bonus": "1"}, "1d4+3"),
    ],
)
def test_damage_may_be_a_number_or_a_formula(base: dict[str, Any], dice: str) -> None:
    beak = attacked([], "simpleM", {**base, "types": ["piercing"]})
    assert beak.damage == (ImportedDamage(dice, "piercing"),)


def test_a_thrown_weapons_text_says_both_distances() -> None:
    fields = {"range": {"value": 30, "long": 120}, "description": {"value": "[[/attack extended]]"}}
    beak = attacked(["thr"], "simpleM", D6, **fields)
    assert beak.attack == ImportedAttack(5, reach="both", feet=5, far=30, long=120)
    assert "reach 5 ft. or range 30/120 ft" in beak.text


def test_what_an_actor_adds_to_its_attacks_and_dcs_counts() -> None:
    more = {"mwak": {"attack": "1", "damage": ""}, "spell": {"dc": "2"}}
    row = {"type": "attack", "attack": {"type": {"value": "melee"}}}
    save = {"ability": ["con"], "dc": {"calculation": "int"}}
    made = actor(
        item("Beak", kind="weapon", activities={"a": row}),
        item("Gust", activities={"a": {"type": "save", "save": save}}),
        bonuses=more,
    )
    beak, gust = made.features
    assert beak.attack == ImportedAttack(6, feet=5)
    assert gust.save == ImportedSave("con", 17)  # 8, PB 3, Intelligence 4, and 2


@pytest.mark.parametrize(
    ("said", "dc"),
    [
        (
            {"calculation": "", "formula": "8 + @mod + @prof"},
            14,
        ),  # by Dexterity, which is saved with
        ({"calculation": "initial", "formula": ""}, 11),
        ({"calculation": "", "formula": "max(12, 10)"}, 12),
    ],
)
def test_a_dc_that_names_no_ability_goes_by_that_of_the_save(said: dict[str, Any], dc: int) -> None:
    save = {"ability": ["dex"], "dc": said}
    [made] = actor(item("Gust", activities={"a": {"type": "save", "save": save}})).features
    assert made.save == ImportedSave("dex", dc)


def test_what_a_save_brings_is_read_where_its_dc_stands_apart() -> None:
    text = (
        "Constitution Saving Throw: DC is your spell save DC. Failure: 7 (2d6) cold damage, and "
        "the target has the Poisoned condition. Success: Half damage."
    )
    save = {"ability": ["con"], "dc": {"calculation": "int"}}
    [made] = actor(item("Gust", text, activities={"a": {"type": "save", "save": save}})).features
    assert made.save == ImportedSave("con", 15, half=True)
    assert made.failed == (ImportedDamage("2d6", "cold"),)
    assert [row.condition for row in made.binds] == ["poisoned"]


def test_abilities_of_a_thing_are_nothing() -> None:
    made = actor(
        abilities={name: {"value": 0} for name in ("str", "dex", "con", "int", "wis", "cha")},
        attributes={"hp": {"max": 10}, "ac": {"calc": "flat", "flat": 0}, "movement": {}},
    )
    assert (made.abilities["str"], made.ac, made.initiative) == (0, 0, -5)


def worn(kind: str, value: int, **more: Any) -> dict[str, Any]:
    armour = {"value": value, **more.pop("armor", {})}
    fields = {"equipped": True, "type": {"value": kind}, "armor": armour, **more}
    return item("Mail", kind="equipment", **fields)


@pytest.mark.parametrize(
    ("said", "items", "armour_class"),
    [
        ({"calc": "flat", "flat": 15}, [worn("shield", 2)], 15),
        ({"calc": "natural", "flat": 15}, [worn("shield", 2)], 17),
        ({"calc": "default", "flat": None}, [], 13),
        ({"calc": "default", "flat": 17}, [], 17),
        ({"calc": "default", "flat": None, "value": 16, "min": 0}, [], 16),  # as worlds keep it
        ({"calc": "default", "flat": 12}, [worn("medium", 14, armor={"dex": 2})], 16),
        ({"calc": "default"}, [worn("medium", 15, armor={"dex": 0})], 15),
        ({"calc": "default"}, [worn("heavy", 18), worn("shield", 2)], 20),
        ({"calc": "default"}, [worn("light", 11, equipped=False)], 13),
        ({"calc": "mage"}, [worn("shield", 2)], 18),
        ({"calc": "unarmoredMonk"}, [], 13),
        ({"calc": "custom", "formula": "12 + @abilities.int.mod"}, [], 16),
        ({"value": 14, "min": 0}, [], 14),  # as versions before 1.4 had it
        (
            {"calc": "default"},
            [worn("light", 11, armor={"magicalBonus": 1}, properties=["mgc"])],
            15,
        ),
    ],
)
def test_each_way_to_count_an_armour_class(
    said: dict[str, Any], items: list[dict[str, Any]], armour_class: int
) -> None:
    fields = {"attributes": {"hp": {"max": 30}, "ac": said, "movement": {}}}
    assert actor(*items, **fields).ac == armour_class


def test_what_a_save_has_besides_counts() -> None:
    scores = {"con": {"value": 14, "proficient": 1, "bonuses": {"save": "1"}}}
    made = actor(abilities=scores, bonuses={"abilities": {"save": "+1"}})
    assert made.saves["con"] == 7  # 2, PB 3, 1 and 1


def test_one_that_has_no_challenge_is_as_good_as_its_summoner() -> None:
    row = {"type": "attack", "attack": {"type": {"value": "melee"}}}
    scores = {"str": {"value": 14}}
    made = actor(
        item("Beak", kind="weapon", activities={"a": row}), details={"cr": None}, abilities=scores
    )
    assert made.features[0].attack == ImportedAttack(2, feet=5)


def test_uses_may_be_a_formula_and_stand_with_the_activity() -> None:
    row = {"type": "utility", "uses": {"max": "@prof", "recovery": [{"period": "lr"}]}}
    [made] = actor(item("Call", "It calls.", activities={"a": row})).features
    assert (made.uses, made.per) == (3, "day")
    uses = {"max": "max(1, @abilities.int.mod)", "recovery": [{"period": "sr"}]}
    [made] = actor(item("Call", "It calls.", uses=uses)).features
    assert (made.uses, made.per) == (4, "rest")


# -- as versions before 4.0 had items, and those before 10 of Foundry actors ----------------------


def test_an_older_weapon_has_its_attack_and_its_save() -> None:
    fields = {
        "actionType": "mwak",
        "activation": {"type": "action", "cost": 1},
        "ability": "",
        "attackBonus": "1",
        "weaponType": "natural",
        "properties": {"fin": True, "thr": False},
        "range": {"value": 10, "long": None, "units": "ft"},
        "damage": {"parts": [["1d6 + @mod", "piercing"], ["1d4", "poison"]], "versatile": ""},
        "formula": "2d6",
        "save": {"ability": "con", "dc": 13, "scaling": "flat"},
    }
    [beak] = actor(item("Beak", kind="weapon", **fields)).features
    assert beak.attack == ImportedAttack(7, feet=10)
    assert beak.damage == (ImportedDamage("1d6+3", "piercing"), ImportedDamage("1d4", "poison"))
    assert (beak.sort, beak.save) == ("action", ImportedSave("con", 13, half=True))
    assert beak.failed == (ImportedDamage("2d6"),)


def test_a_recharge_in_the_text_stands_before_its_fields() -> None:
    text = "<p><strong>Salvo (Recharge 4-6)</strong>. The thing fires.</p>"
    use = {"activation": {"type": "action", "cost": 1}, "recharge": {"value": 5, "charged": True}}
    [salvo] = actor(item("Salvo", text, **use)).features
    assert salvo.recharge == 4


def test_an_older_breath_has_its_dc_its_damage_and_its_recharge() -> None:
    text = "Each creature near makes a saving throw, taking fire damage, or half on a success."
    fields = {
        "actionType": "save",
        "activation": {"type": "action", "cost": 1},
        "damage": {"parts": [["6d6", "fire"]]},
        "save": {"ability": "dex", "dc": None, "scaling": "int"},
        "recharge": {"value": 5, "charged": True},
    }
    [breath] = actor(item("Breath", text, **fields)).features
    assert breath.save == ImportedSave("dex", 15, half=True)
    assert (breath.failed, breath.recharge) == ((ImportedDamage("6d6", "fire"),), 5)


def test_an_older_legendary_action_has_its_price_and_its_uses() -> None:
    fields = {
        "actionType": "util",
        "activation": {"type": "legendary", "cost": 2},
        "uses": {"value": 1, "max": 1, "per": "day"},
    }
    [made] = actor(item("Stalk", "It stalks.", **fields)).features
    assert (made.sort, made.cost, made.uses, made.per) == ("legendary", 2, 1, "day")


@pytest.mark.parametrize(
    ("text", "shown"), [("", "It can take 3 legendary actions."), ("2.", "2.")]
)
def test_legendary_actions_that_are_an_item_are_told_once(text: str, shown: str) -> None:
    row = {
        "name": "Wyrm",
        "type": "npc",
        "system": {
            "abilities": {"str": {"value": 14}},
            "attributes": {"hp": {"max": 30, "value": 30}, "ac": {"flat": 14}},
            "resources": {"legact": {"max": 3}},
        },
        "items": [item("Legendary Actions", text)],
    }
    [wyrm] = foundry.import_data(row).creatures
    assert [(each.name, each.text) for each in wyrm.features] == [("Legendary Actions", shown)]


def test_an_actor_of_before_version_10_is_read() -> None:
    bite = {"name": "Bite", "type": "weapon", "data": {"actionType": "mwak", "ability": "str"}}
    attributes = {"hp": {"max": 30, "value": 30}, "ac": {"value": 14}}
    data = {"abilities": {"str": {"value": 14}}, "attributes": attributes, "details": {"cr": 5}}
    row = {"name": "Heron", "type": "npc", "data": data, "items": [bite]}
    assert foundry.matches(row)
    [made] = with_acts_and_spells(foundry.import_data(row)).creatures
    assert (made.hp, made.ac) == (30, 14)
    assert made.features[0].attack == ImportedAttack(5, feet=5)


@pytest.mark.parametrize(
    "row",
    [
        {"value": ["fire", "physical", "custom"]},
        {"value": ["fire"],
         "custom": "Bludgeoning, Piercing, and Slashing from Nonmagical Attacks"},
    ],
)  # fmt: skip
def test_older_actors_say_in_words_what_mundane_damage_is(row: dict[str, Any]) -> None:
    assert actor(traits={"dr": row}).resist == ("fire", "mundane")


def test_a_breath_of_a_heading_that_is_an_item_as_well_comes_once() -> None:
    fog = "Fog Breath. Each creature near makes a DC 13 Dexterity saving throw."
    rime = "Rime Breath. Each creature near makes a DC 13 Constitution saving throw."
    text = f"<p>It uses one of the following breaths.</p><p>{fog}</p><p>{rime}</p>"
    use = {"activation": {"type": "action", "cost": 1}}
    made = actor(
        item("Breaths", text, recharge={"value": 5}, **use),
        item("Fog Breath", fog, recharge={"value": None}, **use),
        item("Rime Breath", rime, recharge={"value": None}, **use),
    ).features
    assert [(row.name, row.recharge, row.pool) for row in made] == [
        ("Fog Breath", 5, "Breaths"),
        ("Rime Breath", 5, "Breaths"),
    ]


def test_an_actor_of_before_version_1_2_says_speeds_and_senses_in_words() -> None:
    """`attributes.speed` had a text for what walks and one for the rest, `traits.senses` one."""
    life = {"hp": {"value": 9, "max": 9}, "speed": {"value": "30 ft.", "special": "Fly 60 ft."}}
    system = {
        "attributes": life,
        "traits": {"senses": "Darkvision 60 ft., Blindsight 10 ft."},
        "details": {"type": "Beast", "alignment": "unaligned"},
    }
    old = {"name": "Hawk", "type": "npc", "data": system, "items": []}
    [hawk] = with_acts_and_spells(foundry.import_data(old)).creatures
    assert (hawk.speeds, hawk.type) == ({"walk": 30, "fly": 60}, "Beast, unaligned")
    assert hawk.senses == {"darkvision": 60, "blindsight": 10}
    life["speed"] = {"value": "Walk 10 ft. Fly 70 ft. (hover)", "special": ""}
    [hawk] = with_acts_and_spells(foundry.import_data(old)).creatures
    assert (hawk.speeds, hawk.hover) == ({"walk": 10, "fly": 70}, True)


def test_a_trait_whose_text_speaks_of_no_roll_has_none() -> None:
    """Sheets of older versions give every feature a kind of attack and a save."""
    rolls = {"actionType": "msak", "save": {"ability": "dex", "dc": 10, "scaling": "flat"},
             "damage": {"parts": [["1d6", "psychic"]]}}  # fmt: skip
    rolls["activation"] = {"type": "", "cost": None}
    made = actor(item("Night Eyes", "In bright light it takes 3 (1d6) psychic damage.", **rolls))
    assert (made.features[0].attack, made.features[0].save) == (None, None)
    made = actor(item("Night Eyes", "Who touches it makes a saving throw.", **rolls))
    assert made.features[0].save is not None


def test_speeds_that_and_joins_are_several() -> None:
    life = {"hp": {"max": 9}, "speed": {"value": "30 ft.", "special": "40 ft. and Climb 20 ft."}}
    assert actor(attributes=life).speeds == {"walk": 30, "climb": 20}


@pytest.mark.parametrize(
    ("reference", "word"),
    [
        ("@condition[poisoned]", "poisoned"), ("@item[acid|PHB|poisoned]", "poisoned"),
        ("@UUID[Compendium.dnd5e.rules.x7]{poisoned}", "poisoned"),
        ("poisoned@UUID[Compendium.dnd5e.rules.x7]", "poisoned"),
    ],
)  # fmt: skip
def test_a_reference_without_a_label_is_its_name(reference: str, word: str) -> None:
    text = f"Each foe must succeed on a DC 12 Constitution saving throw or be {reference}."
    [row] = actor(item("Reek", text, activation={"type": "action"})).features
    assert row.text.endswith(f"or be {word}.")
    assert [each.condition for each in row.binds] == ["poisoned"]


def test_a_link_without_a_label_is_the_item_that_it_names() -> None:
    told = "Its spell save DC is 13. At will: @UUID[Actor.a1.Item.b2], @UUID[.Item.b2]{Fog}"
    fog = {"_id": "b2", "name": "Fog Cloud", "type": "spell", "system": {"level": 1}}
    [row] = actor(item("Spellcasting", told), fog).features
    assert row.text.endswith("At will: Fog Cloud, Fog")
