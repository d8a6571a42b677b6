"""What is worn, wielded and carried; what is known. Monsters & Magic, Armor Class to Loadout."""

from __future__ import annotations

import pytest
from tests.played import rules_said
from tests.rulesets.monsters_and_magic.conftest import Fight

from affray.core.engine.decide import complete

ANA = (
    'add pc Ana hp 30 power 1 cunning 2 focus 0 luck 1 spell 2 pb 2 armor "mail coat" medium ac 3'
    " weight 3 armor buckler shield ac 1 attack axe 1d8 slashing kind martial weight 1"
    " attack bow 1d8 piercing ranged two-handed weight 1 attack maul 2d6 bludgeoning weight 2"
    " attack fist 1d4 bludgeoning natural attack staff focus two-handed kind foci"
    " attack spark 1d6 lightning spell ranged proficient medium,shield,martial"
    " loadout axe buckler loadout bow item potion x4 hand 2 item rope weight 2"
    ' item horn kept hand 1 text "All in the valley hear it." item scroll ap 2 hand 1'
    " spells spark charm far 1 charm wide 2 talent knots 1 talent maps expertise"
)
OTHERS = (
    "add pc Odo hp 20 cunning 1 item pin",
    "add pc Mira hp 20",
    "add monster Ghoul cr 2 hp 60 ac 0",
)
ORDER = ("init ana 20", "init odo 15", "init mira 12", "init ghoul 3")


def fight(*lines: str) -> Fight:
    """Ana is up; Odo has a pin, Mira's sheet says nothing of gear."""
    return Fight(ANA, *OTHERS, *ORDER, "start", *lines)


def noted(played: Fight) -> list[str]:
    return rules_said(played.events, played.state)


def items(played: Fight, who: str = "ana") -> dict[str, tuple[int, int]]:
    """How many there are, and how many at hand."""
    rows = played[who].stats["items"]
    return {row["name"]: (row.get("count", 1), row.get("hand", 0)) for row in rows}


def hand(played: Fight, who: str = "ana") -> str:
    """The loadout in hand."""
    rows = played[who].stats["loadouts"]
    return next((row["primary"] for row in rows if row.get("drawn")), "")


# -- armour ----------------------------------------------------------------------------------------


def test_ac_comes_of_armour_cunning_and_the_shield_in_hand() -> None:
    """Monsters & Magic, Armor Class: armour; CUNNING unarmoured, in light or medium armour."""
    played = fight()
    assert played.why("ana", "ac") == [(3, "mail coat"), (1, "buckler"), (2, "CUNNING")]
    played.do("draw 0")
    assert played.why("ana", "ac") == [(3, "mail coat"), (2, "CUNNING")]
    assert played.total("ana", "ac") == 5


@pytest.mark.parametrize(
    ("armour", "ac"),
    [("none", 2), ("robe none", 2), ("hide light ac 1", 3), ("plate heavy ac 5", 5)],
)
def test_each_kind_of_armour_adds_cunning_or_not(armour: str, ac: int) -> None:
    """Monsters & Magic, Armor Class; Abilities, Cunning."""
    assert Fight(f"add pc Nan hp 9 cunning 2 armor {armour}").total("nan", "ac") == ac


def test_an_ac_of_ones_own_counts_beside_armour() -> None:
    """Monsters & Magic, Armor Class. What a feat or a hide gives stands on the sheet as `ac`."""
    played = Fight("add pc Nan hp 9 ac 1 cunning 2 armor hide light ac 1")
    assert played.why("nan", "ac") == [(1, "own AC"), (1, "hide"), (2, "CUNNING")]


def test_without_armour_on_the_sheet_the_ac_is_what_it_says() -> None:
    """A sheet as before: CUNNING is in the number."""
    assert Fight("add pc Nan hp 9 ac 4 cunning 2").why("nan", "ac") == [(4, "own AC")]


