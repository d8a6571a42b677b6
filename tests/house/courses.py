"""For each game a course of commands in which everything happens that an effect's row can change.

Brannoc has the effect `cursed` from Foe 2, Foe 1 has it from Mira, and Mira as it lasts by itself.
"""

from __future__ import annotations

CURSED = (
    "inflict brannoc cursed until removed from foe-2",
    "inflict foe-1 cursed until removed from mira",
    "inflict mira cursed",
)
LAST = (
    "inflict foe-2 stunned until removed",
    "check brannoc {skill} natural 9",
    "damage foe-2 999",
    "check brannoc {skill} natural 9",
    "end",
    "rest short",
)

MONSTERS_AND_MAGIC = (
    "add pc Brannoc hp 30 ac 4 power 2 cunning 1 focus 0 luck 1 pb 2",
    "add pc Mira hp 24 ac 2 power 0 cunning 3 focus 2 luck 2 pb 1",
    "add monster Foe x2 cr 2 hp 28 ac 2 fatigue 3 exhaustion 2",
    *CURSED,
    "init roll all",
    "init brannoc 17",
    "init mira 12",
    "init foe-1 10",
    "init foe-2 9",
    "start",
    "strike foe-1 natural 12 8 slashing",
    "strike foe-1 natural 4,15 8 slashing far",
    "check brannoc power natural 9",
    "move",
    "next",
    "react opportunity-attack foe-1 strong 6 by brannoc",
    "next",
    "strike brannoc natural 4,15 6 slashing",
    "strike brannoc natural 11 6 slashing far",
    "next",
    "next",
    "free brannoc cursed prevented",
    "damage brannoc 9 slashing",
    "inflict brannoc restrained",
    "free brannoc restrained",
    *(line.format(skill="power") for line in LAST),
)
ORCUS = (
    "add pc Brannoc hp 44 ac 18 fort 16 ref 14 will 13 init 3 recoveries 8"
    " attack Sword +7 vs ac 1d8+4 power Cleave encounter standard +7 vs ac 2d6",
    "add pc Mira hp 30 ac 15 fort 12 ref 16 will 15 init 5 recoveries 6"
    " attack Bow +8 vs ac 1d10+3 ranged",
    "add monster Foe x2 hp 60 ac 16 fort 13 ref 14 will 12 init 4 attack Axe +6 vs ac 1d8+3",
    *CURSED,
    *(
        f"attack foe-1 vs {defense} natural 12 8 by brannoc"
        for defense in ("ac", "fort", "ref", "will")
    ),
    "attack foe-1 natural 12 by brannoc",
    "init roll all",
    "init brannoc 17",
    "init mira 12",
    "init foe-1 10",
    "init foe-2 9",
    "start",
    "attack foe-1 natural 12 8",
    "action-point",
    "free",
    "walk",
    "check brannoc perception natural 9",
    "inflict brannoc slowed save ends",
    "save brannoc slowed natural 9",
    "next",
    "react counter by brannoc",
    "attack foe-1 natural 12 8 with Bow",
    "next",
    "attack brannoc natural 12 8",
    "next",
    "attack brannoc natural 12 8",
    "attack brannoc flanking natural 12 8",
    "damage brannoc 9 fire",
    "next",
    "attack foe-1 flanking natural 12 8",
    *(line.format(skill="stealth") for line in LAST),
)
NUMBERS = {
    "monsters-and-magic": (
        "add pc Brannoc hp 30 ac 4 power 2 cunning 1 focus 0 luck 1 pb 2",
        "add monster Foe cr 2 hp 28 ac 2",
        "init brannoc 17",
        "init foe 10",
        "start",
        "strike foe natural 2 cover",
        "strike foe natural 1",
        "strike foe strong 8 cover",
        "check brannoc focus concealed natural 12",
        "inflict foe weakened",
        "inflict foe weakened detonate",
        "inflict foe weakened",
        "inflict foe weakened detonate fatigue",
        "mark brannoc exhaustion 2",
        "check brannoc power natural 9",
        "next",
        "damage brannoc 99",
        "next",
        "death brannoc weak",
        "mark brannoc deathsaves 2",
    ),
    "orcus": (
        "add pc Brannoc hp 44 ac 18 fort 16 ref 14 will 13 init 3 recoveries 8 bluff 5 heal 5"
        " intimidate 5 attack Sword +7 vs ac 1d8+4 power Roar refresh 5 standard +7 vs ac 2d6",
        "add pc Mira hp 30 ac 15 fort 12 ref 16 will 15 init 5 recoveries 6"
        " attack Bow +8 vs ac 1d10+3 ranged",
        "add monster Foe x2 hp 60 ac 16 fort 13 ref 14 will 12 init 4 attack Axe +6 vs ac 1d8+3",
        *(
            f"attack foe-1 natural 12 8 {how} by brannoc"
            for how in ("advantage", "cover", "three-quarters-cover", "concealed", "long")
        ),
        "attack foe-1 natural 12 8 total-concealment by brannoc",
        "inflict foe-2 prone",
        "attack foe-2 natural 12 8 with Bow by mira",
        "inflict brannoc marked from foe-2",
        "attack foe-1 natural 12 8 by brannoc",
        "charge foe-1 natural 12 8 by brannoc",
        "help-attack brannoc foe-1 by mira",
        "attack foe-1 natural 12 8 by brannoc",
        "help-defense brannoc foe-1 by mira",
        "attack brannoc natural 12 8 by foe-1",
        "inflict mira slowed save ends",
        *(f"treat-ally mira {how} natural 5 by brannoc" for how in ("save", "wound")),
        "treat-ally mira save success later by brannoc",
        "save mira slowed natural 9",
        "deter foe-1 natural 9 unfriendly no-language by brannoc",
        "deter foe-2 natural 9 hostile by brannoc",
        "damage foe-2 40",
        "unnerve foe-2 natural 9 by mira",
        "init brannoc 17",
        "init mira 12",
        "init foe-1 10",
        "init foe-2 9",
        "start",
        "power Roar foe-1 hit 9",
        "next",
        "damage brannoc 44",
        *["next"] * 3,
        "treat-ally brannoc first-aid natural 5 by mira",
        "modifier brannoc +1 save",
        "next",
        *["next"] * 3,
        "death brannoc natural 19",
        "damage brannoc 44",
        "set brannoc death_failures 2",
        *["next"] * 4,
        "death brannoc natural 2",
        "end",
        "rest short",
        "rest streak",
        "rest long",
    ),
}
"""For each game a course in which all its plain numbers come into play."""
COURSES = {"monsters-and-magic": MONSTERS_AND_MAGIC, "orcus": ORCUS}
