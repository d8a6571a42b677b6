"""Rests, and what each gives back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.played import rules_said

from affray.core.engine.events import Rolled, TrackChanged
from affray.core.formatting.log_lines import outcome_lines
from affray.core.formatting.reports import text_report

if TYPE_CHECKING:
    from tests.rulesets.monsters_and_magic.conftest import Fight


@pytest.fixture
def tired(gathered: Fight) -> Fight:
    """Brannoc is hurt and worn, before any fight."""
    return gathered.do("damage brannoc 24", "mark brannoc fatigue 15", "set brannoc threads 0")


def test_no_rest_in_a_fight(fight: Fight) -> None:
    """Monsters & Magic, Rest & Recovery."""
    fight.refuses("rest short", "middle of a fight")


def test_a_short_rest_clears_two_fatigue_for_who_does(tired: Fight) -> None:
    """Monsters & Magic, Short Rest (Clear Fatigue, Tend to Wounds)."""
    tired.do("rest short", "rest short brannoc clear tend 1")
    assert tired.fatigue("brannoc") == (1, 2)
    assert tired.track("brannoc", "hp") == 10 + 7


@pytest.mark.parametrize(
    ("kind", "lasts"), [("short", "an hour"), ("long", "8 hours"), ("extended", "12 hours")]
)
def test_a_rest_tells_how_long_it_lasts(gathered: Fight, kind: str, lasts: str) -> None:
    """Monsters & Magic, Short Rest, Long Rest, Extended Rest."""
    gathered.do(f"rest {kind}")
    assert gathered.shown["undo"] == f"A{'n' * (kind[0] == 'e')} {kind} rest of {lasts}"


def test_two_activities_are_the_most(tired: Fight) -> None:
    """Monsters & Magic, Short Rest: choose two."""
    tired.refuses("rest short brannoc clear tend 1 prepare", "time for 2")
    tired.refuses("rest short brannoc tend 3", "2 supplies")
    tired.refuses("rest extended brannoc clear", "expected a downtime activity")


def test_a_long_rest_clears_all_fatigue_and_exhaustion_for_supplies(tired: Fight) -> None:
    """Monsters & Magic, Long Rest (Clear Fatigue)."""
    tired.do("rest long brannoc clear 1")
    assert tired.fatigue("brannoc") == (0, 1)


def test_the_log_tells_which_rest_it_was(tired: Fight) -> None:
    """Monsters & Magic, Threads of Fate: a long rest gives the GM a thread, and so does an extended
    one."""
    tired.do("rest extended")
    assert {e.why for e in tired.events if isinstance(e, TrackChanged)} == {"an extended rest"}


def test_an_extended_rest_recuperates(tired: Fight) -> None:
    """Monsters & Magic, Extended Rest (Recuperate)."""
    tired.do("rest extended brannoc recuperate")
    assert tired.fatigue("brannoc") == (0, 0)
    assert tired.track("brannoc", "hp") == 30


def test_no_more_than_three_short_rests_in_a_row(tired: Fight) -> None:
    """Monsters & Magic, Short Rest."""
    tired.do("rest short", "rest short", "rest short")
    tired.refuses("rest short", "take a long rest")
    tired.do("rest long", "rest short")


def test_a_long_rest_gives_a_thread_to_who_has_none_and_one_to_the_gm(tired: Fight) -> None:
    """Monsters & Magic, Threads of Fate."""
    tired.do("rest long")
    assert tired.track("brannoc", "threads") == 1
    assert tired.gm_threads == 1
    tired.do("rest long")
    assert tired.track("brannoc", "threads") == 1


def test_holds_last_until_a_long_rest(tired: Fight) -> None:
    """Monsters & Magic, Ongoing, Forward, and Hold."""
    tired.do("hold brannoc arrows 3", "rest short")
    assert tired.track("brannoc", "arrows") == 3
    tired.do("rest long")
    assert tired.track("brannoc", "arrows") == 0


def test_who_prepares_becomes_prepared(tired: Fight) -> None:
    """Monsters & Magic, Short Rest (Prepare)."""
    tired.do("rest short brannoc prepare")
    assert tired.effects("brannoc") == {"prepared"}


def test_who_is_prepared_and_prepares_again_has_a_forward(tired: Fight) -> None:
    """Monsters & Magic, Statuses: bestowed again it is +1 forward, as nothing makes it last
    longer."""
    tired.do('rest short brannoc prepare "the ford"', "rest short")
    tired.do('rest short brannoc prepare "the bridge"')
    assert tired.effects("brannoc") == {"prepared", "forward"}
    tired.do("check brannoc focus natural 7 prepared")
    assert tired.rolled.total == 7 + 2 + 1 + tired.total("brannoc", "check")


@pytest.mark.parametrize(
    ("line", "saying"),
    [
        ("rest", "expected the kind of rest"),
        ("rest nap", "expected the kind of rest, found 'nap'"),
        ("rest short nobody", "nobody here is called"),
        ("rest short brannoc nap", "expected a downtime activity, found 'nap'"),
    ],
)
def test_odd_rests_are_refused(tired: Fight, line: str, saying: str) -> None:
    tired.refuses(line, saying)


def test_two_activities_are_the_most_over_several_lines(tired: Fight) -> None:
    """Monsters & Magic, Short Rest, Long Rest: choose two; Extended Rest: choose one."""
    for kind, *done in (
        ("short", "clear", "tend"),
        ("long", "clear", "preparations"),
        ("extended", "recuperate"),
    ):
        tired.do(f"rest {kind}", *(f"rest {kind} brannoc {what}" for what in done))
        more = f"has had {len(done)}; `rest {kind}` begins"
        tired.refuses(f"rest {kind} brannoc {done[0]}", more)
        tired.do(f"rest {kind}", f"rest {kind} brannoc {done[0]}")


def test_two_activities_of_a_rest_are_two_different_ones(tired: Fight) -> None:
    """Monsters & Magic, Short Rest, Long Rest: choose two of the following."""
    for kind in ("short", "long"):
        tired.do(f"rest {kind}")
        tired.refuses(f"rest {kind} brannoc clear clear", "has had clear in this rest")
        tired.do(f"rest {kind} brannoc clear-fatigue")
        tired.refuses(f"rest {kind} brannoc clear", "has had clear in this rest")
    tired.do("rest short", "rest brannoc prepare with mira")
    tired.refuses("rest mira prepare", "Mira has had prepare")
    tired.refuses("rest mira prepare with brannoc", "Mira has had prepare")


@pytest.mark.parametrize(
    ("lines", "life"),
    [
        (("damage mira 99",), "dying"),
        (("damage mira 99", "death mira strong"), "stable"),
        (("mark mira fatigue 36",), "unconscious"),
        (("inflict mira unconscious until removed",), "unconscious"),
    ],
)
def test_who_is_down_does_nothing_in_a_rest(
    tired: Fight, lines: tuple[str, ...], life: str
) -> None:
    """Monsters & Magic, Rest & Recovery; ruling 53: life forbids."""
    tired.do(*lines, "rest short")
    for what in ("tend", "clear", "prepare"):
        tired.refuses(f"rest short mira {what}", f"can do nothing in a rest: {life}")
    tired.do("rest short brannoc tend mira 1")
    assert tired.track("mira", "hp") == (24 if life == "unconscious" else 6)


# -- supplies --------------------------------------------------------------------------------------


def supplies(fight: Fight) -> int:
    """The party's supplies."""
    return int(fight.shown["gm"]["supplies"])


