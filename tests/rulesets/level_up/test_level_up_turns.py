"""Rounds and turns, initiative, surprise, and what `add` takes. Level Up, Actions in Combat;
rulings 1 and 2."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.rulesets.level_up.conftest import BRANNOC, GHOULS, MIRA

Fight = Any
LEFT = ("action", "bonus_action", "reaction", "interaction", "attacks", "off_hand", "movement")


def left(fight: Fight, who: str) -> tuple[int, ...]:
    return tuple(fight.track(who, name) for name in LEFT)


def test_what_a_turn_has(fight: Fight) -> None:
    """Level Up, Actions in Combat."""
    assert left(fight, "brannoc") == (1, 1, 1, 1, 0, 0, 30)
    tracks = fight.who("brannoc")["tracks"]
    assert tracks["attacks"]["max"] == 2 == tracks["off_hand"]["max"]
    assert fight.who("mira")["tracks"]["off_hand"]["max"] == 1


def test_outside_of_a_fight_nothing_is_paid(gathered: Fight) -> None:
    """Level Up, Actions in Combat."""
    gathered.do("attack ghoul-1 hit 3 by brannoc", "dash by brannoc", "use by brannoc")
    gathered.do(
        "interact by brannoc",
        "interact by brannoc",
        "react opportunity-attack ghoul-1 hit 2 by mira",
    )
    assert left(gathered, "brannoc")[:4] == (1, 1, 1, 1)
    assert gathered.track("mira", "reaction") == 1


def test_all_of_it_is_back_at_the_start_of_ones_turn(fight: Fight) -> None:
    """Level Up, Actions in Combat; ruling 1; not before."""
    fight.do("attack ghoul-1 miss", "off-hand ghoul-1 miss", "interact", "move 20", "next")
    fight.do('react "shouts" by brannoc')
    assert left(fight, "brannoc") == (0, 0, 0, 0, 1, 1, 10)
    fight.do("next", "next", "next")
    assert left(fight, "brannoc") == (1, 1, 1, 1, 0, 0, 30)


def test_the_next_fight_begins_with_all_of_it(fight: Fight) -> None:
    """Level Up, Actions in Combat."""
    fight.do('react "ducks" by mira', "attack ghoul-1 miss", "end")
    assert left(fight, "mira") == (1, 1, 1, 1, 0, 0, 30) == left(fight, "brannoc")


def test_who_is_not_up_can_only_react(fight: Fight) -> None:
    """Level Up, Actions in Combat: actions in one's own turn alone; reactions in anybody's."""
    fight.refuses("attack brannoc hit 3 by ghoul-1", "Brannoc's turn")
    fight.do("react opportunity-attack brannoc hit 3 by ghoul-1")
    fight.refuses("react opportunity-attack brannoc hit 3 by ghoul-1", "reaction used")


def test_initiative_is_a_d20_and_init(new_fight: Callable[..., Fight]) -> None:
    fight = new_fight(BRANNOC, MIRA, "init mira natural 9", "init brannoc natural 4")
    assert [fight.who(w)["initiative"] for w in ("mira", "brannoc")] == [12, 5]
    fight.do("modifier brannoc +2 initiative", "init brannoc natural 4")
    assert fight.who("brannoc")["initiative"] == 7
    fight.refuses("init brannoc natural 4,9", "there is neither")


def test_ties_go_by_init_then_characters_then_as_added(new_fight: Callable[..., Fight]) -> None:
    """Level Up, ruling 2."""
    fight = new_fight(
        "add monster Rat hp 3 init 1",
        "add monster Bat hp 3 init 2",
        "add pc Ann hp 9 init 1",
        "add pc Bo hp 9 init 1",
        "init rat 10",
        "init bo 10",
        "init ann 10",
        "init bat 10",
    )
    assert fight.shown["order"] == ["bat", "ann", "bo", "rat"]


def test_the_surprised_do_nothing_in_their_first_turn(new_fight: Callable[..., Fight]) -> None:
    """Level Up, ruling 2: no action, bonus action, movement; no reaction until it is over."""
    fight = new_fight(
        BRANNOC, GHOULS, "surprise brannoc", "init brannoc 9", "init ghoul-1,ghoul-2 5"
    )
    fight.do("start")
    for line in ("dash", "attack ghoul-1 hit 3", "move 5", "tumble ghoul-1 let"):
        fight.refuses(line, "surprised")
    fight.refuses("react opportunity-attack ghoul-1 hit 3 by brannoc", "surprised")
    fight.do("next")
    assert "surprised" not in fight.effects("brannoc")
    fight.do("react opportunity-attack ghoul-1 hit 3 by brannoc")


def test_who_has_had_a_turn_is_not_surprised_any_more(fight: Fight) -> None:
    """Level Up, ruling 2."""
    fight.refuses("surprise brannoc", "had a turn")
    fight.do("surprise mira", "next")
    fight.refuses("dash", "surprised")


def test_delay_and_return(fight: Fight) -> None:
    """As in the other systems, and only before anything was done."""
    fight.do("delay", "next", "return brannoc")
    assert fight.shown["turn"] == "brannoc"
    fight.do("interact")
    fight.refuses("delay", "already acted")


def test_who_is_dead_does_not_come_back_in(fight: Fight) -> None:
    """Level Up, Massive Damage and Instant Death: what they held back is lost with them."""
    fight.do("delay", "damage brannoc 40", "massive brannoc failure")
    fight.refuses("return brannoc", "Brannoc can't come back in: dead")


def test_a_delayed_turn_comes_before_the_next_turn_of_whom_it_interrupts(fight: Fight) -> None:
    """Level Up, Monsters, NPCs, and Death: brought to 0 just before its turn, a dramatic one has
    that turn and no other."""
    fight.do("add monster Seer hp 20 ac 12 dramatic", faces=(14,))
    fight.do("delay", "return brannoc")
    fight.do("attack seer hit 20", "inflict mira poisoned until end of seer", "next")
    assert (fight.shown["turn"], fight.who("seer")["life"]) == ("seer", "up")
    fight.do("next")
    assert fight.who("seer")["life"] == "dead"
    assert "poisoned" not in fight.effects("mira")


# -- what `add` takes ------------------------------------------------------------------------------


def test_add_takes_every_number(new_fight: Callable[..., Fight]) -> None:
    """18."""
    fight = new_fight(
        "add pc Odo hp 12/30 ac 15 init 2 speed 25 level 8 pb 3 str 1 dex 2 con 3 int 4 wis -1"
        " cha 0 saves wis,int skills arcana,stealth specialty tumbling passive-perception 14"
        " passive-investigation 12 maneuver-dc 14 spell 6 attacks 2 shield 2 size large exertion 4"
        " resist fire,cold vulnerable acid immune poison,prone swim fly blindsight"
        ' attack "Long Axe" +6 2d6+4 slashing melee heavy magical attack dart +4 1d4 ranged thrown'
    )
    tracks = {name: track["value"] for name, track in fight.who("odo")["tracks"].items()}
    assert (tracks["hp"], tracks["shield"], tracks["exertion"]) == (12, 2, 4)
    totals = fight.who("odo")["totals"]
    assert (totals["ac"], totals["speed"], totals["massive"]) == (15, 25, 44)
    assert list(fight.ruleset.actions.weapons(fight["odo"])) == ["Long Axe", "dart"]


def test_what_is_not_said_has_its_default(new_fight: Callable[..., Fight]) -> None:
    """The proposals of `add`."""
    fight = new_fight(
        "add monster Rat hp 3", "add pc Ann hp 9", "init ann 9", "init rat 5", "start"
    )
    assert fight.total("rat", "speed") == 30
    fight.do("hide natural 10 by ann", "undo", "tumble rat natural 9")
    assert (fight.rolled.dc, fight.rolled.outcome) == (10, "failure")


def test_one_save_alone_is_no_number(new_fight: Callable[..., Fight]) -> None:
    """18: `saves dex` is a list of one."""
    fight = new_fight("add pc Ann hp 9 pb 2 dex 1 saves dex str 3")
    fight.do("check ann dex save natural 9 dc 12", "check ann str natural 9 dc 12")
    assert (fight.rolled.total, fight.rolled.outcome) == (12, "success")
    fight.refuses("add pc Bo hp 9 saves dexterity", "abilities after saves")


def test_totals_and_their_parts(fight: Fight) -> None:
    """18: `why` tells the parts."""
    names = {"attack", "damage", "damage_taken", "check", "save", "hide", "initiative"}
    assert set(fight.who("mira")["totals"]) == names | {"ac", "speed", "massive"}
    fight.do("modifier brannoc -15 speed", "dash")
    assert fight.total("brannoc", "speed") == 30
    assert fight.why("brannoc", "speed")[0] == (30, "own speed")
    assert ("doubled", "dashing") in fight.why("brannoc", "speed")
    assert (fight.why("brannoc", "massive")) == [(20, "for everybody"), (15, "by level")]


def test_the_options_of_everybody(fight: Fight) -> None:
    """All names; the Attack action costs once, then its attacks."""
    names = {option["technique"] for option in fight.who("brannoc")["options"]}
    wanted = """attack off-hand press-the-attack cast dash disengage dodge help hide ready search
        sprint tumble disarm grapple knockdown overrun shove maneuver use interact first-aid escape
        release stand opportunity-attack fall-back block"""
    assert set(wanted.split()) <= names
    assert fight.option("brannoc", "attack")["cost"] == {"action": 1}
    fight.do("attack ghoul-1 miss")
    assert fight.option("brannoc", "attack")["cost"] == {"attacks": 1}
    assert fight.option("brannoc", "shove")["cost"] == {"attacks": 1}
    fight.do("attack ghoul-1 miss")
    assert fight.option("brannoc", "attack")["available"] is False
    assert fight.reason("brannoc", "attack") == "action used"
