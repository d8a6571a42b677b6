"""What an entry came to as pieces: each medium has its words, and what was typed stays as it is."""

from __future__ import annotations

import pytest
from tests.core.test_narrate import TRACKS, fight

from affray.core.engine import events as e
from affray.core.engine.history import Entry
from affray.core.engine.state import Duration, Effect
from affray.core.formatting.log_lines import outcome_lines, tell_aloud
from affray.core.formatting.media import SPOKEN
from affray.core.formatting.pieces import why_in_words
from affray.core.formatting.spoken_lines import log_lines, sentence
from affray.core.rules.tables import StatRow, Tables, TrackRow
from affray.fight import Fight

STRIKE = e.Rolled(
    "brannoc",
    "2d20kh1+4",
    (15, 8),
    19,
    15,
    "strike",
    "ghoul-1",
    12,
    "strong",
    "advantage: hidden",
    parts=(e.Step("POWER", by=5), e.Step("prone", by=-1)),
)
DAMAGE = e.Rolled(
    "brannoc", "1d4+3", (2,), 5, for_="dagger damage", parts=(e.Step("CUNNING", by=3),)
)
BLOW = e.TrackChanged(
    "ghoul-1",
    "hp",
    -6,
    parts=(
        e.Step("slashing", amount=9),
        e.Step("halved", to=4),
        e.Step("AC", by=-1),
        e.Step("fire", amount=3),
        e.Step("resisted"),
    ),
)


@pytest.mark.parametrize(
    ("event", "written", "spoken"),
    [
        (
            STRIKE,
            "strike 2d20kh1 [15 8] +5 POWER −1 prone = 19 against 12, strong",
            "strike the higher of 2d20: 15 8, plus 5 POWER, minus 1 prone, total 19 against 12, "
            "strong",
        ),
        (
            DAMAGE,
            "dagger damage 1d4 [2] +3 CUNNING = 5",
            "dagger damage 1d4: 2, plus 3 CUNNING, total 5",
        ),
        (
            e.Rolled("brannoc", "1d12-2", (1,), -1, for_="fall"),
            "fall 1d12 [1] −2 = −1",
            "fall 1d12: 1, minus 2, total minus 1",
        ),
        (
            BLOW,
            "Ghoul 1 −6 HP, 12 left (9 slashing, halved 4, AC 1 and 3 fire, resisted)",
            "Ghoul 1 minus 6, 12 left (9 slashing, halved to 4, minus 1 AC and 3 fire, resisted)",
        ),
        (
            e.TrackChanged("ghoul-1", "hp", parts=(e.Step("fire", amount=3), e.Step("immune"))),
            "Ghoul 1 takes no damage (3 fire, immune)",
            "Ghoul 1 takes no damage (3 fire, immune)",
        ),
        (
            e.TrackChanged("brannoc", "spellburn", -2),
            "Brannoc Spellburn die d8 → d6",
            "Brannoc Spellburn die d6",
        ),
    ],
)
def test_every_sum_adds_up_in_sight_and_by_ear(
    event: e.AnyEvent, written: str, spoken: str
) -> None:
    said = [outcome_lines([event], fight(), TRACKS, "brannoc", medium=m) for m in (0, SPOKEN)]
    assert said == [[written], [spoken]]


def test_a_roll_of_an_older_log_has_its_bonus_without_a_name() -> None:
    old = e.Rolled("brannoc", "1d20+4", (15,), 19, 15, "strike", outcome="strong", why="+4 POWER")
    assert outcome_lines([old], fight(), TRACKS, "brannoc") == ["strike 1d20 [15] +4 = 19, strong"]
    assert why_in_words(old) == "+4 POWER"


TO_SAVE = Duration("save", who="wis", count=9)
SHORT = {
    "wis": "wisdom",
    "temp": "temporary HP",
    "ap": "A.P.",
}


@pytest.mark.parametrize(
    ("event", "written", "spoken"),
    [
        (
            e.Rolled("brannoc", "1d20+3", (9,), 12, for_="wis save", parts=(e.Step("wis", by=3),)),
            "Brannoc wis save 1d20 [9] +3 wis = 12",
            "Brannoc wisdom save 1d20: 9, plus 3 wisdom, total 12",
        ),
        (e.StatChanged("brannoc", "ap", 2), "Brannoc: ap is 2", "Brannoc: A.P. is 2"),
        (
            e.EffectGained(
                "brannoc",
                Effect("d", "dazed", "condition", until=Duration("save", who="wis", count=9)),
            ),
            "Brannoc dazed until saved against, wis DC 9",
            "Brannoc dazed until saved against, wisdom DC 9",
        ),
    ],
)
def test_a_word_that_is_short_is_heard_in_full(
    event: e.AnyEvent, written: str, spoken: str
) -> None:
    lines = [outcome_lines([event], fight(), TRACKS, medium=m, spoken=SHORT) for m in (0, SPOKEN)]
    assert lines == [[written], [spoken]]


