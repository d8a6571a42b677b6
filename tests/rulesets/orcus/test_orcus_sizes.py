"""What somebody is: size and space, reach, speeds, senses, kind, languages; and what asks for it.

Orcus, Creature Size, Grapple, Shove, Additional Movement Modes, Vision and Light, Surprise.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from affray.core.formatting.reports import text_report

if TYPE_CHECKING:
    from tests.rulesets.orcus.conftest import Fight

NewFight = Callable[..., "Fight"]
SPACES = {
    "tiny": "0.5 x 0.5",
    "small": "1 x 1",
    "medium": "1 x 1",
    "large": "2 x 2",
    "huge": "3 x 3",
    "gargantuan": "4 x 4",
}


@pytest.mark.parametrize(("size", "space"), SPACES.items())
def test_a_size_has_its_space_and_the_tiny_have_no_reach(
    new_fight: NewFight, size: str, space: str
) -> None:
    """Orcus, Size Categories, Melee (reach)."""
    stats = new_fight(f"add monster Thing hp 5 size {size}").who("thing")["stats"]
    assert (stats["space"], stats["reach"]) == (space, 0 if size == "tiny" else 1)


def test_reach_is_as_it_is_said(new_fight: NewFight) -> None:
    """Orcus, Melee (a greater reach than 1)."""
    for said in ("reach 2 size large", "size large reach 2"):
        assert new_fight(f"add monster Thing hp 5 {said}")["thing"].stats["reach"] == 2


@pytest.mark.parametrize("size", ["colossal", 3, ["large"]])
def test_a_size_that_there_is_not_counts_as_medium(fight: Fight, size: object) -> None:
    """Orcus, Creature Size; a log that was edited may have any."""
    ogre = {**fight["goblin-1"].stats, "size": size}
    fight.edited("goblin-1", stats=ogre).do("grapple goblin-1 hit")
    assert "grappled" in fight.effects("goblin-1")
    huge = {**fight["goblin-2"].stats, "size": "huge"}
    fight.edited("goblin-2", stats=huge).refuses("grapple goblin-2 hit", "and Brannoc medium")


@pytest.mark.parametrize("line", ["grapple ogre hit", "shove ogre hit", "charge shove ogre hit"])
@pytest.mark.parametrize(
    ("size", "mine", "works"),
    [
        ("large", "", True),  # who has no size said is Medium
        ("huge", "", False),
        ("huge", "size large", True),
        ("medium", "size small", True),
        ("medium", "size tiny", False),
        ("small", "size tiny", True),
        ("tiny", "size huge", True),
        ("gargantuan", "size large", False),
    ],
)
def test_nobody_seizes_what_is_more_than_one_size_larger(
    usual: NewFight, line: str, size: str, mine: str, works: bool
) -> None:
    """Orcus, Grapple, Shove."""
    fight = usual(mine, more=[f"add monster Ogre hp 50 size {size}", "init ogre 1"])
    if works:
        assert fight.do(line).actions("brannoc") == (0, 1, 1)
    else:
        assert size in fight.refuses(line, "too large")


def test_the_helpless_giant_is_too_large_as_well(usual: NewFight) -> None:
    """Orcus, Grapple."""
    ogre = ("add monster Ogre hp 50 size huge", "init ogre 1", "inflict ogre stunned")
    fight = usual(more=ogre)
    fight.refuses("grapple ogre", "too large")


def test_every_way_to_move_has_its_speed_and_the_slowed_have_2_of_each(
    gathered: Fight,
) -> None:
    """Orcus, Additional Movement Modes, Slowed."""
    fight = gathered.do("add monster Otter hp 9 speed 5 swim 8 climb 1 burrow 3")
    totals = fight.do("inflict otter slowed").who("otter")["totals"]
    assert {mode: totals.get(mode) for mode in ("speed", "swim", "climb", "burrow", "fly")} == {
        "speed": 2,
        "swim": 2,
        "climb": 1,
        "burrow": 2,
        "fly": None,
    }
    assert "fly" not in fight.who("brannoc")["totals"]


def test_a_penalty_to_speed_slows_every_movement(gathered: Fight) -> None:
    """Orcus, Speed."""
    fight = gathered.do("add monster Otter hp 9 speed 5 swim 8")
    fight.do("modifier otter -2 speed until fight")
    assert (fight.total("otter", "speed"), fight.total("otter", "swim")) == (3, 6)
    assert [amount for amount, _ in fight.why("otter", "swim")] == [8, -2]


def test_senses_and_kind_are_kept_and_shown(new_fight: NewFight) -> None:
    """Orcus, Vision and Light, Glossary (Monsters)."""
    fight = new_fight(
        'add monster Bat hp 5 type "natural beast" source cosmic role archer darkvision'
        " blindsight 10 tremorsense 5 truesight 12 passive-perception 14 phasing web-stride"
        " languages common,goblin fly 8 hover"
    )
    stats = fight.who("bat")["stats"]
    assert (stats["type"], stats["source"], stats["role"]) == ("natural beast", "cosmic", "archer")
    assert stats["languages"] == ["common", "goblin"]
    (line,) = [line for line in text_report(fight.shown, fight.ruleset) if "Darkvision" in line]
    for said in ("Fly 8", "Hover", "Type natural beast", "Blindsight 10", "Passive Perception 14"):
        assert said in line
    assert "Web stride" in line.replace("-", " ")


@pytest.mark.parametrize(
    ("words", "saying"),
    [
        ("size big", "expected a size, found 'big'"),
        ("size", "expected a size"),
        ("fly 0", "fly must be from 1"),
        ("fly far", "expected fly (a whole number), found 'far'"),
        ("fly 8 fly 9", "fly is given twice"),
        ("type", "expected its type"),
        ("type hp", "expected its type"),
        ('type ""', "expected its type"),
        ("languages", "expected languages"),
        ("languages hp", "expected languages"),
        ("reach -1", "reach must be from 0"),
        ("darkvision darkvision", "darkvision is given twice"),
        ("size small size large", "size is given twice"),
        ("truesight 0", "truesight must be from 1"),
    ],
)
def test_what_makes_no_sense_is_refused(new_fight: NewFight, words: str, saying: str) -> None:
    """Orcus, Creature Size, Speed."""
    new_fight().refuses(f"add monster Thing ac 12 {words} hp 5", saying)


def test_the_bestiary_says_it_with_the_same_words(new_fight: NewFight) -> None:
    """Orcus, Glossary (Monsters)."""
    fight = new_fight("add monster Thing attack Claw +5 vs ac 1d6 reach 3 hp 5 size large")
    assert (fight["thing"].stats["reach"], fight["thing"].stats["size"]) == (3, "large")


# -- passive perception ----------------------------------------------------------------------------

WATCH = (
    "add monster Guard x2 hp 9 passive-perception 12",
    "add monster Hound hp 9 passive-perception 16",
    "add pc Mira hp 30 ac 15",
)


def test_who_does_not_notice_the_stealthy_is_surprised(new_fight: NewFight) -> None:
    """Orcus, Surprise (Stealth against passive Perception)."""
    fight = new_fight(*WATCH, "surprise guard-1,guard-2,hound stealth 15")
    assert [w for w in ("guard-1", "guard-2", "hound") if "surprised" in fight.effects(w)] == [
        "guard-1",
        "guard-2",
    ]
    fight = new_fight(*WATCH, "surprise guard-1,hound stealth 12")  # a roll that equals succeeds
    assert fight.effects("guard-1") == {"surprised"}
    fight = new_fight(*WATCH, "surprise guard-1,hound stealth 11")
    assert fight.shown["undo"] == "Nobody is surprised"


def test_the_blinded_and_deafened_notice_less(new_fight: NewFight) -> None:
    """Orcus, Blinded, Deafened (−10 to Perception)."""
    fight = new_fight(*WATCH, "inflict hound deafened")
    assert fight.total("hound", "passive-perception") == 6
    assert fight.why("hound", "passive-perception")[0] == (16, "own passive-perception")
    assert "surprised" in fight.do("surprise hound stealth 7").effects("hound")


def test_where_it_is_not_known_nobody_decides(new_fight: NewFight) -> None:
    """Orcus, Surprise."""
    new_fight(*WATCH).refuses("surprise mira stealth 15", "Mira's passive Perception is not known")


# -- languages -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mine", "theirs", "dc"),
    [
        ("common", "common,goblin", 12),
        ("common", "goblin", 17),
        ("", "goblin", 12),
        ("common", "", 12),
    ],
)
def test_without_a_common_language_deterring_is_harder(
    new_fight: NewFight, mine: str, theirs: str, dc: int
) -> None:
    """Orcus, Deter. What nobody said counts for nothing."""
    fight = new_fight(
        f"add pc Brannoc hp 44 intimidate 7 {f'languages {mine}' if mine else ''}",
        f"add monster Goblin hp 26 will 12 {f'languages {theirs}' if theirs else ''}",
        "init brannoc 9",
        "init goblin 5",
        "start",
        "deter goblin natural 10",
    )
    assert fight.rolled.dc == dc


def test_unnerving_asks_for_a_language_of_each(new_fight: NewFight) -> None:
    """Orcus, Unnerve."""
    fight = new_fight(
        "add pc Brannoc hp 44 intimidate 7 languages common",
        "add monster Goblin hp 26 will 12 languages goblin",
        "init brannoc 9",
        "init goblin 5",
        "damage goblin 13",
        "start",
        "unnerve goblin natural 10",
    )
    assert fight.rolled.dc == 27
