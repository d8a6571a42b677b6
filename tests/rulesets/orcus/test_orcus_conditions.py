"""What the conditions do, persistent damage and marks. Orcus, Conditions."""

from __future__ import annotations

import pytest

ADJACENT = "attack goblin-1 natural 7 5"  # 14 against AC 16: hits with combat advantage only

GRANTING = (
    "blinded",
    "controlled",
    "dazed",
    "helpless",
    "petrified",
    "prone",
    "restrained",
    "stunned",
    "surprised",
)
NOT_GRANTING = ("deafened", "immobile", "rattled", "slowed", "weakened")


def named(fight, who, name):
    """The effects of that name, as they are shown."""
    return [e for e in fight.who(who)["effects"] if e["name"] == name]


# -- the seventeen conditions ----------------------------------------------------------------------


@pytest.mark.parametrize("condition", GRANTING)
def test_conditions_that_grant_combat_advantage(fight, condition):
    """Orcus, Conditions, each that says so; Prone, for melee attacks."""
    fight.do(f"inflict goblin-1 {condition}", f"{ADJACENT} reach")
    assert fight.outcome == "hit"


@pytest.mark.parametrize("condition", NOT_GRANTING)
def test_conditions_that_grant_no_combat_advantage(fight, condition):
    """Orcus, Conditions, each that doesn't say so."""
    fight.do(f"inflict goblin-1 {condition}", ADJACENT)
    assert fight.outcome == "miss"


@pytest.mark.parametrize(
    "condition", ["blinded", "dazed", "controlled", "stunned", "surprised", "unconscious"]
)
def test_who_can_not_flank(fight, condition):
    """Orcus, Blinded, Dazed, Controlled, Stunned, Surprised, Unconscious."""
    fight.do(f"inflict mira {condition}")
    why = "dazed" if condition == "controlled" else condition
    fight.refuses(f"{ADJACENT} flanking mira", f"can't flank: {why}")


def test_blinded_and_deafened_hardly_notice_anything(fight):
    """Orcus, Blinded, Deafened."""
    fight.do("inflict mira blinded")
    assert fight.total("mira", "perception") == -10
    fight.do("remove mira blinded", "inflict mira deafened")
    assert fight.total("mira", "perception") == -10


def test_the_controlled_are_dazed_and_spend_nothing_dear(fight):
    """Orcus, Controlled."""
    fight.do("inflict brannoc controlled")
    assert "dazed" in fight.effects("brannoc")
    assert fight.actions("brannoc") == (1, 0, 0)
    fight.refuses("action-point", "controlled")


def test_the_dazed_have_one_action_and_no_immediate_one(fight):
    """Orcus, Dazed."""
    fight.do("inflict brannoc dazed")
    assert fight.actions("brannoc") == (1, 0, 0)
    fight.do("drop-prone", "next")
    fight.refuses("react opportunity-attack mira miss by brannoc", "dazed")


def test_the_dazed_may_move_in_place_of_the_standard_action(fight):
    """Orcus, Dazed: it can be converted to a move action."""
    fight.do("inflict brannoc dazed", "walk")
    assert fight.actions("brannoc") == (0, 0, 0)


@pytest.mark.parametrize("condition", ["immobile", "restrained"])
def test_the_immobile_and_restrained_stay_where_they_are(fight, condition):
    """Orcus, Immobile, Restrained."""
    fight.do(f"inflict brannoc {condition}")
    assert fight.total("brannoc", "speed") == 0
    fight.refuses("walk", condition)


def test_the_petrified_resist_20_of_everything_and_do_nothing(fight):
    """Orcus, Petrified."""
    fight.do("inflict goblin-1,brannoc petrified", "damage goblin-1 25 fire")
    assert fight.hp("goblin-1") == 21
    assert fight.actions("brannoc") == (0, 0, 0)
    fight.refuses("free", "petrified")


@pytest.mark.parametrize("condition", ["prone", "rattled", "restrained"])
def test_conditions_that_cost_2_on_attacks(fight, condition):
    """Orcus, Prone, Rattled, Restrained."""
    fight.do(f"inflict brannoc {condition}")
    assert fight.total("brannoc", "attack") == -2


def test_the_prone_are_harder_to_hit_from_afar(fight):
    """Orcus, Prone: +2 against ranged attacks, unless the attacker is adjacent."""
    fight.do("inflict goblin-1 prone", "attack goblin-1 natural 10 5 ranged")
    assert fight.outcome == "miss"  # 17 against AC 16 + 2
    fight.do("next", "attack goblin-1 natural 8 5 adjacent")  # Mira's bow, +8
    assert fight.outcome == "hit"


def test_slowed_is_speed_2_after_everything_else(fight):
    """Orcus, Slowed."""
    fight.do("modifier brannoc +4 speed", "inflict brannoc slowed")
    assert fight.total("brannoc", "speed") == 2


def test_the_stunned_do_nothing_at_all(fight):
    """Orcus, Stunned."""
    fight.do("inflict brannoc stunned")
    assert fight.actions("brannoc") == (0, 0, 0)
    fight.refuses("attack goblin-1 miss", "stunned")
    fight.do("next")
    fight.refuses("react opportunity-attack mira miss by brannoc", "stunned")


