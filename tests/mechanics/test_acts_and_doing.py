"""Techniques: what they cost now and next, why not, paying; and those that are all in their row."""

from typing import Annotated

import pytest
from msgspec import Struct
from tests.core.conftest import BARE, Play, ruled

from affray.core.engine.durations import Until
from affray.core.engine.effects import gain_effect
from affray.core.engine.events import CostPaid, TrackChanged, UseCounted
from affray.core.engine.state import Combatant, Duration, Effect, Track
from affray.core.parser import arguments
from affray.core.parser.declarations import declare_command
from affray.core.rules.tables import read_tables
from affray.mechanics import actions, techniques
from affray.mechanics.actions import ActionEconomy, ActorSituation, DeclaredTechnique
from affray.mechanics.conditions import DurationRules, begin_effect, resolve_end
from affray.mechanics.techniques import TechniqueRunner

TABLES = {
    "tracks": {"action": {"label": "Action"}, "breath": {"label": "Breath"}, "hp": {"label": "HP"}},
    "effects": {
        "stunned": {"forbids": ["act"]},
        "lying": {"until": "up again"},
        "set": {"kind": "stance"},
        "hot": {},
    },
    "techniques": {
        "hit": {"name": "Hit", "cost": {"action": 1}, "repeat": "any", "fields": ["target"]},
        "run": {"cost": {"breath": 1}, "repeat": "rising", "does": {"says": "runs"}},
        "chant": {"cost": {"breath": 1}, "repeat": "subject", "fields": ["song"]},
        "oath": {"cost": {"breath": 1}, "repeat": "fight", "fields": ["ally"], "does": {}},
        "duck": {"cost": {"breath": 1}, "does": {"bestow": "set", "until": "start of source"}},
        "push": {
            "marks": {"hp": 2},
            "fields": ["target", "cry?"],
            "does": {"inflict": "hot", "until": "this turn"},
        },
        "rise": {"repeat": "any", "does": {"lifts": ["lying"], "says": "rises"}},
        "rest": {
            "fields": ["where?"],
            "does": {
                "recovers": {"hp": 3},
                "bestow": "set",
                "until": "end of source",
                "says": "rests",
            },
        },
        "parry": {"cost": {"breath": 1}, "reaction": True, "repeat": "any", "does": {}},
    },
}


def _why_not(now, name, cost):
    row = now.tables.techniques[name]
    return (
        actions.why_forbidden(now, row, act="do a thing")
        or actions.why_not_their_turn(now, row)
        or actions.why_used_up(now, name)
        or actions.why_unaffordable(now, cost)
    )


class Hit(Struct, frozen=True):
    target: Annotated[Combatant, arguments.combatant_arg("the target", usage="TARGET")]
    hard: Annotated[bool, arguments.flag_arg()] = False


def _hit(ctx, said, who, pay):
    pay()
    ctx.text = f"{who.name} hits {said.target.name}{' hard' if said.hard else ''}"


class Chant(Struct, frozen=True):
    song: Annotated[str, arguments.text_arg("the song", usage="SONG")]


def _chant(ctx, args, who, pay):
    pay({"breath": 2}, args.song)


def _lay(ctx, who, spec, how=""):
    name = spec.name
    until = resolve_end(DurationRules(), ctx, who, spec, Until(text="it cools"))
    gain_effect(ctx, who, Effect(name, name, "x", until, spec.source))
    return f"{who} {name}{f' {how}' if how else ''}"


def _mark(ctx, who, track, by, what):
    ctx.emit(TrackChanged(who, track, -by, why=what))


GAME = TechniqueRunner(
    ActionEconomy(_why_not),
    _lay,
    {"hit": DeclaredTechnique(Hit, _hit), "chant": DeclaredTechnique(Chant, _chant)},
    mark=_mark,
    again=lambda tables, effect: ("longer",) if effect == "hot" else (),
    read_again=lambda reading: reading.words.take("longer"),
)


