"""What a game's numbers come to, by what is in force: the one reader of the rows' fields."""

from tests.mechanics.situations import NUMBERS, TABLES, USED, effect, here, modifier, of, person

from affray.core.engine.state import Combatant, Track
from affray.core.rules.tables import read_tables
from affray.mechanics import stats as numbers
from affray.mechanics.stats import StatPart


def why(situation, total):
    game, at = numbers.StatNumbers(NUMBERS), situation
    told = game.explain(at.tables, at.state, at.who, total)
    return [(share.amount, share.source) for share in told]


def totals(situation):
    return numbers.stat_values(NUMBERS, TABLES, situation.state, situation.who)


# -- parts -----------------------------------------------------------------------------------------


def test_a_number_is_its_own_parts_and_what_effects_add():
    mira = here(effect("shaken"), modifier("m", {"attack": 1, "ac": 3}, note="bless"), ac=12)
    assert (numbers.stat_value(mira, "attack"), numbers.stat_value(mira, "ac")) == (-1, 15)
    assert why(mira, "ac") == [(12, "own AC"), (3, "bless")]


def test_a_kind_that_one_has_or_has_not_counts_once_and_any_other_each_time():
    conditions = [effect("shaken", id=f"shaken-{n}") for n in range(2)]
    bonuses = [modifier(f"m{n}", {"check": 2}) for n in range(2)]
    mira = here(*conditions, *bonuses)
    assert totals(mira) | {"ac": 0} == {
        "attack": -2, "check": 4, "notice": 4, "ac": 0, "speed": 30,
    }  # fmt: skip


def test_a_number_is_rounded_to_its_step_where_it_is_bent_and_only_there():
    assert numbers.stat_value(here(pace=33), "pace") == 33
    assert [numbers.stat_value(here(effect("slow"), pace=n), "pace") for n in (25, 30, 33)] == [
        10, 15, 15,
    ]  # fmt: skip


def test_what_is_implied_counts_and_says_by_what():
    assert why(here(effect("afraid")), "attack") == [(-2, "shaken (afraid)")]
    assert numbers.stat_value(here(effect("afraid"), effect("shaken")), "attack") == -2


def test_of_one_of_several_kinds_an_effect_counts_by_the_first():
    mira = here(modifier("m", {"check": 1, "notice": 4}), modifier("n", {"check": 2}))
    assert numbers.stat_value(mira, "notice") == 6


def test_parts_stack_as_the_game_says_and_the_others_are_told_as_text():
    mira = here(modifier("a", {"ac": 1}, type="luck"), modifier("b", {"ac": 2}, type="luck"), ac=10)
    assert numbers.stat_value(mira, "ac") == 12
    assert why(mira, "ac")[1:] == [
        ("(+1)", "modifier (luck), doesn't stack"),
        (2, "modifier (luck)"),
    ]
    assert numbers.stat_value(mira, "ac", more=[StatPart(5, "cover", "luck")]) == 15


def test_a_kind_apart_counts_in_no_number():
    assert numbers.stat_value(here(effect("coin", kind="token", modifiers={"ac": 4})), "ac") == 0


def test_what_counts_with_some_attacks_only_is_told_as_text():
    mira = here(modifier("m", {"attack": 2}, only_with=("bow",)))
    assert numbers.stat_value(mira, "attack") == 0
    assert numbers.stat_value(mira, "attack", tags=("bow", "cold")) == 2
    assert why(mira, "attack") == [("(+2)", "modifier, with bow")]


def test_what_is_against_one_creature_counts_against_that_one_alone():
    mira = here(
        effect("hated", kind="condition", modifiers={"attack": 1}, against="odo"),
        effect("hated", id="hated-2", kind="condition", modifiers={"attack": 3}, against="pell"),
    )
    values = [numbers.stat_value(mira, "attack", against=who) for who in ("", "odo", "pell")]
    assert values == [0, 1, 3]
    assert why(mira, "attack") == [
        ("(+1)", "hated, against Odo"),
        ("(+3)", "hated, against Pell"),
    ]