def test_unproficient_armour_is_halved_and_hinders_every_check_once() -> None:
    """Monsters & Magic, Equipment Proficiencies: halved, and −2 ongoing to all ability checks."""
    played = Fight(
        "add pc Nan hp 20 cunning 1 armor scale medium ac 3 armor pavise shield ac 3"
        " proficient light"
    )
    told = ", half without proficiency"
    parts = [(1, f"scale{told}"), (1, f"pavise{told}"), (1, "CUNNING")]
    assert played.why("nan", "ac") == parts
    assert played.why("nan", "check") == [(-2, "no proficiency with scale and pavise")]
    played.do("check nan power save natural 12")
    assert (played.rolled.total, played.outcome) == (10, "weak")
    slot = played.do("init nan natural 12").state.slot("nan")
    assert slot is not None and slot.initiative == 11


def test_who_puts_on_armour_takes_off_what_they_wore() -> None:
    """Monsters & Magic, Armor Class."""
    played = fight("gear ana armor plate heavy ac 6 weight 2")
    assert played.why("ana", "ac") == [(3, "plate, half without proficiency"), (1, "buckler")]
    assert played.do("drop ana plate").why("ana", "ac") == [(1, "buckler"), (2, "CUNNING")]


def test_a_weapon_without_proficiency_adds_no_pb_nor_does_a_spell_by_such_a_focus() -> None:
    """Monsters & Magic, Equipment Proficiencies: the weapon or focus you're wielding."""
    played = fight("strike ghoul natural 10 5", "cast spark at ghoul natural 10 5")
    assert played.rolled.total == 14
    played = fight("end", "rest short", "loadout ana 2 staff", "draw 0 by ana", "draw 2 by ana")
    assert played.do("cast spark at ghoul natural 10 5 by ana").rolled.total == 12
    assert played.do("gear ana proficient foci").do("undo").why("ana", "check") == []
    played.do("gear ana proficient foci", "cast spark at ghoul natural 10 5 by ana")
    assert played.rolled.total == 14


# -- load ------------------------------------------------------------------------------------------


def test_everything_on_the_sheet_weighs() -> None:
    """Monsters & Magic, Weight & Carrying Capacity."""
    played = fight(
        "gear ana item pin x25 weight light item pack weight -1", "gear ana item coin x2"
    )
    assert played.why("ana", "load") == [
        (3, "mail coat"),
        (1, "axe"),
        (1, "bow"),
        (2, "maul"),
        (2, "rope"),
        (-1, "pack"),
        (2, "25 light things"),
    ]
    assert played.why("ana", "capacity") == [(10, "everybody's"), (2, "twice POWER")]


def test_the_encumbered_are_slow_and_have_less_on_every_roll() -> None:
    """Monsters & Magic, Weight & Carrying Capacity: half speed, −1 ongoing to all rolls."""
    played = fight("gear ana item anvil weight 4")
    assert "encumbered" in played.effects("ana")
    assert (played.total("ana", "speed"), played.total("ana", "check")) == (15, -1)
    played.do("strike ghoul strong with axe", faces=[5])
    assert played.track("ghoul", "hp") == 60 - (5 + 1 - 1)
    assert played.do("set ana power 2").effects("ana") == set()


def test_nobody_is_handed_more_than_they_can_carry() -> None:
    """Monsters & Magic, Weight & Carrying Capacity: never more than the capacity +3."""
    played = fight("gear odo item anvil weight 12", "retrieve rope")
    played.refuses("use rope to odo", "Odo would carry 4 beyond the capacity, and 3 is the most")


def test_a_beast_of_burden_carries_by_its_challenge_rating() -> None:
    """Monsters & Magic, Abilities: monsters gain a flat bonus equal to their challenge rating."""
    played = Fight("add monster Mule cr 2 hp 20 item sack weight 15")
    assert (played.total("mule", "capacity"), played.effects("mule")) == (14, {"encumbered"})