def notes(fight: Fight) -> list[str]:
    """What the last command noted."""
    return rules_said(fight.events, fight.state)


def test_hours_tell_of_who_is_dying_yet(gathered: Fight) -> None:
    """Monsters & Magic, Death & Dying: every 6 seconds, make a luck roll."""
    gathered.do("damage mira 99", "rest short")
    assert "Mira: dying, with a luck roll every 6 seconds" in gathered.notes
    gathered.do("death mira strong", "rest short")
    assert "dying" not in gathered.notes


def test_tending_spends_the_partys_supplies(tired: Fight) -> None:
    """Monsters & Magic, Short Rest (Tend to Wounds)."""
    tired.do("supplies 3", "rest short", "rest short brannoc tend 2")
    assert supplies(tired) == 1
    assert tired.track("brannoc", "hp") == 10 + 2 * 7
    tired.do("rest short")
    tired.refuses("rest short brannoc tend 2", "the party has 1 supply, not 2")
    assert tired.track("brannoc", "hp") == 24


def test_the_supplies_are_called_the_partys_and_the_threads_the_gms(tired: Fight) -> None:
    """Monsters & Magic, Rest & Recovery: a party has them."""
    fight = tired
    tables = fight.ruleset.tables
    fight.do("set gm supplies 2", "set gm threads 1")
    assert "Party: Supplies 2" in text_report(fight.shown, fight.ruleset)
    assert "GM: Threads 1" in text_report(fight.shown, fight.ruleset)
    assert fight.shown["gm"] == {"threads": 1, "supplies": 2}
    told = outcome_lines([TrackChanged("", "supplies", 2)], fight.state, tables.tracks)
    assert told == ["Party +2 Supplies, now 4"]
    both = [TrackChanged("", "supplies", -1), TrackChanged("", "threads", 1)]
    told = outcome_lines(both, fight.state, tables.tracks)
    assert told == ["Party −1 Supplies, 1 left", "GM +1 Thread, now 2"]


