"""The actions in combat and the reactions, each with its price. Level Up, Actions in Combat."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Fight = Any
GIANT = "add monster Giant size huge hp 90 ac 12 attack club +9 2d8+5"
EMBER = 'cast "Ember" at ghoul-1 natural 9 6 fire'


def lean(fight: Fight) -> int:
    return int(fight.rolled.lean)


def paid(fight: Fight, who: str) -> tuple[int, int, int]:
    """What is left: action, bonus action, reaction."""
    return tuple(fight.track(who, track) for track in ("action", "bonus_action", "reaction"))


def option(fight: Fight, technique: str) -> dict[str, Any]:
    """A technique as it stands for Brannoc."""
    options: list[dict[str, Any]] = fight.who("brannoc")["options"]
    return next(o for o in options if o["technique"] == technique)


# -- cast ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("", (0, 1, 1)),
        ("action", (0, 1, 1)),
        ("bonus", (1, 0, 1)),
        ("reaction", (1, 1, 0)),
        ("none", (1, 1, 1)),
    ],
)
def test_a_spell_costs_what_is_said(fight: Fight, said: str, left: tuple[int, int, int]) -> None:
    """Level Up, Cast a Spell."""
    fight.do("next", f'cast "Cold Rain" {said}')
    assert paid(fight, "mira") == left
    assert fight.history.undo_title == "Mira casts Cold Rain"


def test_a_spell_by_the_reaction_is_cast_in_anybodys_turn(fight: Fight) -> None:
    """Level Up, Cast a Spell, Use a Combat Maneuver: and so is a maneuver."""
    fight.do("cast Ward reaction by mira", "maneuver Parry reaction by ghoul-1")
    assert (paid(fight, "mira"), paid(fight, "ghoul-1")) == ((1, 1, 0), (1, 1, 0))
    fight.refuses("cast Ward reaction by mira", "reaction used")
    fight.refuses("cast Ward by ghoul-2", "Brannoc's turn")


def test_a_spell_attack_adds_the_spell_bonus(fight: Fight) -> None:
    """Level Up, Cast a Spell."""
    fight.do("next", EMBER)
    assert fight.history.undo_title == "Mira casts Ember at Ghoul 1, hit 6 fire"
    assert (fight.rolled.total, fight.hp("ghoul-1")) == (13, 16)
    fight.refuses(EMBER, "action used")
    fight.do("next", "next", "next")
    fight.refuses(EMBER, "spell attack bonus")


def test_a_spell_can_be_concentrated_on(fight: Fight) -> None:
    """Level Up, Cast a Spell."""
    fight.do("next", "cast Fog concentration")
    shown = next(e for e in fight.who("mira")["effects"] if e["name"] == "concentrating")
    assert shown["note"] == "Fog"


# -- movement --------------------------------------------------------------------------------------


def test_dash_doubles_the_speed_after_all_that_changes_it(fight: Fight) -> None:
    """Level Up, Dash: 30 reduced by 15 is 30; what is left grows by as much."""
    fight.do("modifier brannoc -15 speed", "move 10", "dash")
    assert (fight.total("brannoc", "speed"), fight.track("brannoc", "movement")) == (30, 20)
    fight.do("next")
    assert fight.total("brannoc", "speed") == 15


def test_difficult_ground_and_crawling_cost_a_foot_more_each(fight: Fight) -> None:
    """Level Up, Difficult Terrain; ruling 32."""
    fight.do("move 5 difficult")
    assert fight.track("brannoc", "movement") == 20
    fight.do("inflict brannoc prone", "move 5")
    assert fight.track("brannoc", "movement") == 10
    fight.refuses("move 5 difficult", "10 Movement left")
    fight.do("move 3 crawling difficult")
    assert fight.track("brannoc", "movement") == 1
    fight.refuses("move 5 down", "in the air")


def test_standing_up_costs_nothing(fight: Fight) -> None:
    """Level Up, ruling 32."""
    fight.refuses("stand", "not prone")
    fight.do("inflict brannoc prone", "stand")
    assert "prone" not in fight.effects("brannoc")
    assert paid(fight, "brannoc") == (1, 1, 1) and fight.track("brannoc", "movement") == 30


# -- dodge, help -----------------------------------------------------------------------------------


def test_dodging(fight: Fight) -> None:
    """Level Up, Dodge; ruling 19: against attackers that one can see; Dexterity saves have
    advantage."""
    fight.do("dodge", "check brannoc dex save natural 3,9 dc 9")
    assert lean(fight) == 1
    fight.do("check brannoc str save natural 9 dc 9", "next", "next")
    fight.do("attack brannoc roll 3", faces=(9, 3))
    assert lean(fight) == -1
    fight.do("next", "attack brannoc roll 3 unseen", faces=(9, 3))
    assert lean(fight) == 1
    fight.do("next")
    assert "dodging" not in fight.effects("brannoc")


def test_nobody_dodges_at_speed_0(fight: Fight) -> None:
    """Level Up, Dodge."""
    fight.do("modifier brannoc -30 speed")
    fight.refuses("dodge", "speed 0")


def test_help_with_a_task(fight: Fight) -> None:
    """Level Up, Help; ruling 34: one check, before the helper's next turn; no attack and no
    save."""
    fight.do(
        "help mira", "next", "attack ghoul-1 natural 9 3", "check mira dex save natural 9 dc 5"
    )
    assert lean(fight) == 0 and "helped" in fight.effects("mira")
    fight.do("check mira wis natural 3,9 dc 9")
    assert lean(fight) == 1
    fight.refuses("check mira wis natural 3,9 dc 9", "there is neither")
    fight.do("next", "help ghoul-2", "next", "next", "next", "next")
    assert "helped" not in fight.effects("ghoul-2")
    fight.refuses("help ghoul-1", "can't help themself")


def test_help_with_an_attack(fight: Fight) -> None:
    """Level Up, Help: against that target alone, once."""
    fight.do("help mira against ghoul-1", "next")
    fight.refuses("attack ghoul-2 natural 3,9 5", "there is neither")
    fight.do("attack ghoul-2 natural 9 5")
    assert "helped-attack" in fight.effects("mira")
    fight.do("undo", "attack ghoul-1 natural 3,9 5")
    assert (lean(fight), "helped-attack" in fight.effects("mira")) == (1, False)


# -- hide, search ----------------------------------------------------------------------------------


def test_hiding_goes_against_the_best_passive_perception(fight: Fight) -> None:
    """Level Up, Hide; ruling 18: as much is enough; cover adds to it."""
    fight.do("set ghoul-2 passive-perception 14", "next", "hide natural 9")
    assert (fight.rolled.total, fight.rolled.dc, fight.rolled.outcome) == (14, 14, "success")
    assert "hidden" in fight.effects("mira")
    fight.do("undo", "hide natural 6 three-quarters-cover")
    assert (fight.rolled.total, fight.rolled.outcome) == (16, "success")
    fight.do("undo", "hide natural 6 from ghoul-1")
    assert (fight.rolled.dc, fight.rolled.outcome) == (10, "success")
    fight.do("undo", "hide natural 6 dc 20")
    assert "hidden" not in fight.effects("mira") and fight.track("mira", "action") == 0


def test_a_modifier_to_hiding(fight: Fight) -> None:
    """Hiding is a check as well."""
    fight.do("modifier mira +2 hide", "modifier mira +1 check", "next", "hide natural 2")
    assert fight.rolled.total == 10
    assert fight.total("mira", "hide") == 3


def test_searching(fight: Fight) -> None:
    """Level Up, Search."""
    fight.do("search perception natural 11 dc 12")
    assert (fight.rolled.total, fight.rolled.outcome) == (12, "success")
    fight.do("next", "search investigation natural 10 dc 12")
    assert (fight.rolled.total, fight.rolled.outcome) == (11, "failure")
    fight.refuses("search perception natural 3", "action used")


# -- press and fall back ---------------------------------------------------------------------------


def test_pressing_gives_all_attacks_of_the_action_advantage(fight: Fight) -> None:
    """Level Up, Press the Attack: by the bonus action, and against one until one's next turn."""
    fight.do("press-the-attack", "attack ghoul-1 roll 3", faces=(2, 9))
    assert lean(fight) == 1 and paid(fight, "brannoc") == (0, 0, 1)
    fight.do("attack ghoul-2 roll 3", faces=(2, 9))
    assert lean(fight) == 1
    fight.do("next", "next", "attack brannoc roll 3", faces=(2, 9))
    assert lean(fight) == 1
    fight.do("react opportunity-attack ghoul-1 roll 3 by brannoc", faces=(9,))
    assert lean(fight) == 0
    fight.do("next", "next")
    assert "pressing" not in fight.effects("brannoc")