def test_what_spares_one_creature_counts_against_all_others():
    mira = here(effect("goaded", kind="condition", modifiers={"attack": -2}, spares="odo"))
    values = [numbers.stat_value(mira, "attack", against=who) for who in ("", "odo", "pell")]
    assert values == [0, 0, -2]
    assert why(mira, "attack") == [("(−2)", "goaded, unless against Odo")]


def test_a_part_says_from_whom_it_is_and_what_the_gm_calls_it():
    mira = here(modifier("m", {"ac": 1}, source="odo", note="song"), effect("shaken", source="odo"))
    assert why(mira, "ac")[1:] == [(1, "song from Odo")]
    assert why(mira, "attack") == [(-2, "shaken")]


def test_a_number_is_only_of_those_who_have_it():
    assert "wings" not in totals(here())
    assert totals(here(wings=60))["wings"] == 60
    assert why(here(), "wings") == why(here(), "nonsense") == []


def test_a_kind_of_modifier_that_is_no_number_of_the_game_is_added_up_all_the_same():
    assert numbers.stat_value(here(modifier("m", {"actions": -1})), "actions") == -1


def test_what_levels_of_a_track_do_counts_without_any_effect():
    rows = {
        "tracks": {"wear": {"label": "Wear", "levels": True}},
        "levels": {"worn": {"track": "wear", "modifiers": {"check": -1}, "speed": "half"}},
    }
    mira = person("mira")
    worn = Combatant("mira", "Mira", "party", "pc", tracks={"wear": Track(1)})
    situations = [of(who, read_tables(rows)) for who in (mira, worn)]
    assert [numbers.stat_value(each, "check") for each in situations] == [0, -1]
    assert [numbers.stat_value(each, "speed") for each in situations] == [30, 15]


# -- what halves, doubles and caps -----------------------------------------------------------------


def speed(*names, **stats):
    return numbers.stat_value(here(*map(effect, names), **stats), "speed")


def test_speed_is_halved_down_doubled_or_none_and_half_and_double_cancel():
    assert (speed("slow", speed=25), speed("quick"), speed("stuck", "quick")) == (12, 60, 0)
    assert speed("slow", "quick", speed=25) == 25


def test_each_half_of_the_field_halves_counts_and_caps_come_last():
    assert (speed("dragging"), speed("dragging", "slow"), speed("mired", "quick")) == (15, 7, 10)
    assert speed("mired", "dragging", speed=14) == 7


def test_bonuses_come_before_halves_and_doubles():
    late = modifier("m", {"speed": -15})
    assert numbers.stat_value(here(late, effect("quick")), "speed") == 30
    assert numbers.stat_value(here(modifier("m", {"speed": -50})), "speed") == 0


def test_what_bends_speed_bends_what_counts_as_speed():
    assert numbers.stat_value(here(effect("mired"), wings=60), "wings") == 10
    assert numbers.stat_value(here(effect("mired"), ac=14), "ac") == 14


def test_why_tells_what_bends_a_number_behind_its_parts():
    mira = here(effect("slow"), effect("dragging"), effect("mired"), modifier("m", {"speed": 5}))
    assert why(mira, "speed") == [
        (30, "own speed"),
        (5, "modifier"),
        ("half", "slow"),
        ("halved", "dragging"),
        ("at most 10", "mired"),
    ]


# -- what else rows say ----------------------------------------------------------------------------


def test_halves_and_caps_can_be_asked_for_by_name():
    mira = here(effect("dragging"), effect("mired"))
    assert [e.name for e in numbers.halving_sources(TABLES, mira.force, "damage")] == ["dragging"]
    assert [(most, e.name) for most, e in numbers.maximum_of(TABLES, mira.force, "speed")] == [
        (10, "mired")
    ]


def test_what_is_forbidden_is_named_with_its_effect():
    mira = here(effect("stony"))
    forbids = [numbers.forbidding_effects(TABLES, mira.force, what) for what in ("run", "fly")]
    assert forbids == [["stony"], []]


def test_a_number_that_lasts_until_it_is_used_counts_until_then():
    assert numbers.stat_value(here(modifier("m", {"ac": 2}, until=USED)), "ac") == 2
