"""The world: its turn and its actions, what recharges, what is there. Level Up, World Actions;
rulings 21 to 23."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.rulesets.level_up.conftest import ORDER, PEOPLE, Fight

from affray.core.rules.campaign_tables import actions_of, environment_name, features_of

NAMED = (
    "cavernous",
    "fiery",
    "forested",
    "frigid",
    "furnished",
    "hazy",
    "rocky",
    "stormy",
    "swampy",
)


@pytest.fixture
def storm(fight: Fight) -> Fight:
    """Stormy and hazy; the world's turn of round 1 has come."""
    return fight.do("environment stormy,hazy", "next", "next", "next", "next")


def round_of(fight: Fight) -> list[str]:
    """Who takes turns from here on, until the round is over; the dice show what never recharges."""
    order, now = [], fight.state.round
    while fight.state.round == now:
        order.append(fight.state.turn)
        fight.do("next", faces=(1,) * spent(fight))
    return order


def spent(fight: Fight) -> int:
    """The dice that the world's turn, if it comes next, rolls."""
    last = [s.who for s in fight.state.slots if not s.passive][-2:-1]
    tracks = fight["world"].tracks.items() if fight.state.turn in last else ()
    return sum(1 for name, track in tracks if name != "world_action" and not track.value)


# -- its turn --------------------------------------------------------------------------------------


def test_the_world_joins_with_the_first_environment(fight: Fight) -> None:
    fight.do("environment stormy")
    world = fight.who("world")
    assert (world["side"], world["kind"], world["initiative"]) == ("world", "hazard", None)
    assert [e["name"] for e in world["effects"]] == ["stormy"]
    fight.do("environment hazy,stormy")
    assert [e["name"] for e in fight.who("world")["effects"]] == ["stormy", "hazy"]


def test_an_environment_is_taken_away(fight: Fight) -> None:
    fight.do("environment stormy,hazy", "environment stormy off")
    assert fight.effects("world") == {"hazy"}
    fight.refuses("environment stormy off", "no such environment is in play")
    fight.refuses("environment rainy", "'rainy'")


def test_the_world_acts_last_and_once(fight: Fight) -> None:
    """Level Up, ruling 21."""
    fight.do("environment stormy")
    assert round_of(fight) == ["brannoc", "mira", "ghoul-1", "ghoul-2", "world"]
    assert round_of(fight)[-1] == "world"


def test_its_action_is_there_in_its_turn_alone(fight: Fight) -> None:
    fight.do("environment stormy")
    assert fight.track("world", "world_action") == 0
    fight.refuses("world forceful-gale mira failure", "turn")
    fight.do("next", "next", "next", "next")
    assert fight.track("world", "world_action") == 1
    fight.do("next")
    assert fight.track("world", "world_action") == 0


def test_one_world_action_in_its_turn(storm: Fight) -> None:
    storm.do("world forceful-gale mira failure")
    assert storm.track("world", "world_action") == 0
    storm.refuses("world twisting-haze", "world action used")
    assert storm.option("world", "twisting-haze")["available"] is False


def test_init_puts_the_world_elsewhere(fight: Fight) -> None:
    fight.do("environment stormy", "init world 11")
    assert round_of(fight) == ["brannoc", "mira", "world", "ghoul-1", "ghoul-2"]


def test_the_world_may_act_first(new_fight: Callable[..., Fight]) -> None:
    fight = new_fight(*PEOPLE, "setting world-turn first", "environment stormy", *ORDER)
    assert round_of(fight)[0] == "world"


def test_the_world_may_act_first_from_the_next_round_on(fight: Fight) -> None:
    fight.do("environment stormy", "setting world-turn first")
    assert round_of(fight) == ["brannoc", "mira", "ghoul-1", "ghoul-2"]
    assert round_of(fight)[0] == "world"


def test_an_environment_before_the_fight_brings_the_world_into_its_first_round(
    new_fight: Callable[..., Fight],
) -> None:
    fight = new_fight(*PEOPLE, "environment stormy", *ORDER)
    assert round_of(fight)[-1] == "world"