def test_a_job_earns_gold_that_weighs() -> None:
    """Monsters & Magic, Extended Rest, Get a Job; Weight & Carrying Capacity."""
    played = Fight("add pc Nan hp 9 gold 990", "rest extended", "rest nan job 10")
    assert (played["nan"].stats["gold"], played.total("nan", "load")) == (1000, 1)


# -- hands -----------------------------------------------------------------------------------------


def test_what_is_in_no_hand_is_not_attacked_with() -> None:
    """Monsters & Magic, Basic Techniques, Strike: an equipped weapon."""
    played = fight("strike ghoul natural 10 1 with fist")
    played.refuses("strike ghoul strong 5 with bow", "Ana has axe and fist in hand")
    played = fight("retrieve swap")
    played.refuses("strike ghoul strong 5 with axe", "Ana has bow and fist in hand")
    played.do("strike ghoul strong 5")
    assert list(played.ruleset.actions.weapons(played["ana"])) == ["bow", "fist", "spark"]


def test_a_weapon_of_no_loadout_is_retrieved_and_let_go_by_the_swap() -> None:
    """Monsters & Magic, Loadout; Basic Techniques, Retrieve Item."""
    played = fight("retrieve maul")
    assert played.fatigue("ana") == (1, 0)
    played.do("strike ghoul strong 5 with maul", "next", "next", "next", "next", "retrieve swap")
    played.refuses("strike ghoul strong 5 with maul", "Ana has bow and fist in hand")


def test_with_empty_hands_a_loadout_is_drawn_as_part_of_the_attack() -> None:
    """Monsters & Magic, Loadout: drawn as part of a technique, with no weapons equipped."""
    played = fight("draw 0", "strike ghoul strong 5")
    assert (hand(played), played.track("ana", "ap")) == ("axe", 2)
    assert "Ana has axe and buckler in hand" in noted(played)
    played = fight("draw 0", "next", "react opportunity-attack ghoul strong 5 by ana")
    assert hand(played) == "axe"
    played.refuses("draw 2 by ana", "`retrieve swap` changes them")
    played.refuses("draw 3 by odo", "Odo has no weapon loadout 3")


def test_an_opportunity_attack_wants_a_melee_weapon_in_hand() -> None:
    """Monsters & Magic, Opportunity Attack: your equipped melee weapon."""
    played = fight("retrieve swap", "next")
    played.do("react opportunity-attack ghoul strong 5 by ana")  # with the fist
    played = fight("drop ana fist", "retrieve swap", "next")
    played.refuses("react opportunity-attack ghoul strong 5 with axe by ana", "in hand")


def test_a_thing_and_small_ones_come_to_hand_together() -> None:
    """Monsters & Magic, Basic Techniques, Retrieve Item: as many small items as CUNNING."""
    played = fight("end", "rest short", "loadout ana hand scroll", "retrieve rope potion x2 by ana")
    assert items(played)["potion"] == (4, 2)
    assert played["ana"].stats["held"] == [{"name": "rope"}]
    assert played.do("use rope by ana")["ana"].stats["held"] == []
    played.refuses("retrieve horn potion x3 by ana", "brings 2 small things along")
    played.refuses("retrieve horn maul by ana", "expected something small and stowed, found 'maul'")
    played.refuses("retrieve fog by ana", "expected something stowed, found 'fog'")


def test_what_lies_close_by_is_picked_up() -> None:
    """Monsters & Magic, Basic Techniques, Retrieve Item: within close range."""
    played = Fight("add pc Nan hp 20 cunning 1 item pin", "retrieve lamp nearby by nan")
    assert items(played, "nan") == {"pin": (1, 0), "lamp": (1, 1)}


def test_what_is_used_is_gone_unless_it_is_kept_and_tells_what_it_does() -> None:
    """Monsters & Magic, Basic Techniques, Use Item."""
    played = fight("use horn")
    assert (items(played)["horn"], noted(played)) == ((1, 1), ["Ana: All in the valley hear it."])
    played = fight("use potion", "next", "next", "next", "next", "use potion")
    assert items(played)["potion"] == (2, 0)
    played.refuses("use potion", "potion is stowed: `retrieve potion` brings it to hand")


