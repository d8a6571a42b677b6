"""How an effect is laid: what is said of its end and source, and when it ends on whom."""

from functools import partial
from typing import Annotated

import pytest
from msgspec.structs import replace
from tests.core.conftest import BARE, Play

from affray.core.engine.durations import Until
from affray.core.engine.effects import EffectSpec
from affray.core.engine.events import EffectLost, LifeChanged
from affray.core.engine.state import Duration, EffectRef
from affray.core.parser.declarations import declare_command
from affray.core.rules.ruleset import Command
from affray.core.rules.tables import read_tables
from affray.mechanics.conditions import (
    DurationRules,
    InflictArgs,
    What,
    apply_condition,
    begin_effect,
    condition_arg,
    effect_amount,
    inflict_on_all,
    parse_conditions,
    replace_effect,
    resolve_end,
    until_arg,
)

ROWS = {
    "effects": {
        "dazed": {"modifiers": {"check": -1}, "until": "1 turn"},
        "down": {"until": "it stands"},
        "burning": {"kind": "harm"},
        "guard": {"kind": "stance"},
        "charmed": {"concerns": "source"},
        "goaded": {"concerns": "others"},
    }
}


def _while(reading, terms):
    keeper = reading.words.combatant("who keeps it up")
    guard = EffectRef(keeper.id, "guard")
    return replace(terms, attached_to=guard, says=f"{keeper.name} lowers the guard")


LASTING = DurationRules(
    {"saved": Until("save")},
    {"mine": Until("turn", "source", edge="start"), "theirs": Until("turn")},
    {"while": _while},
)


def _burn(ctx, words):
    who = words.combatant()
    burning = begin_effect(ctx, who.id, "burning", dice="1d10", type="fire")
    ctx.text = str(effect_amount(ctx, who.id, burning))


def _guard(ctx, words):
    who, source = words.combatant(), words.combatant("from whom").id
    replace_effect(ctx, who.id, "guard", by_source=bool(words.take("each")), source=source)


def _die(ctx, words):
    ctx.emit(LifeChanged(words.combatant().id, "dead"))


def _read_what(reading):
    """Several with commas between, or one; who burns takes 3 fire."""
    found = parse_conditions(reading.words, tuple(ROWS["effects"]), {"hurt": "burning"})
    return [
        EffectSpec(name, 3, "fire") if name == "burning" else EffectSpec(name) for name in found
    ]


class Lay(InflictArgs, frozen=True):
    """What `lay` says, declared."""

    what: Annotated[What, condition_arg(_read_what, "CONDITION[,CONDITION]")]
    terms: Annotated[EffectSpec, until_arg(LASTING, "for N turns | until ...")] = EffectSpec()


def _lay(ctx, args):
    inflict_on_all(LASTING, ctx, args, partial(apply_condition, LASTING))


COMMANDS = (
    declare_command("lay", "lays effects", Lay, _lay, True),
    Command("burn", "burn NAME", "sets on fire", _burn),
    Command("guard", "guard NAME NAME [each]", "guards", _guard),
    Command("die", "die NAME", "dies", _die),
)
GAME = replace(
    BARE,
    tables=read_tables(ROWS),
    commands={**BARE.commands, **{command.name: command for command in COMMANDS}},
)


@pytest.fixture
def play():
    fight = Play((7, 4))
    fight.ruleset = GAME
    fight("add pc Mira", "add pc Odo", "init mira 15", "init odo 10")
    return fight


def until(play, who="odo"):
    return play.who(who).effects[-1].until


# -- until when ------------------------------------------------------------------------------------


def test_turns_are_those_of_whoever_gets_it(play):
    play("start", "lay all down for 2 turns")
    assert (until(play, "mira"), until(play, "odo")) == (
        Duration("turn", "mira", "end", 3),
        Duration("turn", "odo", "end", 2),
    )


def test_a_word_of_the_games_may_say_the_end_alone(play):
    play("start", "lay odo down theirs", "lay odo down mine by mira")
    ends = [effect.until for effect in play.who("odo").effects]
    assert ends == [Duration("turn", "odo", "end", 1), Duration("turn", "mira", "start", 2)]


def test_turns_of_the_source_are_those_of_whom_it_comes_from_said_before_or_behind(play):
    play("start", "lay mira down mine from odo", "lay mira down from odo mine")
    ends = {effect.until for effect in play.who("mira").effects}
    assert ends == {Duration("turn", "odo", "start", 1)}


def test_nobodys_turn_is_no_end(play):
    said = "it is nobody's turn: say whose turn with `until start of NAME`"
    assert play.refused("lay mira down mine") == said


def test_behind_until_the_games_own_ends_stand_beside_the_usual(play):
    play("lay odo down until saved")
    assert until(play) == Duration("save")
    play("lay odo down until end of mira")
    assert until(play) == Duration("turn", "mira", "end", 1)


