"""What stands on a sheet of attacks and powers, in the same words in every rule system."""

from __future__ import annotations

import pytest
from tests.played import PlayedFight

from affray.core.rules.reference import own_texts
from affray.tui.keymap import keymap_for

GAMES = ("monsters-and-magic", "orcus", "level-up", "adventure-school", "5e")


def fight_of(game: str, *lines: str) -> PlayedFight:
    """A fight of that game."""
    return type("Fight", (PlayedFight,), {"RULESET": game})(*lines)


def told_of(game: str, words: str) -> str:
    """What is told of the attacks of somebody who is added with these words."""
    fight = fight_of(game, f"add monster Ogre hp 30 {words}")
    told = fight.ruleset.sheet.labels(fight.state, fight["ogre"])
    return next(text for text in told.values() if text.startswith("Attacks "))


AS_SAID = [
    ("monsters-and-magic", "club 2d6 bludgeoning inflicts sundered user-start inflicts prone"),
    ("orcus", "slam +7 vs ac 1d8+3 acid plus 1d6 fire inflicts slowed save-ends"),
    ("orcus", "slam +7 vs ac 1d8 inflicts marked user-end inflicts persistent 5 fire"),
    ("level-up", "bite +7 2d6+4 piercing reach 10 plus 1d8 fire plus 2 cold"),
    (
        "level-up",
        "sting +5 1d4 ranged range 80/320 save con 2d8 poison dc 13 half inflicts poisoned",
    ),
    ("level-up", "claw +5 1d4 inflicts grappled 14 inflicts ongoing 1d6 acid for 3 turns"),
    ("5e", "bite +7 2d6+4 piercing reach 10 plus 1d8 fire inflicts grappled 14"),
    ("5e", "sting +5 1d4 ranged range 80/320 save con 2d8 poison dc 13 half inflicts poisoned"),
    ("adventure-school", "slam +7 vs ac 1d8 acid plus 1d6 fire inflicts prone"),
    ("adventure-school", "slam +7 vs ac 1d8 inflicts taunted 2 user-end inflicts burning 1d6"),
]


@pytest.mark.parametrize(("game", "words"), AS_SAID)
def test_what_a_sheet_says_of_an_attack_is_told_as_it_was_said(game: str, words: str) -> None:
    said = words if game == "orcus" else words.replace(" vs ac", "")
    assert told_of(game, f"attack {words}") == f"Attacks {said.replace('vs ac', 'vs AC')}"


REFUSED = [
    ("monsters-and-magic", "attack club 1d6 inflicts sunderd", "sundered"),
    ("monsters-and-magic", "attack club 1d6 inflicts prone save-ends", "save-ends"),
    ("orcus", "attack slam +7 vs ac 1d8 inflicts persistent fire", "expected dice"),
    ("orcus", "attack slam +7 vs ac 1d8 plus fire", "expected dice"),
    ("level-up", "attack bite +5 1d6 save luck dc 13", "an ability"),
    ("level-up", 'power Roar recharge 7 text "Loud."', "the lowest d6"),
    ("level-up", "power Roar uses 3 per week", "the period of its uses"),
    ("5e", "attack bite +5 1d6 save luck dc 13", "an ability"),
    ("5e", 'power Roar recharge 7 text "Loud."', "the lowest d6"),
    ("adventure-school", "ability Roar save health dc 0", "the DC"),
]


@pytest.mark.parametrize(("game", "words", "why"), REFUSED)
def test_a_sheet_that_makes_no_sense_is_refused(game: str, words: str, why: str) -> None:
    fight_of(game).refuses(f"add monster Ogre hp 30 {words}", why)


@pytest.mark.parametrize("game", GAMES)
def test_the_edges_of_turns_can_be_said_whatever_lays_something(game: str) -> None:
    fight = fight_of(game, "add pc Mira hp 20", "add pc Odo hp 20", "init mira 9", "init odo 5")
    fight.do("start", "inflict odo prone user-end")
    assert fight["odo"].effects[0].until.who == "mira"


TEXTS = [
    ("monsters-and-magic", 'powers Snarl text "Ears ring."', "Snarl", "Ears ring."),
    ("orcus", 'power Snarl encounter swift text "Ears ring."', "Snarl", "Ears ring."),
    ("level-up", 'power Snarl recharge 5 text "Ears ring."', "Snarl", "recharge 5. Ears ring."),
    ("5e", 'power Snarl recharge 5 text "Ears ring."', "Snarl", "recharge 5. Ears ring."),
    ("adventure-school", 'ability Snarl uses 2 text "Ears ring."', "Snarl", "uses 2. Ears ring."),
]


@pytest.mark.parametrize(("game", "words", "name", "text"), TEXTS)
def test_a_power_is_found_by_its_text_and_begun_by_the_key_of_its_command(
    game: str, words: str, name: str, text: str
) -> None:
    """`/` has it with all that its sheet says, and the key leads to the command that it is of."""
    fight = fight_of(game, f"add monster Ogre hp 30 {words}")
    found = [rule for rule in own_texts(fight.ruleset, fight.state) if rule.name == name]
    assert [rule.text.endswith(text) for rule in found] == [True]
    (option,) = fight.ruleset.actions.own_options(fight.ruleset.tables, fight.state, fight["ogre"])
    key = keymap_for(fight.ruleset).of_own(option)
    assert key is not None and key.prompt is not None and key.shown
    assert key.prompt.command == option.technique.partition(" ")[0]


def test_what_the_world_can_do_is_begun_by_its_own_key() -> None:
    fight = fight_of("level-up", "environment fiery", "add monster Ogre hp 9 power Snarl")
    (option, *_) = fight.ruleset.actions.own_options(
        fight.ruleset.tables, fight.state, fight["world"]
    )
    key = keymap_for(fight.ruleset).of_own(option)
    assert key is not None and key.prompt is not None and key.prompt.command == "world"
