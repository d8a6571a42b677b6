"""Reasons for advantage and disadvantage on a roll, and what a roll uses up."""

import pytest
from msgspec.structs import replace
from tests.core.conftest import BARE, EFFECTS, Play
from tests.rulekit.situations import NUMBERS, TABLES, USED, effect, here, modifier, of, person

from affray.core.heart.effects import gain
from affray.core.rules.ruleset import Verb
from affray.core.rules.tables import read_tables
from affray.rulekit.leaning import leaning, own_reasons, spent_by, spent_on, suffered, use_up


def test_ones_own_rows_give_reasons_for_rolls_of_their_kinds():
    mira = here(effect("unseen"), effect("down"), effect("down", id="down-2"))
    assert leaning(mira, ("attack",)) == (["unseen"], ["down"])
    assert leaning(mira, ("check", "dex-check")) == ([], [])


def test_what_the_gm_says_of_an_effect_counts_beside_its_row():
    mira = here(modifier("m", {}, advantage=("save",), disadvantage=("attack",)))
    assert leaning(mira, ("save", "dex-save")) == (["modifier"], [])
    assert leaning(mira, ("attack",)) == ([], ["modifier"])


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
    assert leaning(here(), ("attack",), target, between) == (pro, con)


def test_what_is_good_for_its_source_alone_counts_for_nobody_else():
    target = of(person("odo", effect("fooled", source="pell"), effect("fooled", id="f-2")))
    assert suffered(target, "advantage", "mira") == []
    assert suffered(target, "advantage", "pell") == ["fooled"]


def test_what_is_against_one_creature_counts_on_both_sides_for_that_one_alone():
    roller = here(effect("unseen", against="odo"), effect("unseen", id="u-2", against="odo"))
    assert own_reasons(roller, "advantage", ("attack",)) == []
    assert own_reasons(roller, "advantage", ("attack",), "odo") == ["unseen"]
    target = of(person("odo", effect("exposed", against="pell")))
    assert suffered(target, "advantage", "mira") == []
    assert suffered(target, "advantage", "pell") == ["exposed"]


# -- what a roll uses up ---------------------------------------------------------------------------


def spent(who, *kinds, **more):
    return [each.id for each in spent_by(NUMBERS, TABLES, who, kinds, **more)]


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
    assert [e.name for e in spent_on(NUMBERS, TABLES, odo, "mira")] == ["exposed"]


def test_what_did_not_count_in_a_roll_is_left():
    mira = person(
        "mira",
        modifier("bow", {"attack": 1}, until=USED, only_with=("bow",)),
        effect("helped", against="odo"),
    )
    assert (spent(mira, "attack"), spent(mira, "attack", tags=("bow",))) == ([], ["bow"])
    assert (spent(mira, "check"), spent(mira, "check", against="odo")) == ([], ["helped"])
    odo = person("odo", effect("exposed", against="pell"))
    assert spent_on(NUMBERS, TABLES, odo, "mira") == []


def test_what_is_used_up_ends_and_the_log_says_so():
    def run(ctx, words):
        mira = gain(ctx, "mira", effect("helped"))
        use_up(ctx, "mira", [mira])

    tables = read_tables(EFFECTS, {"effects": {"helped": {"kind": "opening"}}})
    verbs = {**BARE.verbs, "spend": Verb("spend", "spend", "spends help", run)}
    play = Play()
    play.ruleset = replace(BARE, tables=tables, verbs=verbs)
    play("add pc Mira", "spend")
    assert play.state["mira"].effects == ()
    assert play.history.entries[play.history.head].events[-1].why == "used"