def test_the_world_is_not_meant_by_all(storm: Fight) -> None:
    storm.do("damage all 3")
    assert "hp" not in storm.who("world")["tracks"]
    storm.refuses("feature burning-surface world 3", "choose a target other than the world")


# -- what recharges --------------------------------------------------------------------------------


def test_what_recharges_is_spent_by_its_use(storm: Fight) -> None:
    assert storm.track("world", "lightning_strike") == 1
    storm.do("world lightning-strike mira success")
    assert storm.track("world", "lightning_strike") == 0
    assert storm.option("world", "lightning-strike")["cost"] == {
        "world_action": 1,
        "lightning_strike": 1,
    }


def test_every_action_that_recharges_has_a_track(storm: Fight) -> None:
    rows = actions_of(storm.ruleset.tables.environments)
    tracks = {name.replace("-", "_") for name, row in rows.items() if row.recharge}
    assert tracks == {*storm.who("world")["tracks"]} - {"world_action"}
    assert tracks < {*storm.ruleset.tables.tracks}


@pytest.mark.parametrize(("face", "back"), [(4, 0), (5, 1), (6, 1), (1, 0)])
def test_a_die_at_the_start_of_the_worlds_turn_brings_it_back(
    storm: Fight, face: int, back: int
) -> None:
    """Level Up, ruling 22."""
    storm.do("world lightning-strike mira success", *["next"] * 4)
    storm.do("next", faces=(face,))
    assert storm.state.turn == "world"
    assert storm.track("world", "lightning_strike") == back
    assert storm.outcome == ("success" if back else "failure")
    if not back:
        storm.refuses("world lightning-strike brannoc failure", "spent until a d6 shows 5 or more")


def test_the_tables_die_takes_the_place_of_affrays(storm: Fight) -> None:
    storm.do("world lightning-strike mira success", *["next"] * 4)
    storm.do("next", faces=(6,))
    storm.do("recharge lightning-strike natural 2")
    assert storm.track("world", "lightning_strike") == 0
    storm.do("recharge lightning-strike roll", faces=(5,))
    assert storm.track("world", "lightning_strike") == 1


def test_what_is_ready_needs_no_die(storm: Fight) -> None:
    storm.refuses("recharge lightning-strike natural 5", "is ready")
    storm.refuses("recharge forceful-gale natural 5", "needs no recharging")
    storm.refuses("recharge lightning-strike natural 7", "from 1 to 6")


def test_without_an_environment_there_is_no_world(fight: Fight) -> None:
    fight.refuses("world forceful-gale mira failure", "no environment is named")
    fight.refuses("recharge lightning-strike natural 5", "no environment is named")


# -- what comes of it ------------------------------------------------------------------------------


def test_a_save_is_the_targets_and_success_takes_nothing(storm: Fight) -> None:
    storm.do("world lightning-strike mira natural 5 11")
    assert (storm.rolled.who, storm.rolled.total, storm.rolled.dc) == ("mira", 10, 10)
    assert (storm.outcome, storm.hp("mira")) == ("success", 24)


def test_the_damage_falls_once_for_all(fight: Fight) -> None:
    fight.do("environment frigid", "next", "next", "next", "next")
    fight.do("world cold-chill natural 1,2,3,20", faces=(4, 5))
    hurt = [fight.hp(who) for who in ("brannoc", "mira", "ghoul-1", "ghoul-2")]
    assert hurt == [31, 15, 13, 22]


def test_gear_against_the_cold_takes_less(fight: Fight) -> None:
    fight.do("environment frigid", "next", "next", "next", "next")
    fight.do("world cold-chill failure 9 gear mira,ghoul-1", faces=(2,))
    hurt = [fight.hp(who) for who in ("brannoc", "mira", "ghoul-1", "ghoul-2")]
    assert hurt == [31, 22, 20, 13]