class ReactArgs(Struct, frozen=True):
    use: Annotated[techniques.TechniqueUse, techniques.reaction_arg(GAME)]


def _react(ctx, args):
    techniques.use_technique(GAME, ctx, args.use)


def _create(ctx, words, kind):
    return {}, {"hp": Track(10, 20), "action": Track(1, 1), "breath": Track(5, 6)}


@pytest.fixture
def fight():
    """Ann is up; Bob comes after her."""
    tables = read_tables(TABLES)
    effect = BARE.commands["effect"]
    commands = [
        effect,
        *techniques.technique_commands(GAME, tables),
        declare_command("react", "reacts", ReactArgs, _react, True),
    ]
    play = Play()
    play.ruleset = ruled(
        BARE,
        tables=tables,
        commands={command.name: command for command in commands},
        create=_create,
    )
    play("add pc Ann", "add pc Bob", "init ann 9", "init bob 5", "start")
    return play


def test_a_trace_takes_the_place_of_one_that_is_there_and_what_is_none_is_laid_once_more() -> None:
    tables = read_tables(
        {
            "effects": {"guarded": {"kind": "trace"}, "wet": {"kind": "condition"}},
            "techniques": {
                "guard": {"repeat": "any", "does": {"bestow": "guarded"}},
                "wade": {"repeat": "any", "does": {"bestow": "wet"}},
            },
        }
    )

    def lay(ctx, who, spec):
        begin_effect(ctx, who, spec.name)

    game = TechniqueRunner(ActionEconomy(lambda now, name, cost: ""), lay)
    play = Play()
    commands = {command.name: command for command in techniques.technique_commands(game, tables)}
    play.ruleset = ruled(BARE, tables=tables, commands=commands, create=_create)
    play("add pc Ann", "init ann 9", "start", "guard", "guard", "wade", "wade")
    assert [effect.name for effect in play.state["ann"].effects] == ["guarded", "wet", "wet"]


def _option(play, name, who="ann"):
    now = ActorSituation(play.ruleset.tables, play.state, play.state[who])
    return actions.available_action(GAME.economy, now, name)


def _prices(play, name):
    """What it costs of breath now, and the next time."""
    option = _option(play, name)
    return option.cost["breath"], option.after["breath"]


def _entry(play):
    return play.history.entries[play.history.last]


def _last(play, kind):
    return [event for event in _entry(play).events if isinstance(event, kind)]


def test_a_rising_price_is_told_with_the_next_one_and_is_paid(fight):
    assert (_option(fight, "run").cost, _option(fight, "run").after) == (
        {"breath": 1},
        {"breath": 2},
    )
    fight("run", "run")
    assert _last(fight, CostPaid) == [CostPaid("ann", "breath", 2, "run")]
    assert (_option(fight, "run").cost, _option(fight, "run").after) == (
        {"breath": 3},
        {"breath": 4},
    )
    assert _option(fight, "run").reason == "2 Breath left, needs 3"


def test_what_stays_the_same_has_no_price_after_it(fight):
    assert _option(fight, "hit").after == {}


def test_a_technique_that_marks_tells_so_beside_its_price(fight):
    assert _option(fight, "push").cost == {"hp": 2}


def test_a_track_that_holds_one_is_used(fight):
    assert fight.told("hit bob") == "Ann hits Bob"
    assert fight.refused("hit bob") == "Ann can't use Hit: action used"


def test_another_price_and_what_it_is_of_are_handed_over(fight):
    fight("chant fog")
    assert _last(fight, CostPaid) == [CostPaid("ann", "breath", 2, "chant")]
    assert fight.refused("chant fog") == "Ann can't use chant: once a turn for fog"
    fight("chant rain")
    assert fight.state["ann"].track("breath") == 1


