"""Ready and trigger: what is kept of what is readied, and how it is done when its time comes."""

from typing import Annotated

import pytest
from msgspec import Struct
from msgspec.structs import replace
from tests.core.conftest import BARE, Play, ruled

from affray.core.engine.events import CostPaid
from affray.core.engine.state import Combatant, Track
from affray.core.parser import arguments
from affray.core.parser.declarations import NoArgs
from affray.core.parser.errors import Refused
from affray.core.rules.tables import read_tables
from affray.mechanics import actions, techniques
from affray.mechanics.actions import ActionEconomy, DeclaredTechnique
from affray.mechanics.techniques import ReadiedAction, ReadyRules, TechniqueRunner

TABLES = {
    "tracks": {"action": {"label": "Action"}, "reaction": {"label": "Reaction"}},
    "techniques": {
        "hit": {"name": "Hit", "cost": {"action": 1}, "repeat": "any", "fields": ["target"]},
        "sing": {"name": "Sing", "cost": {"action": 1}, "fields": ["song"]},
        "wave": {"cost": {"action": 1}, "does": {"says": "waves"}},
        "duck": {"cost": {"reaction": 1}, "reaction": True, "does": {}},
    },
}


class Hit(Struct, frozen=True):
    target: Annotated[Combatant, arguments.combatant_arg("the target")]


def _hit(ctx, args, who, pay):
    pay()
    ctx.text = f"{who.name} hits {args.target.name}"


class Sing(Struct, frozen=True):
    song: Annotated[str, arguments.text_arg("the song", usage="SONG")]


def _sing(ctx, args, who, pay):
    ctx.text = f"{who.name} sings {args.song}"
    pay()


VERSES = arguments.number_arg("verses")
ECONOMY = ActionEconomy(lambda now, name, cost: actions.why_unaffordable(now, cost))
GAME = TechniqueRunner(ECONOMY, _hit, acts={
    "hit": DeclaredTechnique(Hit, _hit), "sing": DeclaredTechnique(Sing, _sing),
})  # fmt: skip


class ReadyArgs(Struct, frozen=True):
    name: Annotated[
        str,
        arguments.choice_arg(
            "a technique", lambda r: techniques.action_techniques(r.ctx.tables), "TECHNIQUE"
        ),
    ]
    song: Annotated[
        str,
        arguments.variant_arg(lambda r: Sing if r.values["name"] == "sing" else NoArgs, usage="X"),
    ]
    trigger: techniques.TRIGGER = ""


def _terms(ctx, args):
    terms = ReadiedAction(args.name, ctx.tables.techniques[args.name].name)
    if args.name != "sing":
        return terms
    return replace(terms, of=args.song.song, says=args.song.song, modifiers={"verses": 2})


def _pay(ctx, who, terms):
    actions.pay(GAME.economy, ctx, who.id, terms.name)
    return 1


def _take(ctx, who):
    if not who.track("reaction"):
        raise Refused(f"{who.name} has reacted")
    ctx.emit(CostPaid(who.id, "reaction", 1, "trigger"))


def _act(reading, who, readied):
    preset = {"song": readied.type} if readied.type else {}
    techniques.perform_readied(
        GAME, reading, readied, lambda cost=None, subject="": None, preset=preset
    )


@pytest.fixture
def fight():
    """Ann is up; Bob comes after her."""
    tables = read_tables(TABLES)
    readying = ReadyRules(ReadyArgs, _terms, _pay, _take, _act)
    commands = (
        *techniques.ready_commands(GAME, readying, "waits", "goes off"),
        *techniques.technique_commands(GAME, tables),
    )
    play = Play()
    tracks = {"action": Track(1, 1), "reaction": Track(1, 1)}
    play.ruleset = ruled(
        BARE,
        tables=tables,
        commands={command.name: command for command in commands},
        create=lambda ctx, words, kind: ({}, tracks),
    )
    play("add pc Ann", "add pc Bob")
    return play


def test_what_is_readied_is_paid_now_and_kept_with_its_terms(fight):
    fight("init ann 9", "init bob 5", "start")
    assert fight.told('ready sing lark "the door opens"') == (
        "Ann readies Sing (lark): the door opens"
    )
    [kept] = fight.state["ann"].effects
    assert (kept.because, kept.type, kept.amount) == ("sing", "lark", 1)
    assert (kept.modifiers, kept.source, kept.until.edge) == ({"verses": 2}, "ann", "start")
    assert fight.state["ann"].track("action") == 0
    assert fight.refused("ready wave") == "Ann has an action readied already"


def test_it_is_done_when_its_trigger_comes_and_paid_by_the_games_own_way(fight):
    fight("init ann 9", "init bob 5", "start", "ready sing lark", "next")
    assert fight.told("trigger") == "Ann sings lark, as readied"
    assert fight.state["ann"].effects == ()
    assert fight.state["ann"].track("reaction") == 0
    assert fight.refused("trigger by ann") == "Ann has nothing readied"


def test_what_it_is_of_may_be_said_again_and_nothing_else(fight):
    fight("init ann 9", "init bob 5", "start", "ready sing lark", "next")
    assert fight.refused('trigger "thrush"').startswith("the readied action is lark, not thrush")
    assert fight.refused("trigger lark lark").startswith("did not expect 'lark'")
    assert fight.told('trigger sing "Lark"') == "Ann sings lark, as readied"


def test_where_words_are_missing_it_goes_off_and_the_rest_is_said_by_hand(fight):
    fight("init ann 9", "init bob 5", "start", "ready hit", "next")
    assert fight.told("trigger") == "Ann's readied Hit goes off"


def test_its_name_may_be_said_again(fight):
    fight("init ann 9", "init bob 5", "start", "ready hit", "next")
    assert fight.told("trigger hit bob") == "Ann hits Bob, as readied"


def test_a_row_that_asks_for_nothing_is_done(fight):
    fight("init ann 9", "init bob 5", "start", "ready wave", "next")
    assert fight.told("trigger") == "Ann waves, as readied"


def test_what_cant_be_readied_or_done_is_refused(fight):
    assert fight.refused("ready wave by ann") == "an action can be readied only in a fight"
    assert "duck" in fight.refused("ready duck by ann")
    fight("init ann 9", "init bob 5", "start", "ready wave", "set ann reaction 0", "next")
    assert fight.refused("trigger") == "Ann has reacted"


def test_what_was_said_of_it_may_be_said_otherwise_where_the_game_lets_it(fight):
    class Serenade(Struct, frozen=True):
        song: Annotated[str, arguments.text_arg("the song", usage="SONG")]
        verses: Annotated[int | None, arguments.keyword_arg("verses", VERSES)] = None

    sung = []
    game = TechniqueRunner(
        ECONOMY,
        _hit,
        acts={"sing": DeclaredTechnique(Serenade, lambda ctx, args, who, pay: sung.append(args))},
    )

    def act(reading, who, readied):
        techniques.perform_readied(
            game,
            reading,
            readied,
            lambda cost=None, subject="": None,
            preset={"song": readied.type},
            unless_said=readied.modifiers,
        )

    readying = ReadyRules(ReadyArgs, _terms, _pay, _take, act)
    commands = {
        command.name: command for command in techniques.ready_commands(game, readying, "", "")
    }
    fight.ruleset = replace(fight.ruleset, commands={**fight.ruleset.commands, **commands})
    fight("init ann 9", "init bob 5", "start", "ready sing lark", "next")
    fight("trigger", "next", "next", "set ann reaction 1", "set ann action 1")
    fight("ready sing lark", "next", "trigger verses 3")
    assert sung == [Serenade("lark", 2), Serenade("lark", 3)]
