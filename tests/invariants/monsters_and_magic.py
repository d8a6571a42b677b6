"""Monsters & Magic, played whichever way: who is there, and the lines that lead into its rules."""

from __future__ import annotations

from hypothesis import strategies as st
from tests.invariants.language import (
    AMOUNT,
    FACE,
    SMALL,
    TEXT,
    Game,
    line,
    many,
    maybe,
    seldom,
    words,
)

from affray.rulesets import load_ruleset

RULESET = load_ruleset("monsters-and-magic")
WHO = words("mira", "ash", "ghoul-1", "ghoul-2", "queen", "1", "3", "gh", "the-well")
MANY = many(WHO)
OUTCOME = st.one_of(
    words("miss", "weak", "strong", "crit", "crit-miss"), line("natural", FACE), words("roll")
)
TYPE = words("", "fire", "slashing", "cold", "radiant", "poison")
TERM = st.one_of(
    words("", "", "", "adv", "dis", "prepared", "cover", "concealed", "far", "agile"),
    line("dc", st.integers(1, 25).map(str)),
    line("step", words("+1", "-1", "+2")),
    line("plus", SMALL),
)
HARM = st.one_of(line(AMOUNT, TYPE), words("fatigue", ""))
BY = seldom("by", WHO)
TRACK = words("fatigue", "exhaustion", "threads", "xp", "ap", "reaction", "deathsaves", "temp_hp")
CONDITION = words(*(n for n, r in RULESET.tables.effects.items() if r.kind == "condition"))
STATUS = words(*(n for n, r in RULESET.tables.effects.items() if r.kind == "status"))
UNTIL = words("until freed", "until rest", "until fight", "until used", "until round 3")
TAIL = st.one_of(
    st.just(""),
    line("for", SMALL, "turns"),
    UNTIL,
    line("until", words("start of", "end of"), WHO),
    line("from", WHO),
    line("from", WHO, "until freed"),
    st.just('concentrating "fog"'),
)
KIND = words("short", "long", "extended")
ACTIVITY = st.one_of(
    words("clear", "clear 2", "recuperate", "preparations", "level-up", "job 5", "prepare"),
    line("tend", maybe(WHO), maybe(SMALL)),
    line("prepare with", MANY),
    line(words("gather", "watch"), OUTCOME, TERM),
    line("project fog", maybe(words("focus", "luck"), OUTCOME, TERM)),
)
AGAIN = words("", "", "extend", "forward", "detonate fatigue", "detonate", "detonate 7 fire")

GEAR = words(
    "item pin x3 hand 1",
    "item rope weight 4",
    "armor hide light ac 2 weight 3",
    "armor lid shield ac 1",
    "attack club 1d6 bludgeoning kind odd weight 1",
    "spells fog charm far 1",
    "proficient light",
    "talent knots 2",
)

COMMANDS = st.one_of(
    line("strike", WHO, OUTCOME, HARM, TERM, BY),
    words("regroup", "dodge", "stand", "dismount"),
    line("strike", WHO, BY),
    line("react", words("opportunity-attack", "retaliate"), WHO, maybe(OUTCOME, HARM), BY),
    line("cast fog", maybe("ap", SMALL), maybe("at", WHO, OUTCOME, HARM), BY),
    line("concentrate", words("fog", "rain"), BY),
    line("move", words("", "crawl"), BY),
    line("disengage", maybe("fatigue", SMALL), BY),
    line(words("aid", "help"), WHO, "bond", SMALL, BY),
    line(words("distract", "grapple"), WHO, OUTCOME, TERM, words("", "extend"), BY),
    line("hide", OUTCOME, TERM, BY),
    line("mount", maybe(WHO), BY),
    line(
        words("retrieve", "use"),
        words(
            "", "rope", "swap", "rope on mira", "scroll ap 2", "pin", "pin to ash", "rope pin x2"
        ),
        BY,
    ),
    line("draw", words("", "0", "1", "2"), BY),
    line("loadout", WHO, words("1 club", "2 bow", "1 club lid", "hand pin", "hand rope x2", "")),
    line("gear", WHO, GEAR),
    line("drop", WHO, words("pin", "rope x2", "club", "hide", "lid")),
    line("ready", words("strike", "move", "dodge", "cast"), TEXT, BY),
    line("trigger", maybe(WHO, OUTCOME, HARM), BY),
    line("damage", MANY, AMOUNT, TYPE, maybe("half", MANY)),
    line("temp", WHO, AMOUNT),
    line(words("mark", "clear"), WHO, TRACK, SMALL),
    line("set", WHO, words("hp", "fatigue", "ap", "ac", "threads", "side", "speed"), AMOUNT),
    line("inflict", WHO, CONDITION, AGAIN, TAIL, BY),
    line("bestow", WHO, STATUS, AGAIN, TAIL, BY),
    line("free", WHO, CONDITION, words("", "", "prevented")),
    line("hold", WHO, words("arrows", "oil", "hp"), SMALL),
    line("forward", WHO, SMALL, words("", "next attack", "ac", "next save")),
    line("ongoing", WHO, SMALL, words("check", "attack", "ac", "speed"), TAIL),
    line("check", WHO, words("power", "cunning", "focus", "luck"), words("", "save"), OUTCOME),
    line("death", WHO, OUTCOME),
    line("bargain", WHO, words("accept", "refuse", "accept a year of winters")),
    line("thread", WHO, words("bend-luck", "feeling-lucky", "lucky-find", "lucky-find 2")),
    line("thread", WHO, "feeling-lucky natural", FACE),
    line("thread", WHO, "bonds-of-fate", WHO, SMALL),
    line("power", words("howl", "gnaw"), BY),
    line("gm-thread", words("reroll", "monster-power", "change-scene"), maybe("natural", FACE)),
    line("gm-thread reroll keep", words("old", "new")),
    line("rest", KIND, words("", "", "sheltered 1", "supplies 2", "broken")),
    line("rest", maybe(KIND), MANY, ACTIVITY, maybe(ACTIVITY)),
    line("supplies", words("3", "-1")),
    line("add monster", words("Ghoul", "Rat x2", "Bat x0"), "hp", AMOUNT, words("", "cr 1")),
    line("add", words("pc Nix hp 9", "hazard Fire cr 3", "bog-ghoul x2", "mother-undertow")),
)

SETUP = (
    "add pc Mira hp 14 ac 2 power 0 cunning 3 focus 2 luck 2 pb 1 spell 2"
    " attack knife 1d6 slashing agile attack bow 1d8 ranged two-handed weight 1 loadout knife"
    " loadout bow armor coat medium ac 2 weight 2 item pin x4 hand 2 item rope weight 3 gold 2000",
    "add pc Ash hp 20 ac 4 power 2 cunning 1 luck 0 pb 2 swim",
    "add monster Ghoul x2 cr 2 hp 18 ac 2 fatigue 3 exhaustion 2 attack claws 1d6+2 slashing"
    " inflicts weakened inflicts slowed user-start powers Howl ap 2 uses 1 per day powers Gnaw"
    " reaction thread",
    "add monster Queen important cr 3 hp 25 ac 1 resist fire vulnerable cold immune poison",
    'add hazard "The Well" cr 1',
)

GAME = Game(
    ruleset=RULESET,
    campaign="drowned-vale",
    setup=SETUP,
    pack=("ghoul-1", "ghoul-2", "queen"),
    who=WHO,
    commands=COMMANDS,
    suffering=words("damage {} 19", "mark {} fatigue 7", "mark {} exhaustion 3"),
    asked={"ABILITY": words("power", "cunning", "focus", "luck")},
)
