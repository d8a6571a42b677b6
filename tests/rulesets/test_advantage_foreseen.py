"""Before a die falls it is known what speaks for and against its roll, in every game that has
advantage; and the log says of one die that was called for two that it was taken as it was.

Adventure School, Level Up and Monsters & Magic, Advantage, Disadvantage; every game, ruling 3.
"""

import pytest

from affray.core.dice import StubDice
from affray.core.engine.events import Rolled
from affray.core.formatting.pieces import why_in_words
from affray.fight import Fight

PEOPLE = {
    "monsters-and-magic": (
        "add pc Oda hp 30 ac 4 power 2 cunning 1 luck 1 pb 2",
        "add monster Ghoul x2 cr 2 hp 18 ac 2",
    ),
    "level-up": (
        "add pc Oda hp 24 ac 14 level 3 pb 2 dex 3 attack rapier +5 1d8+3 piercing melee"
        " attack bow +5 1d8+3 piercing ranged",
        "add monster Ghoul x2 hp 22 ac 12 hit-dice 5 attack claws +4 2d4+2 slashing melee",
    ),
    "5e": (
        "add pc Oda hp 24 ac 14 dex 3 pb 2 attack rapier +5 1d8+3 piercing melee finesse"
        " attack bow +5 1d8+3 piercing ranged",
        "add monster Ghoul x2 hp 22 ac 12 attack claws +4 2d4+2 slashing melee",
    ),
    "adventure-school": (
        "add pc Oda hp 20 ac 12 strength 3 attack sword +4 vs ac 1d8 slashing"
        " ability Bolt +5 vs ac 1d8 fire",
        "add monster Ghoul x2 hp 20 ac 11 strength 2 attack claw +3 vs ac 1d6",
    ),
}
ORDER = ("init oda 17", "init ghoul-1 10", "init ghoul-2 9", "start")


def fight(ruleset, *lines):
    made = Fight(ruleset)
    for line in (*PEOPLE[ruleset], *ORDER, *lines):
        made.do(line)
    return made


@pytest.mark.parametrize(
    ("ruleset", "lines", "asked", "told"),
    [
        (
            "monsters-and-magic",
            ("inflict oda prone",),
            "strike ghoul-1 roll 5",
            [("ghoul-1", "disadvantage", (), ("prone",))],
        ),
        (
            "monsters-and-magic",
            ("inflict oda prone",),
            "strike ghoul-1 roll 5 slashing adv",
            [("ghoul-1", "cancel", ("said",), ("prone",))],
        ),
        ("monsters-and-magic", (), "strike ghoul-1 roll 5", [("ghoul-1", "", (), ())]),
        (
            "level-up",
            ("inflict ghoul-2 hidden",),
            "attack ghoul-2 roll with bow close",
            [("ghoul-2", "disadvantage", (), ("Ghoul 2 is unseen", "an enemy is close"))],
        ),
        (
            "5e",
            ("inflict ghoul-2 prone",),
            "attack ghoul-2 roll with bow adjacent",
            [("ghoul-2", "cancel", ("target prone",), ("an enemy is close",))],
        ),
        (
            "5e",
            ("inflict oda poisoned", "inflict ghoul-1 stunned"),
            "attack ghoul-1 roll",
            [("ghoul-1", "cancel", ("target stunned",), ("poisoned",))],
        ),
        (
            "level-up",
            ("inflict oda hidden",),
            "attack ghoul-1 roll with bow long",
            [("ghoul-1", "cancel", ("unseen by Ghoul 1",), ("long range",))],
        ),
        (
            "adventure-school",
            ("inflict oda prone", "inflict ghoul-1 off-guard"),
            "ability Bolt ghoul-1,ghoul-2 roll",
            [
                ("ghoul-1", "cancel", ("target off-guard",), ("prone",)),
                ("ghoul-2", "disadvantage", (), ("prone",)),
            ],
        ),
    ],
)
def test_every_reason_for_and_against_is_told_for_each_target(ruleset, lines, asked, told):
    found = fight(ruleset, *lines).preview(asked, StubDice(high=False)).advantages
    rows = [(r.against, r.comes_to, r.advantages, r.disadvantages) for r in found]
    assert rows == told


def test_a_saving_throw_is_told_by_whoever_makes_it():
    made = fight("level-up", "dodge")
    (roll,) = made.preview("check oda dex save roll", StubDice(high=False)).advantages
    assert (roll.who, roll.comes_to, roll.advantages) == ("oda", "advantage", ("dodging",))


def test_asking_gives_nothing_away_of_the_fights_dice():
    made, other = (Fight("level-up", seed=7) for _ in range(2))
    for each in (made, other):
        for line in (*PEOPLE["level-up"], *ORDER, "next"):
            each.do(line)
    assert made.preview("attack oda roll", StubDice(high=False)).advantages
    assert made.do("attack oda").events == other.do("attack oda").events


@pytest.mark.parametrize(
    ("ruleset", "line"),
    [
        ("monsters-and-magic", "strike ghoul-1 natural 15 5"),
        ("level-up", "attack ghoul-1 natural 15 5"),
        ("adventure-school", "attack ghoul-1 natural 15 5"),
    ],
)
def test_of_one_die_called_for_two_the_log_says_that_it_was_taken_as_it_was(ruleset, line):
    taken = "taken as the one that counts"
    hindered = {"level-up": "modifier oda dis attack"}.get(ruleset, "inflict oda prone")
    (roll,) = (e for e in fight(ruleset, hindered).preview(line).events if isinstance(e, Rolled))
    assert taken in why_in_words(roll)
    two = line.replace("15", "15,17")
    both = fight(ruleset, hindered).preview(two).events
    plain = fight(ruleset).preview(line).events
    assert not any(taken in why_in_words(e) for e in (*both, *plain) if isinstance(e, Rolled))
