"""Plain, played whichever way: who is there, and the lines that lead into its rules."""

from __future__ import annotations

import tomli
from hypothesis import strategies as st
from tests.invariants.language import AMOUNT, CAMPAIGNS, SMALL, Game, line, many, maybe, words

from affray.core.rules.house_rules import with_house_rules
from affray.core.rules.tables import read_tables
from affray.rulesets import load_ruleset

CAMPAIGN = "night-ferry"
RULES = read_tables(tomli.loads((CAMPAIGNS / CAMPAIGN / "rules.toml").read_text("utf-8")))
WHO = words("mira", "ash", "rat-1", "rat-2", "ogre", "1", "3", "ra")
MANY = many(WHO)
TYPE = words("", "fire", "cold", "poison", "slime")
TAIL = st.one_of(
    words("", "until fight", "until freed", "until round 3"),
    line("for", SMALL, "turns"),
    line("until", words("start of", "end of"), WHO),
    line("from", WHO),
)
CONDITION = words("dark", "prone", '"evil eye"', "prone attack -2", 'hexed note "by a crow"')

GAME = Game(
    ruleset=with_house_rules(load_ruleset("plain"), RULES),
    campaign=CAMPAIGN,
    setup=(
        "add pc Mira hp 20 ac 14 init 2 nerve 0/4 oil 3 resist cold",
        "add pc Ash hp 16 init 1 nerve 0/4",
        "add monster Rat x2 hp 6 vulnerable fire",
        "add monster Ogre important hp 30 immune poison init 20",
    ),
    pack=("rat-1", "rat-2", "ogre"),
    who=WHO,
    commands=st.one_of(
        line("damage", MANY, AMOUNT, TYPE, maybe("half", MANY)),
        line("heal", MANY, AMOUNT),
        line("inflict", MANY, CONDITION, TAIL),
        line("count", MANY, words("nerve", "oil", "luck"), words("", "2", "-1", "+9")),
        line("check", WHO),
    ),
    suffering=words("damage {} 19", "damage {} 45 fire", "inflict {} dark"),
    asked={"CONDITION": CONDITION, "COUNTER": words("nerve", "oil"), "TYPE": TYPE},
)
