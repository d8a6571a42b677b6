"""An act that is paid in another's turn stays paid when one's own turn of the round starts."""

from __future__ import annotations

from typing import Annotated

import pytest
from msgspec import Struct
from msgspec.structs import replace
from tests.other_bones import BONES

from affray import Fight
from affray.core.engine.state import Combatant, Track
from affray.core.parser import arguments
from affray.core.parser.declarations import declare_command
from affray.core.rules.ruleset import Context, TurnRules
from affray.core.rules.tables import read_tables
from affray.mechanics import actions, rests
from affray.mechanics.sheet import FieldSheet, track_fields


class HelperArgs(Struct, frozen=True):
    ally: Annotated[Combatant, arguments.combatant_arg("who helps")]
    amount: Annotated[int, arguments.number_arg("how much", 1, 9)] = 1


def _gang(ctx: Context, args: HelperArgs) -> None:
    actions.pay_ahead(ctx, args.ally.id, "gang", {"act": args.amount})
    ctx.text = "They gang up"


class Sheets(FieldSheet):
    def groups(self, tables):
        return (track_fields("grit"),)

    def complete(self, ctx, kind, sheet):
        return {}, {"grit": sheet.tracks["grit"].left, "act": Track(2, 2)}


class Turns(TurnRules):
    def on_turn_start(self, ctx: Context, combatant_id: str) -> None:
        actions.reset_turn_track(ctx, combatant_id, "act", 2)

    def on_fight_end(self, ctx: Context) -> None:
        rests.end_fight_effects(ctx)


TRACKS = {"grit": {"label": "Grit", "recap": "damage"}, "act": {"label": "Acts", "spent": True}}
GANG = declare_command("gang", "has an ally help", HelperArgs, _gang)
GAME = replace(
    BONES,
    tables=read_tables({"tracks": TRACKS}),
    commands={"gang": GANG},
    sheet=Sheets(),
    turns=Turns(),
)


@pytest.fixture
def fight() -> Fight:
    there = Fight(GAME, seed=1)
    there.do("add pc Mira grit 9", "add pc Odo grit 9", "add monster Ghoul grit 9")
    there.do("init mira 15", "init odo 10", "init ghoul 5", "start")
    return there


def test_who_helped_before_their_turn_has_as_much_less_in_it(fight: Fight) -> None:
    fight.do("gang odo")
    assert fight["odo"].act == 1
    fight.do("next")
    assert fight["odo"].act == 1


def test_it_is_back_with_the_turn_after_that(fight: Fight) -> None:
    fight.do("gang odo 2", "next")
    assert fight["odo"].act == 0
    fight.do("next", "next", "next")
    assert fight["odo"].act == 2


def test_who_has_had_their_turn_pays_with_what_is_left_of_it(fight: Fight) -> None:
    fight.do("next", "gang mira 2")
    assert fight["mira"].act == 0
    fight.do("next", "next")
    assert fight["mira"].act == 2


def test_undo_takes_the_debt_back(fight: Fight) -> None:
    fight.do("gang odo")
    fight.undo()
    fight.do("next")
    assert fight["odo"].act == 2


def test_the_next_fight_owes_nothing(fight: Fight) -> None:
    fight.do("gang odo", "end", "init mira 15", "init odo 10", "init ghoul 5", "start", "next")
    assert fight["odo"].act == 2
