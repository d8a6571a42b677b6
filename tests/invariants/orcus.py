"""Orcus, played whichever way: who is there, and the lines that lead into its rules."""

from __future__ import annotations

from hypothesis import strategies as st
from tests.invariants.language import AMOUNT, FACE, SMALL, Game, line, many, maybe, seldom, words

from affray.rulesets import load_ruleset

RULESET = load_ruleset("orcus")
WHO = words("mira", "ash", "rat-1", "rat-2", "ogre", "wolf", "1", "3", "ra", "pit")
MANY = many(WHO)
OUTCOME = st.one_of(words("hit", "miss", "crit", "roll"), line("natural", FACE))
DEFENSE = words("ac", "fort", "ref", "will")
TYPE = words("", "fire", "cold", "poison", "untyped")
CONDITION = words(*(n for n, r in RULESET.tables.effects.items() if r.kind == "condition"))
EDGE = words("target-end", "target-start", "user-end", "user-start")
TAIL = st.one_of(
    words("", "save ends", "until fight", "until round 3"),
    line("for", SMALL, "turns"),
    line("until", words("start of", "end of"), WHO),
    line(EDGE, maybe("from", WHO)),
    line("save ends", "from", WHO),
    line("while", WHO),
)
BY = seldom("by", WHO)
POWER = words("Cleave", "Roar", '"Second Breath"', "Storm", "cl", "Spit")
WHAT = words("attack", "ac", "save", "speed", "damage,attack", "reflex")

COMMANDS = st.one_of(
    line("attack", MANY, OUTCOME, AMOUNT, TYPE, words("", "half", "advantage", "adjacent"), BY),
    line("attack", WHO, OUTCOME, words("", "with bow", "plus 2", "cover"), BY),
    line("power", POWER, maybe(MANY, OUTCOME, maybe(AMOUNT, TYPE)), BY),
    line("react", POWER, maybe(WHO, OUTCOME), BY),
    line("react opportunity-attack", WHO, OUTCOME, maybe(AMOUNT), BY),
    line("inflict", MANY, CONDITION, TAIL, BY),
    line("inflict", WHO, "persistent", SMALL, TYPE, TAIL, BY),
    line("inflict", WHO, words("vulnerability", "resistance"), TYPE, SMALL, TAIL, BY),
    line("inflict", WHO, "regeneration", SMALL, TAIL, BY),
    line("save", WHO, maybe(CONDITION), words("success", "failure", "roll"), maybe("plus", SMALL)),
    line("death", WHO, words("success", "failure", "crit", "roll"), maybe("plus", SMALL)),
    line("modifier", MANY, SMALL, WHAT, words("", "feat", "power"), TAIL),
    line("recovery", WHO, maybe("with", WHO)),
    line("damage", MANY, AMOUNT, TYPE, maybe("half", MANY), words("", "knockout")),
    line("knock-out", MANY),
    line("rest", words("short", "long", "streak")),
    line("ready", words("attack", "walk", "power Cleave", "charge"), words("", '"a cry"'), BY),
    line("trigger", maybe(WHO, OUTCOME, AMOUNT), BY),
    line("stance", POWER, maybe(SMALL, WHAT), BY),
    line(words("aura", "zone", "conjuration"), POWER, words("", "maintain swift"), BY),
    line(words("maintain", "drop"), POWER, BY),
    line("command", WHO, words("standard", "move", "swift", "immediate"), BY),
    line("surprise", MANY),
    line("fly", maybe(SMALL), maybe("altitude", SMALL), BY),
    line("aloft", MANY, maybe(SMALL)),
    line("land", BY),
    line("fall", MANY, SMALL, maybe(AMOUNT)),
    line("form", POWER, words("", "no-ranged"), maybe(SMALL, WHAT), BY),
    line("power", POWER, "augmented", MANY, OUTCOME, words("", "no-language"), BY),
    line("modifier", WHO, SMALL, words("attack", "damage"), "with fire,weapon", TAIL),
    line(words("hustle", "push-on"), MANY, OUTCOME),
    line("clock climb", words("3 before 2", "success", "failure", "off")),
    line("check", WHO, "athletics", OUTCOME, "dc 15 toward climb"),
    line("set", WHO, words("recoveries", "action_points", "temp_hp"), SMALL),
)

SETUP = (
    "add pc Mira level 3 hp 30 ac 17 fort 14 ref 16 will 15 init 4 recoveries 6"
    " psi-focus languages common attack blade +7 vs ac 1d8+4 attack bow +6 vs ac 1d8+3 ranged"
    ' power "Cleave" at-will tactical +7 vs ac 1d8+4'
    ' power "Second Breath" encounter swift form',
    "add pc Ash level 3 hp 26 ac 15 fort 15 ref 14 will 17 init 2 recoveries 7"
    ' power "Storm" daily augmentable +6 vs ref 2d6+4 half'
    ' power "Roar" encounter psyche +6 vs will 1d6',
    "add monster Rat x2 mook ac 14 fort 12 ref 14 will 10 init 5 attack bite +7 vs ac 4"
    " inflicts slowed,dazed save-ends",
    "add monster Ogre boss size huge fly 4 altitude 9 level 4 hp 60 ac 16 fort 18 ref 12 init 1"
    " attack club +8 vs ac 2d6+4 plus 1d6 fire inflicts marked user-end inflicts prone"
    ' power Spit refresh 5 swift +9 vs ref 1d8 acid half inflicts persistent 5 acid text "Drips."',
    "add monster Wolf side party hp 18 fly 6 hover companion of Mira attack teeth +6 vs ac 1d8+2",
    "add hazard Pit hp 9",
)

GAME = Game(
    ruleset=RULESET,
    campaign="kiln-road",
    setup=SETUP,
    pack=("rat-1", "rat-2", "ogre"),
    who=WHO,
    commands=COMMANDS,
    suffering=words("damage {} 19", "damage {} 45", "inflict {} dazed save ends"),
    asked={
        "DEFENSE": DEFENSE,
        "SKILL": words("athletics", "acrobatics", "stealth", "perception", "bluff"),
        "POWER": POWER,
        "WHAT": WHAT,
        "DURATION": TAIL,
        "TYPE": TYPE,
    },
)
