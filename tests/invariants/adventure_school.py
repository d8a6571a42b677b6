"""Adventure School, played whichever way: who is there, and the lines that lead into its rules."""

from __future__ import annotations

from hypothesis import strategies as st
from tests.invariants.language import AMOUNT, FACE, SMALL, Game, line, many, maybe, seldom, words

from affray.rulesets import load_ruleset

RULESET = load_ruleset("adventure-school")
WHO = words("mira", "ash", "rat-1", "rat-2", "ogre", "imp", "1", "3", "ra")
MANY = many(WHO)
LIES = st.one_of(words("roll"), line("natural", FACE))
HOW = st.one_of(words("hit", "miss", "crit", "crit-miss"), LIES)
CAME = st.one_of(words("pass", "fail", "crit", "crit-fail", "success"), LIES)
THEIRS = st.one_of(words("", "vs roll", "vs total 12", "vs agility roll"), line("vs natural", FACE))
TYPE = words("", "fire", "cold", "water", "lightning", "slashing", "psychic")
DAMAGE = st.one_of(line(AMOUNT, TYPE), line(AMOUNT, "lightning", AMOUNT, "fire"))
CONDITION = words(*(n for n, r in RULESET.tables.effects.items() if r.kind == "condition"))
SKILL = words("", "strength", "agility", "roguery", "seeking", "performance", "knots")
SPELL = words("Kindle", "Hoarfrost", "Cloudburst", "Ivy", "Gale")
SONG = words("Rounds", '"Long March"')
TRACK = words("stamina", "fortune", "spirit", "control", "spellburn", "hp")
TAIL = st.one_of(
    words("", "until fight", "until round 3", "until rest", "until used", "until removed"),
    line("for", SMALL, "turns"),
    line("until", words("start of", "end of"), WHO, maybe("from", WHO)),
)
BY = seldom("by", WHO)
SAID = words(
    "", "adv", "dis", "plus 2", "engaged", "concealed unseen", "climbing", "falling 30",
    "extra 1d8", "diminish 1", "with bow", "with dirk", "melee", "ranged",
)  # fmt: skip
WHAT = words(
    "attack", "attacked", "check", "save", "reflex", "damage", "ac,speed", "initiative", "threat",
    "max-hp",
)  # fmt: skip

COMMANDS = st.one_of(
    line("attack", MANY, HOW, maybe(DAMAGE), SAID, BY),
    line("stunt", WHO, CONDITION, CAME, TAIL, BY),
    line("react opportunity-attack", WHO, HOW, maybe(DAMAGE), BY),
    line("react", words('"ducks"', '"ducks" effortless', ""), BY),
    line("cast", SPELL, words("", "rolled 1", "rolled 3", "rolled 2,1", "subtle"), BY),
    line("cast", SPELL, words("rolled 3", "spellburn 2"), "at", MANY, HOW, maybe(DAMAGE), BY),
    line("cast Ivy at", MANY, "save health reflex dc 12", CAME, DAMAGE, words("", "half"), BY),
    line(
        "ability",
        words('"Deep Breath"', "Slam", "Kindle", "Hex", "Roar"),
        maybe(WHO, HOW, DAMAGE),
        BY,
    ),
    line(words("trip", "push", "pull", "grab", "tumble"), WHO, SKILL, CAME, THEIRS, BY),
    line("disarm", WHO, words("", "axe", "claws"), CAME, THEIRS, BY),
    line("escape", words("", "move"), CAME, THEIRS, maybe("from", WHO), BY),
    line("release", maybe(WHO), BY),
    line("distract", WHO, SKILL, CAME, words("", "dc 12", "vs roll"), BY),
    line("hide", CAME, THEIRS, words("", "partial"), BY),
    line("seek", maybe(WHO), CAME, THEIRS, BY),
    line(words("defend", "disengage", "breather", "dash", "reload", "reload move", "stand"), BY),
    line("douse", words("", "prone"), BY),
    line("move", words("", "5", "10", "40"), words("", "difficult", "climb swim", "drag"), BY),
    line("jump", words("", "high", "15", "high 5"), CAME, BY),
    line(words("fast", "free"), words('"winks"', '"winks" spammable'), BY),
    line("ready", words("", '"a cry"'), BY),
    line("trigger", words("attack ogre hit 5", "dash", "act", "grab rat-1 pass"), BY),
    line("skip", words("before", "after"), WHO, BY),
    line("wield", words("dirk,axe", "axe", "bow", "dirk,bow"), BY),
    line("check", WHO, SKILL, st.one_of(CAME, words("take-10")), words("", "dc 12", "adv action")),
    line("check mira seeking", CAME, 'effort "the wall"', words("", "5", "tools")),
    line("contest", WHO, "strength", CAME, "vs", WHO, "agility", CAME),
    line("save", MANY, words("health", "social"), CAME, words("", "reflex", "vs fire", "dc 11")),
    line("assist", WHO, SKILL, CAME, BY),
    line("reroll", LIES),
    line("damage", MANY, DAMAGE, maybe("half", MANY), maybe("double", MANY)),
    line("revive", MANY, AMOUNT, words("", "dead")),
    line("kill", MANY, words("", "beheaded", "heart")),
    line("fall", WHO, words("10", "40", "600")),
    line("inflict", MANY, CONDITION, TAIL, maybe("from", WHO)),
    line("inflict", MANY, words("burning 3", "ongoing 1d6 acid", "regeneration 2", "flying 40")),
    line("inflict", MANY, words("resist", "weak", "immune", "absorb"), TYPE, TAIL),
    line("modifier", MANY, st.one_of(SMALL, words("adv", "dis")), WHAT, words("", "Bless"), TAIL),
    line(words("spend", "devote", "dedicate"), TRACK, SMALL, words("", "Ward"), BY),
    line(words("exhaust", "diminish"), SMALL, BY),
    line("drop", words("Ward", "Rounds"), BY),
    line("fortune", WHO, st.one_of(SMALL, words("roll"))),
    line("backfire", WHO, words("fry Kindle", "panic-fry", "happens", "exceed heads")),
    line("backfire", WHO, words("exceed tails", "exceed roll", 'happens "frogs"')),
    line("song", SONG, CAME, words("", "+1 attack,save", "+2 ac to ash"), BY),
    line("maintain", SONG, CAME, BY),
    line("rest", words("short", "long", "long interrupted")),
    line("set", WHO, TRACK, SMALL),
)

