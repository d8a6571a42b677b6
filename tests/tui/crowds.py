"""Fights as they seldom are at a table, but can be: many people, long names, much that lasts."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.tui.conftest import play

from affray.core.parser.errors import Refused
from affray.store.open_encounter import OpenEncounter

NAMES = (
    "Mira",
    "Ash",
    "Brannoc of the Weir",
    "Sister Amaranth of the Ninefold Sluice",
    "Drowned Watchman",
    "水門の番人",
    "물레방아 유령",
    "Ｗide Ｌetters",
    "Ünïcødé Ängström",
    "Prone Guard",
    "No 7 of 12",
    "X",
)
ENDS = ("", "for 2 turns", "until start of {}", "until end of {}", "until round 4", "until fight")
TRIGGER = (
    "somebody who is not one of the wardens reaches for the upper wheel, or speaks to the ogre, "
    "or the water comes over the third step"
)
CLOCKS = (
    'clock "Nethermere floods the lower town and all of its cellars" 7 rounds',
    'clock "the bridge" 4d6',
    'clock "turn both wheels before anybody sees it" 4 before 3',
)


class Crowd(NamedTuple):
    """How a game fills a fight. In its lines `{}` is somebody, `{other}` somebody else.

    pc, monster   the numbers that somebody is added with
    lasting       what lays something that lasts on somebody, before its end
    ends          ends of their own that such lines may have, besides those of every game
    things        what else happens, to somebody or by whoever is up
    companion     how somebody's companion joins
    """

    ruleset: str
    pc: str
    monster: str
    lasting: tuple[str, ...]
    ends: tuple[str, ...]
    things: tuple[str, ...]
    companion: str = ""


MONSTERS = Crowd(
    "monsters-and-magic",
    "hp 24 ac 2 power 1 cunning 1 luck 1 pb 2",
    "cr 2 hp 18 ac 2 fatigue 3 exhaustion 2",
    (
        *(
            f"inflict {{}} {name}"
            for name in (
                *("weakened", "sundered", "impaired", "stunned", "doomed", "restrained"),
                *("slowed", "prone", "frightened", "blinded"),
            )
        ),
        *(
            f"bestow {{}} {name}"
            for name in ("quickened", "empowered", "invigorated", "hastened", "prepared")
        ),
        'forward {} +2 "next attack against whoever holds the lantern"',
        "ongoing {} -1 check",
        "hold {} arrows 3",
    ),
    ("until freed", "from {other}"),
    (
        "damage {} 7",
        "damage {} 60",
        "temp {} 6",
        "mark {} fatigue 2",
        "mark {} exhaustion 2",
        "conceal {}",
        "delay",
        "strike {} strong 6",
        "strike {} weak fatigue",
        "dodge",
        f'ready strike "{TRIGGER}"',
        'concentrate "Wall of Fog that Nobody Has Ever Seen the End of"',
        "death {} weak",
    ),
)
ORCUS = Crowd(
    "orcus",
    "hp 44 ac 18 fort 16 ref 14 will 13 init 3 speed 6 recoveries 8 attack Sword +7 vs ac 1d8+4",
    "hp 30 ac 14 fort 12 ref 13 will 11 init 2 attack Spear +5 vs ac 1d8+2",
    (
        *(
            f"inflict {{}} {name}"
            for name in (
                *("blinded", "controlled", "dazed", "deafened", "helpless", "immobile"),
                *("petrified", "prone", "rattled", "restrained", "slowed", "stunned"),
                *("weakened", "persistent 5 fire", "persistent 3 cold", "vulnerability acid 5"),
            )
        ),
        'modifier {} +2 attack,will power "every lamp at once, and none of them ours"',
        "modifier {} -2 ac",
    ),
    ("save ends", "from {other}"),
    (
        "damage {} 12",
        "damage {} 70",
        "temp {} 6",
        "conceal {}",
        "delay",
        "attack {} hit 6",
        "walk",
        "total-defense",
        f'ready attack "{TRIGGER}"',
        "stance Quarry-Footing",
        "death {} failure",
    ),
    "add monster Dog hp 20 ac 15 fort 14 ref 14 will 12 companion of {}",
)
LEVEL_UP = Crowd(
    "level-up",
    "hp 34 ac 15 init 2 speed 30 attack sword +6 1d8+3 slashing",
    "hp 22 ac 13 init 1 speed 30 attack claw +4 1d6+2 slashing",
    (
        *(
            f"inflict {{}} {name}"
            for name in (
                *("blinded", "grappled", "invisible", "poisoned", "prone", "restrained"),
                *("suffocating", "doomed", "raging", "ongoing 1d6 cold", "ongoing 3 fire"),
            )
        ),
        'modifier {} +2 attack,save "every lamp at once, and none of them ours"',
        "modifier {} -2 ac",
    ),
    ("from {other}",),
    (
        "damage {} 9",
        "damage {} 60",
        "temp {} 6",
        "conceal {}",
        "delay",
        "attack {} hit 6",
        "move 15",
        "dodge",
        f'ready attack "{TRIGGER}"',
        'cast "Wall of Fog that Nobody Has Ever Seen the End of" concentration',
        "mark {} fatigue 2",
        "death {} failure",
    ),
)
SCHOOL = Crowd(
    "adventure-school",
    "hp 34 ac 15 init 2 stamina 3 fortune 2 attack sword +6 1d8+3 slashing",
    "hp 22 ac 13 init 1 attack claw +4 1d6+2 slashing",
    (
        *(
            f"inflict {{}} {name}"
            for name in (
                *("afraid", "charmed", "cursed", "taunted", "blinded", "off-guard", "immobilized"),
                *("disabled", "restrained", "stunned", "prone", "soaked", "chilled", "flying 20"),
                *("concealed", "burning 3", "ongoing 2 acid"),
            )
        ),
        'modifier {} +2 attack,save "every lamp at once"',
        "modifier {} -2 ac",
    ),
    ("from {other}",),
    (
        "damage {} 9",
        "damage {} 60",
        "conceal {}",
        "delay",
        "attack {} hit 6",
        "move 15",
        "defend",
        f'ready attack "{TRIGGER}"',
        'song "A Hymn that Nobody Has Ever Heard the End of" natural 9 +1 attack,save to {}',
    ),
)
GAMES = (MONSTERS, ORCUS, LEVEL_UP, SCHOOL)


def crowd(path: Path, game: Crowd, seed: int, people: int) -> OpenEncounter:
    """A fight with so many people in it, in its first rounds; the same for the same seed."""
    rng = Random(seed)
    fight = play(path, "", f"A crowd of {people}", game.ruleset)
    while len(fight.state.combatants) < people:
        _add(fight, game, rng, people)
    _try(fight, "init roll all", "start")
    ids = [c.id for c in fight.state.combatants]
    for line in game.lasting:  # one of them has it all
        _try(fight, _filled(line, ids[-1], rng.choice(ids)))
    for _ in range(min(30 + people, 90)):
        _happens(fight, game, rng, ids)
    for line in rng.sample(CLOCKS, rng.randint(0, len(CLOCKS))):
        _try(fight, line)
    return fight


def _add(fight: OpenEncounter, game: Crowd, rng: Random, people: int) -> None:
    name, lacking = rng.choice(NAMES), people - len(fight.state.combatants)
    taken = {c.name for c in fight.state.combatants}
    if name in taken:
        name = f"{name} {chr(ord('A') + len(taken) % 26)}"
    if rng.random() < 0.4:
        _try(fight, f'add pc "{name}" {game.pc}')
        if game.companion and rng.random() < 0.3 and lacking > 1:
            _try(fight, game.companion.format(fight.state.combatants[-1].id))
        return
    many = rng.randint(1, min(lacking, 12))
    marked = rng.choice(("", "", "hidden ", "important ", "side others "))
    times, group = (f"x{many} ", rng.choice(("", "", " group"))) if many > 1 else ("", "")
    _try(fight, f'add monster "{name}" {times}{marked}{game.monster}{group}')


def _happens(fight: OpenEncounter, game: Crowd, rng: Random, ids: list[str]) -> None:
    who, other, what = rng.choice(ids), rng.choice(ids), rng.random()
    if what < 0.25:
        _try(fight, "next")
    elif what < 0.6:
        end = rng.choice((*ENDS, *game.ends))
        _try(fight, f"{_filled(rng.choice(game.lasting), who, other)} {_filled(end, who, other)}")
    else:
        _try(fight, _filled(rng.choice(game.things), who, other))


def _filled(line: str, who: str, other: str) -> str:
    return line.replace("{other}", other).replace("{}", who)


def _try(fight: OpenEncounter, *lines: str) -> None:
    """Give these commands; what the rules don't allow just now doesn't happen."""
    for line in lines:
        with suppress(Refused):
            fight.do(line.strip())
