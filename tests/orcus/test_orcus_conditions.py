"""Conditions, persistent damage and marks. Seed 003: Conditions, Duration, Persistent damage."""

from __future__ import annotations

import pytest

from affray.core.decide import complete
from affray.core.state import Effect

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


# -- how long they last ----------------------------------------------------------------------------


def test_each_instance_of_a_condition_has_its_own_duration(fight):
    """Seed 003: Conditions (instances)."""
    fight.do("inflict goblin-1 slowed until end of brannoc", "inflict goblin-1 slowed")
    assert len(named(fight, "goblin-1", "slowed")) == 2
    fight.do("next", "next", "next", "next", "next")  # to the end of Brannoc's next turn
    assert [e["until"] for e in named(fight, "goblin-1", "slowed")] == ["until removed"]
    assert fight.total("goblin-1", "speed") == 2


def test_the_same_condition_twice_is_no_worse(fight):
    """Seed 003: Conditions: a creature either has one or doesn't."""
    fight.do("inflict goblin-1 rattled", "inflict goblin-1 rattled save ends")
    assert fight.total("goblin-1", "attack") == -2


def test_unless_said_a_condition_lasts_until_it_is_taken_away(fight):
    """Seed 003: Conditions: until it is countered, or for the duration that its effect gives."""
    fight.do("inflict goblin-1 dazed", "inflict goblin-1 prone")
    assert fight.until("goblin-1", "dazed") == "until removed"
    assert fight.until("goblin-1", "prone") == "until it stands"
    fight.do("remove goblin-1 dazed")
    assert "dazed" not in fight.effects("goblin-1")


@pytest.mark.parametrize("words", ["save ends", "save-ends", "until save"])
def test_save_ends_may_be_said_in_three_ways(fight, words):
    """Seed 003: Duration (save ends)."""
    fight.do(f"inflict goblin-1 dazed {words}")
    assert fight.until("goblin-1", "dazed") == "until saved against"


def test_for_some_turns_counts_those_of_whoever_has_it(fight):
    """Seed 003: Duration: the end of the target's next turn."""
    fight.do("inflict mira,goblin-1 slowed for 1 turn", "next", "next")
    assert "slowed" not in fight.effects("mira")
    assert "slowed" in fight.effects("goblin-1")
    fight.do("next")
    assert "slowed" not in fight.effects("goblin-1")


@pytest.mark.parametrize(
    ("duration", "said"),
    [
        ("until start of mira", "start of mira's next turn"),
        ("until end of mira's next turn", "end of mira's next turn"),
        ("until fight", "until the fight ends"),
        ("until rest", "until a rest"),
        ("until round 3", "end of round 3"),
    ],
)
def test_the_usual_durations_can_be_said(fight, duration, said):
    """Seed 003: Duration."""
    fight.do(f"inflict goblin-1 dazed {duration}")
    assert fight.until("goblin-1", "dazed") == said


def test_one_effect_has_one_duration(fight):
    """Seed 003: Duration."""
    fight.refuses("inflict goblin-1 dazed save ends for 2 turns", "one duration")
    fight.refuses("inflict goblin-1 dazed save", "save ends")
    fight.refuses("inflict goblin-1 dazed for 0 turns", "from 1")


# -- who can have what -----------------------------------------------------------------------------


def test_the_dead_get_no_conditions(fight):
    """Seed 003: Conditions; Monsters and Death."""
    fight.do("damage goblin-1 30")
    fight.refuses("inflict goblin-1 dazed", "Goblin 1 is dead")


def test_an_unknown_condition_is_refused_with_what_is_close(fight):
    """Seed 003: Conditions."""
    fight.refuses("inflict goblin-1 dased", "did you mean dazed")
    fight.refuses("inflict goblin-1 dazed,poned", "did you mean prone")
    fight.refuses("inflict goblin-1", "a condition")
    fight.refuses("inflict goblin-1 staggered", "is no condition")


def test_dying_comes_of_hp_and_is_not_inflicted(fight):
    """Seed 003: Dropping to 0 Hit Points or Below: nobody with HP is dying."""
    fight.refuses("inflict mira dying", "damage")


def test_immunity_to_damage_keeps_no_condition_off(new_fight):
    """Seed 003: Damage Resistance and Vulnerability is about damage alone."""
    fight = new_fight("add monster Imp hp 20 ac 15 immune fire", "inflict imp persistent 5 fire")
    assert "persistent" in fight.effects("imp")