def test_exhaustion_costs_a_supply_a_mark_in_a_long_rest(tired: Fight) -> None:
    """Monsters & Magic, Long Rest (Clear Fatigue): what finds nothing to recover spends nothing."""
    tired.do("supplies 5", "rest long", "rest long brannoc clear 4")
    assert (tired.fatigue("brannoc"), supplies(tired)) == ((0, 0), 3)


def test_where_no_supplies_are_counted_it_is_said_how_they_are_given(tired: Fight) -> None:
    """Monsters & Magic, Rest & Recovery: a party that keeps no track of them."""
    tired.do("rest short", "rest short brannoc tend 2")
    assert tired.track("brannoc", "hp") == 10 + 2 * 7
    assert notes(tired) == ["the party's supplies are not counted: `supplies N` gives it some"]


@pytest.mark.parametrize(("natural", "found"), [(9, 0), (10, 1), (17, 1), (18, 2), (20, 2)])
@pytest.mark.parametrize("kind", ["short", "long"])
def test_a_focus_roll_gathers_supplies(tired: Fight, kind: str, natural: int, found: int) -> None:
    """Monsters & Magic, Short Rest, Long Rest (Gather Supplies); Brannoc's FOCUS is 0."""
    tired.do("clear brannoc exhaustion 2", "supplies 1", f"rest {kind}")
    tired.do(f"rest {kind} brannoc gather natural {natural}")
    assert supplies(tired) == 1 + found


def test_what_is_gathered_can_be_spent_in_the_same_rest(tired: Fight) -> None:
    """Monsters & Magic, Short Rest: two activities, one behind the other."""
    tired.do("rest short", "rest brannoc gather strong tend 2")
    assert (supplies(tired), tired.track("brannoc", "hp")) == (0, 24)


# -- preparing -------------------------------------------------------------------------------------


def test_who_prepare_for_the_same_each_hold_2_until_a_long_rest(tired: Fight) -> None:
    """Monsters & Magic, Short Rest (Prepare): in place of being prepared."""
    tired.do("rest short", 'rest short brannoc prepare "the pass" with mira')
    for who in ("brannoc", "mira"):
        assert (tired.track(who, "prepared"), tired.effects(who)) == (2, set())
    tired.do("rest short", "check mira focus natural 10 prepared")
    assert (tired.rolled.total, tired.track("mira", "prepared")) == (14, 1)
    tired.do("rest long")
    assert tired.track("mira", "prepared") == 0