def test_an_item_is_handed_over_or_given_to_the_unconscious() -> None:
    """Monsters & Magic, Basic Techniques, Use Item: hand it over, or administer it."""
    played = fight("use potion to odo")
    assert (items(played)["potion"], items(played, "odo")["potion"]) == ((3, 1), (1, 1))
    played = fight("inflict odo unconscious", "use potion on odo")
    assert (items(played)["potion"], "potion" in items(played, "odo")) == ((3, 1), False)
    assert "items" not in fight("use potion to mira")["mira"].stats
    fight().refuses("use potion to ana", "can't hand a thing to themself")


def test_what_is_readied_costs_what_the_item_does() -> None:
    """Monsters & Magic, Basic Techniques, Use Item: an AP cost of its own; Ready an Action."""
    played = fight("ready use scroll", "next", "trigger by ana")
    assert (played.track("ana", "ap"), "scroll" in items(played)) == (1, False)


def test_loadouts_change_in_rests_alone() -> None:
    """Monsters & Magic, Rest & Recovery: each rest has time to swap items in one's loadout."""
    played = fight()
    refused = "Ana's loadout can be changed only in a rest"
    played.refuses("loadout ana 2 maul", refused)
    played.do("end").refuses("loadout ana hand potion", refused)
    played.do("rest short", "loadout ana 2 maul", "loadout ana hand potion x3")
    assert items(played)["potion"] == (4, 3) and items(played)["scroll"] == (1, 0)
    played.refuses("loadout ana hand potion x9", "there are 4 of potion, not 9")
    played.refuses("loadout ana 2 club", "no weapon, focus or shield called 'club' on")
    played.refuses("loadout ana 1 bow buckler", "bow takes both hands")
    played.refuses("loadout ana 1 buckler", "buckler is a shield")
    played.refuses("loadout ana hand rope", "rope is no small thing")


def test_a_third_loadout_is_refused() -> None:
    """Monsters & Magic, Loadout: two weapon loadouts."""
    line = "add pc Nan hp 9 attack axe 1d6 loadout axe loadout axe loadout axe"
    Fight().refuses(line, "has 2 weapon loadouts at most")
    Fight("add pc Nan hp 9 attack axe 1d6 loadout axe").refuses(
        "retrieve swap by nan", "Nan has no other weapon loadout to swap for"
    )


def test_whose_sheet_says_nothing_of_items_is_asked_nothing() -> None:
    """As fights were played before sheets had gear."""
    played = fight("next", "next", "use healing_draught", "undo", "retrieve swap")
    assert played.refuses("retrieve rope", "once a turn")
    played.do("undo", "retrieve a long rope")
    assert "items" not in played["mira"].stats
    assert played.fatigue("mira") == (1, 0)


# -- spells and talents ----------------------------------------------------------------------------


def test_a_spell_on_the_sheet_costs_what_its_charms_come_to() -> None:
    """Monsters & Magic, Basic Techniques, Cast a Spell: total AP depends on the charms used."""
    played = fight('cast "spark, far" at ghoul strong 5')
    assert played.track("ana", "ap") == 1
    played.refuses('cast "spark, wide"', "1 AP left, needs 3")
    played.refuses('cast "spark, fra"', "spark has no charm 'fra'; did you mean far?")
    assert fight('cast "spark, far, wide" ap 2').track("ana", "ap") == 1
    assert fight("cast fog").track("ana", "ap") == 2
    played = fight('ready cast "spark, far" "they come"', "next")
    assert played.track("ana", "ap") == 1
    assert played.do("trigger at ghoul strong 5 by ana").track("ghoul", "hp") == 55