def test_several_may_be_inflicted_on_several(fight):
    """Seed 003: Conditions."""
    fight.do("inflict goblin-1,goblin-2 dazed,slowed until end of brannoc")
    assert {"dazed", "slowed"} <= fight.effects("goblin-1") & fight.effects("goblin-2")
    fight.do("remove goblin-1 dazed")
    assert "slowed" in fight.effects("goblin-1")  # nothing but a save is shared


# -- the seventeen conditions ----------------------------------------------------------------------


@pytest.mark.parametrize("condition", GRANTING)
def test_conditions_that_grant_combat_advantage(fight, condition):
    """Seed 003: Conditions, each that says so; Prone, for melee attacks."""
    fight.do(f"inflict goblin-1 {condition}", ADJACENT)
    assert fight.outcome == "hit"


@pytest.mark.parametrize("condition", NOT_GRANTING)
def test_conditions_that_grant_no_combat_advantage(fight, condition):
    """Seed 003: Conditions, each that doesn't say so."""
    fight.do(f"inflict goblin-1 {condition}", ADJACENT)
    assert fight.outcome == "miss"


@pytest.mark.parametrize(
    "condition", ["blinded", "dazed", "controlled", "stunned", "surprised", "unconscious"]
)
def test_who_can_not_flank(fight, condition):
    """Seed 003: Blinded, Dazed, Controlled, Stunned, Surprised, Unconscious."""
    fight.do(f"inflict mira {condition}")
    fight.refuses(f"{ADJACENT} flanking mira")


def test_blinded_and_deafened_hardly_notice_anything(fight):
    """Seed 003: Blinded, Deafened."""
    fight.do("inflict mira blinded")
    assert fight.total("mira", "perception") == -10
    fight.do("remove mira blinded", "inflict mira deafened")
    assert fight.total("mira", "perception") == -10


def test_the_controlled_are_dazed_and_spend_nothing_dear(fight):
    """Seed 003: Controlled."""
    fight.do("inflict brannoc controlled")
    assert "dazed" in fight.effects("brannoc")
    assert fight.actions("brannoc") == (1, 0, 0)
    fight.refuses("action-point", "controlled")


def test_the_dazed_have_one_action_and_no_immediate_one(fight):
    """Seed 003: Dazed."""
    fight.do("inflict brannoc dazed")
    assert fight.actions("brannoc") == (1, 0, 0)
    fight.do("drop-prone", "next")
    fight.refuses("react opportunity-attack mira miss by brannoc", "dazed")


def test_the_dazed_may_move_in_place_of_the_standard_action(fight):
    """Seed 003: Dazed: it can be converted to a move action."""
    fight.do("inflict brannoc dazed", "walk")
    assert fight.actions("brannoc") == (0, 0, 0)


@pytest.mark.parametrize("condition", ["immobile", "restrained"])
def test_the_immobile_and_restrained_stay_where_they_are(fight, condition):
    """Seed 003: Immobile, Restrained."""
    fight.do(f"inflict brannoc {condition}")
    assert fight.total("brannoc", "speed") == 0
    fight.refuses("walk", condition)


def test_the_petrified_resist_20_of_everything_and_do_nothing(fight):
    """Seed 003: Petrified."""
    fight.do("inflict goblin-1,brannoc petrified", "damage goblin-1 25 fire")
    assert fight.hp("goblin-1") == 21
    assert fight.actions("brannoc") == (0, 0, 0)
    fight.refuses("free", "petrified")


@pytest.mark.parametrize("condition", ["prone", "rattled", "restrained"])
def test_conditions_that_cost_2_on_attacks(fight, condition):
    """Seed 003: Prone, Rattled, Restrained."""
    fight.do(f"inflict brannoc {condition}")
    assert fight.total("brannoc", "attack") == -2


def test_the_prone_are_harder_to_hit_from_afar(fight):
    """Seed 003: Prone: +2 against ranged attacks, unless the attacker is adjacent."""
    fight.do("inflict goblin-1 prone", "attack goblin-1 natural 10 5 ranged")
    assert fight.outcome == "miss"  # 17 against AC 16 + 2
    fight.do("next", "attack goblin-1 natural 8 5 adjacent")  # Mira's bow, +8
    assert fight.outcome == "hit"


