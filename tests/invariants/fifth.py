"""5e, played whichever way: who is there, and the lines that lead into its rules."""

from __future__ import annotations

from hypothesis import strategies as st
from tests.invariants.language import AMOUNT, FACE, SMALL, Game, line, many, maybe, seldom, words

from affray.rulesets import load_ruleset

RULESET = load_ruleset("5e")
WHO = words("mira", "ash", "rat-1", "rat-2", "ogre", "wolf", "1", "3", "ra", "horse")
MANY = many(WHO)
HOW = st.one_of(words("hit", "miss", "crit", "fumble", "roll"), line("natural", FACE))
CAME = st.one_of(words("success", "failure", "roll"), line("natural", FACE))
TYPE = words("", "fire", "cold", "slashing", "poison")
ABILITY = words("str", "dex", "con", "int", "wis", "cha")
CONDITION = words(*(n for n, r in RULESET.tables.effects.items() if r.kind == "condition"))
TAIL = st.one_of(
    words("", "save-ends", "until fight", "until round 3", "save con dc 13", "concentrating"),
    line("for", SMALL, "turns"),
    line("until", words("start of", "end of"), WHO, maybe("from", WHO)),
)
BY = seldom("by", WHO)
SAID = words(
    "", "adv", "dis", "cover", "total-cover", "unseen", "target-unseen unseen", "long close",
    "ranged", "with bow", "with knife plus 2", "unproficient", "knockout", "adjacent", "reach",
    "mastery none", "mastery sap", "out-of-sight", "with axe", "inspired",
)  # fmt: skip
WHAT = words("attack", "ac", "save", "speed", "damage,attack", "damage-taken", "test")
SKILL = words("athletics", "stealth", "perception", "medicine", "arcana", "persuasion")

COMMANDS = st.one_of(
    line(words("attack", "off-hand", "cleave"), WHO, HOW, maybe(AMOUNT, TYPE), SAID, BY),
    line("react opportunity-attack", WHO, HOW, maybe(AMOUNT), SAID, BY),
    line("react", words('"ducks"', '"shouts"'), BY),
    line("cast", words("Fog", "Ray", '"Cold Rain"'), words("", "slot 1", "bonus", "none"), BY),
    line("cast", words("Burst", "Hold", "Ray", "Fog"), "at", MANY, CAME, maybe(AMOUNT, TYPE), BY),
    line("cast Ray at", WHO, HOW, maybe(AMOUNT, TYPE), BY),
    line("cast Gust save str dc 13 2d6 half inflicts prone at", MANY, maybe(CAME), BY),
    line(words("dash", "disengage", "dodge", "stand", "release", "interact", "use rope"), BY),
    line(words("drop-prone", "dismount", "land", "drop", 'magic "wand"'), BY),
    line("move", SMALL, words("", "difficult", "crawling", "climbing", "dragging"), BY),
    line("mount", WHO, words("", "controlled", "independent"), BY),
    line("mount-save", WHO, maybe(CAME)),
    line("fall", WHO, words("10", "40", "300"), maybe(AMOUNT), words("", "water success")),
    line("aloft", WHO, SMALL),
    line("help", WHO, st.one_of(line("with", SKILL), line("against", WHO)), BY),
    line("help against", WHO, BY),
    line("hide", CAME, maybe("from", MANY), BY),
    line("search", words("perception", "insight"), CAME, maybe("for", WHO), BY),
    line("study arcana", CAME, maybe("dc", SMALL), BY),
    line("influence", WHO, "persuasion", CAME, words("", "friendly", "hostile"), BY),
    line("grapple", WHO, maybe(CAME), words("", "str", "vs roll"), BY),
    line("shove", WHO, words("prone", "push"), maybe(CAME), words("", "vs natural 9"), BY),
    line("power", words("Breath", "Tail", "Glare", "Hide"), maybe(MANY, maybe(AMOUNT, TYPE)), BY),
    line("power", words("Breath", "Tail"), WHO, st.one_of(CAME, HOW), maybe(AMOUNT), SAID, BY),
    line("recharge Breath", line("natural", words("2", "6")), BY),
    line("withstand", MANY, words("", "concentration"), CAME, words("", "adv", "cover", "plus 2")),
    line("save", MANY, CONDITION, CAME),
    line("legendary-resistance", WHO),
    line("inspiration", WHO, "natural", FACE),
    line("first-aid", WHO, CAME, BY),
    line("escape", maybe(CONDITION), maybe(CAME), maybe("dc 12"), BY),
    line(
        "ready", words("attack", "dash", "cast Ray", "cast Burst slot 3"), words("", '"a cry"'), BY
    ),
    line("trigger", maybe(WHO, HOW, AMOUNT), BY),
    line("check", MANY, ABILITY, words("", "save", "stealth"), CAME, words("", "dc 12", "sight")),
    line("inflict", MANY, CONDITION, TAIL, BY),
    line("inflict", WHO, "ongoing", words("4", "1d6"), TYPE, words("", "at-start"), TAIL, BY),
    line("inflict", WHO, words("vulnerability", "resistance", "immunity"), TYPE, TAIL, BY),
    line("modifier", MANY, st.one_of(SMALL, words("adv", "dis", "1d4", "-1d4")), WHAT, TAIL),
    line("damage", MANY, AMOUNT, TYPE, maybe("half", MANY), words("", "knockout", "crit")),
    line("death", WHO, CAME),
    line("temp", MANY, AMOUNT, words("", "new", "keep")),
    line("drain", MANY, SMALL),
    line(words("mark", "clear"), MANY, words("exhaustion", "inspiration", "slots_1"), SMALL),
    line("hit-dice", WHO, SMALL, maybe(AMOUNT)),
    line("knock-out", MANY),
    line("rest", words("short", "long")),
    line("surprise", MANY),
    line("set", WHO, words("action", "temp_hp", "death_failures", "exhaustion"), SMALL),
    words("setting edition 2014", "setting edition 2024", "setting underwater on"),
)

