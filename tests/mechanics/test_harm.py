"""A blow by its steps, HP lost and regained, temporary HP, and the commands made of them."""

from collections.abc import Iterable, Iterator
from typing import Annotated

import pytest
from msgspec.structs import replace
from tests.core.conftest import Play
from tests.fallen_dice import FallenDice
from tests.played import rules_said

from affray.core.engine.events import LifeChanged, NoteAdded, Rolled, TrackChanged
from affray.core.engine.state import Encounter
from affray.core.formatting.pieces import steps_in_words, why_in_words
from affray.core.parser import arguments
from affray.core.parser.clauses import parse_damage_type
from affray.core.parser.errors import Refused
from affray.core.parser.tokens import Token, TokenStream
from affray.core.rules.ruleset import Command
from affray.mechanics import damage


def told(amount: int, steps: Iterable[damage.DamageStep]) -> tuple[int, str]:
    """What is left of fire damage, and its steps in words."""
    left, how = damage.run_steps(amount, (damage.damage_part(amount, "fire"),), steps)
    return left, steps_in_words(how)


def test_a_blow_goes_through_its_steps_in_their_order_and_tells_of_each():
    steps = [damage.halve("halved"), damage.subtract(1, "AC"), damage.add_amount(5, "weak to it")]
    assert told(9, steps) == (8, "9 fire, halved 4, AC 1, weak to it 5")
    assert told(9, reversed(steps)) == (
        6,
        "9 fire, weak to it 5, AC 1, halved 6",
    )


@pytest.mark.parametrize(
    ("step", "amount", "left", "words"),
    [
        (damage.halve("halved"), 7, 3, "halved 3"),
        (damage.halve("halved"), 1, 0, "halved 0"),
        (damage.halve("halved", least=1), 1, 1, "halved 1"),
        (damage.halve("halved", least=1), 0, 0, "halved 0"),
        (damage.halve("resisted", tells=False), 7, 3, "resisted"),
        (damage.double_amount("doubled"), 7, 14, "doubled 14"),
        (damage.subtract(9, "armor"), 7, 0, "armor 9"),
        (damage.add_amount(9, "vulnerable"), 7, 16, "vulnerable 9"),
        (damage.negate("immune"), 7, 0, "immune"),
    ],
)
def test_what_each_step_makes_of_a_blow(step, amount, left, words):
    assert told(amount, [step]) == (left, f"{amount} fire, {words}")


# -- a game of these alone -------------------------------------------------------------------------


class _Damage(damage.DamageArgs, frozen=True):
    type: Annotated[str, arguments.damage_type_arg(lambda ctx: ["fire", "cold"])] = ""
    deep: Annotated[bool, arguments.flag_arg()] = False


class _Temporary(damage.TempHpArgs, frozen=True):
    stays: Annotated[str, arguments.anywhere_choice_arg("new", "keep")] = ""


def _strike(ctx, who, said, half):
    damage.resolve_damage_target(ctx, who)
    steps = [damage.halve("half")] if half else []
    amount, how = damage.apply_steps(ctx, who, said.amount, steps, said.type)
    if not amount:
        return
    loss = damage.lose_hp(ctx, who, amount, how, floor=None if said.deep else 0)
    ctx.emit(NoteAdded(f"{loss.temp} {loss.hp} {loss.depth}"))
    if loss.depth <= 0:
        ctx.emit(LifeChanged(who, "dead"))
        if who == "ann":  # whoever Ann falls for falls with her
            ctx.emit(LifeChanged("bob", "dead"))


def _heal(ctx, who, amount):
    return damage.regain_hp(ctx, who, amount, "a song")


def _give(ctx, who, said):
    damage.grant_temp_hp(ctx, who, said.amount, said.stays)


@pytest.fixture
def fight():
    """Ann, Bob and Cat, 10 HP each, in a game of harm alone."""
    play = Play()
    commands = (
        damage.damage_command("hurts", _Damage, _strike),
        damage.heal_command("heals", _heal),
        damage.temp_hp_command("protects", _Temporary, _give),
    )
    play.ruleset = replace(play.ruleset, commands={command.name: command for command in commands})
    play("add pc Ann", "add pc Bob", "add monster Cat")
    return play


def _last(play):
    """What the last command changed and noted."""
    events = play.history.previous.entry.events
    told = (e for e in events if not isinstance(e, LifeChanged))
    return [(e.track, e.by) if isinstance(e, TrackChanged) else e.text for e in told]


