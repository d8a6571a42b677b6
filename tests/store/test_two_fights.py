"""Two fights with a short and a long rest between them, in each system that has rests.

How the party stands at each point is worked out by hand, next to the lines that bring it there.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from tests.store.evenings import Evening, carried

from affray.core.engine.state import Encounter

START = ("init 1 30", "init roll", "start")
"""The first of the party goes first."""
Stands = dict[str, dict[str, int]]
"""Who -> track -> value; of the GM under `gm`."""


class Course(NamedTuple):
    """What is played in one system, and how the party stands behind each part of it."""

    party: str
    ford: tuple[str, ...]
    left: Stands
    short: tuple[str, ...]
    rested: Stands
    long: tuple[str, ...]
    slept: Stands
    bridge: tuple[str, ...]
    at_last: Stands
    lasting: dict[str, set[str]]  # effects behind the fight, the short rest and the long one
    begins: tuple[str, ...] = ()  # how each log begins


COURSES = {
    # Monsters & Magic, Hit Points; Fatigue & Exhaustion; Rest & Recovery; Threads of Fate.
    "monsters-and-magic": Course(
        party="[mira]\nhp = 30\nac = 2\npb = 2\n[odo]\nhp = 20\npb = 1\n",
        ford=(
            "supplies +4",
            "damage mira 14",  # AC 2: 30 - 12 = 18
            "mark mira fatigue 3",
            "thread mira lucky-find",  # one thread of two, and one for the GM
            "mark mira xp",
            "inflict mira weakened until rest",
            "inflict mira doomed",
            "hold odo arrows 3",
            "temp odo 5",
            "mark odo exhaustion 2",
        ),
        left={
            "mira": {"hp": 18, "fatigue": 3, "threads": 1, "xp": 1},
            "odo": {"hp": 20, "temp_hp": 5, "exhaustion": 2, "arrows": 3},
            "gm": {"threads": 1, "supplies": 4},
        },
        short=(
            "rest short",
            "rest mira tend 1 clear",  # 30 // 4 = 7 HP for a supply; 2 fatigue
        ),
        rested={
            "mira": {"hp": 25, "fatigue": 1, "threads": 1},
            "odo": {"temp_hp": 5, "exhaustion": 2, "arrows": 3},
            "gm": {"threads": 1, "supplies": 3, "short_rests": 1},
        },
        long=(
            "rest long",  # a thread for the GM, and no more holds
            "rest mira clear",  # all fatigue
            "rest odo clear 1",  # a mark of exhaustion for a supply
        ),
        slept={
            "mira": {"hp": 25, "fatigue": 0, "threads": 1, "xp": 1},
            "odo": {"hp": 20, "temp_hp": 5, "exhaustion": 1, "arrows": 0},
            "gm": {"threads": 2, "supplies": 2, "short_rests": 0},
        },
        bridge=("damage odo 8", "damage mira 7"),  # 5 temporary, then 3; AC 2: 5
        at_last={
            "mira": {"hp": 20, "fatigue": 1, "threads": 1, "xp": 1},  # doomed, at a turn's start
            "odo": {"hp": 17, "temp_hp": 0, "exhaustion": 1, "arrows": 0},
            "gm": {"threads": 2, "supplies": 2, "short_rests": 0},
        },
        lasting={"left": {"weakened", "doomed"}, "short": {"doomed"}, "long": {"doomed"}},
    ),
    # Orcus, Recoveries; Temporary Hit Points; Resting; Action Points; Powers (frequency).
    "orcus": Course(
        party="[odo]\nhp = 40\nrecoveries = 6\n"
        'power = ["Shout encounter swift", "Landslide daily swift"]\n'
        "[maud]\nhp = 30\nrecoveries = 5\n",
        ford=(
            "damage odo 32",  # 8
            "recovery odo",  # a quarter of 40: 18
            "temp odo 5",
            "power shout by odo",
            "power landslide by odo",
            "action-point swift by odo",
            "damage maud 4",
            "inflict maud weakened save ends",
        ),
        left={
            "odo": {"hp": 18, "temp_hp": 5, "recoveries": 5, "streak": 1, "action_points": 0},
            "maud": {"hp": 26, "recoveries": 5, "streak": 1, "action_points": 1},
        },
        short=("rest short", "recovery odo"),  # the temporary ones go; 18 + 10
        rested={"odo": {"hp": 28, "temp_hp": 0, "recoveries": 4, "streak": 1}},
        long=("rest long",),
        slept={
            "odo": {"hp": 40, "recoveries": 6, "streak": 0, "action_points": 1},
            "maud": {"hp": 30, "recoveries": 5, "streak": 0, "action_points": 1},
        },
        bridge=("damage odo 9", "power landslide by odo"),
        at_last={
            "odo": {"hp": 31, "recoveries": 6, "streak": 1, "action_points": 1},
            "maud": {"hp": 30, "recoveries": 5, "streak": 1, "action_points": 1},
        },
        lasting={"left": {"staggered", "weakened"}, "short": set(), "long": set()},
    ),
    # Level Up, Hit Points; Fatigue; Recovering From Fatigue; Temporary Hit Points.
    "level-up": Course(
        party="[mira]\nhp = 24\ncon = 1\nshield = 2\nexertion = 6\n[garrow]\nhp = 44\n",
        ford=(
            "damage mira 10",  # 14
            "set mira exertion 4",
            "set mira shield 0",
            "mark mira fatigue",
            "mark garrow fatigue 2",
            "mark garrow strife",
            "temp garrow 6",
            'modifier garrow -1 attack until rest "shaken"',
        ),
        left={
            "mira": {"hp": 14, "exertion": 4, "shield": 0, "fatigue": 1},
            "garrow": {"hp": 44, "temp_hp": 6, "fatigue": 2, "strife": 1},
        },
        short=("rest short",),  # no level goes with it, and temporary HP last
        rested={
            "mira": {"hp": 14, "fatigue": 1},
            "garrow": {"temp_hp": 6, "fatigue": 2, "strife": 1},
        },
        long=("rest long",),  # all HP, the last level of fatigue; of two none but at a haven
        slept={
            "mira": {"hp": 24, "exertion": 4, "shield": 0, "fatigue": 0},
            "garrow": {"hp": 44, "temp_hp": 0, "fatigue": 2, "strife": 1},
        },
        bridge=("damage garrow 11", "mark mira fatigue"),
        at_last={
            "mira": {"hp": 24, "exertion": 4, "shield": 0, "fatigue": 1},
            "garrow": {"hp": 33, "temp_hp": 0, "fatigue": 2, "strife": 1},
        },
        lasting={"left": {"modifier"}, "short": set(), "long": set()},
    ),
    # Adventure School, Exhaust; Devote; Spirit Points; Spellburn; Control; Short Rest, Long Rest.
    "adventure-school": Course(
        party='[runa]\nhp = 46\nstamina = 5\nability = ["Second Breath fast stamina 1"]\n'
        "[ione]\nhp = 36\nspirit = 6\nspellburn = 8\n",
        ford=(
            "damage runa 40",  # 6: bloodied
            "exhaust 2 by runa",  # 3 of 3
            "devote spirit 2 Vigil by ione",  # 4 of 4
            "spend spirit 1 by ione",  # 3 of 4
            "set ione spellburn d4",
            "set ione control 9",
            "damage ione 6",  # 30
            "inflict ione chilled until long rest",
        ),
        left={
            "runa": {"hp": 6, "stamina": 3},
            "ione": {"hp": 30, "spirit": 3, "spellburn": 4, "control": 9},
        },
        short=("rest short",),  # half of 46: 29; 30 + 18 at most 36; a die larger; control
        rested={
            "runa": {"hp": 29, "stamina": 3},
            "ione": {"hp": 36, "spirit": 3, "spellburn": 6, "control": 15},
        },
        long=("rest long",),  # spirit up to what is devoted: 4
        slept={
            "runa": {"hp": 46},
            "ione": {"hp": 36, "spirit": 4, "spellburn": 8, "control": 15},
        },
        bridge=("damage runa 5", "spend spirit 1 by ione"),
        at_last={
            "runa": {"hp": 41},
            "ione": {"hp": 36, "spirit": 3, "spellburn": 8, "control": 15},
        },
        lasting={
            "left": {"bloodied", "devoted", "chilled"},
            "short": {"devoted", "chilled"},
            "long": {"devoted"},
        },
    ),
    # SRD 5.2.1: Short Rest; Long Rest; Temporary Hit Points; Exhaustion; Spell Slots.
    "5e": Course(
        party='[brannoc]\nhp = 44\nac = 18\ncon = 2\nhit-dice = "5d10"\n'
        'power = ["Surge bonus uses 1 per rest", "Vow action uses 1 per day"]\n'
        '[mira]\nhp = 30\nac = 13\ncon = 2\nhit-dice = "5d6"\nslots = "4,3"\n'
        'pact = "1 level 2"\n',
        ford=(
            "damage brannoc 30 slashing",  # 14 of 44
            "power surge",
            "power vow",
            'cast "Shield" slot 1 reaction by mira',  # 3 of 4
            "set mira slots-2 1",
            "set mira pact 0",
            "temp mira 7",
            "damage mira 19 fire",  # 7 temporary, then 12: 18
            "drain mira 6",  # 24 at most, which 18 doesn't reach
            "temp mira 4",
            "mark brannoc exhaustion 2",
            "set brannoc inspiration 1",
            "inflict mira poisoned until rest",
        ),
        left={
            "brannoc": {"hp": 14, "hit_dice": 5, "exhaustion": 2, "inspiration": 1},
            "mira": {"hp": 18, "temp_hp": 4, "slots_1": 3, "slots_2": 1, "pact": 0},
        },
        short=(
            "rest short",  # the pact's slot; temporary HP stay, no slot and no exhaustion
            "hit-dice brannoc 3 15",  # 15 + 3 * 2: 35
            "hit-dice mira 2 6",  # 6 + 2 * 2 = 10, up to the drained maximum: 24
        ),
        rested={
            "brannoc": {"hp": 35, "hit_dice": 2, "exhaustion": 2, "inspiration": 1},
            "mira": {
                "hp": 24,
                "temp_hp": 4,
                "hit_dice": 3,
                "slots_1": 3,
                "slots_2": 1,
                "pact": 1,
            },
        },
        long=("rest long",),  # all HP, the maximum, all Hit Dice, the slots; a level of exhaustion
        slept={
            "brannoc": {"hp": 44, "hit_dice": 5, "exhaustion": 1, "inspiration": 1},
            "mira": {
                "hp": 30,
                "temp_hp": 0,
                "hit_dice": 5,
                "slots_1": 4,
                "slots_2": 3,
                "pact": 1,
            },
        },
        bridge=("power surge", "power vow", "damage brannoc 9", "damage mira 4"),
        at_last={
            "brannoc": {"hp": 35, "hit_dice": 5, "exhaustion": 1, "inspiration": 1},
            "mira": {"hp": 26, "slots_1": 4, "slots_2": 3, "pact": 1},
        },
        lasting={"left": {"poisoned", "drained"}, "short": {"drained"}, "long": set()},
    ),
    # SRD 5.1: Short Rest; Long Rest; Exhaustion; Knocking a Creature Out.
    "5e 2014": Course(
        begins=("setting edition 2014",),
        party='[brannoc]\nhp = 45\nac = 18\ncon = 2\nhit-dice = "5d10"\n'
        '[mira]\nhp = 30\nac = 13\ncon = -3\nhit-dice = "5d6"\nslots = "4,3"\n',
        ford=(
            "damage brannoc 10",  # 35
            "mark brannoc exhaustion 4",  # at most 45 // 2 = 22, and so is he
            "damage brannoc 12",  # 10
            'cast "Shield" slot 1 reaction by mira',
            "mark mira exhaustion",
            "temp mira 5",
            "damage mira 17",  # 5 temporary, then 12: 18
        ),
        left={
            "brannoc": {"hp": 10, "hit_dice": 5, "exhaustion": 4},
            "mira": {"hp": 18, "temp_hp": 0, "slots_1": 3, "exhaustion": 1},
        },
        short=(
            "rest short",
            "hit-dice brannoc 4 20",  # 20 + 4 * 2 = 28, up to 22
            "hit-dice mira 1 2",  # 2 - 3: nothing
            "hit-dice mira 2 9",  # 9 - 6: 21
        ),
        rested={
            "brannoc": {"hp": 22, "hit_dice": 1, "exhaustion": 4},
            "mira": {"hp": 21, "hit_dice": 2, "slots_1": 3, "exhaustion": 1},
        },
        long=(
            "rest long",
        ),  # half of 5 Hit Dice are 2; a level less, and the maximum is back: all HP
        slept={
            "brannoc": {"hp": 45, "hit_dice": 3, "exhaustion": 3},
            "mira": {"hp": 30, "hit_dice": 4, "slots_1": 4, "exhaustion": 0},
        },
        bridge=("damage brannoc 9", "damage mira 30"),  # dying: it counts no death save yet
        at_last={
            "brannoc": {"hp": 36, "hit_dice": 3, "exhaustion": 3},
            "mira": {"hp": 0, "hit_dice": 4, "slots_1": 4, "exhaustion": 0},
        },
        lasting={"left": {"halved-maximum"}, "short": {"halved-maximum"}, "long": set()},
    ),
}


def stand(state: Encounter, wanted: Stands) -> Stands:
    """How those stand in a state of whom something is wanted."""
    return {
        who: {
            track: state.gm(track) if who == "gm" else state[who].track(track) for track in tracks
        }
        for who, tracks in wanted.items()
    }


def effects(state: Encounter) -> set[str]:
    return {effect.name for who in state.combatants for effect in who.effects}


def begun(folder: Path, rules: str) -> tuple[Evening, Course]:
    """The first fight, up to its end."""
    course = COURSES[rules]
    evening = Evening(folder, rules.partition(" ")[0], course.party)
    evening.play("ledger", *course.begins)
    evening.play(
        "ford", *course.begins, "add party", "add monster Ghoul hp 30", *START, *course.ford
    )
    return evening, course


@pytest.mark.parametrize("rules", COURSES)
def test_the_party_stands_as_it_was_worked_out(rules: str, tmp_path: Path) -> None:
    evening, course = begun(tmp_path / "vale", rules)
    evening.play("ford", "end")
    ledger = evening.play("ledger")
    assert stand(ledger, course.left) == course.left
    assert effects(ledger) == course.lasting["left"]
    ledger = evening.play("ledger", *course.short)
    assert stand(ledger, course.rested) == course.rested
    assert effects(ledger) == course.lasting["short"]
    ledger = evening.play("ledger", *course.long)
    assert stand(ledger, course.slept) == course.slept
    assert effects(ledger) == course.lasting["long"]
    fight = evening.play("bridge", *course.begins, "add party")
    assert stand(fight, course.slept) == course.slept
    for who in fight.combatants:
        assert carried(who) == carried(ledger[who.id])
    evening.play("bridge", *START, *course.bridge, "end")
    assert stand(evening.play("ledger"), course.at_last) == course.at_last
    for who, tracks in course.left.items():
        for track in tracks:
            told = evening.asked("ledger", f"why {who} {track}")
            assert any(line.startswith("comes from Ford, entry ") for line in told), told


@pytest.mark.parametrize("rules", COURSES)
def test_rests_in_the_fight_behind_its_end_come_out_as_in_the_ledger(
    rules: str, tmp_path: Path
) -> None:
    evening, course = begun(tmp_path / "vale", rules)
    evening.play("ford", "end")
    there = evening.play("ledger", *course.short, *course.long)
    other, _ = begun(tmp_path / "weald", rules)
    with other.opened("ledger"):  # so that nothing is carried yet
        other.play("ford", "end")
    other.play("ford", *course.short, *course.long)
    here = other.play("ledger")
    assert stand(here, course.slept) == course.slept
    assert {**there.tracks, **here.tracks} == there.tracks  # what is at 0 may not be counted yet
    for who in here.combatants:
        assert carried(who) == carried(there[who.id])