SETUP = (
    "add pc Mira level 5 hp 30 ac 17 init 4 pb 3 str 2 dex 3 con 1 wis 2 saves dex attacks 2"
    " skills stealth,medicine expertise perception hit-dice 5d10 passive-perception 15"
    " attack blade +7 1d8+4 slashing melee sap attack knife +6 1d4+3 piercing thrown light nick"
    " attack axe +6 1d6+3 slashing light vex cleave attack bow +6 1d8+3 piercing ranged loading",
    "add pc Ash level 5 hp 26 ac 15 init 2 pb 3 spell 6 spell-dc 14 int 3 saves int slots 4,3,2"
    " pact 1 level 3 hit-dice 5d6 evasion"
    " spells Ray 0 action +6 2d10 fire spells Burst 3 action save dex 8d6 fire half"
    " spells Hold 2 action concentration save wis inflicts paralyzed save-ends",
    "add monster Rat x2 hp 9 ac 14 init 5 attack bite +7 1d4+1 piercing plus 1d6 fire"
    " save con dc 13 1d8 poison half inflicts poisoned for 2 turns",
    "add monster Ogre important size huge hp 60 ac 16 init 1 resist fire immune poisoned lair"
    " attack club +8 2d6+4 bludgeoning heavy topple inflicts grappled 14 legendary 2"
    " legendary-resistance 1 regeneration 5 unless fire,acid"
    " power Breath recharge 5 save dex dc 14 6d6 fire half inflicts prone"
    " power Tail legendary +7 1d8+4 bludgeoning plus 2 cold inflicts restrained user-end"
    ' power Glare bonus uses 1 per turn inflicts "cowed" inflicts ongoing 1d4 psychic'
    ' power Hide trait 2 acid aura start text "It smarts."',
    "add monster Wolf side party hp 18 summon of Mira attack teeth +6 1d8+2 piercing",
    "add monster Horse side party size large hp 19 attack hooves +5 2d4+3 bludgeoning",
)

GAME = Game(
    ruleset=RULESET,
    campaign="ash-road",
    setup=SETUP,
    pack=("rat-1", "rat-2", "ogre"),
    who=WHO,
    commands=COMMANDS,
    suffering=words("damage {} 19", "damage {} 75", "damage {} 30 knockout", "inflict {} prone"),
    asked={
        "ABILITY": ABILITY,
        "CONDITION": CONDITION,
        "WHAT": WHAT,
        "WORDS": SAID,
        "FEET": SMALL,
        "SPELL": words("Fog", "Ray", "Burst"),
        "DURATION": TAIL,
        "TYPE": TYPE,
        "SKILL": SKILL,
    },
)