def test_nobody_named_is_everybody_but_the_world_and_the_dead(fight: Fight) -> None:
    fight.do("environment fiery", "damage ghoul-2 30", "next", "next", "next")
    fight.do("world sweltering-heat failure,success,failure")
    assert [fight.track(who, "fatigue") for who in ("brannoc", "mira", "ghoul-1")] == [1, 0, 1]
    assert fight.felt("brannoc") == 0, "not before the fight is over"


def test_what_gets_one_gets_one(storm: Fight) -> None:
    storm.refuses("world forceful-gale", "affects one creature: say which")
    storm.refuses("world forceful-gale mira,brannoc failure", "affects one creature: say which")


def test_lightning_strikes_nobody_twice_in_a_fight(storm: Fight) -> None:
    storm.do("world lightning-strike mira success", "recharge lightning-strike natural 6")
    storm.do(*["next"] * 5)
    storm.refuses("world lightning-strike mira failure 9", "Mira only once in a fight")
    storm.do("world lightning-strike brannoc failure 9")
    storm.do("end", *ORDER, *["next"] * 4, faces=(1,))
    storm.do("set world lightning_strike 1", "world lightning-strike mira failure 9")
    assert storm.hp("mira") == 15


def test_actions_of_any_environment_can_be_used_in_any(storm: Fight) -> None:
    storm.do("world flame-burst mira failure 5")
    assert (storm.hp("mira"), storm.track("world", "flame_burst")) == (19, 0)
    names = {o["technique"] for o in storm.who("world")["options"]}
    assert names == {"forceful-gale", "lightning-strike", "shadow-puppet", "twisting-haze"}


def test_what_the_world_lays_without_an_end_ends_as_its_next_turn_starts(fight: Fight) -> None:
    """Level Up, ruling 23."""
    fight.do("environment forested", *["next"] * 4, "world distressed-animal-cacophony", "next")
    assert "hard-of-hearing" in fight.effects("mira")
    fight.do(*["next"] * 3)
    assert "hard-of-hearing" in fight.effects("brannoc")
    fight.do("next", faces=(1,))
    assert fight.effects("brannoc") == set()


def test_swamp_gas_lasts_until_the_end_of_ones_next_turn(fight: Fight) -> None:
    fight.do("environment swampy", *["next"] * 4, "world swamp-gas mira,ghoul-1 failure,success")
    assert fight.effects("mira") == {"poisoned"} and fight.effects("ghoul-1") == set()
    fight.do("next", "next")
    assert fight.effects("mira") == {"poisoned"}
    fight.do("next")
    assert fight.effects("mira") == set()


def test_what_only_moves_people_is_told(storm: Fight) -> None:
    storm.do("world twisting-haze")
    assert "within 5 feet" in storm.notes


def test_the_immune_are_left_out(new_fight: Callable[..., Fight]) -> None:
    fight = new_fight(*PEOPLE, "add monster Toad hp 9 ac 9 immune poisoned", *ORDER[:-1])
    fight.do("init toad 3", "start", "environment swampy", *["next"] * 5, "world swamp-gas failure")
    assert fight.effects("toad") == set() and fight.effects("mira") == {"poisoned"}


# -- features --------------------------------------------------------------------------------------


def test_the_first_touch_in_a_turn_burns(fight: Fight) -> None:
    fight.do("feature burning-surface brannoc 3")
    assert fight.hp("brannoc") == 37
    fight.refuses("feature burning-surface brannoc 3", "only once in a turn")
    fight.do("feature burning-surface mira", faces=(6,))
    assert fight.hp("mira") == 18
    fight.do("next", "feature burning-surface mira 2")
    assert fight.hp("mira") == 16


def test_frost_does_nothing_to_whoever_resists_cold(fight: Fight) -> None:
    fight.do("inflict brannoc resistance cold", "feature frostbitten-surface brannoc 4")
    assert fight.hp("brannoc") == 40
    fight.do("feature frostbitten-surface mira 4")
    assert fight.hp("mira") == 20