def test_pressing_comes_before_the_first_roll(fight: Fight) -> None:
    """Level Up, Press the Attack; ruling 35: a maneuver is no roll; another action leaves nothing
    to press."""
    fight.do("grapple ghoul-1 success", "press-the-attack", "attack ghoul-1 roll 3", faces=(2, 9))
    assert lean(fight) == 1
    fight.do("undo 3", "attack ghoul-1 miss")
    fight.refuses("press-the-attack", "rolled already")
    fight.do("undo", "dodge")
    fight.refuses("press-the-attack", "no Attack action")


def test_nobody_presses_with_disadvantage_on_attacks(fight: Fight) -> None:
    """Level Up, Press the Attack."""
    fight.do("modifier brannoc dis attack")
    fight.refuses("press-the-attack", "disadvantage on attacks")


def test_what_is_once_a_turn_is_offered_once_a_turn(fight: Fight) -> None:
    """Level Up, Press the Attack: a second bonus action doesn't press again."""
    fight.do("press-the-attack", "set brannoc bonus_action 1")
    assert option(fight, "press-the-attack")["reason"] == "once a turn"
    fight.refuses("press-the-attack", "once a turn")
    fight.do(*["next"] * 4)
    assert option(fight, "press-the-attack")["available"] is True


def test_falling_back(fight: Fight) -> None:
    """Level Up, Fall Back; ruling 14: no advantage against that one, and its attacks have
    disadvantage."""
    fight.do("press-the-attack", "react fall-back brannoc by ghoul-1")
    assert fight.track("ghoul-1", "reaction") == 0
    fight.refuses("attack ghoul-1 natural 3,9 3", "there is neither")
    fight.do("attack ghoul-2 roll 3", faces=(2, 9))
    assert lean(fight) == 1
    fight.do("next", "next", "attack mira roll 3", faces=(2, 9))
    assert lean(fight) == -1
    fight.do("next")
    assert "fallen-back" not in fight.effects("ghoul-1")


