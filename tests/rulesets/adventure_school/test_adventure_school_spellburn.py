"""The spellburn die, burnout, and a backfire with each of its answers.

Adventure School, Spellburn, Minor Spellburn, Burnout, Backfire, Fry, Exceed Your Limits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.rulesets.adventure_school.conftest import GHOULS, MIRA

Fight = Any
ROUND = ["next"] * 4


@pytest.fixture
def casting(fight: Fight) -> Fight:
    """Mira is up."""
    fight.do("next")
    return fight


def die(fight: Fight) -> int:
    """The sides of Mira's die; 0 when it is out."""
    return int(fight.track("mira", "spellburn"))


def fried(fight: Fight) -> list[str]:
    """The spells that are fried."""
    return [effect.note for effect in fight["mira"].effects if effect.name == "fried"]


# -- the die ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sides", "smaller"), [(20, 12), (12, 10), (10, 8), (8, 6), (6, 4), (4, 2), (2, 0)]
)
def test_a_spell_that_works_makes_the_die_a_size_smaller(
    new_fight: Callable[..., Fight], sides: int, smaller: int
) -> None:
    """Adventure School, Spellburn Die, Spellburn, Minor Spellburn; ruling 21."""
    fight = new_fight(MIRA.replace("d10", f"d{sides}"), "cast Spark rolled 2 by mira")
    assert die(fight) == smaller and fight["mira"].tracks["spellburn"].max == sides
    assert fight.outcome == "pass" and not fight.pending


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("cast Spark rolld 5", "did you mean rolled"),
        ("cast Storm spellbrun 2", "did you mean spellburn"),
        ("cast Storm att ghoul-1 hit 5", "did not expect '5'"),
        ("cast Spark att ghoul-1 miss", "did you mean Spark"),
    ],
)
def test_a_slip_behind_a_spell_is_no_other_spell_that_costs_nothing(
    casting: Fight, line: str, answer: str
) -> None:
    """COST is left out for a spell that is there."""
    casting.refuses(line, answer)


def test_a_die_is_one_of_the_ladder(fight: Fight) -> None:
    """Adventure School, Spellburn Die; ruling 21: from a d7 nobody knows which is one size
    smaller."""
    known = "d2, d4, d6, d8, d10, d12 or d20"
    fight.refuses(MIRA.replace("d10", "d7"), known)
    fight.refuses("set mira spellburn d7", known)
    fight.refuses("set mira spellburn d8 of 9", known)
    assert die(fight.do("set mira spellburn 0")) == 0


def test_a_minor_spell_leaves_the_die_as_it_is(casting: Fight) -> None:
    """Adventure School, Spellburn, Minor Spellburn."""
    casting.do("cast Ember rolled 2")
    assert die(casting) == 10


def test_the_program_rolls_what_is_not_called_out(casting: Fight) -> None:
    casting.do("cast Spark", faces=[4])
    assert casting.rolled.dice == "1d10" and die(casting) == 8


def test_spellburn_x_rolls_x_times_each_with_the_smaller_die(casting: Fight) -> None:
    """Adventure School, Spellburn, Minor Spellburn."""
    casting.do('cast "Sky Fall" spellburn 3 rolled 9,8,6')
    assert die(casting) == 4 and [r.dice for r in casting.rolls] == ["1d10", "1d8", "1d6"]


def test_the_first_1_ends_it_and_what_shrank_before_stays_small(casting: Fight) -> None:
    """Adventure School, Spellburn, Minor Spellburn."""
    casting.do('cast "Sky Fall" spellburn 3 rolled 9,1')
    assert die(casting) == 8 and "burnout" in casting.effects("mira")


@pytest.mark.parametrize(
    ("rolled", "saying"),
    [
        ("11", "expected a d10 after `rolled`, 1 to 10, found 11"),
        ("0", "expected a d10 after `rolled`, 1 to 10, found 0"),
        ("9,8", "expected a d6 after `rolled`, 1 to 6, found nothing more"),
        ("9,9,2", "expected a d8 after `rolled`, 1 to 8, found 9"),
        ("2,3,4,5", "5 after `rolled`: nothing more is rolled"),
        ("x", "expected the spellburn dice as rolled"),
        ("1,5", "5 after `rolled`: nothing more is rolled"),
    ],
)
def test_dice_that_can_not_have_fallen_are_refused(
    casting: Fight, rolled: str, saying: str
) -> None:
    casting.refuses(f'cast "Sky Fall" spellburn 3 rolled {rolled}', saying)


