"""Delay and return, ready and its trigger."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from affray.core.engine.state import Duration, Effect
from affray.core.formatting.effects import effect_with_amounts

if TYPE_CHECKING:
    from tests.rulesets.monsters_and_magic.conftest import Fight


def test_delay_holds_the_turn_back_until_return(fight: Fight) -> None:
    """Issue 2, initiative: delay and return."""
    fight.do("delay")
    assert fight.shown["turn"] == "mira"
    fight.do("next", "return")
    assert fight.shown["turn"] == "brannoc"
    fight.do("strike ghoul-1 strong 5", "next")
    assert fight.shown["turn"] == "ghoul-1"
    fight.do("next", "next")
    assert (fight.shown["turn"], fight.shown["round"]) == ("mira", 2)


def test_who_has_acted_cannot_delay(fight: Fight) -> None:
    """Issue 2, initiative: delay and return."""
    fight.do("move")
    fight.refuses("delay", "already acted")
    fight.refuses("delay by mira", "not Mira's turn")
    fight.refuses("return", "nobody has delayed")


def test_a_delayed_turn_that_never_comes_is_lost(fight: Fight) -> None:
    """A duration survives a delayed turn."""
    fight.do("inflict brannoc weakened", "delay", *["next"] * 3)
    assert (fight.shown["turn"], fight.shown["round"]) == ("brannoc", 2)
    fight.refuses("return brannoc", "not delayed")


def test_an_effect_waits_for_the_delayed_turns_end(fight: Fight) -> None:
    """A duration survives a delayed turn."""
    fight.do("next", "inflict brannoc weakened", *["next"] * 3, "delay", "next")
    assert "weakened" in fight.effects("brannoc")
    fight.do("return", "next")
    assert "weakened" not in fight.effects("brannoc")


def test_ready_pays_now_and_acts_with_the_reaction(fight: Fight) -> None:
    """Monsters & Magic, Ready an Action."""
    fight.do('ready strike "the door opens"')
    assert fight.track("brannoc", "ap") == 2
    fight.do("next", "trigger ghoul-1 strong 8 slashing")
    assert fight.track("ghoul-1", "hp") == 12
    assert (fight.track("brannoc", "ap"), fight.track("brannoc", "reaction")) == (2, 0)
    assert fight.effects("brannoc") == set()


@pytest.mark.parametrize(
    "line",
    [
        "trigger ghoul-1 strong 8",
        "trigger strike ghoul-1 strong 8",
        "trigger ghoul-1 strong 8 by brannoc",
    ],
)
def test_a_trigger_in_either_wording(fight: Fight, line: str) -> None:
    fight.do("ready strike", "next", line)
    assert fight.track("ghoul-1", "hp") == 12


def test_a_bare_trigger_uses_the_reaction_and_leaves_the_rest_to_the_table(fight: Fight) -> None:
    """`trigger` alone is a command."""
    fight.do('ready strike "the door opens"', "next", "trigger")
    assert fight.track("brannoc", "reaction") == 0
    assert fight.effects("brannoc") == set()
    assert fight.track("ghoul-1", "hp") == 18


def test_fatigue_is_marked_only_when_the_trigger_comes(fight: Fight) -> None:
    """Monsters & Magic, Ready an Action: wait to resolve it (mark any fatigue or take the
    action)."""
    fight.do("ready grapple")
    assert fight.fatigue("brannoc") == (0, 0)
    fight.do("next", "trigger ghoul-1 miss")
    assert fight.fatigue("brannoc") == (1, 0)
    assert "restrained" in fight.effects("ghoul-1")


def test_what_was_readied_is_lost_at_the_next_turns_start(fight: Fight) -> None:
    """Monsters & Magic, Ready an Action: it ends without resolving."""
    fight.do("ready dodge", *["next"] * 3)
    assert "readied" in fight.effects("brannoc")
    fight.do("next")
    assert fight.effects("brannoc") == set()
    fight.refuses("trigger", "nobody has an action readied")


def test_a_trigger_needs_the_reaction(fight: Fight) -> None:
    """Monsters & Magic, Ready an Action: this uses your reaction."""
    fight.do("ready dodge", "next", "react retaliate ghoul-1 by brannoc")
    fight.refuses("trigger", "used their reaction")
    fight.do("undo", "inflict brannoc stunned")
    fight.refuses("trigger", "can't react")


def test_one_action_is_readied_at_a_time_and_must_be_paid(fight: Fight) -> None:
    """Monsters & Magic, Ready an Action: spend the appropriate AP."""
    fight.do("move")
    fight.refuses("ready regroup", "needs 3")
    fight.do("ready strike")
    fight.refuses("ready move", "already")
    fight.refuses("ready nothing", "expected a technique")


def test_of_several_who_wait_one_must_be_named(fight: Fight) -> None:
    fight.do("ready dodge", "next", "ready dodge")
    fight.refuses("trigger", "several")
    fight.do("trigger by brannoc")
    assert fight.effects("brannoc") == {"dodging"}


def test_what_is_readied_is_kept_apart_from_its_trigger(fight: Fight) -> None:
    """What is readied is an id, whatever the trigger's words are."""
    fight.do('ready disengage "dodge: when they move"')
    readied = fight["brannoc"].named("readied")
    assert readied is not None
    assert (readied.because, readied.note) == ("disengage", "Disengage: dodge: when they move")
    fight.do("next", "trigger by brannoc")
    assert fight.effects("brannoc") == {"disengaged"}