def test_falling_back_is_for_right_then(fight: Fight) -> None:
    """Level Up, Fall Back: not before, not after the roll, not by oneself, not in a rage."""
    fight.refuses("react fall-back by ghoul-1", "nobody presses")
    fight.do("press-the-attack")
    fight.refuses("react fall-back by brannoc", "nobody presses")
    fight.refuses("react fall-back ghoul-2 by ghoul-1", "does not press")
    fight.do("inflict ghoul-2 raging")
    fight.refuses("react fall-back by ghoul-2", "raging")
    fight.do("attack ghoul-1 miss")
    fight.refuses("react fall-back by ghoul-1", "nobody presses")


# -- ready -----------------------------------------------------------------------------------------


def test_what_is_readied_takes_the_reaction(fight: Fight) -> None:
    """Level Up, Ready."""
    fight.do('ready attack "the ghoul leaps"')
    assert paid(fight, "brannoc") == (0, 1, 1)
    fight.do("next", "next", "trigger ghoul-1 hit 8 by brannoc")
    assert (fight.hp("ghoul-1"), fight.track("brannoc", "reaction")) == (14, 0)
    assert "readied" not in fight.effects("brannoc")
    fight.refuses("trigger ghoul-1 hit 8 by brannoc", "nothing readied")


def test_it_is_lost_at_the_start_of_ones_next_turn(fight: Fight) -> None:
    """Level Up, Ready; ruling 31; and waits no longer than a reaction is left."""
    fight.do("ready dash", "next", 'react "ducks" by brannoc')
    fight.refuses("trigger by brannoc", "reaction used")
    fight.do("next", "next", "next")
    assert "readied" not in fight.effects("brannoc")


def test_a_readied_dash_moves_in_anothers_turn(fight: Fight) -> None:
    """Level Up, Ready: it is over with that turn."""
    fight.do("ready dash", "next", "trigger by brannoc")
    assert fight.total("brannoc", "speed") == 60
    fight.do("next")
    assert fight.total("brannoc", "speed") == 30