def test_surprised_lasts_until_the_round_is_over(new_fight):
    """Orcus, Surprise."""
    fight = new_fight(
        "add pc Ann hp 20 ac 15",
        "add monster Orc hp 20 ac 15",
        "init ann 12",
        "init orc 5",
        "inflict orc surprised",
        "start",
    )
    assert fight.until("orc", "surprised") == "end of round 1"
    fight.refuses("react opportunity-attack ann miss by orc", "surprised")
    fight.do("next")
    assert fight.actions("orc") == (0, 0, 0)
    fight.refuses("free", "surprised")
    fight.do("next")
    assert "surprised" not in fight.effects("orc")


def test_the_unconscious_fall_prone_and_are_5_easier_to_hit(fight):
    """Orcus, Unconscious."""
    fight.do("inflict brannoc unconscious save ends")
    assert "prone" in fight.effects("brannoc")
    assert [fight.total("brannoc", d) for d in ("ac", "fortitude", "reflex", "will")] == [
        13,
        11,
        9,
        8,
    ]
    assert fight.actions("brannoc") == (0, 0, 0)
    fight.do("save brannoc success")
    assert "prone" in fight.effects("brannoc")  # that one lasts until it stands


def test_the_weakened_deal_half(fight):
    """Orcus, Weakened."""
    fight.do("inflict brannoc weakened", "attack goblin-1 hit 9")
    assert fight.hp("goblin-1") == 22


# -- persistent damage and other amounts -----------------------------------------------------------


def test_persistent_damage_comes_at_the_start_of_each_turn(fight):
    """Orcus, Persistent damage; save ends unless said."""
    fight.do("inflict mira persistent 5 fire")
    assert fight.hp("mira") == 30
    assert fight.until("mira", "persistent") == "until saved against"
    fight.do("next")
    assert fight.hp("mira") == 25


def test_each_instance_of_persistent_damage_is_taken(fight):
    """Orcus, Your Turn: any persistent damage; resistance counts against each by its type."""
    fight.do("inflict mira resistance fire 2", "inflict mira persistent 5 fire")
    fight.do("inflict mira persistent 4", "next")
    assert fight.hp("mira") == 30 - 3 - 4


def test_persistent_damage_is_not_halved_by_its_weakened_source(fight):
    """Orcus, Weakened: except persistent damage."""
    fight.do("inflict brannoc weakened", "inflict mira persistent 5 from brannoc", "next")
    assert fight.hp("mira") == 25


def test_the_amounts_that_can_be_inflicted(fight):
    """Orcus, Damage Resistance and Vulnerability, Regeneration."""
    fight.do("inflict goblin-1 vulnerability cold 5", "damage goblin-1 3 cold")
    assert fight.hp("goblin-1") == 18
    fight.do("inflict goblin-1 resistance cold 4 until fight", "damage goblin-1 3 cold")
    assert fight.hp("goblin-1") == 14
    fight.do("damage mira 10", "inflict mira regeneration 3", "next")
    assert fight.hp("mira") == 23


@pytest.mark.parametrize(
    ("line", "saying"),
    [
        ("inflict mira persistent", "the amount of persistent"),
        ("inflict mira persistent fire", "the amount of persistent"),
        ("inflict mira persistent 0", "from 1"),
        ("inflict mira persistent 5 fier", "did you mean fire"),
        ("inflict mira persistent 5 form goblin-1", "did you mean for"),
        ("inflict mira vulnerability 5", "type of damage"),
        ("inflict mira resistance", "the amount of resistance"),
    ],
)
def test_an_amount_is_refused_when_it_is_not_whole(fight, line, saying):
    """Orcus, Persistent damage, Damage Resistance and Vulnerability."""
    fight.refuses(line, saying)


# -- marks -----------------------------------------------------------------------------------------


def marker(fight, who):
    return [e["source"] for e in named(fight, who, "marked")]


def test_the_actor_or_from_is_the_marker(fight):
    """Orcus, Marked."""
    fight.do("inflict goblin-1 marked", "inflict goblin-2 marked from mira")
    assert marker(fight, "goblin-1") == ["brannoc"]
    assert marker(fight, "goblin-2") == ["mira"]
    fight.refuses("inflict brannoc marked", "from NAME")


def test_a_mark_takes_the_place_of_anothers(fight):
    """Orcus, Marked: one cannot be marked by two creatures at the same time."""
    fight.do("inflict goblin-1 marked", "inflict goblin-1 marked until end of mira by mira")
    assert marker(fight, "goblin-1") == ["mira"]
    fight.do("inflict goblin-1 marked from mira")
    assert marker(fight, "goblin-1") == ["mira", "mira"]


@pytest.mark.parametrize(
    "end", ["inflict brannoc unconscious", "damage brannoc 50", "leave brannoc"]
)
def test_a_mark_ends_with_its_markers_senses(fight, end):
    """Orcus, Marked: it ends when the marker dies or falls unconscious."""
    fight.do("inflict goblin-1 marked", end)
    assert marker(fight, "goblin-1") == []


def test_the_marked_attack_others_at_2_less(fight):
    """Orcus, Marked: attacks that don't include the marker."""
    fight.do("inflict goblin-1 marked", "next", "next")
    fight.do("attack mira natural 10 5 with Axe")  # 16 - 2 against AC 15
    assert fight.outcome == "miss"
    fight.do("next", "next", "next", "next", "attack brannoc natural 12 5")
    assert fight.outcome == "hit"  # 18 against AC 18