def test_ash_blinds_until_the_next_turn_starts(fight: Fight) -> None:
    fight.do("feature floating-ash brannoc failure", "next")
    assert fight.effects("brannoc") == {"blinded"}
    fight.do(*["next"] * 3)
    assert fight.effects("brannoc") == set()


def test_mud_holds_until_the_end_of_the_next_turn_or_an_action(fight: Fight) -> None:
    fight.do("feature tenacious-mud brannoc natural 4", "next", *["next"] * 3)
    assert fight.effects("brannoc") == {"restrained"}
    fight.do("escape restrained")
    assert fight.effects("brannoc") == set() and fight.track("brannoc", "action") == 0


def test_mud_that_nobody_breaks_out_of_lets_go(fight: Fight) -> None:
    fight.do("feature tenacious-mud brannoc failure", *["next"] * 5)
    assert fight.effects("brannoc") == set()


def test_a_loose_foundation_comes_down_after_two_rounds(fight: Fight) -> None:
    fight.do("feature loose-foundation")
    assert fight.shown["clocks"] == [{"name": "Loose Foundation", "value": 2, "max": 2}]
    fight.do(*["next"] * 8)
    assert fight.shown["clocks"][0]["value"] == 0
    fight.do("feature loose-foundation mira")
    assert fight.effects("mira") == {"grappled", "suffocating"}


def test_a_falling_chandelier_and_a_rolling_boulder(fight: Fight) -> None:
    fight.do("feature chandelier ghoul-1,ghoul-2 natural 9,10 7")
    assert (fight.hp("ghoul-1"), fight.hp("ghoul-2")) == (15, 22)
    fight.do("feature boulder ghoul-2 failure", faces=(4, 5))
    assert fight.hp("ghoul-2") == 13


def test_dashing_through_clutter_may_trip(fight: Fight) -> None:
    fight.do("feature clutter brannoc natural 8")
    assert (fight.rolled.total, fight.rolled.dc) == (9, 10)
    assert fight.effects("brannoc") == {"prone"}


@pytest.mark.parametrize("name", ["fallen-leaves", "blanketed-ground"])
def test_perception_sees_what_is_hidden_below(fight: Fight, name: str) -> None:
    fight.do(f"feature {name} mira natural 10")
    assert (fight.rolled.total, fight.rolled.dc, fight.outcome) == (12, 12, "success")


def test_every_die_of_thunder_echoes(fight: Fight) -> None:
    fight.do("feature echo ghoul-1 3")
    assert fight.hp("ghoul-1") == 19
    fight.refuses("feature echo ghoul-1", "how many dice")
    fight.do("environment cavernous", "damage ghoul-1,ghoul-2 2d8 thunder", faces=(3, 4))
    assert (fight.hp("ghoul-1"), fight.hp("ghoul-2")) == (10, 13)
    assert fight.notes == "the thunder echoes: 2 more"
    fight.do("damage ghoul-2 2d4 fire", faces=(1, 1))
    assert fight.hp("ghoul-2") == 11


def test_thunder_echoes_in_ongoing_damage_too_for_its_own_dice_alone(fight: Fight) -> None:
    fight.do("environment cavernous", "inflict brannoc ongoing 2d6 thunder")
    fight.do("inflict brannoc ongoing 3 thunder").do("next", faces=(3, 4))
    assert fight.hp("brannoc") == 40 - 9 - 3


def test_only_dice_of_thunder_echo_whatever_else_falls(
    new_fight: Callable[..., Fight],
) -> None:
    """Echo: 1 for each die of an effect that is thunder, and none for those of its other types."""
    fight = new_fight(
        "add monster Storm hp 50 attack fist +6 1d8+2 slashing plus 2d6 thunder"
        " attack horn +6 1d10 thunder plus 2d6 fire power Clap action +6 3d6 thunder",
        "add pc Odo hp 90 ac 10",
        "add pc Ana hp 90 ac 10",
        "init storm 20",
        "init odo 10",
        "init ana 5",
        "start",
        "environment cavernous",
    )
    fight.do("attack odo hit with fist", faces=(5, 1, 1))
    assert fight.hp("odo") == 90 - 7 - 4
    fight.do("undo").do("attack odo hit with horn", faces=(5, 1, 1))
    assert fight.hp("odo") == 90 - 6 - 2
    fight.do("undo").do("attack odo hit 4 slashing 1d6 thunder 2d6 fire", faces=(3, 1, 1))
    assert fight.hp("odo") == 90 - 4 - 4 - 2
    fight.do("undo").do("power Clap odo,ana hit", faces=(1, 1, 1))
    assert (fight.hp("odo"), fight.hp("ana")) == (90 - 6, 90 - 6)