def test_whose_turn_it_is_and_what_forbids_it_are_said(fight):
    assert fight.refused("hit ann by bob") == "Bob can't use Hit: it is Ann's turn"
    fight("effect ann stunned")
    assert fight.refused("hit bob") == "Ann can't use Hit: stunned: can't do a thing"
    assert _option(fight, "parry").reason == ""


def test_what_was_done_once_a_turn_or_once_a_fight_is_counted(fight):
    fight("duck")
    assert fight.refused("duck") == "Ann can't use duck: once a turn"
    fight("oath bob")
    fight("next", "next")
    assert fight.refused("oath bob") == "Ann can't use oath: once an encounter"
    fight("duck")


def test_a_reaction_is_no_part_of_a_turn_and_needs_none(fight):
    fight("react parry by bob")
    assert (_last(fight, CostPaid), _last(fight, UseCounted)) == (
        [CostPaid("bob", "breath", 1, "parry")],
        [],
    )


def test_outside_of_a_fight_nothing_is_paid_or_counted(fight):
    fight("end", "duck by ann", "duck by ann")
    assert (_last(fight, CostPaid), _last(fight, UseCounted)) == ([], [])


def test_all_techniques_are_options(fight):
    tables = fight.ruleset.tables
    row = techniques.TechniqueActions(GAME).options(tables, fight.state, fight.state["ann"])
    assert [option.technique for option in row] == list(tables.techniques)


# -- all in their rows -----------------------------------------------------------------------------


def test_an_effect_ends_as_its_row_says(fight):
    """The start or the end of the next turn of whoever does it, or the turn that it is."""
    fight("duck", "push bob", "rest")
    ends = {e.name: e.until for who in ("ann", "bob") for e in fight.state[who].effects}
    assert ends["hot"] == Duration("turn", "ann", "end", 1)
    assert [e.until for e in fight.state["ann"].effects] == [
        Duration("turn", "ann", "start", 2),
        Duration("turn", "ann", "end", 2),
    ]


def test_what_a_row_says_stands_in_the_log(fight):
    assert fight.told("run") == "Ann runs"
    assert fight.told("rest under a tree") == "Ann rests: under a tree"
    assert fight.told("oath bob") == "Ann uses oath on Bob"
    assert fight.told('push bob "hey ho"') == "Ann uses push on Bob (hey ho): bob hot"


def test_effects_of_ones_own_end_and_marks_are_cleared(fight):
    fight("effect ann lying", "effect ann lying", "rise", "rest")
    assert [e.name for e in fight.state["ann"].effects] == ["set"]
    assert _last(fight, TrackChanged) == [TrackChanged("ann", "hp", 3, why="rest")]


def test_what_is_said_of_an_effect_that_is_there_is_none_of_the_words_asked_for(fight):
    assert fight.told("push bob longer") == "Ann uses push on Bob: bob hot longer"


def test_a_target_and_an_ally_are_others(fight):
    assert fight.refused("oath ann").startswith("Ann can't use oath on themself")
    assert fight.refused("push ann").startswith("Ann can't use push on themself")


def test_a_declared_technique_is_read_and_told_as_its_struct_says(fight):
    assert fight.told("hit bob hard") == "Ann hits Bob hard"
    assert fight.ruleset.commands["hit"].args_type is Hit
    assert "did not expect 'now'" in fight.refused("hit bob now")


def test_usages_come_from_the_rows_or_from_the_game(fight):
    usage = {name: verb.usage for name, verb in fight.ruleset.commands.items()}
    assert usage["hit"] == "hit TARGET [hard] [by NAME]"
    assert usage["push"] == 'push TARGET ["CRY"] [longer] [by NAME]'
    assert usage["duck"] == "duck [by NAME]"
    assert "parry" not in usage


def test_what_can_be_done_with_no_more_words_is_known(fight):
    tables = fight.ruleset.tables
    told = {
        name: techniques.asks_for_nothing(GAME, tables, name)
        for name in ("run", "rest", "push", "hit")
    }
    assert told == {"run": True, "rest": True, "push": False, "hit": False}
