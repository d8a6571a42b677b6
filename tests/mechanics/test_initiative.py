"""A d20 and the sheet's `init`, with what is in force; and who goes first of those who tie."""

from msgspec.structs import replace
from tests.core.conftest import Play
from tests.fallen_dice import FallenDice
from tests.mechanics.situations import NUMBERS, TABLES, effect, here, modifier

from affray.core.dice import DieInput
from affray.core.engine.events import Rolled
from affray.core.engine.state import Combatant, Encounter
from affray.core.formatting.pieces import why_in_words
from affray.core.rules.ruleset import Context
from affray.mechanics import checks


class InitiativeCheck(checks.InitiativeCheck, frozen=True):
    """Of the game of a few rows."""

    numbers = NUMBERS


def _rolled(situation, *faces, lying=()):
    ruleset = replace(Play().ruleset, tables=TABLES)
    ctx = Context(situation.state, ruleset, FallenDice(faces))
    total = InitiativeCheck("mira", die=DieInput(faces=lying)).roll_total(ctx)
    (rolled,) = (event for event in ctx.events if isinstance(event, Rolled))
    return total, rolled


def test_a_d20_and_init_and_what_is_in_force():
    total, rolled = _rolled(here(modifier("spurred", {"initiative": 2}), init=3), 11)
    assert (total, rolled.dice, why_in_words(rolled)) == (
        16,
        "1d20+5",
        "+3 own initiative, +2 modifier",
    )


def test_the_better_of_two_dice_with_an_advantage():
    lucky = effect("lucky", advantage=("initiative",))
    total, rolled = _rolled(here(lucky, init=1), lying=(4, 15))
    assert (total, rolled.dice) == (16, "2d20kh1+1")


def test_ties_go_by_init_then_characters_then_as_added():
    people = [
        Combatant(who, who, "foes" if kind == "monster" else "party", kind, stats={"init": init})
        for who, kind, init in (
            ("rat", "monster", 2),
            ("ann", "pc", 1),
            ("bat", "monster", 1),
            ("bob", "pc", 1),
        )
    ]
    ctx = Context(Encounter(combatants=tuple(people)), Play().ruleset, FallenDice(()))
    ranks = {who.id: checks.TiesByInit().tie_rank(ctx, who.id, 12, ()) for who in people}
    assert sorted(ranks, key=ranks.__getitem__) == ["rat", "ann", "bob", "bat"]