def test_a_charmed_spell_is_the_attack_of_that_name() -> None:
    """Monsters & Magic, Basic Techniques, Cast a Spell: a charmed cantrip."""
    played = fight().do('cast "spark, far" at ghoul strong', faces=[4])
    assert played.track("ghoul", "hp") == 56
    assert "spark, far" in played.ruleset.actions.spells(played["ana"])


def test_a_talent_of_the_sheet_has_its_increases_and_expertise() -> None:
    """Monsters & Magic, Talents: PB plus increases, doubled with expertise."""
    played = fight()
    for words, total in (
        ("talent knots", 9 + 2 + 3),
        ("talent maps", 9 + 2 + 4),
        ("talent", 9 + 2 + 2),
        ("talent knots expertise", 9 + 2 + 6),
    ):
        assert played.do(f"check ana cunning natural 9 {words}").rolled.total == total
    played.refuses("check ana cunning save natural 9 talent knots", "not with saving throws")


def test_a_new_tier_is_one_more_pb_and_room_for_a_thread() -> None:
    """Monsters & Magic, Proficiencies; Extended Rest, Level Up."""
    played = Fight("add pc Nan hp 9 tier 1", "rest extended", "rest nan level-up tier")
    assert played["nan"].stats["pb"] == 2
    assert played.who("nan")["tracks"]["threads"] == {"value": 1, "max": 2}


# -- what is told, offered, and edited -------------------------------------------------------------


def test_the_card_tells_what_is_worn_held_and_carried() -> None:
    played = fight("retrieve rope")
    told = played.ruleset.sheet.labels(played.state, played["ana"])
    assert told["armor"] == "Wears mail coat"
    assert told["loadouts"] == "In hand axe and buckler · away bow"
    assert told["items"] == "At hand potion ×2, horn, scroll, rope · stowed potion ×2"
    assert told["spells"] == "Knows spark 1 AP (far +1, wide +2)"
    assert told["talents"] == "Talents knots +3; maps +4"


def test_prompts_and_completion_offer_what_the_sheet_has() -> None:
    played = fight()
    things = played.ruleset.actions.items
    assert list(things(played["ana"], "hand")) == ["potion", "horn", "scroll"]
    stowed = ["swap", "potion", "rope", "maul", "bow"]
    assert sorted(things(played["ana"], "stowed")) == sorted(stowed)
    assert list(things(played["mira"], "stowed")) == list(things(played["mira"], "hand")) == []
    offered = complete(played.state, "retrieve rope ", played.ruleset)
    assert offered == ["potion", "by"]


@pytest.mark.parametrize("stat", ["items", "armor", "loadouts", "held", "spells", "talents"])
@pytest.mark.parametrize("value", [3, "axe", [3], [{"name": 3}], [{"primary": 1}], [{}]])
def test_a_log_that_was_edited_by_hand_makes_no_trouble(stat: str, value: object) -> None:
    """A GM can edit the log."""
    played = fight()
    played.edited("ana", stats={**played["ana"].stats, stat: value, "proficient": 4})
    played.play_anything(
        *("use potion", "retrieve rope", "strike ghoul strong 5", "gear ana item pin", "draw 0"),
        *("gear ana armor hat light", "drop ana axe", "check ana luck weak talent", "cast spark"),
    )
    assert played.ruleset.sheet.labels(played.state, played["ana"]) is not None


# -- laid down, held -------------------------------------------------------------------------------


def test_what_is_laid_down_is_in_no_loadout() -> None:
    """Monsters & Magic, Loadout: a second weapon is the primary then, a shield stays in hand."""
    played = fight("drop ana axe")
    assert played.total("ana", "ac") == 6
    played.do("retrieve rope", "drop ana buckler", "use potion")
    assert played.total("ana", "ac") == 5
    played.do("strike ghoul strong 5")
    assert hand(played) == "bow"
    twin = "add pc Nan hp 9 attack axe 1d8 slashing attack knife 1d4 piercing loadout axe knife"
    played = Fight(twin, "drop nan axe")
    assert hand(played, "nan") == "knife"
    assert played.do("drop nan knife")["nan"].stats["loadouts"] == []


