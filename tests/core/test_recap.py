"""What is told of a fight when it is over, and what of it the players may read."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.played import PlayedFight

from affray.core.engine.history import History
from affray.core.formatting.recap import BREAK, Recap, RecapCombatant, recap_of
from affray.core.formatting.recap_output import (
    curves_of,
    escape_markdown,
    format_duration,
    markdown,
    players_recap,
    render_html,
    sections_of,
    sparkline,
    turning_points,
)
from affray.store.open_encounter import OpenEncounter


class Fight(PlayedFight):
    RULESET = "monsters-and-magic"


class Counted(PlayedFight):
    RULESET = "plain"


SETUP = (
    "add pc Mira hp 20 ac 0 power 2 pb 2",
    "add pc Brannoc hp 20 ac 0 power 2 pb 2",
    "add monster Ghoul x2 hp 10 ac 1 cr 1",
    "init mira 20",
    "init brannoc 15",
    "init ghoul-1 10",
    "init ghoul-2 5",
)
START = datetime(2026, 11, 20, 19, tzinfo=UTC)


def told(fight: PlayedFight, *seconds: int) -> Recap:
    """The recap of a fight whose entries came with so many seconds between them, the last of these
    again and again."""
    timed = History(fight.history.states[0])
    at, pauses = START, list(seconds) or [0]
    for entry in fight.history.entries.values():
        timed.apply(replace(entry, at=at))
        at += timedelta(seconds=pauses.pop(0) if len(pauses) > 1 else pauses[0])
    return recap_of(timed, fight.ruleset)


def retold(fight: PlayedFight) -> Recap:
    """The same as the players may read it."""
    return players_recap(fight.history, fight.ruleset)


def of(recap: Recap, who: str) -> RecapCombatant:
    return next(person for person in recap.people if person.id == who)


def story(recap: Recap) -> dict[str, tuple[str, ...]]:
    """The lines of each round."""
    return {each.heading: each.lines for each in sections_of(recap) if each.level == 3}


# -- who did what ----------------------------------------------------------------------------------


def test_damage_is_what_was_really_lost_given_by_who_struck_and_taken_by_who_was_struck() -> None:
    fight = Fight(*SETUP, "start", "strike ghoul-1 strong 5", "strike ghoul-1 weak 5")
    mira, ghoul = of(told(fight), "mira"), of(told(fight), "ghoul-1")
    assert (mira.dealt, mira.largest, ghoul.taken) == (4 + 1, 4, 5), "AC 1, and half of the weak"
    assert mira.did[0].name == "Strike" and mira.did[0].amount == 2


def test_what_temporary_hp_take_of_a_blow_is_damage_and_giving_them_is_no_healing() -> None:
    fight = Fight(*SETUP, "temp mira 4", "start", "next", "next", "strike mira strong 6")
    mira = of(told(fight), "mira")
    assert (mira.taken, mira.regained) == (6, 0)


def test_a_cushion_that_a_blow_uses_up_is_damage_and_one_whose_time_is_up_is_not() -> None:
    class Cushioned(PlayedFight):
        RULESET = "orcus"

    setup = ("add pc Mira hp 30 ac 12 fort 12 ref 12 will 12", "add monster Ghoul hp 30 ac 12")
    setup = (*setup, "init mira 9", "init ghoul 2", "start")
    blow = Cushioned(*setup, "temp mira 5 until end of mira", "damage mira 5")
    assert of(told(blow), "mira").taken == 5, "though the effect that held it has ended"
    gone = Cushioned(*setup, "temp mira 5 until end of mira", *["next"] * 3)
    assert gone.state["mira"].track("temp_hp") == 0
    assert of(told(gone), "mira").taken == 0


def test_healing_is_of_who_heals_and_who_is_healed() -> None:
    fight = Counted("add pc Mira hp 9/20", "add monster Ghoul hp 9", "init mira 9", "init ghoul 2")
    fight.do("start", "heal mira 4")
    assert of(told(fight), "mira").regained == 4


def test_damage_said_in_a_turn_is_of_whoever_is_up_if_the_other_side_takes_it() -> None:
    fight = Counted("add pc Mira hp 20", "add pc Tam hp 20", "add monster Ghoul hp 9")
    fight.do("init mira 9", "init tam 8", "init ghoul 2", "start", "damage ghoul 5")
    fight.do("damage tam 3", "damage mira 2")
    recap = told(fight)
    assert of(recap, "mira").dealt == 5, "not what her friend takes, nor what she takes herself"
    assert (of(recap, "tam").taken, of(recap, "mira").taken) == (3, 2)


def test_damage_of_the_gms_own_is_nobodys_where_the_game_has_attacks() -> None:
    """Only in a game without techniques is it how one attacks."""
    fight = Fight(*SETUP, "start", "damage ghoul-1 9")
    recap = told(fight)
    assert of(recap, "mira").dealt == 0 and of(recap, "ghoul-1").taken == 8
    assert recap.blow is not None and recap.blow.by == ""
    fight.do("strike ghoul-2 weak 4")
    assert of(told(fight), "mira").dealt > 0


def test_damage_that_comes_as_a_turn_begins_is_nobodys() -> None:
    class Ongoing(PlayedFight):
        RULESET = "orcus"

    fight = Ongoing(
        "add pc Mira hp 30 ac 12 fort 12 ref 12 will 12", "add monster Ghoul hp 30 ac 12"
    )
    fight.do("init mira 9", "init ghoul 2", "start", "inflict ghoul persistent 5 fire", "next")
    recap = told(fight)
    assert (of(recap, "ghoul").taken, of(recap, "mira").dealt) == (5, 0)
    assert "Ghoul −5 HP" in " ".join(story(recap)["Round 1"])


def test_what_a_bent_roll_takes_less_is_no_healing() -> None:
    fight = Fight(*SETUP, "start", "strike ghoul-1 natural 20 1", "next")  # the GM gets a thread
    fight.do("strike ghoul-2 natural 16 6")  # 20, strong: 6 less AC 1
    assert of(told(fight), "ghoul-2").taken == 5
    fight.do("gm-thread reroll natural 9")  # 13, weak: 3 less AC 1
    ghoul, brannoc = of(told(fight), "ghoul-2"), of(told(fight), "brannoc")
    assert (ghoul.taken, ghoul.regained, brannoc.dealt, brannoc.gave) == (2, 0, 2, 0)
    assert [(each.name, each.amount) for each in told(fight).gm_spent] == [("Threads", 1)]


def test_what_is_spent_and_earned_is_what_the_tables_say() -> None:
    fight = Fight(*SETUP, "start", "mark mira fatigue 2", "strike ghoul-1 miss", "next")
    mira = of(told(fight), "mira")
    assert [(each.name, each.amount) for each in mira.spent] == [("Fatigue", 2)]
    assert [(each.name, each.amount) for each in mira.earned] == [("XP", 1)]
    assert not of(told(fight), "brannoc").spent, "a turn's own points are not told"


def test_what_somebody_did_is_called_by_its_own_name_where_it_has_one() -> None:
    class Powers(PlayedFight):
        RULESET = "orcus"

    power = 'power "Fire Burst" encounter standard +6 vs reflex 3d6+4 fire near'
    fight = Powers(
        f"add pc Mira hp 30 ac 12 fort 12 ref 12 will 12 {power}",
        "add monster Ghoul hp 30 ac 12 fort 9 ref 9 will 9",
        "init mira 9",
        "init ghoul 2",
        "start",
        'power "Fire Burst" ghoul hit 9',
        "walk",
    )
    assert [each.name for each in of(told(fight), "mira").did] == ["Fire Burst", "Walk"]


def test_criticals_and_fumbles_are_told_apart() -> None:
    fight = Fight(
        *SETUP, "start", "strike ghoul-1 natural 20 5", "next", "strike ghoul-1 natural 1"
    )
    recap = told(fight)
    assert (of(recap, "mira").criticals, of(recap, "brannoc").fumbles) == (1, 1)
    assert (of(recap, "mira").fumbles, of(recap, "brannoc").criticals) == (0, 0)


def test_what_was_undone_and_what_was_before_the_fight_is_not_counted() -> None:
    fight = Fight(*SETUP, "set ghoul-1 hp 3", "start", "strike ghoul-2 strong 5", "undo")
    fight.do("strike ghoul-1 strong 3")
    recap = told(fight)
    assert (of(recap, "ghoul-1").taken, of(recap, "ghoul-2").taken) == (2, 0)
    assert not any("Ghoul 2" in line for line in story(recap)["Round 1"])


# -- time ------------------------------------------------------------------------------------------


def test_a_turn_lasts_from_its_start_to_its_end() -> None:
    fight = Fight(*SETUP, "start", "strike ghoul-1 strong 5", "next", "next")
    recap = told(fight, *[1] * 7, 30, 20, 40, 0)
    mira, brannoc = of(recap, "mira"), of(recap, "brannoc")
    assert (mira.turns, mira.seconds, mira.longest) == (1, 50, 50)
    assert (brannoc.turns, brannoc.seconds) == (1, 40)
    assert recap.seconds == 90 and recap.began == START + timedelta(seconds=7)


def test_a_break_and_a_clock_that_was_put_back_count_for_no_turn() -> None:
    fight = Fight(*SETUP, "start", "note a", "note b", "note c")
    assert told(fight, *[1] * 7, BREAK + 1, -30, 8, 0).seconds == 8


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0, "0 s"), (45, "45 s"), (60, "1 min"), (125, "2 min 5 s"), (3900, "1 h 5 min")],
)
def test_a_time_is_said_as_people_say_it(seconds: int, said: str) -> None:
    assert format_duration(seconds) == said


# -- turning points --------------------------------------------------------------------------------


def test_who_fell_rose_and_died_is_told_with_who_did_it() -> None:
    fight = Fight(*SETUP, "start", "strike ghoul-1 strong 30", "next", "next")
    fight.do("strike mira strong 20", "next", "heal mira 5")
    points = turning_points(told(fight))
    assert points[0] == "The hardest hit: Ghoul 2 on Mira, 20 HP (round 1)"
    assert points[-2:] == [
        "Round 1: Ghoul 1 is dead, by Mira; Mira is dying, by Ghoul 2",
        "Round 2: Mira is up again",
    ]


def test_the_round_in_which_one_side_gained_most_is_the_swing() -> None:
    fight = Fight(*SETUP, "start", "strike ghoul-1 strong 3", "next", "next", "next", "next")
    fight.do("strike ghoul-2 strong 30", "next", "next", "next", "next")
    recap = told(fight)
    assert recap.swing is not None
    assert (recap.swing.heading, recap.swing.gained) == ("Round 2", "party")
    assert (recap.swing.before, recap.swing.after) == ((100, 90), (100, 40))
    points = turning_points(recap)
    assert "Round 2 swung it for the party: the foes from 90% to 40% of their HP" in points
    curves = curves_of(recap)
    assert curves is not None
    assert curves.rows == (("Party", (100, 100, 100, 100)), ("Foes", (100, 90, 40, 40)))


def test_who_has_left_counts_as_beaten() -> None:
    fight = Fight(*SETUP, "start", "strike ghoul-1 strong 30", "leave ghoul-1,ghoul-2")
    curves = curves_of(told(fight))
    assert curves is not None and dict(curves.rows)["Foes"][-1] == 0


def test_a_fight_that_is_begun_again_has_rounds_of_its_own() -> None:
    fight = Fight(*SETUP, "start", "end", *SETUP[3:], "start", "strike ghoul-1 strong 5")
    assert [name for name in story(told(fight)) if "Round" in name][-1] == "Round 1, fight 2"


# -- the players' eyes -----------------------------------------------------------------------------


HIDDEN = (
    *SETUP,
    'add monster "Silent Widow" hidden hp 31 ac 1 cr 1',
    "init silent-widow 1",
    "note The bridge is mined.",
    "start",
    "strike ghoul-1 strong 7",
    "set ghoul-2 hp 9",
    "note ghoul-2 will run at half",
    "next",
    "next",
    "next",
    "next",
    "strike mira strong 13",
)


def test_players_read_nothing_of_what_is_hidden_nor_notes_nor_numbers_of_foes() -> None:
    fight = Fight(*HIDDEN)
    recap, known = told(fight), retold(fight)
    assert "Silent Widow" in markdown(recap) and "mined" in markdown(recap)
    for text in (markdown(known), render_html(known)):
        for secret in ("Widow", "silent", "mined", "run at half", "−6", "by hand", "foes from"):
            assert secret not in text, secret
        assert "Ghoul 1 is hurt" in text and "Mira −13 HP" in text


def test_who_strikes_from_hiding_is_not_named_for_it_but_what_it_did_is_told() -> None:
    recap = retold(Fight(*HIDDEN, "reveal silent-widow", "damage mira 30"))
    lines = story(recap)["Round 1"]
    assert "Mira −13 HP, 7 left" in lines, "without whose it was"
    assert recap.blow is None or recap.blow.by == ""
    assert any(person.name == "Silent Widow" for person in recap.people), "known by now"


def test_a_foes_sum_is_a_number_too() -> None:
    recap = retold(Fight(*HIDDEN))
    ghoul = of(recap, "ghoul-1")
    assert (ghoul.is_named, ghoul.taken, ghoul.dealt, ghoul.spent, ghoul.seconds) == (
        False,
        0,
        0,
        (),
        0,
    )
    curves = curves_of(recap)
    assert curves is not None and [name for name, _ in curves.rows] == ["Party"]
    assert of(recap, "mira").dealt == 6, "what one of theirs has done they may know"


def test_hidden_foes_of_many_hp_turn_no_round_and_take_no_largest_blow() -> None:
    fought = ("start", "damage ghoul-1 8", "next", "damage mira 9")
    lurker = ("add monster Ogre hidden hp 500 ac 1", "init ogre 1")
    alone, watched = retold(Fight(*SETUP, *fought)), retold(Fight(*SETUP, *lurker, *fought))
    assert markdown(watched) == markdown(alone)
    struck = retold(Fight(*SETUP, *lurker, *fought, "damage ogre 80"))
    assert struck.blow is not None and (struck.blow.who, struck.blow.amount) == ("mira", 9)


def test_the_players_story_calls_everybody_as_their_view_does() -> None:
    setup = ("add pc Mira hp 30", "add monster Ghoul x2 hp 18 hidden", "add monster Ghoul hp 18")
    fight = Fight(*setup, "init mira 9", "init ghoul-1 8", "init ghoul-2 7", "init ghoul-3 6")
    fight.do("start", "damage ghoul-3 4")
    assert "Ghoul 3" in markdown(told(fight)) and "Ghoul 3" not in markdown(retold(fight))
    fight.do("setting players-names hidden", "setting players-title hidden")
    text = markdown(retold(fight))
    assert "Foe 1" in text and "Ghoul" not in text and fight.history.state.title not in text


# -- as text ---------------------------------------------------------------------------------------


ODD = "*A* `b` | <script>x()</script> & [y](z)"
QUOTED = f'"{ODD}"'


def test_no_name_is_markup() -> None:
    fight = Counted(f"add pc {QUOTED} hp 9", "add monster Ghoul hp 9", "init 1 9", "init 2 8")
    fight.do("start")
    fight.do("damage ghoul 4")
    recap = told(fight)
    assert "<script" not in render_html(recap)
    text, code, rest = markdown(recap).split("```")
    assert "<script" not in (text + rest).replace("\\<", "") and "`b`" not in code
    assert "\\*A\\*" in text and "\\|" in rest


@pytest.mark.parametrize(
    ("text", "written"),
    [("- a", "\\- a"), ("1. a", "\\1. a"), ("# a", "\\# a"), ("a-b 2+3", "a-b 2+3")],
)
def test_a_line_that_looks_like_markdown_is_text(text: str, written: str) -> None:
    assert escape_markdown(text) == written


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open += [tag] if tag != "meta" else []
        self.links += [name for name, _ in attrs if name in ("src", "href")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_whole_and_fetches_nothing() -> None:
    html = render_html(told(Fight(*HIDDEN), 20))
    tags = _Tags()
    tags.feed(html)
    assert tags.open == [] and tags.links == []
    assert "http" not in html and "url(" not in html and "@import" not in html
    drawings = re.findall(r"<svg.*?</svg>", html, re.DOTALL)
    assert len(drawings) == 4
    for drawing in drawings:
        ET.fromstring(drawing)


def test_a_curve_in_text_goes_from_the_lowest_block_to_the_highest() -> None:
    assert sparkline((0, 50, 100)) == "▁▅█"


def test_a_fight_that_is_not_begun_has_no_charts_and_says_so() -> None:
    fight = Fight(*SETUP[:3])
    text = markdown(told(fight))
    assert "not begun" in text and "Turning points" not in text
    assert "### Before the fight" in text and "Mira joins" in text
    assert "Mira joins" not in markdown(retold(fight))


def test_an_empty_log_is_told_in_a_line() -> None:
    assert markdown(told(Fight())).splitlines()[0] == "# A test"


# -- any log ---------------------------------------------------------------------------------------


HERE = Path(__file__).parents[1]
LOGS = [
    *(HERE / "corpus").rglob("*.toml"),
    *(HERE.parent / "campaigns").glob("*/encounters/*.toml"),
]


@pytest.mark.parametrize("path", sorted(LOGS), ids=lambda path: path.stem)
def test_every_log_can_be_told_and_what_is_taken_is_what_was_lost(path: Path) -> None:
    with OpenEncounter.view(path) as fight:
        recap = recap_of(fight.history, fight.ruleset)
        known = players_recap(fight.history, fight.ruleset)
    for each in (recap, known):
        assert render_html(each).endswith("</html>\n") and markdown(each).startswith("# ")
    given = sum(person.dealt for person in recap.people)
    assert given <= sum(person.taken for person in recap.people)
    assert sum(person.gave for person in recap.people) <= sum(p.regained for p in recap.people)


class Saved(PlayedFight):
    RULESET = "5e"


def test_who_saves_against_somebody_has_dealt_no_damage_when_they_heal() -> None:
    roar = "power Roar legendary 1 save con 2d6 thunder dc 12"
    fight = Saved(
        "add pc Mira hp 30 ac 14",
        "add pc Bo hp 30 ac 14",
        f"add monster Troll hp 80 ac 11 regeneration 10 legendary 3 {roar}",
        "init bo 20",
        "init troll 10",
        "init mira 5",
        "start",
        "damage troll 30",
        "power Roar mira 7 by troll",
    )
    fight.do("next", faces=(16,))
    mira, _, troll = told(fight).people
    assert (mira.dealt, troll.taken, troll.regained) == (0, 30, 10)