@pytest.mark.parametrize(
    ("line", "points", "trigger", "fatigue"),
    [
        ('ready cast "Cold Rain" ap 3 "they come"', 3, "trigger at ghoul-1 strong 8 cold", 0),
        ('ready cast "Cold Rain" ap 3', 3, 'trigger "cold rain" ghoul-1 strong 8', 0),
        ('ready cast Hail "they come"', 1, "trigger cast hail at ghoul-1 strong 8 ap 1", 0),
        ('ready use scroll ap 2 "they come"', 2, "trigger on mira", 0),
        ('ready use "they come"', 1, "trigger", 0),
        ('ready disengage fatigue 2 "they come"', 0, "trigger by brannoc", 2),
        ("ready disengage fatigue 1", 1, "trigger", 1),
        ('ready aid mira bond 1 "she tires"', 2, "trigger", 0),
        ("ready aid mira", 2, "trigger mira bond 1", 0),
        ('ready aid "somebody tires"', 2, "trigger mira bond 1", 0),
        ('ready concentrate Fog "it clears"', 1, "trigger", 0),
    ],
)
def test_what_is_readied_is_said_with_its_terms_when_it_is_paid(
    fight: Fight, line: str, points: int, trigger: str, fatigue: int
) -> None:
    """Monsters & Magic, Ready an Action: the AP for the action now; fatigue when it resolves."""
    fight.do(line)
    assert (fight.track("brannoc", "ap"), fight.fatigue("brannoc")) == (3 - points, (0, 0))
    fight.do("next", trigger)
    assert (fight.track("brannoc", "ap"), fight.fatigue("brannoc")) == (3 - points, (fatigue, 0))
    assert "readied" not in fight.effects("brannoc")
    if "ghoul-1" in trigger:
        assert fight.track("ghoul-1", "hp") == 12


@pytest.mark.parametrize(
    ("line", "trigger", "saying"),
    [
        ('ready cast "Cold Rain"', "trigger at ghoul-1 strong 8 ap 3", "paid 1 AP"),
        (
            'ready cast "Cold Rain"',
            'trigger "Fire Rain" at ghoul-1 strong 8',
            "is Cold Rain, not Fire Rain",
        ),
        ("ready disengage", "trigger fatigue 2", "when you ready Disengage"),
        ("ready disengage fatigue 2", "trigger fatigue 1", "when you ready Disengage"),
        ("ready aid mira bond 1", "trigger", "paid 2 AP"),
        ("ready aid", "trigger mira bond 1", "paid 2 AP"),
    ],
)
def test_no_more_is_done_than_was_paid_for(
    fight: Fight, line: str, trigger: str, saying: str
) -> None:
    """Monsters & Magic, ruling 45: what is readied is said with its terms when it is paid."""
    fight.do(line, "next", "damage mira 99")
    fight.refuses(trigger, saying)
    assert fight.track("brannoc", "reaction") == 1


def test_aid_for_who_may_fall_is_paid_when_it_is_readied(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Aid): 1 AP more for the dying; Ready an Action."""
    fight.do('ready aid mira bond 1 ap 3 "she falls"')
    assert fight.track("brannoc", "ap") == 0
    fight.do("next", "damage mira 99", "trigger")
    assert fight["mira"].life == "stable"


def test_aid_is_not_readied_for_whom_it_can_do_nothing(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Aid): another, and once per short rest for each."""
    fight.refuses("ready aid brannoc", "themself")
    fight.do("aid mira bond 1", *("next",) * 4)
    fight.refuses("ready aid mira bond 1", "aided since the last short rest")
    assert fight.track("brannoc", "ap") == 3


def test_the_terms_are_seen_on_what_is_readied(fight: Fight) -> None:
    """A readied trigger can be read."""
    fight.do('ready cast "Cold Rain" ap 2 "they come"')
    readied = fight["brannoc"].named("readied")
    assert readied is not None
    assert readied.note == "Cast a Spell (Cold Rain, 2 action points): they come"
    assert effect_with_amounts(readied) == "readied"
    fight.refuses("ready cast", "spell's name")
    fight.refuses('ready cast "Cold Rain" ap many', "whole number")


def test_a_readied_disengage_lasts_for_the_turn_it_goes_off_in(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Disengage): for the rest of the turn."""
    fight.do("ready disengage", "next", "trigger")
    assert fight.until("brannoc", "disengaged") == "end of mira's turn"
    fight.do("next")
    assert "disengaged" not in fight.effects("brannoc")


@pytest.mark.parametrize(
    ("name", "trigger", "refused", "saying"),
    [
        (
            "cast",
            'trigger "Cold Rain" at ghoul-1 strong 8',
            'trigger "Cold Rain" ap 3',
            "paid 1 AP",
        ),
        ("disengage", "trigger", "trigger fatigue 2", "fatigue replaces AP"),
        ("aid", "trigger mira bond 1", "trigger ghoul-1", "expected the bond"),
    ],
)
def test_what_was_readied_before_terms_were_kept_goes_off(
    fight: Fight, name: str, trigger: str, refused: str, saying: str
) -> None:
    """What was ever written opens for ever, and is played on."""
    until = Duration("turn", "brannoc", "start", 9)
    was = Effect("readied", "readied", "readied", until, "brannoc", note="x", because=name)
    fight.edited("brannoc", effects=(was,))
    fight.refuses(refused, saying)
    fight.do(trigger)
    assert "readied" not in fight.effects("brannoc")
    assert fight.fatigue("brannoc") == (0, 0)


def test_what_was_readied_by_a_row_that_is_gone_is_refused(fight: Fight) -> None:
    """A campaign may have had a technique of its own, and have it no longer."""
    was = Effect("readied", "readied", "readied", source="brannoc", note="x", because="whirl")
    fight.edited("brannoc", effects=(was,))
    fight.refuses("trigger", "which is not a technique")