def test_slowed_is_speed_2_after_everything_else(fight):
    """Seed 003: Slowed."""
    fight.do("modifier brannoc +4 speed", "inflict brannoc slowed")
    assert fight.total("brannoc", "speed") == 2


def test_the_stunned_do_nothing_at_all(fight):
    """Seed 003: Stunned."""
    fight.do("inflict brannoc stunned")
    assert fight.actions("brannoc") == (0, 0, 0)
    fight.refuses("attack goblin-1 miss", "stunned")
    fight.do("next")
    fight.refuses("react opportunity-attack mira miss by brannoc", "stunned")


def test_surprised_lasts_until_the_round_is_over(new_fight):
    """Seed 003: Surprise."""
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
    """Seed 003: Unconscious."""
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
    """Seed 003: Weakened."""
    fight.do("inflict brannoc weakened", "attack goblin-1 hit 9")
    assert fight.hp("goblin-1") == 22


# -- persistent damage and other amounts -----------------------------------------------------------


def test_persistent_damage_comes_at_the_start_of_each_turn(fight):
    """Seed 003: Persistent damage; save ends unless said."""
    fight.do("inflict mira persistent 5 fire")
    assert fight.hp("mira") == 30
    assert fight.until("mira", "persistent") == "until saved against"
    fight.do("next")
    assert fight.hp("mira") == 25


def test_each_instance_of_persistent_damage_is_taken(fight):
    """Seed 003: Your Turn: any persistent damage; resistance counts against each by its type."""
    fight.do("inflict mira resistance fire 2", "inflict mira persistent 5 fire")
    fight.do("inflict mira persistent 4", "next")
    assert fight.hp("mira") == 30 - 3 - 4


def test_persistent_damage_is_not_halved_by_its_weakened_source(fight):
    """Seed 003: Weakened: except persistent damage."""
    fight.do("inflict brannoc weakened", "inflict mira persistent 5 from brannoc", "next")
    assert fight.hp("mira") == 25


def test_the_amounts_that_can_be_inflicted(fight):
    """Seed 003: Damage Resistance and Vulnerability, Regeneration."""
    fight.do("inflict goblin-1 vulnerability cold 5", "damage goblin-1 3 cold")
    assert fight.hp("goblin-1") == 18
    fight.do("inflict goblin-1 resistance cold 4 until fight", "damage goblin-1 3 cold")
    assert fight.hp("goblin-1") == 14
    fight.do("damage mira 10", "inflict mira regeneration 3", "next")
    assert fight.hp("mira") == 23


@pytest.mark.parametrize(
    ("line", "saying"),
    [
        ("inflict mira persistent", "how much persistent"),
        ("inflict mira persistent fire", "how much persistent"),
        ("inflict mira persistent 0", "from 1"),
        ("inflict mira persistent 5 fier", "did you mean fire"),
        ("inflict mira vulnerability 5", "type of damage"),
        ("inflict mira resistance", "how much resistance"),
    ],
)
def test_an_amount_is_refused_when_it_is_not_whole(fight, line, saying):
    """Seed 003: Persistent damage, Damage Resistance and Vulnerability."""
    fight.refuses(line, saying)


# -- marks -----------------------------------------------------------------------------------------


def marker(fight, who):
    return [e["source"] for e in named(fight, who, "marked")]


def test_the_actor_or_from_is_the_marker(fight):
    """Seed 003: Marked."""
    fight.do("inflict goblin-1 marked", "inflict goblin-2 marked from mira")
    assert marker(fight, "goblin-1") == ["brannoc"]
    assert marker(fight, "goblin-2") == ["mira"]
    fight.refuses("inflict brannoc marked", "from NAME")


def test_a_mark_takes_the_place_of_anothers(fight):
    """Seed 003: Marked: one cannot be marked by two creatures at the same time."""
    fight.do("inflict goblin-1 marked", "inflict goblin-1 marked until end of mira by mira")
    assert marker(fight, "goblin-1") == ["mira"]
    fight.do("inflict goblin-1 marked from mira")
    assert marker(fight, "goblin-1") == ["mira", "mira"]


@pytest.mark.parametrize(
    "end", ["inflict brannoc unconscious", "damage brannoc 50", "leave brannoc"]
)
def test_a_mark_ends_with_its_markers_senses(fight, end):
    """Seed 003: Marked: it ends when the marker dies or falls unconscious."""
    fight.do("inflict goblin-1 marked", end)
    assert marker(fight, "goblin-1") == []