def test_preparing_together_is_an_activity_of_each(tired: Fight) -> None:
    """Monsters & Magic, Short Rest: choose two."""
    tired.do("rest short", "rest mira clear", "rest brannoc prepare with mira")
    tired.refuses("rest mira clear", "Mira has had 2")
    tired.do("rest brannoc clear")
    tired.refuses("rest brannoc prepare with mira", "time for 2")


def test_who_prepared_alone_in_this_rest_may_be_joined(tired: Fight) -> None:
    """Monsters & Magic, Short Rest (Prepare): one activity, and 2-prepared in place of the
    status."""
    tired.do("rest short", 'rest mira prepare "the pass"', "rest brannoc prepare with mira")
    assert (tired.track("mira", "prepared"), tired.effects("mira")) == (2, set())
    tired.do("rest mira clear")


def test_nobody_prepares_with_one_who_is_down(tired: Fight) -> None:
    """Monsters & Magic, Rest & Recovery; ruling 53: life forbids."""
    tired.do("damage mira 99", "death mira strong", "rest short")
    tired.refuses("rest brannoc prepare with mira", "Mira can do nothing in a rest: stable")


# -- a long rest -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("natural", "outcome"), [(11, "miss"), (12, "weak"), (18, "strong")])
def test_the_watch_is_a_focus_roll_against_a_dc_that_the_gm_sets(
    gathered: Fight, natural: int, outcome: str
) -> None:
    """Monsters & Magic, Long Rest (Take Watch); Brannoc's FOCUS is 0."""
    gathered.do("rest long", f"rest long brannoc watch natural {natural} dc 12")
    assert notes(gathered) == [f"Brannoc watches for 2 hours: {outcome}"]


def clock(fight: Fight) -> int:
    """What is left of the only countdown."""
    return fight.state.clocks[0].value


def test_a_project_counts_down_by_one_in_a_long_rest(gathered: Fight) -> None:
    """Monsters & Magic, Long Rest (Work on a Project)."""
    gathered.do('clock "The ledger" 6', "rest long", 'rest mira project "The ledger" focus weak')
    assert clock(gathered) == 5
    gathered.do("rest long", 'rest mira project "the ledger" focus natural 10')
    assert (clock(gathered), gathered.rolled.total) == (4, 12)


def test_a_project_counts_down_twice_in_an_extended_rest_and_each_roll_has_2(
    gathered: Fight,
) -> None:
    """Monsters & Magic, Extended Rest (Work on a Project): +2 forward for each roll towards it."""
    gathered.do('clock "The ledger" 6', "rest extended")
    gathered.do('rest mira project "The ledger" focus natural 10 cunning natural 9')
    assert clock(gathered) == 4
    totals = [e.total for e in gathered.events if isinstance(e, Rolled)]
    assert totals == [10 + 2 + 2, 9 + 3 + 2]
    assert gathered.effects("mira") == set()


def test_a_project_that_is_a_pool_of_dice_rolls_them(gathered: Fight) -> None:
    """Monsters & Magic, Extended Rest (Work on a Project): countdown twice."""
    gathered.do('clock "The ledger" 2d4', "rest extended")
    gathered.do('rest mira project "The ledger"', faces=(4, 1, 3))
    assert clock(gathered) == 1
    gathered.do("rest extended", 'rest mira project "The ledger"', faces=(4,))
    assert clock(gathered) == 0


def test_a_project_needs_a_countdown_that_is_not_over(gathered: Fight) -> None:
    """Monsters & Magic, Long Rest (Work on a Project)."""
    gathered.do("rest long")
    gathered.refuses('rest mira project "The ledger"', '`clock "NAME" STEPS` starts one')
    gathered.do('clock "The ledger" 1', 'rest mira project "The ledger"', "rest long")
    gathered.refuses('rest mira project "The ledger"', "`clock")


@pytest.mark.parametrize(
    ("kind", "activity", "told"),
    [
        ("long", "preparations", "Mira does their daily preparations"),
        ("extended", "level-up", "Mira goes up a level, if 3 XP are enough"),
        ("extended", "job 12", "Mira earns 12 gold"),
        ("extended", "job", "Mira earns the amount the GM says"),
    ],
)
def test_what_the_table_decides_is_told(
    gathered: Fight, kind: str, activity: str, told: str
) -> None:
    """Monsters & Magic, Long Rest (Daily Preparations), Extended Rest (Level Up, Get a Job)."""
    gathered.do("set mira xp 3", f"rest {kind}", f"rest {kind} mira {activity}")
    assert notes(gathered) == [told]