def test_dice_of_a_spell_that_takes_none_are_refused(casting: Fight) -> None:
    casting.refuses("cast Thorns rolled 4", "no spellburn die")
    casting.do("add pc Ann hp 4").refuses("cast Bolt spellburn by ann", "no spellburn die")


def test_at_0_nothing_is_rolled_and_it_fails_as_by_a_1(casting: Fight) -> None:
    """Adventure School, Spellburn Die; ruling 22."""
    casting.do("set mira spellburn 0").refuses("cast Spark rolled 1", "nothing more is rolled")
    casting.do("cast Spark at ghoul-1 hit 8")
    assert not casting.rolls and "burnout" in casting.effects("mira")
    assert casting.hp("ghoul-1") == 24 and casting.pending == [("mira", "Mira's Spark backfires")]


def test_rests_bring_the_die_back(casting: Fight) -> None:
    """Adventure School, Short Rest, Long Rest."""
    casting.do("set mira spellburn 0", "end", "rest short")
    assert die(casting) == 2
    casting.do("rest short", "rest long interrupted")
    assert die(casting) == 6
    casting.do("rest long", "rest short")
    assert die(casting) == 10


# -- a 1 -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer", ["fry Spark", "panic-fry", "happens", 'happens "it rains frogs"', "exceed tails"]
)
def test_burnout_comes_at_once_whatever_is_chosen_and_lasts_until_a_rest(
    casting: Fight, answer: str
) -> None:
    """Adventure School, Burnout, Backfire; ruling 22."""
    casting.do("cast Spark rolled 1 at ghoul-1 hit 8 fire")
    assert casting.hp("ghoul-1") == 24 and die(casting) == 10
    assert "burnout" in casting.effects("mira")
    casting.do(f"backfire mira {answer}")
    assert "burnout" in casting.effects("mira") and not casting.pending
    kept_from = "fried until a long rest" if answer == "panic-fry" else "burnout until a rest"
    casting.do("end").refuses('cast "Sky Fall" spellburn rolled 5 by mira', kept_from)
    casting.refuses("cast Ember rolled 5 by mira", kept_from)
    casting.do("rest short")
    assert "burnout" not in casting.effects("mira")


def test_a_burnt_out_one_still_casts_what_takes_no_die(casting: Fight) -> None:
    """Adventure School, Burnout, Backfire."""
    casting.do("cast Spark rolled 1", "backfire mira happens", *ROUND, "cast Thorns")
    assert casting.track("mira", "control") == 9


def test_no_answer_is_taken_where_nothing_backfires(casting: Fight) -> None:
    casting.refuses("backfire mira happens", "none of Mira's spells backfires")
    casting.do("cast Spark rolled 1", "backfire mira happens")
    casting.refuses("backfire mira panic-fry", "none of Mira's spells backfires")
    casting.refuses("backfire mira", "expected the result")


def test_a_backfire_that_nobody_answers_happens_as_the_turn_ends(casting: Fight) -> None:
    """Adventure School, Burnout, Backfire: a ruling of ours."""
    casting.do("cast Spark rolled 1", "next")
    assert "Spark backfires: the GM decides the result" in casting.notes
    assert not casting.pending and "burnout" in casting.effects("mira")


def test_a_backfire_out_of_a_fight_waits_for_the_next_rest(new_fight: Callable[..., Fight]) -> None:
    fight = new_fight(MIRA, "cast Spark rolled 1 by mira")
    assert fight.pending
    fight.do("rest short")
    assert not fight.pending and "Spark backfires" in fight.notes


# -- fry -------------------------------------------------------------------------------------------


def test_a_fried_spell_can_not_be_cast_until_a_long_rest(casting: Fight) -> None:
    """Adventure School, Fry, Panic Fry."""
    casting.do("cast Ember rolled 1", "backfire mira fry Spark", "end", "rest short")
    assert fried(casting) == ["Spark"] and casting.until("mira", "fried") == "until a long rest"
    casting.refuses("cast Spark rolled 5 by mira", "fried")
    casting.refuses("cast spark control 1 by mira", "fried")
    casting.do("cast Ember rolled 5 by mira", "rest long", "cast Spark rolled 5 by mira")
    assert fried(casting) == []