def test_temporary_hp_go_first_and_then_hp_down_to_the_floor(fight):
    fight("temp ann 3", "damage ann 12")
    assert _last(fight) == [("temp_hp", -3), ("hp", -9), "3 9 1"]
    fight("damage bob 12 deep")
    assert _last(fight) == [("hp", -12), "0 12 -2"]
    fight("damage cat 12")
    assert _last(fight) == [("hp", -10), "0 10 -2"]


def test_half_is_for_those_who_are_named_and_needs_no_name_for_one(fight):
    fight("damage ann,bob 5 fire half bob")
    assert [fight.who(who).track("hp") for who in ("ann", "bob")] == [5, 8]
    fight("damage cat 5 half deep")
    assert fight.who("cat").track("hp") == 8
    assert fight.history.previous.entry.text == "Cat takes 5"


def test_what_nothing_is_left_of_is_told(fight):
    fight("damage ann 1 fire half")
    events = fight.history.previous.entry.events
    assert rules_said(events, fight.state)[:1] == ["Ann takes no damage (1 fire, half 0)"]


def test_whoever_has_died_of_the_same_command_is_passed_over_and_the_dead_are_refused(fight):
    fight("damage ann,bob,cat 10")
    assert [fight.who(who).life for who in ("ann", "bob", "cat")] == ["dead", "dead", "dead"]
    assert fight.who("bob").track("hp") == 10
    with pytest.raises(Refused, match="Bob is dead"):
        fight("damage bob 1")


def test_a_game_says_which_types_and_words_damage_has(fight):
    with pytest.raises(Refused, match="'fyre' is no known damage type"):
        fight("damage ann 1 fyre")
    assert fight.ruleset.commands["damage"].usage == (
        "damage NAME[,NAME] AMOUNT [TYPE] [half [NAME[,NAME]]] [deep]"
    )


def test_healing_counts_from_0_and_ends_at_the_maximum(fight):
    fight("damage ann,cat 13 deep", "heal ann 4")
    assert fight.who("ann").track("hp") == 4
    assert why_in_words(fight.history.previous.entry.events[0]) == "a song, counted from 0"
    fight("heal ann 99")
    assert fight.who("ann").track("hp") == 10
    fight("heal ann 1")
    assert fight.history.previous.entry.text == "Ann is healed, already at full HP"


@pytest.mark.parametrize(
    ("command", "what"),
    [
        ("damage ann 2d4", "damage"),
        ("heal ann 2d4", "healing"),
        ("temp ann 2d4", "temporary HP"),
    ],
)
def test_dice_that_are_rolled_for_an_amount_say_what_they_are_for(fight, command, what):
    fight.dice = FallenDice((1, 2))
    fight(command)
    rolled = [e for e in fight.history.previous.entry.events if isinstance(e, Rolled)]
    assert [(e.dice, e.for_) for e in rolled] == [("2d4", what)]


@pytest.mark.parametrize(
    ("said", "there"),
    [("4", 6), ("8", 8), ("4 new", 4), ("8 keep", 6), ("6 new", 6)],
)
def test_of_two_amounts_of_temporary_hp_the_higher_stays_or_as_is_said(fight, said, there):
    fight("temp ann 6", f"temp ann {said}")
    assert fight.who("ann").track("temp_hp") == there


def test_the_first_temporary_hp_come_whatever_is_said(fight):
    fight("temp ann 6 keep")
    assert fight.who("ann").track("temp_hp") == 6


def test_types_of_damage_are_those_of_the_tables_and_of_whoever_brings_some(fight):
    def types(ctx, words):
        words.rest()
        ctx.text = ",".join(damage.damage_types(ctx, lambda who: [f"{who.id}fire"]))

    commands = {**fight.ruleset.commands, "types": Command("types", "types", "", types)}
    tables = replace(fight.ruleset.tables, damage_types=("stone", "ice"))
    fight.ruleset = replace(fight.ruleset, commands=commands, tables=tables)
    fight("types")
    assert fight.history.previous.entry.text == "stone,ice,annfire,bobfire,catfire"


def test_a_type_of_the_games_own_is_known_before_any_sheet_is_asked() -> None:
    def types() -> Iterator[str]:
        yield "fire"
        raise AssertionError("the sheets are asked")

    words = TokenStream([Token("Fire")], Encounter())
    assert parse_damage_type(words, types, ()) == "fire"