def test_unsaid_it_is_the_rows_end_then_the_games_then_by_hand(play):
    play("lay odo down", "lay odo dazed", "lay odo burning")
    ends = [effect.until for effect in play.who("odo").effects]
    assert ends == [Duration(says="it stands"), Duration("turn", "odo", "end", 1), Duration()]


def test_what_hangs_on_something_ends_with_it_and_earlier_where_that_is_said(play):
    play("guard mira mira", "lay odo down while mira", "lay odo dazed while mira for 1 turn")
    down, dazed = play.who("odo").effects
    assert (down.hangs, down.until.says) == ("mira/guard", "Mira lowers the guard")
    assert (dazed.hangs, dazed.until) == ("mira/guard", Duration("turn", "odo", "end", 1))


@pytest.mark.parametrize("second", ["until saved", "for 1 turn", "mine"])
def test_a_second_duration_is_refused(play, second):
    assert "expected one duration, not two" in play.refused(f"lay odo down theirs {second}")


def test_an_end_of_no_clause_may_be_said_by_the_caller(play):
    class Here:
        state, tables, by = play.state, GAME.tables, ""

    ends = [
        resolve_end(LASTING, Here, "odo", EffectSpec(name), otherwise=Until("fight"))
        for name in ("burning", "down")
    ]
    assert ends == [Duration("fight"), Duration(says="it stands")]


# -- laid ------------------------------------------------------------------------------------------


def test_an_effect_has_its_rows_kind_and_what_is_said_of_it(play):
    play("burn odo")
    burning = play.who("odo").effects[0]
    assert (burning.kind, burning.dice, burning.type) == ("harm", "1d10", "fire")


def test_whom_an_effect_concerns_its_row_says_and_its_source(play):
    play("lay mira charmed from odo", "lay mira goaded from odo", "lay mira dazed from odo")
    effects = play.who("mira").effects
    assert [(e.against, e.spares) for e in effects] == [("odo", ""), ("", "odo"), ("", "")]


def test_an_amount_in_dice_falls_anew_each_time(play):
    play("burn odo", "burn mira")
    titles = [play.history.entries[seq].text for seq in (play.history.last - 1, play.history.last)]
    assert titles == ["7", "4"]
    rolled = play.history.entries[play.history.last].events[-1]
    assert (rolled.dice, rolled.faces, rolled.for_) == ("1d10", (4,), "burning")


def test_renewing_ends_those_of_the_name_or_only_those_of_the_source(play):
    play("guard mira mira", "guard mira odo each", "guard mira odo each")
    assert [effect.source for effect in play.who("mira").effects] == ["mira", "odo"]
    play("guard mira mira")
    assert [effect.source for effect in play.who("mira").effects] == ["mira"]
    ended = [e for e in play.history.entries[play.history.last].events if isinstance(e, EffectLost)]
    assert [event.why for event in ended] == ["renewed", "renewed"]


def test_nothing_is_laid_on_the_dead(play):
    play("die odo")
    assert play.refused("lay mira,odo down") == "Odo is dead"


def test_several_conditions_stand_with_commas_between_and_each_counts_once(play):
    play("lay odo dazed,hurt,dazed,burning for 1 turn")
    laid = [(e.id, e.name, e.amount, e.until.count) for e in play.who("odo").effects]
    assert laid == [("dazed", "dazed", 0, 1), ("burning-fire", "burning", 3, 1)]
    assert ("'dazd' is no condition: did you mean dazed, or an effect of your own") in play.refused(
        "lay odo dazd"
    )
    assert "in quotes" in play.refused("lay odo strange")


def test_an_affliction_is_told_by_its_name_and_what_it_is_of():
    rows = [
        EffectSpec("dazed"),
        EffectSpec("burning", 3, "fire"),
        EffectSpec("burning", 0, "", "1d6"),
    ]
    assert list(map(str, rows)) == ["dazed", "burning 3 fire", "burning 1d6"]


def test_an_effect_of_the_gms_own_takes_the_same_clauses(play):
    play('lay mira,odo "Evil Eye" for 2 turns note "it stares" from mira')
    eye = play.who("odo").effects[0]
    assert (eye.name, eye.note, eye.source) == ("Evil Eye", "it stares", "mira")
    assert eye.until == Duration("turn", "odo", "end", 2)
    play('lay odo "Evil Eye" note "it winks"')
    assert (play.who("odo").effects[0].note, until(play)) == ("it winks", eye.until)


def test_a_declared_command_takes_the_clauses_as_an_argument(play):
    play("lay mira,odo dazed,down from odo for 2 turns")
    for who in ("mira", "odo"):
        laid = play.who(who).effects
        assert [(e.name, e.source, e.until.who) for e in laid] == [
            ("dazed", "odo", who),
            ("down", "odo", who),
        ]
    assert " [for N turns | until ...]" in GAME.commands["lay"].usage


def test_a_prompt_offers_the_games_words_for_the_end():
    said = until_arg(replace(LASTING, offered=("mine", "start", "rest")), "for N turns", "used")
    until, source = said.field.parts
    assert until.options == ("mine", "start", "rest", "used")
    assert (source.kind, source.before) == ("anyone", "from")