def test_what_a_fried_spell_keeps_up_ends(casting: Fight) -> None:
    """Adventure School, Fry, Panic Fry."""
    casting.do(
        "dedicate spirit 2 Spark",
        "devote spirit 1 Ember",
        'modifier brannoc +1 ac "Spark" from mira',
        'modifier brannoc +1 ac "Spark" from ghoul-1',
        "cast Spark rolled 1",
        "backfire mira fry spark",
    )
    assert [effect.note for effect in casting["mira"].effects] == ["Ember", "", "Spark"]
    assert casting.track("mira", "spirit") == 4
    assert [effect.source for effect in casting["brannoc"].effects] == ["ghoul-1"]


def test_any_spell_of_the_gms_choosing_may_be_fried_but_no_slip_of_one(casting: Fight) -> None:
    """Adventure School, Burnout, Backfire: sheets may not tell of all spells."""
    casting.do("cast Spark rolled 1")
    casting.refuses("backfire mira fry Sprak", "did you mean Spark")
    casting.refuses("backfire mira fry Thorns", "no spell to fry")
    casting.refuses("backfire mira fry", "the spell")
    casting.do('backfire mira fry "Sky Fall"', "end", "rest short")
    casting.refuses('cast "Sky Fall" spellburn rolled 5 by mira', "fried")
    casting.do("cast Spark rolled 5 by mira")


def test_what_is_fried_is_fried_no_more(casting: Fight) -> None:
    casting.do("cast Ember rolled 1", "backfire mira fry Spark", "end", "rest short")
    casting.do("cast Ember rolled 1 by mira").refuses("backfire mira fry Spark", "no spell to fry")


def test_panic_fry_fries_all_spells_that_take_the_die_and_no_others(casting: Fight) -> None:
    """Adventure School, Fry, Panic Fry: one `fried` for each, the one that was cast among them."""
    casting.do('cast "Sky Fall" spellburn rolled 1', "backfire mira panic-fry", "end", "rest short")
    assert fried(casting) == ["Sky Fall", "Spark", "Ember"]
    for spell in ("Spark", "Ember", '"Sky Fall" spellburn', "Unheard-of minor-spellburn"):
        casting.refuses(f"cast {spell} rolled 5 by mira", "fried")
    casting.do("cast Thorns by mira", "rest long", "cast Unheard-of spellburn rolled 5 by mira")
    assert fried(casting) == []


# -- exceed the limits -----------------------------------------------------------------------------


def test_heads_casts_the_spell_after_all_with_all_that_it_does(casting: Fight) -> None:
    """Adventure School, Exceed Your Limits, Catastrophic Arcane Failure; ruling 23: no burnout, the
    die one size smaller."""
    casting.do("cast Spark rolled 1 at ghoul-1,ghoul-2 hit miss 8 fire")
    casting.do("backfire mira exceed heads")
    assert (casting.hp("ghoul-1"), casting.hp("ghoul-2")) == (16, 24)
    assert die(casting) == 8 and not casting.pending
    assert casting["mira"].effects == () and casting.track("mira", "action") == 0
    assert [(r.for_, r.outcome) for r in casting.rolls][1:] == [("Spark", "hit"), ("Spark", "miss")]
    casting.do(*ROUND, "cast Spark rolled 2")
    assert die(casting) == 6


def test_heads_rolls_what_was_left_to_the_program_only_then(casting: Fight) -> None:
    """Adventure School, Exceed Your Limits, Catastrophic Arcane Failure."""
    casting.do("cast Spark at ghoul-1 hit 2d6 fire", faces=[1])
    casting.do("backfire mira exceed roll", faces=[1, 5, 4])
    assert casting.hp("ghoul-1") == 15