def test_a_slip_in_a_name_is_told(fight: Fight) -> None:
    fight.refuses("feature stalactites mirra 3", "did you mean mira?")
    fight.refuses("feature stalactites brannoc mira", "did not expect 'mira'")


def test_what_clutter_lays_ends_as_ever(fight: Fight) -> None:
    fight.do("feature clutter brannoc failure")
    assert fight.until("brannoc", "prone") == "until it stands"


def test_a_loose_rock_is_thrown_in_an_attack(fight: Fight) -> None:
    """Level Up, Rocky: a thrown weapon attack, by the action, with the bonus of one's own or as
    said."""
    fight.do("feature loose-rocks ghoul-1 natural 5 3")
    assert (fight.rolled.total, fight.rolled.dc, fight.hp("ghoul-1")) == (12, 12, 19)
    fight.do("feature loose-rocks ghoul-2 natural 5 3 plus 2")
    assert (fight.rolled.total, fight.hp("ghoul-2")) == (7, 22)
    fight.refuses("feature loose-rocks ghoul-1 hit 3", "action used")
    fight.do("next", "next").refuses("feature loose-rocks mira natural 15 3", "no ranged attack")


def test_tables_take_the_action_of_whose_turn_it_is(fight: Fight) -> None:
    """Level Up, Furnished: pushed over as an action."""
    fight.refuses("feature tables by mira", "it is Brannoc's turn")
    fight.do("feature tables")
    assert fight.track("brannoc", "action") == 0
    fight.refuses("feature tables", "action used")


def test_cover_and_the_like_count_for_saves_against_the_world(fight: Fight) -> None:
    """Cover: +2 or +5 to saving throws against what comes from its other side."""
    fight.do("feature stalactites brannoc natural 9 6")
    assert (fight.rolled.total, fight.outcome) == (10, "failure")
    fight.do("feature stalactites brannoc natural 9 6 cover")
    assert (fight.rolled.total, fight.outcome) == (12, "success")
    fight.do("feature stalactites brannoc natural 3,9 6 adv plus 1 expertise 1")
    assert (fight.rolled.total, fight.outcome) == (12, "success")
    fight.do(
        "environment rocky", "end", "world falling-rocks mira natural 4 6 three-quarters-cover"
    )
    assert fight.rolled.total == 4 + 5 + 5
    fight.refuses("feature fallen-leaves mira natural 9 cover", "not to other checks")


def test_what_the_gale_does_is_told_of_whom_it_gets(fight: Fight) -> None:
    """Forceful Gale: the push is the table's to make, and the log says it."""
    fight.do("environment stormy", "end", "world forceful-gale mira failure")
    assert "push of 15 feet" in fight.notes
    assert not fight.do("world forceful-gale mira success").notes
    assert not fight.do("feature fallen-leaves mira failure").notes


def test_an_icy_patch_lasts_until_the_next_turn_starts(fight: Fight) -> None:
    fight.do("feature icy-patch brannoc")
    assert fight.until("brannoc", "sliding") == "start of brannoc's next turn"


def test_what_only_hides_and_hinders_is_told(fight: Fight) -> None:
    for name in ("stalagmites", "brush", "trees", "snow", "tables", "thick-fog", "loud-winds"):
        fight.do(f"feature {name}")
        assert fight.notes
    fight.refuses("feature stalactites", "say whom it affects")


