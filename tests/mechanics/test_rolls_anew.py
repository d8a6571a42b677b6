"""A command decided anew: another outcome, the same dice, and what comes out differently."""

from typing import Annotated

import pytest
from msgspec import Struct
from msgspec.structs import replace
from tests.core.conftest import Play

from affray.core.dice import DieInput, Forced, parse_dice, roll
from affray.core.engine.events import LifeChanged, Rolled, TrackChanged
from affray.core.engine.history import recorded_dice
from affray.core.engine.state import Combatant, Track
from affray.core.parser import arguments
from affray.core.parser.declarations import NoArgs, declare_command
from affray.core.parser.errors import Refused
from affray.core.rules.ruleset import Command, Context
from affray.mechanics import checks

OUTCOMES = checks.OutcomeWords({"miss": "miss", "hit": "hit", "crit": "crit"})


class _StrikeArgs(Struct):
    target: Annotated[Combatant, arguments.combatant_arg("whom")]
    die: Annotated[DieInput, checks.die_arg(OUTCOMES)]


def _strike(ctx, args):
    """`strike NAME OUTCOME`: 1d6, twice that for a critical; at 0 HP dead."""
    rolled = checks.Check("ann", "attack", args.die, against=args.target.id).make(ctx)
    if rolled.outcome == "miss":
        return
    fell = roll(parse_dice("1d6"), ctx.dice)
    ctx.emit(Rolled("ann", fell.dice, fell.faces, fell.total, for_="damage"))
    amount = fell.total * (2 if rolled.outcome == "crit" else 1)
    ctx.emit(TrackChanged(args.target.id, "hp", -min(amount, args.target.track("hp"))))
    if not ctx.state[args.target.id].track("hp"):
        ctx.emit(LifeChanged(args.target.id, "dead"))


class _BlockArgs(Struct):
    outcome: Annotated[str, arguments.choice_arg("an outcome", tuple(OUTCOMES.means))]


def _block(ctx, args):
    """`block OUTCOME`: the command before comes out so."""
    again = checks.redecide(ctx, ctx.previous, Forced((args.outcome,)))
    checks.emit_difference(ctx, ctx.state, again.state, "blocked")


@pytest.fixture
def fight():
    """Ann and Bob, 10 HP each."""
    play = Play((6, 3, 2, 1))
    commands = (
        declare_command("strike", "", _StrikeArgs, _strike),
        declare_command("block", "", _BlockArgs, _block),
    )
    own = {command.name: command for command in commands}
    play.ruleset = replace(play.ruleset, commands={**play.ruleset.commands, **own})
    play("add pc Ann", "add pc Bob")
    return play


def test_the_dice_fall_as_they_did_and_what_came_of_the_roll_is_otherwise(fight):
    fight("strike bob crit")
    assert (fight.who("bob").track("hp"), fight.who("bob").life) == (0, "dead")
    fight("block hit")
    assert (fight.who("bob").track("hp"), fight.who("bob").life) == (4, "up")
    events = fight.history.previous.entry.events
    assert events == (
        TrackChanged("bob", "hp", 4, why="blocked"),
        LifeChanged("bob", "up", "blocked"),
    )


def test_dice_that_did_not_fall_before_are_rolled(fight):
    fight("strike bob miss", "block hit")
    assert fight.who("bob").track("hp") == 4


def test_what_a_track_would_become_stays_within_its_bounds(fight):
    was = replace(fight.state.combatants[1], tracks={"hp": Track(3, 10)})
    wanted = replace(was, tracks={"hp": Track(9, 10)})

    def heal(ctx, words):
        ctx.emit(TrackChanged("bob", "hp", -2))
        states = (replace(ctx.state, combatants=(one,)) for one in (was, wanted))
        checks.emit_difference(ctx, *states, "bent")

    commands = {**fight.ruleset.commands, "heal": Command("heal", "heal", "", heal)}
    fight.ruleset = replace(fight.ruleset, commands=commands)
    fight("heal")
    assert fight.who("bob").track("hp") == 10


def test_a_command_that_can_not_be_given_any_more_is_refused(fight):
    fight("strike bob crit")

    def without_bob(ctx, words):
        before = replace(ctx.before, combatants=ctx.before.combatants[:1])
        checks.redecide(ctx, ctx.previous, Forced(("hit",)), before)

    commands = {**fight.ruleset.commands, "gone": Command("gone", "gone", "", without_bob)}
    fight.ruleset = replace(fight.ruleset, commands=commands)
    with pytest.raises(Refused, match="bob"):
        fight("gone")


def test_checks_and_what_was_called_out_are_no_dice_beside():
    dice = Rolled("ann", "1d6", (4,), 4, for_="damage")
    check = Rolled("ann", "1d20", (4,), 4, 4, "attack")
    said = Rolled("ann", "1d6", (4,), 4, by_hand=True)
    assert checks.other_rolls((dice, check, said, LifeChanged("ann", "dead"))) == (dice,)


def test_dice_are_known_by_their_sides_and_faces():
    rolled = [Rolled("ann", "2d6+1d4+3", (5, 1, 2), for_="damage"), Rolled("ann", "what", (5,))]
    of = ("ann", "damage", "")
    assert recorded_dice(rolled) == [(6, 5, of), (6, 1, of), (4, 2, of)]


def test_what_a_command_is_forced_to_counts_in_one_that_it_decides_again():
    """For a roll that only falls then: no argument of either says anything of it."""
    seen = []

    def look(ctx, args):
        seen.append(checks.left_to_program(ctx, "bob"))
        if ctx.previous is not None:
            checks.redecide(ctx, ctx.previous, Forced(("hit",)))

    play = Play()
    verb = declare_command("look", "", NoArgs, look)
    play.ruleset = replace(play.ruleset, commands={**play.ruleset.commands, "look": verb})
    play("look")
    ctx = Context(play.state, play.ruleset, play.dice, play.history.previous)
    checks.redecide(ctx, ctx.previous, Forced(rolls={("bob", ""): "miss"}))
    assert seen == [DieInput(), DieInput("miss", final=True)]
    del seen[:]
    play("look")
    ctx = Context(play.state, play.ruleset, play.dice, play.history.previous)
    checks.redecide(ctx, ctx.previous, Forced(rolls={("bob", ""): "miss"}))
    assert seen[-2:] == [DieInput("miss", final=True)] * 2