def test_the_marked_attack_others_at_2_less(fight):
    """Seed 003: Marked: attacks that don't include the marker."""
    fight.do("inflict goblin-1 marked", "next", "next")
    fight.do("attack mira natural 10 5 with Axe")  # 16 - 2 against AC 15
    assert fight.outcome == "miss"
    fight.do("next", "next", "next", "next", "attack brannoc natural 12 5")
    assert fight.outcome == "hit"  # 18 against AC 18


# -- what hangs on something -----------------------------------------------------------------------


def test_a_condition_may_hang_on_what_somebody_keeps_up(fight):
    """Seed 003: Zones, Maintain."""
    fight.do("zone Web maintain move", "inflict goblin-1 immobile while web")
    assert fight.until("goblin-1", "immobile") == "until Web ends"
    fight.do("drop web")
    assert "immobile" not in fight.effects("goblin-1")


def test_what_it_hangs_on_is_looked_for_at_its_source_first(fight):
    """Seed 003: Aura."""
    fight.do("aura Dread by mira", "aura Dread")
    fight.do(
        "inflict goblin-1 rattled while Dread", "inflict goblin-2 rattled from mira while Dread"
    )
    fight.do("drop Dread")
    assert "rattled" not in fight.effects("goblin-1")
    assert "rattled" in fight.effects("goblin-2")
    fight.do("drop Dread by mira")
    assert "rattled" not in fight.effects("goblin-2")


def test_there_must_be_something_to_hang_on(fight):
    """Seed 003: Zones."""
    fight.refuses("inflict goblin-1 immobile while web", "nothing is kept up")
    fight.do("zone Fog")
    fight.refuses("inflict goblin-1 immobile while web", "fog")


@pytest.mark.parametrize(
    ("part", "offered"),
    [
        ("inflict mira pers", ["persistent"]),
        ("inflict mira persistent 5 f", ["fire", "force", "for", "from"]),
        ("inflict mira dazed un", ["until"]),
        ("inflict mira dazed until sa", ["save", "saved"]),
    ],
)
def test_the_words_of_a_condition_are_offered(fight, part, offered):
    """Seed 003: Conditions, Duration."""
    assert complete(fight.state, part, fight.ruleset) == offered


def test_what_has_no_hp_gets_no_persistent_damage(new_fight):
    """Seed 003: Persistent damage: there must be HP to lose."""
    fight = new_fight(
        "add hazard Pit", "add pc Ann hp 20 ac 15", "init pit 5", "init ann 12", "start"
    )
    fight.refuses("inflict pit persistent 5", "no HP")
    burning = Effect("persistent", "persistent", "persistent", amount=5)
    fight.edited("pit", effects=(burning,))  # as a log edited by hand might have it
    fight.do("next")
    assert fight.state.turn == "pit"


def test_who_acts_is_the_source_when_it_is_said(fight):
    """Seed 003: Conditions: an effect comes from somebody."""
    fight.do("inflict goblin-1 dazed by mira", "inflict goblin-2 dazed from mira by brannoc")
    assert named(fight, "goblin-1", "dazed")[0]["source"] == "mira"
    assert named(fight, "goblin-2", "dazed")[0]["source"] == "mira"


@pytest.mark.parametrize("words", ["user-end from mira", "from mira user-end"])
def test_the_user_is_whoever_it_comes_from_wherever_that_is_said(fight, words):
    """Seed 003: Duration: until the end of the user's next turn."""
    fight.do(f"inflict goblin-1 slowed {words}")
    assert fight.until("goblin-1", "slowed") == "end of mira's next turn"


@pytest.mark.parametrize("how", ["prone,dazed", "marked,dazed", "dazed,prone"])
def test_what_is_countered_takes_nothing_along_that_shares_its_save(fight, how):
    """Seed 003: Conditions, Marked: standing up ends prone, another mark a mark; dazed stays."""
    fight.do(f"inflict mira {how} save ends from goblin-1", "next")
    fight.do("stand-up" if "prone" in how else "inflict mira marked from goblin-2")
    assert "dazed" in fight.effects("mira") and "prone" not in fight.effects("mira")


def test_a_save_ends_all_that_came_at_once_in_whatever_order(fight):
    """Seed 003: Duration (save ends: a saving throw for every effect)."""
    fight.do("inflict mira prone,dazed save ends", "next", "save mira prone success")
    assert not fight.effects("mira")