IN = {
    "tend": "short long",
    "clear": "short long",
    "gather weak": "short long",
    "prepare": "short long",
    "watch weak": "long",
    'project "The ledger"': "long extended",
    "preparations": "long",
    "recuperate": "extended",
    "level-up": "extended",
    "job": "extended",
}


@pytest.mark.parametrize(
    ("kind", "written", "short"),
    [
        ("short", "tend to wounds brannoc 1", "tend brannoc 1"),
        ("short", "clear fatigue gather supplies weak", "clear gather weak"),
        ("long", "take watch weak dc 12", "watch weak dc 12"),
        ("long", "daily preparations clear fatigue", "preparations clear"),
        ("extended", "get a job 12 gold", "job 12"),
        ("extended", "level up", "level-up"),
    ],
)
def test_activities_may_be_written_as_the_rules_do(
    tired: Fight, kind: str, written: str, short: str
) -> None:
    """Monsters & Magic, Short Rest, Long Rest, Extended Rest."""
    tired.do(f"rest {kind}", f"rest mira {short}")
    came = tired.events
    assert tired.do("undo", f"rest mira {written}").events == came


@pytest.mark.parametrize("kind", ["short", "long", "extended"])
@pytest.mark.parametrize("activity", IN)
def test_each_rest_has_time_for_its_own_activities(
    gathered: Fight, activity: str, kind: str
) -> None:
    """Monsters & Magic, Short Rest, Long Rest, Extended Rest."""
    gathered.do('clock "The ledger" 6', f"rest {kind}")
    if kind in IN[activity]:
        gathered.do(f"rest mira {activity}")
    else:
        gathered.refuses(f"rest mira {activity}", "expected a downtime activity")


# -- the hours -------------------------------------------------------------------------------------


def test_shelter_has_time_for_more_and_hosts_give_supplies(tired: Fight) -> None:
    """Monsters & Magic, Rest & Recovery: additional activities, extra supplies; until the next
    rest."""
    tired.do("rest long sheltered 1 supplies 3")
    assert supplies(tired) == 3
    tired.do("rest brannoc clear 2 tend 1 prepare")
    tired.refuses("rest brannoc prepare", "a long rest has time for 3, and Brannoc has had 3")
    tired.do("rest long", "rest brannoc clear prepare")
    tired.refuses("rest brannoc prepare", "a long rest has time for 2")


def test_a_broken_extended_rest_brings_nothing(tired: Fight) -> None:
    """Monsters & Magic, Extended Rest: not interrupted by more than 1 hour of strenuous
    activity."""
    tired.do("hold brannoc arrows 3", "rest extended broken")
    assert (tired.track("brannoc", "threads"), tired.gm_threads) == (0, 0)
    assert tired.track("brannoc", "arrows") == 3
    tired.refuses("rest brannoc recuperate", "was broken off")
    tired.do("rest extended", "rest brannoc recuperate")


def test_a_broken_rest_breaks_no_row_of_short_rests(tired: Fight) -> None:
    """Monsters & Magic, Short Rest: three in a row before a long rest."""
    tired.do("rest short", "rest short", "rest short", "rest extended broken")
    tired.refuses("rest short", "take a long rest")
    for kind in ("short", "long"):
        tired.refuses(f"rest {kind} broken", "only an extended rest can be broken off")


def test_the_kind_of_the_rest_that_was_taken_needs_no_saying(tired: Fight) -> None:
    """`rest mira clear` is said of the rest whose hours have passed."""
    tired.refuses("rest mira clear", "Mira has had no rest")
    tired.do("rest long", "rest brannoc clear")
    assert tired.fatigue("brannoc") == (0, 2)
    assert tired.shown["undo"] == "Brannoc in a long rest: clear"
