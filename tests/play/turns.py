"""A fight by ear in each game: four against six, with areas, concentration, deaths and questions.

`lines` has what a GM types for it. Players' dice are read off the table, monsters' are rolled.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

PARTY = ("Mira", "Odo", "Pell", "Ilse")
FOES = tuple(f"ghoul-{number}" for number in range(1, 7))
QUESTIONS = ("how is odo", "who is prone", "what ends when", "initiative", "what waits", "? prone")


class Game(NamedTuple):
    """How a game's GM types what happens in every fight.

    `hit` and `miss` are at a foe, `bite` is a monster's attack at somebody; where a turn has one
    attack alone, `more` is another act. What a game has not is empty.
    """

    pc: str
    foe: str
    hit: str
    miss: str
    bite: str
    move: str
    area: str
    concentrate: str = ""
    more: str = ""
    prone: str = "inflict ghoul-2 prone"


SRD = Game(
    "add pc {} hp 30 ac 14 attack blade +5 1d8+3 slashing",
    "add monster Ghoul x6 hp 45 ac 12 attack claws +4 1d6+2 slashing",
    "attack {} natural 15 9 slashing",
    "attack {} natural 3",
    "attack {}",
    "move 20",
    'cast "Fire Rain" save dex 3d6 fire dc 13 half at {}',
    'cast "Haze" concentration',
    "note misses",
)
GAMES = {
    "monsters-and-magic": Game(
        "add pc {} hp 22 ac 2 power 2 cunning 2 focus 2 luck 1 pb 2",
        "add monster Ghoul x6 cr 1 hp 40 ac 1 fatigue 3 attack claws 1d6+2 slashing",
        "strike {} natural 15 9 slashing",
        "strike {} natural 3",
        "strike {}",
        "move",
        'cast "Fire Rain" ap 2 at {} natural 12,15,3,18,9,14 6 fire',
        'concentrate "Haze"',
    ),
    "5e": SRD,
    "level-up": SRD,
    "orcus": Game(
        "add pc {} hp 30 ac 16 fort 14 reflex 14 will 14",
        "add monster Ghoul x6 hp 48 ac 14 fort 12 reflex 12 will 12",
        "attack {} hit 9",
        "attack {} miss",
        "attack {} hit 6",
        "",
        "damage {} 8 fire",
        more="note misses",
    ),
    "adventure-school": Game(
        "add pc {} hp 30",
        "add monster Ghoul x6 hp 42",
        "attack {} hit 9",
        "attack {} miss",
        "attack {} hit 6",
        "move 10",
        "damage {} 8 fire",
        more="note misses",
    ),
    "plain": Game(
        "add pc {} hp 30 ac 14",
        "add monster Ghoul x6 hp 41 ac 12",
        "damage {} 9",
        "note misses",
        "damage {} 6",
        "",
        "damage {} 8",
        'inflict ilse "concentrating"',
    ),
}


def before(game: Game) -> Iterator[str]:
    """What brings everybody and begins the fight."""
    yield from (game.pc.format(name) for name in PARTY)
    yield game.foe
    for place, who in enumerate((*PARTY, *FOES)):
        yield f"init {who.casefold()} {30 - place}"
    yield "start"


def turns(game: Game) -> Iterator[list[str]]:
    """Three rounds, a turn at a time; who has died has none. Each question is asked once."""
    asks = iter(QUESTIONS)
    everybody = ",".join(FOES)
    move = [game.move] if game.move else []
    second = [game.more or game.miss.format("ghoul-2")]
    yield [game.hit.format("ghoul-1"), *second, "next"]
    yield [*move, game.prone, "next", next(asks)]
    yield [game.area.format(everybody), "next", next(asks)]
    yield [*filter(None, [game.concentrate]), *move, "next", next(asks)]
    for who in ("mira", "ilse", "pell", "mira", "ilse", "mira"):
        yield [game.bite.format(who), "next"]
    yield [game.hit.format("ghoul-2"), "damage ghoul-1 40", "next", next(asks)]
    yield [*second, "damage odo 40", "next", next(asks)]
    yield [game.miss.format("ghoul-3"), *move, "next"]
    yield [*move, game.hit.format("ghoul-4"), "next"]
    for who in ("ilse", "mira", "pell", "ilse", "mira"):
        yield [game.bite.format(who), "next"]
    yield ["damage foes 50", "who", "undo", next(asks), "next"]