def test_a_readied_spell_is_concentrated_on_until_it_is_released(fight: Fight) -> None:
    """Level Up, Ready."""
    fight.do("next", 'ready cast "Grave Cold" "somebody speaks"')
    assert {"readied", "concentrating"} <= fight.effects("mira")
    fight.do("next", "trigger ghoul-1 natural 9 6 cold by mira")
    assert fight.hp("ghoul-1") == 16
    assert not fight.effects("mira") & {"readied", "concentrating"}
    fight.do("undo", "remove mira concentrating")
    assert "readied" not in fight.effects("mira")


def test_what_takes_no_action_is_not_readied(fight: Fight) -> None:
    """Level Up, Ready."""
    for what in ("off-hand", "sprint", "interact", "ready", "press-the-attack"):
        fight.refuses(f"ready {what}", "an action to ready")
    fight.do("ready attack")
    fight.refuses("ready attack", "readied already")


# -- sprint ----------------------------------------------------------------------------------------


def test_a_sprint_and_nothing_else(fight: Fight) -> None:
    """Level Up, Sprint: four times the speed, in this turn; attacks against one have advantage
    longer."""
    fight.do("sprint")
    assert (fight.total("brannoc", "speed"), fight.track("brannoc", "movement")) == (120, 120)
    for line in ("attack ghoul-1 hit 5", "cast Spark bonus", "dash", 'react "shouts"'):
        fight.refuses(line, "it sprints this turn")
    fight.refuses("off-hand ghoul-1 hit 5", "no attack this turn")
    fight.do("next")
    assert fight.total("brannoc", "speed") == 30
    fight.do("next", "attack brannoc roll 3", faces=(2, 9))
    assert lean(fight) == 1
    fight.do("react opportunity-attack ghoul-1 hit 2 by brannoc", "next", "next")
    assert "sprinting" not in fight.effects("brannoc")


def test_an_action_or_bonus_action_before_bars_it(fight: Fight) -> None:
    """Level Up, Sprint."""
    fight.do("tumble ghoul-1 let")
    fight.refuses("sprint", "bonus action used")
    fight.do("undo", "dash")
    fight.refuses("sprint", "action used")


def round_of_sprints(fight: Fight, *lines: str) -> None:
    for line in lines:
        fight.do(line, "next", "next", "next", "next")


def test_free_sprints_and_those_with_a_check(fight: Fight) -> None:
    """Level Up, Sprint: Constitution +2 are two for free; then DC 10, and 1 more for each check
    before."""
    fight.refuses("sprint natural 9", "no check is due")
    round_of_sprints(fight, "sprint", "sprint")
    assert fight.track("brannoc", "sprints") == 2
    fight.refuses("sprint", "DC 10")
    fight.do("sprint encumbered natural 5")
    assert (fight.rolled.total, fight.rolled.dc, fight.rolled.outcome) == (10, 10, "success")
    assert fight.total("brannoc", "speed") == 90
    fight.do("next", "next", "next", "next", "sprint natural 5")
    assert (fight.rolled.dc, fight.rolled.outcome) == (11, "failure")
    assert fight.tired("brannoc") == (1, 0) and "winded" in fight.effects("brannoc")


def test_fatigue_of_sprinting_goes_a_minute_after_the_last_one(fight: Fight) -> None:
    """Level Up, Sprint; ruling 17: and so do the sprints that count."""
    fight.do("next", "sprint failure")
    assert fight.tired("mira") == (1, 0)
    fight.do(*["next"] * 36)
    assert (fight.state.round, fight.tired("mira")) == (10, (1, 0))
    fight.do("sprint failure")
    assert (fight.rolled.dc, fight.tired("mira")) == (11, (2, 0))
    fight.do(*["next"] * 39)
    assert (fight.tired("mira"), fight.track("mira", "sprints")) == ((2, 0), 2)
    fight.do("next")
    assert (fight.tired("mira"), fight.track("mira", "sprints")) == ((0, 0), 0)
    assert "winded" not in fight.effects("mira")


def test_felt_fatigue_bars_a_sprint(fight: Fight) -> None:
    """Level Up, Sprint; ruling 5: that of this fight does not yet."""
    fight.do("mark brannoc fatigue")
    assert fight.option("brannoc", "sprint")["available"] is True
    fight.do("end", "init brannoc 17", "init mira 12", "init ghoul-1,ghoul-2 9", "start")
    fight.refuses("sprint", "fatigue")


# -- tumble ----------------------------------------------------------------------------------------


