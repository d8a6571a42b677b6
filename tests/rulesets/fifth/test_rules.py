"""5e, rule by rule: what commands do, each row named for its rule and the SRD's heading.

AC: Brannoc 18, Mira 13, ghouls 12; Brannoc's grapple DC is 15, Mira's spell DC 15.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from affray import Fight, Refused
from affray.core.engine.effects import effect_name
from affray.core.engine.events import Rolled
from affray.core.formatting.pieces import why_in_words
from affray.tui.theme import DARK, styles_of
from affray.tui.widgets.combatant_card import card_lines

SETUP = (
    "add pc Brannoc hp 44 ac 18 init 1 speed 30 level 5 pb 3 str 4 dex 1 con 2 wis 1"
    " saves str,con skills athletics attacks 2 hit-dice 5d10"
    " attack longsword +7 1d8+4 slashing melee sap"
    " attack handaxe +7 1d6+4 slashing melee thrown light vex"
    " attack dagger +7 1d4+4 piercing melee thrown light finesse nick"
    " attack greatsword +7 2d6+4 slashing melee heavy graze"
    " attack maul +7 2d6+4 bludgeoning melee heavy topple"
    " attack halberd +7 1d10+4 slashing melee heavy reach 10 cleave"
    " attack bow +4 1d8+1 piercing ranged loading",
    "add pc Mira hp 30 ac 13 init 3 speed 30 level 5 pb 3 str -1 dex 3 con 2 int 4 wis 1"
    " saves int,wis skills perception,medicine expertise arcana spell 7 spell-dc 15"
    " slots 4,3,2 hit-dice 5d6 passive-perception 14"
    " attack dagger +6 1d4+3 piercing melee thrown light finesse nick"
    " spells Fireball 3 action save dex 8d6 fire half"
    ' spells "Hold Person" 2 action concentration save wis inflicts paralyzed save-ends'
    ' spells "Fire Bolt" 0 action +7 2d10 fire',
    "add monster Ghoul x2 hp 22 ac 12 speed 30 pb 2 str 1 dex 2 int -2"
    " immune poison,charmed attack claws +4 2d4+2 slashing melee",
    "init brannoc 17",
    "init mira 12",
    "init ghoul-1 10",
    "init ghoul-2 9",
    "start",
)
OGRE = "add monster Ogre size huge hp 60 ac 11 attack club +6 2d8+4 bludgeoning"
DRAKE = (
    "add monster Drake hp 90 ac 15 pb 3 str 5 con 3 size large attacks 2 important"
    " regeneration 10 unless fire legendary 2 legendary-resistance 1"
    " attack bite +8 2d6+5 piercing power Tail legendary +8 1d8+5 bludgeoning"
    " power Breath action recharge 5 save dex dc 15 8d6 fire half"
)
HORSE = "add monster Horse side party size large hp 19"
LAIRED = (
    "add monster Drake hp 90 ac 15 pb 3 str 5 con 3 size large important lair"
    " legendary 2 legendary-resistance 1 attack bite +8 2d6+5 piercing"
    " power Tremor lair save dex dc 15 2d6 bludgeoning inflicts prone"
    " power Vines lair save str dc 14 inflicts restrained"
)
NONE = "mastery none"
INKS = styles_of(DARK)


def played(*commands: str) -> Fight:
    fight = Fight("5e", seed=7)
    fight.do(*SETUP, *commands)
    return fight


def value_of(fight: Fight, path: str) -> Any:
    """`ghoul-1.hp` is a track, `mira.effects` the names of effects, `turn` one of the fight's,
    `rolled` the total and outcome of the last roll of a d20."""
    who, _, what = path.partition(".")
    if path == "rolled":
        (*_, roll) = (e for e in fight.entries[-1].events if isinstance(e, Rolled) and e.outcome)
        return roll.total, roll.outcome
    if path == "order":
        return [slot.who for slot in fight.state.slots if not slot.gone]
    if not what:
        return getattr(fight.state, who)
    combatant = fight.state[who]
    if what == "effects":
        return sorted(effect.name for effect in combatant.effects)
    if what == "life":
        return combatant.life
    if what.startswith("max."):
        return combatant.tracks[what.removeprefix("max.")].max
    if what.startswith("total."):
        totals = fight.ruleset.numbers.totals(fight.ruleset.tables, fight.state, combatant)
        return totals[what.removeprefix("total.")]
    return combatant.track(what)


def rule(number: str, heading: str, commands: list[str], **expects: Any) -> Any:
    return pytest.param(
        commands, expects.pop("expects"), expects.pop("refuses", {}), id=f"{number} {heading}"
    )


RULES = [
    rule("1.2", "Surprise", ["add pc Odo hp 9 init 2", "surprise odo", "init odo roll"],
         expects={"odo.effects": []}),
    rule("1.5", "Rules Glossary: Initiative", ["init mira score"],
         expects={"turn": "brannoc"}),
    rule("1.6", "Your Turn", ["dash", 'react "ducks"'],
         expects={"brannoc.action": 0, "brannoc.reaction": 0, "brannoc.movement": 60},
         refuses={"dodge": "action used", 'react "again"': "reaction used"}),
    rule("2.1", "D20 Test", ["modifier brannoc adv test until used",
                             f"attack ghoul-1 natural 2,12 6 {NONE}"],
         expects={"ghoul-1.hp": 16, "brannoc.effects": []}),
    rule("2.1b", "D20 Test, a bonus", ["modifier brannoc +2 test until used",
                                       f"attack ghoul-1 natural 3 6 {NONE}"],
         expects={"ghoul-1.hp": 16, "brannoc.effects": []}),
    rule("2.1c", "D20 Test, dice", ["modifier brannoc 1d4 test until used",
                                    f"attack ghoul-1 natural 4 6 {NONE}"],
         expects={"ghoul-1.hp": 16, "brannoc.effects": []},
         refuses={"modifier brannoc 1d4 ac": "dice can be added only to",
                  "modifier brannoc 1d4 damage": "dice can be added only to"}),
    rule("2.1d", "D20 Test, only saves", ["modifier brannoc +5 save",
                                          f"attack ghoul-1 natural 2 6 {NONE}"],
         expects={"ghoul-1.hp": 22, "brannoc.total.save": 5}),
    rule("2.5", "Proficiency, Expertise", ["next", "check mira int arcana natural 5 dc 15"],
         expects={"rolled": (15, "success")}),
    rule("2.6", "Checks by sight", ["inflict mira blinded",
                                    "check mira wis perception natural 20 dc 5 sight"],
         expects={"rolled": (24, "failure")}),
    rule("3.1", "Attack", [f"attack ghoul-1 natural 10 6 {NONE}"],
         expects={"brannoc.action": 0, "brannoc.attacks": 1, "ghoul-1.hp": 16}),
    rule("3.4", "Disengage", ["disengage"], expects={"brannoc.effects": ["disengaged"]},
         refuses={"react opportunity-attack brannoc hit 3 by ghoul-1": "has disengaged"}),
    rule("3.5", "Dodge", ["dodge", "next", "next", "attack brannoc natural 15,4 5"],
         expects={"brannoc.hp": 44, "brannoc.effects": ["dodging"]}),
    rule("3.6", "Help", ["help mira with athletics"], expects={"mira.effects": ["helped"]},
         refuses={"help mira with arcana": "isn't proficient in arcana"}),
    rule("3.7", "Help against", ["help against ghoul-1", "next", "attack ghoul-1 natural 2,9 4"],
         expects={"ghoul-1.hp": 18, "ghoul-1.effects": []}),
    rule("3.11", "Ready", ["ready attack", "next", "trigger ghoul-1 hit 5 by brannoc"],
         expects={"ghoul-1.hp": 17, "brannoc.reaction": 0}),
    rule("3.11b", "Ready a spell", ["next", "ready cast Fireball", "next",
                                    "trigger at ghoul-2 failure 20 by mira"],
         expects={"ghoul-2.hp": 2, "mira.slots_3": 1, "mira.reaction": 0, "mira.effects": []}),
    rule("4.1", "Cover", [f"attack ghoul-1 natural 5 6 cover {NONE}"],
         expects={"ghoul-1.hp": 22},
         refuses={"check brannoc con save natural 9 cover": "cover adds to Dexterity saves"}),
    rule("4.2", "Unseen Attackers", [f"attack ghoul-1 natural 2,9 6 unseen {NONE}"],
         expects={"ghoul-1.hp": 16}),
    rule("4.4", "Ranged Attacks", ["attack ghoul-1 natural 18,4 6 with bow adjacent"],
         expects={"ghoul-1.hp": 22}),
    rule("4.7", "Critical Hits", [f"attack ghoul-1 crit 11 {NONE}"], expects={"ghoul-1.hp": 11}),
    rule("4.8", "threat", ["add pc Odo hp 9 attack rapier +5 1d8+3 threat 19",
                           "init odo 16", "next", "attack ghoul-1 natural 19 9"],
         expects={"ghoul-1.hp": 13}),
    rule("4.10", "Unarmed Strike", ["attack ghoul-1 hit with unarmed"],
         expects={"ghoul-1.hp": 17}),
    rule("5.2", "Loading", ["attack ghoul-1 hit 4 with bow"], expects={"brannoc.attacks": 1},
         refuses={"attack ghoul-1 hit 4 with bow": "bow has to be loaded: one shot"}),
    rule("5.3", "Light", ["attack ghoul-1 hit 5 with handaxe mastery none",
                          "off-hand ghoul-1 hit 3 with dagger"],
         expects={"ghoul-1.hp": 14, "brannoc.bonus_action": 1, "brannoc.off_hand": 0},
         refuses={"off-hand ghoul-1 hit 3 with dagger": "once a turn"}),
    rule("5.5", "Cleave", ["attack ghoul-1 hit 8 with halberd", "cleave ghoul-2 hit 5"],
         expects={"ghoul-1.hp": 14, "ghoul-2.hp": 17, "brannoc.bonus_action": 1},
         refuses={"cleave ghoul-1 hit 5": "once a turn"}),
    rule("5.6", "Graze", ["attack ghoul-1 miss with greatsword"], expects={"ghoul-1.hp": 18}),
    rule("5.9", "Sap", ["attack ghoul-1 hit 6"], expects={"ghoul-1.effects": ["sapped"]}),
    rule("5.10", "Slow", ["attack ghoul-1 hit 6 mastery slow"],
         expects={"ghoul-1.effects": ["slowed"], "ghoul-1.total.speed": 20}),
    rule("5.11", "Topple", ["attack mira hit 9 with maul", "withstand mira failure"],
         expects={"mira.effects": ["prone"], "mira.hp": 21}),
    rule("5.12", "Vex", ["attack ghoul-1 hit 6 with handaxe",
                         "attack ghoul-1 natural 2,12 5 with handaxe mastery none"],
         expects={"ghoul-1.hp": 11, "ghoul-1.effects": []}),
    rule("6.2", "Grappling", [OGRE], expects={"ogre.effects": []},
         refuses={"grapple ogre failure": "too large for"}),
    rule("6.3", "Grapple", ["grapple ghoul-1 natural 12"],
         expects={"ghoul-1.effects": ["grappled"], "ghoul-1.total.speed": 0,
                  "brannoc.attacks": 1}),
    rule("6.4", "Shove", ["shove ghoul-1 prone failure"], expects={"ghoul-1.effects": ["prone"]}),
    rule("6.6", "Grapple ends", ["grapple ghoul-1 failure", "inflict brannoc stunned"],
         expects={"ghoul-1.effects": []}),
    rule("7.2", "Difficult Terrain", ["move 10 difficult"], expects={"brannoc.movement": 10}),
    rule("7.3", "Prone", ["drop-prone"], expects={"brannoc.effects": ["prone"]},
         refuses={"move 5": "is prone, and can only crawl or stand"}),
    rule("7.3b", "Stand", ["drop-prone", "stand"],
         expects={"brannoc.effects": [], "brannoc.movement": 15}),
    rule("8.1", "Order of Application", ["add monster Ward hp 60 resist all vulnerable fire",
                                         "modifier ward -5 damage-taken", "damage ward 28 fire"],
         expects={"ward.hp": 38}),
    rule("8.4", "Temporary Hit Points", ["temp brannoc 5", "damage brannoc 8"],
         expects={"brannoc.hp": 41, "brannoc.temp_hp": 0}),
    rule("8.5", "Damage Threshold", ["add monster Door hp 30 threshold 10 object",
                                     "damage door 9", "damage door 12", "damage door 20 poison"],
         expects={"door.hp": 18}),
    rule("8.9", "Ongoing at the start", ["inflict mira ongoing 4 fire at-start", "next"],
         expects={"mira.hp": 26}),
    rule("9.1", "Bloodied", ["damage brannoc 22"], expects={"brannoc.total.bloodied": 1}),
    rule("9.3", "Healing", ["damage mira 30", "heal mira 4"],
         expects={"mira.hp": 4, "mira.life": "up", "mira.effects": ["prone"]}),
    rule("9.4", "Hit Point Maximum of 0", ["drain mira 12"],
         expects={"mira.hp": 18, "mira.max.hp": 18}),
    rule("9.4b", "Drained to death", ["drain mira 30"], expects={"mira.life": "dead"}),
    rule("9.5", "Falling Unconscious", ["damage ghoul-1 22", "damage mira 30"],
         expects={"ghoul-1.life": "dead", "mira.life": "dying",
                  "mira.effects": ["prone", "unconscious"]}),
    rule("9.6", "Massive Damage", ["damage mira 60"], expects={"mira.life": "dead"}),
    rule("9.9", "Death Saving Throws", ["damage mira 30", "next", "death mira natural 1"],
         expects={"mira.death_failures": 2}),
    rule("9.9b", "Natural 20", ["damage mira 30", "next", "death mira natural 20"],
         expects={"mira.hp": 1, "mira.life": "up", "turn": "mira"}),
    rule("9.10", "Damage at 0 HP", ["damage mira 30", "damage mira 3 crit"],
         expects={"mira.death_failures": 2}),
    rule("9.11", "Stabilizing", ["add pc Odo hp 9 wis 4", "damage odo 9",
                                 "first-aid odo natural 9"],
         expects={"odo.life": "stable"}),
    rule("9.14", "Knocking Out", [f"attack ghoul-1 hit 30 knockout {NONE}"],
         expects={"ghoul-1.hp": 1, "ghoul-1.life": "unconscious"}),
    rule("10.2", "Charmed", ["inflict brannoc charmed from ghoul-1"],
         expects={"brannoc.effects": ["charmed"]},
         refuses={"attack ghoul-1 hit 5": "can't attack them"}),
    rule("10.2b", "Grappled", ["inflict brannoc grappled 14 from ghoul-1",
                               f"attack ghoul-2 natural 15,4 5 {NONE}",
                               f"attack ghoul-1 natural 15 5 {NONE}"],
         expects={"ghoul-2.hp": 22, "ghoul-1.hp": 17}),
    rule("10.2c", "Paralyzed", ["inflict ghoul-1 paralyzed",
                                f"attack ghoul-1 natural 2,8 9 {NONE}"],
         expects={"ghoul-1.hp": 13}),
    rule("10.2d", "Restrained, Dexterity", ["inflict mira restrained",
                                            "check mira dex save natural 15,4 dc 10"],
         expects={"mira.total.speed": 0, "rolled": (7, "failure")}),
    rule("10.2e", "Stunned fails", ["inflict mira stunned"],
         expects={"mira.effects": ["stunned"]},
         refuses={"check mira str save success dc 5": "is stunned, and fails by that"}),
    rule("10.3", "Exhaustion", ["mark brannoc exhaustion 2"],
         expects={"brannoc.total.attack": -4, "brannoc.total.speed": 20}),
    rule("10.3b", "Exhaustion kills", ["mark brannoc exhaustion 6"],
         expects={"brannoc.life": "dead"}),
    rule("10.6", "Saves that end", ["inflict brannoc poisoned save con dc 13",
                                    "save brannoc poisoned success", "next"],
         expects={"brannoc.effects": []}),
    rule("10.6b", "Saves in another's turn", ["inflict mira poisoned save con dc 13",
                                              "save mira poisoned success"],
         expects={"mira.effects": []}),
    rule("11.1", "Concentration", ["next", 'cast "Hold Person" at ghoul-1 failure',
                                   "next", "next", "next", "next",
                                   'cast "Bless" concentration'],
         expects={"ghoul-1.effects": [], "mira.effects": ["concentrating"]}),
    rule("11.2", "Damage and concentration", ['cast "Bless" concentration', "damage brannoc 26",
                                              "withstand brannoc concentration natural 7"],
         expects={"brannoc.effects": []}),
    rule("11.4", "Incapacitated", ['cast "Bless" concentration', "inflict brannoc stunned"],
         expects={"brannoc.effects": ["stunned"]}),
    rule("12.2", "Spell Slots", ["next", 'cast "Fire Bolt" at ghoul-1 natural 10 11'],
         expects={"ghoul-1.hp": 11, "mira.slots_1": 4}),
    rule("12.3", "One slot in a turn", ["next", "cast Fireball at ghoul-1 failure 3"],
         expects={"mira.slots_3": 1, "mira.turn_slot": 0},
         refuses={'cast "Misty Step" slot 2 bonus': "has used a slot in this turn already"}),
    rule("12.6", "A save in the command",
         ["next", 'cast "Thunderwave" slot 1 save con 2d8 thunder half at ghoul-1 natural 3 9'],
         expects={"ghoul-1.hp": 13, "mira.slots_1": 3}),
    rule("12.6b", "A save that a character owes",
         ['cast "Gust" save str dc 12 inflicts prone at mira', "withstand mira failure"],
         expects={"mira.effects": ["prone"]}),
    rule("12.9", "Evasion", ["add pc Teasel hp 20 evasion", "next",
                             "cast Fireball at teasel success 20"],
         expects={"teasel.hp": 20}),
    rule("13.3", "Recharge", [DRAKE, "init drake 16", "next", "power Breath brannoc success 20",
                              "recharge Breath natural 6"],
         expects={"brannoc.hp": 34, "drake.action": 0}),
    rule("13.4", "Legendary Actions", [DRAKE, "power Tail brannoc hit 9 by drake"],
         expects={"brannoc.hp": 35, "drake.legendary": 1},
         refuses={"power Tail mira hit 9 by drake": "once in each turn"}),
    rule("13.6", "Legendary Resistance", [DRAKE, "next", "cast Fireball at drake failure 30",
                                          "legendary-resistance drake"],
         expects={"drake.hp": 75, "drake.legendary_resistance": 0}),
    rule("13.7", "Regeneration", [DRAKE, "init drake 16", "damage drake 30 cold", "next"],
         expects={"drake.hp": 70}),
    rule("13.7b", "Regeneration stopped", [DRAKE, "init drake 16", "damage drake 30 fire", "next"],
         expects={"drake.hp": 60}),
    rule("13.11", "Average damage", ["setting monster-damage average", "next", "next",
                                     "attack mira natural 15"],
         expects={"mira.hp": 23}),
    rule("14.1", "Hide", ["next", "hide natural 12"], expects={"mira.effects": ["hidden"]}),
    rule("14.2", "Search", ["next", "hide natural 12", "next",
                            "search perception natural 16 for mira"],
         expects={"mira.effects": []}),
    rule("15.1", "Mounted Combat", [HORSE, "mount horse"],
         expects={"brannoc.effects": ["mounted"], "brannoc.movement": 15},
         refuses={"mount mira": "is too small"}),
    rule("15.1b", "Mounted Combat, in one row of the order",
         [HORSE, "init horse 2", "group brannoc,horse", "mount horse"],
         expects={"brannoc.effects": ["mounted"]}),
    rule("15.3", "Thrown off", [HORSE, "mount horse", "inflict horse prone",
                                "mount-save brannoc failure"],
         expects={"brannoc.effects": ["prone"]}),
    rule("15.4", "Underwater Combat", ["setting underwater on",
                                       f"attack ghoul-1 natural 15,3 6 {NONE}",
                                       "damage ghoul-2 10 fire"],
         expects={"ghoul-1.hp": 22, "ghoul-2.hp": 17}),
    rule("15.5", "Falling", ["fall mira 30 9"],
         expects={"mira.hp": 21, "mira.effects": ["prone"]}),
    rule("15.6", "Falling into water", ["fall mira 30 9 water success"],
         expects={"mira.hp": 26}),
    rule("15.7", "Suffocation", ["inflict brannoc suffocating", "next"],
         expects={"brannoc.exhaustion": 1}),
    rule("15.7b", "It breathes again", ["inflict brannoc suffocating", "next",
                                        "remove brannoc suffocating"],
         expects={"brannoc.exhaustion": 0}),
    rule("15.8", "Burning", ["inflict brannoc burning", "escape burning"],
         expects={"brannoc.effects": ["prone"], "brannoc.action": 0}),
    rule("16.1", "Short Rest", ["damage mira 12", "end", "rest short", "hit-dice mira 2 5"],
         expects={"mira.hp": 27, "mira.hit_dice": 3}),
    rule("16.2", "Long Rest", ["damage mira 12", "drain mira 3", "mark mira exhaustion 2",
                               "set mira slots_1 0", "end", "rest long"],
         expects={"mira.hp": 30, "mira.max.hp": 30, "mira.exhaustion": 1, "mira.slots_1": 4}),
    rule("18.7", "2014: Knocking Out", ["setting edition 2014",
                                        "attack ghoul-1 hit 30 knockout"],
         expects={"ghoul-1.hp": 0, "ghoul-1.life": "stable"}),
    rule("18.8", "2014: Exhaustion", ["setting edition 2014", "mark brannoc exhaustion 2"],
         expects={"brannoc.total.attack": 0, "brannoc.total.speed": 15}),
    rule("18.1", "2014: Surprise", ["setting edition 2014", "inflict mira surprised", "next"],
         expects={"turn": "mira"}, refuses={"dash": "surprised"}),
    rule("18.4", "2014: contests", ["setting edition 2014",
                                    "grapple ghoul-1 natural 10 vs natural 5"],
         expects={"ghoul-1.effects": ["grappled"]}),
    rule("18.11", "2014: bonus action spells", ["setting edition 2014", "next",
                                                'cast "Misty Step" slot 2 bonus'],
         expects={"mira.slots_2": 2},
         refuses={"cast Fireball at ghoul-1 failure 3": "now only cantrips with an action"}),
    rule("18.13", "2014: inspired", ["setting edition 2014", "set brannoc inspiration 1",
                                     "attack ghoul-1 natural 2,11 5 inspired"],
         expects={"ghoul-1.hp": 17, "brannoc.inspiration": 0}),
    rule("18.14", "2014: a mount knocked prone", [
        "setting edition 2014", HORSE, "mount horse", "inflict horse prone",
        "mount-save brannoc success"],
         expects={"brannoc.effects": [], "brannoc.reaction": 0}),
    rule("18.14b", "2014: off and prone", [
        "setting edition 2014", HORSE, "init horse 2", "mount horse independent",
        "inflict horse prone", "next"],
         expects={"brannoc.effects": ["prone"], "brannoc.reaction": 1, "turn": "mira"}),
    rule("18.14c", "2014: a rider knocked prone saves", [
        "setting edition 2014", HORSE, "mount horse", "inflict brannoc prone",
        "mount-save brannoc natural 9"],
         expects={"rolled": (10, "success"), "brannoc.effects": ["mounted", "prone"]}),
    rule("18.18", "2014: Lair Actions", [
        "setting edition 2014", LAIRED, "init drake 16", *["next"] * 5,
        "power Tremor brannoc failure 7"],
         expects={"turn": "lair-of-drake", "brannoc.hp": 37, "brannoc.effects": ["prone"],
                  "lair-of-drake.lair_action": 0, "drake.max.legendary": 2},
         refuses={"power Vines mira failure": "lair action used"}),
    rule("18.18b", "2014: losing all ties", [
        "setting edition 2014", LAIRED, "init mira 20", "init drake 20"],
         expects={"order": ["mira", "drake", "lair-of-drake", "brannoc", "ghoul-1", "ghoul-2"]},
         refuses={"power Tremor brannoc failure 7 by drake": "only on its lair's turn"}),
    rule("18.18c", "2014: not while its owner is incapacitated", [
        "setting edition 2014", LAIRED, "init drake 16", "inflict drake stunned", *["next"] * 5],
         expects={"turn": "lair-of-drake"},
         refuses={"power Tremor brannoc failure 7": "Drake is stunned"}),
    rule("18.18d", "2014: not while its owner is surprised", [
        "setting edition 2014", LAIRED, "init drake 16", "inflict drake surprised", *["next"] * 5],
         expects={"turn": "lair-of-drake"},
         refuses={"power Tremor brannoc failure 7": "Drake is surprised"}),
    rule("18.18e", "2014: no turn for a dead one's lair", [
        "setting edition 2014", LAIRED, "init drake 16", "damage drake 200", *["next"] * 4],
         expects={"turn": "brannoc"}),
    rule("13.5", "Lair", [LAIRED], expects={"drake.legendary": 3, "drake.legendary_resistance": 2,
                                            "order": ["brannoc", "mira", "ghoul-1", "ghoul-2",
                                                      "drake"]}),
    rule("2.8", "Heroic Inspiration", ["set brannoc inspiration 1",
                                       f"attack ghoul-1 natural 2 6 {NONE}",
                                       "inspiration brannoc natural 9"],
         expects={"ghoul-1.hp": 16, "brannoc.inspiration": 0}),
    rule("ruling 16", "A reaction has that turn's slot", ["cast Shield slot 1 reaction by mira"],
         expects={"mira.slots_1": 3, "mira.turn_slot": 0}),
    rule("ruling 36", "One save for what came at once", [
        "inflict mira poisoned,blinded save con dc 13", "save mira blinded success"],
         expects={"mira.effects": []}),
    rule("3.5b", "Dodge is lost", ["dodge", "inflict brannoc restrained"],
         expects={"brannoc.effects": ["restrained"]}),
    rule("8.8", "2014: weapons that are not magical", [
        "setting edition 2014", "add monster Wight hp 40 ac 10 resist mundane",
        "attack wight hit 8", "attack wight hit 8 magical"],
         expects={"wight.hp": 28}),
    rule("12.12", "The same spell twice", [
        'modifier brannoc +2 ac "Shield of Faith"', 'modifier brannoc +2 ac "Shield of Faith"'],
         expects={"brannoc.total.ac": 20}),
    rule("12.12b", "Two dice of one note", [
        'modifier brannoc 1d4 attack "Bless"', 'modifier brannoc 1d4 attack "Bless"',
        "remove brannoc modifier"],
         expects={"brannoc.total.attack": 0}),
    rule("13.7c", "Regeneration from zero", [
        "add monster Troll hp 40 ac 10 regeneration 10 unless fire from-zero", "init troll 16",
        "damage troll 45 cold", "next"],
         expects={"troll.hp": 10, "troll.life": "up"}),
    rule("13.7d", "And what stops it", [
        "add monster Troll hp 40 ac 10 regeneration 10 unless fire from-zero", "init troll 16",
        "damage troll 39 cold", "damage troll 5 fire", "next"],
         expects={"troll.life": "dead"}),
    rule("15.2", "A controlled mount", [
        HORSE, "init horse 2", "mount horse", "next"],
         expects={"turn": "horse"}, refuses={"attack ghoul-1 hit 3": "a controlled mount"}),
    rule("15.6b", "Falling into water is a reaction", [
        "fall brannoc 30 9 water success"],
         expects={"brannoc.reaction": 0, "brannoc.hp": 40}),
    rule("16.1b", "A short rest and the stable", [
        "damage mira 30", "add pc Odo hp 9 wis 3", "first-aid mira success", "end", "rest short"],
         expects={"mira.hp": 0, "mira.life": "stable"}),
    rule("16.2b", "A long rest and the stable", [
        "damage mira 30", "first-aid mira success", "end", "rest long"],
         expects={"mira.hp": 30, "mira.life": "up"}),
    rule("18.8b", "2014: four levels", [
        "setting edition 2014", "mark brannoc exhaustion 4", "clear brannoc exhaustion 1"],
         expects={"brannoc.hp": 22, "brannoc.max.hp": 44}),
    rule("18.9", "2014: the stunned can't move", [
        "setting edition 2014", "inflict mira stunned"],
         expects={"mira.total.speed": 0}),
    rule("ruling 2", "Ties of any side", [
        "init ghoul-1 17", "swap ghoul-1"],
         expects={"turn": "ghoul-1"}),
    rule("ruling 15", "Temporary HP and concentration", [
        'cast "Bless" concentration', "temp brannoc 10", "damage brannoc 6",
        "withstand brannoc natural 1"],
         expects={"brannoc.effects": [], "brannoc.hp": 44}),
    rule("ruling 29", "Grappled by two", [
        "inflict brannoc grappled 12 from ghoul-1", "inflict brannoc grappled 12 from ghoul-2",
        f"attack ghoul-1 natural 15,3 5 {NONE}"],
         expects={"ghoul-1.hp": 22}),
    rule("4.4b", "A shot by somebody unseen", [
        "attack ghoul-1 natural 2,9 6 with bow adjacent unseen"],
         expects={"ghoul-1.hp": 16}),
    rule("4.9", "Opportunity Attacks, on a friend", [
        f"react opportunity-attack mira natural 9 4 {NONE}"],
         expects={"mira.hp": 26, "brannoc.reaction": 0}),
    rule("18.19", "2014: Opportunity Attacks, on the hostile alone", ["setting edition 2014"],
         expects={"turn": "brannoc"},
         refuses={"react opportunity-attack mira natural 9 4": "is not hostile to"}),
    rule("7.4", "Speed, what was moved stays moved", [
        "move 20", "inflict brannoc restrained", "remove brannoc restrained"],
         expects={"brannoc.movement": 10}),
    rule("10.2g", "Charmed, and no grapple", ["inflict mira charmed from ghoul-1", "next"],
         expects={"turn": "mira"},
         refuses={"grapple ghoul-1 failure": "is charmed by",
                  "shove ghoul-1 push failure": "is charmed by"}),
    rule("13.7e", "Regeneration stopped by what hurts twice", [
        "add monster Troll hp 20/40 ac 10 vulnerable fire regeneration 10 unless fire",
        "init troll 16", "attack troll hit 3 slashing 2 fire", "next"],
         expects={"turn": "troll", "troll.hp": 13}),
    rule("11.5", "With the concentration of somebody else", [
        "next", 'cast "Hold Person" at ghoul-1 failure', "next",
        'modifier brannoc +1 ac "Hold Person" concentrating from mira', "damage mira 30"],
         expects={"brannoc.effects": [], "ghoul-1.effects": []}),
    rule("13.7f", "Regeneration wakes whoever was knocked out", [
        "add monster Troll hp 20 ac 10 regeneration 10 unless fire", "init troll 16",
        f"attack troll hit 30 knockout {NONE}", "next"],
         expects={"troll.life": "up", "troll.hp": 11, "troll.effects": ["prone"]}),
    rule("18.11b", "2014: a reaction in another's turn", [
        "setting edition 2014", "next", 'cast "Misty Step" slot 2 bonus', "next",
        "cast Shield slot 1 reaction by mira"],
         expects={"mira.slots_1": 3, "mira.reaction": 0}),
    rule("1.7", "Felled by burning as its turn starts", [
        "set mira hp 1", "inflict mira burning", "next", "death mira natural 12"],
         expects={"mira.life": "dying", "mira.death_successes": 1}),
    rule("9.3b", "A swarm has no temporary HP", ["add monster Rats hp 15/20 ac 10 swarm"],
         expects={"rats.temp_hp": 0},
         refuses={"temp rats 5": "is a swarm, and has no temporary HP",
                  "heal rats 5": "is a swarm, and regains no HP"}),
    rule("10.2f", "The incapacitated can move", [
        "inflict brannoc stunned", "move 10", "drop-prone", "stand"],
         expects={"brannoc.movement": 5, "brannoc.effects": ["stunned"]},
         refuses={"dash": "stunned: can't act"}),
    rule("15.4b", "Spells under water", [
        "setting underwater on", "next", 'cast "Fire Bolt" at ghoul-1 natural 5 9'],
         expects={"ghoul-1.hp": 18},
         refuses={'cast "Fire Bolt" none at ghoul-1 natural 5,9 9': "there is neither"}),
    rule("18.16", "2014: no healing for those out of breath", [
        "setting edition 2014", "add pc Odo hp 9 init 2", "init odo 16", "inflict odo suffocating",
        "next", "next", "next", "next", "next", "next"],
         expects={"turn": "odo", "odo.hp": 0, "odo.life": "dying"},
         refuses={"heal odo 5": "is suffocating, and can't regain HP"}),
    rule("11.4b", "Dropped at any time", [
        'cast "Bless" concentration', "next", "drop by brannoc"],
         expects={"brannoc.effects": []}),
    rule("1.1", "Initiative is a check", ["inflict mira poisoned", "init mira natural 15,5"],
         expects={"order": ["brannoc", "ghoul-1", "ghoul-2", "mira"]}),
    rule("1.3", "Incapacitated, Invisible", ["inflict mira invisible", "init mira natural 3,16"],
         expects={"turn": "brannoc", "order": ["mira", "brannoc", "ghoul-1", "ghoul-2"]}),
    rule("1.9", "Outside of a fight", ["end", "dash by mira", "cast Fireball by mira"],
         expects={"mira.action": 1, "mira.slots_3": 1}),
    rule("2.2", "Rolling 20 or 1", ["modifier ghoul-1 +30 ac",
                                    f"attack ghoul-1 natural 20 10 {NONE}"],
         expects={"ghoul-1.hp": 12, "rolled": (27, "crit")}),
    rule("2.3", "Advantage and Disadvantage cancel", [
        "inflict ghoul-1 restrained", f"attack ghoul-1 natural 9 6 unseen dis {NONE}"],
         expects={"ghoul-1.hp": 16},
         refuses={f"attack ghoul-1 natural 9,12 6 unseen dis {NONE}": "there is neither"}),
    rule("2.4", "Two dice without a reason", [f"attack ghoul-1 natural 9 6 {NONE}"],
         expects={"ghoul-1.hp": 16},
         refuses={f"attack ghoul-1 natural 9,12 6 {NONE}": "there is neither"}),
    rule("2.7", "A save failed on purpose", ["check mira wis save failure dc 5"],
         expects={"rolled": (None, "failure")}),
    rule("3.3", "Dash", ["dash", "modifier brannoc -10 speed"],
         expects={"brannoc.movement": 40, "brannoc.total.speed": 20}),
    rule("3.8", "First aid needs somebody", ["damage mira 30", "first-aid mira natural 3"],
         expects={"mira.life": "dying", "brannoc.action": 0}),
    rule("3.10", "Influence", ["influence ghoul-1 intimidation natural 18,15 hostile"],
         expects={"rolled": (15, "success")}),
    rule("3.13", "Study", ["next", "study arcana natural 4 dc 15"],
         expects={"rolled": (14, "failure"), "mira.action": 0}),
    rule("3.14", "Utilize", ["interact", "use rope"],
         expects={"brannoc.action": 0, "brannoc.interaction": 0},
         refuses={"interact": "interaction used"}),
    rule("3.20", "Incapacitated", ["inflict brannoc incapacitated"],
         expects={"brannoc.effects": ["incapacitated"]},
         refuses={"dash": "incapacitated: can't act",
                  'react "ducks"': "incapacitated",
                  f"attack ghoul-1 hit 5 {NONE}": "incapacitated: can't act"}),
    rule("4.3", "Blinded and unseen cancel", [
        "inflict brannoc blinded", "inflict ghoul-1 blinded",
        f"attack ghoul-1 natural 9 6 {NONE}"], expects={"ghoul-1.hp": 16}),
    rule("4.5", "Within 5 feet", ["inflict ghoul-1 prone",
                                  f"attack ghoul-1 natural 3,12 6 {NONE}",
                                  f"attack ghoul-1 natural 3,12 6 with halberd reach {NONE}"],
         expects={"ghoul-1.hp": 16}),
    rule("4.9", "Opportunity Attacks", ["next", "react opportunity-attack mira hit 5 by ghoul-1"],
         expects={"mira.hp": 25, "ghoul-1.reaction": 0},
         refuses={"react opportunity-attack mira hit 5 by ghoul-1": "reaction used"}),
    rule("4.11", "unproficient", [f"attack ghoul-1 natural 7 6 unproficient {NONE}"],
         expects={"ghoul-1.hp": 22, "rolled": (11, "miss")}),
    rule("5.7", "Nick", ["attack ghoul-1 hit 5 with handaxe mastery none",
                         "off-hand ghoul-1 hit 3 with dagger"],
         expects={"brannoc.bonus_action": 1, "brannoc.off_hand": 0}),
    rule("5.13", "The ability of an attack", ["attack ghoul-1 miss with dagger mastery graze"],
         expects={"ghoul-1.hp": 18}),
    rule("6.5", "Escape", ["inflict brannoc grappled 14 from ghoul-1",
                           "escape grappled natural 7"],
         expects={"brannoc.effects": [], "brannoc.action": 0, "rolled": (14, "success")}),
    rule("6.8", "Dragging", ["grapple ghoul-1 failure", "move 10 dragging"],
         expects={"brannoc.movement": 10}),
    rule("7.4", "Speed", ["inflict brannoc grappled from ghoul-1"],
         expects={"brannoc.total.speed": 0, "brannoc.movement": 0},
         refuses={"move 5": "0 Movement left, needs 5"}),
    rule("8.3", "Damage against Multiple Targets", [
        "next", "cast Fireball at ghoul-1,ghoul-2 failure,success 15"],
         expects={"ghoul-1.hp": 7, "ghoul-2.hp": 15}),
    rule("8.7", "Breaking Objects", ["add monster Door hp 30 object",
                                     "check door dex save failure dc 5"],
         expects={"rolled": (None, "failure")},
         refuses={"check door str natural 20": "is an object, and makes no checks"}),
    rule("9.2", "Temporary HP don't add up", ["temp mira 8", "temp mira 5"],
         expects={"mira.temp_hp": 8}),
    rule("9.7", "Unconscious brings prone", ["damage mira 30", "heal mira 1"],
         expects={"mira.effects": ["prone"], "mira.hp": 1}),
    rule("9.8", "The third success", ["damage mira 30", "set mira death_successes 2", "next",
                                      "death mira natural 10"],
         expects={"mira.life": "stable", "mira.death_successes": 0}),
    rule("9.15", "Back from the dead", ["mark mira exhaustion 2", "damage mira 60",
                                        "set mira hp 5"],
         expects={"mira.life": "up", "mira.exhaustion": 1}),
    rule("10.1", "A condition counts once", [
        "inflict mira poisoned for 1 turn", "inflict mira poisoned", "remove mira poisoned"],
         expects={"mira.effects": ["poisoned"]}),
    rule("11.3", "A monster's concentration", [
        "add monster Mage hp 80 con 0", "init mage 16", "next", 'cast "Web" concentration',
        "damage mage 78"],  # DC 30
         expects={"mage.effects": [], "mage.hp": 2}),
    rule("11.5", "What hangs on concentration", [
        'cast "Web" concentration', "inflict ghoul-1 restrained concentrating", "drop"],
         expects={"ghoul-1.effects": [], "brannoc.effects": []}),
    rule("12.1", "Pact slots", ["add pc Odo hp 9 pact 2 level 3", "init odo 16", "next",
                                "cast Hex pact"],
         expects={"odo.pact": 1, "odo.turn_slot": 0}),
    rule("12.2b", "A slot below the spell's level", ["next"], expects={"turn": "mira"},
         refuses={"cast Fireball slot 2": "a level 2 slot is too low",
                  "cast Fireball slot 4": "has no Level 4 slots left"}),
    rule("12.10", "A spoken spell ends hiding", ["next", "inflict mira hidden",
                                                 'cast "Fire Bolt" at ghoul-1 miss'],
         expects={"mira.effects": []}),
    rule("13.2", "Limited Usage", ["add monster Imp hp 9 power Sting uses 1 per day +4 3",
                                   "init imp 16", "next", "power Sting mira hit 3"],
         expects={"mira.hp": 27},
         refuses={"power Sting mira hit 3": "used 1 of 1 until a long rest"}),
    rule("13.9", "Swarm", ["add monster Rats hp 22 swarm", "damage rats 4"],
         expects={"rats.hp": 18},
         refuses={"heal rats 2": "is a swarm, and regains no HP",
                  "temp rats 2": "is a swarm, and has no temporary HP"}),
    rule("14.3", "Blindsight", ["add monster Bat hp 9 blindsight 60 ac 10",
                                "inflict brannoc hidden", f"attack bat natural 5 3 {NONE}"],
         expects={"bat.hp": 6}),
    rule("16.3", "No rest in a fight", ["dash"], expects={"brannoc.action": 0},
         refuses={"rest short": "no rest in the middle of a fight",
                  "rest long": "no rest in the middle of a fight"}),
    rule("18.3", "2014: Help", ["setting edition 2014", "help mira against ghoul-1", "next",
                                "attack ghoul-1 natural 2,9 4"],
         expects={"ghoul-1.hp": 18}),
    rule("18.5", "2014: no masteries", ["setting edition 2014", "attack ghoul-1 hit 6"],
         expects={"ghoul-1.effects": [], "ghoul-1.hp": 16}),
    rule("18.6", "2014: Heavy", ["setting edition 2014", "add pc Pip hp 9 size small str 4"
                                 " attack maul +4 2d6 bludgeoning melee heavy", "init pip 16",
                                 "next", "attack ghoul-1 natural 18,3 7"],
         expects={"ghoul-1.hp": 22}),
    rule("18.10", "2014: Concentration has no upper end", [
        "setting edition 2014", "set brannoc hp 200 of 200", 'cast "Bless" concentration',
        "damage brannoc 80", "withstand brannoc natural 20 plus 10"],
         expects={"brannoc.effects": [], "rolled": (35, "failure")}),
    rule("18.12", "2014: Hiding", ["setting edition 2014", "next",
                                   "hide natural 6 from ghoul-1"],
         expects={"mira.effects": []}),
    rule("18.15", "2014: under water", [
        "setting edition 2014", "setting underwater on",
        "attack ghoul-1 natural 8 6 with dagger"], expects={"ghoul-1.hp": 16}),
    rule("18.16", "2014: Suffocating", [
        "setting edition 2014", "inflict mira suffocating", *["next"] * 9],
         expects={"mira.life": "dying", "mira.hp": 0}),
    rule("18.17", "2014: Long Rest", ["setting edition 2014", "set mira hit_dice 0", "end",
                                      "rest long"], expects={"mira.hit_dice": 2}),
]  # fmt: skip


@pytest.mark.parametrize(("commands", "expects", "refuses"), RULES)
def test_rule(commands: list[str], expects: dict[str, Any], refuses: dict[str, str]) -> None:
    fight = played(*commands[:-1])
    before = fight.state
    fight.do(commands[-1])
    now = fight.state
    assert {path: value_of(fight, path) for path in expects} == expects
    for command, words in refuses.items():
        with pytest.raises(Refused, match=re.escape(words)):
            fight.do(command)
    fight.undo()
    assert fight.state == before
    fight.redo()
    assert fight.state == now


def test_names_of_effects_are_known() -> None:
    tables = Fight("5e").ruleset.tables
    assert effect_name(tables, "at-zero") == "0 HP"


def test_a_roll_is_not_told_of_one_advantage_twice() -> None:
    """SRD 5.2.1, D20 Tests: an attack is one, so what is said of both is said once."""
    fight = played("modifier brannoc adv attack,test")
    entry = fight.do(f"attack ghoul-1 natural 2,12 6 {NONE}")
    assert [why_in_words(event) for event in entry.events if isinstance(event, Rolled)] == [
        "+7 longsword, advantage: modifier"
    ]


def test_that_somebody_is_bloodied_is_a_word() -> None:
    """SRD 5.2.1, Rules Glossary: Bloodied."""
    fight = played("damage brannoc 22")
    assert fight.why("brannoc", "bloodied") == [
        "Brannoc: bloodied yes", "HP at half or less · entry 9"
    ]  # fmt: skip
    lines = card_lines(fight.ruleset, fight.state, fight.state["brannoc"], False, 60, INKS)
    told = "   ".join(line.text for line in lines)
    assert "Bloodied" in told and "Bloodied +" not in told


def test_what_the_magic_action_is_for_is_said() -> None:
    """SRD 5.2.1, Actions: Magic."""
    fight = played('magic "wand of light"')
    assert fight.entries[-1].text == "Brannoc uses magic: wand of light"
    assert fight.state["brannoc"].track("action") == 0