def test_with_a_shield_alone_in_hand_a_weapon_is_drawn() -> None:
    """Monsters & Magic, Loadout: drawn only if no weapons are currently equipped, and a shield is
    none."""
    played = fight("drop ana axe", "strike ghoul strong 5")
    assert (hand(played), played.total("ana", "ac")) == ("bow", 5)
    assert hand(fight("drop ana axe", "draw 2")) == "bow"


def test_a_focus_that_is_left_in_hand_is_the_primary() -> None:
    """Monsters & Magic, Loadout: a one-handed focus beside a one-handed weapon."""
    nan = "add pc Nan hp 9 attack axe 1d8 slashing attack wand focus loadout axe wand"
    assert hand(Fight(nan, "drop nan axe"), "nan") == "wand"


def test_nothing_is_drawn_over_a_weapon_that_was_retrieved() -> None:
    """Monsters & Magic, Loadout: drawn only if no weapons are currently equipped."""
    played = fight("draw 0", "retrieve maul")
    played.refuses("draw 1", "Ana has weapons in hand: `retrieve swap` changes them")
    played.refuses("strike ghoul strong 5 with axe", "Ana has maul")
    played.do("drop ana maul", "strike ghoul strong 5 with axe")
    assert hand(played) == "axe"


def test_the_only_loadout_is_swapped_for_what_was_retrieved() -> None:
    """Monsters & Magic, Loadout; Basic Techniques, Retrieve Item."""
    played = fight("draw 0", "retrieve maul", "drop ana bow", *["next"] * 4, "retrieve swap")
    assert (hand(played), played["ana"].stats["held"]) == ("axe", [])
    played.refuses("retrieve swap", "once a turn")


def test_of_several_only_what_was_retrieved_is_in_hand() -> None:
    """Monsters & Magic, Basic Techniques, Use Item: from the current loadout."""
    played = fight("gear ana item keg x2 weight 1", "retrieve keg", "use keg", *["next"] * 4)
    played.refuses("use keg", "keg is stowed: `retrieve keg` brings it to hand")


def test_the_slowed_and_encumbered_are_halved_twice() -> None:
    """Monsters & Magic, Weight & Carrying Capacity; Conditions, Slowed: two states, each halves."""
    played = fight("gear ana item anvil weight 4", "inflict ana slowed")
    assert played.total("ana", "speed") == 7
    assert played.do("bestow ana hastened").total("ana", "speed") == 15


def test_what_lies_nearby_comes_to_what_is_stowed() -> None:
    """Monsters & Magic, Basic Techniques, Retrieve Item: within close range, or on your person."""
    played = fight("drop ana horn", "retrieve potion nearby")
    assert items(played)["potion"] == (5, 3)
    played = fight("retrieve rope nearby")
    assert items(played)["rope"] == (2, 0)
    assert played["ana"].stats["held"] == [{"name": "rope"}]
    assert items(fight("drop ana horn", "retrieve ladder nearby"))["ladder"] == (1, 1)
    played = fight("gear ana item anvil weight 5")
    played.refuses("retrieve rope nearby", "Ana would carry 4 beyond the capacity")
    assert "maul" not in items(fight("retrieve maul nearby"))  # it is on the sheet, and lies there


def test_armour_is_put_on_in_one_go() -> None:
    """Monsters & Magic, Armor Class: what one wears; the log tells no more than that."""
    played = fight("gear ghoul armor hide light ac 2")
    assert played["ghoul"].stats["armor"] == [{"name": "hide", "kind": "light", "ac": 2}]
    assert len([event for event in played.events if hasattr(event, "stat")]) == 1
    played.do("gear ana armor plate heavy ac 5")
    assert [row["name"] for row in played["ana"].stats["armor"]] == ["buckler", "plate"]