@pytest.mark.parametrize(
    ("by", "written", "spoken"),
    [
        (1, "+1 Failure, now 1", "failures 1"),
        (-1, "−1 Failure, now −1", "minus 1 failure, now minus 1"),
        (2, "+2 Failures, now 2", "failures 2"),
    ],
)
def test_one_of_a_thing_has_the_label_of_one(by: int, written: str, spoken: str) -> None:
    tracks = {"failures": TrackRow("Failures", one="Failure")}
    event = e.TrackChanged("brannoc", "failures", by)
    lines = [outcome_lines([event], fight(), tracks, "brannoc", medium=m) for m in (0, SPOKEN)]
    assert lines == [[f"Brannoc {written}"], [f"Brannoc {spoken}"]]


def test_a_title_that_says_what_its_piece_does_gives_way_to_it_for_the_ear() -> None:
    entry = Entry(2, "x", "", "Brannoc: ap is 2", (e.StatChanged("brannoc", "ap", 2),))
    told = tell_aloud(entry, fight(), Tables(totals={"ap": StatRow(spoken="A.P.")}))
    assert (told.title, [piece.text(told.names, SPOKEN) for piece in told.pieces]) == (
        "",
        ["Brannoc: A.P. is 2"],
    )


TYPED = "3/4 of the dam is gone, −2 to all (prone) → run; CR 1/2, 24/7 · `now`"


def test_what_somebody_typed_is_said_as_it_stands() -> None:
    told = Fight("plain")
    told.do('add pc "Unit 7/9" hp 20', f'note "{TYPED}"', f'note on unit "{TYPED}"')
    assert sentence(TYPED) == f"{TYPED}."
    assert log_lines(told.history, told.ruleset, 3) == [
        "1: Unit 7/9 joins.",
        f"2: Note: {TYPED}.",
        f"3: Note on Unit 7/9: {TYPED}.",
    ]


def test_a_thread_that_was_spent_is_told_with_what_is_left_and_not_what_a_turn_is_paid_with() -> (
    None
):
    told = Fight("monsters-and-magic", seed=3)
    told.do("add pc Mira hp 22 power 2 luck 1 pb 1", "add monster Ghoul cr 1 hp 9")
    told.do("init mira 15", "init roll", "start", "strike ghoul miss", "thread mira lucky-find")
    assert told.describe(told.entries[-1])[1:] == [
        "−1 Thread, 0 left",
        "GM +1 Thread, now 1 (for a thread spent)",
    ]
    assert "AP" not in " ".join(told.describe(told.entries[-2]))


def test_why_leaves_out_damage_of_which_nothing_was_left() -> None:
    fight = Fight("5e", seed=1)
    fight.do("add monster Ghoul hp 20 ac 12 immune fire", "start", "damage ghoul 5 fire")
    fight.do("damage ghoul 3")
    told = "\n".join(fight.why("ghoul", "hp"))
    assert "fire" not in told
    assert "−3" in told or "-3" in told


@pytest.mark.parametrize(
    ("game", "command", "line"),
    [
        ("5e", "modifier mira +2 attack", "Mira plus 2 attack."),
        (
            "5e",
            'modifier mira,odo -1 save "Hex" until rest',
            "Mira and Odo Hex minus 1 save until a rest.",
        ),
        (
            "orcus",
            "modifier mira -1 attack power until fight",
            "Mira minus 1 attack until the fight ends.",
        ),
        ("monsters-and-magic", "bond mira odo -1", "Mira has a bond of minus 1 with Odo."),
    ],
)
def test_a_number_is_heard_with_its_sign_where_a_title_has_nothing_else(
    game: str, command: str, line: str
) -> None:
    told = Fight(game, seed=1)
    told.do("add pc Mira hp 20", "add pc Odo hp 20", command)
    assert log_lines(told.history, told.ruleset, 1) == [f"3: {line}"]


def test_what_somebody_wields_or_sustains_is_named_once() -> None:
    told = Fight("orcus", seed=1)
    told.do("add pc Mira hp 20", 'zone "Grey Fog" until fight by mira')
    told.do('stance "Iron Gate" +1 ac by mira')
    assert log_lines(told.history, told.ruleset, 2) == [
        "2: Mira's zone Grey Fog begins; until the fight ends.",
        "3: Mira takes the stance Iron Gate; plus 1 AC until it is changed or dropped.",
    ]
    told = Fight("adventure-school", seed=1)
    told.do("add pc Mira hp 20 attack dagger +2 1d4 piercing", "wield dagger by mira")
    assert log_lines(told.history, told.ruleset, 1) == ["2: Mira wields dagger."]
