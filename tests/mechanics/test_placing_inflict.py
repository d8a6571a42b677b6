"""`inflict` and `modifier`: what a GM lays on somebody by hand, and how that is said."""

from functools import partial
from typing import Annotated

import pytest
from msgspec.structs import replace
from tests.core.conftest import BARE, Play

from affray.core.engine.effects import EffectSpec
from affray.core.engine.events import NoteAdded
from affray.core.parser.declarations import declare_command
from affray.core.rules.ruleset import TableSchema
from affray.mechanics import conditions
from affray.mechanics.conditions import (
    DurationRules,
    What,
    apply_condition,
    condition_arg,
    until_arg,
)

LASTING = DurationRules()
PLACED = until_arg(LASTING, "for N turns")


def _read(reading):
    name = reading.words.choice("a condition", ("dazed", "slow", "burning"))
    much = reading.words.number("how much", 1) if name == "burning" else 0
    return [EffectSpec(name, much)]


class Inflict(conditions.InflictArgs, frozen=True):
    what: Annotated[What, condition_arg(_read, "CONDITION | burning N")]
    terms: Annotated[EffectSpec, PLACED] = EffectSpec()


class Modifier(conditions.ModifierArgs, frozen=True):
    terms: Annotated[EffectSpec, PLACED] = EffectSpec()


def _inflict(ctx, said):
    def lay_it(ctx, who, one):
        if one.name == "slow" and who == "odo":
            ctx.emit(NoteAdded("Odo is never slow"))
            return None
        return apply_condition(LASTING, ctx, who, one)

    conditions.inflict_on_all(LASTING, ctx, said, lay_it)


COMMANDS = (
    declare_command("inflict", "lays a condition", Inflict, _inflict, True),
    declare_command(
        "modifier", "gives a modifier", Modifier, partial(conditions.apply_modifier, LASTING)
    ),
    declare_command(
        "typed", "", Modifier, partial(conditions.apply_modifier, LASTING, is_typed=True)
    ),
)
GAME = replace(
    BARE,
    commands={**BARE.commands, **{command.name: command for command in COMMANDS}},
    schema=TableSchema(
        effects={"modifiers": ("attack", "max_hp"), "advantage": ("attack", "save")}
    ),
)


@pytest.fixture
def play():
    fight = Play()
    fight.ruleset = GAME
    fight("add pc Mira", "add pc Odo")
    return fight


def test_it_is_told_who_has_come_by_what(play):
    play("inflict mira,odo dazed")
    assert play.text == "Mira and Odo are dazed"
    play("inflict mira burning 3")
    assert play.text == "Mira: burning 3"


def test_who_can_have_it_gets_it_and_where_nobody_can_it_is_refused(play):
    play("inflict mira,odo slow for 2 turns")
    assert (play.text, play.names("odo")) == ("Mira is slow", [])
    assert play.names("mira") == ["slow"]
    assert play.refused("inflict odo slow") == "Odo is never slow"


def test_an_effect_of_the_gms_own_stands_in_quotes(play):
    play('inflict mira,odo "Evil Eye" attack -2 by odo')
    assert play.text == "Mira and Odo: Evil Eye"
    assert play.who("mira").effects[0].modifiers == {"attack": -2}
    assert play.who("mira").effects[0].source == "odo"


def test_a_modifier_is_to_what_the_game_reads(play):
    play('modifier mira +2 attack,max-hp "a blessing" for 2 turns')
    given = play.who("mira").effects[0]
    assert (given.modifiers, given.note, given.type) == (
        {"attack": 2, "max_hp": 2},
        "a blessing",
        "",
    )
    assert play.text == "Mira: +2 attack and max hp"
    assert "one of attack or max-hp" in play.refused("modifier mira +2 save")
    assert "a modifier of 0 changes nothing" in play.refused("modifier mira 0 attack")


def test_or_gives_advantage_or_disadvantage_where_the_game_reads_that(play):
    play("modifier mira,odo adv save")
    assert play.who("odo").effects[0].advantage == ("save",)
    assert play.text == "Mira and Odo: advantage on save"
    assert "one of attack or save" in play.refused("modifier mira adv max-hp")


def test_modifiers_of_one_note_may_be_of_one_type(play):
    play('typed mira +2 attack "Bless"')
    assert play.who("mira").effects[0].type == "bless"