@pytest.mark.parametrize(("cast", "before", "after"), [("Ember", 8, 8), ("Spark", 0, 0)])
def test_heads_leaves_the_die_of_a_minor_spell_and_one_that_is_out(
    casting: Fight, cast: str, before: int, after: int
) -> None:
    """Adventure School, Exceed Your Limits, Catastrophic Arcane Failure; ruling 23."""
    rolled = " rolled 1" if before else ""
    casting.do(f"set mira spellburn {before}", f"cast {cast}{rolled} at ghoul-1 hit 5")
    casting.do("backfire mira exceed heads")
    assert casting.hp("ghoul-1") == 19 and die(casting) == after


def test_heads_of_several_dice_shrinks_it_once_more_and_rolls_no_further(casting: Fight) -> None:
    """Adventure School, Exceed Your Limits, Catastrophic Arcane Failure; ruling 23: the spell is
    cast, and what shrank before stays small."""
    casting.do('cast "Sky Fall" spellburn 3 rolled 9,1 at ghoul-1 hit 5')
    casting.do("backfire mira exceed heads")
    assert casting.hp("ghoul-1") == 19 and die(casting) == 6


def test_heads_counts_for_what_was_held_and_cast_in_anothers_turn(fight: Fight) -> None:
    """Adventure School, Exceed Your Limits, Catastrophic Arcane Failure, Hold."""
    fight.do("next", "ready", "next")
    fight.do("trigger cast Spark rolled 1 at ghoul-1 hit 8 fire by mira")
    fight.do("backfire mira exceed heads")
    assert fight.hp("ghoul-1") == 16 and fight["mira"].named("readied") is None


def test_heads_finds_what_was_cast_behind_what_was_done_since(casting: Fight) -> None:
    casting.do("cast Spark rolled 1 at ghoul-1 hit 8 fire", "damage ghoul-1 5", 'note "hm"')
    casting.do("backfire mira exceed heads")
    assert casting.hp("ghoul-1") == 11


def test_the_roll_to_hit_of_a_spell_cast_after_all_may_be_made_again(
    new_fight: Callable[..., Fight],
) -> None:
    """Adventure School, Exceed Your Limits, Catastrophic Arcane Failure, Reroll."""
    fight = new_fight(
        MIRA + " ability Ray spellburn +5 vs ac 1d6 fire",
        GHOULS,
        "cast Ray rolled 1 at ghoul-1 natural 2 8 by mira",
        "backfire mira exceed heads",
    )
    assert fight.outcome == "miss" and fight.hp("ghoul-1") == 24
    fight.do("reroll natural 15")
    assert fight.hp("ghoul-1") == 16 and die(fight) == 8
    fight.do("undo", "reroll natural 1")
    assert fight.outcome == "miss" and fight.hp("ghoul-1") == 24


def test_tails_is_a_catastrophe_until_the_die_is_whole_even_when_revived(casting: Fight) -> None:
    """Adventure School, Exceed Your Limits, Catastrophic Arcane Failure; ruling 24: HP 0, no
    frying."""
    casting.do("set mira spellburn d6", "cast Spark rolled 1", "backfire mira exceed tails")
    assert casting.hp("mira") == 0 and casting["mira"].life == "defeated" and not fried(casting)
    casting.do("revive mira 10")
    assert casting["mira"].life == "up" and "incapacitated" in casting.effects("mira")
    casting.do("set mira spellburn d10")
    assert "incapacitated" not in casting.effects("mira")


def test_with_a_whole_die_a_catastrophe_lasts_as_long_as_the_defeat(casting: Fight) -> None:
    """Adventure School, ruling 24."""
    casting.do("cast Ember rolled 1", "backfire mira exceed tails")
    assert "catastrophe" in casting.effects("mira")
    casting.do("revive mira 10")
    assert not {"catastrophe", "incapacitated"} & casting.effects("mira")


@pytest.mark.parametrize(
    "answer", ["fry Spark", "panic-fry", "happens", "exceed heads", "exceed tails"]
)
def test_undo_across_a_backfires_choice(casting: Fight, answer: str) -> None:
    """What it must show."""
    casting.do("cast Spark rolled 1 at ghoul-1 hit 8 fire")
    before = casting.shown["combatants"]
    casting.do(f"backfire mira {answer}")
    assert not casting.pending
    casting.do("undo")
    assert casting.shown["combatants"] == before and casting.pending
    casting.do("backfire mira exceed heads", "undo 2")
    assert not casting.pending and die(casting) == 10 and casting["mira"].effects == ()
