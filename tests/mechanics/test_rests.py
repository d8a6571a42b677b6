"""What a rest resets is a row: ends of effects, counts of uses, tracks."""

from __future__ import annotations

import pytest
from tests.core.conftest import BARE, Play, ruled

from affray.core.engine.effects import gain_effect
from affray.core.engine.events import LifeChanged, UseCounted
from affray.core.engine.state import Duration, Effect, Track
from affray.core.parser.errors import Refused
from affray.core.rules.ruleset import Command
from affray.mechanics import rests

NAP = rests.RestRules(
    ends=("turn", "rest"),
    also=lambda effect: effect.kind == "aura" or effect.note == "brief",
    forgets=("short", "refresh*"),
    sets={"hp": rests.FULL, "luck": 2, "dread": rests.FULL, "none": 3},
)


def _lay(ctx, words):
    """`lay NAME EFFECT END [KIND] [NOTE]`."""
    who, name = words.combatant().id, str(words.next("an effect"))
    until = Duration(str(words.next("its end")))
    kind = "condition" if words.done else str(words.next("its kind"))
    note = "" if words.done else str(words.next("its note"))
    gain_effect(ctx, who, Effect(name, name, kind, until, note=note))


def _use(ctx, words):
    """`use NAME WHAT SPAN`."""
    who = words.combatant().id
    ctx.emit(UseCounted(who, str(words.next("what")), str(words.next("the span"))))


def _die(ctx, words):
    ctx.emit(LifeChanged(words.combatant().id, "dead"))


def _rest(ctx, words):
    rests.require_no_fight(ctx)
    for who in rests.taking_part(ctx):
        rests.apply_rest(ctx, who.id, NAP, "a nap")


def _create(ctx, words, kind):
    words.take("hp")
    tracks = {"hp": Track(words.maybe_number(3), 9), "luck": Track(5), "dread": Track(1)}
    return {}, tracks


@pytest.fixture
def play() -> Play:
    play = Play()
    commands = {
        "lay": Command("lay", "lay ...", "lays", _lay),
        "use": Command("use", "use ...", "uses", _use),
        "die": Command("die", "die NAME", "dies", _die),
        "nap": Command("nap", "nap", "rests", _rest),
    }
    play.ruleset = ruled(BARE, create=_create, commands=commands)
    play("add pc Mira")
    return play


def test_effects_whose_end_comes_in_its_time_are_over(play):
    play("lay mira dazed turn", "lay mira marked rest", "lay mira cursed removed", "nap")
    assert play.names("mira") == ["cursed"]


def test_so_is_what_else_the_row_tells(play):
    play("lay mira glow removed aura", "lay mira hum removed song brief")
    play("lay mira long removed song", "nap")
    assert play.names("mira") == ["long"]


def test_uses_are_counted_anew_in_the_spans_that_it_names(play):
    play("use mira burst short", "use mira burst refresh-5", "use mira burst long", "nap")
    mira = play.who("mira")
    assert [mira.used("burst", span) for span in ("short", "refresh-5", "long")] == [0, 0, 1]


def test_tracks_are_set_or_full_again_for_who_has_them(play):
    play("nap")
    tracks = play.who("mira").tracks
    assert {name: track.value for name, track in tracks.items()} == {"hp": 9, "luck": 2, "dread": 1}


def test_what_is_so_already_is_told_no_event(play):
    play("nap", "nap")
    assert play.history.previous.entry.events == ()


def test_nobody_rests_in_a_fight_and_the_dead_do_not(play):
    play("add pc Odo", "die odo", "nap")
    assert (play.who("odo").track("hp"), play.who("mira").track("hp")) == (3, 9)
    play("init mira 5", "init odo 4", "start")
    with pytest.raises(Refused, match="no rest in the middle of a fight"):
        play("nap")
