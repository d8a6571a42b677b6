"""How many keys the frequent things at the table take: no more than they are worth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.tui.hands import takes_so_many_keys

from affray.core.engine.events import Rolled
from affray.store.open_encounter import OpenEncounter
from affray.tui.widgets.prompt import PromptWidget

FIGHT = """
add pc Brannoc hp 30 ac 4 power 2 cunning 1 focus 0 luck 1 pb 2 attack axe 1d8 slashing \
attack bow 1d6 piercing ranged
add pc Mira hp 24 ac 2 power 0 cunning 3 focus 2 luck 2 pb 1 attack fireball 3d6 fire spell
add monster Ghoul x4 cr 2 hp 18 ac 2 fatigue 3 exhaustion 2 attack claws 1d6+2 slashing \
attack bite 1d8 piercing
init brannoc 17
init mira 12
init ghoul-1 10
init ghoul-2 9
init ghoul-3 8
init ghoul-4 7
start
"""
Play = Callable[..., Any]


@pytest.fixture
def play(opened: Play) -> Play:
    """Opens the fight: Brannoc (1), Mira (2), four ghouls (3 to 6); Brannoc is up."""
    return lambda more="", size=(80, 24): opened(FIGHT + more, size)


GHOULS_UP = "next\nnext\n"
COUNTED = {
    "next turn": (1, "", " ", "next"),
    "a character's strong hit": (5, "", "s3s8↵", "strike ghoul-1 strong 8"),
    "a miss": (3, "", "s3m", "strike ghoul-1 miss"),
    "a monster's attack": (3, GHOULS_UP, "s2↵", "strike mira roll"),
    "the same again": (2, f"{GHOULS_UP}strike brannoc roll\n", "s↵", "strike brannoc roll"),
    "a monster's second kind of attack": (4, GHOULS_UP, "s2b↵", "strike mira roll with bite"),
    "the bow, from behind cover": (
        7, "", "s3bCs8↵", "strike ghoul-1 strong 8 cover with bow",
    ),
    "an opportunity attack, whoever makes it": (
        5, GHOULS_UP, "o1s6↵", "react opportunity-attack ghoul-1 strong 6 by brannoc",
    ),
    "fatigue on somebody else": (4, "", "f22↵", "mark mira fatigue 2"),
    "the HP of somebody else": (5, "", "Q3h7↵", "set ghoul-1 hp 7"),
    "XP for the party": (3, "", "P2↵", "award 2"),
    "XP and gold for the party": (6, "", "P2⇥30↵", "award 2 gold 30"),
    "gold alone": (5, "", "P⇥30↵", "award gold 30"),
    "damage to all foes": (5, "", "-f12↵", "damage ghoul-1,ghoul-2,ghoul-3,ghoul-4 12"),
    "a condition until the start of Mira": (
        7, "", "c3w⇥s2↵", "inflict ghoul-1 weakened until start of mira",
    ),
    "a condition until freed": (
        6, "", "c3w⇥f↵", "inflict ghoul-1 weakened until freed",
    ),
    "a condition from somebody": (
        7, "", "c3w⇥⇥4↵", "inflict ghoul-1 weakened from ghoul-2",
    ),
    "fireball at all, one of them weakly": (
        13, "next\n", "Cf⇥3↵fsssw12↵",
        'cast "fireball" ap 3 at ghoul-1,ghoul-2,ghoul-3,ghoul-4 strong,strong,strong,weak 12',
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", COUNTED)
async def test_what_is_done_often_takes_so_many_keys(play: Play, what: str) -> None:
    await takes_so_many_keys(play, COUNTED[what])


async def test_the_initiative_of_four_is_twelve_keys(
    played: Callable[..., OpenEncounter], game_of: Callable[..., Any]
) -> None:
    party = "\n".join(f"add pc {name} hp 9" for name in ("Ann", "Bea", "Cal", "Dot"))
    async with game_of(played(party)) as game:
        typed = "i17↵12↵9↵14↵"
        assert len(typed) == 12
        await game.type(typed)
        totals = {s.who: s.initiative for s in game.encounter.state.slots}
        assert totals == {"ann": 17, "bea": 12, "cal": 9, "dot": 14}
        assert not game.line.is_open


async def test_the_saves_of_four_and_their_damage_are_one_journey(play: Play) -> None:
    """Monsters & Magic, Attacking & Dealing Damage (whoever is affected saves; a miss, a weak
    hit)."""
    async with play() as game:
        await game.type("*fc")
        await game.type("ms")
        assert "Ghoul 1 miss  Ghoul 2 strong  Ghoul 3 ?" in game.row(PromptWidget)
        await game.type("wm↵")
        ghouls = "ghoul-1,ghoul-2,ghoul-3,ghoul-4"
        assert game.last == f"check {ghouls} cunning save miss,strong,weak,miss"
        assert "Damage › Ghoul 1, Ghoul 3 ½, Ghoul 4" in game.row(PromptWidget)
        await game.type("12f↵")
        assert game.last == "damage ghoul-1,ghoul-3,ghoul-4 12 fire half ghoul-3"
        assert len("*fcmswm↵12f↵") == 12
        await game.type("c=pro⇥")
        assert game.line.prompt.line == "inflict ghoul-1,ghoul-3,ghoul-4 prone"


async def test_saves_that_the_app_rolls_are_two_keys_for_however_many(play: Play) -> None:
    async with play() as game:
        await game.type("*fcr")
        assert game.last != "check"
        await game.type("12↵")
        assert game.last.startswith("check ghoul-1,ghoul-2,ghoul-3,ghoul-4 cunning save roll dc 12")
        entry = game.encounter.history.entries[game.encounter.history.last]
        outcomes = [e.outcome for e in entry.events if isinstance(e, Rolled)]
        assert len(outcomes) == 4
        assert game.row(PromptWidget).count("½") == outcomes.count("weak")


async def test_adding_goes_on_to_the_next_creature_until_esc(play: Play) -> None:
    async with play() as game:
        await game.type("amonster Rat cr 0 hp 2↵monster Bat cr 0 hp 2↵")
        assert game.line.is_open and "Add" in game.row(PromptWidget)
        assert {"rat", "bat"} <= {c.id for c in game.encounter.state.combatants}
        await game.type("⎋")
        assert not game.line.is_open


async def test_the_name_of_a_clock_needs_no_quotes(play: Play) -> None:
    async with play() as game:
        await game.type("Lthe bridge falls↵4d6 slow↵")
        assert game.last == 'clock "the bridge falls" 4d6 slow'
        await game.type("Lthe⇥tick↵")
        assert game.last == 'clock "the bridge falls" tick'


async def test_a_rest_takes_what_somebody_does_in_it(play: Play) -> None:
    async with play("end\n") as game:
        await game.type("Zs↵")
        assert game.last == "rest short"
        await game.type("⎋Zsmira prepare↵")
        assert game.last == "rest short mira prepare"