def test_tumbling_takes_the_bonus_action_while_there_is_one(fight: Fight) -> None:
    """Level Up, Tumble; ruling 37."""
    fight.do("tumble ghoul-1 natural 11")
    assert (fight.rolled.total, fight.rolled.dc, fight.rolled.outcome) == (12, 12, "success")
    assert "tumbling" in fight.effects("brannoc") and paid(fight, "brannoc") == (1, 0, 1)
    fight.do("tumble ghoul-2 natural 3")
    assert paid(fight, "brannoc") == (0, 0, 1)
    fight.do("next", "tumble ghoul-2 natural 9 action")
    assert paid(fight, "mira") == (0, 1, 1)
    assert "tumbling" not in fight.effects("brannoc")


def test_a_failed_tumble_leads_nowhere(fight: Fight) -> None:
    """Level Up, Tumble."""
    fight.do("tumble ghoul-1 failure")
    assert "tumbling" not in fight.effects("brannoc")
    fight.refuses("tumble ghoul-2", "give the outcome")


def test_size_helps_and_hinders_a_tumble(with_more: Callable[..., Fight]) -> None:
    """Level Up, Tumble: two sizes larger needs no save."""
    fight = with_more(GIANT)
    fight.do("next", "tumble ghoul-1 roll", faces=(3, 9))
    assert lean(fight) == 1
    fight.do("next", "tumble mira roll", faces=(3, 9))
    assert lean(fight) == -1
    fight.do("next", "next", "tumble brannoc")
    assert "tumbling" in fight.effects("giant") and not fight.rolls
    fight.refuses("tumble mira success", "no save is made")


def test_let_pass_there_is_no_save(fight: Fight) -> None:
    """Level Up, Tumble."""
    fight.do("tumble ghoul-1 let")
    assert "tumbling" in fight.effects("brannoc") and not fight.rolls


def test_acrobatics_gives_an_expertise_die(with_more: Callable[..., Fight]) -> None:
    """Level Up, Tumble: a d6 with the specialty; what it showed may be said."""
    fight = with_more("add pc Odo hp 9 ac 12 dex 1 skills acrobatics specialty tumbling")
    fight.do(*["next"] * 4)
    fight.do("tumble ghoul-1 natural 5", faces=(6,))
    assert fight.rolled.total == 12
    fight.do("undo", "tumble ghoul-1 natural 5 expertise 2")
    assert fight.rolled.total == 8


def test_a_plain_expertise_die_is_a_d4_or_as_the_setting_says(
    with_more: Callable[..., Fight],
) -> None:
    """Level Up, ruling 4."""
    fight = with_more("add pc Odo hp 9 ac 12 dex 1 skills acrobatics")
    fight.do(*["next"] * 4)
    fight.do("tumble ghoul-1 natural 5", faces=(4,))
    fight.do("undo", "setting expertise-die d8", "tumble ghoul-1 natural 5", faces=(8,))
    assert fight.rolled.total == 14


# -- maneuvers -------------------------------------------------------------------------------------


def test_a_basic_maneuver_stands_for_an_attack(fight: Fight) -> None:
    """Level Up, Use a Basic Maneuver, Attack."""
    fight.do("shove ghoul-1 failure", "attack ghoul-1 hit 3")
    assert (fight.track("brannoc", "action"), fight.track("brannoc", "attacks")) == (0, 0)
    fight.refuses("disarm ghoul-1 success", "action used")


def test_what_basic_maneuvers_lay(fight: Fight) -> None:
    """Level Up, Use a Basic Maneuver; ruling 15: their outcome is called."""
    fight.do("grapple ghoul-1 success", "knockdown ghoul-2 success")
    effect = next(e for e in fight.who("ghoul-1")["effects"] if e["name"] == "grappled")
    assert effect["source"] == "brannoc" and "prone" in fight.effects("ghoul-2")
    fight.do("undo", "knockdown ghoul-2 failure")
    assert "prone" not in fight.effects("ghoul-2")
    for line in ("overrun ghoul-1 success", "disarm ghoul-1 success"):
        fight.do("next", "next", "next", "next", line)
    fight.refuses("grapple ghoul-1 natural 12", "one of success or failure")
    fight.refuses("grapple brannoc success", "themself")