def test_a_feature_costs_nothing_and_comes_up_in_any_turn(storm: Fight) -> None:
    storm.do("feature stalactites mira failure 5", "feature stalactites brannoc failure 5")
    assert (storm.hp("mira"), storm.hp("brannoc")) == (19, 35)
    assert storm.track("world", "world_action") == 1


def test_all_movement_is_difficult_in_a_storm(fight: Fight) -> None:
    """Level Up, Example Environments."""
    fight.do("move 5")
    assert fight.track("brannoc", "movement") == 25
    fight.do("environment stormy", "move 5")
    assert fight.track("brannoc", "movement") == 15
    fight.do("move 5 difficult")
    assert fight.track("brannoc", "movement") == 5, "once, however many causes"


# -- who joins -------------------------------------------------------------------------------------


def test_a_shadow_joins_at_20_on_nobodys_side(storm: Fight) -> None:
    storm.do("damage brannoc 10", "world shadow-puppet brannoc")
    shadow = storm.who("shadow-of-brannoc")
    assert (shadow["name"], shadow["side"], shadow["initiative"]) == (
        "Shadow of Brannoc",
        "others",
        20,
    )
    assert (storm.hp("shadow-of-brannoc"), storm.total("shadow-of-brannoc", "ac")) == (40, 17)
    assert round_of(storm) == ["world"]
    assert storm.state.turn == "shadow-of-brannoc"
    storm.do("attack mira hit 4")
    assert storm.hp("mira") == 20


def test_a_shadow_of_anybody_there(storm: Fight) -> None:
    storm.do("world shadow-puppet", faces=(3,))
    assert storm.who("shadow-of-ghoul-1")["side"] == "others"


def test_leeches_join_with_what_the_table_says_of_them(fight: Fight) -> None:
    fight.do("environment swampy", *["next"] * 4)
    fight.do("world leeches 22", faces=(11,))
    leeches = fight.who("leeches")
    assert (leeches["name"], leeches["side"], leeches["initiative"]) == ("Leeches", "others", 11)
    assert (fight.hp("leeches"), fight.track("world", "leeches")) == (22, 0)


def test_leeches_without_numbers_have_none(fight: Fight) -> None:
    fight.do("environment swampy", *["next"] * 4)
    fight.do("world leeches", faces=(1,))
    assert "hp" not in fight.who("leeches")["tracks"]
    fight.refuses("damage leeches 3", "has no HP")


# -- the mirror ------------------------------------------------------------------------------------


def test_a_mirror_turns_a_spell_back(fight: Fight) -> None:
    fight.do("next", "react reflect mira success by brannoc")
    assert fight.track("brannoc", "reaction") == 0
    assert "the mirror breaks" in fight.notes
    fight.refuses("react reflect mira success by brannoc", "reaction used")


def test_the_mirror_is_dexterity_against_the_casters_check(fight: Fight) -> None:
    fight.do("next", "react reflect mira natural 12 dc 13 by brannoc")
    assert (fight.rolled.total, fight.outcome) == (13, "success")
    fight.do("react reflect mira natural 12 by ghoul-1", faces=(13,))
    assert (fight.rolled.dc, fight.rolled.total, fight.outcome) == (15, 14, "failure")


# -- the tables ------------------------------------------------------------------------------------


def test_the_nine_environments_with_all_that_is_there(fight: Fight) -> None:
    rows = fight.ruleset.tables.environments
    assert tuple(rows) == NAMED
    assert (len(features_of(rows)), len(actions_of(rows))) == (25, 11)
    assert all(row.text for row in (*rows.values(), *features_of(rows).values()))
    assert environment_name("flame-burst", actions_of(rows)["flame-burst"]) == "Flame Burst"


def test_names_as_people_write_them_are_understood(storm: Fight) -> None:
    storm.do('world "Forceful Gale" mira failure', 'feature "Burning Surface" mira 2')
    assert storm.hp("mira") == 22


def test_one_undo_takes_all_of_it_back(fight: Fight) -> None:
    before = fight.shown["combatants"]
    fight.do("environment stormy", "undo")
    assert fight.shown["combatants"] == before
