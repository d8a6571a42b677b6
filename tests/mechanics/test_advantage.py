"""Reasons for advantage and disadvantage on a roll, and what a roll uses up."""

import pytest
from tests.mechanics.situations import NUMBERS, TABLES, USED, effect, here, modifier, of, person

from affray.core.engine.state import Encounter
from affray.mechanics.stats import (
    advantage_reasons,
    own_roll_reasons,
    reasons_against,
    use_up,
    use_up_on,
)


def test_ones_own_rows_give_reasons_for_rolls_of_their_kinds():
    mira = here(effect("unseen"), effect("down"), effect("down", id="down-2"))
    assert advantage_reasons(mira, ("attack",)) == (["unseen"], ["down"])
    assert advantage_reasons(mira, ("check", "dex-check")) == ([], [])


def test_what_the_gm_says_of_an_effect_counts_beside_its_row():
    mira = here(modifier("m", {}, advantage=("save",), disadvantage=("attack",)))
    assert advantage_reasons(mira, ("save", "dex-save")) == (["modifier"], [])
    assert advantage_reasons(mira, ("attack",)) == ([], ["modifier"])


@pytest.mark.parametrize(
    ("between", "pro", "con"),
    [
        (("near",), ["target down"], ["target unseen"]),
        (("far",), [], ["target unseen", "target down"]),
        ((), [], ["target unseen"]),
    ],
)
def test_what_the_target_suffers_counts_where_it_says(between, pro, con):
    target = of(person("odo", effect("unseen"), effect("down")))
    assert advantage_reasons(here(), ("attack",), target, between) == (pro, con)


def test_what_is_good_for_its_source_alone_counts_for_nobody_else():
    target = of(person("odo", effect("fooled", source="pell"), effect("fooled", id="f-2")))
    assert reasons_against(target, "advantage", "mira") == []
    assert reasons_against(target, "advantage", "pell") == ["fooled"]


def test_what_is_against_one_creature_counts_on_both_sides_for_that_one_alone():
    roller = here(effect("unseen", against="odo"), effect("unseen", id="u-2", against="odo"))
    assert own_roll_reasons(roller, "advantage", ("attack",)) == []
    assert own_roll_reasons(roller, "advantage", ("attack",), "odo") == ["unseen"]
    target = of(person("odo", effect("exposed", against="pell")))
    assert reasons_against(target, "advantage", "mira") == []
    assert reasons_against(target, "advantage", "pell") == ["exposed"]


def test_what_spares_one_creature_counts_on_both_sides_for_all_others():
    roller = here(effect("unseen", spares="odo"))
    assert own_roll_reasons(roller, "advantage", ("attack",), "odo") == []
    assert own_roll_reasons(roller, "advantage", ("attack",), "pell") == ["unseen"]
    assert own_roll_reasons(roller, "advantage", ("attack",)) == []  # nobody knows against whom
    target = of(person("odo", effect("exposed", spares="pell")))
    assert reasons_against(target, "advantage", "mira") == ["exposed"]
    assert reasons_against(target, "advantage", "pell") == []


# -- what a roll uses up ---------------------------------------------------------------------------


class Fight:
    """The little of a command's context that is asked for; `ended` is what came to its end."""

    tables = TABLES

    def __init__(self, *people):
        self.state = Encounter(combatants=people)
        self.ended = []

    def emit(self, event):
        self.ended.append((event.effect, event.why))


def spent(who, *kinds, **more):
    fight = Fight(who)
    use_up(fight, NUMBERS, who.id, kinds, **more)
    assert {why for _, why in fight.ended} <= {"used"}
    return [name for name, _ in fight.ended]


def spent_on(target, by):
    fight = Fight(target)
    use_up_on(fight, NUMBERS, target.id, by)
    assert {why for _, why in fight.ended} <= {"used"}
    return [name for name, _ in fight.ended]


def test_a_roll_uses_up_what_lasted_until_then_and_counted_in_it():
    mira = person(
        "mira",
        modifier("used", {"attack": 1}, until=USED),
        modifier("lasting", {"attack": 1}),
        modifier("other", {"check": 1}, until=USED),
        modifier("adv", {}, advantage=("attack",), until=USED),
        effect("coin", kind="token", modifiers={"attack": 4}, until=USED),
    )
    assert spent(mira, "attack") == ["used", "adv"]


def test_a_kind_that_is_for_one_roll_is_used_up_whatever_its_end():
    mira = person("mira", effect("helped"), effect("unseen"))
    assert (spent(mira, "check"), spent(mira, "attack")) == (["helped"], [])
    odo = person("odo", effect("exposed"), effect("down"), effect("helped"))
    assert spent_on(odo, "mira") == ["exposed"]


def test_what_did_not_count_in_a_roll_is_left():
    mira = person(
        "mira",
        modifier("bow", {"attack": 1}, until=USED, only_with=("bow",)),
        effect("helped", against="odo"),
    )
    assert (spent(mira, "attack"), spent(mira, "attack", tags=("bow",))) == ([], ["bow"])
    assert (spent(mira, "check"), spent(mira, "check", against="odo")) == ([], ["helped"])
    odo = person("odo", effect("exposed", against="pell"))
    assert (spent_on(odo, "mira"), spent_on(odo, "pell")) == ([], ["exposed"])