def test_a_grapple_ends_with_its_source(fight: Fight) -> None:
    """Unconscious, dead or gone, or when it lets go."""
    fight.do("grapple ghoul-1 success", "damage brannoc 40")
    assert "grappled" not in fight.effects("ghoul-1")
    fight.do("undo", "release ghoul-1")
    assert "grappled" not in fight.effects("ghoul-1") and fight.track("brannoc", "attacks") == 1
    fight.refuses("release", "holds nobody")
    fight.do("undo")
    fight.refuses("release ghoul-2", "doesn't hold")


def test_a_combat_maneuver_at_its_price(with_more: Callable[..., Fight]) -> None:
    """Level Up, Use a Combat Maneuver."""
    fight = with_more("add pc Odo hp 9 ac 12 exertion 3")
    fight.refuses("maneuver Whirl exertion 1", "no exertion")
    fight.do("maneuver Whirl bonus", *["next"] * 4)
    fight.do('maneuver "Heel Kick" none exertion 2')
    assert (fight.track("odo", "exertion"), paid(fight, "odo")) == (1, (1, 1, 1))
    fight.refuses('maneuver "Heel Kick" none exertion 2', "1 Exertion left")
    fight.do('maneuver "Heel Kick" exertion 1')
    assert paid(fight, "odo") == (0, 1, 1)


# -- objects, first aid, escape --------------------------------------------------------------------


def test_one_object_is_free_and_others_take_the_action(fight: Fight) -> None:
    """Level Up, Use an Object."""
    fight.do('interact "draws a torch"')
    fight.refuses('interact "kicks the door"', "interaction used")
    fight.do("use healing draught on mira")
    assert fight.history.undo_title == "Brannoc uses healing draught on Mira"
    fight.refuses("use rope", "action used")


def test_first_aid_is_offered_while_somebody_is_dying(fight: Fight) -> None:
    """Level Up, Stabilizing a Creature: the stable need none."""
    assert option(fight, "first-aid")["reason"] == "nobody is dying"
    fight.do("damage mira 24")
    assert option(fight, "first-aid")["available"] is True
    fight.do("knock-out mira")
    assert option(fight, "first-aid")["available"] is False


def test_first_aid_stabilises(fight: Fight) -> None:
    """Level Up, Stabilizing a Creature."""
    fight.refuses("first-aid mira natural 9", "not dying")
    fight.do("damage mira 24", "first-aid mira natural 8")
    assert (fight.rolled.total, fight.rolled.outcome) == (9, "failure")
    assert (fight.who("mira")["life"], fight.track("brannoc", "action")) == ("dying", 0)
    fight.do("undo", "first-aid mira natural 9")
    assert (fight.rolled.dc, fight.who("mira")["life"]) == (10, "stable")


def test_escaping_a_grapple(fight: Fight) -> None:
    """Level Up, Actions in Combat."""
    fight.refuses("escape", "nothing to escape")
    fight.do("inflict brannoc grappled from ghoul-1")
    fight.refuses("escape", "say how it came out")
    fight.refuses("escape poisoned success", "isn't poisoned")
    fight.do("escape failure")
    fight.refuses("escape poisoned success", "isn't poisoned")  # before what it would cost
    assert "grappled" in fight.effects("brannoc") and fight.track("brannoc", "action") == 0
    fight.do("undo", "escape grappled natural 13 dc 12")
    assert "grappled" not in fight.effects("brannoc")


def test_what_a_collapse_holds_says_what_escaping_is_against(fight: Fight) -> None:
    """Loose Foundation: escape DC 12."""
    fight.do("feature loose-foundation brannoc", "escape grappled natural 11")
    assert (fight.rolled.dc, fight.rolled.outcome) == (12, "failure")
    fight.do("undo", "escape grappled natural 12")
    assert fight.effects("brannoc") == {"suffocating"}


# -- whatever else ---------------------------------------------------------------------------------


def test_improvising(fight: Fight) -> None:
    """Level Up, Actions in Combat."""
    fight.do('react "pulls the lever" by mira')
    assert paid(fight, "mira") == (1, 1, 0)
    fight.refuses('react "again" by mira', "reaction used")
    fight.refuses("react parry by ghoul-1", "expected a reaction")


def test_the_unconscious_can_do_none_of_it(fight: Fight) -> None:
    """Level Up, Actions in Combat."""
    fight.do("inflict brannoc unconscious")
    assert not any(o["available"] for o in fight.who("brannoc")["options"])
    fight.refuses("dash", "unconscious")
    fight.refuses('react "moans"', "unconscious")
