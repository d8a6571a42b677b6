"""Level Up, played whichever way: who is there, and the lines that lead into its rules."""

from __future__ import annotations

from hypothesis import strategies as st
from tests.invariants.language import AMOUNT, FACE, SMALL, Game, line, many, maybe, seldom, words

from affray.rulesets import load_ruleset

RULESET = load_ruleset("level-up")
WHO = words("mira", "ash", "rat-1", "rat-2", "ogre", "wolf", "1", "3", "ra", "world")
MANY = many(WHO)
HOW = st.one_of(words("hit", "miss", "crit", "fumble", "roll"), line("natural", FACE))
CAME = st.one_of(words("success", "failure", "roll"), line("natural", FACE))
TYPE = words("", "fire", "cold", "slashing", "mundane")
ABILITY = words("str", "dex", "con", "int", "wis", "cha")
CONDITION = words(*(n for n, r in RULESET.tables.effects.items() if r.kind == "condition"))
TAIL = st.one_of(
    words("", '"until it stops"', "until fight", "until round 3"),
    line("for", SMALL, "turns"),
    line("until", words("start of", "end of"), WHO, maybe("from", WHO)),
)
BY = seldom("by", WHO)
SAID = words(
    "", "adv", "dis", "cover", "total-cover", "unseen", "target-unseen unseen", "long close",
    "ranged", "with bow", "with knife plus 2", "expertise d4", "unproficient", "knockout",
    "failure", "fatigue", "strife",
)  # fmt: skip
WHAT = words("attack", "ac", "save", "speed", "damage,attack", "damage-taken", "initiative")

COMMANDS = st.one_of(
    line(words("attack", "off-hand"), WHO, HOW, maybe(AMOUNT, TYPE), SAID, BY),
    line("react opportunity-attack", WHO, HOW, maybe(AMOUNT), SAID, BY),
    line("react", words("block", "block shield", "fall-back", '"ducks"'), BY),
    line("press-the-attack", BY),
    line("cast", words("Fog", '"Cold Rain"'), words("", "bonus", "reaction", "concentration"), BY),
    line("cast Ember at", WHO, HOW, AMOUNT, TYPE, BY),
    line(words("dash", "disengage", "dodge", "stand", "release", "interact", "use rope"), BY),
    line("move", SMALL, words("", "difficult", "crawling", "down"), BY),
    line("help", WHO, maybe("against", WHO), BY),
    line("hide", CAME, words("", "cover", "three-quarters-cover"), maybe("from", MANY), BY),
    line("search", words("perception", "investigation"), CAME, maybe("dc", SMALL), BY),
    line("sprint", words("", "encumbered"), maybe(CAME), BY),
    line("tumble", WHO, st.one_of(CAME, words("", "let")), words("", "action", "bonus"), BY),
    line(words("grapple", "knockdown", "shove", "disarm", "overrun"), WHO, CAME, BY),
    line("maneuver Whirl", words("", "bonus", "none"), maybe("exertion", SMALL), BY),
    line("power", words("Breath", "Tail", "Glare", "Hide"), maybe(MANY, maybe(AMOUNT, TYPE)), BY),
    line("power", words("Breath", "Tail"), WHO, st.one_of(CAME, HOW), maybe(AMOUNT), SAID, BY),
    line("withstand", MANY, CAME, words("", "adv", "cover", "plus 2")),
    line("first-aid", WHO, CAME, BY),
    line("escape", maybe(CONDITION), maybe(CAME), maybe("dc 12"), BY),
    line("ready", words("attack", "dash", "cast Ember", "help", "hide"), words("", '"a cry"'), BY),
    line("trigger", maybe(WHO, HOW, AMOUNT), BY),
    line("check", MANY, ABILITY, words("", "save", "stealth"), CAME, words("", "dc 12", "adv")),
    line("inflict", MANY, CONDITION, TAIL, BY),
    line("inflict", WHO, "ongoing", words("4", "1d6"), TYPE, TAIL, BY),
    line("inflict", WHO, words("vulnerability", "resistance", "immunity"), TYPE, TAIL, BY),
    line("modifier", MANY, st.one_of(SMALL, words("adv", "dis")), WHAT, TAIL),
    line("damage", MANY, AMOUNT, TYPE, maybe("half", MANY), words("", "knockout", "strife")),
    line(words("death", "massive"), WHO, CAME),
    line("temp", MANY, AMOUNT, words("", "new", "keep")),
    line(words("mark", "clear"), MANY, words("fatigue", "strife", "sprints"), SMALL),
    line("knock-out", MANY),
    line("rest", words("short", "long", "long haven")),
    line("surprise", MANY),
    line("set", WHO, words("action", "shield", "temp_hp", "death_failures"), SMALL),
)

SETUP = (
    "add pc Mira level 3 hp 30 ac 17 init 4 pb 2 dex 3 con 1 wis 2 saves dex"
    " skills stealth,medicine maneuver-dc 13 shield 2 attacks 2 exertion 4"
    " attack blade +7 1d8+4 slashing melee attack knife +6 1d4+3 piercing thrown dual-wielding"
    " attack bow +6 1d8+3 piercing ranged",
    "add pc Ash level 3 hp 26 ac 15 init 2 pb 2 spell 5 int 3 saves int",
    "add monster Rat x2 hp 9 ac 14 init 5 attack bite +7 1d4+1 piercing plus 1d6 fire"
    " save con dc 13 1d8 poison half inflicts poisoned for 2 turns",
    "add monster Ogre important size huge level 4 hp 60 ac 16 init 1 resist fire immune poisoned"
    " attack club +8 2d6+4 bludgeoning heavy inflicts grappled 14 legendary 2"
    " power Breath recharge 5 save dex dc 14 6d6 fire half inflicts prone"
    " power Tail legendary +7 1d8+4 bludgeoning plus 2 cold inflicts restrained user-end"
    ' power Glare bonus uses 1 per rest inflicts "cowed" inflicts ongoing 1d4 psychic'
    ' power Hide trait 2 acid text "It smarts."',
    "add monster Wolf side party dramatic hp 18 summon of Mira attack teeth +6 1d8+2 piercing",
)

GAME = Game(
    ruleset=RULESET,
    campaign="salt-stair",
    setup=SETUP,
    pack=("rat-1", "rat-2", "ogre"),
    who=WHO,
    commands=COMMANDS,
    suffering=words("damage {} 19", "damage {} 45", "damage {} 30 knockout", "inflict {} prone"),
    asked={
        "ABILITY": ABILITY,
        "CONDITION": CONDITION,
        "WHAT": WHAT,
        "WORDS": SAID,
        "FEET": SMALL,
        "SPELL": words("Fog", '"Cold Rain"'),
        "DURATION": TAIL,
        "TYPE": TYPE,
    },
)