SETUP = (
    "add pc Mira hp 30 ac 15 init 4 health 3 social 2 strength 6 agility 5 seeking 4 performance 6"
    " stamina 4 spirit 4 fortune 1d6 attacks 2 songs 2 attack axe +7 vs ac 1d8+4 slashing"
    " attack dirk +6 vs ac 1d4+2 piercing light threat 2 extra 1d6"
    " attack bow +6 vs ac 1d10 piercing ranged two-handed loading"
    " ability Deep Breath fast stamina 1 ability Slam exhaust 1 +8 vs ac 2d6 blunt",
    "add pc Ash hp 22 ac 13 init 2 health 1 social 3 spellcraft 7 spellburn d6 control 15"
    " attack dirk +3 vs ac 1d4 piercing light ability Kindle spellburn +7 vs ac 2d6 fire ranged"
    " ability Hoarfrost spellburn 2 ability Cloudburst minor-spellburn ability Ivy control 6"
    " ability Hex diminish 1",
    "add monster Rat x2 size tiny hp 9 ac 14 init 5 agility 5 roguery 6"
    " attack bite +7 vs ac 1d4+1 piercing plus 1d4 fire inflicts burning 1d6 for 2 turns",
    "add monster Ogre size large hp 60 ac 13 strength 8 dr 2 resist slashing weak lightning"
    " regeneration 2 attack club +6 vs ac 2d8+3 blunt inflicts prone ability Roar fast uses 1"
    ' per fight save social reflex dc 13 2d6 psychic half inflicts terrified user-end text "Ow."',
    "add monster Imp hp 18 ac 15 absorb fire weak water immune burning float fortune 1d4"
    " attack tongs +5 vs ac 1d6 fire",
)

GAME = Game(
    ruleset=RULESET,
    campaign="winter-term",
    setup=SETUP,
    pack=("rat-1", "rat-2", "ogre"),
    who=WHO,
    commands=COMMANDS,
    suffering=words("damage {} 19", "damage {} 70 fire", "inflict {} frozen", "inflict {} prone"),
    asked={
        "CONDITION": CONDITION,
        "SKILL": SKILL,
        "WHAT": WHAT,
        "FEET": words("5", "15", "40"),
        "SPELL": SPELL,
        "DURATION": TAIL,
        "DAMAGE": DAMAGE,
        "THEIRS": THEIRS,
        "TYPE": TYPE,
        "TRACK": TRACK,
    },
)
