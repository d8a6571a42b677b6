"""Who is in the fights that are played by a campaign's techniques, and how these begin."""

from __future__ import annotations

PEOPLE = {
    "monsters-and-magic": (
        "add pc Brannoc hp 30 ac 4 power 2 cunning 1 focus 0 luck 1 pb 2",
        "add pc Mira hp 24 ac 2 power 0 cunning 3 focus 2 luck 2 pb 1",
        "add monster Foe x2 cr 2 hp 28 ac 2 fatigue 3 exhaustion 2",
    ),
    "orcus": (
        "add pc Brannoc hp 44 ac 18 fort 16 ref 14 will 13 init 3 recoveries 8",
        "add pc Mira hp 30 ac 15 fort 12 ref 16 will 15 init 5 recoveries 6",
        "add monster Foe x2 hp 60 ac 16 fort 13 ref 14 will 12 init 4",
    ),
    "level-up": (
        "add pc Brannoc hp 40 ac 17 init 1 level 5 con 2 exertion 3 attack Sword +7 1d8+4",
        "add pc Mira hp 24 ac 14 init 3 level 3 dex 3",
        "add monster Foe x2 hp 60 ac 12 attack Axe +4 1d8+3",
    ),
    "5e": (
        "add pc Brannoc hp 40 ac 17 init 1 level 5 con 2 attack Sword +7 1d8+4",
        "add pc Mira hp 24 ac 14 init 3 dex 3",
        "add monster Foe x2 hp 60 ac 12 attack Axe +4 1d8+3",
    ),
    "adventure-school": (
        "add pc Brannoc hp 40 ac 17 init 1 strength 7 stamina 3 spirit 3"
        " attack Sword +7 1d8+4 attack Crossbow +5 1d10 ranged loading ability Hew",
        "add pc Mira hp 24 ac 14 init 3",
        "add monster Foe x2 hp 60 ac 12 attack Axe +4 1d8+3",
    ),
}
ORDER = ("init brannoc 17", "init mira 12", "init foe-1 10", "init foe-2 9", "start")

COST = {
    "monsters-and-magic": "{ ap = 1 }",
    "orcus": "{ standard = 1 }",
    "level-up": "{ action = 1 }",
    "adventure-school": "{ action = 1 }",
    "5e": "{ action = 1 }",
}
"""A price that somebody can pay in each game."""
